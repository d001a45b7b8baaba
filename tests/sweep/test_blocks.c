/* Packets of rows in space between bodies of any shape: against the law of single contacts, which
 * brute force judges (tests/law), and the same bits at every vector width, as columns or as records,
 * and for any number of threads. Rocks, balls among them, walls, and bodies that are frozen along an
 * axis. */
#include "scenes.h"

#include "bench/rocks.h"
#include "law/coulomb.h"
#include "sweep/packets.h"
#include "sweep/sweep.h"

double scr_sweep_scalar(Problem *problem, SweepOrder order, SweepWatch *watch);

static const RockKind kinds[] = {
    {.across = 8, .mu = 0.5, .balls = 0, .slender = 3, .seed = 1},
    {.across = 8, .mu = 0.5, .balls = 0.4, .slender = 3, .seed = 2},
    {.across = 7, .mu = 0, .balls = 0, .slender = 3, .seed = 3},
    {.across = 7, .mu = 5, .balls = 0.1, .slender = 30, .seed = 4},   /* several slips */
    {.across = 7, .mu = 1, .balls = 0.1, .slender = 1e10, .seed = 5}, /* nearly singular */
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Every 40th body cannot move along z, and each of its rows is completed again. */
static void freeze_some(Rocks *k) {
    Problem *p = &k->problem;
    for (size_t i = 0; i < p->tensors; i += 40) {
        p->tensor[i].inverse_mass.zz = 0;
    }
    for (size_t i = 0; i < p->rows; i++) {
        scr_general_complete(p, &k->found[i], &k->arm[i]);
    }
}

static void make(const RockKind *kind, bool frozen, Rocks *k) {
    bool ok = rocks_make(kind, k);
    CHECK(ok);
    if (frozen) {
        freeze_some(k);
    }
    CHECK(rocks_order(k, 7));
    for (int sweep = 0; sweep < 20; sweep++) {
        scr_sweep(&k->problem, (SweepOrder){.stored = &k->order}, NULL);
    }
    CHECK(rocks_order(k, 8));
}

/* How many rows slide, and how many are in packets that the kernel takes. */
static size_t count_sliding(const Problem *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double limit = p->row[i].mu * p->row[i].rn * (1 - 1e-9);
        count += p->row[i].rn > 0 && dot(p->row[i].rt, p->row[i].rt) >= limit * limit;
    }
    return count;
}

static size_t count_taken(const Problem *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        count += p->general[i].per_rest[0] > 0;
    }
    return count;
}

/* ---------------------------------------------------------------- against single contacts */

/* One sweep with nothing but the law, in any frame. */
static void sweep_by_law(Problem *p) {
    for (size_t i = 0; i < p->rows; i++) {
        Row *r = &p->row[i];
        const GeneralRow *g = &p->general[i];
        const double *w = g->block;
        RowVelocity u = scr_row_velocity(p, i);
        double n = r->rn, t1 = dot(r->rt, g->t1), t2 = dot(r->rt, g->t2), x[3];
        const double q[3] = {u.n + r->bias - w[0] * n - w[1] * t1 - w[2] * t2,
                             dot(u.t, g->t1) - w[1] * n - w[3] * t1 - w[4] * t2,
                             dot(u.t, g->t2) - w[2] * n - w[4] * t1 - w[5] * t2};
        law_coulomb_block3(w, q, r->mu, x);
        Vec3 rt = add(scale(x[1], g->t1), scale(x[2], g->t2));
        scr_general_push(p, r, g, add_scaled(sub(rt, r->rt), x[0] - n, r->normal));
        r->rn = x[0];
        r->rt = rt;
    }
}

static double apart(const double *x, const double *y, size_t count, double *size) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        *size = fmax(*size, fabs(y[i]));
    }
    return most;
}

/* The rows of a packet share no body, so packets do the same as single rows in that order, up to
 * rounding. Packets take blocks whose eigenvalues are up to 1e9 apart, and these amplify rounding to
 * 1e-7 of the impulses. */
static void packets_agree_with_the_law(void) {
    for (int i = 0; i < KINDS; i++) {
        const double tolerance = i == KINDS - 1 ? 1e-6 : 1e-13;
        Rocks a, b;
        make(&kinds[i], i % 2 == 1, &a);
        make(&kinds[i], i % 2 == 1, &b);
        Problem *p = &a.problem, *q = &b.problem;
        CHECK(count_sliding(p) > p->rows / 20 && count_taken(p) > p->rows / 2);
        CHECK((i % 2 == 1 || i == KINDS - 1) == (count_taken(p) < p->rows));
        for (size_t k = 0; k < p->rows; k += 3) { /* as extrapolation does to open contacts */
            p->row[k].rn -= p->row[k].rn == 0 ? 0.001 : 0;
            q->row[k].rn = p->row[k].rn;
        }
        for (int sweep = 0; sweep < 2; sweep++) {
            scr_sweep(p, (SweepOrder){.stored = &a.order}, NULL);
            sweep_by_law(q);
        }
        double size = 0;
        CHECK(apart((double *)p->body, (double *)q->body, 8 * p->bodies, &size) <=
              tolerance * size);
        double worst = 0;
        size = 0;
        for (size_t k = 0; k < p->rows; k++) {
            worst = fmax(worst, apart(&p->row[k].rn, &q->row[k].rn, 4, &size));
        }
        CHECK(size > 0 && worst <= tolerance * size);
        rocks_free(&a);
        rocks_free(&b);
    }
}

