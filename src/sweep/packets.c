#include "sweep/packets.h"

#include "sweep/block_columns.h"
#include "sweep/blocks.h"
#include "sweep/packet_sort.h"
#include "sweep/sweep_laws.h"

/* ---------------------------------------------------------------- work space */

static bool is_mixed(const Problem *p, const Order *order) {
    return p->general_of != NULL || p->law_of != NULL || order->copies > 0;
}

/* Only the last packet of a run may have less than PACKET_ROWS rows, so with this many places for
 * each run there is room for all of them. */
enum { GAP = PACKET_ROWS - 1 };

size_t scr_packet_room(const Problem *p, const Order *order, size_t rows) {
    size_t columns = p->law_of != NULL ? (rows + GAP * order->runs) * LAW_COLUMNS : 0;
    return is_mixed(p, order) ? columns * sizeof(double) + rows : 0;
}

/* The columns of the law rows of the packet that begins with this row. */
static double *law_columns(const Problem *p, size_t row, size_t run) {
    return (double *)p->packets + LAW_COLUMNS * (row + GAP * run);
}

/* [rows] the sort of the packet that begins there, as scr_rows_to_columns has found it. */
static uint8_t *sorts(const Problem *p, const Order *order) {
    return (uint8_t *)p->packets + scr_packet_room(p, order, p->rows) - p->rows;
}

/* Whether the rows of a packet are turned into columns. */
static inline bool is_turned(uint8_t sort, size_t count) {
    return count == PACKET_ROWS && sort != SORT_OTHER;
}

/* `known`: scr_rows_to_columns has been here. */
static inline uint8_t sort_of(const Problem *p, const Order *order, size_t first, size_t count,
                              bool known) {
    if (!is_mixed(p, order)) {
        return SORT_PLAIN;
    }
    return known ? sorts(p, order)[first] : scr_packet_sort(p, order, first, count);
}

/* ---------------------------------------------------------------- one packet */

/* Updates the first `count` rows of a packet. Contacts slower than `creep` creep; NULL: none
 * does. */
WIDE_INLINE void update_columns(Sweeping *s, double *c, size_t count, bool space,
                                const Wide *creep) {
    const bool full = count == PACKET_ROWS;
    Wide *sum = s->change.lane;
    if (space && !(full && stays_open(s, c, creep))) {
        for (size_t k = 0; k < count; k += WIDE) {
            Pairs pairs = pairs_of(s, c + k, full ? WIDE : count - k);
            sum[k / WIDE] = packet_space(c + k, &pairs, sum[k / WIDE], creep);
        }
    } else if (!space) {
        _Pragma("GCC unroll 8") for (size_t k = 0; k < count; k += WIDE) {
            Pairs pairs = pairs_of(s, c + k, full ? WIDE : count - k);
            sum[k / WIDE] = packet_plane(c + k, &pairs, sum[k / WIDE], creep);
        }
    }
}

static void update_plane_general(Sweeping *s, double *c, size_t row, size_t count) {
    const Problem *p = s->problem;
    const bool creeping = creeps(s->momentum);
    const Wide creep = wide_all(creeping ? s->momentum->creep : 0);
    for (size_t k = 0; k < PACKET_ROWS && k < count; k += WIDE) {
        double *general[WIDE];
        for (size_t j = 0; j < WIDE; j++) {
            general[j] = (double *)(k + j < count ? &p->general[p->general_of[row + k + j]]
                                                  : &s->nothing.general);
        }
        Pairs pairs = pairs_of(s, c + k, count - k);
        Wide *sum = &s->change.lane[k / WIDE];
        *sum = packet_plane_general(c + k, &pairs, general, creeping ? &creep : NULL, *sum);
    }
}

/* `columns`: the general rows are columns, too. */
static void update_general(Sweeping *s, double *c, size_t row, size_t count, bool columns) {
    const Problem *p = s->problem;
    if (p->dimension == 2) {
        update_plane_general(s, c, row, count);
        return;
    }
    GeneralRow *general = &p->general[p->general_of[row]];
    double g[BLOCK_NUMBERS], *change = (double *)s->change.lane;
    if (columns) {
        scr_update_blocks(p, s->walls, c, (const double *)general, count, change);
    } else {
        for (size_t k = 0; k < PACKET_ROWS; k += WIDE) {
            blocks_to_columns(general + k, k < count ? count - k : 0, g + k);
        }
        scr_update_blocks(p, s->walls, c, g, count, change);
    }
}

/* Packets that are not full are turned into columns for the update, and so are all others if they
 * are stored as records. `laws`: their law columns, if there are any; NULL if not. */
