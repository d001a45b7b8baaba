#include "measure/measure.h"

#include "base/clusters.h"
#include "math/reduce.h"
#include "state/rotation.h"

double scr_kinetic_energy(const State *state) {
    const Bodies *b = &state->bodies;
    ExactSum sum; /* so that it depends neither on the order of bodies nor on who has them */
    scr_exact_clear(&sum);
    for (size_t i = 0; i < scr_counted(state); i++) {
        scr_exact_add(&sum, b->mass[i] * dot(b->velocity[i], b->velocity[i]));
        scr_exact_add(&sum, scr_turning_energy(state, i));
    }
    scr_sum_over_processes(state->spread, &sum, 1);
    double twice = scr_exact_total(&sum);
    for (size_t i = 0; i < state->walls.count; i++) {
        const ScreeWallState *w = &state->walls.item[i];
        if (w->present && w->now.motion == SCREE_WALL_PISTON) {
            twice += w->now.mass * dot(w->now.velocity, w->now.velocity);
        }
    }
    return 0.5 * twice;
}

double scr_coordination(const State *state) {
    double ends = 0, touched = 0;
    int32_t last_a = -1, last_b = -1;
    const Contacts *contacts = &state->contacts;
    Block block = {0};
    if (!scr_block_reserve_exact(&block, state->bodies.count + 1, sizeof(bool), 0)) {
        return NAN;
    }
    bool *seen = block.data;
    for (size_t i = 0; i < state->bodies.count; i++) {
        seen[i] = false;
    }
    for (size_t i = 0; i < contacts->count; i++) {
        const Contact *c = &contacts->item[i];
        if (c->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        bool again = c->a == last_a && c->b == last_b; /* another contact point of the same pair */
        last_a = c->a;
        last_b = c->b;
        ends += again ? 0 : c->b >= 0 ? 2 : 1;
        touched += seen[c->a] ? 0 : 1;
        seen[c->a] = true;
        if (c->b >= 0) {
            touched += seen[c->b] ? 0 : 1;
            seen[c->b] = true;
        }
    }
    scr_block_free(&block);
    return touched > 0 ? ends / touched : 0;
}

double scr_cluster_length(const State *state, Block *work) {
    const Bodies *b = &state->bodies;
    if (!scr_block_reserve_exact(work, b->count + 1, sizeof(int32_t), 0)) {
        return -1;
    }
    int32_t *parent = work->data;
    scr_clusters_begin(parent, b->count);
    for (size_t i = 0; i < state->contacts.count; i++) {
        const Contact *c = &state->contacts.item[i];
        if (c->state != SCREE_CONTACT_OPEN && c->b >= 0) {
            scr_clusters_join(parent, c->a, c->b);
        }
    }
    int32_t largest = -1, first = 0; /* of several, the one with the first name */
    for (size_t i = 0; i < b->count; i++) {
        int32_t root = scr_cluster_of(parent, (int32_t)i), name = scr_name(state, (int32_t)i);
        bool same = largest >= 0 && parent[root] == parent[largest] && name < first;
        if (parent[root] < -1 && (largest < 0 || parent[root] < parent[largest] || same)) {
            largest = root;
            first = name;
        }
    }
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = scale(-1, low);
    for (size_t i = 0; i < b->count && largest >= 0; i++) {
        if (scr_cluster_of(parent, (int32_t)i) == largest) {
            Vec3 x = b->position[i];
            double r = b->radius[i];
            low = vec3(scr_min(low.x, x.x - r), scr_min(low.y, x.y - r), scr_min(low.z, x.z - r));
            high =
                vec3(scr_max(high.x, x.x + r), scr_max(high.y, x.y + r), scr_max(high.z, x.z + r));
        }
    }
    Vec3 side = sub(high, low);
    return largest >= 0 ? scr_max(side.x, scr_max(side.y, side.z)) : 0;
}
