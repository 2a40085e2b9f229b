import RefreshCore

/// The effective values of a whole configuration, and who says each; no secret stands in it.
package struct ConfigOverview: Sendable, Equatable {
    /// Paths begin below `daemon`.
    package let daemon: [Explanation.Line]
    /// Paths begin with the budget's name.
    package let budgets: [Explanation.Line]
    /// Paths begin with the plugin's name.
    package let plugins: [Explanation.Line]
    /// By name.
    package let feeds: [Explanation]
    /// Whether more feeds come after these.
    package let hasMore: Bool

    init(_ builder: PlanBuilder, hasMore: Bool) {
        let reading = builder.reading
        func lines(_ add: (inout EffectiveValues) -> Void) -> [Explanation.Line] {
            var values = EffectiveValues(for: .json, files: builder.problems.files)
            add(&values)
            return values.lines
        }
        daemon = lines { $0.add(DaemonTable.block, reading.root[block: RootTable.daemon], []) }
        budgets = lines { $0.add(reading.budgets, BudgetTable.block) }
        plugins = lines { $0.add(reading.plugins, PluginTable.block) }
        feeds = builder.explanations.sorted { $0.feed < $1.feed }
        self.hasMore = hasMore
    }
}
