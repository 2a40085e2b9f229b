import RefreshCore
import Testing

@Suite("Backoff") struct BackoffTests {
    struct Case: CustomTestStringConvertible {
        let failure: RefreshFailure
        let every: Int
        let delays: [Int]
        var testDescription: String { "\(failure.code), every \(every) s" }
    }

    @Test(
        "grows with each failure in a row as the policy's table says",
        arguments: [
            Case(
                failure: Samples.network, every: 3_600,
                delays: [60, 240, 960, 7_200, 14_400, 28_800, 57_600, 86_400]),
            Case(failure: Samples.network, every: 5, delays: [60, 240, 960, 10, 20, 40]),
            Case(failure: Samples.outage, every: 300, delays: [300, 600, 1_200, 2_400]),
            Case(
                failure: Samples.missing, every: 300,
                delays: [3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400]),
            Case(failure: Samples.outage, every: 200_000, delays: [200_000, 200_000]),
        ])
    func grows(_ item: Case) {
        let delays = item.delays.indices.map {
            Backoff.delay(after: item.failure, count: $0 + 1, every: .seconds(item.every))
        }
        #expect(delays == item.delays.map { Duration.seconds($0) })
    }

    @Test("stays within a day, however often it failed")
    func staysBounded() {
        for count in [1, 20, 64, 1_000, Int.max] {
            #expect(
                Backoff.delay(after: Samples.outage, count: count, every: .seconds(300)) <= .seconds(86_400))
        }
    }
}
