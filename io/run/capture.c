/* From a world to the rows of a frame. */
#include "io/run/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put3(double *array, size_t row, ScreeVec3 v) {
    array[3 * row] = v.x;
    array[3 * row + 1] = v.y;
    array[3 * row + 2] = v.z;
}

static void put4(double *array, size_t row, ScreeQuat q) {
    array[4 * row] = q.w;
    array[4 * row + 1] = q.x;
    array[4 * row + 2] = q.y;
    array[4 * row + 3] = q.z;
}

static ScreeVec3 divide(ScreeVec3 v, double by) {
    return (ScreeVec3){v.x / by, v.y / by, v.z / by};
}

static ScreeVec3 piston_direction(const ScreeWallDef *wall) {
    ScreeVec3 d = wall->direction;
    double size = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return wall->motion == SCREE_WALL_PISTON && size > 0 ? divide(d, size) : (ScreeVec3){0, 0, 0};
}

static bool capture_body_constants(const ScreeBodyView *view, RunBodyConstants *bodies) {
    if (!run_rows_resize(RUN_BODY_CONSTANTS, bodies, view->count)) {
        return false;
    }
    for (size_t i = 0; i < view->count; i++) {
        bodies->radius[i] = view->radius[i];
        bodies->mass[i] = view->mass[i];
        bodies->inertia[i] = view->inertia[i];
        bodies->material[i] = view->material[i].index;
        bodies->shape[i] = view->shape[i].index;
        bodies->frozen[i] = (int32_t)view->frozen[i];
    }
    return true;
}

bool run_capture_constants(const ScreeWorld *world, RunBodyConstants *bodies,
                           RunWallConstants *walls) {
    const ScreeBodyView view = scree_world_get_bodies(world);
    size_t wall_count = scree_world_get_wall_count(world);
    if (!capture_body_constants(&view, bodies) ||
        !run_rows_resize(RUN_WALL_CONSTANTS, walls, wall_count)) {
        return false;
    }
    for (size_t i = 0; i < wall_count; i++) {
        ScreeWallState state;
        memset(&state, 0, sizeof state);
        scree_wall_get_state(world, (ScreeWallId){(int32_t)i}, &state);
        walls->shape[i] = (int32_t)state.now.shape;
        walls->inside[i] = state.now.inside;
        put3(walls->half, i, state.now.half);
        walls->radius[i] = state.now.radius;
        walls->length[i] = state.now.length;
        walls->end_radius[i] = state.now.end_radius;
        for (size_t k = 0; k < 2; k++) {
            walls->holes[2 * i + k] = state.now.holes[k];
            walls->spacing[2 * i + k] = state.now.spacing[k];
        }
        walls->motion[i] = (int32_t)state.now.motion;
        walls->material[i] = state.now.material.index;
        put3(walls->direction, i, piston_direction(&state.now));
    }
    return true;
}

/* Appends one shape in the plane with its parts and corners. */
static bool capture_shape(const ScreeShape *shape, size_t row, RunShapes *shapes,
                          RunShapeParts *parts, RunShapeCorners *corners) {
    size_t part = parts->rows.count, corner = corners->rows.count;
    int64_t corner_end = (int64_t)corner;
    if (!run_rows_resize(RUN_SHAPE_PARTS, parts, part + shape->def.parts) ||
        !run_rows_resize(RUN_SHAPE_CORNERS, corners, corner + shape->corners)) {
        return false;
    }
    for (size_t i = 0; i < shape->def.parts; i++) {
        corner_end += shape->def.part[i].corners;
        parts->corner_end[part + i] = corner_end;
        parts->rounding[part + i] = shape->def.part[i].rounding;
        parts->face_end[part + i] = 0;
        parts->kind[part + i] = 0;
        parts->form[2 * (part + i)] = parts->form[2 * (part + i) + 1] = 0;
    }
    for (size_t i = 0; i < shape->corners; i++) {
        put3(corners->position, corner + i, shape->def.corner[i]);
        corners->weight[corner + i] = 1;
    }
    shapes->part_end[row] = (int64_t)parts->rows.count;
    shapes->area[row] = shape->area;
    shapes->gyration[row] = shape->gyration;
    shapes->radius[row] = shape->radius;
    shapes->volume[row] = 0;
    put3(shapes->centroid, row, shape->centroid);
    put3(shapes->moments, row, (ScreeVec3){0, 0, 0});
    put4(shapes->axes, row, (ScreeQuat){1, 0, 0, 0});
    return true;
}

static void put_weights(const ScreeSolidDef *def, double *to) {
    for (size_t p = 0; p < def->parts; p++) {
        for (size_t i = 0; i < def->part[p].vertices; i++) {
            *to++ = def->part[p].weight != NULL ? def->part[p].weight[i] : 1;
        }
    }
}

