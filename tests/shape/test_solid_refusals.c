/* Messages say what is wrong with a solid, and where. */
#include "shape/solid_bodies.h"

static Body body;

static void check_message(const char *words, const char *more) {
    ScreeSolidDef def = def_of(&body);
    char message[SCREE_MESSAGE_SIZE] = "";
    Solid solid;
    Vec3 at;
    CHECK(scr_solid_build(&def, &solid, &at, message) == SCREE_BAD_ARGUMENT);
    bool right = strstr(message, words) != NULL && strstr(message, more) != NULL;
    CHECK(right);
    if (!right) {
        fprintf(stderr, "    \"%s\", expected \"%s ... %s\"\n", message, words, more);
    }
}

/* Wherever the body is, however it is turned, and as a second part after a sound one. */
static void refused(const char *place, const char *more) {
    static Body start;
    char words[80];
    uint64_t state = 1;
    start = body;
    for (int n = 0; n < 6; n++) {
        body = start;
        double size = n % 3 == 0 ? 1 : n % 3 == 1 ? 1e-9 : 1e20;
        Vec3 shift = scale(n < 3 ? 0 : 1e4 * size, drawn_in_cube(&state));
        if (n > 0) {
            move_body(&body, drawn_rotation(&state), size, shift);
        }
        snprintf(words, sizeof words, "part 0%s", place);
        check_message(words, more);
    }
    clear(&body);
    put_box(&body, vec3(9, 9, 9), vec3(1, 1, 1), 0);
    begin_part(&body, start.part[0].rounding);
    for (size_t k = 0; k < start.vertices; k++) {
        put_vertex(&body, start.vertex[k]);
    }
    for (size_t f = 0, c = 0; f < start.faces; f++) {
        put_face(&body, start.corners[f], start.corner + c);
        c += (size_t)start.corners[f];
    }
    snprintf(words, sizeof words, "part 1%s", place);
    check_message(words, more);
    body = start;
}

static void cube(bool triangles) {
    clear(&body);
    put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1), 0);
    put_box_faces(&body, triangles);
}

/* ---------------------------------------------------------------- numbers */

static void bad_numbers(void) {
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        cube(k == 0);
        body.vertex[5].y = bad[k];
        check_message("part 0, vertex 5: ", "not finite");
    }
    const double rounding[3] = {-1e-9, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        cube(false);
        body.part[0].rounding = rounding[k];
        check_message("part 0: ", "rounding");
    }
    for (int k = 0; k < 2; k++) {
        clear(&body);
        double huge = k == 0 ? 1e51 : 1e-51;
        put_box(&body, vec3(0, 0, 0), vec3(huge, huge, huge), 0);
        check_message("part 0: ", "size");
    }
    clear(&body);
    check_message("at least one part", "");
    begin_part(&body, 0);
    check_message("part 0: ", "no vertex");
}

static void bad_corners(void) {
    cube(false);
    body.corner[6] = 8;
    refused(", face 1: ", "no vertex 8");
    body.corner[6] = -1;
    refused(", face 1: ", "no vertex -1");
    body.corner[6] = body.corner[4];
    refused(", face 1: ", "has vertex 4 twice");
    cube(true);
    body.corners[3] = 2;
    check_message("part 0, face 3: ", "at least three");
}

/* ---------------------------------------------------------------- no volume */

static void sets_without_volume_need_a_rounding(void) {
    clear(&body);
    begin_part(&body, 0);
    put_vertex(&body, vec3(1, 2, 3));
    refused(": ", "ball");
    put_vertex(&body, vec3(2, 2, 4));
    refused(": ", "rod");
    put_vertex(&body, vec3(4, 2, 6));
    refused(": ", "rod");
    put_vertex(&body, vec3(0, 5, 6));
    refused(": ", "plate");
    clear(&body);
    begin_part(&body, 0); /* both sides of a square */
    for (int k = 0; k < 4; k++) {
        put_vertex(&body, vec3(k == 0 || k == 3 ? 0 : 1, k < 2 ? 0 : 1, 0));
    }
    const int32_t one[4] = {0, 1, 2, 3}, other[4] = {3, 2, 1, 0};
    put_face(&body, 4, one);
    put_face(&body, 4, other);
    refused("", "");
}

static void flat_surfaces_have_no_volume(void) {
    clear(&body);
    put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1e-11), 0);
    put_box_faces(&body, true);
    check_message("part 0: ", "no volume");
}

