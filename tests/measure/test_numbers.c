/* Measures that are numbers: lattices under load, gases, hand-made networks, and nothing. */
#include "sample.h"
#include "check.h"

static ScreeMeasures measured(const Made *m, const ScreeMeasureDef *def) {
    ScreeMeasureDef whole = scree_measure_def_default();
    ScreeMeasures found;
    char message[SCREE_MESSAGE_SIZE] = "";
    memset(&found, 0xff, sizeof found);
    ScreeStatus status =
        scree_sample_measure(&m->sample, def != NULL ? def : &whole, &found, message);
    CHECK(status == SCREE_OK);
    if (status != SCREE_OK) {
        fprintf(stderr, "%s\n", message);
    }
    return found;
}

/* ---------------------------------------------------------------- lattices */

/* n^3 balls of diameter 1 on a simple cubic lattice with forces f[k] along the axes; between walls
 * or periodic. */
static Made *cubic(int n, const double f[3], bool walls) {
    Made *m = begin(3);
    for (int i = 0; i < n * n * n; i++) {
        add_body(m, at(i % n + 0.5, i / n % n + 0.5, i / n / n + 0.5), 0.5, at(0, 0, 0));
    }
    const ScreeVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int stride[3] = {1, n, n * n};
    for (int i = 0; i < n * n * n; i++) {
        for (int k = 0; k < 3; k++) {
            int index = i / stride[k] % n;
            if (index + 1 < n) {
                add_contact(m, i, i + stride[k], axis[k], f[k]);
            } else if (walls) {
                add_contact(m, i, -1 - k, axis[k], f[k]);
            } else {
                add_contact(m, i, i - (n - 1) * stride[k], axis[k], f[k]);
            }
            if (index == 0 && walls) {
                ScreeVec3 back = at(-axis[k].x, -axis[k].y, -axis[k].z);
                add_contact(m, i, -4 - k, back, f[k]);
            }
        }
    }
    for (int k = 0; k < 3 && !walls; k++) {
        periodic(m, k, 0, n);
    }
    return m;
}

/* n^3 balls in columns, which hand on `force`, between two plates of n^2 balls that walls hold. The
 * upper plate is first of all, the lower one second. */
static Made *between_plates(int n, ScreeVec3 force, ScreeWallId *holder) {
    Made *m = begin(3);
    const int layer = n * n;
    for (int i = 0; i < (n + 2) * layer; i++) {
        const int row = i < layer ? n + 1 : i / layer - 1;
        add_body(m, at(i % n + 0.5, i / n % n + 0.5, row - 0.5), 0.5, at(0, 0, row > n ? 9 : 0));
        holder[i] = row == 0 || row > n ? (ScreeWallId){row == 0} : SCREE_NO_WALL;
    }
    for (int i = 0; i < layer; i++) {
        for (int row = 0; row < n; row++) {
            add_contact(m, (row + 1) * layer + i, (row + 2) * layer + i, at(0, 0, 1), force.z)
                ->force_tangential = at(force.x, force.y, 0);
        }
        add_contact(m, i, (n + 1) * layer + i, at(0, 0, -1), force.z)->force_tangential =
            at(-force.x, -force.y, 0);
    }
    m->sample.holder = holder;
    return m;
}

