/* Methods that keep what they know from one list to the next: bodies in motion, at rest, moved
 * elsewhere, added and removed. After every change the lists are compared with all pairs and with
 * each other. */
#include "broad/cloud.h"

/* Wraps some of the bodies back into the cell: a search must not care whether they are wrapped. */
static void wrap(Cloud *c, size_t i) {
    double *x = &c->position[i].x;
    const double *low = &c->def.cell_min.x, *high = &c->def.cell_max.x;
    for (int axis = 0; axis < 3; axis++) {
        if (c->def.periodic[axis] && i % 3 != 0) {
            x[axis] -=
                (high[axis] - low[axis]) * floor((x[axis] - low[axis]) / (high[axis] - low[axis]));
        }
    }
}

static void move(Cloud *c, uint64_t *random, const ScreeVec3 *velocity, double step) {
    for (size_t i = 0; i < c->count; i++) {
        c->position[i] = rig_add(c->position[i], step, velocity[i]);
        c->margin[i] = (0.02 + 0.2 * rig_random(random)) * c->radius[i];
        wrap(c, i);
    }
}

/* The pairs that the linked linear list keeps are those whose boxes overlap, up to rounding. */
static void check_boxes(const Cloud *c, const Neighbours *nb) {
    const ScreeVec3 side = rig_sub(c->def.cell_max, c->def.cell_min);
    size_t most = 0, least = 0;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t j = 0; j < i; j++) {
            ScreeVec3 d = rig_sub(c->position[j], c->position[i]);
            double reach = c->radius[i] + c->margin[i] + c->radius[j] + c->margin[j],
                   far = fmax(fabs(cloud_image(c->def.periodic[0], side.x, d.x)),
                              fmax(fabs(cloud_image(c->def.periodic[1], side.y, d.y)),
                                   fabs(cloud_image(c->def.periodic[2], side.z, d.z))));
            most += far <= reach * (1 + 1e-5);
            least += far <= reach;
        }
    }
    CHECK(nb->memory.pairs >= least && nb->memory.pairs <= most);
}

static void run_cloud(Cloud *c, uint64_t *random, double speed, int steps) {
    ScreeVec3 *velocity = calloc(c->count + 1, sizeof *velocity);
    AllMethods all = {0};
    if (velocity == NULL) {
        abort();
    }
    for (size_t i = 0; i < c->count; i++) { /* some fast, some at rest */
        velocity[i] = rig_random_vec(random,
                                     i % 11 == 0   ? 0
                                     : i % 13 == 0 ? 20 * speed
                                                   : speed,
                                     c->def.dimension);
    }
    for (int step = 0; step < steps; step++) {
        find_all(c, &all);
        check_boxes(c, &all.nb[SCREE_SEARCH_LINKED_LINEAR_LIST]);
        move(c, random, velocity, 1);
    }
    free_all(&all);
    free(velocity);
}

static void moving_clouds_match_all_pairs(void) {
    uint64_t random = 21;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int ratio = 0; ratio < 3; ratio++) {
            static const double ratios[] = {1, 10, 100};
            static const double speeds[] = {0.001, 0.05, 1};
            for (int s = 0; s < 3; s++) {
                Cloud c = make_cloud(250 / CLOUD_PART, dimension);
                fill_random(&c, &random, 8, ratios[ratio]);
                run_cloud(&c, &random, speeds[s], 25);
                free_cloud(&c);
            }
        }
    }
}

static void moving_periodic_clouds_match_all_pairs(void) {
    uint64_t random = 22;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int set = 1; set < 8; set++) {
            /* down to a little more than one cell */
            static const double sides[] = {30, 6, 3.1, 2.3};
            for (int s = 0; s < 4; s++) {
                static const double speeds[] = {0.01, 0.2};
                for (int v = 0; v < 2; v++) {
                    Cloud c = make_cloud(150 / CLOUD_PART, dimension);
                    fill_random(&c, &random, 0.5 * sides[s], 1);
                    make_periodic(&c, set & 1, set & 2, set & 4, rig_vec(-1, 2, -3),
                                  rig_vec(sides[s], sides[s] + 1, sides[s]));
                    run_cloud(&c, &random, speeds[v], 25);
                    free_cloud(&c);
                }
            }
        }
    }
}

/* Two boxes that pass each other across the seam of the ring in opposite directions, and one that
 * goes round it many times. */
static void boxes_may_pass_across_the_seam(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        Cloud c = make_cloud(4, dimension);
        static const double speed[] = {0.07, -0.07, 0.9, -2.3};
        AllMethods all = {0};
        make_periodic(&c, true, false, false, rig_vec(0, 0, 0), rig_vec(10, 10, 10));
        for (size_t i = 0; i < c.count; i++) {
            c.position[i] = rig_vec(i == 0 ? 9.5 : i == 1 ? 0.5 : 5, 0.1 * (double)i, 0);
            c.radius[i] = 0.25;
        }
        for (int step = 0; step < 300; step++) {
            for (size_t i = 0; i < c.count; i++) {
                c.position[i].x += speed[i];
                c.position[i].x -= 10 * floor(c.position[i].x / 10);
            }
            find_all(&c, &all);
        }
        /* by exchanges only, without renewing the list */
        CHECK(all.nb[SCREE_SEARCH_LINKED_LINEAR_LIST].counts.renewals == 1);
        free_all(&all);
        free_cloud(&c);
    }
}

