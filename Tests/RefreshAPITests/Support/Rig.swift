import CLinux
import RefreshCore
import RefreshEngine
import RefreshFormats
import RefreshStore
import TestSupport
import Testing

@testable import RefreshAPI

/// A server over a real cache, on a socket in a folder of its own.
final class Rig: Sendable {
    let folder = TemporaryFolder()
    let time = ManualTime()
    let board = StatusBoard()
    let control: FakeControl
    let store: Store
    let server: APIServer
    let http: UnixHTTP
    let counters = Counters()
    let history = HistoryBoard()

    var path: String { folder.path("api.sock") }

    private init(control: FakeControl, rules: LiveAccess, log: Log, streams: Int, admission: Admission)
        throws
    {
        self.control = control
        store = try Store(
            folder: folder.path("state"), random: Randomness(seed: 7), now: time.now().wall)
        server = try APIServer(
            socket: .make(path: folder.path("api.sock"), mode: 0o660),
            controlSocket: .make(path: folder.path("control.sock"), mode: 0o660), board: board,
            control: control,
            daemon: control,
            storeFolder: folder.path("state"), commits: store.commits, time: time, instance: "abc",
            version: "0.1", log: log,
            access: rules, admission: admission, streams: streams, counters: counters, history: history)
        http = UnixHTTP(socket: folder.path("api.sock"))
        try server.start()
    }

