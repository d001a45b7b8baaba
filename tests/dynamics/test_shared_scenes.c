/* Worlds of every kind that processes share: the same bits for any number of them. */
#include "board.h"
#include "check.h"

#include <scree/scene.h>
#include <scree/scree.h>

enum { MOST_STEPS = 100, EVERY = 10 };

typedef struct Case {
    const char *name, *scene;
    int steps;
    double contacts; /* at least, at the end, that are not open */
    bool uneven;     /* work is */
    int halved;      /* steps at least, which all processes make together */
    int cuts;        /* at least, at contacts that stop within a step */
} Case;

#define FALLING    "gravity: [0, 0, -9.81]\ntime: {step: 1e-3, end: 1}\nseed: 3\n"
#define FALLING_2D "dimension: 2\ngravity: [0, -9.81]\ntime: {step: 1e-3, end: 1}\nseed: 3\n"

static const Case cases[] = {
    {"polygons",
     FALLING_2D
     "materials: {gravel: {density: 2600, friction: 0.5, rolling: 0.02}}\n"
     "periodic: {x: [0, 1.5]}\n"
     "walls:\n"
     "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
     "  lid: {plane: {point: [0, 1.2], normal: [0, -1]}, piston: {mass: 100, force: [0, -3000]}}\n"
     "grains:\n"
     "  - {random_polygon: {corners: [5, 8], radius: {uniform: [0.02, 0.04]}, elongation: 1.3},\n"
     "     count: 260, fill: {min: [0, 0], max: [1.5, 1.1]}, velocity: [1, -3], spin: 20}\n",
     50, 50, false, 0, 0},
    {"rocks and triangles",
     FALLING
     "materials: {rock: {density: 2600, friction: 0.3}}\n"
     "walls:\n"
     "  slope: {mesh: {file: slope.obj, scale: 0.001}}\n"
     "  sides: {box: {min: [0, 0, -1.5], max: [4, 2.4, 3]}, open: [top, right]}\n"
     "grains:\n"
     "  - {rock: {faces: [10, 16], size: {uniform: [0.08, 0.1]}, elongation: 1.2}, count: 210,\n"
     "     fill: {min: [0.1, 0.2, 1.1], max: [1.3, 2.2, 1.9]}, velocity: [4, 0, -16],\n"
     "     spin: [0, 60, 0]}\n",
     50, 20, false, 0, 0},
    {"solids of several kinds, cohesive",
     FALLING "materials: {clay: {density: 1200, friction: 0.3, rolling: 0.02, cohesion: 2e-4,\n"
             "                   cohesion_range: 1e-4}}\n"
             "shapes:\n"
             "  jack: {compound: [{sphere: {radius: 0.004}},\n"
             "                    {sphere: {radius: 0.003}, center: [0.006, 0, 0]},\n"
             "                    {sphere: {radius: 0.003}, center: [0, 0.006, 0]}]}\n"
             "  stick: {rod: {length: 0.012, radius: 0.003}}\n"
             "  die: {box: {size: [0.010, 0.010, 0.010], rounding: 0.002}}\n"
             "  egg: {ellipsoid: {size: [0.01, 0.012, 0.009]}}\n"
             "walls:\n"
             "  tray: {box: {min: [0, 0, 0], max: [0.12, 0.06, 0.2]}, open: top}\n"
             "grains:\n"
             "  - {shape: jack, count: 60, fill: {min: [0, 0, 0], max: [0.12, 0.06, 0.1]},\n"
             "     velocity: [0, 0, -1]}\n"
             "  - {shape: stick, count: 60, fill: {min: [0, 0, 0], max: [0.12, 0.06, 0.1]},\n"
             "     velocity: [0, 0, -1], spin: [100, 200, 0]}\n"
             "  - {shape: die, count: 50, fill: {min: [0, 0, 0], max: [0.12, 0.06, 0.1]},\n"
             "     velocity: [0, 0, -1]}\n"
             "  - {shape: egg, count: 10, fill: {min: [0, 0, 0], max: [0.12, 0.06, 0.1]}}\n"
             "  - {radius: 0.004, count: 60, fill: {min: [0, 0, 0], max: [0.12, 0.06, 0.1]}}\n",
     10, 50, false, 0, 0},
    {"two coefficients of friction",
     FALLING "materials: {glass: {density: 2500, friction: 0.2, friction_static: 0.4}}\n"
             "walls: {box: {box: {min: [0, 0, 0], max: [0.2, 0.1, 1]}, open: top}}\n"
             "grains:\n"
             "  - {radius: {uniform: [0.007, 0.008]}, count: 300, velocity: [1, 0, -4],\n"
             "     fill: {min: [0, 0, 0], max: [0.2, 0.1, 0.15]}}\n",
     50, 150, false, 0, 0},
    {"giants",
     FALLING "materials: {glass: {density: 2500, friction: 0.4}}\n"
             "walls: {box: {box: {min: [0, 0, 0], max: [0.3, 0.15, 1]}, open: top}}\n"
             "grains:\n"
             "  - {radius: {uniform: [0.007, 0.008]}, count: 400, velocity: [0.5, 0, -3],\n"
             "     fill: {min: [0, 0, 0], max: [0.3, 0.15, 0.12]}}\n"
             "  - {radius: 0.05, at: [[0.15, 0.075, 0.18], [0.06, 0.06, 0.3]], velocity: [0, 0, "
             "-4], spin: [0, 30, 0]}\n"
             "  - {radius: 0.033, at: [[0.22, 0.075, 0.26]], velocity: [0, 0, -4]}\n",
     50, 150, false, 0, 0},
    {"half at rest, half in flight",
     FALLING "materials: {glass: {density: 2500, friction: 0.4}}\n"
             "walls: {box: {box: {min: [0, 0, 0], max: [0.4, 0.1, 3]}, open: top}}\n"
             "grains:\n"
             "  - {radius: {uniform: [0.0065, 0.0075]}, count: 300, velocity: [0, 0, -2],\n"
             "     fill: {min: [0, 0, 0], max: [0.1, 0.1, 0.15]}}\n"
             "  - {radius: {uniform: [0.0065, 0.0075]}, count: 300,\n"
             "     fill: {min: [0.2, 0, 1], max: [0.4, 0.1, 3]}}\n",
     50, 150, true, 0, 0},
    {"plates that hold grains",
     FALLING_2D "materials: {disk: {density: 2600, friction: 0.4}}\n"
                "periodic: {x: [0, 2.4]}\n"
                "walls:\n"
                "  lower: {holder: {}, velocity: [-0.5, 0]}\n"
                "  upper: {holder: {}, velocity: [0.5, 0], piston: {mass: 100, stress: 2000,\n"
                "          direction: [0, -1]}}\n"
                "  wheel: {holder: {}, spin: 30}\n"
                "grains:\n"
                "  - {held_by: lower, radius: 0.04, lattice: {kind: square, min: [0, -0.04],\n"
                "     max: [2.4, 0.041], spacing: 0.08}}\n"
                "  - {held_by: upper, radius: 0.04, lattice: {kind: square, min: [0, 0.96],\n"
                "     max: [2.4, 1.041], spacing: 0.08}}\n"
                "  - {held_by: wheel, radius: 0.06, at: [[1.1, 0.5], [1.2, 0.5], [1.3, 0.5]]}\n"
                "  - {radius: {uniform: [0.03, 0.045]}, count: 200, velocity: [1, -3],\n"
                "     fill: {min: [0, 0.05], max: [2.4, 0.95]}}\n",
     50, 50, false, 0, 0},
    {"towers glued by area",
     FALLING
     "materials: {clay: {density: 2000, friction: 0.4, cohesion_stress: 2000,\n"
     "                   cohesion_range: 1e-4}}\n"
     "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
     "shapes: {die: {box: {size: [0.01, 0.01, 0.01]}}}\n"
     "grains:\n"
     "  - {shape: die, lattice: {min: [0, 0, -0.001], counts: [12, 6, 1], spacing: 0.012}}\n"
     "  - {shape: die, lattice: {min: [0, 0, 0.009], counts: [12, 6, 1], spacing: 0.012}}\n"
     "  - {radius: 0.008, at: [[-0.02, 0.03, 0.02], [-0.02, 0.01, 0.015]],\n"
     "     velocity: [3, 0, 0]}\n",
     20, 288, false, 0, 0},
    {"balls in a funnel",
     FALLING "materials: {glass: {density: 2500, friction: 0.3}}\n"
             "walls:\n"
             "  bin: {cylinder: {point: [0, 0, 0.6], axis: [0, 0, 1], radius: 0.15, length: 0.4, "
             "side: inside}}\n"
             "  funnel: {cone: {from: [0, 0, 0.2], to: [0, 0, 0.4], radii: [0.045, 0.15]}}\n"
             "  sieve: {plate: {center: [0, 0, 0.1], size: [0.4, 0.4], holes: {radius: 0.014, "
             "count: [9, 9],\n"
             "          spacing: [0.04, 0.04]}}}\n"
             "  tray: {disc: {center: [0, 0, 0], radius: 0.35}}\n"
             "grains:\n"
             "  - {radius: {uniform: [0.009, 0.011]}, count: 300, velocity: [0, 0, -4],\n"
             "     fill: {min: [-0.1, -0.1, 0.42], max: [0.1, 0.1, 0.78]}}\n",
     50, 50, false, 0, 0},
    {"spheres that stop sliding within steps, two at one time",
     FALLING
     "materials: {glass: {density: 2500, friction: 0.4}}\n"
     "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
     "grains:\n"
     "  - {radius: 0.01, at: [[-0.1, 0, 0.01], [0.5, 0.5, 0.01]], velocity: [0.02, 0, 0]}\n"
     "  - {radius: 0.01, at: [[-0.1, 0.3, 0.01]], velocity: [0, 0.04, 0]}\n"
     "  - {radius: 0.01, at: [[0.2, 0.5, 0.01]], velocity: [0, 0.07, 0]}\n"
     "  - {radius: 0.01, lattice: {min: [0, 0, -0.0005], counts: [20, 10, 1], spacing: 0.021}}\n"
     "solver: {tolerance: 1e-7, cuts: 8}\n",
     10, 200, false, 0, 3},
    {"steps in halves",
     FALLING "materials: {glass: {density: 2500, friction: 0.6}}\n"
             "walls: {box: {box: {min: [0, 0, 0], max: [0.2, 0.1, 1]}, open: top}}\n"
             "grains:\n"
             "  - {radius: {uniform: [0.007, 0.008]}, count: 220, velocity: [1, 0, -4],\n"
             "     fill: {min: [0, 0, 0], max: [0.2, 0.1, 0.12]}}\n"
             "solver: {iterations: 48}\n",
     50, 100, false, 5, 0},
    {"a gas, whose balls meet several times in a step",
     "materials: {steel: {density: 7800, friction: 0.2, restitution: 0.9,\n"
     "                    restitution_tangential: 0.3}}\n"
     "time: {step: 2e-3, end: 1}\n"
     "seed: 3\n"
     "periodic: {x: [0, 0.4]}\n"
     "walls: {sides: {box: {min: [0, 0, 0], max: [0.4, 0.12, 0.12]}, open: [left, right]}}\n"
     "grains:\n"
     "  - {radius: {uniform: [0.006, 0.008]}, count: 500, velocity: [2, 1, 0],\n"
     "     fill: {min: [0, 0, 0], max: [0.4, 0.12, 0.12]}}\n"
     "  - {radius: 0.006, count: 250, velocity: [-3, -1, 2],\n"
     "     fill: {min: [0, 0, 0], max: [0.4, 0.12, 0.12]}}\n",
     30, 40, false, 0, 0},
    {"balls that bounce on others at rest, under a piston",
     FALLING "materials: {rubber: {density: 1200, friction: 0.4, restitution: 0.7,\n"
             "                     restitution_threshold: 0.1}}\n"
             "walls:\n"
             "  box: {box: {min: [0, 0, 0], max: [0.45, 0.1, 1]}, open: top}\n"
             "  lid: {plane: {point: [0, 0, 0.25], normal: [0, 0, -1]},\n"
             "        piston: {mass: 50, force: [0, 0, -500]}}\n"
             "grains:\n"
             "  - {radius: {uniform: [0.008, 0.009]}, count: 150, velocity: [0, 0, -1],\n"
             "     fill: {min: [0, 0, 0], max: [0.45, 0.1, 0.08]}}\n"
             "  - {radius: {uniform: [0.008, 0.009]}, count: 190, velocity: [1, 0.5, -4],\n"
             "     fill: {min: [0, 0, 0.08], max: [0.45, 0.1, 0.24]}}\n"
             "solver: {tolerance: 1e-3}\n",
     40, 50, false, 0, 0},
    {"dice that bounce on edges, under a piston",
     FALLING
     "materials: {bone: {density: 2000, friction: 0.6, restitution: 0.9}}\n"
     "shapes: {die: {box: {size: [0.01, 0.01, 0.01]}}}\n"
     "walls:\n"
     "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
     "  lid: {plane: {point: [0, 0, 0.0242], normal: [0, 0, -1]}, piston: {mass: 0.3, force: [0, "
     "0, -20]}}\n"
     "grains:\n"
     "  - {shape: die, lattice: {min: [0, 0, 0.0012], counts: [26, 4, 2], spacing: 0.0115},\n"
     "     velocity: [1, 0, -1], spin: [0, 20, 0]}\n"
     "solver: {tolerance: 1e-3}\n",
     10, 10, false, 0, 0},
    {"polygons that bounce",
     FALLING_2D
     "materials: {gravel: {density: 2600, friction: 0.3, restitution: 0.7}}\n"
     "periodic: {x: [0, 3]}\n"
     "walls:\n"
     "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
     "grains:\n"
     "  - {random_polygon: {corners: [5, 8], radius: {uniform: [0.02, 0.03]}, elongation: 1.3},\n"
     "     count: 400, fill: {min: [0, 0], max: [3, 0.9]}, velocity: [3, -3], spin: 40}\n",
     30, 5, false, 0, 0},
    {"a sheared cell of two stresses that flips",
     "dimension: 2\n"
     "time: {step: 0.01, end: 60}\n"
     "seed: 3\n"
     "periodic: {x: [0, 30], y: [0, 17]}\n"
     "cell: {rate: {xy: 2}, stress: {yy: 5}, viscosity: 5}\n"
     "materials: {disk: {density: 1, friction: 0.3}}\n"
     "grains:\n"
     "  - {count: 330, radius: {uniform: [0.4, 0.55]}, fill: {min: [0, 0], max: [30, 17]}}\n"
     "solver: {tolerance: 1e-3}\n",
     50, 80, false, 0, 0},
    {"rocks in a cell that holds a pressure",
     "time: {step: 0.01, end: 60}\n"
     "seed: 3\n"
     "periodic: {x: [0, 16], y: [0, 8], z: [0, 8]}\n"
     "cell: {pressure: 10, viscosity: 5}\n"
     "materials: {stone: {density: 1, friction: 0.4}}\n"
     "grains:\n"
     "  - {rock: {faces: [10, 14], size: {uniform: [0.9, 1.1]}, elongation: 1.2}, count: 30,\n"
     "     fill: {min: [0, 0, 0], max: [16, 8, 8]}}\n"
     "  - {radius: 0.5, count: 260, fill: {min: [0, 0, 0], max: [16, 8, 8]}}\n"
     "solver: {tolerance: 1e-2}\n",
     10, 50, false, 0, 0},
    {"grains that grow, some past the size of boxes, and others that shrink",
     FALLING
     "materials:\n"
     "  seed: {density: 1200, friction: 0.4, growth: {rate: 3}}\n"
     "  giant: {density: 1200, friction: 0.4, growth: {rate: 20}}\n"
     "  ice: {density: 900, friction: 0.2, growth: {rate: -3, keep: mass}}\n"
     "walls: {box: {box: {min: [0, 0, 0], max: [0.3, 0.12, 1]}, open: top}}\n"
     "grains:\n"
     "  - {radius: {uniform: [0.006, 0.007]}, count: 180, material: seed, velocity: [0, 0, -2],\n"
     "     fill: {min: [0, 0, 0], max: [0.3, 0.12, 0.11]}}\n"
     "  - {radius: {uniform: [0.007, 0.008]}, count: 60, material: ice, velocity: [0, 0, -2],\n"
     "     fill: {min: [0, 0, 0.11], max: [0.3, 0.12, 0.18]}}\n"
     "  - {radius: 0.015, at: [[0.1, 0.06, 0.22], [0.2, 0.06, 0.22]], material: giant}\n",
     50, 50, false, 0, 0},
    {"wet spheres",
     FALLING
     "materials: {sand: {density: 2500, friction: 0.4, rolling: 0.02, bridge_volume: 1e-9,\n"
     "                   bridge_tension: 0.07}}\n"
     "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
     "grains:\n"
     "  - {radius: {uniform: [0.004, 0.006]}, count: 800, velocity: [0.2, 0, -1],\n"
     "     fill: {min: [0, 0, 0], max: [0.6, 0.06, 0.1]}}\n",
     50, 200, false, 0, 0},
};

