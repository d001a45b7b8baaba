#include "io/export/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/export/vtp_outlines.h"

/* More particle types than this are of no use. */
enum { MOST_SHAPE_FILES = 200 };

/* OVITO shows a type of particles by a mesh. So where bodies are solids, and there are not too many
 * of them, types are shapes: their files are called shape-1.obj and so on, and what is round comes
 * last. */
static bool types_are_shapes(const RunHeader *header) {
    size_t shapes = header->shape.rows.count;
    return header->dimension == 3 && shapes > 0 && shapes <= MOST_SHAPE_FILES;
}

static int32_t type_of(const RunHeader *header, const RunBodyConstants *of, size_t body) {
    int32_t shape = of->shape[body];
    return !types_are_shapes(header) ? of->material[body] + 1
           : shape >= 0              ? shape + 1
                                     : (int32_t)header->shape.rows.count + 1;
}

/* ---------------------------------------------------------------- the head of a frame */

/* The cell along periodic directions, otherwise the box around all bodies; it must not be empty. */
static void bounds(const RunHeader *header, const RunFrame *frame, int axis, double *low,
                   double *high) {
    const RunBodies *bodies = &frame->bodies;
    if (header->periodic[axis]) {
        double edge[3][3];
        run_cell_edges(header, frame, edge);
        *low = header->cell_min[axis];
        *high = *low + edge[axis][axis];
        return;
    }
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < bodies->rows.count; i++) {
        double at = bodies->position[3 * i + (size_t)axis], radius = frame->body.radius[i];
        *low = fmin(*low, at - radius);
        *high = fmax(*high, at + radius);
    }
    if (!(*low < *high)) {
        *low = -0.5;
        *high = 0.5;
    }
}

/* An oblique cell, as LAMMPS writes one of any orientation: each edge, and a component of the corner. */
static void write_edges(FILE *file, const RunHeader *header, const RunFrame *frame) {
    double edge[3][3];
    run_cell_edges(header, frame, edge);
    for (int k = 0; k < 3; k++) {
        double low = 0, high = 1;
        bounds(header, frame, k, &low, &high);
        if (!header->periodic[k]) {
            edge[k][k] = high - low;
        }
        fprintf(file, "%.17g %.17g %.17g %.17g\n", edge[k][0], edge[k][1], edge[k][2], low);
    }
}

/* `what` is LAMMPS' name for the rows: ATOMS, or BONDS for those of the local style. */
static void write_head(FILE *file, const RunReader *reader, const RunFrame *frame, size_t index,
                       const char *what, size_t count) {
    const RunHeader *header = run_header(reader);
    fprintf(file, "ITEM: TIME\n%.17g\nITEM: TIMESTEP\n%" PRId64 "\nITEM: NUMBER OF %s\n%zu\n",
            run_frame_time(reader, index), run_frame_step(reader, index), what, count);
    const bool oblique = run_cell_is_oblique(header, frame);
    fprintf(file, oblique ? "ITEM: BOX BOUNDS abc origin" : "ITEM: BOX BOUNDS");
    for (int k = 0; k < 3; k++) {
        fputs(header->periodic[k] ? " pp" : " ff", file);
    }
    fputc('\n', file);
    if (oblique) {
        write_edges(file, header, frame);
        return;
    }
    for (int k = 0; k < 3; k++) {
        double low, high;
        bounds(header, frame, k, &low, &high);
        fprintf(file, "%.17g %.17g\n", low, high);
    }
}

/* ---------------------------------------------------------------- rows */

/* In LAMMPS the numbers of atoms and types begin with 1; atoms that come and go keep theirs. */
static void write_grains(FILE *file, const RunReader *reader, const RunFrame *frame, size_t index) {
    const RunHeader *header = run_header(reader);
    const RunBodyConstants *body = &frame->body;
    const RunBodies *bodies = &frame->bodies;
    bool shapes = types_are_shapes(header);
    write_head(file, reader, frame, index, "ATOMS", bodies->rows.count);
    fprintf(file,
            "ITEM: ATOMS id type radius mass x y z vx vy vz omegax omegay omegaz "
            "quatw quati quatj quatk%s\n",
            shapes ? " material" : "");
    for (size_t i = 0; i < bodies->rows.count; i++) {
        const double *q = &bodies->orientation[4 * i];
        fprintf(file, "%" PRId32 " %" PRId32 " %.17g %.17g", frame->who.identity[i] + 1,
                type_of(header, body, i), body->radius[i], body->mass[i]);
        const double *threes[] = {&bodies->position[3 * i], &bodies->velocity[3 * i],
                                  &bodies->spin[3 * i]};
        for (size_t k = 0; k < sizeof threes / sizeof *threes; k++) {
            fprintf(file, " %.17g %.17g %.17g", threes[k][0], threes[k][1], threes[k][2]);
        }
        fprintf(file, " %.17g %.17g %.17g %.17g", q[0], q[1], q[2], q[3]);
        if (shapes) {
            fprintf(file, " %" PRId32, body->material[i] + 1);
        }
        fputc('\n', file);
    }
}

/* A bond connects two grains; at walls there are none. */
static bool is_bond(const RunContacts *contacts, size_t i) {
    return contacts->b[i] >= 0 && contacts->state[i] != SCREE_CONTACT_OPEN;
}

