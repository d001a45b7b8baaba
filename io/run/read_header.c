/* What stands in a run file before its first frame. Nothing in the file is trusted. */
#include "base/printable.h"
#include "io/run/reader.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 1 << 16 };

static bool read_whole(const RunReader *reader, hid_t data, hid_t type, void *into,
                       IoError *error) {
    hsize_t begin[3] = {0, 0, 0}, size[3] = {0, 0, 0};
    hid_t space = H5Dget_space(data);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool ok = rank >= 0 && rank <= 3 && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (!ok || !run_on_disk(reader, data, rank, begin, size)) {
        return run_damaged(reader, "a part of it is missing", error);
    }
    return H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, into) >= 0 ||
           hdf5_error(error, IO_BAD_FILE, reader->path, "the run file is damaged or truncated");
}

/* ---------------------------------------------------------------- attributes */

static bool read_numbers(const RunReader *reader, const char *name, hid_t type, hssize_t count,
                         void *into) {
    hid_t attribute = H5Aopen(reader->file, name, H5P_DEFAULT);
    if (attribute < 0) {
        return false;
    }
    hid_t space = H5Aget_space(attribute);
    bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == count &&
              H5Aread(attribute, type, into) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return ok;
}

static bool has_format_name(const RunReader *reader) {
    char text[sizeof RUN_FORMAT_NAME] = "";
    hid_t attribute = H5Aopen(reader->file, "format", H5P_DEFAULT);
    if (attribute < 0) {
        return false;
    }
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool ok = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
              H5Tis_variable_str(type) == 0 && H5Tget_size(type) == sizeof RUN_FORMAT_NAME - 1 &&
              H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, text) >= 0 &&
              strcmp(text, RUN_FORMAT_NAME) == 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return ok;
}

static bool check_format(RunReader *reader, IoError *error) {
    int32_t version = 0;
    if (!has_format_name(reader)) {
        return io_error(error, IO_BAD_FILE, "%s: is an HDF5 file, but not a run of scree",
                        reader->path);
    }
    if (!read_numbers(reader, "version", H5T_NATIVE_INT32, 1, &version) || version < 1) {
        return run_damaged(reader, "version", error);
    }
    if (version > RUN_FORMAT_VERSION) {
        return io_error(error, IO_BAD_FILE,
                        "%s: has format version %d, but this scree reads up to version %d; use a "
                        "newer scree",
                        reader->path, (int)version, RUN_FORMAT_VERSION);
    }
    reader->header.version = version;
    return true;
}

/* Older files do not name the method. */
static bool read_method(RunReader *reader) {
    RunHeader *header = &reader->header;
    header->method = -1;
    header->tolerance = 0;
    return H5Aexists(reader->file, "method") <= 0 ||
           (read_numbers(reader, "method", H5T_NATIVE_INT32, 1, &header->method) &&
            read_numbers(reader, "tolerance", H5T_NATIVE_DOUBLE, 1, &header->tolerance));
}

/* What frames have beside the rows that they always had. */
static bool read_kinds(RunReader *reader) {
    int32_t changing = 0, plates = 0, bonds = 0, growing = 0;
    bool ok = (reader->header.version <= RUN_STEADY_VERSION ||
               read_numbers(reader, "changing", H5T_NATIVE_INT32, 1, &changing)) &&
              (reader->header.version < RUN_PLATES_VERSION ||
               read_numbers(reader, "plates", H5T_NATIVE_INT32, 1, &plates)) &&
              (reader->header.version < RUN_BONDS_VERSION ||
               read_numbers(reader, "bonds", H5T_NATIVE_INT32, 1, &bonds)) &&
              (reader->header.version < RUN_GROWTH_VERSION ||
               read_numbers(reader, "growing", H5T_NATIVE_INT32, 1, &growing));
    reader->header.changing = changing != 0;
    reader->header.plates = plates != 0;
    reader->header.bonds = bonds != 0;
    reader->header.growing = growing != 0;
    return ok;
}

static bool read_identity(RunReader *reader) {
    reader->header.identity = 0;
    return reader->header.version < 9 ||
           read_numbers(reader, "identity", H5T_NATIVE_UINT64, 1, &reader->header.identity);
}

static bool read_attributes(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    hid_t real = H5T_NATIVE_DOUBLE, integer = H5T_NATIVE_INT32;
    bool first = header->version == 1;
    header->engine = SCREE_ENGINE_CONTACT_DYNAMICS;
    header->theta = 1;
    return ((first || (read_numbers(reader, "engine", integer, 1, &header->engine) &&
                       read_numbers(reader, "theta", real, 1, &header->theta))) &&
            read_identity(reader) && read_kinds(reader) && read_method(reader) &&
            read_numbers(reader, "dimension", integer, 1, &header->dimension) &&
            read_numbers(reader, "time_step", real, 1, &header->time_step) &&
            read_numbers(reader, "gravity", real, 3, header->gravity) &&
            read_numbers(reader, "periodic", integer, 3, header->periodic) &&
            read_numbers(reader, "cell_min", real, 3, header->cell_min) &&
            read_numbers(reader, "cell_max", real, 3, header->cell_max)) ||
           run_damaged(reader, "attributes of the run", error);
}

