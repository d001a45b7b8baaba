/* Undetermined motion against closed forms: the array of five disks whose acceleration the law leaves
 * open, a disk that may or may not wedge between two plates; and where the motion is unique. */
#include "check.h"
#include "physics/rig.h"

enum { MOST = 16 };

typedef struct Found {
    ScreeMotionRange range[MOST];
    ScreeMotions whole;
    ScreeStatus status;
} Found;

static Found measure(const ScreeSample *sample, const ScreeSurroundings *around, double amplitude) {
    Found f;
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeIndeterminacyDef def = scree_indeterminacy_def_default();
    def.amplitude = amplitude;
    f.status = scree_sample_measure_motions(sample, around, &def, f.range, &f.whole, message);
    CHECK(f.status == SCREE_OK || message[0] != '\0');
    return f;
}

static Found measure_world(const ScreeWorld *world, double amplitude) {
    ScreeContactForce contact[4 * MOST];
    ScreeSampleWall wall[8];
    ScreeSample sample;
    ScreeSurroundings around;
    scree_world_take_sample(world, contact, NULL, &sample);
    scree_world_take_surroundings(world, wall, &around);
    return measure(&sample, &around, amplitude);
}

static void make_exact(ScreeWorldDef *def) {
    def->solver.tolerance = 1e-13;
    def->solver.iterations = 200000;
}

/* ---------------------------------------------------------------- the array */

/* A number that is linear in the acceleration. */
typedef struct Line {
    double at_0, slope;
} Line;

static Line sum(Line x, double factor, Line y) {
    return (Line){x.at_0 + factor * y.at_0, x.slope + factor * y.slope};
}

/* Where x >= 0. */
static void clip(Line x, double *low, double *high) {
    double zero = -x.at_0 / x.slope;
    *low = x.slope > 0 ? fmax(*low, zero) : *low;
    *high = x.slope < 0 ? fmin(*high, zero) : *high;
}

static void clip_both(Line x, double mu, Line bound, double *low, double *high) {
    Line most = sum((Line){0, 0}, mu, bound);
    clip(sum(most, 1, x), low, high);
    clip(sum(most, -1, x), low, high);
}

static const double mu = 0.3, mu_block = 0.01, brake = 0.01;

/* The accelerations that Coulomb's law allows five disks, numbered 1 to 5 from the braking end, in
 * the array of Radjai, Schaefer, Dippel and Wolf (1997), Fig. 10. Disks 1, 2, 3, 5 roll with the
 * acceleration a, disk 4 turns against them as fast, so the contacts 3-4, 4-5 and those of 1, 2, 3,
 * 5 with the plane hold; all others slide. With normal forces N, n, frictions T, F (plane), and the
 * inertia I = 1/2,
 *     N_i - N_{i-1} - F_i = a,   +-I a = F_i - T_i - T_{i-1},   n_i = 1 + T_i - T_{i-1},
 *     T_0 = mu'' N_0,  T_1 = mu N_1,  T_2 = mu N_2,  T_5 = mu'' N_5,  F_4 = mu n_4,
 * which are eleven equations for twelve unknowns: all of them are linear in a. */
static void allowed_accelerations(double push, double *low, double *high) {
    const double inertia = 0.5;
    const Line one = {1, 0}, a = {0, 1}, none = {0, 0};
    Line n1 = sum(sum(none, (1 + mu_block) * brake / (1 - mu), one), (1 + inertia) / (1 - mu), a);
    Line n2 = sum(sum(none, (1 + mu) / (1 - mu), n1), (1 + inertia) / (1 - mu), a);
    /* N_5 (1 - mu'') = N_2 (1 + mu) + (3 + I) a + 2 T_3 + 2 T_4,
     * T_4 (1 - mu) = mu + I a - (1 + mu) T_3 */
    Line rest = sum(sum(sum(none, push * (1 - mu_block), one), -(1 + mu), n2), -(3 + inertia), a);
    Line given = sum(sum(none, mu / (1 - mu), one), inertia / (1 - mu), a);
    double factor = 2 - 2 * (1 + mu) / (1 - mu);
    Line t3 = sum(sum(none, 1 / factor, rest), -2 / factor, given);
    Line t4 = sum(given, -(1 + mu) / (1 - mu), t3);
    Line n3 = sum(sum(sum(t3, 1 + mu, n2), 1 + inertia, a), 0, none);
    Line n4 = sum(sum(sum(n3, 1 - inertia, a), 1, t3), 1, t4);
    Line t[6] = {sum(none, mu_block * brake, one), sum(none, mu, n1), sum(none, mu, n2), t3, t4,
                 sum(none, mu_block * push, one)};
    *low = 0;
    *high = INFINITY;
    clip_both(t3, mu, n3, low, high);
    clip_both(t4, mu, n4, low, high);
    for (int i = 1; i <= 5; i++) {
        Line weight = sum(sum(one, 1, t[i]), -1, t[i - 1]);
        Line friction = sum(sum(t[i], 1, t[i - 1]), i == 4 ? -inertia : inertia, a);
        clip(weight, low, high);
        if (i != 4) {
            clip_both(friction, mu, weight, low, high);
        }
    }
}

