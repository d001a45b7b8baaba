#include "view/encode.h"

#include "view/drawn.h"
#include "view/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An error of a thousandth of the smallest radius does not show. */
static double fine_enough(const RunFrame *frame, const ViewStyle *style) {
    double least = INFINITY;
    for (size_t i = 0; i < frame->body.rows.count; i++) {
        least = fmin(least, frame->body.radius[i]);
    }
    return style->small ? 1e-3 * least : 0;
}

void view_choose_origin(const RunHeader *header, const RunFrame *first, double origin[3]) {
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < first->bodies.rows.count; i++) {
            double value = first->bodies.position[3 * i + (size_t)k];
            if (isfinite(value)) {
                low = fmin(low, value);
                high = fmax(high, value);
            }
        }
        if (header->periodic[k]) {
            low = header->cell_min[k];
            high = header->cell_max[k];
        }
        double middle = 0.5 * (low + high);
        origin[k] = isfinite(middle) ? middle : 0;
    }
}

/* All three components of a field; only two if the run is two-dimensional. */
static ViewColumn vector(const RunHeader *header, const char *name, const double *from,
                         size_t rows) {
    size_t width = header->dimension == 2 ? 2 : 3;
    return (ViewColumn){name, from, rows, 3, 0, width};
}

/* A spin or torque: in two dimensions only the component about z. */
static ViewColumn turning(const RunHeader *header, const char *name, const double *from,
                          size_t rows) {
    bool flat = header->dimension == 2;
    return (ViewColumn){name, from, rows, 3, flat ? 2 : 0, flat ? 1 : 3};
}

static ViewColumn scalar(const char *name, const double *from, size_t rows) {
    return (ViewColumn){name, from, rows, 1, 0, 1};
}

/* As 32-bit integers: a block has no room for larger numbers. */
static void encode_ends(ViewBlock *block, const char *name, const int64_t *from, size_t rows) {
    int32_t *ends = malloc((rows + 1) * sizeof *ends);
    for (size_t i = 0; ends != NULL && i < rows; i++) {
        ends[i] = (int32_t)from[i];
    }
    if (ends != NULL) {
        view_block_integers(block, name, ends, rows);
    }
    block->data.failed = block->data.failed || ends == NULL;
    free(ends);
}

/* Faces of solids: polygons of the vertices of their part, counterclockwise seen from outside. */
static void encode_faces(const RunHeader *header, ViewBlock *block) {
    size_t parts = header->shape_part.rows.count, faces = header->shape_face.rows.count;
    encode_ends(block, "part.face_end", header->shape_part.face_end, parts);
    encode_ends(block, "face.loop_end", header->shape_face.loop_end, faces);
    view_block_integers(block, "loop.vertex", header->shape_loop.vertex,
                        header->shape_loop.rows.count);
}

/* Shapes, with their parts, corners and faces, as in the run file: each once, however many bodies
 * have it. The page makes triangles of them. */
static void encode_shapes(const RunHeader *header, ViewBlock *block) {
    size_t shapes = header->shape.rows.count, parts = header->shape_part.rows.count;
    size_t corners = header->shape_corner.rows.count;
    if (shapes == 0) {
        return;
    }
    view_block_integers(block, "shape", header->body.shape, header->body.rows.count);
    encode_ends(block, "shape.part_end", header->shape.part_end, shapes);
    encode_ends(block, "part.corner_end", header->shape_part.corner_end, parts);
    view_block_f32(block, scalar("part.rounding", header->shape_part.rounding, parts), NULL);
    view_block_f32(block, vector(header, "corner", header->shape_corner.position, corners), NULL);
    if (header->dimension == 3) {
        view_block_integers(block, "part.kind", header->shape_part.kind, parts);
        view_block_f32(block, (ViewColumn){"part.form", header->shape_part.form, parts, 2, 0, 2},
                       NULL);
        encode_faces(header, block);
    }
}

