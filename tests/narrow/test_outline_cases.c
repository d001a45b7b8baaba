/* Contacts that one knows by heart: how many there are, where, and with which normal. Each case is
 * turned to several directions, and tried with overlaps and gaps of the size of rounding. */
#include "narrow/outline_rig.h"

static const double tiny[] = {0, 1e-15, -1e-15, 1e-9, -1e-9, 1e-6, -1e-6, -1e-4};
enum { TINY = (int)(sizeof tiny / sizeof tiny[0]), VIEWS = 7 };

/* Both bodies as they stand, turned together by an angle; the contacts are turned back. */
static void seen_from(const Body *a, const Body *b, StepMotion motion, double reach, int view,
                      OutlineTouches *t) {
    static Body c, d;
    double angle = 0.9 * view, co = cos(angle), si = sin(angle);
    c = *a;
    d = *b;
    place(&c, co * a->position.x - si * a->position.y, si * a->position.x + co * a->position.y,
          a->angle + angle);
    place(&d, co * b->position.x - si * b->position.y, si * b->position.x + co * b->position.y,
          b->angle + angle);
    Vec3 s = motion.shift;
    motion.shift = vec3(co * s.x - si * s.y, si * s.x + co * s.y, 0);
    find(&c, &d, motion, reach, t);
    for (size_t k = 0; k < t->count; k++) {
        Vec3 n = t->item[k].normal, arm = t->item[k].arm;
        t->item[k].normal = vec3(co * n.x + si * n.y, co * n.y - si * n.x, 0);
        t->item[k].arm = vec3(co * arm.x + si * arm.y, co * arm.y - si * arm.x, 0);
    }
}

static int with_normal(const OutlineTouches *t, double x, double y) {
    int count = 0;
    for (size_t k = 0; k < t->count; k++) {
        count += fabs(t->item[k].normal.x - x) < 1e-6 && fabs(t->item[k].normal.y - y) < 1e-6;
    }
    return count;
}

static bool touches_at(const OutlineTouches *t, double x, double y, double tolerance) {
    for (size_t k = 0; k < t->count; k++) {
        if (hypot(t->item[k].arm.x - x, t->item[k].arm.y - y) < tolerance) {
            return true;
        }
    }
    return false;
}

static const StepMotion motions[] = {
    {.shift = {0, 0, 0}},        {.shift = {0, -1e-5, 0}},
    {.shift = {1e-3, 0, 0}},     {.shift = {-1e-3, 0, 0}},
    {.shift = {0.02, -1e-5, 0}}, {.shift = {-0.02, -1e-5, 0}},
    {.turn_b = {0, 0, 1e-3}},    {.shift = {0, -1e-5, 0}, .turn_a = {0, 0, -1e-4}},
};
enum { MOTIONS = (int)(sizeof motions / sizeof motions[0]) };

/* One square on another: two contacts at the ends of the common part, normals upright. */
static void stacked_squares_touch_at_two_ends(void) {
    static Body a, b;
    OutlineTouches t = {0};
    set_body(&a, rectangle(1, 1, 0));
    set_body(&b, rectangle(1, 1, 0));
    const double offset[] = {0, 1e-15, 1e-9, -1e-7, 1e-5, 3e-4, 0.01, 0.3, -0.6, 0.9};
    for (int i = 0; i < 10 * TINY * MOTIONS * VIEWS; i++) {
        double x = offset[i % 10], gap = tiny[i / 10 % TINY];
        const StepMotion *m = &motions[i / 10 / TINY % MOTIONS];
        if (fabs(x) > 1e-9 && hypot(m->shift.x, m->shift.y) > 0.01) {
            continue; /* passes the end of the face in this step */
        }
        place(&b, x, 1 + gap, 0);
        seen_from(&a, &b, *m, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2);
        CHECK(with_normal(&t, 0, 1) == 2);
        for (size_t k = 0; k < t.count; k++) {
            CHECK_NEAR(t.item[k].gap, gap, 1e-12);
        }
        CHECK(touches_at(&t, x > 0 ? 0.5 : 0.5 + x, 0.5, 6e-4));
        CHECK(touches_at(&t, x > 0 ? x - 0.5 : -0.5, 0.5, 6e-4));
        /* slightly tilted: still the two ends */
        place(&b, x, 1 + gap, 1e-7);
        seen_from(&a, &b, *m, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2);
    }
    /* within reach, not yet touching */
    for (int i = 0; i < 10; i++) {
        place(&b, i % 2 == 0 ? 0 : 1e-9, 1.002 + 0.01 * i, 0);
        find(&a, &b, at_rest, 0.2, &t);
        CHECK(t.count == 2 && with_normal(&t, 0, 1) == 2);
    }
    scr_block_free(&t.block);
}

