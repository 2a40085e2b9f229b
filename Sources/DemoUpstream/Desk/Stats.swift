import RefreshCore

/// What was asked of the demo upstream since a moment, by document. Its own desk, `/stats` and `/control`, is not
/// counted.
struct Stats: Sendable, Equatable {
    let since: Timestamp
    private var documents: [String: Demand] = [:]
    /// Every other path, together: however many are tried, they take no more room.
    private var other = Demand()

    init(since: Timestamp) { self.since = since }

    func demand(of path: String) -> Demand {
        Site.paths.contains(path) ? documents[path] ?? Demand() : other
    }

    /// Counts a request at `now`; no `status` where the connection was closed instead.
    mutating func count(_ request: RequestHead, _ status: Status?, bytes: Int, at now: Timestamp) {
        if Site.paths.contains(request.path) {
            documents[request.path, default: Demand()].count(request, status, bytes: bytes, at: now)
        } else {
            other.count(request, status, bytes: bytes, at: now)
        }
    }

    var document: Document {
        Document { text in
            text.name("since")
            text.string(since.rfc3339)
            text.name("documents")
            text.object { text in
                for path in Site.paths {
                    text.name(path.utf8)
                    demand(of: path).write(to: &text)
                }
            }
            text.name("other")
            other.write(to: &text)
            text.name("total")
            documents.values.reduce(other, +).write(to: &text)
        }
    }
}
