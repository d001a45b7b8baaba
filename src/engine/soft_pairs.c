/* Forces between bodies: the loop in which the soft engine spends its time.
 *
 * Each body looks at its neighbours farther along. A first, short loop collects those that touch,
 * or touched before; most entries end there, without root or division and without a branch that
 * could be guessed wrong. The second works out the forces. For 8,000 settled spheres a step reads
 * about 3 entries of 8 bytes and as many places of 32, and for each of 2.2 contacts its line of 64
 * bytes, the motions of both (72 of 96 bytes are needed) and their loads. */
#include "engine/soft.h"

#include "engine/soft_contact.h"

#include <string.h>

/* An entry that touches or did. */
typedef struct Near {
    uint32_t entry;
    Vec3 d; /* from the body to its partner */
    double square;
} Near;

enum { MOST_NEAR = 64 };

/* Half and full width of the periodic cell; infinite and 0 along other axes. Places lie in the
 * cell. */
typedef struct Cell {
    Vec3 half, width;
} Cell;

static Cell cell_of(const ScreeWorldDef *d) {
    Vec3 side = sub(d->cell_max, d->cell_min);
    Cell c = {.half = vec3(INFINITY, INFINITY, INFINITY)};
    if (d->periodic[0]) {
        c.width.x = side.x;
        c.half.x = 0.5 * side.x;
    }
    if (d->periodic[1]) {
        c.width.y = side.y;
        c.half.y = 0.5 * side.y;
    }
    if (d->periodic[2]) {
        c.width.z = side.z;
        c.half.z = 0.5 * side.z;
    }
    return c;
}

static inline double image(double d, double half, double width) {
    d = d > half ? d - width : d;
    return d < -half ? d + width : d;
}

/* Entries from `from` to `end` that touch or have a contact. */
static inline size_t collect_near(const Soft *w, const SoftPlace *a, uint32_t from, uint32_t end,
                                  const Cell *cell, bool periodic, Near *near) {
    size_t count = 0;
    for (uint32_t e = from; e < end; e++) {
        const SoftEntry entry = w->entry[e];
        const SoftPlace *b = &w->place[entry.other];
        Vec3 d = sub(b->x, a->x);
        if (periodic) {
            d = vec3(image(d.x, cell->half.x, cell->width.x),
                     image(d.y, cell->half.y, cell->width.y),
                     image(d.z, cell->half.z, cell->width.z));
        }
        double square = dot(d, d), reach = a->radius + b->radius;
        near[count] = (Near){e, d, square};
        count += (size_t)((square < reach * reach) | (entry.slot >= 0));
    }
    return count;
}

static const SoftLaw *law_of(const State *s, const Soft *w, size_t a, size_t b) {
    return &w->law[(size_t)w->material[a] * s->materials.count + (size_t)w->material[b]];
}

/* Two that have just come into touch. */
__attribute__((noinline)) static int32_t begin_contact(const State *s, Soft *w, size_t a,
                                                       size_t b) {
    int32_t slot = scr_soft_take_slot(w);
    SoftMeeting meeting = scr_soft_meet_body(s, w, w->order[a], w->order[b]);
    w->contact[slot] = scr_soft_contact(&meeting);
    if (w->extra != NULL) {
        w->extra[slot] = scr_soft_extra(&meeting, &w->contact[slot]);
    }
    return slot;
}

/* How b moves as seen from a. The contact point lies midway between the surfaces, so the arms add
 * up to the distance, and the torques keep the angular momentum. */
static inline SoftApproach approach(const SoftMotion *a, const SoftMotion *b, const Near *near,
                                    double arm_a, double arm_b, double dt, unsigned uses) {
    double distance = sqrt(near->square), inverse = 1 / distance;
    SoftApproach m = {.n = scale(inverse, near->d)};
    if (!(distance > 0)) { /* coincident centres: as in scr_touch_balls */
        m.n = vec3(1, 0, 0);
        inverse = 0;
    }
    m.overlap = arm_a + arm_b - distance; /* the arms are the radii so far */
    arm_a -= 0.5 * m.overlap;
    arm_b -= 0.5 * m.overlap;
    Vec3 v = sub(b->v, a->v);
    m.opening = dot(v, m.n);
    m.opening_end = m.opening + dot(sub(b->dv, a->dv), m.n);
    Vec3 across = add_scaled(v, -m.opening, m.n);
    m.slip = sub(across, cross(add_scaled(scale(arm_a, a->w), arm_b, b->w), m.n));
    m.half_dn = scale(0.5 * dt * inverse, across);
    m.twist = 0.5 * dt * dot(add(a->w, b->w), m.n);
    if (uses & (SOFT_VISCOUS | SOFT_DASHPOT)) {
        Vec3 dv = sub(b->dv, a->dv);
        dv = add_scaled(dv, -dot(dv, m.n), m.n);
        m.slip_end =
            add(m.slip, sub(dv, cross(add_scaled(scale(arm_a, a->dw), arm_b, b->dw), m.n)));
    }
    if (uses & SOFT_TORQUES) {
        m.spin = sub(b->w, a->w);
        m.spin_end = add(m.spin, sub(b->dw, a->dw));
    }
    return m;
}

