/* Bodies and a box for the worlds of Bullet. */
#ifndef SCREE_BENCH_BULLET_BODIES_H
#define SCREE_BENCH_BULLET_BODIES_H

#include "common.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>

inline btRigidBody *add_body(btDiscreteDynamicsWorld &world, double mass, btCollisionShape *shape,
                             const btVector3 &position) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) {
        shape->calculateLocalInertia(btScalar(mass), inertia);
    }
    btTransform at(btQuaternion::getIdentity(), position);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), new btDefaultMotionState(at),
                                                  shape, inertia);
    info.m_friction = btSqrt(btScalar(FRICTION)); /* those of a pair are multiplied */
    info.m_restitution = 0;
    btRigidBody *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
    return body;
}

/* A floor and four walls. */
inline void add_box(btDiscreteDynamicsWorld &world, double width) {
    const btVector3 normals[] = {btVector3(0, 0, 1), btVector3(1, 0, 0), btVector3(0, 1, 0),
                                 btVector3(-1, 0, 0), btVector3(0, -1, 0)};
    for (int k = 0; k < 5; k++) {
        btCollisionShape *plane =
            new btStaticPlaneShape(normals[k], k > 2 ? btScalar(-width) : btScalar(0));
        plane->setMargin(0);
        add_body(world, 0, plane, btVector3(0, 0, 0));
    }
}

#endif
