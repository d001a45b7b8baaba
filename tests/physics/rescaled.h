/* A world in other units: everything that it was made of, multiplied by powers of two. */
#ifndef SCREE_TESTS_PHYSICS_RESCALED_H
#define SCREE_TESTS_PHYSICS_RESCALED_H

#include "check.h"

#include <scree/scree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The new units: 2^-mass, 2^-length and 2^-time of the old ones. Numbers grow by these powers. */
typedef struct Units {
    int mass, length, time;
} Units;

/* x, which has the dimension mass^m length^l time^t, in the new units. */
static inline double in_units(Units u, int m, int l, int t, double x) {
    return ldexp(x, m * u.mass + l * u.length + t * u.time);
}

static inline ScreeVec3 vector_in_units(Units u, int m, int l, int t, ScreeVec3 x) {
    return (ScreeVec3){in_units(u, m, l, t, x.x), in_units(u, m, l, t, x.y),
                       in_units(u, m, l, t, x.z)};
}

/* The same for a dimension in words, as SCREE_REPORT_MAP and SCREE_LAW_MAP have it: one word, or
 * two and a stroke between them, with a whole power at the end. */
static inline double in_named_units(Units u, const char *dimension, double x) {
    static const struct {
        const char *name;
        int m, l, t;
    } word[] = {{"1", 0, 0, 0},         {"mass", 1, 0, 0},   {"length", 0, 1, 0},
                {"time", 0, 0, 1},      {"force", 1, 1, -2}, {"energy", 1, 2, -2},
                {"velocity", 0, 1, -1}, {"degree", 0, 0, 0}};
    const char *at = dimension;
    for (int sign = 1; *at != '\0'; sign = -1) {
        size_t length = strcspn(at, "/^"), found = 0;
        while (found < 8 &&
               (strlen(word[found].name) != length || strncmp(word[found].name, at, length) != 0)) {
            found++;
        }
        CHECK(found < 8);
        if (found == 8) {
            return x;
        }
        at += length;
        int power = *at == '^' ? at[1] - '0' : 1;
        at += *at == '^' ? 2 : 0;
        CHECK(*at == '\0' || *at == '/');
        at += *at == '/';
        power *= sign;
        x = in_units(u, power * word[found].m, power * word[found].l, power * word[found].t, x);
    }
    return x;
}

/* ---------------------------------------------------------------- the parts of a world */

/* The coefficient of rolling by Hertz has a broken dimension: length / (force length)^(1/d). */
static inline double hertz_in_units(Units u, int dimension, double x) {
    int energy = u.mass + 2 * u.length - 2 * u.time;
    CHECK(x == 0 || energy % dimension == 0);
    return ldexp(x, u.length - energy / dimension);
}

static inline ScreeLaw law_in_units(Units u, int dimension, ScreeLaw law) {
    double hertz = hertz_in_units(u, dimension, law.rolling_hertz);
    law.rolling_hertz = 0;
#define X(name, unit, preset, meaning)                                                             \
    law.name = strchr(unit, '(') != NULL ? law.name : in_named_units(u, unit, law.name);
    SCREE_LAW_MAP(X)
#undef X
    law.rolling_hertz = hertz;
    return law;
}

static inline ScreeWorldDef def_in_units(Units u, ScreeWorldDef def) {
    def.gravity = vector_in_units(u, 0, 1, -2, def.gravity);
    def.time_step = in_units(u, 0, 0, 1, def.time_step);
    def.cell_min = vector_in_units(u, 0, 1, 0, def.cell_min);
    def.cell_max = vector_in_units(u, 0, 1, 0, def.cell_max);
    def.skin = in_units(u, 0, 1, 0, def.skin);
    def.cell = in_units(u, 0, 1, 0, def.cell);
    def.solver.small_force = in_units(u, 1, 1, -2, def.solver.small_force);
    return def;
}

static inline ScreeWallDef wall_in_units(Units u, int dimension, ScreeWallDef w) {
    w.point = vector_in_units(u, 0, 1, 0, w.point);
    w.end = vector_in_units(u, 0, 1, 0, w.end);
    w.half = vector_in_units(u, 0, 1, 0, w.half);
    w.radius = in_units(u, 0, 1, 0, w.radius);
    w.length = in_units(u, 0, 1, 0, w.length);
    w.velocity = vector_in_units(u, 0, 1, -1, w.velocity);
    w.spin = vector_in_units(u, 0, 0, -1, w.spin);
    w.pivot = vector_in_units(u, 0, 1, 0, w.pivot);
    w.mass = in_units(u, 1, 0, 0, w.mass);
    w.force = vector_in_units(u, 1, 1, -2, w.force);
    w.stress = in_units(u, 1, 2 - dimension, -2, w.stress);
    return w;
}

static inline ScreeBodyDef body_in_units(Units u, bool in_space, const ScreeBodyView *b, size_t i) {
    ScreeBodyDef def = scree_body_def_default();
    def.position = vector_in_units(u, 0, 1, 0, b->position[i]);
    def.orientation = b->orientation[i];
    def.velocity = vector_in_units(u, 0, 1, -1, b->velocity[i]);
    def.spin = vector_in_units(u, 0, 0, -1, b->spin[i]);
    def.shape = b->shape[i];
    def.radius = def.shape.index < 0 ? in_units(u, 0, 1, 0, b->radius[i]) : 0;
    def.mass = in_units(u, 1, 0, 0, b->mass[i]);
    def.inertia = in_space && def.shape.index >= 0 ? 0 : in_units(u, 1, 2, 0, b->inertia[i]);
    def.material = b->material[i];
    def.frozen = b->frozen[i];
    def.force = vector_in_units(u, 1, 1, -2, b->force[i]);
    def.torque = vector_in_units(u, 1, 2, -2, b->torque[i]);
    return def;
}

