/* The indeterminacy of forces in packings: without friction there is none; with friction the
 * samples lie within the extremes, whose networks balance. */
#include "check.h"

#include "network/indeterminacy.h"

#include <stdlib.h>

typedef struct Packing {
    ScreeWorld *world;
    ScreeContactForce *contact;
    ScreeForceRange *range;
    ScreeSampleWall wall[4];
    ScreeSample sample;
    ScreeSurroundings around;
} Packing;

/* Disks of different sizes fall into a box and come to rest. */
static void make_packing(Packing *k, int count, double friction, int steps) {
    ScreeWorldDef def = scree_world_def_default();
    ScreeMaterialDef material = scree_material_def_default();
    ScreeMaterialId id = {0};
    def.dimension = 2;
    def.gravity = vec3(0, -10, 0);
    def.time_step = 2e-3;
    def.solver.tolerance = 1e-8;
    def.solver.iterations = 20000;
    CHECK(scree_world_create(&def, &k->world, NULL) == SCREE_OK);
    material.law.friction = friction;
    CHECK(scree_world_add_material(k->world, &material, &id) == SCREE_OK);
    const ScreeVec3 point[3] = {{0, 0, 0}, {0, 0, 0}, {5, 0, 0}};
    const ScreeVec3 normal[3] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}};
    for (int i = 0; i < 3; i++) {
        ScreeWallDef wall = scree_wall_def_default();
        wall.point = point[i];
        wall.normal = normal[i];
        CHECK(scree_world_add_wall(k->world, &wall, NULL) == SCREE_OK);
    }
    srand(3);
    for (int i = 0; i < count; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.radius = 0.35 + 0.2 * rand() / RAND_MAX;
        body.position =
            vec3(0.65 + 1.15 * (i % 4) + 0.1 * rand() / RAND_MAX, 0.6 + 1.15 * (i / 4), 0);
        body.material = id;
        CHECK(scree_world_add_bodies(k->world, &body, 1, NULL) == SCREE_OK);
    }
    for (int i = 0; i < steps; i++) {
        CHECK(scree_world_step(k->world, NULL) == SCREE_OK);
    }
    size_t contacts = scree_world_get_contacts(k->world).count;
    k->contact = calloc(contacts + 1, sizeof *k->contact);
    k->range = calloc(contacts + 1, sizeof *k->range);
    scree_world_take_sample(k->world, k->contact, NULL, &k->sample);
    scree_world_take_surroundings(k->world, k->wall, &k->around);
}

static void free_packing(Packing *k) {
    scree_world_destroy(k->world);
    free(k->contact);
    free(k->range);
}

/* Without friction a packing of unequal disks has as many contacts as balances. */
static void frictionless_packing_is_determined(void) {
    Packing k;
    ScreeIndeterminacyDef def = scree_indeterminacy_def_default();
    ScreeIndeterminacy whole;
    char message[SCREE_MESSAGE_SIZE] = "";
    make_packing(&k, 20, 0, 4000);
    CHECK(scree_sample_measure_indeterminacy(&k.sample, &k.around, &def, k.range, &whole, NULL,
                                             message) == SCREE_OK);
    CHECK(whole.contacts == 40 && whole.rank == 40 && whole.equations == 60);
    CHECK(whole.hyperstaticity == 0 && whole.undetermined == 0 && whole.deviation == 0);
    free_packing(&k);
}

