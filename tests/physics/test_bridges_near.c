/* Liquid bridges that are given to all that is near enough, before it has touched: the force of the gap pulls from the first
 * step on (Willett and others 2000; docs/bridges.md). */
#include "rig.h"

#include <string.h>

static const double volume = 0.002, tension = 1.7;

static double force_at(double radius, double gap) {
    const double x = 0.5 * gap * sqrt(radius / volume);
    return 2 * RIG_PI * radius * tension / (1 + 2.1 * x + 10 * x * x);
}

static ScreeWorld *wet_world(int dimension, double time_step) {
    ScreeWorld *world = rig_world(dimension, time_step, rig_vec(0, 0, 0), 0.3);
    ScreeMaterialDef def = scree_material_def_default();
    def.law.bridge_volume = volume;
    def.law.bridge_tension = tension;
    rig_must(scree_world_add_material(world, &def, NULL), "wet");
    return world;
}

static void add_wet(ScreeWorld *world, ScreeVec3 at, int32_t material) {
    ScreeBodyDef ball = rig_ball(at, 1, 2);
    ball.material.index = material;
    rig_add_body(world, &ball);
}

static size_t add_bridges(ScreeWorld *world) {
    size_t made = 0;
    rig_must(scree_world_add_bridges(world, &made), scree_world_get_message(world));
    return made;
}

/* Of two balls with the gap g each gets F(g) dt / m in the first step; a plane pulls with twice the radius. What bridges hold
 * is known before the first step, so that the energies balance in it. */
static void near_pairs_are_pulled_together(void) {
    const double d = cbrt(volume), dt = 1e-3, g = 0.6 * d;
    for (int k = 0; k < 4; k++) {
        const int dimension = 2 + k % 2;
        const bool wall = k > 1;
        ScreeWorld *world = wet_world(dimension, dt);
        add_wet(world, rig_vec(0, 0, 0), 1);
        if (wall) {
            rig_add_plane(world, rig_vec(1 + g, 0, 0), rig_vec(-1, 0, 0));
        } else {
            add_wet(world, rig_vec(2 + g, 0, 0), 1);
        }
        ScreeReport report = rig_step(world);
        CHECK(report.bonds == 0 && scree_world_get_bodies(world).velocity[0].x == 0);
        CHECK(add_bridges(world) == 1);
        CHECK(add_bridges(world) == 0);
        const double force = force_at(wall ? 2 : 1, g);
        const uint64_t before = scree_world_hash(world);
        report = rig_step(world);
        CHECK(report.bonds == 1 && scree_world_hash(world) != before);
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].x, force * dt / 2, 1e-12);
        CHECK_NEAR(report.energy_error, 0, 1e-14);
        for (int i = 0; i < 800; i++) {
            report = rig_step(world);
            CHECK_NEAR(report.energy_error, 0, 1e-13);
        }
        CHECK(report.bonds == 1);
        CHECK_NEAR(scree_world_get_bodies(world).position[0].x, wall ? g : g / 2, 1e-9);
        scree_world_destroy(world);
    }
}

/* In a row with gaps below and above d, a dry ball, and a pair across the side of a periodic cell. The first step of the
 * world and one that comes later find the same bridges, and a world that is loaded has them. */
static void only_what_is_near_and_wet_is_bridged(void) {
    const double d = cbrt(volume), gap[] = {0.5 * d, 1.01 * d, 0.99 * d, 0.5 * d, 0.3 * d};
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = rig_def(2, 1e-3, rig_vec(0, 0, 0));
        double at = 0.2;
        for (int i = 0; i < 5; i++) {
            at += 2 + gap[i];
        }
        def.periodic[0] = true;
        def.cell_max = rig_vec(at - 0.2, 0, 0);
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0);
        ScreeMaterialDef wet = scree_material_def_default();
        wet.law.bridge_volume = volume;
        wet.law.bridge_tension = tension;
        rig_must(scree_world_add_material(world, &wet, NULL), "wet");
        at = 0.2;
        for (int i = 0; i < 5; at += 2 + gap[i++]) {
            add_wet(world, rig_vec(at, 0, 0),
                    i == 4 ? 0 : 1); /* the last is dry, at both its sides */
        }
        if (k == 1) {
            rig_step(world);
        }
        CHECK(add_bridges(world) == 2);
        ScreeWorld *copy = rig_reload(world);
        const ScreeReport report = rig_step(world);
        CHECK(report.bonds == 2 && rig_step(copy).bonds == 2);
        CHECK(scree_world_hash(world) == scree_world_hash(copy));
        const ScreeVec3 *v = scree_world_get_bodies(world).velocity;
        CHECK_CLOSE(v[0].x, force_at(1, gap[0]) * 1e-3 / 2, 1e-12);
        CHECK_CLOSE(v[3].x, -force_at(1, gap[2]) * 1e-3 / 2, 1e-12);
        CHECK(v[4].x == 0);
        scree_world_destroy(world);
        scree_world_destroy(copy);
    }
}

static void dry_worlds_are_told(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, 0, 0), 0.3);
    rig_add_ball(world, rig_vec(0, 0, 0), 1, 1);
    CHECK(scree_world_add_bridges(world, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_get_message(world), "bridge_volume") != NULL);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(near_pairs_are_pulled_together);
    CHECK_RUN(only_what_is_near_and_wet_is_bridged);
    CHECK_RUN(dry_worlds_are_told);
    return check_result();
}
