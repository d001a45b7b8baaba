/* The geometry of outlines that have entered each other, against brute force and as the gradient of
 * a potential. */
#include "narrow/narrow.h"
#include "math/elementary.h"
#include "penetration_rig.h"

static double segment_distance(Vec3 p, Vec3 a, Vec3 b) {
    Vec3 e = rig_sub(b, a), d = rig_sub(p, a);
    double t = rig_dot(d, e) / rig_dot(e, e);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return rig_length(rig_add(d, -t, e));
}

static Vec3 corner_at(const Shape *s, int32_t k, Vec3 x) {
    return rig_add(x, 1, rig_vec(s->corner[k].x, s->corner[k].y, 0));
}

/* Distance from the boundary of the single part of s; negative inside, by the winding number. */
static double signed_distance(const Shape *s, Vec3 x, Vec3 p) {
    double least = INFINITY, winding = 0;
    for (int32_t k = 0; k < s->corners; k++) {
        Vec3 a = corner_at(s, k, x), b = corner_at(s, (k + 1) % s->corners, x);
        Vec3 u = rig_sub(a, p), v = rig_sub(b, p);
        winding += atan2(rig_cross(u, v).z, rig_dot(u, v));
        least = fmin(least, segment_distance(p, a, b));
    }
    return fabs(winding) > RIG_PI ? -least : least;
}

/* Sharp polygons, convex or not, in any position: exactly the convex corners inside the other are
 * found, with their distance from its boundary, and the normal leads out of it. */
static void corners_inside_are_found_with_their_depth(void) {
    uint64_t random = 11;
    int deep = 0, outside = 0;
    for (int trial = 0; trial < 4000; trial++) {
        Shape a = {0}, b = {0};
        add_star(&a, rig_vec(0, 0, 0), 5 + trial % 7, 1, trial % 2 * 0.6, 0, &random);
        add_star(&b, rig_vec(0, 0, 0), 3 + trial % 8, 0.8, trial % 3 * 0.3, 0, &random);
        turn(&a, 6 * rig_random(&random));
        turn(&b, 6 * rig_random(&random));
        Vec3 d = rig_random_vec(&random, 2, 2);
        size_t count = find(&a, &b, d, 0), expected = 0;
        for (int side = 0; side < 2; side++) {
            const Shape *own = side == 0 ? &a : &b, *other = side == 0 ? &b : &a;
            Vec3 x = side == 0 ? rig_vec(0, 0, 0) : d, y = side == 0 ? d : rig_vec(0, 0, 0);
            for (int32_t k = 0; k < own->corners; k++) {
                Vec3 p = corner_at(own, k, x);
                double distance = signed_distance(other, y, p);
                if (own->corner[k].reflex || distance >= 0) {
                    continue;
                }
                expected++;
                bool found = false;
                for (size_t i = 0; i < count; i++) {
                    const Penetration *t = &list.item[i];
                    int32_t of_a = scr_feature_a(t->feature), of_b = scr_feature_b(t->feature);
                    bool entered_b = of_a % 2 == 0;
                    if (entered_b != (side == 0) || (side == 0 ? of_a : of_b) != 2 * k) {
                        continue;
                    }
                    found = true;
                    CHECK_NEAR(t->gap, distance, 1e-13);
                    CHECK_NEAR(rig_length(t->normal), 1, 1e-14);
                    /* moved along the normal by just this distance it comes out */
                    Vec3 out = side == 0 ? rig_scale(-1, t->normal) : t->normal;
                    CHECK_NEAR(signed_distance(other, y, rig_add(p, -distance, out)), 0, 1e-12);
                    CHECK_VEC(t->arm, rig_add(p, -0.5 * distance, out), 1e-13);
                }
                CHECK(found);
                deep += distance < -0.2;
            }
        }
        CHECK(count == expected);
        outside += count == 0;
    }
    CHECK(deep > 500 && outside > 500);
}

/* 1/2 of the squares of all overlaps. */
static double potential(const Shape *a, const Shape *b, Vec3 d) {
    double sum = 0;
    for (size_t i = find(a, b, d, 0); i-- > 0;) {
        double sign = list.item[i].surplus ? -1 : 1;
        sum += sign * 0.5 * list.item[i].gap * list.item[i].gap;
    }
    return sum;
}

static uint64_t names(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < list.count; i++) {
        sum = sum * 31 + (uint64_t)list.item[i].feature;
    }
    return sum;
}

typedef enum Kind { SHARP, ROUNDED, DISK, ROD, COMPOUND, KINDS } Kind;

