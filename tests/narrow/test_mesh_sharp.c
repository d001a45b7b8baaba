/* Sharp bodies that have entered a wall of triangles: what leans into it has nothing of itself straight behind its
 * deepest point, and was taken for something that lies behind the wall. */
#include "physics/mesh_rig.h"

#include "api/world.h"
#include "math/elementary.h"
#include "narrow/outlines.h"

enum { MOST_POINTS = 8 };

static ScreeWorld *over_floor(const ScreeVec3 *point, size_t points, Floor floor, ScreeQuat q) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0.5);
    rig_add_floor(world, floor, rig_upright);
    rig_add_solid(world, rig_hull(world, point, points, 0), rig_vec(0, 0, 0), q);
    return world;
}

/* The deepest vertex of the body to this depth below the floor z = 0. Returns the width of the body across it. */
static double lower(ScreeWorld *world, double x, double y, double depth, Placed *placed) {
    State *s = &world->state;
    CHECK(scr_place_outlines(s, placed));
    const PlacedSolid *solid = &placed->solid[0];
    const Polyhedron *part = &solid->solid->part[0];
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < part->vertices; v++) {
        double z = scr_out_of_frame(solid, scr_vertex(part, v)).z;
        low = fmin(low, z);
        high = fmax(high, z);
    }
    s->bodies.position[0] = rig_vec(x, y, -low - depth);
    CHECK(scr_place_outlines(s, placed));
    return high - low;
}

/* The deepest point is so deep, and all of them push the body up. */
static bool is_met(ScreeWorld *world, double depth, const Placed *placed, PairWork *work) {
    const StepMotion none = {.shift = {0, 0, 0}};
    double least = INFINITY;
    bool up = true;
    rig_must(scr_pair_points(&world->state, placed, 0, -1, (OldPoints){NULL, 0}, &none, 1e-3, work),
             "points");
    for (size_t i = 0; i < work->touches.count; i++) {
        least = fmin(least, work->touches.item[i].gap);
        up = up && work->touches.item[i].normal.z < 0; /* from the body into the floor */
    }
    return up && fabs(least + depth) < 1e-12;
}

/* A needle that leans by 45 degrees: above its tip there is air. */
static void a_needle_that_leans_is_met_at_its_tip(void) {
    static const ScreeVec3 needle[4] = {
        {0, 0, 0}, {1, 0.03, 1}, {1.03, -0.03, 0.97}, {0.97, -0.03, 1.03}};
    for (Floor floor = 0; floor < FLOORS; floor++) {
        for (int k = 0; k < 5; k++) {
            const double depth[5] = {1e-9, 1e-4, 2e-3, 0.02, 0.06};
            ScreeWorld *world = over_floor(needle, 4, floor, rig_upright);
            Placed placed = {0};
            PairWork work = {0};
            lower(world, 0.3, 0.2, depth[k], &placed);
            CHECK(is_met(world, depth[k], &placed, &work));
            scr_placed_free(&placed);
            scr_pair_work_free(&work);
            scree_world_destroy(world);
        }
    }
}

/* Flat and slender ones, too; no deeper than a tenth of their width, so that they are above it in the main. */
static void sharp_bodies_are_met_at_their_deepest_vertex(void) {
    uint64_t random = 5;
    int missed = 0;
    for (int k = 0; k < 400; k += CHECK_STRIDE) {
        ScreeVec3 point[MOST_POINTS];
        size_t points = 4 + (size_t)k % (MOST_POINTS - 3);
        double wide = scr_exp(-3 * rig_random(&random)), deep = scr_exp(-3 * rig_random(&random));
        for (size_t i = 0; i < points; i++) {
            ScreeVec3 p = rig_random_vec(&random, 1, 3);
            point[i] = rig_vec(wide * p.x, deep * p.y, p.z);
        }
        ScreeVec3 at = rig_random_vec(&random, 1, 3);
        ScreeQuat q = rig_random_rotation(&random, 3);
        double share = scr_exp(-18 * rig_random(&random));
        ScreeWorld *world = over_floor(point, points, k % 2 ? FLOOR_QUAD : FLOOR_TRIANGLES, q);
        Placed placed = {0};
        PairWork work = {0};
        double width = lower(world, at.x, at.y, 0, &placed), depth = 0.1 * share * width;
        lower(world, at.x, at.y, depth, &placed);
        missed += !is_met(world, depth, &placed, &work);
        scr_placed_free(&placed);
        scr_pair_work_free(&work);
        scree_world_destroy(world);
    }
    CHECK(missed == 0);
}

/* A plate as thin as a fiftieth of its size, flat on the floor or below it, is met from where it is. */
static void thin_plates_are_met_from_their_own_side(void) {
    for (int below = 0; below < 2; below++) {
        for (Floor floor = FLOOR_QUAD; floor < FLOORS; floor++) {
            ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0.5);
            const double thick = 0.01, depth = 1e-3, way = 0.5 * thick - depth;
            rig_add_floor(world, floor, rig_upright);
            rig_add_solid(world, rig_box(world, 0.4, 0.3, thick),
                          rig_vec(0.2, 0.1, below ? -way : way),
                          rig_rotation(rig_vec(0, 0, 1), 0.7));
            const ScreeReport r = rig_step(world);
            const ScreeContactView c = scree_world_get_contacts(world);
            CHECK(r.converged);
            CHECK(c.count >= 3);
            for (size_t i = 0; i < c.count; i++) {
                CHECK_NEAR(c.contact[i].gap, -depth, 1e-12);
                CHECK_NEAR(c.contact[i].normal.z, below ? 1 : -1, 1e-12);
            }
            scree_world_destroy(world);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(a_needle_that_leans_is_met_at_its_tip);
    CHECK_RUN(sharp_bodies_are_met_at_their_deepest_vertex);
    CHECK_RUN(thin_plates_are_met_from_their_own_side);
    return check_result();
}
