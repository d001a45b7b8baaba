/* Solids somewhere in space, their contact points, and brute force over all of their features. */
#ifndef SCREE_TESTS_SOLID_RIG_H
#define SCREE_TESTS_SOLID_RIG_H

#include "check.h"
#include "math/elementary.h"
#include "narrow/part_distance.h"
#include "narrow/solid_pair.h"

#include <float.h>
#include <stdlib.h>

enum { RIG_POINTS = 64, RIG_FACES = 128, RIG_CORNERS = 1024, RIG_PARTS = 4 };

/* ---------------------------------------------------------------- random numbers
 *
 * Pairs have the same bits on every machine: no function of the C library is in them, and no two numbers are drawn in
 * one expression, whose order is the compiler's. */

static uint64_t rig_seed = 1;

static inline double rig_unit(void) {
    rig_seed = rig_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(rig_seed >> 11) * 0x1p-53;
}
static inline double rig_between(double low, double high) {
    return low + (high - low) * rig_unit();
}
/* Of every order of magnitude between two as often. */
static inline double rig_any_size(double low, double high) {
    return scr_exp(rig_between(scr_log(low), scr_log(high)));
}
static inline Vec3 rig_in_box(Vec3 low, Vec3 high) {
    double x = rig_between(low.x, high.x), y = rig_between(low.y, high.y);
    return vec3(x, y, rig_between(low.z, high.z));
}
static inline Vec3 rig_direction(void) {
    for (;;) {
        Vec3 v = rig_in_box(vec3(-1, -1, -1), vec3(1, 1, 1));
        double l = length(v);
        if (l < 1 && l > 0.1) {
            return scale(1 / l, v);
        }
    }
}

/* Up to so far in any direction. */
static inline Vec3 rig_step(double low, double high) {
    double size = rig_between(low, high);
    return scale(size, rig_direction());
}
static inline Vec3 rig_half_lengths(void) {
    return rig_in_box(vec3(0.2, 0.2, 0.2), vec3(0.5, 0.5, 0.5));
}

static inline Quat rig_about(double x, double y, double z, double angle) {
    return quat_from_turn(scale(angle, unit(vec3(x, y, z))));
}

/* ---------------------------------------------------------------- bodies */

typedef struct RigBody {
    Solid solid;
    Polyhedron part[RIG_PARTS];
    Vec3 x;
    PlacedSolid placed;
} RigBody;

static inline void rig_turn(RigBody *b, Quat q) {
    b->placed.axis[0] = quat_rotate(q, vec3(1, 0, 0));
    b->placed.axis[1] = quat_rotate(q, vec3(0, 1, 0));
    b->placed.axis[2] = quat_rotate(q, vec3(0, 0, 1));
}
static inline void rig_turn_by(RigBody *b, Vec3 turn) {
    Quat q = quat_from_turn(turn);
    for (int i = 0; i < 3; i++) {
        b->placed.axis[i] = quat_rotate(q, b->placed.axis[i]);
    }
}
static inline void rig_turn_at_random(RigBody *b) {
    rig_turn(b, quat_from_turn(rig_step(0, 3.1)));
}
static inline Vec3 rig_vertex(const RigBody *b, int part, int32_t v) {
    return add(b->x, scr_out_of_frame(&b->placed, scr_vertex(&b->part[part], v)));
}

/* After the parts have been made. */
static inline void rig_finish(RigBody *b, int32_t parts) {
    b->solid = (Solid){.parts = parts, .part = b->part};
    for (int32_t i = 0; i < parts; i++) {
        Polyhedron *p = &b->part[i];
        p->first_element = b->solid.elements;
        b->solid.elements += p->elements;
        b->solid.radius = fmax(b->solid.radius, p->radius + p->rounding);
    }
    b->x = vec3(0, 0, 0);
    b->placed.solid = &b->solid;
    rig_turn(b, (Quat){1, 0, 0, 0});
}
static inline void rig_free(RigBody *b) {
    for (int32_t i = 0; i < b->solid.parts; i++) {
        scr_polyhedron_free(&b->part[i]);
    }
    b->solid.parts = 0;
}

/* The convex hull of a few points, by trying every plane through three of them; faces in one plane
 * are merged. All points must be vertices of it. */
typedef struct RigHull {
    int32_t faces, total, corners[RIG_FACES], corner[RIG_CORNERS];
    uint64_t in[RIG_FACES];
} RigHull;

