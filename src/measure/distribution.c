#include "measure/of_sample.h"
#include "measure/partners.h"

/* `most` itself belongs to the last bin. */
static void count_value(ScreeBin *bin, size_t bins, double most, double value) {
    if (value >= 0 && value <= most) {
        size_t k = (size_t)(value / most * (double)bins);
        bin[k < bins ? k : bins - 1].count++;
    }
}

/* ---------------------------------------------------------------- numbers of contacts */

/* The value of a contact, or NaN if it has none. */
static double value_of(const Region *r, const ScreeContactForce *c, ScreeDistribution kind) {
    if (!scr_active(c) || !scr_point_in_region(r, c->point)) {
        return NAN;
    }
    switch (kind) {
    case SCREE_DISTRIBUTION_NORMAL:
        return c->force_normal > 0 ? c->force_normal : NAN;
    case SCREE_DISTRIBUTION_TANGENTIAL:
        return length(c->force_tangential);
    default:
        return scr_mobilisation(r->sample, c);
    }
}

/* Forces are counted in units of their mean. */
static void distribute_values(const Region *r, ScreeDistribution kind, double most, ScreeBin *bin,
                              size_t bins) {
    const ScreeSample *s = r->sample;
    double total = 0, sum = 0, largest = 0;
    for (size_t i = 0; i < s->contacts; i++) {
        double value = value_of(r, &s->contact[i], kind);
        if (!isnan(value)) {
            total++;
            sum += value;
            largest = scr_max(largest, value);
        }
    }
    bool plain = kind == SCREE_DISTRIBUTION_MOBILISED || !(sum > 0);
    double one = plain ? 1 : sum / total;
    most = most > 0 ? most : largest > 0 ? largest / one : 1;
    scr_empty_bins(bin, bins, most);
    for (size_t i = 0; i < s->contacts; i++) {
        double value = value_of(r, &s->contact[i], kind) / one;
        if (!isnan(value)) {
            count_value(bin, bins, most, value);
        }
    }
    for (size_t k = 0; k < bins; k++) {
        bin[k].density = bin[k].count / (total * (bin[k].high - bin[k].low));
    }
}

/* ---------------------------------------------------------------- directions */

/* Both senses of a normal are one direction. In space a band between two elevations covers the
 * fraction sin high - sin low of the half sphere. */
static void distribute_directions(const Region *r, ScreeBin *bin, size_t bins) {
    const ScreeSample *s = r->sample;
    bool flat = s->dimension == 2;
    double most = flat ? 180 : 90, degree = M_PI / 180, total = 0;
    Vec3 up = scr_up(s);
    scr_empty_bins(bin, bins, most);
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        if (!scr_active(c) || scree_partner_is_wall(c->b) || !scr_point_in_region(r, c->point)) {
            continue;
        }
        double angle = flat ? scr_atan2(c->normal.y, c->normal.x)
                            : scr_asin(scr_min(fabs(dot(c->normal, up)), 1));
        angle = (angle < 0 ? angle + M_PI : angle) / degree;
        count_value(bin, bins, most, flat && angle >= most ? 0 : angle);
        total++;
    }
    for (size_t k = 0; k < bins; k++) {
        double share =
            flat ? 1 / (double)bins : scr_sin(degree * bin[k].high) - scr_sin(degree * bin[k].low);
        bin[k].density = bin[k].count / (total * share);
    }
}

/* ---------------------------------------------------------------- partners */

static ScreeStatus distribute_partners(const Region *r, ScreeBin *bin, size_t bins, char *message) {
    Partners p;
    double total = 0;
    SCR_TRY(scr_partners_find(r->sample, 0, &p, message));
    for (size_t k = 0; k < bins; k++) {
        bin[k] = (ScreeBin){.low = (double)k - 0.5, .high = (double)k + 0.5};
    }
    for (size_t i = 0; i < r->sample->bodies; i++) {
        if (scr_point_in_region(r, r->sample->position[i])) {
            total++;
            if ((size_t)p.count[i] < bins) {
                bin[p.count[i]].count++;
            }
        }
    }
    for (size_t k = 0; k < bins; k++) {
        bin[k].density = bin[k].count / total;
    }
    scr_partners_free(&p);
    return SCREE_OK;
}

ScreeStatus scr_measure_distribution(const ScreeSample *s, const ScreeMeasureDef *def,
                                     ScreeDistribution kind, double most, ScreeBin *bin,
                                     size_t bins, char *message) {
    Region region;
    if (!(most >= 0 && isfinite(most))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the largest value must be at least 0");
    }
    if (bins == 0 || (int)kind < 0 || kind >= SCREE_DISTRIBUTION_COUNT) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "no bins, or no such distribution");
    }
    SCR_TRY(scr_region_make(s, def, &region, message));
    switch (kind) {
    case SCREE_DISTRIBUTION_DIRECTION:
        distribute_directions(&region, bin, bins);
        return SCREE_OK;
    case SCREE_DISTRIBUTION_PARTNERS:
        return distribute_partners(&region, bin, bins, message);
    case SCREE_DISTRIBUTION_PAIRS:
        SCR_TRY(scr_need_box(&region, message));
        return scr_measure_pairs(&region, most, bin, bins, message);
    default:
        distribute_values(&region, kind, most, bin, bins);
        return SCREE_OK;
    }
}
