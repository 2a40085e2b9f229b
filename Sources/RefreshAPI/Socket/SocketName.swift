import CLinux

/// The name of a socket of ours in the file system, removed at the end of its owner's life, and the lock that says that
/// we run.
struct SocketName: ~Copyable {
    let path: String
    let device: dev_t
    let file: ino_t
    let lock: Descriptor

    deinit {
        // Whoever has put another socket there in the meantime keeps it.
        var facts = stat()
        if unsafe lstat(path, &facts) == 0, facts.st_dev == device, facts.st_ino == file {
            // If it cannot be removed, the next start finds that nobody answers there.
            _ = unsafe unlink(path)
        }
    }
}
