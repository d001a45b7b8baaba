#include "measure/region.h"
#include "measure/curve.h"
#include "measure/overlap.h"
#include "measure/room.h"
#include "measure/solid.h"

/* ---------------------------------------------------------------- bodies */

const ScreeShape *scr_shape_of(const ScreeSample *s, size_t body) {
    return s->shape != NULL && s->shape[body].index >= 0 ? &s->form[s->shape[body].index] : NULL;
}

void scr_body_box(const ScreeSample *s, size_t body, double low[3], double high[3]) {
    double x[3];
    to_array(s->position[body], x);
    for (int k = 0; k < 3; k++) {
        low[k] = x[k] - s->radius[body];
        high[k] = x[k] + s->radius[body];
    }
    const ScreeShape *shape = scr_shape_of(s, body);
    if (shape != NULL && shape->solid != NULL) {
        scr_solid_reach(shape->solid, s->orientation[body], low, high);
        for (int k = 0; k < 3; k++) {
            low[k] += x[k];
            high[k] += x[k];
        }
    } else if (shape != NULL) {
        double cosine, sine, from[2], to[2];
        scr_turn_of(s->orientation[body], &cosine, &sine);
        scr_curve_reach(shape, cosine, sine, from, to);
        for (int k = 0; k < 2; k++) {
            low[k] = x[k] + from[k];
            high[k] = x[k] + to[k];
        }
    }
}

/* False when there is no body. */
static bool box_of_all(const ScreeSample *s, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = 0; i < s->bodies; i++) {
        double from[3], to[3];
        scr_body_box(s, i, from, to);
        for (int k = 0; k < 3; k++) {
            low[k] = scr_min(low[k], from[k]);
            high[k] = scr_max(high[k], to[k]);
        }
    }
    return s->bodies > 0;
}

double scr_body_volume(const ScreeSample *s, size_t body) {
    double r = s->radius[body];
    const ScreeShape *shape = scr_shape_of(s, body);
    return shape != NULL       ? shape->area
           : s->dimension == 2 ? M_PI * r * r
                               : 4.0 / 3 * M_PI * r * r * r;
}

Vec3 scr_up(const ScreeSample *s) {
    Vec3 up = unit(scale(-1, s->gravity));
    return dot(up, up) > 0 ? up : s->dimension == 2 ? vec3(0, 1, 0) : vec3(0, 0, 1);
}

double scr_mean_radius(const ScreeSample *s) {
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        sum += s->radius[i];
    }
    return s->bodies > 0 ? sum / (double)s->bodies : 0;
}

/* ---------------------------------------------------------------- making a region */

static const char *body_fault(const ScreeSample *s, size_t i) {
    const int32_t shape = s->shape != NULL ? s->shape[i].index : -1;
    if (!is_finite(s->position[i]) || !is_finite(s->velocity[i]) || !is_finite(s->spin[i])) {
        return "position, velocity or spin is not finite";
    }
    if (!(s->radius[i] > 0 && isfinite(s->radius[i]) && s->mass[i] > 0 && isfinite(s->mass[i]))) {
        return "radius or mass is not a number greater than zero";
    }
    if (shape < -1 || shape >= (int32_t)s->shapes ||
        (shape >= 0 && (s->form[shape].solid != NULL) != (s->dimension == 3))) {
        return "has a shape that does not exist";
    }
    if (s->material[i].index < 0 || (size_t)s->material[i].index >= s->materials) {
        return "has a material that does not exist";
    }
    return NULL;
}

static bool contact_is_sound(const ScreeSample *s, const ScreeContactForce *c) {
    return c->a.index >= 0 && (size_t)c->a.index < s->bodies &&
           (scree_partner_is_wall(c->b) || (size_t)c->b.code < s->bodies) && is_finite(c->point) &&
           is_finite(c->normal) && isfinite(c->force_normal) && is_finite(c->force_tangential);
}

