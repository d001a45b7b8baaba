/* Chains of impacts that the solution of the step has disturbed, in a world that processes share. */
#include "dynamics/share_chains.h"

#include "base/status.h"
#include "dynamics/chain_world.h"

#include <stdlib.h>

/* What all processes have to say, in rising order. */
typedef struct Names {
    double *name;
    size_t count;
    Block block;
} Names;

static int compare_names(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static bool add_name(ChainWorld *w, int32_t name) {
    double *record = scr_trade_add(&w->reply, 0);
    if (record != NULL) {
        *record = name;
    }
    return record != NULL;
}

static bool gather_names(const Cascade *c, Names *all) {
    const Trade *own = &c->all->world->reply;
    all->name =
        scr_gather_records(c->task->share->with, own->out, own->count, 1, &all->count, &all->block);
    if (all->name != NULL) {
        qsort(all->name, all->count, sizeof *all->name, compare_names);
    }
    return all->name != NULL;
}

/* Binds the chains that any process has bound. */
static bool bind_all(const Cascade *c, Names *names) {
    Impacts *all = c->all;
    bool ok = true;
    scr_trade_begin(&all->world->reply, 1);
    for (size_t k = 0; k < all->flyers && ok; k++) {
        ok = !all->flyer[k].bound || add_name(all->world, all->flyer[k].known);
    }
    ok = ok && gather_names(c, names);
    for (size_t k = 0; k < all->flyers && ok; k++) {
        const double known = all->flyer[k].known;
        all->flyer[k].bound =
            bsearch(&known, names->name, names->count, sizeof known, compare_names) != NULL;
    }
    return ok;
}

/* Who only sees a body has no row of it, and does not know of its chain. */
static bool ban_all(const Cascade *c, Names *names) {
    const Share *s = c->task->share;
    Impacts *all = c->all;
    bool ok = true;
    scr_trade_begin(&all->world->reply, 1);
    for (size_t k = 0; k < all->flyers && ok; k++) {
        const Flyer *f = &all->flyer[k];
        const bool banned = f->hits > 0 && f->bound && (size_t)f->body < c->state->bodies.count;
        ok = !banned || add_name(all->world, scr_chain_code(c, f->body));
    }
    ok = ok && gather_names(c, names);
    for (size_t i = 0; ok && i < names->count; i++) {
        const int32_t place = s->place[(size_t)names->name[i]];
        if (place >= 0) {
            all->banned[place] = true;
        }
    }
    all->bans += ok ? names->count : 0;
    return ok;
}

ScreeStatus scr_share_bans(const Cascade *c) {
    Names names = {.count = 0};
    const bool ok = bind_all(c, &names) && ban_all(c, &names);
    scr_block_free(&names.block);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}
