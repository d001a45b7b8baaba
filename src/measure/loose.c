#include "measure/loose.h"

#include <string.h>

static bool is_held(const ScreeSample *s, int32_t body) {
    return body >= 0 && (size_t)body < s->bodies && s->holder[body].index >= 0;
}

/* What is kept of each body, and the number that it has among those that are left. */
typedef struct Room {
    ScreeVec3 *position, *velocity, *spin;
    ScreeQuat *orientation;
    double *radius, *mass, *inertia;
    ScreeMaterialId *material;
    ScreeShapeId *shape;
    int32_t *number;
    ScreeContactForce *contact;
} Room;

/* Arrays of one block, those with the strictest alignment first. */
static bool reserve(const ScreeSample *s, size_t bodies, Block *block, Room *room) {
    const size_t of_body = 3 * sizeof(ScreeVec3) + sizeof(ScreeQuat) + 3 * sizeof(double) +
                           sizeof(ScreeMaterialId) + sizeof(ScreeShapeId);
    const size_t of_contact = sizeof(ScreeContactForce);
    if (!scr_block_reserve_exact(
            block, 1,
            bodies * of_body + s->bodies * sizeof(int32_t) + (s->contacts + 1) * of_contact, 0)) {
        return false;
    }
    room->contact = block->data;
    room->position = (void *)(room->contact + s->contacts);
    room->velocity = room->position + bodies;
    room->spin = room->velocity + bodies;
    room->orientation = (void *)(room->spin + bodies);
    room->radius = (void *)(room->orientation + bodies);
    room->mass = room->radius + bodies;
    room->inertia = room->mass + bodies;
    room->material = (void *)(room->inertia + bodies);
    room->shape = (void *)(room->material + bodies);
    room->number = (void *)(room->shape + bodies);
    return true;
}

static void keep_bodies(const ScreeSample *s, Room *room) {
    int32_t k = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        room->number[i] = s->holder[i].index >= 0 ? -1 : k;
        if (room->number[i] < 0) {
            continue;
        }
        room->position[k] = s->position[i];
        room->orientation[k] = s->orientation[i];
        room->velocity[k] = s->velocity[i];
        room->spin[k] = s->spin[i];
        room->radius[k] = s->radius[i];
        room->mass[k] = s->mass[i];
        room->inertia[k] = s->inertia[i];
        room->material[k] = s->material[i];
        room->shape[k] = s->shape != NULL ? s->shape[i] : SCREE_NO_SHAPE;
        k++;
    }
}

/* The code of a wall for each held body: one of its own, since its points are those of one pair. No
 * wall has so low a code. */
static ScreePartner as_wall(int32_t body) {
    return (ScreePartner){INT32_MIN + body};
}

/* Numbers of bodies that do not exist stay such. */
static int32_t number_of(const ScreeSample *s, const Room *room, int32_t body) {
    return body >= 0 && (size_t)body < s->bodies ? room->number[body] : INT32_MAX;
}

/* As seen from the other of the two. */
static void turn_round(ScreeContactForce *c, int32_t other) {
    c->b = as_wall(c->a.index);
    c->a.index = other;
    c->normal = scale(-1, c->normal);
    c->force_tangential = scale(-1, c->force_tangential);
    c->torque = scale(-1, c->torque);
}

static size_t keep_contacts(const ScreeSample *s, Room *room) {
    size_t kept = 0;
    for (size_t i = 0; i < s->contacts; i++) {
        ScreeContactForce c = s->contact[i];
        const bool at_wall = scree_partner_is_wall(c.b);
        if (is_held(s, c.a.index)) {
            if (at_wall || is_held(s, c.b.code)) { /* walls do not meet */
                continue;
            }
            turn_round(&c, c.b.code);
        } else if (!at_wall) {
            c.b.code = is_held(s, c.b.code) ? as_wall(c.b.code).code : number_of(s, room, c.b.code);
        }
        c.a.index = number_of(s, room, c.a.index);
        room->contact[kept++] = c;
    }
    return kept;
}

ScreeStatus scr_loose_make(const ScreeSample *s, Loose *loose, char *message) {
    size_t bodies = 0;
    *loose = (Loose){.sample = *s};
    for (size_t i = 0; i < s->bodies && s->holder != NULL; i++) {
        bodies += s->holder[i].index < 0 ? 1 : 0;
    }
    if (s->holder == NULL || bodies == s->bodies) {
        return SCREE_OK;
    }
    Room room;
    if (!reserve(s, bodies, &loose->block, &room)) {
        return scr_no_memory(message);
    }
    keep_bodies(s, &room);
    ScreeSample *left = &loose->sample;
    left->contacts = keep_contacts(s, &room);
    left->bodies = bodies;
    left->position = room.position;
    left->orientation = room.orientation;
    left->velocity = room.velocity;
    left->spin = room.spin;
    left->radius = room.radius;
    left->mass = room.mass;
    left->inertia = room.inertia;
    left->material = room.material;
    left->shape = room.shape;
    left->contact = room.contact;
    left->holder = NULL;
    return SCREE_OK;
}

void scr_loose_free(Loose *loose) {
    scr_block_free(&loose->block);
}
