import CCCTZ
import RefreshCore

/// Zones of the tz database; the only caller of cctz.
package enum TimeZones {
    /// The zone of that name, `Europe/Berlin`; nil where the database has none. Reads files of the system.
    package static func zone(named name: String) -> Zone? {
        if name == "UTC" { return .utc }
        guard isName(name), let handle = unsafe refreshd_zone_load(name) else { return nil }
        return unsafe Zone(name: name, rules: LoadedZone(handle))
    }

    /// cctz also takes paths of files and fixed offsets; the language has names only.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x41...0x5A).contains(first), !name.hasPrefix("Fixed/") else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            ASCII.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || "/_+-".utf8.contains(byte)
        }
    }
}

/// A zone's rules as cctz has read them.
@safe private struct LoadedZone: ZoneRules {
    /// Its address: the zone lives as long as the process and is never changed.
    private let address: UInt

    init(_ handle: OpaquePointer) { address = UInt(bitPattern: handle) }

    private var handle: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    func offset(at instant: Timestamp) -> Int {
        var offset: CInt = 0
        _ = unsafe refreshd_zone_civil(handle, LoadedZone.seconds(of: instant), &offset)
        return Int(offset)
    }

    func instants(of clock: Timestamp) -> ZoneInstants {
        let whole = LoadedZone.seconds(of: clock)
        let rest = clock - Timestamp(seconds: whole)
        let civil = CivilTime(Timestamp(seconds: whole))
        let asked = refreshd_civil(
            year: Int64(civil.date.year), month: CInt(civil.date.month), day: CInt(civil.date.day),
            hour: CInt(civil.hour), minute: CInt(civil.minute), second: CInt(civil.second))
        let found = unsafe refreshd_zone_instants(handle, asked)
        switch found.kind {
        case 1: return .skipped(transition: Timestamp(seconds: found.transition))
        case 2:
            return .twice(
                first: Timestamp(seconds: found.before) + rest,
                second: Timestamp(seconds: found.after) + rest)
        default: return .one(Timestamp(seconds: found.before) + rest)
        }
    }

    /// Rounded towards the past.
    private static func seconds(of time: Timestamp) -> Int64 {
        let (whole, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? whole - 1 : whole
    }
}
