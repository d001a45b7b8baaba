#include "cli/command/law_table.h"

#include <math.h>
#include <string.h>

enum {
    LINES_MOST = 40, /* for a run with many materials the first lines are enough */
    NARROWEST = 9,   /* width of a column */
    CELL = 16,
    PAIR = 48
};

/* Whether any pair differs from the default law in this number. */
static bool used(const RunHeader *header, const double *column, double preset) {
    for (size_t i = 0; i < header->laws.rows.count; i++) {
        if (column[i] != preset) {
            return true;
        }
    }
    return false;
}

static void cell(FILE *file, const char *title, const char *text) {
    int width = (int)strlen(title);
    fprintf(file, "  %*s", width > NARROWEST ? width : NARROWEST, text);
}

static void number(FILE *file, const char *title, double value) {
    char text[CELL];
    snprintf(text, sizeof text, isinf(value) ? "rigid" : "%.4g", value);
    cell(file, title, text);
}

static void pair_name(const RunHeader *header, size_t row, char *text, size_t size) {
    const char *first = header->materials.name[header->laws.first[row]];
    const char *second = header->materials.name[header->laws.second[row]];
    snprintf(text, size, "%.20s - %.20s", first, second);
}

static void print_line(const RunHeader *header, FILE *file, size_t row) {
#define X(name, dimension, preset, meaning)                                                        \
    if (used(header, header->laws.name, preset)) {                                                 \
        number(file, #name, header->laws.name[row]);                                               \
    }
    SCREE_LAW_MAP(X)
#undef X
    fprintf(file, "\n");
}

static void print_titles(const RunHeader *header, FILE *file) {
#define X(name, dimension, preset, meaning)                                                        \
    if (used(header, header->laws.name, preset)) {                                                 \
        cell(file, #name, #name);                                                                  \
    }
    SCREE_LAW_MAP(X)
#undef X
    fprintf(file, "\n");
}

void law_table_print(const RunHeader *header, FILE *file, const char *lead) {
    size_t count = header->laws.rows.count, shown = count < LINES_MOST ? count : LINES_MOST;
    int width = 0;
    char name[PAIR];
    for (size_t i = 0; i < shown; i++) {
        pair_name(header, i, name, sizeof name);
        width = (int)strlen(name) > width ? (int)strlen(name) : width;
    }
    if (count > 0) {
        fprintf(file, "%s%-*s", lead, width, "");
        print_titles(header, file);
    }
    for (size_t i = 0; i < shown; i++) {
        pair_name(header, i, name, sizeof name);
        fprintf(file, "%s%-*s", lead, width, name);
        print_line(header, file, i);
    }
    if (shown < count) {
        fprintf(file, "%sand %zu more pairs\n", lead, count - shown);
    }
}
