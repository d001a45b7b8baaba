#include "narrow/patch_points.h"

#include "narrow/part_level.h"
#include "narrow/patch_choice.h"
#include "narrow/smooth_places.h"

/* In parts of the smaller diameter: overlaps that are still seen, and feet outside of faces. */
static const double deepest = 0.1, over_face = 1e-9;

/* Sines: a direction so near to a face still belongs to its edge; how far a flank may be tilted. */
static const double at_edge = 1e-6, least_tilt = 0.1;

/* ---------------------------------------------------------------- two parts */

/* The surface, and the other part as it is seen from there. With two surfaces the first is a. */
typedef struct Sides {
    const PartPair *p;
    bool surface_is_a;
    const Polyhedron *part, *other;
    const Patchwork *surface;
} Sides;

static Sides sides_of(const PartPair *p) {
    bool is_a = scr_is_patchwork(p->a);
    const Polyhedron *part = is_a ? p->a : p->b;
    return (Sides){p, is_a, part, is_a ? p->b : p->a, part->smooth.patchwork};
}

static Vec3 point_in(const Sides *s, Vec3 x) {
    return s->surface_is_a ? scr_point_from_b(s->p->pose, x) : scr_point_to_b(s->p->pose, x);
}
static Vec3 turn_in(const Sides *s, Vec3 d) {
    return s->surface_is_a ? scr_turn_from_b(s->p->pose, d) : scr_turn_to_b(s->p->pose, d);
}
static Vec3 point_out(const Sides *s, Vec3 x) {
    return s->surface_is_a ? scr_point_to_b(s->p->pose, x) : scr_point_from_b(s->p->pose, x);
}
static Vec3 turn_out(const Sides *s, Vec3 d) {
    return s->surface_is_a ? scr_turn_to_b(s->p->pose, d) : scr_turn_from_b(s->p->pose, d);
}

/* ---------------------------------------------------------------- features of the other part */

static PatchPartner feature_partner(const Sides *s, ElementKind kind, int32_t number) {
    const Polyhedron *o = s->other;
    PatchPartner p = {.kind = PARTNER_POINT};
    if (kind == ELEMENT_FACE) {
        const PolyhedronFace *face = &o->face[number];
        p.kind = PARTNER_PLANE;
        p.along = turn_in(s, face->normal);
        p.at = point_in(s, scale(face->offset, face->normal));
    } else if (kind == ELEMENT_EDGE) {
        p.kind = PARTNER_LINE;
        p.along = turn_in(s, o->edge[number].along);
        p.at = point_in(s, scr_vertex(o, o->edge[number].vertex[0]));
    } else {
        p.at = point_in(s, scr_vertex(o, number));
    }
    return p;
}

/* A place of a smooth part: all of a superellipsoid; a cap, a rim or the side of a cone. */
static PatchPartner smooth_partner(const Sides *s, int32_t place) {
    const SmoothPart *part = &s->other->smooth;
    PatchPartner p = {.kind = PARTNER_SMOOTH,
                      .part = s->other,
                      .pose = s->p->pose,
                      .surface_is_a = s->surface_is_a};
    if (part->kind != SCREE_PART_CONE) {
        return p;
    }
    int cap = place == PLACE_CAP + 1 || place == PLACE_DEEPEST + 1 ? 1 : 0;
    Vec3 k = turn_in(s, part->axis[2]);
    p.at = point_in(s, scr_rim_point(part, cap, vec3(0, 0, 0)));
    if (place == PLACE_SIDE) {
        double across, along;
        scr_cone_side(part, &across, &along);
        p.kind = PARTNER_LINE;
        p.along = k;
        p.slope = -along;
        p.radius = part->form[0];
    } else if (place == PLACE_CAP || place == PLACE_CAP + 1) {
        p.kind = PARTNER_PLANE;
        p.along = scale(cap == 1 ? 1 : -1, k);
    } else {
        p.kind = PARTNER_RIM;
        p.rim = cap;
    }
    return p;
}

