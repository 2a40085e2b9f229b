/// A point on the clock that counts from boot, in suspend too (`CLOCK_BOOTTIME`); timers live on it.
package struct BootTime: Hashable, Comparable, Sendable {
    package let sinceBoot: Duration

    package init(_ sinceBoot: Duration) { self.sinceBoot = sinceBoot }

    package static func < (left: BootTime, right: BootTime) -> Bool { left.sinceBoot < right.sinceBoot }
    package static func + (time: BootTime, duration: Duration) -> BootTime {
        BootTime(time.sinceBoot + duration)
    }
    package static func - (later: BootTime, earlier: BootTime) -> Duration {
        later.sinceBoot - earlier.sinceBoot
    }
}

/// One reading of both clocks: `wall` for what is stored and shown, `boot` for what is waited for.
package struct Moment: Hashable, Sendable {
    package let wall: Timestamp
    package let boot: BootTime

    package init(wall: Timestamp, boot: BootTime) {
        self.wall = wall
        self.boot = boot
    }

    /// The moment `duration` later, provided that nobody sets the wall clock.
    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(wall: moment.wall + duration, boot: moment.boot + duration)
    }
}

/// Where time comes from; the system in the daemon, a hand in tests.
package protocol TimeSource: Sendable {
    func now() -> Moment

    /// Returns at `deadline` or soon after; throws `CancellationError` when the task is cancelled.
    func sleep(until deadline: BootTime) async throws

    /// How long the host has slept since it booted.
    func slept() -> Duration
}

extension TimeSource {
    package func slept() -> Duration { .zero }
}
