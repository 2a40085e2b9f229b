import RefreshCore

/// The whole demo upstream short of its sockets: the site, and the desk at which one counts and switches.
struct Upstream: Sendable {
    enum Reply: Equatable {
        /// These bytes, not before `delay` has passed.
        case answer([UInt8], delay: Duration)
        case hangUp
    }

    private let site: Site
    private var switchboard = Switchboard()
    private var stats: Stats

    init(site: Site, since start: Timestamp) {
        self.site = site
        stats = Stats(since: start)
    }

    mutating func reply(to request: RequestHead, at now: Timestamp) -> Reply {
        if let document = desk(request, at: now) {
            return .answer(Answer(to: request, document).bytes(at: now), delay: .zero)
        }
        let mode = Site.paths.contains(request.path) ? switchboard.mode(of: request.path) : .normal
        switch mode {
        case .normal: return counted(found(request, at: now), to: request, at: now)
        case .slow(let milliseconds):
            return counted(
                found(request, at: now), to: request, at: now, delay: .milliseconds(milliseconds))
        case .fail(let status, let retryAfter):
            return counted(Upstream.failure(status, retryAfter), to: request, at: now)
        case .vanish:
            stats.count(request, nil, bytes: 0, at: now)
            return .hangUp
        }
    }

    private mutating func counted(
        _ document: Document, to request: RequestHead, at now: Timestamp, delay: Duration = .zero
    ) -> Reply {
        let answer = Answer(to: request, document)
        let bytes = answer.bytes(at: now)
        stats.count(request, answer.status, bytes: bytes.count, at: now)
        return .answer(bytes, delay: delay)
    }

    // MARK: - The site

    private func found(_ request: RequestHead, at now: Timestamp) -> Document {
        guard let document = site.document(at: request.path, request.query, now: now) else {
            return Document(refusing: .notFound)
        }
        return request.onlyReads ? document : Upstream.notAllowed("GET, HEAD")
    }

    private static func failure(_ status: Status, _ retryAfter: Int?) -> Document {
        let fields = retryAfter.map { [HTTPHeaders.Field(name: "Retry-After", value: String($0))] }
        return Document(
            refusing: status, code: "as_told", "this document was told to fail, at /control",
            fields: fields ?? [])
    }

    // MARK: - The desk

    /// Nil where `request` is for the site.
    private mutating func desk(_ request: RequestHead, at now: Timestamp) -> Document? {
        switch (request.path, request.method) {
        case ("/stats", "GET"), ("/stats", "HEAD"): return stats.document
        case ("/stats", _): return Upstream.notAllowed("GET, HEAD")
        case ("/control", "GET"), ("/control", "HEAD"): return switchboard.document
        case ("/control", "POST"):
            return Upstream.foreign(request) ?? told(request.query)
        case ("/control", _): return Upstream.notAllowed("GET, HEAD, POST")
        case ("/stats/reset", "POST"):
            if let refusal = Upstream.foreign(request) { return refusal }
            stats = Stats(since: now)
            return stats.document
        case ("/stats/reset", _): return Upstream.notAllowed("POST")
        default: return nil
        }
    }

    private mutating func told(_ query: Query) -> Document {
        do {
            switchboard.obey(try SwitchOrder(query))
            return switchboard.document
        } catch {
            return Document(refusing: .badRequest, code: "no_such_order", error.message)
        }
    }

    /// The refusal of what a page in a browser sends: whoever visits a page has not asked for a change here.
    private static func foreign(_ request: RequestHead) -> Document? {
        request.headers.first("origin") == nil
            ? nil
            : Document(refusing: .forbidden, code: "from_a_page", "a request with Origin changes nothing")
    }

    private static func notAllowed(_ methods: String) -> Document {
        Document(
            refusing: .methodNotAllowed, fields: [HTTPHeaders.Field(name: "Allow", value: methods)])
    }
}
