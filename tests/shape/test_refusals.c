/* Messages say what is wrong with an outline, and at which corner. */
#include "shape/outline_shapes.h"

#include <stdlib.h>

/* The message names the part and the corner and contains `text`. */
static void check_refused(const Shape *s, int part, int corner, const char *text) {
    ScreeShapeDef def = def_of(s);
    char message[SCREE_MESSAGE_SIZE] = "", prefix[64];
    CHECK(scr_outline_check(&def, message) == SCREE_BAD_ARGUMENT);
    if (corner >= 0) {
        snprintf(prefix, sizeof prefix, "part %d, corner %d: ", part, corner);
    } else {
        snprintf(prefix, sizeof prefix, "part %d: ", part);
    }
    bool right = strncmp(message, prefix, strlen(prefix)) == 0 && strstr(message, text) != NULL;
    CHECK(right);
    if (!right) {
        fprintf(stderr, "    \"%s\", expected \"%s... %s\"\n", message, prefix, text);
    }
}

/* As the second part of a compound, at any size, turned, and a million sizes away: always the same
 * corner. */
static void refused(Shape s, int corner, const char *text) {
    Shape disk = OUTLINE(1, 0, 0);
    for (int k = 0; k < 8; k++) {
        double size = k % 4 == 0 ? 1 : k % 4 == 1 ? 1e-9 : k % 4 == 2 ? 1e9 : 0.37;
        Vec3 shift = k < 4 ? vec3(0, 0, 0) : vec3(1e6 * size, 3e5 * size, 0);
        Shape other = moved(s, size, k == 0 ? 0 : 0.3 * k, shift);
        check_refused(&other, 0, corner, text);
        other = joined(disk, &other);
        check_refused(&other, 1, corner, text);
    }
}

static void accepted(Shape s) {
    for (int k = 0; k < 8; k++) {
        double size = k % 4 == 0 ? 1 : k % 4 == 1 ? 1e-9 : k % 4 == 2 ? 1e9 : 0.37;
        Shape other = moved(s, size, 0.3 * k, vec3(k < 4 ? 0 : 1e6 * size, 0, 0));
        (void)measured(&other);
    }
}

static void bad_numbers_are_refused(void) {
    Shape s = rectangle(1, 1, 0);
    s.corner[2].x = NAN;
    check_refused(&s, 0, 2, "not finite");
    s = rectangle(1, 1, 0);
    s.corner[3].y = -INFINITY;
    check_refused(&s, 0, 3, "not finite");
    s = rectangle(1, 1, 0);
    s.corner[1].z = 1e-30;
    check_refused(&s, 0, 1, "z must be 0");
    const double bad[] = {-1e-9, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        s = rectangle(1, 1, bad[k]);
        check_refused(&s, 0, -1, "rounding");
    }
    s = OUTLINE(0, 1, 1);
    check_refused(&s, 0, -1, "disk");
    s = OUTLINE(0, 1, 1, 2, 2);
    check_refused(&s, 0, -1, "rod");
    s = rectangle(1, 1, 0);
    s.part[0].corners = 0;
    check_refused(&s, 0, -1, "no corner");
    s.part[0].corners = -4;
    check_refused(&s, 0, -1, "no corner");
    s = rectangle(1e80, 1, 0);
    check_refused(&s, 0, -1, "size");
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeShapeDef none = {0};
    CHECK(scr_outline_check(&none, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, "part") != NULL);
}

static void too_many_corners_are_refused(void) {
    int32_t most = 16384;
    Vec3 *corner = calloc((size_t)most + 3, sizeof *corner);
    CHECK(corner != NULL);
    for (int32_t k = 0; corner != NULL && k < most + 3; k++) {
        double t = 2 * SHAPE_PI * k / most;
        corner[k] = vec3(cos(t), sin(t), 0);
    }
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeShapePart part[3] = {{most, 0}, {2, 0.1}, {1, 0.1}};
    ScreeShapeDef def = {part, 1, corner};
    if (CHECK_STRIDE == 1) { /* each edge beside each other one */
        CHECK(scr_outline_check(&def, message) == SCREE_OK);
    }
    CHECK_CLOSE(scr_outline_measure(&def).area, most * sin(2 * SHAPE_PI / most) / 2, 1e-12);
    part[0].corners = most + 1;
    CHECK(scr_outline_check(&def, message) == SCREE_BAD_ARGUMENT);
    CHECK(strcmp(message, "part 0: a shape has at most 16384 corners") == 0);
    part[0].corners = most - 2;
    def.parts = 3;
    CHECK(scr_outline_check(&def, message) == SCREE_BAD_ARGUMENT);
    CHECK(strcmp(message, "part 2: a shape has at most 16384 corners") == 0);
    free(corner);
}

