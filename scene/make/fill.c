/* Random insertion without overlap: large grains first, each at the first free one of many random
 * positions. */
#include "scene/make/generators.h"

#include "base/plural.h"

#include "scene/make/clear.h"
#include "scene/make/grid.h"
#include "scene/make/room.h"
#include "scene/make/start.h"
#include "math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ATTEMPTS positions in the room, for which TRIES in the box around it are drawn at most. */
enum { ATTEMPTS = 3000, TRIES = 20 * ATTEMPTS };

static const double axis_share = 1e-12;

static int descending(const void *a, const void *b) {
    const SceneGrain *p = a, *q = b;
    if (p->r != q->r) {
        return p->r < q->r ? 1 : -1;
    }
    return (p->form > q->form) - (p->form < q->form);
}

/* ---------------------------------------------------------------- how many, how large */

static bool check_region(Scene *scene, const SceneGrainsSpec *spec, const SceneFillSpec *fill,
                         double largest, SceneError *error) {
    ScreeVec3 side = sub(fill->max, fill->min);
    SceneLocation location = scene_location_of(scene, &spec->head, "fill");
    const double sides[3] = {side.x, side.y, side.z};
    for (int k = 0; k < (int)scene->model.dimension; k++) {
        const SceneSpan *span = &scene->model.periodic.axis[k];
        bool around = span->given && sides[k] >= (span->to - span->from) * (1 - axis_share);
        if (!(sides[k] > 0)) {
            return scene_fail(error, location, NULL,
                              "every component of min must be less than that of max");
        }
        if (sides[k] < 2 * spec->radius.max && !around) {
            return scene_fail(error, location, "widen the region or take smaller grains",
                              "a grain of radius %g does not fit into the region",
                              spec->radius.max);
        }
        if (span->given && span->to - span->from < 2 * largest) {
            return scene_fail(error, scene_location_of(scene, &spec->head, "radius"), NULL,
                              "a grain of radius %g would touch itself across the periodic cell",
                              largest);
        }
    }
    return true;
}

static bool too_much(Scene *scene, const SceneGrainsSpec *spec, SceneError *error) {
    return scene_fail(error, scene_location_of(scene, &spec->head, "count"),
                      "enlarge the region, or take fewer or smaller grains",
                      "%lld %s not fit: %s more volume than the region", (long long)spec->count,
                      SCR_PLURAL(spec->count, "grain does", "grains do"),
                      SCR_PLURAL(spec->count, "it has", "they have"));
}

static bool draw_count(SceneMaker *maker, double room, SceneBatch *batch, SceneError *error) {
    const SceneGrainsSpec *spec = maker->spec;
    int d = (int)maker->scene->model.dimension;
    double sum = 0;
    if ((double)spec->count * scene_volume(d, spec->radius.min) > room) {
        return too_much(maker->scene, spec, error); /* refused before anything is made */
    }
    if (!scene_make_room(maker->scene, spec, (double)spec->count, batch, error)) {
        return false;
    }
    for (size_t i = 0; i < batch->count; i++) {
        double v;
        if (!scene_make_grain(maker, i, &batch->grains[i], &v, error)) {
            return false;
        }
        sum += v;
        if (sum > room) {
            return too_much(maker->scene, spec, error);
        }
    }
    return true;
}

/* Draws grains until the next one would overshoot by more than what is missing. */
static bool draw_fraction(SceneMaker *maker, double room, SceneBatch *batch, SceneError *error) {
    Scene *scene = maker->scene;
    const SceneGrainsSpec *spec = maker->spec;
    double target = spec->solid_fraction * room, sum = 0, v;
    double most = target / scene_volume((int)scene->model.dimension, scene_largest(maker));
    size_t capacity = 0;
    if (most > (double)scene->grain_limit) {
        /* reports that there are too many */
        return scene_make_room(scene, spec, most, batch, error);
    }
    for (size_t count = 0;; count++) {
        SceneGrain grain = {{0, 0, 0}, 0, -1};
        if (!scene_make_grain(maker, count, &grain, &v, error)) {
            return false;
        }
        if (count > 0 && sum + v - target > target - sum) {
            return true;
        }
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : (size_t)most + 16;
            capacity = capacity < scene->grain_limit ? capacity : scene->grain_limit;
            double wanted = (double)(capacity > count ? capacity : count + 1);
            if (!scene_grow_room(scene, spec, wanted, batch, error)) {
                return false;
            }
        }
        batch->grains[batch->count++] = grain;
        sum += v;
    }
}

/* ---------------------------------------------------------------- where */

typedef struct Filler {
    const Scene *scene;
    const SceneForms *forms;
    const SceneRoom *room;
    const SceneFillSpec *fill; /* the box around the room */
    SceneGrid grid;
    SceneRandom random;
    bool around[3]; /* the region covers the whole length of a periodic direction */
} Filler;

static bool bounded(const ScreeWallDef *wall) {
    return wall->shape == SCREE_WALL_SEGMENT || wall->shape == SCREE_WALL_BLOCK ||
           wall->shape >= SCREE_WALL_MESH ||
           (wall->shape == SCREE_WALL_CYLINDER && wall->length > 0);
}

