/* The limit on the overlap that one step may add, and the certificate's account of it.
 *
 * The distance of two centres, and of a centre from a plane, is a convex function of the
 * positions. So the gap at the end of a step is at least the predicted one, g + u_n dt, and with
 * u_n + max(g, 0) / dt >= -added / dt at every contact no overlap grows by more than `added`. */
#include "rig.h"

enum { GRAINS = 150 };

/* Grains that fall into a box, some of them onto others: impacts, and a growing heap. */
static ScreeWorld *rain(double tolerance, double overlap, int iterations) {
    ScreeWorld *world = rig_world(3, 0.004, rig_vec(0, -10, 0), 0.4);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int axis = 0; axis < 3; axis += 2) {
        ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
        rig_add_plane(world, rig_vec(0, 0, 0), e);
        rig_add_plane(world, rig_scale(3.3, e), rig_scale(-1, e));
    }
    for (int i = 0; i < GRAINS; i++) {
        double r = 0.3 + 0.06 * (i % 7) / 7.0; /* the smallest is 0.3 */
        ScreeVec3 x =
            rig_vec(0.5 + i % 4 * 0.76 + 0.01 * (i % 3), 0.5 + i / 16, 0.5 + i / 4 % 4 * 0.76);
        rig_add_ball(world, x, r, 1 + i % 3);
    }
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    solver.tolerance = tolerance;
    solver.overlap = overlap;
    solver.iterations = iterations;
    rig_must(scree_world_set_solver(world, &solver), "solver");
    return world;
}

/* With a tolerance that everything meets, only the limit on the overlap ends the sweeps. */
static void no_step_adds_more_overlap_than_allowed(void) {
    static const double limits[] = {1e-2, 1e-4, 1e-6};
    double sweeps[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double most = 0.3 * limits[k]; /* in radii of the smallest */
        ScreeWorld *world = rain(1e9, limits[k], 20000);
        double before = 0;
        for (int step = 0; step < 300; step++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged == 1);
            CHECK(report.overlap_added >= 0 && report.overlap_added <= most);
            CHECK(report.overlap_max <= before + report.overlap_added + 1e-14);
            before = report.overlap_max;
            sweeps[k] += (double)report.iterations;
        }
        CHECK(before > 0 || k == 2); /* a lax limit is really used */
        scree_world_destroy(world);
    }
    CHECK(sweeps[0] < sweeps[1] && sweeps[1] < sweeps[2]);
}

/* One sweep is not enough in an impact: the residual is within its tolerance, yet the step is not
 * converged, and the overlap is as the certificate says. */
static void too_much_overlap_is_not_converged(void) {
    ScreeWorld *world = rain(1e9, 1e-6, 1);
    int told = 0;
    double before = 0;
    for (int step = 0; step < 300; step++) {
        ScreeReport report = rig_step(world);
        CHECK(report.residual <= 1e9);
        bool near = report.overlap_added <= 0.3e-6 && 0.004 * report.velocity_error <= 3 * 0.3e-6;
        CHECK((report.converged == 1) == near);
        CHECK(report.overlap_max <= before + report.overlap_added + 1e-14);
        before = report.overlap_max;
        told += report.converged == 0;
    }
    CHECK(told > 50);
    scree_world_destroy(world);
}

/* A single contact is solved exactly: no overlap is added, not even at the impact. */
static void one_contact_adds_nothing(void) {
    ScreeWorld *world = rig_world(3, 0.01, rig_vec(0, -10, 0), 0.4);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_ball(world, rig_vec(0, 0.9, 0), 0.5, 1);
    for (int step = 0; step < 100; step++) {
        CHECK(rig_step(world).overlap_added <= 1e-15);
    }
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(no_step_adds_more_overlap_than_allowed);
    CHECK_RUN(too_much_overlap_is_not_converged);
    CHECK_RUN(one_contact_adds_nothing);
    return check_result();
}
