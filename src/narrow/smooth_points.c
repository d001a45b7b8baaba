#include "narrow/smooth_points.h"

#include "narrow/common_normal.h"
#include "narrow/normal_look.h"
#include "narrow/smooth_lines.h"
#include "narrow/smooth_places.h"
#include "narrow/smooth_start.h"
#include "narrow/support_set.h"

/* ---------------------------------------------------------------- two parts, each seen from the other */

/* One part with what it shows its partner. `n` is outwards, in its own frame. */
typedef struct Shown {
    const PartPair *p;
    bool is_b;
    const Polyhedron *part;
    Vec3 n;
    SupportSet set;
} Shown;

static Vec3 to_own(const Shown *s, Vec3 x) {
    return s->is_b ? scr_point_to_b(s->p->pose, x) : x;
}
static Vec3 from_own(const Shown *s, Vec3 x) {
    return s->is_b ? scr_point_from_b(s->p->pose, x) : x;
}
static Vec3 turn_from_own(const Shown *s, Vec3 d) {
    return s->is_b ? scr_turn_from_b(s->p->pose, d) : d;
}

static Shown shown(const PartPair *p, bool is_b, Vec3 n) {
    Shown s = {.p = p, .is_b = is_b, .part = is_b ? p->b : p->a};
    s.n = is_b ? scr_turn_to_b(p->pose, scale(-1, n)) : n;
    return s;
}

/* The point of an element of a part, in its own frame. */
static Vec3 point_of(const Shown *s, int32_t number) {
    const SmoothPart *cone = &s->part->smooth;
    if (!scr_is_smooth(s->part)) {
        return scr_vertex(s->part, number);
    }
    if (number >= PLACE_RIM) {
        int k = number - PLACE_RIM;
        return scr_fixed_rim_point(cone, k / RIM_POINTS, k % RIM_POINTS);
    }
    return scr_rim_support(cone, number - PLACE_DEEPEST, s->n);
}

/* ---------------------------------------------------------------- flat places */

/* The plane of a face or a cap; false: the element is neither. */
static bool plane_of(const Polyhedron *p, int32_t number, Vec3 *normal, double *offset) {
    if (!scr_is_smooth(p)) {
        int32_t f = number - p->vertices - p->edges;
        if (f >= 0) {
            *normal = p->face[f].normal;
            *offset = p->face[f].offset;
        }
        return f >= 0;
    }
    int cap = number - PLACE_CAP;
    if (cap != 0 && cap != 1) {
        return false;
    }
    *normal = scale(cap == 1 ? 1 : -1, p->smooth.axis[2]);
    *offset = dot(*normal, scr_rim_point(&p->smooth, cap, vec3(0, 0, 0)));
    return true;
}

/* A point of one part over a flat place of the other: the gap along the normal of the plane. */
static FeaturePlace over_plane(const Shown *flat, Vec3 normal, double offset, const Shown *other,
                               Vec3 own) {
    Vec3 x = from_own(other, own), out = turn_from_own(flat, normal);
    double gap = dot(normal, to_own(flat, x)) - offset;
    return flat->is_b ? (FeaturePlace){gap, scale(-1, out), x}
                      : (FeaturePlace){gap, out, add_scaled(x, -gap, out)};
}

/* An edge, or the side of a cone. */
static CreaseLine line_of(const Shown *s, int32_t number) {
    const Polyhedron *p = s->part;
    CreaseLine line = {.is_b = s->is_b};
    if (scr_is_smooth(p)) {
        double across, along;
        scr_cone_side(&p->smooth, &across, &along);
        line.at = from_own(s, p->smooth.centre);
        line.axis = turn_from_own(s, p->smooth.axis[2]);
        line.height = s->is_b ? -along : along;
        line.radius = p->smooth.form[0];
    } else {
        const PolyhedronEdge *e = &p->edge[number - p->vertices];
        line.at = from_own(s, scr_vertex(p, e->vertex[0]));
        line.axis = turn_from_own(s, e->along);
    }
    return line;
}

