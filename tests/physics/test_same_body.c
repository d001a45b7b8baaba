/* A cube is a cube, however it is described: as a hull, by its faces, by triangles, as two prisms, as
 * eight small cubes. It falls flat on the floor, does not bounce, and slides to rest: its forces are
 * not determined, but its motion is. */
#include "physics/solid_rig.h"

enum { HULL, FACES, TRIANGLES, PRISMS, SMALL_CUBES, WAYS };

static const double half = 0.5;

static ScreeVec3 corner_of(int k) {
    return rig_vec(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half);
}

static ScreeShapeId cube(ScreeWorld *world, int way) {
    static const int32_t face[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                     2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    ScreeVec3 vertex[64];
    ScreeSolidPart part[8] = {{.vertices = 8}};
    int32_t corners[12], corner[36];
    size_t parts = 1;
    for (int k = 0; k < 8; k++) {
        vertex[k] = corner_of(k);
    }
    if (way == FACES || way == TRIANGLES) {
        part[0].faces = way == FACES ? 6 : 12;
        for (int f = 0; f < 12; f++) {
            corners[f] = way == FACES ? 4 : 3;
        }
        for (int k = 0; k < 36; k++) {
            const int32_t *c = face + 4 * (k / 6);
            const int32_t cut[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
            corner[k] = way == TRIANGLES ? cut[k % 6] : k < 24 ? face[k] : 0;
        }
    }
    if (way == PRISMS) { /* on either side of the diagonal from corner 0 to corner 3 */
        static const int of[12] = {0, 1, 3, 4, 5, 7, 0, 3, 2, 4, 7, 6};
        parts = 2;
        part[0] = part[1] = (ScreeSolidPart){.vertices = 6};
        for (int k = 0; k < 12; k++) {
            vertex[k] = corner_of(of[k]);
        }
    }
    if (way == SMALL_CUBES) {
        parts = 8;
        for (int p = 0; p < 8; p++) {
            part[p] = (ScreeSolidPart){.vertices = 8};
            for (int k = 0; k < 8; k++) {
                vertex[8 * p + k] = rig_add(rig_scale(0.5, corner_of(p)), 0.5, corner_of(k));
            }
        }
    }
    const ScreeSolidDef def = {part, parts, vertex, corners, corner};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), scree_world_get_message(world));
    return id;
}

/* With the settings that a user has who sets nothing. */
static ScreeWorld *slide(int way) {
    ScreeWorldDef settings = rig_def(3, 1e-3, rig_vec(0, 0, -9.81));
    settings.solver = scree_world_def_default().solver;
    ScreeWorld *world = rig_create(&settings);
    rig_material(world, 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    ScreeBodyDef def = scree_body_def_default();
    def.shape = cube(world, way);
    def.position = rig_vec(0, 0, half + 0.1);
    def.orientation = rig_rotation(rig_vec(0, 0, 1), 0.4);
    def.velocity = rig_vec(1.5, 0.5, 0);
    rig_add_body(world, &def);
    return world;
}

static void slides_alike(void) {
    ScreeWorld *first = slide(HULL);
    ScreeBodyView a = scree_world_get_bodies(first);
    for (int way = FACES; way < WAYS; way++) {
        ScreeWorld *other = slide(way);
        scree_world_destroy(first);
        first = slide(HULL);
        for (int step = 0; step < 900; step++) {
            rig_step(first);
            rig_step(other);
            a = scree_world_get_bodies(first);
            ScreeBodyView b = scree_world_get_bodies(other);
            CHECK_VEC(a.position[0], b.position[0], 1e-9);
            CHECK_VEC(a.velocity[0], b.velocity[0], 1e-9);
            CHECK_VEC(a.spin[0], b.spin[0], 1e-9);
        }
        CHECK_CLOSE(a.mass[0], scree_world_get_bodies(other).mass[0], 1e-14);
        scree_world_destroy(other);
    }
    /* the landing brakes by friction times its blow; then at friction times weight */
    CHECK(rig_length(a.velocity[0]) < 1e-12 && a.position[0].x > 0.3);
    scree_world_destroy(first);
}

int main(int argc, char **argv) {
    CHECK_RUN(slides_alike);
    return check_result();
}
