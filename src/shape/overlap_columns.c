/* Overlaps of any parts, by columns along z: which stretches of a column lie in a part is known
 * exactly, and the columns are summed by the midpoint rule. The parts are turned first, so that
 * columns do not run along the faces of boxes, where stretches would end at once. */
#include "shape/solid_moments.h"

#include <stdlib.h>

enum { MOST_COLUMNS = 512, LEAST_COLUMNS = 96 };

typedef struct Stretch {
    double low, high;
} Stretch;

typedef struct Columns {
    int32_t count;
    Polyhedron *part; /* [count] turned */
    PartBox *box;     /* [count] */
    Stretch *stretch; /* of one column, those of all parts */
    int32_t stretches;
    double *hit; /* of one column and a part that is not convex */
    Block part_block, box_block, stretch_block, hit_block;
} Columns;

static void widen(Stretch *s, double z) {
    s->low = scr_min(s->low, z);
    s->high = scr_max(s->high, z);
}

/* ---------------------------------------------------------------- rounded parts */

/* The ball about a vertex. */
static void meet_vertex(const Polyhedron *p, int32_t v, double x, double y, Stretch *s) {
    double dx = x - p->x[v], dy = y - p->y[v], rest = p->rounding * p->rounding - dx * dx - dy * dy;
    if (rest >= 0) {
        widen(s, p->z[v] - sqrt(rest));
        widen(s, p->z[v] + sqrt(rest));
    }
}

/* The cylinder about an edge: with w from its first vertex to (x, y, 0) and the direction u, the
 * points at z have |w + z e|^2 - (u . (w + z e))^2 = r^2, e along z. */
static void meet_edge(const Polyhedron *p, const PolyhedronEdge *e, double x, double y,
                      Stretch *s) {
    Vec3 a = scr_vertex(p, e->vertex[0]), u = e->along, w = sub(vec3(x, y, 0), a);
    double along = dot(u, w), square = 1 - u.z * u.z;
    if (square < 1e-12) {
        return; /* upright: its ends and faces stand for it */
    }
    double half = (w.z - along * u.z) / square,
           rest = half * half - (dot(w, w) - along * along - p->rounding * p->rounding) / square;
    for (int k = 0; k < 2 && rest >= 0; k++) {
        double z = -half + (k == 0 ? -sqrt(rest) : sqrt(rest)), t = along + u.z * z;
        if (t >= 0 && t <= e->length) {
            widen(s, z);
        }
    }
}

static bool over_face(const Polyhedron *p, const PolyhedronFace *face, Vec3 foot) {
    const int32_t *loop = p->loop_vertex + face->first;
    for (int32_t k = 0; k < face->count; k++) {
        Vec3 a = scr_vertex(p, loop[k]), b = scr_vertex(p, loop[(k + 1) % face->count]);
        if (dot(face->normal, cross(sub(b, a), sub(foot, a))) < 0) {
            return false;
        }
    }
    return true;
}

/* A face moved outwards by the rounding. */
static void meet_face(const Polyhedron *p, const PolyhedronFace *face, double x, double y,
                      Stretch *s) {
    Vec3 n = face->normal;
    if (fabs(n.z) > 1e-12) {
        double z = (face->offset + p->rounding - n.x * x - n.y * y) / n.z;
        if (over_face(p, face, add_scaled(vec3(x, y, z), -p->rounding, n))) {
            widen(s, z);
        }
    }
}

static Stretch meet_rounded(const Polyhedron *p, double x, double y) {
    Stretch s = {INFINITY, -INFINITY};
    for (int32_t v = 0; v < p->vertices; v++) {
        meet_vertex(p, v, x, y, &s);
    }
    for (int32_t e = 0; e < p->edges; e++) {
        meet_edge(p, &p->edge[e], x, y, &s);
    }
    for (int32_t f = 0; f < p->faces; f++) {
        meet_face(p, &p->face[f], x, y, &s);
    }
    return s;
}

static Stretch meet_smooth(const Polyhedron *p, double x, double y) {
    Stretch s;
    bool met = scr_smooth_stretch(&p->smooth, p->rounding, x, y, &s.low, &s.high);
    return met ? s : (Stretch){INFINITY, -INFINITY};
}

/* ---------------------------------------------------------------- sharp parts */

