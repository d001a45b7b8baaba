/* Bodies that are not convex and lie in one another: a cup with a ball and a block, links of a chain,
 * and a heap of angles. */
#include "physics/solid_rig.h"

/* ---------------------------------------------------------------- shapes */

/* A frame about the origin in x and z: half sides outside a and c, bars of `bar`, depth 2 y. */
static ScreeShapeId link_shape(ScreeWorld *world, double a, double c, double bar, double y) {
    ScreeVec3 vertex[16];
    int32_t corners[16], corner[64];
    int at = 0;
    static const int sx[4] = {-1, 1, 1, -1}, sz[4] = {-1, -1, 1, 1};
    for (int k = 0; k < 4; k++) { /* front outside 0-3, inside 4-7; back 8-11, 12-15 */
        vertex[k] = rig_vec(sx[k] * a, -y, sz[k] * c);
        vertex[k + 4] = rig_vec(sx[k] * (a - bar), -y, sz[k] * (c - bar));
        vertex[k + 8] = rig_vec(sx[k] * a, y, sz[k] * c);
        vertex[k + 12] = rig_vec(sx[k] * (a - bar), y, sz[k] * (c - bar));
    }
    for (int k = 0; k < 4; k++) {
        int n = (k + 1) % 4;
        const int32_t face[16] = {k,     n,     n + 4, k + 4, n + 8,  k + 8,  k + 12, n + 12,
                                  k + 8, n + 8, n,     k,     n + 12, k + 12, k + 4,  n + 4};
        memcpy(corner + at, face, sizeof face);
        at += 16;
    }
    for (int f = 0; f < 16; f++) {
        corners[f] = 4;
    }
    const ScreeSolidPart part = {.vertices = 16, .faces = 16};
    const ScreeSolidDef def = {&part, 1, vertex, corners, corner};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), scree_world_get_message(world));
    return id;
}

/* ---------------------------------------------------------------- checks */

static const double cup[8][2] = {{-1, 0},    {1, 0},      {1, 1.2},    {0.8, 1.2},
                                 {0.8, 0.2}, {-0.8, 0.2}, {-0.8, 1.2}, {-1, 1.2}};

/* Area 0.4 below and 2 * 0.2 of the walls: the centroid lies at (0.4 * 0.1 + 0.4 * 0.7) / 0.8. */
static void a_cup_holds_a_ball_and_a_block(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.4);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    int32_t u =
        rig_add_solid(world, rig_drawn_out(world, cup, 8, 0.4), rig_vec(0, 0, 0.4), rig_upright);
    int32_t ball = rig_add_ball(world, rig_vec(-0.4, 0, 0.7), 0.15, 0);
    int32_t block = rig_add_solid(world, rig_box(world, 0.3, 0.3, 0.3), rig_vec(0.4, 0, 0.6),
                                  rig_rotation(rig_vec(0, 1, 0), 0.1));
    for (int k = 0; k < 1500; k++) {
        rig_step(world);
    }
    const ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_NEAR(b.mass[u], 0.8 * 0.8, 1e-12);
    CHECK_NEAR(b.position[u].z, 0.4, 1e-6);
    CHECK_NEAR(b.position[ball].z, 0.2 + 0.15, 1e-6);
    CHECK_NEAR(b.position[block].z, 0.2 + 0.15, 1e-6);
    double weight = 10 * (b.mass[u] + b.mass[ball] + b.mass[block]);
    CHECK_NEAR(rig_wall(world, 0).load.z, -weight, 1e-6 * weight);
    scree_world_destroy(world);
}

/* Turned over with its load it lets go of nothing that it surrounds: a block that is as wide as the
 * cup is carried along sideways. */
