/* Scenes that are refused: where the error stands, and what it says. */
#ifndef SCREE_TESTS_SCENE_BAD_SCENES_H
#define SCREE_TESTS_SCENE_BAD_SCENES_H

#include "support.h"

/* The mark @ stands before the offending token and is removed; without one the error has no
 * place. */
typedef struct Bad {
    const char *text;
    const char *words[3]; /* all must occur in the message */
} Bad;

/* Removes the mark in a copy, and tells where it stood. */
static inline void unmark(const char *text, char *copy, int *line, int *column) {
    *line = *column = 0;
    int l = 1, c = 1;
    for (; *text; text++) {
        if (*text == '@') {
            *line = l;
            *column = c;
            continue;
        }
        l += *text == '\n';
        c = *text == '\n' ? 1 : c + 1;
        *copy++ = *text;
    }
    *copy = '\0';
}

static inline void check_bad_scene(const Bad *bad) {
    SceneError error = {-1, -1, true, "left over"};
    char text[1024];
    int line, column;
    unmark(bad->text, text, &line, &column);
    Scene *scene = scene_parse(text, strlen(text), "bad.yaml", NULL, 0, &error);
    bool refused = scene == NULL;
    if (scene) {
        ScreeWorld *world;
        refused = !scene_build(scene, &world, &error);
        scree_world_destroy(world);
    }
    bool right = refused && error.line == line && error.column == column &&
                 strstr(error.text, "error: ") && error.text[strlen(error.text) - 1] == '\n';
    for (int w = 0; w < 3 && bad->words[w]; w++) {
        right = right && strstr(error.text, bad->words[w]);
    }
    CHECK(right);
    if (!right) {
        fprintf(stderr, "%s  expected '%s'; got%s:\n%s", bad->text, bad->words[0],
                refused ? "" : " no error", error.text);
    }
    scene_free(scene);
}

static inline void check_bad_scenes(const Bad *bad, size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_bad_scene(&bad[i]);
    }
}

#endif
