import CLinux
import RefreshCore

/// Records on standard error, one a line, in the form that whoever reads there expects, and not too many of one kind.
final class StandardErrorLog: Sendable {
    private let limit = Locked(LogLimit())
    private let format: LogFormat
    private let time: any TimeSource
    /// Readable once records are held back: whoever polls it calls `flush` at `due`.
    let bell: Int32

    /// - Parameters:
    ///   - format: `auto` is the journal's where standard error is the journal's, else text.
    ///   - journal: whether it is.
    init(format: LogFormat, journal: Bool, time: any TimeSource) {
        self.format = format == .auto ? (journal ? .journal : .text) : format
        self.time = time
        // Without it what was held back is told with the next record, or at the end.
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    }

    deinit { if bell >= 0 { _ = close(bell) } }

    func log(_ threshold: LogThreshold) -> Log {
        Log(threshold: threshold, sited: { [self] level, message, site in take(level, message, site) })
    }

    /// When held-back records have to be told; nil where there are none.
    var due: BootTime? { limit.withLock { $0.due } }

    /// Tells what was held back, as far as its time has come.
    func flush() {
        let now = time.now()
        hush()
        tell(limit.withLock { $0.over(at: now.boot) }, at: now.wall)
    }

    /// Tells everything that was held back.
    func finish() { tell(limit.withLock { $0.rest() }, at: time.now().wall) }

    // MARK: - Pieces

    private func take(_ level: LogLevel, _ message: String, _ site: LogLimit.Site) {
        let now = time.now()
        let (over, isAdmitted, isFirst) = limit.withLock { limit in
            let over = limit.over(at: now.boot)
            let wasQuiet = limit.due == nil
            let isAdmitted = limit.admits(level, of: site, at: now.boot)
            return (over, isAdmitted, wasQuiet && !isAdmitted)
        }
        tell(over, at: now.wall)
        if isAdmitted { write(level, message, at: now.wall) }
        if isFirst { ring() }
    }

    private func tell(_ held: [LogLimit.Held], at time: Timestamp) {
        let interval = limit.withLock { $0.interval }
        for one in held { write(one.level, one.text(interval: interval), at: time) }
    }

    private func write(_ level: LogLevel, _ message: String, at time: Timestamp) {
        StandardErrorLog.write(LogLine.bytes(level, message, at: time, format: format))
    }

    private func ring() {
        var one: UInt64 = 1
        // Without the bell it is told later.
        _ = unsafe CLinux.write(bell, &one, MemoryLayout<UInt64>.size)
    }

    private func hush() {
        var count: UInt64 = 0
        // It fails only where nobody has rung.
        _ = unsafe read(bell, &count, MemoryLayout<UInt64>.size)
    }

    // MARK: - Before there is a configuration

    /// A line for the person at the terminal or in the journal: control characters, which could forge a second record
    /// or drive a terminal, are shown escaped.
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
