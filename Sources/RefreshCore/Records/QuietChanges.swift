/// Bounds the changes of an item that only its content shows, with no new `updated`: a counter or an advertisement
/// in it would make every pass a change (refresh policy SC3).
package struct QuietChanges: Sendable, Equatable {
    /// Changes that are told of at once.
    package static let free = 24
    /// How long one has to be the last after that.
    package static let pause: Duration = .seconds(86_400)

    /// Changes told of so far.
    package private(set) var count: Int
    /// When the last of them was.
    package private(set) var last: Timestamp?

    package init(count: Int = 0, last: Timestamp? = nil) {
        self.count = count
        self.last = last
    }

    /// Whether a change at `now` is told of; then it counts. One that is not stays to be found by a later pass.
    package mutating func admits(at now: Timestamp) -> Bool {
        if count >= QuietChanges.free, let last {
            // A clock that was set back must not hold changes up for ever.
            let isRecent = now >= last && now - last < QuietChanges.pause
            if isRecent { return false }
        }
        count += 1
        last = now
        return true
    }
}
