/* Surfaces in single precision, as STL has them: what was plane becomes so again, and nothing else
 * moves. */
#include "shape/flatten.h"
#include "shape/solid_bodies.h"

#include <string.h>

static Body body;

static SurfaceDef surface_of(const Body *b) {
    return (SurfaceDef){0, b->vertices, b->faces, b->vertex, b->corners, b->corner};
}

static Vec3 in_single(Vec3 a) {
    return vec3((double)(float)a.x, (double)(float)a.y, (double)(float)a.z);
}

/* The hull of the vertices, turned and shifted, as triangles in single precision. */
static void as_triangles(const Vec3 *vertex, size_t vertices, Quat q, Vec3 shift) {
    clear(&body);
    begin_part(&body, 0);
    for (size_t k = 0; k < vertices; k++) {
        put_vertex(&body, vertex[k]);
    }
    Vec3 at;
    Solid hull = built(&body, &at);
    const Polyhedron *p = &hull.part[0];
    clear(&body);
    begin_part(&body, 0);
    for (int32_t v = 0; v < p->vertices; v++) {
        put_vertex(&body, add(at, scr_vertex(p, v)));
    }
    for (int32_t f = 0; f < p->faces; f++) {
        const int32_t *loop = p->loop_vertex + p->face[f].first;
        for (int32_t k = 1; k + 1 < p->face[f].count; k++) {
            const int32_t corner[3] = {loop[0], loop[k], loop[k + 1]};
            put_face(&body, 3, corner);
        }
    }
    scr_solid_free(&hull);
    move_body(&body, q, 1, shift);
    for (size_t k = 0; k < body.vertices; k++) {
        body.vertex[k] = in_single(body.vertex[k]);
    }
}

/* After it the solid has as many faces as it should, is convex, and is where it was. Vertices with
 * three faces lie in their planes to rounding after the first round; in the rhombic dodecahedron
 * there are some with four. */
static void check_body(const Vec3 *vertex, size_t vertices, int32_t faces) {
    uint64_t state = 5;
    for (int n = 0; n < 40; n++) {
        as_triangles(vertex, vertices, drawn_rotation(&state), vec3(0.7, -1.3, 2.1));
        static Vec3 before[MOST_BODY];
        memcpy(before, body.vertex, body.vertices * sizeof *before);
        const SurfaceDef def = surface_of(&body);
        double tolerance = 8e-7 * 4;
        CHECK(scr_flatten(&def, tolerance, body.vertex) == SCREE_OK);
        for (size_t k = 0; k < body.vertices; k++) {
            CHECK(length(sub(body.vertex[k], before[k])) < 30 * 0x1p-24 * 4);
        }
        Vec3 at;
        Solid solid = built(&body, &at);
        CHECK(solid.part[0].faces == faces && solid.part[0].convex);
        scr_solid_free(&solid);
    }
}

static void plane_faces_are_one_again(void) {
    Vec3 vertex[20];
    scree_solid_make_box(vec3(0.3, 1, 0.7), vertex);
    check_body(vertex, 8, 6);
    scree_solid_make_prism(7, 0.8, 0.3, vertex);
    check_body(vertex, 14, 9);
    scree_solid_make_regular(12, 1, vertex);
    check_body(vertex, 20, 12);
    scree_solid_make_regular(20, 1, vertex);
    check_body(vertex, 12, 20);
    size_t count = 0;
    for (int k = 0; k < 8; k++) { /* the rhombic dodecahedron: a cube and an octahedron */
        vertex[count++] = vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    }
    for (int k = 0; k < 6; k++) {
        double s = k & 1 ? 1 : -1;
        vertex[count++] = vec3(k / 2 == 0 ? s : 0, k / 2 == 1 ? s : 0, k / 2 == 2 ? s : 0);
    }
    check_body(vertex, count, 12);
}

/* Quadrangles in single precision are not plane, and would be refused. */
static void quadrangles_are_plane_again(void) {
    uint64_t state = 9;
    clear(&body);
    put_box(&body, vec3(0, 0, 0), vec3(0.3, 0.5, 0.2), 0);
    put_box_faces(&body, false);
    move_body(&body, drawn_rotation(&state), 1, vec3(0, 0, 0));
    for (size_t k = 0; k < body.vertices; k++) {
        body.vertex[k] = in_single(body.vertex[k]);
    }
    Solid solid = {0};
    Vec3 at;
    ScreeSolidDef whole = def_of(&body);
    CHECK(scr_solid_build(&whole, &solid, &at, NULL) == SCREE_BAD_ARGUMENT);
    const SurfaceDef def = surface_of(&body);
    CHECK(scr_flatten(&def, 8e-7, body.vertex) == SCREE_OK);
    solid = built(&body, &at);
    CHECK(solid.part[0].faces == 6 && solid.part[0].convex);
    scr_solid_free(&solid);
}

/* What is not plane to within the tolerance, or not closed, stays where it is. */
static void other_surfaces_stay(void) {
    static Vec3 before[MOST_BODY];
    Vec3 vertex[12];
    uint64_t state = 3;
    scree_solid_make_regular(20, 1, vertex);
    as_triangles(vertex, 12, drawn_rotation(&state), vec3(0, 0, 0));
    memcpy(before, body.vertex, sizeof before);
    SurfaceDef def = surface_of(&body);
    CHECK(scr_flatten(&def, 1e-6, body.vertex) == SCREE_OK);
    CHECK(memcmp(before, body.vertex, sizeof before) == 0);
    scree_solid_make_box(vec3(0.3, 1, 0.7), vertex);
    as_triangles(vertex, 8, drawn_rotation(&state), vec3(0, 0, 0));
    memcpy(before, body.vertex, sizeof before);
    def = surface_of(&body);
    def.faces--;
    CHECK(scr_flatten(&def, 1e-6, body.vertex) == SCREE_OK);
    CHECK(memcmp(before, body.vertex, sizeof before) == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(plane_faces_are_one_again);
    CHECK_RUN(quadrangles_are_plane_again);
    CHECK_RUN(other_surfaces_stay);
    return check_result();
}
