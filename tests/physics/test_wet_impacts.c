/* Impacts of wet grains with restitution. A pair that brings the energy K = m u^2 / 2 along has e^2 K
 * after its impact, for its motion and for its bridge:
 *
 *     m u'^2 / 2 + U(g') = e^2 K,    U(g) = integral of F from 0 to g   (test_bridges.c)
 *
 * It escapes if e^2 K > U(d) = W, with u'^2 = e^2 u^2 - 2 W / m; else it stays at a gap that it can pay for.
 * Whatever the time step, and however many strike each other, energy does not grow. */
#include "rig.h"

static const double volume = 0.002, tension = 1.7, degrees = 20;

static ScreeLaw wet_law(double restitution) {
    ScreeLaw law = scree_law_default();
    law.bridge_volume = volume;
    law.bridge_tension = tension;
    law.bridge_angle = degrees;
    law.restitution = restitution;
    return law;
}

static double reach(void) {
    return (1 + 0.5 * degrees * RIG_PI / 180) * cbrt(volume);
}

/* Simpson's rule on 2 pi R tension cos(angle) / (1 + 2.1 x + 10 x^2), x = g/2 sqrt(R / V). */
static double work_to(double radius, double gap) {
    const int n = 2000;
    const double end = fmin(fmax(gap, 0), reach());
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        const double x = 0.5 * (end * i / n) * sqrt(radius / volume);
        sum += (i == 0 || i == n ? 1 : 2 + 2 * (i % 2)) / (1 + 2.1 * x + 10 * x * x);
    }
    const double force = 2 * RIG_PI * radius * tension * cos(degrees * RIG_PI / 180);
    return force * sum * end / (3 * n);
}

/* Two balls that are to meet within the first step, from the gap `gap`. */
typedef struct Meeting {
    RigPair pair;
    double mass, radius, kinetic, speed;
} Meeting;

static Meeting meeting(int i, double restitution, double gap, double kinetic, double crossed) {
    RigPairDef def = rig_pair_def(2 + i % 2, 1, i % RIG_FRAMES);
    def.law = wet_law(restitution);
    def.swapped = i % 3 == 1;
    def.gap = gap;
    Meeting m = {.mass = 1 / (1 / def.mass_a + 1 / def.mass_b),
                 .radius = 2 * 0.5 * 0.75 / (0.5 + 0.75),
                 .kinetic = kinetic};
    m.speed = sqrt(2 * kinetic / m.mass);
    def.world.time_step = crossed * gap / m.speed;
    m.pair = rig_pair(&def);
    const ScreeVec3 none = rig_vec(0, 0, 0);
    rig_set_motion(m.pair.world, m.pair.a, rig_scale(m.speed * m.mass / def.mass_a, m.pair.n),
                   none);
    rig_set_motion(m.pair.world, m.pair.b, rig_scale(-m.speed * m.mass / def.mass_b, m.pair.n),
                   none);
    return m;
}

/* The budget is kept to the last digits, whether the pair leaves, stays at the gap where it met, or
 * must close it further. */
