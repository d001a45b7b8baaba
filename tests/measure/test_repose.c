/* The angle of repose of heaps that are known: grains of a jittered lattice, turned at random, of which
 * those are taken that lie under a cone, or in the plane under a gable, and above a floor. */
#include "sample.h"
#include "check.h"

/* A heap of grains of mean diameter `size`. */
typedef struct Heap {
    int dimension;
    double angle;   /* degrees */
    double layers;  /* its height in diameters */
    uint64_t seed;  /* of the grains */
    double size;    /* mean diameter of grains */
    double turn;    /* of the whole heap, about its axis, or in the plane with gravity */
    ScreeVec3 foot; /* of its axis on the floor */
} Heap;

static ScreeSurface measured(const Made *m, double column) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeSurface s;
    CHECK(scree_sample_measure_surface(&m->sample, &whole, column, &s, NULL) == SCREE_OK);
    return s;
}

/* A turn about a random axis: a quaternion uniform on its sphere; in the plane about z. */
static void draw_turn(int dimension, uint64_t *seed, double turn[3][3]) {
    double q[4], square;
    do {
        square = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = dimension == 2 && (k == 1 || k == 2) ? 0 : 2 * draw(seed) - 1;
            square += q[k] * q[k];
        }
    } while (square > 1 || square < 0.1);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double x = q[1 + i], y = q[1 + j], z = q[1 + k];
        turn[i][i] = 1 - 2 * (y * y + z * z) / square;
        turn[i][j] = 2 * (x * y - q[0] * z) / square;
        turn[j][i] = 2 * (x * y + q[0] * z) / square;
    }
}

/* Into the frame of the whole: u and v are horizontal. */
static ScreeVec3 placed(const Heap *h, double u, double v, double height) {
    double c = cos(h->turn), s = sin(h->turn), d = h->size;
    if (h->dimension == 2) {
        return at(h->foot.x + d * (c * u - s * height), h->foot.y + d * (s * u + c * height), 0);
    }
    return at(h->foot.x + d * (c * u - s * v), h->foot.y + d * (s * u + c * v),
              h->foot.z + d * height);
}

/* Grains have diameters within a tenth of the mean, and are moved from their sites by up to a fifth
 * of it along each axis. A grain is in the heap if a ball of mean diameter about its centre has its top
 * below the flank and does not reach below the floor. */
static void add_site(Made *m, const Heap *h, const double x[3], uint64_t *seed) {
    const int up = h->dimension - 1;
    double u = x[0], v = up == 2 ? x[1] : 0, height = x[up], radius = 0.45 + 0.1 * draw(seed);
    double flank = h->layers - tan(h->angle * M_PI / 180) * hypot(u, v);
    if (height >= 0.5 && height + 0.5 <= flank) {
        CHECK(m->sample.bodies < BODIES_MOST);
        add_body(m, placed(h, u, v, height), h->size * radius, at(0, 0, 0));
    }
}

/* Hexagonal in the plane, face-centred cubic in space, with neighbours one diameter apart. */
static Made *make(const Heap *h) {
    static const double plane[2][3] = {{1, 0, 0}, {0.5, 0.86602540378443865, 0}};
    static const double space[3][3] = {
        {0, M_SQRT1_2, M_SQRT1_2}, {M_SQRT1_2, 0, M_SQRT1_2}, {M_SQRT1_2, M_SQRT1_2, 0}};
    Made *m = begin(h->dimension);
    uint64_t seed = h->seed;
    double turn[3][3];
    draw_turn(h->dimension, &seed, turn);
    m->sample.gravity = h->dimension == 2 ? at(sin(h->turn), -cos(h->turn), 0) : at(0, 0, -10);
    const int most = (int)(2 * (h->layers / fmin(tan(h->angle * M_PI / 180), 1) + 2));
    const int third = h->dimension == 2 ? 0 : most;
    for (int a = -most; a <= most; a++) {
        for (int b = -most; b <= most; b++) {
            for (int c = -third; c <= third; c++) {
                double site[3], x[3];
                for (int k = 0; k < 3; k++) {
                    site[k] = h->dimension == 2
                                  ? a * plane[0][k] + b * plane[1][k]
                                  : a * space[0][k] + b * space[1][k] + c * space[2][k];
                }
                for (int k = 0; k < 3; k++) {
                    x[k] = turn[k][0] * site[0] + turn[k][1] * site[1] + turn[k][2] * site[2] +
                           0.4 * (draw(&seed) - 0.5);
                }
                add_site(m, h, x, &seed);
            }
        }
    }
    return m;
}

static ScreeSurface measured_heap(const Heap *h, double width) {
    Made *m = make(h);
    ScreeSurface found = measured(m, width * h->size);
    free(m);
    return found;
}

