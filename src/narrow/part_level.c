#include "narrow/part_level.h"

#include "narrow/feature_sight.h"
#include "narrow/patch_meeting.h"
#include "shape/mesh.h"
#include "shape/triangles.h"

/* ---------------------------------------------------------------- polyhedra */

/* How far over the planes of all faces: inside of a convex body this is the distance. */
static double over_planes(const Polyhedron *p, Vec3 x) {
    double most = -INFINITY;
    for (int32_t f = 0; f < p->faces; f++) {
        most = scr_max(most, dot(p->face[f].normal, x) - p->face[f].offset);
    }
    return most;
}

/* The nearest point of the surface. */
typedef struct Nearest {
    double distance;
    Vec3 at;
    ElementKind kind;
    int32_t face, corner; /* corner: in the loop of the face */
} Nearest;

/* How far a place is from the box around a triangle. */
static double clear_of_box(Vec3 a, Vec3 b, Vec3 c, Vec3 x) {
    Vec3 low = vec3(scr_min(a.x, scr_min(b.x, c.x)), scr_min(a.y, scr_min(b.y, c.y)),
                    scr_min(a.z, scr_min(b.z, c.z)));
    Vec3 high = vec3(scr_max(a.x, scr_max(b.x, c.x)), scr_max(a.y, scr_max(b.y, c.y)),
                     scr_max(a.z, scr_max(b.z, c.z)));
    return length(vec3(scr_max(0, scr_max(low.x - x.x, x.x - high.x)),
                       scr_max(0, scr_max(low.y - x.y, x.y - high.y)),
                       scr_max(0, scr_max(low.z - x.z, x.z - high.z))));
}

/* Faces are convex, so a fan of triangles makes one; sides of the fan belong to the face. */
static void look_at_face(const Polyhedron *p, int32_t f, Vec3 x, double within, Nearest *best) {
    const PolyhedronFace *face = &p->face[f];
    const int32_t *loop = &p->loop_vertex[face->first];
    for (int32_t k = 1; k + 1 < face->count; k++) {
        Vec3 a = scr_vertex(p, loop[0]), b = scr_vertex(p, loop[k]), c = scr_vertex(p, loop[k + 1]);
        if (clear_of_box(a, b, c, x) > scr_min(within, best->distance)) {
            continue;
        }
        const TrianglePoint t = scr_nearest_on_triangle(a, b, c, x);
        double distance = length(sub(x, t.at));
        bool inner = t.kind == ELEMENT_EDGE &&
                     ((t.corner == 0 && k > 1) || (t.corner == 2 && k + 2 < face->count));
        if (distance < best->distance) {
            int32_t corner = t.corner == 0 ? 0 : k + t.corner - 1;
            *best = (Nearest){distance, t.at, inner ? ELEMENT_FACE : t.kind, f, corner};
        }
    }
}

/* No face is farther away than the nearest vertex, but for rounding. */
static double nearest_vertex(const Polyhedron *p, Vec3 x) {
    double least = INFINITY;
    for (int32_t v = 0; v < p->vertices; v++) {
        Vec3 w = sub(x, scr_vertex(p, v));
        least = scr_min(least, dot(w, w));
    }
    return sqrt(least) + 1e-12 * p->extent;
}

static Nearest nearest_of(const Polyhedron *p, Vec3 x) {
    Nearest best = {.distance = INFINITY};
    double within = nearest_vertex(p, x);
    for (int32_t f = 0; f < p->faces; f++) {
        double over = fabs(dot(p->face[f].normal, x) - p->face[f].offset);
        if (over < best.distance && over <= within) {
            look_at_face(p, f, x, within, &best);
        }
    }
    return best;
}

/* Normals of the faces around a vertex, weighted by the angles of their corners there: seen from the
 * vertex, what is outside lies on the side of their sum (Baerentzen and Aanaes 2005). */
static Vec3 normal_at_vertex(const Polyhedron *p, int32_t v) {
    Vec3 sum = vec3(0, 0, 0);
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronFace *f = &p->face[p->star_face[k]];
        const int32_t *loop = &p->loop_vertex[f->first];
        for (int32_t i = 0; i < f->count; i++) {
            Vec3 here = scr_vertex(p, v), on, back;
            if (loop[i] == v &&
                direction_of(sub(scr_vertex(p, loop[(i + 1) % f->count]), here), &on) &&
                direction_of(sub(scr_vertex(p, loop[(i + f->count - 1) % f->count]), here),
                             &back)) {
                sum = add_scaled(sum, scr_acos(dot(on, back)), f->normal);
            }
        }
    }
    return sum;
}

