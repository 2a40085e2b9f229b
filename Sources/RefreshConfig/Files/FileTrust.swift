import CLinux

/// Whose words a file holds: those of whoever may write it.
enum FileTrust {
    // The bits of st_mode (inode(7)); not every macro is imported, and not as this type.
    private static let kinds: mode_t = 0o170000
    private static let regular: mode_t = 0o100000
    private static let folder: mode_t = 0o040000
    private static let writableByAll: mode_t = 0o002
    private static let writableByGroup: mode_t = 0o020
    private static let readableByAll: mode_t = 0o004

    static func isRegular(_ status: stat) -> Bool { status.st_mode & kinds == regular }
    static func isFolder(_ status: stat) -> Bool { status.st_mode & kinds == folder }
    static func isReadableByOthers(_ status: stat) -> Bool { status.st_mode & readableByAll != 0 }

    /// Why somebody else than root and the user who runs this decides what it holds; nil where nobody does.
    static func doubt(_ status: stat, noun: String) -> String? {
        if status.st_uid != 0, status.st_uid != geteuid() {
            return "this \(noun) belongs to user \(status.st_uid), who may change what refreshd does"
        }
        if status.st_mode & writableByAll != 0 {
            return "every user may write this \(noun); take that right away (chmod o-w)"
        }
        // A user's own group is that user (Debian, adduser(8): USERGROUPS).
        let isOwn = status.st_uid == geteuid() && status.st_gid == getegid()
        if status.st_mode & writableByGroup != 0, !isOwn {
            return "a group may write this \(noun); take that right away (chmod g-w)"
        }
        return nil
    }
}
