#include "cli/job/judge.h"
#include "cli/message.h"

#include <stdio.h>
#include <string.h>

/* The advised step is a twentieth of the shortest collision; a tenth is still acceptable. */
static const double too_long = 2;

/* In units of the radius cubed: up to there the law of liquid bridges was fitted. A little more, so that its own limit is
 * not met by rounding. */
static const double largest_bridge = 0.1, rounding = 1e-9;

static void judge_step(const Scene *scene, const ScreeWorld *world, bool tell) {
    const SceneSettings *settings = scene_settings(scene);
    double step = scree_world_get_def(world).time_step,
           advised = scree_world_advise_time_step(world); /* 0 with rigid grains */
    if (settings->automatic_step && tell) {
        cli_note("time step %.3g, chosen for %s", step, settings->step_for);
    } else if (advised > 0 && step > too_long * advised) {
        cli_warning("time step %.3g is %.2g times the advised %.3g: the springs will not be "
                    "resolved; omit time.step to have it chosen automatically",
                    step, step / advised, advised);
    }
}

/* The largest liquid bridge that a material makes with any. */
static double bridge_volume(const ScreeWorld *world, int32_t material, size_t count) {
    double most = 0;
    for (size_t other = 0; other < count; other++) {
        ScreeLaw law;
        if (scree_law_get(world, (ScreeMaterialId){material}, (ScreeMaterialId){(int32_t)other},
                          &law) == SCREE_OK &&
            law.bridge_volume > most) {
            most = law.bridge_volume;
        }
    }
    return most;
}

static void judge_bridges(const Scene *scene, const ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    double worst = 0;
    size_t of = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        const double r = bodies.radius[i];
        const double part =
            bridge_volume(world, bodies.material[i].index, scene_material_count(scene)) /
            (r * r * r);
        if (part > worst) {
            worst = part;
            of = i;
        }
    }
    if (worst > largest_bridge * (1 + rounding)) {
        const char *name = scene_material_name(scene, bodies.material[of].index);
        cli_warning("the liquid bridges of '%s' have %.2g radii cubed of a grain with radius %.3g: "
                    "their law holds up to %g; see docs/bridges.md",
                    name != NULL ? name : "", worst, bodies.radius[of], largest_bridge);
    }
}

static void warn(void *context, const char *text) {
    (void)context;
    cli_warning("%s", text);
}

int cli_scene_error(const SceneError *error) {
    fputs(error->text, stderr);
    return error->no_memory ? CLI_FAILED : CLI_BAD_INPUT;
}

int cli_refuse_run(const char *command, const char *path) {
    static const char signature[] = "\211HDF\r\n\032\n"; /* of HDF5 */
    char begin[sizeof signature - 1];
    FILE *file = fopen(path, "rb");
    const bool is_run = file != NULL && fread(begin, 1, sizeof begin, file) == sizeof begin &&
                        memcmp(begin, signature, sizeof begin) == 0;
    if (file != NULL) {
        fclose(file);
    }
    if (is_run) {
        cli_error("%s: is a run, and 'scree %s' takes a scene; to resume the run: scree run "
                  "SCENE.yaml -o %s "
                  "--restart",
                  path, command, path);
    }
    return is_run ? CLI_BAD_INPUT : CLI_DONE;
}

/* The library counts walls; the scene has names for them. */
static void tell_refusal(const char *path, const Scene *scene, const char *message) {
    int wall = -1, length = 0;
    const bool of_wall = sscanf(message, "wall %d:%n", &wall, &length) == 1 && length > 0;
    const char *name = of_wall ? scene_wall_name(scene, wall) : NULL;
    if (name != NULL) {
        cli_error("%s: wall '%s':%s", path, name, message + length);
    } else {
        cli_error("%s: %s", path, message);
    }
}

int cli_judge_device(const char *path, ScreeDeviceChoice choice, ScreeWorld *world) {
    if (choice == SCREE_DEVICE_CPU || choice == SCREE_DEVICE_AUTO ||
        scree_world_check_device(world) == SCREE_OK) {
        return CLI_DONE;
    }
    cli_error("%s: device: %s (--device cpu, or auto)", path, scree_world_get_message(world));
    return CLI_BAD_INPUT;
}

int cli_judge_world(const char *path, const Scene *scene, ScreeWorld *world, bool tell) {
    ScreeStatus status = scree_world_check(world);
    if (status != SCREE_OK) {
        tell_refusal(path, scene, scree_world_get_message(world));
        return status == SCREE_NO_MEMORY ? CLI_FAILED : CLI_BAD_INPUT;
    }
    judge_step(scene, world, tell);
    judge_bridges(scene, world);
    scene_tell_doubts(scene, world, warn, NULL);
    return CLI_DONE;
}
