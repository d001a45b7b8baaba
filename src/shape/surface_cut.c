/* Faces as triangles, by cutting off ears. */
#include "shape/surface.h"

#include "base/status.h"
#include "base/plural.h"
#include "shape/ears.h"
#include "shape/hull.h"

/* Cutting takes the square of their number. */
enum { MOST_CORNERS_OF_FACE = 4096 };

/* A face on its way. */
typedef struct Cut {
    const SurfaceDef *def;
    int32_t face;
    Ring ring;
    int32_t *corner; /* work space for the corners of the ring */
    Block corner_block;
} Cut;

static Vec3 at(const Ring *r, int32_t k) {
    return r->point[r->corner[k]];
}

static void add_triangle(Surface *made, int32_t face, const int32_t corner[3]) {
    made->face[made->triangles.count] = face;
    made->triangles.triangle[made->triangles.count++] =
        (Triangle){{corner[0], corner[1], corner[2]}, {-1, -1, -1}};
}

static bool cut_ring(Cut *c, Surface *made) {
    int32_t triangle[3];
    while (c->ring.count >= 3) {
        if (!scr_cut_ear(&c->ring, triangle)) {
            return false;
        }
        add_triangle(made, c->face, triangle);
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

static ScreeStatus face_is_plane(Cut *c, const Surface *made, char *message) {
    const size_t part = c->def->part;
    Ring *r = &c->ring;
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
            c->face);
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
            c->face, which, most / made->size);
    }
    return SCREE_OK;
}

static ScreeStatus cut_face(Cut *c, const int32_t *corner, Surface *made, char *message) {
    for (int32_t k = 0; k < c->ring.count; k++) {
        c->corner[k] = corner[k];
    }
    SCR_TRY(face_is_plane(c, made, message));
    if (c->ring.count == 3) {
        add_triangle(made, c->face, corner);
        return SCREE_OK;
    }
    return cut_ring(c, made)
               ? SCREE_OK
               : scr_surface_refuse(message, c->def->part,
                                    ", face %d: its outline crosses or touches itself", c->face);
}

/* ---------------------------------------------------------------- all faces */

static ScreeStatus count_corners(const SurfaceDef *def, size_t *corners, size_t *most,
                                 char *message) {
    *corners = *most = 0;
    for (size_t f = 0; f < def->faces; f++) {
        if (def->corners[f] < 3) {
            return scr_surface_refuse(
                message, def->part, ", face %zu: has %d %s, a face has at least three", f,
                def->corners[f], SCR_PLURAL(def->corners[f], "corner", "corners"));
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
    Cut c = {.def = def};
    if (!SCR_RESERVE(&made->triangles, triangle, corners) || !SCR_RESERVE(made, face, corners) ||
        !SCR_RESERVE(&c, corner, most + 1)) {
        scr_block_free(&c.corner_block);
        return SCREE_NO_MEMORY;
    }
    double size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    c.ring =
        (Ring){.point = def->vertex, .corner = c.corner, .tolerance = scr_no_height(size, away)};
    made->triangles.count = 0;
    ScreeStatus status = SCREE_OK;
    const int32_t *corner = def->corner;
    for (size_t f = 0; f < def->faces && status == SCREE_OK; f++) {
        c.face = (int32_t)f;
        c.ring.count = def->corners[f];
        status = corners_are_sound(def, f, corner, message);
        status = status == SCREE_OK ? cut_face(&c, corner, made, message) : status;
        corner += def->corners[f];
    }
    scr_block_free(&c.corner_block);
    return status;
}
