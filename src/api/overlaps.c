/* Which bodies overlap as they stand: a public function. */
#include "api/world.h"

#include <string.h>

/* Counting stops here. */
enum { MOST_OVERLAPS = 1000000 };

/* Overlaps of the size of rounding are ignored. */
static void note_overlap(ScreeOverlap *found, double gap, double radius, int32_t a, int32_t b) {
    if (gap < -1e-9 * radius) {
        found->count++;
        if (-gap > found->depth) {
            found->depth = -gap;
            found->a.index = a;
            found->b.code = b;
        }
    }
}

/* Outlines of shapes, and room for the contact points of a pair. */
typedef struct Overlapping {
    Placed placed;
    PairWork pair;
} Overlapping;

/* Shapes can overlap only where the circles around them do. */
static ScreeStatus note_pair(const State *s, Overlapping *work, int32_t a, int32_t b,
                             ScreeOverlap *found) {
    double gap = scr_touch_round(s, a, b).gap, depth = 0;
    if (gap < 0 && scr_is_shaped(s, a, b)) {
        double immersed;
        SCR_TRY(scr_pair_overlap(s, &work->placed, a, b, &work->pair, &depth));
        SCR_TRY(scr_pair_immersion(s, &work->placed, a, b, &work->pair, &immersed));
        gap = -scr_max(depth, immersed);
    }
    note_overlap(found, gap, scr_least_radius(s, a, b), a, b);
    return SCREE_OK;
}

static ScreeStatus wall_overlaps(const State *s, Overlapping *work, ScreeOverlap *found) {
    for (size_t w = 0; w < s->walls.count; w++) {
        for (size_t i = 0; i < s->bodies.count && s->walls.item[w].present; i++) {
            if (scr_never_meet(s, (int32_t)i, scr_wall_code(w))) {
                continue;
            }
            SCR_TRY(note_pair(s, work, (int32_t)i, scr_wall_code(w), found));
        }
    }
    return SCREE_OK;
}

static ScreeStatus body_overlaps(const State *s, Overlapping *work, ScreeOverlap *found) {
    Neighbours pairs = {0};
    Block zero = {0};
    if (!scr_block_reserve_exact(&zero, s->bodies.count + 1, sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    memset(zero.data, 0, zero.bytes);
    BroadInput input = {
        .def = &s->def,
        .count = s->bodies.count,
        .position = s->bodies.position,
        .radius = s->bodies.radius,
        .margin = zero.data,
        .pair_limit = MOST_OVERLAPS,
    };
    FlatSpace flat = {0};
    ScreeStatus status = scr_flatten(&flat, &input, s->def.deform.vector)
                             ? scr_find_neighbours(&input, &pairs)
                             : SCREE_NO_MEMORY;
    status = status == SCREE_TOO_CROWDED ? SCREE_OK : status; /* enough of them have been found */
    for (size_t i = 0; i < pairs.count && status == SCREE_OK; i++) {
        const int32_t a = pairs.order[pairs.pair[i].a], b = pairs.order[pairs.pair[i].b];
        if (!scr_never_meet(s, a, b)) {
            status = note_pair(s, work, a < b ? a : b, a < b ? b : a, found);
        }
    }
    scr_neighbours_free(&pairs);
    scr_block_free(&zero);
    scr_block_free(&flat.position_block);
    return status;
}

ScreeStatus scree_world_find_overlaps(ScreeWorld *world, ScreeOverlap *overlap) {
    const State *s = &world->state;
    SCR_TRY(scr_world_whole(world));
    Overlapping work = {0};
    *overlap = (ScreeOverlap){.a = SCREE_NO_BODY, .b = {-1}};
    ScreeStatus status =
        scr_place_outlines(s, &work.placed) ? body_overlaps(s, &work, overlap) : SCREE_NO_MEMORY;
    if (status == SCREE_OK) {
        status = wall_overlaps(s, &work, overlap);
    }
    scr_placed_free(&work.placed);
    scr_pair_work_free(&work.pair);
    overlap->count = overlap->count < MOST_OVERLAPS ? overlap->count : MOST_OVERLAPS;
    return status == SCREE_OK ? SCREE_OK : scr_no_memory(world->message);
}
