/* A step that does not converge is thrown away and made in two halves; a half that does not converge
 * in quarters, and these in eighths.
 *
 * Where sweeps, Newton's method and the last resort all fail, bodies fly into a packing that wedges:
 * impulses a hundred times those of the free motion hold each other, and depend on which contacts
 * close first. Shorter steps let them close one after the other. All strides together may once more
 * cost what the last resort of a step may.
 *
 * When the solver gives up, nothing has moved. What is left of the try are its candidates with the
 * impulses of the step before, which the halves begin with as well; where a law remembers, contacts
 * are put back as they were.
 *
 * To whoever makes the step it is one: one certificate, the clock goes on once, walls report their
 * mean loads. Errors are allowed once as well: what contacts may close by in the step is shared out
 * (StepParams.whole). Only the certificate's `strides` tells. A step that no halves cure is not
 * tried for ever: once a stride of an eighth has not converged it is taken as it is, what is left of
 * the step is made in one, and the certificate says that the step has not converged.
 *
 * The strides of a step have contacts of their own. Those of the last one are the contacts after the
 * step, and to their impulses those of the same contacts in the strides before are added; contacts
 * that parted before come after them. So impulses make up all momentum that was passed on in the
 * step. Laws that remember keep what they had in the last stride, with its time. */
#include "dynamics/halves.h"

#include "dynamics/bonds.h"
#include "dynamics/carry.h"

#include <stdlib.h>
#include <string.h>

/* The shortest stride. */
enum { EIGHTH = 1, WHOLE = 8 * EIGHTH };

/* A solution is kept, and reported as it is, that is good enough for anyone who asks for nothing: halves would change it
 * by far more than it lacks. So is one that only rounding keeps from being better: no contact misses its law by more than
 * that, nor closes by more than it may. */
bool scr_is_to_be_halved(const StepTask *t, const ScreeReport *report) {
    const State *s = t->state;
    const ScreeSolverDef *solver = &s->def.solver;
    const bool may = solver->method == SCREE_METHOD_AUTO &&
                     solver->criterion == SCREE_CRITERION_RESIDUAL &&
                     !scr_is_variational(&s->def) && !s->def.signed_gap;
    if (!may || report->converged) {
        return false;
    }
    const ResidualLimits own = scr_residual_limits(t), usual = scr_usual_limits(t);
    if (scr_report_excess(t, &own, report) <= 1) {
        return true; /* contacts are lacking, or an impact is not settled */
    }
    const bool rounds =
        report->velocity_error == 0 && report->overlap_added <= usual.approach * t->with->time_step;
    return !rounds && scr_report_excess(t, &usual, report) > 1;
}

/* ---------------------------------------------------------------- loads */

/* What is a mean over the time of the step: the loads of walls and the stress of the cell. */
static size_t means(const State *s) {
    return 6 * s->walls.count + sizeof s->cell.stress / sizeof s->cell.stress[0];
}

static double *mean_of(State *s, size_t i) {
    const size_t walls = 6 * s->walls.count;
    if (i >= walls) {
        return &s->cell.stress[i - walls];
    }
    ScreeWallState *w = &s->walls.item[i / 6];
    double *of[] = {&w->load.x,        &w->load.y,        &w->load.z,
                    &w->load_torque.x, &w->load_torque.y, &w->load_torque.z};
    return of[i % 6];
}

static void add_means(State *s, double part, double *sum) {
    for (size_t i = 0; i < means(s); i++) {
        sum[i] += part * *mean_of(s, i);
    }
}

/* ---------------------------------------------------------------- contacts */

/* In the order of pairs and features, and of strides. */
static int compare_spent(const void *left, const void *right) {
    const SpentContact *p = left, *q = right;
    const int64_t key[2][4] = {{p->contact.a, p->contact.b, p->contact.feature, p->stride},
                               {q->contact.a, q->contact.b, q->contact.feature, q->stride}};
    for (int k = 0; k < 4; k++) {
        if (key[0][k] != key[1][k]) {
            return key[0][k] < key[1][k] ? -1 : 1;
        }
    }
    return 0;
}

