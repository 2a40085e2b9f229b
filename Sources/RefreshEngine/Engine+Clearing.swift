import RefreshCore
import RefreshStore

/// What came of having something of a feed forgotten.
package enum ClearOutcome: Sendable, Equatable {
    /// So many live items were there.
    case cleared(items: Int)
    case noFeed
    /// The feed is being cleared already.
    case busy
    /// The store could not; everything is as it was.
    case failed(String)
}

/// Purge and reset.
extension Engine {
    /// Has something of a feed forgotten.
    ///
    /// A refresh under way is cut short, and nothing that it brings counts any more. Until the store is done the feed
    /// starts nothing: what was asked for with the old validators must not be stored beside the new state.
    package func clear(_ feed: FeedID, _ clearing: Clearing) async -> ClearOutcome {
        guard let entry = entries[feed], entry.activity?.isOrphan != true else { return .noFeed }
        if entry.isHeld { return .busy }
        entry.isHeld = true
        let wasFlying = entry.machine.isFlying
        let progress = clearing.apply(to: entry.machine.progress, isCut: wasFlying, at: time.now().wall)
        let outcome: ClearOutcome
        do {
            let cleared = try await store.clear(
                feed, clearing, progress: progress, overtaking: Flight.newest)
            settle(entry, progress, cleared.store)
            log(.notice, "feed \(feed): \(clearing.rawValue), \(cleared.items) items")
            outcome = .cleared(items: cleared.items)
        } catch {
            outcome = .failed(error.detail)
        }
        release(entry)
        return outcome
    }

    private func settle(_ entry: Entry, _ progress: FeedProgress, _ store: StoredCounts) {
        let now = time.now()
        var progress = progress
        // It may have landed meanwhile, and have learnt of a failure; the pause after that stays.
        if !entry.machine.isFlying, entry.machine.progress.failures > progress.failures {
            progress.failures = entry.machine.progress.failures
            progress.failure = entry.machine.progress.failure
            progress.due = entry.machine.progress.due
            progress.dueRule = entry.machine.progress.dueRule
        }
        entry.machine.cleared(progress, store: store, at: now)
        if entry.machine.isFlying, let activity = entry.activity {
            activity.isCleared = true
            activity.flight?.cancel()
            for lane in activity.waiting { gate.withdraw(lane.ticket) }
            activity.sendLanesHome()
        }
        if entries[entry.feed.id] === entry {
            schedule(entry)
            post(entry)
        }
    }

    private func release(_ entry: Entry) {
        entry.isHeld = false
        if entry.isHeldBack, entry.machine.isQueued, let activity = entry.activity {
            gate.enqueue(activity.ticket, urgent: true)
        }
        entry.isHeldBack = false
        startWhatMay(at: time.now())
        arm()
    }
}
