/* Memory: a settled step allocates nothing, even when the list is rebuilt; and when memory runs out
 * every call says so, changes nothing visible and loses nothing. */
#include "failing_memory.h"
#include "io/run/fields.h"
#include "shape_rig.h"

#include <math.h>

static ScreeLaw all_laws(void) {
    ScreeLaw law = soft_law(2e4, 0.3, 0.4);
    law.friction_static = 0.5;
    law.rolling = law.torsion = 0.05;
    law.cohesion = 1;
    law.cohesion_range = 0.01;
    law.damping_tangential = 0.5;
    return law;
}

/* Grains at rest in a box. Moving a body to where it already is makes the engine begin anew. */
static void settled_step_allocates_nothing(void) {
    for (int k = 0; k < 6; k++) {
        bool shaped = k >= 4; /* every other one is then a square or a rounded L */
        bool flat = k % 2 == 0 || shaped;
        ScreeWorldDef def = soft_def(flat ? 2 : 3, shaped ? 1e-4 : 0, rig_vec(0, -10, 0));
        def.soft.integrator = soft_integrators[k / 2 % 2];
        ScreeLaw law = k / 2 % 2 == 0 ? soft_law(2e4, 0, 0.3) : all_laws();
        law = k == 5 ? all_laws() : law;
        ScreeWorld *world = soft_world(&def, &law);
        if (shaped) {
            shape_box(world, 0.2, 0.2, 0);
            const ScreeVec3 angle[6] = {{0, 0, 0},     {0.3, 0, 0},   {0.3, 0.1, 0},
                                        {0.1, 0.1, 0}, {0.1, 0.3, 0}, {0, 0.3, 0}};
            shape_add(world, angle, 6, 0.05);
        }
        for (int i = 0; i < 5; i++) {
            ScreeVec3 n = rig_vec(i == 1   ? 1
                                  : i == 2 ? -1
                                           : 0,
                                  i == 0,
                                  i == 3   ? 1
                                  : i == 4 ? -1
                                           : 0);
            if (i < 3 || !flat) {
                rig_add_plane(world, i == 2 || i == 4 ? rig_vec(2.6, 0, 0.7) : rig_vec(0, 0, 0), n);
            }
        }
        for (int i = 0; i < (shaped ? 24 : 60); i++) {
            ScreeBodyDef body =
                rig_ball(rig_vec(0.3 + 0.5 * (i % 4), 0.3 + 0.6 * (i / 4), flat ? 0 : 0.35),
                         0.25 + 0.001 * i, 0.1);
            body.shape.index = shaped && i % 2 == 0 ? i / 2 % 2 : -1;
            rig_add_body(world, &body);
        }
        for (int i = 0; i < (shaped ? 30000 : 10000); i++) {
            rig_step(world);
        }
        long before = calls;
        int rebuilt = 0;
        size_t contacts = 0;
        for (int i = 0; i < 2000; i++) {
            if (i % 100 == 99) {
                ScreeVec3 x = scree_world_get_bodies(world).position[7];
                rig_must(scree_body_set_position(world, (ScreeBodyId){7}, x), "position");
            }
            before = i == 200 ? calls : before; /* from now on */
            rebuilt += (int)rig_step(world).rebuilt;
            contacts += scree_world_get_contacts(world).count;
        }
        CHECK(calls == before);
        CHECK(rebuilt >= 20 && contacts > 80000);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- failure of each call in turn */

static unsigned char buffer[300000]; /* no allocation of the test itself is counted */

static ScreeStatus save(const ScreeWorld *world, size_t *size) {
    *size = sizeof buffer;
    return scree_world_save(world, buffer, size);
}

/* Squares, and a round body now and then. */
static ScreeStatus add_squares(ScreeWorld *world, int from, int count) {
    ScreeBodyDef def[40];
    for (int i = 0; i < count; i++) {
        int k = from + i;
        def[i] = rig_ball(rig_vec(0.6 * (k % 10), 0.55 + 0.6 * (k / 10), 0), 0.28, 0);
        def[i].shape.index = k % 5 == 2 ? -1 : 0;
        def[i].velocity = rig_vec(0.3 * (k % 3), -2, 0);
    }
    return scree_world_add_bodies(world, def, (size_t)count, NULL);
}

static ScreeStatus add_shape(ScreeWorld *world) {
    const ScreeVec3 c[4] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};
    const ScreeShapePart part = {4, 0};
    const ScreeShapeDef def = {&part, 1, c};
    return scree_world_add_shape(world, &def, NULL);
}

/* The list of contacts is made for the first one who asks; without memory for it the call says so:
 * it gives neither a mean over no contacts nor a frame without them. */
static void look_at_contacts(const ScreeWorld *world, int first) {
    RunFrame frame = {0};
    for (int i = 0; i < 3; i++) {
        int asked = (first + i) % 3;
        bool failed_before = failed;
        ScreeContactView view = {.status = SCREE_OK};
        double z = 1;
        bool captured = true;
        if (asked == 0) {
            view = scree_world_get_contacts(world);
            CHECK(view.status == SCREE_OK ? view.count > 0 : view.count == 0);
        } else if (asked == 1) {
            z = scree_world_get_coordination(world);
        } else {
            captured = run_capture_frame(world, true, &frame);
        }
        if (failed && !failed_before) {
            CHECK(view.status == SCREE_NO_MEMORY || isnan(z) || !captured);
        } else {
            CHECK(view.status == SCREE_OK && z > 0 && captured);
        }
    }
    CHECK(run_capture_frame(world, true, &frame));
    CHECK(frame.contacts.rows.count == scree_world_get_contacts(world).count);
    run_frame_free(&frame);
}

/* A short life of a world; returns the hash at its end. */
static uint64_t life(ScreeIntegrator integrator, bool laws, bool shapes) {
    ScreeWorldDef def = soft_def(shapes ? 2 : 3, laws ? 2e-3 : 0, rig_vec(0, -10, 0));
    ScreeStatus (*add)(ScreeWorld *, int, int) = shapes ? add_squares : add_some;
    def.soft.integrator = integrator;
    ScreeWorld *world = NULL, *copy = NULL;
    INSIST(world, scree_world_create(&def, &world, NULL));
    ScreeMaterialDef stone = scree_material_def_default();
    stone.law = laws ? all_laws() : soft_law(2e3, 0.2, 0.3);
    INSIST(world, scree_world_add_material(world, &stone, NULL));
    if (shapes) {
        INSIST(world, add_shape(world));
    }
    INSIST(world, add(world, 0, 30));
    for (int which = 0; which < 3; which++) {
        INSIST(world, add_walls(world, which));
    }
    for (int step = 0; step < 40; step++) {
        INSIST(world, scree_world_step(world, NULL));
    }
    INSIST(world, add(world, 30, 40));
    for (int step = 0; step < 15; step++) {
        INSIST(world, scree_world_step(world, NULL));
    }
    look_at_contacts(world, (int)laws + (integrator == soft_integrators[1]));
    size_t size = 0;
    ScreeStatus saved = save(world, &size); /* without a message: the world is const */
    saved = saved == SCREE_NO_MEMORY && failed ? save(world, &size) : saved;
    CHECK(saved == SCREE_OK);
    INSIST(copy, scree_world_load(buffer, size, &copy, NULL));
    INSIST(copy, scree_world_step(copy, NULL));
    INSIST(world, scree_world_step(world, NULL));
    uint64_t hash = scree_world_hash(world);
    CHECK(scree_world_hash(copy) == hash || step_failed);
    scree_world_destroy(world);
    scree_world_destroy(copy);
    return hash;
}

static uint64_t life_of_kind(int kind) {
    return life(soft_integrators[kind % 2], kind / 2 % 2 == 1, kind / 4 == 1);
}

static void every_allocation_fails_once(void) {
    for (int kind = 0; kind < 8; kind++) {
        fail_each_in_turn(life_of_kind, kind);
    }
}

int main(int argc, char **argv) {
    if (CHECK_STRIDE == 1) { /* a sanitizer changes nothing about how often memory is asked for */
        CHECK_RUN(settled_step_allocates_nothing);
    }
    CHECK_RUN(every_allocation_fails_once);
    return check_result();
}
