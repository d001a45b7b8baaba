#include "base/bytes.h"
#include "base/random.h"

#include <string.h>

static uint64_t absorb(uint64_t hash, const unsigned char *data, size_t size) {
    while (size > 0) {
        uint64_t word = 0;
        size_t n = size < sizeof word ? size : sizeof word;
        memcpy(&word, data, n);
        hash = scr_mix(hash ^ word) + n;
        data += n;
        size -= n;
    }
    return hash;
}

void scr_put(ByteWriter *writer, const void *data, size_t size) {
    if (size == 0) {
        return;
    }
    if (writer->data != NULL && writer->size + size <= writer->capacity) {
        memcpy(writer->data + writer->size, data, size);
    }
    writer->size += size;
    writer->hash = absorb(writer->hash, data, size);
}

void scr_get(ByteReader *reader, void *data, size_t size) {
    if (size == 0) {
        return;
    }
    if (reader->failed || size > reader->size - reader->at) {
        reader->failed = true;
        memset(data, 0, size);
        return;
    }
    memcpy(data, reader->data + reader->at, size);
    reader->at += size;
}

size_t scr_get_count(ByteReader *r, size_t item) {
    uint64_t count = 0;
    scr_get(r, &count, sizeof count);
    if (r->failed || (item > 0 && count > (r->size - r->at) / item) || count > INT32_MAX) {
        r->failed = true;
        return 0;
    }
    return (size_t)count;
}
