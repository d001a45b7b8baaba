#include "measure/overlap.h"
#include "measure/curve.h"

/* ---------------------------------------------------------------- the plane */

/* By Green's theorem, the area that a curve C encloses within a box [x1, x2] x [y1, y2] is minus
 * the integral of clamp(y, y1, y2) - y1 over dx, along the parts of C with x in [x1, x2]. So each
 * piece of the curve can be treated on its own, and no clipped outline is ever made. */
typedef struct Window {
    double low[2], high[2];
    double area;
} Window;

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

static void sort(double *x, int count) {
    for (int i = 1; i < count; i++) {
        double v = x[i];
        int k = i;
        for (; k > 0 && x[k - 1] > v; k--) {
            x[k] = x[k - 1];
        }
        x[k] = v;
    }
}

/* Between its crossings with the sides of the box the integrand of a line is linear. */
static void add_line(Window *w, Vec3 p, Vec3 q) {
    double dx = q.x - p.x, dy = q.y - p.y;
    if (dx == 0) {
        return;
    }
    double at_low = (w->low[0] - p.x) / dx, at_high = (w->high[0] - p.x) / dx;
    double begin = clamp(scr_min(at_low, at_high), 0, 1),
           end = clamp(scr_max(at_low, at_high), 0, 1);
    double t[4] = {begin, end, begin, end};
    if (dy != 0) {
        t[2] = clamp((w->low[1] - p.y) / dy, begin, end);
        t[3] = clamp((w->high[1] - p.y) / dy, begin, end);
    }
    sort(t, 4);
    for (int k = 0; k < 3; k++) {
        double y = p.y + 0.5 * (t[k] + t[k + 1]) * dy;
        w->area -= (clamp(y, w->low[1], w->high[1]) - w->low[1]) * (t[k + 1] - t[k]) * dx;
    }
}

/* From angle a to b, where the arc crosses no side: x and y are on one side of each. The middle
 * tells which, compared in radii from the centre with the very numbers that add_arc has cut at. */
static void add_free_arc(Window *w, Vec3 c, double r, double a, double b) {
    double middle = 0.5 * (a + b), x = scr_cos(middle), y = c.y + r * scr_sin(middle);
    if (x < (w->low[0] - c.x) / r || x > (w->high[0] - c.x) / r || y < w->low[1]) {
        return;
    }
    double dx = r * (scr_cos(b) - scr_cos(a));
    if (y > w->high[1]) {
        w->area -= (w->high[1] - w->low[1]) * dx;
    } else { /* the integral of r sin over dx is minus that of r^2 sin^2 */
        w->area -= (c.y - w->low[1]) * dx -
                   r * r * (0.5 * (b - a) - 0.5 * scr_sin(b - a) * scr_cos(a + b));
    }
}

static void add_crossing(double *angle, int *count, double at, double begin, double turn) {
    double from_begin = fmod(at - begin, 2 * M_PI);
    from_begin += from_begin < 0 ? 2 * M_PI : 0;
    if (from_begin < turn) {
        angle[(*count)++] = begin + from_begin;
    }
}

static void add_arc(Window *w, Vec3 c, double r, double begin, double turn) {
    double angle[10] = {begin, begin + turn};
    int count = 2;
    for (int side = 0; side < 2; side++) {
        double x = ((side == 0 ? w->low[0] : w->high[0]) - c.x) / r;
        double y = ((side == 0 ? w->low[1] : w->high[1]) - c.y) / r;
        if (fabs(x) <= 1) { /* a side that is only touched cuts too: no middle lies on it */
            add_crossing(angle, &count, scr_acos(x), begin, turn);
            add_crossing(angle, &count, -scr_acos(x), begin, turn);
        }
        if (fabs(y) < 1) {
            add_crossing(angle, &count, scr_asin(y), begin, turn);
            add_crossing(angle, &count, M_PI - scr_asin(y), begin, turn);
        }
    }
    sort(angle, count);
    for (int k = 0; k + 1 < count; k++) {
        add_free_arc(w, c, r, angle[k], angle[k + 1]);
    }
}

static void add_piece(const Piece *piece, void *context) {
    if (piece->arc) {
        add_arc(context, piece->centre, piece->radius, piece->begin, piece->turn);
    } else {
        add_line(context, piece->from, piece->to);
    }
}

/* Any side farther away than `reach` is as good as another, so none needs to be infinite. */
static Window window(double reach, const double low[2], const double high[2]) {
    Window w = {.area = 0};
    for (int k = 0; k < 2; k++) {
        w.low[k] = clamp(low[k], -2 * reach, 2 * reach);
        w.high[k] = clamp(high[k], -2 * reach, 2 * reach);
    }
    return w;
}

double scr_disk_in_box(double r, const double low[2], const double high[2]) {
    Window w = window(r, low, high);
    if (r > 0) {
        add_arc(&w, vec3(0, 0, 0), r, 0, 2 * M_PI);
    }
    return scr_max(w.area, 0);
}

double scr_shape_in_box(const ScreeShape *shape, double cosine, double sine, const double low[2],
                        const double high[2]) {
    Window w = window(shape->radius, low, high);
    scr_curve_walk(shape, cosine, sine, add_piece, &w);
    return scr_max(w.area, 0);
}

/* ---------------------------------------------------------------- space */

/* By the divergence theorem, the volume of a ball within a box is a third of the sum over the box's
 * faces of (distance from the centre) x (area of the face within the ball), plus a third of r x
 * (area of the sphere within the box). The sphere's area is the integral over z of r theta(z),
 * where theta is the angle of the circle of radius rho = sqrt(r^2 - z^2) that lies within the
 * rectangle. It ends where the circle crosses x = a, at +-acos(a / rho), or y = b, at pi/2 +-
 * acos(b / rho); which ends there are changes only where rho passes a side or a corner of the
 * rectangle. */

