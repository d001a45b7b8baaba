/* Neither the width of the vectors nor storing rows as columns changes anything: the sweep compiled
 * for this machine and the same source compiled for single rows (CMakeLists.txt) give the same
 * bits, in the plane and in space, with walls, pistons, sliding and open contacts, and packets that
 * are not full. */
#include "scenes.h"

#include "sweep/packets.h"
#include "api/world.h"
#include "sweep/sweep.h"

double scr_sweep_scalar(Problem *problem, SweepOrder order, SweepWatch *watch);
void scr_push_rows_scalar(Problem *problem, const Order *stored, Threads *threads);

/* What a sweep changes. */
typedef struct Copy {
    Problem problem;
    size_t law_bytes;
} Copy;

static void *again(const void *data, size_t bytes) {
    void *copy = malloc(bytes + 1);
    if (copy == NULL) {
        abort();
    }
    return bytes > 0 ? memcpy(copy, data, bytes) : copy;
}

static Copy copy_of(const Problem *p) {
    Copy c = {*p, p->law_of != NULL ? p->rows * sizeof *p->law : 0};
    c.problem.body = again(p->body, p->bodies * sizeof *p->body);
    c.problem.row = again(p->row, p->rows * sizeof *p->row);
    c.problem.law = again(p->law, c.law_bytes);
    c.problem.general = again(p->general, p->general_of != NULL ? p->rows * sizeof *p->general : 0);
    return c;
}

static void free_copy(Copy *c) {
    free(c->problem.body);
    free(c->problem.row);
    free(c->problem.law);
    free(c->problem.general);
}

static ScreeWorld *heap(int dimension, bool laws, bool piston) {
    int across = dimension == 2 ? 40 : 12, high = dimension == 2 ? 25 : 8,
        deep = dimension == 2 ? 1 : 12;
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = 0.02;
    def.gravity = rig_vec(3, -10, 0);
    def.solver.iterations = 10;
    def.periodic[0] = true;
    def.cell_max = rig_vec(across, across, across);
    ScreeWorld *world = rig_create(&def);
    scene_material(world, 0.3, laws);
    scene_material(world, 0.3, laws);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    if (dimension == 3) {
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
        rig_add_plane(world, rig_vec(0, 0, deep), rig_vec(0, 0, -1));
    }
    if (piston) {
        ScreeWallDef lid = rig_plane(rig_vec(0, high + 0.2, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 40;
        lid.force = rig_vec(0, -2000, 0);
        rig_add_wall(world, &lid);
    }
    uint64_t random = 3;
    for (int i = 0; i < across * high * deep; i++) {
        ScreeVec3 x = rig_vec(0.5 + i % across, 0.5 + i / (across * deep), 0);
        x.z = dimension == 3 ? 0.5 + i / across % deep : 0;
        ScreeBodyDef grain = rig_ball(x, 0.46 + 0.04 * rig_random(&random), 0);
        grain.velocity = rig_random_vec(&random, 1, dimension);
        grain.material.index = i % 5 == 0;
        rig_add_body(world, &grain);
    }
    return world;
}

static ScreeLaw law_of_kind(int kind) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.3;
    if (kind == 1 || kind == 5) {
        law.cohesion = 3;
        law.cohesion_range = 0.02;
    }
    if (kind == 2 || kind == 5) {
        law.stiffness = 2e4;
        law.stiffness_tangential = 1e4;
        law.restitution = 0.4;
        law.restitution_tangential = 0.2;
        law.restitution_threshold = 0.3;
    }
    if (kind == 3 || kind == 5) {
        law.rolling = 0.05;
        law.torsion = 0.1;
    }
    if (kind == 4) { /* bounds that every contact reaches */
        law.rolling = law.torsion = 1e-4;
        law.friction = 0.02;
    }
    return law;
}

/* With a sanitizer the two tests together have every kind of law. */
enum { FEWER = CHECK_STRIDE > 1 };

static void vector_width_does_not_change_a_bit(void) {
    for (int kind = FEWER ? 3 : 0; kind < 12; kind += FEWER ? 7 : 1) {
        ScreeWorld *world = heap(2 + kind % 2, kind / 2 == 2, kind >= 2);
        ScreeLaw law = law_of_kind(kind / 2);
        if (kind >= 6) {
            rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law), "law");
            law.rolling = law.torsion = 0; /* rows with and without torques in one packet */
            law.cohesion = 1;
            law.cohesion_range = 0.02;
            rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){1}, &law),
                     "law of a pair");
        }
        ScreeReport report = {0};
        for (int step = 0; step < 20; step++) {
            report = rig_step(world);
        }
        CHECK(report.active > 500 && report.sliding > 20 && report.contacts > report.active);
        const Order *order = &world->engine.task.order;
        CHECK(order->runs > order->boxes && (kind < 2 || order->copies > 1));
        Copy a = copy_of(&world->engine.task.problem), b = copy_of(&world->engine.task.problem);
        for (int sweep = 0; sweep < 6; sweep++) {
            SweepOrder stored = {.stored = order};
            double y = scr_sweep_scalar(&b.problem, stored, NULL);
            stored.columns = sweep % 3 != 0;
            double x = scr_sweep(&a.problem, stored, NULL);
            CHECK(x == y && x > 0);
            if (sweep == 0 || sweep == 3) {
                scr_rows_to_columns(&a.problem, order, NULL);
            }
            if (sweep == 2 || sweep == 5) {
                scr_rows_to_records(&a.problem, order, NULL);
            }
            if (sweep == 2) {
                CHECK(memcmp(a.problem.row, b.problem.row, a.problem.rows * sizeof(Row)) == 0);
                scr_push_rows(&a.problem, order, NULL);
                scr_push_rows_scalar(&b.problem, order, NULL);
            }
        }
        const Problem *p = &a.problem, *q = &b.problem;
        CHECK(memcmp(p->body, q->body, p->bodies * sizeof *p->body) == 0);
        CHECK(memcmp(p->row, q->row, p->rows * sizeof *p->row) == 0);
        CHECK(memcmp(p->law, q->law, a.law_bytes) == 0);
        free_copy(&a);
        free_copy(&b);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- split grains */