static void bad_corners_are_refused(void) {
    refused(OUTLINE(0, 0, 0, 2, 0, 2, 0, 2, 2, 0, 2), 2, "repeats corner 1");
    refused(OUTLINE(0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0), 4, "repeats corner 0");
    refused(OUTLINE(0.1, 1, 1, 1, 1), 1, "repeats corner 0");
    refused(OUTLINE(0, 0, 0, 1, 0, 2, 0, 2, 2, 0, 2), 1, "straight line");
    refused(OUTLINE(0, 1, 0, 2, 0, 2, 2, 0, 2, 0, 0), 0, "straight line");
    refused(OUTLINE(0, 0, 0, 2, 0, 2, 2, 1, 1, 0, 0.0001, 0, 0), 5, "repeats");
    refused(OUTLINE(0, 0, 0, 2, 0, 2, 2, 2, 3, 2, 1, 0, 1), 3, "turns back");
    refused(OUTLINE(0, 0, 0, 1, 0, 3, 0), 1, "no area");
    refused(OUTLINE(0.2, 0, 0, 3, 3, 1, 1, 2, 2), 0, "no area");
    /* figure of eight through one corner */
    refused(OUTLINE(0, 0, 0, 2, 2, 2, 0, 0.5, 2, 2, 2, 0, 3), 4, "repeats corner 1");
}

static void crossing_outlines_are_refused(void) {
    refused(OUTLINE(0, 0, 0, 2, 2, 2, 0, 0, 2), 0, "crosses itself");
    refused(OUTLINE(0, 0, 0, 4, 0, 4, 3, 1, -1, 0, 3), 0, "crosses itself");
    refused(OUTLINE(0.1, 0, 0, 4, 0, 4, 3, 1, -1, 0, 3), 0, "crosses itself");
    /* a tip on an edge: the tip is named */
    refused(OUTLINE(0, 0, 0, 4, 0, 4, 3, 2, 0, 0, 3), 3, "touches itself");
    refused(OUTLINE(0, 0, 3, 2, 0, 4, 3, 4, 0, 0, 0), 1, "touches itself");
    accepted(OUTLINE(0, 0, 0, 4, 0, 4, 3, 2, 0.001, 0, 3));
    accepted(OUTLINE(0, 0, 3, 2, 0.001, 4, 3, 4, 0, 0, 0)); /* clockwise */
    /* two edges along each other */
    refused(OUTLINE(0, 0, 0, 4, 0, 4, 1, 3, 1, 3, 2, 2, 2, 2, 0, 1, 0, 1, 2, 0, 2), 6,
            "touches itself");
}

/* The rounding closes a notch of width w at r = w / 2, and a wedge when its edges are used up: r
 * tan(turn / 2) = length. */
static void roundings_that_close_a_notch_are_refused(void) {
    for (int backwards = 0; backwards < 2; backwards++) {
        const double xy[] = {0, 0, 3, 0, 3, 2, 2, 2, 2, 1, 1, 1, 1, 2, 0, 2}; /* U, slot 1 wide */
        Shape u = outline(0.499, 8, xy);
        u = renumbered(&u, 0, backwards == 1);
        accepted(u);
        u.part[0].rounding = 0.5;
        refused(u, backwards == 1 ? 3 : 4, "rounding");
        u.part[0].rounding = 0.7;
        refused(u, backwards == 1 ? 3 : 4, "rounding");
    }
    /* a slot that narrows to 0.5 between the tips of two hooks facing each other */
    const double c[] = {0, 0, 4, 0, 4, 3,   2.25, 3,   2.25, 2.5, 3, 2.5,
                        3, 1, 1, 1, 1, 2.5, 1.75, 2.5, 1.75, 3,   0, 3};
    Shape hooks = outline(0.249, 12, c);
    accepted(hooks);
    hooks.part[0].rounding = 0.251;
    refused(hooks, 3, "notch");
    /* two tips facing each other corner to corner, sqrt(2) / 2 apart */
    const double d[] = {0, 0, 6, 0, 6, 4, 3.5, 2.5, 5, 1, 1, 1, 3, 2, 0, 3};
    Shape tips = outline(0.353, 8, d);
    accepted(tips);
    tips.part[0].rounding = 0.354;
    refused(tips, 3, "corner 6");
    /* a right-angled notch takes r from both of its edges */
    accepted(OUTLINE(0.99, 0, 0, 3, 0, 3, 1, 2, 1, 2, 5, 0, 5));
    refused(OUTLINE(1.01, 0, 0, 3, 0, 3, 1, 2, 1, 2, 5, 0, 5), 3, "too large");
    /* convex outlines may be rounded at will */
    accepted(rectangle(1, 2, 50));
    accepted(OUTLINE(50, 0, 0, 1, 0));
}

