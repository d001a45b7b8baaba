#include "measure/profile.h"

#include "measure/of_sample.h"
#include "measure/tensor.h"

#include <string.h>

/* ---------------------------------------------------------------- sums over a sample */

static void add_body(const Slices *s, size_t slice, size_t body, SliceSums *sums) {
    const ScreeSample *sample = s->region.sample;
    const double part = scr_slice_body(s, slice, body);
    if (!(part > 0)) {
        return;
    }
    const double share = part / scr_body_volume(sample, body), mass = share * sample->mass[body];
    const Vec3 x = sample->position[body];
    double v[3];
    to_array(scr_slice_components(s, x, sample->velocity[body]), v);
    /* from the middle of the slice, or little would be left of sums of squares far away */
    const double place = scr_slice_place(s, slice, x) - s->low - s->width * ((double)slice + 0.5);
    sums->solid += part;
    sums->mass += mass;
    sums->bodies += share;
    sums->diameters += share * 2 * sample->radius[body];
    sums->place[0] += mass * place;
    sums->place[1] += mass * place * place;
    for (int i = 0; i < 3; i++) {
        sums->momentum[i] += mass * v[i];
        sums->moment[i] += mass * v[i] * place;
        for (int k = 0; k < 3; k++) {
            sums->motion[3 * i + k] += mass * v[i] * v[k];
        }
    }
}

static void add_contact(const Slices *s, size_t slice, const ScreeContactForce *c, Vec3 branch,
                        SliceSums *sums) {
    Vec3 middle;
    const double part =
        scr_slice_line(s, slice, s->region.sample->position[c->a.index], branch, &middle);
    if (part > 0) {
        Tensor stress = {{0}};
        tensor_add(&stress, part, scr_slice_components(s, middle, scr_force(c)),
                   scr_slice_components(s, middle, branch));
        for (int i = 0; i < 9; i++) {
            sums->stress[i] += stress.at[i];
        }
    }
}

/* What is the same for all bodies. The cell stands still at its corner, and carries bodies along elsewhere. */
static SliceSums begin_slice(const Slices *s, size_t slice) {
    const ScreeSample *sample = s->region.sample;
    const double low = s->low + s->width * (double)slice;
    const double from_corner = low + 0.5 * s->width - dot(s->normal, sample->cell_min);
    SliceSums sums = {
        .samples = 1, .low = low, .high = low + s->width, .volume = scr_slice_volume(s, slice)};
    to_array(s->normal, sums.normal);
    for (int i = 0; i < 9; i++) {
        sums.rate[i] = sample->rate[i];
        sums.carried[i / 3] += sample->rate[i] * sums.normal[i % 3] * from_corner;
    }
    return sums;
}

static void sum_slices(const Slices *s, SliceSums *sums) {
    const ScreeSample *sample = s->region.sample;
    for (size_t k = 0; k < s->count; k++) {
        sums[k] = begin_slice(s, k);
        for (size_t i = 0; i < sample->bodies; i++) {
            add_body(s, k, i, &sums[k]);
        }
    }
    for (size_t i = 0; i < sample->contacts; i++) {
        const ScreeContactForce *c = &sample->contact[i];
        if (scr_active(c)) {
            const Vec3 branch = scr_branch(&s->region, c);
            for (size_t k = 0; k < s->count; k++) {
                add_contact(s, k, c, branch, &sums[k]);
            }
        }
    }
}

ScreeStatus scr_profile_cover(ScreeProfile *p, const ScreeSample *sample, char *message) {
    const ScreeMeasureDef whole = {.min = vec3(-INFINITY, -INFINITY, -INFINITY),
                                   .max = vec3(INFINITY, INFINITY, INFINITY)};
    Region checked;
    SCR_TRY(scr_region_make(sample, &whole, &checked, message));
    scr_reach_add(&p->reach, sample, &p->def);
    return SCREE_OK;
}

