import RefreshCore

extension LogLevel {
    /// As the configuration and the command line spell them.
    static let names = allCases.map { "\($0)" }
}
