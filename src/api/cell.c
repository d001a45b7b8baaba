/* The periodic cell that deforms: what is wrong with a definition or a world of one, and the public
 * functions. */
#include "api/world.h"

#include <string.h>

static const char component_name[9][3] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};

/* ---------------------------------------------------------------- definitions */

static bool is_zero(Vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static const char *edges_fault(const ScreeWorldDef *d) {
    for (int k = 0; k < 3; k++) {
        const Vec3 edge = d->deform.vector[k];
        if (!is_finite(edge)) {
            return "the edges of the cell must be finite";
        }
        for (int i = 0; i < 3 && d->periodic[k]; i++) {
            if (!d->periodic[i] && component(edge, i) != 0) {
                return "the edges of a periodic cell lie in its periodic directions";
            }
        }
    }
    ScreeWorldDef whole = *d;
    scr_cell_complete(&whole);
    const Mat3 h = scr_cell_matrix(&whole);
    return mat3_determinant(&h) > 0
               ? NULL
               : "the edges of a periodic cell span no volume, or are not in the "
                 "order of a right-handed frame";
}

static const char *control_fault(const ScreeWorldDef *d) {
    const ScreeCellDef *c = &d->deform;
    for (int k = 0; k < 9; k++) {
        const bool held = c->control[k] == SCREE_CELL_STRESS;
        const bool exists = d->periodic[k / 3] && d->periodic[k % 3];
        if (c->control[k] < 0 || c->control[k] >= SCREE_CELL_CONTROL_COUNT) {
            return "unknown control of the cell";
        }
        if (!isfinite(c->rate[k]) || !isfinite(c->stress[k])) {
            return "the rates and stresses of the cell must be finite";
        }
        if (!exists && (held || c->rate[k] != 0)) {
            return "a cell deforms along its periodic directions only";
        }
        if (held && k / 3 > k % 3) {
            return "the stress of a cell is held by its components xx, xy, xz, yy, yz and zz";
        }
        if (held && c->isotropic) {
            return "either the pressure of the cell is held, or stresses by component";
        }
        if (held && c->symmetric && k / 3 != k % 3 && c->rate[k] != c->rate[3 * (k % 3) + k / 3]) {
            return "a symmetric rate of the cell has the same components ij and ji";
        }
        if (held && !c->symmetric && k / 3 != k % 3 && c->rate[3 * (k % 3) + k / 3] != 0) {
            return "where the shear stress ij of the cell is held, the rate ji must be zero";
        }
    }
    if (!(c->mass > 0) || !isfinite(c->mass)) {
        return "the mass of the cell must be greater than zero and finite";
    }
    if (!(c->viscosity >= 0) || !isfinite(c->viscosity) || !isfinite(c->pressure)) {
        return "the pressure and the viscosity of the cell must be finite, the latter at least "
               "zero";
    }
    return NULL;
}

const char *scr_deform_fault(const ScreeWorldDef *d) {
    const ScreeCellDef *c = &d->deform;
    bool edges = false;
    for (int k = 0; k < 3; k++) {
        edges = edges || (d->periodic[k] && !is_zero(c->vector[k]));
    }
    if (!c->deforms && !edges) {
        return NULL;
    }
    if (!scr_any_periodic(d)) {
        return "only a periodic cell can deform";
    }
    const char *fault = edges_fault(d);
    return fault != NULL || !c->deforms ? fault : control_fault(d);
}

/* ---------------------------------------------------------------- worlds */

/* What this engine cannot do in such a cell, with the remedy. */
static const char *engine_fault(const ScreeWorld *w) {
    const ScreeWorldDef *d = &w->state.def;
    if (d->engine != SCREE_ENGINE_CONTACT_DYNAMICS) {
        return "a cell that deforms, or whose edges are oblique, needs engine contact_dynamics";
    }
    if (!d->deform.deforms) {
        return NULL;
    }
    if (d->theta != 1) {
        return "a cell that deforms needs theta 1";
    }
    if (scr_is_matrix_method(&d->solver)) {
        return "a cell that deforms needs sweeps: solver.method auto, accelerated or gauss_seidel";
    }
    if (d->solver.cuts > 0) {
        return "steps are not cut in a cell that deforms: solver.cuts 0";
    }
    return NULL;
}

static ScreeStatus check_walls(const State *s, char *message) {
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        bool across = w->shape == SCREE_WALL_PLANE;
        for (int k = 0; k < 3; k++) {
            across = across && (!s->def.periodic[k] || component(w->normal, k) == 0);
        }
        if (s->walls.item[i].present && !across) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "wall %zu: in a cell that deforms walls are planes across the directions "
                "that are not periodic",
                i);
        }
    }
    return SCREE_OK;
}

