/* The array of disks of Radjai, Schafer, Dippel and Wolf, J. Phys. I France 7 (1997) 1053, with the
 * regularised law RC1 and their springs (k_n = 2e5, gamma_n = 200, appendix B): 10 disks, pushed
 * with N_L = 2.5 and braked with N_0 = 0.01, mu = 0.1, mu' = 0.2 at the plane. Push and brake act
 * on the centres (mu'' = 0). The steady friction of the plane over the weight, mu_g, is that of the
 * exact law, 0.16395168, found by elimination in the tests of contact dynamics; softness and the
 * viscous part leave a small difference. */
#include "soft_rig.h"

enum { DISKS = 10 };
static const double exact = 0.16395168;

static ScreeWorld *make(ScreeIntegrator integrator, ScreeSoftFriction friction, double gamma,
                        const double *spin) {
    ScreeWorldDef def = soft_def(2, 0, rig_vec(0, -1, 0));
    def.soft.integrator = integrator;
    def.soft.friction = friction;
    ScreeLaw law = soft_law(2e5, 0, 0.1);
    law.damping = 200;
    law.damping_tangential = gamma;
    ScreeWorld *world = soft_world(&def, &law);
    law.friction = 0.2;
    soft_material(world, &law);
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){1}, &law), "law");
    ScreeWallDef ground = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ground.material.index = 1;
    rig_add_wall(world, &ground);
    for (int i = 0; i < DISKS; i++) {
        ScreeBodyDef disk = rig_ball(rig_vec(2 * i, 1, 0), 1, 1);
        disk.force = rig_vec(i == 0 ? 2.5 : i == DISKS - 1 ? -0.01 : 0, 0, 0);
        disk.spin.z = spin != NULL ? spin[i] : 0;
        rig_add_body(world, &disk);
    }
    return world;
}

/* mu_g, averaged over a span of time. */
static double friction_between(ScreeWorld *world, double from, double to) {
    double sum = 0;
    int count = 0;
    while (scree_world_get_time(world) < to) {
        rig_step(world);
        if (scree_world_get_time(world) >= from) {
            sum += rig_wall(world, 0).load.x / DISKS;
            count++;
        }
    }
    return sum / count;
}

static void viscous_array_finds_the_exact_friction(void) {
    static const double gamma[] = {50, 200};
    for (int i = 0; i < 4; i++) {
        ScreeWorld *world =
            make(soft_integrators[i % 2], SCREE_SOFT_FRICTION_VISCOUS, gamma[i / 2], NULL);
        double mu_g = friction_between(world, 6, 10);
        CHECK_CLOSE(mu_g, exact, 1e-4);
        /* eq 3: what is left of the drive accelerates the whole array */
        ScreeVec3 v = scree_world_get_bodies(world).velocity[0],
                  w = scree_world_get_bodies(world).velocity[9];
        CHECK_CLOSE(v.x, (2.49 / DISKS - exact) * scree_world_get_time(world), 0.02);
        CHECK_NEAR(v.x, w.x, 1e-3);
        printf("       gamma %g: mu_g %.6f\n", gamma[i / 2], mu_g);
        scree_world_destroy(world);
    }
}

/* The steady state does not depend on the start. */
static void steady_friction_does_not_depend_on_the_start(void) {
    uint64_t random = 5;
    for (int k = 0; k < 3; k++) {
        double spin[DISKS];
        for (int i = 0; i < DISKS; i++) {
            spin[i] = 0.4 * (rig_random(&random) - 0.5);
        }
        ScreeWorld *world =
            make(SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_VISCOUS, 200, spin);
        CHECK_CLOSE(friction_between(world, 15, 20), exact, 1e-3);
        scree_world_destroy(world);
    }
}

/* Springs with memory find the same value. */
static void array_of_springs_finds_the_exact_friction(void) {
    ScreeWorld *world =
        make(SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, 100, NULL);
    double mu_g = friction_between(world, 6, 10);
    CHECK_CLOSE(mu_g, exact, 1e-4);
    printf("       spring: mu_g %.6f\n", mu_g);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(viscous_array_finds_the_exact_friction);
    CHECK_RUN(steady_friction_does_not_depend_on_the_start);
    CHECK_RUN(array_of_springs_finds_the_exact_friction);
    return check_result();
}
