/* Forces: a column of ten balls. The contact below k balls carries the weight of k balls. */
#include <scree/scree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 10 };

static ScreeStatus fill(ScreeWorld *world) {
    ScreeMaterialDef steel = scree_default_material();
    steel.law.friction = 0.3;
    ScreeWallDef floor = scree_default_wall();
    floor.shape = SCREE_WALL_PLANE;
    floor.normal = (ScreeVec3){0, 0, 1};
    ScreeBodyDef ball[BALLS];
    for (int i = 0; i < BALLS; i++) {
        ball[i] = scree_default_body();
        ball[i].radius = 0.5;
        ball[i].mass = 1;
        ball[i].material = 0;
        ball[i].position = (ScreeVec3){0, 0, 0.5 + i};
    }
    ScreeStatus status = scree_add_material(world, &steel, NULL);
    if (status == SCREE_OK) {
        status = scree_add_wall(world, &floor, NULL);
    }
    if (status == SCREE_OK) {
        status = scree_add_bodies(world, ball, BALLS, NULL);
    }
    return status;
}

/* Prints every contact, and returns the largest error. */
static double print_forces(const ScreeWorld *world) {
    double worst = 0;
    ScreeContactView view = scree_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        /* b is a body, or wall number w as -1 - w */
        int lower = c->b < 0 ? -1 : c->a < c->b ? c->a : c->b;
        double force = c->normal_impulse / view.time_step, above = BALLS - 1 - lower;
        printf("below %2.0f balls: force %.12f\n", above, force);
        worst = fmax(worst, fabs(force - above));
    }
    return worst;
}

int main(void) {
    ScreeWorldDef def = scree_default_world();
    def.gravity = (ScreeVec3){0, 0, -1};
    def.time_step = 0.01;
    def.solver.tolerance = 1e-12; /* tighter than usual: we want to see many digits */
    ScreeWorld *world = NULL;
    char message[SCREE_MESSAGE_SIZE];
    if (scree_create_world(&def, &world, message) != SCREE_OK) {
        fprintf(stderr, "%s\n", message);
        return EXIT_FAILURE;
    }
    ScreeReport report;
    if (fill(world) != SCREE_OK || scree_step(world, &report) != SCREE_OK) {
        fprintf(stderr, "%s\n", scree_message(world));
        scree_destroy_world(world);
        return EXIT_FAILURE;
    }
    double worst = print_forces(world);
    printf("%lld sweeps, residual %.1e\n", (long long)report.iterations, report.residual);
    scree_destroy_world(world);
    return worst < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
