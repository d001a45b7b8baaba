/* Closed walls of triangles and bodies that are not convex: the body is outside or inside of the wall, which it meets as it
 * meets a body of the same form. */
#include "physics/mesh_rig.h"

#include "api/world.h"
#include "narrow/part_level.h"

/* Two racks with teeth of thin tips, which are in each other's gaps, and a box with a hollow. */
enum { TEETH = 3, CORNERS = 4 * TEETH + 2 };
static const double pitch = 0.1, depth = 0.08, width = 0.06, foot = 0.05;

static void rack(double outline[CORNERS][2]) {
    const double half = 0.5 * pitch * TEETH;
    const double tooth[4][2] = {{0.02, 0}, {0.045, 0.08}, {0.055, 0.08}, {0.08, 0}};
    outline[0][0] = -half;
    outline[0][1] = -foot;
    outline[1][0] = half;
    outline[1][1] = -foot;
    for (int k = 0; k < TEETH; k++) {
        for (int c = 0; c < 4; c++) {
            double *at = outline[2 + 4 * k + c];
            at[0] = half - pitch * k - tooth[c][0];
            at[1] = tooth[c][1];
        }
    }
}

/* The rack of triangles, drawn out along y. Its normals lead inwards if it is turned over. */
static ScreeMesh *rack_mesh(bool over) {
    double outline[CORNERS][2];
    ScreeVec3 vertex[2 * CORNERS], flat[CORNERS];
    int32_t corner[12 * CORNERS], fill[3 * CORNERS];
    size_t n = 0, triangles = 0;
    rack(outline);
    for (int k = 0; k < CORNERS; k++) {
        vertex[k] = rig_vec(outline[k][0], -width, outline[k][1]);
        vertex[k + CORNERS] = rig_vec(outline[k][0], width, outline[k][1]);
        flat[k] = rig_vec(outline[k][0], outline[k][1], 0);
    }
    CHECK(scree_outline_fill(flat, CORNERS, fill, &triangles) == SCREE_OK);
    for (size_t t = 0; t < triangles; t++) {
        const int32_t *f = fill + 3 * t;
        const int32_t both[6] = {f[0], f[1], f[2], f[0] + CORNERS, f[2] + CORNERS, f[1] + CORNERS};
        memcpy(corner + n, both, sizeof both);
        n += 6;
    }
    for (int32_t k = 0; k < CORNERS; k++) {
        const int32_t next = (k + 1) % CORNERS;
        const int32_t side[6] = {next, k, k + CORNERS, next, k + CORNERS, next + CORNERS};
        memcpy(corner + n, side, sizeof side);
        n += 6;
    }
    for (size_t i = 0; over && i < n; i += 3) {
        int32_t first = corner[i];
        corner[i] = corner[i + 1];
        corner[i + 1] = first;
    }
    return rig_mesh(vertex, 2 * CORNERS, corner, n / 3);
}

static ScreeShapeId rack_shape(ScreeWorld *world) {
    double outline[CORNERS][2];
    rack(outline);
    return rig_drawn_out(world, (const double(*)[2])outline, CORNERS, width);
}

/* Bodies stand about their centres of mass, and walls where their vertices are. */
static ScreeVec3 rack_centre(void) {
    double outline[CORNERS][2], area = 0, x = 0, z = 0;
    rack(outline);
    for (int k = 0; k < CORNERS; k++) {
        const double *a = outline[k], *b = outline[(k + 1) % CORNERS];
        double twice = a[0] * b[1] - b[0] * a[1];
        area += twice;
        x += twice * (a[0] + b[0]) / 3;
        z += twice * (a[1] + b[1]) / 3;
    }
    return rig_vec(x / area, 0, z / area);
}

/* A rack as a body, and another one that is a body (0), or a wall, turned over or not. */
static ScreeWorld *make(int kind) {
    const ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    const ScreeShapeId shape = rack_shape(world);
    rig_material(world, 0.3);
    rig_add_solid(world, shape, rig_vec(0, 0, 0), rig_upright);
    if (kind == 0) {
        rig_add_solid(world, shape, rig_vec(0, 0, 0), rig_upright);
    } else {
        ScreeMesh *mesh = rack_mesh(kind == 2);
        const ScreeWallDef wall = rig_mesh_wall(mesh);
        rig_add_wall(world, &wall);
        scree_mesh_destroy(mesh);
    }
    return world;
}

static void pose(State *s, ScreeVec3 x, ScreeQuat q, ScreeVec3 centre) {
    s->bodies.position[0] = x;
    s->bodies.orientation[0] = q;
    if (s->bodies.count > 1) {
        s->bodies.position[1] = centre;
    }
}

typedef struct Found {
    Placed placed;
    PairWork work;
} Found;

