/* The user's browser. */
#ifndef SCREE_CLI_COMMAND_BROWSER_H
#define SCREE_CLI_COMMAND_BROWSER_H

#include <stdbool.h>

/* Opens an address with xdg-open, without waiting for it. False when there is no desktop to open it
 * on, or no xdg-open. */
bool cli_open_browser(const char *address);

#endif
