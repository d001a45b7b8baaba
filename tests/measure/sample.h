/* Samples made by hand, body by body and contact by contact. */
#ifndef SCREE_TESTS_MEASURE_SAMPLE_H
#define SCREE_TESTS_MEASURE_SAMPLE_H

#include <scree/scree.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { BODIES_MOST = 20000, CONTACTS_MOST = 60000 };

typedef struct Made {
    ScreeSample sample;
    ScreeVec3 position[BODIES_MOST], velocity[BODIES_MOST], spin[BODIES_MOST];
    ScreeQuat orientation[BODIES_MOST];
    double radius[BODIES_MOST], mass[BODIES_MOST], inertia[BODIES_MOST];
    ScreeMaterialId material[BODIES_MOST];
    ScreeShapeId shape[BODIES_MOST];
    ScreeLaw law[4];
    ScreeContactForce contact[CONTACTS_MOST];
} Made;

static inline ScreeVec3 at(double x, double y, double z) {
    return (ScreeVec3){x, y, z};
}

static inline Made *begin(int dimension) {
    Made *m = calloc(1, sizeof *m);
    m->sample = (ScreeSample){.dimension = dimension,
                              .materials = 1,
                              .position = m->position,
                              .orientation = m->orientation,
                              .velocity = m->velocity,
                              .spin = m->spin,
                              .radius = m->radius,
                              .mass = m->mass,
                              .inertia = m->inertia,
                              .material = m->material,
                              .shape = m->shape,
                              .law = m->law,
                              .contact = m->contact};
    return m;
}

static inline void periodic(Made *m, int axis, double low, double high) {
    double *min[3] = {&m->sample.cell_min.x, &m->sample.cell_min.y, &m->sample.cell_min.z};
    double *max[3] = {&m->sample.cell_max.x, &m->sample.cell_max.y, &m->sample.cell_max.z};
    m->sample.periodic[axis] = true;
    *min[axis] = low;
    *max[axis] = high;
}

/* A body of unit density. */
static inline int32_t add_body(Made *m, ScreeVec3 x, double r, ScreeVec3 v) {
    size_t i = m->sample.bodies++;
    m->position[i] = x;
    m->velocity[i] = v;
    m->orientation[i] = (ScreeQuat){1, 0, 0, 0};
    m->radius[i] = r;
    m->mass[i] =
        m->sample.dimension == 2 ? 3.14159265358979324 * r * r : 4.18879020478639098 * r * r * r;
    m->inertia[i] = 0.4 * m->mass[i] * r * r;
    m->shape[i] = SCREE_NO_SHAPE;
    return (int32_t)i;
}

/* A contact of two round bodies, or of a body and a wall given by its code, in the direction n. */
static inline ScreeContactForce *add_contact(Made *m, int32_t a, int32_t b, ScreeVec3 n,
                                             double force) {
    ScreeContactForce *c = &m->contact[m->sample.contacts++];
    double r = m->radius[a];
    *c = (ScreeContactForce){.a = {a},
                             .b = {b},
                             .state = SCREE_CONTACT_STICK,
                             .normal = n,
                             .point = at(m->position[a].x + r * n.x, m->position[a].y + r * n.y,
                                         m->position[a].z + r * n.z),
                             .force_normal = force,
                             .opening = -1};
    return c;
}

static inline double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* A place in a box from the origin on, flat if its depth is 0. */
static inline ScreeVec3 draw_in_box(uint64_t *seed, double wide, double high, double deep) {
    double x = wide * draw(seed), y = high * draw(seed);
    return at(x, y, deep > 0 ? deep * draw(seed) : 0);
}

#endif