/* Whether a body is small enough: a larger one would have several images in the region. */
static bool fits(const ScreeSample *s, const double side[3], size_t i) {
    for (int k = 0; k < 3; k++) {
        if (side[k] > 0 && s->radius[i] > side[k]) {
            return false;
        }
    }
    return true;
}

static ScreeStatus check_sample(const ScreeSample *s, const double side[3], char *message) {
    if (s->dimension != 2 && s->dimension != 3) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the dimension must be 2 or 3");
    }
    for (size_t i = 0; i < s->bodies; i++) {
        const char *fault = body_fault(s, i);
        fault = fault == NULL && !fits(s, side, i) ? "is larger than the periodic cell" : fault;
        if (fault != NULL) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "body %zu: %s", i, fault);
        }
    }
    for (size_t i = 0; i < s->contacts; i++) {
        if (!contact_is_sound(s, &s->contact[i])) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "contact %zu: its bodies do not exist, or it is not finite", i);
        }
    }
    return SCREE_OK;
}

/* The given bounds, else those of the cell, else those of the bodies. */
static void bound(Region *region, int k, const double asked[2], const double cell[2],
                  const double around[2]) {
    bool periodic = region->side[k] > 0;
    region->cut[k] = isfinite(asked[0]) || isfinite(asked[1]);
    region->low[k] = isfinite(asked[0]) ? asked[0] : periodic ? cell[0] : around[0];
    region->high[k] = isfinite(asked[1]) ? asked[1] : periodic ? cell[1] : around[1];
    bool whole = !region->cut[k] || !periodic;
    region->from[k] = isfinite(asked[0]) || !whole ? region->low[k] : -INFINITY;
    region->to[k] = isfinite(asked[1]) || !whole ? region->high[k] : INFINITY;
}

/* An oblique cell: its edges, and the distances of its faces. */
static ScreeStatus take_edges(const ScreeSample *s, Region *r, char *message) {
    Vec3 edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = s->periodic[k] ? s->edge[k] : vec3(k == 0, k == 1, k == 2);
        r->oblique = r->oblique || dot(s->edge[k], s->edge[k]) > 0;
    }
    if (!r->oblique) {
        return SCREE_OK;
    }
    r->edges = mat3_of_columns(edge);
    const double volume = mat3_determinant(&r->edges);
    if (!(volume > 0 && isfinite(volume))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the edges of the cell span no volume");
    }
    r->inverse = mat3_inverse(&r->edges);
    for (int k = 0; k < 3; k++) {
        r->side[k] = s->periodic[k] ? 1 / length(mat3_row(&r->inverse, k)) : 0;
    }
    return SCREE_OK;
}

/* What is measured of an oblique cell is all of it. */
static ScreeStatus take_whole(const ScreeSample *s, Region *r, char *message) {
    r->volume = mat3_determinant(&r->edges);
    for (int k = 0; k < s->dimension; k++) {
        if (s->periodic[k] && r->cut[k]) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "the cell is oblique, and only the whole of it can be measured: leave out "
                "the bounds along %c",
                "xyz"[k]);
        }
        r->volume *= s->periodic[k] ? 1 : scr_max(r->high[k] - r->low[k], 0);
    }
    return SCREE_OK;
}

/* In a round room: of the part of the region in it, which without bounds is all of the room. */
static void take_room(const ScreeSample *s, const ScreeMeasureDef *def, Region *r) {
    double low[3], high[3];
    scr_room_box(&s->room, s->dimension, low, high);
    for (int k = 0; k < s->dimension; k++) {
        const bool free = r->side[k] == 0;
        const bool bounds[2] = {isfinite(component(def->min, k)), isfinite(component(def->max, k))};
        low[k] = free && !bounds[0] && isfinite(low[k]) ? low[k] : r->low[k];
        high[k] = free && !bounds[1] && isfinite(high[k]) ? high[k] : r->high[k];
    }
    r->round = true;
    r->volume = scr_room_in_box(&s->room, s->dimension, low, high);
}

