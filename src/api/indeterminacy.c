/* Public functions on the indeterminacy of forces and motion. The work is done in network/. */
#include "api/world.h"

#include "base/random.h"
#include "network/indeterminacy.h"
#include "network/motions.h"

ScreeIndeterminacyDef scree_indeterminacy_def_default(void) {
    return (ScreeIndeterminacyDef){.extremes = true,
                                   .samples = 50,
                                   .amplitude = 1,
                                   .tolerance = 1e-8,
                                   .still = 1e-5,
                                   .seed = 1,
                                   .cookie = SCR_COOKIE};
}

void scree_world_take_surroundings(const ScreeWorld *world, ScreeSampleWall *wall,
                                   ScreeSurroundings *surroundings) {
    size_t walls = scree_world_get_wall_count(world);
    for (size_t i = 0; i < walls; i++) {
        ScreeWallState state;
        scree_wall_get_state(world, (ScreeWallId){(int32_t)i}, &state);
        const ScreeWallDef *now = &state.now;
        bool piston = state.present && now->motion == SCREE_WALL_PISTON;
        wall[i] = (ScreeSampleWall){
            .material = now->material,
            .mass = now->mass,
            .piston = piston ? unit(now->direction) : vec3(0, 0, 0),
            .pivot = now->has_pivot ? now->pivot : now->point,
            .velocity = now->velocity,
            .spin = now->spin,
        };
    }
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    *surroundings = (ScreeSurroundings){.time_step = scree_world_get_contacts(world).time_step,
                                        .frozen = bodies.frozen,
                                        .walls = walls,
                                        .wall = wall,
                                        .holder = bodies.holder};
}

/* ---------------------------------------------------------------- one measurement */

typedef struct Measuring {
    const ScreeIndeterminacyDef *def;
    ScreeForceRange *range;
    ScreeIndeterminacy *whole;
    double *network;
    size_t width;       /* of a row of it */
    ForceSet set, part; /* all closed contacts; the loose ones among them */
    InteriorWork work;
    Block loose_block, force_block;
} Measuring;

static void release(Measuring *k) {
    scr_force_set_free(&k->set);
    scr_force_set_free(&k->part);
    scr_interior_work_free(&k->work);
    scr_block_free(&k->loose_block);
    scr_block_free(&k->force_block);
}

/* The number in the sample of contact i of the part. */
static size_t sample_contact(const Measuring *k, size_t i) {
    return (size_t)k->set.contact[k->part.contact[i]];
}

/* What is known before anything is varied: every force stays as it is. */
static void begin(Measuring *k, const ScreeSample *sample) {
    const MatrixProblem *p = &k->set.problem;
    double least = k->def->extremes ? 0 : NAN, mean = k->def->samples > 0 ? 0 : NAN;
    for (size_t i = 0; i < sample->contacts; i++) {
        double spread = least; /* 0 where forces are known to vanish */
        k->range[i] = (ScreeForceRange){SCREE_CONTACT_OPEN, 0, 0, least, least, spread, mean, mean};
    }
    for (size_t c = 0; c < p->contacts; c++) {
        double now = k->set.now[c * (size_t)p->block] * k->set.unit;
        k->range[k->set.contact[c]] = (ScreeForceRange){
            k->set.state[c], 0, now, least + now, least + now, least, mean + now, mean};
        k->whole->sliding += k->set.state[c] == SCREE_CONTACT_SLIP;
        k->whole->force += now;
    }
    k->whole->contacts = (int64_t)p->contacts;
    k->whole->force /= p->contacts > 0 ? (double)p->contacts : NAN;
    for (size_t s = 0; k->network != NULL && s < k->def->samples; s++) {
        for (size_t i = 0; i < k->width; i++) {
            k->network[s * k->width + i] = k->range[i].now;
        }
    }
}

