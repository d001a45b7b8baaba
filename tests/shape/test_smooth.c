/* Masses and drawings of smooth parts. */
#include "check.h"
#include "shape/draw_solid.h"
#include "shape/moments.h"
#include "shape/solid_build.h"

#include <string.h>

static Polyhedron made(ScreePartKind kind, const Vec3 *vertex, double one, double other,
                       double rounding) {
    const PolyhedronDef def = {.vertices = scr_smooth_vertices(kind),
                               .vertex = vertex,
                               .rounding = rounding,
                               .kind = kind,
                               .form = {one, other}};
    Polyhedron p = {0};
    CHECK(scr_polyhedron_build(&def, &p, NULL) == SCREE_OK);
    return p;
}

static Polyhedron ellipsoid(double a, double b, double c, double q, double p) {
    const Vec3 vertex[4] = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
    return made(SCREE_PART_ELLIPSOID, vertex, q, p, 0);
}

static Polyhedron cone(double r0, double r1, double h, double rounding) {
    const Vec3 vertex[2] = {{0, 0, 0}, {0, 0, h}};
    return made(SCREE_PART_CONE, vertex, r0, r1, rounding);
}

static void ellipsoids_have_their_moments(void) {
    Polyhedron p = ellipsoid(0.5, 0.4, 0.3, 2, 2);
    const Moments m = scr_polyhedron_moments(&p);
    double volume = 4 * M_PI / 3 * 0.5 * 0.4 * 0.3;
    CHECK_CLOSE(m.volume, volume, 1e-15);
    CHECK_CLOSE(m.second.xx, volume * 0.25 / 5, 1e-14);
    CHECK_CLOSE(m.second.yy, volume * 0.16 / 5, 1e-14);
    CHECK_CLOSE(m.second.zz, volume * 0.09 / 5, 1e-14);
    scr_polyhedron_free(&p);
}

/* The midpoint rule in x = sin(u), y = ... would need the formula that is tested: so the body is cut
 * into slices along z, and these into strips, by Simpson's rule in variables that make ends smooth. */
