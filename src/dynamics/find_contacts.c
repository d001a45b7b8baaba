#include "dynamics/find_contacts.h"

#include "dynamics/plain_contacts.h"

#include "base/status.h"

/* ---------------------------------------------------------------- candidates
 *
 * They come in this order: pairs of the list, bodies near fixed walls, and all bodies with each of
 * the other walls. Contacts keep the order. A first pass over the pieces decides which candidates
 * are taken up; that tells where the contacts of each piece begin, and a second pass makes them. */

typedef struct Search {
    StepTask *task;
    State *state;
    Outlines *outlines;
    OldContacts old;
    size_t candidates;
    uint32_t *taken; /* [candidates] those taken up; each piece writes from its first one on */
    int32_t *moving; /* walls that are not fixed */
    size_t bodies;
    bool periodic;
    double farther; /* 1, or more where a cell deforms: it brings bodies together, too */
    size_t count[SCR_MOST_PIECES]; /* taken up by a piece */
    size_t first[SCR_MOST_PIECES]; /* contact of a piece */
    ContactExtent extent[SCR_MOST_PIECES];
} Search;

/* A candidate: two bodies, or b is the code of a wall. */
static Pair candidate(const Search *f, size_t i) {
    const NearList *list = f->task->list;
    if (i < list->neighbours.count) {
        return scr_bodies_of(f->state, list, list->neighbours.pair[i]);
    }
    i -= list->neighbours.count;
    if (i < list->wall_pairs) {
        return (Pair){list->wall_pair[i].a, scr_wall_code((size_t)list->wall_pair[i].b)};
    }
    i -= list->wall_pairs;
    return (Pair){(int32_t)(i % f->bodies), scr_wall_code((size_t)f->moving[i / f->bodies])};
}

static bool takes_wall(const Search *f, Pair p) {
    const State *s = f->state;
    const Bodies *k = &s->bodies;
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(p.b)].now;
    Touch touch = scr_touch_wall(&s->def, w, k->position[p.a], k->radius[p.a]);
    Vec3 seen = scr_seen_by_wall(&s->def, w, k->position[p.a]);
    return scr_takes_wall(f->task, w, (size_t)p.a, seen, touch);
}

/* Pairs of round bodies. */
static size_t take_pairs(const Search *f, size_t begin, size_t end, uint32_t *taken) {
    const Pair *pair = f->task->list->neighbours.pair;
    const PairSearch search = scr_pair_search(f->task, f->farther, f->periodic);
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const bool take = scr_takes_pair(&search, pair[i]);
        taken[count] = (uint32_t)i;
        count += take;
    }
    return count;
}

/* The same for any candidates, where a bond is always taken up. */
static size_t take_any(const Search *f, size_t begin, size_t end, uint32_t *taken) {
    const bool bonds = f->old.extra != NULL && begin < end;
    const Bonds *glue = &f->state->bonds;
    Pair p = bonds ? candidate(f, begin) : (Pair){0, 0};
    OldCursor cursor = bonds ? scr_old_cursor(&f->old, p.a, p.b) : (OldCursor){&f->old, 0};
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        p = candidate(f, i);
        bool take = bonds && scr_was_bonded(&f->old, scr_find_old(&cursor, p.a, p.b));
        take = take || scr_find_bond(glue, p.a, p.b) != NULL;
        if (p.b < 0 && scr_never_meet(f->state, p.a, p.b)) {
            take = false;
        } else if (!take && p.b < 0) {
            take = takes_wall(f, p);
        } else if (!take) {
            uint32_t one;
            take = take_pairs(f, i, i + 1, &one) > 0;
        }
        taken[count] = (uint32_t)i;
        count += take;
    }
    return count;
}

static void take_piece(void *context, size_t piece) {
    Search *f = context;
    size_t begin = scr_piece_begin(f->candidates, piece), end = scr_piece_end(f->candidates, piece);
    const bool plain = f->old.extra == NULL && f->state->bonds.count == 0;
    size_t pairs = plain ? f->task->list->neighbours.count : 0;
    size_t middle = begin > pairs ? begin : end < pairs ? end : pairs;
    uint32_t *taken = f->taken + begin;
    size_t count = take_pairs(f, begin, middle, taken);
    f->count[piece] = count + take_any(f, middle, end, taken + count);
}

/* ---------------------------------------------------------------- contacts */

