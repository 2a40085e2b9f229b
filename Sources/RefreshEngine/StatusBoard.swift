import RefreshCore

/// Where the engine hangs out the status of every feed, so that readers need not ask it.
package final class StatusBoard: Sendable {
    /// Everything on the board at one moment; a reader shares it with the board and copies nothing.
    package struct Picture: Sendable {
        package let version: UInt64
        /// Every feed, by name.
        package let feeds: [FeedStatus]
        /// What is wrong with the daemon as a whole, for people.
        package let alarms: [String]

        package init(version: UInt64, feeds: [FeedStatus], alarms: [String] = []) {
            self.version = version
            self.feeds = feeds
            self.alarms = alarms
        }
    }

    private struct Board {
        var feeds: [FeedStatus] = []
        var places: [FeedID: Int] = [:]
        /// New feeds come in any order and many at once, so they are sorted when somebody looks.
        var isSorted = true
        var version: UInt64 = 0
        var alarms: [String: String] = [:]

        mutating func post(_ status: FeedStatus) {
            version += 1
            if let place = places[status.feed] {
                feeds[place] = status
                return
            }
            if let last = feeds.last, status.feed < last.feed { isSorted = false }
            places[status.feed] = feeds.count
            feeds.append(status)
        }

        mutating func remove(_ feed: FeedID) {
            version += 1
            guard let place = places[feed] else { return }
            feeds.remove(at: place)
            number()
        }

        mutating func sort() {
            guard !isSorted else { return }
            feeds.sort { $0.feed < $1.feed }
            isSorted = true
            number()
        }

        private mutating func number() {
            places.removeAll(keepingCapacity: true)
            for (place, status) in feeds.enumerated() { places[status.feed] = place }
        }
    }

    private let board = Locked(Board())
    /// Beats after every change.
    package let pulse = Pulse()

    package init() {}

    /// Grows with every change of any feed.
    package var version: UInt64 { board.withLock { $0.version } }

    package func status(of feed: FeedID) -> FeedStatus? {
        board.withLock { board in board.places[feed].map { board.feeds[$0] } }
    }

    /// Best let go of soon: while somebody holds it, the next change has to copy it.
    package func picture() -> Picture {
        board.withLock { board in
            board.sort()
            let alarms = board.alarms.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return Picture(version: board.version, feeds: board.feeds, alarms: alarms)
        }
    }

    /// Every feed, by name.
    package func all() -> [FeedStatus] { picture().feeds }

    package func post(_ status: FeedStatus) {
        board.withLock { $0.post(status) }
        pulse.beat()
    }

    /// Something has changed that no feed shows; what was made of the board has to be made anew.
    package func touch() {
        board.withLock { $0.version += 1 }
        pulse.beat()
    }

    /// Hangs out what is wrong with a part of the daemon, or takes it down.
    package func setAlarm(_ part: String, _ text: String?) {
        board.withLock { board in
            guard board.alarms[part] != text else { return }
            board.version += 1
            board.alarms[part] = text
        }
        pulse.beat()
    }

    package func remove(_ feed: FeedID) {
        board.withLock { $0.remove(feed) }
        pulse.beat()
    }
}
