#include "io/export/vtk.h"
#include "io/export/vtkhdf.h"
#include "io/export/vtp_mesh.h"
#include "io/export/vtp_outlines.h"
#include "io/export/vtp_walls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Export {
    RunReader *reader;
    const char *folder;
    VtkFormat format;
    RunFrame frame;
    VtpMesh mesh;
    FILE *file;      /* the file being written; NULL when HDF5 writes it */
    char path[4096]; /* of that file, in the end */
    char *aside;     /* and its name until then */
    IoError *error;
    VtpOutlines *outlines; /* NULL when all bodies are round */
} Export;

/* False with errno or the error set. */
typedef bool WriteKind(Export *export);

static bool put(Export *export, bool cell_values, const VtpValues *values, int count) {
    if (export->format == VTK_VTKHDF) {
        return vtkhdf_write_mesh(export->aside, export->path, &export->mesh, cell_values, values,
                                 count, export->error);
    }
    return vtp_write_mesh(export->file, &export->mesh, cell_values, values, count);
}

/* ---------------------------------------------------------------- kinds */

static bool write_bodies(Export *export) {
    const RunBodies *bodies = &export->frame.bodies;
    const RunBodyConstants *constants = &export->frame.body;
    size_t count = bodies->rows.count;
    for (size_t i = 0; i < count; i++) {
        const double *p = &bodies->position[3 * i];
        int64_t corner = vtp_add_point(&export->mesh, p[0], p[1], p[2]);
        if (!vtp_add_cell(&export->mesh, VTP_VERTICES, &corner, 1)) {
            errno = ENOMEM;
            return false;
        }
    }
    const VtpValues values[] = {
        {"radius", "Float64", 1, count, constants->radius},
        {"id", "Int32", 1, count, export->frame.who.identity},
        {"material", "Int32", 1, count, constants->material},
        {"shape", "Int32", 1, count, constants->shape},
        {"mass", "Float64", 1, count, constants->mass},
        {"velocity", "Float64", 3, count, bodies->velocity},
        {"spin", "Float64", 3, count, bodies->spin},
        {"orientation", "Float64", 4, count, bodies->orientation},
        {"holder", "Int32", 1, count, export->frame.holders.holder}, /* the last: some have none */
    };
    const int fields = (int)(sizeof values / sizeof *values);
    return put(export, false, values, run_header(export->reader)->plates ? fields : fields - 1);
}

/* The values of some bodies, one row for each of `owner`. NULL when out of memory. */
static void *rows_of(const void *values, size_t row, const int32_t *owner, size_t count) {
    char *rows = malloc(count * row + 1);
    for (size_t i = 0; rows != NULL && i < count; i++) {
        memcpy(rows + i * row, (const char *)values + (size_t)owner[i] * row, row);
    }
    return rows;
}

/* Outlines with the values of their bodies; each cell of a body has them. */
static bool write_cells_of_bodies(Export *export, const int32_t *owner) {
    const RunBodies *bodies = &export->frame.bodies;
    const RunBodyConstants *constants = &export->frame.body;
    size_t count = export->mesh.cells[VTP_POLYGONS].count;
    enum { VALUES = 6 };
    void *rows[VALUES] = {rows_of(constants->material, sizeof(int32_t), owner, count),
                          rows_of(constants->shape, sizeof(int32_t), owner, count),
                          rows_of(constants->mass, sizeof(double), owner, count),
                          rows_of(bodies->velocity, 3 * sizeof(double), owner, count),
                          rows_of(bodies->spin, 3 * sizeof(double), owner, count),
                          rows_of(export->frame.who.identity, sizeof(int32_t), owner, count)};
    const VtpValues values[] = {
        {"id", "Int32", 1, count, rows[5]},         {"material", "Int32", 1, count, rows[0]},
        {"shape", "Int32", 1, count, rows[1]},      {"mass", "Float64", 1, count, rows[2]},
        {"velocity", "Float64", 3, count, rows[3]}, {"spin", "Float64", 3, count, rows[4]},
    };
    bool ok = true;
    for (int i = 0; i < VALUES; i++) {
        ok = ok && rows[i] != NULL;
    }
    if (ok) {
        ok = put(export, true, values, sizeof values / sizeof *values);
    } else {
        errno = ENOMEM;
    }
    for (int i = 0; i < VALUES; i++) {
        free(rows[i]);
    }
    return ok;
}

static bool write_outlines(Export *export) {
    const RunHeader *header = run_header(export->reader);
    const VtpCellList *cells = &export->mesh.cells[VTP_POLYGONS];
    int32_t *owner = NULL;
    size_t done = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < export->frame.bodies.rows.count; i++) {
        ok = vtp_add_body(&export->mesh, export->outlines, header, &export->frame, i);
        int32_t *larger = ok ? realloc(owner, (cells->capacity + 1) * sizeof *owner) : NULL;
        ok = larger != NULL;
        owner = ok ? larger : owner;
        for (; ok && done < cells->count; done++) {
            owner[done] = (int32_t)i;
        }
    }
    if (ok) {
        ok = write_cells_of_bodies(export, owner);
    } else {
        errno = ENOMEM;
    }
    free(owner);
    return ok;
}

