/// A date with a time of day, as clocks in UTC or at a fixed offset from it show it.
package struct CivilTime: Hashable, Sendable {
    package let date: CivilDate
    package let hour: Int
    package let minute: Int
    /// 60 within a leap second.
    package let second: Int
    package let microsecond: Int

    /// Nil where no clock shows this time. A second of 60 is accepted in any minute; who is strict looks further.
    package init?(date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (0...999_999).contains(microsecond)
        else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// What a clock in UTC shows at `time`.
    package init(_ time: Timestamp) {
        let perDay: Int64 = 86_400_000_000
        var (days, rest) = time.microseconds.quotientAndRemainder(dividingBy: perDay)
        if rest < 0 {
            days -= 1
            rest += perDay
        }
        date = CivilDate(daysSinceEpoch: Int(days))
        let seconds = Int(rest / 1_000_000)
        microsecond = Int(rest % 1_000_000)
        hour = seconds / 3_600
        minute = seconds / 60 % 60
        second = seconds % 60
    }

    /// The point of time, for a clock that is `offset` seconds ahead of UTC.
    ///
    /// `Timestamp` has no leap seconds: every moment within one is the last microsecond before it. So it stays in
    /// its day, and no later time sorts before it (RFC 3339, 5.7 leaves the choice).
    package func timestamp(offset: Int = 0) -> Timestamp {
        let isLeap = second == 60
        let seconds =
            date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + (isLeap ? 59 : second) - offset
        return Timestamp(
            microseconds: Int64(seconds) * 1_000_000 + Int64(isLeap ? 999_999 : microsecond))
    }
}
