/// Tells from two readings of the clocks whether somebody set the wall clock, or the host slept (refresh policy 2.5).
package struct ClockCheck: Sendable {
    package enum Event: Sendable, Equatable {
        case none
        /// The wall clock was set.
        case stepped(by: Duration)
        /// The host slept for so long.
        case resumed(after: Duration)
    }

    private var last: Moment
    private var slept: Duration

    /// Corrections below it are those of a clock that is being kept right.
    private static let step: Duration = .seconds(1)
    private static let sleep: Duration = .seconds(10)

    /// - Parameter slept: how long the host has slept since it booted (`CLOCK_BOOTTIME` less `CLOCK_MONOTONIC`).
    package init(_ now: Moment, slept: Duration) {
        last = now
        self.slept = slept
    }

    /// What has happened since the last look. Both at once is a resume: what follows it sees to the clock too.
    package mutating func look(_ now: Moment, slept: Duration) -> Event {
        let moved = (now.wall - last.wall) - (now.boot - last.boot)
        let rest = slept - self.slept
        last = now
        self.slept = slept
        if rest > ClockCheck.sleep { return .resumed(after: rest) }
        return moved > ClockCheck.step || moved < .zero - ClockCheck.step ? .stepped(by: moved) : .none
    }
}
