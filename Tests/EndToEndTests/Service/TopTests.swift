import TestSupport
import Testing

/// `refreshctl top` on a terminal that somebody else draws.
@Suite("Top on a terminal", .timeLimit(.minutes(2))) struct TopTests {
    private struct Terminal {
        let tmux: String
        let socket: String
        let environment: [String: String]

        func run(_ words: String...) async throws -> String {
            try await Repository.run(tmux, ["-u", "-S", socket] + words, environment: environment).output
        }

        /// What stands on it, row by row.
        var rows: [String] {
            get async throws {
                try await run("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init)
            }
        }

        func shows(_ words: String...) async throws -> Bool {
            let text = try await run("capture-pane", "-p")
            return words.allSatisfy { text.contains($0) }
        }
    }

    @Test(
        "fits its size, follows it, and leaves the terminal as it was",
        .enabled(if: Repository.tool("tmux") != nil, "tmux is not installed"))
    func frames() async throws {
        let feed = "{adapter: json, url: 'https://example.invalid/', key: id, enabled: false}"
        let daemon = DaemonUnderTest(config: "version: 1\nfeeds:\n  shop: \(feed)\n  prices: \(feed)\n")
        try await daemon.start()
        let terminal = Terminal(
            tmux: try #require(Repository.tool("tmux")), socket: daemon.folder.path("tmux"),
            environment: [
                "PATH": "\(productsFolder):/usr/bin:/bin", "HOME": daemon.folder.path(""), "LANG": "C.UTF-8",
                "SHELL": "/bin/sh", "TERM": "xterm-256color",
            ])
        let program =
            "echo before; refreshctl top --interval 500ms --socket '\(daemon.socket)'; echo ended $?; cat"
        _ = try await terminal.run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", program)
        #expect(try await eventually { try await terminal.shows("FEED", "prices", "q quits") })
        let narrow = try await terminal.rows
        #expect(narrow.first?.hasPrefix("refreshd ") == true)
        // Nothing of what stood there before, and nothing wrapped.
        #expect(!narrow.contains("before") && narrow.count <= 25)
        #expect(narrow.firstIndex { $0.hasPrefix("FEED") } == 5)
        _ = try await terminal.run("set-option", "window-size", "manual")
        _ = try await terminal.run("resize-window", "-x", "200", "-y", "30")
        #expect(try await eventually { try await terminal.shows("CHANGED", "REMOVED") })
        _ = try await terminal.run("send-keys", "q")
        #expect(try await eventually { try await terminal.shows("before", "ended 0") })
        #expect(try await !terminal.shows("FEED"))
        _ = try await terminal.run("kill-server")
        try await daemon.stop()
    }
}