/* A brick slides over the seam of two bricks of the same height. Nothing horizontal stops it, and
 * both its ends are supported all the time. */
static void brick_slides_over_a_seam(void) {
    static Body floor[2], brick;
    OutlineTouches t = {0};
    set_body(&brick, rectangle(1, 0.5, 0));
    for (int i = 0; i < 2; i++) {
        set_body(&floor[i], rectangle(2, 1, 0));
        place(&floor[i], i == 0 ? -1 : 1, -0.5, 0);
    }
    for (int i = 0; i < TINY * 4; i++) {
        double gap = tiny[i % TINY], speed = i / TINY % 2 == 0 ? 1e-3 : 2e-2;
        speed = i / TINY < 2 ? speed : -speed;
        for (int k = -140; k <= 140; k++) {
            double x = speed * k * (fabs(speed) < 0.01 ? 5.4 : 0.41); /* also exactly on the seam */
            place(&brick, x, 0.25 + gap, 0);
            double left = INFINITY, right = -INFINITY;
            for (int f = 0; f < 2; f++) {
                find(&floor[f], &brick, (StepMotion){.shift = vec3(speed, 0, 0)}, 0.03, &t);
                for (size_t j = 0; j < t.count; j++) {
                    const OutlineTouch *c = &t.item[j];
                    double at = floor[f].position.x + c->arm.x;
                    if (c->normal.y > 1 - 1e-9) {
                        left = fmin(left, at);
                        right = fmax(right, at);
                        CHECK_NEAR(c->gap, gap, 1e-12);
                    } else {
                        CHECK(c->gap + speed * c->normal.x > -1e-9);
                    }
                }
            }
            double slip = 2 * fabs(speed) + 1e-3;
            CHECK(left < x - 0.5 + slip && right > x + 0.5 - slip);
        }
    }
    scr_block_free(&t.block);
}

static void corners_meet_faces_and_corners(void) {
    static Body a, b;
    OutlineTouches t = {0};
    set_body(&a, rectangle(4, 1, 0));
    set_body(&b, rectangle(1, 1, 0));
    for (int i = 0; i < TINY * VIEWS; i++) {
        double gap = tiny[i % TINY], half = sqrt(0.5);
        place(&b, 0.2, 0.5 + half + gap, SHAPE_PI / 4); /* on one corner */
        seen_from(&a, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 1 && with_normal(&t, 0, 1) == 1);
        CHECK_NEAR(least_gap(&t), gap, 1e-12);
        place(&b, 2.5 + 0.1 + gap, 1 + 0.1 + gap, 0); /* corner to corner, apart */
        seen_from(&a, &b, at_rest, 0.2, i % VIEWS, &t);
        CHECK(t.count == 1 && with_normal(&t, half, half) == 1);
        CHECK_NEAR(least_gap(&t), sqrt(2) * (0.1 + gap), 1e-12);
        place(&b, 2.5 + gap, 1 + gap, 0); /* and touching: coming down or from the side */
        for (int side = 0; side < 2; side++) {
            StepMotion m = {.shift = {side == 0 ? -1e-5 : -1e-2, side == 0 ? -1e-2 : -1e-5, 0}};
            seen_from(&a, &b, m, 1e-3, i % VIEWS, &t);
            CHECK(t.count == 1);
            CHECK(with_normal(&t, side == 0 ? 1 : 0, side == 0 ? 0 : 1) == 1 || gap > 1e-7);
        }
    }
    scr_block_free(&t.block);
}

