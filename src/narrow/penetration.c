#include "narrow/penetration.h"

#include "narrow/narrow.h"

/* ---------------------------------------------------------------- one corner */

/* A corner that may have entered a part, in the frame of the outline that the part belongs to. */
typedef struct Probe {
    double x, y;
    double rounding; /* of both together */
    double zone;     /* within this distance it is a contact point */
} Probe;

/* What it has met. */
typedef struct Hit {
    double gap;
    double nx, ny; /* unit, out of the part */
    int32_t at;    /* the corner, or the one where the edge begins */
    bool is_corner;
    double distance; /* from a corner, negative inside */
    bool surplus;
} Hit;

/* The corner in hand, whose it is, and the list that its contact points go to. */
typedef struct Search {
    Vec3 centre;       /* of the corner's outline, relative to the centre of a */
    bool from_a;       /* the corner belongs to a */
    int32_t corner;    /* its number */
    Vec3 at;           /* relative to the centre of a */
    double own, other; /* roundings of the corner and of what it enters */
    Penetrations *list;
} Search;

static int32_t name_of(const Search *s, const Hit *h) {
    if (s->from_a) {
        return scr_feature(2 * s->corner, h->is_corner ? 2 * h->at : 2 * h->at + 1);
    }
    int32_t at = (h->is_corner ? h->at + ENTERED_CORNER : h->at) % MOST_CORNERS;
    return scr_feature(2 * at + 1, 2 * s->corner);
}

bool scr_continues_as(int32_t feature, int32_t other) {
    int32_t a = scr_feature_a(feature), b = scr_feature_b(feature);
    int32_t c = scr_feature_a(other), d = scr_feature_b(other);
    if (a % 2 == 0) {
        return a == c && b % 2 != d % 2;
    }
    return b == d && c % 2 == 1 && (a / 2 >= ENTERED_CORNER) != (c / 2 >= ENTERED_CORNER);
}

static bool append(const Search *s, const Hit *h) {
    Penetrations *l = s->list;
    if (!scr_block_reserve(&l->block, l->count + 1, sizeof *l->item, l->count * sizeof *l->item)) {
        return false;
    }
    l->item = l->block.data;
    Vec3 out = vec3(h->nx, h->ny, 0);
    l->item[l->count++] = (Penetration){
        .gap = h->gap,
        .normal = s->from_a ? scale(-1, out) : out,
        .arm = add_scaled(s->at, -(s->own + 0.5 * h->gap), out),
        .feature = name_of(s, h),
        .distance = h->distance,
        .surplus = h->surplus,
        .lever = (s->from_a ? s->own : s->other) + 0.5 * h->gap,
    };
    return true;
}

static inline int32_t next_of(const OutlinePart *part, int32_t k) {
    return k + 1 < part->first + part->count ? k + 1 : part->first;
}

/* By ray crossing: from inside, a ray to the right crosses the boundary an odd number of times. */
static bool is_inside(const Corner *corner, const OutlinePart *part, const Probe *p) {
    bool inside = false;
    for (int32_t k = part->first; k < part->first + part->count; k++) {
        const Corner *c = &corner[k];
        double end = corner[next_of(part, k)].y;
        if ((c->y > p->y) != (end > p->y)) {
            double along = (p->y - c->y) / (end - c->y);
            inside ^= p->x < c->x + along * c->length * c->tx;
        }
    }
    return inside;
}

/* The nearest point of the boundary. */
static bool hit_from_inside(const Corner *corner, const OutlinePart *part, const Probe *p,
                            const Search *search) {
    double least = INFINITY;
    Hit hit = {0};
    for (int32_t k = part->first; k < part->first + part->count; k++) {
        const Corner *c = &corner[k];
        double dx = p->x - c->x, dy = p->y - c->y, along = dx * c->tx + dy * c->ty;
        double square;
        bool foot = along > 0 && along <= c->length;
        if (foot) {
            double depth = dy * c->tx - dx * c->ty;
            square = depth * depth;
        } else {
            square = along <= 0 ? dx * dx + dy * dy
                                : INFINITY; /* the end is where the next edge begins */
        }
        if (square < least) {
            least = square;
            double depth = sqrt(square);
            bool away = !foot && depth > 0;
            hit = (Hit){
                .gap = -depth - p->rounding,
                .nx = away ? -dx / depth : c->ty,
                .ny = away ? -dy / depth : -c->tx,
                .at = k,
                .is_corner = !foot,
                .distance = foot ? 0 : -depth,
            };
        }
    }
    return append(search, &hit);
}

static bool hit_corner(const Corner *c, int32_t k, const Probe *p, const Search *search,
                       bool surplus) {
    double dx = p->x - c->x, dy = p->y - c->y, distance = sqrt(dx * dx + dy * dy);
    if (!(distance < (surplus ? p->rounding : p->zone))) {
        return true;
    }
    Hit hit = {distance - p->rounding, 0, 0, k, true, distance, surplus};
    bool apart = distance > 0;
    hit.nx = apart ? dx / distance : (search->from_a ? -1 : 1); /* as in scr_touch_balls */
    hit.ny = apart ? dy / distance : 0;
    return append(search, &hit);
}

