/* Static increments in strides: a plate pushes an ellipse over, beside disks on springs. */
#include "physics/polygon_rig.h"
#include "shape/nurbs_shapes.h"

enum { ELLIPSE, PLATE, DISK, PINNED };

static const double half_long = 1, half_short = 0.5;

/* Height of an ellipse whose long axis leans by `angle` from the vertical, and the lever: how far
 * to the side of its centre it touches. */
static double height(double angle) {
    return 2 * hypot(half_long * cos(angle), half_short * sin(angle));
}

static double lever(double angle) {
    double square = half_long * half_long - half_short * half_short;
    return 2 * square * sin(angle) * cos(angle) / height(angle);
}

/* The angle by which it leans when it is so high. */
static double leaning(double high) {
    double a = half_long * half_long, b = half_short * half_short;
    return asin(sqrt((a - high * high / 4) / (a - b)));
}

typedef struct Press {
    ScreeWorld *world;
    double torque, push; /* on the ellipse, and on the disk */
} Press;

static const double stiffness = 1e3, tangential = 500, friction = 0.5, drag = 3e-3, pressed = 1e-3;

/* A floor that moves sideways. On it a smooth ellipse, which a torque would raise, under a plate
 * that comes down; a disk that is held sideways; and a pinned disk. */
static Press press(double angle, double speed, double overlap) {
    Press p = {.torque = 3, .push = 10};
    ScreeWorldDef def = rig_def(2, 1, rig_vec(0, 0, 0));
    def.engine = SCREE_ENGINE_QUASISTATIC;
    def.solver.overlap = overlap;
    p.world = rig_create(&def);
    ScreeLaw soft = scree_law_default();
    soft.stiffness = stiffness;
    soft.stiffness_tangential = tangential;
    soft.friction = friction;
    int32_t smooth = rig_material(p.world, 0), springy = rig_law(p.world, &soft);
    NurbsRig rig;
    ScreeShapeId oval = SCREE_NO_SHAPE;
    int32_t bar = rig_add_rectangle_shape(p.world, 6, 1);
    rig_ellipse(&rig, half_short, half_long, 0, 0, 0);
    rig_must(scree_world_add_nurbs(p.world, &rig.def, &oval), scree_world_get_message(p.world));
    ScreeBodyDef body = rig_shaped(oval.index, rig_vec(0, height(angle) / 2, 0), -angle);
    body.material.index = smooth;
    body.torque = rig_vec(0, 0, p.torque);
    rig_add_body(p.world, &body);
    body = rig_shaped(bar, rig_vec(0, height(angle) + 0.5, 0), 0);
    body.material.index = smooth;
    body.frozen = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_ROTATION_Z;
    body.velocity = rig_vec(0, -speed, 0);
    rig_add_body(p.world, &body);
    body = rig_ball(rig_vec(10, 0.5 - p.push / stiffness, 0), 0.5, 1);
    body.material.index = springy;
    body.frozen = SCREE_FREEZE_X | SCREE_FREEZE_ROTATION_Z;
    body.force = rig_vec(0, -p.push, 0);
    rig_add_body(p.world, &body);
    body.frozen = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_ROTATION_Z;
    body.position = rig_vec(14, 0.5 - pressed, 0);
    rig_add_body(p.world, &body);
    ScreeWallDef floor = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    floor.motion = SCREE_WALL_MOVED;
    floor.velocity = rig_vec(drag, 0, 0);
    rig_add_wall(p.world, &floor);
    return p;
}

static double plate_height(const Press *p) {
    return scree_world_get_bodies(p->world).position[PLATE].y - 0.5;
}

/* The friction that the floor exerts on a disk. */
static double friction_on(const Press *p, int32_t disk) {
    return rig_load(p->world, disk).force.x;
}

/* With linear gaps alone the ellipse would end up inside the plate by some per cent of its size. In
 * strides it is as high as the plate at all times, up to the allowed overlap, and carries its
 * torque. The certificate reports the actual overlap. */
static void ellipse_stays_level_with_the_plate(void) {
    const double start = 1.1, speed = 0.045;
    for (int k = 0; k < 3; k++) {
        const double overlap = pow(10, -3 - k);
        Press p = press(start, speed, overlap);
        int64_t strides = 0;
        for (int step = 1; step <= 5; step++) {
            ScreeReport report = rig_step(p.world);
            double high = plate_height(&p), angle = -rig_angle(p.world, ELLIPSE);
            CHECK_CLOSE(high, height(start) - speed * step, 1e-12);
            CHECK(report.converged == 1);
            CHECK(fabs(height(angle) - high) < overlap);
            /* the lever is that of the last stride, which turns the ellipse by f with f^2 / 2 <
             * overlap */
            double bearing = p.torque / (2 * lever(leaning(high)));
            CHECK_CLOSE(rig_load(p.world, PLATE).force.y, bearing, sqrt(2 * overlap) * tan(angle));
            CHECK(fabs(rig_load(p.world, ELLIPSE).force.y) < 1e-4);
            CHECK(fabs(report.energy_error) < 1e-5);
            CHECK(report.overlap_max < p.push / stiffness + 1e-6); /* that of the disk's spring */
            strides += report.strides;
        }
        CHECK(strides >= 4);
        scree_world_destroy(p.world);
    }
}

