/// A format of times in the letters of `strptime` and `strftime`, names in English (POSIX, C locale).
///
/// Known are `%Y %y %m %b %B %h %d %e %j %a %A %H %I %p %M %S %f %z %Z %s`, `%D` (`%m/%d/%y`), `%F` (`%Y-%m-%d`),
/// `%T` (`%H:%M:%S`), `%R` (`%H:%M`), `%n`, `%t` and `%%`.
package struct TimeFormat: Hashable, Sendable {
    /// Why a text is no format.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which reading stopped.
        package let offset: Int
        /// What is wrong and what to write instead.
        package let message: String
    }

    /// What a text says when it is read: a wall clock's time, and how far that is ahead of UTC, in seconds, where it
    /// says so.
    package struct Reading: Hashable, Sendable {
        package let time: CivilTime
        package let offset: Int?

        /// The point of time; without an offset the clock is taken to be in UTC.
        package var timestamp: Timestamp { time.timestamp(offset: offset ?? 0) }
    }

    enum Piece: Hashable, Sendable {
        case year, shortYear, month, monthName(isLong: Bool), day(isPadded: Bool), dayOfYear
        case weekday(isLong: Bool)
        case hour, halfDayHour, halfDay, minute, second, fraction
        case offset, zone, epoch
        /// Any white space, also none.
        case blanks
        case byte(UInt8)
    }

    /// As it was written.
    package let text: String
    let pieces: [Piece]

    /// Refuses unknown letters, and formats that say no year.
    package init(parsing text: String) throws(TimeFormat.Failure) {
        self.text = text
        var pieces: [Piece] = []
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            if bytes[place] == 0x25 {
                guard place + 1 < bytes.count else {
                    throw Failure(
                        offset: place, message: #"a letter is missing after "%"; a percent sign is "%%""#)
                }
                guard let meant = TimeFormat.pieces(of: bytes[place + 1]) else {
                    throw Failure(offset: place, message: TimeFormat.unknown(bytes[place + 1]))
                }
                pieces += meant
                place += 2
            } else {
                pieces.append(ASCII.isSpace(bytes[place]) ? .blanks : .byte(bytes[place]))
                place += 1
            }
        }
        self.pieces = pieces
        guard pieces.contains(.epoch) || pieces.contains(.year) || pieces.contains(.shortYear) else {
            throw Failure(offset: 0, message: "the format says no year; it needs %Y, %y, %D, %F or %s")
        }
        guard pieces.contains(.halfDayHour) == pieces.contains(.halfDay) else {
            throw Failure(offset: 0, message: "hours of half a day need both %I and %p; %H counts to 23")
        }
    }

    private static func unknown(_ letter: UInt8) -> String {
        let name = letter > 0x20 && letter < 0x7F ? "%\(Character(Unicode.Scalar(letter)))" : "%"
        return "unknown letter \(name); known are %Y %m %d %H %M %S %f %z and further ones of strptime"
    }

    private static func pieces(of letter: UInt8) -> [Piece]? {
        switch letter {
        case UInt8(ascii: "Y"): [.year]
        case UInt8(ascii: "y"): [.shortYear]
        case UInt8(ascii: "m"): [.month]
        case UInt8(ascii: "b"), UInt8(ascii: "h"): [.monthName(isLong: false)]
        case UInt8(ascii: "B"): [.monthName(isLong: true)]
        case UInt8(ascii: "d"): [.day(isPadded: false)]
        case UInt8(ascii: "e"): [.day(isPadded: true)]
        case UInt8(ascii: "j"): [.dayOfYear]
        case UInt8(ascii: "a"): [.weekday(isLong: false)]
        case UInt8(ascii: "A"): [.weekday(isLong: true)]
        case UInt8(ascii: "H"): [.hour]
        case UInt8(ascii: "I"): [.halfDayHour]
        case UInt8(ascii: "p"): [.halfDay]
        case UInt8(ascii: "M"): [.minute]
        case UInt8(ascii: "S"): [.second]
        case UInt8(ascii: "f"): [.fraction]
        case UInt8(ascii: "z"): [.offset]
        case UInt8(ascii: "Z"): [.zone]
        case UInt8(ascii: "s"): [.epoch]
        case UInt8(ascii: "D"): [.month, .byte(0x2F), .day(isPadded: false), .byte(0x2F), .shortYear]
        case UInt8(ascii: "F"): [.year, .byte(0x2D), .month, .byte(0x2D), .day(isPadded: false)]
        case UInt8(ascii: "T"): [.hour, .byte(0x3A), .minute, .byte(0x3A), .second]
        case UInt8(ascii: "R"): [.hour, .byte(0x3A), .minute]
        case UInt8(ascii: "n"), UInt8(ascii: "t"): [.blanks]
        case UInt8(ascii: "%"): [.byte(0x25)]
        default: nil
        }
    }
}
