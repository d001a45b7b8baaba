/* Definitions of solids for tests, put together part by part. */
#ifndef SCREE_TESTS_SOLID_BODIES_H
#define SCREE_TESTS_SOLID_BODIES_H

#include "shape/moments.h"
#include "shape/solid_build.h"
#include "shape/solid_points.h"

enum { MOST_PARTS = 40, MOST_BODY = 40000 };

typedef struct Body {
    size_t parts, vertices, faces, corner_count;
    ScreeSolidPart part[MOST_PARTS];
    Vec3 vertex[MOST_BODY];
    int32_t corners[MOST_BODY], corner[4 * MOST_BODY];
} Body;

static inline ScreeSolidDef def_of(const Body *b) {
    return (ScreeSolidDef){b->part, b->parts, b->vertex, b->corners, b->corner};
}

static inline void clear(Body *b) {
    b->parts = b->vertices = b->faces = b->corner_count = 0;
}

static inline void begin_part(Body *b, double rounding) {
    b->part[b->parts++] = (ScreeSolidPart){.rounding = rounding};
}

static inline void put_vertex(Body *b, Vec3 v) {
    b->part[b->parts - 1].vertices++;
    b->vertex[b->vertices++] = v;
}

static inline void put_face(Body *b, int count, const int32_t *corner) {
    b->part[b->parts - 1].faces++;
    b->corners[b->faces++] = count;
    for (int k = 0; k < count; k++) {
        b->corner[b->corner_count++] = corner[k];
    }
}

/* The eight corners of a box; without faces, it is their hull. */
static inline void put_box(Body *b, Vec3 centre, Vec3 half, double rounding) {
    begin_part(b, rounding);
    for (int k = 0; k < 8; k++) {
        put_vertex(b, add(centre, vec3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                       k & 4 ? half.z : -half.z)));
    }
}

static const int32_t box_face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

static inline void put_box_faces(Body *b, bool triangles) {
    for (int f = 0; f < 6; f++) {
        const int32_t *c = box_face[f];
        if (triangles) {
            const int32_t one[3] = {c[0], c[1], c[2]}, other[3] = {c[0], c[2], c[3]};
            put_face(b, 3, one);
            put_face(b, 3, other);
        } else {
            put_face(b, 4, c);
        }
    }
}

static inline void move_body(Body *b, Quat q, double size, Vec3 shift) {
    for (size_t k = 0; k < b->vertices; k++) {
        b->vertex[k] = add(shift, scale(size, quat_rotate(q, b->vertex[k])));
    }
    for (size_t k = 0; k < b->parts; k++) {
        b->part[k].rounding *= size;
    }
}

/* Builds it, and checks what every solid must have. */
static inline Solid built(const Body *b, Vec3 *centroid) {
    Solid solid = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeSolidDef def = def_of(b);
    ScreeStatus status = scr_solid_build(&def, &solid, centroid, message);
    CHECK(status == SCREE_OK);
    if (status != SCREE_OK) {
        fprintf(stderr, "    %s\n", message);
    }
    double turn = solid.axes.w * solid.axes.w + solid.axes.x * solid.axes.x +
                  solid.axes.y * solid.axes.y + solid.axes.z * solid.axes.z;
    CHECK_NEAR(turn, 1, 1e-15);
    int32_t first = 0;
    for (int32_t k = 0; k < solid.parts; k++) {
        const Polyhedron *p = &solid.part[k];
        CHECK(p->first_element == first);
        first += p->vertices + p->edges + p->faces;
        for (int32_t v = 0; v < p->vertices; v++) {
            CHECK(length(scr_vertex(p, v)) + p->rounding <= solid.radius);
        }
    }
    CHECK(solid.elements == first);
    return solid;
}

/* The tensor of inertia over mass, in the frame of the solid. */
static inline Sym3 tensor_of(const Solid *s) {
    Vec3 x = quat_rotate(s->axes, vec3(1, 0, 0)), y = quat_rotate(s->axes, vec3(0, 1, 0)),
         z = quat_rotate(s->axes, vec3(0, 0, 1));
    Sym3 a = sym3_dyad(s->gyration.x, x), b = sym3_dyad(s->gyration.y, y),
         c = sym3_dyad(s->gyration.z, z);
    return (Sym3){a.xx + b.xx + c.xx, a.xy + b.xy + c.xy, a.xz + b.xz + c.xz,
                  a.yy + b.yy + c.yy, a.yz + b.yz + c.yz, a.zz + b.zz + c.zz};
}

static inline void check_tensor(Sym3 a, Sym3 b, double tolerance) {
    double size = b.xx + b.yy + b.zz;
    CHECK_NEAR(a.xx, b.xx, tolerance * size);
    CHECK_NEAR(a.xy, b.xy, tolerance * size);
    CHECK_NEAR(a.xz, b.xz, tolerance * size);
    CHECK_NEAR(a.yy, b.yy, tolerance * size);
    CHECK_NEAR(a.yz, b.yz, tolerance * size);
    CHECK_NEAR(a.zz, b.zz, tolerance * size);
}

static inline void check_point(Vec3 a, Vec3 b, double tolerance) {
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

/* R s R^T */
static inline Sym3 turned(Quat q, Sym3 s) {
    Vec3 axis[3] = {quat_rotate_back(q, vec3(1, 0, 0)), quat_rotate_back(q, vec3(0, 1, 0)),
                    quat_rotate_back(q, vec3(0, 0, 1))};
    double m[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = dot(axis[i], sym3_apply(&s, axis[j]));
        }
    }
    return (Sym3){m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]};
}

#endif
