/* scree bench mpi: messages, bytes and time of a step that processes share.
 *
 * The table of messages is wrapped in one that counts. Steps with twice the sweeps tell what a sweep
 * needs and what the rest of a step does. */
#include "bench/processes.h"

#include "base/clock.h"
#include "bench/packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* What passes through the table, of this process. */
enum { MESSAGES, BYTES, REDUCTIONS, SECONDS, WORK, COUNTS };

typedef struct Counted {
    ScreeProcesses table;
    const ScreeProcesses *inner;
    double of[COUNTS];
    double busy; /* processor time until the last call ended */
} Counted;

/* Of this process with all its threads: what others do on the same cores does not count. */
static double processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double begin_call(Counted *c) {
    c->of[WORK] += processor_time() - c->busy;
    return scr_seconds();
}

static void end_call(Counted *c, double begin) {
    c->of[SECONDS] += scr_seconds() - begin;
    c->busy = processor_time();
}

static void add(void *context, int64_t *number, size_t count) {
    Counted *c = context;
    const double begin = begin_call(c);
    c->inner->add(c->inner->context, number, count);
    c->of[REDUCTIONS]++;
    end_call(c, begin);
}

static void most(void *context, double *number, size_t count) {
    Counted *c = context;
    const double begin = begin_call(c);
    c->inner->most(c->inner->context, number, count);
    c->of[REDUCTIONS]++;
    end_call(c, begin);
}

static void exchange(void *context, const double *out, const size_t *out_count, double *in,
                     const size_t *in_count) {
    Counted *c = context;
    const double begin = begin_call(c);
    c->inner->exchange(c->inner->context, out, out_count, in, in_count);
    for (int p = 0; p < c->inner->count; p++) {
        c->of[MESSAGES] += out_count[p] > 0;
        c->of[BYTES] += (double)(out_count[p] * sizeof *out);
    }
    end_call(c, begin);
}

static void gather(void *context, const double *own, double *all, const size_t *count) {
    Counted *c = context;
    const double begin = begin_call(c);
    c->inner->gather(c->inner->context, own, all, count);
    c->of[REDUCTIONS]++;
    end_call(c, begin);
}

/* ---------------------------------------------------------------- latency and bandwidth */

/* Seconds of an exchange of `numbers` between the first two processes, there and back at once. */
static double time_exchange(const ScreeProcesses *with, double *room, size_t numbers, int times) {
    size_t *count = calloc((size_t)with->count, sizeof *count);
    double best = INFINITY;
    if (count == NULL) {
        return NAN;
    }
    for (int k = 0; k < times; k++) {
        if (with->rank < 2) {
            count[1 - with->rank] = numbers;
        }
        const double begin = scr_seconds();
        with->exchange(with->context, room, count, room + numbers, count);
        best = fmin(best, scr_seconds() - begin);
    }
    free(count);
    return best;
}

static double time_sum(const ScreeProcesses *with, int times) {
    int64_t number[70] = {0};
    double best = INFINITY;
    for (int k = 0; k < times; k++) {
        const double begin = scr_seconds();
        with->add(with->context, number, sizeof number / sizeof number[0]);
        best = fmin(best, scr_seconds() - begin);
    }
    return best;
}

static void measure_messages(const ScreeProcesses *with) {
    enum { LARGE = 1 << 18, TIMES = 50 };
    double *room = calloc(2 * LARGE, sizeof *room);
    if (room == NULL) {
        return;
    }
    const double small = time_exchange(with, room, 1, TIMES),
                 large = time_exchange(with, room, LARGE, TIMES), sum = time_sum(with, TIMES);
    if (with->rank == 0) {
        printf("exchange of 8 bytes           %10.2f us\n", 1e6 * small);
        printf("exchange of 2 MiB             %10.2f GB/s each way\n",
               1e-9 * LARGE * sizeof *room / large);
        printf("exact sum over all            %10.2f us\n", 1e6 * sum);
    }
    free(room);
}

/* ---------------------------------------------------------------- steps */

typedef struct Stretch {
    double seconds;    /* of a step */
    double of[COUNTS]; /* of a step, this process */
    ScreeReport last;
} Stretch;

