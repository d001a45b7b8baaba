/* Solids at cones, discs, rings, plates with holes and hollow cylinders: the least gap is that to the same wall made of many
 * triangles, wherever the body is, and the points know where they are. */
#include "physics/mesh_rig.h"
#include "physics/smooth_rig.h"

#include "narrow/point_sight.h"
#include "shell_rig.h"

enum { AROUND = 360, KINDS = 8 };

/* The same of triangles. They lie within a sagitta of it. */
static ScreeMesh *mesh_of(int shell) {
    const ScreeWallDef w = shell_wall(shell);
    static ScreeVec3 vertex[2 * AROUND + 1];
    static int32_t corner[6 * AROUND];
    bool tip = w.radius == 0;
    size_t triangles = 0;
    vertex[2 * AROUND] = rig_vec(0, 0, 0);
    for (int32_t k = 0; k < AROUND; k++) {
        double angle = 2 * RIG_PI * k / AROUND, out = shell_outer(shell, angle);
        int32_t next = (k + 1) % AROUND, inner = tip ? 2 * AROUND : k + AROUND;
        vertex[k] = rig_vec(out * cos(angle), out * sin(angle), w.length - shell_below(shell));
        vertex[k + AROUND] =
            rig_vec(w.radius * cos(angle), w.radius * sin(angle), -shell_below(shell));
        const int32_t first[3] = {k, next, inner}, second[3] = {next, next + AROUND, inner};
        memcpy(corner + 3 * triangles++, first, sizeof first);
        if (!tip) {
            memcpy(corner + 3 * triangles++, second, sizeof second);
        }
    }
    if (tip) { /* no vertex may be without a triangle */
        vertex[AROUND] = vertex[2 * AROUND];
        for (size_t i = 0; i < 3 * triangles; i++) {
            corner[i] = corner[i] == 2 * AROUND ? AROUND : corner[i];
        }
    }
    return rig_mesh(vertex, tip ? AROUND + 1 : 2 * AROUND, corner, triangles);
}

static const double sagitta = 0.5 * (1 - 0.99996192306417128); /* cos of 0.5 degrees */

/* An L, as one body that is not convex and as two boxes. */
static const double l_outline[6][2] = {{0, 0},      {0.24, 0},  {0.24, 0.08},
                                       {0.1, 0.08}, {0.1, 0.2}, {0, 0.2}};
static const double l_width = 0.06;

static ScreeShapeId l_of_boxes(ScreeWorld *world) {
    static const double low[2][2] = {{0, 0}, {0, 0.08}}, high[2][2] = {{0.24, 0.08}, {0.1, 0.2}};
    const ScreeSolidPart part[2] = {{.vertices = 8}, {.vertices = 8}};
    ScreeVec3 vertex[16];
    for (int k = 0; k < 16; k++) {
        int of = k / 8;
        vertex[k] = rig_vec(k & 1 ? high[of][0] : low[of][0], k & 2 ? l_width : -l_width,
                            k & 4 ? high[of][1] : low[of][1]);
    }
    const ScreeSolidDef def = {part, 2, vertex, NULL, NULL};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), "boxes");
    return id;
}

static ScreeShapeId shape_of(ScreeWorld *world, int kind) {
    static const ScreeVec3 rod[2] = {{-0.1, 0, 0}, {0.1, 0, 0}};
    static const ScreeVec3 rock[6] = {{0.15, 0, 0},    {-0.1, 0.08, 0.02}, {0, 0.02, 0.12},
                                      {0.02, -0.1, 0}, {-0.02, 0, -0.09},  {0.05, 0.08, -0.05}};
    static const ScreeVec3 ball = {0, 0, 0};
    return kind == 0   ? rig_box(world, 0.3, 0.2, 0.1)
           : kind == 1 ? rig_hull(world, rock, 6, 0)
           : kind == 2 ? rig_hull(world, rock, 6, 0.03)
           : kind == 3 ? rig_hull(world, rod, 2, 0.05)
           : kind == 4 ? rig_hull(world, &ball, 1, 0.12)
           : kind == 5 ? rig_ellipsoid(world, 0.3, 0.2, 0.12)
           : kind == 6 ? rig_cone(world, 0.09, 0.09, 0.12, 0.01)
           : kind == 7 ? rig_drawn_out(world, l_outline, 6, l_width)
                       : l_of_boxes(world);
}

static ScreeWorld *make(int shell, const ScreeMesh *mesh, int kind) {
    const ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeWallDef wall = mesh != NULL ? rig_mesh_wall(mesh) : shell_wall(shell);
    rig_material(world, 0.5);
    rig_add_wall(world, &wall);
    rig_add_solid(world, shape_of(world, kind), rig_vec(0, 0, 0), rig_upright);
    return world;
}

/* A body that a place of the wall is seen from. */
typedef struct SeenBody {
    const ScreeWorld *world;
    const Placed *placed;
} SeenBody;

