/* Clumps of balls, rods, plates and rounded polyhedra in the soft engine. */
#include "physics/solid_rig.h"
#include "soft_rig.h"

/* Of something as dense as water. */
static ScreeWorld *water_world(const ScreeWorldDef *def, const ScreeLaw *law) {
    ScreeWorld *world = rig_create(def);
    ScreeMaterialDef material = scree_material_def_default();
    material.law = *law;
    material.density = 1000;
    rig_must(scree_world_add_material(world, &material, NULL), "material");
    return world;
}

static ScreeShapeId add_solid(ScreeWorld *world, const ScreeSolidPart *part, size_t parts,
                              const ScreeVec3 *vertex) {
    const ScreeSolidDef def = {part, parts, vertex, NULL, NULL};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), "solid");
    return id;
}

/* Two balls of radius 0.1 whose centres are 0.3 apart along x. */
static ScreeShapeId dumbbell(ScreeWorld *world) {
    static const ScreeSolidPart part[2] = {{.vertices = 1, .rounding = 0.1},
                                           {.vertices = 1, .rounding = 0.1}};
    static const ScreeVec3 centre[2] = {{-0.15, 0, 0}, {0.15, 0, 0}};
    return add_solid(world, part, 2, centre);
}

static ScreeShapeId rounded_box(ScreeWorld *world, double x, double y, double z, double rounding) {
    ScreeVec3 vertex[8];
    for (int k = 0; k < 8; k++) {
        vertex[k] = rig_vec(k & 1 ? x / 2 : -x / 2, k & 2 ? y / 2 : -y / 2, k & 4 ? z / 2 : -z / 2);
    }
    return rig_hull(world, vertex, 8, rounding);
}

static ScreeShapeId rod(ScreeWorld *world, double length, double radius) {
    const ScreeVec3 end[2] = {{-0.5 * length, 0, 0}, {0.5 * length, 0, 0}};
    return rig_hull(world, end, 2, radius);
}

static int32_t add_body(ScreeWorld *world, ScreeShapeId shape, ScreeVec3 x, ScreeQuat orientation,
                        ScreeVec3 v, ScreeVec3 spin) {
    int32_t body = rig_add_solid(world, shape, x, orientation);
    rig_set_motion(world, body, v, spin);
    return body;
}

/* I w of a solid, from its public measures. */
static ScreeVec3 spin_momentum(const ScreeWorld *world, size_t i) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeSolid solid;
    if (b.shape[i].index < 0) {
        return rig_scale(b.inertia[i], b.spin[i]);
    }
    rig_must(scree_shape_get_solid(world, b.shape[i], &solid), "solid");
    ScreeVec3 sum = rig_vec(0, 0, 0);
    const double moment[3] = {solid.gyration.x, solid.gyration.y, solid.gyration.z};
    for (int k = 0; k < 3; k++) {
        ScreeVec3 axis = rig_rotate(solid.axes, rig_vec(k == 0, k == 1, k == 2));
        axis = rig_rotate(b.orientation[i], axis);
        sum = rig_add(sum, b.mass[i] * moment[k] * rig_dot(axis, b.spin[i]), axis);
    }
    return sum;
}

static double kinetic(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    double twice = 0;
    for (size_t i = 0; i < b.count; i++) {
        twice += b.mass[i] * rig_dot(b.velocity[i], b.velocity[i]) +
                 rig_dot(b.spin[i], spin_momentum(world, i));
    }
    return 0.5 * twice;
}

static ScreeVec3 angular_momentum(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 sum = rig_vec(0, 0, 0);
    for (size_t i = 0; i < b.count; i++) {
        sum = rig_add(sum, b.mass[i], rig_cross(b.position[i], b.velocity[i]));
        sum = rig_add(sum, 1, spin_momentum(world, i));
    }
    return sum;
}

/* ---------------------------------------------------------------- one ball */

enum { BALLS = 6, BALL_STEPS = 3000 };

