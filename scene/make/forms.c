/* The shapes of grains on their way into the world: drawn, scaled, turned, each stored once. */
#include "scene/make/batch.h"

#include "scene/make/angle.h"
#include "scene/make/curves.h"
#include "scene/make/orientation.h"
#include "scene/make/shapes.h"
#include "scene/make/solids.h"
#include "scene/make/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void scene_free_forms(SceneForms *forms) {
    free(forms->form);
    free(forms->outline);
    free(forms->table);
    scene_free_all(&forms->arena);
    memset(forms, 0, sizeof *forms);
}

/* ---------------------------------------------------------------- outlines, each once */

static size_t corners_of(const ScreeShapeDef *def) {
    size_t count = 0;
    for (size_t p = 0; p < def->parts; p++) {
        count += (size_t)def->part[p].corners;
    }
    return count;
}

static uint64_t mix_number(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return scene_mix(hash ^ bits);
}

/* Of a curve or solid: which of the scene's, and its scale. */
static uint64_t hash_of(const SceneOutline *outline) {
    if (outline->source) {
        return mix_number(scene_mix((uint64_t)(uintptr_t)outline->source), outline->scale);
    }
    const ScreeShapeDef *def = &outline->shape.def;
    uint64_t hash = scene_mix(def->parts);
    size_t corners = corners_of(def);
    for (size_t p = 0; p < def->parts; p++) {
        hash = mix_number(hash, def->part[p].rounding);
        hash = mix_number(hash, def->part[p].corners);
    }
    for (size_t k = 0; k < corners; k++) {
        hash = mix_number(mix_number(hash, def->corner[k].x), def->corner[k].y);
    }
    return hash;
}

static bool equal(const SceneOutline *one, const SceneOutline *other) {
    const ScreeShapeDef *a = &one->shape.def, *b = &other->shape.def;
    if (one->source || other->source) {
        return one->source == other->source && one->scale == other->scale;
    }
    if (a->parts != b->parts) {
        return false;
    }
    for (size_t p = 0; p < a->parts; p++) {
        if (a->part[p].corners != b->part[p].corners ||
            a->part[p].rounding != b->part[p].rounding) {
            return false;
        }
    }
    return memcmp(a->corner, b->corner, corners_of(a) * sizeof *a->corner) == 0;
}

static bool grow_table(SceneForms *forms) {
    size_t size = forms->mask ? 2 * (forms->mask + 1) : 64;
    int32_t *table = malloc(size * sizeof *table);
    if (!table) {
        return false;
    }
    memset(table, 0xFF, size * sizeof *table);
    for (size_t i = 0; i < forms->outlines; i++) {
        size_t at = (size_t)hash_of(&forms->outline[i]) & (size - 1);
        while (table[at] >= 0) {
            at = (at + 1) & (size - 1);
        }
        table[at] = (int32_t)i;
    }
    free(forms->table);
    forms->table = table;
    forms->mask = size - 1;
    return true;
}

/* Room for one more item of `size` bytes. */
static bool grow(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return true;
    }
    size_t wanted = 2 * *capacity + 64;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = count < INT32_MAX / 2 ? realloc(old, wanted * size) : NULL;
    if (grown) {
        memcpy(array, &grown, sizeof grown);
        *capacity = wanted;
    }
    return grown != NULL;
}

/* A copy that lives as long as the forms. */
static bool keep_copy(SceneForms *forms, ScreeShapeDef *def) {
    size_t corners = corners_of(def);
    ScreeShapePart *part = scene_alloc(&forms->arena, def->parts, sizeof *part);
    ScreeVec3 *corner = scene_alloc(&forms->arena, corners, sizeof *corner);
    if (!part || !corner) {
        return false;
    }
    memcpy(part, def->part, def->parts * sizeof *part);
    memcpy(corner, def->corner, corners * sizeof *corner);
    def->part = part;
    def->corner = corner;
    return true;
}

/* The solid of a source, scaled. */
static ScreeStatus complete_solid(SceneForms *forms, SceneOutline *made) {
    const SceneSolid from = made->solid;
    if (!scene_scale_solid(&forms->arena, &from, made->scale, &made->solid)) {
        return SCREE_NO_MEMORY;
    }
    made->shape.radius = made->solid.kept.radius;
    made->shape.centroid = made->solid.kept.centroid;
    made->shape.area = made->solid.kept.volume;
    return SCREE_OK;
}

/* Measures an outline that is to be kept, and copies what it refers to. */
static ScreeStatus complete(SceneForms *forms, SceneOutline *made, char *message) {
    if (made->solid.def.parts > 0) {
        return complete_solid(forms, made);
    }
    if (made->source) {
        return scene_copy_curve(&forms->arena, made->source, made->scale, &made->curve)
                   ? scene_measure_curve(&forms->arena, &made->curve, &made->shape, message)
                   : SCREE_NO_MEMORY;
    }
    ScreeShapeDef def = made->shape.def;
    ScreeStatus status = scree_shape_def_measure(&def, &made->shape, message);
    made->shape.def = def;
    return status == SCREE_OK && !keep_copy(forms, &made->shape.def) ? SCREE_NO_MEMORY : status;
}

