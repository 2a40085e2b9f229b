import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshClient

@Suite("Doctor's rules") struct DoctorRulesTests {
    private static func facts(
        _ mode: UInt32, _ kind: DoctorRules.FileFacts.Kind = .file
    ) -> DoctorRules.Look {
        .found(DoctorRules.FileFacts(kind: kind, mode: mode, owner: 0, group: 0))
    }

    private static let now = Timestamp(seconds: 1_780_000_000)

    @Test(
        "who may write a configuration or read a state is judged",
        arguments: [
            (DoctorRules.configurationFile("f", facts(0o640), uid: 0), .ok),
            (DoctorRules.configurationFile("f", facts(0o644), uid: 0), .warning),
            (DoctorRules.configurationFile("f", facts(0o664), uid: 0), .problem),
            (DoctorRules.configurationFile("f", facts(0o602), uid: 0), .problem),
            (DoctorRules.configurationFile("f", .missing, uid: 0), nil),
            (DoctorRules.stateFolder("d", facts(0o700, .folder)), .ok),
            (DoctorRules.stateFolder("d", facts(0o750, .folder)), .problem),
            (DoctorRules.stateFolder("d", facts(0o777, .link)), .problem),
            (DoctorRules.stateFolder("d", .missing), .warning),
            (DoctorRules.stateFolder("d", .denied), .unknown),
        ] as [(Finding?, Finding.Verdict?)])
    func files(_ finding: Finding?, _ verdict: Finding.Verdict?) { #expect(finding?.verdict == verdict) }

    @Test(
        "a socket that cannot be used says what to do",
        arguments: [
            (nil, true, .ok, ""), (.denied, true, .problem, "adduser USER readers"),
            (.denied, false, .unknown, "adduser"), (.noSuchSocket, true, .problem, "systemctl start"),
            (.noSuchSocket, false, .warning, "systemctl start"), (.refused, true, .problem, "journalctl"),
            (.notASocket, true, .problem, "move it away"),
        ] as [(SocketFault?, Bool, Finding.Verdict, String)])
    func sockets(_ fault: SocketFault?, _ isVital: Bool, _ verdict: Finding.Verdict, _ remedy: String) {
        let finding = DoctorRules.socket("socket", "/s", fault, group: "readers", isVital: isVital)
        #expect(finding.verdict == verdict)
        #expect((finding.remedy ?? "").hasPrefix(remedy) || finding.remedy?.contains(remedy) == true)
    }

    @Test(
        "versions that do not fit are told",
        arguments: [
            ("1", "1", "1.0", "1.3", .ok), ("1", "2", "1.0", "1.3", .warning),
            ("1", "9", "2.0", "3.0", .problem), ("1", nil, "1.0", "1.0", .problem),
        ] as [(String, String?, String, String, Finding.Verdict)])
    func versions(
        _ own: String, _ daemon: String?, _ least: String, _ most: String, _ verdict: Finding.Verdict
    ) {
        #expect(DoctorRules.versions(own: own, daemon: daemon, api: (least, most)).verdict == verdict)
    }

    @Test(
        "a disk is full before it is full",
        arguments: [
            (100 << 30, 50 << 30, [.ok]), (100 << 30, 1 << 30, [.warning]), (1 << 30, 200 << 20, [.warning]),
            (1 << 30, 1 << 20, [.problem]),
        ] as [(Int, Int, [Finding.Verdict])])
    func disk(_ all: Int, _ left: Int, _ verdicts: [Finding.Verdict]) {
        #expect(
            DoctorRules.disk("/s", all: all, left: left, used: 10, limit: 1_000).map(\.verdict) == verdicts)
    }

    @Test("databases near their limit, and damaged ones that were set aside, are told")
    func stored() {
        let found = DoctorRules.disk("/s", all: 1 << 40, left: 1 << 39, used: 950, limit: 1_000)
        #expect(found.map(\.verdict) == [.ok, .warning])
        #expect(DoctorRules.leftovers("/s", ["cache.sqlite3", "lock"]) == nil)
        let aside = ["cache.sqlite3.corrupt-1", "cache.sqlite3.corrupt-1-wal", "durable.sqlite3.corrupt-2"]
        #expect(DoctorRules.leftovers("/s", aside)?.text.hasPrefix("2 damaged databases") == true)
    }

    @Test(
        "a clock that cannot be right is a problem, one that nobody keeps a warning",
        arguments: [
            (0, true, nil, .problem), (1_780_000_000, true, nil, .ok), (1_780_000_000, false, nil, .warning),
            (1_780_000_000, nil, nil, .unknown), (1_780_000_000, true, 1_780_000_900, .problem),
            (1_780_000_000, true, 1_779_999_000, .ok),
        ] as [(Int64, Bool?, Int64?, Finding.Verdict)])
    func clock(_ now: Int64, _ isKept: Bool?, _ newest: Int64?, _ verdict: Finding.Verdict) {
        let finding = DoctorRules.clock(
            now: Timestamp(seconds: now), isKept: isKept, newest: newest.map { Timestamp(seconds: $0) })
        #expect(finding.verdict == verdict)
    }

    @Test("what is wrong with the daemon as a whole is a problem, each by itself")
    func daemon() {
        var status = StatusAnswer()
        status.config = "ok"
        #expect(DoctorRules.status(status).isEmpty)
        status.config = "reload-failed"
        status.alarms = ["nothing can be stored: the disk is full"]
        let found = DoctorRules.status(status)
        #expect(found.map(\.verdict) == [.problem, .problem])
        #expect(found.first?.text == "nothing can be stored: the disk is full")
    }

