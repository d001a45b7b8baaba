/* Run files: HDF5, readable during the run, and after a kill at any moment.
 *
 * The file is made under another name and renamed when it is complete, with no frames; from then on
 * it only grows, in HDF5's single-writer mode, which keeps what is on disk consistent. A frame
 * counts once its entry in frames/index is there, which is written after everything else.
 * docs/run-file.md has the layout. */
#ifndef SCREE_IO_RUN_FILE_H
#define SCREE_IO_RUN_FILE_H

#include "io/error.h"
#include "io/run/fields.h"
#include "io/run/saved.h"
#include "io/watch.h"

#define RUN_FORMAT_NAME "scree-run"
#define RUN_FORMAT_VERSION                                                                         \
    21 /* 1 knew no law but Coulomb's, 2 no shapes, 3 no associated law, 4 not what is frozen nor   \
         what walls are made of, 5 no strides, 6 no steps left uncut, 7 no residual of velocities  \
         and no projection, 8 no identity, 9 no solids, 10 no glue by area, 11 no smooth parts,    \
         12 no NURBS surfaces, 13 no cones and plates as walls,        \
         14 no cell that deforms, 15 no bodies that come and go, 16 no walls made of bodies,       \
         17 not who holds what, 18 no bonds, 19 no liquid bridges,          \
         20 no bodies that grow; all are still read */

/* What runs are written as in which bodies neither come nor go, and whose scenes have no gates. */
#define RUN_STEADY_VERSION 15

/* What others are written as that have no walls made of bodies. */
#define RUN_CHANGING_VERSION 16

/* Since then walls may be made of bodies. */
#define RUN_HOLDER_VERSION 17

/* Since then frames may say what walls hold and what moves them. */
#define RUN_PLATES_VERSION 18

/* Since then frames may say which bodies are bonded. */
#define RUN_BONDS_VERSION 19

/* Since then laws may have liquid bridges. */
#define RUN_BRIDGES_VERSION 20

/* Since then frames may say how large bodies are. */
#define RUN_GROWTH_VERSION 21

/* Since then parts of shapes have a kind. */
#define RUN_SMOOTH_VERSION 12

/* Since then corners have weights. */
#define RUN_NURBS_VERSION 13

/* An entry of frames/index: contacts and steps in the file up to and including this frame, and the
 * frame's number from 1, which is 0 until the entry is written. */
#define RUN_INDEX_WIDTH 3

/* An entry of frames/flow, in runs in which bodies come and go: rows of frames/bodies up to and
 * including this frame, and rows of bodies that these frames refer to. */
#define RUN_FLOW_WIDTH 2

/* A list of strings that it owns. */
typedef struct RunNames {
    size_t count;
    char **name;
} RunNames;

bool run_names_add(RunNames *names, const char *name);
void run_names_free(RunNames *names);

/* What a run is, fixed from its beginning. */
typedef struct RunHeader {
    int32_t version;   /* of the format; set by the reader */
    uint64_t identity; /* drawn when the run began, and kept when it goes on; 0: not in the file */
    int32_t dimension;
    int32_t engine;   /* ScreeEngine */
    int32_t method;   /* ScreeMethod at the start; -1: none, or not in the file */
    double tolerance; /* tolerance of that method */
    double time_step, theta;
    double gravity[3];
    int32_t periodic[3];
    double cell_min[3], cell_max[3];
    char *scene_name; /* as given by the user */
    char *scene_text; /* ends in a zero that is not counted */
    size_t scene_size;
    bool changing; /* bodies come and go: frames have rows of their own, and their identities */
    bool plates;   /* walls hold bodies or are pistons, or may come to: frames tell of it */
    bool bonds;    /* bodies are bonded, or may come to be: frames tell of it */
    bool growing;  /* bodies grow or shrink, or may come to: frames tell how large they are */
    RunNames overrides, materials, walls, series;
    RunNames
        colours;    /* of the materials, "#rrggbb", a word or ""; without entries if none has one */
    RunNames gates; /* inlets and outlets; `gate` says which */
    RunGates gate;
    RunBodyConstants
        body; /* of a changing run: of all times, by identity. No radius: in no frame */
    RunWallConstants wall;
    RunShapes shape; /* none in files of versions 1 and 2 */
    RunShapeParts shape_part;
    RunShapeCorners shape_corner;
    RunShapeFaces shape_face; /* none in files before version 10 */
    RunShapeLoops shape_loop;
    RunMeshes mesh; /* surfaces of walls; without rows where no wall has one */
    RunMeshVertices mesh_vertex;
    RunMeshTriangles mesh_triangle;
    RunMeshWalls mesh_wall; /* one row for each wall, if there are meshes */
    RunSeries series_of;    /* what is measured during the run; `series` has the names */
    RunLaws laws; /* of all pairs of materials, at the start; none in files of version 1 */
} RunHeader;

void run_header_free(RunHeader *header);

/* What the run file of a world says, with these names (which may be NULL). False when out of memory; the
 * header must be freed then, too. */
bool run_announce(const ScreeWorld *world, const ScreeRecordNames *names, RunHeader *header);

/* What a world of so many materials is: everything but the names, the series and the text of a
 * scene. False when out of memory; the header must be freed then, too. */
