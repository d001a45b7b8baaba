/* Closed NURBS surfaces: their points, masses and drawings, and what is none. */
#include "shape/draw_solid.h"
#include "shape/moments.h"
#include "shape/solid_build.h"
#include "surface_bodies.h"

static SurfaceBody body; /* large */

static Solid built(const SurfaceBody *s, Vec3 *centroid) {
    Solid solid = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scr_solid_build(&s->solid, &solid, centroid, message);
    CHECK(status == SCREE_OK);
    if (status != SCREE_OK) {
        fprintf(stderr, "    %s\n", message);
    }
    return solid;
}

/* Exact but for rounding: 4 pi/3 a b c, and (b^2 + c^2)/5. */
static void ellipsoids_have_their_moments(void) {
    const double form[][3] = {{1, 1, 1}, {0.5, 0.4, 0.3}, {0.2, 1, 0.6}, {3e-4, 3e-4, 6e-4}};
    for (size_t k = 0; k < sizeof form / sizeof form[0]; k += CHECK_STRIDE) {
        double a = form[k][0], b = form[k][1], c = form[k][2], big = fmax(a, fmax(b, c));
        Vec3 at = vec3(2 * a, -b, 0.5 * c), centroid;
        surface_ellipsoid(&body, a, b, c, at);
        Solid s = built(&body, &centroid);
        CHECK(s.parts == 1 && scr_is_patchwork(&s.part[0]));
        CHECK_CLOSE(s.volume, 4 * M_PI / 3 * a * b * c, 2e-14);
        CHECK_NEAR(length(sub(centroid, at)), 0, 1e-14 * big);
        CHECK_CLOSE(s.gyration.x, (b * b + c * c) / 5, 1e-13);
        CHECK_CLOSE(s.gyration.y, (a * a + c * c) / 5, 1e-13);
        CHECK_CLOSE(s.gyration.z, (a * a + b * b) / 5, 1e-13);
        CHECK_CLOSE(s.radius, big, 1e-9);
        scr_solid_free(&s);
    }
}

/* Pappus: 2 pi^2 R r^2; about the axis R^2 + 3/4 r^2, across it R^2/2 + 5/8 r^2. */
static void rings_have_their_moments(void) {
    const double away = 0.7, r = 0.2;
    Vec3 centroid;
    surface_ring(&body, away, r, vec3(0.1, 0.2, 0.3));
    Solid s = built(&body, &centroid);
    CHECK_CLOSE(s.volume, 2 * M_PI * M_PI * away * r * r, 2e-14);
    CHECK_CLOSE(s.gyration.z, away * away + 0.75 * r * r, 1e-13);
    CHECK_CLOSE(s.gyration.x, 0.5 * away * away + 0.625 * r * r, 1e-13);
    CHECK_CLOSE(s.radius, away + r, 1e-12);
    scr_solid_free(&s);
}

/* Points of the ball and normals, at poles as well: x = n. */
static void points_of_a_ball_lie_on_it(void) {
    Vec3 centroid;
    surface_ellipsoid(&body, 1, 1, 1, vec3(0, 0, 0));
    Solid s = built(&body, &centroid);
    const Patchwork *p = s.part[0].smooth.patchwork;
    for (int32_t k = 0; k < p->patches; k++) {
        const PatchNet net = scr_patch_net(p, k);
        for (int i = 0; i <= 20; i++) {
            for (int j = 0; j <= 20; j++) {
                double u = i / 20.0, v = j == 1 ? 1e-9 : j / 20.0;
                const PatchAt at = scr_patch_at(&net, u, v);
                CHECK_NEAR(length(at.x), 1, 1e-15);
                CHECK_NEAR(length(sub(at.normal, at.x)), 0, 2e-15);
                const Vec3 one = perpendicular(at.normal), across[2] = {one, cross(at.normal, one)};
                double w[3];
                scr_patch_curvature(&at, across, w);
                /* nearer to a pole than 1e-3 it is that at 1e-3 */
                double off = hypot(at.x.x, at.x.y) < 2e-3 ? 2e-3 : 1e-12;
                CHECK_NEAR(w[0], 1, off);
                CHECK_NEAR(w[1], 0, off);
                CHECK_NEAR(w[2], 1, off);
            }
        }
    }
    for (int k = 0; k < 200; k++) {
        Vec3 d = vec3(cos(k), sin(1.7 * k), cos(2.3 * k + 1));
        CHECK_NEAR(length(sub(scr_patchwork_support(p, d), unit(d))), 0, 1e-13);
    }
    scr_solid_free(&s);
}