static PatchPartner partner_of(const Sides *s, int32_t element) {
    const Polyhedron *o = s->other;
    if (scr_is_patchwork(o)) {
        return (PatchPartner){.kind = PARTNER_PATCH,
                              .part = o,
                              .pose = s->p->pose,
                              .surface_is_a = s->surface_is_a,
                              .cell = scr_cell_of(o->smooth.patchwork, element)};
    }
    if (scr_is_smooth(o)) {
        return smooth_partner(s, element);
    }
    return element < o->vertices ? feature_partner(s, ELEMENT_VERTEX, element)
           : element < o->vertices + o->edges
               ? feature_partner(s, ELEMENT_EDGE, element - o->vertices)
               : feature_partner(s, ELEMENT_FACE, element - o->vertices - o->edges);
}

/* ---------------------------------------------------------------- whether a feature is met
 *
 * `out` is into the surface, from the feature, and x its point, in the frame of the other part. A flank
 * may lie off by a tilt. */

static bool is_in_cone(const Polyhedron *o, ElementKind kind, int32_t number, Vec3 out, Vec3 x,
                       double tilt, double size) {
    if (kind == ELEMENT_FACE) {
        return scr_beyond_face(o, number, x, 0) <= over_face * size;
    }
    if (kind == ELEMENT_EDGE) {
        const PolyhedronEdge *e = &o->edge[number];
        double along = dot(e->along, sub(x, scr_vertex(o, e->vertex[0])));
        return along >= 0 && along <= e->length && dot(out, e->inward[0]) <= tilt &&
               dot(out, e->inward[1]) <= tilt;
    }
    for (int32_t k = o->star_first[number]; k < o->star_first[number + 1]; k++) {
        const PolyhedronEdge *e = &o->edge[o->star_edge[k]];
        double s = dot(out, e->along);
        if ((e->vertex[0] == number ? s : -s) > tilt) {
            return false;
        }
    }
    return true;
}

/* The same of a cone: on a cap, between the rims, or beyond both cap and side. */
static bool is_on_cone(const SmoothPart *c, int32_t place, Vec3 out, Vec3 x) {
    Vec3 d = sub(x, c->centre);
    double up = dot(d, c->axis[2]), across, along;
    if (place == PLACE_CAP || place == PLACE_CAP + 1) {
        return length(add_scaled(d, -up, c->axis[2])) <= c->form[place - PLACE_CAP];
    }
    if (place == PLACE_SIDE) {
        return up >= 0 && up <= c->length;
    }
    /* normals of a rim lie between those of its cap and of the side */
    scr_cone_side(c, &across, &along);
    double height = dot(out, c->axis[2]);
    return place == PLACE_DEEPEST ? height <= along + at_edge : height >= along - at_edge;
}

/* ---------------------------------------------------------------- the list */

typedef struct Listing {
    Sides s;
    const LocalParts *parts;
    const PointRules *rules;
    double low, high, tilt; /* of gaps without roundings; sine */
    PatchChoice choice;
} Listing;

/* An overlap of more than half of what is there was not entered from that side. `into` leads into the other
 * part, from its point x, in its frame. */
static bool is_from_behind(const Listing *l, const PatchMeeting *m, int32_t cell, int32_t element,
                           Vec3 into, Vec3 x) {
    const Polyhedron *o = l->s.other;
    double depth = -m->gap, size = l->s.p->size;
    if (!(depth > 1e-3 * size + 2 * l->rules->motion)) {
        return false;
    }
    const Patchwork *other = scr_is_patchwork(o) ? o->smooth.patchwork : NULL;
    double thickness = other != NULL ? other->cell[scr_cell_of(other, element)].thickness
                                     : scr_part_thickness(o, x, into, over_face * size);
    return 2 * depth > l->s.surface->cell[cell].thickness + thickness;
}

