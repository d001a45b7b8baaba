/* The array of disks of Radjai, Schafer, Dippel and Wolf, J. Phys. I France 7 (1997) 1053, with the
 * exact Coulomb law: pushed at one end with N_L, braked at the other with N_0, both acting on the
 * centres (mu'' = 0). Weight, radius and gravity are 1. mu_g is the friction of the plane over the
 * weight.
 *
 * The first converged step from rest already carries the steady forces. That they are the solution
 * is proved without the solver: from its contact states (stick, slip and its sense, open) follows a
 * linear system, solved here by elimination; if its solution satisfies every inequality of the law,
 * it solves the problem. */
#include "rig.h"

typedef struct Array {
    int count; /* disks; number 0 is pushed, the last one is braked */
    double push, brake, mu, mu_plane;
} Array;

static ScreeWorld *make_array(const Array *a) {
    ScreeWorldDef def = rig_def(2, 0.01, rig_vec(0, -1, 0));
    def.solver.tolerance = 1e-14;
    def.solver.iterations = 1000000;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, a->mu);
    int32_t plane = rig_material(world, 1);
    ScreeLaw law = scree_law_default();
    law.friction = a->mu_plane;
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){plane}, &law), "law");
    ScreeWallDef ground = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ground.material.index = plane;
    rig_add_wall(world, &ground);
    for (int i = 0; i < a->count; i++) {
        ScreeBodyDef disk = rig_ball(rig_vec(2 * i, 1, 0), 1, 1);
        disk.force = rig_vec(i == 0 ? a->push : i == a->count - 1 ? -a->brake : 0, 0, 0);
        rig_add_body(world, &disk);
    }
    return world;
}

/* ---------------------------------------------------------------- the independent solution */

/* Effect of a unit force at a contact on the three accelerations of a disk (mass 1, I = 1/2), and
 * equally the part of these in the relative acceleration: the same numbers serve for H and its
 * transpose. Contact c of the view acts on b, and oppositely on a. */
typedef struct Lever {
    int disk;          /* -1: none */
    double n[3], t[3]; /* (x, y, turning) per unit of normal and of tangential force */
} Lever;

typedef struct Active {
    int count;          /* of contacts */
    Lever *lever;       /* two for each */
    double *mu, *n, *t; /* friction; forces of the solver */
    int *state;
    double *matrix; /* 2 count x (2 count + 1), row by row */
} Active;

static Lever lever_of(int disk, double sign, double nx, double ny) {
    /* the point is at sign * -(n) from the centre of b (sign 1) and at +n from that of a (sign -1):
     * torque z of a force f at p is p x f */
    double px = -sign * nx, py = -sign * ny, tx = -ny, ty = nx;
    return (Lever){disk,
                   {sign * nx, sign * ny, sign * (px * ny - py * nx)},
                   {sign * tx, sign * ty, sign * (px * ty - py * tx)}};
}

/* Relative acceleration (along normal or tangent of contact i) per unit force (along normal or
 * tangent of contact j). */
static double coupling(const Active *s, int i, bool ti, int j, bool tj) {
    double sum = 0;
    for (int p = 0; p < 2; p++) {
        for (int q = 0; q < 2; q++) {
            const Lever *a = &s->lever[2 * i + p], *b = &s->lever[2 * j + q];
            if (a->disk < 0 || a->disk != b->disk) {
                continue;
            }
            const double *x = ti ? a->t : a->n, *y = tj ? b->t : b->n;
            sum += x[0] * y[0] + x[1] * y[1] + 2 * x[2] * y[2];
        }
    }
    return sum;
}

/* Relative acceleration without contact forces: gravity, push and brake. */
static double free_acceleration(const Active *s, const Array *a, int i, bool t) {
    double sum = 0;
    for (int p = 0; p < 2; p++) {
        const Lever *l = &s->lever[2 * i + p];
        if (l->disk >= 0) {
            double fx = l->disk == 0 ? a->push : l->disk == a->count - 1 ? -a->brake : 0;
            sum += (t ? l->t[0] : l->n[0]) * fx - (t ? l->t[1] : l->n[1]);
        }
    }
    return sum;
}

