import RefreshCore
import RefreshTransfer

/// All that a pass needs to know of its feed.
package struct PassPlan: Sendable {
    package let feed: Feed
    package let adapter: any Adapter
    let builder: RequestBuilder
    /// What validators and checkpoints were given for.
    package let validatorScope: UInt64
    package let checkpointScope: UInt64

    package init(
        feed: Feed, userAgent: String,
        secrets: @escaping RequestBuilder.Secrets = RequestBuilder.literalSecrets
    ) {
        self.feed = feed
        let adapter = AdapterTable.adapter(for: feed)
        self.adapter = adapter
        builder = RequestBuilder(feed.request, userAgent: userAgent, accept: adapter.accept, secrets: secrets)
        validatorScope = PlanScope.validators(feed, reading: adapter.reading)
        checkpointScope = PlanScope.checkpoint(feed)
    }

    var details: FeedDetails { feed.details.value }

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
    /// Whether everything is to be asked for in any case.
    package var wantsFull = false
    /// Of a sub-pass: the fields of its parent.
    package var parent: [String: ScalarValue]?
    package var random: Randomness

    package init(now: Timestamp, random: Randomness = Randomness(seed: 0)) {
        self.now = now
        self.random = random
    }
}
