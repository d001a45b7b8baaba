/* What the physics tests share: shortcuts for setting up a world, and a few vector helpers of their
 * own, so that an expectation is not computed by the code that it judges. */
#ifndef SCREE_TESTS_RIG_H
#define SCREE_TESTS_RIG_H

#include "check.h"

#include <scree/scree.h>

#include <stdlib.h>

#define RIG_PI 3.14159265358979323846

static inline ScreeVec3 rig_vec(double x, double y, double z) {
    return (ScreeVec3){x, y, z};
}
static inline ScreeVec3 rig_add(ScreeVec3 a, double s, ScreeVec3 b) {
    return rig_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline ScreeVec3 rig_sub(ScreeVec3 a, ScreeVec3 b) {
    return rig_add(a, -1, b);
}
static inline ScreeVec3 rig_scale(double s, ScreeVec3 a) {
    return rig_vec(s * a.x, s * a.y, s * a.z);
}
static inline double rig_dot(ScreeVec3 a, ScreeVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline ScreeVec3 rig_cross(ScreeVec3 a, ScreeVec3 b) {
    return rig_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double rig_length(ScreeVec3 a) {
    return sqrt(rig_dot(a, a));
}

/* Random numbers in [0, 1) of the tests' own (xorshift), the same on every machine. */
static inline double rig_random(uint64_t *state) {
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return (double)(x >> 11) * 0x1p-53;
}
static inline ScreeVec3 rig_random_vec(uint64_t *state, double half, int dimension) {
    double x = half * (2 * rig_random(state) - 1), y = half * (2 * rig_random(state) - 1);
    return rig_vec(x, y, dimension == 3 ? half * (2 * rig_random(state) - 1) : 0);
}

/* A test cannot go on without its world. */
static inline void rig_must(ScreeStatus status, const char *what) {
    if (status != SCREE_OK) {
        fprintf(stderr, "%s: %s\n", what, scree_status_get_text(status));
        abort();
    }
}

/* Solver settings with which one contact is exact to rounding and a few are exact to 1e-12. */
static inline ScreeWorldDef rig_def(int dimension, double time_step, ScreeVec3 gravity) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = time_step;
    def.gravity = gravity;
    def.solver.tolerance = 1e-13;
    def.solver.iterations = 20000;
    def.solver.projection = 0; /* closed forms are of velocities alone; test_conserve.c has it */
    return def;
}
static inline ScreeWorld *rig_create(const ScreeWorldDef *def) {
    ScreeWorld *world = NULL;
    rig_must(scree_world_create(def, &world, NULL), "create");
    return world;
}
static inline int32_t rig_material(ScreeWorld *world, double friction) {
    ScreeMaterialDef def = scree_material_def_default();
    def.law.friction = friction;
    ScreeMaterialId id;
    rig_must(scree_world_add_material(world, &def, &id), "material");
    return id.index;
}
/* A world with one material, number 0. */
static inline ScreeWorld *rig_world(int dimension, double time_step, ScreeVec3 gravity,
                                    double friction) {
    ScreeWorldDef def = rig_def(dimension, time_step, gravity);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, friction);
    return world;
}
static inline ScreeBodyDef rig_ball(ScreeVec3 position, double radius, double mass) {
    ScreeBodyDef def = scree_body_def_default();
    def.position = position;
    def.radius = radius;
    def.mass = mass;
    return def;
}
static inline int32_t rig_add_body(ScreeWorld *world, const ScreeBodyDef *def) {
    ScreeBodyId id;
    rig_must(scree_world_add_bodies(world, def, 1, &id), "body");
    return id.index;
}
static inline int32_t rig_add_ball(ScreeWorld *world, ScreeVec3 position, double radius,
                                   double mass) {
    ScreeBodyDef def = rig_ball(position, radius, mass);
    return rig_add_body(world, &def);
}
static inline ScreeWallDef rig_plane(ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef def = scree_wall_def_default();
    def.point = point;
    def.normal = normal;
    return def;
}
static inline int32_t rig_add_wall(ScreeWorld *world, const ScreeWallDef *def) {
    ScreeWallId id;
    rig_must(scree_world_add_wall(world, def, &id), "wall");
    return id.index;
}
static inline int32_t rig_add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef def = rig_plane(point, normal);
    return rig_add_wall(world, &def);
}
static inline ScreeReport rig_step(ScreeWorld *world) {
    ScreeReport report;
    rig_must(scree_world_step(world, &report), scree_world_get_message(world));
    return report;
}
static inline ScreeWallState rig_wall(const ScreeWorld *world, int32_t wall) {
    ScreeWallState state;
    rig_must(scree_wall_get_state(world, (ScreeWallId){wall}, &state), "wall state");
    return state;
}