static void read_contacts(const ScreeWorld *world, const Array *a, Active *s) {
    ScreeContactView view = scree_world_get_contacts(world);
    s->count = (int)view.count;
    size_t n = view.count;
    s->lever = calloc(2 * n, sizeof *s->lever);
    s->mu = calloc(3 * n, sizeof *s->mu);
    s->state = calloc(n, sizeof *s->state);
    s->matrix = calloc(2 * n * (2 * n + 1), sizeof *s->matrix);
    if (s->lever == NULL || s->mu == NULL || s->state == NULL || s->matrix == NULL) {
        abort();
    }
    s->n = s->mu + n;
    s->t = s->mu + 2 * n;
    for (size_t i = 0; i < n; i++) {
        const ScreeContact *c = &view.contact[i];
        s->lever[2 * i] = lever_of(c->a.index, -1, c->normal.x, c->normal.y);
        s->lever[2 * i + 1] = lever_of(c->b.code < 0 ? -1 : c->b.code, 1, c->normal.x, c->normal.y);
        s->mu[i] = c->b.code < 0 ? a->mu_plane : a->mu;
        s->n[i] = c->normal_impulse / view.time_step;
        s->t[i] = (c->tangential_impulse.y * c->normal.x - c->tangential_impulse.x * c->normal.y) /
                  view.time_step;
        s->state[i] = c->state;
    }
}

