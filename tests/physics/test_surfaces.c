/* Closed NURBS surfaces as bodies: spheres, boxes, rings. */
#include "physics/smooth_rig.h"
#include "shape/surface_bodies.h"

static const double g = 9.81;

static SurfaceBody net; /* large */

static ScreeShapeId rig_surface(ScreeWorld *world) {
    ScreeShapeId id = {-1};
    ScreeStatus status = scree_world_add_solid(world, &net.solid, &id);
    CHECK(status == SCREE_OK);
    if (status != SCREE_OK) {
        fprintf(stderr, "    %s\n", scree_world_get_message(world));
    }
    return id;
}

static void add_one(ScreeWorld *world, ScreeShapeId shape, ScreeVec3 at, ScreeVec3 velocity,
                    ScreeVec3 spin, ScreeQuat turn) {
    ScreeBodyDef def = scree_body_def_default();
    def.shape = shape;
    def.position = at;
    def.velocity = velocity;
    def.spin = spin;
    def.orientation = turn;
    rig_add_body(world, &def);
}

static double apart(const ScreeWorld *one, const ScreeWorld *other, int bodies) {
    double worst = 0;
    for (int i = 0; i < bodies; i++) {
        worst = fmax(worst, rig_length(rig_sub(scree_world_get_bodies(one).position[i],
                                               scree_world_get_bodies(other).position[i])));
    }
    return worst;
}

/* Two spheres fall on a plane and roll against each other and a wall: as ellipsoids, and as NURBS; alone, one
 * lies on its pole and is pushed, as a ball, too. */
static void spheres_move_as_ellipsoids_and_balls_do(void) {
    ScreeWorld *world[2], *rolling[2];
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -g));
        world[k] = rig_create(&def);
        rig_material(world[k], 0.5);
        rig_add_plane(world[k], rig_vec(0, 0, 0), rig_vec(0, 0, 1));
        rig_add_plane(world[k], rig_vec(1, 0, 0), rig_vec(-1, 0, 0));
        surface_ellipsoid(&net, 0.1, 0.1, 0.1, vec3(0, 0, 0));
        ScreeShapeId shape =
            k == 0 ? rig_surface(world[k]) : rig_ellipsoid(world[k], 0.2, 0.2, 0.2);
        add_one(world[k], shape, rig_vec(0, 0, 0.25), rig_vec(1, 0.3, 0), rig_vec(1, 2, 3),
                rig_rotation(rig_vec(1, 2, 3), 0.7));
        add_one(world[k], shape, rig_vec(0.4, 0.1, 0.1), rig_vec(0, 0, 0), rig_vec(0, 0, 0),
                (ScreeQuat){1, 0, 0, 0});
        rolling[k] = rig_create(&def);
        rig_material(rolling[k], 0.5);
        rig_add_plane(rolling[k], rig_vec(0, 0, 0), rig_vec(0, 0, 1));
        if (k == 0) {
            add_one(rolling[k], rig_surface(rolling[k]), rig_vec(0, 0, 0.1), rig_vec(1, 0.3, 0),
                    rig_vec(0, 0, 0), (ScreeQuat){1, 0, 0, 0});
        } else {
            ScreeBodyDef ball = scree_body_def_default();
            ball.radius = 0.1;
            ball.position = rig_vec(0, 0, 0.1);
            ball.velocity = rig_vec(1, 0.3, 0);
            rig_add_body(rolling[k], &ball);
        }
    }
    double worst = 0, worst_ball = 0;
    for (int step = 0; step < 700; step += CHECK_STRIDE) {
        for (int k = 0; k < 2; k++) {
            rig_step(world[k]);
            rig_step(rolling[k]);
        }
        worst = fmax(worst, apart(world[0], world[1], 2));
        worst_ball = fmax(worst_ball, apart(rolling[0], rolling[1], 1));
    }
    printf("spheres: %.1e from ellipsoids, %.1e from a ball\n", worst, worst_ball);
    CHECK(worst < 1e-9);
    CHECK(worst_ball < 1e-9);
    for (int k = 0; k < 2; k++) {
        scree_world_destroy(world[k]);
        scree_world_destroy(rolling[k]);
    }
}

