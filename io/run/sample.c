#include "io/run/sample.h"

#include "io/run/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ScreeVec3 vector(const double *from, size_t row) {
    return (ScreeVec3){from[3 * row], from[3 * row + 1], from[3 * row + 2]};
}

/* The definition of solids: parts and the corners of faces as counts. */
static bool fill_parts(const RunHeader *h, RunSample *into) {
    size_t parts = h->shape_part.rows.count, faces = h->shape_face.rows.count;
    into->solid = calloc(h->shape.rows.count + 1, sizeof *into->solid);
    into->solid_part = calloc(parts + 1, sizeof *into->solid_part);
    into->face_corners = calloc(faces + 1, sizeof *into->face_corners);
    if (into->solid == NULL || into->solid_part == NULL || into->face_corners == NULL) {
        return false;
    }
    for (size_t p = 0; p < parts; p++) {
        RunPart part = run_shape_part(h, p);
        into->solid_part[p] = run_solid_part(&part);
    }
    for (size_t f = 0; f < faces; f++) {
        into->face_corners[f] = (int32_t)run_shape_face(h, f).count;
    }
    return true;
}

static bool fill_solids(const RunHeader *h, RunSample *into) {
    const RunShapes *s = &h->shape;
    into->form = calloc(s->rows.count + 1, sizeof *into->form);
    if (into->form == NULL || !fill_parts(h, into)) {
        return false;
    }
    size_t part = 0, vertex = 0, face = 0, loop = 0;
    for (size_t i = 0; i < s->rows.count; i++) {
        ScreeSolid *solid = &into->solid[i];
        size_t parts = (size_t)s->part_end[i] - part;
        solid->def = (ScreeSolidDef){
            &into->solid_part[part], parts,
            (const ScreeVec3 *)(const void *)(h->shape_corner.position + 3 * vertex),
            &into->face_corners[face], h->shape_loop.vertex + loop};
        for (size_t p = 0; p < parts; p++) {
            solid->vertices += solid->def.part[p].vertices;
            solid->faces += solid->def.part[p].faces;
        }
        for (size_t f = 0; f < solid->faces; f++) {
            solid->corners += (size_t)solid->def.corners[f];
        }
        solid->centroid = vector(s->centroid, i);
        solid->volume = s->volume[i];
        solid->radius = s->radius[i];
        solid->gyration = vector(s->moments, i);
        const double *q = &s->axes[4 * i], *m = &s->moments[3 * i];
        solid->axes = (ScreeQuat){q[0], q[1], q[2], q[3]};
        into->form[i] = (ScreeShape){.centroid = solid->centroid,
                                     .area = solid->volume,
                                     .gyration = (m[0] + m[1] + m[2]) / 3,
                                     .radius = solid->radius,
                                     .solid = solid};
        part += parts;
        vertex += solid->vertices;
        face += solid->faces;
        loop += solid->corners;
    }
    return true;
}

static bool fill_shapes(const RunHeader *h, RunSample *into) {
    if (h->dimension == 3) {
        return fill_solids(h, into);
    }
    size_t count = h->shape.rows.count, parts = h->shape_part.rows.count;
    into->form = calloc(count + 1, sizeof *into->form);
    into->part = calloc(parts + 1, sizeof *into->part);
    if (into->form == NULL || into->part == NULL) {
        return false;
    }
    int64_t corner = 0, part = 0;
    for (size_t p = 0; p < parts; p++) {
        int64_t before = p > 0 ? h->shape_part.corner_end[p - 1] : 0;
        into->part[p].corners = (int32_t)(h->shape_part.corner_end[p] - before);
        into->part[p].rounding = h->shape_part.rounding[p];
    }
    for (size_t i = 0; i < count; i++) {
        int64_t end = h->shape.part_end[i];
        int64_t corner_end = end > 0 ? h->shape_part.corner_end[end - 1] : 0;
        into->form[i] = (ScreeShape){
            .def = {&into->part[part], (size_t)(end - part),
                    (const ScreeVec3 *)(const void *)(h->shape_corner.position + 3 * corner)},
            .corners = (size_t)(corner_end - corner),
            .centroid = vector(h->shape.centroid, i),
            .area = h->shape.area[i],
            .gyration = h->shape.gyration[i],
            .radius = h->shape.radius[i],
        };
        part = end;
        corner = corner_end;
    }
    return true;
}

/* The square table of pairs; none when the file has no laws. */
static bool fill_laws(const RunHeader *h, RunSample *into) {
    size_t materials = h->materials.count;
    if (h->laws.rows.count == 0) {
        return true;
    }
    into->law = calloc(materials * materials + 1, sizeof *into->law);
    if (into->law == NULL) {
        return false;
    }
    for (size_t i = 0; i < h->laws.rows.count; i++) {
        size_t a = (size_t)h->laws.first[i], b = (size_t)h->laws.second[i];
        into->law[a * materials + b] = into->law[b * materials + a] = run_laws_get(&h->laws, i);
    }
    return true;
}