static size_t points(ScreeWorld *world, double reach, Found *f) {
    const StepMotion none = {.shift = {0, 0, 0}};
    State *s = &world->state;
    CHECK(scr_place_outlines(s, &f->placed));
    rig_must(scr_pair_points(s, &f->placed, 0, s->bodies.count > 1 ? 1 : -1, (OldPoints){NULL, 0},
                             &none, reach, &f->work),
             "points");
    return f->work.touches.count;
}

/* Whether each point of one that touches, or nearly so, is one of the other, by gap, normal and place. Of those farther apart
 * that say the same, either may have more. */
static bool all_there(const OutlineTouches *one, const OutlineTouches *other) {
    for (size_t i = 0; i < one->count; i++) {
        bool there = one->item[i].gap > 5e-4;
        for (size_t k = 0; k < other->count && !there; k++) {
            const OutlineTouch *a = &one->item[i], *b = &other->item[k];
            there = fabs(a->gap - b->gap) < 1e-12 &&
                    rig_length(rig_sub(a->normal, b->normal)) < 1e-9 &&
                    rig_length(rig_sub(a->arm, b->arm)) < 1e-9;
        }
        if (!there) {
            return false;
        }
    }
    return true;
}

static void a_closed_wall_is_met_as_a_body_of_its_form(void) {
    ScreeWorld *world[3] = {make(0), make(1), make(2)};
    Found found[3] = {0};
    uint64_t random = 5;
    size_t all = 0;
    int touching = 0;
    const ScreeQuat over = rig_rotation(rig_vec(0, 1, 0), RIG_PI);
    const ScreeVec3 centre = rack_centre();
    for (int k = 0; k < 300; k += CHECK_STRIDE) {
        /* in the gaps of the other, a little turned and out of it */
        double up = depth - 2 * centre.z + 0.03 * rig_random(&random);
        ScreeVec3 x = rig_add(rig_vec(0.5 * pitch * (k % 3 == 0 ? 1 : -1), 0, up), 1,
                              rig_random_vec(&random, 0.02, 3));
        ScreeQuat q = rig_compose(rig_random_rotation(&random, 0.1), over);
        for (int w = 0; w < 3; w++) {
            pose(&world[w]->state, rig_add(x, 1, centre), q, centre);
            all += points(world[w], 0.01, &found[w]);
        }
        double least = INFINITY, deep;
        const State *s = &world[0]->state;
        rig_must(scr_pair_immersion(s, &found[0].placed, 0, 1, &found[0].work, &deep), "depth");
        for (size_t i = 0; i < found[0].work.touches.count; i++) {
            least = fmin(least, found[0].work.touches.item[i].gap);
        }
        if (least < -2e-3 || deep > 2e-3) {
            continue; /* in each other from the beginning */
        }
        touching += least < 0.01;
        for (int w = 1; w < 3; w++) {
            CHECK(all_there(&found[w].work.touches, &found[0].work.touches));
            CHECK(all_there(&found[0].work.touches, &found[w].work.touches));
        }
    }
    printf("    %d poses, %zu points\n", touching, all);
    CHECK(touching > 30 / CHECK_STRIDE);
    for (int w = 0; w < 3; w++) {
        scr_placed_free(&found[w].placed);
        scr_pair_work_free(&found[w].work);
        scree_world_destroy(world[w]);
    }
}

static void windings_tell_inside_from_outside(void) {
    for (int over = 0; over < 2; over++) {
        ScreeMesh *mesh = rack_mesh(over == 1);
        ScreeWorld *world = make(0);
        const Polyhedron *part = &scr_solid_of(&world->state, 0)->part[0];
        MeshTriangles room = {0};
        uint64_t random = 3;
        const ScreeVec3 centre = rack_centre();
        CHECK(mesh->outward == (over ? -1 : 1) && mesh->pieces == 1);
        for (int k = 0; k < 2000; k++) {
            int32_t winding;
            ScreeVec3 x = rig_random_vec(&random, 0.15, 3);
            x = k % 4 == 0 ? rig_vec(0.01 * (k % 29 - 14), 0.01 * (k % 13 - 6), 0.01 * (k % 17 - 8))
                           : x;
            double level = scr_part_level(part, rig_sub(x, centre));
            CHECK(scr_mesh_winding(mesh, x, &room, &winding));
            CHECK(fabs(level) < 1e-9 || winding == (level > 0 ? 0 : over ? -1 : 1));
        }
        scr_block_free(&room.item_block);
        scree_world_destroy(world);
        scree_mesh_destroy(mesh);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(windings_tell_inside_from_outside);
    CHECK_RUN(a_closed_wall_is_met_as_a_body_of_its_form);
    return check_result();
}
