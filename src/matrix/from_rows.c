#include "matrix/from_rows.h"

#include "law/normal.h"
#include "math/elementary.h"

static int32_t owner(const MatrixRows *m, const Problem *p, int32_t body) {
    size_t bodies = p->bodies - m->copies;
    return (size_t)body < bodies ? body : m->copy[(size_t)body - bodies].body;
}

/* The axes of freedom that a tensor A of inverse masses leaves, and their masses: the columns of L
 * and the inverse of D in A = L D L^T, by Cholesky's method with pivoting until only rounding is
 * left. Returns how many there are. */
static int tensor_axes(Sym3 s, Vec3 axis[3], double mass[3]) {
    double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    double most = scr_max(s.xx, scr_max(s.yy, s.zz));
    for (int rank = 0; rank < 3; rank++) {
        int k = a[0][0] >= a[1][1] ? 0 : 1;
        k = a[k][k] >= a[2][2] ? k : 2;
        if (!(a[k][k] > 1e-13 * most)) {
            return rank;
        }
        double pivot = a[k][k], l[3] = {a[0][k] / pivot, a[1][k] / pivot, a[2][k] / pivot};
        axis[rank] = vec3(l[0], l[1], l[2]);
        mass[rank] = 1 / pivot;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                a[i][j] -= l[i] * l[j] * pivot;
            }
        }
        a[k][k] = 0;
    }
    return 3;
}

static int add_tensor(Freedom *to, Sym3 tensor, bool turns) {
    Vec3 axis[3];
    double mass[3];
    int count = tensor_axes(tensor, axis, mass);
    for (int k = 0; k < count; k++) {
        to[k] = (Freedom){axis[k], mass[k], 0, turns};
    }
    return count;
}

static int add_axes(Freedom *to, double inverse, Vec3 velocity, int from, int end, bool turns) {
    const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int count = 0;
    for (int k = from; inverse > 0 && k < end; k++) {
        to[count++] = (Freedom){axis[k], 1 / inverse, dot(axis[k], velocity), turns};
    }
    return count;
}

/* The freedoms of one body; `tensor` may be NULL. Returns how many there are. */
static int body_freedoms(int dimension, const ProblemBody *body, const Tensor *tensor, double share,
                         Freedom *to) {
    bool plane = dimension == 2;
    if (!scr_is_movable(body)) {
        return 0;
    }
    if (tensor == NULL) {
        int count = add_axes(to, body->inverse_mass, body->v, 0, plane ? 2 : 3, false);
        return count + add_axes(to + count, body->inverse_inertia, body->s, plane ? 2 : 0, 3, true);
    }
    Sym3 mass = sym3_scale(share, tensor->inverse_mass);
    Sym3 inertia = sym3_scale(share, tensor->inverse_inertia);
    if (plane) {
        mass = (Sym3){mass.xx, mass.xy, 0, mass.yy, 0, 0};
        inertia = (Sym3){0, 0, 0, 0, 0, inertia.zz};
    }
    int count = add_tensor(to, mass, false);
    return count + add_tensor(to + count, inertia, true);
}

