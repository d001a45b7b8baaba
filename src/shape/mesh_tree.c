/* A tree of boxes over the triangles of a surface: which are near, and which point is nearest. */
#include "shape/mesh.h"

enum { LEAF = 8, DEEPEST = 64 };

/* ---------------------------------------------------------------- making it */

/* The next float below, and above. */
static float round_down(double x) {
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}
static float round_up(double x) {
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

static double middle_of(const Mesh *m, int32_t t, int axis) {
    const int32_t *v = scr_mesh_corners(m, t);
    return component(m->vertex[v[0]], axis) + component(m->vertex[v[1]], axis) +
           component(m->vertex[v[2]], axis);
}

static bool comes_before(const Mesh *m, int axis, int32_t one, int32_t other) {
    double a = middle_of(m, one, axis), b = middle_of(m, other, axis);
    return a != b ? a < b : one < other;
}

static void swap(int32_t *order, int32_t i, int32_t j) {
    int32_t t = order[i];
    order[i] = order[j];
    order[j] = t;
}

/* Puts the `half` triangles that come first along the axis first (quickselect). */
static void select_half(const Mesh *m, int axis, int32_t *order, int32_t count, int32_t half) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2, pivot = order[middle];
        int32_t i = low, j = high;
        while (i <= j) {
            while (comes_before(m, axis, order[i], pivot)) {
                i++;
            }
            while (comes_before(m, axis, pivot, order[j])) {
                j--;
            }
            if (i <= j) {
                swap(order, i++, j--);
            }
        }
        if (half <= j) {
            high = j;
        } else if (half >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static MeshBox box_around(const Mesh *m, int32_t first, int32_t count) {
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = scale(-1, low);
    for (int32_t k = first; k < first + count; k++) {
        for (int c = 0; c < 3; c++) {
            Vec3 v = m->vertex[scr_mesh_corners(m, m->order[k])[c]];
            low = vec3(scr_min(low.x, v.x), scr_min(low.y, v.y), scr_min(low.z, v.z));
            high = vec3(scr_max(high.x, v.x), scr_max(high.y, v.y), scr_max(high.z, v.z));
        }
    }
    MeshBox box = {.first = first, .count = count};
    for (int a = 0; a < 3; a++) {
        box.low[a] = round_down(component(low, a));
        box.high[a] = round_up(component(high, a));
    }
    return box;
}

static int longest_axis(const MeshBox *b) {
    float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static bool split(const Mesh *m, const MeshBox *b, MeshBox child[2]) {
    if (b->count <= LEAF) {
        return false;
    }
    int32_t half = b->count / 2;
    select_half(m, longest_axis(b), m->order + b->first, b->count, half);
    child[0] = box_around(m, b->first, half);
    child[1] = box_around(m, b->first + half, b->count - half);
    return true;
}

bool scr_mesh_tree(Mesh *m) {
    if (!scr_block_reserve_exact(&m->order_block, (size_t)m->triangles, sizeof(int32_t), 0)) {
        return false;
    }
    m->order = m->order_block.data;
    for (int32_t t = 0; t < m->triangles; t++) {
        m->order[t] = t;
    }
    /* halves of more than 8 have at least 4: fewer than half as many boxes as triangles */
    size_t most = (size_t)m->triangles / 2 + 2;
    if (!scr_block_reserve_exact(&m->box_block, most, sizeof(MeshBox), 0)) {
        return false;
    }
    m->box = m->box_block.data;
    m->box[0] = box_around(m, 0, m->triangles);
    m->boxes = 1;
    for (int32_t k = 0; k < m->boxes; k++) {
        if (split(m, &m->box[k], m->box + m->boxes)) {
            m->box[k].first = m->boxes;
            m->box[k].count = 0;
            m->boxes += 2;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- what is near */

static bool meets(const MeshBox *b, const double low[3], const double high[3]) {
    return (double)b->low[0] <= high[0] && (double)b->high[0] >= low[0] &&
           (double)b->low[1] <= high[1] && (double)b->high[1] >= low[1] &&
           (double)b->low[2] <= high[2] && (double)b->high[2] >= low[2];
}

static bool triangle_meets(const Mesh *m, int32_t t, const double low[3], const double high[3]) {
    const int32_t *v = scr_mesh_corners(m, t);
    for (int a = 0; a < 3; a++) {
        double x = component(m->vertex[v[0]], a), y = component(m->vertex[v[1]], a),
               z = component(m->vertex[v[2]], a);
        if (scr_min(x, scr_min(y, z)) > high[a] || scr_max(x, scr_max(y, z)) < low[a]) {
            return false;
        }
    }
    return true;
}

bool scr_mesh_find(const Mesh *m, Vec3 from, Vec3 to, MeshTriangles *found) {
    const double low[3] = {from.x, from.y, from.z}, high[3] = {to.x, to.y, to.z};
    int32_t stack[DEEPEST], depth = 0;
    found->count = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const MeshBox *b = &m->box[stack[--depth]];
        if (!meets(b, low, high)) {
            continue;
        }
        if (b->count == 0) {
            stack[depth++] = b->first + 1;
            stack[depth++] = b->first;
            continue;
        }
        if (!SCR_RESERVE_KEEPING(found, item, found->count + LEAF, found->count)) {
            return false;
        }
        for (int32_t k = b->first; k < b->first + b->count; k++) {
            if (triangle_meets(m, m->order[k], low, high)) {
                found->item[found->count++] = m->order[k];
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------- what is nearest */

/* Ericson, Real-Time Collision Detection, 5.1.5: the regions of corners first, then those of edges. */
TrianglePoint scr_nearest_on_triangle(Vec3 a, Vec3 b, Vec3 c, Vec3 p) {
    Vec3 ab = sub(b, a), ac = sub(c, a), ap = sub(p, a), bp = sub(p, b), cp = sub(p, c);
    double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
    double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d1 <= 0 && d2 <= 0) {
        return (TrianglePoint){a, ELEMENT_VERTEX, 0};
    }
    if (d3 >= 0 && d4 <= d3) {
        return (TrianglePoint){b, ELEMENT_VERTEX, 1};
    }
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        return (TrianglePoint){add_scaled(a, d1 / (d1 - d3), ab), ELEMENT_EDGE, 0};
    }
    if (d6 >= 0 && d5 <= d6) {
        return (TrianglePoint){c, ELEMENT_VERTEX, 2};
    }
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        return (TrianglePoint){add_scaled(a, d2 / (d2 - d6), ac), ELEMENT_EDGE, 2};
    }
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (TrianglePoint){add_scaled(b, t, sub(c, b)), ELEMENT_EDGE, 1};
    }
    double sum = va + vb + vc;
    Vec3 at = add_scaled(add_scaled(a, vb / sum, ab), vc / sum, ac);
    return (TrianglePoint){at, ELEMENT_FACE, 0};
}

/* Square of the distance to a box. */
static double to_box(const MeshBox *b, const double p[3]) {
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double d = scr_max(scr_max((double)b->low[a] - p[a], p[a] - (double)b->high[a]), 0);
        sum += d * d;
    }
    return sum;
}

static void nearest_in_leaf(const Mesh *m, const MeshBox *b, int32_t part, Vec3 p, double *least,
                            Vec3 *best) {
    for (int32_t k = b->first; k < b->first + b->count; k++) {
        int32_t t = m->order[k];
        const int32_t *v = scr_mesh_corners(m, t);
        if (part >= 0 && m->part != NULL && m->part[t] != part) {
            continue;
        }
        Vec3 at = scr_nearest_on_triangle(m->vertex[v[0]], m->vertex[v[1]], m->vertex[v[2]], p).at;
        Vec3 d = sub(at, p);
        if (dot(d, d) < *least) {
            *least = dot(d, d);
            *best = at;
        }
    }
}

Vec3 scr_mesh_nearest(const Mesh *m, int32_t part, Vec3 p) {
    const double at[3] = {p.x, p.y, p.z};
    struct {
        int32_t box;
        double square;
    } stack[DEEPEST];
    int32_t depth = 0;
    double least = INFINITY;
    Vec3 best = m->vertex[0];
    stack[depth].box = 0;
    stack[depth++].square = 0;
    while (depth > 0) {
        depth--;
        const MeshBox *b = &m->box[stack[depth].box];
        if (stack[depth].square >= least) {
            continue;
        }
        if (b->count > 0) {
            nearest_in_leaf(m, b, part, p, &least, &best);
            continue;
        }
        double one = to_box(&m->box[b->first], at), other = to_box(&m->box[b->first + 1], at);
        int32_t nearer = one <= other ? 0 : 1;
        stack[depth].box = b->first + 1 - nearer;
        stack[depth++].square = scr_max(one, other);
        stack[depth].box = b->first + nearer;
        stack[depth++].square = scr_min(one, other);
    }
    return best;
}
