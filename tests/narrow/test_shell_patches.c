/* NURBS surfaces at cones, discs, rings, plates with holes and hollow cylinders: rings against their closed form,
 * ellipsoids against the smooth parts that are the same bodies. */
#include "physics/smooth_rig.h"
#include "shape/surface_bodies.h"
#include "narrow/narrow.h"
#include "narrow/point_sight.h"
#include "shell_rig.h"

static SurfaceBody net; /* large */

static const double around = 0.12, thick = 0.03; /* of a ring, which may hang in a hole */

static ScreeShapeId rig_surface(ScreeWorld *world) {
    ScreeShapeId id = {-1};
    rig_must(scree_world_add_solid(world, &net.solid, &id), "surface");
    return id;
}

typedef enum Kind { RING, SMALL_RING, EGG, LIKE_EGG, KINDS } Kind;

static ScreeShapeId shape_of(ScreeWorld *world, Kind kind) {
    if (kind == LIKE_EGG) {
        return rig_ellipsoid(world, 0.3, 0.2, 0.12);
    }
    if (kind == EGG) {
        surface_ellipsoid(&net, 0.15, 0.1, 0.06, vec3(0, 0, 0));
    } else {
        surface_ring(&net, kind == RING ? around : 0.06, kind == RING ? thick : 0.02,
                     vec3(0, 0, 0));
    }
    return rig_surface(world);
}

static ScreeWorld *make(int shell, Kind kind) {
    const ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    const ScreeWallDef wall = shell_wall(shell);
    rig_material(world, 0.5);
    rig_add_wall(world, &wall);
    rig_add_solid(world, shape_of(world, kind), rig_vec(0, 0, 0), rig_upright);
    return world;
}

/* The distance from a ring whose axis is z, in its own frame. */
typedef struct Seen {
    const ScreeWorld *world;
    double around, thick;
    const Placed *placed; /* of an egg */
} Seen;

static double gap_to_ring(const void *of, ScreeVec3 x) {
    const Seen *ring = of;
    const State *s = &ring->world->state;
    Vec3 own = quat_rotate_back(s->bodies.orientation[0], sub(x, s->bodies.position[0]));
    return hypot(hypot(own.x, own.y) - ring->around, own.z) - ring->thick;
}

/* The distance from the smooth part that is the same body. */
static double gap_to_egg(const void *of, ScreeVec3 x) {
    const Placed *placed = ((const Seen *)of)->placed;
    const PlacedSolid *solid = &placed->solid[0];
    ScreeVec3 seen = rig_sub(x, ((const Seen *)of)->world->state.bodies.position[0]);
    return scr_point_sight(&solid->solid->part[0], scr_into_frame(solid, seen)).gap;
}

static void check_names(ScreeWorld *world, const Placed *placed, const PairWork *work) {
    for (size_t i = 0; i < work->touches.count; i++) {
        const OutlineTouch *t = &work->touches.item[i];
        const Contact c = {.b = -1, .feature = t->feature, .normal = t->normal, .gap = t->gap};
        CHECK_NEAR(scr_pair_gap(&world->state, placed, &c), t->gap, 1e-10);
        CHECK_VEC(scr_pair_arms(&world->state, &c).a, t->arm, 1e-6);
        CHECK(scr_point_before(&world->state, 0, -1, (OldPoints){&c, 1}, t->feature) == &c);
        for (size_t k = 0; k < i; k++) {
            CHECK(work->touches.item[k].feature != t->feature);
        }
    }
}

static void any_pose(int shell, uint64_t *random, ScreeVec3 *x, ScreeQuat *q) {
    double angle = 6.3 * rig_random(random), share = rig_random(random);
    *x = rig_add(shell_point(shell, angle, share), 1, rig_random_vec(random, 0.2, 3));
    *q = rig_random_rotation(random, 3);
}

/* The point of least gap lies on the wall, and the ring is no farther from it: so no lesser gap was told than there is.
 * Looking from many places may miss the best of them, but never tells a lesser one. */
