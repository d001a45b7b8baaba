/* `fill` inside walls: grains lie where the wall encloses them, and a solid fraction is that of the room, whose volume is known
 * in closed form. */
#include "support.h"

#include <math.h>
#include <string.h>

#define GRAINS(fraction, radius, fill)                                                             \
    "grains: [{solid_fraction: " fraction ", radius: " radius ", fill: {" fill "}}]\n"
#define SPACE "dimension: 3\n" BASE
#define PLANE "dimension: 2\n" BASE

static bool in_drum(ScreeVec3 x) { /* of radius 1 about the y axis, from -0.5 to 0.5 */
    return hypot(x.x, x.z) <= 0.95 + 1e-12 && fabs(x.y) <= 0.45 + 1e-12;
}

static bool in_lower_half(ScreeVec3 x) {
    return in_drum(x) && x.z <= -0.05 + 1e-12;
}

static bool in_slanted(ScreeVec3 x) { /* about x = z, between -1 and 1 */
    return hypot(x.y, (x.x - x.z) / sqrt(2)) <= 0.45 + 1e-12 && fabs(x.z) <= 0.95 + 1e-12;
}

static bool
in_pyramid(ScreeVec3 x) { /* of height 2 on the square of side 2, upside down, open above */
    /* distance of |x| = z / 2 from a side whose normal is (2, 0, -1) / sqrt 5 */
    return x.z <= 1.95 + 1e-12 && x.z - 2 * fabs(x.x) >= 0.05 * sqrt(5) - 1e-9 &&
           x.z - 2 * fabs(x.y) >= 0.05 * sqrt(5) - 1e-9;
}

static bool in_half_disk(ScreeVec3 x) {
    return hypot(x.x - 1, x.y) <= 0.98 + 1e-12 && x.y <= -0.02 + 1e-12;
}

static bool in_funnel(ScreeVec3 x) { /* of radius 0.2 + 0.4 z, from 0 to 2: its wall leans by 0.4 */
    return x.z >= 0.05 - 1e-12 && x.z <= 1.95 + 1e-12 &&
           0.2 + 0.4 * x.z - hypot(x.x, x.y) >= 0.05 * sqrt(1.16) - 1e-9;
}

static bool in_lower_funnel(ScreeVec3 x) {
    return in_funnel(x) && x.z <= 0.95 + 1e-12;
}

static bool in_tank(ScreeVec3 x) {
    return x.x >= 0.05 - 1e-12 && x.x <= 0.95 + 1e-12 && x.y >= 0.05 - 1e-12 &&
           x.y <= 1.95 + 1e-12 && x.z >= 0.55 - 1e-12 && x.z <= 0.95 + 1e-12;
}

#define TANK   "walls: {tank: {box: {min: [0, 0, 0], max: [1, 2, 1]}, open: top}}\n"
#define FUNNEL "walls: {funnel: {cone: {from: [0, 0, 0], to: [0, 0, 2], radii: [0.2, 1]}}}\n"
#define DRUM   "walls: {drum: {drum: {center: [0, 0, 0], radius: 1, length: 1}}}\n"
#define PIPE                                                                                       \
    "walls: {pipe: {cylinder: {point: [0, 0, 0], axis: [1, 0, 1], radius: 0.5, side: inside}}}\n"
#define DISK "walls: {ring: {drum: {center: [1, 0], radius: 1}}}\n"
/* turned about z, moved and moved back: position and orientation of the mesh count */
#define PYRAMID                                                                                    \
    "walls: {cone: {mesh: {vertices: [[0, 0, -2], [1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, "    \
    "0]],"                                                                                         \
    " faces: [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]], position: [0, 0, 2],"                   \
    " orientation: {axis: [0, 0, 1], angle: 1.5707963267948966}}}}\n"

