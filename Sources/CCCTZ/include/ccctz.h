// cctz's time zones behind a C interface.
#ifndef REFRESHD_CCCTZ_H
#define REFRESHD_CCCTZ_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct refreshd_zone refreshd_zone;

/// A wall clock's reading in the proleptic Gregorian calendar.
typedef struct {
    int64_t year;
    int month, day, hour, minute, second;
} refreshd_civil;

/// What a wall clock's reading stands for.
typedef struct {
    /// 0: one instant; 1: skipped, the clock went forward over it; 2: repeated, the clock went back.
    int kind;
    /// Seconds since 1970: with the offset before the transition, of the transition, and with the offset after it.
    int64_t before, transition, after;
} refreshd_instants;

/// The zone of that name in the tz database, or NULL. A zone lives as long as the process.
const refreshd_zone *refreshd_zone_load(const char *name);

/// The wall clock at an instant, and its offset from UTC in seconds.
refreshd_civil refreshd_zone_civil(const refreshd_zone *zone, int64_t seconds, int *offset);

/// The instants at which the wall clock shows `civil`.
refreshd_instants refreshd_zone_instants(const refreshd_zone *zone, refreshd_civil civil);

#ifdef __cplusplus
}
#endif

#endif
