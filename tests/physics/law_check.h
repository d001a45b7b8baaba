/* Judges a step by the laws alone: from the motion before and after it and the impulses in the
 * view, without the solver's own numbers, it works out by how much any law is violated.
 *
 * u, u' are the relative velocities at a contact before and after, g the gap before, P = R_n + F dt
 * with a bond, R_n without. theta = 1.
 *   impact            u_n' + e u_n >= 0, R_n >= 0, one of them zero; s = u_t' + e_t u_t
 *   bond, open by g   R_n = -F dt where it opens, 0 where it closes by less than g, between at rest
 *   otherwise         u_n' + g / dt + P / (k dt^2) >= 0, P >= 0, one of them zero
 *                     (a rigid contact takes max(g, 0)); s = u_t' + (R_t - R_t0) / (k_t dt^2)
 *   friction          |R_t| <= mu P; s = 0 or R_t = -mu P s / |s|; two coefficients: mu_s if s = 0
 *   torques           the same with Omega', across and along the normal
 * R_t0 goes along with the contact: it turns with the normal, and about it with the mean spin of
 * the two bodies. A contact that is new and touches is bonded. */
#ifndef SCREE_TESTS_LAW_CHECK_H
#define SCREE_TESTS_LAW_CHECK_H

#include "rig.h"

enum { LAW_CHECK_BODIES = 64, LAW_CHECK_CONTACTS = 512 };

/* The state before the step. */
typedef struct Before {
    ScreeVec3 velocity[LAW_CHECK_BODIES], spin[LAW_CHECK_BODIES], position[LAW_CHECK_BODIES];
    size_t contacts;
    ScreeContact contact[LAW_CHECK_CONTACTS];
    ScreeContactExtra extra[LAW_CHECK_CONTACTS];
} Before;

/* The largest violations: normal and tangential ones as impulses, in units of `scale`. */
typedef struct Violation {
    double balance, normal, friction, torque;
    int contacts, impacts, bonds, sliding, springs, rolling;
} Violation;

static inline void note_before(const ScreeWorld *world, Before *b) {
    ScreeBodyView v = scree_world_get_bodies(world);
    ScreeContactView c = scree_world_get_contacts(world);
    for (size_t i = 0; i < v.count; i++) {
        b->velocity[i] = v.velocity[i];
        b->spin[i] = v.spin[i];
        b->position[i] = v.position[i];
    }
    b->contacts = c.count;
    for (size_t i = 0; i < c.count; i++) {
        b->contact[i] = c.contact[i];
        b->extra[i] = c.extra != NULL ? c.extra[i] : (ScreeContactExtra){.opening = -1};
    }
}

/* The contact as it was in the step before; open and without a bond when it did not exist. */
static inline size_t find_before(const Before *b, const ScreeContact *c) {
    size_t i = 0;
    while (i < b->contacts &&
           (b->contact[i].a.index != c->a.index || b->contact[i].b.code != c->b.code)) {
        i++;
    }
    return i;
}

/* The part of a vector along the axes that are not frozen; `first` is the bit of x. */
static inline ScreeVec3 unfrozen(ScreeVec3 a, uint32_t frozen, uint32_t first) {
    return rig_vec(frozen & first ? 0 : a.x, frozen & (first * 2) ? 0 : a.y,
                   frozen & (first * 4) ? 0 : a.z);
}
/* Change of velocity of a body by everything but contacts. */
static inline ScreeVec3 outer_push(const ScreeWorld *world, int32_t i) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeWorldDef def = scree_world_get_def(world);
    ScreeVec3 a = rig_add(def.gravity, 1 / b.mass[i], b.force[i]);
    return rig_scale(def.time_step, unfrozen(a, b.frozen[i], SCREE_FREEZE_X));
}

/* One contact with everything that its laws look at. */
typedef struct Judged {
    const ScreeContact *c;
    ScreeContactExtra extra;
    ScreeLaw law;
    ScreeVec3 u, v, free, omega; /* velocity before, after, without contacts; Omega after */
    ScreeVec3 memory;            /* R_t0 */
    double opening;              /* before the step; negative without a bond */
    bool held;                   /* did not slide before the step */
    bool keeps;                  /* a rigid bond that has not given way, */
    double tangent;              /* and how far straight ways take its partners off their circle, */
    ScreeVec3 bend;              /* and, along their surfaces, off that of a rigid body */
    double reduced_radius, m_n, m_t, inertia; /* rho of the natural maps */
    double dt;
    int dimension;
} Judged;

