/* scree bench; with 'mpi' as one of several processes. */
#include "bench/bench.h"
#include "bench/processes.h"
#include "cli/commands.h"
#include "cli/processes.h"

#include <string.h>

int cli_bench(int argc, char **argv) {
    const ScreeMessages *messages;
    if (argc < 2 || strcmp(argv[1], "mpi") != 0) {
        return bench_main(argc, argv);
    }
    int status = cli_processes_begin(&messages);
    if (status == CLI_DONE) {
        status = bench_processes(messages != NULL ? &messages->processes : NULL, argc, argv);
    }
    if (messages != NULL) {
        messages->finish();
    }
    return status;
}
