/* Laws of materials and pairs, the engines and their time step, massless walls. */
#include "support.h"

/* Every number of the public list is a key of materials and of pairs, and arrives in the law: those of
 * liquid bridges, which take the place of cohesion, and all the others. */
static bool is_listed(const char *name, bool wet) {
    return (strncmp(name, "bridge_", 7) == 0) == wet;
}

static size_t write_numbers(char *text, size_t size, double scale, bool wet) {
    size_t used = 0;
    int k = 0;
#define X(name, dimension, preset, meaning)                                                        \
    k++;                                                                                           \
    used += is_listed(#name, wet) ? (size_t)snprintf(text + used, size - used,                     \
                                                     ", " #name ": %.17g", scale * (0.5 + k))      \
                                  : 0;
    SCREE_LAW_MAP(X)
#undef X
    return used;
}

static bool numbers_are(const ScreeLaw *law, double scale, bool wet) {
    bool same = true;
    int k = 0;
#define X(name, dimension, preset, meaning)                                                        \
    k++;                                                                                           \
    same = same && (!is_listed(#name, wet) || law->name == scale * (0.5 + k));
    SCREE_LAW_MAP(X)
#undef X
    return same && k == (int)(sizeof *law / sizeof(double));
}

static void numbers_are_keys(bool wet) {
    char text[4000], own[1500], pair[1500];
    Scene *scene;
    ScreeWorld *world;
    ScreeLaw law;
    write_numbers(own, sizeof own, 0.01, wet); /* all below 1, as restitution must be */
    /* friction_static comes later, so it is above friction */
    write_numbers(pair, sizeof pair, 0.02, wet);
    snprintf(text, sizeof text,
             "engine: %s\ntime: {step: 1e-3, end: 1}\n"
             "materials: {a: {density: 1%s}, b: {density: 2, stiffness: 9}}\n"
             "pairs: [{between: [a, b]%s}]\n"
             "grains: [{position: [0, 0, 0], radius: 1, material: a}]\n",
             wet ? "contact_dynamics" : "soft", own, pair);
    if (!built(text, &scene, &world)) {
        return;
    }
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law) == SCREE_OK &&
          numbers_are(&law, 0.01, wet));
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){1}, &law) == SCREE_OK &&
          numbers_are(&law, 0.02, wet));
    CHECK(scree_law_get(world, (ScreeMaterialId){1}, (ScreeMaterialId){0}, &law) == SCREE_OK &&
          numbers_are(&law, 0.02, wet));
    dropped(scene, world);
}

static void every_number_is_a_key(void) {
    numbers_are_keys(false);
    numbers_are_keys(true);
}

static void absent_numbers_are_the_defaults(void) {
    Scene *scene;
    ScreeWorld *world;
    ScreeLaw law, plain = scree_law_default();
    if (!built("time: {step: 1, end: 1}\nmaterials: {a: {}, b: {stiffness: .inf, "
               "stiffness_tangential: +.INF}}\n"
               "grains: [{position: [0, 0, 0], radius: 1, material: a}]\n",
               &scene, &world)) {
        return;
    }
    for (int32_t i = 0; i < 2; i++) {
        CHECK(scree_law_get(world, (ScreeMaterialId){i}, (ScreeMaterialId){i}, &law) == SCREE_OK);
#define X(name, dimension, preset, meaning) CHECK(law.name == plain.name);
        SCREE_LAW_MAP(X)
#undef X
    }
    CHECK(isinf(law.stiffness) && isinf(law.stiffness_tangential));
    dropped(scene, world);
}

/* What a pair does not specify follows from its materials: the smaller number, springs in
 * series. */
static void pairs_follow_and_override(void) {
    Scene *scene;
    ScreeWorld *world;
    ScreeLaw law;
    if (!built("time: {step: 1, end: 1}\nmaterials:\n"
               "  a: {friction: 0.5, rolling: 0.1, stiffness: 100, restitution: 0.9}\n"
               "  b: {friction: 0.2, rolling: 0.3, stiffness: 300}\n"
               "  c: {friction: 0.4, friction_static: 0.6}\n"
               "pairs:\n"
               "  - {between: [a, b], friction: 0.7}\n"
               "  - {between: [b, c], rolling: 0.2, stiffness: .inf}\n"
               "grains: [{position: [0, 0, 0], radius: 1, material: a}]\n",
               &scene, &world)) {
        return;
    }
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){1}, &law) == SCREE_OK);
    CHECK(law.friction == 0.7 && !(law.friction_static > 0.7)); /* one coefficient */
    CHECK(law.rolling == 0.1 && law.restitution == 0);
    CHECK_CLOSE(law.stiffness, 2 / (1.0 / 100 + 1.0 / 300), 1e-15);
    CHECK(scree_law_get(world, (ScreeMaterialId){1}, (ScreeMaterialId){2}, &law) == SCREE_OK);
    CHECK(law.rolling == 0.2 && isinf(law.stiffness) && law.friction == 0.2);
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){2}, &law) == SCREE_OK);
    CHECK(law.friction == 0.4 && law.friction_static == 0.5); /* min(0.5, 0.6) */
    dropped(scene, world);
}

