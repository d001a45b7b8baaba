/* Bonds between grains: strengths against closed forms, rigid clusters, fragments, restarts. */
#include "bond_rig.h"

/* ---------------------------------------------------------------- strengths */

/* A hanging row of n grains: the k-th bond from above carries n - k weights. Strengths of n - 1/2 weights
 * let the first one break, and no other. In that step it still bears its full strength, so that the row
 * gains the velocity dt g / (2 n), and the loads of all bonds are less by this part of g; from then on
 * it falls freely, without any load. */
static void hanging_row_breaks_at_the_top(void) {
    const double g = 9.81, m = 0.3, r = 0.05, dt = 1e-3;
    const int n = 6;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int weak = 0; weak < 2; weak++) {
            ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), 0.5);
            int32_t fragment[MOST];
            add_row(world, n + 1, rig_vec(0, -1, 0), r, m);
            CHECK(glue(world, strengths((weak ? n - 0.5 : n + 0.5) * m * g, 1e3, 1e3, 1e3)) == 6);
            CHECK(fragments(world, fragment) == 1);
            ScreeReport report = rig_step(world);
            CHECK(report.broken == weak && report.glued == n - weak);
            CHECK(scree_world_get_bonds(world).broken == weak);
            for (int k = weak; k < n; k++) {
                CHECK_CLOSE(load(world, (size_t)(k - weak)), (n - k) / (weak ? n : n + 0.5), 1e-9);
            }
            const double v = weak ? -0.5 * dt * g / n : 0;
            CHECK_NEAR(scree_world_get_bodies(world).velocity[n].y, v, 1e-9);
            for (int k = 0; k < 50; k++) {
                report = rig_step(world);
                CHECK(report.broken == 0 && report.glued == n - weak);
            }
            CHECK(fragments(world, fragment) == (size_t)(1 + weak) && fragment[n] == weak);
            CHECK_NEAR(scree_world_get_bodies(world).velocity[3].y, weak ? v - 50 * dt * g : 0,
                       1e-7);
            CHECK_NEAR(load(world, 0), weak ? 0 : n / (n + 0.5), 1e-7);
            scree_world_destroy(world);
        }
    }
}

/* One grain at the side of a held one: its bond carries the shear m g, and at the contact the moment
 * m g r. Each of them alone is the load where the other strength is large. */
static void overhanging_grain_breaks_by_shear_or_bending(void) {
    const double g = 9.81, m = 0.3, r = 0.05, dt = 1e-3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int bends = 0; bends < 2; bends++) {
            for (int weak = 0; weak < 2; weak++) {
                ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), 0.5);
                const double part = weak ? 0.999 : 1.001;
                add_row(world, 2, rig_vec(1, 0, 0), r, m);
                glue(world, strengths(1e3, bends ? 1e3 : part * m * g,
                                      bends ? part * m * g * r : 1e3, 1e3));
                CHECK(rig_step(world).broken == weak);
                for (int k = 0; k < 20 && !weak; k++) {
                    CHECK_CLOSE(load(world, 0), 1 / part, 1e-9);
                    CHECK(rig_step(world).broken == 0);
                }
                scree_world_destroy(world);
            }
        }
    }
}

/* The moment about the k-th contact of n grains in a row, of the weights and, while the row turns about
 * its first contact with the angular acceleration `turns`, of its inertia. */
static double moment_at(int dimension, int k, int n, double m, double g, double r, double turns) {
    double sum = 0;
    for (int i = k + 1; i <= n; i++) {
        const double lever = (2 * (i - k) - 1) * r, from_end = (2 * i - 1) * r;
        sum += m * lever * (g - turns * from_end) - rig_shape(dimension) * m * r * r * turns;
    }
    return sum;
}

/* A beam of n grains that is held at one end: at the k-th bond n - k grains overhang, whose moment about
 * it is the sum of m g (2 i - 1) r over i = 1 .. n - k: m g r (n - k)^2. If the first bond is too weak by
 * m g r / 2, the beam begins to turn about it. */
