/* Contact points of closed NURBS surfaces: against ellipsoids that are the same bodies, against closed forms
 * of rings, and against sampling. */
#include "narrow/common_normal.h"
#include "narrow/patch_meeting.h"
#include "narrow/patch_points.h"
#include "shape/surface_bodies.h"
#include "solid_rig.h"

static SurfaceBody net; /* large */

static void rig_surface(RigBody *body) {
    const PolyhedronDef def = {.vertices = net.part.vertices,
                               .vertex = net.vertex,
                               .kind = SCREE_PART_NURBS,
                               .form = {net.part.form[0], net.part.form[1]},
                               .weight = net.vertex_weight};
    PolyhedronFault fault = {0};
    CHECK(scr_polyhedron_build(&def, &body->part[0], &fault) == SCREE_OK);
    rig_finish(body, 1);
}

static void rig_smooth(RigBody *body, ScreePartKind kind, const Vec3 *vertex, double one,
                       double other) {
    const PolyhedronDef def = {.vertices = scr_smooth_vertices(kind),
                               .vertex = vertex,
                               .kind = kind,
                               .form = {one, other}};
    CHECK(scr_polyhedron_build(&def, &body->part[0], NULL) == SCREE_OK);
    rig_finish(body, 1);
}

static void rig_ellipsoid(RigBody *body, Vec3 h, double q, double p) {
    const Vec3 vertex[4] = {{0, 0, 0}, {h.x, 0, 0}, {0, h.y, 0}, {0, 0, h.z}};
    rig_smooth(body, SCREE_PART_ELLIPSOID, vertex, q, p);
}

static void rig_cone(RigBody *body, double r0, double r1, double h) {
    const Vec3 vertex[2] = {{0, 0, -h / 2}, {0, 0, h / 2}};
    rig_smooth(body, SCREE_PART_CONE, vertex, r0, r1);
}

static void rig_ball(RigBody *body, double r) {
    const Vec3 at = vec3(0, 0, 0);
    const PolyhedronDef def = {.vertices = 1, .vertex = &at, .rounding = r};
    CHECK(scr_polyhedron_build(&def, &body->part[0], NULL) == SCREE_OK);
    rig_finish(body, 1);
}

/* All points of two bodies; their number. */
static SolidPoints found;

static size_t points_of(const RigBody *a, const RigBody *b, double reach, RelativePose *pose) {
    *pose = scr_relative_pose(&a->placed, &b->placed, sub(b->x, a->x));
    const PartPair p = scr_part_pair(&a->part[0], &b->part[0], pose);
    const PointRules rules = {.reach = reach, .tilt = 0.01};
    const LocalParts parts = {.now = &p};
    found.count = 0;
    CHECK(scr_patch_points(&parts, &rules, &found) == SCREE_OK);
    return found.count;
}

static const SolidPoint *lowest(void) {
    const SolidPoint *best = NULL;
    for (size_t i = 0; i < found.count; i++) {
        best = best == NULL || found.item[i].gap < best->gap ? &found.item[i] : best;
    }
    return best;
}

/* Moves b along the line between the centres until the gap is that, by what the reference tells. */
static double put_at_gap(RigBody *a, RigBody *b, const RigBody *like, double gap) {
    Vec3 d = rig_direction();
    double far = 2, now = 0;
    a->x = vec3(0, 0, 0);
    for (int k = 0; k < 60; k++) {
        b->x = scale(far, d);
        const RelativePose pose = scr_relative_pose(&like->placed, &b->placed, b->x);
        const PartPair p = scr_part_pair(&like->part[0], &b->part[0], &pose);
        now = scr_common_normal(&p).gap - b->part[0].rounding;
        if (fabs(now - gap) < 1e-6) {
            break;
        }
        far -= 0.9 * (now - gap);
    }
    return now;
}

static void rig_partner(RigBody *b, int kind) {
    switch (kind) {
    case 0:
        rig_ball(b, 0.3);
        break;
    case 1:
        rig_ellipsoid(b, vec3(0.5, 0.3, 0.2), 2, 2);
        break;
    case 2:
        rig_ellipsoid(b, vec3(0.3, 0.3, 0.4), 4, 3);
        break;
    case 3:
        rig_cone(b, 0.3, 0.3, 0.5);
        break;
    case 4:
        rig_cone(b, 0.4, 0.1, 0.6);
        break;
    default:
        rig_any(b, kind - 5, kind % 2 ? 0 : 0.05);
    }
}

enum { PARTNERS = 9 };

