#include "shape/hull.h"

#include "shape/merge.h"
#include "shape/orient.h"
#include "shape/plane_groups.h"
#include "shape/quickhull.h"

#include <string.h>

/* The points that may be vertices: their coordinates, scaled by a power of two such that the
 * largest is below 1, and their numbers. */
typedef struct Cloud {
    int32_t count;
    Vec3 *point;
    int32_t *number;
    double scale, flat;
    Triangles hull;
    int32_t *group; /* of the triangles of the hull */
    int32_t *rank;  /* [count] work space */
    Block point_block, number_block, group_block, rank_block;
} Cloud;

void scr_extent(const Vec3 *point, size_t points, double *size, double *away) {
    Vec3 low = point[0], high = point[0];
    for (size_t k = 1; k < points; k++) {
        low = vec3(scr_min(low.x, point[k].x), scr_min(low.y, point[k].y),
                   scr_min(low.z, point[k].z));
        high = vec3(scr_max(high.x, point[k].x), scr_max(high.y, point[k].y),
                    scr_max(high.z, point[k].z));
    }
    *size = scr_max(high.x - low.x, scr_max(high.y - low.y, high.z - low.z));
    *away = 0;
    for (int a = 0; a < 3; a++) {
        *away = scr_max(*away, scr_max(fabs(component(low, a)), fabs(component(high, a))));
    }
}

static bool begin(Cloud *c, const Vec3 *point, size_t points) {
    double size, away;
    scr_extent(point, points, &size, &away);
    /* one more, for the apex above a plane */
    if (!SCR_RESERVE(c, point, points + 1) || !SCR_RESERVE(c, number, points + 1) ||
        !SCR_RESERVE(c, rank, points + 1)) {
        return false;
    }
    c->count = (int32_t)points;
    c->scale = scr_scale_points(point, points, c->point);
    c->flat = c->scale * scr_flat_tolerance(size, away);
    for (int32_t k = 0; k < c->count; k++) {
        c->number[k] = k;
    }
    return true;
}

/* ---------------------------------------------------------------- what they span */

typedef struct Span {
    int32_t point[4]; /* far from one another, from their line, from their plane */
    double distance[4];
    Vec3 along, normal;
} Span;

static double off(const Span *s, const Cloud *c, int32_t k, int dimension) {
    Vec3 w = sub(c->point[k], c->point[s->point[0]]);
    return dimension == 1   ? length(w)
           : dimension == 2 ? length(cross(s->along, w))
                            : fabs(dot(s->normal, w));
}

/* Each point is the farthest from what those before it span. */
static Span span_of(const Cloud *c) {
    Span s = {0};
    for (int32_t k = 1; k < c->count; k++) {
        s.point[0] = c->point[k].x < c->point[s.point[0]].x ? k : s.point[0];
    }
    for (int d = 1; d < 4; d++) {
        for (int32_t k = 0; k < c->count; k++) {
            double distance = off(&s, c, k, d);
            if (distance > s.distance[d]) {
                s.distance[d] = distance;
                s.point[d] = k;
            }
        }
        Vec3 far = sub(c->point[s.point[d]], c->point[s.point[0]]);
        if (d == 1) {
            s.along = unit(far);
        } else if (d == 2) {
            s.normal = unit(cross(s.along, far));
        }
    }
    return s;
}

static HullKind kind_of(const Span *s, double flat) {
    return s->distance[1] <= flat   ? HULL_POINT
           : s->distance[2] <= flat ? HULL_LINE
           : s->distance[3] <= flat ? HULL_PLANE
                                    : HULL_SOLID;
}

/* ---------------------------------------------------------------- hulls */

/* Only points at which three groups meet are vertices: the number of sides there that lie between
 * two groups. Drops the others; whether there were any. */
static bool drop_flat_points(Cloud *c) {
    int32_t *sides = c->rank, kept = 0, before = c->count;
    memset(sides, 0, (size_t)c->count * sizeof *sides);
    for (int32_t t = 0; t < c->hull.count; t++) {
        for (int e = 0; e < 3; e++) {
            const Triangle *on = &c->hull.triangle[t];
            sides[on->vertex[e]] += c->group[t] != c->group[on->neighbour[e]];
        }
    }
    for (int32_t k = 0; k < c->count; k++) {
        kept += sides[k] >= 3;
    }
    if (kept < 4) {
        return false;
    }
    kept = 0;
    for (int32_t k = 0; k < c->count; k++) {
        if (sides[k] >= 3) {
            c->point[kept] = c->point[k];
            c->number[kept++] = c->number[k];
        }
    }
    c->count = kept;
    return kept < before;
}

static bool make_hull(Cloud *c, const Span *span) {
    return scr_quickhull(c->point, c->count, span->point, &c->hull) &&
           SCR_RESERVE(c, group, (size_t)c->hull.count);
}

/* ---------------------------------------------------------------- planes */

/* The points around an apex high above the plane, counterclockwise seen from there. */
static bool find_ring(Cloud *c, const Span *span, int32_t *ring, int32_t *count) {
    int32_t apex = c->count++;
    c->point[apex] = add_scaled(c->point[span->point[0]], span->distance[1], span->normal);
    const int32_t first[4] = {span->point[0], span->point[1], span->point[2], apex};
    Span all = *span;
    memcpy(all.point, first, sizeof first);
    if (!make_hull(c, &all)) {
        return false;
    }
    int32_t start = -1;
    for (int32_t t = 0; t < c->hull.count; t++) {
        const int32_t *v = c->hull.triangle[t].vertex;
        for (int e = 0; e < 3; e++) {
            if (v[e] == apex) {
                c->rank[v[(e + 1) % 3]] = v[(e + 2) % 3];
                start = v[(e + 1) % 3];
            }
        }
    }
    *count = 0;
    int32_t at = start;
    do {
        ring[(*count)++] = at;
        at = c->rank[at];
    } while (at != start);
    c->count--;
    return true;
}

