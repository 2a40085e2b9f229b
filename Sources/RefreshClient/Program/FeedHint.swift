import RefreshCore

/// What to say to somebody who named a feed that is not there.
package enum FeedHint {
    /// More names than this do not help.
    private static let most = 8

    package static func text(for name: String, among names: [String]) -> String {
        if names.isEmpty { return "no feeds are configured" }
        if let close = ClosestMatch.suggestion(for: name, among: names) {
            return "did you mean \"\(close)\"?"
        }
        guard names.count <= most else { return "see: refreshctl feeds" }
        return "there \(names.count == 1 ? "is" : "are") \(names.joined(separator: ", "))"
    }
}