static ScreeScene *load(const Case *c) {
    char message[SCREE_FILE_MESSAGE_SIZE] = "";
    ScreeScene *scene = NULL;
    if (scree_scene_parse(c->scene, strlen(c->scene), SCREE_EXAMPLES "/scene.yaml", NULL, 0, &scene,
                          message) != SCREE_OK) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    return scene;
}

typedef struct Run {
    const Case *scene;
    Process process;
    uint64_t hash[MOST_STEPS];
    ScreeReport report[MOST_STEPS];
    double coordination[MOST_STEPS], energy[MOST_STEPS];
    ScreeSharing sharing;
    size_t bytes; /* for bodies, when the first process alone has looked at them */
} Run;

/* The first process alone has the whole world while it looks at it; to the others it is what they must find
 * without. */
static uint64_t hash_by_first(const Run *run, ScreeWorld *world) {
    if (scree_world_gather_to_first(world) != SCREE_OK) {
        abort();
    }
    const uint64_t hash = run->process.rank == 0 ? scree_world_hash(world) : 0;
    scree_world_let_go(world);
    return hash;
}

/* Looks at the whole world now and then, which brings it together: for all, or for the first alone. */
static void make_steps(Run *run, const ScreeProcesses *processes) {
    ScreeScene *scene = load(run->scene);
    ScreeWorld *world = NULL;
    if (scree_scene_build(scene, &world, NULL) != SCREE_OK ||
        scree_world_set_processes(world, processes) != SCREE_OK) {
        abort();
    }
    for (int step = 0; step < run->scene->steps; step++) {
        if (scree_scene_step(scene, world, &run->report[step]) != SCREE_OK) {
            fprintf(stderr, "%s\n", scree_scene_get_message(scene));
            abort();
        }
        if (step % EVERY == EVERY / 2) { /* these do not bring it together */
            run->coordination[step] = scree_world_get_coordination(world);
            run->energy[step] = scree_world_get_kinetic_energy(world);
        }
        if (step % EVERY == EVERY - 1) {
            run->hash[step] =
                step / EVERY % 2 == 0 ? hash_by_first(run, world) : scree_world_hash(world);
        }
    }
    run->sharing = scree_world_get_sharing(world, run->process.count);
    run->bytes = scree_world_get_cost(world).bytes_bodies;
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void *one_process(void *argument) {
    Run *run = argument;
    const ScreeProcesses processes = board_table(&run->process);
    make_steps(run, &processes);
    return NULL;
}

static void compare(const Run *one, const Run *run) {
    for (int step = 0; step < one->scene->steps; step++) {
        const bool seen = run->process.rank == 0 || run->hash[step] != 0;
        bool same = (!seen || run->hash[step] == one->hash[step]) &&
                    run->coordination[step] == one->coordination[step] &&
                    run->energy[step] == one->energy[step] &&
                    memcmp(&run->report[step], &one->report[step], sizeof one->report[0]) == 0;
        CHECK(same);
        if (!same) {
            fprintf(stderr, "%s: other bits in step %d of process %d of %d\n", one->scene->name,
                    step, run->process.rank, run->process.count);
            return;
        }
    }
    CHECK(run->sharing.why_not == NULL);
    /* a process has the bodies of its part, unless a step needed them all; the share itself takes some kB, which counts in
     * worlds as small as these */
    CHECK(run->bytes < one->bytes + 32768 || run->sharing.wholes > 0);
    CHECK(run->sharing.parts > 2 * run->sharing.wholes);
    CHECK(run->sharing.cuts > 0 || !one->scene->uneven);
}

static void check_processes(const Run *one, int count) {
    static Run run[8];
    Board board = {.numbers = 0};
    pthread_t thread[8];
    pthread_barrier_init(&board.barrier, NULL, (unsigned)count);
    for (int k = 0; k < count; k++) {
        run[k] = (Run){.scene = one->scene, .process = {&board, k, count}};
        if (pthread_create(&thread[k], NULL, one_process, &run[k]) != 0) {
            abort();
        }
    }
    for (int k = 0; k < count; k++) {
        pthread_join(thread[k], NULL);
    }
    for (int k = 0; k < count; k++) {
        compare(one, &run[k]);
    }
    pthread_barrier_destroy(&board.barrier);
}

static int count_halved(const Run *run) {
    int count = 0;
    for (int step = 0; step < run->scene->steps; step++) {
        count += run->report[step].strides > 0;
    }
    return count;
}

static int64_t count_cuts(const Run *run) {
    int64_t count = 0;
    for (int step = 0; step < run->scene->steps; step++) {
        count += run->report[step].cuts;
    }
    return count;
}

static void scenes_have_the_same_bits(void) {
    static const int counts[] = {3, 2, 4};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += CHECK_STRIDE == 1 ? 1 : 11) {
        static Run one;
        one = (Run){.scene = &cases[k], .process = {.count = 1}};
        make_steps(&one, NULL);
        CHECK((double)one.report[cases[k].steps - 1].active >= cases[k].contacts);
        CHECK(count_halved(&one) >= cases[k].halved);
        CHECK(count_cuts(&one) >= cases[k].cuts);
        check_processes(&one, counts[k % 3]);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(scenes_have_the_same_bits);
    return check_result();
}
