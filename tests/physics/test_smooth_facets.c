/* Ellipsoids, cylinders and cones on walls of triangles, and with bodies that are not convex; solids at
 * the outside of cylinders. */
#include "physics/mesh_rig.h"
#include "physics/smooth_rig.h"

/* ---------------------------------------------------------------- a plane is a plane */

typedef enum Mover { ELLIPSOID, SUPERELLIPSOID, CYLINDER, CONE } Mover;

typedef struct Ride {
    Mover mover;
    Course course;
} Ride;

static ScreeShapeId shape_of(ScreeWorld *world, Mover mover) {
    return mover == ELLIPSOID        ? rig_ellipsoid(world, 0.3, 0.24, 0.2)
           : mover == SUPERELLIPSOID ? rig_superellipsoid(world, rig_vec(0.3, 0.24, 0.2), 2.5, 2.2)
           : mover == CYLINDER       ? rig_cone(world, 0.1, 0.1, 0.3, 0)
                                     : rig_cone(world, 0.12, 0.06, 0.2, 0.02);
}

static ScreeWorld *start(const Ride *ride, Floor floor) {
    ScreeWorld *world = rig_course(&ride->course, floor);
    ScreeBodyDef body = scree_body_def_default();
    body.shape = shape_of(world, ride->mover);
    rig_start(world, &ride->course, body);
    return world;
}

static void smooth_bodies_go_alike_on_a_plane_a_quad_and_2048_triangles(void) {
    const ScreeQuat level = rig_upright, askew = rig_rotation(rig_vec(0.3, -0.5, 0.2), 1.1);
    const ScreeQuat lying = rig_rotation(rig_vec(1, 0, 0), 0.5 * RIG_PI);
    const Ride ride[] = {
        {ELLIPSOID, {level, level, 0.1, {1.2, 0.7, 0}, {0, 0, 0}, 0}},
        {ELLIPSOID, {askew, level, 0.3, {1.2, 0.7, 0}, {0, 9, 3}, 0.5}},
        {SUPERELLIPSOID, {askew, level, 0.12, {0.6, 0.7, 0}, {0, 2, 0}, 0}},
        {CYLINDER, {level, level, 0.15, {1.2, 0.7, 0}, {0, 0, 3}, 0}}, /* stands, slides, turns */
        {CYLINDER, {askew, lying, 0.1, {1.0, 0, 0}, {0, 10, 0}, 0}},   /* rolls */
        {CYLINDER, {level, lying, 0.1, {1.2, 0, 0}, {0, 0, 0}, 0}},    /* slides, then rolls */
        {CONE, {level, level, 0.12, {0.5, 0.7, 0}, {0, 0, 0}, 0}},
        {CONE, {askew, lying, 0.15, {0.3, 0.2, 0}, {0, 3, 0}, 0}}, /* rolls in a circle */
    };
    for (size_t k = 0; k < sizeof ride / sizeof ride[0]; k += CHECK_STRIDE) {
        ScreeWorld *world[FLOORS];
        for (Floor f = 0; f < FLOORS; f++) {
            world[f] = start(&ride[k], f);
        }
        double most = rig_follow(world);
        printf("course %zu: %.1e apart\n", k, most);
        CHECK(most < 1e-9);
    }
}

/* ---------------------------------------------------------------- edges */

typedef struct Support {
    ScreeVec3 force;
    double greatest, least;
    size_t active;
} Support;

/* The forces of all contacts of a body on it, over the step. */
static Support support(const ScreeWorld *world) {
    const ScreeContactView view = scree_world_get_contacts(world);
    Support s = {rig_vec(0, 0, 0), 0, INFINITY, 0};
    for (size_t i = 0; i < view.count; i++) {
        double force = view.contact[i].normal_impulse / view.time_step;
        if (force > 0) {
            s.force = rig_add(s.force, -force, view.contact[i].normal);
            s.greatest = fmax(s.greatest, force);
            s.least = fmin(s.least, force);
            s.active++;
        }
    }
    return s;
}

static void steps(ScreeWorld *world, int count) {
    for (int k = 0; k < count; k++) {
        rig_step(world);
    }
}

/* Two planes that meet at the x axis, both rising at 45 degrees: without friction each bears
 * m g / (2 cos 45). */
