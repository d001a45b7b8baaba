/* Every method finds the pairs that comparing all of them finds, and lists them in the same
 * order. */
#include "broad/cloud.h"

/* With the cell width that the method chooses, with narrow and with wide cells. */
static void check_cloud(Cloud *c) {
    static const double cells[] = {0, 0.7, 9};
    for (int i = 0; i < 3; i++) {
        AllMethods all = {0};
        c->def.cell = cells[i];
        find_all(c, &all);
        find_all(c, &all); /* once more, with what the methods have learned */
        find_all(c, &all);
        free_all(&all);
    }
    c->def.cell = 0;
}

static void random_clouds_match_all_pairs(void) {
    uint64_t random = 5;
    for (int dimension = 2; dimension <= 3; dimension++) {
        static const double ratios[] = {1, 3, 100, 1000, 1e6};
        for (int r = 0; r < 5; r++) {
            for (int density = 0; density < 3; density++) {
                Cloud c = make_cloud(500 / CLOUD_PART, dimension);
                fill_random(&c, &random, density == 0 ? 3 : density == 1 ? 15 : 2000, ratios[r]);
                check_cloud(&c);
                free_cloud(&c);
            }
        }
    }
    for (size_t n = 0; n <= 3; n++) {
        Cloud c = make_cloud(n, 3);
        fill_random(&c, &random, 0.3, 2);
        check_cloud(&c);
        free_cloud(&c);
    }
}

/* Touching bodies on a lattice: distances, cell borders and boxes all coincide. */
static void touching_lattices_match_all_pairs(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int margin = 0; margin < 2; margin++) {
            Cloud c = make_cloud(dimension == 2 ? 400 : 729, dimension);
            int n = dimension == 2 ? 20 : 9;
            for (int i = 0; i < (int)c.count; i++) {
                c.position[i] = rig_vec(i % n, i / n % n, dimension == 3 ? i / (n * n) : 0);
                c.radius[i] = 0.5;
                c.margin[i] = margin * 0x1p-4;
            }
            check_cloud(&c);
            make_periodic(&c, true, true, true, rig_vec(0, 0, 0), rig_vec(n, n, n));
            check_cloud(&c);
            if (margin == 0) { /* each touches two along every axis, exactly */
                AllMethods all = {0};
                find_all(&c, &all);
                CHECK(all.nb[0].count == (size_t)dimension * c.count);
                free_all(&all);
            }
            free_cloud(&c);
        }
    }
}

static void clusters_and_strays_match_all_pairs(void) {
    uint64_t random = 6;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = 0; kind < 6; kind++) {
            Cloud c = make_cloud(500 / CLOUD_PART, dimension);
            fill_random(&c, &random, 4, 2);
            for (size_t i = 0; i < c.count; i++) {
                ScreeVec3 far[6] = {rig_vec(1e9, -1e9, 0), rig_vec(0, 0, 0),
                                    rig_vec(1e15, 0, 0),   rig_vec(-1e200, 1e200, 0),
                                    rig_vec(3e5, 2e5, 0),  rig_vec(-1e12, 1e12, 0)};
                if (kind == 1) { /* clusters on a coarse lattice */
                    c.position[i] = rig_add(rig_scale(0.2, c.position[i]), 500,
                                            rig_vec((double)(i % 3), (double)(i % 2), 0));
                } else if (i % 10 == 0) { /* strays, several of them together */
                    c.position[i] = rig_add(c.position[i], 1, far[kind]);
                }
            }
            check_cloud(&c);
            free_cloud(&c);
        }
    }
}

/* A cloud far from the origin, where positions are only known to a thousandth of a radius. */
static void far_clouds_match_all_pairs(void) {
    uint64_t random = 16;
    for (int dimension = 2; dimension <= 3; dimension++) {
        Cloud c = make_cloud(400 / CLOUD_PART, dimension);
        fill_random(&c, &random, 5, 3);
        for (size_t i = 0; i < c.count; i++) {
            c.position[i] = rig_add(c.position[i], 1, rig_vec(4e12, -4e12, 0));
        }
        check_cloud(&c);
        free_cloud(&c);
    }
}

