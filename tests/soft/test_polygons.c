/* Bodies with shapes in the soft engine, against closed forms: corners as springs, friction,
 * levers, and disks as shapes. */
#include "shape_rig.h"

static const double g = 9.81, half = 0.4, mass = 1.3, stiffness = 2e5;

static ScreeWorld *make(const ScreeLaw *law, ScreeIntegrator integrator, ScreeVec3 gravity,
                        double time_step) {
    ScreeWorldDef def = soft_def(2, time_step, gravity);
    def.soft.integrator = integrator;
    return soft_world(&def, law);
}

static int32_t add_square(ScreeWorld *world, ScreeVec3 position, double angle) {
    ScreeBodyDef def = shape_body(shape_box(world, half, half, 0), position, angle);
    def.mass = mass;
    return rig_add_body(world, &def);
}

/* Dropped flat on a plane without damping, a square stands on two springs: it oscillates about m g
 * / (2 k) with w^2 = 2 k / m. Slightly tilted, it rocks with w^2 = 2 k h^2 / I, where I = 2/3 m
 * h^2. */
static void square_bounces_and_rocks_on_two_springs(void) {
    for (int i = 0; i < 4; i++) {
        ScreeLaw law = soft_law(stiffness, 1, 0);
        bool rocks = i / 2 == 1;
        double rest = mass * g / (2 * stiffness), start = 0.3 * rest;
        double w = rocks ? sqrt(3 * stiffness / mass) : sqrt(2 * stiffness / mass);
        double period = 2 * RIG_PI / w, dt = period / 400, tilt = 0.5 * rest / half;
        ScreeWorld *world = make(&law, soft_integrators[i % 2], rig_vec(0, -g, 0), dt);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        add_square(world, rig_vec(0, half - rest + (rocks ? 0 : start), 0), rocks ? tilt : 0);
        for (int step = 1; step <= 4000; step++) {
            rig_step(world);
            double t = step * dt;
            if (rocks) {
                CHECK_NEAR(shape_angle_of(world, 0), tilt * cos(w * t), 0.005 * tilt);
            } else {
                double y = scree_world_get_bodies(world).position[0].y - (half - rest);
                CHECK_NEAR(y, start * cos(w * t), 0.003 * start);
            }
        }
        scree_world_destroy(world);
    }
}

/* With damping it comes to rest there: two contact points, each with half of the weight. */
static void resting_square_loads_both_corners_alike(void) {
    for (int i = 0; i < 8; i++) {
        ScreeLaw law = soft_law(stiffness, 0.3, 0.5);
        bool hertz = i / 2 % 2 == 1, rounded = i / 4 == 1;
        law.modulus = hertz ? 1e7 : 0;
        ScreeWorld *world = make(&law, soft_integrators[i % 2], rig_vec(0, -g, 0), 0);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        double core = rounded ? half - 0.1 : half;
        ScreeBodyDef def =
            shape_body(shape_box(world, core, core, half - core), rig_vec(0, half + 1e-3, 0), 0);
        def.mass = mass;
        rig_add_body(world, &def);
        shape_run(world, 1);
        /* N = k d, or 4/3 E* sqrt(r*) d^(3/2) with the circle around the body against the plane */
        double load = 0.5 * mass * g, radius = core * sqrt(2) + half - core;
        double overlap =
            hertz ? pow(load / (4.0 / 3 * law.modulus * sqrt(radius)), 2.0 / 3) : load / stiffness;
        ScreeContactView view = scree_world_get_contacts(world);
        CHECK(view.count == 2 && view.contact[0].feature != view.contact[1].feature);
        for (size_t k = 0; k < view.count; k++) {
            const ScreeContact *c = &view.contact[k];
            CHECK(c->a.index == 0 && c->b.code == -1 && c->feature > 0 &&
                  c->state == SCREE_CONTACT_STICK);
            CHECK_CLOSE(c->gap, -overlap, 1e-6);
            CHECK_VEC(c->normal, rig_vec(0, -1, 0), 1e-9);
            CHECK_CLOSE(c->normal_impulse / view.time_step, load, 1e-6);
            ScreeVec3 p = scree_contact_get_point(world, c);
            CHECK_NEAR(fabs(p.x), core, 1e-6);
            CHECK_NEAR(p.y, -0.5 * overlap, 1e-9);
        }
        CHECK_CLOSE(scree_world_get_bodies(world).position[0].y, half - overlap, 1e-8);
        CHECK_CLOSE(rig_wall(world, 0).load.y, -mass * g, 1e-6);
        scree_world_destroy(world);
    }
}

