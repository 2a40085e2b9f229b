/// Frames of `top`, as a terminal shows them.
enum TopGolden {
    static let narrow = """
        refreshd 1.2.3, up 3h: 5 feeds (2 fresh, 1 stale, 1 overdue, 1 new), 1 in backo…
        upstream   2.5 requests/s, 9.6 KiB/s  ▄▆▂█▅
        refreshes  25 in 10s, 1 failed; 1 under way, 2 due within 60s
        sockets    96.0 requests/s, 3 clients; store  2.4 commits/s of 0.8 ms

        FEED        STATE    ITEMS    AGE      DUE    TOOK  LATENCY   NOTE
        advisories  backoff    310    25h      10m  30.0 s  ▃▅█▂▄▃▁×  4× http-503
        étoiles     fresh        7     5s      now  120 ms  ▃▅█▂▄▃    flapping
        prices      fresh     2480     3m      42s  120 ms  ▃▅█▂▄▃
        価格表      stale       12     2h  running  120 ms  ▃▅█▂▄▃
        old         paused       0  never        -
        q quits
        """

    static let wide = """
        refreshd 1.2.3, up 3h: 5 feeds (2 fresh, 1 stale, 1 overdue, 1 new), 1 in backoff, 1 paused, 4.2 MiB on disk
        upstream   2.5 requests/s, 9.6 KiB/s  ▄▆▂█▅
        refreshes  25 in 10s, 1 failed; 1 under way, 2 due within 60s
        sockets    96.0 requests/s, 3 clients; store  2.4 commits/s of 0.8 ms

        FEED        STATE    ITEMS    AGE      DUE    TOOK  LATENCY     SIZE  ADDED  CHANGED  REMOVED  NOTE
        advisories  backoff    310    25h      10m  30.0 s  ▃▅█▂▄▃▁×  13 KiB      3       12        1  4 failures, transient http-503: the upstream\\u001b[2J is not available
        étoiles     fresh        7     5s      now  120 ms  ▃▅█▂▄▃    13 KiB      3       12        1  flapping
        prices      fresh     2480     3m      42s  120 ms  ▃▅█▂▄▃    13 KiB      3       12        1
        価格表      stale       12     2h  running  120 ms  ▃▅█▂▄▃    13 KiB      3       12        1
        old         paused       0  never        -
        q quits
        """
}
