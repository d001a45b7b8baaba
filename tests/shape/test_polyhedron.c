/* The features of polyhedra, and surfaces that do not close. */
#include "shape/solid_points.h"

static const Vec3 cube_vertex[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const int32_t cube_corners[6] = {4, 4, 4, 4, 4, 4};
static const int32_t cube_corner[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4,
                                        1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};

static const PolyhedronDef cube = {.vertices = 8,
                                   .faces = 6,
                                   .vertex = cube_vertex,
                                   .corners = cube_corners,
                                   .corner = cube_corner};

/* What every closed surface must have, seen from each feature. */
static void check_features(const Polyhedron *p) {
    CHECK(p->vertices - p->edges + p->faces == 2);
    for (int32_t f = 0; f < p->faces; f++) {
        const PolyhedronFace *face = &p->face[f];
        CHECK_NEAR(length(face->normal), 1, 1e-15);
        for (int32_t k = 0; k < face->count; k++) {
            int32_t v = p->loop_vertex[face->first + k],
                    next = p->loop_vertex[face->first + (k + 1) % face->count];
            const PolyhedronEdge *e = &p->edge[p->loop_edge[face->first + k]];
            bool left = e->vertex[0] == v && e->vertex[1] == next && e->face[0] == f;
            bool right = e->vertex[1] == v && e->vertex[0] == next && e->face[1] == f;
            CHECK(left || right);
            CHECK_NEAR(dot(face->normal, scr_vertex(p, v)), face->offset, 1e-14);
            /* inwards: towards the other corners of a convex face */
            Vec3 inward = e->inward[left ? 0 : 1];
            CHECK_NEAR(length(inward), 1, 1e-15);
            CHECK_NEAR(dot(inward, e->along), 0, 1e-15);
            CHECK_NEAR(dot(inward, face->normal), 0, 1e-15);
        }
    }
    for (int32_t v = 0; v < p->vertices; v++) {
        int32_t first = p->star_first[v], count = p->star_first[v + 1] - first;
        for (int32_t k = 0; k < count; k++) {
            const PolyhedronEdge *e = &p->edge[p->star_edge[first + k]],
                                 *after = &p->edge[p->star_edge[first + (k + 1) % count]];
            int32_t other = p->star_vertex[first + k], face = p->star_face[first + k];
            CHECK((e->vertex[0] == v && e->vertex[1] == other) ||
                  (e->vertex[1] == v && e->vertex[0] == other));
            /* the face lies between this edge and the next */
            CHECK(e->face[0] == face || e->face[1] == face);
            CHECK(after->face[0] == face || after->face[1] == face);
        }
    }
}

static void cubes_have_the_features_of_cubes(void) {
    Polyhedron p;
    CHECK(scr_polyhedron_build(&cube, &p, NULL) == SCREE_OK);
    CHECK(p.vertices == 8 && p.edges == 12 && p.faces == 6 && p.convex);
    check_features(&p);
    CHECK_NEAR(p.radius, sqrt(3), 1e-15);
    for (int32_t e = 0; e < p.edges; e++) {
        CHECK(p.edge[e].kind == EDGE_CONVEX && p.edge[e].length == 2);
    }
    for (int32_t f = 0; f < p.faces; f++) {
        Vec3 n = p.face[f].normal;
        CHECK(fabs(n.x) + fabs(n.y) + fabs(n.z) == 1 && p.face[f].offset == 1);
    }
    scr_polyhedron_free(&p);
}

static void elements_are_found_again(void) {
    Polyhedron part[3];
    int32_t first = 0;
    for (int k = 0; k < 3; k++) {
        CHECK(scr_polyhedron_build(&cube, &part[k], NULL) == SCREE_OK);
        part[k].first_element = first;
        first += 26;
    }
    Solid solid = {.parts = 3, .elements = first, .part = part};
    for (int k = 0; k < 3; k++) {
        for (int32_t i = 0; i < 12; i++) {
            Element e = scr_element(&solid, scr_edge_element(&part[k], i));
            CHECK(e.part == &part[k] && e.kind == ELEMENT_EDGE && e.number == i);
            e = scr_element(&solid, scr_vertex_element(&part[k], i % 8));
            CHECK(e.part == &part[k] && e.kind == ELEMENT_VERTEX && e.number == i % 8);
            e = scr_element(&solid, scr_face_element(&part[k], i % 6));
            CHECK(e.part == &part[k] && e.kind == ELEMENT_FACE && e.number == i % 6);
        }
        scr_polyhedron_free(&part[k]);
    }
}

/* An L, two cubes wide: one edge is reflex, the others convex. */
static void an_angle_has_one_reflex_edge(void) {
    const Vec3 vertex[12] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0},
                             {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
    const int32_t corners[8] = {6, 6, 4, 4, 4, 4, 4, 4};
    int32_t corner[36] = {5, 4, 3, 2, 1, 0, 6, 7, 8, 9, 10, 11};
    for (int32_t k = 0; k < 6; k++) {
        int32_t next = (k + 1) % 6, *c = corner + 12 + 4 * k;
        c[0] = k;
        c[1] = next;
        c[2] = next + 6;
        c[3] = k + 6;
    }
    const PolyhedronDef def = {
        .vertices = 12, .faces = 8, .vertex = vertex, .corners = corners, .corner = corner};
    Polyhedron p;
    CHECK(scr_polyhedron_build(&def, &p, NULL) == SCREE_OK);
    check_features(&p);
    CHECK(!p.convex);
    int reflex = 0;
    for (int32_t e = 0; e < p.edges; e++) {
        bool inner = p.edge[e].vertex[0] == 3 && p.edge[e].vertex[1] == 9;
        CHECK(p.edge[e].kind == (inner ? EDGE_REFLEX : EDGE_CONVEX));
        reflex += p.edge[e].kind == EDGE_REFLEX;
    }
    CHECK(reflex == 1);
    scr_polyhedron_free(&p);
}

static void rods_and_plates_have_what_is_left(void) {
    PolyhedronDef def = {.vertices = 2, .vertex = cube_vertex, .rounding = 0.5};
    Polyhedron p;
    CHECK(scr_polyhedron_build(&def, &p, NULL) == SCREE_OK);
    CHECK(p.edges == 1 && p.faces == 0 && p.convex && p.edge[0].face[0] == -1);
    CHECK(p.edge[0].length == 2 && p.edge[0].along.x == 1 && p.star_vertex[1] == 0);
    scr_polyhedron_free(&p);
    def.vertices = 1;
    CHECK(scr_polyhedron_build(&def, &p, NULL) == SCREE_OK);
    CHECK(p.edges == 0 && p.faces == 0 && p.convex);
    scr_polyhedron_free(&p);
    const int32_t corners[2] = {4, 4}, corner[8] = {0, 1, 2, 3, 3, 2, 1, 0};
    def = (PolyhedronDef){.vertices = 4,
                          .faces = 2,
                          .vertex = cube_vertex,
                          .corners = corners,
                          .corner = corner,
                          .rounding = 0.1};
    CHECK(scr_polyhedron_build(&def, &p, NULL) == SCREE_OK);
    check_features(&p);
    CHECK(p.edges == 4 && p.convex && p.edge[0].kind == EDGE_CONVEX);
    scr_polyhedron_free(&p);
}

static void surfaces_that_do_not_close_are_refused(void) {
    Polyhedron p;
    PolyhedronFault fault = {0};
    PolyhedronDef def = cube;
    def.faces = 5;
    CHECK(scr_polyhedron_build(&def, &p, &fault) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(fault.words, "open") != NULL);
    int32_t corner[24];
    memcpy(corner, cube_corner, sizeof corner);
    corner[1] = 1; /* one face turned over */
    corner[3] = 3;
    def = cube;
    def.corner = corner;
    CHECK(scr_polyhedron_build(&def, &p, &fault) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(fault.words, "turned over") != NULL);
    /* two tetrahedra that share a vertex */
    const Vec3 vertex[7] = {{0, 0, 0},  {1, 0, 1},  {0, 1, 1},   {-1, -1, 1},
                            {1, 0, -1}, {0, 1, -1}, {-1, -1, -1}};
    const int32_t corners[8] = {3, 3, 3, 3, 3, 3, 3, 3},
                  bow[24] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3,
                             0, 4, 5, 0, 5, 6, 0, 6, 4, 4, 6, 5};
    def = (PolyhedronDef){
        .vertices = 7, .faces = 8, .vertex = vertex, .corners = corners, .corner = bow};
    CHECK(scr_polyhedron_build(&def, &p, &fault) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(fault.words, "touches itself") != NULL && fault.vertex[0] == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(cubes_have_the_features_of_cubes);
    CHECK_RUN(elements_are_found_again);
    CHECK_RUN(an_angle_has_one_reflex_edge);
    CHECK_RUN(rods_and_plates_have_what_is_left);
    CHECK_RUN(surfaces_that_do_not_close_are_refused);
    return check_result();
}
