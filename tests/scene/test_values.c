/* Defaults, distributions of sizes, and random numbers. */
#include "support.h"

#include "scene/make/random.h"
#include "scene/make/sizes.h"

static void defaults_are_those_of_the_library(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built("time: {step: 0.25, end: 1}\nmaterials: {m: {}}\n"
               "grains: [{position: [0, 0, 0], radius: 1}]\nwalls: {w: {plane: {point: [0, 0, -9], "
               "normal: [0, 0, 2]}}}\n",
               &scene, &world)) {
        return;
    }
    ScreeWorldDef made = scree_world_get_def(world), plain = scree_world_def_default();
    CHECK(made.time_step == 0.25);
    CHECK(made.dimension == plain.dimension && made.seed == plain.seed);
    CHECK(made.signed_gap == plain.signed_gap && made.skin == plain.skin);
    CHECK(made.gravity.x == 0 && made.gravity.y == 0 && made.gravity.z == 0);
    CHECK(!made.periodic[0] && !made.periodic[1] && !made.periodic[2]);
    CHECK(made.solver.order == plain.solver.order);
    CHECK(made.solver.criterion == plain.solver.criterion);
    CHECK(made.solver.tolerance == plain.solver.tolerance);
    CHECK(made.solver.small_force == plain.solver.small_force);
    CHECK(made.solver.overlap == plain.solver.overlap);
    CHECK(made.solver.iterations == plain.solver.iterations);
    CHECK(made.solver.warm_start == plain.solver.warm_start);
    CHECK(made.solver.projection == plain.solver.projection);
    ScreeMaterialDef material = scree_material_def_default();
    ScreeLaw law;
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law) == SCREE_OK &&
          law.friction == material.law.friction);
    CHECK_CLOSE(scree_world_get_bodies(world).mass[0], material.density * 4 * 3.14159265358979 / 3,
                1e-12);
    ScreeWallState wall;
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK &&
          wall.now.motion == SCREE_WALL_FIXED);
    CHECK(SCREE_EQUALS(wall.now.material, scree_wall_def_default().material));
    CHECK_CLOSE(wall.now.normal.z, 1.0, 1e-15);
    const SceneSettings *settings = scene_settings(scene);
    CHECK(settings->end == 1 && settings->output_every == 0.01 && settings->output_contacts);
    CHECK(settings->policy == SCENE_WARN);
    dropped(scene, world);
}

/* ---------------------------------------------------------------- sizes
 *
 * The mean of N draws scatters by s / sqrt(N); five times that is exceeded once in two million
 * times. */

enum { N = 200000 };

typedef double (*Function)(double r);

static double identity(double r) {
    return r;
}

static double square(double r) {
    return r * r;
}

static double cube(double r) {
    return r * r * r;
}

/* The sample mean of f against `expected`, within five standard errors. */
static void check_mean(const SceneSizes *sizes, Function f, double expected) {
    SceneRandom random = scene_random(11, 3, 1);
    double sum = 0, sum2 = 0;
    for (int i = 0; i < N; i++) {
        double r = scene_draw_radius(sizes, &random, 0);
        CHECK(r >= sizes->min && r <= sizes->max);
        sum += f(r);
        sum2 += f(r) * f(r);
    }
    double mean = sum / N, variance = sum2 / N - mean * mean;
    CHECK_NEAR(mean, expected, 5 * sqrt(variance / N));
}

/* Moment k of density r^-p on [a, b]. */
static double power_moment(double a, double b, double p, double k) {
    double top = k - p + 1, bottom = 1 - p;
    double t = top == 0 ? log(b / a) : (pow(b, top) - pow(a, top)) / top;
    double n = bottom == 0 ? log(b / a) : (pow(b, bottom) - pow(a, bottom)) / bottom;
    return t / n;
}

static void uniform_sizes_have_their_moments(void) {
    SceneSizes s = {.kind = SIZES_UNIFORM, .min = 1, .max = 3};
    check_mean(&s, identity, 2);
    check_mean(&s, square, 13.0 / 3);
    check_mean(&s, cube, 10);
}

