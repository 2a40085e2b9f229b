import RefreshCore

/// Which page of a list is asked for next, and whether one is.
struct PageWalk {
    let feed: String
    /// The member that holds a page's rows.
    let rows: String
    private let path: [String]
    private let start: String
    private let next: String
    private let most: Int
    private let all: Bool
    private var left: Int?
    private var place: String?
    private var isOver = false

    /// - Parameters:
    ///   - start: the parameter that says where a page begins.
    ///   - next: the member of an answer that is to be its next value.
    ///   - most: rows that a page may have.
    init(_ request: ListRequest, path: [String], rows: String, start: String, next: String, most: Int) {
        feed = request.feed
        self.path = path
        self.rows = rows
        self.start = start
        self.next = next
        self.most = most
        all = request.all
        left = request.limit
        place = request.start
        isOnePage = !request.all && (request.limit ?? 0) <= most
    }

    /// Whether the whole walk is a single request.
    let isOnePage: Bool

    /// Nil at the end.
    var request: APIRequest? {
        if isOver { return nil }
        var query: [(String, String)] = []
        if let place { query.append((start, place)) }
        if let limit = left.map({ min($0, most) }) ?? (all ? most : nil) {
            query.append(("limit", String(limit)))
        }
        return .get(path, query: query)
    }

    /// Takes note of a page. A daemon that promises more without a way to it would keep us going for ever.
    mutating func take(_ page: AnswerValue, from client: APIClient) throws(ClientFailure) {
        let count = page[rows]?.elements.count ?? 0
        left = left.map { max(0, $0 - count) }
        let following = page[next]?.string
        isOver = isOnePage || left == 0 || page["has_more"]?.bool != true
        guard !isOver else { return }
        guard let following, following != place else {
            throw client.strange("it has more \(rows), and no \(next) that leads to them")
        }
        place = following
    }
}

/// The pages of one list as one JSON document.
struct JoinedPages {
    private let rows: String
    private var first: AnswerValue?
    private var last: AnswerValue?
    private var hasRows = false

    init(rows: String) { self.rows = rows }

    /// The next piece of the document.
    mutating func take(_ page: AnswerValue) -> [UInt8] {
        var piece: [UInt8] = first == nil ? Array("{\"\(rows)\":[".utf8) : []
        for row in page[rows]?.elements ?? [] {
            piece.append(contentsOf: hasRows ? ",\n".utf8 : "\n".utf8)
            piece.append(contentsOf: row.text.utf8)
            hasRows = true
        }
        if first == nil { first = page }
        last = page
        return piece
    }

    /// The end of the document: the members that say how the list goes on, of the last page. The sync key of a list
    /// is that of its first page, since the rows of that one are the oldest.
    func end() -> [UInt8] {
        var text = Array("\n]".utf8)
        for name in ["cursor", "has_more", "end", "pending", "stale", "freshness", "error"] {
            if let value = last?[name] { text.append(contentsOf: ",\"\(name)\":\(value.text)".utf8) }
        }
        let key = rows == "items" ? first?["sync_key"] : last?["sync_key"]
        if let key { text.append(contentsOf: ",\"sync_key\":\(key.text)".utf8) }
        return text + Array("}\n".utf8)
    }
}
