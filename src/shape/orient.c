#include "shape/orient.h"

#include "math/twofold.h"

/* A difference of coordinates has two components, a product of two differences eight, a 2x2 minor
 * sixteen, and that times a difference 64. */
enum { MOST = 3 * 64 };

/* Components do not overlap and grow in magnitude; none is zero. */
typedef struct Expansion {
    int count;
    double part[MOST];
} Expansion;

static void append(Expansion *e, double x) {
    if (x != 0) {
        e->part[e->count++] = x;
    }
}

/* e + x */
static void add_number(Expansion *e, double x) {
    int count = e->count;
    e->count = 0;
    for (int k = 0; k < count; k++) {
        Twofold s = twofold_sum(x, e->part[k]);
        append(e, s.low); /* writes where it has read already */
        x = s.high;
    }
    append(e, x);
}

static void add_expansion(Expansion *e, const Expansion *f) {
    for (int k = 0; k < f->count; k++) {
        add_number(e, f->part[k]);
    }
}

/* e + f x, where f has few components. */
static void add_scaled_expansion(Expansion *e, const Expansion *f, double x) {
    for (int k = 0; k < f->count; k++) {
        Twofold p = twofold_product(f->part[k], x);
        add_number(e, p.low);
        add_number(e, p.high);
    }
}

/* a b - c d */
static Expansion minor(Twofold a, Twofold b, Twofold c, Twofold d) {
    const Twofold factor[2][2] = {{a, b}, {twofold_negative(c), d}};
    Expansion sum = {0};
    for (int k = 0; k < 2; k++) {
        Expansion f = {0};
        append(&f, factor[k][0].low);
        append(&f, factor[k][0].high);
        add_scaled_expansion(&sum, &f, factor[k][1].low);
        add_scaled_expansion(&sum, &f, factor[k][1].high);
    }
    return sum;
}

static int exact_sign(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 from[3] = {b, c, d};
    Twofold x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        x[k] = twofold_sum(from[k].x, -a.x);
        y[k] = twofold_sum(from[k].y, -a.y);
        z[k] = twofold_sum(from[k].z, -a.z);
    }
    Expansion sum = {0};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        Expansion m = minor(x[i], y[j], x[j], y[i]), part = {0};
        add_scaled_expansion(&part, &m, z[k].low);
        add_scaled_expansion(&part, &m, z[k].high);
        add_expansion(&sum, &part);
    }
    double top = sum.count > 0 ? sum.part[sum.count - 1] : 0;
    return top > 0 ? 1 : top < 0 ? -1 : 0;
}

/* The determinant of b - a, c - a, d - a. In doubles it is wrong by less than 8 units in the last
 * place of the sum of the magnitudes of its terms (Shewchuk's bound is 7 + 56 eps). */
int scr_orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    Vec3 u = sub(b, a), v = sub(c, a), w = sub(d, a);
    double uv[2] = {u.x * v.y, v.x * u.y}, vw[2] = {v.x * w.y, w.x * v.y},
           wu[2] = {w.x * u.y, u.x * w.y};
    double det = w.z * (uv[0] - uv[1]) + u.z * (vw[0] - vw[1]) + v.z * (wu[0] - wu[1]);
    double size = fabs(w.z) * (fabs(uv[0]) + fabs(uv[1])) +
                  fabs(u.z) * (fabs(vw[0]) + fabs(vw[1])) + fabs(v.z) * (fabs(wu[0]) + fabs(wu[1]));
    double error = 8 * 0x1p-53 * size;
    return det > error ? 1 : det < -error ? -1 : exact_sign(a, b, c, d);
}

static double flushed(double x) {
    return fabs(x) < 0x1p-250 ? 0 : x;
}

double scr_scale_points(const Vec3 *point, size_t points, Vec3 *scaled) {
    double away = 0;
    for (size_t k = 0; k < points; k++) {
        Vec3 p = point[k];
        away = scr_max(away, scr_max(fabs(p.x), scr_max(fabs(p.y), fabs(p.z))));
    }
    int exponent = 0;
    (void)frexp(away, &exponent);
    double factor = ldexp(1, -exponent);
    for (size_t k = 0; k < points; k++) {
        Vec3 p = scale(factor, point[k]);
        scaled[k] = vec3(flushed(p.x), flushed(p.y), flushed(p.z));
    }
    return factor;
}
