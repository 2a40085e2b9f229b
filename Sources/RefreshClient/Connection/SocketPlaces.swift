import RefreshConfig

/// Where the daemon may listen.
package struct SocketPlaces: Equatable, Sendable {
    /// In the order in which they are tried; one where somebody named it.
    package let paths: [String]

    /// - Parameter option: the value of `--socket`.
    package init(option: String?, environment: Environment, uid: UInt32) {
        if let named = option ?? environment["REFRESHD_SOCKET"] {
            paths = [named]
            return
        }
        let own = DefaultPlaces(uid: uid, environment: environment.variables).socket
        // A plain user has a daemon of its own, or uses that of the host.
        let host = DefaultPlaces(uid: 0, environment: [:]).socket
        paths = own == host ? [own] : [own, host]
    }

    /// Where it may listen to those who control it: beside the places of everybody, if nobody says otherwise.
    ///
    /// - Parameters:
    ///   - option: the value of `--socket`.
    ///   - configured: `daemon.control.path`.
    package init(control option: String?, configured: String?, environment: Environment, uid: UInt32) {
        if let named = option ?? configured {
            paths = [named]
            return
        }
        let places = SocketPlaces(option: nil, environment: environment, uid: uid)
        paths = places.paths.map { path in
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
            return folder + "control.sock"
        }
    }

    /// The first place that is more than empty.
    ///
    /// - Parameter fault: what is wrong at a path; nil where somebody listens.
    package func choose(fault: (String) -> SocketFault?) throws(ClientFailure) -> String {
        for path in paths where SocketAddress(path) == nil { throw .badSocketPath(path) }
        guard paths.count > 1 else { return paths[0] }
        if let path = paths.first(where: { fault($0) != .noSuchSocket }) { return path }
        throw .unreachable(path: paths.joined(separator: " or "), .noSuchSocket)
    }
}
