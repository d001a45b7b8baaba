#include "narrow/smooth_wall.h"

#include "narrow/narrow.h"

static bool is_tube(const ScreeWallDef *wall) {
    return wall->shape == SCREE_WALL_CYLINDER;
}

/* The farthest point of the surface (rim -1) or of one rim, from the centre of the body. */
static Vec3 farthest(const SmoothAtWall *w, int rim, Vec3 d) {
    Vec3 own = scr_into_frame(w->solid, d);
    const SmoothPart *s = &w->part->smooth;
    Vec3 x = rim < 0 ? scr_smooth_support(s, own) : scr_rim_support(s, rim, own);
    return scr_out_of_frame(w->solid, x);
}

static bool add_touch(const SmoothAtWall *w, Vec3 point, int32_t place, double reach,
                      OutlineTouches *touches) {
    double rounding = w->part->rounding;
    const Touch touch = scr_touch_wall(w->def, w->wall, add(w->seen, point), rounding);
    const OutlineTouch found = {.gap = touch.gap,
                                .normal = touch.normal,
                                .arm = add_scaled(point, rounding + 0.5 * touch.gap, touch.normal),
                                .feature = scr_feature(w->part->first_element + place, 0)};
    return touch.gap > reach || scr_join_touch(touches, &found, 1e-9 * w->solid->solid->radius);
}

/* ---------------------------------------------------------------- planes */

static bool touch_plane(const SmoothAtWall *w, double reach, OutlineTouches *touches) {
    Vec3 normal = scale(-1, w->wall->normal);
    Vec3 along = add_scaled(w->shift, -dot(w->shift, normal), normal);
    bool moves = length(along) > 1e-6 * length(w->shift);
    const OverPlane over = {w->part, scr_into_frame(w->solid, normal),
                            scr_into_frame(w->solid, scale(moves ? -1 : 0, along)), w->tilt};
    int32_t place[MOST_PLANE_PLACES];
    int count = scr_places_at_plane(&over, place);
    bool ok = true;
    for (int k = 0; k < count && ok; k++) {
        Vec3 own = scr_place_at_plane(&w->part->smooth, place[k], over.down);
        ok = add_touch(w, scr_out_of_frame(w->solid, own), place[k], reach, touches);
    }
    return ok;
}

/* ---------------------------------------------------------------- hollow cylinders
 *
 * With u(angle) across the axis, the body reaches out to g = u.(x - axis), x its farthest point along
 * u. A contact is a greatest g, where x lies in the direction u from the axis; seen from outside of
 * a thin tube it is where the body comes nearest to the axis. */

typedef struct Around {
    const SmoothAtWall *at;
    int rim;
    double side; /* 1: from inside, -1: from outside */
    Vec3 from, third, centre;
} Around;

static Vec3 direction_at(const Around *a, double angle) {
    return add_scaled(scale(scr_cos(angle), a->from), scr_sin(angle), a->third);
}

/* A direction, and what is reached along it. */
typedef struct Glance {
    double angle, reached, slope;
    Vec3 x;
} Glance;

static Glance glance_at(const Around *a, double angle) {
    Vec3 u = direction_at(a, angle), x = farthest(a->at, a->rim, scale(a->side, u));
    Vec3 from_axis = add(a->centre, x);
    return (Glance){angle, dot(from_axis, u), dot(from_axis, cross(a->at->wall->axis, u)), x};
}

/* Where the slope, positive at `low` and not at `high`, becomes 0: by chords, and where these do not close in by
 * halves. */
static Glance refine(const Around *a, Glance low, Glance high) {
    double tiny = 1e-16 * (length(a->centre) + a->at->part->extent);
    double up = low.slope, down = high.slope; /* that of an end that stays is halved */
    for (int k = 0; k < 80 && high.angle - low.angle > 1e-16; k++) {
        bool chord = k % 4 != 3 && up > 0 && down <= 0;
        double share = chord ? up / (up - down) : 0.5;
        const Glance g = glance_at(a, low.angle + share * (high.angle - low.angle));
        if (fabs(g.slope) <= tiny || !(g.angle > low.angle && g.angle < high.angle)) {
            return g;
        }
        up = g.slope > 0 ? g.slope : 0.5 * up;
        down = g.slope > 0 ? 0.5 * down : g.slope;
        low = g.slope > 0 ? g : low;
        high = g.slope > 0 ? high : g;
    }
    return glance_at(a, 0.5 * (low.angle + high.angle));
}

