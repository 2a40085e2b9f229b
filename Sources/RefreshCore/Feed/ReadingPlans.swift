/// On-demand refresh of single items (semantics R1–R26).
package struct ByIDPlan: Sendable, Equatable {
    package enum Missing: String, Sendable, CaseIterable { case gone, unknown, error }

    /// How several ids stand in one parameter.
    package enum Joining: Sendable, Hashable {
        case separator(String)
        /// The parameter once for each.
        case repeated
    }

    package var request: RequestPlan?
    package var to: SendPlace?
    package var joining = Joining.separator(",")
    package var maxBatch = 50
    package var minBatch = 0
    package var window = 0
    package var debounce: Duration = .milliseconds(500)
    package var maxWait: Duration = .seconds(2)
    /// Nil is half of `fresh_for`.
    package var fillMinAge: Duration?
    package var goneRecheck: Duration = .seconds(3_600)
    package var missing = Missing.unknown
    package var missingGuard = 0.5
    package var maxFlights = 1
    package var flightTimeout: Duration = .seconds(30)
    package var forceMinInterval: Duration = .seconds(1)
    /// One refresh of the list serves all ids that are asked for.
    package var fallsBackToList = false

    package init() {}
}

/// How old is how fresh (semantics F3–F10).
package struct FreshnessPlan: Sendable, Equatable {
    package enum Scope: String, Sendable, CaseIterable { case item, feed }
    package enum UpstreamHeaders: String, Sendable, CaseIterable { case ignore, shorten, follow }

    package var scope = Scope.feed
    /// Nil: until the due time that the last success set.
    package var freshFor: Duration?
    package var serveStale: Duration = .seconds(3_600)
    /// Nil is for ever.
    package var staleIfError: Duration?
    /// How long a reader who asks to wait does so.
    package var wait: Duration = .seconds(3)
    package var keepValidators: Duration = .seconds(7 * 86_400)
    package var upstreamHeaders = UpstreamHeaders.shorten

    package init() {}
}

/// Loading of further pages before a reader reaches the end (semantics L1–L9).
package struct PreloadPlan: Sendable, Equatable {
    /// False is `off`: deeper pages come by `more` only.
    package var isAhead = true
    package var passPages = 1
    package var aheadItems = 20
    package var aheadRatio = 0.8
    package var pagesAhead = 1
    package var emptyPagesMax = 3
    package var shortPageIsEnd = false

    package init() {}
}

/// A value worked out from an item by a program (semantics D1–D6).
package struct DerivePlan: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable { case lazy, eager }

    package let name: String
    package var from: [JSONPath] = []
    package var command: [String] = []
    package var plugin: String?
    package var mode = Mode.lazy
    /// A JSON text.
    package var params: String?
    package var timeout: Duration = .seconds(30)
    package var maxVariants = 8
    package var bytes: ByteCount = .mebibytes(1)

    package init(name: String) { self.name = name }
}

/// Operations that readers hand in (semantics O1–O19).
package struct OutboxPlan: Sendable, Equatable {
    package enum Lane: String, Sendable, CaseIterable { case feed, key }
    package enum OnUnknown: String, Sendable, CaseIterable { case hold, retry }
    package enum OnDead: String, Sendable, CaseIterable { case `continue`, block }

    package enum Idempotency: Sendable, Hashable {
        case none
        case header(String)
        case body(JSONPath)
        case address
    }

    package struct Action: Sendable, Equatable {
        package let name: String
        package let request: RequestPlan
        /// Where an answer says the server's key.
        package var key: JSONPath?
        package var temporaryKey = false

        package init(name: String, request: RequestPlan) {
            self.name = name
            self.request = request
        }
    }

    package var actions: [Action] = []
    package var lane = Lane.feed
    package var idempotency = Idempotency.none
    package var lookup: RequestPlan?
    package var correlation: JSONPath?
    package var onUnknown = OnUnknown.hold
    package var onDead = OnDead.continue
    package var timeout: Duration = .seconds(30)
    /// 0 is without end.
    package var maxAttempts = 0
    package var maxAge: Duration = .seconds(7 * 86_400)
    package var gateTimeout: Duration = .seconds(5)
    package var settle: Duration = .seconds(60)
    package var resultKeep: Duration = .seconds(86_400)
    package var maxOperations = 10_000
    package var maxBody: ByteCount = .mebibytes(1)
    package var invalidates: [FeedID] = []

    package init() {}
}
