/* Area, centroid, inertia and reach of closed curves. */
#include "math/gauss.h"
#include "shape/nurbs.h"

enum { CUTS = 4 };

typedef struct Moments {
    double area, polar;
    Vec3 first;
} Moments;

/* By Green's theorem, with c = (x, y) from the origin and c x c' = x y' - y x',
 *
 *     area = 1/2 int c x c' dt,  first moment = 1/3 int c (c x c') dt,
 *     polar moment = 1/4 int |c|^2 (c x c') dt. */
static void add_point(Moments *m, const NurbsAt *at, Vec3 origin, double weight) {
    Vec3 c = vec3(at->x - origin.x, at->y - origin.y, 0);
    double twice = weight * (c.x * at->dy - c.y * at->dx);
    m->area += twice / 2;
    m->first = add_scaled(m->first, twice / 3, c);
    m->polar += twice / 4 * dot(c, c);
}

static Moments moments(const Nurbs *n, Vec3 origin) {
    Moments m = {0};
    const double half = 0.5 / CUTS;
    for (int32_t k = 0; k < n->pieces; k++) {
        for (int cut = 0; cut < CUTS; cut++) {
            double middle = (2 * cut + 1) * half;
            for (int i = 0; i < GAUSS_POINTS; i++) {
                NurbsAt at = scr_nurbs_at(n, k, middle + half * scr_gauss_point(i));
                add_point(&m, &at, origin, half * scr_gauss_weight(i));
            }
        }
    }
    return m;
}

static double distance_at(const Nurbs *n, int32_t piece, double t, Vec3 from, double *along) {
    NurbsAt at = scr_nurbs_at(n, piece, t);
    double x = at.x - from.x, y = at.y - from.y;
    *along = x * at.dx + y * at.dy;
    return sqrt(x * x + y * y);
}

/* The largest distance from a point. Pieces are cut into many; where the distance has a maximum
 * between two cuts, it is found by bisection. */
static double farthest(const Nurbs *n, Vec3 from) {
    enum { FINE = 32 };
    double most = 0;
    for (int32_t k = 0; k < n->pieces; k++) {
        double before, after;
        most = scr_max(most, distance_at(n, k, 0, from, &before));
        for (int cut = 1; cut <= FINE; cut++) {
            double low = (cut - 1.0) / FINE, high = (double)cut / FINE, along;
            most = scr_max(most, distance_at(n, k, high, from, &after));
            for (int i = 0; i < 48 && before > 0 && after < 0; i++) {
                double middle = 0.5 * (low + high);
                most = scr_max(most, distance_at(n, k, middle, from, &along));
                *(along > 0 ? &low : &high) = middle;
            }
            before = after;
        }
    }
    return most;
}

NurbsMeasures scr_nurbs_measure(const Nurbs *n) {
    const double *b = n->piece[0].b[0];
    Vec3 origin = vec3(b[0] / b[2], b[1] / b[2], 0);
    /* the second pass, about the centre just found, removes the cancellation of the first */
    for (int i = 0; i < 2; i++) {
        Moments m = moments(n, origin);
        origin = add(origin, scale(1 / m.area, m.first));
    }
    Moments m = moments(n, origin);
    return (NurbsMeasures){m.area, m.polar / m.area, farthest(n, origin), origin};
}

void scr_nurbs_normalise(const ScreeNurbs *def, const NurbsMeasures *measures, Vec3 *point,
                         double *weight, double *knot) {
    bool backwards = measures->area < 0;
    for (size_t k = 0; k < def->points; k++) {
        size_t from = backwards ? def->points - 1 - k : k;
        Vec3 p = sub(def->point[from], measures->centroid);
        point[k] = vec3(p.x, p.y, 0);
        weight[k] = def->weight != NULL ? def->weight[from] : 1;
    }
    double sum = def->knot[0] + def->knot[def->knots - 1];
    for (size_t k = 0; k < def->knots; k++) {
        knot[k] = backwards ? sum - def->knot[def->knots - 1 - k] : def->knot[k];
    }
}
