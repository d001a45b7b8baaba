/* Solids of scenes: what they weigh, where they are, how they fill a region. */
#include "support.h"

#include "math/vec.h"

#include <unistd.h>

static const double pi = 3.14159265358979323846;

/* Entry by entry, density 2: closed forms of the volume and of the farthest point. */
static void named_solids_are_exact(void) {
    const double root2 = sqrt(2), root3 = sqrt(3), root5 = sqrt(5), r = 0.1;
    const struct {
        const char *entry;
        double volume, radius;
    } cases[] = {
        {"box: {size: [1, 2, 3]}", 6, sqrt(14) / 2},
        {"regular: {faces: 4, radius: 1}", 8 * root3 / 27, 1},
        {"regular: {faces: 6, radius: 1}", 8 * root3 / 9, 1},
        {"regular: {faces: 8, radius: 1}", 4.0 / 3, 1},
        {"regular: {faces: 12, radius: 1}", 2 * root3 * (5 + root5) / 9, 1},
        {"regular: {faces: 20, radius: 1}", 2 * sqrt(10 + 2 * root5) / 3, 1},
        {"prism: {corners: 6, radius: 1, height: 2}", 3 * root3, root2},
        {"rod: {length: 1, radius: 0.1}", pi * r * r * 0.8 + 4 * pi / 3 * r * r * r, 0.5},
        {"torus: {radius: 1, thickness: 0.5}", 2 * M_PI * M_PI * 0.0625, 1.25},
        {"plate: {size: [1, 0.6, 0.2]}",
         0.8 * 0.4 * 0.2 + pi * r * r * (0.8 + 0.4) + 4 * pi / 3 * r * r * r,
         r + sqrt(0.4 * 0.4 + 0.2 * 0.2)},
        {"box: {size: [1, 1, 1], rounding: 0.1}",
         0.512 + 6 * 0.64 * r + pi * r * r * 2.4 + 4 * pi / 3 * r * r * r, 0.4 * root3 + r},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text, BASE "grains: [{%s, position: [1, 2, 3], scale: 2}]\n",
                 cases[i].entry);
        if (!built(text, &scene, &world)) {
            continue;
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        bool right = fabs(b.mass[0] / (16 * cases[i].volume) - 1) < 1e-13 &&
                     fabs(b.radius[0] / (2 * cases[i].radius) - 1) < 1e-13;
        CHECK(right);
        if (!right) {
            printf("%s: mass %.15g radius %.15g\n", cases[i].entry, b.mass[0] / 16,
                   b.radius[0] / 2);
        }
        CHECK(b.position[0].x == 1 && b.position[0].z == 3);
        dropped(scene, world);
    }
}

/* A tetrahedron as a hull, by its faces, and from a file in other units, lies where its vertices
 * are. */
static void bodies_lie_where_their_vertices_are(void) {
    char file[] = "mesh-XXXXXX.off", text[900];
    int handle = mkstemps(file, 4);
    const char mesh[] = "OFF\n4 4 0\n1000 2000 3000\n2000 2000 3000\n1000 3000 3000\n1000 2000 "
                        "4000\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    CHECK(handle >= 0 && write(handle, mesh, sizeof mesh - 1) > 0);
    close(handle);
    snprintf(text, sizeof text,
             BASE "overlap: accept\n"
                  "shapes: {corner: {mesh: {file: %s, scale: 0.001, hull: true}}}\n"
                  "grains:\n"
                  "  - {polyhedron: {vertices: &v [[1, 2, 3], [2, 2, 3], [1, 3, 3], [1, 2, 4]]}}\n"
                  "  - {polyhedron: {vertices: *v, faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, "
                  "3]]}}\n"
                  "  - {mesh: {file: %s, scale: 0.001}}\n"
                  "  - {shape: corner}\n",
             file, file);
    Scene *scene;
    ScreeWorld *world;
    bool ok = built(text, &scene, &world);
    unlink(file);
    if (!ok) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 4);
    for (size_t i = 0; i < b.count; i++) {
        CHECK_CLOSE(b.mass[i], 2.0 / 6, 1e-13);
        CHECK_CLOSE(b.position[i].x, 1.25, 1e-13);
        CHECK_CLOSE(b.position[i].z, 3.25, 1e-13);
    }
    dropped(scene, world);
}

/* A turned box as a file has it that writes so many digits: with the precision of the file, which is
 * that of single precision unless given, it has six faces; with less, twelve triangles. */
