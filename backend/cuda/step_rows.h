/* The rows of a step on the card, and what becomes of their contacts after the sweeps: impulses, loads, certificate and
 * projection. */
#ifndef SCREE_CUDA_STEP_ROWS_H
#define SCREE_CUDA_STEP_ROWS_H

#include "box_room.h"
#include "step_order.h"

enum { CLUSTER = 7 /* among the largest numbers: that of the largest cluster */ };

ON_DEVICE void write_row(const StepArrays *arrays, int at, const Row *r, uint64_t whole) {
    double *constant = arrays->constant;
    double last;
    memcpy(&last, &whole, sizeof last);
    store_two(constant + two_at(at, 0, CONSTANTS), r->normal.x, r->normal.y);
    store_two(constant + two_at(at, 1, CONSTANTS), r->normal.z, r->bias);
    store_two(constant + two_at(at, 2, CONSTANTS), r->mass_n, r->mass_t);
    store_two(constant + two_at(at, 3, CONSTANTS), r->mu, last);
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
            const Problem *p = &k->task.problem;
            const Contact *c = &arrays->contact[i];
            const int at = arrays->row_at[i];
            const double gap = k->state.def.signed_gap ? c->gap : scr_max(c->gap, 0);
            Row row = scr_coulomb_row(&k->state, c, gap * (1 / k->with.time_step),
                                      k->list.neighbours.rank[c->a], partner_of(k, c));
            scr_row_complete(p, &row);
            const RowVelocity q =
                scr_round_velocity(p->dimension, &p->body[row.a], &p->body[row.b], row.normal);
            const double qn = q.n + row.bias, qt = dot(q.t, q.t);
            const LawRound round = {row.mass_n, row.mass_t, row.mu};
            OF(alone) = law_round_alone_square(&round, qn, qt);
            OF(all) = qn * qn + qt;
            OF(rough) = row.mu > 0;
            OF(warm) = row.rn > 0;
            arrays->approach[at] = scr_max(0, -qn);
            write_row(arrays, at, &row, arrays->whole[i]);
        }
    }
    COUNT_ALL(&given.left->count[0], rough);
    COUNT_ALL(&given.left->count[1], warm);
    SUM_EXACTLY(sum_of(&given, team.index, 0), alone);
    SUM_EXACTLY(sum_of(&given, team.index, 1), all);
}

/* ---------------------------------------------------------------- passes in the order of the sweep
 *
 * A team for each box of a group, its bodies in shared memory. Rows of a step share no body that moves; those of the next one
 * are read meanwhile. */

typedef struct BoxPass {
    const ScreeDeviceBox *box;
    const int32_t *step_end, *member;
    Problem problem; /* whose bodies are the members of the box */
} BoxPass;

ON_DEVICE BoxPass pass_of(const StepArguments *given, const Team team) {
    const StepArrays *arrays = arrays_of(given->step);
    BoxPass pass;
    memset(&pass.problem, 0, sizeof pass.problem);
    pass.box = &arrays->box[given->first_box + team.index];
    pass.step_end = arrays->step_end + pass.box->row;
    pass.member = arrays->member_of + 2 * (size_t)pass.box->row;
    pass.problem.dimension = given->step->task.problem.dimension;
    pass.problem.body = (ProblemBody *)team.shared;
    return pass;
}

ON_DEVICE void fetch_members(const StepThere *k, const BoxPass *pass, int lane) {
    for (int i = lane; i < pass->box->members; i += LANES) {
        const int32_t body = pass->member[i];
        pass->problem.body[i] = k->task.problem.body[body < 0 ? -1 - body : body];
    }
}

/* Walls stay as they are. */
ON_DEVICE void leave_members(const StepThere *k, const BoxPass *pass, int lane) {
    for (int i = lane; i < pass->box->members; i += LANES) {
        const int32_t body = pass->member[i];
        if (body >= 0) {
            k->task.problem.body[body].v = pass->problem.body[i].v;
            k->task.problem.body[body].s = pass->problem.body[i].s;
        }
    }
}

