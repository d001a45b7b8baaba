/* Round bodies that grow or shrink: what is refused, and the public functions. */
#include "api/world.h"

#include "math/reduce.h"

/* A surface that moves by more than this in a step, in radii, is too fast for linear gaps. */
static const double most_growth = 0.1;

static ScreeStatus check_rates(const State *s, char *message) {
    for (size_t i = 0; i < s->materials.count; i++) {
        const double part = fabs(s->materials.growth[i].rate) * s->def.time_step;
        if (!(part <= most_growth)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "material %zu: radii would change by %.3g of themselves in one step, "
                            "where %g is the most: take a shorter time step, or a lower rate",
                            i, part, most_growth);
        }
    }
    return SCREE_OK;
}

/* What is wrong with a body that grows or shrinks. */
typedef enum GrowthFault { SOUND, SHAPED, OUT_OF_RANGE, TOO_WIDE } GrowthFault;

/* With its radius at the end of the step. */
static GrowthFault fault_of(const State *s, const Bodies *b, size_t i, double *radius) {
    const double rate = s->materials.growth[b->material[i]].rate;
    *radius = b->radius[i] * (1 + rate * s->def.time_step);
    if (rate == 0) {
        return SOUND;
    }
    if (b->shape[i] >= 0) {
        return SHAPED;
    }
    if (!(*radius > 1e-100 && *radius < 1e100)) {
        return OUT_OF_RANGE;
    }
    return rate > 0 && scr_narrow_cell(&s->def, *radius, true) != NULL ? TOO_WIDE : SOUND;
}

static ScreeStatus tell_fault(const State *s, GrowthFault fault, size_t body, double radius,
                              char *message) {
    if (fault == SHAPED) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "body %zu: only disks and spheres can grow or shrink, not shapes: give "
                        "shapes a material of their own, whose growth is 0",
                        body);
    }
    if (fault == OUT_OF_RANGE) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "body %zu: its radius would become %.3g: let it grow or shrink for a "
                        "shorter time",
                        body, radius);
    }
    return scr_fail(message, SCREE_BAD_ARGUMENT, "body %zu has grown: %s", body,
                    scr_narrow_cell(&s->def, radius, true));
}

/* The first body at fault. Where processes share the world, each looks at those that it counts, and all tell
 * the same. */
static ScreeStatus check_bodies(const ScreeWorld *w, char *message) {
    const State *s = &w->state, *local = &w->engine.share.local;
    const bool ahead = w->engine.share.ahead;
    const Bodies *b = ahead ? &local->bodies : &s->bodies;
    const size_t count = ahead ? scr_counted(local) : b->count;
    double first = -INFINITY, what[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) { /* in the order of names */
        double radius;
        const GrowthFault fault = fault_of(s, b, i, &radius);
        if (fault != SOUND) {
            first = -(double)(ahead ? scr_name(local, (int32_t)i) : (int32_t)i);
            what[0] = fault;
            what[1] = radius;
            break;
        }
    }
    if (ahead) {
        double all = first;
        scr_most_over_processes(w->engine.processes, &all, 1);
        what[0] = first == all ? what[0] : -INFINITY;
        what[1] = first == all ? what[1] : -INFINITY;
        scr_most_over_processes(w->engine.processes, what, 2);
        first = all;
    }
    return first == -INFINITY
               ? SCREE_OK
               : tell_fault(s, (GrowthFault)what[0], (size_t)-first, what[1], message);
}

ScreeStatus scr_check_growth(ScreeWorld *w) {
    const State *s = &w->state;
    if (!s->materials.grow) {
        return SCREE_OK;
    }
    if (s->def.engine != SCREE_ENGINE_CONTACT_DYNAMICS) {
        return scr_fail(w->message, SCREE_BAD_ARGUMENT,
                        "in engine %s grains cannot grow or shrink: choose engine contact_dynamics",
                        scree_engine_get_name((int32_t)s->def.engine));
    }
    if ((s->materials.uses & LAW_RESTITUTION) != 0) {
        return scr_fail(w->message, SCREE_BAD_ARGUMENT,
                        "grains with restitution cannot grow or shrink: set restitution to 0 while "
                        "they do");
    }
    if ((s->materials.uses & LAW_BRIDGES) != 0) {
        return scr_fail(w->message, SCREE_BAD_ARGUMENT,
                        "grains with liquid bridges cannot grow or shrink: leave the liquid out");
    }
    SCR_TRY(check_rates(s, w->message));
    return check_bodies(w, w->message);
}

/* ---------------------------------------------------------------- public functions */

ScreeGrowth scree_growth_default(void) {
    return (ScreeGrowth){.rate = 0, .keeps = SCREE_GROWTH_KEEPS_DENSITY};
}

ScreeStatus scree_material_set_growth(ScreeWorld *world, ScreeMaterialId material,
                                      const ScreeGrowth *growth) {
    Materials *m = &world->state.materials;
    if (!scr_is_material(world, material)) {
        return scr_fail(world->message, SCREE_BAD_ID, "no material %d", material.index);
    }
    if (!isfinite(growth->rate)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "a rate of growth must be a finite number");
    }
    if ((int)growth->keeps < 0 || growth->keeps >= SCREE_GROWTH_KEEPS_COUNT) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "what grows keeps its density or its mass");
    }
    m->growth[material.index] = (Growth){growth->rate, growth->keeps};
    scr_materials_note_growth(m);
    return SCREE_OK;
}

ScreeStatus scree_material_get_growth(const ScreeWorld *world, ScreeMaterialId material,
                                      ScreeGrowth *growth) {
    if (!scr_is_material(world, material)) {
        return SCREE_BAD_ID;
    }
    const Growth *g = &world->state.materials.growth[material.index];
    *growth = (ScreeGrowth){g->rate, (ScreeGrowthKeeps)g->keeps};
    return SCREE_OK;
}
