/* Records that processes send each other without knowing what they will get. */
#ifndef SCREE_DYNAMICS_TRADE_H
#define SCREE_DYNAMICS_TRADE_H

#include "base/memory.h"

#include <scree/scree.h>

/* Zero-initialise it. */
typedef struct Trade {
    size_t size;  /* of a record, in numbers */
    size_t count; /* of those to be sent */
    size_t received;
    int32_t *to;      /* [count] process; then the place of each among all that are sent */
    double *out, *in; /* records, those to be sent and those received */
    size_t *counts;   /* [4 processes] */
    double *numbers;  /* [2 processes] */
    Block to_block, out_block, in_block, counts_block, numbers_block;
} Trade;

void scr_trade_begin(Trade *trade, size_t size);

/* Room for a record to a process; NULL when out of memory. */
double *scr_trade_add(Trade *trade, int32_t to);

/* Sends them, and receives those that are for this process, its own last. All processes must do so
 * together. False when out of memory. */
bool scr_trade_make(Trade *trade, const ScreeProcesses *with);

/* What each process has of records of `size` numbers, one process behind the other; `all` counts them.
 * NULL when out of memory. */
double *scr_gather_records(const ScreeProcesses *with, const double *own, size_t count, size_t size,
                           size_t *all, Block *block);

/* Records of all processes, so many at a time that none needs room for all of them. */
typedef struct Rounds {
    size_t count, size; /* records of this process, and numbers in each */
    bool first;         /* only the first process takes them */
    void (*write)(void *context, size_t i, double *record);
    void (*take)(void *context, const double *record);
    void *context;
} Rounds;

/* Hands them on, in no particular order. False when out of memory. */
bool scr_gather_in_rounds(const ScreeProcesses *with, const Rounds *rounds);

static inline const double *scr_trade_record(const Trade *t, size_t i) {
    return t->in + t->size * i;
}

void scr_trade_free(Trade *trade);

#endif
