#include "shape/nurbs.h"

#include <string.h>

/* ---------------------------------------------------------------- evaluation */

/* De Casteljau's scheme: the derivatives of the homogeneous curve (X, Y, W) follow from its last
 * three rows, and with x = X / W, by the quotient rule,
 *
 *     x' = (X' - x W') / W,   x'' = (X'' - 2 x' W' - x W'') / W. */
static inline NurbsAt evaluate(const NurbsPiece *piece, int p, double t) {
    double b[MOST_DEGREE + 1][3], s = 1 - t, first[3] = {0, 0, 0}, second[3] = {0, 0, 0};
    memcpy(b, piece->b, (size_t)(p + 1) * sizeof b[0]);
    for (int row = p; row > 0; row--) {
        for (int i = 0; i < 3; i++) {
            if (row == 2) {
                second[i] = p * (p - 1) * (b[2][i] - 2 * b[1][i] + b[0][i]);
            }
            if (row == 1) {
                first[i] = p * (b[1][i] - b[0][i]);
            }
        }
        for (int k = 0; k < row; k++) {
            for (int i = 0; i < 3; i++) {
                b[k][i] = s * b[k][i] + t * b[k + 1][i];
            }
        }
    }
    double w = 1 / b[0][2];
    NurbsAt at = {.x = b[0][0] * w, .y = b[0][1] * w};
    at.dx = (first[0] - at.x * first[2]) * w;
    at.dy = (first[1] - at.y * first[2]) * w;
    at.ddx = (second[0] - 2 * at.dx * first[2] - at.x * second[2]) * w;
    at.ddy = (second[1] - 2 * at.dy * first[2] - at.y * second[2]) * w;
    return at;
}

/* The usual degrees are passed as constants, so that their loops are unrolled. */
NurbsAt scr_nurbs_at(const Nurbs *nurbs, int32_t piece, double t) {
    const NurbsPiece *b = &nurbs->piece[piece];
    switch (nurbs->degree) {
    case 1:
        return evaluate(b, 1, t);
    case 2:
        return evaluate(b, 2, t);
    case 3:
        return evaluate(b, 3, t);
    default:
        return evaluate(b, nurbs->degree, t);
    }
}

/* ---------------------------------------------------------------- pieces */

/* The blossom of the spline on its knot span [u_k, u_k+1]: symmetric and affine in each of its
 * `degree` arguments. Bezier point j of the span is its value at u_k, (degree - j) times, and
 * u_k+1, j times. */
static void blossom(const ScreeNurbs *def, size_t k, const double *argument, double result[3]) {
    size_t p = (size_t)def->degree;
    double d[MOST_DEGREE + 1][3];
    for (size_t j = 0; j <= p; j++) {
        double w = def->weight != NULL ? def->weight[k - p + j] : 1;
        d[j][0] = w * def->point[k - p + j].x;
        d[j][1] = w * def->point[k - p + j].y;
        d[j][2] = w;
    }
    for (size_t r = 1; r <= p; r++) {
        for (size_t j = p; j >= r; j--) {
            double low = def->knot[j + k - p], high = def->knot[j + 1 + k - r];
            double a = (argument[r - 1] - low) / (high - low);
            for (int i = 0; i < 3; i++) {
                d[j][i] = (1 - a) * d[j - 1][i] + a * d[j][i];
            }
        }
    }
    memcpy(result, d[p], sizeof d[p]);
}

bool scr_nurbs_cut(const ScreeNurbs *def, Nurbs *n) {
    size_t p = (size_t)def->degree, pieces = 0;
    if (!scr_block_reserve_exact(&n->piece_block, def->points - p, sizeof *n->piece, 0)) {
        return false;
    }
    n->degree = def->degree;
    n->piece = n->piece_block.data;
    for (size_t k = p; k < def->points; k++) {
        double low = def->knot[k], high = def->knot[k + 1];
        if (!(high > low)) {
            continue;
        }
        memset(&n->piece[pieces], 0, sizeof *n->piece);
        for (size_t j = 0; j <= p; j++) {
            double argument[MOST_DEGREE];
            for (size_t i = 0; i < p; i++) {
                argument[i] = i < p - j ? low : high;
            }
            blossom(def, k, argument, n->piece[pieces].b[j]);
        }
        pieces++;
    }
    n->pieces = (int32_t)pieces;
    NurbsAt begin = scr_nurbs_at(n, 0, 0), end_of_all = scr_nurbs_at(n, n->pieces - 1, 1);
    n->seam = scr_hypot(end_of_all.x - begin.x, end_of_all.y - begin.y);
    /* joins ends that differ only by rounding */
    for (size_t k = 0; k < pieces; k++) {
        double *end = n->piece[k].b[p];
        const double *next = n->piece[(k + 1) % pieces].b[0];
        double w = end[2] / next[2];
        end[0] = w * next[0];
        end[1] = w * next[1];
    }
    return true;
}

