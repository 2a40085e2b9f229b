import RefreshCore

/// What the store has noticed about a feed's records, for its status; kept over a restart.
package struct PassNotes: Sendable, Equatable {
    /// Records that came a second time in one answer, since the feed was begun (semantics S4 4.9).
    package var duplicates = 0
    /// Copies that were older than what is kept, and dropped (semantics C3).
    package var late = 0
    /// Copies of the same version with another text, and stored (semantics C3).
    package var sameVersion = 0
    /// Records without a usable key (semantics I5).
    package var rejected = 0
    /// The first few that the last pass refused.
    package var rejections: [RecordPage.Rejection] = []
    /// The last complete pass listed more than is kept: the cache is not the whole list.
    package var isTrimmed = false
    /// Paths of which nothing but they changed in more than five passes in a row: candidates for `records.ignore`
    /// (semantics C4). Forgotten at a restart.
    package var flapping: [String] = []

    package init() {}

    /// What of it people should know, each by a stable name and in words.
    var alarms: [String] {
        var alarms = isTrimmed ? ["trimmed: the upstream has more than is kept"] : []
        if !flapping.isEmpty {
            alarms.append("flapping: \(flapping.joined(separator: ", ")) changes in every pass")
        }
        return alarms
    }
}