/* ---------------------------------------------------------------- texts */

/* The length of a text of fixed length, 0 when it is something else. */
static size_t text_size(hid_t type) {
    return type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0
               ? H5Tget_size(type)
               : 0;
}

/* Reads `count` texts, one after another, of `*size` bytes each without terminators. NULL on
 * error. */
static char *read_texts(RunReader *reader, const char *name, bool list, size_t *count, size_t *size,
                        IoError *error) {
    hsize_t length = 1;
    hid_t data = run_open_dataset(reader, name, list ? 1 : 0, NULL, &length, error);
    if (data < 0) {
        return NULL;
    }
    length = list ? length : 1;
    hid_t type = H5Dget_type(data);
    *size = text_size(type);
    *count = (size_t)length;
    char *texts = NULL;
    if (*size == 0 || (list && *size > LONGEST_NAME)) {
        run_damaged(reader, name, error);
    } else if (run_plausible(reader, length, *size, error)) {
        texts = calloc(*count + 1, *size + 1);
        if (texts == NULL) {
            io_no_memory(error, reader->path);
        } else if (length > 0 && !read_whole(reader, data, type, texts, error)) {
            free(texts);
            texts = NULL;
        }
    }
    H5Tclose(type);
    H5Dclose(data);
    return texts;
}

static bool read_text(RunReader *reader, const char *name, char **into, IoError *error) {
    size_t count = 0, size = 0;
    *into = read_texts(reader, name, false, &count, &size, error);
    return *into != NULL;
}

/* With `plain`, what no scene could have given as a name is made harmless: names go to terminals,
 * tables and pages. */
static bool read_names(RunReader *reader, const char *name, bool plain, RunNames *names,
                       IoError *error) {
    size_t count = 0, size = 0;
    char *texts = read_texts(reader, name, true, &count, &size, error);
    char *one = texts != NULL ? calloc(1, size + 1) : NULL;
    bool ok = one != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        memcpy(one, texts + i * size, size);
        if (plain) {
            scr_make_name(one);
        }
        ok = run_names_add(names, one);
    }
    if (texts != NULL && !ok) {
        io_no_memory(error, reader->path);
    }
    free(one);
    free(texts);
    return ok;
}

/* ---------------------------------------------------------------- constants */

/* Files of dry grains need not know of liquid bridges: they have all of these columns, or none. */
static int32_t first_with_bridges(const RunReader *reader) {
    static const char *const column[] = {"laws/bridge_volume", "laws/bridge_tension",
                                         "laws/bridge_angle"};
    bool any = false;
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        any = any || H5Lexists(reader->file, column[i], H5P_DEFAULT) > 0;
    }
    return any ? 0 : RUN_BRIDGES_VERSION;
}

/* A column added in a later version than the file's gets what all rows had before: round bodies,
 * none of them known to be frozen, walls of no material, shapes in the plane, no glue by
 * area, and none by liquids. */
static bool came_later(const RunReader *reader, RunTableId id, const RunField *field, void *rows) {
    const int32_t since_bridges = id == RUN_LAWS ? first_with_bridges(reader) : 0;
    const struct {
        RunTableId id;
        const char *name;
        int32_t since, value;
    } later[] = {{RUN_BODY_CONSTANTS, "shape", 3, -1},
                 {RUN_BODY_CONSTANTS, "frozen", 5, 0},
                 {RUN_WALL_CONSTANTS, "motion", 5, 0},
                 {RUN_WALL_CONSTANTS, "material", 5, -1},
                 {RUN_WALL_CONSTANTS, "direction", 5, 0},
                 {RUN_SHAPES, "volume", 10, 0},
                 {RUN_SHAPES, "moments", 10, 0},
                 {RUN_SHAPES, "axes", 10, 0},
                 {RUN_SHAPE_PARTS, "face_end", 10, 0},
                 {RUN_LAWS, "cohesion_stress", 11, 0},
                 {RUN_LAWS, "bridge_volume", since_bridges, 0},
                 {RUN_LAWS, "bridge_tension", since_bridges, 0},
                 {RUN_LAWS, "bridge_angle", since_bridges, 0},
                 {RUN_SHAPE_PARTS, "kind", RUN_SMOOTH_VERSION, 0},
                 {RUN_SHAPE_PARTS, "form", RUN_SMOOTH_VERSION, 0},
                 {RUN_SHAPE_CORNERS, "weight", RUN_NURBS_VERSION, 1},
                 {RUN_WALL_CONSTANTS, "end_radius", 14, 0},
                 {RUN_WALL_CONSTANTS, "holes", 14, 0},
                 {RUN_WALL_CONSTANTS, "spacing", 14, 0}};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (later[i].id != id || strcmp(later[i].name, field->name) != 0 ||
            reader->header.version >= later[i].since) {
            continue;
        }
        size_t count = ((RunRows *)rows)->count * (size_t)field->width;
        for (size_t k = 0; k < count; k++) {
            if (field->type == RUN_TYPE_int32_t) {
                ((int32_t *)run_rows_field(rows, field))[k] = later[i].value;
            } else if (field->type == RUN_TYPE_int64_t) {
                ((int64_t *)run_rows_field(rows, field))[k] = later[i].value;
            } else {
                ((double *)run_rows_field(rows, field))[k] = later[i].value;
            }
        }
        return true;
    }
    return false;
}

