#include "cli/job/summary.h"
#include "cli/message.h"

#include "base/plural.h"

#include <math.h>

/* [mean radii] overlaps of rigid grains above this are worth a warning. */
static const double large_overlap = 0.01;

/* [radii] in one step */
static const double little_motion = 1e-3;

/* [1] errors of the energy balance above this part of the energy are worth one. */
static const double large_error = 0.01;

/* What the error of the energy balance is compared with: all that was moved, and what was there at
 * the start, in motion or in springs. */
static double energy_scale(const Summary *summary) {
    return summary->energy_moved + fabs(summary->energy_first) + summary->elastic_max;
}

/* By how much the mean overlap has grown per unit of time since about half of the steps; 0 when it
 * has not. */
static double overlap_growth(const Summary *summary) {
    bool halfway = summary->late.time < 0.75 * summary->time;
    double time = summary->time - (halfway ? summary->late.time : summary->early.time);
    double mean = halfway ? summary->late.mean : summary->early.mean;
    return time > 0 ? fmax(0, (summary->overlap_mean - mean) / time) : 0;
}

/* Adds what the contacts did to the energy, and the cohesive and unsettled ones. */
static void add_laws(Summary *summary, const ScreeReport *report) {
    summary->dissipation += report->dissipation;
    summary->created += fmax(0, -report->dissipation);
    summary->projected += report->energy_projected;
    summary->normal += report->dissipation_normal;
    summary->friction += report->dissipation_friction;
    summary->rolling += report->dissipation_rolling;
    summary->torsion += report->dissipation_torsion;
    summary->cohesion += report->dissipation_cohesion;
    summary->scheme += report->dissipation_scheme;
    summary->elastic = report->energy_elastic;
    summary->elastic_max = fmax(summary->elastic_max, report->energy_elastic);
    summary->bonds = report->bonds;
    summary->bonds_max = report->bonds > summary->bonds_max ? report->bonds : summary->bonds_max;
    summary->glued = report->glued;
    summary->broken += report->broken;
    summary->unsettled_steps += report->unsettled > 0;
    if (report->unsettled > summary->unsettled_max) {
        summary->unsettled_max = report->unsettled;
    }
}

void summary_add(Summary *summary, const ScreeReport *report) {
    if (summary->steps == 0) {
        summary->energy_first = report->kinetic_energy;
    }
    summary->steps++;
    summary->lists += report->rebuilt;
    summary->uncut += report->uncut;
    summary->halved += report->strides > 0 && report->stiffness > 0; /* statics implies none */
    summary->time = report->time;
    summary->iterations += (double)report->iterations;
    summary->unconverged += report->converged == 0;
    if (report->iterations > summary->iterations_max) {
        summary->iterations_max = report->iterations;
    }
    summary->residual_max = fmax(summary->residual_max, report->residual);
    summary->overlap_max = fmax(summary->overlap_max, report->overlap_max);
    summary->overlap_mean = report->overlap_mean;
    if ((summary->steps & (summary->steps - 1)) == 0) {
        summary->early = summary->late;
        summary->late.time = report->time;
        summary->late.mean = report->overlap_mean;
    }
    summary->motion_max = fmax(summary->motion_max, report->motion_max);
    summary->energy_error += fabs(report->energy_error);
    summary->energy_moved += fabs(report->work_external) + fabs(report->work_walls) +
                             fabs(report->work_cell) + fabs(report->work_growth);
    add_laws(summary, report);
    if (report->spurious_elasticity != 0) {
        if (summary->spurious == 0 || report->diffusion_length < summary->worst.diffusion_length) {
            summary->worst = *report;
        }
        summary->spurious++;
    }
}

bool summary_add_steps(Summary *summary, RunReader *reader, size_t steps, IoWatch watch,
                       IoError *error) {
    RunWalk walk = {.reader = reader, .end = steps};
    ScreeReport report;
    bool ok = true;
    while (ok && run_walk(&walk, &report, error)) {
        summary_add(summary, &report);
        ok = io_goes_on(watch, (double)walk.next / (double)steps) ||
             io_error(error, IO_FAILED, "stopped by a signal");
    }
    return run_walk_end(&walk) && ok;
}

