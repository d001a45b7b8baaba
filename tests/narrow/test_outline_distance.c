/* Contact points of random pairs of outlines near each other, against brute force: gaps are
 * distances, none is missing, none is invented, and nothing depends on the point of view. */
#include "narrow/outline_rig.h"

enum { TRIALS = 6000 / CHECK_STRIDE };

typedef void Judge(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                   uint64_t key);

/* Pairs of all kinds, at gaps from a slight overlap of the roundings to out of reach. */
static void each_pair(uint64_t seed, Judge *judge) {
    static Body a, b;
    OutlineTouches t = {0};
    int judged = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t key = scr_random_key(seed, trial, 0);
        set_random_body(&a, scr_random(key, 1), (int)(trial % KINDS));
        set_random_body(&b, scr_random(key, 2), (int)(trial / KINDS % KINDS));
        place(&a, 3 * scr_random_unit(key, 3), -2, 6 * scr_random_unit(key, 4));
        double reach = trial % 5 == 0 ? 0 : 0.3 * scr_random_unit(key, 5), gap;
        put_beside(&a, &b, key, reach * (1.2 * scr_random_unit(key, 6) - 0.1));
        if (!brute_gap(&a, &b, &gap)) {
            continue;
        }
        judged++;
        find(&a, &b, at_rest, reach, &t);
        judge(&a, &b, reach, &t, key);
    }
    CHECK(judged > TRIALS / 2);
    scr_block_free(&t.block);
}

static void judge_least(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                        uint64_t key) {
    double gap;
    (void)key;
    brute_gap(a, b, &gap);
    if (gap > reach) {
        CHECK(t->count == 0);
    } else {
        CHECK_NEAR(least_gap(t), gap, 1e-12);
    }
}
static void least_gap_is_the_distance(void) {
    each_pair(31, judge_least);
}

/* The ends of the gap lie on both surfaces, as far as the tilt of two faces allows: a rounded
 * corner that leans by the angle t is off the surface by 1 - cos t of its rounding. */
static void judge_real(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                       uint64_t key) {
    (void)key;
    for (size_t k = 0; k < t->count; k++) {
        const OutlineTouch *c = &t->item[k];
        Vec3 middle = add(a->position, c->arm);
        double off_a = off_surface(a, scr_feature_a(c->feature) / 2,
                                   add_scaled(middle, -0.5 * c->gap, c->normal));
        double off_b = off_surface(b, scr_feature_b(c->feature) / 2,
                                   add_scaled(middle, 0.5 * c->gap, c->normal));
        double lean = 1 - sqrt(1 - 0.2 * 0.2);
        CHECK(off_a <= 1e-12 && off_a >= -lean * a->size - 1e-12);
        CHECK(off_b <= 1e-12 && off_b >= -lean * b->size - 1e-12);
        CHECK_NEAR(length(c->normal), 1, 1e-14);
        CHECK(c->normal.z == 0 && c->arm.z == 0 && c->feature != 0 && c->gap <= reach);
        /* no place has two contacts */
        for (size_t j = 0; j < k; j++) {
            CHECK(t->item[j].feature != c->feature);
            CHECK(length(sub(t->item[j].arm, c->arm)) > 1e-7);
        }
        CHECK_NEAR(scr_outline_gap(&a->outline, &b->outline, sub(b->position, a->position),
                                   c->normal, c->feature),
                   c->gap, 1e-14);
    }
}
static void touches_lie_on_both_surfaces(void) {
    each_pair(32, judge_real);
}

/* The nearest points of two segments are a contact when no pair of points around them is nearer. */
static Vec3 along(const Body *b, int32_t k, Vec3 from, double way) {
    Vec3 p = corner_at(b, k), q = corner_at(b, next_of(b, k));
    double l = length(sub(q, p)), at = dot(sub(from, p), sub(q, p)) / fmax(l, 1e-300) + way;
    if (l == 0 || (at >= 0 && at <= l)) {
        return l == 0 ? from : add_scaled(p, at / l, sub(q, p));
    }
    if (at > l) { /* continues on the next edge */
        int32_t n = next_of(b, k);
        return add_scaled(q, at - l, unit(sub(corner_at(b, next_of(b, n)), q)));
    }
    int32_t before = k;
    while (next_of(b, before) != k) {
        before = next_of(b, before);
    }
    return add_scaled(p, -at, unit(sub(corner_at(b, before), p)));
}

