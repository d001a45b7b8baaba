/* Bodies that leave a world. Those that remain close ranks and keep their order, so that whatever
 * follows the order of bodies in memory still follows that of their identities. */
#include "state/state.h"

#include <string.h>

/* Where each body goes; -1: out. */
typedef struct Moves {
    size_t before, after;
    int32_t *to;
    Block to_block;
} Moves;

static bool plan_moves(const State *s, const uint8_t *gone, Moves *m) {
    *m = (Moves){.before = s->bodies.count};
    if (!SCR_RESERVE(m, to, m->before + 1)) {
        return false;
    }
    for (size_t i = 0; i < m->before; i++) {
        m->to[i] = gone[i] ? -1 : (int32_t)m->after++;
    }
    return true;
}

bool scr_name_bodies(State *s, size_t count) {
    const size_t had = s->identity != NULL ? s->bodies.count : 0;
    if (!SCR_RESERVE_KEEPING(s, identity, count + 1, had)) {
        return false;
    }
    if (had == 0 && s->identities == 0) {
        s->identities = (int64_t)s->bodies.count;
        for (size_t i = 0; i < s->bodies.count; i++) {
            s->identity[i] = (int32_t)i;
        }
    }
    s->name = s->identity;
    return true;
}

bool scr_reserve_holders(State *s, size_t count) {
    const size_t had = s->holder != NULL ? s->bodies.count : 0;
    if (!SCR_RESERVE_KEEPING(s, holder, count + 1, had)) {
        return false;
    }
    for (size_t i = had; i < count; i++) {
        s->holder[i] = -1;
    }
    return true;
}

static void move_bodies(State *s, const Moves *m) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; i < m->before; i++) {
        if (m->to[i] >= 0) {
#define X(type, field) b->field[m->to[i]] = b->field[i];
            BODY_FIELDS(X)
#undef X
            s->identity[m->to[i]] = s->identity[i];
            if (s->holder != NULL) {
                s->holder[m->to[i]] = s->holder[i];
            }
        }
    }
    b->count = m->after;
}

/* False: a body of the pair is gone. */
static bool follow(const Moves *m, int32_t *a, int32_t *b) {
    const bool stays = m->to[*a] >= 0 && (*b < 0 || m->to[*b] >= 0);
    *a = m->to[*a];
    *b = *b >= 0 ? m->to[*b] : *b;
    return stays;
}

/* ---------------------------------------------------------------- contacts */

/* What the springs of a contact hold, as certified at the end of the step (dynamics/certify.c);
 * of glue only what does not depend on its area. */
static void spring_energy(const State *s, size_t i, double energy[2]) {
    const Contacts *k = &s->contacts;
    const Contact *c = &k->item[i];
    const ScreeLaw *law = scr_contact_law(s, c);
    const double square = k->time_step * k->time_step;
    const bool bonded = k->extra != NULL && k->extra[i].opening >= 0;
    const double adhesion = bonded ? law->cohesion * k->time_step : 0;
    const double pressure = c->normal_impulse + adhesion;
    energy[0] = energy[1] = 0;
    if (c->state != SCREE_CONTACT_OPEN && square > 0) {
        energy[0] = pressure * (0.5 * pressure - adhesion) / (law->stiffness * square);
        energy[1] = 0.5 * dot(c->tangential_impulse, c->tangential_impulse) /
                    (law->stiffness_tangential * square);
    }
}

static void move_contacts(State *s, const Moves *m) {
    Contacts *k = &s->contacts;
    const bool branches = s->branches == k->count;
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        Contact c = k->item[i];
        double energy[2];
        if (!follow(m, &c.a, &c.b)) {
            spring_energy(s, i, energy);
            k->elastic[0] -= energy[0];
            k->elastic[1] -= energy[1];
            continue;
        }
        if (k->extra != NULL) {
            k->extra[kept] = k->extra[i];
        }
        if (branches && k->count > 0) {
            s->branch[kept] = s->branch[i];
        }
        k->item[kept++] = c;
    }
    s->branches = branches ? kept : 0;
    k->steady = k->steady && kept == k->count;
    k->count = kept;
}

/* Bodies keep their order, and so do the bonds. */
static void move_bonds(Bonds *bonds, const Moves *m) {
    size_t kept = 0;
    for (size_t i = 0; i < bonds->count; i++) {
        ScreeBond bond = bonds->item[i];
        if (follow(m, &bond.a.index, &bond.b.code)) {
            bonds->item[kept++] = bond;
        }
    }
    bonds->count = kept;
    bonds->bodies = 0;
}

/* The forces of the last step were also those of bodies that are gone: they are found anew. */
static void move_soft(SoftState *soft, const Moves *m) {
    for (size_t i = 0; i < m->before && i < soft->bodies; i++) {
        if (m->to[i] >= 0) {
#define X(type, field) soft->field[m->to[i]] = soft->field[i];
            SOFT_BODY_FIELDS(X)
            if (soft->displacement != NULL) {
                SOFT_VERLET_FIELDS(X)
            }
#undef X
        }
    }
    soft->bodies = m->after < soft->bodies ? m->after : soft->bodies;
    size_t kept = 0;
    for (size_t i = 0; i < soft->contacts; i++) {
        SoftMemory c = soft->memory[i];
        if (follow(m, &c.a, &c.b)) {
            soft->memory[kept++] = c;
        }
    }
    soft->contacts = kept;
    soft->new_constants = true;
}

bool scr_remove_bodies(State *s, const uint8_t *gone) {
    Moves m;
    if (!plan_moves(s, gone, &m) || !scr_name_bodies(s, s->bodies.count)) {
        scr_block_free(&m.to_block);
        return false;
    }
    move_contacts(s, &m); /* while bodies are where they were: it looks at their materials */
    move_bonds(&s->bonds, &m);
    move_bodies(s, &m);
    if (s->soft != NULL) {
        move_soft(s->soft, &m);
    }
    s->list_stale = true;
    scr_block_free(&m.to_block);
    return true;
}
