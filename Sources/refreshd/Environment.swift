import CLinux
import Glibc
import RefreshConfig

/// What the daemon takes from its environment, read once.
struct Environment {
    let places: DefaultPlaces
    /// Whether standard error is the journal's.
    let journal: Bool
    let notifySocket: String?

    static func read() -> Environment {
        var variables: [String: String] = [:]
        for name in [
            "HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "JOURNAL_STREAM", "NOTIFY_SOCKET",
        ] {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return Environment(
            places: DefaultPlaces(uid: geteuid(), environment: variables),
            journal: variables["JOURNAL_STREAM"] != nil, notifySocket: variables["NOTIFY_SOCKET"])
    }
}
