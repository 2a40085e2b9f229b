// Loopback upstream for the benchmark: one epoll thread, bodies made once and kept.
//   /rss/K/N.xml            RSS 2.0, K entries, ETag + If-None-Match
//   /api/records?cursor=C&since=T   200,000 records (RECORDS in the environment), 1,000 a page, next_cursor
//   /list/N                 the first N records (up to 10,000) in one answer
//   /tick/N                 N small records whose values are others in each answer
//   /metrics  /json/N       small documents for scrapers
//   /ctl/epoch?N            the newer version of 5% of the feeds, 1% of the records
//   /ctl/generation?0|1     two versions in which every record of the API differs
//   /ctl/slow?MS            answers to anything else come so much later
//   /ctl/stats  /ctl/reset  what was asked since the last reset; times count from the first request after it
// usage: upstream PORT [NHOSTS]   NHOSTS>0: also 127.0.1.1..NHOSTS with slow and dead ones
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#define MAXFD 65536
#define PAGE 1000
#define MOSTPAGES 20000
#define MOSTLIST 10000
#define MAXN 10001
typedef struct {
    char *p;
    size_t n;
} Buf;
typedef struct Conn {
    int fd, host, busy, close_after, il;
    char in[8192];
    char hdr[512];
    size_t hl, ho;
    const char *body;
    size_t bl, bo;
    int freebody;
    double due;
    struct Conn *next;
} Conn;
static Conn *conns[MAXFD];
static int ep, epoch, generation, slow_ms, nhosts, npages = 200, lhost[MAXFD];
static long ticks;
static Conn *dq_head, *dq_tail;
static long c200, c304, capi, bytes, cother;
static int act[256], peak[256];
static long reqs[256];
static double lastdone[256], t0; /* t0: the first request since the last reset, 0 before it */
static Buf rss[2][2][MAXN];
static Buf apif[2][MOSTPAGES], apii[2];
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static void add(Buf *b, const char *f, ...) {
    char tmp[4096];
    va_list a;
    va_start(a, f);
    int n = vsnprintf(tmp, sizeof tmp, f, a);
    va_end(a);
    b->p = realloc(b->p, b->n + n + 1);
    memcpy(b->p + b->n, tmp, n + 1);
    b->n += n;
}
static const char *LOREM = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor "
                           "incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis "
                           "nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.";
