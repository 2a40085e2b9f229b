/// Watches a few items of a feed for changes of the same paths in every pass (semantics C4).
struct FlapGuard {
    private struct Watched {
        var paths: [String]
        var passes: Int
        var lastPass: Int
    }

    static let watched = 32
    /// More than so many passes in a row make an alarm.
    static let passes = 5

    private var items: [Int64: Watched] = [:]
    private var pass = 1

    mutating func beginPass() {
        // What the pass before did not change makes room.
        items = items.filter { $0.value.lastPass == pass }
        pass += 1
    }

    func isWatching(_ item: Int64) -> Bool { items.count < FlapGuard.watched || items[item] != nil }

    /// - Parameter paths: where the two texts differ; nil where that cannot be told or is nearly everywhere.
    mutating func changed(_ item: Int64, _ paths: [String]?) {
        guard isWatching(item) else { return }
        guard let paths, !paths.isEmpty else {
            items[item] = nil
            return
        }
        let known = items[item]
        // A second change in one pass is not the upstream's rhythm.
        if known?.lastPass == pass { return }
        let goesOn = known?.paths == paths
        items[item] = Watched(paths: paths, passes: goesOn ? (known?.passes ?? 0) + 1 : 1, lastPass: pass)
    }

    /// The paths of those that went on for too long, each once.
    var flapping: [String] {
        Set(items.values.filter { $0.passes > FlapGuard.passes }.flatMap(\.paths)).sorted()
    }
}