/* Leaves out what lies on straight lines, beginning at the point farthest from the first one, which
 * is a corner. */
static int32_t straighten_ring(const Cloud *c, const Span *span, int32_t *ring, int32_t count) {
    int32_t start = 0, kept = 0;
    for (int32_t k = 1; k < count; k++) {
        start = off(span, c, ring[k], 1) > off(span, c, ring[start], 1) ? k : start;
    }
    for (int32_t from = 0, to; from < count; from = to) {
        const Vec3 a = c->point[ring[(start + from) % count]];
        bool clear = true;
        for (to = from + 1; to < count && clear; to += clear) {
            Vec3 b = c->point[ring[(start + to + 1) % count]];
            for (int32_t k = from + 1; k <= to && clear; k++) {
                Vec3 p = c->point[ring[(start + k) % count]];
                clear = scr_distance_to_segment(p, a, b) <= c->flat;
            }
        }
        c->rank[kept++] = ring[(start + from) % count];
    }
    memcpy(ring, c->rank, (size_t)kept * sizeof *ring);
    return kept;
}

/* Two faces on the points that are left, as numbers of the cloud. */
static bool make_plate(Cloud *c, const Span *span, FaceLoops *face) {
    int32_t count;
    size_t room = (size_t)c->count + 1;
    if (!SCR_RESERVE(face, corner, 2 * room) || !SCR_RESERVE(face, corners, 2) ||
        !find_ring(c, span, face->corner, &count)) {
        return false;
    }
    count = straighten_ring(c, span, face->corner, count);
    int32_t least = 0;
    for (int32_t k = 1; k < count; k++) {
        least = face->corner[k] < face->corner[least] ? k : least;
    }
    for (int32_t k = 0; k < count; k++) {
        c->rank[k] = face->corner[(least + k) % count];
    }
    for (int32_t k = 0; k < count; k++) {
        face->corner[k] = c->rank[k];
        face->corner[count + k] = c->rank[(count - k) % count];
    }
    face->faces = 2;
    face->corners[0] = face->corners[1] = count;
    face->corner_count = 2 * count;
    return true;
}

/* ---------------------------------------------------------------- solids */

/* Hull, then vertices, then the hull of these alone, until all of them are vertices; the tolerance
 * remains that of the first. */
static bool settle(Cloud *c, Hull *made) {
    const double tolerance = c->scale * made->tolerance;
    bool dropped = true;
    for (int turn = 0; dropped; turn++) {
        Span span = span_of(c);
        if (kind_of(&span, tolerance) != HULL_SOLID) { /* nothing but noise was left */
            made->kind = HULL_PLANE;
            return make_plate(c, &span, &made->face);
        }
        if (!make_hull(c, &span) || !scr_plane_groups(c->point, &c->hull, tolerance, c->group)) {
            return false;
        }
        dropped = turn < 16 && drop_flat_points(c);
    }
    return scr_merge_triangles(c->point, c->count, &c->hull, tolerance, c->group, &made->face);
}

/* ---------------------------------------------------------------- the whole */

static bool name_vertices(const Cloud *c, Hull *made) {
    memset(c->rank, 0, (size_t)c->count * sizeof *c->rank);
    for (int32_t k = 0; k < made->face.corner_count; k++) {
        c->rank[made->face.corner[k]] = 1;
    }
    if (!SCR_RESERVE(made, vertex, (size_t)c->count)) {
        return false;
    }
    made->vertices = 0;
    for (int32_t k = 0; k < c->count; k++) {
        if (c->rank[k] == 1) {
            c->rank[k] = made->vertices;
            made->vertex[made->vertices++] = c->number[k];
        }
    }
    for (int32_t k = 0; k < made->face.corner_count; k++) {
        made->face.corner[k] = c->rank[made->face.corner[k]];
    }
    return true;
}

static bool name_ends(const Cloud *c, const Span *span, Hull *made) {
    int32_t a = c->number[span->point[0]], b = c->number[span->point[1]];
    made->vertices = made->kind == HULL_POINT ? 1 : 2;
    if (!SCR_RESERVE(made, vertex, 2)) {
        return false;
    }
    made->vertex[0] = made->kind == HULL_POINT || a < b ? a : b;
    made->vertex[1] = a < b ? b : a;
    return true;
}

static bool make(Cloud *c, Hull *made) {
    Span span = span_of(c);
    made->kind = kind_of(&span, c->flat);
    made->tolerance = c->flat / c->scale;
    if (made->kind == HULL_POINT || made->kind == HULL_LINE) {
        return name_ends(c, &span, made);
    }
    if (made->kind == HULL_PLANE) {
        return make_plate(c, &span, &made->face) && name_vertices(c, made);
    }
    double tight = scr_max(1e-6 * span.distance[3], 32 * 0x1p-52) / c->scale;
    made->tolerance = scr_min(made->tolerance, tight);
    return settle(c, made) && name_vertices(c, made);
}

bool scr_hull(const Vec3 *point, size_t points, Hull *made) {
    Cloud c = {0};
    bool ok = begin(&c, point, points) && make(&c, made);
    SCR_FREE_BLOCKS(&c.point_block, &c.number_block, &c.group_block, &c.rank_block,
                    &c.hull.triangle_block);
    return ok;
}

void scr_hull_free(Hull *hull) {
    scr_loops_free(&hull->face);
    scr_block_free(&hull->vertex_block);
    *hull = (Hull){0};
}
