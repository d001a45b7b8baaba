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
    for (int i = 0; i < 12; i++) {
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

int main(int argc, char **argv) {
    CHECK_RUN(impacts_give_no_energy);
    return check_result();
}
