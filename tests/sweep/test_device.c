/* Sweeps on a device have the bits of the processor's own. The device is the GPU's kernels with the
 * processor in its place (backend/cuda/lanes.h), and on a machine with a GPU the same kernels run
 * there. */
#include "crowds.h"

#include "api/world.h"
#include "backend/device.h"
#include "sweep/momentum.h"
#include "sweep/packets.h"
#include "sweep/sweep.h"

/* Passes everything on to a device, counts what it is asked for, and may fail. */
typedef struct Spy {
    ScreeDevice table;
    const ScreeDevice *device;
    int sweeps, lifted, judged, kept, recalled, got;
    int copies;   /* of split bodies, the most of a sweep */
    int fails_at; /* sweep; 0: never */
    char fault[40];
} Spy;

static bool spy_reserve(void *context, ScreeDeviceTask *task) {
    Spy *spy = context;
    return spy->device->reserve(spy->device->context, task);
}
static bool spy_put_bodies(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    return spy->device->put_bodies(spy->device->context, task);
}
static bool spy_put_rows(void *context, const ScreeDeviceTask *task, size_t first, size_t end,
                         bool fresh) {
    Spy *spy = context;
    return spy->device->put_rows(spy->device->context, task, first, end, fresh);
}
static bool spy_begin(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    return spy->device->begin(spy->device->context, task);
}
static bool spy_sweep(void *context, const ScreeDeviceTask *task, const ScreeDeviceSweep *how) {
    Spy *spy = context;
    spy->sweeps++;
    spy->copies = (int)task->copies > spy->copies ? (int)task->copies : spy->copies;
    spy->lifted += how->momentum && how->beta > 0;
    if (spy->sweeps == spy->fails_at) {
        strcpy(spy->fault, "it was pulled out");
    }
    return spy->fault[0] == 0 && spy->device->sweep(spy->device->context, task, how);
}
static bool spy_judge(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    spy->judged++;
    return spy->fault[0] == 0 && spy->device->judge(spy->device->context, task);
}
static bool spy_lift(void *context, const ScreeDeviceTask *task, double beta) {
    Spy *spy = context;
    return spy->device->lift(spy->device->context, task, beta);
}
static bool spy_keep(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    spy->kept++;
    return spy->device->keep(spy->device->context, task);
}
static bool spy_recall(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    spy->recalled++;
    return spy->device->recall(spy->device->context, task);
}
static bool spy_get_bodies(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    spy->got++;
    return spy->fault[0] == 0 && spy->device->get_bodies(spy->device->context, task);
}
static bool spy_get_impulses(void *context, const ScreeDeviceTask *task) {
    Spy *spy = context;
    return spy->fault[0] == 0 && spy->device->get_impulses(spy->device->context, task);
}
static const char *spy_name(void *context) {
    (void)context;
    return "a spy";
}
static const char *spy_fault(void *context) {
    Spy *spy = context;
    return spy->fault[0] != 0 ? spy->fault : spy->device->fault(spy->device->context);
}
static void spy_close(void *context) {
    Spy *spy = context;
    spy->device->close(spy->device->context);
}

static void open_spy(Spy *spy) {
    char message[SCREE_MESSAGE_SIZE] = "";
    *spy = (Spy){.device = scree_device_open(message)};
    if (spy->device == NULL) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    spy->table = (ScreeDevice){spy,       spy_reserve, spy_put_bodies, spy_put_rows,
                               spy_begin, spy_sweep,   spy_judge,      spy_lift,
                               spy_keep,  spy_recall,  spy_get_bodies, spy_get_impulses,
                               spy_name,  spy_fault,   spy_close,      NULL};
}

static const Crowd plain[] = {
    {2, SCREE_ORDER_BOXED, false, false, false, false, false, false},
    {3, SCREE_ORDER_BOXED, false, false, false, false, false, false},
    {2, SCREE_ORDER_BOXED, true, false, false, false, true, false},
    {3, SCREE_ORDER_BOXED, true, false, false, false, true, false},
};

typedef struct How {
    ScreeCriterion criterion;
    int iterations, steps;
    double tolerance;
    int before; /* steps that the processor makes first, with few sweeps */
    bool grows;
} How;

