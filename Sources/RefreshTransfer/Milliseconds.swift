extension Duration {
    /// Rounded up, at least 1 (to libcurl 0 means no limit), at most what 32 bits hold.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        let nanoseconds = max(seconds, 0) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000
        return max(1, Int((nanoseconds + 999_999) / 1_000_000))
    }
}
