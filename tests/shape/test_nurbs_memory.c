/* Every allocation of a world with curves fails once: nothing changes, and the second try works. */
#include "failing_memory.h"
#include "shape/nurbs_shapes.h"

static void use_curves(void) {
    NurbsRig star, egg;
    rig_star(&star, 3, 5, 1, 0.5);
    rig_ellipse(&egg, 0.6, 0.4, 0, 0, 0);
    ScreeWorldDef def = rig_def(2, 1e-2, rig_vec(0, -10, 0));
    ScreeWorld *world = NULL, *loaded = NULL;
    ScreeMaterialDef material = scree_material_def_default();
    ScreeWallDef floor = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeBodyDef body[2] = {scree_body_def_default(), scree_body_def_default()};
    ScreeShape shape;
    size_t corners = 0, size = 0;
    INSIST(world, scree_world_create(&def, &world, NULL));
    INSIST(world, scree_world_add_material(world, &material, NULL));
    INSIST(NULL, scree_nurbs_measure(&star.def, &shape, NULL, &corners, NULL));
    INSIST(world, scree_world_add_nurbs(world, &star.def, &body[0].shape));
    INSIST(world, scree_world_add_nurbs(world, &egg.def, &body[1].shape));
    CHECK(scree_world_get_shape_count(world) == 2);
    body[0].position = rig_vec(0, 1, 0);
    body[1].position = rig_vec(0.2, 2.2, 0);
    INSIST(world, scree_world_add_bodies(world, body, 2, NULL));
    INSIST(world, scree_world_add_wall(world, &floor, NULL));
    for (int n = 0; n < 12; n++) {
        INSIST(world, scree_world_step(world, NULL));
    }
    INSIST(world, scree_world_save(world, NULL, &size));
    void *bytes = __real_malloc(size);
    INSIST(world, scree_world_save(world, bytes, &size));
    INSIST(NULL, scree_world_load(bytes, size, &loaded, NULL));
    CHECK(scree_world_hash(loaded) == scree_world_hash(world));
    /* a damaged curve is refused, wherever the damage is */
    for (size_t at = 0; at < size && fail_at < 0; at += 97) {
        ScreeWorld *none = NULL;
        ((unsigned char *)bytes)[at] ^= 0x55;
        CHECK(scree_world_load(bytes, size, &none, NULL) != SCREE_OK && none == NULL);
        ((unsigned char *)bytes)[at] ^= 0x55;
    }
    __real_free(bytes);
    scree_world_destroy(loaded);
    scree_world_destroy(world);
}

static void each_allocation_fails_once(void) {
    fail_at = -1;
    use_curves();
    CHECK(live == 0);
    long all = 0;
    for (fail_at = 0; fail_at < 100000; fail_at += CHECK_STRIDE) {
        calls = 0;
        failed = false;
        use_curves();
        CHECK(live == 0);
        if (!failed) {
            break;
        }
        all++;
    }
    CHECK(all > 30 / CHECK_STRIDE);
}

int main(int argc, char **argv) {
    CHECK_RUN(each_allocation_fails_once);
    return check_result();
}