/* Small grains, on which one falls that is larger than a box of the sweep. */
static ScreeWorld *under_a_giant(int dimension) {
    const int across = dimension == 2 ? 80 : 16, deep = dimension == 2 ? 1 : 16, high = 3;
    const double r = 0.2, giant = dimension == 2 ? 5 : 3;
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = 0.01;
    def.gravity = rig_vec(0, -10, 0);
    ScreeWorld *world = rig_create(&def);
    scene_material(world, 0.3, false);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    uint64_t random = 5;
    for (int i = 0; i < across * high * deep; i++) {
        ScreeVec3 x = rig_vec(2 * r * (i % across), r + 2 * r * (i / (across * deep)), 0);
        x.z = dimension == 3 ? 2 * r * (i / across % deep) : 0;
        ScreeBodyDef grain = rig_ball(x, r * (0.9 + 0.1 * rig_random(&random)), 0);
        rig_add_body(world, &grain);
    }
    const double middle = r * across;
    ScreeBodyDef large =
        rig_ball(rig_vec(middle, 2 * r * high + giant, dimension == 3 ? middle : 0), giant, 0);
    large.velocity = rig_vec(3, -3, 0);
    rig_add_body(world, &large);
    return world;
}

/* Several rows of a packet may have the same copy of such a grain. */
static void split_grains_do_not_depend_on_the_width(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = under_a_giant(dimension);
        for (int step = 0; step < 12; step++) {
            rig_step(world);
        }
        const Order *order = &world->engine.task.order;
        CHECK(order->copies > 0);
        Copy a = copy_of(&world->engine.task.problem), b = copy_of(&world->engine.task.problem);
        for (int sweep = 0; sweep < 4; sweep++) {
            SweepOrder stored = {.stored = order};
            double y = scr_sweep_scalar(&b.problem, stored, NULL);
            stored.columns = sweep >= 2;
            if (sweep == 2) {
                scr_rows_to_columns(&a.problem, order, NULL);
            }
            double x = scr_sweep(&a.problem, stored, NULL);
            CHECK(x == y && x > 0);
        }
        scr_rows_to_records(&a.problem, order, NULL);
        const Problem *p = &a.problem, *q = &b.problem;
        CHECK(memcmp(p->body, q->body, p->bodies * sizeof *p->body) == 0);
        CHECK(memcmp(p->row, q->row, p->rows * sizeof *p->row) == 0);
        free_copy(&a);
        free_copy(&b);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- packets and single rows */

static double gap_between(const double *x, const double *y, size_t count, double *size) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        *size = fmax(*size, fabs(y[i]));
    }
    return most;
}

/* The rows of a packet share no body, so a sweep by packets does the same as a sweep row by row in
 * that order, up to rounding. The single rows are solved by the functions of law_update.c and
 * src/law, which brute force judges. */
static void packets_agree_with_single_rows(void) {
    for (int kind = 0; kind < 12; kind += FEWER ? 5 : 1) {
        ScreeWorld *world = heap(2 + kind % 2, false, false);
        ScreeLaw law = law_of_kind(kind / 2);
        rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law), "law");
        for (int step = 0; step < 20; step++) {
            rig_step(world);
        }
        const Order *order = &world->engine.task.order;
        Copy a = copy_of(&world->engine.task.problem), b = copy_of(&world->engine.task.problem);
        Problem *p = &a.problem, *q = &b.problem;
        for (size_t i = 0; i < p->rows; i += 3) { /* as extrapolation does to open contacts */
            p->row[i].rn -= p->row[i].rn == 0 ? 0.001 : 0;
            q->row[i].rn = p->row[i].rn;
        }
        for (int sweep = 0; sweep < 3; sweep++) {
            double x = scr_sweep(p, (SweepOrder){.stored = order}, NULL);
            double y = scr_sweep(q, (SweepOrder){.stored = NULL}, NULL);
            CHECK_NEAR(x / y, 1, 1e-9);
        }
        double size = 0, apart;
        apart = gap_between((double *)p->body, (double *)q->body, 8 * p->bodies, &size);
        CHECK(apart <= 1e-11 * size);
        for (size_t i = 0; i < p->rows; i++) {
            apart = fmax(apart, gap_between(&p->row[i].rn, &q->row[i].rn, 4, &size));
            const LawRow *l = scr_law_row(p, i), *m = scr_law_row(q, i);
            if (l != NULL) {
                apart = fmax(apart, gap_between(&l->torque.roll.x, &m->torque.roll.x, 4, &size));
            }
        }
        CHECK(apart <= 1e-11 * size);
        CHECK((p->law_of != NULL) == (kind >= 2));
        free_copy(&a);
        free_copy(&b);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(vector_width_does_not_change_a_bit);
    CHECK_RUN(split_grains_do_not_depend_on_the_width);
    CHECK_RUN(packets_agree_with_single_rows);
    return check_result();
}
