/* A semicircular arch of voussoirs stands while a line of thrust fits into it. For radial joints
 * and many voussoirs that needs a thickness of 0.1075 of the mean radius (Milankovitch; Couplet and
 * Heyman were close). With few voussoirs hinges can only open at few joints, so a little less
 * suffices; how much is found here by statics alone. */
#include "polygon_rig.h"

/* Voussoir k of n, counted from the right springing: four corners, counterclockwise. */
static void voussoir(int k, int n, double thickness, ScreeVec3 corner[4]) {
    double from = RIG_PI * k / n, to = RIG_PI * (k + 1) / n;
    double inner = 1 - 0.5 * thickness, outer = 1 + 0.5 * thickness;
    corner[0] = rig_vec(inner * cos(from), inner * sin(from), 0);
    corner[1] = rig_vec(outer * cos(from), outer * sin(from), 0);
    corner[2] = rig_vec(outer * cos(to), outer * sin(to), 0);
    corner[3] = rig_vec(inner * cos(to), inner * sin(to), 0);
}

/* Area and area times the x of the centroid, by the shoelace formula. */
static void weigh(const ScreeVec3 c[4], double *area, double *moment) {
    *area = *moment = 0;
    for (int i = 0; i < 4; i++) {
        ScreeVec3 p = c[i], q = c[(i + 1) % 4];
        double twice = p.x * q.y - q.x * p.y;
        *area += 0.5 * twice;
        *moment += twice * (p.x + q.x) / 6;
    }
}

/* The right half, from the crown down to the joint at angle q, carries its weight W at x. With the
 * thrust H at height y of the crown, its resultant crosses the joint at the radius rho, where rho
 * (W cos q + H sin q) = H y + W x (moments about that point). All rho must lie within the
 * thickness: for a given H that bounds M = H y from both sides. Returns the width of the interval
 * left for M; the arch can stand if it is positive for some H. */
static double freedom(double thrust, int n, double thickness) {
    double inner = 1 - 0.5 * thickness, outer = 1 + 0.5 * thickness;
    double least = inner * thrust, most = outer * thrust, weight = 0, moment = 0;
    for (int k = n / 2 - 1; k >= 0; k--) {
        ScreeVec3 corner[4];
        double area, first, q = RIG_PI * k / n;
        voussoir(k, n, thickness, corner);
        weigh(corner, &area, &first);
        weight += area;
        moment += first;
        double d = weight * cos(q) + thrust * sin(q);
        least = fmax(least, inner * d - moment);
        most = fmin(most, outer * d - moment);
    }
    return most - least;
}

/* The maximum of a concave function, by golden section. */
static double most_freedom(int n, double thickness) {
    const double part = 0.6180339887498949;
    double low = 0, high = 2 * thickness;
    for (int i = 0; i < 100; i++) {
        double a = high - part * (high - low), b = low + part * (high - low);
        if (freedom(a, n, thickness) < freedom(b, n, thickness)) {
            low = a;
        } else {
            high = b;
        }
    }
    return freedom(0.5 * (low + high), n, thickness);
}

static double critical_thickness(int n) {
    double low = 0.01, high = 0.5;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(most_freedom(n, middle) < 0 ? &low : &high) = middle;
    }
    return high;
}

/* The statics are right if they give the published number for many voussoirs. */
static void many_voussoirs_need_the_known_thickness(void) {
    CHECK_NEAR(critical_thickness(1000), 0.1075, 1e-4);
    CHECK(critical_thickness(16) < critical_thickness(1000));
}

/* How far the crown of an arch of mean radius 1 sinks in two seconds. */
static double sinking(int n, double thickness, int steps) {
    ScreeWorldDef def = rig_def(2, 4e-3, rig_vec(0, -9.81, 0));
    def.solver.tolerance = 1e-9;
    def.solver.iterations = 5000;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.9);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    double start = 0;
    for (int k = 0; k < n; k++) {
        ScreeVec3 corner[4];
        voussoir(k, n, thickness, corner);
        int32_t body = rig_add_polygon(world, corner, 4);
        start = k == n / 2 ? scree_world_get_bodies(world).position[body].y : start;
    }
    for (int i = 0; i < steps; i++) {
        rig_step(world);
    }
    double sunk = start - scree_world_get_bodies(world).position[n / 2].y;
    scree_world_destroy(world);
    return sunk;
}

static void arch_stands_or_falls(void) {
    const int n = 16;
    double critical = critical_thickness(n);
    CHECK(fabs(sinking(n, 1.02 * critical, 500)) < 1e-4);
    CHECK(sinking(n, 0.98 * critical, 500) > 0.1);
}

int main(int argc, char **argv) {
    if (CHECK_STRIDE == 1) { /* arithmetic of this file alone */
        CHECK_RUN(many_voussoirs_need_the_known_thickness);
    }
    CHECK_RUN(arch_stands_or_falls);
    return check_result();
}
