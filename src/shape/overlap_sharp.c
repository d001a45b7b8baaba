/* Overlaps of sharp parts. A part is cut by the planes of those before it, and what is left is
 * measured: exact but for rounding, and no large numbers cancel. */
#include "shape/solid_moments.h"

#include "shape/solid_build.h"

/* A convex piece of a part: its faces, one after the other. */
typedef struct Cell {
    int32_t faces, points;
    int32_t *corners; /* [faces] */
    Vec3 *point;
    Block corners_block, point_block;
} Cell;

typedef struct Plane {
    Vec3 normal;
    double offset;
} Plane;

typedef struct Cutting {
    const Solid *solid;
    const int32_t *chosen;
    double tolerance; /* a point so near a plane lies in it */
    int32_t budget;   /* of cells */
    Moments left;
} Cutting;

static void free_cell(Cell *c) {
    SCR_FREE_BLOCKS(&c->corners_block, &c->point_block);
}

static bool put_point(Cell *c, Vec3 p) {
    size_t count = (size_t)c->points;
    if (count % 64 == 0 && !SCR_RESERVE_KEEPING(c, point, 2 * count + 64, count)) {
        return false;
    }
    c->point[c->points++] = p;
    return true;
}

/* Ends a face that began at point `first`; without area it is dropped. */
static bool end_face(Cell *c, int32_t first) {
    size_t count = (size_t)c->faces;
    if (c->points - first < 3) {
        c->points = first;
        return true;
    }
    if (count % 16 == 0 && !SCR_RESERVE_KEEPING(c, corners, 2 * count + 16, count)) {
        return false;
    }
    c->corners[c->faces++] = c->points - first;
    return true;
}

/* ---------------------------------------------------------------- one cut */

static double height(const Cutting *w, const Plane *plane, double sign, Vec3 p) {
    double d = sign * (dot(plane->normal, p) - plane->offset);
    return fabs(d) <= w->tolerance ? 0 : d;
}

/* The same point whichever way along the edge. */
static Vec3 crossing(Vec3 a, Vec3 b, double da, double db) {
    bool turned = a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
    return turned ? add_scaled(b, db / (db - da), sub(a, b))
                  : add_scaled(a, da / (da - db), sub(b, a));
}

/* The part of a face below the plane; its points in the plane are listed. */
static bool cut_face(const Cutting *w, const Plane *plane, double sign, const Vec3 *point,
                     int32_t count, Cell *made, Cell *rim) {
    int32_t first = made->points;
    for (int32_t k = 0; k < count; k++) {
        Vec3 a = point[k], b = point[(k + 1) % count];
        double da = height(w, plane, sign, a), db = height(w, plane, sign, b);
        if (da <= 0 && !put_point(made, a)) {
            return false;
        }
        if (da == 0 && !put_point(rim, a)) {
            return false;
        }
        if (da * db < 0) {
            Vec3 p = crossing(a, b, da, db);
            if (!put_point(made, p) || !put_point(rim, p)) {
                return false;
            }
        }
    }
    return end_face(made, first);
}

/* Where a direction in the plane points, as a number that grows with the angle, from 0 to 4. */
static double bearing(Vec3 w, Vec3 one, Vec3 other) {
    double x = dot(w, one), y = dot(w, other), sum = fabs(x) + fabs(y), t = sum > 0 ? y / sum : 0;
    return x < 0 ? 2 - t : t < 0 ? 4 + t : t;
}

/* The face in the plane: the points of the rim in their order around its middle. Each is there
 * twice, which adds triangles without area. */
static bool close_rim(const Plane *plane, double sign, Cell *made, Cell *rim) {
    Vec3 n = scale(sign, plane->normal), one = perpendicular(n), other = cross(n, one);
    Vec3 middle = vec3(0, 0, 0);
    for (int32_t k = 0; k < rim->points; k++) {
        middle = add_scaled(middle, 1.0 / rim->points, rim->point[k]);
    }
    for (int32_t k = 1; k < rim->points; k++) { /* there are few: sorted by insertion */
        Vec3 p = rim->point[k];
        double at = bearing(sub(p, middle), one, other);
        int32_t to = k;
        while (to > 0 && bearing(sub(rim->point[to - 1], middle), one, other) > at) {
            rim->point[to] = rim->point[to - 1];
            to--;
        }
        rim->point[to] = p;
    }
    int32_t first = made->points;
    for (int32_t k = 0; k < rim->points; k++) {
        if (!put_point(made, rim->point[k])) {
            return false;
        }
    }
    return end_face(made, first);
}