static void encode_drawn_shapes(const RunHeader *header, ViewBlock *block) {
    ViewDrawn drawn;
    if (view_draw_surfaces(header, &drawn)) {
        encode_shapes(&drawn.header, block);
    } else {
        block->data.failed = true;
    }
    view_drawn_free(&drawn);
}

/* Surfaces of walls, each once; walls without one have the number -1. */
static void encode_meshes(const RunHeader *header, ViewBlock *block) {
    size_t meshes = header->mesh.rows.count, triangles = header->mesh_triangle.rows.count;
    size_t vertices = header->mesh_vertex.rows.count, walls = header->mesh_wall.rows.count;
    if (meshes == 0) {
        return;
    }
    encode_ends(block, "mesh.vertex_end", header->mesh.vertex_end, meshes);
    encode_ends(block, "mesh.face_end", header->mesh.triangle_end, meshes);
    view_block_f32(block, vector(header, "mesh.vertex", header->mesh_vertex.position, vertices),
                   NULL);
    view_block_integers(block, "mesh.corner", header->mesh_triangle.corner, 3 * triangles);
    view_block_integers(block, "mesh.part", header->mesh_triangle.part, triangles);
    view_block_integers(block, "wall.mesh", header->mesh_wall.mesh, walls);
    view_block_integers(block, "wall.part", header->mesh_wall.part, walls);
}

void view_encode_constants(const RunHeader *header, ViewBytes *into) {
    ViewBlock block = {0};
    const RunBodyConstants *body = &header->body;
    size_t rows = body->rows.count;
    view_block_f32(&block, scalar("radius", body->radius, rows), NULL);
    view_block_f32(&block, scalar("mass", body->mass, rows), NULL);
    view_block_f32(&block, scalar("inertia", body->inertia, rows), NULL);
    view_block_integers(&block, "material", body->material, rows);
    if (view_has_surfaces(header)) {
        encode_drawn_shapes(header, &block);
    } else {
        encode_shapes(header, &block);
    }
    encode_meshes(header, &block);
    view_block_finish(&block, into);
}

/* ---------------------------------------------------------------- bodies and walls */

static void encode_walls(const RunWalls *walls, const ViewStyle *style, ViewBlock *block) {
    size_t rows = walls->rows.count;
    const struct {
        const char *name;
        const double *from;
        size_t width;
        bool position;
    } columns[] = {
        {"w.position", walls->position, 3, true},
        {"w.displacement", walls->displacement, 3, false},
        {"w.velocity", walls->velocity, 3, false},
        {"w.spin", walls->spin, 3, false},
        {"w.load", walls->load, 3, false},
        {"w.load_torque", walls->load_torque, 3, false},
        {"w.point", walls->point, 3, true},
        {"w.normal", walls->normal, 3, false},
        {"w.end", walls->end, 3, true},
        {"w.axis", walls->axis, 3, false},
        {"w.orientation", walls->orientation, 4, false},
    };
    view_block_integers(block, "w.present", walls->present, rows);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        size_t width = columns[i].width;
        ViewColumn column = {columns[i].name, columns[i].from, rows, width, 0, width};
        view_block_f32(block, column, columns[i].position ? style->origin : NULL);
    }
}

/* Coordination number and force of each body. False when out of memory. */
static bool encode_loads(const RunFrame *frame, ViewBlock *block) {
    const RunContacts *contacts = &frame->contacts;
    size_t rows = frame->bodies.rows.count;
    int32_t *coordination = calloc(rows + 1, sizeof *coordination);
    double *force = calloc(rows + 1, sizeof *force);
    bool ok = coordination != NULL && force != NULL;
    for (size_t i = 0; ok && i < contacts->rows.count; i++) {
        if (contacts->state[i] == SCREE_CONTACT_OPEN) {
            continue;
        }
        int32_t a = contacts->a[i], b = contacts->b[i];
        double size = fabs(contacts->force_normal[i]);
        coordination[a]++;
        force[a] += size;
        if (b >= 0) {
            coordination[b]++;
            force[b] += size;
        }
    }
    if (ok) {
        view_block_integers(block, "coordination", coordination, rows);
        view_block_half(block, scalar("force", force, rows));
    }
    free(coordination);
    free(force);
    return ok;
}

