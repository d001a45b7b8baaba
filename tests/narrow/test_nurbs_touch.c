/* Contact points of curves: with curves, disks, polygons. */
#include "check.h"
#include "narrow/nurbs_rig.h"

#include "narrow/narrow.h"
#include "narrow/hull_overlap.h"
#include "narrow/outlines.h"

static void check_touch(const OutlineTouch *t, double gap, Vec3 normal, Vec3 arm,
                        double tolerance) {
    CHECK_NEAR(t->gap, gap, tolerance);
    CHECK_NEAR(t->normal.x, normal.x, 10 * tolerance);
    CHECK_NEAR(t->normal.y, normal.y, 10 * tolerance);
    CHECK_NEAR(t->arm.x, arm.x, 10 * tolerance);
    CHECK_NEAR(t->arm.y, arm.y, 10 * tolerance);
}

/* Two round curves touch as two disks, apart or overlapping, whichever way they are turned. */
static void circles_are_disks(void) {
    NurbsRig r, small;
    OutlineTouches list = {0};
    uint64_t seed = 11;
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    rig_ellipse(&small, 0.3, 0.3, 0, 0, 0);
    for (int i = 0; i < 500; i++) {
        PlacedCurve a = place_curve(&r.def, 6 * draw(&seed)),
                    b = place_curve(&small.def, 6 * draw(&seed));
        double angle = 6.3 * draw(&seed), l = 1.3 + 0.05 * (2 * draw(&seed) - 1);
        Vec3 d = vec3(l * cos(angle), l * sin(angle), 0);
        Touch ball = scr_touch_balls(d, 1, 0.3);
        Vec3 arm = scale(1 + 0.5 * ball.gap, ball.normal);
        CHECK(scr_touch_curves(&a.outline, &b.outline, d, 0.1, &list) == SCREE_OK);
        CHECK(list.count == 1);
        check_touch(&list.item[0], ball.gap, ball.normal, arm, 1e-13);
        CHECK_NEAR(scr_curves_gap(&a.outline, &b.outline, d, list.item[0].feature), ball.gap,
                   1e-13);
        /* against a true disk */
        const ScreeVec3 origin = {0, 0, 0};
        PlacedCurve disk = place_polygon(&origin, 1, 0.3, 0);
        CHECK(scr_touch_curves(&a.outline, &disk.outline, d, 0.1, &list) == SCREE_OK);
        CHECK(list.count == 1);
        check_touch(&list.item[0], ball.gap, ball.normal, arm, 1e-13);
        free_curve(&a);
        free_curve(&b);
        free_curve(&disk);
    }
    scr_block_free(&list.block);
}

/* The arm ends at the point of the curve that has the contact's normal. */
static void check_arm(const PlacedCurve *a, const PlacedCurve *b, Vec3 d, const OutlineTouch *t) {
    int32_t of_a = scr_feature_a(t->feature), of_b = scr_feature_b(t->feature);
    CHECK((of_a % 2 == 0) != (of_b % 2 == 0));
    if (of_a % 2 == 0 && a->outline.nurbs != NULL) {
        Vec3 at = scr_curve_point(&a->outline, of_a, t->normal).at;
        Vec3 error = sub(add_scaled(at, 0.5 * t->gap, t->normal), t->arm);
        CHECK_NEAR(length(error), 0, 1e-9);
    }
    if (of_b % 2 == 0 && b->outline.nurbs != NULL) {
        Vec3 at = add(d, scr_curve_point(&b->outline, of_b, scale(-1, t->normal)).at);
        Vec3 error = sub(add_scaled(at, -0.5 * t->gap, t->normal), t->arm);
        CHECK_NEAR(length(error), 0, 1e-9);
    }
}

/* Random pairs a little apart: the least gap is the distance of the curves, and seen from b it is
 * the same with opposite normals. */