/* Images of a grain across periodic directions can also meet a bounded wall. */
static bool clear_of_wall(const Filler *f, const ScreeWallDef *wall, SceneGrain ball) {
    int span[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        span[k] = bounded(wall) && f->grid.periodic[k];
    }
    for (int i = -span[0]; i <= span[0]; i++) {
        for (int j = -span[1]; j <= span[1]; j++) {
            for (int k = -span[2]; k <= span[2]; k++) {
                ScreeVec3 shift = {i * f->grid.length[0], j * f->grid.length[1],
                                   k * f->grid.length[2]};
                SceneGrain image = ball;
                image.x = add(ball.x, shift);
                if (!scene_clear_of_wall(f->forms, wall, &image)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool insert_one(Filler *f, SceneGrain *ball) {
    int d = (int)f->scene->model.dimension;
    double from[3], to[3];
    scene_grain_box(f->forms, ball, from, to);
    for (int attempt = 0, tries = 0; attempt < ATTEMPTS && tries < TRIES; tries++) {
        ball->x = (ScreeVec3){0, 0, 0};
        for (int k = 0; k < d; k++) {
            ScreeVec3 low = f->fill->min, high = f->fill->max;
            double a = *component_of(&low, k) - from[k], b = *component_of(&high, k) - to[k];
            if (f->around[k]) {
                a = f->grid.low[k];
                b = a + f->grid.length[k];
            }
            if (b < a) {
                return false; /* the grain is longer than the region */
            }
            *component_of(&ball->x, k) = a + scene_uniform(&f->random) * (b - a);
        }
        if (!scene_room_holds(f->room, ball->x)) {
            continue;
        }
        attempt++;
        bool clear = true;
        for (size_t w = 0; w < f->scene->wall_count && clear; w++) {
            ScreeWallDef wall = f->scene->walls[w].def;
            clear =
                !scene_start_wall(f->scene->started, w, &wall) || clear_of_wall(f, &wall, *ball);
        }
        if (clear && scene_grid_free_at(&f->grid, *ball)) {
            scene_grid_add(&f->grid, *ball);
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- order in space */

typedef struct Keyed {
    uint64_t key;
    SceneGrain grain;
} Keyed;

static int by_key(const void *a, const void *b) {
    const Keyed *p = a, *q = b;
    if (p->key != q->key) {
        return p->key > q->key ? 1 : -1;
    }
    for (int k = 0; k < 3; k++) { /* how qsort leaves equals differs from library to library */
        double x = component(p->grain.x, k), y = component(q->grain.x, k);
        if (x != y) {
            return x > y ? 1 : -1;
        }
    }
    return 0;
}

/* Interleaves the bits of the three cell numbers, so that near positions get near numbers (Morton's
 * order). */
static uint64_t morton(const SceneFillSpec *fill, int dimension, ScreeVec3 x) {
    ScreeVec3 low = fill->min, high = fill->max;
    int bits = dimension == 3 ? 21 : 31;
    uint64_t key = 0, cell[3] = {0, 0, 0};
    for (int k = 0; k < dimension; k++) {
        double a = *component_of(&low, k), b = *component_of(&high, k);
        double share = scr_min(scr_max((*component_of(&x, k) - a) / (b - a), 0), 1);
        uint64_t top = ((uint64_t)1 << bits) - 1;
        cell[k] = (uint64_t)(share * (double)top);
    }
    for (int bit = bits - 1; bit >= 0; bit--) {
        for (int k = dimension - 1; k >= 0; k--) {
            key = (key << 1) | ((cell[k] >> bit) & 1);
        }
    }
    return key;
}

static bool sort_in_space(const Filler *f, SceneBatch *batch) {
    Keyed *keyed = malloc((batch->count + 1) * sizeof *keyed);
    if (!keyed) {
        return false;
    }
    for (size_t i = 0; i < batch->count; i++) {
        keyed[i].grain = batch->grains[i];
        keyed[i].key = morton(f->fill, (int)f->scene->model.dimension, batch->grains[i].x);
    }
    qsort(keyed, batch->count, sizeof *keyed, by_key);
    for (size_t i = 0; i < batch->count; i++) {
        batch->grains[i] = keyed[i].grain;
    }
    free(keyed);
    return true;
}

/* ---------------------------------------------------------------- the whole */

/* Grains of a run that the scene starts from: whatever their shape, as the balls that hold them. */
static void add_started(Filler *f, const SceneStarted *started) {
    const ScreeBodyView bodies = scree_world_get_bodies(started->world);
    for (size_t i = 0; i < started->bodies; i++) {
        scene_grid_add(&f->grid, (SceneGrain){bodies.position[i], bodies.radius[i], -1});
    }
}

static bool begin(Filler *f, const SceneMaker *maker, const SceneRoom *room,
                  const SceneBatch *batches, size_t count) {
    const Scene *scene = maker->scene;
    const SceneGrainsSpec *spec = maker->spec;
    size_t capacity = 0;
    double largest = 0;
    for (size_t b = 0; b < count; b++) {
        capacity += batches[b].count;
    }
    for (size_t b = 0; b < count; b++) {
        for (size_t i = 0; i < batches[b].count; i++) {
            largest = scr_max(largest, batches[b].grains[i].r);
        }
    }
    if (scene->started) {
        const double *radius = scree_world_get_bodies(scene->started->world).radius;
        capacity += scene->started->bodies;
        for (size_t i = 0; i < scene->started->bodies; i++) {
            largest = scr_max(largest, radius[i]);
        }
    }
    *f = (Filler){.scene = scene, .forms = maker->forms, .room = room, .fill = &room->box};
    f->random =
        scene_random((uint64_t)scene->model.seed, (uint64_t)spec->head.index, RANDOM_POSITION);
    return scene_grid_make(&f->grid, &scene->model, maker->forms, capacity, largest);
}

static void find_around(Filler *f) {
    ScreeVec3 side = sub(f->fill->max, f->fill->min);
    for (int k = 0; k < 3; k++) {
        f->around[k] =
            f->grid.periodic[k] && *component_of(&side, k) >= f->grid.length[k] * (1 - axis_share);
    }
}

static double volume_of(const Filler *f, const SceneGrain *grain) {
    return grain->form < 0 ? scene_volume((int)f->scene->model.dimension, grain->r)
                           : f->forms->outline[f->forms->form[grain->form].outline].shape.area;
}

/* What would help: a region in which all grains of the entry take up no more than random positions allow, or where
 * even the largest does not fit, larger in itself. */
static bool no_room(const Filler *f, const SceneGrainsSpec *spec, const SceneBatch *batch,
                    size_t done, double sum, SceneError *error) {
    static const double reached[] = {0.45, 0.3}; /* solid fractions in the plane and in space */
    double all = 0, room = f->room->volume;
    char hint[160];
    for (size_t i = 0; i < batch->count; i++) {
        all += volume_of(f, &batch->grains[i]);
    }
    double larger = all / (reached[f->room->dimension - 2] * room);
    if (larger > 1) {
        snprintf(hint, sizeof hint,
                 f->fill->inside != NULL
                     ? "give the wall %.2g times the room inside, or take fewer"
                     : "make the region %.2g times as large, such as higher, and let them fall; or "
                       "take fewer, or a lattice",
                 larger);
    } else {
        snprintf(hint, sizeof hint,
                 "the region is narrow for such grains, or walls and other grains are in it: widen "
                 "or move it");
    }
    return scene_fail(
        error, scene_location_of(f->scene, &spec->head, "fill"), hint,
        "grains[%d]: only %zu of %zu %s found room, a solid fraction of %.3f; the next one has "
        "radius %g",
        spec->head.index, done, batch->count, SCR_PLURAL(batch->count, "grain", "grains"),
        sum / room, batch->grains[done].r);
}

static bool insert_all(Filler *f, const SceneGrainsSpec *spec, SceneBatch *batch,
                       SceneError *error) {
    double sum = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (!insert_one(f, &batch->grains[i])) {
            return no_room(f, spec, batch, i, sum, error);
        }
        sum += volume_of(f, &batch->grains[i]);
    }
    return true;
}

static bool fill_room(SceneMaker *maker, const SceneRoom *room, SceneBatch *batches, size_t count,
                      size_t index, SceneError *error) {
    Scene *scene = maker->scene;
    const SceneGrainsSpec *spec = maker->spec;
    SceneBatch *batch = &batches[index];
    bool counted = scene_has(scene, &spec->head, "count");
    if (!check_region(scene, spec, &room->box, scene_largest(maker), error) ||
        !(counted ? draw_count(maker, room->volume, batch, error)
                  : draw_fraction(maker, room->volume, batch, error))) {
        return false;
    }
    Filler f;
    if (!begin(&f, maker, room, batches, count)) {
        return scene_out_of_memory(error, scene_location_of(scene, &spec->head, "fill"), NULL);
    }
    find_around(&f);
    if (scene->started) {
        add_started(&f, scene->started);
    }
    for (size_t b = 0; b < count; b++) {
        for (size_t i = 0; b != index && i < batches[b].count; i++) {
            scene_grid_add(&f.grid, batches[b].grains[i]);
        }
    }
    qsort(batch->grains, batch->count, sizeof *batch->grains, descending);
    bool ok = insert_all(&f, spec, batch, error);
    if (ok && !sort_in_space(&f, batch)) {
        ok = scene_out_of_memory(error, scene_location_of(scene, &spec->head, "fill"), NULL);
    }
    scene_grid_free(&f.grid);
    return ok;
}

bool scene_make_fill(SceneMaker *maker, SceneBatch *batches, size_t count, size_t index,
                     SceneError *error) {
    SceneRoom room;
    bool ok = scene_room_make(&room, maker->scene, &maker->spec->fill, error) &&
              fill_room(maker, &room, batches, count, index, error);
    scene_room_free(&room);
    return ok;
}
