#include "cli/message.h"

#include "base/printable.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_terminal(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static bool has_colours(void) {
    const char *none = getenv("NO_COLOR");
    return cli_terminal() && (none == NULL || *none == '\0');
}

static void say(const char *label, const char *colour, const char *format, va_list arguments) {
    enum { LONGEST = 4096 };
    bool coloured = has_colours();
    char text[LONGEST];
    vsnprintf(text, sizeof text, format, arguments);
    scr_make_printable(text, false);
    fprintf(stderr, "scree: %s%s%s%s\n", coloured ? colour : "", label, coloured ? "\033[0m" : "",
            text);
}

void cli_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("error: ", "\033[1;31m", format, arguments);
    va_end(arguments);
}

void cli_warning(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", "\033[1;33m", format, arguments);
    va_end(arguments);
}

void cli_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("", "", format, arguments);
    va_end(arguments);
}

void cli_print(const char *text) {
    cli_print_to(stdout, text);
}

void cli_print_to(FILE *file, const char *text) {
    char *copy = strdup(text);
    if (copy != NULL) {
        scr_make_printable(copy, false);
    }
    fputs(copy != NULL ? copy : "(out of memory)", file);
    free(copy);
}

int cli_io_error(const IoError *error) {
    cli_error("%s", error->text);
    return error->kind == IO_BAD_FILE ? CLI_BAD_INPUT : CLI_FAILED;
}

int cli_no_memory(void) {
    cli_error("out of memory");
    return CLI_FAILED;
}

/* Whether the reader of standard output has gone away. */
static bool reader_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

int cli_finish_output(int status) {
    errno = 0;
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    int reason = errno;
    if (ok || reason == EPIPE || reader_gone()) {
        return status;
    }
    cli_error("cannot write to standard output: %s", reason != 0 ? strerror(reason) : "disk full?");
    return status != CLI_DONE ? status : CLI_FAILED;
}
