/* The state of the world as a scene: what it is made of, every wall and every grain with all digits.
 * Programmes, events and pistons of the scene that it came from are not in it. */
#include "playground/internal.h"

#include <math.h>
#include <string.h>

static void vector(ViewBytes *into, const char *name, ScreeVec3 v, int dimension) {
    view_print(into, "%s: [%.17g, %.17g", name, v.x, v.y);
    if (dimension == 3) {
        view_print(into, ", %.17g", v.z);
    }
    view_print(into, "]");
}

static void rotation(ViewBytes *into, ScreeQuat q, bool flat) {
    if (flat) {
        view_print(into, ", angle: %.17g", 2 * atan2(q.z, q.w));
    } else {
        view_print(into, ", orientation: [%.17g, %.17g, %.17g, %.17g]", q.w, q.x, q.y, q.z);
    }
}

static bool is_zero(ScreeVec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* ---------------------------------------------------------------- materials */

static void law(ViewBytes *into, const ScreeLaw *one) {
    const ScreeLaw preset = scree_law_default();
#define X(name, dimension, value, meaning)                                                         \
    if (one->name != preset.name) {                                                                \
        view_print(into, ", " #name ": %.17g", one->name);                                         \
    }
    SCREE_LAW_MAP(X)
#undef X
}

static const char *material_name(const Play *play, int32_t material) {
    return scree_scene_get_material_name(play->scene, (ScreeMaterialId){material});
}

/* Masses are written with the grains, so densities are not needed. */
static void materials(const Play *play, ViewBytes *into) {
    const int32_t count = (int32_t)scree_scene_get_info(play->scene).materials;
    view_print(into, "materials:\n");
    for (int32_t i = 0; i < count; i++) {
        ScreeLaw own = scree_law_default();
        (void)scree_law_get(play->world, (ScreeMaterialId){i}, (ScreeMaterialId){i}, &own);
        view_print(into, "  %s: {density: 1", material_name(play, i));
        const char *colour = scree_scene_get_material_colour(play->scene, (ScreeMaterialId){i});
        if (colour[0] != '\0') {
            view_print(into, ", colour: \"%s\"", colour);
        }
        law(into, &own);
        view_print(into, "}\n");
    }
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = i + 1; j < count; j++) {
            ScreeLaw pair = scree_law_default();
            (void)scree_law_get(play->world, (ScreeMaterialId){i}, (ScreeMaterialId){j}, &pair);
            view_print(into, i == 0 && j == 1 ? "pairs:\n" : "");
            view_print(into, "  - {between: [%s, %s]", material_name(play, i),
                       material_name(play, j));
            law(into, &pair);
            view_print(into, "}\n");
        }
    }
}

/* ---------------------------------------------------------------- walls */

static ScreeVec3 along(ScreeVec3 from, double length, ScreeVec3 axis) {
    return (ScreeVec3){from.x + length * axis.x, from.y + length * axis.y,
                       from.z + length * axis.z};
}

/* The shape as a key of the scene. False for one that is left out. */
static bool wall_shape(ViewBytes *into, const ScreeWallDef *wall, int dimension) {
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        vector(into, "{plane: {point", wall->point, dimension);
        vector(into, ", normal", wall->normal, dimension);
        break;
    case SCREE_WALL_SEGMENT:
        vector(into, "{segment: {from", wall->point, dimension);
        vector(into, ", to", wall->end, dimension);
        break;
    case SCREE_WALL_BLOCK:
        vector(into, "{block: {center", wall->point, dimension);
        vector(into, ", half", wall->half, dimension);
        if (dimension == 2) {
            view_print(into, ", orientation: %.17g",
                       2 * atan2(wall->orientation.z, wall->orientation.w));
        } else {
            rotation(into, wall->orientation, false);
        }
        break;
    case SCREE_WALL_CYLINDER:
        vector(into, "{cylinder: {point", wall->point, dimension);
        if (dimension == 3) {
            vector(into, ", axis", wall->axis, 3);
        }
        if (wall->length > 0) {
            view_print(into, ", length: %.17g", wall->length);
        }
        view_print(into, ", radius: %.17g, side: %s", wall->radius,
                   wall->inside ? "inside" : "outside");
        break;
    case SCREE_WALL_CONE:
        if (wall->length == 0) {
            return false;
        }
        vector(into, "{cone: {from", wall->point, 3);
        vector(into, ", to", along(wall->point, wall->length, wall->axis), 3);
        view_print(into, ", radii: [%.17g, %.17g]", wall->radius, wall->end_radius);
        break;
    default:
        return false;
    }
    view_print(into, "}");
    return true;
}