static Shape any_shape(Kind kind, uint64_t *random) {
    Shape s = {0};
    const Vec3 rod[2] = {{-0.5, 0.1, 0}, {0.4, 0, 0}}, middle = {0};
    double spikes = rig_random(random) < 0.5 ? 0 : 0.5;
    switch (kind) {
    case SHARP:
        add_star(&s, middle, 6, 0.8, spikes, 0, random);
        break;
    case ROUNDED:
        add_star(&s, middle, 6, 0.6, spikes, 0.15, random);
        break;
    case DISK:
        add_part(&s, &middle, 1, 0.7);
        break;
    case ROD:
        add_part(&s, rod, 2, 0.25);
        break;
    default:
        add_star(&s, rig_vec(-0.3, 0, 0), 5, 0.4, 0, 0.05, random);
        add_part(&s, rod, 1, 0.4);
        add_star(&s, rig_vec(0.4, 0.1, 0), 4, 0.5, spikes, 0, random);
    }
    return s;
}

/* Forces along the normals and moments at the arms are the derivatives of the potential, for all
 * kinds of shapes: so springs at the contact points conserve energy. */
static void forces_have_a_potential(void) {
    uint64_t random = 5;
    int compared = 0;
    const double h = 1e-6;
    for (int trial = 0; trial < 4000; trial++) {
        Shape a = any_shape((Kind)(trial % KINDS), &random);
        Shape b = any_shape((Kind)(trial / KINDS % KINDS), &random);
        double angle_a = 6 * rig_random(&random), angle_b = 6 * rig_random(&random);
        double way = 6 * rig_random(&random);
        Vec3 d = rig_scale(0.6 + 0.6 * rig_random(&random), rig_vec(scr_cos(way), scr_sin(way), 0));
        turn(&a, angle_a);
        turn(&b, angle_b);
        double scale_of = 1e-9 + 4 * sqrt(potential(&a, &b, d));
        uint64_t before = names();
        Vec3 force = {0};
        double moment_a = 0, moment_b = 0;
        for (size_t i = 0; i < list.count; i++) {
            const Penetration *t = &list.item[i];
            Vec3 f = rig_scale(t->surplus ? t->gap : -t->gap, t->normal); /* on b */
            force = rig_add(force, 1, f);
            moment_a -= rig_cross(t->arm, f).z;
            moment_b += rig_cross(rig_sub(t->arm, d), f).z;
        }
        bool same = true;
        double change[4]; /* along x and y, by turning a, by turning b */
        for (int i = 0; i < 4; i++) {
            change[i] = 0;
            for (int sign = -1; sign <= 1; sign += 2) {
                Vec3 moved = rig_add(d, sign * h, rig_vec(i == 0, i == 1, 0));
                turn(&a, angle_a + (i == 2) * sign * h);
                turn(&b, angle_b + (i == 3) * sign * h);
                change[i] += sign * potential(&a, &b, moved) / (2 * h);
                same = same && names() == before;
            }
            turn(&a, angle_a);
            turn(&b, angle_b);
        }
        if (same && find(&a, &b, d, 0) > 0) { /* otherwise two corners are equally near */
            CHECK_NEAR(-change[0], force.x, 1e-5 * scale_of);
            CHECK_NEAR(-change[1], force.y, 1e-5 * scale_of);
            CHECK_NEAR(-change[2], moment_a, 1e-5 * scale_of);
            CHECK_NEAR(-change[3], moment_b, 1e-5 * scale_of);
            compared++;
        }
    }
    CHECK(compared > 2000);
}

/* The potential of sharp polygons and of rounded convex ones has no jump, however deep they are in
 * each other: over a short distance it changes by no more than the forces along it. */
static void potential_is_continuous(void) {
    uint64_t random = 3;
    for (int trial = 0; trial < 300 / CHECK_STRIDE / CHECK_STRIDE; trial++) {
        Shape a = {0}, b = {0};
        double rounding = trial % 2 * 0.1, spikes = trial % 2 == 0 ? 0.5 : 0;
        add_star(&a, rig_vec(0, 0, 0), 6, 1, spikes, rounding, &random);
        add_star(&b, rig_vec(0, 0, 0), 8, 0.8, spikes, 0, &random);
        double height = 1.5 * rig_random(&random) - 0.7, step = 1e-4, before = 0;
        turn(&a, 6 * rig_random(&random));
        turn(&b, 6 * rig_random(&random));
        bool smooth = true;
        for (double x = -2; x < 2; x += step) {
            double now = potential(&a, &b, rig_vec(x, height, 0)), most = 1e-9;
            for (size_t i = 0; i < list.count; i++) {
                most += step * (fabs(list.item[i].gap) + step);
            }
            smooth = smooth && fabs(now - before) < 2 * most + 20 * step * step;
            before = now;
        }
        CHECK(smooth);
    }
}

/* A disk, or another body with round corners, that moves along a polygon with notches while none of
 * its corners is inside: there is no jump either. The notches are shallow: without the correction
 * at their corners there would be one. */
