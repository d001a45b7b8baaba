#include "measure/slices.h"

#include "measure/of_sample.h"
#include "measure/rings.h"
#include "measure/room.h"

/* ---------------------------------------------------------------- shells */

static Vec3 axis_of(const ScreeProfileDef *def) {
    return unit(def->direction);
}

/* A point about an axis: how far out and how far along. */
typedef struct Polar {
    double radius, along;
    Vec3 outwards; /* not of length one */
} Polar;

static Polar polar(Vec3 centre, Vec3 along, Vec3 point) {
    const Vec3 from = sub(point, centre);
    const double height = dot(from, along);
    const Vec3 outwards = add_scaled(from, -height, along);
    return (Polar){length(outwards), height, outwards};
}

/* The interval of t from 0 to 1 in which p + t q is within the radius and between the ends. */
typedef struct Interval {
    double from, to;
} Interval;

static void bound_interval(Interval *i, double at, double slope, double low, double high) {
    if (slope == 0) {
        i->to = at >= low && at < high ? i->to : i->from;
        return;
    }
    const double a = (low - at) / slope, b = (high - at) / slope;
    i->from = scr_max(i->from, scr_min(a, b));
    i->to = scr_max(i->from, scr_min(i->to, scr_max(a, b)));
}

static Interval inside_cylinder(const Slices *s, Vec3 begin, Vec3 along, double radius) {
    const Polar p = polar(s->centre, s->along, begin);
    const double rise = dot(along, s->along);
    const Vec3 q = add_scaled(along, -rise, s->along);
    const double a = dot(q, q), b = dot(p.outwards, q);
    const double c = (p.radius - radius) * (p.radius + radius);
    const double root = b * b - a * c;
    Interval i = {0, 0};
    if (a == 0) {
        i.to = c < 0 ? 1 : 0;
    } else if (root > 0) {
        i.from = scr_min(scr_max((-b - sqrt(root)) / a, 0), 1);
        i.to = scr_max(scr_min((-b + sqrt(root)) / a, 1), i.from);
    }
    if (s->region.sample->dimension == 3) {
        bound_interval(&i, p.along, rise, s->begin, s->end);
    }
    return i;
}

static double line_in_shell(const Slices *s, size_t slice, Vec3 begin, Vec3 along, Vec3 *middle) {
    const double inner = s->width * (double)slice;
    const Interval large = inside_cylinder(s, begin, along, inner + s->width);
    const Interval hole =
        inner > 0 ? inside_cylinder(s, begin, along, inner) : (Interval){large.from, large.from};
    const double whole = large.to - large.from, less = hole.to - hole.from, share = whole - less;
    if (share > 0) {
        const double twice = (large.from + large.to) * whole - (hole.from + hole.to) * less;
        *middle = add_scaled(begin, 0.5 * twice / share, along);
    }
    return scr_max(share, 0);
}

static double body_in_cylinder(const Slices *s, const Polar *p, double r, double radius) {
    if (p->radius >= r + radius) {
        return 0;
    }
    return s->region.sample->dimension == 2
               ? scr_disk_in_disk(r, p->radius, radius)
               : scr_ball_in_cylinder(r, p->radius, radius, s->begin - p->along, s->end - p->along);
}

static double body_in_shell(const Slices *s, size_t slice, size_t body) {
    const ScreeSample *sample = s->region.sample;
    const Polar p = polar(s->centre, s->along, sample->position[body]);
    const double r = sample->radius[body], inner = s->width * (double)slice;
    if (p.radius + r <= inner || p.radius - r >= inner + s->width) {
        return 0;
    }
    return scr_max(body_in_cylinder(s, &p, r, inner + s->width) - body_in_cylinder(s, &p, r, inner),
                   0);
}

/* ---------------------------------------------------------------- making them */