/* Finds each body's tensor among the rows, as an index and a share, then its freedoms. */
static bool list_freedoms(MatrixRows *m, const Problem *p) {
    size_t bodies = p->bodies - m->copies;
    typedef struct Found {
        int32_t tensor, among;
    } Found;
    if (!scr_block_reserve(&m->tensor_block, bodies, sizeof(Found), 0) ||
        !SCR_RESERVE(m, first, bodies + 1) || !SCR_RESERVE(m, freedom, 6 * bodies)) {
        return false;
    }
    Found *found = m->tensor_block.data;
    for (size_t i = 0; i < bodies; i++) {
        found[i] = (Found){-1, 1};
    }
    for (size_t i = 0; i < p->rows; i++) {
        const GeneralRow *g = scr_general_row(p, i);
        const int32_t side[2] = {p->row[i].a, p->row[i].b};
        for (int k = 0; g != NULL && k < 2; k++) {
            int32_t tensor = k == 0 ? g->tensor_a : g->tensor_b;
            bool copied = (size_t)side[k] >= bodies;
            if (tensor >= 0) {
                found[owner(m, p, side[k])] =
                    (Found){tensor, copied ? m->copy[(size_t)side[k] - bodies].among : 1};
            }
        }
    }
    int32_t count = 0;
    for (size_t i = 0; i < bodies; i++) {
        m->first[i] = count;
        const Tensor *tensor = found[i].tensor >= 0 ? &p->tensor[found[i].tensor] : NULL;
        count += body_freedoms(p->dimension, &p->body[i], tensor, 1.0 / found[i].among,
                               m->freedom + count);
    }
    m->first[bodies] = count;
    return true;
}

/* A row in the terms of matrices: its axes, arms and bodies. */
typedef struct View {
    int32_t body[2];
    Vec3 arm[2], axis[3];
    double per_length[2];
    const LawRow *law;
} View;

static View row_view(const MatrixRows *m, const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    const GeneralRow *g = scr_general_row(p, row);
    const LawRow *l = scr_law_row(p, row);
    Vec3 n = r->normal;
    View v = {.body = {owner(m, p, r->a), owner(m, p, r->b)}, .law = l};
    v.arm[0] = g != NULL ? g->arm_a : n;
    v.arm[1] = g != NULL ? g->arm_b : scale(-1, n);
    v.axis[0] = n;
    scr_tangents(p->dimension, n, &v.axis[1], &v.axis[2]);
    if (l != NULL) {
        v.per_length[0] = l->per_length_a;
        v.per_length[1] = l->per_length_b;
    }
    return v;
}

/* Component k of the relative velocity caused by a unit of a freedom on side 0 (a) or 1 (b). */
static double effect(const View *v, int k, int side, Vec3 axis, bool turns) {
    double sign = side == 0 ? -1 : 1;
    if (k >= 3) {
        return turns ? sign * v->per_length[side] * dot(axis, v->axis[k - 2]) : 0;
    }
    return sign * dot(turns ? cross(axis, v->arm[side]) : axis, v->axis[k]);
}

static const char *unexpressed(const LawRow *l) {
    if (l->least != -l->adhesion || l->most_at_rest != l->least) {
        return "bonds that can open in the step cannot be expressed in matrices";
    }
    if (l->torques && (l->torsion > 0 || l->hertz > 0)) {
        return "torsion, and rolling that depends on the load, cannot be expressed in matrices";
    }
    return NULL;
}

const char *scr_matrix_unexpressed(const Problem *p) {
    const char *reason = NULL;
    for (size_t i = 0; i < p->rows && reason == NULL; i++) {
        const LawRow *l = scr_law_row(p, i);
        reason = l != NULL ? unexpressed(l) : NULL;
    }
    return reason;
}

/* What the rows need: springs, and room for torques. */
static int block_of(const Problem *p, bool *compliance) {
    int block = p->dimension;
    *compliance = false;
    for (size_t i = 0; i < p->rows; i++) {
        const LawRow *l = scr_law_row(p, i);
        *compliance = *compliance || (l != NULL && (l->soft_n > 0 || l->soft_t > 0));
        block = l != NULL && l->torques ? 5 : block;
    }
    *compliance = *compliance || (block == 5 && p->dimension == 2); /* see is_void */
    return block;
}

/* Component k of the present relative velocity of a row, with its bias. */
static double present(const Problem *p, const View *v, const Row *row, int k) {
    double sum = k == 0 ? row->bias : 0;
    for (int side = 0; side < 2; side++) {
        const ProblemBody *body = &p->body[v->body[side]];
        sum += effect(v, k, side, body->v, false) + effect(v, k, side, body->s, true);
    }
    if (v->law != NULL && (k == 1 || k == 2)) {
        sum += p->dimension == 2 ? v->law->bias_t.x : dot(v->law->bias_t, v->axis[k]);
    }
    return v->law != NULL && k >= 3 ? sum + dot(v->law->turn, v->axis[k - 2]) : sum;
}

