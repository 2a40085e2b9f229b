import RefreshClient
import RefreshCore
import Testing

@Suite("Command line") struct InvocationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let wanted: Result<Invocation, UsageError>

        init(_ line: String, _ wanted: Invocation) {
            self.line = line
            self.wanted = .success(wanted)
        }

        init(_ line: String, fails error: UsageError) {
            self.line = line
            wanted = .failure(error)
        }

        var testDescription: String { line }

        /// Words parted by spaces; `''` is an empty word.
        var words: [String] { line.split(separator: " ").map { $0 == "''" ? "" : String($0) } }
    }

    private static func refresh(
        _ mode: RefreshMode = .ifStale, wait: Bool = false, deadline: Duration? = nil,
        acceptDrop: Bool = false
    ) -> Command {
        var request = RefreshRequest(feed: "shop")
        request.mode = mode
        request.wait = wait
        request.deadline = deadline
        request.acceptDrop = acceptDrop
        return .refresh(request)
    }

    private static func check(_ file: String? = nil, deny: Bool = false, json: Bool = false) -> Command {
        var request = CheckRequest(file: file)
        request.denyWarnings = deny
        request.json = json
        return .check(request)
    }

    private static func explain(_ feed: String, _ file: String? = nil, json: Bool = false) -> Command {
        var request = ExplainRequest(feed: feed, file: file)
        request.json = json
        return .explain(request)
    }

    static let right = [
        Case("explain shop", Invocation(explain("shop"))),
        Case("explain shop f.yaml --format json", Invocation(explain("shop", "f.yaml", json: true))),
        Case("schema", Invocation(.schema(asPage: false))),
        Case("schema --format=markdown", Invocation(.schema(asPage: true))),
        Case("status", Invocation(.status)),
        Case("status --json", Invocation(.status, json: true)),
        Case("--json status", Invocation(.status, json: true)),
        Case("--socket /tmp/s feeds", Invocation(.feeds, socket: "/tmp/s")),
        Case("feeds --socket=/tmp/a=b", Invocation(.feeds, socket: "/tmp/a=b")),
        Case("items shop", Invocation(.items(ListRequest(feed: "shop")))),
        Case("items shop --limit 7", Invocation(.items(ListRequest(feed: "shop", limit: 7)))),
        Case("items --limit 7 shop", Invocation(.items(ListRequest(feed: "shop", limit: 7)))),
        Case("--limit 7 items shop", Invocation(.items(ListRequest(feed: "shop", limit: 7)))),
        Case("items shop --limit 7 --limit=8", Invocation(.items(ListRequest(feed: "shop", limit: 8)))),
        Case(
            "items shop --all --cursor c1",
            Invocation(.items(ListRequest(feed: "shop", all: true, start: "c1")))),
        Case("get shop 42", Invocation(.get(feed: "shop", key: "42"))),
        Case("get shop -- -42", Invocation(.get(feed: "shop", key: "-42"))),
        Case("get shop -- --json", Invocation(.get(feed: "shop", key: "--json"))),
        Case("get shop -", Invocation(.get(feed: "shop", key: "-"))),
        Case(
            "changes shop --since k --limit 3",
            Invocation(.changes(ListRequest(feed: "shop", limit: 3, start: "k")))),
        Case("refresh shop", Invocation(refresh())),
        Case("refresh shop --now --wait", Invocation(refresh(.now, wait: true))),
        Case("refresh shop --force --accept-drop", Invocation(refresh(.force, acceptDrop: true))),
        Case("refresh shop --deadline 20s", Invocation(refresh(wait: true, deadline: .seconds(20)))),
        Case("check", Invocation(check())),
        Case("check a.yaml --deny-warnings", Invocation(check("a.yaml", deny: true))),
        Case("check --format json", Invocation(check(json: true))),
        Case("check --format text", Invocation(check())),
        Case("check --json", Invocation(check(json: true), json: true)),
        Case("help", Invocation(.help(nil))),
        Case("--help", Invocation(.help(nil))),
        Case("-h", Invocation(.help(nil))),
        Case("help items", Invocation(.help(.items))),
        Case("items --help", Invocation(.help(.items))),
        Case("version", Invocation(.version)),
        Case("--version", Invocation(.version)),
    ]

    static let wrong = [
        Case("", fails: .noCommand),
        Case("--json", fails: .noCommand),
        Case("stauts", fails: .unknownCommand("stauts", suggestion: "status")),
        Case("frobnicate", fails: .unknownCommand("frobnicate", suggestion: nil)),
        Case("help itms", fails: .unknownCommand("itms", suggestion: "items")),
        Case(
            "items shop --limti 3",
            fails: .unknownOption("--limti", command: "items", suggestion: "--limit")),
        Case("items shop -x", fails: .unknownOption("-x", command: "items", suggestion: nil)),
        Case("--sokcet p feeds", fails: .unknownOption("--sokcet", command: nil, suggestion: "--socket")),
        Case("feeds --limit 3", fails: .unknownOption("--limit", command: "feeds", suggestion: nil)),
        Case("--limit 3 feeds", fails: .unknownOption("--limit", command: "feeds", suggestion: nil)),
        Case("status --socket", fails: .missingValue(option: "--socket")),
        Case("status --socket=", fails: .missingValue(option: "--socket")),
        Case("status --json=yes", fails: .surplusValue(option: "--json")),
        Case("items", fails: .missingOperand("FEED", command: "items")),
        Case("items ''", fails: .missingOperand("FEED", command: "items")),
        Case("get shop", fails: .missingOperand("KEY", command: "get")),
        Case("get shop ''", fails: .missingOperand("KEY", command: "get")),
        Case("check ''", fails: .missingOperand("FILE", command: "check")),
        Case("status now", fails: .surplusOperand("now", command: "status")),
        Case("get shop 1 2", fails: .surplusOperand("2", command: "get")),
        Case("items shop --all --limit 3", fails: .conflict("--all", "--limit")),
        Case("refresh shop --now --force", fails: .conflict("--now", "--force")),
        Case(
            "check --format yaml",
            fails: .badValue(option: "--format", value: "yaml", wanted: "text or json")),
    ]

    @Test("becomes what it says", arguments: right)
    func reads(_ item: Case) throws {
        #expect(try Invocation(parsing: item.words) == item.wanted.get())
    }

    @Test("is refused where it cannot be followed", arguments: wrong)
    func refuses(_ item: Case) {
        #expect(Result { () throws(UsageError) in try Invocation(parsing: item.words) } == item.wanted)
    }

    @Test(
        "takes only limits that count rows", arguments: ["0", "-1", "+1", "1.5", "x", "99999999999999999999"])
    func limits(_ text: String) {
        #expect(
            throws: UsageError.badValue(option: "--limit", value: text, wanted: "a whole number above 0")
        ) {
            try Invocation(parsing: ["items", "shop", "--limit=\(text)"])
        }
    }

    @Test("takes only deadlines that the daemon keeps", arguments: ["0s", "61s", "soon", "20", "-1s"])
    func deadlines(_ text: String) throws {
        let error = #expect(throws: UsageError.self) {
            try Invocation(parsing: ["refresh", "shop", "--deadline=\(text)"])
        }
        #expect(try #require(error).message.contains("a duration above 0 and up to 60s"))
    }

    @Test("has a message that says what to write instead")
    func messages() {
        let error = UsageError.unknownOption("--limti", command: "items", suggestion: "--limit")
        #expect(error.message == "\"items\" has no option \"--limti\"; did you mean \"--limit\"?")
        #expect(error.command == .items)
    }
}

@Suite("Help") struct HelpTests {
    @Test(
        "of every command names its operands and options and fits into 80 columns",
        arguments: CommandName.allCases)
    func topics(_ name: CommandName) {
        let text = Help.text(name)
        #expect(text.utf8.starts(with: "usage: refreshctl \(name.rawValue)".utf8))
        #expect(text.contains("--socket PATH"))
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
        #expect(text.hasSuffix("\n"))
    }

    @Test("lists every command with what it does")
    func overview() {
        let text = Help.text(nil)
        for name in CommandName.allCases { #expect(text.contains("\n  \(name.rawValue)")) }
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
    }
}
