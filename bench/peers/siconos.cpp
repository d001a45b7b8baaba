/* Siconos: its Gauss-Seidel solver on the contact problem of one step, as written by `scree
 * problem`.
 *
 *     siconos PROBLEM SWEEPS...
 *
 * Prints one line of JSON for each number of sweeps, from zero. Making the matrix does not
 * count. */
#include "common.h"

#include <numerics/FrictionContactProblem.h>
#include <numerics/Friction_cst.h>
#include <numerics/NonSmoothDrivers.h>
#include <numerics/NumericsMatrix.h>
#include <numerics/SolverOptions.h>
#include <numerics/SparseBlockMatrix.h>

#include <array>
#include <map>
#include <vector>

using Vector = std::array<double, 3>;
using Block = std::array<double, 9>; /* column by column */

struct Body {
    double mass, inertia, radius; /* the first two are inverse */
    Vector velocity, spin;
};

struct Contact {
    int body[2]; /* a wall is negative */
    Vector axis[3];
    double bias;
};

struct Problem {
    std::vector<Body> bodies;
    std::vector<Contact> contacts;
    double friction;
};

static double dot(const Vector &a, const Vector &b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static Vector cross(const Vector &a, const Vector &b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

static void make_axes(Contact &c) {
    const Vector &n = c.axis[0];
    Vector other = fabs(n[0]) < 0.6 ? Vector{1, 0, 0} : Vector{0, 1, 0};
    Vector t = cross(n, other);
    double length = sqrt(dot(t, t));
    c.axis[1] = {t[0] / length, t[1] / length, t[2] / length};
    c.axis[2] = cross(n, c.axis[1]);
}

static Problem read_problem(const char *path) {
    FILE *f = fopen(path, "r");
    size_t bodies = 0, contacts = 0;
    Problem p;
    if (f == nullptr || fscanf(f, "%zu %zu %lf", &bodies, &contacts, &p.friction) != 3) {
        give_up("no problem", path);
    }
    p.bodies.resize(bodies);
    p.contacts.resize(contacts);
    int bad = 0;
    for (Body &b : p.bodies) {
        Vector &v = b.velocity, &w = b.spin;
        bad += fscanf(f, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", &b.mass, &b.inertia, &b.radius,
                      &v[0], &v[1], &v[2], &w[0], &w[1], &w[2]) != 9;
    }
    for (Contact &c : p.contacts) {
        Vector &n = c.axis[0];
        bad += fscanf(f, "%d %d %lf %lf %lf %lf", &c.body[0], &c.body[1], &n[0], &n[1], &n[2],
                      &c.bias) != 6;
        make_axes(c);
    }
    fclose(f);
    if (bad > 0) {
        give_up("problem ends early", path);
    }
    return p;
}

/* How an impulse at contact c along its axis i changes the velocity and the spin of the body on
 * side s. The normal points from side 0 to side 1, and the impulse acts on side 1; both arms times
 * their sign are r n. */
static void effect(const Problem &p, const Contact &c, int s, int i, Vector &push, Vector &turn) {
    const Body &b = p.bodies[size_t(c.body[s])];
    Vector torque = cross(c.axis[0], c.axis[i]);
    for (int k = 0; k < 3; k++) {
        push[size_t(k)] = (s == 1 ? 1 : -1) * b.mass * c.axis[i][size_t(k)];
        turn[size_t(k)] = -b.inertia * b.radius * torque[size_t(k)];
    }
}

/* The relative velocity at contact c along its axis i that results from a velocity and spin of the
 * body on side s. */
static double share(const Problem &p, const Contact &c, int s, int i, const Vector &v,
                    const Vector &w) {
    double radius = p.bodies[size_t(c.body[s])].radius;
    return (s == 1 ? 1 : -1) * dot(c.axis[i], v) - radius * dot(cross(c.axis[0], c.axis[i]), w);
}

/* The block rows of W: contacts that share a body. */
static std::vector<std::map<size_t, Block>> make_rows(const Problem &p) {
    std::vector<std::vector<std::pair<size_t, int>>> at(p.bodies.size());
    for (size_t k = 0; k < p.contacts.size(); k++) {
        for (int s = 0; s < 2; s++) {
            if (p.contacts[k].body[s] >= 0) {
                at[size_t(p.contacts[k].body[s])].push_back({k, s});
            }
        }
    }
    std::vector<std::map<size_t, Block>> rows(p.contacts.size());
    for (const auto &here : at) {
        for (const auto &[row, s] : here) {
            for (const auto &[column, t] : here) {
                Block &block = rows[row].try_emplace(column, Block{}).first->second;
                for (int j = 0; j < 3; j++) {
                    Vector push, turn;
                    effect(p, p.contacts[column], t, j, push, turn);
                    for (int i = 0; i < 3; i++) {
                        block[size_t(3 * j + i)] += share(p, p.contacts[row], s, i, push, turn);
                    }
                }
            }
        }
    }
    return rows;
}

template <class T> static T *take(size_t count) {
    return static_cast<T *>(calloc(count, sizeof(T)));
}

static NumericsMatrix *make_matrix(const std::vector<std::map<size_t, Block>> &rows) {
    size_t count = rows.size(), blocks = 0, next = 0;
    for (const auto &row : rows) {
        blocks += row.size();
    }
    SparseBlockStructuredMatrix *m = SBM_new();
    m->nbblocks = unsigned(blocks);
    m->blocknumber0 = m->blocknumber1 = unsigned(count);
    m->block = take<double *>(blocks);
    m->blocksize0 = take<unsigned>(count);
    m->blocksize1 = take<unsigned>(count);
    m->filled1 = count + 1;
    m->filled2 = blocks;
    m->index1_data = take<size_t>(count + 1);
    m->index2_data = take<size_t>(blocks);
    for (size_t i = 0; i < count; i++) {
        m->blocksize0[i] = m->blocksize1[i] = unsigned(3 * (i + 1));
        m->index1_data[i] = next;
        for (const auto &[column, block] : rows[i]) {
            m->block[next] = take<double>(9);
            memcpy(m->block[next], block.data(), sizeof block);
            m->index2_data[next++] = column;
        }
    }
    m->index1_data[count] = next;
    return NM_new_SBM(int(3 * count), int(3 * count), m);
}

/* The natural map with rho = 1 over the largest of |q|, |r|, |u|: that of FCLIB and Siconos. */
static double residual(const FrictionContactProblem *f, const std::vector<double> &r) {
    size_t size = r.size();
    std::vector<double> u(f->q, f->q + size);
    NM_gemv(1, f->M, r.data(), 1, u.data());
    double error = 0, scale[3] = {0, 0, 0};
    for (size_t k = 0; k < size; k += 3) {
        double mu = f->mu[k / 3], x[3];
        for (size_t i = 0; i < 3; i++) {
            x[i] = r[k + i] - u[k + i];
            scale[0] += f->q[k + i] * f->q[k + i];
            scale[1] += r[k + i] * r[k + i];
            scale[2] += u[k + i] * u[k + i];
        }
        x[0] -= mu * hypot(u[k + 1], u[k + 2]);
        double t = hypot(x[1], x[2]), normal = x[0];
        if (mu * t <= -normal) {
            x[0] = x[1] = x[2] = 0;
        } else if (t > mu * normal) {
            x[0] = (normal + mu * t) / (1 + mu * mu);
            x[1] *= mu * x[0] / t;
            x[2] *= mu * x[0] / t;
        }
        for (size_t i = 0; i < 3; i++) {
            error += (r[k + i] - x[i]) * (r[k + i] - x[i]);
        }
    }
    return sqrt(error / fmax(fmax(scale[0], scale[1]), scale[2]));
}

static void solve(FrictionContactProblem *f, int sweeps) {
    std::vector<double> r(size_t(3 * f->numberOfContacts)), u(r.size());
    SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-14;
    double begin = cpu_seconds();
    (void)fc3d_driver(f, r.data(), u.data(), options);
    double seconds = cpu_seconds() - begin;
    printf("{\"sweeps\": %d, \"contacts\": %d, \"seconds\": %.6g, \"residual\": %.6g}\n",
           options->iparam[SICONOS_IPARAM_ITER_DONE], f->numberOfContacts, seconds, residual(f, r));
    fflush(stdout);
    solver_options_delete(options);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        give_up(argv[0], "PROBLEM SWEEPS...");
    }
    Problem p = read_problem(argv[1]);
    size_t count = p.contacts.size();
    double *q = take<double>(3 * count), *mu = take<double>(count);
    for (size_t k = 0; k < count; k++) {
        const Contact &c = p.contacts[k];
        mu[k] = p.friction;
        q[3 * k] = c.bias;
        for (int s = 0; s < 2; s++) {
            for (int i = 0; i < 3 && c.body[s] >= 0; i++) {
                const Body &b = p.bodies[size_t(c.body[s])];
                q[3 * k + size_t(i)] += share(p, c, s, i, b.velocity, b.spin);
            }
        }
    }
    FrictionContactProblem *f =
        frictionContactProblem_new_with_data(3, int(count), make_matrix(make_rows(p)), q, mu);
    for (int i = 2; i < argc; i++) {
        solve(f, atoi(argv[i]));
    }
}
