/* The room within a wall, cut off by the box of `min` and `max`. A surface of triangles need not be
 * closed above: a point is inside when an odd number of triangles lies below it. */
#include "scene/make/room.h"

#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 400, COLUMNS_LEAST = 40, CROSSINGS = 256, CUBES = 64 };
static const double column_work = 1e8;        /* triangles looked at for the volume of a room */
static const double column_place = 0.4142135; /* of a column's width: not where vertices lie */

static bool fail(const Scene *scene, const SceneFillSpec *fill, const char *key, const char *hint,
                 const char *what, SceneError *error) {
    return scene_fail(error, scene_location_of(scene, &fill->head, key), hint, "%s", what);
}

/* ---------------------------------------------------------------- which wall */

static bool take_cylinder(SceneRoom *room, const Scene *scene, const SceneWall *wall) {
    const SceneWallSpec *spec = (const SceneWallSpec *)scene->model.walls.items + wall->entry;
    const ScreeWallDef *def = &wall->def;
    if (def->shape != SCREE_WALL_CYLINDER || !def->inside) {
        return false;
    }
    double length = spec->drum.head.node ? spec->drum.length : def->length;
    const double half = length > 0 && room->dimension == 3 ? length / 2 : INFINITY;
    room->round = (ScreeRoom){def->point, def->axis, def->radius, -half, half};
    scree_room_get_box(&room->round, room->dimension, &room->box.min, &room->box.max);
    return true;
}

/* Any of its faces, which may be open. */
static bool take_box(SceneRoom *room, const Scene *scene, const SceneWall *wall) {
    const SceneWallSpec *spec = (const SceneWallSpec *)scene->model.walls.items + wall->entry;
    room->box.min = spec->box.min;
    room->box.max = spec->box.max;
    return spec->box.head.node != 0;
}

/* The box around its two end circles. */
static bool take_cone(SceneRoom *room, const SceneWall *wall) {
    const ScreeWallDef *def = &wall->def;
    if (def->shape != SCREE_WALL_CONE || !(def->length > 0)) {
        return false;
    }
    room->cone = *def;
    for (int k = 0; k < 3; k++) {
        const double along = component(def->axis, k), across = sqrt(scr_max(1 - along * along, 0));
        const double from = component(def->point, k), to = from + def->length * along;
        *component_of(&room->box.min, k) =
            scr_min(from - def->radius * across, to - def->end_radius * across);
        *component_of(&room->box.max, k) =
            scr_max(from + def->radius * across, to + def->end_radius * across);
    }
    return true;
}

static bool take_mesh(SceneRoom *room, const SceneWall *wall, bool *no_memory) {
    const ScreeWallDef *def = &wall->def;
    if (def->shape != SCREE_WALL_MESH) {
        return false;
    }
    const ScreeMeshDef mesh = scree_mesh_get(def->mesh);
    room->corner = malloc(3 * mesh.triangles * sizeof *room->corner);
    *no_memory = room->corner == NULL;
    room->triangles = *no_memory ? 0 : mesh.triangles;
    for (int k = 0; k < 3; k++) {
        *component_of(&room->box.min, k) = INFINITY;
        *component_of(&room->box.max, k) = -INFINITY;
    }
    for (size_t i = 0; i < 3 * room->triangles; i++) {
        ScreeVec3 x = add(def->point, quat_rotate(def->orientation, mesh.vertex[mesh.corner[i]]));
        room->corner[i] = x;
        for (int k = 0; k < 3; k++) {
            double *low = component_of(&room->box.min, k), *high = component_of(&room->box.max, k);
            *low = scr_min(*low, component(x, k));
            *high = scr_max(*high, component(x, k));
        }
    }
    return true;
}