static double after_sweeps(Rocks *k, int sweeps) {
    scr_rows_to_columns(&k->problem, &k->order, NULL);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        scr_sweep(&k->problem, (SweepOrder){.stored = &k->order, .columns = true}, NULL);
    }
    scr_rows_to_records(&k->problem, &k->order, NULL);
    return scr_problem_residual(&k->problem, NULL).relative;
}

/* Sweeps come to where every contact obeys its law to the last digits. */
static void sweeps_converge(void) {
    const RockKind small[] = {{.across = 2, .mu = 0.3, .balls = 0.2, .slender = 3, .seed = 6},
                              {.across = 2, .mu = 0.5, .balls = 0.2, .slender = 3, .seed = 6},
                              {.across = 3, .mu = 0.8, .balls = 0.2, .slender = 3, .seed = 6}};
    for (int i = 0; i < 3; i++) {
        Rocks k;
        make(&small[i], false, &k);
        double residual = scr_problem_residual(&k.problem, NULL).relative;
        CHECK(residual > 1e-4);
        for (int sweeps = 0; sweeps < 20000 && !(residual < 1e-13); sweeps += 500) {
            residual = after_sweeps(&k, 500);
        }
        CHECK(residual < 1e-13);
        rocks_free(&k);
    }
}

/* ---------------------------------------------------------------- the same bits */

static bool same(const Problem *p, const Problem *q) {
    return memcmp(p->body, q->body, p->bodies * sizeof *p->body) == 0 &&
           memcmp(p->row, q->row, p->rows * sizeof *p->row) == 0 &&
           memcmp(p->general, q->general, p->rows * sizeof *p->general) == 0;
}

static void vector_width_does_not_change_a_bit(void) {
    for (int i = 0; i < KINDS; i++) {
        Rocks a, b;
        make(&kinds[i], i % 2 == 0, &a);
        make(&kinds[i], i % 2 == 0, &b);
        Problem *p = &a.problem, *q = &b.problem;
        for (int sweep = 0; sweep < 6; sweep++) {
            SweepOrder stored = {.stored = &b.order};
            double y = scr_sweep_scalar(q, stored, NULL);
            stored = (SweepOrder){.stored = &a.order, .columns = sweep % 3 != 0};
            double x = scr_sweep(p, stored, NULL);
            CHECK(x == y && x > 0);
            if (sweep % 3 == 0) {
                scr_rows_to_columns(p, &a.order, NULL);
            }
            if (sweep % 3 == 2) {
                scr_rows_to_records(p, &a.order, NULL);
                CHECK(same(p, q));
            }
        }
        rocks_free(&a);
        rocks_free(&b);
    }
}

static void threads_do_not_change_a_bit(void) {
    Rocks a, b;
    make(&kinds[1], true, &a);
    make(&kinds[1], true, &b);
    Threads *threads = scr_threads_create(3);
    Problem *p = &a.problem, *q = &b.problem;
    scr_rows_to_columns(p, &a.order, NULL);
    scr_rows_to_columns(q, &b.order, threads);
    for (int sweep = 0; sweep < 10; sweep++) {
        double x = scr_sweep(p, (SweepOrder){.stored = &a.order, .columns = true}, NULL);
        SweepOrder order = {.stored = &b.order, .columns = true, .threads = threads};
        CHECK(x == scr_sweep(q, order, NULL));
    }
    scr_rows_to_records(p, &a.order, NULL);
    scr_rows_to_records(q, &b.order, threads);
    CHECK(same(p, q));
    scr_threads_destroy(threads);
    rocks_free(&a);
    rocks_free(&b);
}

/* The points of one pair are in as many packets, and packets are full for the most part. */
static void packets_share_no_body(void) {
    Rocks k;
    make(&kinds[0], false, &k);
    const Problem *p = &k.problem;
    const int32_t walls_from = k.order.walls_from;
    int32_t *last = calloc(p->bodies, sizeof *last);
    CHECK(last != NULL);
    size_t row = 0, full = 0;
    int32_t packet = 0;
    for (size_t run = 0; last != NULL && run < k.order.runs; run++) {
        for (size_t end = (size_t)k.order.run_end[run]; row < end;) {
            size_t count = end - row < PACKET_ROWS ? end - row : PACKET_ROWS;
            full += count == PACKET_ROWS ? count : 0;
            packet++;
            for (size_t i = row; i < row + count; i++) {
                const int32_t body[2] = {p->row[i].a, p->row[i].b};
                for (int side = 0; side < 2; side++) {
                    CHECK(body[side] >= walls_from || last[body[side]] != packet);
                    last[body[side]] = packet;
                }
            }
            row += count;
        }
    }
    CHECK(row == p->rows && full > p->rows * 8 / 10);
    free(last);
    rocks_free(&k);
}

int main(int argc, char **argv) {
    CHECK_RUN(packets_agree_with_the_law);
    CHECK_RUN(sweeps_converge);
    CHECK_RUN(vector_width_does_not_change_a_bit);
    CHECK_RUN(threads_do_not_change_a_bit);
    CHECK_RUN(packets_share_no_body);
    return check_result();
}
