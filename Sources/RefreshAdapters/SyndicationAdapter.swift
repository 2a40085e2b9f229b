import RefreshCore
import RefreshFormats
import RefreshTransfer

/// A syndication feed: a window onto the newest entries, so that absence means nothing (policy ST5).
struct SyndicationAdapter: Adapter {
    let accept =
        "application/atom+xml, application/rss+xml, application/feed+json, "
        + "application/xml;q=0.9, application/json;q=0.8, */*;q=0.1"
    let reading = "feed 3"

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        try open(answer, keys: .undecided)
    }

    func open(_ answer: TransferAnswer, keys: KeyPolicy) throws(RefreshFailure) -> any ReadDocument {
        do {
            let type = answer.headers.first("content-type").flatMap { MediaType(parsing: $0) }
            let document = try SyndicationRecords.page(
                of: answer.body, base: answer.effectiveURL, contentType: type, keys: keys)
            return Document(document: document)
        } catch {
            throw AnswerRules.unreadable(error, answer, wanted: "a feed")
        }
    }

    private struct Document: ReadDocument {
        let document: SyndicationDocument

        /// The feed's own members, such as `next_url`.
        func value(at path: BodyPath) -> ScalarValue? {
            guard let path = path.json, let meta = try? JSONDocument(parsing: PaddedBytes(document.meta))
            else {
                return nil
            }
            return meta.scalar(at: path)
        }

        func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest {
            var harvest = Harvest(page: document.page)
            // Only a feed that says of itself that it is whole tells of absence (policy ST5).
            harvest.isWindow = !document.isComplete
            harvest.deleted = document.deletedKeys
            harvest.keyLevel = document.keyLevel
            harvest.isExpired = document.hints.isExpired
            let published = document.page.rows.compactMap(\.order).filter { $0 <= wish.now }
            harvest.hints = FeedHints(document.hints, published: published)
            return harvest
        }
    }
}

extension SyndicationDocument {
    /// Keys of the entries that the upstream says are gone (RFC 6721). One that stands in the document all the same is
    /// not; and where ids do not tell entries apart, they name none.
    fileprivate var deletedKeys: [RecordKey] {
        guard keyLevel == .id, !deletions.isEmpty else { return [] }
        let live = Set(page.rows.map(\.key))
        return deletions.map { RecordKey($0.id) }.filter { !live.contains($0) }
    }
}

extension FeedHints {
    /// What a document says of its rhythm; the times of its entries tell the rest.
    init(_ hints: SyndicationHints, published: [Timestamp]) {
        self.init()
        interval = [hints.ttl, hints.updatePeriod].compactMap { $0 }.max()
        skipHours = Set(hints.skipHours)
        skipDays = Set(hints.skipDays)
        let times = published.sorted()
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        if !gaps.isEmpty { publishedGap = gaps[gaps.count / 2] }
    }
}
