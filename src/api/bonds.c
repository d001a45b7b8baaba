/* Public functions on bonds. */
#include "api/glue_place.h"

#include "dynamics/near_list.h"

ScreeBondDef scree_bond_def_default(void) {
    return (ScreeBondDef){.a = SCREE_NO_BODY,
                          .b = SCREE_NO_BODY,
                          .wall = SCREE_NO_WALL,
                          .first = SCREE_NO_MATERIAL,
                          .second = SCREE_NO_MATERIAL,
                          .within = 1e-3,
                          .neck = 1,
                          .cookie = SCR_COOKIE};
}

/* ---------------------------------------------------------------- what is asked */

static bool is_amount(double x) {
    return x >= 0 && isfinite(x);
}

static bool is_material_or_none(const ScreeWorld *world, ScreeMaterialId id) {
    return SCREE_IS_NULL(id) || scr_is_material(world, id);
}

static const char *bond_fault(const ScreeWorld *world, const ScreeBondDef *d) {
    if (d->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeBondDef, scree_bond_def_default);
    }
    const bool wall = !SCREE_IS_NULL(d->wall);
    if (wall ? !SCREE_IS_NULL(d->b) : SCREE_IS_NULL(d->a) != SCREE_IS_NULL(d->b)) {
        return wall ? "name a wall and one body, a, or all that touch the wall"
                    : "name both bodies, or none";
    }
    if (!is_material_or_none(world, d->first) || !is_material_or_none(world, d->second)) {
        return "no such material (SCREE_NO_MATERIAL, -1: any)";
    }
    if (!is_amount(d->within) || d->within > 0.1) {
        return "within must be from 0 to 0.1 of the smaller radius";
    }
    if (!is_amount(d->tension) || !is_amount(d->shear) || !is_amount(d->tension_stress) ||
        !is_amount(d->shear_stress) || !is_amount(d->bending) || !is_amount(d->torsion)) {
        return "strengths must be at least zero, and finite";
    }
    if (!(d->tension > 0 || d->tension_stress > 0) || !(d->shear > 0 || d->shear_stress > 0)) {
        return "a bond needs a strength to tension and one to shear, above zero";
    }
    if (!(d->neck > 0) || !isfinite(d->neck)) {
        return "neck must be greater than zero: it is the radius of the glue over the smaller "
               "radius";
    }
    return NULL;
}

/* ---------------------------------------------------------------- a bond */

/* The strengths of a section of the radius R, from the stresses in it. In tension F = s A; bent, the
 * largest stress is s = B R / I, and sheared and twisted t = S / A + T R / J. A disc has A = pi R^2, I =
 * pi R^4 / 4 and J = 2 I, so that B = F R / 4 and T = S R / 2; in the plane, where the section is 2 R by
 * 1, A = 2 R and I = 2 R^3 / 3, so that B = F R / 3. */
static void set_strengths(const State *s, const ScreeBondDef *d, double radius, ScreeBond *bond) {
    const double pi = 3.14159265358979323846;
    const bool space = s->def.dimension == 3;
    const double r = d->neck * radius;
    const double area = space ? pi * r * r : 2 * r;
    bond->tension = d->tension + d->tension_stress * area;
    bond->shear = d->shear + d->shear_stress * area;
    bond->bending = d->bending > 0 ? d->bending : bond->tension * r / (space ? 4 : 3);
    bond->torsion = d->torsion > 0 ? d->torsion : bond->shear * r / 2;
}

static bool is_round(const State *s, int32_t a, int32_t b) {
    return !scr_is_shaped(s, a, b);
}

/* How two bodies touch, a < b, or a body and the code b of a wall. Where two shapes have no face in common no stress has a section to act on. */
static ScreeStatus find_place(const State *s, const ScreeBondDef *d, GlueSight *sight, int32_t a,
                              int32_t b, GluePlace *place) {
    const double within = d->within * scr_least_radius(s, a, b);
    if (!is_round(s, a, b)) {
        SCR_TRY(scr_find_glue_place(s, sight, a, b, within, place));
        const bool shapes = s->bodies.shape[a] >= 0 && (b < 0 || s->bodies.shape[b] >= 0);
        const bool by_force = d->tension > 0 && d->shear > 0;
        place->touches = place->touches && (!shapes || by_force || place->radius > 0);
        return SCREE_OK;
    }
    const Touch touch = scr_touch_round(s, a, b);
    *place = (GluePlace){
        .touches = touch.gap <= within, .gap = touch.gap, .normal = touch.normal, .radius = 0};
    return SCREE_OK;
}

