import RefreshCore

/// What came of a wish for a refresh.
package struct RefreshAnswer: Sendable {
    /// Nil where the daemon only took the wish (202).
    package var outcome: String?
    package var counts: RefreshCounts?
    package var error: ErrorNote?
    package var retryIn: Duration?
    /// What the daemon says beyond the outcome.
    package var detail: String?

    package init(outcome: String? = nil) { self.outcome = outcome }

    /// Whether what was asked for was done, is under way, or was not needed.
    ///
    /// An outcome that this version does not know is not called a failure.
    package var isSuccess: Bool {
        switch outcome {
        case "failed", "backoff", "too_soon", "limited", "refused", "timeout", "capped": false
        default: true
        }
    }
}

/// An error answer (RFC 9457).
package struct Problem: Error, Sendable, Equatable {
    package var status: Int
    package var code: String?
    package var title: String?
    package var detail: String?

    package init(status: Int, code: String? = nil, title: String? = nil, detail: String? = nil) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
    }

    /// For people.
    package var text: String {
        detail ?? title ?? "the daemon answers with status \(status)"
    }
}
