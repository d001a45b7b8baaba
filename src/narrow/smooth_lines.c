#include "narrow/smooth_lines.h"

#include "shape/polyhedron.h"

enum { MOST_TURNS = 16 };
static const double longest_turn = 0.3;

/* The rim's farthest point towards the line, and how it moves as n turns along `forward`. */
static Vec3 rim_towards(const RimCircle *rim, Vec3 n, Vec3 forward, double *moves) {
    Vec3 across = add_scaled(n, -dot(n, rim->axis), rim->axis), v;
    double size = length(across);
    *moves = 0;
    if (!(rim->radius > 0) || !direction_of(across, &v)) {
        return rim->middle;
    }
    double round = dot(cross(rim->axis, v), forward);
    *moves = rim->radius / size * round * round;
    return add_scaled(rim->middle, rim->radius, v);
}

/* With u across the axis, n = height axis + r u, and f the direction in which u turns, the points miss
 * each other by w . f, w from a to b. As u turns, the rim's point moves by r R f and f by -u. */
FeaturePlace scr_rim_over_line(const CreaseLine *l, const RimCircle *rim, Vec3 n, double tiny) {
    double side = l->is_b ? 1 : -1, r = sqrt(scr_max(0, 1 - l->height * l->height)), moves;
    Vec3 u, x = rim->middle;
    if (!direction_of(add_scaled(n, -dot(n, l->axis), l->axis), &u)) {
        u = perpendicular(l->axis);
    }
    for (int k = 0; k < MOST_TURNS; k++) {
        Vec3 f = cross(l->axis, u);
        n = unit(add_scaled(scale(l->height, l->axis), r, u));
        x = rim_towards(rim, scale(side, n), f, &moves);
        Vec3 w = scale(side, sub(l->at, x));
        double miss = dot(w, f), slope = r * moves + dot(w, u);
        if (!(fabs(miss) > tiny)) {
            break;
        }
        double turn = slope > 0 ? miss / slope : miss > 0 ? longest_turn : -longest_turn;
        turn = scr_min(scr_max(turn, -longest_turn), longest_turn);
        u = unit(add_scaled(u, turn, f));
    }
    Vec3 on_line = add_scaled(l->at, -side * l->radius, u);
    double gap = side * dot(n, sub(on_line, x));
    return (FeaturePlace){gap, n, l->is_b ? x : add_scaled(x, -gap, n)};
}