static bool find_wall(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill,
                      SceneError *error) {
    SceneLocation location = scene_location_of(scene, &fill->head, "inside");
    bool no_memory = false;
    if (!scene_check_wall_name(scene, fill->inside, location, error)) {
        return false;
    }
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (scene_wall_has_name(scene, i, fill->inside) &&
            (take_box(room, scene, &scene->walls[i]) ||
             take_cylinder(room, scene, &scene->walls[i]) || take_cone(room, &scene->walls[i]) ||
             take_mesh(room, &scene->walls[i], &no_memory))) {
            return !no_memory || scene_out_of_memory(error, location, NULL);
        }
    }
    return fail(scene, fill, "inside", NULL,
                "a room is inside a box, a drum, a cylinder with side: inside, a cone, or a mesh",
                error);
}

/* ---------------------------------------------------------------- inside */

/* Heights at which a vertical line meets the surface, from below; how many. */
static size_t crossings(const SceneRoom *room, double x, double y, double *at) {
    size_t count = 0;
    for (size_t t = 0; t < room->triangles && count < CROSSINGS; t++) {
        const ScreeVec3 *c = room->corner + 3 * t;
        double w[3], sum = 0, z = 0;
        for (int k = 0; k < 3; k++) { /* twice the area that the line has with the opposite edge */
            const ScreeVec3 a = c[(k + 1) % 3], b = c[(k + 2) % 3];
            w[k] = (a.x - x) * (b.y - y) - (b.x - x) * (a.y - y);
            sum += w[k];
        }
        if ((w[0] > 0 && w[1] > 0 && w[2] > 0) || (w[0] < 0 && w[1] < 0 && w[2] < 0)) {
            for (int k = 0; k < 3; k++) {
                z += w[k] / sum * c[k].z;
            }
            size_t place = count++;
            for (; place > 0 && at[place - 1] > z; place--) {
                at[place] = at[place - 1];
            }
            at[place] = z;
        }
    }
    return count;
}

static bool in_cone(const ScreeWallDef *cone, ScreeVec3 x) {
    const ScreeVec3 from = sub(x, cone->point);
    const double along = dot(from, cone->axis), share = along / cone->length;
    const double radius = cone->radius + share * (cone->end_radius - cone->radius);
    return share >= 0 && share <= 1 && dot(from, from) - along * along < radius * radius;
}

bool scene_room_holds(const SceneRoom *room, ScreeVec3 x) {
    const ScreeRoom *round = &room->round;
    if (round->radius > 0) {
        ScreeVec3 from = sub(x, round->point);
        double along = dot(from, round->axis);
        return dot(from, from) - along * along < round->radius * round->radius &&
               along >= round->low && along <= round->high;
    }
    if (room->cone.length > 0) {
        return in_cone(&room->cone, x);
    }
    double at[CROSSINGS];
    bool inside = room->corner == NULL;
    size_t count = room->corner != NULL ? crossings(room, x.x, x.y, at) : 0;
    for (size_t i = 0; i < count && at[i] < x.z; i++) {
        inside = !inside;
    }
    return inside;
}

/* ---------------------------------------------------------------- how large */

static double in_surface(const SceneRoom *room, double x, double y, double low, double high) {
    double at[CROSSINGS], sum = 0;
    size_t count = crossings(room, x, y, at);
    for (size_t i = 0; i < count; i += 2) {
        double top = i + 1 < count ? scr_min(at[i + 1], high) : high;
        sum += scr_max(top - scr_max(at[i], low), 0);
    }
    return sum;
}

/* Of a surface, in space: sums columns along z, exact along them, and by the middle rule across. */
static double volume_of_surface(const SceneRoom *room) {
    const ScreeVec3 low = room->box.min, side = sub(room->box.max, low);
    double most = sqrt(column_work / (double)(room->triangles + 1));
    const int n = (int)scr_min(scr_max(most, COLUMNS_LEAST), COLUMNS_MOST);
    double sum = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double x = low.x + (i + column_place) * side.x / n;
            double y = low.y + (j + column_place) * side.y / n;
            sum += in_surface(room, x, y, low.z, low.z + side.z);
        }
    }
    return sum * side.x / n * side.y / n;
}

