/* Coordination in flow.
 *
 * The forces of rigid grains are measures on the axis of time: forces, and impulses at collisions. A step passes on
 * whatever acts within it, so the number of contacts that carry something in a step grows with the step. What
 * converges as steps get shorter is the impulse of a pair over a fixed window of time. So whatever is counted here
 * depends on the impulses of windows alone. */
#include "measure/carriers.h"

#include <stdlib.h>

static int by_bodies(const void *left, const void *right) {
    const Carrier *p = left, *q = right;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* One entry for each pair. */
static size_t merge(Carrier *carrier, size_t count) {
    size_t pairs = 0;
    qsort(carrier, count, sizeof *carrier, by_bodies);
    for (size_t i = 0; i < count; i++) {
        if (pairs > 0 && by_bodies(&carrier[pairs - 1], &carrier[i]) == 0) {
            carrier[pairs - 1].impulse += carrier[i].impulse;
        } else {
            carrier[pairs++] = carrier[i];
        }
    }
    return pairs;
}

/* A pair of bodies makes two partners, a body at a wall one. */
static double ends_of(const Carrier *c) {
    return scree_partner_is_wall((ScreePartner){c->b}) ? 1 : 2;
}

static double count_ends(const Carrier *carrier, size_t count) {
    double ends = 0;
    for (size_t i = 0; i < count; i++) {
        ends += ends_of(&carrier[i]);
    }
    return ends;
}

/* The number of equal carriers that would have the same mean and mean square of impulses as these: n when n of them
 * share the load evenly, whatever others touch without carrying. */
static double participation(const Carrier *carrier, size_t count) {
    double sum = 0, square = 0;
    for (size_t i = 0; i < count; i++) {
        const double ends = ends_of(&carrier[i]), impulse = fabs(carrier[i].impulse);
        sum += ends * impulse;
        square += ends * impulse * impulse;
    }
    return square > 0 ? sum * sum / square : 0;
}

static ScreeStatus end_window(ScreeCarriers *c, char *message) {
    if (!SCR_RESERVE_KEEPING(c, done, c->windows + 1, c->windows)) {
        return scr_no_memory(message);
    }
    const size_t pairs = merge(c->carrier, c->carriers);
    const double bodies = c->bodies / c->moments;
    c->done[c->windows++] = (CarrierWindow){.coordination = c->touching / c->bodies,
                                            .partners = count_ends(c->carrier, pairs) / bodies,
                                            .carriers = participation(c->carrier, pairs) / bodies};
    c->carriers = 0;
    c->moments = c->touching = c->bodies = 0;
    c->begin = c->last;
    return SCREE_OK;
}

/* Forces have acted since the sample before. */
static ScreeStatus add_moment(ScreeCarriers *c, const Region *r, double length, char *message) {
    const ScreeSample *s = r->sample;
    if (!SCR_RESERVE_KEEPING(c, carrier, c->carriers + s->contacts + 1, c->carriers)) {
        return scr_no_memory(message);
    }
    Carrier *now = c->carrier + c->carriers;
    size_t points = 0;
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *f = &s->contact[i];
        if (scr_active(f) && scr_point_in_region(r, f->point)) {
            now[points++] = (Carrier){f->a.index, f->b.code, f->force_normal * length};
        }
    }
    const size_t pairs = merge(now, points);
    c->carriers += pairs;
    c->touching += count_ends(now, pairs);
    c->moments++;
    for (size_t i = 0; i < s->bodies; i++) {
        c->bodies += scr_point_in_region(r, s->position[i]) ? 1 : 0;
    }
    return SCREE_OK;
}

ScreeStatus scr_carriers_add(ScreeCarriers *c, const ScreeSample *s, double time, char *message) {
    Region region;
    SCR_TRY(scr_region_make(s, &c->def, &region, message));
    if (!isfinite(time) || (c->begun && !(time > c->last))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "samples must follow each other in time");
    }
    if (c->begun && s->bodies != c->all_bodies) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "bodies have come or gone: windows are for the same bodies");
    }
    if (c->begun) {
        SCR_TRY(add_moment(c, &region, time - c->last, message));
    } else {
        c->begin = time;
    }
    c->all_bodies = s->bodies;
    c->begun = true;
    c->last = time;
    return c->moments > 0 && time - c->begin >= c->window * (1 - 1e-9) ? end_window(c, message)
                                                                       : SCREE_OK;
}

/* The mean over windows, and its standard error from up to ten blocks of consecutive ones. */
static void mean_of(const ScreeCarriers *c, size_t offset, double *mean, double *error) {
    const size_t blocks = c->windows < 10 ? c->windows : 10;
    double sum = 0, square = 0;
    for (size_t b = 0; b < blocks; b++) {
        const size_t from = b * c->windows / blocks, to = (b + 1) * c->windows / blocks;
        double block = 0;
        for (size_t i = from; i < to; i++) {
            block += ((const double *)&c->done[i])[offset];
        }
        block /= (double)(to - from);
        sum += block;
        square += block * block;
    }
    const double n = (double)blocks;
    *mean = sum / n;
    *error = blocks > 1 ? sqrt(scr_max(square / n - *mean * *mean, 0) / (n - 1)) : NAN;
}

ScreeCarrying scr_carriers_get(const ScreeCarriers *c) {
    ScreeCarrying found = {.windows = (int64_t)c->windows, .window = c->window};
    mean_of(c, 0, &found.coordination, &found.coordination_error);
    mean_of(c, 1, &found.partners, &found.partners_error);
    mean_of(c, 2, &found.carriers, &found.carriers_error);
    return found;
}
