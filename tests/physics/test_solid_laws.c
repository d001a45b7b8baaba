/* The laws of contacts between solids, which touch at several points at once: what all points
 * together hold, carry or take must be what the law says of the bodies. Loads are constant, so that
 * implicit Euler makes no error in velocities. */
#include "physics/solid_rig.h"

static const double g = 9.81;

/* A floor, and a body of this shape on it at the height of its centre. */
typedef struct Scene {
    ScreeWorld *world;
    int32_t body;
    double mass;
} Scene;

static ScreeWorld *floor_with(double dt, const ScreeLaw *law, ScreeVec3 weight) {
    ScreeWorldDef def = rig_def(3, dt, weight);
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    return world;
}

static Scene put(ScreeWorld *world, ScreeShapeId shape, double height, ScreeQuat turned) {
    Scene s = {.world = world};
    s.body = rig_add_solid(world, shape, rig_vec(0, 0, height), turned);
    s.mass = scree_world_get_bodies(world).mass[s.body];
    return s;
}

/* ---------------------------------------------------------------- rolling and torsion */

/* A rod on its side, or a ball made of one vertex, rolls to rest: v falls at the rate rolling g / (1
 * + k), with the moment of inertia k m r^2. Of a rod with round ends, half a cylinder's and two
 * fifths of a ball's, by their volumes. It lies on two points with half the weight each. */
static void rods_and_balls_roll_to_rest(void) {
    const double r = 0.2, rolling = 0.05, v0 = 0.4, dt = 1e-2;
    for (int rod = 0; rod < 2; rod++) {
        ScreeLaw law = scree_law_default();
        law.friction = 0.9;
        law.rolling = rolling;
        ScreeWorld *world = floor_with(dt, &law, rig_vec(0, 0, -g));
        const double length = 1.1, tube = length, ball = 4 * r / 3;
        const ScreeVec3 end[2] = {{-length / 2, 0, 0}, {length / 2, 0, 0}};
        double k = rod ? (0.5 * tube + 0.4 * ball) / (tube + ball) : 0.4;
        ScreeQuat yaw = rig_rotation(rig_vec(0, 0, 1), 0.3);
        Scene s = put(world, rig_hull(world, end, rod ? 2 : 1, r), r, yaw);
        ScreeVec3 axis = rig_rotate(yaw, rig_vec(1, 0, 0)),
                  ahead = rig_cross(axis, rig_vec(0, 0, 1));
        rig_set_motion(world, s.body, rig_scale(v0, ahead), rig_scale(v0 / r, axis));
        double a = rolling * g / (1 + k);
        int last = (int)ceil(v0 / (a * dt));
        for (int n = 1; n <= last + 5; n++) {
            ScreeReport report = rig_step(world);
            double v = n < last ? v0 - a * n * dt : 0;
            ScreeBodyView b = scree_world_get_bodies(world);
            CHECK(report.converged && report.contacts == (rod ? 2 : 1));
            CHECK_VEC(b.velocity[s.body], rig_scale(v, ahead), 1e-10 * v0);
            CHECK_VEC(b.spin[s.body], rig_scale(v / r, axis), 1e-10 * v0 / r);
        }
        scree_world_destroy(world);
    }
}

/* A block spins on a smooth floor. Each point takes torsion r* of its load, and r* is how high the
 * centre is: the spin falls at the rate torsion h g / (x^2 + y^2) 6 with h its height. */
