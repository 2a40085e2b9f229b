import RefreshCore

/// The effective values of one feed and who says each; no secret stands in it.
package struct Explanation: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        /// From the feed's own block, joined by dots.
        package let path: String
        /// As somebody would write it in the file.
        package let value: String
        /// `FILE:LINE`, with the fragment or `defaults`; `default` where nobody says anything.
        package let origin: String
        /// Nobody says anything, so that the table's own default holds.
        package let isDefault: Bool
    }

    package let feed: FeedID
    package private(set) var lines: [Line] = []

    init(_ context: FeedContext, plugins: [String], files: [String]) {
        feed = context.id
        var values = EffectiveValues(for: context.kind, files: files)
        values.add(FeedTable.block, context.section, [])
        lines = values.lines
    }

    /// As people read it, one value a line.
    package var text: String {
        lines.map { "\($0.path) = \($0.value)  (\($0.origin))\n" }.joined()
    }

    /// The same for programs.
    package var json: String {
        var text = JSONText()
        text.object { text in
            text.name("feed")
            text.string(feed.name)
            text.name("values")
            text.array { text in
                for line in lines {
                    text.object { text in
                        text.name("path")
                        text.string(line.path)
                        text.name("value")
                        text.string(line.value)
                        text.name("origin")
                        text.string(line.origin)
                        text.name("default")
                        text.bool(line.isDefault)
                    }
                }
            }
        }
        return text.text
    }

    /// Puts what really holds in the place of words that say what it depends on.
    mutating func settle(by feed: Feed) {
        let details = feed.details.value
        var known = [
            "allow_private": feed.request.allowPrivate ? "true" : "false",
            "deletes.confirm": "\(feed.deletes.confirm)",
            "freshness.scope": details.freshness.scope.rawValue,
            "limits.item_bytes": details.limits.itemBytes.text,
        ]
        if let full = details.incremental?.fullEvery {
            known["incremental.full_every"] = DurationText.format(full)
        }
        if details.incremental?.fullEvery == nil { known["incremental.full_every"] = "off" }
        if let fresh = details.freshness.freshFor {
            known["freshness.fresh_for"] = DurationText.format(fresh)
        }
        if feed.adapter == .json { known["records.path"] = "$" }
        let isCalendar = feed.schedule.cron != nil
        lines = lines.compactMap { line in
            guard line.isDefault else { return line }
            if line.path == (isCalendar ? "every" : "zone") { return nil }
            return known[line.path].map {
                Line(path: line.path, value: $0, origin: line.origin, isDefault: true)
            } ?? line
        }
    }
}
