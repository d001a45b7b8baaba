#include "narrow/wall_curve.h"

#include "narrow/feature_sight.h"
#include "narrow/smooth_places.h"

/* ---------------------------------------------------------------- curves */

static int32_t holes_of(const ScreeWallDef *w) {
    return w->shape == SCREE_WALL_PLATE ? w->holes[0] * w->holes[1] : 2;
}

int32_t scr_curve_count(const ScreeWallDef *w) {
    return holes_of(w) + (w->shape == SCREE_WALL_PLATE ? 4 : 0);
}

static WallCurve plate_edge(const ScreeWallDef *w, int32_t k) {
    static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    Vec3 a = vec3(sign[k][0] * w->half.x, sign[k][1] * w->half.y, 0);
    Vec3 b = vec3(sign[(k + 1) % 4][0] * w->half.x, sign[(k + 1) % 4][1] * w->half.y, 0);
    Vec3 along = unit(sub(b, a));
    return (WallCurve){.straight = true,
                       .from = add(w->point, quat_rotate(w->orientation, a)),
                       .u = quat_rotate(w->orientation, along),
                       .v = quat_rotate(w->orientation, cross(vec3(0, 0, 1), along)),
                       .size = length(sub(b, a))};
}

WallCurve scr_wall_curve(const ScreeWallDef *w, int32_t number, const PlacedSolid *body,
                         Vec3 seen) {
    WallCurve c;
    if (number >= holes_of(w)) {
        c = plate_edge(w, number - holes_of(w));
    } else {
        const WallRim r = scr_wall_rim(w, number);
        c = (WallCurve){.from = r.centre,
                        .u = r.from,
                        .v = r.third,
                        .axis = r.axis,
                        .size = r.radius,
                        .out = r.out,
                        .up = r.up};
    }
    c.from = scr_into_frame(body, sub(c.from, seen));
    c.u = scr_into_frame(body, c.u);
    c.v = scr_into_frame(body, c.v);
    c.axis = scr_into_frame(body, c.axis);
    return c;
}

/* Sines of the first quarter of a circle in 64 parts. */
static const double sine[CURVE_SECTORS / 4 + 1] = {0,
                                                   0.0980171403295606,
                                                   0.19509032201612825,
                                                   0.29028467725446233,
                                                   0.3826834323650898,
                                                   0.47139673682599764,
                                                   0.5555702330196022,
                                                   0.6343932841636455,
                                                   0.7071067811865475,
                                                   0.773010453362737,
                                                   0.8314696123025452,
                                                   0.8819212643483549,
                                                   0.9238795325112867,
                                                   0.9569403357322089,
                                                   0.9807852804032304,
                                                   0.9951847266721968,
                                                   1};

static Vec3 corner_at(Vec3 u, Vec3 v, int k) {
    enum { QUARTER = CURVE_SECTORS / 4 };
    const int part = k % QUARTER;
    const double s = sine[part], c = sine[QUARTER - part];
    const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    const double *t = turned[k / QUARTER % 4];
    return add_scaled(scale(t[0], u), t[1], v);
}

Vec3 scr_turned(Vec3 u, Vec3 v, double turns) {
    double at = (turns - floor(turns)) * CURVE_SECTORS;
    int k = (int)at;
    double share = at - k;
    Vec3 from = corner_at(u, v, k), direction;
    if (share == 0) {
        return from;
    }
    return direction_of(add_scaled(scale(1 - share, from), share, corner_at(u, v, k + 1)),
                        &direction)
               ? direction
               : from;
}

static Vec3 outward_at(const WallCurve *c, double t) {
    return scr_turned(c->u, c->v, t);
}

Vec3 scr_curve_at(const WallCurve *c, double t) {
    return c->straight ? add_scaled(c->from, t * c->size, c->u)
                       : add_scaled(c->from, c->size, outward_at(c, t));
}

Vec3 scr_curve_tangent(const WallCurve *c, double t) {
    return c->straight ? c->u : cross(c->axis, outward_at(c, t));
}

Vec3 scr_curve_inward(const WallCurve *c, double t) {
    return c->straight ? c->v : add_scaled(scale(c->out, outward_at(c, t)), c->up, c->axis);
}

