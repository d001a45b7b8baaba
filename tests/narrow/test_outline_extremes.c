/* Outlines on top of each other, very large beside very small, very acute: the contacts stay finite
 * and few, and no memory is wasted. */
#include "narrow/outline_rig.h"

static void check_sane(const Body *a, const Body *b, const OutlineTouches *t, double reach) {
    Vec3 d = sub(b->position, a->position);
    CHECK(t->count <= 4 * (a->shape.corners + b->shape.corners));
    for (size_t k = 0; k < t->count; k++) {
        const OutlineTouch *c = &t->item[k];
        int32_t of_a = scr_feature_a(c->feature), of_b = scr_feature_b(c->feature);
        CHECK(isfinite(c->gap) && is_finite(c->arm) && c->gap <= reach);
        CHECK_NEAR(length(c->normal), 1, 1e-12);
        CHECK(of_a >= 0 && of_a < 2 * (int32_t)a->shape.corners);
        CHECK(of_b >= 0 && of_b < 2 * (int32_t)b->shape.corners);
        CHECK(of_a % 2 == 0 || of_b % 2 == 0);
        CHECK_NEAR(scr_outline_gap(&a->outline, &b->outline, d, c->normal, c->feature), c->gap,
                   1e-12 * (a->size + b->size));
        for (size_t j = 0; j < k; j++) {
            CHECK(t->item[j].feature != c->feature);
        }
    }
}

static void set_strange_body(Body *b, uint64_t key) {
    int kind = (int)scr_random_below(key, 900, KINDS + 3);
    double sharp = pow(10, -3 * scr_random_unit(key, 901));
    if (kind < KINDS) {
        set_random_body(b, key, kind);
    } else if (kind == KINDS) { /* a needle */
        set_body(b, OUTLINE(0, 0, 0, 1, -sharp / 2, 1, sharp / 2));
    } else if (kind == KINDS + 1) { /* a star of needles */
        set_body(b, star(5, 1, 0.02 + 0.3 * sharp, 0));
    } else { /* a very obtuse wedge */
        set_body(b, OUTLINE(0, -1, 0, 1, 0, 0.1, sharp));
    }
}

/* All positions, from coincident to just apart; shapes against themselves; exact alignments. */
static void contacts_stay_finite_and_few_anywhere(void) {
    static Body a, b;
    OutlineTouches t = {0};
    for (uint64_t trial = 0; trial < 40000; trial++) {
        uint64_t key = scr_random_key(51, trial / 8, 0), own = scr_random_key(52, trial, 0);
        if (trial % 8 == 0) {
            set_strange_body(&a, scr_random(key, 1));
            set_strange_body(&b, scr_random(key, scr_random_below(key, 5, 2) == 0 ? 1 : 2));
        }
        double far = trial % 8 == 0 ? 0 : pow(10, -12 * scr_random_unit(own, 1) * (trial % 2 == 0));
        double angle = trial % 3 == 0 ? 0 : 6 * scr_random_unit(own, 2);
        place(&a, 0, 0, trial % 5 == 0 ? 0 : angle);
        place(&b, 1.5 * far * cos(7 * angle), 1.5 * far * sin(7 * angle),
              trial % 7 == 0 ? a.angle : SHAPE_PI / 2 * (double)(trial % 4));
        double reach = trial % 4 == 0 ? 0 : 0.2 * scr_random_unit(own, 3);
        StepMotion m = {vec3(0.3 * scr_random_unit(own, 4) - 0.15, 0, 0),
                        vec3(0, 0, trial % 2 == 0 ? 0 : scr_random_unit(own, 5)), vec3(0, 0, 0)};
        find(&a, &b, trial % 3 == 0 ? at_rest : m, reach, &t);
        check_sane(&a, &b, &t, reach);
    }
    scr_block_free(&t.block);
}

/* A small body on a large one: size ratios of 10^4 and 10^6, gaps in units of the small one. */
static void small_bodies_on_large_ones_keep_their_gap(void) {
    static Body a, b;
    OutlineTouches t = {0};
    for (uint64_t trial = 0; trial < 4000; trial++) {
        uint64_t key = scr_random_key(53, trial, 0);
        double ratio = trial % 2 == 0 ? 1e4 : 1e6;
        set_body(&a, rectangle(2 * ratio, ratio, 0));
        set_random_body(&b, scr_random(key, 1), (int)(trial % KINDS));
        double gap = 0.02 * scr_random_unit(key, 2) - 0.01, angle = 6 * scr_random_unit(key, 3);
        place(&b, 0, 0, angle);
        double x = 1.8 * ratio * (scr_random_unit(key, 4) - 0.5);
        place(&b, x, 0.5 * ratio - b.outline.low[1] + gap, angle);
        find(&a, &b, at_rest, 0.05, &t);
        check_sane(&a, &b, &t, 0.05);
        CHECK_NEAR(least_gap(&t), gap, 1e-9 * ratio / 1e4);
        for (size_t k = 0; k < t.count; k++) {
            CHECK(t.item[k].normal.y > 1 - 1e-9);
        }
    }
    scr_block_free(&t.block);
}

