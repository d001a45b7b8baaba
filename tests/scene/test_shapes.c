/* Bodies with shapes: measures, positions, random ones, from files, and how they fill a region. */
#include "support.h"

#include "scene/make/angle.h"

#include <unistd.h>

#define FLAT BASE "dimension: 2\n"
static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------- measures */

typedef struct Measured {
    const char *entry;
    double area, gyration, radius; /* gyration: inertia over mass */
    double x, y;                   /* of the centroid */
} Measured;

/* A regular polygon of n corners on a circle R: area n/2 R^2 sin(2 pi / n), inertia over mass
 * R^2/2 (1 - 2/3 sin^2(pi / n)). A rod is a rectangle and two half disks, whose centroids lie
 * 4 r / (3 pi) beyond its ends. The L is a square of side 2 less one of side 1. */
static void outlines_have_their_measures(void) {
    double r = 0.25, half = pi * r * r / 2, bar = 2 * r * 1.5, rod = bar + 2 * half;
    double end = 0.75 + 4 * r / (3 * pi);
    double rod_inertia = bar * (1.5 * 1.5 + 4 * r * r) / 12 +
                         2 * half * (r * r / 2 - pow(4 * r / (3 * pi), 2) + end * end);
    double s = sin(pi / 6), ball = pi * 0.04;
    const Measured cases[] = {
        {"{position: [3, 4], rectangle: {size: [2, 1]}}", 2, 5 / 12.0, sqrt(1.25), 3, 4},
        {"{position: [3, 4], regular: {corners: 6, radius: 2}}", 6 * sqrt(3),
         2 * (1 - 2 * s * s / 3), 2, 3, 4},
        {"{position: [0, 1], rod: {length: 2, radius: 0.25}}", rod, rod_inertia / rod, 1, 0, 1},
        /* where the vertices are: centroid (4 * 1 - 1 * 3/2) / 3 along both axes */
        {"{polygon: {vertices: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}}", 3,
         (4 * (8 / 12.0 + 2 / 36.0) - (2 / 12.0 + 2 * 4 / 9.0)) / 3, sqrt(7 * 7 + 5 * 5) / 6,
         5 / 6.0, 5 / 6.0},
        /* the same clockwise and twice as large */
        {"{polygon: {vertices: [[0, 0], [0, 2], [1, 2], [1, 1], [2, 1], [2, 0]]}, scale: 2}", 12,
         4 * (4 * (8 / 12.0 + 2 / 36.0) - (2 / 12.0 + 2 * 4 / 9.0)) / 3, sqrt(7 * 7 + 5 * 5) / 3,
         5 / 3.0, 5 / 3.0},
        {"{compound: [{disk: {radius: 0.2}, center: [1, 2]}, {disk: {radius: 0.2}, center: [4, "
         "6]}]}",
         2 * ball, 0.02 + 2.5 * 2.5, 2.7, 2.5, 4},
        /* a compound of a single right-angled triangle, moved and turned */
        {"{compound: [{polygon: {vertices: [[0, 0], [1, 0], [0, 1]]}, center: [5, 6], angle: "
         "0.7}]}",
         0.5, 1 / 9.0, sqrt(5) / 3, 5, 6},
        /* two bars, one turned and moved, make a cross */
        {"{compound: [{rectangle: {size: [4, 0.5]}}, {rectangle: {size: [4, 0.5]}, angle: "
         "1.5707963267948966}], position: [7, 7]}",
         4, (16 + 0.25) / 12, sqrt(4 + 0.0625), 7, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Measured *m = &cases[i];
        char text[600];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text, FLAT "grains:\n  - %s\n", m->entry);
        if (!built(text, &scene, &world)) {
            continue;
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_CLOSE(b.mass[0], 2 * m->area, 1e-12); /* density 2 */
        CHECK_CLOSE(b.inertia[0], 2 * m->area * m->gyration, 1e-12);
        CHECK_CLOSE(b.radius[0], m->radius, 1e-12);
        CHECK_NEAR(b.position[0].x, m->x, 1e-12);
        CHECK_NEAR(b.position[0].y, m->y, 1e-12);
        dropped(scene, world);
    }
}

/* Sizes include the rounding: the area is w h - (4 - pi) r^2, and the farthest points stay on the
 * circle. */
static void rounding_cuts_corners(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(FLAT "grains:\n"
                    "  - {position: [0, 0], rectangle: {size: [2, 1], rounding: 0.2}}\n"
                    "  - {position: [5, 0], regular: {corners: 5, radius: 1, rounding: 0.3}}\n"
                    "  - {polygon: {vertices: [[9, 0], [10, 0], [9, 1]], rounding: 0.1}}\n"
                    "  - {position: [0, 5], random_polygon: {corners: 7, radius: 2, rounding: "
                    "0.5}}\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_CLOSE(b.mass[0] / 2, 2 - (4 - pi) * 0.04, 1e-12);
    CHECK_CLOSE(b.radius[0], hypot(0.8, 0.3) + 0.2, 1e-12);
    CHECK_CLOSE(b.radius[1], 1.0, 1e-12);
    /* vertices are those of the inner polygon: area + perimeter r + pi r^2 */
    CHECK_CLOSE(b.mass[2] / 2, 0.5 + (2 + sqrt(2)) * 0.1 + pi * 0.01, 1e-12);
    CHECK_CLOSE(b.radius[3], 2.0, 1e-12);
    dropped(scene, world);
}

static void mass_and_inertia_can_be_given(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built(FLAT "grains: [{position: [0, 0], rectangle: {size: [2, 1]}, mass: 6},\n"
                   "  {position: [5, 0], rectangle: {size: [2, 1]}, mass: 3, inertia: 7}]\n",
              &scene, &world)) {
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK(b.mass[0] == 6 && b.mass[1] == 3 && b.inertia[1] == 7);
        CHECK_CLOSE(b.inertia[0], 6 * 5 / 12.0, 1e-12);
        dropped(scene, world);
    }
}

/* ---------------------------------------------------------------- places, angles, sharing */

static double angle_of(ScreeQuat q) {
    return 2 * atan2(q.z, q.w);
}

static void each_grain_has_its_scale_and_angle(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(FLAT "shapes:\n  brick: {rectangle: {size: [2, 1]}}\n"
                    "grains:\n"
                    "  - {shape: brick, at: [[0, 0], [9, 0], [18, 0]], scale: [1, 2, 1],\n"
                    "     angle: [0, 0.5, -3]}\n"
                    "  - {rectangle: {size: [2, 1]}, position: [0, 9], angle: 1, velocity: [1, 2], "
                    "spin: 3}\n"
                    "  - {shape: brick, angle: {uniform: [0.1, 0.2]}, lattice: {min: [0, 20], "
                    "counts: [10, 10]}}\n"
                    "  - {shape: brick, angle: random, at: [[50, 0], [60, 0]]}\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 106 && b.position[2].x == 18);
    CHECK(b.shape[0].index == b.shape[2].index && b.shape[0].index != b.shape[1].index &&
          b.shape[3].index == b.shape[0].index);
    CHECK(scree_world_get_shape_count(world) == 2); /* one of each size */
    CHECK_CLOSE(b.mass[1], 4 * b.mass[0], 1e-12);
    CHECK_CLOSE(angle_of(b.orientation[1]), 0.5, 1e-15);
    CHECK_CLOSE(angle_of(b.orientation[2]), -3.0, 1e-15);
    CHECK_CLOSE(angle_of(b.orientation[3]), 1.0, 1e-15);
    CHECK(b.velocity[3].y == 2 && b.spin[3].z == 3);
    /* the lattice keeps the circumscribed circles apart */
    CHECK_CLOSE(b.position[5].x - b.position[4].x, sqrt(5), 1e-12);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 4; i < 104; i++) {
        least = fmin(least, angle_of(b.orientation[i]));
        most = fmax(most, angle_of(b.orientation[i]));
    }
    /* that all of 100 avoid a tenth of the span at one end: 0.9^100 = 3e-5 */
    CHECK(b.orientation[104].z != b.orientation[105].z);
    CHECK(least >= 0.1 && least < 0.11 && most > 0.19 && most <= 0.2);
    dropped(scene, world);
}

static void cosine_and_sine_are_right(void) {
    for (int i = -4000; i <= 4000; i++) {
        double x = i * 0.0371;
        SceneTrig t = scene_trig(x);
        CHECK_NEAR(t.c, cos(x), 3e-16);
        CHECK_NEAR(t.s, sin(x), 3e-16);
    }
    CHECK(scene_trig(0).c == 1 && scene_trig(0).s == 0);
}

/* ---------------------------------------------------------------- random polygons */

static bool convex(const ScreeShape *shape) {
    size_t n = shape->corners;
    for (size_t k = 0; k < n; k++) {
        ScreeVec3 a = shape->def.corner[k], b = shape->def.corner[(k + 1) % n],
                  c = shape->def.corner[(k + 2) % n];
        if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) <= 0) {
            return false;
        }
    }
    return true;
}

