#include "cli/processes.h"

#include "cli/library.h"
#include "cli/message.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How the starters of processes tell how many there are, and which is which. */
enum { SIZE, RANK, STARTERS = 3 };
static const char *const variables[STARTERS][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                                   {"PMI_SIZE", "PMI_RANK"},
                                                   {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

/* The rank that the starter has told; -1: this process is alone. */
static long told_rank(void) {
    for (size_t i = 0; i < STARTERS; i++) {
        const char *size = getenv(variables[i][SIZE]), *rank = getenv(variables[i][RANK]);
        if (size != NULL && strtol(size, NULL, 10) > 1) {
            return rank != NULL ? strtol(rank, NULL, 10) : 0;
        }
    }
    return -1;
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

void cli_processes_hush(void) {
    if (told_rank() > 0) {
        fall_silent();
    }
}

int cli_processes_begin(const ScreeMessages **messages) {
    *messages = NULL;
    if (told_rank() < 0) {
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
