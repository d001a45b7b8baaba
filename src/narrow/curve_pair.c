#include "narrow/curve_pair.h"

#include "narrow/outline_pair.h"
#include "narrow/hull_overlap.h"
#include "narrow/boundary_meeting.h"

/* A node near the other body, relative to the centre of body a. */
typedef struct NearNode {
    double x, y;
    double in[2], out[2];
    int32_t k;
    NurbsNodeKind kind;
    bool joined; /* the next of the list is the next node, and the span between them is near too */
} NearNode;

enum { MOST_NEAR = 256, GROUP = 8 };

/* The box around a group of near nodes and the spans from them. */
typedef struct NearBox {
    double low[2], high[2];
} NearBox;

typedef struct CurvePair {
    Boundary both[2];
    double reach;
    double wide; /* any contact within the reach has a node nearer than this */
    double size; /* width of the smaller outline */
    double deep; /* an overlap deeper than this is more than a drawing error */
    double low[2][2], high[2][2];
    NearNode near[2][MOST_NEAR];
    NearBox box[2][MOST_NEAR / GROUP];
    int32_t count[2];
    int32_t pieces; /* how often `near` was filled anew because it has no room for all */
    OutlineTouches *touches;
    ScreeStatus status;
} CurvePair;

/* In parts of the size: contact points nearer than the first are one, spare ones nearer than the
 * second to another are dropped, and a node deeper than the third has no foot. */
static const double same_place = 0.01, near_place = 0.04, deepest_place = 0.1;

/* By how much the gap of a flank may be larger, in parts of the size. */
static const double flank_rise = 8 * NURBS_BULGE;

/* ---------------------------------------------------------------- what is near */

static void add_near(CurvePair *p, int s, int32_t k, bool joined) {
    const Boundary *r = &p->both[s];
    BoundaryNode node = scr_boundary_node(r, k);
    NearNode *to = &p->near[s][p->count[s]++];
    *to = (NearNode){.x = r->corner[k].x + r->x,
                     .y = r->corner[k].y + r->y,
                     .k = k,
                     .kind = node.kind,
                     .joined = joined};
    scr_boundary_turn(r, node.in[0], node.in[1], to->in);
    scr_boundary_turn(r, node.out[0], node.out[1], to->out);
}

static bool span_meets(const Corner *a, const Corner *b, const double low[2],
                       const double high[2]) {
    return !((a->x < low[0] && b->x < low[0]) || (a->x > high[0] && b->x > high[0]) ||
             (a->y < low[1] && b->y < low[1]) || (a->y > high[1] && b->y > high[1]));
}

/* Collects the spans of boundary s, starting with number `from`, that meet a box. Returns the
 * number to continue with when there is no room for more. */
static int32_t gather(CurvePair *p, int s, int32_t from, const double box_low[2],
                      const double box_high[2]) {
    const Boundary *r = &p->both[s];
    const double low[2] = {box_low[0] - p->wide - r->x, box_low[1] - p->wide - r->y};
    const double high[2] = {box_high[0] + p->wide - r->x, box_high[1] + p->wide - r->y};
    bool open = false;
    int32_t k = from;
    p->count[s] = 0;
    for (; k < r->count && p->count[s] + 2 <= MOST_NEAR; k++) {
        int32_t next = scr_boundary_next(r, k);
        if (span_meets(&r->corner[k], &r->corner[next], low, high)) {
            add_near(p, s, k, r->count > 1);
            open = r->count > 1;
        } else if (open) {
            add_near(p, s, k, false);
            open = false;
        }
    }
    if (open) {
        add_near(p, s, k == r->count ? 0 : k, false);
    }
    return k;
}

/* The box around the collected nodes from `begin` up to `end`. */
static NearBox box_of(const CurvePair *p, int s, int32_t begin, int32_t end) {
    NearBox box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int32_t i = begin; i < end; i++) {
        scr_box_add(box.low, box.high, p->near[s][i].x, p->near[s][i].y, 0);
    }
    return box;
}

/* The boxes of the groups, each including the node at the end of its last span, and the box around
 * all. */
