/* Messages by MPI. An error in them ends all processes: that is MPI's default, and what is wanted. */
#include "backend/messages.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>

static int size_of(size_t count) {
    if (count > INT_MAX) {
        (void)fprintf(stderr, "scree: a message of %zu numbers is too long for MPI\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return (int)count;
}

static void add(void *context, int64_t *number, size_t count) {
    (void)context;
    MPI_Allreduce(MPI_IN_PLACE, number, size_of(count), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void most(void *context, double *number, size_t count) {
    (void)context;
    MPI_Allreduce(MPI_IN_PLACE, number, size_of(count), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void exchange(void *context, const double *out, const size_t *out_count, double *in,
                     const size_t *in_count) {
    MPI_Request request[2 * SCREE_MOST_PROCESSES];
    int requests = 0, processes = *(const int *)context;
    for (int p = 0; p < processes; in += in_count[p++]) {
        if (in_count[p] > 0) {
            MPI_Irecv(in, size_of(in_count[p]), MPI_DOUBLE, p, 0, MPI_COMM_WORLD,
                      &request[requests++]);
        }
    }
    for (int p = 0; p < processes; out += out_count[p++]) {
        if (out_count[p] > 0) {
            MPI_Isend(out, size_of(out_count[p]), MPI_DOUBLE, p, 0, MPI_COMM_WORLD,
                      &request[requests++]);
        }
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

static void gather(void *context, const double *own, double *all, const size_t *count) {
    int processes = *(const int *)context, rank, size[SCREE_MOST_PROCESSES],
        first[SCREE_MOST_PROCESSES];
    size_t next = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int p = 0; p < processes; p++) {
        size[p] = size_of(count[p]);
        first[p] = size_of(next);
        next += count[p];
    }
    MPI_Allgatherv(own, size[rank], MPI_DOUBLE, all, size, first, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void finish(void) {
    MPI_Finalize();
}

static void abandon(int32_t status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

const ScreeMessages *scree_messages_begin(void);

/* MPI is begun once in a process, so what it says of itself may be static. */
__attribute__((visibility("default"))) const ScreeMessages *scree_messages_begin(void) {
    static int count;
    static ScreeMessages messages = {
        .processes =
            {.context = &count, .add = add, .most = most, .exchange = exchange, .gather = gather},
        .finish = finish,
        .abandon = abandon,
    };
    int rank;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        return NULL;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    messages.processes.rank = rank;
    messages.processes.count = count;
    return &messages;
}