/* A rim whose points move, or a point that stands still. */
static RimCircle rim_of(const Shown *s, int32_t number) {
    int rim = number - PLACE_DEEPEST;
    if (!scr_is_smooth(s->part) || (rim != 0 && rim != 1)) {
        return (RimCircle){.middle = from_own(s, point_of(s, number)), .axis = {0, 0, 1}};
    }
    const SmoothPart *cone = &s->part->smooth;
    return (RimCircle){from_own(s, scr_rim_point(cone, rim, vec3(0, 0, 0))),
                       turn_from_own(s, cone->axis[2]), cone->form[rim]};
}

static FeaturePlace over_line(const Shown *line, int32_t number, const Shown *other, int32_t point,
                              Vec3 n) {
    const CreaseLine crease = line_of(line, number);
    const RimCircle rim = rim_of(other, point);
    return scr_rim_over_line(&crease, &rim, n, 4 * line->p->round);
}

/* ---------------------------------------------------------------- edges and caps */

/* The ends of an edge, or of a line on the side of a cone. */
static void line_ends(const Shown *s, int32_t edge, Vec3 end[2]) {
    for (int k = 0; k < 2; k++) {
        end[k] = scr_is_smooth(s->part) ? scr_rim_support(&s->part->smooth, k, s->n)
                                        : scr_vertex(s->part, s->part->edge[edge].vertex[k]);
    }
}

/* Where an edge or the line of a side enters the cylinder over a cap, or leaves it; in the frame of its
 * part. False: it passes by, and *own is where it comes nearest, or ends before. */
static bool cross_cap(const Shown *edge, int32_t number, const Shown *cone, int place, Vec3 *own) {
    const SmoothPart *s = &cone->part->smooth;
    Vec3 end[2];
    line_ends(edge, number, end);
    int cap = (place - PLACE_CROSSING) / 2, leaves = (place - PLACE_CROSSING) % 2;
    Vec3 from = to_own(cone, from_own(edge, end[0])), to = to_own(cone, from_own(edge, end[1]));
    Vec3 k = s->axis[2], w = sub(from, s->centre), d = sub(to, from);
    w = add_scaled(w, -dot(w, k), k);
    d = add_scaled(d, -dot(d, k), k);
    double dd = dot(d, d), half = dot(w, d), r = s->form[cap];
    double rest = half * half - dd * (dot(w, w) - r * r);
    double share = dd > 0 ? (-half + (leaves ? 1 : -1) * sqrt(scr_max(rest, 0))) / dd : 0;
    *own = add_scaled(end[0], share, sub(end[1], end[0]));
    return rest > 0 && dd > 0 && share >= 0 && share <= 1;
}

/* Where an edge of a polyhedron and a line on the side of a cone cross, seen along n. False: they do
 * not, or are parallel. */
static bool cross_side(const Shown *edge, int32_t number, const Shown *cone, Vec3 n,
                       FeaturePlace *at) {
    const PolyhedronEdge *e = &edge->part->edge[number];
    Vec3 from = from_own(edge, scr_vertex(edge->part, e->vertex[0]));
    Vec3 way = sub(from_own(edge, scr_vertex(edge->part, e->vertex[1])), from);
    Vec3 low = from_own(cone, cone->set.at), along = sub(from_own(cone, cone->set.to), low);
    Vec3 across = cross(n, along);
    double slope = dot(across, way), all = length(along) * length(way);
    bool parallel = !(fabs(slope) > 1e-6 * all);
    double share = parallel ? 0 : dot(across, sub(low, from)) / slope;
    Vec3 x = add_scaled(from, share, way);
    double up = dot(sub(x, low), along) / dot(along, along);
    Vec3 on_side = add_scaled(low, up, along);
    double gap = dot(n, edge->is_b ? sub(x, on_side) : sub(on_side, x));
    *at = (FeaturePlace){gap, n, edge->is_b ? add_scaled(x, -gap, n) : x};
    return !parallel && share >= 0 && share <= 1 && up >= 0 && up <= 1;
}

