/* From the scene to the control of a periodic cell. */
#include "scene/make/cell.h"

#include "scene/read/drive.h"

/* Frees what a pressure or stress has held: its rate is zero from now on. */
static void let_go(ScreeCellDef *c) {
    for (int k = 0; k < 9; k++) {
        const int turned = 3 * (k % 3) + k / 3;
        const bool held = c->control[k] == SCREE_CELL_STRESS ||
                          (c->symmetric && c->control[turned] == SCREE_CELL_STRESS) ||
                          (c->isotropic && k % 4 == 0);
        c->rate[k] = held ? 0 : c->rate[k];
    }
    for (int k = 0; k < 9; k++) {
        c->control[k] = SCREE_CELL_RATE;
    }
    c->isotropic = false;
}

static bool names_any(const Scene *scene, const SceneHead *head, bool diagonal) {
    bool any = false;
    for (int k = 0; k < 9; k++) {
        any = any ||
              ((!diagonal || k % 4 == 0) && scene_has(scene, head, scree_cell_get_component(k)));
    }
    return any;
}

void scene_cell_control(const Scene *scene, const SceneCellSpec *spec, double time, double step,
                        ScreeCellDef *c) {
    const bool stress = spec->stress.head.node != 0, rate = spec->rate.head.node != 0;
    c->deforms = true;
    if (scene_has(scene, &spec->head, "pressure")) {
        let_go(c);
        c->isotropic = true;
        c->pressure = scene_drive_mean(&spec->pressure, time, step).x;
    } else if (c->isotropic && ((stress && names_any(scene, &spec->stress.head, false)) ||
                                (rate && names_any(scene, &spec->rate.head, true)))) {
        let_go(c);
    }
    for (int k = 0; k < 9; k++) {
        const char *name = scree_cell_get_component(k);
        if (rate && scene_has(scene, &spec->rate.head, name)) {
            c->control[k] = SCREE_CELL_RATE;
            c->rate[k] = scene_drive_mean(&spec->rate.of[k], time, step).x;
        }
        if (stress && scene_has(scene, &spec->stress.head, name)) {
            c->control[k] = SCREE_CELL_STRESS;
            c->stress[k] = scene_drive_mean(&spec->stress.of[k], time, step).x;
        }
    }
    c->symmetric = scene_has(scene, &spec->head, "symmetric") ? spec->symmetric : c->symmetric;
    c->mass = scene_has(scene, &spec->head, "mass") ? spec->mass : c->mass;
    c->viscosity = scene_has(scene, &spec->head, "viscosity") ? spec->viscosity : c->viscosity;
}