static void an_ellipsoid_in_a_groove_has_two_contacts(void) {
    static const ScreeVec3 vertex[6] = {{-4, -4, 4}, {4, -4, 4}, {-4, 0, 0},
                                        {4, 0, 0},   {-4, 4, 4}, {4, 4, 4}};
    static const int32_t corner[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
    ScreeMesh *mesh = rig_mesh(vertex, 6, corner, 4);
    const ScreeWallDef wall = rig_mesh_wall(mesh);
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0);
    rig_add_wall(world, &wall);
    ScreeBodyDef body = scree_body_def_default();
    body.shape = rig_ellipsoid(world, 1.4, 1, 1);
    body.position = rig_vec(0.3, 0, 0.5 * sqrt(2));
    body.mass = 2;
    rig_add_body(world, &body);
    steps(world, 50);
    const Support s = support(world);
    CHECK(s.active == 2);
    CHECK_NEAR(s.force.z, 20, 1e-9);
    CHECK_NEAR(s.greatest, 10 * sqrt(2), 1e-9);
    CHECK_NEAR(scree_world_get_bodies(world).position[0].z, 0.5 * sqrt(2), 1e-9);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

/* A body that cannot move, in the coordinates of its shape. */
static void add_frozen(ScreeWorld *world, ScreeShapeId shape) {
    ScreeShape info;
    ScreeBodyDef body = scree_body_def_default();
    rig_must(scree_shape_get(world, shape, &info), "shape");
    body.shape = shape;
    body.position = info.centroid;
    body.frozen = SCREE_FREEZE_ALL;
    rig_add_body(world, &body);
}

/* A cylinder of length 2 lies on a table whose brink is 0.25 from its middle: the rim on the table, 1
 * from the middle, bears 0.2 of the weight, and the brink the rest. The table is a wall of triangles,
 * or a body with a foot. */
static void a_cylinder_lies_over_a_brink(void) {
    static const double outline[6][2] = {{-2, -2},   {0, -2},   {0, -1},
                                         {0.25, -1}, {0.25, 0}, {-2, 0}};
    for (int foot = 0; foot < 2; foot++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.3);
        if (foot) {
            add_frozen(world, rig_drawn_out(world, outline, 6, 2));
        } else {
            ScreeMesh *mesh = rig_box_mesh(rig_vec(-2, -2, -1), rig_vec(0.25, 2, 0));
            const ScreeWallDef wall = rig_mesh_wall(mesh);
            rig_add_wall(world, &wall);
            scree_mesh_destroy(mesh);
        }
        ScreeBodyDef body = scree_body_def_default();
        body.shape = rig_cone(world, 0.2, 0.2, 2, 0);
        body.orientation = rig_rotation(rig_vec(0, 1, 0), 0.5 * RIG_PI);
        body.position = rig_vec(0, 0, 0.2);
        body.mass = 2;
        rig_add_body(world, &body);
        steps(world, 100);
        const Support s = support(world);
        CHECK(s.active == 2);
        CHECK_NEAR(fabs(s.force.z), 20, 1e-7);
        CHECK_NEAR(s.least, 4, 1e-6);
        CHECK_NEAR(s.greatest, 16, 1e-6);
        CHECK_NEAR(scree_world_get_bodies(world).position[foot].z, 0.2, 1e-9);
        scree_world_destroy(world);
    }
}

/* A channel as one body that is not convex, and as three boxes. */
static ScreeShapeId channel(ScreeWorld *world, bool whole) {
    static const double outline[8][2] = {{-1, 0},    {1, 0},      {1, 1.2},    {0.8, 1.2},
                                         {0.8, 0.2}, {-0.8, 0.2}, {-0.8, 1.2}, {-1, 1.2}};
    if (whole) {
        return rig_drawn_out(world, outline, 8, 1);
    }
    const double low[3][2] = {{-1, 0}, {-1, 0.2}, {0.8, 0.2}};
    const double high[3][2] = {{1, 0.2}, {-0.8, 1.2}, {1, 1.2}};
    const ScreeSolidPart part[3] = {{.vertices = 8}, {.vertices = 8}, {.vertices = 8}};
    ScreeVec3 vertex[24];
    for (int k = 0; k < 24; k++) {
        const double *l = low[k / 8], *h = high[k / 8];
        vertex[k] = rig_vec(k & 1 ? h[0] : l[0], k & 2 ? 1 : -1, k & 4 ? h[1] : l[1]);
    }
    const ScreeSolidDef def = {part, 3, vertex, NULL, NULL};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), scree_world_get_message(world));
    return id;
}