static bool find_loose(Measuring *k) {
    size_t contacts = k->set.problem.contacts;
    ForceRank rank = {0};
    if (!scr_block_reserve_exact(&k->loose_block, contacts + 1, sizeof(bool), 0)) {
        return false;
    }
    bool *loose = k->loose_block.data;
    if (!scr_force_rank(&k->set, &rank, loose) || !scr_force_set_choose(&k->set, loose, &k->part) ||
        !scr_block_reserve_exact(&k->force_block, scr_matrix_rows(&k->part.problem) + 1,
                                 sizeof(double), 0)) {
        return false;
    }
    for (size_t c = 0; c < contacts; c++) {
        k->range[k->set.contact[c]].loose = loose[c];
        k->whole->loose += loose[c];
    }
    k->whole->unknowns = (int64_t)rank.unknowns;
    k->whole->equations = (int64_t)rank.equations;
    k->whole->rank = (int64_t)rank.rank;
    k->whole->hyperstaticity = (int64_t)(rank.unknowns - rank.rank);
    return true;
}

/* The present network belongs to the set, so its forces bound the extremes from inside. */
static bool find_extremes(Measuring *k) {
    bool *unbounded = k->loose_block.data; /* which is no longer needed to tell what is loose */
    if (k->part.problem.contacts > 0 && !scr_force_unbounded(&k->part, unbounded)) {
        return false;
    }
    for (size_t i = 0; i < k->part.problem.contacts; i++) {
        ScreeForceRange *range = &k->range[sample_contact(k, i)];
        ForceExtreme least, most = {INFINITY, 0, 0};
        double unit = k->part.unit;
        if (!scr_force_extreme(&k->work, &k->part, i, false, k->force_block.data, &least) ||
            (!unbounded[i] &&
             !scr_force_extreme(&k->work, &k->part, i, true, k->force_block.data, &most))) {
            return false;
        }
        range->least = scr_min(scr_max(least.value, 0) * unit, range->now);
        range->most = scr_max(most.value * unit, range->now);
        k->whole->unsure += !(least.error < 1e-6) || !(most.error < 1e-6);
        k->whole->error_balance =
            scr_max(k->whole->error_balance, scr_max(least.balance, most.balance));
        double sum = range->most + range->least;
        range->spread = isinf(range->most) ? 1 : sum > 0 ? (range->most - range->least) / sum : 0;
    }
    return true;
}

/* Sums and sums of squares relative to the present forces, where rounding does no harm. */
static Fault find_samples(Measuring *k) {
    const ForceSet *part = &k->part;
    double *r = k->force_block.data;
    size_t contacts = part->problem.contacts, block = (size_t)part->problem.block;
    Fault fault = contacts > 0 ? scr_force_set_moving(&k->part) : scr_no_fault();
    for (size_t s = 0; fault.status == SCREE_OK && s < k->def->samples; s++) {
        bool ok = scr_force_sample(part, k->def->amplitude, k->def->tolerance,
                                   scr_random_key(k->def->seed, s, 0), r);
        k->whole->samples += ok;
        k->whole->failed += !ok;
        for (size_t i = 0; i < contacts; i++) {
            size_t at = sample_contact(k, i);
            ScreeForceRange *range = &k->range[at];
            double change = r[i * block] * part->unit - range->now;
            if (ok) {
                range->mean += change;
                range->deviation += change * change;
            }
            if (k->network != NULL) {
                k->network[s * k->width + at] = ok ? range->now + change : NAN;
            }
        }
    }
    double count = (double)k->whole->samples;
    for (size_t i = 0; fault.status == SCREE_OK && i < contacts; i++) {
        ScreeForceRange *range = &k->range[sample_contact(k, i)];
        double change = (range->mean - range->now) / count;
        range->mean = range->now + change;
        range->deviation = sqrt(scr_max(range->deviation / count - change * change, 0));
    }
    return fault;
}

