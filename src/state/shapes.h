/* The shapes of a world: outlines that bodies have, polygons or a curve. Bodies without one are
 * round. */
#ifndef SCREE_STATE_SHAPES_H
#define SCREE_STATE_SHAPES_H

#include "base/memory.h"
#include "shape/nurbs.h"
#include "shape/outline.h"

/* One shape: where its parts and corners are in the arrays of all, and its measures. */
typedef struct ShapeRecord {
    int32_t first_part, parts, first_corner, corners;
    Vec3 centroid; /* in the coordinates of its definition */
    double area, gyration, radius;
    int32_t curve; /* its number, or -1: polygons. The corners of a curve are its nodes */
} ShapeRecord;

/* A curve: as it is defined, about the centroid and counterclockwise, and ready for use. */
typedef struct ShapeCurve {
    ScreeNurbs def;
    Nurbs nurbs;
    Block block; /* of the definition's arrays */
} ShapeCurve;

/* `shape`, `part`, `corner` and the definitions of curves are what a snapshot keeps; the rest
 * follows from them. */
typedef struct Shapes {
    size_t count, parts, corners, curves;
    ShapeRecord *shape;
    ScreeShapePart *part;
    Vec3 *corner;         /* counterclockwise, from the centroid */
    OutlinePart *outline; /* [parts] */
    Corner *edge;         /* [corners] */
    ShapeCurve *curve;    /* [curves] */
    Block curve_block;
    Block shape_block, part_block, corner_block, outline_block, edge_block;
} Shapes;

/* Room for so many in all; false when out of memory. Changes no count. */
bool scr_shapes_reserve(Shapes *shapes, size_t count, size_t parts, size_t corners);

/* Adds a sound definition; false when out of memory. */
bool scr_shapes_add(Shapes *shapes, const ScreeShapeDef *def);

/* The same of a curve. */
bool scr_shapes_add_nurbs(Shapes *shapes, const ScreeNurbs *def);

/* Room for one curve more with so many points and knots, appended with its arrays unset; NULL when
 * out of memory. */
ShapeCurve *scr_shapes_new_curve(Shapes *shapes, int32_t degree, size_t points, size_t knots);

/* Cuts and samples a curve whose definition is set, for a shape of this radius. */
bool scr_shape_curve_ready(ShapeCurve *curve, double radius);

/* Makes outlines and edges of the shapes from number `first` on. */
void scr_shapes_derive(Shapes *shapes, size_t first);

/* Whether the records of a snapshot fit to its arrays. */
bool scr_shapes_sound(const Shapes *shapes);

void scr_shapes_free(Shapes *shapes);

#endif
