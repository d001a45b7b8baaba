/* The certificate of a step. */
#include "engine/engine.h"

#include "measure/measure.h"
#include "narrow/narrow.h"
#include "shape/wall.h"

/* ---------------------------------------------------------------- energy
 *
 * For a body, and for each impulse j on it, the kinetic energy changes by j . (v + v') / 2,
 * exactly. So over the step T' - T = sum over external impulses F dt . (v + v') / 2  +  sum over
 * contacts R . (u + u') / 2  -  R . v_wall, with u the relative velocity at the contact, walls at
 * their velocity of this step. External work is F . dx = F dt . v', what implicit Euler moves the
 * body by; the difference, F dt . (v' - v) / 2, is lost to the time stepping. */

typedef struct Velocities {
    Vec3 before, after;
} Velocities;

/* Velocities of a body's surface at the end of its arm r n (or of -r n). */
static inline Velocities surface(const State *s, const Engine *e, int32_t body, Vec3 arm) {
    const ProblemBody *p = scr_problem_body(e, body);
    double r = s->bodies.radius[body];
    return (Velocities){add(s->bodies.velocity[body], cross(scale(r, s->bodies.spin[body]), arm)),
                        add(p->v, cross(p->s, arm))};
}

static inline Velocities partner(const State *s, const Engine *e, const ScreeContact *c) {
    if (c->b >= 0) {
        return surface(s, e, c->b, scale(-1, c->normal));
    }
    const ScreeWallDef *w = &s->walls.item[-1 - c->b].now;
    if (w->motion == SCREE_WALL_PISTON) {
        return (Velocities){w->velocity, e->problem.body[scr_wall_place(s, (size_t)(-1 - c->b))].v};
    }
    Vec3 v = vec3(0, 0, 0);
    if (w->motion == SCREE_WALL_MOVED) {
        v = scr_wall_velocity_at(
            w, add_scaled(s->bodies.position[c->a], s->bodies.radius[c->a], c->normal));
    }
    return (Velocities){v, v};
}

/* Twice the kinetic energy gained, summed body by body so that the balance does not cancel large
 * numbers. */
static double twice_gain(double mass, Vec3 before, Vec3 after) {
    return mass * dot(add(after, before), sub(after, before));
}

static void external_work(const State *s, const Engine *e, ScreeReport *report, double *gain) {
    const Bodies *b = &s->bodies;
    for (size_t i = 0; i < b->count; i++) {
        const ProblemBody *p = scr_problem_body(e, (int32_t)i);
        double m = b->mass[i], inertia = b->inertia[i], r = b->radius[i];
        Vec3 w = vec3(p->s.x / r, p->s.y / r, p->s.z / r);
        Vec3 push = scale(m, sub(e->free_velocity[i], b->velocity[i]));
        Vec3 twist = scale(inertia, sub(scr_free_spin(s, i), b->spin[i]));
        report->work_external += dot(push, p->v) + dot(twist, w);
        report->dissipation_scheme +=
            0.5 * (dot(push, sub(p->v, b->velocity[i])) + dot(twist, sub(w, b->spin[i])));
        *gain += 0.5 * (twice_gain(m, b->velocity[i], p->v) + twice_gain(inertia, b->spin[i], w));
        double way = length(p->v) * s->def.time_step / r;
        report->motion_max = fmax(report->motion_max, way);
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        if (s->walls.item[i].present && w->motion == SCREE_WALL_PISTON) {
            Vec3 after = e->problem.body[scr_wall_place(s, i)].v;
            Vec3 push = scale(s->def.time_step * dot(w->force, w->direction), w->direction);
            report->work_external += dot(push, after);
            report->dissipation_scheme += 0.5 * dot(push, sub(after, w->velocity));
            *gain += 0.5 * twice_gain(w->mass, w->velocity, after);
        }
    }
}

/* Work of whatever holds the frozen axes of a body at their velocities, against an impulse on the
 * body: minus the impulse's own. */
static double holding_work(const State *s, int32_t body, Vec3 arm, Vec3 impulse) {
    uint32_t f = s->bodies.frozen[body];
    if (f == 0) {
        return 0;
    }
    Vec3 v = s->bodies.velocity[body], w = s->bodies.spin[body];
    Vec3 held_v = vec3(f & SCREE_FREEZE_X ? v.x : 0, f & SCREE_FREEZE_Y ? v.y : 0,
                       f & SCREE_FREEZE_Z ? v.z : 0);
    Vec3 held_w = vec3(f & SCREE_FREEZE_ROTATION_X ? w.x : 0, f & SCREE_FREEZE_ROTATION_Y ? w.y : 0,
                       f & SCREE_FREEZE_ROTATION_Z ? w.z : 0);
    return -dot(impulse, add(held_v, cross(scale(s->bodies.radius[body], held_w), arm)));
}

void scr_certify_energy(const State *s, const Engine *e, ScreeReport *report) {
    double gain = 0;
    external_work(s, e, report, &gain);
    report->contacts = (int64_t)s->contacts.count;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        if (c->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        report->active++;
        report->sliding += c->state == SCREE_CONTACT_SLIP;
        Vec3 impulse = add_scaled(c->tangential_impulse, c->normal_impulse, c->normal);
        Velocities a = surface(s, e, c->a, c->normal), b = partner(s, e, c);
        Vec3 mean = scale(0.5, add(sub(b.before, a.before), sub(b.after, a.after)));
        report->dissipation -= dot(impulse, mean);
        if (c->b < 0 && s->walls.item[-1 - c->b].now.motion == SCREE_WALL_MOVED) {
            report->work_walls -= dot(impulse, b.after);
        }
        report->work_walls += holding_work(s, c->a, c->normal, scale(-1, impulse));
        if (c->b >= 0) {
            report->work_walls += holding_work(s, c->b, scale(-1, c->normal), impulse);
        }
    }
    report->energy_error = gain - (report->work_external + report->work_walls -
                                   report->dissipation - report->dissipation_scheme);
}

/* ---------------------------------------------------------------- overlaps and implied elasticity
 */

static double gap_now(const State *s, const ScreeContact *c) {
    const Bodies *b = &s->bodies;
    if (c->b < 0) {
        return scr_touch_wall(&s->walls.item[-1 - c->b].now, b->position[c->a], b->radius[c->a])
            .gap;
    }
    Vec3 d = scr_nearest_image(&s->def, sub(b->position[c->b], b->position[c->a]));
    return scr_touch_balls(d, b->radius[c->a], b->radius[c->b]).gap;
}

static void measure_overlaps(const State *s, ScreeReport *report) {
    double sum = 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        double overlap = fmax(0, -gap_now(s, c));
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
    report->converged = report->residual <= s->def.solver.tolerance;
    report->kinetic_energy = scr_kinetic_energy(s);
    measure_overlaps(s, report);
    imply_elasticity(s, e, report);
}
