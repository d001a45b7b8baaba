#include "measure/tensor.h"

Tensor scr_deviatoric(const Tensor *t, int d) {
    Tensor made = {{0}};
    double mean = tensor_trace(t) / d;
    for (int i = 0; i < d; i++) {
        for (int k = 0; k < d; k++) {
            made.at[3 * i + k] = 0.5 * (t->at[3 * i + k] + t->at[3 * k + i]) - (i == k ? mean : 0);
        }
    }
    return made;
}

/* In the plane the deviatoric part has the principal values q and -q, so s : s = 2 q^2. */
double scr_deviator(const Tensor *t, int d) {
    Tensor s = scr_deviatoric(t, d);
    return sqrt((d == 2 ? 0.5 : 1.5) * tensor_product(&s, &s));
}

/* One Jacobi rotation of the symmetric matrix m, in the plane of axes p and q, and of v. */
static void rotate(double m[3][3], double v[3][3], int p, int q) {
    if (m[p][q] == 0) {
        return;
    }
    double half = 0.5 * scr_atan2(2 * m[p][q], m[p][p] - m[q][q]), c = scr_cos(half),
           s = scr_sin(half);
    for (int k = 0; k < 3; k++) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a + s * b;
        m[k][q] = c * b - s * a;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a + s * b;
        m[q][k] = c * b - s * a;
        a = v[k][p];
        b = v[k][q];
        v[k][p] = c * a + s * b;
        v[k][q] = c * b - s * a;
    }
    m[p][q] = m[q][p] = 0;
}

Vec3 scr_largest_direction(const Tensor *t, int d) {
    Tensor s = scr_deviatoric(t, d);
    double m[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = s.at[i];
    }
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate(m, v, 0, 1);
        if (d == 3) {
            rotate(m, v, 0, 2);
            rotate(m, v, 1, 2);
        }
    }
    int best = 0, next = -1;
    for (int k = 1; k < d; k++) {
        best = m[k][k] > m[best][best] ? k : best;
    }
    for (int k = 0; k < d; k++) {
        next = k != best && (next < 0 || m[k][k] > m[next][next]) ? k : next;
    }
    double size = fabs(tensor_trace(t)) + sqrt(tensor_product(&s, &s));
    if (!(m[best][best] - m[next][next] > 1e-12 * size)) {
        return vec3(0, 0, 0);
    }
    Vec3 n = vec3(v[0][best], v[1][best], v[2][best]);
    double lead = fabs(n.x) >= fabs(n.y) ? n.x : n.y;
    lead = fabs(n.z) > fabs(lead) ? n.z : lead;
    return lead < 0 ? scale(-1, n) : n;
}
