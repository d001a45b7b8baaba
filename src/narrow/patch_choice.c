#include "narrow/patch_choice.h"

/* In parts of the size: places nearer than the first are one; flanks are not nearer to a place than the
 * second, or to each other than the third. */
static const double same_place = 1e-4, near_place = 0.04, flank_room = 0.12;

/* A place is so flat that it says nothing, in parts of 1 / size. */
static const double lies_flat = 1e-9;

/* Flanks whose gap rises with less than this curvature, in 1 / size, twice. */
static const double flank_rise = 0.1;

void scr_take_meeting(PatchChoice *c, const ChosenMeeting *m) {
    if (c->count < MOST_MEETINGS) {
        c->item[c->count++] = *m;
        return;
    }
    int32_t worst = 0;
    for (int32_t k = 1; k < c->count; k++) {
        worst = c->item[k].met.gap > c->item[worst].met.gap ? k : worst;
    }
    if (m->met.gap < c->item[worst].met.gap) {
        c->item[worst] = *m;
    }
}

static double between(const ChosenMeeting *a, const ChosenMeeting *b) {
    return length(sub(a->met.at.x, b->met.at.x));
}

/* Of two that are one, the lower stays, or else the first. */
static void drop_doubles(PatchChoice *c) {
    for (int32_t i = 0; i < c->count; i++) {
        for (int32_t j = 0; j < i && !c->item[i].gone; j++) {
            ChosenMeeting *a = &c->item[j], *b = &c->item[i];
            if (!a->gone && !a->flank && !b->flank && between(a, b) < same_place * c->size &&
                dot(a->met.normal, b->met.normal) > 0.9) {
                bool lower = b->met.gap < a->met.gap - 1e-12 * c->size;
                *(lower ? &a->gone : &b->gone) = true;
            }
        }
    }
}

/* The place that a flank belongs to: the nearest of those of their own, or without any the lowest
 * flank. */
static const ChosenMeeting *reference(const PatchChoice *c, const ChosenMeeting *flank) {
    const ChosenMeeting *best = NULL, *lowest = NULL;
    for (int32_t k = 0; k < c->count; k++) {
        const ChosenMeeting *m = &c->item[k];
        bool own = !m->gone && !m->flank;
        best = own && (best == NULL || between(m, flank) < between(best, flank)) ? m : best;
        lowest = m->flank && (lowest == NULL || m->met.gap < lowest->met.gap) ? m : lowest;
    }
    return best != NULL ? best : lowest;
}

static bool is_flank(const PatchChoice *c, const ChosenMeeting *m) {
    const ChosenMeeting *from = reference(c, m);
    double s = between(m, from), rise = m->met.gap - from->met.gap;
    return from == m || (s > near_place * c->size && rise * c->size < flank_rise * s * s);
}

static bool is_crowded(const PatchChoice *c, int32_t k) {
    for (int32_t j = 0; j < k; j++) {
        const ChosenMeeting *m = &c->item[j];
        if (!m->gone && m->flank && between(m, &c->item[k]) < flank_room * c->size) {
            return true;
        }
    }
    return false;
}

void scr_choose_meetings(PatchChoice *c) {
    for (int32_t k = 0; k < c->count; k++) {
        ChosenMeeting *m = &c->item[k];
        m->gone = !m->flank && m->met.soft * c->size <= lies_flat;
    }
    drop_doubles(c);
    for (int32_t k = 0; k < c->count;
         k++) { /* all at first, so that none is judged by its fellows */
        ChosenMeeting *m = &c->item[k];
        m->gone = m->gone || (m->flank && !is_flank(c, m));
    }
    for (int32_t k = 0; k < c->count; k++) {
        ChosenMeeting *m = &c->item[k];
        m->gone = m->gone || (m->flank && is_crowded(c, k));
    }
}

/* ---------------------------------------------------------------- one place again */

/* How well a place is the one that is meant: by its normal and by how far it has moved. */
static double strangeness(const NamedMeeting *n, const PatchMeeting *m) {
    const PatchCell *c = &n->surface->cell[n->cell];
    double off = length(sub(m->at.x, c->middle)) / n->size;
    return length(sub(m->normal, n->normal)) + off;
}

static void try_cells(const NamedMeeting *n, PatchPartner p, double soft, PatchMeeting *best) {
    const Patchwork *other = p.kind == PARTNER_PATCH ? p.part->smooth.patchwork : NULL;
    int32_t from = p.cell;
    for (int32_t k = 0; k < n->surface->cells; k++) {
        if (scr_cells_apart(n->surface, k, n->cell) < 0) {
            continue;
        }
        for (int32_t j = 0; j < (other != NULL ? other->cells : 1); j++) {
            if (other != NULL && scr_cells_apart(other, j, from) < 0) {
                continue;
            }
            p.cell = j;
            const PatchMeeting m = scr_meet_partner(n->surface, k, &p, soft);
            bool better = !scr_is_in_cells(best) || strangeness(n, &m) < strangeness(n, best);
            *best = scr_is_in_cells(&m) && better ? m : *best;
        }
    }
}

PatchMeeting scr_meet_again(const NamedMeeting *n, PatchPartner p) {
    double soft = n->flank ? scr_soft_limit(n->size) : -INFINITY;
    PatchMeeting m = scr_meet_partner(n->surface, n->cell, &p, soft);
    bool near = m.done && m.far_u < 1.5 && m.other_u < 1.5;
    if (!near && !n->flank) {
        try_cells(n, p, soft, &m);
    }
    return m;
}
