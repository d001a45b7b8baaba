/* From bodies and walls to the contacts of a step: the neighbour list, and what of it may close. */
#include "dynamics/engine.h"
#include "broad/margins.h"

#include "narrow/narrow.h"
#include "shape/wall.h"

#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- neighbour list */

/* Pairs past this number mean that grains stand in each other, or that the time step carries them
 * past many others. */
static size_t pair_limit(size_t bodies) {
    return 40 * bodies + 100000;
}

/* Speed for which a margin must suffice. In a second attempt the first solution's velocity is known
 * too. */
static double expected_speed(const State *s, const Engine *e, size_t i, bool again) {
    double speed = fmax(length(e->free_motion[i]), length(s->bodies.velocity[i]));
    return again ? fmax(speed, length(scr_problem_body(e, (int32_t)i)->v)) : speed;
}

/* New margins, and anchors where the bodies are. */
static void choose_margins(State *s, const Engine *e, bool again, bool outrun) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; i < b->count; i++) {
        b->margin[i] = expected_speed(s, e, i, again) * s->def.time_step;
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

static ScreeStatus find_wall_pairs(const State *s, Engine *e) {
    e->wall_pairs = 0;
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
            if (!scr_block_reserve(&e->wall_pair_block, e->wall_pairs + 1, sizeof(Pair),
                                   e->wall_pairs * sizeof(Pair))) {
                return SCREE_NO_MEMORY;
            }
            e->wall_pair = e->wall_pair_block.data;
            e->wall_pair[e->wall_pairs++] = (Pair){(int32_t)i, (int32_t)w};
        }
    }
    return SCREE_OK;
}

/* The list is a function of anchors, margins and fixed walls alone, so that a restarted run gets
 * the same one. */
static ScreeStatus build_list(State *s, Engine *e, char *message) {
    const BroadInput input = {
        .def = &s->def,
        .search = s->def.search,
        .count = s->bodies.count,
        .position = s->bodies.anchor,
        .radius = s->bodies.radius,
        .margin = s->bodies.margin,
        .pair_limit = pair_limit(s->bodies.count),
    };
    ScreeStatus status = scr_find_neighbours(&input, &e->neighbours);
    if (status == SCREE_TOO_CROWDED) {
        Pair p = scr_bodies_of(e, e->neighbours.pair[e->neighbours.count - 1]);
        snprintf(
            message, SCREE_MESSAGE_SIZE,
            "over %zu pairs of %zu grains are near each other (for instance %d and %d): grains "
            "stand in one place, or move past many others in one step",
            pair_limit(s->bodies.count), s->bodies.count, p.a, p.b);
    }
    if (status == SCREE_OK) {
        status = find_wall_pairs(s, e);
    }
    e->list_built = status == SCREE_OK;
    return status;
}

ScreeStatus scr_update_list(State *s, Engine *e, bool again, bool *rebuilt, char *message) {
    /* in a second attempt nothing has moved, and new margins suffice for free motion */
    bool outrun = e->outrun && !again && !s->list_stale;
    s->list_stale = s->list_stale || outrun;
    if (e->list_built && !s->list_stale) {
        return SCREE_OK;
    }
    *rebuilt = s->list_stale;
    if (s->list_stale) {
        choose_margins(s, e, again, outrun);
    }
    ScreeStatus status = build_list(s, e, message);
    if (status == SCREE_OK && s->list_stale) {
        scr_note_list(s, e->neighbours.count);
    }
    s->list_stale = status != SCREE_OK && s->list_stale;
    return status;
}

/* ---------------------------------------------------------------- candidates
 *
 * In this order: pairs of the list, bodies near fixed walls, and all bodies with each of the other
 * walls. Contacts keep it. Pieces of the candidates are first gone through to see which are taken
 * up; then it is known where the contacts of each piece begin, and they are made. */

typedef struct Search {
    State *state;
    Engine *engine;
    OldContacts old;
    size_t candidates;
    uint32_t *taken; /* [candidates] each piece has its own from its first candidate on */
    int32_t *moving; /* walls that are not fixed */
    size_t bodies;
    bool periodic;
    size_t count[SCR_MOST_PIECES]; /* taken up by a piece */
    size_t first[SCR_MOST_PIECES]; /* contact of a piece */
    Extent extent[SCR_MOST_PIECES];
} Search;

/* A candidate: bodies a < b, or b < 0 for wall -1 - b. */
static Pair candidate(const Search *f, size_t i) {
    const Engine *e = f->engine;
    if (i < e->neighbours.count) {
        return scr_bodies_of(e, e->neighbours.pair[i]);
    }
    i -= e->neighbours.count;
    if (i < e->wall_pairs) {
        return (Pair){e->wall_pair[i].a, -1 - e->wall_pair[i].b};
    }
    i -= e->wall_pairs;
    return (Pair){(int32_t)(i % f->bodies), -1 - f->moving[i / f->bodies]};
}