static bool is_place(const Body *a, int32_t i, Vec3 p, const Body *b, int32_t j, Vec3 q) {
    double d = length(sub(p, q));
    if (contains(a, add_scaled(p, 1e-6, sub(q, p))) ||
        contains(b, add_scaled(q, 1e-6, sub(p, q)))) {
        return false; /* seen through one of the bodies */
    }
    for (int k = 0; k < 9; k++) {
        Vec3 u = along(a, i, p, 1e-4 * (k / 3 - 1)), v = along(b, j, q, 1e-4 * (k % 3 - 1));
        if (length(sub(u, v)) < d - 1e-12) {
            return false;
        }
    }
    return true;
}

static void judge_complete(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                           uint64_t key) {
    (void)key;
    for (int32_t i = 0; i < (int32_t)a->shape.corners; i++) {
        Vec3 s[2] = {corner_at(a, i), corner_at(a, next_of(a, i))}, p, q;
        for (int32_t j = 0; j < (int32_t)b->shape.corners; j++) {
            Vec3 u[2] = {corner_at(b, j), corner_at(b, next_of(b, j))};
            double ra = rounding_of(a, i), rb = rounding_of(b, j);
            double distance = segment_to_segment(s, u, &p, &q), gap = distance - ra - rb;
            if (gap > reach - 1e-9 || !is_place(a, i, p, b, j, q)) {
                continue;
            }
            Vec3 n = scale(1 / distance, sub(q, p));
            Vec3 middle = sub(add_scaled(p, ra + 0.5 * gap, n), a->position);
            bool found = false;
            for (size_t k = 0; k < t->count && !found; k++) {
                found =
                    length(sub(t->item[k].arm, middle)) < 1e-6 && fabs(t->item[k].gap - gap) < 1e-9;
            }
            CHECK(found);
        }
    }
}
static void no_contact_is_missing(void) {
    each_pair(33, judge_complete);
}

/* ---------------------------------------------------------------- points of view */

static void judge_swapped(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                          uint64_t key) {
    OutlineTouches u = {0}, v = {0};
    (void)t;
    StepMotion motion = {
        vec3(0.1 * scr_random_unit(key, 50) - 0.05, 0.1 * scr_random_unit(key, 51) - 0.05, 0),
        vec3(0, 0, 0.02 * scr_random_unit(key, 52)), vec3(0, 0, -0.02 * scr_random_unit(key, 53))};
    StepMotion back = {scale(-1, motion.shift), motion.turn_b, motion.turn_a};
    find(a, b, motion, reach, &u);
    find(b, a, back, reach, &v);
    CHECK(u.count == v.count);
    for (size_t k = 0; k < u.count; k++) {
        int32_t f = u.item[k].feature;
        const OutlineTouch *m = touch_of(&v, scr_feature(scr_feature_b(f), scr_feature_a(f)));
        CHECK(m != NULL);
        if (m != NULL) {
            CHECK_NEAR(m->gap, u.item[k].gap, 1e-13);
            CHECK(length(add(m->normal, u.item[k].normal)) < 1e-12);
            CHECK(length(sub(add(m->arm, b->position), add(u.item[k].arm, a->position))) < 1e-12);
        }
    }
    scr_block_free(&u.block);
    scr_block_free(&v.block);
}
static void swapping_the_bodies_mirrors_the_contacts(void) {
    each_pair(34, judge_swapped);
}

