#include "narrow/core_points.h"

#include "narrow/narrow.h"
#include "narrow/part_distance.h"

bool scr_has_cores(const Solid *s) {
    for (int32_t i = 0; i < s->parts; i++) {
        if (scr_is_smooth(&s->part[i]) || !(s->part[i].rounding > 0)) {
            return false;
        }
    }
    return true;
}

bool scr_is_clump(const Solid *s) {
    for (int32_t i = 0; i < s->parts; i++) {
        if (scr_is_smooth(&s->part[i]) || s->part[i].vertices > 1) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- names
 *
 * A vertex keeps its name while the other core's nearest point moves on. So that core is named by its
 * last element, which is a vertex of balls only: no other pair of elements has these kinds. */

static int32_t last_element(const Polyhedron *p) {
    return p->first_element + p->elements - 1;
}

static bool has_end(const Element *edge, const Element *vertex) {
    if (edge->kind != ELEMENT_EDGE || vertex->kind != ELEMENT_VERTEX ||
        edge->part != vertex->part) {
        return false;
    }
    const PolyhedronEdge *e = &edge->part->edge[edge->number];
    return e->vertex[0] == vertex->number || e->vertex[1] == vertex->number;
}

static bool same(const Element *a, const Element *b) {
    return a->part == b->part && a->kind == b->kind && a->number == b->number;
}

bool scr_core_continues_as(const Solid *a, const Solid *b, int32_t feature, int32_t other) {
    if (b == NULL) {
        return false; /* vertices at a wall stay what they are */
    }
    const Element old[2] = {scr_element(a, scr_feature_a(feature)),
                            scr_element(b, scr_feature_b(feature))};
    const Element now[2] = {scr_element(a, scr_feature_a(other)),
                            scr_element(b, scr_feature_b(other))};
    if (old[0].part != now[0].part || old[1].part != now[1].part) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        bool edges = old[k].kind == ELEMENT_EDGE && old[1 - k].kind == ELEMENT_EDGE &&
                     now[1 - k].kind == ELEMENT_EDGE && same(&old[k], &now[k]);
        if (edges || has_end(&old[k], &now[k]) || has_end(&now[k], &old[k])) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- the list */

/* What is found, in the directions of the world. */
typedef struct Found {
    const PlacedSolid *frame; /* of a; NULL: in the directions of the world already */
    Penetrations *list;
} Found;

static bool append(const Found *f, Penetration at) {
    Penetrations *l = f->list;
    if (!scr_block_reserve(&l->block, l->count + 1, sizeof at, l->count * sizeof at)) {
        return false;
    }
    l->item = l->block.data;
    if (f->frame != NULL) {
        at.normal = scr_out_of_frame(f->frame, at.normal);
        at.arm = scr_out_of_frame(f->frame, at.arm);
    }
    l->item[l->count++] = at;
    return true;
}

/* Between a point of the core of a and one of b at a distance above zero. */
static Penetration between(Vec3 of_a, Vec3 of_b, double distance, double rounding_a,
                           double rounding_b, int32_t feature) {
    Vec3 n = scale(1 / distance, sub(of_b, of_a));
    double gap = distance - (rounding_a + rounding_b), lever = rounding_a + 0.5 * gap;
    return (Penetration){.gap = gap,
                         .normal = n,
                         .arm = add_scaled(of_a, lever, n),
                         .feature = feature,
                         .lever = lever};
}

/* ---------------------------------------------------------------- a vertex and a core */

static Vec3 nearest_of_edge(const Polyhedron *p, int32_t edge, Vec3 x) {
    const PolyhedronEdge *e = &p->edge[edge];
    Vec3 from = scr_vertex(p, e->vertex[0]);
    double along = dot(sub(x, from), e->along);
    along = along < 0 ? 0 : along > e->length ? e->length : along;
    return add_scaled(from, along, e->along);
}

/* The point of a core that is nearest to x, which lies outside. A point over a face whose foot lies
 * within the face has no nearer one. */
static Vec3 nearest_of_core(const Polyhedron *p, Vec3 x) {
    for (int32_t f = 0; f < p->faces; f++) {
        const PolyhedronFace *face = &p->face[f];
        double height = dot(face->normal, x) - face->offset;
        if (height > 0 && scr_beyond_face(p, f, x, 0) <= 0) {
            return add_scaled(x, -height, face->normal);
        }
    }
    double least = INFINITY;
    Vec3 nearest = x;
    for (int32_t e = 0; e < p->edges; e++) {
        Vec3 at = nearest_of_edge(p, e, x), off = sub(x, at);
        nearest = dot(off, off) < least ? at : nearest;
        least = scr_min(least, dot(off, off));
    }
    return nearest;
}

/* Two parts with what is asked of them, in the frame of a. */
typedef struct Cores {
    PartPair parts;
    double far;         /* of the cores: points beyond are none */
    double height_a;    /* of a, only vertices and edges that reach up to here can be near */
    double height_b;    /* of b, only those that reach down to here */
    Vec3 normal;        /* along which heights are measured */
    size_t first;       /* point of the list that belongs to this pair of parts */
    const Found *found; /* where points go */
} Cores;

static bool is_high(const Cores *c, bool of_a, Vec3 x) {
    double height = dot(c->normal, x);
    return of_a ? height >= c->height_a : height <= c->height_b;
}

/* False when out of memory. */
static bool meet_vertices(const Cores *c, bool of_a) {
    const PartPair *p = &c->parts;
    const Polyhedron *own = of_a ? p->a : p->b, *other = of_a ? p->b : p->a;
    for (int32_t v = 0; v < own->vertices; v++) {
        Vec3 x = of_a ? scr_vertex(own, v) : scr_b_vertex(p, v);
        if (!is_high(c, of_a, x)) {
            continue;
        }
        Vec3 nearest = of_a ? scr_point_from_b(p->pose, nearest_of_core(other, scr_a_vertex(p, v)))
                            : nearest_of_core(other, x);
        double distance = length(sub(nearest, x));
        if (!(distance < c->far && distance > 0)) {
            continue;
        }
        int32_t vertex = scr_vertex_element(own, v), core = last_element(other);
        const Penetration at =
            between(of_a ? x : nearest, of_a ? nearest : x, distance, p->a->rounding,
                    p->b->rounding, of_a ? scr_feature(vertex, core) : scr_feature(core, vertex));
        if (!append(c->found, at)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- edges that cross */

/* A piece of a straight line. */
typedef struct Line {
    Vec3 from, along; /* unit */
    double length;
} Line;

static Line line_of(const Cores *c, bool of_a, int32_t edge) {
    const PartPair *p = &c->parts;
    const PolyhedronEdge *e = of_a ? &p->a->edge[edge] : &p->b->edge[edge];
    return of_a ? (Line){scr_vertex(p->a, e->vertex[0]), e->along, e->length}
                : (Line){scr_b_vertex(p, e->vertex[0]), scr_turn_from_b(p->pose, e->along),
                         e->length};
}

static Vec3 end_of(const Line *l) {
    return add_scaled(l->from, l->length, l->along);
}

/* Where two lines are nearest, if that is between the ends of both. With u and v along them and d
 * between their beginnings, (d + v t - u s) is across both. */
static bool cross_at(const Line *a, const Line *b, double *s, double *t) {
    Vec3 d = sub(b->from, a->from);
    double c = dot(a->along, b->along), sine = 1 - c * c;
    double along_a = dot(d, a->along), along_b = dot(d, b->along);
    if (sine <= PARALLEL_EDGES * PARALLEL_EDGES) {
        return false; /* then an end is as near */
    }
    *s = (along_a - c * along_b) / sine;
    *t = (c * along_a - along_b) / sine;
    return *s > 0 && *s<a->length && * t> 0 && *t < b->length;
}

/* The deepest of the ends of two edges, in the list; NULL: none is near. */
static Penetration *deepest_end(const Cores *c, int32_t edge_a, int32_t edge_b) {
    const Polyhedron *a = c->parts.a, *b = c->parts.b;
    Penetration *best = NULL;
    for (size_t i = c->first; i < c->found->list->count; i++) {
        Penetration *p = &c->found->list->item[i];
        int32_t of_a = scr_feature_a(p->feature), of_b = scr_feature_b(p->feature);
        bool is_end = false;
        for (int k = 0; k < 2; k++) {
            is_end = is_end ||
                     (of_b == last_element(b) &&
                      of_a == scr_vertex_element(a, a->edge[edge_a].vertex[k])) ||
                     (of_a == last_element(a) &&
                      of_b == scr_vertex_element(b, b->edge[edge_b].vertex[k]));
        }
        best = is_end && (best == NULL || p->gap < best->gap) ? p : best;
    }
    return best;
}

static bool meet_edges(const Cores *c, int32_t edge_a, const Line *la, int32_t edge_b) {
    const PartPair *p = &c->parts;
    const Line lb = line_of(c, false, edge_b);
    double s, t;
    if (!cross_at(la, &lb, &s, &t)) {
        return true;
    }
    Vec3 of_a = add_scaled(la->from, s, la->along), of_b = add_scaled(lb.from, t, lb.along);
    double distance = length(sub(of_b, of_a));
    if (!(distance < c->far && distance > 0)) {
        return true;
    }
    int32_t name = scr_feature(scr_edge_element(p->a, edge_a), scr_edge_element(p->b, edge_b));
    const Penetration at = between(of_a, of_b, distance, p->a->rounding, p->b->rounding, name);
    Penetration *end = deepest_end(c, edge_a, edge_b);
    if (end != NULL && !(at.gap < end->gap)) {
        return true;
    }
    if (end != NULL) {
        end->counted--;
    }
    return append(c->found, at);
}

static bool meet_all_edges(const Cores *c) {
    const PartPair *p = &c->parts;
    for (int32_t a = 0; a < p->a->edges; a++) {
        const Line la = line_of(c, true, a);
        if (!is_high(c, true, la.from) && !is_high(c, true, end_of(&la))) {
            continue;
        }
        for (int32_t b = 0; b < p->b->edges; b++) {
            const PolyhedronEdge *e = &p->b->edge[b];
            bool high = is_high(c, false, scr_b_vertex(p, e->vertex[0])) ||
                        is_high(c, false, scr_b_vertex(p, e->vertex[1]));
            if (high && !meet_edges(c, a, &la, b)) {
                return false;
            }
        }
    }
    return true;
}

/* Points that edges have taken off vanish, or count against the rest. */
static bool settle(const Cores *c) {
    Penetrations *l = c->found->list;
    const Found as_is = {NULL, l};
    size_t count = l->count, kept = c->first;
    for (size_t i = c->first; i < count; i++) {
        Penetration at = l->item[i];
        int32_t extra = -at.counted - 1; /* how often it is to be subtracted */
        at.surplus = extra > 0;
        at.counted = 0;
        for (int32_t k = 1; k < extra; k++) {
            if (!append(&as_is, at)) {
                return false;
            }
        }
        if (extra != 0) {
            l->item[kept++] = at;
        }
    }
    for (size_t i = count; i < l->count; i++) {
        l->item[kept++] = l->item[i];
    }
    l->count = kept;
    return true;
}

/* ---------------------------------------------------------------- two parts */

/* A plane across the shortest way between the cores parts them, so that what lies too far behind it is
 * too far from the other one. */
static bool meet_shaped(Cores *c, const PartDistance *d) {
    const PartPair *p = &c->parts;
    Vec3 n = c->normal = d->normal;
    double top = -INFINITY, slack = c->far - d->gap + 16 * p->round;
    for (int32_t v = 0; v < p->a->vertices; v++) {
        top = scr_max(top, dot(n, scr_vertex(p->a, v)));
    }
    c->height_a = top - slack;
    c->height_b = top + d->gap + slack;
    bool ball_a = p->a->vertices == 1, ball_b = p->b->vertices == 1;
    return (ball_b || meet_vertices(c, true)) && (ball_a || meet_vertices(c, false)) &&
           (ball_a || ball_b || meet_all_edges(c)) && settle(c);
}

static bool meet_balls(const Cores *c) {
    const PartPair *p = &c->parts;
    Vec3 of_a = scr_vertex(p->a, 0), of_b = scr_b_vertex(p, 0), d = sub(of_b, of_a);
    Touch touch = scr_touch_balls(d, p->a->rounding, p->b->rounding);
    double distance = touch.gap + (p->a->rounding + p->b->rounding);
    if (!(distance < c->far)) {
        return true;
    }
    double lever = p->a->rounding + 0.5 * touch.gap;
    const Penetration at = {
        .gap = touch.gap,
        .normal = touch.normal,
        .arm = add_scaled(of_a, lever, touch.normal),
        .feature = scr_feature(last_element(p->a), last_element(p->b)),
        .distance = distance,
        .lever = lever,
    };
    return append(c->found, at);
}

static ScreeStatus meet_parts(const Polyhedron *a, const Polyhedron *b, const RelativePose *pose,
                              double reach, const Found *found) {
    Cores c = {.parts = scr_part_pair(a, b, pose), .found = found, .first = found->list->count};
    c.far = a->rounding + b->rounding + reach;
    Vec3 d = sub(scr_point_from_b(pose, b->middle), a->middle);
    double within = a->extent + b->extent + c.far;
    if (dot(d, d) > within * within) {
        return SCREE_OK;
    }
    if (a->vertices == 1 && b->vertices == 1) {
        return meet_balls(&c) ? SCREE_OK : SCREE_NO_MEMORY;
    }
    const PartDistance distance = scr_part_distance(&c.parts, c.far);
    if (distance.are == PARTS_TOUCHING) {
        return SCREE_TOO_CROWDED;
    }
    return distance.are == PARTS_FAR || meet_shaped(&c, &distance) ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_penetrate_cores(const PlacedPair *p, double reach, Penetrations *list) {
    const PlacedSolid *a = p->solid[0], *b = p->solid[1];
    const RelativePose pose = scr_relative_pose(a, b, p->d);
    const Found found = {a, list};
    ScreeStatus status = SCREE_OK;
    for (int32_t i = 0; i < a->solid->parts && status == SCREE_OK; i++) {
        for (int32_t k = 0; k < b->solid->parts && status == SCREE_OK; k++) {
            status = meet_parts(&a->solid->part[i], &b->solid->part[k], &pose, reach, &found);
        }
    }
    return status;
}

/* ---------------------------------------------------------------- walls */

static bool meet_wall(const PlacedPair *p, const Polyhedron *part, double reach,
                      const Found *found) {
    for (int32_t v = 0; v < part->vertices; v++) {
        Vec3 x = scr_out_of_frame(p->solid[0], scr_vertex(part, v));
        Touch touch = scr_touch_wall(p->def, p->wall, add(p->seen, x), part->rounding);
        double lever = part->rounding + 0.5 * touch.gap;
        const Penetration at = {
            .gap = touch.gap,
            .normal = touch.normal,
            .arm = add_scaled(x, lever, touch.normal),
            .feature = scr_feature(scr_vertex_element(part, v), 0),
            .lever = lever,
        };
        if (touch.gap < reach && !append(found, at)) {
            return false;
        }
    }
    return true;
}

ScreeStatus scr_penetrate_wall(const PlacedPair *p, double reach, Penetrations *list) {
    const PlacedSolid *a = p->solid[0];
    const Found turned = {a, list}, as_is = {NULL, list};
    ScreeStatus status = SCREE_OK;
    for (int32_t i = 0; i < a->solid->parts && status == SCREE_OK; i++) {
        const Polyhedron *part = &a->solid->part[i];
        if (part->vertices > 1 && p->kind[1] == SURFACE_BLOCK) {
            const RelativePose pose = scr_relative_pose(a, p->solid[1], p->d);
            status = meet_parts(part, &p->solid[1]->solid->part[0], &pose, reach, &turned);
        } else {
            status = meet_wall(p, part, reach, &as_is) ? SCREE_OK : SCREE_NO_MEMORY;
        }
    }
    return status;
}
