#include "sweep/device_rows.h"

#include "law/judge.h"
#include "math/reduce.h"
#include "sweep/device_copies.h"
#include "sweep/order_input.h"
#include "sweep/packet_sort.h"
#include "sweep/walls.h"

#include <stdatomic.h>
#include <string.h>

_Static_assert((int)SCREE_DEVICE_LANES == (int)PACKET_ROWS, "packets are those of the processor");
_Static_assert((int)SCREE_DEVICE_JUDGED == (int)PROBLEM_SUMS, "sums are those of the residual");
_Static_assert(sizeof(ProblemBody) == SCREE_DEVICE_BODY * sizeof(double), "bodies as they are");

bool scr_device_takes(const Problem *p, const Order *order) {
    return order->groups > 0 && order->spread == NULL && p->rows > 0 &&
           scr_device_takes_copies(order) && p->general_of == NULL && p->cell == NULL &&
           p->processes == NULL;
}

/* ---------------------------------------------------------------- rows of a box */

/* A row, which lies at `at` there. */
typedef struct RowPlace {
    size_t row, at;
    size_t place; /* in the packets of the box */
    uint8_t sort; /* of its packet */
} RowPlace;

typedef void RowWork(DeviceRows *rows, const RowPlace *k);

/* That of the packet which begins with this row. */
static uint8_t sort_at(const DeviceRows *d, size_t row, size_t end) {
    const Problem *p = d->problem;
    const size_t count = end - row < PACKET_ROWS ? end - row : PACKET_ROWS;
    const bool mixed = p->law_of != NULL || p->general_of != NULL || d->order->copies > 0;
    return mixed ? scr_packet_sort(p, d->order, row, count) : SORT_PLAIN;
}

static void each_row(DeviceRows *d, size_t box, RowWork *work) {
    const Order *order = d->order;
    const size_t first = scr_first_row(order, box);
    size_t row = first, packet = 0;
    uint8_t sort = SORT_PLAIN;
    for (size_t run = scr_first_run(order, box); run < (size_t)order->box_end[box]; run++) {
        const size_t begin = row, end = (size_t)order->run_end[run];
        for (; row < end; row++) {
            if ((row - begin) % PACKET_ROWS == 0) {
                sort = sort_at(d, row, end);
            }
            const RowPlace k = {row, first + d->plan.row[row].place,
                                PACKET_ROWS * packet + (row - begin), sort};
            work(d, &k);
        }
        packet += (end - begin + PACKET_ROWS - 1) / PACKET_ROWS;
    }
}

/* The first of the numbers of a row among those of its tile. */
static double *tiled(double *numbers, size_t at, size_t count) {
    enum { TILE = SCREE_DEVICE_TILE };
    return numbers + at / TILE * TILE * count + at % TILE * 2;
}

static void put_tiled(double *numbers, size_t at, const double *from, size_t count) {
    double *to = tiled(numbers, at, count);
    for (size_t k = 0; k < count; k += 2, to += 2 * SCREE_DEVICE_TILE) {
        to[0] = from[k];
        to[1] = from[k + 1];
    }
}

/* What a row is, see scree/device.h. */
static uint16_t kind_of(const DeviceRows *d, const RowPlace *k) {
    const Walls walls = walls_of(d->problem, d->order);
    const LawRow *l = scr_law_row(d->problem, k->row);
    unsigned kind = is_wall(walls, d->problem->row[k->row].b) ? SCREE_DEVICE_WALL : 0;
    kind |= k->sort == SORT_OTHER ? SCREE_DEVICE_ALONE : 0;
    kind |= k->sort > SORT_LAW ? SCREE_DEVICE_PARTS * parts_read(k->sort - (unsigned)SORT_LAW) : 0;
    kind |= l != NULL ? SCREE_DEVICE_RULED : 0;
    kind |= l != NULL && l->torques ? SCREE_DEVICE_TURNED : 0;
    return (uint16_t)kind;
}

