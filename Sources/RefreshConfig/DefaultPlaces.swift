/// Where things lie when nobody says otherwise: the system's folders for root, the XDG ones for a plain user.
package struct DefaultPlaces: Equatable, Sendable {
    /// What fits into `sockaddr_un.sun_path` beside its NUL (unix(7)).
    package static let longestSocketPath = 107

    /// The socket that programs connect to.
    package let socket: String
    /// The folder of the databases.
    package let state: String
    /// The configuration file.
    package let config: String

    /// `environment` needs `HOME`, `XDG_RUNTIME_DIR`, `XDG_STATE_HOME` and `XDG_CONFIG_HOME` where they are set.
    package init(uid: UInt32, environment: [String: String]) {
        guard uid != 0 else {
            socket = "/run/refreshd/api.sock"
            state = "/var/lib/refreshd"
            config = "/etc/refreshd/plugins.yaml"
            return
        }
        let own = "/tmp/refreshd-\(uid)"
        let home = DefaultPlaces.absolute(environment["HOME"])
        let runtime = DefaultPlaces.absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/refreshd/api.sock" }
        // A folder too deep for a socket is no place for one.
        socket =
            runtime.flatMap { $0.utf8.count <= DefaultPlaces.longestSocketPath ? $0 : nil }
            ?? "\(own)/api.sock"
        let states =
            DefaultPlaces.absolute(environment["XDG_STATE_HOME"]) ?? home.map { "\($0)/.local/state" }
        state = states.map { "\($0)/refreshd" } ?? "\(own)/state"
        let configs = DefaultPlaces.absolute(environment["XDG_CONFIG_HOME"]) ?? home.map { "\($0)/.config" }
        config = configs.map { "\($0)/refreshd/plugins.yaml" } ?? "/etc/refreshd/plugins.yaml"
    }

    /// Where those connect who run the host, unless the file says otherwise: in the folder of the other socket.
    package static func controlSocket(beside socket: String) -> String {
        guard let slash = socket.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "control.sock" }
        return String(socket[...slash]) + "control.sock"
    }

    /// Relative paths in these variables are to be ignored (XDG Base Directory Specification).
    private static func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path == "/" ? "" : path
    }
}
