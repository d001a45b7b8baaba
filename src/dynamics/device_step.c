#include "dynamics/device_step.h"

#include "base/random.h"
#include "base/status.h"
#include "dynamics/halves.h"
#include "dynamics/row_order.h"
#include "sweep/iteration.h"

#include <string.h>

/* ---------------------------------------------------------------- what it can make */

static bool are_planes(const Walls *walls) {
    bool planes = walls->count <= THERE_WALLS;
    for (size_t k = 0; k < walls->count && planes; k++) {
        const ScreeWallDef *w = &walls->item[k].now;
        const bool turns = w->spin.x != 0 || w->spin.y != 0 || w->spin.z != 0;
        planes = w->shape == SCREE_WALL_PLANE && w->motion != SCREE_WALL_PISTON && !turns;
    }
    return planes;
}

/* Where stops are told within a step, the processor looks at rows. */
static bool is_coarse(const ScreeSolverDef *solver) {
    return solver->criterion == SCREE_CRITERION_FIXED ||
           (solver->criterion == SCREE_CRITERION_RESIDUAL && solver->tolerance > 1e-6);
}

static bool are_plain(const State *s) {
    const ScreeSolverDef *solver = &s->def.solver;
    return s->def.engine == SCREE_ENGINE_CONTACT_DYNAMICS && !scr_is_matrix_method(solver) &&
           solver->order == SCREE_ORDER_BOXED && is_coarse(solver) && solver->warm_start &&
           !s->def.deform.deforms && !s->def.deform.tilted && !s->materials.grow &&
           s->materials.uses == 0 && s->shapes.count == 0 && s->meshes.count == 0 &&
           s->bonds.count == 0 && s->holder == NULL && s->name == NULL && s->spread == NULL &&
           s->images == 0 && s->contacts.extra == NULL && s->contacts.slid == NULL;
}

bool scr_may_step_there(const State *s, const Engine *e) {
    const ScreeDevice *device = e->device;
    return device != NULL && device->steps != NULL && e->processes == NULL && !e->solved.wanted &&
           !s->list_stale && e->list.built && s->step >= e->there.again && s->bodies.count > 0 &&
           are_plain(s) && are_planes(&s->walls);
}

/* ---------------------------------------------------------------- phases */

static bool reserve(DeviceStep *there) {
    const bool enough = scr_block_reserve_exact(&there->step_block, 1, sizeof *there->step, 0) &&
                        scr_block_reserve_exact(&there->found_block, 1, sizeof *there->found, 0);
    there->step = there->step_block.data;
    there->found = there->found_block.data;
    return enough;
}

/* The bodies behind the grains: the fixed world, and one for each wall. */
static void place_walls(const State *s, StepThere *step) {
    step->wall_body[0] = (ProblemBody){0};
    step->moving_walls = 0;
    for (size_t k = 0; k < s->walls.count; k++) {
        const ScreeWallState *w = &s->walls.item[k];
        const bool moves = w->now.motion != SCREE_WALL_FIXED;
        step->wall_body[1 + k] = (ProblemBody){.v = moves ? w->now.velocity : vec3(0, 0, 0)};
        if (w->present && moves) {
            step->moving[step->moving_walls++] = (int32_t)k;
        }
    }
}

/* The step as it begins. */
static void describe(const StepTask *t, const State *s) {
    StepThere *step = t->there->step;
    memset(step, 0, sizeof *step);
    step->with = *t->with;
    step->state = *s;
    step->free = *t->free;
    step->list = *t->list;
    step->task = *t;
    scr_note_walls_there(s, step);
    place_walls(s, step);
    step->candidates =
        t->list->neighbours.count + t->list->wall_pairs + step->moving_walls * s->bodies.count;
    step->contacts = t->there->contacts;
    const double before = s->contacts.time_step, now = t->with->time_step;
    step->old_part = before > 0 && before != now ? now / before : 1;
    step->periodic = scr_any_periodic(&s->def);
    step->momentum = scr_is_accelerated(&s->def.solver);
    step->projection = s->def.solver.projection;
}

static void begin_problem(StepTask *t, const State *s) {
    Problem *p = &t->problem;
    *p = (Problem){.dimension = s->def.dimension, .bodies = s->bodies.count + 1 + s->walls.count};
    t->impacts.bans = t->impacts.tamed_count = 0;
    t->impacts.detour = NULL;
    t->foresight = (Foresight){.item_block = t->foresight.item_block};
    t->miss = (ScreeMiss){NULL, 0, 0};
    t->lost = NULL;
    t->stray = NULL;
}

