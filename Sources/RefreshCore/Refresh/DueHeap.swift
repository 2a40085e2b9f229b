/// The due times of all feeds, earliest first: a binary heap.
///
/// A feed may stand in it more than once; the owner skips entries that its machine no longer agrees with.
package struct DueHeap: Sendable {
    package struct Entry: Sendable, Equatable {
        package let at: BootTime
        package let feed: FeedID

        package init(at: BootTime, feed: FeedID) {
            self.at = at
            self.feed = feed
        }
    }

    private var entries: [Entry] = []

    package init() {}

    package var first: Entry? { entries.first }
    package var count: Int { entries.count }

    package mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].at < entries[parent].at else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    package mutating func removeFirst() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        sink()
        return first
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].at < entries[least].at {
                least = child
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