/* The point on the other side, in the frame of a body, or of a wall where it is. */
static Vec3 arm_on_partner(const State *s, const GluePlace *at, Vec3 arm_a, int32_t a, int32_t b) {
    const Bodies *k = &s->bodies;
    if (b < 0) {
        return add_scaled(k->position[a], k->radius[a], arm_a);
    }
    const Vec3 to_b = sub(at->arm, scr_between(s, a, b));
    const Vec3 arm = is_round(s, a, b) ? scale(-1, at->normal) : scale(1 / k->radius[b], to_b);
    return quat_rotate_back(k->orientation[b], arm);
}

/* The bond of a pair as it stands. Shapes, and all at walls, keep the one point in which they are glued; with shapes it
 * has no gap. */
static ScreeBond make_bond(const State *s, const ScreeBondDef *d, const GluePlace *at, int32_t a,
                           int32_t b) {
    const Bodies *k = &s->bodies;
    const Quat qa = k->orientation[a], qb = b >= 0 ? k->orientation[b] : (Quat){1, 0, 0, 0};
    const bool round = is_round(s, a, b);
    const Vec3 arm_a = round ? at->normal : scale(1 / k->radius[a], at->arm);
    ScreeBond bond = {
        .a = {a},
        .b = {b},
        .gap = round ? at->gap : 0,
        .arm_a = quat_rotate_back(qa, arm_a),
        .arm_b = arm_on_partner(s, at, arm_a, a, b),
        .turn = quat_multiply((Quat){qa.w, -qa.x, -qa.y, -qa.z}, qb),
        .normal = quat_rotate_back(qa, at->normal),
    };
    set_strengths(s, d, at->radius > 0 ? at->radius : scr_least_radius(s, a, b), &bond);
    return bond;
}

static ScreeStatus append(State *s, const ScreeBondDef *d, const GluePlace *at, int32_t a,
                          int32_t b, size_t *added) {
    Bonds *k = &s->bonds;
    const size_t there = k->count + *added;
    if (!SCR_RESERVE_KEEPING(k, item, there + 1, there)) {
        return SCREE_NO_MEMORY;
    }
    k->item[there] = make_bond(s, d, at, a, b);
    ++*added;
    return SCREE_OK;
}

/* The new ones get their numbers, and a place among the others. How far apart the bodies of a bond may
 * come before they are lost from sight: far more than a step that was not solved leaves. */
static void keep_new(State *s, size_t added) {
    Bonds *k = &s->bonds;
    if (added == 0) {
        return;
    }
    Bonds fresh = {.count = added, .item = k->item + k->count};
    scr_bonds_sort(&fresh);
    for (size_t i = 0; i < added; i++) {
        const ScreeBond *bond = &fresh.item[i];
        const double least = scr_least_radius(s, bond->a.index, bond->b.code);
        k->reach = scr_max(k->reach, 0.01 * least + 2 * scr_max(bond->gap, 0));
        fresh.item[i].number = k->made++;
    }
    k->count += added;
    scr_bonds_sort(k);
    s->list_stale = true;
}

/* ---------------------------------------------------------------- two bodies */

static ScreeStatus check_pair(ScreeWorld *world, int32_t a, int32_t b) {
    const State *s = &world->state;
    const int32_t count = (int32_t)s->bodies.count;
    if (a < 0 || b < 0 || a >= count || b >= count) {
        return scr_fail(world->message, SCREE_BAD_ID,
                        "no body %d: there are %d bodies, numbered from 0",
                        a < 0 || a >= count ? a : b, count);
    }
    if (a == b) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "body %d cannot be glued to itself", a);
    }
    if (scr_seek_bond(&s->bonds, a < b ? a : b, a < b ? b : a) != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "bodies %d and %d are glued already", a,
                        b);
    }
    return SCREE_OK;
}

