#include "scene/make/inlet.h"

#include "math/vec.h"
#include "scene/make/batch.h"
#include "scene/make/grains.h"
#include "scene/make/shapes.h"
#include "scene/make/sizes.h"

enum { POOL = 64 };

/* A stream of its own for every grain; entries of grains have others. */
static SceneRandom stream(const Scene *scene, size_t inlet, int64_t k, uint64_t purpose) {
    const uint64_t seed = scene_mix((uint64_t)scene->model.seed ^ scene_mix((uint64_t)k + 1));
    return scene_random(seed, UINT64_C(0x696e6c6574) + inlet, purpose);
}

static const SceneInletSpec *spec_of(const Scene *scene, size_t inlet) {
    return (const SceneInletSpec *)scene->model.inlets.items + inlet;
}

static SceneMaker maker_of(Scene *scene, const SceneGrainsSpec *spec, SceneForms *forms) {
    SceneMaker maker = scene_maker(scene, spec, forms);
    if (maker.angle.kind == ANGLE_NONE) {
        maker.angle = (SceneAngle){.kind = ANGLE_UNIFORM, .to = 6.28318530717958647692};
    }
    if (maker.orientation.kind == ORIENTATION_NONE) {
        maker.orientation.kind = ORIENTATION_RANDOM;
    }
    return maker;
}

/* ---------------------------------------------------------------- shapes */

static size_t pool_of(const SceneShapeSpec *shape, const SceneGrainsSpec *spec) {
    const bool drawn = shape->random.head.node || shape->rock.head.node ||
                       shape->library.head.node || spec->scale.kind > SIZES_ONE;
    return drawn ? POOL : 1;
}

static bool fill_pool(Scene *scene, SceneMaker *maker, size_t inlet, ScreeWorld *world,
                      SceneError *error) {
    const size_t count = scene->inlet_shapes[inlet].count;
    for (size_t i = 0; i < count; i++) {
        SceneGrain grain = {{0, 0, 0}, 0, -1};
        ScreeBodyDef body = scree_body_def_default();
        double volume = 0;
        maker->sizes = stream(scene, inlet, -(int64_t)i - 2, RANDOM_RADIUS);
        maker->corners = stream(scene, inlet, -(int64_t)i - 2, RANDOM_CORNERS);
        if (!scene_make_grain(maker, i, &grain, &volume, error) ||
            !scene_set_shape(scene, world, maker->spec, maker->forms, grain.form, &body, error)) {
            return false;
        }
        scene->inlet_shapes[inlet].item[i] = (SceneInletShape){body.shape, grain.r, volume};
    }
    return true;
}

bool scene_add_inlet_shapes(Scene *scene, ScreeWorld *world, SceneError *error) {
    bool ok = true;
    for (size_t i = 0; i < scene->model.inlets.count && ok; i++) {
        const SceneGrainsSpec *spec = &spec_of(scene, i)->grain;
        const SceneShapeSpec *shape = scene_shape_of(scene, spec);
        SceneForms forms = {0};
        if (!shape) {
            continue;
        }
        SceneMaker maker = maker_of(scene, spec, &forms);
        const size_t count = pool_of(shape, spec);
        SceneInletPool *pool = &scene->inlet_shapes[i];
        pool->item =
            pool->item ? pool->item : scene_alloc(&scene->arena, count, sizeof *pool->item);
        pool->count = count;
        ok = pool->item ? fill_pool(scene, &maker, i, world, error)
                        : scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
        scene_free_forms(&forms);
    }
    return ok;
}

double scene_inlet_largest(const Scene *scene, size_t inlet) {
    const SceneGrainsSpec *spec = &spec_of(scene, inlet)->grain;
    const SceneMaker maker = {.spec = spec, .shape = scene_shape_of(scene, spec)};
    return scene_largest(&maker);
}

/* ---------------------------------------------------------------- grains */

static double density_of(const Scene *scene, int32_t material) {
    return ((const SceneMaterialSpec *)scene->model.materials.items)[material].density;
}

/* Size, shape and rotation. Returns the volume. */
static double draw_form(const Scene *scene, size_t inlet, int64_t k, ScreeBodyDef *body) {
    const SceneGrainsSpec *spec = &spec_of(scene, inlet)->grain;
    const SceneInletPool *pool = &scene->inlet_shapes[inlet];
    SceneRandom sizes = stream(scene, inlet, k, RANDOM_RADIUS);
    if (pool->count == 0) {
        body->radius = scene_draw_radius(&spec->radius, &sizes, (size_t)k);
        return scene_volume((int)scene->model.dimension, body->radius);
    }
    const double share = scene_uniform(&sizes);
    const SceneInletShape *shape = &pool->item[(size_t)(share * (double)pool->count)];
    SceneMaker maker = maker_of((Scene *)(uintptr_t)scene, spec, NULL);
    maker.angles = stream(scene, inlet, k, RANDOM_ANGLE);
    body->shape = shape->id;
    body->radius = shape->radius;
    body->orientation = scene_draw_turn(&maker, (size_t)k);
    return shape->volume;
}

static ScreeVec3 draw_velocity(const Scene *scene, size_t inlet, int64_t k) {
    const SceneInletSpec *spec = spec_of(scene, inlet);
    SceneRandom random = stream(scene, inlet, k, RANDOM_VELOCITY);
    ScreeVec3 v = spec->grain.velocity;
    for (int axis = 0; axis < (int)scene->model.dimension && spec->grain.spread > 0; axis++) {
        *component_of(&v, axis) +=
            spec->grain.spread * scene_draw_deviate(spec->grain.spread_kind, &random);
    }
    return v;
}

ScreeBodyDef scene_inlet_grain(const Scene *scene, size_t inlet, int64_t k, double *amount) {
    const SceneInletSpec *spec = spec_of(scene, inlet);
    ScreeBodyDef body = scree_body_def_default();
    const double volume = draw_form(scene, inlet, k, &body);
    body.material.index = spec->material;
    body.mass =
        spec->grain.mass > 0 ? spec->grain.mass : density_of(scene, spec->material) * volume;
    body.velocity = draw_velocity(scene, inlet, k);
    body.spin = spec->grain.spin;
    *amount = spec->rate.mass > 0 ? body.mass : spec->rate.volume > 0 ? volume : 1;
    return body;
}
