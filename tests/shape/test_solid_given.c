/* One solid, given in many ways, is one solid; and what is kept of it makes it again. */
#include "shape/solid_bodies.h"

static Body body, other;

/* ---------------------------------------------------------------- one body, given in many ways */

/* Vertices, edge lengths and faces agree, in any order. */
static void check_same_polyhedron(const Polyhedron *a, const Polyhedron *b) {
    CHECK(a->vertices == b->vertices && a->edges == b->edges && a->faces == b->faces);
    for (int32_t v = 0; v < a->vertices; v++) {
        double near = INFINITY;
        for (int32_t k = 0; k < b->vertices; k++) {
            near = scr_min(near, length(sub(scr_vertex(a, v), scr_vertex(b, k))));
        }
        CHECK(near <= 1e-15);
    }
    for (int32_t f = 0; f < a->faces; f++) {
        double near = INFINITY;
        for (int32_t k = 0; k < b->faces; k++) {
            if (a->face[f].count == b->face[k].count) {
                near = scr_min(near, length(sub(a->face[f].normal, b->face[k].normal)) +
                                         fabs(a->face[f].offset - b->face[k].offset));
            }
        }
        CHECK(near <= 1e-15);
    }
}

/* A cube of n x n squares to a side, each of two triangles. */
static void put_fine_cube(Body *b, int n) {
    begin_part(b, 0);
    for (int k = 0; k < (n + 1) * (n + 1) * (n + 1); k++) {
        put_vertex(b, vec3(2.0 * (k % (n + 1)) / n - 1, 2.0 * (k / (n + 1) % (n + 1)) / n - 1,
                           2.0 * (k / (n + 1) / (n + 1)) / n - 1));
    }
    for (int side = 0; side < 6; side++) {
        int step[3] = {1, n + 1, (n + 1) * (n + 1)};
        int across = step[side / 2], u = step[(side / 2 + 1) % 3], w = step[(side / 2 + 2) % 3];
        for (int k = 0; k < n * n; k++) {
            int at = (side % 2 ? n * across : 0) + k % n * u + k / n * w;
            int32_t c[4] = {at, at + u, at + u + w, at + w};
            if (side % 2 == 0) {
                c[1] = at + w;
                c[3] = at + u;
            }
            const int32_t one[3] = {c[0], c[1], c[2]}, two[3] = {c[0], c[2], c[3]};
            put_face(b, 3, one);
            put_face(b, 3, two);
        }
    }
}

static void cubes_are_cubes_however_they_are_given(void) {
    Vec3 at;
    clear(&body);
    put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1), 0);
    Solid hull = built(&body, &at);
    for (int way = 0; way < 5; way++) {
        clear(&other);
        if (way < 2) {
            put_box(&other, vec3(0, 0, 0), vec3(1, 1, 1), 0);
            put_box_faces(&other, way == 1);
        } else {
            put_fine_cube(&other, way == 2 ? 2 : way == 3 ? 5 : 24);
        }
        Solid solid = built(&other, &at);
        CHECK(solid.parts == 1 && solid.elements == 26 && solid.part[0].convex);
        check_same_polyhedron(&solid.part[0], &hull.part[0]);
        CHECK_CLOSE(solid.volume, 8.0, 1e-15);
        CHECK_CLOSE(solid.gyration.x, 2.0 / 3, 1e-15);
        scr_solid_free(&solid);
    }
    scr_solid_free(&hull);
}

/* The outline of an L with unit arms, drawn out to unit height. */
static void put_angle(Body *b, bool triangles) {
    const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    begin_part(b, 0);
    for (int k = 0; k < 12; k++) {
        put_vertex(b, vec3(outline[k % 6][0], outline[k % 6][1], k / 6));
    }
    const int32_t below[6] = {5, 4, 3, 2, 1, 0}, above[6] = {6, 7, 8, 9, 10, 11};
    const int32_t cut[8][3] = {{0, 3, 1}, {1, 3, 2}, {0, 5, 3},  {3, 5, 4},
                               {6, 7, 9}, {7, 8, 9}, {6, 9, 11}, {9, 10, 11}};
    if (triangles) {
        for (int k = 0; k < 8; k++) {
            put_face(b, 3, cut[k]);
        }
    } else {
        put_face(b, 6, below);
        put_face(b, 6, above);
    }
    for (int32_t k = 0; k < 6; k++) {
        const int32_t side[4] = {k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6};
        put_face(b, 4, side);
    }
}

