/* The linked linear list: bounding boxes whose beginnings and ends are kept sorted along each axis
 * (Muth, Mueller, Eberhard and Luding, "Contacts between many bodies", section 2.3).
 *
 * From list to list the sequences change little, so they are sorted by insertion: neighbours are
 * exchanged. There are four kinds of exchange. Two beginnings, or two ends: nothing happens. A
 * beginning moves ahead of an end: the boxes now overlap along this axis, and if they do along the
 * others too, the pair is new. An end moves ahead of a beginning: the boxes part, and the pair
 * goes. Nothing else changes the set of overlapping boxes, so nothing else is looked at; the list
 * consists of those pairs of the set that are near.
 *
 * Boxes are slightly larger than the reach, by more than rounding can matter. Along an axis that is
 * not periodic, ends are compared by value alone, exactly as in the test of overlap, so the two
 * always agree.
 *
 * Along a periodic axis the sequence is a ring, cut where the cell begins. Ends first move along
 * the line past the cut. Then those that passed it upwards are taken from the back to the front and
 * exchanged with the ones that they have overtaken there; after that, those that went downwards,
 * from the front to the back. Taking them round does not change the order on the ring, so the
 * exchanges are still all that happens. Two boxes on a ring may meet on both sides, and positions
 * are known only to the rounding of the period: there the test of overlap decides, and it is
 * slightly generous.
 *
 * When bodies were added, or have moved so far that exchanging would cost more, the ends are sorted
 * from scratch, and a sweep along one axis finds the boxes that overlap. */
#include "broad/pair_set.h"
#include "broad/space_order.h"

#include <string.h>

/* A beginning or an end of a box. */
typedef struct End {
    double value;
    int32_t id;    /* twice the body, plus one for an end */
    int32_t turns; /* how many times round the ring its value is ahead of the position */
} End;

/* A box about the centre of a body; its reach is half a side. */
typedef Spot Box;

typedef struct Linear {
    const Space *space;
    SearchCounts *counts;
    Box *box;    /* [bodies] now */
    End *end[3]; /* [2 bodies] sorted, along each axis */
    PairSet set;
    size_t near;       /* number of added pairs whose bodies are near */
    uint64_t patience; /* exchanges left before sorting from scratch becomes the better choice */
    ScreeStatus status;
} Linear;

static bool is_end(const End *e) {
    return (e->id & 1) != 0;
}

static size_t body_of(const End *e) {
    return (size_t)(e->id >> 1);
}

/* ---------------------------------------------------------------- boxes */

static Box box_of(const Space *s, size_t i) {
    Spot spot = scr_spot(s->in, i);
    double size = 0;
    for (int axis = 0; axis < s->axes; axis++) {
        size = scr_max(size, fabs(component(spot.x, axis)));
        if (s->in->def->periodic[axis]) {
            size = scr_max(size, fabs(scr_cell_low(s->in->def, axis)) +
                                     2 * scr_cell_side(s->in->def, axis));
        }
    }
    return (Box){spot.x, spot.reach * (1 + 0x1p-20) + size * 0x1p-49};
}

static double nearest(double d, double side) {
    return d - side * nearbyint(d / side);
}

/* Whether two boxes overlap along one axis. */
static inline bool overlap_along(const Space *s, int axis, const Box *a, const Box *b) {
    double x = component(a->x, axis), y = component(b->x, axis);
    if (s->in->def->periodic[axis]) {
        double side = scr_cell_side(s->in->def, axis);
        return fabs(nearest(y - x, side)) <= (a->reach + b->reach) * (1 + 0x1p-20) + side * 0x1p-40;
    }
    return x - a->reach <= y + b->reach && y - b->reach <= x + a->reach;
}

static bool overlap(const Space *s, const Box *a, const Box *b) {
    return overlap_along(s, 0, a, b) && overlap_along(s, 1, a, b) &&
           (s->axes < 3 || overlap_along(s, 2, a, b));
}