static double gap_to(const void *of, ScreeVec3 x) {
    const SeenBody *body = of;
    const PlacedSolid *solid = &body->placed->solid[0];
    const Polyhedron *part = &solid->solid->part[0];
    ScreeVec3 seen = rig_sub(x, body->world->state.bodies.position[0]);
    return scr_point_sight(part, scr_into_frame(solid, seen)).gap - part->rounding;
}

static double sampled_gap(const ScreeWorld *world, int shell, const Placed *placed, double far) {
    const SeenBody body = {world, placed};
    return shell_sampled_gap(shell, gap_to, &body, far);
}

/* Each point can be found again by its name, with its gap and its arm. */
static void check_names(ScreeWorld *world, const Placed *placed, const PairWork *work) {
    for (size_t i = 0; i < work->touches.count; i++) {
        const OutlineTouch *t = &work->touches.item[i];
        const Contact c = {.b = -1, .feature = t->feature, .normal = t->normal, .gap = t->gap};
        bool outside = scr_feature_b(t->feature) > 0 && scr_feature_b(t->feature) < 200;
        if (!outside) { /* there the wall is a solid cone: see test_smooth_distance.c */
            CHECK_NEAR(scr_pair_gap(&world->state, placed, &c), t->gap, 1e-10);
            CHECK_VEC(scr_pair_arms(&world->state, &c).a, t->arm, 1e-6);
        }
        for (size_t k = 0; k < i; k++) {
            CHECK(work->touches.item[k].feature != t->feature);
        }
    }
}

static void gaps_are_those_to_many_triangles(void) {
    const double reach = 0.05;
    for (int shell = 0; shell < SHELLS; shell++) {
        ScreeMesh *mesh = mesh_of(shell);
        for (int kind = 0; kind < KINDS; kind++) {
            ScreeWorld *world[2] = {make(shell, NULL, kind), make(shell, mesh, kind)};
            Placed placed[2] = {0};
            PairWork work[2] = {0};
            uint64_t random = 3 + (uint64_t)kind;
            int compared = 0, off = 0, by_triangles = 0;
            for (int k = 0; k < 120; k += CHECK_STRIDE) {
                double angle = 6.3 * rig_random(&random), share = rig_random(&random);
                ScreeVec3 x =
                    rig_add(shell_point(shell, angle, share), 1, rig_random_vec(&random, 0.2, 3));
                ScreeQuat q = rig_random_rotation(&random, 3);
                double gap = shell_least_gap(world[0], x, q, reach, &placed[0], &work[0]);
                double sampled = sampled_gap(world[0], shell, &placed[0], reach + 0.02);
                if (sampled < 1e-3 || fmin(gap, sampled) > reach) {
                    continue; /* across the wall, or too far away */
                }
                compared++;
                check_names(world[0], &placed[0], &work[0]);
                if (fabs(gap - sampled) > 1e-6) { /* the search may end beside the best place */
                    double other = shell_least_gap(world[1], x, q, reach, &placed[1], &work[1]);
                    off += !(gap < sampled && fabs(gap - other) <= 2 * sagitta);
                    by_triangles++;
                }
            }
            CHECK(by_triangles <= compared / 4);
            CHECK(compared > 8 / CHECK_STRIDE);
            CHECK(off == 0);
            for (int w = 0; w < 2; w++) {
                scr_placed_free(&placed[w]);
                scr_pair_work_free(&work[w]);
                scree_world_destroy(world[w]);
            }
        }
        scree_mesh_destroy(mesh);
    }
}

/* However an L is described, its gaps are the same, and so is whether it has entered the wall, by up to so much. */
static void bodies_that_are_not_convex_are_met_as_their_pieces(void) {
    const double reach = 0.03, deep = 3e-3;
    for (int shell = 0; shell < SHELLS; shell++) {
        ScreeWorld *world[2] = {make(shell, NULL, 7), make(shell, NULL, 8)};
        Placed placed[2] = {0};
        PairWork work[2] = {0};
        uint64_t random = 5;
        int apart = 0, in = 0;
        for (int k = 0; k < 200 / CHECK_STRIDE; k++) {
            double angle = 6.3 * rig_random(&random), share = rig_random(&random);
            double turn = 3 * rig_random(&random), gap[2];
            ScreeVec3 x =
                rig_add(shell_point(shell, angle, share), 1, rig_random_vec(&random, 0.2, 3));
            ScreeQuat q = rig_rotation(rig_random_vec(&random, 1, 3), turn);
            for (int w = 0; w < 2; w++) {
                gap[w] = shell_least_gap(world[w], x, q, reach, &placed[w], &work[w]);
            }
            if (fmin(gap[0], gap[1]) > reach) {
                continue;
            }
            double looked = sampled_gap(world[0], shell, &placed[0], reach);
            if (looked > 1e-3) {
                apart++;
                CHECK_NEAR(gap[0], gap[1], 1e-9);
                check_names(world[0], &placed[0], &work[0]);
            } else if (looked < -1e-6 && looked > -deep) {
                in++;
                CHECK(gap[0] < 0);
            }
        }
        printf("    wall %d: %d apart, %d entered\n", shell, apart, in);
        CHECK(apart > 12 / CHECK_STRIDE && (in > 0 || CHECK_STRIDE > 1));
        for (int w = 0; w < 2; w++) {
            scr_placed_free(&placed[w]);
            scr_pair_work_free(&work[w]);
            scree_world_destroy(world[w]);
        }
    }
}

