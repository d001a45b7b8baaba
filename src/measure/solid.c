/* Volumes of polyhedra in boxes. Over the faces of a closed surface,
 *
 *     V = sum of  integral (c(z) - low) dx dy,
 *
 * where each face is taken within the x and y bounds of the box, its projection counts as negative
 * where it faces down, and c cuts z off at the bounds. No new faces have to be made, and the surface
 * need not be convex. */
#include "measure/solid.h"

#include "measure/overlap.h"

/* One part of a solid. */
typedef struct Part {
    const ScreeSolidPart *def;
    const Vec3 *vertex;
    const int32_t *corners, *corner;
} Part;

typedef struct PartWalk {
    Part part;
    size_t next;
} PartWalk;

static bool next_part(const ScreeSolidDef *def, PartWalk *walk) {
    if (walk->next == 0) {
        walk->part = (Part){def->part, def->vertex, def->corners, def->corner};
    } else if (walk->next < def->parts) {
        Part *p = &walk->part;
        for (size_t f = 0; f < p->def->faces; f++) {
            p->corner += p->corners[f];
        }
        p->corners += p->def->faces;
        p->vertex += p->def->vertices;
        p->def++;
    }
    return walk->next++ < def->parts;
}

void scr_solid_reach(const ScreeSolid *solid, Quat q, double low[3], double high[3]) {
    PartWalk walk = {.next = 0};
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    while (next_part(&solid->def, &walk)) {
        for (size_t v = 0; v < walk.part.def->vertices; v++) {
            Vec3 at = quat_rotate(q, walk.part.vertex[v]);
            for (int k = 0; k < 3; k++) {
                low[k] = scr_min(low[k], component(at, k) - walk.part.def->rounding);
                high[k] = scr_max(high[k], component(at, k) + walk.part.def->rounding);
            }
        }
    }
}

/* ---------------------------------------------------------------- one face */

/* A triangle that has been cut by up to six planes. */
enum { MOST_CUT = 3 + 6 };
typedef struct CutFace {
    int count;
    Vec3 point[MOST_CUT];
} CutFace;

/* What of a face lies on one side of a plane across an axis: below it with sign 1, above with -1. */
static CutFace cut(const CutFace *face, int axis, double at, double sign) {
    CutFace kept = {0};
    for (int k = 0; k < face->count; k++) {
        Vec3 a = face->point[k], b = face->point[(k + 1) % face->count];
        double in_a = sign * (at - component(a, axis)), in_b = sign * (at - component(b, axis));
        if (in_a >= 0) {
            kept.point[kept.count++] = a;
        }
        if ((in_a >= 0) != (in_b >= 0)) {
            Vec3 x = add_scaled(a, in_a / (in_a - in_b), sub(b, a));
            *component_of(&x, axis) = at;
            kept.point[kept.count++] = x;
        }
    }
    return kept;
}

/* Integral of z - low over the projection. */
static double above(const CutFace *face, double low) {
    double sum = 0;
    for (int k = 1; k + 1 < face->count; k++) {
        Vec3 a = face->point[0], b = face->point[k], c = face->point[k + 1];
        double area = 0.5 * ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
        sum += area * ((a.z - low) + (b.z - low) + (c.z - low)) / 3;
    }
    return sum;
}

static double under_face(CutFace face, const double low[3], const double high[3]) {
    for (int axis = 0; axis < 2; axis++) {
        face = cut(&face, axis, low[axis], -1);
        face = cut(&face, axis, high[axis], 1);
    }
    face = cut(&face, 2, low[2], -1);
    CutFace between = cut(&face, 2, high[2], 1), beyond = cut(&face, 2, high[2], -1);
    for (int k = 0; k < beyond.count; k++) {
        beyond.point[k].z = high[2];
    }
    return above(&between, low[2]) + above(&beyond, low[2]);
}

/* ---------------------------------------------------------------- parts */

static double polyhedron_in_box(const Part *p, Quat q, const double low[3], const double high[3]) {
    const int32_t *corner = p->corner;
    double volume = 0;
    for (size_t f = 0; f < p->def->faces; f++) {
        for (int32_t k = 1; k + 1 < p->corners[f]; k++) {
            const CutFace triangle = {3,
                                      {quat_rotate(q, p->vertex[corner[0]]),
                                       quat_rotate(q, p->vertex[corner[k]]),
                                       quat_rotate(q, p->vertex[corner[k + 1]])}};
            volume += under_face(triangle, low, high);
        }
        corner += p->corners[f];
    }
    return volume;
}

static double balls_in_box(const Part *p, Quat q, const double low[3], const double high[3]) {
    double volume = 0;
    for (size_t v = 0; v < p->def->vertices; v++) {
        Vec3 at = quat_rotate(q, p->vertex[v]);
        const double from[3] = {low[0] - at.x, low[1] - at.y, low[2] - at.z};
        const double to[3] = {high[0] - at.x, high[1] - at.y, high[2] - at.z};
        volume += scr_ball_in_box(p->def->rounding, from, to);
    }
    return volume;
}

static double part_in_box(const Part *p, Quat q, const double low[3], const double high[3]) {
    return p->def->faces > 2 ? polyhedron_in_box(p, q, low, high) : balls_in_box(p, q, low, high);
}

