/* The nearest point of each wall shape, against a dense sampling of its surface.
 *
 * For a point p the result (distance, normal) is right when p + distance * normal lies on the
 * surface and no sample of the surface is nearer: together this is a proof up to the spacing of the
 * samples. They also serve the other way, so that too small a distance is noticed. */
#include "scenes.h"

#include "narrow/narrow.h"
#include "shape/wall.h"

static const ScreeWorldDef unbounded; /* no periodic direction */

typedef struct Surface {
    size_t count;
    ScreeVec3 *point;
    double spacing; /* every point of the surface is within this distance of a sample */
} Surface;

enum { SIDE = 220 };

static Surface new_surface(void) {
    Surface s = {0, calloc((size_t)6 * (SIDE + 1) * (SIDE + 1), sizeof(ScreeVec3)), 0};
    if (s.point == NULL) {
        abort();
    }
    return s;
}

/* A parallelogram corner + u a + v b. */
static void sample_face(Surface *s, ScreeVec3 corner, ScreeVec3 a, ScreeVec3 b) {
    for (int i = 0; i <= SIDE; i++) {
        for (int j = 0; j <= SIDE; j++) {
            s->point[s->count++] =
                rig_add(rig_add(corner, (double)i / SIDE, a), (double)j / SIDE, b);
        }
    }
    s->spacing = fmax(s->spacing, (rig_length(a) + rig_length(b)) / SIDE);
}

static ScreeVec3 rotate(ScreeQuat q, ScreeVec3 a) {
    ScreeVec3 u = rig_vec(q.x, q.y, q.z), t = rig_scale(2, rig_cross(u, a));
    return rig_add(rig_add(a, q.w, t), 1, rig_cross(u, t));
}

static void sample_block(Surface *s, const ScreeWallDef *w, int dimension) {
    double h[3] = {w->half.x, w->half.y, w->half.z};
    for (int axis = 0; axis < dimension; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            double corner[3], a[3] = {0}, b[3] = {0};
            corner[axis] = sign * h[axis];
            corner[u] = -h[u];
            corner[v] = -h[v];
            a[u] = 2 * h[u];
            b[v] = 2 * h[v];
            sample_face(s,
                        rig_add(w->point, 1,
                                rotate(w->orientation, rig_vec(corner[0], corner[1], corner[2]))),
                        rotate(w->orientation, rig_vec(a[0], a[1], a[2])),
                        rotate(w->orientation, rig_vec(b[0], b[1], b[2])));
        }
    }
}

/* The mantle, and the two end discs of a solid cylinder. `length` also stands in for an endless
 * one. */
static void sample_cylinder(Surface *s, const ScreeWallDef *w, double length, bool ends) {
    ScreeVec3 axis = rig_scale(1 / rig_length(w->axis), w->axis);
    ScreeVec3 e = rig_cross(axis, fabs(axis.x) < 0.5 ? rig_vec(1, 0, 0) : rig_vec(0, 1, 0));
    e = rig_scale(1 / rig_length(e), e);
    ScreeVec3 f = rig_cross(axis, e);
    for (int i = 0; i < SIDE; i++) {
        double c = cos(2 * RIG_PI * i / SIDE), d = sin(2 * RIG_PI * i / SIDE);
        ScreeVec3 out = rig_add(rig_scale(c, e), d, f);
        for (int j = 0; j <= SIDE; j++) {
            double h = length * ((double)j / SIDE - 0.5), r = w->radius * j / SIDE;
            s->point[s->count++] = rig_add(rig_add(w->point, h, axis), w->radius, out);
            for (int sign = -1; sign <= 1 && ends; sign += 2) {
                s->point[s->count++] =
                    rig_add(rig_add(w->point, 0.5 * sign * length, axis), r, out);
            }
        }
    }
    s->spacing = (2 * RIG_PI * w->radius + length) / SIDE;
}

static double nearest_sample(const Surface *s, ScreeVec3 p) {
    double best = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        ScreeVec3 d = rig_sub(s->point[i], p);
        best = fmin(best, rig_dot(d, d));
    }
    return sqrt(best);
}

/* `behind`: p is inside the solid, so the distance is negative. */
static void check_sight(const Surface *s, const ScreeWallDef *w, ScreeVec3 p, bool behind) {
    Touch touch = scr_touch_wall(&unbounded, w, p, 0);
    double sampled = nearest_sample(s, p);
    CHECK_NEAR(rig_length(touch.normal), 1, 1e-14);
    CHECK(behind == (touch.gap < 0));
    CHECK(fabs(touch.gap) <= sampled + 1e-12);
    CHECK(fabs(touch.gap) >= sampled - s->spacing);
    ScreeVec3 foot = rig_add(p, touch.gap, touch.normal);
    CHECK(nearest_sample(s, foot) <= s->spacing);
    CHECK_NEAR(scr_touch_wall(&unbounded, w, foot, 0).gap, 0,
               1e-12); /* the foot itself lies on the surface */
    CHECK_NEAR(scr_touch_wall(&unbounded, w, p, 0.37).gap, touch.gap - 0.37, 1e-14);
}