/* Bodies that jump, grow and shrink, are added and removed. */
static void bodies_may_jump_grow_and_come_and_go(void) {
    uint64_t random = 23;
    for (int dimension = 2; dimension <= 3; dimension++) {
        Cloud c = make_cloud(300, dimension);
        AllMethods all = {0};
        make_periodic(&c, true, false, false, rig_vec(-7, 0, 0), rig_vec(14, 14, 14));
        fill_random(&c, &random, 7, 4);
        static const size_t counts[] = {300, 250, 250, 251, 300, 10, 1, 0, 0, 2, 300, 299, 300};
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            c.count = counts[k];
            for (size_t i = 0; i < c.count; i += 7) {
                c.position[i] = rig_random_vec(&random, 20, dimension);
                c.radius[i] *= 0.5 + rig_random(&random);
            }
            find_all(&c, &all);
            find_all(&c, &all);
        }
        c.count = 300;
        for (size_t i = 0; i < c.count;
             i++) { /* all of them elsewhere at once, then all at one point */
            c.position[i] = rig_random_vec(&random, 7, dimension);
        }
        find_all(&c, &all);
        memset(c.position, 0, c.count * sizeof *c.position);
        find_all(&c, &all);
        CHECK(all.nb[0].count == c.count * (c.count - 1) / 2);
        free_all(&all);
        free_cloud(&c);
    }
}

/* Nothing moves, so nothing is exchanged and Verlet's list is not rebuilt. */
static void nothing_is_done_while_bodies_rest(void) {
    uint64_t random = 24;
    Cloud c = make_cloud(400, 3);
    AllMethods all = {0};
    fill_random(&c, &random, 6, 3);
    for (int k = 0; k < 50; k++) {
        find_all(&c, &all);
    }
    CHECK(all.nb[SCREE_SEARCH_LINKED_LINEAR_LIST].counts.exchanged == 0);
    CHECK(all.nb[SCREE_SEARCH_LINKED_LINEAR_LIST].counts.renewals == 1);
    CHECK(all.nb[SCREE_SEARCH_VERLET_LIST].counts.renewals == 1);
    CHECK(all.nb[SCREE_SEARCH_VERLET_LIST].counts.updates == 50);
    free_all(&all);
    free_cloud(&c);
}

/* With a skin given by the user all pairs are compared every time, as in the published method. */
static void given_skin_compares_all_pairs_every_time(void) {
    uint64_t random = 25;
    Cloud c = make_cloud(100, 3);
    Neighbours nb = {0};
    const BroadInput input = cloud_input(&c, SCREE_SEARCH_VERLET_LIST);
    fill_random(&c, &random, 3, 1);
    c.def.skin = 0.1;
    for (uint64_t k = 1; k <= 3; k++) {
        CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
        CHECK(nb.counts.renewals == k && nb.counts.tested >= k * 100 * 99 / 2);
    }
    scr_neighbours_free(&nb);
    free_cloud(&c);
}

/* Slow bodies: the skin that Verlet's list has learned costs less than the first one, and far less
 * than comparing all pairs every time. */
static void learned_skin_saves_comparisons(void) {
    uint64_t random = 26;
    Cloud c = make_cloud(3000, 3);
    Neighbours nb = {0};
    double first = 0, last = 0, all = 0.5 * 3000 * 2999;
    fill_random(&c, &random, 8, 1);
    for (int step = 0; step < 300; step++) {
        for (size_t i = 0; i < c.count; i++) {
            c.margin[i] = 0.02;
            c.position[i] = rig_add(c.position[i], 1, rig_random_vec(&random, 0.02, 3));
        }
        const BroadInput input = cloud_input(&c, SCREE_SEARCH_VERLET_LIST);
        uint64_t before = nb.counts.tested;
        CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
        *(step < 150 ? &first : &last) += (double)(nb.counts.tested - before) / 150;
    }
    CHECK(last < first && last < 0.1 * all);
    scr_neighbours_free(&nb);
    free_cloud(&c);
}

/* A few large bodies among many small ones: narrower cells, and more of them, save comparisons, and
 * the linked cells find that out. With bodies of one size the adjacent cells are enough. */
static void narrow_cells_save_comparisons(void) {
    for (int ratio = 1; ratio <= 8; ratio += 7) {
        uint64_t random = 27, tested[2] = {0};
        Cloud c = make_cloud(4000, 3);
        Neighbours nb = {0};
        fill_random(&c, &random, 12, 1);
        for (size_t i = 0; i < 5; i++) {
            c.radius[i] *= ratio;
        }
        const BroadInput input = cloud_input(&c, SCREE_SEARCH_LINKED_CELL);
        for (int k = 0; k < 12; k++) {
            uint64_t before = nb.counts.tested;
            CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
            tested[k == 0 ? 0 : 1] = nb.counts.tested - before;
        }
        double reach = 1.1 * 0.5 * ratio;
        CHECK(ratio == 1 ? nb.cell > 1.9 * reach / 1.1 : nb.cell < 1.1 * reach);
        /* at best (9 / 4)^3 cells' volumes instead of 3^3 */
        CHECK(ratio == 1 || 10 * tested[1] < 6 * tested[0]);
        scr_neighbours_free(&nb);
        free_cloud(&c);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(moving_clouds_match_all_pairs);
    CHECK_RUN(moving_periodic_clouds_match_all_pairs);
    CHECK_RUN(boxes_may_pass_across_the_seam);
    CHECK_RUN(bodies_may_jump_grow_and_come_and_go);
    CHECK_RUN(nothing_is_done_while_bodies_rest);
    CHECK_RUN(given_skin_compares_all_pairs_every_time);
    CHECK_RUN(learned_skin_saves_comparisons);
    CHECK_RUN(narrow_cells_save_comparisons);
    return check_result();
}
