/* The room within a wall, cut off by the box of `min` and `max`. A surface of triangles need not be
 * closed above: a point is inside when an odd number of triangles lies below it. */
#include "scene/make/room.h"

#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 400, COLUMNS_LEAST = 40, CROSSINGS = 256 };
static const double column_work = 1e8;        /* triangles looked at for the volume of a room */
static const double column_place = 0.4142135; /* of a column's width: not where vertices lie */
static const double endless = 1e300;

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
    room->point = def->point;
    room->axis = def->axis;
    room->radius = def->radius;
    room->length = length > 0 && room->dimension == 3 ? length : endless;
    for (int k = 0; k < room->dimension; k++) {
        double along = component(def->axis, k);
        double across = sqrt(scr_max(0, 1 - along * along)) * def->radius;
        /* an endless one is bounded along the axes to which it is not parallel alone */
        double reach = across + (along != 0 ? fabs(along) * room->length / 2 : 0);
        *component_of(&room->box.min, k) = component(def->point, k) - reach;
        *component_of(&room->box.max, k) = component(def->point, k) + reach;
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
            (take_cylinder(room, scene, &scene->walls[i]) ||
             take_mesh(room, &scene->walls[i], &no_memory))) {
            return !no_memory || scene_out_of_memory(error, location, NULL);
        }
    }
    return fail(scene, fill, "inside", "for a box, give min and max",
                "a room is inside a drum, a cylinder with side: inside, or a mesh", error);
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

bool scene_room_holds(const SceneRoom *room, ScreeVec3 x) {
    if (room->radius > 0) {
        ScreeVec3 from = sub(x, room->point);
        double along = dot(from, room->axis);
        return dot(from, from) - along * along < room->radius * room->radius &&
               fabs(along) <= room->length / 2;
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

/* How much of the line from `low` to `high` along an axis, through x, is in the cylinder. */
static double in_cylinder(const SceneRoom *room, ScreeVec3 x, ScreeVec3 up, double low,
                          double high) {
    /* |from + t up|^2 without its part along the axis: a t^2 + 2 b t + c < 0 */
    ScreeVec3 from = sub(x, room->point);
    double slope = dot(up, room->axis), along = dot(from, room->axis);
    double a = 1 - slope * slope, b = dot(from, up) - slope * along;
    double c = dot(from, from) - along * along - room->radius * room->radius;
    if (a > 1e-12) {
        double square = b * b - a * c;
        if (!(square > 0)) {
            return 0;
        }
        low = scr_max(low, (-b - sqrt(square)) / a);
        high = scr_min(high, (-b + sqrt(square)) / a);
    } else if (c >= 0) {
        return 0;
    }
    double half = room->length / 2;
    if (fabs(slope) > 1e-12) {
        double one = (-half - along) / slope, other = (half - along) / slope;
        low = scr_max(low, scr_min(one, other));
        high = scr_min(high, scr_max(one, other));
    } else if (fabs(along) > half) {
        return 0;
    }
    return scr_max(high - low, 0);
}

static double in_surface(const SceneRoom *room, ScreeVec3 x, double low, double high) {
    double at[CROSSINGS], sum = 0;
    size_t count = crossings(room, x.x, x.y, at);
    for (size_t i = 0; i < count; i += 2) {
        double top = i + 1 < count ? scr_min(at[i + 1], high) : high;
        sum += scr_max(top - scr_max(at[i], low), 0);
    }
    return sum;
}

/* Sums columns along the last axis: exact along them, and by the middle rule across. */
static double volume_of(const SceneRoom *room) {
    const ScreeVec3 low = room->box.min, side = sub(room->box.max, low);
    const bool space = room->dimension == 3;
    double most = sqrt(column_work / (double)(room->triangles + 1));
    const int n = (int)scr_min(scr_max(most, COLUMNS_LEAST), COLUMNS_MOST);
    const int rows = space ? n : 1, columns = space ? n : n * n;
    double sum = 0;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            ScreeVec3 x = {low.x + (i + column_place) * side.x / columns, 0, 0};
            if (space) {
                x.y = low.y + (j + column_place) * side.y / rows;
                sum += room->corner != NULL
                           ? in_surface(room, x, low.z, low.z + side.z)
                           : in_cylinder(room, x, (ScreeVec3){0, 0, 1}, low.z, low.z + side.z);
            } else {
                sum += in_cylinder(room, x, (ScreeVec3){0, 1, 0}, low.y, low.y + side.y);
            }
        }
    }
    return sum * side.x / columns * (space ? side.y / rows : 1);
}

/* The box of min and max cuts the room; true if it does cut. */
static bool cut(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill) {
    bool cuts = false;
    for (int k = 0; k < room->dimension; k++) {
        double *low = component_of(&room->box.min, k), *high = component_of(&room->box.max, k);
        if (scene_has(scene, &fill->head, "min") && component(fill->min, k) > *low) {
            *low = component(fill->min, k);
            cuts = true;
        }
        if (scene_has(scene, &fill->head, "max") && component(fill->max, k) < *high) {
            *high = component(fill->max, k);
            cuts = true;
        }
    }
    return cuts;
}

static bool measure(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill,
                    SceneError *error) {
    bool cuts = cut(room, scene, fill);
    const ScreeVec3 side = sub(room->box.max, room->box.min);
    for (int k = 0; k < room->dimension; k++) {
        if (!(component(side, k) < endless / 4)) {
            return fail(scene, fill, "inside", "give min and max, too", "the cylinder has no ends",
                        error);
        }
    }
    bool empty = !(side.x > 0 && side.y > 0 && (room->dimension == 2 || side.z > 0));
    bool exact = room->radius > 0 && !cuts;
    room->volume =
        empty   ? 0
        : exact ? M_PI * room->radius * room->radius * (room->dimension == 3 ? room->length : 1)
                : volume_of(room);
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
    ScreeVec3 side = sub(fill->max, fill->min);
    room->volume = side.x * side.y * (room->dimension == 3 ? side.z : 1);
    return true;
}

void scene_room_free(SceneRoom *room) {
    free(room->corner);
    room->corner = NULL;
}
