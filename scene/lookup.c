/* Small questions to a scene: locations, names and numbers. */
#include "scene/internal.h"

#include "base/random.h"
#include "scene/read/extend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SceneLocation scene_location_of(const Scene *scene, const SceneHead *head, const char *key) {
    int node = key ? scene_lookup(&scene->document, head->node, key, NULL) : 0;
    return scene_location(&scene->document, node ? node : head->node);
}

bool scene_has(const Scene *scene, const SceneHead *head, const char *key) {
    return head->node && scene_lookup(&scene->document, head->node, key, NULL) != 0;
}

bool scene_fail_status(const ScreeWorld *world, ScreeStatus status, SceneLocation location,
                       SceneError *error) {
    const char *message = world ? scree_world_get_message(world) : "";
    if (status == SCREE_NO_MEMORY) {
        return scene_out_of_memory(error, location, NULL);
    }
    return scene_fail(error, location, NULL, "%s",
                      message && *message ? message : scree_status_get_text(status));
}

int32_t scene_material_number(const Scene *scene, const char *name, SceneLocation location,
                              SceneError *error) {
    const SceneMaterialSpec *materials = scene->model.materials.items;
    Guess guess = scr_guess(name);
    for (size_t i = 0; i < scene->model.materials.count; i++) {
        if (strcmp(materials[i].head.name, name) == 0) {
            return (int32_t)i;
        }
        scr_guess_offer(&guess, materials[i].head.name);
    }
    char hint[400];
    scr_guess_or_list(&guess, "materials:", hint, sizeof hint);
    scene_fail(error, location, hint[0] ? hint : "describe it under 'materials'",
               "no material '%.60s'", name);
    return -1;
}

const char *scene_material_name(const Scene *scene, int32_t material) {
    const SceneMaterialSpec *materials = scene->model.materials.items;
    bool known = material >= 0 && (size_t)material < scene->model.materials.count;
    return known ? materials[material].head.name : NULL;
}

const char *scene_material_colour(const Scene *scene, int32_t material) {
    const SceneMaterialSpec *materials = scene->model.materials.items;
    bool known = material >= 0 && (size_t)material < scene->model.materials.count;
    return known && materials[material].colour != NULL ? materials[material].colour : "";
}

const char *scene_wall_name(const Scene *scene, int32_t wall) {
    bool known = wall >= 0 && (size_t)wall < scene->wall_count;
    return known ? scene->walls[wall].name : NULL;
}

size_t scene_material_count(const Scene *scene) {
    return scene->model.materials.count;
}

size_t scene_wall_count(const Scene *scene) {
    return scene->wall_count;
}

/* Mixes a file into the hash, its length included, so that no two files run together. */
static uint64_t mix_in(uint64_t hash, const char *text, size_t size) {
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        size_t left = size - at;
        memcpy(&word, text + at, left < sizeof word ? left : sizeof word);
        hash = scr_mix(hash ^ word) + 1;
    }
    return scr_mix(hash ^ size);
}

static bool note_file(Scene *scene, const SceneSource *source) {
    SceneFile *file = scene_alloc(&scene->arena, 1, sizeof *file);
    if (!file) {
        return false;
    }
    *file = (SceneFile){scene->files, source->name};
    scene->files = file;
    scene->files_hash = mix_in(scene->files_hash, source->text, source->size);
    return true;
}

char *scene_named_path(Scene *scene, const SceneHead *head, const char *key, const char *file) {
    SceneLocation location = scene_location_of(scene, head, key);
    const SceneSource *in = location.source->option ? &scene->document.source : location.source;
    return scene_path_beside(&scene->arena, in, file);
}

bool scene_note_named(Scene *scene, const char *path, uint64_t hash) {
    char bytes[sizeof hash];
    memcpy(bytes, &hash, sizeof hash);
    const SceneSource source = {.name = path, .text = bytes, .size = sizeof bytes};
    return note_file(scene, &source);
}

bool scene_read_named(Scene *scene, const SceneHead *head, const char *file, size_t limit,
                      SceneSource *source, SceneError *error) {
    SceneLocation location = scene_location_of(scene, head, "file");
    char *path = scene_named_path(scene, head, "file", file);
    limit = limit < scene->file_limit ? limit : scene->file_limit;
    *source = (SceneSource){.name = path};
    errno = EFBIG;
    source->text = path && limit > 0 ? scene_read_regular_file(path, limit, &source->size) : NULL;
    if (!source->text) {
        if (!path || errno == ENOMEM) {
            return scene_out_of_memory(error, location, NULL);
        }
        const char *why = errno == EINVAL ? "it is not a regular file" : strerror(errno);
        return scene_fail(error, location, "a relative path starts from the folder of the scene",
                          "cannot read '%.200s': %s", file, why);
    }
    if (!note_file(scene, source)) {
        free((char *)source->text);
        source->text = NULL;
        return scene_out_of_memory(error, location, NULL);
    }
    return true;
}

uint64_t scene_files_hash(const Scene *scene) {
    return scene->files_hash;
}

/* The scene itself, those that it extends, then what they name. */
const char *scene_file_name(const Scene *scene, size_t index) {
    if (index-- == 0) {
        return scene->document.source.name;
    }
    const SceneSource *extended = scene->document.added + scene->override_count;
    for (int i = 0; i < SCENE_EXTEND_LIMIT && extended[i].name; i++) {
        if (index-- == 0) {
            return extended[i].name;
        }
    }
    const SceneFile *file = scene->files;
    while (file && index-- > 0) {
        file = file->before;
    }
    return file ? file->name : NULL;
}
