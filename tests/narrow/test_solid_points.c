/* Which contact points two solids have, and under which names: special positions of cubes, seams,
 * rest, turning. */
#include "narrow/solid_rig.h"

static const double quarter = 0.78539816339744830962; /* of pi */

static RigBody a, b;
static RigTouch t, u;

/* ---------------------------------------------------------------- special positions of cubes */

/* b at x, turned. The least gap, and the number of points where faces lie on each other. */
static void check_position(const char *name, Quat qa, Quat qb, Vec3 x, double gap, size_t points) {
    int before = check_failures;
    rig_turn(&a, qa);
    rig_turn(&b, qb);
    b.x = x;
    rig_forget(&t);
    rig_touch(&t, &a, &b, 0.05);
    CHECK(t.touches.count > 0);
    CHECK_NEAR(rig_least(&t), gap, 1e-12);
    if (points > 0) {
        CHECK(t.touches.count == points);
    }
    for (size_t i = 0; i < t.touches.count; i++) {
        CHECK_NEAR(length(t.touches.item[i].normal), 1, 1e-14);
    }
    if (check_failures > before) {
        fprintf(stderr, "    %s, gap %g: %zu points\n", name, gap, t.touches.count);
    }
}

/* Where several axes part the cubes, their gap is that of the best one. */
static void check_positions(double g) {
    const Quat none = {1, 0, 0, 0}, tipped = rig_about(0, 1, 0, quarter);
    const double h = 0.5, r2 = sqrt(2), r3 = sqrt(3);
    const Quat crossed = quat_multiply(rig_about(0, 0, 1, 2 * quarter), tipped);
    const Quat slightly = quat_multiply(rig_about(0, 0, 1, 1e-3), tipped);
    const Quat on_corner = rig_about(1, -1, 0, acos(1 / r3));
    check_position("face on face", none, none, vec3(0, 0, 1 + g), g, 4);
    check_position("shifted along x", none, none, vec3(0.2, 0, 1 + g), g, 4);
    check_position("shifted along x and y", none, none, vec3(0.2, 0.1, 1 + g), g, 4);
    check_position("turned by 45 degrees", none, rig_about(0, 0, 1, quarter), vec3(0, 0, 1 + g), g,
                   8);
    /* both blocks end at the same plane: apart along z by g, along x by nothing */
    check_position("sharing an edge line", none, none, vec3(1, 0, 1 + g), g > 0 ? g : 0, 0);
    check_position("edge on face", none, tipped, vec3(0, 0, h + h * r2 + g), g, 2);
    check_position("vertex on face", none, on_corner, vec3(0.02, 0.01, h + h * r3 + g), g, 1);
    check_position("edges crossed", tipped, crossed, vec3(0, 0, 2 * h * r2 + g), g, 0);
    /* parallel edges that overlap by d: the faces behind them are parted at d cos 45 */
    check_position("edges parallel", tipped, tipped, vec3(0, 0, 2 * h * r2 + g), g > 0 ? g : g / r2,
                   0);
    if (g >= 0) {
        check_position("edges nearly parallel", tipped, slightly, vec3(0, 0, 2 * h * r2 + g), g, 0);
    }
    double d = g / r3;
    check_position("vertex to vertex", none, none, vec3(1 + d, 1 + d, 1 + d), g > 0 ? g : d, 0);
}

static void special_positions_of_cubes(void) {
    static const double gaps[] = {1e-2, 1e-6, 1e-9, 0, -1e-9, -1e-6, -1e-2};
    rig_box(&a, 0.5, 0.5, 0.5, 0);
    rig_box(&b, 0.5, 0.5, 0.5, 0);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        check_positions(gaps[i]);
    }
    rig_free(&a);
    rig_free(&b);
}

/* ---------------------------------------------------------------- lists that have too much */

/* All pairs of features, whether they face each other or not. */
static size_t list_all(const PartPair *p, int32_t *name) {
    size_t count = 0;
    for (int32_t i = 0; i < p->a->vertices + p->a->edges + p->a->faces; i++) {
        for (int32_t j = 0; j < p->b->vertices + p->b->edges + p->b->faces; j++) {
            FeaturePair f = scr_pair_of_name(p, scr_feature(i, j));
            if (scr_can_touch(f.kind_a, f.kind_b)) {
                name[count++] = scr_feature(i, j);
            }
        }
    }
    return count;
}

