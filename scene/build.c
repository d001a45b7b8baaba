/* From the scene to a world: settings, materials and laws, walls, grains. */
#include "scene/internal.h"

#include <stdio.h>
#include <string.h>

static ScreeWorldDef world_def(const SceneModel *m) {
    ScreeWorldDef def = scree_default_world();
    def.dimension = (int)m->dimension;
    def.gravity = m->gravity;
    def.time_step = m->time.step;
    def.signed_gap = m->signed_gap;
    def.skin = m->skin;
    def.seed = (uint64_t)m->seed;
    for (int k = 0; k < 3; k++) {
        def.periodic[k] = m->periodic.axis[k].given;
    }
    def.cell_min =
        (ScreeVec3){m->periodic.axis[0].from, m->periodic.axis[1].from, m->periodic.axis[2].from};
    def.cell_max =
        (ScreeVec3){m->periodic.axis[0].to, m->periodic.axis[1].to, m->periodic.axis[2].to};
    def.solver.order = (ScreeOrder)m->solver.order;
    def.solver.criterion = (ScreeCriterion)m->solver.criterion;
    def.solver.tolerance = m->solver.tolerance;
    def.solver.overlap = m->solver.overlap;
    def.solver.small_force = m->solver.small_force;
    def.solver.iterations = (int)m->solver.iterations;
    def.solver.warm_start = m->solver.warm_start;
    return def;
}

static bool add_materials(const Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneMaterialSpec *materials = scene->model.materials.items;
    for (size_t i = 0; i < scene->model.materials.count; i++) {
        ScreeMaterialDef def = scree_default_material();
        def.density = materials[i].density;
        def.law.friction = materials[i].friction;
        ScreeStatus status = scree_add_material(world, &def, NULL);
        if (status != SCREE_OK) {
            return scene_fail_status(scene, world, status,
                                     scene_place_of(scene, &materials[i].head, NULL), error);
        }
    }
    const ScenePairSpec *pairs = scene->model.pairs.items;
    for (size_t i = 0; i < scene->model.pairs.count; i++) {
        ScreeLaw law;
        ScreeStatus status = scree_get_law(world, pairs[i].a, pairs[i].b, &law);
        law.friction = pairs[i].friction;
        if (status == SCREE_OK) {
            status = scree_set_law(world, pairs[i].a, pairs[i].b, &law);
        }
        if (status != SCREE_OK) {
            return scene_fail_status(scene, world, status,
                                     scene_place_of(scene, &pairs[i].head, NULL), error);
        }
    }
    return true;
}

static bool add_walls(const Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneWallSpec *specs = scene->model.walls.items;
    for (size_t i = 0; i < scene->wall_count; i++) {
        ScreeStatus status = scree_add_wall(world, &scene->walls[i].def, NULL);
        if (status != SCREE_OK) {
            const SceneHead *head = &specs[scene->walls[i].entry].head;
            return scene_fail_status(scene, world, status, scene_place_of(scene, head, NULL),
                                     error);
        }
    }
    return true;
}

/* Grains named in events must exist; their number is known only now. */
static bool check_ranges(const Scene *scene, const ScreeWorld *world, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    size_t count = scree_bodies(world).count;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        const SceneHead *heads[] = {&events[i].set_velocity.head, &events[i].set_force.head};
        const SceneGrainRange *ranges[] = {&events[i].set_velocity.grains,
                                           &events[i].set_force.grains};
        for (int k = 0; k < 2; k++) {
            if (ranges[k]->given && !ranges[k]->all && (size_t)ranges[k]->last >= count) {
                char hint[80];
                snprintf(hint, sizeof hint, "the grains have numbers 0 to %zu", count - 1);
                return scene_fail(error, scene_place_of(scene, heads[k], "grains"), hint,
                                  "there is no grain %lld", (long long)ranges[k]->last);
            }
        }
    }
    return true;
}

bool scene_build(Scene *scene, ScreeWorld **world, SceneError *error) {
    SceneError unused;
    error = error ? error : &unused;
    *error = (SceneError){0, 0, ""};
    *world = NULL;
    ScreeWorldDef def = world_def(&scene->model);
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeWorld *made = NULL;
    ScreeStatus status = scree_create_world(&def, &made, message);
    if (status != SCREE_OK) {
        return scene_fail(error, scene_place(&scene->document, 1), NULL, "%s",
                          message[0] ? message : scree_status_text(status));
    }
    if (!add_materials(scene, made, error) || !add_walls(scene, made, error) ||
        !scene_add_grains(scene, made, error) || !check_ranges(scene, made, error)) {
        scree_destroy_world(made);
        return false;
    }
    memset(scene->events, 0, (scene->model.events.count + 1) * sizeof *scene->events);
    for (size_t i = 0; i < scene->wall_count; i++) {
        scene->wall_drive[i] = DRIVE_OWN; /* a new run begins */
    }
    *world = made;
    return true;
}