ScreeStatus scr_region_make(const ScreeSample *s, const ScreeMeasureDef *def, Region *region,
                            char *message) {
    static const char name[] = "xyz";
    double low[3] = {0}, high[3] = {0};
    *region = (Region){.sample = s, .volume = 1, .from[2] = -INFINITY, .to[2] = INFINITY};
    for (int k = 0; k < 3; k++) {
        double side = component(s->cell_max, k) - component(s->cell_min, k);
        region->side[k] = s->periodic[k] ? side : 0;
    }
    SCR_TRY(take_edges(s, region, message));
    for (int k = 0; k < 3; k++) {
        if (!(region->side[k] >= 0 && isfinite(region->side[k])) ||
            (s->periodic[k] && region->side[k] == 0)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "the periodic cell is not a box");
        }
    }
    SCR_TRY(check_sample(s, region->side, message));
    bool any = box_of_all(s, low, high);
    for (int k = 0; k < s->dimension; k++) {
        const double asked[2] = {component(def->min, k), component(def->max, k)};
        const double cell[2] = {component(s->cell_min, k), component(s->cell_max, k)};
        const double around[2] = {any ? low[k] : 0, any ? high[k] : 0};
        if (!(asked[0] < asked[1])) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "the region must have its min below its max along %c", name[k]);
        }
        bound(region, k, asked, cell, around);
        if (region->side[k] > 0 && !region->oblique &&
            region->high[k] - region->low[k] > region->side[k] * (1 + 1e-12)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "the region must not be longer than the periodic cell along %c",
                            name[k]);
        }
        region->volume *= scr_max(region->high[k] - region->low[k], 0);
    }
    if (s->room.radius > 0 && !region->oblique) {
        take_room(s, def, region);
    }
    return region->oblique ? take_whole(s, region, message) : SCREE_OK;
}

/* ---------------------------------------------------------------- images */

/* The range, from first to last, of shifts by whole cells that may bring [low, high] into the
 * region. */
static void image_range(const Region *r, int k, double low, double high, double *first,
                        double *last) {
    *first = *last = 0;
    if (r->cut[k] && r->side[k] > 0) {
        *first = ceil((r->low[k] - high) / r->side[k]);
        *last = floor((r->high[k] - low) / r->side[k]);
    }
}

/* Calls `part` with the shifts of all images that may reach into the region, and adds up the
 * results. */
typedef double ImagePart(const Region *region, const double shift[3], const void *context);

static double over_images(const Region *r, const double low[3], const double high[3],
                          ImagePart *part, const void *context) {
    double first[3], last[3], sum = 0, n[3];
    for (int k = 0; k < 3; k++) {
        image_range(r, k, low[k], high[k], &first[k], &last[k]);
    }
    for (n[0] = first[0]; n[0] <= last[0]; n[0]++) {
        for (n[1] = first[1]; n[1] <= last[1]; n[1]++) {
            for (n[2] = first[2]; n[2] <= last[2]; n[2]++) {
                const double shift[3] = {n[0] * r->side[0], n[1] * r->side[1], n[2] * r->side[2]};
                sum += part(r, shift, context);
            }
        }
    }
    return sum;
}

static double body_part(const Region *r, const double shift[3], const void *context) {
    size_t i = *(const size_t *)context;
    const ScreeSample *s = r->sample;
    const ScreeShape *shape = scr_shape_of(s, i);
    double x[3], low[3], high[3];
    to_array(s->position[i], x);
    for (int k = 0; k < 3; k++) {
        low[k] = r->from[k] - (x[k] + shift[k]);
        high[k] = r->to[k] - (x[k] + shift[k]);
    }
    if (shape != NULL && shape->solid != NULL) {
        return scr_solid_in_box(shape->solid, s->orientation[i], low, high);
    }
    if (shape != NULL) {
        double cosine, sine;
        scr_turn_of(s->orientation[i], &cosine, &sine);
        return scr_shape_in_box(shape, cosine, sine, low, high);
    }
    return s->dimension == 2 ? scr_disk_in_box(s->radius[i], low, high)
                             : scr_ball_in_box(s->radius[i], low, high);
}

