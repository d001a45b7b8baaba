/* Every public function with arguments that it must refuse: it returns the right status, says why,
 * and leaves the world unchanged. */
#include "scenes.h"

/* A world with two bodies, a fixed wall 0, a piston 1 and a removed wall 2, after a few steps. */
static ScreeWorld *small_world(int dimension) {
    ScreeWorld *world = rig_world(dimension, 0.01, rig_vec(0, -10, 0), 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(0, 9, 0), rig_vec(0, -1, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 1;
    rig_add_wall(world, &lid);
    rig_must(scree_wall_remove(
                 world, (ScreeWallId){rig_add_plane(world, rig_vec(0, -5, 0), rig_vec(0, 1, 0))}),
             "remove");
    rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 1);
    rig_add_ball(world, rig_vec(0, 1.5, 0), 0.5, 1);
    for (int step = 0; step < 3; step++) {
        rig_step(world);
    }
    return world;
}

static void expect(ScreeWorld *world, ScreeStatus got, ScreeStatus wanted, uint64_t before,
                   int line) {
    bool ok = got == wanted && scree_world_hash(world) == before &&
              scree_world_get_message(world)[0] != '\0';
    CHECK(ok);
    if (!ok) {
        fprintf(stderr, "    line %d: status %d, wanted %d; %s; message \"%s\"\n", line, (int)got,
                (int)wanted, scree_world_hash(world) == before ? "unchanged" : "CHANGED",
                scree_world_get_message(world));
    }
}
#define REFUSED(world, call, wanted)                                                               \
    do {                                                                                           \
        uint64_t hash_before = scree_world_hash(world);                                            \
        expect((world), (call), (wanted), hash_before, __LINE__);                                  \
    } while (0)

static const double bad[] = {NAN, INFINITY, -INFINITY};

/* Puts fault number `i` into a definition; false when there are no more. */
static bool spoil_world(ScreeWorldDef *d, int i) {
    double *const number[] = {&d->time_step, &d->gravity.x,        &d->gravity.z,
                              &d->skin,      &d->solver.tolerance, &d->solver.small_force};
    if (i < 18) {
        *number[i / 3] = bad[i % 3];
        return true;
    }
    const ScreeWorldDef good = *d;
    ScreeWorldDef fault[] = {good, good, good, good, good, good, good, good, good, good, good,
                             good, good, good, good, good, good, good, good, good, good, good};
    fault[0].time_step = 0;
    fault[1].time_step = -1;
    fault[2].dimension = 1;
    fault[3].dimension = 4;
    fault[4].skin = -1;
    fault[5].threads = 0;
    fault[6].solver.iterations = 0;
    fault[7].solver.iterations = -5;
    fault[8].solver.tolerance = -1;
    fault[9].solver.small_force = -1;
    fault[10].solver.order = SCREE_ORDER_COUNT;
    fault[11].solver.order = (ScreeOrder)-1;
    fault[12].solver.criterion = SCREE_CRITERION_COUNT;
    fault[13].periodic[0] = true; /* no cell */
    fault[14].periodic[1] = true;
    fault[14].cell_min.y = 3;
    fault[14].cell_max.y = 2;
    fault[15].periodic[2] = true;
    fault[15].cell_max.z = NAN;
    fault[16].periodic[0] = true;
    fault[16].cell_max.x = INFINITY;
    fault[17].dimension = 2;
    fault[17].periodic[2] = true;
    fault[17].cell_max = rig_vec(9, 9, 9);
    fault[18].dimension = 2;
    fault[18].gravity.z = 1;
    fault[19].dimension = 0;
    fault[20].threads = -3;
    fault[21].time_step = -0.0;
    bool more = i - 18 < (int)(sizeof fault / sizeof fault[0]);
    *d = more ? fault[i - 18] : good;
    return more;
}

static void bad_world_definitions_are_refused(void) {
    for (int i = 0;; i++) {
        ScreeWorldDef d = scree_world_def_default();
        d.time_step = 0.1;
        ScreeWorld *world = (ScreeWorld *)&d;
        char message[SCREE_MESSAGE_SIZE] = "";
        if (!spoil_world(&d, i)) {
            CHECK(i == 40 && scree_world_create(&d, &world, message) == SCREE_OK);
            scree_world_destroy(world);
            break;
        }
        CHECK(scree_world_create(&d, &world, message) == SCREE_BAD_ARGUMENT);
        CHECK(world == NULL && message[0] != '\0');
        CHECK(scree_world_create(&d, &world, NULL) == SCREE_BAD_ARGUMENT);
        scree_world_destroy(world);
    }
}

static void bad_settings_are_refused(void) {
    ScreeWorld *world = small_world(2);
    for (int i = 0; i < 3; i++) {
        REFUSED(world, scree_world_set_gravity(world, rig_vec(0, bad[i], 0)), SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_world_set_time_step(world, bad[i]), SCREE_BAD_ARGUMENT);
    }
    REFUSED(world, scree_world_set_gravity(world, rig_vec(0, 0, 1)), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_world_set_time_step(world, 0), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_world_set_time_step(world, -1), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_world_set_threads(world, 0), SCREE_BAD_ARGUMENT);
    ScreeSolverDef solver = scree_solver_def_default();
    solver.iterations = 0;
    REFUSED(world, scree_world_set_solver(world, &solver), SCREE_BAD_ARGUMENT);
    solver = scree_solver_def_default();
    solver.tolerance = NAN;
    REFUSED(world, scree_world_set_solver(world, &solver), SCREE_BAD_ARGUMENT);
    solver.tolerance = 0;
    solver.criterion = (ScreeCriterion)99;
    REFUSED(world, scree_world_set_solver(world, &solver), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

static void bad_materials_and_laws_are_refused(void) {
    ScreeWorld *world = small_world(3);
    for (int i = 0; i < 10; i++) {
        ScreeMaterialDef m = scree_material_def_default();
        static const double wrong[] = {NAN, INFINITY, -INFINITY, -1, 0};
        *(i < 5 ? &m.density : &m.law.friction) = wrong[i % 5];
        ScreeMaterialId id = {-7};
        if (i != 9) { /* zero friction is fine */
            REFUSED(world, scree_world_add_material(world, &m, &id), SCREE_BAD_ARGUMENT);
            CHECK(id.index == -7);
        }
    }
    ScreeLaw law = scree_law_default();
    static const int32_t ids[] = {-1, 1, 99, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        REFUSED(world, scree_law_set(world, (ScreeMaterialId){ids[i]}, (ScreeMaterialId){0}, &law),
                SCREE_BAD_ID);
        REFUSED(world, scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){ids[i]}, &law),
                SCREE_BAD_ID);
        ScreeLaw got = {.friction = 5};
        CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){ids[i]}, &got) ==
                  SCREE_BAD_ID &&
              got.friction == 5);
        CHECK(scree_law_get(world, (ScreeMaterialId){ids[i]}, (ScreeMaterialId){0}, &got) ==
              SCREE_BAD_ID);
    }
    for (int i = 0; i < 4; i++) {
        law.friction = i < 3 ? bad[i] : -0.1;
        REFUSED(world, scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law),
                SCREE_BAD_ARGUMENT);
    }
    scree_world_destroy(world);
}

