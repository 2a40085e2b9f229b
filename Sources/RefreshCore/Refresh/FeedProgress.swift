/// What is kept of a feed's refreshes over a restart, stored in the transaction of the records that it speaks of
/// (refresh policy 2.1).
///
/// There is one for every feed, and most have nothing rare to tell: that part is boxed and absent while it is empty.
package struct FeedProgress: Sendable, Equatable {
    /// When the next scheduled refresh may start; of a feed on demand, when one that failed may be asked again.
    package var due: Timestamp?
    package var dueRule = DueRule.first
    /// The start of the last attempt, stored before its request is sent.
    package var lastAttempt: Timestamp?
    /// The end of the last attempt.
    package var lastDone: Timestamp?
    /// The **start** of the last attempt that succeeded (semantics F1).
    package var lastSuccess: Timestamp?
    /// The start of the last attempt that brought a change.
    package var lastChange: Timestamp?
    /// The start of the last attempt that was answered in full.
    package var lastFull: Timestamp?
    /// Failures in a row.
    package var failures = 0
    package var tally = PassTally()
    package var validators = Validators()
    /// A hash of what the validators were given for: URL, coding, credentials, the way records are read.
    package var validatorScope: UInt64 = 0
    /// Stands for the body that the validators were given for.
    package var bodyHash: ContentHash?
    package var rhythm = Rhythm()
    /// What the last answer that spoke of it said of its freshness; counts from `lastSuccess`.
    package var httpHint = HTTPFreshness.silent
    private var rare: Shared<RareProgress>?

    package init() {}

    /// What few feeds have.
    package var rareOrEmpty: RareProgress {
        get { rare?.value ?? .empty }
        set { rare = newValue == .empty ? nil : Shared(newValue) }
    }
}

/// The part of a feed's progress that few feeds have.
package struct RareProgress: Sendable, Equatable {
    /// The last failure; a success clears it.
    package var failure: FailureNote?
    /// Where the next pass goes on; nil is from the beginning.
    package var checkpoint: Checkpoint?
    /// Why the last complete pass was not believed, where it was not (semantics U14).
    package var suspect: String?
    /// What the feed says of its own rhythm.
    package var feedHints: FeedHints?
    /// How the feed is coming to its end.
    package var gone: GoneMark?
    /// Where the upstream has moved to.
    package var redirects: RedirectMemory?
    /// When it was seen that the upstream does not know its own entity tags (refresh policy V8).
    package var tagDistrusted: Timestamp?
    /// When somebody last asked for a full answer.
    package var lastForced: Timestamp?
    /// When the schedule last did, because the last one was long ago (refresh policy V4).
    package var fullAsked: Timestamp?
    /// What the last answer that spoke of its freshness said of showing it stale.
    package var staleRules: StaleRules?
    /// Ends of the daemon in mid-flight, in a row.
    package var crashes = 0
    /// Of a syndication feed: how its entries are told apart.
    package var entryKeys = EntryKeys()

    static let empty = RareProgress()

    package init() {}
}

// Boxed anew only where something changes, so that copies go on sharing.
extension FeedProgress {
    package var failure: FailureNote? {
        get { rareOrEmpty.failure }
        set { if rareOrEmpty.failure != newValue { rareOrEmpty.failure = newValue } }
    }
    package var checkpoint: Checkpoint? {
        get { rareOrEmpty.checkpoint }
        set { if rareOrEmpty.checkpoint != newValue { rareOrEmpty.checkpoint = newValue } }
    }
    package var suspect: String? {
        get { rareOrEmpty.suspect }
        set { if rareOrEmpty.suspect != newValue { rareOrEmpty.suspect = newValue } }
    }
    package var feedHints: FeedHints? {
        get { rareOrEmpty.feedHints }
        set { if rareOrEmpty.feedHints != newValue { rareOrEmpty.feedHints = newValue } }
    }
    package var gone: GoneMark? {
        get { rareOrEmpty.gone }
        set { if rareOrEmpty.gone != newValue { rareOrEmpty.gone = newValue } }
    }
    package var redirects: RedirectMemory? {
        get { rareOrEmpty.redirects }
        set { if rareOrEmpty.redirects != newValue { rareOrEmpty.redirects = newValue } }
    }
    package var tagDistrusted: Timestamp? {
        get { rareOrEmpty.tagDistrusted }
        set { if rareOrEmpty.tagDistrusted != newValue { rareOrEmpty.tagDistrusted = newValue } }
    }
    package var lastForced: Timestamp? {
        get { rareOrEmpty.lastForced }
        set { if rareOrEmpty.lastForced != newValue { rareOrEmpty.lastForced = newValue } }
    }
    package var fullAsked: Timestamp? {
        get { rareOrEmpty.fullAsked }
        set { if rareOrEmpty.fullAsked != newValue { rareOrEmpty.fullAsked = newValue } }
    }
    package var staleRules: StaleRules? {
        get { rareOrEmpty.staleRules }
        set { if rareOrEmpty.staleRules != newValue { rareOrEmpty.staleRules = newValue } }
    }
    package var crashes: Int {
        get { rareOrEmpty.crashes }
        set { if rareOrEmpty.crashes != newValue { rareOrEmpty.crashes = newValue } }
    }
    package var entryKeys: EntryKeys {
        get { rareOrEmpty.entryKeys }
        set { if rareOrEmpty.entryKeys != newValue { rareOrEmpty.entryKeys = newValue } }
    }

    /// Stamps in the future mean that the clock went back; what they say of pauses is kept by taking them for now.
    ///
    /// `lastSuccess` stays: a copy from the future counts as stale (semantics F2).
    mutating func clamp(to now: Timestamp) {
        if let time = lastAttempt, time > now { lastAttempt = now }
        if let time = lastDone, time > now { lastDone = max(now, lastAttempt ?? now) }
        if let time = lastChange, time > now { lastChange = now }
        if let time = lastFull, time > now { lastFull = now }
        rhythm.clamp(to: now)
    }
}

/// A failure and when it came.
package struct FailureNote: Sendable, Equatable {
    package let failure: RefreshFailure
    package let at: Timestamp

    package init(_ failure: RefreshFailure, at: Timestamp) {
        self.failure = failure
        self.at = at
    }
}