static void walls(const Play *play, ViewBytes *into) {
    const int dimension = scree_world_get_def(play->world).dimension;
    bool any = false;
    for (size_t i = 0; i < scree_world_get_wall_count(play->world); i++) {
        ScreeWallState state;
        memset(&state, 0, sizeof state);
        (void)scree_wall_get_state(play->world, (ScreeWallId){(int32_t)i}, &state);
        if (!state.present) {
            continue;
        }
        view_print(into, any ? "" : "walls:\n");
        any = true;
        const size_t before = into->size;
        view_print(into, "  wall%zu: ", i);
        if (!wall_shape(into, &state.now, dimension)) {
            into->size = before;
            view_print(into, "  # wall%zu has a shape that cannot be written\n", i);
            continue;
        }
        if (!is_zero(state.now.velocity)) {
            vector(into, ", velocity", state.now.velocity, dimension);
        }
        if (!is_zero(state.now.spin)) {
            if (dimension == 2) {
                view_print(into, ", spin: %.17g", state.now.spin.z);
            } else {
                vector(into, ", spin", state.now.spin, 3);
            }
            vector(into, ", pivot", state.now.pivot, dimension);
        }
        if (state.now.material.index >= 0) {
            view_print(into, ", material: %s", material_name(play, state.now.material.index));
        }
        view_print(into, "}\n");
    }
}

/* ---------------------------------------------------------------- grains */

static void corners(ViewBytes *into, const ScreeVec3 *corner, size_t count, int dimension) {
    view_print(into, "vertices: [");
    for (size_t i = 0; i < count; i++) {
        view_print(into, i > 0 ? ", [%.17g, %.17g" : "[%.17g, %.17g", corner[i].x, corner[i].y);
        if (dimension == 3) {
            view_print(into, ", %.17g", corner[i].z);
        }
        view_print(into, "]");
    }
    view_print(into, "]");
}