/* ---------------------------------------------------------------- a point by its name */

/* Whether an element is a point of its part, and not a face, an edge, a cap or a side. */
static bool is_point(const Polyhedron *p, int32_t number) {
    return scr_is_smooth(p)
               ? number >= PLACE_DEEPEST && (number < PLACE_SECTOR || number >= PLACE_RIM)
               : number < p->vertices;
}

static FeaturePlace place_element(const PartPair *p, int32_t of_a, int32_t of_b, Vec3 normal) {
    Shown side[2] = {shown(p, false, normal), shown(p, true, normal)};
    int32_t number[2] = {of_a, of_b};
    int one = is_point(side[0].part, of_a) ? 0 : 1, flat = 1 - one;
    Vec3 own, out = vec3(0, 0, 1);
    double offset = 0;
    for (int k = 0; k < 2; k++) { /* an edge and a cap */
        if (scr_is_smooth(side[k].part) && number[k] >= PLACE_CROSSING && number[k] < PLACE_RIM) {
            int32_t edge = number[1 - k] - side[1 - k].part->vertices;
            cross_cap(&side[1 - k], edge, &side[k], number[k], &own);
            plane_of(side[k].part, PLACE_CAP + (number[k] - PLACE_CROSSING) / 2, &out, &offset);
            return over_plane(&side[k], out, offset, &side[1 - k], own);
        }
    }
    for (int k = 0; k < 2; k++) { /* an edge and a side */
        int32_t edge = number[1 - k] - side[1 - k].part->vertices;
        if (scr_is_smooth(side[k].part) && number[k] == PLACE_SIDE &&
            !scr_is_smooth(side[1 - k].part) && edge >= 0) {
            FeaturePlace at;
            side[k].set.at = scr_rim_support(&side[k].part->smooth, 0, side[k].n);
            side[k].set.to = scr_rim_support(&side[k].part->smooth, 1, side[k].n);
            cross_side(&side[1 - k], edge, &side[k], normal, &at);
            return at;
        }
    }
    own = point_of(&side[one], number[one]);
    if (plane_of(side[flat].part, number[flat], &out, &offset)) {
        return over_plane(&side[flat], out, offset, &side[one], own);
    }
    return over_line(&side[flat], number[flat], &side[one], number[one], normal);
}

/* ---------------------------------------------------------------- the list */

typedef struct Manifold {
    Shown side[2];       /* now, or as they are expected to stand */
    Vec3 n;              /* from a to b */
    const PartPair *now; /* gaps are those of now */
    size_t first;        /* of the points of this pair */
    double deepest;      /* no point tells of more overlap than there is */
    const PointRules *rules;
    SolidPoints *points;
    const LaterPose *later;
    double tilt;    /* what lies no farther from flat is shown */
    double nearest; /* the distance, or minus the shortest way out: no point is nearer */
    Vec3 along;     /* which is measured along this */
    bool met;       /* one of the points is as near as that */
    bool failed;
} Manifold;

static bool is_there(const Manifold *m, int32_t name) {
    for (size_t i = m->first; i < m->points->count; i++) {
        if (m->points->item[i].name == name) {
            return true;
        }
    }
    return false;
}

static void put(Manifold *m, const FeaturePlace *at, int32_t of_a, int32_t of_b) {
    const PartPair *p = m->now;
    int32_t name = scr_feature(p->a->first_element + of_a, p->b->first_element + of_b);
    double gap = scr_max(at->gap, m->nearest);
    double up = 0.5 * (gap + p->a->rounding - p->b->rounding);
    bool is_nearest =
        fabs(at->gap - m->nearest) <= 1e-11 * p->size && length(sub(at->normal, m->along)) <= 1e-10;
    const SolidPoint point = {.gap = gap - p->a->rounding - p->b->rounding,
                              .normal = at->normal,
                              .middle = add_scaled(at->foot, up, at->normal),
                              .near = ONE_PLACE * p->size,
                              .name = name,
                              .own = true,
                              .strict = is_nearest,
                              .within = gap < 0,
                              .old = scr_is_old(m->rules->old, name)};
    if (at->gap < m->deepest) {
        return;
    }
    m->met = m->met || is_nearest;
    if (point.gap <= m->rules->reach && !is_there(m, name)) {
        m->failed = m->failed || !scr_put_solid_point(m->points, &point);
    }
}

