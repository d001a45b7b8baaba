/* The factorisation by CHOLMOD: supernodal, ordered by METIS, or by minimum degree where that is as
 * good and quicker.
 *
 * Its BLAS may be threaded, and sums that are split among threads round differently. OpenBLAS is
 * therefore told to use one thread during our calls, and as many as before after them; its
 * functions are looked up at run time, since other BLAS libraries lack them. Other threads of the
 * program that happen to be in OpenBLAS at that moment get one thread, too. CHOLMOD itself asks
 * OpenMP for four threads in loops that are far too short for them, so these are switched off as
 * well.
 *
 * METIS draws from rand() after setting a seed of its own: its ordering is always the same, but the
 * program's random numbers would be disturbed. So it gets a state of its own. (A thread of the
 * program that calls rand() during an analysis would draw from that state, and could change the
 * ordering.) */
#define _GNU_SOURCE
#include "linear/factor_backend.h"

#include <cholmod.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* METIS is worth its time from this many columns on. */
enum { METIS_FROM = 3000 };

/* A setting of another library, and how to read and change it; NULL where the library lacks it. */
typedef struct Setting {
    void (*set)(int);
    int (*get)(void);
} Setting;

enum { SETTINGS = 2 };

static const struct {
    const char *set, *get;
    int single; /* its value for a single thread */
} single_thread[SETTINGS] = {
    {"openblas_set_num_threads", "openblas_get_num_threads", 1},
    {"omp_set_max_active_levels", "omp_get_max_active_levels", 0},
};

struct FactorBackend {
    Block self; /* the block that holds this struct */
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *y, *e; /* reused, so that solving allocates nothing */
    Setting setting[SETTINGS];
    char random_state[128];
};

/* One of our matrices as CHOLMOD sees it. */
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
        if (set != NULL && get != NULL) { /* ISO C has no cast from object to function pointers */
            memcpy(&b->setting[i].set, &set, sizeof set);
            memcpy(&b->setting[i].get, &get, sizeof get);
        }
    }
    return b;
}

/* Switches to one thread; `before` gets the settings as they were. */
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

static FactorStatus analyse(FactorBackend **backend, const Sparse *lower, double *entries,
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

static FactorStatus factor_numeric(FactorBackend *b, const Sparse *lower) {
    cholmod_sparse matrix = view(lower);
    int before[SETTINGS];
    begin_single(b, before);
    cholmod_factorize(&matrix, b->factor, &b->common);
    end_single(b, before);
    FactorStatus status = status_of(b);
    bool whole = b->factor->minor == (size_t)lower->columns;
    return status == FACTOR_DONE && !whole ? FACTOR_INDEFINITE : status;
}

static bool solve(FactorBackend *b, const double *right, double *x) {
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

static void free_backend(FactorBackend *b) {
    cholmod_free_factor(&b->factor, &b->common);
    cholmod_free_dense(&b->x, &b->common);
    cholmod_free_dense(&b->y, &b->common);
    cholmod_free_dense(&b->e, &b->common);
    cholmod_finish(&b->common);
    Block self = b->self;
    scr_block_free(&self);
}

const FactorMethod scr_factor_cholmod = {analyse, factor_numeric, solve, free_backend};
