/* A saved and loaded world of the soft engine goes on with the same bits. */
#include "soft_scene.h"

static const SoftScene scenes[] = {
    {3, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_PLAIN, false, false, 150,
     false},
    {2, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_PLAIN, true, true, 90,
     false},
    {3, SCREE_INTEGRATOR_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_DASHPOT, true, true, 120, false},
    {3, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_VISCOUS, LAWS_PLAIN, false, true, 120,
     false},
    {3, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_HERTZ, true, false, 120,
     false},
    {2, SCREE_INTEGRATOR_VERLET, SCREE_SOFT_FRICTION_VISCOUS, LAWS_TORQUES, false, true, 90, false},
    {3, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_ALL, false, true, 120,
     false},
    {2, SCREE_INTEGRATOR_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_ALL, true, true, 90, false},
    {2, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_PLAIN, false, true, 60,
     true},
    {2, SCREE_INTEGRATOR_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_ALL, true, true, 60, true},
    {2, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_VISCOUS, LAWS_HERTZ, false, false, 60,
     true},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };
enum { EVERY = CHECK_STRIDE == 1 ? 1 : 2 };

static ScreeWorld *reload(const ScreeWorld *world) {
    size_t size = 0, again = 0;
    unsigned char *data = rig_save(world, &size);
    ScreeWorld *copy = NULL;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_world_load(data, size, &copy, message) == SCREE_OK);
    if (copy == NULL) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    unsigned char *second = rig_save(copy, &again);
    CHECK(again == size && memcmp(data, second, size) == 0);
    free(data);
    free(second);
    return copy;
}

/* Whether two reports agree in every field. */
static bool same_report(const ScreeReport *a, const ScreeReport *b) {
    bool same = true;
#define X(type, name, dimension, meaning) same = same && a->name == b->name;
    SCREE_REPORT_MAP(X)
#undef X
    return same;
}

static bool same_contacts(const ScreeWorld *a, const ScreeWorld *b) {
    ScreeContactView x = scree_world_get_contacts(a), y = scree_world_get_contacts(b);
    bool same = x.count == y.count && x.time_step == y.time_step;
    for (size_t i = 0; same && i < x.count; i++) {
        const ScreeContact *p = &x.contact[i], *q = &y.contact[i];
        same = p->a.index == q->a.index && p->b.code == q->b.code && p->feature == q->feature &&
               p->state == q->state && p->gap == q->gap && p->normal_impulse == q->normal_impulse &&
               p->tangential_impulse.x == q->tangential_impulse.x &&
               p->tangential_impulse.y == q->tangential_impulse.y;
    }
    return same;
}

enum { AFTER = 250 }; /* steps for which a reloaded world is compared */

/* A world that was saved and loaded at some moment, beside the one that goes on. */
typedef struct Twin {
    ScreeWorld *world; /* NULL before the moment and when it has been compared */
    int moment;
} Twin;

/* A step of the copy, which must do what the world itself does. */
static void step_twin(Twin *twin, const ScreeWorld *world, const ScreeReport *report) {
    ScreeReport own = rig_step(twin->world);
    const int64_t steps = report->step - twin->moment;
    bool same = same_report(report, &own);
    same = same && (steps % 10 != 1 || scree_world_hash(world) == scree_world_hash(twin->world));
    CHECK(same);
    if (!same || steps == AFTER) {
        CHECK(same_contacts(world, twin->world));
        scree_world_destroy(twin->world);
        twin->world = NULL;
    }
}

