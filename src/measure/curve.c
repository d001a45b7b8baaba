#include "measure/curve.h"

#include "shape/outline.h"

typedef struct Walk {
    double cosine, sine;
    PieceVisitor *visit;
    void *context;
} Walk;

static Vec3 turned(const Walk *w, Vec3 p) {
    return vec3(w->cosine * p.x - w->sine * p.y, w->sine * p.x + w->cosine * p.y, 0);
}

static void line(const Walk *w, Vec3 from, Vec3 to) {
    const Piece piece = {.arc = false, .from = from, .to = to};
    w->visit(&piece, w->context);
}

static void arc(const Walk *w, Vec3 from, Vec3 to, Vec3 centre, double radius, double turn) {
    const double begin = scr_atan2(from.y - centre.y, from.x - centre.x);
    const Piece piece = {true, from, to, centre, radius, begin, turn};
    w->visit(&piece, w->context);
}

/* Edges are shifted outwards by r. Where the outline turns left an arc joins them; where it turns
 * right they meet at c + r (n + n') / (1 + n n'). Corners run counterclockwise. */
static void walk_part(const Walk *w, const Vec3 *corner, int32_t count, double r) {
    Vec3 c = turned(w, corner[0]), start = c, last = c;
    if (count == 1) {
        start = vec3(c.x + r, c.y, 0);
        arc(w, start, start, c, r, 2 * M_PI);
        return;
    }
    Vec3 in = unit(sub(c, turned(w, corner[count - 1])));
    for (int32_t k = 0; k < count; k++) {
        Vec3 next = turned(w, corner[(k + 1) % count]), out = unit(sub(next, c));
        Vec3 n = vec3(in.y, -in.x, 0), n_next = vec3(out.y, -out.x, 0);
        double angle = count == 2 ? M_PI : scr_atan2(in.x * out.y - in.y * out.x, dot(in, out));
        bool left = angle > 0;
        Vec3 meeting = add_scaled(c, r / (1 + dot(n, n_next)), add(n, n_next));
        Vec3 entry = left ? add_scaled(c, r, n) : meeting;
        if (k == 0) {
            start = entry;
        } else {
            line(w, last, entry);
        }
        last = left ? add_scaled(c, r, n_next) : meeting;
        if (left && r > 0) {
            arc(w, entry, last, c, r, angle);
        }
        c = next;
        in = out;
    }
    line(w, last, start);
}

void scr_curve_walk(const ScreeShape *shape, double cosine, double sine, PieceVisitor *visit,
                    void *context) {
    const Walk walk = {cosine, sine, visit, context};
    const Vec3 *corner = shape->def.corner;
    for (size_t p = 0; p < shape->def.parts; p++) {
        walk_part(&walk, corner, shape->def.part[p].corners, shape->def.part[p].rounding);
        corner += shape->def.part[p].corners;
    }
}

void scr_turn_of(Quat q, double *cosine, double *sine) {
    double square = q.w * q.w + q.z * q.z;
    *cosine = square > 0 ? (q.w * q.w - q.z * q.z) / square : 1;
    *sine = square > 0 ? 2 * q.w * q.z / square : 0;
}

void scr_curve_reach(const ScreeShape *shape, double cosine, double sine, double low[2],
                     double high[2]) {
    const Walk walk = {.cosine = cosine, .sine = sine};
    const Vec3 *corner = shape->def.corner;
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (size_t p = 0; p < shape->def.parts; p++) {
        double r = shape->def.part[p].rounding;
        for (int32_t k = 0; k < shape->def.part[p].corners; k++) {
            Vec3 c = turned(&walk, *corner++);
            scr_box_add(low, high, c.x, c.y, r);
        }
    }
}
