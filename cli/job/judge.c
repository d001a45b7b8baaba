#include "cli/job/judge.h"
#include "cli/message.h"

#include <stdio.h>

/* The advised step is a twentieth of the shortest collision; a tenth is still acceptable. */
static const double too_long = 2;

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

int cli_scene_error(const SceneError *error) {
    fputs(error->text, stderr);
    return error->no_memory ? CLI_FAILED : CLI_BAD_INPUT;
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
    return CLI_DONE;
}
