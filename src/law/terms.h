/* Laws beyond rigid Coulomb friction at one contact between round bodies: what bonds, springs and torques
 * make of its impulse, from the velocities that it meets. Where numbers are stored, and how velocities follow
 * impulses, is the business of whoever calls: the packets of a sweep, or a device.
 *
 * `parts` says which parts a contact has. It is a constant at each call of the packets, so that each case is
 * compiled separately; numbers of parts that are missing are not read. */
#ifndef SCREE_LAW_TERMS_H
#define SCREE_LAW_TERMS_H

#include "law/creep.h"
#include "law/normal.h"
#include "law/round.h"

/* LAW_TURNS: a wall turns, or a bond brings its partners back to where they belong. */
enum { LAW_BONDS = 1, LAW_SPRINGS = 2, LAW_ROLLS = 4, LAW_TURNS = 8, LAW_PARTS = 16 };

/* A contact: its impulse, what every contact has, and its bond and springs. See LawRow. */
typedef struct LawTerms {
    Real rn;
    RealVec3 rt; /* in the plane only rt.x is used */
    Real bias, mass_n, mass_t, mu;
    Real adhesion, least, most_at_rest;
    Real soft_n, soft_mass_n, soft_t, soft_mass_t;
    RealVec3 bias_t;
} LawTerms;

/* A torque, see Torque; in the plane only its twist is used. */
typedef struct LawTorque {
    RealVec3 roll;
    Real twist;
} LawTorque;

/* What torques need. */
typedef struct LawRolls {
    LawTorque torque;
    Real rolling, torsion;
    Real coupling, mass_o, mass_roll, per_square;
} LawRolls;

/* What friction depends on, once the normal part is known. */
typedef struct LawGrip {
    Real rn, pressure, mass_t;
    RealVec3 slip; /* including the springs' share */
} LawGrip;

/* The normal part (law/normal.h), and the slip: from the relative velocity, its normal part and its
 * tangential part. */
LAW_INLINE LawGrip law_press(const LawTerms *t, unsigned parts, Real un, RealVec3 ut) {
    const bool bonds = (parts & LAW_BONDS) != 0, springs = (parts & LAW_SPRINGS) != 0;
    const Real gap = real_add(un, t->bias);
    const LawNormal law = {t->adhesion, t->least,  t->most_at_rest,
                           t->soft_n,   t->mass_n, t->soft_mass_n};
    LawGrip grip;
    grip.mass_t = springs ? t->soft_mass_t : t->mass_t;
    grip.slip = springs ? law_spring_slip(ut, t->bias_t, t->soft_t, t->rt) : ut;
    grip.rn = bonds && springs ? law_normal_update(&law, un, gap, t->rn)
              : bonds          ? law_bond_update(&law, un, gap, t->rn)
              : springs        ? law_spring_update(&law, gap, t->rn)
                               : real_positive(real_msub(t->rn, t->mass_n, gap));
    grip.pressure = bonds ? law_pressure(grip.rn, t->adhesion) : grip.rn;
    return grip;
}

/* Friction where nothing else is coupled to it. */
LAW_INLINE RealVec3 law_rub_space(const LawTerms *t, const LawGrip *grip) {
    const Real limit = real_mul(t->mu, grip->pressure);
    return law_cut(real_msub3(t->rt, grip->mass_t, grip->slip), limit);
}
LAW_INLINE Real law_rub_plane(const LawTerms *t, const LawGrip *grip) {
    const Real rt = real_msub(t->rt.x, grip->mass_t, grip->slip.x);
    return real_clamp(rt, real_mul(t->mu, grip->pressure));
}

/* ---------------------------------------------------------------- creeping contacts (law/creep.h) */

/* Friction as a part of what creeps. */
LAW_INLINE LawCreepPart law_rub_creeps(const LawTerms *t, const LawGrip *grip, bool space,
                                       Real creep) {
    const RealVec3 stop = real_msub3(t->rt, grip->mass_t, grip->slip);
    LawCreepPart part = {grip->mass_t, t->mu, creep, creep, creep};
    part.length = space ? real_sqrt(real_dot(stop, stop)) : real_abs(stop.x);
    part.speed = space ? real_sqrt(real_dot(grip->slip, grip->slip)) : real_abs(grip->slip.x);
    return part;
}

/* The pressure where contacts creep, after law_press: `part` has the lengths and speeds of friction, and
 * of the torques. Nothing changes at contacts where everything holds and is slow. */
