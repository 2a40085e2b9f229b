import Glibc
import RefreshCore

/// Serves a site over HTTP/1.1 on 127.0.0.1, from one thread that waits in `poll`.
package struct Server: ~Copyable {
    package enum Failure: Error, Equatable {
        case portTaken(UInt16)
        /// The call that failed, and why.
        case system(String)
    }

    /// Connections at a time; for one more the idlest is closed.
    package static let connectionsMax = 64
    /// A connection without traffic is closed after this.
    package static let idle: Duration = .seconds(60)

    private let listener: Listener
    private let site: Site

    /// Listens on `port`; 0 takes any free one.
    package init(site: Site, port: UInt16) throws(Failure) {
        self.site = site
        listener = try Listener(port: port)
    }

    /// The port that was taken.
    package var port: UInt16 { listener.port }

    /// Serves until `stop`, a descriptor, becomes readable. Blocks its thread.
    package func run(until stop: CInt, now: () -> Moment) throws(Failure) {
        var upstream = Upstream(site: site, since: now().wall)
        var connections: [Connection] = []
        while true {
            var waits = [
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            waits += connections.map(\.wait)
            let due = connections.compactMap(\.heldUntil).min()
            guard unsafe poll(&waits, nfds_t(waits.count), Server.pause(until: due, at: now().boot)) >= 0
            else {
                if errno == EINTR { continue }
                throw .system("poll failed with errno \(errno)")
            }
            if waits[0].revents != 0 { return }
            let moment = now()
            for (connection, wait) in zip(connections, waits.dropFirst(2)) {
                connection.proceed(after: wait, at: moment, for: &upstream)
            }
            connections.removeAll { $0.isDone || Server.isIdle($0, at: moment.boot) }
            if waits[1].revents != 0 { accept(into: &connections, at: moment.boot) }
        }
    }

    /// How many milliseconds `poll` may wait: up to the next held answer, and never for long, so that idle
    /// connections are seen where nothing else happens.
    static func pause(until due: BootTime?, at now: BootTime) -> CInt {
        let longest: Duration = .seconds(5)
        let left = min(longest, max(.zero, due.map { $0 - now } ?? longest))
        // Rounded up: a wake just before the time would find nothing to do.
        return CInt((left.inMicroseconds + 999) / 1_000)
    }

    private static func isIdle(_ connection: Connection, at now: BootTime) -> Bool {
        connection.heldUntil == nil && now - connection.lastMoved > idle
    }

    private func accept(into connections: inout [Connection], at now: BootTime) {
        while let descriptor = listener.accept() {
            if connections.count >= Server.connectionsMax,
                let idlest = connections.indices.min(by: {
                    connections[$0].lastMoved < connections[$1].lastMoved
                })
            {
                connections.remove(at: idlest)
            }
            connections.append(Connection(descriptor, now: now))
        }
    }
}
