/* Units are up to the user: mass, length and time multiplied by powers of two, which no rounding
 * touches, must give the same run bit for bit, scaled. Whatever breaks this has a number with a
 * hidden unit in it. */
#include "physics/rescaled.h"

#include <stdlib.h>

static const Units as_it_is = {0, 0, 0};

/* ---------------------------------------------------------------- comparison */

/* A spin that dies away ends among the smallest of all numbers, which have no digits left that units could
 * leave alone. No units here are 2^100 apart. */
static bool same_number(double a, double b) {
    const double least = 0x1p-900;
    return a == b || (fabs(a) < least && fabs(b) < least);
}

static bool same_vector(ScreeVec3 a, ScreeVec3 b) {
    return memcmp(&a, &b, sizeof a) == 0 ||
           (same_number(a.x, b.x) && same_number(a.y, b.y) && same_number(a.z, b.z));
}

static bool same_bodies(Units u, const ScreeWorld *one, const ScreeWorld *other) {
    const ScreeBodyView a = scree_world_get_bodies(one), b = scree_world_get_bodies(other);
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++) {
        same = same_vector(vector_in_units(u, 0, 1, 0, a.position[i]), b.position[i]) &&
               same_vector(vector_in_units(u, 0, 1, -1, a.velocity[i]), b.velocity[i]) &&
               same_vector(vector_in_units(u, 0, 0, -1, a.spin[i]), b.spin[i]) &&
               memcmp(&a.orientation[i], &b.orientation[i], sizeof a.orientation[i]) == 0;
    }
    return same;
}

static bool same_walls(Units u, const ScreeWorld *one, const ScreeWorld *other) {
    bool same = true;
    for (size_t i = 0; same && i < scree_world_get_wall_count(one); i++) {
        ScreeWallState a, b;
        same = scree_wall_get_state(one, (ScreeWallId){(int32_t)i}, &a) == SCREE_OK &&
               scree_wall_get_state(other, (ScreeWallId){(int32_t)i}, &b) == SCREE_OK &&
               same_vector(vector_in_units(u, 0, 1, 0, a.now.point), b.now.point) &&
               same_vector(vector_in_units(u, 0, 1, -1, a.now.velocity), b.now.velocity) &&
               same_vector(vector_in_units(u, 1, 1, -2, a.load), b.load) &&
               same_vector(vector_in_units(u, 1, 2, -2, a.load_torque), b.load_torque);
    }
    return same;
}

static bool same_contacts(Units u, const ScreeWorld *one, const ScreeWorld *other) {
    const ScreeContactView a = scree_world_get_contacts(one), b = scree_world_get_contacts(other);
    bool same = a.count == b.count && (a.extra == NULL) == (b.extra == NULL);
    for (size_t i = 0; same && i < a.count; i++) {
        const ScreeContact *x = &a.contact[i], *y = &b.contact[i];
        same =
            memcmp(x, y, offsetof(ScreeContact, normal)) == 0 &&
            same_vector(x->normal, y->normal) && in_units(u, 0, 1, 0, x->gap) == y->gap &&
            in_units(u, 1, 1, -1, x->normal_impulse) == y->normal_impulse &&
            same_vector(vector_in_units(u, 1, 1, -1, x->tangential_impulse), y->tangential_impulse);
        /* minus one says that there is no bond, in any units */
        same = same && (a.extra == NULL ||
                        (same_vector(vector_in_units(u, 1, 2, -1, a.extra[i].torque_impulse),
                                     b.extra[i].torque_impulse) &&
                         (in_units(u, 0, 1, 0, a.extra[i].opening) == b.extra[i].opening ||
                          (a.extra[i].opening < 0 && b.extra[i].opening < 0))));
    }
    return same;
}

