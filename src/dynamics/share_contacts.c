/* Contacts: who finds them, who has them, and whom their bodies concern. */
#include "dynamics/share.h"

#include "base/status.h"
#include "math/reduce.h"

#include <string.h>

/* ---------------------------------------------------------------- what they remember */

/* A contact with the names of its bodies, its number among the points of its pair, and its memory. */
enum {
    HEAD_NUMBERS = 1,
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
    record[0] = s->point[i];
    memcpy(record + HEAD_NUMBERS, &c, sizeof c);
    if (k->extra != NULL) {
        memcpy(record + HEAD_NUMBERS + CONTACT_NUMBERS, &k->extra[i], sizeof *k->extra);
    }
    return true;
}

/* The processes that have a body; `home`: that will have it, since bodies are about to move. */
static Seers seers_of(const Share *s, int32_t body, bool home, int32_t *room) {
    return home ? (Seers){room, scr_share_near(s, (size_t)body, share_more, room)}
                : scr_share_seers(s, body);
}

/* To all others that have both of its bodies; `home`: that will have them, and whether this process
 * will. */
static bool send_around(Share *s, size_t i, bool home, bool *stays) {
    const Contact *c = &s->local.contacts.item[i];
    const Seers first = seers_of(s, c->a, home, s->near);
    *stays = false;
    if (first.count == 0) {
        return true;
    }
    const Seers second = seers_of(s, c->b >= 0 ? c->b : c->a, home, s->near + s->with->count);
    for (size_t k = 0, j = 0; k < first.count; k++) { /* both lists rise */
        const int32_t to = first.process[k];
        while (j < second.count && second.process[j] < to) {
            j++;
        }
        const bool both = j < second.count && second.process[j] == to;
        *stays = *stays || (both && to == s->with->rank);
        if (both && to != s->with->rank && !send_contact(s, i, to)) {
            return false;
        }
    }
    return true;
}

/* A contact that stays while bodies move has names until they have. */
static void keep_named(Share *s, size_t from, size_t to) {
    Contacts *k = &s->local.contacts;
    Contact c = k->item[from];
    c.a = s->name[c.a];
    c.b = c.b >= 0 ? s->name[c.b] : c.b;
    k->item[to] = c;
    s->point[to] = s->point[from];
    if (k->extra != NULL) {
        k->extra[to] = k->extra[from];
    }
}

/* Contacts of round bodies that are open have nothing to remember. `home`: of those that are left, all have
 * names. */
static ScreeStatus send_contacts(Share *s, bool home) {
    Contacts *k = &s->local.contacts;
    const bool all = k->extra != NULL || scr_any_shaped(&s->local);
    bool ok = true, stays;
    size_t kept = 0;
    scr_trade_begin(&s->contacts,
                    HEAD_NUMBERS + CONTACT_NUMBERS + (k->extra != NULL ? EXTRA_NUMBERS : 0));
    for (size_t i = 0; i < k->count && ok; i++) {
        if (all || k->item[i].state != SCREE_CONTACT_OPEN) {
            ok = send_around(s, i, home, &stays);
            if (home && stays) {
                keep_named(s, i, kept++);
            }
        }
    }
    k->count = home ? kept : k->count;
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

/* From names to places; false: one of the bodies is not here. */
static bool find_bodies(const Share *s, Contact *c) {
    c->a = s->place[c->a];
    const bool second = c->b < 0 || s->place[c->b] >= 0;
    c->b = c->b >= 0 ? s->place[c->b] : c->b;
    return c->a >= 0 && second;
}

/* Those that stayed while bodies moved; what was thought to stay is here, but for rounding. */
static void find_kept(Share *s) {
    Contacts *k = &s->local.contacts;
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (find_bodies(s, &k->item[i])) {
            k->item[kept] = k->item[i];
            s->point[kept] = s->point[i];
            if (k->extra != NULL) {
                k->extra[kept] = k->extra[i];
            }
            kept++;
        }
    }
    k->count = kept;
}