static void a_cup_pushes_what_is_in_it(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0);
    ScreeBodyDef body = scree_body_def_default();
    body.shape = rig_drawn_out(world, cup, 8, 0.4);
    body.position = rig_vec(0, 0, 0.4);
    body.velocity = rig_vec(1, 0, 0);
    int32_t u = rig_add_body(world, &body);
    int32_t block =
        rig_add_solid(world, rig_box(world, 0.5, 0.3, 0.4), rig_vec(0, 0, 0.7), rig_upright);
    for (int k = 0; k < 2000; k++) {
        rig_step(world);
    }
    /* inelastic, with the impulse through both centres to 0.3 above that of the cup: together they
     * keep momentum, and the block does not leave */
    const ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 p = rig_add(rig_scale(b.mass[u], b.velocity[u]), b.mass[block], b.velocity[block]);
    CHECK_NEAR(p.x, b.mass[u], 1e-12);
    CHECK_NEAR(p.z, 0, 1e-12);
    CHECK(b.velocity[block].x > 0.1);
    CHECK(rig_length(rig_sub(b.position[block], b.position[u])) < 1);
    scree_world_destroy(world);
}

/* Two links at right angles: the lower one falls until its upper bar lies in the upper link, and hangs
 * there. Inner sides at 0.4 and bars of 0.1: their centres come to be 0.8 apart. */
static void a_link_hangs_in_a_link(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.5);
    const ScreeShapeId shape = link_shape(world, 0.3, 0.5, 0.1, 0.05);
    ScreeBodyDef body = scree_body_def_default();
    body.shape = shape;
    body.frozen = SCREE_FREEZE_ALL;
    rig_add_body(world, &body);
    body.frozen = 0;
    body.position = rig_vec(0, 0, -0.7);
    body.orientation = rig_rotation(rig_vec(0, 0, 1), RIG_PI / 2);
    int32_t lower = rig_add_body(world, &body);
    for (int k = 0; k < 3000; k++) {
        rig_step(world);
    }
    const ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_NEAR(b.mass[lower], 0.1 * (0.6 * 1.0 - 0.4 * 0.8), 1e-12);
    CHECK_NEAR(b.position[lower].z, -0.8, 1e-5);
    CHECK_NEAR(rig_length(b.velocity[lower]), 0, 1e-5);
    const ScreeContactView view = scree_world_get_contacts(world);
    double lift = 0;
    for (size_t i = 0; i < view.count; i++) {
        lift += view.contact[i].normal_impulse / view.time_step * fabs(view.contact[i].normal.z);
    }
    CHECK_NEAR(lift, 10 * b.mass[lower], 1e-4 * 10 * b.mass[lower]);
    scree_world_destroy(world);
}

/* Angles fall into a box: energy only goes, nothing is lost, and overlaps stay small. */
static void angles_make_a_heap(void) {
    static const double angle[6][2] = {{0, 0},       {0.5, 0},    {0.5, 0.15},
                                       {0.15, 0.15}, {0.15, 0.5}, {0, 0.5}};
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -10));
    def.solver.tolerance = 1e-4;
    def.solver.projection = scree_solver_def_default().projection;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.4);
    const ScreeVec3 inward[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < 5; k++) {
        rig_add_plane(world, rig_scale(k == 0 ? 0 : -0.7, inward[k]), inward[k]);
    }
    const ScreeShapeId shape = rig_drawn_out(world, angle, 6, 0.1);
    uint64_t random = 9;
    for (int k = 0; k < 12; k++) {
        rig_add_solid(world, shape,
                      rig_vec(-0.3 + 0.6 * (k % 2), -0.3 + 0.6 * (k / 2 % 2), 0.5 + 0.75 * (k / 4)),
                      rig_random_rotation(&random, 6));
    }
    double deepest = 0, made = 0;
    for (int k = 0; k < 2000; k++) {
        const ScreeReport report = rig_step(world);
        deepest = fmax(deepest, report.overlap_max);
        made = fmax(made, -report.dissipation);
    }
    const ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        CHECK(b.position[i].z > 0.05 && b.position[i].z < 2);
        CHECK(fabs(b.position[i].x) < 0.7 && fabs(b.position[i].y) < 0.7);
    }
    CHECK(deepest < 1e-3 * 0.7); /* a thousandth of the diameter */
    CHECK(made < 1e-9);
    CHECK(scree_world_get_kinetic_energy(world) < 1e-3 * b.mass[0]);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(a_cup_holds_a_ball_and_a_block);
    CHECK_RUN(a_cup_pushes_what_is_in_it);
    CHECK_RUN(a_link_hangs_in_a_link);
    CHECK_RUN(angles_make_a_heap);
    return check_result();
}
