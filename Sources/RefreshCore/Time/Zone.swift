/// A time zone of the tz database.
package struct Zone: Sendable, Equatable {
    /// As the database names it, `Europe/Berlin`.
    package let name: String
    package let rules: any ZoneRules

    package init(name: String, rules: any ZoneRules) {
        self.name = name
        self.rules = rules
    }

    package static let utc = Zone(name: "UTC", rules: FixedOffset(seconds: 0))

    package static func == (left: Zone, right: Zone) -> Bool { left.name == right.name }
}

/// How a zone's wall clock runs; the rules come from outside, since they change by law.
package protocol ZoneRules: Sendable {
    /// The zone's offset from UTC at an instant, in seconds, east positive.
    func offset(at instant: Timestamp) -> Int

    /// The instants at which the zone's wall clock shows what a clock in UTC shows at `clock`.
    func instants(of clock: Timestamp) -> ZoneInstants
}

/// What a reading of a wall clock stands for.
package enum ZoneInstants: Sendable, Equatable {
    case one(Timestamp)
    /// The clock went forward over it; the instant at which it did so.
    case skipped(transition: Timestamp)
    /// The clock went back and showed it twice.
    case twice(first: Timestamp, second: Timestamp)
}

/// A clock that is never changed.
package struct FixedOffset: ZoneRules {
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    package func offset(at instant: Timestamp) -> Int { seconds }

    package func instants(of clock: Timestamp) -> ZoneInstants { .one(clock + .seconds(-seconds)) }
}
