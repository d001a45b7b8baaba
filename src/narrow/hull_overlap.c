#include "narrow/hull_overlap.h"

#include "narrow/boundary.h"
#include "narrow/curve_contact.h"

/* ---------------------------------------------------------------- how far they must part */

/* How far two parts must move apart along n, which points from a to b, and where the contact is
 * then: at a node of one of them, the owner. */
typedef struct Separation {
    double depth;
    Vec3 normal;
    int owner;
    int32_t node, part[2];
} Separation;

/* The node of a boundary that is farthest out along n, and how far out the boundary reaches there,
 * rounding included. */
static double extent(const Boundary *r, Vec3 n, int32_t *node) {
    double most = -INFINITY;
    for (int32_t k = 0; k < r->count; k++) {
        double u = r->corner[k].x * n.x + r->corner[k].y * n.y;
        if (u > most) {
            most = u;
            *node = k;
        }
    }
    return most + r->x * n.x + r->y * n.y + r->rounding;
}

/* Takes n if the bodies need less to part along it. The contact is at a node of `owner`. */
static void try_direction(const Boundary both[2], Vec3 n, int owner, Separation *least) {
    int32_t node[2] = {0, 0};
    double depth = extent(&both[0], n, &node[0]) + extent(&both[1], scale(-1, n), &node[1]);
    if (depth < least->depth) {
        least->depth = depth;
        least->normal = n;
        least->owner = owner;
        least->node = node[owner];
    }
}

/* The foot of a point that is given relative to the centre of body a, and the outward normal
 * there. */
static BoundaryFoot foot_of(const Boundary *r, double x, double y, double normal[2]) {
    double at[2];
    scr_boundary_turn_back(r, x - r->x, y - r->y, at);
    BoundaryFoot foot = scr_boundary_project(r, at[0], at[1]);
    scr_boundary_turn(r, foot.nx, foot.ny, normal);
    return foot;
}

/* Tries the normal of every edge, and for a disk the direction from the foot of its centre. */
static Separation least_separation(const Boundary both[2]) {
    Separation least = {.depth = INFINITY};
    for (int s = 0; s < 2; s++) {
        const Boundary *own = &both[s], *other = &both[1 - s];
        double sign = s == 0 ? 1 : -1;
        for (int32_t k = 0; k < own->count && own->count > 1; k++) {
            const Corner *from = &own->corner[k], *to = &own->corner[scr_boundary_next(own, k)];
            double x = to->x - from->x, y = to->y - from->y, l = sqrt(x * x + y * y);
            try_direction(both, vec3(sign * y / l, -sign * x / l, 0), 1 - s, &least);
        }
        if (other->count == 1) {
            double n[2];
            foot_of(own, other->x, other->y, n);
            try_direction(both, vec3(sign * n[0], sign * n[1], 0), 1 - s, &least);
        }
    }
    return least;
}

/* ---------------------------------------------------------------- whether they overlap so */

/* How deep a point, given relative to the centre of body a, lies inside a boundary. Negative
 * outside, and minus infinity there if it does not matter `how_far` outside it is. */
static double depth_in(const Boundary *r, double x, double y, bool how_far) {
    double at[2], n[2];
    scr_boundary_turn_back(r, x - r->x, y - r->y, at);
    bool inside = r->count > 2 && scr_boundary_contains(r, at[0], at[1]);
    if (!inside && r->count > 2 && !how_far) {
        return -INFINITY;
    }
    double off = fabs(foot_of(r, x, y, n).distance);
    return r->rounding + (inside ? off : -off);
}

static bool is_near(const Outline *o, double x, double y, double margin) {
    return x >= o->low[0] - margin && x <= o->high[0] + margin && y >= o->low[1] - margin &&
           y <= o->high[1] + margin;
}

/* Whether the midpoint of two nodes of boundary s is inside both bodies, deeper than `least`. With
 * many nodes a sample of them is enough. */
