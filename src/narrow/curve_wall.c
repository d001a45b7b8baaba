#include "narrow/curve_wall.h"

#include "narrow/narrow.h"
#include "narrow/outline_pair.h"
#include "narrow/boundary_meeting.h"
#include "narrow/curve_pair.h"

typedef struct CurveWall {
    const ScreeWorldDef *def;
    const ScreeWallDef *wall;
    Vec3 position;
    Boundary curve;
    OutlineTouches *touches;
    double reach, size;
    ScreeStatus status;
} CurveWall;

static const double parallel = 1e-9;

/* A point of the curve, relative to the body's centre, and its distance from the wall. */
typedef struct WallPoint {
    Vec3 at;
    Touch touch;
} WallPoint;

static WallPoint look(const CurveWall *w, double x, double y) {
    double at[2];
    scr_boundary_turn(&w->curve, x, y, at);
    WallPoint p = {.at = vec3(at[0], at[1], 0)};
    p.touch = scr_touch_wall(w->def, w->wall, add(w->position, p.at), 0);
    return p;
}

/* dg/ds: the gap shrinks along the normal, which points into the wall. */
static double slope(const CurveWall *w, const WallPoint *p, double tx, double ty) {
    double t[2];
    scr_boundary_turn(&w->curve, tx, ty, t);
    return -(t[0] * p->touch.normal.x + t[1] * p->touch.normal.y);
}

/* dg/ds passes through zero on span k: found by secants between its ends. */
static WallPoint descend(const CurveWall *w, int32_t k) {
    const Boundary *r = &w->curve;
    double t[2] = {scr_boundary_begin(r, k), scr_boundary_end(r, k)}, h[2], range = t[1] - t[0];
    WallPoint p;
    for (int i = 0; i < 2; i++) {
        BoundaryPoint at = scr_boundary_at(r, k, t[i]);
        p = look(w, at.x, at.y);
        h[i] = slope(w, &p, at.tx, at.ty);
    }
    int last = -1;
    for (int i = 0; i < 60; i++) {
        double middle = h[1] > h[0] ? t[0] - h[0] * (t[1] - t[0]) / (h[1] - h[0]) : t[0];
        middle = scr_min(scr_max(middle, t[0]), t[1]);
        BoundaryPoint at = scr_boundary_at(r, k, middle);
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

static void emit(CurveWall *w, const WallPoint *p, int32_t k, bool at_node, bool spare) {
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

/* The flanks of a minimum where curve and wall are nearly parallel: see curve_pair.h. */
static void emit_flanks(CurveWall *w, const WallPoint *lowest, int32_t k, bool at_node) {
    const Boundary *r = &w->curve;
    for (int direction = -1; direction <= 1; direction += 2) {
        int32_t node = direction < 0 && !at_node ? scr_boundary_next(r, k) : k, best = -1;
        WallPoint flank = *lowest;
        for (int32_t count = 0; count < r->count; count++) {
            node = direction > 0 ? scr_boundary_next(r, node) : scr_boundary_previous(r, node);
            BoundaryNode at = scr_boundary_node(r, node);
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

static CurveWall curve_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                            const Outline *o) {
    return (CurveWall){.def = def,
                       .wall = wall,
                       .position = position,
                       .curve = {.nurbs = o->nurbs,
                                 .corner = o->corner,
                                 .count = o->nurbs->nodes,
                                 .cosine = o->cosine,
                                 .sine = o->sine},
                       .size = scr_max(o->high[0] - o->low[0], o->high[1] - o->low[1])};
}

ScreeStatus scr_touch_curve_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                                 const Outline *o, double reach, OutlineTouches *touches) {
    CurveWall w = curve_wall(def, wall, position, o);
    double wide = reach + 2 * o->nurbs->bulge;
    w.touches = touches;
    w.reach = reach;
    touches->count = 0;
    BoundaryNode node = scr_boundary_node(&w.curve, w.curve.count - 1);
    WallPoint p = look(&w, node.x, node.y);
    double from = slope(&w, &p, node.out[0], node.out[1]), gap = p.touch.gap;
    for (int32_t k = 0; k < w.curve.count; k++) {
        node = scr_boundary_node(&w.curve, k);
        p = look(&w, node.x, node.y);
        double before = slope(&w, &p, node.in[0], node.in[1]);
        double after = slope(&w, &p, node.out[0], node.out[1]);
        if (scr_min(gap, p.touch.gap) <= wide && from < -parallel && before > parallel) {
            WallPoint lowest = descend(&w, scr_boundary_previous(&w.curve, k));
            emit(&w, &lowest, scr_boundary_previous(&w.curve, k), false, false);
            emit_flanks(&w, &lowest, scr_boundary_previous(&w.curve, k), false);
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

double scr_curve_wall_gap(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                          const Outline *o, int32_t feature) {
    const CurveWall w = curve_wall(def, wall, position, o);
    int32_t code = scr_feature_a(feature), k = code / 4;
    BoundaryNode node = scr_boundary_node(&w.curve, k);
    WallPoint p = look(&w, node.x, node.y);
    double least = p.touch.gap;
    for (int i = -4; i <= 4 && code % 4 == 0; i++) {
        int32_t from = (k + i + w.curve.count) % w.curve.count,
                to = scr_boundary_next(&w.curve, from);
        BoundaryNode a = scr_boundary_node(&w.curve, from), b = scr_boundary_node(&w.curve, to);
        WallPoint pa = look(&w, a.x, a.y), pb = look(&w, b.x, b.y);
        least = scr_min(least, pb.touch.gap);
        if (slope(&w, &pa, a.out[0], a.out[1]) < 0 && slope(&w, &pb, b.in[0], b.in[1]) > 0) {
            least = scr_min(least, descend(&w, from).touch.gap);
        }
    }
    return least;
}
