import RefreshCore

/// Dates of feeds: first the form that nearly all of RSS has, letter for letter, then whatever else can be read.
package enum FeedDate {
    /// Nil where no date can be made out.
    package static func timestamp(_ text: [UInt8]) -> Timestamp? {
        usual(text) ?? Timestamp(feedDate: text) ?? OddDate.timestamp(text)
    }

    /// `Mon, 01 Jun 2020 00:00:00 GMT`, or with `+0200` for the zone; nil for all that needs a closer look.
    static func usual(_ text: [UInt8]) -> Timestamp? {
        guard text.count == 29 || text.count == 31, text[3] == UInt8(ascii: ","), text[4] == space,
            text[7] == space, text[11] == space, text[16] == space, text[19] == UInt8(ascii: ":"),
            text[22] == UInt8(ascii: ":"), text[25] == space, weekdays.contains(word(text, 0)),
            let month = months.firstIndex(of: word(text, 8)), let day = pair(text, 5),
            let century = pair(text, 12), let year = pair(text, 14), century >= 10,
            let hour = pair(text, 17), let minute = pair(text, 20), let second = pair(text, 23), second < 60,
            let offset = offset(text),
            let date = CivilDate(year: century * 100 + year, month: month + 1, day: day)
        else { return nil }
        return CivilTime(date: date, hour: hour, minute: minute, second: second)?.timestamp(offset: offset)
    }

    private static let space = UInt8(ascii: " ")
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map {
        word(Array($0.utf8), 0)
    }
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { word(Array($0.utf8), 0) }
    private static let utc = word(Array("GMT".utf8), 0)

    /// Three letters as one number.
    private static func word(_ text: [UInt8], _ at: Int) -> UInt32 {
        UInt32(text[at]) << 16 | UInt32(text[at + 1]) << 8 | UInt32(text[at + 2])
    }

    private static func pair(_ text: [UInt8], _ at: Int) -> Int? {
        let tens = text[at] &- 0x30
        let ones = text[at + 1] &- 0x30
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    private static func offset(_ text: [UInt8]) -> Int? {
        if text.count == 29 { return word(text, 26) == utc ? 0 : nil }
        guard let hours = pair(text, 27), let minutes = pair(text, 29), hours < 15, minutes < 60 else {
            return nil
        }
        switch text[26] {
        case UInt8(ascii: "+"): return hours * 3_600 + minutes * 60
        case UInt8(ascii: "-"): return -(hours * 3_600 + minutes * 60)
        default: return nil
        }
    }
}
