import RefreshCore

/// A zone of the host's own database, read from its file (RFC 9636), for tests that must not ask a library.
///
/// After the last change that the file lists, the last offset stays.
package struct TZifZone: ZoneRules {
    private let changes: [Int64]
    /// One more than changes: the first is of the time before all of them.
    private let offsets: [Int]

    /// The zone of this name, `Europe/Berlin`; nil where the host has none or its file is no second version.
    package static func zone(_ name: String) -> Zone? {
        readFile("/usr/share/zoneinfo/\(name)").flatMap(TZifZone.init).map { Zone(name: name, rules: $0) }
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "TZif".utf8), bytes.count > 44, bytes[4] >= 0x32 else { return nil }
        func number(_ place: Int, _ width: Int) -> Int64 {
            let value = bytes[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return width == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }
        func counts(_ place: Int) -> [Int] { (0..<6).map { Int(number(place + 20 + 4 * $0, 4)) } }
        // Header: isut, isstd, leap, time, type, char counts. The first block has times of four bytes: skip it.
        let old = counts(0)
        let second = 44 + old[3] * 5 + old[4] * 6 + old[5] + old[2] * 8 + old[1] + old[0]
        guard bytes.count > second + 44 else { return nil }
        let count = counts(second)
        let times = second + 44
        let indices = times + count[3] * 8
        let types = indices + count[3]
        changes = (0..<count[3]).map { number(times + 8 * $0, 8) }
        offsets =
            [Int(number(types, 4))]
            + (0..<count[3]).map { Int(number(types + 6 * Int(bytes[indices + $0]), 4)) }
    }

    package func offset(at instant: Timestamp) -> Int {
        let (whole, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let second = rest < 0 ? whole - 1 : whole
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }

    package func instants(of clock: Timestamp) -> ZoneInstants {
        // No clock is more than a day away from UTC's, and none changes twice within two.
        let early = offset(at: clock + .seconds(-86_400))
        let late = offset(at: clock + .seconds(86_400))
        let (first, second) = (clock + .seconds(-early), clock + .seconds(-late))
        let holdsEarly = offset(at: first) == early
        let holdsLate = offset(at: second) == late
        if early != late, holdsEarly, holdsLate { return .twice(first: first, second: second) }
        if holdsEarly { return .one(first) }
        if holdsLate { return .one(second) }
        let change = changes.first { $0 > Int64(second.microseconds / 1_000_000) }
        return .skipped(transition: Timestamp(seconds: change ?? 0))
    }
}
