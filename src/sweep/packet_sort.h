/* Of which sort a packet of the sweep is, and so how its rows are updated. */
#ifndef SCREE_SWEEP_PACKET_SORT_H
#define SCREE_SWEEP_PACKET_SORT_H

#include "sweep/law_columns.h"
#include "sweep/packet_takes.h"

/* What all rows of a packet have in common. */
enum {
    SORT_PLAIN,   /* rigid Coulomb between round bodies */
    SORT_GENERAL, /* the same between bodies of any shape */
    SORT_OTHER,   /* to be updated one by one */
    SORT_LAW      /* more than Coulomb between round bodies: plus the parts in law_columns.h */
};

/* Whether a kernel for packets takes this general row. In space it wants them one after another. */
static inline bool is_taken(const Problem *p, size_t row, size_t first) {
    return p->dimension == 2 ? packet_takes(scr_general_row(p, row))
                             : block_takes(p, row) && p->general_of[row] - p->general_of[first] ==
                                                          (int32_t)(row - first);
}

/* Split bodies do not count when packets are filled (pack.h), so rows of a packet may have the same copy of one. */
static inline bool share_copy(const Problem *p, const Order *order, size_t first, size_t count) {
    const int32_t copies = (int32_t)(p->bodies - order->copies);
    for (size_t i = first + 1; i < first + count && order->copies > 0; i++) {
        const Row *r = &p->row[i];
        for (const Row *s = &p->row[first]; s < r && (r->a >= copies || r->b >= copies); s++) {
            if ((r->a >= copies && (r->a == s->a || r->a == s->b)) ||
                (r->b >= copies && (r->b == s->a || r->b == s->b))) {
                return true;
            }
        }
    }
    return false;
}

/* The rows must be records. */
static inline uint8_t scr_packet_sort(const Problem *p, const Order *order, size_t first,
                                      size_t count) {
    size_t plain = 0, general = 0, laws = 0;
    unsigned parts = 0;
    for (size_t k = first; k < first + count; k++) {
        const GeneralRow *g = scr_general_row(p, k);
        const LawRow *l = scr_law_row(p, k);
        plain += l == NULL && g == NULL;
        general += l == NULL && g != NULL && is_taken(p, k, first);
        laws += l != NULL && g == NULL && l->ordinary;
        parts |= l != NULL ? law_parts(l) : 0;
    }
    if (share_copy(p, order, first, count)) {
        return SORT_OTHER;
    }
    if (general == count) {
        return SORT_GENERAL;
    }
    if (plain + laws < count) {
        return SORT_OTHER;
    }
    return parts == 0 ? SORT_PLAIN : (uint8_t)(SORT_LAW + parts); /* a law may ask for nothing */
}

/* Which columns of laws the kernels for packets with these parts read. */
static inline unsigned parts_read(unsigned parts) {
    return parts <= LAW_ROLLS ? parts : LAW_PARTS - 1;
}

#endif
