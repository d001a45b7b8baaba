/* The neighbour list of the soft engine, and the memory of contacts when it changes.
 *
 * The list is a function of the bodies' anchors and margins, which are part of the state. So a
 * restarted run has the same list, visits the same contacts in the same order, and sums the same
 * forces bit for bit. Entries that do not touch add nothing, and the choice of slots has no
 * effect. */
#include "soft/engine.h"

#include "broad/margins.h"

#include "base/random.h"
#include "base/status.h"

#include <string.h>

/* ---------------------------------------------------------------- margins */

static void choose_margins(State *s, const Soft *w, SoftAnchors anchors) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; i < b->count; i++) {
        b->margin[i] = s->def.time_step * length(b->velocity[i]);
        b->anchor[i] = b->position[i];
    }
    for (size_t k = 0; k < w->bodies && anchors == SOFT_AT_PLACES; k++) {
        b->anchor[w->order[k]] = w->ball[k].x;
    }
    const MarginRules rules = {.aim = 100, .cost = 150, .outrun = anchors == SOFT_AT_PLACES};
    scr_choose_margins(s, &rules);
}

bool scr_soft_outrun(const State *s, Soft *w) {
    const Bodies *b = &s->bodies;
    if (w->far <= w->least_margin) {
        return false; /* no body can have left */
    }
    double far = 0;
    bool periodic = scr_any_periodic(&s->def);
    for (size_t k = 0; k < w->bodies; k++) {
        int32_t i = w->order[k];
        Vec3 moved = sub(w->ball[k].x, b->anchor[i]);
        moved = periodic ? scr_nearest_image(&s->def, moved) : moved;
        double square = dot(moved, moved);
        if (square > b->margin[i] * b->margin[i]) {
            return true;
        }
        far = scr_max(far, square);
    }
    w->far = sqrt(far) * (1 + 1e-12);
    return false;
}

bool scr_soft_note_constants(const State *s, Soft *w) {
    size_t n = s->bodies.count;
    if (!SCR_RESERVE(w, frozen, n + 1)) {
        return false;
    }
    if (n > 0) {
        memcpy(w->frozen, s->bodies.frozen, n * sizeof *w->frozen);
    }
    w->frozen_count = n;
    w->forces_version = s->materials.version;
    return true;
}

bool scr_soft_constants_changed(const State *s, const Soft *w) {
    return w->forces_version != s->materials.version || w->frozen_count != s->bodies.count ||
           (w->frozen_count > 0 &&
            memcmp(w->frozen, s->bodies.frozen, w->frozen_count * sizeof *w->frozen) != 0);
}

/* ---------------------------------------------------------------- memory */

static SoftMemory remember(const Soft *w, int32_t a, int32_t b, int32_t slot) {
    const SoftExtra *x = w->extra != NULL ? &w->extra[slot] : NULL;
    SoftMemory m = scr_soft_remember(a, b, 0, &w->contact[slot], x);
    if (b >= 0 && a > b) { /* vectors of b relative to a: relative to b they point the other way */
        m.a = b;
        m.b = a;
        m.spring = scale(-1, m.spring);
        m.roll = scale(-1, m.roll);
    }
    return m;
}

void scr_soft_collect_loads(const State *s, const Soft *w) {
    for (size_t k = 0; k < w->bodies; k++) {
        s->soft->push[w->order[k]] = w->load[k].force;
        s->soft->twist[w->order[k]] = w->load[k].torque;
    }
}

ScreeStatus scr_soft_collect(const State *state, Soft *w) {
    SoftState *s = state->soft;
    if (s == NULL) {
        return SCREE_OK;
    }
    s->new_constants = s->new_constants || scr_soft_constants_changed(state, w);
    if (!w->built) {
        return SCREE_OK; /* the state already has the latest */
    }
    if (!scr_soft_state_reserve_memory(s, w->slots + w->shapes.points)) {
        return SCREE_NO_MEMORY;
    }
    scr_soft_collect_loads(state, w);
    s->contacts = 0;
    for (size_t k = 0; k < w->bodies; k++) {
        for (uint32_t e = w->begin[k]; e < w->begin[k + 1]; e++) {
            if (w->entry[e].slot >= 0) {
                s->memory[s->contacts++] =
                    remember(w, w->order[k], w->order[w->entry[e].other], w->entry[e].slot);
            }
        }
    }
    for (size_t i = 0; i < w->walls; i++) {
        for (size_t e = w->wall[i].begin; e < w->wall[i].end; e++) {
            if (w->wall_entry[e].slot >= 0 && state->walls.item[i].present) {
                s->memory[s->contacts++] = remember(w, w->order[w->wall_entry[e].other],
                                                    scr_wall_code(i), w->wall_entry[e].slot);
            }
        }
    }
    scr_soft_remember_points(state, w);
    return SCREE_OK;
}