static void put_named(Manifold *m, const Shown *one, int32_t number, int32_t of_other) {
    int32_t of_a = one->is_b ? of_other : number, of_b = one->is_b ? number : of_other;
    const FeaturePlace at = place_element(m->now, of_a, of_b, m->n);
    put(m, &at, of_a, of_b);
}

/* Whether a point lies over what a part shows, seen along its normal, but for rounding. */
static bool lies_over(const Shown *flat, Vec3 x) {
    Vec3 own = to_own(flat, x), nearest = scr_nearest_in_set(flat->part, &flat->set, own);
    Vec3 off = sub(nearest, own);
    off = add_scaled(off, -dot(off, flat->n), flat->n);
    double height = fabs(dot(sub(nearest, own), flat->n));
    /* n may be tilted against the face: what lies over its rim is off by as much */
    return length(off) <= 1e-9 * flat->p->size + 2e-2 * height;
}

static int32_t element_of_set(const Shown *s) {
    const Polyhedron *p = s->part;
    if (scr_is_smooth(p)) {
        return s->set.kind == SUPPORT_CAP ? PLACE_CAP + s->set.place : PLACE_SIDE;
    }
    return s->set.kind == SUPPORT_FACE ? p->vertices + p->edges + s->set.place
                                       : p->vertices + s->set.place;
}

/* Whether the end of one line is nearest to the other between its ends, and faces it. */
static bool ends_over(const Manifold *m, const Shown *one, int32_t number, const Shown *line) {
    const FeaturePlace at = over_line(line, element_of_set(line), one, number, m->n);
    Vec3 on_line = line->is_b ? add_scaled(at.foot, at.gap, at.normal) : at.foot;
    Vec3 along = sub(line->set.to, line->set.at);
    double share = dot(sub(to_own(line, on_line), line->set.at), along) / dot(along, along);
    return share >= -1e-9 && share <= 1 + 1e-9 && length(sub(at.normal, m->n)) <= 2 * m->tilt;
}

/* A point of one part, if it lies over what the other shows. */
static void try_point(Manifold *m, const Shown *one, int32_t number, const Shown *flat) {
    bool lines = one->set.kind == SUPPORT_LINE && flat->set.kind == SUPPORT_LINE;
    if (lines ? ends_over(m, one, number, flat)
              : lies_over(flat, from_own(one, point_of(one, number)))) {
        put_named(m, one, number, element_of_set(flat));
    }
}

/* The number of the rim point that leads as the cone moves along its partner: it would topple over it.
 * -1: none. */
static int number_ahead(const Manifold *m, const Shown *cone) {
    const PlacedSolid *placed = cone->is_b ? m->later->b : m->later->a;
    Vec3 shift = m->later->motion->shift;
    Vec3 own = scale(cone->is_b ? 1 : -1, scr_into_frame(placed, shift));
    Vec3 along = add_scaled(own, -dot(own, cone->n), cone->n);
    return length(along) > 1e-6 * length(shift) ? scr_rim_number(&cone->part->smooth, along) : -1;
}

/* The points of the cap: fixed ones, that ahead, and the deepest unless the cap lies flat. */
static void try_rim(Manifold *m, const Shown *cone, int rim, const Shown *flat) {
    double lowest = -INFINITY, deepest = dot(cone->n, point_of(cone, PLACE_DEEPEST + rim));
    int ahead = number_ahead(m, cone);
    for (int k = 0; k < RIM_POINTS; k++) {
        if (k % FIXED_STEP != 0 && k != ahead) {
            continue;
        }
        int32_t place = PLACE_RIM + rim * RIM_POINTS + k;
        lowest = scr_max(lowest, dot(cone->n, point_of(cone, place)));
        try_point(m, cone, place, flat);
    }
    if (deepest - lowest > LIES_FLAT * cone->part->extent) {
        try_point(m, cone, PLACE_DEEPEST + rim, flat);
    }
}

