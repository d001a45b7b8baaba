#include "dynamics/carry.h"

#include "dynamics/plain_contacts.h"

#include "base/threads.h"

#include <string.h>

/* ---------------------------------------------------------------- the step before */

/* Chains of contacts by the lower rank of their bodies. */
typedef struct Links {
    const Contact *item;
    const Neighbours *near;
    size_t count;
    int32_t *next;
} Links;

static void find_lower(void *context, size_t piece) {
    const Links *k = context;
    const int32_t *rank = k->near->rank;
    const size_t end = scr_piece_end(k->count, piece);
    for (size_t i = scr_piece_begin(k->count, piece); i < end; i++) {
        const Contact *c = &k->item[i];
        const int32_t a = rank[c->a], b = c->b >= 0 ? rank[c->b] : a;
        k->next[i] = a < b ? a : b;
    }
}

/* Goes from the last contact to the first, so that each chain runs forwards. Looking up ranks is most
 * of the work, and done by all threads before. */
static void link_by_body(Links *k, Threads *threads, size_t bodies, int32_t *first) {
    scr_threads_loop(threads, scr_pieces(k->count), find_lower, k);
    memset(first, 0xff, bodies * sizeof *first); /* all -1 */
    for (size_t i = k->count; i-- > 0;) {
        const int32_t lower = k->next[i];
        k->next[i] = first[lower];
        first[lower] = (int32_t)i;
    }
}

/* An array that is copied in pieces, since one thread alone does not fill the memory bus. */
typedef struct Copying {
    const char *from;
    char *to;
    size_t count, size;
} Copying;

static void copy_piece(void *context, size_t piece) {
    const Copying *c = context;
    size_t begin = c->size * scr_piece_begin(c->count, piece);
    memcpy(c->to + begin, c->from + begin, c->size * scr_piece_end(c->count, piece) - begin);
}

/* A copy of an array, taken from the frame; NULL when it is empty. */
static void *aside(Threads *threads, Arena *arena, const void *from, size_t count, size_t size) {
    Copying c = {from, scr_arena_take(arena, count, size), count, size};
    if (count == 0) {
        return NULL;
    }
    scr_threads_loop(threads, scr_pieces(count), copy_piece, &c);
    return c.to;
}

ScreeStatus scr_set_aside(const StepParams *with, State *s, const Neighbours *nb, bool list_changed,
                          Arena *arena, size_t room, OldContacts *old) {
    Contacts *k = &s->contacts;
    bool remember = s->def.solver.warm_start || scr_laws_remember(s) || k->slid != NULL;
    size_t n = remember ? k->count : 0, bodies = list_changed ? s->bodies.count : 0;
    size_t extras = k->extra != NULL ? n : 0, slides = k->slid != NULL ? n : 0;
    size_t links = list_changed ? n : 0;
    size_t bytes = scr_arena_bytes(n, sizeof *k->item) + scr_arena_bytes(extras, sizeof *k->extra) +
                   scr_arena_bytes(slides, sizeof *k->slid) +
                   scr_arena_bytes(bodies, sizeof(int32_t)) +
                   scr_arena_bytes(links, sizeof(int32_t));
    if (!scr_arena_begin(arena, bytes + room)) {
        return SCREE_NO_MEMORY;
    }
    *old = (OldContacts){.item = aside(with->threads, arena, k->item, n, sizeof *k->item),
                         .extra = aside(with->threads, arena, k->extra, extras, sizeof *k->extra),
                         .slid = aside(with->threads, arena, k->slid, slides, sizeof *k->slid),
                         .count = n,
                         .rank = nb->rank,
                         .wall = s->walls.item};
    double before = k->time_step;
    old->scale = before > 0 && before != with->time_step ? with->time_step / before : 1;
    if (list_changed) {
        int32_t *first = scr_arena_take(arena, bodies, sizeof *first);
        int32_t *next = scr_arena_take(arena, links, sizeof *next);
        Links chains = {old->item, nb, n, next};
        link_by_body(&chains, with->threads, bodies, first);
        old->first = first;
        old->next = next;
    }
    k->count = 0;
    k->extra = scr_laws_have_extra(s) ? k->extra_block.data : NULL;
    k->time_step = with->time_step;
    return SCREE_OK;
}

