/* Contact points of curves: with curves, disks, polygons. */
#include "check.h"
#include "narrow/nurbs_rig.h"

#include "narrow/narrow.h"
#include "narrow/rim_depth.h"

static void check_touch(const OutlineTouch *t, double gap, Vec3 normal, Vec3 arm,
                        double tolerance) {
    CHECK_NEAR(t->gap, gap, tolerance);
    CHECK_NEAR(t->normal.x, normal.x, 10 * tolerance);
    CHECK_NEAR(t->normal.y, normal.y, 10 * tolerance);
    CHECK_NEAR(t->arm.x, arm.x, 10 * tolerance);
    CHECK_NEAR(t->arm.y, arm.y, 10 * tolerance);
}

/* Two round curves are two disks, apart or overlapping, whichever way they are turned. */
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
        CHECK(scr_touch_rims(&a.outline, &b.outline, d, 0.1, &list) == SCREE_OK);
        CHECK(list.count == 1);
        check_touch(&list.item[0], ball.gap, ball.normal, arm, 1e-13);
        CHECK_NEAR(scr_rims_gap(&a.outline, &b.outline, d, list.item[0].feature), ball.gap, 1e-13);
        /* against a true disk */
        const ScreeVec3 origin = {0, 0, 0};
        PlacedCurve disk = place_polygon(&origin, 1, 0.3, 0);
        CHECK(scr_touch_rims(&a.outline, &disk.outline, d, 0.1, &list) == SCREE_OK);
        CHECK(list.count == 1);
        check_touch(&list.item[0], ball.gap, ball.normal, arm, 1e-13);
        free_curve(&a);
        free_curve(&b);
        free_curve(&disk);
    }
    scr_block_free(&list.block);
}

/* The place is the point of the curve with the contact's normal. */
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

/* Random pairs a little apart: the least gap is the distance of the curves, and from b to a it is
 * the same with the opposite normals. */
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
        CHECK(scr_touch_rims(&a->outline, &b->outline, d, reach, &list) == SCREE_OK);
        CHECK(scr_touch_rims(&b->outline, &a->outline, scale(-1, d), reach, &back) == SCREE_OK);
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
            /* points `step` apart are farther by step^2 / 2 distance at most */
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

static void pairs_of_curves(void) {
    NurbsRig r, t;
    for (int i = 0; i < 6; i++) {
        i == 0   ? rig_ellipse(&r, 1, 0.5, 0, 0, 0)
        : i == 1 ? rig_notch(&r, 3)
        : i == 2 ? rig_star(&r, 3, 6, 1, 0.4)
                 : rig_wavy(&r, i - 1, 13, (uint64_t)i);
        i % 2 == 0 ? rig_ellipse(&t, 0.9, 0.3, 0, 0, 0) : rig_wavy(&t, 3, 12, 8);
        PlacedCurve a = place_curve(&r.def, 0), b = place_curve(&t.def, 0);
        compare(&a, &b, 120, (uint64_t)(20 + i), 0);
        free_curve(&a);
        free_curve(&b);
    }
}

static void curves_with_polygons(void) {
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

/* For each point of a dense curve: the distance from the nearest point of the other that faces it,
 * and whether the two really face each other. */
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

/* Of all contacts the one that lies half its gap from a point of the surface: how far it is off. */
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

/* Every local minimum along the dense curve is in the list; their number. */
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

/* Every place where the bodies are near is found. */
static void all_places(void) {
    enum { FINE = 150 };
    NurbsRig r, t;
    OutlineTouches list = {0};
    uint64_t seed = 5;
    int several = 0;
    rig_star(&r, 3, 6, 1, 0.35);
    rig_star(&t, 3, 9, 0.6, 0.4);
    PlacedCurve a = place_curve(&r.def, 0), b = place_curve(&t.def, 0);
    for (int i = 0; i < 60; i++) {
        double angle = 6.3 * draw(&seed), l = 1.1 + 0.4 * draw(&seed), reach = 0.4;
        Vec3 d = vec3(l * cos(angle), l * sin(angle), 0);
        turn_shape(&a, 6.3 * draw(&seed));
        Dense da = dense(&a, vec3(0, 0, 0), FINE), db = dense(&b, d, FINE);
        Facing *facing = malloc(da.count * sizeof *facing);
        find_facing(&da, &db, facing);
        CHECK(scr_touch_rims(&a.outline, &b.outline, d, reach, &list) == SCREE_OK);
        if (list.count == 0 || least_gap(&list) > 0.02) { /* apart */
            several += check_places(&da, facing, 0.9 * reach, &list) > 1;
        }
        free(facing);
        free_dense(&da);
        free_dense(&db);
    }
    CHECK(several > 5);
    scr_block_free(&list.block);
    free_curve(&a);
    free_curve(&b);
}

/* Shallow overlaps: pushing b off along a contact's normal by its depth closes it, to the second
 * order in the depth. */
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
        for (int k = 0; k < 60; k++) { /* comes near until they overlap by 1e-3 */
            CHECK(scr_touch_rims(&a.outline, &b.outline, d, 1, &list) == SCREE_OK);
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
                CHECK(scr_touch_rims(&a.outline, &b.outline, off, 0.1, &then) == SCREE_OK);
                double now = scr_rims_gap(&a.outline, &b.outline, off, list.item[k].feature);
                CHECK_NEAR(now, 0, 1e-9);
            }
        }
    }
    scr_block_free(&list.block);
    scr_block_free(&then.block);
    free_curve(&a);
    free_curve(&b);
}