static bool same_bits(const OutlineTouches *list, const SolidPoints *points) {
    bool same = list->count == points->count;
    for (size_t i = 0; same && i < list->count; i++) {
        const SolidPoint *p = &points->item[i];
        const OutlineTouch *q = &list->item[i];
        Vec3 n = scr_out_of_frame(&a.placed, p->normal), x = scr_out_of_frame(&a.placed, p->middle);
        same = p->name == q->feature && p->gap == q->gap && memcmp(&n, &q->normal, sizeof n) == 0 &&
               memcmp(&x, &q->arm, sizeof x) == 0;
    }
    return same;
}

static StepMotion random_motion(double size) {
    StepMotion m = {.shift = rig_step(0, size)};
    m.turn_a = rig_step(0, size);
    m.turn_b = rig_step(0, size);
    return m;
}

/* The search leaves nothing out, and what it leaves out does nothing: with the list of all pairs of
 * features every bit of every point is the same. */
static void all_pairs_of_features_give_the_same_bits(void) {
    enum { MOST = 256 * 256 };
    static int32_t name[MOST];
    size_t points = 0;
    for (int i = 0; i < 1500 / CHECK_STRIDE; i++) {
        rig_any(&a, i, i % 4 == 0 ? 0.02 : 0);
        rig_any(&b, i / 10, i % 3 == 0 ? 0.03 : 0);
        double size = rig_any_size(1e-6, 3e-2);
        rig_set_near(&a, &b, rig_between(-0.5, 3) * size);
        const StepMotion m = random_motion(size);
        double reach = 3 * size;
        rig_forget(&t);
        rig_touch_moving(&t, &a, &b, &rig_rest, reach);
        rig_remember(&t);
        b.x = add_scaled(b.x, 0.1 * size, rig_direction());
        rig_touch_moving(&t, &a, &b, &m, reach);
        const Vec3 d = rig_between_bodies(&a, &b);
        const RelativePose now = scr_relative_pose(&a.placed, &b.placed, d);
        LaterPose later = {.a = &a.placed, .b = &b.placed, .d = d, .motion = &m};
        const PartPair p = scr_part_pair(&a.part[0], &b.part[0], &now);
        const PointRules rules =
            scr_solid_rules(&a.placed, &b.placed, &m, reach, (OldPoints){t.old, t.old_count});
        u.work.points.count = 0;
        double depth;
        CHECK(scr_part_points(&p, &later, name, list_all(&p, name), &rules, &u.work.points,
                              &depth) == SCREE_OK);
        scr_thin_points(&u.work.points);
        CHECK(same_bits(&t.touches, &u.work.points));
        points += t.touches.count;
        rig_free(&a);
        rig_free(&b);
    }
    CHECK(points > 1200 / CHECK_STRIDE);
}

/* ---------------------------------------------------------------- kept lists */

static bool same_touches(const OutlineTouches *one, const OutlineTouches *other) {
    bool same = one->count == other->count;
    for (size_t i = 0; same && i < one->count; i++) {
        const OutlineTouch *p = &one->item[i], *q = &other->item[i];
        same = p->feature == q->feature && memcmp(&p->gap, &q->gap, sizeof p->gap) == 0 &&
               memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 &&
               memcmp(&p->arm, &q->arm, sizeof p->arm) == 0;
    }
    return same;
}

/* A clump of a ball, a rod, a box and a rock. */
static void clump(RigBody *body) {
    const Vec3 one = {0.3, 0, 0}, two[2] = {{-0.4, -0.1, 0}, {0.1, 0.2, 0.3}};
    const Vec3 four[4] = {{0, 0, -0.4}, {0.2, 0.1, 0}, {-0.2, 0.1, 0}, {0, -0.3, 0}};
    rig_hull_part(body, 0, &one, 1, 0.2);
    rig_hull_part(body, 1, two, 2, 0.1);
    rig_box_part(body, 2, vec3(0, 0.1, 0), vec3(0.2, 0.3, 0.1), 0);
    rig_hull_part(body, 3, four, 4, 0.01);
    rig_finish(body, 4);
}

/* Two bodies wander about each other, in and out of contact, slowly and fast; what one call keeps,
 * the other does not have. */
