/* scree bench: what a contact update and a step cost, compared with what the machine can do. */
#include "bench/bench.h"

#include "bench/machine.h"
#include "bench/packing.h"
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was measured on one packing: the best of several blocks of steps, because the machine may be
 * shared with others. */
typedef struct Cost {
    size_t grains, contacts;
    double update_ns;  /* one contact in one sweep, with its share of what is done once per step */
    double sweep_ns;   /* the same without that share */
    double outside_ms; /* a step without its sweeps */
    double step_ms;
    double bytes_per_grain, bytes_per_contact;
} Cost;

static bool measure(ScreeWorld *world, int blocks, int steps, Cost *cost) {
    ScreeReport report = {0};
    cost->update_ns = cost->outside_ms = cost->step_ms = INFINITY;
    for (int b = 0; b < blocks; b++) {
        ScreeCost before = scree_world_get_cost(world);
        if (!bench_steps(world, steps, &report)) {
            return false;
        }
        ScreeCost after = scree_world_get_cost(world);
        double solver = after.seconds_solver - before.seconds_solver;
        double total = after.seconds_total - before.seconds_total;
        cost->update_ns = fmin(cost->update_ns, 1e9 * solver / (after.updates - before.updates));
        cost->outside_ms = fmin(cost->outside_ms, 1e3 * (total - solver) / steps);
        cost->step_ms = fmin(cost->step_ms, 1e3 * total / steps);
    }
    ScreeCost all = scree_world_get_cost(world);
    cost->grains = scree_world_get_bodies(world).count;
    cost->contacts = (size_t)report.contacts;
    cost->bytes_per_grain = (double)all.bytes_bodies / (double)cost->grains;
    cost->bytes_per_contact = (double)all.bytes_contacts / (double)all.contacts;
    return true;
}

/* Seconds that the solver takes in a step of this many sweeps. */
static double solver_seconds(ScreeWorld *world, int sweeps) {
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    const ScreeCost before = scree_world_get_cost(world);
    solver.iterations = sweeps;
    if (scree_world_set_solver(world, &solver) != SCREE_OK ||
        scree_world_step(world, NULL) != SCREE_OK) {
        fprintf(stderr, "bench: %s\n", scree_world_get_message(world));
        return NAN;
    }
    return scree_world_get_cost(world).seconds_solver - before.seconds_solver;
}

/* The sweeps alone: the time that 50 more of them take. */
static bool measure_sweeps(ScreeWorld *world, int blocks, Cost *cost) {
    const ScreeSolverDef solver = scree_world_get_def(world).solver;
    double few = INFINITY, many = INFINITY;
    for (int b = 0; b < blocks; b++) {
        few = fmin(few, solver_seconds(world, solver.iterations));
        many = fmin(many, solver_seconds(world, solver.iterations + 50));
    }
    cost->sweep_ns = 1e9 * (many - few) / (50 * (double)scree_world_get_contacts(world).count);
    return scree_world_set_solver(world, &solver) == SCREE_OK && isfinite(cost->sweep_ns);
}

/* The spheres used in all cases in space; periodic where copies of the packing have to fit
 * together. */
static ScreeWorld *settle_spheres(bool quick, bool periodic) {
    const PackingDef def = {.dimension = 3,
                            .across = 20,
                            .layers = 20,
                            .steps = quick ? 400 : 1000,
                            .iterations = 25,
                            .periodic = periodic};
    return bench_settle(&def);
}

static bool bench_space(ScreeWorld *settled, Results *r) {
    Cost c;
    if (!measure(settled, 40, 2, &c) || !measure_sweeps(settled, 20, &c)) {
        return false;
    }
    bench_note(r, "sweep_alone_3d_ns", "contact update, 8,000 settled spheres: the sweeps alone",
               "ns", c.sweep_ns);
    bench_note(r, "sweep_3d_ns", "  with what is done once in a step, 25 sweeps", "ns",
               c.update_ns);
    bench_note(r, "outside_solver_ms", "the step without its sweeps", "ms", c.outside_ms);
    bench_note(r, "contacts_3d", "contacts and candidates", "", (double)c.contacts);
    bench_note(r, "bytes_per_grain", "memory per grain", "bytes", c.bytes_per_grain);
    bench_note(r, "bytes_per_contact", "memory per contact", "bytes", c.bytes_per_contact);
    return true;
}

