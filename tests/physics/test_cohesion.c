/* Cohesion with a range (BUW 1.8). A bond holds with at most F_C; work done against it wears it
 * out, and it breaks when that work reaches F_C d_C. While the contact stands open the loss is not
 * given back: the bond does not pull it closed. Pushed closed, it is as new.
 *
 * Work is counted with the mean velocity of a step, with which the kinetic energy changes by
 * exactly R (u + u') / 2, so whether a kick escapes cannot depend on the time step. */
#include "smooth_rig.h"

static const double force_c = 7, range = 0.013;

static ScreeLaw cohesive_law(void) {
    ScreeLaw law = scree_law_default();
    law.cohesion = force_c;
    law.cohesion_range = range;
    return law;
}

/* Two balls pressed together and let go: bonded, at rest. */
static RigPair bonded_pair(const RigPairDef *d) {
    RigPair p = rig_pair(d);
    const ScreeVec3 none = rig_vec(0, 0, 0);
    rig_press(&p, 1);
    rig_step(p.world);
    rig_step(p.world);
    rig_press(&p, 0);
    rig_set_motion(p.world, p.a, none, none);
    rig_set_motion(p.world, p.b, none, none);
    ScreeReport report = rig_step(p.world);
    CHECK(report.bonds == 1);
    CHECK_NEAR(rig_extra(p.world, p.a, p.b).opening, 0, 1e-14);
    CHECK_NEAR(rig_pair_gap(&p), 0, 1e-12);
    return p;
}

/* Adds a relative velocity along the normal, without net momentum. */
static void kick(const RigPair *p, double speed) {
    ScreeBodyView v = scree_world_get_bodies(p->world);
    double part_a = p->reduced / v.mass[p->a], part_b = p->reduced / v.mass[p->b];
    ScreeVec3 va = rig_add(v.velocity[p->a], -speed * part_a, p->n),
              vb = rig_add(v.velocity[p->b], speed * part_b, p->n);
    rig_set_motion(p->world, p->a, va, v.spin[p->a]);
    rig_set_motion(p->world, p->b, vb, v.spin[p->b]);
}

/* Steps until nothing more happens to the bond, and sums what it took. */
static double run_bond(const RigPair *p, int steps, double energy) {
    const double dt = scree_world_get_def(p->world).time_step;
    double lost = 0;
    for (int n = 0; n < steps; n++) {
        ScreeVec3 momentum = rig_momentum(p->world);
        ScreeReport report = rig_step(p->world);
        CHECK_VEC(rig_momentum(p->world), momentum, 1e-13);
        CHECK(rig_contact(p->world, p->a, p->b).normal_impulse >= -force_c * dt * (1 + 1e-14));
        CHECK(rig_pair_speed(p) >= -1e-12); /* never pulled back */
        CHECK_ENERGY(report, energy);
        CHECK_NEAR(report.dissipation_normal, 0, 1e-12 * energy);
        lost += report.dissipation_cohesion;
    }
    return lost;
}

/* ---------------------------------------------------------------- kicks
 *
 * m* V^2 / 2 > F_C d_C escapes, with what is left over. Otherwise the pair stops, after the steps
 * at u_k = V - k F_C dt / m*, each of which moves it by u_k dt, with the opening E / F_C. */
