import Testing

@testable import RefreshAPI

@Suite("Problem codes") struct ProblemTests {
    @Test("every code has a status of an error and a title", arguments: Problem.Code.allCases)
    func complete(_ code: Problem.Code) {
        #expect((400..<600).contains(code.status))
        #expect(!code.title.isEmpty)
        let answer = Problem(code, "why").answer(instance: "req-1")
        let hasRetry = answer.fields.contains { $0.name == "Retry-After" }
        #expect(hasRetry == [429, 503].contains(code.status))
    }
}