static ScreeWorld *make_array(double push) {
    ScreeWorldDef def = rig_def(2, 0.01, rig_vec(0, -1, 0));
    make_exact(&def);
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = mu;
    rig_must(scree_world_add_material(world, &material, NULL), "disks and plane");
    material.law.friction = mu_block;
    ScreeMaterialId block;
    rig_must(scree_world_add_material(world, &material, &block), "blocks");
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int side = 0; side < 2; side++) {
        ScreeWallDef wall = rig_plane(rig_vec(10 * side, 0, 0), rig_vec(1 - 2 * side, 0, 0));
        wall.motion = SCREE_WALL_PISTON;
        wall.mass = 1e-9;
        wall.force = rig_vec(side == 0 ? push : -brake, 0, 0);
        wall.material = block;
        rig_add_wall(world, &wall);
    }
    for (int i = 0; i < 5; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.position = rig_vec(1 + 2 * i, 1, 0);
        body.radius = 1;
        body.mass = 1;
        rig_add_body(world, &body);
    }
    return world;
}

/* All disks move with the same acceleration, anywhere in its range, and turn as fast; at N_L = 1.259
 * that range is known to be 0.0458 to 0.0533. Outside the window of such states, N_L from 1.039 to
 * 1.479, the motion is unique. */
static void array_has_its_range_of_accelerations(void) {
    static const double push[] = {1.1, 1.259, 1.4};
    for (int k = 0; k < 3; k++) {
        double low, high, step = 0.01;
        ScreeWorld *world = make_array(push[k]);
        allowed_accelerations(push[k], &low, &high);
        if (k == 1) {
            CHECK_NEAR(low, 0.0458, 5e-5);
            CHECK_NEAR(high, 0.0533, 5e-5);
        }
        CHECK(high - low > 1e-3);
        for (int steps = 1; steps <= 20; steps++) {
            rig_step(world);
            const ScreeVec3 *now = scree_world_get_bodies(world).velocity;
            Found f = measure_world(world, 1);
            CHECK(f.status == SCREE_OK && f.whole.motion_unsure == 0 && f.whole.motion_loose == 10);
            CHECK(f.whole.motion_other == 0 && f.whole.motion_failed == 0);
            CHECK_NEAR(f.whole.motion_range, high - low, 1e-6);
            for (int i = 0; i < 5 && steps == 1; i++) {
                const ScreeMotionRange *r = &f.range[i];
                CHECK_NEAR(r->velocity_least.x / step, low, 1e-6);
                CHECK_NEAR(r->velocity_most.x / step, high, 1e-6);
                CHECK(r->velocity_least.x <= now[i].x && now[i].x <= r->velocity_most.x);
                CHECK_NEAR(r->spin_most.z / step, i == 1 ? high : -low, 1e-6);
                CHECK(r->velocity_most.y - r->velocity_least.y < 1e-9);
            }
        }
        scree_world_destroy(world);
    }
}

static void array_outside_the_window_moves_in_one_way(void) {
    static const double push[] = {0.9, 1.03, 1.49, 2};
    for (int k = 0; k < 4; k++) {
        ScreeWorld *world = make_array(push[k]);
        rig_step(world);
        Found f = measure_world(world, 1);
        CHECK(f.status == SCREE_OK && f.whole.motion_other == 0 && f.whole.motion_failed == 0);
        CHECK(f.whole.motion_range < 1e-6);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- between plates */

static ScreeWorld *make_plates(int dimension, double friction) {
    ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, -1, 0));
    make_exact(&def);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, friction);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(2, 0, 0), rig_vec(-1, 0, 0));
    ScreeBodyDef body = scree_body_def_default();
    body.position = rig_vec(1, 0, 0);
    body.radius = 1;
    body.mass = 1;
    rig_add_body(world, &body);
    return world;
}

