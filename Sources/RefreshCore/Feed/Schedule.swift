/// When a feed is fetched (refresh policy 2.2).
package struct Schedule: Sendable, Equatable {
    /// The promise not to ask more often; nil is on demand only, or by `cron`.
    package var every: Duration?
    /// The share of the interval that chance may add, 0.1 by default.
    package var jitter: Double
    /// The least time between two attempts, however caused; never above `every`.
    package var minGap: Duration
    /// Calendar times in the place of an interval.
    package var cron: CronPlan?
    /// Whether the interval grows while nothing changes.
    package var adaptive = false
    package var adaptivity = Adaptivity.standard
    /// What adaptivity may lengthen it to.
    package var maxInterval: Duration = .seconds(6 * 3_600)
    /// Whether what the upstream says of its own rhythm counts.
    package var honorHints = true
    /// No hint counts for more.
    package var hintCap: Duration = .seconds(86_400)
    /// Hours (0–23) and weekdays (0 is Sunday), in GMT, in which no scheduled refresh starts.
    package var skipHours: Set<Int> = []
    package var skipDays: Set<Int> = []

    package init(every: Duration?, jitter: Double = 0.1, minGap: Duration = .seconds(60)) {
        self.every = every
        self.jitter = jitter
        self.minGap = every.map { min(minGap, $0) } ?? minGap
    }
}

/// A cron expression and the zone of its clock.
package struct CronPlan: Sendable, Equatable {
    package let cron: Cron
    package let zone: Zone

    package init(cron: Cron, zone: Zone) {
        self.cron = cron
        self.zone = zone
    }
}