bool scr_curve_is_nearest(const WallCurve *c, Vec3 inward, Vec3 normal, double tilt) {
    if (!c->straight && c->size == 0) {
        double up = dot(normal, c->axis);
        Vec3 across = add_scaled(normal, -up, c->axis);
        return up * c->up - fabs(c->out) * length(across) >= -tilt;
    }
    return dot(normal, inward) >= -tilt;
}

/* ---------------------------------------------------------------- an edge across the curve
 *
 * Where a curve has entered an edge, it is deepest midway between the two faces, and the normals of both lead
 * along the curve. What parts it from the edge is the direction across both, as it is before they touch. */

static double height_over(const Polyhedron *p, int32_t face, Vec3 x) {
    return dot(p->face[face].normal, x) - p->face[face].offset;
}

/* Whether a face is the nearest one, at the height `top`. Of a body that is not convex other planes may pass there. */
static bool is_top_face(const Polyhedron *p, int32_t f, Vec3 x, double top) {
    const double same = 1e-6 * p->extent;
    double height = height_over(p, f, x);
    return height >= top - same &&
           (p->convex || (height <= top + same && scr_beyond_face(p, f, x, 0) <= same));
}

static PointSight across_edge(const Polyhedron *p, Vec3 x, Vec3 tangent, PointSight seen) {
    double top = p->convex ? -INFINITY : seen.gap;
    PointSight best = {-INFINITY, seen.normal};
    for (int32_t f = 0; f < p->faces && p->convex; f++) {
        top = scr_max(top, height_over(p, f, x));
    }
    for (int32_t k = 0; k < p->edges; k++) {
        const PolyhedronEdge *e = &p->edge[k];
        Vec3 n, out = add(p->face[e->face[0]].normal, p->face[e->face[1]].normal);
        if ((!p->convex && e->kind != EDGE_CONVEX) || !is_top_face(p, e->face[0], x, top) ||
            !is_top_face(p, e->face[1], x, top) || !direction_of(cross(e->along, tangent), &n)) {
            continue;
        }
        n = dot(n, out) < 0 ? scale(-1, n) : n;
        double gap = dot(n, sub(x, scr_vertex(p, e->vertex[0])));
        best = gap > best.gap ? (PointSight){gap, n} : best;
    }
    return best.gap > -INFINITY ? best : seen;
}

/* The same at a rim of a cone or cylinder: midway between its cap and its side. The direction must lie between those out of
 * the two, else one of them alone is met. */
static PointSight across_rim(const Polyhedron *p, Vec3 x, Vec3 tangent, PointSight seen) {
    const SmoothPart *c = &p->smooth;
    const double same = 1e-6 * p->extent;
    Vec3 d = sub(x, c->centre), outward, n;
    double up = dot(d, c->axis[2]), across, along;
    if (!direction_of(add_scaled(d, -up, c->axis[2]), &outward)) {
        return seen;
    }
    const int rim = up < 0.5 * c->length ? 0 : 1;
    Vec3 cap = scale(rim == 0 ? -1 : 1, c->axis[2]);
    scr_cone_side(c, &across, &along);
    Vec3 side = add_scaled(scale(across, outward), along, c->axis[2]);
    Vec3 off = sub(x, scr_rim_point(c, rim, outward));
    bool midway = fabs(dot(off, cap) - seen.gap) <= same && fabs(dot(off, side) - seen.gap) <= same;
    if (!midway || !direction_of(cross(cross(c->axis[2], outward), tangent), &n)) {
        return seen;
    }
    n = dot(n, add(cap, side)) < 0 ? scale(-1, n) : n;
    double both = dot(cap, side);
    bool between = dot(n, side) >= both * dot(n, cap) && dot(n, cap) >= both * dot(n, side);
    return between ? (PointSight){dot(n, off), n} : seen;
}

PointSight scr_curve_sight(const Polyhedron *p, const WallCurve *c, double t) {
    Vec3 x = scr_curve_at(c, t);
    const PointSight s = scr_point_sight(p, x);
    if (!(s.gap < 1e-7 * p->extent) || c->size == 0) {
        return s;
    }
    return p->smooth.kind == SCREE_PART_CONE   ? across_rim(p, x, scr_curve_tangent(c, t), s)
           : !scr_is_smooth(p) && p->faces > 2 ? across_edge(p, x, scr_curve_tangent(c, t), s)
                                               : s;
}

/* ---------------------------------------------------------------- places */

/* Slopes of the distance along the curve that count as none: a face lies on a flat ring. */
static const double level = 1e-9;

