/* Everything that a run file stores, each field once: X(type, name, width, dimension, meaning).
 * From these lists come the structs in memory, the datasets that are written and read, and the
 * columns of docs/run-file.md, so that they cannot diverge. The columns of the steps are those of
 * SCREE_REPORT_MAP. */
#ifndef SCREE_IO_RUN_FIELDS_H
#define SCREE_IO_RUN_FIELDS_H

#include <scree/scree.h>

/* What stays the same for a body as long as it is there. */
#define RUN_BODY_CONSTANT_MAP(X)                                                                   \
    X(double, radius, 1, "length", "radius")                                                       \
    X(double, mass, 1, "mass", "mass")                                                             \
    X(double, inertia, 1, "mass length^2", "moment of inertia")                                    \
    X(int32_t, material, 1, "1", "number of its material")                                         \
    X(int32_t, shape, 1, "1", "number of its shape; -1: round")                                    \
    X(int32_t, frozen, 1, "1", "what no force may change: bits of x, y, z and turns about them")

/* Shapes, the parts of all of them one after another, and the corners of all parts: those of
 * polygons in two dimensions, the vertices of polyhedra in three. Only these have faces. */
#define RUN_SHAPE_MAP(X)                                                                           \
    X(int64_t, part_end, 1, "1", "parts up to and with this shape")                                \
    X(double, area, 1, "length^2", "area; of a solid 0")                                           \
    X(double, gyration, 1, "length^2", "inertia about the centroid over mass; of a solid 0")       \
    X(double, radius, 1, "length", "of the circle or ball about the centroid that holds it")       \
    X(double, centroid, 3, "length", "in the coordinates of its definition")                       \
    X(double, volume, 1, "length^3", "of a solid; else 0")                                         \
    X(double, moments, 3, "length^2", "of a solid: principal moments of inertia over mass")        \
    X(double, axes, 4, "1", "of a solid: quaternion that turns x, y, z into its principal axes")

#define RUN_SHAPE_PART_MAP(X)                                                                      \
    X(int64_t, corner_end, 1, "1", "corners up to and with this part")                             \
    X(double, rounding, 1, "length",                                                               \
      "the part is all points so near to its polygon or polyhedron")                               \
    X(int64_t, face_end, 1, "1", "faces up to and with this part")                                 \
    X(int32_t, kind, 1, "1", "0 polygon or polyhedron, 1 ellipsoid, 2 cylinder or cone, 3 NURBS")  \
    X(double, form, 2, "1 or length",                                                              \
      "exponents of an ellipsoid, radii of a cylinder or cone, degrees of a NURBS surface")

#define RUN_SHAPE_CORNER_MAP(X)                                                                    \
    X(double, position, 3, "length", "from the centroid; of a polygon counterclockwise, z is 0")   \
    X(double, weight, 1, "1", "of a control point of a NURBS surface; else 1")

#define RUN_SHAPE_FACE_MAP(X)                                                                      \
    X(int64_t, loop_end, 1, "1", "corners of faces up to and with this face")

#define RUN_SHAPE_LOOP_MAP(X)                                                                      \
    X(int32_t, vertex, 1, "1", "a corner of its part, from 0; counterclockwise seen from outside")

/* What stays the same for a wall during the whole run. */
#define RUN_WALL_CONSTANT_MAP(X)                                                                   \
    X(int32_t, shape, 1, "1",                                                                      \
      "0 plane, 1 segment, 2 block, 3 cylinder, 4 mesh, 5 cone, 6 plate, 7 holder")                \
    X(int32_t, inside, 1, "1", "cylinder: 1 when the grains are within")                           \
    X(double, half, 3, "length", "block, plate: half sides")                                       \
    X(double, radius, 1, "length", "cylinder: radius; cone: about its point; plate: of its holes") \
    X(double, length, 1, "length", "cylinder: length, 0 when endless; cone: from rim to rim")      \
    X(double, end_radius, 1, "length", "cone: of its other rim")                                   \
    X(int32_t, holes, 2, "1", "plate: how many along its x and y")                                 \
    X(double, spacing, 2, "length", "plate: from hole to hole along its x and y")                  \
    X(int32_t, motion, 1, "1", "at the start: 0 fixed, 1 moved, 2 piston")                         \
    X(int32_t, material, 1, "1", "number of its material; -1: as the grain that touches it")       \
    X(double, direction, 3, "1", "piston: unit vector along which it is free")

/* Walls of triangles: the surfaces, each once, and which of them a wall has. */
#define RUN_MESH_MAP(X)                                                                            \
    X(int64_t, vertex_end, 1, "1", "vertices up to and with this mesh")                            \
    X(int64_t, triangle_end, 1, "1", "triangles up to and with this mesh")

