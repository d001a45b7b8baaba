#include "cli/signals.h"

#include <signal.h>
#include <string.h>

/* A handler can only talk to the program through a static variable. */
static volatile sig_atomic_t caught;

static void note(int signal_number) {
    caught = signal_number;
}

void cli_signals_ignore_write_failures(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

/* A signal that is ignored on entry, as under nohup, stays ignored. */
static void catch_one(int signal_number) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(signal_number, &action, NULL);
    }
}

void cli_signals_catch(void) {
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
}

int cli_signals_caught(void) {
    return (int)caught;
}
