import RefreshConfig

extension ConfigResult {
    /// Without the warning of what this build does not do yet, which is true of fewer files with every build.
    var told: [ConfigProblem] {
        problems.filter { !$0.message.hasPrefix("these keys do nothing yet in this build") }
    }
}