static double strip_sum(double s, double p,
                        double power) { /* integral of x^power over |x|^p+|y|^p<s^p */
    const int n = 4000;
    double sum = 0;
    for (int k = 0; k <= n; k++) {
        double t = (double)k / n, x = s * (1 - (1 - t) * (1 - t) * (1 - t) * (1 - t));
        double slope = 4 * s * (1 - t) * (1 - t) * (1 - t);
        double y = pow(fmax(pow(s, p) - pow(x, p), 0), 1 / p);
        sum += (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * pow(x, power) * y * slope;
    }
    return 4 * sum / (3 * n);
}

static void superellipsoids_have_their_moments(void) {
    const double q = 5, p = 3;
    const int n = 4000;
    double area = strip_sum(1, p, 0), square = strip_sum(1, p, 2), volume = 0, along = 0,
           across = 0;
    for (int k = 0; k <= n; k++) {
        double t = (double)k / n, z = 1 - (1 - t) * (1 - t) * (1 - t) * (1 - t);
        double weight = (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * 4 * (1 - t) * (1 - t) * (1 - t);
        double s = pow(fmax(1 - pow(z, q), 0), 1 / q);
        volume += weight * s * s;
        along += weight * s * s * z * z;
        across += weight * s * s * s * s;
    }
    Polyhedron body = ellipsoid(0.5, 0.4, 0.3, q, p);
    const Moments m = scr_polyhedron_moments(&body);
    double stretch = 0.5 * 0.4 * 0.3 * 2 / (3 * n);
    CHECK_CLOSE(m.volume, stretch * area * volume, 1e-8);
    CHECK_CLOSE(m.second.zz, 0.09 * stretch * area * along, 1e-8);
    CHECK_CLOSE(m.second.xx, 0.25 * stretch * square * across, 1e-8);
    CHECK_CLOSE(m.second.yy, 0.16 * stretch * square * across, 1e-8);
    scr_polyhedron_free(&body);
}

static void cylinders_and_cones_have_their_moments(void) {
    Polyhedron p = cone(0.3, 0.3, 0.8, 0);
    Moments m = scr_polyhedron_moments(&p);
    double volume = M_PI * 0.09 * 0.8;
    CHECK_CLOSE(m.volume, volume, 1e-14);
    CHECK_CLOSE(m.first.z, 0.4 * volume, 1e-14);
    CHECK_CLOSE(m.second.xx, volume * 0.09 / 4, 1e-14);
    CHECK_CLOSE(m.second.zz, volume * 0.64 / 3, 1e-14);
    scr_polyhedron_free(&p);
    p = cone(0.3, 0, 0.8, 0);
    m = scr_polyhedron_moments(&p);
    CHECK_CLOSE(m.volume, volume / 3, 1e-14);
    CHECK_CLOSE(m.first.z, volume / 3 * 0.8 / 4, 1e-14);
    CHECK_CLOSE(m.second.xx, volume / 3 * 3 * 0.09 / 20, 1e-14);
    CHECK_CLOSE(m.second.zz, volume / 3 * 0.64 / 10, 1e-14);
    scr_polyhedron_free(&p);
    /* Steiner: V + S r + M r^2 + 4/3 pi r^3, with M = pi h + pi^2 R for a cylinder */
    p = cone(0.3, 0.3, 0.8, 0.1);
    m = scr_polyhedron_moments(&p);
    double surface = 2 * M_PI * 0.09 + 2 * M_PI * 0.3 * 0.8, bend = M_PI * 0.8 + M_PI * M_PI * 0.3;
    CHECK_CLOSE(m.volume, volume + surface * 0.1 + bend * 0.01 + 4 * M_PI / 3 * 0.001, 1e-14);
    CHECK_CLOSE(m.first.z, 0.4 * m.volume, 1e-14);
    scr_polyhedron_free(&p);
}

/* The triangles enclose nearly the volume, outside out; all but the poles of an ellipsoid are seen. */
static void drawings_enclose_their_bodies(void) {
    Polyhedron body[] = {ellipsoid(0.5, 0.4, 0.3, 2, 2), ellipsoid(0.5, 0.4, 0.3, 6, 4),
                         cone(0.3, 0.3, 0.8, 0), cone(0.3, 0, 0.8, 0), cone(0.3, 0.1, 0.5, 0.05)};
    for (size_t k = 0; k < sizeof body / sizeof body[0]; k++) {
        SolidDrawing d = {0};
        double volume = 0;
        CHECK(scr_draw_polyhedron(&body[k], &d));
        for (size_t i = 0; i < d.triangles; i++) {
            const int32_t *t = &d.triangle[3 * i];
            volume += dot(d.point[t[0]], cross(d.point[t[1]], d.point[t[2]])) / 6;
        }
        double whole = scr_polyhedron_moments(&body[k]).volume;
        CHECK(volume < whole && volume > 0.95 * whole);
        scr_solid_drawing_free(&d);
        scr_polyhedron_free(&body[k]);
    }
}

static void refuse(ScreePartKind kind, size_t vertices, double one, double other, double rounding,
                   double skew, const char *words) {
    const Vec3 vertex[4] = {{0, 0, 0}, {1, 0, 0}, {skew, 1, 0}, {0, 0, 1}};
    const ScreeSolidPart part = {
        .vertices = vertices, .rounding = rounding, .kind = kind, .form = {one, other}};
    const ScreeSolidDef def = {&part, 1, vertex, NULL, NULL};
    Solid solid;
    Vec3 centroid;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scr_solid_build(&def, &solid, &centroid, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, words) != NULL);
}

static void what_is_no_smooth_part_is_refused(void) {
    refuse(SCREE_PART_ELLIPSOID, 3, 2, 2, 0, 0, "needs 4 vertices");
    refuse(SCREE_PART_ELLIPSOID, 4, 1.5, 2, 0, 0, "between 2 and 32");
    refuse(SCREE_PART_ELLIPSOID, 4, 2, NAN, 0, 0, "between 2 and 32");
    refuse(SCREE_PART_ELLIPSOID, 4, 2, 2, 0.1, 0, "no rounding");
    refuse(SCREE_PART_ELLIPSOID, 4, 2, 2, 0, 0.1, "right angles");
    refuse(SCREE_PART_CONE, 2, -1, 1, 0, 0, "0 or more");
    refuse(SCREE_PART_CONE, 2, 0, 0, 0.1, 0, "not both 0");
    refuse((ScreePartKind)7, 2, 1, 1, 0, 0, "no kind");
}

int main(int argc, char **argv) {
    CHECK_RUN(ellipsoids_have_their_moments);
    CHECK_RUN(superellipsoids_have_their_moments);
    CHECK_RUN(cylinders_and_cones_have_their_moments);
    CHECK_RUN(drawings_enclose_their_bodies);
    CHECK_RUN(what_is_no_smooth_part_is_refused);
    return check_result();
}