static inline ContactExtent join(ContactExtent x, ContactExtent y) {
    return (ContactExtent){.gap = scr_max(x.gap, y.gap),
                           .low = vec3(scr_min(x.low.x, y.low.x), scr_min(x.low.y, y.low.y),
                                       scr_min(x.low.z, y.low.z)),
                           .high = vec3(scr_max(x.high.x, y.high.x), scr_max(x.high.y, y.high.y),
                                        scr_max(x.high.z, y.high.z))};
}

static inline void widen(ContactExtent *x, Vec3 p, double gap) {
    *x = join(*x, (ContactExtent){.gap = gap, .low = p, .high = p});
}

static const ContactExtent nothing = {.low = {INFINITY, INFINITY, INFINITY},
                                      .high = {-INFINITY, -INFINITY, -INFINITY}};

/* A candidate with its gap and normal. */
typedef struct Meeting {
    Pair pair;
    Touch touch;
} Meeting;

static inline void meet(const Search *f, size_t i, Meeting *m, ContactExtent *x) {
    const Neighbours *nb = &f->task->list->neighbours;
    if (i >= nb->count) {
        const State *s = f->state;
        m->pair = candidate(f, i);
        Vec3 at = s->bodies.position[m->pair.a];
        m->touch = scr_touch_wall(&s->def, &s->walls.item[scr_wall_of(m->pair.b)].now, at,
                                  s->bodies.radius[m->pair.a]);
        widen(x, at, m->touch.gap);
        return;
    }
    Vec3 first;
    const PairSearch search = scr_pair_search(f->task, f->farther, f->periodic);
    m->touch = scr_meet_pair(&search, nb->pair[i], &m->pair, &first);
    widen(x, first, m->touch.gap);
}

/* Works one candidate ahead, so that its square root and division are under way while the one
 * before is being written. */
static void contacts_of_piece(void *context, size_t piece) {
    Search *f = context;
    const uint32_t *taken = f->taken + scr_piece_begin(f->candidates, piece);
    size_t count = f->count[piece];
    ContactExtent x = nothing;
    if (count > 0) {
        Meeting ahead;
        meet(f, taken[0], &ahead, &x);
        OldCursor cursor = scr_old_cursor(&f->old, ahead.pair.a, ahead.pair.b);
        for (size_t k = 0; k < count; k++) {
            const Meeting m = ahead;
            if (k + 1 < count) {
                meet(f, taken[k + 1], &ahead, &x);
            }
            const Contact *before = scr_find_old(&cursor, m.pair.a, m.pair.b);
            scr_carry_contact(f->task->with, f->state, f->first[piece] + k, m.pair, &m.touch,
                              &f->old, before);
        }
    }
    f->extent[piece] = x;
}

/* ---------------------------------------------------------------- shapes
 *
 * A pair may have several contact points. Each piece of the candidates notes what it finds; then it
 * is known how many there are, and the contacts are made. */

/* A pair of round bodies among others. */
static ScreeStatus try_round(const Search *f, size_t i, OldCursor *cursor, ShapedPiece *piece) {
    uint32_t one;
    ContactExtent unused = nothing;
    Meeting m;
    if (take_any(f, i, i + 1, &one) == 0) {
        return SCREE_OK;
    }
    meet(f, i, &m, &unused);
    return scr_note_found(piece, m.pair, m.touch, scr_find_old(cursor, m.pair.a, m.pair.b));
}

static void search_piece(void *context, size_t piece) {
    Search *f = context;
    ShapedPiece *found = &f->outlines->piece[piece];
    size_t begin = scr_piece_begin(f->candidates, piece), end = scr_piece_end(f->candidates, piece);
    found->count = 0;
    found->status = SCREE_OK;
    if (begin == end) {
        return;
    }
    Pair p = candidate(f, begin);
    OldCursor cursor = scr_old_cursor(&f->old, p.a, p.b);
    for (size_t i = begin; i < end && found->status == SCREE_OK; i++) {
        p = candidate(f, i);
        if (p.b < 0 && scr_never_meet(f->state, p.a, p.b)) {
            continue;
        }
        found->work.solids.kept = scr_kept_of(&f->outlines->kept, i);
        found->status = scr_is_shaped(f->state, p.a, p.b)
                            ? scr_try_shapes(f->task, &f->outlines->placed, &cursor, p, found)
                            : try_round(f, i, &cursor, found);
    }
    found->work.solids.kept = NULL;
}

