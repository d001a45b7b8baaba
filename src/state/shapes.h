/* The shapes of a world: outlines that bodies have. Bodies without one are round. */
#ifndef SCREE_STATE_SHAPES_H
#define SCREE_STATE_SHAPES_H

#include "base/memory.h"
#include "shape/outline.h"

/* One shape: where its parts and corners are in the arrays of all, and its measures. */
typedef struct ShapeRecord {
    int32_t first_part, parts, first_corner, corners;
    Vec3 centroid; /* in the coordinates of its definition */
    double area, gyration, radius;
} ShapeRecord;

/* `shape`, `part` and `corner` are what a snapshot keeps; the rest follows from them. */
typedef struct Shapes {
    size_t count, parts, corners;
    ShapeRecord *shape;
    ScreeShapePart *part;
    Vec3 *corner;         /* counterclockwise, from the centroid */
    OutlinePart *outline; /* [parts] */
    Corner *edge;         /* [corners] */
    Block shape_block, part_block, corner_block, outline_block, edge_block;
} Shapes;

/* Room for so many in all; false when out of memory. Changes no count. */
bool scr_shapes_reserve(Shapes *shapes, size_t count, size_t parts, size_t corners);

/* Adds a sound definition; false when out of memory. */
bool scr_shapes_add(Shapes *shapes, const ScreeShapeDef *def);

/* Makes outlines and edges of the shapes from number `first` on. */
void scr_shapes_derive(Shapes *shapes, size_t first);

/* Whether the records of a snapshot fit to its arrays. */
bool scr_shapes_sound(const Shapes *shapes);

void scr_shapes_free(Shapes *shapes);

#endif
