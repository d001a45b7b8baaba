/* From the entries under `grains` to bodies in the world. */
#include "scene/make/generators.h"
#include "scene/make/grains.h"
#include "scene/make/start.h"

#include "base/plural.h"

#include "math/elementary.h"
#include "math/vec.h"
#include "scene/make/shapes.h"
#include "scene/make/sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

static const char *const sources[] = {"position", "at", "file", "lattice", "fill"};
enum { SOURCES = sizeof sources / sizeof sources[0] };

/* ---------------------------------------------------------------- checks at load */

/* A single polygon or compound lies where its coordinates say. */
static bool lies_somewhere(const Scene *scene, const SceneGrainsSpec *spec) {
    const SceneShapeSpec *shape = scene_shape_of(scene, spec);
    return shape && (shape->outline.polygon.head.node || shape->compound.items ||
                     shape->nurbs.head.node || shape->solid.polyhedron.head.node ||
                     shape->solid.mesh.head.node || shape->solid.surface.head.node);
}

static bool check_source(const Scene *scene, const SceneGrainsSpec *spec, SceneError *error) {
    const SceneHead *head = &spec->head;
    int count = 0;
    for (int i = 0; i < SOURCES; i++) {
        count += scene_has(scene, head, sources[i]);
    }
    if (count != 1 && !(count == 0 && lies_somewhere(scene, spec))) {
        return scene_fail(error, scene_location_of(scene, head, NULL),
                          "give one of position, at, file, lattice, fill",
                          count ? "grains[%d] has more than one source of positions"
                                : "grains[%d] does not say where its grains are",
                          head->index);
    }
    bool counted = scene_has(scene, head, "count"),
         share = scene_has(scene, head, "solid_fraction");
    bool fill = scene_has(scene, head, "fill");
    if (!fill && (counted || share)) {
        return scene_fail(error,
                          scene_location_of(scene, head, counted ? "count" : "solid_fraction"),
                          NULL, "grains[%d]: count and solid_fraction belong to fill", head->index);
    }
    if (fill && counted == share) {
        return scene_fail(error, scene_location_of(scene, head, "fill"), NULL,
                          "grains[%d]: fill needs either count or solid_fraction", head->index);
    }
    return true;
}

static bool check_length(const Scene *scene, const SceneGrainsSpec *spec, const char *key,
                         bool list, size_t count, SceneError *error) {
    size_t points = spec->at.count;
    if (!list || count == points) {
        return true;
    }
    const char *words = strcmp(key, "radius") == 0  ? SCR_PLURAL(count, "radius", "radii")
                        : strcmp(key, "scale") == 0 ? SCR_PLURAL(count, "scale", "scales")
                        : strcmp(key, "angle") == 0
                            ? SCR_PLURAL(count, "angle", "angles")
                            : SCR_PLURAL(count, "orientation", "orientations");
    const bool between = points == 0 && count == 2 && strcmp(key, "radius") == 0;
    return scene_fail(
        error, scene_location_of(scene, &spec->head, key),
        between ? "radii between two values are {uniform: [SMALLEST, LARGEST]}" : NULL,
        points ? "grains[%d] has %zu %s for %zu %s"
               : "grains[%d]: a list of %zu %s can only be used with 'at'",
        spec->head.index, count, words, points, SCR_PLURAL(points, "grain", "grains"));
}

static bool check_size(const Scene *scene, const SceneGrainsSpec *spec, SceneError *error) {
    const SceneHead *head = &spec->head;
    bool own = scene_has_form(&spec->form);
    bool round = spec->radius.kind != SIZES_NONE;
    const char *extra = scene_has(scene, head, "scale")   ? "scale"
                        : scene_has(scene, head, "angle") ? "angle"
                                                          : "orientation";
    if (own + round + (spec->shape != NULL) > 1) {
        return scene_fail(error, scene_location_of(scene, head, round ? "radius" : "shape"),
                          round ? "the size is a part of the shape; scale changes it" : NULL,
                          round ? "grains[%d] has a shape and a radius"
                                : "grains[%d] has more than one shape",
                          head->index);
    }
    if (!own && !round && !spec->shape && !spec->file) {
        return scene_fail(error, scene_location_of(scene, head, NULL),
                          scene->model.dimension == 2
                              ? "for example radius: 0.1, or rectangle: {size: [0.2, 0.1]}"
                              : "for example radius: 0.1, or box: {size: [0.2, 0.1, 0.1]}",
                          "'radius' is missing in grains[%d]", head->index);
    }
    if (round && scene_has(scene, head, extra)) {
        return scene_fail(error, scene_location_of(scene, head, extra), "leave it out",
                          "grains[%d]: %s applies to shapes, but these grains are round",
                          head->index, extra);
    }
    if (spec->scale.kind != SIZES_NONE && !(spec->scale.min > 0)) {
        return scene_fail(error, scene_location_of(scene, head, "scale"), NULL,
                          "grains[%d].scale must be greater than 0", head->index);
    }
    return check_length(scene, spec, "radius", spec->radius.kind == SIZES_LIST, spec->radius.count,
                        error) &&
           check_length(scene, spec, "scale", spec->scale.kind == SIZES_LIST, spec->scale.count,
                        error) &&
           check_length(scene, spec, "angle", spec->angle.kind == ANGLE_LIST, spec->angle.count,
                        error) &&
           check_length(scene, spec, "orientation", spec->orientation.kind == ORIENTATION_LIST,
                        spec->orientation.count, error);
}

