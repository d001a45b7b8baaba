#include "narrow/patch_meeting.h"

#include "narrow/smooth_places.h"

/* ---------------------------------------------------------------- two by two */

/* Across the normal of the surface. */
typedef struct Flat {
    double x, y;
} Flat;

typedef struct Matrix {
    double xx, xy, yx, yy;
} Matrix;

static Matrix symmetric(const double w[3]) {
    return (Matrix){w[0], w[1], w[1], w[2]};
}
static Matrix product(Matrix a, Matrix b) {
    return (Matrix){a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
                    a.yx * b.xy + a.yy * b.yy};
}
static Matrix sum(Matrix a, double k, Matrix b) {
    return (Matrix){a.xx + k * b.xx, a.xy + k * b.xy, a.yx + k * b.yx, a.yy + k * b.yy};
}
static Flat apply(Matrix a, Flat v) {
    return (Flat){a.xx * v.x + a.xy * v.y, a.yx * v.x + a.yy * v.y};
}
static const Matrix one = {1, 0, 0, 1};

static bool solve(Matrix a, Flat r, Flat *x) {
    double det = a.xx * a.yy - a.xy * a.yx;
    *x = (Flat){(a.yy * r.x - a.xy * r.y) / det, (a.xx * r.y - a.yx * r.x) / det};
    return fabs(det) > 0 && isfinite(x->x) && isfinite(x->y);
}

/* Eigenvalues of the symmetric part, the least first, and the direction of the greatest. */
static void principal(Matrix a, double k[2], Flat *stiff) {
    double mean = 0.5 * (a.xx + a.yy), half = 0.5 * (a.xx - a.yy), off = 0.5 * (a.xy + a.yx);
    double root = sqrt(half * half + off * off);
    k[0] = mean - root;
    k[1] = mean + root;
    Vec3 d = half >= 0 ? vec3(half + root, off, 0) : vec3(off, root - half, 0), u;
    *stiff = direction_of(d, &u) ? (Flat){u.x, u.y} : (Flat){1, 0};
}

/* Only along directions that are stiff. */
static bool solve_stiff(Matrix a, Flat r, double soft, Flat *x) {
    double k[2];
    Flat d;
    principal(a, k, &d);
    if (k[0] > soft) {
        return solve(a, r, x);
    }
    double along = k[1] > soft ? (r.x * d.x + r.y * d.y) / k[1] : 0;
    *x = (Flat){along * d.x, along * d.y};
    return true;
}

/* ---------------------------------------------------------------- the partner, seen from the surface */

static Vec3 into_surface(const PatchPartner *p, Vec3 x) {
    return p->surface_is_a ? scr_point_from_b(p->pose, x) : scr_point_to_b(p->pose, x);
}
static Vec3 turn_into_surface(const PatchPartner *p, Vec3 d) {
    return p->surface_is_a ? scr_turn_from_b(p->pose, d) : scr_turn_to_b(p->pose, d);
}
static Vec3 turn_out_of_surface(const PatchPartner *p, Vec3 d) {
    return p->surface_is_a ? scr_turn_to_b(p->pose, d) : scr_turn_from_b(p->pose, d);
}

/* The surface where the search is. */
typedef struct Search {
    const Patchwork *surface;
    const PatchPartner *partner;
    const PatchCell *cell;
    PatchNet net, other_net; /* other: of a partner that is a patch */
    const PatchCell *other_cell;
    double other_half, size;
    PatchAt at, other;
    Vec3 place;  /* on a superellipsoid, in its own frame */
    Vec3 radial; /* of a point of a rim, in its own frame */
    Vec3 across[2];
    double w[3];
    double soft;
} Search;

static Flat seen(const Search *s, Vec3 d) {
    return (Flat){dot(d, s->across[0]), dot(d, s->across[1])};
}

/* Everything that one step needs: what the surface is moved by, and where both are. */
typedef struct Step {
    Flat dx, other_dx;
    Vec3 on, normal;
    double gap, soft, tilt;
    double turn; /* along a rim */
    bool ok;
} Step;

/* A superellipsoid has no bounded radii where it is flat: its place is sought, not its direction. */
static bool is_super(const PatchPartner *p) {
    return p->kind == PARTNER_SMOOTH && !scr_is_plain_ellipsoid(&p->part->smooth);
}

/* The point, or the farthest point of an ellipsoid against n, and its radii. */
static Vec3 farthest_point(const Search *s, double r[3]) {
    const PatchPartner *p = s->partner;
    r[0] = r[1] = r[2] = 0;
    if (p->kind == PARTNER_POINT) {
        return p->at;
    }
    Vec3 down = turn_out_of_surface(p, scale(-1, s->at.normal));
    const Vec3 own[2] = {turn_out_of_surface(p, s->across[0]),
                         turn_out_of_surface(p, s->across[1])};
    scr_smooth_radii(&p->part->smooth, down, own, r);
    return into_surface(p, scr_smooth_support(&p->part->smooth, down));
}

