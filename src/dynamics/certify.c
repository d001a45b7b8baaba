/* The certificate of a step. */
#include "dynamics/engine.h"

#include "dynamics/bridges.h"
#include "dynamics/cascade.h"
#include "dynamics/drives.h"
#include "dynamics/held.h"
#include "dynamics/immersed.h"
#include "dynamics/judge.h"
#include "dynamics/plain_contacts.h"
#include "measure/measure.h"
#include "narrow/glued.h"
#include "sweep/iteration.h"

#include <string.h>

enum { AHEAD = 8 };

/* [radii] Overlaps too small to be worth a projection. */
static const double negligible = 1e-7;

/* ---------------------------------------------------------------- energy
 *
 * For a body, and for each impulse j on it, the kinetic energy changes by j . (v + v') / 2,
 * exactly. So over the step T' - T = sum over external impulses F dt . (v + v') / 2  +  sum over
 * contacts R . (u + u') / 2  -  R . v_wall, with u the relative velocity at the contact, walls at
 * their velocity of this step; torques likewise. External work is F . dx = F dt . w, with the
 * motion w that the step moves the body by; the difference, F dt . (w - (v + v') / 2), is lost to
 * the time stepping: nothing with theta = 1/2. What the contacts take and do not store in springs
 * is lost, to the law that took it. */

/* Whether a spring provides the normal impulse, rather than a rigid contact or an opening bond. */
static bool is_spring(const Row *r, const LawRow *l) {
    return l->soft_n > 0 && (r->rn > l->least || r->rn >= 0);
}

static double normal_spring_work(const Problem *p, size_t row) {
    const LawRow *l = scr_law_row(p, row);
    bool spring = l != NULL && is_spring(&p->row[row], l);
    double growth = p->growth != NULL ? p->growth[row] : 0;
    return spring ? -p->row[row].rn * (scr_row_velocity(p, row).n - growth) : 0;
}

/* Surfaces that grow towards each other at a do R_n a of work. */
static double growth_work(const Problem *p, size_t row) {
    return p->row[row].rn * p->growth[row];
}

static double tangential_spring_work(const Problem *p, size_t row) {
    const LawRow *l = scr_law_row(p, row);
    bool spring = l != NULL && l->soft_t > 0;
    return spring ? -dot(p->row[row].rt, scr_row_velocity(p, row).t) : 0;
}

EnergyBalance scr_certify_drives(const StepTask *t, ScreeReport *report) {
    EnergyBalance balance = {0};
    if ((t->state->materials.uses & LAW_COMPLIANCE) != 0) {
        balance.spring_work[0] = scr_sum_rows(&t->problem, t->with->threads, normal_spring_work);
        balance.spring_work[1] =
            scr_sum_rows(&t->problem, t->with->threads, tangential_spring_work);
    }
    report->work_growth +=
        t->problem.growth != NULL ? scr_sum_rows(&t->problem, t->with->threads, growth_work) : 0;
    report->work_walls += scr_work_of_drives(t);
    return balance;
}

/* ---------------------------------------------------------------- contacts after the step */

/* What a contact takes, or all of them. */
typedef struct Taken {
    double normal, friction, rolling, torsion, cohesion, scheme;
    double elastic[3]; /* stored in springs, and in bridges */
    double straight;   /* see BridgeTaken */
} Taken;

/* The sums over contacts: what is in Taken, then the overlaps of those that are not open. */
enum { TAKEN = sizeof(Taken) / sizeof(double), OVERLAP = TAKEN, SUMS };
_Static_assert((int)SUMS <= (int)PIECE_SUMS, "there is room for them");

/* How far a piece of the contacts overlap. */
typedef struct Overlaps {
    double max;
    double added; /* most that the step has added to one */
} Overlaps;

/* What a row with more than Coulomb's law takes, and what its springs hold. A bonded spring of
 * pressure P = R_n + F dt holds (P^2 / 2 - F dt P) / (k dt^2): its own energy, less the work of the
 * attraction. */
