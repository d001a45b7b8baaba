#include "narrow/patch_field.h"

/* Whether a cell may touch the wall: its gaps are within the limits, and its normals face the wall. */
static bool may_touch(const PatchCell *c, const PatchField *f) {
    const PatchPartner *p = &f->partner;
    Vec3 d = sub(c->middle, p->at), to_wall = scale(-1, p->along), out;
    double gap = dot(d, p->along), turn = 0;
    if (p->kind == PARTNER_TUBE) {
        double up = gap, off = length(add_scaled(d, -up, p->along)), sign = p->radius < 0 ? -1 : 1;
        double across = sqrt(scr_max(0, 1 - p->slope * p->slope));
        to_wall = direction_of(add_scaled(d, -up, p->along), &out)
                      ? scale(sign, add_scaled(scale(across, out), p->slope, p->along))
                      : c->normal;
        gap = sign * (across * (fabs(p->radius) - off) - p->slope * up);
        turn = off > c->extent ? scr_asin(c->extent / off) : 3;
    }
    return gap - c->extent <= f->reach && gap + c->extent >= f->low &&
           scr_cell_faces(c, to_wall, turn);
}

static bool is_met(const PatchField *f, const PatchMeeting *m, int32_t cell) {
    return scr_is_in_cells(m) && m->gap <= f->reach && m->gap >= f->low && m->tilt <= f->tilt &&
           (f->is_there == NULL || f->is_there(f->wall, m, cell));
}

static void try_cell(PatchField *f, int32_t cell) {
    double soft = scr_soft_limit(f->choice.size);
    PatchMeeting m = scr_meet_partner(f->surface, cell, &f->partner, -INFINITY);
    bool strict = m.soft > -1e-9 / f->choice.size && is_met(f, &m, cell);
    if (strict) {
        const ChosenMeeting own = {m, cell, 0, false, false};
        scr_take_meeting(&f->choice, &own);
    }
    if ((strict && m.soft > soft) || m.soft < -soft) {
        return;
    }
    m = scr_meet_partner(f->surface, cell, &f->partner, soft);
    if (m.soft <= soft && m.soft > -soft && is_met(f, &m, cell)) {
        const ChosenMeeting flank = {m, cell, 0, true, false};
        scr_take_meeting(&f->choice, &flank);
    }
}

void scr_search_field(PatchField *f) {
    for (int32_t k = 0; k < f->surface->cells; k++) {
        if (may_touch(&f->surface->cell[k], f)) {
            try_cell(f, k);
        }
    }
    scr_choose_meetings(&f->choice);
}