static void compare(PlacedCurve *a, PlacedCurve *b, int pairs, uint64_t seed, double rounding) {
    OutlineTouches list = {0}, back = {0};
    double ra = a->shapes.shape[0].radius, rb = b->shapes.shape[0].radius;
    int compared = 0;
    for (int i = 0; i < pairs; i++) {
        double angle = 6.3 * draw(&seed), l = (ra + rb) * (0.55 + 0.5 * draw(&seed));
        Vec3 d = vec3(l * cos(angle), l * sin(angle), 0);
        turn_shape(a, 6.3 * draw(&seed));
        turn_shape(b, 6.3 * draw(&seed));
        Dense da = dense(a, vec3(0, 0, 0), 60), db = dense(b, d, 120);
        double reach = 0.2 * fmin(ra, rb), distance = least_distance(&da, &db) - rounding;
        double step = 0.02 * fmax(ra, rb);
        CHECK(scr_touch_curves(&a->outline, &b->outline, d, reach, &list) == SCREE_OK);
        CHECK(scr_touch_curves(&b->outline, &a->outline, scale(-1, d), reach, &back) == SCREE_OK);
        double gap = least_gap(&list);
        bool overlap = gap < 0, deep = gap < -0.02 * fmin(ra, rb);
        CHECK(deep || list.count == back.count);
        for (size_t k = 0; k < list.count; k++) {
            if (!deep) {
                check_arm(a, b, d, &list.item[k]);
            }
            CHECK_NEAR(length(list.item[k].normal), 1, 1e-14);
        }
        CHECK(deep || list.count == 0 || fabs(least_gap(&back) - gap) < 1e-12);
        if (!overlap && distance < 0.9 * reach && distance > step) {
            /* points `step` apart are farther by at most step^2 / (2 distance) */
            CHECK(gap <= distance + 1e-9 && gap >= distance - step * step / (distance + rounding));
            compared++;
        }
        free_dense(&da);
        free_dense(&db);
    }
    CHECK(compared > pairs / 20);
    scr_block_free(&list.block);
    scr_block_free(&back.block);
}

static void least_gap_of_curves_is_their_distance(void) {
    NurbsRig r, t;
    for (int i = 0; i < 6; i++) {
        i == 0   ? rig_ellipse(&r, 1, 0.5, 0, 0, 0)
        : i == 1 ? rig_notch(&r, 3)
        : i == 2 ? rig_star(&r, 3, 6, 1, 0.4)
                 : rig_wavy(&r, i - 1, 13, (uint64_t)i);
        i % 2 == 0 ? rig_ellipse(&t, 0.9, 0.3, 0, 0, 0) : rig_wavy(&t, 3, 12, 8);
        PlacedCurve a = place_curve(&r.def, 0), b = place_curve(&t.def, 0);
        compare(&a, &b, 120 / CHECK_STRIDE, (uint64_t)(20 + i), 0);
        free_curve(&a);
        free_curve(&b);
    }
}

static void least_gap_to_polygons_is_their_distance(void) {
    static const ScreeVec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const ScreeVec3 hook[] = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0},
                                     {2, 2, 0}, {2, 1, 0}, {0, 1.5, 0}};
    static const ScreeVec3 rod[] = {{-1, 0, 0}, {1, 0, 0}};
    static const ScreeVec3 origin = {0, 0, 0};
    NurbsRig r;
    rig_star(&r, 3, 5, 1, 0.45);
    PlacedCurve curve = place_curve(&r.def, 0);
    PlacedCurve b[4] = {place_polygon(square, 4, 0, 0), place_polygon(hook, 6, 0.1, 0),
                        place_polygon(rod, 2, 0.2, 0), place_polygon(&origin, 1, 0.4, 0)};
    const double rounding[4] = {0, 0.1, 0.2, 0.4};
    for (int i = 0; i < 4; i++) {
        compare(&curve, &b[i], 120, (uint64_t)(40 + i), rounding[i]);
        free_curve(&b[i]);
    }
    free_curve(&curve);
}

/* For each point of a dense curve: the distance to the nearest facing point of the other curve, and
 * whether the two really face each other. */
typedef struct Facing {
    double gap;
    bool opposite;
} Facing;

