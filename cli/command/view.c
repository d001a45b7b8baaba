/* The viewer: a page that shows a run, from a small server or as one file. */
#include "cli/command/browser.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/signals.h"
#include "io/run/file.h"
#include "view/html.h"
#include "view/server.h"

#include <time.h>

static const double default_budget = 20; /* [MB] what most mail servers still accept */

static int write_html(const CliArguments *arguments, const char *path) {
    ViewHtmlReport report;
    IoError error = {0};
    double budget = default_budget;
    const char *given = arguments->value[CLI_BUDGET];
    if (given != NULL && !cli_real("--budget", given, &budget)) {
        return CLI_USAGE;
    }
    if (!(budget > 0)) {
        cli_error("--budget %s: must be greater than 0", given);
        return CLI_USAGE;
    }
    if (!view_write_html(arguments->operand, path, 1e6 * budget, &report, &error)) {
        return cli_io_error(&error);
    }
    if (report.frames_kept < report.frames) {
        cli_note("to stay within %g MB, %zu of %zu frames were kept", budget, report.frames_kept,
                 report.frames);
    }
    if (report.contact_share < 1) {
        cli_note("to stay within %g MB, %s%.0f %% of the contacts were kept", budget,
                 report.contact_share > 0 ? "only the strongest " : "", 100 * report.contact_share);
    }
    if (arguments->value[CLI_QUIET] == NULL) {
        cli_note("%s: %zu frame%s, %.1f MB; open it in a browser", path, report.frames_kept,
                 report.frames_kept == 1 ? "" : "s", 1e-6 * (double)report.bytes);
    }
    return CLI_DONE;
}

/* Waits for Ctrl-C. */
static void wait_for_signal(void) {
    const struct timespec pause = {0, 200 * 1000 * 1000};
    while (cli_signals_caught() == 0) {
        nanosleep(&pause, NULL);
    }
}

static int serve(const CliArguments *arguments) {
    IoError error = {0};
    ViewServer *server = view_server_start(arguments->operand, &error);
    if (server == NULL) {
        return cli_io_error(&error);
    }
    cli_signals_catch();
    printf("%s\n", view_server_address(server));
    fflush(stdout);
    bool wanted = arguments->value[CLI_NO_BROWSER] == NULL;
    bool opened = wanted && cli_open_browser(view_server_opening_address(server));
    if (arguments->value[CLI_QUIET] == NULL) {
        cli_note("%s; Ctrl-C ends the viewer",
                 opened ? "the page opens in your browser" : "open this address in a browser");
    }
    wait_for_signal();
    view_server_stop(server);
    return CLI_DONE;
}

int cli_view(const CliArguments *arguments) {
    const char *html = arguments->value[CLI_HTML];
    if (html == NULL && arguments->value[CLI_BUDGET] != NULL) {
        cli_error("--budget goes with --html");
        return CLI_USAGE;
    }
    return html != NULL ? write_html(arguments, html) : serve(arguments);
}
