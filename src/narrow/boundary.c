#include "narrow/boundary.h"

Boundary scr_boundary_of(const Outline *o, int32_t part, Vec3 at) {
    const OutlinePart *own = &o->part[part];
    return (Boundary){.nurbs = o->nurbs,
                      .corner = o->corner + own->first,
                      .first = own->first,
                      .count = own->count,
                      .rounding = own->rounding,
                      .x = at.x,
                      .y = at.y,
                      .cosine = o->nurbs != NULL ? o->cosine : 1,
                      .sine = o->nurbs != NULL ? o->sine : 0};
}

BoundaryNode scr_boundary_node(const Boundary *r, int32_t k) {
    if (r->nurbs != NULL) {
        const NurbsNode *n = &r->nurbs->node[k];
        return (BoundaryNode){n->x, n->y, {n->in[0], n->in[1]}, {n->out[0], n->out[1]}, n->kind};
    }
    const Corner *c = &r->corner[k], *before = &r->corner[scr_boundary_previous(r, k)];
    return (BoundaryNode){c->x,
                          c->y,
                          {before->tx, before->ty},
                          {c->tx, c->ty},
                          c->reflex ? NODE_REFLEX : NODE_CORNER};
}

BoundaryPoint scr_boundary_at(const Boundary *r, int32_t k, double t) {
    if (r->nurbs == NULL) {
        const Corner *c = &r->corner[k];
        double along = t * c->length;
        return (BoundaryPoint){
            c->x + along * c->tx, c->y + along * c->ty, c->tx, c->ty, c->length, 0};
    }
    NurbsAt at = scr_nurbs_at(r->nurbs, r->nurbs->node[k].piece, t);
    double speed = sqrt(at.dx * at.dx + at.dy * at.dy);
    return (BoundaryPoint){at.x,          at.y,  at.dx / speed,
                           at.dy / speed, speed, scr_nurbs_curvature(&at)};
}

/* ---------------------------------------------------------------- feet */

static BoundaryFoot foot_at(const BoundaryPoint *p, int32_t k, double x, double y) {
    double nx = p->ty, ny = -p->tx;
    return (BoundaryFoot){p->x,         p->y, nx,   ny, (x - p->x) * nx + (y - p->y) * ny,
                          p->curvature, k,    false};
}

/* The zero of (c - x).c' on span k, by linear interpolation between the ends. */
static double foot_between(const Boundary *r, int32_t k, double x, double y) {
    double low = scr_boundary_begin(r, k), high = scr_boundary_end(r, k);
    const NurbsNode *from = &r->nurbs->node[k], *to = &r->nurbs->node[scr_boundary_next(r, k)];
    double f0 = from->out[0] * (x - from->x) + from->out[1] * (y - from->y);
    double f1 = to->in[0] * (x - to->x) + to->in[1] * (y - to->y);
    return f0 > 0 && f1 < 0 ? low + (high - low) * (f0 / (f0 - f1)) : 0.5 * (low + high);
}

/* On a straight edge this is the exact foot. */
BoundaryFoot scr_boundary_near_foot(const Boundary *r, int32_t k, double x, double y) {
    double t;
    if (r->nurbs == NULL) {
        const Corner *c = &r->corner[k];
        t = scr_min(scr_max((c->tx * (x - c->x) + c->ty * (y - c->y)) / c->length, 0), 1);
    } else {
        t = foot_between(r, k, x, y);
    }
    BoundaryPoint p = scr_boundary_at(r, k, t);
    return foot_at(&p, k, x, y);
}

/* Solves (c - x).c' = 0, which is negative at the start of the span and positive at its end. */
BoundaryFoot scr_boundary_span_foot(const Boundary *r, int32_t k, double x, double y) {
    double low = scr_boundary_begin(r, k), high = scr_boundary_end(r, k), range = high - low;
    if (r->nurbs == NULL) {
        return scr_boundary_near_foot(r, k, x, y);
    }
    int32_t piece = r->nurbs->node[k].piece;
    double t = foot_between(r, k, x, y);
    NurbsAt at;
    for (int i = 0; i < 40; i++) {
        at = scr_nurbs_at(r->nurbs, piece, t);
        double f = (at.x - x) * at.dx + (at.y - y) * at.dy;
        double slope = at.dx * at.dx + at.dy * at.dy + (at.x - x) * at.ddx + (at.y - y) * at.ddy;
        *(f < 0 ? &low : &high) = t;
        double next = slope > 0 ? t - f / slope : low - 1;
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        double step = next - t;
        t = next;
        if (fabs(step) <= 1e-9 * range) {
            break; /* the error is the square of that */
        }
    }
    BoundaryPoint p = scr_boundary_at(r, k, t);
    return foot_at(&p, k, x, y);
}

BoundaryFoot scr_boundary_node_foot(const Boundary *r, int32_t k, double x, double y) {
    BoundaryNode node = scr_boundary_node(r, k);
    double dx = x - node.x, dy = y - node.y, l = sqrt(dx * dx + dy * dy);
    double nx = node.in[1] + node.out[1], ny = -node.in[0] - node.out[0];
    double m = sqrt(nx * nx + ny * ny);
    if (l > 0) {
        nx = dx / l;
        ny = dy / l;
    } else {
        nx = m > 0 ? nx / m : 1;
        ny = m > 0 ? ny / m : 0;
    }
    if (node.kind == NODE_REFLEX && r->count > 2) { /* only points inside have it as their foot */
        return (BoundaryFoot){node.x, node.y, -nx, -ny, -l, INFINITY, k, true};
    }
    return (BoundaryFoot){node.x, node.y, nx, ny, l, INFINITY, k, true};
}