static Buf *mkrss(int k, int n, int v) {
    int ki = k == 30 ? 0 : 1;
    Buf *b = &rss[ki][v][n];
    if (b->p)
        return b;
    add(b,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
        "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><title>Feed "
        "%d</title><link>http://127.0.0.1/f/%d</link><description>Bench feed %d</description>\n",
        n, n, n);
    for (int i = k + v; i > v; i--) {
        time_t t = 1767225600 + i * 3600 + n;
        struct tm tm;
        gmtime_r(&t, &tm);
        char d[64];
        strftime(d, sizeof d, "%a, %d %b %Y %H:%M:%S GMT", &tm);
        add(b,
            "<item><title>Entry %d of feed %d &amp; more</title><link>http://127.0.0.1/f/%d/e/%d</link><guid "
            "isPermaLink=\"false\">urn:f%d:e%d</guid><pubDate>%s</pubDate><description>&lt;p&gt;%s&lt;/"
            "p&gt;</description></item>\n",
            i, n, n, i, n, i, d, LOREM);
    }
    add(b, "</channel></rss>\n");
    return b;
}
static void rec(Buf *b, int i, int e, int g) {
    add(b,
        "{\"id\":%d,\"sku\":\"SKU-%07d\",\"name\":\"Item number "
        "%d\",\"price\":%d.%02d,\"qty\":%d,\"active\":%s,\"tags\":[\"red\",\"t%d\"],\"owner\":{\"id\":%d,"
        "\"name\":\"Owner %d\"},\"updated_at\":\"2026-0%d-01T00:00:00Z\",\"desc\":\"%.190s\"}",
        i, i, i, i % 997, i % 100, i % 50 + e + 50 * g, i % 3 ? "true" : "false", i % 17, i % 501, i % 501, e ? 2 : 1,
        LOREM);
}
static Buf *page(int g, int p) {
    Buf *b = &apif[g][p];
    if (b->p)
        return b;
    add(b, "{\"data\":[");
    for (int i = 0; i < PAGE; i++) {
        if (i)
            add(b, ",");
        rec(b, p * PAGE + i + 1, 0, g);
    }
    if (p + 1 < npages)
        add(b, "],\"next_cursor\":\"%d\"}", (p + 1) * PAGE);
    else
        add(b, "],\"next_cursor\":null}");
    return b;
}
/* The pages of a generation are made before anybody is measured who reads them. */
static void mkapi(int g) {
    for (int p = 0; p < npages; p++)
        page(g, p);
}
static void mkincrement(void) {
    for (int p = 0; p < 2; p++) {
        Buf *b = &apii[p];
        add(b, "{\"data\":[");
        for (int i = 0; i < PAGE; i++) {
            if (i)
                add(b, ",");
            rec(b, (p * PAGE + i + 1) * 100, 1, 0);
        }
        if (!p)
            add(b, "],\"next_cursor\":\"1000\"}");
        else
            add(b, "],\"next_cursor\":null}");
    }
}
static void reply(Conn *c, const char *st, const char *ct, const char *extra, const char *body, size_t bl) {
    c->hl =
        snprintf(c->hdr, sizeof c->hdr, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s\r\n",
                 st, ct, bl, extra, c->close_after ? "Connection: close\r\n" : "");
    if (!strncmp(st, "304", 3))
        c->hl = snprintf(c->hdr, sizeof c->hdr, "HTTP/1.1 304 Not Modified\r\n%s%s\r\n", extra,
                         c->close_after ? "Connection: close\r\n" : "");
    c->ho = c->bo = 0;
    c->body = body;
    c->bl = bl;
}
static void drop(Conn *c) {
    if (c->busy)
        act[c->host]--;
    conns[c->fd] = 0;
    close(c->fd);
    c->fd = -1;
    if (!c->due) {
        if (c->freebody)
            free((char *)c->body);
        free(c);
    }
}
static int flushc(Conn *c) { // 1 done, 0 would block, -1 gone
    while (c->ho < c->hl || c->bo < c->bl) {
        ssize_t n;
        if (c->ho < c->hl) {
            n = send(c->fd, c->hdr + c->ho, c->hl - c->ho, MSG_NOSIGNAL | (c->bl ? MSG_MORE : 0));
            if (n > 0)
                c->ho += n;
        } else {
            n = send(c->fd, c->body + c->bo, c->bl - c->bo, MSG_NOSIGNAL);
            if (n > 0)
                c->bo += n, bytes += n;
        }
        if (n < 0) {
            if (errno == EAGAIN) {
                struct epoll_event e = {EPOLLIN | EPOLLOUT, {.fd = c->fd}};
                epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
                return 0;
            }
            return -1;
        }
    }
    if (c->freebody) {
        free((char *)c->body);
        c->freebody = 0;
    }
    c->busy = 0;
    act[c->host]--;
    lastdone[c->host] = now();
    return c->close_after ? -1 : 1;
}
static int handle(Conn *c) { // returns 1 when a reply is ready, 2 delayed, 0 need more
    char *e = memmem(c->in, c->il, "\r\n\r\n", 4);
    if (!e)
        return 0;
    *e = 0;
    e += 4;
    char *path = strchr(c->in, ' ');
    if (!path)
        return -1;
    path++;
    char *h = strstr(path, "\r\n");
    if (!h)
        h = e - 4;
    c->close_after = strcasestr(h, "\nconnection: close") != NULL;
    char *inm = strcasestr(h, "\nif-none-match:");
    int k, n, v;
    char et[64], ex[160];
    int is_ctl = !strncmp(path, "/ctl/", 5);
    if (!is_ctl && !t0)
        t0 = now();
    c->busy = 1;
    act[c->host]++;
    reqs[c->host]++;
    if (act[c->host] > peak[c->host])
        peak[c->host] = act[c->host];
    if (sscanf(path, "/rss/%d/%d.xml", &k, &n) == 2 && n >= 0 && n < MAXN) {
        v = n % 20 == 0 ? epoch : 0;
        snprintf(et, sizeof et, "\"r%d-%d-%d\"", k, n, v);
        snprintf(ex, sizeof ex, "ETag: %s\r\n", et);
        if (inm) {
            char *eol = strstr(inm, "\r\n");
            char *m = strstr(inm, et);
            if (m && (!eol || m < eol)) {
                c304++;
                reply(c, "304", "", ex, 0, 0);
                goto done;
            }
        }
        c200++;
        Buf *b = mkrss(k, n, v);
        reply(c, "200 OK", "application/rss+xml", ex, b->p, b->n);
    } else if (!strncmp(path, "/api/records", 12)) {
        char *eol = strchr(path, ' ');
        if (eol)
            *eol = 0;
        char *q = strstr(path, "cursor=");
        int cur = q ? atoi(q + 7) : 0;
        char *s = strstr(path, "since=");
        capi++;
        int inc = s && strncmp(s + 6, "2026-01-01", 10) >= 0 && strncmp(s + 6, "2026", 4) == 0;
        if (inc && (epoch == 0 || strncmp(s + 6, "2026-01-0", 9) > 0)) {
            static const char z[] = "{\"data\":[],\"next_cursor\":null}";
            reply(c, "200 OK", "application/json", "", z, sizeof z - 1);
        } else {
            Buf *b = inc ? &apii[cur / PAGE % 2] : page(generation, cur / PAGE % npages);
            reply(c, "200 OK", "application/json", "", b->p, b->n);
        }
    } else if (sscanf(path, "/list/%d", &n) == 1 && n > 0 && n <= MOSTLIST) {
        Buf b = {0};
        add(&b, "{\"data\":[");
        for (int i = 1; i <= n; i++) {
            if (i > 1)
                add(&b, ",");
            rec(&b, i, 0, generation);
        }
        add(&b, "]}");
        capi++;
        reply(c, "200 OK", "application/json", "", b.p, b.n);
        c->freebody = 1;
    } else if (sscanf(path, "/tick/%d", &n) == 1 && n > 0 && n <= MOSTLIST) {
        Buf b = {0};
        ticks++;
        add(&b, "{\"data\":[");
        for (int i = 1; i <= n; i++)
            add(&b, "%s{\"id\":%d,\"v\":%ld}", i > 1 ? "," : "", i, ticks);
        add(&b, "]}");
        capi++;
        reply(c, "200 OK", "application/json", "", b.p, b.n);
        c->freebody = 1;
    } else if (!strncmp(path, "/metrics", 8)) {
        static const char m[] = "# TYPE a gauge\na 1\nb 2\nc 3\nd 4\ne{x=\"1\"} 5\ne{x=\"2\"} 6\n";
        cother++;
        reply(c, "200 OK", "text/plain; version=0.0.4", "", m, sizeof m - 1);
    } else if (!strncmp(path, "/json/", 6)) {
        static const char m[] = "{\"value\":42,\"other\":{\"a\":1.5,\"b\":2}}";
        cother++;
        reply(c, "200 OK", "application/json", "Cache-Control: max-age=1\r\nETag: \"x\"\r\n", m,
              sizeof m - 1);
    } else if (sscanf(path, "/ctl/epoch?%d", &n) == 1) {
        epoch = n;
        reply(c, "200 OK", "text/plain", "", "ok\n", 3);
    } else if (sscanf(path, "/ctl/generation?%d", &n) == 1 && (n == 0 || n == 1)) {
        mkapi(n);
        generation = n;
        reply(c, "200 OK", "text/plain", "", "ok\n", 3);
    } else if (sscanf(path, "/ctl/slow?%d", &n) == 1 && n >= 0) {
        slow_ms = n;
        reply(c, "200 OK", "text/plain", "", "ok\n", 3);
    } else if (!strncmp(path, "/ctl/reset", 10)) {
        c200 = c304 = capi = bytes = cother = 0;
        t0 = 0;
        memset(peak, 0, sizeof peak);
        memset(reqs, 0, sizeof reqs);
        memset(lastdone, 0, sizeof lastdone);
        reply(c, "200 OK", "text/plain", "", "ok\n", 3);
    } else if (!strncmp(path, "/ctl/stats", 10)) {
        Buf b = {0};
        int mp = 0;
        long fr = 0, sr = 0, dr = 0;
        long sd = 0; /* the most that one silent host was asked */
        double ff = 0, sf = 0;
        for (int i = 1; i <= nhosts; i++) {
            int slow = i % 5 == 0, dead = i % 20 == 1;
            if (peak[i] > mp)
                mp = peak[i];
            double l = lastdone[i] ? lastdone[i] - t0 : 0;
            if (dead) {
                dr += reqs[i];
                if (reqs[i] > sd)
                    sd = reqs[i];
            } else if (slow) {
                sr += reqs[i];
                if (l > sf)
                    sf = l;
            } else {
                fr += reqs[i];
                if (l > ff)
                    ff = l;
            }
        }
        struct rusage ru;
        getrusage(RUSAGE_SELF, &ru);
        add(&b,
            "{\"ok200\":%ld,\"n304\":%ld,\"api\":%ld,\"other\":%ld,\"bytes\":%ld,\"peak_per_host\":%d,\"fast_"
            "reqs\":%ld,\"slow_reqs\":%ld,\"dead_reqs\":%ld,\"most_silent_reqs\":%ld,\"fast_done_s\":%.2f,\"slow_done_s\":%.2f,"
            "\"upstream_cpu_s\":%.3f}\n",
            c200, c304, capi, cother, bytes, mp, fr, sr, dr, sd, ff, sf,
            ru.ru_utime.tv_sec + ru.ru_stime.tv_sec + (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6);
        reply(c, "200 OK", "application/json", "", b.p, b.n);
        c->freebody = 1;
    } else
        reply(c, "404 Not Found", "text/plain", "", "no\n", 3);
done : {
    int used = e - c->in;
    memmove(c->in, e, c->il - used);
    c->il -= used;
}
    if (slow_ms && !is_ctl && !c->host) {
        c->due = now() + slow_ms / 1000.0;
        c->next = 0;
        if (dq_tail)
            dq_tail->next = c;
        else
            dq_head = c;
        dq_tail = c;
        return 2;
    }
    if (nhosts && c->host) {
        int slow = c->host % 5 == 0, dead = c->host % 20 == 1;
        if (dead)
            return 3; // black hole: never answers
        if (slow) {
            c->due = now() + 2.0;
            c->next = 0;
            if (dq_tail)
                dq_tail->next = c;
            else
                dq_head = c;
            dq_tail = c;
            return 2;
        }
    }
    return 1;
}
static void pump(Conn *c) {
    for (;;) {
        if (c->busy)
            return;
        int r = handle(c);
        if (r < 0) {
            drop(c);
            return;
        }
        if (r != 1)
            return;
        r = flushc(c);
        if (r < 0) {
            drop(c);
            return;
        }
        if (!r)
            return;
    }
}
static int lsn(unsigned ip, int port, int host) {
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(ip)};
    if (bind(s, (void *)&a, sizeof a) || listen(s, 4096)) {
        perror("bind");
        exit(1);
    }
    lhost[s] = host + 1;
    struct epoll_event e = {EPOLLIN, {.fd = s}};
    epoll_ctl(ep, EPOLL_CTL_ADD, s, &e);
    return s;
}
int main(int ac, char **av) {
    int port = atoi(av[1]);
    nhosts = ac > 2 ? atoi(av[2]) : 0;
    struct rlimit rl = {65000, 65000};
    setrlimit(RLIMIT_NOFILE, &rl);
    ep = epoll_create1(0);
    if (getenv("RECORDS"))
        npages = atoi(getenv("RECORDS")) / PAGE;
    if (npages < 1 || npages > MOSTPAGES) {
        fprintf(stderr, "RECORDS: %d to %d\n", PAGE, PAGE * MOSTPAGES);
        return 1;
    }
    mkapi(0);
    mkincrement();
    lsn(0x7f000001, port, 0);
    for (int i = 1; i <= nhosts; i++) {
        if (i % 40 == 1)
            continue; /* half of the dead refuse */
        lsn(0x7f000100 + i, port, i);
    }
    struct epoll_event ev[512];
    for (;;) {
        double d = dq_head ? dq_head->due - now() : 10;
        int n = epoll_wait(ep, ev, 512, d <= 0 ? 0 : (int)(d * 1000) + 1);
        for (int i = 0; i < n; i++) {
            int fd = ev[i].data.fd;
            if (lhost[fd]) {
                for (;;) {
                    int s = accept4(fd, 0, 0, SOCK_NONBLOCK);
                    if (s < 0)
                        break;
                    int one = 1;
                    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    Conn *c = calloc(1, sizeof *c);
                    c->fd = s;
                    c->host = lhost[fd] - 1;
                    conns[s] = c;
                    struct epoll_event e = {EPOLLIN, {.fd = s}};
                    epoll_ctl(ep, EPOLL_CTL_ADD, s, &e);
                }
                continue;
            }
            Conn *c = conns[fd];
            if (!c)
                continue;
            if (ev[i].events & EPOLLOUT && c->busy && !c->due) {
                int r = flushc(c);
                if (r < 0) {
                    drop(c);
                    continue;
                }
                if (r == 1) {
                    struct epoll_event e = {EPOLLIN, {.fd = fd}};
                    epoll_ctl(ep, EPOLL_CTL_MOD, fd, &e);
                    pump(c);
                    continue;
                }
            }
            if (ev[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
                ssize_t r = recv(fd, c->in + c->il, sizeof c->in - 1 - c->il, 0);
                if (r == 0 || (r < 0 && errno != EAGAIN)) {
                    drop(c);
                    continue;
                }
                if (r > 0)
                    c->il += r;
                pump(c);
            }
        }
        double t = now();
        while (dq_head && dq_head->due <= t) {
            Conn *c = dq_head;
            dq_head = c->next;
            if (!dq_head)
                dq_tail = 0;
            c->due = 0;
            if (c->fd < 0) {
                if (c->freebody)
                    free((char *)c->body);
                free(c);
                continue;
            }
            int r = flushc(c);
            if (r < 0)
                drop(c);
            else if (r)
                pump(c);
        }
    }
}
