/* Walls of triangles for the tests. */
#ifndef SCREE_TESTS_MESH_RIG_H
#define SCREE_TESTS_MESH_RIG_H

#include "physics/solid_rig.h"

static inline ScreeMesh *rig_mesh(const ScreeVec3 *vertex, size_t vertices, const int32_t *corner,
                                  size_t triangles) {
    char message[SCREE_MESSAGE_SIZE] = "";
    const ScreeMeshDef def = {
        .vertices = vertices, .triangles = triangles, .vertex = vertex, .corner = corner};
    ScreeMesh *mesh = scree_mesh_create(&def, message);
    if (mesh == NULL) {
        fprintf(stderr, "mesh: %s\n", message);
        abort();
    }
    return mesh;
}

static inline ScreeWallDef rig_mesh_wall(const ScreeMesh *mesh) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_MESH;
    def.mesh = mesh;
    return def;
}

enum { RIG_CELLS = 32 };

/* The square of 8 times 8 about the origin, in the plane z = 0 turned by q. Cut once, or into 2048
 * irregular triangles, which run around at random, one way or the other. */
static inline ScreeMesh *rig_square(bool many, ScreeQuat q) {
    enum { N = RIG_CELLS };
    static ScreeVec3 vertex[(N + 1) * (N + 1)];
    static int32_t corner[6 * N * N];
    uint64_t random = 11;
    int n = many ? N : 1;
    size_t count = 0;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            bool inner = i > 0 && j > 0 && i < n && j < n;
            double x = i + (inner ? 0.48 * (rig_random(&random) - 0.5) : 0);
            double y = j + (inner ? 0.48 * (rig_random(&random) - 0.5) : 0);
            vertex[i * (n + 1) + j] = rig_rotate(q, rig_vec(8 * x / n - 4, 8 * y / n - 4, 0));
        }
    }
    for (int k = 0; k < n * n; k++) {
        int32_t a = k / n * (n + 1) + k % n, b = a + n + 1, c = b + 1, d = a + 1;
        bool other = rig_random(&random) < 0.5;
        const int32_t cut[2][3] = {{a, b, other ? d : c}, {other ? b : a, c, d}};
        for (int t = 0; t < 2; t++) {
            int turned = rig_random(&random) < 0.5;
            corner[count++] = cut[t][0];
            corner[count++] = cut[t][turned ? 2 : 1];
            corner[count++] = cut[t][turned ? 1 : 2];
        }
    }
    return rig_mesh(vertex, (size_t)((n + 1) * (n + 1)), corner, count / 3);
}

/* The same plane three times. */
typedef enum Floor { FLOOR_PLANE, FLOOR_QUAD, FLOOR_TRIANGLES, FLOORS } Floor;

static inline void rig_add_floor(ScreeWorld *world, Floor floor, ScreeQuat q) {
    if (floor == FLOOR_PLANE) {
        rig_add_plane(world, rig_vec(0, 0, 0), rig_rotate(q, rig_vec(0, 0, 1)));
        return;
    }
    ScreeMesh *mesh = rig_square(floor == FLOOR_TRIANGLES, q);
    const ScreeWallDef wall = rig_mesh_wall(mesh);
    rig_add_wall(world, &wall);
    scree_mesh_destroy(mesh);
}

/* How a body moves over such a floor. */
typedef struct Course {
    ScreeQuat tilt, turn; /* of the floor and of everything with it; of the body before that */
    double height;        /* of the body's centre */
    ScreeVec3 velocity, spin;
    double restitution;
} Course;

/* The floor; gravity lies askew to it, by an angle whose tangent is half the friction. */
static inline ScreeWorld *rig_course(const Course *c, Floor floor) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_rotate(c->tilt, rig_vec(1.4, 0.4, -9.7)));
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = 0.3;
    material.law.restitution = c->restitution;
    rig_must(scree_world_add_material(world, &material, NULL), "material");
    rig_add_floor(world, floor, c->tilt);
    return world;
}

/* The body at the beginning of its course; its shape is given. */
static inline void rig_start(ScreeWorld *world, const Course *c, ScreeBodyDef body) {
    body.position = rig_rotate(c->tilt, rig_vec(-2, -1.5, c->height));
    body.orientation = rig_compose(c->tilt, c->turn);
    body.velocity = rig_rotate(c->tilt, c->velocity);
    body.spin = rig_rotate(c->tilt, c->spin);
    rig_add_body(world, &body);
}

/* The greatest difference of position, velocity or spin between the floors. */
static inline double rig_floors_apart(ScreeWorld *const world[FLOORS]) {
    const ScreeBodyView one = scree_world_get_bodies(world[FLOOR_PLANE]);
    double most = 0;
    for (Floor f = FLOOR_QUAD; f < FLOORS; f++) {
        const ScreeBodyView other = scree_world_get_bodies(world[f]);
        most = fmax(most, rig_length(rig_sub(one.position[0], other.position[0])));
        most = fmax(most, rig_length(rig_sub(one.velocity[0], other.velocity[0])));
        most = fmax(most, rig_length(rig_sub(one.spin[0], other.spin[0])));
    }
    return most;
}

/* The course on all three floors, from its beginning to its end; how far apart they ever were. */
static inline double rig_follow(ScreeWorld *world[FLOORS]) {
    double most = 0;
    for (int step = 0; step < 1200; step++) {
        for (Floor f = 0; f < FLOORS; f++) {
            rig_step(world[f]);
        }
        most = fmax(most, rig_floors_apart(world));
    }
    for (Floor f = 0; f < FLOORS; f++) {
        scree_world_destroy(world[f]);
    }
    return most;
}

/* A box from `low` to `high` as twelve triangles. */
static inline ScreeMesh *rig_box_mesh(ScreeVec3 low, ScreeVec3 high) {
    static const int32_t face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    ScreeVec3 vertex[8];
    int32_t corner[36];
    for (int k = 0; k < 8; k++) {
        vertex[k] = rig_vec(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
    }
    for (int f = 0; f < 6; f++) {
        const int32_t cut[6] = {face[f][0], face[f][1], face[f][2],
                                face[f][0], face[f][2], face[f][3]};
        for (int k = 0; k < 6; k++) {
            corner[6 * f + k] = cut[k];
        }
    }
    return rig_mesh(vertex, 8, corner, 12);
}

#endif