/* Those of a row without a law are as packets have them (src/sweep/law_columns.h). */
static void put_law_row(DeviceRows *d, const RowPlace *k) {
    const Row *r = &d->problem->row[k->row];
    const LawRow none = {.mass_n = r->mass_n, .mass_t = r->mass_t};
    const LawRow *own = scr_law_row(d->problem, k->row), *l = own != NULL ? own : &none;
    const unsigned has =
        (own != NULL ? SCREE_DEVICE_HAS_LAW : 0u) | (l->torques ? SCREE_DEVICE_HAS_TORQUES : 0u) |
        (l->bonded ? SCREE_DEVICE_IS_BONDED : 0u) | (l->bridged ? SCREE_DEVICE_IS_BRIDGED : 0u);
    const double law[SCREE_DEVICE_LAW] = {l->adhesion, l->least,    l->most_at_rest, l->soft_n,
                                          l->mass_n,   l->soft_t,   l->mass_t,       l->bias_t.x,
                                          l->bias_t.y, l->bias_t.z, l->reach,        has};
    put_tiled(d->task.law, k->at, law, SCREE_DEVICE_LAW);
    if (d->task.laws == SCREE_DEVICE_ROLLING) {
        const double rolls[SCREE_DEVICE_ROLLS] = {
            l->rolling,   l->torsion,    l->per_length_a, l->per_length_b, l->coupling, l->mass_o,
            l->mass_roll, l->per_square, l->turn.x,       l->turn.y,       l->turn.z,   l->hertz};
        const Torque *t = &l->torque;
        const double torque[SCREE_DEVICE_TORQUES] = {t->roll.x, t->roll.y, t->roll.z, t->twist};
        const double zero[SCREE_DEVICE_ROLLS] = {0};
        put_tiled(d->task.rolls, k->at, l->torques ? rolls : zero, SCREE_DEVICE_ROLLS);
        put_tiled(d->task.torque, k->at, l->torques ? torque : zero, SCREE_DEVICE_TORQUES);
    }
}

static void put_row(DeviceRows *d, const RowPlace *k) {
    const Row *r = &d->problem->row[k->row];
    const PlannedRow *planned = &d->plan.row[k->row];
    const uint16_t whole[4] = {planned->a, planned->b, (uint16_t)k->place, kind_of(d, k)};
    double constant[SCREE_DEVICE_CONSTANTS] = {r->normal.x, r->normal.y, r->normal.z, r->bias,
                                               r->mass_n,   r->mass_t,   r->mu,       0};
    const double impulse[SCREE_DEVICE_IMPULSES] = {r->rn, r->rt.x, r->rt.y, r->rt.z};
    memcpy(&constant[SCREE_DEVICE_CONSTANTS - 1], whole, sizeof whole);
    put_tiled(d->task.constant, k->at, constant, SCREE_DEVICE_CONSTANTS);
    put_tiled(d->task.impulse, k->at, impulse, SCREE_DEVICE_IMPULSES);
    if (d->task.laws != SCREE_DEVICE_COULOMB) {
        put_law_row(d, k);
    }
}

static void put_approach(DeviceRows *d, const RowPlace *k) {
    const double *approach = d->problem->approach;
    d->task.approach[k->at] = approach != NULL ? approach[k->row] : INFINITY;
}

static void get_row(DeviceRows *d, const RowPlace *k) {
    const double *x = tiled(d->task.impulse, k->at, SCREE_DEVICE_IMPULSES);
    Row *r = &d->problem->row[k->row];
    LawRow *l = d->task.laws == SCREE_DEVICE_ROLLING ? scr_law_row(d->problem, k->row) : NULL;
    r->rn = x[0];
    r->rt = vec3(x[1], x[2 * SCREE_DEVICE_TILE], x[2 * SCREE_DEVICE_TILE + 1]);
    if (l != NULL && l->torques) {
        x = tiled(d->task.torque, k->at, SCREE_DEVICE_TORQUES);
        l->torque.roll = vec3(x[0], x[1], x[2 * SCREE_DEVICE_TILE]);
        l->torque.twist = x[2 * SCREE_DEVICE_TILE + 1];
    }
}

static void put_box(void *context, size_t box) {
    each_row(context, box, put_row);
}

static void get_box(void *context, size_t box) {
    each_row(context, box, get_row);
}

/* ---------------------------------------------------------------- the beginning */

/* The processor leaves alone a packet in space whose contacts are all open and stay so. A device has no
 * packets, and adds a change of zero to their bodies, after which only -0 is another number, +0. No sum
 * or difference is -0 unless its terms are zeros, so a velocity is where a program has set it so. */
static bool has_negative_zero(const ProblemBody *b) {
    const double x[6] = {b->v.x, b->v.y, b->v.z, b->s.x, b->s.y, b->s.z};
    bool found = false;
    for (int k = 0; k < 6; k++) {
        found = found || (x[k] == 0 && signbit(x[k]));
    }
    return found;
}

/* The bodies of a new problem, and whether some piece has such velocities. */
typedef struct NewBodies {
    const DeviceRows *rows;
    bool zeros[SCR_MOST_PIECES];
} NewBodies;

static void put_new_bodies(void *context, size_t piece) {
    NewBodies *k = context;
    const Problem *p = k->rows->problem;
    const Walls walls = walls_of(p, k->rows->order);
    const size_t end = scr_piece_end(p->bodies, piece);
    bool found = false;
    for (size_t i = scr_piece_begin(p->bodies, piece); i < end; i++) {
        memcpy(k->rows->task.body + SCREE_DEVICE_BODY * i, &p->body[i], sizeof p->body[i]);
        found = found || (has_negative_zero(&p->body[i]) && !is_wall(walls, (int32_t)i));
    }
    k->zeros[piece] = found && p->dimension == 3;
}

