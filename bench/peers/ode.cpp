/* ODE: QuickStep, an iteration without warm start over contacts that are made anew each step. Knob:
 * iterations. */
#include "common.h"

#include <ode/ode.h>

#include <vector>

struct World {
    dWorldID dynamics;
    dSpaceID space;
    dJointGroupID joints;
    int contacts;
    std::vector<dBodyID> grains;
};

/* dContactApprox1: friction is bounded by the coefficient times the normal force, in two
 * directions. */
static void touch(void *world, dGeomID a, dGeomID b) {
    World *w = static_cast<World *>(world);
    if (dGeomGetBody(a) == nullptr && dGeomGetBody(b) == nullptr) {
        return;
    }
    dContact contact = {};
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) {
        return;
    }
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = FRICTION;
    dJointID joint = dJointCreateContact(w->dynamics, w->joints, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    w->contacts++;
}

static void step(void *world) {
    World *w = static_cast<World *>(world);
    w->contacts = 0;
    dSpaceCollide(w->space, w, touch);
    dWorldQuickStep(w->dynamics, RIGID_STEP);
    dJointGroupEmpty(w->joints);
}

int main(int argc, char **argv) {
    Task task = read_task(argc, argv);
    dInitODE2(0);
    World w = {dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0), 0, {}};
    dHashSpaceSetLevels(w.space, -1, 2);
    dWorldSetGravity(w.dynamics, 0, 0, -GRAVITY);
    dWorldSetQuickStepNumIterations(w.dynamics, int(setting(&task, "iterations", 20)));
    dWorldSetAutoDisableFlag(w.dynamics, 0);
    dCreatePlane(w.space, 0, 0, 1, 0);
    dCreatePlane(w.space, 1, 0, 0, 0);
    dCreatePlane(w.space, 0, 1, 0, 0);
    dCreatePlane(w.space, -1, 0, 0, -task.state.width);
    dCreatePlane(w.space, 0, -1, 0, -task.state.width);
    for (int i = 0; i < task.state.count; i++) {
        const Grain &p = task.state.grain[i];
        dBodyID body = dBodyCreate(w.dynamics);
        dMass mass;
        dMassSetSphere(&mass, 1, p.radius);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, p.x, p.y, p.z);
        dGeomSetBody(dCreateSphere(w.space, p.radius), body);
        w.grains.push_back(body);
    }
    measure(&task, step, &w, RIGID_STEP);
    printf(", \"contacts\": %d", w.contacts);
    for (int i = 0; i < task.state.count; i++) {
        const dReal *x = dBodyGetPosition(w.grains[size_t(i)]);
        task.state.grain[i] = {x[0], x[1], x[2], task.state.grain[i].radius};
    }
    finish(&task);
}
