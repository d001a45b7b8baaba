/* Passes over the rows of a step in the order of the sweep: impulses pushed at first, overlaps taken back.
 *
 * A team for each box of a group, its bodies in shared memory. Rows of a step share no body that moves. The warps of the team
 * take turns: while one of them has a step, the rows of the next ones are on their way. */
#ifndef SCREE_CUDA_STEP_PASSES_H
#define SCREE_CUDA_STEP_PASSES_H

#include "step_rows.h"

enum { PASS_NUMBERS = BODY_NUMBERS + 1 }; /* of a member, so that they do not meet in few banks */

typedef struct BoxPass {
    const ScreeDeviceBox *box;
    const int32_t *step_end, *member;
    double *bodies;  /* [9 members] */
    Problem problem; /* of one row */
} BoxPass;

ON_DEVICE BoxPass pass_of(const StepArguments *given, const Team team) {
    const StepArrays *arrays = arrays_of(given->step);
    BoxPass pass;
    memset(&pass.problem, 0, sizeof pass.problem);
    pass.box = &arrays->box[given->first_box + team.index];
    pass.step_end = arrays->step_end + pass.box->row;
    pass.member = arrays->member_of + 2 * (size_t)pass.box->row;
    pass.problem.dimension = given->step->task.problem.dimension;
    pass.bodies = team.shared;
    return pass;
}

/* Two lanes for each body. */
ON_DEVICE void fetch_members(const StepThere *k, const BoxPass *pass, int lane) {
    for (int i = lane; i < 2 * pass->box->members; i += LANES) {
        const int32_t body = pass->member[i / 2];
        const double *from = (const double *)&k->task.problem.body[body < 0 ? -1 - body : body];
        double *to = pass->bodies + PASS_NUMBERS * (i / 2);
        for (int j = i % 2 * BODY_NUMBERS / 2; j < (i % 2 + 1) * BODY_NUMBERS / 2; j += 2) {
            const Two x = load_two(from + j);
            to[j] = x.x, to[j + 1] = x.y;
        }
    }
}

ON_DEVICE ProblemBody member_body(const BoxPass *pass, int i) {
    const double *x = pass->bodies + PASS_NUMBERS * i;
    ProblemBody b;
    b.v = vec3(x[0], x[1], x[2]);
    b.s = vec3(x[3], x[4], x[5]);
    b.inverse_mass = x[6], b.inverse_inertia = x[7];
    return b;
}

ON_DEVICE void leave_body(const BoxPass *pass, int i, const ProblemBody *b) {
    double *x = pass->bodies + PASS_NUMBERS * i;
    x[0] = b->v.x, x[1] = b->v.y, x[2] = b->v.z;
    x[3] = b->s.x, x[4] = b->s.y, x[5] = b->s.z;
}

/* Walls stay as they are. */
ON_DEVICE void leave_members(const StepThere *k, const BoxPass *pass, int lane) {
    for (int i = lane; i < pass->box->members; i += LANES) {
        const int32_t body = pass->member[i];
        if (body >= 0) {
            const ProblemBody b = member_body(pass, i);
            k->task.problem.body[body].v = b.v;
            k->task.problem.body[body].s = b.s;
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
    const int begin = step > 0 && step < pass->box->steps ? pass->step_end[step - 1] : 0;
    const int i = begin + lane % WARP;
    row->a = -1;
    *gap = 0;
    if (step < pass->box->steps && i < pass->step_end[step]) {
        *row = read_row(arrays_of(k), pass->box->row + i);
        *gap = gaps ? arrays_of(k)->gap[pass->box->row + i] : 0;
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
        OF(mine) = lane / WARP;                                                                    \
        ask_for_pass(k, &pass, OF(mine), lane, parts, &OF(row), &OF(gap));                         \
        fetch_members(k, &pass, lane);                                                             \
    }                                                                                              \
    BARRIER();                                                                                     \
    for (int step = 0; step < pass.box->steps; step++) {                                           \
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