static ScreeStatus take_contacts(Share *s) {
    Contacts *k = &s->local.contacts;
    const Trade *trade = &s->contacts;
    const size_t most = k->count + trade->received + 1;
    if (!reserve_contacts(k, most) || !SCR_RESERVE_KEEPING(s, point, most, k->count)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < trade->received; i++) {
        const double *record = scr_trade_record(trade, i);
        Contact c;
        memcpy(&c, record + HEAD_NUMBERS, sizeof c);
        const bool here = find_bodies(s, &c);
        if (here && k->extra != NULL) {
            memcpy(&k->extra[k->count], record + HEAD_NUMBERS + CONTACT_NUMBERS, sizeof *k->extra);
        }
        if (here) {
            s->point[k->count] = (int32_t)record[0];
            k->item[k->count++] = c;
        }
    }
    return scr_any_shaped(&s->local) ? scr_share_sort_points(s) : SCREE_OK;
}

/* Into memory that is there already; only those that a process counts, if it is given. */
static void copy_contacts(const Contacts *from, Contacts *to, const State *counts) {
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (counts == NULL || scr_counts_pair(counts, from->item[i].a, from->item[i].b)) {
            if (from->extra != NULL) {
                to->extra[count] = from->extra[i];
            }
            to->item[count++] = from->item[i];
        }
    }
    to->count = count;
}

/* What the search for contacts starts from, should it or the step have to be made again: each contact
 * in the process that counts it. */
static ScreeStatus keep_posed(Share *s) {
    Contacts *to = &s->posed;
    const Contacts *from = &s->local.contacts;
    to->count = 0;
    to->extra = from->extra; /* whether there are any */
    if (!reserve_contacts(to, from->count + 1)) {
        return SCREE_NO_MEMORY;
    }
    copy_contacts(from, to, &s->local);
    s->posed_now = true;
    return SCREE_OK;
}

/* A second attempt begins with contacts as the first one has turned them. */
static void keep_before(Share *s) {
    const Contacts room = s->before;
    s->before = s->posed;
    s->posed = room;
    for (size_t i = 0; i < s->before.count; i++) {
        Contact *c = &s->before.item[i];
        c->a = s->name[c->a];
        c->b = c->b >= 0 ? s->name[c->b] : c->b;
    }
    s->before_now = true;
}

ScreeStatus scr_share_settle(Share *s, bool new_list, const StepNote *note, bool *moved) {
    const bool farther = s->wanted > s->layer; /* the same attempt once more */
    if (s->posed_now && !farther && !s->before_now) {
        keep_before(s);
    }
    bool cut = false;
    if (!s->posed_now) {
        SCR_TRY(scr_share_balance(s, &cut));
    }
    *moved = new_list || farther || cut;
    if (*moved) { /* contacts go as far as bodies will */
        s->layer = scr_max(scr_share_least_layer(s, &s->local), scr_max(s->layer, s->wanted));
        scr_territory_take_anchors(&s->territory, &s->local);
    }
    SCR_TRY(send_contacts(s, *moved));
    if (*moved) {
        SCR_TRY(scr_share_move_bodies(s, note));
        find_kept(s);
    }
    SCR_TRY(take_contacts(s));
    return keep_posed(s);
}

/* ---------------------------------------------------------------- who has them */

/* The process that has the centre of each box. */
static bool give_boxes(Share *s, const Boxes *b) {
    const ScreeWorldDef *def = &s->local.def;
    if (!SCR_RESERVE(s, owner, (size_t)b->total + 1)) {
        return false;
    }
    TerritoryFrame frame = scr_territory_frame(&s->territory, def, def->deform.vector);
    if (def->deform.tilted) { /* boxes lie along its axes, from its corner */
        frame.to = mat3_diagonal(1, 1, 1);
        frame.corner = vec3(0, 0, 0);
    }
    for (uint32_t box = 0; box < b->total; box++) {
        s->owner[box] = scr_territory_owner_in(&s->territory, &frame, scr_box_centre(b, box));
    }
    return true;
}