static void beam_bends_until_it_breaks_where_it_is_held(void) {
    const double g = 9.81, m = 0.3, r = 0.05, dt = 1e-3;
    const int n = 5;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int weak = 0; weak < 2; weak++) {
            const double strength = (n * n + (weak ? -0.5 : 0.5)) * m * g * r;
            ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, -g, 0));
            def.solver.method = SCREE_METHOD_ACCELERATED; /* which makes no strides */
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.5);
            add_row(world, n + 1, rig_vec(1, 0, 0), r, m);
            glue(world, strengths(1e4, 1e4, strength, 1e4));
            ScreeReport report = rig_step(world);
            const double inertia = -(moment_at(dimension, 0, n, m, 0, r, 1));
            const double turns = weak ? 0.5 * m * g * r / inertia : 0;
            CHECK(report.broken == weak && report.residual < 1e-9);
            CHECK_CLOSE(moment_at(dimension, 0, n, m, g, r, 0), n * n * m * g * r, 1e-12);
            for (int k = weak; k < n; k++) {
                CHECK_CLOSE(load(world, (size_t)(k - weak)),
                            moment_at(dimension, k, n, m, g, r, turns) / strength, 1e-7);
            }
            scree_world_destroy(world);
        }
    }
}

/* A step that does not converge is made in strides: the bond breaks in the first of them, once, and the
 * others know it. Then the beam is free, but for what it has gained of its turn. */
static void bonds_break_once_in_a_step_of_strides(void) {
    const double g = 9.81, m = 0.3, r = 0.05;
    const int n = 5;
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, -g, 0));
    def.solver.iterations = 2; /* too few */
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    add_row(world, n + 1, rig_vec(1, 0, 0), r, m);
    glue(world, strengths(1e4, 1e4, 0.1 * m * g * r, 1e4));
    const ScreeReport report = rig_step(world);
    const ScreeBondView view = scree_world_get_bonds(world);
    CHECK(report.strides > 0 && !report.converged);
    CHECK(report.broken > 0 && report.broken + report.glued == n);
    CHECK(view.broken == report.broken && (int64_t)view.count == report.glued);
    for (size_t i = 0; i < view.count; i++) {
        CHECK(view.bond[i].load < 1);
    }
    scree_world_destroy(world);
}

/* A pair of spheres, one of them held, the other under a force and a torque: all parts of the load at
 * once, for any direction of the bond. Pressed together, the bond bears more. */
static void loads_add_up_as_the_law_has_it(void) {
    const double F = 7, S = 5, B = 0.3, T = 0.2, r = 0.05, dt = 1e-3;
    uint64_t random = 11;
    for (int k = 0; k < 20; k++) {
        ScreeVec3 n = rig_random_vec(&random, 1, 3);
        n = rig_scale(1 / rig_length(n), n);
        const double pull = (k % 2 == 0 ? 0.4 : -0.6) * F;
        ScreeVec3 t = rig_cross(n, rig_random_vec(&random, 1, 3));
        t = rig_scale(1 / rig_length(t), t);
        const double shear = 0.2 * S, bend = 0.3 * B, twist = 0.1 * T;
        ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, 0), 0);
        ScreeBodyDef ball = rig_ball(rig_vec(1, 2, 3), r, 0.4);
        ball.frozen = SCREE_FREEZE_ALL;
        rig_add_body(world, &ball);
        ball = rig_ball(rig_add(ball.position, 2 * r, n), r, 0.4);
        /* the force acts at the centre, so it bends by r as well: the torque takes that back */
        ball.force = rig_add(rig_scale(pull, n), shear, t);
        ball.torque = rig_add(rig_scale(twist, n), bend, t);
        ball.torque = rig_add(ball.torque, -r * shear, rig_cross(n, t));
        rig_add_body(world, &ball);
        glue(world, strengths(F, S, B, T));
        rig_step(world);
        const double bent = bend / B + pull / F, sheared = shear / S + twist / T + pull / F;
        CHECK_CLOSE(load(world, 0), fmax(bent, sheared), 1e-8);
        scree_world_destroy(world);
    }
}

static void pair_breaks_by_torsion(void) {
    const double T = 0.2, r = 0.05;
    for (int weak = 0; weak < 2; weak++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0);
        add_row(world, 1, rig_vec(1, 0, 0), r, 1);
        ScreeBodyDef ball = rig_ball(rig_vec(2 * r, 0, 0), r, 1);
        ball.torque = rig_vec((weak ? 1.001 : 0.999) * T, 0, 0);
        rig_add_body(world, &ball);
        glue(world, strengths(1e3, 1e3, 1e3, T));
        CHECK(rig_step(world).broken == weak);
        CHECK_NEAR(scree_world_get_bodies(world).spin[1].x,
                   weak ? 0.001 * T * 1e-3 / (0.4 * r * r) : 0, 1e-9);
        scree_world_destroy(world);
    }
}

/* Stresses in a section: of a disc F = s pi R^2, S = t pi R^2, B = s pi R^3 / 4, T = t pi R^3 / 2; in the
 * plane F = 2 s R, S = 2 t R, B = 2 s R^2 / 3. */
