/* The rows of a step on the card, and what becomes of their contacts after the sweeps: impulses, loads and certificate. */
#ifndef SCREE_CUDA_STEP_ROWS_H
#define SCREE_CUDA_STEP_ROWS_H

#include "box_room.h"
#include "step_bodies.h"
#include "step_pack.h"

/* Its last number is there already. */
ON_DEVICE void write_row(const StepArrays *arrays, int at, const Row *r) {
    double *constant = arrays->constant;
    store_two(constant + two_at(at, 0, CONSTANTS), r->normal.x, r->normal.y);
    store_two(constant + two_at(at, 1, CONSTANTS), r->normal.z, r->bias);
    store_two(constant + two_at(at, 2, CONSTANTS), r->mass_n, r->mass_t);
    constant[two_at(at, 3, CONSTANTS)] = r->mu;
    store_two(arrays->impulse + two_at(at, 0, IMPULSES), r->rn, r->rt.x);
    store_two(arrays->impulse + two_at(at, 1, IMPULSES), r->rt.y, r->rt.z);
}

/* A row as it is stored; its bodies are members of the box. */
ON_DEVICE Row read_row(const StepArrays *arrays, int at) {
    double c[CONSTANTS];
    Row r;
    for (int two = 0; two < CONSTANTS / 2; two++) {
        const Two both = load_two(arrays->constant + two_at(at, two, CONSTANTS));
        c[2 * two] = both.x, c[2 * two + 1] = both.y;
    }
    const Two first = load_two(arrays->impulse + two_at(at, 0, IMPULSES));
    const Two last = load_two(arrays->impulse + two_at(at, 1, IMPULSES));
    const uint64_t whole = bits_of(c[CONSTANTS - 1]);
    r.normal = vec3(c[0], c[1], c[2]);
    r.bias = c[3];
    r.rn = first.x;
    r.rt = vec3(first.y, last.x, last.y);
    r.mass_n = c[4], r.mass_t = c[5], r.mu = c[6];
    r.a = (int32_t)(whole & 0xffff);
    r.b = (int32_t)(whole >> 16 & 0xffff);
    return r;
}

/* The two bodies of a row. */
typedef struct RowBodies {
    ProblemBody body[2];
} RowBodies;

ON_DEVICE RowVelocity make_row(const StepThere *k, const Contact *c, Row *row) {
    const ProblemBody *body = k->task.problem.body;
    const int32_t a = k->list.neighbours.rank[c->a], b = partner_of(k, c);
    RowBodies both = {{read_problem_body(&body[a]), read_problem_body(&body[b])}};
    Problem one;
    const double gap = k->state.def.signed_gap ? c->gap : scr_max(c->gap, 0);
    memset(&one, 0, sizeof one);
    one.dimension = k->task.problem.dimension;
    one.body = both.body;
    *row = scr_coulomb_row(&k->state, c, gap * (1 / k->with.time_step), 0, 1);
    scr_row_complete(&one, row);
    return scr_round_velocity(one.dimension, &both.body[0], &both.body[1], row->normal);
}

/* A lane for each row, in the order of the sweep. */
KERNEL(make_rows, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    LANE_VALUE(int64_t, rough);
    LANE_VALUE(int64_t, warm);
    LANE_VALUE(double, alone);
    LANE_VALUE(double, all);
    EACH_LANE {
        const size_t i = ITEM;
        OF(rough) = OF(warm) = 0;
        OF(alone) = OF(all) = 0;
        if (i < k->contacts) {
            const Contact c = read_contact(&arrays->contact[arrays->contact_at[i]]);
            Row row;
            const RowVelocity q = make_row(k, &c, &row);
            const double qn = q.n + row.bias, qt = dot(q.t, q.t);
            const LawRound round = {row.mass_n, row.mass_t, row.mu};
            OF(alone) = law_round_alone_square(&round, qn, qt);
            OF(all) = qn * qn + qt;
            OF(rough) = row.mu > 0;
            OF(warm) = row.rn > 0;
            arrays->approach[i] = scr_max(0, -qn);
            write_row(arrays, (int)i, &row);
        }
    }
    COUNT_ALL(&given.left->count[0], rough);
    COUNT_ALL(&given.left->count[1], warm);
    SUM_EXACTLY(sum_of(&given, team.index, 0), alone);
    SUM_EXACTLY(sum_of(&given, team.index, 1), all);
}

/* ---------------------------------------------------------------- after the sweeps */

/* Force and torque. */
typedef struct Wrench {
    double of[THERE_WRENCH];
} Wrench;

ON_DEVICE Wrench load_of(const StepThere *k, const Contact *c) {
    const ScreeWallDef *w = &k->state.walls.item[scr_wall_of(c->b)].now;
    const Vec3 force = scale(1 / k->with.time_step,
                             add_scaled(c->tangential_impulse, c->normal_impulse, c->normal));
    const Vec3 point = add(k->state.bodies.position[c->a], scr_round_arms(&k->state, c, NULL).a);
    const Vec3 torque = cross(sub(point, w->pivot), force);
    const Wrench load = {{force.x, force.y, force.z, torque.x, torque.y, torque.z}};
    return load;
}

