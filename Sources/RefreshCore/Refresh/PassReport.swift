/// What a pass that went well learnt of its upstream: the schedule goes by it.
package struct PassReport: Sendable, Equatable {
    /// To be sent the next time.
    package var validators: Validators
    /// What they were given for.
    package var scope: UInt64
    /// What the answer's head says of its freshness.
    package var freshness: HTTPFreshness
    /// What it says of showing its copy stale; nil where it says nothing.
    package var staleRules: StaleRules?
    /// What a syndication feed says of its own rhythm; nil where nothing was read (304, equal body, other formats).
    package var feedHints: FeedHints?
    /// Stands for the body, so that an equal one need not be read again; nil of a pass of several requests.
    package var bodyHash: ContentHash?
    /// Whether nothing was read because nothing is new (304, equal body).
    package var isUnchanged: Bool
    /// Whether the answer was a whole one: not conditional, or answered in full.
    package var isFull: Bool
    /// The last URL of a leading run of permanent redirects (refresh policy RD2).
    package var permanentTarget: WebURL?
    /// The feed says that it is over (JSON Feed `expired`).
    package var isExpired: Bool
    /// Where the next pass goes on.
    package var checkpoint: Checkpoint?
    /// What was odd about the pass, by stable names such as `next_never_seen`.
    package var warnings: [String] = []
    /// The status and the wire bytes of the last answer, for people.
    package var status: Int?
    package var bytes = 0

    package init(
        validators: Validators = Validators(), scope: UInt64 = 0, freshness: HTTPFreshness = .silent,
        feedHints: FeedHints? = nil, bodyHash: ContentHash? = nil, isUnchanged: Bool = false,
        isFull: Bool = true, permanentTarget: WebURL? = nil, isExpired: Bool = false,
        checkpoint: Checkpoint? = nil
    ) {
        self.validators = validators
        self.scope = scope
        self.freshness = freshness
        self.feedHints = feedHints
        self.bodyHash = bodyHash
        self.isUnchanged = isUnchanged
        self.isFull = isFull
        self.permanentTarget = permanentTarget
        self.isExpired = isExpired
        self.checkpoint = checkpoint
    }
}

/// What a syndication feed says of its own rhythm.
package struct FeedHints: Sendable, Hashable {
    /// `ttl`, or the period of the syndication module, whichever is longer.
    package var interval: Duration?
    /// Hours of the day, 0 to 23, and days of the week, 0 is Sunday, in GMT.
    package var skipHours: Set<Int> = []
    package var skipDays: Set<Int> = []
    /// The median gap between published times, none in the future; seeds the learnt one.
    package var publishedGap: Duration?

    package init() {}
}

/// Where an adapter's next request goes on: its own JSON text, stored with the records (semantics U2).
package struct Checkpoint: Sendable, Equatable {
    package let text: String
    /// A hash of the request's parameters; with another one the text is worth nothing (U3).
    package let scope: UInt64

    package init(text: String, scope: UInt64) {
        self.text = text
        self.scope = scope
    }
}
