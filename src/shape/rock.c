#include "shape/rock.h"

#include "base/random.h"
#include "base/status.h"
#include "shape/hull.h"

enum { LEAST = 4, MOST = 1000, ATTEMPTS = 64 };

typedef struct Plane {
    Vec3 normal;
    double distance; /* from the origin */
} Plane;

/* Points around the origin, all of them corners of their hull. A rock with given vertices is that
 * hull; one with given faces is its polar body: the plane of a point p is p . x = 1, and a face of
 * the hull in the plane n . p = d becomes the vertex n / d. */
typedef struct Draw {
    int32_t count;
    Vec3 *point;
    Vec3 *moved;
    bool *is_corner;
    Hull hull;
    Plane *plane; /* of the faces of the hull */
    Block point_block, moved_block, is_corner_block, plane_block;
} Draw;

/* ---------------------------------------------------------------- even directions */

/* A spiral from pole to pole whose turns are as far apart as its points. */
static void put_spiral(Draw *d) {
    const double golden_angle = 2.39996322972865332223;
    for (int32_t k = 0; k < d->count; k++) {
        double z = 1 - (2 * k + 1.0) / d->count, r = sqrt(1 - z * z), angle = golden_angle * k;
        d->point[k] = vec3(r * scr_cos(angle), r * scr_sin(angle), z);
    }
}

/* Points push each other away as charges do; each moves by a part of the mean distance. */
static void spread(Draw *d, int rounds) {
    double step = 0.3 / d->count;
    for (int round = 0; round < rounds; round++) {
        for (int32_t i = 0; i < d->count; i++) {
            Vec3 push = vec3(0, 0, 0);
            for (int32_t j = 0; j < d->count; j++) {
                Vec3 w = sub(d->point[i], d->point[j]);
                double square = dot(w, w);
                push = i == j ? push : add_scaled(push, 1 / (square * sqrt(square)), w);
            }
            d->moved[i] = unit(add_scaled(d->point[i], step, push));
        }
        for (int32_t i = 0; i < d->count; i++) {
            d->point[i] = d->moved[i];
        }
    }
}

/* ---------------------------------------------------------------- disorder */

static Vec3 random_direction(uint64_t key, uint64_t *i) {
    double z = 2 * scr_random_unit(key, (*i)++) - 1, r = sqrt(1 - z * z),
           angle = 2 * 3.14159265358979323846 * scr_random_unit(key, (*i)++);
    return vec3(r * scr_cos(angle), r * scr_sin(angle), z);
}

/* Any rotation, uniformly (Shoemake). */
static Quat random_rotation(uint64_t key, uint64_t *i) {
    const double full = 2 * 3.14159265358979323846;
    double u = scr_random_unit(key, (*i)++), a = full * scr_random_unit(key, (*i)++),
           b = full * scr_random_unit(key, (*i)++);
    double one = sqrt(1 - u), other = sqrt(u);
    return (Quat){one * scr_sin(a), one * scr_cos(a), other * scr_sin(b), other * scr_cos(b)};
}

/* n points on the unit sphere are about s = sqrt(4 pi / n) apart. One that is moved outwards by much
 * less than s^2 leaves its neighbours corners of the hull. */
static double square_of_spacing(const Draw *d) {
    return 4 * 3.14159265358979323846 / d->count;
}

/* `moved` becomes the points turned as a whole and disturbed. */
static void disturb(Draw *d, double angularity, uint64_t key) {
    uint64_t i = 0;
    Quat q = random_rotation(key, &i);
    double square = square_of_spacing(d), shift = 0.5 * angularity * sqrt(square);
    double rough = angularity * scr_min(0.25, 0.3 * square);
    for (int32_t k = 0; k < d->count; k++) {
        Vec3 p = quat_rotate(q, d->point[k]);
        double by = shift * scr_random_unit(key, i++);
        p = unit(add_scaled(p, by, random_direction(key, &i)));
        double radius = 1 + rough * (2 * scr_random_unit(key, i++) - 1);
        d->moved[k] = scale(radius, p);
    }
}

/* ---------------------------------------------------------------- all of them corners */

/* The plane of a face of the hull. */
static Plane plane_of(const Draw *d, const int32_t *corner, int32_t count) {
    Vec3 origin = d->moved[d->hull.vertex[corner[0]]], sum = vec3(0, 0, 0);
    for (int32_t k = 1; k + 1 < count; k++) {
        Vec3 one = sub(d->moved[d->hull.vertex[corner[k]]], origin),
             other = sub(d->moved[d->hull.vertex[corner[k + 1]]], origin);
        sum = add(sum, cross(one, other));
    }
    Vec3 normal = unit(sum);
    return (Plane){normal, dot(normal, origin)};
}

/* The hull, its planes, and which points are its corners. */
static bool make_hull(Draw *d) {
    if (!scr_hull(d->moved, (size_t)d->count, &d->hull) ||
        !SCR_RESERVE(d, plane, (size_t)d->hull.face.faces)) {
        return false;
    }
    const int32_t *corner = d->hull.face.corner;
    for (int32_t f = 0; f < d->hull.face.faces; f++) {
        d->plane[f] = plane_of(d, corner, d->hull.face.corners[f]);
        corner += d->hull.face.corners[f];
    }
    for (int32_t k = 0; k < d->count; k++) {
        d->is_corner[k] = false;
    }
    for (int32_t k = 0; k < d->hull.vertices; k++) {
        d->is_corner[d->hull.vertex[k]] = true;
    }
    return true;
}

/* How near the faces of the hull come to the origin. */
static double nearest_face(const Draw *d) {
    double least = d->hull.kind == HULL_SOLID ? INFINITY : 0;
    for (int32_t f = 0; f < d->hull.face.faces; f++) {
        least = scr_min(least, d->plane[f].distance);
    }
    return least;
}

