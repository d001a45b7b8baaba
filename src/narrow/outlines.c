#include "narrow/outlines.h"

#include "narrow/outline_pair.h"
#include "narrow/hull_overlap.h"

/* ---------------------------------------------------------------- the list */

/* Adds the contact of corner v of side s with an edge or a corner of the other side. n is the unit
 * vector from that to v, and `distance` is measured along n, without the roundings. The surfaces
 * are at v - n r and at foot + n r', where the foot is the point below v or the other corner. The
 * contact is halfway between them. */
typedef enum Kind { CORNER_EDGE, CORNER_CORNER, CORNER_OVER_CORNER } Kind;

static void emit(OutlinePair *p, int s, int32_t v, int32_t other, Kind kind, double nx, double ny,
                 double distance) {
    const OutlineSide *a = &p->side[s], *b = &p->side[1 - s];
    double gap = distance - a->rounding - b->rounding;
    if (!(gap <= p->reach)) {
        return;
    }
    double x = a->corner[v].x + a->x, y = a->corner[v].y + a->y;
    double foot_x = kind != CORNER_CORNER ? x - distance * nx : b->corner[other].x + b->x;
    double foot_y = kind != CORNER_CORNER ? y - distance * ny : b->corner[other].y + b->y;
    double out = 0.5 * (b->rounding - a->rounding), sign = s == 0 ? -1 : 1;
    int32_t of_a = 2 * (a->first + v), of_b = 2 * (b->first + other) + (kind == CORNER_EDGE);
    const OutlineTouch touch = {
        gap,
        vec3(sign * nx, sign * ny, 0),
        vec3(0.5 * (x + foot_x) + out * nx, 0.5 * (y + foot_y) + out * ny, 0),
        s == 0 ? scr_feature(of_a, of_b) : scr_feature(of_b, of_a),
        false,
    };
    if (!scr_add_touch(p->touches, &touch)) {
        p->status = SCREE_NO_MEMORY;
    }
}

static void emit_meeting(OutlinePair *p, int32_t v, int32_t c, const CornerMeeting *m) {
    if (m->edge_of == 0) {
        emit(p, 1, c, v, CORNER_OVER_CORNER, -m->nx, -m->ny, m->distance);
    } else {
        emit(p, 0, v, c, m->edge_of == 1 ? CORNER_OVER_CORNER : CORNER_CORNER, m->nx, m->ny,
             m->distance);
    }
    p->deep += m->distance < -p->flat;
}

/* ---------------------------------------------------------------- a corner and the edges */

/* The corner in hand: where it is, the directions of its two edges away from it, and the corners of
 * the other side with which it makes one contact, whose edges it no longer has to look at. */
enum { MOST_MET = 6 };

typedef struct Probe {
    int side;
    int32_t v;
    double x, y;
    double next[2], previous[2]; /* unit, or 0 for a disk */
    double next_length, previous_length;
    int32_t met[MOST_MET];
    int met_count;
} Probe;

static bool is_met(const Probe *q, int32_t k) {
    for (int i = 0; i < q->met_count; i++) {
        if (q->met[i] == k) {
            return true;
        }
    }
    return false;
}

static Probe probe_at(const OutlinePair *p, int s, int32_t v) {
    const OutlineSide *a = &p->side[s];
    const Corner *c = &a->corner[v], *before = &a->corner[scr_previous_corner(a, v)];
    return (Probe){.side = s,
                   .v = v,
                   .x = c->x + a->x,
                   .y = c->y + a->y,
                   .next = {c->tx, c->ty},
                   .previous = {-before->tx, -before->ty},
                   .next_length = c->length,
                   .previous_length = before->length};
}

/* Corners against corners. Two that make one contact get that of scr_corners_meet. For two that are
 * farther apart it is their distance, if each is beyond the ends of the other's edges. The contact
 * is added when the corner of the first body is in hand. */
