#include "io/export/vtp_walls.h"

#include "math/vec.h"

#include <stdlib.h>

static Vec3 at(const double *array, size_t index) {
    return vec3(array[3 * index], array[3 * index + 1], array[3 * index + 2]);
}

/* (0, 0, 1) when there is no direction. */
static Vec3 unit_or_up(Vec3 a) {
    return length(a) > 0 ? unit(a) : vec3(0, 0, 1);
}

/* Two unit vectors perpendicular to `n`, constructed from the axis least aligned with it. */
static void across(Vec3 n, Vec3 *u, Vec3 *v) {
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    Vec3 axis = x <= y && x <= z ? (Vec3){1, 0, 0} : y <= z ? (Vec3){0, 1, 0} : (Vec3){0, 0, 1};
    *u = unit_or_up(cross(n, axis));
    *v = cross(n, *u);
}

static int64_t add_point(VtpMesh *mesh, Vec3 p) {
    return vtp_add_point(mesh, p.x, p.y, p.z);
}

static bool add_line(VtpMesh *mesh, Vec3 a, Vec3 b) {
    int64_t corners[2] = {add_point(mesh, a), add_point(mesh, b)};
    return vtp_add_cell(mesh, VTP_LINES, corners, 2);
}

static bool add_quad(VtpMesh *mesh, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    int64_t corners[4] = {add_point(mesh, a), add_point(mesh, b), add_point(mesh, c),
                          add_point(mesh, d)};
    return vtp_add_cell(mesh, VTP_POLYGONS, corners, 4);
}

/* Centre and half diagonal of the box around all grains. */
static Vec3 surroundings(const RunFrame *frame, double *reach) {
    size_t count = frame->bodies.rows.count;
    Vec3 low = {0, 0, 0}, high = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        Vec3 p = at(frame->bodies.position, i);
        double r = frame->body.radius[i];
        low = i == 0 ? p : low;
        high = i == 0 ? p : high;
        low = (Vec3){fmin(low.x, p.x - r), fmin(low.y, p.y - r), fmin(low.z, p.z - r)};
        high = (Vec3){fmax(high.x, p.x + r), fmax(high.y, p.y + r), fmax(high.z, p.z + r)};
    }
    Vec3 size = add_scaled(high, -1, low);
    *reach = 0.5 * sqrt(dot(size, size));
    return add_scaled(low, 0.5, size);
}

static bool add_plane(VtpMesh *mesh, const RunHeader *header, Vec3 point, Vec3 normal, Vec3 middle,
                      double reach) {
    Vec3 n = unit_or_up(normal), u, v;
    Vec3 centre = add_scaled(middle, -dot(add_scaled(middle, -1, point), n), n);
    if (header->dimension == 2) {
        u = (Vec3){-n.y, n.x, 0};
        return add_line(mesh, add_scaled(centre, -reach, u), add_scaled(centre, reach, u));
    }
    across(n, &u, &v);
    Vec3 left = add_scaled(centre, -reach, u), right = add_scaled(centre, reach, u);
    return add_quad(mesh, add_scaled(left, -reach, v), add_scaled(right, -reach, v),
                    add_scaled(right, reach, v), add_scaled(left, reach, v));
}

static Vec3 turn(const double *q, Vec3 p) {
    Vec3 axis = {q[1], q[2], q[3]};
    Vec3 t = cross(axis, p);
    return add_scaled(add_scaled(p, 2 * q[0], t), 2, cross(axis, t));
}

/* Corner number k of a block has +half along x, y, z where bits 0, 1, 2 of k are set. */
static bool add_block(VtpMesh *mesh, const RunHeader *header, Vec3 centre, Vec3 half,
                      const double *q) {
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    bool flat = header->dimension == 2;
    Vec3 corner[8];
    for (int k = 0; k < 8; k++) {
        Vec3 p = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        p.z = flat ? 0 : p.z;
        corner[k] = add_scaled(centre, 1, turn(q, p));
    }
    for (int i = 0; i < (flat ? 1 : 6); i++) {
        const int *face = faces[i];
        if (!add_quad(mesh, corner[face[0]], corner[face[1]], corner[face[2]], corner[face[3]])) {
            return false;
        }
    }
    return true;
}

