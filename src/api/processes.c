/* A world that several processes share: who has what of it, and how it is brought together. */
#include "api/world.h"

#include "base/status.h"
#include "dynamics/shared_step.h"

ScreeStatus scree_world_set_processes(ScreeWorld *world, const ScreeProcesses *processes) {
    const ScreeProcesses *p = processes;
    if (p != NULL &&
        (p->count < 1 || p->count > SCREE_MOST_PROCESSES || p->rank < 0 || p->rank >= p->count ||
         p->add == NULL || p->most == NULL || p->exchange == NULL || p->gather == NULL)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "processes: from 1 to %d, each with a rank below that and all functions",
                        (int)SCREE_MOST_PROCESSES);
    }
    SCR_TRY(scr_world_whole(world));
    scr_share_free(&world->engine.share);
    world->engine.processes = p;
    return SCREE_OK;
}

ScreeSharing scree_world_get_sharing(const ScreeWorld *world, int32_t processes) {
    const char *why = scr_why_whole(&world->state, processes);
    if (why == NULL && !world->engine.share.made && scr_has_many_large(&world->state)) {
        why = "more than 64 grains are much larger than the others";
    }
    return (ScreeSharing){.why_not = why,
                          .parts = world->engine.parts,
                          .wholes = world->engine.wholes,
                          .cuts = world->engine.share.cuts};
}

/* Worlds are always allocated, so that none is const itself. */
ScreeStatus scr_world_whole(const ScreeWorld *world) {
    ScreeWorld *w = (ScreeWorld *)(uintptr_t)world;
    Share *share = &w->engine.share;
    SCR_TRY(scr_fetch_there(&w->engine.there, &w->state));
    return scr_share_is_ahead(share) ? scr_share_collect(share, &w->state) : SCREE_OK;
}

/* The share is made anew from the whole state before the next step. */
ScreeStatus scree_world_gather(ScreeWorld *world) {
    return scr_world_whole(world) == SCREE_OK ? SCREE_OK : scr_no_memory(world->message);
}

ScreeStatus scree_world_gather_to_first(ScreeWorld *world) {
    return scr_share_show(&world->engine.share, &world->state) == SCREE_OK
               ? SCREE_OK
               : scr_no_memory(world->message);
}

void scree_world_let_go(ScreeWorld *world) {
    Share *share = &world->engine.share;
    if (share->shown) {
        scr_share_put_away(&world->state);
        share->shown = false;
    }
}
