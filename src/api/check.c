/* What a step refuses before it begins, and a scene can be told before it runs: laws that the
 * solver cannot take. Sweeps take them all. */
#include "api/world.h"

#include "dynamics/device_step.h"
#include "dynamics/shared_step.h"
#include "narrow/core_points.h"
#include "narrow/mesh_pair.h"
#include "state/bridge.h"

#include "base/status.h"

/* The key of a law that a problem in matrices has no words for; NULL if there is none. A bond that
 * opens has a law with a step more; two coefficients make the law depend on its solution; and of all
 * torques only that of rolling, with a bound that is linear in the load, has its place (in the plane
 * not with the variational engines). What they look like in the rows of a problem is in
 * matrix/from_rows.c. A liquid bridge pulls with one force through a step, so it has its place there,
 * but none in the energies of the variational engines. */
static const char *key_without_matrix(const ScreeWorldDef *def, const ScreeLaw *law) {
    const bool plane = def->dimension == 2 && scr_is_variational(def);
    const unsigned uses = scr_law_uses(law);
    const struct {
        bool used;
        const char *key;
    } without[] = {
        {(uses & LAW_COHESION) != 0, "cohesion"},
        {scr_is_variational(def) && (uses & LAW_BRIDGES) != 0, "bridge_volume"},
        {(uses & LAW_TWO_FRICTIONS) != 0, "friction_static"},
        {law->rolling_hertz > 0, "rolling_hertz"},
        {law->torsion > 0, "torsion"},
        {law->torsion_length > 0, "torsion_length"},
        {plane && law->rolling > 0, "rolling in two dimensions"},
        {plane && law->rolling_length > 0, "rolling_length in two dimensions"},
    };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        if (without[i].used) {
            return without[i].key;
        }
    }
    return NULL;
}

static ScreeStatus refuse_law(const State *s, const char *key, int32_t a, int32_t b,
                              char *message) {
    const bool engine = scr_is_variational(&s->def);
    const char *const name = engine ? scree_engine_get_name((int32_t)s->def.engine)
                                    : scree_method_get_name((int32_t)s->def.solver.method);
    return scr_fail(message, SCREE_BAD_ARGUMENT,
                    "%s %s cannot solve contacts with %s (materials %d and %d, counted from 0): "
                    "choose %s, or set it to 0",
                    engine ? "engine" : "solver.method", name, key, a, b,
                    engine ? "engine contact_dynamics" : "solver.method auto");
}

static size_t bodies_of(const State *s, int32_t material) {
    size_t count = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        count += s->bodies.material[i] == material;
    }
    return count;
}

/* Walls of the material; those of none, -1, are to every body as its own. */
static size_t walls_of(const State *s, int32_t material) {
    size_t count = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallState *wall = &s->walls.item[i];
        count += wall->present && wall->now.material.index == material;
    }
    return count;
}

/* Whether the world has two things of these materials that could touch. */
static bool may_touch(const State *s, int32_t a, int32_t b) {
    const size_t bodies = bodies_of(s, a), others = bodies_of(s, b);
    if (a == b) {
        return bodies > 1 || (bodies > 0 && walls_of(s, a) + walls_of(s, -1) > 0);
    }
    return (bodies > 0 && others + walls_of(s, b) > 0) || (others > 0 && walls_of(s, a) > 0);
}

static ScreeStatus check_laws(const State *s, char *message) {
    const int32_t count = (int32_t)s->materials.count;
    for (int32_t a = 0; a < count; a++) {
        for (int32_t b = a; b < count; b++) {
            const char *key = key_without_matrix(&s->def, scr_law(&s->materials, a, b));
            if (key != NULL && may_touch(s, a, b)) {
                return refuse_law(s, key, a, b, message);
            }
        }
    }
    return SCREE_OK;
}

/* What walls of triangles cannot bear. */
static ScreeStatus check_meshes(const State *s, char *message) {
    int32_t most = 0;
    for (size_t i = 0; i < s->shapes.solids && s->meshes.count > 0; i++) {
        int32_t elements = s->shapes.solid[i].solid.elements;
        most = elements > most ? elements : most;
    }
    for (size_t i = 0; i < s->walls.count && s->meshes.count > 0; i++) {
        const ScreeWallState *wall = &s->walls.item[i];
        if (!wall->present || wall->now.shape != SCREE_WALL_MESH) {
            continue;
        }
        if (s->def.engine == SCREE_ENGINE_SOFT) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "wall %zu: engine soft takes no walls of triangles: choose engine "
                            "contact_dynamics",
                            i);
        }
        if (most > scr_most_elements(wall->now.mesh)) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "wall %zu: a solid has %d vertices, edges and faces, but at most %d can "
                "be told apart on a mesh of %d triangles: make it coarser",
                i, most, scr_most_elements(wall->now.mesh), wall->now.mesh->triangles);
        }
    }
    return SCREE_OK;
}

/* Springs need a rounding to act in; and of the walls some are met by balls alone. */
static ScreeStatus check_soft_solids(const State *s, char *message) {
    bool clumps = true;
    for (size_t i = 0; i < s->shapes.count; i++) {
        const int32_t solid = s->shapes.shape[i].solid;
        if (solid >= 0 && !scr_has_cores(&s->shapes.solid[solid].solid)) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "shape %zu: engine soft takes solids of balls, rods, plates and "
                            "polyhedra with a rounding above 0, none that are sharp, and no "
                            "ellipsoids, cylinders, cones and surfaces: give it a rounding, or "
                            "choose engine contact_dynamics",
                            i);
        }
        clumps = clumps && (solid < 0 || scr_is_clump(&s->shapes.solid[solid].solid));
    }
    for (size_t i = 0; i < s->walls.count && !clumps; i++) {
        const SurfaceKind kind = scr_wall_kind(&s->walls.item[i].now);
        if (s->walls.item[i].present && kind != SURFACE_PLANE && kind != SURFACE_TUBE &&
            kind != SURFACE_SLEEVE && kind != SURFACE_BLOCK) {
            return scr_fail(
                message, SCREE_BAD_ARGUMENT,
                "wall %zu: engine soft lets clumps of balls meet this wall, but no rods, "
                "plates and polyhedra: those meet planes, blocks and the inside of "
                "cylinders",
                i);
        }
    }
    return SCREE_OK;
}

