/* The content of a new run file: every dataset is made before the first frame, since in
 * single-writer mode only rows can be added. */
#include "io/run/writer.h"

#include <string.h>

/* Compression: shuffled bytes, the fastest level. Higher levels gain a few percent at several times
 * the cost. */
enum { DEFLATE_LEVEL = 1 };

/* Rows of the small datasets with one entry per frame. They are not compressed, so that a chunk
 * that fills slowly is rewritten in place and the file does not grow by copies of it. */
enum { FRAME_CHUNK = 256, SEARCH_CHUNK = 1024, CELL_CHUNK = 32 };

static bool write_attribute(hid_t place, const char *name, hid_t type, hsize_t count,
                            const void *value) {
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return ok;
}

static hid_t text_type(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, size > 0 ? size : 1) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
         H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

static bool write_text_attribute(hid_t place, const char *name, const char *text) {
    hid_t type = text_type(strlen(text));
    bool ok = type >= 0 && write_attribute(place, name, type, 1, text);
    H5Tclose(type);
    return ok;
}

static bool write_text(hid_t file, const char *name, const char *text, size_t size) {
    hid_t type = text_type(size);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (data >= 0) {
        H5Dclose(data);
    }
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

/* Writes entry `index` of a list of texts; the type has a fixed length to which HDF5 pads them. */
static bool write_name(hid_t data, hsize_t index, const char *name) {
    hsize_t one = 1;
    hid_t type = text_type(strlen(name));
    hid_t memory = H5Screate_simple(1, &one, NULL);
    hid_t space = H5Dget_space(data);
    bool ok = space >= 0 &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, &index, NULL, &one, NULL) >= 0 &&
              H5Dwrite(data, type, memory, space, H5P_DEFAULT, name) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    H5Tclose(type);
    return ok;
}

static bool write_names(hid_t file, const char *name, const RunNames *names) {
    size_t size = 1;
    for (size_t i = 0; i < names->count; i++) {
        size_t length = strlen(names->name[i]);
        size = length > size ? length : size;
    }
    hsize_t count = names->count;
    hid_t type = text_type(size);
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = data >= 0;
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = write_name(data, i, names->name[i]);
    }
    if (data >= 0) {
        H5Dclose(data);
    }
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

static bool has_bridges(const RunHeader *header) {
    bool any = false;
    for (size_t i = 0; i < header->laws.rows.count; i++) {
        any = any || header->laws.bridge_volume[i] != 0 || header->laws.bridge_tension[i] != 0 ||
              header->laws.bridge_angle[i] != 0;
    }
    return any;
}

/* The oldest that says all. */
static int32_t version_of(const RunHeader *header) {
    if (header->growing) {
        return RUN_GROWTH_VERSION;
    }
    if (has_bridges(header)) {
        return RUN_BRIDGES_VERSION;
    }
    if (header->bonds) {
        return RUN_BONDS_VERSION;
    }
    if (header->plates) {
        return RUN_PLATES_VERSION;
    }
    for (size_t i = 0; i < header->wall.rows.count; i++) {
        if (header->wall.shape[i] == SCREE_WALL_HOLDER) {
            return RUN_HOLDER_VERSION;
        }
    }
    return header->changing || header->gates.count > 0 ? RUN_CHANGING_VERSION : RUN_STEADY_VERSION;
}

