/// `status`, as a terminal shows it.
enum StatusGolden {
    static let narrow = """
        refreshd 1.2.3, up 3h: 3 feeds (1 fresh, 1 overdue, 1 new), 1 in backoff,
          1 disabled, 4.2 MiB on disk

        FEED  STATE     FRESHNESS  ITEMS  REFRESHED  NEXT    NOTE
        shop  active    fresh         24  3m ago     in 4m   refreshing
        news  backoff   overdue        7  2d ago     in 60m  3 failures, transient http…
        idle  disabled  new               never      -
        """

    static let wide = """
        refreshd 1.2.3, up 3h: 3 feeds (1 fresh, 1 overdue, 1 new), 1 in backoff, 1 disabled, 4.2 MiB on disk

        FEED  STATE     FRESHNESS  ITEMS  REFRESHED  NEXT    NOTE
        shop  active    fresh         24  3m ago     in 4m   refreshing
        news  backoff   overdue        7  2d ago     in 60m  3 failures, transient http-503: the upstream\\nis not available
        idle  disabled  new               never      -
        """
}
