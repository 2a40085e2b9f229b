/// A cron expression of five fields: minute, hour, day of the month, month, day of the week (crontab(5) of Debian).
///
/// Names of months and days, lists, ranges, steps, `L` for the last day of a month, and the short forms `@hourly`,
/// `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly`, `@annually`.
package struct Cron: Hashable, Sendable {
    /// Why an expression could not be read.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which reading stopped.
        package let offset: Int
        /// What is wrong and what to write instead.
        package let message: String

        package init(offset: Int, message: String) {
            self.offset = offset
            self.message = message
        }
    }

    /// As it was written.
    package let text: String
    let minutes: CronField
    let hours: CronField
    let days: CronField
    let months: CronField
    let weekdays: CronField
    /// `L` stands among the days.
    let onLastDay: Bool

    /// Reads an expression, and refuses one that no date can meet.
    package init(parsing text: String) throws(Failure) {
        var reader = CronReader(text: text)
        let fields = try reader.fields()
        self.text = text
        (minutes, hours, days, months, weekdays) = (fields[0], fields[1], fields[2], fields[3], fields[4])
        onLastDay = reader.sawLastDay
        guard hasDate else {
            throw Failure(
                offset: reader.start(of: 2),
                message: "no such date in any year; change the day of the month or the month")
        }
    }

    /// Whether some month has one of the days.
    private var hasDate: Bool {
        // Where either field is open the other decides alone, and where both are narrow either suffices.
        guard !onLastDay, weekdays.isOpen || days.isOpen else { return true }
        return (1...12).contains { month in
            months.contains(month)
                && (1...CivilDate.days(inMonth: month, of: 2_000)).contains { days.contains($0) }
        }
    }

    /// Whether a slot lies on `date`: where both day fields are narrow, either suffices.
    func matches(_ date: CivilDate) -> Bool {
        let day = days.contains(date.day) || (onLastDay && date.isLastOfMonth)
        let weekday = weekdays.contains(date.weekday)
        return days.isOpen || weekdays.isOpen ? day && weekday : day || weekday
    }
}

/// The values that one field of a cron expression admits.
struct CronField: Hashable, Sendable {
    /// Bit n stands for the value n.
    private var bits: UInt64 = 0
    /// It starts with `*`, as crontab(5) asks.
    var isOpen = false

    mutating func insert(_ value: Int) { bits |= 1 << UInt64(value) }

    func contains(_ value: Int) -> Bool { bits >> UInt64(value) & 1 == 1 }

    /// The least admitted value from `value` on.
    func first(from value: Int) -> Int? {
        let rest = value > 63 ? 0 : bits >> UInt64(value)
        return rest == 0 ? nil : value + rest.trailingZeroBitCount
    }
}
