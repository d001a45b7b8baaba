/* The hands of the playground: what they do to a world follows from their equations. */
#include "playground/play.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One ball without gravity, in a box too large to be reached. */
static const char *const ALONE = "dimension: 2\n"
                                 "time: {step: 1e-3, end: 1}\n"
                                 "materials: {stone: {friction: 0.5}}\n"
                                 "walls: {box: {box: {min: [-9, -9], max: [9, 9]}}}\n"
                                 "grains: [{position: [0, 0], radius: 0.1, mass: 2}]\n";

static int load(Play *play, const char *text) {
    memcpy(play_room(play, strlen(text)), text, strlen(text));
    return play_load(play, strlen(text));
}

static void steps(Play *play, int count) {
    for (int i = 0; i < count; i++) {
        CHECK(play_step(play) == 0);
    }
}

/* The state as a scene, a copy. */
static char *scene_of(Play *play) {
    size_t size = play_answer(play, PLAY_SCENE);
    char *text = calloc(size + 1, 1);
    memcpy(text, play_bytes(play), size);
    return text;
}

/* A number after a word of the state. */
static double number_after(Play *play, const char *word) {
    char *text = scene_of(play);
    const char *at = strstr(text, word);
    double value = at != NULL ? strtod(at + strlen(word), NULL) : NAN;
    free(text);
    return value;
}

/* Critical damping: x = d (1 - (1 + w t) exp(-w t)). The scheme is of first order, so the error halves
 * with the step. */
static void a_grain_follows_the_pointer(void) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        Play *play = play_create();
        char text[400];
        snprintf(text, sizeof text, "%s", ALONE);
        memcpy(strstr(text, "1e-3"), k == 0 ? "2e-3" : "1e-3", 4);
        CHECK(load(play, text) == 0);
        play_grab(play, 0, 0.5, 0, 0, 10);
        steps(play, k == 0 ? 100 : 200);
        const double t = 0.2, w = 10, x = 0.5 * (1 - (1 + w * t) * exp(-w * t));
        error[k] = number_after(play, "grains:\n  - {position: [") - x;
        CHECK(fabs(error[k]) < 0.02 * x);
        play_destroy(play);
    }
    CHECK_CLOSE(error[0] / error[1], 2.0, 0.1);
}

/* Who is not touched stays where he is, while the box moves: as seen from the box, he goes back by as
 * much. Both are integrated by the same scheme, so this holds to rounding. */
static void what_is_free_stays_while_the_box_moves(void) {
    Play *play = play_create();
    CHECK(load(play, ALONE) == 0);
    play_hold(play, 0.7, -0.3, 0, 12);
    play_shake(play, 0.05, 0, 0, 3);
    steps(play, 400);
    CHECK(fabs(play_box(play, 0) - 0.7) < 0.06 && fabs(play_box(play, 1) + 0.3) < 0.06);
    CHECK_NEAR(number_after(play, "grains:\n  - {position: ["), -play_box(play, 0), 1e-12);
    play_destroy(play);
}

static void a_grain_that_is_let_go_keeps_its_own_force(void) {
    Play *play = play_create();
    char text[400];
    snprintf(text, sizeof text, "%.*s, force: [3, 0]}]\n", (int)strlen(ALONE) - 3, ALONE);
    CHECK(load(play, text) == 0);
    play_grab(play, 0, 0, 1, 0, 10);
    steps(play, 50);
    play_release(play);
    CHECK(number_after(play, "force: [") == 3);
    const double before = number_after(play, "velocity: [");
    steps(play, 100);
    CHECK_NEAR(number_after(play, "velocity: [") - before, 0.1 * 3 / 2, 1e-12);
    play_destroy(play);
}

static void grains_are_poured_where_there_is_room(void) {
    static const char *const spaces[] = {
        "dimension: 2\ntime: {step: 1e-3, end: 1}\nmaterials: {stone: {}}\n"
        "walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "grains: [{position: [0, 1], radius: 0.1}]\n",
        "time: {step: 1e-3, end: 1}\nmaterials: {stone: {}}\n"
        "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}\n"
        "grains: [{position: [0, 1, 0], radius: 0.1}]\n"};
    for (int space = 0; space < 2; space++) {
        Play *play = play_create();
        CHECK(load(play, spaces[space]) == 0);
        for (int form = 0; form < PLAY_FORM_COUNT; form++) {
            CHECK(play_pour(play, form, form + 1, 1, 0, 0.2, (uint32_t)form) == 0);
        }
        CHECK(play_pour(play, 0, 0.25, 1, 0, 0.2, 0) == 2); /* in the first grain */
        CHECK(play_pour(play, 0, 8, 0.15, 0, 0.2, 0) == 2); /* in the floor */
        CHECK(play_pour(play, 0, 8, 0.25, 0, 0.2, 0) == 0);
        steps(play, 20);
        play_destroy(play);
    }
}

/* A wall holds what lies on it until it is removed; then that falls: y = y0 - g t^2 / 2. */
static void walls_are_drawn_and_removed(void) {
    Play *play = play_create();
    CHECK(load(play, ALONE) == 0);
    play_gravity(play, 0, -10, 0);
    CHECK(play_undo_wall(play) == 1);
    CHECK(play_wall(play, -1, -0.1, 0, 1, -0.1, 0, 0) == 0);
    steps(play, 100);
    CHECK_NEAR(number_after(play, "grains:\n  - {position: [0, "), 0, 1e-9);
    CHECK(play_undo_wall(play) == 0);
    CHECK(play_undo_wall(play) == 1);
    steps(play, 100);
    CHECK_NEAR(number_after(play, "grains:\n  - {position: [0, "), -0.5 * 10 * 0.1 * 0.101, 1e-9);
    CHECK(play_wall(play, 0, 0, 0, 0, 0, 0, 0) == 1 && play_message(play)[0] != 0);
    play_destroy(play);
}

