#include "narrow/part_distance.h"

/* Points of b - a, each made of a vertex of either part. */
typedef struct Simplex {
    int count;
    Vec3 w[4];
    int32_t of_a[4], of_b[4];
} Simplex;

/* The points of a simplex whose convex hull holds the point nearest to the origin. */
typedef struct Nearest {
    double square;
    Vec3 at;
    int count, of[3];
} Nearest;

/* ---------------------------------------------------------------- the nearest point of a simplex
 *
 * Points, lines and triangles are tried, those only that hold point `must` (-1: all), and the
 * nearest is taken whose foot lies inside. A triangle that is nearly a line is left to its sides. */

static void try_point(const Simplex *s, int i, Nearest *best) {
    double square = dot(s->w[i], s->w[i]);
    if (square < best->square) {
        *best = (Nearest){square, s->w[i], 1, {i}};
    }
}

static void try_line(const Simplex *s, int i, int j, Nearest *best) {
    Vec3 e = sub(s->w[j], s->w[i]);
    double along = -dot(s->w[i], e), all = dot(e, e);
    if (!(along > 0 && along < all)) {
        return;
    }
    Vec3 x = add_scaled(s->w[i], along / all, e);
    double square = dot(x, x);
    if (square < best->square) {
        *best = (Nearest){square, x, 2, {i, j}};
    }
}

static void try_triangle(const Simplex *s, int i, int j, int k, Nearest *best) {
    Vec3 a = s->w[i], b = s->w[j], c = s->w[k], ab = sub(b, a), ac = sub(c, a), n = cross(ab, ac);
    double nn = dot(n, n);
    if (!(nn > 1e-24 * dot(ab, ab) * dot(ac, ac)) || !(dot(n, cross(b, c)) > 0) ||
        !(dot(n, cross(c, a)) > 0) || !(dot(n, cross(a, b)) > 0)) {
        return;
    }
    Vec3 x = scale(dot(n, a) / nn, n);
    double square = dot(x, x);
    if (square < best->square) {
        *best = (Nearest){square, x, 3, {i, j, k}};
    }
}

static Nearest nearest_of(const Simplex *s, int must) {
    Nearest best = {.square = INFINITY};
    for (int i = 0; i < s->count; i++) {
        if (must < 0 || i == must) {
            try_point(s, i, &best);
        }
        for (int j = i + 1; j < s->count; j++) {
            bool held = must < 0 || i == must || j == must;
            if (held) {
                try_line(s, i, j, &best);
            }
            for (int k = j + 1; k < s->count; k++) {
                if (held || k == must) {
                    try_triangle(s, i, j, k, &best);
                }
            }
        }
    }
    return best;
}

static void reduce(Simplex *s, const Nearest *to) {
    Simplex kept = {.count = to->count};
    for (int i = 0; i < to->count; i++) {
        kept.w[i] = s->w[to->of[i]];
        kept.of_a[i] = s->of_a[to->of[i]];
        kept.of_b[i] = s->of_b[to->of[i]];
    }
    *s = kept;
}

static bool holds_origin(const Simplex *s) {
    Vec3 a = s->w[0], b = s->w[1], c = s->w[2], d = s->w[3];
    double volume = dot(cross(sub(b, a), sub(c, a)), sub(d, a));
    double sign = volume < 0 ? -1 : 1;
    return volume != 0 && sign * dot(cross(b, c), d) >= 0 && sign * dot(cross(a, c), d) <= 0 &&
           sign * dot(cross(a, b), d) >= 0 && sign * dot(cross(a, b), c) <= 0;
}

/* ---------------------------------------------------------------- names */

/* An edge between two vertices, or -1. */
static int32_t edge_between(const Polyhedron *p, int32_t v, int32_t w) {
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        if (p->star_vertex[k] == w) {
            return p->star_edge[k];
        }
    }
    return -1;
}

static bool has_corner(const Polyhedron *p, int32_t f, int32_t v) {
    const PolyhedronFace *face = &p->face[f];
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        if (p->loop_vertex[k] == v) {
            return true;
        }
    }
    return false;
}

