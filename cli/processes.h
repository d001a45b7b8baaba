/* The program as one of several processes, under mpirun. */
#ifndef SCREE_CLI_PROCESSES_H
#define SCREE_CLI_PROCESSES_H

#include "backend/messages.h"

#include <stdbool.h>

/* Whether there is a library that passes messages. */
bool cli_processes_possible(void);

/* All but the first fall silent, even before they have joined: what is wrong with the words of a
 * command is told once. */
void cli_processes_hush(void);

/* Joins the other processes, if this one was started with others; *messages is NULL if not. All but
 * the first fall silent. Returns an exit status, having said what was wrong. */
int cli_processes_begin(const ScreeMessages **messages);

/* The largest of what the processes have: an exit status, a signal. With NULL `number` itself. */
int cli_processes_agree(const ScreeMessages *messages, int number);

#endif