/* Shapes in the hollows of others. */
static void shapes_in_hollows_touch_all_flanks(void) {
    static Body a, b;
    OutlineTouches t = {0};
    const double h = sqrt(0.5);
    for (int i = 0; i < TINY * VIEWS; i++) {
        double gap = tiny[i % TINY];
        /* a right-angled notch with a square standing in it on one corner: both flanks */
        set_body_here(&a, OUTLINE(0, -2, -2, 2, -2, 2, 2, 0, 0, -2, 2));
        set_body_here(&b, rectangle(1, 1, 0));
        place(&b, 0, h + gap * sqrt(2), SHAPE_PI / 4);
        seen_from(&a, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(with_normal(&t, h, h) >= 1 && with_normal(&t, -h, h) >= 1);
        CHECK((int)t.count == with_normal(&t, h, h) + with_normal(&t, -h, h));
        CHECK_NEAR(least_gap(&t), gap, 1e-12);
        /* a sharp tip in it, whose own flanks do not reach those of the notch: two contacts */
        set_body_here(&b, OUTLINE(0, 0, 0, 0.3, 1, -0.3, 1));
        place(&b, 0, gap * sqrt(2), 0);
        seen_from(&a, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2 && with_normal(&t, h, h) == 1 && with_normal(&t, -h, h) == 1);
        /* a disk: two contacts */
        set_body_here(&b, OUTLINE(0.3, 0, 0));
        place(&b, 0, 0.3 * sqrt(2) + gap * sqrt(2), 0);
        seen_from(&a, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2 && with_normal(&t, h, h) == 1 && with_normal(&t, -h, h) == 1);
        /* a square in a U with room at the sides: two at the bottom, two at each side */
        set_body_here(
            &a, OUTLINE(0, -1, -1, 1, -1, 1, 1, 0.502, 1, 0.502, 0, -0.502, 0, -0.502, 1, -1, 1));
        set_body_here(&b, rectangle(1, 1.5, 0));
        place(&b, 0, 0.75 + gap, 0);
        seen_from(&a, &b, at_rest, 0.01, i % VIEWS, &t);
        CHECK(t.count == 6 && with_normal(&t, 0, 1) == 2 && with_normal(&t, 1, 0) == 2 &&
              with_normal(&t, -1, 0) == 2);
        /* a T hanging in the slot: its two shoulders, and the stem at the sides */
        set_body_here(&b, OUTLINE(0, -0.5, -0.5, 0.5, -0.5, 0.5, 1, 0.9, 1, 0.9, 1.3, -0.9, 1.3,
                                  -0.9, 1, -0.5, 1));
        place(&b, 0, gap, 0);
        set_body_here(&a, OUTLINE(0, -1, -1, 1, -1, 1, 1, 0.502, 1, 0.502, -0.7, -0.502, -0.7,
                                  -0.502, 1, -1, 1));
        seen_from(&a, &b, at_rest, 0.01, i % VIEWS, &t);
        CHECK(with_normal(&t, 0, 1) == 4 && with_normal(&t, 1, 0) == 2 &&
              with_normal(&t, -1, 0) == 2 && t.count == 8);
        /* an L hooked into another: the inner faces of the two arms, at both ends */
        set_body_here(&a, OUTLINE(0, 0, 0, 1, 0, 1, 0.2, 0.2, 0.2, 0.2, 1, 0, 1));
        set_body_here(&b, OUTLINE(0, 0, 0, -1, 0, -1, -0.2, -0.2, -0.2, -0.2, -1, 0, -1));
        place(&b, 1.25, 0.2 + 0.2 + gap, 0);
        seen_from(&a, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2 && with_normal(&t, 0, 1) == 2);
        CHECK(touches_at(&t, 0.25, 0.2, 1e-3) && touches_at(&t, 1, 0.2, 1e-3));
        place(&b, 1.2 + gap, 0.6, 0); /* pulled apart sideways: the stems hold each other */
        seen_from(&a, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 4 && with_normal(&t, 1, 0) == 4);
        CHECK(touches_at(&t, 0.2, 0.6, 1e-3) && touches_at(&t, 0.2, 0.4, 1e-3));
        CHECK(touches_at(&t, 1, 0.2, 1e-3) && touches_at(&t, 1, 0, 1e-3));
    }
    scr_block_free(&t.block);
}

/* Bars that cross without a corner inside part where they overlap least. */
static void crossed_bars_part_the_short_way(void) {
    static Body a, b;
    OutlineTouches t = {0};
    set_body(&a, rectangle(4, 0.2, 0));
    set_body(&b, rectangle(0.2, 2, 0));
    for (int view = 0; view < VIEWS; view++) {
        place(&b, 0.3, 0.2, 0); /* its lower end is 0.9 below the top of a */
        seen_from(&a, &b, at_rest, 0.01, view, &t);
        CHECK(t.count == 1 && with_normal(&t, 0, 1) == 1);
        CHECK_NEAR(least_gap(&t), -0.9, 1e-12);
        place(&b, 1.7, 0.2, 0); /* the end of a is 0.4 past its left side */
        seen_from(&a, &b, at_rest, 0.01, view, &t);
        CHECK(t.count == 1 && with_normal(&t, 1, 0) == 1);
        CHECK_NEAR(least_gap(&t), -0.4, 1e-12);
    }
    scr_block_free(&t.block);
}

/* A wall without thickness, met from both sides and at its end. */
static void thin_wall_is_met_from_both_sides(void) {
    static Body wall, b;
    OutlineTouches t = {0};
    set_body_here(&wall, OUTLINE(0, -2, 0, 2, 0));
    for (int i = 0; i < TINY * VIEWS * 2; i++) {
        double gap = tiny[i % TINY], up = i < TINY * VIEWS ? 1 : -1;
        set_body(&b, rectangle(1, 1, 0));
        place(&b, 0.3, up * (0.5 + gap), 0);
        seen_from(&wall, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2 && with_normal(&t, 0, up) == 2);
        CHECK_NEAR(least_gap(&t), gap, 1e-12);
        place(&b, 0.3, up * (sqrt(0.5) + gap), SHAPE_PI / 4);
        seen_from(&wall, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 1 && with_normal(&t, 0, up) == 1);
        set_body(&b, OUTLINE(0.3, 0, 0));
        place(&b, 0.3, up * (0.3 + gap), 0);
        seen_from(&wall, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 1 && with_normal(&t, 0, up) == 1);
        CHECK_NEAR(least_gap(&t), gap, 1e-12);
        set_body(&b, OUTLINE(0.3, -0.4, 0, 0.4, 0));
        place(&b, 0.3, up * (0.3 + gap), 0);
        seen_from(&wall, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 2 && with_normal(&t, 0, up) == 2);
        set_body(&b, rectangle(1, 1, 0)); /* the end of the wall touches a side of the square */
        place(&b, 2.5 + gap, 0.1, 0);
        seen_from(&wall, &b, at_rest, 1e-3, i % VIEWS, &t);
        CHECK(t.count == 1 && with_normal(&t, 1, 0) == 1);
        CHECK_NEAR(least_gap(&t), gap, 1e-12);
    }
    /* straddling: out on the side where more of it lies */
    set_body(&b, rectangle(1, 1, 0));
    place(&b, 0, 0.2, 0);
    find(&wall, &b, at_rest, 1e-3, &t);
    CHECK(t.count == 2 && with_normal(&t, 0, 1) == 2);
    CHECK_NEAR(least_gap(&t), -0.3, 1e-12);
    place(&b, 0, -0.2, 0);
    find(&wall, &b, at_rest, 1e-3, &t);
    CHECK(t.count == 2 && with_normal(&t, 0, -1) == 2);
    /* a C around the end of the wall is held from above and from below */
    set_body_here(&b, OUTLINE(0, 0, -1, 1, -1, 1, 1, 0, 1, 0, 0.1, 0.8, 0.1, 0.8, -0.1, 0, -0.1));
    place(&b, 1.5, 0, 0);
    find(&wall, &b, at_rest, 0.2, &t);
    CHECK(with_normal(&t, 0, 1) == 2 && with_normal(&t, 0, -1) == 2 && least_gap(&t) > 0);
    place(&b, 1.5, -0.1 - 1e-6, 0);
    find(&wall, &b, at_rest, 0.05, &t);
    CHECK(t.count == 2 && with_normal(&t, 0, 1) == 2);
    CHECK_NEAR(least_gap(&t), -1e-6, 1e-12);
    scr_block_free(&t.block);
}

/* Compounds: contacts of all parts, each with its own name. */
static void compounds_touch_with_all_parts(void) {
    static Body a, b;
    OutlineTouches t = {0};
    Shape dumbbell = OUTLINE(0.5, -1, 0), right = OUTLINE(0.5, 1, 0), bar = rectangle(2, 0.2, 0);
    set_body(&a, joined(joined(dumbbell, &right), &bar));
    set_body(&b, rectangle(4, 1, 0));
    place(&b, 0, -1 - 1e-6, 0);
    find(&a, &b, at_rest, 0.01, &t);
    CHECK(t.count == 2 && with_normal(&t, 0, -1) == 2);
    CHECK_NEAR(least_gap(&t), 1e-6, 1e-12);
    for (size_t k = 0; k < t.count; k++) {
        CHECK(scr_feature_a(t.item[k].feature) == 2 * (int32_t)k);
        CHECK(scr_feature_b(t.item[k].feature) == 2 * 2 + 1);
    }
    scr_block_free(&t.block);
}

int main(int argc, char **argv) {
    CHECK_RUN(stacked_squares_touch_at_two_ends);
    CHECK_RUN(brick_slides_over_a_seam);
    CHECK_RUN(corners_meet_faces_and_corners);
    CHECK_RUN(shapes_in_hollows_touch_all_flanks);
    CHECK_RUN(crossed_bars_part_the_short_way);
    CHECK_RUN(thin_wall_is_met_from_both_sides);
    CHECK_RUN(compounds_touch_with_all_parts);
    return check_result();
}
