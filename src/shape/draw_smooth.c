/* Smooth parts as triangles between rows of points. */
#include "shape/draw_solid.h"

enum { AROUND = 2 * HALF_CIRCLE };

static bool draw_row(const Polyhedron *p, int row, SolidDrawing *d) {
    bool ok = true;
    for (int j = 0; j <= AROUND && ok; j++) {
        double angle = M_PI * (j % AROUND) / HALF_CIRCLE;
        ok = scr_draw_point(d,
                            scr_smooth_row_point(&p->smooth, p->rounding, HALF_CIRCLE, row, angle));
    }
    return ok;
}

/* Two lines for each cell, in rows along v: the next one, along u, lies to the right. */
static bool draw_patch(const Patchwork *s, int32_t patch, SolidDrawing *d) {
    const PatchNet net = scr_patch_net(s, patch);
    int lines = 2 * s->lines;
    bool ok = true;
    for (int i = 0; i <= lines && ok; i++) {
        size_t row = d->points;
        for (int j = 0; j <= lines && ok; j++) {
            ok = scr_draw_point(d, scr_patch_point(&net, (double)i / lines, (double)j / lines).x);
        }
        ok = ok && (i == 0 || scr_draw_band(d, row, row - (size_t)lines - 1, lines, false));
    }
    return ok;
}

static bool is_same(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* At poles there are triangles with two corners in one place. */
static void drop_empty(SolidDrawing *d, size_t first) {
    size_t kept = first;
    for (size_t k = first; k < d->triangles; k++) {
        const int32_t *t = &d->triangle[3 * k];
        Vec3 a = d->point[t[0]], b = d->point[t[1]], c = d->point[t[2]];
        if (!is_same(a, b) && !is_same(b, c) && !is_same(c, a)) {
            for (int i = 0; i < 3; i++) {
                d->triangle[3 * kept + (size_t)i] = t[i];
            }
            kept++;
        }
    }
    d->triangles = kept;
}

static bool draw_patches(const Patchwork *s, SolidDrawing *d) {
    size_t first = d->triangles;
    bool ok = true;
    for (int32_t k = 0; k < s->patches && ok; k++) {
        ok = draw_patch(s, k, d);
    }
    drop_empty(d, first);
    return ok;
}

/* The pieces of a cone meet at its rims at an angle: each has points of its own, as faces have. An
 * apex without a rounding has no cap. */
bool scr_draw_smooth(const Polyhedron *p, SolidDrawing *d) {
    if (scr_is_patchwork(p)) {
        return draw_patches(p->smooth.patchwork, d);
    }
    bool cone = p->smooth.kind == SCREE_PART_CONE, ok = true;
    int rows = scr_smooth_rows(&p->smooth, p->rounding, HALF_CIRCLE);
    size_t before = d->points;
    ok = draw_row(p, 0, d);
    for (int i = 1; i < rows && ok; i++) {
        bool none = cone && ((i == 1 && p->smooth.form[1] == 0) ||
                             (i == rows - 1 && p->smooth.form[0] == 0));
        size_t row = d->points;
        ok = draw_row(p, i, d) && (none || scr_draw_band(d, row, before, AROUND, false));
        if (cone && i + 1 < rows && ok) {
            row = d->points;
            ok = draw_row(p, i, d);
        }
        before = row;
    }
    return ok;
}
