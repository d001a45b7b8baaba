/* Volumes of polyhedra in boxes. Over the faces of a closed surface,
 *
 *     V = sum of  integral (c(z) - low) dx dy,
 *
 * where each face is taken within the x and y bounds of the box, its projection counts as negative
 * where it faces down, and c cuts z off at the bounds. No new faces have to be made, and the surface
 * need not be convex. */
#include "measure/solid.h"

#include "measure/overlap.h"
#include "shape/smooth.h"

/* One part of a solid. */
typedef struct Part {
    const ScreeSolidPart *def;
    const Vec3 *vertex;
    const int32_t *corners, *corner;
} Part;

typedef struct PartWalk {
    Part part;
    size_t next;
} PartWalk;

static bool next_part(const ScreeSolidDef *def, PartWalk *walk) {
    if (walk->next == 0) {
        walk->part = (Part){def->part, def->vertex, def->corners, def->corner};
    } else if (walk->next < def->parts) {
        Part *p = &walk->part;
        for (size_t f = 0; f < p->def->faces; f++) {
            p->corner += p->corners[f];
        }
        p->corners += p->def->faces;
        p->vertex += p->def->vertices;
        p->def++;
    }
    return walk->next++ < def->parts;
}

/* ---------------------------------------------------------------- surfaces of patches */

static size_t patches_of(const Part *p) {
    bool sound = p->def->kind == SCREE_PART_NURBS &&
                 scr_smooth_fits(p->def->kind, p->def->form, p->def->vertices);
    return sound ? p->def->vertices / scr_points_of_patch(p->def->form) : 0;
}

static PatchNet patch_of(const Part *p, size_t patch) {
    size_t first = patch * scr_points_of_patch(p->def->form);
    PatchNet net = {p->vertex + first,
                    p->def->weight != NULL ? p->def->weight + first : NULL,
                    {(int32_t)p->def->form[0], (int32_t)p->def->form[1]},
                    0};
    net.pole = scr_patch_poles(&net, 0);
    return net;
}

static double highest_of_patches(const Part *p, Vec3 up) {
    double height = -INFINITY;
    for (size_t k = 0; k < patches_of(p); k++) {
        const PatchNet net = patch_of(p, k);
        height = scr_patch_reach(&net, up, height, NULL);
    }
    return height;
}

/* ---------------------------------------------------------------- smooth parts */

/* Whether a part is smooth, and what it is then. */
static bool is_smooth(const Part *p, SmoothPart *smooth) {
    return p->def->kind != SCREE_PART_POLYHEDRON && p->def->kind != SCREE_PART_NURBS &&
           scr_smooth_make(p->def->kind, p->def->form, p->vertex, p->def->rounding, smooth) == NULL;
}

/* The highest point of a part along a unit vector. */
static double highest(const Part *p, Quat q, Vec3 up) {
    SmoothPart smooth;
    Vec3 own = quat_rotate_back(q, up);
    double height = -INFINITY;
    if (p->def->kind == SCREE_PART_NURBS) {
        return highest_of_patches(p, own);
    }
    if (is_smooth(p, &smooth)) {
        return dot(own, scr_smooth_support(&smooth, own)) + p->def->rounding;
    }
    for (size_t v = 0; v < p->def->vertices; v++) {
        height = scr_max(height, dot(own, p->vertex[v]) + p->def->rounding);
    }
    return height;
}

/* ---------------------------------------------------------------- triangles */

typedef struct EachTriangle {
    void (*take)(void *context, const Vec3 corner[3]);
    void *context;
} EachTriangle;

/* Lines to half a circle. */
enum { LINES = 24 };

/* The surface of a smooth part is cut into triangles with corners on it. */
static void smooth_triangles(const SmoothPart *s, double rounding, Quat q,
                             const EachTriangle *each) {
    int rows = scr_smooth_rows(s, rounding, LINES);
    for (int i = 0; i + 1 < rows; i++) {
        for (int j = 0; j < 2 * LINES; j++) {
            Vec3 at[4]; /* two of the upper row, then two of the lower one */
            for (int k = 0; k < 4; k++) {
                double angle = M_PI * ((j + k % 2) % (2 * LINES)) / LINES;
                at[k] = quat_rotate(q, scr_smooth_row_point(s, rounding, LINES, i + k / 2, angle));
            }
            const Vec3 lower[3] = {at[2], at[3], at[1]}, upper[3] = {at[2], at[1], at[0]};
            each->take(each->context, lower);
            each->take(each->context, upper);
        }
    }
}

