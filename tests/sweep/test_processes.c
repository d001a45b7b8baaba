/* Sweeps that are shared out among processes change no bit, whatever their number. Threads stand in for
 * processes: each has a world of its own, and what passes between them goes through a table. */
#include "board.h"
#include "crowds.h"

#include "api/world.h"

enum { SEVERAL = 7 };

/* ---------------------------------------------------------------- worlds */

enum { MOST_STEPS = 9, STEPS = CHECK_STRIDE == 1 ? MOST_STEPS : 4 };

typedef struct Run {
    const Crowd *crowd;
    Process process;
    bool looks; /* at the whole world after each step, which brings it together */
    int alone;  /* steps that each makes for itself before they share, as after a restart */
    int steps;
    uint64_t hash[MOST_STEPS];
    ScreeReport report[MOST_STEPS];
} Run;

static void make_steps(Run *run, const ScreeProcesses *processes, int threads) {
    ScreeWorld *world = crowd_make(run->crowd, threads);
    if (run->crowd->laws) { /* all laws but the one whose rows stay together */
        world->state.materials.law->friction_static = 0;
        scr_materials_note_uses(&world->state.materials);
    }
    for (int step = 0; step < run->steps; step++) {
        if (step == run->alone) {
            rig_must(scree_world_set_processes(world, processes), "processes");
        }
        run->report[step] = rig_step(world);
        if (step == run->steps - 1 || run->looks) {
            run->hash[step] = scree_world_hash(world);
        }
    }
    scree_world_destroy(world);
}

static void *one_process(void *argument) {
    Run *run = argument;
    const ScreeProcesses processes = board_table(&run->process);
    make_steps(run, &processes, 1 + run->process.rank % 2);
    return NULL;
}

static void check_processes(const Run *alone, int count) {
    Board board = {.numbers = 0};
    Run run[MOST_PROCESSES];
    memset(run, 0, sizeof run);
    pthread_t thread[MOST_PROCESSES];
    pthread_barrier_init(&board.barrier, NULL, (unsigned)count);
    for (int k = 0; k < count; k++) {
        run[k] = (Run){.crowd = alone->crowd,
                       .process = {&board, k, count},
                       .looks = alone->looks,
                       .alone = alone->alone,
                       .steps = alone->steps};
        if (pthread_create(&thread[k], NULL, one_process, &run[k]) != 0) {
            abort();
        }
    }
    for (int k = 0; k < count; k++) {
        pthread_join(thread[k], NULL);
        CHECK(memcmp(run[k].hash, alone->hash, sizeof alone->hash) == 0);
        CHECK(memcmp(run[k].report, alone->report, sizeof alone->report) == 0);
    }
    pthread_barrier_destroy(&board.barrier);
    CHECK(board.exchanges > 0 && board.numbers > 0); /* else they were not shared out */
}

static void number_of_processes_does_not_matter(void) {
    static const int counts[] = {2, 3, SEVERAL};
    double length = 0;
    for (size_t k = 0; k < sizeof crowds / sizeof *crowds; k += CHECK_STRIDE) {
        Run alone = {.crowd = &crowds[k], .looks = k % 4 == 1, .steps = STEPS};
        if (crowds[k].order != SCREE_ORDER_BOXED) {
            continue;
        }
        make_steps(&alone, NULL, 1);
        length += alone.report[STEPS - 1].packing_length;
        check_processes(&alone, counts[k % 3]);
    }
    CHECK(length > 0); /* some clusters were measured */
}

/* What contacts remember goes to all that need it, however far they must see from the first step on. */
static void worlds_with_contacts_can_be_shared(void) {
    for (size_t k = 0; k < 2; k++) {
        Run alone = {.crowd = &crowds[k], .alone = STEPS - 2, .steps = STEPS};
        make_steps(&alone, NULL, 1);
        check_processes(&alone, 3);
    }
}

/* More than there are bits in a word. With so few bodies each makes its steps for itself, but for the
 * sweeps; a piston has copies in all of them. */
static void many_processes_can_share_sweeps(void) {
    if (CHECK_STRIDE > 1) {
        return;
    }
    Run alone = {.crowd = &crowds[3], .alone = 7, .steps = 8};
    make_steps(&alone, NULL, 1);
    check_processes(&alone, MOST_PROCESSES);
}

static void incomplete_tables_are_refused(void) {
    ScreeWorld *world = crowd_make(&crowds[0], 1);
    ScreeProcesses table = {.rank = 0, .count = 1};
    CHECK(scree_world_set_processes(world, &table) == SCREE_BAD_ARGUMENT);
    Process process = {.count = 1};
    table = board_table(&process);
    CHECK(scree_world_set_processes(world, &table) == SCREE_OK);
    table.count = SCREE_MOST_PROCESSES + 1;
    CHECK(scree_world_set_processes(world, &table) == SCREE_BAD_ARGUMENT);
    table.count = table.rank = 2;
    CHECK(scree_world_set_processes(world, &table) == SCREE_BAD_ARGUMENT);
    CHECK(scree_world_set_processes(world, NULL) == SCREE_OK);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(number_of_processes_does_not_matter);
    CHECK_RUN(worlds_with_contacts_can_be_shared);
    CHECK_RUN(many_processes_can_share_sweeps);
    CHECK_RUN(incomplete_tables_are_refused);
    return check_result();
}