static void notches_are_continuous(void) {
    uint64_t random = 9;
    int surplus = 0, compared = 0;
    for (int trial = 0; trial < 200 / CHECK_STRIDE / CHECK_STRIDE; trial++) {
        Shape a = {0}, b = {0};
        const Vec3 middle = {0};
        add_star(&a, middle, 10, 1, 0.35, 0, &random);
        if (trial % 2 == 0) {
            add_part(&b, &middle, 1, 0.6);
        } else {
            add_star(&b, middle, 3, 0.3, 0, 0.5, &random);
        }
        double height = 3 * rig_random(&random) - 1.5, step = 1e-4, before = 0;
        turn(&a, 6 * rig_random(&random));
        turn(&b, 6 * rig_random(&random));
        bool smooth = true, outside = true;
        for (double x = -2; x < 2; x += step) {
            double now = potential(&a, &b, rig_vec(x, height, 0)), most = 1e-9;
            bool deep = false;
            for (size_t i = 0; i < list.count; i++) {
                most += step * (fabs(list.item[i].gap) + step);
                deep = deep || list.item[i].gap < -b.part[0].rounding;
                surplus += list.item[i].surplus;
            }
            if (outside && !deep) {
                smooth = smooth && fabs(now - before) < 2 * most + 20 * step * step;
                compared += list.count > 0;
            }
            before = now;
            outside = !deep;
        }
        CHECK(smooth);
    }
    CHECK(compared > 100000 / CHECK_STRIDE / CHECK_STRIDE);
    CHECK(surplus > 10000 / CHECK_STRIDE / CHECK_STRIDE);
}

/* a and b exchanged: the same points, seen from the other side. */
static void exchanged_outlines_give_the_same_points(void) {
    uint64_t random = 17;
    for (int trial = 0; trial < 1000; trial++) {
        Shape a = any_shape((Kind)(trial % KINDS), &random);
        Shape b = any_shape((Kind)(trial / KINDS % KINDS), &random);
        turn(&a, 6 * rig_random(&random));
        turn(&b, 6 * rig_random(&random));
        Vec3 d = rig_random_vec(&random, 1.2, 2), force = {0}, back = {0};
        double gap = 0, gap_back = 0;
        size_t count = find(&a, &b, d, 0.01);
        for (size_t i = 0; i < count; i++) {
            gap += list.item[i].gap;
            force = rig_add(force, list.item[i].gap, list.item[i].normal);
        }
        CHECK(find(&b, &a, rig_scale(-1, d), 0.01) == count);
        for (size_t i = 0; i < count; i++) {
            gap_back += list.item[i].gap;
            back = rig_add(back, -list.item[i].gap, list.item[i].normal);
        }
        CHECK_NEAR(gap, gap_back, 1e-12);
        CHECK_VEC(force, back, 1e-12);
    }
}

/* A single corner is a disk: contacts are those of two round bodies. */
static void disk_outlines_touch_as_disks(void) {
    uint64_t random = 23;
    for (int trial = 0; trial < 200; trial++) {
        Shape a = disk(0.5), b = disk(0.3 + rig_random(&random));
        Vec3 d = rig_random_vec(&random, 1.2, 2);
        Touch touch = scr_touch_balls(d, 0.5, b.part[0].rounding);
        size_t count = find(&a, &b, d, 0);
        CHECK(count == (touch.gap < 0));
        if (count == 1) {
            CHECK_NEAR(list.item[0].gap, touch.gap, 1e-15);
            CHECK_VEC(list.item[0].normal, touch.normal, 1e-15);
            CHECK_NEAR(list.item[0].lever, 0.5 + 0.5 * touch.gap, 1e-15);
            CHECK_NEAR(list.item[0].distance, rig_length(d), 1e-15);
        }
    }
    /* on the edge, and beyond the corner, of a square */
    Shape s = box(1, 1), ball = disk(0.5);
    CHECK(find(&s, &ball, rig_vec(0.3, 1.4, 0), 0) == 1);
    CHECK_NEAR(list.item[0].gap, -0.1, 1e-15);
    CHECK_VEC(list.item[0].normal, rig_vec(0, 1, 0), 1e-15);
    CHECK(find(&s, &ball, rig_vec(1.3, 1.3, 0), 0) == 1);
    CHECK_NEAR(list.item[0].gap, 0.3 * sqrt(2) - 0.5, 1e-15);
    CHECK_VEC(list.item[0].normal, rig_vec(sqrt(0.5), sqrt(0.5), 0), 1e-15);
}

/* A disk that rolls off a square has one contact point all the way, whose name changes at the
 * corner and can be followed; and no two points of a pair share a name. */
