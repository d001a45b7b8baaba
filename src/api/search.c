/* What the search for neighbours has chosen and done. */
#include "api/world.h"

const char *scree_search_get_name(int32_t method) {
    static const char *const names[SCREE_SEARCH_COUNT] = {
        [SCREE_SEARCH_HIERARCHICAL_GRID] = "hierarchical_grid",
        [SCREE_SEARCH_LINKED_CELL] = "linked_cell",
        [SCREE_SEARCH_VERLET_LIST] = "verlet_list",
        [SCREE_SEARCH_LINKED_LINEAR_LIST] = "linked_linear_list",
    };
    return method >= 0 && method < SCREE_SEARCH_COUNT ? names[method] : NULL;
}

ScreeSearchReport scree_world_get_search(const ScreeWorld *world) {
    const State *s = &world->state;
    const Neighbours *nb =
        world->soft != NULL ? &world->soft->neighbours : &world->engine.list.neighbours;
    const Share *share = &world->engine.share;
    (void)scr_world_whole(world);
    double margin = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        margin += s->bodies.margin[i] / (double)s->bodies.count;
    }
    return (ScreeSearchReport){
        .method = (int32_t)s->def.search,
        .levels = share->listed ? share->levels : nb->levels,
        .cell = share->listed ? share->cell : nb->cell,
        .cell_most = share->listed ? share->cell_most : nb->cell_most,
        .skin = 2 * margin,
        .aim = s->list.aim,
        .pairs = (int64_t)s->list.pairs,
        .updates = (int64_t)nb->counts.updates,
        .renewals = (int64_t)nb->counts.renewals,
        .tested = (int64_t)nb->counts.tested,
        .exchanged = (int64_t)nb->counts.exchanged,
        .kept = (int64_t)nb->counts.listed,
        .seconds = nb->seconds,
    };
}
