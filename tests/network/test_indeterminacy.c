/* The indeterminacy of forces against closed forms: disks in grooves, beams on supports, chains,
 * plates that wedge; and against all corners of the set where it is a polytope. */
#include "check.h"

#include "network/indeterminacy.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- samples by hand */

enum { MOST = 64 };

typedef struct Scene {
    ScreeVec3 position[MOST], zero[MOST];
    ScreeQuat orientation[MOST];
    double radius[MOST], mass[MOST], inertia[MOST];
    ScreeMaterialId material[MOST];
    ScreeShapeId shape[MOST];
    ScreeContactForce contact[MOST];
    ScreeSampleWall wall[8];
    ScreeLaw law;
    ScreeSample sample;
    ScreeSurroundings around;
    ScreeForceRange range[MOST];
    ScreeIndeterminacy whole;
} Scene;

static void begin(Scene *s, int dimension, double friction) {
    *s = (Scene){0};
    s->law.friction = friction;
    s->sample = (ScreeSample){.dimension = dimension,
                              .materials = 1,
                              .position = s->position,
                              .orientation = s->orientation,
                              .velocity = s->zero,
                              .spin = s->zero,
                              .radius = s->radius,
                              .mass = s->mass,
                              .inertia = s->inertia,
                              .material = s->material,
                              .shape = s->shape,
                              .law = &s->law,
                              .contact = s->contact};
    s->around = (ScreeSurroundings){.time_step = 1e-3, .walls = 8, .wall = s->wall};
    for (int i = 0; i < 8; i++) {
        s->wall[i].material = SCREE_NO_MATERIAL;
    }
}

static void add_body(Scene *s, double x, double y, double radius, bool round) {
    size_t i = s->sample.bodies++;
    s->position[i] = vec3(x, y, 0);
    s->radius[i] = radius;
    s->mass[i] = 1;
    s->inertia[i] = 0.4 * radius * radius;
    s->shape[i].index = round ? -1 : 0;
}

/* A contact that holds. Of its force only the sum over each body matters. */
static void add_contact(Scene *s, int32_t a, int32_t b, ScreeVec3 point, ScreeVec3 normal,
                        double force, ScreeVec3 tangential) {
    s->contact[s->sample.contacts++] = (ScreeContactForce){.a = {a},
                                                           .b = {b},
                                                           .state = SCREE_CONTACT_STICK,
                                                           .point = point,
                                                           .normal = normal,
                                                           .force_normal = force,
                                                           .force_tangential = tangential,
                                                           .opening = -1};
}

static void measure(Scene *s, size_t samples) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeIndeterminacyDef def = scree_indeterminacy_def_default();
    def.samples = samples;
    def.tolerance = 1e-10;
    ScreeStatus status = scree_sample_measure_indeterminacy(&s->sample, &s->around, &def, s->range,
                                                            &s->whole, NULL, message);
    CHECK(status == SCREE_OK);
    if (status != SCREE_OK) {
        fprintf(stderr, "    %s\n", message);
    }
    CHECK(s->whole.samples == (int64_t)samples && s->whole.failed == 0 && s->whole.unsure == 0);
    CHECK(s->whole.error_balance < 1e-8);
    for (size_t i = 0; i < s->sample.contacts; i++) {
        const ScreeForceRange *r = &s->range[i];
        double slack = 1e-6 * s->whole.force;
        CHECK(r->least <= r->now && r->now <= r->most);
        CHECK(samples == 0 || (r->least - slack <= r->mean && r->mean <= r->most + slack));
        CHECK(samples == 0 || r->deviation <= 0.5 * (r->most - r->least) + slack);
    }
}

static void check_range(const Scene *s, size_t i, double least, double most, double tolerance) {
    const ScreeForceRange *r = &s->range[i];
    CHECK_NEAR(r->least, least, tolerance);
    if (isinf(most)) {
        CHECK(isinf(r->most) && r->spread == 1);
    } else {
        CHECK_NEAR(r->most, most, tolerance);
        CHECK_NEAR(r->spread, (most - least) / (most + least), tolerance);
    }
}