static Step step_to_point(const Search *s) {
    double r[3];
    Step t = {.on = farthest_point(s, r), .normal = s->at.normal};
    Vec3 w = sub(t.on, s->at.x);
    t.gap = dot(w, s->at.normal);
    Matrix bend = symmetric(s->w), a = sum(one, 1, product(sum(symmetric(r), t.gap, one), bend));
    double k[2];
    Flat unused;
    principal(a, k, &unused);
    t.soft =
        k[0] / s->size; /* of a point no direction is soft, but it may be a greatest distance */
    t.ok = solve(a, seen(s, w), &t.dx);
    return t;
}

/* Direction of a plane, a tube or the inside of a cone at x, towards the wall, how it turns, and the gap. */
static Vec3 field_at(const Search *s, Matrix *turn, double *gap) {
    const PatchPartner *p = s->partner;
    *turn = (Matrix){0, 0, 0, 0};
    Vec3 d = sub(s->at.x, p->at);
    double up = dot(d, p->along);
    if (p->kind == PARTNER_PLANE) {
        *gap = up;
        return scale(-1, p->along);
    }
    Vec3 out = add_scaled(d, -up, p->along), u;
    double far = length(out), sign = p->radius < 0 ? -1 : 1;
    double across = sqrt(scr_max(0, 1 - p->slope * p->slope));
    if (!direction_of(out, &u)) {
        u = perpendicular(p->along);
    }
    Flat c = seen(s, cross(p->along, u));
    double k = sign * across / scr_max(far, 1e-9 * s->size);
    *turn = (Matrix){k * c.x * c.x, k * c.x * c.y, k * c.x * c.y, k * c.y * c.y};
    *gap = sign * (across * (fabs(p->radius) - far) - p->slope * up);
    return scale(sign, add_scaled(scale(across, u), p->slope, p->along));
}

static Step step_to_field(const Search *s) {
    Matrix turn;
    Step t = {0};
    t.normal = field_at(s, &turn, &t.gap);
    t.on = add_scaled(s->at.x, t.gap, t.normal);
    Matrix a = sum(symmetric(s->w), -1, turn);
    Flat miss = seen(s, t.normal), unused;
    double k[2];
    principal(a, k, &unused);
    t.soft = k[0];
    t.tilt = length(cross(t.normal, s->at.normal));
    t.ok = dot(t.normal, s->at.normal) > 0.3 && solve_stiff(a, miss, s->soft, &t.dx);
    return t;
}

static Step step_to_line(const Search *s) {
    const PatchPartner *p = s->partner;
    Step t = {.normal = s->at.normal};
    Vec3 n = s->at.normal, k = p->along, c, w = sub(p->at, s->at.x);
    if (!direction_of(cross(k, n), &c)) {
        return t;
    }
    Vec3 beside = cross(n, c);
    double g = dot(w, n), sine = sqrt(scr_max(0, 1 - p->slope * p->slope));
    /* from the point of the line, or of the axis, that x lies over */
    double over = g - dot(w, beside) / dot(k, beside) * dot(k, n);
    Matrix bend = symmetric(s->w), tall = sum(one, over, bend);
    Flat kf = seen(s, k), cf = seen(s, c);
    Flat bk = apply(bend, kf), tc = apply(tall, cf); /* both are symmetric */
    Matrix a = {bk.x, bk.y, tc.x, tc.y};
    t.gap = g - p->radius * sine;
    t.soft = kf.x * bk.x + kf.y * bk.y;
    t.ok = solve(a, (Flat){p->slope - dot(n, k), dot(w, c)}, &t.dx);
    t.on = add_scaled(s->at.x, t.gap, n);
    return t;
}

/* A point y of a rim of radius r, with the tangent t and the radius rho: besides what is missed, n.t must
 * be 0. With A = 1 + g W, dx = A^-1 (miss + r t da) and
 *
 *     da = (n.t + t.W A^-1 miss) / (n.rho - r t.W A^-1 t). */
