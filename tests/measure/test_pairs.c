/* The pair correlation: an ideal gas, lattices, and brute force. */
#include "sample.h"
#include "check.h"

enum { BINS = 12 };

static ScreeStatus correlate(const Made *m, const ScreeMeasureDef *def, double most,
                             ScreeBin *bin) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    return scree_sample_measure_distribution(&m->sample, def != NULL ? def : &whole,
                                             SCREE_DISTRIBUTION_PAIRS, most, bin, BINS, NULL);
}

/* Uniformly random points: 1 everywhere, up to the square root of the number of pairs, for any
 * combination of periodic directions, and also close to the borders. */
static void ideal_gas_is_uncorrelated(void) {
    for (int kind = 0; kind < 16; kind += CHECK_STRIDE) {
        int d = kind < 8 ? 2 : 3;
        Made *m = begin(d);
        uint64_t seed = 11 + (uint64_t)kind;
        for (int i = 0; i < 3000; i++) {
            ScreeVec3 x = draw_in_box(&seed, 7, 3, d == 3 ? 4 : 0);
            add_body(m, x, 0.01, at(0, 0, 0));
        }
        const double side[3] = {7, 3, 4};
        for (int k = 0; k < d; k++) {
            if (kind >> k & 1) {
                periodic(m, k, 0, side[k]);
            }
        }
        ScreeMeasureDef def = scree_measure_def_default(); /* bounds where it is not periodic */
        def.min = at(kind & 1 ? -INFINITY : 0, kind & 2 ? -INFINITY : 0, kind & 4 ? -INFINITY : 0);
        def.max = at(kind & 1 ? INFINITY : 7, kind & 2 ? INFINITY : 3, kind & 4 ? INFINITY : 4);
        ScreeBin bin[BINS];
        CHECK(correlate(m, &def, 1.5, bin) == SCREE_OK);
        for (int k = 0; k < BINS; k++) {
            CHECK_NEAR(bin[k].density, 1, 4.5 / sqrt(bin[k].count));
        }
        CHECK_CLOSE(bin[BINS - 1].density, 1.0, 0.03);
        free(m);
    }
}

/* All pairs, with the nearest image of each. */
static void correlation_matches_brute_force(void) {
    Made *m = begin(3);
    uint64_t seed = 2;
    periodic(m, 1, -1, 4);
    for (int i = 0; i < 400; i++) {
        ScreeVec3 x = draw_in_box(&seed, 6, 20, 2);
        x.y -= 10;
        add_body(m, x, 0.1, at(0, 0, 0));
    }
    double count[BINS] = {0};
    for (int i = 0; i < 400; i++) {
        for (int j = 0; j < i; j++) {
            double x = m->position[i].x - m->position[j].x, y = m->position[i].y - m->position[j].y;
            double z = m->position[i].z - m->position[j].z, r;
            y -= 5 * floor(y / 5 + 0.5);
            r = sqrt(x * x + y * y + z * z);
            if (r < 2.4) {
                count[(int)(r / 2.4 * BINS)]++;
            }
        }
    }
    ScreeBin bin[BINS];
    CHECK(correlate(m, NULL, 2.4, bin) == SCREE_OK);
    for (int k = 0; k < BINS; k++) {
        CHECK(bin[k].count == count[k]);
    }
    free(m);
}

/* A periodic cubic lattice: each point has 6, 12 and 8 neighbours at the distances 1, sqrt 2 and
 * sqrt 3. */
static void cubic_lattice_has_its_neighbours(void) {
    enum { N = 6 };
    Made *m = begin(3);
    for (int i = 0; i < N * N * N; i++) {
        add_body(m, at(i % N, i / N % N, i / N / N), 0.5, at(0, 0, 0));
    }
    for (int k = 0; k < 3; k++) {
        periodic(m, k, 0, N);
    }
    ScreeBin
        /* width 0.15: 1 lies in the seventh bin, sqrt 2 in the tenth, sqrt 3 in the last */
        bin[BINS];
    CHECK(correlate(m, NULL, 1.8, bin) == SCREE_OK);
    const double neighbours[BINS] = {[6] = 6, [9] = 12, [11] = 8};
    double points = N * N * N, density = (points - 1) / points;
    for (int k = 0; k < BINS; k++) {
        double shell = 4 * M_PI / 3 * (pow(bin[k].high, 3) - pow(bin[k].low, 3));
        CHECK_NEAR(bin[k].count, 0.5 * points * neighbours[k], 0);
        CHECK_NEAR(bin[k].density, neighbours[k] / (density * shell), 1e-11);
    }
    CHECK(correlate(m, NULL, 3.1, bin) == SCREE_BAD_ARGUMENT); /* beyond half the cell */
    free(m);
}

static void single_body_has_no_pairs(void) {
    Made *m = begin(2);
    add_body(m, at(0, 0, 0), 0.5, at(0, 0, 0));
    ScreeBin bin[BINS];
    CHECK(correlate(m, NULL, 0, bin) == SCREE_OK);
    CHECK(bin[0].count == 0 && isnan(bin[0].density));
    CHECK_CLOSE(bin[BINS - 1].high, 5.0, 1e-15);
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(ideal_gas_is_uncorrelated);
    CHECK_RUN(correlation_matches_brute_force);
    CHECK_RUN(cubic_lattice_has_its_neighbours);
    CHECK_RUN(single_body_has_no_pairs);
    return check_result();
}
