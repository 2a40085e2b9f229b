import CLinux
import RefreshCore
import RefreshEngine
import RefreshFormats
import RefreshStore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Real answers against the API's description", .timeLimit(.minutes(2))) struct RealAnswersTests {
    private typealias Way = AnswerRecorder.Way

    /// Ways to answer that this rig cannot be brought to, or that another test looks at over the socket.
    private static var elsewhere: Set<Way> {
        let items = "GET /v1/feeds/{feed}/items", item = "GET /v1/feeds/{feed}/items/{key}"
        let changes = "GET /v1/feeds/{feed}/changes", more = "POST /v1/feeds/{feed}/more"
        return Set([
            // ReadingTests breaks the cache.
            Way(route: "GET /readyz", status: 503),
            Way(route: items, status: 500, code: "cache-failed"),
            Way(route: item, status: 500, code: "cache-failed"),
            // DocumentOverSocketTests breaks it too.
            Way(route: "GET /v1/feeds/{feed}/document", status: 500, code: "cache-failed"),
            Way(route: changes, status: 500, code: "cache-failed"),
            Way(route: more, status: 500, code: "cache-failed"),
            // StreamTests opens too many streams.
            Way(route: changes, status: 503, code: "too-many-streams"),
            Way(route: "GET /v1/events", status: 503, code: "too-many-streams"),
            // RefreshTests wants too many refreshes.
            Way(route: items, status: 503, code: "busy"),
            Way(route: "POST /v1/feeds/{feed}/refresh", status: 503, code: "busy"),
            Way(route: "POST /v1/feeds/{feed}/pause", status: 503, code: "busy"),
            Way(route: "POST /v1/feeds/{feed}/resume", status: 503, code: "busy"),
            Way(route: "POST /v1/reload", status: 503, code: "busy"),
            // QuotaTests spends a quota.
            Way(route: items, status: 429, code: "quota-exceeded"),
        ]).union(controls)
    }

    /// RefreshTests wants too many, and ControlTests two of a kind at once.
    private static var controls: Set<Way> {
        let routes = [
            "POST /v1/feeds/{feed}/pause", "POST /v1/feeds/{feed}/resume", "POST /v1/config/check",
            "POST /v1/backup", "POST /v1/log-level", "GET /v1/config",
        ]
        let cleared = ["POST /v1/feeds/{feed}/purge", "POST /v1/feeds/{feed}/reset"]
        return Set(
            (routes + cleared).map { Way(route: $0, status: 503, code: "busy") }
                + routes.map { Way(route: $0, status: 409, code: "control-busy") })
    }

    private static let targets = [
        "/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/status", "/v1/feeds", "/v1/feeds/shop",
        "/v1/feeds/failing", "/v1/feeds/empty", "/v1/feeds/shop/history", "/v1/feeds/empty/history",
        "/v1/feeds/shop/items", "/v1/feeds/shop/items?limit=1", "/v1/feeds/shop/items?key=c&key=nosuch",
        "/v1/feeds/failing/items", "/v1/feeds/empty/items", "/v1/feeds/shop/items/c",
        "/v1/feeds/shop/items/a%2Fb", "/v1/feeds/shop/changes", "/v1/feeds/shop/changes?limit=1",
        "/v1/feeds/shop/changes?since=now", "/v1/feeds/new/items", "/v1/feeds/new/changes",
        "/v1/feeds/new/items/a", "/v1/feeds/shop/items?include=gone&order=reverse&fields=price,n&evictions=0",
        "/v1/feeds/shop/items?order=key&policy=cache_only", "/v1/feeds/shop/items/gone",
        "/v1/feeds/shop/items/c?fields=n", "/v1/feeds/shop/items/c?fields=,",
        "/v1/feeds/shop/changes?include=gone&evictions=0&fields=n", "/v1/feeds/nosuch",
        "/v1/feeds/nosuch/history", "/v1/feeds/nosuch/items", "/v1/feeds/nosuch/document",
        "/v1/feeds/logo/document", "/v1/feeds/shop/document", "/v1/feeds/newlogo/document",
        "/v1/feeds/nosuch/items/a", "/v1/feeds/nosuch/changes", "/v1/feeds/shop/changes?since=x",
    ]

    private static var outcomes: [RefreshOutcome] {
        [
            .refreshed(RefreshCounts()), .unchanged, .fresh, .failed(failure), .backoff(retryIn: .seconds(3)),
            .tooSoon(retryIn: .seconds(3)), .limited(retryIn: .seconds(3)),
            .refused(reason: "the daemon stops"),
        ]
    }

    private static let failure = RefreshFailure(
        .transient, code: "http-503", detail: "the upstream answers 503", status: 503)

    @Test("each is documented, of its schema to the last member, and each that is documented can be had")
    func all() async throws {
        let recorder = AnswerRecorder()
        try await Rig.with { rig in
            try await fill(rig)
            for target in RealAnswersTests.targets { try await get(target, rig, recorder) }
            try await conditional(rig, recorder)
            try await more(rig, recorder)
            try await refusals(rig, recorder)
            try await streams(rig, recorder)
            rig.time.advance(by: .seconds(400))
            try await get("/v1/feeds/shop/items?max_stale=10s", rig, recorder)
            try await get("/v1/feeds/shop/items/c?max_stale=10s", rig, recorder)
        }
        for outcome in RealAnswersTests.outcomes { try await refresh(outcome, recorder) }
        for outcome in try RealAnswersTests.reloads() { try await control(outcome, recorder) }
        for outcome in [ClearOutcome.busy, .failed("no space")] { try await clear(outcome, recorder) }
        for outcome in RealAnswersTests.backups { try await backup(outcome, recorder) }
        try await upkeep(recorder)
        let ofAll = Set(RouteDescription.problemsOfAll.map(\.rawValue))
        let seen = recorder.ways.filter { way in way.code.map { !ofAll.contains($0) } ?? true }
        let documented = AnswerRecorder.documented
        #expect(seen.subtracting(documented) == [], "answered, and not documented")
        let missing = documented.subtracting(seen)
        #expect(missing == RealAnswersTests.elsewhere, "documented and never answered, or the reverse")
        try await check(recorder)
    }

    // MARK: - What is asked

    private func fill(_ rig: Rig) async throws {
        try await rig.commit("failing", [("a", "1")])
        try rig.fail("failing", RealAnswersTests.failure)
        try rig.unfetched("new")
        try rig.unfetched("newlogo", adapter: "http")
        try await rig.commitDocument("logo", [1, 2, 3], [("Content-Type", "image/png")])
        let shop = try rig.feed("shop")
        let at = rig.time.now().wall
        for outcome in RealAnswersTests.outcomes {
            rig.history.note(
                shop, HistoryEntry(at: at, cause: .schedule, outcome: outcome, took: .milliseconds(12)))
        }
    }

    private func get(
        _ target: String, _ rig: Rig, _ recorder: AnswerRecorder, headers: [String] = []
    ) async throws {
        let answer = try #require(await rig.http.get(target, headers: headers))
        try recorder.note("GET", target, answer)
    }

    private func conditional(_ rig: Rig, _ recorder: AnswerRecorder) async throws {
        for target in ["/v1/feeds/shop/items", "/v1/feeds/shop/items/c", "/v1/feeds/logo/document"] {
            try await get(target, rig, recorder, headers: ["If-None-Match: *"])
        }
        let old = try rig.key("shop", 1, epoch: Epoch(1))
        try await get("/v1/feeds/shop/changes?since=\(old)", rig, recorder)
        for path in ["items", "changes"] { try await get("/v1/feeds/shop/\(path)?limit=0", rig, recorder) }
    }

    private func more(_ rig: Rig, _ recorder: AnswerRecorder) async throws {
        let cursor = try Body(await rig.http.get("/v1/feeds/shop/items?limit=1"))["cursor"] ?? ""
        let (key, old) = (try rig.key("shop", 1), try rig.key("shop", 1, epoch: Epoch(1)))
        let newest = try rig.key("shop", try rig.newest("shop"))
        let bodies = [
            "{}", #"{"limit":1,"order":"key","fields":["n"],"evictions":false,"include":["gone"]}"#,
            #"{"cursor":"\#(cursor)","since":"\#(newest)"}"#, #"{"since":"\#(key)","limit":1}"#,
            #"{"since":"\#(old)"}"#, #"{"since":"x"}"#, #"{"cursor":"x"}"#, #"{"limit":0}"#,
        ]
        for name in ["shop", "new", "nosuch"] {
            for body in bodies {
                let target = "/v1/feeds/\(name)/more"
                try recorder.note("POST", target, #require(await rig.http.post(target, json: body)))
            }
        }
        let target = "/v1/feeds/shop/more"
        try recorder.note(
            "POST", target, #require(await rig.http.ask("POST", target, headers: [], body: "{}")))
    }

    private func refusals(_ rig: Rig, _ recorder: AnswerRecorder) async throws {
        for item in ProblemAnswerTests.cases {
            let answer = try #require(
                await rig.http.ask(item.method, item.target, headers: item.fields, body: item.body))
            try recorder.note(item.method, item.target, answer)
        }
    }

    private func streams(_ rig: Rig, _ recorder: AnswerRecorder) async throws {
        let path = rig.path
        let (types, changes) = await offPool { () -> ([String?], [String]) in
            let changes = StreamClient(path, "/v1/feeds/shop/changes", accept: "application/x-ndjson")
            let events = StreamClient(path, "/v1/events")
            let rows = StreamClient(path, "/v1/feeds/shop/changes")
            let told = rows?.events(4).filter { $0.name == "change" }.map(\.data) ?? []
            return ([changes?.type, events?.type], told)
        }
        #expect(types == ["application/x-ndjson", "text/event-stream"])
        #expect(changes.count == 3)
        for (target, type) in zip(["/v1/feeds/shop/changes", "/v1/events"], types) {
            try recorder.note("GET", target, status: 200, type: type, [])
        }
        for change in changes { recorder.note(schema: "Change", change) }
    }

    private func refresh(_ outcome: RefreshOutcome, _ recorder: AnswerRecorder) async throws {
        try await Rig.with(control: FakeControl(immediate: outcome)) { rig in
            let target = "/v1/feeds/shop/refresh"
            try await get("/v1/feeds/shop/items?policy=network_first", rig, recorder)
            for body in [#"{"wait":"all"}"#, "{}"] {
                let answer = try #require(await rig.http.post(target, json: body))
                try recorder.note("POST", target, answer)
            }
        }
    }

    private static func reloads() throws -> [ReloadOutcome] {
        let fault = ReloadFault(file: "plugins.yaml", line: 3, column: 5, code: "unknown_key", detail: "odd")
        let shop = try #require(FeedID("shop"))
        return [
            .applied(
                ReloadReport(
                    generation: 2, added: [shop], changed: [], removed: [], unchanged: 7, warnings: [fault])),
            .refused([fault]), .busy, .failed("the store is full"),
        ]
    }

    private func control(_ outcome: ReloadOutcome, _ recorder: AnswerRecorder) async throws {
        try await Rig.with(control: FakeControl(reload: outcome)) { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            for name in ["shop", "nosuch"] {
                for verb in ["pause", "resume", "purge", "reset"] {
                    let target = "/v1/feeds/\(name)/\(verb)"
                    try recorder.note("POST", target, #require(await http.post(target, json: "")))
                }
            }
            try recorder.note("POST", "/v1/reload", #require(await http.post("/v1/reload", json: "")))
            for target in RealAnswersTests.controlled {
                let answer = await http.ask("POST", target, headers: [], body: "{}")
                try recorder.note("POST", target, #require(answer))
                try recorder.note("POST", target, #require(await http.post(target, json: #"{"nosuch":1}"#)))
            }
        }
    }

    private static let controlled = [
        "/v1/feeds/shop/pause", "/v1/feeds/shop/resume", "/v1/feeds/shop/purge", "/v1/feeds/shop/reset",
        "/v1/reload", "/v1/backup", "/v1/log-level", "/v1/config/check",
    ]

    private static let backups: [BackupOutcome] = [
        .failed("no space"),
        .written(
            BackupFolder.Report(
                folder: "/var/lib/refreshd/backups", name: "20260101T000000.000000Z",
                files: [.init(name: "cache.sqlite3", bytes: 81_920)], dropped: ["20250101T000000.000000Z"]),
            kept: 3, took: .milliseconds(12)),
    ]

    private func clear(_ outcome: ClearOutcome, _ recorder: AnswerRecorder) async throws {
        try await Rig.with(control: FakeControl(clear: outcome)) { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            for target in ["/v1/feeds/shop/purge", "/v1/feeds/shop/reset"] {
                try recorder.note("POST", target, #require(await http.post(target, json: "")))
            }
        }
    }

    private func backup(_ outcome: BackupOutcome, _ recorder: AnswerRecorder) async throws {
        try await Rig.with(control: FakeControl(backup: outcome)) { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            try recorder.note("POST", "/v1/backup", #require(await http.post("/v1/backup", json: "")))
        }
    }

    private func upkeep(_ recorder: AnswerRecorder) async throws {
        try await Rig.with { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            for target in ["/v1/log-level", "/v1/config/check"] {
                try recorder.note("POST", target, #require(await http.post(target, json: "{}")))
            }
            for target in [
                "/v1/config", "/v1/config?limit=1", "/v1/config?feed=shop&defaults=1",
                "/v1/config?feed=nosuch", "/v1/config?cursor=A", "/v1/config?limit=0",
                "/v1/schema/config.json",
            ] {
                try recorder.note("GET", target, #require(await http.get(target)))
            }
        }
    }

    // MARK: - The judge

    /// Lets a validator that others wrote look at everything that was noted.
    private func check(_ recorder: AnswerRecorder) async throws {
        let folder = TemporaryFolder()
        let document = folder.write(OpenAPIDocument.bytes, to: "openapi.json")
        let answers = folder.write(recorder.text, to: "answers.jsonl")
        let script = DocumentTests.path.replacingTail("docs/openapi.json", by: "scripts/check-answers")
        let child = try ChildProcess("/usr/bin/python3", ["-B", script, document, answers], in: folder)
        switch await child.wait(atMost: .seconds(60)) {
        case .exited(77): print("answers were not held against their schemas: \(child.errors)")
        case .exited(0): print(child.output)
        default: Issue.record("\(child.output)\(child.errors)")
        }
    }
}

extension String {
    fileprivate func replacingTail(_ tail: String, by other: String) -> String {
        dropLast(tail.count) + other
    }
}
