#include "io/export/vtp_walls.h"

#include <math.h>

typedef struct Vec {
    double x, y, z;
} Vec;

static Vec at(const double *array, size_t index) {
    return (Vec){array[3 * index], array[3 * index + 1], array[3 * index + 2]};
}

/* a + s b */
static Vec along(Vec a, double s, Vec b) {
    return (Vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec cross(Vec a, Vec b) {
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec unit(Vec a) {
    double length = sqrt(dot(a, a));
    return length > 0 ? (Vec){a.x / length, a.y / length, a.z / length} : (Vec){0, 0, 1};
}

/* Two unit vectors perpendicular to `n`, constructed from the axis least aligned with it. */
static void across(Vec n, Vec *u, Vec *v) {
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    Vec axis = x <= y && x <= z ? (Vec){1, 0, 0} : y <= z ? (Vec){0, 1, 0} : (Vec){0, 0, 1};
    *u = unit(cross(n, axis));
    *v = cross(n, *u);
}

static int64_t add(VtpMesh *mesh, Vec p) {
    return vtp_add_point(mesh, p.x, p.y, p.z);
}

static bool add_line(VtpMesh *mesh, Vec a, Vec b) {
    int64_t corners[2] = {add(mesh, a), add(mesh, b)};
    return vtp_add_cell(mesh, VTP_LINES, corners, 2);
}

static bool add_quad(VtpMesh *mesh, Vec a, Vec b, Vec c, Vec d) {
    int64_t corners[4] = {add(mesh, a), add(mesh, b), add(mesh, c), add(mesh, d)};
    return vtp_add_cell(mesh, VTP_POLYGONS, corners, 4);
}

/* Centre and half diagonal of the box around all grains. */
static Vec surroundings(const RunHeader *header, const RunFrame *frame, double *reach) {
    size_t count = frame->bodies.rows.count;
    Vec low = {0, 0, 0}, high = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        Vec p = at(frame->bodies.position, i);
        double r = header->body.radius[i];
        low = i == 0 ? p : low;
        high = i == 0 ? p : high;
        low = (Vec){fmin(low.x, p.x - r), fmin(low.y, p.y - r), fmin(low.z, p.z - r)};
        high = (Vec){fmax(high.x, p.x + r), fmax(high.y, p.y + r), fmax(high.z, p.z + r)};
    }
    Vec size = along(high, -1, low);
    *reach = 0.5 * sqrt(dot(size, size));
    return along(low, 0.5, size);
}

static bool add_plane(VtpMesh *mesh, const RunHeader *header, Vec point, Vec normal, Vec middle,
                      double reach) {
    Vec n = unit(normal), u, v;
    Vec centre = along(middle, -dot(along(middle, -1, point), n), n);
    if (header->dimension == 2) {
        u = (Vec){-n.y, n.x, 0};
        return add_line(mesh, along(centre, -reach, u), along(centre, reach, u));
    }
    across(n, &u, &v);
    Vec left = along(centre, -reach, u), right = along(centre, reach, u);
    return add_quad(mesh, along(left, -reach, v), along(right, -reach, v), along(right, reach, v),
                    along(left, reach, v));
}

static Vec turn(const double *q, Vec p) {
    Vec axis = {q[1], q[2], q[3]};
    Vec t = cross(axis, p);
    return along(along(p, 2 * q[0], t), 2, cross(axis, t));
}

/* Corner number k of a block has +half along x, y, z where bits 0, 1, 2 of k are set. */
static bool add_block(VtpMesh *mesh, const RunHeader *header, Vec centre, Vec half,
                      const double *q) {
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    bool flat = header->dimension == 2;
    Vec corner[8];
    for (int k = 0; k < 8; k++) {
        Vec p = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        p.z = flat ? 0 : p.z;
        corner[k] = along(centre, 1, turn(q, p));
    }
    for (int i = 0; i < (flat ? 1 : 6); i++) {
        const int *face = faces[i];
        if (!add_quad(mesh, corner[face[0]], corner[face[1]], corner[face[2]], corner[face[3]])) {
            return false;
        }
    }
    return true;
}

static bool add_cylinder(VtpMesh *mesh, const RunHeader *header, size_t wall, Vec centre, Vec axis,
                         Vec middle, double reach) {
    enum { SIDES = 64 };
    double radius = header->wall.radius[wall], length = header->wall.length[wall];
    bool flat = header->dimension == 2;
    Vec n = flat ? (Vec){0, 0, 1} : unit(axis), u, v;
    across(n, &u, &v);
    if (!(length > 0)) { /* endless: as long as the grains extend */
        centre = along(centre, dot(along(middle, -1, centre), n), n);
        length = 2 * reach;
    }
    Vec low = along(centre, -0.5 * length, n), high = along(centre, 0.5 * length, n);
    Vec side = along((Vec){0, 0, 0}, radius, u);
    for (int i = 1; i <= SIDES; i++) {
        double angle = 2 * 3.14159265358979323846 * i / SIDES;
        Vec next = along(along((Vec){0, 0, 0}, radius * cos(angle), u), radius * sin(angle), v);
        bool ok = flat ? add_line(mesh, along(centre, 1, side), along(centre, 1, next))
                       : add_quad(mesh, along(low, 1, side), along(low, 1, next),
                                  along(high, 1, next), along(high, 1, side));
        if (!ok) {
            return false;
        }
        side = next;
    }
    return true;
}

bool vtp_add_wall(VtpMesh *mesh, const RunHeader *header, const RunFrame *frame, size_t wall) {
    const RunWalls *walls = &frame->walls;
    double reach = 0;
    Vec middle = surroundings(header, frame, &reach);
    Vec point = at(walls->point, wall);
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
    default:
        return true; /* a shape of a later version: nothing to draw */
    }
}