/* A point relative to an edge: how far along it, and how far outside of it. */
typedef struct Across {
    double along, side;
} Across;

static inline Across seen_from(const Corner *e, double x, double y) {
    double dx = x - e->x, dy = y - e->y;
    return (Across){dx * e->tx + dy * e->ty, dx * e->ty - dy * e->tx};
}

/* At the corner where the edge before ends and this one begins. */
static bool hit_at_corner(const Corner *c, int32_t k, const Probe *p, Across before,
                          double length_before, Across now, const Search *search) {
    if (!c->reflex) {
        bool beyond = before.along > length_before && now.along <= 0;
        return !beyond || hit_corner(c, k, p, search, false);
    }
    bool between = before.along < length_before && before.side > 0 && now.along > 0 && now.side > 0;
    return !between || hit_corner(c, k, p, search, true);
}

/* Every edge that the corner in hand projects onto, and every convex corner whose edges both end
 * before it. Each of these is a local minimum of the distance; a reflex corner between two of them
 * is a local maximum. */
static bool hit_from_outside(const Corner *corner, const OutlinePart *part, const Probe *p,
                             const Search *search) {
    if (part->count == 1) {
        return hit_corner(&corner[part->first], part->first, p, search, false);
    }
    int32_t last = part->first + part->count - 1;
    Across before = seen_from(&corner[last], p->x, p->y);
    double length_before = corner[last].length;
    for (int32_t k = part->first; k <= last; k++) {
        const Corner *c = &corner[k];
        Across now = seen_from(c, p->x, p->y);
        if (!hit_at_corner(c, k, p, before, length_before, now, search)) {
            return false;
        }
        bool foot = now.along > 0 && now.along <= c->length;
        if (foot && now.side >= 0 && now.side < p->zone) {
            Hit hit = {.gap = now.side - p->rounding, .nx = c->ty, .ny = -c->tx, .at = k};
            if (!append(search, &hit)) {
                return false;
            }
        }
        before = now;
        length_before = c->length;
    }
    return true;
}

/* ---------------------------------------------------------------- thin parts */

/* A part of two corners, which has no inside, and a part that may have gone through it. */
typedef struct Thin {
    const Corner *segment; /* its first edge */
    int32_t edge;          /* its number */
    const Corner *corner;
    const OutlinePart *part;
    Vec3 shift; /* from the frame of the corners to that of the segment */
    double rounding;
} Thin;

static Across across(const Thin *t, int32_t k) {
    return seen_from(t->segment, t->corner[k].x + t->shift.x, t->corner[k].y + t->shift.y);
}

/* Consecutive corners on one side of a segment: from an edge that crosses the segment up to where
 * the outline crosses back or leaves the strip above the segment. */
typedef struct Run {
    int32_t first, count;
    double depth; /* the farthest that the outline gets from the segment */
} Run;

static int32_t step_from(const OutlinePart *part, int32_t k, int direction) {
    return direction > 0     ? next_of(part, k)
           : k > part->first ? k - 1
                             : part->first + part->count - 1;
}

static double side_at(Across a, Across b, double along) {
    double part = (along - a.along) / (b.along - a.along);
    return a.side + part * (b.side - a.side);
}

static Run run_from(const Thin *t, Across crossing, int32_t first, int direction) {
    Run run = {first, 0, 0};
    Across last = crossing;
    bool side = across(t, first).side > 0;
    for (int32_t k = first; run.count < t->part->count; k = step_from(t->part, k, direction)) {
        Across a = across(t, k);
        double end = a.along < 0 ? 0 : t->segment->length;
        if (a.along < 0 || a.along > end) {
            run.depth = scr_max(run.depth, fabs(side_at(last, a, end)));
            break;
        }
        if ((a.side > 0) != side) {
            break;
        }
        run.count++;
        run.depth = scr_max(run.depth, fabs(a.side));
        last = a;
    }
    return run;
}

static bool is_listed(const Penetrations *list, size_t from, int32_t feature) {
    for (size_t i = from; i < list->count; i++) {
        if (list->item[i].feature == feature) {
            return true;
        }
    }
    return false;
}

/* The corners of the shallower of the two runs at an edge that crosses the segment. */
static bool hit_run(const Thin *t, Across crossing, int32_t k, Search *search, size_t from) {
    Run ahead = run_from(t, crossing, next_of(t->part, k), 1);
    Run behind = run_from(t, crossing, k, -1);
    int direction = ahead.depth < behind.depth ? 1 : -1;
    Run run = direction > 0 ? ahead : behind;
    int32_t at = run.first;
    for (int32_t i = 0; i < run.count; i++, at = step_from(t->part, at, direction)) {
        double side = across(t, at).side, sign = side > 0 ? -1 : 1; /* back to where it came from */
        Hit hit = {.gap = -fabs(side) - t->rounding,
                   .nx = sign * t->segment->ty,
                   .ny = -sign * t->segment->tx,
                   .at = t->edge + (side > 0)};
        search->corner = at;
        search->at = add(search->centre, vec3(t->corner[at].x, t->corner[at].y, 0));
        if (!t->corner[at].reflex && !is_listed(search->list, from, name_of(search, &hit)) &&
            !append(search, &hit)) {
            return false;
        }
    }
    return true;
}

