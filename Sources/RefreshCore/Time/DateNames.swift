/// Names in dates, always English (RFC 5322, 3.3).
enum DateNames {
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static let longMonths = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    /// The month, 1 to 12, of a name in lower case: at least its first three letters, and no others.
    static func month(_ word: ArraySlice<UInt8>) -> Int? {
        guard word.count >= 3 else { return nil }
        return longMonths.firstIndex { $0.utf8.starts(with: word) }.map { $0 + 1 }
    }

    private static let longWeekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    /// Whether a word in lower case is a day of the week, or at least the first three letters of one.
    static func isWeekday(_ word: ArraySlice<UInt8>) -> Bool {
        word.count >= 3 && longWeekdays.contains { $0.utf8.starts(with: word) }
    }

    /// The name of a month, 1 to 12, or its first three letters.
    static func name(ofMonth month: Int, isLong: Bool) -> String {
        isLong ? capitalised(longMonths[month - 1]) : months[month - 1]
    }

    /// The name of a day of the week, 0 is Sunday, or its first three letters.
    static func name(ofWeekday weekday: Int, isLong: Bool) -> String {
        isLong ? capitalised(longWeekdays[weekday]) : weekdays[weekday]
    }

    private static func capitalised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
