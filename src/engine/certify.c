/* The certificate of a step. */
#include "engine/engine.h"

#include "measure/measure.h"
#include "narrow/narrow.h"

/* ---------------------------------------------------------------- energy
 *
 * For a body, and for each impulse j on it, the kinetic energy changes by j . (v + v') / 2,
 * exactly. So over the step T' - T = sum over external impulses F dt . (v + v') / 2  +  sum over
 * contacts R . (u + u') / 2  -  R . v_wall, with u the relative velocity at the contact, walls at
 * their velocity of this step; torques likewise. External work is F . dx = F dt . w, with the
 * motion w that the step moves the body by; the difference, F dt . (w - (v + v') / 2), is lost to
 * the time stepping: nothing with theta = 1/2. What the contacts take and do not store in springs
 * is lost, to the law that took it. */

/* Kinetic energy gained; as a product, so that the balance does not cancel large numbers. */
static double gain(double mass, Vec3 before, Vec3 after) {
    return 0.5 * mass * dot(add(after, before), sub(after, before));
}

/* Half of the change of velocity is what the motion of implicit Euler is ahead of the mean. */
static Vec3 ahead(const State *s, Vec3 before, Vec3 after) {
    return scale(s->def.theta - 0.5, sub(after, before));
}

static void advance_body(State *s, Engine *e, size_t i, ScreeReport *report) {
    Bodies *b = &s->bodies;
    ProblemBody *p = &e->problem.body[e->neighbours.rank[i]];
    double m = b->mass[i], inertia = b->inertia[i], r = b->radius[i];
    Vec3 motion = p->v, turn = vec3(p->s.x / r, p->s.y / r, p->s.z / r);
    Vec3 v = scr_after_motion(s, b->velocity[i], motion), w = scr_after_motion(s, b->spin[i], turn);
    Vec3 push = scale(m, sub(scr_free_velocity(s, i), b->velocity[i]));
    Vec3 twist = scale(inertia, sub(scr_free_spin(s, i), b->spin[i]));
    report->work_external += dot(push, motion) + dot(twist, turn);
    report->dissipation_scheme +=
        dot(push, ahead(s, b->velocity[i], v)) + dot(twist, ahead(s, b->spin[i], w));
    e->energy_gain += gain(m, b->velocity[i], v) + gain(inertia, b->spin[i], w);
    double square = dot(motion, motion) / (r * r);
    report->motion_max = fmax(report->motion_max, square);
    p->v = scale(0.5, add(v, b->velocity[i]));
    p->s = scale(0.5 * r, add(w, b->spin[i]));
    b->velocity[i] = v;
    b->spin[i] = w;
}

static void advance_piston(const State *s, ScreeWallDef *w, ProblemBody *p, Engine *e,
                           ScreeReport *report) {
    Vec3 after = scr_after_motion(s, w->velocity, p->v);
    Vec3 push = scale(s->def.time_step * dot(w->force, w->direction), w->direction);
    report->work_external += dot(push, p->v);
    report->dissipation_scheme += dot(push, ahead(s, w->velocity, after));
    e->energy_gain += gain(w->mass, w->velocity, after);
    p->v = scale(0.5, add(after, w->velocity));
    w->velocity = after;
}

void scr_advance_velocities(State *s, Engine *e, ScreeReport *report) {
    double dt = s->def.time_step;
    e->energy_gain = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        advance_body(s, e, i, report);
    }
    report->motion_max = sqrt(report->motion_max) * dt;
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallDef *w = &s->walls.item[i].now;
        if (s->walls.item[i].present && w->motion == SCREE_WALL_PISTON) {
            advance_piston(s, w, &e->problem.body[scr_wall_place(s, i)], e, report);
        }
    }
}

/* What holds the frozen axes of a body at their velocities works against every impulse and torque
 * on it. */
