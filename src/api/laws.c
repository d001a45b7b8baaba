/* Public functions on materials and the laws between them. */
#include "api/world.h"

#include "state/bridge.h"

static bool is_at_least_zero(double x) {
    return x >= 0 && isfinite(x);
}

static bool is_coefficient(double e) {
    return e >= 0 && e <= 1;
}

/* The soft engine must be given springs, and the others must not be given laws that only it
 * knows. */
static const char *engine_fault(ScreeEngine engine, const ScreeLaw *l) {
    bool soft = engine == SCREE_ENGINE_SOFT;
    if (!soft && (l->modulus > 0 || l->damping > 0 || l->damping_tangential > 0)) {
        return "modulus and damping belong to the soft engine; contact dynamics uses stiffness and "
               "restitution";
    }
    if (soft && !isfinite(l->stiffness) && !(l->modulus > 0)) {
        return "the soft engine needs a finite stiffness, or a modulus";
    }
    return NULL;
}

/* A bridge has no bond beside it: a contact remembers one of the two. */
static const char *bridge_fault(const ScreeWorldDef *def, const ScreeLaw *l) {
    if (!is_at_least_zero(l->bridge_volume) || !is_at_least_zero(l->bridge_tension)) {
        return "bridge_volume and bridge_tension must be numbers of at least zero";
    }
    if (!(l->bridge_angle >= 0 && l->bridge_angle < 90)) {
        return "bridge_angle must be at least 0 and below 90 degrees: beyond, a liquid does not "
               "pull";
    }
    if ((l->bridge_volume > 0) != (l->bridge_tension > 0)) {
        return "a liquid bridge needs both bridge_volume and bridge_tension";
    }
    if (scr_has_bridges(l) && scr_is_cohesive(l)) {
        return "give either cohesion or liquid bridges (bridge_volume), not both";
    }
    if (scr_has_bridges(l) && def->engine == SCREE_ENGINE_SOFT) {
        return "liquid bridges (bridge_volume) belong to contact dynamics; the soft engine has "
               "cohesion";
    }
    return NULL;
}

static const char *law_fault(const ScreeWorldDef *def, const ScreeLaw *l) {
    if (!is_at_least_zero(l->friction) || !is_at_least_zero(l->friction_static)) {
        return "friction must be a number of at least zero";
    }
    if (l->friction_static != 0 && l->friction_static < l->friction) {
        return "friction_static must be at least friction (or 0: the same)";
    }
    if (!is_at_least_zero(l->rolling) || !is_at_least_zero(l->rolling_length) ||
        !is_at_least_zero(l->rolling_hertz) || !is_at_least_zero(l->torsion) ||
        !is_at_least_zero(l->torsion_length)) {
        return "rolling and torsion friction must be numbers of at least zero";
    }
    if (!is_at_least_zero(l->cohesion) || !is_at_least_zero(l->cohesion_stress) ||
        !is_at_least_zero(l->cohesion_range)) {
        return "cohesion and its range must be numbers of at least zero";
    }
    if (scr_is_cohesive(l) && !(l->cohesion_range > 0)) {
        return "cohesion needs a cohesion_range greater than zero: without one the slightest blow "
               "breaks it, the sooner the smaller the time step";
    }
    if (!is_coefficient(l->restitution) || !is_coefficient(l->restitution_tangential)) {
        return "restitution must lie between 0 and 1";
    }
    if (!is_at_least_zero(l->restitution_threshold)) {
        return "restitution_threshold must be a speed of at least zero";
    }
    if (!(l->stiffness > 0) || !(l->stiffness_tangential > 0)) {
        return "stiffness must be greater than zero (infinite: rigid, as in scree_law_default())";
    }
    if (!is_at_least_zero(l->modulus) || !is_at_least_zero(l->damping) ||
        !is_at_least_zero(l->damping_tangential)) {
        return "modulus and damping must be numbers of at least zero";
    }
    if (l->cohesion_stress > 0 && def->dimension == 2) {
        return "cohesion_stress is for the faces of solids, in three dimensions; give cohesion";
    }
    const char *fault = bridge_fault(def, l);
    return fault != NULL ? fault : engine_fault(def->engine, l);
}

static const char *material_fault(const ScreeWorld *world, const ScreeMaterialDef *def) {
    if (def->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeMaterialDef, scree_material_def_default);
    }
    if (!(def->density > 0) || !isfinite(def->density)) {
        return "a density must be greater than zero";
    }
    const char *fault = law_fault(&world->state.def, &def->law);
    return fault == NULL && world->state.materials.count >= 4096 ? "at most 4096 materials" : fault;
}

ScreeStatus scree_world_add_material(ScreeWorld *world, const ScreeMaterialDef *def,
                                     ScreeMaterialId *id) {
    SCR_TRY(scr_fail_if(world->message, material_fault(world, def)));
    const Material material = {def->density, def->law};
    if (!scr_materials_add(&world->state.materials, &material)) {
        return scr_no_memory(world->message);
    }
    if (id != NULL) {
        id->index = (int32_t)world->state.materials.count - 1;
    }
    return SCREE_OK;
}

ScreeStatus scree_law_set(ScreeWorld *world, ScreeMaterialId a, ScreeMaterialId b,
                          const ScreeLaw *law) {
    if (!scr_is_material(world, a) || !scr_is_material(world, b)) {
        return scr_fail(world->message, SCREE_BAD_ID, "no material %d or %d", a.index, b.index);
    }
    SCR_TRY(scr_fail_if(world->message, law_fault(&world->state.def, law)));
    Materials *m = &world->state.materials;
    m->law[(size_t)a.index * m->count + (size_t)b.index] = *law;
    m->law[(size_t)b.index * m->count + (size_t)a.index] = *law;
    double range = m->longest_range;
    scr_materials_note_uses(m);
    if (m->longest_range > range) { /* the neighbour list needs wider margins */
        world->state.list_stale = true;
    }
    return SCREE_OK;
}

ScreeStatus scree_law_get(const ScreeWorld *world, ScreeMaterialId a, ScreeMaterialId b,
                          ScreeLaw *law) {
    if (!scr_is_material(world, a) || !scr_is_material(world, b)) {
        return SCREE_BAD_ID;
    }
    *law = *scr_law(&world->state.materials, a.index, b.index);
    return SCREE_OK;
}

ScreeBridge scree_law_get_bridge(const ScreeLaw *law, double radius_a, double radius_b,
                                 double gap) {
    const double curvature = 1 / radius_a + 1 / radius_b;
    const Bridge bridge = scr_bridge(law, curvature > 0 ? 1 / curvature : radius_a);
    return (ScreeBridge){scr_bridge_force(&bridge, gap), scr_bridge_energy(&bridge, gap),
                         bridge.reach};
}