static void run_kick(const RigPairDef *def, double excess, double steps_to_stop) {
    RigPairDef d = *def;
    double reduced = 1 / (1 / d.mass_a + 1 / d.mass_b), bond = force_c * range;
    double V = sqrt(2 * bond / reduced) * (1 + excess), energy = 0.5 * reduced * V * V;
    double dt = reduced * V / force_c / steps_to_stop;
    d.world.time_step = dt;
    RigPair p = bonded_pair(&d);
    kick(&p, V);
    double lost = run_bond(&p, (int)(2 * steps_to_stop) + 5, energy);
    double speed = rig_pair_speed(&p);
    if (excess > 0) {
        CHECK_NEAR(0.5 * reduced * speed * speed, energy - bond, 1e-11 * bond);
        CHECK(speed > 0);
        CHECK_CLOSE(lost, bond, 1e-11);
        CHECK(rig_extra(p.world, p.a, p.b).opening < 0);
        CHECK(rig_step(p.world).bonds == 0);
        CHECK_NEAR(rig_pair_speed(&p), speed, 1e-14); /* free now */
    } else {
        double gap = 0, u = V - force_c * dt / reduced;
        for (; u > 0; u -= force_c * dt / reduced) {
            gap += u * dt;
        }
        CHECK_NEAR(speed, 0, 1e-12 * V);
        CHECK_NEAR(rig_pair_gap(&p), gap, 1e-10 * range);
        CHECK_CLOSE(lost, energy, 1e-11);
        CHECK_CLOSE(rig_extra(p.world, p.a, p.b).opening, energy / force_c, 1e-10);
        ScreeReport report = rig_step(p.world);
        CHECK(report.bonds == 1);
        CHECK_NEAR(rig_contact(p.world, p.a, p.b).normal_impulse, 0, 1e-12 * force_c * dt);
    }
    scree_world_destroy(p.world);
}

static void kicks_break_the_bond_by_energy(void) {
    static const double excess[] = {-1e-6, 1e-6, -1e-3, 1e-3, -0.4, 0.5};
    static const double steps[] = {733.3, 73.7, 7.6, 1.9, 0.73};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 5; j++) {
                RigPairDef d = rig_pair_def(dimension, 1, (i + j) % RIG_FRAMES);
                d.law = cohesive_law();
                d.swapped = j % 2 == 1;
                d.mass_b = j == 2 ? 0.01 : 3;
                run_kick(&d, excess[i], steps[j]);
            }
        }
    }
}

/* Two kicks of 0.6 of the bond energy break it at any time step, with 0.2 left over, provided that
 * it was not closed between them. */
static void work_of_two_kicks_adds_up(void) {
    static const double steps[] = {500.5, 20.3, 3.3, 0.6};
    const double bond = force_c * range;
    for (int i = 0; i < 4; i++) {
        RigPairDef d = rig_pair_def(i % 2 + 2, 1, i);
        d.law = cohesive_law();
        d.swapped = i % 2 == 0;
        double reduced = 1 / (1 / d.mass_a + 1 / d.mass_b), V = sqrt(1.2 * bond / reduced);
        d.world.time_step = reduced * V / force_c / steps[i];
        RigPair p = bonded_pair(&d);
        kick(&p, V);
        run_bond(&p, (int)steps[i] + 5, bond);
        CHECK_CLOSE(rig_extra(p.world, p.a, p.b).opening, 0.6 * range, 1e-10);
        kick(&p, V);
        double lost = run_bond(&p, (int)steps[i] + 5, bond);
        double speed = rig_pair_speed(&p);
        CHECK_CLOSE(lost, 0.4 * bond, 1e-10);
        CHECK_CLOSE(0.5 * reduced * speed * speed, 0.2 * bond, 1e-10);
        CHECK(rig_step(p.world).bonds == 0);
        scree_world_destroy(p.world);
    }
}

/* Pushed closed in between, the bond holds the second kick too. Meanwhile nothing acts but the
 * push, and the opening shrinks by as much as the contact closes. */
static void closing_renews_the_bond(void) {
    const double bond = force_c * range, push = 3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigPairDef d = rig_pair_def(dimension, 1, dimension);
        d.law = cohesive_law();
        double reduced = 1 / (1 / d.mass_a + 1 / d.mass_b), V = sqrt(1.2 * bond / reduced);
        double dt = d.world.time_step = reduced * V / force_c / 50.5;
        RigPair p = bonded_pair(&d);
        kick(&p, V);
        run_bond(&p, 60, bond);
        double gap = rig_pair_gap(&p), speed = 0, ahead = 0.6 * range - gap;
        rig_press(&p, push);
        while (gap > push / reduced * dt * dt + fabs(speed) * dt) {
            rig_step(p.world);
            speed -= push / reduced * dt;
            gap += speed * dt;
            CHECK_CLOSE(rig_pair_speed(&p), speed, 1e-10);
            CHECK_NEAR(rig_pair_gap(&p), gap, 1e-12 * range);
            CHECK_NEAR(rig_contact(p.world, p.a, p.b).normal_impulse, 0, 1e-14);
            CHECK_NEAR(rig_extra(p.world, p.a, p.b).opening, gap + ahead, 1e-10 * range);
        }
        for (int n = 0; n < 4; n++) {
            ScreeReport report = rig_step(p.world); /* closes, presses */
            CHECK_ENERGY(report, bond);
        }
        CHECK_NEAR(rig_pair_gap(&p), 0, 1e-13);
        CHECK_NEAR(rig_extra(p.world, p.a, p.b).opening, 0, 1e-13);
        rig_press(&p, 0);
        kick(&p, V);
        double lost = run_bond(&p, 60, bond);
        CHECK_CLOSE(lost, 0.6 * bond, 1e-9);
        CHECK(rig_step(p.world).bonds == 1);
        scree_world_destroy(p.world);
    }
}