/* How long the processor keeps the world after steps that were begun in vain. */
enum { MOST_PATIENCE = 6 };

static ScreeStatus give_up(DeviceStep *there) {
    there->given_up = true;
    return SCREE_OK;
}

/* After a phase that was not made: the device has failed, or it has too little memory for whole steps. */
static ScreeStatus refuse(DeviceStep *there, const ScreeDevice *device) {
    if (device->fault(device->context) != NULL) {
        return SCREE_DEVICE_FAILED;
    }
    there->failures = MOST_PATIENCE;
    return give_up(there);
}

/* ---------------------------------------------------------------- to the device, and back */

static bool same_walls(const StepThere *a, const State *s) {
    size_t moving = 0;
    bool same = a->state.walls.count == s->walls.count;
    for (size_t k = 0; k < s->walls.count && same; k++) {
        const ScreeWallState *w = &s->walls.item[k];
        if (w->present && w->now.motion != SCREE_WALL_FIXED) {
            same = moving < a->moving_walls && a->moving[moving] == (int32_t)k;
            moving++;
        }
    }
    return same && moving == a->moving_walls;
}

/* Takes bodies, contacts and the list there; `there->device` tells whether that was done. */
static ScreeStatus load(const StepParams *with, State *s, Engine *e) {
    DeviceStep *there = &e->there;
    const ScreeDevice *device = e->device;
    SCR_TRY(scr_predict_step(with, s, e));
    there->outrun = e->free.outrun;
    if (e->free.outrun || e->free.tensors > 0 || !device->steps->claim(device->context, there)) {
        return give_up(there);
    }
    there->contacts = s->contacts.count;
    describe(&e->task, s);
    there->device = device;
    if (!device->steps->load(device->context, s, there->step)) {
        device->steps->release(device->context, there);
        there->device = NULL;
        return refuse(there, device);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- posing the problem */

static ScreeStatus find_contacts(StepTask *t, State *s) {
    DeviceStep *there = t->there;
    const StepFound *found = there->found;
    if (!scr_phase_there(t, STEP_FIND)) {
        return refuse(there, there->device);
    }
    const StepThere *step = there->step;
    there->outrun = found->count[2] > 0;
    const bool zeros = found->count[3] > 0 && s->def.dimension == 3;
    if (there->outrun || zeros || step->contacts == 0) {
        return give_up(there);
    }
    const double *most = found->most;
    t->extent = (ContactExtent){.gap = most[0],
                                .low = vec3(-most[1], -most[2], -most[3]),
                                .high = vec3(most[4], most[5], most[6]),
                                .contacts = step->contacts,
                                .first_with_wall = step->pair_contacts};
    return SCREE_OK;
}

/* Where the boxes begin, by their sizes. */
static ScreeStatus order_rows(StepTask *t, const State *s) {
    DeviceStep *there = t->there;
    StepThere *step = there->step;
    bool giants;
    step->order_key = scr_random_key(s->def.seed, s->step, UINT64_MAX);
    step->boxes = scr_lay_step_boxes(t, step->order_key, &giants);
    if (giants || step->boxes.total == 0) {
        return give_up(there);
    }
    if (!scr_block_reserve(&there->size_block, step->boxes.total, sizeof *step->size, 0)) {
        return SCREE_NO_MEMORY;
    }
    step->size = there->size_block.data;
    if (!scr_phase_there(t, STEP_LIST)) {
        return refuse(there, there->device);
    }
    Order *order = &t->order;
    if (!scr_order_sizes(&step->boxes, step->order_key, step->size, step->state.bodies.count,
                         order)) {
        return SCREE_NO_MEMORY;
    }
    if (order->boxes < 2) {
        return give_up(there); /* residuals are then those of pieces */
    }
    step->place = order->place;
    step->row_end = order->row_end;
    step->ordered = order->boxes;
    memcpy(step->group_end, order->group_end, sizeof step->group_end);
    return SCREE_OK;
}

static ScreeStatus make_rows(StepTask *t) {
    DeviceStep *there = t->there;
    Problem *p = &t->problem;
    p->rows = there->step->contacts;
    p->parts = t->order.boxes;
    p->part_end = t->order.row_end;
    p->part_sum = t->order.box_sum;
    if (!scr_device_reserve(there->rows, there->device, p, &t->order, true, t->with->threads) ||
        !scr_phase_there(t, STEP_ORDER)) {
        return refuse(there, there->device);
    }
    if (there->found->count[0] > 0) {
        return give_up(there);
    }
    if (!scr_phase_there(t, STEP_ROWS)) {
        return SCREE_DEVICE_FAILED;
    }
    there->rows->rough = there->found->count[0];
    there->cold = there->found->count[1] == 0;
    scr_note_units(t);
    p->free_square = scr_sum_there(there, 0);
    p->free_square_fclib = scr_sum_there(there, 1);
    return scr_device_begin_alone(there->rows) ? SCREE_OK : SCREE_DEVICE_FAILED;
}

static ScreeStatus pose(StepTask *t, State *s) {
    SCR_TRY(find_contacts(t, s));
    SCR_TRY(t->there->given_up ? SCREE_OK : order_rows(t, s));
    SCR_TRY(t->there->given_up ? SCREE_OK : make_rows(t));
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the step */

/* Until the impulses are known; nothing has moved. */
static ScreeStatus find_impulses(StepTask *t, State *s, Engine *e, ScreeReport *report,
                                 char *message) {
    DeviceStep *there = t->there;
    bool finite = true;
    SCR_TRY(pose(t, s));
    if (there->given_up) {
        return SCREE_OK;
    }
    report->iterations = 0;
    e->work.equivalent = 0;
    SCR_TRY(t->with->solver->solve(t, &e->work, report, message));
    if (!there->given_up) {
        (void)scr_missed_contact(t, s, &e->list, &e->outlines, &finite);
    }
    const bool numbers = isfinite(report->residual) && isfinite(report->residual_fclib) &&
                         isfinite(report->residual_loads) && isfinite(report->residual_velocity);
    there->given_up = there->given_up || !numbers || scr_is_to_be_halved(t, report);
    if (!there->given_up && !scr_reserve_contacts(s, there->step->contacts + 1)) {
        return SCREE_NO_MEMORY;
    }
    return scr_failed_there(there) ? SCREE_DEVICE_FAILED : SCREE_OK;
}

static ScreeStatus begin_there(const StepParams *with, State *s, Engine *e) {
    DeviceStep *there = &e->there;
    StepTask *t = &e->task;
    if (!reserve(there)) {
        return SCREE_NO_MEMORY;
    }
    e->list.slack = with->slack;
    t->with = with;
    t->state = s;
    t->free = &e->free;
    t->list = &e->list;
    t->share = NULL;
    t->sums.over = NULL;
    t->there = there;
    there->rows = &e->work.device;
    begin_problem(t, s);
    if (there->device != NULL && !same_walls(there->step, s)) {
        return give_up(there);
    }
    if (there->device == NULL) {
        SCR_TRY(load(with, s, e));
        begin_problem(t, s);
    }
    describe(t, s);
    return SCREE_OK;
}

static void note_outcome(DeviceStep *there, const State *s) {
    if (!there->given_up) {
        there->failures = 0;
        there->steps++;
    } else if (!there->outrun) {
        there->failures += there->failures < MOST_PATIENCE;
        there->again = s->step + (UINT64_C(1) << there->failures);
    }
}

/* A step, or nothing at all. */
static ScreeStatus try_step(State *s, Engine *e, ScreeReport *report, bool *made, char *message) {
    StepParams with = scr_step_params(s, e);
    DeviceStep *there = &e->there;
    memset(report, 0, sizeof *report);
    e->work.slow_flops = 0;
    there->given_up = there->outrun = false;
    ScreeStatus status = begin_there(&with, s, e);
    if (status == SCREE_OK && !there->given_up) {
        status = find_impulses(&e->task, s, e, report, message);
    }
    *made = status == SCREE_OK && !there->given_up;
    if (*made) {
        const size_t contacts = there->step->contacts;
        e->most_contacts = contacts > e->most_contacts ? contacts : e->most_contacts;
        scr_move_and_certify(s, e, report);
        there->device->steps->accept(there->device->context);
        there->lost = scr_failed_there(there);
        status = there->lost ? SCREE_DEVICE_FAILED : SCREE_OK;
    }
    note_outcome(there, s);
    e->task.there = NULL;
    e->task.with = NULL;
    return status;
}

ScreeStatus scr_step_there(State *s, Engine *e, ScreeReport *report, bool *made, char *message) {
    ScreeStatus status = e->there.lost ? SCREE_DEVICE_FAILED : SCREE_OK;
    *made = false;
    if (status == SCREE_OK && scr_may_step_there(s, e)) {
        status = try_step(s, e, report, made, message);
    }
    if (*made) {
        return status;
    }
    const ScreeStatus fetched = scr_fetch_there(&e->there, s);
    return status == SCREE_OK ? fetched : status;
}