#define RUN_MESH_VERTEX_MAP(X)                                                                     \
    X(double, position, 3, "length",                                                               \
      "in the frame of the mesh, which a wall moves by its point "                                 \
      "and turns by its orientation")

#define RUN_MESH_TRIANGLE_MAP(X)                                                                   \
    X(int32_t, corner, 3, "1", "vertices of its mesh, from 0")                                     \
    X(int32_t, part, 1, "1", "number of the part that it belongs to")

#define RUN_MESH_WALL_MAP(X)                                                                       \
    X(int32_t, mesh, 1, "1", "number of the wall's mesh; -1: it has none")                         \
    X(int32_t, part, 1, "1", "number of the part that is this wall; -1: all")

/* The law of a pair of materials at the start of the run: which pair, then the numbers of
 * SCREE_LAW_MAP. */
#define RUN_PAIR_MAP(X)                                                                            \
    X(int32_t, first, 1, "1", "number of a material")                                              \
    X(int32_t, second, 1, "1", "number of the other, at least the first")

/* Bodies of one frame. */
#define RUN_BODY_MAP(X)                                                                            \
    X(double, position, 3, "length", "centre")                                                     \
    X(double, orientation, 4, "1", "unit quaternion w, x, y, z")                                   \
    X(double, velocity, 3, "length/time", "of the centre")                                         \
    X(double, spin, 3, "1/time", "angular velocity")

/* Walls of one frame. */
#define RUN_WALL_MAP(X)                                                                            \
    X(int32_t, present, 1, "1", "0 once removed")                                                  \
    X(double, position, 3, "length", "of the pivot")                                               \
    X(double, displacement, 3, "length", "of the pivot since the wall was made")                   \
    X(double, velocity, 3, "length/time", "of the pivot")                                          \
    X(double, spin, 3, "1/time", "about the pivot")                                                \
    X(double, load, 3, "force", "of the grains on the wall during the last step")                  \
    X(double, load_torque, 3, "force length", "the same, about the pivot")                         \
    X(double, point, 3, "length", "geometry: point of the plane, start, centre")                   \
    X(double, normal, 3, "1", "geometry: plane")                                                   \
    X(double, end, 3, "length", "geometry: segment")                                               \
    X(double, axis, 3, "1", "geometry: cylinder, cone")                                            \
    X(double, orientation, 4, "1", "geometry: block, mesh, plate")

/* Only where walls hold bodies or are pistons: what moves walls, and who is held, in one frame. */
#define RUN_WALL_DRIVE_MAP(X)                                                                      \
    X(int32_t, motion, 1, "1", "0 fixed, 1 moved, 2 piston")                                       \
    X(double, mass, 1, "mass", "of a piston; else 0")                                              \
    X(double, direction, 3, "1", "piston: unit vector along which it is free")

#define RUN_HOLDER_MAP(X)                                                                          \
    X(int32_t, holder, 1, "1", "number of the wall that holds the body; -1: none does")

/* Only where bodies may grow or shrink, in the place of their constants: their sizes in one frame. */
#define RUN_SIZE_MAP(X)                                                                            \
    X(double, radius, 1, "length", "radius")                                                       \
    X(double, mass, 1, "mass", "mass")                                                             \
    X(double, inertia, 1, "mass length^2", "moment of inertia")

/* Only where bodies may be bonded: the fragments that they are parts of, in one frame. */
#define RUN_FRAGMENT_MAP(X)                                                                        \
    X(int32_t, fragment, 1, "1",                                                                   \
      "the lowest number, or identity, of the bodies that bonds hold together with it")

/* Likewise, rows as those of the contacts of a frame: their bonds. */
#define RUN_BOND_MAP(X)                                                                            \
    X(int64_t, bond, 1, "1", "number of the bond of the two bodies; -1: they have none")           \
    X(double, bond_load, 1, "1", "load of the bond, which breaks at 1; else 0")                    \
    X(double, bond_tension, 1, "force", "its strength to tension; else 0")                         \
    X(double, bond_shear, 1, "force", "to shear")                                                  \
    X(double, bond_bending, 1, "force length", "to bending")                                       \
    X(double, bond_torsion, 1, "force length", "to torsion")

/* Only in runs in which bodies come and go: which of them the rows of a frame are. */
#define RUN_IDENTITY_MAP(X)                                                                        \
    X(int32_t, identity, 1, "1", "row of its constants: how many bodies had been added before")

/* What has passed the inlets and outlets of a scene: what they are, and one row for each of them and
 * each step. */
#define RUN_GATE_MAP(X) X(int32_t, kind, 1, "1", "0 inlet, 1 outlet")

#define RUN_GATE_ROW_MAP(X)                                                                        \
    X(int64_t, number, 1, "1", "of grains that have passed since the start")                       \
    X(double, mass, 1, "mass", "of these grains")                                                  \
    X(int64_t, waiting, 1, "1", "grains that are due at an inlet and find no room")