/* ---------------------------------------------------------------- pulls
 *
 * F <= F_C moves nothing. F > F_C: the mean velocity of a constant acceleration gives the opening
 * (F - F_C) t^2 / (2 m*) at the end of every step, so the bond breaks in step ceil(t_c / dt), t_c =
 * sqrt(2 d_C m* / (F - F_C)). */
static void run_pull(const RigPairDef *def, double part, double steps_to_break) {
    RigPairDef d = *def;
    double F = part * force_c, reduced = 1 / (1 / d.mass_a + 1 / d.mass_b), bond = force_c * range;
    double time = part > 1 ? sqrt(2 * range * reduced / (F - force_c)) : sqrt(range * reduced / F);
    double dt = d.world.time_step = time / steps_to_break;
    RigPair p = bonded_pair(&d);
    rig_press(&p, -F);
    int last = part > 1 ? (int)ceil(steps_to_break) : 50;
    double lost = 0, worked = 0;
    for (int n = 1; n <= last + 5; n++) {
        ScreeReport report = rig_step(p.world);
        CHECK_ENERGY(report, bond + report.kinetic_energy);
        lost += report.dissipation_cohesion;
        worked += report.work_external - report.dissipation_scheme;
        double R = rig_contact(p.world, p.a, p.b).normal_impulse;
        if (part <= 1) {
            CHECK_NEAR(rig_pair_speed(&p), 0, 1e-12 * F * dt / reduced);
            CHECK_CLOSE(R, -F * dt, 1e-11);
            CHECK(report.bonds == 1);
        } else if (n < last) {
            CHECK_CLOSE(rig_pair_speed(&p), (F - force_c) / reduced * n * dt, 1e-10);
            CHECK_CLOSE(R, -force_c * dt, 1e-12);
            CHECK(report.bonds == 1);
        } else {
            CHECK(n == last ? R <= 0 && R > -force_c * dt : R == 0);
            CHECK(report.bonds == 0);
        }
    }
    double u = rig_pair_speed(&p);
    CHECK_NEAR(lost, part > 1 ? bond : 0, 1e-10 * bond);
    CHECK_NEAR(0.5 * reduced * u * u, worked - lost, 1e-10 * (worked + bond));
    scree_world_destroy(p.world);
}

static void pulls_break_the_bond_in_time(void) {
    static const double part[] = {0.2, 0.999999, 1, 1.00001, 1.3, 20};
    static const double steps[] = {0.4, 3.5, 41.7, 432.1};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 4; j++) {
                RigPairDef d = rig_pair_def(dimension, 1, (i + j) % RIG_FRAMES);
                d.law = cohesive_law();
                d.swapped = (i + j) % 2 == 1;
                d.mass_a = i == 1 ? 100 : 2;
                run_pull(&d, part[i], steps[j]);
            }
        }
    }
}

/* A weakened bond still holds F_C, and breaks after the remaining work. */
static void weakened_bond_holds_its_force(void) {
    const double bond = force_c * range;
    RigPairDef d = rig_pair_def(3, 1, 1);
    d.law = cohesive_law();
    /* half of the bond's energy */
    double reduced = 1 / (1 / d.mass_a + 1 / d.mass_b), V = sqrt(bond / reduced);
    d.world.time_step = reduced * V / force_c / 77.7;
    RigPair p = bonded_pair(&d);
    kick(&p, V);
    run_bond(&p, 90, bond);
    double gap = rig_pair_gap(&p);
    rig_press(&p, -0.9999 * force_c);
    run_bond(&p, 30, bond);
    CHECK_NEAR(rig_pair_gap(&p), gap, 1e-13);
    rig_press(&p, -1.7 * force_c);
    double time = sqrt(2 * 0.5 * range * reduced / (0.7 * force_c));
    int last = (int)ceil(time / d.world.time_step);
    for (int n = 1; n <= last; n++) {
        CHECK(rig_step(p.world).bonds == (n < last));
    }
    scree_world_destroy(p.world);
}

