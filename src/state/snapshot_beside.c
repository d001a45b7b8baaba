#include "state/snapshot_beside.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* What a bond has apart from its normal. */
enum { BOND_BYTES = offsetof(ScreeBond, normal) };

bool scr_has_branches(const State *s) {
    return s->branches > 0 && s->branches == s->contacts.count;
}

static bool are_same_bits(double a, double b) {
    return a == b && signbit(a) == signbit(b);
}

bool scr_has_normals(const Bonds *k) {
    for (size_t i = 0; i < k->count; i++) {
        const Vec3 n = k->item[i].normal, a = k->item[i].arm_a;
        if (!are_same_bits(n.x, a.x) || !are_same_bits(n.y, a.y) || !are_same_bits(n.z, a.z)) {
            return true;
        }
    }
    return false;
}

/* No material need grow; from then on that bonds have normals, no cell need be small. */
void scr_put_branches(ByteWriter *w, const State *s, bool with_normals) {
    const uint8_t grown = s->materials.grown, told = scr_has_branches(s);
    scr_put(w, &grown, sizeof grown);
    if (with_normals) {
        for (size_t i = 0; i < s->bonds.count; i++) {
            scr_put(w, &s->bonds.item[i].normal, sizeof s->bonds.item[i].normal);
        }
        scr_put(w, &told, sizeof told);
    }
    if (told == 1) {
        scr_put(w, s->branch, s->contacts.count * sizeof *s->branch);
    }
}

static void get_normals(ByteReader *r, Bonds *k) {
    for (size_t i = 0; i < k->count && !r->failed; i++) {
        scr_get(r, &k->item[i].normal, sizeof k->item[i].normal);
        r->failed = r->failed || !is_finite(k->item[i].normal);
    }
}

bool scr_get_branches(ByteReader *r, State *s, bool with_normals) {
    const size_t count = s->contacts.count;
    uint8_t grown = 0, told = 1;
    scr_get(r, &grown, sizeof grown);
    s->materials.grown = grown == 1;
    if (with_normals) {
        get_normals(r, &s->bonds);
        scr_get(r, &told, sizeof told);
    }
    if (r->failed || grown > 1 || told > 1 || (told == 1 && count == 0)) {
        r->failed = true;
        return true;
    }
    if (told == 0) {
        return true;
    }
    if (!scr_block_reserve(&s->branch_block, count, sizeof *s->branch, 0)) {
        return false;
    }
    s->branch = s->branch_block.data;
    s->branches = count;
    scr_get(r, s->branch, count * sizeof *s->branch);
    for (size_t i = 0; i < count && !r->failed; i++) {
        r->failed = !is_finite(s->branch[i].way) || !is_finite(s->branch[i].arm);
    }
    return true;
}

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
    for (size_t i = 0; i < s->bonds.count; i++) {
        scr_put(w, &s->bonds.item[i], BOND_BYTES);
    }
}

void scr_put_growth(ByteWriter *w, const Materials *materials) {
    scr_put(w, materials->growth, materials->count * sizeof *materials->growth);
}

