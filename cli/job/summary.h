/* How well the steps of a run went, in words: after a run and in 'scree info'. */
#ifndef SCREE_CLI_JOB_SUMMARY_H
#define SCREE_CLI_JOB_SUMMARY_H

#include "io/run/file.h"

#include <stdio.h>

typedef struct Summary {
    int64_t steps, unconverged, iterations_max, spurious;
    int64_t lists;  /* neighbour lists that were built */
    int64_t uncut;  /* steps in which forces may have jumped */
    int64_t halved; /* steps that were made in halves, since they did not converge as a whole */
    double iterations, time;
    double overlap_max, motion_max;
    double overlap_mean; /* of the last step */
    struct {
        double time, mean;
    } early, late;             /* mean overlap after the last two powers of two of steps */
    double created, projected; /* energy: given by contacts; by pushing overlaps apart */
    /* kinetic energy; unaccounted energy; absolute work */
    double energy_first, energy_error, energy_moved;
    double residual_max;
    /* sums over the whole run, by law */
    double dissipation, normal, friction, rolling, torsion, cohesion, scheme;
    double elastic, elastic_max;            /* stored at the end; the maximum */
    int64_t glued, broken;                  /* bonds between grains at the end; in all */
    int64_t bonds, bonds_max;               /* at the end; the maximum */
    int64_t unsettled_steps, unsettled_max; /* steps with such contacts; their maximum */
    /* of the spurious steps, the one that carried forces over the shortest distance */
    ScreeReport worst;
} Summary;

void summary_add(Summary *summary, const ScreeReport *report);

/* The first steps of a run, as many as given. */
bool summary_add_steps(Summary *summary, RunReader *reader, size_t steps, IoWatch watch,
                       IoError *error);

/* Prints lines that begin with `lead`; `mean_radius` is 0 when it is not known. */
void summary_print(const Summary *summary, FILE *file, const char *lead, double mean_radius);

/* What has passed an inlet or outlet, in a line. */
void summary_print_gate(FILE *file, const char *lead, const char *name, bool outlet, int64_t number,
                        double mass, int64_t waiting);

/* Warnings that a user must see, on standard error; `mean_radius` as above. */
void summary_warn(const Summary *summary, double mean_radius);

#endif