/* ---------------------------------------------------------------- in a row
 *
 * Three bonded balls in a row; the last, or the last two, are kicked away. The bond that opens
 * carries F_C and the other one less, so that it holds and two balls move as one: the reduced mass
 * is that of one ball against two. From it follows whether the bond breaks, at any time step. */
static void run_row(int dimension, int kicked, double excess, double steps) {
    const double m[3] = {1, 2, 1.5}, bond = force_c * range;
    double moved = kicked == 1 ? m[2] : m[1] + m[2], rest = m[0] + m[1] + m[2] - moved;
    double reduced = moved * rest / (moved + rest), V = sqrt(2 * bond / reduced) * (1 + excess);
    ScreeWorldDef def = rig_def(dimension, reduced * V / force_c / steps, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = cohesive_law();
    rig_law(world, &law);
    for (int i = 0; i < 3; i++) {
        rig_add_ball(world, rig_vec(i, 0, 0), 0.5, m[i]);
    }
    CHECK(rig_step(world).bonds == 2); /* they touch: bonded */
    for (int i = 3 - kicked; i < 3; i++) {
        rig_set_motion(world, i, rig_vec(V, 0, 0), rig_vec(0, 0, 0));
    }
    double lost = 0;
    ScreeReport report = rig_step(world);
    for (int n = 0; n < 2 * steps + 5; n++) {
        CHECK_ENERGY(report, bond);
        lost += report.dissipation_cohesion;
        report = rig_step(world);
    }
    CHECK(report.bonds == (excess > 0 ? 1 : 2));
    CHECK(excess > 0 || fabs(lost - (1 + excess) * (1 + excess) * bond) < 1e-9 * bond);
    CHECK(excess < 0 || lost >= bond * (1 - 1e-9));
    if (excess > 0 && steps > 500) { /* the last step is predicted without the third ball */
        CHECK_CLOSE(lost, bond, 1e-5);
    }
    scree_world_destroy(world);
}

static void kicked_row_breaks_at_one_bond(void) {
    static const double excess[] = {-1e-4, 1e-4, -0.1, 0.1}, steps[] = {700.3, 60.7, 7.6, 1.3, 0.6};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 5; j++) {
                run_row(dimension, 1, excess[i], steps[j]);
                run_row(dimension, 2, excess[i], steps[j]);
            }
        }
    }
}

/* ---------------------------------------------------------------- making a bond */

/* Balls that have not touched do not feel each other, however near they are; a hit bonds them;
 * after a break they are strangers again. */
static void bonds_are_made_by_touch(void) {
    const double dt = 1e-4, bond = force_c * range;
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigPairDef d = rig_pair_def(dimension, dt, 2);
        d.law = cohesive_law();
        d.gap = 0.3 * range;
        RigPair p = rig_pair(&d);
        ScreeReport report = rig_step(p.world);
        CHECK(report.bonds == 0);
        kick(&p, 0.01);
        for (int n = 0; n < 20; n++) {
            CHECK(rig_step(p.world).bonds == 0);
        }
        CHECK_CLOSE(rig_pair_speed(&p), 0.01, 1e-12);
        kick(&p, -1.01);
        for (int n = 0; n < 100; n++) {
            report = rig_step(p.world); /* hits, sticks */
        }
        CHECK(report.bonds == 1);
        CHECK_NEAR(rig_pair_speed(&p), 0, 1e-13);
        CHECK_NEAR(rig_pair_gap(&p), 0, 1e-13);
        double V = sqrt(2.0001 * bond / p.reduced);
        kick(&p, V);
        for (int n = 0; n < 100000 && rig_step(p.world).bonds == 1;) {
            n++;
        }
        double speed = rig_pair_speed(&p);
        CHECK_CLOSE(0.5 * p.reduced * speed * speed, 0.00005 * bond, 1e-7);
        kick(&p, -2 * speed);
        double gap = rig_pair_gap(&p);
        for (int n = 0; n < (int)(0.5 * gap / (speed * dt)); n++) {
            CHECK(rig_step(p.world).bonds == 0);
            CHECK_CLOSE(rig_pair_speed(&p), -speed, 1e-12);
        }
        scree_world_destroy(p.world);
    }
}