/* Derivatives against differences, on a surface without symmetry, with weights. */
static void tangents_and_curvatures_are_derivatives(void) {
    Vec3 centroid;
    surface_sausage(&body, 8, 6, 0.2);
    Solid s = built(&body, &centroid);
    const Patchwork *p = s.part[0].smooth.patchwork;
    const double h = 1e-5;
    for (int32_t k = 0; k < p->patches; k++) {
        const PatchNet net = scr_patch_net(p, k);
        const PatchAt at = scr_patch_at(&net, 0.37, 0.81);
        const Vec3 one = perpendicular(at.normal), across[2] = {one, cross(at.normal, one)};
        double w[3], du, dv;
        scr_patch_curvature(&at, across, w);
        for (int i = 0; i < 2; i++) {
            scr_patch_step(&at, scale(h, across[i]), &du, &dv);
            const PatchAt on = scr_patch_at(&net, at.u + du, at.v + dv),
                          back = scr_patch_at(&net, at.u - du, at.v - dv);
            Vec3 moved = scale(0.5 / h, sub(on.x, back.x)),
                 turned = scale(0.5 / h, sub(on.normal, back.normal));
            CHECK_NEAR(length(sub(moved, across[i])), 0, 1e-7);
            CHECK_NEAR(dot(turned, across[i]), i == 0 ? w[0] : w[2], 1e-5);
            CHECK_NEAR(dot(turned, across[1 - i]), w[1], 1e-5);
        }
    }
    scr_solid_free(&s);
}

/* Knots put in twice, or thrice, change nothing: the midpoint of each interval by Boehm's rule is what
 * cutting does, so here the same surface is told with other knots: scaled and shifted. */
static void knots_may_be_scaled(void) {
    Vec3 one, other;
    surface_sausage(&body, 8, 6, 0.2);
    Solid a = built(&body, &one);
    for (int k = 0; k < 2 * SURFACE_MOST; k++) {
        body.knot[0][k] = 0.125 * body.knot[0][k] - 3;
        body.knot[1][k] = 4 * body.knot[1][k] + 1;
    }
    surface_cut(&body);
    Solid b = built(&body, &other);
    CHECK_CLOSE(a.volume, b.volume, 1e-13);
    CHECK_NEAR(length(sub(one, other)), 0, 1e-13);
    CHECK_NEAR(length(sub(a.gyration, b.gyration)), 0, 1e-13);
    scr_solid_free(&a);
    scr_solid_free(&b);
}

/* The sausage by its drawing, whose error falls with the square of the width of its triangles: cells are
 * halved by Richardson's rule, 4/3 of the finer less 1/3 of the coarser. */
static double drawn_volume(const Patchwork *p, int lines) {
    double sum = 0;
    for (int32_t k = 0; k < p->patches; k++) {
        const PatchNet net = scr_patch_net(p, k);
        for (int i = 0; i < lines * lines; i++) {
            double u = (double)(i / lines) / lines, v = (double)(i % lines) / lines,
                   d = 1.0 / lines;
            Vec3 a = scr_patch_point(&net, u, v).x, b = scr_patch_point(&net, u + d, v).x,
                 c = scr_patch_point(&net, u + d, v + d).x, e = scr_patch_point(&net, u, v + d).x;
            sum += (dot(a, cross(b, c)) + dot(a, cross(c, e))) / 6;
        }
    }
    return sum;
}

static void volumes_are_those_of_drawings(void) {
    Vec3 centroid;
    surface_sausage(&body, 8, 6, 0.2);
    Solid s = built(&body, &centroid);
    const Patchwork *p = s.part[0].smooth.patchwork;
    double coarse = drawn_volume(p, 8), middle = drawn_volume(p, 16), fine = drawn_volume(p, 32);
    double one = (4 * middle - coarse) / 3, two = (4 * fine - middle) / 3;
    CHECK_CLOSE((16 * two - one) / 15, s.volume, 1e-8);
    SolidDrawing d = {0};
    double volume = 0;
    CHECK(scr_draw_polyhedron(&s.part[0], &d));
    for (size_t i = 0; i < d.triangles; i++) {
        const int32_t *t = &d.triangle[3 * i];
        volume += dot(d.point[t[0]], cross(d.point[t[1]], d.point[t[2]])) / 6;
    }
    CHECK_CLOSE(volume, s.volume, 0.02);
    scr_solid_drawing_free(&d);
    scr_solid_free(&s);
}

/* Of degree 1 it is the polyhedron. */
static void a_box_of_degree_1_is_a_box(void) {
    Vec3 centroid;
    surface_box(&body, 1, 2, 3, vec3(1, 1, 1));
    Solid s = built(&body, &centroid);
    CHECK(s.parts == 1 && !scr_is_smooth(&s.part[0]) && s.part[0].convex);
    CHECK(s.part[0].vertices == 8 && s.part[0].faces == 6 && s.part[0].edges == 12);
    CHECK_CLOSE(s.volume, 6.0, 1e-15);
    scr_solid_free(&s);
}