static void strengths_follow_from_stresses_in_the_neck(void) {
    const double s = 3e4, t = 2e4, R = 0.5 * 0.04;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = rig_world(dimension, 1e-3, rig_vec(0, 0, 0), 0);
        rig_add_ball(world, rig_vec(0, 0, 0), 0.06, 1);
        rig_add_ball(world, rig_vec(0.1, 0, 0), 0.04, 1);
        ScreeBondDef def = scree_bond_def_default();
        def.tension_stress = s;
        def.shear_stress = t;
        def.neck = 0.5;
        glue(world, def);
        const ScreeBond *bond = scree_world_get_bonds(world).bond;
        const bool space = dimension == 3;
        CHECK_CLOSE(bond->tension, space ? s * RIG_PI * R * R : 2 * s * R, 1e-14);
        CHECK_CLOSE(bond->shear, space ? t * RIG_PI * R * R : 2 * t * R, 1e-14);
        CHECK_CLOSE(bond->bending, space ? s * RIG_PI * R * R * R / 4 : 2 * s * R * R / 3, 1e-14);
        if (space) {
            CHECK_CLOSE(bond->torsion, t * RIG_PI * R * R * R / 2, 1e-14);
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- rigid clusters */

/* A chain of touching balls of various sizes, each at a random side of one before it, and not
 * in any other. */
static void add_cluster(ScreeWorld *world, int dimension, int grains, uint64_t *random) {
    ScreeVec3 at[MOST];
    double radius[MOST];
    for (int i = 0; i < grains;) {
        radius[i] = 0.03 + 0.03 * rig_random(random);
        at[i] = rig_vec(0, 0, 0);
        bool free = true;
        if (i > 0) {
            const int to = (int)(rig_random(random) * i);
            ScreeVec3 n = rig_random_vec(random, 1, dimension);
            n = rig_scale(1 / rig_length(n), n);
            at[i] = rig_add(at[to], radius[to] + radius[i], n);
            for (int k = 0; k < i; k++) {
                free = free && (k == to ||
                                rig_length(rig_sub(at[i], at[k])) > 1.02 * (radius[i] + radius[k]));
            }
        }
        if (free) {
            rig_add_ball(world, at[i], radius[i], radius[i] * radius[i] * 300);
            i++;
        }
    }
}

typedef struct Momentum {
    ScreeVec3 linear, angular;
    double energy;
} Momentum;

static Momentum momentum_of(const ScreeWorld *world) {
    const ScreeBodyView b = scree_world_get_bodies(world);
    Momentum sum = {0};
    for (size_t i = 0; i < b.count; i++) {
        const ScreeVec3 p = rig_scale(b.mass[i], b.velocity[i]);
        sum.linear = rig_add(sum.linear, 1, p);
        sum.angular = rig_add(sum.angular, 1, rig_cross(b.position[i], p));
        sum.angular = rig_add(sum.angular, b.inertia[i], b.spin[i]);
        sum.energy += 0.5 * rig_dot(p, b.velocity[i]);
        sum.energy += 0.5 * b.inertia[i] * rig_dot(b.spin[i], b.spin[i]);
    }
    return sum;
}

static void set_rigid_motion(ScreeWorld *world, ScreeVec3 v, ScreeVec3 spin) {
    const ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){(int32_t)i},
                                         rig_add(v, 1, rig_cross(spin, b.position[i])), spin),
                 "velocity");
    }
}

/* The largest error of the distances of all pairs, over w^2 dt^2 times the distance, after a turn by 6
 * radians. */
static double tumble(int dimension, double dt, double *drift) {
    const ScreeVec3 w = dimension == 2 ? rig_vec(0, 0, 3) : rig_vec(1, -2, 2);
    const ScreeVec3 v = rig_vec(0.3, -0.2, dimension == 2 ? 0 : 0.4);
    ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0.5);
    ScreeVec3 before[MOST];
    uint64_t random = 5;
    const int n = 9;
    add_cluster(world, dimension, n, &random);
    CHECK(glue(world, strengths(1e3, 1e3, 1e2, 1e2)) == (size_t)(n - 1));
    set_rigid_motion(world, v, w);
    const Momentum start = momentum_of(world);
    memcpy(before, scree_world_get_bodies(world).position, (size_t)n * sizeof *before);
    for (int k = 0; k < (int)(2 / dt + 0.5); k++) {
        const ScreeReport report = rig_step(world);
        CHECK_NEAR(report.energy_error, 0, 1e-12 * start.energy);
    }
    const Momentum end = momentum_of(world);
    CHECK_VEC(end.linear, start.linear, 1e-12 * rig_length(start.linear));
    CHECK_VEC(end.angular, start.angular, 1e-3 * dt * rig_length(start.angular));
    *drift = fabs(end.energy / start.energy - 1);
    double worst = 0;
    const ScreeBodyView b = scree_world_get_bodies(world);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            const double is = rig_length(rig_sub(b.position[i], b.position[k]));
            const double was = rig_length(rig_sub(before[i], before[k]));
            worst = fmax(worst, fabs(is / was - 1) / (rig_dot(w, w) * dt * dt));
        }
    }
    scree_world_destroy(world);
    return worst;
}

