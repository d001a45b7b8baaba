/* Passes over the rows of a step in the order of the sweep: impulses pushed at first, overlaps taken back.
 *
 * A team for each box of a group, its bodies in shared memory. Rows of a step share no body that moves. The warps of the team
 * take turns: while one of them has a step, the rows of the next ones are on their way. */
#ifndef SCREE_CUDA_STEP_PASSES_H
#define SCREE_CUDA_STEP_PASSES_H

#include "step_rows.h"

/* Numbers of shared memory for boxes of so many members and steps. */
ON_BOTH int pass_numbers(int members, int steps) {
    return BODY_NUMBERS * members + (members + 1) / 2 + (steps + 1) / 2;
}

typedef struct BoxPass {
    ScreeDeviceBox box;
    double *bodies;  /* [8 members] as in sweeps */
    int32_t *member; /* [members] */
    int32_t *end;    /* [steps] */
    Problem problem; /* of one row */
} BoxPass;

ON_DEVICE BoxPass pass_of(const StepArguments *given, const Team team) {
    BoxPass pass;
    memset(&pass.problem, 0, sizeof pass.problem);
    pass.box = arrays_of(given->step)->box[given->first_box + team.index];
    pass.bodies = team.shared;
    pass.member = (int32_t *)(team.shared + BODY_NUMBERS * given->room);
    pass.end = pass.member + (given->room + 1) / 2 * 2;
    pass.problem.dimension = given->step->task.problem.dimension;
    return pass;
}

ON_DEVICE void list_pass(const StepThere *k, const BoxPass *pass, int lane) {
    const StepArrays *arrays = arrays_of(k);
    for (int i = lane; i < pass->box.members; i += LANES) {
        pass->member[i] = arrays->member_of[2 * (size_t)pass->box.row + (size_t)i];
    }
    for (int i = lane; i < pass->box.steps; i += LANES) {
        pass->end[i] = arrays->step_end[pass->box.row + i];
    }
}

/* Four lanes for each body. */
ON_DEVICE void fetch_members(const StepThere *k, const BoxPass *pass, int lane) {
    const int two = lane % BODY_TWOS;
    for (int i = lane / BODY_TWOS; i < pass->box.members; i += LANES / BODY_TWOS) {
        const int32_t body = pass->member[i] < 0 ? -1 - pass->member[i] : pass->member[i];
        fetch_two(two_of_body(pass->bodies, i, two),
                  (const double *)&k->task.problem.body[body] + 2 * two, true);
    }
}

ON_DEVICE ProblemBody member_body(const BoxPass *pass, int i) {
    const Two first = load_two(two_of_body(pass->bodies, i, 0));
    const Two second = load_two(two_of_body(pass->bodies, i, 1));
    const Two third = load_two(two_of_body(pass->bodies, i, 2));
    const Two last = load_two(two_of_body(pass->bodies, i, 3));
    ProblemBody b;
    b.v = vec3(first.x, first.y, second.x);
    b.s = vec3(second.y, third.x, third.y);
    b.inverse_mass = last.x, b.inverse_inertia = last.y;
    return b;
}

ON_DEVICE void leave_body(const BoxPass *pass, int i, const ProblemBody *b) {
    store_two(two_of_body(pass->bodies, i, 0), b->v.x, b->v.y);
    store_two(two_of_body(pass->bodies, i, 1), b->v.z, b->s.x);
    store_two(two_of_body(pass->bodies, i, 2), b->s.y, b->s.z);
}

/* Walls stay as they are. */
ON_DEVICE void leave_members(const StepThere *k, const BoxPass *pass, int lane) {
    const int two = lane % BODY_TWOS;
    for (int i = lane / BODY_TWOS; i < pass->box.members; i += LANES / BODY_TWOS) {
        const int32_t body = pass->member[i];
        if (body >= 0 && two < BODY_TWOS - 1) {
            const Two x = load_two(two_of_body(pass->bodies, i, two));
            store_two((double *)&k->task.problem.body[body] + 2 * two, x.x, x.y);
        }
    }
}