static void take_up_piece(void *context, size_t piece) {
    Search *f = context;
    State *s = f->state;
    const ShapedPiece *found = &f->outlines->piece[piece];
    ContactExtent x = nothing;
    for (size_t k = 0; k < found->count; k++) {
        const FoundPoint *at = &found->found[k];
        scr_carry_contact(f->task->with, s, f->first[piece] + k, at->pair, &at->touch, &f->old,
                          at->before);
        widen(&x, s->bodies.position[at->pair.a], at->touch.gap);
    }
    f->extent[piece] = x;
}

/* ---------------------------------------------------------------- all together */

/* What all processes have found; a contact may be found by several, and is counted by one. */
static void join_over_processes(const State *s, ContactExtent *x) {
    int64_t count = (int64_t)s->contacts.count;
    if (s->spread != NULL) {
        count = 0;
        for (size_t i = 0; i < s->contacts.count; i++) {
            count += scr_counts_pair(s, s->contacts.item[i].a, s->contacts.item[i].b);
        }
    }
    double most[] = {x->gap, -x->low.x, -x->low.y, -x->low.z, x->high.x, x->high.y, x->high.z};
    scr_count_over_processes(s->spread, &count, 1);
    scr_most_over_processes(s->spread, most, sizeof most / sizeof most[0]);
    *x = (ContactExtent){.gap = most[0],
                         .low = vec3(-most[1], -most[2], -most[3]),
                         .high = vec3(most[4], most[5], most[6]),
                         .contacts = (size_t)count};
}

static ScreeStatus find_all(Search *f) {
    State *s = f->state;
    Threads *threads = f->task->with->threads;
    const bool shapes = scr_any_shaped(s);
    size_t pieces = scr_pieces(f->candidates), total = 0;
    scr_threads_loop_from_end(threads, pieces, shapes ? search_piece : take_piece, f);
    for (size_t k = 0; k < pieces; k++) {
        if (shapes) {
            SCR_TRY(f->outlines->piece[k].status);
            f->count[k] = f->outlines->piece[k].count;
        }
        f->first[k] = total;
        total += f->count[k];
    }
    if (!scr_reserve_contacts(s, total + 1)) {
        return SCREE_NO_MEMORY;
    }
    scr_threads_loop_from_end(threads, pieces, shapes ? take_up_piece : contacts_of_piece, f);
    s->contacts.count = total;
    ContactExtent x = nothing;
    for (size_t k = 0; k < pieces; k++) {
        x = join(x, f->extent[k]);
    }
    join_over_processes(s, &x);
    f->task->extent = x;
    return SCREE_OK;
}

size_t scr_first_with_wall(const Contacts *k) {
    size_t low = 0, high = k->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        low = k->item[middle].b >= 0 ? middle + 1 : low;
        high = k->item[middle].b >= 0 ? high : middle;
    }
    return low;
}

static bool is_met_as_it_moves(const ScreeWallState *w) {
    return w->present && w->now.motion != SCREE_WALL_FIXED && scr_has_surface(&w->now);
}

ScreeStatus scr_find_contacts(StepTask *t, State *s, Outlines *outlines, bool list_changed,
                              Arena *arena) {
    const NearList *list = t->list;
    Search f = {.task = t, .state = s, .outlines = outlines, .bodies = scr_originals(s)};
    size_t walls = 0;
    for (size_t w = 0; w < s->walls.count; w++) {
        walls += is_met_as_it_moves(&s->walls.item[w]);
    }
    f.periodic = scr_any_periodic(&s->def);
    f.farther = 1;
    if (t->with->deforms) { /* |d| (1 - dt |L|) is what is left of a distance */
        f.farther = 1 / scr_max(0.1, 1 - t->with->time_step * mat3_size(&t->free->rate));
    }
    f.candidates = list->neighbours.count + list->wall_pairs + walls * f.bodies;
    size_t room = scr_arena_bytes(f.candidates + 1, sizeof *f.taken) +
                  scr_arena_bytes(walls, sizeof *f.moving);
    SCR_TRY(scr_set_aside(t->with, s, &list->neighbours, list_changed, arena, room, &f.old));
    f.moving = scr_arena_take(arena, walls, sizeof *f.moving);
    f.taken = scr_arena_take(arena, f.candidates + 1, sizeof *f.taken);
    for (size_t w = 0, k = 0; w < s->walls.count; w++) {
        if (is_met_as_it_moves(&s->walls.item[w])) {
            f.moving[k++] = (int32_t)w;
        }
    }
    if (!scr_match_pairs(s, list, &outlines->kept)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(find_all(&f));
    t->extent.first_with_wall = scr_first_with_wall(&s->contacts);
    return SCREE_OK;
}
