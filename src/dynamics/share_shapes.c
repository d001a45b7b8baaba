/* What pairs with several contact points ask for. */
#include "dynamics/share.h"

#include "base/status.h"
#include "math/reduce.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the points of a pair */

ScreeStatus scr_share_number_points(Share *s) {
    const Contacts *k = &s->local.contacts;
    if (!SCR_RESERVE(s, point, k->count + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < k->count; i++) {
        const bool next = i > 0 && scr_same_pair(&k->item[i], &k->item[i - 1]);
        s->point[i] = next ? s->point[i - 1] + 1 : 0;
    }
    return SCREE_OK;
}

/* A contact on its way to its place. */
typedef struct Point {
    uint64_t pair; /* name */
    int32_t number;
    Contact contact;
    ScreeContactExtra extra;
} Point;

static int by_pair(const void *x, const void *y) {
    const Point *a = x, *b = y;
    return a->pair != b->pair ? (a->pair < b->pair ? -1 : 1)
                              : (a->number > b->number) - (a->number < b->number);
}

ScreeStatus scr_share_sort_points(Share *s) {
    Contacts *k = &s->local.contacts;
    if (!scr_block_reserve(&s->sort_block, k->count + 1, sizeof(Point), 0)) {
        return SCREE_NO_MEMORY;
    }
    Point *point = s->sort_block.data;
    for (size_t i = 0; i < k->count; i++) {
        const Contact *c = &k->item[i];
        point[i] = (Point){scr_pair_name(&s->local, c->a, c->b), s->point[i], *c, {.opening = -1}};
        if (k->extra != NULL) {
            point[i].extra = k->extra[i];
        }
    }
    qsort(point, k->count, sizeof *point, by_pair);
    for (size_t i = 0; i < k->count; i++) {
        k->item[i] = point[i].contact;
        s->point[i] = point[i].number;
        if (k->extra != NULL) {
            k->extra[i] = point[i].extra;
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- where they are */

/* 0 of a body that is everywhere. */
static double distance(const State *s, int32_t body, Vec3 from) {
    if (body < 0 || s->bodies.radius[body] > s->large) {
        return 0;
    }
    const Vec3 d = scr_nearest_image(&s->def, sub(s->bodies.position[body], from));
    return scr_max(fabs(d.x), scr_max(fabs(d.y), fabs(d.z)));
}

/* A point that is foreseen may be far from where the surfaces of its bodies are near each other now, and
 * boxes at the edge of the grid may have points of large bodies far beyond it; so the bounds that hold for
 * other contacts say nothing of these. Whoever counts a pair finds all of its contacts. */
double scr_share_layer_of_contacts(const Share *s, const Boxes *boxes,
                                   const OrderContact *contact) {
    const State *l = &s->local;
    double most = 0;
    for (size_t i = 0; i < l->contacts.count; i++) {
        const Contact *c = &l->contacts.item[i];
        const Vec3 centre = scr_box_centre(boxes, contact[i].box);
        most = scr_max(most, scr_max(distance(l, c->a, centre), distance(l, c->b, centre)));
    }
    scr_most_over_processes(s->with, &most, 1);
    return most;
}

/* ---------------------------------------------------------------- foresight */

enum { FORESEEN_NUMBERS = sizeof(Foreseen) / sizeof(double) };
_Static_assert(sizeof(Foreseen) % sizeof(double) == 0, "an entry is sent as numbers");

static Pair named(const Share *s, Pair p) {
    return (Pair){s->name[p.a], p.b >= 0 ? s->name[p.b] : p.b};
}

ScreeStatus scr_share_take_foresight(Share *s, Foresight *local) {
    const Foresight *all = &s->foresight;
    if (!scr_block_reserve(&s->sort_block, all->count + 1, sizeof(Foreseen), 0)) {
        return SCREE_NO_MEMORY;
    }
    Foreseen *here = s->sort_block.data;
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        Foreseen f = all->item[i];
        f.pair.a = s->place[f.pair.a];
        f.pair.b = f.pair.b >= 0 ? s->place[f.pair.b] : f.pair.b;
        if (f.pair.a >= 0 && (all->item[i].pair.b < 0 || f.pair.b >= 0)) {
            here[count++] = f;
        }
    }
    local->count = 0;
    return scr_add_foreseen(local, here, count);
}

ScreeStatus scr_share_note_foreseen(Share *s, const Foreseen *own, size_t count, size_t *noted) {
    if (!scr_block_reserve(&s->sort_block, *noted + count + 1, sizeof *own, *noted * sizeof *own)) {
        return SCREE_NO_MEMORY;
    }
    Foreseen *to = s->sort_block.data;
    for (size_t i = 0; i < count; i++) {
        if (scr_counts_pair(&s->local, own[i].pair.a, own[i].pair.b)) {
            to[*noted] = own[i];
            to[(*noted)++].pair = named(s, own[i].pair);
        }
    }
    return SCREE_OK;
}

ScreeStatus scr_share_foresight(Share *s, size_t noted, Foresight *local, bool *found) {
    size_t total = 0;
    double most[] = {local->missed, local->deepest};
    scr_most_over_processes(s->with, most, sizeof most / sizeof most[0]);
    local->missed = most[0];
    local->deepest = most[1];
    if (scr_gather_records(s->with, s->sort_block.data, noted, FORESEEN_NUMBERS, &total,
                           &s->all_block) == NULL) {
        return SCREE_NO_MEMORY;
    }
    *found = total > 0;
    SCR_TRY(scr_add_foreseen(&s->foresight, s->all_block.data, total));
    return *found ? scr_share_take_foresight(s, local) : SCREE_OK;
}
