#include "dynamics/near_list.h"

#include "base/status.h"
#include "broad/margins.h"
#include "broad/pair_pieces.h"
#include "state/images.h"

#include <string.h>

/* More pairs than this mean that grains lie inside each other, or that the time step carries them
 * past many others. */
static size_t pair_limit(size_t bodies) {
    return 40 * bodies + 100000;
}

/* The largest rate of the cell at the start and in free motion. */
static double cell_speed(const StepParams *with, const Prediction *free) {
    return scr_max(mat3_size(&with->rate), mat3_size(&free->rate));
}

/* What a body may do before the next list, from the largest of its speeds now, in free motion, and in
 * the first solution if there is one. */
typedef struct Anchoring {
    const StepParams *with;
    State *state;
    const Prediction *free;
    const SolvedWays *solved;
    const int32_t *rank;
    double strain;
} Anchoring;

static void anchor_piece(void *context, size_t piece) {
    const Anchoring *k = context;
    Bodies *b = &k->state->bodies;
    const double dt = k->with->time_step;
    for (size_t i = scr_piece_begin(b->count, piece); i < scr_piece_end(b->count, piece); i++) {
        double speed = scr_max(length(k->free->motion[i]), length(b->velocity[i]));
        const double more = 1.5 * k->strain * b->radius[i] + scr_growth_way(k->with, k->state, i);
        b->margin[i] = speed * dt + more;
        if (k->solved != NULL) {
            b->margin[i] =
                scr_max(b->margin[i], length(scr_solved_way(k->solved, k->rank[i], dt)) + more);
        }
        b->anchor[i] = b->position[i];
    }
}

/* Chooses new margins, and sets the anchors to where the bodies are. */
static void choose_margins(const StepParams *with, State *s, const Prediction *free,
                           const SolvedWays *solved, const int32_t *rank, bool outrun) {
    const double strain = with->deforms ? with->time_step * cell_speed(with, free) : 0;
    Anchoring anchoring = {with, s, free, solved, rank, strain};
    for (int k = 0; k < 3; k++) {
        s->cell.built[k] = s->def.deform.vector[k];
    }
    scr_threads_loop(with->threads, scr_pieces(s->bodies.count), anchor_piece, &anchoring);
    const MarginRules rules = {
        .aim = 8,
        .cost = 40,
        /* bonds are kept while they are open */
        .least = scr_max(s->materials.longest_range, s->bonds.count > 0 ? s->bonds.reach : 0),
        .coming = 1.3,
        .outrun = outrun,
        .threads = with->threads,
    };
    scr_choose_margins(s, &rules);
    const double most = scr_image_reach(s);
    for (size_t i = 0; i < s->bodies.count && s->images > 0; i++) {
        s->bodies.margin[i] = scr_min(s->bodies.margin[i], most);
    }
}

/* The bodies near one fixed wall. */
typedef struct WallSearch {
    const State *state;
    size_t wall;
    PairPiece *piece; /* the neighbour search has left them */
} WallSearch;

static void search_wall(void *context, size_t piece) {
    const WallSearch *k = context;
    const Bodies *b = &k->state->bodies;
    const ScreeWallState *wall = &k->state->walls.item[k->wall];
    PairPiece *found = &k->piece[piece];
    found->count = 0;
    found->failed = false;
    const size_t count = scr_originals(k->state), end = scr_piece_end(count, piece);
    for (size_t i = scr_piece_begin(count, piece); i < end && !found->failed; i++) {
        Touch touch = scr_touch_wall(&k->state->def, &wall->now, b->anchor[i], b->radius[i]);
        if (touch.gap > b->margin[i] ||
            scr_never_meet(k->state, (int32_t)i, scr_wall_code(k->wall))) {
            continue;
        }
        found->failed = !scr_piece_reserve(found, 1);
        if (!found->failed) {
            found->pair[found->count++] = (Pair){(int32_t)i, (int32_t)k->wall};
        }
    }
}

static ScreeStatus find_wall_pairs(const State *s, NearList *list, Threads *threads) {
    _Static_assert((int)PAIR_PIECES >= (int)SCR_MOST_PIECES,
                   "a piece of the search for each of the bodies");
    const size_t pieces = scr_pieces(scr_originals(s));
    PairList pairs = {list->wall_pair, 0, &list->wall_pair_block};
    WallSearch search = {.state = s, .piece = list->neighbours.piece};
    list->wall_pairs = 0;
    for (; search.wall < s->walls.count; search.wall++) {
        const ScreeWallState *wall = &s->walls.item[search.wall];
        bool good = true;
        if (!wall->present || wall->now.motion != SCREE_WALL_FIXED) {
            continue;
        }
        scr_threads_loop(threads, pieces, search_wall, &search);
        for (size_t k = 0; k < pieces; k++) {
            good = good && !search.piece[k].failed;
        }
        if (!good || !scr_append_pieces(&pairs, search.piece, pieces, 1, threads)) {
            return SCREE_NO_MEMORY;
        }
    }
    list->wall_pair = pairs.pair;
    list->wall_pairs = pairs.count;
    return SCREE_OK;
}

/* Of a pair of bodies and its images one has the first body itself: of a body and one of its own images,
 * that with the image ahead. */
static bool is_double(const State *s, int32_t i, int32_t j) {
    const int32_t a = i < j ? i : j, b = i < j ? j : i, of = scr_origin(s, b);
    if (s->images == 0 || (size_t)b < scr_originals(s)) {
        return false;
    }
    return (size_t)a >= scr_originals(s) || of < a || (of == a && !scr_is_ahead(s->turns[b]));
}

/* Leaves out the pairs of bodies that walls hold, and doubles. */
static void drop_pairs(const State *s, Neighbours *nb) {
    size_t kept = 0;
    for (size_t i = 0; i < nb->count; i++) {
        const Pair p = nb->pair[i];
        const int32_t a = nb->order[p.a], b = nb->order[p.b];
        if (!scr_never_meet(s, a, b) && !is_double(s, a, b)) {
            nb->pair[kept++] = p;
        }
    }
    nb->count = kept;
}

static ScreeStatus build_list(const State *s, NearList *list, Threads *threads, char *message) {
    BroadInput input = {
        .def = &s->def,
        .search = s->def.search,
        .count = s->bodies.count,
        .position = s->bodies.anchor,
        .radius = s->bodies.radius,
        .margin = s->bodies.margin,
        .pair_limit = pair_limit(s->bodies.count),
        .threads = threads,
    };
    if (s->images > 0) { /* as in a world that is not periodic */
        list->flat.def = s->def;
        list->flat.def.deform.tilted = false;
        memset(list->flat.def.periodic, 0, sizeof list->flat.def.periodic);
        input.def = &list->flat.def;
    }
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
    if (s->holder != NULL || s->images > 0) {
        drop_pairs(s, &list->neighbours);
    }
    SCR_TRY(find_wall_pairs(s, list, threads));
    list->built = true;
    return SCREE_OK;
}

/* Pairs, those of all processes. */
static size_t count_pairs(const State *s, const NearList *list) {
    int64_t count = (int64_t)list->neighbours.count;
    if (s->spread != NULL) {
        count = 0;
        for (size_t i = 0; i < list->neighbours.count; i++) {
            Pair p = scr_bodies_of(s, list, list->neighbours.pair[i]);
            count += scr_counts_pair(s, p.a, p.b);
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

ScreeStatus scr_build_list(const StepParams *with, State *s, NearList *list, char *message) {
    if (!s->list_stale && list->built) {
        return SCREE_OK;
    }
    SCR_TRY(build_list(s, list, with->threads, message));
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
