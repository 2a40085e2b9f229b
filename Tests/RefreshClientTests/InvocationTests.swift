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

    private static func watch(
        since: String? = nil, all: Bool = false, command: String? = nil, state: String? = nil
    ) -> Command {
        var request = WatchRequest(feed: "shop")
        request.since = since
        request.all = all
        request.command = command
        request.stateFile = state
        return .watch(request)
    }

    private static func trial(_ file: String? = nil, _ change: (inout TrialRequest) -> Void = { _ in })
        -> Command
    {
        var request = TrialRequest(feed: "shop", file: file)
        change(&request)
        return .try(request)
    }

    private static func restoring(_ name: String, _ state: String, _ backups: String) -> RestoreRequest {
        var request = RestoreRequest(name: name)
        (request.state, request.backups) = (state, backups)
        return request
    }

    private static func examining(_ file: String) -> DoctorRequest {
        var request = DoctorRequest(file: file)
        request.denyWarnings = true
        return request
    }

    private static func watching(once: Bool, _ interval: Duration) -> TopRequest {
        var request = TopRequest()
        (request.once, request.interval) = (once, interval)
        return request
    }

    private static func importing(every: Duration? = nil) -> Command {
        var request = ImportRequest(file: "a.opml")
        request.every = every
        return .import(request)
    }

    private static func suggest(allowPrivate: Bool) -> Command {
        var request = SuggestRequest(
            url: WebURL(scheme: .https, host: "a.example", port: nil, path: "/x", query: "y=1"))
        request.allowPrivate = allowPrivate
        return .suggest(request)
    }

    static let tools = [
        Case("watch shop", Invocation(watch())),
        Case("watch shop --since k", Invocation(watch(since: "k"))),
        Case(
            "watch shop --all --exec run --state f", Invocation(watch(all: true, command: "run", state: "f"))),
        Case("history shop", Invocation(.history(feed: "shop"))),
        Case("pause shop", Invocation(.pause(feed: "shop"))),
        Case("resume shop --json", Invocation(.resume(feed: "shop"), json: true)),
        Case("reload --socket c", Invocation(.reload, socket: "c")),
        Case("purge shop", Invocation(.purge(feed: "shop"))),
        Case("reset shop", Invocation(.reset(feed: "shop"))),
        Case("backup --json", Invocation(.backup, json: true)),
        Case("restore", Invocation(.restore(RestoreRequest(name: nil)))),
        Case("restore n --state-folder s --backups b", Invocation(.restore(restoring("n", "s", "b")))),
        Case("log-level", Invocation(.logLevel(nil))),
        Case("log-level debug", Invocation(.logLevel("debug"))),
        Case(
            "log-level loud",
            fails: .badOperand(
                "LEVEL", value: "loud", reason: "one of error, warning, notice, info, debug is expected")),
        Case("metrics", Invocation(.metrics(file: nil))),
        Case("metrics --output f", Invocation(.metrics(file: "f"))),
        Case("doctor", Invocation(.doctor(DoctorRequest()))),
        Case("doctor f --deny-warnings", Invocation(.doctor(examining("f")))),
        Case("top", Invocation(.top(TopRequest()))),
        Case("top --once --interval 5s", Invocation(.top(watching(once: true, .seconds(5))))),
        Case(
            "top --interval 100ms",
            fails: .badValue(option: "--interval", value: "100ms", wanted: "a duration from 500ms to 60s")),
        Case("purge", fails: .missingOperand("FEED", command: "purge")),
        Case("try shop", Invocation(trial())),
        Case(
            "try shop f.yaml --pages 5 --full",
            Invocation(trial("f.yaml") { ($0.pages, $0.isFull) = (5, true) })),
        Case("try shop --since 2026-01-01", Invocation(trial { $0.since = "2026-01-01" })),
        Case("try shop --record d", Invocation(trial { $0.record = "d" })),
        Case("try shop --replay d", Invocation(trial { $0.replay = "d" })),
        Case(
            "try shop --secret a=b --secret c=d=e",
            Invocation(trial { $0.secrets = [.init(name: "a", file: "b"), .init(name: "c", file: "d=e")] })),
        Case("suggest https://a.example/x?y=1", Invocation(suggest(allowPrivate: false))),
        Case("suggest --allow-private https://a.example/x?y=1", Invocation(suggest(allowPrivate: true))),
        Case("import a.opml", Invocation(importing())),
        Case("import a.opml --every 30m", Invocation(importing(every: .seconds(1_800)))),
        Case("diff", Invocation(.diff(.running(file: nil)))),
        Case("diff a", Invocation(.diff(.running(file: "a")))),
        Case("diff a b", Invocation(.diff(.files(old: "a", new: "b")))),
        Case("watch shop --all --since k", fails: .conflict("--all", "--since")),
        Case("watch shop --state f", fails: .needs(option: "--state", other: "--exec")),
        Case("try shop --full --since 1", fails: .conflict("--full", "--since")),
        Case("try shop --record a --replay b", fails: .conflict("--record", "--replay")),
        Case(
            "try shop --pages 0",
            fails: .badValue(option: "--pages", value: "0", wanted: "a whole number above 0")),
        Case(
            "try shop --secret hunter2",
            fails: .badValue(option: "--secret", value: "…", wanted: "NAME=FILE, with the path of a file")),
        Case("try", fails: .missingOperand("FEED", command: "try")),
        Case("diff a ''", fails: .missingOperand("NEW", command: "diff")),
        Case("diff ''", fails: .missingOperand("FILE", command: "diff")),
        Case("pause", fails: .missingOperand("FEED", command: "pause")),
        Case("reload now", fails: .surplusOperand("now", command: "reload")),
        Case(
            "suggest a.example",
            fails: .badOperand(
                "URL", value: "a.example", reason: "missing \"https://\" or \"http://\" at the start")),
        Case(
            "import a.opml --every 5s",
            fails: .badValue(
                option: "--every", value: "5s", wanted: "a duration of at least 60s, such as 30m")),
    ]

    @Test("of the tools becomes what it says, or is refused", arguments: tools)
    func readsTools(_ item: Case) {
        #expect(Result { () throws(UsageError) in try Invocation(parsing: item.words) } == item.wanted)
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
