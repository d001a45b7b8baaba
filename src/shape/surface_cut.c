/* Faces as triangles, by cutting off ears. */
#include "shape/surface.h"

#include "base/status.h"
#include "shape/hull.h"

/* Cutting takes the square of their number. */
enum { MOST_CORNERS_OF_FACE = 4096 };

/* A face on its way: the ring of corners that are still there. */
typedef struct Ring {
    const SurfaceDef *def;
    const Vec3 *point;
    int32_t face, count;
    int32_t *corner; /* [count] vertices */
    Vec3 normal;
    double tolerance; /* a triangle that is lower has no area */
    Block corner_block;
} Ring;

static Vec3 at(const Ring *r, int32_t k) {
    return r->point[r->corner[(k + r->count) % r->count]];
}

/* Twice the area of the triangle of corner k and its neighbours; negative where the ring turns
 * right. */
static double bend(const Ring *r, int32_t k) {
    return dot(r->normal, cross(sub(at(r, k), at(r, k - 1)), sub(at(r, k + 1), at(r, k))));
}

/* The same as a height over the longest side. */
static double height(const Ring *r, int32_t k) {
    Vec3 a = sub(at(r, k), at(r, k - 1)), b = sub(at(r, k + 1), at(r, k));
    return bend(r, k) / scr_max(length(add(a, b)), scr_max(length(a), length(b)));
}

static bool is_straight(const Ring *r, int32_t k) {
    return fabs(height(r, k)) <= r->tolerance;
}

/* Whether the triangle of corner k and its neighbours holds no other corner. */
static bool is_ear(const Ring *r, int32_t k) {
    if (!(height(r, k) > r->tolerance)) {
        return false;
    }
    const Vec3 corner[3] = {at(r, k - 1), at(r, k), at(r, k + 1)};
    for (int32_t j = 2; j < r->count - 1; j++) {
        Vec3 p = at(r, k + j);
        bool inside = true;
        for (int e = 0; e < 3 && inside; e++) {
            Vec3 along = sub(corner[(e + 1) % 3], corner[e]);
            inside = dot(r->normal, cross(along, sub(p, corner[e]))) >=
                     -r->tolerance * length(along); /* not even on a side */
        }
        if (inside) {
            return false;
        }
    }
    return true;
}

/* An ear beside a straight corner, which would otherwise be left without a triangle, before any
 * other; -1: none. */
static int32_t find_ear(const Ring *r) {
    int32_t any = -1;
    for (int32_t k = 0; k < r->count; k++) {
        bool beside = is_straight(r, k - 1) || is_straight(r, k + 1);
        if ((beside || any < 0) && is_ear(r, k)) {
            if (beside) {
                return k;
            }
            any = k;
        }
    }
    return any;
}

