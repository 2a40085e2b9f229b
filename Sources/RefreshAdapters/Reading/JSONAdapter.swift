import RefreshCore
import RefreshFormats
import RefreshTransfer

/// Lists in JSON documents and in JSON lines.
struct JSONAdapter: Adapter {
    let accept = "application/json, */*;q=0.1"
    let reading = "json 2"
    private let rules: RecordRules
    /// Which of the watched values are cursors, and which keyset places.
    private let cursorIndex: Int?
    private let keysetIndex: Int?

    init(feed: Feed) {
        var rules = RecordRules(feed)
        rules.plan.key = ParentFields.ownKey(feed)
        var watched: [JSONPath] = []
        func watch(_ path: BodyPath?) -> Int? {
            guard let path = path?.json else { return nil }
            watched.append(path)
            return watched.count - 1
        }
        if case .field(let field) = feed.details.incremental?.kind {
            cursorIndex = watch(field.cursor)
            if field.missing == .skip {
                rules.plan.filter = JSONAdapter.present(field.cursor, rules.plan.filter)
            }
        } else {
            cursorIndex = nil
        }
        if case .keyset(let from, _) = feed.details.paging.kind {
            keysetIndex = watch(from)
        } else {
            keysetIndex = nil
        }
        rules.watched = watched
        self.rules = rules
    }

    /// A condition that a row has a value at `path`, and what else is asked for.
    static func present(_ path: BodyPath, _ other: JSONFilter?) -> JSONFilter? {
        guard let path = path.json else { return other }
        let query = JSONFilter.Query(isRelative: true, path: path)
        let isThere = JSONFilter.Expression.all([
            .exists(query), .comparison(.query(query), .notEqual, .literal(.null)),
        ])
        return JSONFilter(other.map { .all([$0.expression, isThere]) } ?? isThere)
    }

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        // Lines are no document: of them there are records alone.
        if rules.plan.format == .jsonl { return Document(document: nil, adapter: self, answer: answer) }
        do {
            let document = try JSONDocument(parsing: answer.body, depth: rules.limits.depth)
            return Document(document: document, adapter: self, answer: answer)
        } catch {
            throw AnswerRules.unreadable(error, answer, wanted: "JSON")
        }
    }

    private struct Document: ReadDocument {
        let document: JSONDocument?
        let adapter: JSONAdapter
        let answer: TransferAnswer

        func value(at path: BodyPath) -> ScalarValue? { path.json.flatMap { document?.scalar(at: $0) } }

        func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest {
            do throws(FormatFailure) {
                let read =
                    if let document {
                        try JSONRecords.harvest(of: document, rules: adapter.rules)
                    } else {
                        try JSONRecords.harvest(ofLines: answer.body, rules: adapter.rules)
                    }
                var harvest = Harvest(page: read.page, count: read.listed)
                if let index = adapter.cursorIndex { harvest.cursors = read.watched[index] }
                if let index = adapter.keysetIndex { harvest.last = read.watched[index].last ?? nil }
                harvest.deleted = read.deleted
                return harvest
            } catch {
                throw AnswerRules.unreadable(error, answer, wanted: "JSON")
            }
        }
    }
}