/* A NURBS surface that is an ellipsoid has the gaps and normals of the ellipsoid. */
static void ellipsoids_meet_as_ellipsoids(void) {
    RigBody a = {0}, like = {0}, b = {0};
    int missed = 0;
    double worst = 0;
    for (int n = 0; n < 270; n += 3 * CHECK_STRIDE - 2) {
        Vec3 h = n % 3 == 0 ? vec3(0.4, 0.4, 0.4) : rig_half_lengths();
        surface_ellipsoid(&net, h.x, h.y, h.z, vec3(0, 0, 0));
        rig_surface(&a);
        rig_ellipsoid(&like, h, 2, 2);
        rig_partner(&b, n % PARTNERS);
        rig_turn_at_random(&a);
        rig_turn_at_random(&b);
        memcpy(like.placed.axis, a.placed.axis, sizeof a.placed.axis);
        double gap = put_at_gap(&a, &b, &like, n % 5 == 0 ? -0.01 : rig_between(0, 0.1));
        RelativePose pose;
        bool swapped = n % 2 == 1;
        if (!(fabs(gap) < 0.2)) {
            rig_free(&a);
            rig_free(&b);
            rig_free(&like);
            continue; /* centres that the walk has passed */
        }
        size_t count = points_of(swapped ? &b : &a, swapped ? &a : &b, 0.2, &pose);
        const SolidPoint *p = lowest();
        missed += count == 0;
        worst = p != NULL ? fmax(worst, fabs(p->gap - gap)) : worst;
        if (p == NULL || fabs(p->gap - gap) > 1e-10) {
            fprintf(stderr, "    partner %d: gap %g, found %zu: %g\n", n % PARTNERS, gap, count,
                    p != NULL ? p->gap : NAN);
        }
        rig_free(&a);
        rig_free(&b);
        rig_free(&like);
    }
    CHECK(missed == 0);
    CHECK(worst < 1e-10);
}

/* Two surfaces, against two ellipsoids. */
static void surfaces_meet_as_ellipsoids(void) {
    RigBody a = {0}, b = {0}, like_a = {0}, like_b = {0};
    for (int n = 0; n < 60; n += 3 * CHECK_STRIDE - 2) {
        Vec3 h[2];
        for (int k = 0; k < 2; k++) {
            h[k] = rig_half_lengths();
            surface_ellipsoid(&net, h[k].x, h[k].y, h[k].z, vec3(0, 0, 0));
            rig_surface(k == 0 ? &a : &b);
            rig_ellipsoid(k == 0 ? &like_a : &like_b, h[k], 2, 2);
        }
        rig_turn_at_random(&like_a);
        rig_turn_at_random(&like_b);
        double gap =
            put_at_gap(&like_a, &like_b, &like_a, n % 5 == 0 ? -0.01 : rig_between(0, 0.1));
        memcpy(a.placed.axis, like_a.placed.axis, sizeof a.placed.axis);
        memcpy(b.placed.axis, like_b.placed.axis, sizeof b.placed.axis);
        a.x = like_a.x;
        b.x = like_b.x;
        RelativePose pose;
        CHECK(points_of(&a, &b, 0.2, &pose) >= 1);
        const SolidPoint *p = lowest();
        CHECK_NEAR(p != NULL ? p->gap : NAN, gap, 1e-12);
        rig_free(&a);
        rig_free(&b);
        rig_free(&like_a);
        rig_free(&like_b);
    }
}

/* ---------------------------------------------------------------- rings
 *
 * All points within r of a circle: gaps are those of the circle, less r. */

static const double away = 0.7, thick = 0.2;

static Vec3 on_circle(const RigBody *ring, double angle) {
    Vec3 own = vec3(away * cos(angle), away * sin(angle), 0);
    return add(ring->x, scr_out_of_frame(&ring->placed, own));
}

/* The distance of a point from the circle. */
static double from_circle(const RigBody *ring, Vec3 x) {
    Vec3 own = scr_into_frame(&ring->placed, sub(x, ring->x));
    return hypot(hypot(own.x, own.y) - away, own.z);
}

static double from_box(const RigBody *box, Vec3 half, Vec3 x) {
    Vec3 own = scr_into_frame(&box->placed, sub(x, box->x));
    Vec3 out = vec3(fmax(0, fabs(own.x) - half.x), fmax(0, fabs(own.y) - half.y),
                    fmax(0, fabs(own.z) - half.z));
    return length(out);
}

typedef double (*Measure)(const RigBody *body, Vec3 half, Vec3 x);

static double measure_ring(const RigBody *ring, Vec3 unused, Vec3 x) {
    (void)unused;
    return from_circle(ring, x);
}

/* The least of a distance along the circle: from the best of many angles by the golden section. */
static double least_along(const RigBody *ring, Measure measure, const RigBody *other, Vec3 half) {
    enum { ANGLES = 3000 };
    double best = INFINITY, at = 0, step = 2 * M_PI / ANGLES, g = 0.5 * (sqrt(5) - 1);
    for (int k = 0; k < ANGLES; k++) {
        double d = measure(other, half, on_circle(ring, k * step));
        at = d < best ? k * step : at;
        best = fmin(best, d);
    }
    double low = at - step, high = at + step;
    for (int k = 0; k < 60; k++) {
        double one = high - g * (high - low), two = low + g * (high - low);
        if (measure(other, half, on_circle(ring, one)) <
            measure(other, half, on_circle(ring, two))) {
            high = two;
        } else {
            low = one;
        }
    }
    return measure(other, half, on_circle(ring, 0.5 * (low + high)));
}