void scr_reach_add(Reach *reach, const ScreeSample *s, const ScreeProfileDef *def) {
    const Vec3 along = axis_of(def);
    for (size_t i = 0; i < s->bodies; i++) {
        const Polar p = polar(def->centre, along, s->position[i]);
        const double r = s->radius[i];
        double low[3], high[3];
        scr_body_box(s, i, low, high);
        for (int k = 0; k < 3; k++) {
            reach->low[k] = scr_min(reach->low[k], low[k]);
            reach->high[k] = scr_max(reach->high[k], high[k]);
        }
        reach->radius = scr_max(reach->radius, p.radius + r);
        reach->begin = scr_min(reach->begin, p.along - r);
        reach->end = scr_max(reach->end, p.along + r);
        reach->diameters += 2 * r;
        reach->bodies++;
    }
}

/* One for each mean diameter, unless their number is given. */
static ScreeStatus choose_count(Slices *s, double extent, const ScreeProfileDef *def,
                                const Reach *reach, char *message) {
    const double mean = reach->diameters / reach->bodies;
    double count = def->bins > 0 ? def->bins : extent / mean;
    count = count >= 1 ? nearbyint(scr_min(count, 1e6)) : 1;
    s->count = (size_t)count;
    s->width = extent / count;
    return s->width > 0 && isfinite(s->width)
               ? SCREE_OK
               : scr_fail(message, SCREE_BAD_ARGUMENT, "the profile has no extent");
}

static const char *shell_fault(const ScreeSample *s, const ScreeProfileDef *def, Vec3 along) {
    for (int k = 0; k < s->dimension; k++) {
        const bool across = fabs(component(along, k)) != 1;
        if (s->periodic[k] &&
            (across || isfinite(component(def->min, k)) || isfinite(component(def->max, k)))) {
            return "shells about an axis need directions that are not periodic, other than that of "
                   "the axis, which then has no bounds";
        }
        if (across && (isfinite(component(def->min, k)) || isfinite(component(def->max, k)))) {
            return "a region about an axis has bounds along the axis only";
        }
    }
    for (size_t i = 0; i < s->bodies; i++) {
        if (scr_shape_of(s, i) != NULL) {
            return "shells about an axis are made for round grains only";
        }
    }
    return NULL;
}

/* Shells reach to the ends of the room about whose axis they are, or one parallel to it. */
static void reach_ends(const ScreeSample *s, Vec3 along, Vec3 centre, Slices *slices) {
    if (s->dimension == 3 && s->room.radius > 0 && scr_room_is_along(&s->room, along)) {
        const double ahead = dot(sub(s->room.point, centre), along);
        const bool same = dot(along, s->room.axis) > 0;
        const double begin = ahead + (same ? s->room.low : -s->room.high);
        const double end = ahead + (same ? s->room.high : -s->room.low);
        slices->begin = isfinite(begin) ? begin : slices->begin;
        slices->end = isfinite(end) ? end : slices->end;
    }
}

static ScreeStatus make_shells(const ScreeSample *s, const ScreeProfileDef *def, const Reach *reach,
                               Slices *slices, char *message) {
    const Vec3 along = s->dimension == 2 ? vec3(0, 0, 1) : axis_of(def);
    SCR_TRY(scr_fail_if(message, shell_fault(s, def, along)));
    slices->centre = def->centre;
    slices->along = along;
    slices->begin = reach->begin;
    slices->end = reach->end;
    reach_ends(s, along, def->centre, slices);
    for (int k = 0; k < s->dimension; k++) {
        const double turn = component(along, k), middle = component(def->centre, k);
        const double low =
            turn * ((turn > 0 ? component(def->min, k) : component(def->max, k)) - middle);
        const double high =
            turn * ((turn > 0 ? component(def->max, k) : component(def->min, k)) - middle);
        if (fabs(turn) == 1) {
            slices->begin = isfinite(low) ? low : slices->begin;
            slices->end = isfinite(high) ? high : slices->end;
        }
        if (fabs(turn) == 1 && s->periodic[k]) { /* nothing is cut, whatever crosses the sides */
            slices->begin = -INFINITY;
            slices->end = INFINITY;
        }
    }
    return choose_count(slices, def->most > 0 ? def->most : reach->radius, def, reach, message);
}

