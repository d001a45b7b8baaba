/* The pairs of features of two convex parts that face each other: a list of names, which holds all
 * pairs within the limits. Along any axis n the parts end somewhere, a at h_a and b at h_b. Points of
 * a pair that are no farther apart than D lie in the slab from h_b - D to h_a + D; so features that
 * have no vertex there are left out. The better the axis parts the bodies, the fewer remain. Of these,
 * the pairs whose balls are farther apart than D are not looked at either. */
#ifndef SCREE_NARROW_FEATURE_LIST_H
#define SCREE_NARROW_FEATURE_LIST_H

#include "narrow/feature_sight.h"
#include "narrow/outline_touch.h"

/* A feature in the slab, and a ball that holds it, in the frame of a. */
typedef struct NearFeature {
    Vec3 middle;
    double radius;
    Vec3 along, inward[2]; /* of edges */
    int32_t number;
} NearFeature;

/* What of a part lies in the slab. */
typedef struct NearFeatures {
    int32_t count[3]; /* of vertices, edges and faces */
    NearFeature *feature[3];
    double *height; /* [vertices] along the axis, out of the part */
    Block height_block, feature_block;
} NearFeatures;

/* Zero-initialise it. */
typedef struct FeatureList {
    size_t count;
    int32_t *name; /* features, in ascending order for each pair of parts */
    Block name_block;
    NearFeatures near[2];
} FeatureList;

/* Appends the names of two parts. False when out of memory. */
bool scr_list_features(const PartPair *parts, Vec3 axis, const SightLimits *limits,
                       FeatureList *list);

/* Appends one name. */
bool scr_list_name(FeatureList *list, int32_t name);

void scr_feature_list_free(FeatureList *list);

/* The names of elements of parts, and back. */
static inline int32_t scr_element_of(const Polyhedron *p, ElementKind kind, int32_t number) {
    return kind == ELEMENT_VERTEX ? scr_vertex_element(p, number)
           : kind == ELEMENT_EDGE ? scr_edge_element(p, number)
                                  : scr_face_element(p, number);
}
static inline int32_t scr_name_of_pair(const PartPair *p, FeaturePair f) {
    return scr_feature(scr_element_of(p->a, f.kind_a, f.a), scr_element_of(p->b, f.kind_b, f.b));
}
static inline void scr_kind_of_element(const Polyhedron *p, int32_t element, ElementKind *kind,
                                       int32_t *number) {
    int32_t k = element - p->first_element;
    bool vertex = k < p->vertices, edge = k < p->vertices + p->edges;
    *kind = vertex ? ELEMENT_VERTEX : edge ? ELEMENT_EDGE : ELEMENT_FACE;
    *number = vertex ? k : edge ? k - p->vertices : k - p->vertices - p->edges;
}
static inline FeaturePair scr_pair_of_name(const PartPair *p, int32_t name) {
    FeaturePair f;
    scr_kind_of_element(p->a, scr_feature_a(name), &f.kind_a, &f.a);
    scr_kind_of_element(p->b, scr_feature_b(name), &f.kind_b, &f.b);
    return f;
}

/* Whether a name is one of these two parts. */
static inline bool scr_is_of_part(const Polyhedron *p, int32_t element) {
    return element >= p->first_element && element < p->first_element + p->elements;
}
static inline bool scr_is_of_parts(const PartPair *p, int32_t name) {
    return scr_is_of_part(p->a, scr_feature_a(name)) && scr_is_of_part(p->b, scr_feature_b(name));
}

#endif