static void restarted_bonds_go_on_bit_for_bit(void) {
    for (int i = 0; i < 2; i++) {
        RigPairDef d = rig_pair_def(2 + i, 1e-3, 1);
        d.law = cohesive_law();
        d.law.friction = 0.3;
        RigPair p = bonded_pair(&d);
        kick(&p, sqrt(2.2 * force_c * range / p.reduced)); /* escapes */
        for (int n = 0; n < 20; n++) {
            rig_step(p.world);
        }
        double opening = rig_extra(p.world, p.a, p.b).opening;
        CHECK(opening > 0.1 * range && opening < 0.9 * range);
        CHECK(rig_restarts(p.world, 100));
        CHECK(rig_step(p.world).bonds == 0);
        scree_world_destroy(p.world);
    }
}

/* Two balls that touch go round each other as one, faster and faster up to what their bond can bear, m w^2 r = F_C:
 * they stay together for ever, at rest to each other, however long the step is, and lose no energy. Faster, they
 * fly apart. Ellipsoids of three equal axes likewise. */
static void pairs_that_go_round_hold_or_part(void) {
    static const double load[] = {0.3, 0.7, 0.95, 1.1}, step[] = {0.02, 2e-3};
    const double m = 2, r = 0.5;
    for (int n = 0; n < 16; n++) {
        const bool shaped = n % 2, holds = load[n / 4] < 1;
        const double w = sqrt(load[n / 4] * force_c / (m * r)), dt = step[n / 2 % 2] / w;
        ScreeWorldDef def = rig_def(3, dt, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = cohesive_law();
        law.cohesion_range = 1e-3 * r;
        law.friction = 1;
        rig_law(world, &law);
        const ScreeShapeId ellipsoid =
            shaped ? rig_ellipsoid(world, 2 * r, 2 * r, 2 * r) : SCREE_NO_SHAPE;
        for (int side = -1; side <= 1; side += 2) {
            ScreeBodyDef ball = rig_ball(rig_vec(side * r, 0, 0), r, m);
            ball.shape = ellipsoid;
            ball.velocity = rig_vec(0, side * w * r, 0);
            ball.spin = rig_vec(0, 0, w);
            rig_add_body(world, &ball);
        }
        int bonds = 1;
        double energy = 0, first = 0, apart = 0;
        for (int k = 0; k < (int)(30 / (w * dt)) && bonds == 1; k++) {
            ScreeReport report = rig_step(world);
            ScreeBodyView b = scree_world_get_bodies(world);
            bonds = (int)report.bonds;
            energy = report.kinetic_energy;
            first = k == 0 ? energy : first;
            apart = rig_length(rig_sub(b.position[1], b.position[0])) - 2 * r;
            CHECK(report.converged == 1);
        }
        CHECK(bonds == holds);
        const double small = 30 * pow(w * dt, 3); /* 30 radians, by errors of third order */
        CHECK(!holds || fabs(energy / first - 1) < small);
        CHECK(!holds || fabs(apart) < r * small);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(pairs_that_go_round_hold_or_part);
    CHECK_RUN(kicks_break_the_bond_by_energy);
    CHECK_RUN(work_of_two_kicks_adds_up);
    CHECK_RUN(closing_renews_the_bond);
    CHECK_RUN(pulls_break_the_bond_in_time);
    CHECK_RUN(weakened_bond_holds_its_force);
    CHECK_RUN(kicked_row_breaks_at_one_bond);
    CHECK_RUN(bonds_are_made_by_touch);
    CHECK_RUN(restarted_bonds_go_on_bit_for_bit);
    return check_result();
}
