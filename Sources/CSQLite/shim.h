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

/// When a connection's commits write the log back into the database, and what went wrong the last time.
struct refreshd_checkpoints {
    /// Pages that the log may have.
    int frames;
    /// SQLite's code; 0 where nothing did.
    int failure;
};

static inline int refreshd_sqlite_committed(void *context, sqlite3 *db, const char *name, int frames) {
    struct refreshd_checkpoints *checkpoints = (struct refreshd_checkpoints *)context;
    if (frames >= checkpoints->frames) {
        int code = sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, (int *)0, (int *)0);
        // A reader in the way is no fault: the next commit tries again.
        if (code != SQLITE_OK && (code & 0xFF) != SQLITE_BUSY) checkpoints->failure = code;
    }
    return SQLITE_OK;
}

/// As `PRAGMA wal_autocheckpoint`, which does not tell what its checkpoints ran into; null ends it.
static inline void refreshd_sqlite_checkpoint_into(sqlite3 *db, struct refreshd_checkpoints *checkpoints) {
    sqlite3_wal_hook(db, checkpoints ? refreshd_sqlite_committed : 0, checkpoints);
}

/// Reads the database's file and its log from end to end; 0, or the code of the first read that failed.
static inline int refreshd_sqlite_read_all(sqlite3 *db) {
    static const int pointers[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
    char piece[65536];
    for (int which = 0; which < 2; which++) {
        sqlite3_file *file = 0;
        sqlite3_int64 size = 0;
        int code = sqlite3_file_control(db, "main", pointers[which], &file);
        if (code != SQLITE_OK || !file || !file->pMethods) continue;
        code = file->pMethods->xFileSize(file, &size);
        for (sqlite3_int64 at = 0; code == SQLITE_OK && at < size; at += (sqlite3_int64)sizeof piece) {
            int count = size - at < (sqlite3_int64)sizeof piece ? (int)(size - at) : (int)sizeof piece;
            code = file->pMethods->xRead(file, piece, count, at);
            if (code == SQLITE_IOERR_SHORT_READ) code = SQLITE_OK;
        }
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

/// A macro that is an expression, which Swift does not see.
static inline int refreshd_sqlite_ioerr_shmsize(void) { return SQLITE_IOERR_SHMSIZE; }

#endif