static inline ScreeVec3 at_surface(ScreeVec3 v, ScreeVec3 w, double r, ScreeVec3 n) {
    return rig_add(v, r, rig_cross(w, n));
}
static inline ScreeVec3 across(ScreeVec3 a, ScreeVec3 n) {
    return rig_add(a, -rig_dot(a, n), n);
}
/* Turned as the normal has turned from n0 to n. */
static inline ScreeVec3 turned(ScreeVec3 a, ScreeVec3 n0, ScreeVec3 n) {
    ScreeVec3 axis = rig_cross(n0, n);
    double c = rig_dot(n0, n);
    ScreeVec3 sum = rig_add(rig_scale(c, a), 1, rig_cross(axis, a));
    return rig_add(sum, rig_dot(axis, a) / (1 + c), axis);
}

/* Distance of x from its projection after a step against s: zero when it solves the law. */
static inline double disc_error(ScreeVec3 x, ScreeVec3 s, double rho, double bound) {
    ScreeVec3 trial = rig_add(x, -rho, s);
    double size = rig_length(trial);
    return rig_length(rig_sub(x, size > bound ? rig_scale(fmax(bound, 0) / size, trial) : trial));
}

static inline double normal_error(const Judged *j, bool impact, double pressure) {
    double R = j->c->normal_impulse, g = j->c->gap, un = rig_dot(j->v, j->c->normal), m = j->m_n;
    double soft = isinf(j->law.stiffness) ? 0 : 1 / (j->law.stiffness * j->dt * j->dt);
    double adhesion = pressure - R;
    if (impact) {
        double s = un + j->law.restitution * rig_dot(j->u, j->c->normal);
        return fabs(R - fmax(R - m * s, 0));
    }
    if (j->keeps) {
        g = j->tangent;
    } else if (adhesion > 0 && g > 0 && soft == 0) { /* the staircase of a bond */
        double stop = R - m * un, close = stop - m * g / j->dt;
        return fabs(R - fmax(fmax(fmin(stop, 0), -adhesion), close));
    }
    double s = un + (soft > 0 ? g : fmax(g, 0)) / j->dt + soft * pressure;
    m /= 1 + m * soft;
    return fabs(pressure - fmax(pressure - m * s, 0));
}

static inline double friction_error(const Judged *j, bool impact, double pressure, bool *slides) {
    ScreeVec3 n = j->c->normal, R = j->c->tangential_impulse, s = across(j->v, n);
    double m = j->m_t, kt = j->law.stiffness_tangential, mu = j->law.friction;
    if (j->keeps && isinf(kt)) {
        s = rig_add(s, -1 / j->dt, j->bend);
    }
    if (impact) {
        s = rig_add(s, j->law.restitution_tangential, across(j->u, n));
    } else if (!isinf(kt)) {
        double soft = 1 / (kt * j->dt * j->dt);
        s = rig_add(s, soft, rig_sub(R, j->memory));
        m /= 1 + m * soft;
    }
    *slides = j->c->state == SCREE_CONTACT_SLIP;
    if (j->law.friction_static > mu && !*slides) {
        mu = j->law.friction_static;
    }
    double error = disc_error(R, s, m, mu * pressure);
    if (*slides) { /* then it uses all of its friction */
        error = fmax(error, fabs(rig_length(R) - j->law.friction * pressure));
    }
    return error;
}

static inline double torque_error(const Judged *j, double pressure) {
    const ScreeLaw *l = &j->law;
    ScreeVec3 n = j->c->normal, T = j->extra.torque_impulse;
    double rs = j->reduced_radius, per = pressure / j->dt;
    double power = j->dimension == 2 ? 0.5 : 1.0 / 3;
    double roll = (l->rolling * rs + l->rolling_length) * pressure;
    roll += l->rolling_hertz > 0 ? l->rolling_hertz * pow(rs * fmax(per, 0), power) * pressure : 0;
    double twist = (l->torsion * rs + l->torsion_length) * pressure;
    double error = disc_error(across(T, n), across(j->omega, n), j->inertia, roll);
    if (j->dimension == 3) {
        ScreeVec3 Tn = rig_scale(rig_dot(T, n), n), On = rig_scale(rig_dot(j->omega, n), n);
        error = fmax(error, disc_error(Tn, On, j->inertia, twist));
    }
    return error / rs;
}

