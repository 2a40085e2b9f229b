import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Quotas of users", .timeLimit(.minutes(1))) struct QuotaTests {
    private let rate = Rate(count: 3, per: .seconds(60))
    private let start = BootTime(.seconds(1_000))

    @Test("so many at once, then one each time a share of the time has passed, each user by itself")
    func spending() {
        var quotas = Quotas()
        for _ in 1...3 { #expect(quotas.spend(by: 7, of: rate, at: start) == nil) }
        #expect(quotas.spend(by: 7, of: rate, at: start) == .seconds(20))
        #expect(quotas.spend(by: 8, of: rate, at: start) == nil)
        #expect(quotas.spend(by: 7, of: rate, at: start + .seconds(15)) == .seconds(5))
        #expect(quotas.spend(by: 7, of: rate, at: start + .seconds(20)) == nil)
        #expect(quotas.spend(by: 7, of: rate, at: start + .seconds(20)) == .seconds(20))
        // Not more than all of it comes back.
        for _ in 1...3 { #expect(quotas.spend(by: 7, of: rate, at: start + .seconds(9_000)) == nil) }
        #expect(quotas.spend(by: 7, of: rate, at: start + .seconds(9_000)) != nil)
    }

    @Test("whoever has spent it stays known among many others") func manyUsers() {
        var quotas = Quotas()
        for _ in 1...3 { #expect(quotas.spend(by: 7, of: rate, at: start) == nil) }
        for user in 100...(5_000 as UInt32) { _ = quotas.spend(by: user, of: rate, at: start + .seconds(1)) }
        #expect(quotas.spend(by: 7, of: rate, at: start + .seconds(1)) != nil)
    }

    @Test("a reader who wants the network too often is refused and told when; what is cached is still read")
    func reading() async throws {
        let access = Access(owner: geteuid(), quota: Rate(count: 2, per: .seconds(60)))
        try await Rig.with(control: FakeControl(immediate: .unchanged), access: access) { rig in
            let target = "/v1/feeds/shop/items?policy=network_first"
            for _ in 1...2 { #expect(await rig.http.get(target)?.status == 200) }
            let answer = await rig.http.get(target)
            #expect(answer?.status == 429)
            #expect(answer?.headers.first("Retry-After") == "30")
            let body = try Body(answer)
            #expect(body["code"] == "quota-exceeded" && body["retry_after_ms"] == "30000")
            #expect(await rig.http.get("/v1/feeds/shop/items")?.status == 200)
            #expect(rig.control.wishes.count == 2)
            rig.time.advance(by: .seconds(31))
            #expect(await rig.http.get(target)?.status == 200)
        }
    }
}