/* ---------------------------------------------------------------- refusals */

static void refuse_solid(const char *words) {
    Solid solid;
    Vec3 centroid;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scr_solid_build(&body.solid, &solid, &centroid, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, words) != NULL);
    if (strstr(message, words) == NULL) {
        fprintf(stderr, "    %s\n", message);
    }
}

static void refuse_surface(const char *words) {
    char message[SCREE_MESSAGE_SIZE] = "";
    size_t vertices = SURFACE_VERTICES;
    CHECK(scree_solid_cut_nurbs(&body.def, body.vertex, body.vertex_weight, &vertices, message) ==
          SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, words) != NULL);
    if (strstr(message, words) == NULL) {
        fprintf(stderr, "    %s\n", message);
    }
}

static void what_is_no_surface_is_refused(void) {
    surface_ring(&body, 1, 0.3, vec3(0, 0, 0));
    body.weight[7] = 0;
    refuse_surface("weight 7: a weight is from 1e-6");
    body.weight[7] = 1;
    body.point[11].y = NAN;
    refuse_surface("point 11: its coordinates are not finite");
    body.point[11].y = 0;
    body.knot[1][4] = 0.5;
    refuse_surface("knot v 4: is below the one before it");
    body.knot[1][4] = 1;
    body.knot[0][5] = 1;
    refuse_surface("knot u 5: stands there more often");
    body.knot[0][5] = 2;
    body.def.degree[0] = 8;
    refuse_surface("from 1 to 7, not 8");
    body.def.degree[0] = 2;
    body.def.points[1] = 2;
    refuse_surface("from 3 to");
}

static void what_encloses_no_body_is_refused(void) {
    surface_ellipsoid(&body, 1, 1, 1, vec3(0, 0, 0));
    body.part.vertices -= 9; /* a patch is missing */
    refuse_solid("the surface is open");
    surface_turned(&body, 1, 0.3, 0, 3, vec3(1, 1, 1), vec3(0, 0, 0));
    refuse_solid("side v = 0: the surface is open");
    surface_turned(&body, 0, 1, -1, 2, vec3(1, 1, -1), vec3(0, 0, 0));
    refuse_solid("its volume is negative");
    surface_ring(&body, 0.2, 0.3, vec3(0, 0, 0)); /* a spindle */
    refuse_solid("part 0");
    surface_ellipsoid(&body, 1, 1, 0, vec3(0, 0, 0));
    refuse_solid("part 0");
    surface_turned(&body, 0.5, 1, -1, 2, vec3(1, 1, 1), vec3(0, 0, 0));
    refuse_solid("is open");
    surface_ellipsoid(&body, 1, 1, 1, vec3(0, 0, 0));
    body.part.rounding = 0.1;
    refuse_solid("no rounding");
    surface_ellipsoid(&body, 1, 1, 1, vec3(0, 0, 0));
    body.vertex_weight[13] = -1;
    refuse_solid("patch 1, control point 4: a weight is from");
}

/* A drop with a tip, and a lens with an edge. */
static void edges_and_tips_are_refused(void) {
    surface_ellipsoid(&body, 1, 1, 1, vec3(0, 0, 0));
    for (int k = 0; k < 72; k++) { /* the upper pole is pulled up */
        Vec3 *x = &body.vertex[k];
        x->z += length(vec3(x->x, x->y, 0)) < 1e-12 && x->z > 0 ? 1 : 0;
    }
    refuse_solid("tip");
    surface_ellipsoid(&body, 1, 1, 1, vec3(0, 0, 0));
    for (int k = 0; k < 72; k++) { /* above the equator it goes inwards at once */
        Vec3 *x = &body.vertex[k];
        bool above = k % 3 == 1 && x->z > 0;
        *x = above ? vec3(0.8 * x->x, 0.8 * x->y, x->z) : *x;
    }
    refuse_solid("v = 1: the surface has an edge");
}

int main(int argc, char **argv) {
    CHECK_RUN(ellipsoids_have_their_moments);
    CHECK_RUN(rings_have_their_moments);
    CHECK_RUN(points_of_a_ball_lie_on_it);
    CHECK_RUN(tangents_and_curvatures_are_derivatives);
    CHECK_RUN(knots_may_be_scaled);
    CHECK_RUN(volumes_are_those_of_drawings);
    CHECK_RUN(a_box_of_degree_1_is_a_box);
    CHECK_RUN(what_is_no_surface_is_refused);
    CHECK_RUN(what_encloses_no_body_is_refused);
    CHECK_RUN(edges_and_tips_are_refused);
    return check_result();
}
