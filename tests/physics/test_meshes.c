/* Walls of triangles: a plane is a plane however it is cut; grooves, corners and brinks; walls that
 * move; loads of parts; restarts and threads; and what is refused. */
#include "physics/mesh_rig.h"

/* ---------------------------------------------------------------- a plane is a plane */

typedef enum Mover { BALL, BOX, MOVERS } Mover;

typedef struct Ride {
    Mover mover;
    Course course;
} Ride;

static ScreeWorld *start(const Ride *ride, Floor floor) {
    ScreeWorld *world = rig_course(&ride->course, floor);
    ScreeBodyDef body = scree_body_def_default();
    body.radius = 0.1;
    if (ride->mover == BOX) {
        body.shape = rig_box(world, 0.3, 0.24, 0.2);
    }
    rig_start(world, &ride->course, body);
    return world;
}

static void bodies_go_alike_on_a_plane_a_quad_and_2048_triangles(void) {
    const ScreeQuat level = rig_upright, askew = rig_rotation(rig_vec(0.3, -0.5, 0.2), 1.1);
    const Ride ride[] = {
        {BALL, {level, level, 0.1, {1.2, 0.7, 0}, {0, 0, 0}, 0}}, /* slides, then rolls */
        {BALL, {askew, level, 0.1, {1.2, 0.7, 0}, {0, 10, 0}, 0}},
        {BALL, {level, level, 0.3, {1.2, 0.7, 0}, {0, 0, 3}, 0.6}}, /* bounces */
        {BALL, {askew, level, 0.3, {1.2, 0.7, 0}, {0, 0, 3}, 0.6}},
        {BOX, {level, level, 0.1, {1.2, 0.7, 0}, {0, 0, 0}, 0}}, /* slides and comes to rest */
        {BOX, {askew, level, 0.1, {1.2, 0.7, 0}, {0, 0, 4}, 0}},
        {BOX, {level, level, 0.1, {0, 0, 0}, {0, 0, 0}, 0}}, /* rests */
    };
    for (size_t k = 0; k < sizeof ride / sizeof ride[0]; k += CHECK_STRIDE) {
        ScreeWorld *world[FLOORS];
        for (Floor f = 0; f < FLOORS; f++) {
            world[f] = start(&ride[k], f);
        }
        CHECK(rig_follow(world) < 1e-9);
    }
}

/* ---------------------------------------------------------------- grooves, corners and brinks */

/* The force of all contacts of a body on it, over the step. */
static ScreeVec3 support(const ScreeWorld *world, int32_t body, double *greatest) {
    const ScreeContactView view = scree_world_get_contacts(world);
    ScreeVec3 sum = rig_vec(0, 0, 0);
    *greatest = 0;
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        if (c->a.index == body) {
            sum = rig_add(sum, -c->normal_impulse / view.time_step, c->normal);
            *greatest = fmax(*greatest, c->normal_impulse / view.time_step);
        }
    }
    return sum;
}

/* Two planes of 8 by 4 that meet at the x axis, both rising at 45 degrees. */
static ScreeMesh *groove(void) {
    static const ScreeVec3 vertex[6] = {{-4, -4, 4}, {4, -4, 4}, {-4, 0, 0},
                                        {4, 0, 0},   {-4, 4, 4}, {4, 4, 4}};
    static const int32_t corner[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
    return rig_mesh(vertex, 6, corner, 4);
}

/* Without friction each side bears m g / (2 cos 45). */
static void a_ball_in_a_groove_has_two_contacts(void) {
    ScreeMesh *mesh = groove();
    const ScreeWallDef wall = rig_mesh_wall(mesh);
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0);
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec(0.3, 0, 0.5 * sqrt(2)), 0.5, 2);
    for (int k = 0; k < 50; k++) {
        rig_step(world);
    }
    double greatest;
    ScreeVec3 f = support(world, 0, &greatest);
    CHECK(scree_world_get_contacts(world).count == 2);
    CHECK_NEAR(f.z, 20, 1e-9);
    CHECK_NEAR(greatest, 20 / sqrt(2), 1e-9);
    CHECK_NEAR(scree_world_get_bodies(world).position[0].z, 0.5 * sqrt(2), 1e-9);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