/* The floor stretches the disk's spring in proportion until it slides, as if the increment were a
 * single one. */
static void springs_stretch_as_in_a_single_increment(void) {
    Press p = press(1.1, 0.045, 1e-4);
    double stored = 0; /* the disk's initial energy was never supplied */
    for (int step = 1; step <= 4; step++) {
        double angle = rig_angle(p.world, ELLIPSE),
               y = scree_world_get_bodies(p.world).position[DISK].y;
        ScreeReport report = rig_step(p.world);
        CHECK(report.strides > 0 && report.cuts == 0);
        CHECK_CLOSE(friction_on(&p, DISK), fmin(tangential * drag * step, friction * p.push), 2e-5);
        /* work and losses of the strides add up */
        double turned = rig_angle(p.world, ELLIPSE) - angle;
        double sunk = y - scree_world_get_bodies(p.world).position[DISK].y;
        CHECK_CLOSE(report.work_external, p.torque * turned + p.push * sunk, 1e-9);
        double spent = report.dissipation + report.dissipation_scheme;
        double gained = report.energy_elastic - stored;
        CHECK(fabs(report.work_external + report.work_walls - spent - gained) < 1e-6);
        stored = report.energy_elastic;
    }
    scree_world_destroy(p.world);
}

/* The pinned disk slides by s with associated friction, which lifts it by mu s for the length of
 * the increment: N = k (d + mu s), and mu N = T + k_t (x - s) with T the friction before. The
 * number of strides does not matter. */
static void sliding_lifts_as_in_a_single_increment(void) {
    Press p = press(1.1, 0.045, 1e-4);
    double held = 0;
    for (int step = 1; step <= 4; step++) {
        double slide = (held + tangential * drag - friction * stiffness * pressed) /
                       (tangential + friction * friction * stiffness);
        held = friction * stiffness * (pressed + friction * slide);
        CHECK(rig_step(p.world).strides > 0);
        CHECK_CLOSE(friction_on(&p, PINNED), held, 1e-5);
        CHECK_CLOSE(rig_load(p.world, PINNED).force.y, held / friction, 1e-5);
    }
    scree_world_destroy(p.world);
}

/* The plate is sent lower than the ellipse is thick: the first strides succeed, and when the last
 * one cannot, everything is put back. Then the test goes on from where it was. */
static void failed_increment_moves_nothing(void) {
    Press p = press(1.0, 0.05, 1e-3);
    rig_step(p.world);
    double high = plate_height(&p);
    const ScreeVec3 none = rig_vec(0, 0, 0), fast = rig_vec(0, -(high - 0.9), 0);
    rig_must(scree_body_set_velocity(p.world, (ScreeBodyId){PLATE}, fast, none), "velocity");
    ScreeVec3 position[4];
    memcpy(position, scree_world_get_bodies(p.world).position, sizeof position);
    double angle = rig_angle(p.world, ELLIPSE), floor = rig_wall(p.world, 0).now.point.x;
    ScreeReport report;
    CHECK(scree_world_step(p.world, &report) == SCREE_NO_SOLUTION);
    CHECK(strstr(scree_world_get_message(p.world), "there is no equilibrium") != NULL);
    CHECK(memcmp(position, scree_world_get_bodies(p.world).position, sizeof position) == 0);
    CHECK(rig_angle(p.world, ELLIPSE) == angle && rig_wall(p.world, 0).now.point.x == floor);
    CHECK(scree_world_get_step_count(p.world) == 1 && scree_world_get_time(p.world) == 1);
    CHECK(scree_world_get_def(p.world).time_step == 1);
    rig_must(scree_body_set_velocity(p.world, (ScreeBodyId){PLATE}, rig_vec(0, -0.05, 0), none),
             "velocity");
    rig_step(p.world);
    CHECK_CLOSE(friction_on(&p, DISK), 2 * tangential * drag, 1e-5);
    CHECK_CLOSE(height(rig_angle(p.world, ELLIPSE)), high - 0.05, 1.001e-3);
    scree_world_destroy(p.world);
}

/* Saved and loaded between steps, it goes on with the same bits. */
static void restarted_press_goes_on_bit_for_bit(void) {
    Press p = press(1.1, 0.045, 1e-4);
    static unsigned char buffer[1 << 20];
    size_t size = sizeof buffer;
    rig_step(p.world);
    rig_must(scree_world_save(p.world, buffer, &size), "save");
    ScreeWorld *other = NULL;
    rig_must(scree_world_load(buffer, size, &other, NULL), "load");
    for (int step = 0; step < 2; step++) {
        CHECK(rig_step(p.world).strides > 0);
        rig_step(other);
    }
    CHECK(scree_world_hash(p.world) == scree_world_hash(other));
    scree_world_destroy(other);
    scree_world_destroy(p.world);
}

int main(int argc, char **argv) {
    CHECK_RUN(ellipse_stays_level_with_the_plate);
    CHECK_RUN(springs_stretch_as_in_a_single_increment);
    CHECK_RUN(sliding_lifts_as_in_a_single_increment);
    CHECK_RUN(failed_increment_moves_nothing);
    CHECK_RUN(restarted_press_goes_on_bit_for_bit);
    return check_result();
}
