/* A scene file (docs/scene.md), read and checked, and the programme of drives and events that it
 * prescribes:
 *
 *     char message[SCREE_FILE_MESSAGE_SIZE];
 *     ScreeScene *scene = NULL;
 *     ScreeWorld *world = NULL;
 *     scree_scene_load("heap.yaml", NULL, 0, &scene, message);
 *     scree_scene_build(scene, &world, message);
 *     while (!scree_scene_is_finished(scene, world)) {
 *         scree_scene_step(scene, world, NULL);
 *     }
 *     scree_world_destroy(world);
 *     scree_scene_destroy(scene);
 *
 * A world that is stepped so is the same as that of `scree run`, bit for bit. */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include <scree/device.h>
#include <scree/measures.h>
#include <scree/record.h>
#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ScreeScene ScreeScene;

/* What the scene wants done about a step that did not converge. It is the caller who does it. */
typedef enum ScreeScenePolicy {
    SCREE_SCENE_CONTINUE,
    SCREE_SCENE_WARN,
    SCREE_SCENE_STOP,
    SCREE_SCENE_POLICY_COUNT
} ScreeScenePolicy;

typedef struct ScreeSceneInfo {
    size_t materials;    /* their number */
    size_t walls;        /* their number at the start; a box of the scene makes several */
    double end;          /* [time] */
    double output_every; /* [time] between the frames of a run file */
    ScreeScenePolicy policy;
    size_t gates; /* inlets and outlets: where there are any, steps add and remove bodies */
    ScreeDeviceChoice device; /* what is to sweep; it is the caller who lends it (device.h) */
    bool grows;               /* grains grow or shrink, at the start or by an event */
    size_t series;            /* what it wants measured while it runs: so many series */
} ScreeSceneInfo;

/* Reads and checks a scene file; `overrides` are `count` texts "path.to.key=value", as with -D of
 * the program. `message` (SCREE_FILE_MESSAGE_SIZE bytes, or NULL) says what is wrong where. */
SCREE_API ScreeStatus scree_scene_load(const char *path, const char *const *overrides, size_t count,
                                       ScreeScene **scene, char *message);

/* The same from memory, `size` bytes of YAML or JSON: `name` appears in messages, and files that the
 * scene names are sought beside it. It may not extend another scene. */
SCREE_API ScreeStatus scree_scene_parse(const char *text, size_t size, const char *name,
                                        const char *const *overrides, size_t count,
                                        ScreeScene **scene, char *message);
SCREE_API void scree_scene_destroy(ScreeScene *scene);

/* Checks some of the top-level keys of a scene, as above: names, types and ranges, but not what takes the
 * rest of the scene. So a program that makes scenes piece by piece can say at once what is wrong. */
SCREE_API ScreeStatus scree_scene_check_part(const char *text, size_t size, const char *name,
                                             char *message);

/* What can stand in a scene, as JSON: a list of sections, the scene itself first. A section has a `name`,
 * what it is `about`, an `example`, and `keys`; a key has a `name`, a `value` in words, its `range` and
 * `dimension`, whether it is `required`, else its `default` or what happens `otherwise`, its `choices`,
 * the number of its `section`, the dimension of `space` that it is confined to, and its `meaning`. Call
 * with text NULL to learn the size; `size` holds the bytes that there is room for on entry, and the
 * bytes needed on return, with the zero at the end. */
SCREE_API ScreeStatus scree_scene_get_schema(char *text, size_t *size);

/* Makes the world that the scene describes, and begins its programme anew. The world is the
 * caller's, and does not need the scene; the scene drives the world that it made last. */
SCREE_API ScreeStatus scree_scene_build(ScreeScene *scene, ScreeWorld **world, char *message);

/* One time step: the events that are due, the motion of walls, then scree_world_step. */
SCREE_API ScreeStatus scree_scene_step(ScreeScene *scene, ScreeWorld *world, ScreeReport *report);

/* Whether the end of time is reached, or a condition of the scene says to stop. */
SCREE_API bool scree_scene_is_finished(const ScreeScene *scene, const ScreeWorld *world);

/* What was wrong in the last scree_scene_step that failed. */
SCREE_API const char *scree_scene_get_message(const ScreeScene *scene);

/* The events of the last scree_scene_step, a line each; "" when there was none. */
SCREE_API const char *scree_scene_get_news(const ScreeScene *scene);

SCREE_API ScreeSceneInfo scree_scene_get_info(const ScreeScene *scene);

/* Names as the scene gives them; NULL when there is no such material or wall. */
SCREE_API const char *scree_scene_get_material_name(const ScreeScene *scene,
                                                    ScreeMaterialId material);
SCREE_API const char *scree_scene_get_wall_name(const ScreeScene *scene, ScreeWallId wall);

/* How pictures show a material, as the scene says it: "#rrggbb" or a word; "" where it says nothing. */
SCREE_API const char *scree_scene_get_material_colour(const ScreeScene *scene,
                                                      ScreeMaterialId material);

/* What has passed the inlets and then the outlets by the coming step: info.gates of them. Names live as long as the
 * scene. */
SCREE_API void scree_scene_get_gates(const ScreeScene *scene, ScreeGate *gates);

/* What a recording of the world of the scene is to be told (record.h), so that its file is that of
 * `scree run`. All of it lives as long as the scene. */
SCREE_API ScreeStatus scree_scene_get_record_names(ScreeScene *scene, ScreeRecordNames *names);

/* A series of measures that the scene wants, by number; its name lives as long as the scene.
 * SCREE_BAD_ID: there is no such series. */
SCREE_API ScreeStatus scree_scene_get_series(const ScreeScene *scene, size_t number,
                                             ScreeSeriesDef *series);

#ifdef __cplusplus
}
#endif

#endif
