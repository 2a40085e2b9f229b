/// Hours and days, in GMT, in which an upstream wants no requests (refresh policy 2.2, 6).
package struct SkipWindows: Sendable, Equatable {
    private let hours: Set<Int>
    private let days: Set<Int>

    /// Lists that hold everything are ignored, each for itself.
    package init(hours: Set<Int>, days: Set<Int>) {
        self.hours = hours.count >= 24 ? [] : hours
        self.days = days.count >= 7 ? [] : days
    }

    /// No request is put off for longer.
    private static let longest: Duration = .seconds(72 * 3_600)

    /// `due`, or the start of the next free hour and up to ten minutes where it lies in a window.
    ///
    /// - Parameter chance: in [0, 1).
    package func moved(_ due: Timestamp, chance: Double) -> Timestamp {
        guard !hours.isEmpty || !days.isEmpty, isClosed(at: due) else { return due }
        let hour: Int64 = 3_600_000_000
        var start = due.microseconds - ((due.microseconds % hour) + hour) % hour
        repeat {
            start += hour
        } while isClosed(at: Timestamp(microseconds: start))
            && start - due.microseconds <= SkipWindows.longest.inMicroseconds
        let moved = Timestamp(microseconds: start) + .seconds(600) * chance
        return Timestamp(microseconds: start) - due > SkipWindows.longest ? due : moved
    }

    private func isClosed(at time: Timestamp) -> Bool {
        let civil = CivilTime(time)
        return hours.contains(civil.hour) || days.contains(civil.date.weekday)
    }
}
