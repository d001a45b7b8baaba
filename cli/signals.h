/* Signals that end a run in good order. */
#ifndef SCREE_CLI_SIGNALS_H
#define SCREE_CLI_SIGNALS_H

/* A closed pipe and a file that has grown too large are reported by the write that fails. */
void cli_signals_ignore_write_failures(void);

/* From now on SIGINT, SIGTERM and SIGHUP are only noted the first time; a second one ends the
 * program at once, which harms no file. */
void cli_signals_catch(void);

/* The signal that came, or 0. */
int cli_signals_caught(void);

#endif