/* A box with a lower corner in that of the wall, whose three faces it has entered a little, is pushed
 * into it: all three hold, and it does not move. */
static void a_box_stays_in_a_corner(void) {
    static const ScreeVec3 vertex[7] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0},
                                        {0, 0, 3}, {3, 0, 3}, {0, 3, 3}};
    static const int32_t corner[18] = {0, 1, 2, 0, 2, 3, 0, 1, 5, 0, 5, 4, 0, 3, 6, 0, 6, 4};
    const double enters[] = {0, 1e-12, 1e-9, 1e-6};
    for (size_t k = 0; k < sizeof enters / sizeof enters[0]; k++) {
        ScreeMesh *mesh = rig_mesh(vertex, 7, corner, 6);
        const ScreeWallDef wall = rig_mesh_wall(mesh);
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(-3, -4, -5), 0);
        rig_add_wall(world, &wall);
        double at = 0.5 - enters[k];
        int32_t box =
            rig_add_solid(world, rig_box(world, 1, 1, 1), rig_vec(at, at, at), rig_upright);
        double mass = scree_world_get_bodies(world).mass[box], greatest;
        for (int i = 0; i < 200; i++) {
            rig_step(world);
        }
        ScreeVec3 f = support(world, box, &greatest);
        ScreeVec3 x = scree_world_get_bodies(world).position[box];
        CHECK_NEAR(f.x, 3 * mass, 1e-6 * mass);
        CHECK_NEAR(f.y, 4 * mass, 1e-6 * mass);
        CHECK_NEAR(f.z, 5 * mass, 1e-6 * mass);
        CHECK_NEAR(rig_length(rig_sub(x, rig_vec(at, at, at))), 0, 1e-6);
        scree_world_destroy(world);
        scree_mesh_destroy(mesh);
    }
}

/* On a table that is a closed mesh, near and over its brink, entered a little: only the top pushes,
 * and straight up. */
static void a_box_at_a_brink_is_pushed_up_only(void) {
    ScreeMesh *mesh = rig_box_mesh(rig_vec(-2, -2, -1), rig_vec(2, 2, 0));
    const ScreeWallDef wall = rig_mesh_wall(mesh);
    uint64_t random = 5;
    for (int k = 0; k < 200; k += CHECK_STRIDE) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.3);
        rig_add_wall(world, &wall);
        double enters = k % 4 == 0 ? 0 : scr_pow(10, -3 - 9 * rig_random(&random));
        ScreeVec3 x = rig_vec(1.5 + 0.48 * rig_random(&random), 0, 0.25 - enters);
        x.y = k % 3 == 0 ? 1.5 + 0.48 * rig_random(&random) : 0;
        ScreeQuat q = rig_rotation(rig_vec(0, 0, 1), 6.28 * rig_random(&random));
        rig_add_solid(world, rig_box(world, 0.6, 0.4, 0.5), x, q);
        rig_step(world);
        const ScreeContactView view = scree_world_get_contacts(world);
        CHECK(view.count >= 3);
        for (size_t i = 0; i < view.count; i++) {
            CHECK(view.contact[i].normal.z < -0.999);
            CHECK_NEAR(view.contact[i].gap, -enters, 1e-12);
        }
        scree_world_destroy(world);
    }
    scree_mesh_destroy(mesh);
}

/* ---------------------------------------------------------------- walls that move */

static ScreeWallDef turning(ScreeWallDef wall) {
    wall.point = rig_vec(0, 0, -0.5);
    wall.motion = SCREE_WALL_MOVED;
    wall.velocity = rig_vec(0.1, 0, 0.3);
    wall.spin = rig_vec(0, 0.2, 0.7);
    return wall;
}