/* Means over the contacts of the set. A range counts if it is larger than rounding. */
static void sum_up(Measuring *k) {
    ScreeIndeterminacy *w = k->whole;
    double count = w->contacts > 0 ? (double)w->contacts : NAN, square = 0;
    for (size_t c = 0; c < k->set.problem.contacts; c++) {
        const ScreeForceRange *range = &k->range[k->set.contact[c]];
        w->undetermined += range->most - range->least > 1e-6 * k->set.unit;
        w->unbounded += isinf(range->most);
        w->spread += range->spread;
        square += range->deviation * range->deviation;
    }
    w->loose /= count;
    w->undetermined = k->def->extremes ? w->undetermined / count : NAN;
    w->unbounded = k->def->extremes ? w->unbounded / count : NAN;
    w->spread /= count;
    w->deviation = sqrt(square / count) / w->force;
}

static Fault measure(Measuring *k, const ScreeSample *sample, const ScreeSurroundings *around) {
    Fault fault = scr_force_set_make(&k->set, sample, around, k->def->still);
    if (fault.status != SCREE_OK) {
        return fault;
    }
    begin(k, sample);
    if (!find_loose(k) || (k->def->extremes && !find_extremes(k))) {
        return scr_fault_of_memory();
    }
    fault = k->def->samples > 0 ? find_samples(k) : scr_no_fault();
    sum_up(k);
    return fault;
}

static const char *fault_of(const ScreeIndeterminacyDef *def) {
    if (def->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeIndeterminacyDef, scree_indeterminacy_def_default);
    }
    if (!(def->amplitude > 0) || !isfinite(def->amplitude)) {
        return "the amplitude must be positive";
    }
    if (!(def->tolerance > 0) || !(def->still >= 0)) {
        return "the tolerance must be positive, and 'still' not negative";
    }
    return NULL;
}

ScreeStatus scree_sample_measure_indeterminacy(const ScreeSample *sample,
                                               const ScreeSurroundings *surroundings,
                                               const ScreeIndeterminacyDef *def,
                                               ScreeForceRange *range, ScreeIndeterminacy *whole,
                                               double *network, char *message) {
    Measuring k = {
        .def = def, .range = range, .whole = whole, .network = network, .width = sample->contacts};
    Fault fault = scr_fault_of_argument(fault_of(def));
    *whole = (ScreeIndeterminacy){0};
    if (fault.status == SCREE_OK) {
        fault = measure(&k, sample, surroundings);
    }
    release(&k);
    return scr_fail_with(message, fault);
}

/* ---------------------------------------------------------------- motion */

/* The velocity of a body along one of its six axes. */
static double *axis_of(ScreeVec3 *velocity, ScreeVec3 *spin, int axis) {
    ScreeVec3 *v = axis < 3 ? velocity : spin;
    return axis % 3 == 0 ? &v->x : axis % 3 == 1 ? &v->y : &v->z;
}

/* The extremes of a velocity that the same contact states leave undetermined. The present motion is
 * one of those allowed. */
static bool find_motion(MotionSet *set, size_t freedom, bool extremes, ScreeMotions *whole) {
    MotionExtreme least = {NAN, true}, most = {NAN, true};
    if (extremes && (!scr_motion_extreme(set, freedom, false, &least) ||
                     !scr_motion_extreme(set, freedom, true, &most))) {
        return false;
    }
    set->least[freedom] = extremes ? scr_min(least.change, 0) : NAN;
    set->most[freedom] = extremes ? scr_max(most.change, 0) : NAN;
    whole->motion_loose++;
    whole->motion_unsure += !least.sure + !most.sure;
    return true;
}

/* Widens the range of each velocity by changes from the present one; NaN makes it unknown. */
static void widen(const MotionSet *set, const ScreeSample *sample, const double *down,
                  const double *up, ScreeMotionRange *range) {
    for (size_t i = 0; i < (size_t)set->all.problem.h.rows; i++) {
        int32_t owner = set->all.owner[i], body = owner / 6, axis = owner % 6;
        if (owner < 0) {
            continue;
        }
        ScreeMotionRange *r = &range[body];
        ScreeVec3 velocity = sample->velocity[body], spin = sample->spin[body];
        double lever = axis < 3 ? 1 : sample->radius[body], now = *axis_of(&velocity, &spin, axis),
               low = now + down[i] / lever, high = now + up[i] / lever;
        double *least = axis_of(&r->velocity_least, &r->spin_least, axis),
               *most = axis_of(&r->velocity_most, &r->spin_most, axis);
        *least = *least <= low ? *least : low;
        *most = *most >= high ? *most : high;
    }
}