static double slope_at(const Polyhedron *p, const WallCurve *c, double t) {
    const PointSight s = scr_point_sight(p, scr_curve_at(c, t));
    return dot(s.normal, scr_curve_tangent(c, t));
}

/* Where the slope stops being below `than`: it is at `low`, and not at `high`. By the false position (Illinois), since
 * the distance from a body outside of it has no kinks, and every third time halfway, since inside it has. */
static double refine(const Polyhedron *p, const WallCurve *c, double low, double high,
                     double than) {
    double over_low = slope_at(p, c, low) - than, over_high = slope_at(p, c, high) - than;
    int side = 0;
    for (int k = 1; k < 120 && high - low > 1e-14; k++) {
        double share = over_low / (over_low - over_high);
        bool halfway = k % 3 == 0 || !(share > 0 && share < 1);
        double t = low + (halfway ? 0.5 : share) * (high - low);
        double over = slope_at(p, c, t) - than;
        if (fabs(over) < 1e-15) {
            return t;
        }
        if (over < 0) {
            low = t;
            over_low = over;
            over_high *= side == -1 ? 0.5 : 1;
            side = -1;
        } else {
            high = t;
            over_high = over;
            over_low *= side == 1 ? 0.5 : 1;
            side = 1;
        }
    }
    return 0.5 * (low + high);
}

/* The least distance where the slope goes from below 0 to above it; with `last`, the end of a level
 * stretch instead of its beginning. */
static double least_between(const Polyhedron *p, const WallCurve *c, double low, double high,
                            bool last) {
    const double near = 5e-7;
    double least = refine(p, c, low, high, 0);
    double before = scr_max(low, least - near), after = scr_min(high, least + near);
    if (!last ? slope_at(p, c, before) < -level : slope_at(p, c, after) > level) {
        return least;
    }
    return refine(p, c, last ? least : low, last ? high : least, last ? level : -level);
}

/* The way from one end of a sector to the other, at most. */
static double sector_length(const WallCurve *c) {
    return (c->straight ? c->size : 2 * M_PI * c->size) / CURVE_SECTORS;
}

static bool is_near(const Polyhedron *p, const WallCurve *c, double t, double reach) {
    double far = p->extent + p->rounding + reach + sector_length(c);
    Vec3 d = sub(scr_curve_at(c, t), p->middle);
    return dot(d, d) <= far * far;
}

static void add_place(double t, int *count, double place[MOST_CURVE_PLACES]) {
    for (int k = 0; k < *count; k++) {
        if (fabs(place[k] - t) < 1e-7) {
            return;
        }
    }
    if (*count < MOST_CURVE_PLACES) {
        place[(*count)++] = t;
    }
}

bool scr_curve_may_touch(const Polyhedron *p, const WallCurve *c, double reach) {
    double far = p->extent + p->rounding + reach;
    Vec3 d = sub(p->middle, c->from);
    if (c->straight) {
        double s = scr_min(scr_max(dot(d, c->u), 0), c->size);
        return length(add_scaled(d, -s, c->u)) <= far;
    }
    double up = dot(d, c->axis), out = length(add_scaled(d, -up, c->axis));
    return scr_hypot(up, out - c->size) <= far;
}

/* What is seen where a sector begins or ends. */
typedef struct SectorEnd {
    bool near;
    double gap, slope;
} SectorEnd;

static SectorEnd sector_end(const Polyhedron *p, const WallCurve *c, double t, double reach) {
    if (!is_near(p, c, t, reach)) {
        return (SectorEnd){false, INFINITY, 0};
    }
    const PointSight s = scr_point_sight(p, scr_curve_at(c, t));
    return (SectorEnd){true, s.gap, dot(s.normal, scr_curve_tangent(c, t))};
}

enum { BLOCK = 8, BLOCKS = CURVE_SECTORS / BLOCK };

/* Which blocks of sectors may come as near as that. A gap changes by no more than the way along the curve, so the middle
 * of a block tells of all of it. */
static void find_blocks(const Polyhedron *p, const WallCurve *c, double far, bool may[BLOCKS]) {
    const double more = (0.5 * BLOCK + 0.5) * sector_length(c);
    for (int k = 0; k < BLOCKS; k++) {
        Vec3 x = scr_curve_at(c, (k + 0.5) / BLOCKS), d = sub(x, p->middle);
        double all = p->extent + far + more;
        may[k] = dot(d, d) <= all * all && scr_point_sight(p, x).gap <= far + more;
    }
}