/* The same of a patch. */
static void patch_triangles(const PatchNet *net, Quat q, const EachTriangle *each) {
    enum { CUTS = 12 };
    for (int k = 0; k < CUTS * CUTS; k++) {
        Vec3 at[4];
        for (int c = 0; c < 4; c++) { /* counterclockwise */
            double u = (double)(k / CUTS + (c == 1 || c == 2)) / CUTS,
                   v = (double)(k % CUTS + c / 2) / CUTS;
            at[c] = quat_rotate(q, scr_patch_point(net, u, v).x);
        }
        const Vec3 one[3] = {at[0], at[1], at[2]}, other[3] = {at[0], at[2], at[3]};
        each->take(each->context, one);
        each->take(each->context, other);
    }
}

/* False: the part has no faces. */
static bool all_triangles(const Part *p, Quat q, const EachTriangle *each) {
    SmoothPart smooth;
    for (size_t k = 0; k < patches_of(p); k++) {
        const PatchNet net = patch_of(p, k);
        patch_triangles(&net, q, each);
    }
    if (p->def->kind == SCREE_PART_NURBS) {
        return true;
    }
    if (is_smooth(p, &smooth)) {
        smooth_triangles(&smooth, p->def->rounding, q, each);
        return true;
    }
    const int32_t *corner = p->corner;
    for (size_t f = 0; f < p->def->faces && p->def->faces > 2; f++) {
        for (int32_t k = 1; k + 1 < p->corners[f]; k++) {
            const Vec3 triangle[3] = {quat_rotate(q, p->vertex[corner[0]]),
                                      quat_rotate(q, p->vertex[corner[k]]),
                                      quat_rotate(q, p->vertex[corner[k + 1]])};
            each->take(each->context, triangle);
        }
        corner += p->corners[f];
    }
    return p->def->faces > 2;
}

void scr_solid_reach(const ScreeSolid *solid, Quat q, double low[3], double high[3]) {
    PartWalk walk = {.next = 0};
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    while (next_part(&solid->def, &walk)) {
        for (int k = 0; k < 3; k++) {
            Vec3 axis = vec3(k == 0, k == 1, k == 2);
            low[k] = scr_min(low[k], -highest(&walk.part, q, scale(-1, axis)));
            high[k] = scr_max(high[k], highest(&walk.part, q, axis));
        }
    }
}

/* ---------------------------------------------------------------- one face */

/* A triangle that has been cut by up to six planes. */
enum { MOST_CUT = 3 + 6 };
typedef struct CutFace {
    int count;
    Vec3 point[MOST_CUT];
} CutFace;

/* What of a face lies on one side of a plane across an axis: below it with sign 1, above with -1. */
static CutFace cut(const CutFace *face, int axis, double at, double sign) {
    CutFace kept = {0};
    for (int k = 0; k < face->count; k++) {
        Vec3 a = face->point[k], b = face->point[(k + 1) % face->count];
        double in_a = sign * (at - component(a, axis)), in_b = sign * (at - component(b, axis));
        if (in_a >= 0) {
            kept.point[kept.count++] = a;
        }
        if ((in_a >= 0) != (in_b >= 0)) {
            Vec3 x = add_scaled(a, in_a / (in_a - in_b), sub(b, a));
            *component_of(&x, axis) = at;
            kept.point[kept.count++] = x;
        }
    }
    return kept;
}

/* Integral of z - low over the projection. */
static double above(const CutFace *face, double low) {
    double sum = 0;
    for (int k = 1; k + 1 < face->count; k++) {
        Vec3 a = face->point[0], b = face->point[k], c = face->point[k + 1];
        double area = 0.5 * ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
        sum += area * ((a.z - low) + (b.z - low) + (c.z - low)) / 3;
    }
    return sum;
}

static double under_face(CutFace face, const double low[3], const double high[3]) {
    for (int axis = 0; axis < 2; axis++) {
        face = cut(&face, axis, low[axis], -1);
        face = cut(&face, axis, high[axis], 1);
    }
    face = cut(&face, 2, low[2], -1);
    CutFace between = cut(&face, 2, high[2], 1), beyond = cut(&face, 2, high[2], -1);
    for (int k = 0; k < beyond.count; k++) {
        beyond.point[k].z = high[2];
    }
    return above(&between, low[2]) + above(&beyond, low[2]);
}

/* ---------------------------------------------------------------- parts */

typedef struct InBox {
    const double *low, *high;
    double volume;
} InBox;

static void add_under(void *context, const Vec3 corner[3]) {
    InBox *box = context;
    const CutFace triangle = {3, {corner[0], corner[1], corner[2]}};
    box->volume += under_face(triangle, box->low, box->high);
}

static double balls_in_box(const Part *p, Quat q, const double low[3], const double high[3]) {
    double volume = 0;
    for (size_t v = 0; v < p->def->vertices; v++) {
        Vec3 at = quat_rotate(q, p->vertex[v]);
        const double from[3] = {low[0] - at.x, low[1] - at.y, low[2] - at.z};
        const double to[3] = {high[0] - at.x, high[1] - at.y, high[2] - at.z};
        volume += scr_ball_in_box(p->def->rounding, from, to);
    }
    return volume;
}

