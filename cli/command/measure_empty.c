/* Regions that hold nothing: most often a wrong bound, so the user is told, and where the grains are. */
#include "cli/command/measure_rows.h"

#include "cli/message.h"

#include <math.h>
#include <stdio.h>

static double component_of(ScreeVec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

bool measure_is_bounded(const ScreeMeasureDef *region) {
    bool bounded = false;
    for (int k = 0; k < 3; k++) {
        bounded = bounded || isfinite(component_of(region->min, k)) ||
                  isfinite(component_of(region->max, k));
    }
    return bounded;
}

/* By volume and forces, as the stress is: see set_stress in src/measure/numbers.c. */
static bool is_empty(const ScreeSample *sample, const ScreeMeasureDef *region) {
    ScreeMeasures found;
    return scree_sample_measure(sample, region, &found, NULL) == SCREE_OK && isnan(found.stress_xx);
}

/* Where the centres of grains are, as --region would have it. */
static void place_of(const ScreeSample *s, MeasureEmpty *e) {
    size_t used = 0;
    e->place[0] = '\0';
    for (int k = 0; k < s->dimension && s->bodies > 0 && used < sizeof e->place; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < s->bodies; i++) {
            const double x = component_of(s->position[i], k);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        used += (size_t)snprintf(e->place + used, sizeof e->place - used, "%s%.4g:%.4g",
                                 k > 0 ? "," : "", low, high);
    }
}

void measure_look_for_grains(const ScreeSample *sample, const ScreeMeasureDef *region,
                             MeasureEmpty *empty) {
    empty->looked++;
    if (measure_is_bounded(region) && is_empty(sample, region)) {
        empty->found++;
        place_of(sample, empty);
    }
}

void measure_say_empty(const MeasureEmpty *e) {
    char frames[80] = "", place[sizeof e->place + 40] = "there are no grains";
    if (e->found == 0) {
        return;
    }
    if (e->found < e->looked) {
        snprintf(frames, sizeof frames, " in %zu of %zu frames", e->found, e->looked);
    }
    if (e->place[0] != '\0') {
        snprintf(place, sizeof place, "the centres of grains are within %s", e->place);
    }
    cli_warning("there is nothing in the region%s, neither part of a grain nor a force: %s%s",
                frames, place, e->found < e->looked ? " in the last of them" : "");
}
