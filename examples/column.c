/* Forces: a column of ten balls. The contact below k balls carries the weight of k balls. */
#include <scree/scree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 10 };

static ScreeStatus fill(ScreeWorld *world) {
    ScreeMaterialDef steel = scree_material_def_default();
    steel.law.friction = 0.3;
    ScreeWallDef floor = scree_wall_def_default();
    floor.shape = SCREE_WALL_PLANE;
    floor.normal = (ScreeVec3){0, 0, 1};
    ScreeBodyDef ball[BALLS];
    for (int i = 0; i < BALLS; i++) {
        ball[i] = scree_body_def_default();
        ball[i].radius = 0.5;
        ball[i].mass = 1;
        ball[i].position = (ScreeVec3){0, 0, 0.5 + i};
    }
    ScreeStatus status = scree_world_add_material(world, &steel, NULL);
    if (status == SCREE_OK) {
        status = scree_world_add_wall(world, &floor, NULL);
    }
    if (status == SCREE_OK) {
        status = scree_world_add_bodies(world, ball, BALLS, NULL);
    }
    return status;
}

/* Prints every contact, and returns the largest error. */
static double print_forces(const ScreeWorld *world) {
    double worst = 0;
    ScreeContactView view = scree_world_get_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        int lower = -1; /* the floor */
        if (!scree_partner_is_wall(c->b)) {
            int a = c->a.index, b = scree_partner_get_body(c->b).index;
            lower = a < b ? a : b;
        }
        double force = c->normal_impulse / view.time_step, above = BALLS - 1 - lower;
        printf("below %2.0f balls: force %.12f\n", above, force);
        worst = fmax(worst, fabs(force - above));
    }
    return worst;
}

int main(void) {
    ScreeWorldDef def = scree_world_def_default();
    def.gravity = (ScreeVec3){0, 0, -1};
    def.time_step = 0.01;
    def.solver.tolerance = 1e-12; /* tighter than usual: we want to see many digits */
    ScreeWorld *world = NULL;
    char message[SCREE_MESSAGE_SIZE];
    if (scree_world_create(&def, &world, message) != SCREE_OK) {
        fprintf(stderr, "%s\n", message);
        return EXIT_FAILURE;
    }
    ScreeReport report;
    if (fill(world) != SCREE_OK || scree_world_step(world, &report) != SCREE_OK) {
        fprintf(stderr, "%s\n", scree_world_get_message(world));
        scree_world_destroy(world);
        return EXIT_FAILURE;
    }
    double worst = print_forces(world);
    printf("%lld sweeps, residual %.1e\n", (long long)report.iterations, report.residual);
    scree_world_destroy(world);
    return worst < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
