/* Frozen degrees of freedom: the local block is then full, and the law takes its general path. */
#include "rig.h"

#include <float.h>

/* A body that cannot turn is a block of wood: it stays up to tan a = mu, and beyond that slides
 * with g (sin a - mu cos a). */
static void frozen_rotation_slides_like_a_block(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int slides = 0; slides < 2; slides++) {
            const double mu = 0.35, g = 9.81, dt = 0.005, m = 2;
            double angle = atan((slides ? 1.001 : 0.999) * mu),
                   a = slides ? g * (sin(angle) - mu * cos(angle)) : 0;
            ScreeVec3 down = rig_vec(cos(angle), -sin(angle), 0),
                      up = rig_vec(sin(angle), cos(angle), 0);
            ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), mu);
            rig_add_plane(world, rig_vec(0, 0, 0), up);
            ScreeBodyDef body = rig_ball(rig_scale(0.5, up), 0.5, m);
            body.frozen = SCREE_FREEZE_ROTATION;
            rig_add_body(world, &body);
            for (int n = 1; n <= 200; n++) {
                rig_step(world);
                CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(a * n * dt, down),
                          1e-11);
                CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_vec(0, 0, 0), 0);
            }
            CHECK(rig_contact(world, 0, -1).state ==
                  (slides ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK));
            scree_world_destroy(world);
        }
    }
}

/* A bead on a rail along x runs into a plane that leans by a: normal into the wall n = (s, -c),
 * tangent t = (c, s), s = sin a, c = cos a. The rail takes the rest, so  m v' = m v - R_n s - R_t
 * c,  I w' = I w - r R_t,  u_n = -s v', u_t = -c v' - r w'. Closing needs v' = 0. Stick: w' = 0
 * too, R_t = I w / r and R_n = (m v - c R_t) / s, if |R_t| <= mu R_n. Slip: R_t = sign(w) mu R_n
 * and R_n = m v / (s + sign(w) mu c). */
static void bead_on_a_rail_sticks_or_slips(void) {
    static const double spin[] = {0, 0.8, -0.8, 30, -30};
    for (int i = 0; i < 5; i++) {
        const double a = 0.6, s = sin(0.6), c = cos(0.6), m = 1.5, r = 0.4, mu = 0.3, v = 2,
                     w = spin[i], dt = 0.01;
        const double inertia = 0.5 * m * r * r;
        ScreeWorld *world = rig_world(2, dt, rig_vec(0, -10, 0), mu); /* the rail takes gravity */
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(-s, c, 0));
        ScreeBodyDef bead = rig_ball(rig_vec(-r * s, r * c, 0), r, m);
        bead.frozen = SCREE_FREEZE_Y;
        bead.velocity = rig_vec(v, 0, 0);
        bead.spin = rig_vec(0, 0, w);
        rig_add_body(world, &bead);
        rig_step(world);
        double rt = inertia * w / r, rn = (m * v - c * rt) / s;
        bool sticks = fabs(rt) <= mu * rn;
        CHECK(sticks == (i < 3));
        if (!sticks) {
            double sign = w > 0 ? 1 : -1;
            rn = m * v / (s + sign * mu * c);
            rt = sign * mu * rn;
        }
        ScreeContact k = rig_contact(world, 0, -1);
        CHECK_CLOSE(k.normal_impulse, rn, 1e-12);
        CHECK_VEC(k.tangential_impulse, rig_scale(rt, rig_vec(c, s, 0)), 1e-12 * rn);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(0, 0, 0), 1e-12);
        CHECK_NEAR(scree_world_get_bodies(world).spin[0].z, w - r * rt / inertia, 1e-11);
        CHECK_NEAR(scree_world_get_bodies(world).position[0].y, r * c, 0);
        CHECK(k.state == (sticks ? SCREE_CONTACT_STICK : SCREE_CONTACT_SLIP));
        CHECK(fabs(a) > 0);
        scree_world_destroy(world);
    }
}

/* Whether friction can press the ball against the wall faster than the normal impulse separates
 * them: mu |W_nt| >= W_nn. With frozen axes there may then be no solution (Painleve's paradox), and
 * the residual must say so. */