/* Every rounded outline that passes is a sound one: no point of its boundary is nearer to the
 * polygon than r. What is refused as too round passes with a small enough rounding. */
static double distance_to(const Shape *s, Vec3 p) {
    double best = INFINITY;
    for (size_t k = 0; k < s->corners; k++) {
        Vec3 a = s->corner[k], e = sub(s->corner[(k + 1) % s->corners], a), w = sub(p, a);
        double t = fmin(1, fmax(0, dot(w, e) / dot(e, e)));
        best = fmin(best, length(add_scaled(w, -t, e)));
    }
    return best;
}

/* The least distance to the polygon along the rounded outline as it is built: shifted edges,
 * shortened at reflex corners, and arcs. */
static double least_distance(const Shape *s) {
    size_t n = s->corners;
    double r = s->part[0].rounding, least = INFINITY;
    for (size_t k = 0; k < n; k++) {
        Vec3 p = s->corner[k], q = s->corner[(k + 1) % n];
        Vec3 in = unit(sub(p, s->corner[(k + n - 1) % n])), t = unit(sub(q, p));
        Vec3 out = unit(sub(s->corner[(k + 2) % n], q));
        double turn = atan2(in.x * t.y - in.y * t.x, dot(in, t));
        double turn_next = atan2(t.x * out.y - t.y * out.x, dot(t, out));
        double from = turn < 0 ? r * tan(-turn / 2) : 0;
        double to = length(sub(q, p)) - (turn_next < 0 ? r * tan(-turn_next / 2) : 0);
        if (from > to) {
            return 0;
        }
        Vec3 normal = vec3(t.y, -t.x, 0);
        for (int i = 0; i <= 200; i++) {
            Vec3 x = add_scaled(add_scaled(p, from + (to - from) * i / 200, t), r, normal);
            least = fmin(least, distance_to(s, x));
            double angle = atan2(-in.x, in.y) + turn * i / 200;
            if (turn > 0) {
                least = fmin(least,
                             distance_to(s, vec3(p.x + r * cos(angle), p.y + r * sin(angle), 0)));
            }
        }
    }
    return least;
}

static void accepted_roundings_keep_their_distance(void) {
    int passed = 0, closed = 0;
    for (uint64_t trial = 0; trial < 600; trial++) {
        uint64_t key = scr_random_key(21, trial, 0);
        double r = scr_random_unit(key, 900);
        Shape s = random_star(key, 5 + (int)(trial % 10), 0.2, 1, r);
        ScreeShapeDef def = def_of(&s);
        char message[SCREE_MESSAGE_SIZE];
        bool good = scr_outline_check(&def, message) == SCREE_OK;
        double least = least_distance(&s);
        passed += good;
        closed += !good;
        CHECK(good ? least > r * (1 - 1e-9) : least < r * (1 - 1e-9));
        if (!good) {
            CHECK(strstr(message, "rounding") != NULL);
        }
    }
    CHECK(passed > 100 && closed > 100);
}

int main(int argc, char **argv) {
    CHECK_RUN(bad_numbers_are_refused);
    CHECK_RUN(too_many_corners_are_refused);
    CHECK_RUN(bad_corners_are_refused);
    CHECK_RUN(crossing_outlines_are_refused);
    CHECK_RUN(roundings_that_close_a_notch_are_refused);
    CHECK_RUN(accepted_roundings_keep_their_distance);
    return check_result();
}
