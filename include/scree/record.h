/* A run file (docs/run-file.md) of a world that a program steps itself, to be viewed, exported and
 * measured like one of `scree run`:
 *
 *     char message[SCREE_FILE_MESSAGE_SIZE];
 *     ScreeRecord *record = NULL;
 *     scree_record_create("run.h5", world, NULL, &record, message);
 *     for (int i = 0; i < 1000; i++) {
 *         scree_world_step(world, &report);
 *         scree_record_add_step(record, &report, message);
 *         if (i % 20 == 19) {
 *             scree_record_add_frame(record, world, message);
 *         }
 *     }
 *     scree_record_close(record, message);
 *
 * Programs that record include this header beside <scree/scree.h>.
 *
 * The file can be read while it is written. Every function that fails says why in `message`
 * (SCREE_FILE_MESSAGE_SIZE bytes, or NULL). */
#ifndef SCREE_RECORD_H
#define SCREE_RECORD_H

#include <scree/measures.h>
#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ScreeRecord ScreeRecord;

/* An inlet or outlet of a scene, and what has passed it by the coming step. */
typedef struct ScreeGate {
    const char *name;
    bool outlet;
    int64_t number;  /* of grains since the start */
    double mass;     /* of these */
    int64_t waiting; /* due at an inlet, without room */
} ScreeGate;

/* Names for those who read the file, all of which may be left at NULL, and what to expect. For the world of
 * a scene scree_scene_get_record_names fills it in, and the file is that of `scree run`. */
typedef struct ScreeRecordNames {
    const char *title;         /* of the run, in the place of a scene's name; "world" */
    const char *text;          /* how the world was made, in the place of a scene's text */
    const char *const *change; /* [change_count] changes to that text: "path.to.key=value" */
    size_t change_count;
    const char *const *material; /* [materials] */
    const char *const *colour;   /* [materials] "#rrggbb" or a word, "" where there is none */
    const char *const *wall;     /* [walls, removed ones included] */
    bool changing;               /* grains will be added or removed; false */
    bool driven;                 /* by a scene: the world alone cannot go on; false */
    bool growing; /* the sizes of grains will change; false: if some material grows now */
    bool bonds;   /* grains will be glued to each other; false: if some are now */
    bool steady;  /* no wall comes to hold grains or becomes a piston; false: any wall may */
    bool bare;    /* frames without contacts; false */
    const ScreeSeriesDef *series; /* [series_count] what scree_record_add_measures writes; NULL */
    size_t series_count;
    const ScreeGate *gate; /* [gate_count] what scree_record_add_gates writes: their names */
    size_t gate_count;
} ScreeRecordNames;

/* Makes the file, without a frame; one that is there is replaced, unless another process is writing it. The
 * walls and materials that the world has now are those of the run, and so are the grains unless they
 * are said to change. */
SCREE_API ScreeStatus scree_record_create(const char *path, const ScreeWorld *world,
                                          const ScreeRecordNames *names, ScreeRecord **record,
                                          char *message);

/* The certificate of a step; on disk with the next frame. */
SCREE_API ScreeStatus scree_record_add_step(ScreeRecord *record, const ScreeReport *report,
                                            char *message);

/* What has passed the gates by this step, all of them in their order; where there are any, to be called before
 * each scree_record_add_step. */
SCREE_API ScreeStatus scree_record_add_gates(ScreeRecord *record, const ScreeGate *gates,
                                             size_t count, char *message);

/* What those series measure that are due at the step that the world is at; on disk with the next frame.
 * To be called after scree_record_create and after each step, once. */
SCREE_API ScreeStatus scree_record_add_measures(ScreeRecord *record, const ScreeWorld *world,
                                                char *message);

/* The state of the world as a frame. SCREE_BAD_ARGUMENT when the world has got more walls than it had
 * at first, or other grains, and nothing was said about that when the recording began. */
SCREE_API ScreeStatus scree_record_add_frame(ScreeRecord *record, const ScreeWorld *world,
                                             char *message);

/* Writes the world as it is beside the file, into "run.h5.checkpoint": scenes can start from the run, and
 * scree_record_resume goes on with it. It takes as long as writing a frame or two. */
SCREE_API ScreeStatus scree_record_save(ScreeRecord *record, const ScreeWorld *world,
                                        char *message);

/* Goes on with a recording: the world as it was at the last scree_record_save, bit for bit, which becomes
 * the caller's, and the file as it was then. The recordings of scenes cannot be resumed so. */
SCREE_API ScreeStatus scree_record_resume(const char *path, ScreeWorld **world,
                                          ScreeRecord **record, char *message);

/* The number of frames that are written. */
SCREE_API size_t scree_record_count_frames(const ScreeRecord *record);

/* Closes the file, and frees the record in any case. NULL is allowed. */
SCREE_API ScreeStatus scree_record_close(ScreeRecord *record, char *message);

#ifdef __cplusplus
}
#endif

#endif