static bool strongly_coupled(uint32_t frozen, ScreeVec3 up, double mu) {
    const double n[3] = {up.x, up.y, up.z};
    double along = 0;
    for (int axis = 0; axis < 3; axis++) {
        along += frozen >> axis & 1 ? 0 : n[axis] * n[axis];
    }
    return mu * sqrt(fmax(0, along - along * along)) >= along;
}

/* What one trial is about: a ball on a plane with normal `up`, some of its axes frozen. */
typedef struct Trial {
    uint32_t frozen;
    ScreeVec3 up;
    double m, mu;
    ScreeBodyDef body;
} Trial;

static const double trial_radius = 0.3, trial_step = 0.01;

static Trial draw(uint64_t *random, bool moving) {
    Trial t = {.frozen = (uint32_t)(64 * rig_random(random))};
    t.up = rig_random_vec(random, 1, 3);
    t.up = rig_scale(1 / rig_length(t.up), t.up);
    t.m = 1 + rig_random(random);
    t.mu = (moving ? 0.4 : 1.5) * rig_random(random);
    t.body = rig_ball(rig_scale(trial_radius, t.up), trial_radius, t.m);
    t.body.frozen = t.frozen;
    if (moving) {
        t.body.velocity = rig_random_vec(random, 1, 3);
        t.body.spin = rig_random_vec(random, 5, 3);
    }
    t.body.force = rig_random_vec(random, 5, 3);
    t.body.torque = rig_random_vec(random, 1, 3);
    return t;
}

/* Newton's law, axis by axis: frozen axes keep their velocity. The impulse of the contact is that
 * on the wall. Without a solution it may be immense, and is then known to its own last digits. */
static void check_newton(const ScreeWorld *world, const Trial *t, const ScreeContact *c) {
    const double m = t->m, inertia = 0.4 * m * trial_radius * trial_radius, dt = trial_step;
    const ScreeBodyDef *d = &t->body;
    double v[3] = {d->velocity.x, d->velocity.y, d->velocity.z},
           w[3] = {d->spin.x, d->spin.y, d->spin.z};
    const double f[3] = {d->force.x + m, d->force.y - 2 * m, d->force.z + 3 * m};
    const double turn[3] = {d->torque.x, d->torque.y, d->torque.z};
    ScreeVec3 j = rig_scale(-1, rig_add(c->tangential_impulse, -c->normal_impulse, t->up));
    ScreeVec3 twist = rig_cross(rig_scale(-trial_radius, t->up), j);
    const double jv[3] = {j.x, j.y, j.z}, jw[3] = {twist.x, twist.y, twist.z};
    for (int axis = 0; axis < 3; axis++) {
        v[axis] += t->frozen >> axis & 1 ? 0 : (f[axis] * dt + jv[axis]) / m;
        w[axis] += t->frozen >> (axis + 3) & 1 ? 0 : (turn[axis] * dt + jw[axis]) / inertia;
    }
    const double rounding = 4 * DBL_EPSILON * rig_length(j);
    CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(v[0], v[1], v[2]),
              1e-11 + rounding / m);
    CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_vec(w[0], w[1], w[2]),
              1e-10 + rounding * trial_radius / inertia);
}

/* Signorini and Coulomb in the state after the step; returns whether the contact slides. */
static bool check_coulomb(const ScreeWorld *world, const Trial *t, const ScreeContact *c) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 u =
        /* velocity of the surface */
        rig_add(b.velocity[0], -trial_radius, rig_cross(b.spin[0], t->up));
    double un = rig_dot(u, t->up), rt = rig_length(c->tangential_impulse),
           most = t->mu * c->normal_impulse;
    ScreeVec3 ut = rig_add(u, -un, t->up);
    double slip = rig_length(ut);
    if (c->normal_impulse == 0) {
        CHECK(un >= 0 && rt == 0);
        return false;
    }
    CHECK_NEAR(un, 0, 1e-10);
    CHECK(rt <= most * (1 + 1e-12));
    if (slip >= 1e-10) { /* below this it sticks, and the direction of what is left is rounding */
        /* the force on the wall acts along the slip */
        CHECK_NEAR(rig_dot(ut, c->tangential_impulse), slip * rt, 1e-10);
    }
    CHECK(slip < 1e-10 || rt >= most * (1 - 1e-9));
    return slip >= 1e-10;
}

