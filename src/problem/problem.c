#include "problem/problem.h"

#include "law/coulomb.h"
#include "law/round.h"

enum { AHEAD = 6 };

static Vec3 mobility(double inverse, const Sym3 *tensor, Vec3 x) {
    return tensor != NULL ? sym3_apply(tensor, x) : scale(inverse, x);
}

/* Velocity change at the end of `arm` of a body, per impulse j applied there: M^-1 j + (I^-1 (arm x
 * j)) x arm. */
static Vec3 response(const ProblemBody *body, const Tensor *tensor, Vec3 arm, Vec3 j) {
    Vec3 dv = mobility(body->inverse_mass, tensor ? &tensor->inverse_mass : NULL, j);
    Vec3 ds =
        mobility(body->inverse_inertia, tensor ? &tensor->inverse_inertia : NULL, cross(arm, j));
    return add(dv, cross(ds, arm));
}

static const Tensor *tensor_or_null(const Problem *p, int32_t index) {
    return index >= 0 ? &p->tensor[index] : NULL;
}

void scr_tangents(int dimension, Vec3 normal, Vec3 *t1, Vec3 *t2) {
    if (dimension == 2) {
        *t1 = vec3(-normal.y, normal.x, 0);
        *t2 = vec3(0, 0, 1);
        return;
    }
    const double n[3] = {normal.x, normal.y, normal.z};
    double a[3], b[3];
    law_frame3(n, a, b);
    *t1 = vec3(a[0], a[1], a[2]);
    *t2 = vec3(b[0], b[1], b[2]);
}

/* Turns the frame to the principal axes of the tangential problem, if these are well defined to nine
 * digits. W_12 is then what elimination takes away. */
static void turn_to_principal_axes(GeneralRow *g, Vec3 normal) {
    double *w = g->block, l[2], axis[2];
    const double none[3] = {0, 0, 0}, largest = scr_max(w[3], w[5]);
    g->per_rest[0] = g->per_rest[1] = 0;
    if (!law_is_ordinary(w[0]) || !law_is_ordinary(largest)) {
        return;
    }
    LawTangential k;
    law_eliminate_normal(w, none, &k);
    law_principal_axes(&k, l, axis);
    if (!(l[1] > 1e-9 * largest)) {
        return;
    }
    const double c = axis[0], s = axis[1], per_nn = 1 / w[0];
    const double n1 = c * w[1] + s * w[2], n2 = c * w[2] - s * w[1];
    g->t1 = unit(add(scale(c, g->t1), scale(s, g->t2)));
    g->t2 = cross(normal, g->t1);
    w[1] = n1, w[2] = n2;
    w[3] = l[0] + n1 * per_nn * n1;
    w[4] = n1 * per_nn * n2;
    w[5] = l[1] + n2 * per_nn * n2;
    g->per_rest[0] = 1 / l[0];
    g->per_rest[1] = 1 / l[1];
}

void scr_general_complete(const Problem *p, Row *r, GeneralRow *g) {
    scr_tangents(p->dimension, r->normal, &g->t1, &g->t2);
    const Tensor *ta = tensor_or_null(p, g->tensor_a), *tb = tensor_or_null(p, g->tensor_b);
    const Vec3 axis[3] = {r->normal, g->t1, g->t2};
    for (int j = 0, k = 0; j < 3; j++) {
        Vec3 u = add(response(&p->body[r->a], ta, g->arm_a, axis[j]),
                     response(&p->body[r->b], tb, g->arm_b, axis[j]));
        for (int i = j; i < 3; i++) {
            g->block[k++] = (r->a == r->b ? scr_with_itself : 1) * dot(axis[i], u);
        }
    }
    if (p->dimension == 2) {
        double nn = g->block[0], rest = nn > 0 ? g->block[3] - g->block[1] / nn * g->block[1] : 0;
        bool ordinary = law_is_ordinary(nn) && law_is_ordinary(g->block[3]) && r->mu < 1e40;
        g->block[BLOCK_PER_REST] = ordinary && rest > 1e-9 * g->block[3] ? 1 / rest : 0;
    } else if (scr_is_scalar_mass(&p->body[r->a], ta) && scr_is_scalar_mass(&p->body[r->b], tb)) {
        turn_to_principal_axes(g, r->normal);
    } else {
        g->per_rest[0] = g->per_rest[1] = 0;
    }
    r->mass_n = g->block[0] > 0 ? 1 / g->block[0] : 0;
    r->mass_t = g->block[3] > 0 ? 1 / g->block[3] : 0;
}