static void try_crossings(Manifold *m, const Shown *solid, int32_t edge, const Shown *cone) {
    int32_t line = scr_is_smooth(solid->part) ? PLACE_SIDE : solid->part->vertices + edge;
    Vec3 own;
    for (int k = 0; k < 2; k++) {
        int place = PLACE_CROSSING + 2 * cone->set.place + k;
        if (cross_cap(solid, edge, cone, place, &own)) {
            put_named(m, solid, line, place);
        }
    }
}

static void try_loop(Manifold *m, const Shown *solid, const Shown *flat) {
    const PolyhedronFace *face = &solid->part->face[solid->set.place];
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        try_point(m, solid, solid->part->loop_vertex[k], flat);
        if (flat->set.kind == SUPPORT_CAP) {
            try_crossings(m, solid, solid->part->loop_edge[k], flat);
        } else if (flat->set.kind == SUPPORT_LINE && scr_is_smooth(flat->part)) {
            FeaturePlace at;
            if (cross_side(solid, solid->part->loop_edge[k], flat, m->n, &at)) {
                put_named(m, solid, solid->part->vertices + solid->part->loop_edge[k], PLACE_SIDE);
            }
        }
    }
}

/* The points of what one part shows over what the other does. */
static void try_all(Manifold *m, const Shown *one, const Shown *flat) {
    bool smooth = scr_is_smooth(one->part);
    if (one->set.kind == SUPPORT_CAP) {
        try_rim(m, one, one->set.place, flat);
    } else if (one->set.kind == SUPPORT_FACE) {
        try_loop(m, one, flat);
    } else if (smooth) {
        try_point(m, one, PLACE_DEEPEST, flat);
        try_point(m, one, PLACE_DEEPEST + 1, flat);
        if (flat->set.kind == SUPPORT_CAP) {
            try_crossings(m, one, 0, flat);
        }
    } else {
        const PolyhedronEdge *e = &one->part->edge[one->set.place];
        try_point(m, one, e->vertex[0], flat);
        try_point(m, one, e->vertex[1], flat);
        if (flat->set.kind == SUPPORT_CAP) {
            try_crossings(m, one, one->set.place, flat);
        }
    }
}

/* Lines that cross at an angle touch in one point. */
static bool may_share_more(const Shown side[2], double tilt) {
    if (side[0].set.kind == SUPPORT_POINT || side[1].set.kind == SUPPORT_POINT) {
        return false;
    }
    if (side[0].set.kind != SUPPORT_LINE || side[1].set.kind != SUPPORT_LINE) {
        return true;
    }
    Vec3 along[2];
    for (int k = 0; k < 2; k++) {
        along[k] = unit(turn_from_own(&side[k], sub(side[k].set.to, side[k].set.at)));
    }
    return length(cross(along[0], along[1])) <= tilt;
}

/* ---------------------------------------------------------------- the whole */

/* An impact may turn bodies by more than their free motion does; then a line or a cap comes down with
 * all of its length. */
static const double least_tilt = 0.1;

/* The point on a, where the parts without their roundings are nearest to each other. Where a
 * superellipsoid is flat, a normal tells little of the place: it is taken from the other part. */
static Vec3 foot_of(const PartPair *p, const CommonNormal *c) {
    bool on_a = p->a->smooth.kind == SCREE_PART_ELLIPSOID;
    on_a = scr_may_be_flat(p->a) != scr_may_be_flat(p->b) ? scr_may_be_flat(p->b) : on_a;
    return on_a ? c->on_a : add_scaled(c->on_b, -c->gap, c->normal);
}

