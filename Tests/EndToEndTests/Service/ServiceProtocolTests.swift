import CLinux
import RefreshCore
import TestSupport
import Testing

/// What the daemon and a service manager say to each other, without a service manager.
@Suite("The service protocol", .timeLimit(.minutes(2))) struct ServiceProtocolTests {
    private static let config = """
        version: 1
        feeds:
          shop: {adapter: json, url: 'https://example.invalid/', key: id, enabled: false}

        """
    private static let python = Repository.tool("python3")

    @Test("is ready when it answers, pings while it lives, and says when it stops")
    func notifies() async throws {
        let daemon = DaemonUnderTest(config: ServiceProtocolTests.config)
        let probe = try NotifyProbe(in: daemon.folder)
        // The watchdog's turns are a sixth of this apart.
        let process = try daemon.launch(environment: [
            "NOTIFY_SOCKET": probe.path, "WATCHDOG_USEC": "1200000",
        ])
        #expect(await eventually { probe.hears("READY=1") }, "\(process.errors)")
        #expect(await daemon.api.get("/readyz")?.status == 200)
        #expect(probe.hears("STATUS=1 feed"))
        #expect(probe.hears("EXTEND_TIMEOUT_USEC=60000000") && probe.hears("STATUS=opening the databases"))
        #expect(await eventually { probe.hears("WATCHDOG=1") && probe.count(of: "WATCHDOG=1") >= 3 })
        try await daemon.stop()
        #expect(probe.hears("STOPPING=1"))
        #expect(probe.heard.last?.contains("STOPPING=1") == true)
    }

    @Test("pings nobody who does not ask, or asks another process", arguments: [["WATCHDOG_PID": "1"], [:]])
    func silent(environment: [String: String]) async throws {
        let daemon = DaemonUnderTest(config: ServiceProtocolTests.config)
        let probe = try NotifyProbe(in: daemon.folder)
        var variables = environment.merging(["NOTIFY_SOCKET": probe.path]) { $1 }
        if !environment.isEmpty { variables["WATCHDOG_USEC"] = "60000" }
        try daemon.launch(environment: variables)
        #expect(await eventually { probe.hears("READY=1") })
        for _ in 0..<20 { _ = await daemon.api.get("/readyz") }
        try await daemon.stop()
        #expect(!probe.hears("WATCHDOG=1"))
    }

    /// Makes the sockets that its arguments name, each as NAME=PATH up to `--`, and becomes the program behind it.
    private static let activator = """
        import os, socket, sys
        end = sys.argv.index("--")
        names = []
        for place, word in enumerate(sys.argv[1:end]):
            name, path = word.split("=", 1)
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            made.bind(path)
            made.listen(64)
            os.dup2(made.fileno(), 20 + place)
            names.append(name)
        for place in range(len(names)):
            os.dup2(20 + place, 3 + place)
            os.set_inheritable(3 + place, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(names)), LISTEN_FDNAMES=":".join(names))
        os.execv(sys.argv[end + 1], sys.argv[end + 1:])
        """

    private func activate(_ daemon: DaemonUnderTest, _ sockets: [String]) throws -> ChildProcess {
        let python = try #require(ServiceProtocolTests.python)
        return try ChildProcess(
            python,
            ["-c", ServiceProtocolTests.activator] + sockets + [
                "--", "\(productsFolder)/refreshd", "--config", daemon.folder.path("plugins.yaml"), "--state",
                daemon.state,
            ], in: daemon.folder, name: "refreshd")
    }

    @Test(
        "answers at sockets that were handed over, whatever their order, and leaves them in place",
        .enabled(if: python != nil, "python3 is not installed"), arguments: [false, true])
    func activation(reversed: Bool) async throws {
        let daemon = DaemonUnderTest(config: ServiceProtocolTests.config)
        let controlPath = daemon.folder.path("control.sock")
        let control = UnixHTTP(socket: controlPath)
        let sockets = ["api=\(daemon.socket)", "control=\(controlPath)"]
        let process = try activate(daemon, reversed ? sockets.reversed() : sockets)
        #expect(await eventually { await daemon.api.get("/readyz")?.status == 200 }, "\(process.errors)")
        #expect(await control.get("/v1/status")?.status == 200)
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(0), "\(process.errors)")
        for path in [daemon.socket, controlPath] {
            var facts = stat()
            #expect(unsafe lstat(path, &facts) == 0, "\(path) is gone")
        }
    }

    @Test(
        "refuses sockets that it cannot tell apart, as a wrong configuration",
        .enabled(if: python != nil, "python3 is not installed"),
        arguments: [(["web"], "named \"web\""), (["control"], "refreshd-api.socket")])
    func wrongNames(names: [String], words: String) async throws {
        let daemon = DaemonUnderTest(config: ServiceProtocolTests.config)
        let process = try activate(daemon, names.map { "\($0)=\(daemon.folder.path($0))" })
        #expect(await process.wait() == .exited(78))
        #expect(process.errors.contains(words), "\(process.errors)")
    }

    @Test("logs for its reader: with times for people, with priorities where standard error is the journal's")
    func logForm() async throws {
        let daemon = DaemonUnderTest(config: ServiceProtocolTests.config)
        // A journal of another file than standard error is none.
        let process = try daemon.launch(environment: ["JOURNAL_STREAM": "1:1"])
        #expect(await eventually { await daemon.api.get("/readyz")?.status == 200 })
        try await daemon.stop()
        let lines = process.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains("Z refreshd: ") }, "\(process.errors)")
        #expect(lines.allSatisfy { Timestamp(rfc3339: $0.utf8.prefix { $0 != 0x20 }) != nil })
    }
}