static inline void rig_add_face(const Vec3 *p, int n, Vec3 normal, uint64_t in, RigHull *h) {
    int id[RIG_POINTS], count = 0;
    double angle[RIG_POINTS];
    Vec3 middle = vec3(0, 0, 0);
    for (int i = 0; i < n; i++) {
        if (in >> i & 1) {
            id[count++] = i;
            middle = add(middle, p[i]);
        }
    }
    middle = scale(1.0 / count, middle);
    Vec3 u = unit(sub(p[id[0]], middle)), v = cross(normal, u);
    for (int i = 0; i < count; i++) {
        Vec3 d = sub(p[id[i]], middle);
        angle[i] = scr_atan2(dot(d, v), dot(d, u));
        for (int k = i; k > 0 && angle[k] < angle[k - 1]; k--) {
            double a = angle[k];
            int j = id[k];
            angle[k] = angle[k - 1], id[k] = id[k - 1];
            angle[k - 1] = a, id[k - 1] = j;
        }
    }
    h->in[h->faces] = in;
    h->corners[h->faces++] = count;
    for (int i = 0; i < count; i++) {
        h->corner[h->total++] = id[i];
    }
}

static inline void rig_try_plane(const Vec3 *p, int n, Vec3 normal, double offset, RigHull *h) {
    bool above = false, below = false;
    uint64_t in = 0;
    for (int i = 0; i < n; i++) {
        double s = dot(normal, p[i]) - offset;
        above = above || s > 1e-12;
        below = below || s < -1e-12;
        in |= fabs(s) <= 1e-12 ? UINT64_C(1) << i : 0;
    }
    bool known = above && below;
    for (int f = 0; f < h->faces && !known; f++) {
        known = h->in[f] == in;
    }
    if (!known) {
        rig_add_face(p, n, scale(above ? -1 : 1, normal), in, h);
    }
}

static inline void rig_hull_part(RigBody *b, int part, const Vec3 *p, int n, double rounding) {
    RigHull h = {0};
    for (int i = 0; i < n && n > 2; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                Vec3 normal = cross(sub(p[j], p[i]), sub(p[k], p[i]));
                double l = length(normal);
                if (l > 1e-9) {
                    normal = scale(1 / l, normal);
                    rig_try_plane(p, n, normal, dot(normal, p[i]), &h);
                }
            }
        }
    }
    const PolyhedronDef def = {.vertices = (size_t)n,
                               .faces = (size_t)h.faces,
                               .vertex = p,
                               .corners = h.corners,
                               .corner = h.corner,
                               .rounding = rounding};
    CHECK(scr_polyhedron_build(&def, &b->part[part], NULL) == SCREE_OK);
}

static inline void rig_hull(RigBody *b, const Vec3 *p, int n, double rounding) {
    rig_hull_part(b, 0, p, n, rounding);
    rig_finish(b, 1);
}

static inline void rig_box_part(RigBody *b, int part, Vec3 middle, Vec3 half, double rounding) {
    Vec3 p[8];
    for (int i = 0; i < 8; i++) {
        p[i] = add(middle, vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                i & 4 ? half.z : -half.z));
    }
    rig_hull_part(b, part, p, 8, rounding);
}
static inline void rig_box(RigBody *b, double x, double y, double z, double rounding) {
    rig_box_part(b, 0, vec3(0, 0, 0), vec3(x, y, z), rounding);
    rig_finish(b, 1);
}

/* A prism over a regular polygon, of radius 0.5 and height 0.6. */
static inline void rig_prism(RigBody *b, int sides, double rounding) {
    Vec3 p[RIG_POINTS];
    for (int i = 0; i < sides; i++) {
        double angle = 2 * 3.14159265358979323846 * i / sides;
        p[i] = vec3(0.5 * scr_cos(angle), 0.5 * scr_sin(angle), -0.3);
        p[sides + i] = vec3(p[i].x, p[i].y, 0.3);
    }
    rig_hull(b, p, 2 * sides, rounding);
}

/* Points on a sphere of diameter 1: 2 n - 4 faces. Squeezed: on an ellipsoid. */
static inline void rig_rock(RigBody *b, int vertices, Vec3 squeeze, double rounding) {
    Vec3 p[RIG_POINTS];
    for (int i = 0; i < vertices; i++) {
        bool apart = false;
        while (!apart) {
            p[i] = scale(0.5, rig_direction());
            apart = true;
            for (int j = 0; j < i; j++) {
                apart = apart && length(sub(p[i], p[j])) > 0.5 / vertices;
            }
        }
    }
    for (int i = 0; i < vertices; i++) {
        p[i] = vec3(squeeze.x * p[i].x, squeeze.y * p[i].y, squeeze.z * p[i].z);
    }
    rig_hull(b, p, vertices, rounding);
}