static Step step_to_rim(const Search *s) {
    const PatchPartner *p = s->partner;
    const SmoothPart *part = &p->part->smooth;
    double radius = part->form[p->rim];
    Vec3 rho = turn_into_surface(p, s->radial),
         tangent = turn_into_surface(p, cross(part->axis[2], s->radial));
    Step t = {.normal = s->at.normal,
              .on = into_surface(p, scr_rim_point(part, p->rim, s->radial))};
    Vec3 w = sub(t.on, s->at.x);
    t.gap = dot(w, t.normal);
    Matrix bend = symmetric(s->w), a = sum(one, t.gap, bend);
    Flat miss = seen(s, w), tf = seen(s, tangent), from_miss = {0, 0}, from_tangent = {0, 0};
    t.ok = solve(a, miss, &from_miss) && solve(a, tf, &from_tangent);
    Flat bt = apply(bend, tf);
    double top = dot(t.normal, tangent) + bt.x * from_miss.x + bt.y * from_miss.y;
    double bottom = dot(t.normal, rho) - radius * (bt.x * from_tangent.x + bt.y * from_tangent.y);
    double turn = radius > 0 && bottom != 0 ? scr_min(scr_max(top / bottom, -0.5), 0.5) : 0;
    t.turn = turn;
    t.dx = (Flat){from_miss.x + radius * turn * from_tangent.x,
                  from_miss.y + radius * turn * from_tangent.y};
    t.soft = -bottom / s->size; /* a greatest distance along the rim is none */
    return t;
}

/* Another surface, by its point, normal and curvature there. */
typedef struct OtherSide {
    Vec3 x, normal; /* in the frame of the surface */
    double w[3];
} OtherSide;

static OtherSide other_side(const Search *s) {
    const PatchPartner *p = s->partner;
    const Vec3 own[2] = {turn_out_of_surface(p, s->across[0]),
                         turn_out_of_surface(p, s->across[1])};
    OtherSide o;
    if (p->kind == PARTNER_PATCH) {
        o.x = into_surface(p, s->other.x);
        o.normal = turn_into_surface(p, s->other.normal);
        scr_patch_curvature(&s->other, own, o.w);
    } else {
        Vec3 normal;
        Vec3 x = scr_smooth_onto(&p->part->smooth, s->place, &normal);
        o.x = into_surface(p, x);
        o.normal = turn_into_surface(p, normal);
        scr_smooth_curvature(&p->part->smooth, x, own, o.w);
    }
    return o;
}

static Step step_to_surface(const Search *s) {
    const OtherSide o = other_side(s);
    Step t = {.on = o.x};
    Vec3 n = s->at.normal, w = sub(t.on, s->at.x);
    t.gap = dot(w, n);
    Matrix bend = symmetric(s->w), back = symmetric(o.w), tall = sum(one, t.gap, bend);
    Matrix a = sum(bend, 1, product(back, tall));
    Flat miss = seen(s, w), nu = seen(s, o.normal), r = apply(back, miss), unused;
    r = (Flat){r.x - nu.x, r.y - nu.y};
    double k[2];
    principal(a, k, &unused);
    t.soft = k[0];
    t.tilt = length(cross(n, o.normal));
    t.ok = (is_super(s->partner) || dot(n, o.normal) < -0.3) && solve_stiff(a, r, s->soft, &t.dx);
    Flat moved = apply(tall, t.dx);
    t.other_dx = (Flat){moved.x - miss.x, moved.y - miss.y};
    t.normal = unit(sub(n, o.normal));
    return t;
}

static Step step_of(const Search *s) {
    switch (s->partner->kind) {
    case PARTNER_PLANE:
    case PARTNER_TUBE:
        return step_to_field(s);
    case PARTNER_LINE:
        return step_to_line(s);
    case PARTNER_PATCH:
        return step_to_surface(s);
    case PARTNER_RIM:
        return step_to_rim(s);
    default:
        return is_super(s->partner) ? step_to_surface(s) : step_to_point(s);
    }
}

/* ---------------------------------------------------------------- the search */

/* Moves a place, no farther than half a cell from its cell; how far, in parts of the cell. */
static double move(const PatchNet *net, const PatchCell *c, double half, Vec3 dx, PatchAt *at) {
    const PatchRoom room = {c->u, c->v, 2 * half};
    return scr_patch_move(net, dx, &room, at) / c->extent;
}

static double from_middle(const PatchAt *at, const PatchCell *c, double half) {
    return scr_max(fabs(at->u - c->u), fabs(at->v - c->v)) / half;
}

static void look(Search *s) {
    const Vec3 first = perpendicular(s->at.normal);
    const Vec3 across[2] = {first, cross(s->at.normal, first)};
    scr_patch_curvature(&s->at, across, s->w);
    s->across[0] = across[0], s->across[1] = across[1];
}

static Vec3 in_space(const Search *s, Flat d) {
    return add_scaled(scale(d.x, s->across[0]), d.y, s->across[1]);
}

