/* Lending a device to a world, and what it cannot sweep. */
#include "api/world.h"

#include "base/status.h"

ScreeStatus scree_world_set_device(ScreeWorld *world, const ScreeDevice *device) {
    const ScreeDevice *d = device;
    if (d != NULL &&
        (d->reserve == NULL || d->put_bodies == NULL || d->put_rows == NULL || d->begin == NULL ||
         d->sweep == NULL || d->judge == NULL || d->lift == NULL || d->keep == NULL ||
         d->recall == NULL || d->get_bodies == NULL || d->get_impulses == NULL || d->name == NULL ||
         d->fault == NULL || d->close == NULL)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "a device needs all functions");
    }
    SCR_TRY(scr_world_whole(world));
    world->engine.device = d;
    return SCREE_OK;
}

static const char *reason_of_solver(const ScreeWorldDef *def) {
    const ScreeSolverDef *s = &def->solver;
    return def->engine != SCREE_ENGINE_CONTACT_DYNAMICS ? "engines other than contact_dynamics"
           : s->method != SCREE_METHOD_AUTO && s->method != SCREE_METHOD_GAUSS_SEIDEL &&
                   s->method != SCREE_METHOD_ACCELERATED
               ? "solver.method newton and interior_point"
           : s->order != SCREE_ORDER_BOXED ? "orders other than boxed"
           : s->criterion == SCREE_CRITERION_LOCAL || s->criterion == SCREE_CRITERION_GLOBAL
               ? "the criteria local and global"
           : def->deform.deforms ? "cells that deform"
                                 : NULL;
}

static const char *reason_of_bodies(const State *s) {
    const char *reason = s->shapes.count > 0 ? "bodies with shapes" : NULL;
    for (size_t i = 0; i < s->bodies.count && reason == NULL; i++) {
        reason = s->bodies.frozen[i] != 0 && s->bodies.frozen[i] != SCREE_FREEZE_ALL
                     ? "bodies that are frozen along some axes"
                     : NULL;
    }
    for (size_t i = 0; i < s->walls.count && reason == NULL; i++) {
        const ScreeWallState *wall = &s->walls.item[i];
        reason = wall->present && wall->now.motion == SCREE_WALL_PISTON ? "pistons" : NULL;
    }
    return reason;
}

ScreeStatus scree_world_check_device(ScreeWorld *world) {
    const State *s = &world->state;
    SCR_TRY(scr_world_whole(world));
    const char *reason = reason_of_solver(&s->def);
    reason = reason == NULL ? reason_of_bodies(s) : reason;
    if (reason != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "a GPU cannot sweep %s yet: let the processor do it", reason);
    }
    return SCREE_OK;
}