/* Rocks of 4 to 84 faces, boxes, prisms. */
static inline void rig_any(RigBody *b, int kind, double rounding) {
    static const int vertices[] = {4, 5, 8, 12, 20, 44};
    kind %= 10;
    if (kind < 6) {
        rig_rock(b, vertices[kind], vec3(1, 1, 1), rounding);
    } else if (kind == 6) {
        rig_box(b, 0.29, 0.29, 0.29, rounding);
    } else if (kind == 7) {
        rig_prism(b, 3 + (int)(8 * rig_unit()), rounding);
    } else if (kind == 8) {
        rig_rock(b, 12, vec3(1, 0.6, 0.3), rounding);
    } else {
        rig_box(b, 0.4, 0.2, 0.1, rounding);
    }
}

/* ---------------------------------------------------------------- brute force */

static inline double rig_segments(Vec3 p, Vec3 q, Vec3 r, Vec3 s) {
    Vec3 d1 = sub(q, p), d2 = sub(s, r), w = sub(p, r);
    double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, w), c = dot(d1, w), b = dot(d1, d2);
    double least = INFINITY, den = a * e - b * b;
    double t1 = den > 0 ? (b * f - c * e) / den : -1, t2 = den > 0 ? (a * f - b * c) / den : -1;
    if (t1 >= 0 && t1 <= 1 && t2 >= 0 && t2 <= 1) {
        least = length(sub(add_scaled(p, t1, d1), add_scaled(r, t2, d2)));
    }
    const double at[4][2] = {{0, f / e}, {1, (f + b) / e}, {-c / a, 0}, {(b - c) / a, 1}};
    for (int i = 0; i < 4; i++) {
        double x = fmin(fmax(at[i][0], 0), 1), y = fmin(fmax(at[i][1], 0), 1);
        least = fmin(least, length(sub(add_scaled(p, x, d1), add_scaled(r, y, d2))));
    }
    return least;
}

/* From a vertex of one part to the faces of the other whose prism it is in. */
static inline double rig_to_faces(const RigBody *a, int i, Vec3 x) {
    const Polyhedron *p = &a->part[i];
    Vec3 l = scr_into_frame(&a->placed, sub(x, a->x));
    double least = INFINITY;
    for (int32_t f = 0; f < p->faces; f++) {
        const PolyhedronFace *face = &p->face[f];
        double s = dot(face->normal, l) - face->offset;
        bool inside = s >= 0;
        for (int32_t k = 0; k < face->count && inside; k++) {
            Vec3 u = scr_vertex(p, p->loop_vertex[face->first + k]);
            Vec3 w = scr_vertex(p, p->loop_vertex[face->first + (k + 1) % face->count]);
            inside = dot(cross(face->normal, sub(w, u)), sub(l, u)) >= 0;
        }
        least = inside ? fmin(least, s) : least;
    }
    return least;
}

static inline Vec3 rig_edge_end(const RigBody *a, int part, int32_t e, int end) {
    return rig_vertex(a, part, a->part[part].edge[e].vertex[end]);
}

/* The distance of two parts that do not overlap, of polyhedra or rods. */
static inline double rig_distance(const RigBody *a, int i, const RigBody *b, int j) {
    double least = INFINITY;
    for (int32_t v = 0; v < b->part[j].vertices; v++) {
        least = fmin(least, rig_to_faces(a, i, rig_vertex(b, j, v)));
    }
    for (int32_t v = 0; v < a->part[i].vertices; v++) {
        least = fmin(least, rig_to_faces(b, j, rig_vertex(a, i, v)));
    }
    for (int32_t e = 0; e < a->part[i].edges; e++) {
        for (int32_t f = 0; f < b->part[j].edges; f++) {
            least = fmin(least, rig_segments(rig_edge_end(a, i, e, 0), rig_edge_end(a, i, e, 1),
                                             rig_edge_end(b, j, f, 0), rig_edge_end(b, j, f, 1)));
        }
    }
    return least;
}

/* How far two parts are apart along n, over all vertices. */
static inline double rig_along(const RigBody *a, int i, const RigBody *b, int j, Vec3 n) {
    double most = -INFINITY, least = INFINITY;
    for (int32_t v = 0; v < a->part[i].vertices; v++) {
        most = fmax(most, dot(n, rig_vertex(a, i, v)));
    }
    for (int32_t v = 0; v < b->part[j].vertices; v++) {
        least = fmin(least, dot(n, rig_vertex(b, j, v)));
    }
    return least - most;
}

/* The greatest separation over all axes: all normals of faces, and all directions across an edge of
 * each. Minus the depth of polyhedra that overlap. */
