/* A table of results: filled cell by cell, then written for people, as CSV or as JSON. */
#ifndef SCREE_CLI_COMMAND_RESULT_TABLE_H
#define SCREE_CLI_COMMAND_RESULT_TABLE_H

#include "cli/options.h"

typedef enum ResultFormat { RESULT_TEXT, RESULT_CSV, RESULT_JSON } ResultFormat;

/* What --csv and --json ask for. */
ResultFormat result_format(const CliArguments *arguments);

typedef struct ResultColumn {
    const char *name, *dimension;
    const char *meaning; /* NULL: none */
} ResultColumn;

typedef struct ResultCell {
    char *text;
    bool quoted; /* a word, not a number */
} ResultCell;

/* Begun as {0} with a format. */
typedef struct ResultTable {
    ResultFormat format;
    int dimension; /* of space: what "length^d" means */
    bool brief;    /* for the caller: fewer columns are wanted */
    ResultColumn *column;
    size_t columns, column_room;
    ResultCell *cell; /* row by row */
    size_t cells, cell_room;
    bool failed; /* out of memory: nothing more is added */
} ResultTable;

void result_column(ResultTable *table, const char *name, const char *dimension,
                   const char *meaning);

/* The cells of a row, from the left. A number that is not defined is NaN; it is written as "-" for
 * people, as nothing in CSV and as null in JSON. An infinite one is "inf", in JSON null. */
void result_real(ResultTable *table, double value);
void result_integer(ResultTable *table, long long value);
void result_word(ResultTable *table, const char *word);

/* Writes the table; false when it could not be made. `title` is for people, for whom a wide table
 * of one row is written downwards. */
bool result_write(const ResultTable *table, const char *title, FILE *file);
void result_free(ResultTable *table);

/* A cell of CSV, in quotes where it needs them. */
void result_csv_text(const char *text, FILE *file);

#endif