static void update_records(Sweeping *s, size_t first, size_t count, uint8_t sort, double *laws) {
    double c[PACKET_NUMBERS];
    Row *row = &s->problem->row[first];
    for (size_t k = 0; k < PACKET_ROWS; k += WIDE) {
        to_columns(row + k, k < count ? count - k : 0, c + k);
    }
    if (sort == SORT_GENERAL) {
        update_general(s, c, first, count, false);
    } else if (sort != SORT_PLAIN) {
        double l[LAW_COLUMNS * PACKET_ROWS];
        if (laws == NULL) {
            laws_to_columns(s->problem, first, count, sort - (unsigned)SORT_LAW, l);
        }
        update_laws(s, c, laws != NULL ? laws : l, first, count, sort - (unsigned)SORT_LAW);
        if (laws == NULL) {
            torques_to_records(s->problem, first, count, sort - (unsigned)SORT_LAW, l);
        }
    } else if (creeps(s->momentum)) {
        const Wide creep = wide_all(s->momentum->creep);
        update_columns(s, c, count, s->problem->dimension == 3, &creep);
    } else {
        update_columns(s, c, count, s->problem->dimension == 3, NULL);
    }
    for (size_t k = 0; k < count; k += WIDE) {
        to_records(c + k, count - k, ROW_RN, row + k);
    }
}

/* ---------------------------------------------------------------- one box */

/* How many packets ahead the bodies of a packet are prefetched, and the packet itself. */
enum { BODIES_AHEAD = 3, ROWS_AHEAD = 8, SECOND_CACHE = 2 };

/* Whether a row between round bodies in the plane never uses this member. */
WIDE_INLINE bool is_of_space(int member) {
    return member == ROW_NORMAL + 2 || member == ROW_RT + 1 || member == ROW_RT + 2;
}

/* Stored rows come as one stream, which the hardware partly predicts; it cannot predict their
 * bodies. Rows are prefetched early, into the second-level cache, since the first level has no room
 * for so many. `left` counts the packets from this one on. */
WIDE_INLINE void prefetch(const Sweeping *s, size_t row, size_t left, bool space) {
    const double *c = (const double *)&s->problem->row[row];
    const double *ahead = c + ROWS_AHEAD * PACKET_NUMBERS; /* reading past the end does no harm */
    _Pragma("GCC unroll 16") for (int k = 0; k < ROW_BODIES; k++) {
        if (space || !is_of_space(k)) {
            __builtin_prefetch(ahead + k * PACKET_ROWS, 0, SECOND_CACHE);
        }
    }
    __builtin_prefetch(ahead + ROW_BODIES * PACKET_ROWS); /* needed long before the rest */
    for (int k = 0; s->momentum != NULL && k < 4; k++) {
        const double *before = s->momentum->before + 4 * row;
        __builtin_prefetch(before + (4 * ROWS_AHEAD + k) * PACKET_ROWS, 1);
    }
    if (left > BODIES_AHEAD) {
        const BodyIndex *index = body_indices(c + BODIES_AHEAD * PACKET_NUMBERS);
        for (int k = 0; k < 2 * PACKET_ROWS; k++) {
            __builtin_prefetch(&s->problem->body[index[k]], 1);
        }
    }
}

/* The law columns of a packet like this one. They are more than the second-level cache delivers in
 * time. */
static void prefetch_laws(const double *l, unsigned parts) {
    const double *ahead = l + BODIES_AHEAD * PACKET_ROWS * LAW_COLUMNS;
    const unsigned read = parts_read(parts);
    const int first = (read & LAW_BONDS) != 0     ? LAW_ADHESION
                      : (read & LAW_SPRINGS) != 0 ? LAW_SOFT_N
                                                  : LAW_ROLL;
    const int end = (read & LAW_ROLLS) != 0     ? LAW_TURN
                    : (read & LAW_SPRINGS) != 0 ? LAW_ROLL
                                                : LAW_SOFT_N;
    for (int k = first; k < end; k++) {
        __builtin_prefetch(ahead + k * PACKET_ROWS);
    }
}

/* The general rows in space of a packet like this one. The tensors of its bodies are near enough. */
static void prefetch_blocks(const Problem *p, size_t row) {
    const double *g = (const double *)&p->general[p->general_of[row]];
    const double *ahead = g + ROWS_AHEAD * BLOCK_NUMBERS;
    for (int k = 0; k < BLOCK_MEMBERS; k++) {
        if (k != BLOCK_W && (k < BLOCK_T2 || k >= BLOCK_W) &&
            (k < BLOCK_W + 3 || k >= BLOCK_REST)) { /* the others are rarely needed */
            __builtin_prefetch(ahead + k * PACKET_ROWS, 0, SECOND_CACHE);
        }
    }
}

/* A full packet that is stored as columns. */
WIDE_INLINE void update_stored_general(Sweeping *s, size_t row, size_t left, bool space) {
    if (space) {
        prefetch(s, row, left, space);
        prefetch_blocks(s->problem, row);
    }
    update_general(s, (double *)&s->problem->row[row], row, PACKET_ROWS, true);
}

