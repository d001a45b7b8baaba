#include "scene/make/start.h"

#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SceneLocation place(const Scene *scene, const char *key) {
    return scene_location_of(scene, &scene->model.start.head, key);
}

/* ---------------------------------------------------------------- names */

static bool match_materials(const Scene *scene, SceneStarted *s, SceneError *error) {
    const ScreeBodyView bodies = scree_world_get_bodies(s->from->world);
    for (size_t i = 0; i < s->from->materials; i++) {
        s->material[i] = SCREE_NO_MATERIAL;
        for (size_t k = 0; k < scene_material_count(scene); k++) {
            if (strcmp(s->from->material[i], scene_material_name(scene, (int32_t)k)) == 0) {
                s->material[i].index = (int32_t)k;
            }
        }
    }
    for (size_t i = 0; i < bodies.count; i++) {
        const size_t was = (size_t)bodies.material[i].index;
        if (was >= s->from->materials || SCREE_IS_NULL(s->material[was])) {
            return scene_fail(error, place(scene, "run"), "add it to materials",
                              "grains of the run are of '%.60s', a material that this scene lacks",
                              was < s->from->materials ? s->from->material[was] : "?");
        }
    }
    return true;
}

static bool same_vector(ScreeVec3 a, ScreeVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool written_alike(const ScreeWallDef *a, const ScreeWallDef *b) {
    const ScreeQuat p = a->orientation, q = b->orientation;
    return a->shape == b->shape && same_vector(a->point, b->point) &&
           same_vector(a->normal, b->normal) && same_vector(a->end, b->end) &&
           same_vector(a->half, b->half) && same_vector(a->axis, b->axis) && p.w == q.w &&
           p.x == q.x && p.y == q.y && p.z == q.z && a->part == b->part && a->radius == b->radius &&
           a->length == b->length && a->end_radius == b->end_radius && a->inside == b->inside &&
           a->holes[0] == b->holes[0] && a->holes[1] == b->holes[1] &&
           a->spacing[0] == b->spacing[0] && a->spacing[1] == b->spacing[1];
}

/* Whether the scene of the run has written the wall in the same way. What that scene named may be
 * gone; then names and kinds must do. */
static bool goes_on(const SceneWall *wall, const Scene *before, const ScreeWallState *state) {
    for (size_t i = 0; before && i < before->wall_count; i++) {
        if (strcmp(before->walls[i].name, wall->name) == 0) {
            return written_alike(&before->walls[i].def, &wall->def);
        }
    }
    return !before && state->now.shape == wall->def.shape;
}

static void match_walls(const Scene *scene, const Scene *before, SceneStarted *s) {
    const ScreeStart *from = s->from;
    for (size_t i = 0; i < from->walls; i++) {
        s->wall[i] = SCREE_NO_WALL;
        for (size_t k = 0; k < scene->wall_count; k++) {
            const SceneWall *wall = &scene->walls[k];
            if (scene->model.start.walls == START_WALLS_RUN &&
                strcmp(wall->name, from->wall[i]) == 0 && goes_on(wall, before, &from->state[i])) {
                s->wall[i].index = (int32_t)k;
                s->kept[k] = (int32_t)i;
            }
        }
    }
}

/* As with walls: a cell that is written as in the scene of the run is the one that the run has left. */
static bool cell_goes_on(const Scene *scene, const Scene *before) {
    const ScenePeriodicSpec *now = &scene->model.periodic;
    bool same = now->head.node == 0 || before;
    for (int axis = 0; axis < 3 && same && now->head.node != 0; axis++) {
        const SceneSpan a = now->axis[axis], b = before->model.periodic.axis[axis];
        same = a.given == b.given && (!a.given || (a.from == b.from && a.to == b.to));
    }
    return same;
}

static void match_geometry(const Scene *scene, SceneStarted *s) {
    const ScreeStart *from = s->from;
    SceneError unused = {0};
    Scene *before = scene_parse(from->scene_text, strlen(from->scene_text), from->scene_name,
                                from->overrides, from->override_count, &unused);
    match_walls(scene, before, s);
    s->same_cell = cell_goes_on(scene, before);
    scene_free(before);
}

/* ---------------------------------------------------------------- reading */

static bool load_run(Scene *scene, SceneStarted *s, const char *path, SceneError *error) {
    const SceneStartSpec *spec = &scene->model.start;
    char message[SCREE_FILE_MESSAGE_SIZE] = "";
    if (scene->file_limit == 0) {
        return scene_fail(error, place(scene, "run"), NULL, "no files are read here");
    }
    const ScreeStatus status = scree_start_load(path, spec->frame, &s->from, message);
    if (status == SCREE_NO_MEMORY) {
        return scene_out_of_memory(error, place(scene, "run"), NULL);
    }
    if (status != SCREE_OK) {
        return scene_fail(error, place(scene, "run"),
                          "a relative path starts from the folder of the scene",
                          "cannot begin from this run: %.300s", message);
    }
    return scree_world_get_def(s->from->world).dimension == (int)scene->model.dimension ||
           scene_fail(error, place(scene, "run"), "give dimension as in the scene of the run",
                      "the run is in %d dimensions and the scene in %d",
                      scree_world_get_def(s->from->world).dimension, (int)scene->model.dimension);
}

bool scene_read_start(Scene *scene, SceneStarted *s, SceneError *error) {
    const SceneStartSpec *spec = &scene->model.start;
    *s = (SceneStarted){.take = scree_take_def_default()};
    char *path = scene_named_path(scene, &spec->head, "run", spec->run);
    if (!path) {
        return scene_out_of_memory(error, place(scene, "run"), NULL);
    }
    if (!load_run(scene, s, path, error)) {
        return false;
    }
    s->material = calloc(s->from->materials + 1, sizeof *s->material);
    s->wall = calloc(s->from->walls + 1, sizeof *s->wall);
    s->kept = calloc(scene->wall_count + 1, sizeof *s->kept);
    if (!s->material || !s->wall || !s->kept) {
        return scene_out_of_memory(error, place(scene, "run"), NULL);
    }
    for (size_t k = 0; k < scene->wall_count; k++) {
        s->kept[k] = -1;
    }
    if (!match_materials(scene, s, error)) {
        return false;
    }
    match_geometry(scene, s);
    s->take.material = s->material;
    s->take.wall = s->wall;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t copies = spec->replicate.n[axis];
        s->take.copies[axis] = copies > 0 ? (int32_t)scr_min((double)copies, INT32_MAX) : 1;
    }
    return true;
}

