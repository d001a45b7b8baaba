/* Expressions of conditions: arithmetic and truth against values worked out by hand, faults and their
 * places, and what names stand for in a run. */
#include "support.h"

#include "scene/play/expression.h"

/* ---------------------------------------------------------------- the language */

/* a = 3, b.c = -2, lid-1.load_z = 7, none = not a number; the quantile q of "speed" is 10 q. */
static bool known_number(void *context, const char *name, double *value) {
    static const char *const names[] = {"a", "b.c", "lid-1.load_z", "none"};
    static const double values[] = {3, -2, 7, NAN};
    (void)context;
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, names[i]) == 0) {
            *value = values[i];
            return true;
        }
    }
    return false;
}

static bool known_quantile(void *context, const char *name, double share, double *value) {
    (void)context;
    *value = 10 * share;
    return strcmp(name, "speed") == 0;
}

static const ExpressionNames names = {known_number, known_quantile, NULL};

static void check_each(const char *const *text, bool holds) {
    for (; *text; text++) {
        ExpressionFault fault;
        bool right = scene_expression_check(*text, &names, &fault) &&
                     scene_expression_holds(*text, &names) == holds;
        CHECK(right);
        if (!right) {
            fprintf(stderr, "%s: %s\n", *text, fault.text);
        }
    }
}

static void arithmetic_has_its_precedence(void) {
    static const char *const holds[] = {"1 + 2 * 3 == 7",
                                        "(1 + 2) * 3 == 9",
                                        "8 / 4 / 2 == 1",
                                        "7 - 2 - 1 == 4",
                                        "-2 ** 2 == -4",
                                        "2 ** 3 ** 2 == 512",
                                        "2 ** -1 == 0.5",
                                        "4 ** 0.5 == 2",
                                        "b.c ** 3 == -8",
                                        "- -1 == 1",
                                        "abs(b.c) == 2 and sqrt(16) == 4",
                                        "exp(0) == 1 and log(1) == 0",
                                        "1e3 == 1000 and .5 == 0.5 and 2.5E-1 == 0.25",
                                        "quantile(speed, 0.25) == 2.5",
                                        "quantile( speed , 1/2 ) == 5",
                                        "a-1 == 2",
                                        "a -1 == 2",
                                        "a-b.c == 5",
                                        "lid-1.load_z-a == 4",
                                        NULL};
    check_each(holds, true);
}

static void comparisons_join_as_one_reads_them(void) {
    static const char *const holds[] = {"a > 2",
                                        "a >= 3 and a <= 3",
                                        "0 < a < 4",
                                        "0 < a < 4 < 5",
                                        "a != 4",
                                        "not a < 2",
                                        "not not a == 3",
                                        "a < 2 or b.c < 0",
                                        "a < 2 and a < 2 or a > 2",
                                        "a > 2 or a < 2 and a < 2",
                                        "(a > 2 or a < 2) and not (a < 2 or a < 1)",
                                        "\n\ta > 2\r\n",
                                        NULL};
    static const char *const fails[] = {
        "a > 3",      "a < 3",          "0 < a < 2",       "4 > a > 3.5",
        "not a == 3", "a < 2 or a < 1", "a > 2 and a < 2", "(a > 2 or a > 1) and a < 2",
        NULL};
    check_each(holds, true);
    check_each(fails, false);
}

/* What is not a number makes neither a comparison true nor its contrary. */
static void undefined_numbers_decide_nothing(void) {
    static const char *const fails[] = {"none > 1",
                                        "none < 1",
                                        "none == none",
                                        "none != 1",
                                        "not none > 1",
                                        "none > 1 and a > 2",
                                        "none > 1 or a > 9",
                                        "not (none > 1 or a > 9)",
                                        "sqrt(-1) < 1",
                                        "log(-1) < 1",
                                        "(-8) ** 0.5 < 1",
                                        "0 / 0 < 1",
                                        NULL};
    static const char *const holds[] = {"none > 1 or a > 2", "not (none > 1 and a > 9)", NULL};
    check_each(fails, false);
    check_each(holds, true);
}

