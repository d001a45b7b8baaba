/* Bonds: grains glued to each other or to walls where they touch, until a load breaks the glue for good.
 * What a bond holds, when it breaks and what it is meant for: docs/bonds.md. */
#ifndef SCREE_BONDS_H
#define SCREE_BONDS_H

#include <scree/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to glue, and how strongly. With N the normal force of a bond (compression is positive), S its
 * shear force, and B and T the torques of bending and torsion, it breaks at the end of the step in
 * which
 *     B / bending - N / tension  or  S / shear + T / torsion - N / tension
 * reaches 1. In the plane there is no torsion. */
typedef struct ScreeBondDef {
    ScreeBodyId a, b;              /* two bodies; SCREE_NO_BODY (default): all pairs that touch */
    ScreeWallId wall;              /* glues bodies to this wall instead: a, or all that touch it;
                                      SCREE_NO_WALL (default): to each other */
    ScreeMaterialId first, second; /* of all pairs those of these materials, either way round;
                                      SCREE_NO_MATERIAL (default): of any; a wall without a
                                      material has that of the body */
    double within;  /* [1] how far apart they may be, over the smaller radius; at most 0.1; 1e-3 */
    double tension; /* [force] 0 */
    double shear;   /* [force] 0 */
    /* [force/length^2], in the plane [force/length]: these times the section of the glue, which is a
     * disc of the radius R, in the plane the length 2 R, add to tension and shear; 0. R is neck times
     * the smaller radius; where shapes touch with faces (in the plane: edges), neck times the radius of
     * a disc with the area that they share, in the plane half of the length; two
     * shapes that share no face are glued if tension and shear are given */
    double tension_stress, shear_stress;
    double neck;     /* [1] 1 */
    double bending;  /* [force length] 0: that of the section, tension R / 4, in the plane R / 3 */
    double torsion;  /* [force length] 0: that of the section, shear R / 2 */
    uint32_t cookie; /* set by scree_bond_def_default; leave it alone */
} ScreeBondDef;

SCREE_API ScreeBondDef scree_bond_def_default(void);

/* Glues two bodies, or all pairs of bodies that touch, as they stand; `made` (or NULL) receives
 * how many bonds there are more. Pairs that are glued already stay as they are; to glue two bodies
 * twice is an error. All or none. */
SCREE_API ScreeStatus scree_world_add_bonds(ScreeWorld *world, const ScreeBondDef *def,
                                            size_t *made);

/* Takes all bonds away: they are not counted as broken. */
SCREE_API void scree_world_remove_bonds(ScreeWorld *world);

/* A bond that holds. */
typedef struct ScreeBond {
    ScreeBodyId a;                           /* the body with the lower number */
    ScreePartner b;                          /* another body, or a wall */
    int64_t number;                          /* how many had been made before; never reused */
    double tension, shear, bending, torsion; /* its strengths */
    double gap;                              /* [length] when it was made */
    ScreeVec3 arm_a, arm_b; /* [radii] to the contact when it was made, in the frames of a, b; of a
                               wall the place [length], which goes along with it */
    ScreeQuat turn;   /* of b in the frame of a when it was made; of a wall less its turns since */
    double load;      /* [1] the larger of the two sums above, in the last step; at 1 it breaks */
    ScreeVec3 normal; /* unit, from a to b when it was made, in the frame of a */
} ScreeBond;

/* All bonds that hold, by their bodies; valid until the next step, or until bonds are added, or bodies or
 * walls removed. A bond goes with the body or wall that leaves a world: that is not counted as broken. */
typedef struct ScreeBondView {
    size_t count;
    const ScreeBond *bond;
    int64_t made, broken; /* since the world was made */
} ScreeBondView;

SCREE_API ScreeBondView scree_world_get_bonds(const ScreeWorld *world);

/* Fragments: bodies that bonds hold together. `a` and `b` [bonds] are the bodies of each bond, where b may be
 * the code of a wall: walls hold no bodies together. fragment [bodies] receives the lowest number of the bodies in the same one, by which it is called. A
 * body without bonds is a fragment of its own. Returns how many there are. */
SCREE_API size_t scree_bonds_find_fragments(const int32_t *a, const int32_t *b, size_t bonds,
                                            size_t bodies, int32_t *fragment);

/* ---------------------------------------------------------------- liquid bridges */

/* Gives a liquid bridge (docs/bridges.md) to every pair of round bodies, and of one with a wall that is not of triangles, a
 * cone or a plate, which is nearer than the gap at which theirs would break, whether it has touched or not; `made` (or NULL)
 * receives how many there are more. Pairs that have one keep it. */
SCREE_API ScreeStatus scree_world_add_bridges(ScreeWorld *world, size_t *made);

#ifdef __cplusplus
}
#endif

#endif