static ScreeWorld *make(const Crowd *crowd, const How *how) {
    ScreeWorld *world = crowd_make(crowd, 1);
    ScreeSolverDef solver = scree_solver_def_default();
    solver.order = crowd->order;
    solver.criterion = how->criterion;
    solver.iterations = how->iterations;
    solver.tolerance = how->tolerance;
    for (int step = 0; step < how->before; step++) {
        rig_step(world);
    }
    rig_must(scree_world_set_solver(world, &solver), "solver");
    ScreeGrowth growth = scree_growth_default();
    growth.rate = how->grows ? 0.5 : 0;
    rig_must(scree_material_set_growth(world, (ScreeMaterialId){0}, &growth), "growth");
    return world;
}

/* Steps two worlds, one of them with the device; returns whether every step gave the same bits. */
static bool agree(const Crowd *crowd, const How *how, Spy *spy) {
    ScreeWorld *own = make(crowd, how), *other = make(crowd, how);
    rig_must(scree_world_set_device(other, &spy->table), "device");
    bool same = true;
    for (int step = 0; step < how->steps; step++) {
        ScreeReport a = rig_step(own), b = rig_step(other);
        same = same && memcmp(&a, &b, sizeof a) == 0 &&
               scree_world_hash(own) == scree_world_hash(other);
        CHECK(a.active > 200 || step == 0);
    }
    scree_world_destroy(own);
    scree_world_destroy(other);
    return same;
}

static void a_device_has_the_bits_of_the_processor(void) {
    static const How fixed = {SCREE_CRITERION_FIXED, 12, 3, 1e-2, 0, false};
    static const How judged = {SCREE_CRITERION_RESIDUAL, 40, 4, 1e-3, 0, false};
    static const How growing = {SCREE_CRITERION_RESIDUAL, 40, 2, 1e-3, 0, true};
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k += CHECK_STRIDE == 1 ? 1 : 2) {
        Spy spy;
        open_spy(&spy);
        CHECK(agree(&plain[k], &fixed, &spy));
        /* a step is solved again where contacts were missed */
        CHECK(spy.sweeps >= fixed.steps * fixed.iterations && spy.sweeps % fixed.iterations == 0);
        CHECK(spy.lifted == 0);
        CHECK(agree(&plain[k], &judged, &spy));
        CHECK(spy.lifted > 20);
        const int64_t lifted = spy.lifted;
        CHECK(agree(&plain[k], &growing, &spy));
        CHECK(spy.lifted > lifted);
        /* residuals need no rows here: but for the end of each solve, and where the best is saved */
        CHECK(spy.judged > 2 * (judged.steps + growing.steps) && spy.got < spy.judged);
        spy.table.close(spy.table.context);
    }
}

/* Steps with all laws at once: impacts, bonds that break, springs, and torques that come back from there. */
static void steps_with_laws_are_the_same(void) {
    static const How judged = {SCREE_CRITERION_RESIDUAL, 40, 3, 1e-3, 2, false};
    for (int dimension = CHECK_STRIDE == 1 ? 2 : 3; dimension <= 3; dimension++) {
        const Crowd crowd = {dimension, SCREE_ORDER_BOXED, true, false, false, false, true, true};
        Spy spy;
        open_spy(&spy);
        CHECK(agree(&crowd, &judged, &spy));
        CHECK(spy.sweeps >= 3 && spy.judged > 3);
        spy.table.close(spy.table.context);
    }
}

/* A grain that is larger than a box, and has copies in several: some of the groups have one or two, some more. */
static void split_grains_are_the_same(void) {
    enum { ALL = CHECK_STRIDE == 1 };
    static const How judged = {
        SCREE_CRITERION_RESIDUAL, ALL ? 40 : 12, ALL ? 3 : 2, 1e-3, ALL ? 12 : 4, false};
    const Crowd crowd = {3, SCREE_ORDER_BOXED, true, false, true, false, false, false};
    Spy spy;
    open_spy(&spy);
    CHECK(agree(&crowd, &judged, &spy));
    CHECK(spy.sweeps > 20 && spy.copies > 2);
    spy.table.close(spy.table.context);
}

/* The problem of a step, as the sweep has it. */
typedef struct Copy {
    Problem problem;
    size_t row_bytes, body_bytes, law_bytes;
} Copy;

static void *again(const void *data, size_t bytes) {
    void *copy = malloc(bytes + 1);
    if (copy == NULL) {
        abort();
    }
    return bytes > 0 ? memcpy(copy, data, bytes) : copy;
}