/* From the first to the second of two spots. */
static inline Vec3 between(const Search *f, const Spot *a, const Spot *b) {
    Vec3 d = sub(b->x, a->x);
    return f->periodic ? scr_nearest_image(&f->state->def, d) : d;
}

/* A pair outside of the slack: whether it closes at free motion. */
static bool closes(const Search *f, Pair p, Vec3 d) {
    const Engine *e = f->engine;
    const Spot *a = &e->neighbours.spot[p.a], *b = &e->neighbours.spot[p.b];
    Touch touch = scr_touch_balls(d, a->reach, b->reach);
    double approach = dot(sub(e->problem.body[p.b].v, e->problem.body[p.a].v), touch.normal);
    return scr_may_close(f->state, e, touch.gap, approach, fmin(a->reach, b->reach));
}

static bool takes_wall(const Search *f, Pair p) {
    const State *s = f->state;
    const Bodies *k = &s->bodies;
    const ScreeWallDef *w = &s->walls.item[-1 - p.b].now;
    Touch touch = scr_touch_wall(&s->def, w, k->position[p.a], k->radius[p.a]);
    Vec3 seen = scr_seen_by_wall(&s->def, w, k->position[p.a]);
    Vec3 point = add_scaled(seen, k->radius[p.a], touch.normal);
    Vec3 motion = f->engine->free_motion[p.a];
    double approach = dot(sub(scr_wall_motion(w, point), motion), touch.normal);
    return scr_may_close(s, f->engine, touch.gap, approach, k->radius[p.a]);
}

/* Pairs of round bodies: within the slack whatever their motion, beyond it when they may close.
 * Most of the others are too far apart in any direction of approach. */
static size_t take_pairs(const Search *f, size_t begin, size_t end, uint32_t *taken) {
    const Engine *e = f->engine;
    const Pair *pair = e->neighbours.pair;
    const Spot *spot = e->neighbours.spot;
    const double *way = e->scratch_block.data, slack = e->slack;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const Spot *a = &spot[pair[i].a], *b = &spot[pair[i].b];
        Vec3 d = between(f, a, b);
        double square = dot(d, d);
        double near = a->reach + b->reach + slack * fmin(a->reach, b->reach);
        double far = near + way[pair[i].a] + way[pair[i].b];
        /* hardly ever is there more to see: no branch that would be guessed wrong */
        bool take = square <= near * near, doubt = !take & (square <= far * far);
        if (doubt) {
            take = closes(f, pair[i], d);
        }
        taken[count] = (uint32_t)i;
        count += take;
    }
    return count;
}

