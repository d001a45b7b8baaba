#include "measure/room.h"
#include "math/elementary.h"
#include "measure/gauss.h"
#include "measure/overlap.h"
#include "measure/rings.h"

/* ---------------------------------------------------------------- finding it */

/* How far the centres of bodies are along an axis and, squared, from it. */
typedef struct Spread {
    double low, high, square;
} Spread;

static Spread spread_of(const ScreeSample *s, Vec3 point, Vec3 axis) {
    Spread found = {INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < s->bodies; i++) {
        if (s->holder != NULL && s->holder[i].index >= 0) {
            continue;
        }
        const Vec3 from = sub(s->position[i], point);
        const double along = s->dimension == 3 ? dot(from, axis) : 0;
        found.low = scr_min(found.low, along);
        found.high = scr_max(found.high, along);
        found.square = scr_max(found.square, dot(from, from) - along * along);
    }
    return found;
}

static bool encloses(const ScreeSample *s, const ScreeWallDef *wall) {
    if (wall->shape != SCREE_WALL_CYLINDER || !wall->inside) {
        return false;
    }
    for (int k = 0; k < 3; k++) { /* it repeats across its axis, or is a circle in a cell */
        if (s->periodic[k] && (s->dimension == 2 || fabs(component(wall->axis, k)) < 1 - 1e-12)) {
            return false;
        }
    }
    const Spread spread = spread_of(s, wall->point, wall->axis);
    const double half = wall->length > 0 && s->dimension == 3 ? wall->length / 2 : INFINITY;
    return spread.square <= wall->radius * wall->radius && spread.low >= -half &&
           spread.high <= half;
}

/* Whether a wall closes the whole cross-section of the room. */
static bool is_end(const ScreeRoom *room, const ScreeWallDef *wall) {
    if (wall->shape == SCREE_WALL_PLANE) {
        return scr_room_is_along(room, wall->normal);
    }
    const Vec3 from = sub(wall->point, room->point);
    const double along = dot(from, room->axis);
    const double aside = sqrt(scr_max(dot(from, from) - along * along, 0));
    return wall->shape == SCREE_WALL_CONE && wall->length == 0 &&
           scr_room_is_along(room, wall->axis) && scr_min(wall->radius, wall->end_radius) == 0 &&
           scr_max(wall->radius, wall->end_radius) >= (room->radius + aside) * (1 - 1e-9);
}

static void add_end(ScreeRoom *room, const Spread *spread, const ScreeWallDef *wall) {
    const double at = dot(sub(wall->point, room->point), room->axis);
    const double facing = wall->shape == SCREE_WALL_PLANE ? dot(wall->normal, room->axis) : 0;
    if (at <= spread->low && facing >= 0) {
        room->low = scr_max(room->low, at);
    } else if (at >= spread->high && facing <= 0) {
        room->high = scr_min(room->high, at);
    }
}

ScreeRoom scr_room_find(const ScreeSample *s, const ScreeWallState *wall, size_t walls) {
    ScreeRoom room = {.radius = 0, .low = -INFINITY, .high = INFINITY};
    for (size_t i = 0; i < walls; i++) {
        const ScreeWallDef *def = &wall[i].now;
        if (wall[i].present && encloses(s, def) &&
            (room.radius == 0 || def->radius < room.radius)) {
            room.point = def->point;
            room.axis = s->dimension == 3 ? def->axis : vec3(0, 0, 1);
            room.radius = def->radius;
        }
    }
    const Spread spread = spread_of(s, room.point, room.axis);
    for (size_t i = 0; i < walls && room.radius > 0 && s->dimension == 3; i++) {
        if (wall[i].present && is_end(&room, &wall[i].now)) {
            add_end(&room, &spread, &wall[i].now);
        }
    }
    return room;
}

/* ---------------------------------------------------------------- its box */

