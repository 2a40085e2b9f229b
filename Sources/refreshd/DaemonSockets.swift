import Glibc
import RefreshAPI
import RefreshConfig
import RefreshCore

/// Where the daemon answers: at the sockets that the service manager handed over, else at those that it makes itself.
struct DaemonSockets {
    /// There is a socket that cannot be had.
    struct Failure: Error {
        let message: String
    }

    let api: SocketPlan
    /// For those who run the host; nil where the manager handed over none.
    let control: SocketPlan?
    /// For the log.
    let text: String

    /// - Parameter path: of the socket for every program, where it is ours to make.
    init(
        _ settings: DaemonSettings, path: String,
        inherited: Result<InheritedSockets, InheritedSockets.Failure>
    ) throws(Failure) {
        let inherited = try inherited.mapError { Failure(message: $0.message) }.get()
        guard inherited.isEmpty else {
            guard let descriptor = inherited.api else {
                throw Failure(
                    message: "the service manager handed over the control socket only; start "
                        + "refreshd-api.socket as well")
            }
            api = .inherited(descriptor: descriptor)
            control = inherited.control.map { .inherited(descriptor: $0) }
            text = "the service manager's sockets"
            return
        }
        api = .make(
            path: path, mode: settings.socketMode, group: try DaemonSockets.group(settings.socketGroup))
        let controlPath = settings.controlPath ?? DefaultPlaces.controlSocket(beside: path)
        control = .make(
            path: controlPath, mode: settings.controlMode,
            group: try DaemonSockets.group(settings.controlGroup))
        text = "socket \(path)"
    }

    /// The number of a group by name or number.
    private static func group(_ name: String?) throws(Failure) -> UInt32? {
        guard let name else { return nil }
        if let number = UInt32(name) ?? Principals.group(name) { return number }
        throw Failure(message: "there is no group \"\(SafeText.short(name))\", which is to own a socket")
    }
}