/* A cube of degree 1 is the cube. */
static void cubes_move_as_hulls_do(void) {
    ScreeWorld *world[2];
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -g));
        ScreeVec3 corner[8];
        world[k] = rig_create(&def);
        rig_material(world[k], 0.4);
        rig_add_plane(world[k], rig_vec(0, 0, 0), rig_vec(0, 0, 1));
        scree_solid_make_box(rig_vec(0.2, 0.2, 0.2), corner);
        surface_box(&net, 0.2, 0.2, 0.2, vec3(0, 0, 0));
        ScreeShapeId shape = k == 0 ? rig_surface(world[k]) : rig_hull(world[k], corner, 8, 0);
        add_one(world[k], shape, rig_vec(0, 0, 0.3), rig_vec(1, 0.3, 0), rig_vec(1, 2, 3),
                rig_rotation(rig_vec(1, 2, 3), 0.7));
    }
    double worst = 0;
    for (int step = 0; step < 600; step++) {
        rig_step(world[0]);
        rig_step(world[1]);
        worst = fmax(worst, apart(world[0], world[1], 1));
    }
    CHECK(worst < 1e-9);
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

/* A ring lies flat: its whole circle is the contact. */
static void rings_lie_still(void) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -g));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    surface_ring(&net, 0.1, 0.03, vec3(0, 0, 0));
    ScreeShapeId ring = rig_surface(world);
    add_one(world, ring, rig_vec(0, 0, 0.03), rig_vec(0, 0, 0), rig_vec(0, 0, 0),
            (ScreeQuat){1, 0, 0, 0});
    for (int step = 0; step < 300; step += CHECK_STRIDE) {
        rig_step(world);
    }
    ScreeVec3 x = scree_world_get_bodies(world).position[0];
    CHECK(rig_length(rig_sub(x, rig_vec(0, 0, 0.03))) < 1e-12);
    CHECK(scree_world_get_contacts(world).count >= 3);
    scree_world_destroy(world);
}

/* Upright it rolls as a disk: without slip from the start, straight on, and no slower. */
static void rings_roll(void) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -g));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    surface_ring(&net, 0.1, 0.03, vec3(0, 0, 0));
    const double r = 0.13, v = 1;
    add_one(world, rig_surface(world), rig_vec(0, 0, r), rig_vec(v, 0, 0), rig_vec(0, v / r, 0),
            rig_rotation(rig_vec(1, 0, 0), M_PI / 2));
    for (int step = 0; step < 500; step++) {
        rig_step(world);
    }
    ScreeVec3 x = scree_world_get_bodies(world).position[0];
    CHECK_NEAR(x.x, 0.5 * v, 1e-9);
    CHECK_NEAR(x.y, 0, 1e-9);
    CHECK_NEAR(x.z, r, 1e-9);
    scree_world_destroy(world);
}

/* Three rings in each other hang from the first: links of a chain, 2 (R - r) long each. */
static void linked_rings_hold(void) {
    const double away = 0.1, r = 0.025, link = 2 * (away - r);
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -g));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    surface_ring(&net, away, r, vec3(0, 0, 0));
    ScreeShapeId ring = rig_surface(world);
    for (int k = 0; k < 3; k++) {
        ScreeBodyDef body = scree_body_def_default();
        body.shape = ring;
        body.position = rig_vec(0, 0, -0.98 * link * k);
        body.orientation = rig_rotation(k % 2 ? rig_vec(0, 1, 0) : rig_vec(1, 0, 0), M_PI / 2);
        body.velocity = rig_vec(k == 2 ? 0.4 : 0, k == 2 ? 0.2 : 0, 0);
        body.frozen = k == 0 ? 63 : 0;
        rig_add_body(world, &body);
    }
    double worst = 0, lowest = 0;
    ScreeReport report;
    for (int step = 0; step < 300 / CHECK_STRIDE; step++) {
        CHECK(scree_world_step(world, &report) == SCREE_OK);
        worst = fmax(worst, report.overlap_max);
        lowest = fmin(lowest, scree_world_get_bodies(world).position[2].z);
    }
    CHECK(worst < 1e-5 * r);
    CHECK(lowest > -2 * link - 1e-5 * r && lowest < -1.98 * link);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(spheres_move_as_ellipsoids_and_balls_do);
    CHECK_RUN(cubes_move_as_hulls_do);
    CHECK_RUN(rings_lie_still);
    CHECK_RUN(rings_roll);
    CHECK_RUN(linked_rings_hold);
    return check_result();
}
