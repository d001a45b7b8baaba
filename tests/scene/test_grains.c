/* Grains listed one by one, from files, on lattices and at random; walls and their parts. */
#include "support.h"

#include "scene/make/clear.h"
#include "scene/make/wall_distance.h"

#include <unistd.h>

static double distance(ScreeVec3 a, ScreeVec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void explicit_grains_arrive_as_written(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE
               "dimension: 2\ngrains:\n"
               "  - {at: [[0, 0], [3, 1]], radius: [1, 0.5], velocity: [1, 2], spin: 3, frozen: "
               "[x, rotation]}\n"
               "  - {position: [9, 9], radius: 2, mass: 7, inertia: 5, force: [1, 0], torque: 4}\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 3);
    CHECK(b.position[1].x == 3 && b.position[1].y == 1 && b.radius[1] == 0.5);
    CHECK(b.velocity[0].y == 2 && b.spin[1].z == 3);
    CHECK((b.frozen[0] & SCREE_FREEZE_X) && !(b.frozen[0] & SCREE_FREEZE_Y));
    CHECK((b.frozen[0] & SCREE_FREEZE_ROTATION_Z) && !(b.frozen[2] & SCREE_FREEZE_ROTATION_Z));
    CHECK(b.mass[2] == 7 && b.inertia[2] == 5 && b.force[2].x == 1 && b.torque[2].z == 4);
    CHECK_CLOSE(b.mass[0], 2 * 3.14159265358979, 1e-12);
    dropped(scene, world);
}

static void grains_are_read_from_files(void) {
    char folder[] = "/tmp/scree-scene-XXXXXX", path[64], name[64];
    bool made = mkdtemp(folder) != NULL;
    CHECK(made);
    if (!made) {
        return;
    }
    snprintf(path, sizeof path, "%s/g.csv", folder);
    snprintf(name, sizeof name, "%s/s.yaml", folder);
    FILE *file = fopen(path, "w");
    CHECK(file &&
          fputs("# two grains\n radius , x,y,z,vx,wz,material,mass\r\n"
                "0.5,1e0,2,3,-4,5,sand,6\n\n0.25,7,8,9,0,0,stone,1",
                file) >= 0 &&
          fclose(file) == 0);
    const char *text = "time: {step: 1, end: 1}\nmaterials: {stone: {}, sand: {}}\n"
                       "grains: [{file: g.csv, velocity: [0, 1, 0]}]\n";
    Scene *scene = scene_parse(text, strlen(text), name, NULL, 0, NULL);
    ScreeWorld *world = NULL;
    SceneError error;
    CHECK(scene && scene_build(scene, &world, &error));
    if (world) {
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK(b.count == 2 && b.radius[0] == 0.5 && b.radius[1] == 0.25);
        CHECK(b.position[0].x == 1 && b.position[0].z == 3 && b.position[1].y == 8);
        CHECK(b.velocity[0].x == -4 && b.velocity[0].y == 1 && b.spin[0].z == 5);
        CHECK(b.material[0].index == 1 && b.material[1].index == 0 && b.mass[0] == 6);
    }
    dropped(scene, world);
    unlink(path);
    rmdir(folder);
}

/* ---------------------------------------------------------------- lattices */

/* Smallest distance of two grains, and how many have it (to 1e-9). */
static double nearest(const ScreeBodyView *b, size_t i, int *count) {
    double least = INFINITY;
    for (size_t j = 0; j < b->count; j++) {
        if (j != i) {
            least = fmin(least, distance(b->position[i], b->position[j]));
        }
    }
    *count = 0;
    for (size_t j = 0; j < b->count; j++) {
        *count += j != i && distance(b->position[i], b->position[j]) < least * (1 + 1e-9);
    }
    return least;
}

typedef struct LatticeCase {
    const char *text;
    size_t count;
    double spacing;
    int neighbours; /* the most neighbours that a grain has */
} LatticeCase;

static const LatticeCase lattices[] = {
    {"dimension: 2\ngrains: [{radius: 0.5, lattice: {min: [0, 0], max: [5, 4]}}]\n", 20, 1, 4},
    {"dimension: 2\ngrains: [{radius: 0.5, lattice: {min: [0, 0], max: [5.99, 4]}}]\n", 20, 1, 4},
    {"grains: [{radius: 0.1, lattice: {min: [0, 0, 0], counts: [3, 4, 5], spacing: 0.3}}]\n", 60,
     0.3, 6},
    {"dimension: 2\ngrains: [{radius: 0.5, lattice: {min: [0, 0], counts: [5, 5], kind: "
     "hexagonal}}]\n",
     25, 1, 6},
    /* rows of 5 and 4 in turn; 1 + 4 * 0.866 = 4.46 high */
    {"dimension: 2\ngrains: [{radius: 0.5, lattice: {min: [0, 0], max: [5, 4.47], kind: "
     "hexagonal}}]\n",
     5 + 4 + 5 + 4 + 5, 1, 6},
    {"grains: [{radius: 0.5, lattice: {min: [0, 0, 0], counts: [5, 5, 5], kind: hexagonal}}]\n",
     125, 1, 12},
};

static void lattices_have_their_counts_and_spacing(void) {
    for (size_t c = 0; c < sizeof lattices / sizeof lattices[0]; c++) {
        char text[512];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text, BASE "%s", lattices[c].text);
        if (!built(text, &scene, &world)) {
            continue;
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        int most = 0;
        CHECK(b.count == lattices[c].count);
        for (size_t i = 0; i < b.count; i++) {
            int count;
            CHECK_CLOSE(nearest(&b, i, &count), lattices[c].spacing, 1e-12);
            most = count > most ? count : most;
        }
        CHECK(most == lattices[c].neighbours);
        CHECK_CLOSE(b.position[0].x, lattices[c].spacing / 2, 1e-12);
        dropped(scene, world);
    }
}

static void jitter_stays_in_its_bounds(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE
               "grains: [{radius: 0.1, lattice: {min: [0, 0, 0], counts: [20, 20, 20], spacing: 1, "
               "jitter: 0.25}}]\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    double sum = 0, sum2 = 0;
    for (size_t i = 0; i < b.count; i++) {
        double x = b.position[i].x - (floor(b.position[i].x) + 0.5);
        CHECK(fabs(x) <= 0.25);
        sum += x;
        sum2 += x * x;
    }
    double n = (double)b.count, variance = 0.5 * 0.5 / 12;
    CHECK_NEAR(sum / n, 0, 5 * sqrt(variance / n));
    CHECK_NEAR(sum2 / n, variance, 5 * variance * sqrt(0.8 / n)); /* kurtosis 9/5 */
    dropped(scene, world);
}

/* ---------------------------------------------------------------- random insertion */

/* All pairs, with the nearest image across periodic directions of the given lengths (0: none). */
static void check_clear(const ScreeBodyView *b, double lx, double ly) {
    double worst = INFINITY;
    for (size_t i = 0; i < b->count; i++) {
        for (size_t j = i + 1; j < b->count; j++) {
            ScreeVec3 d = b->position[j];
            d.x -= b->position[i].x;
            d.y -= b->position[i].y;
            d.z -= b->position[i].z;
            d.x -= lx > 0 ? lx * round(d.x / lx) : 0;
            d.y -= ly > 0 ? ly * round(d.y / ly) : 0;
            double gap = sqrt(d.x * d.x + d.y * d.y + d.z * d.z) - b->radius[i] - b->radius[j];
            worst = fmin(worst, gap);
        }
    }
    CHECK(worst >= -1e-12);
}

/* Cones, discs and plates with holes, whose axes and normals are given with any length: nothing begins in them, and
 * there are grains on all of their sides. */
static void fill_is_clear_of_thin_walls(void) {
    static const char *const what[2] = {"radius: 0.04, count: 600",
                                        "box: {size: [0.06, 0.04, 0.05]}, count: 300"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        Scene *scene;
        ScreeWorld *world;
        snprintf(
            text, sizeof text,
            BASE
            "overlap: accept\n"
            "walls:\n"
            "  funnel: {cone: {from: [0, 0, 0.2], to: [0, 0.1, 0.5], radii: [0.1, 0.5]}}\n"
            "  tray: {disc: {center: [0, 0, -0.2], normal: [0, 0.3, 2], radius: 0.6}}\n"
            "  sieve: {plate: {center: [0, 0, 0], size: [1, 1], holes: {radius: 0.06, count: [4, "
            "4], "
            "spacing: [0.2, 0.2]}}}\n"
            "  pipe: {cylinder: {point: [0, 0, 0.8], axis: [0, 0, 3], radius: 0.4, length: 0.3, "
            "side: inside}}\n"
            "grains: [{%s, fill: {min: [-0.6, -0.6, -0.5], max: [0.6, 0.6, 1]}}]\n",
            what[k]);
        if (!built(text, &scene, &world)) {
            return;
        }
        const ScreeBodyView b = scree_world_get_bodies(world);
        ScreeOverlap overlap;
        size_t low = 0, between = 0;
        for (size_t i = 0; i < b.count; i++) {
            low += b.position[i].z < -0.3;
            between += b.position[i].z > -0.1 && b.position[i].z < 0;
        }
        CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK);
        CHECK(overlap.count == 0);
        CHECK(low > 10 && between > 2);
        scree_world_destroy(world);
        scene_free(scene);
    }
}

