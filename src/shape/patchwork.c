#include "shape/patchwork.h"

#include "shape/hull.h"

#include <string.h>

void scr_patchwork_free(Patchwork *s) {
    SCR_FREE_BLOCKS(&s->point_block, &s->weight_block, &s->pole_block, &s->ball_block,
                    &s->cell_block, &s->node_block, &s->triangle_block);
    *s = (Patchwork){0};
}

size_t scr_points_of_patch(const double degree[2]) {
    for (int k = 0; k < 2; k++) {
        if (!(degree[k] >= 1 && degree[k] <= PATCH_DEGREE && degree[k] == floor(degree[k]))) {
            return 0;
        }
    }
    return (size_t)(degree[0] + 1) * (size_t)(degree[1] + 1);
}

/* ---------------------------------------------------------------- numbers */

static ScreeStatus refuse(PatchFault *fault, const char *words, int32_t patch, int32_t point) {
    if (fault != NULL) {
        *fault = (PatchFault){words, patch, point, false};
    }
    return SCREE_BAD_ARGUMENT;
}

static ScreeStatus check_numbers(const PatchworkDef *def, size_t each, PatchFault *fault) {
    for (size_t k = 0; k < def->points; k++) {
        int32_t patch = (int32_t)(k / each), point = (int32_t)(k % each);
        if (!is_finite(def->point[k])) {
            return refuse(fault, "the coordinates of a control point are not finite", patch, point);
        }
        if (def->weight != NULL && !(def->weight[k] >= 1e-6 && def->weight[k] <= 1e6)) {
            return refuse(fault, "a weight is from 1e-6 to 1e6", patch, point);
        }
    }
    return SCREE_OK;
}

uint8_t scr_patch_poles(const PatchNet *net, double tolerance) {
    int p = net->degree[0], q = net->degree[1];
    uint8_t poles = 0;
    for (int side = 0; side < 4; side++) {
        int count = side < 2 ? q : p, step = side < 2 ? 1 : q + 1;
        int first = side == 1 ? p * (q + 1) : side == 3 ? q : 0;
        bool same = true;
        for (int k = 1; k <= count; k++) {
            same =
                same && length(sub(net->point[first + k * step], net->point[first])) <= tolerance;
        }
        poles |= (uint8_t)(same ? 1 << side : 0);
    }
    return poles;
}

