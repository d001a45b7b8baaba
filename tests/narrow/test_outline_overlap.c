/* Overlapping convex outlines: the depth by separating axes, and normals that do not flip while one
 * is pushed into the other. */
#include "narrow/outline_rig.h"

/* The largest distance, over all edges, of the other's nearest corner from the line of the edge:
 * minus the depth when they overlap. */
static double separation(const Body *a, const Body *b) {
    double most = -INFINITY;
    for (int turn = 0; turn < 2; turn++) {
        const Body *edges = turn == 0 ? a : b, *corners = turn == 0 ? b : a;
        for (int32_t k = 0; k < (int32_t)edges->shape.corners; k++) {
            Vec3 p = corner_at(edges, k), t = unit(sub(corner_at(edges, next_of(edges, k)), p));
            double least = INFINITY;
            for (int32_t v = 0; v < (int32_t)corners->shape.corners; v++) {
                least = fmin(least, dot(sub(corner_at(corners, v), p), vec3(t.y, -t.x, 0)));
            }
            most = fmax(most, least);
        }
    }
    return most - rounding_of(a, 0) - rounding_of(b, 0);
}

/* A convex pair that touches, and the direction of the contact. */
static bool touching_pair(Body *a, Body *b, uint64_t key, OutlineTouches *t, Vec3 *normal) {
    set_random_body(a, scr_random(key, 1), scr_random_below(key, 8, 2) == 0 ? 0 : 2);
    set_random_body(b, scr_random(key, 2), 0);
    place(a, 0, 0, 6 * scr_random_unit(key, 4));
    put_beside(a, b, key, 1e-9);
    find(a, b, at_rest, 1e-6, t);
    CHECK(t->count > 0);
    *normal = t->count > 0 ? t->item[0].normal : vec3(1, 0, 0);
    return t->count > 0;
}

static void depth_matches_separating_axes(void) {
    static Body a, b;
    OutlineTouches t = {0};
    int deep = 0, missed = 0;
    for (uint64_t trial = 0; trial < 6000; trial++) {
        uint64_t key = scr_random_key(41, trial, 0);
        Vec3 n;
        if (!touching_pair(&a, &b, key, &t, &n)) {
            continue;
        }
        double core = rounding_of(&a, 0); /* the polygons themselves overlap */
        double push = core + (trial % 2 == 0 ? 0.1 : 0.01) * scr_random_unit(key, 9) + 1e-7;
        place(&b, b.position.x - push * n.x, b.position.y - push * n.y, b.angle);
        double s = separation(&a, &b);
        if (s + core > -1e-8) {
            continue;
        }
        deep++;
        find(&a, &b, at_rest, 0.01, &t);
        size_t exact = 0; /* the contact whose gap is the depth */
        for (size_t k = 0; k < t.count; k++) {
            exact = fabs(t.item[k].gap - s) < fabs(t.item[exact].gap - s) ? k : exact;
        }
        CHECK(t.count > 0);
        if (t.count == 0) {
            continue;
        }
        double off = fabs(t.item[exact].gap - s);
        CHECK(off < 1e-12 || trial % 2 == 0 || off < 1e-3 * (core - s));
        missed += off > 1e-12;
        /* the others belong to the same two faces, tilted by at most 0.2 */
        for (size_t k = 0; k < t.count; k++) {
            CHECK(dot(t.item[k].normal, t.item[exact].normal) > 0.97);
            double apart = length(sub(t.item[k].arm, t.item[exact].arm));
            CHECK(trial % 2 == 0 || t.item[k].gap >= 1.1 * s - 0.25 * apart);
        }
    }
    /* apart from deep slivers, whose corners have passed through */
    CHECK(deep > 3000 && missed * 200 < deep);
    scr_block_free(&t.block);
}

static void normals_do_not_flip_while_pushed_in(void) {
    static Body a, b;
    OutlineTouches t = {0};
    int turned = 0, steps = 0;
    for (uint64_t trial = 0; trial < 1500; trial++) {
        uint64_t key = scr_random_key(42, trial, 0);
        Vec3 n, last = {0, 0, 0};
        if (!touching_pair(&a, &b, key, &t, &n)) {
            continue;
        }
        bool corners =
            scr_feature_a(t.item[0].feature) % 2 == 0 && scr_feature_b(t.item[0].feature) % 2 == 0;
        Vec3 start = add_scaled(b.position, 0.01, n);
        double size = fmin(a.size, b.size), step = 1e-3 * size;
        StepMotion motion = {.shift = scale(-step, n)};
        for (double travel = 0; travel <= 0.2 * size + 0.01; travel += step) {
            place(&b, start.x - travel * n.x, start.y - travel * n.y, b.angle);
            find(&a, &b, motion, 0.05, &t);
            CHECK(t.count > 0);
            const OutlineTouch *deepest = &t.item[0];
            for (size_t k = 0; k < t.count; k++) {
                deepest = t.item[k].gap < deepest->gap ? &t.item[k] : deepest;
                CHECK(t.item[k].gap > 0 || dot(t.item[k].normal, n) > -0.1);
            }
            if (t.count == 0) {
                break;
            }
            if (fabs(travel - 0.01) < 4 * step && travel > 0 && !corners) { /* through zero */
                /* between the same two faces */
                CHECK(dot(deepest->normal, last) > 0.98);
            }
            steps++;
            turned += travel > 0 && dot(deepest->normal, last) < 0.9;
            last = deepest->normal;
        }
    }
    CHECK(steps > 200000 && turned * 500 < steps);
    scr_block_free(&t.block);
}

/* A polygon pushed sideways along a face, at a depth of the size of an accepted overlap, keeps the
 * normal of the face until its corner leaves it. */
static void sliding_in_overlap_keeps_the_normal(void) {
    static Body a, b;
    OutlineTouches t = {0};
    set_body(&a, rectangle(4, 1, 0));
    for (int corners = 3; corners < 9; corners++) {
        set_body(&b, star(corners, 0.5, 0, 0));
        for (int k = -230; k <= 230; k++) {
            double x = k * 0.006, depth = 1e-4, lowest = 0;
            place(&b, x, 0, 0.1 * corners);
            lowest = b.outline.low[1];
            place(&b, x, 0.5 - lowest - depth, 0.1 * corners);
            find(&a, &b, (StepMotion){.shift = vec3(0.006, 0, 0)}, 0.01, &t);
            CHECK(t.count >= 1);
            CHECK_NEAR(least_gap(&t), -depth, 1e-12);
            for (size_t i = 0; i < t.count; i++) {
                CHECK(t.item[i].normal.y > 1 - 1e-12);
            }
        }
    }
    scr_block_free(&t.block);
}

int main(int argc, char **argv) {
    CHECK_RUN(depth_matches_separating_axes);
    CHECK_RUN(normals_do_not_flip_while_pushed_in);
    CHECK_RUN(sliding_in_overlap_keeps_the_normal);
    return check_result();
}