ScreeStatus scr_soft_let_go(const State *state, Soft *w) {
    SCR_TRY(scr_soft_collect(state, w));
    w->built = w->view_made = false;
    return SCREE_OK;
}

/* Finds the memory of a pair. */
typedef struct Table {
    const SoftMemory *memory;
    int32_t *index; /* hash -> index + 1 */
    size_t mask;
} Table;

static size_t hash_of(int32_t a, int32_t b) {
    return (size_t)scr_mix((uint64_t)(uint32_t)a << 32 | (uint32_t)b);
}

static bool fill_table(const SoftState *s, Soft *w, Table *t) {
    size_t slots = 16;
    while (slots < 2 * s->contacts) {
        slots *= 2;
    }
    if (!scr_block_reserve(&w->table_block, slots, sizeof *t->index, 0)) {
        return false;
    }
    *t = (Table){s->memory, w->table_block.data, slots - 1};
    memset(t->index, 0, slots * sizeof *t->index);
    for (size_t i = 0; i < s->contacts; i++) {
        size_t at = hash_of(s->memory[i].a, s->memory[i].b) & t->mask;
        while (t->index[at] != 0) {
            at = (at + 1) & t->mask;
        }
        t->index[at] = (int32_t)i + 1;
    }
    return true;
}

/* The memory of a pair, from a position in the table on, and where to look for more of it. */
static const SoftMemory *find_from(const Table *t, int32_t a, int32_t b, size_t *from) {
    for (size_t at = *from & t->mask; t->index[at] != 0; at = (at + 1) & t->mask) {
        const SoftMemory *m = &t->memory[t->index[at] - 1];
        if (m->a == a && m->b == b) {
            *from = at + 1;
            return m;
        }
    }
    return NULL;
}

static const SoftMemory *find(const Table *t, int32_t a, int32_t b) {
    size_t from = hash_of(a, b);
    return find_from(t, a, b, &from);
}

static int32_t restore(const State *s, Soft *w, const SoftMemory *m, bool swapped) {
    int32_t slot = (int32_t)w->slots++;
    SoftMeeting meeting = scr_soft_meet(s, w, m->a, m->b, 0);
    SoftContact *c = &w->contact[slot];
    SoftExtra *x = w->extra != NULL ? &w->extra[slot] : NULL;
    scr_soft_revive(&meeting, m, c, x);
    if (swapped) {
        c->spring = scale(-1, c->spring);
    }
    if (swapped && x != NULL) {
        x->roll = scale(-1, x->roll);
    }
    return slot;
}

/* Restores the contact points of a pair. */
static bool restore_points(const State *s, Soft *w, const Table *t, uint64_t pair, SoftPair p) {
    int32_t a = w->order[p.a], b = p.b >= 0 ? w->order[p.b] : p.b;
    size_t from = hash_of(a, b);
    const SoftMemory *m;
    while ((m = find_from(t, a, b, &from)) != NULL) {
        if (!scr_soft_revive_point(s, w, pair, p, m)) {
            return false;
        }
    }
    return true;
}

