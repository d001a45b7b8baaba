/* Curved shapes of scenes: what they are, where bad ones are refused, the library of grains. */
#include "support.h"

#include <unistd.h>

#define FLAT BASE "dimension: 2\n"
static const double pi = 3.14159265358979323846;

static void check_ellipse(const char *text) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(text, &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 1 && scree_world_get_shape_count(world) == 1);
    CHECK_CLOSE(b.mass[0], 2 * pi * 0.25, 1e-14);
    CHECK_CLOSE(b.inertia[0], b.mass[0] * (1 + 0.0625) / 4, 1e-14);
    CHECK_CLOSE(b.radius[0], 1.0, 1e-14);
    CHECK_NEAR(b.position[0].x, 1, 0);
    ScreeNurbs curve;
    CHECK(scree_shape_get_nurbs(world, (ScreeShapeId){0}, &curve) == SCREE_OK && curve.degree == 2);
    dropped(scene, world);
}

#define EGG "grains: [{shape: egg, position: [1, 2], scale: 0.5, angle: 0.3}]\n"

static void ellipses_are_exact(void) {
    check_ellipse(FLAT "shapes: {egg: {ellipse: {size: [4, 1]}}}\n" EGG);
    check_ellipse(FLAT "shapes: {egg: {ellipse: {half: [2, 0.5]}}}\n" EGG);
}

/* The same curve with repeated points and explicit knots, as a ring, and from a file: with weights
 * of 1 a ring of degree 1 is the polygon. */
static void curves_may_be_written_in_three_ways(void) {
    char file[] = "curve-XXXXXX", text[600];
    int handle = mkstemp(file);
    const char points[] = "# a ring\n0, 0\n2, 0,1\n\n 2 , 1.5\n0,1\n";
    CHECK(handle >= 0 && write(handle, points, sizeof points - 1) > 0);
    close(handle);
    snprintf(text, sizeof text,
             FLAT
             "grains:\n"
             "  - {nurbs: {degree: 2, points: [[0, 0], [2, 0], [2, 1.5], [0, 1]]}}\n"
             "  - {nurbs: {degree: 2, points: [[0, 0], [2, 0], [2, 1.5], [0, 1], [0, 0], [2, 0]], "
             "weights: [1, 1, 1, 1, 1, 1], knots: [0, 1, 2, 3, 4, 5, 6, 7, 8]}, position: [5, 5]}\n"
             "  - {nurbs: {degree: 2, file: %s}, position: [9, 9]}\n",
             file);
    Scene *scene;
    ScreeWorld *world;
    bool ok = built(text, &scene, &world);
    unlink(file);
    if (!ok) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 3);
    for (int i = 1; i < 3; i++) {
        CHECK_CLOSE(b.mass[i], b.mass[0], 1e-15);
        CHECK_CLOSE(b.inertia[i], b.inertia[0], 1e-15);
    }
    /* it lies where its points say: between them */
    CHECK(b.position[0].x > 0.8 && b.position[0].x < 1.2);
    dropped(scene, world);
}

/* A file of points whose first bad line is the second. */
static void bad_lines_of_points_are_told(void) {
    static const char blank[] =
        "1, 2                                                                                 "
        "                                                                                     "
        "                                                                                     ";
    static const char *const lines[] = {"1", "1, x", "1, 2, 3, 4", "1,,2", "1;2", blank};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char file[] = "curve-XXXXXX", text[200], words[60];
        int handle = mkstemp(file);
        CHECK(handle >= 0 && dprintf(handle, "0, 0\n%s\n2, 2\n", lines[i]) > 0);
        close(handle);
        snprintf(text, sizeof text, FLAT "grains:\n  - {nurbs: {file: %s}}\n", file);
        snprintf(words, sizeof words, "%s:2:1: error: a line must be x, y or", file);
        SceneError error = {0};
        Scene *scene = scene_parse(text, strlen(text), "test.yaml", NULL, 0, &error);
        CHECK(scene == NULL && strstr(error.text, words) != NULL);
        scene_free(scene);
        unlink(file);
    }
}

