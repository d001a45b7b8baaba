/* How the bodies of the soft engine move.
 *
 * Velocity Verlet: half a kick by the forces at the start, a drift at the resulting velocity, and
 * half a kick by the forces at the end. Forces that depend on velocities are found at those that
 * the first half predicts for the end, v + dt a, which keeps the method of second order.
 *
 * Verlet (Stoermer): x_new = x + (x - x_old) + dt^2 a, from this and the last position. Velocities
 * are differences: the dashpots take (x_new - x) / dt, which lags by half a step and makes damping
 * first order; the state shows (x_next - x_old) / (2 dt), which is known as soon as the forces are.
 * The last position is stored as the displacement since then, so it does not matter whether the
 * body was moved elsewhere meanwhile or has crossed a periodic boundary. If the velocity of the
 * state is not the one that follows from the displacement, someone has set it, or the force or the
 * time step: then the displacement is computed anew from it. */
#include "soft/engine.h"

#include "base/status.h"
#include "state/rotation.h"

static const Vec3 zero = {0, 0, 0};

/* Whether a body has frozen axes besides those that keep a disk in the plane, where no force leads
 * out of it. Bodies without any take a shorter path through the code. */
static inline bool is_held(const State *s, size_t i) {
    const uint32_t plane = SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
    return s->bodies.frozen[i] != (s->def.dimension == 2 ? plane : 0);
}

/* a along free axes, `otherwise` along frozen ones; the bits start at `first`. */
static inline Vec3 free_axes(bool held, uint32_t frozen, unsigned first, Vec3 a, Vec3 otherwise) {
    if (!held) {
        return a;
    }
    frozen >>= first;
    return vec3(frozen & 1 ? otherwise.x : a.x, frozen & 2 ? otherwise.y : a.y,
                frozen & 4 ? otherwise.z : a.z);
}

/* Acceleration of body i under a contact force. */
static inline Vec3 acceleration(const State *s, size_t i, bool held, double inverse_mass,
                                Vec3 push) {
    Vec3 a = add_scaled(s->def.gravity, inverse_mass, add(push, s->bodies.force[i]));
    return free_axes(held, s->bodies.frozen[i], 0, a, zero);
}

static inline Vec3 angular_acceleration(const State *s, size_t i, bool held, double inverse_inertia,
                                        Vec3 twist) {
    Vec3 a = scale(inverse_inertia, add(twist, s->bodies.torque[i]));
    return free_axes(held, s->bodies.frozen[i], 3, a, zero);
}

/* Bodies are visited in their own order, so that the state is read and written sequentially; the
 * hot arrays, in the order along space, are prefetched. */
enum { AHEAD = 8 };

static inline size_t rank_of(const Soft *w, size_t i) {
    if (i + AHEAD < w->bodies) {
        size_t next = (size_t)w->neighbours.rank[i + AHEAD];
        __builtin_prefetch(&w->load[next]);
        __builtin_prefetch(&w->motion[next], 1);
        __builtin_prefetch(&w->motion[next].dv, 1);
        __builtin_prefetch(&w->ball[next], 1);
        __builtin_prefetch(&w->inertia[next]);
    }
    return (size_t)w->neighbours.rank[i];
}

/* ---------------------------------------------------------------- the last displacement */

/* The velocity that the state shows after a displacement, under the acceleration at its end. */
static inline Vec3 shown(Vec3 moved, Vec3 a, double dt) {
    return add_scaled(vec3(moved.x / dt, moved.y / dt, moved.z / dt), 0.5 * dt, a);
}

static inline Vec3 next_displacement(Vec3 moved, Vec3 v, Vec3 a, double dt) {
    Vec3 expected = shown(moved, a, dt);
    if (expected.x != v.x || expected.y != v.y || expected.z != v.z) {
        moved = scale(dt, add_scaled(v, -0.5 * dt, a));
    }
    return add_scaled(moved, dt * dt, a);
}

/* ---------------------------------------------------------------- drift */