static NearBox near_boxes(CurvePair *p, int s) {
    int32_t count = p->count[s];
    for (int32_t i = 0; i < count; i += GROUP) {
        int32_t end = i + GROUP + 1;
        p->box[s][i / GROUP] = box_of(p, s, i, end < count ? end : count);
    }
    return box_of(p, s, 0, count);
}

static bool is_beyond(const NearBox *box, double x, double y, double margin) {
    return x < box->low[0] - margin || x > box->high[0] + margin || y < box->low[1] - margin ||
           y > box->high[1] + margin;
}

/* ---------------------------------------------------------------- contacts */

/* Whether each body contains the point of the other. A disk contains what is nearer than its
 * radius. */
static bool is_overlap(const CurvePair *p, int s, const Meeting *m) {
    const Boundary *slave = &p->both[s], *master = &p->both[1 - s];
    double foot[2];
    scr_boundary_across(p->both, 1 - s, m->foot.x, m->foot.y, foot);
    if (slave->count > 2 && !scr_boundary_contains(slave, foot[0], foot[1])) {
        return false;
    }
    return master->count <= 2 || scr_boundary_contains(master, m->x, m->y);
}

static int32_t element(const Boundary *r, int32_t k, bool at_node, bool defines) {
    return r->nurbs != NULL ? scr_curve_element(k, at_node, defines)
                            : 2 * (r->first + k) + !defines;
}

static void emit(CurvePair *p, int s, const Meeting *m) {
    const Boundary *slave = &p->both[s], *master = &p->both[1 - s];
    double gap = m->foot.distance - slave->rounding - master->rounding;
    if (!(gap <= p->reach) || (m->foot.distance < -p->deep && !is_overlap(p, s, m))) {
        return;
    }
    double n[2], foot[2], sign = s == 0 ? -1 : 1;
    double lift = 0.5 * (m->foot.distance + master->rounding - slave->rounding);
    scr_boundary_turn(master, m->foot.nx, m->foot.ny, n);
    scr_boundary_turn(master, m->foot.x, m->foot.y, foot);
    bool own = m->at_node || (!m->foot.at_node && m->curvature >= m->foot.curvature);
    int32_t of_slave = element(slave, m->span, m->at_node, own);
    int32_t of_master = element(master, m->foot.span, m->foot.at_node, !own);
    const OutlineTouch touch = {
        gap,
        vec3(sign * n[0], sign * n[1], 0),
        vec3(foot[0] + master->x + lift * n[0], foot[1] + master->y + lift * n[1], 0),
        s == 0 ? scr_feature(of_slave, of_master) : scr_feature(of_master, of_slave),
        m->spare,
    };
    if (!scr_join_touch(p->touches, &touch, same_place * p->size)) {
        p->status = SCREE_NO_MEMORY;
    }
}

/* ---------------------------------------------------------------- nodes */

/* What is known of the feet of a slave node: the nearest one that faces it, and of those deep
 * inside the least deep one. */
typedef struct Probe {
    const NearNode *node;
    double n[2]; /* outward normal of the slave; 0 for a disk */
    bool corner; /* a contact of its own at each foot */
    double gap;
    int32_t span;
    Meeting deep;
    bool has_deep;
} Probe;

/* Whether a corner faces the surface at its foot, up to a small tilt; n is the normal of the
 * surface. */
static bool is_shown(const NearNode *node, const double n[2], bool *spare) {
    double before = node->in[0] * n[0] + node->in[1] * n[1];
    double after = node->out[0] * n[0] + node->out[1] * n[1];
    *spare = before > BOUNDARY_PARALLEL || after < -BOUNDARY_PARALLEL;
    return before <= OUTLINE_TILT && after >= -OUTLINE_TILT;
}

/* x, y is the node in the frame of the master. */
static void probe_foot(CurvePair *p, int s, Probe *q, double x, double y,
                       const BoundaryFoot *foot) {
    double n[2];
    scr_boundary_turn(&p->both[1 - s], foot->nx, foot->ny, n);
    double facing = q->n[0] * n[0] + q->n[1] * n[1];
    if (facing <= -0.5 && fabs(foot->distance) < fabs(q->gap)) {
        q->gap = foot->distance;
        q->span = foot->span;
    }
    if (!q->corner || foot->distance > p->wide) {
        return;
    }
    Meeting m = {
        .x = x, .y = y, .curvature = INFINITY, .span = q->node->k, .at_node = true, .foot = *foot};
    if (!is_shown(q->node, n, &m.spare)) {
        return;
    }
    if (foot->distance >= -p->deep) {
        emit(p, s, &m);
    } else if (!q->has_deep || foot->distance > q->deep.foot.distance) {
        q->deep = m;
        q->has_deep = true;
    }
}

