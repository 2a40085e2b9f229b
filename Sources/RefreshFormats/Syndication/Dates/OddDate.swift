import RefreshCore

/// Dates in no form that any format asks for: in the words of other languages, with a clock of twelve hours, as a
/// day of the year, as seconds since 1970.
enum OddDate {
    /// Bytes of a date that is looked at.
    private static let longest = 100

    static func timestamp(_ text: [UInt8]) -> Timestamp? {
        guard text.count <= longest else { return nil }
        let text = text.trimmedToArray
        if let special = epoch(text) ?? dayOfYear(text) { return special }
        var rest = DateWords.translated(text)
        let half = takeHalf(of: &rest)
        let hour = hour(rest)
        guard let time = Timestamp(feedDate: rest) ?? slashed(rest) else { return nil }
        switch half {
        case .none: return time
        case .morning: return hour == 12 ? time + .seconds(-43_200) : time
        case .evening: return hour < 12 ? time + .seconds(43_200) : time
        }
    }

    // MARK: - Numbers

    /// Ten digits are seconds, thirteen milliseconds.
    private static func epoch(_ text: [UInt8]) -> Timestamp? {
        guard text.count == 10 || text.count == 13, let number = text.number else { return nil }
        return text.count == 10
            ? Timestamp(seconds: Int64(number)) : Timestamp(microseconds: Int64(number) * 1_000)
    }

    /// `2003-335`, as ISO 8601 counts the days of a year.
    private static func dayOfYear(_ text: [UInt8]) -> Timestamp? {
        let isShort = text.count == 7 && text.allSatisfy(ASCII.isDigit)
        guard isShort || text.count == 8 && text[4] == UInt8(ascii: "-"), let year = Array(text[..<4]).number,
            let day = Array(text[(text.count - 3)...]).number, (1...366).contains(day),
            let first = CivilDate(year: year, month: 1, day: 1)
        else { return nil }
        let date = CivilDate(daysSinceEpoch: first.daysSinceEpoch + day - 1)
        return date.year == year ? CivilTime(date: date)?.timestamp() : nil
    }

    /// `2006/09/15 08:19:53 EDT`, also behind a weekday: the zone may be a name, which no other form of this order has.
    private static func slashed(_ text: [UInt8]) -> Timestamp? {
        guard let start = text.firstIndex(where: ASCII.isDigit), text.count >= start + 10 else { return nil }
        let date = text[start..<(start + 10)].map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
        let parts = text[(start + 10)...].split(whereSeparator: ASCII.isSpace)
        guard date[4] == UInt8(ascii: "-"), parts.count <= 2 else { return nil }
        let year = date[..<4]
        guard let month = Array(date[5..<7]).number, (1...12).contains(month) else { return nil }
        // RFC 822 knows the names of zones.
        var other =
            Array(date[8..<10]) + [0x20] + Array(DateWords.english[month - 1].utf8) + [0x20] + Array(year)
        for part in parts { other += [0x20] + part }
        return Timestamp(feedDate: other)
    }

    // MARK: - Clocks of twelve hours

    private enum Half { case none, morning, evening }

    private static let halves: [(word: [UInt8], half: Half)] = [
        ("a.m.", Half.morning), ("p.m.", .evening), ("am", .morning), ("pm", .evening),
        ("오전", .morning), ("오후", .evening), ("午前", .morning), ("午後", .evening), ("上午", .morning),
        ("下午", .evening),
    ].map { (Array($0.0.utf8), $0.1) }

    /// Takes the word out that says which half of the day is meant.
    private static func takeHalf(of text: inout [UInt8]) -> Half {
        let lower = text.map(ASCII.lowercased)
        guard lower.contains(UInt8(ascii: ":")) else { return .none }
        for (word, half) in halves {
            for at in lower.indices where lower[at...].starts(with: word) {
                let before = at > 0 ? lower[at - 1] : 0x20
                let after = at + word.count < lower.count ? lower[at + word.count] : 0x20
                guard !isLetter(before), !isLetter(after) else { continue }
                text.replaceSubrange(at..<(at + word.count), with: [0x20])
                return half
            }
        }
        return .none
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// The number before the first colon.
    private static func hour(_ text: [UInt8]) -> Int {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return 0 }
        let digits = text[..<colon].reversed().prefix(while: ASCII.isDigit)
        return Array(digits.reversed()).number ?? 0
    }
}