/* Names the body that goes out of bounds. */
static ScreeStatus name_runaway(const State *s, const Soft *w, char *message) {
    for (size_t k = 0; k < w->bodies; k++) {
        const SoftMotion *m = &w->motion[k];
        Vec3 x = w->ball[k].x;
        double energy =
            w->inertia[k].mass * dot(m->v, m->v) + w->inertia[k].inertia * dot(m->w, m->w);
        if (!isfinite(16 * energy) || !is_finite(x)) {
            return scr_fail(
                message, SCREE_NOT_FINITE,
                "step %llu: body %d would exceed all bounds (speed %.3g); a smaller time step "
                "than %.3g is needed (advised: %.3g), or softer contacts",
                (unsigned long long)s->step + 1, w->order[k], length(m->v), s->def.time_step,
                scr_soft_advised_step(s));
        }
    }
    return scr_fail(
        message, SCREE_NOT_FINITE,
        "step %llu: the total energy of the bodies exceeds the range of numbers; a smaller "
        "time step than %.3g is needed (advised: %.3g)",
        (unsigned long long)s->step + 1, s->def.time_step, scr_soft_advised_step(s));
}

/* Back into the periodic cell, where all positions are. */
static Vec3 wrap(const ScreeWorldDef *def, Vec3 x) {
    Vec3 middle = scale(0.5, add(def->cell_min, def->cell_max));
    Vec3 from_middle = sub(x, middle), half = scale(0.5, sub(def->cell_max, def->cell_min));
    if ((!def->periodic[0] || fabs(from_middle.x) <= half.x) &&
        (!def->periodic[1] || fabs(from_middle.y) <= half.y) &&
        (!def->periodic[2] || fabs(from_middle.z) <= half.z)) {
        return x;
    }
    Vec3 shift = sub(scr_nearest_image(def, from_middle), from_middle);
    return add(x, shift);
}

SOFT_INLINE void drift_body(const State *s, Soft *w, size_t i, size_t k, bool verlet, bool held) {
    const Bodies *b = &s->bodies;
    SoftMotion *m = &w->motion[k];
    double dt = w->time_step;
    Vec3 a = acceleration(s, i, held, w->inertia[k].inverse_mass, w->load[k].force);
    Vec3 c = angular_acceleration(s, i, held, w->inertia[k].inverse_inertia, w->load[k].torque);
    if (verlet) {
        Vec3 moved = s->soft->displacement_next[i] =
            next_displacement(s->soft->displacement[i], b->velocity[i], a, dt);
        Vec3 turn = s->soft->turn_next[i] = next_displacement(s->soft->turn[i], b->spin[i], c, dt);
        m->v = scale(1 / dt, moved);
        m->w = scale(1 / dt, turn);
        m->dv = m->dw = zero;
        w->ball[k].x = add(b->position[i], moved);
    } else {
        m->dv = scale(0.5 * dt, a);
        m->dw = scale(0.5 * dt, c);
        m->v = add(b->velocity[i], m->dv);
        m->w = add(b->spin[i], m->dw);
        w->ball[k].x = add_scaled(b->position[i], dt, m->v);
    }
}

ScreeStatus scr_soft_drift(const State *s, Soft *w, ScreeReport *report, char *message) {
    const double dt = w->time_step;
    const bool periodic = scr_any_periodic(&s->def);
    const bool verlet = s->def.soft.integrator == SCREE_INTEGRATOR_VERLET && dt > 0;
    double fastest = 0, in_radii = 0, energy = 0, extent = 0;
    for (size_t i = 0; i < w->bodies; i++) {
        size_t k = rank_of(w, i);
        if (is_held(s, i)) {
            drift_body(s, w, i, k, verlet, true);
        } else {
            drift_body(s, w, i, k, verlet, false);
        }
        const Solid *solid = scr_solid_of(s, i);
        if (solid != NULL) {
            scr_soft_turn(s, w, i, k, solid);
        }
        SoftBall *p = &w->ball[k];
        const SoftMotion *m = &w->motion[k];
        const SoftInertia *inertia = &w->inertia[k];
        double square = dot(m->v, m->v), relative = square / (p->radius * p->radius);
        energy += inertia->mass * square + inertia->inertia * dot(m->w, m->w);
        extent += fabs(p->x.x) + fabs(p->x.y) + fabs(p->x.z);
        fastest = square > fastest ? square : fastest;
        in_radii = relative > in_radii ? relative : in_radii;
        if (periodic) {
            p->x = wrap(&s->def, p->x);
        }
    }
    w->far += dt * sqrt(fastest);
    report->motion_max = dt * sqrt(in_radii);
    return isfinite(16 * energy) && isfinite(extent) ? SCREE_OK : name_runaway(s, w, message);
}