static bool bench_plane(bool quick, Results *r) {
    const PackingDef def = {
        .dimension = 2, .across = 200, .layers = 50, .steps = quick ? 700 : 2000, .iterations = 20};
    Cost c;
    ScreeWorld *world = bench_settle(&def);
    bool ok = world != NULL && measure(world, 40, 2, &c) && measure_sweeps(world, 20, &c);
    if (ok) {
        bench_note(r, "sweep_alone_2d_ns", "contact update, 10,000 settled disks: the sweeps alone",
                   "ns", c.sweep_ns);
        bench_note(r, "sweep_2d_ns", "  with what is done once in a step, 20 sweeps", "ns",
                   c.update_ns);
        bench_note(r, "outside_solver_2d_ms", "the step without its sweeps", "ms", c.outside_ms);
        bench_note(r, "contacts_2d", "contacts and candidates", "", (double)c.contacts);
    }
    scree_world_destroy(world);
    return ok;
}

/* The order used in the papers, a new permutation every sweep, on the same packing. */
static bool bench_random(ScreeWorld *settled, Results *r) {
    ScreeSolverDef solver = scree_world_get_def(settled).solver, random = solver;
    random.order = SCREE_ORDER_RANDOM;
    Cost c;
    scree_world_set_solver(settled, &random);
    bool ok = measure(settled, 8, 1, &c);
    scree_world_set_solver(settled, &solver);
    if (ok) {
        bench_note(r, "sweep_random_3d_ns", "the same in random order, drawn every sweep", "ns",
                   c.update_ns);
    }
    return ok;
}

/* How many times as fast as with one thread: sweeps, everything else, and the whole step. */
typedef struct ThreadCase {
    int threads;
    const char *key, *key_outside, *key_step, *text;
} ThreadCase;

static const ThreadCase thread_cases[] = {
    {2, "two_threads", "two_threads_outside", "two_threads_step", "two threads, times as fast"},
    {4, "four_threads", "four_threads_outside", "four_threads_step", "four threads"},
    {8, "eight_threads", "eight_threads_outside", "eight_threads_step", "eight threads"},
    {16, "sixteen_threads", "sixteen_threads_outside", "sixteen_threads_step", "sixteen threads"},
};

static bool bench_threads(const ScreeWorld *settled, Results *r) {
    ScreeWorld *world = bench_copy_world(settled);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    Cost one, many;
    bool ok = world != NULL && measure(world, 30, 1, &one);
    for (size_t i = 0; ok && i < sizeof thread_cases / sizeof thread_cases[0]; i++) {
        const ThreadCase *c = &thread_cases[i];
        if (c->threads > 2 && c->threads > processors) {
            break;
        }
        ok = scree_world_set_threads(world, c->threads) == SCREE_OK && measure(world, 30, 1, &many);
        if (ok) {
            bench_note(r, c->key, c->text, "sweeps", one.update_ns / many.update_ns);
            bench_note(r, c->key_outside, "", "outside of them", one.outside_ms / many.outside_ms);
            bench_note(r, c->key_step, "", "the whole step", one.step_ms / many.step_ms);
        }
    }
    scree_world_destroy(world);
    return ok;
}

/* What each law adds to the cost of an update. */
static bool bench_laws(const ScreeWorld *settled, Results *r) {
    enum { LAWS = 4 };
    static const char *const names[LAWS][2] = {
        {"sweep_two_frictions_ns", "contact update with two frictions"},
        {"sweep_rolling_ns", "with rolling and torsion friction"},
        {"sweep_cohesion_ns", "with cohesion"},
        {"sweep_compliance_ns", "with springs"}};
    ScreeLaw law[LAWS];
    for (size_t i = 0; i < LAWS; i++) {
        law[i] = scree_law_default();
        law[i].friction = 0.5;
    }
    law[0].friction_static = 0.6;
    law[1].rolling = law[1].torsion = 0.05;
    law[2].cohesion = 1;
    law[2].cohesion_range = 0.01;
    law[3].stiffness = law[3].stiffness_tangential = 1e6;
    bool ok = true;
    for (size_t i = 0; ok && i < LAWS; i++) {
        ScreeWorld *world = bench_copy_world(settled);
        Cost c;
        ok =
            world != NULL &&
            scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law[i]) == SCREE_OK &&
            measure(world, 8, 1, &c);
        if (ok) {
            bench_note(r, names[i][0], names[i][1], "ns", c.update_ns);
        }
        scree_world_destroy(world);
    }
    return ok;
}

