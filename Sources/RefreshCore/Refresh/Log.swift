/// Where the daemon's records go; how they are written is the program's business.
package struct Log: Sendable {
    private let write: @Sendable (LogLevel, String) -> Void
    /// Records less urgent than this are dropped.
    private let level: LogLevel

    package init(level: LogLevel, write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.level = level
        self.write = write
    }

    /// Drops everything.
    package static let silent = Log(level: .error) { _, _ in }

    package func callAsFunction(_ level: LogLevel, _ message: @autoclosure () -> String) {
        if level <= self.level { write(level, message()) }
    }
}
