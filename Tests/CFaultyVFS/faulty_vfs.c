#include "faulty_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512
#define LONGEST 4096

// What was written to a file since it was synced, and what it held then.
struct piece {
    struct piece *next;
    sqlite3_int64 offset; // -1: cut to `size`
    sqlite3_int64 size;
    unsigned char bytes[];
};

struct image {
    struct image *next;
    char path[LONGEST];
    unsigned char *synced;
    sqlite3_int64 size;
    struct piece *first, **last;
};

// Followed in memory by the file of the layer below.
struct faulty_file {
    sqlite3_file base;
    char path[LONGEST];
    int sync_failed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *below;
static struct {
    char folder[LONGEST];
    int kinds, nth, code, forever, calls, failed, resynced;
} order;
static struct {
    char folder[LONGEST], into[LONGEST];
    int nth, calls, done;
    uint64_t seed;
    struct image *images;
} power;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct faulty_file *)file + 1); }
static const char *path_of(sqlite3_file *file) { return ((struct faulty_file *)file)->path; }

static int is_below(const char *folder, const char *path) {
    size_t length = strlen(folder);
    return length && path && !strncmp(path, folder, length) && path[length] == '/';
}

static int is_log(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, "-wal");
}

static void copy_path(char *to, const char *from) { snprintf(to, LONGEST, "%s", from ? from : ""); }

