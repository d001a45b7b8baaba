/* Points of rational Bezier patches, with derivatives. */
#include "shape/patchwork.h"

/* Bernstein polynomials of a degree at t, and their first and second derivatives. */
typedef struct Basis {
    double value[3][PATCH_DEGREE + 1];
} Basis;

static void raise(double *b, int degree, double t) {
    double s = 1 - t;
    b[degree] = 0;
    for (int k = degree; k > 0; k--) {
        b[k] = s * b[k] + t * b[k - 1];
    }
    b[0] *= s;
}

/* B_k^p' = p (B_(k-1)^(p-1) - B_k^(p-1)), and the same again. */
static void derive(const double *lower, int degree, double *to) {
    for (int k = 0; k <= degree; k++) {
        double before = k > 0 ? lower[k - 1] : 0, own = k < degree ? lower[k] : 0;
        to[k] = degree * (before - own);
    }
}

static void make_basis(int degree, double t, int order, Basis *made) {
    double row[PATCH_DEGREE + 1] = {1}, slope[PATCH_DEGREE + 1];
    for (int k = 0; k <= degree; k++) {
        made->value[1][k] = made->value[2][k] = 0;
    }
    for (int p = 1; p <= degree; p++) {
        if (order > 1 && p == degree - 1) { /* row has the degree p - 1 */
            derive(row, p, slope);
            derive(slope, degree, made->value[2]);
        }
        if (order > 0 && p == degree) {
            derive(row, p, made->value[1]);
        }
        raise(row, p, t);
    }
    for (int k = 0; k <= degree; k++) {
        made->value[0][k] = row[k];
    }
}

/* Sums of control points and weights with derivatives (a, b) of the basis. */
typedef struct Sums {
    double s[3][3][4]; /* [a][b], for a + b <= 2 */
} Sums;

static void add_point(Sums *sums, const Basis *u, const Basis *v, int i, int j, Vec3 x, double w,
                      int order) {
    for (int a = 0; a <= order; a++) {
        for (int b = 0; a + b <= order; b++) {
            double share = w * u->value[a][i] * v->value[b][j];
            double *s = sums->s[a][b];
            s[0] += share * x.x;
            s[1] += share * x.y;
            s[2] += share * x.z;
            s[3] += share;
        }
    }
}

static Vec3 homogeneous(const double s[4]) {
    return vec3(s[0], s[1], s[2]);
}

static double weight_of(const PatchNet *net, size_t k) {
    return net->weight != NULL ? net->weight[k] : 1;
}

/* A side seen from its pole: control point i along the side, j away from it. */
static size_t seen_from(const PatchNet *net, int side, int i, int j) {
    int p = net->degree[0], q = net->degree[1];
    int at_u = side == 0 ? j : side == 1 ? p - j : i, at_v = side == 2 ? j : side == 3 ? q - j : i;
    return (size_t)at_u * (size_t)(q + 1) + (size_t)at_v;
}

/* x = P + t Y / W, where Y has the degree of x less one in t, for B_j^q(t) = t (q/j) B_(j-1)^(q-1)(t).
 * So x_s = t (Y_s - (Y/W) W_s) / W, which is divided by t here. `w` and `slope` are W and W_s. */
static Vec3 over_way(const PatchNet *net, int side, double s, double t, double w, double slope) {
    int along = net->degree[side < 2 ? 1 : 0], away = net->degree[side < 2 ? 0 : 1];
    Basis of_s, of_t;
    make_basis(along, s, 1, &of_s);
    make_basis(away - 1, t, 0, &of_t);
    Vec3 pole = net->point[seen_from(net, side, 0, 0)], y = vec3(0, 0, 0), ys = y;
    for (int i = 0; i <= along; i++) {
        for (int j = 1; j <= away; j++) {
            size_t k = seen_from(net, side, i, j);
            double share = weight_of(net, k) * away / j * of_t.value[0][j - 1];
            Vec3 from = sub(net->point[k], pole);
            y = add_scaled(y, share * of_s.value[0][i], from);
            ys = add_scaled(ys, share * of_s.value[1][i], from);
        }
    }
    return scale(1 / w, add_scaled(ys, -slope / w, y));
}

/* The pole that is nearer than the middle of the patch, and the way to it; -1: none. */
static int nearest_pole(const PatchNet *net, double u, double v, double *way) {
    const double t[4] = {u, 1 - u, v, 1 - v};
    int found = -1;
    for (int side = 0; side < 4; side++) {
        if ((net->pole >> side & 1) && t[side] < 0.5 && (found < 0 || t[side] < t[found])) {
            found = side;
        }
    }
    *way = found < 0 ? 1 : t[found];
    return found;
}

