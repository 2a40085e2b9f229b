import CLinux
import RefreshCore
import RefreshStore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Connections", .timeLimit(.minutes(1))) struct ConnectionTests {
    @Test("one connection serves many requests, refused ones among them")
    func keepAlive() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let statuses = await offPool { () -> [Int?] in
                guard let client = RawClient(path) else { return [] }
                return ["/", "/v1/nothing", "/v1/feeds/shop/items/c", "/v1/feeds?x=1", "/healthz"].map {
                    client.get($0)?.status
                }
            }
            #expect(statuses == [200, 404, 200, 400, 200])
        }
    }

    @Test("requests sent at once are answered in their order")
    func pipelined() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let answers = await offPool { () -> [RawClient.Answer?] in
                guard let client = RawClient(path) else { return [] }
                let requests = ["/", "/v1/feeds/shop", "/nothing"].map {
                    "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                }
                client.say(requests.joined())
                return requests.map { _ in client.hear() }
            }
            #expect(answers.map { $0?.status } == [200, 200, 404])
            let second = try Body(try #require(answers.dropFirst().first))
            #expect(second["name"] == "shop")
        }
    }

    @Test(
        "a request whose end is not clear is refused, and nothing behind it is read",
        arguments: [
            "Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nContent-Length: 0\r\n",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        ])
    func smuggling(_ fields: String) async throws {
        try await Rig.with { rig in
            let path = rig.path
            let (first, isEnded) = await offPool { () -> (RawClient.Answer?, Bool) in
                guard let client = RawClient(path) else { return (nil, false) }
                client.say(
                    "POST /v1/feeds/shop/refresh HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\n\(fields)\r\n0\r\n\r\n"
                        + "POST /v1/feeds/shop/refresh HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                return (client.hear(), client.hear() == nil)
            }
            let body = try Body(first)
            #expect(first?.status == 400)
            #expect(body["code"] == "ambiguous-length")
            #expect(isEnded)
            #expect(rig.control.wishes == [])
        }
    }

    @Test("a body in chunks is read, and one that grows too large is refused")
    func chunks() async throws {
        try await Rig.with(control: FakeControl(immediate: .unchanged)) { rig in
            let path = rig.path
            let head =
                "POST /v1/feeds/shop/refresh HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            let (small, large) = await offPool { () -> (RawClient.Answer?, RawClient.Answer?) in
                let first = RawClient(path)
                let small = first?.ask(head + "6\r\n{\"wait\r\n8\r\n\":\"all\"}\r\n0\r\n\r\n")
                let piece = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
                let second = RawClient(path)
                second?.say(head + String(repeating: piece, count: 17) + "0\r\n\r\n")
                return (small, second?.hear())
            }
            let body = try Body(small)
            #expect(body["outcome"] == "unchanged")
            let refusal = try Body(large)
            #expect(large?.status == 413)
            #expect(refusal["code"] == "body-too-large")
        }
    }

    @Test("a body that is announced as too large is refused before it is sent")
    func announced() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let answer = await offPool {
                RawClient(path)?.ask(
                    "POST /v1/feeds/shop/refresh HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n")
            }
            let body = try Body(answer)
            #expect(answer?.status == 413)
            #expect(body["code"] == "body-too-large")
        }
    }

    // libmicrohttpd's own epoll thread hangs when exactly as many connections as its event list holds become
    // readable at once; driven from outside it does not.
    @Test("128 clients at once, in a closed loop, are all answered")
    func manyAtOnce() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let answered = await offPool { () -> Int in
                let clients = (0..<128).compactMap { _ in RawClient(path) }
                guard clients.count == 128 else { return 0 }
                let clock = ContinuousClock()
                let end = clock.now + .seconds(1)
                var answered = 0
                repeat {
                    for client in clients {
                        client.say("GET /v1/feeds/shop/items/c HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    }
                    for client in clients where client.hear()?.status == 200 { answered += 1 }
                    guard answered % 128 == 0 else { return 0 }
                } while clock.now < end
                return answered
            }
            #expect(answered >= 128)
        }
    }

    @Test("one connection too many is told so, and a place that becomes free is given away")
    func tooMany() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let places = Admission().ofOneUser + (getuid() == 0 ? Admission.keptForRoot : 0)
            let (refused, later) = await offPool { () -> (RawClient.Answer?, Int?) in
                var clients = (0..<places).compactMap { _ in RawClient(path) }
                // Answered, so all of them have been counted.
                for client in clients where client.get("/healthz")?.status != 200 { return (nil, nil) }
                let refused = RawClient(path)?.hear()
                clients.removeLast().hangUp()
                // The server sees the end of a connection when it comes to it.
                for _ in 0..<1_000 {
                    if let status = RawClient(path)?.get("/healthz")?.status, status == 200 {
                        return (refused, status)
                    }
                }
                return (refused, nil)
            }
            let body = try Body(refused)
            #expect(refused?.status == 503)
            #expect(refused?.headers.first("Retry-After") != nil)
            #expect(body["code"] == "too-many-connections")
            #expect(later == 200)
        }
    }

    @Test("a connection of which nothing is understood for ten seconds is shut")
    func slowHead() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let clients = await offPool { () -> [RawClient] in
                let silent = RawClient(path)
                let slow = RawClient(path)
                slow?.say("GET / HTTP/1.1\r\nHost: local")
                let busy = RawClient(path)
                // Answered last, so the others have arrived before.
                guard busy?.get("/")?.status == 200 else { return [] }
                return [silent, slow, busy].compactMap { $0 }
            }
            try #require(clients.count == 3)
            rig.time.advance(by: .seconds(11))
            let ended = await offPool { () -> [Bool] in
                // A turn of the server, should it not have had one by itself.
                _ = RawClient(path)?.get("/")
                return [clients[0].isEnded(), clients[1].isEnded(), clients[2].get("/")?.status != 200]
            }
            #expect(ended == [true, true, false])
        }
    }

    @Test("a stop closes what is open and removes the socket; a second stop does nothing")
    func stop() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let idle = await offPool { RawClient(path) }
            try #require(idle != nil)
            let (isEnded, isGone) = await offPool { () -> (Bool, Bool) in
                rig.server.stop()
                return (idle?.isEnded() ?? false, unsafe access(path, F_OK) != 0)
            }
            #expect(isEnded && isGone)
            await offPool { rig.server.stop() }
        }
    }

    @Test("a server that was never started can be dropped and stopped")
    func neverStarted() async throws {
        let folder = TemporaryFolder()
        let isGone = await offPool { () -> Bool in
            let time = ManualTime()
            guard
                let store = try? Store(folder: folder.path, random: Randomness(seed: 1), now: time.now().wall)
            else { return false }
            do {
                let server = try APIServer(
                    socket: .make(path: folder.path("s"), mode: 0o600), board: .init(),
                    control: FakeControl(), daemon: FakeControl(), storeFolder: folder.path,
                    commits: store.commits, time: time,
                    instance: "a", version: "1",
                    log: .silent, access: LiveAccess(Access(owner: 0)))
                server.stop()
            } catch {
                return false
            }
            store.stop()
            return unsafe access(folder.path("s"), F_OK) != 0
        }
        #expect(isGone)
    }
}
