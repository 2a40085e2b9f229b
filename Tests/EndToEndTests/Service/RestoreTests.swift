import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// A backup and its way back, by refreshctl.
@Suite("Backup and restore", .timeLimit(.minutes(2))) struct RestoreTests {
    private let program = "\(productsFolder)/refreshctl"

    @Test("a backup is taken under a daemon that runs, and put back under one that does not")
    func wayBack() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1},{"id":2}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: "version: 1\ndaemon: {allow_private: true}\nfeeds:\n"
                + "  shop: {adapter: json, url: '\(upstream.url("/"))', key: id, every: 1h}\n")
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop").count == 2 })
        let key = try await daemon.syncKey("shop")
        let control = daemon.folder.path("control.sock")
        let backup = try await Repository.run(program, ["backup", "--json", "--socket", control])
        #expect(backup.ending == .exited(0), "\(backup.errors)")
        let name = try #require(try JSONDocument(parsing: PaddedBytes(backup.output)).text("name"))
        let places = ["--state-folder", daemon.state, "--backups", "\(daemon.state)/backups"]
        let list = try await Repository.run(program, ["restore"] + places)
        #expect(list.output == "\(name)\n", "\(list.errors)")
        let early = try await Repository.run(program, ["restore", name] + places)
        #expect(early.ending == .exited(1) && early.errors.contains("stop it first"), "\(early.errors)")
        try await daemon.stop()
        let late = try await Repository.run(program, ["restore", name] + places)
        #expect(
            late.ending == .exited(0) && late.output.hasPrefix("restored \(name): 1 feed"), "\(late.errors)")
        try await daemon.start()
        #expect(try await daemon.keys("shop").count == 2)
        #expect(await daemon.api.get("/v1/feeds/shop/changes?since=\(key)")?.status == 410)
        let none = try await Repository.run(program, ["restore", "20200101T000000.000000Z"] + places)
        #expect(none.ending == .exited(1))
        try await daemon.stop()
    }
}
