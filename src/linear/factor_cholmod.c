/* The factorisation by CHOLMOD: supernodal, ordered by METIS, or by minimum degree where that is as
 * good and quicker.
 *
 * Its BLAS may be a threaded one, and sums that are split over threads round differently. OpenBLAS
 * is therefore told to work with one thread during our calls, and with as many as before after
 * them; the names are looked up at run time, as other libraries of BLAS have none. Other threads of
 * the program that are in OpenBLAS at that moment get one thread too. CHOLMOD itself asks OpenMP
 * for four threads in loops that are far too short for them: these are switched off likewise.
 *
 * METIS draws from rand(), after a seed of its own: its ordering is always the same, but the random
 * numbers of the program would be disturbed. So it gets a state of its own. (A thread of the
 * program that calls rand() during an analysis would draw from that, and could change the
 * ordering.) */
#define _GNU_SOURCE
#include "linear/factor_backend.h"

#include <cholmod.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

const char scr_backend_name[] = "cholmod";

/* From so many columns on METIS is worth its time. */
enum { METIS_FROM = 3000 };

/* A setting of another library and how to change it; NULL where it has none. */
typedef struct Setting {
    void (*set)(int);
    int (*get)(void);
} Setting;

enum { SETTINGS = 2 };

static const struct {
    const char *set, *get;
    int single; /* its value for one thread */
} single_thread[SETTINGS] = {
    {"openblas_set_num_threads", "openblas_get_num_threads", 1},
    {"omp_set_max_active_levels", "omp_get_max_active_levels", 0},
};

struct FactorBackend {
    Block self; /* where this struct lives */
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *y, *e; /* kept between solutions, so that these allocate nothing */
    Setting setting[SETTINGS];
    char random_state[128];
};

/* CHOLMOD's view of a matrix of ours. */
static cholmod_sparse view(const Sparse *a) {
    return (cholmod_sparse){
        .nrow = (size_t)a->rows,
        .ncol = (size_t)a->columns,
        .nzmax = (size_t)a->start[a->columns],
        .p = a->start,
        .i = a->row,
        .x = a->value,
        .stype = -1, /* lower triangle */
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static FactorBackend *create(void) {
    Block self = {0};
    if (!scr_block_reserve_exact(&self, 1, sizeof(FactorBackend), 0)) {
        return NULL;
    }
    FactorBackend *b = self.data;
    *b = (FactorBackend){.self = self};
    cholmod_start(&b->common);
    b->common.print = 0;
    b->common.supernodal = CHOLMOD_SUPERNODAL;
    b->common.nmethods = 1;
    b->common.postorder = 1;
    b->common.quick_return_if_not_posdef = 1;
    for (int i = 0; i < SETTINGS; i++) {
        void *set = dlsym(RTLD_DEFAULT, single_thread[i].set);
        void *get = dlsym(RTLD_DEFAULT, single_thread[i].get);
        if (set != NULL && get != NULL) { /* ISO C casts no object to a function */
            memcpy(&b->setting[i].set, &set, sizeof set);
            memcpy(&b->setting[i].get, &get, sizeof get);
        }
    }
    return b;
}

/* One thread; `before` takes what was set. */
static void begin_single(const FactorBackend *b, int before[SETTINGS]) {
    for (int i = 0; i < SETTINGS; i++) {
        before[i] = b->setting[i].get != NULL ? b->setting[i].get() : single_thread[i].single;
        if (before[i] != single_thread[i].single) {
            b->setting[i].set(single_thread[i].single);
        }
    }
}

static void end_single(const FactorBackend *b, const int before[SETTINGS]) {
    for (int i = 0; i < SETTINGS; i++) {
        if (before[i] != single_thread[i].single) {
            b->setting[i].set(before[i]);
        }
    }
}

static FactorStatus status_of(const FactorBackend *b) {
    if (b->common.status == CHOLMOD_OK || b->common.status == CHOLMOD_DSMALL) {
        return FACTOR_DONE;
    }
    return b->common.status == CHOLMOD_NOT_POSDEF ? FACTOR_INDEFINITE : FACTOR_NO_MEMORY;
}

FactorStatus scr_backend_analyse(FactorBackend **backend, const Sparse *lower, double *entries,
                                 double *flops) {
    if (*backend == NULL) {
        *backend = create();
    }
    FactorBackend *b = *backend;
    if (b == NULL) {
        return FACTOR_NO_MEMORY;
    }
    cholmod_free_factor(&b->factor, &b->common);
    cholmod_sparse matrix = view(lower);
    b->common.method[0].ordering = lower->columns >= METIS_FROM ? CHOLMOD_METIS : CHOLMOD_AMD;
    char *kept = initstate(1, b->random_state, sizeof b->random_state);
    b->factor = cholmod_analyze(&matrix, &b->common);
    (void)setstate(kept);
    *entries = b->common.lnz;
    *flops = b->common.fl;
    return b->factor != NULL ? status_of(b) : FACTOR_NO_MEMORY;
}

FactorStatus scr_backend_numeric(FactorBackend *b, const Sparse *lower) {
    cholmod_sparse matrix = view(lower);
    int before[SETTINGS];
    begin_single(b, before);
    cholmod_factorize(&matrix, b->factor, &b->common);
    end_single(b, before);
    FactorStatus status = status_of(b);
    bool whole = b->factor->minor == (size_t)lower->columns;
    return status == FACTOR_DONE && !whole ? FACTOR_INDEFINITE : status;
}

bool scr_backend_solve(FactorBackend *b, const double *right, double *x) {
    size_t n = b->factor->n;
    cholmod_dense given = {.nrow = n,
                           .ncol = 1,
                           .nzmax = n,
                           .d = n,
                           .x = (void *)(uintptr_t)right, /* read only */
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    int before[SETTINGS];
    begin_single(b, before);
    bool solved =
        cholmod_solve2(CHOLMOD_A, b->factor, &given, NULL, &b->x, NULL, &b->y, &b->e, &b->common);
    end_single(b, before);
    if (solved && n > 0) {
        memcpy(x, b->x->x, n * sizeof *x);
    }
    return solved;
}

void scr_backend_free(FactorBackend *b) {
    cholmod_free_factor(&b->factor, &b->common);
    cholmod_free_dense(&b->x, &b->common);
    cholmod_free_dense(&b->y, &b->common);
    cholmod_free_dense(&b->e, &b->common);
    cholmod_finish(&b->common);
    Block self = b->self;
    scr_block_free(&self);
}