static void rounded_files_have_plane_faces(void) {
    static const int32_t face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    static const double axis[3][3] = {
        {2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
    static const struct {
        int digits;
        const char *precision;
        bool plane;
    } cases[] = {{7, "", true},
                 {5, "", false},
                 {5, ", precision: 1e-5", true},
                 {7, ", precision: 0", false}};
    for (int n = 0; n < 4; n++) {
        char file[] = "mesh-XXXXXX.off", text[900];
        int handle = mkstemps(file, 4);
        FILE *out = fdopen(handle, "w");
        fprintf(out, "OFF\n8 12 0\n");
        for (int k = 0; k < 8; k++) {
            const double own[3] = {k & 1 ? 0.31 : 0, k & 2 ? 0.52 : 0, k & 4 ? 0.73 : 0};
            for (int i = 0; i < 3; i++) {
                double x = axis[i][0] * own[0] + axis[i][1] * own[1] + axis[i][2] * own[2];
                fprintf(out, "%.*f ", cases[n].digits, x);
            }
            fprintf(out, "\n");
        }
        for (int f = 0; f < 6; f++) {
            const int32_t *c = face[f];
            fprintf(out, "3 %d %d %d\n3 %d %d %d\n", c[0], c[1], c[2], c[0], c[2], c[3]);
        }
        CHECK(fclose(out) == 0);
        snprintf(text, sizeof text, BASE "grains: [{mesh: {file: %s%s}}]\n", file,
                 cases[n].precision);
        Scene *scene;
        ScreeWorld *world;
        bool ok = built(text, &scene, &world);
        unlink(file);
        ScreeSolid solid;
        if (ok) {
            ScreeShapeId shape = scree_world_get_bodies(world).shape[0];
            CHECK(scree_shape_get_solid(world, shape, &solid) == SCREE_OK);
            CHECK(cases[n].plane ? solid.faces == 6 : solid.faces > 6);
            dropped(scene, world);
        }
    }
}

/* Two unit boxes side by side, one of them turned by a right angle, make a bar: mass 4, and about
 * its long axis the moment m (1 + 1) / 12. */
static void compounds_place_their_parts(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE "grains:\n"
                    "  - compound:\n"
                    "      - {box: {size: [1, 1, 1]}, center: [0.5, 0, 0]}\n"
                    "      - {box: {size: [1, 1, 1]}, center: [1.5, 0, 0], orientation: {axis: [0, "
                    "0, 2], angle: 1.5707963267948966}}\n"
                    "  - {compound: [{sphere: {radius: 1}, center: [9, 0, 0]}]}\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeSolid solid;
    CHECK(scree_shape_get_solid(world, b.shape[0], &solid) == SCREE_OK && solid.def.parts == 2);
    CHECK_CLOSE(b.mass[0], 4.0, 1e-14);
    CHECK_CLOSE(b.position[0].x, 1.0, 1e-14);
    double least = scr_min(solid.gyration.x, scr_min(solid.gyration.y, solid.gyration.z));
    CHECK_CLOSE(least, 1.0 / 6, 1e-13);
    CHECK_CLOSE(solid.gyration.x + solid.gyration.y + solid.gyration.z, 1.0 / 6 + 2 * 5.0 / 12,
                1e-13);
    CHECK_CLOSE(b.mass[1], 2 * 4 * pi / 3, 1e-14);
    CHECK_CLOSE(b.position[1].x, 9.0, 1e-15);
    dropped(scene, world);
}

/* Three ways to say a quarter turn about z, then a list, then angles: about x first, then about
 * z, so that z goes to -y and then to x. */
static void orientations_are_read(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(
            BASE
            "shapes: {slab: {box: {size: [1, 0.6, 0.2]}}}\n"
            "grains:\n"
            "  - {shape: slab, position: [0, 0, 0], orientation: [2, 0, 0, 2]}\n"
            "  - {shape: slab, position: [3, 0, 0], orientation: {axis: [0, 0, 9], angle: "
            "1.5707963267948966}}\n"
            "  - {shape: slab, position: [6, 0, 0], orientation: {angles: [0, 0, "
            "1.5707963267948966]}}\n"
            "  - {shape: slab, at: [[9, 0, 0], [12, 0, 0]], orientation: [[1, 0, 0, 0], {angles: "
            "[1.5707963267948966, 0, 1.5707963267948966]}]}\n",
            &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 5 && scree_world_get_shape_count(world) == 1);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(quat_rotate(b.orientation[i], vec3(1, 0, 0)).y, 1, 1e-15);
    }
    CHECK(b.orientation[3].w == 1);
    CHECK_NEAR(quat_rotate(b.orientation[4], vec3(0, 0, 1)).x, 1, 1e-15);
    dropped(scene, world);
}

/* Turned at random, a direction has no mean and a mean square of 1/3 along each axis; grains are
 * inside their region and clear of each other. */
static void fills_turn_grains_at_random(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BASE "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                    "grains: [{box: {size: [1, 0.5, 0.5]}, count: 400, scale: {uniform: [0.8, 1]}, "
                    "fill: {min: [0, 0, 0], max: [10, 10, 10]}}]\n",
               &scene, &world)) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 mean = {0, 0, 0}, square = {0, 0, 0};
    CHECK(b.count == 400);
    for (size_t i = 0; i < b.count; i++) {
        ScreeVec3 x = quat_rotate(b.orientation[i], vec3(1, 0, 0));
        mean = add_scaled(mean, 1.0 / 400, x);
        square = add_scaled(square, 1.0 / 400, vec3(x.x * x.x, x.y * x.y, x.z * x.z));
        for (int corner = 0; corner < 8; corner++) {
            double s = cbrt(b.mass[i] / 0.5) / 2;
            ScreeVec3 at = add(
                b.position[i],
                quat_rotate(b.orientation[i], vec3(corner & 1 ? s : -s, corner & 2 ? s / 2 : -s / 2,
                                                   corner & 4 ? s / 2 : -s / 2)));
            CHECK(at.x > -1e-9 && at.x < 10 + 1e-9 && at.z > -1e-9 && at.z < 10 + 1e-9);
        }
    }
    /* deviations of the means: 1/sqrt(3 * 400) and sqrt(4/45 / 400); four of them */
    CHECK(fabs(mean.x) < 0.116 && fabs(mean.y) < 0.116 && fabs(mean.z) < 0.116);
    CHECK(fabs(square.x - 1.0 / 3) < 0.06 && fabs(square.z - 1.0 / 3) < 0.06);
    ScreeOverlap overlap;
    CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK && overlap.count == 0);
    dropped(scene, world);
}

