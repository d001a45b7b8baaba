/* What is seen of two convex parts along a direction, and Newton's method on such looks: the part of the search for a
 * common normal (common_normal.h) that smooth surfaces, rims and vertices need. */
#ifndef SCREE_NARROW_NORMAL_LOOK_H
#define SCREE_NARROW_NORMAL_LOOK_H

#include "narrow/part_pair.h"
#include "narrow/support_set.h"

/* Two parts, each shrunk about its middle. */
typedef struct NormalSides {
    const PartPair *p;
    double size; /* factor */
} NormalSides;

/* What is seen along a direction. */
typedef struct NormalLook {
    Vec3 n, on_a, on_b;
    double gap;
    Vec3 miss;          /* on_b - on_a across n */
    double off;         /* its length */
    double error;       /* the same; on a circle of directions, along it */
    int32_t of_a, of_b; /* vertices of polyhedra */
    SupportSet set[2];  /* what meet has found */
} NormalLook;

/* Where a smooth surface is flat, the farthest point moves without bounds as n turns; on such superellipsoids the
 * place is sought, not the direction. */
static inline bool scr_may_be_flat(const Polyhedron *p) {
    return p->smooth.kind == SCREE_PART_ELLIPSOID && !scr_is_plain_ellipsoid(&p->smooth);
}

/* Rounding leaves so much of what is missed, and of s. */
static inline double scr_look_exact(const NormalSides *s) {
    return 4 * s->p->round;
}

/* `before`, or NULL: another look, from whose vertices the farthest ones are sought. */
NormalLook scr_look_along(const NormalSides *sides, Vec3 n, const NormalLook *before);

/* How the farthest point of one part moves as n turns: as in scr_smooth_radii. */
void scr_look_radii(const NormalSides *sides, bool of_b, Vec3 n, const Vec3 across[2], double r[3]);

/* Where Newton's method goes next. */
Vec3 scr_next_look(const NormalSides *sides, const NormalLook *look);

/* Whether a look is farther up or, where s is level but for rounding, nearer to the top. */
bool scr_is_better_look(const NormalSides *sides, const NormalLook *look, const NormalLook *than);

enum { MOST_HALVINGS = 12, FEW_HALVINGS = 4 };

/* Up as far as it goes. A step that does not lead up is halved so often: on a crease none does, however short. */
NormalLook scr_climb_smooth(const NormalSides *sides, NormalLook at, int halvings);

#endif
