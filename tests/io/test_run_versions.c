/* Files that are not runs, runs of older and newer versions, and runs with missing parts. */
#include "check.h"
#include "io/run/shapes.h"
#include "io/sample_run.h"

#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "test-version.h5";

static void write_text(const char *text) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect_error(const char *words) {
    IoError error = {0};
    RunReader *reader = run_open(path, &error);
    CHECK(reader == NULL && error.kind == IO_BAD_FILE);
    CHECK(strstr(error.text, words) != NULL && strstr(error.text, path) != NULL);
    if (strstr(error.text, words) == NULL) {
        fprintf(stderr, "    '%s' is not in '%s'\n", words, error.text);
    }
    run_reader_free(reader);
}

static void foreign_files_are_refused(void) {
    unlink(path);
    expect_error("No such file");
    write_text("");
    expect_error("is empty");
    write_text("dimension: 3\ngrains: []\n");
    expect_error("not an HDF5 file");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(file >= 0 && H5Fclose(file) >= 0);
    expect_error("not a run of scree");
    unlink(path);
    CHECK(mkdir(path, 0777) == 0);
    expect_error("not a regular file");
    rmdir(path);
}

static void newer_versions_are_refused(void) {
    IoError error = {0};
    CHECK(sample_run(path, 2, &error));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t attribute = H5Aopen(file, "version", H5P_DEFAULT);
    int32_t version = RUN_FORMAT_VERSION + 1;
    CHECK(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT32, &version) >= 0);
    H5Aclose(attribute);
    CHECK(H5Fclose(file) >= 0);
    expect_error("newer scree");
}

/* ---------------------------------------------------------------- older versions */

static const char *const later_columns[] = {"frames/contacts/torque",
                                            "frames/contacts/opening",
                                            "steps/unsettled",
                                            "steps/bonds",
                                            "steps/energy_elastic",
                                            "steps/dissipation_normal",
                                            "steps/dissipation_friction",
                                            "steps/dissipation_rolling",
                                            "steps/dissipation_torsion",
                                            "steps/dissipation_cohesion",
                                            "laws"};

static const char *const of_version_5[] = {"bodies/frozen", "walls/motion", "walls/material",
                                           "walls/direction"};

static const char *const of_version_10[] = {"shapes/volume", "shapes/moments",
                                            "shapes/axes",   "shapes/parts/face_end",
                                            "shapes/faces",  "shapes/loops"};

static const char *const of_version_14[] = {"walls/end_radius", "walls/holes", "walls/spacing"};

/* Turns one of our files into one of version 1 to 5, 9 or 10. */
static bool make_old(int32_t version) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    bool ok = file >= 0 && (version > 5 || H5Ldelete(file, "steps/strides", H5P_DEFAULT) >= 0);
    ok = ok && H5Ldelete(file, "laws/cohesion_stress", H5P_DEFAULT) >= 0;
    ok = ok && H5Ldelete(file, "laws/bridge_volume", H5P_DEFAULT) >= 0 &&
         H5Ldelete(file, "laws/bridge_tension", H5P_DEFAULT) >= 0 &&
         H5Ldelete(file, "laws/bridge_angle", H5P_DEFAULT) >= 0;
    for (size_t i = 0; ok && i < sizeof of_version_14 / sizeof *of_version_14; i++) {
        ok = H5Ldelete(file, of_version_14[i], H5P_DEFAULT) >= 0;
    }
    for (size_t i = 0; ok && version < 10 && i < sizeof of_version_10 / sizeof *of_version_10;
         i++) {
        ok = H5Ldelete(file, of_version_10[i], H5P_DEFAULT) >= 0;
    }
    for (size_t i = 0; ok && version < 5 && i < sizeof of_version_5 / sizeof *of_version_5; i++) {
        ok = H5Ldelete(file, of_version_5[i], H5P_DEFAULT) >= 0;
    }
    ok = ok && (version > 3 || H5Ldelete(file, "steps/residual_associated", H5P_DEFAULT) >= 0);
    if (version < 15) {
        ok = ok && H5Ldelete(file, "frames/cell", H5P_DEFAULT) >= 0;
    }
    if (version < 3) {
        ok = ok && H5Ldelete(file, "shapes", H5P_DEFAULT) >= 0 &&
             H5Ldelete(file, "bodies/shape", H5P_DEFAULT) >= 0 &&
             H5Ldelete(file, "frames/search", H5P_DEFAULT) >= 0;
    }
    for (size_t i = 0; ok && version == 1 && i < sizeof later_columns / sizeof *later_columns;
         i++) {
        ok = H5Ldelete(file, later_columns[i], H5P_DEFAULT) >= 0;
    }
    hid_t attribute = H5Aopen(file, "version", H5P_DEFAULT);
    ok = ok && H5Awrite(attribute, H5T_NATIVE_INT32, &version) >= 0 &&
         (version > 1 || (H5Adelete(file, "engine") >= 0 && H5Adelete(file, "theta") >= 0 &&
                          H5Adelete(file, "method") >= 0 && H5Adelete(file, "tolerance") >= 0));
    H5Aclose(attribute);
    return H5Fclose(file) >= 0 && ok;
}

