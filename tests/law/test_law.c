/* The contact frame, the projection on the cone and the natural map. */
#include "check.h"
#include "law/brute.h"

#include "law/coulomb.h"
#include "law/natural_map.h"

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_frame(const double n[3]) {
    double t1[3];
    double t2[3];
    law_frame3(n, t1, t2);
    CHECK_NEAR(dot(t1, t1), 1.0, 1e-15);
    CHECK_NEAR(dot(t2, t2), 1.0, 1e-15);
    CHECK_NEAR(dot(t1, t2), 0.0, 5e-16);
    CHECK_NEAR(dot(n, t1), 0.0, 5e-16);
    CHECK_NEAR(dot(n, t2), 0.0, 5e-16);
    CHECK_NEAR(n[1] * t1[2] - n[2] * t1[1], t2[0], 5e-16); /* n x t1 = t2 */
    CHECK_NEAR(n[2] * t1[0] - n[0] * t1[2], t2[1], 5e-16);
    CHECK_NEAR(n[0] * t1[1] - n[1] * t1[0], t2[2], 5e-16);
}

static void frames_are_orthonormal_and_right_handed(void) {
    Random random = {22};
    for (int i = 0; i < 20000; i++) {
        double n[3];
        double length;
        do {
            for (int j = 0; j < 3; j++) {
                n[j] = random_between(&random, -1.0, 1.0);
            }
            n[i % 3] *= i % 5 == 0 ? 1e-12 : 1.0;
            length = sqrt(dot(n, n));
        } while (length < 0.1 || length > 1.0);
        for (int j = 0; j < 3; j++) {
            n[j] /= length;
        }
        check_frame(n);
        /* In the plane: the normal turned by a quarter, and the axis. */
        double flat = hypot(n[0], n[1]);
        const double plane[3] = {n[0] / flat, n[1] / flat, 0.0};
        double t1[3];
        double t2[3];
        law_frame3(plane, t1, t2);
        CHECK_NEAR(t1[0], -plane[1], 0.0);
        CHECK_NEAR(t1[1], plane[0], 5e-16);
        CHECK(t1[2] == 0.0 && t2[0] == 0.0 && t2[1] == 0.0 && t2[2] == 1.0);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double n[3] = {0.0, 0.0, 0.0};
            n[axis] = sign;
            check_frame(n);
        }
    }
    const double negative_zero[3] = {-0.0, 1.0, -0.0};
    const double positive_zero[3] = {0.0, 1.0, 0.0};
    double a[6];
    double b[6];
    law_frame3(negative_zero, &a[0], &a[3]);
    law_frame3(positive_zero, &b[0], &b[3]);
    for (int i = 0; i < 6; i++) {
        CHECK(a[i] == b[i]); /* the sign of a zero is no difference */
    }
}

static double random_mu(Random *random) {
    double pick = random_unit(random);
    return pick < 0.1   ? 0.0
           : pick < 0.2 ? pow(10.0, random_between(random, -12.0, 12.0))
                        : random_between(random, 0.0, 5.0);
}

/* Moreau: x = y + z with y in the cone, z in its polar, y.z = 0. These three determine y. */
static void projection_has_its_defining_properties(void) {
    Random random = {23};
    int inside = 0;
    int polar = 0;
    for (int i = 0; i < 50000; i++) {
        double mu = random_mu(&random);
        double x[2][3];
        double y[2][3];
        double again[3];
        for (int j = 0; j < 2; j++) {
            double length = pow(10.0, random_between(&random, -1.0, 1.0));
            for (int c = 0; c < 3; c++) {
                x[j][c] = length * random_between(&random, -1.0, 1.0);
            }
            law_cone_project3(mu, x[j], y[j]);
        }
        double z[3] = {x[0][0] - y[0][0], x[0][1] - y[0][1], x[0][2] - y[0][2]};
        double scale = sqrt(dot(x[0], x[0]));
        double edge = 4e-16 * scale * (1.0 + mu);
        CHECK(y[0][0] >= 0.0 && hypot(y[0][1], y[0][2]) <= mu * y[0][0] + edge);
        CHECK(mu * hypot(z[1], z[2]) <= -z[0] + edge);
        CHECK_NEAR(dot(y[0], z), 0.0, 1e-15 * scale * scale);
        law_cone_project3(mu, y[0], again);
        double a[3] = {again[0] - y[0][0], again[1] - y[0][1], again[2] - y[0][2]};
        CHECK(sqrt(dot(a, a)) <= 1e-15 * scale);
        double dx[3] = {x[0][0] - x[1][0], x[0][1] - x[1][1], x[0][2] - x[1][2]};
        double dy[3] = {y[0][0] - y[1][0], y[0][1] - y[1][1], y[0][2] - y[1][2]};
        CHECK(dot(dy, dy) <= dot(dx, dx) * (1.0 + 1e-14));
        const double flat[3] = {x[0][0], x[0][1], 0.0};
        double y2[2];
        law_cone_project2(mu, flat, y2);
        law_cone_project3(mu, flat, again);
        CHECK_NEAR(y2[0], again[0], 1e-15 * scale);
        CHECK_NEAR(y2[1], again[1], 1e-15 * scale);
        inside += dot(z, z) == 0.0;
        polar += dot(y[0], y[0]) == 0.0;
    }
    CHECK(inside > 2000 && polar > 2000);
    const double far[3] = {-1.0, 1e200, 1e200};
    double y[3];
    law_cone_project3(1e250, far, y);
    CHECK_CLOSE(y[1], 1e200, 1e-15);
    CHECK(y[0] >= 0.0 && y[0] < 1e-40);
}

