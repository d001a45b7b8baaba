#include "narrow/smooth_local.h"

#include "narrow/point_sight.h"
#include "narrow/smooth_places.h"
#include "narrow/smooth_points.h"
#include "shape/simple_solids.h"

/* In parts of the smaller diameter. */
static const double over_face = 1e-9; /* feet may lie this much outside of faces */
static const double hollow = 0.01;    /* see SightLimits */
static const double deepest = 0.1;    /* overlaps that are still seen */

/* Sines. */
static const double at_edge = 1e-6;   /* a direction so near to a face still belongs to its edge */
static const double least_tilt = 0.1; /* of a cap: see smooth_points.c */

/* ---------------------------------------------------------------- two parts */

/* The smooth part and the faceted one, each seen from the other. */
typedef struct Facing {
    const PartPair *p;
    bool smooth_is_a;
    const Polyhedron *smooth, *facets;
} Facing;

static Facing facing(const PartPair *p) {
    bool is_a = scr_is_smooth(p->a);
    return (Facing){p, is_a, is_a ? p->a : p->b, is_a ? p->b : p->a};
}

/* Of the facets' frame in that of the smooth part, and the other way. */
static Vec3 turn_to_smooth(const Facing *f, Vec3 d) {
    return f->smooth_is_a ? scr_turn_from_b(f->p->pose, d) : scr_turn_to_b(f->p->pose, d);
}
static Vec3 point_to_facets(const Facing *f, Vec3 x) {
    return f->smooth_is_a ? scr_point_to_b(f->p->pose, x) : scr_point_from_b(f->p->pose, x);
}

/* A place over a face. */
static FeaturePlace place_on_face(const Facing *f, int32_t place, const PolyhedronFace *face) {
    Vec3 down = scale(-1, turn_to_smooth(f, face->normal));
    Vec3 own = scr_place_at_plane(&f->smooth->smooth, place, down), x = point_to_facets(f, own);
    double gap = dot(face->normal, x) - face->offset;
    return f->smooth_is_a ? (FeaturePlace){gap, down, own}
                          : (FeaturePlace){gap, face->normal, add_scaled(x, -gap, face->normal)};
}

/* An edge or a vertex as a part of its own. */
static void take_feature(const Polyhedron *p, ElementKind kind, int32_t number, FeaturePart *f) {
    if (kind == ELEMENT_EDGE) {
        const PolyhedronEdge *e = &p->edge[number];
        scr_line_part(scr_vertex(p, e->vertex[0]), scr_vertex(p, e->vertex[1]), f);
    } else {
        scr_point_part(scr_vertex(p, number), f);
    }
}

static PartPair pair_with(const Facing *f, const FeaturePart *feature) {
    return f->smooth_is_a ? scr_part_pair(f->smooth, &feature->part, f->p->pose)
                          : scr_part_pair(&feature->part, f->smooth, f->p->pose);
}

FeaturePlace scr_place_smooth_local(const PartPair *p, SmoothName name, Vec3 normal, bool here) {
    const Facing f = facing(p);
    if (name.kind == ELEMENT_FACE) {
        return place_on_face(&f, scr_plain_place(name.place), &f.facets->face[name.number]);
    }
    FeaturePart feature;
    take_feature(f.facets, name.kind, name.number, &feature);
    const PartPair pair = pair_with(&f, &feature);
    int32_t own = f.smooth->first_element + name.place, of = name.kind == ELEMENT_EDGE ? 2 : 0;
    int32_t id = f.smooth_is_a ? scr_feature(own, of) : scr_feature(of, own);
    return here ? scr_smooth_here(&pair, id, normal) : scr_place_smooth(&pair, id, normal);
}

/* ---------------------------------------------------------------- the list */

typedef struct Listing {
    Facing f;
    const LocalParts *parts;
    LaterPose *later;
    const PointRules *rules;
    double tilt, low; /* gaps below that are not seen */
    size_t first;     /* of the points of these parts */
    SolidPoints *points;
    bool failed;
} Listing;

static bool is_mute(const Listing *l, ElementKind kind, int32_t number) {
    return l->parts->mute[0] != NULL && l->parts->mute[kind][number];
}

static int32_t name_of(const Listing *l, SmoothName n) {
    int32_t own = l->f.smooth->first_element + n.place;
    if (l->parts->element[0] != NULL) {
        return scr_patch_name(own, l->parts->names, l->parts->element[n.kind][n.number]);
    }
    int32_t other = scr_element_of(l->f.facets, n.kind, n.number);
    return l->f.smooth_is_a ? scr_feature(own, other) : scr_feature(other, own);
}

