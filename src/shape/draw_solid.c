#include "shape/draw_solid.h"

#include "shape/ears.h"
#include "shape/hull.h"

enum { MOST_LINES = HALF_CIRCLE };

bool scr_draw_point(SolidDrawing *s, Vec3 at) {
    if (!SCR_RESERVE_KEEPING(s, point, s->points + 1, s->points)) {
        return false;
    }
    s->point[s->points++] = at;
    return true;
}

static bool add_triangle(SolidDrawing *s, size_t a, size_t b, size_t c) {
    if (!SCR_RESERVE_KEEPING(s, triangle, 3 * s->triangles + 3, 3 * s->triangles)) {
        return false;
    }
    int32_t *t = &s->triangle[3 * s->triangles++];
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
    return true;
}

void scr_solid_drawing_free(SolidDrawing *s) {
    SCR_FREE_BLOCKS(&s->point_block, &s->triangle_block);
    *s = (SolidDrawing){0};
}

bool scr_draw_band(SolidDrawing *s, size_t row, size_t left, int lines, bool point) {
    for (int j = 0; j < lines; j++) {
        size_t a = row + (size_t)j, c = point ? left : left + (size_t)j, d = c + !point;
        if (!add_triangle(s, a, a + 1, d) || (!point && !add_triangle(s, a, d, c))) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- faces */

/* Of a face whose outline crosses itself, as only files have it, some may remain. */
static bool cut_face(Ring *ring, SolidDrawing *s) {
    int32_t triangle[3];
    while (scr_cut_ear(ring, triangle)) {
        if (!add_triangle(s, (size_t)triangle[0], (size_t)triangle[1], (size_t)triangle[2])) {
            return false;
        }
    }
    return true;
}

static bool draw_face(const Polyhedron *p, const PolyhedronFace *f, Block *work, SolidDrawing *s) {
    if (!scr_block_reserve(work, (size_t)f->count, sizeof(int32_t), 0)) {
        return false;
    }
    int32_t *corner = work->data;
    size_t first = s->points;
    for (int32_t i = 0; i < f->count; i++) {
        int32_t v = p->loop_vertex[f->first + i];
        corner[i] = (int32_t)s->points;
        if (!scr_draw_point(s, add_scaled(scr_vertex(p, v), p->rounding, f->normal))) {
            return false;
        }
    }
    double size, away;
    scr_extent(&s->point[first], (size_t)f->count, &size, &away);
    Ring ring = {s->point, corner, f->count, f->normal, scr_no_height(size, away)};
    return cut_face(&ring, s);
}

/* ---------------------------------------------------------------- edges */

/* Unit vectors from the normal of an edge's first face to that of its second. */
typedef struct Arc {
    int lines;
    Vec3 at[MOST_LINES + 1];
} Arc;

/* Lines for an angle up to half a turn, which may be no number. */
static int lines_of(double angle) {
    double lines = ceil(angle * HALF_CIRCLE / M_PI - 1e-9);
    return lines >= 1 && lines <= MOST_LINES ? (int)lines : 1;
}

static Arc arc_of(const Polyhedron *p, const PolyhedronEdge *e) {
    Vec3 from = p->face[e->face[0]].normal, to = p->face[e->face[1]].normal;
    Vec3 out = cross(e->along, from);
    double angle = scr_atan2(scr_max(dot(to, out), 0), dot(to, from));
    Arc arc = {.lines = lines_of(angle)};
    for (int j = 0; j <= arc.lines; j++) {
        double a = angle * j / arc.lines;
        arc.at[j] = add(scale(scr_cos(a), from), scale(scr_sin(a), out));
    }
    return arc;
}

static bool draw_edge(const Polyhedron *p, const PolyhedronEdge *e, SolidDrawing *s) {
    Arc arc = arc_of(p, e);
    size_t row[2];
    for (int end = 0; end < 2; end++) {
        row[end] = s->points;
        for (int j = 0; j <= arc.lines; j++) {
            if (!scr_draw_point(
                    s, add_scaled(scr_vertex(p, e->vertex[end]), p->rounding, arc.at[j]))) {
                return false;
            }
        }
    }
    return scr_draw_band(s, row[0], row[1], arc.lines, false);
}

/* ---------------------------------------------------------------- vertices */

/* A whole ball: for vertices where an edge is reflex, and single ones. Rows of points from pole to
 * pole about `axis`, or half of them. */
static bool draw_cap(Vec3 centre, double radius, Vec3 axis, Vec3 across, int rows,
                     SolidDrawing *s) {
    Vec3 third = cross(axis, across);
    size_t before = s->points;
    if (!scr_draw_point(s, add_scaled(centre, radius, axis))) {
        return false;
    }
    for (int i = 1; i <= rows; i++) {
        double down = M_PI * i / HALF_CIRCLE;
        size_t row = s->points;
        for (int j = 0; j <= 2 * HALF_CIRCLE; j++) {
            double around = M_PI * (j % (2 * HALF_CIRCLE)) / HALF_CIRCLE;
            Vec3 side = add(scale(scr_cos(around), across), scale(scr_sin(around), third));
            Vec3 n = add(scale(scr_cos(down), axis), scale(scr_sin(down), side));
            if (!scr_draw_point(s, add_scaled(centre, radius, n))) {
                return false;
            }
        }
        if (!scr_draw_band(s, row, before, 2 * HALF_CIRCLE, i == 1)) {
            return false;
        }
        before = row;
    }
    return true;
}

static bool draw_ball(Vec3 centre, double radius, SolidDrawing *s) {
    return draw_cap(centre, radius, vec3(0, 0, 1), vec3(1, 0, 0), HALF_CIRCLE, s);
}

/* The piece of a ball between the middle of a vertex and an arc, in rows that widen. */
static bool draw_wedge(Vec3 centre, double radius, Vec3 middle, const Arc *arc, bool turned,
                       SolidDrawing *s) {
    double widest = 1;
    for (int j = 0; j <= arc->lines; j++) {
        widest = scr_min(widest, dot(middle, arc->at[j]));
    }
    int rows = lines_of(scr_acos(scr_max(widest, -1)));
    size_t before = s->points;
    if (!scr_draw_point(s, add_scaled(centre, radius, middle))) {
        return false;
    }
    for (int i = 1; i <= rows; i++) {
        double share = (double)i / rows;
        size_t row = s->points;
        for (int j = 0; j <= arc->lines; j++) {
            Vec3 to = arc->at[turned ? arc->lines - j : j];
            Vec3 n = i == rows ? to : unit(add(scale(1 - share, middle), scale(share, to)));
            if (!scr_draw_point(s, add_scaled(centre, radius, n))) {
                return false;
            }
        }
        if (!scr_draw_band(s, row, before, arc->lines, i == 1)) {
            return false;
        }
        before = row;
    }
    return true;
}

static bool draw_vertex(const Polyhedron *p, int32_t v, SolidDrawing *s) {
    Vec3 middle = vec3(0, 0, 0), centre = scr_vertex(p, v);
    bool reflex = false;
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        Arc arc = arc_of(p, e);
        middle = add(middle, add(arc.at[arc.lines / 2], arc.at[(arc.lines + 1) / 2]));
        reflex = reflex || e->kind == EDGE_REFLEX;
    }
    if (reflex || !(length(middle) > 0)) {
        return draw_ball(centre, p->rounding, s);
    }
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        Arc arc = arc_of(p, e);
        if (!draw_wedge(centre, p->rounding, unit(middle), &arc, e->vertex[0] == v, s)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- all */

/* Two half balls and the tube between their rims. */
static bool draw_rod(const Polyhedron *p, SolidDrawing *s) {
    Vec3 from = scr_vertex(p, 0), to = scr_vertex(p, 1), axis = unit(sub(to, from));
    Vec3 other = fabs(axis.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    Vec3 across = unit(cross(axis, other));
    const int rows = HALF_CIRCLE / 2, around = 2 * HALF_CIRCLE;
    if (!draw_cap(to, p->rounding, axis, across, rows, s)) {
        return false;
    }
    size_t upper = s->points - (size_t)around - 1, lower = s->points;
    Vec3 down = sub(from, to);
    for (int j = 0; j <= around; j++) {
        if (!scr_draw_point(s, add(s->point[upper + (size_t)j], down))) {
            return false;
        }
    }
    return scr_draw_band(s, lower, upper, around, false) &&
           draw_cap(from, p->rounding, scale(-1, axis), across, rows, s);
}

bool scr_draw_polyhedron(const Polyhedron *p, SolidDrawing *s) {
    Block work = {0};
    bool ok = true;
    s->points = s->triangles = 0;
    if (scr_is_smooth(p)) {
        return scr_draw_smooth(p, s);
    }
    if (p->faces == 0) {
        return p->vertices == 1 ? draw_ball(scr_vertex(p, 0), p->rounding, s)
                                : p->vertices == 2 && draw_rod(p, s);
    }
    for (int32_t f = 0; ok && f < p->faces; f++) {
        ok = draw_face(p, &p->face[f], &work, s);
    }
    for (int32_t e = 0; ok && p->rounding > 0 && e < p->edges; e++) {
        ok = p->edge[e].kind != EDGE_CONVEX || draw_edge(p, &p->edge[e], s);
    }
    for (int32_t v = 0; ok && p->rounding > 0 && v < p->vertices; v++) {
        ok = draw_vertex(p, v, s);
    }
    scr_block_free(&work);
    return ok;
}
