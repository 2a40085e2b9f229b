import RefreshCore
import RefreshTransfer

/// All that a pass needs to know of its feed.
package struct PassPlan: Sendable {
    package let feed: Feed
    package let adapter: any Adapter
    let builder: RequestBuilder
    let userAgent: String
    /// What validators and checkpoints were given for.
    package let validatorScope: UInt64
    package let checkpointScope: UInt64

    package init(feed: Feed, userAgent: String) {
        self.feed = feed
        self.userAgent = userAgent
        let adapter = AdapterTable.adapter(for: feed)
        self.adapter = adapter
        builder = RequestBuilder(feed.request, userAgent: userAgent, accept: adapter.accept)
        (validatorScope, checkpointScope) = PlanScope.both(feed, reading: adapter.reading)
    }

    var details: FeedDetails { feed.details.value }

    /// The plan of one sub-pass: what only the run as a whole can keep is left out.
    ///
    /// - Parameter isIncremental: whether only what is new is asked for of each parent.
    package func ofSubPasses(isIncremental: Bool) -> PassPlan {
        guard !isIncremental, details.incremental != nil else { return self }
        var details = details
        details.incremental = nil
        var feed = feed
        feed.details = Shared(details)
        return PassPlan(self, feed)
    }

    private init(_ plan: PassPlan, _ feed: Feed) {
        self.feed = feed
        adapter = plan.adapter
        builder = plan.builder
        userAgent = plan.userAgent
        validatorScope = plan.validatorScope
        checkpointScope = plan.checkpointScope
    }

    /// Whether a request may be conditional at all: one that always asks for the same, and changes nothing (V7).
    package var mayBeConditional: Bool {
        feed.request.conditional == .auto && feed.request.method == "GET" && details.incremental == nil
            && details.parent == nil
    }
}

/// What a pass starts with.
package struct PassStart: Sendable {
    package var now: Timestamp
    /// Of the last complete pass, where that was one request.
    package var validators = Validators()
    package var bodyHash: ContentHash?
    package var checkpoint: Checkpoint?
    /// Where the feed has moved to; nil is the configured URL.
    package var effectiveURL: WebURL?
    /// How the entries of a syndication feed are told apart so far.
    package var entryKeys = EntryKeys()
    /// Whether everything is to be asked for in any case.
    package var wantsFull = false
    /// Whether an interrupted pass may be gone on with.
    package var mayGoOn = true
    /// Whether the store still knows what the interrupted pass has met (semantics U12).
    package var hasMarks = false
    /// Of a sub-pass: the fields of its parent.
    package var parent: [String: ScalarValue]?
    /// Of a sub-pass: what all of them ask from; nil is from the beginning.
    package var sharedKey: ScalarValue?
    /// Time that the run has taken before.
    package var spent: Duration = .zero
    package var random: Randomness

    package init(now: Timestamp, random: Randomness = Randomness(seed: 0)) {
        self.now = now
        self.random = random
    }
}