/* Saves at several moments: at once, in the fall, in the collapse, nearly at rest. */
static void restarted_worlds_go_on_bit_for_bit(void) {
    for (int s = 0; s<SCENES; s += CHECK_STRIDE> 1 ? 2 : 1) {
        Twin twin[] = {{NULL, 0}, {NULL, 1}, {NULL, 170}, {NULL, 700}, {NULL, 701}, {NULL, 1500}};
        int rebuilt = 0, hits = 0, sliding = 0;
        const int last = CHECK_STRIDE == 1 ? 5 : 4 - s % 2;
        ScreeWorld *world = scene_make(&scenes[s]);
        for (int step = 0; step < twin[last].moment + AFTER; step++) {
            for (int m = s % EVERY; m <= last; m += EVERY) {
                if (twin[m].moment == step) {
                    twin[m].world = reload(world);
                    CHECK(scree_world_hash(world) == scree_world_hash(twin[m].world));
                    CHECK(same_contacts(world, twin[m].world));
                }
            }
            ScreeReport report = rig_step(world);
            for (int m = 0; m <= last; m++) {
                if (twin[m].world != NULL) {
                    step_twin(&twin[m], world, &report);
                }
            }
            rebuilt += (int)report.rebuilt;
            hits += (int)report.active;
            sliding += (int)report.sliding;
        }
        CHECK(rebuilt > 10 && hits > 10000 && sliding > 100);
        scree_world_destroy(world);
    }
}

/* Neither reloading before every single step nor looking at the world makes a difference. */
static void reloading_before_every_step_changes_nothing(void) {
    for (int s = 0; s < SCENES; s += EVERY) {
        ScreeWorld *world = scene_make(&scenes[s]), *chain = scene_make(&scenes[s]);
        for (int step = 0; step < 500; step++) {
            rig_step(world);
            rig_step(chain);
        }
        bool same = true;
        for (int step = 0; step < 100; step++) {
            ScreeWorld *next = reload(chain);
            scree_world_destroy(chain);
            chain = next;
            (void)scree_world_get_contacts(chain);
            (void)scree_world_get_coordination(chain);
            rig_step(world);
            rig_step(chain);
            same = same && scree_world_hash(world) == scree_world_hash(chain);
        }
        CHECK(same);
        scree_world_destroy(world);
        scree_world_destroy(chain);
    }
}

static void change_many_things(ScreeWorld *world) {
    ScreeLaw law;
    rig_must(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law), "law");
    law.friction = 0.1;
    law.friction_static = 0;
    law.stiffness *= 1.5;
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law), "law");
    rig_must(scree_world_set_time_step(world, 4e-4), "time step");
    rig_must(scree_world_set_gravity(world, rig_vec(1, -5, 0)), "gravity");
    rig_must(scree_body_set_force(world, (ScreeBodyId){3}, rig_vec(1, 2, 0), rig_vec(0, 0, 1)),
             "force");
    rig_must(scree_body_set_velocity(world, (ScreeBodyId){4}, rig_vec(1, 2, 0), rig_vec(0, 0, 1)),
             "velocity");
    rig_must(scree_body_set_frozen(world, (ScreeBodyId){6}, SCREE_FREEZE_Y), "frozen");
}

/* A held body has infinite mass in a collision, and so its contacts have other dashpots. */
static void hold_some(ScreeWorld *world) {
    for (int i = 10; i < 40; i++) {
        rig_must(scree_body_set_frozen(world, (ScreeBodyId){i}, SCREE_FREEZE_ALL), "frozen");
    }
}

/* Changes between steps are in the snapshot too, taken before or after the change. */
static void changes_between_steps_are_saved(void) {
    for (int k = 0; k < 2 * SCENES; k += 2 * EVERY - 1) {
        int s = k / 2;
        void (*change)(ScreeWorld *) = k % 2 == 0 ? change_many_things : hold_some;
        ScreeWorld *world = scene_make(&scenes[s]);
        for (int step = 0; step < 600; step++) {
            rig_step(world);
        }
        ScreeWorld *early = reload(world);
        change(world);
        change(early);
        ScreeWorld *late = reload(world);
        bool same = scree_world_hash(world) == scree_world_hash(late) &&
                    scree_world_hash(world) == scree_world_hash(early);
        for (int step = 0; step < 100; step++) {
            ScreeReport a = rig_step(world), b = rig_step(early), c = rig_step(late);
            same = same && same_report(&a, &b) && same_report(&a, &c);
        }
        CHECK(same && scree_world_hash(world) == scree_world_hash(late) &&
              scree_world_hash(world) == scree_world_hash(early));
        CHECK_NEAR(scree_world_get_time(world), 0.6 + 100 * (k % 2 == 0 ? 4e-4 : 1e-3), 1e-15);
        scree_world_destroy(world);
        scree_world_destroy(early);
        scree_world_destroy(late);
    }
}