/* Neither memory nor the number of comparisons grows with the distance of strays. */
static void distant_strays_cost_nothing(void) {
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        size_t bytes[2];
        uint64_t tested[2];
        for (int kind = 0; kind < 2; kind++) {
            uint64_t random = 9;
            Cloud c = make_cloud(2000, 3);
            fill_random(&c, &random, 10, 1);
            for (size_t i = 0; i < c.count; i += 200) {
                c.position[i] = rig_scale(kind == 0 ? 1 : 1e11, c.position[i]);
            }
            Neighbours nb = {0};
            const BroadInput input = cloud_input(&c, m);
            CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
            bytes[kind] = scr_neighbours_body_bytes(&nb);
            tested[kind] = nb.counts.tested;
            scr_neighbours_free(&nb);
            free_cloud(&c);
        }
        CHECK(bytes[1] <= bytes[0] + bytes[0] / 4);
        CHECK(m == SCREE_SEARCH_LINKED_CELL || tested[1] <= tested[0] + tested[0] / 4);
        /* a folded lattice compares at most twice as many as there are pairs */
        CHECK(tested[1] <= 2000 * 1999);
    }
}

/* One giant, such as may serve as a floor, and on it grains of a millionth of its size. */
static void grains_on_a_giant_match_all_pairs(void) {
    uint64_t random = 8;
    for (int dimension = 2; dimension <= 3; dimension++) {
        Cloud c = make_cloud(400 / CLOUD_PART, dimension);
        fill_random(&c, &random, 5, 1);
        c.radius[77] = 1e6;
        c.position[77] = rig_vec(0, -1e6 - 1, 0);
        c.radius[78] = 300;
        c.position[78] = rig_vec(-290, 90, 0);
        check_cloud(&c);
        free_cloud(&c);
    }
}

static void periodic_clouds_match_all_pairs(void) {
    uint64_t random = 7;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int set = 1; set < 8; set++) {
            static const double sides[] = {40, 7, 4.7, 2.3};
            for (int s = 0; s < 4; s++) {
                Cloud c = make_cloud(250 / CLOUD_PART, dimension);
                fill_random(&c, &random, sides[s], 1); /* up to a cell outside on each side */
                make_periodic(&c, set & 1, set & 2, set & 4, rig_vec(-1.3, 0.4, -7),
                              rig_vec(sides[s], sides[s], sides[s]));
                check_cloud(&c);
                make_periodic(&c, set & 1, set & 2, set & 4, rig_vec(0, 0, 0),
                              rig_vec(sides[s], 2.5, 60));
                check_cloud(&c);
                free_cloud(&c);
            }
        }
    }
    Cloud c =
        make_cloud(500, 3); /* sizes of several levels in a cell just wide enough for the largest */
    fill_random(&c, &random, 25, 20);
    make_periodic(&c, true, true, true, rig_vec(0, 0, 0), rig_vec(47, 50, 47));
    check_cloud(&c);
    free_cloud(&c);
}

/* All bodies at one point: the limit on the number of pairs holds, and no method goes far beyond
 * it. */
static void too_many_pairs_end_the_search(void) {
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        for (int moved = 0; moved < 2; moved++) {
            Cloud c = make_cloud(2000, 3);
            for (size_t i = 0; i < c.count; i++) {
                c.radius[i] = 1;
                c.position[i] = rig_vec(moved ? 10.0 * (double)i : 0, 0, 0);
            }
            Neighbours nb = {0};
            BroadInput input = cloud_input(&c, m);
            input.pair_limit = 5000;
            if (moved) { /* first apart, then all moved to one point */
                CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK && nb.count == 0);
                memset(c.position, 0, c.count * sizeof *c.position);
            }
            CHECK(scr_find_neighbours(&input, &nb) == SCREE_TOO_CROWDED);
            CHECK(nb.count > 5000 && nb.count <= 2 * 5000 + 2 * c.count);
            for (size_t i = 0; i < c.count; i++) { /* and apart again */
                c.position[i] = rig_vec(1.5 * (double)i, 0, 0);
            }
            CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
            CHECK(nb.count == c.count - 1);
            scr_neighbours_free(&nb);
            free_cloud(&c);
        }
    }
}

/* Exactly as many pairs as are allowed do not count as a crowd, with any method. */
static void exactly_the_allowed_pairs_are_accepted(void) {
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        Cloud c = make_cloud(100, 3);
        for (size_t i = 0; i < c.count; i++) {
            c.radius[i] = 1;
        }
        BroadInput input = cloud_input(&c, m);
        for (size_t less = 0; less < 2; less++) {
            Neighbours nb = {0};
            input.pair_limit = 100 * 99 / 2 - less;
            CHECK(scr_find_neighbours(&input, &nb) == (less == 0 ? SCREE_OK : SCREE_TOO_CROWDED));
            scr_neighbours_free(&nb);
        }
        free_cloud(&c);
    }
}

/* The default method's comparisons per body that find nothing do not grow with the size ratio.
 * Small bodies have a constant density; large ones among them take a tenth of the volume. */
