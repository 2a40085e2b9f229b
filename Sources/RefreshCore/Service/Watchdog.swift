/// Decides when the service manager may be told that the daemon lives: only when every part of it has answered since
/// it was last told.
///
/// Asked at each turn, `interval` apart, it says whom to ask anew. A part that stalls for less than about two thirds
/// of the manager's limit costs no restart; one that never answers costs one after the limit.
package struct Watchdog: Sendable {
    /// What has to be alive.
    package enum Part: String, CaseIterable, Sendable {
        /// The pool of threads and the engine's actor on it.
        case scheduler
        /// The thread that writes to the database.
        case store
        /// The thread that answers programs.
        case api
    }

    /// What to do now.
    package struct Turn: Equatable, Sendable {
        /// Whether to tell the manager that all is well.
        package var ping = false
        /// Whom to ask; the others still owe an answer.
        package var ask: [Part] = []
        /// Who has been silent for too long, named once, so that the log knows why the end came.
        package var late: [Part] = []

        package init(ping: Bool = false, ask: [Part] = [], late: [Part] = []) {
            self.ping = ping
            self.ask = ask
            self.late = late
        }
    }

    private struct Debt {
        let since: BootTime
        var isNamed = false
    }

    private let limit: Duration
    private var debts: [Part: Debt] = [:]
    private var hasBegun = false

    /// - Parameter limit: how long the manager waits for a ping (`WATCHDOG_USEC`).
    package init(limit: Duration) { self.limit = limit }

    /// How far apart the turns are.
    package var interval: Duration { limit / 6 }

    /// - Parameter answered: those asked who have answered since the last turn.
    package mutating func turn(answered: Set<Part>, at now: BootTime) -> Turn {
        for part in answered { debts[part] = nil }
        guard debts.isEmpty else { return Turn(late: late(at: now)) }
        defer { hasBegun = true }
        for part in Part.allCases { debts[part] = Debt(since: now) }
        return Turn(ping: hasBegun, ask: Part.allCases)
    }

    private mutating func late(at now: BootTime) -> [Part] {
        let late = Part.allCases.filter { part in
            debts[part].map { !$0.isNamed && now - $0.since >= limit / 2 } ?? false
        }
        for part in late { debts[part]?.isNamed = true }
        return late
    }
}