/* Puts a bad number into field `i` of a body; false when there is no such field. */
static bool spoil_body(ScreeBodyDef *b, int i, double x) {
    double *const field[] = {
        &b->position.x,    &b->position.y,   &b->position.z, &b->velocity.x,    &b->velocity.y,
        &b->velocity.z,    &b->spin.x,       &b->spin.y,     &b->spin.z,        &b->force.x,
        &b->force.y,       &b->force.z,      &b->torque.x,   &b->torque.y,      &b->torque.z,
        &b->radius,        &b->mass,         &b->inertia,    &b->orientation.w, &b->orientation.x,
        &b->orientation.y, &b->orientation.z};
    if (i < (int)(sizeof field / sizeof field[0])) {
        *field[i] = x;
        return true;
    }
    return false;
}

/* One bad body among three: none is added. */
static void refuse_bad_numbers(ScreeWorld *world) {
    ScreeBodyDef three[3];
    for (int which = 0; which < 3; which++) {
        for (int field = 0;; field++) {
            for (int i = 0; i < 3; i++) {
                three[i] = rig_ball(rig_vec(5 + 2 * i, 5, 0), 0.5, 1);
            }
            if (!spoil_body(&three[1], field, bad[which])) {
                break;
            }
            ScreeBodyId first = {-7};
            REFUSED(world, scree_world_add_bodies(world, three, 3, &first), SCREE_BAD_ARGUMENT);
            CHECK(first.index == -7 && scree_world_get_bodies(world).count == 2);
        }
    }
}