static ScreeStatus restore_all(const State *s, Soft *w) {
    Table table;
    if (!fill_table(s->soft, w, &table)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t k = 0; k < w->bodies; k++) {
        for (uint32_t e = w->begin[k]; e < w->begin[k + 1]; e++) {
            int32_t a = w->order[k], b = w->order[w->entry[e].other];
            const SoftMemory *m = find(&table, a < b ? a : b, a < b ? b : a);
            w->entry[e].slot = m != NULL ? restore(s, w, m, a > b) : -1;
        }
    }
    bool ok = true;
    for (size_t p = 0; p < w->shapes.pairs; p++) {
        ok = ok && restore_points(s, w, &table, p, w->shapes.pair[p]);
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        for (size_t e = w->wall[i].begin; e < w->wall[i].end; e++) {
            int32_t rank = w->wall_entry[e].other, wall = scr_wall_code(i);
            if (s->bodies.shape[w->order[rank]] >= 0) {
                ok = ok && restore_points(s, w, &table, scr_soft_wall_pair(i, rank),
                                          (SoftPair){rank, wall});
                continue;
            }
            const SoftMemory *m = find(&table, w->order[rank], wall);
            w->wall_entry[e].slot = m != NULL ? restore(s, w, m, false) : -1;
        }
    }
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- the list */

/* More pairs than this mean that grains stand inside each other. */
static size_t pair_limit(size_t bodies) {
    return 40 * bodies + 100000;
}

/* The widest gap that any bond can span. Bonds between the smallest Hertz grains are the
 * softest. */
static double longest_bond(const State *s, const Soft *w) {
    double longest = 0, least = INFINITY;
    for (size_t i = 0; i < s->bodies.count && w->uses & SOFT_COHESION; i++) {
        least = scr_min(least, scr_soft_least_radius(s, i));
    }
    for (size_t i = 0; i < s->materials.count * s->materials.count; i++) {
        const SoftLaw *l = &w->law[i];
        if (l->uses & SOFT_COHESION) {
            double k = l->uses & SOFT_HERTZ ? l->stiffness * sqrt(0.5 * least) : l->stiffness;
            Bond bond = scr_soft_bond(l, k);
            longest = scr_max(longest, scr_bond_reach(&bond));
        }
    }
    return longest;
}

static ScreeStatus find_pairs(const State *s, Soft *w, char *message) {
    const Bodies *b = &s->bodies;
    if (!scr_block_reserve(&w->margin_block, b->count + 1, sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    double *margin = w->margin_block.data;
    w->bond_reach = longest_bond(s, w);
    w->least_margin = INFINITY;
    for (size_t i = 0; i < b->count; i++) {
        margin[i] = b->margin[i] + 0.5 * w->bond_reach;
        w->least_margin = scr_min(w->least_margin, b->margin[i]);
    }
    const BroadInput input = {
        .def = &s->def,
        .search = s->def.search,
        .count = b->count,
        .position = b->anchor,
        .radius = b->radius,
        .margin = margin,
        .pair_limit = pair_limit(b->count),
    };
    ScreeStatus status = scr_find_neighbours(&input, &w->neighbours);
    if (status == SCREE_TOO_CROWDED) {
        Pair p = w->neighbours.pair[w->neighbours.count - 1];
        return scr_fail(
            message, status,
            "more than %zu pairs of %zu grains are close to each other (for instance %d and %d): "
            "grains stand in one place",
            pair_limit(b->count), b->count, w->neighbours.order[p.a], w->neighbours.order[p.b]);
    }
    return status;
}

static bool reserve(const State *s, Soft *w) {
    size_t n = s->bodies.count + 1, entries = w->neighbours.count + 1;
    return SCR_RESERVE(w, order, n) && SCR_RESERVE(w, material, n) && SCR_RESERVE(w, ball, n) &&
           SCR_RESERVE(w, motion, n) && SCR_RESERVE(w, inertia, n) && SCR_RESERVE(w, load, n) &&
           SCR_RESERVE(w, begin, n + 1) && SCR_RESERVE(w, entry, entries);
}

/* The constants of a body, in the order along space. */
static void fill_bodies(const State *s, Soft *w) {
    const Bodies *b = &s->bodies;
    w->bodies = b->count;
    w->least_mass = INFINITY;
    w->mean_radius = w->mean_mass = 0;
    for (size_t i = 0; i < b->count; i++) {
        int32_t k = w->neighbours.rank[i];
        double r = b->radius[i];
        w->order[k] = (int32_t)i;
        w->material[k] = b->material[i];
        w->ball[k].radius = r;
        w->mean_radius += r / (double)b->count;
        w->mean_mass += b->mass[i] / (double)b->count;
        w->load[k] = (SoftLoad){.force = s->soft->push[i], .torque = s->soft->twist[i]};
        w->inertia[k] = (SoftInertia){b->mass[i], b->inertia[i], 1 / b->mass[i], 1 / b->inertia[i]};
        w->least_mass = scr_min(w->least_mass, scr_min(b->mass[i], b->inertia[i] / r));
    }
}

/* Every pair is listed with the body that comes first along space, in the order of the pairs. */
static void fill_entries(Soft *w) {
    const Neighbours *nb = &w->neighbours;
    memset(w->begin, 0, (w->bodies + 2) * sizeof *w->begin);
    for (size_t p = 0; p < nb->count; p++) {
        w->begin[nb->pair[p].a + 2]++;
    }
    for (size_t k = 0; k < w->bodies; k++) {
        w->begin[k + 2] += w->begin[k + 1];
    }
    for (size_t p = 0; p < nb->count; p++) { /* begin[k + 1] runs from the start of k to its end */
        w->entry[w->begin[nb->pair[p].a + 1]++] = (SoftEntry){nb->pair[p].b, -1};
    }
    w->entries = nb->count;
}

ScreeStatus scr_soft_build(State *s, Soft *w, SoftAnchors anchors, char *message) {
    SCR_TRY(scr_soft_collect(s, w));
    w->built = false; /* until everything is valid again, the memory is in the state */
    if (anchors != SOFT_AS_ANCHORED) {
        choose_margins(s, w, anchors);
    }
    SCR_TRY(find_pairs(s, w, message));
    if (!reserve(s, w)) {
        return SCREE_NO_MEMORY;
    }
    fill_bodies(s, w);
    fill_entries(w);
    w->slots = w->vacancies = 0;
    if (!scr_soft_split_shapes(s, w)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(scr_soft_wall_lists(s, w));
    if (!scr_soft_reserve_contacts(w)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(restore_all(s, w));
    if (anchors != SOFT_AS_ANCHORED) {
        scr_note_list(s, w->neighbours.count);
    }
    w->far = anchors == SOFT_AS_ANCHORED ? INFINITY : 0; /* until it has been measured */
    w->built = true;
    return SCREE_OK;
}
