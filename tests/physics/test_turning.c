/* Bodies that turn far in a step, up to a radian between the two, swing their corners along arcs. Thrown
 * at each other at random, they do not sink into one another, or the step says so; and whatever they
 * do, they keep their momentum and gain no energy. */
#include "physics/polygon_rig.h"
#include "physics/solid_rig.h"

enum { THROWS = 60 / CHECK_STRIDE, STEPS = 40 };
static const double dt = 0.01;

static ScreeShapeId thin_bar(ScreeWorld *world) {
    return (ScreeShapeId){rig_add_rectangle_shape(world, 2, 0.2)};
}

static ScreeShapeId pentagon(ScreeWorld *world) {
    ScreeVec3 corner[5];
    for (int k = 0; k < 5; k++) {
        corner[k] = rig_vec(cos(2 * k * acos(-1) / 5), sin(2 * k * acos(-1) / 5), 0);
    }
    return (ScreeShapeId){rig_add_polygon_shape(world, corner, 5, 0)};
}

/* Three crossed rods with round ends. */
static ScreeShapeId jack(ScreeWorld *world) {
    const ScreeVec3 end[6] = {{-0.9, 0, 0}, {0.9, 0, 0},  {0, -0.9, 0},
                              {0, 0.9, 0},  {0, 0, -0.9}, {0, 0, 0.9}};
    const ScreeSolidPart part = {.vertices = 2, .rounding = 0.1}, three[3] = {part, part, part};
    const ScreeSolidDef def = {three, 3, end, NULL, NULL};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), "jack");
    return id;
}

static double signed_random(uint64_t *random) {
    return 2 * rig_random(random) - 1;
}

static ScreeVec3 random_vector(uint64_t *random, int dimension, double size) {
    double x = signed_random(random), y = signed_random(random), z = signed_random(random);
    return rig_vec(size * x, size * y, dimension == 3 ? size * z : 0);
}

static ScreeVec3 momentum(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    return rig_add(rig_scale(b.mass[0], b.velocity[0]), b.mass[1], b.velocity[1]);
}

typedef struct Outcome {
    int met, unconverged;
    int deep; /* throws with an overlap of more than a thousandth of the diameter */
} Outcome;

/* One throws itself at the other, both turning. */
static void throw_pair(int dimension, ScreeShapeId (*make)(ScreeWorld *), uint64_t *random,
                       Outcome *o) {
    ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0.3);
    ScreeShapeId shape = make(world);
    for (int k = 0; k < 2; k++) {
        ScreeBodyDef body = scree_body_def_default();
        ScreeVec3 spin = random_vector(random, dimension, 40);
        body.shape = shape;
        body.position = rig_vec(k * 2.5, 0, 0);
        body.velocity = rig_add(rig_vec(k ? -5 : 5, 0, 0), 1, random_vector(random, dimension, 3));
        body.spin = dimension == 3 ? spin : rig_vec(0, 0, spin.x);
        if (dimension == 3) {
            body.orientation = rig_random_rotation(random, 3);
        } else {
            body.orientation = rig_rotation(rig_vec(0, 0, 1), 6 * rig_random(random));
        }
        rig_add_body(world, &body);
    }
    ScreeVec3 before = momentum(world), about = rig_angular_momentum(world);
    double energy = scree_world_get_kinetic_energy(world), deep = 0, deepest = 0;
    bool met = false;
    for (int step = 0; step < STEPS; step++) {
        ScreeOverlap overlap;
        ScreeReport r = rig_step(world);
        CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK);
        CHECK(overlap.depth <= r.overlap_max + 1e-9);
        CHECK(!r.converged || overlap.depth <= deep + 1.1e-2);
        double now = scree_world_get_kinetic_energy(world);
        CHECK(!r.converged || now <= energy * (1 + 1e-9));
        energy = now;
        deep = overlap.depth;
        deepest = fmax(deepest, deep);
        o->unconverged += !r.converged;
        met = met || r.active > 0;
    }
    CHECK(rig_length(rig_sub(momentum(world), before)) < 1e-12);
    CHECK(dimension == 3 || rig_length(rig_sub(rig_angular_momentum(world), about)) < 1e-11);
    o->met += met;
    o->deep += deepest > 2e-3;
    scree_world_destroy(world);
}

static void throw_many(int dimension, ScreeShapeId (*make)(ScreeWorld *)) {
    uint64_t random = 5;
    Outcome o = {0};
    for (int k = 0; k < THROWS; k++) {
        throw_pair(dimension, make, &random, &o);
    }
    CHECK(o.met > THROWS * 9 / 10);
    CHECK(o.unconverged <= THROWS / 10);
    CHECK(o.deep <= o.unconverged);
}

static void thin_bars_do_not_cut_into_each_other(void) {
    throw_many(2, thin_bar);
}

static void pentagons_do_not_sink_into_each_other(void) {
    throw_many(2, pentagon);
}

static void jacks_do_not_pass_through_each_other(void) {
    throw_many(3, jack);
}

int main(int argc, char **argv) {
    CHECK_RUN(thin_bars_do_not_cut_into_each_other);
    CHECK_RUN(pentagons_do_not_sink_into_each_other);
    CHECK_RUN(jacks_do_not_pass_through_each_other);
    return check_result();
}