bool run_read_constants(RunReader *reader, RunTableId id, void *rows, IoError *error) {
    const RunTable *table = run_table(id);
    RunRows *head = rows;
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        char name[96];
        snprintf(name, sizeof name, "%s/%s", table->group, field->name);
        hsize_t width = (hsize_t)field->width, length = 0;
        if (came_later(reader, id, field, rows)) {
            continue;
        }
        hid_t data =
            run_open_dataset(reader, name, field->width > 1 ? 2 : 1, &width, &length, error);
        if (data < 0) {
            return false;
        }
        bool ok = i == 0 ? run_plausible(reader, length, 8, error) &&
                               (run_rows_resize(id, rows, (size_t)length) ||
                                io_no_memory(error, reader->path))
                         : length == head->count || run_damaged(reader, name, error);
        if (ok && length > 0) {
            ok = read_whole(reader, data, run_memory_type(field->type), run_rows_field(rows, field),
                            error);
        }
        H5Dclose(data);
        if (!ok) {
            return false;
        }
    }
    return true;
}

bool run_check_bodies(const RunReader *reader, IoError *error) {
    const RunHeader *header = &reader->header;
    for (size_t i = 0; i < header->body.rows.count; i++) {
        int32_t material = header->body.material[i];
        if (material < 0 || (size_t)material >= header->materials.count) {
            return run_damaged(reader, "bodies/material", error);
        }
        int32_t shape = header->body.shape[i];
        if (shape < -1 || (shape >= 0 && (size_t)shape >= header->shape.rows.count)) {
            return run_damaged(reader, "bodies/shape", error);
        }
    }
    return true;
}

/* Numbers of materials are used as indices later. */
static bool check_constants(const RunReader *reader, IoError *error) {
    const RunHeader *header = &reader->header;
    for (size_t i = 0; i < header->wall.rows.count; i++) {
        int32_t material = header->wall.material[i];
        if (material < -1 || (material >= 0 && (size_t)material >= header->materials.count)) {
            return run_damaged(reader, "walls/material", error);
        }
    }
    for (size_t i = 0; i < header->laws.rows.count; i++) {
        int32_t first = header->laws.first[i], second = header->laws.second[i];
        if (first < 0 || second < first || (size_t)second >= header->materials.count) {
            return run_damaged(reader, "laws/second", error);
        }
    }
    return header->walls.count == header->wall.rows.count ||
           run_damaged(reader, "walls/name", error);
}

/* Runs that measure nothing have no such group. */
static bool read_series(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    if (H5Lexists(reader->file, "measures", H5P_DEFAULT) <= 0) {
        return true;
    }
    return read_names(reader, "measures/name", true, &header->series, error) &&
           run_read_constants(reader, RUN_SERIES, &header->series_of, error) &&
           (header->series.count == header->series_of.rows.count ||
            run_damaged(reader, "measures/name", error));
}

/* Runs in which no material has a colour have no such dataset. */
static bool read_colours(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    if (H5Lexists(reader->file, "materials/colour", H5P_DEFAULT) <= 0) {
        return true;
    }
    return read_names(reader, "materials/colour", false, &header->colours, error) &&
           (header->colours.count == header->materials.count ||
            run_damaged(reader, "materials/colour", error));
}

/* Runs of scenes without inlets and outlets have no such group. */
static bool read_gates(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    if (header->version <= RUN_STEADY_VERSION ||
        H5Lexists(reader->file, "gates", H5P_DEFAULT) <= 0) {
        return true;
    }
    return read_names(reader, "gates/name", true, &header->gates, error) &&
           run_read_constants(reader, RUN_GATES, &header->gate, error) &&
           ((header->gates.count == header->gate.rows.count && header->gates.count > 0) ||
            run_damaged(reader, "gates/name", error));
}

bool run_read_header(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    bool ok =
        check_format(reader, error) && read_attributes(reader, error) &&
        read_text(reader, "scene/name", &header->scene_name, error) &&
        read_text(reader, "scene/text", &header->scene_text, error) &&
        read_names(reader, "scene/overrides", false, &header->overrides, error) &&
        read_names(reader, "materials/name", true, &header->materials, error) &&
        read_colours(reader, error) &&
        read_names(reader, "walls/name", true, &header->walls, error) &&
        (header->changing ||
         run_read_constants(reader, RUN_BODY_CONSTANTS, &header->body, error)) &&
        run_read_constants(reader, RUN_WALL_CONSTANTS, &header->wall, error) &&
        run_read_shapes(reader, error) && run_read_meshes(reader, error) &&
        (header->version == 1 || run_read_constants(reader, RUN_LAWS, &header->laws, error)) &&
        read_series(reader, error) && read_gates(reader, error) &&
        run_check_bodies(reader, error) && check_constants(reader, error);
    if (ok) {
        header->scene_size = strlen(header->scene_text);
    }
    return ok;
}