/* Adds the centre of a body, at the image nearest to a point. */
static int64_t add_centre(Export *export, int32_t body, const double *from) {
    const RunHeader *header = run_header(export->reader);
    double at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = export->frame.bodies.position[3 * body + k];
    }
    run_nearest_image(header, &export->frame, from, at);
    return vtp_add_point(&export->mesh, at[0], at[1], at[2]);
}

/* A contact is a line from centre to centre, or to the wall, through the contact point. */
static bool add_contact(Export *export, size_t i) {
    const RunContacts *contacts = &export->frame.contacts;
    const double *p = &contacts->point[3 * i];
    int32_t b = contacts->b[i];
    int64_t corners[3] = {0};
    corners[0] = add_centre(export, contacts->a[i], p);
    corners[1] = vtp_add_point(&export->mesh, p[0], p[1], p[2]);
    corners[2] = b >= 0 ? add_centre(export, b, p) : 0;
    return vtp_add_cell(&export->mesh, VTP_LINES, corners, b >= 0 ? 3 : 2);
}

/* Rows of bodies as their identities; walls stay as they are. NULL when out of memory. */
static int32_t *identities_of(const RunFrame *frame, const int32_t *row) {
    const size_t count = frame->contacts.rows.count;
    int32_t *named = malloc((count + 1) * sizeof *named);
    for (size_t i = 0; named != NULL && i < count; i++) {
        named[i] = row[i] >= 0 ? frame->who.identity[row[i]] : row[i];
    }
    return named;
}

static bool put_contacts(Export *export, const int32_t *a, const int32_t *b) {
    const RunContacts *contacts = &export->frame.contacts;
    size_t count = contacts->rows.count;
    const VtpValues values[] = {
        {"force_normal", "Float64", 1, count, contacts->force_normal},
        {"force_tangential", "Float64", 3, count, contacts->force_tangential},
        {"normal", "Float64", 3, count, contacts->normal},
        {"point", "Float64", 3, count, contacts->point},
        {"gap", "Float64", 1, count, contacts->gap},
        {"torque", "Float64", 3, count, contacts->torque},
        {"opening", "Float64", 1, count, contacts->opening},
        {"state", "Int32", 1, count, contacts->state},
        {"a", "Int32", 1, count, a},
        {"b", "Int32", 1, count, b},
        {"feature", "Int32", 1, count, contacts->feature},
    };
    return put(export, true, values, sizeof values / sizeof *values);
}

static bool write_contacts(Export *export) {
    const RunContacts *contacts = &export->frame.contacts;
    size_t count = contacts->rows.count;
    for (size_t i = 0; i < count; i++) {
        if (!add_contact(export, i)) {
            errno = ENOMEM;
            return false;
        }
    }
    int32_t *a = identities_of(&export->frame, contacts->a);
    int32_t *b = identities_of(&export->frame, contacts->b);
    bool ok = a != NULL && b != NULL;
    if (ok) {
        ok = put_contacts(export, a, b);
    } else {
        errno = ENOMEM;
    }
    free(a);
    free(b);
    return ok;
}

/* Values of walls, one for each of their cells. VTK counts cells by kind, lines before polygons. */
typedef struct WallCells {
    int32_t *wall;
    double *load;
    size_t count;
} WallCells;

static bool spread(WallCells *cells, const RunWalls *walls, size_t wall, size_t upto) {
    size_t room = upto > 0 ? upto : 1;
    int32_t *number = realloc(cells->wall, room * sizeof *number);
    cells->wall = number != NULL ? number : cells->wall;
    double *load = realloc(cells->load, 3 * room * sizeof *load);
    cells->load = load != NULL ? load : cells->load;
    if (number == NULL || load == NULL) {
        return false;
    }
    for (; cells->count < upto; cells->count++) {
        cells->wall[cells->count] = (int32_t)wall;
        memcpy(&cells->load[3 * cells->count], &walls->load[3 * wall], 3 * sizeof(double));
    }
    return true;
}

static bool write_walls(Export *export) {
    const RunHeader *header = run_header(export->reader);
    const RunWalls *walls = &export->frame.walls;
    VtpMesh *mesh = &export->mesh;
    WallCells cells = {0};
    bool ok = true;
    for (int kind = VTP_LINES; kind <= VTP_POLYGONS; kind++) {
        size_t before = cells.count;
        for (size_t i = 0; ok && i < walls->rows.count; i++) {
            bool line = header->wall.shape[i] == SCREE_WALL_SEGMENT ||
                        (header->dimension == 2 && header->wall.shape[i] != SCREE_WALL_BLOCK);
            if (walls->present[i] && line == (kind == VTP_LINES)) {
                ok = vtp_add_wall(mesh, header, &export->frame, i) &&
                     spread(&cells, walls, i, before + mesh->cells[kind].count);
            }
        }
    }
    if (ok) {
        const VtpValues values[] = {{"wall", "Int32", 1, cells.count, cells.wall},
                                    {"load", "Float64", 3, cells.count, cells.load}};
        ok = put(export, true, values, sizeof values / sizeof *values);
    } else {
        errno = ENOMEM;
    }
    free(cells.wall);
    free(cells.load);
    return ok;
}

