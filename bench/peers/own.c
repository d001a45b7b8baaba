/* Scree through its public header.
 *
 *     scree STATE OUT WARM MEASURED SETTING
 *     scree settle DIMENSION ACROSS LAYERS SECONDS OUT
 *     scree problem STATE OUT WARM SWEEPS...
 *     scree clock
 *
 * SETTING is iterations=N, tolerance=X [overlap=X] or stiffness=K. The second makes the
 * packing that everybody starts from. The third writes the contact problem of one step to OUT, for
 * others to solve, and solves it with each of these numbers of sweeps. The last tells the clock
 * rate of the processor. */
#include "common.h"

#include <scree/scree.h>

static void must(ScreeStatus status, const ScreeWorld *world) {
    if (status != SCREE_OK) {
        give_up("scree",
                world != NULL ? scree_world_get_message(world) : scree_status_get_text(status));
    }
}

static void step(void *world) {
    must(scree_world_step((ScreeWorld *)world, NULL), (ScreeWorld *)world);
}

static void add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.point = point;
    wall.normal = normal;
    must(scree_world_add_wall(world, &wall, NULL), world);
}

static void add_box(ScreeWorld *world, int dimension, double width) {
    add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){1, 0, 0});
    add_plane(world, (ScreeVec3){width, 0, 0}, (ScreeVec3){-1, 0, 0});
    add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    if (dimension == 3) {
        add_plane(world, (ScreeVec3){0, width, 0}, (ScreeVec3){0, -1, 0});
        add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 0, 1});
    }
}

static ScreeWorldDef plain_def(int dimension) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = RIGID_STEP;
    def.gravity = dimension == 3 ? (ScreeVec3){0, 0, -GRAVITY} : (ScreeVec3){0, -GRAVITY, 0};
    return def;
}

static ScreeWorldDef swept_def(int dimension, int sweeps) {
    ScreeWorldDef def = plain_def(dimension);
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.iterations = sweeps;
    return def;
}

static ScreeWorld *make(const ScreeWorldDef *def, ScreeMaterialDef material, const State *s) {
    ScreeWorld *world = NULL;
    must(scree_world_create(def, &world, NULL), world);
    material.law.friction = FRICTION;
    must(scree_world_add_material(world, &material, NULL), world);
    add_box(world, s->dimension, s->width);
    ScreeBodyDef *body = calloc((size_t)s->count, sizeof *body);
    for (int i = 0; i < s->count && body != NULL; i++) {
        const Grain *p = &s->grain[i];
        body[i] = scree_body_def_default();
        body[i].position = (ScreeVec3){p->x, p->y, p->z};
        body[i].radius = p->radius;
    }
    must(body == NULL ? SCREE_NO_MEMORY
                      : scree_world_add_bodies(world, body, (size_t)s->count, NULL),
         world);
    free(body);
    return world;
}

static void take_positions(const ScreeWorld *world, State *s) {
    ScreeBodyView b = scree_world_get_bodies(world);
    for (int i = 0; i < s->count; i++) {
        s->grain[i] = (Grain){b.position[i].x, b.position[i].y, b.position[i].z, b.radius[i]};
    }
}

/* ---------------------------------------------------------------- the packing */

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static State loose(int dimension, int across, int layers) {
    const double room = dimension == 3 ? 1.05 : 2.1;
    const int deep = dimension == 3 ? across : 1;
    State s = {dimension, across * deep * layers, across * room, NULL};
    s.grain = (Grain *)calloc((size_t)s.count, sizeof *s.grain);
    uint64_t random = 1;
    for (int k = 0; k < s.count && s.grain != NULL; k++) {
        double at[3] = {k % across, k / across % deep, k / across / deep};
        Grain *p = &s.grain[k];
        for (int i = 0; i < 3; i++) {
            at[i] = (at[i] + 0.5) * room + 0.04 * noise(&random);
        }
        p->radius = dimension == 3 ? 0.5 : 0.75 + 0.5 * noise(&random);
        p->x = at[0];
        p->y = dimension == 3 ? at[1] : at[2];
        p->z = dimension == 3 ? at[2] : 0;
    }
    return s;
}

/* The settled packing and its box are stretched by 1 %, so that no two grains touch and everybody
 * has to bring them to rest. */
static int settle(char **argv) {
    const double apart = 1.01;
    State s = loose(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    ScreeWorldDef def = swept_def(s.dimension, 50);
    ScreeWorld *world = make(&def, scree_material_def_default(), &s);
    run_steps(step, world, (int)lround(atof(argv[5]) / RIGID_STEP));
    take_positions(world, &s);
    for (int i = 0; i < s.count; i++) {
        s.grain[i].x *= apart;
        s.grain[i].y *= apart;
        s.grain[i].z *= apart;
    }
    s.width *= apart;
    write_state(argv[6], &s);
    scree_world_destroy(world);
    return 0;
}

/* ---------------------------------------------------------------- one contact problem */

/* Bodies with inverse mass and inertia, radius, velocity (including one step of gravity) and spin;
 * contacts with their normal and the speed that closes the gap in one step. */
static void write_problem(const char *path, const ScreeWorld *world, const ScreeVec3 *velocity,
                          const ScreeVec3 *spin) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeContactView c = scree_world_get_contacts(world);
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        give_up("cannot write", path);
    }
    fprintf(f, "%zu %zu %.17g\n", b.count, c.count, FRICTION);
    for (size_t i = 0; i < b.count; i++) {
        ScreeVec3 v = velocity[i], w = spin[i];
        fprintf(f, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", 1 / b.mass[i],
                1 / b.inertia[i], b.radius[i], v.x, v.y, v.z - GRAVITY * RIGID_STEP, w.x, w.y, w.z);
    }
    for (size_t k = 0; k < c.count; k++) {
        const ScreeContact *t = &c.contact[k];
        fprintf(f, "%d %d %.17g %.17g %.17g %.17g\n", t->a.index, t->b.code, t->normal.x,
                t->normal.y, t->normal.z, fmax(t->gap, 0) / RIGID_STEP);
    }
    fclose(f);
}

