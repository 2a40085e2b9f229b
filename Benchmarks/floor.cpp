// Reference "floor" programs: libcurl multi + expat/simdjson + SQLite, one thread (j2 can overlap with a
// second). floor j1 DB URLBASE NFEEDS K PAR            refresh feeds with ETag, upsert entries by (feed,
// guid) floor j2 DB URLBASE [since]                 paged JSON ingest, upsert by id floor j5 DB FEEDLIST
// TIMEOUT PERHOST BACKOFF  many hosts, per-host cap, slow and dead ones
#include <cstdio>
#include <cstring>
#include <ctime>
#include <curl/curl.h>
#include <deque>
#include <expat.h>
#include <fstream>
#include <future>
#include <map>
#include <simdjson.h>
#include <sqlite3.h>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
using std::string;
static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static sqlite3 *db;
static void ex(const char *s) {
    char *e = 0;
    if (sqlite3_exec(db, s, 0, 0, &e)) {
        fprintf(stderr, "%s: %s\n", s, e);
        exit(1);
    }
}
static sqlite3_stmt *prep(const char *s) {
    sqlite3_stmt *p;
    if (sqlite3_prepare_v3(db, s, -1, SQLITE_PREPARE_PERSISTENT, &p, 0)) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        exit(1);
    }
    return p;
}
struct Feed {
    int id;
    string url, etag, host;
    string body;
    CURL *h = 0;
    curl_slist *hl = 0;
    long code = 0;
};
static size_t wr(char *p, size_t a, size_t b, void *u) {
    ((string *)u)->append(p, a * b);
    return a * b;
}
static size_t hd(char *p, size_t a, size_t b, void *u) {
    size_t n = a * b;
    if (n > 6 && !strncasecmp(p, "etag: ", 6))
        ((Feed *)u)->etag.assign(p + 6, n - 8);
    return n;
}
struct P {
    string t, title, link, guid, date, desc;
    int feed;
    long seen = 0;
    bool in = false;
    sqlite3_stmt *st;
};
static void bind(sqlite3_stmt *s, int i, const string &x) {
    sqlite3_bind_text(s, i, x.data(), x.size(), SQLITE_STATIC);
}
static void XMLCALL se(void *u, const char *n, const char **) {
    P *p = (P *)u;
    if (!strcmp(n, "item")) {
        p->in = true;
    }
    p->t.clear();
}
static void XMLCALL cd(void *u, const char *s, int n) {
    P *p = (P *)u;
    if (p->in)
        p->t.append(s, n);
}
static void XMLCALL ee(void *u, const char *n) {
    P *p = (P *)u;
    if (!p->in)
        return;
    if (!strcmp(n, "title"))
        p->title = p->t;
    else if (!strcmp(n, "link"))
        p->link = p->t;
    else if (!strcmp(n, "guid"))
        p->guid = p->t;
    else if (!strcmp(n, "pubDate"))
        p->date = p->t;
    else if (!strcmp(n, "description"))
        p->desc = p->t;
    else if (!strcmp(n, "item")) {
        p->in = false;
        p->seen++;
        sqlite3_bind_int(p->st, 1, p->feed);
        bind(p->st, 2, p->guid);
        bind(p->st, 3, p->title);
        bind(p->st, 4, p->link);
        bind(p->st, 5, p->date);
        bind(p->st, 6, p->desc);
        sqlite3_step(p->st);
        sqlite3_reset(p->st);
    }
}
static void store(Feed &f, sqlite3_stmt *ins, sqlite3_stmt *ue, long &ents) {
    P p;
    p.feed = f.id;
    p.st = ins;
    XML_Parser x = XML_ParserCreate("UTF-8");
    XML_SetUserData(x, &p);
    XML_SetElementHandler(x, se, ee);
    XML_SetCharacterDataHandler(x, cd);
    XML_Parse(x, f.body.data(), f.body.size(), 1);
    XML_ParserFree(x);
    ents += p.seen;
    sqlite3_bind_int(ue, 1, f.id);
    bind(ue, 2, f.url);
    bind(ue, 3, f.etag);
    sqlite3_step(ue);
    sqlite3_reset(ue);
}
static void opendb(const char *f) {
    sqlite3_open(f, &db);
    ex("PRAGMA journal_mode=WAL");
    ex("PRAGMA synchronous=NORMAL");
    ex("PRAGMA temp_store=MEMORY");
}
static void schema() {
    ex("CREATE TABLE IF NOT EXISTS feed(id INTEGER PRIMARY KEY,url TEXT,etag TEXT)");
    ex("CREATE TABLE IF NOT EXISTS entry(feed INT,guid TEXT,title TEXT,link TEXT,date TEXT,descr "
       "TEXT,PRIMARY KEY(feed,guid))");
}
static const char *INS = "INSERT INTO entry VALUES(?,?,?,?,?,?) ON CONFLICT(feed,guid) DO UPDATE SET "
                         "title=excluded.title,link=excluded.link,date=excluded.date,descr=excluded.descr "
                         "WHERE title<>excluded.title OR descr<>excluded.descr";