static ScreeWallDef completed(ScreeWallDef w, int dimension) {
    CHECK(scr_wall_fault(&w, dimension) == NULL);
    scr_wall_complete(&w, dimension);
    return w;
}

static void sight_of_a_block_is_nearest(void) {
    uint64_t random = 3;
    for (int trial = 0; trial < 6; trial++) {
        ScreeWallDef w = scree_wall_def_default();
        w.shape = SCREE_WALL_BLOCK;
        w.point = rig_random_vec(&random, 2, 3);
        double x = 0.3 + rig_random(&random), y = 0.5 + rig_random(&random);
        w.half = rig_vec(x, y, 0.2);
        double q[4];
        for (int k = 0; k < 4; k++) {
            q[k] = rig_random(&random);
        }
        w.orientation = (ScreeQuat){q[0], q[1], -q[2], q[3]};
        w = completed(w, 3);
        Surface s = new_surface();
        sample_block(&s, &w, 3);
        for (int i = 0; i < 40; i++) {
            ScreeVec3 local = rig_random_vec(&random, i % 3 == 0 ? 0.25 : 2.5, 3);
            bool inside =
                fabs(local.x) < w.half.x && fabs(local.y) < w.half.y && fabs(local.z) < w.half.z;
            check_sight(&s, &w, rig_add(w.point, 1, rotate(w.orientation, local)), inside);
        }
        free(s.point);
    }
}

static void sight_of_cylinders_is_nearest(void) {
    uint64_t random = 4;
    for (int kind = 0; kind < 4; kind++) { /* inside or not, endless or not */
        for (int trial = 0; trial < 4; trial++) {
            ScreeWallDef w = scree_wall_def_default();
            w.shape = SCREE_WALL_CYLINDER;
            w.point = rig_random_vec(&random, 2, 3);
            w.axis = rig_random_vec(&random, 1, 3);
            w.radius = 0.5 + rig_random(&random);
            w.inside = kind % 2 == 1;
            w.length = kind < 2 ? 0 : 1 + rig_random(&random);
            w = completed(w, 3);
            Surface s = new_surface();
            sample_cylinder(&s, &w, w.length > 0 ? w.length : 6, kind == 2);
            for (int i = 0; i < 40; i++) {
                ScreeVec3 p =
                    rig_add(w.point, 1, rig_random_vec(&random, w.length > 0 ? 2 : 1.3, 3));
                ScreeVec3 d = rig_sub(p, w.point);
                double height = rig_dot(d, w.axis), out = rig_length(rig_add(d, -height, w.axis));
                bool within = out < w.radius && (w.length == 0 || fabs(height) < 0.5 * w.length);
                check_sight(&s, &w, p,
                            kind == 0 || kind == 2 ? within : kind == 1 && out > w.radius);
            }
            free(s.point);
        }
    }
}

static void sight_of_planes_and_segments_is_nearest(void) {
    uint64_t random = 5;
    for (int trial = 0; trial < 20; trial++) {
        ScreeVec3 point = rig_random_vec(&random, 1, 2);
        ScreeWallDef w = rig_plane(point, rig_random_vec(&random, 3, 2));
        w = completed(w, 2);
        ScreeVec3 p = rig_random_vec(&random, 2, 2), along = rig_vec(-w.normal.y, w.normal.x, 0);
        Touch touch = scr_touch_wall(&unbounded, &w, p, 0.5);
        ScreeVec3 foot = rig_add(p, touch.gap + 0.5, touch.normal);
        CHECK_NEAR(rig_dot(rig_sub(foot, w.point), w.normal), 0, 1e-14);
        CHECK_NEAR(rig_dot(rig_sub(foot, p), along), 0, 1e-14);
        CHECK_VEC(touch.normal, rig_scale(-1, w.normal), 0);

        ScreeWallDef line = scree_wall_def_default();
        line.shape = SCREE_WALL_SEGMENT;
        line.point = rig_random_vec(&random, 2, 2);
        line.end = rig_random_vec(&random, 2, 2);
        line = completed(line, 2);
        Surface s = new_surface();
        sample_face(&s, line.point, rig_sub(line.end, line.point), rig_vec(0, 0, 0));
        for (int i = 0; i < 20; i++) {
            check_sight(&s, &line, rig_random_vec(&random, 4, 2), false);
        }
        free(s.point);
    }
}

/* Where the direction is undefined the normal is still a unit vector: in the middle of a block, on
 * the axis of a cylinder, on a segment. */
