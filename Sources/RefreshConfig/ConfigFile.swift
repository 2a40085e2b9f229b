import CLinux
import RefreshCore

/// A configuration file as it lies on disk.
struct ConfigFile {
    let bytes: [UInt8]
    let isWritableByAll: Bool

    // The bits of st_mode (inode(7)); not every macro is imported, and not as this type.
    private static let kinds: mode_t = 0o170000
    private static let regular: mode_t = 0o100000
    private static let folder: mode_t = 0o040000
    private static let writableByAll: mode_t = 0o002

    static func read(_ path: String) -> Result<ConfigFile, ConfigProblem> {
        // Not to wait for whoever would write into a FIFO of this name.
        let descriptor = unsafe refreshd_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
        guard descriptor >= 0 else { return .failure(problem(path, reason(refreshd_errno()))) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            return .failure(problem(path, reason(refreshd_errno())))
        }
        guard status.st_mode & kinds == regular else {
            return .failure(
                problem(path, status.st_mode & kinds == folder ? "it is a folder" : "it is no file"))
        }
        guard status.st_size <= ConfigReader.largest.bytes else {
            let most = ConfigReader.largest.bytes
            return .failure(problem(path, "it has \(status.st_size) bytes; the most that is read is \(most)"))
        }
        guard let bytes = content(of: descriptor) else {
            return .failure(problem(path, reason(refreshd_errno())))
        }
        return .success(ConfigFile(bytes: bytes, isWritableByAll: status.st_mode & writableByAll != 0))
    }

    /// At most one byte more than is read, which then shows that the file has grown too large.
    private static func content(of descriptor: CInt) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= ConfigReader.largest.bytes {
            let count = unsafe CLinux.read(descriptor, &chunk, chunk.count)
            if count < 0, refreshd_errno() == EINTR { continue }
            if count < 0 { return nil }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[0..<count])
        }
        return bytes
    }

    private static func problem(_ path: String, _ reason: String) -> ConfigProblem {
        ConfigProblem(
            file: path, place: nil, code: .access,
            message: "cannot read \(SafeText.escaped(path)): \(reason)")
    }

    private static func reason(_ code: CInt) -> String {
        switch code {
        case ENOENT: "no such file; write one, or name another"
        case EACCES: "permission denied; it must be readable for the user who runs this"
        default: unsafe strerrordesc_np(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        }
    }
}
