#include "measure/partners.h"
#include "measure/of_sample.h"

#include <string.h>

void scr_partners_free(Partners *p) {
    scr_block_free(&p->pair_block);
    scr_block_free(&p->count_block);
    scr_block_free(&p->backbone_block);
}

/* The contact points of a pair are consecutive in every list of contacts. */
static void find_pairs(const ScreeSample *s, Partners *p) {
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        const Couple *last = p->pairs > 0 ? &p->pair[p->pairs - 1] : NULL;
        const bool same = last != NULL && last->a == c->a.index && last->b == c->b.code;
        if (!scr_active(c) || (same && c->feature != 0)) { /* round bodies: another image */
            continue;
        }
        p->pair[p->pairs++] = (Couple){c->a.index, c->b.code};
        p->count[c->a.index]++;
        if (!scree_partner_is_wall(c->b)) {
            p->count[c->b.code]++;
        }
    }
}

/* The neighbours of body i are list[start[i]] to list[start[i + 1] - 1]; walls are not listed. */
typedef struct Neighbours {
    int64_t *start;
    int32_t *list, *waiting;
    Block start_block, list_block, waiting_block;
} Neighbours;

static bool list_neighbours(const ScreeSample *s, const Partners *p, Neighbours *n) {
    if (!SCR_RESERVE(n, start, s->bodies + 2) || !SCR_RESERVE(n, list, 2 * p->pairs + 1) ||
        !SCR_RESERVE(n, waiting, s->bodies + 1)) {
        return false;
    }
    memset(n->start, 0, (s->bodies + 2) * sizeof *n->start);
    for (size_t i = 0; i < p->pairs; i++) {
        if (p->pair[i].b >= 0) {
            n->start[p->pair[i].a + 2]++;
            n->start[p->pair[i].b + 2]++;
        }
    }
    for (size_t i = 2; i < s->bodies + 2; i++) {
        n->start[i] += n->start[i - 1];
    }
    for (size_t i = 0; i < p->pairs; i++) { /* start[i + 1] moves from the start of i to its end */
        int32_t a = p->pair[i].a, b = p->pair[i].b;
        if (b >= 0) {
            n->list[n->start[a + 1]++] = b;
            n->list[n->start[b + 1]++] = a;
        }
    }
    return true;
}

/* Each rattler found no longer counts for its neighbours, which may make them rattlers, too. */
static void strike_rattlers(size_t bodies, int32_t least, Partners *p, const Neighbours *n) {
    size_t waiting = 0;
    for (size_t i = 0; i < bodies; i++) {
        p->backbone[i] = p->count[i];
        if (p->count[i] < least) {
            p->backbone[i] = -1;
            n->waiting[waiting++] = (int32_t)i;
        }
    }
    while (waiting > 0) {
        int32_t gone = n->waiting[--waiting];
        for (int64_t k = n->start[gone]; k < n->start[gone + 1]; k++) {
            int32_t other = n->list[k];
            if (p->backbone[other] >= 0 && --p->backbone[other] < least) {
                p->backbone[other] = -1;
                n->waiting[waiting++] = other;
            }
        }
    }
}

ScreeStatus scr_partners_find(const ScreeSample *s, int32_t least, Partners *p, char *message) {
    Neighbours n = {0};
    *p = (Partners){0};
    bool room = SCR_RESERVE(p, pair, s->contacts + 1) && SCR_RESERVE(p, count, s->bodies + 1) &&
                SCR_RESERVE(p, backbone, s->bodies + 1);
    if (room) {
        memset(p->count, 0, (s->bodies + 1) * sizeof *p->count);
        find_pairs(s, p);
        room = list_neighbours(s, p, &n);
    }
    if (room) {
        strike_rattlers(s->bodies, least, p, &n);
    }
    scr_block_free(&n.start_block);
    scr_block_free(&n.list_block);
    scr_block_free(&n.waiting_block);
    if (!room) {
        scr_partners_free(p);
    }
    return room ? SCREE_OK : scr_no_memory(message);
}

ScreeStatus scr_measure_partners(const ScreeSample *s, const ScreeMeasureDef *def, double *mean,
                                 char *message) {
    Region region;
    Partners p;
    size_t width = s->materials + 1;
    SCR_TRY(scr_region_make(s, def, &region, message));
    SCR_TRY(scr_partners_find(s, 0, &p, message));
    for (size_t k = 0; k < s->materials * width; k++) {
        mean[k] = 0;
    }
    for (size_t i = 0; i < p.pairs; i++) {
        int32_t a = p.pair[i].a, b = p.pair[i].b;
        size_t of_a = (size_t)s->material[a].index;
        size_t of_b = b >= 0 ? (size_t)s->material[b].index : s->materials;
        mean[of_a * width + of_b] += scr_point_in_region(&region, s->position[a]) ? 1 : 0;
        if (b >= 0) {
            mean[of_b * width + of_a] += scr_point_in_region(&region, s->position[b]) ? 1 : 0;
        }
    }
    for (size_t m = 0; m < s->materials; m++) {
        double bodies = 0;
        for (size_t i = 0; i < s->bodies; i++) {
            bodies +=
                (size_t)s->material[i].index == m && scr_point_in_region(&region, s->position[i]);
        }
        for (size_t k = 0; k < width; k++) {
            mean[m * width + k] /= bodies; /* 0 / 0: undefined without bodies */
        }
    }
    scr_partners_free(&p);
    return SCREE_OK;
}
