#include "dynamics/judge.h"

/* [radii] What a converged step may add to overlaps by moving bodies farther than their linear gaps are
 * true. */
static const double most_added = 1e-2;

/* What the solution looks like only once everything has moved; the first fault is told. */
static void refuse(StepTask *t, bool faulty, ScreeMiss miss, ScreeReport *report) {
    if (faulty && report->converged) {
        report->converged = false;
        t->miss = miss;
    }
}

void scr_judge_motion(StepTask *t, double added, ScreeReport *report) {
    bool rigid = (t->state->materials.uses & LAW_COMPLIANCE) == 0;
    added = scr_max(added, t->foresight.missed);
    if (rigid && t->with->inertia && !scr_is_variational(&t->state->def)) {
        double permitted = scr_max(t->state->def.solver.overlap, most_added) * t->free->mean_radius;
        report->overlap_added = scr_max(report->overlap_added, added);
        refuse(t, !(added <= permitted), (ScreeMiss){"overlap after the motion", added, permitted},
               report);
    }
}

/* With torques, over a length. */
static double impulse_square(const Problem *p, size_t row) {
    const LawRow *l = scr_law_row(p, row);
    const double pull = l != NULL && l->bridged ? l->adhesion : 0;
    const double normal = scr_max(fabs(p->row[row].rn), pull);
    const double square = normal * normal + dot(p->row[row].rt, p->row[row].rt);
    const bool torques = l != NULL && l->torques;
    return torques ? square + l->per_square * (dot(l->torque.roll, l->torque.roll) +
                                               l->torque.twist * l->torque.twist)
                   : square;
}

static double approach_square(const Problem *p, size_t row) {
    return p->approach[row] * p->approach[row];
}

static double sum_rows(const StepTask *t, double (*term)(const Problem *problem, size_t row)) {
    return scr_sum_rows(&t->problem, t->with->threads, term);
}

/* The largest power that errors within the tolerance can give: |R| times the velocities that the
 * contacts have to deal with. */
static double load_power(const Problem *p, const PowerThere *sum) {
    double approach = p->least_approach * p->least_approach + sum->approach;
    return sqrt(sum->impulse * approach);
}

/* A contact between bodies that turn, or in a hollow wall, is asked to open at -bias, so that it does
 * not lose its gap (scr_lost_to_turning): along the bend of their way, which costs nothing. Linear
 * gaps count R_n times that as energy given. Bonds that hold draw round bodies that go round each other in
 * from the tangent, and in space across their normal: likewise, with a tension. Other rows with laws may open by restitution. */
static double asked_energy(const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    const LawRow *l = scr_law_row(p, row);
    const double asked = -r->bias - (p->growth != NULL ? p->growth[row] : 0);
    if (l != NULL && (l->bonded || l->keeps)) {
        const double across = l->keeps ? -dot(l->bias_t, r->rt) : 0;
        return scr_max(0, asked * r->rn) + scr_max(0, across);
    }
    return l == NULL && asked > 0 ? asked * r->rn : 0;
}

void scr_judge_energy(StepTask *t, const EnergyBalance *balance, double straight,
                      ScreeReport *report) {
    const State *s = t->state;
    bool rigid = (s->materials.uses & LAW_COMPLIANCE) == 0;
    double created =
        -(report->dissipation + report->dissipation_scheme - balance->turning + straight);
    if (!(created > 0) || !t->with->inertia || !rigid || s->def.signed_gap ||
        scr_is_variational(&s->def)) {
        return;
    }
    const PowerThere sum =
        t->there != NULL ? scr_power_there(t)
                         : (PowerThere){sum_rows(t, asked_energy), sum_rows(t, impulse_square),
                                        sum_rows(t, approach_square)};
    created -= sum.asked;
    double work = fabs(report->work_external) + fabs(report->work_walls) + fabs(report->work_cell) +
                  fabs(report->work_growth);
    double last = t->problem.gap_rounding; /* a last digit of the gaps, as a velocity */
    double rounding = 1e-12 * (report->kinetic_energy + work) +
                      (double)t->problem.rows * t->free->mean_mass * last * last;
    double explained = 3 * s->def.solver.tolerance * load_power(&t->problem, &sum) + rounding;
    refuse(t, !(created <= explained), (ScreeMiss){"energy from contacts", created, explained},
           report);
}