/* How far a point is past the node, or before it when negative: along the tangent with which the
 * boundary leaves the node, and along the one with which it arrives. */
static double past_out(const BoundaryNode *n, double x, double y) {
    return n->out[0] * (x - n->x) + n->out[1] * (y - n->y);
}
static double past_in(const BoundaryNode *n, double x, double y) {
    return n->in[0] * (x - n->x) + n->in[1] * (y - n->y);
}

BoundaryFoot scr_boundary_walk(const Boundary *r, int32_t k, double x, double y) {
    int last = 0;
    for (int32_t count = 0; count < r->count && r->count > 1; count++) {
        BoundaryNode from = scr_boundary_node(r, k),
                     to = scr_boundary_node(r, scr_boundary_next(r, k));
        bool before = past_out(&from, x, y) < 0;
        bool past = past_in(&to, x, y) > 0;
        int direction = before ? -1 : past ? 1 : 0;
        if (direction == 0 ||
            direction == -last) { /* sent back at a reflex corner: the foot is on this side */
            return scr_boundary_span_foot(r, k, x, y);
        }
        if (before && past_in(&from, x, y) > 0) {
            return scr_boundary_node_foot(r, k, x, y);
        }
        if (past && past_out(&to, x, y) < 0) {
            return scr_boundary_node_foot(r, scr_boundary_next(r, k), x, y);
        }
        k = direction < 0 ? scr_boundary_previous(r, k) : scr_boundary_next(r, k);
        last = direction;
    }
    return scr_boundary_node_foot(r, k, x, y);
}

BoundaryFoot scr_boundary_project(const Boundary *r, double x, double y) {
    BoundaryFoot nearest = scr_boundary_node_foot(r, 0, x, y);
    bool found = r->count == 1;
    BoundaryNode node = scr_boundary_node(r, 0);
    for (int32_t k = 0; k < r->count && r->count > 1; k++) {
        BoundaryNode next = scr_boundary_node(r, scr_boundary_next(r, k));
        double start = past_out(&node, x, y);
        bool corner = start < 0 && past_in(&node, x, y) > 0;
        if (corner || (start >= 0 && past_in(&next, x, y) < 0)) {
            BoundaryFoot f =
                corner ? scr_boundary_node_foot(r, k, x, y) : scr_boundary_span_foot(r, k, x, y);
            if (!found || fabs(f.distance) < fabs(nearest.distance)) {
                nearest = f;
                found = true;
            }
        }
        node = next;
    }
    return nearest;
}

bool scr_boundary_contains(const Boundary *r, double x, double y) {
    bool inside = false;
    BoundaryNode a = scr_boundary_node(r, r->count - 1);
    for (int32_t k = 0; k < r->count; k++) {
        BoundaryNode b = scr_boundary_node(r, k);
        if ((a.y > y) != (b.y > y)) {
            double across = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
            inside ^= (across > 0) == (b.y > a.y);
        }
        a = b;
    }
    return inside;
}

/* ---------------------------------------------------------------- by normal */

/* Solves c'.n = 0 on span k, where it changes sign. */
static BoundaryPoint tangent_across(const Boundary *r, int32_t k, double nx, double ny) {
    int32_t piece = r->nurbs->node[k].piece;
    double low = scr_boundary_begin(r, k), high = scr_boundary_end(r, k), range = high - low;
    const double *start = r->nurbs->node[k].out;
    bool rising = start[0] * nx + start[1] * ny < 0;
    double t = 0.5 * (low + high);
    for (int i = 0; i < 60; i++) {
        NurbsAt at = scr_nurbs_at(r->nurbs, piece, t);
        double f = at.dx * nx + at.dy * ny, slope = at.ddx * nx + at.ddy * ny;
        *((f < 0) == rising ? &low : &high) = t;
        double next = slope != 0 ? t - f / slope : low - 1;
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        double step = next - t;
        t = next;
        if (fabs(step) <= 1e-9 * range) {
            break;
        }
    }
    return scr_boundary_at(r, k, t);
}

BoundaryPoint scr_boundary_with_normal(const Boundary *r, int32_t k, double nx, double ny) {
    const int32_t spans[3] = {k, scr_boundary_previous(r, k), scr_boundary_next(r, k)};
    for (int i = 0; i < 3; i++) {
        BoundaryNode from = scr_boundary_node(r, spans[i]),
                     to = scr_boundary_node(r, scr_boundary_next(r, spans[i]));
        double f0 = from.out[0] * nx + from.out[1] * ny, f1 = to.in[0] * nx + to.in[1] * ny;
        if ((f0 <= 0) != (f1 <= 0)) {
            return tangent_across(r, spans[i], nx, ny);
        }
    }
    return scr_boundary_at(r, k, scr_boundary_begin(r, k));
}