/* The same for any candidates, where a bond is always taken up. */
static size_t take_any(const Search *f, size_t begin, size_t end, uint32_t *taken) {
    const bool bonds = f->old.extra != NULL && begin < end;
    Pair p = bonds ? candidate(f, begin) : (Pair){0, 0};
    OldPlace place = bonds ? scr_old_place(&f->old, p.a, p.b) : (OldPlace){&f->old, 0};
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        p = candidate(f, i);
        bool take = bonds && scr_was_bonded(&f->old, scr_find_old(&place, p.a, p.b));
        if (!take && p.b < 0) {
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
    size_t pairs = f->old.extra == NULL ? f->engine->neighbours.count : 0;
    size_t middle = begin > pairs ? begin : end < pairs ? end : pairs;
    uint32_t *taken = f->taken + begin;
    size_t count = take_pairs(f, begin, middle, taken);
    f->count[piece] = count + take_any(f, middle, end, taken + count);
}

/* ---------------------------------------------------------------- contacts */

static inline Extent join(Extent x, Extent y) {
    return (Extent){
        fmax(x.gap, y.gap),
        vec3(fmin(x.low.x, y.low.x), fmin(x.low.y, y.low.y), fmin(x.low.z, y.low.z)),
        vec3(fmax(x.high.x, y.high.x), fmax(x.high.y, y.high.y), fmax(x.high.z, y.high.z))};
}

static inline void widen(Extent *x, Vec3 p, double gap) {
    *x = join(*x, (Extent){gap, p, p});
}

static const Extent nothing = {.low = {INFINITY, INFINITY, INFINITY},
                               .high = {-INFINITY, -INFINITY, -INFINITY}};

/* A candidate with its gap and normal. */
typedef struct Meeting {
    Pair pair;
    Touch touch;
} Meeting;

static inline void meet(const Search *f, size_t i, Meeting *m, Extent *x) {
    const Neighbours *nb = &f->engine->neighbours;
    if (i >= nb->count) {
        const State *s = f->state;
        m->pair = candidate(f, i);
        Vec3 at = s->bodies.position[m->pair.a];
        m->touch = scr_touch_wall(&s->def, &s->walls.item[-1 - m->pair.b].now, at,
                                  s->bodies.radius[m->pair.a]);
        widen(x, at, m->touch.gap);
        return;
    }
    Pair p = nb->pair[i];
    int32_t one = nb->order[p.a], other = nb->order[p.b];
    const Spot *a = &nb->spot[one < other ? p.a : p.b], *b = &nb->spot[one < other ? p.b : p.a];
    m->pair = one < other ? (Pair){one, other} : (Pair){other, one};
    m->touch = scr_touch_balls(between(f, a, b), a->reach, b->reach);
    widen(x, a->x, m->touch.gap);
}

/* Always one candidate ahead, so that its root and division are under way while the one before is
 * written. */
static void contacts_of_piece(void *context, size_t piece) {
    Search *f = context;
    const uint32_t *taken = f->taken + scr_piece_begin(f->candidates, piece);
    size_t count = f->count[piece];
    Extent x = nothing;
    if (count > 0) {
        Meeting ahead;
        meet(f, taken[0], &ahead, &x);
        OldPlace place = scr_old_place(&f->old, ahead.pair.a, ahead.pair.b);
        for (size_t k = 0; k < count; k++) {
            const Meeting m = ahead;
            if (k + 1 < count) {
                meet(f, taken[k + 1], &ahead, &x);
            }
            const ScreeContact *before = scr_find_old(&place, m.pair.a, m.pair.b);
            scr_carry_contact(f->state, f->first[piece] + k, m.pair.a, m.pair.b, &m.touch, &f->old,
                              before);
        }
    }
    f->extent[piece] = x;
}

/* One candidate after another, where bodies have shapes: a pair may have several contact points. */
static ScreeStatus find_with_shapes(Search *f) {
    State *s = f->state;
    OldPlace place = {&f->old, 0};
    ScreeStatus status = SCREE_OK;
    Extent x = nothing;
    for (size_t i = 0; i < f->candidates && status == SCREE_OK; i++) {
        Pair p = candidate(f, i);
        uint32_t one;
        if (scr_is_shaped(s, p.a, p.b)) {
            status = scr_try_shapes(s, f->engine, &place, p.a, p.b);
        } else if (take_any(f, i, i + 1, &one) > 0) {
            if (!scr_reserve_contacts(s, s->contacts.count + 1)) {
                return SCREE_NO_MEMORY;
            }
            Meeting m;
            meet(f, i, &m, &x);
            scr_carry_contact(s, s->contacts.count++, p.a, p.b, &m.touch, &f->old,
                              scr_find_old(&place, p.a, p.b));
        }
    }
    for (size_t i = 0; i < s->contacts.count; i++) {
        widen(&x, s->bodies.position[s->contacts.item[i].a], s->contacts.item[i].gap);
    }
    f->engine->contact_extent = x;
    return status;
}

static ScreeStatus find_round(Search *f) {
    State *s = f->state;
    Engine *e = f->engine;
    size_t pieces = scr_pieces(f->candidates), total = 0;
    scr_threads_loop(e->threads, pieces, take_piece, f);
    for (size_t k = 0; k < pieces; k++) {
        f->first[k] = total;
        total += f->count[k];
    }
    if (!scr_reserve_contacts(s, total + 1)) {
        return SCREE_NO_MEMORY;
    }
    scr_threads_loop(e->threads, pieces, contacts_of_piece, f);
    s->contacts.count = total;
    e->contact_extent = nothing;
    for (size_t k = 0; k < pieces; k++) {
        e->contact_extent = join(e->contact_extent, f->extent[k]);
    }
    return SCREE_OK;
}

/* Contacts come before those with walls. */
static size_t first_with_wall(const Contacts *k) {
    size_t low = 0, high = k->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        low = k->item[middle].b >= 0 ? middle + 1 : low;
        high = k->item[middle].b >= 0 ? high : middle;
    }
    return low;
}

ScreeStatus scr_find_contacts(State *s, Engine *e, bool list_changed) {
    Search f = {.state = s, .engine = e, .bodies = s->bodies.count};
    size_t walls = 0;
    for (size_t w = 0; w < s->walls.count; w++) {
        walls += s->walls.item[w].present && s->walls.item[w].now.motion != SCREE_WALL_FIXED;
    }
    f.periodic = scr_any_periodic(&s->def);
    f.candidates = e->neighbours.count + e->wall_pairs + walls * f.bodies;
    void *rest;
    ScreeStatus status =
        scr_set_aside(s, &e->neighbours, list_changed, &e->row_block,
                      (f.candidates + 1 + walls) * sizeof(uint32_t), &f.old, &rest);
    if (status != SCREE_OK) {
        return status;
    }
    f.moving = rest;
    f.taken = (uint32_t *)rest + walls;
    for (size_t w = 0, k = 0; w < s->walls.count; w++) {
        if (s->walls.item[w].present && s->walls.item[w].now.motion != SCREE_WALL_FIXED) {
            f.moving[k++] = (int32_t)w;
        }
    }
    status = s->shapes.count > 0 ? find_with_shapes(&f) : find_round(&f);
    e->first_wall_contact = first_with_wall(&s->contacts);
    e->most_contacts = s->contacts.count > e->most_contacts ? s->contacts.count : e->most_contacts;
    return status;
}