static double adhesion(const View *v) {
    return v->law != NULL ? v->law->adhesion : 0;
}

static double present_impulse(const Problem *p, const View *v, const Row *row, int k) {
    if (k == 0) {
        return row->rn + adhesion(v);
    }
    if (k < 3) {
        return p->dimension == 2 ? row->rt.x : dot(row->rt, v->axis[k]);
    }
    return v->law != NULL && v->law->torques
               ? dot(scr_whole_torque(p->dimension, v->axis[0], v->law->torque), v->axis[k - 2])
               : 0;
}

static double present_rolling(int dimension, const Row *r, const LawRow *l) {
    double of_load = l->hertz * law_pressure(r->rn, l->adhesion);
    return l->rolling + (dimension == 3 ? scr_cbrt(of_load) : sqrt(of_load));
}

/* In the plane nothing moves along the second tangent, nor turns about the first one. */
static bool is_void(const MatrixRows *m, const Problem *p, int k) {
    return p->dimension == 2 && m->problem.block == 5 && (k == 2 || k == 3);
}

/* The columns of H that belong to one row, and its part of w, mu and compliance. Within a column
 * the freedoms ascend. */
static void fill_row(MatrixRows *m, const Problem *p, size_t row, int32_t *count) {
    MatrixProblem *x = &m->problem;
    const Row *r = &p->row[row];
    View v = row_view(m, p, row);
    int first = v.body[0] < v.body[1] ? 0 : 1;
    for (int k = 0; k < x->block; k++) {
        size_t c = row * (size_t)x->block + (size_t)k;
        x->h.start[c] = *count;
        x->w[c] = present(p, &v, r, k);
        m->now[c] = present_impulse(p, &v, r, k);
        for (int turn = 0; turn < 2; turn++) {
            int side = turn == 0 ? first : 1 - first;
            for (int32_t d = m->first[v.body[side]]; d < m->first[v.body[side] + 1]; d++) {
                const Freedom *f = &m->freedom[d];
                double entry = effect(&v, k, side, f->axis, f->turns);
                x->h.row[*count] = d;
                x->h.value[(*count)++] = entry;
                x->w[c] -= entry * f->now;
            }
        }
        if (x->compliance != NULL) {
            double soft = v.law == NULL || k >= 3 ? 0 : k == 0 ? v.law->soft_n : v.law->soft_t;
            x->compliance[c] = is_void(m, p, k) ? r->mass_n > 0 ? 1 / r->mass_n : 1 : soft;
        }
    }
    x->mu[row] = r->mu;
    if (x->rolling != NULL) {
        x->rolling[row] =
            v.law != NULL && v.law->torques ? present_rolling(p->dimension, r, v.law) : 0;
    }
}

