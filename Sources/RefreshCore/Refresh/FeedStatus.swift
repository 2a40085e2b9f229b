/// What the daemon tells of a feed: a picture of one moment, remade when something happens.
package struct FeedStatus: Sendable, Equatable {
    /// How old the cached items are (semantics F4–F6).
    package enum Freshness: String, Sendable { case new, fresh, stale, overdue }

    /// What keeps the schedule busy or from being so.
    package enum State: String, Sendable, CaseIterable {
        case active, backoff, limited, gone, paused, disabled
        case configError = "config-error"
    }

    /// Where its names come from: a feed knows them itself, so that they need no place of their own.
    private enum Subject: Sendable, Equatable {
        case feed(Feed)
        case named(Shared<Names>)
    }

    private struct Names: Sendable, Equatable {
        let title: String?
        let adapter: String
        let url: String
        let serving: ServingRules
    }

    package let feed: FeedID
    private let subject: Subject
    package let state: State
    @usableFromInline private(set) var held: Shared<FeedProgress>
    /// Items count as fresh until then; nil: never fetched, or on demand only.
    package private(set) var freshUntil: Timestamp?
    package let nextDue: Timestamp?
    /// Which rule set `nextDue`: `every`, `backoff n=3`, `first`, …
    package let dueRule: String
    package let inFlight: Bool
    package let store: StoredCounts
    package let alarms: [String]
    /// When the last good pass is too long ago for the operator (`expect`); nil where that is never.
    package var expectedBy: Timestamp?

    package init(
        feed: FeedID, title: String?, adapter: String, url: String, state: State, progress: FeedProgress,
        freshUntil: Timestamp?, nextDue: Timestamp?, dueRule: String, inFlight: Bool, store: StoredCounts,
        alarms: [String], serving: ServingRules = ServingRules()
    ) {
        self.feed = feed
        subject = .named(Shared(Names(title: title, adapter: adapter, url: url, serving: serving)))
        self.state = state
        held = Shared(progress)
        self.freshUntil = freshUntil
        self.nextDue = nextDue
        self.dueRule = dueRule
        self.inFlight = inFlight
        self.store = store
        self.alarms = alarms
    }

    /// The picture of `feed` as `machine` has it.
    init(
        of feed: Feed, _ machine: FeedMachine, state: State, nextDue: Timestamp?, dueRule: String
    ) {
        self.feed = feed.id
        subject = .feed(feed)
        self.state = state
        held = machine.held
        freshUntil = machine.freshUntil
        self.nextDue = nextDue
        self.dueRule = dueRule
        inFlight = machine.isFlying
        store = machine.store
        alarms = machine.alarms
    }

    package var title: String? {
        switch subject {
        case .feed(let feed): feed.title
        case .named(let names): names.value.title
        }
    }

    package var adapter: String {
        switch subject {
        case .feed(let feed): feed.adapter.name
        case .named(let names): names.value.adapter
        }
    }

    /// Words to find it by.
    package var tags: [String] {
        switch subject {
        case .feed(let feed): feed.tags
        case .named: []
        }
    }

    /// Without secrets.
    package var url: String {
        switch subject {
        case .feed(let feed): feed.request.url.display
        case .named(let names): names.value.url
        }
    }

    /// How the items are shown once they are stale.
    package var serving: ServingRules {
        switch subject {
        case .feed(let feed): ServingRules(feed.details.freshness, progress.staleRules)
        case .named(let names): names.value.serving
        }
    }

    @inlinable package var progress: FeedProgress { held.value }

    /// Time passes without a new picture, so that a pass which does not come shows when somebody asks.
    package func alarms(at now: Timestamp) -> [String] {
        guard let expectedBy, now >= expectedBy else { return alarms }
        let last = progress.lastSuccess.map { " since \($0.rfc3339)" } ?? ""
        return ["expect: no good pass\(last)"] + alarms
    }

    /// Time passes without a new picture, so freshness is worked out when somebody asks.
    package func freshness(at now: Timestamp) -> Freshness {
        FeedStatus.freshness(
            lastSuccess: progress.lastSuccess, freshUntil: freshUntil, serveStale: serving.serveStale, at: now
        )
    }

    /// Until when items may be shown as things are; nil is for ever (semantics F7, F10).
    package var servedUntil: Timestamp? {
        guard let freshUntil else { return nil }
        if serving.mustRevalidate { return freshUntil }
        guard progress.failure != nil, let bound = serving.staleIfError else { return nil }
        return freshUntil + bound
    }

    /// The same of an item with an age of its own, or of a page whose oldest item has it (semantics F3).
    ///
    /// - Parameter checked: the start of the latest request that confirmed it; nil where none did.
    package func asOf(_ checked: Timestamp?) -> FeedStatus {
        guard let fresh = serving.itemFresh else { return self }
        var progress = progress
        progress.lastSuccess = checked
        var other = self
        other.held = Shared(progress)
        other.freshUntil = checked.map { $0 + fresh }
        return other
    }

    /// The rule behind it, for whoever has no picture.
    package static func freshness(
        lastSuccess: Timestamp?, freshUntil: Timestamp?, serveStale: Duration, at now: Timestamp
    ) -> Freshness {
        guard let lastSuccess, let freshUntil else { return .new }
        // A stamp from the future means that the clock went back: nothing is known of its age (F2).
        if lastSuccess > now + .seconds(60) { return .stale }
        if now < freshUntil { return .fresh }
        return now < freshUntil + serveStale ? .stale : .overdue
    }
}

/// What the store holds of a feed.
package struct StoredCounts: Sendable, Equatable {
    package var epoch: Epoch
    /// The newest place in the change log.
    package var seq: Seq
    /// Live items.
    package var items: Int
    /// Bytes of their bodies.
    package var bytes: Int
    /// What was odd about its records, by a stable name and, behind a colon, in words.
    package var alarms: [String] = []

    package init(epoch: Epoch, seq: Seq = 0, items: Int = 0, bytes: Int = 0, alarms: [String] = []) {
        self.epoch = epoch
        self.seq = seq
        self.items = items
        self.bytes = bytes
        self.alarms = alarms
    }
}
