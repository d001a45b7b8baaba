/* Space in equal slices, slabs or shells: how much of bodies and of lines lies in each. */
#ifndef SCREE_MEASURE_SLICES_H
#define SCREE_MEASURE_SLICES_H

#include "measure/region.h"

typedef struct Slices {
    Region region; /* all slices together; of shells, only its bounds along the axis count */
    int axis;      /* ScreeProfileAxis */
    bool leaning;  /* slabs parallel to the faces of an oblique cell, whose height is region.side */
    Vec3 normal;   /* of slabs */
    double low, width;
    size_t count;
    Vec3 centre, along; /* the axis of shells */
    double begin, end;  /* along it */
} Slices;

/* How far bodies reach: a box, and radii and heights about the axis of shells. */
typedef struct Reach {
    double low[3], high[3];
    double radius, begin, end;
    double diameters, bodies; /* sums, for their mean diameter */
} Reach;

static const Reach scr_no_reach = {.low = {INFINITY, INFINITY, INFINITY},
                                   .high = {-INFINITY, -INFINITY, -INFINITY},
                                   .begin = INFINITY,
                                   .end = -INFINITY};

void scr_reach_add(Reach *reach, const ScreeSample *sample, const ScreeProfileDef *def);

/* The slices of a sample. Refuses what cannot be cut. */
ScreeStatus scr_slices_make(const ScreeSample *sample, const ScreeProfileDef *def,
                            const Reach *reach, Slices *slices, char *message);

double scr_slice_volume(const Slices *slices, size_t slice);

/* The part of a body in a slice. */
double scr_slice_body(const Slices *slices, size_t slice, size_t body);

/* Where the body stands along the axis of slices, as the image nearest to the middle of the slice. */
double scr_slice_place(const Slices *slices, size_t slice, Vec3 point);

/* The share of the line from `begin` to begin + along in a slice. `middle` is that of this part. */
double scr_slice_line(const Slices *slices, size_t slice, Vec3 begin, Vec3 along, Vec3 *middle);

/* A vector at a point by its components: along x, y and z, or outwards, around and along the axis. */
Vec3 scr_slice_components(const Slices *slices, Vec3 point, Vec3 vector);

#endif
