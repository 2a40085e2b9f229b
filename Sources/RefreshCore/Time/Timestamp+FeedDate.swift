/// Dates as syndication feeds have them, whichever of the formats they were meant to be in.
extension Timestamp {
    /// Reads RFC 3339 and the wider W3CDTF and ISO 8601 (`2024`, `2024-05`, `20240501`, a space for the `T`, no
    /// seconds, no zone), RFC 822, and the three forms of HTTP, with white space around. What is missing is the
    /// first of its kind, and no zone is UTC. Nil where no date can be made out.
    package init?(feedDate bytes: some Collection<UInt8>) {
        if let time = Timestamp(rfc3339: bytes) {
            self = time
            return
        }
        let trimmed = ASCII.trimmed(Array(bytes))
        let read =
            Timestamp(iso8601: trimmed) ?? Timestamp(rfc822: trimmed) ?? Timestamp(asctime: trimmed)
        guard let read else { return nil }
        self = read
    }

    private init?(iso8601 bytes: ArraySlice<UInt8>) {
        var reader = DateReader(bytes)
        guard let date = Timestamp.readISODate(&reader) else { return nil }
        if reader.isAtEnd {
            guard let midnight = CivilTime(date: date)?.timestamp() else { return nil }
            self = midnight
            return
        }
        guard reader.take(0x54) || reader.take(0x74) || reader.skip(), let clock = reader.clock(),
            let offset = ZoneNames.readOffset(&reader)
        else { return nil }
        // ISO 8601 also writes the end of a day as 24:00.
        let isEndOfDay = clock.hour == 24 && clock.minute == 0 && clock.second == 0
        guard
            let time = CivilTime(
                date: date, hour: isEndOfDay ? 0 : clock.hour, minute: clock.minute, second: clock.second,
                microsecond: clock.microsecond)
        else { return nil }
        self = time.timestamp(offset: offset) + (isEndOfDay ? .seconds(86_400) : .zero)
    }

    /// `2024`, `2024-05`, `2024-05-01` or `20240501`.
    private static func readISODate(_ reader: inout DateReader) -> CivilDate? {
        guard let first = reader.number(4...8) else { return nil }
        if first.length == 8 {
            return CivilDate(
                year: first.value / 10_000, month: first.value / 100 % 100, day: first.value % 100)
        }
        guard first.length == 4 else { return nil }
        guard reader.take(0x2D) else { return CivilDate(year: first.value, month: 1, day: 1) }
        guard let month = reader.number(1...2) else { return nil }
        guard reader.take(0x2D) else {
            return CivilDate(year: first.value, month: month.value, day: 1)
        }
        guard let day = reader.number(1...2) else { return nil }
        return CivilDate(year: first.value, month: month.value, day: day.value)
    }

    /// `Sun Nov  6 08:49:37 1994`, also with a zone before the year as `date` prints it.
    private init?(asctime bytes: ArraySlice<UInt8>) {
        var reader = DateReader(bytes)
        guard DateNames.isWeekday(reader.word()) else { return nil }
        reader.skip(spacesAnd: [0x2C])
        guard let month = DateNames.month(reader.word()), reader.skip(), let day = reader.number(1...2),
            reader.skip(), let clock = reader.clock(), reader.skip()
        else { return nil }
        var offset = 0
        if !reader.isAtDigit {
            guard let named = ZoneNames.offset(of: reader.word()), reader.skip() else { return nil }
            offset = named
        }
        guard let year = reader.number(4...4), reader.isAtEnd,
            let date = CivilDate(year: year.value, month: month, day: day.value),
            let time = CivilTime(
                date: date, hour: clock.hour, minute: clock.minute, second: clock.second,
                microsecond: clock.microsecond)
        else { return nil }
        self = time.timestamp(offset: offset)
    }
}
