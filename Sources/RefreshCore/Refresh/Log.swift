/// Where the daemon's records go; how they are written is the program's business.
package struct Log: Sendable {
    private let write: @Sendable (LogLevel, String, LogLimit.Site) -> Void
    /// Records less urgent than this are dropped.
    private let level: LogLevel

    package init(level: LogLevel, write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.init(level: level) { level, message, _ in write(level, message) }
    }

    /// - Parameter sited: takes the place of the call along.
    package init(level: LogLevel, sited: @escaping @Sendable (LogLevel, String, LogLimit.Site) -> Void) {
        self.level = level
        write = sited
    }

    /// Drops everything.
    package static let silent = Log(level: .error) { _, _ in }

    package func callAsFunction(
        _ level: LogLevel, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line
    ) {
        if level <= self.level { write(level, message(), LogLimit.Site(file: file, line: line)) }
    }
}