/* Plates are walls: the stress is that of the columns, over the volume between the plates. */
static void what_walls_hold_is_no_body(void) {
    ScreeWallId holder[7 * 25];
    Made *m = between_plates(5, at(2, -1, 7), holder);
    const ScreeMeasures found = measured(m, NULL);
    CHECK(found.bodies == 125);
    CHECK(found.points == 150);
    CHECK_CLOSE(found.volume, 125.0, 1e-14);
    CHECK_CLOSE(found.solid_fraction, M_PI / 6, 1e-13);
    CHECK_CLOSE(found.coordination, 2.0, 1e-14);
    CHECK_CLOSE(found.stress_zz, 7.0, 1e-13);
    CHECK_CLOSE(found.stress_xz, 2.0, 1e-13);
    CHECK_CLOSE(found.stress_yz, -1.0, 1e-13);
    CHECK_CLOSE(found.fabric_zz, 1.0, 1e-14);
    CHECK(found.energy_translation == 0 && found.kinetic_zz == 0);
    /* each ball of a plate is a partner of its own; a plate that holds all leaves nothing */
    const ScreeMeasureDef whole = scree_measure_def_default();
    double mean[2];
    CHECK(scree_sample_measure_partners(&m->sample, &whole, mean, NULL) == SCREE_OK);
    CHECK_CLOSE(mean[0], 2.0 * 100 / 125, 1e-14);
    CHECK_CLOSE(mean[1], 50.0 / 125, 1e-14);
    for (size_t i = 0; i < m->sample.bodies; i++) {
        holder[i].index = 0;
    }
    CHECK(measured(m, NULL).bodies == 0 && measured(m, NULL).points == 0);
    free(m);
}

/* Force over area of one column, whatever the number of balls; each ball has six partners. */
static void stress_of_a_cubic_lattice_is_force_over_area(void) {
    const double f[3] = {2, 3, 7};
    for (int walls = 0; walls < 2; walls++) {
        Made *m = cubic(5, f, walls == 1);
        ScreeMeasures found = measured(m, NULL);
        CHECK(found.bodies == 125);
        CHECK_CLOSE(found.volume, 125.0, 1e-14);
        CHECK_CLOSE(found.solid_fraction, M_PI / 6, 1e-13);
        CHECK_CLOSE(found.porosity, 1 - M_PI / 6, 1e-13);
        CHECK_CLOSE(found.stress_xx, 2.0, 1e-13);
        CHECK_CLOSE(found.stress_yy, 3.0, 1e-13);
        CHECK_CLOSE(found.stress_zz, 7.0, 1e-13);
        CHECK_NEAR(found.stress_xy, 0, 1e-14);
        CHECK_CLOSE(found.pressure, 4.0, 1e-13);
        /* von Mises: sqrt(((2-3)^2 + (3-7)^2 + (7-2)^2) / 2) */
        CHECK_CLOSE(found.deviator, sqrt(21.0), 1e-13);
        CHECK_CLOSE(found.principal_z, 1.0, 1e-14);
        CHECK_CLOSE(found.coordination, 6.0, 1e-15);
        CHECK_CLOSE(found.coordination_backbone, 6.0, 1e-15);
        CHECK(found.rattlers == 0);
        CHECK_CLOSE(found.fabric_xx, 1.0 / 3, 1e-14);
        CHECK_NEAR(found.anisotropy, 0, 1e-13);
        CHECK_NEAR(fabs(found.fabric_x) + fabs(found.fabric_y) + fabs(found.fabric_z), 0, 0);
        free(m);
    }
}

/* A box of whole periods gives the same measures wherever it lies, even cutting through balls,
 * branches and the ends of the periodic cell. */
static void regions_of_a_period_measure_alike(void) {
    const double f[3] = {2, 3, 7};
    Made *m = cubic(5, f, false);
    uint64_t seed = 3;
    for (int round = 0; round < 50; round++) {
        ScreeMeasureDef def = scree_measure_def_default();
        double x = 12 * draw(&seed) - 6, y = 12 * draw(&seed) - 6, z = 12 * draw(&seed) - 6;
        def.min = at(x, y, z);
        def.max = at(x + 1, y + 2, z + 3);
        ScreeMeasures found = measured(m, &def);
        CHECK(found.bodies == 6);
        CHECK_CLOSE(found.volume, 6.0, 1e-13);
        CHECK_CLOSE(found.solid_fraction, M_PI / 6, 1e-11);
        CHECK_CLOSE(found.stress_xx, 2.0, 1e-11);
        CHECK_CLOSE(found.stress_yy, 3.0, 1e-11);
        CHECK_CLOSE(found.stress_zz, 7.0, 1e-11);
        CHECK(found.points == 18);
        CHECK_CLOSE(found.coordination, 6.0, 1e-15);
    }
    free(m);
}