static void show(Manifold *m, const PartPair *p) {
    for (int k = 0; k < 2; k++) {
        Shown *s = &m->side[k];
        *s = shown(p, k == 1, m->n);
        int32_t vertex = scr_is_smooth(s->part) ? 0 : scr_support(s->part, s->n, 0);
        s->set = scr_support_set(s->part, s->n, vertex, m->tilt);
    }
}

/* The points of two parts that stand like this. */
static void list_all(Manifold *m, const PartPair *stand) {
    show(m, stand);
    if (may_share_more(m->side, m->tilt)) {
        try_all(m, &m->side[0], &m->side[1]);
        try_all(m, &m->side[1], &m->side[0]);
    }
}

/* A superellipsoid has one point, and so does its partner. */
static bool has_one_point(const PartPair *p) {
    return p->a->smooth.kind == SCREE_PART_ELLIPSOID || p->b->smooth.kind == SCREE_PART_ELLIPSOID;
}

ScreeStatus scr_smooth_points(const PartPair *p, LaterPose *later, const PointRules *rules,
                              SolidPoints *points) {
    if (scr_smooth_apart(p) > rules->reach) {
        return SCREE_OK;
    }
    const CommonNormal c = scr_find_normal(p, later, rules->old);
    double gap = c.gap - p->a->rounding - p->b->rounding;
    if (gap > rules->reach) {
        return SCREE_OK;
    }
    Manifold m = {.n = c.normal,
                  .now = p,
                  .first = points->count,
                  .deepest = -INFINITY,
                  .rules = rules,
                  .points = points,
                  .later = later,
                  .tilt = scr_max(rules->tilt, least_tilt),
                  .nearest = c.gap,
                  .along = c.normal};
    if (!has_one_point(p)) {
        list_all(&m, p);
    }
    if (!m.met) {
        const FeaturePlace at = {c.gap, c.normal, foot_of(p, &c)};
        put(&m, &at, PLACE_NEAREST, 0);
    }
    if (!has_one_point(p) && gap <= 1.5 * rules->motion) {
        const PartPair then = scr_part_pair(p->a, p->b, scr_later_of(later));
        m.deepest = scr_min(c.gap, 0) - 1e-9 * p->size;
        m.n = scr_normal_from(&then, c.normal).normal;
        list_all(&m, &then);
    }
    return m.failed ? SCREE_NO_MEMORY : SCREE_OK;
}

/* ---------------------------------------------------------------- one point again */

/* The element of a part that a name means there. */
static int32_t element_named(const Polyhedron *p, int32_t element) {
    int32_t number = element - p->first_element;
    return scr_is_smooth(p) ? scr_plain_place(number) : number;
}

static bool is_nearest(const PartPair *p, int32_t of_a, int32_t of_b) {
    return (scr_is_smooth(p->a) && of_a == PLACE_NEAREST) ||
           (scr_is_smooth(p->b) && of_b == PLACE_NEAREST);
}

FeaturePlace scr_smooth_here(const PartPair *p, int32_t name, Vec3 normal) {
    int32_t of_a = element_named(p->a, scr_feature_a(name)),
            of_b = element_named(p->b, scr_feature_b(name));
    if (!is_nearest(p, of_a, of_b)) {
        return place_element(p, of_a, of_b, normal);
    }
    const CommonNormal c = scr_seen_along(p, normal);
    return (FeaturePlace){c.gap, c.normal, foot_of(p, &c)};
}

FeaturePlace scr_place_smooth(const PartPair *p, int32_t name, Vec3 normal) {
    int32_t of_a = element_named(p->a, scr_feature_a(name)),
            of_b = element_named(p->b, scr_feature_b(name));
    if (!is_nearest(p, of_a, of_b)) {
        return place_element(p, of_a, of_b, normal);
    }
    const CommonNormal c = scr_normal_from(p, normal);
    return (FeaturePlace){c.gap, c.normal, foot_of(p, &c)};
}
