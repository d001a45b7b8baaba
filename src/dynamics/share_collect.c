/* From all processes back into the whole state. */
#include "dynamics/share.h"

#include "base/status.h"
#include "broad/space_order.h"
#include "dynamics/carry.h"
#include "math/reduce.h"

#include <stdlib.h>
#include <string.h>

/* What changes in a step, and the name. */
#define MOVING_FIELDS(X)                                                                           \
    X(position)                                                                                    \
    X(orientation)                                                                                 \
    X(velocity)                                                                                    \
    X(spin)                                                                                        \
    X(anchor)                                                                                      \
    X(margin)

static size_t moving_numbers(const Bodies *b) {
    size_t bytes = sizeof(double);
#define X(field) bytes += sizeof *b->field;
    MOVING_FIELDS(X)
#undef X
    return bytes / sizeof(double);
}

static ScreeStatus collect_bodies(Share *s, State *whole, Block *own, Block *all) {
    const Bodies *b = &s->local.bodies;
    Bodies *to = &whole->bodies;
    const size_t count = scr_counted(&s->local), size = moving_numbers(b);
    if (!scr_block_reserve(own, count * size + 1, sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    double *at = own->data;
    for (size_t i = 0; i < count; i++) {
        *at++ = s->name[i];
#define X(field)                                                                                   \
    memcpy(at, &b->field[i], sizeof *b->field);                                                    \
    at += sizeof *b->field / sizeof *at;
        MOVING_FIELDS(X)
#undef X
    }
    size_t total;
    const double *from = scr_gather_records(s->with, own->data, count, size, &total, all);
    if (from == NULL) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < total; i++) {
        const size_t name = (size_t)*from++;
#define X(field)                                                                                   \
    memcpy(&to->field[name], from, sizeof *b->field);                                              \
    from += sizeof *b->field / sizeof *from;
        MOVING_FIELDS(X)
#undef X
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- contacts */

/* A contact with its place in the order of candidates. */
typedef struct Ordered {
    uint64_t key;
    int64_t point; /* of its pair */
    Contact contact;
    ScreeContactExtra extra;
} Ordered;

enum { ORDERED_NUMBERS = sizeof(Ordered) / sizeof(double) };

static int by_key(const void *x, const void *y) {
    const Ordered *a = x, *b = y;
    return a->key != b->key ? (a->key < b->key ? -1 : 1)
                            : (a->point > b->point) - (a->point < b->point);
}

/* The ranks of all bodies, as the list of one process has them. */
static bool rank_all(Share *s, const State *whole, Neighbours *nb) {
    const BroadInput in = {.def = &whole->def,
                           .count = whole->bodies.count,
                           .position = whole->bodies.anchor,
                           .radius = whole->bodies.radius,
                           .margin = whole->bodies.margin};
    Space space;
    if (!scr_space_order(&in, 0, nb, &space)) {
        return false;
    }
    s->levels = space.levels;
    s->cell = space.level[0].size[0];
    s->cell_most = space.level[space.levels - 1].size[0];
    return true;
}

/* `name` of bodies, unless contacts have names already; without numbers of points, contacts are in order. */
static bool list_own(const Contacts *k, const int32_t *name, const int32_t *point, Block *own) {
    if (!scr_block_reserve(own, k->count + 1, sizeof(Ordered), 0)) {
        return false;
    }
    Ordered *to = own->data;
    for (size_t i = 0; i < k->count; i++) {
        to[i] = (Ordered){.point = point != NULL ? point[i] : (int64_t)i, .contact = k->item[i]};
        if (name != NULL) {
            to[i].contact.a = name[k->item[i].a];
            to[i].contact.b = k->item[i].b >= 0 ? name[k->item[i].b] : k->item[i].b;
        }
        if (k->extra != NULL) {
            to[i].extra = k->extra[i];
        }
    }
    return true;
}

static bool put_contacts(State *whole, Ordered *placed, size_t count, const int32_t *rank) {
    Contacts *k = &whole->contacts;
    const OldContacts ranks = {.rank = rank, .wall = whole->walls.item};
    for (size_t i = 0; i < count; i++) {
        placed[i].key = scr_candidate_key(&ranks, placed[i].contact.a, placed[i].contact.b);
    }
    qsort(placed, count, sizeof *placed, by_key);
    k->count = 0;
    if (!scr_reserve_contacts(whole, count + 1)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        k->item[i] = placed[i].contact;
        if (k->extra != NULL) {
            k->extra[i] = placed[i].extra;
        }
    }
    k->count = count;
    return true;
}

static ScreeStatus collect_contacts(Share *s, State *whole, Block *own, Block *all) {
    const bool named = s->undone && s->before_now;
    const Contacts *k = named                       ? &s->before
                        : s->undone && s->posed_now ? &s->posed
                                                    : &s->local.contacts;
    Neighbours nb = {0};
    size_t count;
    const int32_t *point = k == &s->local.contacts ? s->point : NULL;
    bool ok =
        list_own(k, named ? NULL : s->name, point, own) &&
        scr_gather_records(s->with, own->data, k->count, ORDERED_NUMBERS, &count, all) != NULL &&
        rank_all(s, whole, &nb) && put_contacts(whole, all->data, count, nb.rank);
    scr_neighbours_free(&nb);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

/* Anchors and margins as they were before a step that was given up. */
static ScreeStatus collect_anchors(Share *s, State *whole, Block *own, Block *all) {
    enum { NUMBERS = 5 };
    if (!scr_block_reserve(own, NUMBERS * s->kepts + 1, sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    double *at = own->data;
    for (size_t i = 0; i < s->kepts; i++, at += NUMBERS) {
        at[0] = s->kept_name[i];
        memcpy(at + 1, &s->kept[i], sizeof s->kept[i]);
    }
    size_t total;
    const double *from = scr_gather_records(s->with, own->data, s->kepts, NUMBERS, &total, all);
    for (size_t i = 0; i < total && from != NULL; i++, from += NUMBERS) {
        const size_t name = (size_t)from[0];
        memcpy(&whole->bodies.anchor[name], from + 1, sizeof(Vec3));
        whole->bodies.margin[name] = from[4];
    }
    return from != NULL ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_share_collect(Share *s, State *whole) {
    Block own = {0}, all = {0};
    const bool anchors = s->undone && s->kept_now;
    if (!s->made || !s->ahead) {
        s->made = s->undone = false;
        return SCREE_OK;
    }
    ScreeStatus status = collect_bodies(s, whole, &own, &all);
    status = status == SCREE_OK && anchors ? collect_anchors(s, whole, &own, &all) : status;
    status = status == SCREE_OK ? collect_contacts(s, whole, &own, &all) : status;
    SCR_FREE_BLOCKS(&own, &all);
    if (status == SCREE_OK) {
        s->made = s->ahead = s->undone = false;
    }
    return status;
}
