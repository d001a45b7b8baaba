/* Coarse graining: what is put onto the grid is on it, in the right place, with the kernel's
 * width. */
#include "sample.h"
#include "check.h"

enum { CELLS_MOST = 60 * 60 * 60 };

static ScreeCell *filled(const Made *m, const ScreeGridDef *def) {
    ScreeCell *cell = calloc(CELLS_MOST, sizeof *cell);
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_sample_measure_grid(&m->sample, def, cell, message) == SCREE_OK);
    return cell;
}

static ScreeGridDef grid_of(int nx, int ny, int nz, double width) {
    ScreeGridDef def = scree_grid_def_default();
    def.cells[0] = nx;
    def.cells[1] = ny;
    def.cells[2] = nz;
    def.width = width;
    return def;
}

/* Some grains that move and push each other, in a periodic cell or not. */
static Made *cloud(int dimension, bool round_about) {
    Made *m = begin(dimension);
    uint64_t seed = 7;
    for (int i = 0; i < 50; i++) {
        ScreeVec3 x = draw_in_box(&seed, 10, 6, dimension == 3 ? 8 : 0);
        ScreeVec3 v = draw_in_box(&seed, 1, 1, dimension == 3 ? 1 : 0);
        v.y -= 0.5;
        add_body(m, x, 0.3 + 0.2 * draw(&seed), v);
    }
    for (int i = 0; i + 1 < 50; i++) {
        add_contact(m, i, i + 1, at(0.6, 0.8, 0), draw(&seed))->force_tangential = at(0.1, 0, 0);
    }
    add_contact(m, 3, -1, at(0, -1, 0), 2);
    if (round_about) {
        periodic(m, 0, 0, 10);
        periodic(m, 1, 0, 6);
        periodic(m, 2, 0, dimension == 3 ? 8 : 0);
        m->sample.periodic[2] = dimension == 3;
    }
    return m;
}

/* Mass, momentum and force x branch of all cells, against sums over bodies and contacts. */
static void cells_sum_to_the_whole(void) {
    for (int kind = 0; kind < 8; kind++) {
        int d = kind % 2 + 2;
        Made *m = cloud(d, kind / 2 % 2 == 1);
        ScreeGridDef def = grid_of(13, 7, d == 3 ? 5 : 1, kind < 4 ? 0.9 : 0.05);
        ScreeCell *cell = filled(m, &def);
        double mass = 0, momentum = 0, volume = 0, wanted_mass = 0, wanted_momentum = 0;
        double solid = 0, stress[9] = {0}, energy = 0, wanted_energy = 0;
        for (int i = 0; i < 13 * 7 * (d == 3 ? 5 : 1); i++) {
            const ScreeCell *c = &cell[i];
            mass += c->density * c->volume;
            momentum += c->momentum.x * c->volume;
            solid += c->solid_fraction * c->volume;
            volume += c->volume;
            for (int k = 0; k < 9; k++) {
                stress[k] += c->stress[k] * c->volume;
            }
            if (c->density > 0) { /* motion of the cells and within them */
                double square = c->velocity.x * c->velocity.x + c->velocity.y * c->velocity.y +
                                c->velocity.z * c->velocity.z;
                energy += 0.5 * c->density * c->volume * (square + d * c->temperature);
            }
        }
        for (size_t i = 0; i < m->sample.bodies; i++) {
            ScreeVec3 v = m->velocity[i];
            wanted_mass += m->mass[i];
            wanted_momentum += m->mass[i] * v.x;
            wanted_energy += 0.5 * m->mass[i] * (v.x * v.x + v.y * v.y + v.z * v.z);
        }
        const ScreeMeasureDef whole = scree_measure_def_default();
        ScreeMeasures all;
        CHECK(scree_sample_measure(&m->sample, &whole, &all, NULL) == SCREE_OK);
        CHECK_CLOSE(mass, wanted_mass, 1e-13);
        CHECK_CLOSE(solid, wanted_mass, 1e-13); /* the density is one */
        CHECK_CLOSE(momentum, wanted_momentum, 1e-13);
        CHECK_CLOSE(energy, wanted_energy, 1e-12);
        CHECK_CLOSE(stress[0], all.stress_xx * all.volume, 1e-12);
        CHECK_NEAR(stress[1], all.stress_xy * all.volume, 1e-12 * fabs(stress[0]));
        CHECK_NEAR(stress[3], all.stress_yx * all.volume, 1e-12 * fabs(stress[0]));
        CHECK_CLOSE(stress[4], all.stress_yy * all.volume, 1e-12);
        if (kind / 2 % 2 == 1) {
            CHECK_CLOSE(volume, all.volume, 1e-13);
        }
        free(cell);
        free(m);
    }
}

