/* Forces between bodies: the loop in which the soft engine spends its time.
 *
 * Each body looks at its neighbours farther along. A first loop collects those that touch, or
 * touched before; most entries end there, without root or division and without a branch that could
 * be guessed wrong. A second finds distances and normals, a third the forces. The loops go over a
 * batch of contacts each, since the contacts of a batch do not wait for each other in the first
 * two, and each loop is short enough for the processor to look ahead to the next one.
 *
 * An entry costs 8 bytes of the list, 32 of a ball and about 15 operations. A contact costs a line
 * of 64 bytes that is changed, 96 bytes of motion and 64 of load for each body, which stay in the
 * cache for the next contacts, and about 200 operations, one root and one division among them;
 * another of each when it slides. */
#include "soft/engine.h"

#include "soft/contact.h"

#include <string.h>

/* An entry that touches now or did before. */
typedef struct Near {
    uint32_t entry;
    int32_t a, b;   /* ranks */
    Vec3 n;         /* first the vector from a to b, then its direction */
    double square;  /* of the distance */
    double overlap; /* negative: they are apart */
    double inverse; /* of the distance */
} Near;

enum { BATCH = 128 };

/* Half and full width of the periodic cell; infinite and 0 along other axes. Positions lie in the
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

/* Appends the entries of rank k, from `from` on, that touch or have a contact, as long as there is
 * room for one more; `touch` times the sum of their radii is how near they must be. Returns where
 * it ended. */
SOFT_INLINE uint32_t collect(const Soft *w, size_t k, uint32_t from, const Cell *cell,
                             bool periodic, double touch, Near *near, size_t *count) {
    const SoftBall a = w->ball[k];
    const uint32_t end = w->begin[k + 1];
    size_t n = *count;
    uint32_t e = from;
    for (; e < end && n < BATCH; e++) {
        const SoftEntry entry = w->entry[e];
        const SoftBall *b = &w->ball[entry.other];
        Vec3 d = sub(b->x, a.x);
        if (periodic) {
            d = vec3(image(d.x, cell->half.x, cell->width.x),
                     image(d.y, cell->half.y, cell->width.y),
                     image(d.z, cell->half.z, cell->width.z));
        }
        double square = dot(d, d), reach = a.radius + b->radius;
        near[n].entry = e;
        near[n].a = (int32_t)k;
        near[n].b = entry.other;
        near[n].n = d;
        near[n].square = square;
        near[n].overlap = reach;
        n += (size_t)((square < touch * reach * (touch * reach)) | (entry.slot >= 0));
    }
    *count = n;
    return e;
}

/* Distances and directions; also prefetches what the forces will need. Coincident centres get the x
 * axis, as in scr_touch_balls. */
SOFT_INLINE void measure(const Soft *w, Near *near, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t slot = w->entry[near[i].entry].slot;
        __builtin_prefetch(&w->contact[slot < 0 ? 0 : slot], 1);
        __builtin_prefetch(&w->motion[near[i].b]);
        __builtin_prefetch(&w->motion[near[i].b].dv);
        __builtin_prefetch(&w->load[near[i].b], 1);
        double distance = sqrt(near[i].square);
        double inverse = distance > 0 ? 1 / distance : 0;
        near[i].n = distance > 0 ? scale(inverse, near[i].n) : vec3(1, 0, 0);
        near[i].overlap -= distance;
        near[i].inverse = inverse;
    }
}

/* How b moves relative to a. The contact point lies midway between the surfaces, so the arms add up
 * to the distance, and the torques conserve angular momentum. */
SOFT_INLINE SoftApproach approach(const SoftMotion *a, const SoftMotion *b, const Near *near,
                                  double arm_a, double arm_b, double dt, unsigned uses) {
    SoftApproach m = {.n = near->n, .overlap = near->overlap};
    Vec3 v = sub(b->v, a->v), dv = sub(b->dv, a->dv);
    m.opening = dot(v, m.n);
    m.opening_end = m.opening + dot(dv, m.n);
    Vec3 across = add_scaled(v, -m.opening, m.n);
    Vec3 spin = add_scaled(scale(arm_a, a->w), arm_b, b->w);
    m.half_dn = scale(0.5 * dt * near->inverse, across);
    m.slip = sub(across, cross(spin, m.n));
    /* The velocities are those at the middle of the step, where the normal was n - dn / 2. With
     * that normal, and laid into the plane across n, this is the slip to first order in dn. */
    m.slip = add_scaled(m.slip, m.opening, m.half_dn);
    m.slip = add_scaled(m.slip, dot(spin, m.n), cross(m.n, m.half_dn));
    m.twist = 0.5 * dt * dot(add(a->w, b->w), m.n);
    if (uses & (SOFT_VISCOUS | SOFT_DASHPOT)) {
        Vec3 dw = add_scaled(scale(arm_a, a->dw), arm_b, b->dw);
        Vec3 slip = sub(across, cross(spin, m.n));
        m.slip_end = add(slip, sub(add_scaled(dv, -dot(dv, m.n), m.n), cross(dw, m.n)));
    }
    if (uses & SOFT_TORQUES) {
        m.spin = sub(b->w, a->w);
        m.spin_end = add(m.spin, sub(b->dw, a->dw));
    }
    return m;
}

