import Glibc
import RefreshClient
import RefreshCore
import TestSupport
import Testing

@Suite("Requests") struct APIRequestTests {
    @Test(
        "encode what names a path segment",
        arguments: [
            ("42", "/v1/feeds/shop/items/42"), ("a b/c?d#e%", "/v1/feeds/shop/items/a%20b%2Fc%3Fd%23e%25"),
            ("[\"a\",\"b\"]", "/v1/feeds/shop/items/%5B%22a%22%2C%22b%22%5D"),
            ("Käse", "/v1/feeds/shop/items/K%C3%A4se"), ("..", "/v1/feeds/shop/items/%2E%2E"),
            (".", "/v1/feeds/shop/items/%2E"), ("...", "/v1/feeds/shop/items/..."),
        ])
    func segments(_ key: String, _ path: String) {
        #expect(APIRequest.get(["feeds", "shop", "items", key]).path == path)
    }

    @Test("encode parameters")
    func query() {
        let request = APIRequest.get(["feeds"], query: [("since", "a+b&c=d"), ("limit", "3")])
        #expect(request.query == "since=a%2Bb%26c%3Dd&limit=3")
    }

    @Test("for a refresh say how and how long")
    func refresh() {
        var wish = RefreshRequest(feed: "shop")
        #expect(text(wish) == #"{"mode":"if_stale","wait":"none"}"#)
        wish.mode = .force
        wish.wait = true
        wish.deadline = .seconds(20)
        wish.acceptDrop = true
        #expect(text(wish) == #"{"mode":"force","wait":"all","deadline_ms":20000,"accept_drop":true}"#)
        #expect(wish.apiRequest.patience > .seconds(20))
        wish.deadline = nil
        #expect(text(wish).contains(#""deadline_ms":60000"#))
    }

    private func text(_ wish: RefreshRequest) -> String {
        String(decoding: wish.apiRequest.body, as: UTF8.self)
    }
}

@Suite("Socket places") struct SocketPlacesTests {
    private func paths(_ option: String?, _ environment: [String: String], uid: UInt32) -> [String] {
        SocketPlaces(option: option, environment: Environment(environment), uid: uid).paths
    }

    @Test("come from the option, then from the environment, then from the defaults")
    func order() {
        let variables = ["REFRESHD_SOCKET": "/tmp/e", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(paths("/tmp/o", variables, uid: 7) == ["/tmp/o"])
        #expect(paths(nil, variables, uid: 7) == ["/tmp/e"])
        let defaults = ["/run/user/7/refreshd/api.sock", "/run/refreshd/api.sock"]
        #expect(paths(nil, ["XDG_RUNTIME_DIR": "/run/user/7"], uid: 7) == defaults)
        #expect(paths(nil, ["XDG_RUNTIME_DIR": "/run/user/7", "REFRESHD_SOCKET": ""], uid: 7) == defaults)
        #expect(paths(nil, [:], uid: 0) == ["/run/refreshd/api.sock"])
    }

    @Test("are tried until something is there")
    func choice() throws {
        let places = SocketPlaces(
            option: nil, environment: Environment(["XDG_RUNTIME_DIR": "/run/user/7"]), uid: 7)
        let own = "/run/user/7/refreshd/api.sock"
        let host = "/run/refreshd/api.sock"
        #expect(try places.choose { _ in nil } == own)
        #expect(try places.choose { $0 == own ? .noSuchSocket : nil } == host)
        #expect(try places.choose { $0 == own ? .refused : nil } == own)
        #expect(try places.choose { $0 == own ? .noSuchSocket : .denied } == host)
        #expect(throws: ClientFailure.unreachable(path: "\(own) or \(host)", .noSuchSocket)) {
            try places.choose { _ in .noSuchSocket }
        }
    }

    @Test("longer than the system allows are a wrong command line")
    func tooLong() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        let places = SocketPlaces(option: path, environment: Environment([:]), uid: 0)
        #expect(throws: ClientFailure.badSocketPath(path)) { try places.choose { _ in nil } }
        #expect(ClientFailure.badSocketPath(path).exitCode == .usage)
        #expect(SocketAddress(String(path.dropLast())) != nil)
    }
}

@Suite("Socket faults", .timeLimit(.minutes(1))) struct SocketFaultTests {
    private let folder = TemporaryFolder()

    @Test("tell a missing socket from one that is left over, and both from a daemon")
    func probe() throws {
        let path = folder.path("s")
        #expect(SocketFault.probe(path) == .noSuchSocket)
        #expect(SocketFault.probe(folder.write("", to: "file") + "/s") == .noSuchSocket)
        #expect(SocketFault.probe(folder.path("file")) == .refused)
        let upstream = try ScriptedUpstream(unixSocket: path) { _ in .nothing }
        #expect(SocketFault.probe(path) == nil)
        upstream.stop()
        #expect(SocketFault.probe(path) != nil)
    }

    @Test("tell a socket that one may not use", .enabled(if: getuid() != 0, "root may use every socket"))
    func denied() throws {
        let path = folder.path("s")
        let upstream = try ScriptedUpstream(unixSocket: path) { _ in .nothing }
        defer { upstream.stop() }
        #expect(unsafe chmod(path, 0) == 0)
        #expect(SocketFault.probe(path) == .denied)
    }
}

