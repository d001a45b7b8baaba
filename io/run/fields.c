/* The field lists as data, and rows of them in memory. */
#include "io/run/fields.h"

#include <stdlib.h>
#include <string.h>

/* ROWS is the struct whose fields are listed. */
#define FIELD(type, name, width, dimension, meaning)                                               \
    {#name, RUN_TYPE_##type, width, offsetof(ROWS, name), dimension, meaning},
#define SINGLE_FIELD(type, name, dimension, meaning) FIELD(type, name, 1, dimension, meaning)
#define LAW_FIELD(name, dimension, preset, meaning)  FIELD(double, name, 1, dimension, meaning)

#define ROWS RunBodyConstants
static const RunField body_constant_fields[] = {RUN_BODY_CONSTANT_MAP(FIELD)};
#undef ROWS

#define ROWS RunWallConstants
static const RunField wall_constant_fields[] = {RUN_WALL_CONSTANT_MAP(FIELD)};
#undef ROWS

#define ROWS RunShapes
static const RunField shape_fields[] = {RUN_SHAPE_MAP(FIELD)};
#undef ROWS

#define ROWS RunShapeParts
static const RunField shape_part_fields[] = {RUN_SHAPE_PART_MAP(FIELD)};
#undef ROWS

#define ROWS RunShapeCorners
static const RunField shape_corner_fields[] = {RUN_SHAPE_CORNER_MAP(FIELD)};
#undef ROWS

#define ROWS RunShapeFaces
static const RunField shape_face_fields[] = {RUN_SHAPE_FACE_MAP(FIELD)};
#undef ROWS

#define ROWS RunShapeLoops
static const RunField shape_loop_fields[] = {RUN_SHAPE_LOOP_MAP(FIELD)};
#undef ROWS

#define ROWS RunMeshes
static const RunField mesh_fields[] = {RUN_MESH_MAP(FIELD)};
#undef ROWS

#define ROWS RunMeshVertices
static const RunField mesh_vertex_fields[] = {RUN_MESH_VERTEX_MAP(FIELD)};
#undef ROWS

#define ROWS RunMeshTriangles
static const RunField mesh_triangle_fields[] = {RUN_MESH_TRIANGLE_MAP(FIELD)};
#undef ROWS

#define ROWS RunMeshWalls
static const RunField mesh_wall_fields[] = {RUN_MESH_WALL_MAP(FIELD)};
#undef ROWS

#define ROWS RunLaws
static const RunField law_fields[] = {RUN_PAIR_MAP(FIELD) SCREE_LAW_MAP(LAW_FIELD)};
#undef ROWS

#define ROWS RunBodies
static const RunField body_fields[] = {RUN_BODY_MAP(FIELD)};
#undef ROWS

#define ROWS RunIdentities
static const RunField identity_fields[] = {RUN_IDENTITY_MAP(FIELD)};
#undef ROWS

#define ROWS RunGates
static const RunField gate_fields[] = {RUN_GATE_MAP(FIELD)};
#undef ROWS

#define ROWS RunGateRows
static const RunField gate_row_fields[] = {RUN_GATE_ROW_MAP(FIELD)};
#undef ROWS

#define ROWS RunWalls
static const RunField wall_fields[] = {RUN_WALL_MAP(FIELD)};
#undef ROWS

#define ROWS RunWallDrives
static const RunField wall_drive_fields[] = {RUN_WALL_DRIVE_MAP(FIELD)};
#undef ROWS

#define ROWS RunHolders
static const RunField holder_fields[] = {RUN_HOLDER_MAP(FIELD)};
#undef ROWS

#define ROWS RunSizes
static const RunField size_fields[] = {RUN_SIZE_MAP(FIELD)};
#undef ROWS

#define ROWS RunFragments
static const RunField fragment_fields[] = {RUN_FRAGMENT_MAP(FIELD)};
#undef ROWS

#define ROWS RunBonds
static const RunField bond_fields[] = {RUN_BOND_MAP(FIELD)};
#undef ROWS

#define ROWS RunContacts
static const RunField contact_fields[] = {RUN_CONTACT_MAP(FIELD)};
#undef ROWS

#define ROWS RunSteps
static const RunField step_fields[] = {SCREE_REPORT_MAP(SINGLE_FIELD)};
#undef ROWS

#define ROWS RunSearch
static const RunField search_fields[] = {SCREE_SEARCH_CHOICE_MAP(SINGLE_FIELD)};
#undef ROWS

#define ROWS RunCell
static const RunField cell_fields[] = {RUN_CELL_MAP(FIELD)};
#undef ROWS

#define ROWS RunSeries
static const RunField series_fields[] = {RUN_SERIES_MAP(FIELD)};
#undef ROWS

#define ROWS RunRecords
static const RunField record_fields[] = {RUN_RECORD_MAP(SINGLE_FIELD)
                                             SCREE_MEASURE_MAP(SINGLE_FIELD)};
#undef ROWS

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const RunTable tables[RUN_TABLE_COUNT] = {
    [RUN_BODY_CONSTANTS] = {"bodies", body_constant_fields, COUNT(body_constant_fields)},
    [RUN_WALL_CONSTANTS] = {"walls", wall_constant_fields, COUNT(wall_constant_fields)},
    [RUN_SHAPES] = {"shapes", shape_fields, COUNT(shape_fields)},
    [RUN_SHAPE_PARTS] = {"shapes/parts", shape_part_fields, COUNT(shape_part_fields)},
    [RUN_SHAPE_CORNERS] = {"shapes/corners", shape_corner_fields, COUNT(shape_corner_fields)},
    [RUN_SHAPE_FACES] = {"shapes/faces", shape_face_fields, COUNT(shape_face_fields)},
    [RUN_SHAPE_LOOPS] = {"shapes/loops", shape_loop_fields, COUNT(shape_loop_fields)},
    [RUN_MESHES] = {"meshes", mesh_fields, COUNT(mesh_fields)},
    [RUN_MESH_VERTICES] = {"meshes/vertices", mesh_vertex_fields, COUNT(mesh_vertex_fields)},
    [RUN_MESH_TRIANGLES] = {"meshes/triangles", mesh_triangle_fields, COUNT(mesh_triangle_fields)},
    [RUN_MESH_WALLS] = {"meshes/walls", mesh_wall_fields, COUNT(mesh_wall_fields)},
    [RUN_LAWS] = {"laws", law_fields, COUNT(law_fields)},
    [RUN_BODIES] = {"frames/bodies", body_fields, COUNT(body_fields)},
    [RUN_IDENTITIES] = {"frames/bodies", identity_fields, COUNT(identity_fields)},
    [RUN_GATES] = {"gates", gate_fields, COUNT(gate_fields)},
    [RUN_GATE_ROWS] = {"gates/steps", gate_row_fields, COUNT(gate_row_fields)},
    [RUN_WALLS] = {"frames/walls", wall_fields, COUNT(wall_fields)},
    [RUN_WALL_DRIVES] = {"frames/walls", wall_drive_fields, COUNT(wall_drive_fields)},
    [RUN_HOLDERS] = {"frames/bodies", holder_fields, COUNT(holder_fields)},
    [RUN_SIZES] = {"frames/bodies", size_fields, COUNT(size_fields)},
    [RUN_FRAGMENTS] = {"frames/bodies", fragment_fields, COUNT(fragment_fields)},
    [RUN_CONTACTS] = {"frames/contacts", contact_fields, COUNT(contact_fields)},
    [RUN_BONDS] = {"frames/contacts", bond_fields, COUNT(bond_fields)},
    [RUN_STEPS] = {"steps", step_fields, COUNT(step_fields)},
    [RUN_SEARCH] = {"frames/search", search_fields, COUNT(search_fields)},
    [RUN_CELL] = {"frames/cell", cell_fields, COUNT(cell_fields)},
    [RUN_SERIES] = {"measures", series_fields, COUNT(series_fields)},
    [RUN_RECORDS] = {"measures/rows", record_fields, COUNT(record_fields)},
};

_Static_assert(sizeof(step_fields) / sizeof(step_fields)[0] <= RUN_FIELDS_MAX,
               "RUN_FIELDS_MAX is too small");

_Static_assert(sizeof(record_fields) / sizeof(record_fields)[0] <= RUN_FIELDS_MAX,
               "RUN_FIELDS_MAX is too small");

const RunTable *run_table(RunTableId id) {
    return &tables[id];
}

size_t run_type_size(RunType type) {
    return type == RUN_TYPE_int32_t ? sizeof(int32_t) : 8;
}

/* Pointers of different types are copied as bytes, which is allowed for all of them. */
void *run_rows_field(const void *rows, const RunField *field) {
    void *pointer = NULL;
    memcpy(&pointer, (const char *)rows + field->offset, sizeof pointer);
    return pointer;
}

static void set_field(void *rows, const RunField *field, void *pointer) {
    memcpy((char *)rows + field->offset, &pointer, sizeof pointer);
}

bool run_rows_resize(RunTableId id, void *rows, size_t count) {
    RunRows *head = rows;
    const RunTable *table = &tables[id];
    if (count > head->capacity) {
        size_t capacity = head->capacity + head->capacity / 2;
        capacity = capacity < count ? count : capacity;
        if (capacity > SIZE_MAX / 64) {
            return false;
        }
        for (int i = 0; i < table->field_count; i++) {
            const RunField *field = &table->fields[i];
            size_t row = run_type_size(field->type) * (size_t)field->width;
            void *larger = realloc(run_rows_field(rows, field), capacity * row);
            if (larger == NULL) {
                return false; /* the arrays that have grown already keep their old capacity */
            }
            set_field(rows, field, larger);
        }
        head->capacity = capacity;
    }
    head->count = count;
    return true;
}

void run_rows_free(RunTableId id, void *rows) {
    const RunTable *table = &tables[id];
    for (int i = 0; i < table->field_count; i++) {
        free(run_rows_field(rows, &table->fields[i]));
        set_field(rows, &table->fields[i], NULL);
    }
    RunRows *head = rows;
    head->count = head->capacity = 0;
}

void run_frame_free(RunFrame *frame) {
    run_rows_free(RUN_BODIES, &frame->bodies);
    run_rows_free(RUN_IDENTITIES, &frame->who);
    run_rows_free(RUN_BODY_CONSTANTS, &frame->body);
    run_rows_free(RUN_WALLS, &frame->walls);
    run_rows_free(RUN_WALL_DRIVES, &frame->drives);
    run_rows_free(RUN_HOLDERS, &frame->holders);
    run_rows_free(RUN_SIZES, &frame->sizes);
    run_rows_free(RUN_FRAGMENTS, &frame->fragments);
    run_rows_free(RUN_BONDS, &frame->bonds);
    run_rows_free(RUN_CONTACTS, &frame->contacts);
    run_rows_free(RUN_SEARCH, &frame->search);
    run_rows_free(RUN_CELL, &frame->cell);
    memset(frame, 0, sizeof *frame);
}

/* Copied one by one into the columns and out of them, by the lists of the public header. */
#define INTO(type, name, dimension, meaning)         rows->name[index] = one->name;
#define OUT_OF(type, name, dimension, meaning)       one.name = rows->name[index];
#define LAW_INTO(name, dimension, preset, meaning)   INTO(double, name, dimension, meaning)
#define LAW_OUT_OF(name, dimension, preset, meaning) OUT_OF(double, name, dimension, meaning)

void run_steps_set(RunSteps *rows, size_t index, const ScreeReport *one) {
    SCREE_REPORT_MAP(INTO);
}

ScreeReport run_steps_get(const RunSteps *rows, size_t index) {
    ScreeReport one;
    SCREE_REPORT_MAP(OUT_OF);
    return one;
}

void run_records_set(RunRecords *rows, size_t index, const ScreeMeasures *one) {
    SCREE_MEASURE_MAP(INTO);
}

ScreeMeasures run_records_get(const RunRecords *rows, size_t index) {
    ScreeMeasures one;
    SCREE_MEASURE_MAP(OUT_OF);
    return one;
}

void run_search_set(RunSearch *rows, const ScreeSearchReport *one) {
    const size_t index = 0;
    SCREE_SEARCH_CHOICE_MAP(INTO);
}

ScreeSearchReport run_search_get(const RunSearch *rows) {
    const size_t index = 0;
    ScreeSearchReport one = {0};
    SCREE_SEARCH_CHOICE_MAP(OUT_OF);
    return one;
}

void run_laws_set(RunLaws *rows, size_t index, const ScreeLaw *one) {
    SCREE_LAW_MAP(LAW_INTO);
}

ScreeLaw run_laws_get(const RunLaws *rows, size_t index) {
    ScreeLaw one;
    SCREE_LAW_MAP(LAW_OUT_OF);
    return one;
}