static Copy copy_problem(const Problem *p) {
    Copy copy = {*p, p->rows * sizeof(Row), p->bodies * sizeof(ProblemBody),
                 p->law_of != NULL ? p->rows * sizeof(LawRow) : 0};
    copy.problem.row = again(p->row, copy.row_bytes);
    copy.problem.body = again(p->body, copy.body_bytes);
    copy.problem.law = again(p->law, copy.law_bytes);
    return copy;
}

static void free_copy(Copy *copy) {
    free(copy->problem.row);
    free(copy->problem.body);
    free(copy->problem.law);
}

enum { SWEEPS = 12 };

/* Rows change here, as where sweeps are damped: a device has to take them over again. */
static void stiffen(Problem *p, const Order *order, DeviceRows *device) {
    if (device != NULL) {
        scr_device_get(device);
        device->stale = true;
    } else {
        scr_rows_to_records(p, order, NULL);
    }
    scr_scale_blocks(p, 2);
    if (device == NULL) {
        scr_rows_to_columns(p, order, NULL);
    }
}

/* Sweeps with momentum and creeping contacts, by the device if there is one, and collects the sums; every third sweep is
 * silent, and leaves none. */
static void sweep_copy(Copy *copy, const Order *order, DeviceRows *device, double creep,
                       double sum[2 * SWEEPS], Residual *residual) {
    Problem *p = &copy->problem;
    RowMomentum momentum = {0, creep, calloc(4 * p->rows, sizeof(double)),
                            calloc(4 * p->rows, sizeof(double))};
    SweepOrder how = {.stored = order, .columns = device == NULL, .device = device};
    how.momentum = &momentum;
    if (device == NULL) {
        scr_rows_to_columns(p, order, NULL);
    }
    for (int k = 0; k < SWEEPS; k++) {
        momentum.beta = 0.05 * k;
        how.square = &sum[2 * k];
        how.silent = k % 3 == 1;
        sum[2 * k + 1] = scr_sweep(p, how, NULL);
        if (how.silent) {
            CHECK(device == NULL || (sum[2 * k] == 0 && sum[2 * k + 1] == 0));
            sum[2 * k] = sum[2 * k + 1] = 0;
        }
        if (k == SWEEPS / 2) {
            stiffen(p, order, device);
        }
    }
    if (device == NULL) {
        scr_rows_to_records(p, order, NULL);
        *residual = scr_problem_residual(p, NULL);
    } else {
        CHECK(scr_device_judge(device));
        *residual = scr_judged_residual(p);
        scr_device_get(device);
    }
    free(momentum.before);
    free(momentum.torque);
}

/* `world` is destroyed. */
static bool sweeps_agree(ScreeWorld *world, const ScreeDevice *device, double creep) {
    rig_step(world);
    const StepTask *task = &world->engine.task;
    Copy own = copy_problem(&task->problem), other = copy_problem(&task->problem);
    DeviceRows rows = {0};
    double sum[2 * SWEEPS], sum_there[2 * SWEEPS];
    Residual residual, residual_there;
    CHECK(scr_device_takes(&other.problem, &task->order));
    CHECK(scr_device_begin(&rows, device, &other.problem, &task->order, NULL));
    sweep_copy(&own, &task->order, NULL, creep, sum, &residual);
    sweep_copy(&other, &task->order, &rows, creep, sum_there, &residual_there);
    bool same = memcmp(own.problem.row, other.problem.row, own.row_bytes) == 0 &&
                memcmp(own.problem.body, other.problem.body, own.body_bytes) == 0 &&
                memcmp(own.problem.law, other.problem.law, own.law_bytes) == 0 &&
                memcmp(sum, sum_there, sizeof sum) == 0 &&
                memcmp(&residual, &residual_there, sizeof residual) == 0;
    CHECK(residual.relative > 0 && residual.worst > 0 && residual.noise > 0);
    CHECK(sum[2 * SWEEPS - 1] > 0 && own.problem.rows > 1000);
    CHECK(memcmp(own.problem.row, task->problem.row, own.row_bytes) != 0);
    scr_device_rows_free(&rows);
    free_copy(&own);
    free_copy(&other);
    scree_world_destroy(world);
    return same;
}

static const How settled = {SCREE_CRITERION_RESIDUAL, 4, 1, 1e-2, 6, false};

