/* A row of dominoes in space against the theory of the wave (van Leeuwen, Am. J. Phys. 78 (2010) 721,
 * without friction between dominoes): each turns about its foot, and all that have been struck lean
 * on the one ahead. Between two impacts energy is kept; an impact without bounce keeps what the new
 * constraints leave free of the momentum. */
#include "physics/solid_rig.h"

static const double g = 9.81, height = 1, thick = 0.15, gap = 0.35;

enum { ROW = 12, POINTS = 200 };

/* The angles of `count` dominoes from the vertical, the foremost first, and how fast they turn
 * relative to it: the upper edge of one lies on the back of the next, at the pitch P,
 * h sin(a_k+1 - a_k) = P cos a_k - t. */
static void lean(double head, int count, double *angle, double *rate) {
    double pitch = gap + thick;
    angle[0] = head;
    rate[0] = 1;
    for (int k = 0; k + 1 < count; k++) {
        double x = (pitch * cos(angle[k]) - thick) / height;
        angle[k + 1] = angle[k] + asin(x);
        rate[k + 1] = rate[k] * (1 - pitch * sin(angle[k]) / (height * sqrt(1 - x * x)));
    }
}

/* Of the row over a mass: what turning costs, and the height of the centres. */
static double inertia_of(const double *rate, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += rate[k] * rate[k] * (height * height + thick * thick) / 3;
    }
    return sum;
}
static double potential_of(const double *angle, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += g * 0.5 * (height * cos(angle[k]) + thick * sin(angle[k]));
    }
    return sum;
}

static double head_spin(double energy, double head, int count) {
    double angle[ROW], rate[ROW];
    lean(head, count, angle, rate);
    return sqrt(2 * (energy - potential_of(angle, count)) / inertia_of(rate, count));
}

/* When each of them is struck. */
static void times_by_theory(double spin, double *time) {
    const double strikes = asin(gap / height);
    double angle[ROW], rate[ROW];
    time[0] = 0;
    for (int count = 1; count < ROW; count++) {
        lean(0, count, angle, rate);
        double energy = 0.5 * inertia_of(rate, count) * spin * spin + potential_of(angle, count);
        time[count] = time[count - 1];
        for (int k = 0; k < POINTS; k++) { /* by the middles of short intervals */
            double step = strikes / POINTS;
            time[count] += step / head_spin(energy, (k + 0.5) * step, count);
        }
        double before = head_spin(energy, strikes, count), kept = 0, all = 0, old[ROW];
        lean(strikes, count, angle, old);
        lean(0, count + 1, angle, rate);
        for (int k = 0; k <= count; k++) {
            kept += k > 0 ? rate[k] * old[k - 1] * before : 0;
            all += rate[k] * rate[k];
        }
        spin = kept / all;
    }
}

static void the_wave_has_its_speed(void) {
    const double dt = 5e-4, spin = 1.5, pitch = gap + thick;
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = dt;
    def.gravity = rig_vec(0, 0, -g);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    ScreeWallDef floor = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    floor.material.index = rig_material(world, 20); /* feet do not slip */
    ScreeLaw grip = scree_law_default();
    grip.friction = 20;
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, floor.material, &grip), "law");
    rig_add_wall(world, &floor);
    ScreeShapeId shape = rig_box(world, thick, 0.5, height);
    for (int k = 0; k < ROW; k++) {
        ScreeBodyDef body = scree_body_def_default();
        body.shape = shape;
        body.position = rig_vec(pitch * k, 0, height / 2);
        body.spin = rig_vec(0, k == 0 ? spin : 0, 0);
        body.velocity = rig_cross(body.spin, rig_vec(-thick / 2, 0, height / 2));
        rig_add_body(world, &body);
    }
    double expected[ROW], struck[ROW] = {0};
    times_by_theory(spin, expected);
    for (int n = 1; struck[ROW - 1] == 0 && n < 8000; n++) {
        rig_step(world);
        for (int k = 1; k < ROW; k++) {
            bool turns = scree_world_get_bodies(world).spin[k].y > 0.05;
            struck[k] = turns && struck[k] == 0 ? n * dt : struck[k];
        }
    }
    for (int k = 1; k < ROW; k++) { /* within three steps: the scheme is of first order */
        CHECK_NEAR(struck[k], expected[k], 3 * dt);
    }
    double speed = 4 * pitch / (struck[ROW - 1] - struck[ROW - 5]);
    CHECK_CLOSE(speed, 4 * pitch / (expected[ROW - 1] - expected[ROW - 5]), 0.01);
    printf("    %.3f sqrt(g h)\n", speed / sqrt(g * height));
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(the_wave_has_its_speed);
    return check_result();
}
