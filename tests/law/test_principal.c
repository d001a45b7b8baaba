/* The law of full blocks in their principal axes. This file is compiled twice, for doubles and for as
 * many contacts at a time as the machine has lanes (CMakeLists.txt). Every impulse is judged by the
 * residual of the law in extended precision, which shares nothing with src/law. */
#include "check.h"
#include "law/brute.h"

#include "law/block.h"
#include "law/lanes.h"

#include <string.h>

/* A contact, before its update and after; consists of doubles only. */
typedef struct Contact {
    double per_nn, k1, k2, per1, per2, mu;
    double u[3], r[3];
    double closes, slides, hard;
} Contact;

static Real as_number(RealMask mask) {
    return real_select(mask, real_all(1.0), real_all(0.0));
}

static void update(Contact c[LANES]) {
    const LawBlock law = {LANES_OF(c, per_nn), LANES_OF(c, k1),   LANES_OF(c, k2),
                          LANES_OF(c, per1),   LANES_OF(c, per2), LANES_OF(c, mu)};
    const LawParts u = {LANES_OF(c, u[0]), LANES_OF(c, u[1]), LANES_OF(c, u[2])};
    const LawParts r = {LANES_OF(c, r[0]), LANES_OF(c, r[1]), LANES_OF(c, r[2])};
    const Real zero = real_all(0.0);
    const LawStop stop = law_block_stop(&law, u, r);
    LawSliding sliding;
    sliding.push = stop.push, sliding.was = r, sliding.x = stop.x;
    law_block_slip(&law, &stop.slides, &sliding, 1);
    LawParts x = {real_select(stop.slides, sliding.x.n, stop.x.n),
                  real_select(stop.slides, sliding.x.t1, stop.x.t1),
                  real_select(stop.slides, sliding.x.t2, stop.x.t2)};
    PUT_LANES_OF(real_select(stop.closes, x.n, zero), c, r[0]);
    PUT_LANES_OF(real_select(stop.closes, x.t1, zero), c, r[1]);
    PUT_LANES_OF(real_select(stop.closes, x.t2, zero), c, r[2]);
    PUT_LANES_OF(as_number(stop.closes), c, closes);
    PUT_LANES_OF(as_number(stop.slides), c, slides);
    PUT_LANES_OF(as_number(real_and(stop.slides, sliding.hard)), c, hard);
}

typedef struct Kind {
    double coupling;    /* largest |k| */
    double anisotropy;  /* decades between l1 and l2, at most */
    double friction[2]; /* decades of mu */
    double size;        /* decades of the block and of the velocity */
} Kind;

/* A block from its principal axes, and a contact with some impulse and some velocity. */
static Contact random_contact(Random *random, const Kind *kind, Problem3 *problem) {
    double nn = pow(10.0, random_between(random, -kind->size, kind->size));
    double speed = pow(10.0, random_between(random, -kind->size, kind->size));
    double l1 = nn * random_between(random, 0.3, 3.0);
    double l2 = l1 * pow(10.0, random_between(random, -kind->anisotropy, 0.0));
    double mu = pow(10.0, random_between(random, kind->friction[0], kind->friction[1]));
    mu = random_unit(random) < 0.02 ? 0.0 : mu;
    double angle = random_between(random, 0.0, 6.283185307179586);
    double k = kind->coupling * random_unit(random), k1 = k * cos(angle), k2 = k * sin(angle);
    Contact c = {1.0 / nn, k1, k2, 1.0 / l1, 1.0 / l2, mu, {0}, {0}, 0, 0, 0};
    problem->mu = mu;
    const double W[6] = {nn, nn * k1, nn * k2, l1 + nn * k1 * k1, nn * k1 * k2, l2 + nn * k2 * k2};
    memcpy(problem->W, W, sizeof W);
    double sign = random_unit(random) < 0.9 ? -1.0 : 1.0;
    problem->q[0] = sign * speed * random_between(random, 0.05, 1.0);
    problem->q[1] = speed * random_between(random, -1.0, 1.0);
    problem->q[2] = speed * random_between(random, -1.0, 1.0);
    c.r[0] = speed / nn * random_unit(random);
    angle = random_between(random, 0.0, 6.283185307179586);
    c.r[1] = fmin(mu, 10.0) * c.r[0] * cos(angle);
    c.r[2] = fmin(mu, 10.0) * c.r[0] * sin(angle);
    double size[3];
    velocity(problem, c.r, c.u, size);
    return c;
}

typedef struct Tally {
    int open, stick, slip, hard;
    double worst;
} Tally;

static void judge(const Problem3 *k, const Contact *c, Tally *tally) {
    tally->open += c->closes == 0.0;
    tally->stick += c->closes > 0.0 && c->slides == 0.0;
    tally->slip += c->slides > 0.0;
    tally->hard += c->hard > 0.0;
    if (c->hard == 0.0) {
        int state = c->closes == 0.0 ? 0 : c->slides > 0.0 ? 2 : 1;
        tally->worst = fmax(tally->worst, law_error(k, c->r, state));
    }
}