/* Many heaps of one kind: what is found is off by its error at most three or four times, and by that on
 * average. The error itself comes from few numbers and is known to within a third or so. */
static void check_kind(int dimension, double angle, double layers, int heaps, double within) {
    double mean = 0, square = 0;
    for (int i = 0; i < heaps; i++) {
        Heap h = {dimension, angle, layers, 100 + (uint64_t)i, 1, 0.3 * i, {0, 0, 0}};
        ScreeSurface found = measured_heap(&h, 0);
        double off = found.repose - angle;
        CHECK(found.repose_error > 0 && fabs(off) < 4 * found.repose_error);
        CHECK(dimension == 2 || fabs(off) < within);
        mean += off / heaps;
        square += pow(off / found.repose_error, 2) / heaps;
    }
    CHECK(fabs(mean) < within);
    CHECK(sqrt(square) < 1.5);
}

static void cones_of_ten_layers_and_more_have_their_angle_within_a_degree(void) {
    check_kind(3, 18, 10, 2, 1);
    check_kind(3, 25, 10, 4, 1);
    check_kind(3, 25, 15, 2, 1);
    check_kind(3, 35, 10, 4, 1);
    check_kind(3, 35, 18, 2, 1);
    check_kind(3, 42, 20, 2, 1);
}

/* A single gable has as many grains on its flanks as a cone has in a narrow sector: its angle is that of
 * these grains, and only the mean of many gables is right to within a degree. */
static void gables_of_ten_layers_and_more_have_their_angle_within_a_degree_on_average(void) {
    check_kind(2, 12, 10, 40, 1);
    check_kind(2, 25, 10, 40, 1);
    check_kind(2, 25, 20, 20, 0.5);
    check_kind(2, 25, 40, 20, 0.25);
    check_kind(2, 35, 20, 20, 0.5);
    check_kind(2, 45, 40, 20, 0.5);
}

static void the_error_tells_that_low_heaps_are_uncertain(void) {
    check_kind(3, 25, 5, 8, 2);
    check_kind(2, 25, 6, 40, 2);
    for (int dimension = 2; dimension <= 3; dimension++) {
        double last = INFINITY;
        for (double layers = 5; layers < 16; layers += 5) {
            Heap h = {dimension, 30, layers, 1, 1, 0, {0, 0, 0}};
            double error = measured_heap(&h, 0).repose_error;
            CHECK(error < last / 1.5);
            last = error;
        }
        CHECK(last < 1);
    }
}

static void neither_size_nor_place_nor_turn_matter(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        Heap h = {dimension, 28, 10, 7, 1, 0, {0, 0, 0}};
        const ScreeSurface one = measured_heap(&h, 0);
        for (int i = 0; i < 3; i++) {
            const double sizes[3] = {1e-3, 1, 1e3};
            h.size = sizes[i];
            h.foot = at(17.3 * h.size, -250 * h.size, dimension == 3 ? 99 * h.size : 0);
            ScreeSurface found = measured_heap(&h, 0);
            CHECK_CLOSE(found.repose, one.repose, 1e-6);
            CHECK_CLOSE(found.repose_error, one.repose_error, 1e-6);
        }
        for (h.turn = 0.3; h.turn < 6; h.turn += 0.7) { /* other cells and sectors */
            ScreeSurface found = measured_heap(&h, 0);
            CHECK(fabs(found.repose - one.repose) < fmax(found.repose_error, one.repose_error));
        }
    }
}

/* From one to four diameters: by less than the error of a difference. */
static void the_width_of_columns_does_not_matter(void) {
    const double layers[2] = {20, 10};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (double angle = 20; angle <= 30; angle += 5 * CHECK_STRIDE) {
            for (uint64_t seed = 1; seed <= 3; seed += CHECK_STRIDE) {
                Heap h = {dimension, angle, layers[dimension - 2], seed, 1, 0, {0, 0, 0}};
                const ScreeSurface two = measured_heap(&h, 0);
                for (double width = 1; width <= 4; width += 0.75) {
                    ScreeSurface found = measured_heap(&h, width);
                    CHECK(fabs(found.repose - two.repose) <
                          hypot(found.repose_error, two.repose_error));
                    CHECK(found.repose_error < 1);
                }
            }
        }
    }
}