/* A block that rises and turns, and the same as triangles, carry balls and boxes alike. */
static void a_moving_mesh_is_a_moving_block(void) {
    ScreeMesh *mesh = rig_box_mesh(rig_vec(-1, -1, -0.5), rig_vec(1, 1, 0.5));
    ScreeWallDef block = scree_wall_def_default();
    block.shape = SCREE_WALL_BLOCK;
    block.half = rig_vec(1, 1, 0.5);
    const ScreeWallDef wall[2] = {turning(block), turning(rig_mesh_wall(mesh))};
    for (Mover mover = 0; mover < MOVERS; mover++) {
        ScreeWorld *world[2];
        for (int k = 0; k < 2; k++) {
            world[k] = rig_world(3, 1e-3, rig_vec(0, 0, -9.81), 0.4);
            rig_add_wall(world[k], &wall[k]);
            ScreeBodyDef body = rig_ball(rig_vec(0.2, 0.1, 0.2), 0.2, 0);
            body.shape = mover == BOX ? rig_box(world[k], 0.4, 0.4, 0.4) : SCREE_NO_SHAPE;
            rig_add_body(world[k], &body);
        }
        for (int i = 0; i < 400 / CHECK_STRIDE; i++) {
            rig_step(world[0]);
            rig_step(world[1]);
        }
        const ScreeBodyView a = scree_world_get_bodies(world[0]),
                            b = scree_world_get_bodies(world[1]);
        CHECK(a.position[0].z > (CHECK_STRIDE == 1 ? 0.3 : 0.2)); /* it has been carried up */
        CHECK_NEAR(rig_length(rig_sub(a.position[0], b.position[0])), 0, 1e-8);
        CHECK_NEAR(rig_length(rig_sub(a.velocity[0], b.velocity[0])), 0, 1e-7);
        CHECK_NEAR(rig_length(rig_sub(rig_wall(world[0], 0).load, rig_wall(world[1], 0).load)), 0,
                   1e-5 * a.mass[0] * 9.81);
        scree_world_destroy(world[0]);
        scree_world_destroy(world[1]);
    }
    scree_mesh_destroy(mesh);
}

/* A lid of mass M with a ball of mass m between it and the floor: the ball bears (M + m) g. */
static void a_mesh_is_a_piston(void) {
    ScreeMesh *mesh = rig_square(true, rig_upright);
    ScreeWallDef lid = rig_mesh_wall(mesh);
    lid.point = rig_vec(0, 0, 1);
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 3;
    lid.direction = rig_vec(0, 0, 1);
    lid.force = rig_vec(0, 0, -3 * 10);
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.4);
    int32_t floor = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    int32_t wall = rig_add_wall(world, &lid);
    rig_add_ball(world, rig_vec(0.1, 0.2, 0.5), 0.5, 2);
    for (int k = 0; k < 100; k++) {
        rig_step(world);
    }
    CHECK_NEAR(rig_wall(world, floor).load.z, -50, 1e-6);
    CHECK_NEAR(rig_wall(world, wall).load.z, 30, 1e-6);
    CHECK_NEAR(rig_wall(world, wall).now.point.z, 1, 1e-9);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

/* ---------------------------------------------------------------- parts */

/* A floor in two parts: each ball loads its own, and one that rolls from part to part does as on a
 * single one. */