static void fill_is_clear_of_grains_and_walls(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(
            BASE
            "walls:\n"
            "  tank: {box: {min: [0, 0, 0], max: [4, 4, 4]}, open: top}\n"
            "  post: {cylinder: {point: [2, 2, 2], radius: 0.5, side: outside}}\n"
            "  step: {block: {center: [0, 0, 0], half: [1, 1, 1], orientation: [0.9, 0, 0, 0.4]}}\n"
            "grains:\n"
            "  - {radius: {power: {min: 0.05, max: 0.4, exponent: 3}}, solid_fraction: 0.2, fill: "
            "{min: [-1, 0, 0], max: [4, 4, 4]}}\n"
            "  - {radius: 0.3, at: [[3, 3, 3], [3, 3.6, 3]]}\n"
            "  - {radius: {uniform: [0.01, 0.02]}, count: 300, fill: {min: [2.5, 2.5, 2.5], max: "
            "[3.5, 4, 3.5]}}\n",
            &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    check_clear(&b, 0, 0);
    double volume = 0, largest = 0;
    for (size_t i = 0; i + 302 < b.count; i++) {
        volume += b.radius[i] * b.radius[i] * b.radius[i] * 4 * 3.14159265358979 / 3;
        largest = fmax(largest, b.radius[i]);
    }
    for (size_t i = 0; i < b.count; i++) {
        ScreeVec3 x = b.position[i];
        double r = b.radius[i];
        CHECK(x.x >= r && x.y >= r && x.z >= r && x.x <= 4 - r && x.y <= 4 - r);
        CHECK(hypot(x.x - 2, x.y - 2) >= 0.5 + r);
    }
    /* within half of one grain */
    CHECK_NEAR(volume, 0.2 * 5 * 4 * 4, 0.5 * pow(largest, 3) * 4 * 3.1416 / 3);
    dropped(scene, world);
}

static void fill_crosses_a_periodic_border(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE
               "dimension: 2\nperiodic: {x: [1, 6], y: [0, 5]}\n"
               "grains: [{radius: {uniform: [0.1, 0.3]}, solid_fraction: 0.45, fill: {min: [1, 0], "
               "max: [6, 5]}}]\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    check_clear(&b, 5, 5);
    int outside = 0; /* some must cross the border of the cell */
    for (size_t i = 0; i < b.count; i++) {
        outside += b.position[i].x - b.radius[i] < 1 || b.position[i].y + b.radius[i] > 5;
    }
    CHECK(b.count > 50 && outside > 0);
    dropped(scene, world);
}

/* Grains with successive numbers are near each other: a walk through all of them is short. */
static void fill_is_ordered_in_space_and_repeats(void) {
    const char *text =
        BASE "grains: [{radius: 0.05, count: 20000, fill: {min: [0, 0, 0], max: [5, 5, 5]}}]\n";
    Scene *a, *b;
    ScreeWorld *one, *two;
    if (!built(text, &a, &one) || !built(text, &b, &two)) {
        return;
    }
    ScreeBodyView p = scree_world_get_bodies(one), q = scree_world_get_bodies(two);
    CHECK(memcmp(p.position, q.position, p.count * sizeof *p.position) == 0);
    double walk = 0;
    for (size_t i = 1; i < p.count; i++) {
        walk += distance(p.position[i], p.position[i - 1]);
    }
    /* in random order 0.66 of the side each; along space about the spacing, 5 / 20000^(1/3) =
     * 0.18 */
    CHECK(walk / (double)p.count < 2 * 0.18);
    dropped(a, one);
    dropped(b, two);
}

static void fill_stays_inside_a_drum(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE
               "walls: {drum: {drum: {center: [0, 0, 0], axis: [0, 2, 0], radius: 1, length: 1}, "
               "spin: "
               "2}}\n"
               "grains: [{radius: 0.05, count: 500, fill: {min: [-1, -1, -1], max: [1, 1, 1]}}]\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        CHECK(hypot(b.position[i].x, b.position[i].z) <= 0.95 && fabs(b.position[i].y) <= 0.45);
    }
    static const char *const names[] = {"drum.shell", "drum.front", "drum.back"};
    CHECK(scene_wall_count(scene) == 3);
    for (int32_t i = 0; i < 3; i++) {
        ScreeWallState wall;
        CHECK(strcmp(scene_wall_name(scene, i), names[i]) == 0);
        CHECK(scree_wall_get_state(world, (ScreeWallId){i}, &wall) == SCREE_OK &&
              wall.now.spin.y == 2);
        CHECK(wall.now.pivot.x == 0 && wall.now.motion == SCREE_WALL_MOVED);
    }
    dropped(scene, world);
}