static Around around(const SmoothAtWall *w, int rim) {
    const ScreeWallDef *wall = w->wall;
    Vec3 d = sub(w->seen, wall->point);
    double up = dot(d, wall->axis);
    Around a = {.at = w, .rim = rim, .from = perpendicular(wall->axis)};
    a.third = cross(wall->axis, a.from);
    a.centre = add_scaled(d, -up, wall->axis);
    bool outside = wall->length > 0 && length(a.centre) > wall->radius;
    a.side = outside ? -1 : 1;
    return a;
}

enum { LOOKS = 32 };

/* Eight sectors around the axis name the points. */
static int32_t sector_place(const Around *a, Vec3 x) {
    Vec3 at = add(a->centre, x);
    double angle = scr_atan2(dot(at, a->third), dot(at, a->from)) / (2 * M_PI);
    int sector = (int)((angle < 0 ? angle + 1 : angle) * SECTORS);
    return PLACE_SECTOR + (a->rim == 1 ? SECTORS : 0) + (sector < SECTORS ? sector : 0);
}

static bool is_taken(const SmoothAtWall *w, int32_t place, const OutlineTouches *touches) {
    int32_t feature = scr_feature(w->part->first_element + place, 0);
    for (size_t i = 0; i < touches->count; i++) {
        if (touches->item[i].feature == feature) {
            return true;
        }
    }
    return false;
}

/* Two points of one sector: the second has the name of the next one. */
static int32_t free_place(const SmoothAtWall *w, int32_t place, const OutlineTouches *touches) {
    int32_t first = place - (place - PLACE_SECTOR) % SECTORS, sector = place - first;
    for (int k = 0; k < SECTORS && is_taken(w, first + sector, touches); k++) {
        sector = (sector + 1) % SECTORS;
    }
    return first + sector;
}

/* The angles in which points of the part, or of its rim, are seen from the axis: a contact lies in the
 * direction of its point. All around, if the axis may run through it. */
static void angles_seen(const Around *a, double *from, double *to) {
    const Polyhedron *part = a->at->part;
    const SmoothPart *s = &part->smooth;
    Vec3 own = a->rim < 0 ? part->middle : scr_rim_point(s, a->rim, vec3(0, 0, 0));
    Vec3 middle = add(a->centre, scr_out_of_frame(a->at->solid, own));
    double x = dot(middle, a->from), y = dot(middle, a->third), far = scr_hypot(x, y);
    double extent = a->rim < 0 ? part->extent : s->form[a->rim];
    bool whole = !(extent < 0.999 * far);
    double angle = whole ? 0 : scr_atan2(y, x), half = whole ? M_PI : scr_asin(extent / far);
    *from = angle - 1.001 * half;
    *to = angle + 1.001 * half;
}

static const double same_top = 1e-4; /* part of the size: tops nearer to each other are one */

/* Whether the body may have a greatest distance from the axis between two directions although the slope has one sign at
 * both, as where its outline bends sharply. It lies within both tangents, so it reaches no farther than where these meet,
 * at the distance
 *
 *     |q|^2 = (g^2 + h^2 - 2 g h cos d) / sin^2 d,   d the angle between them. */
static bool may_hide_a_top(const Around *a, const Glance *low, const Glance *high) {
    double sine = scr_sin(high->angle - low->angle), cosine = scr_cos(high->angle - low->angle);
    double g = low->reached, h = high->reached;
    double far = (g * g + h * h - 2 * g * h * cosine) / (sine * sine);
    Vec3 one = add(a->centre, low->x), other = add(a->centre, high->x), k = a->at->wall->axis;
    one = add_scaled(one, -dot(one, k), k);
    other = add_scaled(other, -dot(other, k), k);
    Vec3 way = sub(one, other);
    double most = scr_max(dot(one, one), dot(other, other)), extent = a->at->part->extent;
    return far > most + 1e-11 * extent * extent && length(way) > same_top * extent;
}

enum { MOST_CUTS = 10 };

typedef struct Tops {
    const Around *a;
    double reach;
    OutlineTouches *touches;
    bool found;
} Tops;

/* Adds the tops between two directions. */
static bool touch_between(Tops *t, const Glance *low, const Glance *high, int cuts) {
    const Around *a = t->a;
    if (low->slope > 0 && !(high->slope > 0)) {
        /* a flat outline has a top at either end of the flat: there may be another one on this side of it, or on that */
        Glance before = refine(a, *low, *high), after = before;
        int32_t place = free_place(a->at, sector_place(a, before.x), t->touches);
        before.slope = 1;
        after.slope = -1;
        t->found = true;
        return add_touch(a->at, before.x, place, t->reach, t->touches) &&
               touch_between(t, low, &before, cuts) && touch_between(t, &after, high, cuts);
    }
    if (cuts == 0 || (!(low->slope > 0) && high->slope > 0) || a->side < 0 ||
        !may_hide_a_top(a, low, high)) {
        return true;
    }
    const Glance middle = glance_at(a, 0.5 * (low->angle + high->angle));
    return touch_between(t, low, &middle, cuts - 1) && touch_between(t, &middle, high, cuts - 1);
}