static ScreeWorld *bouncing_balls(const ScreeLaw *law, bool clumps) {
    ScreeWorldDef def = soft_def(3, 1e-4, rig_vec(1, 0, -9.81));
    ScreeWorld *world = water_world(&def, law);
    const ScreeVec3 origin = {0, 0, 0};
    const ScreeShapeId shape = rig_hull(world, &origin, 1, 0.1);
    uint64_t random = 7;
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    rig_add_plane(world, rig_vec(0.5, 0, 0), rig_vec(-1, 0, 0));
    for (int i = 0; i < BALLS; i++) {
        ScreeBodyDef ball = scree_body_def_default();
        ball.radius = 0.1;
        ball.position = rig_vec(0.25 * (i % 2), 0.05 * i, 0.11 + 0.21 * (i / 2));
        ball.velocity = rig_random_vec(&random, 1, 3);
        ball.spin = rig_random_vec(&random, 5, 3);
        if (clumps) {
            ball.shape = shape;
            ball.radius = 0;
        }
        rig_add_body(world, &ball);
    }
    return world;
}

/* With friction, rolling, torsion and glue; Hertz as well. */
static void a_clump_of_one_ball_is_the_ball(void) {
    ScreeLaw law[2] = {soft_law(1e5, 0.5, 0.4), soft_law(INFINITY, 0.5, 0.4)};
    law[0].rolling = law[0].torsion = 0.1;
    law[0].cohesion = 2;
    law[0].cohesion_range = 1e-3;
    law[1].modulus = 1e7;
    for (int k = 0; k < 2; k++) {
        ScreeWorld *ball = bouncing_balls(&law[k], false), *clump = bouncing_balls(&law[k], true);
        CHECK_CLOSE(scree_world_advise_time_step(clump), scree_world_advise_time_step(ball), 1e-12);
        int64_t touching = 0;
        for (int step = 0; step < BALL_STEPS; step++) {
            touching += rig_step(ball).active;
            rig_step(clump);
        }
        CHECK(touching > BALL_STEPS);
        ScreeBodyView a = scree_world_get_bodies(ball), b = scree_world_get_bodies(clump);
        for (int i = 0; i < BALLS; i++) {
            CHECK_VEC(b.position[i], a.position[i], 1e-10);
            CHECK_VEC(b.spin[i], a.spin[i], 1e-8);
        }
        scree_world_destroy(ball);
        scree_world_destroy(clump);
    }
}

/* ---------------------------------------------------------------- free motion */

