#ifndef SCREE_CLI_EXIT_STATUS_H
#define SCREE_CLI_EXIT_STATUS_H

/* Exit statuses. An interrupted run ends with 128 plus the number of the signal. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_BAD_INPUT = 65,
    CLI_NOT_CONVERGED = 75,
    CLI_SIGNAL = 128
};

#endif
