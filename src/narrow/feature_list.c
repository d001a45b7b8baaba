#include "narrow/feature_list.h"

void scr_feature_list_free(FeatureList *list) {
    SCR_FREE_BLOCKS(&list->name_block, &list->near[0].height_block, &list->near[0].number_block,
                    &list->near[1].height_block, &list->near[1].number_block);
    *list = (FeatureList){0};
}

static bool make_room(const Polyhedron *p, NearFeatures *near) {
    size_t all = (size_t)p->vertices + (size_t)p->edges + (size_t)p->faces;
    if (!SCR_RESERVE(near, height, (size_t)p->vertices) ||
        !scr_block_reserve(&near->number_block, all, sizeof(int32_t), 0)) {
        return false;
    }
    near->number[ELEMENT_VERTEX] = near->number_block.data;
    near->number[ELEMENT_EDGE] = near->number[ELEMENT_VERTEX] + p->vertices;
    near->number[ELEMENT_FACE] = near->number[ELEMENT_EDGE] + p->edges;
    return true;
}

/* The height of every vertex along n, and the greatest of them. */
static double measure_heights(const Polyhedron *p, Vec3 n, double *height) {
    double most = -INFINITY;
    for (int32_t v = 0; v < p->vertices; v++) {
        height[v] = n.x * p->x[v] + n.y * p->y[v] + n.z * p->z[v];
        most = height[v] > most ? height[v] : most;
    }
    return most;
}

static bool reaches(const Polyhedron *p, int32_t f, const double *height, double level) {
    const PolyhedronFace *face = &p->face[f];
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        if (height[p->loop_vertex[k]] >= level) {
            return true;
        }
    }
    return false;
}

static void collect(const Polyhedron *p, double level, NearFeatures *near) {
    const double *height = near->height;
    near->count[0] = near->count[1] = near->count[2] = 0;
    for (int32_t v = 0; v < p->vertices; v++) {
        if (height[v] >= level) {
            near->number[ELEMENT_VERTEX][near->count[ELEMENT_VERTEX]++] = v;
        }
    }
    for (int32_t e = 0; e < p->edges; e++) {
        const int32_t *end = p->edge[e].vertex;
        if (height[end[0]] >= level || height[end[1]] >= level) {
            near->number[ELEMENT_EDGE][near->count[ELEMENT_EDGE]++] = e;
        }
    }
    for (int32_t f = 0; f < p->faces; f++) {
        if (reaches(p, f, height, level)) {
            near->number[ELEMENT_FACE][near->count[ELEMENT_FACE]++] = f;
        }
    }
}

static bool append(FeatureList *list, int32_t name) {
    if (!SCR_RESERVE_KEEPING(list, name, list->count + 1, list->count)) {
        return false;
    }
    list->name[list->count++] = name;
    return true;
}

/* One feature of a with all near ones of b that it can touch. */
static bool list_with(const PartPair *p, ElementKind kind, int32_t number,
                      const SightLimits *limits, FeatureList *list) {
    const NearFeatures *of_b = &list->near[1];
    for (int other = ELEMENT_VERTEX; scr_can_touch(kind, (ElementKind)other) && other < 3;
         other++) {
        for (int32_t k = 0; k < of_b->count[other]; k++) {
            const FeaturePair pair = {kind, (ElementKind)other, number, of_b->number[other][k]};
            FeatureSight sight;
            if (scr_see_features(p, pair, limits, &sight) &&
                !append(list, scr_name_of_pair(p, pair))) {
                return false;
            }
        }
    }
    return true;
}

bool scr_list_features(const PartPair *p, Vec3 axis, const SightLimits *limits, FeatureList *list) {
    NearFeatures *of_a = &list->near[0], *of_b = &list->near[1];
    if (!make_room(p->a, of_a) || !make_room(p->b, of_b)) {
        return false;
    }
    Vec3 back = scr_turn_to_b(p->pose, scale(-1, axis));
    double middle = dot(axis, p->pose->shift); /* heights of b are measured from there */
    double top_a = measure_heights(p->a, axis, of_a->height);
    double top_b = measure_heights(p->b, back, of_b->height);
    double beyond = scr_max(limits->beyond, limits->region);
    double most = scr_max(limits->high, -limits->low) + 2 * (limits->slide + beyond) + p->round;
    collect(p->a, middle - top_b - most, of_a);
    collect(p->b, middle - top_a - most, of_b);
    for (int kind = ELEMENT_VERTEX; kind <= ELEMENT_FACE; kind++) {
        for (int32_t k = 0; k < of_a->count[kind]; k++) {
            if (!list_with(p, (ElementKind)kind, of_a->number[kind][k], limits, list)) {
                return false;
            }
        }
    }
    return true;
}
