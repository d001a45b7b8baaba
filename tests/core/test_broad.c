/* The neighbour list against all pairs. */
#include "scenes.h"

#include "broad/broad.h"

typedef struct Cloud {
    size_t count;
    Vec3 *position;
    double *radius, *margin;
    ScreeWorldDef def;
} Cloud;

static Cloud make_cloud(size_t count, int dimension) {
    Cloud c = {.count = count, .def = scree_default_world()};
    c.def.dimension = dimension;
    c.position = calloc(count + 1, sizeof *c.position);
    c.radius = calloc(2 * count + 2, sizeof *c.radius);
    if (c.position == NULL || c.radius == NULL) {
        abort();
    }
    c.margin = c.radius + count + 1;
    return c;
}

static void free_cloud(Cloud *c) {
    free(c->position);
    free(c->radius);
}

static void make_periodic(Cloud *c, bool x, bool y, bool z, ScreeVec3 low, ScreeVec3 side) {
    c->def.periodic[0] = x;
    c->def.periodic[1] = y;
    c->def.periodic[2] = z && c->def.dimension == 3;
    c->def.cell_min = low;
    c->def.cell_max = rig_add(low, 1, side);
}

static double image(bool periodic, double side, double d) {
    return periodic ? remainder(d, side) : d;
}

static double distance(const Cloud *c, size_t i, size_t j) {
    ScreeVec3 d = rig_sub(c->position[j], c->position[i]),
              side = rig_sub(c->def.cell_max, c->def.cell_min);
    return rig_length(rig_vec(image(c->def.periodic[0], side.x, d.x),
                              image(c->def.periodic[1], side.y, d.y),
                              image(c->def.periodic[2], side.z, d.z)));
}

static int by_bodies(const void *left, const void *right) {
    const Pair *a = left, *b = right;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

/* Same pairs; those within rounding of the limit may fall either way. Also: every body has one
 * rank. */
static void check_pairs(const Cloud *c) {
    Neighbours nb = {0};
    const BroadInput input = {&c->def,   c->count,  c->position,
                              c->radius, c->margin, (size_t)1 << 40};
    CHECK(scr_broad_grid(&input, &nb) == SCREE_OK);
    if (nb.count > 0) {
        qsort(nb.pair, nb.count, sizeof *nb.pair, by_bodies);
    }
    size_t k = 0, missing = 0, extra = 0;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t j = i + 1; j < c->count; j++) {
            bool listed = k < nb.count && nb.pair[k].a == (int32_t)i && nb.pair[k].b == (int32_t)j;
            k += listed;
            double reach = c->radius[i] + c->margin[i] + c->radius[j] + c->margin[j],
                   d = distance(c, i, j);
            missing += !listed && d < reach * (1 - 1e-9) - 1e-15 * rig_length(c->position[i]);
            extra += listed && d > reach * (1 + 1e-9) + 1e-15 * rig_length(c->position[i]);
        }
    }
    CHECK(missing == 0);
    CHECK(extra == 0);
    CHECK(k == nb.count); /* none twice, none with a > b */
    size_t sum = 0;
    unsigned char *seen = calloc(c->count + 1, 1);
    for (size_t i = 0; i < c->count && seen != NULL; i++) {
        size_t r = (size_t)nb.rank[i];
        sum += r < c->count && !seen[r]++;
    }
    CHECK(sum == c->count);
    free(seen);
    scr_neighbours_free(&nb);
}

/* Sizes from 1 to `ratio`, as many small as large by volume or so; half side of the space chosen to
 * make some pairs. */
static void fill_random(Cloud *c, uint64_t *random, double half, double ratio) {
    for (size_t i = 0; i < c->count; i++) {
        c->position[i] = rig_random_vec(random, half, c->def.dimension);
        c->radius[i] = 0.5 / pow(1 - rig_random(random) * (1 - 1 / (ratio * ratio)), 0.5);
        c->margin[i] = 0.1 * rig_random(random) * c->radius[i];
    }
}

static void random_clouds(void) {
    uint64_t random = 5;
    for (int dimension = 2; dimension <= 3; dimension++) {
        static const double ratios[] = {1, 3, 100, 1e6};
        for (int r = 0; r < 4; r++) {
            for (int density = 0; density < 3; density++) {
                Cloud c = make_cloud(700, dimension);
                fill_random(&c, &random, density == 0 ? 3 : density == 1 ? 15 : 2000, ratios[r]);
                check_pairs(&c);
                free_cloud(&c);
            }
        }
    }
    for (size_t n = 0; n <= 3; n++) {
        Cloud c = make_cloud(n, 3);
        fill_random(&c, &random, 0.3, 2);
        check_pairs(&c);
        free_cloud(&c);
    }
}