/* The feet on the spans from `begin` up to `end`: where the component along the tangent changes
 * sign from one node to the next, or between the normals of a corner. A span turns by at most
 * NURBS_TURN, so one whose start faces away or is too far off is skipped. Only a corner needs the
 * exact foot: the lowest node is found just as well from feet that are right to second order. */
static void probe_spans(CurvePair *p, int s, Probe *q, const double x[2], int32_t begin,
                        int32_t end) {
    const Boundary *r = &p->both[1 - s];
    double deepest = deepest_place * p->size, at_x = q->node->x, at_y = q->node->y;
    for (int32_t i = begin; i < end; i++) {
        const NearNode *m = &p->near[1 - s][i];
        double dx = at_x - m->x, dy = at_y - m->y, start = m->out[0] * dx + m->out[1] * dy;
        if (start < 0) {
            if (m->in[0] * dx + m->in[1] * dy > 0) {
                BoundaryFoot foot = scr_boundary_node_foot(r, m->k, x[0], x[1]);
                probe_foot(p, s, q, x[0], x[1], &foot);
            }
            continue;
        }
        if (!m->joined || m[1].in[0] * (at_x - m[1].x) + m[1].in[1] * (at_y - m[1].y) >= 0) {
            continue;
        }
        double off = m->out[1] * dx - m->out[0] * dy;
        double room = r->nurbs != NULL ? NURBS_TURN * r->corner[m->k].length : 0;
        double facing = q->n[0] * m->out[1] - q->n[1] * m->out[0];
        if (off <= p->wide + room && off >= -deepest - room && facing <= 0.3) {
            BoundaryFoot foot = q->corner ? scr_boundary_span_foot(r, m->k, x[0], x[1])
                                          : scr_boundary_near_foot(r, m->k, x[0], x[1]);
            probe_foot(p, s, q, x[0], x[1], &foot);
        }
    }
}

/* All feet on the master that are near enough to matter. */
static void probe_groups(CurvePair *p, int s, Probe *q) {
    const Boundary *r = &p->both[1 - s];
    int32_t count = p->count[1 - s];
    double x[2], margin = scr_max(p->wide, deepest_place * p->size) + 0.25 * p->deep;
    scr_boundary_turn_back(r, q->node->x - r->x, q->node->y - r->y, x);
    for (int32_t i = 0; i < count; i += GROUP) {
        if (!is_beyond(&p->box[1 - s][i / GROUP], q->node->x, q->node->y, margin)) {
            probe_spans(p, s, q, x, i, i + GROUP < count ? i + GROUP : count);
        }
    }
}

/* The gap of a slave node, infinite when it is far off. If the node is a corner, its contacts are
 * added. */
static double probe_node(CurvePair *p, int s, const NearNode *node, int32_t *span) {
    Probe q = {.node = node, .gap = INFINITY};
    double nx = node->in[1] + node->out[1], ny = -node->in[0] - node->out[0];
    double l = sqrt(nx * nx + ny * ny);
    q.n[0] = l > 0 ? nx / l : 0;
    q.n[1] = l > 0 ? ny / l : 0;
    q.corner = node->kind == NODE_CORNER || node->kind == NODE_END;
    if (node->kind == NODE_REFLEX) {
        return INFINITY;
    }
    probe_groups(p, s, &q);
    if (q.has_deep) {
        emit(p, s, &q.deep);
    }
    *span = q.span;
    return q.gap <= p->wide ? q.gap : INFINITY;
}

/* The flanks of a minimum where both bodies are nearly flat. */
static void emit_flanks(CurvePair *p, int s, const Meeting *m) {
    for (int direction = -1; direction <= 1; direction += 2) {
        Meeting flank;
        if (scr_meet_flank(p->both, s, m, direction, near_place * p->size, flank_rise * p->size,
                           p->size, &flank)) {
            emit(p, s, &flank);
        }
    }
}