/* The number of an outline, given by its definition or by the scene's curve and a scale. It is added
 * unless there is an equal one; -1 when out of memory, -2 when it is not a valid outline (see
 * `message`). */
static int32_t number_of(SceneForms *forms, SceneOutline made, char *message) {
    if (2 * forms->outlines >= forms->mask && !grow_table(forms)) {
        return -1;
    }
    size_t at = (size_t)hash_of(&made) & forms->mask;
    for (; forms->table[at] >= 0; at = (at + 1) & forms->mask) {
        if (equal(&forms->outline[forms->table[at]], &made)) {
            return forms->table[at];
        }
    }
    if (!grow(&forms->outline, forms->outlines, &forms->outline_capacity, sizeof *forms->outline)) {
        return -1;
    }
    ScreeStatus status = complete(forms, &made, message);
    if (status != SCREE_OK) {
        return status == SCREE_NO_MEMORY ? -1 : -2;
    }
    made.id = SCREE_NO_SHAPE;
    forms->outline[forms->outlines] = made;
    forms->table[at] = (int32_t)forms->outlines;
    return (int32_t)forms->outlines++;
}

/* ---------------------------------------------------------------- drawing */

SceneMaker scene_maker(Scene *scene, const SceneGrainsSpec *spec, SceneForms *forms) {
    uint64_t seed = (uint64_t)scene->model.seed, entry = (uint64_t)spec->head.index;
    SceneMaker maker = {.scene = scene, .spec = spec, .forms = forms, .angle = spec->angle};
    maker.orientation = spec->orientation;
    maker.shape = scene_shape_of(scene, spec);
    maker.sizes = scene_random(seed, entry, RANDOM_RADIUS);
    maker.corners = scene_random(seed, entry, RANDOM_CORNERS);
    maker.angles = scene_random(seed, entry, RANDOM_ANGLE);
    if (spec->angle.kind == ANGLE_NONE && spec->fill.head.node) {
        maker.angle = (SceneAngle){ANGLE_UNIFORM, 0, 6.28318530717958647692, NULL, 0};
    }
    if (spec->orientation.kind == ORIENTATION_NONE && spec->fill.head.node) {
        maker.orientation.kind = ORIENTATION_RANDOM;
    }
    return maker;
}

/* Scales drawn corners such that the circle about their centroid has the wanted radius. The
 * rounding moves the centroid a little, hence the repetition: each time the error falls by the
 * square of rounding over radius. */
static bool draw_polygon(SceneMaker *maker, const SceneRandomPolygonSpec *spec,
                         ScreeShapePart *part, ScreeVec3 *corner, char *message) {
    ScreeShape shape;
    double radius = scene_draw_radius(&spec->radius, &maker->sizes, 0);
    *part = (ScreeShapePart){scene_draw_corners(spec, &maker->corners, corner), 0};
    const ScreeShapeDef def = {part, 1, corner};
    for (int i = 0; i < 12; i++) {
        if (scree_shape_def_measure(&def, &shape, message) != SCREE_OK) {
            return false;
        }
        double factor = (radius - spec->rounding) / (shape.radius - part->rounding);
        part->rounding = 0;
        scene_scale_shape(part, 1, corner, factor);
        part->rounding = spec->rounding;
        if (spec->rounding == 0 || fabs(factor - 1) < 1e-14) {
            break;
        }
    }
    return true;
}

static bool no_memory(const SceneMaker *maker, SceneError *error) {
    return scene_out_of_memory(error, scene_location_of(maker->scene, &maker->spec->head, NULL),
                               "take fewer grains");
}

static bool finish(SceneMaker *maker, int32_t outline, ScreeQuat turn, SceneGrain *grain,
                   double *volume, SceneError *error) {
    SceneForms *forms = maker->forms;
    if (outline < 0 ||
        !grow(&forms->form, forms->forms, &forms->form_capacity, sizeof *forms->form)) {
        return no_memory(maker, error);
    }
    forms->form[forms->forms] = (SceneForm){outline, turn};
    grain->form = (int32_t)forms->forms++;
    grain->r = forms->outline[outline].shape.radius;
    if (volume) {
        *volume = forms->outline[outline].shape.area;
    }
    return true;
}