/* ---------------------------------------------------------------- faces */

static void bad_faces(void) {
    cube(false);
    body.vertex[7] = add(body.vertex[7], vec3(0.01, 0, 0));
    refused(", face 5: ", "not plane");
    cube(false); /* a bow instead of a square: corners 1 and 2 of face 0 exchanged */
    body.corner[1] = box_face[0][2];
    body.corner[2] = box_face[0][1];
    refused(", face 0: ", "");
    cube(true);
    const Vec3 middle = scale(0.5, add(body.vertex[0], body.vertex[1]));
    put_vertex(&body, middle);
    const int32_t line[3] = {0, 8, 1};
    put_face(&body, 3, line);
    check_message("part 0, face 12: ", "no area");
}

/* ---------------------------------------------------------------- surfaces */

static void open_surfaces(void) {
    cube(false);
    body.part[0].faces--;
    body.faces--;
    refused(", face 0: ", "open at its edge from vertex 1 to vertex 3");
    /* vertex 1 of the first two faces is another one at the same place */
    cube(false);
    put_vertex(&body, body.vertex[1]);
    for (size_t k = 0; k < 8; k++) {
        body.corner[k] = body.corner[k] == 1 ? 8 : body.corner[k];
    }
    refused(", face ", "weld");
    /* the edge from 0 to 1 is cut in two on one of its faces */
    cube(false);
    put_vertex(&body, vec3(0, -1, -1));
    body.faces = body.corner_count = 0;
    body.part[0].faces = 0;
    const int32_t with[5] = {0, 2, 3, 1, 8};
    put_face(&body, 5, with);
    for (int f = 1; f < 6; f++) {
        put_face(&body, 4, box_face[f]);
    }
    refused(", face 2: ", "T-junction");
}

static void turned_faces(void) {
    cube(false);
    for (int k = 0; k < 4; k++) {
        body.corner[12 + k] = box_face[3][3 - k];
    }
    refused(", face ", "turned over");
    cube(true);
    for (size_t k = 0; k < body.corner_count; k += 3) {
        int32_t c = body.corner[k];
        body.corner[k] = body.corner[k + 1];
        body.corner[k + 1] = c;
    }
    refused(": ", "volume is negative");
}

static void edges_of_three_faces(void) {
    cube(false);
    put_vertex(&body, vec3(0, -3, -3));
    const int32_t fin[3] = {0, 1, 8};
    put_face(&body, 3, fin);
    refused(", face ", "more than two faces");
}

/* Two tetrahedra on one vertex; and one that pierces the other. */
static void surfaces_that_meet_themselves(void) {
    const Vec3 bow[7] = {{0, 0, 0},  {1, 0, 1},  {0, 1, 1},   {-1, -1, 1},
                         {1, 0, -1}, {0, 1, -1}, {-1, -1, -1}};
    const int32_t face[8][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3},
                                {0, 4, 5}, {0, 5, 6}, {0, 6, 4}, {4, 6, 5}};
    clear(&body);
    begin_part(&body, 0);
    for (int k = 0; k < 7; k++) {
        put_vertex(&body, bow[k]);
    }
    for (int k = 0; k < 8; k++) {
        put_face(&body, 3, face[k]);
    }
    refused(", vertex 0: ", "touches itself");
    for (int way = 0; way < 4; way++) { /* pierced, touched by a corner, by an edge, by a face */
        cube(way % 2 == 0);
        size_t faces = body.faces, corners = body.corner_count;
        Vec3 shift = way == 0   ? vec3(0.5, 0.7, 0.9)
                     : way == 1 ? vec3(2, 2, 2)
                     : way == 2 ? vec3(2, 2, 0.3)
                                : vec3(2, 0.2, 0.3);
        for (int k = 0; k < 8; k++) {
            put_vertex(&body, add(body.vertex[k], shift));
        }
        for (size_t f = 0, c = 0; f < faces; f++) {
            int32_t moved[4];
            for (int k = 0; k < body.corners[f]; k++) {
                moved[k] = body.corner[c++] + 8;
            }
            put_face(&body, body.corners[f], moved);
        }
        CHECK(corners * 2 == body.corner_count);
        check_message("part 0, face ", "crosses, touches or folds");
    }
    /* One vertex of a cube drawn through the opposite side. */
    cube(true);
    body.vertex[7] = vec3(0.2, 0.1, -3);
    check_message("part 0, face ", "crosses, touches or folds");
}

