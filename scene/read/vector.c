/* Values with components: points, spins, counts, faces. In two dimensions a vector is two
 * numbers; a third one may be given if it is zero, so that a scene can be carried over. */
#include "scene/read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool wrong_length(SceneReader *reader, int node, const char *extra) {
    char expected[120];
    snprintf(expected, sizeof expected, "%s%s",
             reader->dimension == 2 ? "a list of 2 numbers" : "a list of 3 numbers", extra);
    size_t count = scene_items(reader->document, node);
    if (count == 0) {
        return scene_wrong_type(reader, node, expected);
    }
    char path[160];
    scene_path_text(reader->path, path, sizeof path);
    const char *only =
        count == 1 ? scene_scalar(reader->document, scene_item(reader->document, node, 0)) : NULL;
    if (only && strpbrk(only, " \t;")) { /* [0 0 1] is a list of one word */
        return scene_fail(reader->error, scene_location(reader->document, node),
                          "separate the numbers by commas",
                          "%s must be %s, but is the one word '%.60s'", path, expected, only);
    }
    return scene_fail(reader->error, scene_location(reader->document, node),
                      reader->dimension == 2 ? "this scene has dimension: 2"
                                             : "a scene has three dimensions unless it says "
                                               "'dimension: 2'",
                      "%s must be %s, but has %zu", path, expected, count);
}

static bool read_vector(SceneReader *reader, const SceneKey *key, int node, void *field) {
    ScreeVec3 *out = field;
    double v[3] = {0, 0, 0};
    size_t count = scene_items(reader->document, node);
    if (count != 3 && !(count == 2 && reader->dimension == 2)) {
        return wrong_length(reader, node, "");
    }
    if (!scene_read_numbers(reader, key, node, v, count)) {
        return false;
    }
    if (reader->dimension == 2 && v[2] != 0) {
        return scene_wrong_type(reader, scene_item(reader->document, node, 2),
                                "without a z component in two dimensions");
    }
    *out = (ScreeVec3){v[0], v[1], v[2]};
    return true;
}

const SceneType scene_type_vector = {"a vector", NULL, read_vector, false, false};

/* Angular velocity: in two dimensions one number, about z. */
static bool read_spin(SceneReader *reader, const SceneKey *key, int node, void *field) {
    ScreeVec3 *out = field;
    double v[3] = {0, 0, 0};
    if (reader->dimension == 2 && scene_scalar(reader->document, node)) {
        *out = (ScreeVec3){0, 0, 0};
        return scene_read_number(reader, key, node, &out->z);
    }
    if (scene_items(reader->document, node) != 3) {
        return scene_wrong_type(reader, node,
                                reader->dimension == 2 ? "a number" : "a list of 3 numbers");
    }
    if (!scene_read_numbers(reader, key, node, v, 3)) {
        return false;
    }
    if (reader->dimension == 2 && (v[0] != 0 || v[1] != 0)) {
        return scene_wrong_type(reader, node, "about z only in two dimensions");
    }
    *out = (ScreeVec3){v[0], v[1], v[2]};
    return true;
}

const SceneType scene_type_spin = {"a spin", NULL, read_spin, false, false};

/* The same for a wall, which a single number in three dimensions turns about its own axis. */
static bool read_turn(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneTurn *turn = field;
    turn->scalar = reader->dimension == 3 && scene_scalar(reader->document, node);
    if (turn->scalar) {
        turn->v = (ScreeVec3){0, 0, 0};
        return scene_read_number(reader, key, node, &turn->v.x);
    }
    return read_spin(reader, key, node, &turn->v);
}

const SceneType scene_type_turn = {"a spin", NULL, read_turn, false, false};

static bool read_counts(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneCounts *counts = field;
    double v[3] = {1, 1, 1};
    size_t n = scene_items(reader->document, node);
    if (n != (size_t)reader->dimension) {
        return wrong_length(reader, node, ", one for each direction");
    }
    if (!scene_read_numbers(reader, key, node, v, n)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        if (v[i] != floor(v[i]) || v[i] < 1 || v[i] > 1e9) {
            return scene_wrong_type(reader, scene_item(reader->document, node, i),
                                    "made of whole numbers from 1 to 1e9");
        }
        counts->n[i] = (int64_t)v[i];
    }
    return true;
}

const SceneType scene_type_counts = {"2 or 3 whole numbers", NULL, read_counts, false, false};

static bool read_points(SceneReader *reader, const SceneKey *key, int node, void *field) {
    ScenePoints *points = field;
    size_t count = scene_items(reader->document, node);
    if (count == 0) {
        return scene_wrong_type(reader, node, "a list of vectors");
    }
    points->points = scene_alloc(reader->arena, count, sizeof *points->points);
    if (!points->points) {
        return scene_no_memory(reader);
    }
    points->count = count;
    for (size_t i = 0; i < count; i++) {
        ScenePath here = {reader->path, NULL, i};
        reader->path = &here;
        bool ok =
            read_vector(reader, key, scene_item(reader->document, node, i), &points->points[i]);
        reader->path = here.up;
        if (!ok) {
            return false;
        }
    }
    return true;
}

const SceneType scene_type_points = {"a list of vectors", NULL, read_points, false, false};

/* Lists of vertices, counted from 0. */
static bool read_faces(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneFaces *faces = field;
    size_t count = scene_items(reader->document, node);
    if (count == 0) {
        return scene_wrong_type(reader, node, key->type->words);
    }
    for (size_t i = 0; i < count; i++) {
        faces->total += scene_items(reader->document, scene_item(reader->document, node, i));
    }
    double *number = scene_alloc(reader->arena, faces->total + 1, sizeof *number);
    faces->count = count;
    faces->corners = scene_alloc(reader->arena, count, sizeof *faces->corners);
    faces->corner = scene_alloc(reader->arena, faces->total + 1, sizeof *faces->corner);
    if (!number || !faces->corners || !faces->corner) {
        return scene_no_memory(reader);
    }
    for (size_t i = 0, first = 0; i < count; first += (size_t)faces->corners[i++]) {
        int face = scene_item(reader->document, node, i);
        size_t corners = scene_items(reader->document, face);
        ScenePath here = {reader->path, NULL, i};
        reader->path = &here;
        bool ok = corners >= 3 ? scene_read_numbers(reader, key, face, &number[first], corners)
                               : scene_wrong_type(reader, face, "a list of three vertices or more");
        for (size_t k = first; k < first + corners && ok; k++) {
            ok = (number[k] == floor(number[k]) && number[k] >= 0 && number[k] < 1e9) ||
                 scene_wrong_type(reader, scene_item(reader->document, face, k - first),
                                  "the number of a vertex, counted from 0");
            faces->corner[k] = ok ? (int32_t)number[k] : 0;
        }
        reader->path = here.up;
        if (!ok) {
            return false;
        }
        faces->corners[i] = (int32_t)corners;
    }
    return true;
}

const SceneType scene_type_faces = {"a list of faces, each a list of vertices counted from 0", NULL,
                                    read_faces, false, false};
