/// Bounds how much one place in the program may log, so that a fault that repeats drowns no other record.
///
/// Each place may write `burst` records within an interval, which begins with its first. What comes beyond is held
/// back and counted; the count becomes one record when the interval is over.
package struct LogLimit: Sendable {
    /// A place in the source.
    package struct Site: Hashable, Sendable {
        /// Module and file, as `#fileID` has them.
        package let file: String
        package let line: UInt32

        package init(file: String, line: UInt32) {
            self.file = file
            self.line = line
        }
    }

    /// What was held back at one place.
    package struct Held: Equatable, Sendable {
        package let site: Site
        package let count: Int
        /// Of the most urgent one.
        package let level: LogLevel

        package init(site: Site, count: Int, level: LogLevel) {
            self.site = site
            self.count = count
            self.level = level
        }

        /// For people, without the level.
        package func text(interval: Duration) -> String {
            let records = count == 1 ? "1 more record" : "\(count) more records"
            return "\(records) like these held back within \(DurationText.format(interval)) "
                + "(\(site.file):\(site.line))"
        }
    }

    private struct Count {
        let since: BootTime
        var written = 0
        var held = 0
        var level = LogLevel.debug
    }

    package let burst: Int
    package let interval: Duration
    /// One for each place that has logged of late; there are only as many as the program has.
    private var counts: [Site: Count] = [:]

    package init(burst: Int = 100, interval: Duration = .seconds(30)) {
        self.burst = burst
        self.interval = interval
    }

    /// Whether a record may be written; call `over` before it.
    package mutating func admits(_ level: LogLevel, of site: Site, at now: BootTime) -> Bool {
        var count = counts[site] ?? Count(since: now)
        defer { counts[site] = count }
        if count.written < burst {
            count.written += 1
            return true
        }
        count.held += 1
        count.level = min(count.level, level)
        return false
    }

    /// Ends the intervals that are over; what they held back, to be written now.
    package mutating func over(at now: BootTime) -> [Held] {
        guard counts.contains(where: { now - $0.value.since >= interval }) else { return [] }
        let ended = counts.filter { now - $0.value.since >= interval }
        for site in ended.keys { counts[site] = nil }
        return LogLimit.held(ended)
    }

    /// What is held back now, at the end of the program.
    package mutating func rest() -> [Held] {
        defer { counts = [:] }
        return LogLimit.held(counts)
    }

    /// When `over` has something to say at the earliest; nil where nothing is held back.
    package var due: BootTime? {
        counts.values.filter { $0.held > 0 }.map { $0.since + interval }.min()
    }

    private static func held(_ counts: [Site: Count]) -> [Held] {
        counts.filter { $0.value.held > 0 }
            .map { Held(site: $0.key, count: $0.value.held, level: $0.value.level) }
            .sorted { ($0.site.file, $0.site.line) < ($1.site.file, $1.site.line) }
    }
}