static bool add_cylinder(VtpMesh *mesh, const RunHeader *header, size_t wall, Vec3 centre,
                         Vec3 axis, Vec3 middle, double reach) {
    enum { SIDES = 64 };
    double radius = header->wall.radius[wall], length = header->wall.length[wall];
    bool flat = header->dimension == 2;
    Vec3 n = flat ? (Vec3){0, 0, 1} : unit_or_up(axis), u, v;
    across(n, &u, &v);
    if (!(length > 0)) { /* endless: as long as the grains extend */
        centre = add_scaled(centre, dot(add_scaled(middle, -1, centre), n), n);
        length = 2 * reach;
    }
    Vec3 low = add_scaled(centre, -0.5 * length, n), high = add_scaled(centre, 0.5 * length, n);
    Vec3 side = add_scaled((Vec3){0, 0, 0}, radius, u);
    for (int i = 1; i <= SIDES; i++) {
        double angle = 2 * 3.14159265358979323846 * i / SIDES;
        Vec3 next =
            add_scaled(add_scaled((Vec3){0, 0, 0}, radius * cos(angle), u), radius * sin(angle), v);
        bool ok = flat ? add_line(mesh, add_scaled(centre, 1, side), add_scaled(centre, 1, next))
                       : add_quad(mesh, add_scaled(low, 1, side), add_scaled(low, 1, next),
                                  add_scaled(high, 1, next), add_scaled(high, 1, side));
        if (!ok) {
            return false;
        }
        side = next;
    }
    return true;
}

enum { ARCS = 64 };

/* A point at an angle about an axis. */
static Vec3 on_circle(Vec3 centre, Vec3 u, Vec3 v, double radius, double turns) {
    double angle = 2 * 3.14159265358979323846 * turns;
    return add_scaled(add_scaled(centre, radius * cos(angle), u), radius * sin(angle), v);
}

static bool add_cone(VtpMesh *mesh, const RunHeader *header, size_t wall, Vec3 point, Vec3 axis) {
    Vec3 n = unit_or_up(axis), u, v, end = add_scaled(point, header->wall.length[wall], n);
    double r = header->wall.radius[wall], other = header->wall.end_radius[wall];
    bool ok = true;
    across(n, &u, &v);
    for (int i = 0; i < ARCS && ok; i++) {
        double from = (double)i / ARCS, to = (double)(i + 1) / ARCS;
        ok = add_quad(mesh, on_circle(point, u, v, r, from), on_circle(point, u, v, r, to),
                      on_circle(end, u, v, other, to), on_circle(end, u, v, other, from));
    }
    return ok;
}

/* A rectangle about a hole, as quads between the circle and the rectangle's outline. */
static bool add_around_hole(VtpMesh *mesh, const Vec3 frame[3], const double low[2],
                            const double high[2], const double hole[2], double radius) {
    bool ok = true;
    Vec3 before[2];
    for (int i = 0; i <= ARCS && ok; i++) {
        /* a corner of the rectangle at every eighth but the even ones */
        double t = 4.0 * i / ARCS + 0.5, side = floor(t), s = t - side;
        int k = (int)side % 4;
        double x = k == 0   ? high[0]
                   : k == 2 ? low[0]
                   : k == 1 ? high[0] + s * (low[0] - high[0])
                            : low[0] + s * (high[0] - low[0]);
        double y = k == 1   ? high[1]
                   : k == 3 ? low[1]
                   : k == 0 ? low[1] + s * (high[1] - low[1])
                            : high[1] + s * (low[1] - high[1]);
        double out = hypot(x - hole[0], y - hole[1]), share = radius / out;
        double rim[2] = {hole[0] + share * (x - hole[0]), hole[1] + share * (y - hole[1])};
        const Vec3 now[2] = {add_scaled(add_scaled(frame[0], x, frame[1]), y, frame[2]),
                             add_scaled(add_scaled(frame[0], rim[0], frame[1]), rim[1], frame[2])};
        ok = i == 0 || add_quad(mesh, before[0], now[0], now[1], before[1]);
        before[0] = now[0];
        before[1] = now[1];
    }
    return ok;
}

