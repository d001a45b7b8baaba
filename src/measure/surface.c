#include "measure/of_sample.h"
#include "base/memory.h"
#include "measure/repose.h"

/* The highest point in a column, and where it is along the two horizontal axes. */
typedef struct Top {
    double u[2], height;
    bool taken; /* by the centre of a body */
} Top;

typedef struct Columns {
    const Region *region;
    Vec3 up, across[2]; /* unit; the second is zero in two dimensions */
    const Cap *cap;     /* of the bodies in the region */
    size_t caps;
    double low[2], width;
    size_t count[2];
    Top *top;
} Columns;

static void make_caps(Columns *c, Cap *cap) {
    const ScreeSample *s = c->region->sample;
    for (size_t i = 0; i < s->bodies; i++) {
        if (scr_point_in_region(c->region, s->position[i])) {
            cap[c->caps++] = scr_cap_of(c->region, i, c->up, c->across);
        }
    }
    c->cap = cap;
}

/* From the first centre to the last; as far beyond the one as beyond the other, so that a heap that has
 * two equal sides shows them alike. */
static bool lay_columns(Columns *c) {
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < c->caps; i++) {
            low = scr_min(low, c->cap[i].u[k]);
            high = scr_max(high, c->cap[i].u[k]);
        }
        double columns = c->caps > 0 ? floor((high - low) / c->width) + 1 : 0;
        if (!(columns < 1e7)) {
            return false;
        }
        c->low[k] = low - 0.5 * (columns * c->width - (high - low));
        c->count[k] = (size_t)columns;
    }
    return c->count[0] * c->count[1] < 10000000;
}

static size_t column_at(const Columns *c, int axis, double u) {
    double k = floor((u - c->low[axis]) / c->width);
    return (size_t)scr_max(0, scr_min(k, (double)(c->count[axis] - 1)));
}

static void raise_columns(Columns *c, const Cap *cap) {
    size_t first[2], last[2];
    for (int k = 0; k < 2; k++) {
        first[k] = column_at(c, k, cap->u[k] - cap->reach[k][0]);
        last[k] = column_at(c, k, cap->u[k] + cap->reach[k][1]);
    }
    for (size_t j = first[1]; j <= last[1]; j++) {
        for (size_t k = first[0]; k <= last[0]; k++) {
            double low[2] = {c->low[0] + c->width * (double)k, c->low[1] + c->width * (double)j};
            double high[2] = {low[0] + c->width, low[1] + c->width}, at[2];
            double height = scr_cap_above(cap, low, high, at);
            Top *top = &c->top[j * c->count[0] + k];
            if (height > top->height) {
                *top = (Top){{at[0], at[1]}, height, top->taken};
            }
        }
    }
    c->top[column_at(c, 1, cap->u[1]) * c->count[0] + column_at(c, 0, cap->u[0])].taken = true;
}

static void fill_columns(Columns *c) {
    for (size_t k = 0; k < c->count[0] * c->count[1]; k++) {
        c->top[k] = (Top){.height = -INFINITY};
    }
    for (size_t i = 0; i < c->caps; i++) {
        raise_columns(c, &c->cap[i]);
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
}

static ScreeStatus measure(Columns *c, bool flat, double diameter, ScreeSurface *s, char *message) {
    Block block = {0};
    if (!lay_columns(c)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "the bodies are spread over more than 1e7 columns of width %g: choose a "
                        "region or a greater width",
                        c->width);
    }
    if (!scr_block_reserve_exact(&block, c->count[0] * c->count[1] + 1, sizeof(Top), 0)) {
        return scr_no_memory(message);
    }
    c->top = block.data;
    fit_columns(c, flat, s);
    scr_block_free(&block);
    Repose repose;
    SCR_TRY(scr_repose_fit(c->cap, c->caps, flat, diameter, c->width, &repose, message));
    s->repose = repose.angle;
    s->repose_error = repose.error;
    return SCREE_OK;
}

ScreeStatus scr_measure_surface(const ScreeSample *s, const ScreeMeasureDef *def, double column,
                                ScreeSurface *surface, char *message) {
    Region region;
    Block caps = {0};
    SCR_TRY(scr_region_make(s, def, &region, message));
    SCR_TRY(scr_need_box(&region, message));
    if (!(column >= 0 && isfinite(column))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "columns must have a width of at least 0");
    }
    const bool flat = s->dimension == 2;
    const double diameter = 2 * scr_mean_radius(s);
    Columns c = {.region = &region, .up = scr_up(s)};
    c.width = column > 0 ? column : scr_max(2 * diameter, 1e-300);
    c.across[0] = flat ? vec3(c.up.y, -c.up.x, 0) : perpendicular(c.up);
    c.across[1] = flat ? vec3(0, 0, 0) : cross(c.up, c.across[0]);
    if (!scr_block_reserve_exact(&caps, s->bodies + 1, sizeof(Cap), 0)) {
        return scr_no_memory(message);
    }
    make_caps(&c, caps.data);
    ScreeStatus status = measure(&c, flat, diameter, surface, message);
    scr_block_free(&caps);
    return status;
}
