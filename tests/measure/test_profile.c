/* Profiles of samples with known answers: parts of bodies and branches in slabs and shells, mean flows, and
 * errors of means. */
#include "sample.h"
#include "check.h"

enum { BINS_MOST = 64 };

/* The profile of a single sample. */
static size_t profile_of(const ScreeProfileDef *def, const Made *m, ScreeProfileBin *bin) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeProfile *profile = scree_profile_new(def, message);
    CHECK(profile != NULL);
    CHECK(scree_profile_add(profile, &m->sample, message) == SCREE_OK);
    const size_t count = scree_profile_get_bin_count(profile);
    CHECK(count <= BINS_MOST);
    scree_profile_get_bins(profile, bin);
    scree_profile_free(profile);
    return count;
}

static ScreeProfileDef along(int32_t axis, int32_t bins) {
    ScreeProfileDef def = scree_profile_def_default();
    def.axis = axis;
    def.bins = bins;
    return def;
}

/* ---------------------------------------------------------------- slabs */

/* A disk and a ball of radius 1, cut at a half of it: segments and caps in closed form. */
static void bodies_are_cut_exactly(void) {
    for (int d = 2; d <= 3; d++) {
        Made *m = begin(d);
        ScreeProfileBin bin[BINS_MOST];
        ScreeProfileDef def = along(SCREE_PROFILE_X, 4);
        add_body(m, at(0, 0, 0), 1, at(1, 2, 0));
        CHECK(profile_of(&def, m, bin) == 4);
        const double outer = d == 2 ? M_PI / 3 - sqrt(0.75) / 2 : M_PI / 3 * 0.25 * 2.5;
        const double half = d == 2 ? M_PI / 2 : 2 * M_PI / 3, volume = d == 2 ? 1 : 2;
        CHECK_NEAR(bin[0].mean.solid_fraction, outer / volume, 1e-13);
        CHECK_NEAR(bin[3].mean.solid_fraction, outer / volume, 1e-13);
        CHECK_NEAR(bin[1].mean.solid_fraction, (half - outer) / volume, 1e-13);
        CHECK_NEAR(bin[1].low, -0.5, 1e-15);
        CHECK_NEAR(bin[2].mean.velocity_y, 2, 1e-15);
        CHECK_NEAR(bin[0].mean.bodies, outer / (2 * half), 1e-13);
        CHECK(isnan(bin[0].error.velocity_x));
        free(m);
    }
}

/* A disk across the border of the cell is in the first and in the last bin. */
static void images_count(void) {
    Made *m = begin(2);
    ScreeProfileBin bin[BINS_MOST];
    const ScreeProfileDef def = along(SCREE_PROFILE_Y, 5);
    periodic(m, 0, 0, 4);
    periodic(m, 1, 0, 10);
    add_body(m, at(2, 10, 0), 1, at(3, 0, 0));
    CHECK(profile_of(&def, m, bin) == 5);
    CHECK_NEAR(bin[0].mean.solid_fraction, M_PI / 2 / 8, 1e-14);
    CHECK_NEAR(bin[4].mean.solid_fraction, M_PI / 2 / 8, 1e-14);
    CHECK_NEAR(bin[4].mean.velocity_x, 3, 1e-15);
    CHECK(bin[2].mean.solid_fraction == 0 && isnan(bin[2].mean.velocity_x));
    free(m);
}

/* A branch of length 2 along (3, 4)/5 from (0, 0): its parts in bins of width 0.5 along y are 5/16 each up to
 * y = 1.5, then 1/16. */
static void branches_are_cut_at_bins(void) {
    Made *m = begin(2);
    ScreeProfileBin bin[BINS_MOST];
    ScreeProfileDef def = along(SCREE_PROFILE_Y, 6);
    def.min = at(-2, -0.5, -INFINITY);
    def.max = at(3, 2.5, INFINITY);
    int32_t a = add_body(m, at(0, 0, 0), 1, at(0, 0, 0)),
            b = add_body(m, at(1.2, 1.6, 0), 1, at(0, 0, 0));
    add_contact(m, a, b, at(0.6, 0.8, 0), 7);
    CHECK(profile_of(&def, m, bin) == 6);
    const double part[6] = {0, 5.0 / 16, 5.0 / 16, 5.0 / 16, 1.0 / 16, 0};
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(bin[k].mean.stress_xy, part[k] * 7 * 0.6 * 1.6 / (5 * 0.5), 1e-14);
        CHECK_NEAR(bin[k].mean.pressure, part[k] * 7 * 2 / (2 * 5 * 0.5), 1e-14);
    }
    CHECK_NEAR(bin[1].mean.mu, 1, 1e-14); /* one direction carries everything */
    free(m);
}

