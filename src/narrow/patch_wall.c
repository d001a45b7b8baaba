#include "narrow/patch_wall.h"

#include "narrow/narrow.h"
#include "narrow/patch_choice.h"

/* In parts of the diameter: overlaps that are still seen. Sine: how far a flank may be tilted. */
static const double deepest = 0.25, least_tilt = 0.1;

/* The wall in the frame of the body. A thin tube has two sides; the body is on that of its centre. */
static PatchPartner wall_partner(const SmoothAtWall *w) {
    const ScreeWallDef *wall = w->wall;
    bool tube = wall->shape == SCREE_WALL_CYLINDER;
    Vec3 d = sub(wall->point, w->seen);
    PatchPartner p = {.kind = tube ? PARTNER_TUBE : PARTNER_PLANE,
                      .at = scr_into_frame(w->solid, d),
                      .along = scr_into_frame(w->solid, tube ? wall->axis : wall->normal)};
    if (tube) {
        double off = length(add_scaled(d, -dot(d, wall->axis), wall->axis));
        p.radius = wall->length > 0 && off > wall->radius ? -wall->radius : wall->radius;
    }
    return p;
}

/* Whether a cell may touch the wall: its gaps are within these, and its normals face the wall. */
static bool may_touch(const PatchCell *c, const PatchPartner *p, double low, double high) {
    Vec3 d = sub(c->middle, p->at), to_wall = scale(-1, p->along), out;
    double gap = dot(d, p->along), turn = 0;
    if (p->kind == PARTNER_TUBE) {
        double off = length(add_scaled(d, -gap, p->along)), sign = p->radius < 0 ? -1 : 1;
        to_wall = direction_of(add_scaled(d, -gap, p->along), &out) ? scale(sign, out) : c->normal;
        gap = sign * (fabs(p->radius) - off);
        turn = off > c->extent ? scr_asin(c->extent / off) : 3;
    }
    return gap - c->extent <= high && gap + c->extent >= low && scr_cell_faces(c, to_wall, turn);
}

typedef struct AtWall {
    const SmoothAtWall *w;
    const Patchwork *surface;
    PatchPartner partner;
    double reach, low, tilt;
    PatchChoice choice;
} AtWall;

static bool is_met(const AtWall *a, const PatchMeeting *m) {
    return scr_is_in_cells(m) && m->gap <= a->reach && m->gap >= a->low && m->tilt <= a->tilt;
}

static void try_cell(AtWall *a, int32_t cell) {
    double soft = scr_soft_limit(a->choice.size);
    PatchMeeting m = scr_meet_partner(a->surface, cell, &a->partner, -INFINITY);
    bool strict = m.soft > -1e-9 / a->choice.size && is_met(a, &m);
    if (strict) {
        const ChosenMeeting own = {m, cell, 0, false, false};
        scr_take_meeting(&a->choice, &own);
    }
    if ((strict && m.soft > soft) || m.soft < -soft) {
        return;
    }
    m = scr_meet_partner(a->surface, cell, &a->partner, soft);
    if (m.soft <= soft && m.soft > -soft && is_met(a, &m)) {
        const ChosenMeeting flank = {m, cell, 0, true, false};
        scr_take_meeting(&a->choice, &flank);
    }
}

static bool add_touch(const AtWall *a, const ChosenMeeting *m, OutlineTouches *touches) {
    const SmoothAtWall *w = a->w;
    Vec3 point = scr_out_of_frame(w->solid, m->met.at.x);
    const Touch touch = scr_touch_wall(w->def, w->wall, add(w->seen, point), 0);
    int32_t element = scr_cell_element(a->surface, m->cell, m->flank);
    const OutlineTouch found = {.gap = touch.gap,
                                .normal = touch.normal,
                                .arm = add_scaled(point, 0.5 * touch.gap, touch.normal),
                                .feature = scr_feature(w->part->first_element + element, 0)};
    return touch.gap > a->reach || scr_join_touch(touches, &found, 1e-9 * a->choice.size);
}

bool scr_touch_patch_wall(const SmoothAtWall *w, double reach, OutlineTouches *touches) {
    AtWall a = {.w = w,
                .surface = w->part->smooth.patchwork,
                .partner = wall_partner(w),
                .reach = reach,
                .tilt = scr_max(w->tilt, least_tilt)};
    bool ok = true;
    a.choice.size = 2 * w->part->extent;
    a.low = -deepest * a.choice.size;
    for (int32_t k = 0; k < a.surface->cells; k++) {
        if (may_touch(&a.surface->cell[k], &a.partner, a.low, reach)) {
            try_cell(&a, k);
        }
    }
    scr_choose_meetings(&a.choice);
    for (int32_t k = 0; k < a.choice.count && ok; k++) {
        ok = a.choice.item[k].gone || add_touch(&a, &a.choice.item[k], touches);
    }
    return ok;
}

Vec3 scr_patch_wall_point(const SmoothAtWall *w, int32_t element, Vec3 normal) {
    const Patchwork *s = w->part->smooth.patchwork;
    const NamedMeeting again = {.surface = s,
                                .cell = scr_cell_of(s, element),
                                .flank = scr_is_flank_element(s, element),
                                .normal = scr_into_frame(w->solid, normal),
                                .size = 2 * w->part->extent};
    return scr_out_of_frame(w->solid, scr_meet_again(&again, wall_partner(w)).at.x);
}