static void write_bonds(FILE *file, const RunReader *reader, const RunFrame *frame, size_t index) {
    const RunContacts *contacts = &frame->contacts;
    size_t count = 0;
    for (size_t i = 0; i < contacts->rows.count; i++) {
        count += is_bond(contacts, i);
    }
    write_head(file, reader, frame, index, "BONDS", count);
    fprintf(file, "ITEM: BONDS batom1 batom2 force_normal force_tangential sliding gap\n");
    for (size_t i = 0; i < contacts->rows.count; i++) {
        if (is_bond(contacts, i)) {
            const double *t = &contacts->force_tangential[3 * i];
            fprintf(file, "%" PRId32 " %" PRId32 " %.17g %.17g %d %.17g\n",
                    frame->who.identity[contacts->a[i]] + 1,
                    frame->who.identity[contacts->b[i]] + 1, contacts->force_normal[i],
                    sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]),
                    contacts->state[i] == SCREE_CONTACT_SLIP, contacts->gap[i]);
        }
    }
}

/* ---------------------------------------------------------------- files */

typedef void WriteRows(FILE *file, const RunReader *reader, const RunFrame *frame, size_t index);

enum { KINDS = 2 };

static const struct {
    const char *name;
    WriteRows *write;
} kinds[KINDS] = {{"grains.dump", write_grains}, {"contacts.dump", write_bonds}};

static bool write_frames(RunReader *reader, FILE **file, size_t first, size_t count,
                         IoError *error) {
    RunFrame frame = {0};
    bool ok = true;
    for (size_t i = first; ok && i < first + count; i++) {
        ok = run_read_frame(reader, i, &frame, error);
        for (int kind = 0; ok && kind < KINDS; kind++) {
            kinds[kind].write(file[kind], reader, &frame, i);
        }
    }
    run_frame_free(&frame);
    return ok;
}

typedef struct Files {
    FILE *file[KINDS];
    char *aside[KINDS]; /* their names until they are whole */
    char path[KINDS][4096];
} Files;

/* Both are asked for before one is written. */
static bool name_files(Files *files, const char *folder, IoRule rule, IoError *error) {
    bool ok = true;
    for (int kind = 0; ok && kind < KINDS; kind++) {
        size_t size = sizeof files->path[kind];
        int length = snprintf(files->path[kind], size, "%s/%s", folder, kinds[kind].name);
        ok = length > 0 && (size_t)length < size
                 ? io_may_write(files->path[kind], rule, error)
                 : io_error(error, IO_FAILED, "%s: the name of the folder is too long", folder);
    }
    return ok;
}

static bool open_files(Files *files, IoError *error) {
    bool ok = true;
    for (int kind = 0; ok && kind < KINDS; kind++) {
        files->aside[kind] = io_aside(files->path[kind], error);
        ok = files->aside[kind] != NULL;
        files->file[kind] = ok ? fopen(files->aside[kind], "w") : NULL;
        ok = ok && (files->file[kind] != NULL || io_error(error, IO_FAILED, "%s: cannot write: %s",
                                                          files->path[kind], strerror(errno)));
    }
    return ok;
}

/* Puts both in place if all went well. */
static bool close_files(Files *files, bool ok, IoError *error) {
    for (int kind = 0; kind < KINDS; kind++) {
        if (files->file[kind] == NULL) {
            continue;
        }
        bool full = ferror(files->file[kind]) != 0; /* a full disk may only show when closing */
        if ((fclose(files->file[kind]) != 0 || full) && ok) {
            ok = io_error(error, IO_FAILED, "%s: cannot write: %s", files->path[kind],
                          strerror(errno));
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (files->aside[kind] != NULL) {
            ok = io_in_place(files->aside[kind], files->path[kind], ok, error) && ok;
        }
    }
    return ok;
}

/* ---------------------------------------------------------------- shapes */

static bool write_shape(const RunHeader *header, const VtpOutlines *drawn, const char *folder,
                        size_t shape, IoRule rule, IoError *error) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/shape-%zu.obj", folder, shape + 1);
    if (length < 0 || (size_t)length >= sizeof path) {
        return io_error(error, IO_FAILED, "%s: the name of the folder is too long", folder);
    }
    char *aside = io_may_write(path, rule, error) ? io_aside(path, error) : NULL;
    FILE *file = aside != NULL ? fopen(aside, "w") : NULL;
    if (aside == NULL) {
        return false;
    }
    bool ok = file != NULL;
    if (ok) {
        vtp_write_obj(file, drawn, header, shape);
        ok = ferror(file) == 0;
        ok = fclose(file) == 0 && ok;
    }
    ok = ok || io_error(error, IO_FAILED, "%s: cannot write: %s", path, strerror(errno));
    return io_in_place(aside, path, ok, error) && ok;
}

static bool write_shapes(const RunHeader *header, const char *folder, IoRule rule, IoError *error) {
    if (!types_are_shapes(header)) {
        return true;
    }
    VtpOutlines *drawn = vtp_outlines_new(header);
    bool ok = drawn != NULL || io_no_memory(error, folder);
    for (size_t i = 0; ok && i < header->shape.rows.count; i++) {
        ok = write_shape(header, drawn, folder, i, rule, error);
    }
    vtp_outlines_free(drawn);
    return ok;
}

bool dump_export(RunReader *reader, const char *folder, size_t first, size_t count, IoRule rule,
                 IoError *error) {
    Files files = {0};
    bool ok = io_make_folder(folder, error) && name_files(&files, folder, rule, error) &&
              write_shapes(run_header(reader), folder, rule, error) && open_files(&files, error) &&
              write_frames(reader, files.file, first, count, error);
    return close_files(&files, ok, error);
}
