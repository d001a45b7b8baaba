#include "state/images.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- how many
 *
 * Anchors lie within the cell, but for a list that is made within a step: then they have moved on by as much as
 * their margin m. Two bodies that may meet are no farther apart than 2 (r + m), with the largest radius r.
 * Measured in edges, of height h, two anchors are less than 1 + 2 m / h apart: so images from k edges on are
 * not needed if k >= 1 + (2 r + 4 m) / h. With s shells there is room for m = (s h - 2 r) / 4. */

static const double least_room = 0.2; /* of the largest radius */

static double largest_radius(const State *s) {
    double largest = 0;
    for (size_t i = 0; i < scr_originals(s); i++) {
        largest = scr_max(largest, s->bodies.radius[i]);
    }
    return largest;
}

static double height_of(const ScreeWorldDef *d) {
    double least = d->deform.tilted ? scr_cell_height(d) : INFINITY;
    for (int k = 0; k < 3 && !d->deform.tilted; k++) {
        const double side = component(d->cell_max, k) - component(d->cell_min, k);
        least = d->periodic[k] ? scr_min(least, side) : least;
    }
    return least;
}

bool scr_is_too_small_for(const ScreeWorldDef *def, double radius) {
    return scr_any_periodic(def) && height_of(def) < scr_wide_cell * radius;
}

bool scr_is_small_cell(const State *s) {
    return scr_is_too_small_for(&s->def, largest_radius(s));
}

static int needed_shells(double height, double radius) {
    int shells = 1;
    while (shells < SCR_MOST_SHELLS &&
           0.25 * (shells * height - 2 * radius) < least_room * radius) {
        shells++;
    }
    return shells;
}

/* Farthest image, along any edge. */
static int shells_of(const State *s) {
    int most = 0;
    for (int k = 0; k < 3; k++) {
        most = s->images > 0 && most < s->turns[s->bodies.count - 1][k]
                   ? s->turns[s->bodies.count - 1][k]
                   : most;
    }
    return most;
}

double scr_image_reach(const State *s) {
    if (s->images == 0) {
        return INFINITY;
    }
    return 0.25 * (shells_of(s) * scr_cell_height(&s->def) - 2 * largest_radius(s));
}

/* ---------------------------------------------------------------- numbers of images */

typedef struct Turns {
    int8_t of[3];
} Turns;

/* Displacements by up to `shells` edges: those of each shell after those of the ones within, rising. The
 * first is none, the last the farthest along every edge. */
static size_t list_turns(const bool periodic[3], int shells, Turns *list) {
    size_t count = 0;
    for (int shell = 0; shell <= shells; shell++) {
        const int most[3] = {periodic[0] ? shell : 0, periodic[1] ? shell : 0,
                             periodic[2] ? shell : 0};
        for (int x = -most[0]; x <= most[0]; x++) {
            for (int y = -most[1]; y <= most[1]; y++) {
                for (int z = -most[2]; z <= most[2]; z++) {
                    if (abs(x) == shell || abs(y) == shell || abs(z) == shell) {
                        list[count++] = (Turns){{(int8_t)x, (int8_t)y, (int8_t)z}};
                    }
                }
            }
        }
    }
    return count;
}

enum {
    MOST_TURNS = (2 * SCR_MOST_SHELLS + 1) * (2 * SCR_MOST_SHELLS + 1) * (2 * SCR_MOST_SHELLS + 1)
};

/* Edges, as they are or as they were when the list was made, and the numbers of edges in a difference. */
typedef struct Lattice {
    Vec3 edge[3];
    Mat3 inverse;
    bool periodic[3];
} Lattice;

static Lattice lattice(const ScreeWorldDef *d, const Vec3 edge[3]) {
    const Mat3 h = scr_edges_matrix(d->periodic, edge);
    Lattice l = {.inverse = mat3_inverse(&h)};
    memcpy(l.periodic, d->periodic, sizeof l.periodic);
    for (int k = 0; k < 3; k++) {
        l.edge[k] = d->periodic[k] ? edge[k] : vec3(0, 0, 0);
    }
    return l;
}

/* How many whole edges are in `x`, from half of one on. */
static void whole_edges(const Lattice *l, Vec3 x, double half, double turns[3]) {
    for (int k = 0; k < 3; k++) {
        turns[k] = l->periodic[k] ? nearbyint(dot(mat3_row(&l->inverse, k), x) - half) : 0;
    }
}