/* On an incline it sticks if tan a <= mu, and otherwise slides with g (sin a - mu cos a) without
 * turning; on a plane, a segment, a block and another, larger body that is held. */
static void square_on_an_incline_sticks_or_slides(void) {
    static const double part[] = {0.5, 0.95, 1.05, 2};
    /* with sanitizers every fifth: all slopes, all grounds and both kinds of friction are among them */
    for (int i = 0; i < 32; i += CHECK_STRIDE == 1 ? 1 : 5) {
        double mu = 0.3, angle = atan(part[i % 4] * mu);
        bool slides = part[i % 4] > 1, viscous = i / 16 == 1;
        ScreeLaw law = soft_law(stiffness, 0, mu);
        law.damping_tangential = viscous ? 3000 : 50;
        ScreeWorldDef def = soft_def(2, 0, rig_vec(g * sin(angle), -g * cos(angle), 0));
        def.soft.friction = viscous ? SCREE_SOFT_FRICTION_VISCOUS : SCREE_SOFT_FRICTION_SPRING;
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        int ground = i / 4 % 4;
        if (ground == 1) {
            wall.shape = SCREE_WALL_SEGMENT;
            wall.point = rig_vec(-2, 0, 0);
            wall.end = rig_vec(4, 0, 0);
        } else if (ground == 2) {
            wall.shape = SCREE_WALL_BLOCK;
            wall.point = rig_vec(0, -0.5, 0);
            wall.half = rig_vec(4, 0.5, 0.5);
        }
        double overlap = 0.5 * mass * g * cos(angle) / stiffness;
        int32_t body = add_square(world, rig_vec(0, half - overlap, 0), 0);
        if (ground == 3) {
            ScreeBodyDef slab = shape_body(shape_box(world, 4, 0.5, 0), rig_vec(0, -0.5, 0), 0);
            slab.frozen = SCREE_FREEZE_ALL;
            rig_add_body(world, &slab);
        } else {
            rig_add_wall(world, &wall);
        }
        shape_run(world, 0.2); /* the springs are loaded */
        double before = scree_world_get_bodies(world).velocity[body].x,
               start = scree_world_get_time(world);
        shape_run(world, 0.3);
        double t = scree_world_get_time(world) - start, a = g * (sin(angle) - mu * cos(angle));
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_NEAR(shape_angle_of(world, body), 0, 1e-4);
        CHECK_NEAR(b.position[body].y, half - overlap, 0.5 * overlap);
        if (slides) {
            CHECK_CLOSE(b.velocity[body].x - before, a * t, 1e-3);
            CHECK_NEAR(b.spin[body].z, 0, 1e-4);
        } else {
            /* The moment of friction, T h, takes load off the upper corner, N = (N - T) / 2 there;
             * when it slides, the lower one holds the rest. */
            double weight = mass * g * cos(angle), friction = mass * g * sin(angle);
            double upper = fmin(0.5 * friction, mu * 0.5 * (weight - friction));
            double creep = viscous ? (friction - upper) / 3000 : 0;
            CHECK_NEAR(b.velocity[body].x, creep, 1e-6 + 1e-3 * creep);
        }
        scree_world_destroy(world);
    }
}

/* A square on an incline topples over its lower edge when tan a > 1, if it does not slide. */
static void square_topples(void) {
    for (int i = 0; i < 2; i++) {
        double angle = atan(i == 0 ? 0.97 : 1.03);
        ScreeLaw law = soft_law(stiffness, 0, 2);
        ScreeWorld *world = make(&law, SCREE_INTEGRATOR_VELOCITY_VERLET,
                                 rig_vec(g * sin(angle), -g * cos(angle), 0), 0);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        add_square(world, rig_vec(0, half - mass * g * cos(angle) / 2 / stiffness, 0), 0);
        shape_run(world, 0.5);
        double turned = shape_angle_of(world, 0);
        CHECK(i == 0 ? fabs(turned) < 1e-3 : turned < -0.02);
        scree_world_destroy(world);
    }
}