static void faults_are_told_with_their_place(void) {
    static const struct {
        const char *text, *words;
        size_t offset, length;
    } bad[] = {{"", "a name or a number", 0, 0},
               {"a", "a comparison is expected", 0, 1},
               {"a > 2 + (a > 1)", "a number is expected", 8, 7},
               {"a > 2 and a", "a comparison is expected", 10, 1},
               {"a > c", "no number has this name", 4, 1},
               {"b.d > 1", "no number has this name", 0, 3},
               {"(a > 1", "a closing parenthesis", 6, 0},
               {"a > 1)", "operator is expected", 5, 1},
               {"a > 1 a", "operator is expected", 6, 1},
               {"a > > 1", "a name or a number", 4, 1},
               {"a > 1x", "a number is expected", 4, 2},
               {"a > 0x1p3", "a number is expected", 4, 5},
               {"a = 3", "a comparison is expected", 0, 1},
               {"sin(a) > 1", "functions are", 0, 3},
               {"quantile(mass, 0.5) > 1", "there are quantiles of", 9, 4},
               {"quantile(speed, 1.5) > 1", "from 0 to 1", 16, 3},
               {"quantile(speed) > 1", "a share", 14, 1},
               {"and > 1", "no number has this name", 0, 3}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ExpressionFault fault;
        bool refused = !scene_expression_check(bad[i].text, &names, &fault);
        bool right = refused && strstr(fault.text, bad[i].words) && fault.offset == bad[i].offset &&
                     fault.length == bad[i].length;
        CHECK(right && !scene_expression_holds(bad[i].text, &names));
        if (!right) {
            fprintf(stderr, "%s: %s at %zu, %zu\n", bad[i].text, fault.text, fault.offset,
                    fault.length);
        }
    }
}

/* None may take the stack with it. */
static void endless_nesting_is_refused(void) {
    static const char *const parts[] = {"(", "-", "not ", "abs(", "2 ** ", "a > 1 and (", "2 ** -"};
    enum { TIMES = 20000 };
    char *text = malloc(TIMES * 16);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        size_t length = strlen(parts[p]);
        for (size_t i = 0; i < TIMES; i++) {
            memcpy(text + i * length, parts[p], length);
        }
        text[TIMES * length] = '\0';
        ExpressionFault fault;
        CHECK(!scene_expression_check(text, &names, &fault));
        CHECK(strstr(fault.text, "nested too deeply") != NULL);
    }
    free(text);
}

/* ---------------------------------------------------------------- in a run */

#define WORLD                                                                                      \
    "dimension: 3\ntime: {step: 0.01, end: 10}\ngravity: [0, 0, 0]\n"                              \
    "materials: {m: {density: 1}}\n"

/* The time at which the scene stops by its condition, or -1. */
static double time_of_stop(const char *text) {
    SceneError error = {0};
    ScreeWorld *world = NULL;
    Scene *scene = scene_parse(text, strlen(text), "scene.yaml", NULL, 0, &error);
    double time = -1;
    bool fine = scene && scene_build(scene, &world, &error);
    ScreeReport report = {0};
    const char *why = "";
    while (fine && !scene_finished(scene, world, &report, &why)) {
        fine = scene_before_step(scene, world, &report, &error) &&
               scree_world_step(world, &report) == SCREE_OK;
    }
    if (fine && strstr(why, "stop condition")) {
        time = scree_world_get_time(world);
    } else if (!fine) {
        fprintf(stderr, "%s", error.text);
    }
    scree_world_destroy(world);
    scene_free(scene);
    return time;
}

/* Grains fly freely at 1 to 4 along x: everything about them is known at all times. */
static void runs_stop_when_free_flight_says_so(void) {
    static const char grains[] =
        "grains:\n"
        "  - {position: [0, 0, 0], radius: 0.1, velocity: [1, 0, 0]}\n"
        "  - {position: [0, 1, 0], radius: 0.1, velocity: [2, 0, 0]}\n"
        "  - {position: [0, 2, 0], radius: 0.1, velocity: [4, 0, 0]}\n"
        "  - {position: [0, 3, 0], radius: 0.1, frozen: all}\n"
        "measures: {far: {every: 1000, region: {x: [2.005, 3.005], y: [-1, 4], z: [-1, 1]}}}\n";
    static const struct {
        const char *condition;
        double time;
    } cases[] = {
        {"expression: \"quantile(x, 1) > 2.005\"", 0.51},
        {"expression: \"quantile(x, 0) > 2.005\"", 2.01},
        {"expression: \"quantile(x, 0.5) > 2.005\"", 1.01},
        {"expression: \"quantile(x, 0.75) > 2.98\"", 1.0}, /* at three times the time */
        {"expression: \"far.bodies > 0\"", 0.51},
        {"expression: \"far.bodies == 0\"", 0.76}, /* it must have been false, and is at 0.51 */
        {"expression: \"far.bodies == 1 and time > 1\"", 1.01},
        {"expression: \"speed_max == 4 and time >= 3\"", 3},
        {"expression: \"time > 2.001\", every: 100", 3},
        {"expression: \"time > 2.001\", hold: 0.5", 2.51},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, WORLD "%sstop: {%s}\n", grains, cases[i].condition);
        double time = time_of_stop(text);
        bool right = fabs(time - cases[i].time) < 1e-9;
        CHECK(right);
        if (!right) {
            fprintf(stderr, "%s: %.12g instead of %g\n", cases[i].condition, time, cases[i].time);
        }
    }
}