static void power_sizes_have_their_moments(void) {
    static const double exponents[] = {2, 3, 1, 2.5, -1, 0, 4.5};
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i += CHECK_STRIDE) {
        SceneSizes s = {.kind = SIZES_POWER, .min = 0.5, .max = 5, .exponent = exponents[i]};
        check_mean(&s, identity, power_moment(0.5, 5, exponents[i], 1));
        check_mean(&s, square, power_moment(0.5, 5, exponents[i], 2));
        check_mean(&s, cube, power_moment(0.5, 5, exponents[i], 3));
    }
}

static void two_sizes_have_their_share(void) {
    SceneSizes s = {.kind = SIZES_TWO, .min = 1, .max = 2, .share = 0.3};
    check_mean(&s, identity, 0.7 + 0.6);
}

/* Cut at three deviations the mean stays, and the variance falls by 1 - 2 c phi(c) / (2 Phi(c) -
 * 1). */
static double from_middle(double r) {
    return (r - 10) * (r - 10);
}

static double log_from_middle(double r) {
    return log(r / 10) * log(r / 10);
}

static double log_of(double r) {
    return log(r / 10);
}

static void normal_and_lognormal_sizes_have_their_moments(void) {
    double phi = exp(-4.5) / sqrt(2 * 3.14159265358979), mass = erf(3 / sqrt(2.0));
    double shrink = 1 - 2 * 3 * phi / mass;
    SceneSizes normal = {.kind = SIZES_NORMAL, .min = 4, .max = 16, .middle = 10, .deviation = 2};
    check_mean(&normal, identity, 10);
    check_mean(&normal, from_middle, 4 * shrink);
    SceneSizes lognormal = {.kind = SIZES_LOGNORMAL,
                            .min = 10 * exp(-0.9),
                            .max = 10 * exp(0.9),
                            .middle = 10,
                            .deviation = 0.3};
    check_mean(&lognormal, log_of, 0);
    check_mean(&lognormal, log_from_middle, 0.09 * shrink);
}

/* Shares of volume as the scene gives them, measured on the grains it makes. */
static void sizes_by_volume_share_the_volume(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE "dimension: 2\ngrains:\n"
                    "  - {lattice: {min: [0, 0], counts: [200, 200], spacing: 5}, radius: "
                    "{uniform_volume: [1, 2]}}\n"
                    "  - {lattice: {min: [2000, 0], counts: [200, 200], spacing: 5}, radius: {two: "
                    "{small: 1, large: 2, fraction: 0.25, by: volume}}}\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    double total = 0, lower = 0, large = 0, both = 0;
    CHECK(b.count == 80000);
    for (size_t i = 0; i < b.count; i++) {
        double area = b.radius[i] * b.radius[i];
        if (i < 40000) {
            total += area;
            lower += b.radius[i] < 1.5 ? area : 0;
        } else {
            both += area;
            large += b.radius[i] > 1.5 ? area : 0;
        }
    }
    /* shares of at most 40000 draws with areas within a factor 4: five times an error below 2 /
     * sqrt(40000) */
    CHECK_NEAR(lower / total, 0.5, 0.025);
    CHECK_NEAR(large / both, 0.25, 0.025);
    dropped(scene, world);
}

static void random_numbers_are_uniform_and_repeat(void) {
    SceneRandom a = scene_random(1, 0, 1), b = scene_random(1, 0, 1), c = scene_random(2, 0, 1);
    double sum = 0, square_sum = 0, lag = 0, last = 0.5;
    int differ = 0;
    for (int i = 0; i < N; i++) {
        double u = scene_uniform(&a);
        CHECK(u >= 0 && u < 1 && u == scene_uniform(&b));
        differ += u != scene_uniform(&c);
        sum += u;
        square_sum += u * u;
        lag += (u - 0.5) * (last - 0.5);
        last = u;
    }
    CHECK(differ == N);
    CHECK_NEAR(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    CHECK_NEAR(square_sum / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
    CHECK_NEAR(lag / N, 0, 5.0 / 12 / sqrt((double)N));
}

int main(int argc, char **argv) {
    CHECK_RUN(defaults_are_those_of_the_library);
    CHECK_RUN(uniform_sizes_have_their_moments);
    CHECK_RUN(power_sizes_have_their_moments);
    CHECK_RUN(two_sizes_have_their_share);
    CHECK_RUN(normal_and_lognormal_sizes_have_their_moments);
    CHECK_RUN(sizes_by_volume_share_the_volume);
    CHECK_RUN(random_numbers_are_uniform_and_repeat);
    return check_result();
}
