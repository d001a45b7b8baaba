/* Which frames --frame, --time and --all select. */
#ifndef SCREE_CLI_COMMAND_FRAMES_H
#define SCREE_CLI_COMMAND_FRAMES_H

#include "cli/options.h"
#include "io/run/file.h"

/* The frames [*first, *first + *count); `otherwise_all` says what is meant when nothing is given:
 * all of them, or the last one. Returns an exit status, having said what was wrong. */
int cli_choose_frames(const CliArguments *arguments, const RunReader *reader, bool otherwise_all,
                      size_t *first, size_t *count);

#endif
