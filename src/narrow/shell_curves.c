#include "narrow/shell_curves.h"

#include "narrow/patch_shell.h"

/* ---------------------------------------------------------------- curves */

static Vec3 curve_arm(const AtShell *at, const WallCurve *c, double t, double gap, Vec3 normal) {
    return scr_out_of_frame(at->solid, add_scaled(scr_curve_at(c, t), -0.5 * gap, normal));
}

static int32_t curve_name(int32_t number, int place) {
    return ON_CURVE + (number % CURVE_NAMES) * PLACE_NAMES + place;
}

static int sector_of(double t) {
    int sector = (int)(t * CURVE_SECTORS + 1e-9);
    return sector < CURVE_SECTORS ? sector : CURVE_SECTORS - 1;
}

/* A part at a point of a curve, which has this name. */
static bool touch_at(const AtShell *at, const Polyhedron *part, const WallCurve *c, double t,
                     int32_t name, double tilt, double reach, OutlineTouches *touches) {
    const PointSight s = scr_curve_sight(part, c, t);
    double gap = s.gap - part->rounding;
    const OutlineTouch found = {.gap = gap,
                                .normal = scr_out_of_frame(at->solid, s.normal),
                                .arm = curve_arm(at, c, t, gap, s.normal),
                                .feature = scr_feature(part->first_element, name)};
    bool near = gap <= reach && gap >= -DEEPEST_AT_SHELL * scr_size_at_shell(part);
    return !near || !scr_curve_is_nearest(c, scr_curve_inward(c, t), s.normal, tilt) ||
           scr_join_touch(touches, &found, 1e-9 * at->solid->solid->radius);
}

static bool touch_curve(const AtShell *at, const Polyhedron *part, int32_t number, double tilt,
                        double reach, OutlineTouches *touches) {
    const WallCurve c = scr_wall_curve(at->wall, number, at->solid, at->seen);
    double place[MOST_CURVE_PLACES];
    bool ok = true;
    if (!scr_curve_may_touch(part, &c, reach)) {
        return true;
    }
    if (scr_is_patchwork(part)) {
        return scr_touch_patch_curve(at, part, &c, curve_name(number, 0), tilt, reach, touches);
    }
    int count = scr_curve_places(part, &c, reach, place);
    for (int k = 0; k < count && ok; k++) {
        int32_t name = curve_name(number, sector_of(place[k]));
        ok = touch_at(at, part, &c, place[k], name, tilt, reach, touches);
    }
    bool fixed = !c.straight && c.size > 0;
    for (int k = 0; k < FIXED_POINTS && ok && fixed; k++) {
        int32_t name = curve_name(number, CURVE_SECTORS + k);
        double t = (double)k / FIXED_POINTS;
        ok = touch_at(at, part, &c, t, name, tilt, reach, touches);
    }
    return ok;
}

static bool touch_holes(const AtShell *at, const Polyhedron *part, double tilt, double reach,
                        OutlineTouches *touches) {
    const ScreeWallDef *w = at->wall;
    double far = part->extent + part->rounding + reach + w->radius;
    int32_t from[2], to[2];
    bool ok = true;
    if (w->holes[0] == 0) {
        return true;
    }
    scr_holes_near(w, scr_world_of(at, part->middle), far, from, to);
    for (int32_t j = from[1]; j <= to[1]; j++) {
        for (int32_t i = from[0]; i <= to[0] && ok; i++) {
            ok = touch_curve(at, part, i + w->holes[0] * j, tilt, reach, touches);
        }
    }
    return ok;
}

bool scr_touch_shell_curves(const AtShell *at, const Polyhedron *part, double tilt, double reach,
                            OutlineTouches *touches) {
    bool plate = at->wall->shape == SCREE_WALL_PLATE;
    bool ok = !plate || touch_holes(at, part, tilt, reach, touches);
    int32_t count = scr_curve_count(at->wall);
    for (int32_t k = plate ? scr_rim_count(at->wall) : 0; k < count && ok; k++) {
        ok = touch_curve(at, part, k, tilt, reach, touches);
    }
    return ok;
}

/* ---------------------------------------------------------------- one point again */

/* The curve of a name that is nearest to a part. */
static int32_t curve_of(const AtShell *at, const Polyhedron *part, int32_t name) {
    int32_t first = (name - ON_CURVE) / PLACE_NAMES, best = first;
    Vec3 middle = scr_world_of(at, part->middle);
    double least = INFINITY;
    for (int32_t k = first; k < scr_rim_count(at->wall); k += CURVE_NAMES) {
        double far = length(sub(scr_wall_rim(at->wall, k).centre, middle));
        best = far < least ? k : best;
        least = scr_min(least, far);
    }
    return best;
}

ShellPoint scr_shell_curve_point(const AtShell *at, const Polyhedron *part, int32_t number,
                                 int32_t name, Vec3 normal) {
    const WallCurve c = scr_wall_curve(at->wall, curve_of(at, part, name), at->solid, at->seen);
    int place = (name - ON_CURVE) % PLACE_NAMES;
    if (scr_is_patchwork(part)) {
        return scr_patch_curve_point(at, part, &c, number, place, normal);
    }
    double t = place < CURVE_SECTORS ? scr_place_in_sector(part, &c, place)
                                     : (double)(place - CURVE_SECTORS) / FIXED_POINTS;
    const PointSight s = scr_curve_sight(part, &c, t);
    double gap = s.gap - part->rounding;
    return (ShellPoint){gap, curve_arm(at, &c, t, gap, s.normal)};
}