    @Test("feeds that fail are named, with where to look")
    func feeds() {
        var failing = FeedAnswer()
        (failing.name, failing.state, failing.failures) = ("shop", "backoff", 3)
        var broken = FeedAnswer()
        (broken.name, broken.state, broken.failures) = ("news", "config-error", 1)
        var gone = FeedAnswer()
        (gone.name, gone.state, gone.failures) = ("past", "gone", 4)
        let found = DoctorRules.feeds([failing, broken, gone])
        #expect(found.map(\.verdict) == [.problem, .warning, .warning])
        #expect(
            found.map(\.text) == [
                "wrong in the configuration: news", "gone, says their upstream: past", "failing: shop",
            ])
        #expect(DoctorRules.feeds([]).map(\.verdict) == [.warning])
        #expect(DoctorRules.feeds([FeedAnswer()]).map(\.verdict) == [.ok])
    }

    @Test("what to do stands below what is wrong, and for programs beside it")
    func view() {
        let findings = [
            Finding(.ok, "versions", "both are 1"),
            Finding(.problem, "disk", "1.0 MiB\u{1B} left", remedy: "make room"),
        ]
        let view = DoctorView(findings)
        #expect(
            view.lines(on: .terminal(columns: 80, colour: false)) == [
                "ok       versions  both are 1", "problem  disk      1.0 MiB\\u001b left",
                "                   make room", "", "1 ok, 1 problem",
            ])
        #expect(
            view.lines(on: .plain) == [
                "ok\tversions\tboth are 1\t", "problem\tdisk\t1.0 MiB\\u001b left\tmake room",
            ])
        #expect(
            view.json
                == #"{"healthy":false,"findings":[{"verdict":"ok","area":"versions","text":"both are 1","remedy":null},"#
                + #"{"verdict":"problem","area":"disk","text":"1.0 MiB\u001b left","remedy":"make room"}]}"#)
    }
}

@Suite("Doctor", .timeLimit(.minutes(1))) struct DoctorTests {
    private func answers(_ version: String = Version.text, ready: Bool = true) -> [String: UpstreamAnswer] {
        [
            "GET /": Rig.json(
                #"{"server":"refreshd","version":"\#(version)","api":{"min":"1.0","max":"1.0"}}"#),
            "GET /readyz": Rig.json(
                #"{"status":"x","checks":[{"name":"store","ok":\#(ready),"detail":"disk I/O error"}]}"#,
                status: ready ? 200 : 503),
            "GET /v1/status": Rig.json(#"{"version":"1","config":"ok","disk_bytes":1000}"#),
            "GET /v1/feeds": Rig.json(#"{"feeds":[{"name":"shop","state":"active"}]}"#),
        ]
    }

    /// A configuration and a state folder that are as they should be.
    private func words(_ rig: Rig, _ more: [String] = []) -> [String] {
        let file = rig.folder.write(
            "feeds:\n  news: {adapter: feed, url: 'https://news.example/atom.xml'}\n", to: "f.yaml")
        let state = rig.folder.path("state")
        _ = unsafe mkdir(state, 0o700)
        _ = unsafe chmod(file, 0o600)
        return ["doctor", file, "--state-folder", state] + more
    }

    /// Area by area what was found; the clock and the disk are those of whoever runs the tests.
    private func verdicts(_ output: String) -> [String] {
        output.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).prefix(2).joined(separator: " ")
        }.filter { !$0.hasSuffix("clock") && !$0.hasSuffix("disk") }
    }

    @Test("finds nothing where nothing is wrong")
    func healthy() async throws {
        let rig = try Rig(answers())
        let ending = try await rig.run(words(rig))
        #expect(
            verdicts(ending.output) == [
                "ok configuration", "ok permissions", "ok permissions", "ok socket", "ok versions",
                "ok daemon",
                "ok feeds",
            ])
    }

    @Test("ends with 1 where something is wrong, and says what to do")
    func ill() async throws {
        let rig = try Rig(answers("0.0.1", ready: false))
        var words = words(rig)
        _ = unsafe chmod(words[1], 0o622)
        let ending = try await rig.run(words)
        #expect(ending.code == .failure)
        #expect(
            verdicts(ending.output) == [
                // The file's own reader warns of it too.
                "warning configuration", "problem permissions", "ok permissions", "ok socket",
                "warning versions",
                "problem daemon", "ok feeds",
            ])
        #expect(ending.output.contains("store: disk I/O error"))
        #expect(ending.output.contains("\tchmod go-w "))
        words[1] = rig.folder.write("feeds: [\n", to: "bad.yaml")
        let bad = try await rig.run(words)
        #expect(bad.output.contains("problem\tconfiguration\t"))
    }

    @Test("a daemon that does not run is one finding among the others")
    func absent() async throws {
        let rig = try Rig([:])
        let ending = try await rig.run(words(rig, ["--socket", rig.folder.path("none")]))
        #expect(ending.code == .failure)
        #expect(
            verdicts(ending.output) == [
                "ok configuration", "ok permissions", "ok permissions", "problem socket",
            ])
        let json = try await rig.run(words(rig, ["--json", "--socket", rig.folder.path("none")]))
        #expect(json.output.hasPrefix(#"{"healthy":false,"findings":["#))
    }
}
