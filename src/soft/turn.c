/* How solids turn in the soft engine. As positions do, in three parts: half a kick, free motion, and
 * half a kick. With L for the angular momentum and q for the orientation,
 *
 *     L' = L + dt/2 torque(q),    q1 = q turned freely with L' for dt,    L1 = L' + dt/2 torque(q1).
 *
 * Each part is exact or symplectic (state/rotation.h), and the whole is symmetric in time: of second
 * order, and the energy does not drift. Both integrators do this: that of Stoermer has differences
 * of positions, which rotations do not have. */
#include "soft/engine.h"

#include "state/rotation.h"

static Moments moments_at(const State *s, const Solid *solid, size_t i, Quat orientation) {
    return scr_moments(solid, s->bodies.mass[i], orientation);
}

static uint32_t frozen_axes(const State *s, size_t i) {
    return s->bodies.frozen[i] >> 3 & 7;
}

static Vec3 spin_of(const State *s, size_t i, const Moments *m, Vec3 momentum, Vec3 held) {
    uint32_t frozen = frozen_axes(s, i);
    return frozen == 0 ? scr_spin_with(m, momentum) : scr_held_spin(m, momentum, held, frozen);
}

/* Velocities at the middle of the step: the mean of those that the momentum has at both ends. A body
 * that is held about an axis turns at a constant spin instead of freely, as in contact dynamics
 * (dynamics/prediction.c). */
void scr_soft_turn(const State *s, Soft *w, size_t i, size_t k, const Solid *solid) {
    const Bodies *b = &s->bodies;
    const double dt = w->time_step;
    SoftMotion *m = &w->motion[k];
    SoftTurn *turn = &w->shapes.turn[i];
    const Vec3 torque = add(w->load[k].torque, b->torque[i]);
    const Moments start = moments_at(s, solid, i, b->orientation[i]);
    const Vec3 momentum = scr_angular_momentum(&start, b->spin[i]);
    *turn = (SoftTurn){.orientation = b->orientation[i], .momentum = momentum};
    m->w = b->spin[i];
    m->dw = vec3(0, 0, 0);
    if (dt == 0) {
        return;
    }
    turn->momentum = add_scaled(momentum, 0.5 * dt, torque);
    const Vec3 spin = spin_of(s, i, &start, turn->momentum, b->spin[i]);
    Quat turned;
    if (frozen_axes(s, i) == 0) {
        turned = scr_free_rotation(&start, turn->momentum, dt);
    } else {
        turned = quat_from_turn(scale(dt, spin));
        turn->momentum = scr_angular_momentum(&start, spin);
    }
    turn->orientation = quat_renormalise(quat_multiply(turned, b->orientation[i]));
    const Moments end = moments_at(s, solid, i, turn->orientation);
    m->w = scale(0.5, add(spin, spin_of(s, i, &end, turn->momentum, spin)));
    const Vec3 later = add_scaled(turn->momentum, 0.5 * dt, torque);
    m->dw = sub(spin_of(s, i, &end, later, spin), m->w);
}

SoftTurned scr_soft_turned(const State *s, const Soft *w, size_t i, size_t k, const Solid *solid) {
    const SoftTurn *turn = &w->shapes.turn[i];
    const Vec3 torque = add(w->load[k].torque, s->bodies.torque[i]), before = s->bodies.spin[i];
    const Moments start = moments_at(s, solid, i, s->bodies.orientation[i]);
    const Moments end = moments_at(s, solid, i, turn->orientation);
    const Vec3 momentum = add_scaled(turn->momentum, 0.5 * w->time_step, torque);
    SoftTurned t = {.orientation = turn->orientation};
    t.spin = spin_of(s, i, &end, momentum, before);
    t.kinetic = dot(t.spin, scr_angular_momentum(&end, t.spin));
    t.gain = t.kinetic - dot(before, scr_angular_momentum(&start, before));
    return t;
}

Sym3 scr_soft_inverse_inertia(const State *s, const Soft *w, size_t i) {
    const Solid *solid = scr_solid_of(s, i);
    if (solid != NULL) {
        const Moments m = moments_at(s, solid, i, w->shapes.orientation[i]);
        return scr_inverse_inertia(&m, frozen_axes(s, i));
    }
    const double inverse = 1 / s->bodies.inertia[i];
    const uint32_t frozen = frozen_axes(s, i);
    return sym3_diagonal(frozen & 1 ? 0 : inverse, frozen & 2 ? 0 : inverse,
                         frozen & 4 ? 0 : inverse);
}
