#include "cli/command/result_table.h"

#include "base/printable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE_COLUMNS = 14, DIMENSION_LENGTH = 64 };

ResultFormat result_format(const CliArguments *arguments) {
    return arguments->value[CLI_JSON] != NULL  ? RESULT_JSON
           : arguments->value[CLI_CSV] != NULL ? RESULT_CSV
                                               : RESULT_TEXT;
}

/* ---------------------------------------------------------------- filling */

static bool grow(void **data, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return true;
    }
    size_t larger = 2 * *room + 64;
    void *moved = realloc(*data, larger * size);
    if (moved == NULL) {
        return false;
    }
    *data = moved;
    *room = larger;
    return true;
}

void result_column(ResultTable *t, const char *name, const char *dimension, const char *meaning) {
    void *data = t->column;
    t->failed = t->failed || !grow(&data, t->columns, &t->column_room, sizeof *t->column);
    t->column = data;
    if (!t->failed) {
        t->column[t->columns++] = (ResultColumn){name, dimension, meaning};
    }
}

static void add_cell(ResultTable *t, const char *text, bool quoted) {
    void *data = t->cell;
    t->failed = t->failed || !grow(&data, t->cells, &t->cell_room, sizeof *t->cell);
    t->cell = data;
    char *kept = t->failed ? NULL : strdup(text);
    t->failed = kept == NULL;
    if (!t->failed) {
        t->cell[t->cells++] = (ResultCell){kept, quoted};
    }
}

void result_real(ResultTable *t, double value) {
    char text[40] = "";
    if (isinf(value) && t->format != RESULT_JSON) {
        snprintf(text, sizeof text, "%s", value < 0 ? "-inf" : "inf");
    } else if (isfinite(value)) {
        snprintf(text, sizeof text, t->format == RESULT_TEXT ? "%.6g" : "%.17g", value);
    } else if (t->format != RESULT_CSV) {
        snprintf(text, sizeof text, "%s", t->format == RESULT_TEXT ? "-" : "null");
    }
    add_cell(t, text, false);
}

void result_integer(ResultTable *t, long long value) {
    char text[40];
    snprintf(text, sizeof text, "%lld", value);
    add_cell(t, text, false);
}

void result_word(ResultTable *t, const char *word) {
    add_cell(t, word, true);
}

void result_free(ResultTable *t) {
    for (size_t i = 0; i < t->cells; i++) {
        free(t->cell[i].text);
    }
    free(t->cell);
    free(t->column);
    *t = (ResultTable){0};
}

/* ---------------------------------------------------------------- dimensions */

/* "force/length^(d-1)" is "force/length^2" in space, "force/length" in the plane. */
static const char *plain_dimension(const ResultTable *t, const char *dimension, char *into) {
    static const struct {
        const char *symbol, *plane, *space;
    } powers[] = {{"^(d-1)", "", "^2"}, {"^d", "^2", "^3"}};
    snprintf(into, DIMENSION_LENGTH, "%s", dimension);
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        char *at = strstr(into, powers[i].symbol);
        if (at != NULL) {
            char rest[DIMENSION_LENGTH];
            snprintf(rest, sizeof rest, "%s", at + strlen(powers[i].symbol));
            snprintf(at, DIMENSION_LENGTH - (size_t)(at - into), "%s%s",
                     t->dimension == 2 ? powers[i].plane : powers[i].space, rest);
        }
    }
    return into;
}

/* ---------------------------------------------------------------- for people */

static int widest(const ResultTable *t, size_t column) {
    char dimension[DIMENSION_LENGTH];
    size_t width = strlen(t->column[column].name);
    size_t unit = strlen(plain_dimension(t, t->column[column].dimension, dimension)) + 2;
    width = unit > width ? unit : width;
    for (size_t i = column; i < t->cells; i += t->columns) {
        size_t length = strlen(t->cell[i].text);
        width = length > width ? length : width;
    }
    return (int)width;
}