#define GRAVEL(options, seed)                                                                      \
    FLAT "seed: " seed "\ngrains: [{random_polygon: {corners: [5, 8], radius: {uniform: [0.1, "    \
         "0.2]}" options "}, lattice: {min: [0, 0], counts: [40, 50]}}]\n"

static void random_polygons_are_as_asked(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(GRAVEL("", "1"), &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    double count[9] = {0}, sum = 0, n = (double)b.count;
    for (size_t i = 0; i < b.count; i++) {
        ScreeShape shape;
        CHECK(scree_shape_get(world, b.shape[i], &shape) == SCREE_OK && convex(&shape));
        CHECK(shape.corners >= 5 && shape.corners <= 8);
        CHECK(b.radius[i] > 0.1 * (1 - 1e-12) && b.radius[i] < 0.2 * (1 + 1e-12));
        count[shape.corners]++;
        sum += b.radius[i];
    }
    for (int k = 5; k <= 8; k++) { /* binomial, five deviations */
        CHECK_NEAR(count[k] / n, 0.25, 5 * sqrt(0.25 * 0.75 / n));
    }
    CHECK_NEAR(sum / n, 0.15, 5 * 0.1 / sqrt(12 * n));
    dropped(scene, world);
}

/* Edges of the polygon in the order of their angles: with irregularity i an edge subtends from (1 -
 * i) to (1 + i) times 2 pi / n of the circle through the corners. */
static void irregularity_has_its_bounds(void) {
    const char *const options[] = {", irregularity: 0", ", irregularity: 0.6"};
    const double bound[] = {0, 0.6};
    for (int c = 0; c < 2; c++) {
        char text[400];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text, GRAVEL("%s", "1"), options[c]);
        if (!built(text, &scene, &world)) {
            continue;
        }
        double widest = 0;
        for (int32_t i = 0; i < (int32_t)scree_world_get_shape_count(world); i++) {
            ScreeShape s;
            scree_shape_get(world, (ScreeShapeId){i}, &s);
            /* the circle through three corners: its centre is equidistant from them */
            ScreeVec3 a = s.def.corner[0], b = s.def.corner[2], d = s.def.corner[4];
            double bx = b.x - a.x, by = b.y - a.y, dx = d.x - a.x, dy = d.y - a.y;
            double det = 2 * (bx * dy - by * dx), b2 = bx * bx + by * by, d2 = dx * dx + dy * dy;
            double x = (dy * b2 - by * d2) / det, y = (bx * d2 - dx * b2) / det;
            double R = hypot(x, y), n = (double)s.corners;
            for (size_t k = 0; k < s.corners; k++) {
                ScreeVec3 p = s.def.corner[k], q = s.def.corner[(k + 1) % s.corners];
                CHECK_CLOSE(hypot(p.x - a.x - x, p.y - a.y - y), R, 1e-9);
                double part = 2 * asin(fmin(hypot(q.x - p.x, q.y - p.y) / (2 * R), 1)) * n;
                part /= 2 * pi;
                CHECK(part > 1 - bound[c] - 1e-9 && part < 1 + bound[c] + 1e-9);
                widest = fmax(widest, fabs(part - 1));
            }
        }
        CHECK(widest >= 0.8 * bound[c]); /* and the bounds are used */
        dropped(scene, world);
    }
}

