/// The daemons behind the sockets: one that everybody reaches, and one for those who run the host, where there is one.
struct HTTPDaemons: ~Copyable {
    let api: HTTPDaemon
    let control: HTTPDaemon?

    /// Negative where there is none.
    var controlEpoll: Int32 {
        switch control {
        case .some(let daemon): daemon.epoll
        case .none: -1
        }
    }

    /// Milliseconds after which `run` has to be called although both are quiet; nil: none.
    var timeout: Int? {
        let own = api.timeout
        switch control {
        case .some(let daemon):
            guard let other = daemon.timeout else { return own }
            return own.map { min($0, other) } ?? other
        case .none: return own
        }
    }

    /// Does what is to be done; false where libmicrohttpd met trouble.
    func run() -> Bool {
        let isWell = api.run()
        switch control {
        case .some(let daemon): return daemon.run() && isWell
        case .none: return isWell
        }
    }

    /// Takes no new connection any more.
    func quiesce() {
        api.quiesce()
        switch control {
        case .some(let daemon): daemon.quiesce()
        case .none: break
        }
    }
}
