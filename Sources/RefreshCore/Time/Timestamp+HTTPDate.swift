/// Dates as HTTP has them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
extension Timestamp {
    /// Reads all three forms that a recipient must accept: IMF-fixdate, RFC 850 and asctime; nil for all else.
    ///
    /// Letter case, a wrong weekday and days of one digit are let pass. A year of two digits is the latest that
    /// lies at most 50 years after `now`, as the RFC demands; without `now` 70 to 99 are 1970 to 1999.
    package init?(httpDate bytes: some Collection<UInt8>, now: Timestamp? = nil) {
        var reader = DateReader(bytes)
        guard DateNames.isWeekday(reader.word()) else { return nil }
        let time =
            reader.take(0x2C)
            ? Timestamp.readDayFirst(&reader, now: now) : Timestamp.readMonthFirst(&reader)
        guard let time, reader.isAtEnd else { return nil }
        self = time
    }

    /// The time as IMF-fixdate; a fraction is cut off, years stay within 0 and 9999.
    package var httpDate: String {
        let first = Timestamp(seconds: -62_167_219_200)
        let last = Timestamp(seconds: 253_402_300_799)
        let time = CivilTime(min(max(self, first), last))
        var text = Array(DateNames.weekdays[time.date.weekday].utf8)
        text.append(contentsOf: [0x2C, 0x20])
        text.append(pair: time.date.day)
        text.append(0x20)
        text.append(contentsOf: DateNames.months[time.date.month - 1].utf8)
        text.append(0x20)
        text.append(yearOf: time)
        text.append(0x20)
        text.append(clockOf: time)
        text.append(contentsOf: " GMT".utf8)
        return String(decoding: text, as: UTF8.self)
    }

    /// ` 06 Nov 1994 08:49:37 GMT` or ` 06-Nov-94 08:49:37 GMT`.
    private static func readDayFirst(_ reader: inout DateReader, now: Timestamp?) -> Timestamp? {
        guard reader.take(0x20), let day = reader.number(1...2) else { return nil }
        let separator: UInt8 = reader.next == 0x2D ? 0x2D : 0x20
        guard reader.take(separator), let month = DateNames.month(reader.word()), reader.take(separator),
            let year = reader.number(2...4), year.length != 3, reader.take(0x20),
            let clock = readClock(&reader), reader.take(0x20)
        else { return nil }
        let zone = reader.word()
        guard zone.elementsEqual("gmt".utf8) || zone.elementsEqual("utc".utf8) else { return nil }
        func time(in year: Int) -> Timestamp? {
            CivilDate(year: year, month: month, day: day.value)
                .flatMap {
                    CivilTime(date: $0, hour: clock.hour, minute: clock.minute, second: clock.second)
                }?
                .timestamp()
        }
        if year.length == 4 { return time(in: year.value) }
        guard let now else { return time(in: year.value + (year.value < 70 ? 2_000 : 1_900)) }
        return latest(digits: year.value, notLongAfter: now, time)
    }

    /// ` Nov  6 08:49:37 1994`.
    private static func readMonthFirst(_ reader: inout DateReader) -> Timestamp? {
        guard reader.take(0x20), let month = DateNames.month(reader.word()), reader.skip(),
            let day = reader.number(1...2), reader.take(0x20), let clock = readClock(&reader),
            reader.take(0x20), let year = reader.number(4...4),
            let date = CivilDate(year: year.value, month: month, day: day.value)
        else { return nil }
        return CivilTime(date: date, hour: clock.hour, minute: clock.minute, second: clock.second)?
            .timestamp()
    }

    private static func readClock(_ reader: inout DateReader) -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = reader.number(2...2), reader.take(0x3A), let minute = reader.number(2...2),
            reader.take(0x3A), let second = reader.number(2...2)
        else { return nil }
        return (hour.value, minute.value, second.value)
    }

    /// The date in the latest year of these two digits that is not over 50 years after `now`.
    private static func latest(
        digits: Int, notLongAfter now: Timestamp, _ time: (Int) -> Timestamp?
    ) -> Timestamp? {
        let present = CivilTime(now).date.year
        // 50 years of the Gregorian calendar on average; a day more or less decides nothing here.
        let limit = now + .seconds(50 * 31_556_952)
        let century = present - present % 100
        for base in [century + 100, century, century - 100] {
            // 29 February is missing in three of four centuries' ends.
            if let time = time(base + digits), time <= limit { return time }
        }
        return nil
    }
}