static bool is_met(const Listing *l, const PatchMeeting *m, int32_t cell, int32_t element,
                   bool flank) {
    const Polyhedron *o = l->s.other;
    double tilt = flank ? l->tilt : at_edge;
    if (!scr_is_in_cells(m) || m->gap > l->high || m->gap < l->low || m->tilt > l->tilt) {
        return false;
    }
    Vec3 out = turn_out(&l->s, scale(-1, m->normal)), x = point_out(&l->s, m->on);
    bool met = true;
    if (o->smooth.kind == SCREE_PART_CONE) {
        met = is_on_cone(&o->smooth, element, out, x);
    } else if (!scr_is_smooth(o) && o->vertices > 1) {
        ElementKind kind;
        int32_t number;
        scr_kind_of_element(o, o->first_element + element, &kind, &number);
        met = is_in_cone(o, kind, number, out, x, tilt, l->s.p->size);
    }
    return met && !is_from_behind(l, m, cell, element, scale(-1, out), x);
}

static void try_meeting(Listing *l, int32_t cell, int32_t element, const PatchPartner *p) {
    double soft = scr_soft_limit(l->choice.size);
    PatchMeeting m = scr_meet_partner(l->s.surface, cell, p, -INFINITY);
    bool strict = m.soft > -1e-9 / l->choice.size && is_met(l, &m, cell, element, false);
    if (strict) {
        const ChosenMeeting own = {m, cell, element, false, false};
        scr_take_meeting(&l->choice, &own);
    }
    bool field = p->kind == PARTNER_PLANE || p->kind == PARTNER_PATCH;
    if (!field || (strict && m.soft > soft) || m.soft < -soft) {
        return;
    }
    m = scr_meet_partner(l->s.surface, cell, p, soft);
    if (m.soft <= soft && m.soft > -soft && is_met(l, &m, cell, element, true)) {
        const ChosenMeeting flank = {m, cell, element, true, false};
        scr_take_meeting(&l->choice, &flank);
    }
}

/* ---------------------------------------------------------------- which cells */

/* Whether a cell may meet a point, or a ball about it. */
static bool is_near(const Listing *l, const PatchCell *c, Vec3 x, double radius) {
    double far = c->extent + radius + scr_max(l->high, -l->low);
    Vec3 d = sub(x, c->middle);
    return dot(d, d) <= far * far;
}

static void try_face(Listing *l, const PatchCell *c, int32_t cell, int32_t f) {
    const Polyhedron *o = l->s.other;
    const PatchPartner p = feature_partner(&l->s, ELEMENT_FACE, f);
    double height = dot(p.along, sub(c->middle, p.at));
    if (height <= c->extent + l->high && height >= l->low - c->extent &&
        scr_cell_faces(c, scale(-1, p.along), 0)) {
        try_meeting(l, cell, o->vertices + o->edges + f, &p);
    }
}

/* A line meets a cell only where normals of the cell are across it. */
static void try_edge(Listing *l, const PatchCell *c, int32_t cell, int32_t e) {
    const PolyhedronEdge *edge = &l->s.other->edge[e];
    const PatchPartner p = feature_partner(&l->s, ELEMENT_EDGE, e);
    Vec3 d = sub(c->middle, p.at);
    double at = scr_min(scr_max(dot(d, p.along), 0), edge->length);
    if (edge->kind == EDGE_CONVEX && is_near(l, c, add_scaled(p.at, at, p.along), 0) &&
        fabs(dot(c->normal, p.along)) <= scr_sin(scr_min(c->turn + 0.15, 1.5))) {
        try_meeting(l, cell, l->s.other->vertices + e, &p);
    }
}

static void try_vertex(Listing *l, const PatchCell *c, int32_t cell, int32_t v) {
    const PatchPartner p = feature_partner(&l->s, ELEMENT_VERTEX, v);
    if (is_near(l, c, p.at, 0) && scr_cell_leads_to(c, c->normal, p.at, 0)) {
        try_meeting(l, cell, v, &p);
    }
}

