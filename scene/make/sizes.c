#include "scene/make/sizes.h"

#include "math/elementary.h"
#include "scene/read/reader.h"

#include <math.h>

/* ---------------------------------------------------------------- drawing */

/* A normal deviate by Marsaglia's polar method. */
static double draw_normal(SceneRandom *random) {
    for (;;) {
        double u = 2 * scene_uniform(random) - 1, v = 2 * scene_uniform(random) - 1;
        double s = u * u + v * v;
        if (s > 0 && s < 1) {
            return u * sqrt(-2 * scr_log(s) / s);
        }
    }
}

/* Uniform between -sqrt(3) and sqrt(3), where its variance is 1. */
double scene_draw_deviate(int kind, SceneRandom *random) {
    return kind == SPREAD_UNIFORM ? sqrt(3) * (2 * scene_uniform(random) - 1) : draw_normal(random);
}

/* Density r^-p on [a, b] by the inverse of its distribution, in q = r/a to keep the powers
 * small. */
static double draw_power(const SceneSizes *sizes, double u) {
    double a = sizes->min, q = sizes->max / a, k = 1 - sizes->exponent, r;
    if (sizes->exponent == 2) {
        r = a / (1 - u * (1 - 1 / q));
    } else if (sizes->exponent == 3) {
        r = a / sqrt(1 - u * (1 - 1 / (q * q)));
    } else if (fabs(k) < 1e-9) {
        r = a * scr_exp(u * scr_log(q));
    } else {
        double l = scr_log(q);
        double top = scr_exp(k * l);
        r = a * scr_exp(scr_log(1 + u * (top - 1)) / k);
    }
    return scr_min(scr_max(r, a), sizes->max);
}

/* What lies outside the cuts is drawn again; the reader has made sure that this does not take
 * long. */
static double draw_bell(const SceneSizes *sizes, SceneRandom *random) {
    for (;;) {
        double z = draw_normal(random), r;
        if (sizes->kind == SIZES_NORMAL) {
            r = sizes->middle + sizes->deviation * z;
        } else {
            r = sizes->middle * scr_exp(sizes->deviation * z);
        }
        if (r >= sizes->min && r <= sizes->max) {
            return r;
        }
    }
}

double scene_draw_radius(const SceneSizes *sizes, SceneRandom *random, size_t k) {
    switch (sizes->kind) {
    case SIZES_LIST:
        return sizes->list[k % sizes->count];
    case SIZES_UNIFORM:
        return sizes->min + scene_uniform(random) * (sizes->max - sizes->min);
    case SIZES_POWER:
        return draw_power(sizes, scene_uniform(random));
    case SIZES_TWO:
        return scene_uniform(random) < sizes->share ? sizes->max : sizes->min;
    case SIZES_NORMAL:
    case SIZES_LOGNORMAL:
        return draw_bell(sizes, random);
    case SIZES_ONE:
    case SIZES_NONE:
        break;
    }
    return sizes->min;
}

/* ---------------------------------------------------------------- reading */

static bool from_power(SceneReader *reader, int node, const ScenePowerSpec *power,
                       SceneSizes *sizes) {
    if (!(power->min < power->max)) {
        return scene_wrong_type(reader, node, "given with min below max");
    }
    if (fabs(power->exponent) > 20 || power->max / power->min > 1e6) {
        return scene_wrong_type(reader, node,
                                "given with an exponent from -20 to 20 and max at most 1e6 min");
    }
    *sizes = (SceneSizes){
        .kind = SIZES_POWER, .min = power->min, .max = power->max, .exponent = power->exponent};
    return true;
}

static bool from_two(SceneReader *reader, int node, const SceneTwoSpec *two, SceneSizes *sizes) {
    if (!(two->small < two->large)) {
        return scene_wrong_type(reader, node, "given with small below large");
    }
    double share = two->fraction;
    if (two->by_volume) {
        /* n large grains of volume V and N - n small ones of volume v: n V / (n V + (N - n) v) =
         * fraction */
        double q = two->small / two->large;
        double v = reader->dimension == 2 ? q * q : q * q * q;
        share = share * v / (share * v + (1 - share));
    }
    *sizes = (SceneSizes){.kind = SIZES_TWO, .min = two->small, .max = two->large, .share = share};
    return true;
}

