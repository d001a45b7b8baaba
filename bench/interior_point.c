/* The interior-point solver, as a program of its own:
 *     bench_interior_point scaling plane|space MOST    iterations and cost against the size
 *     bench_interior_point campaign COUNT [FIRST]      random problems with a solution
 *     bench_interior_point sample COUNT                some of them with their solutions, as JSON
 *
 * Scaling: a heap of disks on a triangular lattice, or of balls on a face-centred cubic one, of
 * slightly different sizes in a box, with gaps of up to a thousandth of the diameter and friction
 * 0.5. Each size is solved rigid, with masses (one time step of falling) and in the static
 * limit. */
#include "base/clock.h"
#include "bench/random_problems.h"
#include "interior/point.h"

#include <stdio.h>

/* --- the heap --- */

/* Sites of the lattice: in the plane (x, y) with x + y even, half a diameter and half of its root
 * of three apart; in space (x, y, z) with x + y + z even, a diameter over the root of two apart. */
typedef struct Heap {
    bool plane;
    int32_t sites[3];
    int32_t *body; /* [sites] or -1 */
    int32_t bodies;
    size_t contacts, entries;
    SparseEntry *entry;
    double *gap; /* [contacts] */
    bool *wall;
} Heap;

static int32_t body_at(const Heap *h, const int32_t *at) {
    for (int k = 0; k < 3; k++) {
        if (at[k] < 0 || at[k] >= h->sites[k]) {
            return -1;
        }
    }
    return h->body[(at[2] * h->sites[1] + at[1]) * h->sites[0] + at[0]];
}

static double radius_of(int32_t body) {
    return 0.5 - 0.0005 * scr_random_unit(1, (uint64_t)body);
}

/* A contact of body b with a (-1: a wall); n is the unit normal from a to b. */
static void add_contact(Heap *h, int32_t a, int32_t b, const double *n, double gap) {
    int32_t block = h->plane ? 2 : 3, per = h->plane ? 3 : 6;
    int32_t column = (int32_t)h->contacts * block;
    double axis[3][3] = {{n[0], n[1], n[2]}};
    axes_across(h->plane, axis);
    for (int side = 0; side < 2; side++) {
        int32_t body = side == 0 ? b : a;
        double sign = side == 0 ? 1 : -1, arm = body < 0 ? 0 : -sign * radius_of(body);
        for (int32_t k = 0; k < block && body >= 0; k++) {
            const double *t = axis[k];
            for (int32_t i = 0; i < block; i++) {
                h->entry[h->entries++] = (SparseEntry){body * per + i, column + k, sign * t[i]};
            }
            for (int32_t i = h->plane ? 2 : 0; i < 3; i++) {
                double turn = n[(i + 1) % 3] * t[(i + 2) % 3] - n[(i + 2) % 3] * t[(i + 1) % 3];
                int32_t row = body * per + (h->plane ? 2 : 3 + i);
                h->entry[h->entries++] = (SparseEntry){row, column + k, sign * arm * turn};
            }
        }
    }
    h->gap[h->contacts] = gap;
    h->wall[h->contacts++] = a < 0;
}

/* The contacts of one site with those neighbours that precede it, with the floor and with the
 * sides. */
static void add_contacts_of(Heap *h, const int32_t *at) {
    static const int32_t step[2][6][3] = {
        {{-2, 0, 0}, {-1, -1, 0}, {1, -1, 0}},
        {{-1, -1, 0}, {1, -1, 0}, {-1, 0, -1}, {1, 0, -1}, {0, -1, -1}, {0, 1, -1}}};
    double root = sqrt(0.5), apart[3] = {root, root, root};
    if (h->plane) {
        apart[0] = 0.5;
        apart[1] = sqrt(0.75);
    }
    int32_t b = body_at(h, at);
    for (int k = 0; k < (h->plane ? 3 : 6); k++) {
        const int32_t *s = step[h->plane ? 0 : 1][k];
        const int32_t to[3] = {at[0] + s[0], at[1] + s[1], at[2] + s[2]};
        int32_t a = body_at(h, to);
        const double n[3] = {-s[0] * apart[0], -s[1] * apart[1], -s[2] * apart[2]};
        if (a >= 0) {
            add_contact(h, a, b, n, 1 - radius_of(a) - radius_of(b));
        }
    }
    int up = h->plane ? 1 : 2;
    for (int k = 0; k <= up; k++) {
        for (int end = 0; end < (k == up ? 1 : 2); end++) {
            if (at[k] == (end == 0 ? 0 : h->sites[k] - 1)) {
                double n[3] = {0};
                n[k] = end == 0 ? 1 : -1;
                add_contact(h, -1, b, n, 0.5 - radius_of(b));
            }
        }
    }
}