/* Whether a box lies entirely within the region, without any shift. */
static bool within(const Region *r, const double low[3], const double high[3]) {
    bool all = true;
    for (int k = 0; k < 3; k++) {
        all = all && low[k] >= r->from[k] && high[k] <= r->to[k];
    }
    return all;
}

/* A body that lies within the region has no other image in it, since the region is no longer than
 * the cell. */
double scr_body_in_region(const Region *r, size_t body) {
    double low[3], high[3];
    if (!(r->volume > 0)) {
        return 0;
    }
    scr_body_box(r->sample, body, low, high);
    if (within(r, low, high)) {
        return scr_body_volume(r->sample, body);
    }
    return over_images(r, low, high, body_part, &body);
}

bool scr_point_in_region(const Region *r, Vec3 point) {
    double x[3];
    to_array(point, x);
    for (int k = 0; k < 3; k++) {
        if (r->cut[k] && r->side[k] > 0) { /* the image at or just above the lower bound */
            x[k] -= r->side[k] * floor((x[k] - r->low[k]) / r->side[k]);
        }
        if (!(x[k] >= r->from[k] && x[k] < r->to[k])) {
            return false;
        }
    }
    return true;
}

typedef struct Line {
    double begin[3], along[3];
} Line;

static double line_part(const Region *r, const double shift[3], const void *context) {
    const Line *line = context;
    double begin = 0, end = 1;
    for (int k = 0; k < 3; k++) {
        double x = line->begin[k] + shift[k], d = line->along[k];
        if (d == 0 && !(x >= r->from[k] && x < r->to[k])) {
            return 0;
        }
        if (d != 0) {
            double at_low = (r->from[k] - x) / d, at_high = (r->to[k] - x) / d;
            begin = scr_max(begin, scr_min(at_low, at_high));
            end = scr_min(end, scr_max(at_low, at_high));
        }
    }
    return scr_max(end - begin, 0);
}

double scr_line_in_region(const Region *r, Vec3 begin, Vec3 along) {
    Line line;
    double low[3], high[3];
    to_array(begin, line.begin);
    to_array(along, line.along);
    for (int k = 0; k < 3; k++) {
        low[k] = scr_min(line.begin[k], line.begin[k] + line.along[k]);
        high[k] = scr_max(line.begin[k], line.begin[k] + line.along[k]);
    }
    return over_images(r, low, high, line_part, &line);
}

Vec3 scr_nearest(const Region *r, Vec3 difference) {
    double d[3];
    if (r->oblique) {
        Vec3 n = mat3_apply(&r->inverse, difference);
        for (int k = 0; k < 3; k++) {
            *component_of(&n, k) = r->side[k] > 0 ? nearbyint(component(n, k)) : 0;
        }
        return sub(difference, mat3_apply(&r->edges, n));
    }
    to_array(difference, d);
    for (int k = 0; k < 3; k++) {
        d[k] -= r->side[k] > 0 ? r->side[k] * nearbyint(d[k] / r->side[k]) : 0;
    }
    return vec3(d[0], d[1], d[2]);
}

Vec3 scr_branch(const Region *r, const ScreeContactForce *c) {
    const Vec3 *x = r->sample->position;
    if (scree_partner_is_wall(c->b)) {
        return scr_nearest(r, sub(c->point, x[c->a.index]));
    }
    const Vec3 near = scr_nearest(r, sub(x[c->b.code], x[c->a.index]));
    const Vec3 way = add(scr_nearest(r, sub(c->point, x[c->a.index])),
                         scr_nearest(r, sub(x[c->b.code], c->point)));
    const Vec3 off = sub(way, near);
    return dot(off, off) > 1e-6 * dot(way, way) ? way : near;
}
