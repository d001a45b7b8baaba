/* Free surfaces of known slope. */
#include "sample.h"
#include "check.h"

static ScreeSurface measured(const Made *m, double column) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeSurface s;
    memset(&s, 0xff, sizeof s);
    CHECK(scree_sample_measure_surface(&m->sample, &whole, column, &s, NULL) == SCREE_OK);
    return s;
}

/* A triangle of disks in a hexagonal lattice has flanks of 60 degrees, whatever the direction of
 * gravity. */
static void hexagonal_heap_has_flanks_of_60_degrees(void) {
    for (double lean = 0; lean < 6; lean += 0.7) {
        Made *m = begin(2);
        double c = cos(lean), s = sin(lean);
        for (int row = 0; row < 20; row++) {
            for (int k = 0; k < 20 - row; k++) {
                double x = k + 0.5 * row, y = row * sqrt(0.75);
                add_body(m, at(c * x - s * y, s * x + c * y, 0), 0.5, at(0, 0, 0));
            }
        }
        m->sample.gravity = at(s, -c, 0);
        ScreeSurface found = measured(m, 0);
        CHECK_NEAR(found.repose, 60.0, fmin(found.repose_error, 2));
        CHECK_NEAR(measured(m, 0.4321).slope, 0, 1); /* as steep to the left as to the right */
        CHECK_CLOSE(found.highest, 19 * sqrt(0.75) + 0.5, 1e-12);
        CHECK(found.lowest > 0.5 - 1e-9 && found.lowest < 4); /* two wide, and tan(60) = 1.73 */
        free(m);
    }
}

/* A layer of balls of different sizes whose tops lie in a plane, above others. */
static void inclined_layer_has_its_slope(void) {
    Made *m = begin(3);
    uint64_t seed = 4;
    const double gx = 0.3, gy = -0.5;
    for (int i = 0; i < 2000; i++) {
        double x = 20 * draw(&seed), y = 10 * draw(&seed), r = 0.2 + 0.2 * draw(&seed);
        add_body(m, at(x, y, gx * x + gy * y - r), r, at(0, 0, 0));
        add_body(m, at(x, y, gx * x + gy * y - r - 3 - draw(&seed)), r, at(0, 0, 0));
    }
    ScreeSurface found = measured(m, 0);
    double steep = sqrt(gx * gx + gy * gy);
    CHECK_CLOSE(found.slope, atan(steep) * 180 / M_PI, 5e-3);
    CHECK_CLOSE(found.uphill.x, gx / steep, 1e-2);
    CHECK_CLOSE(found.uphill.y, gy / steep, 1e-2);
    CHECK(found.columns > 16 * 8 && found.columns <= 26 * 13);
    free(m);
}

/* Tops on a cone about the centre. */
static void cone_has_its_angle_of_repose(void) {
    Made *m = begin(3);
    m->sample.gravity = at(0, 0, -9.81);
    for (int i = -40; i <= 40; i++) {
        for (int k = -40; k <= 40; k++) {
            double x = 0.25 * i, y = 0.25 * k, height = 5 - 0.5 * hypot(x, y);
            if (height > 0) {
                add_body(m, at(3 + x, y - 7, height), 0.1, at(0, 0, 0));
            }
        }
    }
    ScreeSurface found = measured(m, 0.25);
    CHECK_NEAR(found.repose, atan(0.5) * 180 / M_PI, fmin(found.repose_error, 0.2));
    CHECK_NEAR(found.slope, 0, 0.2);
    free(m);
}

/* A gable with its top cut off, in a flat layer: neither changes the angle. */
static void worn_top_and_flat_foot_do_not_change_the_angle(void) {
    Made *m = begin(2);
    for (int i = -300; i <= 300; i++) {
        double x = 0.1 * i, height = fmax(fmin(10 - fabs(x), 8.5), 1);
        add_body(m, at(x, height, 0), 0.05, at(0, 0, 0));
    }
    ScreeSurface found = measured(m, 0.1);
    CHECK_NEAR(found.repose, 45.0, fmin(found.repose_error, 0.2));
    CHECK_CLOSE(found.highest, 8.55, 1e-12);
    free(m);
}

/* A long brick, turned: it reaches up by half its sides times sine and cosine of its angle to the
 * horizontal, whatever the direction of gravity. */
static void turned_brick_reaches_its_height(void) {
    const ScreeVec3 corner[4] = {{-2, -0.5, 0}, {2, -0.5, 0}, {2, 0.5, 0}, {-2, 0.5, 0}};
    const ScreeShapePart part = {4, 0.1};
    const ScreeShapeDef def = {&part, 1, corner};
    ScreeShape shape;
    CHECK(scree_shape_def_measure(&def, &shape, NULL) == SCREE_OK);
    for (double turn = -3; turn < 3; turn += 0.4) {
        for (double lean = -3; lean < 3; lean += 0.7) {
            Made *m = begin(2);
            m->sample.shapes = 1;
            m->sample.form = &shape;
            add_body(m, at(0, 0, 0), shape.radius, at(0, 0, 0));
            m->shape[0].index = 0;
            m->orientation[0] = (ScreeQuat){cos(turn / 2), 0, 0, sin(turn / 2)};
            /* the upward direction is turned by `lean` */
            m->sample.gravity = at(sin(lean), -cos(lean), 0);
            double angle = turn - lean;
            CHECK_CLOSE(measured(m, 0).highest, 2 * fabs(sin(angle)) + 0.5 * fabs(cos(angle)) + 0.1,
                        1e-12);
            free(m);
        }
    }
}

static void empty_surfaces_are_undefined_and_runaways_refused(void) {
    Made *m = begin(3);
    const ScreeMeasureDef whole = scree_measure_def_default();
    char message[SCREE_MESSAGE_SIZE];
    ScreeSurface s = measured(m, 0);
    CHECK(s.columns == 0 && isnan(s.slope) && isnan(s.highest));
    add_body(m, at(1, 2, 3), 0.5, at(0, 0, 0));
    s = measured(m, 0);
    CHECK(s.columns == 1 && isnan(s.slope) && isnan(s.repose));
    CHECK_CLOSE(s.highest, 3.5, 1e-15);
    add_body(m, at(1e9, 2e9, 3), 0.5, at(0, 0, 0)); /* a runaway */
    CHECK(scree_sample_measure_surface(&m->sample, &whole, 0, &s, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, "columns") != NULL);
    CHECK(scree_sample_measure_surface(&m->sample, &whole, -1, &s, message) == SCREE_BAD_ARGUMENT);
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(hexagonal_heap_has_flanks_of_60_degrees);
    CHECK_RUN(inclined_layer_has_its_slope);
    CHECK_RUN(cone_has_its_angle_of_repose);
    CHECK_RUN(worn_top_and_flat_foot_do_not_change_the_angle);
    CHECK_RUN(turned_brick_reaches_its_height);
    CHECK_RUN(empty_surfaces_are_undefined_and_runaways_refused);
    return check_result();
}
