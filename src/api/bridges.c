/* Liquid between all pairs that are near enough, whether they have touched or not: bridges.md. */
#include "api/world.h"
#include "broad/broad.h"
#include "broad/flat.h"
#include "dynamics/bridges.h"
#include "narrow/pair_table.h"

/* A gap so near to the reach differs from it by rounding. */
static const double within = 1 - 1e-9;

/* The contacts that there are, in a chain for each body that comes first, and those that are added. */
typedef struct Wetting {
    State *state;
    int32_t *first; /* [bodies] -1: none */
    int32_t *next;  /* [contacts before] */
    Block first_block, next_block;
    size_t made;
} Wetting;

static bool chain(Wetting *w) {
    const Contacts *k = &w->state->contacts;
    if (!SCR_RESERVE(w, first, w->state->bodies.count + 1) || !SCR_RESERVE(w, next, k->count + 1)) {
        return false;
    }
    for (size_t i = 0; i < w->state->bodies.count; i++) {
        w->first[i] = -1;
    }
    for (size_t i = 0; i < k->count; i++) {
        w->next[i] = w->first[k->item[i].a];
        w->first[k->item[i].a] = (int32_t)i;
    }
    return true;
}

/* Contacts remember bridges in what laws add to them. */
static bool make_extras(State *s, size_t room) {
    Contacts *k = &s->contacts;
    const size_t kept = k->extra != NULL ? k->count : 0;
    if (!scr_block_reserve(&k->block, room, sizeof *k->item, k->count * sizeof *k->item) ||
        !scr_block_reserve(&k->extra_block, room, sizeof *k->extra, kept * sizeof *k->extra)) {
        return false;
    }
    k->item = k->block.data;
    k->extra = k->extra_block.data;
    for (size_t i = kept; i < k->count; i++) {
        k->extra[i] = (ScreeContactExtra){.opening = -1};
    }
    return true;
}

/* A body and another, or the code of a wall. */
static ScreeStatus wet(Wetting *w, int32_t a, int32_t b) {
    State *s = w->state;
    Contacts *k = &s->contacts;
    if (scr_is_shaped(s, a, b) || scr_never_meet(s, a, b)) {
        return SCREE_OK;
    }
    const Touch touch = scr_touch_round(s, a, b);
    const Contact made = {.a = a, .b = b, .normal = touch.normal, .gap = touch.gap};
    if (!(touch.gap < within * scr_contact_bridge(s, &made).reach)) {
        return SCREE_OK;
    }
    int32_t at = w->first[a];
    while (at >= 0 && k->item[at].b != b) {
        at = w->next[at];
    }
    if (at >= 0 && k->extra[at].opening >= 0) {
        return SCREE_OK;
    }
    if (at < 0) {
        if (!make_extras(s, k->count + 2)) {
            return SCREE_NO_MEMORY;
        }
        at = (int32_t)k->count++;
        k->item[at] = made;
        k->extra[at] = (ScreeContactExtra){.opening = -1};
    }
    k->extra[at].opening = scr_max(touch.gap, 0);
    w->made++;
    return SCREE_OK;
}

static ScreeStatus wet_pairs(Wetting *w) {
    const State *s = w->state;
    const size_t n = s->bodies.count;
    Neighbours pairs = {0};
    FlatSpace flat = {0};
    Block margin = {0};
    if (!scr_block_reserve_exact(&margin, n + 1, sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        ((double *)margin.data)[i] = 0.5 * s->materials.longest_range;
    }
    BroadInput input = {
        .def = &s->def,
        .count = n,
        .position = s->bodies.position,
        .radius = s->bodies.radius,
        .margin = margin.data,
        .pair_limit = INT32_MAX,
    };
    ScreeStatus status = scr_flatten(&flat, &input, s->def.deform.vector)
                             ? scr_find_neighbours(&input, &pairs)
                             : SCREE_NO_MEMORY;
    for (size_t i = 0; i < pairs.count && status == SCREE_OK; i++) {
        const int32_t one = pairs.order[pairs.pair[i].a], other = pairs.order[pairs.pair[i].b];
        status = one < other ? wet(w, one, other) : wet(w, other, one);
    }
    scr_neighbours_free(&pairs);
    SCR_FREE_BLOCKS(&margin, &flat.position_block);
    return status;
}

static ScreeStatus wet_walls(Wetting *w) {
    const State *s = w->state;
    ScreeStatus status = SCREE_OK;
    for (size_t k = 0; k < s->walls.count; k++) {
        const bool there = s->walls.item[k].present;
        for (size_t i = 0; there && i < s->bodies.count && status == SCREE_OK; i++) {
            status = wet(w, (int32_t)i, scr_wall_code(k));
        }
    }
    return status;
}

ScreeStatus scree_world_add_bridges(ScreeWorld *world, size_t *made) {
    State *s = &world->state;
    Wetting w = {.state = s};
    SCR_TRY(scree_world_gather(world));
    if ((s->materials.uses & LAW_BRIDGES) == 0) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "no material has liquid for bridges: give bridge_volume and "
                        "bridge_tension");
    }
    ScreeStatus status =
        chain(&w) && make_extras(s, s->contacts.count + 1) ? wet_pairs(&w) : SCREE_NO_MEMORY;
    status = status == SCREE_OK ? wet_walls(&w) : status;
    SCR_FREE_BLOCKS(&w.first_block, &w.next_block);
    if (s->contacts.time_step == 0) {
        s->contacts.time_step = s->def.time_step;
    }
    s->contacts.elastic[2] = scr_energy_of_bridges(s);
    s->contacts.steady = false;
    s->branches = 0;
    s->list_stale = true;
    if (made != NULL) {
        *made = w.made;
    }
    return status == SCREE_NO_MEMORY ? scr_no_memory(world->message) : status;
}