/* So are removed walls and added grains. */
static void added_grains_and_removed_walls_are_saved(void) {
    ScreeWorld *world = scene_make(&scenes[6]);
    for (int step = 0; step < 600; step++) {
        rig_step(world);
    }
    rig_must(scree_wall_remove(world, (ScreeWallId){1}), "remove");
    double lid = rig_wall(world, (int32_t)scree_world_get_wall_count(world) - 1).now.point.y;
    ScreeBodyDef ball = rig_ball(rig_vec(2, lid - 0.3, 2), 0.2, 0);
    rig_add_body(world, &ball);
    rig_must(scree_body_set_position(world, (ScreeBodyId){7}, rig_vec(3, lid - 0.5, 2)),
             "position");
    ScreeWorld *copy = reload(world);
    bool same = true;
    for (int step = 0; step < 200; step++) {
        ScreeReport a = rig_step(world), b = rig_step(copy);
        same = same && same_report(&a, &b);
    }
    CHECK(same && scree_world_hash(world) == scree_world_hash(copy));
    scree_world_destroy(world);
    scree_world_destroy(copy);
}

/* Worlds made alike are alike. */
static void equal_worlds_have_equal_hashes(void) {
    for (int s = EVERY - 1; s < SCENES; s += EVERY) {
        ScreeWorld *one = scene_make(&scenes[s]), *other = scene_make(&scenes[s]);
        rig_must(scree_world_set_threads(other, 4), "threads");
        for (int step = 0; step < 400; step++) {
            rig_step(one);
            rig_must(scree_world_step(other, NULL), "step");
        }
        CHECK(scree_world_hash(one) == scree_world_hash(other));
        scree_world_destroy(one);
        scree_world_destroy(other);
    }
}

static void damaged_snapshots_are_refused(void) {
    const SoftScene small = {
        3, SCREE_INTEGRATOR_VERLET, SCREE_SOFT_FRICTION_SPRING, LAWS_ALL, false, true, 10, false};
    ScreeWorld *world = scene_make(&small);
    for (int step = 0; step < 600; step++) {
        rig_step(world);
    }
    CHECK(scree_world_get_contacts(world).count > 0);
    size_t size = 0;
    unsigned char *data = rig_save(world, &size);
    int accepted = 0;
    for (size_t i = 0; i < 2 * size; i++) {
        ScreeWorld *copy = NULL;
        unsigned char old = data[i / 2];
        data[i / 2] ^= (unsigned char)(i % 2 == 0 ? 1u << (i / 2 % 8) : 255u);
        accepted += scree_world_load(data, size, &copy, NULL) == SCREE_OK || copy != NULL;
        data[i / 2] = old;
        scree_world_destroy(copy);
    }
    for (size_t cut = 0; cut < size; cut += 13) {
        ScreeWorld *copy = NULL;
        accepted += scree_world_load(data, cut, &copy, NULL) == SCREE_OK || copy != NULL;
        scree_world_destroy(copy);
    }
    CHECK(accepted == 0);
    free(data);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(restarted_worlds_go_on_bit_for_bit);
    CHECK_RUN(reloading_before_every_step_changes_nothing);
    CHECK_RUN(changes_between_steps_are_saved);
    CHECK_RUN(added_grains_and_removed_walls_are_saved);
    CHECK_RUN(equal_worlds_have_equal_hashes);
    CHECK_RUN(damaged_snapshots_are_refused);
    return check_result();
}
