import CLinux
import RefreshCore
import TestSupport
import Testing

@Suite("A daemon in a crowd", .serialized, .timeLimit(.minutes(3))) struct CrowdTests {
    private static let polls = 2_000
    private static let deaf = 200
    private static let slow = 100

    private static func config(_ url: String) -> String {
        """
        version: 1
        daemon:
          allow_private: true
          connections: {max: 4096, per_uid: 4096, streams: 256}
        feeds:
          shop: {adapter: json, url: '\(url)', key: id, every: off}
        """
    }

    /// Whether this process may have so many descriptors.
    private static func mayOpen(_ wanted: UInt64) -> Bool {
        var limit = refreshd_limit()
        guard unsafe refreshd_get_descriptor_limit(&limit) == 0, limit.hard >= wanted else { return false }
        guard limit.soft < wanted else { return true }
        limit.soft = wanted
        return unsafe refreshd_set_descriptor_limit(&limit) == 0
    }

    /// Bytes of memory that a process has for itself (proc(5)).
    private static func anonymous(_ pid: pid_t) -> Int? {
        let text = String(decoding: readFile("/proc/\(pid)/status") ?? [], as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
                .flatMap { Int($0) }.map { $0 * 1_024 }
        }
        return nil
    }

    private static func descriptors(_ pid: pid_t) -> Int {
        guard let folder = unsafe opendir("/proc/\(pid)/fd") else { return 0 }
        defer { _ = unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without the two of the folder itself.
        return max(0, count - 2)
    }

    /// So many connections, each of which has said `text`.
    private static func crowd(_ count: Int, at socket: String, _ text: String) async -> [Int32] {
        let bytes = Array(text.utf8)
        return await offPool {
            (0..<count).compactMap { _ in
                guard let descriptor = UnixHTTP.connected(to: socket) else { return nil }
                return unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
                    ? descriptor : nil
            }
        }
    }

    @Test("2,000 that wait, 200 that never read and 100 slow heads cost little and hold nobody up (T-L1)")
    func crowd() async throws {
        guard CrowdTests.mayOpen(8_192) else {
            return print("the crowd was not tried: this system allows too few descriptors")
        }
        let long = String(repeating: "x", count: 4_000)
        let rows = (0..<200).map { #"{"id":\#($0),"text":"\#(long)"}"# }.joined(separator: ",")
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[\(rows)]") }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: CrowdTests.config(upstream.url("/")))
        try await daemon.start()
        let pid = try #require(daemon.process?.pid)
        #expect(try await daemon.refresh("shop") == "refreshed")
        let before = try #require(CrowdTests.anonymous(pid))
        let open = CrowdTests.descriptors(pid)
        let key = try await daemon.syncKey("shop")
        let get = { (target: String) in "GET /v1/feeds/shop/\(target) HTTP/1.1\r\nHost: localhost\r\n" }
        let socket = daemon.socket
        var clients = await CrowdTests.crowd(
            CrowdTests.polls, at: socket, get("changes?since=\(key)&wait=60s") + "\r\n")
        clients += await CrowdTests.crowd(
            CrowdTests.deaf, at: socket, get("changes") + "Accept: text/event-stream\r\n\r\n")
        clients += await CrowdTests.crowd(CrowdTests.slow, at: socket, get("items") + "X: ")
        let count = CrowdTests.polls + CrowdTests.deaf + CrowdTests.slow
        try #require(clients.count == count)
        // Who is served within the crowd sees all of it: connections are taken in their order.
        var served = 0
        for number in 0..<200
        where await daemon.api.get("/v1/feeds/shop/items/\(number)")?.status == 200 { served += 1 }
        #expect(served == 200)
        let growth = try #require(CrowdTests.anonymous(pid)) - before
        let more = CrowdTests.descriptors(pid) - open
        print("\(count) clients: \(growth / 1_048_576) MiB and \(more) descriptors more")
        #expect(growth < 128 * 1_024 * 1_024)
        #expect((count...(count + 16)).contains(more))
        for descriptor in clients { _ = close(descriptor) }
        let isEmpty = await eventually { CrowdTests.descriptors(pid) <= open + 16 }
        #expect(isEmpty, "\(CrowdTests.descriptors(pid)) descriptors are still open")
        try await daemon.stop()
    }
}
