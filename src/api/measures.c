/* Public functions that measure. The work is done in measure/. */
#include "api/world.h"
#include "measure/carriers.h"
#include "measure/loose.h"
#include "measure/of_sample.h"
#include "measure/profile.h"
#include "measure/room.h"

#include <string.h>

static Vec3 per_time(Vec3 impulse, double time) {
    return vec3(impulse.x / time, impulse.y / time, impulse.z / time);
}

static ScreeContactForce contact_force(const ScreeWorld *world, const ScreeContactView *view,
                                       size_t i) {
    const ScreeContact *c = &view->contact[i];
    const ScreeContactExtra none = {{0, 0, 0}, -1};
    const ScreeContactExtra extra = view->extra != NULL ? view->extra[i] : none;
    return (ScreeContactForce){
        .a = c->a,
        .b = c->b,
        .feature = c->feature,
        .state = c->state,
        .point = scree_contact_get_point(world, c),
        .normal = c->normal,
        .gap = c->gap,
        .force_normal = c->normal_impulse / view->time_step,
        .force_tangential = per_time(c->tangential_impulse, view->time_step),
        .torque = per_time(extra.torque_impulse, view->time_step),
        .opening = extra.opening,
    };
}

void scree_world_take_sample(const ScreeWorld *world, ScreeContactForce *contact, ScreeShape *form,
                             ScreeSample *sample) {
    const State *s = &world->state;
    const Bodies *b = &s->bodies;
    const ScreeContactView view = scree_world_get_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        contact[i] = contact_force(world, &view, i);
    }
    for (size_t i = 0; i < s->shapes.count; i++) {
        scree_shape_get(world, (ScreeShapeId){(int32_t)i}, &form[i]);
    }
    *sample = (ScreeSample){
        .dimension = s->def.dimension,
        .periodic = {s->def.periodic[0], s->def.periodic[1], s->def.periodic[2]},
        .cell_min = s->def.cell_min,
        .cell_max = s->def.cell_max,
        .gravity = s->def.gravity,
        .bodies = b->count,
        .contacts = view.count,
        .shapes = s->shapes.count,
        .materials = s->materials.count,
        .position = b->position,
        .orientation = b->orientation,
        .velocity = b->velocity,
        .spin = b->spin,
        .radius = b->radius,
        .mass = b->mass,
        .inertia = b->inertia,
        .material = scr_material_ids(b->material),
        .shape = scr_shape_ids(b->shape),
        .holder = s->holder != NULL ? scr_wall_ids(s->holder) : NULL,
        .form = form,
        .law = s->materials.law,
        .contact = contact,
    };
    for (int k = 0; k < 3 && s->def.deform.tilted; k++) {
        sample->edge[k] = s->def.periodic[k] ? s->def.deform.vector[k] : vec3(0, 0, 0);
    }
    const ScreeCellReport cell = scree_world_get_cell(world);
    memcpy(sample->rate, cell.rate, sizeof sample->rate);
    scree_sample_find_room(sample, s->walls.item, s->walls.count);
}

void scree_sample_find_room(ScreeSample *sample, const ScreeWallState *wall, size_t walls) {
    sample->room = scr_room_find(sample, wall, walls);
}

void scree_room_get_box(const ScreeRoom *room, int dimension, ScreeVec3 *min, ScreeVec3 *max) {
    double low[3], high[3];
    scr_room_box(room, dimension, low, high);
    *min = vec3(low[0], low[1], low[2]);
    *max = vec3(high[0], high[1], high[2]);
}

double scree_room_get_volume(const ScreeRoom *room, int dimension, ScreeVec3 min, ScreeVec3 max) {
    const double low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    return scr_room_in_box(room, dimension, low, high);
}

ScreeMeasureDef scree_measure_def_default(void) {
    const Vec3 far = vec3(INFINITY, INFINITY, INFINITY);
    return (ScreeMeasureDef){
        .min = scale(-1, far), .max = far, .least_contacts = 2, .cookie = SCR_COOKIE};
}

ScreeGridDef scree_grid_def_default(void) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    return (ScreeGridDef){
        .min = whole.min, .max = whole.max, .cells = {1, 1, 1}, .cookie = SCR_COOKIE};
}

