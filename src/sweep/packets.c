#include "sweep/packets.h"

#include "sweep/packet_general.h"
#include "sweep/packet_law.h"

#include <string.h>

/* Stands in for rows that a packet does not have, and for bodies that must not be written: walls
 * are read by many rows at once, in several threads. */
typedef struct Nothing {
    ProblemBody body;
    GeneralRow general;
} Nothing;

/* Bodies first .. first + count - 1. */
typedef struct Walls {
    uint32_t first, count;
} Walls;

static Walls walls_of(const Problem *p, const Order *order) {
    return (Walls){(uint32_t)order->walls_from,
                   (uint32_t)(p->bodies - order->copies) - (uint32_t)order->walls_from};
}

WIDE_INLINE bool is_wall(Walls walls, int32_t body) {
    return (uint32_t)body - walls.first < walls.count;
}

/* Sums of |dR|^2 by the lane of a row in its packet, so that they are the same for every vector
 * width. */
typedef struct Change {
    Wide lane[PACKET_ROWS / WIDE];
    double rest; /* of rows that are updated one by one */
} Change;

static double total(const Change *change) {
    double sum = change->rest, lane[PACKET_ROWS];
    memcpy(lane, change->lane, sizeof lane);
    for (int k = 0; k < PACKET_ROWS; k++) {
        sum += lane[k];
    }
    return sum;
}

_Static_assert((int)MOMENTUM_LANES == (int)PACKET_ROWS, "a lane for each row of a packet");

static inline bool creeps(const RowMomentum *momentum) {
    return momentum != NULL && momentum->creep > 0;
}

/* What sweeping a box needs. */
typedef struct Sweeping {
    Problem *problem;
    Walls walls;
    bool columns;
    const RowMomentum *momentum; /* NULL: none */
    Nothing nothing;
    Change change;
    double square[MOMENTUM_LANES];
} Sweeping;

/* The bodies of the next `count` rows, at most WIDE. */
WIDE_INLINE Pairs pairs_of(Sweeping *s, const double *c, size_t count) {
    ProblemBody *body = s->problem->body;
    const BodyIndex *index = body_indices(c);
    Pairs pairs;
    double *none = (double *)&s->nothing.body;
    for (size_t k = 0; k < WIDE; k++) {
        pairs.a[k] = k < count ? (double *)&body[index[2 * k]] : none;
        pairs.b[k] = k < count ? (double *)&body[index[2 * k + 1]] : none;
        pairs.to[k] = k < count && !is_wall(s->walls, index[2 * k + 1]) ? pairs.b[k] : none;
    }
    return pairs;
}

/* ---------------------------------------------------------------- kinds of packets */

/* What all rows of a packet have in common. */
typedef enum Sort {
    SORT_PLAIN,   /* rigid Coulomb between round bodies */
    SORT_GENERAL, /* the same in the plane, between bodies of any shape */
    SORT_LAW,     /* plain, or more than Coulomb, between round bodies */
    SORT_ROLLING, /* the same in space, with torques */
    SORT_OTHER    /* to be updated one by one */
} Sort;

static Sort mixed_sort(const Problem *p, size_t first, size_t count) {
    size_t plain = 0, general = 0, laws = 0, torques = 0;
    for (size_t k = first; k < first + count; k++) {
        const GeneralRow *g = scr_general_row(p, k);
        const LawRow *l = scr_law_row(p, k);
        plain += l == NULL && g == NULL;
        general += l == NULL && g != NULL && p->dimension == 2 && packet_takes(g);
        laws += l != NULL && g == NULL && l->ordinary;
        torques += l != NULL && l->torques;
    }
    if (plain == count || general == count) {
        return plain == count ? SORT_PLAIN : SORT_GENERAL;
    }
    if (plain + laws == count && (torques == 0 || p->dimension == 3)) {
        return torques == 0 ? SORT_LAW : SORT_ROLLING;
    }
    return SORT_OTHER;
}

static inline Sort sort_of(const Problem *p, size_t first, size_t count) {
    bool mixed = p->general_of != NULL || p->law_of != NULL;
    return mixed ? mixed_sort(p, first, count) : SORT_PLAIN;
}

/* ---------------------------------------------------------------- one packet */

/* Packets of contacts that were open in the last step mostly stay so, and then there is nothing to
 * do. All rows of the packet decide together, at every vector width. */
WIDE_INLINE bool stays_open(Sweeping *s, const double *c, const Wide *creep) {
    if (c[ROW_RN * PACKET_ROWS] != 0) {
        return false;
    }
    for (int k = 0; k < PACKET_ROWS; k += WIDE) {
        Pairs pairs = pairs_of(s, c + k, WIDE);
        if (!packet_stays_open(c + k, &pairs, creep)) {
            return false;
        }
    }
    return true;
}

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

