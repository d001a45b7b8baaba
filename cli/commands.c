/* The one table of commands and options. */
#include "cli/commands.h"

#define QUIET                                                                                      \
    {                                                                                              \
        CLI_QUIET, 'q', "quiet", NULL, NULL,                                                       \
            "print warnings and errors only: no progress, no summary"                              \
    }
#define END                                                                                        \
    { CLI_HELP, 0, NULL, NULL, NULL, NULL }
#define DEFINE                                                                                     \
    {                                                                                              \
        CLI_DEFINE, 'D', "define", "KEY=VALUE", NULL,                                              \
            "override a value in the scene, e.g. time.end=2; may be repeated"                      \
    }
#define FORCE(what)                                                                                \
    { CLI_FORCE, 'F', "force", NULL, NULL, "replace " what }
#define DEVICE                                                                                     \
    {                                                                                              \
        CLI_DEVICE, 0, "device", "DEVICE", "cpu|gpu|auto|emulated",                                \
            "what sweeps, instead of what the scene says; auto: a GPU if there is one that can, "  \
            "emulated: its kernels on the processor, for tests; the result does not depend on it"  \
    }
#define FRAME                                                                                      \
    { CLI_FRAME, 'f', "frame", "K", NULL, "frame number K, counted from 0; -1 is the last" }
#define TIME                                                                                       \
    { CLI_TIME, 't', "time", "T", NULL, "the frame nearest to time T" }
/* What pictures of grains look like. */
#define COLOURS                                                                                    \
    {CLI_COLOUR,                                                                                   \
     'c',                                                                                          \
     "colour",                                                                                     \
     "COLOUR",                                                                                     \
     NULL,                                                                                         \
     "of grains: speed, spin, radius, height, coordination, material, fragment, or one colour "    \
     "for all, such as '#336699'"},                                                                \
        {CLI_RANGE, 0, "range", "LOW:HIGH", NULL, "ends of the scale of colours"},                 \
        {CLI_CAMERA, 0, "camera", "X,Y,Z", NULL, "direction from which to look, in space"}, {      \
        CLI_UNITS, 'u', "units", "LENGTH,MASS,TIME", NULL,                                         \
            "units of the scene, for the labels, such as m,kg,s"                                   \
    }

static const CliOption new_options[] = {
    {CLI_WHAT, 'w', "what", "SCENE", "tank|silo|drum", "which scene (default: tank)"},
    FORCE("an existing file"),
    {CLI_QUIET, 'q', "quiet", NULL, NULL, "do not say what to do next"},
    END};

static const CliOption run_options[] = {
    {CLI_OUTPUT, 'o', "output", "RUN.h5", NULL,
     "the run file (default: the scene's name with the ending .h5)"},
    DEFINE,
    {CLI_THREADS, 'j', "threads", "THREADS", NULL,
     "number of threads; the result does not depend on it"},
    DEVICE,
    {CLI_RESTART, 'r', "restart", NULL, NULL, "resume a stopped run from its checkpoint"},
    FORCE("an existing run file"),
    {CLI_DUMP_PROBLEMS, 0, "dump-problems", "DIR[:EVERY]", NULL,
     "write the contact problem of every step, or of every EVERYth step, to DIR (FCLIB, HDF5)"},
    QUIET,
    {CLI_VERBOSE, 'v', "verbose", NULL, NULL, "report every frame and checkpoint"},
    END};

static const CliOption check_options[] = {DEFINE, DEVICE, QUIET, END};

static const CliOption info_options[] = {END};

static const CliOption table_options[] = {
    {CLI_WHAT, 'w', "what", "TABLE", "bodies|contacts|walls|steps|laws|shapes|corners",
     "which table (default: bodies)"},
    FRAME,
    TIME,
    {CLI_ALL, 'a', "all", NULL, NULL, "all frames, with the columns frame and time in front"},
    END};

static const CliOption export_options[] = {
    {CLI_TO, 0, "to", "FORMAT", "vtp|vtkhdf|dump", "the format (default: vtp)"},
    {CLI_OUTPUT, 'o', "output", "DIR", NULL,
     "the output folder (default: the run's name followed by -vtp, -vtkhdf or -dump)"},
    FORCE("existing files in that folder"),
    FRAME,
    TIME,
    QUIET,
    END};