static void rooms_are_filled_as_far_as_asked(void) {
    const struct {
        const char *scene;
        double volume, grain;
        bool (*inside)(ScreeVec3 x);
    } cases[] = {
        {SPACE DRUM GRAINS("0.2", "0.05", "inside: drum"), M_PI, 4 * M_PI / 3 * 1.25e-4, in_drum},
        {SPACE DRUM GRAINS("0.2", "0.05", "inside: drum, max: [9, 9, 0]"), M_PI / 2,
         4 * M_PI / 3 * 1.25e-4, in_lower_half},
        /* a pipe of radius r between two planes h apart, across z: r^2 pi h over the slope of its axis */
        {SPACE PIPE GRAINS("0.2", "0.05", "inside: pipe, min: [-3, -3, -1], max: [3, 3, 1]"),
         M_PI * 0.25 * 2 * sqrt(2), 4 * M_PI / 3 * 1.25e-4, in_slanted},
        {SPACE PYRAMID GRAINS("0.2", "0.05", "inside: cone"), 8.0 / 3, 4 * M_PI / 3 * 1.25e-4,
         in_pyramid},
        {SPACE FUNNEL GRAINS("0.2", "0.05", "inside: funnel"), M_PI / 3 * 2 * 1.24,
         4 * M_PI / 3 * 1.25e-4, in_funnel},
        {SPACE FUNNEL GRAINS("0.2", "0.05", "inside: funnel, max: [9, 9, 1]"), M_PI / 3 * 0.52,
         4 * M_PI / 3 * 1.25e-4, in_lower_funnel},
        {SPACE TANK GRAINS("0.2", "0.05", "inside: tank, min: [0, 0, 0.5]"), 1,
         4 * M_PI / 3 * 1.25e-4, in_tank},
        {PLANE DISK GRAINS("0.3", "0.02", "inside: ring, max: [2, 0]"), M_PI / 2, M_PI * 4e-4,
         in_half_disk},
    };
    const double fractions[] = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.3};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scene *scene;
        ScreeWorld *world;
        if (!built(cases[i].scene, &scene, &world)) {
            continue;
        }
        ScreeBodyView bodies = scree_world_get_bodies(world);
        /* the last grain is drawn if it brings the sum nearer: half a grain off at most; for a mesh, columns are summed,
         * and 1e-4 of the volume is allowed for them; for a cone that is cut, small cubes, of which 4e-3 */
        double found = (double)bodies.count * cases[i].grain;
        CHECK_NEAR(found, fractions[i] * cases[i].volume,
                   0.5 * cases[i].grain + (cases[i].inside == in_pyramid        ? 1e-4
                                           : cases[i].inside == in_lower_funnel ? 4e-3
                                                                                : 1e-8) *
                                              fractions[i] * cases[i].volume);
        size_t outside = 0;
        for (size_t k = 0; k < bodies.count; k++) {
            outside += !cases[i].inside(bodies.position[k]);
        }
        CHECK(outside == 0);
        dropped(scene, world);
    }
}

/* The error of a scene that must not be built. */
static void refused(const char *text, const char *words) {
    SceneError error = {0};
    ScreeWorld *world = NULL;
    Scene *scene = scene_parse(text, strlen(text), "test.yaml", NULL, 0, &error);
    bool ok = scene != NULL && scene_build(scene, &world, &error);
    CHECK(!ok && strstr(error.text, words) != NULL);
    if (strstr(error.text, words) == NULL) {
        fprintf(stderr, "    '%s' is not in: %s", words, error.text);
    }
    dropped(scene, world);
}

static void what_has_no_inside_is_refused(void) {
    refused(SPACE DRUM GRAINS("0.2", "0.05", "inside: drun"), "did you mean 'drum'");
    refused(SPACE PIPE GRAINS("0.2", "0.05", "inside: pipe"), "has no ends");
    refused(SPACE DRUM GRAINS("0.2", "0.05", "inside: drum, min: [0, 0, 2]"), "leave nothing");
    refused(SPACE DRUM GRAINS("0.2", "0.05", "min: [0, 0, 0]"), "needs min and max");
    refused(SPACE "walls: {post: {block: {min: [0, 0, 0], max: [1, 1, 1]}}}\n" GRAINS(
                "0.2", "0.05", "inside: post"),
            "a room is inside a box");
    refused(SPACE
            "walls: {lid: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces: [[0, 1, "
            "2]]}}}\n" GRAINS("0.2", "0.05", "inside: lid"),
            "nothing");
    /* 0.9 of the volume where 0.3 is what random positions reach: three times the room is needed */
    refused(SPACE DRUM GRAINS("0.9", "0.05", "inside: drum"),
            "give the wall 3 times the room inside");
}

int main(int argc, char **argv) {
    CHECK_RUN(rooms_are_filled_as_far_as_asked);
    CHECK_RUN(what_has_no_inside_is_refused);
    return check_result();
}