/* ---------------------------------------------------------------- nodes */

/* A piece's part from `begin` to `end`. */
typedef struct Part {
    NurbsPiece piece;
    double begin, end;
} Part;

static void halve(const Part *whole, int degree, Part *first, Part *second) {
    *second = *whole;
    first->piece = whole->piece; /* entries beyond the degree are copied unchanged */
    for (int row = degree; row >= 0; row--) {
        memcpy(first->piece.b[degree - row], second->piece.b[0], sizeof second->piece.b[0]);
        for (int k = 0; k < row; k++) {
            for (int i = 0; i < 3; i++) {
                second->piece.b[k][i] = 0.5 * (second->piece.b[k][i] + second->piece.b[k + 1][i]);
            }
        }
    }
    first->begin = whole->begin;
    first->end = second->begin = 0.5 * (whole->begin + whole->end);
}

static Vec3 control(const Part *part, int k) {
    const double *b = part->piece.b[k];
    return vec3(b[0] / b[2], b[1] / b[2], 0);
}

/* Whether a part is nearly straight. With positive weights the curve stays within the hull of its
 * control points, and turns by no more than the polygon through them. */
static bool is_plain(const Part *part, int degree, double bulge) {
    Vec3 first = control(part, 0), last = control(part, degree), chord = unit(sub(last, first));
    Vec3 before = vec3(0, 0, 0), from = first;
    double turn = 0;
    for (int k = 1; k <= degree; k++) {
        Vec3 to = control(part, k), leg = sub(to, from), out = sub(to, first);
        if (fabs(chord.x * out.y - chord.y * out.x) > bulge || dot(leg, chord) < 0) {
            return false;
        }
        if (dot(before, before) > 0 && dot(leg, leg) > 0) {
            turn += fabs(scr_atan2(before.x * leg.y - before.y * leg.x,
                                   before.x * leg.x + before.y * leg.y));
        }
        before = dot(leg, leg) > 0 ? leg : before;
        from = to;
    }
    return turn <= NURBS_TURN;
}

static bool add_node(Nurbs *n, int32_t piece, double begin, double end) {
    if (n->nodes >= MOST_NODES) {
        n->nodes = MOST_NODES + 1;
        return false;
    }
    if (!SCR_RESERVE_KEEPING(n, node, (size_t)n->nodes + 1, (size_t)n->nodes)) {
        return false;
    }
    NurbsAt at = scr_nurbs_at(n, piece, begin);
    n->node[n->nodes++] =
        (NurbsNode){.x = at.x, .y = at.y, .begin = begin, .end = end, .piece = piece};
    return true;
}

static double bend_at(const Nurbs *n, int32_t piece, double t) {
    NurbsAt at = scr_nurbs_at(n, piece, t);
    return at.dx * at.ddy - at.dy * at.ddx;
}

/* A span bends in one direction only, because there is a node wherever the curvature changes sign.
 * So no tangent occurs twice in a span. */
static bool add_span(Nurbs *n, int32_t piece, const Part *part) {
    double low = part->begin, high = part->end;
    double first = bend_at(n, piece, low), last = bend_at(n, piece, high);
    if (!((first < 0 && last > 0) || (first > 0 && last < 0))) {
        return add_node(n, piece, part->begin, part->end);
    }
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        *((bend_at(n, piece, middle) < 0) == (first < 0) ? &low : &high) = middle;
    }
    double least = 0.02 * (part->end - part->begin);
    if (low - part->begin < least || part->end - low < least) {
        return add_node(n, piece, part->begin, part->end);
    }
    return add_node(n, piece, part->begin, low) && add_node(n, piece, low, part->end);
}

enum { MOST_HALVINGS = 24 };

static bool sample_piece(Nurbs *n, int32_t piece, double bulge) {
    Part stack[MOST_HALVINGS + 1];
    int depth[MOST_HALVINGS + 1], top = 0;
    stack[0] = (Part){n->piece[piece], 0, 1};
    depth[0] = 0;
    while (top >= 0) {
        if (depth[top] == MOST_HALVINGS || is_plain(&stack[top], n->degree, bulge)) {
            if (!add_span(n, piece, &stack[top--])) {
                return false;
            }
            continue;
        }
        Part whole = stack[top];
        depth[top] = depth[top + 1] = depth[top] + 1;
        halve(&whole, n->degree, &stack[top + 1], &stack[top]);
        top++;
    }
    return true;
}