void scene_free_start(SceneStarted *s) {
    scree_start_destroy(s->from);
    free(s->material);
    free(s->wall);
    free(s->kept);
    *s = (SceneStarted){0};
}

/* ---------------------------------------------------------------- the cell */

static bool is_oblique(const ScreeWorldDef *def) {
    bool oblique = false;
    for (int k = 0; k < 9; k++) {
        ScreeVec3 edge = def->deform.vector[k / 3];
        oblique =
            oblique || (def->periodic[k / 3] && k % 4 != 0 && *component_of(&edge, k % 3) != 0);
    }
    return oblique;
}

/* An oblique cell is taken as it is. */
static bool start_oblique(Scene *scene, const SceneStarted *s, const ScreeWorldDef *was,
                          ScreeWorldDef *def, SceneError *error) {
    if (!s->same_cell) {
        return scene_fail(error, scene_location_of(scene, &scene->model.periodic.head, NULL),
                          "leave out periodic", "the cell of the run is oblique");
    }
    for (int axis = 0; axis < 3; axis++) {
        if (s->take.copies[axis] > 1) {
            return scene_fail(error, place(scene, "replicate"), "leave it out",
                              "the cell of the run is oblique, and cannot be multiplied");
        }
        def->deform.vector[axis] = was->deform.vector[axis];
    }
    return true;
}

/* A cell that is held by stresses goes on at the rate that these have brought it to, as pistons do. */
static void keep_rates(const ScreeCellDef *was, ScreeCellDef *now) {
    for (int k = 0; k < 9 && was->deforms && now->deforms; k++) {
        const int turned = 3 * (k % 3) + k / 3;
        const bool held = now->control[k] == SCREE_CELL_STRESS ||
                          (now->symmetric && now->control[turned] == SCREE_CELL_STRESS) ||
                          (now->isotropic && k % 4 == 0);
        now->rate[k] = held ? was->rate[k] : now->rate[k];
    }
}

bool scene_start_cell(Scene *scene, const SceneStarted *s, ScreeWorldDef *def, SceneError *error) {
    ScreeWorldDef was = scree_world_get_def(s->from->world);
    const bool given = !s->same_cell;
    if (is_oblique(&was) && !start_oblique(scene, s, &was, def, error)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double low = *component_of(&was.cell_min, axis), n = s->take.copies[axis];
        const double high = low + n * (*component_of(&was.cell_max, axis) - low);
        const double now =
            *component_of(&def->cell_max, axis) - *component_of(&def->cell_min, axis);
        if (n > 1 && !was.periodic[axis]) {
            return scene_fail(error, place(scene, "replicate"), "write 1 for this direction",
                              "the run is not periodic along %c", 'x' + axis);
        }
        if (n > 1 && given &&
            (!def->periodic[axis] || !(fabs(now - (high - low)) <= 1e-9 * (high - low)))) {
            char hint[120];
            snprintf(hint, sizeof hint, "leave out periodic, or write %c: [%.17g, %.17g]",
                     'x' + axis, low, high);
            return scene_fail(error, scene_location_of(scene, &scene->model.periodic.head, NULL),
                              hint, "the cell does not hold %d copies side by side along %c",
                              (int)n, 'x' + axis);
        }
        if (!given && was.periodic[axis]) {
            def->periodic[axis] = true;
            *component_of(&def->cell_min, axis) = low;
            *component_of(&def->cell_max, axis) = high;
            scene->model.periodic.axis[axis] = (SceneSpan){true, low, high};
        }
    }
    if (!given) {
        keep_rates(&was.deform, &def->deform);
    }
    return true;
}

