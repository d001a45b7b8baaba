/* The force at one contact of the soft engine: normal spring and dashpot, bond, tangential spring
 * or viscous friction, rolling and torsion. `uses` says which of them can occur: where it is a
 * constant, the compiler leaves the others out, so that plain scenes do not pay for them. */
#ifndef SCREE_SOFT_CONTACT_H
#define SCREE_SOFT_CONTACT_H

#include "soft/engine.h"
#include "soft/force/normal.h"
#include "soft/force/torque.h"

/* How the partner moves relative to the body, at the middle and at the end of the step. */
typedef struct SoftApproach {
    Vec3 n;             /* unit, from the body to its partner */
    double overlap;     /* negative: a gap */
    double opening;     /* normal velocity at the middle of the step */
    double opening_end; /* the same at its end */
    Vec3 slip, slip_end;
    Vec3 spin, spin_end; /* difference of angular velocities */
    Vec3 half_dn;        /* half the change of the normal over the step; not for walls */
    double twist;        /* angle by which the pair has turned about the normal */
    bool wall;
    bool fresh; /* did not touch before this step */
} SoftApproach;

/* [1] A gap this small, in radii, is rounding: bodies that were put side by side touch. */
static const double scr_soft_touching = 1e-9;

/* Whether a pair that did not touch before is bonded: cohesive bodies that touch, though they may
 * not overlap, as in contact dynamics (dynamics/carry.c). `size` is the sum of their radii. */
static inline bool scr_soft_bonds(const SoftLaw *law, double overlap, double size) {
    return law->uses & SOFT_COHESION && overlap >= -scr_soft_touching * size;
}

/* Whatever the springs of a contact still stored is lost when it ends. */
static inline void scr_soft_lose(const Soft *w, const SoftContact *c, const SoftExtra *x,
                                 double lost[LOSSES]) {
    if (!(w->uses & SOFT_VISCOUS)) {
        lost[LOSS_FRICTION] += 0.5 * c->tangential * dot(c->spring, c->spring);
    }
    if (x != NULL) {
        lost[LOSS_ROLLING] += 0.5 * x->stiffness * dot(x->roll, x->roll);
        lost[LOSS_TORSION] += 0.5 * x->stiffness * x->torsion * x->torsion;
    }
}

/* Ends the contact of two bodies that have come apart. */
static inline void scr_soft_end_contact(Soft *w, SoftEntry *entry, SoftTally *t) {
    const SoftExtra *x = w->extra != NULL ? &w->extra[entry->slot] : NULL;
    scr_soft_lose(w, &w->contact[entry->slot], x, t->lost);
    w->vacant[w->vacancies++] = entry->slot;
    entry->slot = -1;
}

/* Force and torque on the partner; the opposite act on the body. */
typedef struct SoftAction {
    Vec3 force;
    Vec3 tangential; /* part of the force */
    Vec3 torque;     /* of rolling and torsion friction */
    bool gone;       /* the contact has ended */
} SoftAction;

/* A contact that begins within a step has only existed for part of it. A dashpot sets in at full
 * strength; treating it as if it had acted for half a step makes an error of first order in the
 * time step. The part is overlap / (speed dt); the half step after it counts fully. */
typedef struct SoftOnset {
    double part;   /* fraction of the step */
    double weight; /* weight of a force that set in at once */
} SoftOnset;

static inline SoftOnset scr_soft_onset(const SoftApproach *m, double dt) {
    SoftOnset onset = {1, 1};
    if (m->fresh && dt > 0) {
        double closed = -m->opening * dt;
        onset.part = closed > m->overlap ? m->overlap / closed : 1;
        onset.weight = closed > 0 ? 0.5 + onset.part : 1;
    }
    return onset;
}

/* Normal force, and the pressure on which friction acts. */
typedef struct SoftNormal {
    NormalSpring spring;
    double force, pressure;
    bool gone;
} SoftNormal;

/* A glued contact may pull, up to the strength of the bond. While the bond is stretched it has a
 * critical dashpot, which may also push, so that the energy stored in the bond neither accelerates
 * the grains nor pulls them back. */
