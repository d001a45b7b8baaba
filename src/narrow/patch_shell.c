#include "narrow/patch_shell.h"

#include "narrow/patch_field.h"

/* ---------------------------------------------------------------- over the wall */

/* A body at one side of a wall. */
typedef struct AtSide {
    const AtShell *at;
    const Polyhedron *part;
} AtSide;

static bool is_over(const void *side, const PatchMeeting *m, int32_t cell) {
    const AtSide *s = side;
    return scr_patch_is_entered(s->part, cell, m->gap) &&
           scr_surface_at(s->at->wall, scr_world_of(s->at, m->at.x)).within;
}

/* The inside of a cone, or that side of a flat wall which lies along the normal of a contact. */
static PatchPartner side_partner(const AtShell *at, Vec3 into_wall) {
    const ScreeWallDef *w = at->wall;
    PatchPartner p = {.kind = PARTNER_PLANE,
                      .at = scr_into_frame(at->solid, sub(w->point, at->seen))};
    if (scr_bulges(w)) {
        double wider = w->end_radius - w->radius;
        p.kind = PARTNER_TUBE;
        p.along = scr_into_frame(at->solid, w->axis);
        p.radius = w->radius;
        p.slope = -wider / scr_hypot(wider, w->length);
    } else {
        Vec3 n = scr_surface_at(w, w->point).normal;
        p.along = scr_into_frame(at->solid, scale(dot(n, into_wall) > 0 ? -1 : 1, n));
    }
    return p;
}

static ShellPoint shell_point(const AtShell *at, const PatchMeeting *m) {
    Vec3 middle = add_scaled(m->at.x, 0.5 * m->gap, m->normal);
    return (ShellPoint){m->gap, scr_out_of_frame(at->solid, middle)};
}

static bool add_touch(const AtSide *s, const PatchMeeting *m, int32_t element, int32_t name,
                      OutlineTouches *touches) {
    const ShellPoint p = shell_point(s->at, m);
    const OutlineTouch found = {.gap = p.gap,
                                .normal = scr_out_of_frame(s->at->solid, m->normal),
                                .arm = p.arm,
                                .feature = scr_feature(s->part->first_element + element, name)};
    return scr_join_touch(touches, &found, 1e-9 * s->at->solid->solid->radius);
}

static bool touch_side(const AtSide *s, Vec3 into_wall, double tilt, double reach,
                       OutlineTouches *touches) {
    PatchField f = {.surface = s->part->smooth.patchwork,
                    .partner = side_partner(s->at, into_wall),
                    .reach = reach,
                    .tilt = scr_max(tilt, LEAST_TILT),
                    .is_there = is_over,
                    .wall = s};
    bool ok = true;
    f.choice.size = scr_size_at_shell(s->part);
    f.low = -DEEPEST_AT_SHELL * f.choice.size;
    scr_search_field(&f);
    for (int32_t k = 0; k < f.choice.count && ok; k++) {
        const ChosenMeeting *m = &f.choice.item[k];
        int32_t element = scr_cell_element(f.surface, m->cell, m->flank);
        ok = m->gone || add_touch(s, &m->met, element, ON_SURFACE, touches);
    }
    return ok;
}

bool scr_touch_patch_shell(const AtShell *at, const Polyhedron *part, double tilt, double reach,
                           OutlineTouches *touches) {
    const AtSide s = {at, part};
    Vec3 n = scr_surface_at(at->wall, at->wall->point).normal;
    return touch_side(&s, n, tilt, reach, touches) &&
           (scr_bulges(at->wall) || touch_side(&s, scale(-1, n), tilt, reach, touches));
}

static NamedMeeting again(const AtShell *at, const Polyhedron *part, int32_t element, Vec3 normal) {
    const Patchwork *s = part->smooth.patchwork;
    return (NamedMeeting){.surface = s,
                          .cell = scr_cell_of(s, element),
                          .flank = scr_is_flank_element(s, element),
                          .normal = scr_into_frame(at->solid, normal),
                          .size = scr_size_at_shell(part)};
}

ShellPoint scr_patch_shell_point(const AtShell *at, const Polyhedron *part, int32_t element,
                                 Vec3 normal) {
    const NamedMeeting name = again(at, part, element, normal);
    const PatchMeeting m = scr_meet_again(&name, side_partner(at, normal));
    return shell_point(at, &m);
}

/* ---------------------------------------------------------------- curves
 *
 * Places of a curve: the one that is nearest, wherever it is, then the two ends of an edge; fixed points of a rim have the
 * names that they have for other bodies. */
enum { NEAREST_PLACE = 0, FIRST_END = 1 };

/* A circle stands in the frame of the body as the rim of a cone does. */
typedef struct CurvePartner {
    PatchPartner partner;
    Polyhedron cone;
    RelativePose pose;
} CurvePartner;

static void curve_partner(const WallCurve *c, CurvePartner *p) {
    *p = (CurvePartner){.pose = {{vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)}, vec3(0, 0, 0)}};
    if (c->straight) {
        p->partner = (PatchPartner){.kind = PARTNER_LINE, .at = c->from, .along = c->u};
    } else if (c->size > 0) {
        p->cone.smooth = (SmoothPart){.kind = SCREE_PART_CONE,
                                      .form = {c->size, c->size},
                                      .centre = c->from,
                                      .axis = {c->u, c->v, c->axis}};
        p->partner = (PatchPartner){
            .kind = PARTNER_RIM, .part = &p->cone, .pose = &p->pose, .surface_is_a = true};
    } else {
        p->partner = (PatchPartner){.kind = PARTNER_POINT, .at = c->from};
    }
}