static void an_impact_pays_for_its_bridge(void) {
    const double work = work_to(0.6, reach());
    int rising = 0, falling = 0, closed = 0;
    for (int i = 0; i < 240; i++) {
        const double e = 0.3 + 0.7 * (i % 5) / 4, gap = reach() * (0.05 + 0.9 * (i % 7) / 6);
        const double kinetic = work * (0.02 + 0.1 * (i % 11)), crossed = 1.05 + 0.5 * (i % 4);
        Meeting m = meeting(i, e, gap, kinetic, crossed);
        const ScreeReport report = rig_step(m.pair.world);
        const double after = rig_pair_speed(&m.pair), at = rig_pair_gap(&m.pair);
        const double has = 0.5 * m.mass * after * after + work_to(m.radius, at);
        CHECK(report.converged);
        const bool held = at < 0.999999 * reach();
        CHECK_NEAR(report.kinetic_energy + report.energy_elastic + (held ? 0 : work), has,
                   1e-9 * kinetic);
        CHECK(has <= kinetic * (1 + 1e-12));
        CHECK_NEAR(report.energy_error, 0, 1e-12 * kinetic);
        if (at > 1e-9 * gap) { /* what it may have, it has */
            CHECK_NEAR(has, e * e * kinetic, 1e-9 * kinetic);
            rising += after > 0;
            falling += after < 0;
        } else { /* all that is left is the way to its partner */
            CHECK_NEAR(after, -m.speed / crossed, 1e-9 * m.speed);
            closed++;
        }
        double before = has;
        for (int n = 0; n < 40; n++) {
            const ScreeReport next = rig_step(m.pair.world);
            CHECK(next.kinetic_energy + next.energy_elastic <= before + 1e-12 * kinetic);
            before = next.kinetic_energy + next.energy_elastic;
        }
        scree_world_destroy(m.pair.world);
    }
    CHECK(rising > 20 && falling > 20 && closed > 20);
}

/* Drawn beyond d within the step of the impact or in the next ones. Over several steps the pull is that of
 * the gap at the beginning of each, and the error falls with the step. */
static void a_pair_escapes_with_what_is_left(void) {
    const double work = work_to(0.6, reach());
    for (int i = 0; i < 12; i++) {
        const double e = 0.8, gap = 0.01, kinetic = work * (1.2 + 0.4 * (i % 3)) / (e * e);
        const double left = sqrt(2 * (e * e * kinetic - work));
        double error[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            const bool at_once = i < 4;
            const double crossed = at_once ? 60 : k == 0 ? 0.2 : 0.1;
            Meeting m = meeting(i, e, gap, kinetic, crossed);
            for (int n = 0; n < (at_once ? 1 : 800); n++) {
                rig_step(m.pair.world);
            }
            CHECK(rig_pair_gap(&m.pair) > reach());
            error[k] = 1 - rig_pair_speed(&m.pair) * sqrt(m.mass) / left;
            CHECK_NEAR(error[k], 0, at_once ? 1e-10 : 0.06);
            scree_world_destroy(m.pair.world);
        }
        CHECK(i < 4 || (error[1] > 0 && error[1] < 0.6 * error[0]));
    }
}

/* Rows of wet balls, some of which lie across gaps from each other, are run into from both sides. */
static void wet_rows_gain_nothing(void) {
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++) {
        ScreeWorldDef def = rig_def(2 + i % 2, 0.01 + 0.2 * rig_random(&seed), rig_vec(0, 0, 0));
        def.solver.tolerance = 1e-10;
        ScreeWorld *world = rig_create(&def);
        const ScreeLaw law = wet_law(i % 3 == 0 ? 1 : rig_random(&seed));
        rig_law(world, &law);
        double x = 0, before = 0;
        for (int k = 0; k < 5; k++) {
            const double r = 0.5 + 0.5 * rig_random(&seed), mass = 1 + 3 * rig_random(&seed);
            const double speed = (k < 2 ? 1 : -1) * pow(10, -1.5 + 2 * rig_random(&seed));
            x += r + 0.03 * rig_random(&seed);
            const int32_t ball = rig_add_ball(world, rig_vec(x, 0, 0), r, mass);
            rig_set_motion(world, ball, rig_vec(speed, 0, 0), rig_vec(0, 0, 0));
            x += r;
            before += 0.5 * mass * speed * speed;
        }
        const double kinetic = before;
        for (int n = 0; n < 50; n++) {
            const ScreeReport report = rig_step(world);
            const double total = report.kinetic_energy + report.energy_elastic;
            CHECK(total <= before + 1e-7 * kinetic);
            before = total;
        }
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(an_impact_pays_for_its_bridge);
    CHECK_RUN(a_pair_escapes_with_what_is_left);
    CHECK_RUN(wet_rows_gain_nothing);
    return check_result();
}
