/* Bodies that begin in each other are found, however deep they are; those that only come near are not. */
#include "support.h"

#include "math/vec.h"

/* A ring, and an L of 2 x 2 x 1 with arms of 0.7, about their centres of mass, and where their flesh is. */
#define RING "torus: {radius: 1, thickness: 0.5}"
static const char ell[] =
    "polyhedron: {vertices: [[0, 0, 0], [2, 0, 0], [2, 0.7, 0], [0.7, 0.7, 0], [0.7, 2, 0], "
    "[0, 2, 0], [0, 0, 1], [2, 0, 1], [2, 0.7, 1], [0.7, 0.7, 1], [0.7, 2, 1], [0, 2, 1]], "
    "faces: [[0, 3, 2, 1], [0, 5, 4, 3], [6, 7, 8, 9], [6, 9, 10, 11], [0, 1, 7, 6], "
    "[1, 2, 8, 7], [2, 3, 9, 8], [3, 4, 10, 9], [4, 5, 11, 10], [5, 0, 6, 11]]}";

/* What overlaps in a world of these grains and walls. */
static ScreeOverlap overlap_of(const char *walls, const char *grains) {
    char text[7000];
    Scene *scene;
    ScreeWorld *world;
    ScreeOverlap found = {.count = SIZE_MAX};
    snprintf(text, sizeof text, BASE "overlap: accept\nwalls: {%s}\ngrains: [%s]\n", walls, grains);
    if (built(text, &scene, &world)) {
        CHECK(scree_world_find_overlaps(world, &found) == SCREE_OK);
        dropped(scene, world);
    }
    return found;
}

/* Two rings about one axis part along it, after 0.5 less the way between them; no way out is longer than
 * that, and one of nine tenths is short of it. The certificate tells of them, though nothing parts them. */
static void rings_on_one_axis(void) {
    const double ways[] = {0, 1e-9, 1e-4, 0.01, 0.03, 0.1, 0.25, 0.4, 0.45, 0.499, 0.501};
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE "overlap: accept\ngrains: [{" RING ", at: [[0, 0, 0], [0, 0, 0]]}]\n", &scene,
               &world)) {
        return;
    }
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k += CHECK_STRIDE) {
        ScreeOverlap found;
        double depth = scr_max(0, 0.5 - ways[k]);
        scree_body_set_position(world, (ScreeBodyId){1}, vec3(0, 0, ways[k]));
        CHECK(scree_world_find_overlaps(world, &found) == SCREE_OK);
        CHECK(found.count == (depth > 0 ? 1u : 0u));
        CHECK(found.depth <= depth + 1e-9 && found.depth >= 0.9 * depth - 1e-9);
    }
    ScreeReport report;
    scree_body_set_position(world, (ScreeBodyId){1}, vec3(0, 0, 0.1));
    CHECK(scree_world_step(world, &report) == SCREE_OK);
    CHECK(report.overlap_max > 0.36 && report.overlap_max < 0.4 + 1e-9);
    dropped(scene, world);
}

/* Every kind of body in the flesh of a ring and of an L, and beside them. */
static void every_kind_is_found(void) {
    const char *const kind[] = {
        "radius: 0.1",
        "box: {size: [0.1, 0.2, 0.3]}",
        "box: {size: [0.02, 0.02, 3]}",
        "box: {size: [0.4, 0.4, 0.4], rounding: 0.1}",
        "rod: {length: 1, radius: 0.05}",
        "plate: {size: [0.6, 0.6, 0.02]}",
        "ellipsoid: {size: [0.3, 0.2, 0.1]}",
        "superellipsoid: {size: [0.3, 0.2, 0.1], exponents: [4, 3]}",
        "cylinder: {radius: 0.03, height: 2}",
        "cone: {radius: 0.1, height: 0.3}",
        "torus: {radius: 0.1, thickness: 0.05}",
        "compound: [{rod: {length: 0.6, radius: 0.05}}, {sphere: {radius: 0.1}}]",
        "rock: {faces: 20, size: 0.3}",
        ell,
        RING,
    };
    /* the centre of mass of the L is as far as this from both of its long sides */
    const double middle = (1.4 * 1 + 0.91 * 0.35) / (1.4 + 0.91);
    const int kinds = (int)(sizeof kind / sizeof kind[0]);
    const Vec3 flesh[2] = {vec3(1, 0, 0), vec3(0.35 - middle, 0.35 - middle, 0)};
    const char *const body[2] = {RING, ell};
    for (int k = CHECK_STRIDE == 1 ? 0 : 5; k < 6; k++) {
        char grains[6000];
        int b = k % 2, far = k / 2 == 2, at = 0;
        at += snprintf(grains, sizeof grains, "{%s, at: [", body[b]);
        for (int i = 0; i < kinds; i++) {
            at += snprintf(grains + at, sizeof grains - (size_t)at, "[%d, 0, 0], ", 10 * i);
        }
        at += snprintf(grains + at, sizeof grains - (size_t)at, "]}");
        for (int i = 0; i < kinds; i++) {
            Vec3 x = far ? vec3(0, 0, 4) : flesh[b];
            at +=
                snprintf(grains + at, sizeof grains - (size_t)at,
                         ", {%s, position: [%.17g, %.17g, %.17g]%s}", kind[i], x.x + 10 * i, x.y,
                         x.z + 0.02 * k, i == 0 ? "" : ", orientation: {angles: [0.3, 0.2, 0.1]}");
        }
        const ScreeOverlap found = overlap_of("", grains);
        CHECK(found.count == (size_t)(far ? 0 : kinds));
    }
}