static bool is_there(const Listing *l, int32_t name) {
    for (size_t i = l->first; i < l->points->count; i++) {
        if (l->points->item[i].name == name) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- faces */

static void put_on_face(Listing *l, int32_t f, int32_t place) {
    const Facing *side = &l->f;
    const PolyhedronFace *face = &side->facets->face[f];
    const FeaturePlace at = place_on_face(side, place, face);
    const SmoothName n = {place, ELEMENT_FACE, f};
    double rounding = side->smooth->rounding, size = side->p->size, gap = at.gap - rounding;
    Vec3 x = side->smooth_is_a ? scr_point_to_b(side->p->pose, at.foot)
                               : add_scaled(at.foot, at.gap, at.normal);
    if (gap > l->rules->reach || gap < l->low ||
        scr_beyond_face(side->facets, f, x, hollow * size) > over_face * size) {
        return;
    }
    int32_t name = name_of(l, n);
    double up = 0.5 * (side->smooth_is_a ? at.gap + rounding : at.gap - rounding);
    const SolidPoint point = {.gap = gap,
                              .normal = at.normal,
                              .middle = add_scaled(at.foot, up, at.normal),
                              .near = ONE_PLACE * size,
                              .name = name,
                              .own = true,
                              .strict = true,
                              .within = at.gap < 0,
                              .old = scr_is_old(l->rules->old, name)};
    if (!is_there(l, name)) {
        l->failed = l->failed || !scr_put_solid_point(l->points, &point);
    }
}

/* How the smooth part is expected to move over a face, in its own frame. */
static Vec3 way_along(const Listing *l, Vec3 down) {
    const PlacedSolid *placed = l->f.smooth_is_a ? l->later->a : l->later->b;
    Vec3 shift = l->later->motion->shift;
    Vec3 own = scale(l->f.smooth_is_a ? -1 : 1, scr_into_frame(placed, shift));
    Vec3 along = add_scaled(own, -dot(own, down), down);
    return length(along) > 1e-6 * length(shift) ? along : vec3(0, 0, 0);
}

/* A body is on the side where its middle is. */
static void try_face(Listing *l, int32_t f, Vec3 middle) {
    const PolyhedronFace *face = &l->f.facets->face[f];
    double height = dot(face->normal, middle) - face->offset;
    double farthest = l->f.smooth->extent + l->f.smooth->rounding + l->rules->reach;
    if (height <= 0 || height > farthest || is_mute(l, ELEMENT_FACE, f)) {
        return;
    }
    OverPlane over = {.part = l->f.smooth,
                      .down = scale(-1, turn_to_smooth(&l->f, face->normal)),
                      .tilt = l->rules->tilt};
    over.way = way_along(l, over.down);
    int32_t place[MOST_PLANE_PLACES];
    int count = scr_places_at_plane(&over, place);
    for (int k = 0; k < count; k++) {
        put_on_face(l, f, place[k]);
    }
}

/* ---------------------------------------------------------------- edges and vertices */

/* How far a direction, out of a feature, leads towards a face or an edge beside it: where that is more
 * than nothing, it is nearer than the feature. */
static double leads_beside(const Polyhedron *p, ElementKind kind, int32_t number, Vec3 out) {
    double most = -1;
    if (kind == ELEMENT_EDGE) {
        const PolyhedronEdge *e = &p->edge[number];
        return scr_max(dot(out, e->inward[0]), dot(out, e->inward[1]));
    }
    for (int32_t k = p->star_first[number]; k < p->star_first[number + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        double s = dot(out, e->along);
        most = scr_max(most, e->vertex[0] == number ? s : -s);
    }
    return most;
}

/* The feature of the whole that an element of the line or the point stands for. */
static SmoothName whole_name(const Listing *l, SmoothName n, int32_t name) {
    int32_t a = scr_feature_a(name), b = scr_feature_b(name);
    int32_t of = l->f.smooth_is_a ? b : a;
    n.place = (l->f.smooth_is_a ? a : b) - l->f.smooth->first_element;
    if (n.kind == ELEMENT_EDGE && of < 2 && n.place != PLACE_NEAREST) {
        n.number = l->f.facets->edge[n.number].vertex[of];
        n.kind = ELEMENT_VERTEX;
    }
    return n;
}

/* The points that a feature has by itself, in place: those that count stay, with their names. */
static void keep_points(Listing *l, SmoothName of, size_t first) {
    size_t kept = first, last = l->points->count;
    l->points->count = first;
    for (size_t i = first; i < last; i++) {
        SolidPoint p = l->points->item[i];
        const SmoothName n = whole_name(l, of, p.name);
        /* from the feature to the smooth part */
        Vec3 normal =
            l->f.smooth_is_a ? scr_turn_to_b(l->f.p->pose, scale(-1, p.normal)) : p.normal;
        double beside = leads_beside(l->f.facets, n.kind, n.number, normal);
        p.name = name_of(l, n);
        p.old = scr_is_old(l->rules->old, p.name);
        if (beside <= (n.place == PLACE_NEAREST ? at_edge : l->tilt) && p.gap >= l->low &&
            !is_there(l, p.name)) {
            l->points->item[kept++] = p;
            l->points->count = kept;
        }
    }
}

/* Whether a feature is too far away, or too deep, all of it: from its middle the distance changes by no more than its
 * length. What is asked costs less than the points only where there is a formula for it. */
static bool is_out_of_sight(const Listing *l, const FeaturePart *feature) {
    const Polyhedron *smooth = l->f.smooth;
    if (smooth->smooth.kind != SCREE_PART_CONE && !scr_is_plain_ellipsoid(&smooth->smooth)) {
        return false;
    }
    Vec3 middle = l->f.smooth_is_a ? scr_point_from_b(l->f.p->pose, feature->part.middle)
                                   : scr_point_to_b(l->f.p->pose, feature->part.middle);
    double gap = scr_point_sight(smooth, middle).gap - smooth->rounding;
    double within = feature->part.extent + 1e-9 * smooth->extent;
    return gap > l->rules->reach + within || gap < l->low - within;
}

static void try_feature(Listing *l, ElementKind kind, int32_t number, Vec3 middle) {
    const Polyhedron *smooth = l->f.smooth;
    FeaturePart feature;
    take_feature(l->f.facets, kind, number, &feature);
    double far = smooth->extent + smooth->rounding + l->rules->reach;
    Vec3 d = sub(middle, feature.part.middle);
    if (kind == ELEMENT_EDGE) { /* the nearest point of the line */
        double s = dot(d, feature.edge.along), half = feature.part.extent;
        d = add_scaled(d, -scr_min(scr_max(s, -half), half), feature.edge.along);
    }
    if (dot(d, d) > far * far || is_mute(l, kind, number) || l->failed ||
        is_out_of_sight(l, &feature)) {
        return;
    }
    const PartPair pair = pair_with(&l->f, &feature);
    PointRules rules = *l->rules;
    rules.old = (OldPoints){NULL, 0};
    size_t first = l->points->count;
    l->failed = scr_smooth_points(&pair, l->later, &rules, l->points) != SCREE_OK;
    keep_points(l, (SmoothName){PLACE_NEAREST, kind, number}, first);
}

/* ---------------------------------------------------------------- the whole */

ScreeStatus scr_smooth_local_points(const LocalParts *parts, LaterPose *later,
                                    const PointRules *rules, SolidPoints *points) {
    Listing l = {.f = facing(parts->now),
                 .parts = parts,
                 .later = later,
                 .rules = rules,
                 .tilt = scr_max(rules->tilt, least_tilt),
                 .first = points->count,
                 .points = points};
    const Polyhedron *p = l.f.facets;
    double size = 2 * (l.f.smooth->extent + l.f.smooth->rounding);
    size = parts->element[0] == NULL ? scr_min(size, 2 * p->extent) : size; /* else it is a patch */
    l.low = -scr_max(deepest * size, scr_min(2 * rules->motion, 0.5 * size));
    Vec3 middle = point_to_facets(&l.f, l.f.smooth->middle);
    for (int32_t f = 0; f < p->faces; f++) {
        try_face(&l, f, middle);
    }
    for (int32_t e = 0; e < p->edges; e++) {
        if (p->edge[e].kind == EDGE_CONVEX) {
            try_feature(&l, ELEMENT_EDGE, e, middle);
        }
    }
    for (int32_t v = 0; v < p->vertices; v++) {
        if (parts->sharp == NULL || parts->sharp[v]) {
            try_feature(&l, ELEMENT_VERTEX, v, middle);
        }
    }
    return l.failed ? SCREE_NO_MEMORY : SCREE_OK;
}
