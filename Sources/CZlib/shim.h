#ifndef REFRESHD_CZLIB_H
#define REFRESHD_CZLIB_H
#include <zlib.h>

/// inflateInit2 is a macro: it passes the header's version and the size of the stream.
static inline int refreshd_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

/// The same of deflateInit2, at the default level and memory.
static inline int refreshd_deflate_init(z_stream *stream, int window_bits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
#endif
