import RefreshCore
import RefreshFormats
import RefreshTransfer

/// What an answer means: the user's rules in their order, then the built-in ones (configuration, 3).
package struct ErrorRules: Sendable {
    package enum Verdict: Sendable, Equatable {
        /// A body to be read.
        case content
        /// A page without rows.
        case empty
        /// 304: what is cached still holds.
        case notModified
        /// As if nothing had been asked.
        case ignore
        /// What was asked for exists no more.
        case gone(RefreshFailure)
        /// The same again, after a while of our own.
        case retry(RefreshFailure)
        /// The same again, not before the upstream's pause has passed.
        case wait(RefreshFailure)
        /// With new credentials.
        case login(RefreshFailure)
        /// The list from its first page on.
        case restartPages(RefreshFailure)
        /// Without the key, which holds no more.
        case fullResync(RefreshFailure)
        case fail(RefreshFailure)
    }

    private let rules: [ErrorRule]
    private let rates: RateHeaders

    package init(_ rules: [ErrorRule], rates: RateHeaders) {
        self.rules = rules
        self.rates = rates
    }

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - conditional: whether validators were sent; a 304 to a request without any is a fault (F11).
    ///   - isReset: whether the pass calls this status the end of its key.
    package func verdict(
        _ answer: TransferAnswer, conditional: Bool, isReset: Bool, now: Timestamp
    ) -> Verdict {
        if let rule = rules.first(where: { matches($0.when, answer) }) {
            return verdict(rule, answer, now)
        }
        let builtIn = AnswerRules.verdict(
            status: answer.status, headers: answer.headers, conditional: conditional, now: now)
        switch builtIn {
        case .content: return .content
        case .empty: return .empty
        case .notModified: return .notModified
        case .failed(let failure):
            if isReset { return .fullResync(failure) }
            return refined(failure, answer, now)
        }
    }

    /// The built-in rules for what is no success.
    private func refined(_ failure: RefreshFailure, _ answer: TransferAnswer, _ now: Timestamp) -> Verdict {
        switch answer.status {
        case 401: return .login(failure)
        case 403:
            if failure.retryAfter != nil { return .wait(failure) }
            let reading = RateReading(answer.headers, as: rates, now: now)
            guard let reading, reading.remaining == 0 else { return .fail(failure) }
            return .wait(
                failure.replacing(class: .rate, retryAfter: reading.reset ?? .seconds(60)))
        case 404: return .gone(failure)
        case 429:
            let reset = RateReading(answer.headers, as: rates, now: now)?.reset
            return .wait(failure.replacing(class: .rate, retryAfter: failure.retryAfter ?? reset))
        case 503 where failure.retryAfter != nil: return .wait(failure)
        case 408, 425, 500...599: return .retry(failure)
        default: return .fail(failure)
        }
    }

    // MARK: - The user's rules

    private func matches(_ when: ErrorRule.Condition, _ answer: TransferAnswer) -> Bool {
        if !when.statuses.isEmpty, !when.statuses.contains(where: { $0.matches(answer.status) }) {
            return false
        }
        if let header = when.header {
            guard let value = answer.headers.first(header.name) else { return false }
            if let wanted = header.value, wanted != value { return false }
        }
        if let text = when.text, !contains(answer.body.content, Array(text.utf8)) { return false }
        if let filter = when.body {
            // What cannot be read holds nothing, and the next rule has its turn.
            guard let document = try? JSONDocument(parsing: answer.body),
                (try? document.satisfies(filter)) == true
            else { return false }
        }
        return true
    }

    private func contains(_ text: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        var rest = text
        while let start = rest.firstIndex(of: first) {
            if rest[start...].starts(with: part) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }

    private func verdict(_ rule: ErrorRule, _ answer: TransferAnswer, _ now: Timestamp) -> Verdict {
        let failure = failure(of: rule, answer, now)
        return switch rule.action {
        case .retry: .retry(failure)
        case .fail: .fail(failure)
        case .ignore: .ignore
        case .empty: .empty
        case .gone: .gone(failure)
        case .login: .login(failure)
        case .wait:
            .wait(failure.replacing(class: .rate, retryAfter: failure.retryAfter ?? pause(answer, now)))
        case .restartPages: .restartPages(failure)
        case .fullResync: .fullResync(failure)
        }
    }

    private func pause(_ answer: TransferAnswer, _ now: Timestamp) -> Duration {
        RateReading(answer.headers, as: rates, now: now)?.reset ?? .seconds(60)
    }

    private func failure(
        of rule: ErrorRule, _ answer: TransferAnswer, _ now: Timestamp
    ) -> RefreshFailure {
        var kind: RefreshFailure.Class = .upstream
        var code = "error-rule"
        var detail = "the answer (status \(answer.status)) is an error by the feed's own rules"
        var retryAfter = answer.headers.first("retry-after").flatMap { RetryAfter.parse($0, now: now) }
        if case .failed(let builtIn) = AnswerRules.verdict(
            status: answer.status, headers: answer.headers, conditional: false, now: now)
        {
            (kind, code, detail) = (builtIn.class, builtIn.code, builtIn.detail)
            retryAfter = builtIn.retryAfter ?? retryAfter
        }
        if rule.action == .retry { kind = .transient }
        return RefreshFailure(
            kind, code: code, detail: rule.message ?? detail, status: answer.status, retryAfter: retryAfter)
    }
}

extension RefreshFailure {
    func replacing(class: Class, retryAfter: Duration?) -> RefreshFailure {
        RefreshFailure(`class`, code: code, detail: detail, status: status, retryAfter: retryAfter)
    }
}