static bool touch_around(const SmoothAtWall *w, int rim, double reach, OutlineTouches *touches) {
    const Around a = around(w, rim);
    Tops tops = {&a, reach, touches, false};
    double from, to;
    bool ok = true;
    angles_seen(&a, &from, &to);
    Glance low = glance_at(&a, from);
    for (int k = 1; k <= LOOKS && ok; k++) {
        const Glance high = glance_at(&a, from + (to - from) * k / LOOKS);
        ok = touch_between(&tops, &low, &high, MOST_CUTS);
        low = high;
    }
    if (!tops.found) { /* round about the axis */
        const Glance all = glance_at(&a, 0);
        ok = ok &&
             add_touch(w, all.x, free_place(w, sector_place(&a, all.x), touches), reach, touches);
    }
    return ok;
}

/* A cap that lies in the hollow touches at two points of its rim, and rocks from one to the other: then
 * its fixed points count, too. */
static bool touch_lying_cap(const SmoothAtWall *w, int rim, double reach, OutlineTouches *touches) {
    const SmoothPart *s = &w->part->smooth;
    const Around a = around(w, rim);
    Vec3 cap = scr_out_of_frame(w->solid, scale(rim == 1 ? 1 : -1, s->axis[2])), out;
    Vec3 middle = add(a.centre, scr_out_of_frame(w->solid, scr_rim_point(s, rim, vec3(0, 0, 0))));
    middle = add_scaled(middle, -dot(middle, w->wall->axis), w->wall->axis);
    bool lies = direction_of(scale(a.side, middle), &out) && dot(cap, out) > 0.9;
    bool ok = true;
    for (int k = 0; k < RIM_POINTS && ok && lies && s->form[rim] > 0; k += FIXED_STEP) {
        Vec3 x = scr_out_of_frame(w->solid, scr_fixed_rim_point(s, rim, k));
        ok = add_touch(w, x, PLACE_RIM + rim * RIM_POINTS + k, reach, touches);
    }
    return ok;
}

static bool touch_tube(const SmoothAtWall *w, double reach, OutlineTouches *touches) {
    if (w->part->smooth.kind == SCREE_PART_CONE) {
        return touch_around(w, 0, reach, touches) && touch_around(w, 1, reach, touches) &&
               touch_lying_cap(w, 0, reach, touches) && touch_lying_cap(w, 1, reach, touches);
    }
    return touch_around(w, -1, reach, touches);
}

bool scr_touch_smooth_wall(const SmoothAtWall *w, double reach, OutlineTouches *touches) {
    return is_tube(w->wall) ? touch_tube(w, reach, touches) : touch_plane(w, reach, touches);
}

/* ---------------------------------------------------------------- one point again */

/* The greatest reach near the direction that the contact had. */
static Vec3 point_around(const SmoothAtWall *w, int rim, Vec3 normal) {
    const Around a = around(w, rim);
    double angle = scr_atan2(dot(normal, a.third), dot(normal, a.from));
    Glance near = glance_at(&a, angle + (a.side < 0 ? M_PI : 0)), far = near;
    double sign = near.slope > 0 ? 1 : -1, step = 1e-3;
    for (int k = 0; k < 12 && far.slope * sign > 0; k++, step *= 2) {
        near = far;
        far = glance_at(&a, far.angle + sign * step);
    }
    return sign > 0 ? refine(&a, near, far).x : refine(&a, far, near).x;
}

Vec3 scr_smooth_wall_point(const SmoothAtWall *w, int32_t name, Vec3 normal) {
    int32_t place = scr_plain_place(name);
    if (place >= PLACE_SECTOR && place < PLACE_CROSSING) {
        bool cone = w->part->smooth.kind == SCREE_PART_CONE;
        return point_around(w, cone ? (place - PLACE_SECTOR) / SECTORS : -1, normal);
    }
    Vec3 down = scr_into_frame(w->solid, scale(-1, w->wall->normal));
    return scr_out_of_frame(w->solid, scr_place_at_plane(&w->part->smooth, place, down));
}