/* The feature that these vertices span: the vertex, the edge, or a face with all of them. Where
 * rounding has left others, the first vertex. */
static void name_of(const Polyhedron *p, const int32_t *vertex, int count, ElementKind *kind,
                    int32_t *number) {
    int32_t own[3] = {vertex[0]};
    int distinct = 1;
    for (int i = 1; i < count; i++) {
        bool known = vertex[i] == own[0] || (distinct == 2 && vertex[i] == own[1]);
        if (!known) {
            own[distinct++] = vertex[i];
        }
    }
    *kind = ELEMENT_VERTEX;
    *number = own[0];
    int32_t edge = distinct == 2 ? edge_between(p, own[0], own[1]) : -1;
    if (edge >= 0) {
        *kind = ELEMENT_EDGE;
        *number = edge;
        return;
    }
    for (int32_t k = p->star_first[own[0]]; k < p->star_first[own[0] + 1] && distinct > 1; k++) {
        int32_t f = p->star_face[k];
        if (f >= 0 && has_corner(p, f, own[1]) && (distinct < 3 || has_corner(p, f, own[2]))) {
            *kind = ELEMENT_FACE;
            *number = f;
            return;
        }
    }
}

/* A face opposite to an edge or a face is named with a vertex there: they are parallel. */
static FeaturePair pair_of(const PartPair *p, const Simplex *s) {
    FeaturePair f;
    name_of(p->a, s->of_a, s->count, &f.kind_a, &f.a);
    name_of(p->b, s->of_b, s->count, &f.kind_b, &f.b);
    if (!scr_can_touch(f.kind_a, f.kind_b)) {
        bool face_of_a = f.kind_a == ELEMENT_FACE;
        *(face_of_a ? &f.kind_b : &f.kind_a) = ELEMENT_VERTEX;
        *(face_of_a ? &f.b : &f.a) = face_of_a ? s->of_b[0] : s->of_a[0];
    }
    return f;
}

/* ---------------------------------------------------------------- the search */

static void add_support(const PartPair *p, Vec3 v, Simplex *s) {
    int32_t a = scr_support(p->a, v, s->count > 0 ? s->of_a[0] : 0);
    int32_t b =
        scr_support(p->b, scr_turn_to_b(p->pose, scale(-1, v)), s->count > 0 ? s->of_b[0] : 0);
    s->of_a[s->count] = a;
    s->of_b[s->count] = b;
    s->w[s->count++] = sub(scr_b_vertex(p, b), scr_vertex(p->a, a));
}

static bool is_known(const Simplex *s) {
    int last = s->count - 1;
    for (int i = 0; i < last; i++) {
        if (s->of_a[i] == s->of_a[last] && s->of_b[i] == s->of_b[last]) {
            return true;
        }
    }
    return false;
}

enum { MOST_STEPS = 64 };

PartDistance scr_part_distance(const PartPair *p, double far) {
    const PartDistance touching = {.are = PARTS_TOUCHING};
    Simplex s = {.count = 0};
    add_support(p, sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle), &s);
    Vec3 v = s.w[0];
    double square = dot(v, v), tiny = 16 * p->round;
    for (int step = 0;; step++) {
        if (square <= tiny * tiny || step == MOST_STEPS) {
            return touching;
        }
        Simplex before = s;
        add_support(p, v, &s);
        double least = dot(v, s.w[s.count - 1]), length = sqrt(square);
        if (least > far * length) {
            return (PartDistance){
                .are = PARTS_FAR, .gap = least / length, .normal = scale(1 / length, v)};
        }
        bool nearest = is_known(&s) || square - least <= 1e-15 * square + 0.1 * p->round * length;
        Nearest to = {0};
        if (!nearest) {
            if (s.count == 4 && holds_origin(&s)) {
                return touching;
            }
            to = nearest_of(&s, s.count - 1);
            to = to.square < square ? to : nearest_of(&s, -1);
            nearest = !(to.square < square);
        }
        if (nearest) {
            return (PartDistance){PARTS_APART, length, scale(1 / length, v), pair_of(p, &before)};
        }
        reduce(&s, &to);
        v = to.at;
        square = to.square;
    }
}