void view_encode_bodies(const RunHeader *header, const RunFrame *frame, const ViewStyle *style,
                        ViewBytes *into) {
    ViewBlock block = {0};
    const RunBodies *bodies = &frame->bodies;
    size_t rows = bodies->rows.count;
    view_block_position(&block, vector(header, "position", bodies->position, rows), style->origin,
                        fine_enough(frame, style));
    if (header->changing) {
        view_block_integers(&block, "identity", frame->who.identity, rows);
    }
    if (header->plates) {
        view_block_integers(&block, "holder", frame->holders.holder, rows);
    }
    if (header->growing) {
        view_block_f32(&block, scalar("radius", frame->sizes.radius, rows), NULL);
        view_block_f32(&block, scalar("mass", frame->sizes.mass, rows), NULL);
    }
    if (header->bonds) {
        view_block_integers(&block, "fragment", frame->fragments.fragment, rows);
    }
    view_block_half(&block, vector(header, "velocity", bodies->velocity, rows));
    view_block_half(&block, turning(header, "spin", bodies->spin, rows));
    ViewColumn orientation = {"orientation", bodies->orientation, rows, 4, 0, 4};
    view_block_unit16(&block, orientation);
    if (!encode_loads(frame, &block)) {
        into->failed = true;
    }
    if (header->periodic[0] || header->periodic[1] || header->periodic[2]) {
        view_block_f32(&block, (ViewColumn){"cell.edge", frame->cell.edge, 3, 3, 0, 3}, NULL);
    }
    encode_walls(&frame->walls, style, &block);
    view_block_finish(&block, into);
}

/* ---------------------------------------------------------------- contacts */

typedef struct Strength {
    double force;
    size_t row;
} Strength;

