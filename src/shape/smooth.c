#include "shape/smooth.h"

size_t scr_smooth_vertices(ScreePartKind kind) {
    return kind == SCREE_PART_ELLIPSOID ? 4 : kind == SCREE_PART_CONE ? 2 : 0;
}

bool scr_smooth_fits(ScreePartKind kind, const double form[2], size_t vertices) {
    size_t each = kind == SCREE_PART_NURBS ? scr_points_of_patch(form) : scr_smooth_vertices(kind);
    return each > 0 && vertices > 0 &&
           (kind == SCREE_PART_NURBS ? vertices % each == 0 : vertices == each);
}

/* ---------------------------------------------------------------- from vertices */

static const char *make_ellipsoid(const double form[2], const Vec3 *vertex, double rounding,
                                  SmoothPart *p) {
    for (int k = 0; k < 2; k++) {
        p->form[k] = form[k] == 0 ? 2 : form[k];
        if (!(p->form[k] >= LEAST_EXPONENT && p->form[k] <= MOST_EXPONENT)) {
            return "the exponents of a superellipsoid must lie between 2 and 32: smaller ones have "
                   "no bounded curvature, and for larger ones take a box or a cylinder";
        }
    }
    if (rounding != 0) {
        return "an ellipsoid takes no rounding: make it larger";
    }
    p->centre = vertex[0];
    for (int k = 0; k < 3; k++) {
        p->axis[k] = sub(vertex[k + 1], vertex[0]);
        double square = dot(p->axis[k], p->axis[k]);
        if (!(square > 0 && isfinite(square))) {
            return "each half axis of an ellipsoid must be longer than 0";
        }
        p->dual[k] = scale(1 / square, p->axis[k]);
        for (int j = 0; j < k; j++) {
            double skew = dot(p->axis[j], p->axis[k]);
            if (!(fabs(skew) <= 1e-9 * length(p->axis[j]) * length(p->axis[k]))) {
                return "the half axes of an ellipsoid must be at right angles";
            }
        }
    }
    return NULL;
}

static const char *make_cone(const double form[2], const Vec3 *vertex, SmoothPart *p) {
    Vec3 along = sub(vertex[1], vertex[0]);
    p->length = length(along);
    p->form[0] = form[0];
    p->form[1] = form[1];
    if (!(form[0] >= 0 && form[1] >= 0 && isfinite(form[0]) && isfinite(form[1]) &&
          form[0] + form[1] > 0)) {
        return "the radii of a cylinder or cone must be 0 or more, and not both 0";
    }
    if (!(p->length > 0)) {
        return "the caps of a cylinder or cone must be apart";
    }
    p->centre = vertex[0];
    p->axis[2] = scale(1 / p->length, along);
    p->axis[0] = perpendicular(p->axis[2]);
    p->axis[1] = cross(p->axis[2], p->axis[0]);
    for (int k = 0; k < 3; k++) {
        p->dual[k] = p->axis[k];
    }
    return NULL;
}

const char *scr_smooth_make(ScreePartKind kind, const double form[2], const Vec3 *vertex,
                            double rounding, SmoothPart *p) {
    *p = (SmoothPart){.kind = kind};
    return kind == SCREE_PART_ELLIPSOID ? make_ellipsoid(form, vertex, rounding, p)
                                        : make_cone(form, vertex, p);
}

/* ---------------------------------------------------------------- mixed norms
 *
 * N(v) = ((|v_x|^p + |v_y|^p)^(q/p) + |v_z|^q)^(1/q). The unit ball of one is a superellipsoid; its
 * support function is the norm with the conjugate exponents p/(p - 1) and q/(q - 1), and support
 * points and normals are gradients of the two. */

/* Two numbers, not negative and not both 0: (a^p + b^p)^(1/p), and its derivatives. */
typedef struct Joined {
    double value, a, b; /* gradient */
    double aa, ab, bb;  /* second derivatives; for p < 2 cut off at `no_bound` */
} Joined;

static const double no_bound = 1e12;

/* x^(p - 2) from x^(p - 1); for p < 2 it has no bound at 0. */
static double power_less_two(double x, double power, double p) {
    double none = p < 2 ? no_bound : p == 2 ? 1 : 0;
    return p == 2 ? 1 : x > 0 ? scr_min(power / x, no_bound) : none;
}

/* The value and the gradient alone. */
static double joined_gradient(double a, double b, double p, double *to_a, double *to_b) {
    double most = scr_max(a, b), least = scr_min(a, b);
    if (!(most > 0)) {
        *to_a = *to_b = 0;
        return 0;
    }
    double u = least / most, root, x, y;
    if (p == 2) {
        root = sqrt(1 + u * u);
        x = 1 / root;
        y = u / root;
    } else { /* x^(p-1) and y^(p-1), where x = 1 / root */
        double up = u > 0 ? scr_pow(u, p - 1) : 0;
        root = scr_pow(1 + u * up, 1 / p);
        x = root / (1 + u * up);
        y = up * x;
    }
    *to_a = a >= b ? x : y;
    *to_b = a >= b ? y : x;
    return most * root;
}