static Stretch meet_convex(const Polyhedron *p, double x, double y) {
    Stretch s = {-INFINITY, INFINITY};
    for (int32_t f = 0; f < p->faces; f++) {
        Vec3 n = p->face[f].normal;
        double rest = p->face[f].offset - n.x * x - n.y * y;
        if (n.z > 0) {
            s.high = scr_min(s.high, rest / n.z);
        } else if (n.z < 0) {
            s.low = scr_max(s.low, rest / n.z);
        } else if (rest < 0) {
            s.high = -INFINITY;
        }
    }
    return s;
}

static int in_order(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Passes into and out of the part, which come in pairs; a column that hits an edge may have one too
 * few, and is left out. */
static void meet_any(Columns *c, const Polyhedron *p, double x, double y) {
    size_t hits = 0;
    for (int32_t f = 0; f < p->faces; f++) {
        Vec3 n = p->face[f].normal;
        if (fabs(n.z) > 1e-12) {
            Vec3 at = vec3(x, y, (p->face[f].offset - n.x * x - n.y * y) / n.z);
            if (over_face(p, &p->face[f], at)) {
                c->hit[hits++] = at.z;
            }
        }
    }
    qsort(c->hit, hits, sizeof *c->hit, in_order);
    for (size_t k = 0; k + 1 < hits && hits % 2 == 0; k += 2) {
        c->stretch[c->stretches++] = (Stretch){c->hit[k], c->hit[k + 1]};
    }
}

/* ---------------------------------------------------------------- one column */

/* The integrals over a stretch of a column of unit area. */
static Moments moments_of(Stretch s, double x, double y) {
    double l = s.high - s.low, z = (s.high * s.high - s.low * s.low) / 2,
           zz = (s.high * s.high * s.high - s.low * s.low * s.low) / 3;
    return (Moments){l, vec3(x * l, y * l, z), {x * x * l, x * y * l, x * z, y * y * l, y * z, zz}};
}

static int lower_first(const void *one, const void *other) {
    const Stretch *a = one, *b = other;
    return a->low != b->low ? (a->low > b->low) - (a->low < b->low)
                            : (a->high > b->high) - (a->high < b->high);
}

/* All stretches less their union. */
static void add_column(Columns *c, double x, double y, Moments *sum) {
    c->stretches = 0;
    for (int32_t k = 0; k < c->count; k++) {
        const Polyhedron *p = &c->part[k];
        const PartBox *box = &c->box[k];
        if (x < box->low[0] || x > box->high[0] || y < box->low[1] || y > box->high[1]) {
            continue;
        }
        if (p->rounding == 0 && !p->convex) {
            meet_any(c, p, x, y);
        } else {
            Stretch s = scr_is_smooth(p)  ? meet_smooth(p, x, y)
                        : p->rounding > 0 ? meet_rounded(p, x, y)
                                          : meet_convex(p, x, y);
            c->stretch[c->stretches] = s;
            c->stretches += s.low < s.high;
        }
    }
    qsort(c->stretch, (size_t)c->stretches, sizeof *c->stretch, lower_first);
    double reached = -INFINITY;
    for (int32_t k = 0; k < c->stretches; k++) {
        Stretch s = c->stretch[k], twice = {s.low, scr_min(s.high, reached)};
        if (twice.low < twice.high) {
            Moments m = moments_of(twice, x, y);
            scr_moments_add(sum, 1, &m);
        }
        reached = scr_max(reached, s.high);
    }
}

/* ---------------------------------------------------------------- all columns */

/* Around all places where the boxes of two parts meet. */
static PartBox box_of_overlaps(const Columns *c) {
    PartBox all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t k = 0; k < c->count * c->count; k++) {
        const PartBox *a = &c->box[k / c->count], *b = &c->box[k % c->count];
        if (k / c->count < k % c->count && scr_boxes_meet(a, b)) {
            for (int axis = 0; axis < 3; axis++) {
                all.low[axis] = scr_min(all.low[axis], scr_max(a->low[axis], b->low[axis]));
                all.high[axis] = scr_max(all.high[axis], scr_min(a->high[axis], b->high[axis]));
            }
        }
    }
    return all;
}

/* In features: only ellipsoids have a formula. */
static double work_of_smooth(const SmoothPart *s) {
    return s->kind == SCREE_PART_CONE ? 200 : scr_is_plain_ellipsoid(s) ? 1 : 4000;
}

/* Fewer for solids with many features, so that none takes longer than a second or two. */
static int columns_for(const Columns *c) {
    double features = 1;
    for (int32_t k = 0; k < c->count; k++) {
        const Polyhedron *p = &c->part[k];
        features += p->vertices + p->edges + p->faces;
        features += scr_is_smooth(p) ? work_of_smooth(&p->smooth) : 0;
    }
    double most = sqrt(1e8 / features);
    return most > MOST_COLUMNS ? MOST_COLUMNS : most < LEAST_COLUMNS ? LEAST_COLUMNS : (int)most;
}

