#include "io/vtp.h"
#include "io/vtp_mesh.h"
#include "io/vtp_walls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Export {
    RunReader *reader;
    const char *folder;
    RunFrame frame;
    VtpMesh mesh;
    int32_t *id; /* 0, 1, 2, ... */
} Export;

typedef bool WriteKind(Export *export, FILE *file);

/* ---------------------------------------------------------------- kinds */

static bool write_bodies(Export *export, FILE *file) {
    const RunBodies *bodies = &export->frame.bodies;
    const RunBodyConstants *constants = &run_header(export->reader)->body;
    size_t count = bodies->rows.count;
    for (size_t i = 0; i < count; i++) {
        const double *p = &bodies->position[3 * i];
        int64_t corner = vtp_add_point(&export->mesh, p[0], p[1], p[2]);
        if (!vtp_add_cell(&export->mesh, VTP_VERTICES, &corner, 1)) {
            errno = ENOMEM;
            return false;
        }
        export->id[i] = (int32_t)i;
    }
    const VtpValues values[] = {
        {"radius", "Float64", 1, count, constants->radius},
        {"id", "Int32", 1, count, export->id},
        {"material", "Int32", 1, count, constants->material},
        {"mass", "Float64", 1, count, constants->mass},
        {"velocity", "Float64", 3, count, bodies->velocity},
        {"spin", "Float64", 3, count, bodies->spin},
        {"orientation", "Float64", 4, count, bodies->orientation},
    };
    return vtp_write_mesh(file, &export->mesh, false, values, sizeof values / sizeof *values);
}

/* A contact is the line from centre to centre through the contact point, or to the wall; it is
 * drawn from the point, so that it does not cross the cell where the world is periodic. */
static bool add_contact(VtpMesh *mesh, const RunContacts *contacts, const double *radius,
                        size_t i) {
    const double *p = &contacts->point[3 * i], *n = &contacts->normal[3 * i];
    double back = radius[contacts->a[i]];
    double ahead = contacts->b[i] >= 0 ? radius[contacts->b[i]] : 0;
    int64_t corners[2] = {
        vtp_add_point(mesh, p[0] - back * n[0], p[1] - back * n[1], p[2] - back * n[2]),
        vtp_add_point(mesh, p[0] + ahead * n[0], p[1] + ahead * n[1], p[2] + ahead * n[2])};
    return vtp_add_cell(mesh, VTP_LINES, corners, 2);
}

static bool write_contacts(Export *export, FILE *file) {
    const RunContacts *contacts = &export->frame.contacts;
    size_t count = contacts->rows.count;
    for (size_t i = 0; i < count; i++) {
        if (!add_contact(&export->mesh, contacts, run_header(export->reader)->body.radius, i)) {
            errno = ENOMEM;
            return false;
        }
    }
    const VtpValues values[] = {
        {"force_normal", "Float64", 1, count, contacts->force_normal},
        {"force_tangential", "Float64", 3, count, contacts->force_tangential},
        {"normal", "Float64", 3, count, contacts->normal},
        {"point", "Float64", 3, count, contacts->point},
        {"gap", "Float64", 1, count, contacts->gap},
        {"torque", "Float64", 3, count, contacts->torque},
        {"opening", "Float64", 1, count, contacts->opening},
        {"state", "Int32", 1, count, contacts->state},
        {"a", "Int32", 1, count, contacts->a},
        {"b", "Int32", 1, count, contacts->b},
    };
    return vtp_write_mesh(file, &export->mesh, true, values, sizeof values / sizeof *values);
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

static bool write_walls(Export *export, FILE *file) {
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
        ok = vtp_write_mesh(file, mesh, true, values, sizeof values / sizeof *values);
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
} kinds[] = {{"bodies", write_bodies}, {"contacts", write_contacts}, {"walls", write_walls}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---------------------------------------------------------------- files */

static bool failed(IoError *error, const char *path) {
    return io_error(error, IO_FAILED, "%s: cannot write: %s", path, strerror(errno));
}

/* Opens folder/name for writing; `path` receives the whole name. */
static FILE *create(const char *folder, const char *name, char *path, size_t size, IoError *error) {
    int length = snprintf(path, size, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= size) {
        io_error(error, IO_FAILED, "%s: the name of the folder is too long", folder);
        return NULL;
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        failed(error, path);
    }
    return file;
}

/* Closing is where a full disk may show last. */
static bool finish(FILE *file, bool ok, const char *path, IoError *error) {
    int reason = errno;
    bool closed = fclose(file) == 0;
    if (!ok) {
        errno = reason;
    }
    return (ok && closed) || failed(error, path);
}

static bool write_frame(Export *export, int kind, size_t index, IoError *error) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "%s_%06zu.vtp", kinds[kind].name, index);
    FILE *file = create(export->folder, name, path, sizeof path, error);
    if (file == NULL) {
        return false;
    }
    vtp_mesh_clear(&export->mesh);
    return finish(file, kinds[kind].write(export, file), path, error);
}

/* The list of a kind's files with their times. */
static bool write_list(const Export *export, int kind, size_t first, size_t count, IoError *error) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "%s.pvd", kinds[kind].name);
    FILE *file = create(export->folder, name, path, sizeof path, error);
    if (file == NULL) {
        return false;
    }
    fprintf(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                  "<Collection>\n");
    for (size_t i = first; i < first + count; i++) {
        fprintf(file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%06zu.vtp\"/>\n",
                run_frame_time(export->reader, i), kinds[kind].name, i);
    }
    fprintf(file, "</Collection>\n</VTKFile>\n");
    return finish(file, !ferror(file), path, error);
}

static bool make_folder(const char *folder, IoError *error) {
    struct stat about;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))) {
        return true;
    }
    return io_error(error, IO_FAILED, "%s: cannot make the folder: %s", folder, strerror(errno));
}

bool vtp_export(RunReader *reader, const char *folder, size_t first, size_t count, IoError *error) {
    if (!make_folder(folder, error)) {
        return false;
    }
    Export export = {.reader = reader, .folder = folder};
    export.id = calloc(run_header(reader)->body.rows.count + 1, sizeof *export.id);
    bool ok = export.id != NULL || io_no_memory(error, folder);
    for (size_t i = first; ok && i < first + count; i++) {
        ok = run_read_frame(reader, i, &export.frame, error);
        for (int kind = 0; ok && kind < KINDS; kind++) {
            ok = write_frame(&export, kind, i, error);
        }
    }
    for (int kind = 0; ok && kind < KINDS; kind++) {
        ok = write_list(&export, kind, first, count, error);
    }
    free(export.id);
    vtp_mesh_free(&export.mesh);
    run_frame_free(&export.frame);
    return ok;
}