static bool is_mute(const Listing *l, ElementKind kind, int32_t number) {
    return l->parts->mute[0] != NULL && l->parts->mute[kind][number];
}

static void try_polyhedron(Listing *l, int32_t cell) {
    const PatchCell *c = &l->s.surface->cell[cell];
    const Polyhedron *o = l->s.other;
    for (int32_t f = 0; f < o->faces; f++) {
        if (!is_mute(l, ELEMENT_FACE, f)) {
            try_face(l, c, cell, f);
        }
    }
    for (int32_t e = 0; e < o->edges; e++) {
        if (!is_mute(l, ELEMENT_EDGE, e)) {
            try_edge(l, c, cell, e);
        }
    }
    for (int32_t v = 0; v < o->vertices; v++) {
        if (!is_mute(l, ELEMENT_VERTEX, v) && (l->parts->sharp == NULL || l->parts->sharp[v])) {
            try_vertex(l, c, cell, v);
        }
    }
}

static void try_smooth(Listing *l, int32_t cell) {
    static const int32_t places[] = {PLACE_SIDE, PLACE_CAP, PLACE_CAP + 1, PLACE_DEEPEST,
                                     PLACE_DEEPEST + 1};
    const SmoothPart *part = &l->s.other->smooth;
    bool cone = part->kind == SCREE_PART_CONE;
    for (int k = 0; k < (cone ? 5 : 1); k++) {
        int32_t place = cone ? places[k] : PLACE_NEAREST;
        const PatchPartner p = smooth_partner(&l->s, place);
        bool none = cone && (place == PLACE_CAP || place == PLACE_CAP + 1) &&
                    part->form[place - PLACE_CAP] == 0;
        if (!none) {
            try_meeting(l, cell, place, &p);
        }
    }
}

/* Cell by cell, of those patches of the other surface that are near. */
static void try_patch(Listing *l, int32_t cell, int32_t patch, Vec3 middle, Vec3 down) {
    const PatchCell *c = &l->s.surface->cell[cell];
    const Patchwork *other = l->s.other->smooth.patchwork;
    int32_t each = other->lines * other->lines;
    for (int32_t k = patch * each; k < (patch + 1) * each; k++) {
        const PatchCell *o = &other->cell[k];
        double far = c->extent + o->extent + scr_max(l->high, -l->low);
        Vec3 d = sub(o->middle, middle);
        if (dot(d, d) <= far * far && scr_cell_faces(o, down, c->turn) &&
            scr_cell_leads_to(o, unit(add(o->normal, down)), middle, c->extent)) {
            const PatchPartner p = partner_of(&l->s, k);
            try_meeting(l, cell, k, &p);
        }
    }
}

static void try_patches(Listing *l, int32_t cell) {
    const PatchCell *c = &l->s.surface->cell[cell];
    const Patchwork *other = l->s.other->smooth.patchwork;
    Vec3 middle = point_out(&l->s, c->middle), down = turn_out(&l->s, scale(-1, c->normal));
    for (int32_t k = 0; k < other->patches; k++) {
        double far = c->extent + other->ball[k].extent + scr_max(l->high, -l->low);
        Vec3 d = sub(other->ball[k].middle, middle);
        if (dot(d, d) <= far * far) {
            try_patch(l, cell, k, middle, down);
        }
    }
}

/* ---------------------------------------------------------------- points */

/* A place in the frame of a. */
static FeaturePlace place_in_a(const Sides *s, const PatchMeeting *m) {
    if (s->surface_is_a) {
        return (FeaturePlace){m->gap, m->normal, add_scaled(m->on, -m->gap, m->normal)};
    }
    return (FeaturePlace){m->gap, scale(-1, scr_turn_from_b(s->p->pose, m->normal)),
                          scr_point_from_b(s->p->pose, m->on)};
}

