/* Definitions must begin from their default functions or are refused; and what ids tell about
 * themselves. */
#include "physics/rig.h"

/* A zeroed definition is refused, and the message names the function to begin with. */
#define NAMES(text, function) CHECK(strstr((text), #function "()") != NULL)

static void definitions_of_zeros_are_refused(void) {
    char words[SCREE_MESSAGE_SIZE] = "";
    ScreeWorld *world = NULL;
    const ScreeWorldDef no_world = {0};
    CHECK(scree_world_create(&no_world, &world, words) == SCREE_BAD_ARGUMENT && world == NULL);
    NAMES(words, scree_world_def_default);
    ScreeWorldDef no_solver = rig_def(2, 0.01, rig_vec(0, 0, 0));
    no_solver.solver = (ScreeSolverDef){.tolerance = 1e-3, .overlap = 1e-3, .iterations = 100};
    CHECK(scree_world_create(&no_solver, &world, words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_solver_def_default);

    world = rig_world(2, 0.01, rig_vec(0, -10, 0), 0.3);
    const char *message = scree_world_get_message(world);
    const uint64_t before = scree_world_hash(world);
    CHECK(scree_world_set_solver(world, &no_solver.solver) == SCREE_BAD_ARGUMENT);
    NAMES(message, scree_solver_def_default);
    const ScreeMaterialDef material = {.density = 1, .law = scree_law_default()};
    CHECK(scree_world_add_material(world, &material, NULL) == SCREE_BAD_ARGUMENT);
    NAMES(message, scree_material_def_default);
    const ScreeBodyDef body = {.orientation = {1, 0, 0, 0}, .radius = 1, .shape = SCREE_NO_SHAPE};
    CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_BAD_ARGUMENT);
    NAMES(message, scree_body_def_default);
    const ScreeWallDef wall = {.normal = {0, 1, 0}, .material = SCREE_NO_MATERIAL};
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_BAD_ARGUMENT);
    NAMES(message, scree_wall_def_default);
    CHECK(scree_world_hash(world) == before);
    scree_world_destroy(world);
}

static void measures_and_problems_of_zeros_are_refused(void) {
    char words[SCREE_MESSAGE_SIZE] = "";
    const ScreeSample sample = {.dimension = 2};
    const ScreeMeasureDef measure = {.max = {1, 1, 1}};
    ScreeMeasures measures;
    CHECK(scree_sample_measure(&sample, &measure, &measures, words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_measure_def_default);
    double mean[2];
    words[0] = '\0';
    CHECK(scree_sample_measure_partners(&sample, &measure, mean, words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_measure_def_default);
    ScreeBin bin;
    words[0] = '\0';
    CHECK(scree_sample_measure_distribution(&sample, &measure, SCREE_DISTRIBUTION_NORMAL, 0, &bin,
                                            1, words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_measure_def_default);
    ScreeSurface surface;
    words[0] = '\0';
    CHECK(scree_sample_measure_surface(&sample, &measure, 0, &surface, words) ==
          SCREE_BAD_ARGUMENT);
    NAMES(words, scree_measure_def_default);
    ScreeFlow flow;
    words[0] = '\0';
    CHECK(scree_sample_measure_flow(&sample, &measure, rig_vec(0, 0, 0), rig_vec(1, 0, 0), &flow,
                                    words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_measure_def_default);
    const ScreeGridDef grid = {.max = {1, 1, 1}, .cells = {1, 1, 1}};
    ScreeCell cell;
    CHECK(scree_sample_measure_grid(&sample, &grid, &cell, words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_grid_def_default);
    const ScreeIndeterminacyDef def = {.amplitude = 1, .tolerance = 1e-8};
    const ScreeSurroundings around = {0};
    ScreeIndeterminacy whole;
    CHECK(scree_sample_measure_indeterminacy(&sample, &around, &def, NULL, &whole, NULL, words) ==
          SCREE_BAD_ARGUMENT);
    NAMES(words, scree_indeterminacy_def_default);

    const ScreeProblemDef none = {.components = 3};
    ScreeProblem *problem = NULL;
    CHECK(scree_problem_create(&none, &problem, words) == SCREE_BAD_ARGUMENT && problem == NULL);
    NAMES(words, scree_problem_def_default);
    const ScreeProblemDef empty = scree_problem_def_default();
    const ScreeProblemSettings settings = {.solver = "auto", .tolerance = 1e-8};
    ScreeProblemReport report;
    double r = 0;
    rig_must(scree_problem_create(&empty, &problem, NULL), "problem");
    CHECK(scree_problem_solve(problem, &settings, &r, &report, words) == SCREE_BAD_ARGUMENT);
    NAMES(words, scree_problem_settings_default);
    scree_problem_destroy(problem);
}

/* Definitions that a world returns are as good as new ones, also after saving and loading. */
static void definitions_of_a_loaded_world_are_accepted(void) {
    ScreeWorld *world = rig_world(2, 0.01, rig_vec(0, -10, 0), 0.3), *loaded = NULL, *other = NULL;
    size_t size = 0;
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_must(scree_world_save(world, NULL, &size), "size");
    void *bytes = malloc(size);
    rig_must(scree_world_save(world, bytes, &size), "save");
    rig_must(scree_world_load(bytes, size, &loaded, NULL), "load");
    const ScreeWorldDef def = scree_world_get_def(loaded);
    CHECK(scree_world_create(&def, &other, NULL) == SCREE_OK);
    CHECK(scree_world_set_solver(loaded, &def.solver) == SCREE_OK);
    const ScreeWallState wall = rig_wall(loaded, 0);
    CHECK(other != NULL && scree_world_add_wall(other, &wall.now, NULL) == SCREE_OK);
    scree_world_destroy(other);
    scree_world_destroy(loaded);
    scree_world_destroy(world);
    free(bytes);
}

static void partners_are_bodies_or_walls(void) {
    for (int32_t i = 0; i < 3; i++) {
        const ScreePartner body = scree_partner_from_body((ScreeBodyId){i});
        const ScreePartner wall = scree_partner_from_wall((ScreeWallId){i});
        CHECK(!scree_partner_is_wall(body) && scree_partner_is_wall(wall));
        CHECK(body.code == i && wall.code == -1 - i); /* as in files */
        CHECK(scree_partner_get_body(body).index == i && scree_partner_get_wall(wall).index == i);
        CHECK(SCREE_IS_NULL(scree_partner_get_wall(body)));
        CHECK(SCREE_EQUALS(scree_partner_get_body(wall), SCREE_NO_BODY));
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(definitions_of_zeros_are_refused);
    CHECK_RUN(measures_and_problems_of_zeros_are_refused);
    CHECK_RUN(definitions_of_a_loaded_world_are_accepted);
    CHECK_RUN(partners_are_bodies_or_walls);
    return check_result();
}
