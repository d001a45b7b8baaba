#include "narrow/local_list.h"

#include <string.h>

void scr_local_work_free(LocalWork *w) {
    SCR_FREE_BLOCKS(&w->vertex_block, &w->height_block, &w->near_block, &w->edge_block,
                    &w->done_block, &w->rank_block);
    *w = (LocalWork){0};
}

typedef struct Listing {
    const LocalParts *parts;
    const Polyhedron *base, *probe;
    const SightLimits *limits;
    double far; /* features farther apart than this are not looked at */
    LocalBox probe_box;
    LocalWork *work;
    SolidPoints *points;
} Listing;

/* ---------------------------------------------------------------- boxes */

static const LocalBox no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void widen(LocalBox *b, Vec3 x) {
    b->low = vec3(scr_min(b->low.x, x.x), scr_min(b->low.y, x.y), scr_min(b->low.z, x.z));
    b->high = vec3(scr_max(b->high.x, x.x), scr_max(b->high.y, x.y), scr_max(b->high.z, x.z));
}

static bool are_near(const LocalBox *a, const LocalBox *b, double far) {
    return a->low.x <= b->high.x + far && b->low.x <= a->high.x + far &&
           a->low.y <= b->high.y + far && b->low.y <= a->high.y + far &&
           a->low.z <= b->high.z + far && b->low.z <= a->high.z + far;
}

static LocalBox box_of_face(const Polyhedron *p, int32_t f) {
    LocalBox box = no_box;
    for (int32_t k = p->face[f].first; k < p->face[f].first + p->face[f].count; k++) {
        widen(&box, scr_vertex(p, p->loop_vertex[k]));
    }
    return box;
}

/* ---------------------------------------------------------------- the probe */

static bool make_room(Listing *l) {
    LocalWork *w = l->work;
    const Polyhedron *p = l->probe;
    size_t all = (size_t)p->vertices + (size_t)p->edges + (size_t)p->faces;
    size_t done = (size_t)l->base->vertices + (size_t)l->base->edges;
    if (!SCR_RESERVE(w, vertex, (size_t)p->vertices) ||
        !SCR_RESERVE(w, height, (size_t)p->vertices) ||
        !SCR_RESERVE(w, edge, (size_t)p->edges + 1) || !SCR_RESERVE(w, done, done) ||
        !scr_block_reserve(&w->near_block, all, sizeof(int32_t), 0)) {
        return false;
    }
    memset(w->done, 0, done);
    w->near[ELEMENT_VERTEX] = w->near_block.data;
    w->near[ELEMENT_EDGE] = w->near[ELEMENT_VERTEX] + p->vertices;
    w->near[ELEMENT_FACE] = w->near[ELEMENT_EDGE] + p->edges;
    return true;
}

static void place_probe(Listing *l) {
    const PartPair *now = l->parts->now;
    LocalWork *w = l->work;
    l->probe_box = no_box;
    for (int32_t v = 0; v < l->probe->vertices; v++) {
        w->vertex[v] = l->parts->base_is_a ? scr_b_vertex(now, v) : scr_a_vertex(now, v);
        widen(&l->probe_box, w->vertex[v]);
    }
    for (int32_t e = 0; e < l->probe->edges; e++) {
        w->edge[e] = no_box;
        widen(&w->edge[e], w->vertex[l->probe->edge[e].vertex[0]]);
        widen(&w->edge[e], w->vertex[l->probe->edge[e].vertex[1]]);
    }
}

/* Whether some of the probe's vertices are so low over a face, and some so high, that there may be a
 * point beside it. */
static bool spans(const LocalWork *w, const int32_t *vertex, int32_t count, double far) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t k = 0; k < count; k++) {
        low = scr_min(low, w->height[vertex[k]]);
        high = scr_max(high, w->height[vertex[k]]);
    }
    return low <= far && high >= -far;
}

static bool measure_heights(const Listing *l, int32_t f) {
    const PolyhedronFace *face = &l->base->face[f];
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < l->probe->vertices; v++) {
        double h = dot(face->normal, l->work->vertex[v]) - face->offset;
        l->work->height[v] = h;
        low = scr_min(low, h);
        high = scr_max(high, h);
    }
    return low <= l->far && high >= -l->far;
}

static void collect(const Listing *l, const LocalBox *box) {
    LocalWork *w = l->work;
    const Polyhedron *p = l->probe;
    w->near_count[0] = w->near_count[1] = w->near_count[2] = 0;
    for (int32_t v = 0; v < p->vertices; v++) {
        const LocalBox point = {w->vertex[v], w->vertex[v]};
        if (fabs(w->height[v]) <= l->far && are_near(&point, box, l->far)) {
            w->near[ELEMENT_VERTEX][w->near_count[ELEMENT_VERTEX]++] = v;
        }
    }
    for (int32_t e = 0; e < p->edges; e++) {
        if (spans(w, p->edge[e].vertex, 2, l->far) && are_near(&w->edge[e], box, l->far)) {
            w->near[ELEMENT_EDGE][w->near_count[ELEMENT_EDGE]++] = e;
        }
    }
    for (int32_t f = 0; f < p->faces; f++) {
        if (spans(w, p->loop_vertex + p->face[f].first, p->face[f].count, l->far)) {
            w->near[ELEMENT_FACE][w->near_count[ELEMENT_FACE]++] = f;
        }
    }
}