static void certify_law_row(const Problem *p, size_t row, RowVelocity mean, Taken *taken) {
    const Row *r = &p->row[row];
    const LawRow *l = scr_law_row(p, row);
    double pressure = r->rn + l->adhesion;
    if (l->bonded) {
        Vec3 torque = scr_whole_torque(p->dimension, r->normal, l->torque);
        Vec3 spin = sub(scr_row_spin(p, r, l), l->turn);
        taken->cohesion -= r->rn * mean.n + dot(r->rt, mean.t) + dot(torque, spin);
        return;
    }
    if (l->bridged && !is_spring(r, l)) { /* its own work is certified apart */
        taken->normal -= pressure * mean.n;
    } else {
        *(is_spring(r, l) ? &taken->scheme
          : r->rn < 0     ? &taken->cohesion
                          : &taken->normal) -= r->rn * mean.n;
    }
    *(l->soft_t > 0 ? &taken->scheme : &taken->friction) -= dot(r->rt, mean.t);
    taken->elastic[0] += l->soft_n * pressure * (0.5 * pressure - l->adhesion);
    taken->elastic[1] += 0.5 * l->soft_t * dot(r->rt, r->rt);
    if (l->torques) {
        Vec3 spin = scr_row_spin(p, r, l);
        Vec3 torque = scr_whole_torque(p->dimension, r->normal, l->torque);
        double twist = p->dimension == 3 ? l->torque.twist * dot(spin, r->normal) : 0;
        taken->torsion -= twist;
        taken->rolling -= dot(torque, spin) - twist;
    }
}

typedef struct Certificate {
    const StepTask *task;
    State *state; /* whose bridges remember their gaps */
    Outlines *outlines;
    bool periodic;
    Overlaps overlaps[SCR_MOST_PIECES];
} Certificate;

/* From the mean velocities that the problem's bodies have. */
static void certify_row(const Problem *p, size_t row, Taken *taken) {
    const Row *r = &p->row[row];
    bool has_law = p->law_of != NULL && p->law_of[row] >= 0;
    if (!has_law && !(r->rn > 0)) {
        return;
    }
    RowVelocity mean = scr_row_velocity(p, row);
    mean.n -= p->growth != NULL ? p->growth[row] : 0; /* what the law sees */
    if (has_law) {
        certify_law_row(p, row, mean, taken);
    } else {
        taken->normal -= r->rn * mean.n;
        taken->friction -= dot(r->rt, mean.t);
    }
}

/* The same for two round grains with Coulomb's law. The contact itself has all that is needed,
 * since its tangential impulse has no component along the normal. */
static void certify_round(const StepTask *t, const Contact *c, PieceSums *sums) {
    if (c->normal_impulse == 0) {
        return;
    }
    const RoundTaken taken =
        scr_taken_by_round(c, scr_problem_body(t, c->a), scr_problem_body(t, c->b));
    scr_exact_add(&sums->of[0], taken.normal);
    scr_exact_add(&sums->of[1], taken.friction);
}

/* A spring has the pull of its bridge in its own energy. */
static void certify_bridge(const StepTask *t, State *s, size_t contact, Taken *taken) {
    const size_t slot = (size_t)t->order.slot[contact];
    const LawRow *l = scr_law_row(&t->problem, slot);
    const bool spring = l != NULL && is_spring(&t->problem.row[slot], l);
    const BridgeTaken k = scr_certify_bridge(t, s, contact, t->gap[slot], spring);
    taken->scheme += k.scheme;
    taken->cohesion += k.broken;
    taken->normal += k.made + k.pressed;
    taken->elastic[2] += k.held;
    taken->straight += k.straight;
}

/* The row of a bond with a wall that turns has not the spin of the wall, which does its work. */
static void certify_glue(const StepTask *t, size_t contact, Taken *taken) {
    const Contact *c = &t->state->contacts.item[contact];
    const size_t slot = (size_t)t->order.slot[contact];
    const LawRow *l = scr_law_row(&t->problem, slot);
    if (l != NULL && l->bonded) {
        const Vec3 torque =
            scr_whole_torque(t->problem.dimension, t->problem.row[slot].normal, l->torque);
        taken->cohesion -= dot(torque, scr_spin_of_wall(t->state, c->b));
    }
}

static void add_taken(const Taken *taken, PieceSums *sums) {
    double part[TAKEN];
    memcpy(part, taken, sizeof part);
    for (int k = 0; k < TAKEN; k++) {
        if (part[k] != 0) {
            scr_exact_add(&sums->of[k], part[k]);
        }
    }
}

/* As the bodies stand now. */
static double gap_now(const Certificate *k, const Contact *c) {
    const State *s = k->task->state;
    if (c->feature != 0 || c->b < 0) {
        return scr_pair_gap(s, &k->outlines->placed, c);
    }
    const Neighbours *nb = &k->task->list->neighbours;
    const Spot *a = &nb->spot[nb->rank[c->a]], *b = &nb->spot[nb->rank[c->b]];
    return scr_gap_of_spots(s, k->periodic, a, b);
}

