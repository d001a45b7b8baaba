/* Solids that have a name, rocks drawn at random, and the measures of a solid that belongs to no
 * world. Vertices are about the centre, for a ScreeSolidPart without faces: their convex hull. */
#ifndef SCREE_SOLIDS_H
#define SCREE_SOLIDS_H

#include <scree/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A box with these sides along x, y and z [length]; fills vertex[8]. */
SCREE_API void scree_solid_make_box(ScreeVec3 sides, ScreeVec3 *vertex);

/* The regular solid with 4, 6, 8, 12 or 20 faces, whose vertices are `radius` [length] from the
 * centre; returns how many there are: 4, 8, 6, 20 or 12. 0: there is no such solid. */
SCREE_API size_t scree_solid_make_regular(int32_t faces, double radius, ScreeVec3 *vertex);

/* A prism on a regular polygon with 3 sides or more: corners `radius` [length] from its axis, which
 * is z, the first along x. Fills vertex[2 sides]. */
SCREE_API void scree_solid_make_prism(int32_t sides, double radius, double height,
                                      ScreeVec3 *vertex);

/* The straight line of this length [length] along x; with a rounding, a rod whose ends are half
 * balls (capsule), longer by twice the rounding. Fills vertex[2]. */
SCREE_API void scree_solid_make_rod(double length, ScreeVec3 *vertex);

/* The rectangle with these sides [length] along x and y; with a rounding, a plate, twice the
 * rounding thick. Fills vertex[4]. */
SCREE_API void scree_solid_make_plate(double x, double y, ScreeVec3 *vertex);

/* An ellipsoid with these lengths along x, y and z [length], for SCREE_PART_ELLIPSOID: its centre and
 * the ends of its half axes. Fills vertex[4]. */
SCREE_API void scree_solid_make_ellipsoid(ScreeVec3 lengths, ScreeVec3 *vertex);

/* A cylinder or cone of this height [length] along z, for SCREE_PART_CONE: the centres of its caps, the
 * lower one first. Fills vertex[2]. */
SCREE_API void scree_solid_make_cylinder(double height, ScreeVec3 *vertex);

/* The point of a convex part, with its rounding, that is farthest along a direction. The part is as
 * given, or as it is kept; the direction is not 0. SCREE_BAD_ARGUMENT: `part` is none of its kind. */
SCREE_API ScreeStatus scree_solid_part_support(const ScreeSolidPart *part, const ScreeVec3 *vertex,
                                               ScreeVec3 direction, ScreeVec3 *point);

/* A convex rock. It is cut by planes around a ball (or spanned by points around it), which are then
 * stretched, such that the box around it has the sides elongation : 1 : 1/flatness. Planes and
 * points are spread as evenly as their number allows; with angularity they are moved, at random, by
 * up to half their mean distance, and inwards or outwards by up to a quarter of the radius, or less
 * where they are many. */
typedef struct ScreeRockDef {
    int32_t faces;     /* 4 to 1000; 0: as many as `vertices` make */
    int32_t vertices;  /* 4 to 1000, if faces is 0; all of them are corners of the rock */
    double size;       /* [length] side of the box along y */
    double elongation; /* 1 or more: its side along x, over that along y */
    double flatness;   /* 1 or more: its side along y, over that along z */
    double angularity; /* 0 to 1 */
    uint64_t seed;     /* rocks of different seeds are different */
} ScreeRockDef;

/* Exactly as many faces (or vertices) as asked for, the same for the same definition on every
 * machine. `vertex` (or NULL) receives the first *vertices; *vertices becomes their number, at most
 * 2 faces - 4. SCREE_BAD_ARGUMENT with a message (SCREE_MESSAGE_SIZE bytes, or NULL) when a number
 * is out of its range. */
SCREE_API ScreeStatus scree_solid_make_rock(const ScreeRockDef *def, ScreeVec3 *vertex,
                                            size_t *vertices, char *message);

/* Makes faces plane again that were so before their coordinates were rounded, as in files with single
 * precision: neighbours that lie in one plane to within the tolerance [length] are moved into it,
 * each vertex by no more than 30 times as far. `corners` and `corner` are those of a part with faces
 * (ScreeSolidDef). Surfaces that are not closed stay as they are. SCREE_OK or SCREE_NO_MEMORY. */
SCREE_API ScreeStatus scree_solid_flatten(const int32_t *corners, size_t faces,
                                          const int32_t *corner, double tolerance,
                                          ScreeVec3 *vertex, size_t vertices);

/* A NURBS surface: with the B-splines N_i and M_j of its knots it is the sum of N_i(u) M_j(v) w_ij P_ij
 * over that of N_i(u) M_j(v) w_ij, from knot[0][degree[0]] to knot[0][points[0]] along u, and likewise
 * along v. Seen from outside, v runs to the left of u. */
typedef struct ScreeNurbsSurface {
    int32_t degree[2];      /* along u and v, 1 to 7 */
    size_t points[2];       /* control points along u and v */
    const ScreeVec3 *point; /* [length] those along v one after the other, [points[0] points[1]] */
    const double *weight;   /* the same, 1e-6 to 1e6; NULL: all 1 */
    const double *knot[2];  /* [points + degree + 1] along u and v, not descending */
} ScreeNurbsSurface;

/* The same surface as rational Bezier patches, for a part of the kind SCREE_PART_NURBS with the form
 * {degree[0], degree[1]}: a solid may be one such surface, closed in itself or by poles, or several
 * with the same degrees whose patches, one after the other, close around it side by side. `vertex` and
 * `weight` (or NULL) receive the first *vertices control points of the patches; *vertices becomes their
 * number. SCREE_BAD_ARGUMENT with a message (SCREE_MESSAGE_SIZE bytes, or NULL) that begins with the
 * number of a bad point, weight or knot, if it is one: "point 3: ", "weight 3: ", "knot u 3: ". */
SCREE_API ScreeStatus scree_solid_cut_nurbs(const ScreeNurbsSurface *def, ScreeVec3 *vertex,
                                            double *weight, size_t *vertices, char *message);

/* What a world would keep of a solid: its measures, and how many vertices, faces and corners it
 * has. solid->def is the definition as given. `message` (SCREE_MESSAGE_SIZE bytes, or NULL) names
 * the part, face and vertex that are wrong. */
SCREE_API ScreeStatus scree_solid_def_measure(const ScreeSolidDef *def, ScreeSolid *solid,
                                              char *message);

#ifdef __cplusplus
}
#endif

#endif