/* A beam with a weight on it, on two supports: the forces follow from the levers. The supports are
 * corners of walls, or disks. */
static void beam_loads_its_supports_by_the_levers(void) {
    for (int i = 0; i < 2; i++) {
        ScreeLaw law = soft_law(stiffness, 0.2, 0);
        ScreeWorld *world = make(&law, SCREE_INTEGRATOR_VELOCITY_VERLET, rig_vec(0, -g, 0), 0);
        double at[2] = {-0.7, 1.2}, weight = 0.4, lever = 0.5;
        for (int k = 0; k < 2; k++) {
            ScreeWallDef wall = scree_wall_def_default();
            if (i == 0) { /* standing on its corner */
                wall.shape = SCREE_WALL_BLOCK;
                wall.half = rig_vec(0.3, 0.3, 0.3);
                wall.orientation = rig_turn_z(0.25 * RIG_PI);
                wall.point = rig_vec(at[k], -0.3 * sqrt(2), 0);
            } else {
                wall.shape = SCREE_WALL_CYLINDER;
                wall.radius = 0.3;
                wall.point = rig_vec(at[k], -0.3, 0);
            }
            rig_add_wall(world, &wall);
        }
        ScreeBodyDef beam = shape_body(shape_box(world, 1.5, 0.1, 0), rig_vec(0, 0.1, 0), 0);
        beam.mass = mass;
        beam.force = rig_vec(0, -weight * g, 0);
        beam.torque = rig_vec(0, 0, -lever * weight * g);
        rig_add_body(world, &beam);
        shape_run(world, 2);
        double total = (mass + weight) * g, span = at[1] - at[0];
        double second = (total * -at[0] + lever * weight * g) / span;
        CHECK_CLOSE(rig_wall(world, 1).load.y, -second, 2e-4); /* the beam tilts a little */
        CHECK_CLOSE(rig_wall(world, 0).load.y, -(total - second), 2e-4);
        ScreeContact c = rig_contact(world, 0, -1);
        CHECK_NEAR(scree_contact_get_point(world, &c).x, at[0], 1e-4);
        scree_world_destroy(world);
    }
}

/* A square comes down on one corner, below its centre or beside it: the corner leaves with the
 * restitution asked for. J = (1 + e) v / (1 / m + x^2 / I). */
