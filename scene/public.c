/* Scenes through the public header: thin functions over scene.h, as the program itself uses
 * them. */
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ScreeScene {
    Scene *scene;
    bool has_report; /* events may ask for the report of the step before */
    bool
        prepared; /* a step was, and has failed: it may be tried again, but not be prepared again */
    ScreeReport report;
    char message[SCREE_FILE_MESSAGE_SIZE];
};

static ScreeStatus fail(char *message, ScreeStatus status, const char *text) {
    if (message != NULL) {
        snprintf(message, SCREE_FILE_MESSAGE_SIZE, "%s", text);
        size_t length = strlen(message);
        if (length > 0 && message[length - 1] == '\n') { /* the last line needs no newline */
            message[length - 1] = '\0';
        }
    }
    return status;
}

static ScreeStatus status_of(const SceneError *error) {
    return error->no_memory ? SCREE_NO_MEMORY : SCREE_BAD_ARGUMENT;
}

/* The public scene of what was read, or why there is none. */
static ScreeStatus adopt(Scene *read, const SceneError *error, ScreeScene **scene, char *message) {
    *scene = NULL;
    if (read == NULL) {
        return fail(message, status_of(error), error->text);
    }
    ScreeScene *made = calloc(1, sizeof *made);
    if (made == NULL) {
        scene_free(read);
        return fail(message, SCREE_NO_MEMORY, "out of memory");
    }
    made->scene = read;
    *scene = made;
    return SCREE_OK;
}

ScreeStatus scree_scene_load(const char *path, const char *const *overrides, size_t count,
                             ScreeScene **scene, char *message) {
    SceneError error = {0};
    Scene *read = scene_load(path, overrides, count, &error);
    return adopt(read, &error, scene, message);
}

ScreeStatus scree_scene_parse(const char *text, size_t size, const char *name,
                              const char *const *overrides, size_t count, ScreeScene **scene,
                              char *message) {
    SceneError error = {0};
    Scene *read = scene_parse(text, size, name, overrides, count, &error);
    return adopt(read, &error, scene, message);
}

ScreeStatus scree_scene_check_part(const char *text, size_t size, const char *name, char *message) {
    SceneError error = {0};
    bool good = scene_check_part(text, size, name, &error);
    return good ? SCREE_OK : fail(message, status_of(&error), error.text);
}

/* As much of a text as there is room for, and how long it is. */
typedef struct Buffer {
    char *text;
    size_t room, used;
} Buffer;

static void append(void *context, const char *text) {
    Buffer *buffer = context;
    size_t length = strlen(text);
    if (buffer->text != NULL && buffer->used + length <= buffer->room) {
        memcpy(buffer->text + buffer->used, text, length);
    }
    buffer->used += length;
}

ScreeStatus scree_scene_get_schema(char *text, size_t *size) {
    Buffer buffer = {text, *size, 0};
    scene_write_schema(append, &buffer);
    bool fits = text == NULL || buffer.used < buffer.room;
    if (text != NULL && fits) {
        text[buffer.used] = '\0';
    }
    *size = buffer.used + 1;
    return fits ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

void scree_scene_destroy(ScreeScene *scene) {
    if (scene != NULL) {
        scene_free(scene->scene);
        free(scene);
    }
}

ScreeStatus scree_scene_build(ScreeScene *scene, ScreeWorld **world, char *message) {
    SceneError error = {0};
    if (!scene_build(scene->scene, world, &error)) {
        return fail(message, status_of(&error), error.text);
    }
    scene->has_report = scene->prepared = false;
    scene->message[0] = '\0';
    return SCREE_OK;
}

static const ScreeReport *last_report(const ScreeScene *scene) {
    return scene->has_report ? &scene->report : NULL;
}

ScreeStatus scree_scene_step(ScreeScene *scene, ScreeWorld *world, ScreeReport *report) {
    SceneError error = {0};
    if (!scene->prepared && !scene_before_step(scene->scene, world, last_report(scene), &error)) {
        return fail(scene->message, status_of(&error), error.text);
    }
    ScreeReport made;
    ScreeStatus status = scree_world_step(world, &made);
    scene->prepared = status != SCREE_OK;
    if (status != SCREE_OK) {
        return fail(scene->message, status, scree_world_get_message(world));
    }
    scene->report = made;
    scene->has_report = true;
    if (report != NULL) {
        *report = made;
    }
    return SCREE_OK;
}

bool scree_scene_is_finished(const ScreeScene *scene, const ScreeWorld *world) {
    return scene_finished(scene->scene, world, last_report(scene), NULL);
}

const char *scree_scene_get_message(const ScreeScene *scene) {
    return scene->message;
}

const char *scree_scene_get_news(const ScreeScene *scene) {
    return scene_news(scene->scene);
}

/* The two lists of policies are the same. */
_Static_assert((int)SCENE_CONTINUE == (int)SCREE_SCENE_CONTINUE &&
                   (int)SCENE_WARN == (int)SCREE_SCENE_WARN &&
                   (int)SCENE_STOP == (int)SCREE_SCENE_STOP,
               "policies");

ScreeSceneInfo scree_scene_get_info(const ScreeScene *scene) {
    const SceneSettings *settings = scene_settings(scene->scene);
    return (ScreeSceneInfo){
        .materials = scene_material_count(scene->scene),
        .walls = scene_wall_count(scene->scene),
        .end = settings->end,
        .output_every = settings->output_every,
        .policy = (ScreeScenePolicy)settings->policy,
        .gates = scene_gate_count(scene->scene),
        .grows = scene_makes_growth(scene->scene),
        .device = settings->device,
        .series = scene_measure_count(scene->scene),
    };
}

const char *scree_scene_get_material_name(const ScreeScene *scene, ScreeMaterialId material) {
    return scene_material_name(scene->scene, material.index);
}

const char *scree_scene_get_material_colour(const ScreeScene *scene, ScreeMaterialId material) {
    return scene_material_colour(scene->scene, material.index);
}

const char *scree_scene_get_wall_name(const ScreeScene *scene, ScreeWallId wall) {
    return scene_wall_name(scene->scene, wall.index);
}

void scree_scene_get_gates(const ScreeScene *scene, ScreeGate *gates) {
    for (size_t i = 0; i < scene_gate_count(scene->scene); i++) {
        gates[i] = scene_gate(scene->scene, i);
    }
}

ScreeStatus scree_scene_get_record_names(ScreeScene *scene, ScreeRecordNames *names) {
    const ScreeRecordNames *made = scene_record_names(scene->scene);
    *names = made != NULL ? *made : (ScreeRecordNames){.driven = true};
    return made != NULL ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scree_scene_get_series(const ScreeScene *scene, size_t number, ScreeSeriesDef *series) {
    if (number >= scene_measure_count(scene->scene)) {
        return SCREE_BAD_ID;
    }
    *series = scene_measure(scene->scene, number);
    return SCREE_OK;
}