/* ---------------------------------------------------------------- disks */

/* A disk of weight 1 in a groove whose sides rise at `angle` on both sides. The torque balance
 * makes the two tangential forces equal, both up the sides: 2 (N cos + T sin) = 1. */
static void make_groove(Scene *s, int dimension, double angle, double friction) {
    double c = cos(angle), i = sin(angle), n = 1 / (2 * c);
    begin(s, dimension, friction);
    add_body(s, 0, 0, 1, true);
    add_contact(s, 0, -1, vec3(-i, -c, 0), vec3(-i, -c, 0), n, vec3(0, 0, 0));
    add_contact(s, 0, -2, vec3(i, -c, 0), vec3(i, -c, 0), n, vec3(0, 0, 0));
}

static void groove_forces_have_their_closed_range(void) {
    for (int k = 0; k < 4; k++) {
        double angle = 0.3 + 0.3 * (k % 2), friction = k < 2 ? 0.2 : 0.7;
        double c = cos(angle), i = sin(angle);
        for (int dimension = 2; dimension <= 3; dimension++) {
            Scene s;
            make_groove(&s, dimension, angle, friction);
            measure(&s, 20);
            for (size_t j = 0; j < 2; j++) {
                check_range(&s, j, 0.5 / (c + friction * i), 0.5 / (c - friction * i), 1e-8);
                CHECK(s.range[j].deviation > 1e-3);
            }
            CHECK(s.whole.hyperstaticity == 1);
            CHECK(s.whole.unknowns == 2 * dimension && s.whole.rank == 2 * dimension - 1);
            CHECK(s.whole.undetermined == 1 && s.whole.unbounded == 0 && s.whole.loose == 1);
        }
    }
}

/* With sides steeper than friction can overcome, a disk can be wedged in as firmly as one likes. */
static void steep_groove_wedges_without_bound(void) {
    Scene s;
    double angle = 1.2, friction = 0.5; /* friction tan(angle) > 1 */
    make_groove(&s, 2, angle, friction);
    measure(&s, 0);
    check_range(&s, 0, 0.5 / (cos(angle) + friction * sin(angle)), INFINITY, 1e-8);
    CHECK(s.whole.unbounded == 1 && s.whole.spread == 1);
}

/* A sliding contact has a given tangential force, and then everything is determined. */
static void sliding_side_determines_the_groove(void) {
    Scene s;
    double angle = 0.5, friction = 0.3, c = cos(angle), i = sin(angle);
    double n = 0.5 / (c + friction * i), t = friction * n;
    for (int moves = 0; moves < 2; moves++) {
        make_groove(&s, 2, angle, friction);
        /* forces on the walls, down the sides */
        s.contact[0].force_normal = s.contact[1].force_normal = n;
        s.contact[0].force_tangential = vec3(t * c, -t * i, 0);
        s.contact[1].force_tangential = vec3(-t * c, -t * i, 0);
        s.contact[0].state = SCREE_CONTACT_SLIP;
        s.wall[0].velocity = vec3(moves * c, -moves * i, 0);
        measure(&s, 5);
        CHECK(s.whole.sliding == moves && s.whole.hyperstaticity == 1 - moves);
        check_range(&s, 0, n, moves ? n : 0.5 / (c - friction * i), 1e-8);
        check_range(&s, 1, n, moves ? n : 0.5 / (c - friction * i), 1e-8);
    }
}

/* The forces of a ball on a plane are determined. */
static void ball_on_a_plane_is_determined(void) {
    Scene s;
    begin(&s, 3, 0.5);
    add_body(&s, 0, 0, 0.3, true);
    add_contact(&s, 0, -1, vec3(0, -0.3, 0), vec3(0, -1, 0), 2, vec3(0, 0, 0));
    measure(&s, 3);
    check_range(&s, 0, 2, 2, 0);
    CHECK(s.whole.hyperstaticity == 0 && s.whole.rank == 3 && s.whole.equations == 6);
    CHECK(s.whole.undetermined == 0 && s.whole.loose == 0 && s.whole.deviation == 0);
}