/* Whether a sampled motion lies outside what the present contact states allow. The tolerance is
 * relative to the sampled forces; nearer than that, it does not. */
static bool is_other(const MotionSet *set, const ScreeIndeterminacyDef *def) {
    const double near = 100 * def->tolerance * scr_max(def->amplitude, 1) * set->velocity_unit;
    bool other = false;
    for (size_t i = 0; i < (size_t)set->all.problem.h.rows; i++) {
        other = other || (set->all.owner[i] >= 0 && (set->least[i] - set->change[i] > near ||
                                                     set->change[i] - set->most[i] > near));
    }
    return other;
}

static void sample_motions(MotionSet *set, const ScreeSample *sample,
                           const ScreeIndeterminacyDef *def, ScreeMotionRange *range,
                           ScreeMotions *whole) {
    for (size_t s = 0; set->all.problem.contacts > 0 && s < def->samples; s++) {
        bool ok =
            scr_motion_sample(set, def->amplitude, def->tolerance, scr_random_key(def->seed, s, 0));
        whole->motion_failed += !ok;
        if (ok && is_other(set, def)) {
            whole->motion_other++;
            widen(set, sample, set->change, set->change, range);
        }
    }
}

/* The largest range of a velocity. */
static double widest(const ScreeSample *sample, const ScreeMotionRange *range) {
    double most = 0;
    for (size_t b = 0; b < sample->bodies; b++) {
        ScreeMotionRange r = range[b];
        for (int axis = 0; axis < 6; axis++) {
            double wide = *axis_of(&r.velocity_most, &r.spin_most, axis) -
                          *axis_of(&r.velocity_least, &r.spin_least, axis);
            wide *= axis < 3 ? 1 : sample->radius[b];
            most = wide > most || isnan(wide) ? wide : most;
        }
    }
    return most;
}

static Fault find_motions(const ScreeSample *sample, const ScreeSurroundings *around,
                          const ScreeIndeterminacyDef *def, ScreeMotionRange *range,
                          ScreeMotions *whole) {
    MotionSet set = {0};
    for (size_t i = 0; i < sample->bodies; i++) {
        range[i] = (ScreeMotionRange){sample->velocity[i], sample->velocity[i], sample->spin[i],
                                      sample->spin[i]};
    }
    if (!(around->time_step > 0)) {
        return scr_fault_of_argument("the time step is not known");
    }
    Fault fault = scr_motion_set_make(&set, sample, around, def->still);
    size_t freedoms = fault.status == SCREE_OK ? (size_t)set.all.problem.h.rows : 0;
    for (size_t i = 0; i < freedoms; i++) {
        if (set.loose[i] && set.all.owner[i] >= 0 && !find_motion(&set, i, def->extremes, whole)) {
            fault = scr_fault_of_memory();
            break;
        }
    }
    if (fault.status == SCREE_OK) {
        widen(&set, sample, set.least, set.most, range);
        sample_motions(&set, sample, def, range, whole);
        whole->motion_range = widest(sample, range) / around->time_step;
    }
    scr_motion_set_free(&set);
    return fault;
}

ScreeStatus scree_sample_measure_motions(const ScreeSample *sample,
                                         const ScreeSurroundings *surroundings,
                                         const ScreeIndeterminacyDef *def, ScreeMotionRange *range,
                                         ScreeMotions *whole, char *message) {
    Fault fault = scr_fault_of_argument(fault_of(def));
    *whole = (ScreeMotions){0};
    if (fault.status == SCREE_OK) {
        fault = find_motions(sample, surroundings, def, range, whole);
    }
    return scr_fail_with(message, fault);
}
