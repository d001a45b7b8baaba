#include "state/snapshot.h"

#include "base/bytes.h"
#include "base/cookie.h"
#include "state/snapshot_beside.h"
#include "state/snapshot_solids.h"

#include <string.h>

/* Layout: magic number, version, the fields in the order of the lists, then a hash of everything
 * before it. Numbers are stored in the machine's own form; the magic number reveals a foreign byte
 * order. */
static const uint64_t magic = UINT64_C(0x3130706565726353); /* "Screep01" */
static const uint32_t version = 17;

/* The oldest version that can be read, the first with a cell that deforms, the first in which
 * bodies may have left, that in which walls may hold some, that in which some may be glued, that
 * in which liquids may, that in which some may grow, that in which contacts may tell their images, and
 * that in which bonds have normals. */
enum {
    OLDEST = 9,
    WITH_CELL = 10,
    WITH_IDENTITIES = 11,
    WITH_HOLDERS = 12,
    WITH_BONDS = 13,
    WITH_BRIDGES = 14,
    WITH_GROWTH = 15,
    WITH_BRANCHES = 16,
    WITH_NORMALS = 17
};

/* A world that no body has left, in which no wall holds any, or none were ever glued or wet or grew, or
 * whose cell is not small, is written as before there were such. */
static uint32_t version_of(const State *s) {
    return scr_has_normals(&s->bonds) ? WITH_NORMALS
           : scr_has_branches(s)      ? WITH_BRANCHES
           : s->materials.grown       ? WITH_GROWTH
           : scr_has_liquid(s)        ? WITH_BRIDGES
           : s->bonds.made > 0        ? WITH_BONDS
           : s->holder != NULL        ? WITH_HOLDERS
           : s->identity != NULL      ? WITH_IDENTITIES
                                      : WITH_CELL;
}

static void put_bodies(ByteWriter *w, const Bodies *bodies) {
    uint64_t count = bodies->count;
    scr_put(w, &count, sizeof count);
#define X(type, name) scr_put(w, bodies->name, bodies->count * sizeof(type));
    BODY_FIELDS(X)
#undef X
}

static void put_walls(ByteWriter *w, const Walls *walls) {
    uint64_t count = walls->count;
    scr_put(w, &count, sizeof count);
    for (size_t i = 0; i < walls->count; i++) {
        const ScreeWallState *wall = &walls->item[i];
#define X(name) scr_put(w, &wall->name, sizeof wall->name);
        WALL_FIELDS(X)
#undef X
    }
}

/* Each mesh once, and then which of them walls have. */
static void put_meshes(ByteWriter *w, const State *s) {
    const uint64_t count = s->meshes.count;
    scr_put(w, &count, sizeof count);
    for (size_t i = 0; i < s->meshes.count; i++) {
        const ScreeMeshDef def = scr_mesh_def(s->meshes.item[i]);
        const uint64_t size[4] = {def.vertices, def.triangles, (uint64_t)def.parts,
                                  def.part != NULL ? def.triangles : 0};
        scr_put(w, size, sizeof size);
        scr_put(w, def.vertex, def.vertices * sizeof *def.vertex);
        scr_put(w, def.corner, 3 * def.triangles * sizeof *def.corner);
        scr_put(w, def.part, size[3] * sizeof *def.part);
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        int32_t mesh = scr_mesh_number(&s->meshes, s->walls.item[i].now.mesh);
        scr_put(w, &mesh, sizeof mesh);
    }
}

static void put_curves(ByteWriter *w, const Shapes *shapes) {
    const uint64_t count = shapes->curves;
    scr_put(w, &count, sizeof count);
    for (size_t i = 0; i < shapes->curves; i++) {
        const ScreeNurbs *def = &shapes->curve[i].def;
        const uint64_t size[3] = {(uint64_t)def->degree, def->points, def->knots};
        scr_put(w, size, sizeof size);
        scr_put(w, def->point, def->points * sizeof *def->point);
        scr_put(w, def->weight, def->points * sizeof *def->weight);
        scr_put(w, def->knot, def->knots * sizeof *def->knot);
    }
}

