import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Refreshes over the socket", .timeLimit(.minutes(5))) struct RefreshTests {
    private static let path = "/v1/feeds/shop/refresh"

    @Test("without a wait the wish is taken and answered at once")
    func accepted() async throws {
        try await Rig.with { rig in
            let answer = await rig.http.post(RefreshTests.path, json: #"{"mode":"now","accept_drop":true}"#)
            let body = try Body(answer)
            #expect(answer?.status == 202)
            #expect(body["feed"] == "shop")
            #expect(body["batch"] == "abc-1")
            await rig.control.arrived(1)
            let shop = try rig.feed("shop")
            #expect(rig.control.wishes == [FakeControl.Wish(feed: shop, mode: .now, acceptDrop: true)])
        }
    }

    @Test("an empty body asks for what is usual")
    func defaults() async throws {
        try await Rig.with { rig in
            let answer = await rig.http.post(RefreshTests.path, json: "")
            #expect(answer?.status == 202)
            await rig.control.arrived(1)
            let shop = try rig.feed("shop")
            #expect(rig.control.wishes == [FakeControl.Wish(feed: shop, mode: .ifStale, acceptDrop: false)])
        }
    }

    struct Outcome: Sendable, CustomTestStringConvertible {
        let outcome: RefreshOutcome
        let expected: [String: String]
        var testDescription: String { expected["outcome"] ?? "" }
    }

    private static var counts: RefreshCounts {
        var counts = RefreshCounts()
        counts.added = 3
        counts.removed = 1
        return counts
    }

    @Test(
        "a client that waits gets the outcome",
        arguments: [
            Outcome(
                outcome: .refreshed(counts),
                expected: ["outcome": "refreshed", "counts.added": "3", "counts.removed": "1"]),
            Outcome(outcome: .unchanged, expected: ["outcome": "unchanged"]),
            Outcome(outcome: .fresh, expected: ["outcome": "fresh"]),
            Outcome(
                outcome: .failed(RefreshFailure(.upstream, code: "http-404", detail: "nothing", status: 404)),
                expected: ["outcome": "failed", "error.class": "upstream", "error.code": "http-404"]),
            Outcome(
                outcome: .backoff(retryIn: .seconds(9)),
                expected: ["outcome": "backoff", "retry_in_ms": "9000"]),
            Outcome(
                outcome: .tooSoon(retryIn: .milliseconds(1_500)),
                expected: ["outcome": "too_soon", "retry_in_ms": "1500"]),
            Outcome(
                outcome: .refused(reason: "the feed is disabled"),
                expected: ["outcome": "refused", "detail": "the feed is disabled"]),
        ])
    func waits(_ item: Outcome) async throws {
        try await Rig.with { rig in
            async let asked = rig.http.post(RefreshTests.path, json: #"{"wait":"all"}"#)
            await rig.control.arrived(1)
            rig.control.finish(item.outcome)
            let answer = await asked
            let body = try Body(answer)
            #expect(answer?.status == 200)
            #expect(answer?.headers.first("Cache-Control") == "no-store")
            for (name, value) in item.expected { #expect(body[name] == value) }
        }
    }

    @Test("others are answered while somebody waits, and the waiting connection lives on")
    func sideBySide() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let waiter = try #require(
                await offPool { () -> RawClient? in
                    let client = RawClient(path)
                    client?.say(RefreshTests.wish(#"{"wait":"all"}"#))
                    return client
                })
            await rig.control.arrived(1)
            let other = await rig.http.get("/v1/feeds")
            #expect(other?.status == 200)
            rig.control.finish(.unchanged)
            let answers = await offPool { [waiter.hear()?.status, waiter.get("/")?.status] }
            #expect(answers == [200, 200])
        }
    }

    @Test("at its deadline the client hears that the refresh goes on")
    func timeout() async throws {
        try await Rig.with { rig in
            async let asked = rig.http.post(RefreshTests.path, json: #"{"wait":"all","deadline_ms":3000}"#)
            await rig.control.arrived(1)
            rig.time.advance(by: .seconds(3))
            let answer = await asked
            let body = try Body(answer)
            #expect(answer?.status == 200)
            #expect(body["outcome"] == "timeout")
            // What comes later is nobody's answer.
            rig.control.finish(.unchanged)
            let next = await rig.http.get("/healthz")
            #expect(next?.status == 200)
        }
    }

    @Test("a client that leaves while it waits frees its place; the refresh goes on")
    func gone() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let client = try #require(
                await offPool { () -> RawClient? in
                    let client = RawClient(path)
                    client?.say(RefreshTests.wish(#"{"wait":"all","deadline_ms":60000}"#))
                    return client
                })
            await rig.control.arrived(1)
            client.hangUp()
            rig.time.advance(by: .seconds(6))
            // Its place is free again when so many others fit as there are places.
            let places = Admission().ofOneUser + (getuid() == 0 ? Admission.keptForRoot : 0)
            let fits = await offPool { () -> Bool in
                for _ in 0..<200 {
                    let clients = (0..<places).compactMap { _ in RawClient(path) }
                    if clients.allSatisfy({ $0.get("/healthz")?.status == 200 }) { return true }
                }
                return false
            }
            #expect(fits)
            rig.control.finish(.unchanged)
        }
    }

    @Test("whoever is neither root nor the daemon's user may read and not refresh")
    func forbidden() async throws {
        try await Rig.with(owner: 4_242) { rig in
            #expect(unsafe chmod(rig.folder.path, 0o755) == 0)
            #expect(unsafe chmod(rig.path, 0o666) == 0)
            let read = try await askAsNobody(rig, ["http://localhost/v1/feeds/shop"])
            #expect(read.contains(#""name":"shop""#))
            let refused = try await askAsNobody(
                rig,
                ["http://localhost\(RefreshTests.path)", "-d", "{}", "-H", "Content-Type: application/json"])
            #expect(refused.contains(#""status":403"#) && refused.contains(#""code":"forbidden""#))
            #expect(rig.control.wishes == [])
        }
    }

    /// What curl prints when it asks as a user who is neither root nor the owner of the server.
    private func askAsNobody(_ rig: Rig, _ arguments: [String]) async throws -> String {
        let folder = TemporaryFolder()
        let curl = ["/usr/bin/curl", "--silent", "--unix-socket", rig.path] + arguments
        let isRoot = getuid() == 0
        let change = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let command = (isRoot ? change : []) + curl
        let child = try ChildProcess(command[0], Array(command.dropFirst()), in: folder)
        #expect(await child.wait() == .exited(0))
        return child.output
    }

    @Test("more wishes than can be under way are refused, and taken again later")
    func busy() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let statuses = await offPool { () -> [Int?] in
                guard let client = RawClient(path) else { return [] }
                return (0...ErrandDesk.capacity).map { _ in client.ask(RefreshTests.wish("{}"))?.status }
            }
            #expect(statuses.dropLast().allSatisfy { $0 == 202 })
            #expect(statuses.last == 503)
            await rig.control.arrived(ErrandDesk.capacity)
            rig.control.finish(.unchanged)
            let again = await offPool { () -> Int? in
                guard let client = RawClient(path) else { return nil }
                for _ in 0..<10_000 {
                    let status = client.ask(RefreshTests.wish("{}"))?.status
                    if status != 503 { return status }
                }
                return nil
            }
            #expect(again == 202)
        }
    }

    @Test("a stop answers whoever waits and does not hang on the engine")
    func stopping() async throws {
        try await Rig.with { rig in
            async let asked = rig.http.post(RefreshTests.path, json: #"{"wait":"all"}"#)
            await rig.control.arrived(1)
            await offPool { rig.server.stop() }
            let answer = await asked
            let body = try Body(answer)
            #expect(answer?.status == 503)
            #expect(body["code"] == "stopping")
            #expect(answer?.headers.first("Connection")?.lowercased() == "close")
        }
    }

    @Test("who asked for a refresh is in the log, with the id that the client got")
    func logged() async throws {
        let lines = Lines()
        try await Rig.with(log: Log(level: .info) { _, line in lines.add(line) }) { rig in
            let answer = await rig.http.post(RefreshTests.path, json: #"{"mode":"force"}"#)
            let id = try #require(answer?.headers.first("Refreshd-Request-Id"))
            let line = try #require(lines.all.first { $0.contains("refresh of shop") })
            #expect(line.contains(id) && line.contains("force") && line.contains("user \(getuid())"))
        }
    }

    private static func wish(_ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