/* Parts of space add up: extensive measures of two halves sum to those of the whole. */
static void halves_add_up_to_the_whole(void) {
    const double f[3] = {2, 3, 7};
    Made *m = cubic(4, f, true);
    uint64_t seed = 5;
    for (size_t i = 0; i < m->sample.bodies; i++) {
        m->position[i].x += 0.2 * draw(&seed);
        m->velocity[i] = draw_in_box(&seed, 1, 1, 1);
        m->spin[i] = draw_in_box(&seed, 1, 0, 1);
    }
    ScreeMeasures all = measured(m, NULL);
    for (double cut = 0.1; cut < 4; cut += 0.37) {
        ScreeMeasureDef low = scree_measure_def_default(), high = low;
        low.max.x = high.min.x = cut;
        ScreeMeasures a = measured(m, &low), b = measured(m, &high);
        CHECK(a.bodies + b.bodies == 64);
        CHECK_CLOSE(a.volume + b.volume, all.volume, 1e-13);
        CHECK_CLOSE(a.solid_fraction * a.volume + b.solid_fraction * b.volume,
                    all.solid_fraction * all.volume, 1e-12);
        CHECK_CLOSE(a.stress_yy * a.volume + b.stress_yy * b.volume, all.stress_yy * all.volume,
                    1e-12);
        CHECK_CLOSE(a.energy_translation + b.energy_translation, all.energy_translation, 1e-12);
        CHECK_CLOSE(a.energy_rotation + b.energy_rotation, all.energy_rotation, 1e-12);
    }
    free(m);
}

/* Disks of diameter 1 in a hexagonal lattice with the force N at all contacts: solid fraction pi /
 * (2 sqrt 3), and three contacts for each area sqrt 3 / 2, so the trace of the stress is 2 sqrt 3
 * N. */
static void hexagonal_lattice_has_its_closed_forms(void) {
    enum { N = 8 };
    Made *m = begin(2);
    const double h = sqrt(3.0) / 2;
    for (int i = 0; i < N * N; i++) {
        add_body(m, at(i % N + 0.5 * (i / N % 2), h * (i / N), 0), 0.5, at(0, 0, 0));
    }
    periodic(m, 0, 0, N);
    periodic(m, 1, 0, N * h);
    for (int i = 0; i < N * N; i++) {
        int x = i % N, y = i / N, odd = y % 2, up = (y + 1) % N * N;
        add_contact(m, i, y * N + (x + 1) % N, at(1, 0, 0), 4);
        add_contact(m, i, up + (x + odd) % N, at(0.5, h, 0), 4);
        add_contact(m, i, up + (x + odd + N - 1) % N, at(-0.5, h, 0), 4);
    }
    ScreeMeasures found = measured(m, NULL);
    CHECK_CLOSE(found.solid_fraction, M_PI / (2 * sqrt(3.0)), 1e-13);
    CHECK_CLOSE(found.coordination, 6.0, 1e-15);
    CHECK_CLOSE(found.pressure, 4 * sqrt(3.0), 1e-13);
    CHECK_NEAR(found.deviator, 0, 1e-13);
    CHECK_NEAR(found.anisotropy, 0, 1e-13);
    CHECK_CLOSE(found.force_mean, 4.0, 1e-15);
    free(m);
}

/* ---------------------------------------------------------------- bodies in motion */

/* Two bodies at +-v about a mean velocity: T = v^2 / d along one direction; the kinetic stress is
 * the sum of m v v over the volume, so trace x volume = d M T whatever the motion. */
