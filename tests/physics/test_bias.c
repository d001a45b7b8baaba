/* Does an order of visits prefer a direction?
 *
 * A slab of disks, its own mirror image, is squeezed with equal forces from the left and from the
 * right, from a cold start. The exact impulses are symmetric. After a few sweeps the forces have
 * spread only part of the way in from both sides; the sums of impulses in the left and the right
 * half then differ from draw to draw, but their mean difference must vanish unless the order is
 * biased. */
#include "rig.h"

enum { ACROSS = 40, HIGH = 12, DRAWS = 200 / CHECK_STRIDE };

typedef struct Asymmetry {
    /* mean of (left - right) / (left + right), and its standard deviation */
    double mean, deviation;
} Asymmetry;

/* Rows of a triangular lattice, each symmetric about the middle, touching within their row and with
 * the adjacent rows. */
static void add_slab(ScreeWorld *world) {
    for (int j = 0; j < HIGH; j++) {
        int count = ACROSS + j % 2;
        for (int i = 0; i < count; i++) {
            ScreeBodyDef disk = rig_ball(rig_vec(i - 0.5 * (count - 1), j * sqrt(0.75), 0), 0.5, 1);
            disk.force = rig_vec(i == 0 ? 1 : i == count - 1 ? -1 : 0, 0, 0);
            rig_add_body(world, &disk);
        }
    }
}

static double difference(ScreeOrder order, int sweeps, uint64_t seed) {
    ScreeWorldDef def = rig_def(2, 0.01, rig_vec(0, 0, 0));
    def.solver.order = order;
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.iterations = sweeps;
    def.seed = seed;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    add_slab(world);
    rig_step(world);
    double left = 0, right = 0;
    ScreeContactView view = scree_world_get_contacts(world);
    ScreeBodyView bodies = scree_world_get_bodies(world);
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        double x = bodies.position[c->a.index].x + bodies.position[c->b.code].x;
        left += x < -1e-6 ? c->normal_impulse : 0;
        right += x > 1e-6 ? c->normal_impulse : 0;
    }
    scree_world_destroy(world);
    return (left - right) / (left + right);
}

static Asymmetry asymmetry(ScreeOrder order, int sweeps) {
    double sum = 0, square = 0;
    for (int k = 0; k < DRAWS; k++) {
        double d = difference(order, sweeps, 1 + (uint64_t)k);
        sum += d;
        square += d * d;
    }
    double mean = sum / DRAWS, variance = (square - DRAWS * mean * mean) / (DRAWS - 1);
    return (Asymmetry){mean, sqrt(fmax(variance, 0) / DRAWS)};
}

static const char *const names[] = {"boxed", "random", "fixed", "alternating", "coloured"};

static void no_direction_is_preferred(void) {
    static const int sweeps[] = {3, 10, 30};
    for (int order = 0; order < SCREE_ORDER_COUNT; order++) {
        bool drawn = order == SCREE_ORDER_BOXED || order == SCREE_ORDER_RANDOM;
        printf("    %-11s", names[order]);
        for (int k = 0; k < 3; k++) {
            Asymmetry a = asymmetry((ScreeOrder)order, sweeps[k]);
            printf("  %2d sweeps: %+.4f (%.4f)", sweeps[k], a.mean, a.deviation);
            double wide = 0.004 * sqrt(CHECK_STRIDE); /* wider for a mean of fewer draws */
            CHECK(!drawn || (fabs(a.mean) < 3.5 * a.deviation && a.deviation < wide));
            CHECK(order != SCREE_ORDER_FIXED || a.mean > 0.02); /* what a bias looks like */
        }
        printf("\n");
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(no_direction_is_preferred);
    return check_result();
}
