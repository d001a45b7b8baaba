/* Walls of slender triangles, in the shape of a cone: the least gaps of balls, boxes and rocks near the rim, the side or
 * the tip are those found by looking at every triangle. */
#include "physics/mesh_rig.h"

#include "api/world.h"

enum { MOST_AROUND = 720, KINDS = 6 };

/* ---------------------------------------------------------------- the wall */

static ScreeVec3 vertex[2 * MOST_AROUND];
static int32_t corner[6 * MOST_AROUND];
static size_t triangles;

/* From a circle, or a tip where its radius is zero, to a wider one; `height` may be zero. */
static ScreeMesh *cone_of(int around, double radius, double end_radius, double height) {
    bool tip = radius == 0;
    triangles = 0;
    for (int32_t k = 0; k < around; k++) {
        double angle = 2 * RIG_PI * k / around;
        int32_t next = (k + 1) % around, low = tip ? around : k + around;
        vertex[k] = rig_vec(end_radius * cos(angle), end_radius * sin(angle), height);
        vertex[k + around] = rig_vec(radius * cos(angle), radius * sin(angle), 0);
        const int32_t first[3] = {k, next, low}, second[3] = {next, next + around, low};
        memcpy(corner + 3 * triangles++, first, sizeof first);
        if (!tip) {
            memcpy(corner + 3 * triangles++, second, sizeof second);
        }
    }
    return rig_mesh(vertex, (size_t)(tip ? around + 1 : 2 * around), corner, triangles);
}

/* ---------------------------------------------------------------- the bodies */

typedef struct Body {
    ScreeVec3 vertex[8];
    int vertices;
    double rounding;
} Body;

static Body body_of(int kind) {
    static const ScreeVec3 rock[6] = {{0.15, 0, 0},    {-0.1, 0.08, 0.02}, {0, 0.02, 0.12},
                                      {0.02, -0.1, 0}, {-0.02, 0, -0.09},  {0.05, 0.08, -0.05}};
    Body b = {.vertices = 1, .rounding = 0.12}; /* kind 0: a ball; 1: the same as a solid */
    if (kind == 2 || kind == 3) {
        b = (Body){.vertices = 8, .rounding = kind == 2 ? 0 : 0.02};
        for (int i = 0; i < 8; i++) {
            b.vertex[i] = rig_vec(i & 1 ? 0.15 : -0.15, i & 2 ? 0.1 : -0.1, i & 4 ? 0.05 : -0.05);
        }
    } else if (kind == 4) {
        b = (Body){.vertex = {{-0.1, 0, 0}, {0.1, 0, 0}}, .vertices = 2, .rounding = 0.05};
    } else if (kind == 5) {
        b = (Body){.vertices = 6};
        memcpy(b.vertex, rock, sizeof rock);
    }
    return b;
}

/* ---------------------------------------------------------------- every triangle */

static double to_segment(ScreeVec3 p, ScreeVec3 a, ScreeVec3 b) {
    ScreeVec3 way = rig_sub(b, a);
    double share = fmin(fmax(rig_dot(rig_sub(p, a), way) / rig_dot(way, way), 0), 1);
    return rig_length(rig_sub(p, rig_add(a, share, way)));
}

/* Whether a point lies over a triangle, seen along its normal. */
static bool is_over(ScreeVec3 p, const ScreeVec3 t[3], ScreeVec3 normal) {
    for (int k = 0; k < 3; k++) {
        if (rig_dot(rig_cross(normal, rig_sub(t[(k + 1) % 3], t[k])), rig_sub(p, t[k])) < 0) {
            return false;
        }
    }
    return true;
}

static ScreeVec3 normal_of(const ScreeVec3 t[3]) {
    ScreeVec3 n = rig_cross(rig_sub(t[1], t[0]), rig_sub(t[2], t[0]));
    double size = rig_length(n);
    return size > 1e-12 ? rig_scale(1 / size, n) : rig_vec(0, 0, 0);
}

static double to_triangle(ScreeVec3 p, const ScreeVec3 t[3]) {
    ScreeVec3 n = normal_of(t);
    if (rig_length(n) > 0 && is_over(p, t, n)) {
        return fabs(rig_dot(n, rig_sub(p, t[0])));
    }
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        least = fmin(least, to_segment(p, t[k], t[(k + 1) % 3]));
    }
    return least;
}

static bool pierces(ScreeVec3 a, ScreeVec3 b, const ScreeVec3 t[3]) {
    ScreeVec3 n = normal_of(t);
    double from = rig_dot(n, rig_sub(a, t[0])), to = rig_dot(n, rig_sub(b, t[0]));
    return from * to < 0 && is_over(rig_add(a, from / (from - to), rig_sub(b, a)), t, n);
}

/* Where their lines come nearest, if it is within both; at their ends other functions look. */
static double between_lines(ScreeVec3 a, ScreeVec3 b, ScreeVec3 c, ScreeVec3 d) {
    ScreeVec3 u = rig_sub(b, a), v = rig_sub(d, c), w = rig_sub(a, c);
    double uu = rig_dot(u, u), uv = rig_dot(u, v), vv = rig_dot(v, v), det = uu * vv - uv * uv;
    double s = (uv * rig_dot(v, w) - vv * rig_dot(u, w)) / det;
    double t = (uu * rig_dot(v, w) - uv * rig_dot(u, w)) / det;
    bool inside = det > 1e-12 * uu * vv && s >= 0 && s <= 1 && t >= 0 && t <= 1;
    return inside ? rig_length(rig_sub(rig_add(a, s, u), rig_add(c, t, v))) : INFINITY;
}