static void gas_has_its_temperature_and_stress(void) {
    Made *m = begin(3);
    periodic(m, 0, 0, 10);
    periodic(m, 1, 0, 10);
    periodic(m, 2, 0, 5);
    add_body(m, at(1, 1, 1), 0.5, at(3, 1, 0));
    add_body(m, at(4, 4, 4), 0.5, at(-1, 1, 0));
    ScreeMeasures found = measured(m, NULL);
    CHECK_CLOSE(found.velocity_x, 1.0, 1e-15);
    CHECK_CLOSE(found.velocity_y, 1.0, 1e-15);
    CHECK_CLOSE(found.temperature, 4.0 / 3, 1e-15);
    CHECK_CLOSE(found.kinetic_xx, 2 * m->mass[0] * 4 / 500, 1e-14);
    CHECK_NEAR(found.kinetic_yy, 0, 1e-15);
    CHECK_CLOSE(found.pressure, 2 * m->mass[0] * found.temperature / 500, 1e-14);
    CHECK_CLOSE(found.energy_translation, 0.5 * m->mass[0] * (9 + 1 + 1 + 1), 1e-14);
    CHECK(found.points == 0 && isnan(found.force_mean) && isnan(found.anisotropy));
    CHECK(found.stress_xx == 0 && found.coordination == 0 && found.rattlers == 1);
    free(m);
}

/* ---------------------------------------------------------------- networks */

/* A triangle with a chain of two: the chain is removed from its end. */
static void rattlers_are_struck_off_in_chains(void) {
    Made *m = begin(2);
    for (int i = 0; i < 6; i++) {
        add_body(m, at(2 * i, 0, 0), 1, at(0, 0, 0));
    }
    add_contact(m, 0, 1, at(1, 0, 0), 1);
    add_contact(m, 1, 2, at(1, 0, 0), 1);
    add_contact(m, 2, 0, at(-1, 0, 0), 1);
    add_contact(m, 2, 3, at(1, 0, 0), 1);
    add_contact(m, 3, 4, at(1, 0, 0), 1);
    ScreeMeasures found = measured(m, NULL);
    CHECK_CLOSE(found.coordination, 10.0 / 6, 1e-15);
    CHECK_CLOSE(found.rattlers, 3.0 / 6, 1e-15);
    CHECK_CLOSE(found.coordination_backbone, 2.0, 1e-15);
    ScreeMeasureDef def = scree_measure_def_default();
    def.least_contacts = 3; /* nobody is left */
    found = measured(m, &def);
    CHECK(found.rattlers == 1 && isnan(found.coordination_backbone));
    m->contact[0].state = SCREE_CONTACT_OPEN; /* now it is a chain, and all of them rattle */
    found = measured(m, NULL);
    CHECK(found.rattlers == 1);
    free(m);
}

/* Forces of 3 along z and 1 along x, as many of each, with equal branches: the strong carry 3/4 of
 * the pressure. In units of the mean stress 1 the tensors are diag(0, 3) and diag(1, 0): deviators
 * diag(-3/2, 3/2) and diag(1/2, -1/2) of diag(-1, 1), so shares of 3/2 and -1/2. */
static void strong_contacts_carry_their_share(void) {
    Made *m = begin(2);
    for (int i = 0; i < 4; i++) {
        add_body(m, at(i % 2, i / 2, 0), 0.5, at(0, 0, 0));
    }
    add_contact(m, 0, 1, at(1, 0, 0), 1)->state = SCREE_CONTACT_SLIP;
    add_contact(m, 2, 3, at(1, 0, 0), 1)->force_tangential = at(0, 0.3, 0);
    add_contact(m, 0, 2, at(0, 1, 0), 3)->force_tangential = at(0.9, 0, 0);
    add_contact(m, 1, 3, at(0, 1, 0), 3);
    m->law[0].friction = 0.6;
    ScreeMeasures found = measured(m, NULL);
    CHECK_CLOSE(found.strong, 0.5, 1e-15);
    CHECK_CLOSE(found.sliding, 0.25, 1e-15);
    CHECK_CLOSE(found.mobilisation, (0.5 + 0.5) / 4, 1e-15);
    CHECK_CLOSE(found.force_max, 3.0, 1e-15);
    CHECK_CLOSE(found.strong_pressure, 0.75, 1e-14);
    m->contact[1].force_tangential = m->contact[2].force_tangential = at(0, 0, 0);
    found = measured(m, NULL);
    CHECK_CLOSE(found.strong_deviator, 1.5, 1e-13);
    CHECK_CLOSE(found.fabric_xx, 0.5, 1e-15);
    m->sample.law = NULL;
    CHECK(isnan(measured(m, NULL).mobilisation));
    free(m);
}

