import RefreshAdapters
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer
import TestSupport

/// An engine with everything below it, on a folder of its own.
final class EngineRig: Sendable {
    let time: ManualTime
    let engine: Engine
    let counters = Counters()
    private let board = StatusBoard()
    private let folder: TemporaryFolder
    private let store: Store
    private let transfer: TransferService
    private let credentials: CredentialService
    private let running: Task<Void, Never>

    /// - Parameter feeds: a URL for each name; all are JSON lists whose records have an `id`, every 300 s.
    convenience init(
        feeds: [String: String], concurrency: Int = 16, originGap: Duration = .zero,
        folder: TemporaryFolder = TemporaryFolder(), origins: (any OriginMemory)? = nil,
        time: ManualTime = ManualTime()
    ) async throws {
        try await self.init(
            feeds: feeds.map { try EngineRig.feed($0.key, $0.value) }, concurrency: concurrency,
            originGap: originGap, folder: folder, origins: origins, time: time)
    }

    init(
        feeds: [Feed], concurrency: Int = 16, perOrigin: Int = 1, originGap: Duration = .zero,
        folder: TemporaryFolder = TemporaryFolder(), origins: (any OriginMemory)? = nil,
        tokens: any TokenStore = ForgottenTokens(), time: ManualTime = ManualTime()
    ) async throws {
        self.time = time
        self.folder = folder
        store = try Store(folder: folder.path("state"), random: Randomness(), now: time.now().wall)
        transfer = try TransferService(concurrency: concurrency)
        credentials = CredentialService(
            transfer: transfer, secrets: Secrets(environment: { _ in nil }), reader: JSONTokenReader(),
            store: tokens, time: time, random: Randomness(seed: 3))
        var settings = DaemonSettings()
        settings.concurrency = concurrency
        settings.perOrigin = perOrigin
        settings.originGap = originGap
        let plan = Plan(daemon: settings, feeds: feeds)
        let engine = try await Engine(
            plan: plan, store: store, transfer: transfer, time: time, random: Randomness(seed: 2),
            board: board, log: .silent,
            parents: StoredParents(folder: folder.path("state")), credentials: credentials, origins: origins,
            counters: counters)
        self.engine = engine
        running = Task { await engine.run() }
    }

    /// Another plan for `apply`, with the settings that most rigs have.
    static func plan(_ feeds: [Feed]) -> Plan {
        var settings = DaemonSettings()
        settings.originGap = .zero
        return Plan(daemon: settings, feeds: feeds)
    }

    static func id(_ name: String) -> FeedID {
        guard let id = FeedID(name) else { preconditionFailure("\(name) is no feed name") }
        return id
    }

    static func feed(
        _ name: String, _ url: String, every: Int = 300, details: Shared<FeedDetails> = .standard
    ) throws -> Feed {
        Feed(
            id: id(name), adapter: .json, schedule: Schedule(every: .seconds(every), minGap: .zero),
            request: RequestPlan(url: try WebURL(parsing: url), allowPrivate: true),
            records: RecordsPlan(path: .root, key: [JSONPath([.name(Array("id".utf8))])]),
            retention: Retention(count: 1_000), absent: .gone, details: details)
    }

    /// The live items of a feed: their bodies by their keys.
    func items(_ feed: String) throws -> [String: String] {
        let reader = try StoreReader(folder: folder.path("state"))
        defer { reader.endRound() }
        var items: [String: String] = [:]
        try reader.items(of: EngineRig.id(feed), after: nil) { row in
            items[row.key.text] = String(decoding: unsafe Array(row.body), as: UTF8.self)
            return true
        }
        return items
    }

    var alarms: [String] { board.picture().alarms }

    func status(_ feed: String) -> FeedStatus? { board.status(of: EngineRig.id(feed)) }

    /// Whether the feed has been fetched and flies no more.
    func landed(_ feed: String) -> Bool {
        guard let status = status(feed) else { return false }
        return !status.inFlight && status.progress.lastDone != nil
    }

    func stop() async {
        await engine.stop()
        await credentials.close()
        let transfer = transfer
        let store = store
        await offPool { transfer.stop() }
        await running.value
        await offPool { store.stop() }
    }
}