ScreeStatus scr_profile_add(ScreeProfile *p, const ScreeSample *sample, char *message) {
    Slices slices;
    if (p->dimension != 0 && sample->dimension != p->dimension) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "all samples of a profile have the same dimension");
    }
    if (p->samples == 0 && p->reach.bodies == 0) {
        SCR_TRY(scr_profile_cover(p, sample, message));
    }
    ScreeProfileDef def = p->def;
    def.bins = p->bins > 0 ? (int32_t)p->bins : def.bins;
    SCR_TRY(scr_slices_make(sample, &def, &p->reach, &slices, message));
    const size_t kept = p->samples * slices.count;
    if (!SCR_RESERVE_KEEPING(p, sums, kept + slices.count, kept)) {
        return scr_no_memory(message);
    }
    p->dimension = sample->dimension;
    p->bins = slices.count;
    sum_slices(&slices, p->sums + kept);
    p->samples++;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- from sums to numbers */

static void add_sums(SliceSums *to, double sign, const SliceSums *from) {
    double *a = (double *)to;
    const double *b = (const double *)from;
    for (size_t i = 0; i < SLICE_SUMS; i++) {
        a[i] += sign * b[i];
    }
}

/* The mean flow of a slice is the straight line through the velocities of its bodies against their places
 * that fits best, by mass. So a flow that is linear has no temperature, however thick the slice. */
typedef struct Flow {
    double mean[3];
    double place;    /* of the centre of mass, along the axis */
    double slope[3]; /* of the velocity; NaN where all bodies are at one place */
    Tensor about;    /* sum of mass times velocity times velocity, about the flow */
} Flow;

static Flow flow_of(const SliceSums *s) {
    const double spread = s->place[1] - s->place[0] * s->place[0] / s->mass;
    const double diameter = s->diameters / s->bodies;
    const bool fits = spread > 1e-8 * s->mass * diameter * diameter;
    Flow f = {.place = 0.5 * (s->low + s->high) / s->samples + s->place[0] / s->mass};
    double lean[3];
    for (int i = 0; i < 3; i++) {
        f.mean[i] = s->momentum[i] / s->mass;
        lean[i] = s->moment[i] - s->place[0] * f.mean[i];
        f.slope[i] = fits ? lean[i] / spread : NAN;
    }
    for (int i = 0; i < 9; i++) {
        f.about.at[i] = s->motion[i] - s->momentum[i / 3] * f.mean[i % 3] -
                        (fits ? lean[i / 3] * lean[i % 3] / spread : 0);
    }
    return f;
}

/* The gradient of the velocity: that of the cell, and of the mean flow relative to it. About an axis
 * outwards is x, around it y, and v_y / r and v_x / r come from the turning directions. */
static Tensor gradient_of(const SliceSums *s, const Flow *f, int axis) {
    Tensor g;
    if (axis == SCREE_PROFILE_R) {
        return (Tensor){{f->slope[0], -f->mean[1] / f->place, 0, f->slope[1], f->mean[0] / f->place,
                         0, f->slope[2], 0, 0}};
    }
    for (int i = 0; i < 9; i++) {
        g.at[i] = s->rate[i] / s->samples;
    }
    tensor_add(&g, 1, vec3(f->slope[0], f->slope[1], f->slope[2]),
               unit(vec3(s->normal[0], s->normal[1], s->normal[2])));
    return g;
}

static double size_of(const Tensor *t, int d) {
    const Tensor part = scr_deviatoric(t, d);
    return sqrt(0.5 * tensor_product(&part, &part));
}

static void set_stress(const Tensor *contacts, const Tensor *kinetic, ScreeProfileNumbers *n) {
    double *const of[9] = {&n->stress_xx, &n->stress_xy, &n->stress_xz,
                           &n->stress_yx, &n->stress_yy, &n->stress_yz,
                           &n->stress_zx, &n->stress_zy, &n->stress_zz};
    double *const moving[9] = {&n->kinetic_xx, &n->kinetic_xy, &n->kinetic_xz,
                               NULL,           &n->kinetic_yy, &n->kinetic_yz,
                               NULL,           NULL,           &n->kinetic_zz};
    for (int i = 0; i < 9; i++) {
        *of[i] = contacts->at[i];
        if (moving[i] != NULL) {
            *moving[i] = kinetic->at[i];
        }
    }
}

