/* The number of threads changes nothing. */
#include "crowds.h"

static void threads_do_not_change_a_bit(void) {
    static const int threads[] = {5, 2};
    enum { ALL = CHECK_STRIDE == 1, STEPS = ALL ? 8 : 5, COUNTS = ALL ? 2 : 1 };
    for (size_t k = 0; k < sizeof crowds / sizeof crowds[0]; k += ALL ? 1 : 7) {
        uint64_t hash[STEPS];
        ScreeReport last = {0};
        for (int t = -1; t < COUNTS; t++) {
            ScreeWorld *world = crowd_make(&crowds[k], t < 0 ? 1 : threads[t]);
            bool same = true;
            for (int step = 0; step < STEPS; step++) {
                ScreeReport report = rig_step(world);
                if (t < 0) {
                    hash[step] = scree_world_hash(world);
                    last = report;
                } else {
                    same = same && hash[step] == scree_world_hash(world);
                }
                if (t >= 0 && step == STEPS - 1) {
                    CHECK(memcmp(&report, &last, sizeof report) == 0);
                }
            }
            CHECK(same);
            scree_world_destroy(world);
        }
        CHECK(last.active > 200);
    }
}

/* Threads may be changed between steps. */
static void threads_may_change_between_steps(void) {
    ScreeWorld *one = crowd_make(&crowds[3], 1), *other = crowd_make(&crowds[3], 1);
    for (int step = 0; step < 16 / CHECK_STRIDE; step++) {
        rig_must(scree_world_set_threads(other, 1 + step % 4), "threads");
        rig_step(one);
        rig_step(other);
        CHECK(scree_world_hash(one) == scree_world_hash(other));
    }
    scree_world_destroy(one);
    scree_world_destroy(other);
}

int main(int argc, char **argv) {
    CHECK_RUN(threads_do_not_change_a_bit);
    CHECK_RUN(threads_may_change_between_steps);
    return check_result();
}
