import RefreshCore

/// What came of reading a configuration.
package struct ConfigResult: Sendable {
    /// Nil when there is any error.
    package let plan: Plan?
    /// Errors and warnings by their place in the file.
    package let problems: [ConfigProblem]

    /// What was read.
    package let sources: ConfigSources

    package init(plan: Plan?, problems: [ConfigProblem], sources: ConfigSources = ConfigSources()) {
        self.plan = plan
        self.problems = problems
        self.sources = sources
    }

    package var errors: [ConfigProblem] { problems.filter { $0.severity == .error } }
    package var warnings: [ConfigProblem] { problems.filter { $0.severity == .warning } }
}
