/* What a step of the soft engine costs per grain, and what it costs in LAMMPS.
 *
 * Both get the same positions, radii, masses, springs, dashpots, friction and time step, and walls
 * of the same kind. The machine may be shared with others, so each number is the best of many short
 * blocks of steps, and ours are taken both before and after those of LAMMPS. */
#include "bench/parts.h"

#include "base/clock.h"
#include "bench/packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Springs so stiff that grains overlap by about 1e-4 radii, and a step of a twentieth of a
 * collision: tc = pi sqrt(m* / k) with m* = pi / 12. */
static const double stiffness = 6e5, friction = 0.5, time_step = 1e-4, gravity = 9.81;
static const double damping = 0.2; /* of critical */
static const double reduced_mass = 3.14159265358979323846 / 12;

enum { WARM_UP = 3000, BLOCKS = 12, BLOCK_STEPS = 50 };

/* ---------------------------------------------------------------- the soft engine */

typedef struct Variant {
    const char *key, *text;
    double modulus;
    ScreeSoftFriction friction;
    double rolling;
} Variant;

static const Variant variants[] = {
    {"soft_ns", "soft: a step of 8,000 settled spheres, per grain", 0, SCREE_SOFT_FRICTION_SPRING,
     0},
    {"soft_hertz_ns", "the same with Hertz springs", 1e6, SCREE_SOFT_FRICTION_SPRING, 0},
    {"soft_viscous_ns", "the same with viscous friction", 0, SCREE_SOFT_FRICTION_VISCOUS, 0},
    {"soft_rolling_ns", "the same with rolling and torsion friction", 0, SCREE_SOFT_FRICTION_SPRING,
     0.05},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static bool add_all(ScreeWorld *world, const ScreeWorld *from) {
    bool ok = true;
    for (size_t i = 0; i < scree_world_get_wall_count(from) && ok; i++) {
        ScreeWallState wall;
        ok = scree_wall_get_state(from, (ScreeWallId){(int32_t)i}, &wall) == SCREE_OK &&
             scree_world_add_wall(world, &wall.now, NULL) == SCREE_OK;
    }
    ScreeBodyView b = scree_world_get_bodies(from);
    for (size_t i = 0; i < b.count && ok; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.position = b.position[i];
        body.radius = b.radius[i];
        ok = scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return ok;
}

static ScreeWorld *make_soft(const ScreeWorld *from, const Variant *v) {
    ScreeWorldDef def = scree_world_def_default();
    def.engine = SCREE_ENGINE_SOFT;
    def.gravity = (ScreeVec3){0, 0, -gravity};
    def.time_step = time_step;
    def.soft.friction = v->friction;
    ScreeWorld *world = NULL;
    if (scree_world_create(&def, &world, NULL) != SCREE_OK) {
        return NULL;
    }
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = friction;
    material.law.stiffness = stiffness;
    material.law.modulus = v->modulus;
    material.law.damping = 2 * damping * sqrt(stiffness * reduced_mass);
    material.law.rolling = material.law.torsion = v->rolling;
    if (scree_world_add_material(world, &material, NULL) != SCREE_OK || !add_all(world, from)) {
        scree_world_destroy(world);
        return NULL;
    }
    return world;
}

/* Seconds per grain and step, the best of several blocks. */
static double measure(ScreeWorld *world, ScreeReport *report) {
    double best = INFINITY;
    for (int b = 0; b < BLOCKS; b++) {
        double begin = scr_seconds();
        if (!bench_steps(world, BLOCK_STEPS, report)) {
            return -1;
        }
        best = fmin(best, (scr_seconds() - begin) / BLOCK_STEPS);
    }
    return best / (double)scree_world_get_bodies(world).count;
}

/* ---------------------------------------------------------------- LAMMPS */

typedef struct Lammps {
    char folder[64], data[96], input[96];
} Lammps;

static bool is_installed(void) {
    return system("command -v lmp >/dev/null 2>&1") == 0; /* found on the search path */
}

static bool write_data(const Lammps *l, const ScreeWorld *world, double width) {
    FILE *f = fopen(l->data, "w");
    ScreeBodyView b = scree_world_get_bodies(world);
    if (f == NULL) {
        return false;
    }
    fprintf(f,
            "spheres\n\n%zu atoms\n1 atom types\n\n-0.1 %.17g xlo xhi\n-0.1 %.17g ylo yhi\n"
            "-0.1 100 zlo zhi\n\nAtoms # sphere\n\n",
            b.count, width + 0.1, width + 0.1);
    for (size_t i = 0; i < b.count; i++) {
        fprintf(f, "%zu 1 %.17g 1 %.17g %.17g %.17g\n", i + 1, 2 * b.radius[i], b.position[i].x,
                b.position[i].y, b.position[i].z);
    }
    return fclose(f) == 0;
}

/* In LAMMPS the dashpot is gamma m* v, the tangential spring is given, and friction needs no
 * dashpot. The neighbour distance is the fastest of 0.05, 0.1 and 0.2 diameters. */
static bool write_input(const Lammps *l, double width) {
    FILE *f = fopen(l->input, "w");
    if (f == NULL) {
        return false;
    }
    char law[128];
    snprintf(law, sizeof law, "hooke/history %.17g %.17g %.17g 0 %.17g 0", stiffness,
             2.0 / 7 * stiffness, 2 * damping * sqrt(stiffness / reduced_mass), friction);
    fprintf(f,
            "units lj\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
            "read_data %s\npair_style gran/%s\npair_coeff * *\nneighbor 0.1 bin\n"
            "neigh_modify delay 0 every 1 check yes\nfix 1 all gravity %.17g vector 0 0 -1\n"
            "fix 2 all nve/sphere\nfix 3 all wall/gran %s xplane 0 %.17g\n"
            "fix 4 all wall/gran %s yplane 0 %.17g\nfix 5 all wall/gran %s zplane 0 NULL\n"
            "timestep %.17g\nthermo 100000\n",
            l->data, law, gravity, law, width, law, width, law, time_step);
    fprintf(f, "run %d\n", WARM_UP);
    for (int b = 0; b < 2 * BLOCKS; b++) {
        fprintf(f, "run %d\n", BLOCK_STEPS);
    }
    return fclose(f) == 0;
}

static bool prepare(Lammps *l, const ScreeWorld *world, double width) {
    snprintf(l->folder, sizeof l->folder, "/tmp/scree-bench-XXXXXX");
    if (mkdtemp(l->folder) == NULL) {
        return false;
    }
    snprintf(l->data, sizeof l->data, "%s/spheres.data", l->folder);
    snprintf(l->input, sizeof l->input, "%s/spheres.in", l->folder);
    return write_data(l, world, width) && write_input(l, width);
}

static void clean(const Lammps *l) {
    (void)remove(l->data);
    (void)remove(l->input);
    (void)rmdir(l->folder);
}

/* Starts LAMMPS, which prints "Loop time of SECONDS on 1 procs for STEPS steps" after every
 * block. */
static FILE *start(const Lammps *l) {
    char command[256];
    snprintf(command, sizeof command, "OMP_NUM_THREADS=1 lmp -in %s -log none 2>&1", l->input);
    return popen(command, "r");
}

/* Reads the output of this many blocks. Returns the best of them in seconds per step; negative when
 * the program ended early. */
static double read_blocks(FILE *pipe, int blocks) {
    char line[512];
    double best = INFINITY, seconds;
    while (blocks > 0 && fgets(line, sizeof line, pipe) != NULL) {
        if (sscanf(line, "Loop time of %lf", &seconds) == 1) {
            best = fmin(best, seconds / BLOCK_STEPS);
            blocks--;
        }
        if (strncmp(line, "ERROR", 5) == 0) {
            fprintf(stderr, "bench: lmp: %s", line);
        }
    }
    return blocks > 0 ? -1 : best;
}

/* The position of the farthest side of the box. */
static double width_of(const ScreeWorld *world) {
    double width = 0;
    ScreeWallState side;
    for (int32_t w = 0; scree_wall_get_state(world, (ScreeWallId){w}, &side) == SCREE_OK; w++) {
        width = fmax(width, side.now.point.x);
    }
    return width;
}

/* Seconds per step; negative when it could not be measured. */
static double measure_lammps(const ScreeWorld *settled) {
    Lammps l = {0};
    if (!is_installed()) {
        fprintf(stderr,
                "bench: lmp is not installed (package lammps): no comparison with LAMMPS\n");
        return -1;
    }
    double best = -1;
    if (prepare(&l, settled, width_of(settled))) {
        FILE *pipe = start(&l);
        bool warm = pipe != NULL && read_blocks(pipe, 1) >= 0;
        best = warm ? read_blocks(pipe, 2 * BLOCKS) : -1;
        if (pipe != NULL) {
            pclose(pipe);
        }
    }
    clean(&l);
    if (best < 0) {
        fprintf(stderr, "bench: lmp did not run to its end: no comparison with LAMMPS\n");
    }
    return best;
}

/* ---------------------------------------------------------------- both */

static void note_memory(const ScreeWorld *world, const ScreeReport *report, Results *r) {
    ScreeCost cost = scree_world_get_cost(world);
    double grains = (double)scree_world_get_bodies(world).count;
    bench_note(r, "soft_contacts", "contacts there", "", (double)report->contacts);
    bench_note(r, "soft_overlap", "their mean overlap, in radii", "", report->overlap_mean / 0.5);
    bench_note(r, "soft_bytes_per_grain", "memory per grain there", "bytes",
               (double)cost.bytes_bodies / grains);
    bench_note(r, "soft_bytes_per_contact", "memory per contact there", "bytes",
               (double)cost.bytes_contacts / (double)cost.contacts);
}

/* The plain laws, and LAMMPS with the same. */
static bool bench_plain(const ScreeWorld *settled, Results *r) {
    ScreeWorld *world = make_soft(settled, &variants[0]);
    ScreeReport report = {0};
    bool ok = world != NULL && bench_steps(world, WARM_UP, &report);
    double before = ok ? measure(world, &report) : -1;
    double lammps = before >= 0 ? measure_lammps(settled) : -1;
    double after = before >= 0 ? measure(world, &report) : -1;
    if (after >= 0) {
        double own = fmin(before, after),
               theirs = lammps / (double)scree_world_get_bodies(world).count;
        bench_note(r, variants[0].key, variants[0].text, "ns", 1e9 * own);
        if (lammps >= 0) {
            bench_note(r, "lammps_ns", "LAMMPS gran/hooke/history: the same", "ns", 1e9 * theirs);
            bench_note(r, "soft_over_lammps", "soft engine over LAMMPS", "", own / theirs);
        }
        note_memory(world, &report, r);
    }
    scree_world_destroy(world);
    return after >= 0;
}

static bool bench_variant(const ScreeWorld *settled, const Variant *v, Results *r) {
    ScreeWorld *world = make_soft(settled, v);
    ScreeReport report = {0};
    bool ok = world != NULL && bench_steps(world, WARM_UP / 3, &report);
    double seconds = ok ? measure(world, &report) : -1;
    if (seconds >= 0) {
        bench_note(r, v->key, v->text, "ns", 1e9 * seconds);
    }
    scree_world_destroy(world);
    return seconds >= 0;
}

bool bench_soft(const ScreeWorld *settled, Results *r) {
    bool ok = bench_plain(settled, r);
    for (int v = 1; v < VARIANTS && ok; v++) {
        ok = bench_variant(settled, &variants[v], r);
    }
    return ok;
}
