#include "measure/of_sample.h"
#include "base/memory.h"
#include "measure/curve.h"
#include "measure/solid.h"

/* The top of the highest body in a column: its height, and where it is along the two horizontal
 * axes. */
typedef struct Top {
    double u[2], height;
    bool taken;
} Top;

typedef struct Columns {
    const Region *region;
    Vec3 up, across[2]; /* unit; the second is zero in two dimensions */
    double low[2], width;
    size_t count[2];
    Top *top;
    double centre[2]; /* of mass */
} Columns;

/* The image inside the periodic cell. */
static Vec3 wrapped(const Region *r, Vec3 x) {
    double p[3];
    to_array(x, p);
    for (int k = 0; k < 3; k++) {
        double low = component(r->sample->cell_min, k);
        p[k] -= r->side[k] > 0 ? r->side[k] * floor((p[k] - low) / r->side[k]) : 0;
    }
    return vec3(p[0], p[1], p[2]);
}

/* How far a body reaches upwards from its centre. */
static double reach_up(const ScreeSample *s, size_t i, Vec3 up) {
    const ScreeShape *shape = scr_shape_of(s, i);
    if (shape == NULL) {
        return s->radius[i];
    }
    if (shape->solid != NULL) {
        return scr_solid_height(shape->solid, s->orientation[i], up);
    }
    double cosine, sine, low[2], high[2];
    scr_turn_of(s->orientation[i], &cosine, &sine);
    scr_curve_reach(shape, cosine * up.y - sine * up.x, sine * up.y + cosine * up.x, low,
                    high); /* rotated so that up is along y */
    return high[1];
}

static bool lay_columns(const Region *r, Columns *c) {
    const ScreeSample *s = r->sample;
    double high[2] = {-INFINITY, -INFINITY}, mass = 0;
    c->low[0] = c->low[1] = INFINITY;
    for (size_t i = 0; i < s->bodies; i++) {
        if (!scr_point_in_region(r, s->position[i])) {
            continue;
        }
        Vec3 x = wrapped(r, s->position[i]);
        mass += s->mass[i];
        for (int k = 0; k < 2; k++) {
            double u = dot(x, c->across[k]);
            c->low[k] = scr_min(c->low[k], u);
            high[k] = scr_max(high[k], u);
            c->centre[k] += s->mass[i] * u;
        }
    }
    for (int k = 0; k < 2; k++) {
        double columns = mass > 0 ? floor((high[k] - c->low[k]) / c->width) + 1 : 0;
        c->centre[k] /= mass;
        c->count[k] = columns < 1e7 ? (size_t)columns : 0;
        if (!(columns < 1e7)) {
            return false;
        }
    }
    return c->count[0] * c->count[1] < 10000000;
}

static void fill_columns(Columns *c) {
    const ScreeSample *s = c->region->sample;
    for (size_t k = 0; k < c->count[0] * c->count[1]; k++) {
        c->top[k] = (Top){.taken = false};
    }
    for (size_t i = 0; i < s->bodies; i++) {
        if (!scr_point_in_region(c->region, s->position[i])) {
            continue;
        }
        Vec3 x = wrapped(c->region, s->position[i]);
        Top top = {{dot(x, c->across[0]), dot(x, c->across[1])},
                   dot(x, c->up) + reach_up(s, i, c->up),
                   true};
        size_t at[2];
        for (int k = 0; k < 2; k++) {
            at[k] = (size_t)((top.u[k] - c->low[k]) / c->width);
            at[k] = at[k] < c->count[k] ? at[k] : c->count[k] - 1;
        }
        Top *best = &c->top[at[1] * c->count[0] + at[0]];
        if (!best->taken || top.height > best->height) {
            *best = top;
        }
    }
}

/* Sums for the least-squares fit of h = mean + g (u - mean u), with u in one or two directions. */
typedef struct Fit {
    double n, u[2], h;       /* means */
    double uu[3], uh[2], hh; /* second moments about them: 00, 01, 11 */
} Fit;

static void fit_means(Fit *f, double u, double v, double h) {
    f->n++;
    f->u[0] += (u - f->u[0]) / f->n;
    f->u[1] += (v - f->u[1]) / f->n;
    f->h += (h - f->h) / f->n;
}

static void fit_moments(Fit *f, double u, double v, double h) {
    u -= f->u[0];
    v -= f->u[1];
    h -= f->h;
    f->uu[0] += u * u;
    f->uu[1] += u * v;
    f->uu[2] += v * v;
    f->uh[0] += u * h;
    f->uh[1] += v * h;
    f->hh += h * h;
}

