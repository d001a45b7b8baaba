/* Gaps of smooth parts. Apart, each gap is proved: s(n) is no more than the distance, and two points of
 * the bodies, told to be inside by another function than the one that found them, are that far apart.
 * Overlapping, the least depth is sought by trying directions. */
#include "narrow/common_normal.h"
#include "narrow/smooth_points.h"
#include "narrow/solid_rig.h"

static RigBody a, b;
static RigTouch t;

static void rig_smooth(RigBody *body, ScreePartKind kind, const Vec3 *vertex, double p, double q,
                       double rounding) {
    const PolyhedronDef def = {.vertices = scr_smooth_vertices(kind),
                               .vertex = vertex,
                               .rounding = rounding,
                               .kind = kind,
                               .form = {p, q}};
    CHECK(scr_polyhedron_build(&def, &body->part[0], NULL) == SCREE_OK);
    rig_finish(body, 1);
}

static void rig_ellipsoid(RigBody *body, Vec3 half, double q, double p) {
    const Vec3 vertex[4] = {{0, 0, 0}, {half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}};
    rig_smooth(body, SCREE_PART_ELLIPSOID, vertex, q, p, 0);
}

static void rig_cone(RigBody *body, double r0, double r1, double height, double rounding) {
    const Vec3 vertex[2] = {{0, 0, -height / 2}, {0, 0, height / 2}};
    rig_smooth(body, SCREE_PART_CONE, vertex, r0, r1, rounding);
}

enum { ELLIPSOIDS = 6, CONES = 6, SMOOTH = ELLIPSOIDS + CONES };

static void rig_any_smooth(RigBody *body, int kind) {
    Vec3 half = vec3(rig_between(0.2, 0.5), rig_between(0.2, 0.5), rig_between(0.2, 0.5));
    double q = rig_between(2, 8), p = rig_between(2, 8);
    switch (kind) {
    case 0:
        rig_ellipsoid(body, half, 2, 2);
        break;
    case 1:
        rig_ellipsoid(body, vec3(0.5, 0.5, 0.05), 2, 2);
        break;
    case 2:
        rig_ellipsoid(body, vec3(0.05, 0.06, 0.5), 2, 2);
        break;
    case 3:
        rig_ellipsoid(body, vec3(0.4, 0.4, 0.4), 2, 2);
        break;
    case 4:
        rig_ellipsoid(body, half, q, p);
        break;
    case 5:
        rig_ellipsoid(body, half, 2, p);
        break;
    case 6:
        rig_cone(body, 0.3, 0.3, 0.6, 0);
        break;
    case 7:
        rig_cone(body, 0.5, 0.5, 0.1, 0);
        break;
    case 8:
        rig_cone(body, 0.4, 0, 0.5, 0);
        break;
    case 9:
        rig_cone(body, 0.4, 0.2, 0.5, 0.02);
        break;
    case 10:
        rig_cone(body, 0.05, 0.05, 0.9, 0);
        break;
    default:
        rig_cone(body, 0.3, 0.3, 0.2, 0.05);
    }
}

static void rig_any_partner(RigBody *body, int kind) {
    if (kind < SMOOTH) {
        rig_any_smooth(body, kind);
    } else {
        rig_any(body, kind - SMOOTH, kind % 3 == 0 ? 0.03 : 0);
    }
}
enum { PARTNERS = SMOOTH + 10 };

/* ---------------------------------------------------------------- another way to tell */

/* Positive outside; in the frame of the body, roundings left out. */
static double outside(const Polyhedron *p, Vec3 x) {
    if (scr_is_smooth(p)) {
        return scr_smooth_level(&p->smooth, 0, x);
    }
    double most = -INFINITY;
    for (int32_t f = 0; f < p->faces; f++) {
        most = fmax(most, dot(p->face[f].normal, x) - p->face[f].offset);
    }
    return p->faces > 0 ? most : length(sub(x, scr_vertex(p, 0)));
}

static RelativePose pose;

static PartPair pair(void) {
    pose = scr_relative_pose(&a.placed, &b.placed, sub(b.x, a.x));
    return scr_part_pair(&a.part[0], &b.part[0], &pose);
}

/* The farthest point of a body along n, by the level of points: bisection along rays would be slow,
 * so only that no sampled point of the surface is farther. */
static bool none_is_farther(const Polyhedron *p, Vec3 n, double most) {
    if (!scr_is_smooth(p)) {
        bool ok = true;
        for (int32_t v = 0; v < p->vertices; v++) {
            ok = ok && dot(n, scr_vertex(p, v)) <= most + 1e-14;
        }
        return ok;
    }
    for (int k = 0; k < 12; k++) {
        Vec3 d = unit(add_scaled(n, rig_between(0, 0.5), rig_direction()));
        double in = 0, out = 2;
        for (int i = 0; i < 50; i++) {
            double r = 0.5 * (in + out);
            bool inside = scr_smooth_level(&p->smooth, 0, add_scaled(p->middle, r, d)) <= 0;
            in = inside ? r : in;
            out = inside ? out : r;
        }
        if (dot(n, add_scaled(p->middle, in, d)) > most + 1e-13) {
            return false;
        }
    }
    return true;
}

/* Puts b somewhere beside a, so far that they are `gap` apart along the common normal. */
static CommonNormal put_beside(double gap) {
    rig_turn_at_random(&a);
    rig_turn_at_random(&b);
    a.x = scale(3, rig_direction());
    b.x = add_scaled(a.x, 1.3, rig_direction());
    PartPair p = pair();
    const CommonNormal far = scr_common_normal(&p);
    Vec3 n = scr_out_of_frame(&a.placed, far.normal);
    b.x = add_scaled(b.x, gap - far.gap, n);
    p = pair();
    return scr_common_normal(&p);
}

static double worst_gap;

/* Whether the gap is the distance. */
static bool is_proved(const PartPair *p, const CommonNormal *c, Vec3 on_a) {
    double error =
        fmax(outside(p->a, on_a),
             outside(p->b, scr_point_to_b(p->pose, add_scaled(on_a, c->gap, c->normal))));
    worst_gap = fmax(worst_gap, error);
    double top_a = dot(c->normal, c->on_a);
    Vec3 down = scr_turn_to_b(p->pose, scale(-1, c->normal));
    return error < 1e-11 && none_is_farther(p->a, c->normal, top_a) &&
           none_is_farther(p->b, down, dot(down, scr_point_to_b(p->pose, c->on_b)));
}

static void gaps_are_proved(void) {
    int bad = 0, count = 0;
    for (int i = 0; i < SMOOTH; i++) {
        for (int j = 0; j < PARTNERS; j++) {
            for (int k = 0; k < 12; k += CHECK_STRIDE) {
                rig_any_smooth(&a, i);
                rig_any_partner(&b, j);
                const CommonNormal c = put_beside(exp(rig_between(log(1e-9), log(0.3))));
                const PartPair p = pair();
                bool ok = c.gap > 0 && is_proved(&p, &c, c.on_a);
                if (!ok && bad++ < 10) {
                    printf(
                        "kinds %d %d: gap %g, off %g %g\n", i, j, c.gap, outside(p.a, c.on_a),
                        outside(p.b, scr_point_to_b(p.pose, add_scaled(c.on_a, c.gap, c.normal))));
                }
                count++;
                rig_free(&a);
                rig_free(&b);
            }
        }
    }
    printf("%d pairs, worst %.1e\n", count, worst_gap);
    CHECK(bad == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(gaps_are_proved);
    rig_touch_free(&t);
    return check_result();
}
