#include "narrow/feature_list.h"

void scr_feature_list_free(FeatureList *list) {
    SCR_FREE_BLOCKS(&list->name_block, &list->near[0].height_block, &list->near[0].feature_block,
                    &list->near[1].height_block, &list->near[1].feature_block);
    *list = (FeatureList){0};
}

static bool make_room(const Polyhedron *p, NearFeatures *near) {
    size_t all = (size_t)p->vertices + (size_t)p->edges + (size_t)p->faces;
    if (!SCR_RESERVE(near, height, (size_t)p->vertices) ||
        !scr_block_reserve(&near->feature_block, all, sizeof(NearFeature), 0)) {
        return false;
    }
    near->feature[ELEMENT_VERTEX] = near->feature_block.data;
    near->feature[ELEMENT_EDGE] = near->feature[ELEMENT_VERTEX] + p->vertices;
    near->feature[ELEMENT_FACE] = near->feature[ELEMENT_EDGE] + p->edges;
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

/* The ball about the middle of a face's corners. */
static NearFeature ball_of_face(const Polyhedron *p, int32_t f) {
    const PolyhedronFace *face = &p->face[f];
    NearFeature ball = {.number = f};
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        ball.middle = add(ball.middle, scr_vertex(p, p->loop_vertex[k]));
    }
    ball.middle = scale(1.0 / face->count, ball.middle);
    double square = 0;
    for (int32_t k = face->first; k < face->first + face->count; k++) {
        Vec3 d = sub(scr_vertex(p, p->loop_vertex[k]), ball.middle);
        square = scr_max(square, dot(d, d));
    }
    ball.radius = sqrt(square);
    return ball;
}

static NearFeature ball_of_edge(const Polyhedron *p, int32_t e) {
    const PolyhedronEdge *edge = &p->edge[e];
    Vec3 sum = add(scr_vertex(p, edge->vertex[0]), scr_vertex(p, edge->vertex[1]));
    return (NearFeature){
        scale(0.5, sum), 0.5 * edge->length, edge->along, {edge->inward[0], edge->inward[1]}, e};
}

static void see_from_a(const RelativePose *pose, bool edge, NearFeature *f) {
    f->middle = scr_point_from_b(pose, f->middle);
    if (edge) {
        f->along = scr_turn_from_b(pose, f->along);
        f->inward[0] = scr_turn_from_b(pose, f->inward[0]);
        f->inward[1] = scr_turn_from_b(pose, f->inward[1]);
    }
}

/* `pose`: how the frame of the part is seen from a; NULL for a itself. */
static void collect(const Polyhedron *p, const RelativePose *pose, double level,
                    NearFeatures *near) {
    const double *height = near->height;
    near->count[0] = near->count[1] = near->count[2] = 0;
    for (int32_t v = 0; v < p->vertices; v++) {
        if (height[v] >= level) {
            near->feature[ELEMENT_VERTEX][near->count[ELEMENT_VERTEX]++] =
                (NearFeature){.middle = scr_vertex(p, v), .number = v};
        }
    }
    for (int32_t e = 0; e < p->edges; e++) {
        const int32_t *end = p->edge[e].vertex;
        if (height[end[0]] >= level || height[end[1]] >= level) {
            near->feature[ELEMENT_EDGE][near->count[ELEMENT_EDGE]++] = ball_of_edge(p, e);
        }
    }
    for (int32_t f = 0; f < p->faces; f++) {
        if (reaches(p, f, height, level)) {
            near->feature[ELEMENT_FACE][near->count[ELEMENT_FACE]++] = ball_of_face(p, f);
        }
    }
    for (int kind = 0; kind < 3 && pose != NULL; kind++) {
        for (int32_t k = 0; k < near->count[kind]; k++) {
            see_from_a(pose, kind == ELEMENT_EDGE, &near->feature[kind][k]);
        }
    }
}

bool scr_list_name(FeatureList *list, int32_t name) {
    if (!SCR_RESERVE_KEEPING(list, name, list->count + 1, list->count)) {
        return false;
    }
    list->name[list->count++] = name;
    return true;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* What most pairs of edges fail by: neither direction across both lies in both arcs, not even
 * nearly. */
static bool arcs_are_apart(const NearFeature *a, const NearFeature *b, const SightLimits *limits) {
    Vec3 n = cross(a->along, b->along);
    double x[4] = {dot(n, a->inward[0]), dot(n, a->inward[1]), -dot(n, b->inward[0]),
                   -dot(n, b->inward[1])};
    double most = larger(larger(x[0], x[1]), larger(x[2], x[3]));
    double least = larger(larger(-x[0], -x[1]), larger(-x[2], -x[3]));
    double tilt =
        scr_min(most, least) - 4 * limits->turn - 1e-12; /* times the sine, which is |n| */
    return tilt > 0 && tilt * tilt > limits->tilt * limits->tilt * dot(n, n) &&
           dot(n, n) >
               4 * (PARALLEL_EDGES + 2 * limits->turn) * (PARALLEL_EDGES + 2 * limits->turn);
}

/* One feature of a with all near ones of b that it can touch. */
static bool list_with(const PartPair *p, ElementKind kind, const NearFeature *one, double most,
                      const SightLimits *limits, FeatureList *list) {
    const NearFeatures *of_b = &list->near[1];
    for (int other = ELEMENT_VERTEX; other < 3 && scr_can_touch(kind, (ElementKind)other);
         other++) {
        for (int32_t k = 0; k < of_b->count[other]; k++) {
            const NearFeature *two = &of_b->feature[other][k];
            Vec3 d = sub(two->middle, one->middle);
            double far = one->radius + two->radius + most;
            if (dot(d, d) > far * far || (kind == ELEMENT_EDGE && other == ELEMENT_EDGE &&
                                          arcs_are_apart(one, two, limits))) {
                continue;
            }
            const FeaturePair pair = {kind, (ElementKind)other, one->number, two->number};
            FeatureSight sight;
            if (scr_see_features(p, pair, limits, &sight) &&
                !scr_list_name(list, scr_name_of_pair(p, pair))) {
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
    double most =
        scr_max(limits->high, -limits->low) + 2 * (limits->slide + beyond) + 10 * p->round;
    collect(p->a, NULL, middle - top_b - most, of_a);
    collect(p->b, p->pose, middle - top_a - most, of_b);
    for (int kind = ELEMENT_VERTEX; kind <= ELEMENT_FACE; kind++) {
        for (int32_t k = 0; k < of_a->count[kind]; k++) {
            if (!list_with(p, (ElementKind)kind, &of_a->feature[kind][k], most, limits, list)) {
                return false;
            }
        }
    }
    return true;
}