/* What the neighbour search has chosen, one row per frame: SCREE_SEARCH_CHOICE_MAP. */

/* Contacts and candidates of one frame. */
#define RUN_CONTACT_MAP(X)                                                                         \
    X(int32_t, a, 1, "1", "body")                                                                  \
    X(int32_t, b, 1, "1", "body, or wall w as -1 - w")                                             \
    X(int32_t, feature, 1, "1", "which of several points of the pair")                             \
    X(int32_t, state, 1, "1", "0 open, 1 stick, 2 slip")                                           \
    X(double, point, 3, "length", "midway between the surfaces")                                   \
    X(double, normal, 3, "1", "unit, from a to b")                                                 \
    X(double, gap, 1, "length", "at the start of the step, negative is overlap")                   \
    X(double, force_normal, 1, "force", "mean over the step, pushes apart; negative pulls")        \
    X(double, force_tangential, 3, "force", "mean over the step, on b")                            \
    X(double, torque, 3, "force length", "of rolling and torsion friction, mean, on b")            \
    X(double, opening, 1, "length",                                                                \
      "of a cohesive bond, or the gap of a liquid bridge; negative: there is neither")

/* What the scene measures while it runs (docs/measures.md): where and how often, one row for each
 * series; and the numbers, one row each time. */
#define RUN_SERIES_MAP(X)                                                                          \
    X(int64_t, every, 1, "1", "steps between measures")                                            \
    X(double, min, 3, "length", "of the region; infinite: without bound")                          \
    X(double, max, 3, "length", "of the region")                                                   \
    X(int32_t, least_contacts, 1, "1", "a body with fewer partners is a rattler")

/* The periodic cell, one row per frame; matrices row by row. */
#define RUN_CELL_MAP(X)                                                                            \
    X(double, edge, 9, "length", "its three edges, one after another; zero: not periodic")         \
    X(double, rate, 9, "1/time", "of its deformation")                                             \
    X(double, strain, 9, "1", "the rate integrated over time")                                     \
    X(double, stress, 9, "stress",                                                                 \
      "mean over the step, of a cell that deforms; compression is positive")

#define RUN_RECORD_MAP(X)                                                                          \
    X(int32_t, series, "1", "number of the series")                                                \
    X(int64_t, step, "1", "steps made")                                                            \
    X(double, time, "time", "time")

/* The rows of a table in memory: `count` of them in use, each field an array of count * width. */
typedef struct RunRows {
    size_t count, capacity;
} RunRows;

#define RUN_POINTER(type, name, width, dimension, meaning) type *name;
#define RUN_STEP_POINTER(type, name, dimension, meaning)   type *name;
#define RUN_LAW_POINTER(name, dimension, preset, meaning)  double *name;

#define RUN_TABLE_STRUCT(Name, ...)                                                                \
    typedef struct Name {                                                                          \
        RunRows rows;                                                                              \
        __VA_ARGS__                                                                                \
    } Name

RUN_TABLE_STRUCT(RunBodyConstants, RUN_BODY_CONSTANT_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunWallConstants, RUN_WALL_CONSTANT_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunShapes, RUN_SHAPE_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunShapeParts, RUN_SHAPE_PART_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunShapeCorners, RUN_SHAPE_CORNER_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunShapeFaces, RUN_SHAPE_FACE_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunShapeLoops, RUN_SHAPE_LOOP_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunMeshes, RUN_MESH_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunMeshVertices, RUN_MESH_VERTEX_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunMeshTriangles, RUN_MESH_TRIANGLE_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunMeshWalls, RUN_MESH_WALL_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunLaws, RUN_PAIR_MAP(RUN_POINTER) SCREE_LAW_MAP(RUN_LAW_POINTER));
RUN_TABLE_STRUCT(RunBodies, RUN_BODY_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunIdentities, RUN_IDENTITY_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunGates, RUN_GATE_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunGateRows, RUN_GATE_ROW_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunWalls, RUN_WALL_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunWallDrives, RUN_WALL_DRIVE_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunHolders, RUN_HOLDER_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunSizes, RUN_SIZE_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunFragments, RUN_FRAGMENT_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunBonds, RUN_BOND_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunContacts, RUN_CONTACT_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunSearch, SCREE_SEARCH_CHOICE_MAP(RUN_STEP_POINTER));
RUN_TABLE_STRUCT(RunCell, RUN_CELL_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunSeries, RUN_SERIES_MAP(RUN_POINTER));
RUN_TABLE_STRUCT(RunRecords, RUN_RECORD_MAP(RUN_STEP_POINTER) SCREE_MEASURE_MAP(RUN_STEP_POINTER));
RUN_TABLE_STRUCT(RunSteps, SCREE_REPORT_MAP(RUN_STEP_POINTER));