static void find_facing(const Dense *a, const Dense *b, Facing *facing) {
    for (size_t k = 0; k < a->count; k++) {
        size_t best = 0;
        facing[k].gap = INFINITY;
        for (size_t j = 0; j < b->count; j++) {
            double w = length(sub(a->point[k], b->point[j]));
            if (dot(a->normal[k], b->normal[j]) < -0.5 && w < facing[k].gap) {
                facing[k].gap = w;
                best = j;
            }
        }
        Vec3 w = unit(sub(b->point[best], a->point[k]));
        facing[k].opposite = dot(w, a->normal[k]) > 0.98 && dot(w, b->normal[best]) < -0.98;
    }
}

/* The contact whose distance from a point of the surface is closest to half its gap, and how far
 * off that is. */
static const OutlineTouch *touch_at(const OutlineTouches *list, Vec3 point, double *off) {
    const OutlineTouch *found = NULL;
    *off = INFINITY;
    for (size_t j = 0; j < list->count; j++) {
        double here = fabs(length(sub(list->item[j].arm, point)) - 0.5 * list->item[j].gap);
        found = here < *off ? &list->item[j] : found;
        *off = fmin(*off, here);
    }
    return found;
}

/* Every local minimum along the dense curve is in the list; returns their number. */
static int check_places(const Dense *a, const Facing *facing, double most,
                        const OutlineTouches *list) {
    int places = 0;
    for (size_t k = 0; k < a->count; k++) {
        bool lowest = facing[k].opposite && facing[k].gap < most;
        for (size_t j = 1; j <= 8 && lowest; j++) {
            lowest = facing[k].gap < facing[(k + j) % a->count].gap &&
                     facing[k].gap <= facing[(k + a->count - j) % a->count].gap;
        }
        if (lowest) {
            double off;
            const OutlineTouch *touch = touch_at(list, a->point[k], &off);
            CHECK_NEAR(off, 0, 5e-3);
            CHECK(touch != NULL && fabs(touch->gap - facing[k].gap) < 2e-3);
            places++;
        }
    }
    return places;
}

/* Every place where the bodies are near each other is found. */
static void every_near_place_is_found(void) {
    enum { FINE = 150 };
    NurbsRig r, t;
    OutlineTouches list = {0};
    uint64_t seed = 5;
    int several = 0;
    rig_star(&r, 3, 6, 1, 0.35);
    rig_star(&t, 3, 9, 0.6, 0.4);
    PlacedCurve a = place_curve(&r.def, 0), b = place_curve(&t.def, 0);
    for (int i = 0; i < 60 / CHECK_STRIDE; i++) {
        double angle = 6.3 * draw(&seed), l = 1.1 + 0.4 * draw(&seed), reach = 0.4;
        Vec3 d = vec3(l * cos(angle), l * sin(angle), 0);
        turn_shape(&a, 6.3 * draw(&seed));
        Dense da = dense(&a, vec3(0, 0, 0), FINE), db = dense(&b, d, FINE);
        Facing *facing = malloc(da.count * sizeof *facing);
        find_facing(&da, &db, facing);
        CHECK(scr_touch_curves(&a.outline, &b.outline, d, reach, &list) == SCREE_OK);
        if (list.count == 0 || least_gap(&list) > 0.02) { /* apart */
            several += check_places(&da, facing, 0.9 * reach, &list) > 1;
        }
        free(facing);
        free_dense(&da);
        free_dense(&db);
    }
    CHECK(several > 5 / CHECK_STRIDE);
    scr_block_free(&list.block);
    free_curve(&a);
    free_curve(&b);
}

/* Shallow overlaps: moving b along a contact's normal by its depth opens it, up to second order in
 * the depth. */