static Vec3 place_of(const WallCurve *c, int place) {
    return scr_curve_at(c, place >= CURVE_SECTORS ? (double)(place - CURVE_SECTORS) / FIXED_POINTS
                                                  : place - FIRST_END);
}

static PatchPartner point_partner(const WallCurve *c, int place) {
    return (PatchPartner){.kind = PARTNER_POINT, .at = place_of(c, place)};
}

/* The wall does not lead towards the body from there: a corner has two edges. */
static bool is_nearest(const WallCurve *c, Vec3 x, int place, Vec3 normal, double tilt) {
    Vec3 d = sub(x, c->from), out;
    if (c->straight) {
        double way = place == FIRST_END ? 1 : place == FIRST_END + 1 ? -1 : 0;
        return dot(normal, c->v) >= -tilt && way * dot(normal, c->u) >= -tilt;
    }
    d = add_scaled(d, -dot(d, c->axis), c->axis);
    Vec3 inward = direction_of(d, &out) ? add_scaled(scale(c->out, out), c->up, c->axis) : c->axis;
    return scr_curve_is_nearest(c, inward, normal, tilt);
}

/* How far a point is from the curve. */
static double far_from(const WallCurve *c, Vec3 x) {
    Vec3 d = sub(x, c->from);
    double up = dot(d, c->straight ? c->u : c->axis);
    if (c->straight) {
        double at = scr_min(scr_max(up, 0), c->size);
        return length(add_scaled(d, -at, c->u));
    }
    return scr_hypot(up, length(add_scaled(d, -up, c->axis)) - c->size);
}

/* A search for the places of one name. */
typedef struct AtCurve {
    AtSide side;
    const WallCurve *curve;
    PatchPartner partner;
    int place;
    int32_t name;
    double tilt, reach;
} AtCurve;

/* Whether a cell may meet the curve, or the point that is searched: a foot lies in the cell, which is no higher than its
 * height, and the gap leads away from it along a normal. */
static bool may_meet(const AtCurve *a, const PatchCell *c, double low) {
    double deep = scr_min(-low, 0.5 * c->thickness + 2e-3 * a->side.part->extent);
    double far = c->extent + scr_max(a->reach, deep);
    if (a->partner.kind != PARTNER_POINT) {
        return far_from(a->curve, c->middle) <= far;
    }
    Vec3 d = sub(a->partner.at, c->middle);
    double up = dot(d, c->normal);
    return up <= c->height + a->reach && up >= -c->height - deep && dot(d, d) <= far * far &&
           scr_cell_leads_to(c, c->normal, a->partner.at, 0);
}

static bool is_met(const AtCurve *a, const PatchMeeting *m, int32_t cell, double low) {
    double along = dot(sub(m->on, a->curve->from), a->curve->u);
    bool on =
        !a->curve->straight || a->place != NEAREST_PLACE || (along >= 0 && along <= a->curve->size);
    double least = -1e-9 / scr_size_at_shell(a->side.part);
    return scr_is_in_cells(m) && m->soft > least && m->gap <= a->reach && m->gap >= low && on &&
           scr_patch_is_entered(a->side.part, cell, m->gap) &&
           is_nearest(a->curve, m->on, a->place, m->normal, a->tilt);
}

static bool touch_place(const AtCurve *a, OutlineTouches *touches) {
    const Patchwork *s = a->side.part->smooth.patchwork;
    double low = -DEEPEST_AT_SHELL * scr_size_at_shell(a->side.part);
    bool ok = true;
    for (int32_t k = 0; k < s->cells && ok; k++) {
        if (may_meet(a, &s->cell[k], low)) {
            const PatchMeeting m = scr_meet_partner(s, k, &a->partner, -INFINITY);
            ok = !is_met(a, &m, k, low) || add_touch(&a->side, &m, k, a->name + a->place, touches);
        }
    }
    return ok;
}

bool scr_touch_patch_curve(const AtShell *at, const Polyhedron *part, const WallCurve *c,
                           int32_t name, double tilt, double reach, OutlineTouches *touches) {
    CurvePartner p;
    curve_partner(c, &p);
    AtCurve a = {{at, part}, c, p.partner, NEAREST_PLACE, name, tilt, reach};
    bool ok = touch_place(&a, touches);
    int first = c->straight ? FIRST_END : CURVE_SECTORS;
    int last = c->straight ? FIRST_END + 1 : CURVE_SECTORS + FIXED_POINTS - 1;
    for (a.place = first; a.place <= last && ok && c->size > 0; a.place++) {
        a.partner = point_partner(c, a.place);
        ok = touch_place(&a, touches);
    }
    return ok;
}

ShellPoint scr_patch_curve_point(const AtShell *at, const Polyhedron *part, const WallCurve *c,
                                 int32_t element, int place, Vec3 normal) {
    CurvePartner p;
    curve_partner(c, &p);
    const NamedMeeting name = again(at, part, element, normal);
    const PatchMeeting m =
        scr_meet_again(&name, place == NEAREST_PLACE ? p.partner : point_partner(c, place));
    return shell_point(at, &m);
}
