/* Outlines in the plane: rounded polygons, one or several as one shape, and curves. What is wrong
 * with one, its area and inertia, and where its corners are when it is rotated. */
#ifndef SCREE_SHAPE_OUTLINE_H
#define SCREE_SHAPE_OUTLINE_H

#include "shape/nurbs.h"

/* Corners of a shape, at most: the names of its contacts have no room for more. */
enum { MOST_CORNERS = 1 << 14 };

/* A corner and the edge to the next corner of its part. Material lies to the left of the edge; its
 * outward normal is (ty, -tx). */
typedef struct Corner {
    double x, y;   /* from the centre of the body */
    double tx, ty; /* unit, along the edge; (0, 0) for the one corner of a disk */
    double length; /* of the edge */
    bool reflex;   /* the outline turns right here: nothing flat can touch it first */
} Corner;

/* Where the corners of a part are among those of its shape. */
typedef struct OutlinePart {
    int32_t first, count;
    double rounding;
} OutlinePart;

/* The number of the part that a corner belongs to. */
static inline int32_t scr_part_with(const OutlinePart *part, int32_t parts, int32_t corner) {
    int32_t p = 0;
    while (p + 1 < parts && corner >= part[p].first + part[p].count) {
        p++;
    }
    return p;
}
static inline double scr_rounding_at(const OutlinePart *part, int32_t parts, int32_t corner) {
    return part[scr_part_with(part, parts, corner)].rounding;
}

/* Widens a box by a disk. */
static inline void scr_box_add(double low[2], double high[2], double x, double y, double radius) {
    low[0] = scr_min(low[0], x - radius);
    low[1] = scr_min(low[1], y - radius);
    high[0] = scr_max(high[0], x + radius);
    high[1] = scr_max(high[1], y + radius);
}

/* A shape rotated like its body, as seen from the body's centre. */
typedef struct Outline {
    const Corner *corner;
    const OutlinePart *part;
    int32_t parts;
    double low[2], high[2]; /* the box around it, including the rounding */
    const Nurbs *nurbs;     /* NULL, or a curve, rotated as below, whose nodes are the corners */
    double cosine, sine;
} Outline;

/* SCREE_OK, or SCREE_BAD_ARGUMENT and a message (SCREE_MESSAGE_SIZE bytes) with the number of the
 * part and of the corner, both from 0. */
ScreeStatus scr_outline_check(const ScreeShapeDef *def, char *message);

/* Area, centroid, gyration and radius of a sound definition, all exact; shape->def is the
 * definition as given. */
ScreeShape scr_outline_measure(const ScreeShapeDef *def);

/* The corners of a definition, counterclockwise and relative to the centroid, in the order of its
 * parts. */
void scr_outline_normalise(const ScreeShapeDef *def, Vec3 centroid, Vec3 *corner);

/* Makes the edges of normalised corners. */
void scr_outline_edges(const OutlinePart *part, int32_t parts, const Vec3 *corner, Corner *edge);

/* Rotates `from` (corners in all) into `to`, and sets the box of `to`. */
void scr_outline_turn(const Corner *from, const OutlinePart *part, int32_t parts, Quat orientation,
                      Corner *to, Outline *outline);

#endif