/* Directions with the density 1 + a cos 2 (angle - angle_0), in space 1 + a (3 cos^2 - 1) / 2,
 * taken at equal steps of its integral. */
static void anisotropy_is_that_of_the_density(void) {
    enum { POINTS = 20000 };
    const double a = 0.6, lean = 0.4;
    Made *flat = begin(2), *deep = begin(3);
    for (int k = 0; k < 2; k++) {
        add_body(flat, at(k, 0, 0), 0.5, at(0, 0, 0));
        add_body(deep, at(k, 0, 0), 0.5, at(0, 0, 0));
    }
    for (int i = 0; i < POINTS; i++) {
        double share = (i + 0.5) / POINTS, angle = 2 * M_PI * share, u = share;
        for (int k = 0; k < 100; k++) { /* Newton: the integral is angle + a/2 sin 2 angle */
            angle -=
                (angle + 0.5 * a * sin(2 * angle) - 2 * M_PI * share) / (1 + a * cos(2 * angle));
            u -= (u + 0.5 * a * (u * u * u - u) - share) / (1 + 0.5 * a * (3 * u * u - 1));
        }
        add_contact(flat, 0, 1, at(cos(angle + lean), sin(angle + lean), 0), 1);
        double turn = 2.399963229728653 * i, s = sqrt(1 - u * u); /* u: cosine to the y axis */
        add_contact(deep, 0, 1, at(s * cos(turn), u, s * sin(turn)), 1);
    }
    ScreeMeasures found = measured(flat, NULL);
    CHECK_CLOSE(found.anisotropy, a, 1e-4);
    CHECK_CLOSE(atan2(found.fabric_y, found.fabric_x), lean, 1e-4);
    found = measured(deep, NULL);
    CHECK_CLOSE(found.anisotropy, a, 1e-3);
    CHECK_CLOSE(fabs(found.fabric_y), 1.0, 1e-6);
    free(flat);
    free(deep);
}

/* ---------------------------------------------------------------- nothing, and nonsense */

/* Where no region was asked for nothing is cut off: the contacts at the walls count. */
static void open_sides_cut_nothing_off(void) {
    const double f[3] = {2, 3, 7};
    Made *m = cubic(4, f, true);
    ScreeMeasures all = measured(m, NULL);
    ScreeMeasureDef low = scree_measure_def_default(), high = low;
    low.max = at(INFINITY, 1.7, INFINITY);
    high.min = at(-INFINITY, 1.7, -INFINITY);
    ScreeMeasures a = measured(m, &low), b = measured(m, &high);
    CHECK(a.points + b.points == all.points && all.points == 3 * 80);
    CHECK_CLOSE(a.volume + b.volume, 64.0, 1e-14);
    CHECK_CLOSE(a.stress_yy * a.volume + b.stress_yy * b.volume, 3.0 * 64, 1e-13);
    CHECK_CLOSE(b.stress_yy, 3.0, 1e-13);
    free(m);
}

static void empty_samples_are_undefined(void) {
    Made *m = begin(3);
    ScreeMeasures found = measured(m, NULL);
    CHECK(found.bodies == 0 && found.volume == 0);
    CHECK(isnan(found.solid_fraction) && isnan(found.coordination) && isnan(found.stress_xx));
    CHECK(isnan(found.pressure) && isnan(found.temperature));
    ScreeMeasureDef def = scree_measure_def_default();
    def.min = at(0, 0, 0);
    def.max = at(1, 2, 3);
    found = measured(m, &def);
    CHECK(found.volume == 6 && found.solid_fraction == 0 && isnan(found.pressure));
    add_body(m, at(0, 0, 0), 1, at(1, 0, 0));
    def.min = at(5, 5, 5);
    def.max = at(6, 6, 6);
    found = measured(m, &def); /* beyond everything */
    CHECK(found.bodies == 0 && found.solid_fraction == 0 && isnan(found.velocity_x));
    CHECK(isnan(found.stress_xx) && isnan(found.kinetic_zz) && isnan(found.principal_x));
    def.max.x = INFINITY;
    CHECK(measured(m, &def).volume == 0 && isnan(measured(m, &def).pressure));
    free(m);
}