static void laws_are_those_of_all_pairs(void) {
    Play *play = play_create();
    CHECK(load(play, "dimension: 2\ngravity: [0, -5]\ntime: {step: 1e-3, end: 1}\n"
                     "materials: {stone: {friction: 0.2}, clay: {friction: 0.4}}\n"
                     "grains:\n"
                     "  - {position: [0, 0], radius: 0.1, mass: 2, material: stone}\n"
                     "  - {position: [1, 0], radius: 0.1, mass: 4, material: clay}\n") == 0);
    CHECK(play_get_law(play, PLAY_FRICTION) == 0.2);
    CHECK(play_set_law(play, PLAY_FRICTION, 0.9) == 0);
    CHECK(play_set_law(play, PLAY_COHESION, 2) == 0); /* of the mean weight, 3 * 5 */
    CHECK(number_after(play, "cohesion: ") == 30);
    char *text = scene_of(play);
    int found = 0;
    for (const char *at = text; (at = strstr(at, "friction: ")) != NULL; found++) {
        at += strlen("friction: ");
        CHECK(strtod(at, NULL) == 0.9);
    }
    CHECK(found == 3); /* both materials, and the pair */
    CHECK(play_set_law(play, PLAY_RESTITUTION, 2) == 1 && play_message(play)[0] != 0);
    free(text);
    play_destroy(play);
}

static int lines_of(const char *text) {
    int count = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++) {
        count++;
    }
    return count;
}

/* What was written is read, and is the same again, to the last digit. */
static void the_state_is_a_scene(void) {
    Play *play = play_create(), *again = play_create();
    CHECK(load(play, ALONE) == 0);
    play_gravity(play, 1, -10, 0);
    for (int form = 0; form < PLAY_FORM_COUNT; form++) {
        CHECK(play_pour(play, form, 0.5 * form, 1, 0, 0.2, 7) == 0);
    }
    CHECK(play_wall(play, -3, -1, 0, 3, -1, 0, 0) == 0);
    steps(play, 50);
    char *first = scene_of(play);
    CHECK(load(again, first) == 0);
    char *second = scene_of(again);
    const char *from = strstr(first, "\n"), *to = strstr(second, "\n"); /* the first has the time */
    CHECK(strncmp(strstr(from, "grains:"), strstr(to, "grains:"), 60) == 0);
    CHECK(lines_of(first) == lines_of(second));
    free(first);
    free(second);
    play_destroy(play);
    play_destroy(again);
}

/* A pin that is held stays held: it does not fall after saving and loading. */
static void what_is_frozen_stays_so(void) {
    Play *play = play_create(), *again = play_create();
    char text[400];
    snprintf(text, sizeof text, "%.*s, frozen: all}]\ngravity: [0, -10]\n", (int)strlen(ALONE) - 3,
             ALONE);
    CHECK(load(play, text) == 0);
    steps(play, 10);
    char *state = scene_of(play);
    CHECK(strstr(state, "frozen: [x, y, rotation_z]") != NULL);
    CHECK(load(again, state) == 0);
    steps(again, 100);
    CHECK(number_after(again, "grains:\n  - {position: [0, ") == 0);
    free(state);
    play_destroy(play);
    play_destroy(again);
}

static void a_scene_that_is_wrong_leaves_the_world_alone(void) {
    Play *play = play_create();
    CHECK(load(play, ALONE) == 0);
    steps(play, 3);
    CHECK(load(play, "dimension: 2\ntime: {stp: 1}\n") == 1);
    CHECK(strstr(play_message(play), "did you mean 'step'") != NULL);
    CHECK_NEAR(play_time(play), 3e-3, 1e-15);
    steps(play, 1);
    play_destroy(play);
}

/* With the sweeps that the page gives it. Steps that are too long do not converge when the heap lands, and cost more in all
 * than short ones. */
static void steps_of_the_silo_converge(void) {
    enum { SIZE = 4000, SWEEPS = 200 };
    char text[SIZE] = "";
    FILE *file = fopen("playground/scenes/silo.yaml", "rb");
    CHECK(file != NULL);
    if (file == NULL) {
        return;
    }
    const size_t size = fread(text, 1, SIZE - 1, file);
    fclose(file);
    Play *play = play_create();
    CHECK(size > 0 && load(play, text) == 0 && play_sweeps(play, SWEEPS) == 0);
    int failed = 0;
    while (play_time(play) < 0.35 && play_step(play) == 0) {
        play_answer(play, PLAY_REPORT);
        failed += strstr((const char *)play_bytes(play), "\"converged\":1") == NULL;
    }
    CHECK(play_time(play) >= 0.35);
    CHECK(failed == 0);
    play_destroy(play);
}

int main(int argc, char **argv) {
    CHECK_RUN(a_grain_follows_the_pointer);
    CHECK_RUN(what_is_free_stays_while_the_box_moves);
    CHECK_RUN(a_grain_that_is_let_go_keeps_its_own_force);
    CHECK_RUN(grains_are_poured_where_there_is_room);
    CHECK_RUN(walls_are_drawn_and_removed);
    CHECK_RUN(laws_are_those_of_all_pairs);
    CHECK_RUN(the_state_is_a_scene);
    CHECK_RUN(what_is_frozen_stays_so);
    CHECK_RUN(a_scene_that_is_wrong_leaves_the_world_alone);
    CHECK_RUN(steps_of_the_silo_converge);
    return check_result();
}
