/* Grains on a lattice. */
#include "scene/make/generators.h"

#include "math/vec.h"

#include <stdio.h>

typedef struct Lattice {
    ScreeVec3 first; /* centre of the first grain */
    double spacing;
    double row, layer; /* distances of rows along y and of layers along z */
    bool hexagonal, space;
    int64_t n[3];
} Lattice;

/* Odd rows are shifted by half a spacing; odd layers lie over the hollows of the layer below. */
static ScreeVec3 centre(const Lattice *l, int64_t i, int64_t j, int64_t k) {
    ScreeVec3 x = l->first;
    x.x += (double)i * l->spacing;
    x.y += (double)j * l->row;
    x.z += (double)k * l->layer;
    if (l->hexagonal) {
        bool odd_row = j % 2 != 0, odd_layer = k % 2 != 0;
        x.x += odd_row != odd_layer ? l->spacing / 2 : 0;
        x.y += odd_layer ? l->row / 3 : 0;
    }
    return x;
}

/* How many fit into `length`, if the first takes `spacing` and each further one `step`. */
static double count_fitting(double length, double spacing, double step) {
    double n = floor((length - spacing) / step + 1 + 1e-9);
    return n > 0 ? n : 0;
}

static bool describe(const SceneMaker *maker, Lattice *l, SceneError *error) {
    const Scene *scene = maker->scene;
    const SceneGrainsSpec *spec = maker->spec;
    const SceneLatticeSpec *lattice = &spec->lattice;
    SceneLocation location = scene_location_of(scene, &spec->head, "lattice");
    bool space = scene->model.dimension == 3;
    bool counted = scene_has(scene, &lattice->head, "counts");
    if (counted == scene_has(scene, &lattice->head, "max")) {
        return scene_fail(error, location, NULL, "a lattice needs either max or counts");
    }
    if (lattice->kind == (space ? LATTICE_SQUARE : LATTICE_CUBIC)) {
        return scene_fail(error, scene_location_of(scene, &lattice->head, "kind"),
                          space ? "use cubic or hexagonal" : "use square or hexagonal",
                          "a %s lattice does not exist in %s dimensions",
                          space ? "square" : "cubic", space ? "three" : "two");
    }
    l->space = space;
    l->hexagonal = lattice->kind == LATTICE_HEXAGONAL;
    l->spacing =
        scene_has(scene, &lattice->head, "spacing") ? lattice->spacing : 2 * scene_largest(maker);
    l->row = l->hexagonal ? l->spacing * sqrt(0.75) : l->spacing;
    l->layer = l->hexagonal ? l->spacing * sqrt(2.0 / 3.0) : l->spacing;
    l->first =
        add(lattice->min, (ScreeVec3){l->spacing / 2, l->spacing / 2, space ? l->spacing / 2 : 0});
    double n[3] = {(double)lattice->counts.n[0], (double)lattice->counts.n[1],
                   (double)lattice->counts.n[2]};
    if (!counted) {
        ScreeVec3 side = sub(lattice->max, lattice->min);
        n[0] = count_fitting(side.x, l->spacing, l->spacing);
        n[1] = count_fitting(side.y, l->spacing, l->row);
        n[2] = count_fitting(side.z, l->spacing, l->layer);
    }
    for (int i = 0; i < 3; i++) {
        l->n[i] = i == 2 && !space ? 1 : (int64_t)scr_min(scr_max(n[i], 0), 1e9);
    }
    for (int k = 0; k < 3; k++) {
        if (l->n[k] == 0) {
            return scene_fail(
                error, location,
                "move min and max apart, take a smaller spacing, or give counts instead of max",
                "no grain with spacing %g fits between min and max, which are %g apart along %c",
                l->spacing, component(sub(lattice->max, lattice->min), k), "xyz"[k]);
        }
    }
    return true;
}

/* When max is given, shifted rows and layers may lose their last grains. */
static bool inside(const Lattice *l, const SceneLatticeSpec *spec, bool counted, ScreeVec3 x) {
    double reach = l->spacing / 2 * (1 - 1e-9);
    return counted || (x.x + reach <= spec->max.x && x.y + reach <= spec->max.y);
}

bool scene_make_lattice(SceneMaker *maker, SceneBatch *batch, SceneError *error) {
    Scene *scene = maker->scene;
    const SceneGrainsSpec *spec = maker->spec;
    Lattice l = {0};
    if (!describe(maker, &l, error) ||
        !scene_make_room(scene, spec, (double)l.n[0] * (double)l.n[1] * (double)l.n[2], batch,
                         error)) {
        return false;
    }
    bool counted = scene_has(scene, &spec->lattice.head, "counts");
    uint64_t seed = (uint64_t)scene->model.seed, entry = (uint64_t)spec->head.index;
    SceneRandom shifts = scene_random(seed, entry, RANDOM_JITTER);
    double jitter = spec->lattice.jitter;
    batch->count = 0;
    for (int64_t k = 0; k < l.n[2]; k++) {
        for (int64_t j = 0; j < l.n[1]; j++) {
            for (int64_t i = 0; i < l.n[0]; i++) {
                ScreeVec3 x = centre(&l, i, j, k);
                if (!inside(&l, &spec->lattice, counted, x)) {
                    continue;
                }
                for (int axis = 0; jitter > 0 && axis < (l.space ? 3 : 2); axis++) {
                    *component_of(&x, axis) += jitter * (2 * scene_uniform(&shifts) - 1);
                }
                SceneGrain *grain = &batch->grains[batch->count];
                grain->x = x;
                if (!scene_make_grain(maker, batch->count, grain, NULL, error)) {
                    return false;
                }
                batch->count++;
            }
        }
    }
    return true;
}
