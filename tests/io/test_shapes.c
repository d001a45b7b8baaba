/* Shapes in run files, and the curves drawn from them. */
#include "io/export/curve.h"
#include "io/run/shapes.h"
#include "check.h"
#include "io/sample_run.h"

#include <hdf5.h>
#include <unistd.h>

static const char path[] = "test-shapes.h5";
static const double pi = 3.14159265358979323846;

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
           run_capture_shapes(world, &header->shape, &header->shape_part, &header->shape_corner) &&
           run_capture_laws(world, 1, &header->laws);
}

/* Turns the given corners about the centroid by hand, and compares. */
static void corner_is(const RunHeader *header, const RunFrame *frame, size_t body, size_t part,
                      size_t corner, ScreeVec3 given) {
    const double *centre = &header->shape.centroid[3 * header->body.shape[body]];
    size_t first = 0;
    CHECK(run_body_parts(header, body, &first) > part);
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
        CHECK(run_body_parts(header, 0, &first) == 0 && run_body_parts(header, 2, &first) == 2);
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

/* ---------------------------------------------------------------- curves */

static double distance_to_edge(const double *a, const double *b, const double *p) {
    double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
    double s = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(p[0] - a[0] - s * x, p[1] - a[1] - s * y);
}

static double distance_to_polygon(const double *corner, size_t count, const double *p) {
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, distance_to_edge(&corner[3 * i], &corner[3 * ((i + 1) % count)], p));
    }
    return least;
}

static double area_of(const double *point, size_t count, size_t width) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = &point[width * i], *q = &point[width * ((i + 1) % count)];
        sum += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return sum;
}

/* Every point of the curve is at the distance of the rounding from the polygon, up to the sagitta
 * of the short lines that make the arcs. */
static void follows(const double *corner, size_t count, double rounding, const Curve *curve) {
    double flat = rounding * (1 - cos(pi / 48)) + 1e-12;
    for (size_t i = 0; i < curve->count; i++) {
        double away = distance_to_polygon(corner, count, &curve->point[2 * i]);
        CHECK(away >= rounding - flat && away <= rounding + 1e-12);
    }
}

/* Area of an arc made of lines: a turn by `turn` in lines of at most pi / 24 each. */
static double fan(double turn) {
    double lines = ceil(turn / pi * 24 - 1e-9);
    return 0.5 * lines * sin(turn / lines);
}

/* Area of all points within r: that of the polygon, r along all edges, r^2 / 2 times the turn at
 * left turns, and less r^2 tan(turn / 2) at right turns, which two edges cover twice. */
static double rounded_area(const double *corner, size_t count, double r) {
    double sum = area_of(corner, count, 3);
    for (size_t i = 0; i < count; i++) {
        const double *a = &corner[3 * i], *b = &corner[3 * ((i + 1) % count)],
                     *c = &corner[3 * ((i + 2) % count)];
        double in[2] = {b[0] - a[0], b[1] - a[1]}, out[2] = {c[0] - b[0], c[1] - b[1]};
        double turn = atan2(in[0] * out[1] - in[1] * out[0], in[0] * out[0] + in[1] * out[1]);
        turn = count == 2 ? pi : turn;
        sum += r * hypot(in[0], in[1]) + r * r * (turn > 0 ? fan(turn) : -tan(-turn / 2));
    }
    return sum;
}

static void rounded(const double *corner, size_t count, double rounding) {
    Curve curve = {0};
    CHECK(curve_outline(corner, count, rounding, &curve));
    follows(corner, count, rounding, &curve);
    CHECK_CLOSE(area_of(curve.point, curve.count, 2), rounded_area(corner, count, rounding), 1e-12);
    curve_free(&curve);
}

static const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const double rod[] = {-1, 0.5, 0, 2, 1, 0};
static const double hook[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0};
static const double star[] = {2,  0, 0, 0.5, 0.5, 0, 0,   2,    0, -0.5, 0.5,  0,
                              -2, 0, 0, -1,  -1,  0, 0.1, -1.9, 0, 0.7,  -0.6, 0};

static void rounded_corners_are_drawn_as_arcs(void) {
    for (int k = 1; k < 6; k++) {
        rounded(square, 4, 0.1 * k);
        rounded(rod, 2, 0.3 * k);
        rounded(hook, 6, 0.07 * k);
        rounded(star, 8, 0.04 * k);
    }
}

static void sharp_corners_stay_and_disks_are_round(void) {
    static const double centre[3] = {3, -4, 0};
    Curve curve = {0};
    CHECK(curve_outline(hook, 6, 0, &curve) && curve.count == 6);
    CHECK(area_of(curve.point, curve.count, 2) == 3);
    CHECK(curve_outline(centre, 1, 2.5, &curve) && curve.count == 48);
    follows(centre, 1, 2.5, &curve);
    CHECK_CLOSE(area_of(curve.point, curve.count, 2), 2 * fan(pi) * 2.5 * 2.5, 1e-12);
    curve_free(&curve);
}

/* A U whose slot, one wide and two deep, is filled by a rounding of more than one half: the outline
 * is that of the rounded square around it except for a notch between the two round tips. Each tip
 * reaches over the middle; under its arc from there to the top, x from 0 to 1/2, the height
 * sqrt(r^2 - x^2) is missing from r. */
static void closing_slots_are_filled(void) {
    static const double slotted[] = {0, 0, 0, 3, 0, 0, 3, 3, 0, 2, 3, 0,
                                     2, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0};
    static const double whole[] = {0, 0, 0, 3, 0, 0, 3, 3, 0, 0, 3, 0};
    for (double r = 0.55; r < 0.9; r += 0.1) {
        Curve curve = {0};
        CHECK(curve_outline(slotted, 8, r, &curve));
        follows(slotted, 8, r, &curve);
        double under = 0.25 * sqrt(r * r - 0.25) + 0.5 * r * r * asin(0.5 / r);
        double notch = 2 * (0.5 * r - under);
        CHECK_CLOSE(area_of(curve.point, curve.count, 2), rounded_area(whole, 4, r) - notch, 1e-3);
        curve_free(&curve);
    }
}

/* Whatever a damaged file holds, something is drawn. */
static void damaged_outlines_are_drawn_somehow(void) {
    const double bad[] = {0, 0, 0, NAN, 1, 0, INFINITY, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0};
    const double crossed[] = {0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0};
    Curve curve = {0};
    CHECK(curve_outline(bad, 6, 0.2, &curve) && curve.count > 0);
    CHECK(curve_outline(bad, 6, NAN, &curve) && curve.count == 6);
    CHECK(curve_outline(bad, 2, -1, &curve) && curve.count == 2);
    CHECK(curve_outline(crossed, 4, 0.1, &curve) && curve.count > 0);
    CHECK(curve_outline(square, 4, INFINITY, &curve) && curve.count > 0);
    curve_free(&curve);
}

int main(int argc, char **argv) {
    CHECK_RUN(shapes_that_do_not_fit_are_refused);
    CHECK_RUN(shapes_of_a_world_are_read_back);
    CHECK_RUN(rounded_corners_are_drawn_as_arcs);
    CHECK_RUN(sharp_corners_stay_and_disks_are_round);
    CHECK_RUN(closing_slots_are_filled);
    CHECK_RUN(damaged_outlines_are_drawn_somehow);
    unlink(path);
    run_library_close();
    return check_result();
}
