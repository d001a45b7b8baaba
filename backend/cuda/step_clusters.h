/* The largest cluster of bodies in contact (src/measure/cluster_length.c). */
#ifndef SCREE_CUDA_STEP_CLUSTERS_H
#define SCREE_CUDA_STEP_CLUSTERS_H

#include "step_contacts.h"

ON_DEVICE int32_t root_of(int32_t *parent, int32_t i) {
    for (int32_t up = read_now(&parent[i]); up != i; up = read_now(&parent[i])) {
        const int32_t far = read_now(&parent[up]);
        if (far != up) {
            parent[i] = far;
        }
        i = far;
    }
    return i;
}

ON_DEVICE void join_bodies(int32_t *parent, int32_t a, int32_t b) {
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        const int32_t high = a > b ? a : b, low = a > b ? b : a;
        if (a == b || exchange_if(&parent[high], high, low) == high) {
            return;
        }
    }
}

KERNEL(begin_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->state.bodies.count) {
            arrays_of(k)->parent[i] = (int32_t)i;
            arrays_of(k)->among[i] = 0;
        }
    }
}

/* The bodies of a contact and its state, of which only those that bear are asked for. */
ON_DEVICE bool bears(const StepThere *k, size_t i, int32_t *a, int32_t *b) {
    int32_t of[4];
    const Two both = load_two((const double *)&arrays_of(k)->contact[i]);
    memcpy(of, &both, sizeof of);
    *a = of[0], *b = of[1];
    return of[3] != SCREE_CONTACT_OPEN;
}

/* Each root gets some lower one that it touches, whichever comes last: so there are few trees left to be joined one by
 * one. What is overwritten here is joined then. */
KERNEL(hook_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        int32_t *parent = arrays_of(k)->parent, a, b;
        if (i < k->pair_contacts && bears(k, i, &a, &b)) {
            const int32_t of_a = read_now(&parent[a]), of_b = read_now(&parent[b]);
            const int32_t high = of_a > of_b ? of_a : of_b, low = of_a > of_b ? of_b : of_a;
            if (high != low) {
                parent[high] = low;
            }
        }
    }
}

KERNEL(flatten_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->state.bodies.count) {
            int32_t *parent = arrays_of(k)->parent;
            const int32_t root = root_of(parent, (int32_t)i);
            if (root != (int32_t)i) {
                parent[i] = root;
            }
        }
    }
}

KERNEL(join_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->pair_contacts) {
            int32_t *parent = arrays_of(k)->parent, a, b;
            if (bears(k, i, &a, &b) && read_now(&parent[a]) != read_now(&parent[b])) {
                join_bodies(parent, a, b);
            }
        }
    }
}

/* Bodies that follow each other mostly belong to one cluster: they are added together. */
KERNEL(count_clusters, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    int32_t *root = (int32_t *)team.shared;
    EACH_LANE {
        const size_t i = ITEM;
        root[lane] = i < k->state.bodies.count ? root_of(arrays_of(k)->parent, (int32_t)i) : -1;
    }
    BARRIER();
    EACH_LANE {
        int32_t together = 0;
        if (lane == 0 || root[lane] != root[lane - 1]) {
            for (int j = lane; j < LANES && root[j] == root[lane]; j++) {
                together++;
            }
        }
        if (root[lane] >= 0 && together > 0) {
            add_number(&arrays_of(k)->among[root[lane]], together);
        }
    }
}

/* Of several that are equally large the one with the first body, which is its root. */
KERNEL(choose_cluster, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->state.bodies.count && arrays_of(k)->among[i] > 1) {
            const uint64_t size = (uint64_t)arrays_of(k)->among[i];
            raise_number(arrays_of(k)->chosen, size << 32 | (UINT32_MAX - (uint32_t)i));
        }
    }
}

KERNEL(bound_cluster, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const uint64_t chosen = *arrays_of(k)->chosen;
    LANE_VALUE(Reached, reached);
    LANE_VALUE(double, most);
    EACH_LANE {
        const size_t i = ITEM;
        const int32_t root = (int32_t)(UINT32_MAX - (uint32_t)chosen);
        for (int j = 0; j < 6; j++) {
            OF(reached).most[j] = -INFINITY;
        }
        if (chosen != 0 && i < k->state.bodies.count &&
            root_of(arrays_of(k)->parent, (int32_t)i) == root) {
            const Vec3 x = k->state.bodies.position[i];
            const double r = k->state.bodies.radius[i];
            const double most_of[6] = {-(x.x - r), -(x.y - r), -(x.z - r),
                                       x.x + r,    x.y + r,    x.z + r};
            memcpy(OF(reached).most, most_of, sizeof most_of);
        }
    }
    for (int j = 0; j < 6; j++) {
        EACH_LANE {
            OF(most) = OF(reached).most[j];
        }
        RAISE_ALL(&given.left->most[j], most);
    }
    EACH_LANE {
        if (lane == 0 && team.index == 0) {
            given.left->count[0] = (int64_t)(chosen >> 32);
        }
    }
}

#endif
