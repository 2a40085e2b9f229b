import RefreshCore
import TestSupport
import Testing

/// What docs/socket-api.md tells people to type, typed in the order in which it stands there.
@Suite("The documented calls", .timeLimit(.minutes(2))) struct DocumentedCallsTests {
    /// The indented lines that call the daemon; with the place of the sockets, and with what `…` stands for.
    private static func lines(of page: String, sockets: String) -> [String] {
        page.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
            .filter { line in ["api", "control", "key=", "curl"].contains { line.hasPrefix($0) } }
            .map { line in
                var line = String(line)
                for (word, other) in [
                    ("/run/refreshd/", "\(sockets)/"), (".run/", "\(sockets)/"),
                    (#""cursor": "…", "since": "…""#, #""cursor": "'"$cursor"'", "since": "'"$key"'""#),
                ] {
                    line = line.split(separator: word, omittingEmptySubsequences: false).joined(
                        separator: other)
                }
                // A stream has no end of its own.
                return line.contains(" -N ") ? line + " --max-time 1" : line
            }
    }

    /// Runs the lines in one shell. Each answer leaves its status in the errors, after the number of its line.
    private static func script(_ lines: [String]) -> String {
        let telling = "--silent --max-time 60 --write-out '%{stderr}%{http_code}\\n'"
        var script = "curl() { command curl \(telling) \"$@\"; }\n"
        for (number, line) in lines.enumerated() {
            script += line.contains("() {") ? "\(line)\n" : "echo -n '\(number) ' >&2\n\(line)\necho\n"
            if line.hasPrefix("api() {") {
                script += "cursor=$(api '/v1/feeds/shop/items?limit=2' 2>/dev/null | jq -r .cursor)\n"
            }
        }
        return script
    }

    @Test("are answered as they say") func answered() async throws {
        let asked = Locked(0)
        let upstream = try ScriptedUpstream { request in
            if request.target == "/logo.png" {
                return UpstreamAnswer(headers: [("Content-Type", "image/png")], text: "logo")
            }
            let price = asked.withLock { count in
                count += 1
                return count
            }
            let rows = ["teapot", "kettle", "cup", "saucer"].map { #"{"id":"\#($0)","price":\#(price)}"# }
            return UpstreamAnswer(
                headers: [("Content-Type", "application/json")], text: "[\(rows.joined(separator: ","))]")
        }
        let daemon = DaemonUnderTest(
            config: """
                version: 1
                feeds:
                  shop:
                    adapter: json
                    url: \(upstream.url("/shop"))
                    every: 2s
                    schedule: {min_gap: 1s}
                    key: id
                    allow_private: true
                  logo:
                    adapter: http
                    url: \(upstream.url("/logo.png"))
                    allow_private: true

                """)
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop").count == 4 })
        #expect(await eventually { await daemon.api.get("/v1/feeds/logo/document")?.status == 200 })
        let page = try #require(Repository.text("docs/socket-api.md"))
        let lines = Self.lines(of: page, sockets: daemon.folder.path(""))
        let calls = lines.enumerated().filter { !$0.element.contains("() {") }
        #expect(calls.count >= 20, "\(lines)")
        let shell = try ChildProcess(
            "/bin/bash", ["-c", Self.script(lines)], in: daemon.folder, name: "shell")
        _ = await shell.wait(atMost: .seconds(90))
        let expected = calls.map { "\($0.offset) \($0.element.contains("nosuch") ? 404 : 200)" }
        #expect(shell.errors.split(separator: "\n").map(String.init) == expected, "\(lines)\n\(shell.output)")
        try await daemon.stop()
    }
}
