import CLinux
import RefreshCore

/// Records on standard error, one a line; under systemd each with the journal's priority prefix (sd-daemon(3)).
enum StandardErrorLog {
    /// - Parameter journal: whether standard error is the journal's (`$JOURNAL_STREAM` is set).
    static func make(level: LogLevel, journal: Bool) -> Log {
        Log(level: level) { level, message in
            let prefix = journal ? "<\(level.rawValue)>" : "refreshd: \(name(of: level))"
            write(line(prefix + message))
        }
    }

    private static func name(of level: LogLevel) -> String { level <= .warning ? "\(level): " : "" }

    /// One record, one line: control characters, which could forge a second record or drive a terminal, are shown
    /// escaped.
    static func line(_ text: String) -> [UInt8] { Array(SafeText.escaped(text).utf8) + [0x0A] }

    /// Standard error may be a closed pipe; there is nobody left to tell then.
    static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe CLinux.write(2, $0.baseAddress, $0.count) }
            if written < 0 && refreshd_errno() == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