static Vec3 displaced(const Lattice *l, Vec3 x, const double turns[3]) {
    for (int k = 0; k < 3; k++) {
        x = turns[k] != 0 ? add_scaled(x, turns[k], l->edge[k]) : x;
    }
    return x;
}

static Vec3 displaced_by(const Lattice *l, Vec3 x, const int8_t turns[3]) {
    const double by[3] = {turns[0], turns[1], turns[2]};
    return displaced(l, x, by);
}

/* ---------------------------------------------------------------- bodies */

/* The lattice in which anchors are. */
static Lattice anchor_lattice(const State *s) {
    const bool own = s->def.deform.deforms && !s->list_stale;
    return lattice(&s->def, own ? s->cell.built : s->def.deform.vector);
}

/* Each body where its anchor is in the cell: so it does not jump while the list holds. */
static void place_originals(State *s, const Lattice *now, const Lattice *built) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; i < b->count; i++) {
        double turns[3];
        if (s->list_stale) {
            b->anchor[i] = b->position[i];
        }
        whole_edges(built, sub(b->anchor[i], s->def.cell_min), 0.5, turns);
        for (int k = 0; k < 3; k++) {
            turns[k] = -turns[k];
        }
        b->position[i] = displaced(now, b->position[i], turns);
        b->anchor[i] = displaced(built, b->anchor[i], turns);
    }
}

/* Images behind `n` bodies. */
static void place_images(State *s, Images *k, size_t n, const Turns *turns, size_t count,
                         const Lattice *now, const Lattice *built) {
    Bodies *b = &s->bodies;
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 0; i < n; i++) {
            const size_t to = t * n + i;
            k->origin[to] = (int32_t)i;
            memcpy(k->turns[to], turns[t].of, sizeof turns[t].of);
            if (t == 0) {
                continue;
            }
#define X(type, field) b->field[to] = b->field[i];
            BODY_FIELDS(X)
#undef X
            b->position[to] = displaced_by(now, b->position[i], turns[t].of);
            b->anchor[to] = displaced_by(built, b->anchor[i], turns[t].of);
            if (s->holder != NULL) {
                s->holder[to] = s->holder[i];
            }
            if (s->name != NULL) {
                s->identity[to] = (int32_t)(s->identities + (int64_t)(to - n));
            }
        }
    }
}

/* ---------------------------------------------------------------- contacts */

/* Swaps the bodies of a contact of a body with its own image. */
static void turn_round(Contact *c, ScreeContactExtra *extra) {
    c->normal = scale(-1, c->normal);
    c->tangential_impulse = scale(-1, c->tangential_impulse);
    if (extra != NULL) {
        extra->torque_impulse = scale(-1, extra->torque_impulse);
    }
}

/* How far a contact is from where one with the image at `way` would be. Round bodies touch along the way. Of
 * others the normal points in its direction, more or less. */
static double mismatch(const State *s, const Contact *c, Vec3 way) {
    const double *r = s->bodies.radius;
    if (c->feature == 0) {
        return length(add_scaled(way, -(r[c->a] + r[c->b] + c->gap), c->normal));
    }
    const double far = length(way);
    return far > 0 ? 1.01 * far - dot(way, c->normal) : INFINITY;
}

/* Of which nothing is told but the contact itself. */
static Vec3 guessed_way(const State *s, const Lattice *now, const Contact *c, Vec3 d) {
    enum { FAR = 2 };
    const Vec3 nearest = scr_shortest_image(&s->def, d);
    const int far[3] = {now->periodic[0] ? FAR : 0, now->periodic[1] ? FAR : 0,
                        now->periodic[2] ? FAR : 0};
    Vec3 best = nearest;
    double least = INFINITY;
    for (int x = -far[0]; x <= far[0]; x++) {
        for (int y = -far[1]; y <= far[1]; y++) {
            for (int z = -far[2]; z <= far[2]; z++) {
                const double turns[3] = {x, y, z};
                const Vec3 way = displaced(now, nearest, turns);
                const double off = mismatch(s, c, way);
                best = off < least ? way : best;
                least = scr_min(least, off);
            }
        }
    }
    return best;
}

/* Which image each contact is with, by the whole edges to it; returns the most along any of them. No body
 * touches itself. */
