/// Why the cache could not be opened, read or written.
package enum StoreFailure: Error, Equatable {
    case cannotOpen(path: String, reason: String)
    /// Written by a newer refreshd; the file was left as it is. The backup is the newest copy from before it that this
    /// refreshd can read.
    case newerSchema(path: String, found: Int, known: Int, backup: String? = nil)
    case corrupt(reason: String)
    /// Somebody else than the daemon's user decides what lies there, or it is not what it has to be; nothing was
    /// written.
    case untrusted(path: String, reason: String)
    /// No space is left; what was to be stored was dropped whole.
    case full
    case io(reason: String)
    /// Somebody else holds the database.
    case busy
    /// The feed's records have become others since the pass began, so that nothing of it was stored.
    case reshaped
    /// `Store.stop` was called.
    case stopped
    /// A fault of ours: SQLite's extended result code and its message.
    case `internal`(code: Int, message: String)

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .cannotOpen: "storage-cannot-open"
        case .newerSchema: "storage-newer-schema"
        case .corrupt: "storage-corrupt"
        case .untrusted: "storage-untrusted"
        case .full: "storage-full"
        case .io: "storage-io"
        case .busy: "storage-busy"
        case .reshaped: "storage-reshaped"
        case .stopped: "storage-stopped"
        case .internal: "storage-internal"
        }
    }

    /// For people: what happened and what to do about it.
    package var detail: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened: \(reason); the daemon's user must be able to write to its folder"
        case .newerSchema(let path, let found, let known, let backup):
            "\(path) has schema version \(found), and this refreshd knows versions up to \(known); "
                + "run the newer refreshd again, or move the file away and "
                + (backup.map { "put its copy from before the change, \($0), in its place" }
                    ?? "begin with an empty one") + " (nothing in it was changed)"
        case .corrupt(let reason):
            "the cache database is damaged (\(reason)); restart refreshd: it sets the file aside and "
                + "reads every feed anew"
        case .untrusted(let path, let reason): "\(path) is not used: \(reason)"
        case .full:
            "no space is left for the cache database; make room on its disk, nothing else is needed"
        case .io(let reason):
            "the cache database cannot be read or written (\(reason)); look at its disk and at the "
                + "kernel's log"
        case .busy:
            "another process holds the cache database; let only one refreshd use its folder"
        case .reshaped:
            "the configuration makes other records of this feed by now; it is read anew by itself"
        case .stopped: "the store has stopped"
        case .internal(let code, let message):
            "the cache database refused a statement (\(message), SQLite \(code)); please report this"
        }
    }
}
