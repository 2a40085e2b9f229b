/// What changes from one plan to the next; by the feeds' names.
package struct PlanDiff: Sendable, Equatable {
    package private(set) var added: [FeedID] = []
    package private(set) var changed: [FeedID] = []
    package private(set) var removed: [FeedID] = []
    package private(set) var unchanged: [FeedID] = []
    /// Whether anything that holds for the whole daemon differs.
    package let daemonChanged: Bool
    /// Whether a budget or a plugin differs.
    package let sharedChanged: Bool

    /// A feed that is broken in `new` counts by its name: what was good before and is broken now has changed.
    package init(from old: Plan, to new: Plan) {
        daemonChanged = old.daemon != new.daemon
        sharedChanged = old.budgets != new.budgets || old.plugins != new.plugins
        let before = Dictionary(old.feeds.map { ($0.id, $0) }) { first, _ in first }
        let brokenBefore = Dictionary(old.broken.map { ($0.id, $0) }) { first, _ in first }
        for feed in new.feeds {
            if let earlier = before[feed.id] {
                if earlier == feed { unchanged.append(feed.id) } else { changed.append(feed.id) }
            } else if brokenBefore[feed.id] != nil {
                changed.append(feed.id)
            } else {
                added.append(feed.id)
            }
        }
        for broken in new.broken {
            if brokenBefore[broken.id] == broken {
                unchanged.append(broken.id)
            } else if before[broken.id] != nil || brokenBefore[broken.id] != nil {
                changed.append(broken.id)
            } else {
                added.append(broken.id)
            }
        }
        let after = Set(new.feeds.map(\.id)).union(new.broken.map(\.id))
        removed = (old.feeds.map(\.id) + old.broken.map(\.id)).filter { !after.contains($0) }.sorted()
        added.sort()
        changed.sort()
        unchanged.sort()
    }

    package var isEmpty: Bool {
        added.isEmpty && changed.isEmpty && removed.isEmpty && !daemonChanged && !sharedChanged
    }
}