/* A barrel over a flat block, and over another barrel. With arcs of large radii the place that is
 * nearest has a flank on each side, with the gap that the arcs have there: along x the arc of
 * radius r rises by r - sqrt(r^2 - x^2). With radii below twice the width there is one contact.
 * Corners are out of reach. */
static void flat_places_have_flanks(void) {
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
        CHECK(scr_touch_rims(&lower.outline, &upper.outline, d, reach, &list) == SCREE_OK);
        int sides[2] = {0, 0};
        for (size_t i = 0; i < list.count; i++) {
            double x = list.item[i].arm.x - (twins ? 0.5 : 1) * d.x; /* from the nearest place */
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

/* Curves that lie in each other, so deep that no rims face each other, or on each other. A small
 * circle of radius r whose centre is at the distance l from that of a unit circle has its deepest
 * node, opposite to that direction, at 1 - |l - r|; two equal ones on each other are as deep as
 * their middle; likewise a square. */
static void deep_overlaps(void) {
    static const ScreeVec3 corner[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const ScreeVec3 origin = {0, 0, 0};
    NurbsRig unit, small;
    rig_ellipse(&unit, 1, 1, 0, 0, 0);
    rig_ellipse(&small, 0.3, 0.3, 0, 0, 0);
    PlacedCurve a = place_curve(&unit.def, 0.7), b = place_curve(&small.def, 0);
    PlacedCurve square = place_polygon(corner, 4, 0, 0), disk = place_polygon(&origin, 1, 0.3, 0);
    for (int k = 0; k < 10; k++) {
        double l = 0.05 + 0.1 * k, most = 1 - fabs(l - 0.3);
        Vec3 d = vec3(l, 0, 0);
        CHECK_NEAR(scr_rims_depth(&a.outline, &b.outline, d), most, 1e-12);
        CHECK_NEAR(scr_rims_depth(&b.outline, &a.outline, scale(-1, d)), most, 1e-12);
        CHECK_NEAR(scr_rims_depth(&square.outline, &disk.outline, d), 1 - l + 0.3, 1e-12);
        CHECK_NEAR(scr_rims_depth(&a.outline, &disk.outline, d), 1 - l + 0.3, 1e-12);
    }
    CHECK_NEAR(scr_rims_depth(&a.outline, &a.outline, vec3(0, 0, 0)), 1, 1e-3);
    CHECK_NEAR(scr_rims_depth(&square.outline, &square.outline, vec3(0, 0, 0)), 1, 1e-12);
    CHECK(scr_rims_depth(&a.outline, &b.outline, vec3(1.31, 0, 0)) == 0);
    CHECK(scr_rims_depth(&square.outline, &disk.outline, vec3(0, 1.31, 0)) == 0);
    CHECK(scr_rims_depth(&square.outline, &a.outline, vec3(1.8, 1.8, 0)) == 0); /* past a corner */
    free_curve(&a);
    free_curve(&b);
    free_curve(&square);
    free_curve(&disk);
}

int main(int argc, char **argv) {
    CHECK_RUN(circles_are_disks);
    CHECK_RUN(pairs_of_curves);
    CHECK_RUN(curves_with_polygons);
    CHECK_RUN(all_places);
    CHECK_RUN(overlaps_are_depths);
    CHECK_RUN(flat_places_have_flanks);
    CHECK_RUN(deep_overlaps);
    return check_result();
}
