/* Periodic boundaries: nothing may depend on where the cell is cut. */
#include "rig.h"

static ScreeWorldDef periodic_def(int dimension, int directions, ScreeVec3 low, double side) {
    ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, 0, 0));
    for (int axis = 0; axis < directions; axis++) {
        def.periodic[axis] = true;
    }
    def.cell_min = low;
    def.cell_max = rig_add(low, side, rig_vec(1, 1, 1));
    return def;
}

/* The shortest of the images of a difference along the periodic directions. */
static ScreeVec3 nearest(const ScreeWorldDef *def, ScreeVec3 d) {
    double x[3] = {d.x, d.y, d.z};
    double side = def->cell_max.x - def->cell_min.x;
    for (int axis = 0; axis < 3; axis++) {
        while (def->periodic[axis] && x[axis] > side / 2) {
            x[axis] -= side;
        }
        while (def->periodic[axis] && x[axis] < -side / 2) {
            x[axis] += side;
        }
    }
    return rig_vec(x[0], x[1], x[2]);
}

/* A free ball goes round the cell and stays in it; every turn takes side / v. */
static void free_ball_goes_round_the_cell(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = periodic_def(dimension, dimension, rig_vec(-1, 3, 0.5), 4);
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.5);
        ScreeBodyDef ball = rig_ball(rig_vec(0, 4, dimension == 3 ? 1 : 0), 0.5, 1);
        ball.velocity = rig_vec(1, -2, dimension == 3 ? 0.5 : 0);
        rig_add_body(world, &ball);
        for (int n = 1; n <= 1600; n++) {
            rig_step(world);
            ScreeVec3 x = scree_world_get_bodies(world).position[0];
            CHECK(x.x >= -1 && x.x <= 3 && x.y >= 3 && x.y <= 7);
            CHECK(dimension == 2 || (x.z >= 0.5 && x.z <= 4.5));
            ScreeVec3 expected = rig_add(ball.position, n * 0.01, ball.velocity);
            CHECK_VEC(nearest(&def, rig_sub(x, expected)), rig_vec(0, 0, 0), 1e-11);
        }
        scree_world_destroy(world);
    }
}

/* The two-step collision across the boundary, in every direction. */
static void collisions_cross_the_boundary(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int axis = 0; axis < dimension; axis++) {
            ScreeWorldDef def = periodic_def(dimension, dimension, rig_vec(0, 0, 0), 5);
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.5);
            ScreeVec3 e = rig_vec(axis == 0, axis == 1, axis == 2),
                      z = rig_vec(1, 1, dimension == 3);
            ScreeVec3 rest = rig_add(z, -1, e);
            ScreeBodyDef a = rig_ball(rig_add(rest, 4.7, e), 0.5, 1),
                         b = rig_ball(rig_add(rest, 0.704, e), 0.5, 3);
            a.velocity = rig_scale(2, e);
            rig_add_body(world, &a);
            rig_add_body(world, &b);
            rig_step(world); /* gap 0.004, 2 dt = 0.02 */
            ScreeBodyView v = scree_world_get_bodies(world);
            CHECK_VEC(rig_sub(v.velocity[1], v.velocity[0]), rig_scale(-0.4, e), 1e-11);
            CHECK_NEAR(rig_length(nearest(&def, rig_sub(v.position[1], v.position[0]))), 1, 1e-13);
            rig_step(world);
            CHECK_VEC(v.velocity[0], rig_scale(0.5, e), 1e-12);
            CHECK_VEC(v.velocity[1], rig_scale(0.5, e), 1e-12);
            CHECK_VEC(rig_contact(world, 0, 1).normal, e, 1e-14);
            scree_world_destroy(world);
        }
    }
}

enum { GRAINS = 60 };

/* Random moving grains that do not overlap. */
static void draw_gas(const ScreeWorldDef *def, ScreeBodyDef *gas, int count, double r) {
    uint64_t random = 777;
    double side = def->cell_max.x - def->cell_min.x;
    for (int n = 0; n < count;) {
        ScreeVec3 x = rig_random_vec(&random, side / 2, def->dimension);
        gas[n] = rig_ball(rig_add(x, side / 2, rig_vec(1, 1, def->dimension == 3)),
                          r * (0.8 + 0.4 * rig_random(&random)), 0);
        bool free_place = true;
        for (int j = 0; j < n && free_place; j++) {
            ScreeVec3 d = nearest(def, rig_sub(gas[j].position, gas[n].position));
            free_place = rig_length(d) > gas[n].radius + gas[j].radius;
        }
        if (free_place) {
            gas[n++].velocity = rig_random_vec(&random, 3, def->dimension);
        }
    }
}

