import Synchronization

/// The least urgent records that are kept, for all parts of the daemon at once; it may change while they run.
package final class LogThreshold: Sendable {
    private let number: Atomic<Int>

    package init(_ level: LogLevel) { number = Atomic(level.rawValue) }

    package var level: LogLevel { LogLevel(rawValue: number.load(ordering: .relaxed)) ?? .info }

    /// Puts `level` in its place; what it was before.
    package func change(to level: LogLevel) -> LogLevel {
        LogLevel(rawValue: number.exchange(level.rawValue, ordering: .relaxed)) ?? .info
    }

    fileprivate func admits(_ level: LogLevel) -> Bool {
        level.rawValue <= number.load(ordering: .relaxed)
    }
}

/// Where the daemon's records go; how they are written is the program's business.
package struct Log: Sendable {
    private let write: @Sendable (LogLevel, String, LogLimit.Site) -> Void
    /// Records less urgent than this are dropped.
    private let threshold: LogThreshold

    package init(level: LogLevel, write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.init(threshold: LogThreshold(level)) { level, message, _ in write(level, message) }
    }

    /// - Parameter sited: takes the place of the call along.
    package init(
        threshold: LogThreshold, sited: @escaping @Sendable (LogLevel, String, LogLimit.Site) -> Void
    ) {
        self.threshold = threshold
        write = sited
    }

    /// Drops everything.
    package static let silent = Log(level: .error) { _, _ in }

    package func callAsFunction(
        _ level: LogLevel, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line
    ) {
        if threshold.admits(level) { write(level, message(), LogLimit.Site(file: file, line: line)) }
    }
}
