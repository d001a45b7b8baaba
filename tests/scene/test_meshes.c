/* Mesh files: the same body from every format, and damaged files refused at their place. */
#include "support.h"

#include "scene/read/mesh.h"

#include <math.h>
#include <stdint.h>

/* A corner of the unit cube, cut off: volume 1/6. */
static const double corner_at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static bool read_bytes(const char *name, const char *text, size_t size, SceneMesh *mesh,
                       SceneError *error) {
    const SceneSource source = {name, text, size, false};
    *error = (SceneError){0};
    return scene_read_mesh(&source, mesh, error);
}

/* Six times the volume: the sum of x . (y cross z) over triangles, each face cut into a fan. */
static double six_volumes(const SceneMesh *mesh) {
    double sum = 0;
    const int32_t *c = mesh->corner;
    for (size_t f = 0; f < mesh->faces; c += mesh->corners[f++]) {
        for (int k = 2; k < mesh->corners[f]; k++) {
            ScreeVec3 a = mesh->vertex[c[0]], b = mesh->vertex[c[k - 1]], d = mesh->vertex[c[k]];
            sum += a.x * (b.y * d.z - b.z * d.y) + a.y * (b.z * d.x - b.x * d.z) +
                   a.z * (b.x * d.y - b.y * d.x);
        }
    }
    return sum;
}

static void check_body(const char *name, const char *text, size_t size, size_t vertices,
                       size_t faces, double six) {
    SceneMesh mesh;
    SceneError error;
    bool ok = read_bytes(name, text, size, &mesh, &error);
    CHECK(ok);
    if (!ok) {
        printf("%s: %s", name, error.text);
        return;
    }
    CHECK(mesh.vertices == vertices && mesh.faces == faces);
    CHECK_CLOSE(six_volumes(&mesh), six, 1e-15);
    scene_mesh_free(&mesh);
}

static size_t stl_text(char *text, size_t room) {
    size_t used = (size_t)snprintf(text, room, "solid corner\n");
    for (int t = 0; t < 4; t++) {
        used += (size_t)snprintf(text + used, room - used, "facet normal 0 0 0\n outer loop\n");
        for (int k = 0; k < 3; k++) {
            const double *p = corner_at[triangle[t][k]];
            used += (size_t)snprintf(text + used, room - used, "  vertex %g %.3e %g\n", p[0], p[1],
                                     p[2]);
        }
        used += (size_t)snprintf(text + used, room - used, " endloop\nendfacet\n");
    }
    return used + (size_t)snprintf(text + used, room - used, "endsolid corner\n");
}

/* In the order of bytes that the format asks for, whatever this machine's is. */
static char *put_bits(char *at, uint32_t bits, bool big) {
    for (int k = 0; k < 4; k++) {
        at[big ? 3 - k : k] = (char)(bits >> (8 * k) & 0xFF);
    }
    return at + 4;
}

static char *put_float(char *at, double value, bool big) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return put_bits(at, bits, big);
}

static size_t stl_binary(char *bytes) {
    memset(bytes, 0, 84 + 4 * 50);
    memcpy(bytes, "solid in name only", 18); /* as many programs write */
    put_bits(bytes + 80, 4, false);
    for (int t = 0; t < 4; t++) {
        char *at = bytes + 84 + 50 * t + 12;
        for (int k = 0; k < 9; k++) {
            at = put_float(at, corner_at[triangle[t][k / 3]][k % 3], false);
        }
    }
    return 84 + 4 * 50;
}

static size_t ply_binary(char *bytes, bool big) {
    int head = sprintf(bytes,
                       "ply\nformat binary_%s_endian 1.0\ncomment none\nelement vertex 4\n"
                       "property float x\nproperty uchar red\nproperty float y\nproperty float z\n"
                       "element face 4\nproperty list uchar int vertex_indices\nend_header\n",
                       big ? "big" : "little");
    char *at = bytes + head;
    for (int v = 0; v < 4; v++) {
        at = put_float(at, corner_at[v][0], big);
        *at++ = (char)200;
        at = put_float(at, corner_at[v][1], big);
        at = put_float(at, corner_at[v][2], big);
    }
    for (int t = 0; t < 4; t++) {
        *at++ = 3;
        for (int k = 0; k < 3; k++) {
            at = put_bits(at, (uint32_t)triangle[t][k], big);
        }
    }
    return (size_t)(at - bytes);
}

