// Clients that wait for changes, and how long after its commit each change reaches them.
// streamload MODE SOCKET CACHE FEED CLIENTS
//   sse:   each client holds a stream (text/event-stream);  poll: each asks again and again with wait=60s
//   CACHE is the daemon's cache.sqlite3: looked at every 0.2 ms, it tells when a change was committed. The time taken is
//   that of the last look at which it was not there yet, so that no figure is too good.
// Says "ready" on standard error when all clients wait, counts until its standard input ends, and then lets stragglers
// come in for 5 seconds more.
// prints one JSON line; "behind": clients that have not come to the newest change; "disorder": changes that came twice
// or not in their order; "merged": changes of items that had changed again before they were told
#define _GNU_SOURCE
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#define SLOWEST 2000000 /* microseconds; slower ones count as that */
typedef struct {
    int fd, started;
    char *in;
    size_t il, cap;
    long left; /* of the chunk that is being read; below 0: of the line before it */
    int headless;
    long seq, got;
    char key[512];
} C;
typedef struct {
    long seq;
    double at;
} Commit;
static Commit *commits;
static size_t ncommits, room;
static unsigned counts[SLOWEST + 1];
static long events, disorder;
static int isPoll;
static const char *feed;
static sqlite3_stmt *version, *newest;
static double looked;
static long seen = -1, head;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static void fail(const char *what) {
    fprintf(stderr, "streamload: %s\n", what);
    exit(1);
}
static long number(sqlite3_stmt *s) {
    int code = sqlite3_step(s);
    long n = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : -1;
    sqlite3_reset(s);
    return n;
}
static void look(int at_once) {
    double t = now();
    if (!at_once && t - looked < 0.0002)
        return;
    long v = number(version);
    if (v != seen && v >= 0) {
        long h = number(newest);
        if (h > head) {
            if (ncommits == room && !(commits = realloc(commits, (room = room * 2 + 1024) * sizeof *commits)))
                fail("no memory");
            commits[ncommits++] = (Commit){h, looked};
            head = h;
        }
        if (h >= 0)
            seen = v;
    }
    looked = t;
}
static double committed(long seq) {
    size_t a = 0, b = ncommits;
    while (a < b) {
        size_t m = (a + b) / 2;
        if (commits[m].seq < seq)
            a = m + 1;
        else
            b = m;
    }
    return a < ncommits ? commits[a].at : 0;
}
static int conn(const char *path) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strncpy(a.sun_path, path, sizeof a.sun_path - 1);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (s < 0 || connect(s, (void *)&a, sizeof a))
        fail("cannot connect");
    return s;
}
static void ask(C *c) {
    char b[1400];
    int n = isPoll ? snprintf(b, sizeof b,
                              "GET /v1/feeds/%s/changes?since=%s&wait=60s&limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                              feed, c->key)
                   : snprintf(b, sizeof b,
                              "GET /v1/feeds/%s/changes?since=now HTTP/1.1\r\nHost: localhost\r\nAccept: "
                              "text/event-stream\r\n\r\n",
                              feed);
    if (send(c->fd, b, n, MSG_NOSIGNAL) != n)
        fail("cannot send");
}
/* Counts the changes in a text; each holds "created_seq" and twice "seq", of which the first counts. */
static void changes(C *c, const char *p, size_t n, double t) {
    static const char mark[] = "\"op\":";
    const char *end = p + n;
    while ((p = memmem(p, end - p, mark, sizeof mark - 1))) {
        const char *s = memmem(p, end - p, "\"seq\":", 6);
        if (!s)
            fail("a change without seq");
        long seq = atol(s + 6);
        if (seq <= c->seq)
            disorder++;
        c->seq = seq;
        c->got++;
        events++;
        double at = committed(seq);
        if (!at) { /* told before it was looked for */
            look(1);
            if (!(at = committed(seq)))
                fail("a change was told that is not in the cache");
        }
        double us = (t - at) * 1e6;
        counts[us < 0 ? 0 : us > SLOWEST ? SLOWEST : (int)us]++;
        p = s;
    }
}
/* Takes the sizes of chunks (RFC 9112, 7.1) out of what was read behind `from`: they may stand amid an event. */
static void unchunk(C *c, size_t from) {
    char *p = c->in + from, *end = c->in + c->il, *to = p;
    while (p < end) {
        if (c->left > 0) {
            size_t n = end - p < c->left ? (size_t)(end - p) : (size_t)c->left;
            memmove(to, p, n);
            to += n;
            p += n;
            if (!(c->left -= n))
                c->left = -3; /* the end of the line behind the data comes first */
            continue;
        }
        /* -3: CR behind the data, -2: LF behind it, -1: digits come, below -3: digits read so far */
        char b = *p++;
        if (c->left == -3)
            c->left = -2;
        else if (c->left == -2)
            c->left = -1;
        else if (b == '\n')
            c->left = -c->left - 4;
        else if (b != '\r') {
            long sum = c->left == -1 ? 0 : -c->left - 4;
            int digit = b <= '9' ? b - '0' : (b | 32) - 'a' + 10;
            if (digit < 0 || digit > 15)
                fail("no size of a chunk");
            c->left = -(sum * 16 + digit) - 4;
        }
        if (c->left == 0)
            fail("the stream has ended");
    }
    c->il = to - c->in;
}
static void taken(C *c, double t, size_t from) {
    if (isPoll) {
        char *e = memmem(c->in, c->il, "\r\n\r\n", 4);
        if (!e)
            return;
        *e = 0;
        char *l = strcasestr(c->in, "content-length:");
        int isGood = !strncmp(c->in + 9, "200", 3);
        *e = '\r';
        size_t whole = e + 4 - c->in + (l ? atol(l + 15) : 0);
        if (!isGood || !l)
            fail("not answered with 200");
        if (c->il < whole)
            return;
        changes(c, e + 4, whole - (e + 4 - c->in), t);
        char *k = memmem(e, c->in + whole - e, "\"sync_key\":\"", 12);
        if (!k)
            fail("no sync key");
        k += 12;
        size_t kl = strcspn(k, "\"");
        if (kl >= sizeof c->key)
            fail("a sync key too long");
        memcpy(c->key, k, kl);
        c->key[kl] = 0;
        c->il = 0;
        c->started = 1;
        ask(c);
        return;
    }
    if (!c->headless) {
        char *e = memmem(c->in, c->il, "\r\n\r\n", 4);
        if (!e)
            return;
        if (strncmp(c->in + 9, "200", 3))
            fail("no stream");
        c->il -= e + 4 - c->in;
        memmove(c->in, e + 4, c->il);
        c->headless = 1;
        c->left = -1;
        from = 0;
    }
    unchunk(c, from);
    /* The first event is the feed's state. */
    if (!c->started && memmem(c->in, c->il, "\n\n", 2))
        c->started = 1;
    /* Up to the last end of an event; what an event is made of never looks like one. */
    char *last = NULL;
    for (char *p = c->in + c->il; p > c->in + 1; p--)
        if (p[-1] == '\n' && p[-2] == '\n') {
            last = p;
            break;
        }
    if (!last)
        return;
    changes(c, c->in, last - c->in, t);
    c->il -= last - c->in;
    memmove(c->in, last, c->il);
}
static double quantile(double share) {
    unsigned long wanted = events * share, sum = 0;
    for (int i = 0; i <= SLOWEST; i++)
        if ((sum += counts[i]) > wanted)
            return i / 1e3;
    return 0;
}
int main(int ac, char **av) {
    if (ac != 6)
        fail("streamload MODE SOCKET CACHE FEED CLIENTS");
    isPoll = !strcmp(av[1], "poll");
    feed = av[4];
    int n = atoi(av[5]);
    struct rlimit rl = {65000, 65000};
    setrlimit(RLIMIT_NOFILE, &rl);
    sqlite3 *db;
    if (sqlite3_open_v2(av[3], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, 0))
        fail(sqlite3_errmsg(db));
    sqlite3_busy_timeout(db, 100);
    char sql[300];
    snprintf(sql, sizeof sql, "SELECT seq FROM feeds WHERE name = '%s'", feed);
    if (sqlite3_prepare_v2(db, "PRAGMA data_version", -1, &version, 0) ||
        sqlite3_prepare_v2(db, sql, -1, &newest, 0))
        fail(sqlite3_errmsg(db));
    look(1);
    int ep = epoll_create1(0);
    C *cs = calloc(n, sizeof *cs);
    for (int i = 0; i < n; i++) {
        cs[i].fd = conn(av[2]);
        cs[i].in = malloc(cs[i].cap = 1 << 18);
        strcpy(cs[i].key, "now");
        if (isPoll) { /* the first answer brings a key */
            static const char first[] = "GET /v1/feeds/%s/changes?since=now HTTP/1.1\r\nHost: localhost\r\n\r\n";
            char b[400];
            int l = snprintf(b, sizeof b, first, feed);
            if (send(cs[i].fd, b, l, MSG_NOSIGNAL) != l)
                fail("cannot send");
        } else
            ask(&cs[i]);
        struct epoll_event e = {EPOLLIN, {.ptr = &cs[i]}};
        epoll_ctl(ep, EPOLL_CTL_ADD, cs[i].fd, &e);
    }
    double end = 0, began = 0;
    struct epoll_event input = {EPOLLIN, {.ptr = NULL}};
    if (epoll_ctl(ep, EPOLL_CTL_ADD, 0, &input))
        fail("standard input has to be a pipe");
    long first = 0;
    struct epoll_event ev[256];
    for (;;) {
        struct timespec wait = {0, 200000};
        int k = epoll_pwait2(ep, ev, 256, &wait, NULL);
        look(0);
        for (int i = 0; i < k; i++) {
            C *c = ev[i].data.ptr;
            if (!c) {
                epoll_ctl(ep, EPOLL_CTL_DEL, 0, NULL);
                end = now();
                continue;
            }
            if (c->cap - c->il < 65536 && !(c->in = realloc(c->in, c->cap *= 2)))
                fail("no memory");
            ssize_t r = recv(c->fd, c->in + c->il, c->cap - c->il, MSG_DONTWAIT);
            if (r <= 0) {
                if (r < 0 && errno == EAGAIN)
                    continue;
                fail("the daemon has hung up");
            }
            c->il += r;
            taken(c, now(), c->il - r);
        }
        double t = now();
        if (!began) {
            int all = 1;
            for (int i = 0; i < n; i++)
                all &= cs[i].started;
            if (all) {
                first = head;
                for (int i = 0; i < n; i++)
                    cs[i].seq = head;
                began = t;
                fprintf(stderr, "ready\n");
            }
        } else if (end) {
            int all = 1;
            for (int i = 0; i < n; i++)
                all &= cs[i].seq == head;
            if (all || t > end + 5)
                break;
        }
    }
    int behind = 0;
    long most = 0, least = -1;
    for (int i = 0; i < n; i++) {
        behind += cs[i].seq != head;
        if (cs[i].got > most)
            most = cs[i].got;
        if (least < 0 || cs[i].got < least)
            least = cs[i].got;
    }
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    printf("{\"clients\":%d,\"commits\":%zu,\"changes\":%ld,\"events\":%ld,\"least\":%ld,\"most\":%ld,"
           "\"disorder\":%ld,\"behind\":%d,\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"seconds\":%.2f,\"gen_cpu_s\":%.2f}\n",
           n, ncommits, head - first, events, least, most, disorder, behind, quantile(.5), quantile(.99),
           (ncommits ? commits[ncommits - 1].at : began) - began,
           ru.ru_utime.tv_sec + ru.ru_stime.tv_sec + (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6);
    return 0;
}
