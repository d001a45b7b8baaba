#include "state/snapshot_beside.h"

void scr_put_identities(ByteWriter *w, const State *s) {
    const uint64_t given = (uint64_t)s->identities;
    scr_put(w, &given, sizeof given);
    scr_put(w, s->identity, s->bodies.count * sizeof *s->identity);
}

/* From version 12 on bodies need not have identities. */
void scr_put_holders(ByteWriter *w, const State *s) {
    const uint8_t named = s->identity != NULL;
    scr_put(w, &named, sizeof named);
    if (named == 1) {
        scr_put_identities(w, s);
    }
    scr_put(w, s->holder, s->bodies.count * sizeof *s->holder);
}

/* Bodies need have neither identities nor holders. */
void scr_put_bonds(ByteWriter *w, const State *s) {
    const uint8_t named = s->identity != NULL, held = s->holder != NULL;
    const uint64_t count = s->bonds.count;
    scr_put(w, &named, sizeof named);
    scr_put(w, &held, sizeof held);
    if (held == 1) {
        scr_put_holders(w, s);
    } else if (named == 1) {
        scr_put_identities(w, s);
    }
    scr_put(w, &count, sizeof count);
    scr_put(w, &s->bonds.made, sizeof s->bonds.made);
    scr_put(w, &s->bonds.broken, sizeof s->bonds.broken);
    scr_put(w, &s->bonds.reach, sizeof s->bonds.reach);
    scr_put(w, s->bonds.item, s->bonds.count * sizeof *s->bonds.item);
}

/* In rising order, and none that has not been given out. */
bool scr_get_identities(ByteReader *r, State *s) {
    uint64_t given = 0;
    scr_get(r, &given, sizeof given);
    r->failed = r->failed || given > INT32_MAX || given < s->bodies.count;
    s->identities = (int64_t)given;
    if (r->failed) {
        return true;
    }
    if (!scr_name_bodies(s, s->bodies.count)) {
        return false;
    }
    scr_get(r, s->identity, s->bodies.count * sizeof *s->identity);
    int64_t last = -1;
    for (size_t i = 0; i < s->bodies.count && !r->failed; i++) {
        r->failed = s->identity[i] <= last || s->identity[i] >= s->identities;
        last = s->identity[i];
    }
    return true;
}

bool scr_get_holders(ByteReader *r, State *s) {
    uint8_t named = 0;
    scr_get(r, &named, sizeof named);
    r->failed = r->failed || named > 1;
    if (!r->failed && named == 1 && !scr_get_identities(r, s)) {
        return false;
    }
    if (!scr_reserve_holders(s, s->bodies.count)) {
        return false;
    }
    scr_get(r, s->holder, s->bodies.count * sizeof *s->holder);
    for (size_t i = 0; i < s->bodies.count && !r->failed; i++) {
        const int32_t wall = s->holder[i];
        r->failed = wall < -1 ||
                    (wall >= 0 && ((size_t)wall >= s->walls.count || !s->walls.item[wall].present));
    }
    return true;
}

/* Whether a bond is one that could have been written. */
static bool is_bond(const ScreeBond *bond, size_t bodies) {
    return bond->a.index >= 0 && bond->a.index < bond->b.index && (size_t)bond->b.index < bodies &&
           bond->tension > 0 && bond->shear > 0 && bond->bending > 0 && bond->torsion > 0;
}

bool scr_get_bonds(ByteReader *r, State *s) {
    uint8_t named = 0, held = 0;
    uint64_t count = 0;
    scr_get(r, &named, sizeof named);
    scr_get(r, &held, sizeof held);
    r->failed = r->failed || named > 1 || held > 1;
    if (!r->failed && !(held == 1    ? scr_get_holders(r, s)
                        : named == 1 ? scr_get_identities(r, s)
                                     : true)) {
        return false;
    }
    Bonds *k = &s->bonds;
    scr_get(r, &count, sizeof count);
    scr_get(r, &k->made, sizeof k->made);
    scr_get(r, &k->broken, sizeof k->broken);
    scr_get(r, &k->reach, sizeof k->reach);
    r->failed = r->failed || count > (r->size - r->at) / sizeof *k->item;
    if (r->failed) {
        return true;
    }
    if (!scr_bonds_reserve(k, (size_t)count)) {
        return false;
    }
    scr_get(r, k->item, (size_t)count * sizeof *k->item);
    for (size_t i = 0; i < count && !r->failed; i++) {
        r->failed = !is_bond(&k->item[i], s->bodies.count);
    }
    k->count = (size_t)count;
    return true;
}