/* Copies of the settled packing side by side, `times` along each side: the cost of a step must grow
 * in proportion to the number of grains. */
typedef struct TileCase {
    int times;
    const char *text, *key, *key_update, *key_alone, *key_outside;
} TileCase;

static const TileCase tile_cases[] = {
    {2, "a step of 32,000 spheres, 20 sweeps, per grain", "step_us_per_grain_32k",
     "sweep_3d_32k_ns", "sweep_alone_3d_32k_ns", "outside_us_per_grain_32k"},
    {4, "a step of 128,000 spheres, 20 sweeps, per grain", "step_us_per_grain_128k",
     "sweep_3d_128k_ns", "sweep_alone_3d_128k_ns", "outside_us_per_grain_128k"},
    {8, "a step of 512,000 spheres, 20 sweeps, per grain", "step_us_per_grain_512k",
     "sweep_3d_512k_ns", "sweep_alone_3d_512k_ns", "outside_us_per_grain_512k"},
};

/* The copies start without impulses. */
static bool find_impulses(ScreeWorld *world) {
    const ScreeSolverDef before = scree_world_get_def(world).solver;
    ScreeSolverDef solver = scree_solver_def_default();
    solver.iterations = 200;
    bool ok = scree_world_set_solver(world, &solver) == SCREE_OK &&
              scree_world_step(world, NULL) == SCREE_OK &&
              scree_world_set_solver(world, &before) == SCREE_OK;
    for (int i = 0; ok && i < 2; i++) {
        ok = scree_world_step(world, NULL) == SCREE_OK;
    }
    return ok;
}

static bool bench_tiles(const ScreeWorld *periodic, const TileCase *tiles, Results *r) {
    ScreeWorld *world = bench_tile(periodic, tiles->times, tiles->times, 20);
    Cost c;
    bool ok = world != NULL && find_impulses(world) && measure(world, 4, 1, &c) &&
              measure_sweeps(world, 3, &c);
    if (ok) {
        double grains = (double)c.grains;
        bench_note(r, tiles->key, tiles->text, "us", 1e3 * c.step_ms / grains);
        bench_note(r, tiles->key_alone, "  contact update there: the sweeps alone", "ns",
                   c.sweep_ns);
        bench_note(r, tiles->key_update, "  with what is done once in a step", "ns", c.update_ns);
        bench_note(r, tiles->key_outside, "  outside of the solver there, per grain", "us",
                   1e3 * c.outside_ms / grains);
    }
    scree_world_destroy(world);
    return ok;
}

static void note_machine(Results *r) {
    double bandwidth = machine_bandwidth();
    bench_note(r, "bandwidth_gb_s", "memory bandwidth of one core", "GB/s", bandwidth);
    /* An update reads a row of 96 bytes and writes back 32 of impulses; the bodies of a box stay in
     * the cache. */
    bench_note(r, "memory_limit_ns", "what bandwidth alone would allow per update", "ns",
               (96 + 32) / bandwidth);
}

/* Next to the time of an update stands the limit that memory sets to it. */
static void print_table(const Results *r) {
    char name[128];
    double limit = 0;
    machine_name(name, sizeof name);
    printf("%s, one core\n", name);
    for (int i = 0; i < r->count; i++) {
        const Number *n = &r->number[i];
        printf("  %-58s %10.4g %s", n->text, n->value, n->unit);
        limit = strcmp(n->key, "memory_limit_ns") == 0 ? n->value : limit;
        if (limit > 0 && strncmp(n->key, "sweep_", 6) == 0) {
            printf(", %.1f times that limit", n->value / limit);
        }
        printf("\n");
    }
}

static void print_json(const Results *r) {
    printf("{");
    for (int i = 0; i < r->count; i++) {
        printf("%s\"%s\": %.6g", i > 0 ? ", " : "", r->number[i].key, r->number[i].value);
    }
    printf("}\n");
}

