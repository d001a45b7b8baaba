/* The law of round bodies. This file is compiled twice, for doubles and for as many contacts at a
 * time as the machine has lanes (CMakeLists.txt): each lane must give the same, whatever its
 * neighbours do. */
#include "check.h"
#include "law/brute.h"

#include "law/round.h"
#include "law/lanes.h"

#include <string.h>

/* A contact before its update, and its impulse; consists of doubles only. */
typedef struct Contact {
    double mass_n, mass_t, mu;
    double un, ut[3];
    double rn, rt[3];
} Contact;

static LawRound law_of(const Contact *c) {
    LawRound law = {LANES_OF(c, mass_n), LANES_OF(c, mass_t), LANES_OF(c, mu)};
    return law;
}

static void update_space(Contact c[LANES]) {
    const LawRound law = law_of(c);
    const RealVec3 ut = {LANES_OF(c, ut[0]), LANES_OF(c, ut[1]), LANES_OF(c, ut[2])};
    Real rn = LANES_OF(c, rn);
    RealVec3 rt = {LANES_OF(c, rt[0]), LANES_OF(c, rt[1]), LANES_OF(c, rt[2])};
    law_round_space(&law, LANES_OF(c, un), ut, NULL, &rn, &rt);
    PUT_LANES_OF(rn, c, rn);
    PUT_LANES_OF(rt.x, c, rt[0]);
    PUT_LANES_OF(rt.y, c, rt[1]);
    PUT_LANES_OF(rt.z, c, rt[2]);
}

static void update_plane(Contact c[LANES]) {
    const LawRound law = law_of(c);
    Real rn = LANES_OF(c, rn), rt = LANES_OF(c, rt[0]);
    law_round_plane(&law, LANES_OF(c, un), LANES_OF(c, ut[0]), NULL, &rn, &rt);
    PUT_LANES_OF(rn, c, rn);
    PUT_LANES_OF(rt, c, rt[0]);
}

/* u_n = mu creep is the least velocity at which a creeping contact without an impulse gets none, however
 * fast it slides. Rounding must not make a little push of it: of one in four it would. */
static void creeping_contacts_that_stay_open_have_no_impulse(void) {
    Random random = {23};
    for (int trial = 0; trial < 4000; trial++) {
        const double creep = random_between(&random, 0.1, 1), mu = random_between(&random, 0.1, 1);
        const double slip = random_between(&random, 1, 1e4);
        const LawRound law = {real_all(random_between(&random, 0.5, 2)),
                              real_all(random_between(&random, 0.5, 2)), real_all(mu)};
        const Real wide_creep = real_all(creep), zero = real_all(0);
        const RealVec3 ut = {real_all(slip), real_all(0.5 * slip), zero};
        Real rn = zero;
        RealVec3 rt = {zero, zero, zero};
        law_round_space(&law, real_all(mu * creep), ut, &wide_creep, &rn, &rt);
        CHECK(!real_any(real_above(rn, zero)) && !real_any(real_above(real_dot(rt, rt), zero)));
    }
}

/* Equation (1.30) by hand: m_n = 2, m_t = 0.5. On the edge of the cone a contact still sticks,
 * without pressure nothing is held, and where nothing can move there is no impulse. */