@Suite("Failures") struct ClientFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let failure: ClientFailure
        let code: Int32
        let message: String?

        var testDescription: String { message ?? "\(failure)" }
    }

    private static let hint = "is it running? (systemctl status refreshd, or make run)"

    static let cases = [
        Case(
            failure: .unreachable(path: "/s", .noSuchSocket), code: 69,
            message: "no refreshd answers on /s: no such socket; \(hint)"),
        Case(
            failure: .unreachable(path: "/s", .refused), code: 69,
            message: "no refreshd answers on /s: connection refused, nobody listens there; \(hint)"),
        Case(
            failure: .unreachable(path: "/s", .denied), code: 77,
            message: "no refreshd answers on /s: permission denied; may this user use it? "
                + "(group refreshd-users, or --socket PATH)"),
        Case(
            failure: .unreachable(path: "/s", .other(code: EMFILE)), code: 69,
            message: "no refreshd answers on /s: Too many open files; \(hint)"),
        Case(
            failure: .noAnswer(path: "/s", detail: "cut short"), code: 69,
            message: "no answer from refreshd on /s: cut short"),
        Case(
            failure: .notRefreshd(path: "/s", detail: "HTML"), code: 69,
            message: "what answers on /s is not refreshd: HTML"),
        Case(
            failure: .problem(Problem(status: 404, code: "c", title: "t", detail: "no feed"), hint: "try b"),
            code: 1, message: "no feed; try b"),
        Case(
            failure: .problem(Problem(status: 403, title: "Not allowed"), hint: nil), code: 77,
            message: "Not allowed"),
        Case(
            failure: .problem(Problem(status: 500), hint: nil), code: 1,
            message: "the daemon answers with status 500"),
        Case(
            failure: .outputFailed(code: ENOSPC), code: 1,
            message: "standard output cannot be written: No space left on device"),
        Case(failure: .outputClosed, code: 141, message: nil),
    ]

    @Test("say what happened and end with the status that scripts expect", arguments: cases)
    func meaning(_ item: Case) {
        #expect(item.failure.exitCode.rawValue == item.code)
        #expect(item.failure.message == item.message)
    }

    @Test(
        "of a feed's name lead to the right one",
        arguments: [
            ("shpo", ["news", "shop"], "did you mean \"shop\"?"),
            ("zzz", ["news", "shop"], "there are news, shop"),
            ("zzz", ["shop"], "there is shop"), ("zzz", [], "no feeds are configured"),
            ("zzz", (1...9).map { "feed-\($0)" }, "see: refreshctl feeds"),
        ])
    func feedHints(_ name: String, _ names: [String], _ hint: String) {
        #expect(FeedHint.text(for: name, among: names) == hint)
    }
}

@Suite("Output") struct OutputTests {
    private let folder = TemporaryFolder()

    @Test("to a full disk fails")
    func full() throws {
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(throws: ClientFailure.outputFailed(code: ENOSPC)) {
            try Output(descriptor: descriptor).write(lines: ["x"])
        }
    }

    @Test("to a reader who has left ends quietly")
    func closed() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(throws: ClientFailure.outputClosed) { try Output(descriptor: ends[1]).write(lines: ["x"]) }
    }

    @Test("to a non-blocking pipe waits for room, and loses nothing")
    func slow() async throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        async let read = offPool {
            var all: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = unsafe Glibc.read(reader, &chunk, chunk.count)
                if count <= 0 { return all }
                all.append(contentsOf: chunk[..<count])
            }
        }
        let failed = await offPool {
            defer { close(writer) }
            do { try Output(descriptor: writer).write(bytes) } catch { return true }
            return false
        }
        #expect(!failed)
        #expect(await read == bytes)
        close(reader)
    }

    @Test("that is no terminal has no columns")
    func columns() throws {
        let descriptor = unsafe open("/dev/null", O_WRONLY)
        defer { close(descriptor) }
        #expect(Output(descriptor: descriptor).terminalColumns == nil)
    }
}

@Suite("Environment") struct EnvironmentTests {
    @Test("decides on width and colours")
    func display() {
        let plain = Environment([:])
        #expect(plain.display(terminalColumns: nil) == .plain)
        #expect(plain.display(terminalColumns: 120) == .terminal(columns: 120, colour: true))
        #expect(plain.display(terminalColumns: 0) == .terminal(columns: 80, colour: true))
        #expect(plain.display(terminalColumns: 3) == .terminal(columns: 20, colour: true))
        let told = Environment(["COLUMNS": "99", "NO_COLOR": "1"])
        #expect(told.display(terminalColumns: 0) == .terminal(columns: 99, colour: false))
        #expect(
            Environment(["NO_COLOR": ""]).display(terminalColumns: 50) == .terminal(columns: 50, colour: true)
        )
        #expect(
            Environment(["TERM": "dumb"]).display(terminalColumns: 50)
                == .terminal(columns: 50, colour: false))
    }
}