LAW_INLINE void law_press_creeping(const LawTerms *t, unsigned parts, Real un,
                                   const LawCreepPart *part, int count, LawGrip *grip) {
    const bool bonds = (parts & LAW_BONDS) != 0, springs = (parts & LAW_SPRINGS) != 0;
    RealMask calm = real_above(part[0].creep, part[0].speed);
    for (int i = 0; i < count; i++) {
        calm = real_and(calm, real_above(part[i].creep, part[i].speed));
        calm = real_and(calm, real_above(real_mul(part[i].bound, grip->pressure), part[i].length));
    }
    if (real_every(calm)) {
        return;
    }
    const Real mass = springs ? t->soft_mass_n : t->mass_n;
    Real gap = real_add(un, t->bias), pressed = t->rn;
    if (bonds) {
        pressed = real_add(pressed, t->adhesion);
    }
    if (springs) {
        gap = real_madd(gap, t->soft_n, pressed);
    }
    const Real pressure = law_creep_pressure(mass, real_msub(pressed, mass, gap), part, count);
    const Real rn = bonds
                        ? law_creep_bond(grip->rn, pressure, t->adhesion, t->least, t->most_at_rest)
                        : pressure;
    grip->rn = real_select(calm, grip->rn, rn);
    grip->pressure = bonds ? law_pressure(grip->rn, t->adhesion) : grip->rn;
}

/* ---------------------------------------------------------------- rolling and torsion */

/* Friction and torque together in space: the first try of law/rolling.h, which is the solution where
 * friction holds or is not coupled to rolling. In changes dx of the impulse and dy of y = T x n, from the
 * present slip u and o = w x n: if it were unbounded, dx = -m_t (u + k dy), and then dy = -(o - k m_t u) m_o /
 * (1 - k^2 m_t m_o), cut back to its own bound. `spin` is w. Where it is not the solution, which is rare, `hard`
 * is set, and law/rolling.h has to be asked; the result tells whether that is so at any contact. */
LAW_INLINE bool law_roll_first(const LawTerms *t, const LawRolls *r, const LawGrip *grip,
                               RealVec3 n, RealVec3 spin, RealVec3 *rt, LawTorque *torque,
                               RealMask *hard) {
    const Real zero = real_all(0.0);
    Real twist = real_msub(r->torque.twist, r->mass_o, real_dot(spin, n));
    torque->twist = real_clamp(twist, real_mul(r->torsion, grip->pressure));
    const Real ratio = real_mul(r->coupling, grip->mass_t);
    const RealVec3 turned = real_msub3(real_cross(spin, n), ratio, grip->slip);
    RealVec3 roll = real_msub3(r->torque.roll, r->mass_roll, turned);
    torque->roll = roll = law_cut(roll, real_mul(r->rolling, grip->pressure));
    const RealVec3 pulled = real_madd3(grip->slip, r->coupling, real_sub3(roll, r->torque.roll));
    *rt = real_msub3(t->rt, grip->mass_t, pulled);
    const Real limit = real_mul(t->mu, grip->pressure), square = real_dot(*rt, *rt);
    if (real_every(real_above(real_mul(limit, limit), square))) {
        return false;
    }
    const Real size = real_mul(r->coupling, r->coupling);
    const Real apart = real_sub(square, real_mul(limit, limit));
    *hard = real_and(real_above(apart, zero), real_above(size, zero));
    *hard = real_and(*hard, real_above(grip->pressure, zero));
    *rt = real_scale3(law_cut_factor(limit, square), *rt);
    return real_any(*hard);
}

/* In the plane, with torques along z and y = T: exact in all cases, see law/rolling.h. Friction first, then the
 * torque. */
LAW_INLINE void law_roll_plane(const LawTerms *t, const LawRolls *r, const LawGrip *grip, Real spin,
                               Real *rt, Real *torque) {
    const Real old_t = t->rt.x, old_y = r->torque.twist, k = r->coupling;
    const Real most_t = real_mul(t->mu, grip->pressure);
    const Real most_y = real_mul(r->rolling, grip->pressure);
    const Real turned = real_msub(spin, real_mul(k, grip->mass_t), grip->slip.x);
    Real y = real_clamp(real_msub(old_y, r->mass_roll, turned), most_y);
    const Real free =
        real_msub(old_t, grip->mass_t, real_madd(grip->slip.x, k, real_sub(y, old_y)));
    *rt = real_clamp(free, most_t);
    const RealMask slides = real_above(real_abs(free), most_t);
    if (real_any(slides)) {
        const Real pushed = real_madd(spin, k, real_sub(*rt, old_t));
        const Real other = real_clamp(real_msub(old_y, r->mass_o, pushed), most_y);
        y = real_select(slides, other, y);
    }
    *torque = y;
}

/* Rolling in the plane as a part of what creeps. In packings of spheres, grains that roll are common, and letting
 * them creep takes longer, see docs/solvers.md: there friction alone does. */
LAW_INLINE LawCreepPart law_roll_creeps(const LawRolls *r, Real spin, Real creep) {
    const Real stop = real_msub(r->torque.twist, r->mass_o, spin);
    const LawCreepPart part = {r->mass_o, r->rolling, real_abs(stop), real_abs(spin),
                               real_mul(creep, real_sqrt(r->per_square))};
    return part;
}

#endif