/* How far the hull reaches along a direction from the origin. */
static double reach(const Draw *d, Vec3 direction) {
    double least = INFINITY;
    for (int32_t f = 0; f < d->hull.face.faces; f++) {
        double along = dot(d->plane[f].normal, direction);
        least = along > 0 ? scr_min(least, d->plane[f].distance / along) : least;
    }
    return least;
}

/* Points that lie inside of the hull of the others are drawn out of it a little. False when
 * out of memory; *whole tells whether all are corners and the origin is well inside. */
static bool draw_out(Draw *d, bool *whole) {
    double nearest = 0, out = 1 + scr_min(0.02, 0.1 * square_of_spacing(d));
    *whole = false;
    for (int turn = 0; turn < 24; turn++) {
        if (!make_hull(d)) {
            return false;
        }
        nearest = nearest_face(d);
        if (!(nearest > 0.2) || d->hull.vertices == d->count) {
            break;
        }
        for (int32_t k = 0; k < d->count; k++) {
            if (!d->is_corner[k]) {
                Vec3 direction = unit(d->moved[k]);
                d->moved[k] = scale(out * reach(d, direction), direction);
            }
        }
    }
    *whole = nearest > 0.2 && d->hull.vertices == d->count;
    return true;
}

/* ---------------------------------------------------------------- the body */

static bool take_vertices(const Draw *d, bool polar, Rock *made) {
    made->vertices = polar ? d->hull.face.faces : d->count;
    if (!SCR_RESERVE(made, vertex, (size_t)made->vertices)) {
        return false;
    }
    for (int32_t k = 0; k < made->vertices; k++) {
        made->vertex[k] = polar ? scale(1 / d->plane[k].distance, d->plane[k].normal) : d->moved[k];
    }
    return true;
}

/* Stretches the box around it to the sides asked for, about its middle. */
static void stretch(const ScreeRockDef *def, Rock *made) {
    const double side[3] = {def->size * def->elongation, def->size, def->size / def->flatness};
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t k = 0; k < made->vertices; k++) {
            low = scr_min(low, component(made->vertex[k], axis));
            high = scr_max(high, component(made->vertex[k], axis));
        }
        for (int32_t k = 0; k < made->vertices; k++) {
            double *x = component_of(&made->vertex[k], axis);
            *x = (*x - (low + high) / 2) * (side[axis] / (high - low));
        }
    }
}

/* Whether the hull that will be made of it has the right numbers: two vertices of a polar body may
 * be so close that they count as one. */
static bool has_right_numbers(const ScreeRockDef *def, const Rock *made, bool *ok) {
    Hull hull = {0};
    *ok = scr_hull(made->vertex, (size_t)made->vertices, &hull);
    bool right = *ok && hull.kind == HULL_SOLID && hull.vertices == made->vertices &&
                 (def->faces == 0 || hull.face.faces == def->faces);
    scr_hull_free(&hull);
    return right;
}

/* Draws until it succeeds, the later the less disturbed. The last is not disturbed at all: planes
 * that touch a ball are all faces of the body around it. */
static bool draw_rock(const ScreeRockDef *def, Draw *d, Rock *made) {
    put_spiral(d);
    spread(d, 40);
    bool right = false, ok = true;
    for (int attempt = 0; attempt < ATTEMPTS && ok && !right; attempt++) {
        double less = attempt < 8 ? 1 : 1 - (attempt - 8.0) / (ATTEMPTS - 9);
        disturb(d, less * def->angularity,
                scr_random_key(def->seed, 0x726f636b, (uint64_t)attempt));
        ok = draw_out(d, &right);
        if (ok && right) {
            ok = take_vertices(d, def->faces > 0, made);
        }
        if (ok && right) {
            stretch(def, made);
            right = has_right_numbers(def, made, &ok);
        }
    }
    return ok;
}

/* ---------------------------------------------------------------- checks */

static const char *fault_of(const ScreeRockDef *def) {
    int32_t count = def->faces != 0 ? def->faces : def->vertices;
    if (count < LEAST || count > MOST) {
        return def->faces != 0 ? "a rock has 4 to 1000 faces"
                               : "a rock has 4 to 1000 vertices, unless its faces are given";
    }
    if (!(def->size > 1e-50 && def->size < 1e50)) {
        return "the size of a rock must lie between 1e-50 and 1e50";
    }
    if (!(def->elongation >= 1 && def->elongation <= 1000)) {
        return "the elongation of a rock, its length over its width, must lie between 1 and 1000";
    }
    if (!(def->flatness >= 1 && def->flatness <= 1000)) {
        return "the flatness of a rock, its width over its thickness, must lie between 1 and 1000";
    }
    return def->angularity >= 0 && def->angularity <= 1
               ? NULL
               : "the angularity of a rock must lie between 0 and 1";
}

ScreeStatus scr_make_rock(const ScreeRockDef *def, Rock *made, char *message) {
    SCR_TRY(scr_fail_if(message, fault_of(def)));
    Draw d = {.count = def->faces != 0 ? def->faces : def->vertices};
    size_t count = (size_t)d.count;
    bool ok = SCR_RESERVE(&d, point, count) && SCR_RESERVE(&d, moved, count) &&
              SCR_RESERVE(&d, is_corner, count) && draw_rock(def, &d, made);
    SCR_FREE_BLOCKS(&d.point_block, &d.moved_block, &d.is_corner_block, &d.plane_block);
    scr_hull_free(&d.hull);
    return ok ? SCREE_OK : scr_no_memory(message);
}
