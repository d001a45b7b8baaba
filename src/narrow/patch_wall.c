#include "narrow/patch_wall.h"

#include "narrow/narrow.h"
#include "narrow/patch_field.h"

/* The wall in the frame of the body. */
static PatchPartner wall_partner(const SmoothAtWall *w) {
    const ScreeWallDef *wall = w->wall;
    bool tube = wall->shape == SCREE_WALL_CYLINDER;
    return (PatchPartner){.kind = tube ? PARTNER_TUBE : PARTNER_PLANE,
                          .at = scr_into_frame(w->solid, sub(wall->point, w->seen)),
                          .along = scr_into_frame(w->solid, tube ? wall->axis : wall->normal),
                          .radius = wall->radius};
}

static bool add_touch(const SmoothAtWall *w, const PatchField *f, const ChosenMeeting *m,
                      OutlineTouches *touches) {
    Vec3 point = scr_out_of_frame(w->solid, m->met.at.x);
    const Touch touch = scr_touch_wall(w->def, w->wall, add(w->seen, point), 0);
    int32_t element = scr_cell_element(f->surface, m->cell, m->flank);
    const OutlineTouch found = {.gap = touch.gap,
                                .normal = touch.normal,
                                .arm = add_scaled(point, 0.5 * touch.gap, touch.normal),
                                .feature = scr_feature(w->part->first_element + element, 0)};
    return touch.gap > f->reach || scr_join_touch(touches, &found, 1e-9 * f->choice.size);
}

bool scr_touch_patch_wall(const SmoothAtWall *w, double reach, OutlineTouches *touches) {
    PatchField f = {.surface = w->part->smooth.patchwork,
                    .partner = wall_partner(w),
                    .reach = reach,
                    .tilt = scr_max(w->tilt, LEAST_TILT)};
    bool ok = true;
    f.choice.size = 2 * w->part->extent;
    f.low = -DEEPEST_AT_WALL * f.choice.size;
    scr_search_field(&f);
    for (int32_t k = 0; k < f.choice.count && ok; k++) {
        ok = f.choice.item[k].gone || add_touch(w, &f, &f.choice.item[k], touches);
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
