/* Bodies with shapes at moving walls, and compared with contact dynamics. */
#include "shape_rig.h"

static const double g = 9.81;

/* A square put onto a moving belt takes on its speed; friction turns 1/2 m v^2 into heat, and the
 * belt does twice as much work. */
static void belt_drags_the_square(void) {
    double v = 1.5, mass = 2, half = 0.3, k = 1e6;
    ScreeLaw law = soft_law(k, 0, 0.4);
    law.damping_tangential = 200;
    for (int i = 0; i < 4; i++) {
        ScreeWorldDef def = soft_def(2, 0, rig_vec(0, -g, 0));
        def.soft.integrator = soft_integrators[i % 2];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        if (i / 2 == 1) {
            wall.shape = SCREE_WALL_BLOCK;
            wall.point = rig_vec(0, -1, 0);
            wall.half = rig_vec(5, 1, 1);
        }
        wall.motion = SCREE_WALL_MOVED;
        wall.velocity = rig_vec(v, 0, 0);
        rig_add_wall(world, &wall);
        double overlap = mass * g / (2 * k);
        ScreeBodyDef body =
            shape_body(shape_box(world, half, half, 0), rig_vec(0, half - overlap, 0), 0);
        body.mass = mass;
        rig_add_body(world, &body);
        double work = 0, friction = 0, lost = 0, error = 0;
        while (scree_world_get_time(world) < 1) {
            ScreeReport r = rig_step(world);
            work += r.work_walls;
            friction += r.dissipation_friction;
            lost += r.dissipation;
            error += r.energy_error;
        }
        double energy = 0.5 * mass * v * v;
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].x, v, 1e-6);
        CHECK_CLOSE(work, 2 * energy, 5e-3);
        CHECK_CLOSE(friction, energy, 2e-2); /* the square also rocks */
        CHECK_CLOSE(lost, energy, 5e-3);
        CHECK_NEAR(error, 0, 2e-3 * energy);
        scree_world_destroy(world);
    }
}

