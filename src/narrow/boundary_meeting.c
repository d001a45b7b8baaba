#include "narrow/boundary_meeting.h"

/* The point t of span k of the slave, with its foot searched from the last one; returns dg/ds. */
static double meet_at(const Boundary both[2], int s, int32_t k, double t, Meeting *m,
                      double *speed) {
    BoundaryPoint at = scr_boundary_at(&both[s], k, t);
    double x[2], tangent[2];
    scr_boundary_across(both, s, at.x, at.y, x);
    scr_boundary_direction(both, s, at.tx, at.ty, tangent);
    m->x = x[0];
    m->y = x[1];
    m->curvature = at.curvature;
    m->span = k;
    m->foot = scr_boundary_walk(&both[1 - s], m->foot.span, x[0], x[1]);
    *speed = at.speed;
    return tangent[0] * m->foot.nx + tangent[1] * m->foot.ny;
}

/* d2g/ds2, or 0 beyond the centre of curvature of the master, where it has no meaning. */
static double bending(const Meeting *m) {
    double k = m->foot.curvature, g = m->foot.distance;
    double other = isinf(k) ? (g > 0 ? 1 / g : 0) : k / (1 + k * g);
    bool folded = !isinf(k) && 1 + k * g < 0.01;
    return folded ? 0 : m->curvature + other;
}

/* dg/ds changes sign on span k: Newton's method, kept between the ends. False when it jumps
 * there instead of passing through zero, because the foot leaps from one branch of the master
 * to another. */
static bool descend(const Boundary both[2], int s, int32_t k, double t, Meeting *m) {
    double low = scr_boundary_begin(&both[s], k), high = scr_boundary_end(&both[s], k),
           range = high - low;
    double speed;
    for (int i = 0; i < 60; i++) {
        double h = meet_at(both, s, k, t, m, &speed), bend = bending(m);
        if (fabs(h) < 1e-14) {
            return true;
        }
        *(h < 0 ? &low : &high) = t;
        double next = bend > 0 ? t - h / (bend * speed) : low - 1;
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        double step = next - t;
        t = next;
        if (fabs(step) <= 1e-8 * range) {
            break; /* the error is the square of that */
        }
    }
    return fabs(meet_at(both, s, k, t, m, &speed)) < 1e-6;
}

void scr_meet_node(const Boundary both[2], int s, int32_t k, Meeting *m) {
    BoundaryNode node = scr_boundary_node(&both[s], k);
    double x[2];
    scr_boundary_across(both, s, node.x, node.y, x);
    *m = (Meeting){.x = x[0],
                   .y = x[1],
                   .curvature = INFINITY,
                   .span = k,
                   .at_node = true,
                   .foot = scr_boundary_walk(&both[1 - s], m->foot.span, x[0], x[1])};
}

/* dg/ds before (side 0) and after (side 1) node k of slave s. */
static double slope(const Boundary both[2], int s, int32_t k, int side, const Meeting *m) {
    BoundaryNode node = scr_boundary_node(&both[s], k);
    const double *own = side == 0 ? node.in : node.out;
    double t[2];
    scr_boundary_direction(both, s, own[0], own[1], t);
    return t[0] * m->foot.nx + t[1] * m->foot.ny;
}

bool scr_meet_nearest(const Boundary both[2], int s, int32_t k, Meeting *m) {
    enum { MOST_SPANS = 4 };
    const Boundary *r = &both[s];
    scr_meet_node(both, s, k, m);
    double before = slope(both, s, k, 0, m), after = slope(both, s, k, 1, m);
    if (before <= BOUNDARY_PARALLEL && after >= -BOUNDARY_PARALLEL) {
        return true;
    }
    int direction = after < -BOUNDARY_PARALLEL ? 1 : -1;
    double here = fabs(direction > 0 ? after : before);
    for (int count = 0; count < MOST_SPANS; count++) {
        int32_t span = direction > 0 ? k : scr_boundary_previous(r, k);
        k = direction > 0 ? scr_boundary_next(r, k) : span;
        scr_meet_node(both, s, k, m);
        double near = direction * slope(both, s, k, direction > 0 ? 0 : 1, m);
        double far = direction * slope(both, s, k, direction > 0 ? 1 : 0, m);
        if (near > BOUNDARY_PARALLEL) {
            double part = here / (here + near); /* the slope is nearly linear */
            double low = scr_boundary_begin(r, span), high = scr_boundary_end(r, span);
            m->at_node = false;
            return descend(both, s, span, low + (high - low) * (direction > 0 ? part : 1 - part),
                           m);
        }
        if (far >= -BOUNDARY_PARALLEL) {
            return true; /* a corner, or parallel */
        }
        here = fabs(far);
    }
    return false;
}

bool scr_meet_flank(const Boundary both[2], int s, const Meeting *m, int direction, double near,
                    double rise, double size, Meeting *flank) {
    const Boundary *r = &both[s];
    int32_t k = direction < 0 && !m->at_node ? scr_boundary_next(r, m->span) : m->span;
    bool found = false;
    for (int32_t count = 0; count < r->count; count++) {
        k = direction > 0 ? scr_boundary_next(r, k) : scr_boundary_previous(r, k);
        Meeting next = {.foot = {.span = m->foot.span}};
        scr_meet_node(both, s, k, &next);
        double higher = next.foot.distance - m->foot.distance;
        double facing = next.foot.nx * m->foot.nx + next.foot.ny * m->foot.ny;
        if (higher > rise || higher < -1e-9 * size || facing < 0.9) {
            break; /* where the gap shrinks again, another minimum begins */
        }
        if (scr_is_flank(scr_hypot(next.x - m->x, next.y - m->y), higher, near, size)) {
            *flank = next;
            flank->spare = true;
            found = true;
        }
    }
    return found;
}
