/* What is wrong with the definition of a closed curve. */
#include "shape/nurbs.h"

#include "base/status.h"

/* ---------------------------------------------------------------- numbers */

static ScreeStatus check_counts(const ScreeNurbs *def, char *message) {
    if (def->degree < 1 || def->degree > MOST_DEGREE) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "the degree of a NURBS curve is from 1 to %d, not %d", (int)MOST_DEGREE,
                        def->degree);
    }
    size_t p = (size_t)def->degree;
    if (def->point == NULL || def->points < p + 1 || def->points < 3) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "a closed curve of degree %d has at least %zu control points", def->degree,
                        p + 1 > 3 ? p + 1 : 3);
    }
    if (def->points > MOST_NODES) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "a curve has at most %d control points",
                        (int)MOST_NODES);
    }
    if (def->knot == NULL || def->knots != def->points + p + 1) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "%zu control points of degree %d take %zu knots (points + degree + 1), and "
                        "there are %zu",
                        def->points, def->degree, def->points + p + 1, def->knots);
    }
    return SCREE_OK;
}

static ScreeStatus check_points(const ScreeNurbs *def, char *message) {
    for (size_t k = 0; k < def->points; k++) {
        Vec3 c = def->point[k];
        double size = scr_max(fabs(c.x), fabs(c.y));
        if (!is_finite(c) || size > 1e100) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "point %zu: its coordinates are not finite", k);
        }
        if (c.z != 0) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "point %zu: shapes lie in the plane: its z must be 0", k);
        }
        if (def->weight != NULL && !(def->weight[k] >= 1e-6 && def->weight[k] <= 1e6)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "weight %zu: a weight is from 1e-6 to 1e6, not %g", k, def->weight[k]);
        }
    }
    return SCREE_OK;
}

/* Inside the curve a knot may occur at most `degree` times: more would tear it apart. */
static ScreeStatus check_knots(const ScreeNurbs *def, char *message) {
    size_t p = (size_t)def->degree;
    for (size_t k = 0; k < def->knots; k++) {
        if (!isfinite(def->knot[k])) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "knot %zu: is not finite", k);
        }
        if (k > 0 && def->knot[k] < def->knot[k - 1]) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "knot %zu: is less than the one before it",
                            k);
        }
    }
    double low = def->knot[p], high = def->knot[def->points];
    if (!(high > low)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "knot %zu: the curve runs from knot %zu to this one, and they are "
                        "the same",
                        def->points, p);
    }
    for (size_t k = 1; k + p < def->knots; k++) {
        double u = def->knot[k];
        if (u == def->knot[k + p] && u > low && u < high) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "knot %zu: stands more than %d times, which breaks the curve apart", k,
                            def->degree);
        }
    }
    for (size_t k = p; k < def->points; k++) {
        double step = def->knot[k + 1] - def->knot[k];
        if (step > 0 && step < 1e-9 * (high - low)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "knot %zu: nearly repeats the one before it", k + 1);
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the curve */

/* The number of the knot at which a piece begins. */
static size_t knot_of(const ScreeNurbs *def, int32_t piece) {
    size_t k = (size_t)def->degree;
    for (;; k++) {
        if (def->knot[k + 1] > def->knot[k] && piece-- == 0) {
            return k;
        }
    }
}

static double spread(const Nurbs *n) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int32_t k = 0; k < n->pieces; k++) {
        for (int j = 0; j <= n->degree; j++) {
            for (int i = 0; i < 2; i++) {
                double v = n->piece[k].b[j][i] / n->piece[k].b[j][2];
                low[i] = scr_min(low[i], v);
                high[i] = scr_max(high[i], v);
            }
        }
    }
    return scr_max(high[0] - low[0], high[1] - low[1]);
}

/* A curve whose point stops moving somewhere has no tangent there. */
static ScreeStatus check_motion(const ScreeNurbs *def, const Nurbs *n, double size, char *message) {
    for (int32_t k = 0; k < n->nodes; k++) {
        const NurbsNode *node = &n->node[k];
        NurbsAt begin = scr_nurbs_at(n, node->piece, node->begin);
        NurbsAt end = scr_nurbs_at(n, node->piece, node->end);
        double slowest = scr_min(scr_hypot(begin.dx, begin.dy), scr_hypot(end.dx, end.dy));
        if (!(slowest > 1e-7 * size) || node->end - node->begin < 1e-6) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "knot %zu: the curve stands still or turns back after it; a corner is "
                            "made by a repeated knot, not by repeated points",
                            knot_of(def, node->piece));
        }
        double turn = node->in[0] * node->out[0] + node->in[1] * node->out[1];
        if (turn < -0.999) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "knot %zu: the curve turns back on itself here",
                            knot_of(def, node->piece));
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- crossing */

