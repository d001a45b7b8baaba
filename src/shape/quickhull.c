#include "shape/quickhull.h"

#include "shape/orient.h"

typedef struct Facet {
    Triangle on;
    Vec3 normal;               /* not of unit length, and rounded: it only chooses between points */
    int32_t outside, farthest; /* lists of points that see it, through `next`; -1: none */
    double distance;           /* of the farthest */
    bool alive, seen;
} Facet;

/* An edge between a facet that the new point sees and one that it does not see. */
typedef struct Rim {
    int32_t from, to, beyond;
} Rim;

typedef struct Work {
    const Vec3 *point;
    int32_t points;
    int32_t facets, unused; /* unused: list of dead facets, through `outside` */
    Facet *facet;
    int32_t *next;   /* [points] */
    int32_t *starts; /* [points] the new facet whose rim begins there */
    int32_t *seen;   /* facets that the new point sees */
    Rim *rim;
    int32_t seen_count, rim_count;
    Block facet_block, next_block, starts_block, seen_block, rim_block;
} Work;

static Vec3 at(const Work *w, int32_t p) {
    return w->point[p];
}

static bool sees(const Work *w, int32_t p, const Facet *f) {
    const int32_t *v = f->on.vertex;
    return scr_orient(at(w, v[0]), at(w, v[1]), at(w, v[2]), at(w, p)) > 0;
}

/* ---------------------------------------------------------------- facets and their points */

static int32_t new_facet(Work *w, int32_t a, int32_t b, int32_t c) {
    int32_t f = w->unused;
    if (f >= 0) {
        w->unused = w->facet[f].outside;
    } else {
        if (!SCR_RESERVE_KEEPING(w, facet, (size_t)w->facets + 1, (size_t)w->facets)) {
            return -1;
        }
        f = w->facets++;
    }
    Vec3 normal = cross(sub(at(w, b), at(w, a)), sub(at(w, c), at(w, a)));
    w->facet[f] = (Facet){.on = {{a, b, c}, {-1, -1, -1}},
                          .normal = unit(normal),
                          .outside = -1,
                          .farthest = -1,
                          .alive = true};
    return f;
}

/* Rounding may take a point that sees the facet for one below it: it is still the farthest if there
 * is no other. */
static void take_point(Work *w, int32_t f, int32_t p) {
    Facet *facet = &w->facet[f];
    double distance = dot(facet->normal, sub(at(w, p), at(w, facet->on.vertex[0])));
    w->next[p] = facet->outside;
    facet->outside = p;
    if (facet->farthest < 0 || distance > facet->distance ||
        (distance == facet->distance && p < facet->farthest)) {
        facet->farthest = p;
        facet->distance = distance;
    }
}

/* Gives a list of points to the facets that they see; those that see none are inside. */
static void share_points(Work *w, int32_t list, const int32_t *facet, int32_t facets) {
    while (list >= 0) {
        int32_t p = list;
        list = w->next[p];
        for (int32_t k = 0; k < facets; k++) {
            if (sees(w, p, &w->facet[facet[k]])) {
                take_point(w, facet[k], p);
                break;
            }
        }
    }
}

/* ---------------------------------------------------------------- a new point */

/* Facets that the point sees, from one of them outwards, and the rim around them. What is seen of a
 * convex body is connected, and its rim is one loop. */
static bool look(Work *w, int32_t p, int32_t start) {
    w->seen_count = w->rim_count = 0;
    w->facet[start].seen = true;
    w->seen[w->seen_count++] = start;
    for (int32_t k = 0; k < w->seen_count; k++) {
        int32_t here = w->seen[k];
        for (int e = 0; e < 3; e++) {
            int32_t beyond = w->facet[here].on.neighbour[e];
            if (w->facet[beyond].seen) {
                continue;
            }
            size_t wanted = (size_t)(w->seen_count > w->rim_count ? w->seen_count : w->rim_count);
            if (!SCR_RESERVE_KEEPING(w, seen, wanted + 1, (size_t)w->seen_count) ||
                !SCR_RESERVE_KEEPING(w, rim, wanted + 1, (size_t)w->rim_count)) {
                return false;
            }
            if (sees(w, p, &w->facet[beyond])) {
                w->facet[beyond].seen = true;
                w->seen[w->seen_count++] = beyond;
            } else {
                const int32_t *v = w->facet[here].on.vertex;
                w->rim[w->rim_count++] = (Rim){v[e], v[(e + 1) % 3], beyond};
            }
        }
    }
    return true;
}

