#include "cli/command/frames.h"
#include "cli/commands.h"

#include <math.h>

static int by_number(const char *text, size_t frames, size_t *first) {
    long number = 0, most = (long)frames;
    if (!cli_integer("--frame", text, -most, most - 1, &number)) {
        return CLI_USAGE;
    }
    *first = (size_t)(number < 0 ? most + number : number);
    return CLI_DONE;
}

static int by_time(const char *text, const RunReader *reader, size_t frames, size_t *first) {
    double time = 0;
    if (!cli_real("--time", text, &time)) {
        return CLI_USAGE;
    }
    *first = 0;
    for (size_t i = 1; i < frames; i++) {
        double best = fabs(run_frame_time(reader, *first) - time);
        *first = fabs(run_frame_time(reader, i) - time) < best ? i : *first;
    }
    return CLI_DONE;
}

int cli_choose_frames(const CliArguments *arguments, const RunReader *reader, bool otherwise_all,
                      size_t *first, size_t *count) {
    const char *frame = arguments->value[CLI_FRAME], *time = arguments->value[CLI_TIME];
    bool all = arguments->value[CLI_ALL] != NULL;
    size_t frames = run_frame_count(reader);
    if ((frame != NULL) + (time != NULL) + all > 1) {
        cli_error("give only one of --frame, --time and --all");
        return CLI_USAGE;
    }
    if (frames == 0) {
        cli_error("%s: has no frame yet", arguments->operand);
        return CLI_BAD_INPUT;
    }
    *count = 1;
    if (frame != NULL) {
        return by_number(frame, frames, first);
    }
    if (time != NULL) {
        return by_time(time, reader, frames, first);
    }
    *first = all || otherwise_all ? 0 : frames - 1;
    *count = frames - *first;
    return CLI_DONE;
}