/* What solids cannot meet, or the engine cannot take. */
static ScreeStatus check_solids(const State *s, char *message) {
    if (s->shapes.solids > 0 && s->def.engine == SCREE_ENGINE_SOFT) {
        SCR_TRY(check_soft_solids(s, message));
    }
    return check_meshes(s, message);
}

/* Walls that hold bodies. */
static ScreeStatus check_held(const State *s, char *message) {
    const bool soft = s->def.engine == SCREE_ENGINE_SOFT, deforms = s->def.deform.deforms;
    for (size_t i = 0; s->holder != NULL && (soft || deforms) && i < s->bodies.count; i++) {
        if (s->holder[i] >= 0) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            soft ? "body %zu: engine soft has no walls that hold grains: choose "
                                   "engine contact_dynamics"
                                 : "body %zu: in a cell that deforms no wall holds grains",
                            i);
        }
    }
    return SCREE_OK;
}

/* Bonds between bodies. Matrices have no words for them: see key_without_matrix. */
static ScreeStatus check_bonds(const State *s, bool sweeps, char *message) {
    for (size_t i = 0; i < s->bonds.count && s->def.deform.deforms; i++) {
        if (s->bonds.item[i].b.code < 0) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "in a cell that deforms nothing is glued to walls");
        }
    }
    const bool cd = s->def.engine == SCREE_ENGINE_CONTACT_DYNAMICS;
    if (s->bonds.count == 0) {
        return SCREE_OK;
    }
    if (!sweeps) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "%s %s cannot hold bonds: choose %s",
                        cd ? "solver.method" : "engine",
                        cd ? scree_method_get_name((int32_t)s->def.solver.method)
                           : scree_engine_get_name((int32_t)s->def.engine),
                        cd ? "solver.method auto" : "engine contact_dynamics");
    }
    return SCREE_OK;
}

/* Several images of a body. */
static ScreeStatus check_small_cell(const State *s, bool sweeps, char *message) {
    if ((sweeps && s->def.solver.cuts == 0) || !scr_is_small_cell(s)) {
        return SCREE_OK;
    }
    const bool cd = s->def.engine == SCREE_ENGINE_CONTACT_DYNAMICS;
    return scr_fail(
        message, SCREE_BAD_ARGUMENT,
        "a periodic cell less than %g times as wide as the largest radius, where grains may touch "
        "several images of each other, needs %s",
        scr_wide_cell,
        !cd       ? "engine contact_dynamics"
        : !sweeps ? "sweeps: solver.method auto, accelerated or gauss_seidel"
                  : "steps that are not cut: solver.cuts 0");
}

/* Another material to which grains of this one may have liquid bridges; -1: none. */
static int32_t bridged_with(const State *s, int32_t material) {
    for (int32_t other = 0; other < (int32_t)s->materials.count; other++) {
        if (scr_has_bridges(scr_law(&s->materials, material, other)) &&
            may_touch(s, material, other)) {
            return other;
        }
    }
    return -1;
}

/* The formula is that of balls. */
static ScreeStatus check_bridges(const State *s, char *message) {
    const bool may = (s->materials.uses & LAW_BRIDGES) != 0 && s->shapes.count > 0;
    int32_t last = -1;
    for (size_t i = 0; may && i < s->bodies.count; i++) {
        const int32_t material = s->bodies.material[i];
        if (s->bodies.shape[i] < 0 || material == last) {
            continue;
        }
        last = material;
        const int32_t other = bridged_with(s, material);
        if (other >= 0) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "body %zu: liquid bridges (bridge_volume) hold round grains, and these "
                            "to walls, but this one has a shape (materials %d and %d, counted from "
                            "0): give shapes a dry material, or cohesion",
                            i, material, other);
        }
    }
    return SCREE_OK;
}

ScreeStatus scr_check_step(ScreeWorld *w) {
    const ScreeWorldDef *def = &w->state.def;
    const bool sweeps =
        def->engine == SCREE_ENGINE_CONTACT_DYNAMICS && !scr_is_matrix_method(&def->solver);
    if (!scr_is_shareable(&w->state, &w->engine) &&
        !scr_may_step_there(&w->state, &w->engine)) { /* else none of these looks at bodies */
        SCR_TRY(scr_world_whole(w));
    }
    SCR_TRY(scr_check_deforming(w));
    SCR_TRY(scr_check_growth(w));
    SCR_TRY(scr_stress_pistons(&w->state, w->message));
    SCR_TRY(check_held(&w->state, w->message));
    SCR_TRY(check_solids(&w->state, w->message));
    SCR_TRY(check_bonds(&w->state, sweeps, w->message));
    if (!scr_share_is_ahead(
            &w->engine.share)) { /* nobody changes bodies while they are elsewhere */
        SCR_TRY(check_bridges(&w->state, w->message));
        SCR_TRY(check_small_cell(&w->state, sweeps, w->message));
    }
    return sweeps || def->engine == SCREE_ENGINE_SOFT ? SCREE_OK
                                                      : check_laws(&w->state, w->message);
}

ScreeStatus scree_world_check(ScreeWorld *world) {
    world->message[0] = '\0';
    return scr_check_step(world);
}
