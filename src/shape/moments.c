#include "shape/moments.h"

static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------- sums */

static void add_symmetric(Sym3 *to, double s, Sym3 a) {
    *to = (Sym3){to->xx + s * a.xx, to->xy + s * a.xy, to->xz + s * a.xz,
                 to->yy + s * a.yy, to->yz + s * a.yz, to->zz + s * a.zz};
}

/* s (a b^T + b a^T) */
static Sym3 mixed(double s, Vec3 a, Vec3 b) {
    return (Sym3){2 * s * a.x * b.x, s * (a.x * b.y + a.y * b.x), s * (a.x * b.z + a.z * b.x),
                  2 * s * a.y * b.y, s * (a.y * b.z + a.z * b.y), 2 * s * a.z * b.z};
}

/* The mean of x x^T over a simplex of n + 1 corners (some at the origin) is
 * (sum of c c^T + s s^T) / ((n + 1) (n + 2)), where s is the sum of the corners c. */
static Sym3 squares(Vec3 a, Vec3 b, Vec3 c) {
    Sym3 sum = sym3_dyad(1, add(add(a, b), c));
    add_symmetric(&sum, 1, sym3_dyad(1, a));
    add_symmetric(&sum, 1, sym3_dyad(1, b));
    add_symmetric(&sum, 1, sym3_dyad(1, c));
    return sum;
}

void scr_moments_add_tetrahedron(Moments *sum, Vec3 a, Vec3 b, Vec3 c) {
    double volume = dot(a, cross(b, c)) / 6;
    sum->volume += volume;
    sum->first = add_scaled(sum->first, volume / 4, add(add(a, b), c));
    add_symmetric(&sum->second, volume / 20, squares(a, b, c));
}

/* ---------------------------------------------------------------- faces */

/* The same integrals over the area of a face. */
static Moments moments_of_face(const Polyhedron *p, const PolyhedronFace *face) {
    Moments sum = {0};
    const int32_t *loop = p->loop_vertex + face->first;
    Vec3 a = scr_vertex(p, loop[0]);
    for (int32_t k = 1; k + 1 < face->count; k++) {
        Vec3 b = scr_vertex(p, loop[k]), c = scr_vertex(p, loop[k + 1]);
        double area = dot(face->normal, cross(sub(b, a), sub(c, a))) / 2;
        sum.volume += area;
        sum.first = add_scaled(sum.first, area / 3, add(add(a, b), c));
        add_symmetric(&sum.second, area / 12, squares(a, b, c));
    }
    return sum;
}

/* The prism between a face and its place on the rounded surface: x + t n, t from 0 to r. */
static void add_prism(Moments *sum, const Polyhedron *p, const PolyhedronFace *face) {
    const double r = p->rounding;
    const Vec3 n = face->normal;
    Moments m = moments_of_face(p, face);
    sum->volume += r * m.volume;
    sum->first = add(sum->first, add_scaled(scale(r, m.first), r * r / 2 * m.volume, n));
    add_symmetric(&sum->second, r, m.second);
    add_symmetric(&sum->second, 1, mixed(r * r / 2, m.first, n));
    add_symmetric(&sum->second, r * r * r / 3 * m.volume, sym3_dyad(1, n));
}

/* ---------------------------------------------------------------- edges */

/* Half the angle between the outward normals of the two faces of an edge, and its bisector. */
static double half_bend(const Polyhedron *p, const PolyhedronEdge *e, Vec3 *middle) {
    if (e->face[0] < 0) {
        *middle = perpendicular(e->along);
        return pi;
    }
    Vec3 one = p->face[e->face[0]].normal, other = p->face[e->face[1]].normal;
    Vec3 inward = add(e->inward[0], e->inward[1]);
    *middle = unit(sub(add(one, other), inward)); /* both terms lie along it; one may be zero */
    return scr_atan2(length(sub(one, other)), length(add(one, other)));
}

/* The sector of a cylinder between the prisms of two faces: x + y with x on the edge and y in a
 * sector of the half angle h about the unit vector m, whose integrals of 1, y, y y^T are
 *
 *     r^2 h,  (2/3) r^3 sin h m,  (r^4/4) ((h + sin h cos h) m m^T + (h - sin h cos h) t t^T),
 *
 * where t is perpendicular to m and to the edge. */
