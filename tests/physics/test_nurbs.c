/* Bodies bounded by NURBS curves: round ones move as disks do, ellipses roll and rock by closed
 * forms, straight sides rest, collisions conserve what they must. */
#include "polygon_rig.h"
#include "shape/nurbs_shapes.h"

static const double g = 9.81;

static int32_t add_curve(ScreeWorld *world, const NurbsRig *rig) {
    ScreeShapeId id;
    rig_must(scree_world_add_nurbs(world, &rig->def, &id), scree_world_get_message(world));
    return id.index;
}

static int32_t add_ellipse(ScreeWorld *world, double a, double b) {
    NurbsRig rig;
    rig_ellipse(&rig, a, b, 0, 0, 0);
    return add_curve(world, &rig);
}

/* Two half circles of radius r about (-l, 0) and (l, 0), joined by straight sides. */
static int32_t add_stadium(ScreeWorld *world, double l, double r) {
    static const double x[] = {-1, 0, 1, 1, 1, 1, 1, 0, -1, -1, -1, -1, -1};
    static const double out[] = {0, 0, 0, 1, 1, 1, 0, 0, 0, -1, -1, -1, 0};
    static const double y[] = {-1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 0, -1, -1};
    static const double knot[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6};
    NurbsRig rig;
    for (int k = 0; k < 13; k++) {
        rig.point[k] = (ScreeVec3){l * x[k] + r * out[k], r * y[k], 0};
        rig.weight[k] = k == 3 || k == 5 || k == 9 || k == 11 ? sqrt(0.5) : 1;
    }
    memcpy(rig.knot, knot, sizeof knot);
    rig_bind(&rig, 2, 13);
    return add_curve(world, &rig);
}

/* ---------------------------------------------------------------- round curves */

/* A disk and a round curve, each in its own world with the same walls. */
typedef struct Twins {
    ScreeWorld *disk, *curve;
} Twins;

static void check_twins(Twins *t, int steps, double tolerance) {
    for (int n = 0; n < steps; n++) {
        rig_step(t->disk);
        rig_step(t->curve);
    }
    ScreeBodyView d = scree_world_get_bodies(t->disk), c = scree_world_get_bodies(t->curve);
    for (size_t i = 0; i < d.count; i++) {
        CHECK_VEC(c.position[i], d.position[i], tolerance);
        CHECK_VEC(c.velocity[i], d.velocity[i], tolerance);
        CHECK_NEAR(c.spin[i].z, d.spin[i].z, tolerance);
    }
}

static void add_twins(Twins *t, int32_t shape, double radius, ScreeBodyDef def) {
    def.radius = radius;
    rig_add_body(t->disk, &def);
    def.shape.index = shape;
    rig_add_body(t->curve, &def);
}

static Twins twins(double time_step, double friction) {
    ScreeVec3 down = rig_vec(0, -g, 0);
    return (Twins){rig_world(2, time_step, down, friction),
                   rig_world(2, time_step, down, friction)};
}

static void destroy_twins(Twins *t) {
    scree_world_destroy(t->disk);
    scree_world_destroy(t->curve);
}

/* Down a slope, with a spin: it slides, then rolls. Both bodies lie on the slope from the start: a
 * contact between shapes acts midway in the gap and one between round bodies on the surface, so
 * they would differ while it is open. */
static void round_curve_rolls_like_a_disk(void) {
    for (int k = 0; k < 3; k++) {
        double friction = k == 0 ? 0.05 : k == 1 ? 0.2 : 0.6;
        Twins t = twins(1e-3, friction);
        ScreeBodyDef body = scree_body_def_default();
        body.position = rig_vec(0.3 * sin(0.4), 0.3 * cos(0.4), 0);
        body.spin = rig_vec(0, 0, 3);
        add_twins(&t, add_ellipse(t.curve, 0.3, 0.3), 0.3, body);
        rig_add_plane(t.disk, rig_vec(0, 0, 0), rig_vec(sin(0.4), cos(0.4), 0));
        rig_add_plane(t.curve, rig_vec(0, 0, 0), rig_vec(sin(0.4), cos(0.4), 0));
        check_twins(&t, 1000, 1e-9);
        destroy_twins(&t);
    }
}

