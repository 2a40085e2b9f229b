import RefreshCore
import RefreshEngine
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
    }

    private let state = Locked(State())
    /// Answered at once where it is set.
    private let immediate: RefreshOutcome?

    private let reloading: ReloadOutcome

    init(immediate: RefreshOutcome? = nil, reload: ReloadOutcome = .failed("not here")) {
        self.immediate = immediate
        reloading = reload
    }

    var paused: Set<FeedID> { state.withLock(\.paused) }

    func reload() async -> ReloadOutcome { reloading }

    func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool {
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
