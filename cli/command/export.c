#include "cli/commands.h"
#include "cli/command/frames.h"
#include "io/export/dump.h"
#include "io/export/vtk.h"

#include "base/plural.h"

#include <stdlib.h>
#include <string.h>

/* "runs/heap.h5" makes "runs/heap-vtp". */
static char *default_folder(const char *run_path, const char *format) {
    size_t length = strlen(run_path);
    if (length > 3 && strcmp(run_path + length - 3, ".h5") == 0) {
        length -= 3;
    }
    char *folder = malloc(length + strlen(format) + 2);
    if (folder != NULL) {
        memcpy(folder, run_path, length);
        folder[length] = '-';
        strcpy(folder + length + 1, format);
    }
    return folder;
}

/* Says which file to open, and with what. */
static void tell(const RunReader *reader, const char *folder, const char *format, size_t count) {
    const char *frames = SCR_PLURAL(count, "frame", "frames");
    const char *shapes = run_header(reader)->shape.rows.count > 0 ? "outlines, " : "";
    if (strcmp(format, "dump") == 0) {
        cli_note("%s: %zu %s; open grains.dump in OVITO; contacts.dump holds bonds for it", folder,
                 count, frames);
    } else if (strcmp(format, "vtkhdf") == 0) {
        cli_note("%s: %zu %s; open the series of bodies, %scontacts and walls in ParaView", folder,
                 count, frames, shapes);
    } else {
        cli_note("%s: %zu %s; open bodies.pvd, %scontacts.pvd and walls.pvd in ParaView", folder,
                 count, frames, *shapes != '\0' ? "outlines.pvd, " : "");
    }
}

static int export_to(const CliArguments *arguments, RunReader *reader, const char *format,
                     const char *folder) {
    size_t first = 0, count = 0;
    IoError error = {0};
    IoRule rule = {arguments->operand, arguments->value[CLI_FORCE] != NULL};
    CLI_TRY(cli_choose_frames(arguments, reader, true, &first, &count));
    bool ok = strcmp(format, "dump") == 0
                  ? dump_export(reader, folder, first, count, rule, &error)
                  : vtk_export(reader, folder, strcmp(format, "vtkhdf") == 0 ? VTK_VTKHDF : VTK_VTP,
                               first, count, rule, &error);
    if (!ok) {
        return cli_io_error(&error);
    }
    if (arguments->value[CLI_QUIET] == NULL) {
        tell(reader, folder, format, count);
    }
    return CLI_DONE;
}

int cli_export(const CliArguments *arguments) {
    IoError error = {0};
    RunReader *reader = run_open(arguments->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    const char *format = arguments->value[CLI_TO] != NULL ? arguments->value[CLI_TO] : "vtp";
    char *made = default_folder(arguments->operand, format);
    const char *given = arguments->value[CLI_OUTPUT];
    int status = made == NULL ? cli_no_memory()
                              : export_to(arguments, reader, format, given != NULL ? given : made);
    free(made);
    run_reader_free(reader);
    return status;
}