/* The residual of FCLIB depends on units by its definition; times are told by the world. */
static const char *different_field(Units u, const ScreeReport *a, const ScreeReport *b) {
#define X(type, name, dimension, meaning)                                                          \
    if (strcmp(#name, "residual_fclib") != 0 &&                                                    \
        in_named_units(u, dimension, (double)a->name) != (double)b->name) {                        \
        return #name;                                                                              \
    }
    SCREE_REPORT_MAP(X)
#undef X
    return NULL;
}

/* ---------------------------------------------------------------- a scene and its twin */

typedef struct Case {
    const char *file;        /* in examples/ */
    const char *override[6]; /* as with -D */
    int before, steps;       /* made with the programme of the scene, and then by both twins */
} Case;

static bool same_steps(Units u, const Case *k, ScreeWorld *one, ScreeWorld *other) {
    for (int step = 0; step < k->steps; step++) {
        ScreeReport a, b;
        const ScreeStatus status = scree_world_step(one, &a), again = scree_world_step(other, &b);
        const char *field = NULL, *what = NULL;
        if (status != again || status != SCREE_OK) {
            what = scree_world_get_message(status != SCREE_OK ? one : other);
        } else if ((field = different_field(u, &a, &b)) != NULL) {
            what = field;
        } else if (!same_bodies(u, one, other)) {
            what = "bodies";
        } else if (!same_walls(u, one, other)) {
            what = "walls";
        } else if (!same_contacts(u, one, other)) {
            what = "contacts";
        }
        if (what != NULL) {
            fprintf(stderr, "%s (%s ...), units 2^(%d, %d, %d), step %d: %s\n", k->file,
                    k->override[0] != NULL ? k->override[0] : "", u.mass, u.length, u.time,
                    step + 1, what);
            return false;
        }
    }
    return true;
}

static void check_twins(Units u, const Case *k, const ScreeWorld *from, int32_t materials) {
    ScreeWorld *one = rescaled(as_it_is, from, materials), *other = rescaled(u, from, materials);
    CHECK(one != NULL && other != NULL && same_steps(u, k, one, other));
    scree_world_destroy(one);
    scree_world_destroy(other);
}

static void check_units_of(const Case *k, const Units *units, size_t count) {
    char path[512], message[SCREE_FILE_MESSAGE_SIZE] = "";
    ScreeScene *scene = NULL;
    ScreeWorld *world = NULL;
    size_t overrides = 0;
    while (overrides < 6 && k->override[overrides] != NULL) {
        overrides++;
    }
    snprintf(path, sizeof path, "%s/%s", SCREE_EXAMPLES, k->file);
    bool ok = scree_scene_load(path, k->override, overrides, &scene, message) == SCREE_OK &&
              scree_scene_build(scene, &world, message) == SCREE_OK;
    if (!ok) {
        fprintf(stderr, "%s: %s\n", k->file, message);
    }
    CHECK(ok);
    for (int step = 0; ok && step < k->before / CHECK_STRIDE; step++) {
        ok = scree_scene_step(scene, world, NULL) == SCREE_OK;
        CHECK(ok);
    }
    const int32_t materials = ok ? (int32_t)scree_scene_get_info(scene).materials : 0;
    for (size_t i = 0; ok && i < count; i++) {
        check_twins(units[i], k, world, materials);
    }
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

#define CASES(...) (const Case[]){__VA_ARGS__}, sizeof(const Case[]){__VA_ARGS__} / sizeof(Case)

/* Of three units; a sanitizer, which looks at the way through the code, is content with one. */
enum { ENOUGH = CHECK_STRIDE == 1 ? 3 : 1 };

/* Odd and even powers of both signs, and large ones. */
static const Units usual[] = {{3, -5, 7}, {-11, 4, -3}, {30, 21, -37}};

static void check_cases(const Case *k, size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_units_of(&k[i], usual, ENOUGH);
    }
}

/* Disks and spheres; every kind of wall; a periodic cell. */
static void round_grains_know_no_units(void) {
    check_cases(CASES(
        {"dam.yaml", {0}, 0, 60}, {"dam.yaml", {0}, 250, 30}, {"incline.yaml", {0}, 0, 100},
        {"collision.yaml", {0}, 0, 20}, {"chain.yaml", {0}, 0, 20},
        {"three_disks.yaml", {0}, 0, 60}, {"drum.yaml", {0}, 300, 30}, {"belt.yaml", {0}, 300, 100},
        {"vibrated.yaml", {0}, 30, 60}, {"periodic_shear.yaml", {0}, 50, 50},
        {"sizes.yaml", {0}, 0, 1}, {"from_csv.yaml", {0}, 0, 100}, {"array.yaml", {0}, 0, 2}));
}

static void laws_know_no_units(void) {
    check_cases(CASES({"cohesion.yaml", {0}, 0, 150}, {"restitution.yaml", {0}, 300, 200},
                      {"rolling_friction.yaml", {0}, 0, 100}, {"torsion.yaml", {0}, 0, 100},
                      {"compliance.yaml", {0}, 0, 100}, {"heap_rolling.yaml", {0}, 300, 20},
                      {"two_coefficients.yaml", {0}, 600, 100}, {"slide_to_roll.yaml", {0}, 0, 50},
                      {"theta.yaml", {0}, 0, 10}));
    /* (force length)^(1/3) is a power of two where the power of energy is a multiple of three */
    const Units thirds[] = {{3, -5, 4}, {-11, 4, -6}, {31, 22, -36}};
    const Case hertz[] = {{"rolling_hertz.yaml", {0}, 0, 200}, {"all_laws.yaml", {0}, 0, 200}};
    check_units_of(&hertz[0], thirds, ENOUGH);
    check_units_of(&hertz[1], thirds, ENOUGH);
}

static void shapes_know_no_units(void) {
    check_cases(CASES(
        {"arch.yaml", {0}, 0, 30}, {"blocks.yaml", {0}, 0, 50}, {"dominoes.yaml", {0}, 200, 100},
        {"chips.yaml", {0}, 600, 30}, {"hook.yaml", {0}, 0, 200}, {"groove.yaml", {0}, 0, 100},
        {"ladder.yaml", {0}, 0, 100}, {"rounded.yaml", {0}, 0, 200}, {"rocker.yaml", {0}, 0, 100},
        {"roly_poly.yaml", {0}, 0, 100}, {"library.yaml", {0}, 200, 10}));
}

/* With every law, and every engine and solver that takes them. */
static void solids_know_no_units(void) {
#define FEW_DICE "grains.0.count=12", "grains.0.fill.max=[0.1,0.1,0.06]"
    check_cases(CASES({"dice.yaml", {0}, 200, 20}, {"tower.yaml", {0}, 0, 5},
                      {"voussoirs.yaml", {0}, 0, 3},
                      {"dice.yaml", {"solver.method=newton", FEW_DICE}, 50, 10},
                      {"dice.yaml", {"engine=variational", FEW_DICE}, 50, 5},
                      {"tower.yaml",
                       {"engine=quasistatic", "materials.wood.stiffness=1e7",
                        "materials.wood.stiffness_tangential=1e7"},
                       0,
                       3}));
#undef FEW_DICE
    const Units thirds[] = {{3, -5, 4}, {-11, 4, -6}, {31, 22, -36}};
    const Case laws = {"../tests/bits/solids.yaml", {0}, 150, 20};
    check_units_of(&laws, thirds, ENOUGH);
}

static void pistons_know_no_units(void) {
    check_cases(CASES({"piston.yaml", {0}, 150, 40}, {"array_blocks.yaml", {0}, 0, 3},
                      {"tutorial_4_compress.yaml", {0}, 100, 20},
                      {"tutorial_5_biaxial.yaml", {0}, 100, 20}));
}

/* Every method, order and criterion, and what else there is to choose. */
static void solvers_know_no_units(void) {
    check_cases(CASES(
        {"dam.yaml", {"solver.method=gauss_seidel"}, 250, 10},
        {"dam.yaml", {"solver.method=newton", "solver.tolerance=1e-8"}, 250, 10},
        {"dam.yaml", {"solver.method=interior_point", "solver.tolerance=1e-8"}, 20, 3},
        {"hopper.yaml", {"solver.method=newton"}, 200, 10},
        {"chips.yaml", {"solver.method=newton"}, 600, 10},
        {"dam.yaml", {"solver.tolerance=1e-10"}, 250, 5},
        {"dam.yaml", {"solver.order=random"}, 250, 10},
        {"dam.yaml", {"solver.order=fixed"}, 250, 10},
        {"dam.yaml", {"solver.order=alternating"}, 250, 10},
        {"dam.yaml", {"solver.order=coloured"}, 250, 10},
        {"dam.yaml", {"solver.criterion=local", "solver.small_force=0.01"}, 250, 10},
        {"dam.yaml", {"solver.criterion=global"}, 250, 10},
        {"dam.yaml", {"solver.criterion=fixed", "solver.iterations=20"}, 250, 10},
        {"dam.yaml", {"solver.projection=0"}, 250, 20}, {"dam.yaml", {"signed_gap=true"}, 250, 20},
        {"dam.yaml", {"neighbours.skin=0.01"}, 250, 10},
        {"array.yaml", {"solver.cuts=4", "solver.tolerance=1e-10"}, 0, 2}));
}

static void convex_programmes_know_no_units(void) {
    check_cases(CASES(
        {"variational.yaml", {0}, 0, 1}, {"dam.yaml", {"engine=variational"}, 0, 20},
        {"periodic_shear.yaml", {"engine=variational"}, 20, 10},
        {"periodic_shear.yaml", {"engine=variational", "variational={friction: exact}"}, 20, 2},
        {"rolling_friction.yaml", {"engine=variational"}, 0, 20},
        {"measures.yaml", {"engine=variational"}, 0, 10},
        {"chips.yaml", {"engine=variational"}, 600, 5},
        {"compliance.yaml", {"engine=variational"}, 0, 20}, {"quasistatic.yaml", {0}, 0, 5},
        {"quasistatic.yaml", {"variational.friction=exact"}, 0, 3}));
}

static void soft_grains_know_no_units(void) {
    check_cases(CASES(
        {"soft.yaml", {0}, 0, 1000}, {"soft.yaml", {"soft={integrator: verlet}"}, 0, 1000},
        {"soft.yaml", {"soft={friction: viscous}"}, 0, 1000}, {"chips_soft.yaml", {0}, 3000, 300},
        {"dam.yaml", {"engine=soft", "time.step=1e-4", "materials.stone.stiffness=1e5"}, 0, 300},
        {"cohesion.yaml",
         {"engine=soft", "time={end: 0.1}", "materials.clay.stiffness=1e5"},
         0,
         900}));
    /* a root of a root of the overlap is taken in the dashpot of Hertz */
    const Units fourths[] = {{3, -8, 7}, {-11, 4, -3}, {31, 20, -37}};
    const Case hertz[] = {{"soft.yaml",
                           {"materials={ball: {modulus: 1e5, restitution: 0.5, friction: 0.3}}"},
                           0,
                           1000},
                          {"soft.yaml",
                           {"materials={ball: {modulus: 1e5, cohesion: 3, cohesion_range: 0.1}}"},
                           0,
                           1000}};
    check_units_of(&hertz[0], fourths, ENOUGH);
    check_units_of(&hertz[1], fourths, ENOUGH);
}

int main(int argc, char **argv) {
    CHECK_RUN(round_grains_know_no_units);
    CHECK_RUN(laws_know_no_units);
    CHECK_RUN(shapes_know_no_units);
    CHECK_RUN(solids_know_no_units);
    CHECK_RUN(pistons_know_no_units);
    CHECK_RUN(solvers_know_no_units);
    CHECK_RUN(convex_programmes_know_no_units);
    CHECK_RUN(soft_grains_know_no_units);
    return check_result();
}
