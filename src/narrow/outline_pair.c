#include "narrow/outline_pair.h"

typedef struct Point {
    double x, y;
} Point;

static Point corner_at(const OutlineSide *side, int32_t k) {
    return (Point){side->corner[k].x + side->x, side->corner[k].y + side->y};
}
/* Turned by a small angle, to second order. */
static Point turned(Point p, double angle) {
    double c = 1 - 0.5 * angle * angle;
    return (Point){c * p.x - angle * p.y, angle * p.x + c * p.y};
}
/* After the step. */
static Point later_corner_at(const OutlineSide *side, int32_t k) {
    Point p = turned((Point){side->corner[k].x, side->corner[k].y}, side->turn);
    return (Point){p.x + side->x + side->shift_x, p.y + side->y + side->shift_y};
}
static Point normal_of(const Corner *edge) {
    return (Point){edge->ty, -edge->tx};
}
static double inner(Point a, Point b) {
    return a.x * b.x + a.y * b.y;
}
static Point minus(Point a, Point b) {
    return (Point){a.x - b.x, a.y - b.y};
}
static Point times(double s, Point a) {
    return (Point){s * a.x, s * a.y};
}

bool scr_side_contains(const OutlineSide *side, double x, double y) {
    bool inside = false;
    int32_t j = side->count - 1;
    double px = x - side->x, py = y - side->y;
    for (int32_t k = 0; k < side->count; j = k++) {
        const Corner *a = &side->corner[j], *b = &side->corner[k];
        if ((a->y > py) != (b->y > py)) {
            /* positive to the left of the edge from a to b */
            double across = a->tx * (py - a->y) - a->ty * (px - a->x);
            inside ^= (across > 0) == (b->y > a->y);
        }
    }
    return inside;
}

double scr_later_distance(const OutlinePair *pair, int s, int32_t v, int32_t k) {
    const OutlineSide *b = &pair->side[1 - s];
    Point w = minus(later_corner_at(&pair->side[s], v), later_corner_at(b, k));
    return inner(w, turned(normal_of(&b->corner[k]), b->turn));
}

/* ---------------------------------------------------------------- two corners */

/* Two corners that coincide, or one above the other where two faces end. The directions n that part
 * them satisfy n.t <= 0 for both edges t that leave the second corner, and n.t >= 0 for those that
 * leave the first. They form an interval, whose ends are normals of edges. */
typedef struct CornerPair {
    Point out_a, in_a, out_b, in_b; /* directions away from the corner, along its two edges */
    Point normal[4];                /* of the edges of the second, and minus those of the first */
    Point w;                        /* from the second to the first */
    double zone;
} CornerPair;

static CornerPair corner_pair(const OutlinePair *pair, int32_t v, int32_t c) {
    const OutlineSide *a = &pair->side[0], *b = &pair->side[1];
    const Corner *va = &a->corner[v], *pa = &a->corner[scr_previous_corner(a, v)];
    const Corner *cb = &b->corner[c], *pb = &b->corner[scr_previous_corner(b, c)];
    CornerPair q = {
        .out_a = {va->tx, va->ty},
        .in_a = {-pa->tx, -pa->ty},
        .out_b = {cb->tx, cb->ty},
        .in_b = {-pb->tx, -pb->ty},
        .normal = {normal_of(pb), normal_of(cb), times(-1, normal_of(pa)),
                   times(-1, normal_of(va))},
        .w = minus(corner_at(a, v), corner_at(b, c)),
    };
    Point motion = minus(minus(later_corner_at(a, v), later_corner_at(b, c)), q.w);
    double shortest = scr_min(scr_min(va->length, pa->length), scr_min(cb->length, pb->length));
    q.zone =
        scr_min(scr_max(1e-3 * pair->size, 1.5 * sqrt(inner(motion, motion))), 0.25 * shortest);
    return q;
}

/* Either the corners are nearer than the zone, so that they may pass each other within the step, or
 * two faces that lie on or above each other end at the same point. */
static bool is_pair(const CornerPair *q) {
    if (inner(q->w, q->w) <= q->zone * q->zone) {
        return true;
    }
    const Point away[4] = {q->in_b, q->out_b, q->in_a, q->out_a};
    for (int i = 0; i < 2; i++) {
        for (int j = 2; j < 4; j++) {
            Point n = q->normal[i], m = q->normal[j];
            if (inner(n, m) > OUTLINE_PARALLEL && fabs(n.x * q->w.y - n.y * q->w.x) <= q->zone &&
                fabs(m.x * q->w.y - m.y * q->w.x) <= q->zone &&
                (inner(n, q->w) > 0 || inner(away[i], away[j]) > 0)) {
                return true;
            }
        }
    }
    return false;
}

