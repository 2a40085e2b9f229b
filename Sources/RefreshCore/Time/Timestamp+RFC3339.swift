/// Dates as RFC 3339 has them: `2026-01-31T08:30:00.250+01:00`.
extension Timestamp {
    /// Nil where `bytes` are anything but a `date-time` of RFC 3339, section 5.6.
    ///
    /// Digits of a fraction beyond the sixth are cut off. A second of 60 is a leap second and stands only at the
    /// end of a month in UTC (5.7).
    package init?(rfc3339 bytes: some Collection<UInt8>) {
        guard let time = bytes.withSpan(Timestamp.readRFC3339) else { return nil }
        self = time
    }

    /// The time in UTC, with a fraction of no, three or six digits, as few as tell it exactly.
    ///
    /// The format has years of four digits; times outside of them are written as its first or last one.
    package var rfc3339: String {
        let clamped = min(max(self, .firstOfRFC3339), .lastOfRFC3339)
        let time = CivilTime(clamped)
        var text: [UInt8] = []
        text.reserveCapacity(27)
        text.append(yearOf: time)
        text.append(0x2D)
        text.append(pair: time.date.month)
        text.append(0x2D)
        text.append(pair: time.date.day)
        text.append(0x54)
        text.append(clockOf: time)
        if time.microsecond != 0 {
            text.append(0x2E)
            text.append(pair: time.microsecond / 10_000)
            text.append(pair: time.microsecond / 100 % 100)
            text.append(pair: time.microsecond % 100)
            if time.microsecond.isMultiple(of: 1_000) { text.removeLast(3) }
        }
        text.append(0x5A)
        return String(decoding: text, as: UTF8.self)
    }

    /// 0000-01-01T00:00:00Z.
    private static let firstOfRFC3339 = Timestamp(seconds: -62_167_219_200)
    /// 9999-12-31T23:59:59.999999Z.
    private static let lastOfRFC3339 = Timestamp(microseconds: 253_402_300_799_999_999)

    private static func readRFC3339(_ bytes: Span<UInt8>) -> Timestamp? {
        // All but fraction and offset stands at fixed places.
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74,
            bytes[13] == 0x3A, bytes[16] == 0x3A,
            let century = pair(bytes, at: 0), let year = pair(bytes, at: 2),
            let month = pair(bytes, at: 5), let day = pair(bytes, at: 8),
            let hour = pair(bytes, at: 11), let minute = pair(bytes, at: 14),
            let second = pair(bytes, at: 17),
            let date = CivilDate(year: century * 100 + year, month: month, day: day)
        else { return nil }
        var place = 19
        var microsecond = 0
        if bytes[place] == 0x2E {
            guard let fraction = fraction(bytes, at: &place) else { return nil }
            microsecond = fraction
        }
        guard let offset = offset(bytes, at: place),
            let time = CivilTime(
                date: date, hour: hour, minute: minute, second: second, microsecond: microsecond)
        else { return nil }
        let timestamp = time.timestamp(offset: offset)
        if second == 60 {
            let utc = CivilTime(timestamp)
            guard utc.hour == 23, utc.minute == 59, utc.date.isLastOfMonth else { return nil }
        }
        return timestamp
    }

    /// The number that two digits spell.
    private static func pair(_ bytes: Span<UInt8>, at place: Int) -> Int? {
        let tens = bytes[place] &- 0x30
        let ones = bytes[place + 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// Microseconds from the point at `place` on, which moves behind the last digit; nil without a digit.
    private static func fraction(_ bytes: Span<UInt8>, at place: inout Int) -> Int? {
        place += 1
        let start = place
        var microseconds = 0
        var unit = 100_000
        while place < bytes.count, ASCII.isDigit(bytes[place]) {
            microseconds += Int(bytes[place] - 0x30) * unit
            unit /= 10
            place += 1
        }
        return place > start ? microseconds : nil
    }

    /// Seconds ahead of UTC: `Z` or `±hh:mm`, and nothing behind it.
    private static func offset(_ bytes: Span<UInt8>, at place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        switch bytes[place] {
        case 0x5A, 0x7A: return bytes.count == place + 1 ? 0 : nil
        case 0x2B, 0x2D:
            guard bytes.count == place + 6, bytes[place + 3] == 0x3A,
                let hours = pair(bytes, at: place + 1), let minutes = pair(bytes, at: place + 4),
                hours <= 23, minutes <= 59
            else { return nil }
            let seconds = hours * 3_600 + minutes * 60
            return bytes[place] == 0x2B ? seconds : -seconds
        default: return nil
        }
    }
}