/* Every row, every body, both sums and the residual, whether contacts creep or not. */
static void every_row_and_body_is_the_same(void) {
    char message[SCREE_MESSAGE_SIZE];
    const ScreeDevice *device = scree_device_open(message);
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        CHECK(sweeps_agree(make(&plain[k], &settled), device, 0));
        CHECK(sweeps_agree(make(&plain[k], &settled), device, 0.1));
    }
    device->close(device->context);
}

/* Laws of two materials, so that packets have rows with and without them. The last ones cannot be updated together:
 * rolling that grows with the area of contact. */
enum { COHESION, SPRINGS, BOTH, ROLLING, SLIPPERY, BRIDGES, ALL, HERTZ, LAW_KINDS };

static ScreeLaw law_of_kind(int kind) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.3;
    if (kind == COHESION || kind == BOTH || kind == ALL) {
        law.cohesion = 3;
        law.cohesion_range = 0.02;
    }
    if (kind == SPRINGS || kind == BOTH || kind == ALL || kind == HERTZ) {
        law.stiffness = 2e4;
        law.stiffness_tangential = 1e4;
    }
    if (kind == SPRINGS || kind == BRIDGES) {
        law.restitution = 0.4;
        law.restitution_tangential = 0.2;
        law.restitution_threshold = 0.3;
    }
    if (kind == ROLLING || kind == ALL) {
        law.rolling = 0.05;
        law.torsion = 0.1;
    }
    if (kind == SLIPPERY) { /* bounds that every contact reaches */
        law.rolling = law.torsion = 1e-4;
        law.friction = 0.02;
    }
    if (kind == BRIDGES) {
        law.bridge_volume = 1e-4;
        law.bridge_tension = 1;
    }
    if (kind == HERTZ) {
        law.rolling_hertz = 1e-3;
        law.torsion = 0.05;
    }
    return law;
}

static ScreeWorld *make_with_law(const Crowd *crowd, int kind) {
    ScreeWorld *world = make(crowd, &settled);
    const ScreeMaterialId first = {0}, other = {1};
    const ScreeLaw law = law_of_kind(kind);
    scene_material(world, 0.3, false);
    for (size_t i = 0; i < world->state.bodies.count; i += 3) {
        world->state.bodies.material[i] = other.index;
    }
    rig_must(scree_law_set(world, first, first, &law), "law");
    rig_must(scree_law_set(world, first, other, &law), "law of a pair");
    for (int step = 0; step < 2; step++) {
        rig_step(world);
    }
    return world;
}

/* Rows with and without a law of their own, those that have torques, and those that no packet takes. */
static void count_laws(const Problem *p, int kind) {
    size_t with = 0, turned = 0, alone = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const LawRow *l = scr_law_row(p, i);
        with += l != NULL;
        turned += l != NULL && l->torques && l->torque.twist != 0;
        alone += l != NULL && !l->ordinary;
    }
    const bool rolls = kind == ROLLING || kind == SLIPPERY || kind == ALL || kind == HERTZ;
    CHECK(with > 500 && (with < p->rows || p->dimension == 2));
    CHECK((turned > 200) == rolls && (alone > 200) == (kind == HERTZ));
}

/* The same with every law, in the plane and in space, with walls that turn. */
static void laws_have_the_same_bits(void) {
    char message[SCREE_MESSAGE_SIZE];
    const ScreeDevice *device = scree_device_open(message);
    for (int kind = 0; kind < 2 * LAW_KINDS; kind += CHECK_STRIDE == 1 ? 1 : 3) {
        ScreeWorld *world = make_with_law(&plain[2 + kind % 2], kind / 2);
        count_laws(&world->engine.task.problem, kind / 2);
        CHECK(sweeps_agree(world, device, (kind + kind / 2) % 2 == 0 ? 0 : 0.1));
    }
    device->close(device->context);
}

static void sweep_there(DeviceRows *rows, RowMomentum *momentum) {
    double square;
    SweepOrder how = {
        .stored = rows->order, .device = rows, .momentum = momentum, .square = &square};
    for (int k = 0; k < SWEEPS / 4; k++) {
        momentum->beta = 0.1;
        scr_sweep(rows->problem, how, NULL);
    }
}

static bool are_same(const Copy *a, const Copy *b) {
    return memcmp(a->problem.row, b->problem.row, a->row_bytes) == 0 &&
           memcmp(a->problem.body, b->problem.body, a->body_bytes) == 0;
}

