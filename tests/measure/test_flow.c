/* Mass through planes: closed forms of sections and caps, and the rate as the derivative of what is
 * beyond the plane. */
#include "sample.h"
#include "check.h"

static ScreeFlow measured(const Made *m, ScreeVec3 point, ScreeVec3 normal) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeFlow flow = {NAN, NAN};
    CHECK(scree_sample_measure_flow(&m->sample, &whole, point, normal, &flow, NULL) == SCREE_OK);
    return flow;
}

/* A ball of unit density and radius 2 that moves along z at 3: mass passes a plane at the distance
 * d at the rate 3 pi (4 - d^2). The normal need not be a unit vector. */
static void flow_of_a_ball_has_its_closed_form(void) {
    Made *m = begin(3);
    add_body(m, at(1, 1, 1), 2, at(5, 0, 3));
    m->spin[0] = at(1, 2, 3); /* spins in place */
    for (double d = -2.5; d <= 2.5; d += 0.25) {
        ScreeFlow flow = measured(m, at(0, 0, 1 + d), at(0, 0, 7));
        double section = fabs(d) < 2 ? M_PI * (4 - d * d) : 0;
        double cap = d >= 2 ? 0 : d <= -2 ? 32 * M_PI / 3 : M_PI / 3 * (2 - d) * (2 - d) * (4 + d);
        CHECK_NEAR(flow.rate, 3 * section, 1e-12);
        CHECK_NEAR(flow.beyond, cap, 1e-12);
        ScreeFlow back = measured(m, at(0, 0, 1 + d), at(0, 0, -1));
        CHECK_NEAR(back.rate, -flow.rate, 1e-12);
        CHECK_NEAR(back.beyond + flow.beyond, 32 * M_PI / 3, 1e-12);
    }
    free(m);
}

static void flow_of_a_disk_has_its_closed_form(void) {
    Made *m = begin(2);
    add_body(m, at(1, 1, 0), 2, at(0, 3, 0));
    CHECK_CLOSE(measured(m, at(0, 1, 0), at(0, 1, 0)).rate, 12.0, 1e-14);
    CHECK_CLOSE(measured(m, at(0, 1, 0), at(0, 1, 0)).beyond, 2 * M_PI, 1e-14);
    CHECK_CLOSE(measured(m, at(0, 2, 0), at(0, 1, 0)).rate, 6 * sqrt(3.0), 1e-13);
    CHECK_NEAR(measured(m, at(0, 1, 0), at(1, 0, 0)).rate, 0, 1e-14);
    free(m);
}

/* The image that the plane cuts counts. */
static void periodic_images_flow_where_the_plane_is(void) {
    Made *m = begin(2);
    periodic(m, 0, 0, 10);
    add_body(m, at(9.5, 0, 0), 1, at(2, 0, 0));
    CHECK_CLOSE(measured(m, at(10, 0, 0), at(1, 0, 0)).rate, 4 * sqrt(0.75), 1e-13);
    CHECK_CLOSE(measured(m, at(0, 0, 0), at(1, 0, 0)).rate, 4 * sqrt(0.75), 1e-13);
    CHECK_NEAR(measured(m, at(5, 0, 0), at(1, 0, 0)).rate, 0, 0);
    free(m);
}

/* A hook with a rounded reflex corner, about its centroid. */
typedef struct Hook {
    ScreeVec3 corner[6];
    ScreeShapePart part;
    ScreeShape shape;
} Hook;

static void make_hook(Hook *h, double rounding) {
    static const ScreeVec3 from[6] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0},
                                      {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
    h->part = (ScreeShapePart){6, rounding};
    const ScreeShapeDef def = {&h->part, 1, from};
    CHECK(scree_shape_def_measure(&def, &h->shape, NULL) == SCREE_OK);
    for (int k = 0; k < 6; k++) {
        h->corner[k] = at(from[k].x - h->shape.centroid.x, from[k].y - h->shape.centroid.y, 0);
    }
    h->shape.def.corner = h->corner;
}

