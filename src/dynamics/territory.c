#include "dynamics/territory.h"

#include <stdlib.h>

/* So many bodies tell where to cut. */
enum { SAMPLE = 1 << 16 };

/* By one axis, then by the others: no two libraries sort in another way. */
static int along(const void *x, const void *y, int axis) {
    for (int k = 0; k < 3; k++, axis = (axis + 1) % 3) {
        const double a = component(((const TerritoryBody *)x)->position, axis),
                     b = component(((const TerritoryBody *)y)->position, axis);
        if (a != b) {
            return a < b ? -1 : 1;
        }
    }
    return 0;
}

static int along_x(const void *x, const void *y) {
    return along(x, y, 0);
}

static int along_y(const void *x, const void *y) {
    return along(x, y, 1);
}

static int along_z(const void *x, const void *y) {
    return along(x, y, 2);
}

static int longest_axis(const TerritoryBody *body, size_t count) {
    double longest = -1;
    int best = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = scr_min(low, component(body[i].position, axis));
            high = scr_max(high, component(body[i].position, axis));
        }
        if (high - low > longest) {
            longest = high - low;
            best = axis;
        }
    }
    return best;
}

/* How many bodies have a part of the worth of all. */
static size_t first_of(const TerritoryBody *body, size_t count, double part) {
    double all = 0, taken = 0;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        all += body[i].worth;
    }
    while (first < count && taken + 0.5 * body[first].worth < part * all) {
        taken += body[first++].worth;
    }
    return first;
}

/* Between processes first .. first + processes - 1. */
static void cut_in_two(Territory *t, TerritoryBody *body, size_t count, int32_t first,
                       int32_t processes) {
    static int (*const order[3])(const void *, const void *) = {along_x, along_y, along_z};
    if (processes == 1) {
        return;
    }
    const int32_t half = processes / 2;
    const int axis = longest_axis(body, count);
    qsort(body, count, sizeof *body, order[axis]);
    const size_t below = first_of(body, count, (double)half / (double)processes);
    double at = 0;
    if (count > 0) {
        const size_t before = below > 0 ? below - 1 : 0, behind = below < count ? below : count - 1;
        at =
            0.5 * (component(body[before].position, axis) + component(body[behind].position, axis));
    }
    t->cut[first + half] = (TerritoryCut){axis, at};
    cut_in_two(t, body, below, first, half);
    cut_in_two(t, body + below, count - below, first + half, processes - half);
}

static double wrapped(const Territory *t, int axis, double x) {
    double period = t->period[axis];
    return period > 0 ? x - period * floor((x - t->low[axis]) / period) : x;
}

TerritoryFrame scr_territory_frame(const Territory *t, const ScreeWorldDef *def,
                                   const Vec3 edge[3]) {
    TerritoryFrame frame = {.oblique = def->deform.deforms || def->deform.tilted, .per = {1, 1, 1}};
    if (frame.oblique) {
        const CellFrame cell = scr_cell_frame(def, edge);
        frame.to = cell.to;
        frame.corner = cell.corner;
        for (int k = 0; k < 3; k++) {
            frame.per[k] = t->length[k] / component(cell.side, k);
        }
    }
    return frame;
}

void scr_territory_take_anchors(Territory *t, const State *s) {
    const Mat3 built = scr_edges_matrix(s->def.periodic, s->cell.built);
    const bool known = s->def.deform.deforms && mat3_determinant(&built) != 0; /* a list was made */
    t->anchors = scr_territory_frame(t, &s->def, known ? s->cell.built : s->def.deform.vector);
}

static Vec3 place_in(const TerritoryFrame *f, Vec3 x) {
    if (!f->oblique) {
        return x;
    }
    const Vec3 at = mat3_apply(&f->to, sub(x, f->corner));
    return vec3(f->per[0] * at.x, f->per[1] * at.y, f->per[2] * at.z);
}

