#include "view/describe.h"

#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------- identity */

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t view_identity(const RunHeader *header) {
    uint64_t hash = UINT64_C(14695981039346656037);
    hash = mix(hash, header->scene_text, header->scene_size);
    for (size_t i = 0; i < header->overrides.count; i++) {
        hash = mix(hash, header->overrides.name[i], strlen(header->overrides.name[i]) + 1);
    }
    hash = mix(hash, header->body.radius, header->body.rows.count * sizeof(double));
    return mix(hash, header->wall.shape, header->wall.rows.count * sizeof(int32_t));
}

/* ---------------------------------------------------------------- pieces of JSON */

static void key(ViewBytes *into, const char *name) {
    view_print(into, ",\"%s\":", name);
}

static void text(ViewBytes *into, const char *name, const char *value) {
    key(into, name);
    view_print_string(into, value, strlen(value));
}

static void names(ViewBytes *into, const char *name, const RunNames *list) {
    key(into, name);
    view_print(into, "[");
    for (size_t i = 0; i < list->count; i++) {
        view_bytes_add(into, ",", i > 0);
        view_print_string(into, list->name[i], strlen(list->name[i]));
    }
    view_print(into, "]");
}

static void integers(ViewBytes *into, const char *name, const int32_t *values, size_t count) {
    key(into, name);
    view_print(into, "[");
    for (size_t i = 0; i < count; i++) {
        view_print(into, "%s%" PRId32, i > 0 ? "," : "", values[i]);
    }
    view_print(into, "]");
}

static void reals(ViewBytes *into, const char *name, const double *values, size_t count) {
    key(into, name);
    view_print_numbers(into, values, count);
}

/* A single number, or a list of them. */
static void field_value(ViewBytes *into, const RunField *field, const void *rows, size_t row) {
    size_t width = (size_t)field->width;
    const char *array = run_rows_field(rows, field);
    const char *at = array + row * width * run_type_size(field->type);
    if (field->type == RUN_TYPE_double) {
        if (width == 1) {
            view_print_number(into, *(const double *)(const void *)at);
        } else {
            view_print_numbers(into, (const double *)(const void *)at, width);
        }
    } else if (field->type == RUN_TYPE_int32_t) {
        view_print(into, "%" PRId32, *(const int32_t *)(const void *)at);
    } else {
        view_print(into, "%" PRId64, *(const int64_t *)(const void *)at);
    }
}

void view_describe_row(RunTableId id, const void *rows, size_t row, ViewBytes *into) {
    const RunTable *table = run_table(id);
    view_print(into, "{");
    for (int i = 0; i < table->field_count; i++) {
        view_print(into, "%s\"%s\":", i > 0 ? "," : "", table->fields[i].name);
        field_value(into, &table->fields[i], rows, row);
    }
    view_print(into, "}");
}

/* ---------------------------------------------------------------- the whole */

static void rows_of(ViewBytes *into, const char *name, RunTableId id, const void *rows) {
    key(into, name);
    view_print(into, "[");
    for (size_t i = 0; i < ((const RunRows *)rows)->count; i++) {
        view_bytes_add(into, ",", i > 0);
        view_describe_row(id, rows, i, into);
    }
    view_print(into, "]");
}

/* What the numbers mean, for labels: {"bodies": {"position": ["length", "centre"], ...}, ...} */
static void fields(ViewBytes *into) {
    static const struct {
        const char *name;
        RunTableId id;
    } tables[] = {{"constants", RUN_BODY_CONSTANTS}, {"bodies", RUN_BODIES}, {"walls", RUN_WALLS},
                  {"contacts", RUN_CONTACTS},        {"steps", RUN_STEPS},   {"laws", RUN_LAWS}};
    key(into, "fields");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const RunTable *table = run_table(tables[i].id);
        view_print(into, "%s\"%s\":{", i > 0 ? "," : "{", tables[i].name);
        for (int k = 0; k < table->field_count; k++) {
            const RunField *field = &table->fields[k];
            view_print(into, "%s\"%s\":[", k > 0 ? "," : "", field->name);
            view_print_string(into, field->dimension, strlen(field->dimension));
            view_print(into, ",");
            view_print_string(into, field->meaning, strlen(field->meaning));
            view_print(into, "]");
        }
        view_print(into, "}");
    }
    view_print(into, "}");
}

void view_describe_header(const RunHeader *header, const double origin[3], ViewBytes *into) {
    view_print(into, "{\"identity\":\"%016" PRIx64 "\"", view_identity(header));
    text(into, "program", scree_get_version());
    text(into, "scene_name", header->scene_name);
    key(into, "scene_text");
    view_print_string(into, header->scene_text, header->scene_size);
    names(into, "overrides", &header->overrides);
    names(into, "materials", &header->materials);
    names(into, "colours", &header->colours);
    names(into, "walls", &header->walls);
    integers(into, "dimension", &header->dimension, 1);
    const char *engine = scree_engine_get_name(header->engine);
    bool usual = header->engine == SCREE_ENGINE_CONTACT_DYNAMICS || engine == NULL;
    text(into, "engine", usual ? "contact dynamics" : engine);
    reals(into, "time_step", &header->time_step, 1);
    reals(into, "theta", &header->theta, 1);
    reals(into, "gravity", header->gravity, 3);
    integers(into, "periodic", header->periodic, 3);
    reals(into, "cell_min", header->cell_min, 3);
    reals(into, "cell_max", header->cell_max, 3);
    reals(into, "origin", origin, 3);
    key(into, "bodies");
    view_print(into, "%zu", header->body.rows.count);
    view_print(into, ",\"plates\":%s", header->plates ? "true" : "false");
    view_print(into, ",\"bonds\":%s", header->bonds ? "true" : "false");
    view_print(into, ",\"growing\":%s", header->growing ? "true" : "false");
    rows_of(into, "wall_constants", RUN_WALL_CONSTANTS, &header->wall);
    rows_of(into, "laws", RUN_LAWS, &header->laws);
    fields(into);
}