/* Bodies that coincide; the L is 0.7 thick. */
static void bodies_may_coincide(void) {
    char grains[1000];
    snprintf(grains, sizeof grains, "{%s, at: [[0, 0, 0], [0, 0, 0]]}", ell);
    const ScreeOverlap found = overlap_of("", grains);
    CHECK(found.count == 1 && found.depth > 0.4 && found.depth < 0.7 + 1e-9);
}

/* A ring flat over a plane and across a mesh, around a rod, in a tube, on the rim of a can. */
static void walls_are_found(void) {
#define PLANE "plane: {point: [0, 0, 0], normal: [0, 0, 1]}"
#define SHEET "mesh: {vertices: [[-3, -3, 0], [3, -3, 0], [0, 3, 0]], faces: [[0, 1, 2]]}"
#define ROD   "cylinder: {point: [0, 0, 0], radius: 1, side: outside}"
#define TUBE  "cylinder: {point: [0, 0, 0], radius: 0.2, side: inside}"
#define CAN   "cylinder: {point: [0, 0, 0], radius: 1, length: 2, side: inside}"
    const struct {
        const char *wall;
        double height[4], depth[4];
    } cases[] = {
        {PLANE, {0.26, 0.1, 0, -2}, {0, 0.15, 0.25, 2.25}},
        {SHEET, {0.26, 0.1, 0.01, -0.26}, {0, 0.15, 0.24, 0}},
        {ROD, {0, 0.1, 1, 10}, {0.25, 0.25, 0.25, 0.25}},
        {TUBE, {0, 0.1, 1, 10}, {1.05, 1.05, 1.05, 1.05}},
        {CAN, {1.26, 1.1, 0.5, 0}, {0, 0.15, 0.25, 0.25}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += CHECK_STRIDE) {
        char text[400];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text,
                 BASE "overlap: accept\nwalls: {w: {%s}}\ngrains: [{%s, position: [0, 0, 0]}]\n",
                 cases[i].wall, RING);
        if (!built(text, &scene, &world)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            ScreeOverlap found;
            scree_body_set_position(world, (ScreeBodyId){0}, vec3(0, 0, cases[i].height[k]));
            CHECK(scree_world_find_overlaps(world, &found) == SCREE_OK);
            CHECK(found.count == (cases[i].depth[k] > 0 ? 1u : 0u));
            CHECK(found.depth >= 0.75 * cases[i].depth[k] - 1e-9);
        }
        dropped(scene, world);
    }
}

/* The same of a box of 0.6 across walls with round openings, or within them. From a plate in it at the height h over its
 * middle it parts after 0.3 - |h| one way. At the height z over its tip the funnel is z away from its axis: so with the
 * middle of the box at 0.5 it is z - 0.2 deep, and across an edge 0.3 - z / sqrt(2). */
static void openings_are_walls_around_them(void) {
#define PLATE "plate: {center: [0, 0, 0], size: [4, 4]}"
#define HOLE                                                                                       \
    "plate: {center: [0, 0, 0], size: [4, 4], holes: {radius: 0.5, count: [1, 1], spacing: [1, "   \
    "1]}}"
#define NARROW                                                                                     \
    "plate: {center: [0, 0, 0], size: [4, 4], holes: {radius: 0.4, count: [1, 1], spacing: [1, "   \
    "1]}}"
#define DISC "disc: {center: [0, 0, 0], radius: 2, hole: 0.5}"
#define CONE "cone: {from: [0, 0, 0], to: [0, 0, 4], radii: [0, 4]}"
    const struct {
        const char *wall;
        double height[4], depth[4];
    } cases[] = {
        {PLATE, {0.31, 0.2, 0.05, -0.31}, {0, 0.1, 0.25, 0}},
        {HOLE, {0, 0.1, 0.29, -0.31}, {0, 0, 0, 0}},
        {NARROW, {0.31, 0.2, 0, -0.31}, {0, 0.01, 0.01, 0}},
        {DISC, {0.31, 0.2, 0, -0.29}, {0, 0, 0, 0}},
        {CONE, {1, 0.5, 0.1, -0.31}, {0, 0.5 / (1 + sqrt(0.5)) - 0.2, 0.25, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += CHECK_STRIDE) {
        for (int k = 0; k < 4; k++) {
            char grains[200];
            snprintf(grains, sizeof grains, "{box: {size: [0.6, 0.6, 0.6]}, position: [0, 0, %g]}",
                     cases[i].height[k]);
            char wall[200];
            snprintf(wall, sizeof wall, "w: {%s}", cases[i].wall);
            const ScreeOverlap found = overlap_of(wall, grains);
            CHECK(found.count == (cases[i].depth[k] > 0 ? 1u : 0u));
            CHECK(found.depth >=
                  cases[i].depth[k] / 1.5 - 1e-9); /* as deep as that, the search ends */
            CHECK(found.depth <= 0.3 + 1e-9);
        }
    }
}

/* Thin bodies beside each other are not deep in each other from behind. */
static void nothing_is_found_beside(void) {
    static const char grains[] = "{torus: {radius: 1, thickness: 0.1}, at: [[0.355, 0.4955, "
                                 "-0.157], [10, 0, 0], [20, 0, 0]]}, "
                                 "{box: {size: [2, 2, 0.05]}, position: [0, 0, 0]}, "
                                 "{cylinder: {radius: 0.05, height: 3}, position: [10.85, 0, 0]}, "
                                 "{box: {size: [0.1, 0.1, 3]}, position: [20.85, 0, 0]}";
    const ScreeOverlap found = overlap_of("", grains);
    CHECK(found.count == 0 && found.depth == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(rings_on_one_axis);
    CHECK_RUN(every_kind_is_found);
    CHECK_RUN(bodies_may_coincide);
    CHECK_RUN(walls_are_found);
    CHECK_RUN(openings_are_walls_around_them);
    CHECK_RUN(nothing_is_found_beside);
    return check_result();
}
