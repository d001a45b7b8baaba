/* The viewer: a page that shows a run, from a small server or as one file. */
#include "cli/commands.h"
#include "cli/signals.h"
#include "io/aside.h"
#include "io/run/file.h"
#include "view/html.h"
#include "view/server.h"

#include "base/plural.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double default_budget = 20; /* [MB] what most mail servers still accept */

static bool may_write(const CliArguments *arguments, const char *path, IoError *error) {
    IoRule rule = {.force = arguments->value[CLI_FORCE] != NULL};
    for (size_t i = 0; i < arguments->operand_count; i++) {
        rule.input = arguments->operands[i];
        if (!io_may_write(path, rule, error)) {
            return false;
        }
    }
    return true;
}

/* What was left out of each run; with two of them, by its name. */
static void tell_what_is_missing(const CliArguments *arguments, const ViewHtmlReport *report,
                                 double budget) {
    bool several = arguments->operand_count > 1;
    for (size_t i = 0; i < arguments->operand_count; i++) {
        const char *of = several ? " of " : "", *name = several ? arguments->operands[i] : "";
        double share = report->run[i].contact_share;
        if (report->run[i].frames_kept < report->run[i].frames) {
            cli_note("to stay within %g MB, %zu of %zu frames%s%s were kept", budget,
                     report->run[i].frames_kept, report->run[i].frames, of, name);
        }
        if (share < 1) {
            cli_note("to stay within %g MB, %s%.0f %% of the contacts%s%s were kept", budget,
                     share > 0 ? "only the strongest " : "", 100 * share, of, name);
        }
    }
}

static int write_html(const CliArguments *arguments, const char *path) {
    ViewHtmlReport report;
    IoError error = {0};
    double budget = default_budget;
    const char *given = arguments->value[CLI_BUDGET];
    if (!cli_real("--budget", given, &budget)) {
        return CLI_USAGE;
    }
    if (!(budget > 0)) {
        cli_error("--budget %s: must be greater than 0", given);
        return CLI_USAGE;
    }
    if (!may_write(arguments, path, &error) ||
        !view_write_html(arguments->operands, arguments->operand_count, path, 1e6 * budget, &report,
                         &error)) {
        return cli_io_error(&error);
    }
    tell_what_is_missing(arguments, &report, budget);
    size_t kept = 0;
    for (size_t i = 0; i < arguments->operand_count; i++) {
        kept += report.run[i].frames_kept;
    }
    if (arguments->value[CLI_QUIET] == NULL) {
        cli_note("%s: %zu %s, %.1f MB; open it in a browser", path, kept,
                 SCR_PLURAL(kept, "frame", "frames"), 1e-6 * (double)report.bytes);
    }
    return CLI_DONE;
}

/* ---------------------------------------------------------------- the user's browser */

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* In the grandchild: the browser's own output does not belong on our terminal. */
static void become_opener(const char *address) {
    int nothing = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= 2 && nothing >= 0; stream++) {
        (void)dup2(nothing, stream);
    }
    (void)setsid(); /* Ctrl-C is meant for us */
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(127);
}

static bool on_path(const char *program) {
    const char *path = getenv("PATH");
    char name[4096];
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        if (length + strlen(program) + 2 <= sizeof name) {
            memcpy(name, path, length);
            name[length] = '/';
            strcpy(name + length + 1, program);
            if (access(name, X_OK) == 0) {
                return true;
            }
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* Opens an address with xdg-open, without waiting for it. False when there is no desktop to open it
 * on, or no xdg-open. */
static bool open_browser(const char *address) {
    if ((!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) || !on_path("xdg-open")) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) { /* so that nobody has to wait for it */
            become_opener(address);
        }
        _exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child;
}

/* ---------------------------------------------------------------- the server */

static bool no_signal(void *context, double share) {
    (void)context;
    (void)share;
    return cli_signals_caught() == 0;
}

static int serve(const CliArguments *arguments) {
    IoError error = {0};
    IoWatch watch = {.go_on = no_signal};
    const char *beside = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
    ViewServer *server = view_server_start(arguments->operand, beside, watch, &error);
    if (server == NULL) {
        return cli_io_error(&error);
    }
    cli_signals_catch();
    printf("%s\n", view_server_address(server));
    fflush(stdout);
    bool wanted = arguments->value[CLI_NO_BROWSER] == NULL;
    bool opened = wanted && open_browser(view_server_opening_address(server));
    if (arguments->value[CLI_QUIET] == NULL) {
        cli_note("%s; Ctrl-C ends the viewer",
                 opened ? "the page opens in your browser" : "open this address in a browser");
    }
    bool ok = true;
    while (ok && cli_signals_caught() == 0) {
        ok = view_server_serve(server, 200, &error);
    }
    view_server_stop(server);
    return ok ? CLI_DONE : cli_io_error(&error);
}

int cli_view(const CliArguments *arguments) {
    const char *html = arguments->value[CLI_HTML];
    if (html == NULL && arguments->value[CLI_BUDGET] != NULL) {
        cli_error("--budget goes with --html");
        return CLI_USAGE;
    }
    size_t runs = arguments->operand_count;
    if (runs > VIEW_RUNS_MOST) {
        cli_error("'scree view' shows at most two runs, side by side, not %zu", runs);
        return CLI_USAGE;
    }
    if (runs > 1 && io_same_file(arguments->operands[0], arguments->operands[1])) {
        cli_error("%s and %s are one file", arguments->operands[0], arguments->operands[1]);
        return CLI_USAGE;
    }
    return html != NULL ? write_html(arguments, html) : serve(arguments);
}
