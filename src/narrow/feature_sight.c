#include "narrow/feature_sight.h"

/* The sine by which the face behind a hollow edge rises. */
#define HOLLOW_EDGE 1e-9

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The largest sine of an edge at vertex v above the plane across `d`. The vertex is the farthest
 * point of its body along d if there is none above it. */
static double rise_at(const Polyhedron *p, int32_t v, Vec3 d) {
    double most = p->star_first[v] == p->star_first[v + 1] ? 0 : -1;
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        double s = dot(d, e->along);
        most = larger(most, e->vertex[0] == v ? s : -s);
    }
    return most;
}

/* Whether the body at vertex v lies on the side that d points to: the mean of its edges does. */
static bool lies_along(const Polyhedron *p, int32_t v, Vec3 d) {
    double sum = 0;
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        double s = dot(d, e->along);
        sum += e->vertex[0] == v ? s : -s;
    }
    return sum > 0;
}

/* Whether two faces rise from their edge, each seen from the other. */
static bool is_hollow(const Polyhedron *p, const PolyhedronEdge *e, int own, int32_t f) {
    int32_t other = e->face[1 - own];
    return other >= 0 && other < p->faces &&
           dot(p->face[f].normal, e->inward[1 - own]) > HOLLOW_EDGE &&
           dot(p->face[other].normal, e->inward[own]) > HOLLOW_EDGE;
}

