/* Sweeps that are shared out among processes. Each works on boxes of its own; after each group of boxes
 * the velocities that it has changed go to the processes that need them. Boxes of a group share no body,
 * so the order of the sweep is the same as on one process, and so is every bit of the result.
 *
 * Space is cut in two again and again, so that each part has the same number of rows. Which process
 * has which box decides what is sent, never what is found. */
#ifndef SCREE_SWEEP_DOMAIN_H
#define SCREE_SWEEP_DOMAIN_H

#include "math/exact_sum.h"
#include "sweep/order.h"

#include <scree/scree.h>

enum { DOMAIN_GROUPS = 8 };

/* What passes between this process and each other one after a group of boxes: bodies of the problem,
 * those of the first process first. */
typedef struct DomainPost {
    size_t *out, *in;           /* [processes] how many */
    size_t out_first, in_first; /* in the lists of bodies */
} DomainPost;

/* Zero-initialise it. */
typedef struct Domain {
    const ScreeProcesses *with; /* NULL: this process does it all */
    uint8_t *owner;             /* [boxes] process */
    uint8_t *mine;              /* [boxes] 1: this process's own */
    int32_t *own;               /* its boxes, in the order of visit */
    size_t own_end[DOMAIN_GROUPS];
    DomainPost post[DOMAIN_GROUPS];
    size_t
        *count; /* [4 processes] numbers of an exchange, out and in; room for those who plan them */
    int32_t *out_body, *in_body;
    uint64_t *users; /* [bodies] bits: processes that have rows of it */
    double *buffer;
    /* Where rows are spread (spread.h). Split bodies: pistons and giants. */
    bool spread;
    size_t splits;
    int32_t *split; /* [splits] body of the problem */
    int64_t *
        among; /* [groups][splits] copies in all processes; then boxes and rows of all, and boxes of
                       each group */
    ExactSum *sum; /* [6 splits] */
    Block count_block, split_block, among_block, sum_block;
    Block owner_block, mine_block, own_block, out_body_block, in_body_block, users_block,
        buffer_block, item_block, stamp_block;
} Domain;

/* Shares a problem out, whose rows are records and whose velocities all processes have. With one
 * process, or rows that have to stay together, `domain->with` is NULL. False when out of memory. */
bool scr_domain_make(Domain *domain, Problem *problem, const Order *order,
                     const ScreeProcesses *processes);

/* Room for what passes after each group, all zero. False when out of memory. */
bool scr_domain_reserve_post(Domain *domain, int32_t processes);

/* After a group of boxes: the new velocities of its bodies, and of the copies of split ones. */
void scr_domain_exchange(const Domain *domain, const Problem *problem, size_t group);

/* At the end all processes get all impulses and velocities; rows must be records. */
void scr_domain_collect(const Domain *domain, Problem *problem, const Order *order);

void scr_domain_free(Domain *domain);

#endif