static void update_alone(Sweeping *s, size_t first, size_t count,
                         double (*alone)(Problem *problem, size_t row)) {
    for (size_t k = first; k < first + count; k++) {
        s->change.rest += alone(s->problem, k);
    }
}

/* Extrapolates a packet whose impulses are stored as columns: whole columns at once. */
static void lift_columns(const Sweeping *s, size_t first) {
    const RowMomentum *m = s->momentum;
    double *x = (double *)&s->problem->row[first] + ROW_RN * PACKET_ROWS;
    if (s->problem->dimension == 3) { /* constant counts, so that the loops become vectors */
        momentum_lift(m->beta, m->before + 4 * first, x, 4 * PACKET_ROWS);
    } else {
        momentum_lift(m->beta, m->before + 4 * first, x, 2 * PACKET_ROWS);
    }
}

/* The torques of law columns, which keep `count` of PACKET_ROWS places. */
static void lift_torques(const RowMomentum *m, size_t first, size_t count, double *l) {
    double *before = m->torque + TORQUE_COLUMNS * first, *x = l + LAW_ROLL * PACKET_ROWS;
    if (count == PACKET_ROWS) {
        momentum_lift(m->beta, before, x, TORQUE_COLUMNS * PACKET_ROWS);
    }
    for (size_t k = 0; count < PACKET_ROWS && k < TORQUE_COLUMNS; k++) {
        momentum_lift(m->beta, before + k * count, x + k * PACKET_ROWS, (int)count);
    }
}

static void measure_torques(const RowMomentum *m, size_t first, size_t count, const double *l,
                            double square[MOMENTUM_LANES]) {
    const double *before = m->torque + TORQUE_COLUMNS * first, *x = l + LAW_ROLL * PACKET_ROWS;
    for (size_t k = 0; k < TORQUE_COLUMNS; k++) {
        for (size_t j = 0; j < count; j++) {
            double d = x[k * PACKET_ROWS + j] - before[k * count + j];
            square[j] += d * d * l[LAW_PER_SQUARE * PACKET_ROWS + j];
        }
    }
}

/* `l`: the law columns of a packet with torques; NULL if it has none. */
static void lift(const Sweeping *s, size_t first, size_t count, bool columns, double *l) {
    const Problem *p = s->problem;
    const RowMomentum *m = s->momentum;
    if (columns) {
        lift_columns(s, first);
    }
    for (size_t row = first; !columns && row < first + count; row++) {
        momentum_lift(m->beta, m->before + 4 * row, &p->row[row].rn, 4);
    }
    if (l != NULL) {
        lift_torques(m, first, count, l);
    }
    for (size_t row = first; l == NULL && !columns && row < first + count; row++) {
        momentum_lift_torque(m, row, scr_law_row(p, row));
    }
}

static void measure(Sweeping *s, size_t first, size_t count, bool columns, const double *l) {
    const Problem *p = s->problem;
    const RowMomentum *m = s->momentum;
    const double *before = m->before + 4 * first;
    const double *x = (const double *)&p->row[first] + ROW_RN * PACKET_ROWS;
    double square[MOMENTUM_LANES]; /* kept in registers */
    memcpy(square, s->square, sizeof square);
    for (int k = 0; columns && k < (p->dimension == 3 ? 4 : 2) * PACKET_ROWS; k += PACKET_ROWS) {
        momentum_measure(before + k, x + k, PACKET_ROWS, square);
    }
    for (size_t k = 0; !columns && k < count; k++) {
        momentum_measure(before + 4 * k, &p->row[first + k].rn, 4, square);
    }
    if (l != NULL) {
        measure_torques(m, first, count, l, square);
    }
    for (size_t row = first; l == NULL && !columns && row < first + count; row++) {
        square[0] += momentum_torque_square(m, row, scr_law_row(p, row));
    }
    memcpy(s->square, square, sizeof square);
}

/* Sweeps a box run by run, packet by packet. `space`, and whether there is a `creep`, are constants
 * at each call, so that each case is compiled separately. */
