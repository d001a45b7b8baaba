#include "cli/command/browser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool set(const char *name) {
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

bool cli_open_browser(const char *address) {
    if ((!set("DISPLAY") && !set("WAYLAND_DISPLAY")) || !on_path("xdg-open")) {
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