static const char help[] =
    "usage: scree bench [--quick] [--json] [rigid] [settling] [soft] [neighbours] [polygons]\n"
    "                   [rows] [million]\n"
    "       scree bench solvers --help\n"
    "       [mpirun -n N] scree bench mpi [--tiles K] [--sweeps S] [--steps S] [--threads T]\n"
    "\n"
    "Settles spheres and disks in a box and measures the cost of a contact update and of a step\n"
    "on one core, along with the memory bandwidth of the machine.\n"
    "\n"
    "  rigid     the contact dynamics engine\n"
    "  settling  8,000 spheres fall and settle for four seconds, at several accuracies; a minute\n"
    "  neighbours\n"
    "            the methods of neighbour search, up to a million bodies; about a minute\n"
    "  polygons  contact points and sweeps of 10,000 polygons in a box; two minutes\n"
    "  rows      sweeps over contacts of rocks in space, without their geometry; seconds\n"
    "  soft      the soft-sphere engine, and LAMMPS if 'lmp' is installed; about a minute\n"
    "  solvers   iterations and time of every solver to given residuals\n"
    "  mpi       spheres that several processes share: messages, bytes and time of a sweep\n"
    "  million   a million spheres, 125 copies of a settled packing that settle further: 100\n"
    "            steps on all processors (at most 16), then some on one; 1.2 GB, five minutes\n"
    "            Without a name: all but the last, with --quick the first.\n"
    "\n"
    "  --quick   shorter settling, and no case of more than 32,000 spheres: under 40 s\n"
    "  --json    a JSON object instead of a table\n"
    "  --help    this text\n";

typedef struct Wanted {
    bool quick, json, help, rigid, settling, soft, neighbours, polygons, rows, million;
} Wanted;

static bool read_options(int argc, char **argv, Wanted *wanted) {
    const struct {
        const char *word;
        bool *wanted;
    } known[] = {{"--quick", &wanted->quick},     {"--json", &wanted->json},
                 {"--help", &wanted->help},       {"-h", &wanted->help},
                 {"rigid", &wanted->rigid},       {"settling", &wanted->settling},
                 {"soft", &wanted->soft},         {"neighbours", &wanted->neighbours},
                 {"polygons", &wanted->polygons}, {"rows", &wanted->rows},
                 {"million", &wanted->million}};
    const size_t count = sizeof known / sizeof *known;
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        while (k < count && strcmp(argv[i], known[k].word) != 0) {
            k++;
        }
        if (k == count) {
            fprintf(stderr, "scree bench: unknown option '%s'\n%s", argv[i], help);
            return false;
        }
        *known[k].wanted = true;
    }
    if (!wanted->rigid && !wanted->settling && !wanted->soft && !wanted->neighbours &&
        !wanted->polygons && !wanted->rows && !wanted->million) {
        wanted->rigid = true;
        wanted->settling = wanted->soft = wanted->neighbours = wanted->polygons = wanted->rows =
            !wanted->quick;
    }
    return true;
}

static bool run_rigid(bool quick, ScreeWorld *settled, Results *results) {
    bool ok = bench_space(settled, results) && bench_threads(settled, results) &&
              bench_laws(settled, results) && bench_random(settled, results) &&
              bench_plane(quick, results);
    ScreeWorld *periodic = ok ? settle_spheres(quick, true) : NULL;
    ok = ok && periodic != NULL;
    for (int i = 0; ok && i < (quick ? 1 : 3); i++) {
        ok = bench_tiles(periodic, &tile_cases[i], results);
    }
    scree_world_destroy(periodic);
    return ok;
}

static bool run_all(const Wanted *wanted, Results *results) {
    note_machine(results);
    bool packing = wanted->rigid || wanted->soft || wanted->million;
    ScreeWorld *settled = packing ? settle_spheres(wanted->quick, false) : NULL;
    bool ok = (settled != NULL || !packing) &&
              (!wanted->rigid || run_rigid(wanted->quick, settled, results)) &&
              (!wanted->settling || bench_settling(wanted->quick, results)) &&
              (!wanted->soft || bench_soft(settled, results)) &&
              (!wanted->neighbours || bench_neighbours(wanted->quick, results)) &&
              (!wanted->polygons || bench_polygons(wanted->quick, results)) &&
              (!wanted->rows || bench_rows(wanted->quick, results)) &&
              (!wanted->million || bench_million(settled, wanted->quick, results));
    scree_world_destroy(settled);
    return ok;
}

int bench_main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "solvers") == 0) { /* this one has options of its own */
        return bench_solvers(argc - 1, argv + 1);
    }
    Wanted wanted = {0};
    if (!read_options(argc, argv, &wanted)) {
        return 2;
    }
    if (wanted.help) {
        fputs(help, stdout);
        return 0;
    }
    Results results = {.count = 0};
    if (!run_all(&wanted, &results)) {
        return 1;
    }
    (wanted.json ? print_json : print_table)(&results);
    return 0;
}