static ScreeStatus make_slabs(const ScreeSample *s, const ScreeProfileDef *def, const Reach *reach,
                              Slices *slices, char *message) {
    const int k = def->axis;
    const Region *r = &slices->region;
    if (k >= s->dimension) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "in two dimensions there is no profile along z");
    }
    slices->leaning = r->oblique && s->periodic[k];
    slices->normal =
        slices->leaning ? unit(mat3_row(&r->inverse, k)) : vec3(k == 0, k == 1, k == 2);
    slices->low = slices->leaning ? dot(slices->normal, s->cell_min) : r->low[k];
    return choose_count(slices, slices->leaning ? r->side[k] : r->high[k] - r->low[k], def, reach,
                        message);
}

/* Without given bounds the region is the cell, or what holds all bodies ever seen; across bins, the room
 * that they are in. */
static ScreeMeasureDef bounds_of(const ScreeSample *s, const ScreeProfileDef *def,
                                 const Reach *reach) {
    const bool shells = def->axis == SCREE_PROFILE_R;
    const double open = INFINITY;
    ScreeMeasureDef made = {.min = vec3(-open, -open, -open), .max = vec3(open, open, open)};
    double low[3] = {-open, -open, -open}, high[3] = {open, open, open};
    if (s->room.radius > 0) {
        scr_room_box(&s->room, s->dimension, low, high);
    }
    for (int k = 0; k < s->dimension && !shells && reach->bodies > 0; k++) {
        const double from = component(def->min, k), to = component(def->max, k);
        const bool across = k != def->axis;
        low[k] = across && isfinite(low[k]) ? low[k] : reach->low[k];
        high[k] = across && isfinite(high[k]) ? high[k] : reach->high[k];
        *component_of(&made.min, k) = isfinite(from) || s->periodic[k] ? from : low[k];
        *component_of(&made.max, k) = isfinite(to) || s->periodic[k] ? to : high[k];
    }
    return made;
}

ScreeStatus scr_slices_make(const ScreeSample *s, const ScreeProfileDef *def, const Reach *reach,
                            Slices *slices, char *message) {
    const ScreeMeasureDef bounds = bounds_of(s, def, reach);
    *slices = (Slices){.axis = def->axis};
    if (!(reach->bodies > 0)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "there are no bodies");
    }
    SCR_TRY(scr_region_make(s, &bounds, &slices->region, message));
    return def->axis == SCREE_PROFILE_R ? make_shells(s, def, reach, slices, message)
                                        : make_slabs(s, def, reach, slices, message);
}

/* ---------------------------------------------------------------- slabs */

/* The part of the region in a slab. */
static Region slab(const Slices *s, size_t slice) {
    Region part = s->region;
    const int k = s->axis;
    part.low[k] = part.from[k] = s->low + s->width * (double)slice;
    part.high[k] = part.to[k] =
        slice + 1 < s->count ? s->low + s->width * (double)(slice + 1) : s->region.high[k];
    part.cut[k] = true;
    return part;
}

/* The first and the last shift by whole cells that may bring [low, high] into a slab. */
static void shifts(const Slices *s, size_t slice, double low, double high, double *first,
                   double *last) {
    const double side = s->region.side[s->axis], begin = s->low + s->width * (double)slice;
    *first = side > 0 ? ceil((begin - high) / side) : 0;
    *last = side > 0 ? floor((begin + s->width - low) / side) : 0;
    if (side == 0 && (low >= begin + s->width * (1 + 1e-12) || high <= begin - s->width * 1e-12)) {
        *last = -1;
    }
}

static double body_in_slab(const Slices *s, size_t slice, size_t body) {
    const ScreeSample *sample = s->region.sample;
    const double at = dot(s->normal, sample->position[body]), r = sample->radius[body];
    double first, last, sum = 0;
    shifts(s, slice, at - r, at + r, &first, &last);
    if (first > last) {
        return 0;
    }
    if (!s->leaning) {
        const Region part = slab(s, slice);
        return scr_body_in_region(&part, body);
    }
    for (double n = first; n <= last; n++) {
        const double begin = s->low + s->width * (double)slice - at - n * s->region.side[s->axis];
        sum += scr_body_beyond(sample, body, s->normal, begin) -
               scr_body_beyond(sample, body, s->normal, begin + s->width);
    }
    return scr_max(sum, 0);
}

