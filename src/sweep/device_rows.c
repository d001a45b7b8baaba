#include "sweep/device_rows.h"

#include "sweep/order_input.h"
#include "sweep/walls.h"

#include <string.h>

enum { NO_ROW = -1 };
_Static_assert((int)SCREE_DEVICE_LANES == (int)PACKET_ROWS, "packets are those of the processor");
_Static_assert(sizeof(ProblemBody) == SCREE_DEVICE_BODY * sizeof(double), "bodies as they are");

bool scr_device_takes(const Problem *p, const Order *order) {
    return order->groups > 0 && order->copies == 0 && order->spread == NULL && p->rows > 0 &&
           p->general_of == NULL && p->law_of == NULL && p->cell == NULL && p->processes == NULL;
}

static size_t first_row(const Order *order, size_t box) {
    return box > 0 ? (size_t)order->row_end[box - 1] : 0;
}

static size_t first_run(const Order *order, size_t box) {
    return box > 0 ? (size_t)order->box_end[box - 1] : 0;
}

/* ---------------------------------------------------------------- packets of a box */

/* Calls for each packet of a box with its rows and its number in the task. */
typedef void PacketWork(DeviceRows *rows, size_t packet, size_t row, size_t count);

static void each_packet(DeviceRows *d, size_t box, PacketWork *work) {
    const Order *order = d->order;
    size_t packet = box > 0 ? (size_t)d->task.packet_end[box - 1] : 0;
    size_t row = first_row(order, box);
    for (size_t run = first_run(order, box); run < (size_t)order->box_end[box]; run++) {
        const size_t end = (size_t)order->run_end[run];
        for (size_t count; row < end; row += count) {
            count = end - row < PACKET_ROWS ? end - row : PACKET_ROWS;
            work(d, packet++, row, count);
        }
    }
}

static void put_numbers(DeviceRows *d, size_t packet, size_t row, size_t count) {
    const Walls walls = walls_of(d->problem, d->order);
    double *c = d->task.constant + packet * PACKET_ROWS * SCREE_DEVICE_CONSTANTS;
    double *x = d->task.impulse + packet * PACKET_ROWS * SCREE_DEVICE_IMPULSES;
    for (size_t k = 0; k < PACKET_ROWS; k++) {
        const Row none = {.a = NO_ROW, .b = NO_ROW};
        const Row *r = k < count ? &d->problem->row[row + k] : &none;
        const int32_t pair[2] = {r->a, is_wall(walls, r->b) ? -1 - r->b : r->b};
        double constant[SCREE_DEVICE_CONSTANTS] = {r->normal.x, r->normal.y, r->normal.z, r->bias,
                                                   r->mass_n,   r->mass_t,   r->mu,       0};
        const double impulse[SCREE_DEVICE_IMPULSES] = {r->rn, r->rt.x, r->rt.y, r->rt.z};
        memcpy(&constant[SCREE_DEVICE_CONSTANTS - 1], pair, sizeof pair);
        memcpy(c + k * SCREE_DEVICE_CONSTANTS, constant, sizeof constant);
        memcpy(x + k * SCREE_DEVICE_IMPULSES, impulse, sizeof impulse);
    }
}

static void get_impulses(DeviceRows *d, size_t packet, size_t row, size_t count) {
    const double *x = d->task.impulse + packet * PACKET_ROWS * SCREE_DEVICE_IMPULSES;
    for (size_t k = 0; k < count; k++, x += SCREE_DEVICE_IMPULSES) {
        Row *r = &d->problem->row[row + k];
        r->rn = x[0];
        r->rt = vec3(x[1], x[2], x[3]);
    }
}

static void put_box(void *context, size_t box) {
    each_packet(context, box, put_numbers);
}

static void get_box(void *context, size_t box) {
    each_packet(context, box, get_impulses);
}

/* ---------------------------------------------------------------- sizes */

static size_t packets_of(const Order *order, size_t box) {
    size_t row = first_row(order, box), packets = 0;
    for (size_t run = first_run(order, box); run < (size_t)order->box_end[box]; run++) {
        packets += ((size_t)order->run_end[run] - row + PACKET_ROWS - 1) / PACKET_ROWS;
        row = (size_t)order->run_end[run];
    }
    return packets;
}

/* Where the packets of each box end, into the task once it has arrays. */
static void count_packets(DeviceRows *d, bool write) {
    ScreeDeviceTask *t = &d->task;
    t->packets = 0;
    for (size_t box = 0; box < d->order->boxes; box++) {
        t->packets += packets_of(d->order, box);
        if (write) {
            t->packet_end[box] = (int32_t)t->packets;
        }
    }
}

bool scr_device_begin(DeviceRows *d, const ScreeDevice *device, Problem *p, const Order *order,
                      Threads *threads) {
    *d = (DeviceRows){device, {0}, p, order, threads, true, false, true};
    ScreeDeviceTask *t = &d->task;
    t->dimension = p->dimension;
    t->bodies = p->bodies;
    t->boxes = order->boxes;
    t->groups = order->groups;
    count_packets(d, false);
    if (!device->reserve(device->context, t)) {
        return false;
    }
    count_packets(d, true);
    memcpy(t->group_end, order->group_end, order->groups * sizeof *t->group_end);
    return true;
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
    scr_threads_loop(d->threads, d->order->boxes, put_box, d);
    scr_threads_loop(d->threads, scr_pieces(d->problem->bodies), put_bodies, d);
    (void)d->device->put(d->device->context, &d->task, d->fresh);
    d->fresh = d->stale = d->ahead = false;
}

void scr_device_get(DeviceRows *d) {
    if (d->ahead && d->device->get(d->device->context, &d->task)) {
        scr_threads_loop(d->threads, d->order->boxes, get_box, d);
        scr_threads_loop(d->threads, scr_pieces(d->problem->bodies), get_bodies, d);
        d->ahead = false;
    }
}

void scr_device_sweep(DeviceRows *d, const RowMomentum *momentum) {
    const ScreeDeviceSweep how = {momentum != NULL, momentum != NULL ? momentum->beta : 0,
                                  momentum != NULL ? momentum->creep : 0};
    scr_device_put(d);
    d->ahead = true;
    const bool swept = d->device->sweep(d->device->context, &d->task, &how);
    const size_t bytes = 2 * d->order->boxes * sizeof(double);
    if (swept) {
        memcpy(d->order->box_sum, d->task.sum, bytes);
    } else {
        memset(d->order->box_sum, 0, bytes);
    }
}

void scr_device_lift(DeviceRows *d, double beta) {
    scr_device_put(d);
    (void)d->device->lift(d->device->context, &d->task, beta);
    d->ahead = true;
}
