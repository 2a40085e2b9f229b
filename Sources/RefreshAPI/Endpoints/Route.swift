/// One thing that the socket can be asked.
struct Route: Sendable {
    enum Method: String, Sendable { case get = "GET", post = "POST" }

    enum Part: Sendable, Equatable {
        case literal(String)
        case feed
        case key
    }

    /// What answers it.
    enum Endpoint: Sendable, CaseIterable {
        case root, health, readiness, metrics, openapi, status, feeds, feed, history, items, item, document,
            more, changes
        case events, refresh, pause, resume, purge, reset
        case reload, configuration, checkConfiguration, configurationSchema, backup, logLevel
    }

    let endpoint: Endpoint
    let method: Method
    let path: [Part]
    let right: Right
    /// The query parameters that it knows.
    let parameters: [String]

    init(_ endpoint: Endpoint, _ method: Method, _ path: String, _ right: Right, _ parameters: [String] = [])
    {
        self.endpoint = endpoint
        self.method = method
        self.path = path.split(separator: "/").map { part in
            switch part {
            case "{feed}": .feed
            case "{key}": .key
            default: .literal(String(part))
            }
        }
        self.right = right
        self.parameters = parameters
    }

    var namesFeed: Bool { path.contains(.feed) }

    /// Whether `segments` is a path of this route.
    func matches(_ segments: [[UInt8]]) -> Bool {
        guard segments.count == path.count else { return false }
        return zip(path, segments).allSatisfy { part, segment in
            switch part {
            case .literal(let name): name.utf8.elementsEqual(segment)
            case .feed, .key: !segment.isEmpty
            }
        }
    }

    /// The segment that stands where the path has `part`.
    func segment(_ part: Part, in segments: [[UInt8]]) -> [UInt8]? {
        zip(path, segments).first { $0.0 == part }?.1
    }
}
