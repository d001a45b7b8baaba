/* A scene: the YAML text that a user writes, checked against the schema, and the programme of
 * motions and events that it prescribes. The scene sees the simulator only through the public
 * header.
 *
 * Life of a run:
 *     Scene *scene = scene_load("heap.yaml", overrides, count, &error);
 *     scene_build(scene, &world, &error);
 *     while (!scene_finished(scene, world, &report, &why)) {
 *         scene_before_step(scene, world, &report, &error);   drives the walls, carries out events
 *         scree_world_step(world, &report);
 *     } */
#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include <scree/scree.h>

typedef struct Scene Scene;

/* What is wrong, and where. `text` is the whole message as a user sees it, several lines, ending in
 * a newline:
 *     heap.yaml:6:5: error: unknown key 'raduis_max' in grains[0]
 *         6 |     raduis_max: 1.0
 *           |     ^~~~~~~~~~   did you mean 'radius_max'? */
typedef struct SceneError {
    int line, column; /* from 1; 0 when there is no location */
    bool no_memory;   /* the scene may be sound */
    char text[1024];
} SceneError;

/* What to do about a step that did not converge. */
typedef enum ScenePolicy { SCENE_CONTINUE, SCENE_WARN, SCENE_STOP } ScenePolicy;

typedef struct SceneSettings {
    double end;              /* [time] */
    double output_every;     /* [time] between frames */
    double checkpoint_every; /* [s] of wall-clock time between checkpoints */
    bool output_contacts;    /* contacts in every frame */
    bool automatic_step;     /* chosen by scene_build */
    const char *step_for;    /* what it was chosen for, in words */
    ScenePolicy policy;
    ScreeDeviceChoice device; /* that sweeps */
} SceneSettings;

/* Reads and checks a scene file; overrides are "path.to.key=value" as given with -D. NULL on
 * error. */
Scene *scene_load(const char *path, const char *const *overrides, size_t count, SceneError *error);

/* The same from memory; `name` appears in messages, and files named in the scene are sought beside
 * it. It may not extend another scene. */
Scene *scene_parse(const char *text, size_t size, const char *name, const char *const *overrides,
                   size_t count, SceneError *error);
void scene_free(Scene *scene);

/* Checks some of the top-level keys of a scene: names, types and ranges, but not what takes the rest of it.
 * False on error. */
bool scene_check_part(const char *text, size_t size, const char *name, SceneError *error);

/* The text as read (not NULL), its length, and the overrides: what a run file keeps. For a scene
 * that extends others it is one that says the same without them. */
const char *scene_text(const Scene *scene, size_t *size);
const char *const *scene_overrides(const Scene *scene, size_t *count);

/* The files that were read for it, by number, NULL after the last: the scene's own, those that it
 * extends, and those that it names, for grains and curves. Grains are read by scene_build. */
const char *scene_file_name(const Scene *scene, size_t index);

/* Of the content of all the files that it names. */
uint64_t scene_files_hash(const Scene *scene);

/* Whether the scene differs from `before`, of which a run has been made, in nothing but time.end. Then
 * it keeps the interval between frames, which may follow from the end. */
bool scene_goes_on(Scene *scene, const Scene *before);

const SceneSettings *scene_settings(const Scene *scene);

/* Makes the world: materials, walls, grains. False on error. */
bool scene_build(Scene *scene, ScreeWorld **world, SceneError *error);

/* What is allowed and yet hardly meant (a lid whose load pulls it off, friction in degrees, an event
 * after the end), each in a line without its end. The world is the one that was built. */
typedef void (*SceneTell)(void *context, const char *text);
void scene_tell_doubts(const Scene *scene, const ScreeWorld *world, SceneTell tell, void *context);

/* Names for numbers; NULL when out of range. */
const char *scene_material_name(const Scene *scene, int32_t material);
const char *scene_material_colour(const Scene *scene, int32_t material); /* "" if it has none */
const char *scene_wall_name(const Scene *scene, int32_t wall);
size_t scene_material_count(const Scene *scene);
size_t scene_wall_count(const Scene *scene);

/* Sets wall velocities for the coming step from their programmes and carries out the events that
 * are due. `report` is that of the step before (NULL before the first). False on error. */
bool scene_before_step(Scene *scene, ScreeWorld *world, const ScreeReport *report,
                       SceneError *error);

/* Text of the events carried out by the last scene_before_step, one line each, "" when none. */
const char *scene_news(const Scene *scene);

/* The number of the next event, from `from` on, whose condition has not held so far; -1: there is none. */
int64_t scene_event_waiting(const Scene *scene, int64_t from);

/* Whether the run is over, by the end of time or a stop condition; `why` (or NULL) receives
 * words. */
bool scene_finished(const Scene *scene, const ScreeWorld *world, const ScreeReport *report,
                    const char **why);

/* Which events have happened, as bytes for a checkpoint. The size is constant for a scene. */
size_t scene_state_size(const Scene *scene);
void scene_state_save(const Scene *scene, void *bytes);
bool scene_state_load(Scene *scene, const void *bytes, size_t size);

/* What is to be measured every so many steps, by number. */
size_t scene_measure_count(const Scene *scene);
ScreeSeriesDef scene_measure(const Scene *scene, size_t number);

/* Whether grains are glued, at the start or by an event. */
bool scene_makes_bonds(const Scene *scene);

/* Whether grains grow or shrink, at the start or by an event. */
bool scene_makes_growth(const Scene *scene);

/* Whether an event makes a wall hold grains, or a piston. */
bool scene_makes_plates(const Scene *scene);

/* What has passed the inlets and then the outlets of the scene by the coming step. A scene that has any
 * changes the number of bodies. */
size_t scene_gate_count(const Scene *scene);
ScreeGate scene_gate(const Scene *scene, size_t number);

/* What the run file of the scene is to be told; it lives as long as the scene. NULL when out of memory. */
const ScreeRecordNames *scene_record_names(Scene *scene);

/* The page docs/scene.md, generated from the schema. */
void scene_write_reference(void (*write)(void *context, const char *text), void *context);

/* The schema as JSON: a list of sections, the scene itself first, each with its keys. */
void scene_write_schema(void (*write)(void *context, const char *text), void *context);

#endif
