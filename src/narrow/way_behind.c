#include "narrow/way_behind.h"

#include "narrow/feature_sight.h"
#include "narrow/part_level.h"

/* A walk along the edges of a part, always up, and how high over the foot it passes the surface of the other part, for
 * the first time and for the second. */
typedef struct Walk {
    const Polyhedron *part, *other;
    const RelativePose *pose;
    bool of_a;
    Vec3 here;
    double height, first, second;
} Walk;

static Vec3 to_other(const Walk *w, Vec3 x) {
    return w->of_a ? scr_point_to_b(w->pose, x) : scr_point_from_b(w->pose, x);
}

/* Where faces meet, all of them are passed at one height; and those of a surface of triangles are there twice. */
static void note_passage(Walk *w, double height) {
    const double same = 1e-9 * w->part->extent;
    if (height < w->first - same) {
        w->second = w->first;
        w->first = height;
    } else if (height > w->first + same) {
        w->second = scr_min(w->second, height);
    }
}

static void go_to(Walk *w, Vec3 there, double height) {
    const Polyhedron *p = w->other;
    const Vec3 from = to_other(w, w->here), way = sub(to_other(w, there), from);
    for (int32_t f = 0; f < p->faces; f++) {
        const PolyhedronFace *face = &p->face[f];
        double before = dot(face->normal, from) - face->offset;
        double after = before + dot(face->normal, way);
        if ((before < 0) != (after < 0)) {
            double share = before / (before - after);
            if (scr_beyond_face(p, f, add_scaled(from, share, way), 0) <= 1e-9 * w->part->extent) {
                note_passage(w, w->height + share * (height - w->height));
            }
        }
    }
    w->here = there;
    w->height = height;
}

/* From the foot to a vertex, and then from vertex to vertex. */
static double walk_up(Walk *w, int32_t from, Vec3 up, double enough) {
    const Polyhedron *p = w->part;
    const Vec3 foot = w->here;
    double height = dot(up, sub(scr_vertex(p, from), foot));
    go_to(w, scr_vertex(p, from), height);
    for (int32_t v = from, next = from; height < enough; v = next) {
        for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
            double there = dot(up, sub(scr_vertex(p, p->star_vertex[k]), foot));
            next = there > height ? p->star_vertex[k] : next;
            height = scr_max(height, there);
        }
        if (next == v) {
            break;
        }
        go_to(w, scr_vertex(p, next), height);
    }
    return w->first < INFINITY ? scr_min(height, w->second) : 0;
}

double scr_way_behind(const PartPair *p, bool of_a, ElementKind kind, int32_t number, Vec3 foot,
                      Vec3 up, double enough) {
    const Polyhedron *part = of_a ? p->a : p->b;
    double way = scr_part_thickness(part, foot, up, 1e-9 * p->size);
    if (kind == ELEMENT_FACE || !isfinite(part->extent) || way >= enough) {
        return way;
    }
    for (int end = 0; end <= (kind == ELEMENT_EDGE ? 1 : 0); end++) {
        int32_t from = kind == ELEMENT_EDGE ? part->edge[number].vertex[end] : number;
        Walk walk = {.part = part,
                     .other = of_a ? p->b : p->a,
                     .pose = p->pose,
                     .of_a = of_a,
                     .here = foot,
                     .first = INFINITY,
                     .second = INFINITY};
        way = scr_max(way, walk_up(&walk, from, up, enough));
    }
    return way;
}