static void judge_turned(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                         uint64_t key) {
    static Body c, d;
    double angle = 6 * scr_random_unit(key, 60), x = 1e3 * scr_random_unit(key, 61);
    Vec3 apart = sub(b->position, a->position);
    c = *a;
    d = *b;
    place(&c, x, -x, a->angle + angle);
    place(&d, x + cos(angle) * apart.x - sin(angle) * apart.y,
          -x + sin(angle) * apart.x + cos(angle) * apart.y, b->angle + angle);
    OutlineTouches u = {0};
    find(&c, &d, at_rest, reach + 1e-9, &u);
    for (size_t k = 0; k < t->count; k++) {
        const OutlineTouch *s = &t->item[k], *m = touch_of(&u, s->feature);
        CHECK(m != NULL);
        if (m != NULL) {
            CHECK_NEAR(m->gap, s->gap, 1e-11);
            CHECK_NEAR(m->normal.x, cos(angle) * s->normal.x - sin(angle) * s->normal.y, 1e-9);
            CHECK_NEAR(m->normal.y, sin(angle) * s->normal.x + cos(angle) * s->normal.y, 1e-9);
        }
    }
    scr_block_free(&u.block);
}
static void turning_everything_changes_nothing(void) {
    each_pair(35, judge_turned);
}

/* ---------------------------------------------------------------- small motions */

/* The gap of a corner and an edge grows at the rate n.(v_b - v_a) at the point of contact. So does
 * that of two corners along a fixed normal, apart from their distance across it, which is at most a
 * thousandth of the smaller size. */
static void judge_rate(const Body *a, const Body *b, double reach, const OutlineTouches *t,
                       uint64_t key) {
    static Body c, d;
    double h = 1e-6, rate[6];
    for (int k = 0; k < 6; k++) {
        rate[k] = 2 * scr_random_unit(key, 70 + (uint64_t)k) - 1;
    }
    double gap[2];
    for (size_t k = 0; k < t->count; k++) {
        const OutlineTouch *s = &t->item[k];
        for (int way = 0; way < 2; way++) {
            double step = way == 0 ? h : -h;
            c = *a;
            d = *b;
            place(&c, a->position.x + step * rate[0], a->position.y + step * rate[1],
                  a->angle + step * rate[2]);
            place(&d, b->position.x + step * rate[3], b->position.y + step * rate[4],
                  b->angle + step * rate[5]);
            gap[way] = scr_outline_gap(&c.outline, &d.outline, sub(d.position, c.position),
                                       s->normal, s->feature);
        }
        Vec3 arm_b = sub(add(a->position, s->arm), b->position);
        double vx = rate[3] - rate[5] * arm_b.y - rate[0] + rate[2] * s->arm.y;
        double vy = rate[4] + rate[5] * arm_b.x - rate[1] - rate[2] * s->arm.x;
        bool corners = scr_feature_a(s->feature) % 2 == 0 && scr_feature_b(s->feature) % 2 == 0;
        CHECK_NEAR((gap[0] - gap[1]) / (2 * h), s->normal.x * vx + s->normal.y * vy,
                   corners ? 2e-3 : 1e-8);
    }
    /* after so small a motion the contacts are the same, with those gaps */
    OutlineTouches u = {0};
    find(&c, &d, at_rest, reach + 1e-5, &u);
    for (size_t k = 0; k < t->count; k++) {
        const OutlineTouch *s = &t->item[k], *m = touch_of(&u, s->feature);
        CHECK(m != NULL);
        if (m != NULL) {
            CHECK_NEAR(m->gap,
                       scr_outline_gap(&c.outline, &d.outline, sub(d.position, c.position),
                                       m->normal, m->feature),
                       1e-14);
            CHECK(dot(m->normal, s->normal) > 1 - 1e-6);
        }
    }
    scr_block_free(&u.block);
}
static void gaps_grow_with_the_velocity(void) {
    each_pair(36, judge_rate);
}

int main(int argc, char **argv) {
    CHECK_RUN(least_gap_is_the_distance);
    CHECK_RUN(touches_lie_on_both_surfaces);
    CHECK_RUN(no_contact_is_missing);
    CHECK_RUN(swapping_the_bodies_mirrors_the_contacts);
    CHECK_RUN(turning_everything_changes_nothing);
    CHECK_RUN(gaps_grow_with_the_velocity);
    return check_result();
}
