/* Solids with a name, and rocks. */
#include "shape/solid_bodies.h"

static Body body;

static ScreeSolid measured(double rounding, const Vec3 *vertex, size_t vertices) {
    ScreeSolid solid = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    const ScreeSolidPart part = {.vertices = vertices, .rounding = rounding};
    const ScreeSolidDef def = {&part, 1, vertex, NULL, NULL};
    CHECK(scree_solid_def_measure(&def, &solid, message) == SCREE_OK);
    CHECK(message[0] == '\0');
    return solid;
}

static void boxes_rods_and_plates_have_their_sides(void) {
    const double pi = 3.14159265358979323846;
    Vec3 vertex[8];
    scree_solid_make_box(vec3(1, 2, 3), vertex);
    ScreeSolid s = measured(0, vertex, 8);
    CHECK_CLOSE(s.volume, 6.0, 1e-15);
    CHECK_CLOSE(s.gyration.x, 13.0 / 12, 1e-15);
    CHECK_CLOSE(s.gyration.z, 5.0 / 12, 1e-15);
    CHECK(s.vertices == 8 && s.faces == 6 && s.corners == 24);
    scree_solid_make_rod(3, vertex);
    s = measured(0.5, vertex, 2);
    CHECK_CLOSE(s.volume, 3 * pi / 4 + pi / 6, 1e-15);
    CHECK_CLOSE(s.radius, 2.0, 1e-15);
    CHECK(s.gyration.x < s.gyration.y && s.vertices == 2 && s.faces == 0);
    scree_solid_make_plate(2, 3, vertex);
    s = measured(0.5, vertex, 4);
    CHECK_CLOSE(s.volume, 6 + pi / 8 * 10 + pi / 6, 1e-15); /* core, half cylinders, corners */
    CHECK(s.vertices == 4 && s.faces == 2);
}

/* Equal edges, equal faces, the radius, and the volume by it. */
static void regular_solids_are_regular(void) {
    const int faces[5] = {4, 6, 8, 12, 20}, vertices[5] = {4, 8, 6, 20, 12};
    const double root = sqrt(5);
    const double volume[5] = {8 * sqrt(3) / 27, 8 * sqrt(3) / 9, 4.0 / 3,
                              2 * sqrt(3) * (5 + root) / 9,
                              5 * (3 + root) / 12 * pow(4 / sqrt(10 + 2 * root), 3)};
    for (int k = 0; k < 5; k++) {
        Vec3 vertex[20], at;
        CHECK(scree_solid_make_regular(faces[k], 2, vertex) == (size_t)vertices[k]);
        clear(&body);
        begin_part(&body, 0);
        for (int v = 0; v < vertices[k]; v++) {
            CHECK_CLOSE(length(vertex[v]), 2.0, 1e-15);
            put_vertex(&body, vertex[v]);
        }
        Solid solid = built(&body, &at);
        const Polyhedron *p = &solid.part[0];
        CHECK(p->faces == faces[k] && p->vertices == vertices[k]);
        for (int32_t e = 0; e < p->edges; e++) {
            CHECK_CLOSE(p->edge[e].length, p->edge[0].length, 1e-14);
        }
        for (int32_t f = 0; f < p->faces; f++) {
            CHECK_CLOSE(p->face[f].offset, p->face[0].offset, 1e-14);
            CHECK(p->face[f].count == p->face[0].count);
        }
        CHECK_CLOSE(solid.volume, 8 * volume[k], 1e-14);
        scr_solid_free(&solid);
    }
    Vec3 vertex[20];
    CHECK(scree_solid_make_regular(7, 1, vertex) == 0);
}

static void prisms_have_their_volume(void) {
    for (int n = 3; n < 60; n++) {
        Vec3 vertex[120];
        scree_solid_make_prism(n, 1.5, 0.8, vertex);
        ScreeSolid s = measured(0, vertex, (size_t)(2 * n));
        double turn = 2 * 3.14159265358979323846 / n;
        CHECK_CLOSE(s.volume, 0.8 * 1.5 * 1.5 * n * sin(turn) / 2, 2e-14);
        CHECK(s.faces == (size_t)n + 2);
    }
}

/* ---------------------------------------------------------------- rocks */

static Vec3 rock[2000];

static size_t make_rock(ScreeRockDef def) {
    size_t count = 2000;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_solid_make_rock(&def, rock, &count, message) == SCREE_OK);
    CHECK(message[0] == '\0');
    return count;
}

static void check_box(const ScreeRockDef *def, size_t count) {
    Vec3 low = rock[0], high = rock[0];
    for (size_t k = 0; k < count; k++) {
        low = vec3(scr_min(low.x, rock[k].x), scr_min(low.y, rock[k].y), scr_min(low.z, rock[k].z));
        high = vec3(scr_max(high.x, rock[k].x), scr_max(high.y, rock[k].y),
                    scr_max(high.z, rock[k].z));
    }
    CHECK_CLOSE(high.x - low.x, def->size * def->elongation, 1e-14);
    CHECK_CLOSE(high.y - low.y, def->size, 1e-14);
    CHECK_CLOSE(high.z - low.z, def->size / def->flatness, 1e-14);
}