void scr_room_box(const ScreeRoom *r, int dimension, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        const double along = dimension == 3 ? component(r->axis, k) : 0;
        const double across = r->radius * sqrt(scr_max(1 - along * along, 0));
        const double one = along != 0 ? along * r->low : 0,
                     other = along != 0 ? along * r->high : 0;
        low[k] = component(r->point, k) + scr_min(one, other) - across;
        high[k] = component(r->point, k) + scr_max(one, other) + across;
    }
}

/* ---------------------------------------------------------------- in a box */

typedef struct Corner {
    double u, w;
} Corner;

enum { CORNERS_MOST = 16, HEIGHTS = 8 + 12, PANELS = 16 };

/* What is left of a convex polygon where a u + b w + c is not negative. */
static int clip(const Corner *from, int count, double a, double b, double c, Corner *to) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        const Corner p = from[i], q = from[(i + 1) % count];
        const double at_p = a * p.u + b * p.w + c, at_q = a * q.u + b * q.w + c;
        if (at_p >= 0) {
            to[left++] = p;
        }
        if ((at_p < 0) != (at_q < 0)) {
            const double t = at_p / (at_p - at_q);
            to[left++] = (Corner){p.u + t * (q.u - p.u), p.w + t * (q.w - p.w)};
        }
    }
    return left;
}

static double sector(double radius, Corner p, Corner q) {
    return 0.5 * radius * radius * scr_atan2(p.u * q.w - p.w * q.u, p.u * q.u + p.w * q.w);
}

/* The area of the triangle of the centre, p and q within the disk, with its sign: a sector up to where
 * the side enters the disk, a triangle, and a sector from where it leaves it. */
static double wedge(double radius, Corner p, Corner q) {
    const double u = q.u - p.u, w = q.w - p.w, a = u * u + w * w, b = p.u * u + p.w * w;
    const double root = b * b - a * (p.u * p.u + p.w * p.w - radius * radius);
    const double enters = root > 0 ? (-b - sqrt(root)) / a : 1;
    const double leaves = root > 0 ? (-b + sqrt(root)) / a : 0;
    if (!(root > 0) || enters >= 1 || leaves <= 0) {
        return sector(radius, p, q);
    }
    const double from = scr_max(enters, 0), to = scr_min(leaves, 1);
    const Corner in = {p.u + from * u, p.w + from * w}, out = {p.u + to * u, p.w + to * w};
    return (enters > 0 ? sector(radius, p, in) : 0) + 0.5 * (in.u * out.w - in.w * out.u) +
           (leaves < 1 ? sector(radius, out, q) : 0);
}

/* The area of the cross-section at t along the axis, within the box. */
static double section(const ScreeRoom *r, double t, const double low[3], const double high[3]) {
    const Vec3 side = perpendicular(r->axis), other = cross(r->axis, side);
    const double reach = 2 * r->radius;
    Corner one[CORNERS_MOST] = {{-reach, -reach}, {reach, -reach}, {reach, reach}, {-reach, reach}};
    Corner two[CORNERS_MOST];
    int count = 4;
    double area = 0;
    for (int k = 0; k < 3; k++) {
        const double u = component(side, k), w = component(other, k);
        const double at = component(r->point, k) + t * component(r->axis, k);
        count = clip(one, count, u, w, at - low[k], two);
        count = clip(two, count, -u, -w, high[k] - at, one);
    }
    for (int i = 0; i < count; i++) {
        area += wedge(r->radius, one[i], one[(i + 1) % count]);
    }
    return area;
}

/* Heights along the axis between which the sections of a box change smoothly: those of its corners and
 * those at which a face touches the cylinder, as far as the room reaches. In order; how many. */
