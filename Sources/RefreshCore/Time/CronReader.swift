/// Reads the fields of a cron expression.
struct CronReader {
    private struct Kind {
        let name: String
        let range: ClosedRange<Int>
        let names: [String]
        /// The value of the first name.
        let firstName: Int
    }

    private static let kinds = [
        Kind(name: "minute", range: 0...59, names: [], firstName: 0),
        Kind(name: "hour", range: 0...23, names: [], firstName: 0),
        Kind(name: "day of the month", range: 1...31, names: [], firstName: 0),
        Kind(
            name: "month", range: 1...12,
            names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
            firstName: 1),
        // 7 is Sunday too.
        Kind(
            name: "day of the week", range: 0...7,
            names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"], firstName: 0),
    ]

    private static let shortForms = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    private let bytes: [UInt8]
    private var starts: [Int] = []
    private var place = 0
    private(set) var sawLastDay = false

    init(text: String) { bytes = Array(text.utf8) }

    /// The offset at which a field starts; 0 before it was read.
    func start(of field: Int) -> Int { field < starts.count ? starts[field] : 0 }

    mutating func fields() throws(Cron.Failure) -> [CronField] {
        skip()
        if place < bytes.count, bytes[place] == UInt8(ascii: "@") { return try shortForm() }
        var fields: [CronField] = []
        for kind in CronReader.kinds {
            guard place < bytes.count else {
                throw failure(
                    "has \(fields.count) of 5 fields; write minute, hour, day, month and weekday, as in \"30 6 * * *\""
                )
            }
            starts.append(place)
            fields.append(try field(kind))
            skip()
        }
        guard place == bytes.count else {
            throw failure("has more than 5 fields; seconds and years are not among them")
        }
        return fields
    }

    private func shortForm() throws(Cron.Failure) -> [CronField] {
        let name = String(decoding: ASCII.trimmed(bytes).map(ASCII.lowercased), as: UTF8.self)
        guard let full = CronReader.shortForms[name] else {
            throw failure(
                "unknown short form; write @hourly, @daily, @weekly, @monthly or @yearly, or five fields")
        }
        var reader = CronReader(text: full)
        return try reader.fields()
    }

    /// One field: a list of parts.
    private mutating func field(_ kind: Kind) throws(Cron.Failure) -> CronField {
        var field = CronField()
        field.isOpen = bytes[place] == UInt8(ascii: "*")
        try part(of: kind, into: &field)
        while take(UInt8(ascii: ",")) { try part(of: kind, into: &field) }
        guard isAtEndOfField else { throw unexpected(kind) }
        return field
    }

    /// `*`, a value, or a range, each with a step or without.
    private mutating func part(of kind: Kind, into field: inout CronField) throws(Cron.Failure) {
        let isDay = kind.range == 1...31
        if isDay, place < bytes.count, ASCII.lowercased(bytes[place]) == UInt8(ascii: "l") {
            place += 1
            sawLastDay = true
            return
        }
        var (first, last) = (kind.range.lowerBound, kind.range.upperBound)
        let isStar = take(UInt8(ascii: "*"))
        var isRange = isStar
        if !isStar {
            let start = place
            first = try value(kind)
            last = first
            if take(UInt8(ascii: "-")) {
                isRange = true
                last = try value(kind)
                // A week may end with its Sunday.
                if kind.range == 0...7, last == 0, first > 0 { last = 7 }
            }
            guard first <= last else {
                throw Cron.Failure(
                    offset: start, message: "a range goes upwards; write it as two, joined by a comma")
            }
        }
        var step = 1
        if take(UInt8(ascii: "/")) {
            step = try self.step(kind)
            // `5/15` is `5-59/15`.
            if !isRange { last = kind.range.upperBound }
        }
        for value in stride(from: first, through: last, by: step) {
            field.insert(kind.range == 0...7 && value == 7 ? 0 : value)
        }
    }

    private mutating func step(_ kind: Kind) throws(Cron.Failure) -> Int {
        let start = place
        guard let step = number() else { throw unexpected(kind, wanted: "a step, as in \"*/15\"") }
        guard step > 0 else {
            throw Cron.Failure(offset: start, message: "a step of 0 goes nowhere; write 1 or more")
        }
        return step
    }

    private mutating func value(_ kind: Kind) throws(Cron.Failure) -> Int {
        let start = place
        if let number = number() {
            guard kind.range.contains(number) else {
                throw Cron.Failure(
                    offset: start,
                    message:
                        "no \(kind.name) is \(number); write \(kind.range.lowerBound) to \(kind.range.upperBound)"
                )
            }
            return number
        }
        let word = bytes[place...].prefix(while: ASCII.isLetter)
        let name = String(decoding: word.map(ASCII.lowercased), as: UTF8.self)
        guard let index = kind.names.firstIndex(of: name) else { throw unexpected(kind) }
        place += word.count
        return index + kind.firstName
    }

    private mutating func number() -> Int? {
        let digits = bytes[place...].prefix(while: ASCII.isDigit)
        guard !digits.isEmpty else { return nil }
        place += digits.count
        // What no integer holds is beyond every field as well.
        return Int(String(decoding: digits, as: UTF8.self)) ?? 1_000_000_000
    }

    private var isAtEndOfField: Bool { place == bytes.count || ASCII.isSpace(bytes[place]) }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func skip() {
        while place < bytes.count, ASCII.isSpace(bytes[place]) { place += 1 }
    }

    private func failure(_ message: String) -> Cron.Failure { Cron.Failure(offset: place, message: message) }

    private func unexpected(_ kind: Kind, wanted: String? = nil) -> Cron.Failure {
        let text = bytes[place...].prefix { !ASCII.isSpace($0) && $0 != UInt8(ascii: ",") }
        let names = kind.names.isEmpty ? "" : " or \(kind.names[0]) to \(kind.names[kind.names.count - 1])"
        let values =
            wanted ?? "\(kind.range.lowerBound) to \(kind.range.upperBound)\(names), or \"*\""
        if text.first.map({ ASCII.lowercased($0) == UInt8(ascii: "h") }) == true {
            return failure("no hash values here, the daemon's \"jitter\" spreads starts; write \(values)")
        }
        guard !text.isEmpty else { return failure("\(kind.name) is missing; write \(values)") }
        return failure("\"\(String(decoding: text, as: UTF8.self))\" is no \(kind.name); write \(values)")
    }
}