/* A disk of weight 1 between two plates. A fixed upper plate may press at will; a piston presses
 * with its force. An upper plate that does not press now could do so if it touches. */
static void fixed_plate_may_press_at_will_and_piston_not(void) {
    for (int piston = 0; piston < 2; piston++) {
        Scene s;
        begin(&s, 2, 0.4);
        add_body(&s, 0, 0, 1, true);
        add_contact(&s, 0, -1, vec3(0, -1, 0), vec3(0, -1, 0), 3, vec3(0, 0, 0));
        add_contact(&s, 0, -2, vec3(0, 1, 0), vec3(0, 1, 0), 2, vec3(0, 0, 0));
        s.wall[1].piston = vec3(0, piston, 0);
        measure(&s, 0);
        check_range(&s, 0, piston ? 3 : 1, piston ? 3 : INFINITY, 1e-8);
        check_range(&s, 1, piston ? 2 : 0, piston ? 2 : INFINITY, 1e-8);
        CHECK(s.whole.hyperstaticity == 1 - piston);
    }
    Scene s;
    begin(&s, 2, 0.4);
    add_body(&s, 0, 0, 1, true);
    add_contact(&s, 0, -1, vec3(0, -1, 0), vec3(0, -1, 0), 1, vec3(0, 0, 0));
    add_contact(&s, 0, -2, vec3(0, 1, 0), vec3(0, 1, 0), 0, vec3(0, 0, 0));
    measure(&s, 0);
    CHECK(s.whole.contacts == 2 && isinf(s.range[0].most));
    s.contact[1].gap = 1e-3;
    measure(&s, 0);
    CHECK(s.whole.contacts == 1 && s.range[0].most == 1);
    s.contact[1].gap = 0;
    s.wall[1].velocity = vec3(0, 1, 0); /* the plate moves away */
    measure(&s, 0);
    CHECK(s.whole.contacts == 1 && s.range[0].most == 1);
}

/* A stack without friction is isostatic: contact i carries what is above it. */
static void frictionless_chain_is_isostatic(void) {
    Scene s;
    begin(&s, 2, 0);
    for (int i = 0; i < 10; i++) {
        add_body(&s, 0, 2 * i, 1, true);
        add_contact(&s, i, i == 0 ? -1 : i - 1, vec3(0, 2 * i - 1, 0), vec3(0, -1, 0), 10 - i,
                    vec3(0, 0, 0));
    }
    measure(&s, 3);
    CHECK(s.whole.unknowns == 10 && s.whole.rank == 10 && s.whole.hyperstaticity == 0);
    for (size_t i = 0; i < 10; i++) {
        check_range(&s, i, 10 - (double)i, 10 - (double)i, 0);
    }
}

/* ---------------------------------------------------------------- beams */

/* A beam of weight 1 on a floor, its centre above x = 0, touching it at `count` points. */
static void make_beam(Scene *s, double friction, const double *x, size_t count, double height) {
    begin(s, 2, friction);
    add_body(s, 0, height, 2, false);
    /* the outermost points, on either side of the centre, carry it */
    double left = x[0], right = x[count - 1];
    for (size_t i = 0; i < count; i++) {
        double force = i == 0           ? right / (right - left)
                       : i + 1 == count ? -left / (right - left)
                                        : 0;
        add_contact(s, 0, -1, vec3(x[i], 0, 0), vec3(0, -1, 0), force, vec3(0, 0, 0));
    }
}

/* With two supports the torque determines the normal forces, but not how hard the feet push
 * apart. */
static void two_supports_fix_the_normal_forces(void) {
    const double x[2] = {-1, 3};
    Scene s;
    make_beam(&s, 0.5, x, 2, 1);
    measure(&s, 10);
    check_range(&s, 0, 0.75, 0.75, 1e-8);
    check_range(&s, 1, 0.25, 0.25, 1e-8);
    CHECK(s.whole.hyperstaticity == 1 && s.whole.loose == 1 && s.whole.undetermined == 0);
}

/* Without friction there are two equations, so at an extreme at most two forces are not zero, and
 * all pairs can be tried: i and j carry x_j / (x_j - x_i) and -x_i / (x_j - x_i). */