static void overlaps_are_depths(void) {
    NurbsRig r, t;
    OutlineTouches list = {0}, then = {0};
    uint64_t seed = 9;
    rig_ellipse(&r, 1, 0.6, 0, 0, 0);
    rig_wavy(&t, 3, 11, 4);
    PlacedCurve a = place_curve(&r.def, 0), b = place_curve(&t.def, 0);
    for (int i = 0; i < 200; i++) {
        double angle = 6.3 * draw(&seed);
        Vec3 way = vec3(cos(angle), sin(angle), 0), d = scale(2.2, way);
        turn_shape(&a, 6.3 * draw(&seed));
        turn_shape(&b, 6.3 * draw(&seed));
        for (int k = 0; k < 60; k++) { /* approaches until they overlap by 1e-3 */
            CHECK(scr_touch_curves(&a.outline, &b.outline, d, 1, &list) == SCREE_OK);
            double step = least_gap(&list) + 1e-3;
            if (step < 1e-9) {
                break;
            }
            d = add_scaled(d, -fmin(step, 0.3), way);
        }
        CHECK(least_gap(&list) < 0);
        for (size_t k = 0; k < list.count; k++) {
            if (list.item[k].gap < -1e-5 && list.item[k].gap > -0.01) {
                double depth = -list.item[k].gap;
                Vec3 off = add_scaled(d, depth, list.item[k].normal);
                CHECK(scr_touch_curves(&a.outline, &b.outline, off, 0.1, &then) == SCREE_OK);
                double now = scr_curves_gap(&a.outline, &b.outline, off, list.item[k].feature);
                CHECK_NEAR(now, 0, 1e-9);
            }
        }
    }
    scr_block_free(&list.block);
    scr_block_free(&then.block);
    free_curve(&a);
    free_curve(&b);
}

/* A barrel over a flat block, and over another barrel. With large radii the nearest place has a
 * flank on each side, with the gap that the arcs have there: at x an arc of radius r has risen by r
 * - sqrt(r^2 - x^2). With radii below twice the width there is a single contact. Corners are out of
 * reach. */
static void flat_contacts_have_flanks(void) {
    static const ScreeVec3 block[] = {{-2, -1, 0}, {2, -1, 0}, {2, 1, 0}, {-2, 1, 0}};
    const double radii[] = {1.5, 3, 6, 10, 16, 60};
    const double gap = 1e-3;
    OutlineTouches list = {0};
    for (int k = 0; k < 12; k++) {
        double r = radii[k / 2], farthest = 0;
        bool twins = k % 2 == 1;
        NurbsRig rig;
        rig_barrel(&rig, 1, 1, r);
        PlacedCurve upper = place_curve(&rig.def, 0);
        PlacedCurve lower = twins ? place_curve(&rig.def, 0) : place_polygon(block, 4, 0, 0);
        double reach = fmin(0.02, 0.9 * (r - sqrt(r * r - 1)));
        Vec3 d = vec3(0.03, 2 + gap, 0);
        CHECK(scr_touch_curves(&lower.outline, &upper.outline, d, reach, &list) == SCREE_OK);
        int sides[2] = {0, 0};
        for (size_t i = 0; i < list.count; i++) {
            /* distance from the nearest place */
            double x = list.item[i].arm.x - (twins ? 0.5 : 1) * d.x;
            double rise = (twins ? 2 : 1) * (r - sqrt(r * r - x * x));
            CHECK_NEAR(list.item[i].gap - gap, rise, 1e-3 * rise + 2e-4);
            sides[x > 0] += fabs(x) > 0.05;
            farthest = fmax(farthest, fabs(x));
        }
        bool flat = (twins ? 0.5 : 1) * r > 4.5; /* the size is 2 */
        CHECK(flat ? sides[0] > 0 && sides[1] > 0 : list.count == 1);
        CHECK(!flat || farthest > 0.08);
        free_curve(&upper);
        free_curve(&lower);
    }
    scr_block_free(&list.block);
}

/* Bodies deep inside each other: circles must part by the sum of the radii less the distance, along
 * the line of centres, or in any direction when they coincide. */