/* The same pair at all sizes has the same contacts, scaled. */
static void scaled_pairs_have_scaled_contacts(void) {
    static Body a, b, c, d;
    OutlineTouches t = {0}, u = {0};
    for (uint64_t trial = 0; trial < 700; trial++) {
        uint64_t key = scr_random_key(54, trial, 0);
        set_random_body(&a, scr_random(key, 1), (int)(trial % KINDS));
        set_random_body(&b, scr_random(key, 2), (int)(trial / KINDS % KINDS));
        place(&a, 0, 0, 1);
        put_beside(&a, &b, key, 0.05 * scr_random_unit(key, 3));
        place(&b, b.position.x - 0.03, b.position.y, b.angle);
        const double size = trial % 2 == 0 ? 0x1p-30 : 0x1p30; /* exact in binary */
        set_body_here(&c, moved(a.shape, size, 0, vec3(0, 0, 0)));
        set_body_here(&d, moved(b.shape, size, 0, vec3(0, 0, 0)));
        place(&c, 0, 0, 1);
        place(&d, size * b.position.x, size * b.position.y, b.angle);
        find(&a, &b, at_rest, 0.1, &t);
        find(&c, &d, at_rest, 0.1 * size, &u);
        CHECK(t.count == u.count);
        for (size_t k = 0; k < t.count && k < u.count; k++) {
            CHECK(t.item[k].feature == u.item[k].feature);
            CHECK_NEAR(u.item[k].gap, size * t.item[k].gap, 1e-14 * size);
            CHECK(length(sub(u.item[k].normal, t.item[k].normal)) < 1e-12);
        }
    }
    scr_block_free(&t.block);
    scr_block_free(&u.block);
}

/* Outlines that are disks touch as disks. */
static void disk_outlines_touch_as_disks(void) {
    static Body a, b;
    OutlineTouches t = {0};
    set_body(&a, OUTLINE(0.7, 0, 0));
    set_body(&b, OUTLINE(0.4, 0, 0));
    for (int k = 0; k <= 200; k++) {
        double distance = 1.2 * k / 200, angle = 0.1 * k;
        place(&b, distance * cos(angle), distance * sin(angle), 3 * angle);
        find(&a, &b, at_rest, 0.05, &t);
        CHECK(t.count == (distance - 1.1 <= 0.05));
        if (t.count == 1) {
            CHECK_NEAR(t.item[0].gap, distance - 1.1, 1e-14);
            CHECK(k == 0 || dot(t.item[0].normal, b.position) > distance * (1 - 1e-14));
            CHECK_NEAR(length(t.item[0].arm), fabs(0.7 + 0.5 * (distance - 1.1)), 1e-14);
        }
    }
    scr_block_free(&t.block);
}

/* Long outlines: two gears of 128 corners, found as brute force says, in a list that stops
 * growing. */
static void gears_touch_as_brute_force_says(void) {
    static Body a, b;
    OutlineTouches t = {0};
    set_body(&a, star(64, 1, 0.9, 0));
    set_body(&b, star(64, 1, 0.9, 0));
    size_t bytes = 0;
    for (int k = 0; k < 200; k++) {
        double gap, angle = 0.01 * k;
        place(&a, 0, 0, 0.013 * k);
        place(&b, 2.02 * cos(angle), 2.02 * sin(angle), 0.02 * k);
        if (brute_gap(&a, &b, &gap)) {
            find(&a, &b, at_rest, 0.1, &t);
            CHECK_NEAR(least_gap(&t), gap, 1e-12);
            check_sane(&a, &b, &t, 0.1);
        }
        place(&b, 1.95 * cos(angle), 1.95 * sin(angle), 0.02 * k);
        find(&a, &b, at_rest, 0.1, &t);
        check_sane(&a, &b, &t, 0.1);
        bytes = k == 100 ? t.block.bytes : bytes;
    }
    CHECK(bytes > 0 && t.block.bytes == bytes);
    scr_block_free(&t.block);
}

int main(int argc, char **argv) {
    CHECK_RUN(contacts_stay_finite_and_few_anywhere);
    CHECK_RUN(small_bodies_on_large_ones_keep_their_gap);
    CHECK_RUN(scaled_pairs_have_scaled_contacts);
    CHECK_RUN(disk_outlines_touch_as_disks);
    CHECK_RUN(gears_touch_as_brute_force_says);
    return check_result();
}