static void touch_corners(OutlinePair *p, Probe *q) {
    const OutlineSide *b = &p->side[1 - q->side];
    double most = p->reach + p->side[0].rounding + p->side[1].rounding;
    double far = scr_max(most, p->widest_zone);
    int32_t k = scr_previous_corner(b, 0);
    for (int32_t j = 0; j < b->count; k = j++) {
        const Corner *c = &b->corner[j], *before = &b->corner[k];
        double wx = q->x - b->x - c->x, wy = q->y - b->y - c->y;
        if (c->reflex || fabs(wx) > far || fabs(wy) > far) {
            continue;
        }
        double along_in = before->tx * wx + before->ty * wy, along_out = c->tx * wx + c->ty * wy;
        CornerMeeting meeting;
        bool near = fabs(along_in) <= p->widest_zone || fabs(along_out) <= p->widest_zone;
        if (near && b->count > 1 && q->next_length > 0 && q->met_count < MOST_MET &&
            scr_corners_meet(p, q->side == 0 ? q->v : j, q->side == 0 ? j : q->v, &meeting)) {
            q->met[q->met_count++] = j;
            if (q->side == 0) {
                emit_meeting(p, q->v, j, &meeting);
            }
            continue;
        }
        if (q->side == 0 && along_in >= 0 && along_out <= 0 &&
            q->next[0] * wx + q->next[1] * wy >= 0 &&
            q->previous[0] * wx + q->previous[1] * wy >= 0) {
            double square = wx * wx + wy * wy;
            if (square <= most * most && square > 0) {
                double distance = sqrt(square);
                emit(p, 0, q->v, j, CORNER_CORNER, wx / distance, wy / distance, distance);
            } else if (square == 0 && b->count == 1 && q->next_length == 0) {
                emit(p, 0, q->v, j, CORNER_CORNER, 1, 0, 0); /* two disks with the same centre */
            }
        }
    }
}

/* How far the corner is beyond the ends of an edge; 0 if it is above the edge. At a reflex end the
 * line of the edge continues inside the body, so a little is allowed. */
static double overshoot(const OutlinePair *p, const OutlineSide *b, int32_t k, double start,
                        double end, double s) {
    double slack = 1e-3 * p->size + (s < 0 ? -s : 0);
    if (start < 0) {
        return b->corner[k].reflex && -start <= slack ? 0 : -start;
    }
    if (end > 0) {
        return b->corner[scr_next_corner(b, k)].reflex && end <= slack ? 0 : end;
    }
    return 0;
}

/* An edge that the corner in hand is behind, and its rank: the distance after the step, less how
 * much deeper the neighbours of the corner reach. So the foremost corner decides which edge it is,
 * and the other end of a tilted face follows. */
typedef struct DeepEdge {
    int32_t edge;
    double nx, ny, distance, rank;
    bool done; /* the corner lies on it, and the contact has been added */
} DeepEdge;

static double deep_rank(const OutlinePair *p, const Probe *q, int32_t k, double nx, double ny,
                        double beyond) {
    double l = p->side[1 - q->side].corner[k].length;
    double lower_next = -(q->next[0] * nx + q->next[1] * ny) * scr_min(q->next_length, l);
    double lower_previous =
        -(q->previous[0] * nx + q->previous[1] * ny) * scr_min(q->previous_length, l);
    double lower = scr_max(0, scr_max(lower_next, lower_previous));
    double s = scr_later_distance(p, q->side, q->v, k);
    return -scr_hypot(s, beyond) * (s < 0 ? 1 : -1) - lower;
}

/* Whether a corner that is behind an edge has come in through it: going back along the bisector of
 * its own material, it reaches the edge before it leaves its own body. A body without area (a rod,
 * a thin wall) has been entered when more of the corner's body lies on this side of it. */