static ScreeWorld *gas_world(const ScreeWorldDef *def, const ScreeBodyDef *gas, int count,
                             ScreeVec3 shift) {
    ScreeWorld *world = rig_create(def);
    rig_material(world, 0.3);
    for (int i = 0; i < count; i++) {
        ScreeBodyDef body = gas[i];
        body.position = rig_add(body.position, 1, shift);
        rig_add_body(world, &body);
    }
    return world;
}

/* Shifted by some vector, everything moves in the same way, up to the rounding of sums and the
 * order of the sweep (solved to 1e-13). Momentum is conserved. */
static void run_shift(int dimension, int directions, double side, int count, double r) {
    ScreeWorldDef def = periodic_def(dimension, directions, rig_vec(0, 0, 0), side);
    ScreeBodyDef gas[GRAINS];
    draw_gas(&def, gas, count, r);
    ScreeVec3 shift =
        rig_vec(directions > 0 ? 1.2345 * side : 0.3, directions > 1 ? -0.377 * side : 0.1,
                dimension == 2 ? 0 : 0.611 * side);
    ScreeWorld *one = gas_world(&def, gas, count, rig_vec(0, 0, 0)),
               *other = gas_world(&def, gas, count, shift);
    ScreeVec3 momentum = rig_vec(0, 0, 0);
    for (int i = 0; i < count; i++) {
        momentum = rig_add(momentum, scree_world_get_bodies(one).mass[i], gas[i].velocity);
    }
    double hits = 0, scale = rig_length(momentum) + count;
    for (int step = 0; step < 60; step++) {
        hits += (double)rig_step(one).active;
        rig_step(other);
        ScreeBodyView a = scree_world_get_bodies(one), b = scree_world_get_bodies(other);
        ScreeVec3 sum = rig_vec(0, 0, 0);
        for (int i = 0; i < count; i++) {
            CHECK_VEC(a.velocity[i], b.velocity[i], 1e-8);
            CHECK_VEC(a.spin[i], b.spin[i], 1e-8 / r);
            ScreeVec3 d = rig_sub(rig_sub(b.position[i], a.position[i]), shift);
            CHECK_VEC(nearest(&def, d), rig_vec(0, 0, 0), 1e-9);
            sum = rig_add(sum, a.mass[i], a.velocity[i]);
        }
        CHECK_VEC(sum, momentum, 1e-12 * scale);
    }
    CHECK(hits > (count == GRAINS ? 50 : 2));
    scree_world_destroy(one);
    scree_world_destroy(other);
}

static void shift_changes_nothing(void) {
    for (int directions = 0; directions <= 3; directions++) {
        run_shift(3, directions, 4, GRAINS, 0.25);
        if (directions <= 2) {
            run_shift(2, directions, 6, GRAINS, 0.25);
        }
    }
}

/* The narrowest cell in which images of a body need not be told apart, 4.5 radii; none is narrower than a grain. */
static void narrowest_cell_has_one_nearest_image(void) {
    run_shift(3, 3, 4.5 * 0.6, 5, 0.5);
    run_shift(2, 2, 4.5 * 0.6, 3, 0.5);
    ScreeWorldDef def = periodic_def(3, 3, rig_vec(0, 0, 0), 1.99);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 0), 1, 1);
    CHECK(scree_world_add_bodies(world, &ball, 1, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(strlen(scree_world_get_message(world)) > 0);
    scree_world_destroy(world);
}

/* A row of balls that fills the cell from end to end is pushed by a uniform force: it accelerates
 * as a whole without contact forces. */
static void endless_row_carries_no_force(void) {
    ScreeWorldDef def = periodic_def(2, 1, rig_vec(0, 0, 0), 6);
    def.gravity = rig_vec(3, 0, 0);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.2);
    for (int i = 0; i < 6; i++) {
        rig_add_ball(world, rig_vec(0.25 + i, 1, 0), 0.5, 1);
    }
    for (int n = 1; n <= 300; n++) {
        rig_step(world);
        for (int i = 0; i < 6; i++) {
            CHECK_CLOSE(scree_world_get_bodies(world).velocity[i].x, 3 * n * 0.01, 1e-11);
        }
    }
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(free_ball_goes_round_the_cell);
    CHECK_RUN(collisions_cross_the_boundary);
    CHECK_RUN(shift_changes_nothing);
    CHECK_RUN(narrowest_cell_has_one_nearest_image);
    CHECK_RUN(endless_row_carries_no_force);
    return check_result();
}