/* The contact of a pair, where b is a body or the code of a wall; all zero and open when there is
 * none. */
static inline ScreeContact rig_contact(const ScreeWorld *world, int32_t a, int32_t b) {
    ScreeContactView view = scree_world_get_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        ScreeContact c = view.contact[i];
        if ((c.a.index == a && c.b.code == b) || (c.a.index == b && c.b.code == a)) {
            return c;
        }
    }
    return (ScreeContact){.a = {a}, .b = {b}};
}

/* Shape factor k of the inertia k m r^2. */
static inline double rig_shape(int dimension) {
    return dimension == 2 ? 0.5 : 0.4;
}

/* Turn about z by an angle, as a quaternion and applied to a vector. */
static inline ScreeQuat rig_turn_z(double angle) {
    return (ScreeQuat){cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
}
static inline ScreeVec3 rig_rotate_z(double angle, ScreeVec3 a) {
    double c = cos(angle), s = sin(angle);
    return rig_vec(c * a.x - s * a.y, s * a.x + c * a.y, a.z);
}

static inline void rig_check_vec(ScreeVec3 a, ScreeVec3 b, double tolerance, const char *file,
                                 int line, const char *text) {
    check_near(a.x, b.x, tolerance, file, line, text);
    check_near(a.y, b.y, tolerance, file, line, text);
    check_near(a.z, b.z, tolerance, file, line, text);
}
/* Every component within an absolute tolerance. */
#define CHECK_VEC(a, b, tolerance)                                                                 \
    rig_check_vec((a), (b), (tolerance), __FILE__, __LINE__, #a " near " #b)

/* ---------------------------------------------------------------- laws beyond Coulomb's */

/* A material with this as its own law. */
static inline int32_t rig_law(ScreeWorld *world, const ScreeLaw *law) {
    ScreeMaterialDef def = scree_material_def_default();
    def.law = *law;
    ScreeMaterialId id;
    rig_must(scree_world_add_material(world, &def, &id), scree_world_get_message(world));
    return id.index;
}
/* The extra part of a pair's contact that belongs to the laws beyond Coulomb's; the torque is that
 * on b, whichever of the two the view calls b. Without contact: no torque, no bond. */
static inline ScreeContactExtra rig_extra(const ScreeWorld *world, int32_t a, int32_t b) {
    ScreeContactView view = scree_world_get_contacts(world);
    for (size_t i = 0; i < view.count && view.extra != NULL; i++) {
        ScreeContact c = view.contact[i];
        ScreeContactExtra extra = view.extra[i];
        if (c.a.index == a && c.b.code == b) {
            return extra;
        }
        if (c.a.index == b && c.b.code == a) {
            extra.torque_impulse = rig_scale(-1, extra.torque_impulse);
            return extra;
        }
    }
    return (ScreeContactExtra){.opening = -1};
}

/* A frame of three orthogonal unit vectors; number 0 is that of the world, the others are turned
 * (in two dimensions about z). */
typedef struct RigFrame {
    ScreeVec3 x, y, z;
} RigFrame;
enum { RIG_FRAMES = 4 };
static inline ScreeVec3 rig_turn(double w, ScreeVec3 q, ScreeVec3 a) {
    ScreeVec3 t = rig_scale(2, rig_cross(q, a));
    return rig_add(rig_add(a, w, t), 1, rig_cross(q, t));
}
static inline RigFrame rig_frame(int dimension, int number) {
    const double half = 0.5 * (0.4 + 1.3 * number);
    ScreeVec3 axis = dimension == 2 ? rig_vec(0, 0, 1)
                                    : rig_vec(cos(2.0 * number), sin(2.0 * number) * 0.6,
                                              sin(2.0 * number) * 0.8);
    ScreeVec3 q = rig_scale(number == 0 ? 0 : sin(half), axis);
    double w = number == 0 ? 1 : cos(half);
    return (RigFrame){rig_turn(w, q, rig_vec(1, 0, 0)), rig_turn(w, q, rig_vec(0, 1, 0)),
                      rig_turn(w, q, rig_vec(0, 0, 1))};
}
/* A vector given by its components in the frame. */
static inline ScreeVec3 rig_in(RigFrame f, double x, double y, double z) {
    return rig_add(rig_add(rig_scale(x, f.x), y, f.y), z, f.z);
}

/* Two balls, a and b, on a line along f.x from a to b, at rest; `swapped` adds b first. */
typedef struct RigPair {
    ScreeWorld *world;
    int32_t a, b;
    ScreeVec3 n;
    double reduced; /* reduced mass */
    double inertia_a, inertia_b;
} RigPair;
typedef struct RigPairDef {
    ScreeWorldDef world;
    ScreeLaw law;
    RigFrame frame;
    double radius_a, mass_a, radius_b, mass_b, gap;
    bool swapped;
} RigPairDef;
static inline RigPairDef rig_pair_def(int dimension, double time_step, int frame) {
    return (RigPairDef){.world = rig_def(dimension, time_step, rig_vec(0, 0, 0)),
                        .law = scree_law_default(),
                        .frame = rig_frame(dimension, frame),
                        .radius_a = 0.5,
                        .mass_a = 2,
                        .radius_b = 0.75,
                        .mass_b = 3};
}
static inline RigPair rig_pair(const RigPairDef *d) {
    RigPair p = {.world = rig_create(&d->world), .n = d->frame.x};
    rig_law(p.world, &d->law);
    ScreeVec3 at = rig_vec(0.25, -0.5, d->world.dimension == 3 ? 0.125 : 0);
    ScreeBodyDef a = rig_ball(at, d->radius_a, d->mass_a);
    ScreeBodyDef b =
        rig_ball(rig_add(at, d->radius_a + d->radius_b + d->gap, p.n), d->radius_b, d->mass_b);
    if (d->swapped) {
        p.b = rig_add_body(p.world, &b);
        p.a = rig_add_body(p.world, &a);
    } else {
        p.a = rig_add_body(p.world, &a);
        p.b = rig_add_body(p.world, &b);
    }
    p.reduced = 1 / (1 / d->mass_a + 1 / d->mass_b);
    p.inertia_a = rig_shape(d->world.dimension) * d->mass_a * d->radius_a * d->radius_a;
    p.inertia_b = rig_shape(d->world.dimension) * d->mass_b * d->radius_b * d->radius_b;
    return p;
}
/* Forces on both centres that press the pair together; negative pulls it apart. */
static inline void rig_press(const RigPair *p, double force) {
    const ScreeVec3 none = rig_vec(0, 0, 0);
    rig_must(scree_body_set_force(p->world, (ScreeBodyId){p->a}, rig_scale(force, p->n), none),
             "force");
    rig_must(scree_body_set_force(p->world, (ScreeBodyId){p->b}, rig_scale(-force, p->n), none),
             "force");
}
static inline void rig_set_motion(ScreeWorld *world, int32_t body, ScreeVec3 velocity,
                                  ScreeVec3 spin) {
    rig_must(scree_body_set_velocity(world, (ScreeBodyId){body}, velocity, spin), "velocity");
}
/* Relative normal velocity of the centres, and their gap. */
static inline double rig_pair_speed(const RigPair *p) {
    ScreeBodyView v = scree_world_get_bodies(p->world);
    return rig_dot(rig_sub(v.velocity[p->b], v.velocity[p->a]), p->n);
}
static inline double rig_pair_gap(const RigPair *p) {
    ScreeBodyView v = scree_world_get_bodies(p->world);
    return rig_length(rig_sub(v.position[p->b], v.position[p->a])) - v.radius[p->a] -
           v.radius[p->b];
}

/* Sums over all bodies. */
static inline ScreeVec3 rig_momentum(const ScreeWorld *world) {
    ScreeBodyView v = scree_world_get_bodies(world);
    ScreeVec3 sum = rig_vec(0, 0, 0);
    for (size_t i = 0; i < v.count; i++) {
        sum = rig_add(sum, v.mass[i], v.velocity[i]);
    }
    return sum;
}
static inline ScreeVec3 rig_angular_momentum(const ScreeWorld *world) {
    ScreeBodyView v = scree_world_get_bodies(world);
    ScreeVec3 sum = rig_vec(0, 0, 0);
    for (size_t i = 0; i < v.count; i++) {
        sum = rig_add(sum, v.mass[i], rig_cross(v.position[i], v.velocity[i]));
        sum = rig_add(sum, v.inertia[i], v.spin[i]);
    }
    return sum;
}

/* The certificate: the balance closes, the parts add up, none of them makes energy. */
static inline void rig_check_energy(const ScreeReport *r, double scale, const char *file,
                                    int line) {
    const double part[5] = {r->dissipation_normal, r->dissipation_friction, r->dissipation_rolling,
                            r->dissipation_torsion, r->dissipation_cohesion};
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        static const char *const name[5] = {"dissipation_normal >= 0", "dissipation_friction >= 0",
                                            "dissipation_rolling >= 0", "dissipation_torsion >= 0",
                                            "dissipation_cohesion >= 0"};
        check_near(fmin(part[i], 0), 0, 1e-13 * scale, file, line, name[i]);
        sum += part[i];
    }
    check_near(r->dissipation, sum, 1e-13 * scale, file, line, "dissipation is the sum of parts");
    check_near(r->energy_error, 0, 1e-12 * scale, file, line, "energy_error is rounding");
    check_report(r->unsettled == 0, file, line, "no contact is unsettled");
}
/* `scale`: an energy of the size of those in the step. */
#define CHECK_ENERGY(report, scale) rig_check_energy(&(report), (scale), __FILE__, __LINE__)

/* A snapshot in memory that the caller frees. */
static inline unsigned char *rig_save(const ScreeWorld *world, size_t *size) {
    rig_must(scree_world_save(world, NULL, size), "size of a snapshot");
    unsigned char *data = malloc(*size);
    if (data == NULL) {
        abort();
    }
    rig_must(scree_world_save(world, data, size), "save");
    return data;
}
/* The same world, saved and loaded. */
static inline ScreeWorld *rig_reload(const ScreeWorld *world) {
    size_t size;
    unsigned char *bytes = rig_save(world, &size);
    ScreeWorld *copy = NULL;
    rig_must(scree_world_load(bytes, size, &copy, NULL), "load");
    free(bytes);
    return copy;
}
/* Whether the world goes on for some steps with the same bits as two copies: one saved and loaded
 * now, one saved and loaded after every step. */
static inline bool rig_restarts(ScreeWorld *world, int steps) {
    ScreeWorld *copy = rig_reload(world), *often = rig_reload(world);
    bool same = scree_world_hash(copy) == scree_world_hash(world);
    for (int i = 0; i < steps; i++) {
        rig_step(world);
        rig_step(copy);
        rig_step(often);
        same = same && scree_world_hash(copy) == scree_world_hash(world);
        same = same && scree_world_hash(often) == scree_world_hash(world);
        ScreeWorld *again = rig_reload(often);
        scree_world_destroy(often);
        often = again;
    }
    scree_world_destroy(copy);
    scree_world_destroy(often);
    return same;
}

#endif
