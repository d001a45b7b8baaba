/* The one table of commands and options. */
#include "cli/commands.h"

#include "bench/bench.h"

#define QUIET                                                                                      \
    { CLI_QUIET, 'q', "quiet", NULL, NULL, "no progress and no summary, only warnings and errors" }
#define END                                                                                        \
    { CLI_HELP, 0, NULL, NULL, NULL, NULL }
#define DEFINE                                                                                     \
    {                                                                                              \
        CLI_DEFINE, 'D', "define", "KEY=VALUE", NULL,                                              \
            "set a value of the scene, as in time.end=2 (again and again)"                         \
    }
#define FRAME                                                                                      \
    { CLI_FRAME, 'f', "frame", "K", NULL, "frame number K, from 0; -1 is the last" }
#define TIME                                                                                       \
    { CLI_TIME, 't', "time", "T", NULL, "the frame nearest to time T" }

static const CliOption run_options[] = {
    {CLI_OUTPUT, 'o', "output", "RUN.h5", NULL,
     "the run file (default: the scene's name with .h5)"},
    DEFINE,
    {CLI_THREADS, 'j', "threads", "THREADS", NULL, "threads; the result does not depend on it"},
    {CLI_RESTART, 'r', "restart", NULL, NULL,
     "go on from the checkpoint of a run that was stopped"},
    {CLI_FORCE, 'F', "force", NULL, NULL, "replace a run file that is there"},
    {CLI_DUMP_PROBLEMS, 0, "dump-problems", "DIR[:EVERY]", NULL,
     "write the contact problem of every step, or of every EVERYth, to DIR (FCLIB, HDF5)"},
    QUIET,
    {CLI_VERBOSE, 'v', "verbose", NULL, NULL, "tell every frame and checkpoint"},
    END};

static const CliOption check_options[] = {DEFINE, QUIET, END};

static const CliOption info_options[] = {END};

static const CliOption table_options[] = {
    {CLI_WHAT, 'w', "what", "TABLE", "bodies|contacts|walls|steps|laws|shapes|corners",
     "which table (default: bodies)"},
    FRAME,
    TIME,
    {CLI_ALL, 'a', "all", NULL, NULL, "all frames, with columns frame and time before the others"},
    END};

static const CliOption export_options[] = {
    {CLI_TO, 0, "to", "FORMAT", "vtp|vtkhdf|dump", "the format (default: vtp)"},
    {CLI_OUTPUT, 'o', "output", "DIR", NULL,
     "the folder (default: the run's name with -vtp, -vtkhdf or -dump)"},
    FRAME,
    TIME,
    QUIET,
    END};

static const CliOption measure_options[] = {
    {CLI_WHAT, 'w', "what", "MEASURE",
     "state|forces|directions|partners|materials|pairs|fields|surface|flow|energy|online",
     "what to measure (default: state)"},
    {CLI_FRAMES, 'f', "frames", "FRAMES", NULL,
     "K, FROM:TO or FROM:TO:STEP, both ends included, or all; -1 is the last (default: -1)"},
    {CLI_REGION, 'r', "region", "BOX", NULL,
     "x0:x1,y0:y1,z0:z1; what is left out has no bound (default: everything)"},
    {CLI_LEAST, 0, "least", "N", NULL, "a grain with fewer partners is a rattler (default: 2)"},
    {CLI_BINS, 0, "bins", "N", NULL, "bins of a distribution (default: 40)"},
    {CLI_MOST, 0, "most", "X", NULL, "the largest value in a distribution"},
    {CLI_GRID, 0, "grid", "NX,NY,NZ", NULL, "cells of the fields (default: 20 each way)"},
    {CLI_WIDTH, 0, "width", "W", NULL, "of the kernel of fields, or of the surface's columns"},
    {CLI_PLANE, 0, "plane", "POINT:NORMAL", NULL, "of the flow, as in 0,0,1:0,0,-1"},
    {CLI_CSV, 0, "csv", NULL, NULL, "as CSV, with 17 digits"},
    {CLI_JSON, 0, "json", NULL, NULL, "as JSON"},
    END};

