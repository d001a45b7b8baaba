/* Every allocation fails once: no solid is made, nothing is lost, and the second try works. */
#include "failing_memory.h"
#include "shape/solid_bodies.h"

static Body body;

static void use_body(void) {
    ScreeSolidDef def = def_of(&body);
    Solid solid;
    Vec3 at;
    INSIST(NULL, scr_solid_build(&def, &solid, &at, NULL));
    scr_solid_free(&solid);
}

static void use_rock(void) {
    const ScreeRockDef def = {
        .faces = 12, .size = 1, .elongation = 1.2, .flatness = 1.3, .angularity = 0.5, .seed = 1};
    size_t count = 0;
    INSIST(NULL, scree_solid_make_rock(&def, NULL, &count, NULL));
}

static long fail_each(void (*use)(void)) {
    long all = 0;
    for (fail_at = 0; fail_at < 100000; fail_at += CHECK_STRIDE) {
        calls = 0;
        failed = false;
        use();
        CHECK(live == 0);
        if (!failed) {
            break;
        }
        all += CHECK_STRIDE;
    }
    fail_at = -1;
    return all;
}

static void hulls_and_surfaces(void) {
    uint64_t state = 1;
    clear(&body);
    begin_part(&body, 0);
    for (int k = 0; k < 60; k++) {
        put_vertex(&body, drawn_in_cube(&state));
    }
    put_box(&body, vec3(4, 0, 0), vec3(1, 1, 1), 0);
    put_box_faces(&body, true);
    begin_part(&body, 0.2); /* a plate, and a rod */
    for (int k = 0; k < 4; k++) {
        put_vertex(&body, vec3(8 + k % 2, k / 2, 0));
    }
    begin_part(&body, 0.2);
    put_vertex(&body, vec3(12, 0, 0));
    put_vertex(&body, vec3(13, 0, 0));
    CHECK(fail_each(use_body) > 60);
}

static void overlaps_of_sharp_parts(void) {
    clear(&body);
    for (int k = 0; k < 3; k++) {
        put_box(&body, vec3(0.7 * k, 0.2 * k, 0.1 * k), vec3(1, 1, 1), 0);
    }
    CHECK(fail_each(use_body) > 60);
}

static void overlaps_by_columns(void) {
    clear(&body);
    for (int k = 0; k < 3; k++) {
        begin_part(&body, 1);
        put_vertex(&body, vec3(0.5 * k, 0.1 * k * k, 0));
    }
    CHECK(fail_each(use_body) > 20);
}

static void rocks(void) {
    CHECK(fail_each(use_rock) > 10);
}

int main(int argc, char **argv) {
    CHECK_RUN(hulls_and_surfaces);
    CHECK_RUN(overlaps_of_sharp_parts);
    CHECK_RUN(overlaps_by_columns);
    CHECK_RUN(rocks);
    return check_result();
}