static bool fill_contacts(const RunContacts *c, RunSample *into) {
    if (c->rows.count > into->contact_room || into->contact == NULL) {
        size_t room = c->rows.count + c->rows.count / 8 + 1;
        ScreeContactForce *larger = realloc(into->contact, room * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        into->contact = larger;
        into->contact_room = room;
    }
    for (size_t i = 0; i < c->rows.count; i++) {
        into->contact[i] = (ScreeContactForce){
            .a = {c->a[i]},
            .b = {c->b[i]},
            .feature = c->feature[i],
            .state = c->state[i],
            .point = vector(c->point, i),
            .normal = vector(c->normal, i),
            .gap = c->gap[i],
            .force_normal = c->force_normal[i],
            .force_tangential = vector(c->force_tangential, i),
            .torque = vector(c->torque, i),
            .opening = c->opening[i],
        };
    }
    return true;
}

/* What tells the room that walls enclose. */
static bool find_room(const RunHeader *h, const RunFrame *frame, RunSample *into) {
    const RunWalls *w = &frame->walls;
    const RunWallConstants *same = &h->wall;
    if (into->wall == NULL) {
        into->wall = calloc(w->rows.count + 1, sizeof *into->wall);
    }
    for (size_t i = 0; into->wall != NULL && i < w->rows.count; i++) {
        into->wall[i] = (ScreeWallState){
            .present = w->present[i] != 0,
            .now = {.shape = (ScreeWallShape)same->shape[i],
                    .point = vector(w->point, i),
                    .normal = vector(w->normal, i),
                    .axis = vector(w->axis, i),
                    .radius = same->radius[i],
                    .length = same->length[i],
                    .end_radius = same->end_radius[i],
                    .inside = same->inside[i] != 0},
        };
    }
    if (into->wall != NULL) {
        scree_sample_find_room(&into->sample, into->wall, w->rows.count);
    }
    return into->wall != NULL;
}

/* Rows of three or four numbers are vectors and quaternions, single numbers ids. */
static const ScreeVec3 *vectors(const double *rows) {
    return (const ScreeVec3 *)(const void *)rows;
}

static const ScreeWallId *holders_of(const RunFrame *frame) {
    return frame->holders.rows.count > 0 ? (const ScreeWallId *)(const void *)frame->holders.holder
                                         : NULL;
}

bool run_sample_make(const RunHeader *h, const RunFrame *frame, RunSample *into) {
    if (into->form == NULL && (!fill_shapes(h, into) || !fill_laws(h, into))) {
        return false;
    }
    if (!fill_contacts(&frame->contacts, into)) {
        return false;
    }
    double far[3];
    for (int k = 0; k < 3; k++) {
        const double along = frame->cell.edge[4 * k]; /* zero in older files */
        far[k] = along > 0 ? h->cell_min[k] + along : h->cell_max[k];
    }
    into->sample = (ScreeSample){
        .dimension = h->dimension,
        .periodic = {h->periodic[0] != 0, h->periodic[1] != 0, h->periodic[2] != 0},
        .cell_min = vector(h->cell_min, 0),
        .cell_max = vector(far, 0),
        .gravity = vector(h->gravity, 0),
        .bodies = frame->bodies.rows.count,
        .contacts = frame->contacts.rows.count,
        .shapes = h->shape.rows.count,
        .materials = h->materials.count,
        .position = vectors(frame->bodies.position),
        .orientation = (const ScreeQuat *)(const void *)frame->bodies.orientation,
        .velocity = vectors(frame->bodies.velocity),
        .spin = vectors(frame->bodies.spin),
        .radius = frame->body.radius,
        .mass = frame->body.mass,
        .inertia = frame->body.inertia,
        .material = (const ScreeMaterialId *)(const void *)frame->body.material,
        .shape = (const ScreeShapeId *)(const void *)frame->body.shape,
        .holder = holders_of(frame),
        .form = into->form,
        .law = into->law,
        .contact = into->contact,
    };
    memcpy(into->sample.rate, frame->cell.rate, sizeof into->sample.rate);
    if (run_cell_is_oblique(h, frame)) {
        for (size_t k = 0; k < 3; k++) {
            into->sample.edge[k] = vector(frame->cell.edge, k);
        }
    }
    return find_room(h, frame, into);
}

void run_sample_free(RunSample *sample) {
    free(sample->contact);
    free(sample->form);
    free(sample->part);
    free(sample->solid);
    free(sample->solid_part);
    free(sample->face_corners);
    free(sample->law);
    free(sample->wall);
    *sample = (RunSample){0};
}

bool run_surroundings_make(const RunHeader *h, const RunFrame *frame, RunSurroundings *into) {
    size_t count = frame->walls.rows.count;
    into->wall = calloc(count + 1, sizeof *into->wall);
    if (into->wall == NULL) {
        return false;
    }
    const RunWallDrives *d = &frame->drives;
    for (size_t i = 0; i < count; i++) {
        const bool told =
            i < d->rows.count; /* else it is known of the start, and without the mass */
        const int32_t motion = told ? d->motion[i] : h->wall.motion[i];
        bool piston = frame->walls.present[i] != 0 && motion == SCREE_WALL_PISTON;
        const double *direction = told ? d->direction : h->wall.direction;
        into->wall[i] = (ScreeSampleWall){
            .material = {h->wall.material[i]},
            .mass = told ? d->mass[i] : NAN,
            .piston = piston ? vector(direction, i) : (ScreeVec3){0, 0, 0},
            .pivot = vector(frame->walls.position, i),
            .velocity = vector(frame->walls.velocity, i),
            .spin = vector(frame->walls.spin, i),
        };
    }
    into->surroundings = (ScreeSurroundings){
        .time_step = h->time_step,
        .frozen = (const uint32_t *)(const void *)frame->body.frozen,
        .walls = count,
        .wall = into->wall,
        .holder = holders_of(frame),
    };
    return true;
}

void run_surroundings_free(RunSurroundings *around) {
    free(around->wall);
    *around = (RunSurroundings){0};
}