/* ---------------------------------------------------------------- friction set by events */

typedef struct Friction {
    double dynamic, stationary; /* of a contact that slides, and of one that does not */
} Friction;

static Friction friction_of(const ScreeWorld *world, int32_t a, int32_t b) {
    ScreeLaw law = scree_law_default();
    CHECK(scree_law_get(world, (ScreeMaterialId){a}, (ScreeMaterialId){b}, &law) == SCREE_OK);
    return (Friction){law.friction, fmax(law.friction, law.friction_static)};
}

static void check_friction(const ScreeWorld *world, int32_t a, int32_t b, double dynamic,
                           double stationary) {
    Friction f = friction_of(world, a, b);
    CHECK(f.dynamic == dynamic);
    CHECK(f.stationary == stationary);
}

/* The world after the event: materials a (one coefficient), b (two), c (two, own friction with a),
 * d (one, own rolling with a). */
static bool after_event(const char *set, Scene **scene, ScreeWorld **world, char *news,
                        size_t size) {
    char text[1000];
    snprintf(text, sizeof text,
             "time: {step: 1, end: 2}\nmaterials: {a: {friction: 0.5}, b: {friction: 0.2, "
             "friction_static: 0.4}, c: {friction: 0.1, friction_static: 0.3}, d: {friction: 1}}\n"
             "pairs: [{between: [a, c], friction: 0.25}, {between: [a, d], rolling: 0.1}]\n"
             "grains: [{position: [0, 0, 0], radius: 1, material: a}]\n"
             "events: [{at: 0, set_friction: %s}]\n",
             set);
    if (!built(text, scene, world)) {
        return false;
    }
    CHECK(scene_before_step(*scene, *world, NULL, NULL));
    snprintf(news, size, "%s", scene_news(*scene));
    return true;
}

static void one_coefficient_stays_one(void) {
    Scene *scene;
    ScreeWorld *world;
    char news[200];
    if (after_event("{material: a, friction: 0.15}", &scene, &world, news, sizeof news)) {
        check_friction(world, 0, 0, 0.15, 0.15);
        check_friction(world, 0, 1, 0.15, 0.15); /* min(0.15, 0.2), min(0.15, 0.4) */
        check_friction(world, 0, 2, 0.25, 0.3);  /* its own friction, static from the materials */
        check_friction(world, 0, 3, 0.15, 0.15); /* its own rolling only */
        check_friction(world, 1, 1, 0.2, 0.4);
        CHECK(strcmp(news, "t = 0: friction of a is now 0.15\n") == 0);
        dropped(scene, world);
    }
}

static void static_friction_is_kept_or_raised(void) {
    Scene *scene;
    ScreeWorld *world;
    char news[200];
    if (after_event("{material: b, friction: 0.3}", &scene, &world, news, sizeof news)) {
        check_friction(world, 1, 1, 0.3, 0.4);
        check_friction(world, 0, 1, 0.3, 0.4); /* min(0.5, 0.3), min(0.5, 0.4) */
        CHECK(strstr(news, "friction of b is now 0.3, static 0.4") != NULL);
        dropped(scene, world);
    }
    if (after_event("{material: b, friction: 0.7}", &scene, &world, news, sizeof news)) {
        check_friction(world, 1, 1, 0.7, 0.7);
        check_friction(world, 1, 3, 0.7, 0.7);
        check_friction(world, 0, 1, 0.5, 0.5);
        dropped(scene, world);
    }
}

static void static_friction_is_set(void) {
    Scene *scene;
    ScreeWorld *world;
    char news[200];
    if (after_event("{between: [a, b], friction: 0.3, friction_static: 0.35}", &scene, &world, news,
                    sizeof news)) {
        check_friction(world, 0, 1, 0.3, 0.35);
        check_friction(world, 0, 0, 0.5, 0.5);
        CHECK(strstr(news, "friction of a on b is now 0.3, static 0.35") != NULL);
        dropped(scene, world);
    }
    if (after_event("{material: b, friction: 0.3, friction_static: 0}", &scene, &world, news,
                    sizeof news)) {
        check_friction(world, 1, 1, 0.3, 0.3);
        dropped(scene, world);
    }
}

/* ---------------------------------------------------------------- engines, time step */