static void bad_bodies_are_refused(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = small_world(dimension);
        refuse_bad_numbers(world);
        const ScreeBodyDef good = rig_ball(rig_vec(5, 5, 0), 0.5, 1);
        ScreeBodyDef fault[] = {good, good, good, good, good, good, good, good, good, good, good};
        fault[0].radius = 0;
        fault[1].radius = -1;
        fault[2].mass = -1;
        fault[3].inertia = -1;
        fault[4].material.index = -1;
        fault[5].material.index = 1;
        fault[6].frozen = 64;
        fault[7].orientation = (ScreeQuat){0, 0, 0, 0};
        fault[8].mass = 0; /* the mass computed from the radius underflows */
        fault[8].radius = 1e-170;
        fault[9].mass = 0; /* the mass computed from the radius overflows */
        fault[9].radius = 1e160;
        fault[10].material.index = INT32_MAX;
        for (size_t i = 0; i < sizeof fault / sizeof fault[0]; i++) {
            REFUSED(world, scree_world_add_bodies(world, &fault[i], 1, NULL), SCREE_BAD_ARGUMENT);
        }
        /* out of the plane: velocity and force along z, spin and torque about x and y */
        static const int out[] = {5, 6, 7, 11, 12, 13};
        for (int i = 0; i < 6 && dimension == 2; i++) {
            ScreeBodyDef b = good;
            spoil_body(&b, out[i], 1);
            REFUSED(world, scree_world_add_bodies(world, &b, 1, NULL), SCREE_BAD_ARGUMENT);
        }
        CHECK(scree_world_add_bodies(world, NULL, 0, NULL) == SCREE_OK);
        CHECK(scree_world_add_bodies(world, &good, 1, NULL) == SCREE_OK);
        scree_world_destroy(world);
    }
}

