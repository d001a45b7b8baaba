/* A ball falls freely: after n steps of implicit Euler it is lower by g dt^2 n (n + 1) / 2. */
#ifdef CORE
#include <scree/core.h>
#else
#include <scree/scree.h>
#endif

#include <math.h>
#include <stdio.h>

enum { STEPS = 100 };

static ScreeStatus fall(ScreeWorld *world) {
    ScreeMaterialDef material = scree_material_def_default();
    ScreeBodyDef ball = scree_body_def_default();
    ball.radius = 0.5;
    ScreeReport report;
    ScreeStatus status = scree_world_add_material(world, &material, &ball.material);
    if (status == SCREE_OK) {
        status = scree_world_add_bodies(world, &ball, 1, NULL);
    }
    for (int i = 0; status == SCREE_OK && i < STEPS; i++) {
        status = scree_world_step(world, &report);
    }
    return status;
}

int main(void) {
    const double step = 1e-2, gravity = 10;
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = step;
    def.gravity = (ScreeVec3){0, 0, -gravity};
    ScreeWorld *world = NULL;
    if (scree_world_create(&def, &world, NULL) != SCREE_OK || fall(world) != SCREE_OK) {
        return 1;
    }
    double fallen = -scree_world_get_bodies(world).position[0].z;
    scree_world_destroy(world);
    printf("%s %.12g %s\n", scree_get_version(), fallen,
           scree_get_capabilities().files ? "files" : "core");
    return fabs(fallen - gravity * step * step * STEPS * (STEPS + 1) / 2) < 1e-9 ? 0 : 2;
}