/* A box that turns about its middle axis flips over and over. */
static void free_solids_keep_momentum_and_energy(void) {
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = soft_def(3, 2e-3, rig_vec(0, 0, 0));
        ScreeLaw law = soft_law(1e5, 1, 0);
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = water_world(&def, &law);
        int32_t box = add_body(world, rounded_box(world, 0.3, 0.2, 0.1, 0.02), rig_vec(0, 0, 0),
                               rig_upright, rig_vec(0.1, 0, 0), rig_vec(1e-3, 10, 0));
        const ScreeVec3 before = angular_momentum(world);
        const double energy = kinetic(world);
        double least = 1, most = -1, strayed = 0;
        for (int step = 0; step < 20000; step++) {
            rig_step(world);
            ScreeVec3 y =
                rig_rotate(scree_world_get_bodies(world).orientation[box], rig_vec(0, 1, 0));
            least = fmin(least, y.y);
            most = fmax(most, y.y);
            strayed = fmax(strayed, fabs(kinetic(world) / energy - 1));
        }
        CHECK(least < -0.99 && most > 0.99);
        CHECK_VEC(angular_momentum(world), before, 1e-11 * rig_length(before));
        CHECK(strayed < 1e-4);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- impacts */

/* One ball of a dumbbell that leans by 0.5 meets a wall. With r from its centre to the contact and n
 * across the wall, the normal speed there turns around when the impulse is
 * J = 2 v / (1 / m + (r x n) I^-1 (r x n)). While it acts, the body turns a little: stiff springs. */
static void a_dumbbell_bounces_as_a_rigid_body_does(void) {
    ScreeWorldDef def = soft_def(3, 5e-7, rig_vec(0, 0, 0));
    ScreeLaw law = soft_law(1e9, 1, 0);
    ScreeWorld *world = water_world(&def, &law);
    const ScreeShapeId shape = dumbbell(world);
    const double lean = 0.5, high = 0.15 * sin(lean) + 0.1 + 1e-5;
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    add_body(world, shape, rig_vec(0, 0, high), rig_rotation(rig_vec(0, 1, 0), lean),
             rig_vec(0, 0, -1), rig_vec(0, 0, 0));
    const double energy = kinetic(world);
    ScreeReport last = {0};
    for (int step = 0; step < 8000; step++) {
        last = rig_step(world);
    }
    CHECK(last.contacts == 0);
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeSolid solid;
    rig_must(scree_shape_get_solid(world, shape, &solid), "solid");
    /* two balls: 2/5 r^2 about their line, and the square of the distance more about the others */
    const double across = 0.4 * 0.01 + 0.15 * 0.15, arm = 0.15 * cos(lean);
    const double impulse = 2 / (1 / b.mass[0] + arm * arm / (across * b.mass[0]));
    CHECK_CLOSE(b.velocity[0].z, -1 + impulse / b.mass[0], 1e-3);
    CHECK_CLOSE(fabs(b.spin[0].y), arm * impulse / (across * b.mass[0]), 1e-3);
    CHECK_NEAR(b.velocity[0].x, 0, 1e-12);
    /* w dt is 0.011; the energy that velocity Verlet keeps differs by (w dt)^2 / 8 at most */
    CHECK_CLOSE(kinetic(world), energy, 2e-5);
    scree_world_destroy(world);
}

enum { CLOUD = 27, KINDS = 6 };

/* Clumps, rods, plates, boxes, tetrahedra with a ball, and balls, that fly towards the middle; `only`:
 * all are of that kind, unless it is negative. */
static ScreeWorld *cloud(double time_step, const ScreeLaw *law, ScreeIntegrator integrator,
                         int only) {
    ScreeWorldDef def = soft_def(3, time_step, rig_vec(0, 0, 0));
    def.soft.integrator = integrator;
    ScreeWorld *world = water_world(&def, law);
    static const ScreeVec3 plate[4] = {
        {0.2, 0.1, 0}, {-0.2, 0.1, 0}, {-0.2, -0.1, 0}, {0.2, -0.1, 0}};
    static const ScreeVec3 corner[5] = {
        {0.2, 0, -0.1}, {-0.1, 0.2, -0.1}, {-0.1, -0.2, -0.1}, {0, 0, 0.2}, {0.25, 0.1, 0.1}};
    static const ScreeSolidPart part[2] = {{.vertices = 4, .rounding = 0.04},
                                           {.vertices = 1, .rounding = 0.1}};
    const ScreeShapeId shape[KINDS - 1] = {
        dumbbell(world), rod(world, 0.4, 0.08), rig_hull(world, plate, 4, 0.05),
        rounded_box(world, 0.3, 0.2, 0.25, 0.04), add_solid(world, part, 2, corner)};
    uint64_t random = 11;
    for (int i = 0; i < CLOUD; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.position = rig_vec(0.6 * (i % 3 - 1), 0.6 * (i / 3 % 3 - 1), 0.6 * (i / 9 - 1));
        body.velocity = rig_add(rig_scale(-1, body.position), 0.3, rig_random_vec(&random, 1, 3));
        body.spin = rig_random_vec(&random, 3, 3);
        body.orientation = rig_random_rotation(&random, 3);
        int kind = only >= 0 ? only : i % KINDS;
        body.radius = kind == KINDS - 1 ? 0.15 : 0;
        if (kind < KINDS - 1) {
            body.shape = shape[kind];
        }
        rig_add_body(world, &body);
    }
    return world;
}

/* The largest error of the energy in a run of a cloud of one kind of bodies without losses. */
static double energy_error(double dt, int kind) {
    const ScreeLaw law = soft_law(2e4, 1, 0);
    ScreeWorld *world = cloud(dt, &law, SCREE_INTEGRATOR_VELOCITY_VERLET, kind);
    const double energy = kinetic(world);
    const ScreeVec3 turning = angular_momentum(world), push = rig_momentum(world);
    double error = 0, touching = 0;
    for (double time = 0; time < 0.7; time += dt) {
        ScreeReport r = rig_step(world);
        touching += dt * (double)r.active;
        error = fmax(error, fabs((kinetic(world) + r.energy_elastic) / energy - 1));
        CHECK_NEAR(r.kinetic_energy, kinetic(world), 1e-12 * energy);
    }
    CHECK(touching > 0.1);
    CHECK_VEC(angular_momentum(world), turning, 1e-10);
    CHECK_VEC(rig_momentum(world), push, 1e-11);
    scree_world_destroy(world);
    return error;
}

/* Forces are the gradient of the springs' energy, whatever meets what: vertices, edges that begin to
 * cross, faces. Balls and rods have smooth ones, so that the error is of second order; between
 * polyhedra forces may jump where another end of an edge becomes the deepest, but the energy does not,
 * and the error is of first order. */
static void the_energy_of_springs_is_conserved(void) {
    for (int kind = 0; kind < KINDS - 1; kind += 2 * CHECK_STRIDE - 1) {
        const bool smooth = kind < 2;
        const double coarse = energy_error(smooth ? 8e-4 : 1.6e-3, kind);
        const double fine = energy_error(1e-4, kind);
        CHECK(coarse < 5e-3);
        CHECK(fine < coarse / (smooth ? 20 : 4));
    }
}

/* With friction and dashpots momentum and angular momentum stay, the balance closes to second order,
 * and energy is lost. */
static void dissipation_accounts_for_what_is_lost(void) {
    ScreeLaw law = soft_law(2e4, 0.5, 0.5);
    law.rolling = law.torsion = 0.1;
    for (int k = 0; k < 2; k += CHECK_STRIDE) {
        ScreeWorld *world = cloud(1e-4, &law, soft_integrators[k], -1);
        const double energy = kinetic(world);
        const ScreeVec3 turning = angular_momentum(world), push = rig_momentum(world);
        double lost = 0, error = 0;
        for (int step = 0; step < 8000; step++) {
            ScreeReport r = rig_step(world);
            lost += r.dissipation;
            error += r.energy_error;
        }
        CHECK(lost > 0.2 * energy);
        CHECK(fabs(error) < (k == 0 ? 2e-3 : 2e-2) * energy);
        CHECK_VEC(rig_momentum(world), push, 1e-11);
        if (k == 0) { /* differences of positions show no exact angular momentum */
            CHECK_VEC(angular_momentum(world), turning, 1e-11);
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- at rest */

/* Lets a world come to rest and tells how deep its deepest contact is, and how many there are. */
static ScreeReport settle(ScreeWorld *world, int steps) {
    ScreeReport last = {0};
    for (int step = 0; step < steps; step++) {
        last = rig_step(world);
    }
    CHECK(kinetic(world) < 1e-12);
    return last;
}

/* A box stands on four springs, a box across another one of the same size on eight crossings of edges,
 * a rod across a rod on one. */
static void bodies_sink_in_by_their_weight(void) {
    const ScreeLaw law = soft_law(1e5, 0.1, 0.5);
    ScreeWorldDef def = soft_def(3, 5e-5, rig_vec(0, 0, -10));
    for (int kind = 0; kind < 3; kind++) {
        ScreeWorld *world = water_world(&def, &law);
        const ScreeShapeId box = rounded_box(world, 0.3, 0.3, 0.1, 0.02);
        const ScreeShapeId bar = rod(world, 0.4, 0.05);
        const ScreeQuat across = rig_rotation(rig_vec(0, 0, 1), RIG_PI / (kind == 1 ? 4 : 2));
        const double high = kind == 2 ? 0.05 : 0.07;
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
        int32_t below =
            rig_add_solid(world, kind == 2 ? bar : box, rig_vec(0, 0, high), rig_upright);
        if (kind > 0) {
            int32_t above =
                rig_add_solid(world, kind == 2 ? bar : box, rig_vec(0, 0, 3 * high), across);
            rig_must(scree_body_set_frozen(world, (ScreeBodyId){below},
                                           SCREE_FREEZE_POSITION | SCREE_FREEZE_ROTATION),
                     "frozen");
            if (kind == 2) { /* one point carries it, but does not keep it from tipping */
                rig_must(scree_body_set_frozen(world, (ScreeBodyId){above}, SCREE_FREEZE_ROTATION),
                         "frozen");
            }
        }
        const ScreeReport last = settle(world, 30000);
        const int springs = kind == 0 ? 4 : kind == 1 ? 8 : 1;
        ScreeBodyView b = scree_world_get_bodies(world);
        const double weight = 10 * b.mass[b.count - 1];
        const int32_t a = kind == 0 ? 0 : 1;
        CHECK_NEAR(last.overlap_max, weight / springs / 1e5, 1e-9);
        CHECK_NEAR(b.position[a].z, (kind == 0 ? high : 3 * high) - last.overlap_max, 1e-9);
        scree_world_destroy(world);
    }
}

/* A dumbbell on its side rolls down a slope like a ball: 5/7 of g sin. */
static void a_dumbbell_rolls_down_a_slope(void) {
    const double slope = 0.2, g = 10;
    ScreeWorldDef def = soft_def(3, 2e-5, rig_vec(0, g * sin(slope), -g * cos(slope)));
    ScreeLaw law = soft_law(1e6, 0.3, 0.6);
    law.damping_tangential = 1000; /* or the tangential spring goes on swinging */
    ScreeWorld *world = water_world(&def, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    const ScreeShapeId shape = dumbbell(world);
    int32_t body = rig_add_solid(world, shape, rig_vec(0, 0, 0.1), rig_upright);
    for (int step = 0; step < 25000; step++) {
        rig_step(world);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    const double expected = 5.0 / 7 * g * sin(slope) * 0.5;
    CHECK_CLOSE(b.velocity[body].y, expected, 1e-3);
    CHECK_CLOSE(-b.spin[body].x * 0.1, expected, 1e-3);
    CHECK_NEAR(b.spin[body].z, 0, 1e-9);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- restarts, refusals */

static void restarts_go_on_bit_for_bit(void) {
    ScreeLaw law = soft_law(2e4, 0.5, 0.5);
    law.rolling = law.torsion = 0.1;
    law.cohesion = 0.1;
    law.cohesion_range = 1e-3;
    for (int k = 0; k < 2; k++) {
        ScreeWorld *world = cloud(1e-4, &law, soft_integrators[k], -1);
        size_t contacts = 0;
        for (int step = 0; step < 5000 && (step < 2500 || contacts < 6); step++) {
            rig_step(world);
            contacts = scree_world_get_contacts(world).count;
        }
        CHECK(contacts > 5);
        CHECK(rig_restarts(world, 60));
        scree_world_destroy(world);
    }
}

static void check_refused(ScreeWorld *world, const char *words) {
    ScreeReport report;
    CHECK(scree_world_step(world, &report) != SCREE_OK);
    CHECK(strstr(scree_world_get_message(world), words) != NULL);
    scree_world_destroy(world);
}

static void what_springs_cannot_take_is_refused(void) {
    const ScreeLaw law = soft_law(1e5, 0.5, 0.5);
    ScreeWorldDef def = soft_def(3, 1e-4, rig_vec(0, 0, -10));
    ScreeWorld *sharp = water_world(&def, &law);
    rig_add_solid(sharp, rig_box(sharp, 0.1, 0.1, 0.1), rig_vec(0, 0, 1), rig_upright);
    check_refused(sharp, "shape 0: engine soft takes solids of balls");

    ScreeWorld *crowded = water_world(&def, &law);
    const ScreeShapeId box = rounded_box(crowded, 0.2, 0.2, 0.2, 0.01);
    rig_add_solid(crowded, box, rig_vec(0, 0, 1), rig_upright);
    rig_add_solid(crowded, box, rig_vec(0.1, 0.05, 1), rig_upright);
    check_refused(crowded, "body 0 and body 1 overlap by as much as they are rounded");

    ScreeWorld *outside = water_world(&def, &law);
    ScreeWallDef post = scree_wall_def_default();
    post.shape = SCREE_WALL_CYLINDER;
    post.axis = rig_vec(0, 0, 1);
    post.radius = 0.1;
    rig_add_wall(outside, &post);
    rig_add_solid(outside, rod(outside, 0.2, 0.02), rig_vec(0.3, 0, 0), rig_upright);
    check_refused(outside, "wall 0: engine soft lets clumps of balls meet this wall");
}

int main(int argc, char **argv) {
    CHECK_RUN(a_clump_of_one_ball_is_the_ball);
    CHECK_RUN(free_solids_keep_momentum_and_energy);
    CHECK_RUN(a_dumbbell_bounces_as_a_rigid_body_does);
    CHECK_RUN(the_energy_of_springs_is_conserved);
    CHECK_RUN(dissipation_accounts_for_what_is_lost);
    CHECK_RUN(bodies_sink_in_by_their_weight);
    CHECK_RUN(a_dumbbell_rolls_down_a_slope);
    CHECK_RUN(restarts_go_on_bit_for_bit);
    CHECK_RUN(what_springs_cannot_take_is_refused);
    return check_result();
}
