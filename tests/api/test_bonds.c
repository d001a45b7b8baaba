/* Bonds as a program makes them: what is glued, what is refused, what is left when bodies go. */
#include "physics/bond_rig.h"

#include <string.h>

static void bonds_follow_bodies_that_leave(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, 0, 0), 0);
    int32_t fragment[MOST];
    add_row(world, 6, rig_vec(1, 0, 0), 0.05, 1);
    glue(world, strengths(1, 1, 1, 1));
    const ScreeBodyId gone[] = {{2}};
    rig_must(scree_world_remove_bodies(world, gone, 1), "remove");
    const ScreeBondView view = scree_world_get_bonds(world);
    CHECK(view.count == 3 && view.made == 5 && view.broken == 0);
    CHECK(view.bond[1].a.index == 2 && view.bond[1].b.code == 3 && view.bond[1].number == 3);
    CHECK(fragments(world, fragment) == 2 && fragment[1] == 0 && fragment[4] == 2);
    CHECK(rig_step(world).glued == 3);
    CHECK_NEAR(load(world, 2), 0, 1e-12);
    scree_world_destroy(world);
}

static void only_what_touches_is_glued(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0);
    rig_material(world, 0.1);
    for (int i = 0; i < 5; i++) { /* gaps of 0, 1e-4, 2e-4 and 3e-4 radii */
        ScreeBodyDef ball = rig_ball(rig_vec(2 * i + 5e-5 * i * (i - 1), 0, 0), 1, 1);
        ball.material.index = i % 2;
        rig_add_body(world, &ball);
    }
    ScreeBondDef def = strengths(1, 1, 1, 1);
    def.within = 1.5e-4;
    def.first.index = def.second.index = 0;
    CHECK(glue(world, def) == 0);
    def.second.index = 1;
    CHECK(glue(world, def) == 2);
    def.first = def.second = SCREE_NO_MATERIAL;
    CHECK(glue(world, def) == 0); /* they are glued already */
    def.within = 2.5e-4;
    CHECK(glue_pair(world, 3, 2, def) == 1);
    CHECK(scree_world_get_bonds(world).bond[2].a.index == 2);
    CHECK_CLOSE(scree_world_get_bonds(world).bond[2].gap, 2e-4, 1e-9);
    CHECK(glue(world, scree_bond_def_default().cookie ? strengths(1, 1, 0, 0) : def) == 1);
    scree_world_destroy(world);
}

static bool refuses(ScreeWorld *world, ScreeBondDef def, const char *word) {
    return scree_world_add_bonds(world, &def, NULL) != SCREE_OK &&
           strstr(scree_world_get_message(world), word) != NULL &&
           scree_world_get_bonds(world).count == 1;
}

static void faults_are_told(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0);
    const ScreeBondDef good = strengths(1, 1, 1, 1);
    ScreeBondDef def = {0};
    for (int i = 0; i < 3; i++) {
        rig_add_ball(world, rig_vec(2 * i + (i == 2 ? 0.5 : 0), 0, 0), 1, 1);
    }
    glue_pair(world, 0, 1, good);
    CHECK(refuses(world, def, "cookie") || refuses(world, def, "default"));
    CHECK(refuses(world, strengths(0, 1, 1, 1), "tension"));
    CHECK(refuses(world, strengths(1, -1, 1, 1), "strengths"));
    def = good, def.a.index = 1;
    CHECK(refuses(world, def, "both"));
    def.b.index = 1;
    CHECK(refuses(world, def, "itself"));
    def.b.index = 0;
    CHECK(refuses(world, def, "already"));
    def.b.index = 2;
    CHECK(refuses(world, def, "touch"));
    def.b.index = 9;
    CHECK(refuses(world, def, "no body 9"));
    def = good, def.within = 0.5;
    CHECK(refuses(world, def, "within"));
    def = good, def.neck = 0;
    CHECK(refuses(world, def, "neck"));
    scree_world_destroy(world);
    ScreeWorldDef newton = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    newton.solver.method = SCREE_METHOD_NEWTON;
    world = rig_create(&newton);
    rig_material(world, 0);
    rig_add_ball(world, rig_vec(0, 0, 0), 1, 1);
    rig_add_ball(world, rig_vec(2, 0, 0), 1, 1);
    glue(world, good);
    CHECK(scree_world_check(world) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_get_message(world), "bonds") != NULL);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(bonds_follow_bodies_that_leave);
    CHECK_RUN(only_what_touches_is_glued);
    CHECK_RUN(faults_are_told);
    return check_result();
}