/* Makes a run of four frames and opens it as one of this version. */
static RunReader *open_old(int32_t version) {
    IoError error = {0};
    CHECK(sample_run(path, 4, &error) && make_old(version));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL);
    if (reader == NULL) {
        fprintf(stderr, "%s\n", error.text);
    }
    return reader;
}

/* Before there were shapes all bodies were round; everything else is there. */
static void the_second_version_is_read(void) {
    IoError error = {0};
    RunReader *reader = open_old(2);
    if (reader == NULL) {
        return;
    }
    const RunHeader *header = run_header(reader);
    CHECK(header->version == 2 && header->shape.rows.count == 0);
    CHECK(header->body.rows.count == SAMPLE_BODIES);
    for (size_t i = 0; i < SAMPLE_BODIES; i++) {
        CHECK(header->body.shape[i] == -1);
    }
    CHECK(run_frame_count(reader) == 4 && sample_run_same(reader, &error));
    RunFrame frame = {0};
    CHECK(run_read_frame(reader, 3, &frame, &error) && frame.search.rows.count == 1);
    CHECK(frame.search.rows.count == 1 && run_search_get(&frame.search).skin == 0);
    CHECK(frame.cell.rows.count == 1 && frame.cell.edge[0] == 0);
    run_frame_free(&frame);
    run_reader_free(reader);
}

/* There were no solids: shapes have corners, but no faces. */
static void the_ninth_version_is_read(void) {
    IoError error = {0};
    RunReader *reader = open_old(9);
    if (reader == NULL) {
        return;
    }
    const RunHeader *header = run_header(reader);
    CHECK(header->version == 9 && header->shape.rows.count == SAMPLE_SHAPES);
    CHECK(header->shape_face.rows.count == 0 && header->shape_loop.rows.count == 0);
    for (size_t i = 0; i < header->shape_part.rows.count; i++) {
        RunPart part = run_shape_part(header, i);
        CHECK(part.count == 4 && part.faces == 0);
    }
    CHECK(header->shape.volume[0] == 0 && header->shape.axes[3] == 0);
    CHECK(run_frame_count(reader) == 4 && sample_run_same(reader, &error));
    run_reader_free(reader);
}

/* There was no glue by area. */
static void the_tenth_version_is_read(void) {
    IoError error = {0};
    RunReader *reader = open_old(10);
    if (reader == NULL) {
        return;
    }
    const RunHeader *header = run_header(reader);
    CHECK(header->version == 10 && header->laws.rows.count > 0);
    for (size_t i = 0; i < header->laws.rows.count; i++) {
        CHECK(run_laws_get(&header->laws, i).cohesion_stress == 0 &&
              run_laws_get(&header->laws, i).bridge_volume == 0);
    }
    CHECK(run_frame_count(reader) == 4 && sample_run_same(reader, &error));
    run_reader_free(reader);
}

/* Strides were counted as cuts. */
static void the_fifth_version_is_read(void) {
    IoError error = {0};
    RunSteps steps = {0};
    RunReader *reader = open_old(5);
    if (reader == NULL) {
        return;
    }
    CHECK(run_header(reader)->version == 5 && run_read_steps(reader, 0, 15, &steps, &error));
    ScreeReport report = run_steps_get(&steps, 7), wanted = sample_report(7);
    CHECK(report.cuts == wanted.cuts && report.rebuilt == wanted.rebuilt && report.strides == 0);
    run_reader_free(reader);
    run_rows_free(RUN_STEPS, &steps);
}