/* ---------------------------------------------------------------- into the world */

bool scene_start_bodies(Scene *scene, SceneStarted *s, ScreeWorld *world, SceneError *error) {
    const double all = (double)s->take.copies[0] * s->take.copies[1] * s->take.copies[2];
    const double bodies = all * (double)scree_world_get_bodies(s->from->world).count;
    if (bodies > (double)scene->grain_limit) {
        return scene_fail(error, place(scene, "replicate"), "take fewer copies",
                          "there would be more than %zu grains in all", scene->grain_limit);
    }
    ScreeStatus status = scree_world_take_bodies(world, s->from->world, &s->take);
    s->bodies = scree_world_get_bodies(world).count;
    s->world = world;
    ScreeOverlap found = {0};
    if (status == SCREE_OK) { /* walls count where they are as they were */
        status = scree_world_find_overlaps(s->from->exact ? s->from->world : world, &found);
        s->overlap = found.count > 0 ? found.depth : 0;
    }
    return status == SCREE_OK || scene_fail_status(world, status, place(scene, "run"), error);
}

bool scene_start_wall(const SceneStarted *s, size_t wall, ScreeWallDef *def) {
    if (!s || s->kept[wall] < 0) {
        return true;
    }
    const ScreeWallDef *now = &s->from->state[s->kept[wall]].now;
    def->point = now->point;
    def->normal = now->normal;
    def->end = now->end;
    def->orientation = now->orientation;
    def->axis = now->axis;
    def->pivot = now->pivot;
    def->has_pivot = true;
    if (def->motion == SCREE_WALL_PISTON && now->motion == SCREE_WALL_PISTON) {
        const ScreeVec3 d = now->direction; /* what it has along it; across it the scene says */
        def->velocity = add_scaled(def->velocity, dot(sub(now->velocity, def->velocity), d), d);
    }
    return s->from->state[s->kept[wall]].present;
}

/* Walls that the scene still has hold what they held in the run; the others let their grains go. */
static ScreeStatus take_holders(const SceneStarted *s, ScreeWorld *world) {
    const ScreeBodyView was = scree_world_get_bodies(s->from->world);
    const ScreeWallId *holder = s->from->holder ? s->from->holder : was.holder;
    const size_t copies = was.count > 0 ? s->bodies / was.count : 0;
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; holder && i < was.count * copies && status == SCREE_OK; i++) {
        const ScreeBodyId body = {(int32_t)i};
        const int32_t held = holder[i / copies].index;
        const ScreeWallId wall = held >= 0 ? s->wall[held] : SCREE_NO_WALL;
        const bool later =
            was.holder && was.holder[i / copies].index >= 0; /* frozen in that world */
        if (!SCREE_IS_NULL(wall) && s->from->state[held].present) {
            status = scree_body_set_holder(world, body, wall);
        } else if (held >= 0 || later) {
            status = scree_body_set_frozen(world, body, 0);
        }
    }
    return status;
}

bool scene_start_contacts(Scene *scene, const SceneStarted *s, ScreeWorld *world,
                          SceneError *error) {
    ScreeStatus status = SCREE_OK;
    for (size_t k = 0; k < scene->wall_count && status == SCREE_OK; k++) {
        if (s->kept[k] >= 0 && !s->from->state[s->kept[k]].present) {
            status = scree_wall_remove(world, (ScreeWallId){(int32_t)k});
            scene->wall_drive[k] = WALL_REMOVED;
        }
    }
    if (status == SCREE_OK) {
        status = take_holders(s, world);
    }
    if (status == SCREE_OK) {
        status = scree_world_take_contacts(world, s->from->world, &s->take);
    }
    if (status != SCREE_OK) {
        return scene_fail_status(world, status, place(scene, "run"), error);
    }
    const char *path =
        scene_named_path(scene, &scene->model.start.head, "run", scene->model.start.run);
    return (path && scene_note_named(scene, path, scree_world_hash(world))) ||
           scene_out_of_memory(error, place(scene, "run"), NULL);
}

bool scene_start_is_all(const Scene *scene, const SceneStarted *s) {
    bool all = scene->model.grains.count == 0;
    for (size_t k = 0; k < scene->wall_count; k++) {
        all = all && s->kept[k] >= 0;
    }
    return all;
}