/* A piece of a span, and how far it may deviate from its chord. */
typedef struct Stretch {
    int32_t piece;
    double begin, end, bulge;
    Vec3 from, to;
} Stretch;

/* A span turns too little to deviate from its chord by half its length. */
static Stretch stretch_of(const Nurbs *n, int32_t k) {
    const NurbsNode *node = &n->node[k], *next = &n->node[(k + 1) % n->nodes];
    double half = 0.5 * scr_hypot(next->x - node->x, next->y - node->y);
    return (Stretch){node->piece,
                     node->begin,
                     node->end,
                     scr_min(n->bulge, half),
                     vec3(node->x, node->y, 0),
                     vec3(next->x, next->y, 0)};
}

static bool apart(double a, double b, double c, double d, double room) {
    return scr_min(a, b) > scr_max(c, d) + room || scr_min(c, d) > scr_max(a, b) + room;
}

/* The stretches are halved again and again until they are nearer to each other than rounding: then
 * they touch. A half deviates from its chord by a quarter as much, where the curve is as smooth as
 * it is between knots; a third is on the safe side. */
static bool stretches_meet(const Nurbs *n, const Stretch *a, const Stretch *b, int depth) {
    double room = a->bulge + b->bulge;
    if (apart(a->from.x, a->to.x, b->from.x, b->to.x, room) ||
        apart(a->from.y, a->to.y, b->from.y, b->to.y, room)) {
        return false;
    }
    if (depth == 0) {
        return true;
    }
    Stretch half[2][2] = {{*a, *a}, {*b, *b}};
    for (int i = 0; i < 2; i++) {
        double middle = 0.5 * (half[i][0].begin + half[i][0].end);
        NurbsAt at = scr_nurbs_at(n, half[i][0].piece, middle);
        half[i][0].end = half[i][1].begin = middle;
        half[i][0].to = half[i][1].from = vec3(at.x, at.y, 0);
        half[i][0].bulge = half[i][1].bulge = half[i][0].bulge / 3;
    }
    for (int i = 0; i < 4; i++) {
        if (stretches_meet(n, &half[0][i / 2], &half[1][i % 2], depth - 1)) {
            return true;
        }
    }
    return false;
}

/* Adjacent spans turn too little to meet again. */
static ScreeStatus check_crossing(const ScreeNurbs *def, const Nurbs *n, char *message) {
    enum { DEPTH = 16 };
    for (int32_t i = 0; i + 2 < n->nodes; i++) {
        Stretch a = stretch_of(n, i);
        for (int32_t j = i + 2; j < n->nodes - (i == 0); j++) {
            Stretch b = stretch_of(n, j);
            if (stretches_meet(n, &a, &b, DEPTH)) {
                return scr_fail(message, SCREE_BAD_ARGUMENT,
                                "knot %zu: after it the curve meets itself, as it is after "
                                "knot %zu",
                                knot_of(def, n->node[i].piece), knot_of(def, n->node[j].piece));
            }
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- all */

static ScreeStatus check_curve(const ScreeNurbs *def, Nurbs *n, char *message) {
    double size = spread(n);
    if (!(size > 0) || !(size < 1e100)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the curve has no size");
    }
    if (n->seam > 1e-9 * size) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the curve is open: its ends are %g apart",
                        n->seam);
    }
    NurbsMeasures m = scr_nurbs_measure(n);
    if (!scr_nurbs_sample(n, size)) {
        return n->nodes > MOST_NODES
                   ? scr_fail(message, SCREE_BAD_ARGUMENT, "the curve has too many turns")
                   : scr_no_memory(message);
    }
    SCR_TRY(check_motion(def, n, size, message));
    SCR_TRY(check_crossing(def, n, message));
    if (!(fabs(m.area) > 1e-6 * size * size)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the curve encloses no area");
    }
    return SCREE_OK;
}

ScreeStatus scr_nurbs_check(const ScreeNurbs *def, char *message) {
    SCR_TRY(check_counts(def, message));
    SCR_TRY(check_points(def, message));
    SCR_TRY(check_knots(def, message));
    Nurbs n = {0};
    ScreeStatus status =
        scr_nurbs_cut(def, &n) ? check_curve(def, &n, message) : scr_no_memory(message);
    scr_nurbs_free(&n);
    return status;
}
