import RefreshClient
import Testing

@Suite("Completion") struct CompletionTests {
    /// Words parted by spaces, the last of them under way; what is offered by kind.
    @Test(
        "offers what may stand at the cursor",
        arguments: [
            ("items ", "feeds"), ("--json items ", "feeds"), ("--socket /run/x items ", "feeds"),
            ("items shop ", "nothing"), ("get shop ", "nothing"), ("check ", "files"), ("--socket ", "files"),
            ("items shop --limit ", "nothing"), ("items --limit 5 ", "feeds"), ("items -- ", "feeds"),
            ("nosuch ", "nothing"), ("status ", "nothing"),
        ])
    func kinds(line: String, kind: String) {
        switch Completion(words(line)) {
        case .words: Issue.record("words are offered")
        case .feeds: #expect(kind == "feeds")
        case .files: #expect(kind == "files")
        case .nothing: #expect(kind == "nothing")
        }
    }

    @Test(
        "offers commands and options, with what they mean",
        arguments: [
            ("st", ["status"]), ("--json sta", ["status"]), ("help ite", ["items"]),
            ("items --al", ["--all"]), ("items --all --al", []), ("refresh --acc", ["--accept-drop"]),
            ("status --sock", ["--socket"]), ("--vers", ["--version"]),
            ("check --format ", ["text", "json"]),
            ("check --format j", ["json"]),
        ])
    func candidates(line: String, wanted: [String]) {
        guard case .words(let candidates) = Completion(words(line)) else {
            Issue.record("no words are offered")
            return
        }
        let current = words(line).last ?? ""
        let lines = Completion.lines(candidates, for: current)
        let texts = lines.map { $0.split(separator: "\t").first.map(String.init) ?? "" }
        #expect(texts == wanted)
        if wanted.first?.hasPrefix("-") == true { #expect(lines.allSatisfy { $0.contains("\t") }) }
    }

    @Test("offers every command there is")
    func commands() {
        guard case .words(let words) = Completion([""]) else {
            Issue.record("no words are offered")
            return
        }
        #expect(words.map(\.text) == CommandName.allCases.map(\.rawValue))
    }

    private func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
}
