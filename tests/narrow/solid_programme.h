/* The distance of two convex bodies by a method of its own, to compare with. */
#ifndef SCREE_TESTS_NARROW_SOLID_PROGRAMME_H
#define SCREE_TESTS_NARROW_SOLID_PROGRAMME_H

#include "narrow/solid_rig.h"

/* ---------------------------------------------------------------- the distance by a quadratic programme
 *
 * The shortest y with w.y >= 1 for every difference w of a vertex of b and one of a: its length is
 * one over the distance. Lawson and Hanson (1974) make it a problem of least squares with unknowns
 * that must not be negative, min |E u - f|, with columns (w, 1) of E and f = (0, 0, 0, 1). */

/* Numbers of some 113 bits: what a long double is on some machines. Others have them under this
 * name, without functions. */
#if LDBL_MANT_DIG >= 100
typedef long double RigWide;
#else
typedef __float128 RigWide;
#endif

static inline RigWide rig_size(RigWide x) {
    return x < 0 ? -x : x;
}
static inline RigWide rig_smaller(RigWide x, RigWide y) {
    return x < y ? x : y;
}
/* Two steps of Newton's method from the root of the leading digits. */
static inline RigWide rig_root(RigWide x) {
    RigWide root = sqrt((double)x);
    for (int k = 0; k < 2 && root > 0; k++) {
        root = (root + x / root) / 2;
    }
    return root;
}

/* The least-squares solution for the columns in hand, by normal equations. */
static inline bool rig_solve(RigWide (*w)[4], const int *set, int n, RigWide *u) {
    RigWide m[5][6];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            m[i][j] = 0;
            for (int k = 0; k < 4; k++) {
                m[i][j] += w[set[i]][k] * w[set[j]][k];
            }
        }
        m[i][n] = w[set[i]][3];
    }
    for (int i = 0; i < n; i++) {
        int top = i;
        for (int r = i + 1; r < n; r++) {
            top = rig_size(m[r][i]) > rig_size(m[top][i]) ? r : top;
        }
        for (int k = 0; k <= n; k++) {
            RigWide x = m[i][k];
            m[i][k] = m[top][k], m[top][k] = x;
        }
        if (rig_size(m[i][i]) < 1e-300) {
            return false;
        }
        for (int r = 0; r < n; r++) {
            RigWide factor = r != i ? m[r][i] / m[i][i] : 0;
            for (int k = i; k <= n && r != i; k++) {
                m[r][k] -= factor * m[i][k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        u[i] = m[i][n] / m[i][i];
    }
    return true;
}

/* The distance of two parts; 0 where they overlap. The vertices are scaled by `unit` first, about
 * the distance, so that the programme is well posed. */
static inline double rig_programme(const RigBody *a, int i, const RigBody *b, int j, double unit) {
    static RigWide w[RIG_POINTS * RIG_POINTS][4];
    int n = 0, set[5], count = 0;
    RigWide u[5] = {0}, r[4] = {0, 0, 0, -1};
    for (int32_t v = 0; v < b->part[j].vertices; v++) {
        for (int32_t k = 0; k < a->part[i].vertices; k++) {
            Vec3 d = sub(rig_vertex(b, j, v), rig_vertex(a, i, k));
            w[n][0] = d.x / unit, w[n][1] = d.y / unit, w[n][2] = d.z / unit, w[n++][3] = 1;
        }
    }
    for (int step = 0; step < 200; step++) {
        int best = -1;
        RigWide most = 1e-16;
        for (int k = 0; k < n; k++) { /* the gradient, scaled by the length of the column */
            RigWide g = 0, l = 0;
            for (int q = 0; q < 4; q++) {
                g -= w[k][q] * r[q];
                l += w[k][q] * w[k][q];
            }
            if (g > most * rig_root(l)) {
                most = g / rig_root(l);
                best = k;
            }
        }
        if (best < 0 || count == 4) {
            break;
        }
        u[count] = 0;
        set[count++] = best;
        for (;;) {
            RigWide v[5], limit = 1;
            if (!rig_solve(w, set, count, v)) {
                return -1;
            }
            for (int k = 0; k < count; k++) {
                limit = v[k] <= 0 ? rig_smaller(limit, u[k] / (u[k] - v[k])) : limit;
            }
            int kept = 0;
            for (int k = 0; k < count; k++) {
                u[k] += limit * (v[k] - u[k]);
            }
            for (int k = 0; k < count; k++) {
                if (limit >= 1 || u[k] > 1e-30) {
                    u[kept] = u[k];
                    set[kept++] = set[k];
                }
            }
            bool whole = limit >= 1;
            count = kept;
            if (whole) {
                break;
            }
        }
        for (int q = 0; q < 4; q++) {
            r[q] = q == 3 ? -1 : 0;
            for (int k = 0; k < count; k++) {
                r[q] += u[k] * w[set[k]][q];
            }
        }
    }
    RigWide l = rig_root(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    return l > 0 ? (double)(unit * rig_size(r[3]) / l) : 0;
}

#endif