static void update_columns_general(Sweeping *s, double *c, size_t row, size_t count) {
    const Problem *p = s->problem;
    for (size_t k = 0; k < PACKET_ROWS && k < count; k += WIDE) {
        double *general[WIDE];
        for (size_t j = 0; j < WIDE; j++) {
            general[j] = (double *)(k + j < count ? &p->general[p->general_of[row + k + j]]
                                                  : &s->nothing.general);
        }
        Pairs pairs = pairs_of(s, c + k, count - k);
        Wide *sum = &s->change.lane[k / WIDE];
        *sum = packet_plane_general(c + k, &pairs, general, *sum);
    }
}

static void update_columns_law(Sweeping *s, double *c, size_t row, size_t count, Sort sort) {
    const Problem *p = s->problem;
    for (size_t k = 0; k < PACKET_ROWS && k < count; k += WIDE) {
        LawRow none[WIDE];
        double *law[WIDE];
        for (size_t j = 0; j < WIDE; j++) {
            LawRow *l = k + j < count ? scr_law_row(p, row + k + j) : NULL;
            const double *m = c + k + j;
            if (l == NULL) {
                none[j] = no_law(m[ROW_MASS_N * PACKET_ROWS], m[ROW_MASS_T * PACKET_ROWS]);
                l = &none[j];
            }
            law[j] = (double *)l;
        }
        Pairs pairs = pairs_of(s, c + k, count - k);
        Wide *sum = &s->change.lane[k / WIDE];
        *sum = sort == SORT_ROLLING         ? packet_rolling(c + k, &pairs, law, *sum)
               : s->problem->dimension == 3 ? packet_law_space(c + k, &pairs, law, *sum)
                                            : packet_law_plane(c + k, &pairs, law, *sum);
    }
}

/* Packets that are not full are turned into columns for the update, and so are all others if they
 * are stored as records. */
static void update_records(Sweeping *s, size_t first, size_t count, Sort sort) {
    double c[PACKET_NUMBERS];
    Row *row = &s->problem->row[first];
    for (size_t k = 0; k < count; k += WIDE) {
        to_columns(row + k, count - k, c + k);
    }
    if (sort == SORT_GENERAL) {
        update_columns_general(s, c, first, count);
    } else if (sort != SORT_PLAIN) {
        update_columns_law(s, c, first, count, sort);
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

static void lift(const Sweeping *s, size_t first, size_t count, bool columns) {
    const Problem *p = s->problem;
    const RowMomentum *m = s->momentum;
    if (columns) {
        lift_columns(s, first);
    }
    for (size_t row = first; !columns && row < first + count; row++) {
        momentum_lift(m->beta, m->before + 4 * row, &p->row[row].rn, 4);
    }
    for (size_t row = first; m->torque != NULL && row < first + count; row++) {
        LawRow *l = scr_law_row(p, row);
        if (l != NULL) {
            momentum_lift(m->beta, &m->torque[row].x, &l->torque.x, 3);
        }
    }
}

static void measure(Sweeping *s, size_t first, size_t count, bool columns) {
    const Problem *p = s->problem;
    const double *before = s->momentum->before + 4 * first;
    const double *x = (const double *)&p->row[first] + ROW_RN * PACKET_ROWS;
    double square[MOMENTUM_LANES]; /* kept in registers */
    memcpy(square, s->square, sizeof square);
    for (int k = 0; columns && k < (p->dimension == 3 ? 4 : 2) * PACKET_ROWS; k += PACKET_ROWS) {
        momentum_measure(before + k, x + k, PACKET_ROWS, square);
    }
    for (size_t k = 0; !columns && k < count; k++) {
        momentum_measure(before + 4 * k, &p->row[first + k].rn, 4, square);
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
            const Sort sort = sort_of(p, row, count);
            const bool columns = s->columns && count == PACKET_ROWS && sort != SORT_OTHER;
            if (s->momentum != NULL) {
                lift(s, row, count, columns);
            }
            if (sort == SORT_OTHER) {
                update_alone(s, row, count, alone);
            } else if (!columns) {
                update_records(s, row, count, sort);
            } else if (sort == SORT_GENERAL) {
                update_columns_general(s, (double *)&p->row[row], row, count);
            } else if (sort != SORT_PLAIN) {
                prefetch(s, row, (end - row) / PACKET_ROWS, space);
                update_columns_law(s, (double *)&p->row[row], row, count, sort);
            } else {
                prefetch(s, row, (end - row) / PACKET_ROWS, space);
                update_columns(s, (double *)&p->row[row], PACKET_ROWS, space, creep);
            }
            if (s->momentum != NULL) {
                measure(s, row, count, columns);
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

static void turn_box(void *context, size_t box) {
    const Turning *t = context;
    const Order *order = t->order;
    size_t run = box > 0 ? (size_t)order->box_end[box - 1] : 0;
    size_t row = run > 0 ? (size_t)order->run_end[run - 1] : 0;
    for (; run < (size_t)order->box_end[box]; run++) {
        size_t end = (size_t)order->run_end[run];
        for (; row + PACKET_ROWS <= end; row += PACKET_ROWS) {
            if (sort_of(t->problem, row, PACKET_ROWS) != SORT_OTHER) {
                turn_packet(&t->problem->row[row], t->back);
            }
        }
        row = end;
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
