/* The contacts of the soft engine as the public header shows them, made on demand. */
#include "soft/engine.h"

#include "base/status.h"
#include "soft/force/torque.h"
#include "narrow/narrow.h"
#include "shape/wall.h"

/* Position of a contact: arms from the centres to the middle of the overlap; for walls `other` is
 * not used. */
typedef struct ContactSpot {
    Touch touch;
    Vec3 arm, other;
} ContactSpot;

static ContactSpot round_spot(const State *s, const SoftMemory *m) {
    const double *r = s->bodies.radius;
    const Touch touch = scr_touch_round(s, m->a, m->b);
    double other = m->b >= 0 ? r[m->b] : 0;
    return (ContactSpot){touch, scale(r[m->a] + 0.5 * touch.gap, touch.normal),
                         scale(-(other + 0.5 * touch.gap), touch.normal)};
}

/* Finds the contact points of the pair again; `there`: this one still exists. */
static ScreeStatus shaped_spot(const State *s, Soft *w, const SoftMemory *m, double reach,
                               ContactSpot *spot, bool *there) {
    const Vec3 *x = s->bodies.position;
    Penetrations *found = &w->shapes.found;
    PlacedPair pair;
    scr_place_pair(s, &w->shapes.placed, m->a, m->b, x[m->a], x[m->b >= 0 ? m->b : m->a], &pair);
    *there = false;
    found->count = 0;
    ScreeStatus status = scr_pair_penetrate(&pair, reach, found);
    for (size_t i = 0; i < found->count && status == SCREE_OK; i++) {
        const Penetration *p = &found->item[i];
        if (p->feature == m->feature && !p->surplus) {
            *spot = (ContactSpot){{p->gap, p->normal, p->feature}, p->arm, sub(p->arm, pair.d)};
            *there = true;
            break;
        }
    }
    return status;
}

/* Velocity of the partner's surface relative to the body's, along it; difference of spins. */
typedef struct Sliding {
    Vec3 slip, spin;
} Sliding;

static Sliding sliding_of(const State *s, const SoftMemory *m, const ContactSpot *spot) {
    const Bodies *b = &s->bodies;
    Vec3 n = spot->touch.normal, w = b->spin[m->a], other_v, other_w;
    if (m->b < 0) {
        const ScreeWallDef *wall = &s->walls.item[scr_wall_of(m->b)].now;
        Vec3 seen = scr_seen_by_wall(&s->def, wall, b->position[m->a]);
        other_v = scr_wall_velocity_at(wall, add(seen, spot->arm));
        other_w = wall->spin;
    } else {
        other_w = b->spin[m->b];
        other_v = add(b->velocity[m->b], cross(other_w, spot->other));
    }
    Vec3 u = sub(other_v, add(b->velocity[m->a], cross(w, spot->arm)));
    return (Sliding){add_scaled(u, -dot(u, n), n), sub(other_w, w)};
}

/* The tangential force: that of the spring, and the dashpot at the present velocities. */
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

/* `there` is false when a contact point of shapes no longer exists: the bodies were moved since. */
static ScreeStatus show(const State *s, Soft *w, const SoftMemory *m, Contact *c,
                        ScreeContactExtra *extra, bool *there) {
    SoftMeeting meeting = scr_soft_meet(s, w, m->a, m->b, m->feature);
    const SoftLaw *l = meeting.law;
    double dt = s->soft->time_step;
    double pressure = m->normal + (m->opening >= 0 ? l->cohesion : 0);
    ContactSpot spot;
    *there = true;
    if (m->feature == 0) {
        spot = round_spot(s, m);
    } else {
        SCR_TRY(shaped_spot(s, w, m, scr_soft_pair_reach(&meeting), &spot, there));
    }
    if (!*there) {
        return SCREE_OK;
    }
    Sliding now = sliding_of(s, m, &spot);
    bool slides;
    Vec3 friction = friction_force(l, m, now, m->friction * pressure, &slides);
    bool active = m->normal != 0 || pressure > 0;
    *c = (Contact){
        .a = m->a,
        .b = m->b,
        .feature = m->feature,
        .state = !active  ? SCREE_CONTACT_OPEN
                 : slides ? SCREE_CONTACT_SLIP
                          : SCREE_CONTACT_STICK,
        .normal = spot.touch.normal,
        .gap = spot.touch.gap,
        .normal_impulse = dt * m->normal,
        .tangential_impulse = scale(dt, friction),
    };
    if (extra != NULL) {
        Vec3 torque = friction_torque(s, &meeting, m, now, spot.touch.normal, pressure);
        *extra = (ScreeContactExtra){.torque_impulse = scale(dt, torque), .opening = m->opening};
    }
    return SCREE_OK;
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

/* Counted only when they are complete: half of them would look like all. */
static ScreeStatus make_view(const State *s, Soft *w, Contacts *v) {
    size_t count = 0;
    SCR_TRY(scr_soft_collect(s, w));
    SCR_TRY(scr_soft_prepare_laws(s, w));
    bool extra = scr_soft_needs_extra(w);
    if (!reserve(v, s->soft->contacts, extra) || !scr_place_outlines(s, &w->shapes.placed)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < s->soft->contacts; i++) {
        const SoftMemory *m = &s->soft->memory[i];
        bool there = false;
        if (m->b >= 0 || s->walls.item[scr_wall_of(m->b)].present) {
            SCR_TRY(show(s, w, m, &v->item[count], extra ? &v->extra[count] : NULL, &there));
        }
        count += there;
    }
    v->count = count;
    return SCREE_OK;
}

ScreeStatus scr_soft_view(const State *s, Soft *w, Contacts *view) {
    ScreeStatus status = SCREE_OK;
    if (!w->view_made || w->view_step != s->step || w->view_stale != s->list_stale) {
        w->view.count = 0;
        w->view.time_step = s->soft != NULL ? s->soft->time_step : 0;
        status = s->soft != NULL ? make_view(s, w, &w->view) : SCREE_OK;
        w->view_made = s->soft != NULL && status == SCREE_OK;
        w->view_step = s->step;
        w->view_stale = s->list_stale;
    }
    *view = w->view;
    return status;
}