static void engine_settings_arrive_in_the_world(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built("engine: soft\ntime: {step: 1e-3, end: 1}\nmaterials: {a: {stiffness: 10}}\n" ONE
              "soft: {integrator: verlet, friction: viscous}\n",
              &scene, &world)) {
        ScreeWorldDef def = scree_world_get_def(world);
        CHECK(def.engine == SCREE_ENGINE_SOFT && def.time_step == 1e-3);
        CHECK(def.soft.integrator == SCREE_INTEGRATOR_VERLET);
        CHECK(def.soft.friction == SCREE_SOFT_FRICTION_VISCOUS);
        CHECK(!scene_settings(scene)->automatic_step);
        dropped(scene, world);
    }
    if (built("engine: contact_dynamics\ntime: {step: 1e-3, end: 1, theta: 0.75}\n"
              "materials: {a: {}}\n" ONE,
              &scene, &world)) {
        ScreeWorldDef def = scree_world_get_def(world);
        CHECK(def.engine == SCREE_ENGINE_CONTACT_DYNAMICS && def.theta == 0.75);
        dropped(scene, world);
    }
    if (built("time: {step: 1, end: 1}\nmaterials: {a: {}}\n" ONE, &scene, &world)) {
        ScreeWorldDef def = scree_world_get_def(world);
        CHECK(def.engine == SCREE_ENGINE_CONTACT_DYNAMICS && def.theta == 1);
        CHECK(def.soft.integrator == SCREE_INTEGRATOR_VELOCITY_VERLET);
        CHECK(def.soft.friction == SCREE_SOFT_FRICTION_SPRING);
        dropped(scene, world);
    }
}

/* The step is at most the advised one and divides the time between frames. */
static void the_soft_step_is_chosen(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built("engine: soft\ntime: {end: 1}\nmaterials: {a: {stiffness: 1e4}}\n"
               "output: {every: 0.03}\ngrains: [{at: [[0, 0, 0], [5, 0, 0]], radius: 1, mass: 1}]\n"
               "walls: {w: {plane: {point: [0, 0, -9], normal: [0, 0, 1]}, velocity: {table: [[0, "
               "0, 0, 1], [1, 0, 0, 2]]}}}\n",
               &scene, &world)) {
        return;
    }
    double step = scree_world_get_def(world).time_step,
           advised = scree_world_advise_time_step(world);
    double steps = 0.03 / step;
    CHECK(scene_settings(scene)->automatic_step);
    CHECK(step <= advised * (1 + 1e-12) && step > 0.8 * advised);
    CHECK_NEAR(steps, round(steps), 1e-6);
    /* half the period of two unit masses, pi sqrt(m* / k), is 0.022; about a twentieth of that */
    CHECK(step < 0.022 / 10 && step > 0.022 / 60);
    ScreeWallState wall;
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK &&
          wall.now.velocity.z == 1);
    CHECK(scene_before_step(scene, world, NULL, NULL));
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK);
    CHECK_CLOSE(wall.now.velocity.z, 1 + step / 2, 1e-12); /* the mean over the step */
    dropped(scene, world);
}

/* ---------------------------------------------------------------- walls without mass */

/* A massless wall pushes the row with its force: the two grains get F / (2 m), apart from the
 * millionth of a grain that the wall weighs. */
static void massless_pistons_hand_their_force_on(void) {
    Scene *scene;
    ScreeWorld *world;
    ScreeReport report;
    if (!built("dimension: 2\ntime: {step: 0.01, end: 1}\nmaterials: {a: {}}\n"
               "grains: [{at: [[1, 0], [3, 0]], radius: 1, mass: 0.5}]\n"
               "walls: {push: {plane: {point: [0, 0], normal: [1, 0]}, piston: {mass: 0, force: "
               "[3, 0]}}}\nsolver: {tolerance: 1e-12}\n",
               &scene, &world)) {
        return;
    }
    ScreeWallState wall;
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK &&
          wall.now.mass == 0.5 * 1e-9);
    for (int i = 0; i < 20; i++) {
        CHECK(scree_world_step(world, &report) == SCREE_OK && report.converged);
        ScreeBodyView b = scree_world_get_bodies(world);
        double v = 3.0 / (2 * 0.5) * 0.01 * (i + 1); /* F / (sum of masses) t */
        CHECK_CLOSE(b.velocity[0].x, v, 1e-6);
        CHECK_CLOSE(b.velocity[1].x, v, 1e-6);
        CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK);
        CHECK_CLOSE(wall.load.x, -3.0, 1e-6);
    }
    dropped(scene, world);
}

int main(int argc, char **argv) {
    CHECK_RUN(every_number_is_a_key);
    CHECK_RUN(absent_numbers_are_the_defaults);
    CHECK_RUN(pairs_follow_and_override);
    CHECK_RUN(one_coefficient_stays_one);
    CHECK_RUN(static_friction_is_kept_or_raised);
    CHECK_RUN(static_friction_is_set);
    CHECK_RUN(engine_settings_arrive_in_the_world);
    CHECK_RUN(the_soft_step_is_chosen);
    CHECK_RUN(massless_pistons_hand_their_force_on);
    return check_result();
}
