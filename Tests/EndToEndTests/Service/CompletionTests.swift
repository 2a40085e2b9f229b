import TestSupport
import Testing

/// The shells' own scripts, run by the shells.
@Suite("Completion in a shell", .timeLimit(.minutes(2))) struct CompletionTests {
    private static let folder = "\(Repository.root)/packaging/completions"
    private static let line = [
        (["st"], ["status"]), (["items", "s"], ["shop"]), (["items", ""], ["news", "shop"]),
        (["items", "shop", "--al"], ["--all"]), (["check", "--format", "j"], ["json"]),
        (["to"], ["top"]), (["purge", "s"], ["shop"]), (["log-level", "de"], ["debug"]),
        (["top", "--on"], ["--once"]),
    ]

    private func withDaemon(_ body: (DaemonUnderTest) async throws -> Void) async throws {
        let feed = "{adapter: json, url: 'https://example.invalid/', key: id, enabled: false"
        let daemon = DaemonUnderTest(
            config: "version: 1\nfeeds:\n  shop: \(feed), title: 'The: shop'}\n  news: \(feed)}\n")
        try await daemon.start()
        try await body(daemon)
        try await daemon.stop()
    }

    private func environment(_ daemon: DaemonUnderTest) -> [String: String] {
        [
            "PATH": "\(productsFolder):/usr/bin:/bin", "REFRESHD_SOCKET": daemon.socket,
            "HOME": daemon.folder.path(""),
        ]
    }

    @Test("works in bash", .enabled(if: Repository.tool("bash") != nil, "bash is not installed"))
    func bash() async throws {
        let bash = try #require(Repository.tool("bash"))
        try await withDaemon { daemon in
            for (words, wanted) in CompletionTests.line {
                let script = """
                    source '\(CompletionTests.folder)/refreshctl.bash'
                    COMP_WORDS=(refreshctl "$@"); COMP_CWORD=$#
                    _refreshctl; printf '%s\\n' "${COMPREPLY[@]}"
                    """
                let shown = try await Repository.run(
                    bash, ["--norc", "-c", script, "bash"] + words, environment: environment(daemon))
                #expect(shown.errors.isEmpty, "\(shown.errors)")
                #expect(shown.output.split(separator: "\n").map(String.init) == wanted, "\(words)")
            }
            let files = try await Repository.run(
                bash,
                [
                    "--norc", "-c",
                    "cd '\(daemon.folder.path(""))'; source '\(CompletionTests.folder)/refreshctl.bash'; "
                        + "COMP_WORDS=(refreshctl check plug); COMP_CWORD=2; _refreshctl; echo \"${COMPREPLY[@]}\"",
                ], environment: environment(daemon))
            #expect(files.output == "plugins.yaml\n", "\(files.errors)")
        }
    }

    @Test("works in fish", .enabled(if: Repository.tool("fish") != nil, "fish is not installed"))
    func fish() async throws {
        let fish = try #require(Repository.tool("fish"))
        try await withDaemon { daemon in
            for (words, wanted) in CompletionTests.line {
                let script =
                    "source '\(CompletionTests.folder)/refreshctl.fish'; "
                    + "complete --do-complete 'refreshctl \(words.joined(separator: " "))'"
                let shown = try await Repository.run(
                    fish, ["--no-config", "-c", script], environment: environment(daemon))
                let texts = shown.output.split(separator: "\n").map {
                    String($0.split(separator: "\t").first ?? "")
                }
                #expect(texts == wanted, "\(words): \(shown.output) \(shown.errors)")
            }
        }
    }

    /// The completion system of zsh needs a terminal, so the script's own work is looked at: what it hands on.
    @Test("works in zsh", .enabled(if: Repository.tool("zsh") != nil, "zsh is not installed"))
    func zsh() async throws {
        let zsh = try #require(Repository.tool("zsh"))
        try await withDaemon { daemon in
            for (given, wanted) in CompletionTests.line {
                let script = """
                    compdef() { : }
                    _files() { print files }
                    _describe() { print -l -- "${(@P)argv[-1]}" }
                    source '\(CompletionTests.folder)/refreshctl.zsh'
                    words=(refreshctl "$@"); CURRENT=$(( $# + 1 ))
                    _refreshctl
                    """
                let shown = try await Repository.run(
                    zsh, ["-f", "-c", script, "zsh"] + given, environment: environment(daemon))
                let texts = shown.output.split(separator: "\n").map {
                    String($0.split(separator: ":").first ?? "")
                }
                #expect(texts == wanted, "\(given): \(shown.output) \(shown.errors)")
                #expect(given != ["items", "s"] || shown.output == "shop:The: shop\n")
            }
        }
    }
}