static inline double rig_all_axes(const RigBody *a, int i, const RigBody *b, int j) {
    double best = -INFINITY;
    for (int32_t f = 0; f < a->part[i].faces; f++) {
        Vec3 n = scr_out_of_frame(&a->placed, a->part[i].face[f].normal);
        best = fmax(best, rig_along(a, i, b, j, n));
    }
    for (int32_t f = 0; f < b->part[j].faces; f++) {
        Vec3 n = scr_out_of_frame(&b->placed, b->part[j].face[f].normal);
        best = fmax(best, rig_along(a, i, b, j, scale(-1, n)));
    }
    for (int32_t e = 0; e < a->part[i].edges; e++) {
        Vec3 u = scr_out_of_frame(&a->placed, a->part[i].edge[e].along);
        for (int32_t f = 0; f < b->part[j].edges; f++) {
            Vec3 n = cross(u, scr_out_of_frame(&b->placed, b->part[j].edge[f].along));
            double l = length(n);
            if (l > 1e-6) {
                best = fmax(best, rig_along(a, i, b, j, scale(1 / l, n)));
                best = fmax(best, rig_along(a, i, b, j, scale(-1 / l, n)));
            }
        }
    }
    return best;
}

/* ---------------------------------------------------------------- contact points */

static const StepMotion rig_rest;

typedef struct RigTouch {
    SolidWork work;
    OutlineTouches touches;
    Contact old[RIG_POINTS]; /* the points of the call before, for the next one */
    size_t old_count;
} RigTouch;

static inline void rig_forget(RigTouch *t) {
    t->old_count = 0;
}
static inline void rig_touch_free(RigTouch *t) {
    scr_solid_work_free(&t->work);
    scr_block_free(&t->touches.block);
}
static inline void rig_remember(RigTouch *t) {
    t->old_count = 0;
    for (size_t i = 0; i < t->touches.count && i < RIG_POINTS; i++) {
        const OutlineTouch *at = &t->touches.item[i];
        t->old[t->old_count++] =
            (Contact){.feature = at->feature, .normal = at->normal, .gap = at->gap};
    }
}

static inline Vec3 rig_between_bodies(const RigBody *a, const RigBody *b) {
    return sub(b->x, a->x);
}

static inline void rig_touch_moving(RigTouch *t, const RigBody *a, const RigBody *b,
                                    const StepMotion *motion, double reach) {
    const OldPoints old = {t->old, t->old_count};
    CHECK(scr_touch_solids(&a->placed, &b->placed, rig_between_bodies(a, b), motion, reach, old,
                           &t->work, &t->touches) == SCREE_OK);
}
static inline void rig_touch(RigTouch *t, const RigBody *a, const RigBody *b, double reach) {
    rig_touch_moving(t, a, b, &rig_rest, reach);
}
static inline double rig_least(const RigTouch *t) {
    double least = INFINITY;
    for (size_t i = 0; i < t->touches.count; i++) {
        least = fmin(least, t->touches.item[i].gap);
    }
    return least;
}

/* Both turned at random, b at this gap from a. */
static inline void rig_set_near(RigBody *a, RigBody *b, double gap) {
    rig_turn_at_random(a);
    rig_turn_at_random(b);
    b->x = add_scaled(a->x, 3, rig_direction());
    const RelativePose pose = scr_relative_pose(&a->placed, &b->placed, rig_between_bodies(a, b));
    const PartPair p = scr_part_pair(&a->part[0], &b->part[0], &pose);
    const PartDistance d = scr_part_distance(&p, INFINITY);
    b->x = add_scaled(b->x, gap - d.gap, scr_out_of_frame(&a->placed, d.normal));
}

/* How many pairs of each kind: more in a campaign (solid-pairs), with SCREE_SOLID_PAIRS=1000000. */
static inline int rig_pairs(int usual) {
    const char *many = getenv("SCREE_SOLID_PAIRS");
    return many != NULL ? atoi(many) : usual / CHECK_STRIDE;
}

/* Begins a pair, which depends on these numbers alone. */
static inline void rig_begin_at(uint64_t process, int pair) {
    uint64_t x = (uint64_t)pair + (process << 32);
    x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    rig_seed = x ^ x >> 31;
    rig_unit();
}

/* The same for the process SCREE_SOLID_SEED. False: another pair was asked for, by SCREE_SOLID_PAIR=number. */
static inline bool rig_begin(int pair) {
    const char *seed = getenv("SCREE_SOLID_SEED"), *only = getenv("SCREE_SOLID_PAIR");
    rig_begin_at(seed != NULL ? (uint64_t)strtoull(seed, NULL, 10) : 0, pair);
    check_case = pair;
    return only == NULL || atoi(only) == pair;
}

#endif
