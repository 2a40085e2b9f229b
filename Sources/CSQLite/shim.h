// SQLite, with functions for its cast macros and variadic calls.
#ifndef REFRESHD_CSQLITE_H
#define REFRESHD_CSQLITE_H

#include <sqlite3.h>

/// SQLITE_TRANSIENT: SQLite copies what is bound before the call returns.
static inline sqlite3_destructor_type refreshd_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Leaves out SQLite's count of its own memory, which takes a lock at each allocation; before anything else.
static inline int refreshd_sqlite_without_memory_status(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline int refreshd_sqlite_db_config_int(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

/// A macro that is an expression, which Swift does not see.
static inline int refreshd_sqlite_ioerr_shmsize(void) { return SQLITE_IOERR_SHMSIZE; }

#endif
