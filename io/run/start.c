/* A moment of a run as the beginning of another: the checkpoint has everything that does not change,
 * and the last moment whole; the frames have how bodies, walls and contacts were at theirs. */
#include "io/run/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a start holds besides what the caller sees. */
typedef struct Start {
    ScreeStart shown; /* first, so that the one is the other */
    RunReader *reader;
    ScreeWallState *state;
    ScreeWallId *holder;
} Start;

void scree_start_destroy(ScreeStart *shown) {
    Start *start = (Start *)shown;
    if (start != NULL) {
        scree_world_destroy(start->shown.world);
        run_reader_free(start->reader);
        free(start->state);
        free(start->holder);
        free(start);
    }
}

static ScreeVec3 vector_of(const double *v, size_t i) {
    return (ScreeVec3){v[3 * i], v[3 * i + 1], v[3 * i + 2]};
}

static ScreeQuat quaternion_of(const double *v, size_t i) {
    return (ScreeQuat){v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]};
}

static ScreeVec3 times(double factor, ScreeVec3 v) {
    return (ScreeVec3){factor * v.x, factor * v.y, factor * v.z};
}

/* ---------------------------------------------------------------- from a frame */

static ScreeStatus place_bodies(ScreeWorld *world, const RunBodies *bodies) {
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; i < bodies->rows.count && status == SCREE_OK; i++) {
        const ScreeBodyId body = {(int32_t)i};
        status = scree_body_set_position(world, body, vector_of(bodies->position, i));
        if (status == SCREE_OK) {
            status = scree_body_set_orientation(world, body, quaternion_of(bodies->orientation, i));
        }
        if (status == SCREE_OK) {
            status = scree_body_set_velocity(world, body, vector_of(bodies->velocity, i),
                                             vector_of(bodies->spin, i));
        }
    }
    return status;
}

/* Bodies that have grown since, or shrunk. */
static ScreeStatus place_sizes(ScreeWorld *world, const RunSizes *sizes) {
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; i < sizes->rows.count && status == SCREE_OK; i++) {
        const ScreeBodyId body = {(int32_t)i};
        if (scree_world_get_bodies(world).radius[i] != sizes->radius[i]) {
            status = scree_body_set_size(world, body, sizes->radius[i], sizes->mass[i],
                                         sizes->inertia[i]);
        }
    }
    return status;
}

static ScreeBodyDef body_of(const ScreeWorld *world, const RunFrame *frame, size_t i) {
    const RunBodyConstants *of = &frame->body;
    const ScreeBodyId now = scree_world_find_body(world, frame->who.identity[i]);
    const bool solid = of->shape[i] >= 0 && scree_world_get_def(world).dimension == 3;
    ScreeBodyDef def = scree_body_def_default();
    def.position = vector_of(frame->bodies.position, i);
    def.radius = of->radius[i];
    def.mass = of->mass[i];
    def.inertia = solid ? 0 : of->inertia[i]; /* follows from its mass */
    def.material.index = of->material[i];
    def.shape.index = of->shape[i];
    def.frozen = (uint32_t)of->frozen[i];
    if (!SCREE_IS_NULL(now)) { /* frames do not keep forces from outside */
        const ScreeBodyView view = scree_world_get_bodies(world);
        const bool held = view.holder != NULL && view.holder[now.index].index >= 0;
        def.frozen = held ? 0 : view.frozen[now.index];
        def.force = view.force[now.index];
        def.torque = view.torque[now.index];
    }
    return def;
}