static inline void judge_contact(const Judged *j, double scale, Violation *worst) {
    const ScreeLaw *l = &j->law;
    bool bonded = l->cohesion > 0 && j->opening >= 0, slides = false;
    double un = rig_dot(j->u, j->c->normal), closing = rig_dot(j->free, j->c->normal) * j->dt;
    bool impact = !bonded && (l->restitution > 0 || l->restitution_tangential > 0) && un < 0 &&
                  un < -l->restitution_threshold && j->c->gap + closing <= 0;
    double pressure = j->c->normal_impulse + (bonded ? l->cohesion * j->dt : 0);
    double normal = normal_error(j, impact, pressure);
    double friction = friction_error(j, impact, pressure, &slides);
    for (int k = 0; impact && k < 4; k++) { /* impacts that would make energy together: tame.c */
        static const double left[] = {0.9, 0.7, 0.4, 0};
        Judged less = *j;
        less.law.restitution *= left[k];
        less.law.restitution_tangential *= left[k];
        const double n = normal_error(&less, impact, pressure);
        const double t = friction_error(&less, impact, pressure, &slides);
        if (fmax(n, t) < fmax(normal, friction)) {
            normal = n;
            friction = t;
        }
    }
    worst->normal = fmax(worst->normal, normal / scale);
    worst->friction = fmax(worst->friction, friction / scale);
    worst->torque = fmax(worst->torque, torque_error(j, pressure) / scale);
    bool active = j->c->normal_impulse != 0;
    worst->contacts += active;
    worst->impacts += active && impact;
    worst->bonds += j->c->normal_impulse < 0;
    worst->sliding += slides;
    worst->springs +=
        active && !impact && (!isinf(l->stiffness) || !isinf(l->stiffness_tangential));
    worst->rolling += rig_length(j->extra.torque_impulse) > 0;
}

/* Everything about contact number i of the view. Walls are flat and do not move. */
static inline Judged gather(const ScreeWorld *world, const Before *before, size_t i) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeContactView view = scree_world_get_contacts(world);
    const ScreeContact *c = &view.contact[i];
    ScreeWorldDef def = scree_world_get_def(world);
    Judged j = {.c = c, .dt = view.time_step, .dimension = def.dimension};
    ScreeVec3 n = c->normal;
    const int32_t a = c->a.index, p = scree_partner_get_body(c->b).index;
    ScreeMaterialId own = b.material[a],
                    other = p >= 0
                                ? b.material[p]
                                : rig_wall(world, scree_partner_get_wall(c->b).index).now.material;
    rig_must(scree_law_get(world, own, SCREE_IS_NULL(other) ? own : other, &j.law), "law");
    j.extra = view.extra != NULL ? view.extra[i] : (ScreeContactExtra){.opening = -1};
    j.u = rig_scale(-1, at_surface(before->velocity[a], before->spin[a], b.radius[a], n));
    j.v = rig_scale(-1, at_surface(b.velocity[a], b.spin[a], b.radius[a], n));
    j.free = rig_sub(j.u, outer_push(world, a));
    j.omega = rig_scale(-1, b.spin[a]);
    double w = 1 / b.mass[a], turn = 1 / b.inertia[a],
           wt = b.radius[a] * b.radius[a] / b.inertia[a];
    double curvature = 1 / b.radius[a];
    if (p >= 0) {
        j.u = rig_add(j.u, 1, at_surface(before->velocity[p], before->spin[p], -b.radius[p], n));
        j.v = rig_add(j.v, 1, at_surface(b.velocity[p], b.spin[p], -b.radius[p], n));
        ScreeVec3 start = at_surface(before->velocity[p], before->spin[p], -b.radius[p], n);
        j.free = rig_add(rig_add(j.free, 1, start), 1, outer_push(world, p));
        j.omega = rig_add(j.omega, 1, b.spin[p]);
        w += 1 / b.mass[p];
        turn += 1 / b.inertia[p];
        wt += b.radius[p] * b.radius[p] / b.inertia[p];
        curvature += 1 / b.radius[p];
    }
    j.m_n = 1 / w;
    j.m_t = 1 / (w + wt);
    j.inertia = 1 / turn;
    j.reduced_radius = 1 / curvature;
    size_t k = find_before(before, c);
    bool known = k < before->contacts;
    /* a new contact that touches is bonded */
    j.opening = known ? before->extra[k].opening : c->gap < 1e-12 ? 0 : -1;
    j.keeps = j.law.cohesion > 0 && isinf(j.law.stiffness) && j.opening >= 0 &&
              j.opening <= 1e-6 * j.law.cohesion_range &&
              (c->gap <= 1e-3 * fmin(b.radius[a], p >= 0 ? b.radius[p] : b.radius[a]) || !known ||
               before->contact[k].normal_impulse <= 0);
    if (j.keeps && p >= 0) {
        ScreeVec3 way =
            rig_scale(j.dt, across(rig_sub(before->velocity[p], before->velocity[a]), n));
        double apart = b.radius[a] + b.radius[p] + c->gap, square = rig_dot(way, way);
        j.tangent = square / (apart + sqrt(apart * apart - square));
        /* with the mean spin W, D goes to D + W x D dt + W x (W x D) dt^2 / 2 */
        ScreeVec3 W =
            rig_add(rig_scale(b.radius[a], before->spin[a]), b.radius[p], before->spin[p]);
        W = rig_scale(1 / (b.radius[a] + b.radius[p]), W);
        j.bend = across(rig_cross(W, rig_cross(W, rig_scale(apart * j.dt * j.dt / 2, n))), n);
    }
    j.held = known && before->contact[k].state == SCREE_CONTACT_STICK;
    j.memory = rig_vec(0, 0, 0);
    if (known) {
        ScreeVec3 spin = p >= 0 ? rig_add(before->spin[a], 1, before->spin[p]) : before->spin[a];
        double angle = j.dimension == 3 ? 0.5 * j.dt * rig_dot(spin, n) : 0;
        ScreeVec3 R = turned(before->contact[k].tangential_impulse, before->contact[k].normal, n);
        j.memory = rig_add(rig_scale(cos(angle), R), sin(angle), rig_cross(n, R));
    }
    return j;
}