/* ---------------------------------------------------------------- flows */

/* v_x = 3 y has no temperature however thick the bins; +-c about it has c^2 / 2 in the plane. */
static void linear_flows_are_cold(void) {
    for (int bins = 1; bins <= 3; bins += 2) {
        for (int hot = 0; hot < 2; hot++) {
            Made *m = begin(2);
            ScreeProfileBin bin[BINS_MOST];
            const ScreeProfileDef def = along(SCREE_PROFILE_Y, bins);
            const double c = hot ? 0.25 : 0;
            for (int i = 0; i < 30; i++) {
                const double y = 0.2 * i;
                add_body(m, at(0, y, 0), 0.1, at(3 * y + c, 0, 0));
                add_body(m, at(1, y, 0), 0.1, at(3 * y - c, 0, 0));
            }
            CHECK(profile_of(&def, m, bin) == (size_t)bins);
            for (int k = 0; k < bins; k++) {
                CHECK_NEAR(bin[k].mean.shear_rate, 3, 1e-12);
                CHECK_NEAR(bin[k].mean.temperature, c * c / 2, 1e-12);
                CHECK_NEAR(bin[k].mean.velocity_x, 3 * (bin[k].low + bin[k].high) / 2, 1e-12);
            }
            free(m);
        }
    }
}

/* A sheared cell: grains at rest relative to it. Another choice of edges of the same lattice changes nothing,
 * and bins add up to the cell. */
static void sheared_cells_have_profiles(void) {
    ScreeProfileBin bin[2][BINS_MOST];
    const ScreeProfileDef def = along(SCREE_PROFILE_Y, 4);
    double solid = 0, stress = 0;
    for (int flip = 0; flip < 2; flip++) {
        Made *m = begin(2);
        uint64_t seed = 5;
        periodic(m, 0, 0, 8);
        periodic(m, 1, 0, 6);
        m->sample.edge[0] = at(8, 0, 0);
        m->sample.edge[1] = at(flip ? -5 : 3, 6, 0);
        m->sample.rate[1] = 0.5; /* dv_x / dy */
        for (int i = 0; i < 40; i++) {
            const double x = 8 * draw(&seed), y = 6 * draw(&seed);
            add_body(m, at(x, y, 0), 0.4, at(0, 0, 0));
            if (i > 0) {
                add_contact(m, i - 1, i, at(0, 1, 0), 1 + i);
            }
        }
        CHECK(profile_of(&def, m, bin[flip]) == 4);
        ScreeMeasures whole;
        const ScreeMeasureDef everything = scree_measure_def_default();
        CHECK(scree_sample_measure(&m->sample, &everything, &whole, NULL) == SCREE_OK);
        solid = whole.solid_fraction;
        stress = whole.stress_yy;
        free(m);
    }
    double mean_solid = 0, mean_stress = 0;
    for (int k = 0; k < 4; k++) {
        const ScreeProfileNumbers *n = &bin[0][k].mean, *other = &bin[1][k].mean;
        CHECK_NEAR(n->velocity_x, 0.5 * 1.5 * (k + 0.5), 1e-13);
        CHECK_NEAR(n->temperature, 0, 1e-15);
        CHECK_NEAR(n->shear_rate, 0.5, 1e-13);
        CHECK_NEAR(n->solid_fraction, other->solid_fraction, 1e-13);
        mean_solid += n->solid_fraction / 4;
        mean_stress += n->stress_yy / 4;
    }
    CHECK_NEAR(mean_solid, solid, 1e-13);
    CHECK_NEAR(mean_stress, stress, 1e-11);
}

/* ---------------------------------------------------------------- shells */

