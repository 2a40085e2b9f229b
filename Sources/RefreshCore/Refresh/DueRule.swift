/// Which rule set a feed's due time; the number is what is stored.
package enum DueRule: Int, Sendable, CaseIterable {
    /// Never fetched: as soon as it gets a turn.
    case first = 0
    case every = 1
    /// The interval grew because nothing changes.
    case adaptive = 2
    /// The upstream says how long its answer holds.
    case hintMaxAge = 3
    case hintExpires = 4
    /// The feed itself says how often to come.
    case hintFeed = 5
    /// An hour or a day in which nothing is to be asked.
    case skipWindow = 6
    case cron = 7
    case backoff = 8
    /// The upstream asked for a pause.
    case retryAfter = 9
    case originGate = 10
    /// Due while the daemon was away; spread so that not all start at once.
    case overdue = 11
    case onDemand = 12
    case disabled = 13
    case paused = 14
    /// The upstream says that it is gone for good; looked at now and then.
    case gone = 15
    case offline = 16
    /// A stop in mid-flight: as soon as possible.
    case interrupted = 17
    /// A due time that no rule could have set was pulled in.
    case clock = 18
    /// Somebody who runs the host had it forgotten.
    case cleared = 19

    /// As status shows it.
    package func text(failures: Int) -> String {
        switch self {
        case .first: "first"
        case .every: "every"
        case .adaptive: "adaptive"
        case .hintMaxAge: "hint max-age"
        case .hintExpires: "hint expires"
        case .hintFeed: "hint of the feed"
        case .skipWindow: "skip window"
        case .cron: "cron"
        case .backoff: "backoff n=\(failures)"
        case .retryAfter: "retry-after"
        case .originGate: "origin gate"
        case .overdue: "overdue at start"
        case .onDemand: "on demand"
        case .disabled: "disabled"
        case .paused: "paused"
        case .gone: "gone, checked now and then"
        case .offline: "offline"
        case .interrupted: "interrupted"
        case .clock: "clock set"
        case .cleared: "cleared"
        }
    }
}