/* Stretched along x: the second moments of area have the ratio of the squared axes, on average over
 * the phase; with many corners exactly. */
static void elongation_stretches_along_x(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(FLAT "grains: [{position: [0, 0], random_polygon: {corners: 100, radius: 1, "
                    "irregularity: 0, elongation: 3}}]\n",
               &scene, &world)) {
        return;
    }
    ScreeShape s;
    scree_shape_get(world, (ScreeShapeId){0}, &s);
    double wide = 0, high = 0;
    for (size_t k = 0; k < s.corners; k++) {
        wide = fmax(wide, fabs(s.def.corner[k].x));
        high = fmax(high, fabs(s.def.corner[k].y));
    }
    CHECK_NEAR(wide / high, 3,
               3 * 0.002); /* a corner lies within pi/100 of each axis: cos 0.0314 */
    CHECK_CLOSE(scree_world_get_bodies(world).radius[0], 1.0, 1e-12);
    dropped(scene, world);
}

static uint64_t hash_of(const char *text) {
    Scene *scene;
    ScreeWorld *world;
    uint64_t hash = 0;
    if (built(text, &scene, &world)) {
        hash = scree_world_hash(world);
        dropped(scene, world);
    }
    return hash;
}

static void seeds_decide_what_is_drawn(void) {
    uint64_t one = hash_of(GRAVEL("", "1"));
    CHECK(one == hash_of(GRAVEL("", "1")) && one != hash_of(GRAVEL("", "2")));
    const char *fill = FLAT "seed: %d\nshapes: {bar: {rod: {length: 1, radius: 0.1}}}\n"
                            "grains: [{shape: bar, scale: {uniform: [1, 2]}, count: 50, fill: "
                            "{min: [0, 0], max: [20, 20]}}]\n";
    char first[400], second[400];
    snprintf(first, sizeof first, fill, 1);
    snprintf(second, sizeof second, fill, 2);
    CHECK(hash_of(first) == hash_of(first) && hash_of(first) != hash_of(second));
}