typedef struct Bad {
    const char *entry, *where, *words;
} Bad;

static void bad_curves_are_refused_at_their_place(void) {
    const Bad cases[] = {
        {"{nurbs: {degree: 2, points: [[0, 0], [2, 0], [2, 1]], knots: [0, 0, 0, 1, 1, 1]}}",
         "5:13:", "the curve is open: its ends are 2.23607 apart"},
        {"{nurbs: {points: [[0, 0], [2, 0], [2, 1], [0, 1]], knots: [0, 1, 2]}}", "5:63:",
         "4 control points of degree 3 take 8 knots (points + degree + 1), and there are 3"},
        {"{nurbs: {points: [[0, 0], [2, 0], [2, 1], [0, 1]], weights: [1, 1, 0, 1]}}",
         "5:72:", "grains[0].nurbs.weights[2]: a weight is from 1e-6 to 1e6, not 0"},
        {"{nurbs: {points: [[0, 0], [2, 0], [2, 1], [0, 1]], weights: [1, 1]}}",
         "5:65:", "there must be one weight for each point"},
        {"{nurbs: {degree: 1, points: [[0, 0], [2, 0], [2, 1], [0, 0]], knots: [0, 0, 1, 3, 2, "
         "3]}}",
         "5:87:", "grains[0].nurbs.knots[4]: is less than the one before it"},
        {"{nurbs: {points: [[-2, -1], [2, 1], [2, -1], [-2, 1]]}}",
         "5:13:", "the curve meets itself"},
        {"{nurbs: {degree: 8, points: [[0, 0], [2, 0], [2, 1]]}}",
         "5:22:", "the degree must be from 1 to 7"},
        {"{nurbs: {points: [[0, 0], [2, 0]]}}",
         "5:22:", "a closed curve needs at least three points"},
        {"{nurbs: {degree: 2}}", "5:13:", "give the control points either here or in a file"},
        {"{nurbs: {file: no-such-file.csv}}", "5:20:", "cannot read 'no-such-file.csv'"},
        {"{library: {set: angular, number: 17}, position: [0, 0]}",
         "5:38:", "grains[0].library.number is from 1 to 16"},
        {"{library: {set: angular, diameter: [1, 2]}, position: [0, 0]}",
         "5:40:", "is a number or a distribution"},
        {"{ellipse: {}}", "5:15:", "ellipse: give either its size"},
        {"{ellipse: {half: [1, 1], size: [2, 2]}}", "5:15:", "ellipse: give either its size"},
        {"{ellipse: {half: [1, 1]}, nurbs: {points: [[0, 0], [1, 0], [0, 1]]}}",
         "5:5:", "has more than one shape"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[600], prefix[40];
        SceneError error;
        snprintf(text, sizeof text, FLAT "grains:\n  - %s\n", cases[i].entry);
        snprintf(prefix, sizeof prefix, "test.yaml:%s error: ", cases[i].where);
        Scene *scene = scene_parse(text, strlen(text), "test.yaml", NULL, 0, &error);
        CHECK(scene == NULL);
        bool right =
            strncmp(error.text, prefix, strlen(prefix)) == 0 && strstr(error.text, cases[i].words);
        CHECK(right);
        if (!right) {
            printf("%s    is not at %s: %s\n", error.text, prefix, cases[i].words);
        }
        scene_free(scene);
    }
}

/* ---------------------------------------------------------------- the library */

/* The mean width by Cauchy: the perimeter of the convex hull over pi. The hull of the drawn outline
 * is found by turning a line round it, independently of the support function. */
static double hull_perimeter(const ScreeShape *s) {
    size_t n = s->corners, at = 0, start;
    const ScreeVec3 *c = s->def.corner;
    for (size_t k = 1; k < n; k++) {
        at = c[k].y < c[at].y ? k : at;
    }
    double perimeter = 0;
    start = at;
    do {
        size_t next = (at + 1) % n;
        for (size_t k = 0; k < n; k++) {
            double turn = (c[next].x - c[at].x) * (c[k].y - c[at].y) -
                          (c[next].y - c[at].y) * (c[k].x - c[at].x);
            next = turn < 0 ? k : next;
        }
        perimeter += hypot(c[next].x - c[at].x, c[next].y - c[at].y);
        at = next;
    } while (at != start);
    return perimeter;
}

static double hull_area(const ScreeShape *s) {
    double area = 0;
    size_t n = s->corners, at = 0;
    const ScreeVec3 *c = s->def.corner;
    for (size_t k = 1; k < n; k++) {
        at = c[k].y < c[at].y ? k : at;
    }
    size_t start = at;
    do {
        size_t next = (at + 1) % n;
        for (size_t k = 0; k < n; k++) {
            double turn = (c[next].x - c[at].x) * (c[k].y - c[at].y) -
                          (c[next].y - c[at].y) * (c[k].x - c[at].x);
            next = turn < 0 ? k : next;
        }
        area += 0.5 * (c[at].x * c[next].y - c[at].y * c[next].x);
        at = next;
    } while (at != start);
    return area;
}

static void library_grains_have_their_mean_diameter(void) {
    double compactness[2] = {0, 0};
    for (int set = 0; set < 2; set++) {
        for (int number = 1; number <= 16; number++) {
            char text[300];
            Scene *scene;
            ScreeWorld *world;
            snprintf(text, sizeof text,
                     FLAT
                     "grains: [{library: {set: %s, number: %d, diameter: 3}, position: [1, 1]}]\n",
                     set == 0 ? "nonconvex" : "angular", number);
            if (!built(text, &scene, &world)) {
                continue;
            }
            ScreeShape s;
            CHECK(scree_shape_get(world, (ScreeShapeId){0}, &s) == SCREE_OK);
            CHECK_CLOSE(hull_perimeter(&s), 3 * pi, 2e-3);
            double convexity = s.area / hull_area(&s);
            CHECK(set == 0 ? convexity < 0.985 : convexity > 0.9999);
            CHECK_NEAR(s.centroid.x, 0, 1e-12);
            compactness[set] += s.area / (pi * 9 / 4) / 16;
            dropped(scene, world);
        }
    }
    /* for a given mean diameter a disk has the largest area, then come the convex grains (Cauchy,
     * and the isoperimetric inequality) */
    CHECK(compactness[0] < compactness[1] && compactness[1] < 1);
}

/* In a mixture every number occurs about equally often; the seed decides, and scaled copies of one
 * size are stored once. */
static void mixtures_draw_every_number_equally_often(void) {
    const char text[] = FLAT "grains:\n"
                             "  - {library: {set: nonconvex, diameter: 0.1}, count: 480, "
                             "fill: {min: [0, 0], max: [5, 5]}}\n";
    Scene *scene;
    ScreeWorld *world;
    if (!built(text, &scene, &world)) {
        return;
    }
    int count[16] = {0};
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 480 && scree_world_get_shape_count(world) == 16);
    for (size_t i = 0; i < b.count; i++) {
        count[b.shape[i].index & 15]++;
    }
    double chi = 0;
    for (int k = 0; k < 16; k++) {
        chi += (count[k] - 30.0) * (count[k] - 30.0) / 30;
    }
    CHECK(chi < 37.7); /* 15 degrees of freedom: exceeded once in a thousand times */
    ScreeOverlap overlap;
    CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK);
    CHECK(overlap.count == 0);
    dropped(scene, world);
}

int main(int argc, char **argv) {
    CHECK_RUN(ellipses_are_exact);
    CHECK_RUN(curves_may_be_written_in_three_ways);
    CHECK_RUN(bad_lines_of_points_are_told);
    CHECK_RUN(bad_curves_are_refused_at_their_place);
    CHECK_RUN(library_grains_have_their_mean_diameter);
    CHECK_RUN(mixtures_draw_every_number_equally_often);
    return check_result();
}