/* The same of a solid: its parts and vertices, then the faces with their corners. */
static bool capture_solid(const ScreeSolid *solid, size_t row, RunShapes *shapes,
                          RunShapeParts *parts, RunShapeCorners *corners, RunShapeFaces *faces,
                          RunShapeLoops *loops) {
    size_t part = parts->rows.count, corner = corners->rows.count;
    size_t face = faces->rows.count, loop = loops->rows.count;
    int64_t corner_end = (int64_t)corner, face_end = (int64_t)face, loop_end = (int64_t)loop;
    if (!run_rows_resize(RUN_SHAPE_PARTS, parts, part + solid->def.parts) ||
        !run_rows_resize(RUN_SHAPE_CORNERS, corners, corner + solid->vertices) ||
        !run_rows_resize(RUN_SHAPE_FACES, faces, face + solid->faces) ||
        !run_rows_resize(RUN_SHAPE_LOOPS, loops, loop + solid->corners)) {
        return false;
    }
    for (size_t i = 0; i < solid->def.parts; i++) {
        const ScreeSolidPart *one = &solid->def.part[i];
        parts->corner_end[part + i] = corner_end += (int64_t)one->vertices;
        parts->face_end[part + i] = face_end += (int64_t)one->faces;
        parts->rounding[part + i] = one->rounding;
        parts->kind[part + i] = (int32_t)one->kind;
        parts->form[2 * (part + i)] = one->form[0];
        parts->form[2 * (part + i) + 1] = one->form[1];
    }
    for (size_t i = 0; i < solid->vertices; i++) {
        put3(corners->position, corner + i, solid->def.vertex[i]);
    }
    put_weights(&solid->def, corners->weight + corner);
    for (size_t i = 0; i < solid->faces; i++) {
        faces->loop_end[face + i] = loop_end += solid->def.corners[i];
    }
    for (size_t i = 0; i < solid->corners; i++) {
        loops->vertex[loop + i] = solid->def.corner[i];
    }
    shapes->part_end[row] = (int64_t)parts->rows.count;
    shapes->area[row] = shapes->gyration[row] = 0;
    shapes->radius[row] = solid->radius;
    shapes->volume[row] = solid->volume;
    put3(shapes->centroid, row, solid->centroid);
    put3(shapes->moments, row, solid->gyration);
    put4(shapes->axes, row, solid->axes);
    return true;
}

bool run_capture_shapes(const ScreeWorld *world, RunShapes *shapes, RunShapeParts *parts,
                        RunShapeCorners *corners, RunShapeFaces *faces, RunShapeLoops *loops) {
    size_t count = scree_world_get_shape_count(world);
    if (!run_rows_resize(RUN_SHAPES, shapes, count)) {
        return false;
    }
    parts->rows.count = corners->rows.count = faces->rows.count = loops->rows.count = 0;
    for (size_t i = 0; i < count; i++) {
        const ScreeShapeId id = {(int32_t)i};
        ScreeShape shape;
        memset(&shape, 0, sizeof shape);
        scree_shape_get(world, id, &shape);
        if (!(shape.solid ? capture_solid(shape.solid, i, shapes, parts, corners, faces, loops)
                          : capture_shape(&shape, i, shapes, parts, corners))) {
            return false;
        }
    }
    return true;
}

/* Appends one mesh. */
static bool capture_mesh(const ScreeMeshDef *def, size_t row, RunMeshes *meshes,
                         RunMeshVertices *vertices, RunMeshTriangles *triangles) {
    size_t vertex = vertices->rows.count, triangle = triangles->rows.count;
    if (!run_rows_resize(RUN_MESH_VERTICES, vertices, vertex + def->vertices) ||
        !run_rows_resize(RUN_MESH_TRIANGLES, triangles, triangle + def->triangles)) {
        return false;
    }
    for (size_t i = 0; i < def->vertices; i++) {
        put3(vertices->position, vertex + i, def->vertex[i]);
    }
    for (size_t i = 0; i < def->triangles; i++) {
        memcpy(&triangles->corner[3 * (triangle + i)], &def->corner[3 * i],
               3 * sizeof *def->corner);
        triangles->part[triangle + i] = def->part != NULL ? def->part[i] : 0;
    }
    meshes->vertex_end[row] = (int64_t)vertices->rows.count;
    meshes->triangle_end[row] = (int64_t)triangles->rows.count;
    return true;
}

