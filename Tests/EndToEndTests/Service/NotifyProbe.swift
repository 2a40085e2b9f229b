import CLinux
import TestSupport

/// A service manager's ear: the socket to which a daemon tells its state.
final class NotifyProbe {
    let path: String
    private let descriptor: Int32
    private(set) var heard: [String] = []

    init(in folder: TemporaryFolder) throws {
        path = folder.path("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let bound = unsafe refreshd_bind_unix(
            descriptor, &address, socklen_t(MemoryLayout<sockaddr_un>.size))
        if descriptor < 0 || bound != 0 { throw ChildProcess.Failure.cannotStart("notify socket") }
    }

    deinit { _ = close(descriptor) }

    /// Takes what has come; true once some message holds the line.
    func hears(_ line: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            heard.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return count(of: line) > 0
    }

    /// How many messages hold the line.
    func count(of line: String) -> Int {
        heard.count { $0.split(separator: "\n").contains { $0 == line } }
    }
}
