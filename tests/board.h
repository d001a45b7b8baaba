/* Processes for tests: threads stand in for them, each with a world of its own, and what passes between
 * them goes through a table that all can see. */
#ifndef SCREE_TESTS_BOARD_H
#define SCREE_TESTS_BOARD_H

#include <scree/processes.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROCESSES = 66, MOST_NUMBERS = 10000 };

/* What all can see: where each has its numbers. */
typedef struct Board {
    pthread_barrier_t barrier;
    const void *data[MOST_PROCESSES];
    const size_t *count[MOST_PROCESSES];
    size_t exchanges, numbers; /* of process 0 */
} Board;

typedef struct Process {
    Board *board;
    int rank, count;
} Process;

static inline void board_show(Process *p, const void *data, const size_t *count) {
    p->board->data[p->rank] = data;
    p->board->count[p->rank] = count;
    pthread_barrier_wait(&p->board->barrier);
}

static inline void board_looked(Process *p) {
    pthread_barrier_wait(&p->board->barrier);
}

static inline void board_add(void *context, int64_t *number, size_t count) {
    Process *p = context;
    int64_t sum[MOST_NUMBERS] = {0};
    if (count > MOST_NUMBERS) {
        abort();
    }
    board_show(p, number, NULL);
    for (int k = 0; k < p->count; k++) {
        for (size_t i = 0; i < count; i++) {
            sum[i] += ((const int64_t *)p->board->data[k])[i];
        }
    }
    board_looked(p);
    memcpy(number, sum, count * sizeof *number);
}

static inline void board_most(void *context, double *number, size_t count) {
    Process *p = context;
    double largest[MOST_NUMBERS];
    memcpy(largest, number, count * sizeof *number);
    board_show(p, number, NULL);
    for (int k = 0; k < p->count; k++) {
        for (size_t i = 0; i < count; i++) {
            largest[i] = fmax(largest[i], ((const double *)p->board->data[k])[i]);
        }
    }
    board_looked(p);
    memcpy(number, largest, count * sizeof *number);
}

static inline void board_exchange(void *context, const double *out, const size_t *out_count,
                                  double *in, const size_t *in_count) {
    Process *p = context;
    board_show(p, out, out_count);
    for (int k = 0; k < p->count; k++) {
        const size_t *sent = p->board->count[k];
        size_t before = 0;
        for (int j = 0; j < p->rank; j++) {
            before += sent[j];
        }
        if (sent[p->rank] != in_count[k]) { /* else all would wait for ever */
            abort();
        }
        if (in_count[k] > 0) {
            memcpy(in, (const double *)p->board->data[k] + before, in_count[k] * sizeof *in);
        }
        in += in_count[k];
        p->board->exchanges += p->rank == 0 && in_count[k] > 0;
        p->board->numbers += p->rank == 0 ? in_count[k] : 0;
    }
    board_looked(p);
}

static inline void board_gather(void *context, const double *own, double *all,
                                const size_t *count) {
    Process *p = context;
    board_show(p, own, count);
    for (int k = 0; k < p->count; k++) {
        memcpy(all, p->board->data[k], count[k] * sizeof *all);
        all += count[k];
    }
    board_looked(p);
}

static inline ScreeProcesses board_table(Process *process) {
    return (ScreeProcesses){.rank = process->rank,
                            .count = process->count,
                            .context = process,
                            .add = board_add,
                            .most = board_most,
                            .exchange = board_exchange,
                            .gather = board_gather};
}

#endif
