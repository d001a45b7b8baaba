/* Candidates and contacts of a step: which candidates are taken up, and where their contacts begin; then the contacts,
 * with what they carry over. Contacts keep the order of the candidates: pairs of the list, bodies near fixed walls, and
 * all bodies with each of the other walls. */
#ifndef SCREE_CUDA_STEP_CONTACTS_H
#define SCREE_CUDA_STEP_CONTACTS_H

#include "step_lanes.h"

/* Candidates of a team: so many for each lane. */
enum { EACH_TAKES = 8, TILE_TAKES = EACH_TAKES * LANES };

/* The arrays of a step on the card beside those of the bodies. */
typedef struct StepArrays {
    uint8_t *taken;   /* [candidates] */
    uint32_t *tile;   /* [tiles + 1] contacts of each, then where they begin */
    Contact *contact; /* [contacts] */
    OrderContact *listed;
    uint32_t *size, *next;   /* [boxes in the grid] */
    uint32_t *place;         /* [boxes] in the grid */
    int32_t *row_end;        /* [boxes] */
    int32_t *row_at;         /* [contacts] the place of a row as it is swept */
    int32_t *contact_at;     /* [rows] the contacts box by box, then the contact of a row */
    double *gap;             /* [rows] after the motion */
    int32_t *parent, *among; /* [bodies] */
    uint64_t *chosen;        /* the largest cluster: its size, and below it its root from above */
    ScreeDeviceBox *box;
    int32_t *step_end, *member_of;
    double *constant, *impulse, *approach;
} StepArrays;

ON_DEVICE StepArrays *arrays_of(const StepThere *k) {
    return (StepArrays *)k->work;
}

/* Contacts are read and written two numbers at a time. */
typedef union ContactTwos {
    Contact contact;
    Two two[sizeof(Contact) / sizeof(Two)];
} ContactTwos;

ON_DEVICE Contact read_contact(const Contact *from) {
    ContactTwos c;
    for (int j = 0; j < (int)(sizeof c / sizeof c.two[0]); j++) {
        c.two[j] = load_two((const double *)from + 2 * j);
    }
    return c.contact;
}

ON_DEVICE void write_contact(Contact *to, const Contact *from) {
    ContactTwos c;
    c.contact = *from;
    for (int j = 0; j < (int)(sizeof c / sizeof c.two[0]); j++) {
        store_two((double *)to + 2 * j, c.two[j].x, c.two[j].y);
    }
}

/* A candidate that is no pair: a body and a wall. */
ON_DEVICE Pair wall_candidate(const StepThere *k, size_t i) {
    i -= k->list.neighbours.count;
    if (i < k->list.wall_pairs) {
        const Pair near = k->list.wall_pair[i];
        const Pair pair = {near.a, scr_wall_code((size_t)near.b)};
        return pair;
    }
    i -= k->list.wall_pairs;
    const size_t n = k->state.bodies.count;
    const Pair pair = {(int32_t)(i % n), scr_wall_code((size_t)k->moving[i / n])};
    return pair;
}

/* All walls are planes. */
ON_DEVICE Touch touch_plane(const StepThere *k, Pair p) {
    const WallSight sight =
        scr_plane_sight(&k->state.walls.item[scr_wall_of(p.b)].now, k->state.bodies.position[p.a]);
    const Touch touch = {sight.distance - k->state.bodies.radius[p.a], sight.normal, 0};
    return touch;
}

ON_DEVICE bool is_taken(const StepThere *k, const PairSearch *search, size_t i) {
    if (i < k->list.neighbours.count) {
        return scr_takes_pair(search, k->list.neighbours.pair[i]);
    }
    const Pair p = wall_candidate(k, i);
    return scr_takes_wall(&k->task, &k->state.walls.item[scr_wall_of(p.b)].now, (size_t)p.a,
                          k->state.bodies.position[p.a], touch_plane(k, p));
}

KERNEL(take_candidates, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    LANE_VALUE(int64_t, count);
    LANE_VALUE(int64_t, pairs);
    int64_t *whole = (int64_t *)(team.shared);
    EACH_LANE {
        const PairSearch search = scr_pair_search(&k->task, 1, k->periodic);
        const size_t first = (size_t)team.index * TILE_TAKES + (size_t)lane;
        OF(count) = OF(pairs) = 0;
        for (int j = 0; j < EACH_TAKES; j++) {
            const size_t i = first + (size_t)j * LANES;
            if (i < k->candidates) {
                const bool take = is_taken(k, &search, i);
                arrays->taken[i] = take;
                OF(count) += take;
                OF(pairs) += take && i < k->list.neighbours.count;
            }
        }
        whole[0] = 0;
    }
    BARRIER();
    COUNT_ALL(whole, count);
    COUNT_ALL(&given.left->count[1], pairs);
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            arrays->tile[team.index] = (uint32_t)whole[0];
        }
    }
}

