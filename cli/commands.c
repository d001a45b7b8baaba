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
    QUIET,
    {CLI_VERBOSE, 'v', "verbose", NULL, NULL, "tell every frame and checkpoint"},
    END};

static const CliOption check_options[] = {DEFINE, QUIET, END};

static const CliOption info_options[] = {END};

static const CliOption table_options[] = {
    {CLI_WHAT, 'w', "what", "TABLE", "bodies|contacts|walls|steps|laws",
     "which table (default: bodies)"},
    FRAME,
    TIME,
    {CLI_ALL, 'a', "all", NULL, NULL, "all frames, with columns frame and time before the others"},
    END};

static const CliOption export_options[] = {
    {CLI_TO, 0, "to", "FORMAT", "vtp", "the format (default: vtp)"},
    {CLI_OUTPUT, 'o', "output", "DIR", NULL, "the folder (default: the run's name with -vtp)"},
    FRAME,
    TIME,
    QUIET,
    END};

static const CliOption plot_options[] = {
    {CLI_WHAT, 'w', "what", "PICTURE", "grains|chains|certificate|forces",
     "what to draw (default: grains)"},
    FRAME,
    TIME,
    {CLI_OUTPUT, 'o', "output", "FILE", NULL,
     "the picture, .png, .svg or .pdf (default: the run's name with -grains.png)"},
    QUIET,
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
     "'laws' one for each pair of materials.",
     table_options, cli_table, NULL},
    {"export", "RUN.h5", "write files for other programs",
     "Writes the frames of a run for ParaView: a .vtp file for each frame and kind (bodies,\n"
     "contacts, walls) and a .pvd file for each kind, which is what to open.",
     export_options, cli_export, NULL},
    {"plot", "RUN.h5", "draw a picture of a run",
     "Draws the grains of one frame (the last, unless told otherwise), the forces between them as\n"
     "lines, the distribution of forces, or the certificate of all steps. Python draws it: its\n"
     "packages numpy, h5py and matplotlib are needed. SCREE_PYTHON names another Python.",
     plot_options, cli_plot, NULL},
    {"figures", NULL, "make the published figures again",
     "Makes figures of the papers again, each with data, picture and a verdict on what agrees.\n"
     "'scree figures --list' names them, 'scree figures --help' tells more. Python makes them.",
     NULL, NULL, cli_figures},
    {"bench", NULL, "measure the speed on this machine",
     "Measures the speed of the sweeps and of a step on this machine. 'scree bench --help' tells "
     "more.",
     NULL, NULL, bench_main},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