/* In space, for any set of frozen axes: the state after the step must itself satisfy the law. */
static void law_holds_for_any_frozen_set(void) {
    uint64_t random = 99;
    int sticks = 0, slips = 0;
    for (int trial = 0; trial < 1000; trial++) {
        Trial t = draw(&random, trial % 2 == 0);
        if ((t.frozen & SCREE_FREEZE_POSITION) == SCREE_FREEZE_POSITION) {
            continue; /* nothing gives way along the normal */
        }
        ScreeWorld *world = rig_world(3, trial_step, rig_vec(1, -2, 3), t.mu);
        rig_add_plane(world, rig_vec(0, 0, 0), t.up);
        rig_add_body(world, &t.body);
        ScreeReport report = rig_step(world);
        ScreeContact c = rig_contact(world, 0, -1);
        check_newton(world, &t, &c);
        CHECK(report.converged == 1 || strongly_coupled(t.frozen, t.up, t.mu));
        if (report.converged == 1) {
            bool slides = check_coulomb(world, &t, &c);
            slips += slides;
            sticks += c.normal_impulse > 0 && !slides;
        }
        scree_world_destroy(world);
    }
    CHECK(sticks > 100 && slips > 200);
}

/* An entirely frozen body keeps its velocity and pushes what it meets; the energy it brings in is
 * work, like that of a moving wall. */
static void frozen_body_pushes(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double V = 0.7, dt = 0.01, m = 2;
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -10, 0), 0);
        ScreeBodyDef pusher = rig_ball(rig_vec(0, 0, 0), 0.5, 1e-4),
                     ball = rig_ball(rig_vec(1, 0, 0), 0.5, m);
        pusher.frozen = SCREE_FREEZE_ALL;
        pusher.velocity = rig_vec(V, 0, 0);
        ball.frozen = SCREE_FREEZE_Y;
        rig_add_body(world, &pusher);
        rig_add_body(world, &ball);
        for (int n = 1; n <= 10; n++) {
            double before = scree_world_get_kinetic_energy(world);
            ScreeReport report = rig_step(world);
            ScreeBodyView b = scree_world_get_bodies(world);
            CHECK_VEC(b.velocity[0], rig_vec(V, 0, 0), 0);
            CHECK_NEAR(b.position[0].x, V * n * dt, 1e-14);
            CHECK_VEC(b.velocity[1], rig_vec(V, 0, 0), 1e-13);
            CHECK_NEAR(rig_contact(world, 0, 1).normal_impulse, n == 1 ? m * V : 0, 1e-13);
            CHECK_NEAR(report.energy_error, 0, 1e-12);
            CHECK_NEAR(report.kinetic_energy - before,
                       report.work_external + report.work_walls - report.dissipation -
                           report.dissipation_scheme,
                       1e-12);
            CHECK(report.dissipation >= -1e-14);
        }
        scree_world_destroy(world);
    }
}

/* Thawed, it is an ordinary body; frozen again, it stands still. */
static void bodies_may_be_thawed_and_frozen_again(void) {
    ScreeWorld *world = rig_world(3, 0.01, rig_vec(0, -10, 0), 0);
    ScreeBodyDef body = rig_ball(rig_vec(0, 0, 0), 1, 1);
    body.frozen = SCREE_FREEZE_POSITION;
    rig_add_body(world, &body);
    rig_step(world);
    CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(0, 0, 0), 0);
    rig_must(scree_body_set_frozen(world, (ScreeBodyId){0}, 0), "thaw");
    rig_step(world);
    CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, -0.1, 1e-15);
    rig_must(scree_body_set_frozen(world, (ScreeBodyId){0}, SCREE_FREEZE_Y), "freeze");
    rig_step(world);
    CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, -0.1, 1e-15); /* keeps its velocity */
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(frozen_rotation_slides_like_a_block);
    CHECK_RUN(bead_on_a_rail_sticks_or_slips);
    CHECK_RUN(law_holds_for_any_frozen_set);
    CHECK_RUN(frozen_body_pushes);
    CHECK_RUN(bodies_may_be_thawed_and_frozen_again);
    return check_result();
}