/* ---------------------------------------------------------------- kick */

/* Within these bounds on velocities and masses no energy can overflow; otherwise bodies are checked
 * one by one. */
static const double safe = 1e50;

static bool is_safe(const Soft *w) {
    double change = w->time_step * w->tally.pressure;
    return change < safe * w->least_mass && (double)w->bodies * w->mean_mass < safe;
}

static bool energies_are_finite(const SoftTally *t) {
    double sum = t->elastic + t->pressure;
    for (int i = 0; i < LOSSES; i++) {
        sum += fabs(t->lost[i]) + fabs(t->power[i]);
    }
    return isfinite(sum);
}

/* The first body whose new velocity overflows, or else the one with the largest force. */
static size_t find_wildest(const State *s, const Soft *w, bool *overflows) {
    double total = 0, largest = -1;
    size_t wildest = 0;
    for (size_t k = 0; k < w->bodies; k++) {
        const SoftInertia *inertia = &w->inertia[k];
        size_t i = (size_t)w->order[k];
        bool held = is_held(s, i);
        Vec3 v = add_scaled(w->motion[k].v, 0.5 * w->time_step,
                            acceleration(s, i, held, inertia->inverse_mass, w->load[k].force));
        Vec3 spin = add_scaled(
            w->motion[k].w, 0.5 * w->time_step,
            angular_acceleration(s, i, held, inertia->inverse_inertia, w->load[k].torque));
        total += inertia->mass * dot(v, v) + inertia->inertia * dot(spin, spin);
        double force = length(w->load[k].force);
        if (!isfinite(16 * total) || !isfinite(force)) {
            *overflows = true;
            return k;
        }
        wildest = force > largest ? k : wildest;
        largest = scr_max(largest, force);
    }
    return wildest;
}

ScreeStatus scr_soft_check(const State *s, const Soft *w, char *message) {
    bool overflows = !energies_are_finite(&w->tally);
    if (is_safe(w) && !overflows) {
        return SCREE_OK;
    }
    size_t k = find_wildest(s, w, &overflows);
    if (!overflows) {
        return SCREE_OK;
    }
    return scr_fail(
        message, SCREE_NOT_FINITE,
        "step %llu: the contact forces on body %d exceed all bounds (%.3g); a smaller time step "
        "than %.3g is needed (advised: %.3g), or grains overlap too much",
        (unsigned long long)s->step + 1, w->order[k], length(w->load[k].force), s->def.time_step,
        scr_soft_advised_step(s));
}

/* What keeps the frozen axes of a body at their velocities does work against the contact forces on
 * it, averaged over both ends of the step. */
static double holding_work(const State *s, const SoftLoad *load, size_t i) {
    uint32_t frozen = s->bodies.frozen[i];
    Vec3 v = free_axes(true, frozen, 0, zero, s->bodies.velocity[i]);
    Vec3 spin = free_axes(true, frozen, 3, zero, s->bodies.spin[i]);
    return -0.5 * s->def.time_step *
           (dot(add(s->soft->push[i], load->force), v) +
            dot(add(s->soft->twist[i], load->torque), spin));
}

static inline void turn_body(Quat *q, Vec3 turn) {
    if (turn.x != 0 || turn.y != 0 || turn.z != 0) {
        *q = quat_renormalise(quat_multiply(quat_from_turn(turn), *q));
    }
}

void scr_soft_orientations(const State *s, const Soft *w, Quat *orientation) {
    const bool verlet = s->def.soft.integrator == SCREE_INTEGRATOR_VERLET;
    for (size_t i = 0; i < w->bodies; i++) {
        orientation[i] = s->bodies.orientation[i];
        if (w->time_step > 0) {
            Vec3 turn = scale(w->time_step, w->motion[w->neighbours.rank[i]].w);
            turn_body(&orientation[i], verlet ? s->soft->turn_next[i] : turn);
        }
        if (scr_solid_of(s, i) != NULL) {
            orientation[i] = w->shapes.turn[i].orientation;
        }
    }
}