/* The same step, solved from zero with this many sweeps. Its processor time is that of the whole
 * step, including finding and preparing the contacts. */
static void solve_step(const void *saved, size_t size, int sweeps) {
    ScreeWorld *world = NULL;
    ScreeReport report = {0};
    must(scree_world_load(saved, size, &world, NULL), world);
    ScreeSolverDef solver = scree_solver_def_default();
    solver.criterion = SCREE_CRITERION_FIXED;
    solver.iterations = sweeps;
    solver.warm_start = false;
    must(scree_world_set_solver(world, &solver), world);
    double begin = cpu_seconds();
    must(scree_world_step(world, &report), world);
    printf("{\"sweeps\": %d, \"contacts\": %lld, \"seconds\": %.6g, \"residual\": %.6g}\n", sweeps,
           (long long)report.contacts, cpu_seconds() - begin, report.residual_fclib);
    scree_world_destroy(world);
}

static int problem(int argc, char **argv) {
    State s = read_state(argv[2]);
    ScreeWorldDef def = swept_def(s.dimension, 50);
    ScreeWorld *world = make(&def, scree_material_def_default(), &s);
    run_steps(step, world, (int)lround(atof(argv[4]) / RIGID_STEP));
    size_t size = 0, count = (size_t)s.count;
    (void)scree_world_save(world, NULL, &size);
    void *saved = malloc(size);
    ScreeVec3 *before = calloc(2 * count, sizeof *before);
    if (saved == NULL || before == NULL) {
        give_up("scree", "out of memory");
    }
    must(scree_world_save(world, saved, &size), world);
    memcpy(before, scree_world_get_bodies(world).velocity, count * sizeof *before);
    memcpy(before + count, scree_world_get_bodies(world).spin, count * sizeof *before);
    step(world);
    write_problem(argv[3], world, before, before + count);
    scree_world_destroy(world);
    for (int i = 5; i < argc; i++) {
        solve_step(saved, size, atoi(argv[i]));
    }
    free(before);
    free(saved);
    return 0;
}

/* ---------------------------------------------------------------- the clock */

/* Additions that wait for each other take one cycle each; takes the best of several tries. */
static int tell_clock(void) {
    const int turns = 20000000;
    double best = INFINITY;
    for (int try = 0; try < 5; try++) {
        uint64_t x = 1;
        double begin = cpu_seconds();
        for (int i = 0; i < turns; i += 8) {
#define ADD                                                                                        \
    __asm__ volatile("" : "+r"(x));                                                                \
    x += 3;
            ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
        }
        best = fmin(best, cpu_seconds() - begin);
    }
    printf("{\"gigahertz\": %.3g}\n", 1e-9 * turns / best);
    return 0;
}

/* ---------------------------------------------------------------- what is measured */

/* The same springs that LAMMPS gets, a fifth of critical damping, a twentieth of a collision per
 * step. */
static void make_soft(const Task *t, ScreeWorldDef *def, ScreeMaterialDef *material) {
    const double k = setting(t, "stiffness", 6e5), reduced = setting(t, "reduced_mass", M_PI / 12);
    def->engine = SCREE_ENGINE_SOFT;
    def->time_step = setting(t, "step", M_PI * sqrt(reduced / k) / 20);
    material->law.stiffness = k;
    material->law.damping = 2 * 0.2 * sqrt(k * reduced);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "clock") == 0) {
        return tell_clock();
    }
    if (argc == 7 && strcmp(argv[1], "settle") == 0) {
        return settle(argv);
    }
    if (argc > 5 && strcmp(argv[1], "problem") == 0) {
        return problem(argc, argv);
    }
    Task task = read_task(argc, argv);
    int sweeps = (int)setting(&task, "iterations", 0);
    ScreeWorldDef def =
        sweeps > 0 ? swept_def(task.state.dimension, sweeps) : plain_def(task.state.dimension);
    ScreeMaterialDef material = scree_material_def_default();
    def.solver.tolerance = setting(&task, "tolerance", def.solver.tolerance);
    def.solver.overlap = setting(&task, "overlap", def.solver.overlap);
    if (setting(&task, "stiffness", 0) > 0) {
        make_soft(&task, &def, &material);
    }
    ScreeWorld *world = make(&def, material, &task.state);
    measure(&task, step, world, def.time_step);
    ScreeReport report;
    must(scree_world_step(world, &report), world);
    printf(", \"contacts\": %lld, \"sweeps\": %lld, \"residual\": %.6g", (long long)report.contacts,
           (long long)report.iterations, report.residual);
    take_positions(world, &task.state);
    finish(&task);
    scree_world_destroy(world);
    return 0;
}