/* Moves what the partner is met at; how far, in cells of a patch or in parts of the size. */
static double move_other(Search *s, const Step *t) {
    const PatchPartner *p = s->partner;
    if (p->kind == PARTNER_PATCH) {
        Vec3 own = turn_out_of_surface(p, in_space(s, t->other_dx));
        return move(&s->other_net, s->other_cell, s->other_half, own, &s->other);
    }
    if (is_super(p)) {
        Vec3 own = turn_out_of_surface(p, in_space(s, t->other_dx)), unused;
        double size = length(own), most = 0.3 * p->part->extent;
        own = size > most ? scale(most / size, own) : own;
        s->place = scr_smooth_onto(&p->part->smooth, add(s->place, own), &unused);
        return length(own) / s->size;
    }
    if (p->kind == PARTNER_RIM) {
        Vec3 tangent = cross(p->part->smooth.axis[2], s->radial);
        s->radial = unit(add_scaled(scale(scr_cos(t->turn), s->radial), scr_sin(t->turn), tangent));
        return fabs(t->turn);
    }
    return 0;
}

enum { MOST_STEPS = 24 };

static void begin(const Patchwork *surface, int32_t cell, const PatchPartner *p, double soft,
                  Search *s) {
    *s = (Search){.surface = surface, .partner = p, .cell = &surface->cell[cell], .soft = soft};
    s->net = scr_patch_net(surface, s->cell->patch);
    s->size = 2 * surface->extent;
    s->at = scr_patch_at(&s->net, s->cell->u, s->cell->v);
    if (p->kind == PARTNER_PATCH) {
        const Patchwork *other = p->part->smooth.patchwork;
        s->other_cell = &other->cell[p->cell];
        s->other_half = other->half;
        s->other_net = scr_patch_net(other, s->other_cell->patch);
        s->other = scr_patch_at(&s->other_net, s->other_cell->u, s->other_cell->v);
    } else if (p->kind == PARTNER_SMOOTH || p->kind == PARTNER_RIM) {
        const SmoothPart *part = &p->part->smooth;
        Vec3 down = turn_out_of_surface(p, scale(-1, s->at.normal)), out;
        s->place = is_super(p) ? scr_smooth_support(part, down) : s->place;
        /* the surface is beside the rim, so its point lies in the direction of the cell */
        Vec3 own = p->surface_is_a ? scr_point_to_b(p->pose, s->cell->middle)
                                   : scr_point_from_b(p->pose, s->cell->middle);
        own = sub(own, part->centre);
        out = add_scaled(own, -dot(own, part->axis[2]), part->axis[2]);
        if (p->kind == PARTNER_RIM && !direction_of(out, &s->radial)) {
            s->radial = part->axis[0];
        }
    }
}

/* Normals turn so little in a cell that after a few steps the place is hardly off; only around a pole its
 * angle may be. */
static bool is_off(const PatchAt *at, const PatchCell *c, double half) {
    return fabs(at->way) > 0.1 && from_middle(at, c, half) > 1.6;
}

static bool has_left(const Search *s) {
    return is_off(&s->at, s->cell, s->surface->half) ||
           (s->partner->kind == PARTNER_PATCH && is_off(&s->other, s->other_cell, s->other_half));
}

PatchMeeting scr_meet_partner(const Patchwork *surface, int32_t cell, const PatchPartner *p,
                              double soft) {
    Search s;
    Step t = {0};
    PatchMeeting m = {0};
    begin(surface, cell, p, soft, &s);
    /* there are many pairs of cells, and few of others */
    const int patience = p->kind == PARTNER_PATCH ? 3 : 6;
    for (int k = 0; k < MOST_STEPS && !m.done; k++) {
        look(&s);
        t = step_of(&s);
        if (!t.ok) {
            break;
        }
        double moved = move_other(&s, &t);
        moved = scr_max(moved, move(&s.net, s.cell, surface->half, in_space(&s, t.dx), &s.at));
        m.done = moved <= 1e-13 || (k > 8 && moved <= 1e-10);
        if (k >= patience && !m.done && has_left(&s)) {
            break; /* another cell has it */
        }
    }
    look(&s);
    t = step_of(&s); /* where the place is now */
    m.at = s.at;
    m.on = t.on;
    m.normal = t.normal;
    m.gap = p->kind == PARTNER_PATCH || is_super(p) ? dot(sub(t.on, s.at.x), t.normal) : t.gap;
    m.soft = t.soft;
    m.tilt = t.tilt;
    m.far_u = from_middle(&s.at, s.cell, surface->half);
    m.other_u = p->kind == PARTNER_PATCH ? from_middle(&s.other, s.other_cell, s.other_half) : 0;
    return m;
}
