import RefreshCore

/// A hash of a record's meaning: equal for texts that differ in spelling, in the order of members, or in what the paths
/// of the first list select only; arrays that those of the second select count as sets. Nil of what is no JSON.
package typealias CanonicalHash =
    @Sendable (_ body: ArraySlice<UInt8>, _ ignore: [JSONPath], _ unordered: [JSONPath]) -> ContentHash?

/// Tells a changed record from one that is only spelled anew (semantics C1), and notices what changes all the time (C4).
final class RecordJudge {
    private let canonical: CanonicalHash?
    private var flaps: [Int64: FlapGuard] = [:]

    init(_ canonical: CanonicalHash?) { self.canonical = canonical }

    func isSame(_ stored: [UInt8], _ new: ArraySlice<UInt8>, _ commit: PassCommit) -> Bool {
        guard let canonical else { return false }
        guard let before = canonical(stored[...], commit.ignore, commit.unordered) else { return false }
        return before == canonical(new, commit.ignore, commit.unordered)
    }

    /// A pass over the feed begins.
    func beginPass(feed: Int64) { flaps[feed]?.beginPass() }

    /// Whether it is worth telling of a change of the item.
    func isWatching(_ item: Int64, feed: Int64) -> Bool { flaps[feed]?.isWatching(item) ?? true }

    func changed(_ item: Int64, feed: Int64, from stored: [UInt8], to new: ArraySlice<UInt8>) {
        let paths = ChangedPaths.between(stored, Array(new))
        flaps[feed, default: FlapGuard()].changed(item, paths)
    }

    func flapping(feed: Int64) -> [String] { flaps[feed]?.flapping ?? [] }

    func forget(feed: Int64) { flaps[feed] = nil }
}