OldCursor scr_old_cursor(const OldContacts *old, int32_t a, int32_t b) {
    size_t low = 0, high = old->first == NULL ? old->count : 0;
    const uint64_t key = scr_candidate_key(old, a, b);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const Contact *c = &old->item[middle];
        if (scr_candidate_key(old, c->a, c->b) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (OldCursor){old, low};
}

/* ---------------------------------------------------------------- the new contacts */

bool scr_reserve_contacts(State *s, size_t count) {
    Contacts *k = &s->contacts;
    bool extra = scr_laws_have_extra(s), slid = k->slid != NULL;
    if (!scr_block_reserve(&k->block, count, sizeof *k->item, k->count * sizeof *k->item) ||
        (extra && !scr_block_reserve(&k->extra_block, count, sizeof *k->extra,
                                     k->count * sizeof *k->extra)) ||
        (slid &&
         !scr_block_reserve(&k->slid_block, count, sizeof *k->slid, k->count * sizeof *k->slid))) {
        return false;
    }
    k->item = k->block.data;
    k->extra = extra ? k->extra_block.data : NULL;
    k->slid = slid ? k->slid_block.data : NULL;
    return true;
}

/* An old contact keeps what it had. A new one that touches from the start is bonded. */
static ScreeContactExtra carried_extra(const State *s, const Contact *c, const OldContacts *old,
                                       const Contact *before) {
    if (before != NULL && old->extra != NULL) {
        ScreeContactExtra extra = old->extra[before - old->item];
        extra.torque_impulse = scale(old->scale, extra.torque_impulse);
        return extra;
    }
    double reach = s->bodies.radius[c->a] + (c->b >= 0 ? s->bodies.radius[c->b] : 0);
    return (ScreeContactExtra){.opening = c->gap <= 1e-9 * reach ? 0 : -1};
}

/* The tangential force of a spring moves with the contact: it turns with the normal, keeps its
 * magnitude, and turns about the normal as the bodies do. */
static Vec3 carried_along(const StepParams *with, const State *s, const Contact *c, Vec3 old,
                          Vec3 projected) {
    double before = dot(old, old), now = dot(projected, projected);
    if (!(before > 0 && now > 0)) {
        return projected;
    }
    Vec3 spin = add(s->bodies.spin[c->a],
                    c->b >= 0 ? s->bodies.spin[c->b] : s->walls.item[scr_wall_of(c->b)].now.spin);
    double angle = s->def.dimension == 3 ? 0.5 * with->time_step * dot(spin, c->normal) : 0;
    Vec3 turned = add_scaled(projected, angle, cross(c->normal, projected));
    return scale(sqrt(before / dot(turned, turned)), turned);
}

/* Springs, bonds and impacts need every gap as it is. */
static double seen_gap(const State *s, int32_t a, int32_t b, double gap) {
    if (gap <= 0 || (s->materials.uses & (LAW_COHESION | LAW_RESTITUTION | LAW_COMPLIANCE)) != 0) {
        return gap;
    }
    return scr_find_bond(&s->bonds, a, b) != NULL ? gap : scr_gap_beyond_rounding(s, a, b, gap);
}

void scr_carry_contact(const StepParams *with, State *s, size_t i, Pair pair, const Touch *touch,
                       const OldContacts *old, const Contact *before) {
    Contact *c = &s->contacts.item[i];
    const double gap = seen_gap(s, pair.a, pair.b, touch->gap);
    scr_carry_round(c, pair, touch, gap, old->scale, before);
    if (c->state != SCREE_CONTACT_OPEN && (s->materials.uses & LAW_COMPLIANCE) != 0) {
        const Vec3 n = c->normal, t = before->tangential_impulse;
        const Vec3 projected = add_scaled(t, -dot(t, n), n);
        c->tangential_impulse = scale(old->scale, carried_along(with, s, c, t, projected));
    }
    if (s->contacts.extra != NULL) {
        s->contacts.extra[i] = carried_extra(s, c, old, before);
    }
    if (s->contacts.slid != NULL) {
        bool known = before != NULL && old->slid != NULL;
        s->contacts.slid[i] = known ? old->slid[before - old->item] : 0;
    }
}

/* ---------------------------------------------------------------- a copy */

/* Copies items and extras into blocks that `to` has already. */
static bool copy_arrays(const Contacts *from, Contacts *to) {
    size_t n = from->count;
    if (!scr_block_reserve(&to->block, n + 1, sizeof *to->item, 0) ||
        (from->extra != NULL &&
         !scr_block_reserve(&to->extra_block, n + 1, sizeof *to->extra, 0))) {
        return false;
    }
    Contacts made = *from;
    made.block = to->block;
    made.extra_block = to->extra_block;
    made.slid_block = to->slid_block;
    made.slid = NULL; /* only exists within an increment */
    made.item = made.block.data;
    made.extra = from->extra != NULL ? made.extra_block.data : NULL;
    if (n > 0) {
        memcpy(made.item, from->item, n * sizeof *made.item);
    }
    if (n > 0 && from->extra != NULL) {
        memcpy(made.extra, from->extra, n * sizeof *made.extra);
    }
    *to = made;
    return true;
}

bool scr_copy_contacts(const State *s, ContactsCopy *copy) {
    copy->made = scr_laws_remember(s) && copy_arrays(&s->contacts, &copy->contacts);
    return copy->made || !scr_laws_remember(s);
}

/* The state's blocks have held as many contacts before, so there is room. Where a copy was wanted
 * and not made, the step had not yet begun to change anything. */
void scr_put_back_contacts(State *s, const ContactsCopy *copy) {
    if (copy->made) {
        copy_arrays(&copy->contacts, &s->contacts);
    } else if (!scr_laws_remember(s)) {
        s->contacts.count = 0;
    }
}

void scr_contacts_copy_free(ContactsCopy *copy) {
    scr_block_free(&copy->contacts.block);
    scr_block_free(&copy->contacts.extra_block);
    *copy = (ContactsCopy){0};
}
