import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Crowds", .serialized, .timeLimit(.minutes(2))) struct CrowdTests {
    private static let waiters = 2_000
    private static let listeners = 200

    /// Sees to it that this process may have so many descriptors; false where it may not.
    private static func raiseLimit(to wanted: UInt64) -> Bool {
        var limit = refreshd_limit()
        guard unsafe refreshd_get_descriptor_limit(&limit) == 0, limit.hard >= wanted else { return false }
        guard limit.soft < wanted else { return true }
        limit.soft = wanted
        return unsafe refreshd_set_descriptor_limit(&limit) == 0
    }

    /// Bytes of memory that this process holds, server and clients together.
    private static func resident() -> Int {
        let text = String(decoding: readFile("/proc/self/statm") ?? [], as: UTF8.self)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    private static func mebibytes(_ bytes: Int) -> Int { bytes / (1_024 * 1_024) }

    @Test("two thousand clients wait, others are served meanwhile, and one commit answers all of them (T-L1)")
    func waiters() async throws {
        guard CrowdTests.raiseLimit(to: 6_000) else {
            return print("two thousand waiters were not tried: this system allows too few descriptors")
        }
        let admission = Admission(inAll: 2_100, ofOneUser: 2_100)
        try await Rig.with(admission: admission) { rig in
            let path = rig.path
            let target =
                "/v1/feeds/shop/changes?since=\(try rig.key("shop", try rig.newest("shop")))&wait=60s"
            let before = CrowdTests.resident()
            let clients = await offPool { () -> [RawClient] in
                (0..<CrowdTests.waiters).compactMap { _ in
                    let client = RawClient(path)
                    client?.say("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return client
                }
            }
            try #require(clients.count == CrowdTests.waiters)
            let served = await offPool { () -> Int in
                guard let other = RawClient(path) else { return 0 }
                return (0..<200).count { _ in other.get("/v1/feeds/shop/items/c")?.status == 200 }
            }
            let growth = CrowdTests.resident() - before
            #expect(served == 200)
            try await rig.commit("shop", [("c", #"{"n":2}"#)])
            let answered = await offPool { () -> Int in
                clients.count { client in
                    guard let answer = client.hear(), answer.status == 200 else { return false }
                    return String(decoding: answer.body, as: UTF8.self).contains(#""n":2"#)
                }
            }
            #expect(answered == CrowdTests.waiters)
            print("\(CrowdTests.waiters) waiters: \(CrowdTests.mebibytes(growth)) MiB")
            #expect(growth < 160 * 1_024 * 1_024)
        }
    }

    @Test("two hundred streams that nobody reads hold nobody up, and are let go (K14)")
    func deaf() async throws {
        guard CrowdTests.raiseLimit(to: 1_024) else {
            return print("two hundred streams were not tried: this system allows too few descriptors")
        }
        try await Rig.with(admission: Admission(inAll: 400, ofOneUser: 400)) { rig in
            let path = rig.path
            // More than the kernel takes for a client that does not read.
            let body = "\"" + String(repeating: "x", count: 16 * 1_024) + "\""
            try await rig.commit("big", (0..<32).map { ("k\($0)", body) })
            let before = CrowdTests.resident()
            let clients = await offPool { () -> [RawClient] in
                (0..<CrowdTests.listeners).compactMap { _ in
                    let client = RawClient(path)
                    client?.say(
                        "GET /v1/feeds/big/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
                    )
                    return client
                }
            }
            try #require(clients.count == CrowdTests.listeners)
            let (events, status) = await offPool { () -> (Int, Int?) in
                let events = StreamClient(path, "/v1/feeds/big/changes")?.events(33) ?? []
                return (
                    events.count { $0.name == "change" },
                    RawClient(path)?.get("/v1/feeds/big/items/k1")?.status
                )
            }
            #expect(events == 32 && status == 200)
            try await rig.commit("big", [("last", "1")])
            let growth = CrowdTests.resident() - before
            print("\(CrowdTests.listeners) deaf streams: \(CrowdTests.mebibytes(growth)) MiB")
            #expect(growth < CrowdTests.listeners * 1_024 * 1_024)
            rig.time.advance(by: .seconds(31))
            let isEmpty = await eventually {
                _ = await rig.http.get("/healthz")
                return rig.counters.picture.apiClients <= 1
            }
            #expect(isEmpty, "\(rig.counters.picture.apiClients) clients are still there")
            withExtendedLifetime(clients) {}
        }
    }
}