static bool came_through(const OutlinePair *p, const Probe *q, const DeepEdge *d) {
    const OutlineSide *a = &p->side[q->side], *b = &p->side[1 - q->side];
    bool thin = b->count == 2;
    double depth = thin ? -2 * d->distance : -d->distance * (1 - 1e-6);
    if (a->count == 1) {
        return !thin;
    }
    if (!thin && depth <= 0.02 * scr_min(q->next_length, q->previous_length)) {
        return true;
    }
    double ux = q->next[0] + q->previous[0], uy = q->next[1] + q->previous[1];
    double vx = -q->next[1] + q->previous[1], vy = q->next[0] - q->previous[0];
    bool flat = ux * ux + uy * uy < vx * vx + vy * vy;
    ux = flat ? vx : ux;
    uy = flat ? vy : uy;
    double rise = ux * d->nx + uy * d->ny, back = depth / rise;
    if (!(rise > 1e-3)) {
        return false;
    }
    if (thin) { /* around its end is not through it */
        const Corner *e = &b->corner[d->edge];
        double along = e->tx * (q->x + 0.5 * back * ux - b->x - e->x) +
                       e->ty * (q->y + 0.5 * back * uy - b->y - e->y);
        if (along < 0 || along > e->length) {
            return false;
        }
    }
    return a->count == 2 ? back * 2 <= q->next_length
                         : scr_side_contains(a, q->x + back * ux, q->y + back * uy);
}

/* A corner of the other side, at an end of the edge of `d`, may be the less deep one of the two:
 * behind an edge of the corner in hand, even if it is not inside. Returns its number, or -1. */
static int32_t other_way_round(const OutlinePair *p, const Probe *q, const DeepEdge *d,
                               DeepEdge *other) {
    const OutlineSide *a = &p->side[q->side], *b = &p->side[1 - q->side];
    double best = d->rank;
    int32_t corner = -1;
    for (int i = 0; i < 4 && a->count > 1; i++) {
        int32_t c = i % 2 == 0 ? d->edge : scr_next_corner(b, d->edge);
        int32_t k = i / 2 == 0 ? q->v : scr_previous_corner(a, q->v);
        const Corner *f = &a->corner[k], *out = &b->corner[c];
        const Corner *in = &b->corner[scr_previous_corner(b, c)];
        double nx = f->ty, ny = -f->tx;
        if (out->reflex || -(nx * d->nx + ny * d->ny) > OUTLINE_PARALLEL ||
            out->tx * nx + out->ty * ny < 0 || in->tx * nx + in->ty * ny > 0) {
            continue;
        }
        double wx = out->x + b->x - f->x - a->x, wy = out->y + b->y - f->y - a->y;
        double along = f->tx * wx + f->ty * wy, s = nx * wx + ny * wy;
        double rank = scr_later_distance(p, 1 - q->side, c, k);
        if (s < 0 && along >= 0 && along <= f->length && rank > best) {
            *other = (DeepEdge){k, nx, ny, s, rank, false};
            corner = c;
            best = rank;
        }
    }
    return corner;
}

/* Both corners of a contact may find it, so it is added only once. */
static void emit_deep(OutlinePair *p, int s, int32_t v, const DeepEdge *d) {
    int32_t of_v = 2 * (p->side[s].first + v), of_e = 2 * (p->side[1 - s].first + d->edge) + 1;
    int32_t feature = s == 0 ? scr_feature(of_v, of_e) : scr_feature(of_e, of_v);
    for (size_t k = p->first; k < p->touches->count; k++) {
        if (p->touches->item[k].feature == feature) {
            return;
        }
    }
    emit(p, s, v, d->edge, CORNER_EDGE, d->nx, d->ny, d->distance);
    p->deep++;
}

/* The edge of `deep` with the highest rank, and its neighbour across a reflex corner if the corner
 * in hand is shallow there, too: it has been pressed into a notch. */
static void touch_deep(OutlinePair *p, const Probe *q, const DeepEdge *deep, int count) {
    const OutlineSide *b = &p->side[1 - q->side];
    int best = -1;
    for (int i = 0; i < count && best < 0; i++) {
        best = deep[i].done ? i : -1;
    }
    bool on = best >= 0;
    if (b->count > 2 && !on && !scr_side_contains(b, q->x, q->y)) {
        return;
    }
    for (int i = 0; i < count && !on; i++) {
        if ((best < 0 || deep[i].rank > deep[best].rank) && came_through(p, q, &deep[i])) {
            best = i;
        }
    }
    if (best < 0) {
        return;
    }
    DeepEdge other;
    int32_t corner = on ? -1 : other_way_round(p, q, &deep[best], &other);
    if (corner >= 0) {
        emit_deep(p, 1 - q->side, corner, &other);
        return;
    }
    int32_t e = deep[best].edge, after = scr_next_corner(b, e), before = scr_previous_corner(b, e);
    for (int i = 0; i < count; i++) {
        int32_t k = deep[i].edge;
        bool notch =
            (k == after && b->corner[after].reflex) || (k == before && b->corner[e].reflex);
        double shallow = 0.1 * scr_min(b->corner[e].length, b->corner[k].length);
        if (deep[i].done) {
            continue;
        }
        if (i == best || (notch && deep[i].distance >= -shallow &&
                          deep[best].distance >= -shallow && came_through(p, q, &deep[i]))) {
            emit_deep(p, q->side, q->v, &deep[i]);
        }
    }
}