/* Picks one of the curves of a shape; one from the library has a diameter of its own. */
static int32_t draw_curve(SceneMaker *maker, const SceneShapeSpec *shape, double scale,
                          char *message) {
    size_t which =
        shape->curves > 1 ? (size_t)(scene_uniform(&maker->corners) * (double)shape->curves) : 0;
    if (shape->library.head.node) {
        scale *= scene_draw_radius(&shape->library.diameter, &maker->sizes, 0);
    }
    const SceneOutline outline = {.source = &shape->curve[which], .scale = scale};
    return number_of(maker->forms, outline, message);
}

static int32_t draw_outline(SceneMaker *maker, const SceneShapeSpec *shape, double scale,
                            char *message) {
    bool random = shape->random.head.node != 0, drawn = true;
    size_t parts = random ? 1 : shape->def.parts;
    size_t corners = random ? (size_t)shape->random.corners.to : corners_of(&shape->def);
    ScreeShapePart *part = malloc(parts * sizeof *part);
    ScreeVec3 *corner = malloc(corners * sizeof *corner);
    int32_t outline = -1;
    if (part && corner) {
        if (random) {
            drawn = draw_polygon(maker, &shape->random, part, corner, message);
        } else {
            memcpy(part, shape->def.part, parts * sizeof *part);
            memcpy(corner, shape->def.corner, corners * sizeof *corner);
        }
        if (drawn && scale != 1) {
            scene_scale_shape(part, parts, corner, scale);
        }
        const SceneOutline made = {.shape.def = {part, parts, corner}};
        outline = drawn ? number_of(maker->forms, made, message) : -2;
    }
    free(part);
    free(corner);
    return outline;
}

static int32_t draw_solid(SceneMaker *maker, const SceneShapeSpec *shape, double scale,
                          char *message) {
    if (shape->rock.head.node) {
        SceneSolid *rock = scene_alloc(&maker->forms->arena, 1, sizeof *rock);
        double size = scene_draw_radius(&shape->rock.size, &maker->sizes, 0);
        ScreeStatus status = rock ? scene_draw_rock(&maker->forms->arena, &shape->rock, size,
                                                    &maker->corners, rock, message)
                                  : SCREE_NO_MEMORY;
        if (status != SCREE_OK) {
            return status == SCREE_NO_MEMORY ? -1 : -2;
        }
        const SceneOutline drawn = {.solid = *rock, .source = rock, .scale = scale};
        return number_of(maker->forms, drawn, message);
    }
    const SceneOutline made = {.solid = *shape->made, .source = shape->made, .scale = scale};
    return number_of(maker->forms, made, message);
}

ScreeQuat scene_draw_turn(SceneMaker *maker, size_t k) {
    if (maker->scene->model.dimension == 3) {
        return scene_draw_orientation(&maker->orientation, &maker->angles, k);
    }
    return scene_turn_in_plane(scene_draw_angle(&maker->angle, &maker->angles, k));
}

bool scene_make_shaped(SceneMaker *maker, const SceneShapeSpec *shape, double scale, ScreeQuat turn,
                       SceneGrain *grain, double *volume, SceneError *error) {
    char message[SCREE_MESSAGE_SIZE] = "";
    bool solid = shape->made || shape->rock.head.node;
    int32_t outline = solid               ? draw_solid(maker, shape, scale, message)
                      : shape->curves > 0 ? draw_curve(maker, shape, scale, message)
                                          : draw_outline(maker, shape, scale, message);
    if (outline == -2) {
        return scene_fail(error, scene_location_of(maker->scene, &maker->spec->head, NULL), NULL,
                          "grains[%d]: %s", maker->spec->head.index, message);
    }
    return finish(maker, outline, turn, grain, volume, error);
}

bool scene_make_grain(SceneMaker *maker, size_t k, SceneGrain *grain, double *volume,
                      SceneError *error) {
    const SceneGrainsSpec *spec = maker->spec;
    if (maker->shape) {
        bool scaled = spec->scale.kind != SIZES_NONE;
        double scale = scaled ? scene_draw_radius(&spec->scale, &maker->sizes, k) : 1;
        ScreeQuat turn = scene_draw_turn(maker, k);
        return scene_make_shaped(maker, maker->shape, scale, turn, grain, volume, error);
    }
    grain->r = scene_draw_radius(&spec->radius, &maker->sizes, k);
    grain->form = -1;
    if (volume) {
        *volume = scene_volume((int)maker->scene->model.dimension, grain->r);
    }
    return true;
}

double scene_largest(const SceneMaker *maker) {
    const SceneShapeSpec *shape = maker->shape;
    if (!shape) {
        return maker->spec->radius.max;
    }
    bool random = shape->random.head.node != 0, rock = shape->rock.head.node != 0;
    double scale = maker->spec->scale.kind != SIZES_NONE ? maker->spec->scale.max : 1;
    scale *= shape->library.head.node ? shape->library.diameter.max : 1;
    return scale * (random ? shape->random.radius.max
                    : rock ? scene_largest_rock(&shape->rock)
                           : shape->measured.radius);
}