/* About the centre of a ball a cylinder leaves a ring of the volume 4 pi/3 (r^2 - R^2)^(3/2). */
static void rings_have_their_volume(void) {
    ScreeProfileBin bin[BINS_MOST];
    ScreeProfileDef def = along(SCREE_PROFILE_R, 4);
    Made *m = begin(3);
    add_body(m, at(0, 0, 0.3), 1, at(0, 0, 0));
    CHECK(profile_of(&def, m, bin) == 4);
    for (int k = 0; k < 4; k++) {
        const double inner = 0.25 * k, outer = inner + 0.25;
        const double part =
            4 * M_PI / 3 * (pow(1 - inner * inner, 1.5) - pow(1 - outer * outer, 1.5));
        CHECK_NEAR(bin[k].mean.solid_fraction, part / (M_PI * 2 * (outer * outer - inner * inner)),
                   1e-12);
    }
    free(m);
}

/* Of bodies off the axis the shells together hold all, and each what a sum over thin columns of the body finds. */
static void shells_off_centre_add_up(void) {
    for (int d = 2; d <= 3; d++) {
        ScreeProfileBin bin[BINS_MOST];
        ScreeProfileDef def = along(SCREE_PROFILE_R, 3);
        double part[3] = {0}, all = 0;
        enum { N = 1200 };
        Made *m = begin(d);
        add_body(m, at(0.9, 0.5, 0), 1, at(0, 0, 0));
        def.direction = at(0, 0, 3);
        def.most = 2.4;
        CHECK(profile_of(&def, m, bin) == 3);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                const double x = -1 + (i + 0.5) * 2 / N, y = -1 + (j + 0.5) * 2 / N,
                             s = 1 - x * x - y * y;
                const int shell = (int)(hypot(x + 0.9, y + 0.5) / 0.8);
                part[shell < 3 ? shell : 2] += s > 0 ? (d == 2 ? 1 : 2 * sqrt(s)) * 4 / N / N : 0;
            }
        }
        for (int k = 0; k < 3; k++) {
            const double volume = M_PI * 0.64 * (2 * k + 1) * (d == 2 ? 1 : 2);
            CHECK_NEAR(bin[k].mean.solid_fraction * volume, part[k], 1e-4);
            all += bin[k].mean.solid_fraction * volume;
        }
        CHECK_NEAR(all, d == 2 ? M_PI : 4 * M_PI / 3, 1e-11);
        free(m);
    }
}

/* A body of grains that turns like a rigid one: v = omega r around the axis, without temperature and shear; and a
 * ring of equal forces around the axis presses only around it. */
static void rotation_is_no_shear(void) {
    ScreeProfileBin bin[BINS_MOST];
    ScreeProfileDef def = along(SCREE_PROFILE_R, 3);
    enum { AROUND = 40 };
    Made *m = begin(2);
    for (int ring = 1; ring <= 8; ring++) {
        for (int i = 0; i < AROUND; i++) {
            const double angle = 2 * M_PI * i / AROUND, r = 0.5 * ring;
            add_body(m, at(1 + r * cos(angle), r * sin(angle), 0), 0.02,
                     at(-2 * r * sin(angle), 2 * r * cos(angle), 0));
        }
    }
    for (int i = 0; i < AROUND;
         i++) { /* the outermost ring: chords of length 2 R sin(pi / AROUND) */
        const double angle = 2 * M_PI * (i + 0.5) / AROUND;
        add_contact(m, 7 * AROUND + i, 7 * AROUND + (i + 1) % AROUND,
                    at(-sin(angle), cos(angle), 0), 5);
    }
    def.centre = at(1, 0, 0);
    CHECK(profile_of(&def, m, bin) == 3);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(bin[k].mean.temperature, 0, 1e-13);
        CHECK_NEAR(bin[k].mean.shear_rate, 0, 1e-11);
        CHECK_NEAR(bin[k].mean.velocity_x, 0, 1e-13);
    }
    const double outer = 4.02, inner = 4.02 * 2 / 3, area = M_PI * (outer * outer - inner * inner);
    CHECK_NEAR(bin[2].mean.stress_yy, 5 * AROUND * 8 * sin(M_PI / AROUND) / area, 1e-12);
    CHECK_NEAR(bin[2].mean.stress_xx, 0, 1e-13);
    free(m);
}

/* ---------------------------------------------------------------- errors */

/* With as many blocks as samples the error is that of the mean of independent numbers; with blocks of two it is that
 * of the means of two. */