static uint64_t chance(void) {
    uint64_t z = (power.seed += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// MARK: Orders

static int fault(int kind, const char *path) {
    int code = SQLITE_OK;
    pthread_mutex_lock(&lock);
    if ((order.kinds & kind) && is_below(order.folder, path)) {
        order.calls++;
        if (order.nth && (order.calls == order.nth || (order.forever && order.calls > order.nth))) {
            order.failed = 1;
            code = order.code;
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

void faulty_fail(const char *folder, int kinds, int nth, int code, int forever) {
    pthread_mutex_lock(&lock);
    memset(&order, 0, sizeof order);
    copy_path(order.folder, folder);
    order.kinds = kinds;
    order.nth = nth;
    order.code = code;
    order.forever = forever;
    pthread_mutex_unlock(&lock);
}

static int asked(int *value) {
    pthread_mutex_lock(&lock);
    int copy = *value;
    pthread_mutex_unlock(&lock);
    return copy;
}

int faulty_calls(void) { return asked(&order.calls); }
int faulty_has_failed(void) { return asked(&order.failed); }
int faulty_syncs_after_failure(void) { return asked(&order.resynced); }
int faulty_is_cut(void) { return asked(&power.done); }

// MARK: Power

static void forget_pieces(struct image *image) {
    while (image->first) {
        struct piece *piece = image->first;
        image->first = piece->next;
        free(piece);
    }
    image->last = &image->first;
}

static void forget_images(void) {
    while (power.images) {
        struct image *image = power.images;
        power.images = image->next;
        forget_pieces(image);
        free(image->synced);
        free(image);
    }
}

void faulty_stop(void) {
    pthread_mutex_lock(&lock);
    memset(&order, 0, sizeof order);
    forget_images();
    memset(&power, 0, sizeof power);
    pthread_mutex_unlock(&lock);
}

void faulty_cut(const char *folder, int nth, uint64_t seed, const char *into) {
    pthread_mutex_lock(&lock);
    forget_images();
    memset(&power, 0, sizeof power);
    copy_path(power.folder, folder);
    copy_path(power.into, into);
    power.nth = nth;
    power.seed = seed;
    pthread_mutex_unlock(&lock);
}

static struct image *image_of(const char *path) {
    for (struct image *image = power.images; image; image = image->next)
        if (!strcmp(image->path, path)) return image;
    return NULL;
}

static void resize(struct image *image, sqlite3_int64 size) {
    if (size == image->size) return;
    image->synced = realloc(image->synced, size ? (size_t)size : 1);
    if (size > image->size) memset(image->synced + image->size, 0, (size_t)(size - image->size));
    image->size = size;
}

static void put(struct image *image, sqlite3_int64 offset, const unsigned char *bytes, sqlite3_int64 count) {
    if (offset + count > image->size) resize(image, offset + count);
    memcpy(image->synced + offset, bytes, (size_t)count);
}

// What the file holds when it is opened counts as safe.
static void begin_image(const char *path) {
    if (!is_below(power.folder, path) || power.done || image_of(path)) return;
    struct image *image = calloc(1, sizeof *image);
    copy_path(image->path, path);
    image->last = &image->first;
    image->next = power.images;
    power.images = image;
    FILE *file = fopen(path, "rb");
    if (!file) return;
    unsigned char buffer[65536];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        put(image, image->size, buffer, (sqlite3_int64)count);
    fclose(file);
}

static void add_piece(const char *path, const void *bytes, sqlite3_int64 count, sqlite3_int64 offset) {
    struct image *image = image_of(path);
    if (!image || power.done) return;
    struct piece *piece = malloc(sizeof *piece + (bytes ? (size_t)count : 0));
    piece->next = NULL;
    piece->offset = offset;
    piece->size = count;
    if (bytes) memcpy(piece->bytes, bytes, (size_t)count);
    *image->last = piece;
    image->last = &piece->next;
}

static void take(struct image *image, struct piece *piece) {
    if (piece->offset < 0) resize(image, piece->size);
    else put(image, piece->offset, piece->bytes, piece->size);
}

static void tear(struct image *image, struct piece *piece) {
    for (sqlite3_int64 at = 0; at < piece->size; at += SECTOR) {
        sqlite3_int64 count = piece->size - at < SECTOR ? piece->size - at : SECTOR;
        if (chance() & 1) put(image, piece->offset + at, piece->bytes + at, count);
    }
}

static void sync_image(const char *path) {
    struct image *image = image_of(path);
    if (!image || power.done) return;
    for (struct piece *piece = image->first; piece; piece = piece->next) take(image, piece);
    forget_pieces(image);
}

static void drop_image(const char *path) {
    for (struct image **link = &power.images; *link; link = &(*link)->next) {
        struct image *image = *link;
        if (strcmp(image->path, path)) continue;
        *link = image->next;
        forget_pieces(image);
        free(image->synced);
        free(image);
        return;
    }
}

static void leave(struct image *image, int how) {
    for (struct piece *piece = image->first; piece; piece = piece->next) {
        // In one cut of four nothing arrived, in one all of it, in the others each piece has its own fate.
        int fate = how == 0 ? 0 : how == 1 ? 1 : (int)(chance() % 3);
        if (fate == 1) take(image, piece);
        else if (fate == 2 && piece->offset >= 0) tear(image, piece);
    }
    char path[2 * LONGEST];
    const char *name = strrchr(image->path, '/');
    snprintf(path, sizeof path, "%s%s", power.into, name ? name : "/lost");
    FILE *file = fopen(path, "wb");
    if (!file) return;
    if (image->size) fwrite(image->synced, 1, (size_t)image->size, file);
    fclose(file);
}

// The call that is about to be made is the one at which the lights go out.
static void come_by(const char *path) {
    if (!is_below(power.folder, path) || power.done || !power.nth || ++power.calls != power.nth) return;
    int how = (int)(chance() % 4);
    for (struct image *image = power.images; image; image = image->next) leave(image, how);
    power.done = 1;
}

#define WITH_POWER(statement)          \
    do {                               \
        pthread_mutex_lock(&lock);     \
        if (power.folder[0]) {         \
            statement;                 \
        }                              \
        pthread_mutex_unlock(&lock);   \
    } while (0)

// MARK: Files

static int f_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int f_read(sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
    int code = fault(FAULTY_READ, path_of(file));
    return code ? code : real(file)->pMethods->xRead(real(file), to, count, offset);
}

static int f_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
    int code = fault(FAULTY_WRITE, path_of(file));
    if (code) {
        // As a disk does: half of it may have arrived.
        if (count > 1) real(file)->pMethods->xWrite(real(file), from, count / 2, offset);
        return code;
    }
    // A rollback or a second checkpoint writes or cuts off all of it again before it syncs; a log only goes on.
    if (!is_log(path_of(file))) ((struct faulty_file *)file)->sync_failed = 0;
    WITH_POWER(come_by(path_of(file)); add_piece(path_of(file), from, count, offset));
    return real(file)->pMethods->xWrite(real(file), from, count, offset);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = fault(FAULTY_TRUNCATE, path_of(file));
    if (code) return code;
    if (!is_log(path_of(file))) ((struct faulty_file *)file)->sync_failed = 0;
    WITH_POWER(add_piece(path_of(file), NULL, size, -1));
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int f_sync(sqlite3_file *file, int flags) {
    struct faulty_file *own = (struct faulty_file *)file;
    int code = fault(FAULTY_SYNC, path_of(file));
    if (code) {
        own->sync_failed = 1;
        return code;
    }
    if (own->sync_failed) {
        pthread_mutex_lock(&lock);
        order.resynced++;
        pthread_mutex_unlock(&lock);
    }
    WITH_POWER(come_by(path_of(file)); sync_image(path_of(file)));
    return real(file)->pMethods->xSync(real(file), flags);
}

static int f_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = fault(FAULTY_SIZE, path_of(file));
    return code ? code : real(file)->pMethods->xFileSize(real(file), size);
}

static int f_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int f_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int f_reserved(sqlite3_file *file, int *out) {
    return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
static int f_control(sqlite3_file *file, int op, void *arg) {
    return real(file)->pMethods->xFileControl(real(file), op, arg);
}
static int f_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int f_traits(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
static int f_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    int code = fault(FAULTY_SHM, path_of(file));
    return code ? code : real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
static int f_shm_lock(sqlite3_file *file, int offset, int n, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
static void f_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int f_shm_unmap(sqlite3_file *file, int drop) { return real(file)->pMethods->xShmUnmap(real(file), drop); }

// Version 2: without memory-mapped reads, so that every read comes by.
static const sqlite3_io_methods methods = {
    2,         f_close,    f_read,   f_write,   f_truncate, f_sync,    f_size,     f_lock,        f_unlock,
    f_reserved, f_control, f_sector, f_traits, f_shm_map,  f_shm_lock, f_shm_barrier, f_shm_unmap, NULL, NULL};

// MARK: Folder

static int v_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out) {
    struct faulty_file *own = (struct faulty_file *)file;
    memset(own, 0, sizeof *own);
    copy_path(own->path, name);
    int code = fault(FAULTY_OPEN, own->path);
    if (code) return code;
    WITH_POWER(begin_image(own->path));
    code = below->xOpen(below, name, real(file), flags, out);
    if (code == SQLITE_OK) own->base.pMethods = &methods;
    (void)vfs;
    return code;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    int code = fault(FAULTY_DELETE, name);
    if (code) return code;
    WITH_POWER(if (!power.done) drop_image(name));
    return below->xDelete(below, name, sync);
}

static int v_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    (void)vfs;
    return below->xAccess(below, name, flags, out);
}
static int v_full(sqlite3_vfs *vfs, const char *name, int count, char *out) {
    (void)vfs;
    return below->xFullPathname(below, name, count, out);
}
static int v_random(sqlite3_vfs *vfs, int count, char *out) {
    (void)vfs;
    return below->xRandomness(below, count, out);
}
static int v_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return below->xSleep(below, microseconds);
}
static int v_time(sqlite3_vfs *vfs, double *out) {
    (void)vfs;
    return below->xCurrentTime(below, out);
}
static int v_time64(sqlite3_vfs *vfs, sqlite3_int64 *out) {
    (void)vfs;
    return below->xCurrentTimeInt64(below, out);
}
static int v_error(sqlite3_vfs *vfs, int count, char *out) {
    (void)vfs;
    return below->xGetLastError(below, count, out);
}

static int installed = SQLITE_ERROR;

static void install(void) {
    static sqlite3_vfs layer;
    below = sqlite3_vfs_find(NULL);
    if (!below) return;
    layer.iVersion = 2;
    layer.szOsFile = (int)sizeof(struct faulty_file) + below->szOsFile;
    layer.mxPathname = below->mxPathname;
    layer.zName = "faulty";
    layer.xOpen = v_open;
    layer.xDelete = v_delete;
    layer.xAccess = v_access;
    layer.xFullPathname = v_full;
    layer.xRandomness = v_random;
    layer.xSleep = v_sleep;
    layer.xCurrentTime = v_time;
    layer.xCurrentTimeInt64 = v_time64;
    layer.xGetLastError = v_error;
    installed = sqlite3_vfs_register(&layer, 1);
}

int faulty_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return installed;
}
