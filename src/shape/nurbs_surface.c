#include "shape/nurbs_surface.h"

#include "base/status.h"

/* ---------------------------------------------------------------- numbers */

static ScreeStatus check_direction(const ScreeNurbsSurface *def, int k, char *message) {
    const char name = k == 0 ? 'u' : 'v';
    if (def->degree[k] < 1 || def->degree[k] > PATCH_DEGREE) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "the degrees of a NURBS surface are from 1 to %d, not %d",
                        (int)PATCH_DEGREE, def->degree[k]);
    }
    size_t p = (size_t)def->degree[k], points = def->points[k];
    if (points < p + 1 || points > PATCHWORK_POINTS) {
        return scr_fail(
            message, SCREE_BAD_ARGUMENT,
            "a surface of degree %d along %c has from %zu to %d control points along it",
            def->degree[k], name, p + 1, (int)PATCHWORK_POINTS);
    }
    const double *knot = def->knot[k];
    if (knot == NULL) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the surface has no knots along %c", name);
    }
    for (size_t i = 0; i < points + p + 1; i++) {
        if (!(fabs(knot[i]) <= 1e100)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "knot %c %zu: is not finite", name, i);
        }
        if (i > 0 && knot[i] < knot[i - 1]) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "knot %c %zu: is below the one before it: knots must not descend", name,
                            i);
        }
        if (i > p && i < points && knot[i] == knot[i - p] && knot[i] > knot[p] &&
            knot[i] < knot[points]) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "knot %c %zu: stands there more often than the degree: the surface "
                            "would be torn",
                            name, i);
        }
    }
    if (!(knot[points] > knot[p])) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "knot %c %zu: must be greater than knot %zu: the surface is between them",
                        name, points, p);
    }
    return SCREE_OK;
}

ScreeStatus scr_nurbs_surface_check(const ScreeNurbsSurface *def, char *message) {
    SCR_TRY(check_direction(def, 0, message));
    SCR_TRY(check_direction(def, 1, message));
    if (def->point == NULL || def->points[0] * def->points[1] > PATCHWORK_POINTS) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "a surface has from 4 to %d control points",
                        (int)PATCHWORK_POINTS);
    }
    for (size_t k = 0; k < def->points[0] * def->points[1]; k++) {
        if (!is_finite(def->point[k]) || length(def->point[k]) > 1e100) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "point %zu: its coordinates are not finite", k);
        }
        if (def->weight != NULL && !(def->weight[k] >= 1e-6 && def->weight[k] <= 1e6)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "weight %zu: a weight is from 1e-6 to 1e6, not %g", k, def->weight[k]);
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- cutting */

/* How the Bezier points of a knot span follow from its control points: row j is the blossom of the
 * spline on [u_k, u_k+1] at u_k, (degree - j) times, and u_k+1, j times. */
typedef struct Cut {
    double share[PATCH_DEGREE + 1][PATCH_DEGREE + 1];
    size_t first; /* control point */
} Cut;

static void blossom(const double *knot, size_t p, size_t k, size_t j, double share[]) {
    double d[PATCH_DEGREE + 1][PATCH_DEGREE + 1] = {{0}};
    for (size_t i = 0; i <= p; i++) {
        d[i][i] = 1;
    }
    for (size_t r = 1; r <= p; r++) {
        double at = r - 1 < p - j ? knot[k] : knot[k + 1];
        for (size_t i = p; i >= r; i--) {
            double low = knot[i + k - p], high = knot[i + 1 + k - r];
            double a = (at - low) / (high - low);
            for (size_t c = 0; c <= p; c++) {
                d[i][c] = (1 - a) * d[i - 1][c] + a * d[i][c];
            }
        }
    }
    for (size_t c = 0; c <= p; c++) {
        share[c] = d[p][c];
    }
}

/* The first span from `k` on that is not empty. */
static size_t next_span(const ScreeNurbsSurface *def, int direction, size_t k) {
    const double *knot = def->knot[direction];
    while (k < def->points[direction] && !(knot[k + 1] > knot[k])) {
        k++;
    }
    return k;
}

static Cut cut_at(const ScreeNurbsSurface *def, int direction, size_t k) {
    size_t p = (size_t)def->degree[direction];
    Cut cut = {.first = k - p};
    for (size_t j = 0; j <= p; j++) {
        blossom(def->knot[direction], p, k, j, cut.share[j]);
    }
    return cut;
}

static size_t spans_of(const ScreeNurbsSurface *def, int direction) {
    size_t spans = 0, k = next_span(def, direction, (size_t)def->degree[direction]);
    for (; k < def->points[direction]; k = next_span(def, direction, k + 1)) {
        spans++;
    }
    return spans;
}

size_t scr_nurbs_surface_patches(const ScreeNurbsSurface *def) {
    return spans_of(def, 0) * spans_of(def, 1);
}

static void cut_point(const ScreeNurbsSurface *def, const Cut *u, const Cut *v, size_t i, size_t j,
                      Vec3 *point, double *weight) {
    Vec3 sum = vec3(0, 0, 0);
    double all = 0;
    for (size_t a = 0; a <= (size_t)def->degree[0]; a++) {
        for (size_t b = 0; b <= (size_t)def->degree[1]; b++) {
            size_t k = (u->first + a) * def->points[1] + v->first + b;
            double w = (def->weight != NULL ? def->weight[k] : 1) * u->share[i][a] * v->share[j][b];
            sum = add_scaled(sum, w, def->point[k]);
            all += w;
        }
    }
    *point = scale(1 / all, sum);
    *weight = all;
}

void scr_nurbs_surface_cut(const ScreeNurbsSurface *def, Vec3 *point, double *weight, size_t room) {
    size_t p = (size_t)def->degree[0], q = (size_t)def->degree[1], at = 0;
    for (size_t k = next_span(def, 0, p); k < def->points[0]; k = next_span(def, 0, k + 1)) {
        const Cut u = cut_at(def, 0, k);
        for (size_t l = next_span(def, 1, q); l < def->points[1]; l = next_span(def, 1, l + 1)) {
            const Cut v = cut_at(def, 1, l);
            for (size_t i = 0; i < (p + 1) * (q + 1) && at < room; i++, at++) {
                cut_point(def, &u, &v, i / (q + 1), i % (q + 1), &point[at], &weight[at]);
            }
        }
    }
}