/* The gradient, and the root mean square of what is left; NaN when the points do not suffice. */
static double fit_solve(const Fit *f, bool one_direction, double g[2]) {
    double size = f->uu[0] + f->uu[2], det = f->uu[0] * f->uu[2] - f->uu[1] * f->uu[1];
    if (one_direction) {
        g[0] = f->uu[0] > 0 ? f->uh[0] / f->uu[0] : NAN;
        g[1] = 0;
    } else if (det > 1e-12 * size * size) {
        g[0] = (f->uu[2] * f->uh[0] - f->uu[1] * f->uh[1]) / det;
        g[1] = (f->uu[0] * f->uh[1] - f->uu[1] * f->uh[0]) / det;
    } else {
        g[0] = g[1] = NAN;
    }
    return sqrt(scr_max(f->hh - g[0] * f->uh[0] - g[1] * f->uh[1], 0) / f->n) + 0 * g[0];
}

static void fit_plane(const Columns *c, bool flat, ScreeSurface *s) {
    Fit f = {0};
    double g[2];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < c->count[0] * c->count[1]; k++) {
            const Top *t = &c->top[k];
            if (t->taken) {
                (pass == 0 ? fit_means : fit_moments)(&f, t->u[0], t->u[1], t->height);
            }
        }
    }
    s->slope_error = fit_solve(&f, flat, g);
    Vec3 uphill = add(scale(g[0], c->across[0]), scale(g[1], c->across[1]));
    s->slope = 180 / M_PI * scr_atan(length(uphill));
    s->uphill = unit(uphill);
}

/* Fits columns between a fifth and four fifths of the height: no toe, and no rounded top. */
static void fit_cone(const Columns *c, ScreeSurface *s) {
    Fit f = {0};
    double g[2], from = s->lowest + 0.2 * (s->highest - s->lowest),
                 to = s->lowest + 0.8 * (s->highest - s->lowest);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < c->count[0] * c->count[1]; k++) {
            const Top *t = &c->top[k];
            if (t->taken && t->height >= from && t->height <= to) {
                double distance = scr_hypot(t->u[0] - c->centre[0], t->u[1] - c->centre[1]);
                (pass == 0 ? fit_means : fit_moments)(&f, distance, 0, t->height);
            }
        }
    }
    s->repose_error = fit_solve(&f, true, g);
    s->repose = 180 / M_PI * scr_atan(-g[0]);
}

static void fit_columns(Columns *c, bool flat, ScreeSurface *s) {
    *s = (ScreeSurface){.lowest = INFINITY, .highest = -INFINITY};
    fill_columns(c);
    for (size_t k = 0; k < c->count[0] * c->count[1]; k++) {
        if (c->top[k].taken) {
            s->columns++;
            s->lowest = scr_min(s->lowest, c->top[k].height);
            s->highest = scr_max(s->highest, c->top[k].height);
        }
    }
    if (s->columns == 0) {
        *s = (ScreeSurface){0, NAN, NAN, NAN, vec3(NAN, NAN, NAN), NAN, NAN, NAN};
        return;
    }
    fit_plane(c, flat, s);
    fit_cone(c, s);
}

ScreeStatus scr_measure_surface(const ScreeSample *s, const ScreeMeasureDef *def, double column,
                                ScreeSurface *surface, char *message) {
    Region region;
    Block block = {0};
    SCR_TRY(scr_region_make(s, def, &region, message));
    SCR_TRY(scr_need_box(&region, message));
    if (!(column >= 0 && isfinite(column))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "columns must have a width of at least 0");
    }
    Columns c = {.region = &region, .up = scr_up(s)};
    bool flat = s->dimension == 2;
    c.width = column > 0 ? column : scr_max(2 * scr_mean_radius(s), 1e-300);
    c.across[0] = flat ? vec3(c.up.y, -c.up.x, 0) : perpendicular(c.up);
    c.across[1] = flat ? vec3(0, 0, 0) : cross(c.up, c.across[0]);
    if (!lay_columns(&region, &c)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "the bodies are spread over more than 1e7 columns of width %g: choose a "
                        "region or a greater width",
                        c.width);
    }
    if (!scr_block_reserve_exact(&block, c.count[0] * c.count[1] + 1, sizeof(Top), 0)) {
        return scr_no_memory(message);
    }
    c.top = block.data;
    fit_columns(&c, flat, surface);
    scr_block_free(&block);
    return SCREE_OK;
}