/* False where the device cannot sweep them. */
static bool begin_bodies(DeviceRows *d) {
    NewBodies all = {.rows = d};
    const size_t pieces = scr_pieces(d->problem->bodies);
    bool good = true;
    scr_threads_loop(d->threads, pieces, put_new_bodies, &all);
    for (size_t k = 0; k < pieces; k++) {
        good = good && !all.zeros[k];
    }
    return good && d->device->put_bodies(d->device->context, &d->task);
}

/* Boxes of a group while they are planned and laid out. */
typedef struct NewBoxes {
    DeviceRows *rows;
    size_t first;
    atomic_bool too_large; /* one of them is */
} NewBoxes;

/* In one go, while the rows are in the processor's cache. */
static void put_new_box(void *context, size_t i) {
    NewBoxes *k = context;
    DeviceRows *d = k->rows;
    const size_t box = k->first + i;
    if (scr_device_plan_box(&d->plan, d->problem, d->order, box, &d->task)) {
        each_row(d, box, put_approach);
        each_row(d, box, put_row);
    } else {
        atomic_store_explicit(&k->too_large, true, memory_order_relaxed);
    }
}

/* Rows of one group are on their way to the device while the next one is laid out. */
static bool begin_rows(DeviceRows *d) {
    const Order *order = d->order;
    NewBoxes group = {.rows = d};
    bool good = scr_device_plan_begin(&d->plan, d->problem, d->threads);
    for (size_t g = 0; g < order->groups && good; g++) {
        const size_t end = (size_t)order->group_end[g];
        scr_threads_loop(d->threads, end - group.first, put_new_box, &group);
        good = !atomic_load(&group.too_large) &&
               d->device->put_rows(d->device->context, &d->task, scr_first_row(order, group.first),
                                   scr_first_row(order, end), true);
        group.first = end;
    }
    return good;
}

/* Boxes that add to the same sum: less than EXACT_TERMS, and few, so that they rarely meet there. */
enum { BOXES_OF_SUM = 256 };
_Static_assert((int)BOXES_OF_SUM < (int)EXACT_TERMS, "no carries until the end");
_Static_assert((int)SCREE_DEVICE_SUM_WORDS == (int)EXACT_WORDS + 3, "a sum and what is no number");

/* Whether some rows of a piece have torques. */
typedef struct Torques {
    const Problem *problem;
    bool any[SCR_MOST_PIECES];
} Torques;

static void find_torques(void *context, size_t piece) {
    Torques *t = context;
    const Problem *p = t->problem;
    const size_t end = scr_piece_end(p->rows, piece);
    t->any[piece] = false;
    for (size_t i = scr_piece_begin(p->rows, piece); i < end && !t->any[piece]; i++) {
        const LawRow *l = scr_law_row(p, i);
        t->any[piece] = l != NULL && l->torques;
    }
}

/* Rows that have the same copy of a body are updated one by one, and kernels for Coulomb's law alone do not do that. */
static int32_t laws_of(const Problem *p, const Order *order, Threads *threads) {
    Torques all = {.problem = p};
    const size_t pieces = scr_pieces(p->rows);
    bool any = false;
    if (p->law_of == NULL) {
        return order->copies > 0 ? SCREE_DEVICE_SPRINGS : SCREE_DEVICE_COULOMB;
    }
    scr_threads_loop(threads, pieces, find_torques, &all);
    for (size_t k = 0; k < pieces; k++) {
        any = any || all.any[k];
    }
    return any ? SCREE_DEVICE_ROLLING : SCREE_DEVICE_SPRINGS;
}

static ScreeDeviceTask sizes_of(const Problem *p, const Order *order, Threads *threads) {
    return (ScreeDeviceTask){.dimension = p->dimension,
                             .laws = laws_of(p, order, threads),
                             .bodies = p->bodies,
                             .rows = p->rows,
                             .boxes = order->boxes,
                             .groups = order->groups,
                             .splits = scr_device_splits(order),
                             .copies = order->copies,
                             .sums = order->boxes / BOXES_OF_SUM + 1};
}

bool scr_device_reserve(DeviceRows *d, const ScreeDevice *device, Problem *p, const Order *order,
                        bool alone, Threads *threads) {
    *d = (DeviceRows){.device = device,
                      .task = sizes_of(p, order, threads),
                      .problem = p,
                      .order = order,
                      .threads = threads,
                      .plan = d->plan};
    d->task.alone = alone;
    return device->reserve(device->context, &d->task);
}