bool scene_check_grains(const Scene *scene, SceneError *error) {
    const SceneGrainsSpec *specs = scene->model.grains.items;
    for (size_t i = 0; i < scene->model.grains.count; i++) {
        const SceneGrainsSpec *spec = &specs[i];
        if (!check_source(scene, spec, error) || !check_size(scene, spec, error)) {
            return false;
        }
        SceneLocation location = scene_location_of(scene, &spec->head, "material");
        if (spec->held_by && scene_has(scene, &spec->head, "frozen")) {
            return scene_fail(error, scene_location_of(scene, &spec->head, "frozen"),
                              "leave it out", "grains[%zu] move with a wall", i);
        }
        if (spec->material) {
            if (scene_material_number(scene, spec->material, location, error) < 0) {
                return false;
            }
        } else if (scene->model.materials.count > 1 && !spec->file) {
            return scene_fail(error, location, "add material: ...",
                              "grains[%zu] must name its material, since there are several", i);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- making grains */

static ScreeVec3 centroid_of(const SceneMaker *maker, const SceneGrain *grain) {
    const SceneForms *forms = maker->forms;
    return forms->outline[forms->form[grain->form].outline].shape.centroid;
}

static bool make_explicit(SceneMaker *maker, SceneBatch *batch, SceneError *error) {
    const SceneGrainsSpec *spec = maker->spec;
    size_t count = spec->at.count ? spec->at.count : 1;
    if (!scene_make_room(maker->scene, spec, (double)count, batch, error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        SceneGrain *grain = &batch->grains[i];
        if (!scene_make_grain(maker, i, grain, NULL, error)) {
            return false;
        }
        if (spec->at.count || scene_has(maker->scene, &spec->head, "position")) {
            grain->x = spec->at.count ? spec->at.points[i] : spec->position;
        } else {
            grain->x = centroid_of(maker, grain);
        }
    }
    return true;
}

static bool make_batches(Scene *scene, SceneForms *forms, SceneBatch *batches, SceneError *error) {
    const SceneGrainsSpec *specs = scene->model.grains.items;
    size_t count = scene->model.grains.count, total = 0;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        SceneMaker maker = scene_maker(scene, &specs[i], forms);
        if (specs[i].file) {
            ok = scene_read_csv(&maker, &batches[i], error);
        } else if (specs[i].lattice.head.node) {
            ok = scene_make_lattice(&maker, &batches[i], error);
        } else if (!specs[i].fill.head.node) {
            ok = make_explicit(&maker, &batches[i], error);
        }
    }
    /* last, because insertion has to know what is already there */
    for (size_t i = 0; i < count && ok; i++) {
        if (specs[i].fill.head.node) {
            SceneMaker maker = scene_maker(scene, &specs[i], forms);
            ok = scene_make_fill(&maker, batches, count, i, error);
        }
    }
    for (size_t i = 0; i < count && ok; i++) {
        total += batches[i].count;
        if (total > scene->grain_limit) {
            return scene_fail(error, scene_location_of(scene, &specs[i].head, NULL),
                              "take fewer grains", "there are more than %zu grains in all",
                              scene->grain_limit);
        }
    }
    return ok;
}

/* ---------------------------------------------------------------- into the world */

bool scene_set_shape(Scene *scene, ScreeWorld *world, const SceneGrainsSpec *spec,
                     SceneForms *forms, int32_t form, ScreeBodyDef *body, SceneError *error) {
    if (form < 0) {
        return true;
    }
    SceneOutline *outline = &forms->outline[forms->form[form].outline];
    ScreeStatus status = SCREE_OK;
    if (SCREE_IS_NULL(outline->id)) {
        status = outline->solid.def.parts > 0
                     ? scree_world_add_solid(world, &outline->solid.def, &outline->id)
                 : outline->curve.points > 0
                     ? scree_world_add_nurbs(world, &outline->curve, &outline->id)
                     : scree_world_add_shape(world, &outline->shape.def, &outline->id);
    }
    if (status != SCREE_OK) {
        return scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL), error);
    }
    body->shape = outline->id;
    body->orientation = forms->form[form].turn;
    return true;
}

/* Every component is normal about that of the velocity (Maxwell's distribution), or uniform. */
static ScreeVec3 with_spread(const Scene *scene, const SceneGrainsSpec *spec, size_t i,
                             ScreeVec3 v) {
    const uint64_t seed = scene_mix((uint64_t)scene->model.seed ^ scene_mix(i + 1));
    SceneRandom random = scene_random(seed, (uint64_t)spec->head.index, RANDOM_VELOCITY);
    for (int k = 0; k < (int)scene->model.dimension && spec->spread > 0; k++) {
        *component_of(&v, k) += spec->spread * scene_draw_deviate(spec->spread_kind, &random);
    }
    return v;
}

static bool body_of(const Scene *scene, const SceneGrainsSpec *spec, const SceneBatch *batch,
                    size_t i, ScreeBodyDef *body, SceneError *error) {
    if (batch->bodies) {
        *body = batch->bodies[i];
    } else {
        *body = scree_body_def_default();
        body->velocity = spec->velocity;
        body->spin = spec->spin;
        body->mass = spec->mass;
        body->inertia = spec->inertia;
        body->position = batch->grains[i].x;
        body->radius = batch->grains[i].r;
        body->material = SCREE_NO_MATERIAL;
    }
    body->velocity = with_spread(scene, spec, i, body->velocity);
    body->frozen = (uint32_t)spec->frozen;
    body->force = spec->force;
    body->torque = spec->torque;
    if (!SCREE_IS_NULL(body->material)) {
        return true;
    }
    SceneLocation location = scene_location_of(scene, &spec->head, "material");
    if (spec->material) {
        body->material.index = scene_material_number(scene, spec->material, location, error);
    } else if (scene->model.materials.count == 1) {
        body->material.index = 0;
    } else {
        scene_fail(error, location, "add a column 'material' or material: ...",
                   "grains[%d] must name its material, since there are several", spec->head.index);
    }
    return !SCREE_IS_NULL(body->material);
}

static bool add_batch(Scene *scene, ScreeWorld *world, SceneForms *forms,
                      const SceneGrainsSpec *spec, const SceneBatch *batch, ScreeBodyDef *chunk,
                      SceneError *error) {
    for (size_t from = 0; from < batch->count; from += CHUNK) {
        size_t n = batch->count - from < CHUNK ? batch->count - from : CHUNK;
        for (size_t i = 0; i < n; i++) {
            if (!body_of(scene, spec, batch, from + i, &chunk[i], error) ||
                !scene_set_shape(scene, world, spec, forms, batch->grains[from + i].form, &chunk[i],
                                 error)) {
                return false;
            }
        }
        ScreeStatus status = scree_world_add_bodies(world, chunk, n, NULL);
        if (status != SCREE_OK) {
            return scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL),
                                     error);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- overlaps */

/* "grains[0] number 3", with its line when it came from a file. */
static const SceneHead *name_body(const Scene *scene, const SceneBatch *batches, int32_t body,
                                  char *text, size_t size) {
    const SceneGrainsSpec *specs = scene->model.grains.items;
    size_t taken = scene->started ? scene->started->bodies : 0, number = (size_t)body, i = 0;
    if (number < taken) {
        snprintf(text, size, "grain %d (of the run that the scene starts from)", body);
        return &scene->model.start.head;
    }
    number -= taken;
    while (i + 1 < scene->model.grains.count && number >= batches[i].count) {
        number -= batches[i++].count;
    }
    if (batches[i].lines && number < batches[i].count) {
        snprintf(text, size, "grain %d (%.60s, line %d)", body, specs[i].file,
                 batches[i].lines[number]);
    } else {
        snprintf(text, size, "grain %d (grains[%zu], number %zu)", body, i, number);
    }
    return &specs[i].head;
}

static bool check_overlaps(const Scene *scene, ScreeWorld *world, const SceneBatch *batches,
                           SceneError *error) {
    const SceneOverlapSpec *policy = &scene->model.overlap;
    ScreeOverlap found;
    if (policy->policy == OVERLAP_ACCEPT ||
        (scene->started && scene_start_is_all(scene, scene->started))) {
        return true;
    }
    ScreeStatus status = scree_world_find_overlaps(world, &found);
    if (status != SCREE_OK) {
        return scene_fail_status(world, status,
                                 scene_location_of(scene, &scene->model.head, "grains"), error);
    }
    if (found.count == 0) {
        return true;
    }
    const double *radius = scree_world_get_bodies(world).radius;
    double smaller = radius[found.a.index];
    if (!scree_partner_is_wall(found.b)) {
        smaller = scr_min(smaller, radius[scree_partner_get_body(found.b).index]);
    }
    double allowed = policy->policy == OVERLAP_TOLERATE ? policy->tolerate : 0;
    if (scene->started) { /* a packing has small ones of its own */
        allowed = scr_max(allowed, 1.01 * scene->started->overlap);
    }
    if (found.depth <= scr_max(allowed, 1e-9 * smaller)) {
        return true;
    }
    char a[120], b[120], hint[200];
    const SceneHead *head = name_body(scene, batches, found.a.index, a, sizeof a);
    if (!scree_partner_is_wall(found.b)) {
        name_body(scene, batches, scree_partner_get_body(found.b).index, b, sizeof b);
    } else {
        const char *wall = scene_wall_name(scene, scree_partner_get_wall(found.b).index);
        snprintf(b, sizeof b, "wall '%s'", wall ? wall : "?");
    }
    if (scree_partner_is_wall(found.b) && found.depth > radius[found.a.index]) {
        snprintf(hint, sizeof hint, "grain %d lies behind %.60s; move it", found.a.index, b);
        return scene_fail(error, scene_location_of(scene, head, NULL), hint,
                          "%s and %s overlap by %.4g (%zu %s in all)", a, b, found.depth,
                          found.count, SCR_PLURAL(found.count, "pair", "pairs"));
    }
    snprintf(hint, sizeof hint,
             "move them apart, or set 'overlap: accept' or 'overlap: {tolerate: %.3g}'",
             found.depth * 1.05);
    return scene_fail(error, scene_location_of(scene, head, NULL), hint,
                      "%s and %s overlap by %.4g (%zu %s in all)", a, b, found.depth, found.count,
                      SCR_PLURAL(found.count, "pair", "pairs"));
}

/* Which of the grains are to be held. */
static void list_held(const Scene *scene, const SceneBatch *batches, SceneHeld *held) {
    const SceneGrainsSpec *specs = scene->model.grains.items;
    size_t first = scene->started ? scene->started->bodies : 0;
    for (size_t i = 0; i < scene->model.grains.count; i++) {
        held[i] = (SceneHeld){&specs[i].head, specs[i].held_by, first, batches[i].count};
        first += batches[i].count;
    }
}

bool scene_add_grains(Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneGrainsSpec *specs = scene->model.grains.items;
    size_t count = scene->model.grains.count;
    SceneBatch *batches = calloc(count + 1, sizeof *batches);
    ScreeBodyDef *chunk = malloc(CHUNK * sizeof *chunk);
    SceneForms forms = {0};
    bool ok = batches && chunk;
    if (!ok) {
        scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    ok = ok && make_batches(scene, &forms, batches, error);
    for (size_t i = 0; i < count && ok; i++) {
        ok = add_batch(scene, world, &forms, &specs[i], &batches[i], chunk, error);
    }
    SceneHeld *held = calloc(count + 1, sizeof *held);
    if (ok && !held) {
        ok = scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    if (ok) {
        list_held(scene, batches, held);
    }
    ok = ok && scene_add_walls(scene, world, held, count, error) &&
         scene_hold_grains(scene, world, held, count, error) &&
         check_overlaps(scene, world, batches, error);
    free(held);
    for (size_t i = 0; batches && i < count; i++) {
        free(batches[i].grains);
        free(batches[i].bodies);
        free(batches[i].lines);
    }
    free(batches);
    free(chunk);
    scene_free_forms(&forms);
    return ok;
}
