#include "measure/of_sample.h"
#include "base/memory.h"
#include "measure/gauss.h"
#include "measure/tensor.h"

/* A point spreads over the grid with the product of three cubic B-splines. A cell gets the integral
 * of the kernel over itself, so the weights of all cells telescope: they add up to one for a point
 * whose kernel lies within the grid. */

/* Integral up to t of the cubic B-spline with knots -2, -1, 0, 1, 2. */
static double spline_integral(double t) {
    double s = t > 0 ? -t : t, value;
    if (s <= -2) {
        value = 0;
    } else if (s < -1) {
        double u = 2 + s;
        value = u * u * u * u / 24;
    } else {
        value = 0.5 + s * (2.0 / 3 - s * s * (1.0 / 3 + s / 8));
    }
    return t > 0 ? 1 - value : value;
}

/* One direction of the grid. */
typedef struct Axis {
    int32_t cells, first, last; /* cells other than first to last have zero weight */
    double low, width, cell;    /* of the grid; of the kernel; of a cell */
    double side;                /* of the periodic cell, if the grid is as long; else 0 */
    bool flat;                  /* the dimension does not exist */
    double *weight;             /* [cells] */
} Axis;

typedef struct Grid {
    const ScreeSample *sample;
    Axis axis[3];
    ScreeCell *cell;
} Grid;

/* Adds the weights of one image of a point. */
static void add_image(Axis *a, double x) {
    double from = (x - 2 * a->width - a->low) / a->cell, to = (x + 2 * a->width - a->low) / a->cell;
    if (to <= 0 || from >= a->cells) {
        return;
    }
    int32_t first = from > 0 ? (int32_t)from : 0;
    int32_t last = to < a->cells ? (int32_t)to : a->cells - 1;
    double before = spline_integral((a->low + first * a->cell - x) / a->width);
    for (int32_t k = first; k <= last; k++) {
        double after = spline_integral((a->low + (k + 1) * a->cell - x) / a->width);
        a->weight[k] += after - before;
        before = after;
    }
    a->first = first < a->first ? first : a->first;
    a->last = last > a->last ? last : a->last;
}

static void spread_axis(Axis *a, double x) {
    for (int32_t k = a->first; k <= a->last; k++) {
        a->weight[k] = 0;
    }
    a->first = a->cells;
    a->last = -1;
    if (a->flat) {
        a->first = a->last = 0;
        a->weight[0] = 1;
    } else if (a->side > 0) {
        double reach = 2 * a->width, end = a->low + a->side;
        double least = ceil((a->low - reach - x) / a->side);
        double most = floor((end + reach - x) / a->side);
        for (double n = least; n <= most; n++) {
            add_image(a, x + n * a->side);
        }
    } else {
        add_image(a, x);
    }
}

typedef void Deposit(ScreeCell *cell, double weight, const void *context);

static void spread(Grid *g, Vec3 point, Deposit *deposit, const void *context) {
    for (int k = 0; k < 3; k++) {
        spread_axis(&g->axis[k], component(point, k));
    }
    const Axis *a = g->axis;
    for (int32_t k = a[2].first; k <= a[2].last; k++) {
        for (int32_t j = a[1].first; j <= a[1].last; j++) {
            size_t row = ((size_t)k * (size_t)a[1].cells + (size_t)j) * (size_t)a[0].cells;
            double across = a[2].weight[k] * a[1].weight[j];
            for (int32_t i = a[0].first; i <= a[0].last && across > 0; i++) {
                if (a[0].weight[i] > 0) {
                    deposit(&g->cell[row + (size_t)i], across * a[0].weight[i], context);
                }
            }
        }
    }
}

/* ---------------------------------------------------------------- what is spread */

typedef struct Load {
    double mass, volume;
    Vec3 velocity;
} Load;

static void deposit_mass(ScreeCell *cell, double weight, const void *context) {
    const Load *load = context;
    cell->density += weight * load->mass / cell->volume;
    cell->solid_fraction += weight * load->volume / cell->volume;
    cell->momentum = add_scaled(cell->momentum, weight * load->mass / cell->volume, load->velocity);
}

static void deposit_motion(ScreeCell *cell, double weight, const void *context) {
    const Load *load = context;
    const Vec3 about = sub(load->velocity, cell->velocity);
    const double v[3] = {about.x, about.y, about.z};
    for (int i = 0; i < 9; i++) {
        cell->kinetic_stress[i] += weight * load->mass / cell->volume * v[i / 3] * v[i % 3];
    }
}

static void deposit_stress(ScreeCell *cell, double weight, const void *context) {
    const Tensor *stress = context;
    for (int i = 0; i < 9; i++) {
        cell->stress[i] += weight / cell->volume * stress->at[i];
    }
}

static void spread_bodies(Grid *g, Deposit *deposit) {
    const ScreeSample *s = g->sample;
    for (size_t i = 0; i < s->bodies; i++) {
        const Load load = {s->mass[i], scr_body_volume(s, i), s->velocity[i]};
        spread(g, s->position[i], deposit, &load);
    }
}