/* From the contacts of each tile to where they begin, by one team: each lane has some tiles. */
KERNEL(number_tiles, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    uint32_t *tile = arrays_of(k)->tile, *sum = (uint32_t *)team.shared;
    const size_t tiles = (k->candidates + TILE_TAKES - 1) / TILE_TAKES;
    const size_t each = (tiles + LANES - 1) / LANES;
    EACH_LANE {
        const size_t begin = each * (size_t)lane, end = begin + each;
        uint32_t count = 0;
        for (size_t i = begin; i < end && i < tiles; i++) {
            count += tile[i];
        }
        sum[lane] = count;
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            uint32_t next = 0;
            for (int i = 0; i < LANES; i++) {
                const uint32_t count = sum[i];
                sum[i] = next;
                next += count;
            }
            tile[tiles] = next;
            given.left->count[0] = next;
        }
    }
    BARRIER();
    EACH_LANE {
        const size_t begin = each * (size_t)lane, end = begin + each;
        uint32_t next = sum[lane];
        for (size_t i = begin; i < end && i < tiles; i++) {
            const uint32_t count = tile[i];
            tile[i] = next;
            next += count;
        }
    }
}

typedef struct Reached {
    double gap, most[6]; /* -x, -y, -z, x, y, z */
} Reached;

ON_DEVICE void make_contact(StepThere *k, const PairSearch *search, size_t i, int32_t to,
                            Reached *reached) {
    const int32_t was = k->contact_of[i];
    Contact before, made;
    Pair pair;
    Touch touch;
    Vec3 first;
    if (was >= 0) {
        before = read_contact(&k->old[was]);
    }
    if (i < k->list.neighbours.count) {
        touch = scr_meet_pair(search, k->list.neighbours.pair[i], &pair, &first);
    } else {
        pair = wall_candidate(k, i);
        touch = touch_plane(k, pair);
        first = k->state.bodies.position[pair.a];
    }
    const double x[6] = {-first.x, -first.y, -first.z, first.x, first.y, first.z};
    reached->gap = scr_max(reached->gap, touch.gap);
    for (int j = 0; j < 6; j++) {
        reached->most[j] = scr_max(reached->most[j], x[j]);
    }
    scr_carry_round(&made, pair, &touch,
                    scr_gap_beyond_rounding(&k->state, pair.a, pair.b, touch.gap), k->old_part,
                    was >= 0 ? &before : NULL);
    write_contact(&arrays_of(k)->contact[to], &made);
    k->contact_of[i] = to;
}

/* Where the contacts of a tile lie: a lane adds up those of some candidates that follow each other, then one of them
 * what all lanes have. */
KERNEL(make_contacts, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    const uint8_t *taken = arrays_of(k)->taken;
    uint16_t *at = (uint16_t *)team.shared; /* [TILE_TAKES] */
    uint16_t *before = at + TILE_TAKES;     /* [LANES] */
    const size_t tile = (size_t)team.index * TILE_TAKES;
    LANE_VALUE(Reached, reached);
    LANE_VALUE(double, most);
    EACH_LANE {
        uint16_t count = 0;
        for (int j = EACH_TAKES * lane; j < EACH_TAKES * (lane + 1); j++) {
            at[j] = count;
            count =
                (uint16_t)(count + (tile + (size_t)j < k->candidates && taken[tile + (size_t)j]));
        }
        before[lane] = count;
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            uint16_t next = 0;
            for (int i = 0; i < LANES; i++) {
                const uint16_t count = before[i];
                before[i] = next;
                next = (uint16_t)(next + count);
            }
        }
    }
    BARRIER();
    EACH_LANE {
        const PairSearch search = scr_pair_search(&k->task, 1, k->periodic);
        OF(reached).gap = -INFINITY;
        for (int j = 0; j < 6; j++) {
            OF(reached).most[j] = -INFINITY;
        }
        for (int j = lane; j < TILE_TAKES; j += LANES) {
            const size_t i = tile + (size_t)j;
            if (i < k->candidates && taken[i]) {
                const uint32_t to = arrays_of(k)->tile[team.index] + before[j / EACH_TAKES] + at[j];
                make_contact(k, &search, i, (int32_t)to, &OF(reached));
            } else if (i < k->candidates) {
                k->contact_of[i] = -1;
            }
        }
        OF(most) = OF(reached).gap;
    }
    RAISE_ALL(&given.left->most[0], most);
    for (int j = 0; j < 6; j++) {
        EACH_LANE {
            OF(most) = OF(reached).most[j];
        }
        RAISE_ALL(&given.left->most[1 + j], most);
    }
}

