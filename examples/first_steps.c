/* First steps: a world, a floor, a ball that falls on it.
 *
 * Build, once Scree is installed:
 *     cc first_steps.c $(pkg-config --cflags --libs scree) -lm -o first_steps
 * (in the source tree the build makes it already: build/release/examples/example_first_steps) */
#include <scree/scree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Every function that can fail returns a status. A program of your own may do better than exit. */
static void must(ScreeStatus status, const ScreeWorld *world, const char *what) {
    if (status != SCREE_OK) {
        fprintf(stderr, "%s: %s (%s)\n", what, scree_status_get_text(status),
                world != NULL ? scree_world_get_message(world) : "no world");
        exit(EXIT_FAILURE);
    }
}

static ScreeWorld *make_world(void) {
    ScreeWorldDef def = scree_world_def_default(); /* always begin from the defaults */
    def.gravity = (ScreeVec3){0, 0, -9.81};
    def.time_step = 1e-3;
    ScreeWorld *world = NULL;
    must(scree_world_create(&def, &world, NULL), NULL, "create");

    ScreeMaterialDef stone = scree_material_def_default();
    stone.density = 2600;
    stone.law.friction = 0.5;
    ScreeMaterialId material;
    must(scree_world_add_material(world, &stone, &material), world, "material");

    ScreeWallDef floor = scree_wall_def_default();
    floor.shape = SCREE_WALL_PLANE;
    floor.normal = (ScreeVec3){0, 0, 1}; /* points to the grains */
    must(scree_world_add_wall(world, &floor, NULL), world, "floor");

    ScreeBodyDef ball = scree_body_def_default();
    ball.position = (ScreeVec3){0, 0, 1};
    ball.radius = 0.1;
    ball.material = material;
    must(scree_world_add_bodies(world, &ball, 1, NULL), world, "ball");
    return world;
}

int main(void) {
    ScreeWorld *world = make_world();
    printf("%8s %10s %10s %10s\n", "time", "height", "speed", "sweeps");
    for (int step = 1; step <= 600; step++) {
        ScreeReport report; /* the certificate of the step */
        must(scree_world_step(world, &report), world, "step");
        if (step % 60 == 0) {
            /* read-only arrays, one for each field */
            ScreeBodyView bodies = scree_world_get_bodies(world);
            printf("%8.3f %10.6f %10.6f %10lld\n", report.time, bodies.position[0].z,
                   bodies.velocity[0].z, (long long)report.iterations);
        }
    }

    /* It has come to rest on the floor, which carries its weight. */
    ScreeWallState floor;
    must(scree_wall_get_state(world, (ScreeWallId){0}, &floor), world, "wall");
    ScreeBodyView bodies = scree_world_get_bodies(world);
    double weight = bodies.mass[0] * 9.81;
    printf("the ball weighs %.6f, the floor carries %.6f\n", weight, -floor.load.z);
    bool right =
        fabs(bodies.position[0].z - 0.1) < 1e-12 && fabs(-floor.load.z / weight - 1) < 1e-12;
    scree_world_destroy(world);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