/* Unbroken clusters that fly and tumble: momentum is kept, distances to the second order of the step
 * for good, and the energy to the first. */
static void cluster_flies_as_a_rigid_body(void) {
    for (int dimension = 2; dimension <= (CHECK_STRIDE == 1 ? 3 : 2); dimension++) {
        double drift[2];
        for (int k = 0; k < 2; k++) {
            CHECK(tumble(dimension, k == 0 ? 4e-3 : 2e-3, &drift[k]) < 5);
        }
        CHECK(drift[0] < 5e-3 && drift[1] < 0.6 * drift[0]);
    }
}

/* ---------------------------------------------------------------- for good */

/* What has broken does not hold again, however hard it is pressed; grains then only touch. */
static void broken_bonds_never_heal(void) {
    const double r = 0.05, dt = 1e-3;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, 0), 0);
    add_row(world, 1, rig_vec(1, 0, 0), r, 1);
    ScreeBodyDef ball = rig_ball(rig_vec(2 * r, 0, 0), r, 1);
    ball.force = rig_vec(2, 0, 0);
    rig_add_body(world, &ball);
    glue(world, strengths(1, 1, 1, 1));
    CHECK(rig_step(world).broken == 1);
    for (int back = 1; back >= 0; back--) {
        rig_must(scree_body_set_force(world, (ScreeBodyId){1}, rig_vec(back ? -50 : 0.5, 0, 0),
                                      rig_vec(0, 0, 0)),
                 "force");
        for (int k = 0; k < 100; k++) {
            CHECK(rig_step(world).glued == 0);
        }
    }
    /* it came to rest at the contact, and then flew off under 0.5 for 100 steps */
    CHECK_CLOSE(scree_world_get_bodies(world).velocity[1].x, 0.5 * 100 * dt, 1e-9);
    CHECK(scree_world_get_bonds(world).made == 1 && scree_world_get_bonds(world).broken == 1);
    scree_world_destroy(world);
}

/* A cluster that falls to pieces on the ground. */
static ScreeWorld *falling_cluster(int dimension, int threads) {
    ScreeWorldDef def = rig_def(dimension, 1e-3, rig_vec(0, -9.81, 0));
    uint64_t random = 3;
    def.threads = threads;
    def.solver.tolerance = 1e-4;
    def.solver.iterations = 500;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    add_cluster(world, dimension, 24, &random);
    rig_add_plane(world, rig_vec(0, -0.8, 0), rig_vec(0, 1, 0));
    const double k = dimension == 2 ? 1 : 3;
    CHECK(glue(world, strengths(k * 300, k * 200, k * 5, k * 5)) == 23);
    return world;
}

static void same_bits_with_threads_and_after_restarts(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = falling_cluster(dimension, 1);
        ScreeWorld *other = falling_cluster(dimension, 3);
        int64_t broken = 0;
        for (int k = 0; k < 450; k++) {
            broken += rig_step(world).broken;
            rig_step(other);
            if (k % 90 == 45) {
                size_t size = 0;
                rig_must(scree_world_save(other, NULL, &size), "size");
                void *bytes = malloc(size);
                rig_must(scree_world_save(other, bytes, &size), "save");
                scree_world_destroy(other);
                rig_must(scree_world_load(bytes, size, &other, NULL), "load");
                free(bytes);
            }
        }
        CHECK(broken > 0 && broken < 23);
        CHECK(scree_world_get_bonds(other).broken == broken);
        CHECK(scree_world_hash(world) == scree_world_hash(other));
        scree_world_destroy(world);
        scree_world_destroy(other);
    }
}

/* Two glued grains that go round each other from one moment to the next: the load of their bond is what holds them on
 * their circle, m w^2 r / F, from the second step on, and half of it in the first, in which they only begin
 * to turn. Near 1 it holds, beyond it breaks. */
