/* From all processes back into the whole state. */
#include "dynamics/share.h"

#include "base/status.h"
#include "broad/flat.h"
#include "broad/space_order.h"
#include "dynamics/body_record.h"
#include "dynamics/carry.h"
#include "math/reduce.h"

#include <stdlib.h>
#include <string.h>

/* Who collects what. */
typedef struct Collecting {
    Share *share;
    State *whole;
    bool first; /* only the first process takes it */
    /* The contacts of this process, and their names if they have none yet. */
    const Contacts *contacts;
    const int32_t *name, *point;
    struct Place *place; /* [contacts of all] */
    size_t placed;
    double *radius; /* [bodies of all] for which the list was made; NULL: those that they have */
} Collecting;

static bool takes(const Collecting *k) {
    return !k->first || k->share->with->rank == 0;
}

static ScreeStatus collect_records(Collecting *k, size_t count, size_t size,
                                   void (*write)(void *, size_t, double *),
                                   void (*take)(void *, const double *)) {
    const Rounds rounds = {.count = count,
                           .size = size,
                           .first = k->first,
                           .write = write,
                           .take = take,
                           .context = k};
    return scr_gather_in_rounds(k->share->with, &rounds) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- bodies */

static void write_body(void *context, size_t i, double *record) {
    const Share *s = ((Collecting *)context)->share;
    scr_write_body(&s->local, i, (StepNote){0, 0, 0}, record);
}

static void take_body(void *context, const double *record) {
    const Collecting *k = context;
    scr_read_body(record, &k->whole->bodies, (size_t)scr_name_in(record));
}

/* Where the whole state was put away, room for it again. */
static ScreeStatus collect_bodies(Collecting *k) {
    Bodies *b = &k->whole->bodies;
    if (takes(k) && b->position == NULL) {
        b->count = 0; /* nothing there is to be kept */
        if (!scr_bodies_reserve(b, k->share->names + 1)) {
            b->count = k->share->names;
            return SCREE_NO_MEMORY;
        }
        b->count = k->share->names;
    }
    return collect_records(k, scr_counted(&k->share->local), scr_body_numbers(), write_body,
                           take_body);
}

/* Anchors and margins as they were before a step that was given up. */
enum { ANCHOR_NUMBERS = 5 };

static void write_anchor(void *context, size_t i, double *record) {
    const Share *s = ((Collecting *)context)->share;
    record[0] = s->kept_name[i];
    memcpy(record + 1, &s->kept[i], sizeof s->kept[i]);
}

static void take_anchor(void *context, const double *record) {
    Bodies *b = &((Collecting *)context)->whole->bodies;
    const size_t name = (size_t)record[0];
    memcpy(&b->anchor[name], record + 1, sizeof(Vec3));
    b->margin[name] = record[4];
}

/* Radii for which the list was made. */
enum { SIZE_NUMBERS = 2 };

static void write_size(void *context, size_t i, double *record) {
    const Share *s = ((Collecting *)context)->share;
    record[0] = s->name[i];
    record[1] = s->then[i];
}

static void take_size(void *context, const double *record) {
    ((Collecting *)context)->radius[(size_t)record[0]] = record[1];
}

/* ---------------------------------------------------------------- contacts */

/* A contact's place in the order of candidates: it was the contact number `from` to arrive. */
typedef struct Place {
    uint64_t key;
    int32_t point; /* of its pair */
    int32_t from;
} Place;

enum {
    HEAD_NUMBERS = 1,
    CONTACT_NUMBERS = sizeof(Contact) / sizeof(double),
    EXTRA_NUMBERS = sizeof(ScreeContactExtra) / sizeof(double)
};

static int by_key(const void *x, const void *y) {
    const Place *a = x, *b = y;
    return a->key != b->key ? (a->key < b->key ? -1 : 1)
                            : (a->point > b->point) - (a->point < b->point);
}

/* The ranks of all bodies, as the list of one process has them. */
static bool rank_all(Share *s, const State *whole, const double *radius, Neighbours *nb) {
    BroadInput in = {.def = &whole->def,
                     .count = whole->bodies.count,
                     .position = whole->bodies.anchor,
                     .radius = radius,
                     .margin = whole->bodies.margin};
    Space space;
    FlatSpace flat = {.frame = {.side = {0, 0, 0}}};
    const bool ok =
        scr_flatten(&flat, &in,
                    whole->def.deform.deforms ? whole->cell.built : whole->def.deform.vector) &&
        scr_space_order(&in, 0, nb, &space);
    scr_block_free(&flat.position_block);
    if (!ok) {
        return false;
    }
    s->levels = space.levels;
    s->cell = space.level[0].size[0];
    s->cell_most = space.level[space.levels - 1].size[0];
    return true;
}

/* Without numbers of points, contacts are in order. */
static void write_contact(void *context, size_t i, double *record) {
    const Collecting *k = context;
    Contact c = k->contacts->item[i];
    if (k->name != NULL) {
        c.a = k->name[c.a];
        c.b = c.b >= 0 ? k->name[c.b] : c.b;
    }
    record[0] = k->point != NULL ? k->point[i] : (double)i;
    memcpy(record + HEAD_NUMBERS, &c, sizeof c);
    if (k->contacts->extra != NULL) {
        memcpy(record + HEAD_NUMBERS + CONTACT_NUMBERS, &k->contacts->extra[i],
               sizeof *k->contacts->extra);
    }
}

static void take_contact(void *context, const double *record) {
    Collecting *k = context;
    Contacts *to = &k->whole->contacts;
    k->place[to->count] = (Place){.point = (int32_t)record[0], .from = (int32_t)to->count};
    memcpy(&to->item[to->count], record + HEAD_NUMBERS, sizeof *to->item);
    if (to->extra != NULL) {
        to->extra[to->count] = (ScreeContactExtra){.opening = 0};
    }
    if (to->extra != NULL && k->contacts->extra != NULL) {
        memcpy(&to->extra[to->count], record + HEAD_NUMBERS + CONTACT_NUMBERS, sizeof *to->extra);
    }
    to->count++;
}

/* Each contact to its place, round by round of those that take each other's. */
static void arrange(Contacts *k, Place *place) {
    for (size_t i = 0; i < k->count; i++) {
        const Contact item = k->item[i];
        const ScreeContactExtra extra =
            k->extra != NULL ? k->extra[i] : (ScreeContactExtra){.opening = 0};
        size_t to = i, from = (size_t)place[i].from;
        for (; from != i; from = (size_t)place[to].from) {
            k->item[to] = k->item[from];
            if (k->extra != NULL) {
                k->extra[to] = k->extra[from];
            }
            place[to].from = (int32_t)to;
            to = from;
        }
        k->item[to] = item;
        if (k->extra != NULL) {
            k->extra[to] = extra;
        }
        place[to].from = (int32_t)to;
    }
}

static ScreeStatus order_contacts(Collecting *k) {
    Contacts *c = &k->whole->contacts;
    Neighbours nb = {0};
    const double *radius = k->radius != NULL ? k->radius : k->whole->bodies.radius;
    const bool ok = rank_all(k->share, k->whole, radius, &nb);
    if (ok) {
        const OldContacts ranks = {.rank = nb.rank, .wall = k->whole->walls.item};
        for (size_t i = 0; i < c->count; i++) {
            k->place[i].key = scr_candidate_key(&ranks, c->item[i].a, c->item[i].b);
        }
    }
    scr_neighbours_free(&nb);
    if (!ok) {
        return SCREE_NO_MEMORY;
    }
    qsort(k->place, c->count, sizeof *k->place, by_key);
    arrange(c, k->place);
    return SCREE_OK;
}

static ScreeStatus collect_contacts(Collecting *k) {
    const Contacts *own = k->contacts;
    int64_t all = (int64_t)own->count;
    Block place = {0};
    scr_count_over_processes(k->share->with, &all, 1);
    if (takes(k)) {
        k->whole->contacts.count = 0;
        if (!scr_reserve_contacts(k->whole, (size_t)all + 1) ||
            !scr_block_reserve(&place, (size_t)all + 1, sizeof *k->place, 0)) {
            scr_block_free(&place);
            return SCREE_NO_MEMORY;
        }
        k->place = place.data;
    }
    const size_t size = HEAD_NUMBERS + CONTACT_NUMBERS + (own->extra != NULL ? EXTRA_NUMBERS : 0);
    ScreeStatus status = collect_records(k, own->count, size, write_contact, take_contact);
    status = status == SCREE_OK && takes(k) ? order_contacts(k) : status;
    scr_block_free(&place);
    return status;
}

/* ---------------------------------------------------------------- all of it */

static ScreeStatus collect(Share *s, State *whole, bool first) {
    const bool named = s->undone && s->before_now;
    const Contacts *contacts = named                       ? &s->before
                               : s->undone && s->posed_now ? &s->posed
                                                           : &s->local.contacts;
    Collecting k = {.share = s,
                    .whole = whole,
                    .first = first,
                    .contacts = contacts,
                    .name = named ? NULL : s->name,
                    .point = contacts == &s->local.contacts ? s->point : NULL};
    SCR_TRY(collect_bodies(&k));
    if (s->undone && s->kept_now) {
        SCR_TRY(collect_records(&k, s->kepts, ANCHOR_NUMBERS, write_anchor, take_anchor));
    }
    if (!s->then_now || s->undone) {
        return collect_contacts(&k);
    }
    Block radius = {0};
    if (takes(&k) && !scr_block_reserve(&radius, s->names + 1, sizeof *k.radius, 0)) {
        return SCREE_NO_MEMORY;
    }
    k.radius = radius.data;
    ScreeStatus status =
        collect_records(&k, scr_counted(&s->local), SIZE_NUMBERS, write_size, take_size);
    status = status == SCREE_OK ? collect_contacts(&k) : status;
    scr_block_free(&radius);
    return status;
}

ScreeStatus scr_share_collect(Share *s, State *whole) {
    if (s->made && s->ahead) {
        SCR_TRY(collect(s, whole, false));
    }
    s->made = s->ahead = s->shown = s->undone = false;
    return SCREE_OK;
}

ScreeStatus scr_share_show(Share *s, State *whole) {
    if (s->made && s->ahead && !s->shown) {
        SCR_TRY(collect(s, whole, true));
        s->shown = true;
    }
    return SCREE_OK;
}