static void parts_have_loads_of_their_own(void) {
    static const ScreeVec3 vertex[6] = {{-2, -2, 0}, {0, -2, 0}, {2, -2, 0},
                                        {-2, 2, 0},  {0, 2, 0},  {2, 2, 0}};
    static const int32_t corner[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4}, part[4] = {0, 0, 1, 1};
    const ScreeMeshDef def = {6, 4, vertex, corner, part, 2};
    ScreeMesh *mesh = scree_mesh_create(&def, NULL);
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.4);
    ScreeWallDef wall = rig_mesh_wall(mesh);
    for (wall.part = 0; wall.part < 2; wall.part++) {
        rig_add_wall(world, &wall);
    }
    CHECK(scree_world_get_mesh_count(world) == 1); /* kept once */
    rig_add_ball(world, rig_vec(-1, 0.3, 0.2), 0.2, 1);
    rig_add_ball(world, rig_vec(1, 0.3, 0.2), 0.2, 3);
    int32_t box =
        rig_add_solid(world, rig_box(world, 0.4, 0.4, 0.4), rig_vec(-0.5, -1, 0.2), rig_upright);
    double weight = 10 * scree_world_get_bodies(world).mass[box];
    rig_step(world);
    CHECK_NEAR(rig_wall(world, 0).load.z, -10 - weight, 1e-9);
    CHECK_NEAR(rig_wall(world, 1).load.z, -30, 1e-9);
    /* across the seam without a bump */
    rig_must(scree_body_set_velocity(world, (ScreeBodyId){box}, rig_vec(3, 0, 0), rig_vec(0, 0, 0)),
             "velocity");
    for (int k = 1; k <= 700; k++) {
        rig_step(world);
        ScreeVec3 v = scree_world_get_bodies(world).velocity[box];
        double speed = 3 - 0.4 * 10 * 1e-3 * k;
        CHECK_NEAR(v.x, speed, 1e-8);
        CHECK_NEAR(v.z, 0, 1e-8);
        CHECK_NEAR(rig_wall(world, 0).load.z + rig_wall(world, 1).load.z, -40 - weight, 1e-5);
    }
    CHECK_NEAR(rig_wall(world, 1).load.z, -30 - weight, 1e-5); /* it has crossed */
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

/* ---------------------------------------------------------------- restarts and threads */

/* Hills and hollows, for balls and boxes to roll about on. */
static ScreeWorld *hills(int threads) {
    enum { N = 16 };
    static ScreeVec3 vertex[N * N];
    static int32_t corner[6 * (N - 1) * (N - 1)];
    size_t count = 0;
    for (int k = 0; k < N * N; k++) {
        double x = 4.0 * (k / N) / (N - 1) - 2, y = 4.0 * (k % N) / (N - 1) - 2;
        vertex[k] = rig_vec(x, y, 0.15 * sin(3 * x) * cos(2.5 * y) + 0.15 * (x * x + y * y));
    }
    for (int32_t k = 0; k < N * N; k++) {
        if (k % N < N - 1 && k / N < N - 1) {
            const int32_t own[6] = {k, k + N, k + N + 1, k, k + N + 1, k + 1};
            memcpy(corner + count, own, sizeof own);
            count += 6;
        }
    }
    ScreeWorldDef def = rig_def(3, 2e-3, rig_vec(0, 0, -9.81));
    def.solver.tolerance = 1e-3;
    def.threads = threads;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    ScreeMesh *mesh = rig_mesh(vertex, N * N, corner, count / 3);
    const ScreeWallDef wall = rig_mesh_wall(mesh);
    rig_add_wall(world, &wall);
    scree_mesh_destroy(mesh);
    const ScreeShapeId box = rig_box(world, 0.25, 0.2, 0.3);
    uint64_t random = 3;
    for (int k = 0; k < 40; k++) {
        ScreeVec3 x = rig_vec(-1 + 0.5 * (k % 5), -1 + 0.5 * (k / 5 % 4), 1 + 0.5 * (k / 20));
        if (k % 2 == 0) {
            rig_add_ball(world, x, 0.12, 0);
        } else {
            rig_add_solid(world, box, x, rig_rotation(rig_random_vec(&random, 1, 3), k));
        }
    }
    return world;
}