static double holding_work(const State *s, int32_t body, Vec3 arm, Vec3 impulse, Vec3 torque) {
    uint32_t f = s->bodies.frozen[body];
    Vec3 v = s->bodies.velocity[body], w = s->bodies.spin[body];
    Vec3 held_v = vec3(f & SCREE_FREEZE_X ? v.x : 0, f & SCREE_FREEZE_Y ? v.y : 0,
                       f & SCREE_FREEZE_Z ? v.z : 0);
    Vec3 held_w = vec3(f & SCREE_FREEZE_ROTATION_X ? w.x : 0, f & SCREE_FREEZE_ROTATION_Y ? w.y : 0,
                       f & SCREE_FREEZE_ROTATION_Z ? w.z : 0);
    return -dot(impulse, add(held_v, cross(held_w, arm))) - dot(torque, held_w);
}

/* Work of moved walls and of whatever moves frozen bodies. */
static double driving_work(const State *s, const Engine *e, const ScreeContact *c, size_t contact) {
    double work = 0;
    Vec3 impulse = add_scaled(c->tangential_impulse, c->normal_impulse, c->normal);
    Vec3 torque =
        s->contacts.extra != NULL ? s->contacts.extra[contact].torque_impulse : vec3(0, 0, 0);
    const Arms arms = scr_contact_arms(s, c);
    if (s->bodies.frozen[c->a] != 0) {
        work += holding_work(s, c->a, arms.a, scale(-1, impulse), scale(-1, torque));
    }
    if (c->b >= 0) {
        if (s->bodies.frozen[c->b] != 0) {
            work += holding_work(s, c->b, arms.b, impulse, torque);
        }
    } else if (s->walls.item[-1 - c->b].now.motion == SCREE_WALL_MOVED) {
        const Row *row = &e->problem.row[e->order.slot[contact]];
        work -= dot(impulse, e->problem.body[row->b].v) +
                dot(torque, s->walls.item[-1 - c->b].now.spin);
    }
    return work;
}

/* Whether anything but external forces can do work: a moved wall, or a body that is held along some
 * axis. */
static bool is_driven(const State *s) {
    const uint32_t plane = SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
    const uint32_t given = s->def.dimension == 2 ? plane : 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        if (s->walls.item[i].present && s->walls.item[i].now.motion == SCREE_WALL_MOVED) {
            return true;
        }
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        if (s->bodies.frozen[i] != given) {
            return true;
        }
    }
    return false;
}

/* Whether the normal impulse is that of a spring: not of a rigid contact, nor of a bond that opens.
 */
static bool is_spring(const Row *r, const LawRow *l) {
    return l->soft_n > 0 && (r->rn > l->least || r->rn >= 0);
}

void scr_certify_springs(Engine *e) {
    const Problem *p = &e->problem;
    e->spring_work[0] = e->spring_work[1] = 0;
    for (size_t i = 0; i < p->rows && p->law_of != NULL; i++) {
        const LawRow *l = scr_law_row(p, i);
        if (l != NULL && (l->soft_n > 0 || l->soft_t > 0)) {
            RowVelocity motion = scr_row_velocity(p, i);
            e->spring_work[0] -= is_spring(&p->row[i], l) ? p->row[i].rn * motion.n : 0;
            e->spring_work[1] -= l->soft_t > 0 ? dot(p->row[i].rt, motion.t) : 0;
        }
    }
}

/* What a row with more than Coulomb's law takes, and what its springs hold. A bonded spring of
 * pressure P = R_n + F dt holds (P^2 / 2 - F dt P) / (k dt^2): its own energy, less the work of the
 * attraction. */
static void certify_law_row(const Problem *p, size_t row, RowVelocity mean, double elastic[2],
                            ScreeReport *report) {
    const Row *r = &p->row[row];
    const LawRow *l = scr_law_row(p, row);
    double pressure = r->rn + l->adhesion;
    *(is_spring(r, l) ? &report->dissipation_scheme
      : r->rn < 0     ? &report->dissipation_cohesion
                      : &report->dissipation_normal) -= r->rn * mean.n;
    *(l->soft_t > 0 ? &report->dissipation_scheme : &report->dissipation_friction) -=
        dot(r->rt, mean.t);
    elastic[0] += l->soft_n * pressure * (0.5 * pressure - l->adhesion);
    elastic[1] += 0.5 * l->soft_t * dot(r->rt, r->rt);
    if (l->torques) {
        Vec3 spin = scr_row_spin(p, r, l);
        double twist = dot(l->torque, r->normal) * dot(spin, r->normal);
        report->dissipation_torsion -= twist;
        report->dissipation_rolling -= dot(l->torque, spin) - twist;
    }
}