/* Rocks have the box that was asked for, differ from one another, and follow from the seed. */
static void rocks_have_their_sizes(void) {
    const char text[] = BASE "shapes: {gravel: {rock: {faces: [12, 20], size: {uniform: [0.4, "
                             "0.6]}, elongation: 1.5, flatness: 2, rounding: 0.01}}}\n"
                             "grains: [{shape: gravel, count: 30, fill: {min: [0, 0, 0], max: [4, "
                             "4, 4]}}]\n";
    double first[2] = {0, 0};
    for (int again = 0; again < 2; again++) {
        Scene *scene;
        ScreeWorld *world;
        if (!built(text, &scene, &world)) {
            return;
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK(b.count == 30 && scree_world_get_shape_count(world) == 30);
        size_t least = 100, most = 0;
        for (size_t i = 0; i < b.count; i++) {
            ScreeSolid s;
            CHECK(scree_shape_get_solid(world, b.shape[i], &s) == SCREE_OK);
            ScreeVec3 low = s.def.vertex[0], high = low;
            for (size_t v = 1; v < s.vertices; v++) {
                for (int k = 0; k < 3; k++) {
                    double x = component(s.def.vertex[v], k);
                    *component_of(&low, k) = scr_min(component(low, k), x);
                    *component_of(&high, k) = scr_max(component(high, k), x);
                }
            }
            ScreeVec3 side = sub(high, low);
            CHECK(side.y >= 0.38 - 1e-12 && side.y <= 0.58 + 1e-12);
            CHECK_CLOSE(side.x, 1.5 * side.y, 1e-12);
            CHECK_CLOSE(side.z, side.y / 2, 1e-12);
            CHECK(s.def.part[0].rounding == 0.01);
            least = s.faces < least ? s.faces : least;
            most = s.faces > most ? s.faces : most;
        }
        CHECK(least >= 12 && most <= 20 && least < most);
        CHECK(b.mass[0] != b.mass[1]);
        first[again] = b.mass[0];
        ScreeOverlap overlap;
        CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK && overlap.count == 0);
        dropped(scene, world);
    }
    CHECK(first[0] == first[1]);
}

static void tables_have_shapes_and_quaternions(void) {
    char file[] = "table-XXXXXX.csv", text[400];
    int handle = mkstemps(file, 4);
    const char rows[] = "x,y,z,shape,qw,qx,qy,qz,radius\n0,0,0,die,1,0,0,1,\n5,0,0,,,,,,0.5\n"
                        "9,0,0,die,,,,,\n";
    CHECK(handle >= 0 && write(handle, rows, sizeof rows - 1) > 0);
    close(handle);
    snprintf(text, sizeof text,
             BASE "shapes: {die: {box: {size: [1, 1, 1]}}}\ngrains: [{file: %s}]\n", file);
    Scene *scene;
    ScreeWorld *world;
    bool ok = built(text, &scene, &world);
    unlink(file);
    if (!ok) {
        return;
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 3 && b.shape[0].index == 0 && b.shape[1].index == -1 && b.shape[2].index == 0);
    CHECK_NEAR(b.orientation[0].w, sqrt(0.5), 1e-15);
    CHECK_NEAR(b.orientation[0].z, sqrt(0.5), 1e-15);
    CHECK(b.orientation[2].w == 1);
    dropped(scene, world);
}

int main(int argc, char **argv) {
    CHECK_RUN(named_solids_are_exact);
    CHECK_RUN(bodies_lie_where_their_vertices_are);
    CHECK_RUN(rounded_files_have_plane_faces);
    CHECK_RUN(compounds_place_their_parts);
    CHECK_RUN(orientations_are_read);
    CHECK_RUN(fills_turn_grains_at_random);
    CHECK_RUN(rocks_have_their_sizes);
    CHECK_RUN(tables_have_shapes_and_quaternions);
    return check_result();
}