/* A heap with about this many contacts. */
static void make_heap(Heap *h, bool plane, double contacts) {
    int32_t side = plane ? (int32_t)sqrt(contacts / 3) : (int32_t)cbrt(contacts / 6 * 2);
    *h = (Heap){.plane = plane, .sites = {plane ? 2 * side + 1 : side | 1, side | 1, 1}};
    h->sites[2] = plane ? 1 : side;
    int32_t all = h->sites[0] * h->sites[1] * h->sites[2];
    h->body = malloc((size_t)all * sizeof *h->body);
    for (int32_t i = 0; i < all; i++) {
        int32_t x = i % h->sites[0], y = i / h->sites[0] % h->sites[1];
        int32_t z = i / (h->sites[0] * h->sites[1]);
        h->body[i] = (x + y + z) % 2 == 0 ? h->bodies++ : -1;
    }
    size_t most = (size_t)h->bodies * (plane ? 6 : 11);
    h->entry = malloc(most * (plane ? 12 : 36) * sizeof *h->entry);
    h->gap = malloc(most * sizeof *h->gap);
    h->wall = malloc(most * sizeof *h->wall);
    for (int32_t i = 0; i < all; i++) {
        const int32_t at[3] = {i % h->sites[0], i / h->sites[0] % h->sites[1],
                               i / (h->sites[0] * h->sites[1])};
        if (h->body[i] >= 0) {
            add_contacts_of(h, at);
        }
    }
}

/* With masses: gravity is 1, and the time step is such that a grain falls by a thousandth. v are
 * displacements and M is mass over time step squared, so that f is the weight. */
static bool heap_problem(MatrixProblem *p, const Heap *h, bool masses) {
    int32_t block = h->plane ? 2 : 3, per = h->plane ? 3 : 6, n = h->bodies * per;
    SparseEntry *mass = malloc((size_t)n * sizeof *mass);
    bool fine = scr_matrix_problem_begin(p, block, h->contacts, (size_t)n, true, false);
    p->global = true;
    for (int32_t i = 0; i < n; i++) {
        double r = radius_of(i / per), m = r * r * (h->plane ? 1 : r);
        bool turns = i % per >= block;
        mass[i] = (SparseEntry){i, i, 1000 * m * (turns ? (h->plane ? 0.5 : 0.4) * r * r : 1)};
        p->f[i] = i % per == block - 1 ? -m : 0;
    }
    fine = fine && scr_sparse_gather(&p->mass, n, n, mass, masses ? (size_t)n : 0) &&
           scr_sparse_gather(&p->h, n, block * (int32_t)h->contacts, h->entry, h->entries);
    for (size_t c = 0; c < h->contacts; c++) {
        p->w[c * (size_t)block] = h->gap[c];
        p->mu[c] = h->wall[c] ? 0.3 : 0.5;
    }
    free(mass);
    return fine;
}

static void free_heap(Heap *h) {
    free(h->body);
    free(h->entry);
    free(h->gap);
    free(h->wall);
}

static int scaling(bool plane, double most) {
    printf("%-8s %9s %9s %8s %10s %10s %12s %9s\n", "", "contacts", "freedoms", "status",
           "iterations", "seconds", "of factoring", "GFlop");
    for (double size = 100; size <= most * 1.01; size *= sqrt(10)) {
        for (int masses = 1; masses >= 0; masses--) {
            Heap heap;
            MatrixProblem p = {0};
            InteriorWork work = {0};
            const InteriorPointSettings settings = scr_interior_point_settings();
            make_heap(&heap, plane, size);
            if (!heap_problem(&p, &heap, masses == 1)) {
                return 1;
            }
            double begin = scr_seconds();
            InteriorPointReport report = scr_interior_point(&work, &p, &settings, NULL, NULL, NULL);
            double all = scr_seconds() - begin;
            begin = scr_seconds();
            FactorStatus again = scr_interior_factor(&work.system); /* the last one again */
            double one = scr_seconds() - begin;
            printf("%-8s %9zu %9d %8s %10d %10.3f %12.2f %9.3g\n",
                   masses == 1 ? "masses" : "static", p.contacts, p.h.rows,
                   report.status == INTERIOR_SOLVED ? "solved" : "NOT", report.iterations, all,
                   again == FACTOR_DONE ? one * (report.iterations + 1) / all : 0,
                   1e-9 * work.system.factor.flops);
            fflush(stdout);
            scr_interior_work_free(&work);
            scr_matrix_problem_free(&p);
            free_heap(&heap);
        }
    }
    return 0;
}