/* Any rotation that leaves no axis near another. */
static Quat turning(void) {
    return quat_normalise((Quat){0.83, 0.31, -0.22, 0.41});
}

static ScreeStatus turn_part(const Polyhedron *from, Vec3 *vertex, int32_t *corners,
                             Polyhedron *made) {
    for (int32_t v = 0; v < from->vertices; v++) {
        vertex[v] = quat_rotate(turning(), scr_vertex(from, v));
    }
    for (int32_t f = 0; f < from->faces; f++) {
        corners[f] = from->face[f].count;
    }
    const PolyhedronDef def = {.vertices = (size_t)from->vertices,
                               .faces = (size_t)from->faces,
                               .vertex = vertex,
                               .corners = corners,
                               .corner = from->loop_vertex,
                               .rounding = from->rounding,
                               .kind = from->smooth.kind,
                               .form = {from->smooth.form[0], from->smooth.form[1]},
                               .weight =
                                   scr_is_patchwork(from) ? from->smooth.patchwork->weight : NULL};
    return scr_polyhedron_build(&def, made, NULL);
}

static bool turn_parts(Columns *c, const Solid *solid, const int32_t *chosen, int32_t count) {
    struct {
        Vec3 *vertex;
        int32_t *corners;
        Block vertex_block, corners_block;
    } work = {0};
    bool ok = SCR_RESERVE(c, part, (size_t)count);
    for (int32_t k = 0; k < count && ok; k++) {
        const Polyhedron *p = &solid->part[chosen[k]];
        ok = SCR_RESERVE(&work, vertex, (size_t)p->vertices) &&
             SCR_RESERVE(&work, corners, (size_t)p->faces + 1) &&
             turn_part(p, work.vertex, work.corners, &c->part[k]) == SCREE_OK;
        c->count += ok;
    }
    SCR_FREE_BLOCKS(&work.vertex_block, &work.corners_block);
    return ok;
}

static bool begin(Columns *c) {
    size_t faces = 1;
    for (int32_t k = 0; k < c->count; k++) {
        faces += (size_t)c->part[k].faces + 1;
    }
    if (!SCR_RESERVE(c, box, (size_t)c->count) || !SCR_RESERVE(c, stretch, faces) ||
        !SCR_RESERVE(c, hit, faces)) {
        return false;
    }
    for (int32_t k = 0; k < c->count; k++) {
        c->box[k] = scr_part_box(&c->part[k]);
    }
    return true;
}

static Moments sum_columns(Columns *c) {
    Moments sum = {0};
    PartBox box = box_of_overlaps(c);
    int n = columns_for(c);
    double dx = (box.high[0] - box.low[0]) / n, dy = (box.high[1] - box.low[1]) / n;
    for (int i = 0; i < n && dx > 0 && dy > 0; i++) {
        Moments row = {0};
        for (int j = 0; j < n; j++) {
            add_column(c, box.low[0] + (i + 0.5) * dx, box.low[1] + (j + 0.5) * dy, &row);
        }
        scr_moments_add(&sum, dx * dy, &row);
    }
    return sum;
}

/* Moments of what was turned, as before the turn. */
static Moments turn_back(const Moments *m) {
    Vec3 axis[3], image[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = quat_rotate(turning(), vec3(k == 0, k == 1, k == 2));
        image[k] = sym3_apply(&m->second, axis[k]);
    }
    return (Moments){m->volume,
                     quat_rotate_back(turning(), m->first),
                     {dot(axis[0], image[0]), dot(axis[0], image[1]), dot(axis[0], image[2]),
                      dot(axis[1], image[1]), dot(axis[1], image[2]), dot(axis[2], image[2])}};
}

ScreeStatus scr_overlap_by_columns(const Solid *solid, const int32_t *chosen, int32_t count,
                                   Moments *overlap) {
    Columns c = {0};
    bool ok = turn_parts(&c, solid, chosen, count) && begin(&c);
    if (ok) {
        Moments sum = sum_columns(&c);
        *overlap = turn_back(&sum);
    }
    for (int32_t k = 0; k < c.count; k++) {
        scr_polyhedron_free(&c.part[k]);
    }
    SCR_FREE_BLOCKS(&c.part_block, &c.box_block, &c.stretch_block, &c.hit_block);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}
