/* Who carries the load over windows of time: closed forms, and no dependence on the time step. */
#include "sample.h"
#include "check.h"

enum { STEPS = 48 };

/* Three bodies in a row, whose two contacts pass on the same impulse in turns, one in each unit of time; a step is
 * a unit over `fine`, and the impulse is passed on in the first step of its unit. */
static ScreeCarrying in_turns(int fine, double weak) {
    char message[SCREE_MESSAGE_SIZE] = "";
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeCarriers *carriers = scree_carriers_new(&whole, 4, message);
    CHECK(carriers != NULL);
    for (int step = 0; step <= STEPS * fine; step++) {
        Made *m = begin(2);
        for (int i = 0; i < 3; i++) {
            add_body(m, at(2 * i, 0, 0), 1, at(0, 0, 0));
        }
        const int unit = (step - 1) / fine;
        if (step > 0 && (step - 1) % fine == 0) {
            const int first = unit % 2;
            add_contact(m, first, first + 1, at(1, 0, 0), fine * (first == 0 ? 1 : weak));
        }
        CHECK(scree_carriers_add(carriers, &m->sample, 7 + (double)step / fine, message) ==
              SCREE_OK);
        free(m);
    }
    const ScreeCarrying found = scree_carriers_get(carriers);
    scree_carriers_free(carriers);
    return found;
}

static void impulses_count_and_steps_do_not(void) {
    for (int fine = 1; fine <= 8; fine *= 2) {
        const ScreeCarrying found = in_turns(fine, 1);
        CHECK(found.windows == STEPS / 4);
        CHECK_NEAR(found.coordination, 2.0 / 3 / fine, 1e-14); /* what a step sees */
        CHECK_NEAR(found.partners, 4.0 / 3, 1e-14);
        CHECK_NEAR(found.carriers, 4.0 / 3, 1e-12);
        CHECK_NEAR(found.carriers_error, 0, 1e-7);
    }
}

/* A contact that carries little touches like any other, but is hardly a carrier: 2 (1 + w)^2 / (1 + w^2) / 3. */
static void weak_contacts_carry_little(void) {
    const double weak = 0.125;
    const ScreeCarrying found = in_turns(2, weak);
    CHECK_NEAR(found.partners, 4.0 / 3, 1e-14);
    CHECK_NEAR(found.carriers, 2.0 / 3 * (1 + weak) * (1 + weak) / (1 + weak * weak), 1e-13);
}

/* Two points of a pair are one partner; a wall is a partner of one body only. */
static void pairs_and_walls_count_once(void) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeCarriers *carriers = scree_carriers_new(&whole, 1, NULL);
    Made *m = begin(2);
    add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
    add_body(m, at(2, 0, 0), 1, at(0, 0, 0));
    add_contact(m, 0, 1, at(1, 0, 0), 3);
    add_contact(m, 0, 1, at(1, 0, 0), 2);
    add_contact(m, 1, -1, at(0, -1, 0), 5);
    for (int step = 0; step < 9; step++) {
        CHECK(scree_carriers_add(carriers, &m->sample, 0.25 * step, NULL) == SCREE_OK);
    }
    const ScreeCarrying found = scree_carriers_get(carriers);
    CHECK(found.windows == 2);
    CHECK_NEAR(found.coordination, 1.5, 1e-15);
    CHECK_NEAR(found.partners, 1.5, 1e-15);
    CHECK_NEAR(found.carriers, 1.5, 1e-15); /* the two points carry as much as the wall */
    CHECK(scree_carriers_add(carriers, &m->sample, 1.9, NULL) ==
          SCREE_BAD_ARGUMENT); /* back in time */
    m->sample.bodies--;
    m->sample.contacts = 0;
    CHECK(scree_carriers_add(carriers, &m->sample, 9, NULL) == SCREE_BAD_ARGUMENT);
    scree_carriers_free(carriers);
    free(m);
}

static void mistakes_are_told(void) {
    char message[SCREE_MESSAGE_SIZE] = "";
    const ScreeMeasureDef none = {0}, whole = scree_measure_def_default();
    CHECK(scree_carriers_new(&none, 1, message) == NULL && message[0] != '\0');
    message[0] = '\0';
    CHECK(scree_carriers_new(&whole, 0, message) == NULL && message[0] != '\0');
    CHECK(scree_carriers_new(&whole, NAN, message) == NULL);
    ScreeCarriers *empty = scree_carriers_new(&whole, 1, message);
    CHECK(isnan(scree_carriers_get(empty).carriers) && scree_carriers_get(empty).windows == 0);
    scree_carriers_free(empty);
    scree_carriers_free(NULL);
}

int main(int argc, char **argv) {
    CHECK_RUN(impulses_count_and_steps_do_not);
    CHECK_RUN(weak_contacts_carry_little);
    CHECK_RUN(pairs_and_walls_count_once);
    CHECK_RUN(mistakes_are_told);
    return check_result();
}
