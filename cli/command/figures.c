/* Makes the published figures again. A script in figures/ does so; this command finds and runs
 * it. */
#include "cli/commands.h"
#include "cli/command/python.h"

#include <stdlib.h>

/* Where the figures may be, relative to the program: installed, or in the source tree. */
static const char *const folders[] = {SCREE_FIGURES_FROM_PROGRAM, "../../figures", "../figures",
                                      NULL};

int cli_figures(int argc, char **argv) {
    char path[PATH_MAX];
    if (!cli_find_beside(folders, "run.py", path)) {
        cli_error("the figures were found neither next to this program nor where it was installed");
        return CLI_FAILED;
    }
    const char **words = calloc((size_t)argc + 2, sizeof *words);
    if (words == NULL) {
        return cli_no_memory();
    }
    words[1] = path;
    for (int i = 1; i < argc; i++) {
        words[i + 1] = argv[i];
    }
    int status = cli_become_python(words);
    free(words);
    return status;
}
