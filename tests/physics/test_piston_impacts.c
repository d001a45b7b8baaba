/* Blocks with restitution under a piston: several corners strike at one time, and slide.
 *
 * The contacts take -sum R (u + u') / 2 from the motion. Newton's law would give energy where the blow of one contact
 * stops another that moved apart, and where friction turns a sliding contact round (Kane's paradox); no step may gain
 * by that. A step may do so only as far as forces have reversed a motion within it, which costs the time
 * stepping F dt dv / 2 (docs/method.md, Energy). */
#include "solid_rig.h"

static ScreeWorld *press(uint64_t *seed, double restitution, double friction, double mass) {
    ScreeWorldDef def = rig_def(3, 0.003 + 0.003 * rig_random(seed), rig_vec(0, 0, 0));
    def.solver.tolerance = 1e-6;
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = scree_law_default();
    law.friction = friction;
    law.restitution = restitution;
    rig_law(world, &law);
    const ScreeShapeId shape = rig_box(world, 0.5, 0.4, 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    for (int side = -1; side <= 1; side += 2) {
        rig_add_plane(world, rig_vec(0.65 * side, 0, 0), rig_vec(-side, 0, 0));
        rig_add_plane(world, rig_vec(0, 0.65 * side, 0), rig_vec(0, -side, 0));
    }
    ScreeWallDef piston = rig_plane(rig_vec(0, 0, 0.95), rig_vec(0, 0, -1));
    piston.motion = SCREE_WALL_PISTON;
    piston.mass = mass;
    piston.force = rig_vec(0, 0, -40);
    rig_add_wall(world, &piston);
    for (int i = 0; i < 4; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.shape = shape;
        body.position = rig_vec(i % 2 ? 0.33 : -0.33, i / 2 ? 0.33 : -0.33, 0.45);
        body.orientation = rig_random_rotation(seed, 6);
        body.velocity = rig_random_vec(seed, 1, 3);
        body.spin = rig_random_vec(seed, 3, 3);
        rig_add_body(world, &body);
    }
    return world;
}

static void impacts_give_no_energy(void) {
    uint64_t seed = 4711;
    const int step = CHECK_STRIDE > 1 ? 7 : 1; /* of all restitutions, frictions and masses some */
    for (int i = 0; i < 12; i += step) {
        ScreeWorld *world = press(&seed, i % 3 == 0 ? 1 : 0.8, 0.25 * (i % 4), i % 2 ? 0.1 : 1);
        double before = 1, lost = 0;
        int impacts = 0;
        for (int n = 0; n < 150; n++) {
            const ScreeReport r = rig_step(world);
            const double made = fmin(-r.dissipation, -r.dissipation - r.dissipation_scheme);
            CHECK(!r.converged || made <= 1e-4 * before);
            impacts += r.dissipation_normal > 1e-3 * before;
            before = r.kinetic_energy;
            lost += r.dissipation;
        }
        CHECK(i % 3 == 0 || (impacts > 3 && lost > 0));
        scree_world_destroy(world);
    }
}

/* Balls and blocks that fly at each other, strike, and stick: bonds take energy and give nothing back. */
static void lumps_that_stick_gain_nothing(void) {
    for (int i = 0; i < 3; i += CHECK_STRIDE) {
        uint64_t seed = 77 + 1001 * (uint64_t)i;
        ScreeWorldDef def = rig_def(3, 0.004, rig_vec(0, 0, 0));
        def.solver.tolerance = 0.1;
        def.solver.iterations = 1000;
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.friction = 0.9;
        law.restitution = 0.98;
        law.cohesion = 5;
        law.cohesion_range = 0.02;
        rig_law(world, &law);
        const ScreeShapeId shape = rig_box(world, 0.5, 0.4, 0.3);
        for (int k = 0; k < 12; k++) {
            ScreeVec3 at =
                rig_vec(0.66 * (k % 3 - 1), 0.66 * (k / 3 % 2) - 0.33, 0.66 * (k / 6) - 0.33);
            ScreeBodyDef body = rig_ball(at, 0.25, 1);
            if (k % 2 == 1) {
                body = scree_body_def_default();
                body.shape = shape;
                body.position = at;
                body.orientation = rig_random_rotation(&seed, 6);
            }
            body.velocity = rig_add(rig_random_vec(&seed, 0.6, 3), -1, at);
            body.spin = rig_random_vec(&seed, 2, 3);
            rig_add_body(world, &body);
        }
        double before = INFINITY;
        for (int n = 0; n < 120; n++) {
            const ScreeReport r = rig_step(world);
            CHECK(!r.converged || r.kinetic_energy <= before * (1 + 2e-3));
            before = r.kinetic_energy;
        }
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(impacts_give_no_energy);
    CHECK_RUN(lumps_that_stick_gain_nothing);
    return check_result();
}
