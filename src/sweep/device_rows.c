#include "sweep/device_rows.h"

#include "sweep/order_input.h"
#include "sweep/walls.h"

#include <string.h>

enum {
    MEMBERS = SCREE_DEVICE_CONSTANTS + SCREE_DEVICE_IMPULSES,
    SLOTS = 8192,
    NO_BODY = -1,
    TOO_MANY = -1
};
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

/* ---------------------------------------------------------------- the bodies of a box */

/* Which place a body has among those of its box: a table with open addresses, at most half full. */
typedef struct Places {
    int32_t key[SLOTS];
    uint16_t value[SLOTS];
    uint32_t mask, count, most;
    bool overflown;
    int32_t *place;
    Walls walls;
} Places;

static void clear_places(Places *places, size_t most) {
    uint32_t slots = 64;
    while (slots < SLOTS && slots < 2 * most) {
        slots *= 2;
    }
    for (uint32_t k = 0; k < slots; k++) {
        places->key[k] = NO_BODY;
    }
    places->mask = slots - 1;
    places->count = 0;
    places->overflown = false;
    places->most = (uint32_t)most;
}

/* The place of a body, a new one if it has none. */
static uint32_t place_of(Places *places, int32_t body) {
    uint32_t at = ((uint32_t)body * UINT32_C(2654435761)) >> 16 & places->mask;
    while (places->key[at] != body && places->key[at] != NO_BODY) {
        at = (at + 1) & places->mask;
    }
    if (places->key[at] == NO_BODY) {
        if (places->count == places->most) {
            places->overflown = true;
            return 0;
        }
        places->place[places->count] = is_wall(places->walls, body) ? -1 - body : body;
        places->key[at] = body;
        places->value[at] = (uint16_t)places->count++;
    }
    return places->value[at];
}

/* Most bodies that a box with so many rows can have on a device. */
static size_t most_places(const ScreeDevice *device, size_t rows) {
    const size_t most = device->most_places < SLOTS / 2 ? device->most_places : SLOTS / 2;
    return 2 * rows < most ? 2 * rows : most;
}

/* ---------------------------------------------------------------- packets of a box */

/* Calls for each packet of a box with its rows and its number in the task. */
typedef void PacketWork(DeviceRows *rows, size_t packet, size_t row, size_t count, void *context);

static void each_packet(DeviceRows *d, size_t box, PacketWork *work, void *context) {
    const Order *order = d->order;
    size_t packet = box > 0 ? (size_t)d->task.packet_end[box - 1] : 0;
    size_t row = first_row(order, box);
    for (size_t run = first_run(order, box); run < (size_t)order->box_end[box]; run++) {
        const size_t end = (size_t)order->run_end[run];
        for (size_t count; row < end; row += count) {
            count = end - row < PACKET_ROWS ? end - row : PACKET_ROWS;
            work(d, packet++, row, count, context);
        }
    }
}

static void put_numbers(DeviceRows *d, size_t packet, size_t row, size_t count, void *context) {
    (void)context;
    double *c = d->task.constant + packet * SCREE_DEVICE_CONSTANTS * PACKET_ROWS;
    double *x = d->task.impulse + packet * SCREE_DEVICE_IMPULSES * PACKET_ROWS;
    for (size_t k = 0; k < PACKET_ROWS; k++) {
        const Row none = {.rn = 0}, *r = k < count ? &d->problem->row[row + k] : &none;
        const double number[MEMBERS] = {r->normal.x, r->normal.y, r->normal.z, r->bias,
                                        r->mass_n,   r->mass_t,   r->mu,       r->rn,
                                        r->rt.x,     r->rt.y,     r->rt.z};
        for (int m = 0; m < SCREE_DEVICE_CONSTANTS; m++) {
            c[m * PACKET_ROWS + (int)k] = number[m];
        }
        for (int m = 0; m < SCREE_DEVICE_IMPULSES; m++) {
            x[m * PACKET_ROWS + (int)k] = number[SCREE_DEVICE_CONSTANTS + m];
        }
    }
}

