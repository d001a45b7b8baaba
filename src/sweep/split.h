/* Split bodies and their copies, see sweep/order.c. Copies come after all other bodies of the
 * problem. */
#ifndef SCREE_SWEEP_SPLIT_H
#define SCREE_SWEEP_SPLIT_H

#include "math/exact_sum.h"
#include "problem/problem.h"
#include "sweep/order.h"

static inline ProblemBody *scr_copy(const Problem *p, const Order *order, size_t copy) {
    return &p->body[p->bodies - order->copies + copy];
}

/* The copies of one group. */
typedef struct CopyRange {
    size_t first, end;
} CopyRange;

static inline CopyRange scr_copies_of(const Order *order, size_t group) {
    if (order->copies == 0) {
        return (CopyRange){0, 0};
    }
    return (CopyRange){group > 0 ? (size_t)order->copy_end[group - 1] : 0,
                       (size_t)order->copy_end[group]};
}

static inline void scr_share_range(const Problem *p, const Order *order, CopyRange range) {
    for (size_t k = range.first; k < range.end; k++) {
        const ProblemBody *body = &p->body[order->copy[k].body];
        scr_copy(p, order, k)->v = body->v;
        scr_copy(p, order, k)->s = body->s;
    }
}

/* Gives copies the velocities of their bodies. */
static inline void scr_share(const Problem *p, const Order *order, size_t group) {
    scr_share_range(p, order, scr_copies_of(order, group));
}

static inline void scr_share_all(const Problem *p, const Order *order) {
    scr_share_range(p, order, (CopyRange){0, order->copies});
}

/* The changes of a body's velocities, summed over its copies exactly, whatever their order. Of one or
 * two numbers a plain sum is that as well. */
typedef struct CopyChange {
    Vec3 v, s;
} CopyChange;
CopyChange scr_sum_changes(const Problem *problem, const Order *order, size_t first_copy);

/* The same change of a copy, one number after the other. */
void scr_add_change(const ProblemBody *copy, const ProblemBody *body, ExactSum sum[6]);

/* Gives each body the mean of its copies. */
static inline void scr_gather(const Problem *p, const Order *order, size_t group) {
    const CopyRange range = scr_copies_of(order, group);
    for (size_t k = range.first; k < range.end; k++) {
        if (order->copy[k].leads) {
            ProblemBody *body = &p->body[order->copy[k].body];
            const CopyChange sum = scr_sum_changes(p, order, k);
            double part = 1 / (double)order->copy[k].among;
            body->v = add_scaled(body->v, part, sum.v);
            body->s = add_scaled(body->s, part, sum.s);
        }
    }
}

#endif