static bool parts_corners(const CornerPair *q, Point n) {
    const double little = 1e-9;
    return inner(n, q->out_b) <= little && inner(n, q->in_b) <= little &&
           inner(n, q->out_a) >= -little && inner(n, q->in_a) >= -little;
}

/* Of the directions that part the corners, the one along which `w` is longest, or the middle of
 * them all when w is nothing but rounding error. */
static bool best_direction(const CornerPair *q, Point w, double rounding, Point *best,
                           int *edge_of) {
    Point sum = {0, 0};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        Point n = q->normal[i];
        if (!parts_corners(q, n)) {
            continue;
        }
        if (count++ == 0 || inner(n, w) > inner(*best, w)) {
            *best = n;
            *edge_of = i < 2 ? 1 : 0;
        }
        sum.x += n.x;
        sum.y += n.y;
    }
    double l = sqrt(inner(w, w)), middle = sqrt(inner(sum, sum));
    if (l > rounding) {
        Point n = times(1 / l, w);
        if (parts_corners(q, n)) {
            *best = n;
            *edge_of = -1;
            return true;
        }
    } else if (count > 0 && middle > 1e-3) {
        *best = times(1 / middle, sum);
        *edge_of = -1;
    }
    return count > 0;
}

/* Faces that overlap at a small angle: no direction parts them, so the mean of their normals is
 * taken. */
static bool facing_direction(const CornerPair *q, Point *best) {
    double most = OUTLINE_PARALLEL;
    bool found = false;
    for (int i = 0; i < 2; i++) {
        for (int j = 2; j < 4; j++) {
            double c = inner(q->normal[i], q->normal[j]);
            if (c > most) {
                Point sum = {q->normal[i].x + q->normal[j].x, q->normal[i].y + q->normal[j].y};
                *best = times(1 / sqrt(inner(sum, sum)), sum);
                most = c;
                found = true;
            }
        }
    }
    return found;
}

bool scr_corners_meet(const OutlinePair *pair, int32_t v, int32_t c, CornerMeeting *meeting) {
    CornerPair q = corner_pair(pair, v, c);
    if (!is_pair(&q)) {
        return false;
    }
    Point w = q.w, n = {0, 0};
    if (inner(w, w) <= q.zone * q.zone) {
        w = minus(later_corner_at(&pair->side[0], v), later_corner_at(&pair->side[1], c));
    }
    int edge_of = -1;
    if (!best_direction(&q, w, 1e-9 * pair->size, &n, &edge_of) && !facing_direction(&q, &n)) {
        return false;
    }
    *meeting = (CornerMeeting){n.x, n.y, inner(n, q.w), edge_of};
    return true;
}

/* ---------------------------------------------------------------- deep contacts */

/* A contact of a corner inside the other part, recovered from its feature. */
typedef struct DeepTouch {
    int side; /* of the corner */
    int32_t corner, edge;
    double depth;
    Point normal;
} DeepTouch;

static DeepTouch deep_touch(const OutlinePair *pair, const OutlineTouch *touch) {
    int32_t a = scr_feature_a(touch->feature), b = scr_feature_b(touch->feature);
    double depth = -touch->gap - pair->side[0].rounding - pair->side[1].rounding;
    DeepTouch deep = {-1, 0, 0, depth, {touch->normal.x, touch->normal.y}};
    if (depth > pair->flat && (a % 2 == 1 || b % 2 == 1)) {
        deep.side = a % 2 == 1;
        deep.corner = (a % 2 == 1 ? b : a) / 2 - pair->side[deep.side].first;
        deep.edge = (a % 2 == 1 ? a : b) / 2 - pair->side[1 - deep.side].first;
    }
    return deep;
}

static bool is_convex(const OutlineSide *side) {
    for (int32_t k = 0; k < side->count; k++) {
        if (side->corner[k].reflex) {
            return false;
        }
    }
    return true;
}

/* Whether two deep contacts describe the same overlap: a corner of a that entered b, and near it
 * one of b that entered a. */
static bool are_alternatives(const OutlinePair *pair, const DeepTouch *s, const DeepTouch *t,
                             bool convex) {
    if (inner(s->normal, t->normal) >= OUTLINE_PARALLEL) {
        return false;
    }
    if (convex) {
        return true;
    }
    if (s->side == t->side) {
        return false;
    }
    Point w = minus(corner_at(&pair->side[s->side], s->corner),
                    corner_at(&pair->side[t->side], t->corner));
    double near = 10 * scr_max(s->depth, t->depth);
    return inner(w, w) <= near * near;
}