/* The part of a cell below a plane (above it with sign -1). No points: nothing is there. */
static bool cut(const Cutting *w, const Cell *cell, const Plane *plane, double sign, Cell *made) {
    bool below = false, above = false, ok = true;
    made->faces = made->points = 0;
    for (int32_t k = 0; k < cell->points; k++) {
        double d = height(w, plane, sign, cell->point[k]);
        below = below || d < 0;
        above = above || d > 0;
    }
    Cell rim = {0};
    const Vec3 *point = cell->point;
    for (int32_t f = 0; f < cell->faces && below && ok; f++) {
        ok = cut_face(w, plane, sign, point, cell->corners[f], made, &rim);
        point += cell->corners[f];
    }
    ok = ok && (!below || !above || close_rim(plane, sign, made, &rim));
    free_cell(&rim);
    return ok;
}

static void swap_cells(Cell *a, Cell *b) {
    Cell c = *a;
    *a = *b;
    *b = c;
}

/* ---------------------------------------------------------------- cells of parts */

static void measure_cell(Cutting *w, const Cell *cell, double sign) {
    Moments sum = {0};
    const Vec3 *point = cell->point;
    for (int32_t f = 0; f < cell->faces; f++) {
        for (int32_t k = 1; k + 1 < cell->corners[f]; k++) {
            scr_moments_add_tetrahedron(&sum, point[0], point[k], point[k + 1]);
        }
        point += cell->corners[f];
    }
    scr_moments_add(&w->left, sign, &sum);
}

static bool cell_of_part(const Polyhedron *p, Cell *made) {
    bool ok = true;
    for (int32_t f = 0; f < p->faces && ok; f++) {
        int32_t first = made->points;
        for (int32_t k = 0; k < p->face[f].count && ok; k++) {
            ok = put_point(made, scr_vertex(p, p->loop_vertex[p->face[f].first + k]));
        }
        ok = ok && end_face(made, first);
    }
    return ok;
}

/* A part that is not convex is a sum of tetrahedra between its first vertex and its faces, which
 * count negative where the vertex sees a face from outside. Number k of them; 0: it has no volume. */