static void wander(double step, int steps, size_t *points) {
    static RigTouch kept;
    SolidKept list = {0};
    kept.work.kept = &list;
    rig_forget(&t);
    for (int i = 0; i < steps; i++) {
        StepMotion m = random_motion(step);
        const OldPoints old = {t.old, t.old_count};
        Vec3 d = rig_between_bodies(&a, &b);
        double reach = step * rig_between(1.5, 3);
        CHECK(scr_touch_solids(&a.placed, &b.placed, d, &m, reach, old, &kept.work,
                               &kept.touches) == SCREE_OK);
        rig_touch_moving(&t, &a, &b, &m, reach);
        CHECK(same_touches(&t.touches, &kept.touches));
        *points += t.touches.count;
        rig_remember(&t);
        /* stays about contact, but for being pressed in now and then */
        double pull = rig_least(&t) < 0 && i % 60 > 20 ? 0.3 : -0.3;
        b.x = add(b.x, add_scaled(m.shift, pull * step, unit(d)));
        rig_turn_by(&a, m.turn_a);
        rig_turn_by(&b, m.turn_b);
    }
    rig_touch_free(&kept);
    kept = (RigTouch){0};
}

static void kept_lists_change_no_bit(void) {
    static const double steps[] = {1e-2, 1e-3, 1e-4, 1e-5};
    size_t points = 0;
    for (int i = 0; i < 120 / CHECK_STRIDE; i++) {
        if (i % 12 == 11) {
            clump(&a);
            clump(&b);
        } else {
            rig_any(&a, i, i % 4 == 0 ? 0.02 : 0);
            rig_any(&b, i / 10, i % 3 == 0 ? 0.03 : 0);
        }
        rig_set_near(&a, &b, 0);
        wander(steps[i % 4], 150, &points);
        rig_free(&a);
        rig_free(&b);
    }
    CHECK(points > 120 * 150 / CHECK_STRIDE);
}

/* ---------------------------------------------------------------- rest */

static bool has_name(const RigTouch *list, int32_t feature) {
    bool has = false;
    for (size_t i = 0; i < list->old_count; i++) {
        has = has || list->old[i].feature == feature;
    }
    return has;
}

/* A cube lies on a cube of the same size, every vertex over one of the other, and shakes a little:
 * its four points keep their names. */
static void names_stay_at_rest(void) {
    static const double gaps[] = {1e-3, 1e-6, 0, -1e-6};
    rig_box(&a, 0.5, 0.5, 0.5, 0);
    rig_box(&b, 0.5, 0.5, 0.5, 0);
    for (int k = 0; k < 4; k++) {
        rig_forget(&t);
        int changes = 0;
        for (int step = 0; step < 1000; step++) {
            rig_turn(&b, quat_from_turn(scale(1e-7, rig_direction())));
            b.x = add_scaled(vec3(0, 0, 1 + gaps[k]), 1e-7, rig_direction());
            rig_touch(&t, &a, &b, 0.01);
            CHECK(t.touches.count == 4);
            for (size_t i = 0; i < t.touches.count; i++) {
                changes += !has_name(&t, t.touches.item[i].feature);
            }
            rig_remember(&t);
        }
        CHECK(changes == 4); /* the first step's */
    }
    rig_free(&a);
    rig_free(&b);
}

/* ---------------------------------------------------------------- seams */

/* A block slides over a row of three blocks, as if over one. A point whose normal lies along the row
 * must not close in the step; under the block there is always something. */
static void check_slide(double gap, double step, double yaw) {
    rig_turn(&b, rig_about(0, 0, 1, yaw));
    const StepMotion m = {.shift = vec3(step, 0.3 * step, 0)};
    static RigTouch row[3];
    for (int i = 0; i < 3; i++) {
        rig_forget(&row[i]);
    }
    for (double x = 0.05 * step; x < 2; x += step) {
        bool carried = false;
        b.x = vec3(x, 0.15 + 0.3 * (x - 1), 1 + gap);
        for (int i = 0; i < 3; i++) {
            a.x = vec3(i, 0, 0);
            rig_touch_moving(&row[i], &a, &b, &m, 0.02);
            for (size_t k = 0; k < row[i].touches.count; k++) {
                const OutlineTouch *at = &row[i].touches.item[k];
                carried = carried || (at->normal.z > 0.99 && fabs(at->gap - gap) < 1e-12);
                CHECK(at->gap + dot(at->normal, m.shift) >= scr_min(gap, 0) - 1e-12);
            }
            rig_remember(&row[i]);
        }
        CHECK(carried);
    }
    for (int i = 0; i < 3; i++) {
        rig_touch_free(&row[i]);
        row[i] = (RigTouch){0};
    }
}