/* ---------------------------------------------------------------- pairs */

static int32_t name_of(const LocalParts *p, FeaturePair f) {
    if (p->element[0] == NULL) {
        return scr_name_of_pair(p->now, f);
    }
    return scr_patch_name(scr_element_of(p->now->a, f.kind_a, f.a), p->names,
                          p->element[f.kind_b][f.b]);
}

static bool list_pair(Listing *l, ElementKind own, int32_t of_base, ElementKind other,
                      int32_t of_probe) {
    FeaturePair pair = {other, own, of_probe, of_base};
    if (l->parts->base_is_a) {
        pair = (FeaturePair){own, other, of_base, of_probe};
    }
    FeatureSight sight;
    if (!scr_see_features(l->parts->now, pair, l->limits, &sight)) {
        return true;
    }
    LocalWork *w = l->work;
    if (!SCR_RESERVE_KEEPING(l->points, seen, w->seen + 1, w->seen)) {
        return false;
    }
    l->points->seen[w->seen++] =
        (SeenPair){.name = name_of(l->parts, pair), .pair = pair, .now.gap = sight.gap};
    return true;
}

static bool list_with(Listing *l, ElementKind own, int32_t of_base, ElementKind other) {
    for (int32_t k = 0; k < l->work->near_count[other]; k++) {
        if (!list_pair(l, own, of_base, other, l->work->near[other][k])) {
            return false;
        }
    }
    return true;
}

static bool list_edge(Listing *l, int32_t e) {
    const PolyhedronEdge *edge = &l->base->edge[e];
    LocalWork *w = l->work;
    uint8_t *done = &w->done[l->base->vertices + e];
    if (*done || edge->kind != EDGE_CONVEX) {
        return true;
    }
    *done = 1;
    LocalBox box = no_box;
    widen(&box, scr_vertex(l->base, edge->vertex[0]));
    widen(&box, scr_vertex(l->base, edge->vertex[1]));
    for (int32_t k = 0; k < w->near_count[ELEMENT_EDGE]; k++) {
        int32_t of_probe = w->near[ELEMENT_EDGE][k];
        if (are_near(&w->edge[of_probe], &box, l->far) &&
            !list_pair(l, ELEMENT_EDGE, e, ELEMENT_EDGE, of_probe)) {
            return false;
        }
    }
    return list_with(l, ELEMENT_EDGE, e, ELEMENT_VERTEX);
}

static bool list_vertex(Listing *l, int32_t v) {
    if (l->work->done[v] || (l->parts->sharp != NULL && !l->parts->sharp[v])) {
        return true;
    }
    l->work->done[v] = 1;
    return list_with(l, ELEMENT_VERTEX, v, ELEMENT_FACE) &&
           list_with(l, ELEMENT_VERTEX, v, ELEMENT_EDGE) &&
           list_with(l, ELEMENT_VERTEX, v, ELEMENT_VERTEX);
}

static bool list_face(Listing *l, int32_t f) {
    const Polyhedron *p = l->base;
    const LocalBox box = box_of_face(p, f);
    if (!are_near(&box, &l->probe_box, l->far) || !measure_heights(l, f)) {
        return true;
    }
    collect(l, &box);
    if (!list_with(l, ELEMENT_FACE, f, ELEMENT_VERTEX)) {
        return false;
    }
    for (int32_t k = p->face[f].first; k < p->face[f].first + p->face[f].count; k++) {
        if (!list_edge(l, p->loop_edge[k]) || !list_vertex(l, p->loop_vertex[k])) {
            return false;
        }
    }
    return true;
}

double scr_local_far(const PartPair *now, const SightLimits *limits) {
    double beyond = scr_max(limits->hollow, scr_max(limits->beyond, limits->region));
    return scr_max(limits->high, -limits->low) + 2 * (limits->slide + beyond) + 10 * now->round;
}

bool scr_list_local(const LocalParts *parts, const SightLimits *limits, LocalWork *work,
                    SolidPoints *points) {
    const PartPair *now = parts->now;
    Listing l = {.parts = parts,
                 .base = parts->base_is_a ? now->a : now->b,
                 .probe = parts->base_is_a ? now->b : now->a,
                 .limits = limits,
                 .work = work,
                 .points = points};
    l.far = scr_local_far(now, limits);
    work->seen = 0;
    if (!make_room(&l)) {
        return false;
    }
    place_probe(&l);
    for (int32_t f = 0; f < l.base->faces; f++) {
        if (!list_face(&l, f)) {
            return false;
        }
    }
    return true;
}