static Vec3 normal_at(const Polyhedron *p, const Nearest *n) {
    const PolyhedronFace *face = &p->face[n->face];
    if (n->kind == ELEMENT_VERTEX) {
        return normal_at_vertex(p, p->loop_vertex[face->first + n->corner]);
    }
    if (n->kind == ELEMENT_EDGE) {
        const PolyhedronEdge *e = &p->edge[p->loop_edge[face->first + n->corner]];
        return add(p->face[e->face[0]].normal, p->face[e->face[1]].normal);
    }
    return face->normal;
}

double scr_polyhedron_sight(const Polyhedron *p, Vec3 x, Vec3 *normal) {
    const Nearest n = nearest_of(p, x);
    Vec3 out = normal_at(p, &n), w = sub(x, n.at);
    bool inside = dot(out, w) < 0;
    if (!direction_of(inside ? scale(-1, w) : w, normal) || n.kind == ELEMENT_FACE) {
        *normal = unit(out);
    }
    return inside ? -n.distance : n.distance;
}

static double polyhedron_level(const Polyhedron *p, Vec3 x) {
    if (p->faces == 0) {
        Vec3 first = scr_vertex(p, 0);
        Vec3 last = scr_vertex(p, p->vertices - 1);
        return scr_distance_to_segment(x, first, last) - p->rounding;
    }
    double over = p->convex ? over_planes(p, x) : 1;
    if (p->convex && (over < 0 || p->rounding == 0)) {
        return over - p->rounding;
    }
    const Nearest n = nearest_of(p, x);
    bool inside = !p->convex && dot(normal_at(p, &n), sub(x, n.at)) < 0;
    return (inside ? -n.distance : n.distance) - p->rounding;
}

/* ---------------------------------------------------------------- patches */

/* A cell lies in a ball, and in a slice of it. */
static double clear_of_cell(const PatchCell *c, Vec3 x) {
    Vec3 w = sub(x, c->middle);
    double square = dot(w, w), up = fabs(dot(w, c->normal));
    double over = scr_max(0, up - c->height);
    double beside = scr_max(0, sqrt(scr_max(0, square - up * up)) - c->extent);
    return scr_max(sqrt(square) - c->extent, sqrt(over * over + beside * beside));
}

static double clear_of_patches(const Patchwork *s, Vec3 x) {
    double least = INFINITY;
    for (int32_t k = 0; k < s->cells; k++) {
        least = scr_min(least, clear_of_cell(&s->cell[k], x));
    }
    return scr_max(0, least);
}

/* A place from which x is seen along the normal, or the middle of the cell where there is none; `level` is the
 * nearest so far. */
static void look_at_cell(const Patchwork *s, int32_t cell, Vec3 x, double *level) {
    const PatchPartner point = {.kind = PARTNER_POINT, .at = x};
    const PatchMeeting m = scr_meet_partner(s, cell, &point, -INFINITY);
    double found = m.gap;
    if (!scr_is_in_cells(&m)) {
        const PatchNet net = scr_patch_net(s, s->cell[cell].patch);
        const PatchAt middle = scr_patch_point(&net, s->cell[cell].u, s->cell[cell].v);
        Vec3 w = sub(x, middle.x);
        found = dot(middle.normal, w) < 0 ? -length(w) : length(w);
    }
    *level = fabs(found) < fabs(*level) ? found : *level;
}

/* The nearest place of all cells that may have it, beginning with the one whose middle is nearest. */
static double patchwork_level(const Patchwork *s, Vec3 x) {
    double level = INFINITY, nearest = INFINITY;
    int32_t first = 0;
    for (int32_t k = 0; k < s->cells; k++) {
        Vec3 w = sub(x, s->cell[k].middle);
        first = dot(w, w) < nearest ? k : first;
        nearest = scr_min(nearest, dot(w, w));
    }
    look_at_cell(s, first, x, &level);
    for (int32_t k = 0; k < s->cells; k++) {
        if (k != first && clear_of_cell(&s->cell[k], x) < fabs(level)) {
            look_at_cell(s, k, x, &level);
        }
    }
    return level;
}

/* ---------------------------------------------------------------- all kinds */