static ScreeStatus check_begun(const ScreeMeasureDef *def, char *message) {
    return def->cookie == SCR_COOKIE
               ? SCREE_OK
               : scr_fail_if(message, SCR_NO_COOKIE(ScreeMeasureDef, scree_measure_def_default));
}

/* Returns what a measure does with `loose.sample`: walls and what they hold are no bodies. */
#define RETURN_OF_LOOSE(sample, message, measure)                                                  \
    Loose loose;                                                                                   \
    SCR_TRY(scr_loose_make(sample, &loose, message));                                              \
    const ScreeStatus status = measure;                                                            \
    scr_loose_free(&loose);                                                                        \
    return status

ScreeStatus scree_sample_measure(const ScreeSample *sample, const ScreeMeasureDef *def,
                                 ScreeMeasures *measures, char *message) {
    SCR_TRY(check_begun(def, message));
    RETURN_OF_LOOSE(sample, message, scr_measure(&loose.sample, def, measures, message));
}

ScreeStatus scree_sample_measure_partners(const ScreeSample *sample, const ScreeMeasureDef *def,
                                          double *mean, char *message) {
    SCR_TRY(check_begun(def, message));
    RETURN_OF_LOOSE(sample, message, scr_measure_partners(&loose.sample, def, mean, message));
}

ScreeStatus scree_sample_measure_distribution(const ScreeSample *sample, const ScreeMeasureDef *def,
                                              ScreeDistribution kind, double most, ScreeBin *bin,
                                              size_t bins, char *message) {
    SCR_TRY(check_begun(def, message));
    RETURN_OF_LOOSE(sample, message,
                    scr_measure_distribution(&loose.sample, def, kind, most, bin, bins, message));
}

ScreeStatus scree_sample_measure_grid(const ScreeSample *sample, const ScreeGridDef *def,
                                      ScreeCell *cell, char *message) {
    if (def->cookie != SCR_COOKIE) {
        return scr_fail_if(message, SCR_NO_COOKIE(ScreeGridDef, scree_grid_def_default));
    }
    RETURN_OF_LOOSE(sample, message, scr_measure_grid(&loose.sample, def, cell, message));
}

ScreeStatus scree_sample_measure_surface(const ScreeSample *sample, const ScreeMeasureDef *def,
                                         double column, ScreeSurface *surface, char *message) {
    SCR_TRY(check_begun(def, message));
    RETURN_OF_LOOSE(sample, message,
                    scr_measure_surface(&loose.sample, def, column, surface, message));
}

ScreeStatus scree_sample_measure_anisotropy(const ScreeSample *sample, const ScreeMeasureDef *def,
                                            ScreeAnisotropy *anisotropy, char *message) {
    SCR_TRY(check_begun(def, message));
    RETURN_OF_LOOSE(sample, message,
                    scr_measure_anisotropy(&loose.sample, def, anisotropy, message));
}

ScreeStatus scree_sample_measure_flow(const ScreeSample *sample, const ScreeMeasureDef *def,
                                      ScreeVec3 point, ScreeVec3 normal, ScreeFlow *flow,
                                      char *message) {
    SCR_TRY(check_begun(def, message));
    RETURN_OF_LOOSE(sample, message,
                    scr_measure_flow(&loose.sample, def, point, normal, flow, message));
}

/* ---------------------------------------------------------------- profiles */

ScreeProfileDef scree_profile_def_default(void) {
    const ScreeMeasureDef whole = scree_measure_def_default();
    return (ScreeProfileDef){.min = whole.min,
                             .max = whole.max,
                             .axis = SCREE_PROFILE_Y,
                             .blocks = 10,
                             .direction = vec3(0, 0, 1),
                             .cookie = SCR_COOKIE};
}

static const char *profile_fault(const ScreeProfileDef *def) {
    Vec3 along;
    return def->cookie != SCR_COOKIE ? SCR_NO_COOKIE(ScreeProfileDef, scree_profile_def_default)
           : def->axis < 0 || def->axis >= SCREE_PROFILE_AXIS_COUNT
               ? "the axis of a profile is x, y, z or r"
           : def->bins < 0 || def->bins > 1000000
               ? "a profile has from 1 to 1000000 bins; 0 chooses their number"
           : def->blocks < 1 || def->blocks > 1000000 ? "a profile has from 1 to 1000000 blocks"
           : !is_finite(def->centre) || !is_finite(def->direction) ||
                   !direction_of(def->direction, &along)
               ? "the axis of shells needs a point and a direction other than zero"
           : !(def->most >= 0 && isfinite(def->most))
               ? "the outer radius of a profile must be at least 0"
               : NULL;
}