static void frictionless_supports_match_all_pairs(void) {
    srand(5);
    for (int attempt = 0; attempt < 20; attempt++) {
        enum { COUNT = 6 };
        double x[COUNT], most[COUNT] = {0};
        Scene s;
        for (int i = 0; i < COUNT; i++) {
            double part = (double)rand() / RAND_MAX;
            x[i] = i < COUNT / 2 ? -2 + 0.6 * i + 0.5 * part
                                 : 0.2 + 0.6 * (i - COUNT / 2) + 0.5 * part;
        }
        for (int i = 0; i < COUNT / 2; i++) {
            for (int j = COUNT / 2; j < COUNT; j++) {
                most[i] = fmax(most[i], x[j] / (x[j] - x[i]));
                most[j] = fmax(most[j], -x[i] / (x[j] - x[i]));
            }
        }
        make_beam(&s, 0, x, COUNT, 1);
        measure(&s, 10);
        CHECK(s.whole.hyperstaticity == COUNT - 2 && s.whole.equations == 3);
        for (size_t i = 0; i < COUNT; i++) {
            check_range(&s, i, 0, most[i], 1e-8);
        }
    }
}

/* A square held at its four corners between two plates, symmetric, under its weight 1. */
static void square_between_plates_has_its_closed_range(void) {
    Scene s;
    begin(&s, 2, 0);
    add_body(&s, 0, 0, sqrt(2), false);
    for (int i = 0; i < 4; i++) {
        double px = i % 2 == 0 ? -1 : 1, py = i < 2 ? -1 : 1;
        add_contact(&s, 0, i < 2 ? -1 : -2, vec3(px, py, 0), vec3(0, py, 0), i < 2 ? 1.5 : 1,
                    vec3(0, 0, 0));
    }
    s.wall[1].piston = vec3(0, 1, 0); /* 2 in all on the two upper corners */
    measure(&s, 10);
    CHECK(s.whole.hyperstaticity == 1);
    /* above N and 2 - N; below the sum is 3, and the torque asks for 3/2 + (N - 1) and the
     * remainder */
    check_range(&s, 2, 0, 2, 1e-8);
    check_range(&s, 0, 0.5, 2.5, 1e-8);
}

/* ---------------------------------------------------------------- all corners */

/* Solves a x = b of size n by elimination; false when it is singular. */
static bool solve_small(int n, double a[6][7]) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        if (fabs(a[best][k]) < 1e-9) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            double kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        for (int i = 0; i < n; i++) {
            double share = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = 0; j <= n; j++) {
                a[i][j] -= share * a[k][j];
            }
        }
    }
    return true;
}

/* A disk with three contacts: six components, three balances. In the plane the cones are wedges
 * with two sides each, and at a corner of the set three of the six sides are reached. */
typedef struct Wedges {
    double mu, row[3][6], sum[3]; /* the balances */
    double least[3], most[3];
} Wedges;

/* Solves for the corner where the sides in `sides` are reached; false unless there are three. */
static bool find_corner(const Wedges *w, int sides, double force[6]) {
    double a[6][7] = {{0}};
    int n = 3;
    for (int i = 0; i < 3; i++) {
        memcpy(a[i], w->row[i], sizeof w->row[i]);
        a[i][6] = w->sum[i];
    }
    for (int k = 0; k < 6; k++) {
        if ((sides & 1 << k) == 0) {
            continue;
        }
        if (n == 6) {
            return false;
        }
        a[n][k - k % 2] = w->mu;
        a[n++][k - k % 2 + 1] = k % 2 == 0 ? 1 : -1;
    }
    if (n < 6 || !solve_small(6, a)) {
        return false;
    }
    for (int i = 0; i < 6; i++) {
        force[i] = a[i][6] / a[i][i];
    }
    return true;
}