/* A pair may have slid past the features that a contact is named by, and then the gap between these
 * says nothing. So an overlap that is too deep is looked at again. */
static double checked_gap(const Certificate *k, const Contact *c, double gap, size_t piece) {
    const State *s = k->task->state;
    double depth;
    if (c->feature == 0 || c->feature == SCR_GLUED ||
        !(-gap > s->def.solver.overlap * scr_least_radius(s, c->a, c->b))) {
        return gap;
    }
    PairWork *work = &k->outlines->piece[piece].work;
    ScreeStatus status = scr_pair_overlap(s, &k->outlines->placed, c->a, c->b, work, &depth);
    return status == SCREE_OK ? scr_max(gap, -depth) : gap;
}

/* Returns the gap. */
static inline double add_overlap(const Certificate *k, size_t i, size_t piece, PieceSums *sums,
                                 Overlaps *overlaps) {
    const Contact *c = &k->task->state->contacts.item[i];
    double gap = checked_gap(k, c, gap_now(k, c), piece), overlap = scr_max(0, -gap);
    overlaps->max = scr_max(overlaps->max, overlap);
    overlaps->added = scr_max(overlaps->added, overlap - scr_max(0, -c->gap));
    if (c->state != SCREE_CONTACT_OPEN && overlap > 0) {
        scr_exact_add(&sums->of[OVERLAP], overlap);
    }
    return gap;
}

static void overlap_piece(void *context, size_t piece) {
    Certificate *k = context;
    const State *s = k->task->state;
    Overlaps overlaps = {0};
    PieceSums *sums = scr_begin_sums(&k->task->sums, piece, SUMS);
    size_t n = s->contacts.count, end = scr_piece_end(n, piece);
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        if (i + AHEAD < end) {
            scr_prefetch_spots(k->task->list, &s->contacts.item[i + AHEAD]);
        }
        (void)add_overlap(k, i, piece, sums, &overlaps);
    }
    k->overlaps[piece] = overlaps;
}

static void certify_piece(void *context, size_t piece) {
    Certificate *k = context;
    const StepTask *t = k->task;
    const State *s = t->state;
    const bool plain = t->problem.law_of == NULL && t->problem.general_of == NULL &&
                       t->problem.cell == NULL && t->problem.growth == NULL;
    const int32_t *slot = t->order.slot;
    double *gap = t->gap;
    const bool bridges = (s->materials.uses & LAW_BRIDGES) != 0;
    Overlaps overlaps = {0};
    PieceSums *sums = scr_begin_sums(&t->sums, piece, SUMS);
    size_t n = s->contacts.count, end = scr_piece_end(n, piece);
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        if (i + AHEAD < end) {
            scr_prefetch_bodies(t, &s->contacts.item[i + AHEAD]);
            scr_prefetch_spots(t->list, &s->contacts.item[i + AHEAD]);
        }
        const Contact *c = &s->contacts.item[i];
        if (!plain || c->b < 0) {
            Taken taken = {0};
            certify_row(&t->problem, (size_t)slot[i], &taken);
            if (c->b < 0) {
                certify_glue(t, i, &taken);
            }
            gap[slot[i]] = add_overlap(k, i, piece, sums, &overlaps);
            if (bridges) {
                certify_bridge(t, k->state, i, &taken);
            }
            add_taken(&taken, sums);
        } else {
            certify_round(t, c, sums);
            gap[slot[i]] = add_overlap(k, i, piece, sums, &overlaps);
        }
    }
    k->overlaps[piece] = overlaps;
}

/* Visits all contacts as they stand now. Returns the most that the step has added to an overlap. */
static double visit_contacts(Certificate *all, Outlines *outlines,
                             void (*visit)(void *context, size_t piece), ScreeReport *report) {
    const State *s = all->task->state;
    size_t pieces = scr_pieces(s->contacts.count);
    Overlaps sum = {0};
    scr_place_outlines(s, &outlines->placed); /* in memory that they have */
    scr_threads_loop_from_end(all->task->with->threads, pieces, visit, all);
    for (size_t k = 0; k < pieces; k++) {
        sum.max = scr_max(sum.max, all->overlaps[k].max);
        sum.added = scr_max(sum.added, all->overlaps[k].added);
    }
    double total = scr_sum_pieces(&all->task->sums, s->contacts.count, OVERLAP);
    double most[2] = {sum.max, sum.added};
    scr_most_over_processes(s->spread, most, 2);
    report->overlap_max = most[0];
    report->overlap_mean = report->active > 0 ? total / (double)report->active : 0;
    return most[1];
}

