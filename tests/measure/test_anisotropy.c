/* Anisotropies of networks whose directions and forces are given by formulas, and the stress ratio
 * that they make up. */
#include "sample.h"
#include "check.h"

#include <string.h>

static ScreeAnisotropy measured(const Made *m) {
    ScreeMeasureDef whole = scree_measure_def_default();
    ScreeAnisotropy found;
    memset(&found, 0xff, sizeof found);
    CHECK(scree_sample_measure_anisotropy(&m->sample, &whole, &found, NULL) == SCREE_OK);
    return found;
}

/* Two bodies at a distance l along the direction, with a contact between them. */
static ScreeContactForce *add_pair(Made *m, ScreeVec3 n, double l, double force) {
    const double far = 10.0 * (double)m->sample.bodies;
    int32_t a = add_body(m, at(far, 0, 0), l / 2, at(0, 0, 0));
    int32_t b = add_body(m, at(far + l * n.x, l * n.y, l * n.z), l / 2, at(0, 0, 0));
    return add_contact(m, a, b, n, force);
}

/* Directions are evenly spread: f_n = 1 + a cos 2 (angle - 1), f_t = -b sin 2 (angle - 1). */
static void given_force_anisotropies_are_found(void) {
    const double a = 0.4, b = 0.15;
    Made *m = begin(2);
    for (int k = 0; k < 24; k++) {
        double angle = M_PI * k / 24, turned = 2 * (angle - 1);
        ScreeContactForce *c = add_pair(m, at(cos(angle), sin(angle), 0), 1, 1 + a * cos(turned));
        double f = -b * sin(turned);
        c->force_tangential = at(-f * sin(angle), f * cos(angle), 0);
    }
    ScreeAnisotropy found = measured(m);
    CHECK(found.points == 24 && found.pairs == 24);
    CHECK_NEAR(found.a_c, 0, 1e-14);
    CHECK_NEAR(found.a_n, a, 1e-14);
    CHECK_NEAR(found.a_t, b, 1e-14);
    CHECK_NEAR(found.a_l, 0, 1e-14);
    CHECK_NEAR(found.stress_ratio, (a + b) / 2, 1e-14);
    CHECK_NEAR(found.a_branches, 0, 1e-14);
    free(m);
}

/* Twice as many contacts along x as along y, with the same force and different lengths. */
static void given_fabric_and_lengths_are_found(void) {
    Made *m = begin(2);
    add_pair(m, at(1, 0, 0), 1.5, 2);
    add_pair(m, at(-1, 0, 0), 1.5, 2);
    add_pair(m, at(0, 1, 0), 1, 2);
    ScreeAnisotropy found = measured(m);
    /* F = diag(2, 1)/3 and S = diag(3, 1)/4: 4 times half the difference of principal values */
    CHECK_NEAR(found.a_c, 2.0 / 3, 1e-14);
    CHECK_NEAR(found.a_n, 0, 1e-14);
    CHECK_NEAR(found.a_l, 1 - 2.0 / 3, 1e-14);
    CHECK_NEAR(found.stress_ratio, 0.5, 1e-14);
    free(m);
}

/* In space an axis with the forces 3 : 1 : 1, by the definition of the amplitude. */
static void amplitudes_in_space_are_those_of_the_density(void) {
    Made *m = begin(3);
    add_pair(m, at(0, 0, 1), 1, 3);
    add_pair(m, at(1, 0, 0), 1, 1);
    add_pair(m, at(0, 1, 0), 1, 1);
    ScreeAnisotropy found = measured(m);
    /* G = diag(1, 1, 3)/5 = 1/3 + 2 a/15 along z: a = 2 */
    CHECK_NEAR(found.a_c, 0, 1e-14);
    CHECK_NEAR(found.a_n, 2, 1e-14);
    CHECK_NEAR(found.stress_ratio, (3 - 1) / (5.0 / 3), 1e-14); /* (s1 - s3)/p = 3/5 of 2 */
    /* the strong contact stands alone along z: 1 = 1/3 + 2 a/15, and the weak ones lie across it */
    CHECK_NEAR(found.a_c_strong, 5, 1e-14);
    CHECK_NEAR(found.a_c_weak, -2.5, 1e-14);
    CHECK_NEAR(found.ratio_strong + found.ratio_weak, found.stress_ratio, 1e-14);
    CHECK_NEAR(found.ratio_strong, 3.0 / (5.0 / 3), 1e-14);
    free(m);
}

/* Two points of one pair count twice by point and once by pair. */
static void pairs_count_once(void) {
    Made *m = begin(2);
    ScreeContactForce *c = add_pair(m, at(1, 0, 0), 1, 1);
    for (int k = 0; k < 3; k++) {
        ScreeContactForce *more = add_contact(m, c->a.index, c->b.code, at(1, 0, 0), 1);
        more->feature = 1 + k;
    }
    add_pair(m, at(0, 1, 0), 1, 1);
    ScreeAnisotropy found = measured(m);
    CHECK(found.points == 5 && found.pairs == 2);
    CHECK_NEAR(found.a_c, 2 * (0.8 - 0.2), 1e-14);
    CHECK_NEAR(found.a_pairs, 0, 1e-14);
    CHECK_NEAR(found.a_branches, 0, 1e-14);
    free(m);
}

/* Random networks: the parts make up the ratio, which is that of the measured stress. */
static void parts_make_up_the_stress_ratio(void) {
    uint64_t seed = 5;
    for (int d = 2; d <= 3; d++) {
        for (int trial = 0; trial < 20; trial++) {
            Made *m = begin(d);
            for (int k = 0; k < 60; k++) {
                double angle = 7 * draw(&seed), z = d == 3 ? 2 * draw(&seed) - 1 : 0;
                double s = sqrt(1 - z * z);
                ScreeVec3 n = at(s * cos(angle), s * sin(angle), z);
                double apart = 0.5 + draw(&seed), force = 0.1 + draw(&seed);
                ScreeContactForce *c = add_pair(m, n, apart, force);
                double f = 0.3 * (draw(&seed) - 0.5);
                c->force_tangential = at(-f * sin(angle), f * cos(angle), 0);
            }
            ScreeAnisotropy found = measured(m);
            ScreeMeasureDef whole = scree_measure_def_default();
            ScreeMeasures state;
            CHECK(scree_sample_measure(&m->sample, &whole, &state, NULL) == SCREE_OK);
            double sum = found.a_c + found.a_n + found.a_t + found.a_l;
            CHECK_NEAR(found.stress_ratio, sum * (d == 2 ? 0.5 : 0.6), 1e-14);
            CHECK_NEAR(found.stress_ratio, state.deviator / state.pressure, 1e-12);
            CHECK_NEAR(found.ratio_strong + found.ratio_weak, found.stress_ratio, 1e-14);
            free(m);
        }
    }
}

static void nothing_has_no_anisotropy(void) {
    Made *m = begin(2);
    add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
    ScreeAnisotropy found = measured(m);
    CHECK(found.points == 0 && found.pairs == 0);
    CHECK(isnan(found.a_c) && isnan(found.stress_ratio) && isnan(found.a_c_strong));
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(given_force_anisotropies_are_found);
    CHECK_RUN(given_fabric_and_lengths_are_found);
    CHECK_RUN(amplitudes_in_space_are_those_of_the_density);
    CHECK_RUN(pairs_count_once);
    CHECK_RUN(parts_make_up_the_stress_ratio);
    CHECK_RUN(nothing_has_no_anisotropy);
    return check_result();
}