/* Smooth bodies fall into the channel, slide down its floor and meet its side. */
static void a_channel_is_the_same_as_its_boxes(void) {
    for (Mover mover = ELLIPSOID; mover <= CONE; mover++) {
        ScreeWorld *world[2];
        double most = 0;
        for (int k = 0; k < 2; k++) {
            world[k] = rig_world(3, 1e-3, rig_vec(5, 0.5, -9), 0.2);
            add_frozen(world[k], channel(world[k], k == 0));
            rig_add_solid(world[k], shape_of(world[k], mover), rig_vec(0, 0, 0.4),
                          rig_rotation(rig_vec(1, 2, 0.5), 0.9));
        }
        for (int step = 0; step < 250; step++) {
            rig_step(world[0]);
            rig_step(world[1]);
            most = fmax(most, rig_length(rig_sub(scree_world_get_bodies(world[0]).position[1],
                                                 scree_world_get_bodies(world[1]).position[1])));
        }
        printf("body %d: %.1e apart\n", (int)mover, most);
        CHECK(scree_world_get_bodies(world[0]).position[1].x > 0.1);
        CHECK(most < 1e-9);
        scree_world_destroy(world[0]);
        scree_world_destroy(world[1]);
    }
}

/* ---------------------------------------------------------------- cylinders from outside */

/* A slab of thickness 2 h and length l across a cylinder of radius r rocks without sliding:
 * omega^2 = g (r - h) / (l^2 / 12 + h^2 / 3 + h^2). */
static void a_slab_rocks_on_a_cylinder(void) {
    for (int finite = 0; finite < 2; finite++) {
        const double r = 0.5, h = 0.1, l = 1.2, g = 10, dt = 1e-3;
        double omega = sqrt(g * (r - h) / (l * l / 12 + h * h / 3 + h * h));
        ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 2);
        ScreeWallDef wall = scree_wall_def_default();
        wall.shape = SCREE_WALL_CYLINDER;
        wall.axis = rig_vec(0, 1, 0);
        wall.point = rig_vec(0, finite ? 0.1 : 7, -r);
        wall.radius = r;
        wall.length = finite ? 0.6 : 0;
        rig_add_wall(world, &wall);
        const double tilt = 0.01;
        /* rolled by `tilt`, with the contact at r tilt from its middle */
        ScreeVec3 up = rig_vec(sin(tilt), 0, cos(tilt)), along = rig_vec(cos(tilt), 0, -sin(tilt));
        ScreeVec3 at = rig_add(rig_add(rig_vec(0, 0, -r), r + h, up), -r * tilt, along);
        rig_add_solid(world, rig_box(world, l, 0.4, 2 * h), at,
                      rig_rotation(rig_vec(0, 1, 0), tilt));
        double before = tilt, crossed[3];
        int crossings = 0;
        for (int step = 1; crossings < 3 && step < 20000; step++) {
            rig_step(world);
            double now =
                rig_rotate(scree_world_get_bodies(world).orientation[0], rig_vec(0, 0, 1)).x;
            if ((now > 0) != (before > 0)) {
                crossed[crossings++] = dt * (step - now / (now - before));
            }
            before = now;
        }
        CHECK(crossings == 3);
        printf("slab: %.6f of the period\n", (crossed[2] - crossed[0]) * omega / (2 * RIG_PI));
        CHECK_CLOSE(crossed[2] - crossed[0], 2 * RIG_PI / omega, 2e-3);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(smooth_bodies_go_alike_on_a_plane_a_quad_and_2048_triangles);
    CHECK_RUN(an_ellipsoid_in_a_groove_has_two_contacts);
    CHECK_RUN(a_cylinder_lies_over_a_brink);
    CHECK_RUN(a_channel_is_the_same_as_its_boxes);
    CHECK_RUN(a_slab_rocks_on_a_cylinder);
    return check_result();
}