/* ---------------------------------------------------------------- filling */

/* Where corner k of a body is. */
static ScreeVec3 corner_of(const ScreeBodyView *b, const ScreeShape *s, size_t i, size_t k) {
    double a = angle_of(b->orientation[i]);
    ScreeVec3 p = s->def.corner[k];
    return (ScreeVec3){b->position[i].x + cos(a) * p.x - sin(a) * p.y,
                       b->position[i].y + sin(a) * p.x + cos(a) * p.y, 0};
}

/* The library finds no overlap (or the scene would be refused), yet the circles around the bodies
 * have more area than there is: outlines were compared. */
static void fill_goes_by_outlines(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(FLAT "walls: {tank: {box: {min: [0, 0], max: [12, 10]}}}\n"
                    "shapes:\n"
                    "  chip: {polygon: {vertices: [[0, 0], [2, 0], [2, 0.3], [0.3, 0.3], [0.3, 2], "
                    "[0, 2]]}}\n"
                    "  stick: {rod: {length: 2, radius: 0.1}}\n"
                    "grains:\n"
                    "  - {radius: 0.5, at: [[3, 3], [5, 5]]}\n"
                    "  - {shape: chip, count: 25, fill: {min: [0, 0], max: [12, 10]}}\n"
                    "  - {shape: stick, count: 40, fill: {min: [0, 0], max: [12, 10]}}\n"
                    "  - {radius: 0.1, count: 100, fill: {min: [0, 0], max: [12, 10]}}\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeOverlap overlap;
    CHECK(b.count == 167 && scree_world_find_overlaps(world, &overlap) == SCREE_OK);
    CHECK(overlap.count == 0);
    double circles = 0;
    for (size_t i = 0; i < b.count; i++) {
        ScreeShape s = {.corners = 0};
        circles += pi * b.radius[i] * b.radius[i];
        if (b.shape[i].index >= 0) {
            CHECK(scree_shape_get(world, b.shape[i], &s) == SCREE_OK);
        }
        for (size_t k = 0; k < s.corners; k++) {
            ScreeVec3 p = corner_of(&b, &s, i, k);
            double r = s.def.part[0].rounding - 1e-12;
            CHECK(p.x >= r && p.y >= r && p.x <= 12 - r && p.y <= 10 - r);
        }
    }
    CHECK(circles > 1.5 * 12 * 10);
    dropped(scene, world);
}

static void fill_reaches_the_solid_fraction(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(FLAT "periodic: {x: [0, 5]}\n"
                    "grains: [{random_polygon: {corners: [5, 8], radius: {uniform: [0.1, 0.2]}},\n"
                    "  solid_fraction: 0.45, fill: {min: [0, 0], max: [5, 5]}}]\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    double area = 0, c = 0, s = 0, n = (double)b.count;
    for (size_t i = 0; i < b.count; i++) {
        area += b.mass[i] / 2;
        c += cos(angle_of(b.orientation[i]));
        s += sin(angle_of(b.orientation[i]));
    }
    CHECK_NEAR(area, 0.45 * 25, 0.5 * pi * 0.04); /* within half of one grain */
    CHECK(hypot(c, s) / n < 3 / sqrt(n));         /* turned every way: Rayleigh's test, exp(-9) */
    dropped(scene, world);
}

/* ---------------------------------------------------------------- files and overrides */

static Scene *from_file(const char *entry, const char *csv, ScreeWorld **world, SceneError *error) {
    char folder[] = "/tmp/scree-scene-XXXXXX", path[64], name[64], text[400];
    *world = NULL;
    if (!mkdtemp(folder)) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/g.csv", folder);
    snprintf(name, sizeof name, "%s/s.yaml", folder);
    snprintf(text, sizeof text,
             FLAT "shapes: {chip: {rectangle: {size: [2, 1]}}}\ngrains:\n  - {file: g.csv%s}\n",
             entry);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(csv, file) >= 0 && fclose(file) == 0);
    Scene *scene = scene_parse(text, strlen(text), name, NULL, 0, error);
    if (scene) {
        scene_build(scene, world, error);
    }
    unlink(path);
    rmdir(folder);
    return scene;
}

static void files_hold_shapes_and_disks(void) {
    ScreeWorld *world;
    SceneError error;
    Scene *scene =
        from_file("", "x,y,shape,radius,scale,angle\n0,0,chip,,2,0.5\n9,0,,0.25,,\n0,9,chip,,,\n",
                  &world, &error);
    CHECK(world != NULL);
    if (world) {
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK(b.count == 3 && b.shape[0].index >= 0 && b.shape[1].index < 0 &&
              b.shape[2].index >= 0);
        CHECK_CLOSE(b.mass[0], 2.0 * 8, 1e-12);
        CHECK_CLOSE(b.mass[2], 2.0 * 2, 1e-12);
        CHECK(b.radius[1] == 0.25 && b.position[2].y == 9);
        CHECK_CLOSE(angle_of(b.orientation[0]), 0.5, 1e-15);
    }
    dropped(scene, world);
    scene = from_file(", shape: chip, angle: 0.25", "x,y\n0,0\n9,0\n", &world, &error);
    CHECK(world && scree_world_get_bodies(world).shape[1].index == 0 &&
          scree_world_get_shape_count(world) == 1);
    dropped(scene, world);
}

typedef struct BadFile {
    const char *entry, *csv;
    int line, column;
    const char *words;
} BadFile;

static void bad_files_are_refused(void) {
    static const BadFile table[] = {
        {"", "x,y,shape\n0,0,chp\n", 2, 5, "did you mean 'chip'?"},
        {"", "x,y,shape,radius\n0,0,chip,1\n", 2, 1, "a shape and a radius"},
        {"", "x,y,shape\n0,0,\n", 2, 1, "neither a shape nor a radius"},
        {"", "x,y,shape,radius,scale\n0,0,,1,3\n", 2, 1, "but no shape"},
        {"", "x,y,radius,angle\n0,0,1,3\n", 1, 1, "no column 'shape'"},
        {"", "x,y,shape,scale\n0,0,chip,-1\n", 2, 10, "greater than 0"},
        {"", "x,y,shape,angle\n0,0,chip,1e6\n", 2, 10, "in radians"},
        {"", "x,y\n0,0\n", 1, 1, "no column 'radius'"},
        {", shape: chip", "x,y,shape\n0,0,chip\n", 6, 26, "here and in the file"},
        {", shape: chip", "x,y,radius\n0,0,1\n", 1, 1, "the file gives a radius"},
        {", shape: chip, scale: 2", "x,y,scale\n0,0,1\n", 6, 39, "the scale is given both here"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const BadFile *bad = &table[i];
        ScreeWorld *world;
        SceneError error = {0};
        Scene *scene = from_file(bad->entry, bad->csv, &world, &error);
        bool right = scene && !world && error.line == bad->line && error.column == bad->column &&
                     strstr(error.text, bad->words);
        CHECK(right);
        if (!right) {
            fprintf(stderr, "expected %d:%d '%s'; got:\n%s", bad->line, bad->column, bad->words,
                    error.text);
        }
        dropped(scene, world);
    }
}

static void overrides_reach_shapes(void) {
    const char *text = FLAT "shapes: {chip: {rectangle: {size: [2, 1]}}}\n"
                            "grains: [{shape: chip, position: [0, 0]}]\n";
    const char *const good[] = {"shapes.chip.rectangle.size=[4, 3]", "grains.0.angle=0.5",
                                "grains.0.scale=2"};
    SceneError error;
    ScreeWorld *world = NULL;
    Scene *scene = scene_parse(text, strlen(text), "test.yaml", good, 3, &error);
    CHECK(scene && scene_build(scene, &world, &error));
    if (world) {
        CHECK_CLOSE(scree_world_get_bodies(world).mass[0], 2.0 * 48, 1e-12);
        CHECK_CLOSE(angle_of(scree_world_get_bodies(world).orientation[0]), 0.5, 1e-15);
    }
    dropped(scene, world);
    const char *const bad[] = {"shapes.chip.rectangl.size=[4, 3]"};
    CHECK(!scene_parse(text, strlen(text), "test.yaml", bad, 1, &error));
    CHECK(strstr(error.text, "did you mean 'rectangle'?") != NULL);
}

int main(int argc, char **argv) {
    CHECK_RUN(outlines_have_their_measures);
    CHECK_RUN(rounding_cuts_corners);
    CHECK_RUN(mass_and_inertia_can_be_given);
    CHECK_RUN(each_grain_has_its_scale_and_angle);
    CHECK_RUN(cosine_and_sine_are_right);
    CHECK_RUN(random_polygons_are_as_asked);
    CHECK_RUN(irregularity_has_its_bounds);
    CHECK_RUN(elongation_stretches_along_x);
    CHECK_RUN(seeds_decide_what_is_drawn);
    CHECK_RUN(fill_goes_by_outlines);
    CHECK_RUN(fill_reaches_the_solid_fraction);
    CHECK_RUN(files_hold_shapes_and_disks);
    CHECK_RUN(bad_files_are_refused);
    CHECK_RUN(overrides_reach_shapes);
    return check_result();
}