static double part_in_box(const Part *p, Quat q, const double low[3], const double high[3]) {
    InBox box = {low, high, 0};
    const EachTriangle each = {add_under, &box};
    return all_triangles(p, q, &each) ? box.volume : balls_in_box(p, q, low, high);
}

double scr_solid_in_box(const ScreeSolid *solid, Quat q, const double low[3],
                        const double high[3]) {
    double around_low[3], around_high[3], from[3], to[3], inside = 0, whole = 0;
    scr_solid_reach(solid, q, around_low, around_high);
    for (int k = 0; k < 3; k++) {
        from[k] = scr_max(low[k], around_low[k]);
        to[k] = scr_min(high[k], around_high[k]);
        if (!(from[k] < to[k])) {
            return 0;
        }
    }
    PartWalk walk = {.next = 0};
    while (next_part(&solid->def, &walk)) {
        inside += part_in_box(&walk.part, q, from, to);
        whole += part_in_box(&walk.part, q, around_low, around_high);
    }
    return whole > 0 ? solid->volume * inside / whole : 0;
}

double scr_solid_height(const ScreeSolid *solid, Quat q, Vec3 up) {
    PartWalk walk = {.next = 0};
    double height = -INFINITY;
    while (next_part(&solid->def, &walk)) {
        height = scr_max(height, highest(&walk.part, q, up));
    }
    return height;
}

/* ---------------------------------------------------------------- sections
 *
 * A plane cuts the surface in closed curves. With the surface's outward normal m they run along
 * n x m, so that the section lies on their left, and Green's theorem gives its area and its
 * moment: of a side from p to q, half of n.(p x q), at (p + q) / 3. */

typedef struct Section {
    Vec3 n;
    double d, area;
    Vec3 moment;
} Section;

/* Where the plane meets the side from a to b, seen from the foot of the centre on it. */
static Vec3 crossing(const Section *s, Vec3 a, Vec3 b, double above_a, double above_b) {
    Vec3 x = add_scaled(a, above_a / (above_a - above_b), sub(b, a));
    return add_scaled(x, -dot(s->n, x), s->n);
}

static void cut_triangle(void *context, const Vec3 corner[3]) {
    Section *s = context;
    double above[3];
    Vec3 end[2];
    int ends = 0;
    for (int k = 0; k < 3; k++) {
        above[k] = dot(s->n, corner[k]) - s->d;
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if ((above[k] >= 0) != (above[next] >= 0)) {
            end[ends++] = crossing(s, corner[k], corner[next], above[k], above[next]);
        }
    }
    if (ends < 2) {
        return;
    }
    Vec3 m = cross(sub(corner[1], corner[0]), sub(corner[2], corner[0]));
    bool forward = dot(sub(end[1], end[0]), cross(s->n, m)) >= 0;
    Vec3 p = end[forward ? 0 : 1], q = end[forward ? 1 : 0];
    double area = 0.5 * dot(s->n, cross(p, q));
    s->area += area;
    s->moment = add_scaled(s->moment, area / 3, add(p, q));
}

static void cut_part(Section *s, const Part *p, Quat q) {
    const EachTriangle each = {cut_triangle, s};
    if (all_triangles(p, q, &each)) {
        return;
    }
    for (size_t v = 0; v < p->def->vertices; v++) {
        Vec3 at = quat_rotate(q, p->vertex[v]);
        double h = s->d - dot(s->n, at), r = p->def->rounding;
        double area = fabs(h) < r ? M_PI * (r - h) * (r + h) : 0;
        s->area += area;
        s->moment = add_scaled(s->moment, area, add_scaled(at, -dot(s->n, at), s->n));
    }
}

/* The rotation that takes the unit vector n to z. */
static Quat upright(Vec3 n) {
    if (n.z < -0.999999) {
        return (Quat){0, 1, 0, 0};
    }
    return quat_normalise((Quat){1 + n.z, n.y, -n.x, 0});
}

SolidCut scr_solid_cut(const ScreeSolid *solid, Quat q, Vec3 n, double d) {
    const double everything[3] = {INFINITY, INFINITY, INFINITY};
    const double low[3] = {-INFINITY, -INFINITY, d};
    Section section = {.n = n, .d = d};
    PartWalk walk = {.next = 0};
    double whole = 0, around[3], to[3];
    scr_solid_reach(solid, q, around, to);
    while (next_part(&solid->def, &walk)) {
        cut_part(&section, &walk.part, q);
        whole += part_in_box(&walk.part, q, around, to);
    }
    double share = whole > 0 ? solid->volume / whole : 0;
    return (SolidCut){.beyond =
                          scr_solid_in_box(solid, quat_multiply(upright(n), q), low, everything),
                      .section = share * section.area,
                      .moment = scale(share, add_scaled(section.moment, d * section.area, n))};
}
