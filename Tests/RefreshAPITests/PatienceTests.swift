import Testing

@testable import RefreshAPI

@Suite("How long a connection may stay") struct PatienceTests {
    @Test("every step but waiting and streaming has an end", arguments: Patience.Step.allCases)
    func limits(_ step: Patience.Step) {
        guard let limit = Patience.limit(of: step) else {
            #expect(step == .waiting || step == .streaming)
            #expect(!Patience.isOver(step, for: .seconds(86_400)))
            return
        }
        #expect(!Patience.isOver(step, for: limit - .milliseconds(1)))
        #expect(Patience.isOver(step, for: limit))
    }
}
