/* The shapes of a world: in the plane outlines of bodies, either polygons or a curve, and in space
 * solids. Bodies without a shape are round. */
#ifndef SCREE_STATE_SHAPES_H
#define SCREE_STATE_SHAPES_H

#include "base/memory.h"
#include "shape/nurbs.h"
#include "shape/outline.h"
#include "shape/solid_build.h"

/* One shape: where its parts and corners lie in the common arrays, and its measures. */
typedef struct ShapeRecord {
    int32_t first_part, parts, first_corner, corners;
    Vec3 centroid;                 /* in the coordinates of its definition */
    double area, gyration, radius; /* of a solid: its volume, and the mean of its gyration */
    int32_t curve; /* number of its curve, whose nodes are its corners; -1: polygons */
    int32_t solid; /* number of its solid; it has no parts and corners then; -1: none */
} ShapeRecord;

/* A curve as defined, but about the centroid and counterclockwise, and the same ready for use. */
typedef struct ShapeCurve {
    ScreeNurbs def;
    Nurbs nurbs;
    Block block; /* holds the arrays of the definition */
} ShapeCurve;

/* A solid, and the same as the outside sees it: from the centre of mass, with all faces. */
typedef struct ShapeSolid {
    Solid solid;
    ScreeSolid seen;
    size_t weights;
    double *weight; /* [weights] of the control points of patches */
    Block block;    /* holds the arrays of its definition */
} ShapeSolid;

/* A snapshot stores `shape`, `part`, `corner` and the definitions of curves and solids; the
 * rest follows from them. */
typedef struct Shapes {
    size_t count, parts, corners, curves, solids;
    ShapeRecord *shape;
    ScreeShapePart *part;
    Vec3 *corner;         /* counterclockwise, from the centroid */
    OutlinePart *outline; /* [parts] */
    Corner *edge;         /* [corners] */
    ShapeCurve *curve;    /* [curves] */
    ShapeSolid *solid;    /* [solids] */
    Block curve_block, solid_block;
    Block shape_block, part_block, corner_block, outline_block, edge_block;
} Shapes;

/* Makes room for this many in all; false when out of memory. Changes no count. */
bool scr_shapes_reserve(Shapes *shapes, size_t count, size_t parts, size_t corners);

/* Adds a shape whose definition has been checked; false when out of memory. */
bool scr_shapes_add(Shapes *shapes, const ScreeShapeDef *def);

/* The same for a curve. */
bool scr_shapes_add_nurbs(Shapes *shapes, const ScreeNurbs *def);

/* Appends a curve with room for its points and knots, which are left unset; NULL when out of
 * memory. */
ShapeCurve *scr_shapes_new_curve(Shapes *shapes, int32_t degree, size_t points, size_t knots);

/* Adds a solid; SCREE_BAD_ARGUMENT with a message (SCREE_MESSAGE_SIZE bytes) when it is none. */
ScreeStatus scr_shapes_add_solid(Shapes *shapes, const ScreeSolidDef *def, char *message);

/* Appends a solid with room for this many parts, vertices, faces, corners of faces and weights of
 * control points, which are left unset; NULL when out of memory. */
ShapeSolid *scr_shapes_new_solid(Shapes *shapes, const size_t size[5]);

/* What the outside sees of a solid that has its parts and measures. */
void scr_shape_solid_ready(ShapeSolid *solid, Vec3 centroid);

/* Cuts and samples a curve whose definition is set, for a shape of this radius. */
bool scr_shape_curve_ready(ShapeCurve *curve, double radius);

/* Makes the outlines and edges of all shapes from number `first` on. */
void scr_shapes_derive(Shapes *shapes, size_t first);

/* Whether the records read from a snapshot are consistent with its arrays. */
bool scr_shapes_sound(const Shapes *shapes);

void scr_shapes_free(Shapes *shapes);

#endif