/* A minimum of the gap is near a node that is lower than both its neighbours. */
static void try_lowest(CurvePair *p, int s, int32_t i, const double gap[3], int32_t span) {
    if (gap[1] < INFINITY && gap[1] <= gap[0] && gap[1] <= gap[2]) {
        Meeting m = {.foot = {.span = span}};
        if (scr_meet_nearest(p->both, s, p->near[s][i].k, &m)) {
            emit(p, s, &m);
            emit_flanks(p, s, &m);
        }
    }
}

/* All near nodes of a slave in turn, except those too far from every near node of the master. */
static void probe_boundary(CurvePair *p, int s) {
    double gap[3] = {INFINITY, INFINITY, INFINITY};
    int32_t span[3] = {0, 0, 0};
    bool curve = p->both[s].nurbs != NULL;
    const NearBox all = near_boxes(p, 1 - s);
    for (int32_t i = 0; i < p->count[s]; i++) {
        bool follows = i > 0 && p->near[s][i - 1].joined;
        gap[0] = follows ? gap[1] : INFINITY;
        gap[1] = follows ? gap[2] : INFINITY;
        span[1] = span[2];
        const NearNode *node = &p->near[s][i];
        bool far = is_beyond(&all, node->x, node->y, p->wide);
        gap[2] = far ? INFINITY : probe_node(p, s, node, &span[2]);
        if (curve && follows) {
            try_lowest(p, s, i - 1, gap, span[1]);
        }
        if (curve && !node->joined) {
            const double last[3] = {gap[1], gap[2], INFINITY};
            try_lowest(p, s, i, last, span[2]);
        }
    }
}

/* ---------------------------------------------------------------- pairs */

static void set_boundary(CurvePair *p, int s, const Outline *o, int32_t part, Vec3 at) {
    p->both[s] = scr_boundary_of(o, part, at);
    for (int i = 0; i < 2; i++) {
        p->low[s][i] = o->low[i] + (i == 0 ? at.x : at.y);
        p->high[s][i] = o->high[i] + (i == 0 ? at.x : at.y);
    }
}

static double width(const Outline *o) {
    return scr_max(o->high[0] - o->low[0], o->high[1] - o->low[1]);
}

static double bulge_of(const Outline *o) {
    return o->nurbs != NULL ? o->nurbs->bulge : 0;
}

static void set_pair(CurvePair *p, const Outline *a, const Outline *b, double reach,
                     OutlineTouches *touches) {
    double bulge = bulge_of(a) + bulge_of(b);
    p->status = SCREE_OK;
    p->touches = touches;
    p->pieces = p->count[0] = p->count[1] = 0;
    p->size = scr_min(width(a), width(b));
    p->size = p->size > 0 ? p->size : scr_max(width(a), width(b)); /* a thin wall has no width */
    p->reach = reach;
    p->deep = 4 * bulge;
    p->wide = reach + 2 * bulge;
}

/* Both parts in pieces of as many nodes as there is room for. A disk is never the master: the feet
 * of its centre on the curve are all the contacts there are. */
static void touch_parts(CurvePair *p) {
    double rounding = p->both[0].rounding + p->both[1].rounding;
    p->wide += rounding;
    for (int32_t i = 0; i < p->both[0].count;) {
        i = gather(p, 0, i, p->low[1], p->high[1]);
        const NearBox box = box_of(p, 0, 0, p->count[0]);
        for (int32_t j = 0; j < p->both[1].count && p->count[0] > 0;) {
            j = gather(p, 1, j, box.low, box.high);
            p->pieces++;
            for (int s = 0; s < 2 && p->count[1] > 0; s++) {
                if (p->both[1 - s].count > 1) {
                    probe_boundary(p, s);
                }
            }
        }
    }
    p->wide -= rounding;
}

/* Whether two points lie on opposite sides of a line, or on it. */
static bool is_parted(const NearNode *line, const NearNode *points) {
    double x = line[1].x - line[0].x, y = line[1].y - line[0].y;
    double one = x * (points[0].y - line[0].y) - y * (points[0].x - line[0].x);
    double other = x * (points[1].y - line[0].y) - y * (points[1].x - line[0].x);
    return (one <= 0 && other >= 0) || (one >= 0 && other <= 0);
}

