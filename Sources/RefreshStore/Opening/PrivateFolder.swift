import CLinux
import Glibc
import RefreshCore

/// A folder that nobody but root and this user may change, held by its descriptor: whatever is put in the place of its
/// path later, names are looked up in the folder that was looked at (threat T-S1).
struct PrivateFolder: ~Copyable {
    let path: String
    let descriptor: CInt
    /// Whom it belongs to.
    let owner: uid_t
    let group: gid_t

    // st_mode (inode(7)).
    private static let kinds: mode_t = 0o170000
    private static let folderKind: mode_t = 0o040000
    private static let fileKind: mode_t = 0o100000
    private static let writableByOthers: mode_t = 0o022

    /// Whose folders and files are used, beside root's and this user's.
    enum Trust { case nobodyElse, user(uid_t), anyOwner }

    private let trust: Trust

    /// Opens the folder at `path`; where it is missing and `isMade`, its last part is made.
    static func open(
        _ path: String, isMade: Bool, trust: Trust = .nobodyElse
    ) throws(StoreFailure) -> PrivateFolder {
        if isMade, unsafe mkdir(path, 0o700) != 0, refreshd_errno() != EEXIST {
            throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno()))
        }
        let descriptor = unsafe refreshd_open(path, flags, 0)
        return try PrivateFolder(path, descriptor, trust)
    }

    /// Opens the folder `name` in this one.
    func open(_ name: String) throws(StoreFailure) -> PrivateFolder {
        try PrivateFolder(
            "\(path)/\(name)", unsafe refreshd_openat(descriptor, name, PrivateFolder.flags), trust)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    private init(_ path: String, _ descriptor: CInt, _ trust: Trust) throws(StoreFailure) {
        guard descriptor >= 0 else {
            switch refreshd_errno() {
            case ELOOP, ENOTDIR:
                throw .untrusted(path: path, reason: "it is a link or no folder; put a folder there")
            case let code: throw .cannotOpen(path: path, reason: SystemError.text(code))
            }
        }
        var status = stat()
        let isRead = unsafe fstat(descriptor, &status) == 0
        let doubt =
            isRead
            ? PrivateFolder.doubt(status, kind: PrivateFolder.folderKind, trust) : "it cannot be looked at"
        if let doubt {
            // Nothing was written through it.
            _ = close(descriptor)
            throw .untrusted(path: path, reason: doubt)
        }
        self.path = path
        self.trust = trust
        self.descriptor = descriptor
        owner = status.st_uid
        group = status.st_gid
    }

    // Nothing was written through it.
    deinit { _ = close(descriptor) }

    /// Why somebody else decides what it holds; nil where nobody does.
    private static func doubt(_ status: stat, kind: mode_t, _ trust: Trust) -> String? {
        if status.st_mode & kinds != kind { return "it is of another kind than it has to be" }
        let isTrusted =
            switch trust {
            case .nobodyElse: false
            case .user(let user): status.st_uid == user
            case .anyOwner: true
            }
        if status.st_uid != 0, status.st_uid != geteuid(), !isTrusted {
            return "it belongs to user \(status.st_uid), who may change what lies there"
        }
        if status.st_mode & writableByOthers != 0 {
            return "others may write there; take that right away (chmod go-w)"
        }
        return nil
    }

    // MARK: - What lies in it

    /// The bytes of the file `name`; throws where it is a link, another kind of thing, or somebody else's.
    func size(of name: String) throws(StoreFailure) -> Int {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .cannotOpen(path: "\(path)/\(name)", reason: SystemError.text(refreshd_errno()))
        }
        if let doubt = PrivateFolder.doubt(status, kind: PrivateFolder.fileKind, trust) {
            throw .untrusted(path: "\(path)/\(name)", reason: doubt)
        }
        return Int(status.st_size)
    }

    /// Every name in it but `.` and `..`, sorted.
    func names() -> [String] {
        let copy = unsafe refreshd_openat(descriptor, ".", PrivateFolder.flags)
        guard copy >= 0 else { return [] }
        guard let directory = unsafe fdopendir(copy) else {
            _ = close(copy)
            return []
        }
        defer { _ = unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe String(cString: refreshd_entry_name(entry))
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func makeFolder(_ name: String) throws(StoreFailure) {
        guard unsafe mkdirat(descriptor, name, 0o700) == 0 else { throw failure(name) }
    }

    /// Renames what lies in it; nothing may have the new name but what may be replaced.
    func rename(_ old: String, to new: String) throws(StoreFailure) {
        guard unsafe renameat(descriptor, old, descriptor, new) == 0 else { throw failure(new) }
    }

    /// Whether the name is gone afterwards.
    @discardableResult func removeFile(_ name: String) -> Bool {
        unsafe unlinkat(descriptor, name, 0) == 0 || refreshd_errno() == ENOENT
    }

    @discardableResult func removeFolder(_ name: String) -> Bool {
        unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || refreshd_errno() == ENOENT
    }

    /// Returns once the disk knows the names in it.
    func sync() throws(StoreFailure) {
        guard fsync(descriptor) == 0 else {
            throw .io(reason: "\(path): \(SystemError.text(refreshd_errno()))")
        }
    }

    private func failure(_ name: String) -> StoreFailure {
        .cannotOpen(path: "\(path)/\(name)", reason: SystemError.text(refreshd_errno()))
    }
}
