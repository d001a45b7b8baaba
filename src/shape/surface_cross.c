/* Whether a surface meets itself. Signs are exact, so nothing that crosses is missed, and nothing
 * that only comes near is refused. */
#include "shape/surface.h"

#include "shape/orient.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- in one plane */

/* A plane with a point outside of it, seen from which the plane has a left and a right. */
typedef struct Plan {
    Vec3 apex;
    int sign;
} Plan;

static Plan plan_of(const Vec3 t[3]) {
    const Vec3 far[4] = {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {-4, -4, -4}}; /* not in one plane */
    Plan plan = {far[0], 0};
    for (int k = 0; k < 4 && plan.sign == 0; k++) {
        plan = (Plan){far[k], scr_orient(t[0], t[1], t[2], far[k])};
    }
    return plan;
}

/* 1: p lies to the left of the line from a to b, the triangle running counterclockwise. */
static int side_of(const Plan *plan, Vec3 a, Vec3 b, Vec3 p) {
    return plan->sign * scr_orient(a, b, p, plan->apex);
}

static bool in_triangle(const Plan *plan, const Vec3 t[3], Vec3 p) {
    return side_of(plan, t[0], t[1], p) >= 0 && side_of(plan, t[1], t[2], p) >= 0 &&
           side_of(plan, t[2], t[0], p) >= 0;
}

static bool segments_cross(const Plan *plan, Vec3 p, Vec3 q, Vec3 a, Vec3 b) {
    int pa = side_of(plan, p, q, a), pb = side_of(plan, p, q, b);
    int ap = side_of(plan, a, b, p), aq = side_of(plan, a, b, q);
    return pa * pb < 0 && ap * aq < 0;
}

/* An end on or in the triangle, a corner on the segment, or a crossing. */
static bool meets_in_plane(Vec3 p, Vec3 q, const Vec3 t[3]) {
    const Plan plan = plan_of(t);
    bool meets = in_triangle(&plan, t, p) || in_triangle(&plan, t, q);
    for (int k = 0; k < 3 && !meets; k++) {
        Vec3 a = t[k], b = t[(k + 1) % 3];
        Vec3 back = sub(p, a), on = sub(q, a);
        bool corner_on = side_of(&plan, p, q, a) == 0 && dot(back, on) <= 0;
        meets = corner_on || segments_cross(&plan, p, q, a, b);
    }
    return meets;
}

/* ---------------------------------------------------------------- in space */