static ScreeStatus spend_contacts(const State *s, int stride, Halves *h) {
    const Contacts *k = &s->contacts;
    if (!scr_block_reserve(&h->spent_block, h->spent + k->count + 1, sizeof(SpentContact),
                           h->spent * sizeof(SpentContact))) {
        return SCREE_NO_MEMORY;
    }
    SpentContact *spent = h->spent_block.data;
    for (size_t i = 0; i < k->count; i++) {
        const Contact *c = &k->item[i];
        if (c->normal_impulse != 0 || c->state != SCREE_CONTACT_OPEN) {
            Vec3 torque = k->extra != NULL ? k->extra[i].torque_impulse : vec3(0, 0, 0);
            spent[h->spent++] = (SpentContact){*c, torque, stride, false};
        }
    }
    return SCREE_OK;
}

/* The first of those that are not before stride 0 of a contact. */
static size_t first_spent(const Halves *h, const Contact *c) {
    const SpentContact *spent = h->spent_block.data, wanted = {.contact = *c, .stride = 0};
    size_t low = 0, high = h->spent;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_spent(&spent[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The tangential impulse is turned into the present tangent plane, as at the start of a step. */
static void add_spent(const SpentContact *x, Contact *c) {
    Vec3 t = x->contact.tangential_impulse, n = c->normal;
    c->normal_impulse += x->contact.normal_impulse;
    c->tangential_impulse = add(c->tangential_impulse, add_scaled(t, -dot(t, n), n));
    c->state = c->state == SCREE_CONTACT_OPEN ? x->contact.state : c->state;
}

static bool is_of(const SpentContact *x, const Contact *c) {
    return scr_same_pair(&x->contact, c) && x->contact.feature == c->feature;
}

/* To the contacts of the last stride. */
static void join_last(Contacts *k, Halves *h) {
    SpentContact *spent = h->spent_block.data;
    for (size_t i = 0; i < k->count; i++) {
        Contact *c = &k->item[i];
        for (size_t j = first_spent(h, c); j < h->spent && is_of(&spent[j], c); j++) {
            add_spent(&spent[j], c);
            if (k->extra != NULL) {
                k->extra[i].torque_impulse = add(k->extra[i].torque_impulse, spent[j].torque);
            }
            spent[j].joined = true;
        }
    }
}

/* Contacts that the last stride did not have, as they were in the last one that had them. They do not
 * stand in the order of the list, so it is made anew, and contacts are looked up otherwise. */
static ScreeStatus append_parted(State *s, const Halves *h) {
    Contacts *k = &s->contacts;
    const SpentContact *spent = h->spent_block.data;
    for (size_t i = 0, next; i < h->spent; i = next) {
        Contact c = spent[i].contact;
        Vec3 torque = spent[i].torque;
        for (next = i + 1; next < h->spent && is_of(&spent[next], &c); next++) {
            Contact later = spent[next].contact;
            add_spent(&(SpentContact){.contact = c}, &later);
            c = later;
            torque = add(torque, spent[next].torque);
        }
        if (spent[i].joined) {
            continue;
        }
        if (!scr_reserve_contacts(s, k->count + 1)) {
            return SCREE_NO_MEMORY;
        }
        if (k->extra != NULL) {
            k->extra[k->count] = (ScreeContactExtra){.torque_impulse = torque, .opening = -1};
        }
        k->item[k->count++] = c;
        s->list_stale = true;
    }
    return SCREE_OK;
}

/* Impulses of the whole step. */
static ScreeStatus join_contacts(State *s, Halves *h, ScreeReport *report) {
    Contacts *k = &s->contacts;
    qsort(h->spent_block.data, h->spent, sizeof(SpentContact), compare_spent);
    join_last(k, h);
    SCR_TRY(append_parted(s, h));
    report->active = report->sliding = 0;
    for (size_t i = 0; i < k->count; i++) {
        report->active += k->item[i].state != SCREE_CONTACT_OPEN;
        report->sliding += k->item[i].state == SCREE_CONTACT_SLIP;
    }
    k->time_step = s->def.time_step;
    k->steady = false;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- strides */

/* Nothing has moved. Contacts are again those from before the try, or as good as these. Where those
 * put back do not stand in the order of the present list, it is made anew, and they are looked up
 * otherwise. */
static void forget_try(const ScreeReport *tried, const ContactsCopy *before, State *s) {
    if (before->made) {
        scr_put_back_contacts(s, before);
        s->list_stale = s->list_stale || tried->rebuilt;
    }
}

static ScreeStatus find_impulses(int eighths, int left, State *s, Engine *e, ScreeReport *one,
                                 char *message) {
    e->halves.with = scr_stride_params(s, e, eighths / (double)WHOLE);
    e->halves.with.elapsed = s->def.time_step * (WHOLE - left) / WHOLE;
    memset(one, 0, sizeof *one);
    return scr_copy_contacts(s, &e->halves.contacts) && scr_begin_bonds(s)
               ? scr_find_impulses(&e->halves.with, s, e, one, message)
               : SCREE_NO_MEMORY;
}

static ScreeStatus make_strides(State *s, Engine *e, bool remembers, ScreeReport *sum,
                                char *message) {
    Halves *h = &e->halves;
    int64_t thrown_away = sum->iterations;
    bool in_vain = false;
    for (int left = WHOLE, next = WHOLE / 2, stride = 1; left > 0;) {
        ScreeReport one;
        SCR_TRY(find_impulses(next, left, s, e, &one, message));
        const bool lacks = scr_is_to_be_halved(&e->task, &one);
        if (lacks && next > EIGHTH && !in_vain) {
            forget_try(&one, &h->contacts, s);
            thrown_away += one.iterations;
            next /= 2;
            continue;
        }
        in_vain = in_vain || lacks;
        scr_move_and_certify(s, e, &one);
        scr_join_reports(sum, &one, stride);
        add_means(s, next / (double)WHOLE, h->mean_block.data);
        left -= next;
        next = in_vain ? left : left & -left; /* the second of two halves, or of two quarters */
        if (left > 0 && !remembers) {
            SCR_TRY(spend_contacts(s, stride, h));
        }
        stride++;
    }
    sum->iterations += thrown_away;
    return SCREE_OK;
}

ScreeStatus scr_make_in_halves(State *s, Engine *e, ScreeReport *report, char *message) {
    Halves *h = &e->halves;
    const bool remembers = scr_laws_remember(s); /* before the last bond may break */
    h->spent = 0;
    h->before.made = false;
    e->work.slow_flops = 0;
    if (!scr_block_reserve(&h->mean_block, means(s), sizeof(double), 0)) {
        return SCREE_NO_MEMORY;
    }
    memset(h->mean_block.data, 0, means(s) * sizeof(double));
    SCR_TRY(scr_remember_before(s, &h->before));
    forget_try(report, &e->before, s);
    ScreeStatus status = make_strides(s, e, remembers, report, message);
    if (status == SCREE_OK && !remembers) {
        status = join_contacts(s, h, report);
    }
    if (status != SCREE_OK) {
        scr_bring_back(s, &h->before);
        return status;
    }
    const double *mean = h->mean_block.data;
    for (size_t i = 0; i < means(s); i++) {
        *mean_of(s, i) = mean[i];
    }
    return SCREE_OK;
}

void scr_halves_free(Halves *h) {
    scr_contacts_copy_free(&h->contacts);
    SCR_FREE_BLOCKS(&h->before.block, &h->mean_block, &h->spent_block);
}