static void add_sector(Moments *sum, const Polyhedron *p, const PolyhedronEdge *e) {
    const double r = p->rounding, l = e->length;
    Vec3 m, centre = scale(0.5, add(scr_vertex(p, e->vertex[0]), scr_vertex(p, e->vertex[1])));
    double h = half_bend(p, e, &m), sine = scr_sin(h), cosine = scr_cos(h);
    double area = r * r * h;
    Vec3 t = cross(e->along, m), first = scale(2.0 / 3 * r * r * r * (h < pi ? sine : 0), m);
    sum->volume += l * area;
    sum->first = add(sum->first, add_scaled(scale(l * area, centre), l, first));
    add_symmetric(&sum->second, l * area, sym3_dyad(1, centre));
    add_symmetric(&sum->second, l * area * l * l / 12, sym3_dyad(1, e->along));
    add_symmetric(&sum->second, l, mixed(1, centre, first));
    double quarter = l * r * r * r * r / 4;
    add_symmetric(&sum->second, quarter * (h + sine * cosine), sym3_dyad(1, m));
    add_symmetric(&sum->second, quarter * (h - sine * cosine), sym3_dyad(1, t));
}

/* ---------------------------------------------------------------- vertices */

/* The angle of a face at the corner k of its loop. */
static double corner_angle(const Polyhedron *p, const PolyhedronFace *face, int32_t k) {
    const int32_t *loop = p->loop_vertex + face->first;
    Vec3 at = scr_vertex(p, loop[k]);
    Vec3 to = sub(scr_vertex(p, loop[(k + 1) % face->count]), at);
    Vec3 from = sub(scr_vertex(p, loop[(k + face->count - 1) % face->count]), at);
    return scr_atan2(length(cross(to, from)), dot(to, from));
}

/* Sectors of balls about the vertices. The directions d of one are the normals of planes that touch
 * the body at the vertex v alone. Their solid angle is what the angles of the faces there lack from
 * a full turn (Gauss and Bonnet); the integral of d is half the sum over edges of their bends times
 * the direction into the vertex. Of d d^T only the sum over all vertices is wanted: that of the
 * whole sphere. */
static void add_vertices(Moments *sum, const Polyhedron *p) {
    const double r = p->rounding, ball = 4.0 / 3 * pi * r * r * r, fourth = r * r * r * r / 4;
    for (int32_t e = 0; e < p->edges; e++) {
        Vec3 m, a = scr_vertex(p, p->edge[e].vertex[0]), b = scr_vertex(p, p->edge[e].vertex[1]);
        Vec3 d = scale(half_bend(p, &p->edge[e], &m), p->edge[e].along); /* at the second vertex */
        add_symmetric(&sum->second, fourth, mixed(1, sub(b, a), d));
    } /* the integrals of d themselves add up to nothing */
    for (int32_t v = 0; v < p->vertices; v++) {
        double share = p->vertices == 1 ? ball : ball / 2;
        Vec3 at = scr_vertex(p, v);
        sum->volume += share;
        sum->first = add_scaled(sum->first, share, at);
        add_symmetric(&sum->second, share, sym3_dyad(1, at));
    }
    for (int32_t f = 0; f < p->faces; f++) {
        for (int32_t k = 0; k < p->face[f].count; k++) {
            double share = -r * r * r / 3 * corner_angle(p, &p->face[f], k);
            Vec3 at = scr_vertex(p, p->loop_vertex[p->face[f].first + k]);
            sum->volume += share;
            sum->first = add_scaled(sum->first, share, at);
            add_symmetric(&sum->second, share, sym3_dyad(1, at));
        }
    }
    add_symmetric(&sum->second, ball * r * r / 5, sym3_diagonal(1, 1, 1));
}

/* ---------------------------------------------------------------- the whole */

void scr_moments_add_round(Moments *sum, Vec3 centre, Vec3 u, double volume, double along,
                           double square, double across) {
    Moments m = {.volume = volume, .first = add_scaled(scale(volume, centre), along, u)};
    Sym3 cc = sym3_dyad(volume, centre), uu = sym3_dyad(square - across, u);
    Vec3 c = centre;
    m.second = (Sym3){cc.xx + uu.xx + across + 2 * along * c.x * u.x,
                      cc.xy + uu.xy + along * (c.x * u.y + c.y * u.x),
                      cc.xz + uu.xz + along * (c.x * u.z + c.z * u.x),
                      cc.yy + uu.yy + across + 2 * along * c.y * u.y,
                      cc.yz + uu.yz + along * (c.y * u.z + c.z * u.y),
                      cc.zz + uu.zz + across + 2 * along * c.z * u.z};
    scr_moments_add(sum, 1, &m);
}

