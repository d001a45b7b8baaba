/* Contacts: who finds them, who has them, and whom their bodies concern. */
#include "dynamics/share.h"

#include "base/status.h"
#include "math/reduce.h"

#include <string.h>

static const double a_little_more = 1 + 1e-6; /* see scr_share_near */

/* ---------------------------------------------------------------- what they remember */

/* A contact with the names of its bodies, and its memory. */
enum {
    CONTACT_NUMBERS = sizeof(Contact) / sizeof(double),
    EXTRA_NUMBERS = sizeof(ScreeContactExtra) / sizeof(double)
};

static bool send_contact(Share *s, size_t i, int32_t to) {
    const Contacts *k = &s->local.contacts;
    Contact c = k->item[i];
    double *record = scr_trade_add(&s->contacts, to);
    if (record == NULL) {
        return false;
    }
    c.a = s->name[c.a];
    c.b = c.b >= 0 ? s->name[c.b] : c.b;
    memcpy(record, &c, sizeof c);
    if (k->extra != NULL) {
        memcpy(record + CONTACT_NUMBERS, &k->extra[i], sizeof *k->extra);
    }
    return true;
}

/* To all that have both of its bodies; `home`: to this process as well. */
static bool send_around(Share *s, size_t i, bool home) {
    const Contact *c = &s->local.contacts.item[i];
    int32_t *first = s->near, *second = s->near + s->with->count;
    const size_t firsts = scr_share_near(s, (size_t)c->a, a_little_more, first);
    if (firsts == 1 && !home) {
        return true;
    }
    const size_t seconds =
        scr_share_near(s, (size_t)(c->b >= 0 ? c->b : c->a), a_little_more, second);
    for (size_t k = 0, j = 0; k < firsts; k++) { /* both lists rise */
        while (j < seconds && second[j] < first[k]) {
            j++;
        }
        bool both = j < seconds && second[j] == first[k];
        if (both && (home || first[k] != s->with->rank) && !send_contact(s, i, first[k])) {
            return false;
        }
    }
    return true;
}

/* Contacts of round bodies that are open have nothing to remember. */
static ScreeStatus send_contacts(Share *s, bool home) {
    const Contacts *k = &s->local.contacts;
    bool ok = true;
    scr_trade_begin(&s->contacts, CONTACT_NUMBERS + (k->extra != NULL ? EXTRA_NUMBERS : 0));
    for (size_t i = 0; i < k->count && ok; i++) {
        if (k->extra != NULL || k->item[i].state != SCREE_CONTACT_OPEN) {
            ok = send_around(s, i, home);
        }
    }
    return ok && scr_trade_make(&s->contacts, s->with) ? SCREE_OK : SCREE_NO_MEMORY;
}

static bool reserve_contacts(Contacts *k, size_t count) {
    if (!scr_block_reserve(&k->block, count, sizeof *k->item, k->count * sizeof *k->item) ||
        (k->extra != NULL && !scr_block_reserve(&k->extra_block, count, sizeof *k->extra,
                                                k->count * sizeof *k->extra))) {
        return false;
    }
    k->item = k->block.data;
    k->extra = k->extra != NULL ? k->extra_block.data : NULL;
    return true;
}

static ScreeStatus take_contacts(Share *s) {
    Contacts *k = &s->local.contacts;
    const Trade *trade = &s->contacts;
    if (!reserve_contacts(k, k->count + trade->received + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < trade->received; i++) {
        const double *record = scr_trade_record(trade, i);
        Contact c;
        memcpy(&c, record, sizeof c);
        bool here = s->place[c.a] >= 0 && (c.b < 0 || s->place[c.b] >= 0);
        c.a = s->place[c.a];
        c.b = c.b >= 0 ? s->place[c.b] : c.b;
        if (here && k->extra != NULL) {
            memcpy(&k->extra[k->count], record + CONTACT_NUMBERS, sizeof *k->extra);
        }
        if (here) {
            k->item[k->count++] = c;
        }
    }
    return SCREE_OK;
}

/* Into memory that is there already. */
static void copy_contacts(const Contacts *from, Contacts *to, size_t bound) {
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if ((size_t)from->item[i].a < bound) {
            if (from->extra != NULL) {
                to->extra[count] = from->extra[i];
            }
            to->item[count++] = from->item[i];
        }
    }
    to->count = count;
}

/* What the search for contacts starts from, should it have to be made again: each contact in the
 * process that counts its first body. */
static ScreeStatus keep_posed(Share *s) {
    Contacts *to = &s->posed;
    const Contacts *from = &s->local.contacts;
    to->count = 0;
    to->extra = from->extra; /* whether there are any */
    if (!reserve_contacts(to, from->count + 1)) {
        return SCREE_NO_MEMORY;
    }
    copy_contacts(from, to, scr_counted(&s->local));
    return SCREE_OK;
}

ScreeStatus scr_share_settle(Share *s, bool new_list, bool *moved) {
    *moved = new_list || s->wanted > s->layer;
    SCR_TRY(send_contacts(s, *moved));
    if (*moved) {
        s->local.contacts.count = 0;
        SCR_TRY(scr_share_move_bodies(s));
    }
    SCR_TRY(take_contacts(s));
    return keep_posed(s);
}

/* ---------------------------------------------------------------- who has them */