static void clusters_and_strays(void) {
    uint64_t random = 6;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = 0; kind < 5; kind++) {
            Cloud c = make_cloud(600, dimension);
            fill_random(&c, &random, 4, 2);
            for (size_t i = 0; i < c.count; i++) {
                ScreeVec3 far[5] = {rig_vec(1e9, -1e9, 0), rig_vec(0, 0, 0), rig_vec(1e15, 0, 0),
                                    rig_vec(-1e200, 1e200, 0), rig_vec(3e5, 2e5, 0)};
                if (kind == 1) { /* clusters on a coarse lattice */
                    c.position[i] = rig_add(rig_scale(0.2, c.position[i]), 500,
                                            rig_vec((double)(i % 3), (double)(i % 2), 0));
                } else if (i % 10 == 0) { /* strays, several of them together */
                    c.position[i] = rig_add(c.position[i], 1, far[kind]);
                }
            }
            check_pairs(&c);
            free_cloud(&c);
        }
    }
}

/* One giant, as a floor may be made of, and grains a millionth of its size on it. */
static void giant(void) {
    uint64_t random = 8;
    for (int dimension = 2; dimension <= 3; dimension++) {
        Cloud c = make_cloud(500, dimension);
        fill_random(&c, &random, 5, 1);
        c.radius[77] = 1e6;
        c.position[77] = rig_vec(0, -1e6 - 1, 0);
        c.radius[78] = 300;
        c.position[78] = rig_vec(-290, 90, 0);
        check_pairs(&c);
        free_cloud(&c);
    }
}

static void periodic_clouds(void) {
    uint64_t random = 7;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int set = 1; set < 8; set++) {
            static const double sides[] = {40, 7, 4.7, 2.3};
            for (int s = 0; s < 4; s++) {
                Cloud c = make_cloud(400, dimension);
                fill_random(&c, &random, sides[s], 1); /* up to a cell outside on each side */
                make_periodic(&c, set & 1, set & 2, set & 4, rig_vec(-1.3, 0.4, -7),
                              rig_vec(sides[s], sides[s], sides[s]));
                check_pairs(&c);
                make_periodic(&c, set & 1, set & 2, set & 4, rig_vec(0, 0, 0),
                              rig_vec(sides[s], 2.5, 60));
                check_pairs(&c);
                free_cloud(&c);
            }
        }
    }
    Cloud c =
        make_cloud(500, 3); /* sizes of several levels in a cell just wide enough for the largest */
    fill_random(&c, &random, 25, 20);
    make_periodic(&c, true, true, true, rig_vec(0, 0, 0), rig_vec(47, 50, 47));
    check_pairs(&c);
    free_cloud(&c);
}

/* The limit of pairs is kept. */
static void limit(void) {
    Cloud c = make_cloud(2000, 3);
    for (size_t i = 0; i < c.count; i++) {
        c.radius[i] = 1;
    }
    Neighbours nb = {0};
    const BroadInput input = {&c.def, c.count, c.position, c.radius, c.margin, 5000};
    CHECK(scr_broad_grid(&input, &nb) == SCREE_TOO_CROWDED);
    CHECK(nb.count > 5000 && nb.count < 5000 + 2 * c.count);
    scr_neighbours_free(&nb);
    free_cloud(&c);
}

/* In a run the list must at all times hold every pair that comes into touch: no two overlap that
 * are no contact, for the largest overlap of contacts is in the report. Fast grains cross several
 * diameters a step, others stand. */
static void nothing_is_missed_in_a_run(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = rig_def(dimension, 0.05, rig_vec(0, -10, 0));
        def.solver.tolerance = 1e-8;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.3);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        uint64_t random = 31;
        for (int i = 0; i < 100; i++) {
            int nx = dimension == 3 ? 5 : 10;
            ScreeVec3 x = rig_vec(1.1 * (i % nx), 0.6 + 1.1 * (i / nx % 5),
                                  dimension == 3 ? 1.1 * (i / 25) : 0);
            if (dimension == 2) {
                x.y = 0.6 + 1.1 * (i / 10);
            }
            ScreeBodyDef ball = rig_ball(x, 0.3 + 0.2 * rig_random(&random), 0);
            ball.velocity = rig_random_vec(&random, i % 9 == 0 ? 60 : 0.5, dimension);
            rig_add_body(world, &ball);
        }
        for (int step = 0; step < 60; step++) {
            ScreeReport report = rig_step(world);
            ScreeBodyView b = scree_bodies(world);
            for (size_t i = 0; i < b.count; i++) {
                for (size_t j = 0; j < i; j++) {
                    double gap = rig_length(rig_sub(b.position[i], b.position[j])) - b.radius[i] -
                                 b.radius[j];
                    CHECK(gap >= -1e-12 || gap >= -report.overlap_max * (1 + 1e-9));
                }
            }
        }
        scree_destroy_world(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(random_clouds);
    CHECK_RUN(clusters_and_strays);
    CHECK_RUN(giant);
    CHECK_RUN(periodic_clouds);
    CHECK_RUN(limit);
    CHECK_RUN(nothing_is_missed_in_a_run);
    return check_result();
}