static void put_pairs(DeviceRows *d, size_t packet, size_t row, size_t count, void *context) {
    Places *places = context;
    uint32_t *pair = d->task.pair + packet * PACKET_ROWS;
    for (size_t k = 0; k < PACKET_ROWS; k++) {
        pair[k] = SCREE_DEVICE_NO_ROW;
        if (k < count) {
            const Row *r = &d->problem->row[row + k];
            const uint32_t a = place_of(places, r->a), b = place_of(places, r->b);
            const uint32_t wall = is_wall(places->walls, r->b) ? SCREE_DEVICE_WALL : 0;
            pair[k] = a | b << 16 | wall;
        }
    }
}

static void get_impulses(DeviceRows *d, size_t packet, size_t row, size_t count, void *context) {
    (void)context;
    const double *x = d->task.impulse + packet * SCREE_DEVICE_IMPULSES * PACKET_ROWS;
    const bool space = d->problem->dimension == 3;
    for (size_t k = 0; k < count; k++) {
        Row *r = &d->problem->row[row + k];
        r->rn = x[k];
        r->rt.x = x[PACKET_ROWS + k];
        r->rt.y = space ? x[2 * PACKET_ROWS + k] : r->rt.y;
        r->rt.z = space ? x[3 * PACKET_ROWS + k] : r->rt.z;
    }
}

static void put_box(void *context, size_t box) {
    DeviceRows *d = context;
    each_packet(d, box, put_numbers, NULL);
    if (d->fresh) {
        Places places;
        ScreeDeviceTask *t = &d->task;
        places.walls = walls_of(d->problem, d->order);
        places.place = t->place + t->place_begin[box];
        clear_places(&places, (size_t)(t->place_end[box] - t->place_begin[box]));
        each_packet(d, box, put_pairs, &places);
        t->place_end[box] =
            places.overflown ? TOO_MANY : t->place_begin[box] + (int32_t)places.count;
    }
}

static void get_box(void *context, size_t box) {
    each_packet(context, box, get_impulses, NULL);
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

/* Where the packets and places of each box end, into the task once it has arrays. Each box gets as many
 * places as it could need. */
static void measure_task(DeviceRows *d, bool write) {
    ScreeDeviceTask *t = &d->task;
    const Order *order = d->order;
    t->packets = t->places = 0;
    for (size_t box = 0; box < order->boxes; box++) {
        const size_t rows = (size_t)order->row_end[box] - first_row(order, box);
        const size_t places = most_places(d->device, rows);
        if (write) {
            t->place_begin[box] = (int32_t)t->places;
            t->place_end[box] = (int32_t)(t->places + places);
        }
        t->packets += packets_of(order, box);
        t->places += places;
        if (write) {
            t->packet_end[box] = (int32_t)t->packets;
        }
    }
}

/* The most bodies that a box has. False when they are too many. */
static bool find_most_places(ScreeDeviceTask *t) {
    bool fits = true;
    t->most_places = 0;
    for (size_t box = 0; box < t->boxes && fits; box++) {
        fits = t->place_end[box] != TOO_MANY;
        const size_t count = fits ? (size_t)(t->place_end[box] - t->place_begin[box]) : 0;
        t->most_places = count > t->most_places ? count : t->most_places;
    }
    return fits;
}

bool scr_device_begin(DeviceRows *d, const ScreeDevice *device, Problem *p, const Order *order,
                      Threads *threads) {
    *d = (DeviceRows){device, {0}, p, order, threads, true, false, true};
    ScreeDeviceTask *t = &d->task;
    t->dimension = p->dimension;
    t->bodies = p->bodies;
    t->boxes = order->boxes;
    t->groups = order->groups;
    measure_task(d, false);
    if (t->places > INT32_MAX || !device->reserve(device->context, t)) {
        return false;
    }
    measure_task(d, true);
    memcpy(t->group_end, order->group_end, order->groups * sizeof *t->group_end);
    scr_threads_loop(threads, order->boxes, put_box, d);
    return find_most_places(t);
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
    if (!d->fresh) {
        scr_threads_loop(d->threads, d->order->boxes, put_box, d);
    }
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
