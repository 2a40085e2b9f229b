import RefreshCore

/// What was asked of one document, and what came of it.
struct Demand: Sendable, Equatable {
    private(set) var requests = 0
    /// Those that said what they hold already.
    private(set) var conditional = 0
    private(set) var ok = 0
    private(set) var notModified = 0
    private(set) var clientErrors = 0
    private(set) var serverErrors = 0
    private(set) var vanished = 0
    /// Sent, heads and bodies.
    private(set) var bytes = 0
    private(set) var last: Timestamp?

    /// Counts a request at `now`; no `status` where the connection was closed instead.
    mutating func count(_ request: RequestHead, _ status: Status?, bytes: Int, at now: Timestamp) {
        requests += 1
        let isConditional = ["if-none-match", "if-modified-since"].contains {
            request.headers.first($0) != nil
        }
        if isConditional { conditional += 1 }
        switch status?.code {
        case nil: vanished += 1
        case 304: notModified += 1
        case .some(400..<500): clientErrors += 1
        case .some(500...): serverErrors += 1
        default: ok += 1
        }
        self.bytes += bytes
        last = now
    }

    static func + (left: Demand, right: Demand) -> Demand {
        var sum = left
        sum.requests += right.requests
        sum.conditional += right.conditional
        sum.ok += right.ok
        sum.notModified += right.notModified
        sum.clientErrors += right.clientErrors
        sum.serverErrors += right.serverErrors
        sum.vanished += right.vanished
        sum.bytes += right.bytes
        sum.last = [left.last, right.last].compactMap(\.self).max()
        return sum
    }

    /// Of all requests, with two places, rounded down; 0 without requests.
    var conditionalShare: String { Product.decimal(cents: conditional * 100 / max(1, requests)) }

    func write(to text: inout JSONText) {
        let counts: [(StaticString, Int)] = [
            ("requests", requests), ("ok", ok), ("not_modified", notModified),
            ("client_errors", clientErrors), ("server_errors", serverErrors), ("vanished", vanished),
            ("conditional", conditional),
        ]
        text.object { text in
            for (name, count) in counts {
                text.name(name)
                text.number(count)
            }
            text.name("conditional_share")
            text.raw(conditionalShare.utf8)
            text.name("bytes")
            text.number(bytes)
            text.name("last_request_at")
            if let last { text.string(last.rfc3339) } else { text.null() }
        }
    }
}