/* The contacts of body k with one chunk of its neighbours. */
static inline void act_on(const State *s, Soft *w, size_t k, const Near *near, size_t count,
                          unsigned uses, SoftTally *t) {
    const double dt = w->time_step, radius = w->place[k].radius;
    Vec3 force = vec3(0, 0, 0), torque = vec3(0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        SoftEntry *entry = &w->entry[near[i].entry];
        size_t j = (size_t)entry->other;
        double other = w->place[j].radius, reach = radius + other;
        bool apart = !(near[i].square < reach * reach), fresh = entry->slot < 0;
        if (apart && !(uses & SOFT_COHESION && w->extra[entry->slot].opening >= 0)) {
            scr_soft_end_contact(w, entry, t);
            continue;
        }
        if (fresh) {
            entry->slot = begin_contact(s, w, k, j);
        }
        SoftApproach m = approach(&w->motion[k], &w->motion[j], &near[i], radius, other, dt, uses);
        m.fresh = fresh;
        const SoftLaw *law = uses != 0 ? law_of(s, w, k, j) : NULL;
        SoftExtra *x = uses & (SOFT_TORQUES | SOFT_COHESION) ? &w->extra[entry->slot] : NULL;
        SoftAction act =
            scr_soft_act(law, &m, &w->contact[entry->slot], x, dt, s->def.dimension, uses, t);
        if (uses & SOFT_COHESION && act.gone) {
            scr_soft_end_contact(w, entry, t);
            continue;
        }
        Vec3 moment = cross(act.tangential, m.n); /* of the force on b at an arm of 1 */
        SoftLoad *b = &w->load[j];
        b->force = add(b->force, act.force);
        b->torque = add_scaled(b->torque, other - 0.5 * m.overlap, moment);
        force = sub(force, act.force);
        torque = add_scaled(torque, radius - 0.5 * m.overlap, moment);
        if (uses & SOFT_TORQUES) {
            b->torque = add(b->torque, act.torque);
            torque = sub(torque, act.torque);
        }
    }
    w->load[k].force = add(w->load[k].force, force);
    w->load[k].torque = add(w->load[k].torque, torque);
}

static inline void visit_all(const State *s, Soft *w, unsigned uses, bool periodic) {
    const Cell cell = cell_of(&s->def);
    SoftTally tally = {0};
    Near near[MOST_NEAR];
    for (size_t k = 0; k < w->bodies; k++) {
        for (uint32_t from = w->begin[k]; from < w->begin[k + 1]; from += MOST_NEAR) {
            uint32_t end = w->begin[k + 1] - from > MOST_NEAR ? from + MOST_NEAR : w->begin[k + 1];
            size_t count = collect_near(w, &w->place[k], from, end, &cell, periodic, near);
            act_on(s, w, k, near, count, uses, &tally);
        }
    }
    w->tally = tally;
}

/* The loop compiled for what most scenes need, and once for everything. */
#define VARIANT(name, uses)                                                                        \
    static void name(const State *s, Soft *w) {                                                    \
        visit_all(s, w, uses, false);                                                              \
    }                                                                                              \
    static void name##_periodic(const State *s, Soft *w) {                                         \
        visit_all(s, w, uses, true);                                                               \
    }

VARIANT(visit_plain, 0)
VARIANT(visit_dashpot, SOFT_DASHPOT)
VARIANT(visit_hertz, SOFT_HERTZ | SOFT_DASHPOT)
VARIANT(visit_viscous, SOFT_VISCOUS)
VARIANT(visit_anything, w->uses)

void scr_soft_pair_forces(const State *s, Soft *w) {
    static const struct {
        unsigned uses;
        void (*visit[2])(const State *, Soft *);
    } variants[] = {
        {0, {visit_plain, visit_plain_periodic}},
        {SOFT_DASHPOT, {visit_dashpot, visit_dashpot_periodic}},
        {SOFT_HERTZ | SOFT_DASHPOT, {visit_hertz, visit_hertz_periodic}},
        {SOFT_VISCOUS, {visit_viscous, visit_viscous_periodic}},
        {SOFT_ANYTHING, {visit_anything, visit_anything_periodic}},
    };
    memset(w->load, 0, w->bodies * sizeof *w->load);
    size_t v = 0;
    while ((w->uses & ~variants[v].uses) != 0 ||
           ((w->uses ^ variants[v].uses) & SOFT_VISCOUS && variants[v].uses != SOFT_ANYTHING)) {
        v++;
    }
    variants[v].visit[scr_any_periodic(&s->def)](s, w);
}