#define OBJ                                                                                        \
    "# made by hand\nmtllib none.mtl\no corner\nv 0 0 0\nv 1 0 0 1\nv 0 1 0\nv 0 0 1\nvn 0 0 "     \
    "1\ng all\nf 1 3 2\nf 1/1/1 2/1/1 4/1/1\nf -4//1 -1//1 -2//1\nf 2 3 4 # the slope\n"
#define PLY                                                                                        \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty "     \
    "double z\nelement face 4\nproperty list uint8 int32 vertex_index\nend_header\n0 0 0\n1 0 "    \
    "0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
#define OFF                                                                                        \
    "OFF # a comment\n4 4 6\n\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1 255 0 0\n3 0 1 3\n3 0 3 2\n3 "  \
    "1 2 3\n"

static void formats_agree(void) {
    char text[4000];
    check_body("a.stl", text, stl_text(text, sizeof text), 4, 4, 1);
    check_body("folder.d/A.STL", text, stl_binary(text), 4, 4, 1);
    check_body("a.ply", text, ply_binary(text, false), 4, 4, 1);
    check_body("a.ply", text, ply_binary(text, true), 4, 4, 1);
    check_body("a.obj", OBJ, sizeof OBJ - 1, 4, 4, 1);
    check_body("a.ply", PLY, sizeof PLY - 1, 4, 4, 1);
    check_body("a.off", OFF, sizeof OFF - 1, 4, 4, 1);
}

/* A cube of squares; an extra vertex that no face has is left out, and lines may end as they do
 * elsewhere. */
static void polygons_are_kept(void) {
    const char cube[] =
        "OFF 9 6 0\r\n0 0 0\r\n2 0 0\r\n2 2 0\r\n0 2 0\r\n0 0 2\r\n2 0 2\r\n2 2 2\r\n0 2 2\r\n"
        "5 5 5\r\n4 0 3 2 1\r\n4 4 5 6 7\r\n4 0 1 5 4\r\n4 1 2 6 5\r\n4 2 3 7 6\r\n4 3 0 4 7\r\n";
    check_body("cube.off", cube, sizeof cube - 1, 8, 6, 48);
}

/* Vertices 1e-10 of the size apart are one, those 1e-8 apart are not; far from the origin too. */
static void vertices_are_welded(void) {
    const char *const apart[] = {"0", "1e-10", "5e-8"};
    const size_t vertices[] = {4, 4, 5};
    for (int i = 0; i < 3; i++) {
        char text[400];
        int size = snprintf(text, sizeof text,
                            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 %s 1\nf 1 3 2\nf 1 2 4\n"
                            "f 1 5 3\nf 2 3 5\n",
                            apart[i]);
        SceneMesh mesh;
        SceneError error;
        CHECK(read_bytes("a.obj", text, (size_t)size, &mesh, &error));
        CHECK(mesh.vertices == vertices[i]);
        scene_mesh_free(&mesh);
    }
}

typedef struct Bad {
    const char *name, *text, *message;
} Bad;