ScreeProfile *scree_profile_new(const ScreeProfileDef *def, char *message) {
    Block block = {0};
    if (scr_fail_if(message, profile_fault(def)) != SCREE_OK) {
        return NULL;
    }
    if (!scr_block_reserve_exact(&block, 1, sizeof(ScreeProfile), 0)) {
        scr_no_memory(message);
        return NULL;
    }
    ScreeProfile *profile = block.data;
    *profile = (ScreeProfile){.def = *def, .reach = scr_no_reach, .self = block};
    return profile;
}

void scree_profile_free(ScreeProfile *profile) {
    if (profile != NULL) {
        Block self = profile->self;
        SCR_FREE_BLOCKS(&profile->sums_block, &self);
    }
}

ScreeStatus scree_profile_cover(ScreeProfile *profile, const ScreeSample *sample, char *message) {
    if (profile->samples > 0) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "a profile is told what to cover before the first sample is added");
    }
    RETURN_OF_LOOSE(sample, message, scr_profile_cover(profile, &loose.sample, message));
}

ScreeStatus scree_profile_add(ScreeProfile *profile, const ScreeSample *sample, char *message) {
    RETURN_OF_LOOSE(sample, message, scr_profile_add(profile, &loose.sample, message));
}

size_t scree_profile_get_bin_count(const ScreeProfile *profile) {
    return profile->bins;
}

size_t scree_profile_get_block_count(const ScreeProfile *profile) {
    return scr_profile_blocks(profile);
}

void scree_profile_get_bins(const ScreeProfile *profile, ScreeProfileBin *bin) {
    scr_profile_get_bins(profile, bin);
}

/* ---------------------------------------------------------------- carriers */

ScreeCarriers *scree_carriers_new(const ScreeMeasureDef *def, double window, char *message) {
    Block block = {0};
    if (check_begun(def, message) != SCREE_OK) {
        return NULL;
    }
    if (!(window > 0 && isfinite(window))) {
        scr_fail(message, SCREE_BAD_ARGUMENT, "the window must be longer than 0");
        return NULL;
    }
    if (!scr_block_reserve_exact(&block, 1, sizeof(ScreeCarriers), 0)) {
        scr_no_memory(message);
        return NULL;
    }
    ScreeCarriers *carriers = block.data;
    *carriers = (ScreeCarriers){.def = *def, .window = window, .self = block};
    return carriers;
}

void scree_carriers_free(ScreeCarriers *carriers) {
    if (carriers != NULL) {
        Block self = carriers->self;
        SCR_FREE_BLOCKS(&carriers->carrier_block, &carriers->done_block, &self);
    }
}

ScreeStatus scree_carriers_add(ScreeCarriers *carriers, const ScreeSample *sample, double time,
                               char *message) {
    RETURN_OF_LOOSE(sample, message, scr_carriers_add(carriers, &loose.sample, time, message));
}

ScreeCarrying scree_carriers_get(const ScreeCarriers *carriers) {
    return scr_carriers_get(carriers);
}

void scree_energy_add(ScreeEnergy *e, const ScreeReport *r) {
    e->work_external += r->work_external;
    /* the cell is a wall that has no place, and so is what makes bodies grow */
    e->work_walls += r->work_walls + r->work_cell + r->work_growth;
    e->dissipation_normal += r->dissipation_normal;
    e->dissipation_friction += r->dissipation_friction;
    e->dissipation_rolling += r->dissipation_rolling;
    e->dissipation_torsion += r->dissipation_torsion;
    e->dissipation_cohesion += r->dissipation_cohesion;
    e->dissipation_scheme += r->dissipation_scheme;
    e->energy_error += r->energy_error;
    const double gained = r->work_external + r->work_walls + r->work_cell + r->work_growth -
                          r->dissipation - r->dissipation_scheme + r->energy_error;
    e->gained += gained;
    e->carried +=
        (r->kinetic_energy - e->kinetic_energy) + (r->energy_elastic - e->energy_elastic) - gained;
    e->kinetic_energy = r->kinetic_energy;
    e->energy_elastic = r->energy_elastic;
}
