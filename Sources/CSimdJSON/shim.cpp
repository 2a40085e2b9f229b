#include "CSimdJSON.h"

#include <memory>
#include <new>
#include <simdjson.h>

// The layout of the structural index is an internal type of the library: another version needs a look.
static_assert(simdjson::SIMDJSON_VERSION_MAJOR == 3, "the structural index was checked with simdjson 3");
static_assert(simdjson::SIMDJSON_PADDING <= REFRESHD_SIMDJSON_PADDING, "more padding is needed");

struct refreshd_simdjson {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> implementation;
};

extern "C" {

refreshd_simdjson *refreshd_simdjson_create(size_t capacity) {
    auto *parser = new (std::nothrow) refreshd_simdjson;
    if (!parser) return nullptr;
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        capacity, 1, parser->implementation);
    if (error != simdjson::SUCCESS) {
        delete parser;
        return nullptr;
    }
    return parser;
}

void refreshd_simdjson_destroy(refreshd_simdjson *parser) { delete parser; }

int refreshd_simdjson_stage1(refreshd_simdjson *parser, const uint8_t *bytes, size_t length) {
    return parser->implementation->stage1(bytes, length, simdjson::stage1_mode::regular);
}

const uint32_t *refreshd_simdjson_indexes(const refreshd_simdjson *parser) {
    return parser->implementation->structural_indexes.get();
}

size_t refreshd_simdjson_count(const refreshd_simdjson *parser) {
    return parser->implementation->n_structural_indexes;
}

const char *refreshd_simdjson_kernel(void) {
    static const std::string name = simdjson::get_active_implementation()->name();
    return name.c_str();
}
}
