/* Packets of rows between round bodies with laws of their own: which kernel of packet_law.h takes
 * them, and their columns. */
#ifndef SCREE_SWEEP_SWEEP_LAWS_H
#define SCREE_SWEEP_SWEEP_LAWS_H

#include "sweep/packet_law.h"
#include "sweep/packet_sort.h"
#include "sweep/sweeping.h"

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

/* As stays_open, for laws without bonds. */
WIDE_INLINE bool law_stays_open(Sweeping *s, const double *c, const double *l, unsigned parts,
                                const Wide *creep) {
    bool lifts = creep != NULL && (parts & LAW_ROLLS) != 0; /* a rolling contact may press, too */
    if ((parts & LAW_BONDS) != 0 || lifts || !stays_open(s, c, creep)) {
        return false;
    }
    bool turns = false;
    for (int k = 0; k < TORQUE_COLUMNS * PACKET_ROWS && (parts & LAW_ROLLS) != 0; k++) {
        turns = turns || l[LAW_ROLL * PACKET_ROWS + k] != 0;
    }
    return !turns;
}

/* Rows of which some cannot be updated together with others. */
static __attribute__((noinline)) void roll_with_care(Sweeping *s, double *c, double *l, size_t row,
                                                     const Pairs *pairs, unsigned parts,
                                                     const Wide *creep, Wide *sum) {
    if (parts == LAW_ROLLS) {
        packet_rolling_space(s->problem, row, c, l, pairs, LAW_ROLLS, creep, true, sum);
    } else {
        packet_rolling_space(s->problem, row, c, l, pairs, LAW_PARTS - 1, creep, true, sum);
    }
}

/* `parts`, `space`, and whether there is a `creep`, are constants at each call. */
WIDE_INLINE void update_parts(Sweeping *s, double *c, double *l, size_t row, size_t count,
                              unsigned parts, bool space, const Wide *creep) {
    const bool rolls = (parts & LAW_ROLLS) != 0;
    if (space && count == PACKET_ROWS && law_stays_open(s, c, l, parts, creep)) {
        return;
    }
    for (size_t k = 0; k < PACKET_ROWS && k < count; k += WIDE) {
        Pairs pairs = pairs_of(s, c + k, count - k);
        Wide *sum = &s->change.lane[k / WIDE];
        if (rolls && space) {
            if (!packet_rolling_space(s->problem, row + k, c + k, l + k, &pairs, parts, creep,
                                      false, sum)) {
                roll_with_care(s, c + k, l + k, row + k, &pairs, parts, creep, sum);
            }
            continue;
        }
        *sum = rolls   ? packet_rolling_plane(c + k, l + k, &pairs, parts, creep, *sum)
               : space ? packet_law_space(c + k, l + k, &pairs, parts, creep, *sum)
                       : packet_law_plane(c + k, l + k, &pairs, parts, creep, *sum);
    }
}

WIDE_INLINE void update_by_parts(Sweeping *s, double *c, double *l, size_t row, size_t count,
                                 unsigned parts, bool space, const Wide *creep) {
    switch (parts) {
    case LAW_BONDS:
        update_parts(s, c, l, row, count, LAW_BONDS, space, creep);
        break;
    case LAW_SPRINGS:
        update_parts(s, c, l, row, count, LAW_SPRINGS, space, creep);
        break;
    case LAW_BONDS + LAW_SPRINGS:
        update_parts(s, c, l, row, count, LAW_BONDS + LAW_SPRINGS, space, creep);
        break;
    case LAW_ROLLS:
        update_parts(s, c, l, row, count, LAW_ROLLS, space, creep);
        break;
    default:
        update_parts(s, c, l, row, count, LAW_PARTS - 1, space, creep);
    }
}

/* Updates the first `count` rows of a packet, whose first row is `row`. */
static void update_exact_laws(Sweeping *s, double *c, double *l, size_t row, size_t count,
                              unsigned parts) {
    if (s->problem->dimension == 3) {
        update_by_parts(s, c, l, row, count, parts, true, NULL);
    } else {
        update_by_parts(s, c, l, row, count, parts, false, NULL);
    }
}

static void update_creeping_laws(Sweeping *s, double *c, double *l, size_t row, size_t count,
                                 unsigned parts) {
    const Wide creep = wide_all(s->momentum->creep);
    if (s->problem->dimension == 3) {
        update_by_parts(s, c, l, row, count, parts, true, &creep);
    } else {
        update_by_parts(s, c, l, row, count, parts, false, &creep);
    }
}

static void update_laws(Sweeping *s, double *c, double *l, size_t row, size_t count,
                        unsigned parts) {
    (creeps(s->momentum) ? update_creeping_laws : update_exact_laws)(s, c, l, row, count, parts);
}

/* The law rows of a packet as columns; its rows must be records. Rows that it does not have are
 * zero. */
static void laws_to_columns(const Problem *p, size_t first, size_t count, unsigned parts,
                            double *l) {
    for (size_t k = 0; k < PACKET_ROWS; k++) {
        const Row none = {.mass_n = 0};
        law_to_columns(k < count ? &p->row[first + k] : &none,
                       k < count ? scr_law_row(p, first + k) : NULL, parts_read(parts), l + k);
    }
}

/* The torques back, likewise. */
static void torques_to_records(const Problem *p, size_t first, size_t count, unsigned parts,
                               const double *l) {
    for (size_t k = 0; (parts & LAW_ROLLS) != 0 && k < count; k++) {
        LawRow *law = scr_law_row(p, first + k);
        if (law != NULL && law->torques) {
            law->torque = torque_at(l + k);
        }
    }
}

#endif
