// simdjson's first stage (UTF-8 check, quotes, structural index) behind a C interface.
#ifndef REFRESHD_CSIMDJSON_H
#define REFRESHD_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct refreshd_simdjson refreshd_simdjson;

/// Bytes that must be readable after the end of every input.
#define REFRESHD_SIMDJSON_PADDING 64

/// A parser for inputs of up to `capacity` bytes, or NULL.
refreshd_simdjson *refreshd_simdjson_create(size_t capacity);
void refreshd_simdjson_destroy(refreshd_simdjson *parser);

/// Indexes `length` bytes that have the padding behind them; 0, or simdjson's error code.
int refreshd_simdjson_stage1(refreshd_simdjson *parser, const uint8_t *bytes, size_t length);

/// What the last stage 1 found: offsets of the structural characters and of the first byte of scalars.
const uint32_t *refreshd_simdjson_indexes(const refreshd_simdjson *parser);
size_t refreshd_simdjson_count(const refreshd_simdjson *parser);

/// The name of the instruction set in use.
const char *refreshd_simdjson_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