/* --- the campaign --- */

static RandomKind kind_of(int i) {
    int bodies = 5 + i % 41;
    return (RandomKind){
        (int[]){2, 3, 5}[i % 3], bodies,          bodies * (2 + i / 3 % 5), /* few to hyperstatic */
        i / 15 % 2 == 1,         i / 30 % 2 == 1, 2.0 * (i / 60 % 5)};
}

static int campaign(int first, int count) {
    const InteriorPointSettings settings = scr_interior_point_settings();
    int solved = 0, nearly = 0, others = 0, most = 0;
    double sum = 0;
    InteriorWork work = {0};
    for (int i = first; i < first + count; i++) {
        const RandomKind kind = kind_of(i);
        MatrixProblem p = {0};
        if (!random_problem(&p, &kind, (uint64_t)i)) {
            return 1;
        }
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, NULL, NULL, NULL);
        solved += report.status == INTERIOR_SOLVED;
        nearly += report.status == INTERIOR_NEARLY;
        if (report.status != INTERIOR_SOLVED) {
            others += report.status != INTERIOR_NEARLY;
            printf("problem %d (block %d, %d bodies, %d contacts%s%s, %g decades): %s; errors %.1e "
                   "%.1e %.1e\n",
                   i, kind.block, kind.bodies, kind.contacts, kind.statical ? ", static" : "",
                   kind.compliant ? ", compliant" : "", kind.decades, report.reason,
                   report.errors.momentum, report.errors.kinematics, report.errors.gap);
        }
        sum += report.iterations;
        most = report.iterations > most ? report.iterations : most;
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
    printf("%d problems: %d solved, %d within a hundred tolerances, %d not; iterations %.1f in the "
           "mean, %d at most\n",
           count, solved, nearly, others, sum / count, most);
    return others > 0;
}

static void print_vector(const char *name, const double *x, size_t count) {
    printf(", \"%s\": [", name);
    for (size_t i = 0; x != NULL && i < count; i++) {
        printf("%s%.17g", i > 0 ? ", " : "", x[i]);
    }
    printf("]");
}

static void print_matrix(const char *name, const Sparse *a) {
    printf(", \"%s\": [", name);
    for (int32_t j = 0; j < a->columns; j++) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            printf("%s[%d, %d, %.17g]", k > 0 ? ", " : "", a->row[k], j, a->value[k]);
        }
    }
    printf("]");
}

/* One problem of each kind without a spread of scales, and its solution, on one line. */
static int sample(int count) {
    InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    settings.tolerance = 1e-11;
    for (int i = 0; i < count; i++) {
        RandomKind kind = kind_of(5 * i);
        kind.bodies = 5 + i % 7;
        kind.contacts = 4 * kind.bodies;
        kind.decades = 0;
        MatrixProblem p = {0};
        if (!random_problem(&p, &kind, (uint64_t)i)) {
            return 1;
        }
        size_t m = scr_matrix_rows(&p), n = (size_t)p.h.rows;
        double *r = malloc((m + n) * sizeof *r), *v = r + m;
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, r, NULL, v);
        printf("{\"block\": %d, \"solved\": %s, \"iterations\": %d", p.block,
               report.status <= INTERIOR_NEARLY ? "true" : "false", report.iterations);
        print_matrix("mass", &p.mass);
        print_matrix("h", &p.h);
        print_vector("f", p.f, n);
        print_vector("w", p.w, m);
        print_vector("mu", p.mu, p.contacts);
        print_vector("rolling", p.rolling, p.contacts);
        print_vector("compliance", p.compliance, m);
        print_vector("r", r, m);
        print_vector("v", v, n);
        printf("}\n");
        free(r);
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "scaling") == 0) {
        return scaling(strcmp(argv[2], "plane") == 0, atof(argv[3]));
    }
    if ((argc == 3 || argc == 4) && strcmp(argv[1], "campaign") == 0) {
        return campaign(argc == 4 ? atoi(argv[3]) : 0, atoi(argv[2]));
    }
    if (argc == 3 && strcmp(argv[1], "sample") == 0) {
        return sample(atoi(argv[2]));
    }
    fprintf(stderr, "usage: %s scaling plane|space MOST | campaign COUNT [FIRST] | sample COUNT\n",
            argv[0]);
    return 2;
}