static void cost_does_not_grow_with_the_size_ratio(void) {
    double least = INFINITY, most = 0;
    for (int k = 0; k < 4; k++) {
        static const double ratios[] = {5, 10, 50, 200};
        uint64_t random = 12;
        Cloud c = make_cloud(20000, 3);
        double half = 0.5 * cbrt(20000 / 0.15); /* half the side of the box */
        size_t large = (size_t)fmax(1, 0.1 * 8 * half * half * half / pow(2 * ratios[k], 3));
        for (size_t i = 0; i < c.count; i++) {
            c.position[i] = rig_random_vec(&random, half, 3);
            c.radius[i] = i < large ? 0.5 * ratios[k] : 0.5;
            c.margin[i] = 0.05;
        }
        Neighbours nb = {0};
        const BroadInput input = cloud_input(&c, SCREE_SEARCH_HIERARCHICAL_GRID);
        CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
        double cost = (double)(nb.counts.tested - nb.count) / (double)c.count;
        least = fmin(least, cost);
        most = fmax(most, cost);
        scr_neighbours_free(&nb);
        free_cloud(&c);
    }
    CHECK(most < 1.3 * least);
}

/* The list of several threads is that of one, with its order, comparisons and levels of cells. */
static void check_threads(const Cloud *c) {
    Threads *threads = scr_threads_create(3);
    Neighbours nb[2] = {0};
    BroadInput input = cloud_input(c, SCREE_SEARCH_HIERARCHICAL_GRID);
    CHECK(threads != NULL && scr_find_neighbours(&input, &nb[0]) == SCREE_OK);
    input.threads = threads;
    CHECK(scr_find_neighbours(&input, &nb[1]) == SCREE_OK);
    check_same(c, &nb[0], &nb[1]);
    check_order(c, &nb[1]);
    CHECK(nb[0].counts.tested == nb[1].counts.tested && nb[0].levels == nb[1].levels);
    CHECK(nb[0].cell == nb[1].cell && nb[0].cell_most == nb[1].cell_most);
    input.pair_limit = nb[0].count - 1;
    CHECK(scr_find_neighbours(&input, &nb[1]) == SCREE_TOO_CROWDED);
    CHECK(nb[1].count > input.pair_limit && nb[1].count <= 2 * nb[0].count);
    for (int k = 0; k < 2; k++) {
        scr_neighbours_free(&nb[k]);
    }
    scr_threads_destroy(threads);
}

/* So many cells that they are searched in several waves; sizes on several levels; strays, for which the
 * table is one of hashes; and a periodic cell. A method with cells and loops of its own agrees. */
static void threads_find_the_same_list(void) {
    for (int kind = 0; kind < 4; kind++) {
        uint64_t random = (uint64_t)(31 + kind);
        Cloud c = make_cloud(kind == 0 ? 60000 : 9000, kind == 3 ? 2 : 3);
        fill_random(&c, &random, kind == 0 ? 40 : 14, kind == 1 ? 20 : 1.2);
        for (size_t i = 0; i < c.count && kind == 2; i += 100) {
            c.position[i] = rig_add(c.position[i], 1e6 * rig_random(&random), rig_vec(1, -1, 2));
        }
        if (kind == 3) {
            make_periodic(&c, true, false, false, rig_vec(-3, 0, 0), rig_vec(14, 0, 0));
        }
        check_threads(&c);
        Neighbours nb[2] = {0};
        for (int m = 0; m < 2; m++) {
            const BroadInput input =
                cloud_input(&c, m == 0 ? SCREE_SEARCH_HIERARCHICAL_GRID : SCREE_SEARCH_LINKED_CELL);
            CHECK(scr_find_neighbours(&input, &nb[m]) == SCREE_OK);
        }
        check_same(&c, &nb[0], &nb[1]);
        CHECK(nb[0].count > c.count / 10);
        scr_neighbours_free(&nb[0]);
        scr_neighbours_free(&nb[1]);
        free_cloud(&c);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(random_clouds_match_all_pairs);
    CHECK_RUN(touching_lattices_match_all_pairs);
    CHECK_RUN(clusters_and_strays_match_all_pairs);
    CHECK_RUN(far_clouds_match_all_pairs);
    CHECK_RUN(distant_strays_cost_nothing);
    CHECK_RUN(grains_on_a_giant_match_all_pairs);
    CHECK_RUN(periodic_clouds_match_all_pairs);
    CHECK_RUN(too_many_pairs_end_the_search);
    CHECK_RUN(exactly_the_allowed_pairs_are_accepted);
    CHECK_RUN(cost_does_not_grow_with_the_size_ratio);
    CHECK_RUN(threads_find_the_same_list);
    return check_result();
}
