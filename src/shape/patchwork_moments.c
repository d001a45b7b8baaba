/* Volume, centroid and inertia of a body by integrals over its surface (divergence theorem):
 *
 *     volume = 1/3 int x.N,  first moment = 1/4 int x (x.N),  second moment = 1/5 int x x^T (x.N),
 *
 * with N = x_u x x_v du dv. Over a patch without weights these are polynomials, of a degree below 5 p
 * along u: Gauss's rule takes degree 3 as it is. Where there are weights, or higher degrees, patches
 * are halved until nothing changes but the last places. */
#include "math/gauss.h"
#include "shape/moments.h"

enum { MOST_CUTS = 64 };

static void add_place(Moments *m, const PatchAt *at, double share) {
    double height = share * at->way * dot(at->x, cross(at->along[0], at->along[1]));
    const Moments own = {height / 3, scale(height / 4, at->x), sym3_dyad(height / 5, at->x)};
    scr_moments_add(m, 1, &own);
}

static void add_patch(Moments *m, const PatchNet *net, int cuts) {
    double half = 0.5 / cuts;
    for (int i = 0; i < cuts * GAUSS_POINTS; i++) {
        double u = half * (2 * (i / GAUSS_POINTS) + 1 + scr_gauss_point(i % GAUSS_POINTS));
        for (int j = 0; j < cuts * GAUSS_POINTS; j++) {
            double v = half * (2 * (j / GAUSS_POINTS) + 1 + scr_gauss_point(j % GAUSS_POINTS));
            const PatchAt at = scr_patch_point(net, u, v);
            add_place(m, &at,
                      half * half * scr_gauss_weight(i % GAUSS_POINTS) *
                          scr_gauss_weight(j % GAUSS_POINTS));
        }
    }
}

static double apart(const Moments *a, const Moments *b, double extent) {
    const Sym3 *s = &a->second, *t = &b->second;
    const double difference[10] = {
        a->volume - b->volume,
        (a->first.x - b->first.x) / extent,
        (a->first.y - b->first.y) / extent,
        (a->first.z - b->first.z) / extent,
        (s->xx - t->xx) / (extent * extent),
        (s->xy - t->xy) / (extent * extent),
        (s->xz - t->xz) / (extent * extent),
        (s->yy - t->yy) / (extent * extent),
        (s->yz - t->yz) / (extent * extent),
        (s->zz - t->zz) / (extent * extent),
    };
    double most = 0;
    for (int k = 0; k < 10; k++) {
        most = scr_max(most, fabs(difference[k]));
    }
    return most;
}

/* A patch, by itself, to about 1e-15 of the ball that holds the body: until what halving changes falls no
 * further, for it is rounding then. */
static Moments patch_moments(const PatchNet *net, double extent) {
    Moments before = {0};
    add_patch(&before, net, 1);
    double exact = 1e-16 * extent * extent * extent, changed = INFINITY;
    for (int cuts = 2; cuts <= MOST_CUTS; cuts *= 2) {
        Moments now = {0};
        add_patch(&now, net, cuts);
        double change = apart(&now, &before, extent);
        before = now;
        if (change <= exact || (change < 1e3 * exact && change > 0.25 * changed)) {
            break;
        }
        changed = change;
    }
    return before;
}

Moments scr_patchwork_moments(const Patchwork *s) {
    Moments sum = {0};
    double far = length(s->middle) + s->extent;
    for (int32_t k = 0; k < s->patches; k++) {
        const PatchNet net = scr_patch_net(s, k);
        const Moments own = patch_moments(&net, far);
        scr_moments_add(&sum, 1, &own);
    }
    return sum;
}
