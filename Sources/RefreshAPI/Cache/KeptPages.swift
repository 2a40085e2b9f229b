import RefreshCore
import RefreshStore

/// Which page: of a feed, for a query as the client wrote it.
struct PageKey: Hashable {
    let feed: FeedID
    let query: ArraySlice<UInt8>
}

/// Everything but time that a page depends on.
struct PageStamp: Equatable {
    private let epoch: Epoch
    private let seq: Seq
    private let lastSuccess: Timestamp?
    private let freshUntil: Timestamp?
    private let failure: FailureNote?

    init(_ feed: FeedStatus, epoch: Epoch, seq: Seq) {
        self.epoch = epoch
        self.seq = seq
        lastSuccess = feed.progress.lastSuccess
        freshUntil = feed.freshUntil
        failure = feed.progress.failure
    }
}

/// Pages that were made once, as many as go into so many bytes; what was not asked for longest goes first.
struct KeptPages<Page> {
    private struct Entry {
        let page: Page
        let stamp: PageStamp
        let hold: Hold
        let size: Int
        var used: UInt64
    }

    /// What an entry costs beside its bytes, roughly: so many small pages are bounded too.
    static var overhead: Int { 1_024 }

    private let capacity: Int
    private var entries: [PageKey: Entry] = [:]
    private var uses: UInt64 = 0
    /// Bytes held, with what holds them.
    private(set) var size = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    /// The page for `key` where it is still true.
    mutating func page(_ key: PageKey, of stamp: PageStamp, at now: Moment) -> Page? {
        guard let place = entries.index(forKey: key) else { return nil }
        let entry = entries.values[place]
        guard entry.stamp == stamp, entry.hold.covers(now) else {
            drop(key)
            return nil
        }
        uses += 1
        entries.values[place].used = uses
        return entry.page
    }

    /// Keeps a page of `bytes` in the place of an older one; a page that would drive out most others is not kept.
    mutating func keep(_ page: Page, bytes: Int, _ key: PageKey, of stamp: PageStamp, for hold: Hold) {
        drop(key)
        let cost = bytes + key.query.count + KeptPages.overhead
        guard cost <= capacity / 2 else { return }
        while size + cost > capacity, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            drop(oldest.key)
        }
        uses += 1
        entries[key] = Entry(page: page, stamp: stamp, hold: hold, size: cost, used: uses)
        size += cost
    }

    private mutating func drop(_ key: PageKey) {
        if let entry = entries.removeValue(forKey: key) { size -= entry.size }
    }
}