/* One moment of a run. */
typedef struct RunFrame {
    double time;
    int64_t step;
    RunBodies bodies;
    RunIdentities who;     /* one row for each body, in rising order */
    RunBodyConstants body; /* likewise: those of the run are by identity; with the sizes below */
    RunSizes sizes;        /* none unless the header says `growing` */
    RunWalls walls;
    RunWallDrives drives;   /* none unless the header says `plates` */
    RunHolders holders;     /* likewise */
    RunFragments fragments; /* none unless the header says `bonds` */
    RunContacts contacts;
    RunBonds bonds;   /* one row for each contact; none unless the header says `bonds` */
    RunSearch search; /* one row; zeros in files of versions 1 and 2 */
    RunCell cell;     /* one row; zeros in files before version 15 */
} RunFrame;

/* ---------------------------------------------------------------- the lists as data */

typedef enum RunType { RUN_TYPE_double, RUN_TYPE_int32_t, RUN_TYPE_int64_t } RunType;

typedef struct RunField {
    const char *name;
    RunType type;
    int width;
    size_t offset; /* of the pointer in the struct of the rows */
    const char *dimension, *meaning;
} RunField;

typedef enum RunTableId {
    RUN_BODY_CONSTANTS,
    RUN_WALL_CONSTANTS,
    RUN_SHAPES,
    RUN_SHAPE_PARTS,
    RUN_SHAPE_CORNERS,
    RUN_SHAPE_FACES,
    RUN_SHAPE_LOOPS,
    RUN_MESHES,
    RUN_MESH_VERTICES,
    RUN_MESH_TRIANGLES,
    RUN_MESH_WALLS,
    RUN_LAWS,
    RUN_BODIES,
    RUN_IDENTITIES,
    RUN_GATES,
    RUN_GATE_ROWS,
    RUN_WALLS,
    RUN_WALL_DRIVES,
    RUN_HOLDERS,
    RUN_SIZES,
    RUN_FRAGMENTS,
    RUN_CONTACTS,
    RUN_BONDS,
    RUN_STEPS,
    RUN_SEARCH,
    RUN_CELL,
    RUN_SERIES,
    RUN_RECORDS,
    RUN_TABLE_COUNT
} RunTableId;

typedef struct RunTable {
    const char *group; /* in the file */
    const RunField *fields;
    int field_count;
} RunTable;

/* Upper bound on the number of fields of any table. */
#define RUN_FIELDS_MAX 64

const RunTable *run_table(RunTableId id);
size_t run_type_size(RunType type);

/* Makes room for `count` rows and sets the count; existing rows are kept. False when out of
 * memory. */
bool run_rows_resize(RunTableId id, void *rows, size_t count);
void run_rows_free(RunTableId id, void *rows);

/* The array of a field of some rows. */
void *run_rows_field(const void *rows, const RunField *field);

/* Frees what a frame holds and zeroes it. */
void run_frame_free(RunFrame *frame);

/* The report as row `index` of the steps, and back. */
void run_steps_set(RunSteps *rows, size_t index, const ScreeReport *one);
ScreeReport run_steps_get(const RunSteps *rows, size_t index);

/* Measures as row `index` of the records, and back; series, step and time are for the caller. */
void run_records_set(RunRecords *rows, size_t index, const ScreeMeasures *one);
ScreeMeasures run_records_get(const RunRecords *rows, size_t index);

/* The row of the search, and back. */
void run_search_set(RunSearch *rows, const ScreeSearchReport *one);
ScreeSearchReport run_search_get(const RunSearch *rows);

/* Row `index` of the laws, and back. */
void run_laws_set(RunLaws *rows, size_t index, const ScreeLaw *one);
ScreeLaw run_laws_get(const RunLaws *rows, size_t index);

/* Copies the state of a world. False when out of memory. */
bool run_capture_constants(const ScreeWorld *world, RunBodyConstants *bodies,
                           RunWallConstants *walls);
bool run_capture_shapes(const ScreeWorld *world, RunShapes *shapes, RunShapeParts *parts,
                        RunShapeCorners *corners, RunShapeFaces *faces, RunShapeLoops *loops);
/* The surfaces of walls; all without rows where there are none. */
bool run_capture_meshes(const ScreeWorld *world, RunMeshes *meshes, RunMeshVertices *vertices,
                        RunMeshTriangles *triangles, RunMeshWalls *walls);
/* The laws of all pairs of so many materials. */
bool run_capture_laws(const ScreeWorld *world, size_t materials, RunLaws *laws);
bool run_capture_frame(const ScreeWorld *world, bool contacts, RunFrame *frame);

#endif
