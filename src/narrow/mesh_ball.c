/* Balls on walls of triangles. The centre of a ball is nearest to a plane, an edge or a vertex of the
 * surface wherever the distance from it is least all around: those are its contact points. */
#include "narrow/mesh_pair.h"

/* Directions that lead no nearer, but for rounding. */
static const double level = 1e-12;

typedef struct BallSearch {
    const Mesh *mesh;
    int32_t which; /* part of the mesh, or -1 */
    const MeshTriangles *near;
    Vec3 centre; /* in the frame of the mesh */
    double radius, reach;
    Quat orientation;
    OldPoints old;
    OutlineTouches *touches;
} BallSearch;

static int32_t feature_of(int32_t element) {
    return -1 - element;
}
static int32_t element_of(int32_t feature) {
    return -1 - feature;
}

bool scr_is_on_plane(const Mesh *m, int32_t feature) {
    return element_of(feature) >= m->vertices + m->edges;
}

/* ---------------------------------------------------------------- what is nearest */

static int32_t part_of(const Mesh *m, int32_t t) {
    return m->part != NULL ? m->part[t] : 0;
}

static bool leads_nearer(const BallSearch *b, Vec3 w, Vec3 direction) {
    return dot(w, direction) > level * (b->radius + length(w));
}

/* w: from the edge to the centre. */
static bool is_nearest_edge(const BallSearch *b, int32_t e, Vec3 w) {
    const PolyhedronEdge edge = scr_mesh_edge(b->mesh, e);
    return !leads_nearer(b, w, edge.inward[0]) && !leads_nearer(b, w, edge.inward[1]);
}