/* The best of many sweeps is kept there; it comes back as it was, whatever was swept in between, and even if
 * rows have changed here meanwhile. */
static void what_is_kept_comes_back(void) {
    static const How how = {SCREE_CRITERION_RESIDUAL, 4, 1, 1e-2, 12, false};
    char message[SCREE_MESSAGE_SIZE];
    const ScreeDevice *device = scree_device_open(message);
    ScreeWorld *world = make(&plain[1], &how);
    rig_step(world);
    const StepTask *task = &world->engine.task;
    Copy copy = copy_problem(&task->problem);
    void *memory = malloc(scr_momentum_bytes(&copy.problem));
    DeviceRows rows = {0};
    Momentum momentum;
    CHECK(scr_device_begin(&rows, device, &copy.problem, &task->order, NULL));
    scr_momentum_begin(&momentum, &copy.problem, memory, &rows, NULL);
    sweep_there(&rows, &momentum.rows);
    scr_momentum_save(&momentum, &copy.problem, 0.5, NULL);
    CHECK(momentum.saved_residual == 0.5);
    scr_device_get(&rows);
    Copy then = copy_problem(&copy.problem);
    CHECK(memcmp(then.problem.row, task->problem.row, then.row_bytes) != 0);
    sweep_there(&rows, &momentum.rows);
    scr_device_get(&rows);
    CHECK(!are_same(&copy, &then));
    scr_momentum_recall(&momentum, &copy.problem, NULL);
    scr_device_get(&rows);
    CHECK(are_same(&copy, &then));
    memcpy(copy.problem.row, task->problem.row, copy.row_bytes);
    rows.stale = true;
    scr_momentum_recall(&momentum, &copy.problem, NULL);
    scr_device_get(&rows);
    CHECK(are_same(&copy, &then));
    scr_device_rows_free(&rows);
    free(memory);
    free_copy(&copy);
    free_copy(&then);
    scree_world_destroy(world);
    device->close(device->context);
}

/* Other orders stay with the processor, and so do pistons. */
static void what_it_cannot_do_stays_with_the_processor(void) {
    static const How how = {SCREE_CRITERION_RESIDUAL, 20, 2, 1e-3, 0, false};
    Spy spy;
    open_spy(&spy);
    CHECK(agree(&crowds[9], &how, &spy));
    CHECK(agree(&crowds[6], &how, &spy));
    CHECK(spy.sweeps == 0);
    CHECK(agree(&crowds[3], &how, &spy)); /* a piston, until it touches several boxes */
    spy.table.close(spy.table.context);
}

/* The step fails, nothing has moved, and the processor can go on from there. */
static void a_device_that_fails_leaves_the_world_as_it_was(void) {
    static const How how = {SCREE_CRITERION_RESIDUAL, 20, 1, 1e-3, 0, false};
    Spy spy;
    open_spy(&spy);
    spy.fails_at = 7;
    ScreeWorld *own = make(&plain[1], &how), *other = make(&plain[1], &how);
    ScreeReport report;
    rig_step(own);
    rig_must(scree_world_set_device(other, &spy.table), "device");
    CHECK(scree_world_step(other, &report) == SCREE_DEVICE_FAILED);
    CHECK(strstr(scree_world_get_message(other), "it was pulled out") != NULL);
    CHECK(spy.sweeps == 7);
    rig_must(scree_world_set_device(other, NULL), "no device");
    rig_step(other);
    CHECK(scree_world_hash(other) == scree_world_hash(own));
    spy.table.lift = NULL;
    CHECK(scree_world_set_device(other, &spy.table) == SCREE_BAD_ARGUMENT);
    scree_world_destroy(own);
    scree_world_destroy(other);
    spy.table.close(spy.table.context);
}

int main(int argc, char **argv) {
    CHECK_RUN(a_device_has_the_bits_of_the_processor);
    CHECK_RUN(steps_with_laws_are_the_same);
    CHECK_RUN(split_grains_are_the_same);
    CHECK_RUN(every_row_and_body_is_the_same);
    CHECK_RUN(laws_have_the_same_bits);
    CHECK_RUN(what_is_kept_comes_back);
    CHECK_RUN(what_it_cannot_do_stays_with_the_processor);
    CHECK_RUN(a_device_that_fails_leaves_the_world_as_it_was);
    return check_result();
}
