/* What the drivers of all peers share: the state they start from, the clock, and what they print.
 *
 *     driver STATE OUT WARM MEASURED [key=value]...
 *
 * reads the packing STATE, lets it come to rest for WARM simulated seconds, measures MEASURED
 * seconds more in blocks, writes the positions of the grains to OUT and prints one line of JSON
 * with the processor time of each block. Setting up the world does not count. */
#ifndef SCREE_PEERS_COMMON_H
#define SCREE_PEERS_COMMON_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double GRAVITY = 9.81, FRICTION = 0.5, RIGID_STEP = 1.0 / 200;

enum { BLOCKS = 5 };

typedef struct Grain {
    double x, y, z, radius;
} Grain;

/* Grains in an open box with one corner at the origin; up is z in space, y in the plane. */
typedef struct State {
    int dimension, count;
    double width;
    Grain *grain;
} State;

typedef struct Task {
    State state;
    const char *out;
    double warm, measured;
    int argc;
    char **argv;
} Task;

static inline void give_up(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(1);
}

static inline State read_state(const char *path) {
    State s = {0, 0, 0, NULL};
    FILE *f = fopen(path, "r");
    if (f == NULL || fscanf(f, "%d %d %lf", &s.dimension, &s.count, &s.width) != 3 || s.count < 1) {
        give_up("no state", path);
    }
    s.grain = (Grain *)calloc((size_t)s.count, sizeof *s.grain);
    for (int i = 0; i < s.count && s.grain != NULL; i++) {
        Grain *p = &s.grain[i];
        if (fscanf(f, "%lf %lf %lf %lf", &p->x, &p->y, &p->z, &p->radius) != 4) {
            give_up("state ends early", path);
        }
    }
    fclose(f);
    return s;
}

static inline void write_state(const char *path, const State *s) {
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        give_up("cannot write", path);
    }
    fprintf(f, "%d %d %.17g\n", s->dimension, s->count, s->width);
    for (int i = 0; i < s->count; i++) {
        const Grain *p = &s->grain[i];
        fprintf(f, "%.17g %.17g %.17g %.17g\n", p->x, p->y, p->z, p->radius);
    }
    fclose(f);
}

static inline Task read_task(int argc, char **argv) {
    if (argc < 5) {
        give_up(argv[0], "STATE OUT WARM MEASURED [key=value]...");
    }
    Task t = {read_state(argv[1]), argv[2], atof(argv[3]), atof(argv[4]), argc, argv};
    return t;
}

/* A setting by name. */
static inline double setting(const Task *t, const char *key, double preset) {
    size_t length = strlen(key);
    for (int i = 5; i < t->argc; i++) {
        if (strncmp(t->argv[i], key, length) == 0 && t->argv[i][length] == '=') {
            return atof(t->argv[i] + length + 1);
        }
    }
    return preset;
}

/* Processor time, since machines are shared. */
static inline double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef void Step(void *world);

static inline void run_steps(Step *step, void *world, int steps) {
    for (int i = 0; i < steps; i++) {
        step(world);
    }
}

static inline int block_steps(const Task *t, double time_step) {
    int steps = (int)lround(t->measured / time_step / BLOCKS);
    return steps < 1 ? 1 : steps;
}

/* First makes the steps that do not count, then the blocks; leaves the line of JSON open. */
static inline void measure(const Task *t, Step *step, void *world, double time_step) {
    int steps = block_steps(t, time_step);
    run_steps(step, world, (int)lround(t->warm / time_step));
    printf("{\"simulated\": %.17g, \"steps\": %d, \"cpu\": [", steps * time_step, steps);
    for (int b = 0; b < BLOCKS; b++) {
        double begin = cpu_seconds();
        run_steps(step, world, steps);
        printf("%s%.6g", b > 0 ? ", " : "", cpu_seconds() - begin);
    }
    printf("]");
}

/* To be called after measure(): writes the positions, and ends the line. */
static inline void finish(const Task *t) {
    write_state(t->out, &t->state);
    printf("}\n");
}

#endif