Moments scr_polyhedron_moments(const Polyhedron *p) {
    if (scr_is_smooth(p)) {
        return scr_smooth_moments(&p->smooth, p->rounding);
    }
    Moments sum = {0};
    for (int32_t f = 0; f < p->faces; f++) {
        const int32_t *loop = p->loop_vertex + p->face[f].first;
        Vec3 a = scr_vertex(p, loop[0]);
        for (int32_t k = 1; k + 1 < p->face[f].count; k++) {
            scr_moments_add_tetrahedron(&sum, a, scr_vertex(p, loop[k]),
                                        scr_vertex(p, loop[k + 1]));
        }
    }
    if (p->rounding > 0) {
        for (int32_t f = 0; f < p->faces; f++) {
            add_prism(&sum, p, &p->face[f]);
        }
        for (int32_t e = 0; e < p->edges; e++) {
            add_sector(&sum, p, &p->edge[e]);
        }
        add_vertices(&sum, p);
    }
    return sum;
}

/* ---------------------------------------------------------------- principal axes */

typedef struct Turning {
    double a[3][3];
    Quat axes;
} Turning;

/* A rotation in the plane of the axes i and j, by at most an eighth of a turn, that makes a_ij
 * zero (Jacobi). */
static void turn(Turning *t, int i, int j) {
    int k = 3 - i - j;
    double slope = (t->a[j][j] - t->a[i][i]) / (2 * t->a[i][j]);
    double tangent = (slope >= 0 ? 1 : -1) / (fabs(slope) + sqrt(1 + slope * slope));
    double c = 1 / sqrt(1 + tangent * tangent), s = c * tangent;
    double shift = tangent * t->a[i][j], ik = t->a[i][k], jk = t->a[j][k];
    t->a[i][i] -= shift;
    t->a[j][j] += shift;
    t->a[i][j] = t->a[j][i] = 0;
    t->a[i][k] = t->a[k][i] = c * ik - s * jk;
    t->a[j][k] = t->a[k][j] = s * ik + c * jk;
    /* The new axis i is c e_i - s e_j: a rotation about the third axis, by minus the angle if
     * i, j, k run as x, y, z do. Half of it: the larger root of (1 + c) / 2. */
    double half = sqrt((1 + c) / 2), sign = (j - i + 3) % 3 == 1 ? -1 : 1;
    double part[3] = {0, 0, 0};
    part[k] = sign * s / (2 * half);
    t->axes = quat_multiply(t->axes, (Quat){half, part[0], part[1], part[2]});
}

void scr_principal_axes(const Moments *m, Vec3 *gyration, Quat *axes) {
    Vec3 c = scale(1 / m->volume, m->first);
    Sym3 s = sym3_scale(1 / m->volume, m->second);
    add_symmetric(&s, -1, sym3_dyad(1, c));
    Turning t = {
        {{s.yy + s.zz, -s.xy, -s.xz}, {-s.xy, s.xx + s.zz, -s.yz}, {-s.xz, -s.yz, s.xx + s.yy}},
        {1, 0, 0, 0}};
    double nothing = 2e-14 * (s.xx + s.yy + s.zz);
    for (int round = 0; round < 60; round++) {
        int i = fabs(t.a[0][1]) >= fabs(t.a[0][2]) ? 1 : 2, j = 0;
        if (fabs(t.a[1][2]) > fabs(t.a[0][i])) {
            j = 3 - i;
        }
        if (fabs(t.a[i][j]) <= nothing) {
            break;
        }
        turn(&t, i < j ? i : j, i < j ? j : i);
    }
    *gyration = vec3(t.a[0][0], t.a[1][1], t.a[2][2]);
    *axes = quat_normalise(t.axes);
}

const char *scr_inertia_fault(Vec3 j) {
    double most = scr_max(j.x, scr_max(j.y, j.z));
    if (!(is_finite(j) && j.x > 0 && j.y > 0 && j.z > 0)) {
        return "principal moments of inertia must be finite and greater than 0";
    }
    return 2 * most > (j.x + j.y + j.z) * (1 + 1e-12)
               ? "no body has these moments of inertia: one is greater than the other two together"
               : NULL;
}