bool scr_get_growth(ByteReader *r, Materials *m) {
    scr_get(r, m->growth, m->count * sizeof *m->growth);
    for (size_t i = 0; i < m->count && !r->failed; i++) {
        const Growth *g = &m->growth[i];
        r->failed = !isfinite(g->rate) || g->keeps < 0 || g->keeps >= SCREE_GROWTH_KEEPS_COUNT;
    }
    if (!r->failed) {
        scr_materials_note_growth(m);
    }
    return true;
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
static bool is_bond(const State *s, const ScreeBond *bond) {
    const int32_t a = bond->a.index, b = bond->b.code, last = b < 0 ? a : b;
    const bool paired =
        b >= 0 ? a < b : scr_wall_of(b) < s->walls.count && s->walls.item[scr_wall_of(b)].present;
    return a >= 0 && paired && (size_t)last < s->bodies.count && bond->tension > 0 &&
           bond->shear > 0 && bond->bending > 0 && bond->torsion > 0;
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
    r->failed = r->failed || count > (r->size - r->at) / BOND_BYTES;
    if (r->failed) {
        return true;
    }
    if (!scr_bonds_reserve(k, (size_t)count)) {
        return false;
    }
    for (size_t i = 0; i < count && !r->failed; i++) {
        scr_get(r, &k->item[i], BOND_BYTES);
        k->item[i].normal = k->item[i].arm_a;
        r->failed = r->failed || !is_bond(s, &k->item[i]);
    }
    k->count = (size_t)count;
    return true;
}

/* ---------------------------------------------------------------- materials */

/* What laws had not before there were bridges. */
enum {
    BRIDGES_BEGIN = offsetof(ScreeLaw, bridge_volume),
    BRIDGES_END = offsetof(ScreeLaw, bridge_angle) + sizeof(double),
    DRY_LAW = sizeof(ScreeLaw) - (BRIDGES_END - BRIDGES_BEGIN)
};
_Static_assert(BRIDGES_END - BRIDGES_BEGIN == 3 * sizeof(double), "they lie together");

static bool is_dry(const ScreeLaw *law) {
    return law->bridge_volume == 0 && law->bridge_tension == 0 && law->bridge_angle == 0;
}

bool scr_has_liquid(const State *s) {
    bool dry = s->contacts.elastic[2] == 0;
    for (size_t i = 0; dry && i < s->materials.count * s->materials.count; i++) {
        dry = is_dry(&s->materials.law[i]);
    }
    for (size_t i = 0; dry && i < s->materials.count; i++) {
        dry = is_dry(&s->materials.item[i].law);
    }
    return !dry;
}

static void put_law(ByteWriter *w, const ScreeLaw *law, bool wet) {
    const char *bytes = (const char *)law;
    scr_put(w, bytes, wet ? BRIDGES_END : BRIDGES_BEGIN);
    scr_put(w, bytes + BRIDGES_END, sizeof *law - BRIDGES_END);
}

void scr_put_materials(ByteWriter *w, const Materials *m, bool wet) {
    uint64_t count = m->count;
    scr_put(w, &count, sizeof count);
    for (size_t i = 0; i < m->count; i++) {
        scr_put(w, &m->item[i].density, sizeof m->item[i].density);
        put_law(w, &m->item[i].law, wet);
    }
    for (size_t i = 0; i < m->count * m->count; i++) {
        put_law(w, &m->law[i], wet);
    }
}

static void get_law(ByteReader *r, ScreeLaw *law, bool wet) {
    char *bytes = (char *)law;
    *law = (ScreeLaw){0};
    scr_get(r, bytes, wet ? BRIDGES_END : BRIDGES_BEGIN);
    scr_get(r, bytes + BRIDGES_END, sizeof *law - BRIDGES_END);
}

bool scr_get_materials(ByteReader *r, Materials *m, bool wet) {
    size_t count = scr_get_count(r, DRY_LAW);
    if (count > (r->size - r->at) / DRY_LAW / (count > 0 ? count : 1)) {
        r->failed = true;
        return true;
    }
    if (count > 0 && (!scr_block_reserve_exact(&m->item_block, count, sizeof *m->item, 0) ||
                      !scr_block_reserve_exact(&m->law_block, count * count, sizeof *m->law, 0) ||
                      !scr_block_reserve_exact(&m->growth_block, count, sizeof *m->growth, 0))) {
        return false;
    }
    m->item = m->item_block.data;
    m->law = m->law_block.data;
    m->growth = m->growth_block.data;
    m->count = count;
    for (size_t i = 0; i < count; i++) {
        scr_get(r, &m->item[i].density, sizeof m->item[i].density);
        get_law(r, &m->item[i].law, wet);
        m->growth[i] = (Growth){0};
    }
    for (size_t i = 0; i < count * count; i++) {
        get_law(r, &m->law[i], wet);
    }
    scr_materials_note_uses(m);
    return true;
}
