/// Durations as people write them: `30s`, `5m`, `1h30m`, `2d`, `500ms`.
package enum DurationText {
    private struct Unit {
        let name: String
        let microseconds: Int64
    }

    /// In falling order, which is the order in a text too.
    private static let units = [
        Unit(name: "d", microseconds: 86_400_000_000), Unit(name: "h", microseconds: 3_600_000_000),
        Unit(name: "m", microseconds: 60_000_000), Unit(name: "s", microseconds: 1_000_000),
        Unit(name: "ms", microseconds: 1_000), Unit(name: "us", microseconds: 1),
    ]

    /// Longer ones are refused, so that no sum of a time and a duration leaves the range of either.
    private static let longest: Int64 = 36_500 * 86_400_000_000

    /// Reads whole numbers, each with its unit, larger units first and each at most once.
    package static func parse(_ text: String) throws(UnitFailure) -> Duration {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else {
            throw UnitFailure(offset: 0, message: #"missing duration; write for example "30s""#)
        }
        var place = 0
        var sum: Int64 = 0
        var allowed = units[...]
        while place < bytes.count {
            let start = place
            let number = try UnitText.number(bytes, at: &place, example: "1h30m")
            let name = UnitText.unit(bytes, at: &place)
            guard let found = allowed.firstIndex(where: { $0.name == name }) else {
                throw wrongUnit(name, before: bytes[..<place], from: start, allowed: allowed)
            }
            let (product, tooLarge) = number.multipliedReportingOverflow(by: units[found].microseconds)
            guard !tooLarge, product <= longest - sum else {
                throw UnitFailure(offset: start, message: "too long; the longest is 36500d")
            }
            sum += product
            allowed = units[(found + 1)...]
        }
        return .microseconds(sum)
    }

    /// The shortest text that `parse` reads as `duration`, cut to microseconds; a negative one gets a minus.
    package static func format(_ duration: Duration) -> String {
        var rest = duration.inMicroseconds.magnitude
        guard rest > 0 else { return "0s" }
        var text = duration < .zero ? "-" : ""
        for unit in units {
            let size = UInt64(unit.microseconds)
            if rest >= size { text += "\(rest / size)\(unit.name)" }
            rest %= size
        }
        return text
    }

    private static func wrongUnit(
        _ name: String, before read: ArraySlice<UInt8>, from start: Int, allowed: ArraySlice<Unit>
    ) -> UnitFailure {
        let place = read.endIndex - name.utf8.count
        let written = String(decoding: read[..<place], as: UTF8.self)
        if name.isEmpty {
            // `1h30` means minutes; a number alone most often means seconds.
            let unit = start == 0 ? "s" : allowed.first?.name ?? "s"
            return UnitFailure(offset: place, message: #"missing unit; write "\#(written)\#(unit)""#)
        }
        if units.contains(where: { $0.name == name }) {
            return UnitFailure(
                offset: start, message: #"units go from large to small, each once; write for example "1h30m""#
            )
        }
        if let unit = spellings.first(where: { $0.names.contains(name.lowercased()) })?.unit {
            return UnitFailure(
                offset: place, message: #"unknown unit "\#(name)"; write "\#(written)\#(unit)""#)
        }
        return UnitFailure(
            offset: place,
            message: #"unknown unit "\#(name)"; units are ms, s, m, h and d, as in "\#(written)s""#)
    }

    private static let spellings: [(unit: String, names: [String])] = [
        ("d", ["d", "day", "days"]), ("h", ["h", "hr", "hrs", "hour", "hours"]),
        ("m", ["m", "min", "mins", "minute", "minutes"]), ("s", ["s", "sec", "secs", "second", "seconds"]),
        ("ms", ["ms", "msec", "msecs", "millis", "milliseconds"]),
    ]
}
