import CLinux
import RefreshConfig
import RefreshCore
import TestSupport
import Testing

/// What `make run` starts, with the file at the root of this repository.
@Suite("The demo", .timeLimit(.minutes(2))) struct DemoTests {
    private func defaultFile() throws -> String { try #require(Repository.text("plugins.yaml")) }

    @Test("has a default file without a fault, and examples likewise")
    func defaultFileIsRight() throws {
        let result = ConfigReader.read(path: "\(Repository.root)/plugins.yaml")
        #expect(result.problems.map(\.text) == [])
        #expect(result.plan?.feeds.map(\.id.name).contains("shop") == true)
        for example in ["exchange-rates", "inventory", "releases"] {
            let result = ConfigReader.read(path: "\(Repository.root)/examples/\(example).yaml")
            #expect(result.problems.map(\.text) == [], "\(example)")
        }
    }

    @Test("shows live items that change, to curl and to refreshctl")
    func showsLiveItems() async throws {
        let folder = TemporaryFolder()
        let port = try freePort()
        let demo = try ChildProcess(
            "\(productsFolder)/demo-upstream", ["--port", "\(port)"], in: folder, name: "demo")
        let text = try defaultFile().split(separator: "127.0.0.1:8787", omittingEmptySubsequences: false)
            .joined(separator: "127.0.0.1:\(port)")
        let daemon = DaemonUnderTest(config: text)
        #expect(await eventually { demo.poll() != nil || connects(to: port) })
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop").count > 10 })
        #expect(try await eventually { try await daemon.keys("news").count > 0 })
        let first = try await daemon.syncKey("shop")
        #expect(
            try await eventually(within: .seconds(60)) {
                try await !daemon.changes("shop", since: first).isEmpty
            },
            "the shop stands still")

        let status = try await refreshctl(daemon, ["status"])
        #expect(status.code == .exited(0))
        #expect(status.output.contains("shop") && status.output.contains("news"))
        let key = try #require(try await daemon.keys("shop").first)
        #expect(try await refreshctl(daemon, ["get", "shop", key]).output.contains(key))
        #expect(try await refreshctl(daemon, ["items", "shop", "--limit", "3"]).code == .exited(0))
        let told = try await refreshctl(daemon, ["changes", "shop", "--since", first]).output
        // What moved may have been taken off the shelf.
        #expect(told.contains("upsert") || told.contains("delete"), "\(told)")
        #expect(try await refreshctl(daemon, ["refresh", "news", "--wait"]).code == .exited(0))
        let unknown = try await refreshctl(daemon, ["items", "shap"])
        #expect(unknown.code == .exited(1))
        #expect(unknown.errors.contains("shop"))
        try await daemon.stop()
        #expect(try await refreshctl(daemon, ["status"]).code == .exited(69))
        demo.signal(SIGTERM)
        #expect(await demo.wait() == .exited(0))
    }

    @Test("checks a file without a daemon", arguments: [("key: id", 0), ("kay: id", 1)])
    func checks(line: String, code: Int32) async throws {
        let folder = TemporaryFolder()
        let file = folder.write(
            "version: 1\nfeeds:\n  a:\n    adapter: json\n    url: https://a.example/\n    \(line)\n",
            to: "p.yaml")
        let process = try ChildProcess("\(productsFolder)/refreshctl", ["check", file], in: folder)
        #expect(await process.wait() == .exited(code))
        if code != 0 {
            #expect(
                process.output.contains("p.yaml:6:5: feeds.a: unknown key \"kay\"; did you mean \"key\"?"))
        }
    }

    private func refreshctl(
        _ daemon: DaemonUnderTest, _ words: [String]
    ) async throws -> (code: ChildProcess.Ending?, output: String, errors: String) {
        let folder = TemporaryFolder()
        let process = try ChildProcess(
            "\(productsFolder)/refreshctl", ["--socket", daemon.socket] + words, in: folder)
        let code = await process.wait()
        return (code, process.output, process.errors)
    }
}

/// A port of loopback that nobody holds at the moment.
private func freePort() throws -> Int {
    let upstream = try ScriptedUpstream { _ in .nothing }
    defer { upstream.stop() }
    return upstream.port
}

private func connects(to port: Int) -> Bool { LoopbackProbe.answers(port: UInt16(port)) }
