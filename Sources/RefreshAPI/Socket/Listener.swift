import CLinux
import Glibc

/// A listening Unix socket, and its name in the file system where it is ours.
struct Listener: ~Copyable {
    private static let backlog: Int32 = 1_024

    private let name: SocketName?
    private let socket: Descriptor

    var descriptor: Int32 { socket.number }

    static func open(_ plan: SocketPlan) throws(APIFailure) -> Listener {
        switch plan {
        case .inherited(let descriptor): try Listener(inherited: descriptor)
        case .make(let path, let mode, let group): try Listener(path: path, mode: mode, group: group)
        }
    }

    private init(inherited descriptor: Int32) throws(APIFailure) {
        guard Listener.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            Listener.option(SO_ACCEPTCONN, of: descriptor) == 1,
            refreshd_fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, let socket = Descriptor(descriptor)
        else { throw .notASocket(descriptor: descriptor) }
        self.socket = socket
        name = nil
    }

    private init(path: String, mode: UInt32, group: UInt32?) throws(APIFailure) {
        let (folder, _) = Listener.split(path)
        let workshop = "\(folder == "/" ? "" : folder)/.XXXXXX"
        guard let final = UnixAddress(path: path), workshop.utf8.count + 2 <= UnixAddress.longestPath else {
            throw .pathTooLong(path: path, limit: UnixAddress.longestPath)
        }
        try Listener.makeFolder(folder, open: mode & 0o077 != 0)
        let lock = try Listener.lock(path)
        try Listener.refuseIfTaken(path, final)
        let made = try Listener.make(workshop: workshop, mode: mode, group: group, path: path)
        socket = made.socket
        name = SocketName(path: path, device: made.device, file: made.file, lock: lock)
    }

    // MARK: - Making

    private struct Made: ~Copyable {
        let socket: Descriptor
        let device: dev_t
        let file: ino_t
    }

    /// Makes the socket in a folder that nobody else may enter and moves it out when its permissions are right, so
    /// that there is no moment in which the wrong ones can connect.
    private static func make(
        workshop: String, mode: UInt32, group: UInt32?, path: String
    ) throws(APIFailure) -> Made {
        var template = Array(workshop.utf8CString)
        guard
            unsafe template.withUnsafeMutableBufferPointer({
                unsafe $0.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
            })
        else {
            throw .system(what: "make a folder beside", path: path, reason: lastError())
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let name = "\(folder)/s"
        defer {
            // Empty after the move; after a failure it takes what is left along.
            _ = unsafe unlink(name)
            _ = unsafe rmdir(folder)
        }
        guard let socket = UnixAddress.makeSocket(nonblocking: true), let address = UnixAddress(path: name)
        else { throw .system(what: "make a socket for", path: path, reason: lastError()) }
        guard address.bind(socket.number) == 0,
            // The user stays as it is; the kernel writes no user with this number.
            group.map({ unsafe chown(name, .max, $0) == 0 }) ?? true,
            unsafe chmod(name, mode) == 0,
            listen(socket.number, backlog) == 0
        else { throw .system(what: "bind", path: path, reason: lastError()) }
        var facts = stat()
        guard unsafe lstat(name, &facts) == 0, unsafe rename(name, path) == 0 else {
            throw .system(what: "put the socket at", path: path, reason: lastError())
        }
        return Made(socket: socket, device: facts.st_dev, file: facts.st_ino)
    }

    /// - Parameter open: whether others than we will pass through it.
    private static func makeFolder(_ folder: String, open: Bool) throws(APIFailure) {
        var facts = stat()
        if unsafe stat(folder, &facts) == 0 { return }
        guard unsafe mkdir(folder, open ? 0o755 : 0o700) == 0 || refreshd_errno() == EEXIST else {
            throw .system(what: "make the folder", path: folder, reason: lastError())
        }
    }

    /// Held for as long as we live, so that two starts at once cannot both take a stale socket over.
    private static func lock(_ path: String) throws(APIFailure) -> Descriptor {
        let name = path + ".lock"
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        guard let lock = unsafe Descriptor(refreshd_open(name, flags, 0o600)) else {
            throw .system(what: "open", path: name, reason: lastError())
        }
        if flock(lock.number, LOCK_EX | LOCK_NB) == 0 { return lock }
        if refreshd_errno() == EWOULDBLOCK { throw .alreadyRunning(path: path) }
        throw .system(what: "lock", path: name, reason: lastError())
    }

    /// A socket at which nobody answers is left over from a daemon that was killed.
    private static func refuseIfTaken(_ path: String, _ address: UnixAddress) throws(APIFailure) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            if refreshd_errno() == ENOENT { return }
            throw .system(what: "look at", path: path, reason: lastError())
        }
        guard refreshd_is_socket(facts.st_mode) != 0 else { throw .occupied(path: path) }
        guard let probe = UnixAddress.makeSocket(nonblocking: true) else {
            throw .system(what: "make a socket for", path: path, reason: lastError())
        }
        if address.connect(probe.number) == 0 { throw .alreadyRunning(path: path) }
        switch refreshd_errno() {
        case ECONNREFUSED, ENOENT: return
        // Its queue is full: somebody listens.
        case EAGAIN: throw .alreadyRunning(path: path)
        default: throw .system(what: "connect to", path: path, reason: lastError())
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