/* The process that has the centre of each box. */
static bool give_boxes(Share *s, const Boxes *b) {
    if (!SCR_RESERVE(s, owner, (size_t)b->total + 1)) {
        return false;
    }
    for (uint32_t box = 0; box < b->total; box++) {
        const uint32_t at[3] = {box % b->count[0], box / b->count[0] % b->count[1],
                                box / b->count[0] / b->count[1]};
        Vec3 centre = {0, 0, 0};
        for (int axis = 0; axis < 3; axis++) {
            *component_of(&centre, axis) =
                b->origin[axis] + ((double)at[axis] + 0.5) / b->per_side[axis];
        }
        s->owner[box] = scr_territory_owner(&s->territory, centre);
    }
    return true;
}

static uint32_t parity_of(const Boxes *b, uint32_t box) {
    const uint32_t x = box % b->count[0], y = box / b->count[0] % b->count[1],
                   z = box / b->count[0] / b->count[1];
    return (x & 1) | (y & 1) << 1 | (z & 1) << 2;
}

/* How far ghosts must reach: see share.h. */
static double layer_for(const Boxes *b, double radius, double gap) {
    double side = 0;
    for (int axis = 0; axis < 3; axis++) {
        side = scr_max(side, 1 / b->per_side[axis]);
    }
    return 0.5 * side + 4 * radius + 3 * scr_max(gap, 0);
}

static void move_contact(Contacts *k, OrderContact *contact, size_t from, size_t to) {
    k->item[to] = k->item[from];
    contact[to] = contact[from];
    if (k->extra != NULL) {
        k->extra[to] = k->extra[from];
    }
}

static void keep_own_boxes(Share *s, const Boxes *boxes, const int32_t *rank,
                           OrderContact *contact) {
    Contacts *k = &s->local.contacts;
    size_t kept = 0;
    memset(s->uses, 0, s->local.bodies.count * sizeof *s->uses);
    for (size_t i = 0; i < k->count; i++) {
        const Contact *c = &k->item[i];
        const int32_t owner = s->owner[contact[i].box];
        const uint32_t parity = parity_of(boxes, contact[i].box);
        s->uses[rank[c->a]][parity] = (uint16_t)(owner + 1);
        if (c->b >= 0) {
            s->uses[rank[c->b]][parity] = (uint16_t)(owner + 1);
        }
        if (owner == s->with->rank) {
            move_contact(k, contact, i, kept++);
        }
    }
    k->count = kept;
}

ScreeStatus scr_share_contacts(Share *s, const Boxes *boxes, double largest_radius, double gap,
                               const int32_t *rank, OrderContact *contact) {
    if (!SCR_RESERVE(s, uses, s->local.bodies.count + 1) || !give_boxes(s, boxes)) {
        return SCREE_NO_MEMORY;
    }
    if (boxes->total == 0) { /* no process has any contact */
        memset(s->uses, 0, s->local.bodies.count * sizeof *s->uses);
        s->wanted = 0;
        return SCREE_OK;
    }
    s->wanted = layer_for(boxes, largest_radius, gap);
    if (s->wanted > s->layer) {
        s->wanted *= 1.1; /* so that it does not happen in every step */
        copy_contacts(&s->posed, &s->local.contacts, SIZE_MAX);
    } else {
        keep_own_boxes(s, boxes, rank, contact);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- velocities for ghosts */

enum { VELOCITY_NUMBERS = 7 }; /* a name and both velocities */

/* The first process that has a body in a row; -1: there is none. */
static int32_t teller_of(const uint16_t uses[SHARE_GROUPS]) {
    int32_t first = INT32_MAX;
    for (int g = 0; g < SHARE_GROUPS; g++) {
        first = uses[g] > 0 && uses[g] - 1 < first ? uses[g] - 1 : first;
    }
    return first < INT32_MAX ? first : -1;
}

static bool uses_body(const uint16_t uses[SHARE_GROUPS], int32_t process) {
    bool any = false;
    for (int g = 0; g < SHARE_GROUPS; g++) {
        any = any || uses[g] == process + 1;
    }
    return any;
}

static bool tell_body(Share *s, size_t i, const uint16_t uses[SHARE_GROUPS],
                      const ProblemBody *body) {
    const size_t near = scr_share_near(s, i, a_little_more, s->near);
    for (size_t k = 0; k < near; k++) {
        if (s->near[k] == s->with->rank || uses_body(uses, s->near[k])) {
            continue;
        }
        double *record = scr_trade_add(&s->trade, s->near[k]);
        if (record == NULL) {
            return false;
        }
        record[0] = s->name[i];
        memcpy(record + 1, &body->v, 3 * sizeof *record);
        memcpy(record + 4, &body->s, 3 * sizeof *record);
    }
    return true;
}

ScreeStatus scr_share_tell(Share *s, const int32_t *rank, ProblemBody *body) {
    scr_trade_begin(&s->trade, VELOCITY_NUMBERS);
    for (size_t i = 0; i < s->local.bodies.count; i++) {
        if (teller_of(s->uses[rank[i]]) == s->with->rank &&
            !tell_body(s, i, s->uses[rank[i]], &body[rank[i]])) {
            return SCREE_NO_MEMORY;
        }
    }
    if (!scr_trade_make(&s->trade, s->with)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t k = 0; k < s->trade.received; k++) {
        const double *record = scr_trade_record(&s->trade, k);
        const int32_t place = s->place[(size_t)record[0]];
        if (place >= 0) {
            memcpy(&body[rank[place]].v, record + 1, 3 * sizeof *record);
            memcpy(&body[rank[place]].s, record + 4, 3 * sizeof *record);
        }
    }
    return SCREE_OK;
}