static int find_turns(State *s, const Lattice *now, Turns *found) {
    Contacts *k = &s->contacts;
    const bool told = s->branches == k->count && s->branch != NULL;
    int most = 0;
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        Contact c = k->item[i];
        Turns own = {{0, 0, 0}};
        if (c.b >= 0) {
            double turns[3];
            const Vec3 d = sub(s->bodies.position[c.b], s->bodies.position[c.a]);
            const Vec3 way = told ? s->branch[i].way : guessed_way(s, now, &c, d);
            whole_edges(now, sub(way, d), 0, turns);
            for (int j = 0; j < 3; j++) {
                own.of[j] = (int8_t)scr_max(-SCR_MOST_SHELLS, scr_min(turns[j], SCR_MOST_SHELLS));
            }
            if (c.a == c.b && !scr_is_ahead(own.of)) {
                for (int j = 0; j < 3; j++) {
                    own.of[j] = (int8_t)-own.of[j];
                }
                turn_round(&c, k->extra != NULL ? &k->extra[i] : NULL);
            }
            for (int j = 0; j < 3; j++) {
                most = abs(own.of[j]) > most ? abs(own.of[j]) : most;
            }
        }
        if (c.a != c.b || scr_is_ahead(own.of)) {
            if (k->extra != NULL) {
                k->extra[kept] = k->extra[i];
            }
            found[kept] = own;
            k->item[kept++] = c;
        }
    }
    k->count = kept;
    return most;
}

static size_t number_of(const Turns *list, size_t count, Turns of) {
    for (size_t t = 0; t < count; t++) {
        if (memcmp(&list[t], &of, sizeof of) == 0) {
            return t;
        }
    }
    return 0;
}

static void name_images(State *s, size_t n, const Turns *found, const Turns *list, size_t count) {
    for (size_t i = 0; i < s->contacts.count; i++) {
        Contact *c = &s->contacts.item[i];
        if (c->b >= 0) {
            c->b += (int32_t)(n * number_of(list, count, found[i]));
        }
    }
}

bool scr_reserve_branches(State *s) {
    return SCR_RESERVE_KEEPING(s, branch, s->contacts.count + 1, s->branches);
}

/* Back to originals, with the way to each image; bodies are where they are at the end of the step. */
static bool name_originals(State *s, size_t n) {
    const Contacts *k = &s->contacts;
    const Bodies *b = &s->bodies;
    const bool room = scr_reserve_branches(s);
    for (size_t i = 0; i < k->count; i++) {
        Contact *c = &k->item[i];
        if (room) {
            s->branch[i].way =
                c->b >= 0 ? sub(b->position[c->b], b->position[c->a]) : vec3(0, 0, 0);
        }
        c->b = c->b >= 0 ? (int32_t)((size_t)c->b % n) : c->b;
    }
    s->branches = room ? k->count : 0;
    return room;
}

/* ---------------------------------------------------------------- bonds */

static Vec3 in_world(const State *s, int32_t body, double size, Vec3 v) {
    return scale(size, quat_rotate(s->bodies.orientation[body], v));
}

/* From one centre to the other as it was when they were glued. */
static Vec3 way_of_bond(const State *s, const ScreeBond *bond) {
    const int32_t a = bond->a.index, b = bond->b.code;
    const double *r = s->bodies.radius;
    const Vec3 to_b =
        add(in_world(s, a, r[a], bond->arm_a), in_world(s, a, bond->gap, bond->normal));
    return sub(to_b, in_world(s, b, r[b], bond->arm_b));
}

static void name_images_of_bonds(State *s, size_t n, const Lattice *now, const Turns *list,
                                 size_t count) {
    for (size_t i = 0; i < s->bonds.count; i++) {
        ScreeBond *bond = &s->bonds.item[i];
        const Vec3 *x = s->bodies.position;
        double turns[3];
        if (bond->b.code < 0) {
            continue; /* walls have no images: the nearest place is meant */
        }
        whole_edges(now, sub(way_of_bond(s, bond), sub(x[bond->b.code], x[bond->a.index])), 0,
                    turns);
        const Turns of = {{(int8_t)turns[0], (int8_t)turns[1], (int8_t)turns[2]}};
        bond->b.code += (int32_t)(n * number_of(list, count, of));
    }
    scr_bonds_sort(&s->bonds);
}

static void name_originals_of_bonds(State *s, size_t n) {
    for (size_t i = 0; i < s->bonds.count; i++) {
        int32_t *b = &s->bonds.item[i].b.code;
        *b = *b >= 0 ? (int32_t)((size_t)*b % n) : *b;
    }
    scr_bonds_sort(&s->bonds);
}

/* ---------------------------------------------------------------- the whole */