enum { MOST_DEEP = 16 };

static void touch_edges(OutlinePair *p, const Probe *q) {
    const OutlineSide *b = &p->side[1 - q->side];
    double most = p->reach + p->side[0].rounding + p->side[1].rounding;
    DeepEdge deep[MOST_DEEP];
    int deep_count = 0;
    bool any = false;
    for (int32_t k = 0; k < b->count && b->count > 1; k++) {
        const Corner *e = &b->corner[k];
        double wx = q->x - b->x - e->x, wy = q->y - b->y - e->y;
        double nx = e->ty, ny = -e->tx, s = nx * wx + ny * wy;
        if (s > most || q->next[0] * nx + q->next[1] * ny < -OUTLINE_TILT ||
            q->previous[0] * nx + q->previous[1] * ny < -OUTLINE_TILT) {
            continue;
        }
        int32_t m = scr_next_corner(b, k);
        const Corner *f = &b->corner[m];
        double start = e->tx * wx + e->ty * wy;
        double end = e->tx * (q->x - b->x - f->x) + e->ty * (q->y - b->y - f->y);
        double beyond = overshoot(p, b, k, start, end, s);
        bool on = s >= -p->flat;
        if ((on && beyond > 0) || is_met(q, k) || is_met(q, m)) {
            continue;
        }
        if (on) {
            emit(p, q->side, q->v, k, CORNER_EDGE, nx, ny, s);
        }
        if (s > p->flat || q->met_count > 0 || deep_count == MOST_DEEP ||
            (b->count == 2 && beyond > 0)) {
            continue;
        }
        any = any || !on;
        double rank = on ? 0 : deep_rank(p, q, k, nx, ny, beyond);
        deep[deep_count++] = (DeepEdge){k, nx, ny, s, rank, on};
    }
    if (any) {
        touch_deep(p, q, deep, deep_count);
    }
}

/* ---------------------------------------------------------------- two parts */

/* All corners of one side that lie in the box of the other, widened by the reach. If the other is
 * thin, corners far behind it may have gone through it, so all are looked at. */
static void touch_side(OutlinePair *p, int s) {
    const OutlineSide *a = &p->side[s], *b = &p->side[1 - s];
    double wide = p->reach + a->rounding + p->widest_zone;
    for (int32_t v = 0; v < a->count; v++) {
        const Corner *c = &a->corner[v];
        double x = c->x + a->x, y = c->y + a->y;
        bool outside = x < b->low[0] - wide || x > b->high[0] + wide || y < b->low[1] - wide ||
                       y > b->high[1] + wide;
        if (c->reflex || (outside && b->count != 2)) {
            continue;
        }
        Probe q = probe_at(p, s, v);
        touch_corners(p, &q);
        touch_edges(p, &q);
    }
}

static void touch_parts(OutlinePair *p) {
    p->first = p->touches->count;
    p->deep = 0;
    touch_side(p, 0);
    touch_side(p, 1);
    if (p->deep > 1) {
        scr_settle_deep(p);
    }
    CrossedEdges crossed;
    if (p->deep == 0 && scr_edges_cross(p, &crossed)) {
        emit(p, crossed.side, crossed.corner, crossed.edge, CORNER_EDGE, crossed.nx, crossed.ny,
             crossed.distance);
    }
}