/* "dissipation: 12.5: normal 10, friction 2.5": the laws that contribute more than rounding. */
static void print_dissipation(const Summary *summary, FILE *file, const char *lead) {
    const struct {
        const char *name;
        double value;
    } parts[] = {{"normal", summary->normal},     {"friction", summary->friction},
                 {"rolling", summary->rolling},   {"torsion", summary->torsion},
                 {"cohesion", summary->cohesion}, {"time stepping", summary->scheme}};
    fprintf(file, "%sdissipation: %.4g in contacts", lead, summary->dissipation);
    const char *separator = ": ";
    double size = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size += fabs(parts[i].value);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool scheme = i + 1 == sizeof parts / sizeof *parts;
        if (fabs(parts[i].value) > 1e-9 * size) {
            fprintf(file, "%s%s %.4g", scheme ? "; " : separator, parts[i].name, parts[i].value);
            separator = ", ";
        }
    }
    fprintf(file, "\n");
    if (summary->elastic != 0) {
        fprintf(file, "%selastic energy at the end: %.4g\n", lead, summary->elastic);
    }
}

/* "largest overlap: 0.0012 (0.004 of the mean radius); at the end 2e-06 on average, growing by 1e-07
 * per unit of time". */
static void print_overlaps(const Summary *summary, FILE *file, const char *lead,
                           double mean_radius) {
    fprintf(file, "%slargest overlap: %.3g", lead, summary->overlap_max);
    if (mean_radius > 0) {
        fprintf(file, " (%.3g of the mean radius)", summary->overlap_max / mean_radius);
    }
    double growth = overlap_growth(summary);
    if (summary->overlap_mean > 0) {
        fprintf(file, "; at the end %.3g on average", summary->overlap_mean);
    }
    if (growth > 0) {
        fprintf(file, ", growing by %.2g per unit of time", growth);
    }
    fprintf(file, "\n");
    if (summary->projected != 0) {
        fprintf(file, "%soverlaps pushed apart: %.3g of energy against external forces\n", lead,
                summary->projected);
    }
}

void summary_print(const Summary *summary, FILE *file, const char *lead, double mean_radius) {
    if (summary->steps == 0) {
        fprintf(file, "%sno steps yet\n", lead);
        return;
    }
    fprintf(file, "%s%lld %s to time %.6g\n", lead, (long long)summary->steps,
            SCR_PLURAL(summary->steps, "step", "steps"), summary->time);
    if (summary->lists > 0) {
        fprintf(file, "%sneighbour lists: %lld, each good for %.1f steps on average\n", lead,
                (long long)summary->lists, (double)summary->steps / (double)summary->lists);
    }
    if (summary->iterations_max > 0) { /* the soft engine iterates nothing */
        fprintf(file, "%siterations: mean %.1f, maximum %lld\n", lead,
                summary->iterations / (double)summary->steps, (long long)summary->iterations_max);
        fprintf(file, "%sconvergence: %lld %s did not converge; largest residual %.3g\n", lead,
                (long long)summary->unconverged, SCR_PLURAL(summary->unconverged, "step", "steps"),
                summary->residual_max);
    }
    if (summary->halved > 0) {
        fprintf(file, "%shalved: %lld %s did not converge as a whole, and %s made in halves\n",
                lead, (long long)summary->halved, SCR_PLURAL(summary->halved, "step", "steps"),
                SCR_PLURAL(summary->halved, "was", "were"));
    }
    print_overlaps(summary, file, lead, mean_radius);
    double scale = energy_scale(summary);
    fprintf(file, "%senergy balance: off by %.3g", lead, summary->energy_error);
    if (scale > 0) {
        fprintf(file, " (%.3g of the work done)", summary->energy_error / scale);
    }
    fprintf(file, "\n");
    print_dissipation(summary, file, lead);
    if (summary->bonds_max > 0) {
        fprintf(file, "%sbonds: %lld at the end, %lld at most\n", lead, (long long)summary->bonds,
                (long long)summary->bonds_max);
    }
    if (summary->glued > 0 || summary->broken > 0) {
        fprintf(file, "%sbonds between grains: %lld %s, %lld %s broken\n", lead,
                (long long)summary->glued, SCR_PLURAL(summary->glued, "holds", "hold"),
                (long long)summary->broken, SCR_PLURAL(summary->broken, "has", "have"));
    }
    if (summary->uncut > 0) {
        fprintf(file,
                "%suncut: in %lld %s a contact stopped sliding, and forces may have jumped; "
                "with a larger solver.cuts later events come at their times\n",
                lead, (long long)summary->uncut, SCR_PLURAL(summary->uncut, "step", "steps"));
    }
    if (summary->unsettled_steps > 0) {
        fprintf(file, "%sunsettled: %lld %s, with up to %lld %s\n", lead,
                (long long)summary->unsettled_steps,
                SCR_PLURAL(summary->unsettled_steps, "step", "steps"),
                (long long)summary->unsettled_max,
                SCR_PLURAL(summary->unsettled_max, "contact", "contacts"));
    }
}

