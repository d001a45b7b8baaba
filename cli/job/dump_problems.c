#include "cli/job/dump_problems.h"

#include "cli/commands.h"
#include "io/problem/file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* Whether a text is a whole number, be it negative: a colon that is part of a folder's name is not
 * followed by one. */
static bool is_number(const char *text) {
    text += *text == '-' || *text == '+';
    return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

/* Whether a file is called "NAME-DIGITS.hdf5", as a problem of this scene would be. */
static bool is_problem(const char *file, const char *name) {
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '-') {
        return false;
    }
    size_t digits = strspn(file + length + 1, "0123456789");
    return digits >= 6 && strcmp(file + length + 1 + digits, ".hdf5") == 0;
}

static int spare_problems(const ProblemDump *dump) {
    DIR *entries = opendir(dump->folder);
    const struct dirent *entry = NULL;
    bool found = false;
    while (entries != NULL && !found && (entry = readdir(entries)) != NULL) {
        found = is_problem(entry->d_name, dump->name);
    }
    if (found) {
        cli_error("%s/%s: already exists; replace such files with --force, or choose another "
                  "folder",
                  dump->folder, entry->d_name);
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return found ? CLI_FAILED : CLI_DONE;
}

int dump_begin(ProblemDump *dump, const CliArguments *arguments) {
    const char *option = arguments->value[CLI_DUMP_PROBLEMS], *scene_path = arguments->operand;
    if (option == NULL) {
        return CLI_DONE;
    }
    const char *colon = strrchr(option, ':'), *slash = strrchr(scene_path, '/');
    const char *name = slash != NULL ? slash + 1 : scene_path, *dot = strrchr(name, '.');
    bool numbered = colon != NULL && is_number(colon + 1);
    size_t length = numbered ? (size_t)(colon - option) : strlen(option);
    size_t name_length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    dump->every = 1;
    if (numbered && !cli_integer("--dump-problems DIR:", colon + 1, 1, INT_MAX, &dump->every)) {
        return CLI_USAGE;
    }
    if (length == 0 || length >= sizeof dump->folder || name_length >= sizeof dump->name) {
        cli_error("--dump-problems %s: must be the name of a folder", option);
        return CLI_USAGE;
    }
    memcpy(dump->folder, option, length);
    memcpy(dump->name, name, name_length);
    IoError error = {0};
    if (!io_make_folder(dump->folder, &error)) {
        return cli_io_error(&error);
    }
    bool may_replace = arguments->value[CLI_FORCE] != NULL || arguments->value[CLI_RESTART] != NULL;
    return may_replace ? CLI_DONE : spare_problems(dump);
}

int dump_problem(const ProblemDump *dump, const ScreeWorld *world) {
    uint64_t step = scree_world_get_step_count(world);
    char path[PATH_MAX + 300], title[400], message[SCREE_MESSAGE_SIZE] = "";
    IoError error = {0};
    ScreeProblem *problem = NULL;
    if (dump->every == 0 || step % (uint64_t)dump->every != 0) {
        return CLI_DONE;
    }
    if (scree_world_create_problem(world, &problem, message) != SCREE_OK) {
        cli_error("the contact problem of step %llu cannot be written: %s",
                  (unsigned long long)step, message);
        return CLI_FAILED;
    }
    snprintf(path, sizeof path, "%s/%s-%06llu.hdf5", dump->folder, dump->name,
             (unsigned long long)step);
    snprintf(title, sizeof title, "%s, step %llu", dump->name, (unsigned long long)step);
    ProblemExtra extra = {.title = title, .description = "contact problem of a step of scree"};
    bool ok = scree_problem_get_view(problem).contacts == 0 ||
              problem_write(path, problem, &extra, &error);
    scree_problem_destroy(problem);
    return ok ? CLI_DONE : cli_io_error(&error);
}