static ScreeProfileNumbers numbers_of(const SliceSums *s, int axis, int d) {
    const Flow f = flow_of(s);
    const Tensor gradient = gradient_of(s, &f, axis), none = {{0}};
    const Tensor kinetic = s->mass > 0 ? tensor_scaled(1 / s->volume, &f.about) : none;
    Tensor contacts;
    memcpy(contacts.at, s->stress, sizeof contacts.at);
    contacts = tensor_scaled(1 / s->volume, &contacts);
    const Tensor both = tensor_sum(&contacts, &kinetic);
    const double p = tensor_trace(&both) / d, rate = 2 * size_of(&gradient, d);
    ScreeProfileNumbers n = {.bodies = s->bodies / s->samples,
                             .solid_fraction = s->solid / s->volume,
                             .velocity_x = f.mean[0] + s->carried[0] / s->samples,
                             .velocity_y = f.mean[1] + s->carried[1] / s->samples,
                             .velocity_z = f.mean[2] + s->carried[2] / s->samples,
                             .temperature = scr_max(tensor_trace(&f.about), 0) / (s->mass * d),
                             .pressure = p,
                             .mu = p > 0 ? size_of(&both, d) / p : NAN,
                             .shear_rate = rate};
    set_stress(&contacts, &kinetic, &n);
    n.inertial_number =
        p > 0 ? rate * s->diameters / s->bodies * sqrt(s->mass / s->solid / p) : NAN;
    return n;
}

/* ---------------------------------------------------------------- means and errors */

static SliceSums sum_samples(const ScreeProfile *p, size_t bin, size_t from, size_t to) {
    SliceSums sum = {0};
    for (size_t i = from; i < to; i++) {
        add_sums(&sum, 1, &p->sums[i * p->bins + bin]);
    }
    return sum;
}

size_t scr_profile_blocks(const ScreeProfile *p) {
    const size_t asked = (size_t)p->def.blocks;
    return asked < p->samples ? asked : p->samples;
}

/* The jackknife: numbers without one block of consecutive samples, for each of n blocks. Their variance times
 * n - 1 is that of the mean, also of ratios and other functions of sums. */
static ScreeProfileNumbers errors_of(const ScreeProfile *p, size_t bin, const SliceSums *all) {
    enum { NUMBERS = sizeof(ScreeProfileNumbers) / sizeof(double) };
    const size_t blocks = scr_profile_blocks(p);
    double mean[NUMBERS] = {0}, square[NUMBERS] = {0}, first[NUMBERS] = {0};
    for (size_t b = 0; b < blocks; b++) {
        const SliceSums block =
            sum_samples(p, bin, b * p->samples / blocks, (b + 1) * p->samples / blocks);
        SliceSums others = *all;
        add_sums(&others, -1, &block);
        const ScreeProfileNumbers n = numbers_of(&others, p->def.axis, p->dimension);
        double found[NUMBERS];
        memcpy(found, &n, sizeof found);
        for (int i = 0; i < NUMBERS; i++) { /* from the first: small differences of large numbers */
            first[i] = b == 0 ? found[i] : first[i];
            mean[i] += (found[i] - first[i]) / (double)blocks;
            square[i] += (found[i] - first[i]) * (found[i] - first[i]) / (double)blocks;
        }
    }
    for (int i = 0; i < NUMBERS; i++) {
        const double variance = scr_max(square[i] - mean[i] * mean[i], 0);
        mean[i] = blocks > 1 && isfinite(square[i]) ? sqrt((double)(blocks - 1) * variance) : NAN;
    }
    ScreeProfileNumbers error;
    memcpy(&error, mean, sizeof error);
    return error;
}

void scr_profile_get_bins(const ScreeProfile *p, ScreeProfileBin *bin) {
    for (size_t k = 0; k < p->bins; k++) {
        const SliceSums all = sum_samples(p, k, 0, p->samples);
        bin[k] = (ScreeProfileBin){.low = all.low / all.samples,
                                   .high = all.high / all.samples,
                                   .mean = numbers_of(&all, p->def.axis, p->dimension),
                                   .error = errors_of(p, k, &all)};
    }
}
