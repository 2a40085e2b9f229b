/// How a feed comes to its end: the upstream says that it is gone for good (410, or `expired` of a JSON Feed), and
/// says so again a day later (refresh policy 2.3).
package struct GoneMark: Sendable, Equatable {
    /// The first answer that said so.
    package let since: Timestamp
    /// Looks at it after it was believed; nil while it is not.
    package private(set) var checks: Int?

    package init(since: Timestamp, checks: Int? = nil) {
        self.since = since
        self.checks = checks
    }

    /// The second answer has to come so long after the first.
    private static let proof: Duration = .seconds(86_400)
    /// Between two looks at what is gone.
    static let pause: Duration = .seconds(7 * 86_400)
    /// Looks before it is given up.
    static let mostChecks = 4

    package var isBelieved: Bool { checks != nil }
    /// Nothing starts any more by itself.
    package var isOver: Bool { checks ?? 0 >= GoneMark.mostChecks }

    /// Another answer said that it is gone; of one for a wish the looks do not count.
    mutating func confirm(at now: Timestamp, scheduled: Bool) {
        if let checks {
            if scheduled { self.checks = checks + 1 }
        } else if now - since >= GoneMark.proof {
            checks = 0
        }
    }
}
