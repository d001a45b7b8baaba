#include "cli/job/time_step.h"
#include "cli/message.h"

/* The advised step is a twentieth of the shortest collision; a tenth is still acceptable. */
static const double too_long = 2;

void cli_judge_step(const Scene *scene, const ScreeWorld *world, bool tell) {
    double step = scree_world_get_def(world).time_step,
           advised = scree_world_advise_time_step(world);
    if (!(advised > 0)) {
        return;
    }
    if (scene_settings(scene)->automatic_step && tell) {
        cli_note("time step %.3g, chosen for the stiffest pair of grains", step);
    } else if (step > too_long * advised) {
        cli_warning("time step %.3g is %.2g times the advised %.3g: the springs will not be "
                    "resolved; omit time.step to have it chosen automatically",
                    step, step / advised, advised);
    }
}