/* Walls had no material, and frozen axes were not stored. */
static void the_fourth_version_is_read(void) {
    RunReader *reader = open_old(4);
    if (reader == NULL) {
        return;
    }
    const RunHeader *header = run_header(reader);
    CHECK(header->version == 4 && header->body.rows.count > 0 && header->wall.rows.count > 0);
    for (size_t i = 0; i < header->body.rows.count; i++) {
        CHECK(header->body.frozen[i] == 0);
    }
    for (size_t i = 0; i < header->wall.rows.count; i++) {
        CHECK(header->wall.motion[i] == 0 && header->wall.material[i] == -1);
        CHECK(header->wall.direction[3 * i] == 0 && header->wall.direction[3 * i + 2] == 0);
    }
    run_reader_free(reader);
}

/* There was no associated law: its residual is read as zero. */
static void the_third_version_is_read(void) {
    IoError error = {0};
    RunSteps steps = {0};
    RunReader *reader = open_old(3);
    if (reader == NULL) {
        return;
    }
    CHECK(run_header(reader)->version == 3 && run_read_steps(reader, 0, 15, &steps, &error));
    ScreeReport report = run_steps_get(&steps, 7), wanted = sample_report(7);
    CHECK(report.residual == wanted.residual && report.residual_associated == 0);
    run_reader_free(reader);
    run_rows_free(RUN_STEPS, &steps);
}

static void the_first_version_is_read(void) {
    IoError error = {0};
    RunFrame frame = {0}, whole = {0};
    RunSteps steps = {0};
    RunReader *reader = open_old(1);
    if (reader == NULL) {
        return;
    }
    const RunHeader *header = run_header(reader);
    CHECK(header->version == 1 && header->engine == SCREE_ENGINE_CONTACT_DYNAMICS);
    CHECK(header->method == -1);
    CHECK(header->theta == 1 && header->laws.rows.count == 0);
    CHECK(run_frame_count(reader) == 4 && run_read_frame(reader, 3, &frame, &error));
    CHECK(sample_frame(3, &whole) && frame.contacts.rows.count == whole.contacts.rows.count);
    for (size_t i = 0; i < frame.contacts.rows.count; i++) {
        CHECK(frame.contacts.gap[i] == whole.contacts.gap[i]);
        CHECK(frame.contacts.torque[3 * i + 1] == 0 && frame.contacts.opening[i] == -1);
    }
    CHECK(run_read_steps(reader, 0, 15, &steps, &error));
    ScreeReport report = run_steps_get(&steps, 7), wanted = sample_report(7);
    CHECK(report.dissipation == wanted.dissipation && report.residual == wanted.residual);
    CHECK(report.dissipation_rolling == 0 && report.bonds == 0 && report.unsettled == 0);
    run_reader_free(reader);
    run_rows_free(RUN_STEPS, &steps);
    run_frame_free(&frame);
    run_frame_free(&whole);
}

/* What every version has must be there, and a file of our own version must be complete. */
static void missing_columns_are_damage(void) {
    static const char *const needed[] = {"steps/step", "frames/contacts/a", "frames/bodies/spin"};
    IoError error = {0};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        CHECK(sample_run(path, 4, &error) && make_old(1));
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        CHECK(file >= 0 && H5Ldelete(file, needed[i], H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
        expect_error(needed[i]);
    }
    static const char *const later[] = {"frames/contacts/torque", "bodies/shape",
                                        "shapes/parts/rounding",  "walls/material",
                                        "shapes/parts/face_end",  "shapes/loops/vertex"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        CHECK(sample_run(path, 4, &error));
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        CHECK(file >= 0 && H5Ldelete(file, later[i], H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
        expect_error(later[i]);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(foreign_files_are_refused);
    CHECK_RUN(newer_versions_are_refused);
    CHECK_RUN(the_ninth_version_is_read);
    CHECK_RUN(the_tenth_version_is_read);
    CHECK_RUN(the_fifth_version_is_read);
    CHECK_RUN(the_fourth_version_is_read);
    CHECK_RUN(the_third_version_is_read);
    CHECK_RUN(the_second_version_is_read);
    CHECK_RUN(the_first_version_is_read);
    CHECK_RUN(missing_columns_are_damage);
    unlink(path);
    run_library_close();
    return check_result();
}