/* The corners that have gone through the segment. */
static bool hit_through(const Thin *t, Search *search) {
    size_t from = search->list->count;
    for (int32_t k = t->part->first; k < t->part->first + t->part->count; k++) {
        Across a = across(t, k), b = across(t, next_of(t->part, k));
        if ((a.side > 0) == (b.side > 0)) {
            continue;
        }
        Across crossing = {a.along + (b.along - a.along) * (a.side / (a.side - b.side)), 0};
        if (crossing.along >= 0 && crossing.along <= t->segment->length &&
            !hit_run(t, crossing, k, search, from)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- two outlines */

static bool in_box(const Outline *o, double x, double y, double margin) {
    return x > o->low[0] - margin && x < o->high[0] + margin && y > o->low[1] - margin &&
           y < o->high[1] + margin;
}

/* Whether a corner already has a contact point with some edge of a part. */
static bool went_through(const Search *s, size_t from, int32_t edge) {
    const Hit first = {.at = edge}, second = {.at = edge + 1};
    return is_listed(s->list, from, name_of(s, &first)) ||
           is_listed(s->list, from, name_of(s, &second));
}

/* Corners of one part that have entered one part of `other`. */
static bool enter_part(const Outline *o, const OutlinePart *own, const Outline *other,
                       const OutlinePart *part, Vec3 shift, double reach, Search *search) {
    const double rounding = own->rounding + part->rounding;
    const bool thin = part->count == 2 && own->count > 1;
    size_t from = search->list->count;
    search->own = own->rounding;
    search->other = part->rounding;
    const Thin through = {
        &other->corner[part->first], part->first, o->corner, own, shift, rounding};
    if (thin && !hit_through(&through, search)) {
        return false;
    }
    for (int32_t k = own->first; k < own->first + own->count; k++) {
        const Corner *c = &o->corner[k];
        const Probe p = {c->x + shift.x, c->y + shift.y, rounding, rounding + reach};
        if (c->reflex || !in_box(other, p.x, p.y, own->rounding + reach)) {
            continue;
        }
        search->corner = k;
        search->at = add(search->centre, vec3(c->x, c->y, 0));
        bool ok = true;
        if (thin && went_through(search, from, part->first)) {
            continue;
        }
        if (part->count > 2 && is_inside(other->corner, part, &p)) {
            ok = hit_from_inside(other->corner, part, &p, search);
        } else if (p.zone > 0) {
            ok = hit_from_outside(other->corner, part, &p, search);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* Corners of o that have entered the other outline; `shift` is the centre of o relative to that of
 * the other. */
static bool enter(const Outline *o, const Outline *other, Vec3 shift, double reach,
                  Search *search) {
    for (int32_t i = 0; i < o->parts; i++) {
        for (int32_t j = 0; j < other->parts; j++) {
            const OutlinePart *own = &o->part[i], *part = &other->part[j];
            bool by_centre = part->count == 1 && (own->count > 1 || !search->from_a);
            if (!by_centre && !enter_part(o, own, other, part, shift, reach, search)) {
                return false;
            }
        }
    }
    return true;
}

ScreeStatus scr_penetrate_outlines(const Outline *a, const Outline *b, Vec3 d, double reach,
                                   Penetrations *list) {
    for (int i = 0; i < 2; i++) {
        double from = i == 0 ? d.x : d.y;
        if (a->high[i] + reach <= from + b->low[i] || from + b->high[i] + reach <= a->low[i]) {
            return SCREE_OK;
        }
    }
    Search into_b = {.from_a = true, .list = list};
    Search into_a = {.centre = d, .from_a = false, .list = list};
    return enter(a, b, scale(-1, d), reach, &into_b) && enter(b, a, d, reach, &into_a)
               ? SCREE_OK
               : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- walls */

ScreeStatus scr_penetrate_surface(const ScreeWorldDef *def, const Outline *o, Vec3 seen,
                                  const ScreeWallDef *wall, double reach, Penetrations *list) {
    Search search = {.from_a = true, .list = list};
    for (int32_t i = 0; i < o->parts; i++) {
        const OutlinePart *part = &o->part[i];
        search.own = part->rounding;
        for (int32_t k = part->first; k < part->first + part->count; k++) {
            search.corner = k;
            search.at = vec3(o->corner[k].x, o->corner[k].y, 0);
            Touch touch = scr_touch_wall(def, wall, add(seen, search.at), part->rounding);
            const Hit hit = {.gap = touch.gap, .nx = -touch.normal.x, .ny = -touch.normal.y};
            if (!o->corner[k].reflex && touch.gap < reach && !append(&search, &hit)) {
                return SCREE_NO_MEMORY;
            }
        }
    }
    return SCREE_OK;
}