/* The impulse of a row to its bodies. */
ON_DEVICE void push_row(const StepThere *k, BoxPass *pass, const Row *r, int at) {
    const Vec3 t = pass->problem.dimension == 3
                       ? r->rt
                       : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
    (void)k, (void)at;
    scr_round_push(&pass->problem, r, add_scaled(t, r->rn, r->normal));
}

/* Apart, by the part of their overlap that is taken back (src/dynamics/project.c). */
ON_DEVICE void part_row(const StepThere *k, BoxPass *pass, const Row *r, int at) {
    Problem *p = &pass->problem;
    const double gap = arrays_of(k)->gap[at], room = gap >= 0 ? gap : k->projection * gap;
    const RowVelocity u =
        scr_round_velocity(p->dimension, &p->body[r->a], &p->body[r->b], r->normal);
    const double push = -r->mass_n * (u.n + room);
    if (push > 0) {
        scr_round_push(p, r, scale(push, r->normal));
    }
}

#define VISIT_BOX(visit)                                                                           \
    const StepThere *k = given.step;                                                               \
    BoxPass pass = pass_of(&given, team);                                                          \
    const int first = pass.box->row, steps = pass.box->steps;                                      \
    int begin = 0, end = pass.step_end[0];                                                         \
    LANE_VALUE(Row, row);                                                                          \
    EACH_LANE {                                                                                    \
        fetch_members(k, &pass, lane);                                                             \
        if (lane < end) {                                                                          \
            OF(row) = read_row(arrays_of(k), first + lane);                                        \
        }                                                                                          \
    }                                                                                              \
    BARRIER();                                                                                     \
    for (int step = 0; step < steps; step++) {                                                     \
        const int next = step + 1 < steps ? pass.step_end[step + 1] : end;                         \
        EACH_LANE {                                                                                \
            const Row now = OF(row);                                                               \
            if (end + lane < next) {                                                               \
                OF(row) = read_row(arrays_of(k), first + end + lane);                              \
            }                                                                                      \
            if (begin + lane < end) {                                                              \
                visit(k, &pass, &now, first + begin + lane);                                       \
            }                                                                                      \
        }                                                                                          \
        BARRIER();                                                                                 \
        begin = end, end = next;                                                                   \
    }                                                                                              \
    EACH_LANE {                                                                                    \
        leave_members(k, &pass, lane);                                                             \
    }

KERNEL(push_boxes, StepArguments){TEAM_BEGIN VISIT_BOX(push_row)}

KERNEL(part_boxes, StepArguments) {
    TEAM_BEGIN
    VISIT_BOX(part_row)
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
            Contact *c = &arrays->contact[i];
            const Row r = read_row(arrays, arrays->row_at[i]);
            scr_take_impulse(&r, k->state.def.dimension == 3, c);
            c->state = scr_state_of(&r, r.rn, r.rn == 0);
            OF(active) = c->state != SCREE_CONTACT_OPEN;
            OF(sliding) = c->state == SCREE_CONTACT_SLIP;
            if (c->state != SCREE_CONTACT_OPEN) {
                const int32_t wall = c->b < 0 ? partner_of(k, c) : -1;
                OF(work) = scr_driving_work(&k->task, c, scr_round_arms(&k->state, c, NULL),
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
    const ProblemBody *a = &p->body[k->list.neighbours.rank[c->a]];
    const ProblemBody *b = &p->body[partner_of(k, c)];
    const RoundTaken nothing = {0, 0};
    if (c->b >= 0) {
        return c->normal_impulse != 0 ? scr_taken_by_round(c, a, b) : nothing;
    }
    const Row r = read_row(arrays_of(k), at);
    if (!(r.rn > 0)) {
        return nothing;
    }
    const RowVelocity mean = scr_round_velocity(p->dimension, a, b, r.normal);
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
            const Contact *c = &arrays->contact[i];
            const int at = arrays->row_at[i];
            const double gap = gap_now(k, c), depth = scr_max(0, -gap);
            if (given.group == 0) {
                const RoundTaken taken = taken_by(k, c, at);
                OF(normal) = taken.normal;
                OF(friction) = taken.friction;
                arrays->gap[at] = gap;
            }
            OF(deepest) = depth;
            OF(added) = depth - scr_max(0, -c->gap);
            OF(overlap) = c->state != SCREE_CONTACT_OPEN ? depth : 0;
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
            const int at = arrays->row_at[i];
            const Row r = read_row(arrays, at);
            const double size = scr_max(fabs(r.rn), 0);
            OF(asked) = -r.bias > 0 ? -r.bias * r.rn : 0;
            OF(impulse) = size * size + dot(r.rt, r.rt);
            OF(approach) = arrays->approach[at] * arrays->approach[at];
        }
    }
    SUM_EXACTLY(sum_of(&given, team.index, 0), asked);
    SUM_EXACTLY(sum_of(&given, team.index, 1), impulse);
    SUM_EXACTLY(sum_of(&given, team.index, 2), approach);
}

