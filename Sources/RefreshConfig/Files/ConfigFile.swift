import CLinux
import RefreshCore

/// A configuration file as it lies on disk.
struct ConfigFile {
    let bytes: [UInt8]
    let isReadableByOthers: Bool
    /// Why it is not to be trusted, for a sentence that begins with its name; nil where it is.
    let doubt: String?

    /// Reads the file at `path`, which may be a symbolic link.
    static func read(_ path: String) -> Result<ConfigFile, ConfigProblem> {
        // Not to wait for whoever would write into a FIFO of this name.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe refreshd_open(path, flags, 0)
        guard descriptor >= 0 else { return .failure(problem(path, reason(refreshd_errno()))) }
        defer { _ = close(descriptor) }
        return read(descriptor, path)
    }

    /// Reads the file `name` in the folder behind a descriptor; a symbolic link is not followed.
    static func read(_ name: String, in folder: CInt, path: String) -> Result<ConfigFile, ConfigProblem> {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let descriptor = unsafe refreshd_openat(folder, name, flags)
        guard descriptor >= 0 else {
            let code = refreshd_errno()
            let words = code == ELOOP ? "it is a symbolic link, which is not followed here" : reason(code)
            return .failure(problem(path, words))
        }
        defer { _ = close(descriptor) }
        return read(descriptor, path)
    }

    private static func read(_ descriptor: CInt, _ path: String) -> Result<ConfigFile, ConfigProblem> {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            return .failure(problem(path, reason(refreshd_errno())))
        }
        guard FileTrust.isRegular(status) else {
            return .failure(problem(path, FileTrust.isFolder(status) ? "it is a folder" : "it is no file"))
        }
        guard status.st_size <= ConfigReader.largest.bytes else {
            let most = ConfigReader.largest.bytes
            return .failure(problem(path, "it has \(status.st_size) bytes; the most that is read is \(most)"))
        }
        guard let bytes = content(of: descriptor) else {
            return .failure(problem(path, reason(refreshd_errno())))
        }
        return .success(
            ConfigFile(
                bytes: bytes, isReadableByOthers: FileTrust.isReadableByOthers(status),
                doubt: FileTrust.doubt(status, noun: "file")))
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

    static func problem(_ path: String, _ reason: String) -> ConfigProblem {
        ConfigProblem(
            file: path, place: nil, code: .access,
            message: "cannot read \(SafeText.escaped(path)): \(reason)")
    }

    static func reason(_ code: CInt) -> String {
        switch code {
        case ENOENT: "no such file; write one, or name another"
        case EACCES: "permission denied; it must be readable for the user who runs this"
        default: unsafe strerrordesc_np(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        }
    }
}