/* In a drum, from the side to rest at the bottom. */
static void round_curve_rolls_in_a_drum(void) {
    Twins t = twins(1e-3, 0.5);
    ScreeBodyDef body = scree_body_def_default();
    body.position = rig_vec(0.55, -0.2, 0);
    add_twins(&t, add_ellipse(t.curve, 0.3, 0.3), 0.3, body);
    ScreeWallDef drum = scree_wall_def_default();
    drum.shape = SCREE_WALL_CYLINDER;
    drum.radius = 1;
    drum.inside = true;
    rig_add_wall(t.disk, &drum);
    rig_add_wall(t.curve, &drum);
    ScreeBodyView c = scree_world_get_bodies(t.curve);
    double most = 0;
    for (int n = 0; n < 2000; n++) {
        rig_step(t.disk);
        most = fmax(most, rig_step(t.curve).overlap_max);
    }
    CHECK(most < 1e-5);
    ScreeBodyView d = scree_world_get_bodies(t.disk);
    CHECK_VEC(c.position[0], d.position[0], 2e-3);
    destroy_twins(&t);
}

/* A heap of disks, one of round curves and one of both fall into a box and come to rest alike. */
static void round_curves_fall_like_disks(void) {
    Twins t = twins(1e-3, 0.3);
    int32_t shape[2] = {add_ellipse(t.curve, 0.1, 0.1), add_ellipse(t.curve, 0.13, 0.13)};
    uint64_t random = 5;
    for (int i = 0; i < 20; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.position =
            rig_vec(0.3 * (i % 5) + 0.15 + 0.02 * rig_random(&random), 0.15 + 0.3 * (i / 5), 0);
        body.orientation = rig_turn_z(6 * rig_random(&random));
        add_twins(&t, i % 3 == 2 ? -1 : shape[i % 2], i % 2 ? 0.13 : 0.1, body);
    }
    ScreeWorld *both[2] = {t.disk, t.curve};
    for (int k = 0; k < 2; k++) {
        rig_add_plane(both[k], rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_plane(both[k], rig_vec(0, 0, 0), rig_vec(1, 0, 0));
        rig_add_plane(both[k], rig_vec(1.5, 0, 0), rig_vec(-1, 0, 0));
    }
    check_twins(&t, 250, 5e-2);
    destroy_twins(&t);
}

/* ---------------------------------------------------------------- ellipses */

/* An ellipse that rolls on a plane by a small angle about its short axis is a pendulum: its centre
 * is at b + (a^2/b - b) angle^2 / 2, and it turns about the contact with k^2 + b^2 per unit mass,
 * k^2 = (a^2 + b^2) / 4. So the square of its frequency is g (a^2/b - b) / (k^2 + b^2). */
static void ellipse_rocks_like_a_pendulum(void) {
    const double a = 1, b = 0.6, tilt = 0.02;
    double omega = sqrt(g * (a * a / b - b) / ((a * a + b * b) / 4 + b * b));
    double error[2];
    for (int k = 0; k < 2; k++) {
        double dt = (k == 0 ? 2e-3 : 1e-3) / omega;
        ScreeWorld *world = rig_world(2, dt, rig_vec(0, -g, 0), 1);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        double height = sqrt(a * a * sin(tilt) * sin(tilt) + b * b * cos(tilt) * cos(tilt));
        int32_t body = rig_add_shaped(world, add_ellipse(world, a, b), rig_vec(0, height, 0), tilt);
        double before = tilt, crossing = 0, most = 0;
        for (int n = 1; crossing == 0 && n < 10000; n++) {
            most = fmax(most, rig_step(world).overlap_max);
            double now = rig_angle(world, body);
            crossing = now <= 0 ? dt * (n - 1 + before / (before - now)) : 0;
            before = now;
        }
        error[k] = omega * crossing / (RIG_PI / 2) - 1;
        CHECK(most < 1e-6);
        scree_world_destroy(world);
    }
    CHECK_NEAR(error[0], 0, 4e-3);
    CHECK(fabs(error[1]) < 0.7 * fabs(error[0]) || fabs(error[1]) < 5e-4);
}

/* Falls on the plane at any angle and rocks: rolling loses nothing, the scheme a little, and
 * nothing makes energy (apart from what a first-order step adds in a fall and takes back) or enters
 * the plane. With rolling friction it comes to rest on its short axis, at the height b. */
static void ellipse_settles_without_gaining_energy(void) {
    const double a = 0.5, b = 0.3;
    for (int k = 0; k < 8; k++) {
        ScreeWorldDef def = rig_def(2, 2e-3, rig_vec(0, -g, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeMaterialDef material = scree_material_def_default();
        material.law.friction = 0.6;
        material.law.rolling = k < 4 ? 0 : 0.1;
        rig_must(scree_world_add_material(world, &material, NULL), "material");
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        int32_t body = rig_add_shaped(world, add_ellipse(world, a, b), rig_vec(0, 0.6, 0),
                                      0.3 + 0.3 * (k % 4));
        double overlap = 0, mass = scree_world_get_bodies(world).mass[body], energy = INFINITY,
               most = 0;
        for (int n = 0; n < 4000; n++) {
            ScreeReport r = rig_step(world);
            overlap = fmax(overlap, r.overlap_max);
            double now =
                r.kinetic_energy + mass * g * scree_world_get_bodies(world).position[body].y;
            CHECK_NEAR(r.energy_error, 0, 1e-12);
            energy = fmin(energy, now);
            most = fmax(most, now / energy - 1);
        }
        CHECK(most < 1e-2);
        CHECK(overlap < 1e-4 * a);
        if (k >= 4) {
            CHECK_NEAR(scree_world_get_bodies(world).position[body].y, b, 2e-2 * b);
            CHECK(scree_world_get_kinetic_energy(world) < 1e-9);
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- straight sides */

/* A stadium lies on its long side on a plane, and another one on it: two contacts each that carry
 * the weights, and nothing moves. */
static void straight_sides_rest_on_two_contacts(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -g, 0), 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    int32_t shape = add_stadium(world, 0.5, 0.2);
    for (int k = 0; k < 3; k++) {
        rig_add_shaped(world, shape, rig_vec(0.1 * k, 0.2 + 0.4 * k, 0), 0);
    }
    double weight = scree_world_get_bodies(world).mass[0] * g;
    for (int n = 0; n < 300; n++) {
        ScreeReport r = rig_step(world);
        CHECK(r.converged && r.overlap_max < 1e-9);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    for (int k = 0; k < 3; k++) {
        CHECK_VEC(b.position[k], rig_vec(0.1 * k, 0.2 + 0.4 * k, 0), 1e-8);
        CHECK_NEAR(rig_angle(world, k), 0, 1e-8);
        RigLoad load = rig_load(world, k);
        CHECK_NEAR(load.force.y, weight, 1e-6 * weight);
        CHECK_NEAR(load.torque, 0, 1e-6 * weight);
        CHECK(load.contacts >= (k == 2 ? 2 : 4));
    }
    scree_world_destroy(world);
}

/* On a slope it slides beyond the angle of friction and stays below it; when gravity is tilted past
 * its corner, half the width of the side over the height of the centre, it tips over. */
static void straight_sides_slide_and_tip(void) {
    for (int k = 0; k < 4; k++) {
        double limit = k < 2 ? 0.3 : 0.5 / 0.2, slope = atan(limit * (k % 2 ? 1.05 : 0.95));
        ScreeWorld *world =
            rig_world(2, 1e-3, rig_vec(g * sin(slope), -g * cos(slope), 0), k < 2 ? 0.3 : 10);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_shaped(world, add_stadium(world, 0.5, 0.2), rig_vec(0, 0.2, 0), 0);
        for (int n = 0; n < 500; n++) {
            rig_step(world);
        }
        double x = scree_world_get_bodies(world).position[0].x, angle = rig_angle(world, 0);
        if (k % 2 == 0) {
            CHECK_NEAR(x, 0, 1e-9);
            CHECK_NEAR(angle, 0, 1e-9);
        } else {
            double travel = 0.5 * g * (sin(slope) - 0.3 * cos(slope)) * 0.25;
            CHECK(k == 1 ? fabs(x - travel) < 5e-3 * travel && fabs(angle) < 1e-6 : angle < -0.01);
        }
        scree_world_destroy(world);
    }
}

/* A polygon as a curve of degree 1 rests as the polygon does. */
static void polygon_as_a_curve_rests_like_a_polygon(void) {
    static const ScreeVec3 block[] = {
        {-0.5, -0.2, 0}, {0.5, -0.2, 0}, {0.5, 0.2, 0}, {-0.5, 0.2, 0}};
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -g, 0), 0.5);
    NurbsRig rig;
    rig_polygon(&rig, block, 4);
    int32_t curve = add_curve(world, &rig), polygon = rig_add_polygon_shape(world, block, 4, 0);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_shaped(world, curve, rig_vec(0, 0.2, 0), 0);
    rig_add_shaped(world, polygon, rig_vec(0.2, 0.6, 0), 0);
    rig_add_shaped(world, curve, rig_vec(0.05, 1.0, 0), 0);
    for (int n = 0; n < 300; n++) {
        ScreeReport r = rig_step(world);
        CHECK(r.converged && r.overlap_max < 1e-9);
    }
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(scree_world_get_bodies(world).position[k].y, 0.2 + 0.4 * k, 1e-8);
        CHECK_NEAR(rig_angle(world, k), 0, 1e-8);
    }
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- symmetry */

/* Ellipses and stadiums fall into a trough as mirror images about x = 0, and stay so. Without
 * friction the motion is unique. */
static void mirrored_piles_stay_mirrored(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -g, 0), 0);
    int32_t shape[2] = {add_ellipse(world, 0.3, 0.18), add_stadium(world, 0.15, 0.12)};
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0.5, sqrt(0.75), 0));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(-0.5, sqrt(0.75), 0));
    for (int k = 0; k < 6; k++) {
        for (int side = -1; side <= 1; side += 2) {
            ScreeVec3 at = rig_vec(side * (0.45 + 0.1 * (k % 2)), 0.8 + 0.6 * k, 0);
            rig_add_shaped(world, shape[k % 2], at, side * (0.3 + 0.4 * k));
        }
    }
    for (int n = 0; n < 400; n++) {
        rig_step(world);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    for (int32_t k = 0; k < 12; k += 2) {
        CHECK_NEAR(b.position[k].x, -b.position[k + 1].x, 1e-6);
        CHECK_NEAR(b.position[k].y, b.position[k + 1].y, 1e-6);
        CHECK_NEAR(rig_angle(world, k), -rig_angle(world, k + 1), 1e-6);
        CHECK(b.position[k + 1].x > 0);
    }
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- collisions */

/* Nine bodies with no two kinds of neighbours alike: stars, letters U, ellipses, a disk, a
 * polygon. */
static ScreeWorld *crowd(void) {
    static const ScreeVec3 square[] = {
        {-0.7, -0.7, 0}, {0.7, -0.7, 0}, {0.7, 0.7, 0}, {-0.7, 0.7, 0}};
    ScreeWorld *world = rig_world(2, 2e-3, rig_vec(0, 0, 0), 0.4);
    NurbsRig star, notch;
    rig_star(&star, 3, 5, 1.3, 0.4);
    rig_notch(&notch, 3);
    for (size_t k = 0; k < notch.def.points; k++) {
        notch.point[k] = rig_scale(0.45, notch.point[k]);
    }
    int32_t shape[5] = {add_curve(world, &star), add_curve(world, &notch),
                        add_ellipse(world, 1, 0.5), -1,
                        rig_add_polygon_shape(world, square, 4, 0.1)};
    uint64_t random = 7;
    for (int i = 0; i < 9; i++) {
        ScreeVec3 at = rig_vec(2.6 * (i % 3 - 1), 2.6 * (i / 3 - 1), 0);
        ScreeBodyDef body = rig_shaped(shape[(2 * i) % 5], at, 6 * rig_random(&random));
        body.radius = 0.8;
        body.velocity = rig_add(rig_scale(-1.5, at), 1, rig_random_vec(&random, 0.5, 2));
        body.spin = rig_vec(0, 0, 8 * rig_random(&random) - 4);
        rig_add_body(world, &body);
    }
    return world;
}

static void collisions_of_curves_conserve(void) {
    ScreeWorld *world = crowd();
    double energy = scree_world_get_kinetic_energy(world), first = energy, overlap = 0;
    ScreeVec3 start = rig_momentum(world), angular = rig_angular_momentum(world);
    for (int n = 0; n < 1500; n++) {
        ScreeReport report = rig_step(world);
        CHECK_VEC(rig_momentum(world), start, 1e-9);
        CHECK_VEC(rig_angular_momentum(world), angular, 1e-8);
        CHECK_NEAR(report.energy_error, 0, 1e-11 * first);
        CHECK(report.kinetic_energy <= energy + 1e-12 * first);
        energy = report.kinetic_energy;
        overlap = fmax(overlap, report.overlap_max);
    }
    CHECK(energy < 0.5 * first);
    CHECK(overlap < 2e-3);
    ScreeOverlap found;
    CHECK(scree_world_find_overlaps(world, &found) == SCREE_OK);
    CHECK(found.depth < 2e-3);
    scree_world_destroy(world);
}

/* Saved and loaded on the way, with other threads: the same bits. */
static void restarts_and_threads_change_no_bit(void) {
    ScreeWorld *world = crowd();
    for (int n = 0; n < 400; n++) {
        rig_step(world);
    }
    size_t size = 0;
    CHECK(scree_world_save(world, NULL, &size) == SCREE_OK);
    void *bytes = malloc(size);
    CHECK(scree_world_save(world, bytes, &size) == SCREE_OK);
    ScreeWorld *loaded = NULL;
    CHECK(scree_world_load(bytes, size, &loaded, NULL) == SCREE_OK);
    free(bytes);
    CHECK(scree_world_set_threads(loaded, 2) == SCREE_OK);
    for (int n = 0; n < 400; n++) {
        rig_step(world);
        rig_step(loaded);
    }
    CHECK(scree_world_hash(world) == scree_world_hash(loaded));
    CHECK(scree_world_get_shape_count(loaded) == 4);
    scree_world_destroy(world);
    scree_world_destroy(loaded);
}

int main(int argc, char **argv) {
    CHECK_RUN(round_curve_rolls_like_a_disk);
    CHECK_RUN(round_curve_rolls_in_a_drum);
    CHECK_RUN(round_curves_fall_like_disks);
    CHECK_RUN(ellipse_rocks_like_a_pendulum);
    CHECK_RUN(ellipse_settles_without_gaining_energy);
    CHECK_RUN(straight_sides_rest_on_two_contacts);
    CHECK_RUN(straight_sides_slide_and_tip);
    CHECK_RUN(polygon_as_a_curve_rests_like_a_polygon);
    CHECK_RUN(mirrored_piles_stay_mirrored);
    CHECK_RUN(collisions_of_curves_conserve);
    CHECK_RUN(restarts_and_threads_change_no_bit);
    return check_result();
}