/* Two disks far apart with the force 3 on each other, as if a bar went from one to the other: between
 * them there is no disk, but 3 over the height of the region. A corner of a disk without its centre is
 * a part of a grain, and its stress is that of its motion. */
static void what_passes_a_region_is_not_nothing(void) {
    Made *m = begin(2);
    add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
    add_body(m, at(9, 0, 0), 1, at(0, 0, 0));
    add_contact(m, 0, 1, at(1, 0, 0), 3);
    ScreeMeasureDef def = scree_measure_def_default();
    def.min = at(4, -1, 0);
    def.max = at(5, 1, 0);
    ScreeMeasures found = measured(m, &def);
    CHECK(found.bodies == 0 && found.solid_fraction == 0);
    CHECK_CLOSE(found.stress_xx, 3.0 / 2, 1e-14);
    def.min = at(-2, 0.5, 0);
    def.max = at(2, 2, 0);
    found = measured(m, &def);
    CHECK(found.bodies == 0 && found.solid_fraction > 0 && found.stress_xx == 0);
    free(m);
}

static void refused(const Made *m, const ScreeMeasureDef *def, const char *word) {
    ScreeMeasures found;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_sample_measure(&m->sample, def, &found, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, word) != NULL);
    CHECK(scree_sample_measure(&m->sample, def, &found, NULL) == SCREE_BAD_ARGUMENT);
}

static void bad_regions_and_samples_are_refused(void) {
    Made *m = begin(3);
    periodic(m, 1, 0, 4);
    add_body(m, at(0, 0, 0), 1, at(0, 0, 0));
    ScreeMeasureDef def = scree_measure_def_default();
    def.max.x = -INFINITY;
    refused(m, &def, "along x");
    def = scree_measure_def_default();
    def.min.z = NAN;
    refused(m, &def, "along z");
    def = scree_measure_def_default();
    def.min.y = 0;
    def.max.y = 4.1;
    refused(m, &def, "periodic cell along y");
    def = scree_measure_def_default();
    m->radius[0] = 5;
    refused(m, &def, "larger than the periodic cell");
    m->radius[0] = NAN;
    refused(m, &def, "body 0");
    m->radius[0] = 1;
    m->velocity[0].x = INFINITY;
    refused(m, &def, "not finite");
    m->velocity[0].x = 0;
    m->material[0].index = 1;
    refused(m, &def, "material");
    m->material[0].index = 0;
    add_contact(m, 0, 7, at(1, 0, 0), 1);
    refused(m, &def, "contact 0");
    m->contact[0].b.code = -9; /* any wall counts as a wall */
    measured(m, &def);
    m->contact[0].force_normal = NAN;
    refused(m, &def, "contact 0");
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(stress_of_a_cubic_lattice_is_force_over_area);
    CHECK_RUN(what_walls_hold_is_no_body);
    CHECK_RUN(regions_of_a_period_measure_alike);
    CHECK_RUN(halves_add_up_to_the_whole);
    CHECK_RUN(open_sides_cut_nothing_off);
    CHECK_RUN(hexagonal_lattice_has_its_closed_forms);
    CHECK_RUN(gas_has_its_temperature_and_stress);
    CHECK_RUN(rattlers_are_struck_off_in_chains);
    CHECK_RUN(strong_contacts_carry_their_share);
    CHECK_RUN(anisotropy_is_that_of_the_density);
    CHECK_RUN(empty_samples_are_undefined);
    CHECK_RUN(what_passes_a_region_is_not_nothing);
    CHECK_RUN(bad_regions_and_samples_are_refused);
    return check_result();
}