static void a_block_spins_to_rest(void) {
    const double x = 0.8, y = 0.5, h = 0.3, torsion = 0.3, w0 = 2, dt = 1e-2;
    ScreeLaw law = scree_law_default();
    law.torsion = torsion;
    ScreeWorld *world = floor_with(dt, &law, rig_vec(0, 0, -g));
    Scene s = put(world, rig_box(world, x, y, h), h / 2, rig_upright);
    rig_set_motion(world, s.body, rig_vec(0, 0, 0), rig_vec(0, 0, w0));
    double rate = torsion * (h / 2) * g / ((x * x + y * y) / 12);
    int last = (int)ceil(w0 / (rate * dt));
    for (int n = 1; n <= last + 5; n++) {
        ScreeReport report = rig_step(world);
        double w = n < last ? w0 - rate * n * dt : 0;
        CHECK(report.converged);
        CHECK_VEC(scree_world_get_bodies(world).spin[s.body], rig_vec(0, 0, w), 1e-9 * w0);
    }
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- restitution */

/* A cube that lands on a face, and a rod on its side, hit the floor at all of their points at once,
 * and rise as a point would, at e times the speed. */
static void flat_landings_rise_as_a_point_would(void) {
    for (int rod = 0; rod < 2; rod++) {
        const double e = 0.6, speed = 2, dt = 1e-3, r = 0.25;
        ScreeLaw law = scree_law_default();
        law.friction = 0.5;
        law.restitution = e;
        ScreeWorld *world = floor_with(dt, &law, rig_vec(0, 0, 0));
        const ScreeVec3 end[2] = {{-0.5, 0, 0}, {0.5, 0, 0}};
        ScreeShapeId shape = rod ? rig_hull(world, end, 2, r) : rig_box(world, 2 * r, 2 * r, 2 * r);
        Scene s = put(world, shape, r + 0.01, rig_rotation(rig_vec(0, 0, 1), 0.4));
        rig_set_motion(world, s.body, rig_vec(0, 0, -speed), rig_vec(0, 0, 0));
        for (int n = 0; n < 20; n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged);
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_VEC(b.velocity[s.body], rig_vec(0, 0, e * speed), 1e-10 * speed);
        CHECK_VEC(b.spin[s.body], rig_vec(0, 0, 0), 1e-10 * speed / r);
        scree_world_destroy(world);
    }
}

/* A tilted box hits a smooth floor with one edge; both of its points act on the arm x = the part
 * across of the way from the centre to the edge. J (1 / m + x^2 / I) = (1 + e) v, and with e = 1
 * nothing is lost. */
static void a_tilted_box_rebounds_by_its_inertia(void) {
    const double b = 0.6, h = 0.4, tilt = 0.35, speed = 1.5, dt = 1e-3;
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = scree_law_default();
        law.restitution = k == 0 ? 1 : 0.3;
        ScreeWorld *world = floor_with(dt, &law, rig_vec(0, 0, 0));
        double down = 0.5 * (b * sin(tilt) + h * cos(tilt)),
               x = 0.5 * (b * cos(tilt) - h * sin(tilt));
        ScreeShapeId box = rig_box(world, b, 0.7, h);
        Scene s = put(world, box, down + 0.25 * dt * speed, rig_rotation(rig_vec(0, 1, 0), tilt));
        rig_set_motion(world, s.body, rig_vec(0, 0, -speed), rig_vec(0, 0, 0));
        double inertia = s.mass * (b * b + h * h) / 12, start = 0.5 * s.mass * speed * speed;
        ScreeReport report = rig_step(world);
        double j = (1 + law.restitution) * speed / (1 / s.mass + x * x / inertia);
        ScreeBodyView view = scree_world_get_bodies(world);
        CHECK(report.converged);
        CHECK_NEAR(view.velocity[s.body].z, -speed + j / s.mass, 1e-10 * speed);
        CHECK_NEAR(fabs(view.spin[s.body].y), j * x / inertia, 1e-10 * speed / b);
        double left = start - 0.5 * j * speed * (1 - law.restitution);
        CHECK_NEAR(scree_world_get_kinetic_energy(world), left, 1e-10 * start);
        scree_world_destroy(world);
    }
}

/* Boxes that fly about in a box, without gravity, strike with corners, edges and faces, several at a
 * time; with friction or without, nothing of that makes energy. A body that turns freely keeps its own
 * to second order in the angle of a step, 1e-4 here. */