/* The force x branch of a contact is spread along its branch: the integral of the kernel over the
 * line, by Gauss's rule with four points. */
static void spread_contacts(Grid *g, const Region *region) {
    const ScreeSample *s = g->sample;
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        if (!scr_active(c)) {
            continue;
        }
        Vec3 branch = scr_branch(region, c);
        for (int k = 0; k < GAUSS_POINTS; k++) {
            Tensor stress = {{0}};
            tensor_add(&stress, gauss_weight[k], scr_force(c), branch);
            spread(g, add_scaled(s->position[c->a.index], gauss_node[k], branch), deposit_stress,
                   &stress);
        }
    }
}

/* ---------------------------------------------------------------- the grid */

static ScreeStatus check_grid(const ScreeSample *s, const ScreeGridDef *def, char *message) {
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        cells *= def->cells[k];
        if (def->cells[k] < 1 || cells > 1e8) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "a grid must have at least one cell in each direction, and at most 1e8 in all");
        }
    }
    if (s->dimension == 2 && def->cells[2] != 1) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "in two dimensions a grid has one cell along z");
    }
    if (!(def->width >= 0 && isfinite(def->width))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the width must be at least 0");
    }
    return SCREE_OK;
}

/* Without given bounds the grid is large enough for the kernels of all bodies. */
static ScreeStatus lay_axes(const Region *r, const ScreeGridDef *def, Grid *g, char *message) {
    double width = def->width > 0 ? def->width : scr_mean_radius(r->sample);
    width = width > 0 ? width : 1;
    for (int k = 0; k < 3; k++) {
        Axis *a = &g->axis[k];
        double reach = r->side[k] > 0 ? 0 : 2 * width;
        double low = r->low[k] - (isfinite(component(def->min, k)) ? 0 : reach);
        double high = r->high[k] + (isfinite(component(def->max, k)) ? 0 : reach);
        a->flat = k >= r->sample->dimension;
        a->width = width;
        a->low = a->flat ? 0 : low;
        a->cell = a->flat ? 1 : (high - low) / a->cells;
        a->side = !r->cut[k] ? r->side[k] : 0;
        a->first = 0;
        a->last = a->cells - 1;
        if (!(a->cell > 0)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "the grid has no volume");
        }
        if (a->side > 0 && width > 50 * a->side) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "the kernel is far wider than the periodic cell");
        }
    }
    return SCREE_OK;
}

static void begin_cells(Grid *g) {
    const Axis *a = g->axis;
    double volume = a[0].cell * a[1].cell * a[2].cell;
    size_t at = 0;
    for (int32_t k = 0; k < a[2].cells; k++) {
        for (int32_t j = 0; j < a[1].cells; j++) {
            for (int32_t i = 0; i < a[0].cells; i++) {
                g->cell[at++] =
                    (ScreeCell){.centre = vec3(a[0].low + (i + 0.5) * a[0].cell,
                                               a[1].low + (j + 0.5) * a[1].cell,
                                               a[2].flat ? 0 : a[2].low + (k + 0.5) * a[2].cell),
                                .volume = volume};
            }
        }
    }
}

/* Velocities are momenta over densities, which are known only now. */
static void end_masses(Grid *g, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ScreeCell *c = &g->cell[i];
        c->velocity = vec3(c->momentum.x / c->density, c->momentum.y / c->density,
                           c->momentum.z / c->density);
    }
}

static void fill(Grid *g, const Region *region) {
    const Axis *a = g->axis;
    size_t count = (size_t)a[0].cells * (size_t)a[1].cells * (size_t)a[2].cells;
    begin_cells(g);
    spread_bodies(g, deposit_mass);
    end_masses(g, count);
    spread_bodies(g, deposit_motion);
    spread_contacts(g, region);
    for (size_t i = 0; i < count; i++) {
        const double *k = g->cell[i].kinetic_stress;
        g->cell[i].temperature = (k[0] + k[4] + k[8]) / (g->cell[i].density * g->sample->dimension);
    }
}

ScreeStatus scr_measure_grid(const ScreeSample *s, const ScreeGridDef *def, ScreeCell *cell,
                             char *message) {
    Region region;
    Grid g = {.sample = s, .cell = cell};
    Block block = {0};
    const ScreeMeasureDef bounds = {.min = def->min, .max = def->max};
    SCR_TRY(check_grid(s, def, message));
    SCR_TRY(scr_region_make(s, &bounds, &region, message));
    SCR_TRY(scr_need_box(&region, message));
    size_t total = 0;
    for (int k = 0; k < 3; k++) {
        g.axis[k].cells = def->cells[k];
        total += (size_t)def->cells[k];
    }
    if (!scr_block_reserve_exact(&block, total, sizeof(double), 0)) {
        return scr_no_memory(message);
    }
    double *room = block.data;
    for (int k = 0; k < 3; k++) {
        g.axis[k].weight = room;
        room += def->cells[k];
    }
    ScreeStatus status = lay_axes(&region, def, &g, message);
    if (status == SCREE_OK) {
        fill(&g, &region);
    }
    scr_block_free(&block);
    return status;
}