bool run_capture_meshes(const ScreeWorld *world, RunMeshes *meshes, RunMeshVertices *vertices,
                        RunMeshTriangles *triangles, RunMeshWalls *walls) {
    size_t count = scree_world_get_mesh_count(world);
    size_t wall_count = count > 0 ? scree_world_get_wall_count(world) : 0;
    vertices->rows.count = triangles->rows.count = 0;
    if (!run_rows_resize(RUN_MESHES, meshes, count) ||
        !run_rows_resize(RUN_MESH_WALLS, walls, wall_count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const ScreeMeshDef def = scree_mesh_get(scree_world_get_mesh(world, i));
        if (!capture_mesh(&def, i, meshes, vertices, triangles)) {
            return false;
        }
    }
    for (size_t i = 0; i < wall_count; i++) {
        ScreeWallState state;
        memset(&state, 0, sizeof state);
        scree_wall_get_state(world, (ScreeWallId){(int32_t)i}, &state);
        walls->mesh[i] = walls->part[i] = -1;
        for (size_t k = 0; k < count && state.now.mesh != NULL; k++) {
            if (scree_world_get_mesh(world, k) == state.now.mesh) {
                walls->mesh[i] = (int32_t)k;
                walls->part[i] = state.now.part;
            }
        }
    }
    return true;
}

bool run_capture_laws(const ScreeWorld *world, size_t materials, RunLaws *laws) {
    size_t row = 0;
    if (!run_rows_resize(RUN_LAWS, laws, materials * (materials + 1) / 2)) {
        return false;
    }
    for (size_t i = 0; i < materials; i++) {
        for (size_t j = i; j < materials; j++, row++) {
            ScreeLaw law = scree_law_default();
            scree_law_get(world, (ScreeMaterialId){(int32_t)i}, (ScreeMaterialId){(int32_t)j},
                          &law);
            laws->first[row] = (int32_t)i;
            laws->second[row] = (int32_t)j;
            run_laws_set(laws, row, &law);
        }
    }
    return true;
}

static bool capture_holders(const ScreeBodyView *view, RunHolders *holders) {
    if (!run_rows_resize(RUN_HOLDERS, holders, view->count)) {
        return false;
    }
    for (size_t i = 0; i < view->count; i++) {
        holders->holder[i] = view->holder != NULL ? view->holder[i].index : -1;
    }
    return true;
}

static bool capture_sizes(const ScreeBodyView *view, RunSizes *sizes) {
    if (!run_rows_resize(RUN_SIZES, sizes, view->count)) {
        return false;
    }
    for (size_t i = 0; i < view->count; i++) {
        sizes->radius[i] = view->radius[i];
        sizes->mass[i] = view->mass[i];
        sizes->inertia[i] = view->inertia[i];
    }
    return true;
}

static bool capture_bodies(const ScreeWorld *world, RunFrame *frame) {
    const ScreeBodyView view = scree_world_get_bodies(world);
    RunBodies *bodies = &frame->bodies;
    if (!run_rows_resize(RUN_BODIES, bodies, view.count) ||
        !run_rows_resize(RUN_IDENTITIES, &frame->who, view.count)) {
        return false;
    }
    for (size_t i = 0; i < view.count; i++) {
        put3(bodies->position, i, view.position[i]);
        put4(bodies->orientation, i, view.orientation[i]);
        put3(bodies->velocity, i, view.velocity[i]);
        put3(bodies->spin, i, view.spin[i]);
        frame->who.identity[i] = view.identity != NULL ? view.identity[i] : (int32_t)i;
    }
    return capture_holders(&view, &frame->holders) && capture_sizes(&view, &frame->sizes) &&
           capture_body_constants(&view, &frame->body);
}

static bool capture_walls(const ScreeWorld *world, RunWalls *walls, RunWallDrives *drives) {
    size_t count = scree_world_get_wall_count(world);
    if (!run_rows_resize(RUN_WALLS, walls, count) ||
        !run_rows_resize(RUN_WALL_DRIVES, drives, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        ScreeWallState state;
        memset(&state, 0, sizeof state);
        scree_wall_get_state(world, (ScreeWallId){(int32_t)i}, &state);
        walls->present[i] = state.present;
        put3(walls->position, i, state.now.has_pivot ? state.now.pivot : state.now.point);
        put3(walls->displacement, i, state.displacement);
        put3(walls->velocity, i, state.now.velocity);
        put3(walls->spin, i, state.now.spin);
        put3(walls->load, i, state.load);
        put3(walls->load_torque, i, state.load_torque);
        put3(walls->point, i, state.now.point);
        put3(walls->normal, i, state.now.normal);
        put3(walls->end, i, state.now.end);
        put3(walls->axis, i, state.now.axis);
        put4(walls->orientation, i, state.now.orientation);
        drives->motion[i] = (int32_t)state.now.motion;
        drives->mass[i] = state.now.motion == SCREE_WALL_PISTON ? state.now.mass : 0;
        put3(drives->direction, i, piston_direction(&state.now));
    }
    return true;
}

static bool capture_contacts(const ScreeWorld *world, RunContacts *contacts) {
    ScreeContactView view = scree_world_get_contacts(world);
    if (view.status != SCREE_OK || !run_rows_resize(RUN_CONTACTS, contacts, view.count)) {
        return false;
    }
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *contact = &view.contact[i];
        contacts->a[i] = contact->a.index;
        contacts->b[i] = contact->b.code;
        contacts->feature[i] = contact->feature;
        contacts->state[i] = contact->state;
        put3(contacts->point, i, scree_contact_get_point(world, contact));
        put3(contacts->normal, i, contact->normal);
        contacts->gap[i] = contact->gap;
        contacts->force_normal[i] = contact->normal_impulse / view.time_step;
        put3(contacts->force_tangential, i, divide(contact->tangential_impulse, view.time_step));
        ScreeContactExtra extra = {{0, 0, 0}, -1};
        if (view.extra != NULL) {
            extra = view.extra[i];
        }
        put3(contacts->torque, i, divide(extra.torque_impulse, view.time_step));
        contacts->opening[i] = extra.opening;
    }
    return true;
}

/* As their identities name them. */
static bool capture_fragments(const ScreeWorld *world, RunFrame *frame) {
    const ScreeBondView view = scree_world_get_bonds(world);
    const size_t bodies = frame->bodies.rows.count;
    int32_t *pair = view.count > 0 ? calloc(2 * view.count, sizeof *pair) : NULL;
    if ((view.count > 0 && pair == NULL) ||
        !run_rows_resize(RUN_FRAGMENTS, &frame->fragments, bodies)) {
        free(pair);
        return false;
    }
    int32_t *fragment = frame->fragments.fragment;
    for (size_t i = 0; i < view.count; i++) {
        pair[i] = view.bond[i].a.index;
        pair[view.count + i] = view.bond[i].b.code;
    }
    scree_bonds_find_fragments(pair, pair == NULL ? NULL : pair + view.count, view.count, bodies,
                               fragment);
    for (size_t i = 0; i < bodies; i++) {
        fragment[i] = frame->who.identity[fragment[i]];
    }
    free(pair);
    return true;
}

/* The bond of two bodies, or NULL: they are in order. */
static const ScreeBond *bond_of(const ScreeBondView *view, int32_t a, int32_t b) {
    size_t low = 0, high = view->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const ScreeBond *bond = &view->bond[middle];
        const bool before = bond->a.index != a ? bond->a.index < a : bond->b.code < b;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    const ScreeBond *found = low < view->count ? &view->bond[low] : NULL;
    return found != NULL && found->a.index == a && found->b.code == b ? found : NULL;
}

static bool capture_bonds(const ScreeWorld *world, const RunContacts *contacts, RunBonds *bonds) {
    const ScreeBondView view = scree_world_get_bonds(world);
    const ScreeBond none = {.number = -1};
    if (!run_rows_resize(RUN_BONDS, bonds, contacts->rows.count)) {
        return false;
    }
    for (size_t i = 0; i < contacts->rows.count; i++) {
        const ScreeBond *bond = bond_of(&view, contacts->a[i], contacts->b[i]);
        bond = bond != NULL ? bond : &none;
        bonds->bond[i] = bond->number;
        bonds->bond_load[i] = bond->load;
        bonds->bond_tension[i] = bond->tension;
        bonds->bond_shear[i] = bond->shear;
        bonds->bond_bending[i] = bond->bending;
        bonds->bond_torsion[i] = bond->torsion;
    }
    return true;
}

static bool capture_cell(const ScreeWorld *world, RunCell *cell) {
    const ScreeCellReport report = scree_world_get_cell(world);
    if (!run_rows_resize(RUN_CELL, cell, 1)) {
        return false;
    }
    for (size_t k = 0; k < 3; k++) {
        put3(cell->edge, k, report.vector[k]);
    }
    memcpy(cell->rate, report.rate, sizeof report.rate);
    memcpy(cell->strain, report.strain, sizeof report.strain);
    memcpy(cell->stress, report.stress, sizeof report.stress);
    return true;
}

static bool capture_search(const ScreeWorld *world, RunSearch *search) {
    const ScreeSearchReport report = scree_world_get_search(world);
    if (!run_rows_resize(RUN_SEARCH, search, 1)) {
        return false;
    }
    run_search_set(search, &report);
    return true;
}

bool run_capture_frame(const ScreeWorld *world, bool contacts, RunFrame *frame) {
    frame->time = scree_world_get_time(world);
    frame->step = (int64_t)scree_world_get_step_count(world);
    frame->contacts.rows.count = 0;
    return capture_bodies(world, frame) && capture_walls(world, &frame->walls, &frame->drives) &&
           capture_search(world, &frame->search) && capture_cell(world, &frame->cell) &&
           (!contacts || capture_contacts(world, &frame->contacts)) &&
           capture_fragments(world, frame) && capture_bonds(world, &frame->contacts, &frame->bonds);
}