static void normals_are_unit_where_the_direction_is_lost(void) {
    for (int shape = 0; shape < 6; shape++) {
        int dimension = shape == 0 ? 2 : 3;
        ScreeWallDef w = scree_wall_def_default();
        w.shape = shape == 0   ? SCREE_WALL_SEGMENT
                  : shape == 1 ? SCREE_WALL_BLOCK
                               : SCREE_WALL_CYLINDER;
        w.end = rig_vec(2, 0, 0);
        w.half = rig_vec(1, 1, 1);
        w.radius = 1;
        w.inside = shape == 3 || shape == 4;
        w.length = shape >= 4 ? 2 : 0;
        w = completed(w, dimension);
        for (int i = 0; i < 27; i++) {
            ScreeVec3 p = rig_vec(i % 3 - 1, i / 3 % 3 - 1, dimension == 3 ? i / 9 - 1 : 0);
            Touch touch = scr_touch_wall(&unbounded, &w, p, 0.1);
            CHECK_NEAR(rig_length(touch.normal), 1, 1e-14);
            CHECK(isfinite(touch.gap));
        }
    }
}

/* In two dimensions nothing given along z may matter: it is refused or ignored. */
static void flat_walls_ignore_z(void) {
    for (int kind = 0; kind < 5; kind++) {
        ScreeWallDef w = scree_wall_def_default();
        w.shape = kind == 0   ? SCREE_WALL_SEGMENT
                  : kind == 1 ? SCREE_WALL_CYLINDER
                  : kind == 2 ? SCREE_WALL_PLANE
                              : SCREE_WALL_BLOCK;
        w.point = rig_vec(-1, 0, 5);
        w.end = rig_vec(1, 0, 5);
        w.normal = rig_vec(0, 1, 0);
        w.half = rig_vec(1, 0.5, 1);
        w.radius = 0.5;
        w.axis = rig_vec(1, 0, 0); /* in two dimensions the axis is always z */
        if (kind == 4) {
            w.orientation = (ScreeQuat){0.9, 0.3, 0.2, 0}; /* turned out of the plane */
        }
        ScreeWorld *world = rig_world(2, 0.01, rig_vec(0, 0, 0), 0);
        if (scree_world_add_wall(world, &w, NULL) == SCREE_OK) {
            ScreeWallState s = rig_wall(world, 0);
            Touch touch = scr_touch_wall(&unbounded, &s.now, rig_vec(-0.7, 2, 0), 0.5);
            double expected = kind == 1 ? hypot(0.3, 2) - 1 : kind >= 3 ? 1 : 1.5;
            CHECK(touch.normal.z == 0);
            CHECK(kind == 4 || fabs(touch.gap - expected) < 1e-14);
        } else {
            CHECK(scree_world_get_message(world)[0] != '\0');
        }
        w = rig_plane(rig_vec(0, 0, 0),
                      rig_vec(0, 1, 0)); /* a piston whose direction leaves the plane */
        w.motion = SCREE_WALL_PISTON;
        w.mass = 1;
        w.direction = rig_vec(0, 1, 1);
        ScreeWallId id = SCREE_NO_WALL;
        if (scree_world_add_wall(world, &w, &id) == SCREE_OK) {
            CHECK(rig_wall(world, id.index).now.direction.z == 0);
        }
        scree_world_destroy(world);
    }
}

/* In a periodic cell the nearest image of a wall counts: shifting the grain or the wall by a period
 * changes nothing. */
static void walls_repeat_with_the_cell(void) {
    ScreeWorldDef cell = scree_world_def_default();
    cell.periodic[0] = cell.periodic[2] = true;
    cell.cell_max = rig_vec(10, 0, 8);
    ScreeWallDef block = scree_wall_def_default();
    block.shape = SCREE_WALL_BLOCK;
    block.point = rig_vec(9.5, 1, 7.6);
    block.half = rig_vec(0.7, 0.5, 0.6);
    /* from x = 0.5 the face at x = 10.2 - 10 = 0.2 is 0.3 away; z is inside the face */
    Touch touch = scr_touch_wall(&cell, &block, rig_vec(0.5, 1, 7.6), 0.25);
    CHECK_NEAR(touch.gap, 0.05, 1e-14);
    CHECK_NEAR(touch.normal.x, -1, 1e-14);
    touch = scr_touch_wall(&cell, &block, rig_vec(9.5, 1, 0.5), 0.25); /* face at z = 8.2 */
    CHECK_NEAR(touch.gap, 0.05, 1e-14);
    CHECK_NEAR(touch.normal.z, -1, 1e-14);
    Touch shifted = scr_touch_wall(&cell, &block, rig_vec(20.5, 1, -16 + 7.6), 0.25);
    touch = scr_touch_wall(&cell, &block, rig_vec(0.5, 1, 7.6), 0.25);
    CHECK_NEAR(shifted.gap, touch.gap, 1e-13);
}

int main(int argc, char **argv) {
    CHECK_RUN(sight_of_a_block_is_nearest);
    CHECK_RUN(sight_of_cylinders_is_nearest);
    CHECK_RUN(sight_of_planes_and_segments_is_nearest);
    CHECK_RUN(normals_are_unit_where_the_direction_is_lost);
    CHECK_RUN(flat_walls_ignore_z);
    CHECK_RUN(walls_repeat_with_the_cell);
    return check_result();
}