static Tally compare_many(uint64_t seed, int count, const Kind *kind) {
    Random random = {seed};
    Tally tally = {0};
    for (int i = 0; i < count; i += LANES) {
        Contact c[LANES];
        Problem3 k[LANES];
        for (int j = 0; j < LANES; j++) {
            c[j] = random_contact(&random, kind, &k[j]);
        }
        update(c);
        for (int j = 0; j < LANES; j++) {
            judge(&k[j], &c[j], &tally);
        }
    }
    printf("       %d open, %d stick, %d slip (%d left over), largest error %.2g\n", tally.open,
           tally.stick, tally.slip, tally.hard, tally.worst);
    return tally;
}

static void blocks_obey_the_law(void) {
    const Kind rocks = {0.8, 0.7, {-1.0, 0.0}, 0.0};
    Tally tally = compare_many(1, 100000, &rocks);
    CHECK(tally.worst <= 1e-14);
    CHECK(tally.hard < tally.slip / 50);
    CHECK(tally.slip > 30000 && tally.stick > 1000 && tally.open > 3000);
}

/* Slender bodies and friction of any size: more of them may have several slips. */
static void strange_blocks_obey_the_law_or_are_left_over(void) {
    const Kind slender = {2.0, 4.0, {-3.0, 3.0}, 3.0};
    Tally tally = compare_many(2, 100000, &slender);
    CHECK(tally.worst <= 5e-14);
    CHECK(tally.hard < tally.slip / 2);
    const Kind flat = {0.5, 8.5, {-1.0, 1.0}, 10.0};
    tally = compare_many(3, 100000, &flat);
    CHECK(tally.worst <= 5e-14);
}

/* What a contact gets depends on itself alone. */
static void neighbours_do_not_matter(void) {
    const Kind kind = {1.0, 2.0, {-2.0, 1.0}, 0.0};
    Random random = {4};
    for (int i = 0; i < 5000; i++) {
        Contact c[LANES], again[LANES];
        Problem3 k;
        for (int j = 0; j < LANES; j++) {
            c[j] = random_contact(&random, &kind, &k);
        }
        const Contact first = c[0];
        update(c);
        for (int j = 0; j < LANES; j++) {
            again[j] = j == LANES - 1 ? first : random_contact(&random, &kind, &k);
        }
        update(again);
        CHECK(memcmp(&c[0], &again[LANES - 1], sizeof c[0]) == 0);
    }
}

/* An update of a contact that has been updated changes nothing but rounding. */
static void an_update_comes_to_rest(void) {
    const Kind kind = {0.8, 1.0, {-1.0, 0.5}, 0.0};
    Random random = {5};
    for (int i = 0; i < 5000; i++) {
        Contact c[LANES], before[LANES];
        Problem3 k[LANES];
        for (int j = 0; j < LANES; j++) {
            c[j] = random_contact(&random, &kind, &k[j]);
        }
        update(c);
        for (int j = 0; j < LANES; j++) {
            double size[3];
            velocity(&k[j], c[j].r, c[j].u, size);
        }
        memcpy(before, c, sizeof c);
        update(c);
        for (int j = 0; j < LANES; j++) {
            double moved = hypot(hypot(c[j].r[0] - before[j].r[0], c[j].r[1] - before[j].r[1]),
                                 c[j].r[2] - before[j].r[2]);
            double size = hypot(hypot(c[j].r[0], c[j].r[1]), c[j].r[2]);
            CHECK(c[j].hard > 0.0 || moved <= 1e-12 * size + 1e-14 * c[j].per_nn);
        }
    }
}

/* Numbers that are out of the ordinary are left over, or come out finite. */
static void extreme_numbers_are_left_over(void) {
    const double value[] = {0.0, 5e-324, 1e-300, 1e-100, 1e-30, 1.0, 1e30, 1e100, 1e300};
    enum { VALUES = sizeof value / sizeof value[0] };
    Random random = {6};
    int bad = 0;
    for (int i = 0; i < 100000; i++) {
        Contact c[LANES];
        for (int j = 0; j < LANES; j++) {
            double pick[4];
            for (int m = 0; m < 4; m++) {
                pick[m] = value[(int)(random_unit(&random) * VALUES)];
            }
            Contact one = {1.0, 0.3, -0.2, 1.0, 2.0, pick[0], {-pick[1], pick[2], -pick[3]},
                           {0}, 0,   0,    0};
            c[j] = one;
        }
        update(c);
        for (int j = 0; j < LANES; j++) {
            bool finite = isfinite(c[j].r[0]) && isfinite(c[j].r[1]) && isfinite(c[j].r[2]);
            bad += !finite && c[j].hard == 0.0 && fabs(c[j].u[0]) < 1e150;
        }
    }
    CHECK(bad == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(blocks_obey_the_law);
    CHECK_RUN(strange_blocks_obey_the_law_or_are_left_over);
    CHECK_RUN(neighbours_do_not_matter);
    CHECK_RUN(an_update_comes_to_rest);
    CHECK_RUN(extreme_numbers_are_left_over);
    return check_result();
}