static void impacts_make_no_energy(void) {
    for (int k = 0; k < 4; k++) {
        ScreeLaw law = scree_law_default();
        law.restitution = k < 2 ? 1 : 0.8;
        law.friction = k % 2 == 0 ? 0 : 0.4;
        ScreeWorldDef def = scree_world_def_default();
        def.time_step = 5e-4;
        ScreeWorld *world = rig_create(&def);
        rig_law(world, &law);
        for (int i = 0; i < 3; i++) {
            ScreeVec3 n = rig_vec(i == 0, i == 1, i == 2);
            rig_add_plane(world, rig_vec(0, 0, 0), n);
            rig_add_plane(world, rig_vec(0.1, 0.1, 0.1), rig_scale(-1, n));
        }
        ScreeShapeId box = rig_box(world, 0.02, 0.016, 0.024);
        uint64_t random = 4 + (uint64_t)k;
        for (int i = 0; i < 27; i++) {
            ScreeBodyDef body = scree_body_def_default();
            body.shape = box;
            body.position = rig_vec(0.018 + 0.032 * (i % 3), 0.018 + 0.032 * (i / 3 % 3),
                                    0.018 + 0.032 * (i / 9));
            body.velocity = rig_random_vec(&random, 1, 3);
            body.spin = rig_random_vec(&random, 20, 3);
            rig_add_body(world, &body);
        }
        double energy = scree_world_get_kinetic_energy(world), start = energy, last = 0, gained = 0;
        int impacts = 0;
        for (int n = 0; n < 400 / CHECK_STRIDE; n++) {
            last = energy;
            ScreeReport report = rig_step(world);
            energy = scree_world_get_kinetic_energy(world);
            gained = fmax(gained, energy - last);
            impacts += report.contacts > 0;
        }
        CHECK(gained < 1e-6 * start && impacts > 50 / CHECK_STRIDE && energy > 0);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- springs */

/* A block on four springs sinks by m g / (4 k). Where a part q of its weight also pulls at its centre,
 * sideways, its foot moves by q m g / (4 k_t), and it leans by q m g (h / 2) / (k x^2), to first order
 * in how far it sinks over its height, 2e-5. */
static void blocks_sink_into_their_springs(void) {
    const double x = 0.5, h = 0.1, stiffness = 3e4, across = 2e4, q = 0.25;
    for (int pulled = 0; pulled < 2; pulled++) {
        ScreeLaw law = scree_law_default();
        law.friction = 0.9;
        law.stiffness = stiffness;
        law.stiffness_tangential = across;
        ScreeWorld *world = floor_with(0.1, &law, rig_vec(pulled ? q * g : 0, 0, -g));
        Scene s = put(world, rig_box(world, x, 0.4, h), h / 2, rig_upright);
        for (int n = 0; n < 400; n++) {
            rig_step(world);
        }
        double weight = s.mass * g, lean = pulled ? q * weight * h / 2 / (stiffness * x * x) : 0;
        double foot = pulled ? q * weight / (4 * across) : 0;
        ScreeVec3 at = scree_world_get_bodies(world).position[s.body];
        CHECK_NEAR(at.z - h / 2, -weight / (4 * stiffness), 1e-12);
        CHECK_NEAR(at.x, foot + h / 2 * lean, 2e-5 * fabs(at.x) + 1e-13);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- two coefficients */

/* On an incline between the two a block stays where it is put, and goes on sliding once it slides,
 * at g (sin - mu_d cos). */
static void blocks_hold_or_slide_on_an_incline(void) {
    const double angle = 0.5, dt = 1e-3;
    for (int slides = 0; slides < 2; slides++) {
        ScreeLaw law = scree_law_default();
        law.friction = tan(angle) - 0.2;
        law.friction_static = tan(angle) + 0.05;
        ScreeWorld *world = floor_with(dt, &law, rig_vec(g * sin(angle), 0, -g * cos(angle)));
        Scene s =
            put(world, rig_box(world, 1, 0.8, 0.3), 0.15, rig_rotation(rig_vec(0, 0, 1), 0.2));
        double v0 = slides ? 0.1 : 0, gain = slides ? 0.2 * g * cos(angle) : 0;
        rig_set_motion(world, s.body, rig_vec(v0, 0, 0), rig_vec(0, 0, 0));
        for (int n = 1; n <= 200; n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged && report.unsettled == 0);
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_VEC(b.velocity[s.body], rig_vec(v0 + gain * 200 * dt, 0, 0), 1e-9);
        CHECK_VEC(b.spin[s.body], rig_vec(0, 0, 0), 1e-9);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- cohesion */

/* A block under a ceiling hangs by its points as long as its weight is less than what they hold
 * together. It is pressed against the ceiling first. */
static double fallen_after_pull(ScreeShapeId (*shape)(ScreeWorld *), double height,
                                const ScreeLaw *law, double pull_over_strength, double strength) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, -1));
    Scene s = put(world, shape(world), -height, rig_rotation(rig_vec(0, 0, 1), 0.3));
    ScreeBodyId id = {s.body};
    for (int n = 0; n < 500; n++) {
        double force = n < 3 ? 1 : -pull_over_strength * strength;
        rig_must(scree_body_set_force(world, id, rig_vec(0, 0, force), rig_vec(0, 0, 0)), "force");
        rig_step(world);
    }
    double z = scree_world_get_bodies(world).position[s.body].z;
    scree_world_destroy(world);
    return -height - z;
}

static ScreeShapeId slab(ScreeWorld *world) {
    return rig_box(world, 0.6, 0.4, 0.2);
}

static void points_hold_together(void) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.5;
    law.cohesion = 2;
    law.cohesion_range = 1e-3;
    CHECK_NEAR(fallen_after_pull(slab, 0.1, &law, 0.999, 4 * law.cohesion), 0, 1e-9);
    CHECK(fallen_after_pull(slab, 0.1, &law, 1.05, 4 * law.cohesion) > 0.1);
}

/* By area: with nothing but stress, a slab and a hexagonal prism hold the area of their faces times
 * it, however many corners share it. */
static ScreeShapeId hexagon(ScreeWorld *world) {
    ScreeVec3 vertex[12];
    for (int k = 0; k < 12; k++) {
        vertex[k] =
            rig_vec(0.3 * cos(k * RIG_PI / 3), 0.3 * sin(k * RIG_PI / 3), k < 6 ? 0.1 : -0.1);
    }
    return rig_hull(world, vertex, 12, 0);
}

static void faces_hold_by_their_area(void) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.5;
    law.cohesion_stress = 30;
    law.cohesion_range = 1e-3;
    double strength = 0.6 * 0.4 * law.cohesion_stress;
    CHECK_NEAR(fallen_after_pull(slab, 0.1, &law, 0.999, strength), 0, 1e-9);
    CHECK(fallen_after_pull(slab, 0.1, &law, 1.05, strength) > 0.1);
    strength = 1.5 * sqrt(3) * 0.3 * 0.3 * law.cohesion_stress;
    CHECK_NEAR(fallen_after_pull(hexagon, 0.1, &law, 0.999, strength), 0, 1e-9);
    CHECK(fallen_after_pull(hexagon, 0.1, &law, 1.05, strength) > 0.1);
    law.cohesion = 2; /* the two add up: here six points */
    strength += 6 * law.cohesion;
    CHECK_NEAR(fallen_after_pull(hexagon, 0.1, &law, 0.999, strength), 0, 1e-9);
    CHECK(fallen_after_pull(hexagon, 0.1, &law, 1.05, strength) > 0.1);
}

/* Pushed at its centre, h / 2 above its foot, a block turns over its far edge; the glue pulls through
 * the middle of its foot, b / 2 from there: it holds up to stress b d (b / 2) / (h / 2). With a step
 * below it, only the part of its foot that stands on the step counts. The block lands first: what
 * touches is glued, whether it happens to carry load or not. */
static void glued_blocks_resist_overturning(void) {
    const double d = 0.4, h = 1.2, stress = 50, dt = 1e-3, foot = 0.5;
    for (int k = 0; k<4; k += CHECK_STRIDE> 1 ? 3 : 1) {
        bool on_step = k / 2 == 1, over = k % 2 == 1;
        ScreeLaw law = scree_law_default();
        law.friction = 20;
        law.cohesion_stress = stress;
        law.cohesion_range = 1e-3;
        ScreeWorldDef def = rig_def(3, dt, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        rig_law(world, &law);
        ScreeBodyDef step = scree_body_def_default();
        step.shape = rig_box(world, 2, 2, 0.2);
        step.position = rig_vec(1, 0, -0.1); /* from x = 0 on */
        step.frozen = SCREE_FREEZE_ALL;
        rig_add_body(world, &step);
        double b = on_step ? foot : 0.3, whole = on_step ? 0.8 : 0.3;
        ScreeShapeId shape = rig_box(world, whole, d, h);
        /* its far edge is at x = b */
        int32_t body =
            rig_add_solid(world, shape, rig_vec(b - whole / 2, 0, h / 2 + 1e-3), rig_upright);
        rig_set_motion(world, body, rig_vec(0, 0, -0.1), rig_vec(0, 0, 0));
        double most = stress * b * d * (b / 2) / (h / 2);
        int resting = 0;
        for (int n = 0; n < 400; n++) {
            double push = n < 50 ? 0 : (over ? 1.05 : 0.99) * most;
            rig_must(scree_body_set_force(world, (ScreeBodyId){body}, rig_vec(push, 0, 0),
                                          rig_vec(0, 0, 0)),
                     "force");
            ScreeReport report = rig_step(world);
            resting += n >= 20 && n < 50 && report.converged;
        }
        CHECK(resting == 30); /* whatever stress the landing has left between its corners */
        double turned = fabs(scree_world_get_bodies(world).orientation[body].y);
        CHECK(over ? turned > law.cohesion_range / b : turned < 1e-9); /* half of the angle */
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(rods_and_balls_roll_to_rest);
    CHECK_RUN(a_block_spins_to_rest);
    CHECK_RUN(flat_landings_rise_as_a_point_would);
    CHECK_RUN(a_tilted_box_rebounds_by_its_inertia);
    CHECK_RUN(impacts_make_no_energy);
    CHECK_RUN(blocks_sink_into_their_springs);
    CHECK_RUN(blocks_hold_or_slide_on_an_incline);
    CHECK_RUN(points_hold_together);
    CHECK_RUN(faces_hold_by_their_area);
    CHECK_RUN(glued_blocks_resist_overturning);
    return check_result();
}
