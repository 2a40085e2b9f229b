import Glibc
import TestSupport
import Testing

/// Which boot it is decides whether a daemon that was killed may have lost anything.
@Suite("The boot that a unit hands over", .timeLimit(.minutes(2))) struct BootTests {
    @Test("a daemon that is killed within it keeps its sync keys, one of another boot begins anew")
    func keys() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1},{"id":2}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: "version: 1\ndaemon: {allow_private: true}\nfeeds:\n"
                + "  shop: {adapter: json, url: '\(upstream.url("/"))', key: id, every: 1h}\n")
        try await start(daemon, boot: "one")
        #expect(try await eventually { try await daemon.keys("shop").count == 2 })
        let key = try await daemon.syncKey("shop")
        try await daemon.kill()
        try await start(daemon, boot: "one")
        #expect(await daemon.api.get("/v1/feeds/shop/changes?since=\(key)")?.status == 200)
        try await daemon.kill()
        try await start(daemon, boot: "another")
        #expect(await daemon.api.get("/v1/feeds/shop/changes?since=\(key)")?.status == 410)
        try await daemon.stop()
    }

    private func start(_ daemon: DaemonUnderTest, boot: String) async throws {
        let folder = daemon.folder.path("credentials-\(boot)")
        _ = unsafe mkdir(folder, 0o700)
        daemon.folder.write("\(boot)\n", to: "credentials-\(boot)/refreshd.boot")
        let process = try daemon.launch(environment: ["CREDENTIALS_DIRECTORY": folder])
        #expect(await eventually { await daemon.api.get("/readyz")?.status == 200 }, "\(process.errors)")
    }
}