/* Gaussian elimination with row pivots; returns the smallest pivot over the largest. */
static double eliminate(double *m, int n) {
    int width = n + 1;
    double least = INFINITY, most = 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(m[i * width + k]) > fabs(m[best * width + k]) ? i : best;
        }
        for (int j = 0; j < width; j++) {
            double old = m[k * width + j];
            m[k * width + j] = m[best * width + j];
            m[best * width + j] = old;
        }
        double pivot = m[k * width + k];
        least = fmin(least, fabs(pivot));
        most = fmax(most, fabs(pivot));
        for (int i = 0; i < n; i++) {
            double factor = i != k ? m[i * width + k] / pivot : 0;
            for (int j = k; j < width && factor != 0; j++) {
                m[i * width + j] -= factor * m[k * width + j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        m[k * width + n] /= m[k * width + k];
    }
    return least / most;
}

/* Unknowns: N_i, T_i. Closed contacts have no normal acceleration; sticking ones no tangential one;
 * sliding ones T = +-mu N; open ones no force. */
static void fill_system(Active *s, const Array *a) {
    int n = s->count, width = 2 * n + 1;
    for (int i = 0; i < n; i++) {
        double *normal = s->matrix + (size_t)(2 * i) * (size_t)width, *tangent = normal + width;
        bool open = s->state[i] == SCREE_CONTACT_OPEN, stick = s->state[i] == SCREE_CONTACT_STICK;
        for (int j = 0; j < n; j++) {
            normal[2 * j] = open ? 0 : coupling(s, i, false, j, false);
            normal[2 * j + 1] = open ? 0 : coupling(s, i, false, j, true);
            tangent[2 * j] = stick ? coupling(s, i, true, j, false) : 0;
            tangent[2 * j + 1] = stick ? coupling(s, i, true, j, true) : 0;
        }
        normal[2 * n] = open ? 0 : -free_acceleration(s, a, i, false);
        tangent[2 * n] = stick ? -free_acceleration(s, a, i, true) : 0;
        if (open) {
            normal[2 * i] = 1;
        }
        if (!stick) {
            tangent[2 * i + 1] = 1;
            tangent[2 * i] = open ? 0 : s->t[i] > 0 ? -s->mu[i] : s->mu[i];
        }
    }
}

/* Checks the law at every contact for the forces in the last column. */
static void check_law(const Active *s, const Array *a) {
    int n = s->count, width = 2 * n + 1;
    for (int i = 0; i < n; i++) {
        double un = free_acceleration(s, a, i, false), ut = free_acceleration(s, a, i, true);
        double N = s->matrix[(2 * i) * width + 2 * n], T = s->matrix[(2 * i + 1) * width + 2 * n];
        for (int j = 0; j < n; j++) {
            double Nj = s->matrix[(2 * j) * width + 2 * n],
                   Tj = s->matrix[(2 * j + 1) * width + 2 * n];
            un += coupling(s, i, false, j, false) * Nj + coupling(s, i, false, j, true) * Tj;
            ut += coupling(s, i, true, j, false) * Nj + coupling(s, i, true, j, true) * Tj;
        }
        CHECK(N >= -1e-12 && un >= -1e-12 && fabs(N * un) <= 1e-12);
        CHECK(fabs(T) <= s->mu[i] * N + 1e-12);
        CHECK(T * ut <= 1e-12); /* friction resists */
        CHECK(fabs(ut) <= 1e-12 ||
              fabs(fabs(T) - s->mu[i] * N) <= 1e-12); /* and is full where it slides */
        CHECK_NEAR(s->n[i], N, 1e-9);
        CHECK_NEAR(s->t[i], T, 1e-9);
    }
}

/* mu_g by the solver and by elimination. */
static double run_array(const Array *a) {
    ScreeWorld *world = make_array(a);
    ScreeReport report = rig_step(world);
    double mu_g = rig_wall(world, 0).load.x / a->count;
    CHECK(report.residual < 1e-12);
    /* eq 3: what is left of the drive accelerates the whole array */
    double v = scree_world_get_bodies(world).velocity[0].x;
    CHECK_CLOSE(a->push - a->brake - mu_g * a->count, a->count * v / 0.01, 1e-9);
    CHECK_NEAR(scree_world_get_bodies(world).velocity[a->count - 1].x, v, 1e-12);
    Active s;
    read_contacts(world, a, &s);
    fill_system(&s, a);
    double pivots = eliminate(s.matrix, 2 * s.count);
    CHECK(pivots > 1e-8); /* the forces are unique for these states */
    check_law(&s, a);
    double friction = 0;
    int n = s.count, slide = 0;
    for (int i = 0; i < n; i++) {
        bool plane = s.lever[2 * i + 1].disk < 0;
        /* n points down at the plane, so its tangent (-n.y, n.x) is +x, and the force on the plane
         * acts along the motion */
        friction += plane ? s.matrix[(2 * i + 1) * (2 * n + 1) + 2 * n] : 0;
        slide += s.state[i] == SCREE_CONTACT_SLIP;
    }
    CHECK_CLOSE(mu_g, friction / a->count, 1e-6);
    printf("       %d disks, N_L %.3g: mu_g %.10f, %d of %d contacts slide, %lld sweeps, residual "
           "%.1e\n",
           a->count, a->push, mu_g, slide, n, (long long)report.iterations, report.residual);
    /* the second step carries the same forces: the state is steady */
    rig_step(world);
    CHECK_CLOSE(rig_wall(world, 0).load.x / a->count, mu_g, 1e-6);
    free(s.lever);
    free(s.mu);
    free(s.state);
    free(s.matrix);
    scree_world_destroy(world);
    return mu_g;
}

static void ten_disks_have_the_exact_friction(void) {
    const Array a = {10, 2.5, 0.01, 0.1, 0.2};
    CHECK_CLOSE(run_array(&a), 0.16395168, 1e-6);
}

static void friction_of_thirty_disks_grows_with_the_drive(void) {
    static const double push[] = {1, 3, 5};
    /* independent values for end blocks with the small friction 0.001 */
    static const double with_blocks[] = {0.02803511, 0.07451841, 0.09354283};
    double last = 0;
    for (int i = 0; i < 3; i++) {
        const Array a = {30, push[i], 0.01, 0.04, 0.1};
        double mu_g = run_array(&a);
        CHECK(mu_g > last && mu_g < 0.1); /* grows with the drive, up to mu' */
        CHECK_CLOSE(mu_g, with_blocks[i], 1e-3);
        last = mu_g;
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(ten_disks_have_the_exact_friction);
    CHECK_RUN(friction_of_thirty_disks_grows_with_the_drive);
    return check_result();
}
