import CLinux
import RefreshCore

/// Small files of the user's own: lists to read, recordings, a saved key.
enum LocalFile {
    /// The bytes of a file; a pipe is read to its end.
    static func read(_ path: String, limit: ByteCount = .mebibytes(64)) throws(ClientFailure) -> [UInt8] {
        let descriptor = unsafe refreshd_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
        guard descriptor >= 0 else { throw failure(path) }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe CLinux.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if refreshd_errno() == EINTR { continue }
                throw failure(path)
            }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit.bytes else {
                throw .file(path: path, detail: "it has more than \(limit.bytes) bytes")
            }
        }
    }

    /// As `read`; nil where there is no such file.
    static func readIfThere(_ path: String) throws(ClientFailure) -> [UInt8]? {
        if unsafe access(path, F_OK) != 0, refreshd_errno() == ENOENT { return nil }
        return try read(path)
    }

    /// Puts `bytes` in the place of the file at once. After a power cut the file has the old content or the new one.
    ///
    /// - Parameter mode: who may read it; its owner only, if nobody says otherwise.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(ClientFailure) {
        let draft = "\(path).new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe refreshd_open(draft, flags, mode)
        guard descriptor >= 0 else { throw failure(draft) }
        do {
            defer { _ = close(descriptor) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe CLinux.write(descriptor, $0.baseAddress, $0.count)
                }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if refreshd_errno() != EINTR {
                    throw failure(draft)
                }
            }
            guard fsync(descriptor) == 0 else { throw failure(draft) }
        }
        guard unsafe rename(draft, path) == 0 else { throw failure(path) }
    }

    /// Makes a folder and those above it where they are missing, for this user alone.
    static func makeFolder(_ path: String) throws(ClientFailure) {
        for end in path.utf8.indices.dropFirst() where path.utf8[end] == UInt8(ascii: "/") {
            // A folder above that is there already, or cannot be made, shows at the last one.
            _ = unsafe mkdir(String(path[..<end]), 0o700)
        }
        if unsafe mkdir(path, 0o700) != 0, refreshd_errno() != EEXIST { throw failure(path) }
    }

    /// The names in a folder, by their bytes.
    static func names(in path: String) throws(ClientFailure) -> [String] {
        guard let folder = unsafe opendir(path) else { throw failure(path) }
        defer { _ = unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            guard let name = unsafe refreshd_entry_name(entry) else { continue }
            names.append(unsafe String(cString: name))
        }
        return names.sorted()
    }

    private static func failure(_ path: String) -> ClientFailure {
        .file(path: path, detail: SystemError.text(refreshd_errno()))
    }
}