static void errors_are_those_of_means(void) {
    enum { SAMPLES = 12 };
    for (int size = 1; size <= 2; size++) {
        ScreeProfileBin bin[BINS_MOST];
        ScreeProfileDef def = along(SCREE_PROFILE_X, 1);
        double value[SAMPLES], mean = 0, square = 0;
        uint64_t seed = 3;
        def.blocks = SAMPLES / size;
        ScreeProfile *profile = scree_profile_new(&def, NULL);
        Made *m = begin(2);
        add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
        for (int i = 0; i < SAMPLES; i++) {
            value[i] = draw(&seed);
            m->velocity[0].x = value[i];
            CHECK(scree_profile_add(profile, &m->sample, NULL) == SCREE_OK);
            mean += value[i] / SAMPLES;
        }
        scree_profile_get_bins(profile, bin);
        const int blocks = SAMPLES / size;
        for (int b = 0; b < blocks; b++) {
            const double of_block = size == 1 ? value[b] : 0.5 * (value[2 * b] + value[2 * b + 1]);
            square += (of_block - mean) * (of_block - mean);
        }
        CHECK(scree_profile_get_block_count(profile) == (size_t)blocks);
        CHECK_NEAR(bin[0].mean.velocity_x, mean, 1e-14);
        CHECK_NEAR(bin[0].error.velocity_x, sqrt(square / (blocks * (blocks - 1.0))), 1e-13);
        CHECK_NEAR(bin[0].error.solid_fraction, 0, 1e-14);
        scree_profile_free(profile);
        free(m);
    }
}

static void bins_cover_what_they_are_told(void) {
    ScreeProfileBin bin[BINS_MOST];
    const ScreeProfileDef def = along(SCREE_PROFILE_Y, 0);
    ScreeProfile *profile = scree_profile_new(&def, NULL);
    Made *m = begin(2);
    add_body(m, at(0, 0, 0), 0.5, at(0, 0, 0));
    CHECK(scree_profile_cover(profile, &m->sample, NULL) == SCREE_OK);
    m->position[0].y = 4;
    CHECK(scree_profile_cover(profile, &m->sample, NULL) == SCREE_OK);
    CHECK(scree_profile_add(profile, &m->sample, NULL) == SCREE_OK);
    CHECK(scree_profile_get_bin_count(profile) == 5); /* one for each diameter from -0.5 to 4.5 */
    scree_profile_get_bins(profile, bin);
    CHECK_NEAR(bin[0].low, -0.5, 1e-15);
    CHECK_NEAR(bin[4].mean.solid_fraction, M_PI / 4, 1e-14);
    CHECK(scree_profile_cover(profile, &m->sample, NULL) == SCREE_BAD_ARGUMENT);
    scree_profile_free(profile);
    free(m);
}

static void mistakes_are_told(void) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeProfileDef def = {0};
    CHECK(scree_profile_new(&def, message) == NULL && message[0] != '\0');
    def = along(7, 3);
    CHECK(scree_profile_new(&def, message) == NULL);
    def = along(SCREE_PROFILE_R, 3);
    def.direction = at(0, 0, 0);
    CHECK(scree_profile_new(&def, message) == NULL);
    const int32_t axes[] = {SCREE_PROFILE_Z, SCREE_PROFILE_R, SCREE_PROFILE_X};
    for (int i = 0; i < 3; i++) {
        Made *m = begin(2);
        def = along(axes[i], 3);
        ScreeProfile *profile = scree_profile_new(&def, message);
        if (i < 2) { /* no z in the plane; no shells in a periodic cell; nothing to measure */
            add_body(m, at(0, 0, 0), 0.5, at(0, 0, 0));
        }
        periodic(m, 0, -2, 2);
        message[0] = '\0';
        CHECK(scree_profile_add(profile, &m->sample, message) == SCREE_BAD_ARGUMENT &&
              message[0] != '\0');
        CHECK(scree_profile_get_bin_count(profile) == 0);
        scree_profile_free(profile);
        free(m);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(bodies_are_cut_exactly);
    CHECK_RUN(images_count);
    CHECK_RUN(branches_are_cut_at_bins);
    CHECK_RUN(linear_flows_are_cold);
    CHECK_RUN(sheared_cells_have_profiles);
    CHECK_RUN(rings_have_their_volume);
    CHECK_RUN(shells_off_centre_add_up);
    CHECK_RUN(rotation_is_no_shear);
    CHECK_RUN(errors_are_those_of_means);
    CHECK_RUN(bins_cover_what_they_are_told);
    CHECK_RUN(mistakes_are_told);
    return check_result();
}