/* Whether a sector that begins or ends there is in one of them. */
static bool is_in_block(const bool may[BLOCKS], int k) {
    return (k < CURVE_SECTORS && may[k / BLOCK]) || (k > 0 && may[(k - 1) / BLOCK]);
}

/* ---------------------------------------------------------------- places of bodies that are not convex
 *
 * Several of their features may be near within one sector, so it is looked at in pieces. The nearest place of a sector
 * has its name. */

enum { PIECES = 8 };

/* The nearest of the places of least distance within a sector, of those that may be as near as `far`; false: there is
 * none. */
static bool nearest_in_sector(const Polyhedron *p, const WallCurve *c, int sector, double far,
                              double *place) {
    const double piece = 1.0 / (PIECES * CURVE_SECTORS), length = sector_length(c);
    double least = INFINITY, begin = (double)sector / CURVE_SECTORS;
    if (scr_point_sight(p, scr_curve_at(c, begin + 0.5 * PIECES * piece)).gap >
        far + 0.6 * length) {
        return false;
    }
    double before = slope_at(p, c, begin);
    for (int k = 0; k < PIECES; k++) {
        double from = begin + k * piece, to = begin + (k + 1) * piece, after = slope_at(p, c, to);
        for (int last = 0; last < 2; last++) {
            if (last ? before <= level && after > level : before < -level && after >= -level) {
                double t = least_between(p, c, from, to, last);
                double gap = scr_point_sight(p, scr_curve_at(c, t)).gap;
                *place = gap < least ? t : *place;
                least = scr_min(least, gap);
            }
        }
        before = after;
    }
    return least < INFINITY;
}

static int hollow_places(const Polyhedron *p, const WallCurve *c, double far,
                         const bool may[BLOCKS], double place[MOST_CURVE_PLACES]) {
    int count = 0;
    for (int k = 0; k < CURVE_SECTORS; k++) {
        double t = 0;
        if (may[k / BLOCK] && nearest_in_sector(p, c, k, far, &t)) {
            add_place(t, &count, place);
        }
    }
    for (int end = 0; end < 2 && c->straight; end++) { /* corners */
        double slope = slope_at(p, c, end);
        if (end == 0 ? slope >= 0 : slope <= 0) {
            add_place(end, &count, place);
        }
    }
    return count;
}

int scr_curve_places(const Polyhedron *p, const WallCurve *c, double reach,
                     double place[MOST_CURVE_PLACES]) {
    const double length = sector_length(c), far = p->rounding + reach;
    int count = 0;
    SectorEnd before = {false, INFINITY, 0};
    bool may[BLOCKS];
    if (c->size == 0) { /* a tip */
        place[0] = 0;
        return 1;
    }
    find_blocks(p, c, far, may);
    if (!p->convex) {
        return hollow_places(p, c, far, may, place);
    }
    for (int k = 0; k <= CURVE_SECTORS; k++) {
        double t = (double)k / CURVE_SECTORS, last = (double)(k - 1) / CURVE_SECTORS;
        const SectorEnd now =
            is_in_block(may, k) ? sector_end(p, c, t, reach) : (SectorEnd){false, INFINITY, 0};
        /* a gap changes by no more than the way along the curve */
        if (now.near && before.near && before.gap + now.gap - length <= 2 * far) {
            if (before.slope < -level && now.slope >= -level) {
                add_place(least_between(p, c, last, t, false), &count, place);
            }
            if (before.slope <= level && now.slope > level) {
                add_place(least_between(p, c, last, t, true), &count, place);
            }
        }
        if (now.near && c->straight &&
            ((k == 0 && now.slope >= 0) || (k == CURVE_SECTORS && now.slope <= 0))) {
            add_place(t, &count, place); /* a corner */
        }
        before = now;
    }
    return count;
}

double scr_place_in_sector(const Polyhedron *p, const WallCurve *c, int sector) {
    double t = (double)sector / CURVE_SECTORS, next = (double)(sector + 1) / CURVE_SECTORS;
    if (!p->convex && c->size > 0 && nearest_in_sector(p, c, sector, INFINITY, &t)) {
        return t;
    }
    if (c->size == 0 || slope_at(p, c, t) >= -level) {
        return t;
    }
    return slope_at(p, c, next) < -level ? next : least_between(p, c, t, next, false);
}
