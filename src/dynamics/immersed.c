#include "dynamics/immersed.h"

#include "base/threads.h"
#include "math/reduce.h"
#include "narrow/narrow.h"
#include "narrow/pair_table.h"

typedef struct Immersed {
    const StepTask *task;
    Outlines *outlines;
    double depth[SCR_MOST_PIECES];
} Immersed;

/* Of a pair that there is no memory to look at, nothing is told. */
static double depth_of(const Immersed *k, int32_t a, int32_t b, size_t piece) {
    const State *s = k->task->state;
    double depth = 0;
    if (scr_never_meet(s, a, b) || !scr_is_shaped(s, a, b) || scr_touch_round(s, a, b).gap >= 0 ||
        scr_pair_immersion(s, &k->outlines->placed, a, b, &k->outlines->piece[piece].work,
                           &depth) != SCREE_OK) {
        return 0;
    }
    return depth;
}

static void look_at_pairs(void *context, size_t piece) {
    Immersed *k = context;
    const Neighbours *nb = &k->task->list->neighbours;
    size_t end = scr_piece_end(nb->count, piece);
    double deepest = 0;
    for (size_t i = scr_piece_begin(nb->count, piece); i < end; i++) {
        const Pair p = scr_bodies_of(k->task->state, k->task->list, nb->pair[i]);
        deepest = scr_max(deepest, depth_of(k, p.a, p.b, piece));
    }
    k->depth[piece] = deepest;
}

static void look_at_walls(void *context, size_t piece) {
    Immersed *k = context;
    const State *s = k->task->state;
    size_t end = scr_piece_end(scr_originals(s), piece);
    double deepest = 0;
    for (size_t i = scr_piece_begin(scr_originals(s), piece); i < end; i++) {
        for (size_t w = 0; w < s->walls.count; w++) {
            deepest = s->walls.item[w].present
                          ? scr_max(deepest, depth_of(k, (int32_t)i, scr_wall_code(w), piece))
                          : deepest;
        }
    }
    k->depth[piece] = deepest;
}

static double deepest_of(Immersed *k, size_t count, void (*look)(void *context, size_t piece)) {
    size_t pieces = scr_pieces(count);
    double deepest = 0;
    scr_threads_loop(k->task->with->threads, pieces, look, k);
    for (size_t i = 0; i < pieces; i++) {
        deepest = scr_max(deepest, k->depth[i]);
    }
    return deepest;
}

double scr_deepest_immersion(const StepTask *t, Outlines *outlines) {
    const State *s = t->state;
    if (!scr_any_shaped(s) || s->def.dimension == 2) {
        return 0;
    }
    Immersed k = {.task = t, .outlines = outlines};
    double deepest = scr_max(deepest_of(&k, t->list->neighbours.count, look_at_pairs),
                             deepest_of(&k, scr_originals(s), look_at_walls));
    scr_most_over_processes(s->spread, &deepest, 1);
    return deepest;
}