/* Parts of space are as wide as the cell was when anchors were chosen; where it has shrunk since then, ghosts
 * must have reached farther. */
static double layer_then(const Share *s, double layer) {
    const State *l = &s->local;
    if (!l->def.deform.deforms) {
        return layer;
    }
    const TerritoryFrame now = scr_territory_frame(&s->territory, &l->def, l->def.deform.vector);
    double shrunk = 1, margin = 0;
    for (int k = 0; k < 3; k++) {
        shrunk = scr_max(shrunk, now.per[k] / s->territory.anchors.per[k]);
    }
    for (size_t i = 0; i < scr_counted(l); i++) {
        margin = scr_max(margin, l->bodies.margin[i]);
    }
    scr_most_over_processes(s->with, &margin, 1);
    return shrunk * layer + (shrunk - 1) * margin;
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
    return 0.5 * side + 2 * radius + 2 * scr_max(gap, 0);
}

static void move_contact(Share *s, OrderContact *contact, size_t from, size_t to) {
    Contacts *k = &s->local.contacts;
    k->item[to] = k->item[from];
    contact[to] = contact[from];
    s->point[to] = s->point[from];
    if (k->extra != NULL) {
        k->extra[to] = k->extra[from];
    }
}

static void keep_own_boxes(Share *s, const Boxes *boxes, const int32_t *rank, OrderContact *contact,
                           double *bond_area) {
    Contacts *k = &s->local.contacts;
    const uint16_t user = (uint16_t)(s->with->rank + 1);
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (s->owner[contact[i].box] != s->with->rank) {
            continue;
        }
        const Contact *c = &k->item[i];
        const uint32_t parity = parity_of(boxes, contact[i].box);
        if (contact[i].a >= 0) { /* is not split */
            s->uses[rank[c->a]][parity] = user;
        }
        if (c->b >= 0 && contact[i].b >= 0) {
            s->uses[rank[c->b]][parity] = user;
        }
        if (bond_area != NULL) {
            bond_area[kept] = bond_area[i];
        }
        move_contact(s, contact, i, kept++);
    }
    k->count = kept;
}

/* ---------------------------------------------------------------- who uses which body */

/* What a process says of a body: its name, the process, and a bit for each parity. */
enum { NAME_AT = 32, PROCESS_AT = SHARE_GROUPS };

static bool tell_uses_of(Share *s, int32_t body, const uint16_t uses[SHARE_GROUPS]) {
    uint64_t word = 0;
    for (int g = 0; g < SHARE_GROUPS; g++) {
        word |= (uint64_t)(uses[g] != 0) << g;
    }
    const Seers near = scr_share_seers(s, body);
    for (size_t k = 0; word != 0 && k < near.count; k++) {
        if (near.process[k] != s->with->rank) {
            double *record = scr_trade_add(&s->trade, near.process[k]);
            if (record == NULL) {
                return false;
            }
            const uint64_t all =
                (uint64_t)s->name[body] << NAME_AT | (uint64_t)s->with->rank << PROCESS_AT | word;
            memcpy(record, &all, sizeof all);
        }
    }
    return true;
}

/* Boxes of one parity share no body: nobody else has it. Only a corner that is foreseen far from where
 * it is now could be in a box too far away; `clash` tells. */
static void take_uses(Share *s, const int32_t *rank, bool *clash) {
    *clash = false;
    for (size_t i = 0; i < s->trade.received; i++) {
        uint64_t word;
        memcpy(&word, scr_trade_record(&s->trade, i), sizeof word);
        const int32_t place = s->place[word >> NAME_AT];
        for (int g = 0; g < SHARE_GROUPS && place >= 0; g++) {
            if ((word >> g & 1) != 0) {
                uint16_t *user = &s->uses[rank[place]][g];
                *clash = *clash || *user != 0;
                *user = (uint16_t)((word >> PROCESS_AT & UINT16_MAX) + 1);
            }
        }
    }
}

