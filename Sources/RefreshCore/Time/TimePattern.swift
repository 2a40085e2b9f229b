/// A form of written times in the letters of strptime (POSIX), in the C locale: months and weekdays are English.
package struct TimePattern: Sendable, Hashable {
    private enum Piece: Hashable {
        case literal(UInt8)
        /// Any white space, or none.
        case space
        case letter(UInt8)
    }

    /// What has been read of a time so far.
    private struct Parts {
        var year = 1970
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var microsecond = 0
        var isAfternoon: Bool?
        var offset: Int?
        var sinceEpoch: Int?
    }

    private let pieces: [Piece]

    /// Nil where a letter is none that a time can be read by.
    package init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                pieces.append(ASCII.isSpace(byte) ? .space : .literal(byte))
                continue
            }
            guard let letter = rest.popFirst() else { return nil }
            guard let meaning = TimePattern.pieces(of: letter) else { return nil }
            pieces.append(contentsOf: meaning)
        }
        self.pieces = pieces
    }

    private static func pieces(of letter: UInt8) -> [Piece]? {
        func all(_ text: String) -> [Piece] {
            text.utf8.map { ASCII.isLetter($0) ? .letter($0) : .literal($0) }
        }
        switch letter {
        case UInt8(ascii: "T"): return all("H:M:S")
        case UInt8(ascii: "R"): return all("H:M")
        case UInt8(ascii: "F"): return all("Y-m-d")
        case UInt8(ascii: "D"): return all("m/d/y")
        case UInt8(ascii: "n"), UInt8(ascii: "t"): return [.space]
        case UInt8(ascii: "%"): return [.literal(letter)]
        case UInt8(ascii: "h"): return [.letter(UInt8(ascii: "b"))]
        default: return "YmdeHMSfybBaAIpszZ".utf8.contains(letter) ? [.letter(letter)] : nil
        }
    }

    // MARK: - Reading

    /// The time that the whole of `text` spells, and whether it names its offset; `zone` decides where it does not.
    package func time(_ text: [UInt8], zone: Zone) -> Timestamp? {
        var reader = DateReader(text)
        var parts = Parts()
        for piece in pieces {
            switch piece {
            case .literal(let byte): guard reader.take(byte) else { return nil }
            case .space: reader.skip()
            case .letter(let letter): guard TimePattern.read(letter, &reader, &parts) else { return nil }
            }
        }
        guard reader.isAtEnd else { return nil }
        return TimePattern.time(parts, zone)
    }

    private static func time(_ parts: Parts, _ zone: Zone) -> Timestamp? {
        if let seconds = parts.sinceEpoch { return Timestamp(seconds: Int64(seconds)) }
        var hour = parts.hour
        if let isAfternoon = parts.isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        guard let date = CivilDate(year: parts.year, month: parts.month, day: parts.day),
            let clock = CivilTime(
                date: date, hour: hour, minute: parts.minute, second: parts.second,
                microsecond: parts.microsecond)
        else { return nil }
        if let offset = parts.offset { return clock.timestamp(offset: offset) }
        return zone.instant(of: clock.timestamp())
    }

    private static func read(_ letter: UInt8, _ reader: inout DateReader, _ parts: inout Parts) -> Bool {
        func set(_ member: WritableKeyPath<Parts, Int>, _ lengths: ClosedRange<Int>) -> Bool {
            guard let number = reader.number(lengths) else { return false }
            parts[keyPath: member] = number.value
            return true
        }
        switch letter {
        case UInt8(ascii: "Y"): return set(\.year, 4...4)
        case UInt8(ascii: "y"):
            guard set(\.year, 2...2) else { return false }
            parts.year += parts.year < 69 ? 2_000 : 1_900
            return true
        case UInt8(ascii: "m"): return set(\.month, 1...2)
        case UInt8(ascii: "d"), UInt8(ascii: "e"):
            reader.skip()
            return set(\.day, 1...2)
        case UInt8(ascii: "H"), UInt8(ascii: "I"): return set(\.hour, 1...2)
        case UInt8(ascii: "M"): return set(\.minute, 1...2)
        case UInt8(ascii: "S"): return set(\.second, 1...2)
        default: return readRest(letter, &reader, &parts)
        }
    }

    private static func readRest(_ letter: UInt8, _ reader: inout DateReader, _ parts: inout Parts) -> Bool {
        switch letter {
        case UInt8(ascii: "f"):
            guard let number = reader.number(1...9) else { return false }
            var microseconds = number.value
            for _ in number.length..<max(6, number.length) { microseconds *= 10 }
            for _ in 6..<max(6, number.length) { microseconds /= 10 }
            parts.microsecond = microseconds
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            guard let month = DateNames.month(reader.word()) else { return false }
            parts.month = month
        case UInt8(ascii: "a"), UInt8(ascii: "A"): return DateNames.isWeekday(reader.word())
        case UInt8(ascii: "p"):
            let word = reader.word()
            guard word.elementsEqual("am".utf8) || word.elementsEqual("pm".utf8) else { return false }
            parts.isAfternoon = word.first == UInt8(ascii: "p")
        case UInt8(ascii: "s"):
            guard let seconds = reader.number(1...15) else { return false }
            parts.sinceEpoch = seconds.value
        case UInt8(ascii: "z"):
            if reader.take(UInt8(ascii: "Z")) {
                parts.offset = 0
            } else {
                guard let offset = reader.numericOffset() else { return false }
                parts.offset = offset
            }
        default:
            let name = reader.word()
            guard !name.isEmpty, let offset = ZoneNames.offset(of: name) else { return false }
            parts.offset = offset
        }
        return true
    }

    // MARK: - Writing

    /// The time as the pattern spells it, on the clock of `zone`.
    package func text(_ time: Timestamp, zone: Zone) -> String {
        let offset = zone.rules.offset(at: time)
        let clock = CivilTime(time + .seconds(offset))
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let byte): text.append(byte)
            case .space: text.append(0x20)
            case .letter(let letter): TimePattern.append(letter, clock, time, offset, to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(
        _ letter: UInt8, _ clock: CivilTime, _ time: Timestamp, _ offset: Int, to text: inout [UInt8]
    ) {
        switch letter {
        case UInt8(ascii: "Y"): text.append(yearOf: clock)
        case UInt8(ascii: "y"): text.append(pair: clock.date.year % 100)
        case UInt8(ascii: "m"): text.append(pair: clock.date.month)
        case UInt8(ascii: "d"), UInt8(ascii: "e"): text.append(pair: clock.date.day)
        case UInt8(ascii: "H"): text.append(pair: clock.hour)
        case UInt8(ascii: "I"): text.append(pair: clock.hour % 12 == 0 ? 12 : clock.hour % 12)
        case UInt8(ascii: "M"): text.append(pair: clock.minute)
        case UInt8(ascii: "S"): text.append(pair: clock.second)
        case UInt8(ascii: "f"):
            text.append(pair: clock.microsecond / 10_000)
            text.append(pair: clock.microsecond / 100 % 100)
            text.append(pair: clock.microsecond % 100)
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            text.append(contentsOf: DateNames.months[clock.date.month - 1].utf8)
        case UInt8(ascii: "a"), UInt8(ascii: "A"):
            text.append(contentsOf: DateNames.weekdays[clock.date.weekday].utf8)
        case UInt8(ascii: "p"): text.append(contentsOf: (clock.hour < 12 ? "AM" : "PM").utf8)
        case UInt8(ascii: "s"): text.append(contentsOf: String(time.microseconds / 1_000_000).utf8)
        case UInt8(ascii: "z"):
            text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            text.append(pair: abs(offset) / 3_600)
            text.append(pair: abs(offset) / 60 % 60)
        default: text.append(contentsOf: "GMT".utf8)
        }
    }
}

extension Zone {
    /// The instant at which the zone's clock shows what a clock in UTC shows at `clock`: the first of two, and of a
    /// time that is skipped the end of the gap. Both are early, so that nothing is left out.
    package func instant(of clock: Timestamp) -> Timestamp {
        switch rules.instants(of: clock) {
        case .one(let instant): instant
        case .skipped(let transition): transition
        case .twice(let first, _): first
        }
    }
}