/* The distance of the hull of the vertices from a triangle. All segments and triangles between vertices belong to the
 * hull, and its edges and faces are among them. Zero if the triangle passes through. */
static double hull_to_triangle(const ScreeVec3 *x, int n, const ScreeVec3 t[3]) {
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        least = fmin(least, to_triangle(x[i], t));
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < 3; k++) {
                least = fmin(least, between_lines(x[i], x[j], t[k], t[(k + 1) % 3]));
                least = fmin(least, to_segment(t[k], x[i], x[j]));
            }
            least = pierces(x[i], x[j], t) ? 0 : least;
            for (int k = 0; k < j; k++) {
                const ScreeVec3 own[3] = {x[i], x[j], x[k]};
                for (int m = 0; m < 3; m++) {
                    least = fmin(least, to_triangle(t[m], own));
                    least = pierces(t[m], t[(m + 1) % 3], own) ? 0 : least;
                }
            }
        }
    }
    return least;
}

/* Infinite if it is more than `far`. */
static double brute_gap(const Body *b, ScreeVec3 at, ScreeQuat q, double far) {
    ScreeVec3 x[8];
    double least = INFINITY, size = 0;
    for (int i = 0; i < b->vertices; i++) {
        x[i] = rig_add(at, 1, rig_rotate(q, b->vertex[i]));
        size = fmax(size, rig_length(b->vertex[i]));
    }
    for (size_t k = 0; k < triangles; k++) {
        const ScreeVec3 t[3] = {vertex[corner[3 * k]], vertex[corner[3 * k + 1]],
                                vertex[corner[3 * k + 2]]};
        if (to_triangle(at, t) < size + b->rounding + fmin(far, least)) { /* else it is farther */
            least = fmin(least, hull_to_triangle(x, b->vertices, t) - b->rounding);
        }
    }
    return least;
}

/* ---------------------------------------------------------------- the program */

typedef struct Meeting {
    ScreeWorld *world;
    Placed placed;
    PairWork work;
} Meeting;

static Meeting meet(const ScreeMesh *mesh, int kind, const Body *b) {
    const ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    const ScreeWallDef wall = rig_mesh_wall(mesh);
    Meeting m = {.world = rig_create(&def)};
    rig_material(m.world, 0.5);
    rig_add_wall(m.world, &wall);
    if (kind == 0) {
        rig_add_ball(m.world, rig_vec(0, 0, 0), b->rounding, 1);
    } else {
        rig_add_solid(m.world, rig_hull(m.world, b->vertex, (size_t)b->vertices, b->rounding),
                      rig_vec(0, 0, 0), (ScreeQuat){1, 0, 0, 0});
    }
    return m;
}

static double told_gap(Meeting *m, ScreeVec3 x, ScreeQuat q, double reach) {
    const StepMotion none = {.shift = {0, 0, 0}};
    State *s = &m->world->state;
    double least = INFINITY;
    s->bodies.position[0] = x;
    s->bodies.orientation[0] = q;
    CHECK(scr_place_outlines(s, &m->placed));
    rig_must(scr_pair_points(s, &m->placed, 0, -1, (OldPoints){NULL, 0}, &none, reach, &m->work),
             "points");
    for (size_t i = 0; i < m->work.touches.count; i++) {
        least = fmin(least, m->work.touches.item[i].gap);
    }
    return least;
}

static void gaps_are_those_of_the_nearest_triangle(void) {
    const double reach = 0.05;
    for (int form = 0; form < 3; form++) { /* a funnel, a cone with its tip, a flat ring */
        const int around = form == 1 ? 720 : 360;
        const double radius = form == 1 ? 0 : 0.2, height = form == 2 ? 0 : 0.4;
        ScreeMesh *mesh = cone_of(around, radius, 0.5, height);
        for (int kind = 0; kind < KINDS; kind++) {
            const Body b = body_of(kind);
            Meeting m = meet(mesh, kind, &b);
            /* the centre of mass is the origin of a body */
            ScreeShape shape = {.centroid = {0, 0, 0}};
            if (kind > 0) {
                rig_must(scree_shape_get(m.world, (ScreeShapeId){0}, &shape), "shape");
            }
            uint64_t random = 17 + (uint64_t)(KINDS * form + kind);
            int compared = 0, off = 0;
            for (int k = 0; k < 36; k += CHECK_STRIDE) {
                double angle = 6.3 * rig_random(&random), share = rig_random(&random);
                share = share < 0.25 ? 0 : share > 0.75 ? 1 : share;
                double out = radius + share * (0.5 - radius);
                ScreeVec3 x =
                    rig_add(rig_vec(out * scr_cos(angle), out * scr_sin(angle), share * height), 1,
                            rig_random_vec(&random, 0.2, 3));
                ScreeQuat q = rig_random_rotation(&random, 3);
                ScreeVec3 middle = rig_add(x, 1, rig_rotate(q, shape.centroid));
                double expected = brute_gap(&b, x, q, reach), gap = told_gap(&m, middle, q, reach);
                if (expected < 1e-3 || fmin(expected, gap) > reach) {
                    continue; /* across the wall, or too far away */
                }
                compared++;
                off += !(fabs(gap - expected) < 1e-11);
            }
            CHECK(compared > 1 || CHECK_STRIDE > 1);
            CHECK(off == 0);
            scr_placed_free(&m.placed);
            scr_pair_work_free(&m.work);
            scree_world_destroy(m.world);
        }
        scree_mesh_destroy(mesh);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(gaps_are_those_of_the_nearest_triangle);
    return check_result();
}
