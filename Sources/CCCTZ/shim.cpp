#include "ccctz.h"

#include <chrono>
#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <new>
#include <string>

struct refreshd_zone {
    cctz::time_zone zone;
};

namespace {

cctz::time_point<cctz::seconds> instant(int64_t seconds) {
    return cctz::time_point<cctz::seconds>(cctz::seconds(seconds));
}

int64_t seconds(cctz::time_point<cctz::seconds> instant) { return instant.time_since_epoch().count(); }

}  // namespace

// An exception must not reach a caller that knows none.
extern "C" const refreshd_zone *refreshd_zone_load(const char *name) try {
    cctz::time_zone zone;
    if (!cctz::load_time_zone(std::string(name), &zone)) return nullptr;
    return new (std::nothrow) refreshd_zone{zone};
} catch (...) {
    return nullptr;
}

extern "C" refreshd_civil refreshd_zone_civil(const refreshd_zone *zone, int64_t seconds, int *offset) {
    const cctz::time_zone::absolute_lookup found = zone->zone.lookup(instant(seconds));
    *offset = found.offset;
    const cctz::civil_second &civil = found.cs;
    return {civil.year(), civil.month(), civil.day(), civil.hour(), civil.minute(), civil.second()};
}

extern "C" refreshd_instants refreshd_zone_instants(const refreshd_zone *zone, refreshd_civil civil) {
    const cctz::time_zone::civil_lookup found = zone->zone.lookup(cctz::civil_second(
        civil.year, civil.month, civil.day, civil.hour, civil.minute, civil.second));
    return {static_cast<int>(found.kind), seconds(found.pre), seconds(found.trans), seconds(found.post)};
}
