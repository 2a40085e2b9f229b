import RefreshAdapters
import RefreshCore

/// What a trial found out about a feed.
struct TrialReport {
    let feed: Feed
    let file: String
    /// Of the file: words that do nothing yet, and doubts.
    var warnings: [String] = []
    private(set) var notes: [PageNote] = []
    private(set) var exchanges: [TrialUpstream.Exchange] = []
    /// Of the pass, by their words.
    private(set) var passWarnings: [String] = []
    private(set) var end: PassEnd?
    private(set) var contents = TrialContents()
    private(set) var rejections: [RecordPage.Rejection] = []
    private(set) var checkpoint: Checkpoint?
    var comparison: TrialComparison?

    init(feed: Feed, file: String) {
        self.feed = feed
        self.file = file
    }

    mutating func take(_ pass: PassTrial.Report, exchanges: [TrialUpstream.Exchange]) {
        notes = pass.notes
        // One for each note, unless something was counted twice.
        self.exchanges = exchanges.count == notes.count ? exchanges : []
        passWarnings = pass.warnings
        end = pass.end
        checkpoint = pass.checkpoint
        for page in pass.pages {
            contents.take(page)
            rejections += page.records?.rejections ?? []
        }
    }

    var failure: RefreshFailure? {
        if case .failed(let failure, _) = end { failure } else { nil }
    }

    var isComplete: Bool {
        if case .done(let done) = end { done.isComplete && done.doubt == nil } else { false }
    }
}

/// What a cache would hold after the pages of a trial.
struct TrialContents {
    struct Item {
        let key: RecordKey
        var body: [UInt8]
    }

    /// In the order of their first sight.
    private(set) var items: [Item] = []
    /// Keys that the upstream says are deleted.
    private(set) var deleted: [RecordKey] = []
    /// Rows whose key had been there already.
    private(set) var repeated = 0
    private var places: [RecordKey: Int] = [:]

    mutating func take(_ page: PassPage) {
        if let records = page.records {
            for row in records.rows {
                if row.isDeleted {
                    remove(row.key)
                } else {
                    put(row.key, Array(records.body(of: row)))
                }
            }
        }
        for key in page.deleted { remove(key) }
    }

    private mutating func put(_ key: RecordKey, _ body: [UInt8]) {
        if let place = places[key] {
            items[place].body = body
            repeated += 1
        } else {
            places[key] = items.count
            items.append(Item(key: key, body: body))
        }
    }

    private mutating func remove(_ key: RecordKey) {
        if !deleted.contains(key) { deleted.append(key) }
        guard places[key] != nil else { return }
        items.removeAll { $0.key == key }
        places = Dictionary(items.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
    }
}
