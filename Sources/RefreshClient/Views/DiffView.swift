/// Feeds that come, go or change, a line each.
package enum DiffView {
    /// - Parameter changed: the names, each with what differs.
    package static func lines(
        added: [String], changed: [(name: String, what: String)], removed: [String]
    ) -> [StyledLine] {
        let all =
            added.map { ($0, StyledLine("+ \($0)", .good)) }
            + removed.map { ($0, StyledLine("- \($0)", .bad)) }
            + changed.map { feed -> (String, StyledLine) in
                var line = StyledLine("~ \(feed.name)", .warning)
                if !feed.what.isEmpty { line.add(": \(feed.what)") }
                return (feed.name, line)
            }
        return all.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
