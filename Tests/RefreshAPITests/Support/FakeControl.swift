import RefreshConfig
import RefreshCore
import RefreshEngine
import RefreshStore
import TestSupport
import Testing

/// An engine whose refreshes end when the test says so.
final class FakeControl: RefreshControl, DaemonControl {
    struct Wish: Sendable, Equatable {
        let feed: FeedID
        let mode: RefreshMode
        let acceptDrop: Bool
    }

    private struct State {
        var wishes: [Wish] = []
        var waiting: [CheckedContinuation<RefreshOutcome?, Never>] = []
        var paused: Set<FeedID> = []
        var cleared: [String] = []
        var level = LogLevel.info
    }

    private let state = Locked(State())
    /// Answered at once where it is set.
    private let immediate: RefreshOutcome?

    private let reloading: ReloadOutcome
    private let clearing: ClearOutcome
    private let backingUp: BackupOutcome
    /// Keeps every errand of control waiting until `finish`.
    private let isSlow: Bool

    init(
        immediate: RefreshOutcome? = nil, reload: ReloadOutcome = .failed("not here"),
        clear: ClearOutcome = .cleared(items: 3), backup: BackupOutcome = .failed("not here"),
        isSlow: Bool = false
    ) {
        self.immediate = immediate
        reloading = reload
        clearing = clear
        backingUp = backup
        self.isSlow = isSlow
    }

    /// What was purged and reset, as `purge shop`.
    var cleared: [String] { state.withLock(\.cleared) }

    var paused: Set<FeedID> { state.withLock(\.paused) }

    func reload() async -> ReloadOutcome {
        await hold()
        return reloading
    }

    func clear(_ feed: FeedID, _ clearing: Clearing) async -> ClearOutcome {
        await hold()
        state.withLock { $0.cleared.append("\(clearing.rawValue) \(feed)") }
        return feed.name == "empty" ? .noFeed : self.clearing
    }

    func backup() async -> BackupOutcome {
        await hold()
        return backingUp
    }

    func logLevel(_ wanted: LogLevel?) async -> LogLevelChange {
        await hold()
        let before = state.withLock { state -> LogLevel in
            let before = state.level
            state.level = wanted ?? before
            return before
        }
        return LogLevelChange(level: wanted ?? before, before: before)
    }

    private static let text = """
        daemon: {concurrency: 4}
        budgets: {forge: {rate: 60/1m}}
        feeds:
          news: {adapter: feed, url: https://news.example/a.atom}
          shop: {adapter: json, url: https://shop.example/list, key: id, auth: {type: bearer, token: hunter2}}
        """

    func checkConfiguration() async -> ConfigurationVerdict {
        await hold()
        let fault = ReloadFault(file: "f.yaml", line: 3, column: 5, code: "unknown_key", detail: "odd")
        return ConfigurationVerdict(file: "f.yaml", feeds: nil, errors: [fault], warnings: [fault])
    }

    func configuration(_ wish: ConfigurationWish) async -> RunningConfiguration? {
        await hold()
        let sources = ConfigReader.read(bytes: Array(FakeControl.text.utf8), file: "f.yaml").sources
        let overview = ConfigReader.overview(
            of: sources, feed: wish.feed?.name, after: wish.after, limit: wish.limit)
        if wish.feed != nil, overview.feeds.isEmpty { return nil }
        return RunningConfiguration(
            generation: 3, file: "f.yaml", loadedAt: Timestamp(seconds: 1_767_225_600), overview: overview)
    }

    private func hold() async {
        guard isSlow else { return }
        _ = await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append(continuation) }
        }
    }

    /// How many errands wait for `finish`.
    var held: Int { state.withLock(\.waiting.count) }

    func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool {
        await hold()
        state.withLock { state in
            if isPaused { state.paused.insert(feed) } else { state.paused.remove(feed) }
        }
        return feed.name != "empty"
    }

    var wishes: [Wish] { state.withLock(\.wishes) }

    func refresh(_ feed: FeedID, mode: RefreshMode, acceptDrop: Bool) async -> RefreshOutcome? {
        let wish = Wish(feed: feed, mode: mode, acceptDrop: acceptDrop)
        if let immediate {
            arrive(wish, nil)
            return immediate
        }
        return await withCheckedContinuation { arrive(wish, $0) }
    }

    /// Returns when so many wishes have come in all, or when that takes too long.
    func arrived(_ count: Int) async {
        let isThere = await eventually { self.wishes.count >= count }
        #expect(isThere)
    }

    /// Ends every refresh that is waited for.
    func finish(_ outcome: RefreshOutcome?) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private func arrive(_ wish: Wish, _ continuation: CheckedContinuation<RefreshOutcome?, Never>?) {
        state.withLock { state in
            state.wishes.append(wish)
            if let continuation { state.waiting.append(continuation) }
        }
    }
}
