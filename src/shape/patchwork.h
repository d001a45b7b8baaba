/* Closed surfaces of rational Bezier patches: what NURBS surfaces are once their knots are cut apart.
 *
 * A patch of degrees p and q has (p + 1)(q + 1) control points, those along v one after the other, and
 * a weight for each: x(u, v) = sum B_i(u) B_j(v) w_ij P_ij / sum B_i(u) B_j(v) w_ij, with u and v from
 * 0 to 1. Its normal, along x_u x x_v, is outwards. A side whose points are all the same is a pole:
 * there the tangent along the side vanishes like the way t to the pole, and x_u / t takes its place.
 *
 * All patches are cut into the same number of cells along u and v, so few that the normal turns little in
 * each: contacts are searched from cells, and the corners of cells are what is drawn. A contact itself
 * lies on the surface. */
#ifndef SCREE_SHAPE_PATCHWORK_H
#define SCREE_SHAPE_PATCHWORK_H

#include "base/memory.h"
#include "math/vec.h"

enum {
    PATCH_DEGREE = 7,
    PATCHWORK_PATCHES = 2048,
    PATCHWORK_CELLS = 8192,
    PATCHWORK_POINTS = 32767,
};

/* In a cell, normals deviate from their middle by no more than this [radians]. */
#define PATCH_TURN 0.25

/* One patch. */
typedef struct PatchNet {
    const Vec3 *point;    /* [(p + 1)(q + 1)] */
    const double *weight; /* the same; NULL: all 1 */
    int32_t degree[2];
    uint8_t pole; /* bits of sides: 1 u = 0, 2 u = 1, 4 v = 0, 8 v = 1 */
} PatchNet;

/* A point of a patch. As (u, v) moves by rate[0] a and rate[1] b, x moves by a along[0] + b along[1]. */
typedef struct PatchAt {
    double u, v;
    Vec3 x, normal;
    Vec3 along[2];
    double rate[2];
    double way;     /* |x_u x x_v| over that of these directions: the way to a pole, or 1 */
    double bend[3]; /* n.x'' in these directions: both the first, mixed, both the second */
} PatchAt;

/* Without its bend. Beyond the sides the patch is continued. */
PatchAt scr_patch_point(const PatchNet *net, double u, double v);
PatchAt scr_patch_at(const PatchNet *net, double u, double v);

/* How the normal turns as the point moves across it, dn = W dx, seen in two unit vectors across the
 * normal: w = (W_11, W_12, W_22). A ball of radius r has 1/r. */
void scr_patch_curvature(const PatchAt *at, const Vec3 across[2], double w[3]);

/* By how much u and v change as the point moves by dx. */
void scr_patch_step(const PatchAt *at, Vec3 dx, double *du, double *dv);

/* A square of u and v. */
typedef struct PatchRoom {
    double u, v, half;
} PatchRoom;

/* Moves a point along the surface by about dx, and not out of the room. How far it has moved. */
double scr_patch_move(const PatchNet *net, Vec3 dx, const PatchRoom *room, PatchAt *at);

typedef struct PatchCell {
    Vec3 middle; /* of a ball that holds it, and its radius */
    double extent;
    Vec3 normal;      /* middle of its normals */
    double height;    /* along this no place is farther from the middle of the ball */
    double turn;      /* [radians] no normal is farther from it */
    double thickness; /* of the body behind it */
    double u, v;      /* its middle; `half` of the surface is from there to its sides */
    int32_t patch;
} PatchCell;

/* A ball that holds a patch. */
typedef struct PatchBall {
    Vec3 middle;
    double extent;
} PatchBall;

/* A surface ready for use. Zero-initialise it. */
typedef struct Patchwork {
    int32_t degree[2];
    int32_t patches, lines; /* lines: cells along a side of a patch */
    int32_t cells;
    double half;       /* of the width of a cell, in u and v */
    Vec3 *point;       /* [patches (p + 1)(q + 1)] */
    double *weight;    /* the same */
    uint8_t *pole;     /* [patches] */
    PatchBall *ball;   /* [patches] */
    PatchCell *cell;   /* those of a patch one after the other */
    int32_t nodes;     /* corners of cells; those of neighbours are the same */
    Vec3 *node;        /* [nodes] */
    int32_t *triangle; /* three nodes each, two triangles for a cell, or one at a pole */
    int32_t triangles;
    Vec3 middle; /* of a ball that holds it */
    double extent;
    Block point_block, weight_block, pole_block, ball_block, cell_block, node_block, triangle_block;
} Patchwork;

static inline PatchNet scr_patch_net(const Patchwork *s, int32_t patch) {
    size_t points = (size_t)(s->degree[0] + 1) * (size_t)(s->degree[1] + 1);
    size_t at = points * (size_t)patch;
    return (PatchNet){s->point + at, s->weight + at, {s->degree[0], s->degree[1]}, s->pole[patch]};
}

/* How many control points patches of these degrees have; 0: there are none such. */
size_t scr_points_of_patch(const double degree[2]);

/* Takes up patches; SCREE_NO_MEMORY, or SCREE_BAD_ARGUMENT with words that tell what is wrong and, in
 * `where`, which patch it is: bad numbers, surfaces that are open, turned over, or have edges or tips. */
typedef struct PatchFault {
    const char *words;
    int32_t patch, point; /* -1: none */
    bool at_side;         /* point is a side: 0 u = 0, 1 u = 1, 2 v = 0, 3 v = 1 */
} PatchFault;

typedef struct PatchworkDef {
    size_t points;
    const Vec3 *point;
    const double *weight; /* NULL: all 1 */
    double degree[2];
} PatchworkDef;

ScreeStatus scr_patchwork_build(const PatchworkDef *def, Patchwork *made, PatchFault *fault);
void scr_patchwork_free(Patchwork *surface);

/* Joins sides, makes nodes and triangles: patchwork_join.c. */
ScreeStatus scr_patchwork_join(Patchwork *surface, double size, PatchFault *fault);

/* Bits of the sides of a patch that are poles. */
uint8_t scr_patch_poles(const PatchNet *net, double tolerance);

/* The point of a cell's patch with this normal, searched from the middle of the cell; false: it has
 * none, within a little more than the cell. */
bool scr_patch_facing(const Patchwork *surface, int32_t cell, Vec3 normal, PatchAt *at);

/* How far a patch reaches along a unit vector, if that is more than `least`, else `least`; `point` (or
 * NULL) is set where that is more. */
double scr_patch_reach(const PatchNet *net, Vec3 direction, double least, Vec3 *point);

/* The farthest point along a direction. */
Vec3 scr_patchwork_support(const Patchwork *surface, Vec3 direction);

/* The distance of its farthest point from the origin. */
double scr_patchwork_radius(const Patchwork *surface);

#endif
