/* Passes over all bodies of a step: a lane for each. */
#ifndef SCREE_CUDA_STEP_BODIES_H
#define SCREE_CUDA_STEP_BODIES_H

#include "step_lanes.h"

ON_DEVICE bool is_negative_zero(double x) {
    return bits_of(x) == UINT64_C(1) << 63;
}

ON_DEVICE bool has_negative_zero(const ProblemBody *b) {
    return is_negative_zero(b->v.x) || is_negative_zero(b->v.y) || is_negative_zero(b->v.z) ||
           is_negative_zero(b->s.x) || is_negative_zero(b->s.y) || is_negative_zero(b->s.z);
}

/* Bodies of the problem are read and written two numbers at a time. */
ON_DEVICE ProblemBody read_problem_body(const ProblemBody *from) {
    const double *x = (const double *)from;
    const Two first = load_two(x), second = load_two(x + 2), third = load_two(x + 4);
    const Two last = load_two(x + 6);
    ProblemBody b;
    b.v = vec3(first.x, first.y, second.x);
    b.s = vec3(second.y, third.x, third.y);
    b.inverse_mass = last.x, b.inverse_inertia = last.y;
    return b;
}

ON_DEVICE void write_velocities(ProblemBody *to, const ProblemBody *from) {
    double *x = (double *)to;
    store_two(x, from->v.x, from->v.y);
    store_two(x + 2, from->v.z, from->s.x);
    store_two(x + 4, from->s.y, from->s.z);
}

/* As scr_place_body. */
ON_DEVICE ProblemBody place_body(const StepThere *k, size_t i, Vec3 motion) {
    const int32_t rank = k->list.neighbours.rank[i];
    const Vec3 at = k->state.bodies.position[i];
    const ProblemBody p =
        scr_free_body(&k->task, i, motion, scr_free_round_turn(&k->with, &k->state, i));
    ProblemBody *to = &k->task.problem.body[rank];
    double *spot = (double *)&k->list.neighbours.spot[rank];
    write_velocities(to, &p);
    store_two((double *)to + 6, p.inverse_mass, p.inverse_inertia);
    store_two(spot, at.x, at.y);
    store_two(spot + 2, at.z, k->state.bodies.radius[i]);
    k->task.reach[rank] = scr_free_reach(&k->task, i, motion);
    return p;
}

enum { STOPS = 3 /* twos of a body that are velocities */ };

/* Free motion, and the bodies of the problem there. */
KERNEL(predict_bodies, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    const State *s = &k->state;
    LANE_VALUE(int64_t, outruns);
    LANE_VALUE(int64_t, negative);
    EACH_LANE {
        const size_t i = ITEM;
        OF(outruns) = OF(negative) = 0;
        if (i < s->bodies.count) {
            const StepParams *with = &k->with;
            const CellStretch cell = {0};
            const Vec3 motion =
                scr_motion(with, s->bodies.velocity[i], scr_free_velocity(with, s, i));
            const Vec3 by = scale(with->time_step, motion);
            k->free.motion[i] = motion;
            const ProblemBody p = place_body(k, i, motion);
            OF(outruns) = !scr_stays_within(with, s, &cell, i, by, 0.8);
            OF(negative) = has_negative_zero(&p);
        }
        if (i <= s->walls.count) {
            k->task.problem.body[s->bodies.count + i] = k->wall_body[i];
        }
    }
    COUNT_ALL(&given.left->count[2], outruns);
    COUNT_ALL(&given.left->count[3], negative);
}

/* Velocities as they are in free motion. */
KERNEL(free_bodies, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    const State *s = &k->state;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < s->bodies.count) {
            ProblemBody *b = &k->task.problem.body[k->list.neighbours.rank[i]];
            b->v = k->free.motion[i];
            b->s = scale(s->bodies.radius[i], scr_free_round_turn(&k->with, s, i));
        }
        if (i <= s->walls.count) {
            k->task.problem.body[s->bodies.count + i] = k->wall_body[i];
        }
    }
}

/* Beyond it the turn of a body in the step needs more than a few terms of a series. */
ON_DEVICE bool turns_far(const StepThere *k, size_t i) {
    const ProblemBody *p = &k->task.problem.body[k->list.neighbours.rank[i]];
    const Vec3 half = scale(0.5 * k->with.time_step / k->state.bodies.radius[i], p->s);
    return !(dot(half, half) < 0.9 * SCR_SMALL_ANGLE * SCR_SMALL_ANGLE);
}