static void restarts_and_threads_change_no_bit(void) {
    ScreeWorld *one = hills(1), *two = hills(2), *again = NULL;
    for (int k = 0; k < 200; k++) {
        rig_step(one);
        rig_step(two);
    }
    CHECK(scree_world_hash(one) == scree_world_hash(two));
    size_t size = 0;
    rig_must(scree_world_save(one, NULL, &size), "size");
    void *bytes = malloc(size);
    rig_must(scree_world_save(one, bytes, &size), "save");
    rig_must(scree_world_load(bytes, size, &again, NULL), "load");
    free(bytes);
    for (int k = 0; k < 300 / CHECK_STRIDE; k++) {
        rig_step(one);
        rig_step(again);
    }
    CHECK(scree_world_hash(one) == scree_world_hash(again));
    const ScreeBodyView bodies = scree_world_get_bodies(one);
    for (size_t i = 0; i < bodies.count; i++) { /* nothing has fallen through */
        CHECK(bodies.position[i].z > -0.1);
    }
    scree_world_destroy(one);
    scree_world_destroy(two);
    scree_world_destroy(again);
}

/* ---------------------------------------------------------------- refusals */

static void check_refused(const ScreeMeshDef *def, const char *words) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeMesh *mesh = scree_mesh_create(def, message);
    CHECK(mesh == NULL);
    CHECK(strstr(message, words) != NULL);
    if (strstr(message, words) == NULL) {
        fprintf(stderr, "    \"%s\" instead of \"%s\"\n", message, words);
    }
    scree_mesh_destroy(mesh);
}

static void unsound_meshes_are_refused(void) {
    const ScreeVec3 good[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    ScreeVec3 bad[4] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {2, 0, 0}};
    const int32_t one[3] = {0, 1, 2}, line[3] = {0, 1, 3}, out[3] = {0, 1, 4},
                  twice[6] = {0, 1, 2, 2, 1, 0}, part[1] = {1};
    const ScreeMeshDef def[] = {
        {.vertices = 4, .vertex = good, .corner = one},
        {.vertices = 4, .triangles = 1, .vertex = bad, .corner = one},
        {.vertices = 4, .triangles = 1, .vertex = good, .corner = line},
        {.vertices = 4, .triangles = 1, .vertex = good, .corner = out},
        {.vertices = 4, .triangles = 2, .vertex = good, .corner = twice},
        {.vertices = 4, .triangles = 1, .vertex = good, .corner = one, .part = part, .parts = 1},
    };
    const char *const words[] = {"at least one triangle",       "vertex 2: its coordinates",
                                 "triangle 0: it has no area",  "triangle 0: there is no vertex 4",
                                 "triangle 1: it has the same", "triangle 0: there is no part 1"};
    for (size_t k = 0; k < sizeof def / sizeof def[0]; k++) {
        check_refused(&def[k], words[k]);
    }
}

static void meshes_are_refused_where_they_have_no_place(void) {
    ScreeMesh *mesh = groove();
    ScreeWallDef wall = rig_mesh_wall(mesh);
    ScreeWorld *flat = rig_world(2, 1e-3, rig_vec(0, 0, 0), 0);
    CHECK(scree_world_add_wall(flat, &wall, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_get_message(flat), "three dimensions") != NULL);
    scree_world_destroy(flat);
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0);
    wall.part = 1;
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_BAD_ARGUMENT);
    wall.mesh = NULL;
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv) {
    CHECK_RUN(bodies_go_alike_on_a_plane_a_quad_and_2048_triangles);
    CHECK_RUN(a_ball_in_a_groove_has_two_contacts);
    CHECK_RUN(a_box_stays_in_a_corner);
    CHECK_RUN(a_box_at_a_brink_is_pushed_up_only);
    CHECK_RUN(a_moving_mesh_is_a_moving_block);
    CHECK_RUN(a_mesh_is_a_piston);
    CHECK_RUN(parts_have_loads_of_their_own);
    CHECK_RUN(restarts_and_threads_change_no_bit);
    CHECK_RUN(unsound_meshes_are_refused);
    CHECK_RUN(meshes_are_refused_where_they_have_no_place);
    return check_result();
}
