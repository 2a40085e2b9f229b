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
    }

    package let feed: FeedID
    private let subject: Subject
    package let state: State
    @usableFromInline let held: Shared<FeedProgress>
    /// Items count as fresh until then; nil: never fetched, or on demand only.
    package let freshUntil: Timestamp?
    package let nextDue: Timestamp?
    /// Which rule set `nextDue`: `every`, `backoff n=3`, `first`, …
    package let dueRule: String
    package let inFlight: Bool
    package let store: StoredCounts
    package let alarms: [String]

    package init(
        feed: FeedID, title: String?, adapter: String, url: String, state: State, progress: FeedProgress,
        freshUntil: Timestamp?, nextDue: Timestamp?, dueRule: String, inFlight: Bool, store: StoredCounts,
        alarms: [String]
    ) {
        self.feed = feed
        subject = .named(Shared(Names(title: title, adapter: adapter, url: url)))
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

    /// Without secrets.
    package var url: String {
        switch subject {
        case .feed(let feed): feed.request.url.display
        case .named(let names): names.value.url
        }
    }

    @inlinable package var progress: FeedProgress { held.value }

    /// How long after `freshUntil` items are merely stale (semantics F5).
    package static let serveStale: Duration = .seconds(3_600)

    /// Time passes without a new picture, so freshness is worked out when somebody asks.
    package func freshness(at now: Timestamp) -> Freshness {
        FeedStatus.freshness(lastSuccess: progress.lastSuccess, freshUntil: freshUntil, at: now)
    }

    /// The rule behind it, for whoever has no picture.
    package static func freshness(
        lastSuccess: Timestamp?, freshUntil: Timestamp?, serveStale: Duration = serveStale, at now: Timestamp
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
