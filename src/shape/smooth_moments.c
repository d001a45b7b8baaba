#include "shape/moments.h"

static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------- superellipsoids */

/* Stirling's series, from where its terms fall below rounding. */
static double log_gamma(double x) {
    double product = 1;
    for (; x < 15; x += 1) {
        product *= x;
    }
    double z = 1 / (x * x);
    double series =
        (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / x;
    return (x - 0.5) * scr_log(x) - x + 0.5 * scr_log(2 * pi) + series - scr_log(product);
}

/* Integral of t^(a-1) (1 - t)^(b-1) from 0 to 1. */
static double beta(double a, double b) {
    return scr_exp(log_gamma(a) + log_gamma(b) - log_gamma(a + b));
}

/* Volume of the unit body, and integrals of x^2 and z^2. Its section at z is a disc |x|^p + |y|^p = s^p
 * with s = (1 - |z|^q)^(1/q), whose area is A s^2 and whose integral of x^2 is J s^4. */
static void unit_moments(double q, double p, double *volume, double *across, double *along) {
    if (p == 2 && q == 2) {
        *volume = 4 * pi / 3;
        *across = *along = 4 * pi / 15;
        return;
    }
    double disc = p == 2 ? pi : 4 / p * beta(1 / p, 1 + 1 / p);
    double square = p == 2 ? pi / 4 : 4 / p * beta(3 / p, 1 + 1 / p);
    *volume = disc * 2 / q * beta(1 / q, 1 + 2 / q);
    *along = disc * 2 / q * beta(3 / q, 1 + 2 / q);
    *across = square * 2 / q * beta(1 / q, 1 + 4 / q);
}

static void add_to(Sym3 *sum, Sym3 s) {
    *sum = (Sym3){sum->xx + s.xx, sum->xy + s.xy, sum->xz + s.xz,
                  sum->yy + s.yy, sum->yz + s.yz, sum->zz + s.zz};
}

static Moments ellipsoid_moments(const SmoothPart *s) {
    double volume, across, along;
    unit_moments(s->form[0], s->form[1], &volume, &across, &along);
    double stretch = length(s->axis[0]) * length(s->axis[1]) * length(s->axis[2]);
    const double square[3] = {stretch * across, stretch * across, stretch * along};
    Moments m = {.volume = stretch * volume};
    m.first = scale(m.volume, s->centre);
    m.second = sym3_dyad(m.volume, s->centre);
    for (int k = 0; k < 3; k++) {
        add_to(&m.second, sym3_dyad(square[k], s->axis[k]));
    }
    return m;
}

/* ---------------------------------------------------------------- bodies of revolution
 *
 * With the profile R(z): pi int R^2 dz, pi int R^2 z dz, pi int R^2 z^2 dz, and pi/4 int R^4 dz, the
 * integral of x^2. */

typedef struct Turned {
    double volume, along, square, across;
} Turned;

static void add_slice(Turned *t, double r, double z, double dz) {
    double rr = pi * r * r * dz;
    t->volume += rr;
    t->along += rr * z;
    t->square += rr * z * z;
    t->across += rr * r * r / 4;
}

/* A straight profile: polynomials up to the fourth degree, by three points of Gauss. */
static void add_straight(Turned *t, double r0, double z0, double r1, double z1) {
    static const double at[3] = {-0.77459666924148337704, 0, 0.77459666924148337704},
                        weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    for (int k = 0; k < 3; k++) {
        double share = 0.5 + 0.5 * at[k];
        add_slice(t, r0 + share * (r1 - r0), z0 + share * (z1 - z0), weight[k] * (z1 - z0));
    }
}

/* Integral of cos^m from one angle to another, for m up to 7. */
static void cosine_powers(double from, double to, double power[8]) {
    double c0 = scr_cos(from), s0 = scr_sin(from), c1 = scr_cos(to), s1 = scr_sin(to);
    power[0] = to - from;
    power[1] = s1 - s0;
    double p0 = c0, p1 = c1; /* cos^(m-1) */
    for (int m = 2; m < 8; m++) {
        power[m] = (p1 * s1 - p0 * s0) / m + (m - 1) * power[m - 2] / m;
        p0 *= c0;
        p1 *= c1;
    }
}

/* An arc of radius a about (r, z): R = r + a cos, z + a sin, dz = a cos. */
static void add_arc(Turned *t, double r, double z, double a, double from, double to) {
    double c[8], c0 = scr_cos(from), c1 = scr_cos(to);
    cosine_powers(from, to, c);
    /* R^2 dz = sum of k_m cos^(m+1) */
    const double k[3] = {a * r * r, 2 * a * a * r, a * a * a};
    double p0 = c0 * c0, p1 = c1 * c1; /* cos^(m+2) */
    for (int m = 0; m < 3; m++) {
        double plain = k[m] * c[m + 1], sine = k[m] * (p0 - p1) / (m + 2),
               sine2 = k[m] * (c[m + 1] - c[m + 3]);
        t->volume += pi * plain;
        t->along += pi * (z * plain + a * sine);
        t->square += pi * (z * z * plain + 2 * z * a * sine + a * a * sine2);
        p0 *= c0;
        p1 *= c1;
    }
    double r2 = r * r, a2 = a * a;
    t->across += pi / 4 * a *
                 (r2 * r2 * c[1] + 4 * r2 * r * a * c[2] + 6 * r2 * a2 * c[3] +
                  4 * r * a2 * a * c[4] + a2 * a2 * c[5]);
}

static Moments cone_moments(const SmoothPart *s, double rounding) {
    double across, along;
    scr_cone_side(s, &across, &along);
    double side = scr_atan2(along, across);
    Turned t = {0};
    add_arc(&t, s->form[0], 0, rounding, -pi / 2, side);
    add_straight(&t, s->form[0] + rounding * across, rounding * along,
                 s->form[1] + rounding * across, s->length + rounding * along);
    add_arc(&t, s->form[1], s->length, rounding, side, pi / 2);
    Moments m = {0};
    scr_moments_add_round(&m, s->centre, s->axis[2], t.volume, t.along, t.square, t.across);
    return m;
}

Moments scr_smooth_moments(const SmoothPart *s, double rounding) {
    return s->kind == SCREE_PART_NURBS  ? scr_patchwork_moments(s->patchwork)
           : s->kind == SCREE_PART_CONE ? cone_moments(s, rounding)
                                        : ellipsoid_moments(s);
}