static void set_unit(double into[2], double x, double y) {
    double l = scr_hypot(x, y);
    into[0] = l > 0 ? x / l : 0;
    into[1] = l > 0 ? y / l : 0;
}

static double turn_between(const double a[2], const double b[2]) {
    return scr_atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

/* If the tangent jumps by a smaller angle, the curve counts as smooth. */
static const double smooth = 1e-7;

static void set_tangents(Nurbs *n) {
    for (int32_t k = 0; k < n->nodes; k++) {
        NurbsNode *node = &n->node[k], *next = &n->node[(k + 1) % n->nodes];
        NurbsAt begin = scr_nurbs_at(n, node->piece, node->begin);
        NurbsAt end = scr_nurbs_at(n, node->piece, node->end);
        set_unit(node->out, begin.dx, begin.dy);
        set_unit(next->in, end.dx, end.dy);
    }
    for (int32_t k = 0; k < n->nodes; k++) {
        NurbsNode *node = &n->node[k];
        double *in = node->in, *out = node->out;
        double jump = turn_between(in, out);
        if (fabs(jump) > smooth) {
            node->kind = jump > 0 ? NODE_CORNER : NODE_REFLEX;
        } else {
            set_unit(in, in[0] + out[0], in[1] + out[1]);
            memcpy(out, in, sizeof node->in);
        }
    }
}

/* ---------------------------------------------------------------- sides */

/* A side is a run of spans that turns by at most `side_turn`, is at least `side_length` diameters
 * long, and has a mean radius of curvature of at least `side_radius` diameters: two bodies that lie
 * on each other along a side touch at both of its ends. */
static const double side_turn = 0.03, side_length = 0.02, side_radius = 5;

/* Follows the curve from node k as long as the tangent stays near that at k. Returns the length, or
 * 0 when the run is too curved. */
static double run_from(const Nurbs *n, int32_t k, double diameter, int32_t *last) {
    double length = 0, low = 0, high = 0, angle = 0, turn = 0;
    int32_t at = k;
    for (int32_t count = 0; count < n->nodes; count++) {
        int32_t next = at + 1 == n->nodes ? 0 : at + 1;
        angle += turn_between(n->node[at].out, n->node[next].in);
        low = scr_min(low, angle);
        high = scr_max(high, angle);
        if (high - low > side_turn) {
            break;
        }
        turn = high - low;
        length += scr_hypot(n->node[next].x - n->node[at].x, n->node[next].y - n->node[at].y);
        at = next;
        angle += turn_between(n->node[at].in, n->node[at].out);
        if (n->node[at].kind != NODE_SMOOTH && n->node[at].kind != NODE_END) {
            break;
        }
    }
    *last = at;
    return turn * side_radius * diameter <= length ? length : 0;
}

/* The node at which the outline turns most; no side continues past it. */
static int32_t sharpest(const Nurbs *n) {
    double most = -1;
    int32_t at = 0;
    for (int32_t k = 0; k < n->nodes; k++) {
        double turn = fabs(turn_between(n->node[k > 0 ? k - 1 : n->nodes - 1].out, n->node[k].out));
        at = turn > most ? k : at;
        most = scr_max(most, turn);
    }
    return at;
}

/* Where runs overlap, the longest is the side. */
static void mark_sides(Nurbs *n, double diameter) {
    int32_t start = sharpest(n), k = 0;
    while (k < n->nodes) {
        int32_t last, best = -1, span = 0;
        double longest = side_length * diameter;
        for (int32_t i = k; i < n->nodes && (best < 0 || i < best + span); i++) {
            int32_t from = (start + i) % n->nodes;
            double length = run_from(n, from, diameter, &last);
            if (length > longest * (1 + 1e-9)) {
                longest = length;
                best = i;
                span = (last - from + n->nodes) % n->nodes;
            }
        }
        if (best < 0) {
            return;
        }
        for (int32_t i = best; i <= best + span; i += span > 0 ? span : 1) {
            NurbsNode *end = &n->node[(start + i) % n->nodes];
            end->kind = end->kind == NODE_SMOOTH ? NODE_END : end->kind;
        }
        k = best + (span > 0 ? span : 1);
    }
}

bool scr_nurbs_sample(Nurbs *n, double diameter) {
    n->nodes = 0;
    n->bulge = NURBS_BULGE * diameter;
    for (int32_t k = 0; k < n->pieces; k++) {
        if (!sample_piece(n, k, n->bulge)) {
            return false;
        }
    }
    set_tangents(n);
    mark_sides(n, diameter);
    return true;
}

void scr_nurbs_free(Nurbs *n) {
    scr_block_free(&n->piece_block);
    scr_block_free(&n->node_block);
    *n = (Nurbs){0};
}
