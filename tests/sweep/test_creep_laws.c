/* Contacts with laws beyond Coulomb's, and of shapes, creep on the way to the solution as plain ones
 * do (test_creep.c): with the impulse that the associated law demands, to the exact law, in a
 * fraction of the sweeps. */
#include "a_fifth.h"

#include "sweep/packet_general.h"
#include "sweep/packets.h"
#include "api/world.h"

#include <stdlib.h>

/* The same source, compiled for one row at a time. */
double scr_sweep_box_scalar(Problem *problem, const Order *order, size_t box, bool columns,
                            double (*alone)(Problem *problem, size_t row),
                            const RowMomentum *momentum, double *square);

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static double first(Wide a) {
    double lane[WIDE];
    wide_store(lane, a);
    return lane[0];
}

/* ---------------------------------------------------------------- the law */

enum { PARTS = 3 };

typedef struct Pressed {
    double mass_n, x;
    double mass[PARTS], bound[PARTS], length[PARTS];
} Pressed;

static double energy(const Pressed *c, double pressure) {
    double sum = (pressure - c->x) * (pressure - c->x) / c->mass_n;
    for (int i = 0; i < PARTS; i++) {
        double over = fmax(c->length[i] - c->bound[i] * pressure, 0);
        sum += over * over / c->mass[i];
    }
    return sum;
}

/* Below the creep speed, no other pressure is better; what is faster lowers x, as de Saxce's term
 * does. */
static void creeping_pressure_minimises_the_energy(void) {
    uint64_t state = 5;
    int pressed = 0, lifted = 0;
    for (int i = 0; i < 2000; i++) {
        Pressed c = {.mass_n = 0.1 + noise(&state)};
        c.x = 3 * noise(&state) - 2;
        LawCreepPart part[PARTS];
        double shift = 0;
        for (int k = 0; k < PARTS; k++) {
            c.mass[k] = 0.1 + noise(&state);
            c.bound[k] = noise(&state);
            c.length[k] = 2 * noise(&state);
            double speed = noise(&state), creep = i % 2 == 0 ? 1 : noise(&state);
            part[k] = (LawCreepPart){wide_all(c.mass[k]), wide_all(c.bound[k]),
                                     wide_all(c.length[k]), wide_all(speed), wide_all(creep)};
            shift += c.mass_n * c.bound[k] * fmax(speed - creep, 0);
        }
        double pressure = first(law_creep_pressure(wide_all(c.mass_n), wide_all(c.x), part, PARTS));
        c.x -= shift;
        double least = energy(&c, pressure);
        CHECK(pressure >= 0);
        for (double other = 0; other < 3; other += 0.01) {
            CHECK(energy(&c, other) >= least - 1e-12);
        }
        pressed += pressure > 0;
        lifted += pressure > 0 && c.x < 0;
    }
    CHECK(pressed > 500 && lifted > 200); /* what slides presses, even where the gap opens */
}

static double work(const double w[3], const double q[2], double n, double t) {
    return 0.5 * (w[0] * n * n + 2 * w[1] * n * t + w[2] * t * t) + q[0] * n + q[1] * t;
}

/* In a full block: no other point of the cone is better. */
static void creeping_block_is_minimal_on_the_cone(void) {
    uint64_t state = 9;
    int inside = 0, edge = 0, open = 0;
    for (int i = 0; i < 2000; i++) {
        double nn = 0.2 + noise(&state), tt = 0.2 + noise(&state);
        const double w[3] = {nn, 0.9 * sqrt(nn * tt) * (2 * noise(&state) - 1), tt};
        const double pull = 2 * noise(&state) - 1.5, drag = 3 * noise(&state) - 1.5;
        const double q[2] = {pull, drag};
        double mu = 1.2 * noise(&state);
        Wide rn, rt;
        wide_creep2(wide_all(nn), wide_all(w[1]), wide_all(tt), wide_all(1 / nn),
                    wide_all(1 / (tt - w[1] * w[1] / nn)), wide_all(q[0]), wide_all(q[1]),
                    wide_all(mu), &rn, &rt);
        double n = first(rn), t = first(rt), least = work(w, q, n, t);
        CHECK(n >= 0 && fabs(t) <= mu * n * (1 + 1e-14));
        for (int k = 0; k < 300; k++) {
            double other = 4 * noise(&state), along = k % 3 == 0 ? -1 : k % 3 == 1 ? 1 : 0;
            along = along == 0 ? 2 * noise(&state) - 1 : along;
            CHECK(work(w, q, other, mu * other * along) >= least - 1e-12);
        }
        CHECK(least <= 1e-12);
        open += n == 0;
        edge += n > 0 && fabs(t) > 0.999999 * mu * n;
        inside += n > 0 && fabs(t) < 0.999999 * mu * n;
    }
    CHECK(open > 100 && edge > 300 && inside > 300);
}

