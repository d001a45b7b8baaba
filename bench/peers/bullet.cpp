/* Bullet: sequential impulses. Knobs: iterations; rows=2 for two directions of friction instead of
 * one. Sorted axes instead of trees, and one island for everything, make it a third faster here
 * than its own defaults. */
#include "bullet_bodies.h"

#include <vector>

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btAxisSweep3 broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broad, &solver, &configuration};
    std::vector<btRigidBody *> grains;

    explicit World(btScalar width)
        : broad(btVector3(-1, -1, -1), btVector3(width + 1, width + 1, 4 * width), 16384) {
        dynamics.getSimulationIslandManager()->setSplitIslands(false);
    }
};

static void step(void *world) {
    static_cast<World *>(world)->dynamics.stepSimulation(btScalar(RIGID_STEP), 0);
}

int main(int argc, char **argv) {
    Task task = read_task(argc, argv);
    World *w = new World(btScalar(task.state.width));
    w->dynamics.setGravity(btVector3(0, 0, btScalar(-GRAVITY)));
    btContactSolverInfo &info = w->dynamics.getSolverInfo();
    info.m_numIterations = int(setting(&task, "iterations", 10));
    if (setting(&task, "rows", 1) > 1) {
        info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    }
    add_box(w->dynamics, task.state.width);
    for (int i = 0; i < task.state.count; i++) {
        const Grain &p = task.state.grain[i];
        double mass = 4.0 / 3 * M_PI * pow(p.radius, 3);
        w->grains.push_back(add_body(w->dynamics, mass, new btSphereShape(btScalar(p.radius)),
                                     btVector3(btScalar(p.x), btScalar(p.y), btScalar(p.z))));
    }
    measure(&task, step, w, RIGID_STEP);
    int contacts = 0;
    for (int i = 0; i < w->dispatcher.getNumManifolds(); i++) {
        contacts += w->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    }
    printf(", \"contacts\": %d", contacts);
    for (int i = 0; i < task.state.count; i++) {
        const btVector3 &x = w->grains[size_t(i)]->getCenterOfMassPosition();
        task.state.grain[i] = {x.x(), x.y(), x.z(), task.state.grain[i].radius};
    }
    finish(&task);
}
