/* What the springs of a shape have to move: for the time step. */
#include "soft/engine.h"

#include "state/rotation.h"

double scr_soft_longest_arm(const State *s, int32_t shape) {
    const ShapeRecord *r = &s->shapes.shape[shape];
    double square = 0;
    for (int32_t k = 0; r->solid >= 0 && k < s->shapes.solid[r->solid].solid.parts; k++) {
        double radius = s->shapes.solid[r->solid].solid.part[k].radius;
        square = scr_max(square, radius * radius);
    }
    for (int32_t k = 0; k < r->corners; k++) {
        Vec3 c = s->shapes.corner[r->first_corner + k];
        square = scr_max(square, dot(c, c));
    }
    return sqrt(square);
}

/* On how many springs a shape may rest: two in the plane, the corners of a face, or the balls of a clump
 * that reach equally far along one of its axes. */
static int32_t springs_below(const Solid *solid) {
    int32_t most = 2;
    for (int32_t i = 0; solid != NULL && i < solid->parts; i++) {
        for (int32_t f = 0; f < solid->part[i].faces; f++) {
            most = solid->part[i].face[f].count > most ? solid->part[i].face[f].count : most;
        }
    }
    for (int axis = 0; solid != NULL && axis < 6; axis++) {
        Vec3 n = vec3(0, 0, 0);
        *component_of(&n, axis / 2) = axis % 2 == 0 ? 1 : -1;
        n = quat_rotate(solid->axes, n);
        double top = -INFINITY;
        int32_t count = 0;
        for (int32_t i = 0; i < solid->parts; i++) {
            double height = dot(n, solid->part[i].middle) + solid->part[i].rounding;
            count = height > top + 0.01 * solid->radius ? 0 : count;
            top = scr_max(top, height);
            count += height >= top - 0.01 * solid->radius;
        }
        most = count > most ? count : most;
    }
    return most;
}

double scr_soft_sprung_mass(double arm, double mass, double inertia, const Solid *solid) {
    return arm > 0 ? 1.0 / springs_below(solid) / (1 / mass + arm * arm / inertia) : mass;
}

double scr_soft_ease_of_turning(const Solid *solid) {
    if (solid == NULL) {
        return 1;
    }
    Vec3 g = solid->gyration;
    return 3 * scr_min(g.x, scr_min(g.y, g.z)) / (g.x + g.y + g.z);
}