    /// Runs `body` against a server with the feeds of `seed` and stops it afterwards.
    static func with(
        control: FakeControl = FakeControl(), owner: UInt32 = geteuid(), access: Access? = nil,
        rules: LiveAccess? = nil, log: Log = .silent, streams: Int = 256,
        admission: Admission = Admission(),
        _ body: @Sendable (Rig) async throws -> Void
    ) async throws {
        let rules = rules ?? LiveAccess(access ?? Access(owner: owner))
        let made = await offPool {
            Result {
                try Rig(control: control, rules: rules, log: log, streams: streams, admission: admission)
            }
        }
        let rig = try made.get()
        do {
            try await rig.seed()
            try await body(rig)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    func stop() async {
        control.finish(nil)
        await offPool {
            self.server.stop()
            self.store.stop()
        }
    }

    /// A feed of three items and a tombstone, and one that was never fetched.
    private func seed() async throws {
        try await commit(
            "shop",
            [
                ("gone", "1"), ("a/b", #"{"price":1.10}"#), ("c", #"{"n":1}"#),
                (#"["x","y"]"#, #"{"pair":true}"#),
            ])
        try await commit(
            "shop",
            [("a/b", #"{"price":1.10}"#), ("c", #"{"n":1e400}"#), (#"["x","y"]"#, #"{"pair":true}"#)])
        let empty = try feed("empty")
        let (progress, counts) = try #require(try await store.load(feeds: [empty])[empty])
        board.post(status(empty, progress, counts))
    }

    /// Stores a whole listing of a feed and shows what came of it on the board.
    @discardableResult func commit(
        _ name: String, _ records: [(key: String, body: String)], keep: Int = 1_000
    ) async throws -> StoredCounts {
        let feed = try feed(name)
        let now = time.now().wall
        var text: [UInt8] = []
        var rows: [RecordPage.Row] = []
        for record in records {
            let start = text.count
            text.append(contentsOf: record.body.utf8)
            let hash = ContentHash(high: FNV.hash64(record.body.utf8), low: 0)
            rows.append(
                RecordPage.Row(key: RecordKey(record.key), body: start..<text.count, hash: hash))
        }
        var (progress, _) = try #require(try await store.load(feeds: [feed])[feed])
        progress.lastAttempt = now
        progress.lastDone = now
        progress.lastSuccess = now
        let outcome = try await store.apply(
            PassCommit(
                feed: feed, at: now, progress: progress, page: RecordPage(text: text, rows: rows),
                complete: true, absent: .gone, retention: Retention(count: keep)))
        board.post(status(feed, outcome.progress, outcome.store))
        return outcome.store
    }

    /// Stores a document as an `http` feed would; `fields` are those of the upstream's answer.
    func commitDocument(_ name: String, _ bytes: [UInt8], _ fields: [(String, String)] = []) async throws {
        let feed = try feed(name)
        let now = time.now().wall
        let record = try DocumentRecord(bytes: bytes[...], headers: HTTPHeaders(fields), url: nil)
        var (progress, _) = try #require(try await store.load(feeds: [feed])[feed])
        progress.lastSuccess = now
        var commit = PassCommit(
            feed: feed, at: now, progress: progress, page: record.page, retention: Retention(count: 10))
        commit.keepsDocument = true
        commit.document = record.document
        let outcome = try await store.apply(commit)
        board.post(status(feed, outcome.progress, outcome.store, adapter: "http"))
    }

    /// Shows a feed on the board of which the cache has not heard.
    func unfetched(_ name: String, title: String? = nil, adapter: String = "json") throws {
        let feed = try feed(name)
        let counts = StoredCounts(epoch: Epoch(1))
        board.post(status(feed, FeedProgress(), counts, title: title, adapter: adapter))
    }

    /// Shows on the board that the last refresh of a feed has failed.
    func fail(_ name: String, _ failure: RefreshFailure) throws {
        let old = try #require(board.status(of: try feed(name)))
        var progress = old.progress
        progress.failures = 2
        progress.failure = FailureNote(failure, at: time.now().wall)
        board.post(status(old.feed, progress, old.store))
    }

    /// A request by id confirms one item now; the list's stamps stay.
    func confirm(_ name: String, _ key: String) async throws {
        let feed = try feed(name)
        let (progress, _) = try #require(try await store.load(feeds: [feed])[feed])
        let body = Array(#"{"n":1e400}"#.utf8)
        let row = RecordPage.Row(
            key: RecordKey(key), body: 0..<body.count, hash: ContentHash(high: FNV.hash64(body), low: 0))
        _ = try await store.apply(
            PassCommit(
                feed: feed, at: time.now().wall, part: .byID(gone: []), progress: progress,
                page: RecordPage(text: body, rows: [row]), retention: Retention(count: 1_000),
                deletes: DeletesPlan(absent: .gone)))
    }

    /// Shows a feed on the board as it is, but for how its items are served.
    func serve(
        _ name: String, nextDue: Timestamp? = nil, _ change: (inout ServingRules) -> Void
    ) throws {
        let old = try #require(board.status(of: try feed(name)))
        var rules = old.serving
        change(&rules)
        board.post(
            FeedStatus(
                feed: old.feed, title: old.title, adapter: old.adapter, url: old.url, state: old.state,
                progress: old.progress, freshUntil: old.freshUntil, nextDue: nextDue, dueRule: old.dueRule,
                inFlight: old.inFlight, store: old.store, alarms: old.alarms, serving: rules))
    }

    func feed(_ name: String) throws -> FeedID { try #require(FeedID(name)) }

    /// The key that a client of `feed` holds who has seen everything up to `seq`.
    func key(_ name: String, _ seq: Seq, epoch: Epoch? = nil) throws -> String {
        let counts = try #require(board.status(of: try feed(name))).store
        return SyncKey(epoch: epoch ?? counts.epoch, seq: seq).text(feed: try feed(name))
    }

    func newest(_ name: String) throws -> Seq { try #require(board.status(of: try feed(name))).store.seq }

    private func status(
        _ feed: FeedID, _ progress: FeedProgress, _ counts: StoredCounts, title: String? = nil,
        adapter: String = "json"
    )
        -> FeedStatus
    {
        FeedStatus(
            feed: feed, title: title, adapter: adapter, url: "https://example.test/",
            state: progress.failures == 0 ? .active : .backoff, progress: progress,
            freshUntil: progress.lastSuccess.map { $0 + .seconds(300) },
            nextDue: time.now().wall + .seconds(30), dueRule: "every", inFlight: false, store: counts,
            alarms: [])
    }
}

/// A JSON answer, read by paths such as `items.0.key`.
struct Body {
    private let document: JSONDocument

    init(_ answer: UnixHTTP.Answer?) throws { try self.init(answer?.body ?? []) }
    init(_ answer: RawClient.Answer?) throws { try self.init(answer?.body ?? []) }

    private init(_ bytes: [UInt8]) throws { document = try JSONDocument(parsing: PaddedBytes(bytes)) }

    /// The text at `path`, strings without their quotes; nil where there is nothing.
    subscript(_ path: String) -> String? {
        guard let node = node(path) else { return nil }
        return document.text(node) ?? String(decoding: document.text(of: node), as: UTF8.self)
    }

    func count(_ path: String) -> Int? { node(path).map(document.count(of:)) }

    var names: [String] {
        document.members(of: document.root).map { document.text($0.name) ?? "" }
    }

    private func node(_ path: String) -> JSONNode? {
        var node: JSONNode? = document.root
        for step in path.split(separator: ".") {
            guard let here = node else { return nil }
            if let index = Int(step) {
                node = Array(document.elements(of: here)).dropFirst(index).first
            } else {
                node = document.member(String(step), of: here)
            }
        }
        return node
    }
}