/* Strongest first; equal ones in their order. */
static int by_strength(const void *left, const void *right) {
    const Strength *a = left, *b = right;
    if (a->force != b->force) {
        return a->force > b->force ? -1 : 1;
    }
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Files and frames without bonds have no rows of them. */
static bool is_bonded(const RunBonds *bonds, size_t row) {
    return row < bonds->rows.count && bonds->bond[row] >= 0;
}

static int by_row(const void *left, const void *right) {
    const Strength *a = left, *b = right;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Chooses the contacts to be shown, in their original order, bonds before all others; NULL when out of
 * memory. */
static Strength *choose(const RunFrame *frame, const ViewStyle *style, size_t *kept) {
    const RunContacts *contacts = &frame->contacts;
    Strength *list = malloc((contacts->rows.count + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; list != NULL && i < contacts->rows.count; i++) {
        bool bonded = is_bonded(&frame->bonds, i);
        if (!style->small || bonded || contacts->state[i] != SCREE_CONTACT_OPEN) {
            list[count++] = (Strength){bonded ? INFINITY : fabs(contacts->force_normal[i]), i};
        }
    }
    *kept = count;
    if (list != NULL && style->share < 1) {
        qsort(list, count, sizeof *list, by_strength);
        *kept = (size_t)(style->share * (double)count);
        qsort(list, *kept, sizeof *list, by_row);
    }
    return list;
}

/* Copies the chosen rows of every field. False when out of memory. */
static bool select_rows(RunTableId id, const void *from, const Strength *list, size_t kept,
                        void *into) {
    if (!run_rows_resize(id, into, kept)) {
        return false;
    }
    const RunTable *table = run_table(id);
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        size_t size = (size_t)field->width * run_type_size(field->type);
        const char *source = run_rows_field(from, field);
        char *target = run_rows_field(into, field);
        for (size_t k = 0; k < kept; k++) {
            memcpy(target + k * size, source + list[k].row * size, size);
        }
    }
    return true;
}

static bool any(const double *values, size_t count, double above) {
    for (size_t i = 0; i < count; i++) {
        if (fabs(values[i]) > above) {
            return true;
        }
    }
    return false;
}

/* Which contacts are glued, and how loaded these bonds are. */
static void encode_bonds(const RunBonds *bonds, ViewBlock *block) {
    size_t rows = bonds->rows.count;
    int32_t *glued = malloc((rows + 1) * sizeof *glued);
    bool any_is = false;
    for (size_t i = 0; glued != NULL && i < rows; i++) {
        glued[i] = is_bonded(bonds, i);
        any_is = any_is || glued[i] != 0;
    }
    if (any_is) {
        view_block_integers(block, "bond", glued, rows);
        view_block_half(block, scalar("bond_load", bonds->bond_load, rows));
    }
    block->data.failed = block->data.failed || glued == NULL;
    free(glued);
}

/* Torques, cohesion and features are left out where there are none. */
static void encode_rare(const RunHeader *header, const RunContacts *contacts, ViewBlock *block) {
    size_t rows = contacts->rows.count;
    bool pulled = false, features = false;
    for (size_t i = 0; i < rows; i++) {
        pulled = pulled || contacts->opening[i] >= 0;
        features = features || contacts->feature[i] != 0;
    }
    if (any(contacts->torque, 3 * rows, 0)) {
        view_block_half(block, turning(header, "torque", contacts->torque, rows));
    }
    if (pulled) {
        view_block_half(block, scalar("opening", contacts->opening, rows));
    }
    if (features) {
        view_block_integers(block, "feature", contacts->feature, rows);
    }
}

/* The rows fitted into the reader's memory, so their numbers fit into 32 bits. */
static void encode_row_numbers(const Strength *list, size_t kept, ViewBlock *block) {
    int32_t *rows = malloc((kept + 1) * sizeof *rows);
    for (size_t k = 0; rows != NULL && k < kept; k++) {
        rows[k] = (int32_t)list[k].row;
    }
    if (rows != NULL) {
        view_block_integers(block, "row", rows, kept);
    }
    block->data.failed = block->data.failed || rows == NULL;
    free(rows);
}

static void encode_chosen(const RunHeader *header, const RunFrame *frame,
                          const RunContacts *contacts, const RunBonds *bonds,
                          const ViewStyle *style, ViewBlock *block) {
    size_t rows = contacts->rows.count;
    view_block_integers(block, "a", contacts->a, rows);
    view_block_integers(block, "b", contacts->b, rows);
    view_block_integers(block, "state", contacts->state, rows);
    view_block_position(block, vector(header, "point", contacts->point, rows), style->origin,
                        fine_enough(frame, style));
    view_block_unit16(block, vector(header, "normal", contacts->normal, rows));
    view_block_half(block, scalar("gap", contacts->gap, rows));
    view_block_half(block, scalar("force_normal", contacts->force_normal, rows));
    view_block_half(block, vector(header, "force_tangential", contacts->force_tangential, rows));
    encode_rare(header, contacts, block);
    encode_bonds(bonds, block);
}

void view_encode_contacts(const RunHeader *header, const RunFrame *frame, const ViewStyle *style,
                          ViewBytes *into) {
    ViewBlock block = {0};
    RunContacts chosen = {0};
    RunBonds glued = {0};
    size_t kept = 0;
    bool all = !style->small && style->share >= 1;
    Strength *list = all ? NULL : choose(frame, style, &kept);
    if (all) {
        encode_chosen(header, frame, &frame->contacts, &frame->bonds, style, &block);
    } else if (list != NULL && select_rows(RUN_CONTACTS, &frame->contacts, list, kept, &chosen) &&
               (frame->bonds.rows.count == 0 ||
                select_rows(RUN_BONDS, &frame->bonds, list, kept, &glued))) {
        encode_chosen(header, frame, &chosen, &glued, style, &block);
        encode_row_numbers(list, kept, &block);
    } else {
        into->failed = true;
    }
    view_block_finish(&block, into);
    run_rows_free(RUN_CONTACTS, &chosen);
    run_rows_free(RUN_BONDS, &glued);
    free(list);
}