/* The impulse of a row to its bodies. */
ON_DEVICE bool push_row(Problem *p, const Row *r) {
    const Vec3 t =
        p->dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
    scr_round_push(p, r, add_scaled(t, r->rn, r->normal));
    return true;
}

/* Apart, by the part of their overlap that is taken back (src/dynamics/project.c). */
ON_DEVICE bool part_row(const StepThere *k, Problem *p, const Row *r, double gap) {
    const double room = gap >= 0 ? gap : k->projection * gap;
    const RowVelocity u =
        scr_round_velocity(p->dimension, &p->body[r->a], &p->body[r->b], r->normal);
    const double push = -r->mass_n * (u.n + room);
    if (push > 0) {
        scr_round_push(p, r, scale(push, r->normal));
    }
    return push > 0;
}

/* The row of a lane in a step, and its gap; without one it is of no body. */
ON_DEVICE void ask_for_pass(const StepThere *k, const BoxPass *pass, int step, int lane, bool gaps,
                            Row *row, double *gap) {
    const int begin = step > 0 && step < pass->box.steps ? pass->end[step - 1] : 0;
    const int i = begin + lane % WARP;
    row->a = -1;
    *gap = 0;
    if (step < pass->box.steps && i < pass->end[step]) {
        *row = read_row(arrays_of(k), pass->box.row + i);
        *gap = gaps ? arrays_of(k)->gap[pass->box.row + i] : 0;
    }
}

ON_DEVICE void visit_row(const StepThere *k, const BoxPass *pass, bool parts, Row *row,
                         double gap) {
    const int first = row->a, second = row->b;
    RowBodies both = {{member_body(pass, first), member_body(pass, second)}};
    Problem one = pass->problem;
    one.body = both.body;
    row->a = 0, row->b = 1;
    if (parts ? part_row(k, &one, row, gap) : push_row(&one, row)) {
        leave_body(pass, first, &both.body[0]);
        if (scr_is_movable(&both.body[1])) {
            leave_body(pass, second, &both.body[1]);
        }
    }
}

/* Lanes of a step have bodies of their own, but for walls, which none of them changes. */
#define VISIT_BOX(parts)                                                                           \
    const StepThere *k = given.step;                                                               \
    BoxPass pass = pass_of(&given, team);                                                          \
    LANE_VALUE(Row, row);                                                                          \
    LANE_VALUE(double, gap);                                                                       \
    LANE_VALUE(int, mine); /* the step of its next turn */                                         \
    EACH_LANE {                                                                                    \
        list_pass(k, &pass, lane);                                                                 \
    }                                                                                              \
    BARRIER();                                                                                     \
    EACH_LANE {                                                                                    \
        OF(mine) = lane / WARP;                                                                    \
        fetch_members(k, &pass, lane);                                                             \
        ask_for_pass(k, &pass, OF(mine), lane, parts, &OF(row), &OF(gap));                         \
    }                                                                                              \
    FETCHED();                                                                                     \
    BARRIER();                                                                                     \
    for (int step = 0; step < pass.box.steps; step++) {                                            \
        EACH_LANE {                                                                                \
            if (OF(mine) == step) {                                                                \
                if (OF(row).a >= 0) {                                                              \
                    visit_row(k, &pass, parts, &OF(row), OF(gap));                                 \
                }                                                                                  \
                OF(mine) += WARPS;                                                                 \
                ask_for_pass(k, &pass, OF(mine), lane, parts, &OF(row), &OF(gap));                 \
            }                                                                                      \
        }                                                                                          \
        BARRIER();                                                                                 \
    }                                                                                              \
    EACH_LANE {                                                                                    \
        leave_members(k, &pass, lane);                                                             \
    }

KERNEL(push_boxes, StepArguments){TEAM_BEGIN VISIT_BOX(false)}

KERNEL(part_boxes, StepArguments) {
    TEAM_BEGIN
    VISIT_BOX(true)
}

#endif