static double distance(ScreeVec3 a, ScreeVec3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Outlines and convex polyhedra of one part; about their centroids, as they are kept. False for
 * others. */
static bool shape_of(ViewBytes *into, const ScreeShape *shape) {
    const bool flat = shape->solid == NULL;
    const ScreeVec3 *corner = flat ? shape->def.corner : shape->solid->def.vertex;
    const size_t parts = flat ? shape->def.parts : shape->solid->def.parts;
    const size_t count = flat ? shape->corners : shape->solid->vertices;
    const double rounding = parts == 0 ? 0
                            : flat     ? shape->def.part[0].rounding
                                       : shape->solid->def.part[0].rounding;
    if (parts != 1 || count < 2 ||
        (!flat && shape->solid->def.part[0].kind != SCREE_PART_POLYHEDRON)) {
        return false;
    }
    if (count == 2) {
        view_print(into, "rod: {length: %.17g, radius: %.17g}",
                   distance(corner[0], corner[1]) + 2 * rounding, rounding);
        return true;
    }
    view_print(into, flat ? "polygon: {" : "polyhedron: {");
    corners(into, corner, count, flat ? 2 : 3);
    if (rounding > 0) {
        view_print(into, ", rounding: %.17g", rounding);
    }
    view_print(into, "}");
    return true;
}

static void shapes(const Play *play, ViewBytes *into) {
    const size_t count = scree_world_get_shape_count(play->world);
    for (size_t i = 0; i < count; i++) {
        ScreeShape shape;
        memset(&shape, 0, sizeof shape);
        (void)scree_shape_get(play->world, (ScreeShapeId){(int32_t)i}, &shape);
        view_print(into, i == 0 ? "shapes:\n" : "");
        const size_t before = into->size;
        view_print(into, "  shape%zu: {", i);
        if (shape_of(into, &shape)) {
            view_print(into, "}\n");
        } else {
            into->size = before;
            view_print(into, "  shape%zu: {%s} # stands for one that cannot be written\n", i,
                       shape.solid != NULL ? "sphere: {radius: 1}" : "disk: {radius: 1}");
        }
    }
}

/* Motions that are frozen, but for those that two dimensions do not have. */
static void frozen(ViewBytes *into, uint32_t bits, int dimension) {
    static const struct {
        uint32_t bit;
        const char *name;
        bool flat;
    } motions[] = {{SCREE_FREEZE_X, "x", true},
                   {SCREE_FREEZE_Y, "y", true},
                   {SCREE_FREEZE_Z, "z", false},
                   {SCREE_FREEZE_ROTATION_X, "rotation_x", false},
                   {SCREE_FREEZE_ROTATION_Y, "rotation_y", false},
                   {SCREE_FREEZE_ROTATION_Z, "rotation_z", true}};
    bool any = false;
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        if ((bits & motions[i].bit) != 0 && (dimension == 3 || motions[i].flat)) {
            view_print(into, any ? ", %s" : ", frozen: [%s", motions[i].name);
            any = true;
        }
    }
    view_print(into, any ? "]" : "");
}

static void grain(const Play *play, const ScreeBodyView *bodies, size_t i, int dimension,
                  ViewBytes *into) {
    vector(into, "  - {position", bodies->position[i], dimension);
    if (bodies->shape[i].index >= 0) {
        view_print(into, ", shape: shape%d", bodies->shape[i].index);
        rotation(into, bodies->orientation[i], dimension == 2);
    } else {
        view_print(into, ", radius: %.17g", bodies->radius[i]);
    }
    view_print(into, ", mass: %.17g, material: %s", bodies->mass[i],
               material_name(play, bodies->material[i].index));
    if (!is_zero(bodies->velocity[i])) {
        vector(into, ", velocity", bodies->velocity[i], dimension);
    }
    if (!is_zero(bodies->spin[i])) {
        if (dimension == 2) {
            view_print(into, ", spin: %.17g", bodies->spin[i].z);
        } else {
            vector(into, ", spin", bodies->spin[i], 3);
        }
    }
    const ScreeVec3 force = (int32_t)i == play->grab.body ? play->grab.force : bodies->force[i];
    if (!is_zero(force)) {
        vector(into, ", force", force, dimension);
    }
    frozen(into, bodies->frozen[i], dimension);
    view_print(into, "}\n");
}

void play_write_scene(const Play *play, ViewBytes *into) {
    const ScreeWorldDef def = scree_world_get_def(play->world);
    const ScreeBodyView bodies = scree_world_get_bodies(play->world);
    view_print(into, "# The state of a world of the playground, at time %.17g.\n", play_time(play));
    view_print(into, "dimension: %d\n", def.dimension);
    vector(into, "gravity", play->gravity, def.dimension);
    view_print(into, "\ntime: {step: %.17g, end: %.17g, theta: %.17g}\n", def.time_step,
               1000 * def.time_step, def.theta);
    materials(play, into);
    walls(play, into);
    shapes(play, into);
    view_print(into, "grains:\n");
    for (size_t i = 0; i < bodies.count; i++) {
        grain(play, &bodies, i, def.dimension, into);
    }
    view_print(into, "overlap: accept\n");
}