/* A rock with its sharpest vertex through a tube, nearly behind nothing of itself: as deep as that vertex lies outside of
 * the tube, whatever that is made of. Places of the wall hardly see it. */
static void a_rock_that_leans_into_a_tube_is_met_at_its_vertex(void) {
    const ScreeVec3 x = rig_vec(-0.060622879131832313, 0.19821789112281521, -0.031305167936152588);
    const ScreeQuat q = {0.85155252716691487, 0.24538509783572043, 0.22670665993561356,
                         0.40404026727126174};
    ScreeMesh *mesh = mesh_of(5);
    for (int made = 0; made < 2; made++) {
        ScreeWorld *world = make(5, made == 0 ? NULL : mesh, 1);
        Placed placed = {0};
        PairWork work = {0};
        double gap = shell_least_gap(world, x, q, 0.05, &placed, &work), deepest = 0;
        const PlacedSolid *solid = &placed.solid[0];
        for (int32_t v = 0; v < solid->solid->part[0].vertices; v++) {
            ScreeVec3 at =
                rig_add(x, 1, scr_out_of_frame(solid, scr_vertex(&solid->solid->part[0], v)));
            deepest = fmax(deepest, sqrt(at.x * at.x + at.y * at.y) - 0.3);
        }
        CHECK(deepest > 4e-4);
        CHECK_NEAR(gap, -deepest, made == 0 ? 1e-12 : 2 * sagitta);
        scr_placed_free(&placed);
        scr_pair_work_free(&work);
        scree_world_destroy(world);
    }
    scree_mesh_destroy(mesh);
}

/* How deep the rims and the side of a wall are in the body, by looking from many places of it. */
static double depth_by_looking(const ScreeWorld *world, int shell, const Placed *placed) {
    enum { TURN = 360, WAY = 6 };
    const SeenBody body = {world, placed};
    double deepest = 0;
    for (int k = 0; k < TURN * (WAY + 1); k++) {
        double angle = 2 * RIG_PI * (k % TURN) / TURN, share = (double)(k / TURN) / WAY;
        deepest = fmax(deepest, -gap_to(&body, shell_point(shell, angle, share)));
    }
    return deepest;
}

/* Bodies that fall across the upper rim of a hollow cylinder topple into it or off it, and come to rest somewhere: each
 * step converges, and the wall is never in them by more than a thousandth of their size. */
static void bodies_fall_across_the_rim_of_a_tube(void) {
    const double floor = -0.2, g = 10;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int place = 0; place < 3; place += CHECK_STRIDE) {
            ScreeWorldDef def = scree_world_def_default();
            def.dimension = 3;
            def.time_step = 2e-3;
            def.gravity = rig_vec(0, 0, -g);
            ScreeWorld *world = rig_create(&def);
            const ScreeWallDef wall = shell_wall(5);
            Placed placed = {0};
            uint64_t random = 11 + (uint64_t)(3 * kind + place);
            double deepest = 0, angle = 1.7 * place, fastest = 0;
            int open = 0;
            rig_material(world, 0.4);
            rig_add_wall(world, &wall);
            rig_add_plane(world, rig_vec(0, 0, floor), rig_vec(0, 0, 1));
            rig_add_solid(world, shape_of(world, kind),
                          rig_vec((0.28 + 0.01 * place) * cos(angle), 0.3 * sin(angle), 0.42),
                          rig_random_rotation(&random, 3));
            for (int step = 0; step < 600; step++) {
                const ScreeReport report = rig_step(world);
                open += !report.converged;
                if (step % 10 == 9) {
                    CHECK(scr_place_outlines(&world->state, &placed));
                    deepest = fmax(deepest, depth_by_looking(world, 5, &placed));
                }
            }
            const ScreeBodyView b = scree_world_get_bodies(world);
            fastest = fmax(rig_length(b.velocity[0]), 0.1 * rig_length(b.spin[0]));
            printf("kind %d from %d: deepest %.1e, %d not converged, z %.3f, moves at %.1e\n", kind,
                   place, deepest, open, b.position[0].z, fastest);
            CHECK(deepest < 3e-4);
            CHECK(open == 0);
            CHECK(b.position[0].z > floor);
            scr_placed_free(&placed);
            scree_world_destroy(world);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(gaps_are_those_to_many_triangles);
    CHECK_RUN(a_rock_that_leans_into_a_tube_is_met_at_its_vertex);
    CHECK_RUN(bodies_that_are_not_convex_are_met_as_their_pieces);
    CHECK_RUN(bodies_fall_across_the_rim_of_a_tube);
    return check_result();
}