static void blocks_do_not_catch_at_seams(void) {
    static const double gaps[] = {1e-5, 1e-9, 1e-12, 0, -1e-12, -1e-9, -1e-5};
    rig_box(&a, 0.5, 0.5, 0.5, 0);
    rig_box(&b, 0.4, 0.3, 0.5, 0);
    for (int i = 0; i < 7; i++) {
        check_slide(gaps[i], 1e-2, 0);
        check_slide(gaps[i], 3.3e-3, 0);
        check_slide(gaps[i], 1e-2, 0.3);
    }
    rig_free(&a);
    rig_free(&b);
}

/* The same on a floor that is one body of three parts. */
static void floors_of_parts_have_no_seams(void) {
    for (int i = 0; i < 3; i++) {
        rig_box_part(&a, i, vec3(i, 0, 0), vec3(0.5, 0.5, 0.5), 0);
    }
    rig_finish(&a, 3);
    rig_box(&b, 0.4, 0.3, 0.5, 0);
    static const double gaps[] = {1e-5, 1e-9, 0, -1e-9, -1e-5};
    for (int k = 0; k < 5; k++) {
        const StepMotion m = {.shift = vec3(1e-2, 3e-3, 0)};
        rig_forget(&t);
        for (double x = 5e-4; x < 2; x += 1e-2) {
            size_t carried = 0;
            b.x = vec3(x, 0.15 + 0.3 * (x - 1), 1 + gaps[k]);
            rig_touch_moving(&t, &a, &b, &m, 0.02);
            for (size_t i = 0; i < t.touches.count; i++) {
                const OutlineTouch *at = &t.touches.item[i];
                carried += at->normal.z > 0.99 && fabs(at->gap - gaps[k]) < 1e-12;
                CHECK(at->gap + dot(at->normal, m.shift) >= scr_min(gaps[k], 0) - 1e-12);
            }
            CHECK(carried >= 4); /* it lies on the floor with all of its face */
            rig_remember(&t);
        }
    }
    rig_free(&a);
    rig_free(&b);
}

/* ---------------------------------------------------------------- what a step leaves */

/* A motion that closes no point by more than its gap, to first order, leaves an overlap of second
 * order only: nothing that the bodies may run into is missing in the list. */
static void motions_that_keep_the_points_leave_little_overlap(void) {
    double worst = 0;
    for (int i = 0; i < rig_pairs(1000); i++) {
        if (!rig_begin(i)) {
            continue;
        }
        rig_any(&a, i, 0);
        rig_any(&b, i / 10, 0);
        double size = 1e-3;
        rig_set_near(&a, &b, rig_between(0, 1) * size);
        StepMotion m = random_motion(size);
        m.turn_a = vec3(0, 0, 0);
        rig_forget(&t);
        rig_touch_moving(&t, &a, &b, &m, 4 * size);
        Vec3 d = rig_between_bodies(&a, &b);
        double part = 1;
        for (size_t k = 0; k < t.touches.count; k++) {
            const OutlineTouch *at = &t.touches.item[k];
            Vec3 moves = add(m.shift, cross(m.turn_b, sub(at->arm, d)));
            double closing = -dot(at->normal, moves);
            part = closing > 0 ? fmin(part, fmax(at->gap, 0) / closing) : part;
        }
        b.x = add_scaled(b.x, part, m.shift);
        rig_turn_by(&b, scale(part, m.turn_b));
        double apart = rig_all_axes(&a, 0, &b, 0);
        worst = fmax(worst, -apart);
        CHECK(apart >= -4 * size * size);
        rig_free(&a);
        rig_free(&b);
    }
    printf("    worst overlap %.1e after motions of 1e-3\n", worst);
}

int main(int argc, char **argv) {
    CHECK_RUN(special_positions_of_cubes);
    CHECK_RUN(all_pairs_of_features_give_the_same_bits);
    CHECK_RUN(kept_lists_change_no_bit);
    CHECK_RUN(names_stay_at_rest);
    CHECK_RUN(blocks_do_not_catch_at_seams);
    CHECK_RUN(floors_of_parts_have_no_seams);
    CHECK_RUN(motions_that_keep_the_points_leave_little_overlap);
    rig_touch_free(&t);
    rig_touch_free(&u);
    return check_result();
}