static bool write_across(const ResultTable *t, FILE *file) {
    char dimension[DIMENSION_LENGTH + 2], unit[DIMENSION_LENGTH];
    int *width = calloc(t->columns + 1, sizeof *width);
    if (width == NULL) {
        return false;
    }
    for (size_t k = 0; k < t->columns; k++) {
        width[k] = widest(t, k);
        fprintf(file, "%s%*s", k > 0 ? "  " : "", width[k], t->column[k].name);
    }
    fputc('\n', file);
    for (size_t k = 0; k < t->columns; k++) {
        snprintf(dimension, sizeof dimension, "[%s]",
                 plain_dimension(t, t->column[k].dimension, unit));
        fprintf(file, "%s%*s", k > 0 ? "  " : "", width[k],
                t->column[k].dimension[0] != '\0' ? dimension : "");
    }
    fputc('\n', file);
    for (size_t i = 0; i < t->cells; i++) {
        size_t k = i % t->columns;
        fprintf(file, "%s%*s%s", k > 0 ? "  " : "", width[k], t->cell[i].text,
                k + 1 == t->columns ? "\n" : "");
    }
    free(width);
    return true;
}

/* Components along z are left out in two dimensions: "stress_xz", "velocity_z". */
static bool is_flat(const ResultTable *t, const char *name) {
    const char *component = strrchr(name, '_');
    return t->dimension == 2 && component != NULL && strlen(component) <= 3 &&
           strchr(component, 'z') != NULL;
}

static void write_down(const ResultTable *t, FILE *file) {
    char dimension[DIMENSION_LENGTH];
    for (size_t k = 0; k < t->columns; k++) {
        if (is_flat(t, t->column[k].name)) {
            continue;
        }
        const ResultColumn *c = &t->column[k];
        const char *plain = plain_dimension(t, c->dimension, dimension);
        const size_t length = strlen(plain);
        fprintf(file, "%-22s %14s  [%s]%*s %s\n", c->name, t->cell[k].text, plain,
                (int)(length < 16 ? 16 - length : 0), "", c->meaning != NULL ? c->meaning : "");
    }
}

/* ---------------------------------------------------------------- for programs */

void result_csv_text(const char *text, FILE *file) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    }
    fputc('"', file);
}

static void write_csv(const ResultTable *t, FILE *file) {
    for (size_t k = 0; k < t->columns; k++) {
        fprintf(file, "%s%s", k > 0 ? "," : "", t->column[k].name);
    }
    fputc('\n', file);
    for (size_t i = 0; i < t->cells; i++) {
        size_t k = i % t->columns;
        fputs(k > 0 ? "," : "", file);
        result_csv_text(t->cell[i].text, file);
        fputs(k + 1 == t->columns ? "\n" : "", file);
    }
}

static void json_text(const char *text, FILE *file) {
    fputc('"', file);
    char letter[SCR_JSON_MOST];
    while (*text != '\0') {
        text += scr_json_character(text, letter);
        fputs(letter, file);
    }
    fputc('"', file);
}

/* {"dimensions": {name: dimension, ...}, "rows": [{name: value, ...}, ...]} */
static void write_json(const ResultTable *t, FILE *file) {
    char dimension[DIMENSION_LENGTH];
    fputs("{\"dimensions\": {", file);
    for (size_t k = 0; k < t->columns; k++) {
        fprintf(file, "%s\"%s\": \"%s\"", k > 0 ? ", " : "", t->column[k].name,
                plain_dimension(t, t->column[k].dimension, dimension));
    }
    fputs("},\n \"rows\": [", file);
    for (size_t i = 0; i < t->cells; i++) {
        size_t k = i % t->columns;
        fprintf(file, "%s\"%s\": ", k > 0 ? ", " : i > 0 ? ",\n  {" : "\n  {", t->column[k].name);
        if (t->cell[i].quoted) {
            json_text(t->cell[i].text, file);
        } else {
            fputs(t->cell[i].text, file);
        }
        fputs(k + 1 == t->columns ? "}" : "", file);
    }
    fputs("]}\n", file);
}

bool result_write(const ResultTable *t, const char *title, FILE *file) {
    if (t->failed) {
        return false;
    }
    if (t->format == RESULT_CSV) {
        write_csv(t, file);
    } else if (t->format == RESULT_JSON) {
        write_json(t, file);
    } else {
        fprintf(file, "%s\n", title);
        if (t->cells != t->columns || t->columns <= WIDE_COLUMNS) {
            return write_across(t, file);
        }
        write_down(t, file);
    }
    return true;
}
