#include "bench/parts.h"

#include "base/clock.h"
#include "bench/packing.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { SWEEPS = 20, MEASURED = 4, MOST_THREADS = 16 };

/* What a series of steps cost, and where it led. */
typedef struct Stretch {
    double total, outside, update; /* [s] of the best step; of the best update */
    double processor;              /* [s] of the calling thread alone, on average */
    double slowest;                /* [s] of any step, including new lists */
    int lists;
    ScreeReport last;
} Stretch;

static bool go(ScreeWorld *world, int steps, Stretch *s) {
    *s = (Stretch){.total = INFINITY, .outside = INFINITY, .update = INFINITY};
    double begin = scr_thread_seconds();
    for (int i = 0; i < steps; i++) {
        ScreeCost before = scree_world_get_cost(world);
        if (scree_world_step(world, &s->last) != SCREE_OK) {
            fprintf(stderr, "bench: %s\n", scree_world_get_message(world));
            return false;
        }
        ScreeCost after = scree_world_get_cost(world);
        double total = after.seconds_total - before.seconds_total;
        double solver = after.seconds_solver - before.seconds_solver;
        s->total = fmin(s->total, total);
        s->outside = fmin(s->outside, total - solver);
        s->update = fmin(s->update, solver / (after.updates - before.updates));
        s->slowest = fmax(s->slowest, total);
        s->lists += s->last.rebuilt != 0;
    }
    s->processor = (scr_thread_seconds() - begin) / steps;
    return true;
}

/* Kinetic energy over weight times radius of all grains: how many radii they would have to fall to
 * gain it. */
static double fall(const ScreeWorld *world, double energy) {
    ScreeBodyView b = scree_world_get_bodies(world);
    double weight = 0;
    for (size_t i = 0; i < b.count; i++) {
        weight += 9.81 * b.mass[i] * b.radius[i];
    }
    return energy / weight;
}

static void note(const ScreeWorld *world, const Stretch *settling, const Stretch *one,
                 const Stretch *many, Results *r) {
    double n = (double)scree_world_get_bodies(world).count;
    ScreeCost cost = scree_world_get_cost(world);
    bench_note(r, "million_grains", "spheres, settled", "", n);
    bench_note(r, "million_contacts", "contacts and candidates", "", (double)one->last.contacts);
    bench_note(r, "million_bytes_per_grain", "memory per grain", "bytes",
               (double)cost.bytes_bodies / n);
    bench_note(r, "million_bytes_per_contact", "memory per contact", "bytes",
               (double)cost.bytes_contacts / (double)cost.contacts);
    bench_note(r, "million_step_s", "a step of 20 sweeps, one thread", "s", one->total);
    bench_note(r, "million_processor_s", "of the processor, in the mean", "s", one->processor);
    bench_note(r, "million_update_ns", "contact update there", "ns", 1e9 * one->update);
    bench_note(r, "million_outside_us", "the step without its sweeps, per grain", "us",
               1e6 * one->outside / n);
    bench_note(r, "million_step_threads_s", "a step, all processors (at most 16)", "s",
               many->total);
    bench_note(r, "million_slowest_s", "the slowest step of the settling, new list included", "s",
               settling->slowest);
    bench_note(r, "million_lists", "new neighbour lists in it", "", settling->lists);
    bench_note(r, "million_fall", "kinetic energy, per weight and radius", "",
               fall(world, one->last.kinetic_energy));
    bench_note(r, "million_overlap", "largest overlap", "radii", one->last.overlap_max / 0.5);
}

bool bench_million(const ScreeWorld *settled, bool quick, Results *r) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = processors > MOST_THREADS ? MOST_THREADS : processors > 1 ? (int)processors : 1;
    ScreeWorld *world = bench_tile(settled, quick ? 4 : 25, quick ? 4 : 5, SWEEPS);
    Stretch settling, one, many;
    bool ok = world != NULL && scree_world_set_threads(world, threads) == SCREE_OK &&
              go(world, quick ? 40 : 100, &settling) && go(world, MEASURED, &many) &&
              scree_world_set_threads(world, 1) == SCREE_OK && go(world, MEASURED, &one);
    if (ok) {
        note(world, &settling, &one, &many, r);
    }
    scree_world_destroy(world);
    return ok;
}
