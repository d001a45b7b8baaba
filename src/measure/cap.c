#include "measure/cap.h"
#include "measure/curve.h"
#include "measure/solid.h"

/* The image inside the periodic cell. */
static Vec3 wrapped(const Region *r, Vec3 x) {
    double p[3];
    to_array(x, p);
    for (int k = 0; k < 3; k++) {
        double low = component(r->sample->cell_min, k);
        p[k] -= r->side[k] > 0 ? r->side[k] * floor((p[k] - low) / r->side[k]) : 0;
    }
    return vec3(p[0], p[1], p[2]);
}

/* How far a body reaches from its centre along a unit vector. */
static double reach(const ScreeSample *s, size_t i, Vec3 along) {
    const ScreeShape *shape = scr_shape_of(s, i);
    if (shape == NULL) {
        return s->radius[i];
    }
    if (shape->solid != NULL) {
        return scr_solid_height(shape->solid, s->orientation[i], along);
    }
    double cosine, sine, low[2], high[2];
    scr_turn_of(s->orientation[i], &cosine, &sine);
    scr_curve_reach(shape, cosine * along.y - sine * along.x, sine * along.y + cosine * along.x,
                    low, high); /* rotated so that `along` is y */
    return high[1];
}

Cap scr_cap_of(const Region *r, size_t i, Vec3 up, const Vec3 across[2]) {
    Vec3 x = wrapped(r, r->sample->position[i]);
    Cap cap = {.height = dot(x, up), .up = reach(r->sample, i, up)};
    for (int k = 0; k < (r->sample->dimension == 2 ? 1 : 2); k++) {
        cap.u[k] = dot(x, across[k]);
        cap.reach[k][0] = reach(r->sample, i, scale(-1, across[k]));
        cap.reach[k][1] = reach(r->sample, i, across[k]);
    }
    return cap;
}

double scr_cap_above(const Cap *c, const double low[2], const double high[2], double at[2]) {
    double beside = 0;
    for (int k = 0; k < 2; k++) {
        at[k] = scr_max(low[k], scr_min(high[k], c->u[k])); /* the nearest point is the highest */
        double away = at[k] - c->u[k];
        if (away != 0) {
            double share = away / c->reach[k][away > 0];
            beside += share * share;
        }
    }
    return beside < 1 ? c->height + c->up * sqrt(1 - beside) : -INFINITY;
}