static void push_body(ProblemBody *body, const Tensor *tensor, Vec3 arm, Vec3 j) {
    if (!scr_is_movable(body)) {
        return;
    }
    body->v = add(body->v, mobility(body->inverse_mass, tensor ? &tensor->inverse_mass : NULL, j));
    body->s = add(body->s, mobility(body->inverse_inertia, tensor ? &tensor->inverse_inertia : NULL,
                                    cross(arm, j)));
}

void scr_general_push(Problem *p, const Row *r, const GeneralRow *g, Vec3 impulse) {
    if (p->cell != NULL) {
        scr_cell_push(p->cell, impulse, p->branch[r - p->row]);
    }
    push_body(&p->body[r->a], tensor_or_null(p, g->tensor_a), g->arm_a, scale(-1, impulse));
    push_body(&p->body[r->b], tensor_or_null(p, g->tensor_b), g->arm_b, impulse);
}

/* Between round bodies, with y = T x n and o = w x n, friction and rolling are coupled by one
 * number (see law/rolling.h): u_t = ... + W_tt R_t + k y, o = ... + k R_t + c y, k = i_a / l_a -
 * i_b / l_b with the inverse inertias i of s. It vanishes for equal bodies. */
void scr_law_complete(const Problem *p, const Row *r, LawRow *l) {
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    double wn = a->inverse_mass + b->inverse_mass;
    double wt = wn + a->inverse_inertia + b->inverse_inertia;
    if (r->a == r->b) {
        wn *= scr_with_itself;
        wt *= scr_with_itself;
    }
    l->mass_n = wn + l->soft_n > 0 ? 1 / (wn + l->soft_n) : 0;
    l->mass_t = wt + l->soft_t > 0 ? 1 / (wt + l->soft_t) : 0;
    double ia = a->inverse_inertia * l->per_length_a, ib = b->inverse_inertia * l->per_length_b;
    double wo = ia * l->per_length_a + ib * l->per_length_b;
    if (r->a == r->b) {
        wo *= scr_with_itself;
    }
    l->coupling = ia - ib;
    l->mass_o = wo > 0 ? 1 / wo : 0;
    l->per_square = l->reach > 0 ? 1 / (l->reach * l->reach) : 0;
    double apart = 1 - l->coupling * l->coupling * l->mass_t * l->mass_o;
    bool independent = apart > 1e-6;
    l->mass_roll = independent ? l->mass_o / apart : 0;
    l->ordinary = law_is_ordinary(wn + l->soft_n) && law_is_ordinary(wt + l->soft_t) &&
                  (!l->torques || (law_is_ordinary(wo) && l->hertz == 0 && independent));
}

void scr_torque_push(Problem *p, const Row *r, const LawRow *l, const GeneralRow *g, Vec3 torque) {
    ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    const Tensor *ta = g != NULL ? tensor_or_null(p, g->tensor_a) : NULL;
    const Tensor *tb = g != NULL ? tensor_or_null(p, g->tensor_b) : NULL;
    a->s = add(a->s, mobility(a->inverse_inertia, ta ? &ta->inverse_inertia : NULL,
                              scale(-l->per_length_a, torque)));
    if (scr_is_movable(b)) { /* walls are read by many rows at once */
        b->s = add(b->s, mobility(b->inverse_inertia, tb ? &tb->inverse_inertia : NULL,
                                  scale(l->per_length_b, torque)));
    }
}