static Joined join(double a, double b, double p) {
    Joined j = {0};
    j.value = joined_gradient(a, b, p, &j.a, &j.b);
    if (!(j.value > 0)) {
        return j;
    }
    double k = (p - 1) / j.value, x = a / j.value, y = b / j.value;
    j.aa = k * power_less_two(x, j.a, p) * (y * j.b);
    j.bb = k * power_less_two(y, j.b, p) * (x * j.a);
    j.ab = -k * j.a * j.b;
    return j;
}

typedef struct Norm {
    double value;
    Vec3 gradient;
    Sym3 second;
} Norm;

static double sign_of(double x) {
    return x < 0 ? -1 : 1;
}

static Norm mixed_norm(Vec3 v, double q, double p) {
    const Joined disc = join(fabs(v.x), fabs(v.y), p), all = join(disc.value, fabs(v.z), q);
    double sx = sign_of(v.x), sy = sign_of(v.y), sz = sign_of(v.z);
    Norm n = {.value = all.value,
              .gradient = vec3(all.a * disc.a * sx, all.a * disc.b * sy, all.b * sz)};
    if (!(disc.value > 0)) { /* on the axis: those across it are alike */
        n.second.xx = n.second.yy = power_less_two(0, 0, q) / all.value;
        return n;
    }
    double turn = all.a;
    n.second = (Sym3){turn * disc.aa + all.aa * disc.a * disc.a,
                      sx * sy * (turn * disc.ab + all.aa * disc.a * disc.b),
                      sx * sz * all.ab * disc.a,
                      turn * disc.bb + all.aa * disc.b * disc.b,
                      sy * sz * all.ab * disc.b,
                      all.bb};
    return n;
}

/* ---------------------------------------------------------------- superellipsoids */

static Vec3 in_axes(const Vec3 axis[3], Vec3 v) {
    return vec3(dot(axis[0], v), dot(axis[1], v), dot(axis[2], v));
}

static Vec3 along_axes(const Vec3 axis[3], Vec3 v) {
    return add_scaled(add_scaled(scale(v.x, axis[0]), v.y, axis[1]), v.z, axis[2]);
}

static double conjugate(double p) {
    return p / (p - 1);
}

/* The farthest point of the unit body, by coordinates in half axes. */
static Vec3 unit_support(const SmoothPart *s, Vec3 u) {
    if (scr_is_plain_ellipsoid(s)) {
        return unit(u);
    }
    double disc, a, b, c, across;
    disc = joined_gradient(fabs(u.x), fabs(u.y), conjugate(s->form[1]), &a, &b);
    joined_gradient(disc, fabs(u.z), conjugate(s->form[0]), &across, &c);
    return vec3(across * a * sign_of(u.x), across * b * sign_of(u.y), c * sign_of(u.z));
}

/* A second derivative seen in two directions that are given in half axes. */
static void seen_across(const Sym3 *m, const Vec3 across[2], double factor, double seen[3]) {
    Vec3 one = sym3_apply(m, across[0]), other = sym3_apply(m, across[1]);
    seen[0] = factor * dot(across[0], one);
    seen[1] = factor * dot(across[0], other);
    seen[2] = factor * dot(across[1], other);
}

static void ellipsoid_radii(const SmoothPart *s, Vec3 n, const Vec3 across[2], double r[3]) {
    Vec3 u = in_axes(s->axis, n);
    const Vec3 own[2] = {in_axes(s->axis, across[0]), in_axes(s->axis, across[1])};
    if (scr_is_plain_ellipsoid(s)) {
        double size = length(u);
        Vec3 y = scale(1 / size, u);
        double a = dot(y, own[0]), b = dot(y, own[1]);
        r[0] = (dot(own[0], own[0]) - a * a) / size;
        r[1] = (dot(own[0], own[1]) - a * b) / size;
        r[2] = (dot(own[1], own[1]) - b * b) / size;
        return;
    }
    const Norm h = mixed_norm(u, conjugate(s->form[0]), conjugate(s->form[1]));
    seen_across(&h.second, own, 1, r);
}

/* The normal is along D g(y) with y = D^T (x - c), D the dual axes and g the gradient of the norm; as
 * x moves across it, g turns by its second derivative. */
void scr_smooth_curvature(const SmoothPart *s, Vec3 x, const Vec3 across[2], double w[3]) {
    const Norm m = mixed_norm(in_axes(s->dual, sub(x, s->centre)), s->form[0], s->form[1]);
    const Vec3 own[2] = {in_axes(s->dual, across[0]), in_axes(s->dual, across[1])};
    seen_across(&m.second, own, 1 / length(along_axes(s->dual, m.gradient)), w);
}

double scr_ellipsoid_norm(const SmoothPart *s, Vec3 x) {
    Vec3 y = in_axes(s->dual, sub(x, s->centre));
    return scr_is_plain_ellipsoid(s) ? length(y) : mixed_norm(y, s->form[0], s->form[1]).value;
}

