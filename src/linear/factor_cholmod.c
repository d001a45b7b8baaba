/* The factorisation by CHOLMOD: supernodal, ordered by METIS, or by minimum degree where that is as
 * good and quicker.
 *
 * Its BLAS may be a threaded one, and sums that are split over threads round differently. OpenBLAS
 * is therefore told to work with one thread before each factorisation; the name is looked up at run
 * time, as other libraries of BLAS have none. */
#define _GNU_SOURCE
#include "linear/factor_backend.h"

#include <cholmod.h>
#include <dlfcn.h>
#include <string.h>

const char scr_backend_name[] = "cholmod";

/* From so many columns on METIS is worth its time. */
enum { METIS_FROM = 3000 };

struct FactorBackend {
    Block self; /* where this struct lives */
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *y, *e; /* kept between solutions, so that these allocate nothing */
    void (*set_threads)(int); /* NULL: no such function */
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
    void *symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    memcpy(&b->set_threads, &symbol, sizeof symbol); /* ISO C casts no object to a function */
    return b;
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
    b->factor = cholmod_analyze(&matrix, &b->common);
    *entries = b->common.lnz;
    *flops = b->common.fl;
    return b->factor != NULL ? status_of(b) : FACTOR_NO_MEMORY;
}

FactorStatus scr_backend_numeric(FactorBackend *b, const Sparse *lower) {
    cholmod_sparse matrix = view(lower);
    if (b->set_threads != NULL) {
        b->set_threads(1);
    }
    cholmod_factorize(&matrix, b->factor, &b->common);
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
    if (!cholmod_solve2(CHOLMOD_A, b->factor, &given, NULL, &b->x, NULL, &b->y, &b->e,
                        &b->common)) {
        return false;
    }
    if (n > 0) {
        memcpy(x, b->x->x, n * sizeof *x);
    }
    return true;
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
