import CLinux
import TestSupport
import Testing

@Suite("A daemon under clients that cost much", .serialized, .timeLimit(.minutes(2)))
struct ScarceDescriptorsTests {
    private static let clients = 500

    /// A configuration with a feed that is fetched when somebody asks.
    private static func config(_ url: String) -> String {
        """
        version: 1
        daemon: {allow_private: true}
        feeds:
          shop: {adapter: json, url: '\(url)', key: id, every: off}
        """
    }

    /// CPU time that a process has used, in ticks of the kernel's clock (proc(5)).
    private static func ticks(_ pid: pid_t) -> Int? {
        let text = String(decoding: readFile("/proc/\(pid)/stat") ?? [], as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count > 14, let user = Int(fields[13]), let system = Int(fields[14]) else { return nil }
        return user + system
    }

    @Test("fetches and serves who came first while five hundred others want in, and does not spin")
    func crowd() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1},{"id":2}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: ScarceDescriptorsTests.config(upstream.url("/")))
        let process = try await daemon.start(descriptors: 64)
        let socket = daemon.socket
        let first = try #require(UnixHTTP.connected(to: socket))
        defer { _ = close(first) }
        try #require(await ask(first, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").contains(" 200 "))
        let others = await offPool {
            (0..<ScarceDescriptorsTests.clients).compactMap { _ in UnixHTTP.connected(to: socket) }
        }
        #expect(others.count == ScarceDescriptorsTests.clients)
        let wish = #"{"mode":"now","wait":"all","deadline_ms":20000}"#
        let fetched = await ask(
            first,
            "POST /v1/feeds/shop/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(wish.utf8.count)\r\n\r\n\(wish)")
        #expect(fetched.contains(#""outcome":"refreshed""#), "\(fetched)")
        let items = await ask(first, "GET /v1/feeds/shop/items HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(items.contains(#""data":{"id":2}"#), "\(items)")
        try await expectRest(process.pid, under: "\(others.count) clients")
        for descriptor in others { _ = close(descriptor) }
        let isServed = await eventually { await daemon.api.get("/healthz")?.status == 200 }
        #expect(isServed)
        try await daemon.stop()
    }

    @Test("does not spin for a client whose chunk has a size without end")
    func endlessChunk() async throws {
        let daemon = DaemonUnderTest(config: ScarceDescriptorsTests.config("http://127.0.0.1:9/"))
        try await daemon.start()
        let pid = try #require(daemon.process?.pid)
        let client = try #require(UnixHTTP.connected(to: daemon.socket))
        defer { _ = close(client) }
        let bytes = Array(
            ("POST /v1/feeds/nosuch/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n2;" + String(repeating: "a", count: 60_000)).utf8)
        #expect(unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        try #require(await daemon.api.get("/healthz")?.status == 200)
        try await expectRest(pid, under: "one that has no end")
        try await daemon.stop()
    }

    /// Expects that a process uses less than a tenth of one processor.
    private func expectRest(_ pid: pid_t, under crowd: String) async throws {
        // Time has to pass for a program to show that it does nothing in it.
        let before = try #require(ScarceDescriptorsTests.ticks(pid))
        try await Task.sleep(for: .seconds(2))
        let used = try #require(ScarceDescriptorsTests.ticks(pid)) - before
        print("\(used) ticks of CPU time in two seconds under \(crowd)")
        #expect(used < 2 * sysconf(Int32(_SC_CLK_TCK)) / 10)
    }

    /// What is answered, in one piece, on a connection that stays.
    private func ask(_ descriptor: Int32, _ request: String) async -> String {
        await offPool {
            let bytes = Array(request.utf8)
            guard unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                return ""
            }
            var look = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&look, 1, 30_000) == 1 else { return "nothing within 30 seconds" }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
