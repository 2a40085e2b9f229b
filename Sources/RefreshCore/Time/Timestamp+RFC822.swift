/// Dates as RSS and mail have them: `Tue, 10 Jun 2003 04:00:00 EST` (RFC 822, 5; RFC 5322, 3.3 and 4.3).
extension Timestamp {
    /// Reads what feeds really hold: the weekday may be missing or wrong, months be written out, the year have
    /// two digits, seconds or the whole time be missing, the zone be a name or an offset. No zone is UTC.
    ///
    /// What names a zone does not depend on the host: the table is in `ZoneNames`. Names that are not in it are
    /// UTC, as RFC 5322, 4.3 advises. Nil where there is no date, or more than one.
    package init?(rfc822 bytes: some Collection<UInt8>) {
        var reader = DateReader(bytes)
        reader.skip()
        let start = reader
        if DateNames.isWeekday(reader.word()) {
            reader.skip(spacesAnd: [0x2C, 0x2E])
        } else {
            reader = start
        }
        guard let date = Timestamp.readDate(&reader) else { return nil }
        reader.skip(spacesAnd: [0x2C])
        guard let time = Timestamp.readTime(&reader, on: date) else { return nil }
        self = time
    }

    /// `10 Jun 2003`, `10-Jun-03`, or with the month first and a comma: `June 10, 2003` has the weekday's place.
    private static func readDate(_ reader: inout DateReader) -> CivilDate? {
        let separators: [UInt8] = [0x2D, 0x2F, 0x2E, 0x2C]
        var day: Int?
        if reader.isAtDigit {
            day = reader.number(1...2)?.value
            guard day != nil else { return nil }
            reader.skip(spacesAnd: separators)
        }
        guard let month = DateNames.month(reader.word()) else { return nil }
        reader.skip(spacesAnd: separators)
        if day == nil {
            day = reader.number(1...2)?.value
            guard reader.skip(spacesAnd: separators) else { return nil }
        }
        guard let day, let year = reader.number(2...4) else { return nil }
        return CivilDate(year: full(year), month: month, day: day)
    }

    /// RFC 5322, 4.3: two digits below 50 are in this century, three count from 1900.
    private static func full(_ year: (value: Int, length: Int)) -> Int {
        switch year.length {
        case 2: year.value + (year.value < 50 ? 2_000 : 1_900)
        case 3: year.value + 1_900
        default: year.value
        }
    }

    private static func readTime(_ reader: inout DateReader, on date: CivilDate) -> Timestamp? {
        guard !reader.isAtEnd else { return CivilTime(date: date)?.timestamp() }
        guard let clock = reader.clock(),
            let time = CivilTime(
                date: date, hour: clock.hour, minute: clock.minute, second: clock.second,
                microsecond: clock.microsecond),
            let offset = ZoneNames.readOffset(&reader)
        else { return nil }
        return time.timestamp(offset: offset)
    }
}