static CURL *setup(Feed *f, CURL *h, long tmo) {
    if (!h)
        h = curl_easy_init();
    f->h = h;
    f->body.clear();
    curl_easy_setopt(h, CURLOPT_URL, f->url.c_str());
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, wr);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, &f->body);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, hd);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, f);
    curl_easy_setopt(h, CURLOPT_PRIVATE, f);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    if (tmo)
        curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, tmo);
    f->hl = 0;
    if (!f->etag.empty())
        f->hl = curl_slist_append(0, ("If-None-Match: " + f->etag).c_str());
    curl_easy_setopt(h, CURLOPT_HTTPHEADER, f->hl);
    return h;
}
static void loadetags(std::vector<Feed> &fs) {
    auto q = prep("SELECT id,etag FROM feed");
    while (sqlite3_step(q) == SQLITE_ROW) {
        unsigned i = sqlite3_column_int(q, 0);
        if (i < fs.size())
            fs[i].etag = (const char *)sqlite3_column_text(q, 1);
    }
    sqlite3_finalize(q);
}
static int j1(char **a) {
    bool each = getenv("COMMIT_EACH"); /* one transaction a feed, as a daemon would */
    opendb(a[0]);
    if (getenv("SYNC_FULL"))
        ex("PRAGMA synchronous=FULL");
    schema();
    int n = atoi(a[2]), par = atoi(a[4]);
    std::vector<Feed> fs(n);
    for (int i = 0; i < n; i++)
        fs[i].id = i, fs[i].url = string(a[1]) + "/rss/" + a[3] + "/" + std::to_string(i) + ".xml";
    loadetags(fs);
    auto ins = prep(INS), ue = prep("INSERT OR REPLACE INTO feed VALUES(?,?,?)");
    CURLM *m = curl_multi_init();
    curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, (long)par);
    std::vector<CURL *> idle;
    int next = 0, run = 0;
    long ents = 0, ok = 0, nm = 0, err = 0;
    ex("BEGIN");
    auto go = [&] {
        while (next < n && run < par) {
            CURL *h = 0;
            if (!idle.empty())
                h = idle.back(), idle.pop_back();
            curl_multi_add_handle(m, setup(&fs[next++], h, 0));
            run++;
        }
    };
    go();
    while (run) {
        int r;
        curl_multi_perform(m, &r);
        CURLMsg *g;
        int left;
        while ((g = curl_multi_info_read(m, &left))) {
            if (g->msg != CURLMSG_DONE)
                continue;
            CURL *h = g->easy_handle;
            CURLcode rc = g->data.result;
            Feed *f;
            curl_easy_getinfo(h, CURLINFO_PRIVATE, &f);
            curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &f->code);
            curl_multi_remove_handle(m, h);
            if (f->hl)
                curl_slist_free_all(f->hl);
            idle.push_back(h);
            run--;
            if (rc)
                err++;
            else if (f->code == 200) {
                ok++;
                store(*f, ins, ue, ents);
                if (each) {
                    ex("COMMIT");
                    ex("BEGIN");
                }
            } else if (f->code == 304)
                nm++;
            string().swap(f->body);
        }
        go();
        if (run)
            curl_multi_poll(m, 0, 0, 1000, 0);
    }
    ex("COMMIT");
    printf("{\"ok\":%ld,\"n304\":%ld,\"err\":%ld,\"entries_seen\":%ld}\n", ok, nm, err, ents);
    return 0;
}
static int j2(int ac, char **a) {
    opendb(a[0]);
    ex("CREATE TABLE IF NOT EXISTS rec(id INTEGER PRIMARY KEY,updated TEXT,body TEXT)");
    auto ins = prep("INSERT INTO rec VALUES(?,?,?) ON CONFLICT(id) DO UPDATE SET "
                    "updated=excluded.updated,body=excluded.body");
    string base = string(a[1]) + "/api/records?limit=1000";
    if (ac > 2)
        base += string("&since=") + a[2];
    CURL *h = curl_easy_init();
    string buf;
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, wr);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, &buf);
    string gen =
        getenv("GEN") ? getenv("GEN") : ""; /* GEN=x makes every row differ from the last pass: SQLite skips
                                               the page write when an updated row is byte-equal */
    string us;
    string cur;
    long n = 0;
    ex("BEGIN");
    std::future<void> pend;
    string held;
    simdjson::ondemand::parser ps;
    auto work = [&] {
        held.reserve(held.size() + simdjson::SIMDJSON_PADDING);
        auto d = ps.iterate(held.data(), held.size(), held.capacity());
        for (auto o : d["data"].get_array()) {
            simdjson::ondemand::object ob = o.get_object();
            int64_t id = ob["id"];
            std::string_view up = ob["updated_at"];
            ob.reset();
            std::string_view raw = ob.raw_json();
            sqlite3_bind_int64(ins, 1, id);
            us.assign(up);
            us += gen;
            sqlite3_bind_text(ins, 2, us.data(), us.size(), SQLITE_STATIC);
            sqlite3_bind_text(ins, 3, raw.data(), raw.size(), SQLITE_STATIC);
            sqlite3_step(ins);
            sqlite3_reset(ins);
            n++;
        }
    };
    for (;;) {
        string u = base + (cur.empty() ? "" : "&cursor=" + cur);
        buf.clear();
        curl_easy_setopt(h, CURLOPT_URL, u.c_str());
        if (curl_easy_perform(h)) {
            fprintf(stderr, "fetch\n");
            return 1;
        }
        size_t p = buf.rfind("\"next_cursor\":");
        string nx;
        if (p != string::npos && buf[p + 14] == '"') {
            size_t e = buf.find('"', p + 15);
            nx = buf.substr(p + 15, e - p - 15);
        }
        if (pend.valid())
            pend.get();
        held.swap(buf);
        pend = std::async(std::launch::async, work);
        cur = nx;
        if (nx.empty())
            break;
    }
    pend.get();
    ex("COMMIT");
    printf("{\"records\":%ld}\n", n);
    return 0;
}
struct Host {
    std::deque<Feed *> q;
    int act = 0;
    int fails = 0;
};
static int j5(char **a) {
    opendb(a[0]);
    schema();
    std::vector<Feed> fs;
    {
        std::ifstream in(a[1]);
        string l;
        while (getline(in, l)) {
            Feed f;
            f.id = fs.size();
            f.url = l;
            size_t p = l.find("//") + 2;
            f.host = l.substr(p, l.find('/', p) - p);
            fs.push_back(f);
        }
    }
    long tmo = atol(a[2]);
    int per = atoi(a[3]), boff = atoi(a[4]);
    std::unordered_map<string, Host> hs;
    for (auto &f : fs)
        hs[f.host].q.push_back(&f);
    auto ins = prep(INS), ue = prep("INSERT OR REPLACE INTO feed VALUES(?,?,?)");
    CURLM *m = curl_multi_init();
    curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, 1024L);
    std::vector<CURL *> idle;
    int run = 0;
    long ents = 0, ok = 0, err = 0, skip = 0;
    auto go = [&](Host &h) {
        if (boff && h.fails >= boff) {
            skip += h.q.size();
            h.q.clear();
        }
        while (h.act < per && !h.q.empty()) {
            Feed *f = h.q.front();
            h.q.pop_front();
            CURL *c = 0;
            if (!idle.empty())
                c = idle.back(), idle.pop_back();
            curl_multi_add_handle(m, setup(f, c, tmo));
            h.act++;
            run++;
        }
    };
    ex("BEGIN");
    double tb = now();
    for (auto &h : hs)
        go(h.second);
    while (run) {
        int r;
        curl_multi_perform(m, &r);
        CURLMsg *g;
        int left;
        while ((g = curl_multi_info_read(m, &left))) {
            CURL *h = g->easy_handle;
            CURLcode rc = g->data.result;
            Feed *f;
            curl_easy_getinfo(h, CURLINFO_PRIVATE, &f);
            curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &f->code);
            curl_multi_remove_handle(m, h);
            if (f->hl)
                curl_slist_free_all(f->hl);
            idle.push_back(h);
            run--;
            Host &H = hs[f->host];
            H.act--;
            if (rc) {
                err++;
                H.fails++;
            } else {
                ok++;
                store(*f, ins, ue, ents);
            }
            string().swap(f->body);
            go(H);
        }
        if (now() - tb > .2) {
            ex("COMMIT");
            ex("BEGIN");
            tb = now();
        }
        if (run)
            curl_multi_poll(m, 0, 0, 1000, 0);
    }
    ex("COMMIT");
    printf("{\"ok\":%ld,\"err\":%ld,\"skipped\":%ld,\"entries_seen\":%ld}\n", ok, err, skip, ents);
    return 0;
}
int main(int ac, char **av) {
    curl_global_init(CURL_GLOBAL_ALL);
    string m = av[1];
    if (m == "j1")
        return j1(av + 2);
    if (m == "j2")
        return j2(ac - 2, av + 2);
    return j5(av + 2);
}