static void put_shapes(ByteWriter *w, const Shapes *shapes) {
    const uint64_t count[3] = {shapes->count, shapes->parts, shapes->corners};
    scr_put(w, count, sizeof count);
    for (size_t i = 0; i < shapes->count; i++) {
        const ShapeRecord *s = &shapes->shape[i];
#define X(name) scr_put(w, &s->name, sizeof s->name);
        SHAPE_FIELDS(X)
#undef X
    }
    for (size_t i = 0; i < shapes->parts; i++) {
        scr_put(w, &shapes->part[i].corners, sizeof shapes->part[i].corners);
        scr_put(w, &shapes->part[i].rounding, sizeof shapes->part[i].rounding);
    }
    scr_put(w, shapes->corner, shapes->corners * sizeof *shapes->corner);
    put_curves(w, shapes);
    scr_put_solids(w, shapes);
}

/* Springs alone, before there were bridges. */
static size_t elastic_bytes(uint32_t as) {
    return (as >= WITH_BRIDGES ? 3 : 2) * sizeof(double);
}

/* As this version writes it, or an older one did. */
static void put_state(ByteWriter *w, const State *s, uint32_t as) {
    scr_put(w, &magic, sizeof magic);
    scr_put(w, &as, sizeof as);
#define X(name) scr_put(w, &s->def.name, sizeof s->def.name);
    WORLD_FIELDS(X)
    if (as >= WITH_CELL) {
        CELL_FIELDS(X)
        scr_put(w, &s->cell, sizeof s->cell);
    }
#undef X
    scr_put(w, &s->time, sizeof s->time);
    scr_put(w, &s->step, sizeof s->step);
    scr_put(w, &s->time_base, sizeof s->time_base);
    scr_put(w, &s->step_base, sizeof s->step_base);
    scr_put(w, &s->list_stale, sizeof s->list_stale);
    scr_put(w, &s->list.aim, sizeof s->list.aim);
    scr_put(w, &s->list.step, sizeof s->list.step);
    scr_put(w, &s->list.pairs, sizeof s->list.pairs);
    put_bodies(w, &s->bodies);
    put_walls(w, &s->walls);
    scr_put_materials(w, &s->materials, as >= WITH_BRIDGES);
    put_shapes(w, &s->shapes);
    uint64_t contacts = s->contacts.count;
    scr_put(w, &contacts, sizeof contacts);
    scr_put(w, &s->contacts.time_step, sizeof s->contacts.time_step);
    scr_put(w, s->contacts.elastic, elastic_bytes(as));
    scr_put(w, &s->contacts.ratio, sizeof s->contacts.ratio);
    scr_put(w, &s->contacts.steady, sizeof s->contacts.steady);
    scr_put(w, s->contacts.item, s->contacts.count * sizeof *s->contacts.item);
    uint8_t extra = s->contacts.extra != NULL;
    scr_put(w, &extra, sizeof extra);
    if (extra == 1) {
        scr_put(w, s->contacts.extra, s->contacts.count * sizeof *s->contacts.extra);
    }
    scr_soft_state_put(w, s->soft);
    put_meshes(w, s);
    if (as == WITH_IDENTITIES) {
        scr_put_identities(w, s);
    }
    if (as == WITH_HOLDERS) {
        scr_put_holders(w, s);
    }
    if (as >= WITH_BONDS) {
        scr_put_bonds(w, s);
    }
    if (as >= WITH_GROWTH) {
        scr_put_growth(w, &s->materials);
    }
    if (as >= WITH_BRANCHES) {
        scr_put_branches(w, s, as >= WITH_NORMALS);
    }
}

