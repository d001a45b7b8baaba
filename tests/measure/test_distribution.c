/* Distributions of known samples. */
#include "sample.h"
#include "check.h"

static void distribute(const Made *m, ScreeDistribution kind, double most, ScreeBin *bin,
                       size_t bins) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_sample_measure_distribution(&m->sample, &whole, kind, most, bin, bins, message) ==
          SCREE_OK);
}

/* Forces at equal steps of the integral of exp(-f): each bin holds the integral of exp(-f) over it.
 * Forces are measured in units of their mean, so the unit of force does not matter. */
static void exponential_forces_fill_their_bins(void) {
    enum { FORCES = 50000, BINS = 20 };
    for (double unit = 1; unit < 1e6; unit *= 1e5) {
        Made *m = begin(2);
        add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
        add_body(m, at(2, 0, 0), 1, at(0, 0, 0));
        for (int i = 0; i < FORCES; i++) {
            double f = -log((i + 0.5) / FORCES);
            add_contact(m, 0, 1, at(1, 0, 0), unit * f)->force_tangential = at(0, -2 * unit * f, 0);
        }
        ScreeBin bin[BINS];
        for (int kind = 0; kind < 2; kind++) {
            distribute(m, (ScreeDistribution)kind, 5, bin, BINS);
            for (int k = 0; k < BINS; k++) {
                double expected = (exp(-bin[k].low) - exp(-bin[k].high)) / 0.25;
                CHECK_NEAR(bin[k].density, expected, 4.0 / FORCES / 0.25 + 1e-4);
            }
            CHECK_CLOSE(bin[3].low, 0.75, 1e-15);
        }
        distribute(m, SCREE_DISTRIBUTION_NORMAL, 0, bin, BINS); /* all of them */
        double sum = 0;
        for (int k = 0; k < BINS; k++) {
            sum += bin[k].density * (bin[k].high - bin[k].low);
        }
        CHECK_CLOSE(sum, 1.0, 1e-13);
        free(m);
    }
}

/* |T| / (friction N) at 0.05, 0.15, ..., a tenth of the contacts each. */
static void mobilised_friction_is_the_used_share(void) {
    Made *m = begin(3);
    m->law[0].friction = 0.4;
    m->law[0].cohesion = 1;
    add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
    add_body(m, at(2, 0, 0), 1, at(0, 0, 0));
    for (int i = 0; i < 1000; i++) {
        add_contact(m, 0, 1, at(1, 0, 0), 4)->force_tangential =
            at(0, 2 * (i % 10 + 0.5) / 10 * cos(i), 2 * (i % 10 + 0.5) / 10 * sin(i));
    }
    add_contact(m, 0, -1, at(0, 0, -1), 4); /* the friction of a wall is not known */
    ScreeBin bin[10];
    distribute(m, SCREE_DISTRIBUTION_MOBILISED, 1, bin, 10);
    for (int k = 0; k < 10; k++) {
        CHECK_CLOSE(bin[k].count, 100.0, 1e-15);
        CHECK_CLOSE(bin[k].density, 1.0, 1e-15);
    }
    free(m);
}

/* Directions without preference: uniform angles in the plane, uniform heights in space
 * (Archimedes). */
static void even_directions_fill_bins_evenly(void) {
    enum { POINTS = 36000 };
    ScreeBin bin[18];
    for (int d = 2; d < 4; d++) {
        Made *m = begin(d);
        m->sample.gravity = at(0, d == 3 ? 1 : 0, 0); /* up is -y */
        add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
        add_body(m, at(2, 0, 0), 1, at(0, 0, 0));
        for (int i = 0; i < POINTS; i++) {
            double t = 2 * M_PI * (i + 0.5) / POINTS, h = 2 * (i + 0.5) / POINTS - 1;
            double s = sqrt(1 - h * h);
            add_contact(m, 0, 1,
                        d == 2 ? at(cos(t), sin(t), 0) : at(s * cos(2.4 * i), h, s * sin(2.4 * i)),
                        1);
        }
        distribute(m, SCREE_DISTRIBUTION_DIRECTION, 0, bin, 18);
        CHECK_CLOSE(bin[17].high, d == 2 ? 180.0 : 90.0, 1e-15);
        for (int k = 0; k < 18; k++) {
            CHECK_CLOSE(bin[k].density, 1.0, d == 2 ? 1e-3 : 2e-2);
        }
        free(m);
    }
}

/* A chain of five between walls, with a pair that touches at two points; at the ends walls count as
 * partners. */
static void partners_count_bodies_not_points(void) {
    Made *m = begin(2);
    m->sample.materials = 2;
    for (int i = 0; i < 6; i++) {
        add_body(m, at(2 * i, 0, 0), 1, at(0, 0, 0));
        m->material[i].index = i % 2;
    }
    for (int i = 0; i < 4; i++) {
        add_contact(m, i, i + 1, at(1, 0, 0), 1);
        add_contact(m, i, i + 1, at(1, 0, 0), 1)->feature = 2;
    }
    add_contact(m, 0, -1, at(-1, 0, 0), 1);
    add_contact(m, 4, -2, at(1, 0, 0), 1);
    ScreeBin bin[4];
    distribute(m, SCREE_DISTRIBUTION_PARTNERS, 0, bin, 4);
    CHECK(bin[0].count == 1 && bin[1].count == 0 && bin[2].count == 5 && bin[3].count == 0);
    CHECK_CLOSE(bin[2].density, 5.0 / 6, 1e-15);
    double mean[6]; /* bodies 0, 2, 4 are of material 0; 1, 3, 5 of material 1; 5 has no partner */
    const ScreeMeasureDef whole = scree_measure_def_default();
    CHECK(scree_sample_measure_partners(&m->sample, &whole, mean, NULL) == SCREE_OK);
    CHECK(mean[0] == 0);
    CHECK_CLOSE(mean[1], 4.0 / 3, 1e-15);
    CHECK_CLOSE(mean[2], 2.0 / 3, 1e-15);
    CHECK_CLOSE(mean[3], 4.0 / 3, 1e-15);
    CHECK(mean[4] == 0 && mean[5] == 0);
    free(m);
}

static void empty_samples_are_undefined_and_bad_bins_refused(void) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    char message[SCREE_MESSAGE_SIZE];
    ScreeBin bin[3];
    Made *m = begin(3);
    for (int kind = 0; kind < SCREE_DISTRIBUTION_COUNT; kind++) {
        distribute(m, (ScreeDistribution)kind, 0, bin, 3);
        CHECK(bin[1].count == 0 && isnan(bin[1].density));
        CHECK(scree_sample_measure_distribution(&m->sample, &whole, (ScreeDistribution)kind, -1,
                                                bin, 3, message) == SCREE_BAD_ARGUMENT);
        CHECK(scree_sample_measure_distribution(&m->sample, &whole, (ScreeDistribution)kind, 1, bin,
                                                0, message) == SCREE_BAD_ARGUMENT);
    }
    CHECK(scree_sample_measure_distribution(&m->sample, &whole, SCREE_DISTRIBUTION_COUNT, 1, bin, 3,
                                            message) == SCREE_BAD_ARGUMENT);
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(exponential_forces_fill_their_bins);
    CHECK_RUN(mobilised_friction_is_the_used_share);
    CHECK_RUN(even_directions_fill_bins_evenly);
    CHECK_RUN(partners_count_bodies_not_points);
    CHECK_RUN(empty_samples_are_undefined_and_bad_bins_refused);
    return check_result();
}
