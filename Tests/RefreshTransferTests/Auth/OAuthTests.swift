import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("OAuth 2.0", .timeLimit(.minutes(1))) struct OAuthTests {
    private let transfer: TransferService
    private let world: TokenWorld

    init() throws {
        transfer = try TransferService()
        world = try TokenWorld()
    }

    @Test("gets a token by the client's credentials, keeps it, and renews it before it ends")
    func clientCredentials() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials) { $0.scopes = ["read"] }
        for _ in 0..<3 {
            #expect(try await service.perform(world.upstream.request("/a"), auth: plan).text == "access-1")
        }
        #expect(world.exchanges.count == 1)
        let exchange = try #require(world.exchanges.first)
        #expect(exchange.method == "POST")
        #expect(exchange.header("content-type") == "application/x-www-form-urlencoded")
        #expect(exchange.header("accept") == "application/json")
        #expect(
            String(decoding: exchange.body, as: UTF8.self)
                == "grant_type=client_credentials&scope=read&client_id=client&client_secret=client-secret")
        world.time.advance(by: .seconds(3_539))
        #expect(try await service.perform(world.upstream.request("/a"), auth: plan).text == "access-1")
        world.time.advance(by: .seconds(1))
        #expect(try await service.perform(world.upstream.request("/a"), auth: plan).text == "access-2")
    }

    @Test("sends the endpoint nothing of the feed but what it needs")
    func keepsFeedApart() async throws {
        var request = try world.upstream.request("/a", headers: [("X-Key", "k"), ("Cookie", "c=1")])
        request.cookies = CookieJar()
        let plan = try world.plan(.clientCredentials) { $0.clientAuth = .basic }
        _ = try await world.service(transfer).perform(request, auth: plan)
        let exchange = try #require(world.exchanges.first)
        #expect(exchange.header("x-key") == nil && exchange.header("cookie") == nil)
        #expect(exchange.header("authorization") == "Basic Y2xpZW50OmNsaWVudC1zZWNyZXQ=")
        #expect(!String(decoding: exchange.body, as: UTF8.self).contains("secret"))
    }

    @Test("asks once for all feeds that share the credential, and for each one of another")
    func shares() async throws {
        let gate = UpstreamGate()
        world.holdGrants(at: gate)
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        let other = try world.plan(.clientCredentials) { $0.scopes = ["other"] }
        let request = try world.upstream.request("/a")
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await service.perform(request, auth: plan).text } }
            await gate.arrivals(1)
            group.addTask { try await service.perform(request, auth: other).text }
            await gate.arrivals(2)
            gate.open()
            let tokens = try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            #expect(tokens.values.sorted() == [1, 20])
        }
        #expect(world.exchanges.count == 2)
    }

    // MARK: - Refusals

    @Test("renews a kept token once when the upstream refuses it")
    func renews() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        let request = try world.upstream.request("/a")
        _ = try await service.perform(request, auth: plan)
        world.revokeAll()
        #expect(try await service.perform(request, auth: plan).text == "access-2")
        #expect(world.exchanges.count == 2 && world.asked.count == 3)
    }

    @Test("renews no token that was fetched for this very request, and only one that was not")
    func stopsAtOnce() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        let refused = UpstreamAnswer(text: #"{"access_token":"worthless"}"#)
        world.next([refused, refused, refused])
        #expect(try await service.perform(world.upstream.request("/a"), auth: plan).status == 401)
        #expect(world.exchanges.count == 1 && world.asked.count == 1)
        _ = try await service.perform(world.upstream.request("/a"), auth: plan)
        #expect(world.exchanges.count == 2 && world.asked.count == 2)
    }

    @Test("takes a rule of the file for a refusal as it takes 401")
    func ownRule() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        let upstream = try ScriptedUpstream { request in
            request.header("authorization") == "Bearer access-1" && request.order > 1
                ? UpstreamAnswer(text: "session expired") : UpstreamAnswer(text: "rows")
        }
        func ask() async throws -> String {
            try await service.perform(upstream.request(), auth: plan) { $0.text.contains("expired") }.text
        }
        #expect(try await ask() == "rows")
        #expect(try await ask() == "rows")
        #expect(upstream.requests.compactMap { $0.header("authorization") }.last == "Bearer access-2")
    }

    @Test("tells why the endpoint refuses, without secrets, and leaves it alone for a while")
    func refusal() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        let text = #"{"error":"invalid_client","error_description":"client-secret of client is wrong"}"#
        world.next([UpstreamAnswer(status: 401, text: text)])
        let request = try world.upstream.request("/a")
        for _ in 0..<5 {
            let failure = try #require(await service.failure(of: request, auth: plan)).failure
            #expect(failure.class == .auth && failure.code == "oauth-invalid-client")
            #expect(failure.detail.contains("***") && !failure.detail.contains("client-secret"))
        }
        #expect(world.exchanges.count == 1 && world.asked.isEmpty)
        // The operator mends the secret: no need to wait.
        let mended = try world.plan(.clientCredentials) { $0.clientSecret = .literal("other-secret") }
        #expect(try await service.perform(request, auth: mended).text == "access-1")
    }

    @Test("waits as long as the endpoint asks with 429")
    func rateLimit() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        world.next([UpstreamAnswer(status: 429, headers: [("Retry-After", "120")])])
        let request = try world.upstream.request("/a")
        for (passed, left) in [(0, 120), (60, 60)] {
            world.time.advance(by: .seconds(passed))
            let failure = try #require(await service.failure(of: request, auth: plan)).failure
            #expect(failure.class == .rate && failure.retryAfter == .seconds(left))
        }
        #expect(world.exchanges.count == 1)
        world.time.advance(by: .seconds(60))
        #expect(try await service.perform(request, auth: plan).text == "access-1")
    }

    @Test("asks again after a passing fault of the endpoint")
    func retries() async throws {
        let service = world.service(transfer)
        let plan = try world.plan(.clientCredentials)
        world.next([UpstreamAnswer(status: 502), .nothing])
        let request = try world.upstream.request("/a")
        let task = Task { try await service.perform(request, auth: plan).text }
        for _ in 0..<2 {
            #expect(await eventually { world.time.earliest != nil })
            world.time.advance(by: .seconds(4))
        }
        #expect(try await task.value == "access-1")
        #expect(world.exchanges.count == 3)
    }

    @Test("has no token from a place that it may not reach, or that redirects it elsewhere")
    func endpointRules() async throws {
        let service = world.service(transfer)
        let inner = try world.upstream.request("/a", allowPrivate: false)
        guard
            case .token(let refused)? = await service.failure(
                of: inner, auth: try world.plan(.clientCredentials))
        else {
            Issue.record("reached")
            return
        }
        #expect(refused.code == "address-refused")
        world.next([.redirect(to: "/elsewhere", status: 302)])
        let plan = try world.plan(.clientCredentials) { $0.scopes = ["x"] }
        let request = try world.upstream.request("/a")
        #expect(await service.failure(of: request, auth: plan)?.failure.code == "redirect-refused")
        #expect(world.asked.isEmpty)
    }

    // MARK: - Rotation

    // singer-io/tap-salesforce#223, meltano/sdk#3727, airbytehq/airbyte#20923: the rotated token was lost.
    @Test("stores a rotated refresh token before it uses what came with it")
    func rotates() async throws {
        world.rotates(from: "refresh-0")
        let world = world
        // Nobody has used the new token when it is written.
        let (transfer, flush) = (transfer, try world.upstream.request("/flush"))
        let store = MemoryTokenStore {
            // By the time that these are answered a use of before would have arrived.
            for _ in 0..<5 { _ = try? await transfer.perform(flush) }
            #expect(world.asked.filter { $0.path == "/a" }.count == world.exchanges.count - 1)
        }
        let plan = try world.plan(.refreshToken)
        let request = try world.upstream.request("/a")
        #expect(
            try await world.service(transfer, store: store).perform(request, auth: plan).text == "access-1")
        #expect(store.saves == ["refresh-1"])
        // A crash, and a new daemon: the file's own token is worth nothing any more.
        #expect(
            try await world.service(transfer, store: store).perform(request, auth: plan).text == "access-2")
        #expect(store.saves == ["refresh-1", "refresh-2"])
    }

    @Test("loses no token where the daemon ends between the store and the first use")
    func crashBetween() async throws {
        world.rotates(from: "refresh-0")
        let gate = UpstreamGate()
        let store = MemoryTokenStore()
        let plan = try world.plan(.refreshToken)
        let stuck = try ScriptedUpstream { _ in .silence(until: gate) }
        let service = world.service(transfer, store: store)
        let request = try stuck.request()
        let task = Task { await service.failure(of: request, auth: plan) }
        await stuck.received(1)
        task.cancel()
        #expect(await task.value == .transfer(.cancelled))
        let next = world.service(transfer, store: store)
        #expect(try await next.perform(world.upstream.request("/a"), auth: plan).text == "access-2")
    }

    @Test("goes on with an exchange that nobody waits for any more")
    func outlivesCaller() async throws {
        world.rotates(from: "refresh-0")
        let gate = UpstreamGate()
        world.holdGrants(at: gate)
        let store = MemoryTokenStore()
        let service = world.service(transfer, store: store)
        let plan = try world.plan(.refreshToken)
        let request = try world.upstream.request("/a")
        let task = Task { await service.failure(of: request, auth: plan) }
        await gate.arrivals(1)
        task.cancel()
        #expect(await task.value?.failure.code == "cancelled")
        gate.open()
        await service.close()
        #expect(store.saves == ["refresh-1"])
        #expect(await service.failure(of: request, auth: plan)?.failure.code == "stopped")
    }

    @Test("uses nothing while the store fails, and does not ask again for what it has")
    func brokenStore() async throws {
        world.rotates(from: "refresh-0")
        let store = MemoryTokenStore()
        let service = world.service(transfer, store: store)
        let plan = try world.plan(.refreshToken)
        let request = try world.upstream.request("/a")
        store.breaks(true)
        #expect(await service.failure(of: request, auth: plan)?.failure.code == "storage-full")
        #expect(world.exchanges.isEmpty)
        store.breaks(false)
        let gate = UpstreamGate()
        world.holdGrants(at: gate)
        let task = Task { await service.failure(of: request, auth: plan) }
        await gate.arrivals(1)
        store.breaks(true)
        gate.open()
        #expect(await task.value?.failure.code == "storage-full")
        #expect(world.asked.isEmpty)
        store.breaks(false)
        #expect(try await service.perform(request, auth: plan).text == "access-1")
        #expect(world.exchanges.count == 1 && store.saves == ["refresh-1"])
    }

    @Test("begins with the file's refresh token when the operator has put in another one")
    func newSeed() async throws {
        world.rotates(from: "refresh-0")
        let store = MemoryTokenStore()
        let request = try world.upstream.request("/a")
        _ = try await world.service(transfer, store: store).perform(request, auth: world.plan(.refreshToken))
        world.rotates(from: "refresh-new")
        let plan = try world.plan(.refreshToken) { $0.refreshToken = .literal("refresh-new") }
        _ = try await world.service(transfer, store: store).perform(request, auth: plan)
        #expect(store.saves.count == 2)
    }
}