/* The forces of a network on each disk, summed over the contacts without matrices. */
static void sum_forces(const Packing *k, const ForceSet *set, const double *r, double (*sum)[3]) {
    memset(sum, 0, k->sample.bodies * sizeof *sum);
    for (size_t i = 0; i < set->problem.contacts; i++) {
        const ScreeContactForce *c = &k->contact[set->contact[i]];
        Vec3 t = vec3(-c->normal.y, c->normal.x, 0);
        bool slides = set->problem.mu[i] == 0;
        double f = r[2 * i] * set->unit;
        double shear =
            slides ? f * dot(c->force_tangential, t) / c->force_normal : r[2 * i + 1] * set->unit;
        Vec3 force = add_scaled(scale(f, c->normal), shear, t);
        CHECK(f >= -1e-8 && (slides || fabs(shear) <= set->problem.mu[i] * f + 1e-8 * set->unit));
        const int32_t side[2] = {c->a.index, c->b.code};
        for (int j = 0; j < 2; j++) {
            if (side[j] >= 0) {
                double sign = j == 0 ? -1 : 1;
                sum[side[j]][0] += sign * force.x;
                sum[side[j]][1] += sign * force.y;
                /* both arms are along the normal, to a and from b */
                sum[side[j]][2] -= k->sample.radius[side[j]] * shear;
            }
        }
    }
}

enum { SAMPLES = 12, BODIES = 24 };

/* The networks with an extreme force carry the same loads as the present one. */
static void check_extremes(const Packing *k, double still) {
    ForceSet set = {0};
    InteriorWork work = {0};
    CHECK(scr_force_set_make(&set, &k->sample, &k->around, still).status == SCREE_OK);
    double wanted[BODIES][3], found[BODIES][3];
    double *r = calloc(2 * k->sample.contacts + 2, sizeof *r);
    sum_forces(k, &set, set.now, wanted);
    for (size_t i = 0; i < BODIES; i++) { /* at rest: carries its weight */
        CHECK_CLOSE(wanted[i][1], 10 * k->sample.mass[i], 1e-2);
    }
    for (size_t i = 0; i < 2 * set.problem.contacts; i += 5) {
        bool most = i % 2 == 1;
        ForceExtreme extreme;
        CHECK(scr_force_extreme(&work, &set, i / 2, most, r, &extreme));
        if (isinf(extreme.value)) {
            continue;
        }
        sum_forces(k, &set, r, found);
        for (size_t b = 0; b < BODIES; b++) {
            for (int j = 0; j < 3; j++) {
                CHECK_NEAR(found[b][j], wanted[b][j], 1e-8 * set.unit);
            }
        }
        const ScreeForceRange *range = &k->range[set.contact[i / 2]];
        CHECK_NEAR(extreme.value * set.unit, most ? range->most : range->least, 1e-6 * set.unit);
    }
    scr_force_set_free(&set);
    scr_interior_work_free(&work);
    free(r);
}

static void frictional_samples_lie_within_the_extremes(void) {
    Packing k;
    ScreeIndeterminacyDef def = scree_indeterminacy_def_default();
    ScreeIndeterminacy whole;
    char message[SCREE_MESSAGE_SIZE] = "";
    make_packing(&k, BODIES, 0.4, 3000);
    size_t count = k.sample.contacts;
    double *network = calloc(SAMPLES * count + 1, sizeof *network);
    def.samples = SAMPLES;
    CHECK(scree_sample_measure_indeterminacy(&k.sample, &k.around, &def, k.range, &whole, network,
                                             message) == SCREE_OK);
    CHECK(whole.hyperstaticity > 2 && whole.failed == 0 && whole.unsure == 0);
    CHECK(whole.error_balance < 1e-8 && whole.undetermined > 0.5 && whole.deviation > 1e-3);
    for (size_t i = 0; i < count; i++) {
        const ScreeForceRange *range = &k.range[i];
        double slack = 1e-5 * whole.force;
        for (size_t s = 0; s < SAMPLES; s++) {
            CHECK(network[s * count + i] >= range->least - slack);
            CHECK(network[s * count + i] <= range->most + slack);
        }
    }
    check_extremes(&k, def.still);
    free(network);
    free_packing(&k);
}

int main(int argc, char **argv) {
    CHECK_RUN(frictionless_packing_is_determined);
    CHECK_RUN(frictional_samples_lie_within_the_extremes);
    return check_result();
}