static const CliOption measure_options[] = {
    {CLI_WHAT, 'w', "what", "MEASURE",
     "state|profile|carriers|forces|directions|anisotropy|cell|partners|materials|pairs|fields|"
     "surface|flow|"
     "energy|online",
     "what to measure (default: state)"},
    {CLI_FRAMES, 'f', "frames", "FRAMES", NULL,
     "K, FROM:TO or FROM:TO:STEP (ends included), or all; -1 is the last (default: -1; for a "
     "profile the second half of the run)"},
    {CLI_TIMES, 't', "times", "FROM:TO", NULL, "the frames of these times, ends included"},
    {CLI_REGION, 'r', "region", "BOX", NULL,
     "x0:x1,y0:y1,z0:z1; an omitted bound means no limit (default: everything)"},
    {CLI_LEAST, 0, "least", "N", NULL,
     "a grain with fewer than N partners is a rattler (default: 2)"},
    {CLI_AXIS, 0, "axis", "AXIS", "x|y|z|r",
     "of a profile: slabs across x, y or z, or shells about an axis (default: y, in space z)"},
    {CLI_ABOUT, 0, "about", "POINT:DIRECTION", NULL,
     "axis of the shells of a profile along r, in the plane a point (default: z through the "
     "origin)"},
    {CLI_BLOCKS, 0, "blocks", "N", NULL,
     "number of blocks of consecutive frames from which the errors of a profile follow (default: "
     "10)"},
    {CLI_WINDOW, 0, "window", "T", NULL,
     "length of the windows of time for carriers (default: a tenth of the time of the frames)"},
    {CLI_BINS, 0, "bins", "N", NULL,
     "number of bins in a distribution (default: 40) or a profile (default: one for each mean "
     "diameter)"},
    {CLI_MOST, 0, "most", "X", NULL, "upper end of a distribution or of a profile along r"},
    {CLI_GRID, 0, "grid", "NX,NY,NZ", NULL,
     "number of cells for fields (default: 20 in each direction)"},
    {CLI_WIDTH, 0, "width", "W", NULL,
     "width of the kernel for fields, or of the columns for the surface"},
    {CLI_PLANE, 0, "plane", "POINT:NORMAL", NULL,
     "plane through which the flow is measured, e.g. 0,0,1:0,0,-1"},
    {CLI_CSV, 0, "csv", NULL, NULL, "as CSV, with 17 digits"},
    {CLI_JSON, 0, "json", NULL, NULL, "as JSON"},
    END};

static const CliOption indeterminacy_options[] = {
    {CLI_WHAT, 'w', "what", "TABLE", "whole|contacts|bodies",
     "a few numbers for the whole packing, a line per contact with the range of its force, or a "
     "line "
     "per body with the range of its velocity (default: whole)"},
    FRAME,
    {CLI_TIME, 't', "time", "T", NULL, "the frame nearest to time T; for a scene, time T itself"},
    DEFINE,
    {CLI_SAMPLES, 's', "samples", "N", NULL,
     "number of force networks sampled from random starts (default: 50)"},
    {CLI_AMPLITUDE, 0, "amplitude", "X", NULL,
     "mean random force divided by the mean present force (default: 1)"},
    {CLI_SEED, 0, "seed", "N", NULL, "seed of the random starts (default: 1)"},
    {CLI_NO_EXTREMES, 0, "no-extremes", NULL, NULL,
     "skip the search for the minimum and maximum of each force, the slowest part"},
    {CLI_STILL, 0, "still", "X", NULL,
     "motion of less than X radii in a step counts as none (default: 1e-5)"},
    {CLI_CSV, 0, "csv", NULL, NULL, "as CSV, with 17 digits"},
    {CLI_JSON, 0, "json", NULL, NULL, "as JSON"},
    END};