/* The integral of acos(a / rho) over z from 0, |z| <= h = sqrt(r^2 - a^2). By parts it is
 *     z acos(a / rho) + a integral of z^2 / (rho^2 sqrt(h^2 - z^2)).
 * All angles are computed from one root, sqrt(h^2 - z^2) = sqrt(rho^2 - a^2): near its zero each of
 * them is off by as much as the root, but their sum is not. */
static double angle_integral(double r, double a, double z) {
    double h = sqrt(scr_max(r * r - a * a, 0)), root = sqrt(scr_max((h - z) * (h + z), 0));
    double lean = h > 0 ? scr_atan2(z, root) : 0;
    if (a == 0) {
        return 0.5 * M_PI * z;
    }
    return z * scr_atan2(root, a) - a * lean + copysign(r, a) * scr_atan2(fabs(a) * z, r * root);
}

/* An end of an arc: the angle `base` + sign acos(a / rho). */
typedef struct End {
    double base, sign, a;
    double angle; /* in the middle of the interval, from 0 to 2 pi */
} End;

static void add_ends(End *end, int *count, double base, double a, double rho) {
    for (int k = 0; k < 2 && fabs(a) < rho; k++) {
        double sign = k == 0 ? 1 : -1, angle = base + sign * scr_acos(a / rho);
        double turn = angle < 0 ? 2 * M_PI : angle >= 2 * M_PI ? -2 * M_PI : 0;
        End added = {base + turn, sign, a, angle + turn};
        int at = (*count)++;
        for (; at > 0 && end[at - 1].angle > added.angle; at--) {
            end[at] = end[at - 1];
        }
        end[at] = added;
    }
}

static double end_integral(const End *end, double r, double u, double v) {
    return end->base * (v - u) +
           end->sign * (angle_integral(r, end->a, v) - angle_integral(r, end->a, u));
}

/* The integral of theta over z from u to v, an interval in which the ends stay the same. */
static double theta_integral(double r, const double low[3], const double high[3], double u,
                             double v) {
    double middle = 0.5 * (u + v), rho = sqrt(scr_max(r * r - middle * middle, 0)), sum = 0;
    End end[9];
    int count = 0;
    add_ends(end, &count, 0, low[0], rho);
    add_ends(end, &count, 0, high[0], rho);
    add_ends(end, &count, 0.5 * M_PI, low[1], rho);
    add_ends(end, &count, 0.5 * M_PI, high[1], rho);
    if (count == 0) {
        bool within = low[0] < rho && rho < high[0] && low[1] < 0 && 0 < high[1];
        return within ? 2 * M_PI * (v - u) : 0;
    }
    end[count] = end[0]; /* all the way round */
    end[count].base += 2 * M_PI;
    end[count].angle += 2 * M_PI;
    for (int k = 0; k < count; k++) {
        double angle = 0.5 * (end[k].angle + end[k + 1].angle);
        double x = rho * scr_cos(angle), y = rho * scr_sin(angle);
        if (low[0] < x && x < high[0] && low[1] < y && y < high[1]) {
            sum += end_integral(&end[k + 1], r, u, v) - end_integral(&end[k], r, u, v);
        }
    }
    return sum;
}

static void add_break(double *z, int *count, double r, double square, double from, double to) {
    double at = sqrt(scr_max(r * r - square, 0));
    if (square < r * r) {
        z[(*count)++] = clamp(at, from, to);
        z[(*count)++] = clamp(-at, from, to);
    }
}

/* Area of the sphere within the box, divided by r. */
static double sphere_in_box(double r, const double low[3], const double high[3]) {
    double from = clamp(low[2], -r, r), to = clamp(high[2], -r, r), sum = 0;
    double z[18] = {from, to};
    int count = 2;
    for (int i = 0; i < 2; i++) {
        double x = i == 0 ? low[0] : high[0], y = i == 0 ? low[1] : high[1];
        add_break(z, &count, r, x * x, from, to);
        add_break(z, &count, r, y * y, from, to);
        add_break(z, &count, r, x * x + low[1] * low[1], from, to);
        add_break(z, &count, r, x * x + high[1] * high[1], from, to);
    }
    sort(z, count);
    for (int k = 0; k + 1 < count; k++) {
        sum += z[k + 1] > z[k] ? theta_integral(r, low, high, z[k], z[k + 1]) : 0;
    }
    return sum;
}

/* The area, within the ball, of the face across `axis` at distance d from the centre. */
static double face_in_ball(double r, int axis, double d, const double low[3],
                           const double high[3]) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double from[2] = {low[u], low[v]}, to[2] = {high[u], high[v]};
    return fabs(d) < r ? scr_disk_in_box(sqrt((r - d) * (r + d)), from, to) : 0;
}

double scr_ball_in_box(double r, const double low[3], const double high[3]) {
    double a[3], b[3], sum = 0;
    bool whole = true;
    for (int k = 0; k < 3; k++) {
        if (!(low[k] < r && high[k] > -r && low[k] < high[k])) {
            return 0;
        }
        whole = whole && low[k] <= -r && high[k] >= r;
        a[k] = low[k] <= -r ? -2 * r : low[k]; /* a face that only touches does not count */
        b[k] = high[k] >= r ? 2 * r : high[k];
    }
    if (whole) {
        return 4.0 / 3 * M_PI * r * r * r;
    }
    for (int k = 0; k < 3; k++) {
        sum += b[k] * face_in_ball(r, k, b[k], a, b) - a[k] * face_in_ball(r, k, a[k], a, b);
    }
    return scr_max((sum + r * r * sphere_in_box(r, a, b)) / 3, 0);
}
