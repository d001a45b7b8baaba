/* The foot of a point on a curve is the nearest point, never one on another branch. */
#include "check.h"
#include "narrow/nurbs_rig.h"

#include "narrow/boundary.h"

static Boundary boundary_of(const PlacedCurve *c) {
    return (Boundary){.nurbs = c->outline.nurbs,
                      .corner = c->corner,
                      .count = c->outline.nurbs->nodes,
                      .cosine = 1};
}

/* Points all over the plane, near the curve and in its notches. */
static void compare(const ScreeNurbs *def, int points, uint64_t seed) {
    enum { FINE = 2000 };
    PlacedCurve c = place_curve(def, 0);
    Boundary boundary = boundary_of(&c);
    Dense d = dense(&c, vec3(0, 0, 0), FINE);
    double radius = c.shapes.shape[0].radius, step = 0;
    for (size_t k = 1; k < d.count; k++) {
        step = fmax(step, length(sub(d.point[k], d.point[k - 1])));
    }
    int wrong = 0, inside = 0;
    for (int i = 0; i < points; i++) {
        double x = 1.5 * radius * (2 * draw(&seed) - 1), y = 1.5 * radius * (2 * draw(&seed) - 1);
        double least = INFINITY;
        for (size_t k = 0; k < d.count; k++) {
            double l = hypot(d.point[k].x - x, d.point[k].y - y);
            least = fmin(least, l);
        }
        BoundaryFoot foot = scr_boundary_project(&boundary, x, y);
        /* the nearest of points `step` apart is farther away by at most step^2 / (8 least), or step
         * / 2 */
        double error = fmin(step * step / least, step);
        bool right = fabs(foot.distance) <= least * (1 + 1e-12) &&
                     fabs(foot.distance) >= least - error - 1e-12;
        wrong += !right;
        /* the sign: outside, the normal points towards the point */
        bool in = scr_boundary_contains(&boundary, x, y);
        inside += in;
        if (least > 2 * c.outline.nurbs->bulge) {
            CHECK((foot.distance < 0) == in);
        }
        /* the line to the point is along the normal */
        CHECK_NEAR(x - foot.x, foot.distance * foot.nx, 1e-9 * radius);
        CHECK_NEAR(y - foot.y, foot.distance * foot.ny, 1e-9 * radius);
    }
    CHECK(wrong == 0);
    CHECK(inside > points / 20);
    free_dense(&d);
    free_curve(&c);
}

static void feet_on_smooth_curves_are_nearest(void) {
    NurbsRig r;
    rig_ellipse(&r, 1, 0.4, 0, 0, 0);
    compare(&r.def, 300, 1);
    for (int32_t degree = 2; degree <= 5; degree++) {
        rig_wavy(&r, degree, 14, (uint64_t)degree);
        compare(&r.def, 200, 2);
    }
}

static void feet_in_deep_notches_are_nearest(void) {
    NurbsRig r;
    rig_notch(&r, 3);
    compare(&r.def, 500, 3);
    rig_notch(&r, 2);
    compare(&r.def, 300, 4);
    rig_star(&r, 3, 7, 1, 0.15);
    compare(&r.def, 500, 5);
    rig_star(&r, 2, 5, 1, 0.1);
    compare(&r.def, 300, 6);
}

static void feet_near_corners_are_nearest(void) {
    static const ScreeVec3 hook[] = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0},
                                     {2, 2, 0}, {2, 1, 0}, {0, 1.5, 0}};
    NurbsRig r;
    rig_polygon(&r, hook, 6);
    compare(&r.def, 500, 7);
}

int main(int argc, char **argv) {
    CHECK_RUN(feet_on_smooth_curves_are_nearest);
    CHECK_RUN(feet_in_deep_notches_are_nearest);
    CHECK_RUN(feet_near_corners_are_nearest);
    return check_result();
}