/* Whether the span from a near node of boundary 0 crosses one of a group of spans of boundary 1. */
static bool crosses_group(const CurvePair *p, const NearNode *from, int32_t group) {
    const NearBox *box = &p->box[1][group];
    if (scr_max(from[0].x, from[1].x) < box->low[0] ||
        scr_min(from[0].x, from[1].x) > box->high[0] ||
        scr_max(from[0].y, from[1].y) < box->low[1] ||
        scr_min(from[0].y, from[1].y) > box->high[1]) {
        return false;
    }
    int32_t end = GROUP * group + GROUP < p->count[1] ? GROUP * group + GROUP : p->count[1];
    for (int32_t i = GROUP * group; i < end; i++) {
        const NearNode *other = &p->near[1][i];
        if (other->joined && is_parted(from, other) && is_parted(other, from)) {
            return true;
        }
    }
    return false;
}

static bool boundaries_cross(const CurvePair *p) {
    for (int32_t i = 0; i < p->count[0]; i++) {
        for (int32_t group = 0; p->near[0][i].joined && GROUP * group < p->count[1]; group++) {
            if (crosses_group(p, &p->near[0][i], group)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether bodies without an overlapping contact point may overlap all the same: not if their
 * boundaries do not cross. That is known only when all near nodes are at hand and nothing is
 * rounded. */
static bool may_overlap_unseen(const CurvePair *p) {
    return p->pieces > 1 || p->both[0].rounding + p->both[1].rounding > 0 || boundaries_cross(p);
}

ScreeStatus scr_touch_curves(const Outline *a, const Outline *b, Vec3 d, double reach,
                             OutlineTouches *touches) {
    CurvePair p; /* large, so it is filled only as far as it is used */
    touches->count = 0;
    if (a->low[0] > b->high[0] + d.x + reach || b->low[0] + d.x > a->high[0] + reach ||
        a->low[1] > b->high[1] + d.y + reach || b->low[1] + d.y > a->high[1] + reach) {
        return SCREE_OK;
    }
    set_pair(&p, a, b, reach, touches);
    for (int32_t i = 0; i < a->parts; i++) {
        set_boundary(&p, 0, a, i, vec3(0, 0, 0));
        for (int32_t j = 0; j < b->parts; j++) {
            set_boundary(&p, 1, b, j, d);
            touch_parts(&p);
        }
    }
    scr_drop_opposed(touches, p.deep);
    scr_drop_spares(touches, near_place * p.size);
    if (!scr_any_overlap(touches) && (scr_one_may_hold(a, b, d) || may_overlap_unseen(&p)) &&
        !scr_touch_hulls(a, b, d, p.deep, touches)) {
        return SCREE_NO_MEMORY;
    }
    return p.status;
}

/* ---------------------------------------------------------------- one contact again */

double scr_curves_gap(const Outline *a, const Outline *b, Vec3 d, int32_t feature) {
    const Outline *o[2] = {a, b};
    int32_t of[2] = {scr_feature_a(feature), scr_feature_b(feature)}, number[2];
    Boundary both[2];
    if (scr_is_hull_contact(feature)) {
        return scr_hull_gap(a, b, d, feature);
    }
    for (int i = 0; i < 2; i++) {
        number[i] = of[i] / (o[i]->nurbs != NULL ? 4 : 2);
        int32_t part = scr_part_with(o[i]->part, o[i]->parts, number[i]);
        number[i] -= o[i]->part[part].first;
        both[i] = scr_boundary_of(o[i], part, i == 0 ? vec3(0, 0, 0) : d);
    }
    int s = of[0] % 2 == 0 ? 0 : 1;
    Meeting m = {.foot = {.span = number[1 - s]}};
    if (o[s]->nurbs == NULL || of[s] % 4 == 2 || !scr_meet_nearest(both, s, number[s], &m)) {
        scr_meet_node(both, s, number[s], &m);
    }
    return m.foot.distance - both[0].rounding - both[1].rounding;
}