static double line_in_slab(const Slices *s, size_t slice, Vec3 begin, Vec3 along) {
    const double at = dot(s->normal, begin), rise = dot(s->normal, along);
    double first, last, sum = 0;
    shifts(s, slice, scr_min(at, at + rise), scr_max(at, at + rise), &first, &last);
    if (first > last) {
        return 0;
    }
    if (!s->leaning) {
        const Region part = slab(s, slice);
        return scr_line_in_region(&part, begin, along);
    }
    for (double n = first; n <= last; n++) {
        const double low = s->low + s->width * (double)slice;
        Interval i = {0, 1};
        bound_interval(&i, at + n * s->region.side[s->axis], rise, low, low + s->width);
        sum += i.to - i.from;
    }
    return sum;
}

/* ---------------------------------------------------------------- of either kind */

/* Along the axis of shells; without ends, that of the cell. */
static double height_of(const Slices *s) {
    double height = s->end - s->begin;
    for (int k = 0; k < 3 && !isfinite(height); k++) {
        height = fabs(component(s->along, k)) == 1 ? s->region.side[k] : height;
    }
    return height;
}

/* What the room of the bodies has of a cylinder about the axis of shells. */
static double cylinder_in_room(const Slices *s, double radius) {
    const ScreeSample *sample = s->region.sample;
    const bool endless = !isfinite(s->end - s->begin);
    return scr_room_in_cylinder(&sample->room, sample->dimension, s->centre, s->along, radius,
                                endless ? 0 : s->begin, endless ? height_of(s) : s->end);
}

double scr_slice_volume(const Slices *s, size_t slice) {
    const ScreeSample *sample = s->region.sample;
    const double inner = s->width * (double)slice;
    if (s->axis != SCREE_PROFILE_R && s->region.round) {
        const Region part = slab(s, slice);
        return scr_room_in_box(&sample->room, sample->dimension, part.low, part.high);
    }
    if (s->axis != SCREE_PROFILE_R) {
        return s->region.volume / (double)s->count;
    }
    if (s->region.round && scr_room_is_along(&sample->room, s->along)) {
        return cylinder_in_room(s, inner + s->width) - cylinder_in_room(s, inner);
    }
    return M_PI * s->width * (2 * inner + s->width) * (sample->dimension == 2 ? 1 : height_of(s));
}

double scr_slice_body(const Slices *s, size_t slice, size_t body) {
    return s->axis == SCREE_PROFILE_R ? body_in_shell(s, slice, body)
                                      : body_in_slab(s, slice, body);
}

double scr_slice_place(const Slices *s, size_t slice, Vec3 point) {
    if (s->axis == SCREE_PROFILE_R) {
        return polar(s->centre, s->along, point).radius;
    }
    const double at = dot(s->normal, point), side = s->region.side[s->axis];
    const double middle = s->low + s->width * ((double)slice + 0.5);
    return side > 0 ? at - side * nearbyint((at - middle) / side) : at;
}

double scr_slice_line(const Slices *s, size_t slice, Vec3 begin, Vec3 along, Vec3 *middle) {
    *middle = begin;
    return s->axis == SCREE_PROFILE_R ? line_in_shell(s, slice, begin, along, middle)
                                      : line_in_slab(s, slice, begin, along);
}

Vec3 scr_slice_components(const Slices *s, Vec3 point, Vec3 v) {
    if (s->axis != SCREE_PROFILE_R) {
        return v;
    }
    const Polar p = polar(s->centre, s->along, point);
    const Vec3 out = p.radius > 0 ? unit(p.outwards) : perpendicular(s->along);
    return vec3(dot(v, out), dot(v, cross(s->along, out)), dot(v, s->along));
}