/* The bodies of the frame in the place of those of the checkpoint, where they come and go. */
static ScreeStatus change_bodies(ScreeWorld *world, const RunFrame *frame) {
    const size_t before = scree_world_get_bodies(world).count, count = frame->bodies.rows.count;
    ScreeBodyDef *def = calloc(count + 1, sizeof *def);
    ScreeBodyId *gone = calloc(before + 1, sizeof *gone);
    ScreeStatus status = def != NULL && gone != NULL ? SCREE_OK : SCREE_NO_MEMORY;
    for (size_t i = 0; i < count && status == SCREE_OK; i++) {
        def[i] = body_of(world, frame, i);
    }
    for (size_t i = 0; i < before && status == SCREE_OK; i++) {
        gone[i].index = (int32_t)i;
    }
    if (status == SCREE_OK) {
        status = scree_world_remove_bodies(world, gone, before);
    }
    if (status == SCREE_OK) {
        status = scree_world_add_bodies(world, def, count, NULL);
    }
    free(def);
    free(gone);
    return status;
}

/* Forces back into impulses. Candidates are of no use, and bonds have an opening. */
static ScreeStatus place_contacts(ScreeWorld *world, const RunContacts *from, double time_step) {
    const size_t count = from->rows.count;
    ScreeContact *contact = calloc(count + 1, sizeof *contact);
    ScreeContactExtra *extra = calloc(count + 1, sizeof *extra);
    ScreeStatus status = SCREE_NO_MEMORY;
    if (contact != NULL && extra != NULL) {
        for (size_t i = 0; i < count; i++) {
            contact[i] = (ScreeContact){.a = {from->a[i]},
                                        .b = {from->b[i]},
                                        .feature = from->feature[i],
                                        .state = from->state[i],
                                        .normal = vector_of(from->normal, i),
                                        .gap = from->gap[i],
                                        .normal_impulse = time_step * from->force_normal[i],
                                        .tangential_impulse =
                                            times(time_step, vector_of(from->force_tangential, i))};
            extra[i] =
                (ScreeContactExtra){times(time_step, vector_of(from->torque, i)), from->opening[i]};
        }
        const ScreeContactView view = {count, contact, extra, time_step, SCREE_OK};
        status = scree_world_set_contacts(world, &view);
    }
    free(contact);
    free(extra);
    return status;
}

/* The bonds of the frame in the place of those of the checkpoint: they hold the bodies as they are. */
static ScreeStatus place_bonds(ScreeWorld *world, const RunFrame *frame) {
    ScreeStatus status = SCREE_OK;
    scree_world_remove_bonds(world);
    for (size_t i = 0; i < frame->bonds.rows.count && status == SCREE_OK; i++) {
        if (frame->bonds.bond[i] >= 0) {
            ScreeBondDef def = scree_bond_def_default();
            def.a.index = frame->contacts.a[i];
            const ScreePartner b = {frame->contacts.b[i]};
            def.b = scree_partner_get_body(b);
            def.wall = scree_partner_get_wall(b);
            def.within = 0.1;
            def.tension = frame->bonds.bond_tension[i];
            def.shear = frame->bonds.bond_shear[i];
            def.bending = frame->bonds.bond_bending[i];
            def.torsion = frame->bonds.bond_torsion[i];
            status = scree_world_add_bonds(world, &def, NULL);
        }
    }
    return status;
}

static void place_walls(ScreeWallState *state, const RunWalls *walls) {
    for (size_t i = 0; i < walls->rows.count; i++) {
        ScreeWallState *w = &state[i];
        w->present = walls->present[i] != 0;
        w->displacement = vector_of(walls->displacement, i);
        w->load = vector_of(walls->load, i);
        w->load_torque = vector_of(walls->load_torque, i);
        w->now.pivot = vector_of(walls->position, i);
        w->now.velocity = vector_of(walls->velocity, i);
        w->now.spin = vector_of(walls->spin, i);
        w->now.point = vector_of(walls->point, i);
        w->now.normal = vector_of(walls->normal, i);
        w->now.end = vector_of(walls->end, i);
        w->now.axis = vector_of(walls->axis, i);
        w->now.orientation = quaternion_of(walls->orientation, i);
    }
}

