/* Shapes in run files. */
#include "io/run/shapes.h"
#include "check.h"
#include "io/sample_run.h"

#include <hdf5.h>
#include <unistd.h>

static const char path[] = "test-shapes.h5";

/* ---------------------------------------------------------------- files */

static void expect_error(const char *words) {
    IoError error = {0};
    RunReader *reader = run_open(path, &error);
    CHECK(reader == NULL && error.kind == IO_BAD_FILE);
    CHECK(strstr(error.text, words) != NULL && strstr(error.text, path) != NULL);
    run_reader_free(reader);
}

/* Overwrites one number in a dataset of a sound file, and expects an error. */
static void spoiled(const char *name, hsize_t at, hid_t type, const void *value,
                    const char *words) {
    IoError error = {0};
    CHECK(sample_run(path, 2, &error));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
    const hsize_t one = 1;
    hid_t memory = H5Screate_simple(1, &one, NULL);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL) >= 0);
    CHECK(H5Dwrite(data, type, memory, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(data);
    CHECK(H5Fclose(file) >= 0);
    expect_error(words);
}

/* Numbers of shapes, parts and corners that point nowhere. */
static void shapes_that_do_not_fit_are_refused(void) {
    const int32_t below = -2, above = SAMPLE_SHAPES;
    spoiled("bodies/shape", 0, H5T_NATIVE_INT32, &below, "bodies/shape");
    spoiled("bodies/shape", 0, H5T_NATIVE_INT32, &above, "bodies/shape");
    const int64_t ends[] = {-1, 0, 6, 7, INT64_MAX}; /* the next ends are 6 and 8 */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        spoiled("shapes/part_end", 0, H5T_NATIVE_INT64, &ends[i], "shapes");
    }
    spoiled("shapes/part_end", 1, H5T_NATIVE_INT64, &ends[3], "shapes"); /* more than there are */
    const int64_t corners[] = {-1, 0, 8, 9, INT64_MAX};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        spoiled("shapes/parts/corner_end", 0, H5T_NATIVE_INT64, &corners[i], "shapes");
    }
    const int64_t fewer = 4 * 3 * SAMPLE_SHAPES - 1;
    spoiled("shapes/parts/corner_end", 3 * SAMPLE_SHAPES - 1, H5T_NATIVE_INT64, &fewer, "shapes");
}

/* An L, and a compound of a disk and a triangle. */
static const ScreeVec3 corners[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0},
                                    {0, 2, 0}, {5, 5, 0}, {5, 6, 0}, {7, 6, 0}, {6, 8, 0}};
static const ScreeShapePart el[] = {{6, 0}}, both[] = {{1, 0.5}, {3, 0.1}};

static ScreeWorld *shaped_world(void) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = 2;
    def.time_step = 1e-3;
    ScreeWorld *world = NULL;
    ScreeMaterialDef material = scree_material_def_default();
    ScreeShapeDef shapes[] = {{el, 1, corners}, {both, 2, corners + 6}};
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
    CHECK(scree_world_add_material(world, &material, NULL) == SCREE_OK);
    CHECK(scree_world_add_shape(world, &shapes[0], NULL) == SCREE_OK);
    CHECK(scree_world_add_shape(world, &shapes[1], NULL) == SCREE_OK);
    ScreeBodyDef bodies[3];
    for (int i = 0; i < 3; i++) {
        bodies[i] = scree_body_def_default();
        bodies[i].position = (ScreeVec3){10.0 * i, -3, 0};
        bodies[i].orientation = (ScreeQuat){cos(0.2 * i), 0, 0, sin(0.2 * i)};
        bodies[i].radius = 0.75;
        bodies[i].shape.index = i - 1;
    }
    CHECK(scree_world_add_bodies(world, bodies, 3, NULL) == SCREE_OK);
    return world;
}

/* A header made from a world alone. */
static bool world_header(const ScreeWorld *world, RunHeader *header) {
    memset(header, 0, sizeof *header);
    header->dimension = 2;
    header->scene_name = strdup("shapes.yaml");
    header->scene_text = strdup("");
    return header->scene_name != NULL && header->scene_text != NULL &&
           run_names_add(&header->materials, "stone") &&
           run_capture_constants(world, &header->body, &header->wall) &&
           run_capture_shapes(world, &header->shape, &header->shape_part, &header->shape_corner,
                              &header->shape_face, &header->shape_loop) &&
           run_capture_laws(world, 1, &header->laws);
}

/* Turns the given corners about the centroid by hand, and compares. */
static void corner_is(const RunHeader *header, const RunFrame *frame, size_t body, size_t part,
                      size_t corner, ScreeVec3 given) {
    const double *centre = &header->shape.centroid[3 * header->body.shape[body]];
    size_t first = 0;
    CHECK(run_body_parts(header, frame, body, &first) > part);
    RunPart found = run_shape_part(header, first + part);
    double at[3], angle = 0.4 * (double)body, x = given.x - centre[0], y = given.y - centre[1];
    run_body_point(&frame->bodies, body, &header->shape_corner.position[3 * (found.first + corner)],
                   at);
    CHECK_NEAR(at[0], 10.0 * (double)body + cos(angle) * x - sin(angle) * y, 1e-12);
    CHECK_NEAR(at[1], -3 + sin(angle) * x + cos(angle) * y, 1e-12);
    CHECK(at[2] == 0);
}

static void shapes_of_a_world_are_read_back(void) {
    IoError error = {0};
    RunHeader made;
    RunFrame frame = {0};
    ScreeWorld *world = shaped_world();
    CHECK(world_header(world, &made) && run_capture_frame(world, true, &frame));
    RunWriter *writer = run_create(path, &made, 1, &error);
    CHECK(writer != NULL && run_append_frame(writer, &frame, &error));
    CHECK(run_close(writer, RUN_FINISHED, &error));
    run_header_free(&made);
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_read_frame(reader, 0, &frame, &error));
    if (reader != NULL) {
        const RunHeader *header = run_header(reader);
        const RunBodyConstants *body = &header->body;
        size_t first = 0;
        CHECK(header->shape.rows.count == 2 && header->shape_part.rows.count == 3);
        CHECK(body->shape[0] == -1 && body->shape[1] == 0 && body->shape[2] == 1);
        CHECK(run_body_parts(header, &frame, 0, &first) == 0 &&
              run_body_parts(header, &frame, 2, &first) == 2);
        CHECK(run_shape_part(header, 1).rounding == 0.5 && run_shape_part(header, 1).count == 1);
        CHECK_CLOSE(header->shape.area[0], 3.0, 1e-15);
        CHECK_CLOSE(header->shape.centroid[0], 2.5 / 3, 1e-14); /* (2 * 1 + 1 * 0.5) / 3 */
        CHECK(body->radius[1] == header->shape.radius[0]);
        CHECK_CLOSE(body->inertia[1], body->mass[1] * header->shape.gyration[0], 1e-15);
        for (size_t k = 0; k < 6; k++) {
            corner_is(header, &frame, 1, 0, k, corners[k]);
        }
        corner_is(header, &frame, 2, 0, 0, corners[6]);
    }
    run_reader_free(reader);
    run_frame_free(&frame);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(shapes_that_do_not_fit_are_refused);
    CHECK_RUN(shapes_of_a_world_are_read_back);
    unlink(path);
    run_library_close();
    return check_result();
}