static double value_of(const Linear *l, int axis, const End *e) {
    const Box *b = &l->box[body_of(e)];
    double x = component(b->x, axis);
    double value = is_end(e) ? x + b->reach : x - b->reach;
    return e->turns == 0 ? value : value + e->turns * scr_cell_side(l->space->in->def, axis);
}

/* ---------------------------------------------------------------- events */

static void try_pair(Linear *l, size_t i, size_t j) {
    const Space *s = l->space;
    l->counts->tested++;
    if (i == j || !overlap(s, &l->box[i], &l->box[j])) {
        return;
    }
    bool is_new = false;
    if (!scr_pair_set_add(&l->set, scr_pair((int32_t)i, (int32_t)j), &is_new)) {
        l->status = SCREE_NO_MEMORY;
    }
    if (is_new) {
        const Spot a = scr_spot(s->in, i), b = scr_spot(s->in, j);
        l->near += scr_is_near(s->in, s->periodic, &a, &b);
        if (l->near > s->in->pair_limit && l->status == SCREE_OK) {
            l->status = SCREE_TOO_CROWDED;
        }
    }
}

/* End e overtakes `other`, which was ahead of it. */
static inline void exchange(Linear *l, bool ring, const End *e, const End *other) {
    l->counts->exchanged++;
    l->patience--;
    if (is_end(e) == is_end(other)) {
        return; /* two beginnings or two ends */
    }
    size_t i = body_of(e), j = body_of(other);
    if (!is_end(e)) {
        try_pair(l, i, j);
    } else if (!ring || !overlap(l->space, &l->box[i], &l->box[j])) {
        scr_pair_set_remove(&l->set, scr_pair((int32_t)i, (int32_t)j));
    }
}

/* Boxes that just touch count as overlapping: at equal values the beginning comes first. */
static inline bool comes_before(const End *a, const End *b) {
    return a->value < b->value || (a->value == b->value && !is_end(a) && is_end(b));
}

static void sort_by_insertion(Linear *l, int axis) {
    End *end = l->end[axis];
    size_t n = 2 * l->space->in->count;
    bool ring = l->space->in->def->periodic[axis];
    for (size_t k = 1; k < n && l->status == SCREE_OK && l->patience < UINT64_MAX / 2; k++) {
        const End e = end[k];
        size_t to = k;
        for (; to > 0 && comes_before(&e, &end[to - 1]); to--) {
            exchange(l, ring, &e, &end[to - 1]);
            end[to] = end[to - 1];
        }
        end[to] = e;
    }
}

/* ---------------------------------------------------------------- the ring */

/* Takes the ends that have passed the upper edge of the cell (`up`), or its lower one, round to the
 * other end of the sequence. */
static bool turn_ring(Linear *l, int axis, bool up, Block *spare) {
    End *end = l->end[axis];
    size_t n = 2 * l->space->in->count, moved = 0;
    double low = scr_cell_low(l->space->in->def, axis);
    double high = low + scr_cell_side(l->space->in->def, axis);
    while (moved < n && (up ? end[n - 1 - moved].value >= high : end[moved].value < low)) {
        moved++;
    }
    if (moved == 0) {
        return true;
    }
    if (!scr_block_reserve(spare, moved, sizeof(End), 0)) {
        return false;
    }
    End *part = spare->data;
    memcpy(part, up ? &end[n - moved] : end, moved * sizeof(End));
    memmove(up ? &end[moved] : end, up ? end : &end[moved], (n - moved) * sizeof(End));
    End *to = up ? end : &end[n - moved];
    for (size_t i = 0; i < moved; i++) {
        part[i].turns += up ? -1 : 1;
        part[i].value = value_of(l, axis, &part[i]);
        to[i] = part[i];
    }
    return true;
}

/* ---------------------------------------------------------------- step by step */

/* Moves the ends from where the boxes were to where they are now. False when a box has changed so
 * much in size that an end may have gone round the ring the other way than its centre. */