KERNEL(audit_bodies, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    LANE_VALUE(int64_t, outruns);
    LANE_VALUE(int64_t, infinite);
    LANE_VALUE(int64_t, turns);
    LANE_VALUE(double, energy);
    LANE_VALUE(double, most);
    EACH_LANE {
        const size_t i = ITEM;
        const CellStretch cell = {0};
        BodyAudit found = {0};
        OF(turns) = 0;
        if (i < k->state.bodies.count) {
            scr_audit_body(&k->task, &cell, i, scr_body_shift(&k->task, i), &found);
            OF(turns) = turns_far(k, i);
        }
        OF(outruns) = found.outruns;
        OF(infinite) = found.infinite || !(found.energy < INFINITY);
        OF(energy) = found.energy;
        OF(most) = found.most;
    }
    COUNT_ALL(&given.left->count[0], outruns);
    COUNT_ALL(&given.left->count[1], infinite);
    COUNT_ALL(&given.left->count[2], turns);
    RAISE_ALL(&given.left->most[0], energy);
    RAISE_ALL(&given.left->most[1], most);
}

ON_DEVICE void wrap_body(StepThere *k, size_t i) {
    if (k->periodic) {
        scr_wrap(&k->state.def, &k->state.bodies.position[i], &k->state.bodies.anchor[i]);
    }
}

ON_DEVICE MotionSums move_body(StepThere *k, size_t i) {
    State *s = &k->state;
    const int32_t rank = k->list.neighbours.rank[i];
    ProblemBody p = read_problem_body(&k->task.problem.body[rank]);
    const double per_r = 1 / s->bodies.radius[i];
    const Vec3 turn = scale(per_r, p.s), by = scr_displacement(&k->task, rank);
    MotionSums sum = {0};
    const Spins w = scr_turn_round(&k->with, s, i, turn, &sum);
    scr_take_velocity(&k->with, s, i, &p, turn, w, &sum);
    write_velocities(&k->task.problem.body[rank], &p);
    scr_shift_body(&s->bodies, i, by, scale(k->with.time_step, turn));
    wrap_body(k, i);
    k->list.neighbours.spot[rank].x = s->bodies.position[i];
    return sum;
}

KERNEL(move_bodies, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    LANE_VALUE(double, work);
    LANE_VALUE(double, scheme);
    LANE_VALUE(double, gain);
    LANE_VALUE(double, kinetic);
    LANE_VALUE(double, fastest);
    EACH_LANE {
        const size_t i = ITEM;
        MotionSums sum = {0};
        if (i < k->state.bodies.count) {
            sum = move_body(k, i);
        }
        OF(work) = sum.work, OF(scheme) = sum.scheme;
        OF(gain) = sum.gain, OF(kinetic) = sum.kinetic;
        OF(fastest) = sum.fastest;
    }
    SUM_EXACTLY(sum_of(&given, team.index, 0), work);
    SUM_EXACTLY(sum_of(&given, team.index, 1), scheme);
    SUM_EXACTLY(sum_of(&given, team.index, 2), gain);
    SUM_EXACTLY(sum_of(&given, team.index, 3), kinetic);
    RAISE_ALL(&given.left->most[0], fastest);
}

/* Velocities of the problem become displacements. */
KERNEL(stop_bodies, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    EACH_LANE {
        const size_t body = ITEM / STOPS, two = ITEM % STOPS;
        if (body < k->task.problem.bodies) {
            store_two((double *)&k->task.problem.body[body] + 2 * two, 0, 0);
        }
    }
}

KERNEL(displace_bodies, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    State *s = &k->state;
    LANE_VALUE(double, work);
    EACH_LANE {
        const size_t i = ITEM;
        OF(work) = 0;
        if (i < s->bodies.count) {
            const int32_t rank = k->list.neighbours.rank[i];
            const ProblemBody by = read_problem_body(&k->task.problem.body[rank]);
            const Vec3 about = scale(1 / s->bodies.radius[i], by.s);
            OF(work) = scr_projected_work(&k->with, s, i, by.v, about, 1 / k->with.time_step);
            scr_shift_body(&s->bodies, i, by.v, about);
            wrap_body(k, i);
            k->list.neighbours.spot[rank].x = s->bodies.position[i];
        }
    }
    SUM_EXACTLY(sum_of(&given, team.index, 0), work);
}

#endif