static Taken sum_taken(const StepTask *t) {
    double part[TAKEN];
    Taken sum;
    for (int k = 0; k < TAKEN; k++) {
        part[k] = scr_sum_pieces(&t->sums, t->state->contacts.count, k);
    }
    memcpy(&sum, part, sizeof sum);
    return sum;
}

static void balance_energy(double stored[3], const EnergyBalance *balance, const Taken *taken,
                           ScreeReport *report) {
    double gained[2] = {taken->elastic[0] - stored[0], taken->elastic[1] - stored[1]};
    stored[0] = taken->elastic[0];
    stored[1] = taken->elastic[1];
    const double drawn = taken->elastic[2] - stored[2]; /* bridges, by more gap */
    stored[2] = taken->elastic[2];
    report->energy_elastic = taken->elastic[0] + taken->elastic[1] + taken->elastic[2];
    report->dissipation_scheme +=
        taken->scheme - drawn - (balance->spring_work[0] + balance->spring_work[1]);
    report->dissipation_normal = taken->normal + (balance->spring_work[0] - gained[0]);
    report->dissipation_friction = taken->friction + (balance->spring_work[1] - gained[1]);
    report->dissipation_rolling = taken->rolling;
    report->dissipation_torsion = taken->torsion;
    report->dissipation_cohesion = taken->cohesion;
    report->dissipation = report->dissipation_normal + report->dissipation_friction +
                          report->dissipation_rolling + report->dissipation_torsion +
                          report->dissipation_cohesion;
    report->energy_error = balance->gain + gained[0] + gained[1] + drawn -
                           (report->work_external + report->work_walls + report->work_cell +
                            report->work_growth - report->dissipation - report->dissipation_scheme);
}

/* ---------------------------------------------------------------- implied elasticity */

/* Unger and Kertesz: eqs (67), (57) and (47), with the mean mass and diameter. */
static void imply_elasticity(StepTask *t, double equivalent, ScreeReport *report) {
    double diameter = 2 * t->free->mean_radius, dt = t->with->time_step;
    double qn = scr_order_q(t->state->def.solver.order) * equivalent;
    report->stiffness = qn * t->free->mean_mass / (dt * dt);
    report->sound_speed = sqrt(qn) * diameter / dt;
    report->diffusion_length = sqrt(4 * qn) * diameter;
    if (report->converged == 0 && t->share == NULL) {
        report->packing_length =
            t->there != NULL ? scr_cluster_there(t)
                             : scr_cluster_length(t->state, &t->reach_block, t->with->threads);
        report->spurious_elasticity = report->diffusion_length < report->packing_length;
    }
}

/* Overlaps that are not worth the effort, or meant to be there. */
static bool is_projected(const StepTask *t, const ScreeReport *report) {
    const ScreeWorldDef *def = &t->state->def;
    return def->solver.projection > 0 && t->with->inertia && !def->signed_gap &&
           !scr_is_variational(def) && report->overlap_max > negligible * t->free->least_radius;
}

void scr_certify(StepTask *t, State *s, Outlines *outlines, const EnergyBalance *balance,
                 const SolverWork *work, ScreeReport *report) {
    Certificate all = {
        .task = t, .state = s, .outlines = outlines, .periodic = scr_any_periodic(&s->def)};
    Taken taken = {0};
    if (t->there != NULL) {
        RoundTaken round;
        scr_judge_motion(t, scr_overlaps_there(t, s, &round, report), report);
        taken.normal = round.normal;
        taken.friction = round.friction;
    } else {
        scr_judge_motion(t, visit_contacts(&all, outlines, certify_piece, report), report);
        taken = sum_taken(t);
    }
    scr_attribute_impacts(t, &taken.normal, &taken.friction);
    balance_energy(s->contacts.elastic, balance, &taken, report);
    scr_judge_energy(t, balance, taken.straight, report);
    if (is_projected(t, report)) {
        scr_project(t, s, report);
        (void)(t->there != NULL ? scr_overlaps_there(t, s, NULL, report)
                                : visit_contacts(&all, outlines, overlap_piece, report));
    }
    report->overlap_max = scr_max(report->overlap_max, t->foresight.deepest);
    if (report->rebuilt) {
        report->overlap_max = scr_max(report->overlap_max, scr_deepest_immersion(t, outlines));
    }
    if (!t->with->solver->whole_bodies) {
        imply_elasticity(t, work->equivalent, report);
    }
}
