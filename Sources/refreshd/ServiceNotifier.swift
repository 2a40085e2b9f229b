import CLinux
import RefreshCore

/// Tells the service manager how the service fares: datagrams to the socket that it named (sd_notify(3)).
struct ServiceNotifier: Sendable {
    private let path: String?

    /// - Parameter socket: `$NOTIFY_SOCKET`; nil where nobody wants to know.
    init(socket: String?) {
        path = socket.flatMap { $0.utf8.count < 108 && ($0.hasPrefix("/") || $0.hasPrefix("@")) ? $0 : nil }
    }

    /// Whether somebody wants to know.
    var isHeard: Bool { path != nil }

    /// The sockets listen and the databases are open. Also ends what `reloading` began.
    func ready(_ status: String) { send("READY=1\n\(line(status))") }

    /// A new configuration is being read; `ready` has to follow. The time lets newer managers tell this reload from an
    /// earlier one, and without it they wait for ever.
    func reloading() {
        var time = timespec()
        let code = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(code == 0, "the system has no monotonic clock")
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)\n\(line("reading the configuration"))")
    }

    /// The end has begun and takes up to `limit`.
    func stopping(within limit: Duration) {
        send("STOPPING=1\n\(moreTime(upTo: limit))\n\(line("stopping"))")
    }

    /// What `systemctl status` shows.
    func status(_ text: String) { send(line(text)) }

    /// A start that is still under way takes up to `limit` from now.
    func starting(_ status: String, within limit: Duration) {
        send("\(moreTime(upTo: limit))\n\(line(status))")
    }

    /// Every part is alive.
    func ping() { send("WATCHDOG=1") }

    // MARK: - Pieces

    /// One assignment a line: a line break in the text would begin another.
    private func line(_ status: String) -> String { "STATUS=\(SafeText.escaped(status))" }

    private func moreTime(upTo limit: Duration) -> String { "EXTEND_TIMEOUT_USEC=\(limit.inMicroseconds)" }

    /// Sends one state. A manager that does not listen is no reason to stop serving.
    private func send(_ state: String) {
        guard let path else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // An abstract socket's name begins with a NUL byte.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(state.utf8)
        _ = unsafe refreshd_send_unix(descriptor, bytes, bytes.count, &address, length)
    }
}