static void set_side(OutlineSide *side, const Outline *outline, int32_t part) {
    const OutlinePart *p = &outline->part[part];
    side->corner = outline->corner + p->first;
    side->first = p->first;
    side->count = p->count;
    side->rounding = p->rounding;
    if (outline->parts == 1) {
        for (int i = 0; i < 2; i++) {
            double offset = i == 0 ? side->x : side->y;
            side->low[i] = outline->low[i] + offset;
            side->high[i] = outline->high[i] + offset;
        }
        return;
    }
    side->low[0] = side->low[1] = INFINITY;
    side->high[0] = side->high[1] = -INFINITY;
    for (int32_t k = 0; k < p->count; k++) {
        scr_box_add(side->low, side->high, side->corner[k].x + side->x, side->corner[k].y + side->y,
                    p->rounding);
    }
}

static bool boxes_meet(const double *low, const double *high, const double *other_low,
                       const double *other_high, double x, double y, double reach) {
    return low[0] <= other_high[0] + x + reach && other_low[0] + x <= high[0] + reach &&
           low[1] <= other_high[1] + y + reach && other_low[1] + y <= high[1] + reach;
}

static double half_size(const Outline *o) {
    return 0.5 * scr_max(o->high[0] - o->low[0], o->high[1] - o->low[1]);
}

ScreeStatus scr_touch_outlines(const Outline *a, const Outline *b, Vec3 d, const StepMotion *motion,
                               double reach, OutlineTouches *touches) {
    touches->count = 0;
    if (!boxes_meet(a->low, a->high, b->low, b->high, d.x, d.y, reach)) {
        return SCREE_OK;
    }
    double size_a = half_size(a), size_b = half_size(b);
    OutlinePair pair = {.touches = touches, .reach = reach, .size = scr_min(size_a, size_b)};
    pair.flat = 1e-10 * pair.size;
    pair.side[0].turn = motion->turn_a.z;
    pair.side[1].turn = motion->turn_b.z;
    pair.side[1].x = d.x;
    pair.side[1].y = d.y;
    pair.side[1].shift_x = motion->shift.x;
    pair.side[1].shift_y = motion->shift.y;
    pair.widest_zone =
        scr_max(1e-3 * pair.size,
                1.5 * (scr_hypot(motion->shift.x, motion->shift.y) +
                       fabs(motion->turn_a.z) * 2 * size_a + fabs(motion->turn_b.z) * 2 * size_b));
    for (int32_t i = 0; i < a->parts; i++) {
        set_side(&pair.side[0], a, i);
        if (!boxes_meet(pair.side[0].low, pair.side[0].high, b->low, b->high, d.x, d.y, reach)) {
            continue;
        }
        for (int32_t j = 0; j < b->parts; j++) {
            set_side(&pair.side[1], b, j);
            if (boxes_meet(pair.side[0].low, pair.side[0].high, pair.side[1].low, pair.side[1].high,
                           0, 0, reach)) {
                touch_parts(&pair);
            }
        }
    }
    if (!scr_any_overlap(touches) && scr_one_may_hold(a, b, d) &&
        !scr_touch_hulls(a, b, d, 1e-3 * pair.size, touches)) {
        return SCREE_NO_MEMORY;
    }
    return pair.status;
}

/* ---------------------------------------------------------------- one contact again */

double scr_outline_gap(const Outline *a, const Outline *b, Vec3 d, Vec3 normal, int32_t feature) {
    int32_t of_a = scr_feature_a(feature), of_b = scr_feature_b(feature);
    if (scr_is_hull_contact(feature)) {
        return scr_hull_gap(a, b, d, feature);
    }
    const Corner *p = &a->corner[of_a / 2], *q = &b->corner[of_b / 2];
    double wx = q->x + d.x - p->x, wy = q->y + d.y - p->y;
    double s = of_a % 2 == 1   ? p->ty * wx - p->tx * wy
               : of_b % 2 == 1 ? -(q->ty * wx - q->tx * wy)
                               : normal.x * wx + normal.y * wy;
    return s - scr_rounding_at(a->part, a->parts, of_a / 2) -
           scr_rounding_at(b->part, b->parts, of_b / 2);
}