/* Whom walls held in the frame: the world only has those that they hold at the end. */
static ScreeStatus note_holders(Start *start, const RunFrame *frame) {
    const size_t count = frame->holders.rows.count;
    if (!run_header(start->reader)->plates) {
        return SCREE_OK;
    }
    start->holder = calloc(count + 1, sizeof *start->holder);
    start->shown.holder = start->holder;
    for (size_t i = 0; start->holder != NULL && i < count; i++) {
        start->holder[i].index = frame->holders.holder[i];
    }
    return start->holder != NULL ? SCREE_OK : SCREE_NO_MEMORY;
}

/* The cell as it was in the frame, and how fast it deformed. */
static ScreeStatus place_cell(ScreeWorld *world, const RunHeader *header, const RunFrame *frame) {
    ScreeCellDef cell = scree_world_get_def(world).deform;
    double edge[3][3];
    ScreeVec3 vector[3];
    if (!cell.deforms) {
        return SCREE_OK;
    }
    run_cell_edges(header, frame, edge);
    for (int k = 0; k < 3; k++) {
        vector[k] = (ScreeVec3){edge[k][0], edge[k][1], edge[k][2]};
    }
    memcpy(cell.rate, frame->cell.rate, sizeof cell.rate);
    for (int k = 0; k < 9; k++) {
        cell.control[k] = SCREE_CELL_RATE; /* what holds it is for the new scene to say */
    }
    cell.isotropic = false;
    const ScreeStatus status = scree_world_set_cell_edges(world, vector);
    return status == SCREE_OK ? scree_world_set_cell(world, &cell) : status;
}

static ScreeStatus place_all(Start *start, const RunFrame *frame) {
    ScreeWorld *world = start->shown.world;
    const ScreeWorldDef def = scree_world_get_def(world);
    const bool changing = run_header(start->reader)->changing;
    ScreeStatus status = changing ? change_bodies(world, frame) : SCREE_OK;
    if (status == SCREE_OK) {
        status = place_cell(world, run_header(start->reader), frame);
    }
    if (status == SCREE_OK) {
        status = place_bodies(world, &frame->bodies);
    }
    if (status == SCREE_OK && run_header(start->reader)->growing && !changing) {
        status = place_sizes(world, &frame->sizes);
    }
    place_walls(start->state, &frame->walls);
    if (status == SCREE_OK) {
        status = note_holders(start, frame);
    }
    if (status == SCREE_OK && def.engine != SCREE_ENGINE_SOFT) {
        status = place_contacts(world, &frame->contacts, def.time_step);
    }
    if (status == SCREE_OK && run_header(start->reader)->bonds) {
        status = place_bonds(world, frame);
    }
    return status;
}

static bool take_frame(Start *start, const char *path, IoError *error) {
    RunFrame frame;
    memset(&frame, 0, sizeof frame);
    bool ok = run_read_frame(start->reader, (size_t)start->shown.frame, &frame, error);
    const size_t bodies = scree_world_get_bodies(start->shown.world).count;
    if (ok && ((!run_header(start->reader)->changing && frame.bodies.rows.count != bodies) ||
               frame.walls.rows.count != start->shown.walls)) {
        ok = io_error(error, IO_BAD_FILE, "%s: does not match its checkpoint", path);
    }
    if (ok) {
        const ScreeStatus status = place_all(start, &frame);
        ok = status == SCREE_OK ||
             (status == SCREE_NO_MEMORY ? io_no_memory(error, path)
                                        : io_error(error, IO_BAD_FILE, "%s: frame %lld: %s", path,
                                                   (long long)start->shown.frame,
                                                   scree_world_get_message(start->shown.world)));
    }
    run_frame_free(&frame);
    return ok;
}

/* ---------------------------------------------------------------- from the checkpoint */