void scr_settle_deep(OutlinePair *pair) {
    OutlineTouches *list = pair->touches;
    bool convex = is_convex(&pair->side[0]) && is_convex(&pair->side[1]);
    for (size_t i = pair->first; i < list->count; i++) {
        DeepTouch s = deep_touch(pair, &list->item[i]);
        for (size_t j = i + 1; j < list->count && s.side >= 0; j++) {
            DeepTouch t = deep_touch(pair, &list->item[j]);
            if (t.side < 0 || !are_alternatives(pair, &s, &t, convex)) {
                continue;
            }
            bool first_goes = scr_later_distance(pair, s.side, s.corner, s.edge) <
                              scr_later_distance(pair, t.side, t.corner, t.edge);
            size_t goes = first_goes ? i : j;
            for (size_t k = goes; k + 1 < list->count; k++) {
                list->item[k] = list->item[k + 1];
            }
            list->count--;
            j--;
            if (first_goes) {
                i--;
                break;
            }
        }
    }
}

/* ---------------------------------------------------------------- crossing */

/* Where the boxes of the two polygons overlap. */
typedef struct CommonBox {
    double low[2], high[2];
} CommonBox;

static CommonBox common_box(const OutlineSide *a, const OutlineSide *b) {
    CommonBox box;
    for (int i = 0; i < 2; i++) {
        box.low[i] = scr_max(a->low[i] + a->rounding, b->low[i] + b->rounding);
        box.high[i] = scr_min(a->high[i] - a->rounding, b->high[i] - b->rounding);
    }
    return box;
}

static bool edge_in_box(const OutlineSide *a, int32_t k, const CommonBox *box) {
    Point p = corner_at(a, k), q = corner_at(a, scr_next_corner(a, k));
    return (p.x >= box->low[0] || q.x >= box->low[0]) &&
           (p.x <= box->high[0] || q.x <= box->high[0]) &&
           (p.y >= box->low[1] || q.y >= box->low[1]) &&
           (p.y <= box->high[1] || q.y <= box->high[1]);
}

static double behind(const OutlineSide *edges, int32_t k, Point p) {
    return inner(normal_of(&edges->corner[k]), minus(p, corner_at(edges, k)));
}

/* Whether the two edges cross, by more than rounding error. */
static bool cross_each_other(const OutlinePair *pair, int32_t i, int32_t j) {
    const OutlineSide *a = &pair->side[0], *b = &pair->side[1];
    double little = 1e-6 * pair->size;
    double s = behind(b, j, corner_at(a, i)), t = behind(b, j, corner_at(a, scr_next_corner(a, i)));
    if (!((s > little && t < -little) || (s < -little && t > little))) {
        return false;
    }
    s = behind(a, i, corner_at(b, j));
    t = behind(a, i, corner_at(b, scr_next_corner(b, j)));
    return (s > little && t < -little) || (s < -little && t > little);
}

/* Follows the outline from the end of edge i of side s that is behind edge k of the other to the
 * deepest corner, and keeps it if it is less deep than the best so far. */
static void consider(const OutlinePair *pair, int s, int32_t i, int32_t k, double *best,
                     CrossedEdges *crossed) {
    const OutlineSide *a = &pair->side[s], *b = &pair->side[1 - s];
    int32_t v = scr_next_corner(a, i);
    bool forwards = behind(b, k, corner_at(a, v)) < 0;
    v = forwards ? v : i;
    for (int32_t step = 0; step < a->count; step++) {
        int32_t u = forwards ? scr_next_corner(a, v) : scr_previous_corner(a, v);
        if (!(behind(b, k, corner_at(a, u)) < behind(b, k, corner_at(a, v)))) {
            break;
        }
        v = u;
    }
    double later = scr_later_distance(pair, s, v, k);
    if (later > *best) {
        Point n = normal_of(&b->corner[k]);
        *best = later;
        *crossed = (CrossedEdges){s, v, k, n.x, n.y, behind(b, k, corner_at(a, v))};
    }
}

bool scr_edges_cross(const OutlinePair *pair, CrossedEdges *crossed) {
    const OutlineSide *a = &pair->side[0], *b = &pair->side[1];
    CommonBox box = common_box(a, b);
    if (a->count < 2 || b->count < 2 || box.low[0] > box.high[0] || box.low[1] > box.high[1]) {
        return false;
    }
    double best = -INFINITY;
    for (int32_t i = 0; i < a->count; i++) {
        if (!edge_in_box(a, i, &box)) {
            continue;
        }
        for (int32_t j = 0; j < b->count; j++) {
            if (edge_in_box(b, j, &box) && cross_each_other(pair, i, j)) {
                consider(pair, 0, i, j, &best, crossed);
                consider(pair, 1, j, i, &best, crossed);
            }
        }
    }
    return best > -INFINITY;
}