static void rocks_have_the_faces_that_were_asked_for(void) {
    for (int32_t faces = 4; faces <= 1000;
         faces += faces < 60 ? CHECK_STRIDE : 235 * CHECK_STRIDE) {
        for (int k = 0; k < 8 / (faces < 60 ? 1 : 4); k++) {
            ScreeRockDef def = {.faces = faces,
                                .size = k < 4 ? 1 : 0.02,
                                .elongation = k % 2 ? 1 : 1.7,
                                .flatness = k % 4 < 2 ? 1 : 2.5,
                                .angularity = k == 0  ? 0
                                              : k < 5 ? 1
                                                      : 0.4,
                                .seed = (uint64_t)k};
            size_t count = make_rock(def);
            CHECK(count <= 2 * (size_t)faces - 4);
            check_box(&def, count);
            ScreeSolid s = measured(0, rock, count);
            CHECK(s.faces == (size_t)faces && s.vertices == count);
        }
    }
}

static void rocks_have_the_vertices_that_were_asked_for(void) {
    for (int32_t n = 4; n <= 200; n += n < 40 ? 1 : 53) {
        for (int k = 0; k < 4; k++) {
            ScreeRockDef def = {.vertices = n,
                                .size = 1,
                                .elongation = 1 + k,
                                .flatness = 1 + 0.5 * k,
                                .angularity = k / 3.0,
                                .seed = 99};
            CHECK(make_rock(def) == (size_t)n);
            check_box(&def, (size_t)n);
            ScreeSolid s = measured(0, rock, (size_t)n);
            CHECK(s.vertices == (size_t)n);
        }
    }
}

/* Without angularity, four and six faces make a tetrahedron and a cube, nearly; with it faces
 * differ more. */
static void angularity_makes_faces_differ(void) {
    double spread[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (int seed = 0; seed < 40; seed++) {
            size_t count = make_rock((ScreeRockDef){.faces = 20,
                                                    .size = 1,
                                                    .elongation = 1,
                                                    .flatness = 1,
                                                    .angularity = 0.5 * k,
                                                    .seed = (uint64_t)seed});
            clear(&body);
            begin_part(&body, 0);
            for (size_t v = 0; v < count; v++) {
                put_vertex(&body, rock[v]);
            }
            Vec3 at;
            Solid solid = built(&body, &at);
            double mean = 0, square = 0;
            for (int32_t f = 0; f < solid.part[0].faces; f++) {
                mean += solid.part[0].face[f].offset / solid.part[0].faces;
            }
            for (int32_t f = 0; f < solid.part[0].faces; f++) {
                double off = solid.part[0].face[f].offset / mean - 1;
                square += off * off / solid.part[0].faces;
            }
            spread[k] += sqrt(square) / 40;
            scr_solid_free(&solid);
        }
    }
    CHECK(spread[0] < 0.05 && spread[1] > 1.5 * spread[0] && spread[2] > 1.3 * spread[1]);
}

static void seeds_make_rocks(void) {
    static Vec3 first[2000];
    ScreeRockDef def = {
        .faces = 14, .size = 1, .elongation = 1.2, .flatness = 1.1, .angularity = 0.6, .seed = 5};
    size_t count = make_rock(def), again;
    memcpy(first, rock, count * sizeof *rock);
    again = make_rock(def);
    CHECK(again == count && memcmp(first, rock, count * sizeof *rock) == 0);
    def.seed = 6;
    again = make_rock(def);
    CHECK(again != count || memcmp(first, rock, count * sizeof *rock) != 0);
}

static void rocks_that_cannot_be_are_refused(void) {
    const ScreeRockDef sound = {
        .faces = 14, .size = 1, .elongation = 1, .flatness = 1, .angularity = 0, .seed = 0};
    struct {
        int which;
        double value;
        const char *word;
    } wrong[10] = {{0, 3, "faces"},         {0, 1001, "faces"},   {0, -4, "faces"},
                   {1, 3, "vertices"},      {2, 0, "size"},       {2, NAN, "size"},
                   {3, 0.99, "elongation"}, {4, 1e9, "flatness"}, {5, -0.1, "angularity"},
                   {5, NAN, "angularity"}};
    for (int k = 0; k < 10; k++) {
        ScreeRockDef def = sound;
        double v = wrong[k].value;
        def.faces = wrong[k].which == 0 ? (int32_t)v : wrong[k].which == 1 ? 0 : def.faces;
        def.vertices = wrong[k].which == 1 ? (int32_t)v : 0;
        def.size = wrong[k].which == 2 ? v : def.size;
        def.elongation = wrong[k].which == 3 ? v : def.elongation;
        def.flatness = wrong[k].which == 4 ? v : def.flatness;
        def.angularity = wrong[k].which == 5 ? v : def.angularity;
        char message[SCREE_MESSAGE_SIZE] = "";
        size_t count = 0;
        CHECK(scree_solid_make_rock(&def, NULL, &count, message) == SCREE_BAD_ARGUMENT);
        CHECK(strstr(message, wrong[k].word) != NULL);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(boxes_rods_and_plates_have_their_sides);
    CHECK_RUN(regular_solids_are_regular);
    CHECK_RUN(prisms_have_their_volume);
    CHECK_RUN(rocks_have_the_faces_that_were_asked_for);
    CHECK_RUN(rocks_have_the_vertices_that_were_asked_for);
    CHECK_RUN(angularity_makes_faces_differ);
    CHECK_RUN(seeds_make_rocks);
    CHECK_RUN(rocks_that_cannot_be_are_refused);
    return check_result();
}
