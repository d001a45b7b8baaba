#include "cli/commands.h"
#include "cli/device.h"
#include "cli/job/judge.h"

#include "base/plural.h"

#include <math.h>

/* Rough numbers for a packing: contacts and candidates per grain, and the bytes that each costs. */
enum { CONTACTS_3D = 5, CONTACTS_2D = 3, BYTES_PER_CONTACT = 200, BYTES_PER_GRAIN = 400 };

static void print_size(double bytes) {
    if (bytes < 1e6) {
        printf("%.0f kB", fmax(bytes / 1e3, 1));
    } else if (bytes < 1e9) {
        printf("%.0f MB", bytes / 1e6);
    } else {
        printf("%.1f GB", bytes / 1e9);
    }
}

static void print_radii(const ScreeWorld *world) {
    ScreeBodyView bodies = scree_world_get_bodies(world);
    double low = INFINITY, high = 0, mass = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        low = fmin(low, bodies.radius[i]);
        high = fmax(high, bodies.radius[i]);
        mass += bodies.mass[i];
    }
    if (bodies.count > 0) {
        printf("    radii from %.6g to %.6g, total mass %.6g\n", low, high, mass);
    }
}

static void print_gates(const Scene *scene) {
    size_t outlets = 0, gates = scene_gate_count(scene);
    for (size_t i = 0; i < gates; i++) {
        outlets += scene_gate(scene, i).outlet;
    }
    const size_t inlets = gates - outlets;
    const char *in = SCR_PLURAL(inlets, "inlet", "inlets");
    const char *out = SCR_PLURAL(outlets, "outlet", "outlets");
    if (inlets > 0 && outlets > 0) {
        printf("    %zu %s and %zu %s: grains come and go\n", inlets, in, outlets, out);
    } else if (gates > 0) {
        printf("    %zu %s: grains %s\n", gates, inlets > 0 ? in : out,
               inlets > 0 ? "come" : "leave");
    }
}

static void print_bonds(const ScreeWorld *world) {
    const size_t bonds = scree_world_get_bonds(world).count;
    if (bonds > 0) {
        printf("    %zu %s between grains\n", bonds, SCR_PLURAL(bonds, "bond", "bonds"));
    }
}

/* With fewer grains nobody thinks of several processes. */
static const size_t many = 10000;

static void print_sharing(const ScreeWorld *world) {
    const char *alone = scree_world_get_sharing(world, 2).why_not;
    printf("    several processes (mpirun): %s%s\n",
           alone != NULL ? "each of them makes the steps of all grains, since "
                         : "they share the grains",
           alone != NULL ? alone : "");
}

static void describe(const char *path, const Scene *scene, const ScreeWorld *world) {
    ScreeWorldDef def = scree_world_get_def(world);
    const SceneSettings *settings = scene_settings(scene);
    const size_t grains = scree_world_get_bodies(world).count;
    const size_t walls = scree_world_get_wall_count(world), materials = scene_material_count(scene);
    double steps = ceil(settings->end / def.time_step - 1e-9);
    const bool usual = def.engine == SCREE_ENGINE_CONTACT_DYNAMICS;
    const char *engine = usual ? "" : scree_engine_get_name((int32_t)def.engine);
    double contacts = (double)grains * (def.dimension == 2 ? CONTACTS_2D : CONTACTS_3D);
    cli_print(path);
    printf(": scene OK\n    %zu %s, %zu %s, %zu %s, %d dimensions%s%s%s\n", grains,
           SCR_PLURAL(grains, "grain", "grains"), walls, SCR_PLURAL(walls, "wall", "walls"),
           materials, SCR_PLURAL(materials, "material", "materials"), def.dimension,
           usual ? "" : ", ", engine, usual ? "" : " engine");
    print_radii(world);
    print_gates(scene);
    print_bonds(world);
    const bool chosen = settings->automatic_step;
    printf("    %.0f %s of %.6g%s%s%s to time %.6g at most, a frame every %.6g\n", steps,
           SCR_PLURAL(steps, "step", "steps"), def.time_step, chosen ? " (chosen for " : "",
           chosen ? settings->step_for : "", chosen ? ")" : "", settings->end,
           settings->output_every);
    if (grains >= many) {
        print_sharing(world);
    }
    printf("    memory: about ");
    print_size((double)grains * BYTES_PER_GRAIN + contacts * BYTES_PER_CONTACT);
    printf("\n");
}

static void print_device(ScreeDeviceChoice choice, ScreeWorld *world) {
    if (choice == SCREE_DEVICE_AUTO) {
        const bool can = scree_world_check_device(world) == SCREE_OK;
        printf("    device: %s%s\n", can ? "a GPU where there is one" : "the processor, since ",
               can ? "" : scree_world_get_message(world));
    } else if (choice != SCREE_DEVICE_CPU) {
        printf("    device: %s\n", choice == SCREE_DEVICE_GPU ? "a GPU" : "emulated");
    }
}

int cli_check(const CliArguments *arguments) {
    SceneError error = {0};
    ScreeWorld *world = NULL;
    CLI_TRY(cli_refuse_run("check", arguments->operand));
    Scene *scene =
        scene_load(arguments->operand, arguments->define, arguments->define_count, &error);
    ScreeDeviceChoice choice = SCREE_DEVICE_CPU;
    int status = CLI_DONE;
    if (scene == NULL || !scene_build(scene, &world, &error)) {
        status = cli_scene_error(&error);
    } else {
        status = cli_judge_world(arguments->operand, scene, world, false);
        if (status == CLI_DONE) {
            choice = cli_device_chosen(arguments->value[CLI_DEVICE], scene_settings(scene)->device);
            status = cli_judge_device(arguments->operand, choice, world);
        }
        if (status == CLI_DONE && arguments->value[CLI_QUIET] == NULL) {
            describe(arguments->operand, scene, world);
            print_device(choice, world);
        }
    }
    scree_world_destroy(world);
    scene_free(scene);
    return status;
}