static const struct {
    const char *name;
    WriteKind *write;
} kinds[] = {{"bodies", write_bodies},
             {"contacts", write_contacts},
             {"walls", write_walls},
             {"outlines", write_outlines}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Without shapes there are no outlines, which are the last kind. */
static int kinds_of(const Export *export) {
    return export->outlines != NULL ? KINDS : KINDS - 1;
}

/* ---------------------------------------------------------------- files */

static bool failed(IoError *error, const char *path) {
    return io_error(error, IO_FAILED, "%s: cannot write: %s", path, strerror(errno));
}

/* Sets the path to folder/name. */
static bool set_path(Export *export, const char *name) {
    int length = snprintf(export->path, sizeof export->path, "%s/%s", export->folder, name);
    if (length < 0 || (size_t)length >= sizeof export->path) {
        return io_error(export->error, IO_FAILED, "%s: the name of the folder is too long",
                        export->folder);
    }
    return true;
}

/* A full disk may only show when closing. */
static bool finish(Export *export, bool ok) {
    int reason = errno;
    bool closed = export->file == NULL || fclose(export->file) == 0;
    export->file = NULL;
    if (ok && !closed) {
        reason = errno;
    }
    errno = reason;
    ok = ok && closed;
    if (!ok && export->error->kind == IO_NO_ERROR) {
        failed(export->error, export->path);
    }
    return io_in_place(export->aside, export->path, ok, export->error);
}

/* Begins the file beside its place, and opens it unless HDF5 is to do that. */
static bool create(Export *export, const char *name, bool open) {
    if (!set_path(export, name) ||
        (export->aside = io_aside(export->path, export->error)) == NULL) {
        return false;
    }
    export->file = open ? fopen(export->aside, "wb") : NULL;
    return !open || export->file != NULL || finish(export, false);
}

enum { NAME_SIZE = 64 };

static void name_frame(const Export *export, int kind, size_t index, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%s_%06zu.%s", kinds[kind].name, index,
             export->format == VTK_VTKHDF ? "hdf" : "vtp");
}

static void name_list(int kind, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%s.pvd", kinds[kind].name);
}

/* All files are asked for before the first is written. */
static bool may_write_all(Export *export, size_t first, size_t count, IoRule rule) {
    char name[NAME_SIZE];
    bool ok = true;
    for (int kind = 0; kind < kinds_of(export); kind++) {
        for (size_t i = first; ok && i < first + count; i++) {
            name_frame(export, kind, i, name);
            ok = set_path(export, name) && io_may_write(export->path, rule, export->error);
        }
        if (ok && export->format == VTK_VTP) {
            name_list(kind, name);
            ok = set_path(export, name) && io_may_write(export->path, rule, export->error);
        }
    }
    return ok;
}

static bool write_frame(Export *export, int kind, size_t index) {
    char name[NAME_SIZE];
    name_frame(export, kind, index, name);
    if (!create(export, name, export->format == VTK_VTP)) {
        return false;
    }
    vtp_mesh_clear(&export->mesh);
    return finish(export, kinds[kind].write(export));
}

/* The list of a kind's files with their times. */
static bool write_list(Export *export, int kind, size_t first, size_t count) {
    char name[NAME_SIZE];
    name_list(kind, name);
    if (!create(export, name, true)) {
        return false;
    }
    FILE *file = export->file;
    fprintf(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                  "<Collection>\n");
    for (size_t i = first; i < first + count; i++) {
        fprintf(file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%06zu.vtp\"/>\n",
                run_frame_time(export->reader, i), kinds[kind].name, i);
    }
    fprintf(file, "</Collection>\n</VTKFile>\n");
    return finish(export, !ferror(file));
}

bool vtk_export(RunReader *reader, const char *folder, VtkFormat format, size_t first, size_t count,
                IoRule rule, IoError *error) {
    IoError unheard = {0};
    error = error != NULL ? error : &unheard;
    if (!io_make_folder(folder, error)) {
        return false;
    }
    Export export = {.reader = reader, .folder = folder, .format = format, .error = error};
    bool shaped = run_header(reader)->shape.rows.count > 0;
    export.outlines = shaped ? vtp_outlines_new(run_header(reader)) : NULL;
    bool ok = shaped == (export.outlines != NULL) || io_no_memory(error, folder);
    ok = ok && may_write_all(&export, first, count, rule);
    for (size_t i = first; ok && i < first + count; i++) {
        ok = run_read_frame(reader, i, &export.frame, error);
        for (int kind = 0; ok && kind < kinds_of(&export); kind++) {
            ok = write_frame(&export, kind, i);
        }
    }
    for (int kind = 0; ok && format == VTK_VTP && kind < kinds_of(&export); kind++) {
        ok = write_list(&export, kind, first, count);
    }
    vtp_outlines_free(export.outlines);
    vtp_mesh_free(&export.mesh);
    run_frame_free(&export.frame);
    return ok;
}
