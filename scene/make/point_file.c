/* Control points in a file: one on each line, with a weight behind it or without. */
#include "scene/make/curves.h"

#include "scene/read/reader.h"

#include <stdlib.h>
#include <string.h>

/* Up to `most` numbers separated by commas; how many, or 0 when the line is none such. */
static int numbers_of_line(const char *line, size_t length, double *value, int most) {
    char text[200], *at = text;
    if (length >= sizeof text) {
        return 0;
    }
    memcpy(text, line, length);
    text[length] = '\0';
    int count = 0;
    while (at && count < most) {
        char *comma = strchr(at, ','), *end = comma ? comma : at + strlen(at);
        while (*at == ' ' || *at == '\t') {
            at++;
        }
        while (end > at && strchr(" \t\r", end[-1])) {
            end--;
        }
        *end = '\0';
        if (scene_number_from(at, &value[count++])) {
            return 0;
        }
        at = comma ? comma + 1 : NULL;
    }
    return at ? 0 : count;
}

/* The weight follows the `dimension` coordinates, and is 1 where it is not given. */
static bool read_line(const char *line, size_t length, int dimension, ScreeVec3 *point,
                      double *weight) {
    double v[4] = {0};
    v[dimension] = 1;
    bool ok = numbers_of_line(line, length, v, dimension + 1) >= dimension;
    *point = (ScreeVec3){v[0], v[1], dimension == 3 ? v[2] : 0};
    *weight = v[dimension];
    return ok;
}

static bool read_lines(const SceneSource *source, int dimension, ScenePointFile *file,
                       SceneError *error) {
    const char *at = source->text, *end = source->text + source->size;
    for (int line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        size_t blank = strspn(at, " \t\r");
        if (at + blank < stop && at[blank] != '#') {
            if (!read_line(at, (size_t)(stop - at), dimension, &file->point[file->count],
                           &file->weight[file->count])) {
                return scene_fail(error, (SceneLocation){source, line, 1, 1}, NULL,
                                  dimension == 3 ? "a line must be x, y, z or x, y, z, weight"
                                                 : "a line must be x, y or x, y, weight");
            }
            file->count++;
        }
        at = stop < end ? stop + 1 : end;
    }
    return true;
}

bool scene_read_points(Scene *scene, const SceneHead *head, const char *name, int dimension,
                       ScenePointFile *file, SceneError *error) {
    const size_t limit = dimension == 3 ? 1 << 22 : 1 << 20;
    SceneSource source;
    size_t lines = 1;
    if (!scene_read_named(scene, head, name, limit, &source, error)) {
        return false;
    }
    for (size_t i = 0; i < source.size; i++) {
        lines += source.text[i] == '\n';
    }
    *file = (ScenePointFile){scene_alloc(&scene->arena, lines, sizeof *file->point),
                             scene_alloc(&scene->arena, lines, sizeof *file->weight), 0};
    bool ok = file->point && file->weight
                  ? read_lines(&source, dimension, file, error)
                  : scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    free((char *)source.text);
    return ok;
}