static bool write_header(hid_t file, const RunHeader *header, uint64_t mark) {
    const int32_t version = version_of(header);
    const int32_t changing = header->changing, plates = header->plates, bonds = header->bonds;
    const int32_t growing = header->growing;
    const char *program = scree_get_version();
    return write_text_attribute(file, "format", RUN_FORMAT_NAME) &&
           write_attribute(file, "version", H5T_NATIVE_INT32, 1, &version) &&
           (version <= RUN_STEADY_VERSION ||
            write_attribute(file, "changing", H5T_NATIVE_INT32, 1, &changing)) &&
           (version < RUN_PLATES_VERSION ||
            write_attribute(file, "plates", H5T_NATIVE_INT32, 1, &plates)) &&
           (version < RUN_BONDS_VERSION ||
            write_attribute(file, "bonds", H5T_NATIVE_INT32, 1, &bonds)) &&
           (version < RUN_GROWTH_VERSION ||
            write_attribute(file, "growing", H5T_NATIVE_INT32, 1, &growing)) &&
           write_text_attribute(file, "program", program) &&
           write_attribute(file, "identity", H5T_NATIVE_UINT64, 1, &header->identity) &&
           write_attribute(file, "mark", H5T_NATIVE_UINT64, 1, &mark) &&
           write_attribute(file, "dimension", H5T_NATIVE_INT32, 1, &header->dimension) &&
           write_attribute(file, "engine", H5T_NATIVE_INT32, 1, &header->engine) &&
           write_attribute(file, "method", H5T_NATIVE_INT32, 1, &header->method) &&
           write_attribute(file, "tolerance", H5T_NATIVE_DOUBLE, 1, &header->tolerance) &&
           write_attribute(file, "time_step", H5T_NATIVE_DOUBLE, 1, &header->time_step) &&
           write_attribute(file, "theta", H5T_NATIVE_DOUBLE, 1, &header->theta) &&
           write_attribute(file, "gravity", H5T_NATIVE_DOUBLE, 3, header->gravity) &&
           write_attribute(file, "periodic", H5T_NATIVE_INT32, 3, header->periodic) &&
           write_attribute(file, "cell_min", H5T_NATIVE_DOUBLE, 3, header->cell_min) &&
           write_attribute(file, "cell_max", H5T_NATIVE_DOUBLE, 3, header->cell_max) &&
           write_text(file, "scene/name", header->scene_name, strlen(header->scene_name)) &&
           write_text(file, "scene/text", header->scene_text, header->scene_size) &&
           write_names(file, "scene/overrides", &header->overrides) &&
           write_names(file, "materials/name", &header->materials) &&
           (header->colours.count == 0 ||
            write_names(file, "materials/colour", &header->colours)) &&
           write_names(file, "walls/name", &header->walls);
}

static bool make_groups(hid_t file) {
    static const char *const names[] = {
        "scene",          "materials",     "laws",         "shapes",          "shapes/parts",
        "shapes/corners", "shapes/faces",  "shapes/loops", "bodies",          "walls",
        "frames",         "frames/bodies", "frames/walls", "frames/contacts", "frames/search",
        "frames/cell",    "steps"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hid_t group = H5Gcreate2(file, names[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0) {
            return false;
        }
        H5Gclose(group);
    }
    return true;
}

/* An extendable, chunked dataset, empty along its first dimension. */
static hid_t make_dataset(hid_t file, const char *name, hid_t type, int rank, const hsize_t *most,
                          const hsize_t *chunk, bool compressed) {
    hsize_t size[3] = {0, most[1], most[2]};
    hsize_t limit[3] = {H5S_UNLIMITED, 1, 1};
    for (int i = 1; i < rank; i++) {
        limit[i] = most[i] > 0 ? most[i] : 1; /* without walls the rows are empty */
    }
    hid_t space = H5Screate_simple(rank, size, limit);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t data = H5I_INVALID_HID;
    if (H5Pset_chunk(creation, rank, chunk) >= 0 &&
        (!compressed ||
         (H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, DEFLATE_LEVEL) >= 0))) {
        data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    }
    H5Pclose(creation);
    H5Sclose(space);
    return data;
}

/* Datasets of one table. With `per_frame` rows run along the second dimension, otherwise along the
 * first. */
static bool make_table(RunWriter *writer, RunTableId id, bool per_frame, hsize_t rows,
                       RunChunk chunk) {
    const RunTable *table = run_table(id);
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        char name[96];
        snprintf(name, sizeof name, "%s/%s", table->group, field->name);
        hsize_t width = (hsize_t)field->width;
        hsize_t most[3] = {0, per_frame ? rows : width, width};
        hsize_t size[3] = {per_frame ? chunk.frames : chunk.rows, per_frame ? chunk.rows : width,
                           width};
        int rank = 1 + (per_frame ? 1 : 0) + (field->width > 1 ? 1 : 0);
        hid_t data = make_dataset(writer->file, name, run_file_type(field->type), rank, most, size,
                                  chunk.compressed);
        if (data < 0 || !write_text_attribute(data, "dimension", field->dimension) ||
            !write_text_attribute(data, "meaning", field->meaning)) {
            return false;
        }
        writer->column[id][i] = data;
    }
    return true;
}