static ScreeStatus check_bodies(const State *s, char *message) {
    const uint32_t axes = scr_position_axes(s->def.dimension);
    for (size_t i = 0; i < s->bodies.count; i++) {
        const uint32_t frozen = s->bodies.frozen[i] & axes;
        if (frozen != 0 && (frozen != axes || !is_zero(s->bodies.velocity[i]))) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "body %zu: in a cell that deforms a frozen body is frozen along all axes "
                "and has no velocity: it moves with the cell",
                i);
        }
    }
    return SCREE_OK;
}

static ScreeStatus check_gravity(const ScreeWorldDef *d, char *message) {
    for (int k = 0; k < 3; k++) {
        bool held = d->deform.isotropic;
        for (int j = 0; j < 3; j++) {
            held = held || d->deform.control[3 * k + j] == SCREE_CELL_STRESS ||
                   d->deform.control[3 * j + k] == SCREE_CELL_STRESS;
        }
        if (d->periodic[k] && held && component(d->gravity, k) != 0) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "gravity along %c: nothing bears it in a cell whose stress is held along "
                "that direction",
                "xyz"[k]);
        }
    }
    return SCREE_OK;
}

ScreeStatus scr_check_deforming(ScreeWorld *w) {
    const ScreeCellDef *c = &w->state.def.deform;
    if (!c->deforms && !c->tilted) {
        return SCREE_OK;
    }
    SCR_TRY(scr_fail_if(w->message, engine_fault(w)));
    if (!c->deforms) {
        return SCREE_OK;
    }
    SCR_TRY(check_walls(&w->state, w->message));
    if (!w->engine.share.ahead) { /* nobody changes them while they are elsewhere */
        SCR_TRY(check_bodies(&w->state, w->message));
    }
    return check_gravity(&w->state.def, w->message);
}

/* ---------------------------------------------------------------- public functions */

/* Where a stress is held, the rate is what it was. A pressure has the mean of the rates along the
 * directions; what these differ by is given. */
static void keep_free_rates(ScreeWorldDef *d, const ScreeCellDef *was) {
    ScreeCellDef *c = &d->deform;
    if (c->isotropic) {
        const Mat3 before = scr_cell_free_part(c, d->periodic, mat3_from(was->rate));
        const Mat3 now = scr_cell_free_part(c, d->periodic, mat3_from(c->rate));
        for (int k = 0; k < 3; k++) {
            c->rate[4 * k] += before.m[k][k] - now.m[k][k];
        }
        return;
    }
    for (int k = 0; k < 9; k++) {
        const int turned = 3 * (k % 3) + k / 3;
        const bool both = c->symmetric && c->control[turned] == SCREE_CELL_STRESS;
        c->rate[k] = c->control[k] == SCREE_CELL_STRESS || both ? was->rate[k] : c->rate[k];
    }
}

ScreeStatus scree_world_set_cell(ScreeWorld *world, const ScreeCellDef *cell) {
    ScreeWorldDef def = world->state.def;
    ScreeCellDef *c = &def.deform;
    const ScreeCellDef was = *c;
    *c = *cell;
    memcpy(c->vector, was.vector, sizeof c->vector);
    keep_free_rates(&def, &was);
    if (!scr_any_periodic(&def)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "only a periodic cell can deform");
    }
    SCR_TRY(scr_fail_if(world->message, scr_deform_fault(&def)));
    if (c->deforms && !was.deforms) {
        memcpy(world->state.cell.built, c->vector, sizeof c->vector);
        world->state.list_stale = true;
    }
    world->state.def = def;
    scr_cell_complete(&world->state.def);
    return SCREE_OK;
}

ScreeStatus scree_world_set_cell_edges(ScreeWorld *world, const ScreeVec3 *edge) {
    ScreeWorldDef def = world->state.def;
    if (!scr_any_periodic(&def)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "only a periodic cell has edges");
    }
    for (int k = 0; k < 3; k++) {
        def.deform.vector[k] = def.periodic[k] ? edge[k] : def.deform.vector[k];
    }
    SCR_TRY(scr_fail_if(world->message, scr_deform_fault(&def)));
    scr_cell_set_edges(&def, def.deform.vector);
    memcpy(world->state.cell.built, def.deform.vector, sizeof world->state.cell.built);
    world->state.def = def;
    world->state.list_stale = true;
    return SCREE_OK;
}

ScreeCellReport scree_world_get_cell(const ScreeWorld *world) {
    const State *s = &world->state;
    ScreeCellReport r = {.volume = scr_cell_volume(&s->def)};
    memcpy(r.vector, s->def.deform.vector, sizeof r.vector);
    memcpy(r.rate, s->def.deform.rate, sizeof r.rate);
    memcpy(r.strain, s->cell.strain, sizeof r.strain);
    memcpy(r.stress, s->cell.stress, sizeof r.stress);
    return r;
}

const char *scree_cell_get_component(int component) {
    return component >= 0 && component < 9 ? component_name[component] : NULL;
}
