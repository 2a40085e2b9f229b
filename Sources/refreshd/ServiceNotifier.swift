import CLinux

/// Tells the service manager how the service fares: datagrams to the socket that it named (sd_notify(3)).
struct ServiceNotifier {
    private let path: String?

    /// - Parameter socket: `$NOTIFY_SOCKET`; nil where nobody wants to know.
    init(socket: String?) {
        path = socket.flatMap { $0.utf8.count < 108 && ($0.hasPrefix("/") || $0.hasPrefix("@")) ? $0 : nil }
    }

    /// A reload begins; the manager waits for the next `READY=1`, and some of them want the time (systemd/systemd#37515).
    func reloading() {
        var now = timespec()
        let code = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = code == 0 ? now.tv_sec * 1_000_000 + now.tv_nsec / 1_000 : 0
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// Sends one state, such as `READY=1`. A manager that does not listen is no reason to stop serving.
    func send(_ state: String) {
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