static inline SoftNormal scr_soft_glued(const SoftLaw *law, const SoftApproach *m,
                                        const SoftContact *c, SoftExtra *x, SoftNormal normal,
                                        double damping, SoftTally *t) {
    Bond bond = scr_soft_bond(law, c->stiffness);
    if (m->overlap > 0) {
        x->opening = 0;
        normal.force = scr_max(-bond.strength, normal.spring.force + damping);
    } else {
        BondPull pull = scr_bond_pull(&bond, -m->overlap, &x->opening);
        t->lost[LOSS_COHESION] += pull.lost;
        if (pull.torn) {
            x->opening = -1;
            normal.gone = true;
            return normal;
        }
        normal.spring = (NormalSpring){-pull.tension, pull.energy, bond.stiffness, 1};
        damping = pull.tension > 0 ? -x->bond_damping * m->opening_end : 0;
        normal.force = scr_max(-bond.strength, damping - pull.tension);
    }
    normal.pressure = normal.force + bond.strength;
    t->bonds++;
    return normal;
}

SOFT_INLINE SoftNormal scr_soft_normal(const SoftLaw *law, const SoftApproach *m,
                                       const SoftContact *c, SoftExtra *x, double weight,
                                       unsigned uses, SoftTally *t) {
    SoftNormal normal = {0};
    bool hertz = uses & SOFT_HERTZ && law->uses & SOFT_HERTZ;
    normal.spring = hertz ? scr_spring_hertz(c->stiffness, scr_max(m->overlap, 0))
                          : scr_spring_linear(c->stiffness, m->overlap);
    double coefficient = c->damping * weight;
    if (hertz && !(law->damping > 0)) {
        coefficient *= normal.spring.dashpot;
    }
    double damping = -coefficient * m->opening_end;
    if (uses & SOFT_COHESION && x->opening >= 0) {
        normal = scr_soft_glued(law, m, c, x, normal, damping, t);
        if (normal.gone) {
            return normal;
        }
    } else {
        normal.force = normal.pressure = scr_push_only(normal.spring.force, damping);
    }
    t->power[LOSS_NORMAL] += (normal.spring.force - normal.force) * m->opening_end;
    return normal;
}

/* The tangential stiffness of Hertz follows the overlap. While it grows the spring keeps its force,
 * while it falls its length: energy is only ever lost. Returns by how much it falls; half of that
 * times the product of the spring's lengths before and after is lost, and the second length is not
 * known yet. */
static inline double scr_soft_follow_overlap(SoftContact *c, double slope, SoftTally *t) {
    double before = c->tangential, now = scr_soft_tangential_part * slope;
    c->tangential = now;
    if (now > before) {
        double kept = before / now;
        t->lost[LOSS_FRICTION] += 0.5 * before * (1 - kept) * dot(c->spring, c->spring);
        c->spring = scale(kept, c->spring);
        return 0;
    }
    return before - now;
}

/* The spring with memory. The static coefficient applies until it slides, the dynamic one until it
 * has not slid for a step. */
SOFT_INLINE Vec3 scr_soft_spring(const SoftLaw *law, const SoftApproach *m, SoftContact *c,
                                 double pressure, double elapsed, unsigned uses, bool *slides,
                                 SoftTally *t) {
    double limit = c->friction * pressure;
    if (!(c->friction > 0)) {
        *slides = true;
        return c->spring = vec3(0, 0, 0);
    }
    const Vec3 before = m->wall ? scr_spring_lay(c->spring, m->n, m->twist)
                                : scr_spring_turn(c->spring, m->n, m->half_dn, m->twist);
    const Vec3 trial = add_scaled(before, elapsed, m->slip);
    c->spring = trial;
    double part = scr_spring_cut(&c->spring, c->tangential, limit);
    if (uses & SOFT_TWO_FRICTIONS && law->uses & SOFT_TWO_FRICTIONS) {
        if (part > 0 && c->friction > law->friction) {
            limit = law->friction * pressure;
            c->spring = trial;
            part = scr_spring_cut(&c->spring, c->tangential, limit);
        }
        c->friction = part > 0 ? law->friction : law->friction_static;
    }
    *slides = part > 0;
    if (part > 0) {
        t->lost[LOSS_FRICTION] += scr_spring_loss(c->tangential, before, trial, c->spring, part);
    }
    t->elastic += 0.5 * c->tangential * dot(c->spring, c->spring);
    Vec3 force = scale(-c->tangential, c->spring);
    if (uses & SOFT_DASHPOT && law->uses & SOFT_DASHPOT) {
        Vec3 whole = add_scaled(force, -law->dashpot, m->slip_end);
        *slides = scr_force_cut(&whole, limit) || *slides;
        t->power[LOSS_FRICTION] += dot(sub(force, whole), m->slip_end);
        force = whole;
    }
    return force;
}

