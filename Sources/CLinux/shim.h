// Linux calls that Swift's Glibc module does not bring in, and inline functions for macros and variadics.
#ifndef REFRESHD_CLINUX_H
#define REFRESHD_CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <features.h>

// Swift's Glibc module was made without _GNU_SOURCE, and one struct would then have two definitions.
#pragma push_macro("__USE_XOPEN")
#undef __USE_XOPEN
#include <sys/select.h>
#pragma pop_macro("__USE_XOPEN")

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The threads of one process share a nice value only by POSIX; on Linux each has its own.
int setpriority(int which, unsigned int who, int value);

/// Sets the nice value of the calling thread only; 0, or -1 with errno.
static inline int refreshd_set_thread_nice(int value) {
    return setpriority(0 /* PRIO_PROCESS */, (unsigned int)syscall(SYS_gettid), value);
}

/// True where the descriptor names a socket.
static inline int refreshd_is_socket(mode_t mode) { return S_ISSOCK(mode); }

static inline int refreshd_exited(int status) { return WIFEXITED(status); }
static inline int refreshd_exit_status(int status) { return WEXITSTATUS(status); }
static inline int refreshd_signaled(int status) { return WIFSIGNALED(status); }
static inline int refreshd_term_signal(int status) { return WTERMSIG(status); }

// The kernel's own call: sys/resource.h names its arguments differently with and without _GNU_SOURCE.
struct refreshd_limit {
    uint64_t soft;
    uint64_t hard;
};

/// How many descriptors this process may have; 0, or -1 with errno.
static inline int refreshd_get_descriptor_limit(struct refreshd_limit *limit) {
    return (int)syscall(SYS_prlimit64, 0, 7 /* RLIMIT_NOFILE */, NULL, limit);
}
static inline int refreshd_set_descriptor_limit(const struct refreshd_limit *limit) {
    return (int)syscall(SYS_prlimit64, 0, 7 /* RLIMIT_NOFILE */, limit, NULL);
}

/// No core dump and no ptrace by other processes of the same user.
static inline int refreshd_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

static inline int refreshd_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int refreshd_openat(int folder, const char *path, int flags) {
    return openat(folder, path, flags);
}
/// The name of a folder's entry, which Swift sees as a tuple.
static inline const char *refreshd_entry_name(const struct dirent *entry) { return entry->d_name; }
static inline int refreshd_fcntl(int descriptor, int command, int argument) {
    return fcntl(descriptor, command, argument);
}

/// Columns of the terminal behind the descriptor, 0 where it does not say; -1 where there is no terminal.
static inline int refreshd_terminal_columns(int descriptor) {
    struct winsize size = {0};
    if (!isatty(descriptor)) return -1;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// Rows of the terminal behind the descriptor, 0 where it does not say; -1 where there is no terminal.
static inline int refreshd_terminal_rows(int descriptor) {
    struct winsize size = {0};
    if (!isatty(descriptor)) return -1;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

/// Whether the kernel's clock is kept by a time service: 1, 0, or -1 with errno (adjtimex(2)).
static inline int refreshd_clock_is_kept(void) {
    struct timex state = {0};
    int code = adjtimex(&state);
    return code < 0 ? -1 : code != TIME_ERROR;
}

/// Bytes of the file system that holds the path: all of them, and those that a plain user may still write; 0, or -1
/// with errno.
static inline int refreshd_disk_room(const char *path, uint64_t *all, uint64_t *left) {
    struct statvfs room;
    if (statvfs(path, &room) != 0) return -1;
    *all = (uint64_t)room.f_blocks * room.f_frsize;
    *left = (uint64_t)room.f_bavail * room.f_frsize;
    return 0;
}

/// A descriptor that is readable once the process has ended; -1 with errno.
static inline int refreshd_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0u); }

// _GNU_SOURCE makes the address arguments unions, which Swift cannot pass.
static inline int refreshd_connect_unix(int descriptor, const struct sockaddr_un *address, socklen_t length) {
    return connect(descriptor, (const struct sockaddr *)address, length);
}
static inline int refreshd_bind_unix(int descriptor, const struct sockaddr_un *address, socklen_t length) {
    return bind(descriptor, (const struct sockaddr *)address, length);
}
static inline ssize_t refreshd_send_unix(
    int descriptor, const void *bytes, size_t count, const struct sockaddr_un *address, socklen_t length) {
    return sendto(descriptor, bytes, count, MSG_NOSIGNAL, (const struct sockaddr *)address, length);
}

/// The environment of this process, ended by a null.
static inline char **refreshd_environment(void) { return environ; }

/// A file without a name that lives in memory and is closed in children; the descriptor, or -1 with errno.
static inline int refreshd_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}

/// errno as a function: the macro is not imported everywhere.
static inline int refreshd_errno(void) { return errno; }

#endif
