/* The contacts of the soft engine as the public header shows them, made when someone looks. */
#include "engine/soft_engine.h"

#include "force/torque.h"
#include "narrow/narrow.h"
#include "shape/wall.h"

static Touch touch_of(const State *s, const SoftMemory *m) {
    const Bodies *b = &s->bodies;
    if (m->b < 0) {
        return scr_touch_wall(&s->def, &s->walls.item[-1 - m->b].now, b->position[m->a],
                              b->radius[m->a]);
    }
    Vec3 d = scr_nearest_image(&s->def, sub(b->position[m->b], b->position[m->a]));
    return scr_touch_balls(d, b->radius[m->a], b->radius[m->b]);
}

/* Velocity of the partner's surface as seen from the body's, along it; difference of spins. */
typedef struct Sliding {
    Vec3 slip, spin;
} Sliding;

static Sliding sliding_of(const State *s, const SoftMemory *m, Touch touch) {
    const Bodies *b = &s->bodies;
    double arm = b->radius[m->a] + 0.5 * touch.gap;
    Vec3 v = b->velocity[m->a], w = b->spin[m->a], other_v, other_w = vec3(0, 0, 0);
    if (m->b < 0) {
        const ScreeWallDef *wall = &s->walls.item[-1 - m->b].now;
        Vec3 seen = scr_seen_by_wall(&s->def, wall, b->position[m->a]);
        other_v = scr_wall_velocity_at(wall, add_scaled(seen, arm, touch.normal));
        other_w = wall->spin;
    } else {
        double other_arm = b->radius[m->b] + 0.5 * touch.gap;
        other_w = b->spin[m->b];
        other_v = sub(b->velocity[m->b], cross(scale(other_arm, other_w), touch.normal));
    }
    Vec3 u = sub(other_v, add(v, cross(scale(arm, w), touch.normal)));
    return (Sliding){add_scaled(u, -dot(u, touch.normal), touch.normal), sub(other_w, w)};
}

/* The tangential force: what the spring says, and the dashpot at the velocities of now. */
static Vec3 friction_force(const SoftLaw *l, const SoftMemory *m, Sliding now, double limit,
                           bool *slides) {
    if (!(limit > 0)) {
        *slides = true;
        return vec3(0, 0, 0);
    }
    if (l->uses & SOFT_VISCOUS) {
        return scr_viscous_friction(now.slip, m->stiffness, limit, slides);
    }
    Vec3 force = add_scaled(scale(-m->stiffness, m->spring), -l->dashpot, now.slip);
    double least = limit * (1 - 1e-9);
    *slides = dot(force, force) >= least * least;
    scr_force_cut(&force, limit);
    return force;
}

static Vec3 friction_torque(const State *s, const SoftMeeting *meeting, const SoftMemory *m,
                            Sliding now, Vec3 n, double pressure) {
    const SoftLaw *l = meeting->law;
    if (!(l->uses & SOFT_TORQUES)) {
        return vec3(0, 0, 0);
    }
    const SoftContact c = scr_soft_contact(meeting);
    const SoftExtra x = scr_soft_extra(meeting, &c);
    double limit = scr_soft_rolling_limit(l, x.reach, pressure, s->def.dimension);
    double about = dot(now.spin, n);
    Vec3 roll =
        scr_rolling_torque(m->roll, x.stiffness, add_scaled(now.spin, -about, n), x.damping, limit);
    double bound = (l->torsion * x.reach + l->torsion_length) * pressure;
    return add_scaled(roll, scr_torsion_torque(m->torsion, x.stiffness, about, x.damping, bound),
                      n);
}

static void show(const State *s, const Soft *w, const SoftMemory *m, ScreeContact *c,
                 ScreeContactExtra *extra) {
    SoftMeeting meeting = m->b >= 0 ? scr_soft_meet_body(s, w, m->a, m->b)
                                    : scr_soft_meet_wall(s, w, m->a, (size_t)(-1 - m->b));
    const SoftLaw *l = meeting.law;
    double dt = s->soft->time_step;
    double pressure = m->normal + (m->opening >= 0 ? l->cohesion : 0);
    Touch touch = touch_of(s, m);
    Sliding now = sliding_of(s, m, touch);
    bool slides;
    Vec3 friction = friction_force(l, m, now, m->friction * pressure, &slides);
    bool active = m->normal != 0 || pressure > 0;
    *c = (ScreeContact){
        .a = m->a,
        .b = m->b,
        .state = !active  ? SCREE_CONTACT_OPEN
                 : slides ? SCREE_CONTACT_SLIP
                          : SCREE_CONTACT_STICK,
        .normal = touch.normal,
        .gap = touch.gap,
        .normal_impulse = dt * m->normal,
        .tangential_impulse = scale(dt, friction),
    };
    if (extra != NULL) {
        Vec3 torque = friction_torque(s, &meeting, m, now, touch.normal, pressure);
        *extra = (ScreeContactExtra){.torque_impulse = scale(dt, torque), .opening = m->opening};
    }
}

static bool reserve(Contacts *v, size_t count, bool extra) {
    if (!scr_block_reserve(&v->block, count + 1, sizeof *v->item, 0) ||
        (extra && !scr_block_reserve(&v->extra_block, count + 1, sizeof *v->extra, 0))) {
        return false;
    }
    v->item = v->block.data;
    v->extra = extra ? v->extra_block.data : NULL;
    return true;
}

Contacts scr_soft_view(const State *s, Soft *w) {
    Contacts *v = &w->view;
    if (w->view_made && w->view_step == s->step && w->view_stale == s->list_stale) {
        return *v;
    }
    v->count = 0;
    if (s->soft == NULL || scr_soft_collect(s, w) != SCREE_OK ||
        scr_soft_prepare_laws(s, w) != SCREE_OK) {
        return *v;
    }
    bool extra = (w->uses & (SOFT_TORQUES | SOFT_COHESION)) != 0;
    if (!reserve(v, s->soft->contacts, extra)) {
        return *v;
    }
    for (size_t i = 0; i < s->soft->contacts; i++) {
        const SoftMemory *m = &s->soft->memory[i];
        if (m->b >= 0 || s->walls.item[-1 - m->b].present) {
            show(s, w, m, &v->item[v->count], extra ? &v->extra[v->count] : NULL);
            v->count++;
        }
    }
    v->time_step = s->soft->time_step;
    w->view_made = true;
    w->view_step = s->step;
    w->view_stale = s->list_stale;
    return *v;
}
