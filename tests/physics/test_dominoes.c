/* Dominoes: toppling over a corner, and knocking each other over. */
#include "polygon_rig.h"

static const double g = 9.81, width = 0.2, height = 1;

/* A domino that stands on the plane and turns about its lower right corner at a given rate. */
static ScreeBodyDef pushed(int32_t shape, double x, double spin) {
    ScreeBodyDef def = rig_shaped(shape, rig_vec(x, 0.5 * height, 0), 0);
    ScreeVec3 from_corner = rig_vec(-0.5 * width, 0.5 * height, 0);
    def.spin = rig_vec(0, 0, -spin);
    def.velocity = rig_cross(def.spin, from_corner);
    return def;
}

/* It must lift its centre to half the diagonal, R: (w^2 + h^2) / 6 spin^2 = g (R - h / 2). With a
 * little less it comes back, with a little more it falls. */
static double critical_spin(void) {
    double square = width * width + height * height;
    return sqrt(6 * g * (0.5 * sqrt(square) - 0.5 * height) / square);
}

static void domino_falls_or_returns(void) {
    for (int falls = 0; falls < 2; falls++) {
        ScreeWorld *world = rig_world(2, 2e-4, rig_vec(0, -g, 0), 0.8);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        int32_t shape = rig_add_rectangle_shape(world, width, height);
        ScreeBodyDef def = pushed(shape, 0, (falls ? 1.02 : 0.98) * critical_spin());
        rig_add_body(world, &def);
        double farthest = 0;
        for (int n = 0; n < 15000; n++) {
            rig_step(world);
            farthest = fmax(farthest, fabs(rig_angle(world, 0)));
        }
        if (falls) {
            CHECK_NEAR(rig_angle(world, 0), -0.5 * RIG_PI, 1e-3);
            CHECK_NEAR(scree_world_get_bodies(world).position[0].y, 0.5 * width, 1e-3);
        } else { /* it rocks to and fro */
            CHECK(farthest > 0.7 * atan(width / height) && farthest < atan(width / height));
        }
        scree_world_destroy(world);
    }
}

/* A block that rocks back strikes the plane with its other lower corner. Without bounce and slip
 * its angular momentum about that corner is kept: the spin changes by the factor 1 - 3/2 sin^2 a,
 * where tan a = w / h (Housner 1963). */
static void rocking_loses_energy_by_housner(void) {
    for (int i = 0; i < 4; i++) {
        double w = 0.2 + 0.2 * i, h = 1;
        ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, 0, 0), 1.5);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeBodyDef def =
            rig_shaped(rig_add_rectangle_shape(world, w, h), rig_vec(0, 0.5 * h, 0), 0);
        def.spin = rig_vec(0, 0, 0.3); /* about the lower right corner: the left one comes down */
        def.velocity = rig_cross(def.spin, rig_vec(-0.5 * w, 0.5 * h, 0));
        rig_add_body(world, &def);
        rig_step(world);
        double square = w * w / (w * w + h * h);
        CHECK_CLOSE(scree_world_get_bodies(world).spin[0].z, 0.3 * (1 - 1.5 * square), 1e-11);
        ScreeVec3 expected =
            rig_cross(scree_world_get_bodies(world).spin[0], rig_vec(0.5 * w, 0.5 * h, 0));
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], expected, 1e-11);
        scree_world_destroy(world);
    }
}

/* The first turns until its upper corner meets the next one, when sin = free gap over height; then
 * they fall one after the other, all of them. */
static void row_of_dominoes_falls(void) {
    enum { ROW = 6 };
    const double pitch = 0.6, dt = 5e-4;
    ScreeWorld *world = rig_world(2, dt, rig_vec(0, -g, 0), 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    int32_t shape = rig_add_rectangle_shape(world, width, height);
    for (int i = 0; i < ROW; i++) {
        ScreeBodyDef def = pushed(shape, pitch * i, i == 0 ? 1.5 * critical_spin() : 0);
        rig_add_body(world, &def);
    }
    double met = 0, gone[ROW] = {0}, deepest = 0;
    for (int n = 1; n <= 10000; n++) {
        ScreeReport report = rig_step(world);
        deepest = fmax(deepest, report.overlap_max);
        CHECK(fabs(report.energy_error) < 1e-10);
        if (met == 0 && rig_contact(world, 0, 1).normal_impulse > 0) {
            met = rig_angle(world, 0);
        }
        for (int i = 0; i < ROW; i++) {
            bool over = rig_angle(world, i) < -atan(width / height);
            gone[i] = over && gone[i] == 0 ? n * dt : gone[i];
        }
    }
    CHECK_NEAR(sin(-met), (pitch - width) / height, 5e-3);
    for (int i = 0; i < ROW; i++) {
        CHECK(gone[i] > (i > 0 ? gone[i - 1] : 0));
    }
    CHECK_NEAR(rig_angle(world, ROW - 1), -0.5 * RIG_PI, 2e-3); /* the last lies flat */
    CHECK(deepest < 2e-3);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(domino_falls_or_returns);
    CHECK_RUN(rocking_loses_energy_by_housner);
    CHECK_RUN(row_of_dominoes_falls);
    return check_result();
}
