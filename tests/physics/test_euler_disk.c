/* The Euler disk: a coin that leans and rolls around on its rim while its centre stays where it is.
 *
 * Let n be its axis, d the direction from its centre down to the rim, both unit vectors, a the radius, h the
 * thickness, and alpha the angle between its face and the floor. The rim touches at r = a d - h/2 n from the
 * centre. Without slip, and with the centre at rest, the spin is along r. All turns about the vertical z at
 * the rate W: the part of the spin along d, which n cannot give, is W z.d = -W sin(alpha), and so
 *
 *     L = -W sin(alpha) / a (I1 a d - I3 h/2 n),
 *
 * with I1 = m (a^2 / 4 + h^2 / 12) across and I3 = m a^2 / 2 along the axis. The floor bears the weight, with no
 * friction, and W z x L = r x m g z gives
 *
 *     W^2 = m g a (a cos(alpha) - h/2 sin(alpha)) / (sin(alpha) (I1 a cos(alpha) - I3 h/2 sin(alpha))),
 *
 * which is 4 g / (a sin(alpha)) for a thin disk (Moffatt 2000). */
#include "physics/smooth_rig.h"

static const double g = 10, radius = 0.1, thickness = 0.01;

static double turning_rate(double alpha) {
    const double a = radius, b = 0.5 * thickness, s = sin(alpha), c = cos(alpha);
    const double across = a * a / 4 + thickness * thickness / 12, along = a * a / 2;
    return sqrt(g * a * (a * c - b * s) / (s * (across * a * c - along * b * s)));
}

/* A disk in this motion, its lowest point towards x. */
static ScreeWorld *spinning_disk(double alpha, double dt) {
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 0.8);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    const double s = sin(alpha), c = cos(alpha), rate = turning_rate(alpha);
    const ScreeVec3 d = rig_vec(c, 0, -s), n = rig_vec(s, 0, c);
    ScreeBodyDef disk = scree_body_def_default();
    disk.shape = rig_cone(world, radius, radius, thickness, 0);
    disk.position = rig_vec(0, 0, radius * s + 0.5 * thickness * c);
    disk.orientation = rig_rotation(rig_vec(0, 1, 0), alpha);
    disk.spin = rig_scale(-rate * s / radius, rig_add(rig_scale(radius, d), -0.5 * thickness, n));
    rig_add_body(world, &disk);
    return world;
}

static ScreeVec3 axis_of(const ScreeWorld *world) {
    return rig_rotate(scree_world_get_bodies(world).orientation[0], rig_vec(0, 0, 1));
}

/* Two turns, for two inclinations: the rate is the one above, the inclination and the height stay, and so does
 * the centre. What is off is of first order in the time step: from two steps
 * follows what none would have. */
static void a_disk_rolls_around_as_moffatt_has_it(void) {
    const double inclination[2] = {0.5, 0.15};
    for (int k = 0; k < 2; k++) {
        const double alpha = inclination[k], rate = turning_rate(alpha);
        double lean[2], found[2];
        for (int fine = 0; fine < 2; fine++) {
            const double dt = fine == 0 ? 2e-4 : 1e-4;
            ScreeWorld *world = spinning_disk(alpha, dt);
            double turned = 0, last = 0;
            const int steps = (int)(4 * RIG_PI / rate / dt);
            for (int step = 0; step < steps; step++) {
                rig_step(world);
                ScreeVec3 n = axis_of(world);
                double angle = atan2(n.y, n.x), by = angle - last;
                turned += by > RIG_PI ? by - 2 * RIG_PI : by < -RIG_PI ? by + 2 * RIG_PI : by;
                last = angle;
            }
            ScreeVec3 n = axis_of(world), x = scree_world_get_bodies(world).position[0];
            lean[fine] = acos(n.z);
            found[fine] = fabs(turned) / (steps * dt) / rate;
            CHECK_NEAR(found[fine], 1, 0.01);
            CHECK_CLOSE(lean[fine], alpha, 0.02);
            CHECK(hypot(x.x, x.y) < 0.03 * radius);
            scree_world_destroy(world);
        }
        CHECK_NEAR(2 * found[1] - found[0], 1, 2e-4);
        CHECK_CLOSE(2 * lean[1] - lean[0], alpha, 2e-4);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(a_disk_rolls_around_as_moffatt_has_it);
    return check_result();
}