/* Impulses and velocities are consistent: Newton's and Euler's equations. */
static inline double balance_error(const ScreeWorld *world, const Before *before) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeContactView view = scree_world_get_contacts(world);
    ScreeVec3 push[LAW_CHECK_BODIES], twist[LAW_CHECK_BODIES];
    double dt = view.time_step, worst = 0;
    for (size_t i = 0; i < b.count; i++) {
        push[i] = rig_scale(b.mass[i], outer_push(world, (int32_t)i));
        twist[i] = rig_scale(dt, b.torque[i]);
    }
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        ScreeVec3 R = rig_add(c->tangential_impulse, c->normal_impulse, c->normal);
        ScreeVec3 T = view.extra != NULL ? view.extra[i].torque_impulse : rig_vec(0, 0, 0);
        ScreeVec3 turn = rig_cross(c->normal, R);
        push[c->a.index] = rig_sub(push[c->a.index], R);
        twist[c->a.index] = rig_sub(rig_add(twist[c->a.index], -b.radius[c->a.index], turn), T);
        if (c->b.code >= 0) {
            push[c->b.code] = rig_add(push[c->b.code], 1, R);
            twist[c->b.code] = rig_add(rig_add(twist[c->b.code], -b.radius[c->b.code], turn), 1, T);
        }
    }
    for (size_t i = 0; i < b.count; i++) {
        ScreeVec3 dv = rig_sub(b.velocity[i], before->velocity[i]);
        ScreeVec3 dw = rig_sub(b.spin[i], before->spin[i]);
        ScreeVec3 left = unfrozen(push[i], b.frozen[i], SCREE_FREEZE_X);
        ScreeVec3 turn = unfrozen(twist[i], b.frozen[i], SCREE_FREEZE_ROTATION_X);
        worst = fmax(worst, rig_length(rig_add(left, -b.mass[i], dv)));
        worst = fmax(worst, rig_length(rig_add(turn, -b.inertia[i], dw)) / b.radius[i]);
    }
    return worst;
}

/* Violations in the last step, whose start was noted in `before`. */
static inline Violation judge_step(const ScreeWorld *world, const Before *before, double scale) {
    Violation worst = {.balance = balance_error(world, before) / scale};
    size_t count = scree_world_get_contacts(world).count;
    for (size_t i = 0; i < count; i++) {
        Judged j = gather(world, before, i);
        judge_contact(&j, scale, &worst);
    }
    return worst;
}

#endif