static int32_t name_of(const Listing *l, const ChosenMeeting *m) {
    const Sides *s = &l->s;
    int32_t own = s->part->first_element + scr_cell_element(s->surface, m->cell, m->flank);
    if (l->parts->element[0] != NULL) {
        ElementKind kind;
        int32_t number;
        scr_kind_of_element(s->other, s->other->first_element + m->element, &kind, &number);
        return scr_patch_name(own, l->parts->names, l->parts->element[kind][number]);
    }
    int32_t other = s->other->first_element + m->element;
    return s->surface_is_a ? scr_feature(own, other) : scr_feature(other, own);
}

static bool is_there(const SolidPoints *points, size_t first, int32_t name) {
    for (size_t i = first; i < points->count; i++) {
        if (points->item[i].name == name) {
            return true;
        }
    }
    return false;
}

static bool put_points(const Listing *l, SolidPoints *points) {
    const PartPair *p = l->s.p;
    size_t first = points->count;
    bool ok = true;
    for (int32_t k = 0; k < l->choice.count && ok; k++) {
        const ChosenMeeting *m = &l->choice.item[k];
        const FeaturePlace at = place_in_a(&l->s, &m->met);
        int32_t name = name_of(l, m);
        double up = 0.5 * (at.gap + p->a->rounding - p->b->rounding);
        const SolidPoint point = {.gap = at.gap - p->a->rounding - p->b->rounding,
                                  .normal = at.normal,
                                  .middle = add_scaled(at.foot, up, at.normal),
                                  .near = ONE_PLACE * p->size,
                                  .name = name,
                                  .own = true,
                                  .strict = !m->flank,
                                  .within = at.gap < 0,
                                  .old = scr_is_old(l->rules->old, name)};
        if (!m->gone && point.gap <= l->rules->reach && !is_there(points, first, name)) {
            ok = scr_put_solid_point(points, &point);
        }
    }
    return ok;
}

ScreeStatus scr_patch_points(const LocalParts *parts, const PointRules *rules,
                             SolidPoints *points) {
    Listing l = {.s = sides_of(parts->now), .parts = parts, .rules = rules};
    const Polyhedron *o = l.s.other;
    l.choice.size = l.s.p->size;
    l.high = rules->reach + o->rounding;
    l.low = o->rounding -
            scr_max(deepest * l.choice.size, scr_min(2 * rules->motion, 0.5 * l.choice.size));
    l.low = scr_min(l.low, 0);
    l.tilt = scr_max(rules->tilt, least_tilt);
    Vec3 middle = point_in(&l.s, o->middle);
    for (int32_t k = 0; k < l.s.surface->cells; k++) {
        if (!is_near(&l, &l.s.surface->cell[k], middle, o->extent)) {
            continue;
        }
        if (scr_is_patchwork(o)) {
            try_patches(&l, k);
        } else if (scr_is_smooth(o)) {
            try_smooth(&l, k);
        } else {
            try_polyhedron(&l, k);
        }
    }
    scr_choose_meetings(&l.choice);
    return put_points(&l, points) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- one point again */

PatchName scr_patch_name_of(const PartPair *p, int32_t feature) {
    int32_t a = scr_feature_a(feature) - p->a->first_element,
            b = scr_feature_b(feature) - p->b->first_element;
    return scr_is_patchwork(p->a) ? (PatchName){a, b} : (PatchName){b, a};
}

FeaturePlace scr_place_patch(const PartPair *p, PatchName name, Vec3 normal) {
    const Sides s = sides_of(p);
    const NamedMeeting again = {
        .surface = s.surface,
        .cell = scr_cell_of(s.surface, name.of_surface),
        .flank = scr_is_flank_element(s.surface, name.of_surface),
        .normal = s.surface_is_a ? normal : scr_turn_to_b(p->pose, scale(-1, normal)),
        .size = p->size};
    const PatchMeeting m = scr_meet_again(&again, partner_of(&s, name.of_other));
    return place_in_a(&s, &m);
}