static void pairs_bear_what_holds_them_on_their_circle(void) {
    const double m = 2, r = 0.5, force = 7;
    for (int n = 0; n < 6; n++) {
        const double share[] = {0.25, 0.9, 1.1}, part = share[n / 2], step = n % 2 ? 1e-2 : 1e-4;
        const double w = sqrt(part * force / (m * r));
        ScreeWorldDef def = rig_def(n % 2 ? 2 : 3, step / w, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0);
        for (int side = -1; side <= 1; side += 2) {
            ScreeBodyDef ball = rig_ball(rig_vec(side * r, 0, 0), r, m);
            ball.velocity = rig_vec(0, side * w * r, 0);
            ball.spin = rig_vec(0, 0, w);
            rig_add_body(world, &ball);
        }
        (void)glue(world, strengths(force, force, 1, 1));
        int64_t broken = 0;
        for (int k = 0; k < 50 && broken == 0; k++) {
            ScreeReport report = rig_step(world);
            CHECK(report.residual < 1e-10);
            broken += report.broken;
            if (broken == 0) {
                CHECK_NEAR(load(world, 0), (k == 0 ? 0.5 : 1) * part, 3 * step * part);
            }
        }
        CHECK((broken > 0) == (part > 1));
        scree_world_destroy(world);
    }
}

/* Bonds that bear nothing but shear, or nothing but torsion, and no weight: what they have to deal with is not the
 * approach along their normals, of which there is none, and the step converges at the default tolerance. */
static void bonds_without_normal_forces_converge(void) {
    for (int twist = 0; twist < 2; twist++) {
        ScreeWorldDef def = scree_world_def_default();
        def.time_step = 1e-3;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0);
        const ScreeVec3 along = rig_vec(0.6, -0.48, 0.64), across = rig_vec(1, 1.25, 0);
        for (int i = 0; i < 3; i++) {
            ScreeBodyDef ball = rig_ball(rig_scale(0.2 * i, along), 0.1, 4);
            ball.frozen = i == 0 ? SCREE_FREEZE_ALL : 0;
            ball.torque = rig_scale(i == 2 && twist ? 1 : 0, along);
            ball.force = rig_scale(i == 1 && !twist ? 1 : 0, across);
            rig_add_body(world, &ball);
        }
        CHECK(glue(world, strengths(100, 100, 100, 100)) == 2);
        for (int k = 0; k < 20; k++) {
            CHECK(rig_step(world).converged == 1);
        }
        scree_world_destroy(world);
    }
}

/* A ball that slides under pressure is glued, and tears its bond. What the bond bore stretches no spring of the contact
 * that is left: from then on there is the law of the materials, whose springs begin with nothing. */
static void torn_bonds_leave_no_spring_stretched(void) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = scree_law_default();
    law.friction = 0.5;
    law.stiffness_tangential = 1e3;
    rig_law(world, &law);
    add_row(world, 2, rig_vec(0, 0, 1), 0.1, 4);
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 0.4), 0.1, 4);
    ball.velocity = rig_vec(1, 0, 0);
    ball.force = rig_vec(0, 0, -50);
    rig_add_body(world, &ball);
    (void)glue_pair(world, 1, 2, strengths(100, 100, 1e3, 1e3));
    int64_t broken = 0;
    for (int k = 0; k < 20; k++) {
        ScreeReport report = rig_step(world);
        const ScreeBodyView b = scree_world_get_bodies(world);
        CHECK(report.dissipation_friction > -1e-9);
        CHECK(b.velocity[2].x < 1 + 1e-9);
        broken += report.broken;
    }
    CHECK(broken == 1);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(torn_bonds_leave_no_spring_stretched);
    CHECK_RUN(bonds_without_normal_forces_converge);
    CHECK_RUN(pairs_bear_what_holds_them_on_their_circle);
    CHECK_RUN(hanging_row_breaks_at_the_top);
    CHECK_RUN(overhanging_grain_breaks_by_shear_or_bending);
    CHECK_RUN(beam_bends_until_it_breaks_where_it_is_held);
    CHECK_RUN(bonds_break_once_in_a_step_of_strides);
    CHECK_RUN(loads_add_up_as_the_law_has_it);
    CHECK_RUN(pair_breaks_by_torsion);
    CHECK_RUN(strengths_follow_from_stresses_in_the_neck);
    CHECK_RUN(cluster_flies_as_a_rigid_body);
    CHECK_RUN(broken_bonds_never_heal);
    CHECK_RUN(same_bits_with_threads_and_after_restarts);
    return check_result();
}