ScreeStatus scr_snapshot_save(const State *state, void *buffer, size_t *size) {
    ByteWriter w = {.data = buffer, .capacity = buffer != NULL ? *size : 0};
    put_state(&w, state, version_of(state));
    uint64_t hash = w.hash;
    scr_put(&w, &hash, sizeof hash);
    bool fits = buffer == NULL || w.size <= *size;
    *size = w.size;
    return fits ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

static uint64_t hash_as(const State *state, uint32_t as) {
    ByteWriter w = {0};
    put_state(&w, state, as);
    return w.hash;
}

uint64_t scr_snapshot_hash(const State *state) {
    return hash_as(state, version_of(state));
}

/* A count that the rest of the buffer can really hold, so that a damaged one does not ask for an
 * absurd amount of memory. */
static bool get_bodies(ByteReader *r, Bodies *bodies) {
    size_t item = 0;
#define X(type, name) item += sizeof(type);
    BODY_FIELDS(X)
#undef X
    size_t count = scr_get_count(r, item);
    if (count > 0 && !scr_bodies_reserve(bodies, count)) {
        return false;
    }
    bodies->count = count;
#define X(type, name) scr_get(r, bodies->name, count * sizeof(type));
    BODY_FIELDS(X)
#undef X
    return true;
}

static bool get_walls(ByteReader *r, Walls *walls) {
    size_t count = scr_get_count(r, 1);
    if (count > 0 && !scr_block_reserve_exact(&walls->block, count, sizeof *walls->item, 0)) {
        return false;
    }
    walls->item = walls->block.data;
    walls->count = count;
    for (size_t i = 0; i < count; i++) {
        ScreeWallState *wall = &walls->item[i];
        memset(wall, 0, sizeof *wall);
#define X(name) scr_get(r, &wall->name, sizeof wall->name);
        WALL_FIELDS(X)
#undef X
        wall->now.cookie = SCR_COOKIE;
    }
    return true;
}

/* A damaged curve must be refused before it is used, because the hash comes only at the end. */
static bool get_curve(ByteReader *r, Shapes *shapes) {
    char unused[SCREE_MESSAGE_SIZE];
    size_t degree = scr_get_count(r, 1), points = scr_get_count(r, sizeof(Vec3) + sizeof(double));
    size_t knots = scr_get_count(r, sizeof(double));
    if (r->failed) {
        return true;
    }
    ShapeCurve *curve = scr_shapes_new_curve(shapes, (int32_t)degree, points, knots);
    if (curve == NULL) {
        return false;
    }
    scr_get(r, curve->block.data,
            points * (sizeof(Vec3) + sizeof(double)) + knots * sizeof(double));
    ScreeStatus status = r->failed ? SCREE_BAD_SNAPSHOT : scr_nurbs_check(&curve->def, unused);
    r->failed = status != SCREE_OK;
    return status != SCREE_NO_MEMORY;
}

/* The curves follow in the order of the shapes that have one. */
static bool get_curves(ByteReader *r, Shapes *shapes) {
    size_t count = scr_get_count(r, 1), at = 0;
    for (size_t i = 0; i < count && !r->failed; i++) {
        if (!get_curve(r, shapes)) {
            return false;
        }
        for (; at < shapes->count && shapes->shape[at].curve < 0; at++) {
        }
        if (r->failed || at == shapes->count) {
            r->failed = true;
            return true;
        }
        if (!scr_shape_curve_ready(&shapes->curve[i], shapes->shape[at++].radius)) {
            r->failed = shapes->curve[i].nurbs.nodes > MOST_NODES; /* the radius is damaged */
            return r->failed;
        }
    }
    return true;
}

static bool get_shapes(ByteReader *r, Shapes *shapes) {
    size_t count = scr_get_count(r, 1), parts = scr_get_count(r, 1), corners = scr_get_count(r, 1);
    if (count > 0 && !scr_shapes_reserve(shapes, count, parts, corners)) {
        return false;
    }
    shapes->count = count;
    shapes->parts = parts;
    shapes->corners = corners;
    for (size_t i = 0; i < count; i++) {
        ShapeRecord *s = &shapes->shape[i];
#define X(name) scr_get(r, &s->name, sizeof s->name);
        SHAPE_FIELDS(X)
#undef X
    }
    for (size_t i = 0; i < parts && count > 0; i++) {
        shapes->part[i] = (ScreeShapePart){0};
        scr_get(r, &shapes->part[i].corners, sizeof shapes->part[i].corners);
        scr_get(r, &shapes->part[i].rounding, sizeof shapes->part[i].rounding);
    }
    scr_get(r, shapes->corner, (count > 0 ? corners : 0) * sizeof *shapes->corner);
    if (!get_curves(r, shapes) || !scr_get_solids(r, shapes)) {
        return false;
    }
    r->failed = r->failed || !scr_shapes_sound(shapes);
    if (!r->failed) {
        scr_shapes_derive(shapes, 0);
    }
    return true;
}

bool scr_snapshot_copy_shapes(const Shapes *from, Shapes *to) {
    ByteWriter counted = {0};
    Block block = {0};
    put_shapes(&counted, from);
    if (!scr_block_reserve_exact(&block, counted.size, 1, 0)) {
        return false;
    }
    ByteWriter w = {.data = block.data, .capacity = counted.size};
    put_shapes(&w, from);
    ByteReader r = {.data = block.data, .size = counted.size};
    bool made = get_shapes(&r, to) && !r.failed;
    if (!made) {
        scr_shapes_free(to);
    }
    scr_block_free(&block);
    return made;
}

static bool get_contacts(ByteReader *r, Contacts *contacts, uint32_t as) {
    size_t count = scr_get_count(r, sizeof *contacts->item);
    scr_get(r, &contacts->time_step, sizeof contacts->time_step);
    scr_get(r, contacts->elastic, elastic_bytes(as));
    scr_get(r, &contacts->ratio, sizeof contacts->ratio);
    scr_get(r, &contacts->steady, sizeof contacts->steady);
    if (count > 0 && !scr_block_reserve(&contacts->block, count, sizeof *contacts->item, 0)) {
        return false;
    }
    contacts->item = contacts->block.data;
    contacts->count = count;
    scr_get(r, contacts->item, count * sizeof *contacts->item);
    uint8_t extra = 0;
    scr_get(r, &extra, sizeof extra);
    r->failed = r->failed || extra > 1;
    if (extra == 1 && !r->failed) {
        if (!scr_block_reserve(&contacts->extra_block, count + 1, sizeof *contacts->extra, 0)) {
            return false;
        }
        contacts->extra = contacts->extra_block.data;
        scr_get(r, contacts->extra, count * sizeof *contacts->extra);
    }
    return true;
}

/* False when out of memory. */
static bool get_mesh(ByteReader *r, Meshes *meshes) {
    size_t vertices = scr_get_count(r, sizeof(Vec3)),
           triangles = scr_get_count(r, 3 * sizeof(int32_t));
    size_t parts = scr_get_count(r, 0), listed = scr_get_count(r, sizeof(int32_t));
    struct {
        Vec3 *vertex;
        int32_t *corner, *part;
        Block vertex_block, corner_block, part_block;
    } k = {0};
    r->failed = r->failed || (listed != 0 && listed != triangles);
    Mesh *mesh = r->failed ? NULL : scr_meshes_new(meshes);
    bool memory = r->failed ||
                  (mesh != NULL && SCR_RESERVE(&k, vertex, vertices + 1) &&
                   SCR_RESERVE(&k, corner, 3 * triangles + 1) && SCR_RESERVE(&k, part, listed + 1));
    if (memory && !r->failed) {
        scr_get(r, k.vertex, vertices * sizeof *k.vertex);
        scr_get(r, k.corner, 3 * triangles * sizeof *k.corner);
        scr_get(r, k.part, listed * sizeof *k.part);
        const ScreeMeshDef def = {
            vertices, triangles, k.vertex, k.corner, listed > 0 ? k.part : NULL, (int32_t)parts};
        ScreeStatus status = r->failed ? SCREE_BAD_SNAPSHOT : scr_mesh_build(&def, mesh, NULL);
        r->failed = r->failed || status == SCREE_BAD_ARGUMENT;
        memory = status != SCREE_NO_MEMORY;
    }
    SCR_FREE_BLOCKS(&k.vertex_block, &k.corner_block, &k.part_block);
    return memory;
}

static bool get_meshes(ByteReader *r, State *s) {
    size_t count = scr_get_count(r, 4 * sizeof(uint64_t));
    for (size_t i = 0; i < count && !r->failed; i++) {
        if (!get_mesh(r, &s->meshes)) {
            return false;
        }
    }
    for (size_t i = 0; i < s->walls.count && !r->failed; i++) {
        ScreeWallDef *w = &s->walls.item[i].now;
        int32_t mesh = -1;
        scr_get(r, &mesh, sizeof mesh);
        bool has = mesh >= 0 && (size_t)mesh < s->meshes.count;
        w->mesh = has && !r->failed ? s->meshes.item[mesh] : NULL;
        r->failed = r->failed || has != (mesh != -1) || has != (w->shape == SCREE_WALL_MESH) ||
                    (has && (w->part < -1 || w->part >= w->mesh->parts));
    }
    return true;
}

static bool get_state(ByteReader *r, State *s, uint32_t as) {
#define X(name) scr_get(r, &s->def.name, sizeof s->def.name);
    WORLD_FIELDS(X)
    s->def.deform.mass = 1;
    if (as >= WITH_CELL) {
        CELL_FIELDS(X)
        scr_get(r, &s->cell, sizeof s->cell);
    } else {
        scr_cell_complete(&s->def);
    }
#undef X
    s->def.threads = 1;
    s->def.cookie = s->def.solver.cookie = SCR_COOKIE;
    scr_get(r, &s->time, sizeof s->time);
    scr_get(r, &s->step, sizeof s->step);
    scr_get(r, &s->time_base, sizeof s->time_base);
    scr_get(r, &s->step_base, sizeof s->step_base);
    scr_get(r, &s->list_stale, sizeof s->list_stale);
    scr_get(r, &s->list.aim, sizeof s->list.aim);
    scr_get(r, &s->list.step, sizeof s->list.step);
    scr_get(r, &s->list.pairs, sizeof s->list.pairs);
    return get_bodies(r, &s->bodies) && get_walls(r, &s->walls) &&
           scr_get_materials(r, &s->materials, as >= WITH_BRIDGES) && get_shapes(r, &s->shapes) &&
           get_contacts(r, &s->contacts, as) && scr_soft_state_get(r, &s->soft) &&
           get_meshes(r, s) && (as != WITH_IDENTITIES || scr_get_identities(r, s)) &&
           (as != WITH_HOLDERS || scr_get_holders(r, s)) &&
           (as < WITH_BONDS || scr_get_bonds(r, s)) &&
           (as < WITH_GROWTH || scr_get_growth(r, &s->materials)) &&
           (as < WITH_BRANCHES || scr_get_branches(r, s, as >= WITH_NORMALS));
}

ScreeStatus scr_snapshot_load(const void *buffer, size_t size, State *state, const char **why) {
    ByteReader r = {.data = buffer, .size = size};
    uint64_t found_magic = 0, hash = 0;
    uint32_t found_version = 0;
    scr_get(&r, &found_magic, sizeof found_magic);
    scr_get(&r, &found_version, sizeof found_version);
    if (r.failed || found_magic != magic) {
        *why = "these bytes are not a Scree snapshot of this kind of machine";
        return SCREE_BAD_SNAPSHOT;
    }
    if (found_version > version) {
        *why = "the snapshot was written by a newer version of Scree";
        return SCREE_NEWER_SNAPSHOT;
    }
    *why = found_version < version ? "the snapshot was written by an older version of Scree"
                                   : "the snapshot is truncated or damaged";
    if (found_version < OLDEST || size < r.at + sizeof hash) {
        return SCREE_BAD_SNAPSHOT;
    }
    /* The hash was computed piece by piece while writing, so the state is read first and then
     * hashed as it would be written. */
    r.size = size - sizeof hash;
    memcpy(&hash, r.data + r.size, sizeof hash);
    *state = (State){0};
    bool memory = get_state(&r, state, found_version);
    ScreeStatus status = SCREE_OK;
    if (!memory) {
        *why = "out of memory while reading a snapshot";
        status = SCREE_NO_MEMORY;
    } else if (r.failed || r.at != r.size || hash_as(state, found_version) != hash) {
        status = SCREE_BAD_SNAPSHOT;
    }
    if (status != SCREE_OK) {
        scr_state_free(state);
    }
    return status;
}