/* A frustum, whole; where the box of min and max cuts it, by the share of points of the box. */
static double volume_of_cone(const SceneRoom *room, bool whole) {
    const ScreeWallDef *c = &room->cone;
    const ScreeVec3 low = room->box.min, side = sub(room->box.max, low);
    const double a = c->radius, b = c->end_radius;
    int64_t count = 0;
    if (whole) {
        return M_PI / 3 * c->length * (a * a + a * b + b * b);
    }
    for (int k = 0; k < CUBES; k++) {
        for (int j = 0; j < CUBES; j++) {
            for (int i = 0; i < CUBES; i++) {
                const ScreeVec3 x = {low.x + (i + 0.5) * side.x / CUBES,
                                     low.y + (j + 0.5) * side.y / CUBES,
                                     low.z + (k + 0.5) * side.z / CUBES};
                count += in_cone(c, x) ? 1 : 0;
            }
        }
    }
    return side.x * side.y * side.z * (double)count / ((double)CUBES * CUBES * CUBES);
}

/* The box of min and max cuts the room. */
static void cut(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill) {
    for (int k = 0; k < room->dimension; k++) {
        double *low = component_of(&room->box.min, k), *high = component_of(&room->box.max, k);
        if (scene_has(scene, &fill->head, "min") && component(fill->min, k) > *low) {
            *low = component(fill->min, k);
        }
        if (scene_has(scene, &fill->head, "max") && component(fill->max, k) < *high) {
            *high = component(fill->max, k);
        }
    }
}

static double volume_of_box(const SceneRoom *room) {
    const ScreeVec3 side = sub(room->box.max, room->box.min);
    return side.x * side.y * (room->dimension == 3 ? side.z : 1);
}

static bool measure(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill,
                    SceneError *error) {
    const ScreeVec3 corner[2] = {room->box.min, room->box.max};
    cut(room, scene, fill);
    bool whole = true;
    for (int k = 0; k < 3; k++) {
        whole = whole && component(corner[0], k) == component(room->box.min, k) &&
                component(corner[1], k) == component(room->box.max, k);
    }
    const ScreeVec3 side = sub(room->box.max, room->box.min);
    for (int k = 0; k < room->dimension; k++) {
        if (!isfinite(component(side, k))) {
            return fail(scene, fill, "inside", "give min and max, too", "the cylinder has no ends",
                        error);
        }
    }
    bool empty = !(side.x > 0 && side.y > 0 && (room->dimension == 2 || side.z > 0));
    room->volume = empty                     ? 0
                   : room->cone.length > 0   ? volume_of_cone(room, whole)
                   : room->corner != NULL    ? volume_of_surface(room)
                   : room->round.radius == 0 ? volume_of_box(room)
                                             : scree_room_get_volume(&room->round, room->dimension,
                                                                     room->box.min, room->box.max);
    return room->volume > 0 ||
           fail(scene, fill, "inside", NULL,
                room->corner != NULL ? "nothing is inside: no point between min and max has an "
                                       "odd number of triangles below it"
                                     : "min and max leave nothing of it",
                error);
}

bool scene_room_make(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill,
                     SceneError *error) {
    *room = (SceneRoom){.box = *fill, .dimension = (int)scene->model.dimension};
    if (fill->inside != NULL) {
        return find_wall(room, scene, fill, error) && measure(room, scene, fill, error);
    }
    const char *missing = !scene_has(scene, &fill->head, "min")   ? "min"
                          : !scene_has(scene, &fill->head, "max") ? "max"
                                                                  : NULL;
    if (missing != NULL) {
        return fail(scene, fill, NULL, "or inside: the name of a wall", "fill needs min and max",
                    error);
    }
    room->volume = volume_of_box(room);
    return true;
}

void scene_room_free(SceneRoom *room) {
    free(room->corner);
    room->corner = NULL;
}
