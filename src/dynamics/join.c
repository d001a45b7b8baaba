#include "dynamics/join.h"

#include <string.h>

/* ---------------------------------------------------------------- where it was */

/* Copies everything that moves or breaks to `at`, or from there back, with so many bonds. Returns its
 * size; `at` may be NULL. */
static size_t exchange(State *s, size_t bonds, char *at, bool back) {
    const Bodies *b = &s->bodies;
    const size_t sizes = s->materials.grow ? b->count * sizeof(double) : 0;
    const struct {
        void *data;
        size_t bytes;
    } field[] = {{b->position, b->count * sizeof *b->position},
                 {b->orientation, b->count * sizeof *b->orientation},
                 {b->velocity, b->count * sizeof *b->velocity},
                 {b->spin, b->count * sizeof *b->spin},
                 {b->radius, sizes},
                 {b->mass, sizes},
                 {b->inertia, sizes},
                 {s->walls.item, s->walls.count * sizeof *s->walls.item},
                 {s->bonds.item, bonds * sizeof *s->bonds.item},
                 {&s->cell, sizeof s->cell},
                 {&s->def, sizeof s->def}}; /* with the edges of the cell and its rate */
    size_t done = 0;
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        if (at != NULL && field[i].bytes > 0) {
            memcpy(back ? field[i].data : at + done, back ? at + done : field[i].data,
                   field[i].bytes);
        }
        done += field[i].bytes;
    }
    return done;
}

ScreeStatus scr_remember_before(State *s, Before *before) {
    const size_t bonds = s->bonds.count;
    if (!before->made && scr_block_reserve(&before->block, exchange(s, bonds, NULL, false), 1, 0)) {
        exchange(s, bonds, before->block.data, false);
        before->bonds = bonds;
        before->broken = s->bonds.broken;
        before->made = true;
    }
    return before->made ? SCREE_OK : SCREE_NO_MEMORY;
}

void scr_bring_back(State *s, const Before *before) {
    if (before->made) {
        exchange(s, before->bonds, before->block.data, true);
        s->bonds.count = before->bonds;
        s->bonds.broken = before->broken;
        s->bonds.bodies = 0; /* the index is made anew */
    }
}

/* ---------------------------------------------------------------- the certificate */

/* What the iterations imply is that of a stride that has not converged, where there is one. */
static void imply_by(const ScreeReport *worse, ScreeReport *all) {
    all->stiffness = worse->stiffness;
    all->sound_speed = worse->sound_speed;
    all->diffusion_length = worse->diffusion_length;
    all->packing_length = worse->packing_length;
    all->spurious_elasticity = worse->spurious_elasticity;
}

void scr_join_reports(ScreeReport *sum, const ScreeReport *one, int stride) {
    ScreeReport all = *one; /* what is not joined is that of the last stride */
    if (stride > 1) {
        imply_by(one->converged && !sum->converged ? sum : one, &all);
        all.iterations += sum->iterations;
        all.converged = sum->converged && one->converged;
        all.unsettled = sum->unsettled > one->unsettled ? sum->unsettled : one->unsettled;
        all.residual = scr_max(sum->residual, one->residual);
        all.residual_loads = scr_max(sum->residual_loads, one->residual_loads);
        all.residual_velocity = scr_max(sum->residual_velocity, one->residual_velocity);
        all.velocity_error = scr_max(sum->velocity_error, one->velocity_error);
        all.residual_fclib = scr_max(sum->residual_fclib, one->residual_fclib);
        all.residual_associated = scr_max(sum->residual_associated, one->residual_associated);
        all.overlap_added += sum->overlap_added;
        all.work_external += sum->work_external;
        all.work_walls += sum->work_walls;
        all.work_cell += sum->work_cell;
        all.work_growth += sum->work_growth;
        all.broken += sum->broken;
        all.dissipation += sum->dissipation;
        all.dissipation_normal += sum->dissipation_normal;
        all.dissipation_friction += sum->dissipation_friction;
        all.dissipation_rolling += sum->dissipation_rolling;
        all.dissipation_torsion += sum->dissipation_torsion;
        all.dissipation_cohesion += sum->dissipation_cohesion;
        all.dissipation_scheme += sum->dissipation_scheme;
        all.energy_projected += sum->energy_projected;
        all.energy_error += sum->energy_error;
        all.motion_max += sum->motion_max;
        all.cuts += sum->cuts;
        all.uncut = sum->uncut || one->uncut;
        all.strides = stride - 1;
        all.rebuilt = sum->rebuilt || one->rebuilt;
    }
    *sum = all;
}