/* Three unit cubes: centroid (5/6, 5/6, 1/2); z-moment of one cube 1/6, and of their centres. */
static void angles_are_three_cubes(void) {
    for (int way = 0; way < 4; way++) {
        clear(&body);
        if (way < 2) {
            put_angle(&body, way == 1);
        } else if (way == 2) {
            put_box(&body, vec3(1, 0.5, 0.5), vec3(1, 0.5, 0.5), 0);
            put_box(&body, vec3(0.5, 1.5, 0.5), vec3(0.5, 0.5, 0.5), 0);
        } else {
            for (int k = 0; k < 3; k++) {
                put_box(&body, vec3(0.5 + (k == 1), 0.5 + (k == 2), 0.5), vec3(0.5, 0.5, 0.5), 0);
            }
        }
        Vec3 at;
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, 3.0, 1e-15);
        check_point(at, vec3(5.0 / 6, 5.0 / 6, 0.5), 1e-15);
        /* of the centres about the centroid: xx = yy = 2/9, xy = -1/9 */
        double one = 1.0 / 12 + 2.0 / 9;
        check_tensor(tensor_of(&solid),
                     (Sym3){one + 1.0 / 12, 1.0 / 9, 0, one + 1.0 / 12, 0, 2 * one}, 1e-14);
        if (way < 2) {
            const Polyhedron *p = &solid.part[0];
            CHECK(!p->convex && p->vertices == 12);
            int reflex = 0;
            for (int32_t e = 0; e < p->edges; e++) {
                reflex += p->edge[e].kind == EDGE_REFLEX;
            }
            CHECK(reflex == 1);
            for (int32_t f = 0; f < p->faces; f++) { /* faces are convex */
                for (int32_t k = 0; k < p->face[f].count; k++) {
                    const int32_t *loop = p->loop_vertex + p->face[f].first;
                    int32_t n = p->face[f].count;
                    Vec3 a = scr_vertex(p, loop[k]), b = scr_vertex(p, loop[(k + 1) % n]),
                         c = scr_vertex(p, loop[(k + 2) % n]);
                    CHECK(dot(p->face[f].normal, cross(sub(b, a), sub(c, b))) > -1e-12);
                }
            }
        }
        scr_solid_free(&solid);
    }
}

/* A frame, a square with a square hole: faces around the hole are cut. */
static void frames_have_holes(void) {
    clear(&body);
    begin_part(&body, 0);
    for (int k = 0; k < 16; k++) {
        double r = k % 8 < 4 ? 2 : 1;
        put_vertex(&body, vec3(k % 4 == 0 || k % 4 == 3 ? -r : r, k % 4 < 2 ? -r : r, k / 8));
    }
    for (int32_t k = 0; k < 4; k++) {
        int32_t next = (k + 1) % 4;
        const int32_t above[4] = {8 + k, 8 + next, 12 + next, 12 + k},
                      below[4] = {k, 4 + k, 4 + next, next}, outer[4] = {k, next, 8 + next, 8 + k},
                      inner[4] = {4 + k, 12 + k, 12 + next, 4 + next};
        put_face(&body, 4, above);
        put_face(&body, 4, below);
        put_face(&body, 4, outer);
        put_face(&body, 4, inner);
    }
    Vec3 at;
    Solid solid = built(&body, &at);
    CHECK_CLOSE(solid.volume, 12.0, 1e-15);
    /* (16 (16 + 16) - 4 (4 + 4)) / 12 / 12 about the axis */
    CHECK_CLOSE(solid.gyration.z, (16.0 * 32 - 4 * 8) / 144, 1e-14);
    CHECK(!solid.part[0].convex && solid.part[0].vertices == 16);
    scr_solid_free(&solid);
}

/* A cube with a cubic cavity, and two cubes that are one part. */
static void surfaces_may_have_several_pieces(void) {
    for (int cavity = 0; cavity < 2; cavity++) {
        clear(&body);
        put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1), 0);
        put_box_faces(&body, false);
        for (int k = 0; k < 8; k++) {
            Vec3 corner = scale(0.5, body.vertex[k]);
            put_vertex(&body, cavity ? corner : add(corner, vec3(3, 0, 0)));
        }
        for (int f = 0; f < 6; f++) {
            int32_t c[4];
            for (int k = 0; k < 4; k++) {
                c[k] = 8 + box_face[f][cavity ? 3 - k : k];
            }
            put_face(&body, 4, c);
        }
        Vec3 at;
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, cavity ? 7.0 : 9.0, 1e-15);
        check_point(at, vec3(cavity ? 0 : 1.0 / 3, 0, 0), 1e-15);
        CHECK(!solid.part[0].convex && solid.part[0].vertices == 16 && solid.part[0].faces == 12);
        scr_solid_free(&solid);
    }
}

