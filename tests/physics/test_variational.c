/* The variational engine: closed forms of the theta method and of associated sliding, and agreement
 * with the sweeps of contact dynamics where velocities are unique. */
#include "polygon_rig.h"

static ScreeWorldDef variational(int dimension, double time_step, ScreeVec3 gravity) {
    ScreeWorldDef def = rig_def(dimension, time_step, gravity);
    def.engine = SCREE_ENGINE_VARIATIONAL;
    return def;
}

/* e = (1 - theta) / theta for bodies that touch at the start of the step (L 4.7), and momentum is
 * kept: m v' + M V' = m v, V' - v' = e v. */
static void collision_rebounds_by_theta(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int k = 0; k <= 5; k++) {
            ScreeWorldDef def = variational(dimension, 1e-2, rig_vec(0, 0, 0));
            def.theta = 0.5 + 0.1 * k;
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.4);
            const double m = 1, big = 3, v = 2, e = (1 - def.theta) / def.theta;
            ScreeBodyDef ball = rig_ball(rig_vec(-0.6, 0, 0), 0.6, m);
            ball.velocity = rig_vec(v, 0, 0);
            int32_t a = rig_add_body(world, &ball);
            int32_t b = rig_add_ball(world, rig_vec(0.8, 0, 0), 0.8, big);
            ScreeReport report = rig_step(world);
            const double common = m * v / (m + big);
            ScreeBodyView bodies = scree_world_get_bodies(world);
            CHECK_VEC(bodies.velocity[a], rig_vec(common - e * v * big / (m + big), 0, 0), 1e-7);
            CHECK_VEC(bodies.velocity[b], rig_vec(common + e * v * m / (m + big), 0, 0), 1e-7);
            CHECK(report.converged == 1 && report.iterations <= 35);
            CHECK(report.residual < 1e-6 && report.residual_associated < 1e-6);
            scree_world_destroy(world);
        }
    }
}

typedef struct Slide {
    double slip, rise, force;
    ScreeReport report;
} Slide;

/* One step of a block that slides on a floor. It slips by s, and with the associated law rises by
 * mu s. */
static Slide slide(double theta, double dt, double mu, bool exact) {
    const double g = 10, v = 1;
    ScreeWorldDef def = variational(2, dt, rig_vec(0, -g, 0));
    def.theta = theta;
    def.variational.exact = exact;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, mu);
    int32_t shape = rig_add_rectangle_shape(world, 4, 0.1);
    int32_t floor = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeBodyDef block = rig_shaped(shape, rig_vec(0, 0.05, 0), 0);
    block.mass = 1;
    block.velocity = rig_vec(v, 0, 0);
    block.frozen = SCREE_FREEZE_ROTATION_Z;
    int32_t body = rig_add_body(world, &block);
    Slide s = {.report = rig_step(world)};
    s.slip = scree_world_get_bodies(world).position[body].x;
    s.rise = scree_world_get_bodies(world).position[body].y - 0.05;
    s.force = rig_wall(world, floor).load.x;
    scree_world_destroy(world);
    return s;
}

static void associated_sliding_rises(void) {
    const double steps[3] = {0.02, 0.01, 0.005}, thetas[3] = {0.6, 0.7, 1}, mu = 0.3;
    for (int k = 0; k < 9; k++) {
        Slide s = slide(thetas[k / 3], steps[k % 3], mu, false);
        CHECK_CLOSE(s.rise / s.slip, mu, 1e-4); /* whatever theta and the time step are */
        CHECK(s.report.converged == 1 && s.report.residual_associated < 1e-4);
        /* and the certificate says that this is not Coulomb's law */
        CHECK(s.report.residual > 1e-3);
    }
}

/* Coulomb: no rise, and the floor takes mu m g. */
static void exact_sliding_does_not_rise(void) {
    for (int k = 0; k < 3; k++) {
        Slide s = slide(k == 0 ? 0.7 : 1, 0.01, 0.3, true);
        CHECK(fabs(s.rise) < 1e-6 * s.slip);
        CHECK_CLOSE(s.force, 0.3 * 10, 1e-5);
        CHECK(s.report.converged == 1 && s.report.residual < 1e-6);
        CHECK(s.report.residual_associated > 1e-3);
    }
}

/* ---------------------------------------------------------------- against the sweeps */

typedef enum Kind { DISKS, POLYGONS, SPHERES, BLOCK } Kind;