/* Whether the surface ends at a vertex: it has an edge with one face alone. */
static bool is_at_rim(const Polyhedron *p, int32_t v) {
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        if (length(sub(e->inward[0], e->inward[1])) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a point beyond a hollow edge of a face is in the corner there: behind the other face, and not past the ends
 * of the edge. The two edges at the tip of a slender triangle lead far past it side by side. */
static bool is_in_corner(const Polyhedron *p, const PolyhedronEdge *e, int own, Vec3 x,
                         double hollow) {
    const PolyhedronFace *other = &p->face[e->face[1 - own]];
    double s = dot(e->along, sub(x, scr_vertex(p, e->vertex[0]))), past = larger(-s, s - e->length);
    return dot(other->normal, x) - other->offset <= 1e-6 * hollow &&
           (past <= 0 || (past <= hollow && !is_at_rim(p, e->vertex[s < 0 ? 0 : 1])));
}

double scr_beyond_face(const Polyhedron *p, int32_t f, Vec3 x, double hollow) {
    const PolyhedronFace *face = &p->face[f];
    double most = -INFINITY;
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        const PolyhedronEdge *e = &p->edge[p->loop_edge[k]];
        int own = e->face[0] == f ? 0 : 1;
        double out = -dot(e->inward[own], sub(x, scr_vertex(p, p->loop_vertex[k])));
        bool corner =
            hollow > 0 && out > 0 && is_hollow(p, e, own, f) && is_in_corner(p, e, own, x, hollow);
        most = larger(most, corner ? out - hollow : out);
    }
    return most;
}

static bool see_vertex_and_face(const PartPair *p, bool face_of_a, int32_t v, int32_t f,
                                const SightLimits *limits, FeatureSight *s) {
    const Polyhedron *own = face_of_a ? p->a : p->b, *other = face_of_a ? p->b : p->a;
    const PolyhedronFace *face = &own->face[f];
    Vec3 x = face_of_a ? scr_b_vertex(p, v) : scr_a_vertex(p, v);
    s->gap = dot(face->normal, x) - face->offset;
    if (!(s->gap <= limits->high + limits->slide && s->gap >= limits->low - limits->slide)) {
        return false;
    }
    s->beyond = scr_beyond_face(own, f, x, limits->hollow);
    if (s->beyond > limits->beyond + limits->slide) {
        return false;
    }
    Vec3 down = scale(-1, face->normal);
    Vec3 seen = face_of_a ? scr_turn_to_b(p->pose, down) : scr_turn_from_b(p->pose, down);
    s->tilt = rise_at(other, v, seen);
    s->blur = 1e-14;
    s->normal = face_of_a ? face->normal : seen;
    s->foot = face_of_a ? add_scaled(x, -s->gap, face->normal) : scr_vertex(p->a, v);
    return s->tilt <= limits->tilt + limits->turn ||
           (limits->over && s->gap >= -limits->slide && lies_along(other, v, scale(-1, seen)));
}

/* ---------------------------------------------------------------- two edges */

/* Two edges as lines: points o + s d, with w = o_b - o_a. */
typedef struct EdgeLines {
    const PolyhedronEdge *a, *b;
    Vec3 origin, da, db, w;
    Vec3 across; /* d_a x d_b; its length is the sine of the angle between them */
    double sine;
} EdgeLines;

static EdgeLines edge_lines(const PartPair *p, int32_t of_a, int32_t of_b) {
    const PolyhedronEdge *a = &p->a->edge[of_a], *b = &p->b->edge[of_b];
    EdgeLines l = {.a = a, .b = b, .da = a->along, .db = scr_turn_from_b(p->pose, b->along)};
    l.origin = scr_vertex(p->a, a->vertex[0]);
    l.w = sub(scr_b_vertex(p, b->vertex[0]), l.origin);
    l.across = cross(l.da, l.db);
    l.sine = sqrt(dot(l.across, l.across));
    return l;
}

/* Nearly parallel edges, whose crossing may be anywhere after a little turn: whether they are near
 * each other side by side. */
static bool may_cross_later(const EdgeLines *l, const SightLimits *limits) {
    double along = dot(l->w, l->da), sign = dot(l->da, l->db) < 0 ? -1 : 1;
    double from = scr_min(along, along + sign * l->b->length);
    double to = larger(along, along + sign * l->b->length);
    Vec3 apart = add_scaled(l->w, -along, l->da);
    double most = larger(limits->high, -limits->low) + 2 * limits->slide;
    double spread = l->sine * l->b->length; /* of b from parallel */
    double more = most + limits->beyond;
    return dot(apart, apart) <= (most + spread) * (most + spread) && to >= -more &&
           from <= l->a->length + more;
}

/* The normal lies in the arc of an edge if neither face leads along it. Of the two directions across
 * both edges the one is taken that lies in the arcs, or nearer to them. */
static bool is_reversed(const EdgeLines *l, Vec3 normal, Vec3 in_b, double *tilt) {
    double x[4] = {dot(normal, l->a->inward[0]), dot(normal, l->a->inward[1]),
                   -dot(in_b, l->b->inward[0]), -dot(in_b, l->b->inward[1])};
    double most = larger(larger(x[0], x[1]), larger(x[2], x[3]));
    double least = -larger(larger(-x[0], -x[1]), larger(-x[2], -x[3]));
    *tilt = most <= -least ? most : -least;
    return most > -least;
}

/* How far a foot lies beyond the ends of its edge, at s along it. Where the body rises above that end, seen along the
 * normal out of it and in the middle of the edge's arc, beyond lies not the open but the body, and what is beyond
 * `hollow` counts. No convex body has such an end. */
static double beyond_ends(const Polyhedron *p, const PolyhedronEdge *e, double s, Vec3 normal,
                          double hollow) {
    double out = larger(-s, s - e->length);
    int32_t v = e->vertex[s < 0 ? 0 : 1];
    Vec3 up = scale(-1, add(e->inward[0], e->inward[1]));
    bool in_corner = out > 0 && hollow > 0 && rise_at(p, v, up) > HOLLOW_EDGE &&
                     rise_at(p, v, normal) > HOLLOW_EDGE;
    return in_corner ? out - hollow : out;
}

static bool see_edges(const PartPair *p, int32_t of_a, int32_t of_b, const SightLimits *limits,
                      FeatureSight *sight) {
    const EdgeLines l = edge_lines(p, of_a, of_b);
    if (l.a->kind != EDGE_CONVEX || l.b->kind != EDGE_CONVEX) {
        return false;
    }
    if (limits->turn > 0 && l.sine <= PARALLEL_EDGES + 2 * limits->turn) {
        return may_cross_later(&l, limits);
    }
    if (l.sine < PARALLEL_EDGES) {
        return false;
    }
    /* The nearest points are o_a + s d_a and o_b + t d_b. */
    double sine = l.sine, square = sine * sine, slide = 4 * limits->slide / sine;
    double s = dot(cross(l.w, l.db), l.across) / square;
    double t = dot(cross(l.w, l.da), l.across) / square;
    sight->beyond = larger(larger(-s, s - l.a->length), larger(-t, t - l.b->length));
    if (!(sight->beyond <= limits->beyond + slide + limits->hollow)) {
        return false;
    }
    Vec3 normal = scale(1 / sine, l.across), in_b = scr_turn_to_b(p->pose, normal);
    double gap = dot(normal, add_scaled(add_scaled(l.w, t, l.db), -s, l.da));
    bool reversed = is_reversed(&l, normal, in_b, &sight->tilt);
    reversed = l.a->face[0] < 0 && l.b->face[0] < 0 ? gap < 0 : reversed; /* two rods */
    sight->gap = reversed ? -gap : gap;
    sight->normal = reversed ? scale(-1, normal) : normal;
    sight->foot = add_scaled(l.origin, s, l.da);
    sight->blur = 1e-14 + 4e-15 / sine;
    if (limits->hollow > 0 && sight->beyond > 0) {
        Vec3 out_of_b = scale(reversed ? 1 : -1, in_b);
        sight->beyond = larger(beyond_ends(p->a, l.a, s, sight->normal, limits->hollow),
                               beyond_ends(p->b, l.b, t, out_of_b, limits->hollow));
    }
    return sight->beyond <= limits->beyond + slide && sight->gap <= limits->high + limits->slide &&
           sight->gap >= limits->low - limits->slide &&
           sight->tilt <= limits->tilt + 4 * limits->turn / sine;
}

/* ---------------------------------------------------------------- vertices beside edges */

/* The direction of a short vector is told by its rounding error. */
static bool has_direction(const PartPair *p, double length) {
    return length > 16 * p->round;
}

static bool see_vertex_and_edge(const PartPair *p, bool edge_of_a, int32_t v, int32_t e,
                                const SightLimits *limits, FeatureSight *sight) {
    const Polyhedron *own = edge_of_a ? p->a : p->b, *other = edge_of_a ? p->b : p->a;
    const PolyhedronEdge *edge = &own->edge[e];
    Vec3 x = edge_of_a ? scr_b_vertex(p, v) : scr_a_vertex(p, v);
    Vec3 origin = scr_vertex(own, edge->vertex[0]), w = sub(x, origin);
    double s = dot(w, edge->along), most = limits->region + limits->slide;
    w = add_scaled(w, -s, edge->along);
    double end = larger(-s, s - edge->length);
    sight->beyond = larger(end, larger(dot(w, edge->inward[0]), dot(w, edge->inward[1])));
    sight->gap = sqrt(dot(w, w));
    if (edge->kind != EDGE_CONVEX || !(sight->beyond <= most) ||
        !(sight->gap <= limits->high + limits->slide)) {
        return false;
    }
    if (limits->slide > 0 && sight->gap <= 2 * limits->slide) {
        return true; /* it may be seen from anywhere soon */
    }
    if (!has_direction(p, sight->gap)) {
        return false;
    }
    Vec3 back = scale(-1 / sight->gap, w); /* from the vertex to the edge */
    Vec3 seen = edge_of_a ? scr_turn_to_b(p->pose, back) : scr_turn_from_b(p->pose, back);
    sight->tilt = rise_at(other, v, seen);
    sight->blur = 1e-14 + p->round / sight->gap;
    sight->normal = edge_of_a ? scale(-1, back) : seen;
    sight->foot = edge_of_a ? add_scaled(origin, s, edge->along) : scr_vertex(p->a, v);
    return sight->tilt <= limits->tilt + limits->turn + 2 * limits->slide / sight->gap;
}

static bool see_vertices(const PartPair *p, int32_t of_a, int32_t of_b, const SightLimits *limits,
                         FeatureSight *sight) {
    Vec3 x = scr_vertex(p->a, of_a), w = sub(scr_b_vertex(p, of_b), x);
    double d = sqrt(dot(w, w)), most = limits->region + limits->slide + limits->turn * d;
    sight->gap = d;
    if (!(d <= limits->high + limits->slide)) {
        return false;
    }
    if (limits->slide > 0 && d <= 2 * limits->slide) {
        return true;
    }
    if (!has_direction(p, d)) {
        return false;
    }
    sight->normal = scale(1 / d, w);
    sight->foot = x;
    sight->tilt = larger(rise_at(p->a, of_a, sight->normal),
                         rise_at(p->b, of_b, scr_turn_to_b(p->pose, scale(-1, sight->normal))));
    sight->beyond = d * sight->tilt;
    sight->blur = 1e-14 + p->round / d;
    return sight->beyond <= most;
}

bool scr_see_features(const PartPair *p, FeaturePair f, const SightLimits *limits,
                      FeatureSight *sight) {
    if (f.kind_a == ELEMENT_FACE) {
        return see_vertex_and_face(p, true, f.b, f.a, limits, sight);
    }
    if (f.kind_b == ELEMENT_FACE) {
        return see_vertex_and_face(p, false, f.a, f.b, limits, sight);
    }
    if (f.kind_a == ELEMENT_EDGE && f.kind_b == ELEMENT_EDGE) {
        return see_edges(p, f.a, f.b, limits, sight);
    }
    if (f.kind_a == ELEMENT_EDGE) {
        return see_vertex_and_edge(p, true, f.b, f.a, limits, sight);
    }
    if (f.kind_b == ELEMENT_EDGE) {
        return see_vertex_and_edge(p, false, f.a, f.b, limits, sight);
    }
    return see_vertices(p, f.a, f.b, limits, sight);
}

/* ---------------------------------------------------------------- by name */

/* The nearest point of an edge. */
static Vec3 foot_on_edge(const Polyhedron *p, int32_t e, Vec3 x) {
    const PolyhedronEdge *edge = &p->edge[e];
    Vec3 origin = scr_vertex(p, edge->vertex[0]);
    double s = dot(sub(x, origin), edge->along);
    return add_scaled(origin, scr_min(scr_max(s, 0), edge->length), edge->along);
}

static FeaturePlace place_edges(const PartPair *p, FeaturePair f, Vec3 normal) {
    const EdgeLines l = edge_lines(p, f.a, f.b);
    double s = 0.5 * l.a->length, t = 0.5 * l.b->length;
    if (l.sine >= PARALLEL_EDGES) {
        double square = l.sine * l.sine;
        s = dot(cross(l.w, l.db), l.across) / square;
        t = dot(cross(l.w, l.da), l.across) / square;
        normal = scale((dot(l.across, normal) < 0 ? -1 : 1) / l.sine, l.across);
    }
    Vec3 apart = add_scaled(add_scaled(l.w, t, l.db), -s, l.da);
    return (FeaturePlace){dot(normal, apart), normal, add_scaled(l.origin, s, l.da)};
}

FeaturePlace scr_place_features(const PartPair *p, FeaturePair f, Vec3 normal) {
    if (f.kind_a == ELEMENT_FACE) {
        const PolyhedronFace *face = &p->a->face[f.a];
        Vec3 x = scr_b_vertex(p, f.b);
        double gap = dot(face->normal, x) - face->offset;
        return (FeaturePlace){gap, face->normal, add_scaled(x, -gap, face->normal)};
    }
    if (f.kind_b == ELEMENT_FACE) {
        const PolyhedronFace *face = &p->b->face[f.b];
        double gap = dot(face->normal, scr_a_vertex(p, f.a)) - face->offset;
        Vec3 own = scr_turn_from_b(p->pose, scale(-1, face->normal));
        return (FeaturePlace){gap, own, scr_vertex(p->a, f.a)};
    }
    if (f.kind_a == ELEMENT_EDGE && f.kind_b == ELEMENT_EDGE) {
        return place_edges(p, f, normal);
    }
    Vec3 at_b, foot;
    if (f.kind_a == ELEMENT_EDGE) {
        at_b = scr_b_vertex(p, f.b);
        foot = foot_on_edge(p->a, f.a, at_b);
    } else {
        foot = scr_vertex(p->a, f.a);
        at_b = f.kind_b == ELEMENT_VERTEX
                   ? scr_b_vertex(p, f.b)
                   : scr_point_from_b(p->pose, foot_on_edge(p->b, f.b, scr_a_vertex(p, f.a)));
    }
    return (FeaturePlace){dot(normal, sub(at_b, foot)), normal, foot};
}