static bool cut_ring(Ring *r, Surface *made) {
    while (r->count >= 3) {
        int32_t ear = find_ear(r);
        if (ear < 0) {
            return false;
        }
        made->face[made->triangles.count] = r->face;
        made->triangles.triangle[made->triangles.count++] =
            (Triangle){{r->corner[(ear + r->count - 1) % r->count], r->corner[ear],
                        r->corner[(ear + 1) % r->count]},
                       {-1, -1, -1}};
        r->count--;
        for (int32_t k = ear; k < r->count; k++) {
            r->corner[k] = r->corner[k + 1];
        }
        if (r->count < 3) {
            return true;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- one face */

static ScreeStatus corners_are_sound(const SurfaceDef *def, size_t face, const int32_t *corner,
                                     char *message) {
    for (int32_t k = 0; k < def->corners[face]; k++) {
        if (corner[k] < 0 || (size_t)corner[k] >= def->vertices) {
            return scr_surface_refuse(
                message, def->part,
                ", face %zu: there is no vertex %d; vertices are counted from 0 "
                "to %zu",
                face, corner[k], def->vertices - 1);
        }
    }
    for (int32_t k = 0; k < def->corners[face]; k++) {
        for (int32_t j = k + 1; j < def->corners[face]; j++) {
            if (corner[j] == corner[k]) {
                return scr_surface_refuse(message, def->part, ", face %zu: has vertex %d twice",
                                          face, corner[k]);
            }
        }
    }
    return SCREE_OK;
}

/* Newell's sum. */
static Vec3 normal_of(const Ring *r) {
    Vec3 sum = vec3(0, 0, 0);
    for (int32_t k = 1; k + 1 < r->count; k++) {
        sum = add(sum, cross(sub(at(r, k), at(r, 0)), sub(at(r, k + 1), at(r, 0))));
    }
    return sum;
}

static ScreeStatus face_is_plane(Ring *r, const Surface *made, char *message) {
    const size_t part = r->def->part;
    double longest = 0, most = 0;
    int32_t which = 0;
    for (int32_t k = 0; k < r->count; k++) { /* at least half the longest distance */
        longest = scr_max(longest, length(sub(at(r, k), at(r, 0))));
    }
    Vec3 sum = normal_of(r);
    if (!(length(sum) > r->tolerance * longest)) {
        return scr_surface_refuse(
            message, part,
            ", face %d: has no area, its corners lie on one line: leave it out "
            "and join its vertices",
            r->face);
    }
    r->normal = unit(sum);
    double middle = 0;
    for (int32_t k = 0; k < r->count; k++) {
        middle += dot(r->normal, sub(at(r, k), at(r, 0))) / r->count;
    }
    for (int32_t k = 0; k < r->count; k++) {
        double off = fabs(dot(r->normal, sub(at(r, k), at(r, 0))) - middle);
        which = off > most ? r->corner[k] : which;
        most = scr_max(most, off);
    }
    if (r->count > 3 && most > made->tolerance) {
        return scr_surface_refuse(
            message, part,
            ", face %d: is not plane, vertex %d lies %.3g of the size off it: "
            "give it as triangles",
            r->face, which, most / made->size);
    }
    return SCREE_OK;
}

static ScreeStatus cut_face(Ring *r, const int32_t *corner, Surface *made, char *message) {
    for (int32_t k = 0; k < r->count; k++) {
        r->corner[k] = corner[k];
    }
    ScreeStatus status = face_is_plane(r, made, message);
    if (status != SCREE_OK) {
        return status;
    }
    int32_t first = made->triangles.count;
    if (r->count == 3) {
        made->face[first] = r->face;
        made->triangles.triangle[made->triangles.count++] =
            (Triangle){{corner[0], corner[1], corner[2]}, {-1, -1, -1}};
        return SCREE_OK;
    }
    return cut_ring(r, made)
               ? SCREE_OK
               : scr_surface_refuse(message, r->def->part,
                                    ", face %d: its outline crosses or touches itself", r->face);
}

/* ---------------------------------------------------------------- all faces */

static ScreeStatus count_corners(const SurfaceDef *def, size_t *corners, size_t *most,
                                 char *message) {
    *corners = *most = 0;
    for (size_t f = 0; f < def->faces; f++) {
        if (def->corners[f] < 3) {
            return scr_surface_refuse(message, def->part,
                                      ", face %zu: has %d corners, a face has at least three", f,
                                      def->corners[f]);
        }
        if (def->corners[f] > MOST_CORNERS_OF_FACE) {
            return scr_surface_refuse(message, def->part, ", face %zu: has more than %d corners", f,
                                      (int)MOST_CORNERS_OF_FACE);
        }
        *corners += (size_t)def->corners[f];
        *most = (size_t)def->corners[f] > *most ? (size_t)def->corners[f] : *most;
    }
    return SCREE_OK;
}

ScreeStatus scr_surface_cut(const SurfaceDef *def, Surface *made, char *message) {
    size_t corners, most;
    SCR_TRY(count_corners(def, &corners, &most, message));
    Ring r = {.def = def, .point = def->vertex};
    if (!SCR_RESERVE(&made->triangles, triangle, corners) || !SCR_RESERVE(made, face, corners) ||
        !SCR_RESERVE(&r, corner, most + 1)) {
        scr_block_free(&r.corner_block);
        return SCREE_NO_MEMORY;
    }
    double size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    r.tolerance = 32 * 0x1p-52 * scr_max(size, away);
    made->triangles.count = 0;
    ScreeStatus status = SCREE_OK;
    const int32_t *corner = def->corner;
    for (size_t f = 0; f < def->faces && status == SCREE_OK; f++) {
        r.face = (int32_t)f;
        r.count = def->corners[f];
        status = corners_are_sound(def, f, corner, message);
        status = status == SCREE_OK ? cut_face(&r, corner, made, message) : status;
        corner += def->corners[f];
    }
    scr_block_free(&r.corner_block);
    return status;
}