static Made *one_hook(Hook *h, double rounding) {
    Made *m = begin(2);
    make_hook(h, rounding);
    m->sample.shapes = 1;
    m->sample.form = &h->shape;
    add_body(m, at(0.3, -0.2, 0), h->shape.radius, at(1.5, -0.7, 0));
    m->shape[0].index = 0;
    m->mass[0] = 2 * h->shape.area;
    m->spin[0] = at(0, 0, 1.3);
    return m;
}

static void move(Made *m, double angle, double time) {
    m->position[0] = at(0.3 + 1.5 * time, -0.2 - 0.7 * time, 0);
    double turn = 0.5 * (angle + 1.3 * time);
    m->orientation[0] = (ScreeQuat){cos(turn), 0, 0, sin(turn)};
}

/* The rate is the derivative of what is beyond: central differences of two steps, whose error falls
 * with the square of the step. */
static void rate_is_the_derivative_of_what_is_beyond(void) {
    Hook hook;
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        Made *m = one_hook(&hook, round % 2 == 0 ? 0.25 : 0);
        double angle = 6 * draw(&seed), lean = 6 * draw(&seed), h = 1e-5;
        double x = 2 * draw(&seed) - 1, y = 2 * draw(&seed) - 1;
        ScreeVec3 point = at(x, y, 0);
        ScreeVec3 normal = at(cos(lean), sin(lean), 0);
        move(m, angle, h);
        double after = measured(m, point, normal).beyond;
        move(m, angle, -h);
        double before = measured(m, point, normal).beyond;
        move(m, angle, 0);
        double rate = measured(m, point, normal).rate;
        CHECK_NEAR(rate, (after - before) / (2 * h), 2e-3); /* an edge may turn through the plane */
        free(m);
    }
}

/* Planes through corners, through the ends of arcs and along edges. */
static void planes_through_corners_cut_exactly(void) {
    Hook hook;
    Made *m = one_hook(&hook, 0.25);
    m->spin[0] = at(0, 0, 0);
    m->position[0] = at(0, 0, 0);
    m->velocity[0] = at(1, 0, 0);
    double x = hook.shape.centroid.x;
    /* density 2: length 3.5 over the upright, 1.5 over the foot, 1 and 3 at the round ends */
    CHECK_CLOSE(measured(m, at(0.5 - x, 0, 0), at(1, 0, 0)).rate, 7.0, 1e-13);
    CHECK_CLOSE(measured(m, at(0 - x, 0, 0), at(1, 0, 0)).rate, 7.0, 1e-13);
    CHECK_CLOSE(measured(m, at(2 - x, 0, 0), at(1, 0, 0)).rate, 3.0, 1e-13);
    CHECK_CLOSE(measured(m, at(4 - x, 0, 0), at(1, 0, 0)).rate, 3.0, 1e-13);
    CHECK_NEAR(measured(m, at(4.25 - 1e-12 - x, 0, 0), at(1, 0, 0)).rate, 2.0, 1e-5);
    CHECK_NEAR(measured(m, at(4.26 - x, 0, 0), at(1, 0, 0)).rate, 0, 0);
    free(m);
}

static void bad_planes_are_refused(void) {
    Made *m = begin(2);
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeFlow flow;
    char message[SCREE_MESSAGE_SIZE];
    const ScreeVec3 o = {0, 0, 0};
    CHECK(scree_sample_measure_flow(&m->sample, &whole, o, o, &flow, message) ==
          SCREE_BAD_ARGUMENT);
    CHECK(scree_sample_measure_flow(&m->sample, &whole, o, at(0, 1, 1), &flow, message) ==
          SCREE_BAD_ARGUMENT);
    CHECK(scree_sample_measure_flow(&m->sample, &whole, at(NAN, 0, 0), at(1, 0, 0), &flow,
                                    message) == SCREE_BAD_ARGUMENT);
    flow = measured(m, o, at(1, 0, 0));
    CHECK(flow.rate == 0 && flow.beyond == 0);
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(flow_of_a_ball_has_its_closed_form);
    CHECK_RUN(flow_of_a_disk_has_its_closed_form);
    CHECK_RUN(periodic_images_flow_where_the_plane_is);
    CHECK_RUN(rate_is_the_derivative_of_what_is_beyond);
    CHECK_RUN(planes_through_corners_cut_exactly);
    CHECK_RUN(bad_planes_are_refused);
    return check_result();
}
