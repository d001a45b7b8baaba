/* Mirrored and turned set-ups move in the mirrored and turned way, and the error of a smooth motion
 * is of first order in the step. */
#include "rig.h"

/* A signed permutation of the axes, as a matrix of -1, 0, 1: exact in floating point. */
typedef struct Turn {
    int m[3][3];
} Turn;

static ScreeVec3 apply(const Turn *t, ScreeVec3 a) {
    const double x[3] = {a.x, a.y, a.z};
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = t->m[i][0] * x[0] + t->m[i][1] * x[1] + t->m[i][2] * x[2];
    }
    return rig_vec(y[0], y[1], y[2]);
}

/* Spins are axial: a mirror image also changes their sign. */
static ScreeVec3 apply_axial(const Turn *t, ScreeVec3 a) {
    const int(*m)[3] = t->m;
    int det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return rig_scale(det, apply(t, a));
}

enum { GRAINS = 40 };

/* A heap that falls into a corner of three (two) planes, on a block and on a cylinder, in the frame
 * of `t`. */
static ScreeWorld *heap(int dimension, const Turn *t) {
    ScreeWorld *world =
        rig_world(dimension, 0.005, apply(t, rig_vec(-2, -9, dimension == 3 ? -3 : 0)), 0.4);
    for (int axis = 0; axis < dimension; axis++) {
        rig_add_plane(world, rig_vec(0, 0, 0), apply(t, rig_vec(axis == 0, axis == 1, axis == 2)));
    }
    ScreeWallDef block = scree_wall_def_default();
    block.shape = SCREE_WALL_BLOCK;
    block.point = apply(t, rig_vec(1.5, 0, dimension == 3 ? 0.5 : 0));
    ScreeVec3 half = apply(t, rig_vec(0.5, 0.6, dimension == 3 ? 0.9 : 0));
    block.half = rig_vec(fabs(half.x), fabs(half.y), dimension == 3 ? fabs(half.z) : 1);
    rig_add_wall(world, &block);
    ScreeWallDef rod = scree_wall_def_default();
    rod.shape = SCREE_WALL_CYLINDER;
    rod.point = apply(t, rig_vec(0.2, 1.6, 0));
    rod.axis = apply(t, rig_vec(0, 0, 1));
    rod.radius = 0.4;
    rig_add_wall(world, &rod);
    uint64_t random = 4711;
    for (int i = 0; i < GRAINS; i++) {
        int nx = dimension == 3 ? 3 : 4, nz = dimension == 3 ? 3 : 1;
        ScreeVec3 at = rig_vec(0.5 + i % nx, 2.6 + 0.8 * (i / (nx * nz)),
                               dimension == 3 ? 0.5 + i / nx % nz : 0);
        at = rig_add(at, 0.1, rig_random_vec(&random, 1, dimension));
        ScreeBodyDef body = rig_ball(apply(t, at), 0.25 + 0.05 * rig_random(&random), 0);
        ScreeVec3 spin = rig_random_vec(&random, 4, 3);
        body.spin = apply_axial(t, dimension == 3 ? spin : rig_vec(0, 0, spin.z));
        rig_add_body(world, &body);
    }
    return world;
}

/* Rounding and the order of the sweep differ, and a heap amplifies differences: the comparison ends
 * before that shows. */
static void compare(int dimension, const Turn *t) {
    const Turn same = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    ScreeWorld *one = heap(dimension, &same), *other = heap(dimension, t);
    double hits = 0;
    for (int step = 0; step < 160; step++) {
        hits += (double)rig_step(one).active;
        rig_step(other);
        ScreeBodyView a = scree_world_get_bodies(one), b = scree_world_get_bodies(other);
        for (int i = 0; i < GRAINS; i++) {
            CHECK_VEC(b.position[i], apply(t, a.position[i]), 1e-7);
            CHECK_VEC(b.velocity[i], apply(t, a.velocity[i]), 1e-6);
            CHECK_VEC(b.spin[i], apply_axial(t, a.spin[i]), 1e-5);
        }
    }
    CHECK(hits > 1000);
    scree_world_destroy(one);
    scree_world_destroy(other);
}

static void mirrored_and_turned_worlds_move_alike(void) {
    static const Turn turns[] = {
        {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},  /* mirror, works in both dimensions */
        {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},  /* about z */
        {{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}},   /* mirror at the diagonal */
        {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}},  /* about x */
        {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},   /* about the space diagonal */
        {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}} /* inversion */
    };
    for (int i = 0; i < 6; i++) {
        if (i < 3) {
            compare(2, &turns[i]);
        }
        compare(3, &turns[i]);
    }
}

/* A ball is thrown on a slope, slides, and rolls; its position at a late time against the exact
 * flight, hit and slide. The hit is one impulse, which takes all of the normal velocity and mu
 * times it of the tangential one. */
static void error_is_of_first_order(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double g = 10, h = 0.3, v0 = 2, mu = 0.1, k = rig_shape(dimension), r = 0.5, end = 1;
        double fall = sqrt(2 * h / g), down = g * fall, v = v0 - mu * down, w = mu * down / (k * r);
        double roll = (v - r * w) / (mu * g * (1 + 1 / k)), after = v - mu * g * roll;
        double exact =
            v0 * fall + v * roll - 0.5 * mu * g * roll * roll + after * (end - fall - roll);
        CHECK(roll > 0 && fall + roll < end);
        double error[4];
        for (int i = 0; i < 4; i++) {
            int steps = 400 << i;
            ScreeWorld *world = rig_world(dimension, end / steps, rig_vec(0, -g, 0), mu);
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            ScreeBodyDef ball = rig_ball(rig_vec(0, r + h, 0), r, 1);
            ball.velocity = rig_vec(v0, 0, 0);
            rig_add_body(world, &ball);
            for (int n = 0; n < steps; n++) {
                rig_step(world);
            }
            error[i] = fabs(scree_world_get_bodies(world).position[0].x - exact);
            CHECK_NEAR(scree_world_get_bodies(world).velocity[0].x, after, 20.0 / steps);
            scree_world_destroy(world);
        }
        CHECK(error[0] < 0.01);
        /* the hit falls anywhere within a step, so the order only shows over a factor of eight */
        CHECK(error[0] / error[3] > 4 && error[0] / error[3] < 16);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(mirrored_and_turned_worlds_move_alike);
    CHECK_RUN(error_is_of_first_order);
    return check_result();
}