static bool share_a_point(const Boundary both[2], int s, double least) {
    const Boundary *own = &both[s];
    int32_t step = own->count / 8 + 1;
    for (int32_t i = 0; i < own->count; i += step) {
        for (int32_t j = i + 1; j < own->count; j += step) {
            double x = 0.5 * (own->corner[i].x + own->corner[j].x) + own->x;
            double y = 0.5 * (own->corner[i].y + own->corner[j].y) + own->y;
            if (depth_in(own, x, y, false) > least && depth_in(&both[1 - s], x, y, false) > least) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a node of boundary s lies deeper in the other than `least`, or all nodes are inside
 * or on the other boundary and the bodies share some interior, which a block that fills a
 * notch does not. */
static bool is_in(const Boundary both[2], int s, const Outline *outline, double least) {
    const Boundary *own = &both[s], *other = &both[1 - s];
    bool all = own->count > 2;
    for (int32_t k = 0; k < own->count; k++) {
        double x = own->corner[k].x + own->x, y = own->corner[k].y + own->y;
        bool near = is_near(outline, x - other->x, y - other->y, own->rounding);
        double depth = near ? depth_in(other, x, y, all || own->rounding > 0) : -INFINITY;
        if (depth + own->rounding > least) {
            return true;
        }
        all = all && depth > -least;
    }
    return all && share_a_point(both, s, least);
}

bool scr_one_may_hold(const Outline *a, const Outline *b, Vec3 d) {
    const double shift[2] = {d.x, d.y};
    bool a_holds = true, b_holds = true;
    for (int i = 0; i < 2; i++) {
        double low = b->low[i] + shift[i], high = b->high[i] + shift[i];
        a_holds = a_holds && a->low[i] <= low && a->high[i] >= high;
        b_holds = b_holds && low <= a->low[i] && high >= a->high[i];
    }
    return a_holds || b_holds;
}

/* ---------------------------------------------------------------- the contact */

/* Of all pairs of parts that overlap deeper than `least`, the deepest. */
static Separation deepest_of(const Outline *a, const Outline *b, Vec3 d, double least) {
    Separation deepest = {.depth = 0};
    for (int32_t i = 0; i < a->parts; i++) {
        for (int32_t j = 0; j < b->parts; j++) {
            const Boundary both[2] = {scr_boundary_of(a, i, vec3(0, 0, 0)),
                                      scr_boundary_of(b, j, d)};
            if (is_in(both, 0, b, least) || is_in(both, 1, a, least)) {
                Separation found = least_separation(both);
                found.part[0] = i;
                found.part[1] = j;
                deepest = found.depth > deepest.depth ? found : deepest;
            }
        }
    }
    return deepest;
}

/* The node, and for the partner the first edge of its part, although the contact need not be
 * there. */
static int32_t feature_of(const Outline *const o[2], const Separation *separation) {
    int32_t element[2];
    for (int i = 0; i < 2; i++) {
        bool owner = i == separation->owner;
        int32_t node = owner ? separation->node : 0;
        element[i] = o[i]->nurbs != NULL
                         ? scr_curve_element(node, owner, owner)
                         : 2 * (o[i]->part[separation->part[i]].first + node) + !owner;
    }
    return scr_feature(element[0], element[1]) + HULL_FEATURE;
}

bool scr_touch_hulls(const Outline *a, const Outline *b, Vec3 d, double least,
                     OutlineTouches *touches) {
    const Outline *const outline[2] = {a, b};
    const Separation separation = deepest_of(a, b, d, least);
    if (!(separation.depth > 0)) {
        return true;
    }
    const Outline *own = outline[separation.owner];
    const OutlinePart *part = &own->part[separation.part[separation.owner]];
    const Corner *corner = &own->corner[part->first + separation.node];
    double out = part->rounding - 0.5 * separation.depth;
    Vec3 node = add(vec3(corner->x, corner->y, 0), separation.owner == 0 ? vec3(0, 0, 0) : d);
    const OutlineTouch touch = {
        .gap = -separation.depth,
        .normal = separation.normal,
        .arm = add_scaled(node, separation.owner == 0 ? out : -out, separation.normal),
        .feature = feature_of(outline, &separation)};
    return scr_add_touch(touches, &touch);
}

static Boundary boundary_with(const Outline *o, int32_t element, Vec3 at) {
    int32_t corner = o->nurbs != NULL ? 0 : element / 2;
    return scr_boundary_of(o, scr_part_with(o->part, o->parts, corner), at);
}

double scr_hull_gap(const Outline *a, const Outline *b, Vec3 d, int32_t feature) {
    const Boundary both[2] = {boundary_with(a, scr_feature_a(feature), vec3(0, 0, 0)),
                              boundary_with(b, scr_feature_b(feature), d)};
    return -least_separation(both).depth;
}
