/* Outlines that have entered walls. */
#include "penetration_rig.h"

static size_t find_wall(const Shape *s, Vec3 x, const ScreeWallDef *wall) {
    const ScreeWorldDef def = {.dimension = 2};
    Outline o = outline_of(s);
    PlacedPair pair;
    list.count = 0;
    scr_place_at_wall(&def, SURFACE_POLYGON, &o, x, wall, &pair);
    rig_must(scr_pair_penetrate(&pair, 0, &list), "penetrate");
    return list.count;
}

/* A thin wall: what has gone through it is pushed back to where the rest of the body is. */
static void thin_wall_pushes_back_to_the_body(void) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.shape = SCREE_WALL_SEGMENT;
    wall.point = rig_vec(-2, 0, 0);
    wall.end = rig_vec(2, 0, 0);
    Shape s = box(0.5, 0.5);
    for (int side = -1; side <= 1; side += 2) {
        CHECK(find_wall(&s, rig_vec(0, 0.45 * side, 0), &wall) == 2);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(list.item[i].gap, -0.05, 1e-15);
            CHECK_VEC(list.item[i].normal, rig_vec(0, -side, 0), 1e-15);
            CHECK_NEAR(fabs(list.item[i].arm.x), 0.5, 1e-15);
        }
        CHECK(find_wall(&s, rig_vec(0, 0.55 * side, 0), &wall) == 0);
        /* over the end: one corner, and the end of the wall in the body's face */
        CHECK(find_wall(&s, rig_vec(2, 0.45 * side, 0), &wall) == 2);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(list.item[i].gap, -0.05, 1e-15);
            CHECK_VEC(list.item[i].normal, rig_vec(0, -side, 0), 1e-15);
            CHECK_NEAR(list.item[i].arm.x, i == 0 ? -0.5 : 0, 1e-15);
        }
        CHECK(find_wall(&s, rig_vec(2.6, 0.45 * side, 0), &wall) == 0);
    }
    /* a U lying on its side around the end of the wall, whose tip pokes through from below */
    Shape hook = {0};
    const Vec3 c[8] = {{-1, -0.5, 0}, {1, -0.5, 0},  {1, 0.5, 0},    {-1, 0.5, 0},
                       {-1, 0.3, 0},  {0.8, 0.3, 0}, {0.8, -0.2, 0}, {-1, -0.3, 0}};
    add_part(&hook, c, 8, 0);
    turn(&hook, 0);
    CHECK(find_wall(&hook, rig_vec(1.5, 0, 0), &wall) == 0); /* around the end, without touching */
    double raised = 0.31;
    /* the tip, and the end of the wall */
    CHECK(find_wall(&hook, rig_vec(1.5, raised, 0), &wall) == 2);
    CHECK_NEAR(list.item[0].gap, -0.01, 1e-15);
    CHECK_VEC(list.item[0].normal, rig_vec(0, 1, 0), 1e-15); /* the wall is above the lower arm */
    CHECK(list.item[1].gap < 0 && list.item[1].normal.y > 0.99);
}

/* Corners against the other walls, by the distance of the corner from each. */
static void corners_in_walls_have_their_distance(void) {
    Shape s = box(0.5, 0.5);
    turn(&s, 0.3);
    Vec3 lowest = {0};
    for (int k = 0; k < 4; k++) {
        lowest = s.corner[k].y < lowest.y ? rig_vec(s.corner[k].x, s.corner[k].y, 0) : lowest;
    }
    ScreeWallDef plane = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    CHECK(find_wall(&s, rig_vec(3, -lowest.y - 0.02, 0), &plane) == 1);
    CHECK_NEAR(list.item[0].gap, -0.02, 1e-15);
    CHECK_VEC(list.item[0].normal, rig_vec(0, -1, 0), 1e-15);
    CHECK_VEC(list.item[0].arm, rig_vec(lowest.x, lowest.y + 0.01, 0), 1e-15);

    ScreeWallDef drum = scree_wall_def_default();
    drum.shape = SCREE_WALL_CYLINDER;
    drum.radius = 3;
    drum.inside = true;
    Vec3 at = rig_vec(-lowest.x, -3.02 - lowest.y, 0);
    for (int tube = 0; tube < 2; tube++) {
        drum.length = tube; /* a tube has an outside too */
        CHECK(find_wall(&s, at, &drum) == 1);
        CHECK_NEAR(list.item[0].gap, -0.02, 1e-14);
        CHECK_VEC(list.item[0].normal, rig_vec(0, -1, 0), 1e-14);
    }
    Vec3 above = rig_vec(-lowest.x, 2.98 - lowest.y, 0);
    ScreeWallDef rod = drum;
    rod.inside = false;
    for (int tube = 0; tube < 2; tube++) {
        CHECK(find_wall(&s, above, tube == 0 ? &rod : &drum) == 1);
        CHECK_NEAR(list.item[0].gap, -0.02, 1e-14);
        CHECK_VEC(list.item[0].normal, rig_vec(0, -1, 0), 1e-14);
    }
    ScreeWallDef block = scree_wall_def_default();
    block.shape = SCREE_WALL_BLOCK;
    block.half = rig_vec(1, 2, 1);
    block.orientation = rig_turn_z(0.5 * RIG_PI); /* 4 wide and 2 high */
    CHECK(find_wall(&s, rig_vec(1.5 - lowest.x, 0.98 - lowest.y, 0), &block) == 1);
    CHECK_NEAR(list.item[0].gap, -0.02, 1e-14);
    CHECK_VEC(list.item[0].normal, rig_vec(0, -1, 0), 1e-14);
    /* the block's corner in the face of a body */
    Shape flat = box(0.5, 0.5);
    CHECK(find_wall(&flat, rig_vec(2.2, 1.45, 0), &block) == 2);
    CHECK_NEAR(list.item[1].gap, -0.05, 1e-14);
    CHECK_VEC(list.item[1].normal, rig_vec(0, -1, 0), 1e-14);
    CHECK_NEAR(list.item[1].arm.x, -0.2, 1e-14);
}

int main(int argc, char **argv) {
    CHECK_RUN(thin_wall_pushes_back_to_the_body);
    CHECK_RUN(corners_in_walls_have_their_distance);
    scr_block_free(&list.block);
    return check_result();
}