/* Whether a segment and a triangle have a point in common. */
static bool segment_meets(Vec3 p, Vec3 q, const Vec3 t[3]) {
    int one = scr_orient(t[0], t[1], t[2], p), other = scr_orient(t[0], t[1], t[2], q);
    if (one * other > 0) {
        return false;
    }
    if (one == 0 && other == 0) {
        return meets_in_plane(p, q, t);
    }
    int a = scr_orient(p, q, t[0], t[1]), b = scr_orient(p, q, t[1], t[2]),
        c = scr_orient(p, q, t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static void corners_of(const Surface *s, int32_t t, Vec3 corner[3]) {
    for (int k = 0; k < 3; k++) {
        corner[k] = s->point[s->triangles.triangle[t].vertex[k]];
    }
}

/* Neighbours across a side are folded onto each other. */
static bool are_folded(const Vec3 a[3], const Vec3 b[3], int own_a, int own_b) {
    Vec3 from = a[(own_a + 1) % 3], to = a[(own_a + 2) % 3], p = a[own_a], q = b[own_b];
    if (scr_orient(from, to, p, q) != 0) {
        return false;
    }
    const Plan plan = plan_of(a);
    return side_of(&plan, from, to, p) * side_of(&plan, from, to, q) > 0;
}

/* Triangles with a common corner meet elsewhere if the side opposite to it, of either, meets the
 * other. */
static bool triangles_meet(const Surface *s, int32_t one, int32_t other) {
    const int32_t *v = s->triangles.triangle[one].vertex, *w = s->triangles.triangle[other].vertex;
    Vec3 a[3], b[3];
    corners_of(s, one, a);
    corners_of(s, other, b);
    int common = 0, own_a = 0, own_b = 0;
    bool shared_a[3] = {false, false, false}, shared_b[3] = {false, false, false};
    for (int k = 0; k < 9; k++) {
        if (v[k / 3] == w[k % 3]) {
            common++;
            shared_a[k / 3] = shared_b[k % 3] = true;
        }
    }
    for (int k = 0; k < 3; k++) {
        own_a = shared_a[k] == (common == 1) ? k : own_a;
        own_b = shared_b[k] == (common == 1) ? k : own_b;
    }
    if (common >= 2) {
        return common == 3 || are_folded(a, b, own_a, own_b);
    }
    if (common == 1) { /* own: the common corner */
        return segment_meets(a[(own_a + 1) % 3], a[(own_a + 2) % 3], b) ||
               segment_meets(b[(own_b + 1) % 3], b[(own_b + 2) % 3], a);
    }
    for (int k = 0; k < 3; k++) {
        if (segment_meets(a[k], a[(k + 1) % 3], b) || segment_meets(b[k], b[(k + 1) % 3], a)) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- all pairs that are near */

typedef struct Slab {
    double low[3], high[3]; /* the longest axis of the body first */
    int32_t triangle;
} Slab;

static int lower_first(const void *one, const void *other) {
    const Slab *a = one, *b = other;
    return a->low[0] != b->low[0] ? (a->low[0] > b->low[0]) - (a->low[0] < b->low[0])
                                  : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int longest_axis(const Surface *s, size_t vertices) {
    double side[3];
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < vertices; k++) {
            low = scr_min(low, component(s->point[k], axis));
            high = scr_max(high, component(s->point[k], axis));
        }
        side[axis] = high - low;
    }
    return side[0] >= side[1] && side[0] >= side[2] ? 0 : side[1] >= side[2] ? 1 : 2;
}

static void make_slabs(const Surface *s, int first_axis, Slab *slab) {
    for (int32_t t = 0; t < s->triangles.count; t++) {
        Vec3 c[3];
        corners_of(s, t, c);
        slab[t].triangle = t;
        for (int k = 0; k < 3; k++) {
            int axis = (first_axis + k) % 3;
            double x = component(c[0], axis), y = component(c[1], axis), z = component(c[2], axis);
            slab[t].low[k] = scr_min(x, scr_min(y, z));
            slab[t].high[k] = scr_max(x, scr_max(y, z));
        }
    }
    qsort(slab, (size_t)s->triangles.count, sizeof *slab, lower_first);
}

static bool boxes_meet(const Slab *a, const Slab *b) {
    return a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] &&
           b->low[2] <= a->high[2];
}

ScreeStatus scr_surface_check_crossings(const SurfaceDef *def, const Surface *s, char *message) {
    Block block = {0};
    size_t count = (size_t)s->triangles.count;
    if (!scr_block_reserve_exact(&block, count, sizeof(Slab), 0)) {
        return SCREE_NO_MEMORY;
    }
    Slab *slab = block.data;
    ScreeStatus status = SCREE_OK;
    make_slabs(s, longest_axis(s, def->vertices), slab);
    for (size_t i = 0; i < count && status == SCREE_OK; i++) {
        for (size_t j = i + 1; j < count && slab[j].low[0] <= slab[i].high[0]; j++) {
            int32_t a = slab[i].triangle, b = slab[j].triangle;
            if (boxes_meet(&slab[i], &slab[j]) && triangles_meet(s, a, b)) {
                int32_t f = s->face[a < b ? a : b], g = s->face[a < b ? b : a];
                status = scr_surface_refuse(
                    message, def->part,
                    ", face %d: meets face %d away from a common edge or corner: the surface "
                    "crosses, touches or folds onto itself; give what meets as parts of their own",
                    f, g);
                break;
            }
        }
    }
    scr_block_free(&block);
    return status;
}