static void bad_body_changes_are_refused(void) {
    ScreeWorld *world = small_world(2);
    const ScreeVec3 o = rig_vec(0, 0, 0);
    static const int32_t ids[] = {-1, 2, 1000000, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 5; i++) {
        REFUSED(world, scree_body_set_position(world, (ScreeBodyId){ids[i]}, o), SCREE_BAD_ID);
        REFUSED(world, scree_body_set_velocity(world, (ScreeBodyId){ids[i]}, o, o), SCREE_BAD_ID);
        REFUSED(world, scree_body_set_force(world, (ScreeBodyId){ids[i]}, o, o), SCREE_BAD_ID);
        REFUSED(world, scree_body_set_frozen(world, (ScreeBodyId){ids[i]}, 0), SCREE_BAD_ID);
    }
    for (int i = 0; i < 3; i++) {
        const ScreeVec3 x = rig_vec(0, bad[i], 0), z = rig_vec(0, 0, bad[i]);
        REFUSED(world, scree_body_set_position(world, (ScreeBodyId){0}, x), SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_body_set_velocity(world, (ScreeBodyId){0}, x, o), SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_body_set_velocity(world, (ScreeBodyId){0}, o, z), SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_body_set_force(world, (ScreeBodyId){0}, x, o), SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_body_set_force(world, (ScreeBodyId){0}, o, z), SCREE_BAD_ARGUMENT);
    }
    const ScreeVec3 out = rig_vec(0, 0, 1), tilt = rig_vec(1, 0, 0);
    REFUSED(world, scree_body_set_position(world, (ScreeBodyId){0}, out), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_body_set_velocity(world, (ScreeBodyId){0}, out, o), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_body_set_velocity(world, (ScreeBodyId){0}, o, tilt), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_body_set_force(world, (ScreeBodyId){0}, out, o), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_body_set_force(world, (ScreeBodyId){0}, o, tilt), SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_body_set_frozen(world, (ScreeBodyId){0}, 64), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/* A sound wall of each shape, to be spoiled. */
static ScreeWallDef sound_wall(int shape) {
    ScreeWallDef w = rig_plane(rig_vec(0, -1, 0), rig_vec(0, 1, 0));
    w.shape = (ScreeWallShape)shape;
    w.end = rig_vec(1, -1, 0);
    w.half = rig_vec(1, 1, 1);
    w.radius = 1;
    return w;
}

static void refuse_bad_wall_numbers(ScreeWorld *world) {
    for (int shape = 0; shape < SCREE_WALL_SHAPE_COUNT; shape++) {
        for (int i = 0; i < 36; i++) {
            ScreeWallDef w = sound_wall(shape);
            double *const all[] = {&w.point.x,       &w.normal.y,   &w.end.x,   &w.half.z,
                                   &w.orientation.w, &w.axis.z,     &w.radius,  &w.length,
                                   &w.spin.z,        &w.velocity.x, &w.pivot.x, &w.mass};
            *all[i / 3] = bad[i % 3];
            REFUSED(world, scree_world_add_wall(world, &w, NULL), SCREE_BAD_ARGUMENT);
        }
    }
}

/* Puts fault number `i` into a wall; false when there are no more. */
static bool spoil_wall(ScreeWallDef *w, int i) {
    const ScreeWallDef plane = sound_wall(SCREE_WALL_PLANE), tube = sound_wall(SCREE_WALL_CYLINDER),
                       box = sound_wall(SCREE_WALL_BLOCK);
    ScreeWallDef piston = plane;
    piston.motion = SCREE_WALL_PISTON;
    piston.mass = 1;
    ScreeWallDef fault[] = {plane, plane, plane,  plane,  plane,  plane, tube,   tube, tube, tube,
                            box,   box,   piston, piston, piston, box,   piston, box,  plane};
    fault[0].normal = rig_vec(0, 0, 0);
    fault[1].shape = SCREE_WALL_SHAPE_COUNT;
    fault[2].shape = (ScreeWallShape)-1;
    fault[3].motion = SCREE_WALL_MOTION_COUNT;
    fault[4].material.index = 1;
    fault[5].material.index = -2;
    fault[6].radius = 0;
    fault[7].radius = -1;
    fault[8].length = -1;
    fault[9].axis = rig_vec(0, 0, 0);
    fault[10].half.x = 0;
    fault[11].half.y = -1;
    fault[12].mass = 0;
    fault[13].mass = -2;
    fault[14].force.x = NAN;
    fault[15].motion = SCREE_WALL_PISTON; /* and no direction */
    fault[15].mass = 1;
    fault[16].direction.y = INFINITY;
    fault[17].orientation = (ScreeQuat){0, 0, 0, 0};
    fault[18].motion = (ScreeWallMotion)-1;
    bool more = i < (int)(sizeof fault / sizeof fault[0]);
    *w = more ? fault[i] : plane;
    return more;
}

static void bad_walls_are_refused(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = small_world(dimension);
        refuse_bad_wall_numbers(world);
        ScreeWallDef w = sound_wall(
            SCREE_WALL_SEGMENT); /* refused in space; in the plane its ends must differ */
        w.end = w.point;
        REFUSED(world, scree_world_add_wall(world, &w, NULL), SCREE_BAD_ARGUMENT);
        for (int i = 0; spoil_wall(&w, i); i++) {
            ScreeWallId id = {-7};
            REFUSED(world, scree_world_add_wall(world, &w, &id), SCREE_BAD_ARGUMENT);
            CHECK(id.index == -7 && scree_world_get_wall_count(world) == 3);
        }
        CHECK(scree_world_add_wall(world, &w, NULL) == SCREE_OK); /* unspoiled */
        w = sound_wall(SCREE_WALL_SEGMENT);
        CHECK(scree_world_add_wall(world, &w, NULL) ==
              (dimension == 2 ? SCREE_OK : SCREE_BAD_ARGUMENT));
        scree_world_destroy(world);
    }
}

/* A stress acts on the area between two planes. */
static void stress_between_a_wall_and_itself_is_refused(void) {
    const struct {
        int32_t from, to;
        bool sound;
    } cases[] = {{0, 1, true}, {0, 0, false}, {1, 1, false}, {0, 2, false}, {7, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ScreeWorld *world = rig_world(2, 0.01, rig_vec(0, 0, 0), 0);
        rig_add_ball(world, rig_vec(0, 0, 0), 0.5, 0);
        rig_add_plane(world, rig_vec(-1, 0, 0), rig_vec(1, 0, 0));
        rig_add_plane(world, rig_vec(1, 0, 0), rig_vec(-1, 0, 0));
        rig_must(scree_wall_remove(world, (ScreeWallId){rig_add_plane(world, rig_vec(2, 0, 0),
                                                                      rig_vec(-1, 0, 0))}),
                 "remove");
        ScreeWallDef lid = rig_plane(rig_vec(0, 2, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 1;
        lid.stress = 1;
        lid.between[0].index = cases[i].from;
        lid.between[1].index = cases[i].to;
        rig_add_wall(world, &lid);
        CHECK(scree_world_check(world) == (cases[i].sound ? SCREE_OK : SCREE_BAD_ID));
        CHECK(cases[i].sound || strstr(scree_world_get_message(world), "two planes") != NULL);
        scree_world_destroy(world);
    }
}

/* Between two pairs of planes that are parallel there is a strip, and no area; none of them need be the same. */
static void stress_between_walls_that_all_stand_alike_is_refused(void) {
    for (int across = 0; across < 2; across++) {
        ScreeWorld *world = rig_world(3, 0.01, rig_vec(0, 0, 0), 0);
        rig_add_ball(world, rig_vec(0, 0, 0), 0.5, 0);
        ScreeWallDef lid = rig_plane(rig_vec(0, 0, 2), rig_vec(0, 0, -1));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 1;
        lid.stress = 1;
        for (int k = 0; k < 4; k++) {
            const double side = k % 2 == 0 ? 1 : -1, far = k < 2 ? 1 : 2;
            const ScreeVec3 normal = k >= 2 && across ? rig_vec(0, side, 0) : rig_vec(side, 0, 0);
            lid.between[k].index =
                rig_add_plane(world, rig_vec(-far * normal.x, -far * normal.y, 0), normal);
        }
        rig_add_wall(world, &lid);
        CHECK(scree_world_check(world) == (across ? SCREE_OK : SCREE_BAD_ARGUMENT));
        CHECK(across || strstr(scree_world_get_message(world), "bound no area") != NULL);
        scree_world_destroy(world);
    }
}

static void bad_wall_changes_are_refused(void) {
    ScreeWorld *world = small_world(2);
    const ScreeVec3 o = rig_vec(0, 0, 0);
    static const int32_t ids[] = {-1, 2, 3, INT32_MIN, INT32_MAX}; /* 2 was removed */
    for (int i = 0; i < 5; i++) {
        REFUSED(world, scree_wall_remove(world, (ScreeWallId){ids[i]}), SCREE_BAD_ID);
        REFUSED(world, scree_wall_set_velocity(world, (ScreeWallId){ids[i]}, o, o), SCREE_BAD_ID);
        REFUSED(world, scree_wall_set_force(world, (ScreeWallId){ids[i]}, o), SCREE_BAD_ID);
        ScreeWallState state;
        CHECK(scree_wall_get_state(world, (ScreeWallId){ids[i]}, &state) ==
              (ids[i] == 2 ? SCREE_OK : SCREE_BAD_ID));
    }
    for (int i = 0; i < 3; i++) {
        REFUSED(world, scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(bad[i], 0, 0), o),
                SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_wall_set_velocity(world, (ScreeWallId){0}, o, rig_vec(0, 0, bad[i])),
                SCREE_BAD_ARGUMENT);
        REFUSED(world, scree_wall_set_force(world, (ScreeWallId){1}, rig_vec(0, bad[i], 0)),
                SCREE_BAD_ARGUMENT);
    }
    REFUSED(world, scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(0, 0, 1), o),
            SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_wall_set_velocity(world, (ScreeWallId){0}, o, rig_vec(1, 0, 0)),
            SCREE_BAD_ARGUMENT);
    REFUSED(world, scree_wall_set_velocity(world, (ScreeWallId){1}, o, rig_vec(0, 0, 1)),
            SCREE_BAD_ARGUMENT); /* a piston does not turn */
    REFUSED(world, scree_wall_set_force(world, (ScreeWallId){0}, o),
            SCREE_BAD_ARGUMENT); /* only a piston takes a force */
    scree_world_destroy(world);
}

static void every_status_has_a_text(void) {
    for (int status = -3; status < SCREE_STATUS_COUNT + 3; status++) {
        const char *text = scree_status_get_text((ScreeStatus)status);
        CHECK(text != NULL && text[0] != '\0');
    }
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SCREE_VERSION_MAJOR, SCREE_VERSION_MINOR,
             SCREE_VERSION_PATCH);
    CHECK(strcmp(scree_get_version(), version) == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(bad_world_definitions_are_refused);
    CHECK_RUN(bad_settings_are_refused);
    CHECK_RUN(bad_materials_and_laws_are_refused);
    CHECK_RUN(bad_bodies_are_refused);
    CHECK_RUN(bad_body_changes_are_refused);
    CHECK_RUN(bad_walls_are_refused);
    CHECK_RUN(stress_between_a_wall_and_itself_is_refused);
    CHECK_RUN(stress_between_walls_that_all_stand_alike_is_refused);
    CHECK_RUN(bad_wall_changes_are_refused);
    CHECK_RUN(every_status_has_a_text);
    return check_result();
}
