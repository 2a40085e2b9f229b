import CLinux
import TestSupport
import Testing

/// Several upstreams that mean harm, all at once, against one daemon whose memory is watched from outside.
@Suite("A daemon among hostile upstreams", .serialized, .timeLimit(.minutes(3)))
struct HostileUpstreamsTests {
    /// The most memory that a process has had resident, in bytes (proc(5)).
    private static func mostResident(_ pid: pid_t) -> Int? {
        let text = String(decoding: readFile("/proc/\(pid)/status") ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
    }

    /// Ten megabytes of nothing in one member of gzip, made once by Python, which every machine that builds has.
    private static func member(in folder: TemporaryFolder) async throws -> [UInt8] {
        let program = """
            import gzip, sys
            open(sys.argv[1], "wb").write(gzip.compress(bytes(10_000_000)))
            """
        let maker = try ChildProcess(
            "/usr/bin/python3", ["-c", program, folder.path("zeros.gz")], in: folder, name: "zeros")
        #expect(await maker.wait() == .exited(0), "\(maker.errors)")
        return try #require(readFile(folder.path("zeros.gz")))
    }

    // T-U1, T-U2, T-U3, T-U11, with a feed beside them that must not notice.
    @Test(
        "stays within its memory, tells what was wrong with each, and a good feed keeps its schedule",
        .enabled(if: readFile("/usr/bin/python3") != nil, "python3 is not installed"))
    func allAtOnce() async throws {
        let folder = TemporaryFolder()
        let member = try await HostileUpstreamsTests.member(in: folder)
        var bomb: [UInt8] = []
        for _ in 0..<1_000 { bomb += member }
        let hostile = try HostileUpstreamsTests.upstream(bomb: bomb)
        let good = try ScriptedUpstream { UpstreamAnswer(text: #"[{"id":\#($0.order)}]"#) }
        defer {
            hostile.stop()
            good.stop()
        }
        let kinds = ["endless", "bomb", "deep", "drip", "head"]
        let feeds = kinds.flatMap { kind in
            (1...3).map { "  \(kind)\($0): {url: '\(hostile.url("/\(kind)"))', every: 1h}" }
        }
        let config = """
            version: 1
            daemon: {allow_private: true, buffers: 8MiB, per_origin: 16, origin_gap: 0s, concurrency: 32}
            defaults: {adapter: json, key: id, request: {stall: 3s, timeout: 60s}}
            feeds:
            \(feeds.joined(separator: "\n"))
              good: {url: '\(good.url("/good"))', every: 1s, schedule: {min_gap: 0s}}
            """
        let daemon = DaemonUnderTest(config: config)
        try await daemon.start()
        let pid = try #require(daemon.process?.pid)
        let before = good.requests.count
        let begin = ContinuousClock.now
        var codes: [String: String] = [:]
        let isDone = try await eventually(within: .seconds(120)) {
            for kind in kinds {
                for number in 1...3 where codes["\(kind)\(number)"] == nil {
                    codes["\(kind)\(number)"] = try await code(daemon, "\(kind)\(number)")
                }
            }
            return codes.count == kinds.count * 3
        }
        let took = ContinuousClock.now - begin
        let most = try #require(HostileUpstreamsTests.mostResident(pid))
        print("hostile upstreams: \(codes.count) failures in \(took), \(most / 1_048_576) MiB at the most")
        #expect(isDone, "\(codes)")
        for number in 1...3 {
            #expect(codes["endless\(number)"] == "body-too-large")
            #expect(codes["bomb\(number)"] == "body-too-large")
            #expect(codes["head\(number)"] == "head-too-large")
            #expect(codes["drip\(number)"] == "stalled")
            #expect(codes["deep\(number)"]?.contains("deep") == true, "\(codes["deep\(number)"] ?? "")")
        }
        #expect(most <= 256 * 1_048_576)
        // One a second, and a little late now and then.
        let passes = good.requests.count - before
        #expect(passes * 3 >= Int(took / .seconds(1)), "\(passes) passes of the good feed in \(took)")
        try await daemon.stop(within: .seconds(20))
    }

    private func code(_ daemon: DaemonUnderTest, _ feed: String) async throws -> String? {
        let status = try await daemon.json("/v1/feeds/\(feed)")
        return status.member(Array("last_error".utf8), of: status.root).flatMap {
            status.text("code", in: $0)
        }
    }

    private static func upstream(bomb: [UInt8]) throws -> ScriptedUpstream {
        let depth = 100_000
        let deep = [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
        let line = Array("X-More: \(String(repeating: "h", count: 1_000))\r\n".utf8)
        return try ScriptedUpstream { request in
            switch request.path {
            case "/endless": .endless()
            case "/bomb": UpstreamAnswer(headers: [("Content-Encoding", "gzip")], body: bomb)
            case "/deep": UpstreamAnswer(body: deep)
            case "/head": .raw([.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(line)])
            default:
                UpstreamAnswer(text: String(repeating: "x", count: 3_600)).sent(
                    .slow(size: 1, milliseconds: 1_000))
            }
        }
    }
}