/* What contacts exert on walls; those with walls come last. */
KERNEL(load_walls, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    LANE_VALUE(Wrench, load);
    LANE_VALUE(int, wall);
    LANE_VALUE(double, part);
    EACH_LANE {
        const size_t i = k->pair_contacts + ITEM;
        const Contact *c = &arrays_of(k)->contact[i];
        OF(wall) = -1;
        if (i < k->contacts && c->state != SCREE_CONTACT_OPEN) {
            OF(wall) = (int)scr_wall_of(c->b);
            OF(load) = load_of(k, c);
        }
    }
    for (int w = 0; w < (int)k->state.walls.count; w++) {
        for (int axis = 0; axis < THERE_WRENCH; axis++) {
            EACH_LANE {
                OF(part) = OF(wall) == w ? OF(load).of[axis] : 0;
            }
            SUM_EXACTLY(given.left->load[w][axis], part);
        }
    }
}

KERNEL(collect_contacts, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    LANE_VALUE(int64_t, active);
    LANE_VALUE(int64_t, sliding);
    LANE_VALUE(double, work);
    EACH_LANE {
        const size_t i = ITEM;
        OF(active) = OF(sliding) = 0;
        OF(work) = 0;
        if (i < k->contacts) {
            Contact c = read_contact(&arrays->contact[i]);
            const Row r = read_row(arrays, arrays->row_at[i]);
            scr_take_impulse(&r, k->state.def.dimension == 3, &c);
            c.state = scr_state_of(&r, r.rn, r.rn == 0);
            write_contact(&arrays->contact[i], &c);
            OF(active) = c.state != SCREE_CONTACT_OPEN;
            OF(sliding) = c.state == SCREE_CONTACT_SLIP;
            if (c.state != SCREE_CONTACT_OPEN) {
                const int32_t wall = c.b < 0 ? partner_of(k, &c) : -1;
                OF(work) = scr_driving_work(&k->task, &c, scr_round_arms(&k->state, &c, NULL),
                                            vec3(0, 0, 0), wall);
            }
        }
    }
    COUNT_ALL(&given.left->count[0], active);
    COUNT_ALL(&given.left->count[1], sliding);
    SUM_EXACTLY(sum_of(&given, team.index, 0), work);
}

/* At walls the row tells, as on the processor. */
ON_DEVICE RoundTaken taken_by(const StepThere *k, const Contact *c, int at) {
    const Problem *p = &k->task.problem;
    const RoundTaken nothing = {0, 0};
    if (c->b >= 0 && c->normal_impulse == 0) {
        return nothing;
    }
    const ProblemBody a = read_problem_body(&p->body[k->list.neighbours.rank[c->a]]);
    const ProblemBody b = read_problem_body(&p->body[partner_of(k, c)]);
    if (c->b >= 0) {
        return scr_taken_by_round(c, &a, &b);
    }
    const Row r = read_row(arrays_of(k), at);
    if (!(r.rn > 0)) {
        return nothing;
    }
    const RowVelocity mean = scr_round_velocity(p->dimension, &a, &b, r.normal);
    const RoundTaken taken = {-(r.rn * mean.n), -dot(r.rt, mean.t)};
    return taken;
}

ON_DEVICE double gap_now(const StepThere *k, const Contact *c) {
    const Neighbours *nb = &k->list.neighbours;
    if (c->b < 0) {
        const Pair pair = {c->a, c->b};
        return touch_plane(k, pair).gap;
    }
    return scr_gap_of_spots(&k->state, k->periodic, &nb->spot[nb->rank[c->a]],
                            &nb->spot[nb->rank[c->b]]);
}

/* `group` 1: only the overlaps. */
KERNEL(certify_contacts, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    LANE_VALUE(double, normal);
    LANE_VALUE(double, friction);
    LANE_VALUE(double, overlap);
    LANE_VALUE(double, deepest);
    LANE_VALUE(double, added);
    EACH_LANE {
        const size_t i = ITEM;
        OF(normal) = OF(friction) = OF(overlap) = OF(deepest) = OF(added) = 0;
        if (i < k->contacts) {
            const Contact c = read_contact(&arrays->contact[i]);
            const double gap = gap_now(k, &c), depth = scr_max(0, -gap);
            if (given.group == 0) {
                const int at = arrays->row_at[i];
                const RoundTaken taken = taken_by(k, &c, at);
                OF(normal) = taken.normal;
                OF(friction) = taken.friction;
                arrays->gap[at] = gap;
            }
            OF(deepest) = depth;
            OF(added) = depth - scr_max(0, -c.gap);
            OF(overlap) = c.state != SCREE_CONTACT_OPEN ? depth : 0;
        }
    }
    SUM_EXACTLY(sum_of(&given, team.index, 0), normal);
    SUM_EXACTLY(sum_of(&given, team.index, 1), friction);
    SUM_EXACTLY(sum_of(&given, team.index, 2), overlap);
    RAISE_ALL(&given.left->most[0], deepest);
    RAISE_ALL(&given.left->most[1], added);
}

/* What errors within the tolerance may explain (src/dynamics/judge.c). */
KERNEL(weigh_rows, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    LANE_VALUE(double, asked);
    LANE_VALUE(double, impulse);
    LANE_VALUE(double, approach);
    EACH_LANE {
        const size_t i = ITEM;
        OF(asked) = OF(impulse) = OF(approach) = 0;
        if (i < k->contacts) {
            const Row r = read_row(arrays, (int)i);
            const double size = scr_max(fabs(r.rn), 0);
            OF(asked) = -r.bias > 0 ? -r.bias * r.rn : 0;
            OF(impulse) = size * size + dot(r.rt, r.rt);
            OF(approach) = arrays->approach[i] * arrays->approach[i];
        }
    }
    SUM_EXACTLY(sum_of(&given, team.index, 0), asked);
    SUM_EXACTLY(sum_of(&given, team.index, 1), impulse);
    SUM_EXACTLY(sum_of(&given, team.index, 2), approach);
}

#endif
