import CLinux
import RefreshCore

/// Finds the files that `include` names.
///
/// A pattern stays in the folder of the configuration: it is relative, climbs nowhere, and no symbolic link on its
/// way is followed. `*` and `?` may stand in its last part.
struct IncludedFiles {
    /// More files than any host has feeds.
    static let most = 10_000

    struct Found {
        /// As messages name it: the folder of the configuration and the name in it.
        let path: String
        let content: Result<ConfigFile, ConfigProblem>
    }

    /// Files in the order of their names' bytes, pattern by pattern, each once.
    private(set) var found: [Found] = []
    /// Folders that somebody else may write into, with the reason.
    private(set) var doubts: [(path: String, reason: String)] = []
    private var seen: Set<String> = []
    /// With a slash at its end; empty for the current one.
    private let root: String

    init(root: String) { self.root = root }

    /// What is wrong with a pattern; nil where it can be looked for.
    static func mistake(in pattern: String) -> String? {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        if pattern.hasPrefix("/") { return "must be relative to the folder of this file" }
        if parts.contains("..") { return "must stay in the folder of this file; \"..\" leads out of it" }
        if parts.contains("") { return "must end in the name of a file, such as feeds.d/*.yaml" }
        if parts.dropLast().contains(where: { $0.utf8.contains(0x2A) || $0.utf8.contains(0x3F) }) {
            return "has \"*\" or \"?\" before its last part, which alone may have them"
        }
        if FieldRules.hasControls(pattern) { return "holds control characters" }
        return nil
    }

    /// Adds the files of one pattern; false where a name without `*` and `?` was not there.
    mutating func add(_ pattern: String) -> Bool {
        var parts = pattern.split(separator: "/").map(String.init)
        guard let last = parts.popLast() else { return false }
        parts.removeAll { $0 == "." }
        var path = root
        guard var folder = IncludedFiles.open(root.isEmpty ? "." : root, in: AT_FDCWD, follow: true) else {
            return false
        }
        defer { _ = close(folder) }
        for part in parts {
            guard let next = IncludedFiles.open(part, in: folder, follow: false) else { return false }
            _ = close(folder)
            folder = next
            path += part + "/"
        }
        note(folder, path)
        guard NamePattern.isPattern(last) else { return take(last, in: folder, path) }
        let names = IncludedFiles.names(in: folder).filter {
            NamePattern.isIncluded($0) && NamePattern.matches($0, last)
        }
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            _ = take(name, in: folder, path)
        }
        return true
    }

    private mutating func take(_ name: String, in folder: CInt, _ path: String) -> Bool {
        let whole = path + name
        guard found.count < IncludedFiles.most, seen.insert(whole).inserted else { return true }
        let content = ConfigFile.read(name, in: folder, path: whole)
        if case .failure = content, unsafe faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 {
            return false
        }
        found.append(Found(path: whole, content: content))
        return true
    }

    private mutating func note(_ folder: CInt, _ path: String) {
        var status = stat()
        guard unsafe fstat(folder, &status) == 0, let doubt = FileTrust.doubt(status, noun: "folder") else {
            return
        }
        let shown = path.isEmpty ? "." : path
        if !doubts.contains(where: { $0.path == shown }) { doubts.append((shown, doubt)) }
    }

    private static func open(_ name: String, in folder: CInt, follow: Bool) -> CInt? {
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW)
        let descriptor = unsafe refreshd_openat(folder, name, flags)
        return descriptor >= 0 ? descriptor : nil
    }

    private static func names(in folder: CInt) -> [String] {
        let copy = refreshd_fcntl(folder, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return [] }
        guard let stream = unsafe fdopendir(copy) else {
            _ = close(copy)
            return []
        }
        defer { _ = unsafe closedir(stream) }
        unsafe rewinddir(stream)
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(unsafe String(cString: refreshd_entry_name(entry)))
        }
        return names
    }
}

/// Patterns of file names.
enum NamePattern {
    static func isPattern(_ name: String) -> Bool { name.utf8.contains(0x2A) || name.utf8.contains(0x3F) }

    /// What editors and dpkg leave beside a file is not the file.
    static func isIncluded(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.utf8.contains(0x7E)
            && !name.split(separator: ".").dropFirst().contains {
                $0.hasPrefix("dpkg-")
            }
    }

    /// `*` stands for any bytes, `?` for one.
    static func matches(_ name: String, _ pattern: String) -> Bool {
        let name = Array(name.utf8)
        let pattern = Array(pattern.utf8)
        var (place, mark) = (0, 0)
        var star: Int?
        var resume = 0
        while place < name.count {
            if mark < pattern.count, pattern[mark] == 0x2A {
                star = mark
                resume = place
                mark += 1
            } else if mark < pattern.count, pattern[mark] == 0x3F || pattern[mark] == name[place] {
                place += 1
                mark += 1
            } else if let last = star {
                resume += 1
                place = resume
                mark = last + 1
            } else {
                return false
            }
        }
        return pattern[mark...].allSatisfy { $0 == 0x2A }
    }
}
