import RefreshCore
import RefreshFormats

/// Tells a changed record from one that is only spelled anew (semantics C1), and notices what changes all the time (C4).
final class RecordJudge {
    private var flaps: [Int64: FlapGuard] = [:]

    func isSame(_ stored: [UInt8], _ new: ArraySlice<UInt8>, _ commit: PassCommit) -> Bool {
        if commit.ignore.isEmpty, commit.unordered.isEmpty, CanonicalJSON.surelyDiffer(stored[...], new) {
            return false
        }
        return CanonicalJSON.hash(of: stored[...], ignoring: commit.ignore, unordered: commit.unordered)
            == CanonicalJSON.hash(of: new, ignoring: commit.ignore, unordered: commit.unordered)
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