double scr_row_alone_square(const Problem *p, size_t row, double qn, double qt_square) {
    const Row *r = &p->row[row];
    const LawRow *l = scr_law_row(p, row);
    bool general = scr_general_row(p, row) != NULL;
    double rho = general ? scr_row_rho(p, row) : 0, mass_n = general ? rho : r->mass_n;
    if (l == NULL) {
        const LawRound contact = {mass_n, general ? rho : r->mass_t, r->mu};
        return law_round_alone_square(&contact, qn, qt_square);
    }
    const LawNormal normal = {l->adhesion, l->least, l->most_at_rest, l->soft_n, mass_n, l->mass_n};
    double rn = law_normal_update(&normal, qn - r->bias, qn, 0);
    return law_impulse_square(rn, r->mu * law_pressure(rn, l->adhesion), l->mass_t, qt_square);
}

static void push_row(Problem *p, size_t row) {
    const Row *r = &p->row[row];
    Vec3 t = p->dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
    Vec3 impulse = add_scaled(t, r->rn, r->normal);
    const GeneralRow *g = scr_general_row(p, row);
    const LawRow *l = scr_law_row(p, row);
    if (l != NULL && l->torques) {
        scr_torque_push(p, r, l, g, scr_whole_torque(p->dimension, r->normal, l->torque));
    }
    if (g != NULL) {
        scr_general_push(p, r, g, impulse);
    } else {
        scr_round_push(p, r, impulse);
    }
}

void scr_push_range(Problem *p, size_t begin, size_t end) {
    if (p->general_of != NULL || p->law_of != NULL || p->dimension == 2) {
        for (size_t i = begin; i < end; i++) {
            push_row(p, i);
        }
        return;
    }
    for (size_t i = begin; i < end; i++) {
        const Row *r = &p->row[i];
        if (i + AHEAD < end) {
            __builtin_prefetch(&p->body[r[AHEAD].a], 1);
            __builtin_prefetch(&p->body[r[AHEAD].b], 1);
        }
        scr_round_push(p, r, add_scaled(r->rt, r->rn, r->normal));
    }
}

static double with_share(double mass, double share) {
    return mass > 0 ? 1 / (1 / mass + share) : share > 0 ? 1 / share : 0;
}

void scr_add_cell_share(const Problem *p, size_t row) {
    const double share = p->cell_share[row];
    if (!(share > 0)) {
        return;
    }
    Row *r = &p->row[row];
    r->mass_n = with_share(r->mass_n, share);
    r->mass_t = with_share(r->mass_t, share);
    if (scr_general_row(p, row) != NULL) {
        GeneralRow *g = &p->general[p->general_of[row]];
        g->block[0] += share;
        g->block[3] += share;
        g->block[5] += p->dimension == 3 ? share : 0;
        if (p->dimension == 3 && g->per_rest[0] > 0) {
            turn_to_principal_axes(g, r->normal);
        }
    }
    LawRow *l = scr_law_row(p, row);
    if (l != NULL) {
        l->mass_n = with_share(l->mass_n, share);
        l->mass_t = with_share(l->mass_t, share);
        l->ordinary = false; /* likewise */
    }
}

void scr_scale_blocks(Problem *p, double by) {
    for (size_t i = 0; i < p->rows; i++) {
        Row *r = &p->row[i];
        r->mass_n /= by;
        r->mass_t /= by;
        if (p->general_of != NULL && p->general_of[i] >= 0) {
            GeneralRow *g = &p->general[p->general_of[i]];
            double *block = g->block;
            for (int k = 0; k < 6; k++) {
                block[k] = p->dimension == 2 && k == BLOCK_PER_REST ? block[k] / by : block[k] * by;
            }
            g->per_rest[0] /= by;
            g->per_rest[1] /= by;
        }
        LawRow *l = scr_law_row(p, i);
        if (l != NULL) {
            l->mass_n /= by;
            l->mass_t /= by;
            l->mass_o /= by;
            l->mass_roll /= by;
            l->coupling *= by;
        }
    }
}