static bool take_world(Start *start, const char *path, const Checkpoint *checkpoint,
                       IoError *error) {
    char message[SCREE_MESSAGE_SIZE] = "";
    const ScreeStatus status =
        scree_world_load(checkpoint->world, checkpoint->world_size, &start->shown.world, message);
    if (status != SCREE_OK) {
        return status == SCREE_NO_MEMORY ? io_no_memory(error, path)
                                         : io_error(error, IO_BAD_FILE, "%s: %s", path, message);
    }
    start->shown.walls = scree_world_get_wall_count(start->shown.world);
    start->state = calloc(start->shown.walls + 1, sizeof *start->state);
    for (size_t i = 0; start->state != NULL && i < start->shown.walls; i++) {
        scree_wall_get_state(start->shown.world, (ScreeWallId){(int32_t)i}, &start->state[i]);
    }
    start->shown.state = start->state;
    return start->state != NULL || io_no_memory(error, path);
}

static bool choose_frame(Start *start, const char *path, int64_t frame, IoError *error) {
    const size_t frames = run_frame_count(start->reader);
    if (frames == 0) {
        return io_error(error, IO_BAD_FILE, "%s: has no frame yet", path);
    }
    if (frame < -1 || frame >= (int64_t)frames) {
        return io_error(error, IO_BAD_FILE, "%s: there is no frame %lld; the last is %zu", path,
                        (long long)frame, frames - 1);
    }
    const size_t number = frame < 0 ? frames - 1 : (size_t)frame;
    start->shown.frame = (int64_t)number;
    start->shown.step = run_frame_step(start->reader, number);
    start->shown.time = run_frame_time(start->reader, number);
    return true;
}

static void show_header(Start *start) {
    const RunHeader *header = run_header(start->reader);
    start->shown.materials = header->materials.count;
    start->shown.material = (const char *const *)header->materials.name;
    start->shown.wall = (const char *const *)header->walls.name;
    start->shown.scene_name = header->scene_name;
    start->shown.scene_text = header->scene_text;
    start->shown.overrides = (const char *const *)header->overrides.name;
    start->shown.override_count = header->overrides.count;
}

static bool take_checkpoint(Start *start, const char *path, const Checkpoint *checkpoint,
                            IoError *error) {
    const RunHeader *header = run_header(start->reader);
    if (checkpoint->identity != header->identity) {
        return io_error(error, IO_BAD_FILE,
                        "%s.checkpoint: is that of another run; put its own beside %s", path, path);
    }
    if (!take_world(start, path, checkpoint, error)) {
        return false;
    }
    if (header->walls.count != start->shown.walls) {
        return io_error(error, IO_BAD_FILE, "%s: does not match its checkpoint", path);
    }
    start->shown.exact =
        (int64_t)scree_world_get_step_count(start->shown.world) == start->shown.step;
    return start->shown.exact || take_frame(start, path, error);
}

static bool load(Start *start, const char *path, int64_t frame, IoError *error) {
    Checkpoint checkpoint;
    memset(&checkpoint, 0, sizeof checkpoint);
    start->reader = run_open(path, error);
    if (start->reader == NULL || !choose_frame(start, path, frame, error)) {
        return false;
    }
    show_header(start);
    char *beside = checkpoint_path(path);
    bool ok =
        beside != NULL ? checkpoint_read(beside, &checkpoint, error) : io_no_memory(error, path);
    ok = ok && take_checkpoint(start, path, &checkpoint, error);
    checkpoint_free(&checkpoint);
    free(beside);
    return ok;
}

ScreeStatus scree_start_load(const char *path, int64_t frame, ScreeStart **shown, char *message) {
    IoError error = {0};
    Start *start = calloc(1, sizeof *start);
    *shown = NULL;
    if (start != NULL && load(start, path, frame, &error)) {
        *shown = &start->shown;
        return SCREE_OK;
    }
    if (start == NULL) {
        io_no_memory(&error, path);
    }
    if (message != NULL) {
        snprintf(message, SCREE_FILE_MESSAGE_SIZE, "%s", error.text);
    }
    scree_start_destroy((ScreeStart *)start);
    /* nothing is written, so that only memory can fail */
    return error.kind == IO_FAILED ? SCREE_NO_MEMORY : SCREE_BAD_ARGUMENT;
}