static int smooth_heights(const ScreeRoom *r, const double low[3], const double high[3],
                          double t[HEIGHTS]) {
    double first = INFINITY, last = -INFINITY;
    int count = 0;
    for (int c = 0; c < 8; c++) {
        const Vec3 corner =
            vec3(c & 1 ? high[0] : low[0], c & 2 ? high[1] : low[1], c & 4 ? high[2] : low[2]);
        t[count] = dot(sub(corner, r->point), r->axis);
        first = scr_min(first, t[count]);
        last = scr_max(last, t[count++]);
    }
    for (int k = 0; k < 3; k++) {
        const double slope = component(r->axis, k);
        const double across = r->radius * sqrt(scr_max(1 - slope * slope, 0));
        for (int c = 0; c < 4 && slope != 0; c++) {
            const double face = (c & 1 ? high[k] : low[k]) - component(r->point, k);
            t[count++] = (face + (c & 2 ? across : -across)) / slope;
        }
    }
    first = scr_max(first, r->low);
    last = scr_max(first, scr_min(last, r->high));
    for (int i = 0; i < count; i++) {
        const double at = scr_min(scr_max(t[i], first), last);
        int k = i;
        for (; k > 0 && t[k - 1] > at; k--) {
            t[k] = t[k - 1];
        }
        t[k] = at;
    }
    return count;
}

/* A section begins and ends as the power 3/2 of the height; t = a + (b - a)(3 u^2 - 2 u^3) makes it
 * smooth. */
static double in_leaning_box(const ScreeRoom *r, const double low[3], const double high[3]) {
    double t[HEIGHTS], sum = 0;
    const int count = smooth_heights(r, low, high, t);
    for (int i = 0; i + 1 < count; i++) {
        const double piece = t[i + 1] - t[i];
        for (int k = 0; k < PANELS && piece > 0; k++) {
            for (int g = 0; g < GAUSS_POINTS; g++) {
                const double u = (k + gauss_node[g]) / PANELS;
                const double at = t[i] + piece * u * u * (3 - 2 * u);
                sum +=
                    gauss_weight[g] / PANELS * piece * 6 * u * (1 - u) * section(r, at, low, high);
            }
        }
    }
    return sum;
}

double scr_room_in_box(const ScreeRoom *r, int dimension, const double low[3],
                       const double high[3]) {
    double from[3], to[3], near[2], far[2], height = 1;
    int across = 0;
    bool leaning = dimension == 3;
    scr_room_box(r, dimension, from, to);
    for (int k = 0; k < dimension; k++) {
        from[k] = scr_max(from[k], low[k]);
        to[k] = scr_min(to[k], high[k]);
        leaning = leaning && fabs(component(r->axis, k)) < 1 - 1e-12;
        if (!(from[k] < to[k])) {
            return 0;
        }
    }
    for (int k = 0; k < dimension; k++) {
        if (!isfinite(to[k] - from[k])) {
            return INFINITY;
        }
        if (dimension == 3 && fabs(component(r->axis, k)) >= 1 - 1e-12) {
            height = to[k] - from[k];
        } else if (!leaning) {
            near[across] = from[k] - component(r->point, k);
            far[across++] = to[k] - component(r->point, k);
        }
    }
    return leaning ? in_leaning_box(r, from, to) : height * scr_disk_in_box(r->radius, near, far);
}

/* ---------------------------------------------------------------- in a cylinder */

double scr_room_in_cylinder(const ScreeRoom *r, int dimension, Vec3 centre, Vec3 along,
                            double radius, double begin, double end) {
    const Vec3 from = sub(r->point, centre);
    const double ahead = dimension == 3 ? dot(from, along) : 0;
    const double sign = dot(along, r->axis) > 0 ? 1 : -1;
    const double aside = sqrt(scr_max(dot(from, from) - ahead * ahead, 0));
    const double one = ahead + sign * r->low, other = ahead + sign * r->high;
    const double height = scr_min(end, scr_max(one, other)) - scr_max(begin, scr_min(one, other));
    return scr_disk_in_disk(radius, aside, r->radius) * (dimension == 3 ? scr_max(height, 0) : 1);
}