/* Nearer to a pole, bends are those at this way from it: they are nothing over nothing there, and
 * only decide how fast a search ends. */
static const double least_way = 1e-3;

static PatchAt evaluate(const PatchNet *net, double u, double v, int order) {
    int p = net->degree[0], q = net->degree[1];
    Basis of_u, of_v;
    Sums sums = {0};
    make_basis(p, u, order, &of_u);
    make_basis(q, v, order, &of_v);
    for (int i = 0; i <= p; i++) {
        for (int j = 0; j <= q; j++) {
            size_t k = (size_t)i * (size_t)(q + 1) + (size_t)j;
            add_point(&sums, &of_u, &of_v, i, j, net->point[k], weight_of(net, k), order);
        }
    }
    double w = sums.s[0][0][3], wu = sums.s[1][0][3], wv = sums.s[0][1][3];
    PatchAt at = {.u = u, .v = v, .rate = {1, 1}, .way = 1};
    at.x = scale(1 / w, homogeneous(sums.s[0][0]));
    Vec3 xu = scale(1 / w, add_scaled(homogeneous(sums.s[1][0]), -wu, at.x));
    Vec3 xv = scale(1 / w, add_scaled(homogeneous(sums.s[0][1]), -wv, at.x));
    at.along[0] = xu;
    at.along[1] = xv;
    double way;
    int side = nearest_pole(net, u, v, &way);
    if (side >= 0) {
        int of = side < 2 ? 1 : 0; /* the parameter along the side */
        at.along[of] = over_way(net, side, of == 0 ? u : v, way, w, of == 0 ? wu : wv);
        at.way = way;
        at.rate[of] = fabs(way) > 1e-200 ? 1 / way : 0; /* at a pole there is no angle */
    }
    at.normal = unit(cross(at.along[0], at.along[1]));
    if (order < 2) {
        return at;
    }
    const double *two = sums.s[2][0], *mixed = sums.s[1][1], *last = sums.s[0][2];
    Vec3 xuu = add_scaled(add_scaled(homogeneous(two), -2 * wu, xu), -two[3], at.x);
    Vec3 xuv =
        add_scaled(add_scaled(add_scaled(homogeneous(mixed), -wv, xu), -wu, xv), -mixed[3], at.x);
    Vec3 xvv = add_scaled(add_scaled(homogeneous(last), -2 * wv, xv), -last[3], at.x);
    at.bend[0] = dot(at.normal, xuu) / w * at.rate[0] * at.rate[0];
    at.bend[1] = dot(at.normal, xuv) / w * at.rate[0] * at.rate[1];
    at.bend[2] = dot(at.normal, xvv) / w * at.rate[1] * at.rate[1];
    return at;
}

PatchAt scr_patch_point(const PatchNet *net, double u, double v) {
    return evaluate(net, u, v, 1);
}

PatchAt scr_patch_at(const PatchNet *net, double u, double v) {
    double way;
    int side = nearest_pole(net, u, v, &way);
    PatchAt at = evaluate(net, u, v, 2);
    if (side >= 0 && fabs(way) < least_way) {
        double t = side % 2 == 0 ? least_way : 1 - least_way;
        const PatchAt beside = evaluate(net, side < 2 ? t : u, side < 2 ? v : t, 2);
        for (int k = 0; k < 3; k++) {
            at.bend[k] = beside.bend[k];
        }
    }
    return at;
}

/* dx = a along[0] + b along[1], by least squares. */
static void components(const PatchAt *at, Vec3 dx, double *a, double *b) {
    double ee = dot(at->along[0], at->along[0]), ef = dot(at->along[0], at->along[1]),
           ff = dot(at->along[1], at->along[1]);
    double x = dot(at->along[0], dx), y = dot(at->along[1], dx), det = ee * ff - ef * ef;
    *a = det > 0 ? (ff * x - ef * y) / det : 0;
    *b = det > 0 ? (ee * y - ef * x) / det : 0;
}

void scr_patch_curvature(const PatchAt *at, const Vec3 across[2], double w[3]) {
    double a[2], b[2];
    for (int k = 0; k < 2; k++) {
        components(at, across[k], &a[k], &b[k]);
    }
    const double *n = at->bend;
    for (int k = 0; k < 3; k++) {
        int i = k / 2, j = (k + 1) / 2;
        w[k] = -(n[0] * a[i] * a[j] + n[1] * (a[i] * b[j] + b[i] * a[j]) + n[2] * b[i] * b[j]);
    }
}