static void shells_within_shells(void) {
    for (int way = 0; way < 2; way++) {
        cube(false);
        for (int k = 0; k < 8; k++) { /* inside, but turned outwards; or outside and inwards */
            put_vertex(&body, way == 0 ? scale(0.5, body.vertex[k])
                                       : add(vec3(5, 0, 0), scale(0.5, body.vertex[k])));
        }
        for (int f = 0; f < 6; f++) {
            int32_t c[4];
            for (int k = 0; k < 4; k++) {
                c[k] = 8 + box_face[f][way == 0 ? k : 3 - k];
            }
            put_face(&body, 4, c);
        }
        refused(", face 6: ", way == 0 ? "inside of another" : "inside out");
    }
}

/* ---------------------------------------------------------------- limits */

static void rounding_needs_convexity(void) {
    cube(true);
    body.vertex[7] = vec3(0, 0, 0.2);
    body.part[0].rounding = 0.1;
    refused(": ", "not convex");
}

static void too_many_elements(void) {
    clear(&body);
    uint64_t state = 3;
    begin_part(&body, 0);
    for (int k = 0; k < 6000; k++) { /* 6 n - 10 elements */
        put_vertex(&body, drawn_direction(&state));
    }
    check_message("vertices, edges and faces", "32767");
    body.part[0].vertices = body.vertices = 5463;
    check_message("vertices, edges and faces", "32767");
    body.part[0].vertices = body.vertices = 5462;
    Vec3 at;
    Solid solid = built(&body, &at);
    CHECK(solid.elements == 6 * 5462 - 10);
    scr_solid_free(&solid);
}

static void inertia_of_no_body(void) {
    CHECK(scr_inertia_fault(vec3(1, 1, 1)) == NULL);
    CHECK(scr_inertia_fault(vec3(1, 2, 3)) == NULL); /* a flat plate: just possible */
    CHECK(scr_inertia_fault(vec3(1, 2, 3.001)) != NULL);
    CHECK(scr_inertia_fault(vec3(3.001, 2, 1)) != NULL);
    CHECK(scr_inertia_fault(vec3(0, 1, 1)) != NULL);
    CHECK(scr_inertia_fault(vec3(NAN, 1, 1)) != NULL);
    CHECK(scr_inertia_fault(vec3(-1, 1, 1)) != NULL);
}

/* A torus of 20,000 triangles that nearly closes its hole: only its size is refused. */
static void large_meshes_are_looked_through(void) {
    enum { N = 100 }; /* a torus of N x N squares, each of two triangles */
    clear(&body);
    begin_part(&body, 0);
    const double turn = 2 * 3.14159265358979323846 / N;
    for (int k = 0; k < N * N; k++) {
        double a = turn * (k / N), b = turn * (k % N), r = 1 + 0.97 * cos(b);
        put_vertex(&body, vec3(r * cos(a), r * sin(a), 0.97 * sin(b)));
    }
    for (int32_t k = 0; k < N * N; k++) {
        int32_t i = k / N, j = k % N, in = (i + 1) % N, jn = (j + 1) % N;
        const int32_t c[4] = {i * N + j, in * N + j, in * N + jn, i * N + jn};
        const int32_t one[3] = {c[0], c[1], c[2]}, two[3] = {c[0], c[2], c[3]};
        put_face(&body, 3, one);
        put_face(&body, 3, two);
    }
    check_message("vertices, edges and faces", "32767"); /* sound, but too large to keep */
}

int main(int argc, char **argv) {
    CHECK_RUN(bad_numbers);
    CHECK_RUN(bad_corners);
    CHECK_RUN(sets_without_volume_need_a_rounding);
    CHECK_RUN(flat_surfaces_have_no_volume);
    CHECK_RUN(bad_faces);
    CHECK_RUN(open_surfaces);
    CHECK_RUN(turned_faces);
    CHECK_RUN(edges_of_three_faces);
    CHECK_RUN(surfaces_that_meet_themselves);
    CHECK_RUN(shells_within_shells);
    CHECK_RUN(rounding_needs_convexity);
    CHECK_RUN(too_many_elements);
    CHECK_RUN(inertia_of_no_body);
    CHECK_RUN(large_meshes_are_looked_through);
    return check_result();
}