/* `sharp` receives a sharp edge there, or -1. */
static bool is_nearest_vertex(const BallSearch *b, int32_t v, Vec3 w, int32_t *sharp) {
    const Mesh *m = b->mesh;
    *sharp = -1;
    for (size_t k = 0; k < b->near->count; k++) {
        int32_t t = b->near->item[k];
        const int32_t *corner = scr_mesh_corners(m, t);
        for (int c = 0; c < 3; c++) {
            int32_t e = m->triangle[t].edge[c];
            int32_t other = corner[c] == v             ? corner[(c + 1) % 3]
                            : corner[(c + 1) % 3] == v ? corner[c]
                                                       : -1;
            if (other < 0) {
                continue;
            }
            if (leads_nearer(b, w, unit(sub(m->vertex[other], m->vertex[v])))) {
                return false;
            }
            *sharp = m->sharp_edge[e] ? e : *sharp;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- points */

static bool is_old(OldPoints old, int32_t feature) {
    for (size_t i = 0; i < old.count; i++) {
        if (old.item[i].feature == feature) {
            return true;
        }
    }
    return false;
}

/* Points in one place, where a plane ends in an edge: the name of the step before stays, or else the
 * highest element, which is a plane. */
static bool replaces(const BallSearch *b, const OutlineTouch *one, const OutlineTouch *other) {
    bool old = is_old(b->old, one->feature), was = is_old(b->old, other->feature);
    return old != was ? old : one->feature < other->feature;
}

static bool add_point(const BallSearch *b, int32_t element, double distance, Vec3 normal) {
    if (distance - b->radius > b->reach) {
        return true;
    }
    double gap = distance - b->radius, near = 2e-3 * b->radius;
    Vec3 outward = quat_rotate(b->orientation, normal);
    const OutlineTouch found = {.gap = gap,
                                .normal = outward,
                                .arm = scale(b->radius + 0.5 * gap, outward),
                                .feature = feature_of(element)};
    for (size_t k = 0; k < b->touches->count; k++) {
        OutlineTouch *t = &b->touches->item[k];
        Vec3 apart = sub(t->arm, found.arm);
        if (dot(apart, apart) < near * near && dot(t->normal, outward) > 0.98 &&
            fabs(t->gap - gap) < 1e-4 * near) {
            *t = replaces(b, &found, t) ? found : *t;
            return true;
        }
    }
    return scr_add_touch(b->touches, &found);
}

static bool touch_plane(const BallSearch *b, int32_t t) {
    const Mesh *m = b->mesh;
    const MeshPlane *plane = &m->plane[m->triangle[t].plane];
    double height = dot(plane->normal, b->centre) - plane->offset;
    int side = height >= 0 ? 0 : 1;
    Vec3 normal = scale(side == 0 ? -1 : 1, plane->normal);
    return add_point(b, scr_mesh_plane_element(m, m->triangle[t].plane, side), fabs(height),
                     normal);
}

/* A point of an edge or a vertex, from which the centre is at w. */
static bool touch_at(const BallSearch *b, int32_t element, Vec3 w, int32_t t) {
    double distance = length(w);
    return distance > 0 ? add_point(b, element, distance, scale(-1 / distance, w))
                        : touch_plane(b, t);
}

static bool touch_triangle(const BallSearch *b, int32_t t) {
    const Mesh *m = b->mesh;
    const int32_t *v = scr_mesh_corners(m, t);
    const TrianglePoint p =
        scr_nearest_on_triangle(m->vertex[v[0]], m->vertex[v[1]], m->vertex[v[2]], b->centre);
    Vec3 w = sub(b->centre, p.at);
    if (dot(w, w) > (b->radius + b->reach) * (b->radius + b->reach)) {
        return true;
    }
    if (p.kind == ELEMENT_FACE) {
        return touch_plane(b, t);
    }
    if (p.kind == ELEMENT_EDGE) {
        int32_t e = m->triangle[t].edge[p.corner];
        return !is_nearest_edge(b, e, w) ||
               (m->sharp_edge[e] ? touch_at(b, scr_mesh_edge_element(m, e), w, t)
                                 : touch_plane(b, t));
    }
    int32_t sharp;
    if (!is_nearest_vertex(b, v[p.corner], w, &sharp)) {
        return true;
    }
    return m->sharp_vertex[v[p.corner]] ? touch_at(b, v[p.corner], w, t)
           : sharp >= 0                 ? touch_at(b, scr_mesh_edge_element(m, sharp), w, t)
                                        : touch_plane(b, t);
}

ScreeStatus scr_ball_mesh_points(const PlacedPair *p, const StepMotion *motion, double reach,
                                 OutlineTouches *touches) {
    (void)motion;
    const ScreeWallDef *w = p->wall;
    MeshTriangles *near = &p->work->patch.near;
    const BallSearch b = {
        w->mesh,      w->part, near,           quat_rotate_back(w->orientation, scale(-1, p->d)),
        p->radius[0], reach,   w->orientation, p->old,
        touches};
    double far = b.radius + scr_max(reach, 0);
    const Vec3 more = vec3(far, far, far);
    touches->count = 0;
    if (!scr_mesh_find(w->mesh, sub(b.centre, more), add(b.centre, more), near)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t k = 0; k < near->count; k++) {
        int32_t t = near->item[k];
        if ((b.which < 0 || part_of(w->mesh, t) == b.which) && !touch_triangle(&b, t)) {
            return SCREE_NO_MEMORY;
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- one point again */

double scr_ball_mesh_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    (void)normal;
    const ScreeWallDef *w = p->wall;
    Vec3 centre = quat_rotate_back(w->orientation, scale(-1, p->d));
    MeshFeature f;
    scr_mesh_feature(w->mesh, element_of(feature), &f);
    if (f.kind == ELEMENT_FACE) {
        return dot(f.face.normal, centre) - f.face.offset - p->radius[0];
    }
    Vec3 d = sub(centre, scr_vertex(&f.part, 0));
    if (f.kind == ELEMENT_EDGE) {
        double s = dot(d, f.edge.along);
        d = add_scaled(d, -scr_min(scr_max(s, 0), f.edge.length), f.edge.along);
    }
    return length(d) - p->radius[0];
}

const Contact *scr_ball_mesh_before(const State *s, const PairSides *pair, OldPoints old,
                                    int32_t feature) {
    (void)s, (void)pair;
    for (size_t i = 0; i < old.count; i++) {
        if (old.item[i].feature == feature) {
            return &old.item[i];
        }
    }
    return old.count == 1 ? old.item : NULL;
}
