/* Bodies that are split over the boxes of the sweep, and the rows that see their copies; see
 * sweep/order.c. Copies lie behind all other bodies of the problem, their tensors likewise. */
#include "dynamics/copies.h"

ScreeStatus scr_reserve_copies(StepTask *t, size_t more) {
    Problem *p = &t->problem;
    size_t copies = t->order.copies;
    if (copies == 0) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&t->body_block, p->bodies + more + copies, sizeof *p->body,
                           p->bodies * sizeof *p->body) ||
        !scr_block_reserve(&t->tensor_block, p->tensors + copies, sizeof *p->tensor,
                           p->tensors * sizeof *p->tensor)) {
        return SCREE_NO_MEMORY;
    }
    p->body = t->body_block.data;
    p->tensor = t->tensor_block.data;
    return SCREE_OK;
}

/* Each copy has its share of the mass. */
static void make_copies(StepTask *t) {
    Problem *p = &t->problem;
    const int32_t *tensor_of = p->tensors > 0 ? t->tensor_of : NULL;
    for (size_t k = 0; k < t->order.copies; k++) {
        const OrderCopy *c = &t->order.copy[k];
        ProblemBody copy = p->body[c->body];
        copy.inverse_mass *= c->among;
        copy.inverse_inertia *= c->among;
        p->body[p->bodies++] = copy;
        int32_t of = tensor_of != NULL ? tensor_of[c->body] : -1;
        Tensor tensor = of >= 0 ? p->tensor[of] : (Tensor){.inverse_mass = {0}};
        tensor.inverse_mass = sym3_scale(c->among, tensor.inverse_mass);
        tensor.inverse_inertia = sym3_scale(c->among, tensor.inverse_inertia);
        p->tensor[p->tensors++] = tensor;
    }
}

static void use_copies_in(Problem *p, size_t slot, const int32_t copy[2], size_t body,
                          size_t tensor) {
    Row *row = &p->row[slot];
    row->a = copy[0] < 0 ? row->a : (int32_t)body + copy[0];
    row->b = copy[1] < 0 ? row->b : (int32_t)body + copy[1];
    if (p->general_of != NULL && p->general_of[slot] >= 0) {
        GeneralRow *g = &p->general[p->general_of[slot]];
        g->tensor_a = copy[0] < 0 || g->tensor_a < 0 ? g->tensor_a : (int32_t)tensor + copy[0];
        g->tensor_b = copy[1] < 0 || g->tensor_b < 0 ? g->tensor_b : (int32_t)tensor + copy[1];
        scr_general_complete(p, row, g);
    } else {
        scr_row_complete(p, row);
    }
    LawRow *l = scr_law_row(p, slot);
    if (l != NULL) {
        scr_law_complete(p, row, l);
    }
    if (p->cell != NULL) {
        scr_add_cell_share(p, slot);
    }
}

void scr_use_copies(StepTask *t) {
    const Order *o = &t->order;
    if (o->copies == 0) {
        return;
    }
    size_t body = t->problem.bodies, tensor = t->problem.tensors;
    make_copies(t);
    for (size_t i = 0; i < t->state->contacts.count; i++) {
        if (o->copy_of[i][0] >= 0 || o->copy_of[i][1] >= 0) {
            use_copies_in(&t->problem, (size_t)o->slot[i], o->copy_of[i], body, tensor);
        }
    }
}
