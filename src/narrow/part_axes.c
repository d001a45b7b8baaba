#include "narrow/part_axes.h"

double scr_apart_along(const PartPair *p, Vec3 n) {
    int32_t a = scr_support(p->a, n, 0);
    int32_t b = scr_support(p->b, scr_turn_to_b(p->pose, scale(-1, n)), 0);
    return dot(n, sub(scr_b_vertex(p, b), scr_vertex(p->a, a)));
}

static void try_faces(const PartPair *p, PartAxis *best) {
    int32_t v = 0;
    for (int32_t f = 0; f < p->a->faces; f++) {
        const PolyhedronFace *face = &p->a->face[f];
        v = scr_support(p->b, scr_turn_to_b(p->pose, scale(-1, face->normal)), v);
        double gap = dot(face->normal, scr_b_vertex(p, v)) - face->offset;
        if (gap > best->gap) {
            *best = (PartAxis){gap, face->normal, {ELEMENT_FACE, ELEMENT_VERTEX, f, v}};
        }
    }
    v = 0;
    for (int32_t f = 0; f < p->b->faces; f++) {
        const PolyhedronFace *face = &p->b->face[f];
        Vec3 n = scr_turn_from_b(p->pose, scale(-1, face->normal));
        v = scr_support(p->a, n, v);
        double gap = dot(face->normal, scr_a_vertex(p, v)) - face->offset;
        if (gap > best->gap) {
            *best = (PartAxis){gap, n, {ELEMENT_VERTEX, ELEMENT_FACE, v, f}};
        }
    }
}

/* Whether the directions across both edges can lie in the arc between the normals of an edge's
 * faces: the other edge must rise above one of its faces and fall below the other. */
static bool arc_is_crossed(const Polyhedron *p, const PolyhedronEdge *e, Vec3 along) {
    if (e->face[0] < 0) {
        return true;
    }
    double one = dot(p->face[e->face[0]].normal, along);
    return !(one * dot(p->face[e->face[1]].normal, along) > 1e-20);
}

static void try_edges(const PartPair *p, PartAxis *best) {
    for (int32_t i = 0; i < p->a->edges; i++) {
        Vec3 along = scr_turn_to_b(p->pose, p->a->edge[i].along);
        for (int32_t j = 0; j < p->b->edges; j++) {
            const PolyhedronEdge *e = &p->b->edge[j];
            if (!arc_is_crossed(p->b, e, along) ||
                !arc_is_crossed(p->a, &p->a->edge[i], scr_turn_from_b(p->pose, e->along))) {
                continue;
            }
            const SightLimits all = {
                .low = -INFINITY, .high = INFINITY, .beyond = INFINITY, .tilt = 1};
            const FeaturePair pair = {ELEMENT_EDGE, ELEMENT_EDGE, i, j};
            FeatureSight s;
            if (scr_see_features(p, pair, &all, &s) && s.tilt <= s.blur && s.gap > best->gap) {
                *best = (PartAxis){s.gap, s.normal, pair};
            }
        }
    }
}

PartAxis scr_part_axis(const PartPair *p) {
    PartAxis best = {.gap = -INFINITY};
    try_faces(p, &best);
    try_edges(p, &best);
    return best;
}
