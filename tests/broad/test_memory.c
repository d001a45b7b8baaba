/* Every allocation of every method fails once: the search reports it, and the next try gives the
 * list that the first would have given. */
#include "failing_memory.h"

#include "broad/cloud.h"

static uint64_t hash_list(uint64_t hash, const Neighbours *nb) {
    for (size_t k = 0; k < nb->count; k++) {
        uint64_t pair = (uint64_t)nb->pair[k].a << 32 | (uint64_t)nb->pair[k].b;
        hash = (hash ^ pair) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Lists of moving bodies in a cell that is periodic along x; from time to time bodies are added. */
static uint64_t life(Cloud *c, int method) {
    static Vec3 start[300];
    static const size_t counts[] = {100, 100, 100, 300, 300, 300, 50, 300};
    uint64_t random = 3, hash = 1;
    Neighbours nb = {0};
    memcpy(start, c->position, sizeof start);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        c->count = counts[k];
        for (size_t i = 0; i < 300; i++) {
            c->position[i] = rig_add(c->position[i], 1, rig_random_vec(&random, 0.1, 3));
        }
        const BroadInput input = cloud_input(c, method);
        ScreeStatus status = scr_find_neighbours(&input, &nb);
        if (status != SCREE_OK) {
            step_failed = true;
            CHECK(failed && status == SCREE_NO_MEMORY);
            status = scr_find_neighbours(&input, &nb);
        }
        CHECK(status == SCREE_OK);
        hash = hash_list(hash, &nb);
    }
    memcpy(c->position, start, sizeof start);
    scr_neighbours_free(&nb);
    return hash;
}

static void every_allocation_fails_once(void) {
    uint64_t random = 4, first = 0;
    Cloud c = make_cloud(300, 3);
    fill_random(&c, &random, 4, 3);
    make_periodic(&c, true, false, false, rig_vec(-4, 0, 0), rig_vec(8, 8, 8));
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        long before = live;
        calls = 0;
        failed = false;
        fail_at = -1;
        uint64_t undisturbed = life(&c, m);
        first = m == 0 ? undisturbed : first;
        CHECK(undisturbed == first);
        long all = calls;
        CHECK(all > 4);
        for (long k = 0; k < all; k++) {
            calls = 0;
            failed = step_failed = false;
            fail_at = k;
            CHECK(life(&c, m) == undisturbed);
            fail_at = -1;
            CHECK(failed && step_failed && live == before);
        }
    }
    free_cloud(&c);
}

/* Once everything has its size, lists are made without any allocation. */
static void settled_lists_allocate_nothing(void) {
    uint64_t random = 5;
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        Cloud c = make_cloud(300, 3);
        Neighbours nb = {0};
        fill_random(&c, &random, 4, 3);
        const BroadInput input = cloud_input(&c, m);
        long before = 0;
        for (int k = 0; k < 40; k++) {
            for (size_t i = 0; i < c.count; i++) {
                c.position[i].x += k % 2 == 0 ? 0.01 : -0.01;
            }
            before = k == 20 ? calls : before;
            CHECK(scr_find_neighbours(&input, &nb) == SCREE_OK);
        }
        CHECK(calls == before);
        scr_neighbours_free(&nb);
        free_cloud(&c);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(every_allocation_fails_once);
    CHECK_RUN(settled_lists_allocate_nothing);
    return check_result();
}