static const CliOption indeterminacy_options[] = {
    {CLI_WHAT, 'w', "what", "TABLE", "whole|contacts",
     "a few numbers of the whole, or a line for each contact (default: whole)"},
    FRAME,
    {CLI_TIME, 't', "time", "T", NULL, "the frame nearest to time T; of a scene, time T"},
    DEFINE,
    {CLI_SAMPLES, 's', "samples", "N", NULL, "networks from random starts (default: 50)"},
    {CLI_AMPLITUDE, 0, "amplitude", "X", NULL,
     "mean of the random forces over that of the present ones (default: 1)"},
    {CLI_SEED, 0, "seed", "N", NULL, "of the random starts (default: 1)"},
    {CLI_NO_EXTREMES, 0, "no-extremes", NULL, NULL,
     "do not look for the least and the most of each force, which takes longest"},
    {CLI_STILL, 0, "still", "X", NULL,
     "less motion in a step than X radii counts as none (default: 1e-5)"},
    {CLI_CSV, 0, "csv", NULL, NULL, "as CSV, with 17 digits"},
    {CLI_JSON, 0, "json", NULL, NULL, "as JSON"},
    END};

static const CliOption plot_options[] = {
    {CLI_WHAT, 'w', "what", "PICTURE",
     "grains|chains|certificate|forces|stress|fabric|packing|energy|pairs|fields|indeterminacy",
     "what to draw (default: grains)"},
    FRAME,
    TIME,
    {CLI_OUTPUT, 'o', "output", "FILE", NULL,
     "the picture, .png, .svg or .pdf (default: the run's name with -grains.png)"},
    QUIET,
    END};

static const CliOption view_options[] = {
    {CLI_HTML, 0, "html", "FILE", NULL,
     "write one file that needs no server and no network, instead of serving the page"},
    {CLI_BUDGET, 0, "budget", "MB", NULL,
     "the most that FILE may hold (default: 20); frames, then contacts are left out to fit"},
    {CLI_NO_BROWSER, 0, "no-browser", NULL, NULL, "only print the address of the page"},
    QUIET,
    END};

static const CliOption solve_options[] = {
    {CLI_SOLVER, 's', "solver", "NAME", NULL,
     "auto, gauss_seidel, accelerated ..., or all to compare them (default: auto)"},
    {CLI_TOLERANCE, 't', "tol", "X", NULL, "the residual 'siconos' to reach (default: 1e-8)"},
    {CLI_ITERATIONS, 0, "iterations", "N", NULL, "the most iterations of a solver"},
    {CLI_SECONDS, 0, "seconds", "S", NULL, "the most time for a solver"},
    {CLI_OUTPUT, 'o', "out", "FILE", NULL,
     "write the solution: a table (.csv), or the problem with it (.hdf5, FCLIB)"},
    {CLI_CSV, 0, "csv", NULL, NULL, "as CSV, with 17 digits"},
    {CLI_JSON, 0, "json", NULL, NULL, "as JSON"},
    END};

