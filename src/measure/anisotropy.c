/* What the stress of a packing owes to the directions of its contacts, of their forces and of the
 * branches that join the bodies.
 *
 * Four tensors with trace 1, each with one cause more than the one before it:
 *
 *     F = <n n>                       directions of normals
 *     G = <f_n n n> / <f_n>           ... weighted by normal forces
 *     H = <f n> / <f_n>               ... with tangential forces (f . n = f_n)
 *     S = <f l> / <f . l>             ... with the true branches: the stress over its trace
 *
 * The differences of their deviatoric parts, along that of S, are the anisotropies a_c, a_n, a_t and
 * a_l; so their sum is the stress ratio times a constant, exactly: q/p = (a_c + a_n + a_t + a_l)/2 in
 * the plane, 3/5 of the sum in space. To first order these are the amplitudes that are fitted to the
 * directional averages of f_n and f_t. */
#include "base/memory.h"
#include "measure/of_sample.h"
#include "measure/tensor.h"

#include <stdlib.h>

/* A pair of bodies with the force-weighted sum of its normals. */
typedef struct Pair {
    int32_t a, b;
    Vec3 normal, branch;
} Pair;

typedef struct Sums {
    double points, force;
    Tensor normals, forced_normals, forces, stress;
} Sums;

static bool counts(const Region *r, const ScreeContactForce *c) {
    return scr_active(c) && !scree_partner_is_wall(c->b) && scr_point_in_region(r, c->point);
}

static void add_contact(Sums *s, const ScreeContactForce *c, Vec3 branch) {
    s->points++;
    s->force += c->force_normal;
    tensor_add(&s->normals, 1, c->normal, c->normal);
    tensor_add(&s->forced_normals, c->force_normal, c->normal, c->normal);
    tensor_add(&s->forces, 1, scr_force(c), c->normal);
    tensor_add(&s->stress, 1, scr_force(c), branch);
}

/* ---------------------------------------------------------------- along the stress */

/* The direction of the deviatoric stress, as a tensor of length one. */
static bool stress_direction(const Tensor *stress, int d, Tensor *direction) {
    const Tensor s = scr_deviatoric(stress, d);
    double square = tensor_product(&s, &s);
    *direction = tensor_scaled(1 / sqrt(square), &s);
    return square > 0;
}

/* The deviator of t / trace along the direction: of the same size as scr_deviator where both have the
 * same axes. */
static double deviator_along(const Tensor *t, const Tensor *direction, int d) {
    const Tensor part = scr_deviatoric(t, d);
    return sqrt(d == 2 ? 0.5 : 1.5) * tensor_product(&part, direction) / tensor_trace(t);
}

/* As for the fabric (numbers.c): 4 times the deviator in the plane, 5 times in space. */
static double amplitude(const Tensor *t, const Tensor *direction, int d) {
    return (d == 2 ? 4 : 5) * deviator_along(t, direction, d);
}

static void set_causes(const Sums *s, const Tensor *direction, int d, ScreeAnisotropy *a) {
    const double normals = amplitude(&s->normals, direction, d);
    const double forced = amplitude(&s->forced_normals, direction, d);
    const double forces = amplitude(&s->forces, direction, d);
    const double stress = amplitude(&s->stress, direction, d);
    a->a_c = normals;
    a->a_n = forced - normals;
    a->a_t = forces - forced;
    a->a_l = stress - forces;
    a->stress_ratio = d * deviator_along(&s->stress, direction, d);
}

static void set_networks(const Sums *strong, const Sums *weak, const Tensor *direction, int d,
                         ScreeAnisotropy *a) {
    const double trace = tensor_trace(&strong->stress) + tensor_trace(&weak->stress);
    const double share_strong = tensor_trace(&strong->stress) / trace;
    const double share_weak = tensor_trace(&weak->stress) / trace;
    a->a_c_strong = amplitude(&strong->normals, direction, d);
    a->a_c_weak = amplitude(&weak->normals, direction, d);
    a->ratio_strong = d * share_strong * deviator_along(&strong->stress, direction, d);
    a->ratio_weak = d * share_weak * deviator_along(&weak->stress, direction, d);
}

/* ---------------------------------------------------------------- pairs */

static int by_bodies(const void *left, const void *right) {
    const Pair *p = left, *q = right;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* One entry for each pair in place of one for each point. */
static size_t merge_pairs(Pair *pair, size_t points) {
    qsort(pair, points, sizeof *pair, by_bodies);
    size_t pairs = 0;
    for (size_t i = 0; i < points; i++) {
        if (pairs > 0 && by_bodies(&pair[pairs - 1], &pair[i]) == 0) {
            pair[pairs - 1].normal = add(pair[pairs - 1].normal, pair[i].normal);
        } else {
            pair[pairs++] = pair[i];
        }
    }
    return pairs;
}

static void set_pairs(const Pair *pair, size_t pairs, const Tensor *direction, int d,
                      ScreeAnisotropy *a) {
    Tensor normals = {{0}}, branches = {{0}};
    for (size_t i = 0; i < pairs; i++) {
        Vec3 n, l;
        if (direction_of(pair[i].normal, &n)) {
            tensor_add(&normals, 1, n, n);
        }
        if (direction_of(pair[i].branch, &l)) {
            tensor_add(&branches, 1, l, l);
        }
    }
    a->pairs = (int64_t)pairs;
    a->a_pairs = amplitude(&normals, direction, d);
    a->a_branches = amplitude(&branches, direction, d);
}

/* ---------------------------------------------------------------- all together */

static size_t sum_contacts(const Region *r, Pair *pair, Sums *all) {
    const ScreeSample *s = r->sample;
    size_t points = 0;
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        if (counts(r, c)) {
            const Vec3 branch = scr_branch(r, c);
            add_contact(all, c, branch);
            pair[points++] =
                (Pair){c->a.index, c->b.code, scale(c->force_normal, c->normal), branch};
        }
    }
    return points;
}

static void sum_networks(const Region *r, double mean, Sums *strong, Sums *weak) {
    const ScreeSample *s = r->sample;
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        if (counts(r, c)) {
            add_contact(c->force_normal > mean ? strong : weak, c, scr_branch(r, c));
        }
    }
}

ScreeStatus scr_measure_anisotropy(const ScreeSample *s, const ScreeMeasureDef *def,
                                   ScreeAnisotropy *a, char *message) {
    Region region;
    Block block = {0};
    SCR_TRY(scr_region_make(s, def, &region, message));
    if (!scr_block_reserve_exact(&block, s->contacts + 1, sizeof(Pair), 0)) {
        return scr_no_memory(message);
    }
    Sums all = {0}, strong = {0}, weak = {0};
    Tensor direction;
    const size_t points = sum_contacts(&region, block.data, &all);
    sum_networks(&region, all.force / all.points, &strong, &weak);
    if (!stress_direction(&all.stress, s->dimension, &direction)) {
        direction = tensor_scaled(NAN, &all.stress);
    }
    const size_t pairs = merge_pairs(block.data, points);
    a->points = (int64_t)points;
    set_causes(&all, &direction, s->dimension, a);
    set_pairs(block.data, pairs, &direction, s->dimension, a);
    set_networks(&strong, &weak, &direction, s->dimension, a);
    scr_block_free(&block);
    return SCREE_OK;
}
