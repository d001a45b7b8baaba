/* Verlet's list: each body against all those of higher number, n (n - 1) / 2 comparisons (Muth,
 * Mueller, Eberhard and Luding, "Contacts between many bodies", section 2.1).
 *
 * So that this is done rarely, the method keeps a list of its own, of all pairs within a skin
 * beyond the margins, and picks from that list until some body has used up its skin. A pair that is
 * near now was then no farther apart than its reaches plus what both bodies have moved and their
 * reaches have grown since: as long as both stay within the skin, the pair is in the list.
 *
 * A wide skin makes the list long, a narrow one makes it due for renewal often. The cost of a list
 * is counted as
 *
 *     n (n - 1) / 2 / (lists made from it) + (pairs in it),
 *
 * and the skin keeps changing in the direction that lowered it. If the user gives a skin, the
 * margins are that skin, the method adds none of its own, and all pairs are compared for each list,
 * as in the paper. */
#include "broad/space_order.h"

#include <string.h>

static const double first_skin = 0.3, least_skin = 0.02, most_skin = 3; /* in mean reaches */

typedef struct Verlet {
    const Space *space;
    Spot *now;  /* [bodies] */
    Spot *then; /* [bodies] when the list was made */
    Pair *list;
} Verlet;

static bool still_holds(const Verlet *v, const SearchMemory *m) {
    const Space *s = v->space;
    if (m->bodies != s->in->count || !(m->skin > 0)) {
        return false;
    }
    double most = m->skin * (1 - 0x1p-20); /* less the rounding */
    for (size_t i = 0; i < s->in->count; i++) {
        Vec3 moved = sub(v->now[i].x, v->then[i].x);
        moved = s->periodic ? scr_nearest_image(s->in->def, moved) : moved;
        double left = most - (v->now[i].reach - v->then[i].reach);
        if (!(left >= 0 && dot(moved, moved) <= left * left)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- the skin */

static double mean_reach(const Verlet *v) {
    double sum = 0;
    for (size_t i = 0; i < v->space->in->count; i++) {
        sum += v->now[i].reach / (double)v->space->in->count;
    }
    return sum;
}

static void choose_skin(const Verlet *v, SearchMemory *m) {
    size_t n = v->space->in->count;
    double unit = mean_reach(v);
    if (v->space->in->def->skin > 0) {
        m->skin = 0;
    } else if (m->bodies != n || !(m->skin > 0)) {
        m->skin = first_skin * unit;
        m->direction = 1;
        m->cost[1] = 0;
    } else {
        m->cost[0] = 0.5 * (double)n * (double)(n - 1) / scr_max(1, m->life) + (double)m->pairs;
        if (m->cost[1] > 0 && m->cost[0] > m->cost[1]) {
            m->direction = -m->direction;
        }
        m->cost[1] = m->cost[0];
        m->skin *= m->direction > 0 ? 1.25 : 0.8;
        m->skin = scr_max(least_skin * unit, scr_min(m->skin, most_skin * unit));
    }
    m->life = 0;
}

/* ---------------------------------------------------------------- all pairs */

static bool list_pair(Verlet *v, Neighbours *nb, size_t i, size_t j) {
    SearchMemory *m = &nb->memory;
    if (!scr_block_reserve(&nb->work[4], m->pairs + 1, sizeof(Pair), m->pairs * sizeof(Pair))) {
        return false;
    }
    v->list = nb->work[4].data;
    v->list[m->pairs++] = (Pair){(int32_t)i, (int32_t)j};
    return true;
}

/* With more pairs than this no skin can be afforded. */
static size_t most_listed(const BroadInput *in, double skin) {
    return skin > 0 ? 2 * in->pair_limit : in->pair_limit;
}

/* Makes the method's own list. SCREE_TOO_CROWDED: too many pairs lie within the skin. */
static ScreeStatus compare_all(Verlet *v, Neighbours *nb) {
    const Space *s = v->space;
    SearchMemory *m = &nb->memory;
    size_t n = s->in->count, most = most_listed(s->in, m->skin);
    m->pairs = 0;
    for (size_t i = 0; i < n; i++) {
        v->then[i] = v->now[i];
        v->now[i].reach += m->skin;
    }
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; i < n && status == SCREE_OK; i++) {
        const Spot own = v->now[i];
        for (size_t j = i + 1; j < n; j++) {
            if (scr_is_near(s->in, s->periodic, &own, &v->now[j]) && !list_pair(v, nb, i, j)) {
                status = SCREE_NO_MEMORY;
                break;
            }
        }
        nb->counts.tested += n - i - 1;
        status = status == SCREE_OK && m->pairs > most ? SCREE_TOO_CROWDED : status;
    }
    memcpy(v->now, v->then, n * sizeof *v->now);
    m->bodies = status == SCREE_OK ? n : 0;
    nb->counts.renewals++;
    return status;
}

static ScreeStatus choose_from_list(const Verlet *v, Neighbours *nb) {
    const Space *s = v->space;
    if (!scr_pairs_reserve(nb, nb->memory.pairs + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t k = 0; k < nb->memory.pairs; k++) {
        Pair p = v->list[k];
        nb->pair[nb->count] = p;
        nb->count += scr_is_near(s->in, s->periodic, &v->now[p.a], &v->now[p.b]);
    }
    nb->counts.tested += nb->memory.pairs;
    nb->memory.life++;
    return nb->count > s->in->pair_limit ? SCREE_TOO_CROWDED : SCREE_OK;
}

ScreeStatus scr_verlet_list(const Space *s, Neighbours *nb) {
    size_t n = s->in->count;
    if (!scr_block_reserve_exact(&nb->work[3], n, sizeof(Spot), nb->memory.bodies * sizeof(Spot))) {
        return SCREE_NO_MEMORY;
    }
    Verlet v = {s, s->spot, nb->work[3].data, nb->work[4].data};
    for (size_t i = 0; i < n; i++) {
        v.now[i] = scr_spot(s->in, i);
    }
    ScreeStatus status = SCREE_OK;
    if (!still_holds(&v, &nb->memory)) {
        choose_skin(&v, &nb->memory);
        status = compare_all(&v, nb);
        if (status == SCREE_TOO_CROWDED && nb->memory.skin > 0) {
            nb->memory.skin = 0;
            status = compare_all(&v, nb);
        }
    }
    if (status == SCREE_OK || status == SCREE_TOO_CROWDED) {
        ScreeStatus chosen = choose_from_list(&v, nb);
        status = chosen == SCREE_OK ? status : chosen;
    }
    return status;
}