/* ---------------------------------------------------------------- overlap policy, boxes */

static bool builds(const char *policy) {
    char text[400];
    snprintf(text, sizeof text, BASE "grains: [{at: [[0, 0, 0], [0, 0, 1.9]], radius: 1}]\n%s",
             policy);
    Scene *scene = parsed(text);
    ScreeWorld *world = NULL;
    SceneError error;
    bool ok = scene && scene_build(scene, &world, &error);
    dropped(scene, world);
    return ok;
}

static void overlap_policies_are_obeyed(void) {
    CHECK(!builds("") && !builds("overlap: refuse\n"));
    CHECK(builds("overlap: accept\n") && builds("overlap: {tolerate: 0.11}\n"));
    CHECK(!builds("overlap: {tolerate: 0.09}\n"));
}

static void box_parts_have_their_names(void) {
    Scene *scene = parsed(
        BASE ONE "walls: {t: {box: {min: [0, 0, 0], max: [1, 2, 3]}, open: [back, left]}}\n");
    static const char *const names[] = {"t.right", "t.front", "t.bottom", "t.top"};
    CHECK(scene && scene_wall_count(scene) == 4);
    for (int32_t i = 0; scene && i < 4; i++) {
        CHECK(strcmp(scene_wall_name(scene, i), names[i]) == 0);
    }
    CHECK(!scene || (!scene_wall_name(scene, 4) && !scene_wall_name(scene, -1)));
    CHECK(!scene || strcmp(scene_material_name(scene, 0), "stone") == 0);
    scene_free(scene);
}

