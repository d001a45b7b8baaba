/* What 'scree measure' is asked for. */
#ifndef SCREE_CLI_COMMAND_MEASURE_OPTIONS_H
#define SCREE_CLI_COMMAND_MEASURE_OPTIONS_H

#include "cli/options.h"
#include "cli/command/result_table.h"
#include "io/run/file.h"

typedef struct MeasureOptions {
    const char *what;
    ResultFormat format;
    ScreeMeasureDef region;
    size_t first, count, step; /* frames */
    size_t bins;
    double most, width, window;
    ScreeGridDef grid;
    ScreeProfileDef profile;
    bool has_plane;
    ScreeVec3 point, normal;
} MeasureOptions;

/* Returns an exit status, having said what is wrong. */
int measure_read_options(const CliArguments *arguments, const RunReader *reader,
                         MeasureOptions *options);

#endif