void summary_print_gate(FILE *file, const char *lead, const char *name, bool outlet, int64_t number,
                        double mass, int64_t waiting) {
    fprintf(file, "%s%s ", lead, outlet ? "outlet" : "inlet");
    cli_print_to(file, name);
    fprintf(file, ": %lld %s of mass %.6g %s %s", (long long)number,
            SCR_PLURAL(number, "grain", "grains"), mass, SCR_PLURAL(number, "has", "have"),
            outlet ? "left" : "come");
    if (waiting > 0) {
        fprintf(file, ", and %lld %s for room", (long long)waiting,
                SCR_PLURAL(waiting, "waits", "wait"));
    }
    fputc('\n', file);
}

/* Warns of rigid grains that overlap; springs are meant to be compressed. */
static void warn_of_overlaps(const Summary *summary, double mean_radius) {
    if (summary->elastic_max == 0 && summary->overlap_max > large_overlap * mean_radius) {
        cli_warning(
            "grains overlap by up to %.3g, %.3g %% of the mean radius: volumes, and whatever "
            "depends on them, may be wrong by more than that; reduce time.step, or set "
            "solver.overlap to 1e-4 (if the grains overlapped from the start, move them apart)",
            summary->overlap_max, 100 * summary->overlap_max / mean_radius);
    }
}

/* Contacts of rigid grains only ever take energy, but for errors of the solution. Where nothing
 * moves, next to nothing is compared with next to nothing. */
static void warn_of_created_energy(const Summary *summary) {
    double scale = summary->energy_moved + fabs(summary->energy_first) + fabs(summary->dissipation);
    bool moves = summary->motion_max > little_motion;
    if (moves && summary->elastic_max == 0 && summary->created > large_error * scale) {
        cli_warning("contacts created energy, %.3g in all, %.2g %% of the work done: set "
                    "solver.tolerance to 1e-3, or reduce time.step",
                    summary->created, 100 * summary->created / scale);
    }
}

/* The soft engine iterates nothing: its steps are just too long. */
static void warn_of_long_steps(const Summary *summary) {
    double scale = energy_scale(summary);
    if (summary->iterations_max > 0) {
        return;
    }
    if (summary->unconverged > 0) {
        cli_warning("in %lld of %lld %s the springs were not resolved: reduce time.step, or "
                    "omit it to have it chosen automatically",
                    (long long)summary->unconverged, (long long)summary->steps,
                    SCR_PLURAL(summary->steps, "step", "steps"));
    }
    if (scale > 0 && summary->energy_error > large_error * scale) {
        cli_warning("the energy balance is off by %.3g, %.2g %% of the energy involved: reduce "
                    "time.step, or make the contacts stiffer where grains overlap deeply",
                    summary->energy_error, 100 * summary->energy_error / scale);
    }
}

void summary_warn(const Summary *summary, double mean_radius) {
    const ScreeReport *worst = &summary->worst;
    warn_of_long_steps(summary);
    if (summary->iterations_max > 0) {
        warn_of_created_energy(summary);
    }
    if (summary->spurious > 0) {
        cli_warning(
            "in %lld of %lld %s the sweeps did not converge: forces spread over a length of "
            "only %.3g, while the packing is %.3g long, and grains behaved as if they had a "
            "stiffness of %.3g and a sound speed of %.3g; raise solver.iterations, or reduce "
            "time.step",
            (long long)summary->spurious, (long long)summary->steps,
            SCR_PLURAL(summary->steps, "step", "steps"), worst->diffusion_length,
            worst->packing_length, worst->stiffness, worst->sound_speed);
    } else if (summary->unconverged > 0 && summary->iterations_max > 0) {
        cli_warning("%lld of %lld %s did not converge (largest residual %.3g); raise "
                    "solver.iterations, reduce time.step, or relax solver.tolerance and "
                    "solver.overlap",
                    (long long)summary->unconverged, (long long)summary->steps,
                    SCR_PLURAL(summary->steps, "step", "steps"), summary->residual_max);
    }
    if (summary->unsettled_steps > 0) {
        cli_warning("in %lld of %lld %s up to %lld %s neither stuck at friction_static nor "
                    "slid at friction: no consistent set of states was found; raise "
                    "solver.iterations, or reduce time.step",
                    (long long)summary->unsettled_steps, (long long)summary->steps,
                    SCR_PLURAL(summary->steps, "step", "steps"), (long long)summary->unsettled_max,
                    SCR_PLURAL(summary->unsettled_max, "contact", "contacts"));
    }
    if (mean_radius > 0) {
        warn_of_overlaps(summary, mean_radius);
    }
    if (summary->motion_max > 0.5) {
        cli_warning("grains moved up to %.3g radii in one step: reduce time.step",
                    summary->motion_max);
    }
}