/* ---------------------------------------------------------------- kept solids */

/* Three hulls, one of them rounded, and a rod. */
static void put_four_parts(int n, uint64_t *state) {
    clear(&body);
    for (int k = 0; k < 3; k++) {
        begin_part(&body, k == 1 ? 0.1 : 0);
        for (int j = 0; j < 4 + 8 * n; j++) {
            put_vertex(&body, add(drawn_in_cube(state), vec3(5 * k, 0, 0)));
        }
    }
    begin_part(&body, 0.5);
    put_vertex(&body, vec3(-5, 0, 0));
    put_vertex(&body, vec3(-9, 0, n > 10 ? 1 : 0));
}

/* The parts of a solid as a definition. */
static void describe(const Solid *solid, Body *b) {
    clear(b);
    for (int32_t k = 0; k < solid->parts; k++) {
        const Polyhedron *p = &solid->part[k];
        begin_part(b, p->rounding);
        for (int32_t v = 0; v < p->vertices; v++) {
            put_vertex(b, scr_vertex(p, v));
        }
        for (int32_t f = 0; f < p->faces; f++) {
            put_face(b, p->face[f].count, p->loop_vertex + p->face[f].first);
        }
    }
}

static void check_same_bits(const Solid *one, const Solid *two) {
    CHECK(one->parts == two->parts && one->elements == two->elements);
    for (int32_t k = 0; k < one->parts; k++) {
        const Polyhedron *a = &one->part[k], *b = &two->part[k];
        size_t vertices = (size_t)a->vertices, edges = (size_t)a->edges, faces = (size_t)a->faces;
        CHECK(a->first_element == b->first_element && a->convex == b->convex);
        CHECK(memcmp(a->x, b->x, 3 * vertices * sizeof *a->x) == 0);
        CHECK(a->edges == b->edges && memcmp(a->edge, b->edge, edges * sizeof *a->edge) == 0);
        CHECK(faces == 0 || memcmp(a->face, b->face, faces * sizeof *a->face) == 0);
    }
}

static void solids_are_restored_bit_for_bit(void) {
    uint64_t state = 40;
    for (int n = 0; n < 20; n++) {
        Vec3 at;
        put_four_parts(n, &state);
        Solid one = built(&body, &at), two = one;
        describe(&one, &other);
        ScreeSolidDef def = def_of(&other);
        const size_t size[3] = {other.vertices, other.faces, other.corner_count};
        CHECK(scr_solid_restore(&def, size, &two) == SCREE_OK);
        check_same_bits(&one, &two);
        scr_solid_free(&two);
        scr_solid_free(&one);
    }
}

static void damaged_solids_are_not_restored(void) {
    uint64_t state = 50;
    static Body sound;
    Vec3 at;
    put_four_parts(2, &state);
    Solid one = built(&body, &at);
    describe(&one, &sound);
    for (int k = 0; k < 12; k++) {
        Solid damaged = one;
        size_t size[3] = {sound.vertices, sound.faces, sound.corner_count};
        other = sound;
        size[k % 3] -= k < 3;
        other.corner[7] = k == 3 ? -1 : k == 4 ? (int32_t)other.vertices : other.corner[7];
        other.corner[1] = k == 5 ? other.corner[0] : other.corner[1];
        other.corners[0] = k == 6 ? 1 << 30 : other.corners[0];
        other.part[1].rounding = k == 7 ? -1 : other.part[1].rounding;
        other.vertex[3].x = k == 8 ? NAN : other.vertex[3].x;
        other.part[0].vertices += k == 9;
        damaged.volume = k == 10 ? -1 : damaged.volume;
        damaged.radius *= k == 11 ? 0.5 : 1;
        ScreeSolidDef def = def_of(&other);
        CHECK(scr_solid_restore(&def, size, &damaged) == SCREE_BAD_ARGUMENT);
    }
    scr_solid_free(&one);
}

int main(int argc, char **argv) {
    CHECK_RUN(cubes_are_cubes_however_they_are_given);
    CHECK_RUN(angles_are_three_cubes);
    CHECK_RUN(frames_have_holes);
    CHECK_RUN(surfaces_may_have_several_pieces);
    CHECK_RUN(solids_are_restored_bit_for_bit);
    CHECK_RUN(damaged_solids_are_not_restored);
    return check_result();
}