/* ---------------------------------------------------------------- the sweep */

static void *again(const void *data, size_t bytes) {
    void *copy = malloc(bytes + 1);
    return memcpy(copy, data, bytes);
}

/* The width of the vectors changes no bit. */
static void widths(ScreeWorld *world) {
    Problem *p = &world->engine.task.problem;
    const Order *order = &world->engine.task.order;
    const size_t rows = p->rows * sizeof *p->row, bodies = p->bodies * sizeof *p->body;
    const size_t laws = p->law_of != NULL ? p->rows * sizeof *p->law : 0;
    void *row = again(p->row, rows), *body = again(p->body, bodies), *law = again(p->law, laws);
    void *result[3] = {NULL};
    double sums[2][2] = {{0}};
    for (int scalar = 1; scalar >= 0; scalar--) {
        double *before = calloc(8 * p->rows, sizeof *before);
        const RowMomentum momentum = {0.3, 1e-3, before, before + 4 * p->rows};
        memcpy(p->row, row, rows);
        memcpy(p->body, body, bodies);
        memcpy(p->law, law, laws);
        scr_rows_to_columns(p, order, NULL);
        for (size_t box = 0; box < order->boxes; box++) {
            double square;
            sums[scalar][0] += (scalar ? scr_sweep_box_scalar : scr_sweep_box)(
                p, order, box, true, NULL, &momentum, &square);
            sums[scalar][1] += square;
        }
        scr_rows_to_records(p, order, NULL);
        if (scalar) {
            result[0] = again(p->row, rows);
            result[1] = again(p->body, bodies);
            result[2] = again(p->law, laws);
        }
        free(before);
    }
    CHECK(order->boxes > 1 && sums[0][0] > 0 && sums[0][0] == sums[1][0]);
    CHECK(sums[0][1] == sums[1][1]);
    CHECK(memcmp(result[0], p->row, rows) == 0);
    CHECK(memcmp(result[1], p->body, bodies) == 0);
    CHECK(memcmp(result[2], p->law, laws) == 0);
    void *all[] = {row, body, law, result[0], result[1], result[2]};
    for (int k = 0; k < 6; k++) {
        free(all[k]);
    }
}

/* From zero impulses, so that contacts slide, roll and open. */
static void width_of_vectors_does_not_matter(void) {
    static const char *const name[] = {"plane-200-1-rolling",  "space-200-1-rolling",
                                       "plane-200-1-cohesion", "space-200-1-cohesion",
                                       "plane-200-1-springs",  "space-200-1-springs",
                                       "plane-200-1-polygons"};
    for (int k = 0; k < 7; k += CHECK_STRIDE) {
        ScreeWorld *world = bench_solver_case(name[k], NULL, 1, 300 / CHECK_STRIDE);
        ScreeSolverDef solver = scree_solver_def_default();
        solver.warm_start = false;
        solver.criterion = SCREE_CRITERION_FIXED;
        solver.iterations = 10;
        CHECK(scree_world_set_solver(world, &solver) == SCREE_OK);
        CHECK(scree_world_step(world, NULL) == SCREE_OK);
        widths(world);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- the method */

static void laws_and_shapes_take_a_fifth_of_the_sweeps(void) {
    static const char *const name[] = {"plane-300-2-rolling", "space-300-2-rolling",
                                       "plane-300-2-cohesion", "space-300-1-cohesion",
                                       "plane-300-2-polygons"};
    for (int i = 0; i < 5; i++) {
        CHECK(takes_a_fifth(name[i], "boxed"));
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(creeping_pressure_minimises_the_energy);
    CHECK_RUN(creeping_block_is_minimal_on_the_cone);
    CHECK_RUN(width_of_vectors_does_not_matter);
    if (CHECK_STRIDE == 1) { /* with sanitizers this takes minutes */
        CHECK_RUN(laws_and_shapes_take_a_fifth_of_the_sweeps);
    }
    return check_result();
}
