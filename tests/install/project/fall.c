/* A ball falls freely: after n steps of implicit Euler it is lower by g dt^2 n (n + 1) / 2. */
#include <scree/scree.h>

#include <math.h>
#include <stdio.h>

enum { STEPS = 100 };

static ScreeStatus fall(ScreeWorld *world) {
    ScreeMaterialDef material = scree_default_material();
    ScreeBodyDef ball = scree_default_body();
    ball.radius = 0.5;
    ScreeReport report;
    ScreeStatus status = scree_add_material(world, &material, &ball.material);
    if (status == SCREE_OK) {
        status = scree_add_bodies(world, &ball, 1, NULL);
    }
    for (int i = 0; status == SCREE_OK && i < STEPS; i++) {
        status = scree_step(world, &report);
    }
    return status;
}

int main(void) {
    const double step = 1e-2, gravity = 10;
    ScreeWorldDef def = scree_default_world();
    def.time_step = step;
    def.gravity = (ScreeVec3){0, 0, -gravity};
    ScreeWorld *world = NULL;
    if (scree_create_world(&def, &world, NULL) != SCREE_OK || fall(world) != SCREE_OK) {
        return 1;
    }
    double fallen = -scree_bodies(world).position[0].z;
    scree_destroy_world(world);
    printf("%s %.12g\n", scree_version(), fallen);
    return fabs(fallen - gravity * step * step * STEPS * (STEPS + 1) / 2) < 1e-9 ? 0 : 2;
}
