#include "problem/problem.h"

#include "law/coulomb.h"

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

void scr_general_complete(const Problem *p, const Row *r, GeneralRow *g) {
    if (p->dimension == 2) {
        g->t1 = vec3(-r->normal.y, r->normal.x, 0);
        g->t2 = vec3(0, 0, 1);
    } else {
        const double n[3] = {r->normal.x, r->normal.y, r->normal.z};
        double t1[3], t2[3];
        law_frame3(n, t1, t2);
        g->t1 = vec3(t1[0], t1[1], t1[2]);
        g->t2 = vec3(t2[0], t2[1], t2[2]);
    }
    const Tensor *ta = tensor_or_null(p, g->tensor_a), *tb = tensor_or_null(p, g->tensor_b);
    const Vec3 axis[3] = {r->normal, g->t1, g->t2};
    for (int j = 0, k = 0; j < 3; j++) {
        Vec3 u = add(response(&p->body[r->a], ta, g->arm_a, axis[j]),
                     response(&p->body[r->b], tb, g->arm_b, axis[j]));
        for (int i = j; i < 3; i++) {
            g->block[k++] = dot(axis[i], u);
        }
    }
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
    push_body(&p->body[r->a], tensor_or_null(p, g->tensor_a), g->arm_a, scale(-1, impulse));
    push_body(&p->body[r->b], tensor_or_null(p, g->tensor_b), g->arm_b, impulse);
}

void scr_problem_push_all(Problem *p) {
    for (size_t i = 0; i < p->rows; i++) {
        const Row *r = &p->row[i];
        Vec3 t = p->dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
        Vec3 impulse = add_scaled(t, r->rn, r->normal);
        const GeneralRow *g = scr_general_row(p, i);
        if (g != NULL) {
            scr_general_push(p, r, g, impulse);
            continue;
        }
        ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
        Vec3 twist = cross(r->normal, impulse);
        a->v = add_scaled(a->v, -a->inverse_mass, impulse);
        b->v = add_scaled(b->v, b->inverse_mass, impulse);
        a->s = add_scaled(a->s, -a->inverse_inertia, twist);
        b->s = add_scaled(b->s, -b->inverse_inertia, twist);
    }
}