bool scr_device_begin_alone(DeviceRows *d) {
    ScreeDeviceTask *t = &d->task;
    d->alone = true;
    t->box[d->order->boxes] = (ScreeDeviceBox){(int32_t)d->problem->rows, 0, 0, 0};
    memcpy(t->group_end, d->order->group_end, d->order->groups * sizeof *t->group_end);
    scr_device_list_copies(d->problem, d->order, t);
    return d->device->begin(d->device->context, t);
}

bool scr_device_begin(DeviceRows *d, const ScreeDevice *device, Problem *p, const Order *order,
                      Threads *threads) {
    ScreeDeviceTask *t = &d->task;
    if (!scr_device_reserve(d, device, p, order, false, threads) || !begin_bodies(d) ||
        !begin_rows(d)) {
        return false;
    }
    t->box[order->boxes] = (ScreeDeviceBox){(int32_t)p->rows, 0, 0, 0};
    memcpy(t->group_end, order->group_end, order->groups * sizeof *t->group_end);
    scr_device_list_copies(p, order, t);
    return device->begin(device->context, t);
}

void scr_device_rows_free(DeviceRows *d) {
    scr_device_plan_free(&d->plan);
}

/* ---------------------------------------------------------------- to and fro */

static void put_bodies(void *context, size_t piece) {
    const DeviceRows *d = context;
    const size_t n = d->problem->bodies, begin = scr_piece_begin(n, piece);
    memcpy(d->task.body + SCREE_DEVICE_BODY * begin, &d->problem->body[begin],
           (scr_piece_end(n, piece) - begin) * sizeof(ProblemBody));
}

static void get_bodies(void *context, size_t piece) {
    const DeviceRows *d = context;
    const size_t n = d->problem->bodies, begin = scr_piece_begin(n, piece);
    memcpy(&d->problem->body[begin], d->task.body + SCREE_DEVICE_BODY * begin,
           (scr_piece_end(n, piece) - begin) * sizeof(ProblemBody));
}

void scr_device_put(DeviceRows *d) {
    if (!d->stale) {
        return;
    }
    scr_threads_loop(d->threads, scr_pieces(d->problem->bodies), put_bodies, d);
    scr_threads_loop(d->threads, d->order->boxes, put_box, d);
    (void)(d->device->put_bodies(d->device->context, &d->task) &&
           d->device->put_rows(d->device->context, &d->task, 0, d->problem->rows, false));
    d->stale = d->ahead = false;
}

void scr_device_get(DeviceRows *d) {
    if (d->alone) {
        d->given_up = true;
        return;
    }
    if (!d->ahead || !d->device->get_bodies(d->device->context, &d->task)) {
        return;
    }
    scr_threads_loop(d->threads, scr_pieces(d->problem->bodies), get_bodies, d);
    if (d->device->get_impulses(d->device->context, &d->task)) {
        scr_threads_loop(d->threads, d->order->boxes, get_box, d);
        d->ahead = false;
    }
}

/* The sum of all boxes, of which each number of the task has some. */
static double add_up(const ScreeDeviceTask *t, size_t which) {
    ExactSum all, some;
    scr_exact_clear(&all);
    for (size_t k = 0; k < t->sums; k++) {
        scr_sum_from_words(t->sum + SCREE_DEVICE_SUM_WORDS * (2 * k + which), &some);
        scr_exact_join(&all, &some);
    }
    return scr_exact_total(&all);
}

double scr_device_sweep(DeviceRows *d, const RowMomentum *momentum, bool silent, double *square) {
    const ScreeDeviceSweep how = {momentum != NULL, momentum != NULL ? momentum->beta : 0,
                                  momentum != NULL ? momentum->creep : 0, silent};
    scr_device_put(d);
    d->ahead = true;
    const bool swept = d->device->sweep(d->device->context, &d->task, &how) && !silent;
    if (momentum != NULL) {
        *square = swept ? add_up(&d->task, 1) : 0;
    }
    return swept ? add_up(&d->task, 0) : 0;
}

bool scr_device_judge(DeviceRows *d) {
    const Problem *p = d->problem;
    if (d->stale || p->parts != d->order->boxes ||
        !d->device->judge(d->device->context, &d->task)) {
        return false;
    }
    memcpy(p->part_sum, d->task.judged, p->parts * sizeof(LawSums));
    return true;
}

void scr_device_lift(DeviceRows *d, double beta) {
    scr_device_put(d);
    (void)d->device->lift(d->device->context, &d->task, beta);
    d->ahead = true;
}

void scr_device_keep(DeviceRows *d) {
    scr_device_put(d);
    (void)d->device->keep(d->device->context, &d->task);
}

void scr_device_recall(DeviceRows *d) {
    scr_device_put(d);
    (void)d->device->recall(d->device->context, &d->task);
    d->ahead = true;
}