bool scr_territory_cut(Territory *t, const ScreeWorldDef *def, TerritoryBody *body, size_t bodies,
                       int32_t processes) {
    if (!SCR_RESERVE(t, cut, (size_t)processes)) {
        return false;
    }
    t->count = processes;
    for (int axis = 0; axis < 3; axis++) {
        double side = component(def->cell_max, axis) - component(def->cell_min, axis);
        t->low[axis] = component(def->cell_min, axis);
        t->length[axis] = side;
        t->period[axis] = def->periodic[axis] ? side : 0;
    }
    if (def->deform.deforms || def->deform.tilted) {
        const CellFrame cell = scr_cell_frame(def, def->deform.vector);
        for (int axis = 0; axis < 3; axis++) {
            t->low[axis] = 0;
            t->length[axis] = component(cell.side, axis);
            t->period[axis] = def->periodic[axis] ? t->length[axis] : 0;
        }
    }
    const TerritoryFrame frame = scr_territory_frame(t, def, def->deform.vector);
    for (size_t i = 0; i < bodies; i++) {
        Vec3 *x = &body[i].position;
        *x = place_in(&frame, *x);
        *x = vec3(wrapped(t, 0, x->x), wrapped(t, 1, x->y), wrapped(t, 2, x->z));
    }
    cut_in_two(t, body, bodies, 0, processes);
    return true;
}

bool scr_territory_make(Territory *t, const ScreeWorldDef *def, const Vec3 *position, size_t bodies,
                        int32_t processes) {
    const size_t every = bodies / SAMPLE + 1, count = bodies / every;
    if (!scr_block_reserve(&t->sample_block, count + 1, sizeof(TerritoryBody), 0)) {
        return false;
    }
    TerritoryBody *sample = t->sample_block.data;
    for (size_t i = 0; i < count; i++) {
        sample[i] = (TerritoryBody){position[i * every], 1};
    }
    bool ok = scr_territory_cut(t, def, sample, count, processes);
    scr_block_free(&t->sample_block);
    return ok;
}

int32_t scr_territory_owner(const Territory *t, Vec3 x) {
    return scr_territory_owner_in(t, &t->anchors, x);
}

int32_t scr_territory_owner_in(const Territory *t, const TerritoryFrame *frame, Vec3 x) {
    x = place_in(frame, x);
    int32_t first = 0, count = t->count;
    while (count > 1) {
        const int32_t half = count / 2, middle = first + half;
        const TerritoryCut *cut = &t->cut[middle];
        if (wrapped(t, cut->axis, component(x, cut->axis)) < cut->at) {
            count = half;
        } else {
            first = middle;
            count -= half;
        }
    }
    return first;
}

/* ---------------------------------------------------------------- near a point */

typedef struct Look {
    const Territory *territory;
    double x[3], reach[3];
    int32_t *process;
    size_t count;
} Look;

/* Part of an axis; it ends nowhere if nothing is cut off. */
typedef struct Span {
    double low, high;
} Span;

static bool is_near(const Look *k, int axis, Span span) {
    const double x = k->x[axis], period = k->territory->period[axis], reach = k->reach[axis];
    bool near = x + reach >= span.low && x - reach <= span.high;
    if (!near && period > 0) {
        near = x + period - reach <= span.high || x - period + reach >= span.low;
    }
    return near;
}

/* Processes first .. first + count - 1, which have the part between the spans. */
static void look_at(Look *k, int32_t first, int32_t count, Span x, Span y, Span z) {
    if (count == 1) {
        k->process[k->count++] = first;
        return;
    }
    const int32_t half = count / 2;
    const TerritoryCut *cut = &k->territory->cut[first + half];
    for (int upper = 0; upper < 2; upper++) {
        Span part[3] = {x, y, z};
        *(upper ? &part[cut->axis].low : &part[cut->axis].high) = cut->at;
        if (is_near(k, cut->axis, part[cut->axis])) {
            look_at(k, upper ? first + half : first, upper ? count - half : half, part[0], part[1],
                    part[2]);
        }
    }
}

size_t scr_territory_near(const Territory *t, Vec3 x, double reach, int32_t *process) {
    Look k = {.territory = t, .process = process};
    x = place_in(&t->anchors, x);
    Span all[3];
    for (int axis = 0; axis < 3; axis++) {
        const double period = t->period[axis], low = t->low[axis];
        k.reach[axis] = t->anchors.oblique ? t->anchors.per[axis] * reach : reach;
        k.x[axis] = wrapped(t, axis, component(x, axis));
        all[axis] = (Span){period > 0 ? low : -INFINITY, period > 0 ? low + period : INFINITY};
    }
    look_at(&k, 0, t->count, all[0], all[1], all[2]);
    return k.count;
}

void scr_territory_free(Territory *t) {
    SCR_FREE_BLOCKS(&t->cut_block, &t->sample_block);
    *t = (Territory){0};
}
