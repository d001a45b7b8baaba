#include "narrow/rim_wall.h"

#include "narrow/narrow.h"
#include "narrow/outline_pair.h"
#include "narrow/rim_meet.h"
#include "narrow/rims.h"

typedef struct RimWall {
    const ScreeWorldDef *def;
    const ScreeWallDef *wall;
    Vec3 position;
    Rim rim;
    OutlineTouches *touches;
    double reach, size;
    ScreeStatus status;
} RimWall;

static const double parallel = 1e-9;

/* A point of the curve, from the body's centre, and the wall there. */
typedef struct WallPoint {
    Vec3 at;
    Touch touch;
} WallPoint;

static WallPoint look(const RimWall *w, double x, double y) {
    double at[2];
    scr_rim_turn(&w->rim, x, y, at);
    WallPoint p = {.at = vec3(at[0], at[1], 0)};
    p.touch = scr_touch_wall(w->def, w->wall, add(w->position, p.at), 0);
    return p;
}

/* dg/ds: the gap shrinks along the normal, which points into the wall. */
static double slope(const RimWall *w, const WallPoint *p, double tx, double ty) {
    double t[2];
    scr_rim_turn(&w->rim, tx, ty, t);
    return -(t[0] * p->touch.normal.x + t[1] * p->touch.normal.y);
}

/* dg/ds goes through zero on span k: by secants between its ends. */
static WallPoint descend(const RimWall *w, int32_t k) {
    const Rim *r = &w->rim;
    double t[2] = {scr_rim_begin(r, k), scr_rim_end(r, k)}, h[2], range = t[1] - t[0];
    WallPoint p;
    for (int i = 0; i < 2; i++) {
        RimPoint at = scr_rim_at(r, k, t[i]);
        p = look(w, at.x, at.y);
        h[i] = slope(w, &p, at.tx, at.ty);
    }
    int last = -1;
    for (int i = 0; i < 60; i++) {
        double middle = h[1] > h[0] ? t[0] - h[0] * (t[1] - t[0]) / (h[1] - h[0]) : t[0];
        middle = fmin(fmax(middle, t[0]), t[1]);
        RimPoint at = scr_rim_at(r, k, middle);
        p = look(w, at.x, at.y);
        double here = slope(w, &p, at.tx, at.ty);
        int side = here < 0 ? 0 : 1;
        if (fabs(here) < 1e-14 || t[1] - t[0] <= 1e-13 * range) {
            break;
        }
        t[side] = middle;
        h[side] = here;
        h[1 - side] *= side == last ? 0.5 : 1; /* an end that stays counts half: Illinois */
        last = side;
    }
    return p;
}

static void emit(RimWall *w, const WallPoint *p, int32_t k, bool at_node, bool spare) {
    if (!(p->touch.gap <= w->reach)) {
        return;
    }
    const OutlineTouch touch = {
        p->touch.gap,
        p->touch.normal,
        add_scaled(p->at, 0.5 * p->touch.gap, p->touch.normal),
        scr_feature(scr_curve_element(k, at_node, true), 1),
        spare,
    };
    if (!scr_join_touch(w->touches, &touch, 0.01 * w->size)) {
        w->status = SCREE_NO_MEMORY;
    }
}

/* The flanks of a place where curve and wall are nearly parallel: see rims.h. */
static void emit_flanks(RimWall *w, const WallPoint *lowest, int32_t k, bool at_node) {
    const Rim *r = &w->rim;
    for (int way = -1; way <= 1; way += 2) {
        int32_t node = way < 0 && !at_node ? scr_rim_next(r, k) : k, best = -1;
        WallPoint flank = *lowest;
        for (int32_t count = 0; count < r->count; count++) {
            node = way > 0 ? scr_rim_next(r, node) : scr_rim_previous(r, node);
            RimNode at = scr_rim_node(r, node);
            WallPoint p = look(w, at.x, at.y);
            double higher = p.touch.gap - lowest->touch.gap;
            if (higher > 8 * NURBS_BULGE * w->size || higher < -1e-9 * w->size) {
                break;
            }
            if (scr_is_flank(length(sub(p.at, lowest->at)), higher, 0.04 * w->size, w->size)) {
                flank = p;
                best = node;
            }
        }
        if (best >= 0) {
            emit(w, &flank, best, true, true);
        }
    }
}

static RimWall rim_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                        const Outline *o) {
    return (RimWall){.def = def,
                     .wall = wall,
                     .position = position,
                     .rim = {.nurbs = o->nurbs,
                             .corner = o->corner,
                             .count = o->nurbs->nodes,
                             .cosine = o->cosine,
                             .sine = o->sine},
                     .size = fmax(o->high[0] - o->low[0], o->high[1] - o->low[1])};
}

ScreeStatus scr_touch_rim_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                               const Outline *o, double reach, OutlineTouches *touches) {
    RimWall w = rim_wall(def, wall, position, o);
    double wide = reach + 2 * o->nurbs->bulge;
    w.touches = touches;
    w.reach = reach;
    touches->count = 0;
    RimNode node = scr_rim_node(&w.rim, w.rim.count - 1);
    WallPoint p = look(&w, node.x, node.y);
    double from = slope(&w, &p, node.out[0], node.out[1]), gap = p.touch.gap;
    for (int32_t k = 0; k < w.rim.count; k++) {
        node = scr_rim_node(&w.rim, k);
        p = look(&w, node.x, node.y);
        double before = slope(&w, &p, node.in[0], node.in[1]);
        double after = slope(&w, &p, node.out[0], node.out[1]);
        if (fmin(gap, p.touch.gap) <= wide && from < -parallel && before > parallel) {
            WallPoint lowest = descend(&w, scr_rim_previous(&w.rim, k));
            emit(&w, &lowest, scr_rim_previous(&w.rim, k), false, false);
            emit_flanks(&w, &lowest, scr_rim_previous(&w.rim, k), false);
        }
        bool lowest = before <= parallel && after >= -parallel;
        bool shown = before <= OUTLINE_TILT && after >= -OUTLINE_TILT;
        if (lowest || (shown && (node.kind == NODE_CORNER || node.kind == NODE_END))) {
            emit(&w, &p, k, true, !lowest);
        }
        if (lowest && p.touch.gap <= wide) {
            emit_flanks(&w, &p, k, true);
        }
        from = after;
        gap = p.touch.gap;
    }
    scr_drop_spares(touches, 0.04 * w.size);
    return w.status;
}

double scr_rim_wall_gap(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                        const Outline *o, int32_t feature) {
    const RimWall w = rim_wall(def, wall, position, o);
    int32_t code = scr_feature_a(feature), k = code / 4;
    RimNode node = scr_rim_node(&w.rim, k);
    WallPoint p = look(&w, node.x, node.y);
    double least = p.touch.gap;
    for (int i = -4; i <= 4 && code % 4 == 0; i++) {
        int32_t from = (k + i + w.rim.count) % w.rim.count, to = scr_rim_next(&w.rim, from);
        RimNode a = scr_rim_node(&w.rim, from), b = scr_rim_node(&w.rim, to);
        WallPoint pa = look(&w, a.x, a.y), pb = look(&w, b.x, b.y);
        least = fmin(least, pb.touch.gap);
        if (slope(&w, &pa, a.out[0], a.out[1]) < 0 && slope(&w, &pb, b.in[0], b.in[1]) > 0) {
            least = fmin(least, descend(&w, from).touch.gap);
        }
    }
    return least;
}
