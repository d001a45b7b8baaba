#include "cli/session.h"
#include "cli/signals.h"

int cli_run(const CliArguments *arguments) {
    Session session = {0};
    cli_signals_catch();
    int status = session_begin(&session, arguments);
    if (status == CLI_DONE) {
        status = session_steps(&session);
    }
    session_free(&session);
    return status;
}
