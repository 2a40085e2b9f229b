// A layer over SQLite's way to the disk that fails where it is told to, and knows what a power cut would leave.
#ifndef REFRESHD_FAULTY_VFS_H
#define REFRESHD_FAULTY_VFS_H

#include <stdint.h>

/// Kinds of calls, to be added up.
enum {
    FAULTY_OPEN = 1,
    FAULTY_READ = 2,
    FAULTY_WRITE = 4,
    FAULTY_SYNC = 8,
    FAULTY_TRUNCATE = 16,
    FAULTY_DELETE = 32,
    FAULTY_SHM = 64,
    FAULTY_SIZE = 128
};

/// Puts the layer under every database that this process opens from now on; 0, or SQLite's code. Files that are not
/// watched are passed through. Once is enough.
int faulty_install(void);

/// Lets the `nth` call of one of `kinds` on a file below `folder` fail with SQLite's `code`, and all after it where
/// `forever` says so. One order at a time: a new one replaces it, and 0 as `nth` only counts.
void faulty_fail(const char *folder, int kinds, int nth, int code, int forever);

/// Calls of those kinds since the order was given.
int faulty_calls(void);

/// Whether one was made to fail.
int faulty_has_failed(void);

/// How often a file below the folder was synced after a sync of the same open file had failed, as if nothing had been
/// lost: nothing was written to it in between, or it is a log, whose end is all that is written again.
int faulty_syncs_after_failure(void);

/// No call fails any more, and nothing is remembered.
void faulty_stop(void);

/// Begins to remember what of the files below `folder` is on the disk; what they hold when they are opened counts as
/// that. At the `nth` write or sync the power is cut: `into` gets the files as they could be found afterwards. Of what
/// was written since the last sync each piece is there, missing, or there in some of its sectors, as `seed` has it.
void faulty_cut(const char *folder, int nth, uint64_t seed, const char *into);

/// Whether the power was cut.
int faulty_is_cut(void);

#endif
