import RefreshCore

// What the daemon answers, as far as refreshctl shows it. Every member is optional and unknown ones are passed over:
// a client must live with an older and with a newer daemon.

/// A feed as `/v1/feeds` tells of it.
package struct FeedAnswer: Sendable {
    package var name = ""
    package var title: String?
    package var adapter: String?
    package var url: String?
    package var state: String?
    package var freshness: String?
    package var items: Int?
    package var bytes: Int?
    package var inFlight = false
    package var lastSuccess: Timestamp?
    package var lastAttempt: Timestamp?
    package var nextDue: Timestamp?
    package var dueRule: String?
    package var failures = 0
    package var lastError: ErrorNote?
    package var alarms: [String] = []

    package init() {}
}

/// Why a refresh failed.
package struct ErrorNote: Sendable, Equatable {
    package var `class`: String?
    package var code: String?
    package var detail: String?
    package var at: Timestamp?

    package init(class: String? = nil, code: String? = nil, detail: String? = nil, at: Timestamp? = nil) {
        self.class = `class`
        self.code = code
        self.detail = detail
        self.at = at
    }

    /// `transient http-503: the upstream is not available`.
    package var text: String {
        let kind = [`class`, code].compactMap { $0 }.joined(separator: " ")
        guard let detail, !detail.isEmpty else { return kind.isEmpty ? "unknown" : kind }
        return kind.isEmpty ? detail : "\(kind): \(detail)"
    }
}

/// The daemon as `/v1/status` tells of it.
package struct StatusAnswer: Sendable {
    package var version: String?
    package var generation: Int?
    /// `ok`, or what is wrong with the configuration on disk.
    package var config: String?
    package var uptime: Duration?
    package var total: Int?
    package var byState: [String: Int] = [:]
    package var byFreshness: [String: Int] = [:]
    package var diskBytes: Int?
    /// What is wrong with the daemon as a whole.
    package var alarms: [String] = []

    package init() {}

    /// The word for a configuration on disk that does not run; nil where it runs.
    package var refusedConfig: String? { config.flatMap { ["ok", "loaded"].contains($0) ? nil : $0 } }
}