static void overlapping_circles_part_along_their_centres(void) {
    const ScreeVec3 origin = {0, 0, 0};
    NurbsRig unit, small;
    rig_ellipse(&unit, 1, 1, 0, 0, 0);
    rig_ellipse(&small, 0.3, 0.3, 0, 0, 0);
    PlacedCurve a = place_curve(&unit.def, 0.7), b = place_curve(&small.def, 0.2);
    PlacedCurve disk = place_polygon(&origin, 1, 0.3, 0);
    const PlacedCurve *other[] = {&b, &disk};
    OutlineTouches list = {0};
    for (int k = 0; k < 24; k++) {
        double l = 0.045 * k, angle = 0.3 + k;
        Vec3 d = vec3(l * cos(angle), l * sin(angle), 0), n = vec3(cos(angle), sin(angle), 0);
        for (int i = 0; i < 2; i++) {
            for (int turned = 0; turned < 2; turned++) {
                const Outline *one = turned ? &other[i]->outline : &a.outline;
                const Outline *two = turned ? &a.outline : &other[i]->outline;
                double sign = turned ? -1 : 1;
                Vec3 way = scale(sign, d);
                CHECK(scr_touch_curves(one, two, way, 0.05, &list) == SCREE_OK && list.count == 1);
                const OutlineTouch *t = &list.item[0];
                CHECK(l > 0.9 || scr_is_hull_contact(t->feature));
                CHECK_NEAR(t->gap, l - 1.3, 2e-3);
                CHECK(k == 0 || dot(t->normal, n) * sign > 1 - 1e-3);
                CHECK_NEAR(dot(t->arm, t->normal) - 0.5 * t->gap, turned ? 0.3 : 1, 2e-3);
                CHECK_NEAR(scr_curves_gap(one, two, way, t->feature), t->gap, 1e-14);
                Vec3 apart = add_scaled(way, -t->gap + 2e-3, t->normal);
                CHECK(scr_touch_curves(one, two, apart, 0, &list) == SCREE_OK && list.count == 0);
            }
        }
    }
    scr_block_free(&list.block);
    free_curve(&a);
    free_curve(&b);
    free_curve(&disk);
}

/* Squares and hooks on each other, or a small square inside them, must part by the shorter way, and
 * have a contact of the same kind with curves. One beside the other, in its notch, has none. */
static void overlapping_polygons_part_the_short_way(void) {
    static const ScreeVec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const ScreeVec3 small[] = {
        {-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}};
    static const ScreeVec3 hook[] = {{0, 0, 0},     {2, 0, 0},   {2, 0.5, 0},
                                     {0.5, 0.5, 0}, {0.5, 2, 0}, {0, 2, 0}};
    NurbsRig round;
    rig_ellipse(&round, 0.1, 0.1, 0, 0, 0);
    PlacedCurve body[] = {place_polygon(square, 4, 0, 0), place_polygon(small, 4, 0, 0),
                          place_polygon(hook, 6, 0, 0), place_curve(&round.def, 0)};
    static const struct {
        int a, b;
        double x, y, depth; /* 0: no contact */
    } one[] = {{0, 0, 0, 0, 2},       {2, 2, 0, 0, 2},        {0, 1, 0, 0, 1.1},
               {0, 1, 0.3, 0.2, 0.8}, {0, 1, -0.2, 0.5, 0.6}, {2, 1, 0.25, 1, 0.35},
               {0, 3, 0.5, 0, 0.6},   {2, 3, 1, 0.25, 0.35},  {3, 3, 0, 0, 0.2},
               {3, 3, 1e-5, 0, 0.2},  {2, 1, 1, 1, 0},        {2, 3, 1, 1, 0}};
    const StepMotion still = {.shift = {0, 0, 0}};
    OutlineTouches list = {0};
    for (size_t k = 0; k < sizeof one / sizeof *one; k++) {
        const Outline *a = &body[one[k].a].outline, *b = &body[one[k].b].outline;
        double middle = one[k].a == 2 && one[k].b != 2 ? 1.1875 / 1.75 : 0; /* centroid of a hook */
        Vec3 d = vec3(one[k].x - middle, one[k].y - middle, 0);
        bool curves = a->nurbs != NULL || b->nurbs != NULL;
        CHECK((curves ? scr_touch_curves(a, b, d, 0, &list)
                      : scr_touch_outlines(a, b, d, &still, 0, &list)) == SCREE_OK);
        CHECK(list.count == (one[k].depth > 0));
        if (list.count == 1 && one[k].depth > 0) {
            CHECK(scr_is_hull_contact(list.item[0].feature));
            CHECK_NEAR(list.item[0].gap, -one[k].depth, curves ? 2e-4 : 1e-14);
        }
    }
    scr_block_free(&list.block);
    for (int i = 0; i < 4; i++) {
        free_curve(&body[i]);
    }
}