/* Grains that lie about on the floor, up to twice as far out as the foot, most of them on one side. */
static void stray_grains_beyond_the_foot_do_not_matter(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        Heap h = {dimension, 25, 10, 3, 1, 0, {0, 0, 0}};
        const double foot = h.layers / tan(h.angle * M_PI / 180);
        Made *m = make(&h);
        const ScreeSurface alone = measured(m, 0);
        uint64_t seed = 5;
        for (int i = 0; i < 12; i++) {
            double angle = (i < 8 ? 0.5 : 2 * M_PI) * draw(&seed),
                   r = foot * (1.05 + 0.95 * draw(&seed));
            add_body(m, placed(&h, r * cos(angle), r * sin(angle), 0.5), 0.5, at(0, 0, 0));
        }
        const ScreeSurface found = measured(m, 0);
        CHECK(fabs(found.repose - alone.repose) < 0.25 * alone.repose_error);
        CHECK_NEAR(found.repose_error, alone.repose_error, 0.25 * alone.repose_error);
        free(m);
    }
}

/* A bed of grains that are moved by up to a fifth of their diameter, in a box or in a round room. */
static void flat_beds_have_no_angle(void) {
    for (int kind = 0; kind < 3; kind++) {
        const int dimension = kind == 0 ? 2 : 3, side = kind == 0 ? 150 : 40;
        for (uint64_t seed = 1; seed <= 6; seed++) {
            Heap h = {dimension, 0, 0, 0, 1, 0, {0, 0, 0}};
            uint64_t state = seed;
            Made *m = begin(dimension);
            for (int i = 0; i < side * (dimension == 2 ? 1 : side) * 4; i++) {
                double x[3] = {i / 4 % side - 0.5 * side, 0, i % 4};
                x[1] = dimension == 2 ? 0 : i / 4 / side - 0.5 * side;
                for (int k = 0; k < 3; k++) {
                    x[k] += 0.4 * (draw(&state) - 0.5);
                }
                if (kind != 2 || hypot(x[0], x[1]) < 0.5 * side - 1) {
                    add_body(m, placed(&h, x[0], x[1], x[2]), 0.5, at(0, 0, 0));
                }
            }
            ScreeSurface found = measured(m, 0);
            CHECK(fabs(found.repose) < 3 * found.repose_error);
            CHECK(found.repose_error < 0.5);
            free(m);
        }
    }
}

/* Hexagons in the place of disks, each turned by an angle of its own. */
static void other_forms_have_the_same_angle(void) {
    ScreeVec3 corner[6];
    for (int k = 0; k < 6; k++) {
        corner[k] = at(0.5 * cos(k * M_PI / 3), 0.5 * sin(k * M_PI / 3), 0);
    }
    const ScreeShapePart part = {6, 0};
    const ScreeShapeDef def = {&part, 1, corner};
    ScreeShape shape;
    CHECK(scree_shape_def_measure(&def, &shape, NULL) == SCREE_OK);
    for (uint64_t seed = 1; seed < 6; seed++) {
        Heap h = {2, 30, 20, seed, 1, 0.2, {1, 2, 0}};
        Made *m = make(&h);
        m->sample.shapes = 1;
        m->sample.form = &shape;
        for (size_t i = 0; i < m->sample.bodies; i++) {
            double turn = M_PI * (double)i;
            m->shape[i].index = 0;
            m->orientation[i] = (ScreeQuat){cos(turn * turn), 0, 0, sin(turn * turn)};
        }
        ScreeSurface found = measured(m, 0);
        CHECK(fabs(found.repose - 30) < 3 * found.repose_error && found.repose_error < 1);
        free(m);
    }
}

/* Nothing to fit, and windows so narrow that no memory could hold them. */
static void what_cannot_be_measured_is_undefined_or_refused(void) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    char message[SCREE_MESSAGE_SIZE];
    ScreeSurface s;
    Made *m = begin(3);
    for (int i = 0; i < 3; i++) {
        add_body(m, at(0, 0, 1e-6 * i), 1, at(0, 0, 0));
    }
    CHECK(scree_sample_measure_surface(&m->sample, &whole, 1e-9, &s, message) ==
          SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, "too narrow") != NULL);
    CHECK(isnan(measured(m, 100).repose) && isnan(measured(m, 100).repose_error));
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(cones_of_ten_layers_and_more_have_their_angle_within_a_degree);
    CHECK_RUN(gables_of_ten_layers_and_more_have_their_angle_within_a_degree_on_average);
    CHECK_RUN(the_error_tells_that_low_heaps_are_uncertain);
    CHECK_RUN(neither_size_nor_place_nor_turn_matter);
    CHECK_RUN(the_width_of_columns_does_not_matter);
    CHECK_RUN(stray_grains_beyond_the_foot_do_not_matter);
    CHECK_RUN(flat_beds_have_no_angle);
    CHECK_RUN(other_forms_have_the_same_angle);
    CHECK_RUN(what_cannot_be_measured_is_undefined_or_refused);
    return check_result();
}