static bool from_bell(SceneReader *reader, int node, const SceneBellSpec *bell, bool normal,
                      SceneSizes *sizes) {
    double m = bell->middle, s = bell->deviation;
    *sizes =
        (SceneSizes){.kind = normal ? SIZES_NORMAL : SIZES_LOGNORMAL, .middle = m, .deviation = s};
    if (!normal && s > 5) {
        return scene_wrong_type(reader, node, "given with a deviation of at most 5");
    }
    if (bell->cut.given) {
        sizes->min = bell->cut.from;
        sizes->max = bell->cut.to;
    } else {
        sizes->min = normal ? m - 3 * s : m * scr_exp(-3 * s);
        sizes->max = normal ? m + 3 * s : m * scr_exp(3 * s);
    }
    if (!(sizes->min > 0)) {
        return scene_wrong_type(reader, node, "cut above 0: give 'cut: [smallest, largest]'");
    }
    double width = normal ? (sizes->max - sizes->min) / s : scr_log(sizes->max / sizes->min) / s;
    if (!(sizes->min <= m && m <= sizes->max) || width < 0.1) {
        return scene_wrong_type(reader, node,
                                "cut at both sides of its middle, a tenth of the deviation apart "
                                "or more (or use 'uniform')");
    }
    return true;
}

static bool from_section(SceneReader *reader, const SceneKey *key, int node, SceneSizes *sizes) {
    SceneSizesSpec spec = {0};
    if (!scene_read_section(reader, key->section, node, &spec)) {
        return false;
    }
    if (scene_pairs(reader->document, node) != 1) {
        return scene_wrong_type(reader, node, "one distribution, such as {uniform: [1, 2]}");
    }
    if (spec.uniform.given) {
        *sizes =
            (SceneSizes){.kind = SIZES_UNIFORM, .min = spec.uniform.from, .max = spec.uniform.to};
        return true;
    }
    if (spec.uniform_volume.given) {
        /* equal volume in equal intervals of the radius: number density r^-dimension */
        *sizes = (SceneSizes){.kind = SIZES_POWER,
                              .min = spec.uniform_volume.from,
                              .max = spec.uniform_volume.to,
                              .exponent = reader->dimension};
        return true;
    }
    if (spec.power.head.node) {
        return from_power(reader, node, &spec.power, sizes);
    }
    if (spec.two.head.node) {
        return from_two(reader, node, &spec.two, sizes);
    }
    bool normal = spec.normal.head.node != 0;
    return from_bell(reader, node, normal ? &spec.normal : &spec.lognormal, normal, sizes);
}

static bool from_list(SceneReader *reader, const SceneKey *key, int node, SceneSizes *sizes) {
    const char *expected = "a number, a list of numbers or a distribution";
    sizes->kind = SIZES_LIST;
    if (!scene_read_list(reader, key, node, expected, &sizes->list, &sizes->count)) {
        return false;
    }
    sizes->min = sizes->max = sizes->list[0];
    for (size_t i = 1; i < sizes->count; i++) {
        sizes->min = scr_min(sizes->min, sizes->list[i]);
        sizes->max = scr_max(sizes->max, sizes->list[i]);
    }
    return true;
}

static bool read_sizes(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneSizes *sizes = field;
    const yaml_node_t *n = scene_node(reader->document, node);
    if (n && n->type == YAML_MAPPING_NODE) {
        return from_section(reader, key, node, sizes);
    }
    if (n && n->type == YAML_SEQUENCE_NODE) {
        return from_list(reader, key, node, sizes);
    }
    sizes->kind = SIZES_ONE;
    if (!scene_read_number(reader, key, node, &sizes->min)) {
        return false;
    }
    sizes->max = sizes->min;
    return true;
}

const SceneType scene_type_sizes = {"a number, a list of numbers, or a distribution", NULL,
                                    read_sizes, false, false};