SOFT_INLINE void act_on(const State *s, Soft *w, const Near *near, unsigned uses, SoftTally *t) {
    const double dt = w->time_step;
    SoftEntry *entry = &w->entry[near->entry];
    size_t a = (size_t)near->a, b = (size_t)near->b;
    const SoftLaw *law = uses != 0 ? scr_soft_law(s, w, w->material[a], w->material[b]) : NULL;
    bool fresh = entry->slot < 0;
    if (!(near->overlap > 0)) {
        bool bonded =
            uses & SOFT_COHESION &&
            (fresh ? scr_soft_bonds(law, near->overlap, w->ball[a].radius + w->ball[b].radius)
                   : w->extra[entry->slot].opening >= 0);
        if (!fresh && !bonded) {
            scr_soft_end_contact(w, entry, t);
        }
        if (!bonded) {
            return;
        }
    }
    if (fresh) {
        entry->slot = scr_soft_begin_contact(s, w, w->order[a], w->order[b]);
    }
    double arm_a = w->ball[a].radius - 0.5 * near->overlap;
    double arm_b = w->ball[b].radius - 0.5 * near->overlap;
    SoftApproach m = approach(&w->motion[a], &w->motion[b], near, arm_a, arm_b, dt, uses);
    m.fresh = fresh;
    SoftExtra *x = uses & (SOFT_TORQUES | SOFT_COHESION) ? &w->extra[entry->slot] : NULL;
    SoftAction act =
        scr_soft_act(law, &m, &w->contact[entry->slot], x, dt, s->def.dimension, uses, t);
    if (uses & SOFT_COHESION && act.gone) {
        scr_soft_end_contact(w, entry, t);
        return;
    }
    Vec3 moment = cross(act.tangential, m.n); /* of the force on either body, for an arm of 1 */
    SoftLoad *la = &w->load[a], *lb = &w->load[b];
    la->force = sub(la->force, act.force);
    lb->force = add(lb->force, act.force);
    la->torque = add_scaled(la->torque, arm_a, moment);
    lb->torque = add_scaled(lb->torque, arm_b, moment);
    if (uses & SOFT_TORQUES) {
        la->torque = sub(la->torque, act.torque);
        lb->torque = add(lb->torque, act.torque);
    }
}

SOFT_INLINE void visit_all(const State *s, Soft *w, unsigned uses, bool periodic) {
    const Cell cell = cell_of(&s->def);
    const double touch = uses & SOFT_COHESION ? 1 + scr_soft_touching : 1;
    SoftTally tally = {0};
    Near near[BATCH];
    size_t k = 0;
    uint32_t next = 0;
    while (k < w->bodies) {
        size_t count = 0;
        for (; k < w->bodies && count < BATCH; k += next == w->begin[k + 1]) {
            next = collect(w, k, next, &cell, periodic, touch, near, &count);
        }
        measure(w, near, count);
        for (size_t i = 0; i < count; i++) {
            act_on(s, w, &near[i], uses, &tally);
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

typedef struct VisitVariant {
    unsigned uses; /* what it can do; each kind of friction needs its own variant */
    void (*visit[2])(const State *, Soft *);
} VisitVariant;

static const VisitVariant variants[] = {
    {0, {visit_plain, visit_plain_periodic}},
    {SOFT_DASHPOT, {visit_dashpot, visit_dashpot_periodic}},
    {SOFT_HERTZ | SOFT_DASHPOT, {visit_hertz, visit_hertz_periodic}},
    {SOFT_VISCOUS, {visit_viscous, visit_viscous_periodic}},
    {SOFT_ANYTHING, {visit_anything, visit_anything_periodic}},
};

static bool can_do(const VisitVariant *v, unsigned uses) {
    bool same_friction = (uses & SOFT_VISCOUS) == (v->uses & SOFT_VISCOUS);
    return v->uses == SOFT_ANYTHING || (same_friction && (uses & ~v->uses) == 0);
}

void scr_soft_pair_forces(const State *s, Soft *w) {
    const VisitVariant *v = variants;
    while (!can_do(v, w->uses)) {
        v++;
    }
    memset(w->load, 0, w->bodies * sizeof *w->load);
    v->visit[scr_any_periodic(&s->def)](s, w);
}