/* A fixed number of sweeps, all of which count as converged: whatever is looked at after a step that
 * has not is no part of this. */
static bool set_sweeps(ScreeWorld *world, int sweeps) {
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    solver.criterion = SCREE_CRITERION_FIXED;
    solver.iterations = sweeps;
    solver.tolerance = solver.overlap = 1e9;
    return scree_world_set_solver(world, &solver) == SCREE_OK;
}

static bool go(ScreeWorld *world, Counted *c, int sweeps, int warm, int steps, Stretch *s) {
    *s = (Stretch){.seconds = 0};
    if (!set_sweeps(world, sweeps) || !bench_steps(world, warm, &s->last)) {
        return false;
    }
    memset(c->of, 0, sizeof c->of);
    c->busy = processor_time();
    const double begin = scr_seconds();
    if (!bench_steps(world, steps, &s->last)) {
        return false;
    }
    s->seconds = (scr_seconds() - begin) / steps;
    c->of[WORK] += processor_time() - c->busy;
    for (int k = 0; k < COUNTS; k++) {
        s->of[k] = c->of[k] / steps;
    }
    return true;
}

/* The mean over processes, and the largest. */
static void over_processes(const ScreeProcesses *with, double value, double *mean,
                           double *largest) {
    int64_t sum = (int64_t)llround(value * 1e9);
    *largest = value;
    if (with != NULL) {
        with->add(with->context, &sum, 1);
        with->most(with->context, largest, 1);
    }
    *mean = (double)sum * 1e-9 / (with != NULL ? with->count : 1);
}

static void print_count(const ScreeProcesses *with, const char *what, const char *unit,
                        double value) {
    double mean, largest;
    over_processes(with, value, &mean, &largest);
    if (with == NULL || with->rank == 0) {
        printf("%-30s%10.4g  most %10.4g %s\n", what, mean, largest, unit);
    }
}

static void print_stretches(const ScreeProcesses *with, const Stretch *few, const Stretch *many,
                            int sweeps) {
    const double per = 1.0 / sweeps;
    if (with == NULL || with->rank == 0) {
        printf("contacts and candidates       %10lld\n", (long long)few->last.contacts);
    }
    print_count(with, "a step", "ms", 1e3 * few->seconds);
    print_count(with, "a sweep", "ms", 1e3 * per * (many->seconds - few->seconds));
    print_count(with, "  work (processor time)", "ms",
                1e3 * per * (many->of[WORK] - few->of[WORK]));
    print_count(with, "  messages", "", per * (many->of[MESSAGES] - few->of[MESSAGES]));
    print_count(with, "  bytes sent", "", per * (many->of[BYTES] - few->of[BYTES]));
    print_count(with, "  sums over processes", "",
                per * (many->of[REDUCTIONS] - few->of[REDUCTIONS]));
    print_count(with, "  in exchange and waiting", "ms",
                1e3 * per * (many->of[SECONDS] - few->of[SECONDS]));
    print_count(with, "the step without its sweeps", "ms",
                1e3 * (2 * few->seconds - many->seconds));
    print_count(with, "  work (processor time)", "ms", 1e3 * (2 * few->of[WORK] - many->of[WORK]));
    print_count(with, "  messages", "", 2 * few->of[MESSAGES] - many->of[MESSAGES]);
    print_count(with, "  bytes sent", "", 2 * few->of[BYTES] - many->of[BYTES]);
    print_count(with, "  sums over processes", "", 2 * few->of[REDUCTIONS] - many->of[REDUCTIONS]);
    print_count(with, "  in exchange and waiting", "ms",
                1e3 * (2 * few->of[SECONDS] - many->of[SECONDS]));
}

/* The most memory that this process has had so far, with program and libraries. */
static double peak_memory(void) {
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    return 1024.0 * (double)used.ru_maxrss; /* Linux tells KiB */
}

/* Peaks only grow, so the larger ones come last: steps, then the first process has the whole world and
 * hashes it. */
static uint64_t measure_memory(ScreeWorld *world, const ScreeProcesses *with) {
    print_count(with, "peak memory of a process", "MB", 1e-6 * peak_memory());
    const bool first = with == NULL || with->rank == 0;
    if (scree_world_gather_to_first(world) != SCREE_OK) {
        return 0;
    }
    const uint64_t hash = first ? scree_world_hash(world) : 0;
    scree_world_let_go(world);
    print_count(with, "  when the first has the whole", "MB", 1e-6 * peak_memory());
    return hash;
}