/* Squares between a floor and a piston: the floor carries all weights and the force. */
static void piston_hands_its_force_on(void) {
    ScreeLaw law = soft_law(1e5, 0.2, 0.3);
    ScreeWorldDef def = soft_def(2, 0, rig_vec(0, -g, 0));
    ScreeWorld *world = soft_world(&def, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(0, 1.01, 0), rig_vec(0, -1, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 0.7;
    lid.force = rig_vec(0, -25, 0);
    rig_add_wall(world, &lid);
    for (int i = 0; i < 2; i++) {
        int32_t shape = shape_box(world, 0.25 - 0.05 * i, 0.25, 0);
        ScreeBodyDef body = shape_body(shape, rig_vec(0, 0.25 + 0.5 * i, 0), 0);
        body.mass = 1;
        rig_add_body(world, &body);
    }
    shape_run(world, 2);
    CHECK_CLOSE(rig_wall(world, 1).load.y, 25.0, 1e-6);
    CHECK_CLOSE(rig_wall(world, 0).load.y, -(25 + 2 * g), 1e-6);
    CHECK(scree_world_get_contacts(world).count ==
          6); /* two at the lid, between them and at the floor */
    /* 25 on two springs, 25 + g on two, 25 + 2 g on two */
    double down = (25 + 25 + g + 25 + 2 * g) / 2e5;
    CHECK_CLOSE(1 - rig_wall(world, 1).now.point.y, down, 1e-6);
    scree_world_destroy(world);
}

/* An L and a rounded box in a turning drum with a blade and a rod: the work of walls and gravity
 * less the losses is the energy of the bodies, and the remainder falls with the time step. */
static void energy_in_a_mill_balances(void) {
    double left[2];
    for (int i = 0; i < 2; i++) {
        ScreeLaw law = soft_law(2e5, 0.4, 0.5);
        ScreeWorldDef def = soft_def(2, i == 0 ? 4e-5 : 1e-5, rig_vec(0, -g, 0));
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef drum = scree_wall_def_default();
        drum.shape = SCREE_WALL_CYLINDER;
        drum.radius = 1.5;
        drum.inside = true;
        drum.motion = SCREE_WALL_MOVED;
        drum.spin = rig_vec(0, 0, 2);
        rig_add_wall(world, &drum);
        ScreeWallDef blade = scree_wall_def_default();
        blade.shape = SCREE_WALL_SEGMENT;
        blade.point = rig_vec(0.2, 0, 0);
        blade.end = rig_vec(0.7, 0, 0);
        blade.motion = SCREE_WALL_MOVED;
        blade.spin = rig_vec(0, 0, -3);
        blade.pivot = rig_vec(0, 0, 0);
        blade.has_pivot = true;
        rig_add_wall(world, &blade);
        ScreeWallDef rod = scree_wall_def_default();
        rod.shape = SCREE_WALL_CYLINDER;
        rod.radius = 0.2;
        rig_add_wall(world, &rod);
        int32_t angle = shape_angle(world, 0.3, 0), box = shape_box(world, 0.2, 0.15, 0.05);
        for (int k = 0; k < 3; k++) {
            ScreeBodyDef body = shape_body(
                k == 0 ? angle : box, rig_vec(0.8 * (k - 1), k == 0 ? -0.4 : 0.75, 0), 0.3 * k);
            rig_add_body(world, &body);
        }
        double sum = 0, end = 0, work = 0; /* they begin at rest */
        int hits[3] = {0};
        while (scree_world_get_time(world) < 3) {
            ScreeReport r = rig_step(world);
            sum += r.work_walls + r.work_external - r.dissipation;
            work += fabs(r.work_walls);
            end = r.kinetic_energy + r.energy_elastic;
            for (int k = 0; k < 3 && r.step % 50 == 0; k++) {
                hits[k] += rig_wall(world, k).load.y != 0;
            }
        }
        CHECK(hits[0] > 100 && hits[1] > 1 && hits[2] > 1);
        CHECK(work > 1);
        left[i] = fabs(end - sum) / work;
        for (int k = 0; k < 3; k++) {
            CHECK(rig_length(scree_world_get_bodies(world).position[k]) < 1.5);
        }
        scree_world_destroy(world);
    }
    CHECK(left[0] < 5e-3 && left[1] < 2e-3);
}

/* ---------------------------------------------------------------- contact dynamics */

/* A wall of bricks, an L that leans on it, and a disk in the corner between them. */
static ScreeWorld *make_pile(bool soft) {
    ScreeWorldDef def = rig_def(2, 2e-3, rig_vec(0, -g, 0));
    ScreeLaw law = scree_law_default();
    law.friction = 0.5;
    if (soft) {
        def = soft_def(2, 0, rig_vec(0, -g, 0));
        law = soft_law(1e7, 0, 0.5);
    }
    ScreeWorld *world = soft_world(&def, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_plane(world, rig_vec(2.5, 0, 0), rig_vec(-1, 0, 0));
    int32_t brick = shape_box(world, 0.3, 0.15, 0), hook = shape_angle(world, 0.2, 0);
    const ScreeVec3 at[3] = {{-0.31, 0.15, 0}, {0.31, 0.15, 0}, {0.05, 0.4505, 0}};
    for (int i = 0; i < 3; i++) {
        ScreeBodyDef body = shape_body(brick, at[i], 0);
        rig_add_body(world, &body);
    }
    ScreeShape s;
    rig_must(scree_shape_get(world, (ScreeShapeId){hook}, &s), "shape");
    ScreeBodyDef body = shape_body(hook, rig_vec(0.7 + s.centroid.x, s.centroid.y + 0.0005, 0), 0);
    rig_add_body(world, &body);
    ScreeBodyDef ball = rig_ball(rig_vec(2.2, 0.3005, 0), 0.3, 0);
    rig_add_body(world, &ball);
    return world;
}

/* Put down gently, the bodies come to rest in the same places, and press on the walls alike. */
static void pile_rests_as_in_contact_dynamics(void) {
    ScreeWorld *rigid = make_pile(false), *soft = make_pile(true);
    for (int i = 0; i < 500; i++) {
        rig_step(rigid);
    }
    shape_run(soft, 1);
    ScreeBodyView a = scree_world_get_bodies(rigid), b = scree_world_get_bodies(soft);
    CHECK(scree_world_get_kinetic_energy(soft) < 1e-8);
    double weight = 0;
    for (int i = 0; i < 5; i++) {
        weight += a.mass[i] * g;
        CHECK_VEC(b.position[i], a.position[i], 1e-4);
        CHECK_NEAR(shape_angle_of(soft, i), shape_angle_of(rigid, i), i < 4 ? 1e-4 : 1e-2);
    }
    CHECK_CLOSE(rig_wall(rigid, 0).load.y, -weight, 1e-6);
    CHECK_CLOSE(rig_wall(soft, 0).load.y, -weight, 1e-6);
    scree_world_destroy(rigid);
    scree_world_destroy(soft);
}

int main(int argc, char **argv) {
    CHECK_RUN(belt_drags_the_square);
    CHECK_RUN(piston_hands_its_force_on);
    CHECK_RUN(energy_in_a_mill_balances);
    if (CHECK_STRIDE == 1) { /* the mill and the piston lead a sanitizer through the same code */
        CHECK_RUN(pile_rests_as_in_contact_dynamics);
    }
    return check_result();
}