/* ---------------------------------------------------------------- contacts that come from the processor */

/* The candidate of a contact: it has the place of its pair among the candidates, which are sorted. */
ON_DEVICE int64_t place_of_pair(const StepThere *k, Pair pair, bool wall) {
    const Pair *list = wall ? k->list.wall_pair : k->list.neighbours.pair;
    size_t low = 0, high = wall ? k->list.wall_pairs : k->list.neighbours.count;
    const size_t count = high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int32_t x = wall ? list[middle].b : list[middle].a;
        const int32_t y = wall ? list[middle].a : list[middle].b;
        const int32_t wanted_x = wall ? pair.b : pair.a, wanted_y = wall ? pair.a : pair.b;
        const bool less = x < wanted_x || (x == wanted_x && y < wanted_y);
        low = less ? middle + 1 : low;
        high = less ? high : middle;
    }
    return low < count && list[low].a == pair.a && list[low].b == pair.b ? (int64_t)low : -1;
}

ON_DEVICE int64_t candidate_of(const StepThere *k, const Contact *c) {
    const Neighbours *nb = &k->list.neighbours;
    if (c->b >= 0) {
        const int32_t i = nb->rank[c->a], j = nb->rank[c->b];
        const Pair pair = {i < j ? i : j, i < j ? j : i};
        return place_of_pair(k, pair, false);
    }
    const Pair pair = {c->a, (int32_t)scr_wall_of(c->b)};
    const int64_t near = place_of_pair(k, pair, true);
    if (near >= 0) {
        return (int64_t)nb->count + near;
    }
    for (size_t w = 0; w < k->moving_walls; w++) {
        if (k->moving[w] == pair.b) {
            return (int64_t)(nb->count + k->list.wall_pairs + w * k->state.bodies.count) + pair.a;
        }
    }
    return -1;
}

KERNEL(match_contacts, StepArguments) {
    TEAM_BEGIN
    StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->contacts) {
            const int64_t candidate = candidate_of(k, &k->old[i]);
            if (candidate >= 0) {
                k->contact_of[candidate] = (int32_t)i;
            }
        }
    }
}

/* ---------------------------------------------------------------- left out */

KERNEL(audit_candidates, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const Neighbours *nb = &k->list.neighbours;
    LANE_VALUE(int64_t, missed);
    EACH_LANE {
        const size_t i = ITEM;
        OF(missed) = 0;
        if (i < nb->count) {
            const Pair p = nb->pair[i];
            const double radius = scr_min(nb->spot[p.a].reach, nb->spot[p.b].reach);
            LeftOut out;
            OF(missed) = k->task.reach[p.a] + k->task.reach[p.b] > k->list.slack * radius &&
                         scr_is_left_out(&k->task, p, &out) && scr_overlaps_then(&k->task, p, &out);
        }
    }
    COUNT_ALL(&given.left->count[0], missed);
}

KERNEL(audit_at_walls, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const State *s = &k->state;
    LANE_VALUE(int64_t, missed);
    EACH_LANE {
        const size_t i = ITEM;
        OF(missed) = 0;
        for (size_t w = 0; i < s->bodies.count && w < s->walls.count; w++) {
            const Pair p = {(int32_t)i, scr_wall_code(w)};
            const double shift = k->task.reach[k->list.neighbours.rank[i]];
            if (s->walls.item[w].present && shift > k->list.slack * s->bodies.radius[i] &&
                scr_ball_overlaps_wall(&k->task, &s->walls.item[w].now, i, s->bodies.position[i],
                                       touch_plane(k, p), NULL)) {
                OF(missed)++;
            }
        }
    }
    COUNT_ALL(&given.left->count[0], missed);
}

#endif