/* Torque of rolling and torsion friction on the partner. */
static inline Vec3 scr_soft_torque(const SoftLaw *l, const SoftApproach *m, SoftExtra *x,
                                   double pressure, double elapsed, int dimension, SoftTally *t) {
    double limit = scr_soft_rolling_limit(l, x->reach, pressure, dimension);
    double about = dot(m->spin, m->n), about_end = dot(m->spin_end, m->n);
    Vec3 roll = add_scaled(m->spin, -about, m->n);
    Vec3 roll_end = add_scaled(m->spin_end, -about_end, m->n);
    const Vec3 before = m->wall ? scr_spring_lay(x->roll, m->n, m->twist)
                                : scr_spring_turn(x->roll, m->n, m->half_dn, m->twist);
    const Vec3 trial = add_scaled(before, elapsed, roll);
    x->roll = trial;
    double part = scr_spring_cut(&x->roll, x->stiffness, limit);
    t->lost[LOSS_ROLLING] += scr_spring_loss(x->stiffness, before, trial, x->roll, part);
    Vec3 torque = scr_rolling_torque(x->roll, x->stiffness, roll_end, x->damping, limit);
    t->power[LOSS_ROLLING] -= dot(add_scaled(torque, x->stiffness, x->roll), roll_end);
    double bound = (l->torsion * x->reach + l->torsion_length) * pressure;
    const double angle = x->torsion;
    x->torsion += elapsed * about;
    double slid = scr_angle_cut(&x->torsion, x->stiffness, bound);
    t->lost[LOSS_TORSION] += 0.5 * x->stiffness * slid * (angle + x->torsion);
    double twist = scr_torsion_torque(x->torsion, x->stiffness, about_end, x->damping, bound);
    t->power[LOSS_TORSION] -= (twist + x->stiffness * x->torsion) * about_end;
    t->elastic += 0.5 * x->stiffness * (dot(x->roll, x->roll) + x->torsion * x->torsion);
    return add_scaled(torque, twist, m->n);
}

SOFT_INLINE SoftAction scr_soft_act(const SoftLaw *law, const SoftApproach *m, SoftContact *c,
                                    SoftExtra *x, double dt, int dimension, unsigned uses,
                                    SoftTally *t) {
    SoftAction act = {0};
    const SoftOnset onset = scr_soft_onset(m, dt);
    SoftNormal normal = scr_soft_normal(law, m, c, x, onset.weight, uses, t);
    if (uses & SOFT_COHESION && normal.gone) {
        act.gone = true;
        return act;
    }
    bool slides;
    t->elastic += normal.spring.energy;
    if (uses & SOFT_VISCOUS) {
        double limit = c->friction * normal.pressure;
        act.tangential = scr_viscous_friction(m->slip_end, c->tangential, limit, &slides);
        slides = slides || !(limit > 0);
        t->power[LOSS_FRICTION] -= dot(act.tangential, m->slip_end);
    } else {
        const Vec3 before = c->spring;
        double fall = 0;
        if (uses & SOFT_HERTZ && law->uses & SOFT_HERTZ && law->tangential < 0) {
            fall = scr_soft_follow_overlap(c, normal.spring.slope, t);
        }
        act.tangential =
            scr_soft_spring(law, m, c, normal.pressure, onset.part * dt, uses, &slides, t);
        if (fall > 0) {
            t->lost[LOSS_FRICTION] += 0.5 * fall * dot(before, c->spring);
        }
    }
    if (uses & SOFT_TORQUES && law->uses & SOFT_TORQUES) {
        act.torque = scr_soft_torque(law, m, x, normal.pressure, onset.part * dt, dimension, t);
    }
    c->normal = normal.force;
    act.force = add_scaled(act.tangential, normal.force, m->n);
    bool active = normal.force != 0 || normal.pressure > 0;
    double overlap = m->overlap > 0 ? m->overlap : 0;
    t->contacts++;
    t->active += active;
    t->sliding += active && slides;
    t->overlap_max = overlap > t->overlap_max ? overlap : t->overlap_max;
    t->overlap_sum += active ? overlap : 0;
    t->pressure += normal.pressure;
    t->stiffest = normal.spring.slope > t->stiffest ? normal.spring.slope : t->stiffest;
    return act;
}

#endif