static ScreeStatus glue_two(ScreeWorld *world, const ScreeBondDef *d, GlueSight *sight,
                            size_t *added) {
    State *s = &world->state;
    const int32_t a = d->a.index < d->b.index ? d->a.index : d->b.index;
    const int32_t b = d->a.index < d->b.index ? d->b.index : d->a.index;
    GluePlace at;
    SCR_TRY(find_place(s, d, sight, a, b, &at));
    if (at.touches) {
        return append(s, d, &at, a, b, added);
    }
    return is_round(s, a, b)
               ? scr_fail(world->message, SCREE_BAD_ARGUMENT,
                          "bodies %d and %d do not touch: their gap of %.3g is more than %g of the "
                          "smaller radius (within)",
                          d->a.index, d->b.index, scr_touch_round(s, a, b).gap, d->within)
               : scr_fail(world->message, SCREE_BAD_ARGUMENT,
                          "bodies %d and %d do not touch up to a gap of %g of the smaller radius "
                          "(within), or share no face: then give tension and shear as forces",
                          d->a.index, d->b.index, d->within);
}

/* ---------------------------------------------------------------- all that touch */

static int32_t material_of(const State *s, int32_t a, int32_t b) {
    const int32_t of_wall =
        b < 0 ? s->walls.item[scr_wall_of(b)].now.material.index : s->bodies.material[b];
    return of_wall < 0 ? s->bodies.material[a] : of_wall;
}

static bool are_of(const State *s, const ScreeBondDef *d, int32_t a, int32_t b) {
    const int32_t first = d->first.index, second = d->second.index;
    const int32_t ma = s->bodies.material[a], mb = material_of(s, a, b);
    return ((first < 0 || first == ma) && (second < 0 || second == mb)) ||
           ((first < 0 || first == mb) && (second < 0 || second == ma));
}

static bool may_glue(const State *s, const ScreeBondDef *d, int32_t a, int32_t b) {
    return are_of(s, d, a, b) && scr_seek_bond(&s->bonds, a, b) == NULL;
}

static ScreeStatus glue_pairs(State *s, const ScreeBondDef *d, GlueSight *sight,
                              const Neighbours *pairs, size_t *added) {
    for (size_t i = 0; i < pairs->count; i++) {
        const int32_t one = pairs->order[pairs->pair[i].a], other = pairs->order[pairs->pair[i].b];
        const int32_t a = one < other ? one : other, b = one < other ? other : one;
        GluePlace at = {.touches = false};
        if (may_glue(s, d, a, b)) {
            SCR_TRY(find_place(s, d, sight, a, b, &at));
        }
        if (at.touches) {
            SCR_TRY(append(s, d, &at, a, b, added));
        }
    }
    return SCREE_OK;
}

static ScreeStatus glue_all(State *s, const ScreeBondDef *d, GlueSight *sight, size_t *added) {
    Neighbours pairs = {0};
    FlatSpace flat = {0};
    Block margin = {0};
    const size_t n = s->bodies.count;
    if (!scr_block_reserve_exact(&margin, n + 1, sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) { /* their sum is at least `within` of the smaller radius */
        ((double *)margin.data)[i] = d->within * s->bodies.radius[i];
    }
    BroadInput input = {
        .def = &s->def,
        .count = n,
        .position = s->bodies.position,
        .radius = s->bodies.radius,
        .margin = margin.data,
        .pair_limit = INT32_MAX,
    };
    ScreeStatus status = scr_flatten(&flat, &input, s->def.deform.vector)
                             ? scr_find_neighbours(&input, &pairs)
                             : SCREE_NO_MEMORY;
    status = status == SCREE_OK ? glue_pairs(s, d, sight, &pairs, added) : status;
    scr_neighbours_free(&pairs);
    SCR_FREE_BLOCKS(&margin, &flat.position_block);
    return status;
}

/* ---------------------------------------------------------------- walls */

static ScreeStatus check_wall(ScreeWorld *world, const ScreeBondDef *d) {
    const State *s = &world->state;
    const int32_t wall = d->wall.index, a = d->a.index;
    if ((size_t)wall >= s->walls.count || !s->walls.item[wall].present) {
        return scr_fail(world->message, SCREE_BAD_ID, "no wall %d, or it has been removed", wall);
    }
    if (s->def.deform.deforms) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "bonds: in a cell that deforms nothing is glued to walls");
    }
    if (SCREE_IS_NULL(d->a)) {
        return SCREE_OK;
    }
    if ((size_t)a >= s->bodies.count) {
        return scr_fail(world->message, SCREE_BAD_ID,
                        "no body %d: there are %zu bodies, numbered from 0", a, s->bodies.count);
    }
    return scr_seek_bond(&s->bonds, a, scr_wall_code((size_t)wall)) == NULL
               ? SCREE_OK
               : scr_fail(world->message, SCREE_BAD_ARGUMENT,
                          "body %d and wall %d are glued already", a, wall);
}