/* A heap of bodies that touch or are about to, thrown into a corner. */
static ScreeWorld *heap(Kind kind, ScreeEngine engine, double mu, bool exact) {
    const int dimension = kind == SPHERES ? 3 : 2, n = kind == BLOCK ? 1 : kind == SPHERES ? 3 : 5;
    ScreeVec3 down = dimension == 2 ? rig_vec(0, -10, 0) : rig_vec(0, 0, -10);
    ScreeWorldDef def = rig_def(dimension, 5e-3, down);
    def.engine = engine;
    def.theta = 0.8;
    def.solver.iterations = 200000;
    def.variational.tolerance = 1e-10;
    def.variational.exact = exact;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, mu);
    int32_t shape = dimension == 2 ? rig_add_rectangle_shape(world, 1, 0.9) : -1;
    rig_add_plane(world, rig_vec(-0.5, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(0, kind == POLYGONS || kind == BLOCK ? -0.45 : -0.5, 0),
                  rig_vec(0, 1, 0));
    if (dimension == 3) {
        rig_add_plane(world, rig_vec(0, 0, -0.5), rig_vec(0, 0, 1));
    }
    uint64_t seed = 11;
    for (int i = 0; i < n * n * (dimension == 3 ? n : 1); i++) {
        ScreeVec3 at = rig_vec(1.001 * (i % n), (kind == POLYGONS ? 0.901 : 1.001) * (i / n % n),
                               dimension == 3 ? 1.001 * (double)(i / n / n) : 0);
        bool square = kind == POLYGONS || kind == BLOCK;
        ScreeBodyDef body = square ? rig_shaped(shape, at, 0) : rig_ball(at, 0.45, 0);
        body.radius = square ? 0 : dimension == 3 ? 0.5 : 0.45 + 0.05 * (double)(i % 2);
        body.velocity = rig_add(rig_vec(-1, -1, dimension == 3 ? -1 : 0), 1,
                                rig_random_vec(&seed, 0.3, dimension));
        if (square) {
            body.spin = rig_vec(0, 0, 0.2 * (rig_random(&seed) - 0.5));
        }
        rig_add_body(world, &body);
    }
    return world;
}

static void compare(Kind kind, double mu, bool exact) {
    ScreeWorld *swept = heap(kind, SCREE_ENGINE_CONTACT_DYNAMICS, mu, false);
    ScreeWorld *other = heap(kind, SCREE_ENGINE_VARIATIONAL, mu, exact);
    ScreeReport a = rig_step(swept), b = rig_step(other);
    ScreeBodyView va = scree_world_get_bodies(swept), vb = scree_world_get_bodies(other);
    CHECK(a.converged == 1 && b.converged == 1 && a.active > 0 && b.iterations <= 35);
    double most = 0;
    for (size_t i = 0; i < va.count; i++) {
        most = fmax(most, rig_length(rig_sub(va.velocity[i], vb.velocity[i])));
        most = fmax(most, rig_length(rig_sub(va.spin[i], vb.spin[i])));
    }
    CHECK_NEAR(most, 0, 1e-6); /* velocities are about 2 */
    scree_world_destroy(swept);
    scree_world_destroy(other);
}

/* Two touching balls fly past at speed 1 and close at 1e-9: what the law asks for is tiny compared
 * with the common motion, which is no proof that nothing balances the loads. The impulse stops the
 * approach, and the momentum stays. */
static void slow_impact_of_fast_grains_has_a_solution(void) {
    ScreeWorldDef def = rig_def(2, 1e-3, rig_vec(0, 0, 0));
    def.engine = SCREE_ENGINE_VARIATIONAL;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    for (int i = 0; i < 2; i++) {
        ScreeBodyDef body = rig_ball(rig_vec(i, 0, 0), 0.5, 1);
        body.velocity = rig_vec(1 - 1e-9 * i, 1, 0);
        rig_add_body(world, &body);
    }
    ScreeReport report;
    CHECK(scree_world_step(world, &report) == SCREE_OK && report.active == 1);
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_NEAR(b.velocity[0].x - b.velocity[1].x, 0, 1e-12);
    CHECK_NEAR(b.velocity[0].x + b.velocity[1].x, 2 - 1e-9, 1e-15);
    scree_world_destroy(world);
}

/* Without friction the associated law is Coulomb's. */
static void frictionless_heaps_agree_with_sweeps(void) {
    for (Kind kind = DISKS; kind <= BLOCK; kind++) {
        compare(kind, 0, false);
    }
}

/* With much friction, blocks that lie flat on each other have several solutions, each with zero
 * residual. */
static void heaps_with_friction_agree_with_sweeps(void) {
    for (Kind kind = DISKS; kind <= BLOCK; kind++) {
        compare(kind, kind == POLYGONS ? 0.1 : 0.3, true);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(collision_rebounds_by_theta);
    CHECK_RUN(associated_sliding_rises);
    CHECK_RUN(exact_sliding_does_not_rise);
    CHECK_RUN(slow_impact_of_fast_grains_has_a_solution);
    CHECK_RUN(frictionless_heaps_agree_with_sweeps);
    CHECK_RUN(heaps_with_friction_agree_with_sweeps);
    return check_result();
}