static bool move_ends(Linear *l, const Box *before) {
    const Space *s = l->space;
    for (int axis = 0; axis < s->axes; axis++) {
        bool ring = s->in->def->periodic[axis];
        double side = ring ? scr_cell_side(s->in->def, axis) : 0;
        for (size_t k = 0; k < 2 * s->in->count; k++) {
            End *e = &l->end[axis][k];
            size_t i = body_of(e);
            if (ring) {
                double moved = component(l->box[i].x, axis) - component(before[i].x, axis);
                double turns = nearbyint(moved / side);
                if (!(fabs(turns) < 1e6) || fabs(l->box[i].reach - before[i].reach) > 0.25 * side) {
                    return false;
                }
                e->turns -= (int32_t)turns;
            }
            e->value = value_of(l, axis, e);
        }
    }
    return true;
}

static void update(Linear *l, Block *spare) {
    const Space *s = l->space;
    for (int axis = 0; axis < s->axes; axis++) {
        sort_by_insertion(l, axis);
        for (int up = 1; up >= 0 && s->in->def->periodic[axis] && l->status == SCREE_OK; up--) {
            if (!turn_ring(l, axis, up, spare)) {
                l->status = SCREE_NO_MEMORY;
                return;
            }
            sort_by_insertion(l, axis);
        }
    }
}

/* ---------------------------------------------------------------- from scratch */

/* Bottom-up merge sort with a spare array. */
static void sort_from_nothing(End *end, End *spare, size_t n) {
    End *from = end, *to = spare;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * width) {
            size_t middle = begin + width < n ? begin + width : n;
            size_t last = begin + 2 * width < n ? begin + 2 * width : n;
            size_t a = begin, b = middle;
            for (size_t k = begin; k < last; k++) {
                bool second = a == middle || (b < last && comes_before(&from[b], &from[a]));
                to[k] = from[second ? b++ : a++];
            }
        }
        End *other = from;
        from = to;
        to = other;
    }
    if (from != end) {
        memcpy(end, from, n * sizeof *end);
    }
}

static void make_ends(Linear *l, int axis) {
    const ScreeWorldDef *def = l->space->in->def;
    for (size_t k = 0; k < 2 * l->space->in->count; k++) {
        End *e = &l->end[axis][k];
        *e = (End){.id = (int32_t)k};
        e->value = value_of(l, axis, e);
        if (def->periodic[axis]) {
            double low = scr_cell_low(def, axis), side = scr_cell_side(def, axis);
            e->turns = (int32_t)-scr_max(-1e9, scr_min(1e9, floor((e->value - low) / side)));
            e->value = value_of(l, axis, e);
        }
    }
}

/* For each box, tries those that begin within it, going along the axis and round the ring. */
static void sweep(Linear *l, int axis) {
    const ScreeWorldDef *def = l->space->in->def;
    const End *end = l->end[axis];
    size_t n = 2 * l->space->in->count;
    bool ring = def->periodic[axis];
    double side = ring ? scr_cell_side(def, axis) : 0;
    for (size_t k = 0; k < n && l->status == SCREE_OK; k++) {
        size_t i = body_of(&end[k]);
        double slack = ring ? side * 0x1p-30 : 0;
        double last = end[k].value + 2 * l->box[i].reach * (1 + 0x1p-20) + slack;
        if (is_end(&end[k])) {
            continue;
        }
        last = ring ? last : value_of(l, axis, &(End){.id = end[k].id | 1});
        for (size_t step = 1; step < n && l->status == SCREE_OK; step++) {
            bool round = k + step >= n;
            const End *e = &end[round ? k + step - n : k + step];
            if ((round && !ring) || e->value + (round ? side : 0) > last) {
                break;
            }
            if (!is_end(e)) {
                try_pair(l, i, body_of(e));
            }
        }
    }
}

/* The axis along which the bodies are spread out most. */
static int widest_axis(const Linear *l) {
    int widest = 0;
    double most = -1;
    for (int axis = 0; axis < l->space->axes; axis++) {
        double low, high;
        scr_extent(l->space->in, axis, &low, &high);
        widest = high - low > most ? axis : widest;
        most = scr_max(most, high - low);
    }
    return widest;
}