static ScreeStatus tell_uses(Share *s, const int32_t *rank) {
    scr_trade_begin(&s->trade, 1);
    for (size_t k = 0; k < s->borders; k++) {
        if (!tell_uses_of(s, s->border[k], s->uses[rank[s->border[k]]])) {
            return SCREE_NO_MEMORY;
        }
    }
    if (!scr_trade_make(&s->trade, s->with)) {
        return SCREE_NO_MEMORY;
    }
    bool clash;
    take_uses(s, rank, &clash);
    if (scr_any_shaped(&s->local)) {
        s->given_up = scr_any_process(s->with, clash || s->given_up);
    }
    return SCREE_OK;
}

ScreeStatus scr_share_contacts(Share *s, const Boxes *boxes, double gap, const int32_t *rank,
                               OrderContact *contact, double *bond_area) {
    if (!SCR_RESERVE(s, uses, s->local.bodies.count + 1) || !give_boxes(s, boxes)) {
        return SCREE_NO_MEMORY;
    }
    memset(s->uses, 0, s->local.bodies.count * sizeof *s->uses);
    SCR_TRY(scr_share_number_points(s));
    if (boxes->total == 0) { /* no process has any contact */
        s->wanted = 0;
        return SCREE_OK;
    }
    s->wanted = layer_for(boxes, s->usual, gap);
    if (scr_any_shaped(&s->local) || s->larges > 0) {
        s->wanted = scr_max(s->wanted, scr_share_layer_of_contacts(s, boxes, contact));
    }
    s->wanted = layer_then(s, s->wanted);
    if (s->wanted > s->layer) {
        s->wanted *= 1.1; /* so that it does not happen in every step */
        copy_contacts(&s->posed, &s->local.contacts, NULL);
        return scr_share_number_points(s);
    }
    keep_own_boxes(s, boxes, rank, contact, bond_area);
    return tell_uses(s, rank);
}

/* ---------------------------------------------------------------- velocities for ghosts */

enum { VELOCITY_NUMBERS = 7, DETOUR_NUMBERS = 5 }; /* a name and both velocities; a detour */

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

static bool tell_body(Share *s, int32_t i, const uint16_t uses[SHARE_GROUPS],
                      const ProblemBody *body, const Detour *detour) {
    const Seers near = scr_share_seers(s, i);
    for (size_t k = 0; k < near.count; k++) {
        if (near.process[k] == s->with->rank || uses_body(uses, near.process[k])) {
            continue;
        }
        double *record = scr_trade_add(&s->trade, near.process[k]);
        if (record == NULL) {
            return false;
        }
        record[0] = s->name[i];
        memcpy(record + 1, &body->v, 3 * sizeof *record);
        memcpy(record + 4, &body->s, 3 * sizeof *record);
        if (detour != NULL) {
            memcpy(record + VELOCITY_NUMBERS, detour, sizeof *detour);
        }
    }
    return true;
}

ScreeStatus scr_share_tell(Share *s, const int32_t *rank, ProblemBody *body, Detour *detour) {
    scr_trade_begin(&s->trade, VELOCITY_NUMBERS + (detour != NULL ? DETOUR_NUMBERS : 0));
    for (size_t k = 0; k < s->borders; k++) {
        const int32_t i = s->border[k];
        if (teller_of(s->uses[rank[i]]) == s->with->rank &&
            !tell_body(s, i, s->uses[rank[i]], &body[rank[i]],
                       detour != NULL ? &detour[rank[i]] : NULL)) {
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
        if (place >= 0 && detour != NULL) {
            memcpy(&detour[rank[place]], record + VELOCITY_NUMBERS, sizeof *detour);
        }
    }
    return SCREE_OK;
}
