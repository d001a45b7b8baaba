/* The largest cluster of bodies in contact, where each process has a part of the contacts.
 *
 * Each process joins what its own contacts join, and labels each part by the lowest name in it; parts of one
 * cluster agree on that (share_labels.h). Then the sizes and extents of parts with the same label are put
 * together, by the process that the label falls to. */
#include "dynamics/share_labels.h"

#include "base/clusters.h"
#include "base/status.h"
#include "math/reduce.h"

#include <stdlib.h>
#include <string.h>

/* The bodies of a part that its process counts, or of a whole cluster. */
typedef struct Part {
    double label, count;
    Vec3 low, high;
} Part;

enum { PART_NUMBERS = sizeof(Part) / sizeof(double) };

typedef struct Clusters {
    Share *share;
    Labels labels; /* the lowest name that is known to be in a cluster */
    bool *borders; /* [bodies] of a root: others may have parts of the same cluster */
    Part *part;    /* [bodies] of a root */
    Block block;
} Clusters;

static bool reserve(Clusters *k) {
    const size_t n = k->share->local.bodies.count + 1;
    if (!scr_labels_begin(&k->labels, n - 1, 0, INT32_MAX) ||
        !scr_block_reserve(&k->block, n, sizeof(Part) + sizeof(bool), 0)) {
        return false;
    }
    k->part = k->block.data;
    k->borders = (bool *)(k->part + n);
    return true;
}

static void join_contacts(const Clusters *k) {
    const Share *s = k->share;
    const Contacts *contacts = &s->local.contacts;
    const size_t n = s->local.bodies.count;
    for (size_t i = 0; i < contacts->count; i++) {
        const Contact *c = &contacts->item[i];
        if (c->state != SCREE_CONTACT_OPEN && c->b >= 0) {
            scr_clusters_join(k->labels.parent, c->a, c->b);
        }
    }
    for (size_t i = 0; i < n; i++) {
        k->borders[i] = false;
    }
    for (size_t i = 0; i < n; i++) {
        int32_t *label = scr_label_of(&k->labels, (int32_t)i);
        *label = s->name[i] < *label ? s->name[i] : *label;
    }
    for (size_t j = 0; j < s->borders; j++) {
        k->borders[scr_cluster_of(k->labels.parent, s->border[j])] = true;
    }
}

/* ---------------------------------------------------------------- sizes */

static Part join_parts(Part a, Part b) {
    return (Part){
        a.label, a.count + b.count,
        vec3(scr_min(a.low.x, b.low.x), scr_min(a.low.y, b.low.y), scr_min(a.low.z, b.low.z)),
        vec3(scr_max(a.high.x, b.high.x), scr_max(a.high.y, b.high.y),
             scr_max(a.high.z, b.high.z))};
}

static void measure_parts(const Clusters *k) {
    const Share *s = k->share;
    const Bodies *b = &s->local.bodies;
    const Vec3 far = {INFINITY, INFINITY, INFINITY};
    for (size_t i = 0; i < b->count; i++) {
        k->part[i] = (Part){k->labels.label[i], 0, far, scale(-1, far)};
    }
    for (size_t i = 0; i < scr_counted(&s->local); i++) {
        Part *part = &k->part[scr_cluster_of(k->labels.parent, (int32_t)i)];
        const Vec3 x = b->position[i];
        const double r = b->radius[i];
        const Part one = {.count = 1,
                          .low = vec3(x.x - r, x.y - r, x.z - r),
                          .high = vec3(x.x + r, x.y + r, x.z + r)};
        *part = join_parts(*part, one);
    }
}

static ScreeStatus send_parts(const Clusters *k) {
    Share *s = k->share;
    scr_trade_begin(&s->trade, PART_NUMBERS);
    for (size_t i = 0; i < s->local.bodies.count; i++) {
        const Part *part = &k->part[i];
        if (k->labels.parent[i] >= 0 || part->count < (k->borders[i] ? 1 : 2)) {
            continue;
        }
        double *record = scr_trade_add(
            &s->trade, k->borders[i] ? k->labels.label[i] % s->with->count : s->with->rank);
        if (record == NULL) {
            return SCREE_NO_MEMORY;
        }
        memcpy(record, part, sizeof *part);
    }
    return scr_trade_make(&s->trade, s->with) ? SCREE_OK : SCREE_NO_MEMORY;
}

static int by_label(const void *x, const void *y) {
    const double a = ((const Part *)x)->label, b = ((const Part *)y)->label;
    return a < b ? -1 : a > b;
}

/* Of those that fell to this process, by size and then by label. */
static Part largest_part(Share *s) {
    Part *part = (Part *)(void *)s->trade.in, best = {.count = 1};
    qsort(part, s->trade.received, sizeof *part, by_label);
    for (size_t i = 0; i < s->trade.received;) {
        Part all = part[i++];
        for (; i < s->trade.received && part[i].label == all.label; i++) {
            all = join_parts(all, part[i]);
        }
        best = all.count > best.count ? all : best; /* labels rise */
    }
    return best;
}

static double longest_side(const ScreeProcesses *with, Part best) {
    double count = best.count;
    scr_most_over_processes(with, &count, 1);
    if (count < 2) {
        return 0;
    }
    double first = best.count == count ? -best.label : (double)-INFINITY;
    scr_most_over_processes(with, &first, 1);
    const bool mine = best.count == count && -best.label == first;
    const Vec3 side = sub(best.high, best.low);
    double length = mine ? scr_max(side.x, scr_max(side.y, side.z)) : 0;
    scr_most_over_processes(with, &length, 1);
    return length;
}

static ScreeStatus find_length(Clusters *k, double *length) {
    join_contacts(k);
    SCR_TRY(scr_share_agree_on_labels(k->share, &k->labels));
    measure_parts(k);
    SCR_TRY(send_parts(k));
    *length = longest_side(k->share->with, largest_part(k->share));
    return SCREE_OK;
}

ScreeStatus scr_share_cluster_length(Share *s, double *length) {
    Clusters k = {.share = s};
    const ScreeStatus status = reserve(&k) ? find_length(&k, length) : SCREE_NO_MEMORY;
    scr_labels_free(&k.labels);
    scr_block_free(&k.block);
    return status;
}
