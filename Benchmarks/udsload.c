// Keep-alive load generator for Unix sockets (or 127.0.0.1:PORT), one epoll thread, closed loop.
// udsload MODE TARGET CONNS SECONDS REQ...   MODE: http | resp | collectd
//   http:  REQ is a path; "%d" in it is replaced by 1..KEYS (env KEYS, default 1000) in a random order;
//          @FILE takes one of the file's lines each time
//   resp:  REQ is an inline redis command, e.g. "GET item:%d"
//   collectd: REQ is a line, e.g. "GETVAL ..." or "LISTVAL"
// prints one JSON line: requests/s, p50/p99/max in microseconds, errors, bytes
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
typedef struct {
    int fd;
    char *in;
    size_t il, cap, pos;
    long left;
    double t;
} C;
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static int mode, keys;
static const char *req, **lines;
static int nlines;
static long err, bytes;
static unsigned seed = 12345;
static int conn(const char *t) {
    int s;
    if (strchr(t, '/')) {
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        strncpy(a.sun_path, t, 107);
        s = socket(AF_UNIX, SOCK_STREAM, 0);
        for (int i = 0; connect(s, (void *)&a, sizeof a); i++) {
            if (i > 200) {
                perror("connect");
                exit(1);
            }
            usleep(5000);
        }
    } else {
        struct sockaddr_in a = {.sin_family = AF_INET,
                                .sin_port = htons(atoi(strchr(t, ':') + 1)),
                                .sin_addr.s_addr = htonl(0x7f000001)};
        s = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(s, (void *)&a, sizeof a)) {
            perror("connect");
            exit(1);
        }
    }
    return s;
}
static void fire(C *c) {
    char path[1024], b[1400];
    int n;
    if (nlines)
        snprintf(path, sizeof path, "%s", lines[rand_r(&seed) % nlines]);
    else
        snprintf(path, sizeof path, req, 1 + (int)(rand_r(&seed) % keys));
    if (mode == 0)
        n = snprintf(b, sizeof b, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    else
        n = snprintf(b, sizeof b, "%s%s", path, mode == 1 ? "\r\n" : "\n");
    c->il = c->pos = 0;
    c->left = -1;
    c->t = now();
    if (send(c->fd, b, n, MSG_NOSIGNAL) != n) {
        perror("send");
        exit(1);
    }
}
static long done(C *c) { // whole reply length, 0 if not yet
    char *p = c->in;
    size_t n = c->il;
    if (mode == 0) {
        char *e = memmem(p, n, "\r\n\r\n", 4);
        if (!e)
            return 0;
        char sv = *e;
        *e = 0;
        char *l = strcasestr(p, "content-length:");
        int chunk = !l && strcasestr(p, "chunked") != NULL;
        if (strncmp(p + 9, "200", 3))
            err++;
        *e = sv;
        size_t h = e + 4 - p;
        if (chunk) {
            return n >= 5 && !memcmp(p + n - 5, "0\r\n\r\n", 5) ? (long)n : 0;
        }
        size_t cl = l ? atol(l + 15) : 0;
        return n >= h + cl ? (long)(h + cl) : 0;
    }
    if (mode == 1) {
        char *e = memchr(p, '\n', n);
        if (!e)
            return 0;
        if (*p == '+' || *p == ':')
            return e + 1 - p;
        if (*p == '-') {
            err++;
            return e + 1 - p;
        }
        if (*p == '$') {
            long l = atol(p + 1);
            if (l < 0) {
                err++;
                return e + 1 - p;
            }
            return n >= (size_t)(e + 1 - p) + l + 2 ? e + 1 - p + l + 2 : 0;
        }
        if (*p == '*') {
            long k = atol(p + 1);
            char *q = e + 1;
            while (k--) {
                char *f = memchr(q, '\n', p + n - q);
                if (!f)
                    return 0;
                long l = atol(q + 1);
                q = f + 1 + (l < 0 ? 0 : l + 2);
                if (q > p + n)
                    return 0;
            }
            return q - p;
        }
        return 0;
    }
    if (c->left < 0) {
        char *e = memchr(p, '\n', n);
        if (!e)
            return 0;
        c->left = atol(p);
        c->pos = e + 1 - p;
        if (c->left < 0) {
            err++;
            return e + 1 - p;
        }
    }
    while (c->left) {
        char *f = memchr(p + c->pos, '\n', n - c->pos);
        if (!f)
            return 0;
        c->pos = f + 1 - p;
        c->left--;
    }
    return c->pos;
}
static void readlines(const char *name) {
    FILE *f = fopen(name, "r");
    char line[1024];
    if (!f) {
        perror(name);
        exit(1);
    }
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!(lines = realloc(lines, (nlines + 1) * sizeof *lines)) || !(lines[nlines++] = strdup(line)))
            exit(1);
    }
    fclose(f);
    if (!nlines) {
        fprintf(stderr, "%s is empty\n", name);
        exit(1);
    }
}
static int cmp(const void *a, const void *b) {
    float x = *(float *)a, y = *(float *)b;
    return x < y ? -1 : x > y;
}
int main(int ac, char **av) {
    mode = !strcmp(av[1], "http") ? 0 : !strcmp(av[1], "resp") ? 1 : 2;
    int n = atoi(av[3]);
    double sec = atof(av[4]);
    req = av[5];
    if (*req == '@')
        readlines(req + 1);
    keys = getenv("KEYS") ? atoi(getenv("KEYS")) : 1000;
    struct rlimit rl = {65000, 65000};
    setrlimit(RLIMIT_NOFILE, &rl);
    int ep = epoll_create1(0);
    C *cs = calloc(n, sizeof *cs);
    size_t cap = 1 << 22, m = 0;
    float *lat = malloc(cap * sizeof *lat);
    for (int i = 0; i < n; i++) {
        cs[i].fd = conn(av[2]);
        cs[i].cap = 65536;
        cs[i].in = malloc(65536);
        struct epoll_event e = {EPOLLIN, {.ptr = &cs[i]}};
        epoll_ctl(ep, EPOLL_CTL_ADD, cs[i].fd, &e);
    }
    double t0 = now(), warm = t0 + sec * .1, end = t0 + sec;
    for (int i = 0; i < n; i++)
        fire(&cs[i]);
    struct epoll_event ev[256];
    double ts = 0;
    for (;;) {
        int k = epoll_wait(ep, ev, 256, 1000);
        double t = now();
        if (t > end)
            break;
        for (int i = 0; i < k; i++) {
            C *c = ev[i].data.ptr;
            if (c->cap - c->il < 65536)
                c->in = realloc(c->in, c->cap *= 2);
            ssize_t r = recv(c->fd, c->in + c->il, c->cap - c->il, 0);
            if (r <= 0) {
                err++;
                close(c->fd);
                c->fd = conn(av[2]);
                struct epoll_event e = {EPOLLIN, {.ptr = c}};
                epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
                fire(c);
                continue;
            }
            c->il += r;
            bytes += r;
            if (done(c)) {
                double x = now();
                if (x >= warm) {
                    if (!ts)
                        ts = x;
                    if (m < cap)
                        lat[m++] = (x - c->t) * 1e6;
                }
                fire(c);
            }
        }
    }
    qsort(lat, m, sizeof *lat, cmp);
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    printf("{\"conns\":%d,\"rps\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,\"max_us\":%.0f,\"err\":%ld,\"reply_"
           "b\":%.0f,\"gen_cpu_s\":%.2f}\n",
           n, m / (end - ts), m ? lat[m / 2] : 0, m ? lat[(size_t)(m * .99)] : 0, m ? lat[m - 1] : 0, err,
           m ? (double)bytes / m : 0,
           ru.ru_utime.tv_sec + ru.ru_stime.tv_sec + (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6);
    return 0;
}