static bool is_attained(const Seen *ring, const PairWork *work, double gap) {
    const State *s = &ring->world->state;
    for (size_t i = 0; i < work->touches.count; i++) {
        const OutlineTouch *t = &work->touches.item[i];
        Vec3 x = add_scaled(add(s->bodies.position[0], t->arm), 0.5 * t->gap, t->normal);
        double off = fabs(scr_touch_wall(&s->def, &s->walls.item[0].now, x, 0).gap);
        if (t->gap == gap) {
            return off < 1e-9 && fabs(gap_to_ring(ring, x) - gap) < 1e-9;
        }
    }
    return false;
}

static void gaps_of_rings_are_those_of_their_circles(void) {
    const double reach = 0.05;
    for (int shell = 0; shell < SHELLS; shell++) {
        for (Kind kind = RING; kind <= SMALL_RING; kind++) {
            ScreeWorld *world = make(shell, kind);
            const Seen ring = {world, kind == RING ? around : 0.06, kind == RING ? thick : 0.02,
                               NULL};
            Placed placed = {0};
            PairWork work = {0};
            uint64_t random = 3 + (uint64_t)kind;
            int compared = 0, entered = 0;
            for (int k = 0; k < 24; k += CHECK_STRIDE) {
                ScreeVec3 x;
                ScreeQuat q;
                any_pose(shell, &random, &x, &q);
                double gap = shell_least_gap(world, x, q, reach, &placed, &work);
                double sampled = shell_sampled_gap(shell, gap_to_ring, &ring, reach + 0.02);
                if (sampled < -2e-3 || fmin(gap, sampled) > reach) {
                    continue; /* across the wall, or too far away */
                }
                if (sampled <
                    -1e-6) { /* hardly in it: some place says so, none that it is deeper */
                    entered++;
                    CHECK(gap < 0 && gap > 3 * sampled);
                    continue;
                }
                compared++;
                CHECK(gap <= sampled + 1e-7);
                CHECK(is_attained(&ring, &work, gap));
                check_names(world, &placed, &work);
            }
            printf("    wall %d, ring %d: %d apart, %d entered\n", shell, (int)kind, compared,
                   entered);
            CHECK(compared > 0 || CHECK_STRIDE > 1);
            scr_placed_free(&placed);
            scr_pair_work_free(&work);
            scree_world_destroy(world);
        }
    }
}

static void gaps_of_eggs_are_those_of_ellipsoids(void) {
    const double reach = 0.05;
    for (int shell = 0; shell < SHELLS; shell++) {
        ScreeWorld *world[2] = {make(shell, EGG), make(shell, LIKE_EGG)};
        Placed placed[2] = {0};
        PairWork work[2] = {0};
        uint64_t random = 9;
        int compared = 0;
        for (int k = 0; k < 24; k += CHECK_STRIDE) {
            ScreeVec3 x;
            ScreeQuat q;
            double gap[2];
            any_pose(shell, &random, &x, &q);
            for (int w = 0; w < 2; w++) {
                gap[w] = shell_least_gap(world[w], x, q, reach, &placed[w], &work[w]);
            }
            const Seen egg = {world[1], 0, 0, &placed[1]};
            double sampled = shell_sampled_gap(shell, gap_to_egg, &egg, reach + 0.02);
            if (sampled < 0 || fmin(gap[0], gap[1]) > reach) {
                continue; /* across the wall, or too far away */
            }
            compared++;
            CHECK_NEAR(gap[0], gap[1], 1e-9);
            check_names(world[0], &placed[0], &work[0]);
        }
        printf("    wall %d: %d\n", shell, compared);
        CHECK(compared > 0 || CHECK_STRIDE > 1);
        for (int w = 0; w < 2; w++) {
            scr_placed_free(&placed[w]);
            scr_pair_work_free(&work[w]);
            scree_world_destroy(world[w]);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(gaps_of_rings_are_those_of_their_circles);
    CHECK_RUN(gaps_of_eggs_are_those_of_ellipsoids);
    return check_result();
}