Vec3 scr_smooth_onto(const SmoothPart *s, Vec3 x, Vec3 *normal) {
    Vec3 y = in_axes(s->dual, sub(x, s->centre));
    const Norm m = mixed_norm(y, s->form[0], s->form[1]);
    *normal = unit(along_axes(s->dual, m.gradient));
    return add_scaled(s->centre, 1 / m.value, sub(x, s->centre));
}

/* The greatest length of (a x, b y) where |x|^p + |y|^p = 1 (Hoelder). */
static double diagonal(double a, double b, double p) {
    return p > 2 ? join(a, b, 2 * p / (p - 2)).value : scr_max(a, b);
}

/* ---------------------------------------------------------------- cones */

/* The direction across the axis; some direction if there is none. It is made of the other two axes: what
 * is left of d beside the axis may be nothing but rounding error, and point anywhere. */
static Vec3 across_axis(const SmoothPart *s, Vec3 d, double *size) {
    double x = dot(d, s->axis[0]), y = dot(d, s->axis[1]);
    *size = sqrt(x * x + y * y);
    return *size > 0 ? add_scaled(scale(x / *size, s->axis[0]), y / *size, s->axis[1]) : s->axis[0];
}

/* Which rim is the farther one along a direction. */
static int farther_rim(const SmoothPart *s, double across, double along) {
    return (s->form[1] - s->form[0]) * across + s->length * along > 0 ? 1 : 0;
}

static Vec3 cone_support(const SmoothPart *s, Vec3 d) {
    double across, along = dot(d, s->axis[2]);
    Vec3 u = across_axis(s, d, &across);
    int rim = farther_rim(s, across, along);
    Vec3 cap = rim == 1 ? add_scaled(s->centre, s->length, s->axis[2]) : s->centre;
    return add_scaled(cap, s->form[rim], u);
}

/* A rim of radius r: u = n / |n| across the axis, dx = r (1 - u u^T) dn / |n|. */
static void cone_radii(const SmoothPart *s, Vec3 n, const Vec3 across[2], double r[3]) {
    double size;
    Vec3 u = across_axis(s, n, &size), round = cross(s->axis[2], u);
    double radius = s->form[farther_rim(s, size, dot(n, s->axis[2]))] / scr_max(size, 1e-30);
    double a = dot(round, across[0]), b = dot(round, across[1]);
    r[0] = radius * a * a;
    r[1] = radius * a * b;
    r[2] = radius * b * b;
}

void scr_cone_side(const SmoothPart *s, double *across, double *along) {
    double slope = s->form[1] - s->form[0], size = scr_hypot(s->length, slope);
    *across = s->length / size;
    *along = -slope / size;
}

/* ---------------------------------------------------------------- all */

Vec3 scr_smooth_support(const SmoothPart *s, Vec3 d) {
    if (s->kind == SCREE_PART_NURBS) {
        return scr_patchwork_support(s->patchwork, d);
    }
    if (s->kind == SCREE_PART_CONE) {
        return cone_support(s, d);
    }
    return add(s->centre, along_axes(s->axis, unit_support(s, in_axes(s->axis, d))));
}

void scr_smooth_radii(const SmoothPart *s, Vec3 n, const Vec3 across[2], double r[3]) {
    if (s->kind == SCREE_PART_CONE) {
        cone_radii(s, n, across, r);
    } else {
        ellipsoid_radii(s, n, across, r);
    }
}

Vec3 scr_smooth_middle(const SmoothPart *s) {
    if (s->kind == SCREE_PART_NURBS) {
        return s->patchwork->middle;
    }
    return s->kind == SCREE_PART_CONE ? add_scaled(s->centre, 0.5 * s->length, s->axis[2])
                                      : s->centre;
}

double scr_smooth_extent(const SmoothPart *s) {
    if (s->kind == SCREE_PART_NURBS) {
        return s->patchwork->extent;
    }
    if (s->kind == SCREE_PART_CONE) {
        return scr_hypot(0.5 * s->length, scr_max(s->form[0], s->form[1]));
    }
    double flat = diagonal(length(s->axis[0]), length(s->axis[1]), s->form[1]);
    return diagonal(flat, length(s->axis[2]), s->form[0]);
}

double scr_smooth_radius(const SmoothPart *s) {
    if (s->kind == SCREE_PART_NURBS) {
        return scr_patchwork_radius(s->patchwork);
    }
    if (s->kind != SCREE_PART_CONE) {
        return length(s->centre) + scr_smooth_extent(s);
    }
    double most = 0;
    for (int k = 0; k < 2; k++) {
        Vec3 cap = add_scaled(s->centre, k * s->length, s->axis[2]);
        double up = dot(cap, s->axis[2]);
        double out = length(add_scaled(cap, -up, s->axis[2])) + s->form[k];
        most = scr_max(most, scr_hypot(up, out));
    }
    return most;
}
