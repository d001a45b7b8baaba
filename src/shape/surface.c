#include "shape/surface.h"

#include "base/status.h"
#include "shape/hull.h"
#include "shape/orient.h"

#include <stdarg.h>
#include <stdio.h>

ScreeStatus scr_surface_refuse(char *message, size_t part, const char *format, ...) {
    if (message != NULL) {
        int used = snprintf(message, SCREE_MESSAGE_SIZE, "part %zu", part);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message + used, (size_t)(SCREE_MESSAGE_SIZE - used), format, arguments);
        va_end(arguments);
    }
    return SCREE_BAD_ARGUMENT;
}

/* ---------------------------------------------------------------- volume */

/* Signed volume and area of the triangles of one shell (or of all: -1). */
static double volume_of(const SurfaceDef *def, const Surface *s, const int32_t *shell,
                        int32_t which, double *area) {
    double volume = 0;
    Vec3 origin = def->vertex[s->triangles.triangle[0].vertex[0]];
    *area = 0;
    for (int32_t t = 0; t < s->triangles.count; t++) {
        const Triangle *on = &s->triangles.triangle[t];
        if (which < 0 || shell[t] == which) {
            Vec3 n = scr_triangle_normal(def->vertex, on);
            volume += dot(n, sub(def->vertex[on->vertex[0]], origin)) / 6;
            *area += length(n) / 2;
        }
    }
    return volume;
}

/* ---------------------------------------------------------------- shells */

/* Numbers the connected pieces of a surface; returns how many there are. */
static int32_t find_shells(const Triangles *of, int32_t *shell, int32_t *queue) {
    int32_t shells = 0;
    for (int32_t t = 0; t < of->count; t++) {
        shell[t] = -1;
    }
    for (int32_t seed = 0; seed < of->count; seed++) {
        int32_t count = 0;
        if (shell[seed] < 0) {
            shell[seed] = shells++;
            queue[count++] = seed;
        }
        for (int32_t k = 0; k < count; k++) {
            for (int e = 0; e < 3; e++) {
                int32_t next = of->triangle[queue[k]].neighbour[e];
                if (shell[next] < 0) {
                    shell[next] = shell[seed];
                    queue[count++] = next;
                }
            }
        }
    }
    return shells;
}

/* How often the other shells surround a point: their solid angle over 4 pi (van Oosterom and
 * Strackee). */
static double winding(const SurfaceDef *def, const Surface *s, const int32_t *shell, int32_t own,
                      Vec3 p) {
    double sum = 0;
    for (int32_t t = 0; t < s->triangles.count; t++) {
        const int32_t *v = s->triangles.triangle[t].vertex;
        Vec3 a = sub(def->vertex[v[0]], p), b = sub(def->vertex[v[1]], p),
             c = sub(def->vertex[v[2]], p);
        double la = length(a), lb = length(b), lc = length(c);
        double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        sum += shell[t] == own ? 0 : scr_atan2(dot(a, cross(b, c)), below);
    }
    return sum / (2 * 3.14159265358979323846);
}

/* A shell that shows its outside to infinity lies outside of the others, a cavity inside. */
static ScreeStatus check_shells(const SurfaceDef *def, const Surface *s, char *message) {
    struct {
        int32_t *shell, *queue;
        Block shell_block, queue_block;
    } work = {0};
    size_t count = (size_t)s->triangles.count;
    bool ok = SCR_RESERVE(&work, shell, count) && SCR_RESERVE(&work, queue, count);
    int32_t shells = ok ? find_shells(&s->triangles, work.shell, work.queue) : 0;
    ScreeStatus status = ok ? SCREE_OK : SCREE_NO_MEMORY;
    for (int32_t k = 0, t = 0; k < shells && shells > 1 && status == SCREE_OK; k++) {
        double area, volume = volume_of(def, s, work.shell, k, &area);
        while (work.shell[t] != k) {
            t++;
        }
        int32_t v = s->triangles.triangle[t].vertex[0];
        double around = winding(def, s, work.shell, k, def->vertex[v]);
        if (fabs(around - (volume > 0 ? 0 : 1)) > 0.5) {
            status = scr_surface_refuse(
                message, def->part,
                ", face %d: the piece of the surface that it belongs to is %s: %s", s->face[t],
                volume > 0 ? "inside of another" : "inside out",
                volume > 0 ? "reverse its corners for a cavity, or make it a part of its own"
                           : "reverse the corners of its faces");
        }
    }
    SCR_FREE_BLOCKS(&work.shell_block, &work.queue_block);
    return status;
}

/* ---------------------------------------------------------------- the whole */

static ScreeStatus check_volume(const SurfaceDef *def, Surface *made, char *message) {
    double area, volume = volume_of(def, made, NULL, -1, &area), size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    double thickness = 3 * fabs(volume) / area;
    if (!(thickness > scr_flat_tolerance(size, away))) {
        return scr_surface_refuse(message, def->part,
                                  ": it has no volume: give a plate as the hull of its vertices, "
                                  "with a rounding");
    }
    if (volume < 0) {
        return scr_surface_refuse(message, def->part,
                                  ": its volume is negative: the corners of faces must run "
                                  "counterclockwise seen from outside; reverse all of them");
    }
    made->tolerance =
        scr_min(made->tolerance, scr_max(1e-6 * thickness, 32 * 0x1p-52 * scr_max(size, away)));
    return SCREE_OK;
}

ScreeStatus scr_surface_read(const SurfaceDef *def, Surface *made, char *message) {
    double away;
    if (!SCR_RESERVE(made, point, def->vertices)) {
        return SCREE_NO_MEMORY;
    }
    scr_scale_points(def->vertex, def->vertices, made->point);
    scr_extent(def->vertex, def->vertices, &made->size, &away);
    made->tolerance = scr_flat_tolerance(made->size, away);
    SCR_TRY(scr_surface_cut(def, made, message));
    SCR_TRY(scr_surface_close(def, made, message));
    SCR_TRY(scr_surface_check_crossings(def, made, message));
    SCR_TRY(check_volume(def, made, message));
    return check_shells(def, made, message);
}

void scr_surface_free(Surface *s) {
    SCR_FREE_BLOCKS(&s->triangles.triangle_block, &s->face_block, &s->point_block);
    *s = (Surface){0};
}
