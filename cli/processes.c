#include "cli/processes.h"

#include "cli/library.h"
#include "cli/message.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How the starters of processes tell how many there are. */
static bool is_one_of_several(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && strtol(value, NULL, 10) > 1) {
            return true;
        }
    }
    return false;
}

static const char mpi[] = "libscree_mpi.so";

bool cli_processes_possible(void) {
    return cli_library_exists(mpi);
}

static void fall_silent(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
}

int cli_processes_begin(const ScreeMessages **messages) {
    *messages = NULL;
    if (!is_one_of_several()) {
        return CLI_DONE;
    }
    void *library =
        cli_library_load(mpi, RTLD_NOW | RTLD_GLOBAL); /* MPI loads parts that need it */
    ScreeMessagesBegin begin = NULL;
    if (library != NULL) {
        void *symbol = dlsym(library, SCREE_MESSAGES_BEGIN);
        memcpy(&begin, &symbol, sizeof begin);
    }
    *messages = begin != NULL ? begin() : NULL;
    if (*messages == NULL) {
        cli_error("this is one of several processes, but libscree_mpi.so, which lets them work "
                  "together, cannot be "
                  "loaded: build Scree where MPI is installed (libopenmpi-dev), or start it "
                  "without mpirun");
        return CLI_FAILED;
    }
    const ScreeProcesses *p = &(*messages)->processes;
    if (p->count > SCREE_MOST_PROCESSES) {
        if (p->rank == 0) {
            cli_error("%d processes are more than %d, the most that work together yet",
                      (int)p->count, (int)SCREE_MOST_PROCESSES);
        }
        (*messages)->finish();
        *messages = NULL;
        return CLI_USAGE;
    }
    if (p->rank > 0) {
        fall_silent();
    }
    return CLI_DONE;
}

int cli_processes_agree(const ScreeMessages *messages, int number) {
    double most = number;
    if (messages != NULL) {
        messages->processes.most(messages->processes.context, &most, 1);
    }
    return (int)most;
}
