import CLinux
import Glibc

/// One end of what a proxy connects.
struct ProxyPeer: ~Copyable {
    private let descriptor: Int32
    private let stop: Int32
    private var received: [UInt8] = []

    init(_ descriptor: Int32, stop: Int32) {
        self.descriptor = descriptor
        self.stop = stop
    }

    deinit { _ = close(descriptor) }

    /// A connection to a port of 127.0.0.1; nil where nobody listens.
    static func connect(port: Int, stop: Int32) -> ProxyPeer? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0, refreshd_fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            _ = close(descriptor)
            return nil
        }
        return ProxyPeer(descriptor, stop: stop)
    }

    // MARK: - Reading

    /// The first byte, which stays.
    mutating func peek() -> UInt8? {
        while received.isEmpty { guard receive() else { return nil } }
        return received[0]
    }

    mutating func take(_ count: Int) -> [UInt8]? {
        while received.count < count { guard receive() else { return nil } }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Everything up to the empty line.
    mutating func head() -> [UInt8]? {
        while true {
            if let end = (4...max(4, received.count)).first(where: {
                $0 <= received.count && received[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10])
            }) {
                return take(end)
            }
            guard receive() else { return nil }
        }
    }

    private mutating func receive() -> Bool {
        guard wait(events: POLLIN) else { return false }
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return count < 0 && errno == EAGAIN }
        received += chunk.prefix(count)
        return true
    }

    private func wait(events: Int32) -> Bool {
        var polled = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&polled, nfds_t(polled.count), -1)
        return polled[1].revents == 0
    }

    // MARK: - Writing

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count, wait(events: POLLOUT) {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno != EAGAIN { return }
            sent += max(count, 0)
        }
    }

    /// Passes bytes on in both directions until either side ends.
    mutating func relay(with other: borrowing ProxyPeer) {
        other.send(received)
        received = []
        while true {
            var polled = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&polled, nfds_t(polled.count), -1)
            if polled[2].revents != 0 { return }
            if polled[0].revents != 0 {
                guard let bytes = ProxyPeer.read(descriptor) else { return }
                other.send(bytes)
            }
            if polled[1].revents != 0 {
                guard let bytes = ProxyPeer.read(other.descriptor) else { return }
                send(bytes)
            }
        }
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        if count > 0 { return Array(chunk.prefix(count)) }
        return count < 0 && errno == EAGAIN ? [] : nil
    }
}
