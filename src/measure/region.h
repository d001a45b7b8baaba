/* The box within which things are measured, and how much of bodies and branches lies in it. */
#ifndef SCREE_MEASURE_REGION_H
#define SCREE_MEASURE_REGION_H

#include "base/status.h"
#include "math/mat3.h"

typedef struct Region {
    const ScreeSample *sample;
    double low[3], high[3]; /* of the volume */
    double from[3], to[3];  /* what counts: the same, but infinite where no bound was given */
    bool cut[3];            /* whether anything may lie outside, along each axis */
    double side[3];         /* of the periodic cell; 0: not periodic */
    double volume;          /* area in two dimensions */
    bool round;             /* it is that of the part in the room of the sample */
    bool oblique;        /* the cell is no box, and the region all of it; `side` has its heights */
    Mat3 edges, inverse; /* then: its edges in columns */
} Region;

/* Refuses samples that cannot be measured and regions that make no sense. */
ScreeStatus scr_region_make(const ScreeSample *sample, const ScreeMeasureDef *def, Region *region,
                            char *message);

/* Refuses an oblique cell, for what can be measured in a box only. */
static inline ScreeStatus scr_need_box(const Region *region, char *message) {
    return region->oblique
               ? scr_fail(message, SCREE_BAD_ARGUMENT,
                          "this measure needs a cell that is a box, but its edges are not "
                          "along the axes")
               : SCREE_OK;
}

/* A vector as an array, for loops over axes. */
static inline void to_array(Vec3 v, double a[3]) {
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

/* The shape of a body; NULL when it is round. */
const ScreeShape *scr_shape_of(const ScreeSample *sample, size_t body);

/* The smallest box along the axes around a body. */
void scr_body_box(const ScreeSample *sample, size_t body, double low[3], double high[3]);

/* Volume of a body (area in two dimensions), and of its part in the region, images included. */
double scr_body_volume(const ScreeSample *sample, size_t body);
double scr_body_in_region(const Region *region, size_t body);

/* Whether a point, or an image of it, lies in the region. */
bool scr_point_in_region(const Region *region, Vec3 point);

/* Which share of the line from `begin` to begin + along, and of its images, lies in the region. */
double scr_line_in_region(const Region *region, Vec3 begin, Vec3 along);

/* The shortest periodic image of a difference of positions. */
Vec3 scr_nearest(const Region *region, Vec3 difference);

/* From the centre of a contact's body a to that of b, or to the contact point at a wall. */
Vec3 scr_branch(const Region *region, const ScreeContactForce *contact);

/* The total force on b. */
static inline Vec3 scr_force(const ScreeContactForce *c) {
    return add_scaled(c->force_tangential, c->force_normal, c->normal);
}

static inline bool scr_active(const ScreeContactForce *c) {
    return c->state != SCREE_CONTACT_OPEN;
}

/* The direction against gravity; without gravity y, or z in three dimensions. */
Vec3 scr_up(const ScreeSample *sample);

/* The mean over all bodies; 0 if there are none. */
double scr_mean_radius(const ScreeSample *sample);

#endif