const CliCommand cli_commands[] = {
    {"run", "SCENE.yaml", "simulate a scene",
     "Simulates a scene and writes a run file (HDF5). It can be read while the run goes on, and\n"
     "after the run was killed. Ctrl-C and SIGTERM finish the step, write a checkpoint (beside\n"
     "the run file, with the ending .checkpoint) and say how to go on: with --restart the run\n"
     "continues as if it had never stopped, bit for bit.",
     run_options, cli_run, NULL},
    {"check", "SCENE.yaml", "check a scene without running it",
     "Reads a scene, builds its world and tells what is in it, or what is wrong and where.",
     check_options, cli_check, NULL},
    {"info", "RUN.h5", "tell what is in a run file",
     "Tells what a run file holds: grains, walls, the laws of the materials, frames, how well the\n"
     "steps converged, where energy went, and what to beware of. Works on a run that is still\n"
     "going, too.",
     info_options, cli_info, NULL},
    {"table", "RUN.h5", "write a table of a run as CSV",
     "Writes a table of one frame (the last, unless told otherwise) as CSV on standard output, "
     "with\n"
     "17 digits, so that nothing is lost. 'steps' has one line for each step: its certificate;\n"
     "'laws' one for each pair of materials; 'shapes' one for each corner of a shape; 'corners'\n"
     "one for each corner of a body, where it is in the frame. A body is all points within the\n"
     "rounding of its polygons; a round one has a single corner, its centre, and its radius as\n"
     "rounding.",
     table_options, cli_table, NULL},
    {"export", "RUN.h5", "write files for other programs",
     "Writes the frames of a run for ParaView or OVITO. 'vtp' makes a .vtp file for each frame "
     "and\n"
     "kind (bodies, contacts, walls; outlines where bodies have shapes) and a .pvd file for each\n"
     "kind, which is what to open; 'vtkhdf' the same as VTKHDF 1.0 with the ending .hdf; 'dump'\n"
     "makes grains.dump and contacts.dump in LAMMPS's text format, for OVITO.",
     export_options, cli_export, NULL},
    {"measure", "RUN.h5", "measure stress, fabric, packing, forces",
     "Measures frames of a run (the last, unless told otherwise), in a region or everywhere, and\n"
     "writes a table. docs/measures.md has the formulas. Stress is positive in compression.\n"
     "'state' has all that is one number: coordination, solid fraction, stress, fabric, forces,\n"
     "motion; 'forces' the distributions of normal and tangential forces and of mobilised\n"
     "friction; 'directions' that of contacts; 'partners' and 'materials' who touches whom;\n"
     "'pairs' the pair correlation; 'fields' density, velocity and stress on a grid; 'surface'\n"
     "its slope and the angle of repose; 'flow' the mass through a plane; 'energy' the budget by\n"
     "cause up to each frame; 'online' what the scene had recorded while it ran.",
     measure_options, cli_measure, NULL},
    {"indeterminacy", "SCENE.yaml|RUN.h5", "tell how far forces are undetermined",
     "Between rigid grains with friction, the laws leave forces open: many networks of forces go\n"
     "with the same motion. For a frame of a run (the last, unless told otherwise), or a scene at\n"
     "its end, this tells how many: the degree of hyperstaticity, the least and the most that "
     "each\n"
     "contact can carry, and the mean and deviation over networks from random starts.\n"
     "'scree plot --what indeterminacy' draws it; docs/indeterminacy.md tells more.",
     indeterminacy_options, cli_indeterminacy, NULL},
    {"plot", "RUN.h5", "draw a picture of a run",
     "Draws the grains of one frame (the last, unless told otherwise), the forces between them as\n"
     "lines, the distribution of forces, the pair correlation, fields on a grid, how far forces "
     "are\n"
     "undetermined; or of all frames stress, fabric, packing and energy against time; or the "
     "certificate of all steps. Python\n"
     "draws it: its packages numpy, h5py and matplotlib are needed. SCREE_PYTHON names another\n"
     "Python.",
     plot_options, cli_plot, NULL},
    {"view", "RUN.h5", "look at a run in the browser",
     "Opens a page in the browser that plays the run and shows grains, walls, forces and the\n"
     "certificate; docs/viewer.md tells how to use it. A small server answers for it, to this\n"
     "machine only, until Ctrl-C. It follows a run that is still going. With --html the page and\n"
     "the run are written into one file, to keep or to mail.",
     view_options, cli_view, NULL},
    {"solve", "FILE...", "solve contact problems from files",
     "Solves frictional contact problems in files of FCLIB (HDF5) and Siconos (.dat), and tells "
     "for\n"
     "each solver the iterations, the time and the residual in four measures: 'siconos' is that "
     "of\n"
     "Siconos and the one to be reached, 'paper' and 'fclib' scale it otherwise, 'relative' is "
     "free\n"
     "of units. Of several solvers the fastest that gets there has won. docs/problems.md tells "
     "more.\n"
     "The exit status is 75 when a problem was not solved to the tolerance.",
     solve_options, cli_solve, NULL},
    {"figures", NULL, "make the published figures again",
     "Makes figures of the papers again, each with data, picture and a verdict on what agrees.\n"
     "'scree figures --list' names them, 'scree figures --help' tells more. Python makes them.",
     NULL, NULL, cli_figures},
    {"bench", NULL, "measure the speed on this machine",
     "Measures the speed of the sweeps and of a step on this machine. 'scree bench --help' tells "
     "more.",
     NULL, NULL, bench_main},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