static void try_corners(Wedges *w) {
    for (int sides = 0; sides < 64; sides++) {
        double force[6];
        bool inside = find_corner(w, sides, force);
        for (int j = 0; inside && j < 3; j++) {
            inside = fabs(force[2 * j + 1]) <= w->mu * force[2 * j] + 1e-9;
        }
        for (int j = 0; inside && j < 3; j++) {
            w->least[j] = fmin(w->least[j], force[2 * j]);
            w->most[j] = fmax(w->most[j], force[2 * j]);
        }
    }
}

static void ranges_match_all_corners_of_the_set(void) {
    srand(11);
    int bounded = 0;
    for (int attempt = 0; attempt < 60; attempt++) {
        Wedges w = {.mu = 0.05 + 0.3 * rand() / RAND_MAX};
        Scene s;
        begin(&s, 2, w.mu);
        add_body(&s, 0, 0, 1, true);
        for (int i = 0; i < 3; i++) {
            double angle = -M_PI / 2 + (i - 1) * 1.2 + 0.3 * rand() / RAND_MAX;
            double c = cos(angle), n = sin(angle);
            double force = 0.5 + (double)rand() / RAND_MAX, t = 0.3 * w.mu * force;
            add_contact(&s, 0, -1 - i, vec3(c, n, 0), vec3(c, n, 0), force, vec3(-n * t, c * t, 0));
            const double balance[3][2] = {{c, -n}, {n, c}, {0, 1}};
            for (int j = 0; j < 3; j++) {
                memcpy(&w.row[j][2 * i], balance[j], sizeof balance[j]);
                w.sum[j] += balance[j][0] * force + balance[j][1] * t;
            }
            w.least[i] = INFINITY;
        }
        try_corners(&w);
        measure(&s, 5);
        CHECK(s.whole.hyperstaticity == 3);
        bounded += s.whole.unbounded == 0;
        for (size_t j = 0; s.whole.unbounded == 0 && j < 3; j++) {
            check_range(&s, j, w.least[j], w.most[j], 1e-7);
        }
    }
    CHECK(bounded > 30);
}

/* ---------------------------------------------------------------- what cannot be */

static void what_cannot_be_measured_is_refused(void) {
    Scene s;
    char message[SCREE_MESSAGE_SIZE];
    ScreeIndeterminacyDef def = scree_indeterminacy_def_default();
    make_groove(&s, 2, 0.5, 0.3);
    s.law.cohesion = 1;
    CHECK(scree_sample_measure_indeterminacy(&s.sample, &s.around, &def, s.range, &s.whole, NULL,
                                             message) == SCREE_BAD_ARGUMENT &&
          strstr(message, "cohesion") != NULL);
    s.law.cohesion = 0;
    s.law.rolling = 0.1;
    CHECK(scree_sample_measure_indeterminacy(&s.sample, &s.around, &def, s.range, &s.whole, NULL,
                                             message) == SCREE_BAD_ARGUMENT &&
          strstr(message, "rolling") != NULL);
    s.law.rolling = 0;
    def.amplitude = 0;
    CHECK(scree_sample_measure_indeterminacy(&s.sample, &s.around, &def, s.range, &s.whole, NULL,
                                             message) == SCREE_BAD_ARGUMENT);
    /* nothing is left undetermined */
    begin(&s, 2, 0.3);
    measure(&s, 3);
    CHECK(s.whole.contacts == 0 && s.whole.hyperstaticity == 0 && isnan(s.whole.spread));
}

int main(int argc, char **argv) {
    CHECK_RUN(groove_forces_have_their_closed_range);
    CHECK_RUN(steep_groove_wedges_without_bound);
    CHECK_RUN(sliding_side_determines_the_groove);
    CHECK_RUN(ball_on_a_plane_is_determined);
    CHECK_RUN(fixed_plate_may_press_at_will_and_piston_not);
    CHECK_RUN(frictionless_chain_is_isostatic);
    CHECK_RUN(two_supports_fix_the_normal_forces);
    CHECK_RUN(frictionless_supports_match_all_pairs);
    CHECK_RUN(square_between_plates_has_its_closed_range);
    CHECK_RUN(ranges_match_all_corners_of_the_set);
    CHECK_RUN(what_cannot_be_measured_is_refused);
    return check_result();
}