static double tetrahedron(const Polyhedron *p, int32_t face, int32_t k, Vec3 corner[4]) {
    const int32_t *loop = p->loop_vertex + p->face[face].first;
    corner[0] = scr_vertex(p, 0);
    corner[1] = scr_vertex(p, loop[0]);
    corner[2] = scr_vertex(p, loop[k]);
    corner[3] = scr_vertex(p, loop[k + 1]);
    double volume =
        dot(sub(corner[1], corner[0]), cross(sub(corner[2], corner[0]), sub(corner[3], corner[0])));
    if (volume < 0) {
        Vec3 swapped = corner[2];
        corner[2] = corner[3];
        corner[3] = swapped;
    }
    return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

static const int side_of_tetrahedron[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static bool cell_of_tetrahedron(const Vec3 corner[4], Cell *made) {
    bool ok = true;
    for (int f = 0; f < 4 && ok; f++) {
        int32_t first = made->points;
        for (int k = 0; k < 3 && ok; k++) {
            ok = put_point(made, corner[side_of_tetrahedron[f][k]]);
        }
        ok = ok && end_face(made, first);
    }
    return ok;
}

/* ---------------------------------------------------------------- what is left of a cell */

static PartBox box_of_cell(const Cell *c) {
    PartBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t k = 0; k < 3 * c->points; k++) {
        double x = component(c->point[k / 3], k % 3);
        box.low[k % 3] = scr_min(box.low[k % 3], x);
        box.high[k % 3] = scr_max(box.high[k % 3], x);
    }
    return box;
}

static bool measure_rest(Cutting *w, const Cell *cell, double sign, int32_t from, int32_t to);

/* Outside of a convex part: beyond its first plane; else beyond its second; and so on. */
static bool cut_by_convex(Cutting *w, const Cell *cell, double sign, int32_t from, int32_t to) {
    const Polyhedron *p = &w->solid->part[w->chosen[from]];
    Cell inside = {0}, outside = {0}, kept = {0};
    bool ok = true;
    const Cell *now = cell;
    for (int32_t f = 0; f < p->faces && ok && now->points > 0; f++) {
        const Plane plane = {p->face[f].normal, p->face[f].offset};
        ok = cut(w, now, &plane, -1, &outside) &&
             (outside.points == 0 || measure_rest(w, &outside, sign, from + 1, to)) &&
             cut(w, now, &plane, 1, &inside);
        swap_cells(&inside, &kept);
        now = &kept;
    }
    free_cell(&inside);
    free_cell(&outside);
    free_cell(&kept);
    return ok;
}

/* Less what it shares with each tetrahedron of a part that is not convex. */
static bool cut_by_tetrahedron(Cutting *w, const Cell *cell, double sign, const Vec3 corner[4],
                               int32_t from, int32_t to) {
    Cell inside = {0}, kept = {0};
    bool ok = true;
    const Cell *now = cell;
    for (int f = 0; f < 4 && ok && now->points > 0; f++) {
        const int *side = side_of_tetrahedron[f];
        Vec3 a = corner[side[0]], b = sub(corner[side[1]], a), c = sub(corner[side[2]], a);
        Vec3 normal = unit(cross(b, c));
        const Plane plane = {normal, dot(normal, a)};
        ok = cut(w, now, &plane, 1, &inside);
        swap_cells(&inside, &kept);
        now = &kept;
    }
    ok = ok && (now->points == 0 || measure_rest(w, now, sign, from + 1, to));
    free_cell(&inside);
    free_cell(&kept);
    return ok;
}

static bool cut_by_other(Cutting *w, const Cell *cell, double sign, int32_t from, int32_t to) {
    const Polyhedron *p = &w->solid->part[w->chosen[from]];
    bool ok = measure_rest(w, cell, sign, from + 1, to);
    for (int32_t f = 0; f < p->faces && ok; f++) {
        for (int32_t k = 1; k + 1 < p->face[f].count && ok; k++) {
            Vec3 corner[4];
            double own = tetrahedron(p, f, k, corner);
            ok = own == 0 || cut_by_tetrahedron(w, cell, -sign * own, corner, from, to);
        }
    }
    return ok;
}

/* Adds what no part from number `from` on, before `to`, has of a cell. */
static bool measure_rest(Cutting *w, const Cell *cell, double sign, int32_t from, int32_t to) {
    PartBox box = box_of_cell(cell);
    while (from < to) {
        PartBox other = scr_part_box(&w->solid->part[w->chosen[from]]);
        if (scr_boxes_meet(&box, &other)) {
            break;
        }
        from++;
    }
    if (w->budget-- <= 0) {
        return true; /* given up: nothing is worth measuring any more */
    }
    if (from == to) {
        measure_cell(w, cell, sign);
        return true;
    }
    return w->solid->part[w->chosen[from]].convex ? cut_by_convex(w, cell, sign, from, to)
                                                  : cut_by_other(w, cell, sign, from, to);
}

static bool measure_part(Cutting *w, int32_t number) {
    const Polyhedron *p = &w->solid->part[w->chosen[number]];
    Cell cell = {0};
    bool ok = true;
    if (p->convex) {
        ok = cell_of_part(p, &cell) && measure_rest(w, &cell, 1, 0, number);
    }
    for (int32_t f = 0; f < p->faces && ok && !p->convex; f++) {
        for (int32_t k = 1; k + 1 < p->face[f].count && ok; k++) {
            Vec3 corner[4];
            double own = tetrahedron(p, f, k, corner);
            cell.faces = cell.points = 0;
            ok = own == 0 ||
                 (cell_of_tetrahedron(corner, &cell) && measure_rest(w, &cell, own, 0, number));
        }
    }
    free_cell(&cell);
    return ok;
}

ScreeStatus scr_overlap_of_sharp(const Solid *solid, const int32_t *chosen, int32_t count,
                                 Moments *overlap, bool *done) {
    Cutting w = {.solid = solid,
                 .chosen = chosen,
                 .tolerance = 8e-15 * scr_solid_radius(solid),
                 .budget = 1 << 20};
    Moments sum = {0};
    for (int32_t k = 0; k < count; k++) {
        Moments one = scr_polyhedron_moments(&solid->part[chosen[k]]);
        scr_moments_add(&sum, 1, &one);
        if (!measure_part(&w, k)) {
            return SCREE_NO_MEMORY;
        }
    }
    *done = w.budget > 0;
    if (*done) {
        *overlap = sum;
        scr_moments_add(overlap, -1, &w.left);
    }
    return SCREE_OK;
}