static double natural_error(double mu, double rho, const double r[3], const double u[3]) {
    const RealVec3 rt = {0.0, r[1], r[2]};
    const RealVec3 ut = {0.0, u[1], u[2]};
    double square = u[1] * u[1] + u[2] * u[2];
    return sqrt(law_natural_square(mu, rho, r[0], rt, u[0] + mu * sqrt(square), ut, square));
}

static void natural_map_vanishes_only_at_solutions(void) {
    Random random = {24};
    int count[3] = {0, 0, 0};
    for (int i = 0; i < 30000; i++) {
        Problem3 k = random_problem(&random, 0.2, 0.1, 3.0);
        double rho = pow(10.0, random_between(&random, -1.0, 1.0)) / k.W[0];
        double r[3];
        double u[3];
        double parts[3];
        LawState state = law_coulomb_block3(k.W, k.q, k.mu, r);
        velocity(&k, r, u, parts);
        double e = natural_error(k.mu, rho, r, u);
        double scale = sqrt(dot(r, r)) + rho * (1.0 + k.mu) * sqrt(dot(parts, parts));
        CHECK(e <= 1e-14 * scale);
        count[state]++;
        /* Any other impulse in the cone is no solution: these blocks have only one. */
        double unit = -k.q[0] / k.W[0];
        if (state == LAW_OPEN) {
            unit = -unit;
        }
        double length = unit * pow(10.0, random_between(&random, -5.0, 0.0));
        double angle = random_between(&random, 0.0, 6.3);
        double slope = random_unit(&random);
        double other[3] = {r[0] + length, r[1] + k.mu * slope * length * cos(angle),
                           r[2] + k.mu * slope * length * sin(angle)};
        velocity(&k, other, u, parts);
        CHECK(natural_error(k.mu, rho, other, u) >= 1e-3 * length);
    }
    CHECK(count[LAW_OPEN] > 1000 && count[LAW_STICK] > 1000 && count[LAW_SLIP] > 1000);
}

/* The shortcuts without a root against the definition r - P(r - rho (u + mu |u_t| n)). */
static void natural_map_is_what_its_definition_says(void) {
    Random random = {25};
    for (int i = 0; i < 20000; i++) {
        double mu = random_mu(&random);
        double r[3];
        double u[3];
        double x[3];
        double y[3];
        double size = 0.0;
        for (int j = 0; j < 3; j++) {
            r[j] = random_between(&random, j == 0 ? 0.0 : -1.0, 1.0);
            u[j] = random_between(&random, -1.0, 1.0);
        }
        for (int j = 0; j < 3; j++) {
            x[j] = r[j] - 0.7 * (u[j] + (j == 0 ? mu * hypot(u[1], u[2]) : 0.0));
            size += fabs(r[j]) + fabs(x[j]);
        }
        law_cone_project3(mu, x, y);
        const double e[3] = {r[0] - y[0], r[1] - y[1], r[2] - y[2]};
        CHECK_NEAR(natural_error(mu, 0.7, r, u), sqrt(dot(e, e)), 1e-15 * size);
    }
}

/* Friction with a known bound, by hand: nothing is left where v is zero, or opposes a z that is at
 * the bound; v itself where z can still do more against it. */
static void disk_error_by_hand(void) {
    const RealVec3 z = {3.0, 4.0, 0.0};
    const RealVec3 still = {0.0, 0.0, 0.0};
    const RealVec3 opposite = {-0.75, -1.0, 0.0};
    const RealVec3 along = {1.5, 2.0, 0.0};
    RealVec3 e = law_disk_error(z, still, 6.0);
    CHECK(e.x == 0.0 && e.y == 0.0 && e.z == 0.0);
    e = law_disk_error(z, opposite, 5.0);
    CHECK_NEAR(e.x, 0.0, 1e-15);
    CHECK_NEAR(e.y, 0.0, 1e-15);
    e = law_disk_error(z, along, 5.0);
    CHECK(e.x == 1.5 && e.y == 2.0 && e.z == 0.0);
    e = law_disk_error(z, still, 2.5); /* twice as long as the bound */
    CHECK_CLOSE(e.x, 1.5, 1e-15);
    CHECK_CLOSE(e.y, 2.0, 1e-15);
    e = law_disk_error(z, still, 0.0);
    CHECK(e.x == 3.0 && e.y == 4.0 && e.z == 0.0);
}

int main(int argc, char **argv) {
    CHECK_RUN(frames_are_orthonormal_and_right_handed);
    CHECK_RUN(projection_has_its_defining_properties);
    CHECK_RUN(natural_map_vanishes_only_at_solutions);
    CHECK_RUN(natural_map_is_what_its_definition_says);
    CHECK_RUN(disk_error_by_hand);
    return check_result();
}
