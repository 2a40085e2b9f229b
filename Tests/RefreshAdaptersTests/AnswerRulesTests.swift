import RefreshAdapters
import RefreshCore
import Testing

@Suite("What an upstream's status means") struct AnswerRulesTests {
    struct Case: CustomTestStringConvertible {
        let status: Int
        let headers: [(String, String)]
        let conditional: Bool
        let expected: Expected
        var testDescription: String { "\(status) \(headers) conditional \(conditional)" }

        init(
            _ status: Int, _ expected: Expected, headers: [(String, String)] = [], conditional: Bool = false
        ) {
            self.status = status
            self.headers = headers
            self.conditional = conditional
            self.expected = expected
        }
    }

    enum Expected: Equatable {
        case content, empty, notModified
        case failed(RefreshFailure.Class, status: Int?, retryAfter: Int?)
    }

    @Test(
        "is decided by status and head alone",
        arguments: [
            Case(200, .content),
            Case(226, .content),
            Case(204, .empty),
            Case(304, .notModified, conditional: true),
            Case(304, .failed(.upstream, status: 304, retryAfter: nil)),
            Case(301, .failed(.upstream, status: 301, retryAfter: nil)),
            Case(400, .failed(.upstream, status: 400, retryAfter: nil)),
            Case(401, .failed(.auth, status: 401, retryAfter: nil)),
            Case(403, .failed(.auth, status: 403, retryAfter: nil)),
            Case(403, .failed(.rate, status: 403, retryAfter: 120), headers: [("Retry-After", "120")]),
            Case(404, .failed(.upstream, status: 404, retryAfter: nil)),
            Case(408, .failed(.transient, status: nil, retryAfter: nil)),
            Case(410, .failed(.upstream, status: 410, retryAfter: nil)),
            Case(425, .failed(.transient, status: nil, retryAfter: nil)),
            Case(429, .failed(.rate, status: 429, retryAfter: nil)),
            Case(429, .failed(.rate, status: 429, retryAfter: 7), headers: [("retry-after", "7")]),
            Case(429, .failed(.rate, status: 429, retryAfter: nil), headers: [("Retry-After", "soon")]),
            Case(500, .failed(.transient, status: 500, retryAfter: nil)),
            Case(503, .failed(.transient, status: 503, retryAfter: 30), headers: [("Retry-After", "30")]),
        ])
    func verdict(_ item: Case) {
        let verdict = AnswerRules.verdict(
            status: item.status, headers: HTTPHeaders(item.headers), conditional: item.conditional,
            now: Timestamp(seconds: 1_767_225_600))
        switch verdict {
        case .content: #expect(item.expected == .content)
        case .empty: #expect(item.expected == .empty)
        case .notModified: #expect(item.expected == .notModified)
        case .failed(let failure):
            let seconds = failure.retryAfter.map { Int($0.components.seconds) }
            #expect(item.expected == .failed(failure.class, status: failure.status, retryAfter: seconds))
            #expect(failure.code == "http-\(item.status)")
        }
    }
}
