#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/message.h"
#include "io/vtp.h"

#include <stdlib.h>
#include <string.h>

/* "runs/heap.h5" makes "runs/heap-vtp". */
static char *default_folder(const char *run_path) {
    static const char ending[] = "-vtp";
    size_t length = strlen(run_path);
    if (length > 3 && strcmp(run_path + length - 3, ".h5") == 0) {
        length -= 3;
    }
    char *folder = malloc(length + sizeof ending);
    if (folder != NULL) {
        memcpy(folder, run_path, length);
        strcpy(folder + length, ending);
    }
    return folder;
}

static int export_to(const CliArguments *arguments, RunReader *reader, const char *folder) {
    size_t first = 0, count = 0;
    IoError error = {0};
    int status = cli_choose_frames(arguments, reader, true, &first, &count);
    if (status != CLI_DONE) {
        return status;
    }
    if (!vtp_export(reader, folder, first, count, &error)) {
        return cli_io_error(&error);
    }
    if (arguments->value[CLI_QUIET] == NULL) {
        bool shaped = run_header(reader)->shape.rows.count > 0;
        cli_note("%s: %zu frame%s; open bodies.pvd, %scontacts.pvd and walls.pvd in ParaView",
                 folder, count, count == 1 ? "" : "s", shaped ? "outlines.pvd, " : "");
    }
    return CLI_DONE;
}

int cli_export(const CliArguments *arguments) {
    IoError error = {0};
    RunReader *reader = run_open(arguments->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    char *made = default_folder(arguments->operand);
    const char *given = arguments->value[CLI_OUTPUT];
    int status = CLI_FAILED;
    if (made == NULL) {
        cli_error("out of memory");
    } else {
        status = export_to(arguments, reader, given != NULL ? given : made);
    }
    free(made);
    run_reader_free(reader);
    return status;
}
