/* Box2D 2.4: sequential impulses, then corrections of positions. Knobs: iterations, corrections. It
 * lets bodies sink into each other by 0.005 lengths on purpose, and is meant for bodies of 0.1 to
 * 10 lengths. */
#include "common.h"

#include <box2d/box2d.h>

#include <vector>

struct World {
    b2World dynamics{b2Vec2(0, float(-GRAVITY))};
    int iterations, corrections;
    std::vector<b2Body *> grains;
};

static void step(void *world) {
    World *w = static_cast<World *>(world);
    w->dynamics.Step(float(RIGID_STEP), w->iterations, w->corrections);
}

/* The coefficient of a pair is the root of the product. */
static void attach(b2Body *body, const b2Shape *shape) {
    b2FixtureDef fixture;
    fixture.shape = shape;
    fixture.density = 1;
    fixture.friction = float(FRICTION);
    body->CreateFixture(&fixture);
}

int main(int argc, char **argv) {
    Task task = read_task(argc, argv);
    World *w = new World;
    w->iterations = int(setting(&task, "iterations", 8));
    w->corrections = int(setting(&task, "corrections", 3));
    w->dynamics.SetAllowSleeping(false);
    float width = float(task.state.width), high = 10 * width;
    b2BodyDef still;
    b2Body *box = w->dynamics.CreateBody(&still);
    const b2Vec2 corner[4] = {{0, high}, {0, 0}, {width, 0}, {width, high}};
    for (int i = 0; i < 3; i++) {
        b2EdgeShape edge;
        edge.SetTwoSided(corner[i], corner[i + 1]);
        attach(box, &edge);
    }
    for (int i = 0; i < task.state.count; i++) {
        const Grain &p = task.state.grain[i];
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position.Set(float(p.x), float(p.y));
        b2Body *body = w->dynamics.CreateBody(&def);
        b2CircleShape disk;
        disk.m_radius = float(p.radius);
        attach(body, &disk);
        w->grains.push_back(body);
    }
    measure(&task, step, w, RIGID_STEP);
    int contacts = 0;
    for (b2Contact *c = w->dynamics.GetContactList(); c != nullptr; c = c->GetNext()) {
        contacts += c->IsTouching();
    }
    printf(", \"contacts\": %d", contacts);
    for (int i = 0; i < task.state.count; i++) {
        b2Vec2 x = w->grains[size_t(i)]->GetPosition();
        task.state.grain[i] = {x.x, x.y, 0, task.state.grain[i].radius};
    }
    finish(&task);
}
