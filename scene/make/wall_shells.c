/* Walls with round openings: cones, discs and plates. */
#include "scene/make/wall_shells.h"

#include "math/vec.h"

const char *scene_cone_wall(const SceneConeWallSpec *spec, ScreeWallDef *def) {
    Vec3 along = sub(spec->to, spec->from);
    def->shape = SCREE_WALL_CONE;
    def->point = spec->from;
    def->length = length(along);
    def->radius = spec->radii[0];
    def->end_radius = spec->radii[1];
    if (!(def->length > 0)) {
        return "the two ends of a cone must differ; for a flat ring use a disc with a hole";
    }
    def->axis = unit(
        along); /* distances of grains that fill a region from it are taken before the world has it */
    return def->radius + def->end_radius > 0 ? NULL : "one radius of a cone must be above zero";
}

const char *scene_disc_wall(const SceneDiscSpec *spec, ScreeWallDef *def) {
    def->shape = SCREE_WALL_CONE;
    def->point = spec->center;
    def->radius = spec->hole;
    def->end_radius = spec->radius;
    def->length = 0;
    if (!(length(spec->normal) > 0)) {
        return "the normal of a disc must not be zero";
    }
    def->axis = unit(spec->normal);
    return spec->hole < spec->radius ? NULL : "the hole of a disc must be smaller than the disc";
}

/* A number of holes; 0: it is none. */
static int32_t count_of(double number) {
    return number >= 1 && number <= 1e6 && number == floor(number) ? (int32_t)number : 0;
}

static const char *make_holes(const SceneHolesSpec *spec, ScreeWallDef *def) {
    for (int k = 0; k < 2; k++) {
        def->holes[k] = count_of(spec->count[k]);
        def->spacing[k] = def->holes[k] > 1 ? spec->spacing[k] : 0;
        if (def->holes[k] == 0) {
            return "the holes of a plate are counted by two integers from 1 on";
        }
        if (def->holes[k] > 1 && !(spec->spacing[k] > 2 * spec->radius)) {
            return "several holes in a row need a spacing above their diameter";
        }
        double half = 0.5 * (def->holes[k] - 1) * def->spacing[k] + spec->radius;
        if (!(half < (k == 0 ? def->half.x : def->half.y))) {
            return "the holes must lie within the plate: make it larger, or the holes fewer or "
                   "smaller";
        }
    }
    def->radius = spec->radius;
    return NULL;
}

const char *scene_plate_wall(const SceneWallPlateSpec *spec, bool turned, ScreeWallDef *def) {
    def->shape = SCREE_WALL_PLATE;
    def->point = spec->center;
    def->half = vec3(0.5 * spec->size[0], 0.5 * spec->size[1], 0);
    if (turned) {
        def->orientation = spec->orientation;
    }
    return spec->holes.head.node ? make_holes(&spec->holes, def) : NULL;
}