bool run_capture_header(const ScreeWorld *world, size_t materials, RunHeader *header);
/* Whether the edges of the periodic cell are not along the axes. */
bool run_cell_is_oblique(const RunHeader *header, const RunFrame *frame);

/* Its edges; the unit vector along directions that are not periodic. */
void run_cell_edges(const RunHeader *header, const RunFrame *frame, double edge[3][3]);

/* Moves a point to its image nearest to another. */
void run_nearest_image(const RunHeader *header, const RunFrame *frame, const double from[3],
                       double at[3]);

/* How far a file has got. */
typedef struct RunPosition {
    int64_t frames, steps, contacts;
} RunPosition;

/* How the run ended. */
#define RUN_ENDING_MAP(X)                                                                          \
    X(OPEN, "still going, or killed")                                                              \
    X(FINISHED, "finished")                                                                        \
    X(INTERRUPTED, "interrupted by a signal")                                                      \
    X(STOPPED, "stopped at a step that did not converge")                                          \
    X(FAILED, "ended by an error")

typedef enum RunEnding {
#define X(name, text) RUN_##name,
    RUN_ENDING_MAP(X)
#undef X
        RUN_ENDING_COUNT
} RunEnding;

const char *run_ending_text(RunEnding ending);

/* The process that is writing the file at this moment, or 0. */
long run_writing_process(const char *path);

/* Frees what HDF5 keeps for itself. To be called when no run file is open, but not after a failed
 * write. */
void run_library_close(void);

/* ---------------------------------------------------------------- writing */

typedef struct RunWriter RunWriter;

/* Makes a new file, replacing one that may exist. `steps_per_frame` is a hint. NULL on error. */
RunWriter *run_create(const char *path, const RunHeader *header, size_t steps_per_frame,
                      IoError *error);

/* Continues a file from an earlier position and drops what comes after it. That happens in a copy,
 * which then replaces the file, so that a kill in between loses nothing. NULL on error, or when
 * `watch` has stopped it. */
RunWriter *run_resume(const char *path, const RunPosition *position, size_t steps_per_frame,
                      IoWatch watch, IoError *error);

/* After a failure (a full disk) the content so far stays readable, for another process: HDF5 does
 * not let go of a file that it could not close. Then only run_close may be called. */
bool run_append_step(RunWriter *writer, const ScreeReport *report, IoError *error);

/* What has passed a gate by the coming step, to be told of all gates in their order before each step. */
bool run_append_gate(RunWriter *writer, const ScreeGate *gate, IoError *error);
bool run_append_frame(RunWriter *writer, const RunFrame *frame, IoError *error);

/* What a series of the header measured at a step; on disk with the next frame. */
bool run_append_record(RunWriter *writer, int32_t series, int64_t step, double time,
                       const ScreeMeasures *measures, IoError *error);

/* Brings everything to disk and returns the position, for a checkpoint. */
bool run_flush(RunWriter *writer, RunPosition *position, IoError *error);

/* After that: what a power failure could take from it later. False when out of memory. */
bool run_save_records(const RunWriter *writer, RunSaved *saved);
RunPosition run_position(const RunWriter *writer);

/* Closes the file and frees the writer in any case. */
bool run_close(RunWriter *writer, RunEnding ending, IoError *error);

/* ---------------------------------------------------------------- reading */

typedef struct RunReader RunReader;

RunReader *run_open(const char *path, IoError *error);
void run_reader_free(RunReader *reader);

const RunHeader *run_header(const RunReader *reader);
RunEnding run_ending(const RunReader *reader);
size_t run_frame_count(const RunReader *reader);
double run_frame_time(const RunReader *reader, size_t frame);
int64_t run_frame_step(const RunReader *reader, size_t frame);
size_t run_frame_contacts(const RunReader *reader, size_t frame);
int64_t run_frame_steps(const RunReader *reader, size_t frame); /* steps up to the frame */

/* Steps up to the last frame. */
size_t run_step_count(const RunReader *reader);

/* Records up to the last frame. */
size_t run_record_count(const RunReader *reader);

/* All may be called repeatedly with the same rows, which begin as {0}. */
bool run_read_frame(RunReader *reader, size_t frame, RunFrame *into, IoError *error);
bool run_read_steps(RunReader *reader, size_t first, size_t count, RunSteps *into, IoError *error);
bool run_read_records(RunReader *reader, size_t first, size_t count, RunRecords *into,
                      IoError *error);

/* Of so many steps; gates side by side in each. */
bool run_read_gates(RunReader *reader, size_t first, size_t steps, RunGateRows *into,
                    IoError *error);

/* One step after another, read in blocks:
 *     RunWalk walk = {reader, first, end};
 *     while (run_walk(&walk, &report, error)) { ... }
 *     ok = run_walk_end(&walk); */
typedef struct RunWalk {
    RunReader *reader;
    size_t next, end;
    size_t block; /* first step of the block in memory */
    RunSteps steps;
    bool failed;
} RunWalk;

/* The next report; false after the last one, or on error. */
bool run_walk(RunWalk *walk, ScreeReport *report, IoError *error);

/* Frees the memory. False if there was an error. */
bool run_walk_end(RunWalk *walk);

#endif
