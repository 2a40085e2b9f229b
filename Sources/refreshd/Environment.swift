import CLinux
import Glibc
import RefreshConfig
import RefreshCore

/// What the daemon takes from its environment, read once and before any thread starts.
struct Environment {
    let places: DefaultPlaces
    /// Whether standard error is the journal's.
    let journal: Bool
    let notifySocket: String?
    /// How long the service manager waits for a ping; nil where it expects none.
    let watchdogLimit: Duration?
    /// Sockets that the service manager made.
    let inherited: Result<InheritedSockets, InheritedSockets.Failure>
    /// The boot of the machine, as the unit hands it over where the sandbox hides it; nil where the kernel is to be
    /// asked.
    let boot: String?

    private static let own = [
        "HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "JOURNAL_STREAM",
        "CREDENTIALS_DIRECTORY",
    ]
    /// These speak to this process alone; whatever it starts must not take them for its own.
    private static let taken =
        ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] + InheritedSockets.variables

    static func read() -> Environment {
        var variables: [String: String] = [:]
        for name in own + taken {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        for name in taken { unsafe unsetenv(name) }
        return Environment(
            places: DefaultPlaces(uid: geteuid(), environment: variables),
            journal: isJournal(variables["JOURNAL_STREAM"]), notifySocket: variables["NOTIFY_SOCKET"],
            watchdogLimit: watchdogLimit(variables),
            inherited: Result { () throws(InheritedSockets.Failure) in
                try InheritedSockets(environment: variables, process: getpid())
            }, boot: boot(in: variables["CREDENTIALS_DIRECTORY"]))
    }

    /// The credential of our own unit that names the boot.
    private static func boot(in folder: String?) -> String? {
        guard let folder, folder.hasPrefix("/") else { return nil }
        let file = unsafe refreshd_open("\(folder)/refreshd.boot", O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe CLinux.read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// `$JOURNAL_STREAM` names the device and the file of the journal's pipe; a standard error that somebody has led
    /// elsewhere is another one (systemd.exec(5)).
    private static func isJournal(_ stream: String?) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2 else { return false }
        var facts = stat()
        guard unsafe fstat(2, &facts) == 0 else { return false }
        return UInt64(parts[0]) == UInt64(facts.st_dev) && UInt64(parts[1]) == UInt64(facts.st_ino)
    }

    /// See sd_watchdog_enabled(3).
    private static func watchdogLimit(_ variables: [String: String]) -> Duration? {
        if let process = variables["WATCHDOG_PID"], Int32(process) != getpid() { return nil }
        guard let microseconds = variables["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        return .microseconds(microseconds)
    }
}