static void replace_neighbour(Facet *f, int32_t from, int32_t to, int32_t by) {
    for (int e = 0; e < 3; e++) {
        if (f->on.vertex[e] == from && f->on.vertex[(e + 1) % 3] == to) {
            f->on.neighbour[e] = by;
        }
    }
}

/* The cone from the point to the rim. Dead facets are given back only afterwards, since their
 * points are still wanted; `seen` then names the new ones. */
static bool raise_cone(Work *w, int32_t p) {
    for (int32_t k = 0; k < w->rim_count; k++) {
        Rim r = w->rim[k];
        int32_t f = new_facet(w, r.from, r.to, p);
        if (f < 0) {
            return false;
        }
        w->facet[f].on.neighbour[0] = r.beyond;
        replace_neighbour(&w->facet[r.beyond], r.to, r.from, f);
        w->starts[r.from] = f;
    }
    for (int32_t k = 0; k < w->rim_count; k++) {
        int32_t f = w->starts[w->rim[k].from], after = w->starts[w->rim[k].to];
        w->facet[f].on.neighbour[1] = after;
        w->facet[after].on.neighbour[2] = f;
    }
    return true;
}

/* A point that saw a facet which is gone is now inside, or sees one of the new facets: across the
 * rim, the normal of the new facet lies between those of the two old ones. */
static bool add_point(Work *w, int32_t f) {
    int32_t p = w->facet[f].farthest;
    if (!look(w, p, f) || !raise_cone(w, p) ||
        !SCR_RESERVE_KEEPING(w, seen, (size_t)(w->seen_count + w->rim_count),
                             (size_t)w->seen_count)) {
        return false;
    }
    int32_t *made = w->seen + w->seen_count;
    for (int32_t k = 0; k < w->rim_count; k++) {
        made[k] = w->starts[w->rim[k].from];
    }
    for (int32_t k = 0; k < w->seen_count; k++) {
        Facet *dead = &w->facet[w->seen[k]];
        share_points(w, dead->outside, made, w->rim_count);
        dead->alive = false;
        dead->outside = w->unused;
        w->unused = w->seen[k];
    }
    return true;
}

/* ---------------------------------------------------------------- the whole */

static bool begin(Work *w, const int32_t first[4]) {
    int32_t a = first[0], b = first[1], c = first[2], d = first[3];
    if (scr_orient(at(w, a), at(w, b), at(w, c), at(w, d)) > 0) {
        b = first[2];
        c = first[1];
    }
    const int32_t corner[4][3] = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
    const int32_t beyond[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    int32_t all[4];
    for (int f = 0; f < 4; f++) {
        all[f] = new_facet(w, corner[f][0], corner[f][1], corner[f][2]);
        if (all[f] < 0) {
            return false;
        }
        for (int e = 0; e < 3; e++) {
            w->facet[f].on.neighbour[e] = beyond[f][e];
        }
    }
    for (int32_t p = 0; p < w->points; p++) {
        w->next[p] = p - 1;
    }
    share_points(w, w->points - 1, all, 4);
    return true;
}

static bool collect(Work *w, Triangles *made) {

    made->count = 0;
    if (!SCR_RESERVE(made, triangle, (size_t)w->facets) ||
        !SCR_RESERVE(w, starts, (size_t)w->facets)) {
        return false;
    }
    int32_t *number = w->starts;
    for (int32_t f = 0; f < w->facets; f++) {
        number[f] = w->facet[f].alive ? made->count++ : -1;
    }
    for (int32_t f = 0; f < w->facets; f++) {
        if (w->facet[f].alive) {
            Triangle t = w->facet[f].on;
            for (int e = 0; e < 3; e++) {
                t.neighbour[e] = number[t.neighbour[e]];
            }
            made->triangle[number[f]] = t;
        }
    }
    return true;
}

bool scr_quickhull(const Vec3 *point, int32_t points, const int32_t first[4], Triangles *made) {
    Work w = {.point = point, .points = points, .unused = -1};
    bool ok = SCR_RESERVE(&w, next, (size_t)points) && SCR_RESERVE(&w, starts, (size_t)points) &&
              SCR_RESERVE(&w, seen, 64) && SCR_RESERVE(&w, rim, 64) && begin(&w, first);
    bool any = true;
    while (ok && any) {
        any = false;
        for (int32_t f = 0; ok && f < w.facets; f++) {
            if (w.facet[f].alive && w.facet[f].outside >= 0) {
                ok = add_point(&w, f);
                any = true;
            }
        }
    }
    ok = ok && collect(&w, made);
    SCR_FREE_BLOCKS(&w.facet_block, &w.next_block, &w.starts_block, &w.seen_block, &w.rim_block);
    return ok;
}