/* Cut into rectangles, one for each hole. */
static bool add_plate(VtpMesh *mesh, const RunHeader *header, size_t wall, Vec3 point,
                      const double *q) {
    const int32_t *holes = &header->wall.holes[2 * wall];
    const double *spacing = &header->wall.spacing[2 * wall];
    const Vec3 half = at(header->wall.half, wall);
    const Vec3 frame[3] = {point, turn(q, vec3(1, 0, 0)), turn(q, vec3(0, 1, 0))};
    if (holes[0] * holes[1] == 0) {
        const double whole[3] = {half.x, half.y, 0};
        Vec3 x = add_scaled(vec3(0, 0, 0), whole[0], frame[1]);
        Vec3 y = add_scaled(vec3(0, 0, 0), whole[1], frame[2]);
        return add_quad(mesh, sub(sub(point, x), y), sub(add(point, x), y), add(add(point, x), y),
                        add(sub(point, x), y));
    }
    bool ok = true;
    for (int32_t k = 0; k < holes[0] * holes[1] && ok; k++) {
        const int32_t index[2] = {k % holes[0], k / holes[0]};
        const double reach[2] = {half.x, half.y};
        double low[2], high[2], hole[2];
        for (int d = 0; d < 2; d++) {
            hole[d] = (index[d] - 0.5 * (holes[d] - 1)) * spacing[d];
            low[d] = index[d] == 0 ? -reach[d] : hole[d] - 0.5 * spacing[d];
            high[d] = index[d] == holes[d] - 1 ? reach[d] : hole[d] + 0.5 * spacing[d];
        }
        ok = add_around_hole(mesh, frame, low, high, hole, header->wall.radius[wall]);
    }
    return ok;
}

/* The triangles of a wall's part, with the vertices of its mesh that they have. */
static bool add_mesh(VtpMesh *mesh, const RunHeader *header, size_t wall, Vec3 point,
                     const double *q) {
    const size_t of = (size_t)header->mesh_wall.mesh[wall];
    const int32_t part = header->mesh_wall.part[wall];
    const int64_t first = of > 0 ? header->mesh.vertex_end[of - 1] : 0;
    const size_t count = (size_t)(header->mesh.vertex_end[of] - first);
    int64_t *number = malloc(count * sizeof *number);
    bool ok = number != NULL;
    for (size_t k = 0; k < count && ok; k++) {
        number[k] = -1;
    }
    for (int64_t t = of > 0 ? header->mesh.triangle_end[of - 1] : 0;
         t < header->mesh.triangle_end[of] && ok; t++) {
        int64_t corners[3];
        if (part >= 0 && header->mesh_triangle.part[t] != part) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            int32_t v = header->mesh_triangle.corner[3 * t + k];
            if (number[v] < 0) {
                Vec3 own = at(header->mesh_vertex.position, (size_t)(first + v));
                number[v] = add_point(mesh, add_scaled(point, 1, turn(q, own)));
            }
            corners[k] = number[v];
        }
        ok = vtp_add_cell(mesh, VTP_POLYGONS, corners, 3);
    }
    free(number);
    return ok;
}

bool vtp_add_wall(VtpMesh *mesh, const RunHeader *header, const RunFrame *frame, size_t wall) {
    const RunWalls *walls = &frame->walls;
    double reach = 0;
    Vec3 middle = surroundings(frame, &reach);
    Vec3 point = at(walls->point, wall);
    switch (header->wall.shape[wall]) {
    case SCREE_WALL_PLANE:
        return add_plane(mesh, header, point, at(walls->normal, wall), middle, reach);
    case SCREE_WALL_SEGMENT:
        return add_line(mesh, point, at(walls->end, wall));
    case SCREE_WALL_BLOCK:
        return add_block(mesh, header, point, at(header->wall.half, wall),
                         &walls->orientation[4 * wall]);
    case SCREE_WALL_CYLINDER:
        return add_cylinder(mesh, header, wall, point, at(walls->axis, wall), middle, reach);
    case SCREE_WALL_MESH:
        return add_mesh(mesh, header, wall, point, &walls->orientation[4 * wall]);
    case SCREE_WALL_CONE:
        return add_cone(mesh, header, wall, point, at(walls->axis, wall));
    case SCREE_WALL_PLATE:
        return add_plate(mesh, header, wall, point, &walls->orientation[4 * wall]);
    default:
        return true; /* a shape of a later version: nothing to draw */
    }
}