void scr_patch_step(const PatchAt *at, Vec3 dx, double *du, double *dv) {
    components(at, dx, du, dv);
    *du *= at->rate[0];
    *dv *= at->rate[1];
}

/* ---------------------------------------------------------------- moving
 *
 * Around a pole, u and v are polar coordinates: a step that is not short against the way to the pole must
 * not be made along tangents. There x = P + t y(s) but for squares of t, where s is along the side and
 * y(s) = q sum B_i(s) w_i1 (P_i1 - P) / W: the direction of the goal tells s, and its distance t. */

static Vec3 ray_of(const PatchNet *net, int side, double s) {
    int along = net->degree[side < 2 ? 1 : 0], away = net->degree[side < 2 ? 0 : 1];
    Basis basis;
    make_basis(along, s, 0, &basis);
    Vec3 pole = net->point[seen_from(net, side, 0, 0)], y = vec3(0, 0, 0);
    double w = 0;
    for (int i = 0; i <= along; i++) {
        size_t k = seen_from(net, side, i, 1);
        y = add_scaled(y, away * weight_of(net, k) * basis.value[0][i], sub(net->point[k], pole));
        w += weight_of(net, seen_from(net, side, i, 0)) * basis.value[0][i];
    }
    return scale(1 / w, y);
}

/* Where the ray points along d, between two ends; the nearer end if it does not. */
static double ray_towards(const PatchNet *net, int side, Vec3 normal, Vec3 d, double low,
                          double high) {
    double at_low = dot(normal, cross(ray_of(net, side, low), d)),
           at_high = dot(normal, cross(ray_of(net, side, high), d));
    if (!((at_low > 0) != (at_high > 0))) {
        Vec3 one = unit(ray_of(net, side, low)), other = unit(ray_of(net, side, high));
        return dot(one, d) > dot(other, d) ? low : high;
    }
    double at = low;
    for (int k = 0; k < 40; k++) { /* by the false position, and now and then by halves */
        double share = k % 3 == 2 ? 0.5 : at_low / (at_low - at_high);
        at = low + (high - low) * share;
        Vec3 ray = ray_of(net, side, at);
        double here = dot(normal, cross(ray, d));
        if (fabs(here) <= 1e-14 * length(ray) * length(d)) {
            break;
        }
        bool same = (here > 0) == (at_low > 0);
        *(same ? &low : &high) = at;
        *(same ? &at_low : &at_high) = here;
    }
    return at;
}

/* False: the goal lies at no pole, or at a pole itself. */
static bool polar_step(const PatchNet *net, const PatchAt *at, Vec3 dx, const PatchRoom *room,
                       double *u, double *v) {
    double way;
    int side = nearest_pole(net, at->u, at->v, &way);
    if (side < 0) {
        return false;
    }
    double middle = side < 2 ? room->v : room->u, s = side < 2 ? at->v : at->u;
    Vec3 from = scale(way, ray_of(net, side, s)), d = add(from, dx), normal;
    if (!(length(dx) > 0.1 * length(from)) ||
        !direction_of(
            cross(ray_of(net, side, middle - room->half), ray_of(net, side, middle + room->half)),
            &normal)) {
        return false;
    }
    d = add_scaled(d, -dot(d, normal), normal);
    if (length(d) > 1e-12 * length(ray_of(net, side, s))) {
        s = ray_towards(net, side, normal, d, middle - room->half, middle + room->half);
    }
    Vec3 y = ray_of(net, side, s);
    double t = dot(d, y) / dot(y, y);
    t = side % 2 == 0 ? t : 1 - t;
    *u = side < 2 ? t : s;
    *v = side < 2 ? s : t;
    return isfinite(t);
}

static double within(double x, double middle, double half) {
    return scr_min(scr_max(x, middle - half), middle + half);
}

double scr_patch_move(const PatchNet *net, Vec3 dx, const PatchRoom *room, PatchAt *at) {
    double u, v, du, dv;
    if (!polar_step(net, at, dx, room, &u, &v)) {
        scr_patch_step(at, dx, &du, &dv);
        u = at->u + du;
        v = at->v + dv;
    }
    Vec3 before = at->x;
    *at = scr_patch_at(net, within(u, room->u, room->half), within(v, room->v, room->half));
    return length(sub(at->x, before));
}