static void rings_meet_balls_boxes_and_rings(void) {
    RigBody ring = {0}, other = {0};
    Vec3 half = vec3(0.3, 0.2, 0.1), unused = vec3(0, 0, 0);
    int tried[3] = {0, 0, 0};
    surface_ring(&net, away, thick, vec3(0, 0, 0));
    rig_surface(&ring);
    for (int n = 0; n < 900; n += CHECK_STRIDE) {
        int kind = n % 3;
        if (kind == 0) {
            rig_ball(&other, 0.3);
        } else if (kind == 1) {
            rig_box(&other, half.x, half.y, half.z, 0);
        } else {
            other = ring;
            other.solid.part = other.part;
            other.placed.solid = &other.solid;
        }
        rig_turn_at_random(&ring);
        rig_turn_at_random(&other);
        other.x = rig_step(0, 1.6);
        double gap = kind == 0   ? from_circle(&ring, other.x) - thick - 0.3
                     : kind == 1 ? least_along(&ring, from_box, &other, half) - thick
                                 : least_along(&ring, measure_ring, &other, unused) - 2 * thick;
        if (gap > -0.02 && gap < 0.2) {
            RelativePose pose;
            bool swapped = n % 2 == 1;
            tried[kind]++;
            points_of(swapped ? &other : &ring, swapped ? &ring : &other, 0.25, &pose);
            const SolidPoint *p = lowest();
            CHECK_NEAR(p != NULL ? p->gap : NAN, gap, 1e-9);
        }
        if (kind != 2) {
            rig_free(&other);
        }
    }
    rig_free(&ring);
    CHECK(tried[0] > 20 / CHECK_STRIDE && tried[1] > 20 / CHECK_STRIDE &&
          tried[2] > 20 / CHECK_STRIDE);
}

/* The gap and the place of each point again, from its name, are those that it has. */
static void names_tell_the_points(void) {
    RigBody a = {0}, b = {0};
    surface_ring(&net, away, thick, vec3(0, 0, 0));
    rig_surface(&a);
    for (int n = 0; n < 90; n += CHECK_STRIDE) {
        if (n % 3 == 0) {
            rig_surface(&b);
        } else {
            rig_partner(&b, n % PARTNERS);
        }
        rig_turn_at_random(&a);
        rig_turn_at_random(&b);
        b.x = rig_step(0.5, 1.2);
        RelativePose pose;
        points_of(&a, &b, 0.3, &pose);
        const PartPair p = scr_part_pair(&a.part[0], &b.part[0], &pose);
        for (size_t i = 0; i < found.count; i++) {
            const SolidPoint *at = &found.item[i];
            const FeaturePlace f = scr_place_patch(&p, scr_patch_name_of(&p, at->name), at->normal);
            CHECK_NEAR(f.gap - b.part[0].rounding, at->gap, 1e-10);
            CHECK_NEAR(length(sub(f.normal, at->normal)), 0, 1e-6);
        }
        rig_free(&b);
    }
    rig_free(&a);
}

/* A plane that touches a ball at a pole, or hardly beside it. */
static void poles_are_places_like_others(void) {
    RigBody a = {0};
    surface_ellipsoid(&net, 1, 1, 1, vec3(0, 0, 0));
    rig_surface(&a);
    const Patchwork *s = a.part[0].smooth.patchwork;
    for (double off = 1; off > 1e-17; off *= 0.3) {
        for (int k = 0; k < 16; k++) {
            double angle = k % 2 ? 0.3 + 0.4 * k : 0.25 * M_PI * k;
            Vec3 n = unit(vec3(off * cos(angle), off * sin(angle), k < 8 ? 1 : -1));
            const PatchPartner plane = {
                .kind = PARTNER_PLANE, .at = scale(1.01, n), .along = scale(-1, n)};
            int met = 0;
            double worst = 0;
            for (int32_t c = 0; c < s->cells; c++) {
                const PatchMeeting m = scr_meet_partner(s, c, &plane, -INFINITY);
                met += scr_is_in_cells(&m);
                worst = scr_is_in_cells(&m) ? fmax(worst, length(sub(m.at.x, n))) : worst;
            }
            CHECK(met > 0);
            CHECK(worst < 1e-11);
            if (met == 0 || worst >= 1e-11) {
                fprintf(stderr, "    off %g angle %g: %d, %g\n", off, angle, met, worst);
            }
        }
    }
    rig_free(&a);
}

int main(int argc, char **argv) {
    CHECK_RUN(ellipsoids_meet_as_ellipsoids);
    CHECK_RUN(surfaces_meet_as_ellipsoids);
    CHECK_RUN(rings_meet_balls_boxes_and_rings);
    CHECK_RUN(poles_are_places_like_others);
    CHECK_RUN(names_tell_the_points);
    scr_solid_points_free(&found);
    return check_result();
}
