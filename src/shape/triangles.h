/* Closed surfaces of triangles, each of which knows its three neighbours, and surfaces of polygons
 * as lists of corners: how hulls and given surfaces pass through the functions of this room. */
#ifndef SCREE_SHAPE_TRIANGLES_H
#define SCREE_SHAPE_TRIANGLES_H

#include "base/memory.h"
#include "math/vec.h"

typedef struct Triangle {
    int32_t vertex[3];    /* counterclockwise, seen from outside */
    int32_t neighbour[3]; /* the triangle behind the edge from vertex k to the next */
} Triangle;

/* Zero-initialise it. */
typedef struct Triangles {
    int32_t count;
    Triangle *triangle;
    Block triangle_block;
} Triangles;

/* Faces as loops of vertices, counterclockwise seen from outside, one after the other. */
typedef struct FaceLoops {
    int32_t faces, corner_count;
    int32_t *corners; /* [faces] how many corners each has */
    int32_t *corner;
    Block corners_block, corner_block;
} FaceLoops;

static inline void scr_loops_free(FaceLoops *loops) {
    SCR_FREE_BLOCKS(&loops->corners_block, &loops->corner_block);
    *loops = (FaceLoops){0};
}

/* Twice the area times the normal. */
static inline Vec3 scr_triangle_normal(const Vec3 *point, const Triangle *t) {
    Vec3 a = point[t->vertex[0]];
    return cross(sub(point[t->vertex[1]], a), sub(point[t->vertex[2]], a));
}

static inline double scr_longest_side(const Vec3 *point, const Triangle *t) {
    Vec3 a = point[t->vertex[0]], b = point[t->vertex[1]], c = point[t->vertex[2]];
    return scr_max(length(sub(b, a)), scr_max(length(sub(c, b)), length(sub(a, c))));
}

/* How far p is from the straight line between a and b, or from its nearer end. */
static inline double scr_distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
    Vec3 along = sub(b, a), w = sub(p, a);
    double square = dot(along, along), t = square > 0 ? dot(w, along) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return length(add_scaled(w, -t, along));
}

#endif
