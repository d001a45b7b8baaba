/* Chipmunk 7: sequential impulses. Knobs: iterations; slop, the overlap that it allows on purpose
 * (made for pixels, it defaults to 0.1 lengths). */
#include "common.h"

#include <chipmunk/chipmunk.h>

static void step(void *space) {
    cpSpaceStep((cpSpace *)space, RIGID_STEP);
}

/* A contact between grains is seen from both sides, one with the box only once. */
static void count(cpBody *body, cpArbiter *arbiter, void *halves) {
    cpBody *a, *b;
    cpArbiterGetBodies(arbiter, &a, &b);
    cpBody *other = a == body ? b : a;
    *(int *)halves += cpBodyGetType(other) == CP_BODY_TYPE_STATIC ? 2 : 1;
}

/* The coefficients of a pair are multiplied. */
static void attach(cpSpace *space, cpShape *shape) {
    cpShapeSetFriction(shape, sqrt(FRICTION));
    cpShapeSetElasticity(shape, 0);
    cpSpaceAddShape(space, shape);
}

static void add_box(cpSpace *space, double width) {
    const double high = 10 * width, thick = 1; /* round ends lie below the corners of the box */
    cpBody *still = cpSpaceGetStaticBody(space);
    attach(space, cpSegmentShapeNew(still, cpv(-2, -thick), cpv(width + 2, -thick), thick));
    attach(space, cpSegmentShapeNew(still, cpv(-thick, -2), cpv(-thick, high), thick));
    attach(space,
           cpSegmentShapeNew(still, cpv(width + thick, -2), cpv(width + thick, high), thick));
}

int main(int argc, char **argv) {
    Task task = read_task(argc, argv);
    State *s = &task.state;
    cpSpace *space = cpSpaceNew();
    cpBody **grain = (cpBody **)calloc((size_t)s->count, sizeof *grain);
    cpSpaceSetGravity(space, cpv(0, -GRAVITY));
    cpSpaceSetIterations(space, (int)setting(&task, "iterations", 10));
    cpSpaceSetCollisionSlop(space, setting(&task, "slop", 1e-3));
    add_box(space, s->width);
    for (int i = 0; i < s->count; i++) {
        const Grain *p = &s->grain[i];
        double mass = M_PI * p->radius * p->radius;
        grain[i] = cpSpaceAddBody(space, cpBodyNew(mass, mass * p->radius * p->radius / 2));
        cpBodySetPosition(grain[i], cpv(p->x, p->y));
        attach(space, cpCircleShapeNew(grain[i], p->radius, cpvzero));
    }
    measure(&task, step, space, RIGID_STEP);
    int halves = 0;
    for (int i = 0; i < s->count; i++) {
        cpBodyEachArbiter(grain[i], count, &halves);
        cpVect x = cpBodyGetPosition(grain[i]);
        s->grain[i].x = x.x;
        s->grain[i].y = x.y;
    }
    printf(", \"contacts\": %d", halves / 2);
    finish(&task);
    return 0;
}