static const CliOption plot_options[] = {
    {CLI_WHAT, 'w', "what", "PICTURE",
     "grains|chains|bonds|certificate|forces|stress|fabric|packing|energy|pairs|fields|profile|"
     "indeterminacy",
     "what to draw (default: grains)"},
    FRAME,
    TIME,
    {CLI_TIMES, 0, "times", "FROM:TO", NULL, "graphs against time, and profiles: only these times"},
    COLOURS,
    {CLI_AXIS, 0, "axis", "AXIS", "x|y|z|r", "of a profile (default: y, in space z)"},
    {CLI_CURVE, 0, "curve", "EXPRESSION", NULL,
     "instead of --what: a graph of an expression as in studies, such as \"q/p: deviator / "
     "pressure\", where the name in front is for the axis; several are separated by commas"},
    {CLI_AGAINST, 0, "against", "EXPRESSION", NULL,
     "of --curve: what goes along the other axis, such as \"strain: 1 - lid.position_y\" "
     "(default: time)"},
    {CLI_OUTPUT, 'o', "output", "FILE", NULL,
     "the image, .png, .svg or .pdf (default: the run's name followed by -grains.png)"},
    FORCE("an existing image"),
    QUIET,
    END};

static const CliOption film_options[] = {
    {CLI_WHAT, 'w', "what", "PICTURE", "grains|chains|bonds", "what to show (default: grains)"},
    {CLI_TIMES, 't', "times", "FROM:TO", NULL, "the frames of these times, ends included"},
    COLOURS,
    {CLI_FPS, 0, "fps", "N", NULL, "frames of the run per second of the film (default: 25)"},
    {CLI_WIDTH, 0, "width", "PIXELS", NULL, "width of the film (default: 960)"},
    {CLI_THREADS, 'j', "jobs", "N", NULL, "pictures drawn at a time (default: one for each core)"},
    {CLI_OUTPUT, 'o', "output", "FILE", NULL,
     "the film, .mp4, .webm or .gif (default: the run's name followed by -grains.mp4)"},
    FORCE("an existing film"),
    QUIET,
    END};

static const CliOption study_options[] = {
    {CLI_OUTPUT, 'o', "output", "DIR", NULL,
     "folder of runs and results (default: the study's name followed by -study)"},
    {CLI_THREADS, 'j', "jobs", "N", NULL, "number of runs at a time (default: one for each core)"},
    QUIET,
    END};

static const CliOption view_options[] = {
    {CLI_HTML, 0, "html", "FILE", NULL,
     "write a single file that needs neither server nor network, instead of serving the page"},
    {CLI_BUDGET, 0, "budget", "MB", NULL,
     "size limit of FILE (default: 20); frames, then contacts, are dropped to fit"},
    FORCE("an existing FILE"),
    {CLI_NO_BROWSER, 0, "no-browser", NULL, NULL, "just print the address of the page"},
    QUIET,
    END};

static const CliOption solve_options[] = {
    {CLI_SOLVER, 's', "solver", "NAME", NULL,
     "auto, gauss_seidel, accelerated, ..., or all to compare them (default: auto)"},
    {CLI_TOLERANCE, 't', "tol", "X", NULL, "target for the measure (default: 1e-8)"},
    {CLI_MEASURE, 0, "measure", "NAME", NULL,
     "which residual ends a solver: law, siconos, paper, fclib or relative (default: law)"},
    {CLI_ITERATIONS, 0, "iterations", "N", NULL, "maximum number of iterations per solver"},
    {CLI_SECONDS, 0, "seconds", "S", NULL, "limit on the processor time of each solver"},
    {CLI_OUTPUT, 'o', "out", "FILE", NULL,
     "write the solution: as a table (.csv), or together with the problem (.hdf5, FCLIB)"},
    FORCE("an existing FILE"),
    {CLI_CSV, 0, "csv", NULL, NULL, "as CSV, with 17 digits"},
    {CLI_JSON, 0, "json", NULL, NULL, "as JSON"},
    END};