double scr_solid_in_box(const ScreeSolid *solid, Quat q, const double low[3],
                        const double high[3]) {
    double around_low[3], around_high[3], from[3], to[3], inside = 0, whole = 0;
    scr_solid_reach(solid, q, around_low, around_high);
    for (int k = 0; k < 3; k++) {
        from[k] = scr_max(low[k], around_low[k]);
        to[k] = scr_min(high[k], around_high[k]);
        if (!(from[k] < to[k])) {
            return 0;
        }
    }
    PartWalk walk = {.next = 0};
    while (next_part(&solid->def, &walk)) {
        inside += part_in_box(&walk.part, q, from, to);
        whole += part_in_box(&walk.part, q, around_low, around_high);
    }
    return whole > 0 ? solid->volume * inside / whole : 0;
}

double scr_solid_height(const ScreeSolid *solid, Quat q, Vec3 up) {
    PartWalk walk = {.next = 0};
    double height = -INFINITY;
    while (next_part(&solid->def, &walk)) {
        for (size_t v = 0; v < walk.part.def->vertices; v++) {
            double at = dot(up, quat_rotate(q, walk.part.vertex[v])) + walk.part.def->rounding;
            height = scr_max(height, at);
        }
    }
    return height;
}

/* ---------------------------------------------------------------- sections
 *
 * A plane cuts the surface in closed curves. With the surface's outward normal m they run along
 * n x m, so that the section lies on their left, and Green's theorem gives its area and its
 * moment: of a side from p to q, half of n.(p x q), at (p + q) / 3. */

typedef struct Section {
    Vec3 n;
    double d, area;
    Vec3 moment;
} Section;

/* Where the plane meets the side from a to b, seen from the foot of the centre on it. */
static Vec3 crossing(const Section *s, Vec3 a, Vec3 b, double above_a, double above_b) {
    Vec3 x = add_scaled(a, above_a / (above_a - above_b), sub(b, a));
    return add_scaled(x, -dot(s->n, x), s->n);
}

static void cut_triangle(Section *s, const Vec3 corner[3]) {
    double above[3];
    Vec3 end[2];
    int ends = 0;
    for (int k = 0; k < 3; k++) {
        above[k] = dot(s->n, corner[k]) - s->d;
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if ((above[k] >= 0) != (above[next] >= 0)) {
            end[ends++] = crossing(s, corner[k], corner[next], above[k], above[next]);
        }
    }
    if (ends < 2) {
        return;
    }
    Vec3 m = cross(sub(corner[1], corner[0]), sub(corner[2], corner[0]));
    bool forward = dot(sub(end[1], end[0]), cross(s->n, m)) >= 0;
    Vec3 p = end[forward ? 0 : 1], q = end[forward ? 1 : 0];
    double area = 0.5 * dot(s->n, cross(p, q));
    s->area += area;
    s->moment = add_scaled(s->moment, area / 3, add(p, q));
}

static void cut_part(Section *s, const Part *p, Quat q) {
    const int32_t *corner = p->corner;
    for (size_t f = 0; f < p->def->faces && p->def->faces > 2; f++) {
        for (int32_t k = 1; k + 1 < p->corners[f]; k++) {
            const Vec3 triangle[3] = {quat_rotate(q, p->vertex[corner[0]]),
                                      quat_rotate(q, p->vertex[corner[k]]),
                                      quat_rotate(q, p->vertex[corner[k + 1]])};
            cut_triangle(s, triangle);
        }
        corner += p->corners[f];
    }
    for (size_t v = 0; v < p->def->vertices && p->def->faces <= 2; v++) {
        Vec3 at = quat_rotate(q, p->vertex[v]);
        double h = s->d - dot(s->n, at), r = p->def->rounding;
        double area = fabs(h) < r ? M_PI * (r - h) * (r + h) : 0;
        s->area += area;
        s->moment = add_scaled(s->moment, area, add_scaled(at, -dot(s->n, at), s->n));
    }
}

/* The rotation that takes the unit vector n to z. */
static Quat upright(Vec3 n) {
    if (n.z < -0.999999) {
        return (Quat){0, 1, 0, 0};
    }
    return quat_normalise((Quat){1 + n.z, n.y, -n.x, 0});
}

SolidCut scr_solid_cut(const ScreeSolid *solid, Quat q, Vec3 n, double d) {
    const double everything[3] = {INFINITY, INFINITY, INFINITY};
    const double low[3] = {-INFINITY, -INFINITY, d};
    Section section = {.n = n, .d = d};
    PartWalk walk = {.next = 0};
    double whole = 0, around[3], to[3];
    scr_solid_reach(solid, q, around, to);
    while (next_part(&solid->def, &walk)) {
        cut_part(&section, &walk.part, q);
        whole += part_in_box(&walk.part, q, around, to);
    }
    double share = whole > 0 ? solid->volume / whole : 0;
    return (SolidCut){.beyond =
                          scr_solid_in_box(solid, quat_multiply(upright(n), q), low, everything),
                      .section = share * section.area,
                      .moment = scale(share, add_scaled(section.moment, d * section.area, n))};
}