static ScreeStatus glue_to_wall(ScreeWorld *world, const ScreeBondDef *d, GlueSight *sight,
                                size_t *added) {
    State *s = &world->state;
    const bool one = !SCREE_IS_NULL(d->a);
    const int32_t code = scr_wall_code((size_t)d->wall.index);
    const size_t first = one ? (size_t)d->a.index : 0, end = one ? first + 1 : s->bodies.count;
    for (size_t i = first; i < end; i++) {
        const int32_t a = (int32_t)i;
        GluePlace at = {.touches = false};
        if (!scr_never_meet(s, a, code) && (one || may_glue(s, d, a, code))) {
            SCR_TRY(find_place(s, d, sight, a, code, &at));
        }
        if (at.touches) {
            SCR_TRY(append(s, d, &at, a, code, added));
        }
    }
    return !one || *added > 0
               ? SCREE_OK
               : scr_fail(world->message, SCREE_BAD_ARGUMENT,
                          "body %d and wall %d do not touch up to a gap of %g of the radius "
                          "(within), or share no face: then give tension and shear as forces",
                          d->a.index, d->wall.index, d->within);
}

/* ---------------------------------------------------------------- public functions */

ScreeStatus scree_world_add_bonds(ScreeWorld *world, const ScreeBondDef *def, size_t *made) {
    State *s = &world->state;
    const char *fault = bond_fault(world, def);
    size_t added = 0;
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "bonds: %s", fault);
    }
    SCR_TRY(scree_world_gather(world));
    const bool wall = !SCREE_IS_NULL(def->wall), pair = !wall && !SCREE_IS_NULL(def->a);
    if (wall) {
        SCR_TRY(check_wall(world, def));
    } else if (pair) {
        SCR_TRY(check_pair(world, def->a.index, def->b.index));
    }
    GlueSight sight = {0};
    ScreeStatus status = !scr_place_outlines(s, &sight.placed) ? SCREE_NO_MEMORY
                         : wall ? glue_to_wall(world, def, &sight, &added)
                         : pair ? glue_two(world, def, &sight, &added)
                                : glue_all(s, def, &sight, &added);
    scr_placed_free(&sight.placed);
    scr_pair_work_free(&sight.work);
    if (status == SCREE_BAD_ARGUMENT) {
        return status;
    }
    if (status != SCREE_OK) {
        return status == SCREE_NO_MEMORY
                   ? scr_no_memory(world->message)
                   : scr_fail(world->message, status, "bonds: too many pairs of bodies touch");
    }
    keep_new(s, added);
    if (made != NULL) {
        *made = added;
    }
    return SCREE_OK;
}

void scree_world_remove_bonds(ScreeWorld *world) {
    world->state.bonds.count = world->state.bonds.bodies = 0;
}

ScreeBondView scree_world_get_bonds(const ScreeWorld *world) {
    const Bonds *k = &world->state.bonds;
    return (ScreeBondView){k->count, k->item, k->made, k->broken};
}

/* A tree for each fragment, whose root is its lowest body. */
static int32_t root_of(int32_t *fragment, int32_t i) {
    while (fragment[i] != i) {
        fragment[i] = fragment[fragment[i]];
        i = fragment[i];
    }
    return i;
}

size_t scree_bonds_find_fragments(const int32_t *a, const int32_t *b, size_t bonds, size_t bodies,
                                  int32_t *fragment) {
    size_t count = 0;
    for (size_t i = 0; i < bodies; i++) {
        fragment[i] = (int32_t)i;
    }
    for (size_t i = 0; i < bonds; i++) {
        if (b[i] < 0) {
            continue;
        }
        const int32_t one = root_of(fragment, a[i]), other = root_of(fragment, b[i]);
        fragment[one < other ? other : one] = one < other ? one : other;
    }
    for (size_t i = 0; i < bodies; i++) { /* a parent is lower, so it knows its root by then */
        count += fragment[i] == (int32_t)i;
        fragment[i] = fragment[fragment[i]];
    }
    return count;
}
