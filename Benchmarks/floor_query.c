// Reference read server: HTTP/1.1 keep-alive on a Unix socket, one epoll thread, SQLite prepared statements.
// floor_query SOCK DB      /items/ID  /page/ID (50 items with id > ID)  /status
#define _GNU_SOURCE
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
typedef struct {
    int fd, il;
    char in[4096];
    char *out;
    size_t ol, oo;
} C;
int main(int ac, char **av) {
    sqlite3 *db;
    sqlite3_open_v2(av[2], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, 0);
    sqlite3_exec(db, "PRAGMA mmap_size=1073741824", 0, 0, 0);
    sqlite3_stmt *one, *pg;
    sqlite3_prepare_v2(db, "SELECT body FROM rec WHERE id=?", -1, &one, 0);
    sqlite3_prepare_v2(db, "SELECT body FROM rec WHERE id>? ORDER BY id LIMIT 50", -1, &pg, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strcpy(a.sun_path, av[1]);
    unlink(av[1]);
    int l = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    bind(l, (void *)&a, sizeof a);
    listen(l, 1024);
    int ep = epoll_create1(0);
    struct epoll_event e = {EPOLLIN, {.ptr = 0}}, ev[256];
    epoll_ctl(ep, EPOLL_CTL_ADD, l, &e);
    char *body = malloc(1 << 20);
    for (;;) {
        int n = epoll_wait(ep, ev, 256, -1);
        for (int i = 0; i < n; i++) {
            C *c = ev[i].data.ptr;
            if (!c) {
                for (int s; (s = accept4(l, 0, 0, SOCK_NONBLOCK)) >= 0;) {
                    C *k = calloc(1, sizeof *k);
                    k->fd = s;
                    k->out = malloc(1 << 17);
                    struct epoll_event x = {EPOLLIN, {.ptr = k}};
                    epoll_ctl(ep, EPOLL_CTL_ADD, s, &x);
                }
                continue;
            }
            ssize_t r = recv(c->fd, c->in + c->il, sizeof c->in - 1 - c->il, 0);
            if (r <= 0) {
                if (r < 0 && errno == EAGAIN)
                    continue;
                close(c->fd);
                free(c->out);
                free(c);
                continue;
            }
            c->il += r;
            c->in[c->il] = 0;
            if (!memmem(c->in, c->il, "\r\n\r\n", 4))
                continue;
            c->il = 0;
            size_t bl = 0;
            const char *p = c->in + 4;
            if (!strncmp(p, "/items/", 7)) {
                sqlite3_bind_int64(one, 1, atoll(p + 7));
                if (sqlite3_step(one) == SQLITE_ROW) {
                    bl = sqlite3_column_bytes(one, 0);
                    memcpy(body, sqlite3_column_blob(one, 0), bl);
                }
                sqlite3_reset(one);
            } else if (!strncmp(p, "/page/", 6)) {
                body[bl++] = '[';
                sqlite3_bind_int64(pg, 1, atoll(p + 6));
                while (sqlite3_step(pg) == SQLITE_ROW) {
                    if (bl > 1)
                        body[bl++] = ',';
                    int k = sqlite3_column_bytes(pg, 0);
                    memcpy(body + bl, sqlite3_column_blob(pg, 0), k);
                    bl += k;
                }
                sqlite3_reset(pg);
                body[bl++] = ']';
            } else
                bl = sprintf(body, "{\"state\":\"ok\",\"feeds\":1000,\"due\":0}");
            c->ol = sprintf(
                c->out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                bl);
            memcpy(c->out + c->ol, body, bl);
            c->ol += bl;
            c->oo = 0;
            while (c->oo < c->ol) {
                ssize_t w = send(c->fd, c->out + c->oo, c->ol - c->oo, MSG_NOSIGNAL);
                if (w > 0)
                    c->oo += w;
                else if (errno != EAGAIN)
                    break;
            }
        }
    }
}