static bool write_constants(hid_t file, RunTableId id, const void *rows) {
    const RunTable *table = run_table(id);
    const RunRows *head = rows;
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        char name[96];
        snprintf(name, sizeof name, "%s/%s", table->group, field->name);
        hsize_t size[2] = {head->count, (hsize_t)field->width};
        hid_t space = H5Screate_simple(field->width > 1 ? 2 : 1, size, NULL);
        hid_t data = H5Dcreate2(file, name, run_file_type(field->type), space, H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT);
        bool ok =
            data >= 0 && write_text_attribute(data, "dimension", field->dimension) &&
            write_text_attribute(data, "meaning", field->meaning) &&
            (head->count == 0 || H5Dwrite(data, run_memory_type(field->type), H5S_ALL, H5S_ALL,
                                          H5P_DEFAULT, run_rows_field(rows, field)) >= 0);
        if (data >= 0) {
            H5Dclose(data);
        }
        H5Sclose(space);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* Only where the scene measures something, since there are many columns. */
static bool make_series(RunWriter *writer, const RunHeader *header) {
    static const char *const names[] = {"measures", "measures/rows"};
    for (size_t i = 0; header->series.count > 0 && i < 2; i++) {
        hid_t group = H5Gcreate2(writer->file, names[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0) {
            return false;
        }
        H5Gclose(group);
    }
    return header->series.count == 0 ||
           (write_names(writer->file, "measures/name", &header->series) &&
            write_constants(writer->file, RUN_SERIES, &header->series_of) &&
            make_table(writer, RUN_RECORDS, false, 0, (RunChunk){1, FRAME_CHUNK, false}));
}

/* Only where the scene has inlets or outlets. */
static bool make_gates(RunWriter *writer, const RunHeader *header, RunChunk chunk) {
    static const char *const names[] = {"gates", "gates/steps"};
    for (size_t i = 0; header->gates.count > 0 && i < 2; i++) {
        hid_t group = H5Gcreate2(writer->file, names[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0) {
            return false;
        }
        H5Gclose(group);
    }
    chunk.rows *= header->gates.count;
    return header->gates.count == 0 || (write_names(writer->file, "gates/name", &header->gates) &&
                                        write_constants(writer->file, RUN_GATES, &header->gate) &&
                                        make_table(writer, RUN_GATE_ROWS, false, 0, chunk));
}

/* Bodies with rows for each frame, or with rows that follow one another and say whose they are. */
static bool make_bodies(RunWriter *writer, const RunHeader *header, const RunChunks *chunks) {
    const hsize_t most[3] = {0, RUN_FLOW_WIDTH, 1}, chunk[3] = {FRAME_CHUNK, RUN_FLOW_WIDTH, 1};
    if (!writer->changing) {
        return write_constants(writer->file, RUN_BODY_CONSTANTS, &header->body) &&
               make_table(writer, RUN_BODIES, true, writer->body_count, chunks->bodies);
    }
    writer->flow = make_dataset(writer->file, "frames/flow", H5T_STD_I64LE, 2, most, chunk, false);
    return writer->flow >= 0 &&
           make_table(writer, RUN_BODY_CONSTANTS, false, 0, (RunChunk){1, SEARCH_CHUNK, false}) &&
           make_table(writer, RUN_BODIES, false, 0, chunks->bodies) &&
           make_table(writer, RUN_IDENTITIES, false, 0, chunks->bodies);
}

/* What moves walls, and who is held: rows like those of walls and bodies. */
static bool make_plates(RunWriter *writer, const RunChunks *chunks) {
    const bool changing = writer->changing;
    return !writer->plates ||
           (make_table(writer, RUN_WALL_DRIVES, true, writer->wall_count, chunks->walls) &&
            make_table(writer, RUN_HOLDERS, !changing, changing ? 0 : writer->body_count,
                       chunks->bodies));
}

/* How large bodies are: rows like theirs. */
static bool make_sizes(RunWriter *writer, const RunChunks *chunks) {
    const bool changing = writer->changing;
    return !writer->growing || make_table(writer, RUN_SIZES, !changing,
                                          changing ? 0 : writer->body_count, chunks->bodies);
}

/* What is bonded: rows like those of bodies and contacts. */
static bool make_bonds(RunWriter *writer, const RunChunks *chunks) {
    const bool changing = writer->changing;
    return !writer->bonds || (make_table(writer, RUN_FRAGMENTS, !changing,
                                         changing ? 0 : writer->body_count, chunks->bodies) &&
                              make_table(writer, RUN_BONDS, false, 0, chunks->contacts));
}

/* Only where walls are made of triangles. */
static bool write_meshes(hid_t file, const RunHeader *header) {
    static const char *const names[] = {"meshes", "meshes/vertices", "meshes/triangles",
                                        "meshes/walls"};
    if (header->mesh.rows.count == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hid_t group = H5Gcreate2(file, names[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0) {
            return false;
        }
        H5Gclose(group);
    }
    return write_constants(file, RUN_MESHES, &header->mesh) &&
           write_constants(file, RUN_MESH_VERTICES, &header->mesh_vertex) &&
           write_constants(file, RUN_MESH_TRIANGLES, &header->mesh_triangle) &&
           write_constants(file, RUN_MESH_WALLS, &header->mesh_wall);
}

static bool make_frame_datasets(RunWriter *writer) {
    hid_t file = writer->file;
    const hsize_t most[3] = {0, RUN_INDEX_WIDTH, 1}, chunk[3] = {FRAME_CHUNK, RUN_INDEX_WIDTH, 1};
    const hsize_t single[3] = {1, 1, 1};
    writer->time = make_dataset(file, "frames/time", H5T_IEEE_F64LE, 1, most, chunk, false);
    writer->step = make_dataset(file, "frames/step", H5T_STD_I64LE, 1, most, chunk, false);
    writer->index = make_dataset(file, "frames/index", H5T_STD_I64LE, 2, most, chunk, false);
    writer->ending = make_dataset(file, "ending", H5T_STD_I32LE, 1, most, single, false);
    return writer->time >= 0 && writer->step >= 0 && writer->index >= 0 && writer->ending >= 0;
}

bool run_create_content(RunWriter *writer, const RunHeader *header, RunChunks chunks,
                        IoError *error) {
    hid_t file = writer->file;
    bool ok = make_groups(file) && write_header(file, header, writer->mark) &&
              make_bodies(writer, header, &chunks) &&
              write_constants(file, RUN_WALL_CONSTANTS, &header->wall) &&
              write_constants(file, RUN_SHAPES, &header->shape) &&
              write_constants(file, RUN_SHAPE_PARTS, &header->shape_part) &&
              write_constants(file, RUN_SHAPE_CORNERS, &header->shape_corner) &&
              write_constants(file, RUN_SHAPE_FACES, &header->shape_face) &&
              write_constants(file, RUN_SHAPE_LOOPS, &header->shape_loop) &&
              write_meshes(file, header) && write_constants(file, RUN_LAWS, &header->laws) &&
              make_table(writer, RUN_WALLS, true, writer->wall_count, chunks.walls) &&
              make_plates(writer, &chunks) && make_sizes(writer, &chunks) &&
              make_table(writer, RUN_CONTACTS, false, 0, chunks.contacts) &&
              make_bonds(writer, &chunks) &&
              make_table(writer, RUN_STEPS, false, 0, chunks.steps) &&
              make_table(writer, RUN_SEARCH, false, 0, (RunChunk){1, SEARCH_CHUNK, false}) &&
              make_table(writer, RUN_CELL, false, 0, (RunChunk){1, CELL_CHUNK, false}) &&
              make_series(writer, header) && make_gates(writer, header, chunks.steps) &&
              make_frame_datasets(writer);
    return ok || hdf5_error(error, IO_FAILED, writer->path, "cannot create the run file");
}