/* ---------------------------------------------------------------- the largest cluster (src/measure/cluster_length.c) */

ON_DEVICE int32_t root_of(int32_t *parent, int32_t i) {
    for (int32_t up = read_now(&parent[i]); up != i; up = read_now(&parent[i])) {
        const int32_t far = read_now(&parent[up]);
        if (far != up) {
            parent[i] = far;
        }
        i = far;
    }
    return i;
}

ON_DEVICE void join_bodies(int32_t *parent, int32_t a, int32_t b) {
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        const int32_t high = a > b ? a : b, low = a > b ? b : a;
        if (a == b || exchange_if(&parent[high], high, low) == high) {
            return;
        }
    }
}

KERNEL(begin_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->state.bodies.count) {
            arrays_of(k)->parent[i] = (int32_t)i;
            arrays_of(k)->among[i] = 0;
        }
    }
}

KERNEL(join_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->pair_contacts) {
            const Contact *c = &arrays_of(k)->contact[i];
            if (c->state != SCREE_CONTACT_OPEN) {
                join_bodies(arrays_of(k)->parent, c->a, c->b);
            }
        }
    }
}

/* Bodies that follow each other mostly belong to one cluster: they are added together. */
KERNEL(count_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    int32_t *root = (int32_t *)team.shared;
    EACH_LANE {
        const size_t i = ITEM;
        root[lane] = i < k->state.bodies.count ? root_of(arrays_of(k)->parent, (int32_t)i) : -1;
    }
    BARRIER();
    EACH_LANE {
        int32_t together = 0;
        if (lane == 0 || root[lane] != root[lane - 1]) {
            for (int j = lane; j < LANES && root[j] == root[lane]; j++) {
                together++;
            }
        }
        if (root[lane] >= 0 && together > 0) {
            add_number(&arrays_of(k)->among[root[lane]], together);
        }
    }
}

/* Of several that are equally large the one with the first body, which is its root. */
KERNEL(choose_cluster, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->state.bodies.count && arrays_of(k)->among[i] > 1) {
            const uint64_t size = (uint64_t)arrays_of(k)->among[i];
            raise_number(&given.left->most[CLUSTER], size << 32 | (UINT32_MAX - (uint32_t)i));
        }
    }
}

KERNEL(bound_cluster, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const uint64_t chosen = given.left->most[CLUSTER];
    LANE_VALUE(Reached, reached);
    LANE_VALUE(double, most);
    EACH_LANE {
        const size_t i = ITEM;
        const int32_t root = (int32_t)(UINT32_MAX - (uint32_t)chosen);
        for (int j = 0; j < 6; j++) {
            OF(reached).most[j] = -INFINITY;
        }
        if (chosen != 0 && i < k->state.bodies.count &&
            root_of(arrays_of(k)->parent, (int32_t)i) == root) {
            const Vec3 x = k->state.bodies.position[i];
            const double r = k->state.bodies.radius[i];
            const double most_of[6] = {-(x.x - r), -(x.y - r), -(x.z - r),
                                       x.x + r,    x.y + r,    x.z + r};
            memcpy(OF(reached).most, most_of, sizeof most_of);
        }
    }
    for (int j = 0; j < 6; j++) {
        EACH_LANE {
            OF(most) = OF(reached).most[j];
        }
        RAISE_ALL(&given.left->most[j], most);
    }
}

#endif