/* Twice the kinetic energy gained in a step and present at its end, and the power of external
 * forces. */
typedef struct Sums {
    double gain, kinetic, external;
} Sums;

/* How a round body turns; energies are doubled. */
SOFT_INLINE SoftTurned kick_spin(State *s, const Soft *w, size_t i, size_t k, bool verlet,
                                 bool held) {
    const SoftMotion *m = &w->motion[k];
    const SoftInertia *inertia = &w->inertia[k];
    const double dt = w->time_step;
    const Vec3 before = s->bodies.spin[i];
    Vec3 c = angular_acceleration(s, i, held, inertia->inverse_inertia, w->load[k].torque);
    Vec3 turn = scale(dt, m->w), spin = add_scaled(m->w, 0.5 * dt, c);
    if (verlet) {
        s->soft->turn[i] = turn = s->soft->turn_next[i];
        spin = shown(turn, c, dt);
    }
    spin = free_axes(held, s->bodies.frozen[i], 3, spin, before);
    SoftTurned t = {
        .orientation = s->bodies.orientation[i],
        .spin = spin,
        .gain = inertia->inertia * dot(add(spin, before), sub(spin, before)),
        .kinetic = inertia->inertia * dot(spin, spin),
    };
    turn_body(&t.orientation, turn);
    return t;
}

/* `solid`: it is one, and turns as one. */
SOFT_INLINE void kick_body(State *s, const Soft *w, size_t i, size_t k, bool verlet, bool held,
                           const Solid *solid, Sums *sums) {
    Bodies *b = &s->bodies;
    const SoftMotion *m = &w->motion[k];
    const SoftInertia *inertia = &w->inertia[k];
    const double dt = w->time_step;
    const uint32_t frozen = b->frozen[i];
    Vec3 v0 = b->velocity[i];
    Vec3 weight = add_scaled(b->force[i], inertia->mass, s->def.gravity);
    sums->external += dot(free_axes(held, frozen, 0, weight, zero), m->v) +
                      dot(free_axes(held, frozen, 3, b->torque[i], zero), m->w);
    Vec3 a = acceleration(s, i, held, inertia->inverse_mass, w->load[k].force);
    Vec3 v = add_scaled(m->v, 0.5 * dt, a);
    if (verlet) {
        s->soft->displacement[i] = s->soft->displacement_next[i];
        v = shown(s->soft->displacement[i], a, dt);
    }
    v = free_axes(held, frozen, 0, v, v0);
    const SoftTurned turned =
        solid != NULL ? scr_soft_turned(s, w, i, k, solid) : kick_spin(s, w, i, k, verlet, held);
    sums->gain += inertia->mass * dot(add(v, v0), sub(v, v0)) + turned.gain;
    sums->kinetic += inertia->mass * dot(v, v) + turned.kinetic;
    b->position[i] = w->ball[k].x;
    b->velocity[i] = v;
    b->spin[i] = turned.spin;
    b->orientation[i] = turned.orientation;
}

void scr_soft_kick(State *s, Soft *w, ScreeReport *report) {
    const bool verlet = s->def.soft.integrator == SCREE_INTEGRATOR_VERLET;
    Sums sums = {0};
    for (size_t i = 0; i < w->bodies; i++) {
        size_t k = rank_of(w, i);
        if (is_held(s, i)) {
            report->work_walls += holding_work(s, &w->load[k], i);
            s->soft->push[i] = w->load[k].force;
            s->soft->twist[i] = w->load[k].torque;
            kick_body(s, w, i, k, verlet, true, scr_solid_of(s, i), &sums);
        } else if (scr_solid_of(s, i) != NULL) {
            kick_body(s, w, i, k, verlet, false, scr_solid_of(s, i), &sums);
        } else {
            kick_body(s, w, i, k, verlet, false, NULL, &sums);
        }
    }
    w->gain += 0.5 * sums.gain;
    report->kinetic_energy += 0.5 * sums.kinetic;
    report->work_external += w->time_step * sums.external;
}