WIDE_INLINE double sweep_box(Sweeping *s, const Order *order, size_t box, bool space,
                             const Wide *creep, double (*alone)(Problem *problem, size_t row)) {
    Problem *p = s->problem;
    size_t run = box > 0 ? (size_t)order->box_end[box - 1] : 0;
    size_t row = run > 0 ? (size_t)order->run_end[run - 1] : 0;
    for (; run < (size_t)order->box_end[box]; run++) {
        const size_t end = (size_t)order->run_end[run];
        for (size_t count; row < end; row += count) {
            count = end - row < PACKET_ROWS ? end - row : PACKET_ROWS;
            const uint8_t sort = sort_of(p, order, row, count, s->columns);
            const bool columns = s->columns && is_turned(sort, count);
            const unsigned parts = sort > SORT_LAW ? sort - (unsigned)SORT_LAW : 0;
            double *laws = parts > 0 && s->columns ? law_columns(p, row, run) : NULL;
            double *torques = (parts & LAW_ROLLS) != 0 ? laws : NULL;
            if (s->momentum != NULL) {
                lift(s, row, count, columns, torques);
            }
            if (sort == SORT_OTHER) {
                update_alone(s, row, count, alone);
            } else if (!columns) {
                update_records(s, row, count, sort, laws);
            } else if (sort == SORT_GENERAL) {
                update_stored_general(s, row, (end - row) / PACKET_ROWS, space);
            } else if (sort != SORT_PLAIN) {
                prefetch(s, row, (end - row) / PACKET_ROWS, space);
                prefetch_laws(laws, parts);
                update_laws(s, (double *)&p->row[row], laws, row, count, parts);
            } else {
                prefetch(s, row, (end - row) / PACKET_ROWS, space);
                update_columns(s, (double *)&p->row[row], PACKET_ROWS, space, creep);
            }
            if (s->momentum != NULL) {
                measure(s, row, count, columns, torques);
            }
        }
    }
    return total(&s->change);
}

double scr_sweep_box(Problem *p, const Order *order, size_t box, bool columns,
                     double (*alone)(Problem *problem, size_t row), const RowMomentum *momentum,
                     double *square) {
    Sweeping s = {
        .problem = p, .walls = walls_of(p, order), .columns = columns, .momentum = momentum};
    const bool space = p->dimension == 3;
    double change;
    if (creeps(momentum)) {
        const Wide creep = wide_all(momentum->creep);
        change = space ? sweep_box(&s, order, box, true, &creep, alone)
                       : sweep_box(&s, order, box, false, &creep, alone);
    } else {
        change = space ? sweep_box(&s, order, box, true, NULL, alone)
                       : sweep_box(&s, order, box, false, NULL, alone);
    }
    *square = momentum_total(s.square);
    return change;
}

/* ---------------------------------------------------------------- records and columns */

typedef struct Turning {
    Problem *problem;
    const Order *order;
    bool back;
} Turning;

static void turn_packet(Row *row, bool back) {
    double copy[PACKET_NUMBERS];
    if (back) {
        memcpy(copy, row, sizeof copy);
    }
    for (int k = 0; k < PACKET_ROWS; k += WIDE) {
        for (int m = 0; m < ROW_MEMBERS && back; m += 4) {
            to_records(copy + k, WIDE, m, row + k);
        }
        if (!back) {
            to_columns(row + k, WIDE, copy + k);
        }
    }
    if (!back) {
        memcpy(row, copy, sizeof copy);
    }
}

/* Law columns are filled while the rows are records, and torques return when they are again. */
static void turn_rows(const Turning *t, size_t row, size_t count, size_t run, uint8_t sort) {
    Problem *p = t->problem;
    const unsigned parts = sort > SORT_LAW ? sort - (unsigned)SORT_LAW : 0;
    if (parts > 0 && !t->back) {
        laws_to_columns(p, row, count, parts, law_columns(p, row, run));
    }
    if (is_turned(sort, count)) {
        turn_packet(&p->row[row], t->back);
        if (sort == SORT_GENERAL && p->dimension == 3) {
            turn_blocks(&p->general[p->general_of[row]], t->back);
        }
    }
    if (parts > 0 && t->back) {
        torques_to_records(p, row, count, parts, law_columns(p, row, run));
    }
}

static void turn_box(void *context, size_t box) {
    const Turning *t = context;
    const Order *order = t->order;
    Problem *p = t->problem;
    size_t run = box > 0 ? (size_t)order->box_end[box - 1] : 0;
    size_t row = run > 0 ? (size_t)order->run_end[run - 1] : 0;
    for (; run < (size_t)order->box_end[box]; run++) {
        size_t end = (size_t)order->run_end[run];
        for (size_t count; row < end; row += count) {
            count = end - row < PACKET_ROWS ? end - row : PACKET_ROWS;
            const uint8_t sort = sort_of(p, order, row, count, t->back);
            if (is_mixed(p, order)) {
                sorts(p, order)[row] = sort;
            }
            turn_rows(t, row, count, run, sort);
        }
    }
}

void scr_rows_to_columns(Problem *p, const Order *order, Threads *threads) {
    Turning turning = {p, order, false};
    scr_threads_loop(threads, order->boxes, turn_box, &turning);
}

void scr_rows_to_records(Problem *p, const Order *order, Threads *threads) {
    Turning turning = {p, order, true};
    scr_threads_loop(threads, order->boxes, turn_box, &turning);
}
