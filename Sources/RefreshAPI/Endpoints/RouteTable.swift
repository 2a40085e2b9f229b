/// Everything that the socket can be asked.
enum RouteTable {
    static let routes = [
        Route(.root, .get, "/", .read),
        Route(.health, .get, "/healthz", .read),
        Route(.readiness, .get, "/readyz", .read),
        Route(.metrics, .get, "/metrics", .read),
        Route(.openapi, .get, "/openapi.json", .read),
        Route(.status, .get, "/v1/status", .read),
        Route(.feeds, .get, "/v1/feeds", .read),
        Route(.feed, .get, "/v1/feeds/{feed}", .read),
        Route(.history, .get, "/v1/feeds/{feed}/history", .read),
        Route(
            .items, .get, "/v1/feeds/{feed}/items", .read,
            [
                "key", "cursor", "limit", "order", "fields", "include", "evictions", "policy", "wait",
                "max_stale",
            ]),
        Route(.item, .get, "/v1/feeds/{feed}/items/{key}", .read, ["fields", "max_stale"]),
        Route(.document, .get, "/v1/feeds/{feed}/document", .read),
        Route(.more, .post, "/v1/feeds/{feed}/more", .read),
        Route(
            .changes, .get, "/v1/feeds/{feed}/changes", .read,
            ["since", "limit", "wait", "fields", "evictions", "include"]),
        Route(.events, .get, "/v1/events", .read),
        Route(.refresh, .post, "/v1/feeds/{feed}/refresh", .operate),
        Route(.pause, .post, "/v1/feeds/{feed}/pause", .control),
        Route(.resume, .post, "/v1/feeds/{feed}/resume", .control),
        Route(.purge, .post, "/v1/feeds/{feed}/purge", .control),
        Route(.reset, .post, "/v1/feeds/{feed}/reset", .control),
        Route(.reload, .post, "/v1/reload", .control),
        Route(.configuration, .get, "/v1/config", .control, ["feed", "defaults", "cursor", "limit"]),
        Route(.checkConfiguration, .post, "/v1/config/check", .control),
        Route(.configurationSchema, .get, "/v1/schema/config.json", .read),
        Route(.backup, .post, "/v1/backup", .control),
        Route(.logLevel, .post, "/v1/log-level", .control),
    ]

    /// The route of a request; HEAD asks what GET asks.
    static func route(_ method: String, _ segments: [[UInt8]]) throws(Problem) -> Route {
        let wanted = method == "HEAD" ? "GET" : method
        if let route = routes.first(where: { $0.method.rawValue == wanted && $0.matches(segments) }) {
            return route
        }
        let matching = routes.filter { $0.matches(segments) }
        if matching.isEmpty { throw unknown(segments) }
        let allowed = matching.map { $0.method == .get ? "GET, HEAD" : $0.method.rawValue }
            .joined(separator: ", ")
        throw Problem(.methodNotAllowed, "this path answers \(allowed)", allow: allowed)
    }

    private static func unknown(_ segments: [[UInt8]]) -> Problem {
        if let first = segments.first, first.first == UInt8(ascii: "v"), first.count > 1,
            first.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }), first != Array("v1".utf8)
        {
            return Problem(
                .unsupportedVersion, "this daemon speaks v1", members: [.list("supported", ["v1"])])
        }
        return Problem(.notFound, "there is nothing at this path; GET / tells what this daemon can do")
    }
}