static void the_three_cases_by_hand(void) {
    static const struct {
        Contact before;
        double rn, rt;
    } cases[] = {
        {{2.0, 0.5, 0.5, 1.0, {3.0}, 0.0, {0.0}}, 0.0, 0.0},
        {{2.0, 0.5, 0.5, 0.0, {3.0}, 0.0, {0.0}}, 0.0, 0.0},
        {{2.0, 0.5, 0.5, -3.0, {6.0}, 0.0, {0.0}}, 6.0, -3.0},
        {{2.0, 0.5, 0.5, -3.0, {-6.5}, 0.0, {0.0}}, 6.0, 3.0},
        {{2.0, 0.5, 0.0, -3.0, {-6.5}, 0.0, {0.0}}, 6.0, 0.0},
        {{2.0, 0.5, 0.5, 1.5, {0.0}, 4.0, {0.25}}, 1.0, 0.25}, /* with an initial impulse */
        {{2.0, 0.5, 0.5, 1.5, {2.0}, 4.0, {-1.0}}, 1.0, -0.5},
        {{2.0, 0.5, 0.5, 3.0, {0.0}, 4.0, {-1.0}}, 0.0, 0.0},
        {{0.0, 0.0, 0.5, -3.0, {6.0}, 0.0, {0.0}}, 0.0, 0.0},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    for (int first = 0; first < COUNT; first++) {
        Contact space[LANES], plane[LANES];
        for (int k = 0; k < LANES; k++) {
            space[k] = plane[k] = cases[(first + k) % COUNT].before;
        }
        update_space(space);
        update_plane(plane);
        for (int k = 0; k < LANES; k++) {
            double rn = cases[(first + k) % COUNT].rn, rt = cases[(first + k) % COUNT].rt;
            CHECK(space[k].rn == rn && space[k].rt[0] == rt);
            CHECK(space[k].rt[1] == 0.0 && space[k].rt[2] == 0.0);
            CHECK(plane[k].rn == rn && plane[k].rt[0] == rt);
        }
    }
}

/* Random contacts, with an impulse or without; the velocity at zero impulse goes to q. */
static Contact random_contact(Random *random, bool has_impulse, Problem3 *problem) {
    double wn = pow(10.0, random_between(random, -30.0, 30.0));
    double wt = wn * random_between(random, 0.5, 5.0);
    double speed = pow(10.0, random_between(random, -30.0, 30.0));
    Contact c = {1.0 / wn, 1.0 / wt, random_between(random, 0.0, 1.0), 0.0, {0.0}, 0.0, {0.0}};
    Problem3 k = {{wn, 0.0, 0.0, wt, 0.0, wt}, {0.0, 0.0, 0.0}, c.mu};
    for (int j = 0; j < 3; j++) {
        k.q[j] = speed * random_between(random, -1.0, 1.0);
    }
    if (has_impulse) {
        c.rn = speed / wn * random_unit(random);
        c.rt[0] = speed / wt * random_between(random, -1.0, 1.0);
        c.rt[2] = speed / wt * random_between(random, -1.0, 1.0);
    }
    c.un = k.q[0] + wn * c.rn;
    c.ut[0] = k.q[1] + wt * c.rt[0];
    c.ut[2] = k.q[2] + wt * c.rt[2];
    *problem = k;
    return c;
}

static double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Against the law itself: the remaining velocity, its direction, the cone. */
static void it_obeys_the_law(void) {
    Random random = {21};
    int count[3] = {0, 0, 0};
    for (int i = 0; i < 20000; i++) {
        Contact c[LANES];
        Problem3 k[LANES];
        for (int j = 0; j < LANES; j++) {
            c[j] = random_contact(&random, false, &k[j]);
        }
        update_space(c);
        for (int j = 0; j < LANES; j++) {
            double asked = length(c[j].ut) * c[j].mass_t;
            int state = k[j].q[0] >= 0.0 ? 0 : asked <= c[j].mu * c[j].rn ? 1 : 2;
            const double local[3] = {c[j].rn, c[j].rt[0], c[j].rt[2]};
            CHECK(c[j].rt[1] == 0.0);
            CHECK(law_error(&k[j], local, state) <= 1e-15);
            count[state]++;
        }
    }
    CHECK(count[0] > 1000 && count[1] > 1000 && count[2] > 1000);
}

/* The velocity without the contact's impulse decides, not the impulse that it had before. */
static void the_present_impulse_does_not_matter(void) {
    Random random = {22};
    for (int i = 0; i < 20000; i++) {
        Contact with[LANES], without[LANES];
        Problem3 k[LANES];
        double unit[LANES];
        for (int j = 0; j < LANES; j++) {
            with[j] = without[j] = random_contact(&random, true, &k[j]);
            unit[j] = with[j].rn + length(with[j].rt) +
                      (fabs(k[j].q[0]) + fabs(k[j].q[1]) + fabs(k[j].q[2])) * with[j].mass_n;
            without[j].rn = without[j].rt[0] = without[j].rt[2] = 0.0;
            without[j].un = k[j].q[0];
            without[j].ut[0] = k[j].q[1];
            without[j].ut[2] = k[j].q[2];
        }
        update_space(with);
        update_space(without);
        for (int j = 0; j < LANES; j++) {
            double tolerance = 1e-14 * unit[j];
            CHECK_NEAR(with[j].rn, without[j].rn, tolerance);
            CHECK_NEAR(with[j].rt[0], without[j].rt[0], tolerance);
            CHECK_NEAR(with[j].rt[2], without[j].rt[2], tolerance);
        }
    }
}

/* The staircase of law/normal.h by hand, m = 2 and a bond of tension 3 that is open by the gap of 1
 * (in velocities): full tension while it opens, any tension at rest, none while it closes, and a
 * push where it would close by more than the gap. A closed bond pulls until the tension is reached;
 * a spring of compliance 0.5 takes half of what a rigid contact would. */
static void bonds_and_springs_by_hand(void) {
    static const struct {
        double least, held, adhesion, soft, mass_soft; /* of the law */
        double un, gap, rn;
    } cases[] = {
        {-3.0, 0.0, 0.0, 0.0, 2.0, 2.0, 3.0, -3.0},  {-3.0, 0.0, 0.0, 0.0, 2.0, 1.0, 2.0, -2.0},
        {-3.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0},   {-3.0, 0.0, 0.0, 0.0, 2.0, -0.5, 0.5, 0.0},
        {-3.0, 0.0, 0.0, 0.0, 2.0, -1.5, -0.5, 1.0}, {-3.0, -3.0, 3.0, 0.0, 2.0, 1.0, 1.0, -2.0},
        {-3.0, -3.0, 3.0, 0.0, 2.0, 5.0, 5.0, -3.0}, {-3.0, -3.0, 3.0, 0.0, 2.0, -1.0, -1.0, 2.0},
        {0.0, 0.0, 0.0, 0.5, 1.0, -1.0, -1.0, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const LawNormal law = {real_all(cases[i].adhesion),
                               real_all(cases[i].least),
                               real_all(cases[i].held),
                               real_all(cases[i].soft),
                               real_all(2.0),
                               real_all(cases[i].mass_soft)};
        Real rn =
            law_normal_update(&law, real_all(cases[i].un), real_all(cases[i].gap), real_all(0.0));
        double got[LANES];
        memcpy(got, &rn, sizeof rn);
        for (int k = 0; k < LANES; k++) {
            CHECK(got[k] == cases[i].rn);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(the_three_cases_by_hand);
    CHECK_RUN(creeping_contacts_that_stay_open_have_no_impulse);
    CHECK_RUN(it_obeys_the_law);
    CHECK_RUN(the_present_impulse_does_not_matter);
    CHECK_RUN(bonds_and_springs_by_hand);
    return check_result();
}