/* One body: the mean of the cells' centres, weighted by mass, is its position, and their variance
 * is that of the kernel, width^2 / 3, plus that of a cell, h^2 / 12. Both hold exactly when the
 * kernel lies within the grid and h divides the width. */
static void kernel_has_its_width(void) {
    Made *m = begin(3);
    add_body(m, at(0.1, 0.4, -0.3), 0.5, at(0, 0, 0));
    ScreeGridDef def = grid_of(60, 60, 60, 1);
    def.min = at(-3, -3, -3);
    def.max = at(3, 3, 3);
    ScreeCell *cell = filled(m, &def);
    double mass = 0, mean = 0, variance = 0, across = 0;
    for (int i = 0; i < CELLS_MOST; i++) {
        double part = cell[i].density * cell[i].volume;
        mass += part;
        mean += part * cell[i].centre.x;
        variance += part * (cell[i].centre.x - 0.1) * (cell[i].centre.x - 0.1);
        across += part * (cell[i].centre.x - 0.1) * (cell[i].centre.z + 0.3);
        CHECK(fabs(cell[i].centre.y - 0.4) < 2.051 || cell[i].density == 0);
    }
    CHECK_CLOSE(mass, m->mass[0], 1e-13);
    CHECK_CLOSE(mean / mass, 0.1, 1e-12);
    CHECK_CLOSE(variance / mass, 1.0 / 3 + 0.01 / 12, 1e-12);
    CHECK_NEAR(across, 0, 1e-13);
    free(cell);
    free(m);
}

/* A common velocity is that of each cell, without temperature. */
static void uniform_motion_has_no_temperature(void) {
    Made *m = cloud(2, true);
    for (size_t i = 0; i < m->sample.bodies; i++) {
        m->velocity[i] = at(3, -2, 0);
    }
    ScreeGridDef def = grid_of(9, 8, 1, 0);
    ScreeCell *cell = filled(m, &def);
    for (int i = 0; i < 72; i++) {
        if (cell[i].density > 1e-9) {
            CHECK_CLOSE(cell[i].velocity.x, 3.0, 1e-12);
            CHECK_CLOSE(cell[i].velocity.y, -2.0, 1e-12);
            CHECK_NEAR(cell[i].temperature, 0, 1e-12);
        }
    }
    free(cell);
    free(m);
}

static void bad_grids_are_refused(void) {
    Made *m = begin(2);
    ScreeCell cell[8];
    char message[SCREE_MESSAGE_SIZE];
    ScreeGridDef def = grid_of(2, 0, 1, 1);
    CHECK(scree_sample_measure_grid(&m->sample, &def, cell, message) == SCREE_BAD_ARGUMENT);
    def = grid_of(2, 2, 2, 1);
    CHECK(scree_sample_measure_grid(&m->sample, &def, cell, message) == SCREE_BAD_ARGUMENT);
    def = grid_of(2, 2, 1, -1);
    CHECK(scree_sample_measure_grid(&m->sample, &def, cell, message) == SCREE_BAD_ARGUMENT);
    def = grid_of(2, 2, 1, 0); /* no bodies: an empty grid about the origin */
    CHECK(scree_sample_measure_grid(&m->sample, &def, cell, message) == SCREE_OK);
    CHECK(cell[0].density == 0 && isnan(cell[0].velocity.x));
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(cells_sum_to_the_whole);
    CHECK_RUN(kernel_has_its_width);
    CHECK_RUN(uniform_motion_has_no_temperature);
    CHECK_RUN(bad_grids_are_refused);
    return check_result();
}
