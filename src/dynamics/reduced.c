#include "dynamics/reduced.h"

#include "narrow/narrow.h"
#include "shape/wall.h"

double scr_reduced_radius(const State *s, const Contact *c, double ra, double rb) {
    double per_rb;
    if (c->b >= 0) {
        per_rb = 1 / rb;
    } else {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
        per_rb = scr_wall_curvature(w, scr_seen_by_wall(&s->def, w, s->bodies.position[c->a]));
    }
    double sum = 1 / ra + per_rb;
    return sum > 0 ? 1 / sum : ra;
}

double scr_reduced_bounds(const State *s, const Contact *c) {
    const double *radius = s->bodies.radius;
    return scr_reduced_radius(s, c, radius[c->a], c->b >= 0 ? radius[c->b] : INFINITY);
}