/* A ball that falls between two plates at its own distance. Nothing presses it, but any pair of equal
 * forces N would do, and brake it by 2 mu N: every velocity from the present one to zero obeys the
 * law. Without friction there is no such choice. */
static void ball_between_plates_may_brake_at_will(void) {
    for (int k = 0; k < 4; k++) {
        double friction = k % 2 == 0 ? 0.3 : 0;
        ScreeWorld *world = make_plates(2 + k / 2, friction);
        for (int step = 0; step < 5; step++) {
            rig_step(world);
        }
        double falls = scree_world_get_bodies(world).velocity[0].y;
        Found f = measure_world(world, 1);
        CHECK_CLOSE(falls, -0.05, 1e-12);
        CHECK(f.status == SCREE_OK && f.whole.motion_unsure == 0 && f.whole.motion_other == 0);
        CHECK(f.whole.motion_loose == (friction > 0));
        CHECK_NEAR(f.range[0].velocity_least.y, falls, 1e-8);
        CHECK_NEAR(f.range[0].velocity_most.y, friction > 0 ? 0 : falls, 1e-8);
        CHECK_NEAR(f.whole.motion_range, friction > 0 ? 5 : 0, 1e-6);
        scree_world_destroy(world);
    }
}

/* The same disk of weight 1, held by N = 10 on each side. With these contact states the motion is
 * unique, as always when nothing slides. Where N is drawn smaller than 1 / (2 mu), the disk falls
 * with 1 - 2 mu N; such motions are found from random starts. */
static void held_disk_could_also_fall(void) {
    const double step = 0.01;
    ScreeVec3 position = {1, 0, 0}, zero = {0, 0, 0};
    ScreeQuat turn = {1, 0, 0, 0};
    double radius = 1, mass = 1, inertia = 0.5;
    ScreeMaterialId material = {0};
    ScreeShapeId shape = {-1};
    ScreeLaw law = scree_material_def_default().law;
    law.friction = 0.3;
    ScreeContactForce contact[2];
    ScreeSampleWall wall[2] = {{.material = SCREE_NO_MATERIAL}, {.material = SCREE_NO_MATERIAL}};
    for (int i = 0; i < 2; i++) { /* the force on the wall: out, and half of the weight down */
        contact[i] = (ScreeContactForce){.a = {0},
                                         .b = {-1 - i},
                                         .state = SCREE_CONTACT_STICK,
                                         .point = rig_vec(2 * i, 0, 0),
                                         .normal = rig_vec(2 * i - 1, 0, 0),
                                         .force_normal = 10,
                                         .force_tangential = rig_vec(0, -0.5, 0),
                                         .opening = -1};
    }
    ScreeSample sample = {.dimension = 2,
                          .bodies = 1,
                          .contacts = 2,
                          .materials = 1,
                          .position = &position,
                          .orientation = &turn,
                          .velocity = &zero,
                          .spin = &zero,
                          .radius = &radius,
                          .mass = &mass,
                          .inertia = &inertia,
                          .material = &material,
                          .shape = &shape,
                          .law = &law,
                          .contact = contact};
    ScreeSurroundings around = {.time_step = step, .walls = 2, .wall = wall};
    Found f = measure(&sample, &around, 100);
    CHECK(f.status == SCREE_OK && f.whole.motion_loose == 0 && f.whole.motion_other < 3);
    f = measure(&sample, &around, 1e-3);
    CHECK(f.status == SCREE_OK && f.whole.motion_other == 50 && f.whole.motion_failed == 0);
    CHECK(f.range[0].velocity_least.y >= -step && f.range[0].velocity_least.y < -0.99 * step);
    CHECK(f.range[0].velocity_most.y == 0);
    around.time_step = 0;
    CHECK(measure(&sample, &around, 1).status == SCREE_BAD_ARGUMENT);
    around.time_step = step;
    wall[0].piston = rig_vec(1, 0, 0);
    wall[0].mass = NAN;
    CHECK(measure(&sample, &around, 1).status == SCREE_BAD_ARGUMENT);
}

int main(int argc, char **argv) {
    CHECK_RUN(array_has_its_range_of_accelerations);
    CHECK_RUN(array_outside_the_window_moves_in_one_way);
    CHECK_RUN(ball_between_plates_may_brake_at_will);
    CHECK_RUN(held_disk_could_also_fall);
    return check_result();
}
