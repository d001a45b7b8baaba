#include "dynamics/near_list.h"

#include "base/status.h"
#include "broad/margins.h"

/* More pairs than this mean that grains lie inside each other, or that the time step carries them
 * past many others. */
static size_t pair_limit(size_t bodies) {
    return 40 * bodies + 100000;
}

/* The largest rate of the cell at the start and in free motion. */
static double cell_speed(const StepParams *with, const Prediction *free) {
    return scr_max(mat3_size(&with->rate), mat3_size(&free->rate));
}

/* Chooses new margins, from the largest of a body's speeds now, in free motion, and in the first
 * solution if there is one, and sets the anchors to where the bodies are. */
static void choose_margins(const StepParams *with, State *s, const Prediction *free,
                           const SolvedWays *solved, const int32_t *rank, bool outrun) {
    Bodies *b = &s->bodies;
    const double strain = with->deforms ? with->time_step * cell_speed(with, free) : 0;
    for (int k = 0; k < 3; k++) {
        s->cell.built[k] = s->def.deform.vector[k];
    }
    for (size_t i = 0; i < b->count; i++) {
        double speed = scr_max(length(free->motion[i]), length(b->velocity[i]));
        b->margin[i] = speed * with->time_step + 1.5 * strain * b->radius[i];
        if (solved != NULL) {
            b->margin[i] =
                scr_max(b->margin[i], length(scr_solved_way(solved, rank[i], with->time_step)) +
                                          1.5 * strain * b->radius[i]);
        }
        b->anchor[i] = b->position[i];
    }
    const MarginRules rules = {
        .aim = 8,
        .cost = 40,
        .least = s->materials.longest_range, /* bonds are kept while they are open */
        .coming = 1.3,
        .outrun = outrun,
    };
    scr_choose_margins(s, &rules);
}

static ScreeStatus find_wall_pairs(const State *s, NearList *list) {
    list->wall_pairs = 0;
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallState *wall = &s->walls.item[w];
        if (!wall->present || wall->now.motion != SCREE_WALL_FIXED) {
            continue;
        }
        for (size_t i = 0; i < s->bodies.count; i++) {
            Touch touch =
                scr_touch_wall(&s->def, &wall->now, s->bodies.anchor[i], s->bodies.radius[i]);
            if (touch.gap > s->bodies.margin[i]) {
                continue;
            }
            if (!scr_block_reserve(&list->wall_pair_block, list->wall_pairs + 1, sizeof(Pair),
                                   list->wall_pairs * sizeof(Pair))) {
                return SCREE_NO_MEMORY;
            }
            list->wall_pair = list->wall_pair_block.data;
            list->wall_pair[list->wall_pairs++] = (Pair){(int32_t)i, (int32_t)w};
        }
    }
    return SCREE_OK;
}

static ScreeStatus build_list(const State *s, NearList *list, char *message) {
    BroadInput input = {
        .def = &s->def,
        .search = s->def.search,
        .count = s->bodies.count,
        .position = s->bodies.anchor,
        .radius = s->bodies.radius,
        .margin = s->bodies.margin,
        .pair_limit = pair_limit(s->bodies.count),
    };
    if (!scr_flatten(&list->flat, &input,
                     s->def.deform.deforms ? s->cell.built : s->def.deform.vector)) {
        return SCREE_NO_MEMORY;
    }
    list->built = false;
    ScreeStatus status = scr_find_neighbours(&input, &list->neighbours);
    if (status == SCREE_TOO_CROWDED) {
        Pair p = scr_bodies_of(s, list, list->neighbours.pair[list->neighbours.count - 1]);
        return scr_fail(
            message, status,
            "more than %zu pairs of %zu grains are close to each other (for instance %d and %d): "
            "grains stand in one place, or move past many others in one step",
            pair_limit(s->bodies.count), s->bodies.count, p.a, p.b);
    }
    SCR_TRY(status);
    SCR_TRY(find_wall_pairs(s, list));
    list->built = true;
    return SCREE_OK;
}

/* Pairs that this process counts: those whose first body it counts. */
static size_t count_pairs(const State *s, const NearList *list) {
    int64_t count = (int64_t)list->neighbours.count;
    if (s->spread != NULL) {
        count = 0;
        for (size_t i = 0; i < list->neighbours.count; i++) {
            Pair p = scr_bodies_of(s, list, list->neighbours.pair[i]);
            count += (size_t)p.a < scr_counted(s);
        }
    }
    scr_count_over_processes(s->spread, &count, 1);
    return (size_t)count;
}

bool scr_renew_margins(const StepParams *with, State *s, const Prediction *free,
                       const SolvedWays *solved, const NearList *list) {
    /* in a second attempt nothing has moved, and new margins suffice for free motion */
    bool outrun = free->outrun && solved == NULL && !s->list_stale;
    s->list_stale = s->list_stale || outrun;
    if (s->list_stale) {
        choose_margins(with, s, free, solved, list->neighbours.rank, outrun);
    }
    return s->list_stale;
}

ScreeStatus scr_build_list(State *s, NearList *list, char *message) {
    if (!s->list_stale && list->built) {
        return SCREE_OK;
    }
    SCR_TRY(build_list(s, list, message));
    if (s->list_stale) {
        scr_note_list(s, count_pairs(s, list));
    }
    s->list_stale = false;
    return SCREE_OK;
}

void scr_near_list_free(NearList *list) {
    scr_neighbours_free(&list->neighbours);
    scr_block_free(&list->wall_pair_block);
    scr_block_free(&list->flat.position_block);
    *list = (NearList){0};
}
