#include "shape/solid_moments.h"

#include <string.h>

/* How far a smooth part reaches along an axis. */
static double reach_along(const Polyhedron *p, int axis, double sign) {
    Vec3 d = vec3(0, 0, 0);
    *component_of(&d, axis) = sign;
    return component(scr_smooth_support(&p->smooth, d), axis) + sign * p->rounding;
}

PartBox scr_part_box(const Polyhedron *p) {
    PartBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int axis = 0; axis < 3 && scr_is_smooth(p); axis++) {
        box.low[axis] = reach_along(p, axis, -1);
        box.high[axis] = reach_along(p, axis, 1);
    }
    for (int32_t v = 0; v < p->vertices && !scr_is_smooth(p); v++) {
        Vec3 at = scr_vertex(p, v);
        for (int axis = 0; axis < 3; axis++) {
            box.low[axis] = scr_min(box.low[axis], component(at, axis) - p->rounding);
            box.high[axis] = scr_max(box.high[axis], component(at, axis) + p->rounding);
        }
    }
    return box;
}

/* ---------------------------------------------------------------- two balls */

/* The cap of a ball beyond the distance h from its centre along u: integrals of pi (r^2 - t^2) times
 * 1, t, t^2 and of pi/4 (r^2 - t^2)^2 from h to r. */
static void add_cap(Moments *sum, Vec3 centre, double r, Vec3 u, double h) {
    const double pi = 3.14159265358979323846;
    double rr = r * r, hh = h * h, rest = rr - hh;
    double volume = pi * (r - h) * (r - h) * (2 * r + h) / 3, along = pi / 4 * rest * rest;
    double square = pi * (2 * rr * rr * r / 15 - rr * hh * h / 3 + hh * hh * h / 5);
    double across =
        pi / 4 * (8 * rr * rr * r / 15 - rr * rr * h + 2 * rr * hh * h / 3 - hh * hh * h / 5);
    scr_moments_add_round(sum, centre, u, volume, along, square, across);
}

/* What two balls have in common: two caps, or the smaller ball. */
static void add_lens(Moments *sum, const Polyhedron *a, const Polyhedron *b) {
    Vec3 from = scr_vertex(a, 0), to = scr_vertex(b, 0), w = sub(to, from);
    double r = a->rounding, s = b->rounding, d = length(w);
    if (d >= r + s) {
        return;
    }
    if (d <= fabs(r - s)) {
        Moments inner = scr_polyhedron_moments(r < s ? a : b);
        scr_moments_add(sum, 1, &inner);
        return;
    }
    double h = (d * d + (r - s) * (r + s)) / (2 * d);
    Vec3 u = unit(w);
    add_cap(sum, from, r, u, h);
    add_cap(sum, to, s, scale(-1, u), d - h);
}

/* ---------------------------------------------------------------- groups of overlapping parts */

typedef struct Groups {
    const Solid *solid;
    PartBox *box;
    int32_t
        *group; /* a part of lower number that it overlaps, directly or not; itself: the first */
    int32_t *chosen; /* the parts of one group */
    Block box_block, group_block, chosen_block;
} Groups;

static int32_t first_of(const Groups *g, int32_t k) {
    while (g->group[k] != k) {
        k = g->group[k];
    }
    return k;
}

/* Whether two parts may overlap: their boxes do, and if they are balls, they do. */
static bool may_overlap(const Groups *g, int32_t i, int32_t j) {
    const Polyhedron *a = &g->solid->part[i], *b = &g->solid->part[j];
    if (!scr_boxes_meet(&g->box[i], &g->box[j])) {
        return false;
    }
    return a->vertices > 1 || b->vertices > 1 ||
           length(sub(scr_vertex(a, 0), scr_vertex(b, 0))) < a->rounding + b->rounding;
}

static bool find_groups(Groups *g, bool *any) {
    size_t parts = (size_t)g->solid->parts;
    if (!SCR_RESERVE(g, box, parts) || !SCR_RESERVE(g, group, parts) ||
        !SCR_RESERVE(g, chosen, parts)) {
        return false;
    }
    *any = false;
    for (int32_t i = 0; i < g->solid->parts; i++) {
        g->box[i] = scr_part_box(&g->solid->part[i]);
        g->group[i] = i;
        for (int32_t j = 0; j < i; j++) {
            if (may_overlap(g, i, j)) {
                int32_t a = first_of(g, i), b = first_of(g, j);
                g->group[a > b ? a : b] = a > b ? b : a;
                *any = true;
            }
        }
    }
    return true;
}

static bool all_sharp(const Groups *g, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        const Polyhedron *p = &g->solid->part[g->chosen[k]];
        if (p->rounding > 0 || scr_is_smooth(p)) {
            return false;
        }
    }
    return true;
}

/* Balls, and no three of them overlap pairwise: then no point is in three. */
static bool balls_in_pairs(const Groups *g, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (g->solid->part[g->chosen[i]].vertices > 1) {
            return false;
        }
        for (int32_t j = 0; j < i; j++) {
            bool near = may_overlap(g, g->chosen[i], g->chosen[j]);
            for (int32_t k = 0; k < j && near; k++) {
                if (may_overlap(g, g->chosen[i], g->chosen[k]) &&
                    may_overlap(g, g->chosen[j], g->chosen[k])) {
                    return false;
                }
            }
        }
    }
    return true;
}

static ScreeStatus measure_overlap(const Groups *g, int32_t count, Moments *overlap) {
    bool done = false;
    ScreeStatus status = SCREE_OK;
    if (all_sharp(g, count)) {
        status = scr_overlap_of_sharp(g->solid, g->chosen, count, overlap, &done);
    } else if (balls_in_pairs(g, count)) {
        for (int32_t k = 0; k < count * count; k++) {
            if (k / count < k % count) {
                add_lens(overlap, &g->solid->part[g->chosen[k / count]],
                         &g->solid->part[g->chosen[k % count]]);
            }
        }
        done = true;
    }
    return status != SCREE_OK || done ? status
                                      : scr_overlap_by_columns(g->solid, g->chosen, count, overlap);
}

static ScreeStatus take_overlaps(Groups *g, Moments *made) {
    for (int32_t first = 0; first < g->solid->parts; first++) {
        int32_t count = 0;
        for (int32_t k = first; k < g->solid->parts && g->group[first] == first; k++) {
            if (first_of(g, k) == first) {
                g->chosen[count++] = k;
            }
        }
        Moments overlap = {0};
        ScreeStatus status = count > 1 ? measure_overlap(g, count, &overlap) : SCREE_OK;
        if (status != SCREE_OK) {
            return status;
        }
        scr_moments_add(made, -1, &overlap);
    }
    return SCREE_OK;
}

ScreeStatus scr_solid_moments(const Solid *solid, Moments *made) {
    *made = (Moments){0};
    for (int32_t k = 0; k < solid->parts; k++) {
        Moments one = scr_polyhedron_moments(&solid->part[k]);
        scr_moments_add(made, 1, &one);
    }
    Groups g = {.solid = solid};
    bool any = false;
    ScreeStatus status = solid->parts < 2 || find_groups(&g, &any) ? SCREE_OK : SCREE_NO_MEMORY;
    if (status == SCREE_OK && any) {
        status = take_overlaps(&g, made);
    }
    SCR_FREE_BLOCKS(&g.box_block, &g.group_block, &g.chosen_block);
    return status;
}
