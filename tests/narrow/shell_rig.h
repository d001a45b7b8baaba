/* Walls with round openings, and places of them. */
#ifndef SCREE_TESTS_SHELL_RIG_H
#define SCREE_TESTS_SHELL_RIG_H

#include "physics/rig.h"

#include "api/world.h"

/* A funnel, a cone with its tip, a ring, a disc, a plate with a hole, a hollow cylinder. */
enum { SHELLS = 6 };

static inline ScreeWallDef shell_wall(int shell) {
    ScreeWallDef w = scree_wall_def_default();
    if (shell == 5) { /* a hollow cylinder */
        w.shape = SCREE_WALL_CYLINDER;
        w.inside = true;
        w.radius = 0.3;
        w.length = 0.4;
        return w;
    }
    w.shape = shell < 4 ? SCREE_WALL_CONE : SCREE_WALL_PLATE;
    w.radius = shell == 1 || shell == 3 ? 0 : 0.2;
    w.end_radius = 0.5;
    w.length = shell < 2 ? 0.4 : 0;
    w.half = rig_vec(0.5, 0.5, 0);
    w.holes[0] = w.holes[1] = shell < 4 ? 0 : 1;
    return w;
}

/* How far from the middle the wall ends at an angle. */
static inline double shell_outer(int shell, double angle) {
    return shell == 5 ? 0.3 : shell < 4 ? 0.5 : 0.5 / fmax(fabs(cos(angle)), fabs(sin(angle)));
}

/* How far its inner end, or lower one, lies below the middle. */
static inline double shell_below(int shell) {
    return shell == 5 ? 0.2 : 0;
}

/* The points within the reach at a pose. */
static inline double shell_least_gap(ScreeWorld *world, ScreeVec3 x, ScreeQuat q, double reach,
                                     Placed *placed, PairWork *work) {
    const StepMotion none = {.shift = {0, 0, 0}};
    State *s = &world->state;
    double least = INFINITY;
    s->bodies.position[0] = x;
    s->bodies.orientation[0] = q;
    CHECK(scr_place_outlines(s, placed));
    rig_must(scr_pair_points(s, placed, 0, -1, (OldPoints){NULL, 0}, &none, reach, work), "points");
    for (size_t i = 0; i < work->touches.count; i++) {
        least = fmin(least, work->touches.item[i].gap);
    }
    return least;
}

/* A place of the wall: an angle, and the share of the way from its inner end to its outer one. */
static inline ScreeVec3 shell_point(int shell, double angle, double share) {
    const ScreeWallDef w = shell_wall(shell);
    double r = w.radius + share * (shell_outer(shell, angle) - w.radius);
    return rig_vec(r * scr_cos(angle), r * scr_sin(angle), share * w.length - shell_below(shell));
}

/* By looking from many places of the wall, and then from ever nearer ones around the best: the distance
 * is a smooth function of the place, or has a kink. */
static inline double shell_sampled_gap(int shell, double (*gap_to)(const void *body, ScreeVec3 x),
                                       const void *body, double far) {
    enum { TURN = 48, WAY = 12 };
    double least = INFINITY, best[2] = {0, 0}, step[2] = {2 * RIG_PI / TURN, 1.0 / WAY};
    for (int k = 0; k < TURN * (WAY + 1); k++) {
        double at[2] = {step[0] * (k % TURN), step[1] * (k / TURN)};
        double gap = gap_to(body, shell_point(shell, at[0], at[1]));
        if (gap < least) {
            least = gap;
            memcpy(best, at, sizeof at);
        }
    }
    for (int round = 0; round < 400 && least < far && step[0] > 1e-7; round++) {
        const double middle[2] = {best[0], best[1]}, before = least;
        for (int k = 0; k < 9; k++) {
            double angle = middle[0] + (k % 3 - 1) * step[0];
            double share = fmin(fmax(middle[1] + (k / 3 - 1) * step[1], 0), 1);
            double gap = gap_to(body, shell_point(shell, angle, share));
            if (gap < least) {
                least = gap;
                best[0] = angle;
                best[1] = share;
            }
        }
        if (least == before) {
            step[0] *= 0.6;
            step[1] *= 0.6;
        }
    }
    return least;
}

#endif