static ScreeStatus take_up(const PatchworkDef *def, Patchwork *s, double tolerance,
                           PatchFault *fault) {
    size_t each = scr_points_of_patch(def->degree);
    if (each == 0) {
        return refuse(fault, "the degrees of a NURBS surface are whole numbers from 1 to 7", -1,
                      -1);
    }
    if (def->points == 0 || def->points % each != 0) {
        return refuse(fault, "each patch has (p + 1)(q + 1) control points", -1, -1);
    }
    if (def->points / each > PATCHWORK_PATCHES) {
        return refuse(fault, "a surface has at most 2048 patches", -1, -1);
    }
    if (def->points > PATCHWORK_POINTS) {
        return refuse(fault, "a surface has at most 32767 control points in its patches", -1, -1);
    }
    ScreeStatus status = check_numbers(def, each, fault);
    if (status != SCREE_OK) {
        return status;
    }
    s->patches = (int32_t)(def->points / each);
    s->degree[0] = (int32_t)def->degree[0];
    s->degree[1] = (int32_t)def->degree[1];
    if (!SCR_RESERVE(s, point, def->points) || !SCR_RESERVE(s, weight, def->points) ||
        !SCR_RESERVE(s, pole, (size_t)s->patches) || !SCR_RESERVE(s, ball, (size_t)s->patches)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t k = 0; k < def->points; k++) {
        s->point[k] = def->point[k];
        s->weight[k] = def->weight != NULL ? def->weight[k] : 1;
    }
    for (int32_t k = 0; k < s->patches; k++) {
        s->pole[k] = 0;
        const PatchNet net = scr_patch_net(s, k);
        s->pole[k] = scr_patch_poles(&net, tolerance);
        if ((s->pole[k] & 3) == 3 && (s->pole[k] & 12) == 12) {
            return refuse(fault, "a patch is a single point", k, -1);
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- cells */

enum { LOOKS = 4 }; /* along a side of a cell */

/* The angle between two unit vectors, exact for small ones. */
static double angle_between(Vec3 a, Vec3 b) {
    return scr_atan2(length(cross(a, b)), dot(a, b));
}

/* Ball and normals of a cell; false: some place has no normal. */
static bool measure_cell(const PatchNet *net, double half, PatchCell *c) {
    PatchAt at[LOOKS + 1][LOOKS + 1];
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = scale(-1, low), sum = vec3(0, 0, 0);
    for (int i = 0; i <= LOOKS; i++) {
        for (int j = 0; j <= LOOKS; j++) {
            double u = c->u + half * (2.0 * i / LOOKS - 1), v = c->v + half * (2.0 * j / LOOKS - 1);
            at[i][j] = scr_patch_point(net, u, v);
            Vec3 x = at[i][j].x;
            low = vec3(scr_min(low.x, x.x), scr_min(low.y, x.y), scr_min(low.z, x.z));
            high = vec3(scr_max(high.x, x.x), scr_max(high.y, x.y), scr_max(high.z, x.z));
            sum = add(sum, at[i][j].normal);
            if (!(length(at[i][j].normal) > 0.5)) {
                return false;
            }
        }
    }
    c->middle = scale(0.5, add(low, high));
    c->normal = unit(sum);
    c->extent = c->turn = c->height = 0;
    for (int k = 0; k < (LOOKS + 1) * (LOOKS + 1); k++) {
        const PatchAt *a = &at[k / (LOOKS + 1)][k % (LOOKS + 1)];
        c->extent = scr_max(c->extent, length(sub(a->x, c->middle)));
        c->turn = scr_max(c->turn, angle_between(a->normal, c->normal));
        c->height = scr_max(c->height, fabs(dot(c->normal, sub(a->x, c->middle))));
    }
    c->extent *=
        1.05; /* between the looks, where the surface bulges by a tenth of its height at most */
    c->height = scr_min(c->extent, 1.1 * c->height + 0.01 * c->extent);
    c->turn *= 1.1;
    return true;
}

static ScreeStatus make_cells(Patchwork *s, int lines, PatchFault *fault, double *most_turn) {
    size_t each = (size_t)lines * (size_t)lines;
    if (!SCR_RESERVE(s, cell, each * (size_t)s->patches)) {
        return SCREE_NO_MEMORY;
    }
    s->lines = lines;
    s->half = 0.5 / lines;
    s->cells = (int32_t)(each * (size_t)s->patches);
    *most_turn = 0;
    for (int32_t k = 0; k < s->cells; k++) {
        int32_t own = k % (int32_t)each;
        PatchCell *c = &s->cell[k];
        *c = (PatchCell){.u = s->half * (2 * (own / lines) + 1),
                         .v = s->half * (2 * (own % lines) + 1),
                         .patch = k / (int32_t)each};
        const PatchNet net = scr_patch_net(s, c->patch);
        if (!measure_cell(&net, s->half, c)) {
            return refuse(fault,
                          "the surface has no normal somewhere: its tangents vanish or are "
                          "parallel",
                          c->patch, -1);
        }
        *most_turn = scr_max(*most_turn, c->turn);
    }
    return SCREE_OK;
}

/* As few lines as will do. */
static ScreeStatus cut_into_cells(Patchwork *s, PatchFault *fault) {
    static const int lines[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32};
    double turn = INFINITY;
    for (size_t k = 0; k < sizeof lines / sizeof lines[0] && turn > PATCH_TURN; k++) {
        if (lines[k] * lines[k] * s->patches > PATCHWORK_CELLS) {
            break;
        }
        ScreeStatus status = make_cells(s, lines[k], fault, &turn);
        if (status != SCREE_OK) {
            return status;
        }
    }
    return turn <= 2 * PATCH_TURN
               ? SCREE_OK
               : refuse(fault,
                        "the surface bends too sharply to be told by 8192 cells: give it a "
                        "larger radius there",
                        -1, -1);
}

static void make_patch_balls(Patchwork *s) {
    int32_t each = s->lines * s->lines;
    for (int32_t k = 0; k < s->patches; k++) {
        const PatchCell *cell = s->cell + k * each;
        PatchBall *ball = &s->ball[k];
        *ball = (PatchBall){.extent = 0};
        for (int32_t c = 0; c < each; c++) {
            ball->middle = add_scaled(ball->middle, 1.0 / each, cell[c].middle);
        }
        for (int32_t c = 0; c < each; c++) {
            double far = length(sub(cell[c].middle, ball->middle)) + cell[c].extent;
            ball->extent = scr_max(ball->extent, far);
        }
    }
}

static void make_ball(Patchwork *s) {
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = scale(-1, low);
    for (int32_t k = 0; k < s->nodes; k++) {
        Vec3 x = s->node[k];
        low = vec3(scr_min(low.x, x.x), scr_min(low.y, x.y), scr_min(low.z, x.z));
        high = vec3(scr_max(high.x, x.x), scr_max(high.y, x.y), scr_max(high.z, x.z));
    }
    s->middle = scale(0.5, add(low, high));
    for (int32_t k = 0; k < s->cells; k++) {
        const PatchCell *c = &s->cell[k];
        s->extent = scr_max(s->extent, length(sub(c->middle, s->middle)) + c->extent);
    }
}

/* ---------------------------------------------------------------- how thick the body is
 *
 * Along the inner normal of the middle of each cell, to where the plane of another is met from inside. A
 * rough number will do: it tells overlaps from what is seen through a thin body. */

static double way_to_cell(const PatchCell *c, Vec3 from, Vec3 along) {
    double speed = dot(c->normal, along), way = dot(c->normal, sub(c->middle, from)) / speed;
    bool met = speed > 0.1 && way > 0;
    return met && length(sub(add_scaled(from, way, along), c->middle)) <= c->extent ? way
                                                                                    : INFINITY;
}

static void measure_thickness(Patchwork *s) {
    for (int32_t k = 0; k < s->cells; k++) {
        PatchCell *c = &s->cell[k];
        const PatchNet net = scr_patch_net(s, c->patch);
        const PatchAt at = scr_patch_point(&net, c->u, c->v);
        c->thickness = 2 * s->extent;
        for (int32_t j = 0; j < s->cells; j++) {
            double way = way_to_cell(&s->cell[j], at.x, scale(-1, at.normal));
            c->thickness = scr_min(c->thickness, way);
        }
    }
}

/* ---------------------------------------------------------------- the whole */

ScreeStatus scr_patchwork_build(const PatchworkDef *def, Patchwork *s, PatchFault *fault) {
    double size = 0, away = 0;
    *s = (Patchwork){0};
    if (def->points > 0) {
        scr_extent(def->point, def->points, &size, &away);
    }
    ScreeStatus status = take_up(def, s, 1e-9 * size, fault);
    status = status == SCREE_OK ? cut_into_cells(s, fault) : status;
    status = status == SCREE_OK ? scr_patchwork_join(s, size, fault) : status;
    if (status != SCREE_OK) {
        scr_patchwork_free(s);
        return status;
    }
    make_ball(s);
    make_patch_balls(s);
    measure_thickness(s);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- farthest points */

enum { MOST_STEPS = 30 };

/* One step towards the place with this normal, W dx = what the normal misses; false: there is none. */
static bool step_to_normal(const PatchAt *at, Vec3 miss, Vec3 *dx) {
    const Vec3 one = perpendicular(at->normal), across[2] = {one, cross(at->normal, one)};
    double w[3], x = dot(miss, across[0]), y = dot(miss, across[1]);
    scr_patch_curvature(at, across, w);
    double det = w[0] * w[2] - w[1] * w[1];
    *dx = add_scaled(scale((w[2] * x - w[1] * y) / det, across[0]), (w[0] * y - w[1] * x) / det,
                     across[1]);
    return fabs(det) > 0 && is_finite(*dx);
}

/* From some place, within a room. */
static bool find_normal(const PatchNet *net, const PatchRoom *room, double u, double v, Vec3 normal,
                        double size, PatchAt *at) {
    *at = scr_patch_at(net, u, v);
    for (int step = 0; step < MOST_STEPS; step++) {
        Vec3 miss = add_scaled(normal, -dot(normal, at->normal), at->normal), dx;
        if (length(miss) <= 1e-15 || !step_to_normal(at, miss, &dx) ||
            scr_patch_move(net, dx, room, at) <= 1e-16 * size) {
            break;
        }
    }
    return dot(normal, at->normal) > 0 && length(cross(normal, at->normal)) <= 1e-9;
}

bool scr_patch_facing(const Patchwork *s, int32_t cell, Vec3 normal, PatchAt *at) {
    const PatchCell *c = &s->cell[cell];
    const PatchNet net = scr_patch_net(s, c->patch);
    const PatchRoom room = {c->u, c->v, 1.5 * s->half};
    return find_normal(&net, &room, c->u, c->v, normal, s->extent, at);
}

/* The control points hold the patch; from the best of some places it is uphill to the farthest. */
double scr_patch_reach(const PatchNet *net, Vec3 n, double least, Vec3 *point) {
    enum { GRID = 8 };
    int points = (net->degree[0] + 1) * (net->degree[1] + 1);
    double bound = -INFINITY, best = -INFINITY;
    PatchAt at = {.u = 0}, top = {.u = 0};
    for (int k = 0; k < points; k++) {
        bound = scr_max(bound, dot(n, net->point[k]));
    }
    for (int k = 0; k < (GRID + 1) * (GRID + 1) && bound > least; k++) {
        at = scr_patch_point(net, (double)(k / (GRID + 1)) / GRID, (double)(k % (GRID + 1)) / GRID);
        top = dot(n, at.x) > best ? at : top;
        best = scr_max(best, dot(n, at.x));
    }
    const PatchRoom whole = {0.5, 0.5, 0.5};
    if (bound > least && find_normal(net, &whole, top.u, top.v, n, fabs(bound), &at) &&
        dot(n, at.x) > best) {
        top = at;
        best = dot(n, at.x);
    }
    if (best > least && point != NULL) {
        *point = top.x;
    }
    return scr_max(best, least);
}

Vec3 scr_patchwork_support(const Patchwork *s, Vec3 d) {
    Vec3 best = s->node[0], n;
    if (!direction_of(d, &n)) {
        return best;
    }
    for (int32_t k = 1; k < s->nodes; k++) {
        best = dot(n, s->node[k]) > dot(n, best) ? s->node[k] : best;
    }
    double least = dot(n, best), most = least;
    for (int32_t k = 0; k < s->cells; k++) {
        const PatchCell *c = &s->cell[k];
        PatchAt at;
        if (dot(n, c->middle) + c->extent > least && angle_between(n, c->normal) <= c->turn + 0.1 &&
            scr_patch_facing(s, k, n, &at) && dot(n, at.x) > most) {
            bool inside =
                fabs(at.u - c->u) <= 1.001 * s->half && fabs(at.v - c->v) <= 1.001 * s->half;
            best = inside ? at.x : best;
            most = inside ? dot(n, at.x) : most;
        }
    }
    return best;
}

/* Uphill: the farthest point along the way to the one before is no nearer than that. */
double scr_patchwork_radius(const Patchwork *s) {
    Vec3 best = s->node[0];
    for (int32_t k = 1; k < s->nodes; k++) {
        best = dot(s->node[k], s->node[k]) > dot(best, best) ? s->node[k] : best;
    }
    double far = length(best);
    for (int k = 0; k < 60; k++) {
        Vec3 next = scr_patchwork_support(s, best);
        if (!(length(next) > far * (1 + 1e-15))) {
            break;
        }
        best = next;
        far = length(next);
    }
    return far;
}