double scr_part_level(const Polyhedron *p, Vec3 x) {
    const SmoothPart *s = &p->smooth;
    switch (s->kind) {
    case SCREE_PART_NURBS:
        return patchwork_level(s->patchwork, x);
    case SCREE_PART_CONE:
        return scr_smooth_level(s, p->rounding, x);
    case SCREE_PART_ELLIPSOID: /* with exponents of 2 or more it holds the ball of its least half axis */
        return scr_smooth_level(s, 0, x) *
               scr_min(length(s->axis[0]), scr_min(length(s->axis[1]), length(s->axis[2])));
    default:
        return polyhedron_level(p, x);
    }
}

double scr_part_clear(const Polyhedron *p, Vec3 x) {
    return scr_is_patchwork(p) ? clear_of_patches(p->smooth.patchwork, x)
                               : fabs(scr_part_level(p, x));
}

/* ---------------------------------------------------------------- thickness */

/* To where a ray leaves a smooth convex part: the level is convex along it. */
static double smooth_thickness(const Polyhedron *p, Vec3 x, Vec3 into) {
    double in = 0, out = 2 * p->extent;
    for (int k = 0; k < 30; k++) {
        double way = 0.5 * (in + out);
        bool inside = scr_smooth_level(&p->smooth, 0, add_scaled(x, way, into)) <= 0;
        in = inside ? way : in;
        out = inside ? out : way;
    }
    return in;
}

double scr_part_thickness(const Polyhedron *p, Vec3 x, Vec3 into, double within) {
    if (scr_is_smooth(p)) {
        return smooth_thickness(p, x, into);
    }
    double least = isfinite(p->extent) && p->faces > 0 ? INFINITY : 0;
    for (int32_t f = 0; f < p->faces && least > 0; f++) {
        const PolyhedronFace *face = &p->face[f];
        double speed = dot(face->normal, into), ahead = face->offset - dot(face->normal, x);
        double way = scr_max(0, ahead) / scr_max(speed, 1e-12);
        /* the plane of another face of a body that is not convex may pass behind x */
        if (speed > 1e-12 && way < least &&
            (p->convex ||
             (ahead >= -within && scr_beyond_face(p, f, add_scaled(x, way, into), 0) <= within))) {
            least = way;
        }
    }
    return least;
}

/* ---------------------------------------------------------------- places inside */

/* From the middle of a face, half the way to where the body ends. */
static Vec3 below_face(const Polyhedron *p, int32_t f) {
    const PolyhedronFace *face = &p->face[f];
    Vec3 middle = vec3(0, 0, 0);
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        middle = add_scaled(middle, 1.0 / face->count, scr_vertex(p, p->loop_vertex[k]));
    }
    double least = 2 * p->extent;
    for (int32_t g = 0; g < p->faces; g++) {
        const PolyhedronFace *other = &p->face[g];
        double speed = -dot(other->normal, face->normal);
        double way = (other->offset - dot(other->normal, middle)) / speed;
        Vec3 there = add_scaled(middle, -way, face->normal);
        if (speed > 0 && way > 0 && way < least &&
            scr_beyond_face(p, g, there, 0) <= 1e-9 * p->extent) {
            least = way;
        }
    }
    return add_scaled(middle, -0.5 * least, face->normal);
}

static Vec3 below_cell(const Patchwork *s, const PatchCell *c) {
    const PatchNet net = scr_patch_net(s, c->patch);
    const PatchAt at = scr_patch_point(&net, c->u, c->v);
    return add_scaled(at.x, -0.5 * c->thickness, at.normal);
}

static Vec3 mean_vertex(const Polyhedron *p) {
    Vec3 sum = vec3(0, 0, 0);
    for (int32_t v = 0; v < p->vertices; v++) {
        sum = add_scaled(sum, 1.0 / p->vertices, scr_vertex(p, v));
    }
    return sum;
}

int scr_inner_points(const Polyhedron *p, Vec3 point[INNER_POINTS]) {
    const Patchwork *s = scr_is_patchwork(p) ? p->smooth.patchwork : NULL;
    if (p->convex && s == NULL) {
        point[0] = scr_is_smooth(p) ? p->middle : mean_vertex(p);
        return 1;
    }
    int32_t places = s != NULL ? s->cells : p->faces;
    int count = places < INNER_POINTS ? (int)places : INNER_POINTS;
    for (int k = 0; k < count; k++) {
        int32_t at = (int32_t)((int64_t)k * places / count);
        point[k] = s != NULL ? below_cell(s, &s->cell[at]) : below_face(p, at);
    }
    return count;
}