static void begin_anew(Linear *l, Neighbours *nb) {
    size_t n = 2 * l->space->in->count;
    l->counts->renewals++;
    l->near = 0;
    l->status = SCREE_OK;
    l->patience = UINT64_MAX / 4;
    if (!scr_pair_set_begin(&l->set, &nb->work[7], &nb->work[8]) ||
        !scr_block_reserve(&nb->work[9], n, sizeof(End), 0)) {
        l->status = SCREE_NO_MEMORY;
        return;
    }
    for (int axis = 0; axis < l->space->axes; axis++) {
        make_ends(l, axis);
        sort_from_nothing(l->end[axis], nb->work[9].data, n);
    }
    sweep(l, widest_axis(l));
}

/* ---------------------------------------------------------------- the method */

static bool take_memory(Linear *l, Neighbours *nb, Box **before) {
    size_t n = l->space->in->count, kept = nb->memory.bodies;
    bool ok = scr_block_reserve_exact(&nb->work[3], n, sizeof(Box), kept * sizeof(Box));
    for (int axis = 0; axis < l->space->axes && ok; axis++) {
        ok = scr_block_reserve_exact(&nb->work[4 + axis], 2 * n, sizeof(End),
                                     2 * kept * sizeof(End));
        l->end[axis] = nb->work[4 + axis].data;
    }
    *before = nb->work[3].data;
    return ok;
}

/* Lists those pairs of overlapping boxes whose bodies are near. */
static ScreeStatus choose_near(Linear *l, Neighbours *nb) {
    const Space *s = l->space;
    if (!scr_pairs_reserve(nb, l->set.count + 1)) {
        return SCREE_NO_MEMORY;
    }
    l->counts->tested += l->set.count;
    for (size_t k = 0; k < l->set.count; k++) {
        Pair p = l->set.pair[k];
        const Spot a = scr_spot(s->in, (size_t)p.a), b = scr_spot(s->in, (size_t)p.b);
        bool near = scr_is_near(s->in, s->periodic, &a, &b);
        nb->pair[nb->count] = p;
        nb->count += near;
        if (!near && s->periodic && !overlap(s, &l->box[p.a], &l->box[p.b])) {
            scr_pair_set_remove(&l->set, p); /* kept until now by the generous test */
            k--;
        }
    }
    return nb->count > s->in->pair_limit ? SCREE_TOO_CROWDED : SCREE_OK;
}

ScreeStatus scr_linked_linear_list(const Space *s, Neighbours *nb) {
    size_t n = s->in->count;
    Linear l = {.space = s, .counts = &nb->counts};
    Box *before = NULL;
    if (!take_memory(&l, nb, &before)) {
        return SCREE_NO_MEMORY;
    }
    l.box = s->spot;
    for (size_t i = 0; i < n; i++) {
        l.box[i] = box_of(s, i);
    }
    bool known = nb->memory.bodies == n;
    nb->memory.bodies = 0; /* until everything is in order again */
    if (known) {
        l.set = (PairSet){.count = nb->memory.pairs,
                          .pair = nb->work[7].data,
                          .table = nb->work[8].data,
                          .mask = nb->memory.slots - 1,
                          .pair_block = &nb->work[7],
                          .table_block = &nb->work[8]};
        l.patience = (uint64_t)(4 * (double)n * (scr_cbrt((double)n * (double)n) + 64));
        known = move_ends(&l, before);
    }
    if (known) {
        update(&l, &nb->work[9]);
        known = l.patience < UINT64_MAX / 2 && l.status != SCREE_NO_MEMORY;
    }
    if (!known) {
        begin_anew(&l, nb);
    }
    if (l.status == SCREE_NO_MEMORY) {
        return l.status;
    }
    ScreeStatus status = choose_near(&l, nb);
    if (status == SCREE_OK) {
        memcpy(before, l.box, n * sizeof *before);
        nb->memory.bodies = n;
        nb->memory.pairs = l.set.count;
        nb->memory.slots = l.set.mask + 1;
    }
    return status;
}