static bool reserve(State *s, Images *k, size_t n, size_t total) {
    return SCR_RESERVE(k, listed, n) && SCR_RESERVE(k, position, n) && SCR_RESERVE(k, anchor, n) &&
           SCR_RESERVE(k, origin, total) && SCR_RESERVE(k, turns, total) &&
           scr_bodies_reserve(&s->bodies, total) &&
           (s->holder == NULL || scr_reserve_holders(s, total)) &&
           (s->name == NULL || SCR_RESERVE_KEEPING(s, identity, total, n));
}

/* Whether the list of the step before has its bodies where they are. */
static bool is_listed(const State *s, const Images *k, size_t n, size_t total) {
    const double far = 0.25 * height_of(&s->def);
    bool same = k->bodies == n && k->total == total;
    for (size_t i = 0; i < n && same; i++) {
        const Vec3 off = sub(s->bodies.anchor[i], k->listed[i]);
        same = dot(off, off) < far * far;
    }
    return same;
}

bool scr_unfold(State *s, Images *k, bool *listed) {
    const size_t n = s->bodies.count;
    *listed = false;
    if (!SCR_RESERVE(k, position, n) || !SCR_RESERVE(k, anchor, n) ||
        !scr_block_reserve(&k->list_block, MOST_TURNS + s->contacts.count, sizeof(Turns), 0)) {
        return false;
    }
    Turns *list = k->list_block.data, *found = list + MOST_TURNS;
    const Lattice now = lattice(&s->def, s->def.deform.vector), built = anchor_lattice(s);
    memcpy(k->position, s->bodies.position, n * sizeof *k->position);
    memcpy(k->anchor, s->bodies.anchor, n * sizeof *k->anchor);
    place_originals(s, &now, &built);
    const int needed = needed_shells(height_of(&s->def), largest_radius(s));
    const int told = find_turns(s, &now, found);
    const size_t count = list_turns(s->def.periodic, told > needed ? told : needed, list);
    const size_t total = n * count;
    if (!reserve(s, k, n, total)) {
        memcpy(s->bodies.position, k->position, n * sizeof *k->position);
        memcpy(s->bodies.anchor, k->anchor, n * sizeof *k->anchor);
        return false;
    }
    *listed = is_listed(s, k, n, total);
    place_images(s, k, n, list, count, &now, &built);
    name_images(s, n, found, list, count);
    name_images_of_bonds(s, n, &now, list, count);
    s->name = s->name != NULL ? s->identity : NULL;
    k->bodies = n;
    k->total = total;
    s->bodies.count = total;
    s->images = total - n;
    s->origin = k->origin;
    s->turns = k->turns;
    s->branches = 0;
    s->def.deform.unfolded = true;
    return true;
}

static void wrap_bodies(State *s, const Lattice *now, const Lattice *built) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; i < b->count; i++) {
        double turns[3];
        whole_edges(now, sub(b->position[i], s->def.cell_min), 0.5, turns);
        for (int k = 0; k < 3; k++) {
            turns[k] = -turns[k];
        }
        b->position[i] = displaced(now, b->position[i], turns);
        b->anchor[i] = displaced(built, b->anchor[i], turns);
    }
}

bool scr_fold(State *s, Images *k, bool failed) {
    const size_t n = scr_originals(s);
    if (s->images == 0) {
        return true;
    }
    const bool named = name_originals(s, n);
    name_originals_of_bonds(s, n);
    s->bodies.count = n;
    s->images = 0;
    s->origin = NULL;
    s->turns = NULL;
    s->def.deform.unfolded = false;
    if (failed) {
        memcpy(s->bodies.position, k->position, n * sizeof *k->position);
        memcpy(s->bodies.anchor, k->anchor, n * sizeof *k->anchor);
        k->bodies = 0;
        return named;
    }
    memcpy(k->listed, s->bodies.anchor, n * sizeof *k->listed);
    if (s->def.deform.deforms && scr_cell_reduce(&s->def, &s->cell)) {
        s->list_stale = true;
    }
    const Lattice now = lattice(&s->def, s->def.deform.vector);
    const Lattice built =
        lattice(&s->def, s->def.deform.deforms ? s->cell.built : s->def.deform.vector);
    wrap_bodies(s, &now, &built);
    if (!named) {
        s->contacts.count = 0;
    }
    return named;
}

void scr_images_free(Images *k) {
    SCR_FREE_BLOCKS(&k->listed_block, &k->position_block, &k->anchor_block, &k->origin_block,
                    &k->turns_block, &k->list_block);
    *k = (Images){0};
}
