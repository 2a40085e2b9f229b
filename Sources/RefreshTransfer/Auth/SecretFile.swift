import CLinux
import Glibc
import RefreshCore

/// Reads a small file that holds a secret, or certificates.
///
/// No wait worth a thread: it must be a regular file, so that no pipe or device can hold the reader up.
enum SecretFile {
    static let limit = ByteCount.kibibytes(64)

    struct Content {
        let bytes: [UInt8]
        /// May everybody on this host read it?
        let isOpenToAll: Bool
    }

    /// - Parameter source: how it is called in a failure.
    static func read(
        _ path: String, source: String, limit: ByteCount = limit
    ) throws(SecretFailure) -> Content {
        guard !path.utf8.contains(0) else { throw .missing(source: source) }
        let descriptor = unsafe refreshd_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? .missing(source: source) : .unreadable(source: source, reason: words(for: errno))
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .unreadable(source: source, reason: words(for: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(source: source, reason: "it is no regular file")
        }
        return Content(
            bytes: try content(of: descriptor, source: source, limit: limit),
            isOpenToAll: status.st_mode & 0o004 != 0)
    }

    private static func content(
        of descriptor: Int32, source: String, limit: ByteCount
    ) throws(SecretFailure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit.bytes + 1)
        // Nothing of it stays behind in freed memory (threat T-S3).
        defer {
            unsafe buffer.withUnsafeMutableBytes { bytes in
                if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
            }
        }
        var count = 0
        while count < buffer.count {
            let read = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(
                    descriptor, bytes.baseAddress.map { unsafe $0 + count }, bytes.count - count)
            }
            if read == 0 { break }
            if read < 0 {
                if errno == EINTR { continue }
                throw .unreadable(source: source, reason: words(for: errno))
            }
            count += read
        }
        guard count <= limit.bytes else { throw .tooLarge(source: source, limit: limit) }
        return Array(buffer[..<count])
    }

    private static func words(for code: Int32) -> String {
        switch code {
        case EACCES, EPERM: "the daemon's user may not"
        default: unsafe strerrordesc_np(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        }
    }
}