/* A lid comes down at 1 from 3, and meets a lattice of grains with its face at 2. */
static void walls_are_known_by_their_names(void) {
    static const char walls[] =
        "grains: [{position: [0, 0, 1], radius: 1, mass: 1}]\n"
        "walls:\n"
        "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "  lid-1: {plane: {point: [0, 0, 3], normal: [0, 0, -1]}, velocity: [0, 0, -1]}\n";
    char text[2000];
    snprintf(text, sizeof text, WORLD "%sstop: {expression: \"lid-1.position_z < 2.505\"}\n",
             walls);
    CHECK_NEAR(time_of_stop(text), 0.5, 1e-9);
    snprintf(text, sizeof text, WORLD "%sstop: {expression: \"lid-1.displacement_z < -0.505\"}\n",
             walls);
    CHECK_NEAR(time_of_stop(text), 0.51, 1e-9);
    snprintf(text, sizeof text,
             WORLD "%sevents: [{when: {expression: \"lid-1.position_z < 2.005\"}, "
                   "set_velocity: {wall: lid-1, velocity: [0, 0, 0]}}]\n"
                   "stop: {expression: \"lid-1.velocity_z == 0 and floor.load_z == 0\"}\n",
             walls);
    CHECK_NEAR(time_of_stop(text), 1.01, 1e-9);
}

/* A cell that is sheared at 0.5 has a strain of 1 after a time of 2. */
static void the_cell_is_known_by_its_strain(void) {
    static const char cell[] = "periodic: {x: [0, 10], y: [0, 10], z: [0, 10]}\n"
                               "cell: {rate: {xy: 0.5, zz: -0.1}}\n"
                               "grains: [{position: [5, 5, 5], radius: 0.5}]\n";
    char text[2000];
    snprintf(text, sizeof text, WORLD "%sstop: {expression: \"cell.strain_xy > 0.9975\"}\n", cell);
    CHECK_NEAR(time_of_stop(text), 2, 1e-9);
    /* V = 1000 (1 - 0.001)^n falls below 900 after n = log 0.9 / log 0.999 = 105.3 steps */
    snprintf(text, sizeof text, WORLD "%sstop: {expression: \"cell.volume < 900\"}\n", cell);
    CHECK_NEAR(time_of_stop(text), 1.06, 1e-9);
}

/* Grains fly at 1 towards a plane at 1 from 0.995, 0.895, ..., 0.095: one passes it every 0.1. */
static void outlets_are_known_by_what_has_passed(void) {
    static const char flow[] =
        "grains: [{lattice: {min: [0.045, 0, 0], counts: [10, 1, 1], spacing: 0.1}, radius: 0.04, "
        "mass: 2, velocity: [1, 0, 0]}]\n"
        "outlets: {end: {plane: {point: [1, 0, 0], normal: [1, 0, 0]}}}\n";
    char text[2000];
    snprintf(text, sizeof text, WORLD "%sstop: {expression: \"end.number == 4\"}\n", flow);
    CHECK_NEAR(time_of_stop(text), 0.32, 1e-9); /* removed at 0.31, before the next step */
    snprintf(text, sizeof text, WORLD "%sstop: {expression: \"end.mass > 9 and bodies < 6\"}\n",
             flow);
    CHECK_NEAR(time_of_stop(text), 0.42, 1e-9);
}

int main(int argc, char **argv) {
    CHECK_RUN(arithmetic_has_its_precedence);
    CHECK_RUN(comparisons_join_as_one_reads_them);
    CHECK_RUN(undefined_numbers_decide_nothing);
    CHECK_RUN(faults_are_told_with_their_place);
    CHECK_RUN(endless_nesting_is_refused);
    CHECK_RUN(runs_stop_when_free_flight_says_so);
    CHECK_RUN(walls_are_known_by_their_names);
    CHECK_RUN(the_cell_is_known_by_its_strain);
    CHECK_RUN(outlets_are_known_by_what_has_passed);
    return check_result();
}
