import RefreshCore

/// What a reload came to: a sentence, then a line for each feed that it touched.
package enum ReloadView {
    package static func lines(_ report: ReloadAnswer) -> [StyledLine] {
        var line = StyledLine("reloaded", .strong)
        if let generation = report.generation { line.add(", generation \(generation)") }
        let parts = [
            (report.added.count, "added"), (report.changed.count, "changed"),
            (report.removed.count, "removed"), (report.unchanged ?? 0, "unchanged"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        line.add(": " + (parts.isEmpty ? "no feeds" : parts.joined(separator: ", ")))
        return [line]
            + DiffView.lines(
                added: report.added, changed: report.changed.map { ($0, "") }, removed: report.removed)
    }
}