/* ---------------------------------------------------------------- shapes */

static inline ScreeVec3 *points_in_units(Units u, const ScreeVec3 *point, size_t count) {
    ScreeVec3 *made = calloc(count + 1, sizeof *made);
    for (size_t i = 0; i < count; i++) {
        made[i] = vector_in_units(u, 0, 1, 0, point[i]);
    }
    return made;
}

static inline void add_outline_in_units(Units u, const ScreeShape *shape, ScreeWorld *to) {
    ScreeShapeDef def = shape->def;
    ScreeVec3 *corner = points_in_units(u, def.corner, shape->corners);
    ScreeShapePart *part = calloc(def.parts, sizeof *part);
    for (size_t i = 0; i < def.parts; i++) {
        part[i] = def.part[i];
        part[i].rounding = in_units(u, 0, 1, 0, part[i].rounding);
    }
    def.corner = corner;
    def.part = part;
    CHECK(scree_world_add_shape(to, &def, NULL) == SCREE_OK);
    free(corner);
    free(part);
}

static inline void add_solid_in_units(Units u, const ScreeSolid *solid, ScreeWorld *to) {
    ScreeSolidDef def = solid->def;
    ScreeVec3 *vertex = points_in_units(u, def.vertex, solid->vertices);
    ScreeSolidPart *part = calloc(def.parts, sizeof *part);
    for (size_t i = 0; i < def.parts; i++) {
        part[i] = def.part[i];
        part[i].rounding = in_units(u, 0, 1, 0, part[i].rounding);
    }
    def.vertex = vertex;
    def.part = part;
    CHECK(scree_world_add_solid(to, &def, NULL) == SCREE_OK);
    free(vertex);
    free(part);
}

static inline void add_shape_in_units(Units u, const ScreeWorld *from, ScreeShapeId id,
                                      ScreeWorld *to) {
    ScreeNurbs curve;
    ScreeShape shape;
    ScreeSolid solid;
    if (scree_shape_get_solid(from, id, &solid) == SCREE_OK) {
        add_solid_in_units(u, &solid, to);
    } else if (scree_shape_get_nurbs(from, id, &curve) == SCREE_OK) {
        ScreeVec3 *point = points_in_units(u, curve.point, curve.points);
        curve.point = point;
        CHECK(scree_world_add_nurbs(to, &curve, NULL) == SCREE_OK);
        free(point);
    } else {
        CHECK(scree_shape_get(from, id, &shape) == SCREE_OK);
        add_outline_in_units(u, &shape, to);
    }
}

/* ---------------------------------------------------------------- the whole */

static inline void add_laws_in_units(Units u, const ScreeWorld *from, int32_t materials,
                                     ScreeWorld *to) {
    const int dimension = scree_world_get_def(from).dimension;
    ScreeMaterialDef def = scree_material_def_default();
    for (int32_t i = 0; i < materials; i++) {
        const ScreeMaterialId a = {i};
        CHECK(scree_law_get(from, a, a, &def.law) == SCREE_OK);
        def.law = law_in_units(u, dimension, def.law);
        CHECK(scree_world_add_material(to, &def, NULL) == SCREE_OK);
        for (int32_t k = 0; k < i; k++) {
            const ScreeMaterialId b = {k};
            ScreeLaw law;
            CHECK(scree_law_get(from, a, b, &law) == SCREE_OK);
            law = law_in_units(u, dimension, law);
            CHECK(scree_law_set(to, a, b, &law) == SCREE_OK);
        }
    }
}

static inline void add_walls_in_units(Units u, const ScreeWorld *from, ScreeWorld *to) {
    const int dimension = scree_world_get_def(from).dimension;
    for (size_t i = 0; i < scree_world_get_wall_count(from); i++) {
        const ScreeWallId id = {(int32_t)i};
        ScreeWallState state;
        CHECK(scree_wall_get_state(from, id, &state) == SCREE_OK);
        const ScreeWallDef def = wall_in_units(u, dimension, state.now);
        CHECK(scree_world_add_wall(to, &def, NULL) == SCREE_OK);
        if (!state.present) {
            CHECK(scree_wall_remove(to, id) == SCREE_OK);
        }
    }
}

/* A new world with what `from` holds now, but without the memory of its contacts; NULL, and a
 * failed check, if that cannot be. */
static inline ScreeWorld *rescaled(Units u, const ScreeWorld *from, int32_t materials) {
    const ScreeWorldDef def = def_in_units(u, scree_world_get_def(from));
    const ScreeBodyView bodies = scree_world_get_bodies(from);
    ScreeWorld *to = NULL;
    CHECK(scree_world_create(&def, &to, NULL) == SCREE_OK);
    if (to == NULL) {
        return NULL;
    }
    add_laws_in_units(u, from, materials, to);
    for (size_t i = 0; i < scree_world_get_shape_count(from); i++) {
        add_shape_in_units(u, from, (ScreeShapeId){(int32_t)i}, to);
    }
    add_walls_in_units(u, from, to);
    for (size_t i = 0; i < bodies.count; i++) {
        const ScreeBodyDef body = body_in_units(u, def.dimension == 3, &bodies, i);
        CHECK(scree_world_add_bodies(to, &body, 1, NULL) == SCREE_OK);
    }
    return to;
}

#endif
