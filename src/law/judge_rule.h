/* What a row whose law is more than Coulomb's adds to the residual (law/judge.h). All numbers are doubles. */
#ifndef SCREE_LAW_JUDGE_RULE_H
#define SCREE_LAW_JUDGE_RULE_H

#include "law/judge.h"
#include "law/natural_map.h"
#include "law/normal.h"

/* The law of a row, see LawRow, with its relative spin and its largest rolling torque. */
typedef struct LawRule {
    double adhesion, least, most_at_rest, soft_n, soft_t;
    RealVec3 bias_t;
    bool torques, bonded, bridged;
    double torsion, reach, per_square, most_roll;
    RealVec3 roll, spin;
    double twist;
} LawRule;

/* What its error is made of, whatever rho. */
typedef struct LawError {
    double rn, un, gap;
    RealVec3 rt, slip, roll, rolling; /* the rolling torque, and the velocity that it opposes */
    double twist, twisting;
    double most_t, most_roll, most_twist;
} LawError;

/* A row as law_judge wants it, and its impulse and tangential velocity. All torque in the plane is rolling. */
typedef struct LawSeen {
    LawJudged judged;
    RealVec3 n, rt, ut;
    double rn, mu, un; /* un: without the bias */
} LawSeen;

LAW_INLINE LawError law_error(const LawSeen *row, const LawRule *l, bool space) {
    const double pressure = law_pressure(row->rn, l->adhesion);
    const RealVec3 none = {0.0, 0.0, 0.0};
    LawError e;
    e.rn = row->rn, e.rt = row->rt;
    e.un = row->un;
    e.gap = row->judged.un + l->soft_n * (row->rn + l->adhesion);
    e.slip = law_spring_slip(row->ut, l->bias_t, l->soft_t, row->rt);
    e.most_t = row->mu * pressure;
    e.roll = e.rolling = none;
    e.twist = e.twisting = e.most_roll = e.most_twist = 0.0;
    if (l->torques) {
        const RealVec3 w = real_scale3(l->reach * l->reach, l->spin);
        e.roll = l->roll;
        e.roll.z = space ? e.roll.z : l->twist;
        e.rolling = space ? real_cross(w, row->n) : w;
        e.twist = space ? l->twist : 0.0;
        e.twisting = space ? real_dot(w, row->n) : 0.0;
        e.most_roll = l->most_roll;
        e.most_twist = l->torsion * pressure;
    }
    return e;
}

/* 1 / (1 / rho + soft) for the normal and the tangential spring, with one division. */
LAW_INLINE void law_soften(double rho, const LawRule *l, double *rho_n, double *rho_t) {
    const double n = 1.0 + rho * l->soft_n, t = 1.0 + rho * l->soft_t;
    const double both = n > 1.0 || t > 1.0 ? rho / (n * t) : rho;
    *rho_n = both * t;
    *rho_t = both * n;
}

/* |e|^2 of the row. The bounds of friction and torque are taken at the present normal impulse, so
 * that each part of the law has a projection of its own; torques are divided by the reduced
 * radius. */
LAW_INLINE double law_error_square(const LawError *e, const LawRule *l, double rho) {
    double rho_n, rho_t;
    law_soften(rho, l, &rho_n, &rho_t);
    const double push = e->rn - rho_n * e->gap;
    const double en = e->rn - law_normal(e->rn - rho * e->un, push, l->least, l->most_at_rest);
    const RealVec3 et = law_disk_error(e->rt, real_scale3(rho_t, e->slip), e->most_t);
    double error = en * en + real_dot(et, et);
    if (l->torques) {
        const RealVec3 twist = {e->twist, 0.0, 0.0}, twisting = {rho * e->twisting, 0.0, 0.0};
        const RealVec3 er = law_disk_error(e->roll, real_scale3(rho, e->rolling), e->most_roll);
        const RealVec3 es = law_disk_error(twist, twisting, e->most_twist);
        error += (real_dot(er, er) + real_dot(es, es)) * l->per_square;
    }
    return error;
}

/* `row` is judged as if it had no law of its own, but for this. */
LAW_INLINE LawSums law_judge_rule(const LawSeen *row, const LawRule *l, bool space) {
    const LawError e = law_error(row, l, space);
    LawJudged j = row->judged;
    j.closing -= l->soft_n * (row->rn + l->adhesion);
    if (l->bridged) { /* its liquid pulls, whatever else acts, and the surfaces bear that */
        j.impulse =
            law_max(row->rn * row->rn, l->adhesion * l->adhesion) + real_dot(row->rt, row->rt);
    }
    if (l->bonded) { /* it may bear nothing but torques */
        j.impulse += (real_dot(e.roll, e.roll) + e.twist * e.twist) * l->per_square;
    }
    LawSums sums = law_judge(&j, law_error_square(&e, l, j.rho), law_error_square(&e, l, 1.0));
    if (l->adhesion > 0.0) { /* what slides or rolls is braked without any approach */
        const bool rolls = l->torques && !l->bonded;
        sums.asked = rolls ? INFINITY : law_max(sums.asked, sqrt(j.ut_square));
    }
    return sums;
}

/* Of a row with Coulomb's law alone. */
LAW_INLINE LawSums law_judge_plain(const LawSeen *row) {
    const LawJudged *j = &row->judged;
    const double raised = j->un + row->mu * sqrt(j->ut_square); /* by de Saxce's term */
    return law_judge(
        j, law_natural_square(row->mu, j->rho, row->rn, row->rt, raised, row->ut, j->ut_square),
        law_natural_square(row->mu, 1.0, row->rn, row->rt, raised, row->ut, j->ut_square));
}

#endif
