/* A moment of a run, from its file, as the beginning of something else. */
#ifndef SCREE_START_H
#define SCREE_START_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ScreeStart {
    ScreeWorld *world; /* bodies, shapes, materials and contacts as they were then; its walls are
                                those of the checkpoint: see `state` */
    bool exact;        /* from a checkpoint of that very step, with all that a step remembers; else
                                from what a frame keeps: no springs of the soft engine */
    int64_t frame, step;     /* which frame it is, and after how many steps */
    double time;             /* [time] */
    size_t materials, walls; /* their numbers */
    const char *const *material;
    const char *const *wall;     /* names as in the scene of the run; "" where it has none */
    const ScreeWallState *state; /* [walls] */
    const char *scene_name;      /* the file of that scene, as it was given */
    const char *scene_text;
    const char *const *overrides; /* as given with -D */
    size_t override_count;
    const ScreeWallId *holder; /* [bodies] which walls held them then; NULL: as in the world */
} ScreeStart;

/* Reads a frame of a run, counted from 0; -1 is the last. The checkpoint of the run must lie beside it.
 * `message` (SCREE_FILE_MESSAGE_SIZE bytes, or NULL) says what is wrong. */
SCREE_API ScreeStatus scree_start_load(const char *path, int64_t frame, ScreeStart **start,
                                       char *message);
SCREE_API void scree_start_destroy(ScreeStart *start);

#ifdef __cplusplus
}
#endif

#endif
