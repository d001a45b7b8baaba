#include "narrow/local_list.h"

#include <string.h>

void scr_local_work_free(LocalWork *w) {
    SCR_FREE_BLOCKS(&w->vertex_block, &w->near_block, &w->box_block, &w->done_block, &w->rank_block,
                    &w->teller_block);
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

/* Whether a box reaches from one side of a plane to the other, or comes so near to it. */
static bool is_level(const LocalBox *b, const PolyhedronFace *f, double far) {
    Vec3 n = f->normal;
    double low = n.x * (n.x < 0 ? b->high.x : b->low.x) + n.y * (n.y < 0 ? b->high.y : b->low.y) +
                 n.z * (n.z < 0 ? b->high.z : b->low.z) - f->offset;
    double high = n.x * (n.x < 0 ? b->low.x : b->high.x) + n.y * (n.y < 0 ? b->low.y : b->high.y) +
                  n.z * (n.z < 0 ? b->low.z : b->high.z) - f->offset;
    return low <= far && high >= -far;
}

/* ---------------------------------------------------------------- the probe
 *
 * Features that follow one another in a mesh mostly lie beside one another, too: bunches of them are passed over at
 * once. */

enum { BUNCH = 8 };

static int32_t feature_count(const Polyhedron *p, ElementKind kind) {
    return kind == ELEMENT_VERTEX ? p->vertices : kind == ELEMENT_EDGE ? p->edges : p->faces;
}

static bool make_room(Listing *l) {
    LocalWork *w = l->work;
    const Polyhedron *p = l->probe;
    size_t all = 0, boxes = 0;
    for (ElementKind kind = ELEMENT_VERTEX; kind <= ELEMENT_FACE; kind++) {
        size_t count = (size_t)feature_count(p, kind);
        all += count;
        boxes += count + count / BUNCH + 1;
    }
    size_t done = (size_t)l->base->vertices + (size_t)l->base->edges;
    if (!SCR_RESERVE(w, vertex, (size_t)p->vertices) || !SCR_RESERVE(w, done, done) ||
        !scr_block_reserve(&w->near_block, all, sizeof(int32_t), 0) ||
        !scr_block_reserve(&w->box_block, boxes, sizeof(LocalBox), 0)) {
        return false;
    }
    memset(w->done, 0, done);
    int32_t *near = w->near_block.data;
    LocalBox *box = w->box_block.data;
    for (ElementKind kind = ELEMENT_VERTEX; kind <= ELEMENT_FACE; kind++) {
        int32_t count = feature_count(p, kind);
        w->near[kind] = near;
        w->box[kind] = box;
        w->bunch[kind] = box + count;
        near += count;
        box += count + count / BUNCH + 1;
    }
    return true;
}

static LocalBox box_of_feature(const Listing *l, ElementKind kind, int32_t k) {
    const Polyhedron *p = l->probe;
    const Vec3 *vertex = l->work->vertex;
    LocalBox box = no_box;
    if (kind == ELEMENT_VERTEX) {
        widen(&box, vertex[k]);
    } else if (kind == ELEMENT_EDGE) {
        widen(&box, vertex[p->edge[k].vertex[0]]);
        widen(&box, vertex[p->edge[k].vertex[1]]);
    } else {
        for (int32_t i = p->face[k].first; i < p->face[k].first + p->face[k].count; i++) {
            widen(&box, vertex[p->loop_vertex[i]]);
        }
    }
    return box;
}

static void place_probe(Listing *l) {
    const PartPair *now = l->parts->now;
    LocalWork *w = l->work;
    l->probe_box = no_box;
    for (int32_t v = 0; v < l->probe->vertices; v++) {
        w->vertex[v] = l->parts->base_is_a ? scr_b_vertex(now, v) : scr_a_vertex(now, v);
        widen(&l->probe_box, w->vertex[v]);
    }
    for (ElementKind kind = ELEMENT_VERTEX; kind <= ELEMENT_FACE; kind++) {
        for (int32_t k = 0; k < feature_count(l->probe, kind); k++) {
            LocalBox *bunch = &w->bunch[kind][k / BUNCH];
            *bunch = k % BUNCH == 0 ? no_box : *bunch;
            w->box[kind][k] = box_of_feature(l, kind, k);
            widen(bunch, w->box[kind][k].low);
            widen(bunch, w->box[kind][k].high);
        }
    }
}

/* Whether some of a feature's vertices are so low over a face, and some so high, that there may be a
 * point beside it. */
static bool spans(const Listing *l, const PolyhedronFace *face, ElementKind kind, int32_t k) {
    const Polyhedron *p = l->probe;
    const int32_t *vertex = &k;
    int32_t count = 1;
    if (kind == ELEMENT_EDGE) {
        vertex = p->edge[k].vertex;
        count = 2;
    } else if (kind == ELEMENT_FACE) {
        vertex = p->loop_vertex + p->face[k].first;
        count = p->face[k].count;
    }
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double height = dot(face->normal, l->work->vertex[vertex[i]]) - face->offset;
        low = scr_min(low, height);
        high = scr_max(high, height);
    }
    return low <= l->far && high >= -l->far;
}

/* The features beside a face of the base, in the order of their numbers. */
static void collect(const Listing *l, const PolyhedronFace *face, const LocalBox *around) {
    LocalWork *w = l->work;
    for (ElementKind kind = ELEMENT_VERTEX; kind <= ELEMENT_FACE; kind++) {
        int32_t count = feature_count(l->probe, kind), found = 0;
        for (int32_t first = 0; first < count; first += BUNCH) {
            const LocalBox *bunch = &w->bunch[kind][first / BUNCH];
            int32_t end = !are_near(bunch, around, l->far) || !is_level(bunch, face, l->far) ? first
                          : first + BUNCH < count ? first + BUNCH
                                                  : count;
            for (int32_t k = first; k < end; k++) {
                if (are_near(&w->box[kind][k], around, l->far) && spans(l, face, kind, k)) {
                    w->near[kind][found++] = k;
                }
            }
        }
        w->near_count[kind] = found;
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
        if (are_near(&w->box[ELEMENT_EDGE][of_probe], &box, l->far) &&
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
    if (!are_near(&box, &l->probe_box, l->far) || !is_level(&l->probe_box, &p->face[f], l->far)) {
        return true;
    }
    collect(l, &p->face[f], &box);
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