static void corner_leaves_with_the_restitution_asked(void) {
    for (int i = 0; i < 12; i++) {
        double e = i % 2 == 0 ? 1 : 0.5, v = 1, angle = 0.25 * RIG_PI + 0.15 * (i / 2 % 3);
        bool hertz = i / 6 == 1;
        ScreeLaw law = soft_law(1e7, e, 0);
        law.modulus = hertz ? 1e9 : 0;
        ScreeWorld *world = make(&law, SCREE_INTEGRATOR_VELOCITY_VERLET, rig_vec(0, 0, 0), 0);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        double r = half * sqrt(2), below = 0.25 * RIG_PI - angle; /* of the lowest corner */
        ScreeBodyDef def = shape_body(shape_box(world, half, half, 0),
                                      rig_vec(0, r * cos(below) + 1e-3, 0), angle);
        def.mass = mass;
        def.velocity = rig_vec(0, -v, 0);
        rig_add_body(world, &def);
        shape_run(world, 0.01);
        double x = -r * sin(below), inertia = 2.0 / 3 * mass * half * half;
        double impulse = (1 + e) * v / (1 / mass + x * x / inertia);
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK(scree_world_get_contacts(world).count == 0);
        CHECK_CLOSE(b.inertia[0], inertia, 1e-12);
        CHECK_NEAR(b.velocity[0].y, impulse / mass - v, 0.01);
        CHECK_NEAR(b.spin[0].z, x * impulse / inertia, 0.02);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- disks as shapes */

static ScreeWorld *make_disks(bool shaped, ScreeSoftFriction friction, ScreeIntegrator integrator,
                              bool rich) {
    ScreeLaw law = soft_law(3e3, 0.5, 0.4);
    law.damping_tangential = 0.3;
    if (rich) {
        law.modulus = 3e5;
        law.friction_static = 0.6;
        law.rolling = 0.05;
        law.cohesion = 0.3;
        law.cohesion_range = 0.01;
    }
    ScreeWorldDef def = soft_def(2, 5e-4, rig_vec(0.3, -5, 0));
    def.soft.integrator = integrator;
    def.soft.friction = friction;
    ScreeWorld *world = soft_world(&def, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(3, 0, 0), rig_vec(-1, 0, 0));
    ScreeWallDef block = scree_wall_def_default(), rod = scree_wall_def_default();
    block.shape = SCREE_WALL_BLOCK;
    block.point = rig_vec(0.8, 0.3, 0);
    block.half = rig_vec(0.3, 0.4, 1);
    block.orientation = rig_turn_z(0.4);
    rig_add_wall(world, &block);
    rod.shape = SCREE_WALL_CYLINDER;
    rod.point = rig_vec(2, 0.2, 0);
    rod.radius = 0.4;
    rod.motion = SCREE_WALL_MOVED;
    rod.spin = rig_vec(0, 0, 3);
    rig_add_wall(world, &rod);
    for (int i = 0; i < 12; i++) {
        double r = 0.15 + 0.01 * i;
        ScreeBodyDef ball =
            rig_ball(rig_vec(0.4 + 0.7 * (i % 4) + 0.03 * (i / 4), 1.4 + 0.6 * (i / 4), 0), r, 0);
        if (shaped) {
            ball.shape.index = shape_disk(world, r);
        }
        ball.spin = rig_vec(0, 0, i - 5);
        ball.velocity = rig_vec(0, -3, 0);
        rig_add_body(world, &ball);
    }
    return world;
}

/* They move alike, as long as rounding makes no difference. */
static void disk_outlines_move_like_disks(void) {
    for (int i = 0; i < 8; i++) {
        ScreeSoftFriction friction =
            i % 2 == 0 ? SCREE_SOFT_FRICTION_SPRING : SCREE_SOFT_FRICTION_VISCOUS;
        ScreeWorld *one = make_disks(false, friction, soft_integrators[i / 2 % 2], i / 4 == 1);
        ScreeWorld *other = make_disks(true, friction, soft_integrators[i / 2 % 2], i / 4 == 1);
        CHECK_CLOSE(scree_world_advise_time_step(other), scree_world_advise_time_step(one), 1e-12);
        int64_t touching = 0, bonds = 0;
        double worst = 0, error = 0;
        for (int step = 0; step < 1000; step++) {
            ScreeReport a = rig_step(one), b = rig_step(other);
            touching += a.active;
            bonds += a.bonds;
            error = fmax(error, fabs(a.energy_elastic - b.energy_elastic) +
                                    fabs(a.dissipation - b.dissipation));
        }
        for (int k = 0; k < 12; k++) {
            ScreeBodyView a = scree_world_get_bodies(one), b = scree_world_get_bodies(other);
            worst = fmax(worst, rig_length(rig_sub(a.position[k], b.position[k])));
            worst = fmax(worst, fabs(a.spin[k].z - b.spin[k].z));
        }
        CHECK(touching > 1000 && (i / 4 == 0 || bonds > 1000));
        CHECK_NEAR(worst, 0, 1e-8);
        CHECK_NEAR(error, 0, 1e-9);
        CHECK(scree_world_get_contacts(one).count == scree_world_get_contacts(other).count);
        scree_world_destroy(one);
        scree_world_destroy(other);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(square_bounces_and_rocks_on_two_springs);
    CHECK_RUN(resting_square_loads_both_corners_alike);
    CHECK_RUN(square_on_an_incline_sticks_or_slides);
    CHECK_RUN(square_topples);
    CHECK_RUN(beam_loads_its_supports_by_the_levers);
    CHECK_RUN(corner_leaves_with_the_restitution_asked);
    CHECK_RUN(disk_outlines_move_like_disks);
    return check_result();
}