static void damaged_files_are_refused(void) {
    const Bad cases[] = {
        {"a.txt", "v 0 0 0\n", "a.txt: error: a mesh file has a name that ends in"},
        {"a.obj", "", "a.obj: error: the file holds no vertices"},
        {"a.obj", "v 0 0 0\n", "the file holds no faces"},
        {"a.obj", "v 0 0\n", "a.obj:1:1: error: z of a vertex is missing"},
        {"a.obj", "\nv 0 0 nan\n", "a.obj:2:1: error: z of a vertex must be a finite number"},
        {"a.obj", "v 0 0 1e200\n", "a coordinate of vertex 0 is beyond 1e100"},
        {"a.obj", "v 0 0 0\nf 1 1 2\n", "a.obj:2:1: error: a corner is vertex 2, but 1 have"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "face 0 has 2 corners"},
        {"a.obj", "v 0 0 0\nf 1 0 1\n", "a corner must be a vertex counted from 1, but is '0'"},
        {"a.obj", "v 0 0 0\nf 1 1 99999999999999999999\n",
         "a corner is vertex 9223372036854775807"},
        {"a.off", "PLY\n", "an OFF file begins with OFF, not with 'PLY'"},
        {"a.off", "OFF BINARY\n", "binary OFF files are not read"},
        {"a.off", "OFF\n2 1 0\n0 0 0\n", "a.off:3:1: error: the file ends after 1 of 2 vertices"},
        {"a.off", "OFF\n1 1 0\n0 0 0\n3 0 0 1\n",
         "a.off:4:1: error: a corner must be a whole number from 0 to 0, but is '1'"},
        {"a.off", "OFF\n1e300 1 0\n", "the number of vertices must be a whole number from 1"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_header\n",
         "a.ply:5:1: error: the vertices lack one of x, y and z"},
        {"a.ply", "ply\nformat morse 1.0\n", "a.ply:2:1: error: the format must be ascii"},
        {"a.ply", "ply\nproperty float x\n", "a property stands before any element"},
        {"a.ply", "ply\nelement vertex 1\nproperty list float int x\n",
         "the length of a list cannot be a 'float'"},
        {"a.stl", "solid a\nfacet\nouter loop\nvertex 0 0 0\nendloop\n",
         "a.stl:5:1: error: a loop ends after 1 vertex"},
        {"a.stl", "solid a\nvertex 0 0 0\n", "a.stl:2:1: error: a vertex stands outside of a loop"},
        {"a.stl", "solid a\nfacet\n", "the file ends before 'endsolid'"},
        {"a.stl", "what is this", "a.stl: error: byte 0: this is no STL file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SceneMesh mesh;
        SceneError error;
        bool read = read_bytes(cases[i].name, cases[i].text, strlen(cases[i].text), &mesh, &error);
        CHECK(!read && mesh.vertex == NULL);
        bool right = strstr(error.text, cases[i].message) != NULL;
        CHECK(right);
        if (!right) {
            printf("%s    is not: %s\n", error.text, cases[i].message);
        }
    }
    char bytes[400];
    size_t size = stl_binary(bytes);
    SceneMesh mesh;
    SceneError error;
    memcpy(bytes, "solix", 5);
    CHECK(!read_bytes("a.stl", bytes, size - 1, &mesh, &error));
    CHECK(strstr(error.text, "byte 80: 4 triangles take 284 bytes, but the file has 283"));
    size = ply_binary(bytes, false);
    CHECK(!read_bytes("a.ply", bytes, size - 1, &mesh, &error));
    CHECK(strstr(error.text, "the file ends too early"));
}

/* Cut anywhere, or with any byte changed, a file is read or refused in words. */
static void no_damage_does_harm(void) {
    char text[4000], copy[4000];
    const char *const names[] = {"a.stl", "a.stl", "a.ply", "a.ply", "a.obj", "a.off"};
    for (int kind = 0; kind < 6; kind++) {
        size_t size = kind == 0   ? stl_text(text, sizeof text)
                      : kind == 1 ? stl_binary(text)
                      : kind == 2 ? ply_binary(text, true)
                                  : (size_t)snprintf(text, sizeof text, "%s",
                                                     kind == 3   ? PLY
                                                     : kind == 4 ? OBJ
                                                                 : OFF);
        for (size_t at = 0; at < size; at++) {
            SceneMesh mesh;
            SceneError error;
            bool read = read_bytes(names[kind], text, at, &mesh, &error);
            CHECK(read == (error.text[0] == '\0'));
            scene_mesh_free(&mesh);
            for (int bit = 0; bit < 8; bit++) {
                memcpy(copy, text, size);
                copy[at] = (char)(copy[at] ^ (1 << bit));
                read = read_bytes(names[kind], copy, size, &mesh, &error);
                CHECK(read == (error.text[0] == '\0'));
                scene_mesh_free(&mesh);
            }
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(formats_agree);
    CHECK_RUN(polygons_are_kept);
    CHECK_RUN(vertices_are_welded);
    CHECK_RUN(damaged_files_are_refused);
    CHECK_RUN(no_damage_does_harm);
    return check_result();
}