typedef struct Choice {
    int tiles, sweeps, warm, steps, threads;
} Choice;

static bool measure(ScreeWorld *world, const ScreeProcesses *with, const Choice *choice) {
    const int sweeps = choice->sweeps, steps = choice->steps;
    Counted c = {.inner = with};
    Stretch few, many;
    if (with != NULL) {
        c.table = *with;
        c.table.context = &c;
        c.table.add = add;
        c.table.most = most;
        c.table.exchange = exchange;
        c.table.gather = gather;
        if (scree_world_set_processes(world, &c.table) != SCREE_OK) {
            return false;
        }
    }
    bool ok = go(world, &c, sweeps, choice->warm, steps, &few) &&
              go(world, &c, 2 * sweeps, 2, steps, &many);
    if (ok) {
        print_stretches(with, &few, &many, sweeps);
    }
    const ScreeSharing sharing = scree_world_get_sharing(world, 1);
    if (ok && with != NULL && with->rank == 0) {
        printf("space was cut anew            %10llu times\n", (unsigned long long)sharing.cuts);
    }
    const uint64_t hash = ok ? measure_memory(world, with) : 0;
    if (ok && (with == NULL || with->rank == 0)) {
        printf("state hash                    %016llx\n", (unsigned long long)hash);
    }
    return scree_world_set_processes(world, NULL) == SCREE_OK && ok;
}

static int usage(int status) {
    fputs("usage: [mpirun -n N] scree bench mpi [--tiles K] [--sweeps S] [--warm W] [--steps S]\n"
          "                                     [--threads T]\n"
          "Spheres at rest, K x K copies of a packing of 8000: what a step and a sweep cost when\n"
          "processes share them, and what they say to each other. W steps come before those that "
          "are\n"
          "measured: after ten, processes look whether they work alike. The hash is the same for "
          "any\n"
          "number of processes and threads.\n",
          status == 0 ? stdout : stderr);
    return status;
}

static bool read_choice(int argc, char **argv, Choice *to) {
    const struct {
        const char *name;
        int *value;
    } option[] = {{"--tiles", &to->tiles},
                  {"--sweeps", &to->sweeps},
                  {"--warm", &to->warm},
                  {"--steps", &to->steps},
                  {"--threads", &to->threads}};
    for (int i = 2; i < argc; i += 2) {
        bool known = false;
        for (size_t k = 0; k < sizeof option / sizeof option[0] && i + 1 < argc; k++) {
            if (strcmp(argv[i], option[k].name) == 0) {
                *option[k].value = atoi(argv[i + 1]);
                known = *option[k].value > 0;
            }
        }
        if (!known) {
            return false;
        }
    }
    return true;
}

int bench_processes(const ScreeProcesses *with, int argc, char **argv) {
    Choice choice = {.tiles = 2, .sweeps = 20, .warm = 12, .steps = 4, .threads = 1};
    if (!read_choice(argc, argv, &choice)) {
        return usage(64);
    }
    const PackingDef def = {.dimension = 3,
                            .across = 20,
                            .layers = 20,
                            .steps = 300,
                            .iterations = 25,
                            .order = SCREE_ORDER_BOXED,
                            .periodic = true};
    ScreeWorld *one = bench_settle(&def);
    ScreeWorld *world =
        one != NULL ? bench_tile(one, choice.tiles, choice.tiles, choice.sweeps) : NULL;
    scree_world_destroy(one);
    bool ok = world != NULL && scree_world_set_threads(world, choice.threads) == SCREE_OK;
    if (ok && (with == NULL || with->rank == 0)) {
        printf("processes, threads each       %10d %d\n", with != NULL ? with->count : 1,
               choice.threads);
        printf("spheres                       %10zu\n", scree_world_get_bodies(world).count);
    }
    if (ok && with != NULL) {
        measure_messages(with);
    }
    ok = ok && measure(world, with, &choice);
    scree_world_destroy(world);
    return ok ? 0 : 1;
}