/* Sum over all rows, from the mean velocities. */
static void certify_contacts(const Problem *p, double elastic[2], ScreeReport *report) {
    for (size_t i = 0; i < p->rows; i++) {
        const Row *r = &p->row[i];
        bool has_law = p->law_of != NULL && p->law_of[i] >= 0;
        if (!has_law && !(r->rn > 0)) {
            continue;
        }
        RowVelocity mean = scr_row_velocity(p, i);
        if (has_law) {
            certify_law_row(p, i, mean, elastic, report);
        } else {
            report->dissipation_normal -= r->rn * mean.n;
            report->dissipation_friction -= dot(r->rt, mean.t);
        }
    }
}

void scr_certify_energy(State *s, const Engine *e, ScreeReport *report) {
    double elastic[2] = {0, 0}, *stored = s->contacts.elastic;
    certify_contacts(&e->problem, elastic, report);
    double gained[2] = {elastic[0] - stored[0], elastic[1] - stored[1]};
    stored[0] = elastic[0];
    stored[1] = elastic[1];
    report->energy_elastic = elastic[0] + elastic[1];
    report->dissipation_scheme -= e->spring_work[0] + e->spring_work[1];
    report->dissipation_normal += e->spring_work[0] - gained[0];
    report->dissipation_friction += e->spring_work[1] - gained[1];
    report->dissipation = report->dissipation_normal + report->dissipation_friction +
                          report->dissipation_rolling + report->dissipation_torsion +
                          report->dissipation_cohesion;
    bool driven = is_driven(s);
    for (size_t i = 0; i < s->contacts.count && driven; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        if (c->state != SCREE_CONTACT_OPEN) {
            report->work_walls += driving_work(s, e, c, i);
        }
    }
    report->energy_error = e->energy_gain + gained[0] + gained[1] -
                           (report->work_external + report->work_walls - report->dissipation -
                            report->dissipation_scheme);
}

/* ---------------------------------------------------------------- overlaps and implied elasticity
 */

/* Overlaps as the bodies stand after the step. Outlines are turned in memory that they have. */
static void measure_overlaps(const State *s, Engine *e, ScreeReport *report) {
    double sum = 0;
    scr_place_outlines(s, &e->placed);
    for (size_t i = 0; i < s->contacts.count; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        double gap =
            c->feature != 0 ? scr_shape_gap(s, &e->placed, c) : scr_round_gap(s, c->a, c->b);
        double overlap = fmax(0, -gap);
        report->overlap_max = fmax(report->overlap_max, overlap);
        sum += c->state != SCREE_CONTACT_OPEN ? overlap : 0;
    }
    report->overlap_mean = report->active > 0 ? sum / (double)report->active : 0;
}

/* Unger and Kertesz: eqs (67), (57) and (47), with the mean mass and diameter. */
static void imply_elasticity(const State *s, Engine *e, ScreeReport *report) {
    const Bodies *b = &s->bodies;
    double mass = 0, diameter = 0, n = (double)b->count, dt = s->def.time_step;
    for (size_t i = 0; i < b->count; i++) {
        mass += b->mass[i] / n;
        diameter += 2 * b->radius[i] / n;
    }
    double qn = scr_order_q(s->def.solver.order) * (double)report->iterations;
    report->stiffness = qn * mass / (dt * dt);
    report->sound_speed = sqrt(qn) * diameter / dt;
    report->diffusion_length = sqrt(4 * qn) * diameter;
    if (report->converged == 0) {
        report->packing_length = scr_cluster_length(s, &e->scratch_block);
        report->spurious_elasticity = report->diffusion_length < report->packing_length;
    }
}

void scr_certify_shape(const State *s, Engine *e, ScreeReport *report) {
    report->step = (int64_t)s->step;
    report->time = s->time;
    report->converged = report->residual <= s->def.solver.tolerance && !e->missed &&
                        report->unsettled == 0 &&
                        report->overlap_added <= s->def.solver.overlap * e->least_radius;
    report->kinetic_energy = scr_kinetic_energy(s);
    measure_overlaps(s, e, report);
    imply_elasticity(s, e, report);
}