/* A block that fills a notch exactly has all its corners on the outline of the other body, and
 * touches it on three sides: it is not deep inside. */
static void block_flush_in_a_notch_touches_three_sides(void) {
    static const ScreeVec3 notched[] = {{-1, -1, 0},   {1, -1, 0},     {1, 1, 0},    {0.1, 1, 0},
                                        {0.1, 0.8, 0}, {-0.1, 0.8, 0}, {-0.1, 1, 0}, {-1, 1, 0}};
    static const ScreeVec3 block[] = {
        {-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}};
    PlacedCurve a = place_polygon(notched, 8, 0, 0), b = place_polygon(block, 4, 0, 0);
    const StepMotion still = {.shift = {0, 0, 0}};
    OutlineTouches list = {0};
    for (int k = 0; k < 3; k++) {
        double lift = k == 0 ? 0 : k == 1 ? 1e-5 : -1e-5;
        Vec3 d =
            vec3(0, 0.9 + 0.036 / 3.96 + lift, 0); /* the centroid is lower by 0.04 x 0.9 / 3.96 */
        CHECK(scr_touch_outlines(&a.outline, &b.outline, d, &still, 0.01, &list) == SCREE_OK);
        CHECK(list.count >= 4);
        for (size_t i = 0; i < list.count; i++) {
            CHECK(!scr_is_hull_contact(list.item[i].feature) && fabs(list.item[i].gap) < 1.1e-5);
        }
    }
    scr_block_free(&list.block);
    free_curve(&a);
    free_curve(&b);
}

/* Two slender ellipses across each other: their outlines cross and nowhere face each other. Along n
 * they must part by the sum of sqrt((a n_x)^2 + (b n_y)^2) of both less d.n, which is least
 * upwards: about 0.1 + 1 - 0.3. */
static void crossed_ellipses_part_the_short_way(void) {
    NurbsRig slender;
    rig_ellipse(&slender, 1, 0.1, 0, 0, 0);
    PlacedCurve lying = place_curve(&slender.def, 0), standing = place_curve(&slender.def, acos(0));
    OutlineTouches list = {0};
    Vec3 d = vec3(0.02, 0.3, 0);
    CHECK(scr_touch_curves(&lying.outline, &standing.outline, d, 0, &list) == SCREE_OK);
    CHECK(list.count == 1 && scr_is_hull_contact(list.item[0].feature));
    Vec3 n = list.item[0].normal;
    CHECK_NEAR(list.item[0].gap, -0.8, 2e-3);
    CHECK(n.y > 0.999);
    Vec3 apart = add_scaled(d, -list.item[0].gap + 2e-3, n);
    CHECK(scr_touch_curves(&lying.outline, &standing.outline, apart, 0, &list) == SCREE_OK);
    CHECK(list.count == 0);
    scr_block_free(&list.block);
    free_curve(&lying);
    free_curve(&standing);
}

int main(int argc, char **argv) {
    CHECK_RUN(circles_are_disks);
    CHECK_RUN(least_gap_of_curves_is_their_distance);
    CHECK_RUN(least_gap_to_polygons_is_their_distance);
    CHECK_RUN(every_near_place_is_found);
    CHECK_RUN(overlaps_are_depths);
    CHECK_RUN(flat_contacts_have_flanks);
    CHECK_RUN(overlapping_circles_part_along_their_centres);
    CHECK_RUN(overlapping_polygons_part_the_short_way);
    CHECK_RUN(block_flush_in_a_notch_touches_three_sides);
    CHECK_RUN(crossed_ellipses_part_the_short_way);
    return check_result();
}
