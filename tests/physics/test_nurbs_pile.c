/* A pile of curved grains that are not convex: by brute force over their drawn outlines, no overlap
 * is deeper than the certificate says. */
#include "polygon_rig.h"
#include "shape/nurbs_shapes.h"

enum { GRAINS = 40, MOST = 400 };

typedef struct Drawn {
    ScreeVec3 corner[MOST];
    size_t count;
} Drawn;

static void draw_outline(const ScreeWorld *world, int32_t body, Drawn *d) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeShape shape;
    rig_must(scree_shape_get(world, b.shape[body], &shape), "shape");
    CHECK(shape.corners <= MOST);
    d->count = shape.corners;
    for (size_t k = 0; k < d->count; k++) {
        d->corner[k] =
            rig_add(b.position[body], 1, rig_rotate_z(rig_angle(world, body), shape.def.corner[k]));
    }
}

static bool holds(const Drawn *d, ScreeVec3 p) {
    bool inside = false;
    for (size_t k = 0, j = d->count - 1; k < d->count; j = k++) {
        ScreeVec3 a = d->corner[j], b = d->corner[k];
        if ((a.y > p.y) != (b.y > p.y)) {
            inside ^= p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x);
        }
    }
    return inside;
}

static double from_rim(const Drawn *d, ScreeVec3 p) {
    double least = INFINITY;
    for (size_t k = 0, j = d->count - 1; k < d->count; j = k++) {
        ScreeVec3 e = rig_sub(d->corner[k], d->corner[j]), w = rig_sub(p, d->corner[j]);
        double t = fmin(fmax(rig_dot(w, e) / rig_dot(e, e), 0), 1);
        least = fmin(least, rig_length(rig_add(w, -t, e)));
    }
    return least;
}

/* How deep corners of one are in the other. */
static double depth(const Drawn *a, const Drawn *b) {
    double most = 0;
    for (size_t k = 0; k < a->count; k++) {
        if (holds(b, a->corner[k])) {
            most = fmax(most, from_rim(b, a->corner[k]));
        }
    }
    return most;
}

static double deepest(const ScreeWorld *world) {
    static Drawn drawn[GRAINS];
    ScreeBodyView b = scree_world_get_bodies(world);
    double most = 0;
    for (int32_t i = 0; i < GRAINS; i++) {
        draw_outline(world, i, &drawn[i]);
    }
    for (int32_t i = 0; i < GRAINS; i++) {
        for (int32_t j = 0; j < GRAINS; j++) {
            ScreeVec3 d = rig_sub(b.position[i], b.position[j]);
            if (i != j && rig_length(d) < b.radius[i] + b.radius[j]) {
                most = fmax(most, depth(&drawn[i], &drawn[j]));
            }
        }
    }
    return most;
}

static void certificate_knows_the_deepest_overlap(void) {
    ScreeWorldDef def = scree_world_def_default();
    def.solver.overlap = 3e-2; /* there will be overlaps, and they stay */
    def.solver.projection = 0;
    def.dimension = 2;
    def.time_step = 4e-3;
    def.gravity = rig_vec(0, -10, 0);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    ScreeShapeId shape[4];
    for (int k = 0; k < 4; k++) {
        NurbsRig rig;
        k == 0   ? rig_notch(&rig, 3)
        : k == 1 ? rig_star(&rig, 3, 4, 2.4, 1)
                 : rig_wavy(&rig, k, 9, 3);
        for (size_t i = 0; i < rig.def.points; i++) {
            rig.point[i] = rig_scale(k < 2 ? 0.2 : 0.45, rig.point[i]);
        }
        rig_must(scree_world_add_nurbs(world, &rig.def, &shape[k]), scree_world_get_message(world));
    }
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(6, 0, 0), rig_vec(-1, 0, 0));
    uint64_t random = 3;
    for (int i = 0; i < GRAINS; i++) {
        ScreeVec3 at = rig_vec(0.7 + 1.15 * (i % 5), 0.7 + 1.2 * (i / 5), 0);
        rig_add_shaped(world, shape[i % 4].index, at, 6 * rig_random(&random));
    }
    double worst = 0, drawing = 2 * 4e-4 * 1.2; /* two outlines, 1.2 wide */
    for (int n = 0; n < 400; n++) {
        ScreeReport r = rig_step(world);
        if (n % 10 == 9) {
            ScreeOverlap found;
            double most = deepest(world);
            CHECK(most <= r.overlap_max + drawing);
            CHECK(scree_world_find_overlaps(world, &found) == SCREE_OK);
            CHECK(most <= found.depth + drawing);
            worst = fmax(worst, most);
        }
    }
    CHECK(worst > 4 * drawing && worst < 0.05);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(certificate_knows_the_deepest_overlap);
    return check_result();
}