static void names_can_be_followed(void) {
    Shape s = box(1, 1), ball = disk(0.5);
    for (int swapped = 0; swapped < 2; swapped++) {
        int32_t name = 0;
        int changes = 0;
        for (double way = -0.9; way < 2.5; way += 0.01) { /* along, around the corner, down */
            double turned = fmin(0.5 * RIG_PI, fmax(0, way));
            Vec3 d = rig_vec(1 + 0.45 * sin(turned) + fmin(0, way),
                             1 + 0.45 * cos(turned) - fmax(0, way - 0.5 * RIG_PI), 0);
            size_t count = swapped ? find(&ball, &s, rig_scale(-1, d), 0) : find(&s, &ball, d, 0);
            CHECK(count == 1);
            int32_t now = list.item[0].feature;
            if (name != 0 && now != name) {
                CHECK(scr_continues_as(name, now) && scr_continues_as(now, name));
                changes++;
            }
            CHECK(!scr_continues_as(now, now));
            name = now;
        }
        CHECK(changes == 2); /* to the corner, and from there to the other edge */
    }
    uint64_t random = 41;
    for (int trial = 0; trial < 2000; trial++) {
        Shape a = any_shape((Kind)(trial % KINDS), &random);
        Shape b = any_shape((Kind)(trial / KINDS % KINDS), &random);
        turn(&a, 6 * rig_random(&random));
        turn(&b, 6 * rig_random(&random));
        size_t count = find(&a, &b, rig_random_vec(&random, 1.2, 2), 0.05);
        bool unique = true;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < i; j++) {
                unique = unique && list.item[i].feature != list.item[j].feature;
            }
        }
        CHECK(unique);
    }
}

/* Squares on each other: contacts are the corners of the smaller one, and one of each when they are
 * shifted. */
static void squares_touch_at_their_corners(void) {
    Shape large = box(1, 1), small = box(0.5, 0.5);
    CHECK(find(&large, &small, rig_vec(0.1, 1.4, 0), 0) == 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(list.item[i].gap, -0.1, 1e-15);
        CHECK_VEC(list.item[i].normal, rig_vec(0, 1, 0), 1e-15);
        CHECK_NEAR(fabs(list.item[i].arm.x - 0.1), 0.5, 1e-15);
        CHECK_NEAR(list.item[i].arm.y, 0.95, 1e-15);
    }
    CHECK(list.item[0].feature != list.item[1].feature);
    Shape other = box(1, 1);
    CHECK(find(&large, &other, rig_vec(0.5, 1.9, 0), 0) == 2);
    CHECK_VEC(list.item[0].normal, rig_vec(0, 1, 0), 1e-15);
    CHECK_VEC(list.item[1].normal, rig_vec(0, 1, 0), 1e-15);
    /* with a reach they are found before they touch, as are the corners of both */
    CHECK(find(&large, &other, rig_vec(0.5, 2.1, 0), 0) == 0);
    CHECK(find(&large, &other, rig_vec(0.5, 2.1, 0), 0.2) == 2);
    CHECK_NEAR(list.item[0].gap, 0.1, 1e-15);
}

/* A disk in a notch rests on both of its sides. */
static void disk_in_a_notch_touches_both_sides(void) {
    Shape s = {0}, ball = disk(0.5);
    const Vec3 c[5] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 0, 0}, {-1, 1, 0}};
    add_part(&s, c, 5, 0);
    turn(&s, 0);
    double height = 0.5 * sqrt(2) - 0.01;
    CHECK(find(&s, &ball, rig_vec(0, height, 0), 0) == 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(list.item[i].gap, -0.01 * sqrt(0.5), 1e-15);
        CHECK_NEAR(list.item[i].normal.y, sqrt(0.5), 1e-15);
    }
    /* a sharp corner below the bottom of the notch is nearest to it */
    Shape wedge = {0};
    const Vec3 w[3] = {{0, 0, 0}, {0.2, 1, 0}, {-0.2, 1, 0}};
    add_part(&wedge, w, 3, 0);
    turn(&wedge, 0);
    CHECK(find(&s, &wedge, rig_vec(0.01, -0.05, 0), 0) == 1);
    CHECK_NEAR(list.item[0].gap, -hypot(0.01, 0.05), 1e-15);
    CHECK_CLOSE(list.item[0].normal.x / list.item[0].normal.y, -0.2, 1e-12);
}

int main(int argc, char **argv) {
    CHECK_RUN(corners_inside_are_found_with_their_depth);
    CHECK_RUN(forces_have_a_potential);
    CHECK_RUN(potential_is_continuous);
    CHECK_RUN(notches_are_continuous);
    CHECK_RUN(exchanged_outlines_give_the_same_points);
    CHECK_RUN(disk_outlines_touch_as_disks);
    CHECK_RUN(names_can_be_followed);
    CHECK_RUN(squares_touch_at_their_corners);
    CHECK_RUN(disk_in_a_notch_touches_both_sides);
    scr_block_free(&list.block);
    return check_result();
}
