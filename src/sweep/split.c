#include "sweep/split.h"

#include "math/exact_sum.h"

enum { PARTS = 6 };

void scr_add_change(const ProblemBody *copy, const ProblemBody *body, ExactSum sum[PARTS]) {
    for (int axis = 0; axis < 3; axis++) {
        scr_exact_add(&sum[axis], component(copy->v, axis) - component(body->v, axis));
        scr_exact_add(&sum[3 + axis], component(copy->s, axis) - component(body->s, axis));
    }
}

static CopyChange change_of(const ProblemBody *copy, const ProblemBody *body) {
    return (CopyChange){sub(copy->v, body->v), sub(copy->s, body->s)};
}

CopyChange scr_sum_changes(const Problem *p, const Order *order, size_t first) {
    const OrderCopy *c = &order->copy[first];
    const ProblemBody *body = &p->body[c->body];
    const CopyChange one = change_of(scr_copy(p, order, first), body);
    if (c->among == 1) {
        return one;
    }
    if (c->among == 2) {
        const CopyChange other = change_of(scr_copy(p, order, (size_t)c->next), body);
        return (CopyChange){add(one.v, other.v), add(one.s, other.s)};
    }
    ExactSum sum[PARTS];
    double total[PARTS];
    memset(sum, 0, sizeof sum);
    for (int32_t k = (int32_t)first; k >= 0; k = order->copy[k].next) {
        scr_add_change(scr_copy(p, order, (size_t)k), body, sum);
    }
    for (int i = 0; i < PARTS; i++) {
        total[i] = scr_exact_total(&sum[i]);
    }
    return (CopyChange){vec3(total[0], total[1], total[2]), vec3(total[3], total[4], total[5])};
}
