#include "measure/of_sample.h"
#include "measure/curve.h"
#include "measure/overlap.h"
#include "measure/solid.h"

/* How much of a body lies beyond the plane, and the section in which the plane cuts it. */
typedef struct Cut {
    double beyond;  /* volume */
    double section; /* area */
    double moment;  /* 2-D only: first moment of the section, along (-n_y, n_x) from the centre */
} Cut;

/* The plane is d ahead of the centre. The cap of a ball is pi (r - d)^2 (2 r + d) / 3. */
static Cut cut_round(int dimension, double r, double d) {
    if (d >= r) {
        return (Cut){0};
    }
    if (dimension == 2) {
        double half = d > -r ? sqrt((r - d) * (r + d)) : 0, angle = d > -r ? scr_acos(d / r) : M_PI;
        return (Cut){r * r * angle - d * half, 2 * half, 0};
    }
    double near = d > -r ? d : -r;
    return (Cut){M_PI / 3 * (r - near) * (r - near) * (2 * r + near),
                 M_PI * (r - near) * (r + near), 0};
}

/* The line x = at across a curve: where the curve runs to the right, it crosses the line at the
 * lower end of what it encloses; where it runs to the left, at the upper end. */
typedef struct Section {
    double at, length, moment;
} Section;

static void add_end(Section *s, double from, double to, double y) {
    if ((from <= s->at) != (to <= s->at)) {
        double sign = to > from ? -1 : 1;
        s->length += sign * y;
        s->moment += sign * 0.5 * y * y;
    }
}

/* From `from` to `to` along x, above or below the centre of the arc. */
static void add_half(Section *s, const Piece *arc, double from, double to, bool above) {
    double x = s->at - arc->centre.x, r = arc->radius;
    double rise = sqrt(scr_max((r - x) * (r + x), 0));
    add_end(s, from, to, arc->centre.y + (above ? rise : -rise));
}

/* An arc is split at its rightmost and leftmost points, at whole multiples of pi. */
static void add_section(const Piece *p, void *context) {
    Section *s = context;
    if (!p->arc) {
        double along = p->to.x - p->from.x;
        double t = along != 0 ? (s->at - p->from.x) / along : 0;
        add_end(s, p->from.x, p->to.x, p->from.y + t * (p->to.y - p->from.y));
        return;
    }
    double end = p->begin + p->turn, half = floor(p->begin / M_PI), from = p->from.x;
    while ((half + 1) * M_PI < end) {
        bool above = fmod(fabs(half), 2) == 0;
        double to = p->centre.x + (above ? -p->radius : p->radius);
        add_half(s, p, from, to, above);
        from = to;
        half++;
    }
    add_half(s, p, from, p->to.x, fmod(fabs(half), 2) == 0);
}

/* The body is rotated so that the normal points along x. */
static Cut cut_shape(const ScreeShape *shape, Quat orientation, Vec3 n, double d) {
    double cosine, sine;
    scr_turn_of(orientation, &cosine, &sine);
    double c = cosine * n.x + sine * n.y, s = sine * n.x - cosine * n.y;
    const double low[2] = {d, -INFINITY}, high[2] = {INFINITY, INFINITY};
    Section section = {.at = d};
    scr_curve_walk(shape, c, s, add_section, &section);
    return (Cut){d < shape->radius ? scr_shape_in_box(shape, c, s, low, high) : 0, section.length,
                 section.moment};
}

double scr_body_beyond(const ScreeSample *s, size_t body, Vec3 n, double d) {
    const ScreeShape *shape = scr_shape_of(s, body);
    return shape == NULL          ? cut_round(s->dimension, s->radius[body], d).beyond
           : shape->solid != NULL ? scr_solid_cut(shape->solid, s->orientation[body], n, d).beyond
                                  : cut_shape(shape, s->orientation[body], n, d).beyond;
}

/* The mass beyond the plane grows at the rate of density x (velocity along n), integrated over the
 * section. A point of it at (d, y), in these rotated coordinates, moves along n with v n - spin y;
 * in a ball this averages to v n. */
ScreeStatus scr_measure_flow(const ScreeSample *s, const ScreeMeasureDef *def, Vec3 point,
                             Vec3 normal, ScreeFlow *flow, char *message) {
    Region region;
    SCR_TRY(scr_region_make(s, def, &region, message));
    Vec3 n = unit(normal);
    if (!is_finite(point) || !is_finite(normal) || !(dot(n, n) > 0) ||
        (s->dimension == 2 && normal.z != 0)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "a plane needs a point and a normal other than zero, in two dimensions "
                        "without z");
    }
    *flow = (ScreeFlow){0};
    for (size_t i = 0; i < s->bodies; i++) {
        if (!scr_point_in_region(&region, s->position[i])) {
            continue;
        }
        double d = dot(scr_nearest(&region, sub(point, s->position[i])), n);
        double density = s->mass[i] / scr_body_volume(s, i);
        const ScreeShape *shape = scr_shape_of(s, i);
        if (shape != NULL && shape->solid != NULL) {
            const SolidCut cut = scr_solid_cut(shape->solid, s->orientation[i], n, d);
            flow->beyond += density * cut.beyond;
            flow->rate += density * (dot(s->velocity[i], n) * cut.section +
                                     dot(n, cross(s->spin[i], cut.moment)));
            continue;
        }
        Cut cut = shape != NULL ? cut_shape(shape, s->orientation[i], n, d)
                                : cut_round(s->dimension, s->radius[i], d);
        flow->beyond += density * cut.beyond;
        flow->rate += density * (dot(s->velocity[i], n) * cut.section - s->spin[i].z * cut.moment);
    }
    return SCREE_OK;
}