/* Comparing with a search over points of the surface would be slow; these distances are exact by
 * hand. */
static void wall_distances_match_exact_ones(void) {
    ScreeWallDef w = scree_wall_def_default();
    w.shape = SCREE_WALL_BLOCK;
    w.half = (ScreeVec3){1, 2, 3};
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){4, 6, 3}), 5.0, 1e-14);
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){0.5, 0, 0}), -0.5, 1e-14);
    w.orientation = (ScreeQuat){sqrt(0.5), 0, 0, sqrt(0.5)}; /* a quarter turn about z */
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){3, 0, 0}), 1.0, 1e-14);
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){0, 3, 0}), 2.0, 1e-14);
    w.shape = SCREE_WALL_CYLINDER;
    w.axis = (ScreeVec3){0, 0, 1};
    w.radius = 2;
    w.length = 4;
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){5, 0, 6}), 5.0, 1e-14);
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){0, 0, 3}), 1.0, 1e-14);
    w.inside = true;
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){0.5, 0, 1}), 1.5, 1e-14);
    CHECK(scene_wall_distance(&w, (ScreeVec3){3, 0, 0}) < 0);
    w.shape = SCREE_WALL_SEGMENT;
    w.end = (ScreeVec3){2, 0, 0};
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){1, 3, 0}), 3.0, 1e-14);
    CHECK_CLOSE(scene_wall_distance(&w, (ScreeVec3){5, 4, 0}), 5.0, 1e-14);
}

int main(int argc, char **argv) {
    CHECK_RUN(explicit_grains_arrive_as_written);
    CHECK_RUN(grains_are_read_from_files);
    CHECK_RUN(lattices_have_their_counts_and_spacing);
    CHECK_RUN(jitter_stays_in_its_bounds);
    CHECK_RUN(fill_is_clear_of_grains_and_walls);
    CHECK_RUN(fill_is_clear_of_thin_walls);
    CHECK_RUN(fill_crosses_a_periodic_border);
    CHECK_RUN(fill_is_ordered_in_space_and_repeats);
    CHECK_RUN(fill_stays_inside_a_drum);
    CHECK_RUN(overlap_policies_are_obeyed);
    CHECK_RUN(box_parts_have_their_names);
    CHECK_RUN(wall_distances_match_exact_ones);
    return check_result();
}