const CliCommand cli_commands[] = {
    {"new", "SCENE.yaml", "write a small scene to start from",
     "Writes a scene of a dozen lines, with comments, to run and to change: stones that fall into "
     "a\n"
     "tank, a silo in the plane whose outlet opens, or a drum with grains of two sizes.",
     new_options, cli_new, NULL},
    {"run", "SCENE.yaml", "simulate a scene",
     "Simulates a scene and writes a run file (HDF5), which can be read while the simulation is\n"
     "still running, and even after it was killed. Ctrl-C and SIGTERM finish the current step,\n"
     "write a checkpoint (next to the run file, with the ending .checkpoint) and print how to\n"
     "resume: with --restart the run continues bit for bit, as if it had never stopped.\n"
     "Under mpirun ('mpirun -n 4 scree run SCENE.yaml') several processes share the work; the\n"
     "run file is the same, bit for bit, and another number of them may resume it.",
     run_options, cli_run, NULL},
    {"check", "SCENE.yaml", "check a scene without running it",
     "Reads a scene, builds its world and reports what it contains, or what is wrong and where:\n"
     "whatever the first step would refuse is refused here, too. Warns, like 'scree run', of what\n"
     "is allowed and hardly meant: a constant load that pulls a piston off all grains, friction\n"
     "above 5, a time step ten times the one that would be chosen, events after the end.",
     check_options, cli_check, NULL},
    {"info", "RUN.h5", "summarise a run file",
     "Summarises a run file: grains, walls, material laws, frames, how well the steps converged,\n"
     "where the energy went, and any warnings. Works on a run that is still in progress, too.",
     info_options, cli_info, NULL},
    {"table", "RUN.h5", "print a table of a run as CSV",
     "Prints a table of one frame (by default the last) as CSV, with 17 digits, so that nothing "
     "is\n"
     "lost. 'steps' has a row for each step, its certificate; 'laws' one for each pair of\n"
     "materials; 'shapes' one for each corner of a shape; 'corners' one for each corner of a "
     "body,\n"
     "at its position in the frame. A body consists of all points within the rounding distance of\n"
     "its polygons, in space of its polyhedra; a round body has a single corner, its centre, with "
     "its\n"
     "radius as the rounding.",
     table_options, cli_table, NULL},
    {"export", "RUN.h5", "write files for other programs",
     "Writes the frames of a run for ParaView or OVITO. 'vtp' makes a .vtp file for each frame "
     "and\n"
     "kind of object (bodies, contacts, walls; outlines if bodies have shapes), and for each kind\n"
     "a .pvd file, which is the one to open; 'vtkhdf' writes the same as VTKHDF 1.0, with the\n"
     "ending .hdf; 'dump' makes grains.dump and contacts.dump in LAMMPS's text format, for OVITO.\n"
     "Where bodies are solids, up to 200 different ones, the types of 'dump' are their shapes, "
     "whose\n"
     "meshes are shape-1.obj and so on.",
     export_options, cli_export, NULL},
    {"measure", "RUN.h5", "measure stress, fabric, packing, forces",
     "Measures frames of a run (by default the last), in a region or everywhere, and prints a\n"
     "table. docs/measures.md has the formulas. Stress is positive in compression.\n"
     "\n"
     "- state: every scalar quantity: coordination, solid fraction, stress, fabric, forces, "
     "motion\n"
     "- profile: averages over bins along an axis and over frames, with errors: velocity, solid\n"
     "  fraction, stress, friction, inertial number, temperature\n"
     "- carriers: a coordination for flow that does not depend on the time step\n"
     "- forces: the distributions of normal and tangential forces and of mobilised friction\n"
     "- directions: the distribution of contact directions\n"
     "- anisotropy: what the stress ratio is made of\n"
     "- cell: strain, rate and inertial number of a periodic cell\n"
     "- partners, materials: who touches whom\n"
     "- pairs: the pair correlation\n"
     "- fields: density, velocity and stress on a grid\n"
     "- surface: the slope of the free surface and the angle of repose\n"
     "- flow: the mass flux through a plane\n"
     "- energy: the energy budget up to each frame, by cause\n"
     "- online: what the scene recorded while it ran",
     measure_options, cli_measure, NULL},
    {"indeterminacy", "SCENE.yaml|RUN.h5", "find out how far forces and motion are indeterminate",
     "The laws of rigid grains with friction do not fix all forces: many force networks are\n"
     "compatible with the same motion. For a frame of a run (by default the last), or for a scene\n"
     "at its end, this command reports how many: the degree of hyperstaticity, the minimum and\n"
     "maximum force that each contact can carry, and the mean and standard deviation over "
     "networks\n"
     "found from random starts. Where contacts slide, even the motion may be undetermined: the\n"
     "range of each velocity over all motions in which the same contacts hold, slide and stay "
     "open\n"
     "is reported too. 'scree plot --what indeterminacy' draws the forces; docs/indeterminacy.md\n"
     "says more.",
     indeterminacy_options, cli_indeterminacy, NULL},
    {"plot", "RUN.h5...", "plot a run, or several",
     "Draws one frame (by default the last): its grains, the forces or the bonds between them as\n"
     "lines, the distribution of forces, the pair correlation, fields on a grid, or how far "
     "forces\n"
     "are indeterminate. Or plots stress, fabric, packing and energy of all frames against time, "
     "a\n"
     "profile averaged over the second half of the run, the certificate of all steps, or with\n"
     "--curve any expression against any other, such as stress against strain. Several\n"
     "runs go into one plot: pictures of grains and forces side by side, graphs in one colour for\n"
     "each run. Needs Python with numpy, h5py and matplotlib; SCREE_PYTHON names another Python.",
     plot_options, cli_plot, NULL},
    {"film", "RUN.h5", "make a film of a run",
     "Draws every frame of a run as 'scree plot' does, all with the same view and the same scale\n"
     "of colours, and makes a film of them: .mp4 or .webm by ffmpeg, .gif without it. Needs "
     "Python\n"
     "as 'scree plot' does.",
     film_options, cli_film, NULL},
    {"study", "STUDY.yaml", "run a scene with varied values and several seeds",
     "Runs a scene with every combination of some values and with several seeds, one run for each\n"
     "core at a time, measures each run, and writes a table with means and standard errors over\n"
     "seeds, and a plot of each measure with error bars. The same command resumes a study that "
     "was\n"
     "stopped or killed, or that has grown. docs/guides/studies.md says what a study file holds.\n"
     "Needs Python with numpy, h5py, matplotlib and yaml.",
     study_options, cli_study, NULL},
    {"view", "RUN.h5...", "view a run, or two side by side, in the browser",
     "Opens a page in the browser that plays the run and shows grains, walls, forces and the\n"
     "certificate; docs/viewer.md explains how to use it. A small server, reachable only from "
     "this\n"
     "machine, serves the page until Ctrl-C. It follows a run that is still in progress. With\n"
     "--html, the page and the run are written into one file, to keep or to share. Two runs are\n"
     "shown side by side, at the same time and from the same place.",
     view_options, cli_view, NULL},
    {"solve", "FILE...", "solve contact problems from files",
     "Solves frictional contact problems from FCLIB (HDF5) and Siconos (.dat) files, and says "
     "what\n"
     "became of each: 'solved', if every contact obeys the law to the tolerance, in impulses and "
     "in\n"
     "velocities; 'infeasible', with the contacts that are squeezed; 'unbounded', if W is not\n"
     "positive semi-definite; else 'not solved'. 'law' is the largest error of any contact;\n"
     "'siconos', 'paper' and 'fclib' are the norms that others use, and depend on the units;\n"
     "'relative' does not. Of several solvers, the fastest to solve the problem wins.\n"
     "docs/problems.md says more. The exit status is 75 if a problem was not solved.",
     solve_options, cli_solve, NULL},
    {"figures", NULL, "reproduce the published figures",
     "Reproduces figures from the papers, each with data, a plot and a verdict on the agreement.\n"
     "'scree figures --list' names them; 'scree figures --help' says more. Needs Python.",
     NULL, NULL, cli_figures},
    {"bench", NULL, "measure the speed on this machine",
     "Measures the speed of the sweeps and of a step on this machine. 'scree bench --help' says\n"
     "more.",
     NULL, NULL, cli_bench},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
