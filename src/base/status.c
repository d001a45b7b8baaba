#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

ScreeStatus scr_fail(char *message, ScreeStatus status, const char *format, ...) {
    if (message != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(message, SCREE_MESSAGE_SIZE, format, args);
        va_end(args);
    }
    return status;
}

ScreeStatus scr_fail_with(char *message, Fault fault) {
    return fault.status == SCREE_OK ? SCREE_OK : scr_fail(message, fault.status, "%s", fault.words);
}

ScreeStatus scr_no_memory(char *message) {
    return scr_fail_with(message, scr_fault_of_memory());
}

ScreeStatus scr_fail_if(char *message, const char *reason) {
    return scr_fail_with(message, scr_fault_of_argument(reason));
}
