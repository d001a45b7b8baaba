/* The pairs of features that may face each other where one of two parts is not convex, or is a patch
 * of a surface of triangles. There is no axis that parts the two then, so the faces of one part, the
 * base, are gone over one by one, each with what of the other part, the probe, lies beside it. */
#ifndef SCREE_NARROW_LOCAL_LIST_H
#define SCREE_NARROW_LOCAL_LIST_H

#include "narrow/part_points.h"
#include "shape/mesh.h"

/* Two parts, and how their pairs are named. */
typedef struct LocalParts {
    const PartPair *now;
    bool base_is_a;
    const uint8_t *sharp; /* [vertices of the base] those that are features; NULL: all */
    /* of a patch, which is b: what its vertices, edges and faces are called. NULL: names of solids */
    const int32_t *element[3];
    const uint8_t *mute[3]; /* of a patch: those that are there only to be compared with */
    int32_t names;          /* elements of a, with a patch */
    /* of a patch of a closed surface, of which one side alone is there: the surface, whether that side is the inside, and
     * room. NULL: both sides are there */
    const Mesh *closed;
    bool within;
    MeshTriangles *room;
} LocalParts;

/* The name of an element of a solid with one of a surface; it is never 0. */
static inline int32_t scr_patch_name(int32_t of_solid, int32_t elements, int32_t of_mesh) {
    return of_mesh * elements + of_solid + 1;
}
/* Both again. */
static inline int32_t scr_patch_element(int32_t name, int32_t elements) {
    return (name - 1) % elements;
}
static inline int32_t scr_patch_of_mesh(int32_t name, int32_t elements) {
    return (name - 1) / elements;
}

typedef struct LocalBox {
    Vec3 low, high;
} LocalBox;

/* Work space. Zero-initialise it. */
typedef struct LocalWork {
    size_t seen;      /* how many pairs the list has: they are in SolidPoints */
    Vec3 *vertex;     /* of the probe, in the frame of the base */
    int32_t *near[3]; /* features of the probe beside the face in hand */
    int32_t near_count[3];
    LocalBox *box[3];   /* of the features of the probe */
    LocalBox *bunch[3]; /* of so many that follow one another, BUNCH */
    uint8_t *done;      /* vertices and edges of the base */
    size_t *rank;       /* of the pairs, the farthest apart first */
    size_t *teller;     /* pairs that tell of others whether they are ghosts */
    Block vertex_block, near_block, box_block, done_block, rank_block, teller_block;
} LocalWork;

void scr_local_work_free(LocalWork *work);

/* Features farther apart than this are not looked at. */
double scr_local_far(const PartPair *now, const SightLimits *limits);

/* Fills points->seen with the pairs within the limits; false when out of memory. */
bool scr_list_local(const LocalParts *parts, const SightLimits *limits, LocalWork *work,
                    SolidPoints *points);

#endif