Fault scr_matrix_from_rows(MatrixRows *m, const Problem *p, const BodyCopy *copy, size_t copies,
                           MatrixLaws laws) {
    MatrixProblem *x = &m->problem;
    bool compliance;
    int block = block_of(p, &compliance);
    const char *reason = scr_matrix_unexpressed(p);
    if (laws == MATRIX_LAWS_PLAIN && p->dimension == 2 && block == 5) {
        return scr_fault_of_argument("torques in the plane cannot be expressed in matrices");
    }
    if (laws != MATRIX_LAWS_NEAR && p->twos > 0) {
        return scr_fault_of_argument(
            "two coefficients of friction cannot be expressed in matrices");
    }
    if (laws != MATRIX_LAWS_NEAR && reason != NULL) {
        return scr_fault_of_argument(reason);
    }
    m->exact = reason == NULL;
    m->copy = copy;
    m->copies = copies;
    size_t rows = (size_t)block * p->rows;
    if (!list_freedoms(m, p)) {
        return scr_fault_of_memory();
    }
    int32_t n = m->first[p->bodies - copies];
    if (rows > INT32_MAX / 12 || !SCR_RESERVE(m, now, rows) ||
        !scr_matrix_problem_begin(x, block, p->rows, (size_t)n, true, compliance) ||
        !scr_sparse_diagonal(&x->mass, n) ||
        !scr_sparse_reserve(&x->h, n, (int32_t)rows, 12 * rows)) {
        return scr_fault_of_memory();
    }
    for (int32_t d = 0; d < n; d++) {
        x->mass.value[d] = m->freedom[d].mass;
        x->f[d] = m->freedom[d].mass * m->freedom[d].now;
    }
    int32_t count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        fill_row(m, p, i, &count);
    }
    x->h.start[rows] = count;
    scr_sparse_multiply(&x->h, -1, m->now, x->f); /* the velocities include it already */
    return scr_no_fault();
}

static void set_row(const View *v, Problem *p, size_t row, int block, const double *r) {
    Row *to = &p->row[row];
    to->rn = r[0] - adhesion(v);
    to->rt = p->dimension == 2 ? vec3(r[1], 0, 0)
                               : add_scaled(scale(r[1], v->axis[1]), r[2], v->axis[2]);
    LawRow *l = scr_law_row(p, row);
    if (block == 5 && l != NULL && l->torques) {
        Vec3 torque = add_scaled(scale(r[3], v->axis[1]), r[4], v->axis[2]);
        Torque parts = scr_torque_parts(p->dimension, v->axis[0], torque);
        l->torque.roll = parts.roll;
        l->torque.twist = p->dimension == 2 ? parts.twist : l->torque.twist;
    }
}

void scr_matrix_set_impulses(const MatrixRows *m, const double *r, Problem *p) {
    for (size_t i = 0; i < p->rows; i++) {
        View v = row_view(m, p, i);
        set_row(&v, p, i, m->problem.block, r + i * (size_t)m->problem.block);
    }
}

/* v = M^-1 (f + H r): the changes of impulse push the freedoms, and the changes of these move their
 * bodies. */
void scr_matrix_to_rows(MatrixRows *m, const double *r, Problem *p) {
    MatrixProblem *x = &m->problem;
    size_t bodies = p->bodies - m->copies, block = (size_t)x->block;
    scr_matrix_set_impulses(m, r, p);
    double *impulse = m->now; /* r - now */
    for (size_t i = 0; i < block * p->rows; i++) {
        impulse[i] = r[i] - impulse[i];
    }
    for (int32_t d = 0; d < x->h.rows; d++) {
        m->freedom[d].now = 0;
    }
    for (int32_t c = 0; c < x->h.columns; c++) {
        for (int32_t k = x->h.start[c]; k < x->h.start[c + 1]; k++) {
            m->freedom[x->h.row[k]].now += x->h.value[k] * impulse[c];
        }
        impulse[c] = r[c];
    }
    for (size_t i = 0; i < bodies; i++) {
        for (int32_t d = m->first[i]; d < m->first[i + 1]; d++) {
            const Freedom *f = &m->freedom[d];
            Vec3 *to = f->turns ? &p->body[i].s : &p->body[i].v;
            *to = add_scaled(*to, f->now / f->mass, f->axis);
        }
    }
    for (size_t k = 0; k < m->copies; k++) {
        p->body[bodies + k].v = p->body[m->copy[k].body].v;
        p->body[bodies + k].s = p->body[m->copy[k].body].s;
    }
}

void scr_matrix_rows_free(MatrixRows *m) {
    scr_matrix_problem_free(&m->problem);
    SCR_FREE_BLOCKS(&m->now_block, &m->freedom_block, &m->first_block, &m->tensor_block);
    *m = (MatrixRows){0};
}
