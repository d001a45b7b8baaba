/* What tests of bonds need. */
#ifndef SCREE_TESTS_BOND_RIG_H
#define SCREE_TESTS_BOND_RIG_H

#include "physics/rig.h"

#define MOST 32

static inline ScreeBondDef strengths(double tension, double shear, double bending, double torsion) {
    ScreeBondDef def = scree_bond_def_default();
    def.tension = tension;
    def.shear = shear;
    def.bending = bending;
    def.torsion = torsion;
    return def;
}

static inline size_t glue(ScreeWorld *world, ScreeBondDef def) {
    size_t made = 0;
    rig_must(scree_world_add_bonds(world, &def, &made), scree_world_get_message(world));
    return made;
}

static inline size_t glue_pair(ScreeWorld *world, int32_t a, int32_t b, ScreeBondDef def) {
    def.a.index = a;
    def.b.index = b;
    return glue(world, def);
}

static inline double load(const ScreeWorld *world, size_t bond) {
    return scree_world_get_bonds(world).bond[bond].load;
}

static inline size_t fragments(const ScreeWorld *world, int32_t *fragment) {
    const ScreeBondView view = scree_world_get_bonds(world);
    int32_t a[MOST], b[MOST];
    for (size_t i = 0; i < view.count; i++) {
        a[i] = view.bond[i].a.index;
        b[i] = view.bond[i].b.code;
    }
    return scree_bonds_find_fragments(a, b, view.count, scree_world_get_bodies(world).count,
                                      fragment);
}

/* A row of grains in contact along a direction, of which the first is held. */
static inline void add_row(ScreeWorld *world, int grains, ScreeVec3 along, double radius,
                           double mass) {
    for (int i = 0; i < grains; i++) {
        ScreeBodyDef def = rig_ball(rig_scale(2 * radius * i, along), radius, mass);
        def.frozen = i == 0 ? SCREE_FREEZE_ALL : 0;
        rig_add_body(world, &def);
    }
}

#endif
