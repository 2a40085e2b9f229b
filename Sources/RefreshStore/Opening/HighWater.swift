import CLinux
import Glibc
import RefreshCore

/// The newest place of each feed's log, in a file beside the database: one that was put back from a copy lies behind
/// it, and its numbers would be given out a second time (semantics K3).
///
/// A text of lines `name epoch seq`. It may lie behind the database and so is written without a sync, and at most once
/// a second; it must never lie before it, and so is written after the commit.
struct HighWater: Sendable {
    struct Mark: Equatable, Sendable {
        let epoch: Epoch
        var seq: Seq
    }

    private let path: String
    /// More is not read: ten thousand feeds make about one.
    private static let longest = 16 << 20

    init(folder: String) { path = "\(folder)/cache.high" }

    // MARK: - Reading

    /// The feeds of the database whose log ends before what was noted, or has another epoch than was noted: a file of
    /// before it began, put back for the second time. A process that was killed between a new epoch and its note makes
    /// one more, which only costs clients a list.
    func feedsBehind(in connection: borrowing Connection) throws(StoreFailure) -> [FeedID] {
        let marks = read()
        guard !marks.isEmpty else { return [] }
        var behind: [FeedID] = []
        let statement = try connection.prepare("SELECT name, epoch, seq FROM feeds ORDER BY name")
        while try statement.step() {
            guard let feed = statement.text(0).flatMap({ FeedID($0) }), let mark = marks[feed] else {
                continue
            }
            let epoch = Epoch(UInt64(bitPattern: statement.number(1)))
            if mark.epoch != epoch || statement.number(2) < mark.seq { behind.append(feed) }
        }
        return behind
    }

    /// Where each log of the database ends.
    static func marks(in connection: borrowing Connection) throws(StoreFailure) -> [FeedID: Mark] {
        var marks: [FeedID: Mark] = [:]
        let statement = try connection.prepare("SELECT name, epoch, seq FROM feeds")
        while try statement.step() {
            guard let feed = statement.text(0).flatMap({ FeedID($0) }) else { continue }
            marks[feed] = Mark(
                epoch: Epoch(UInt64(bitPattern: statement.number(1))), seq: statement.number(2))
        }
        return marks
    }

    /// What is noted; a file that is missing or damaged says nothing.
    func read() -> [FeedID: Mark] {
        var marks: [FeedID: Mark] = [:]
        for line in contents().split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 3, let feed = FeedID(words[0]), let epoch = UInt64(words[1], radix: 16),
                let seq = Seq(words[2])
            else { continue }
            marks[feed] = Mark(epoch: Epoch(epoch), seq: seq)
        }
        return marks
    }

    private func contents() -> [UInt8] {
        let file = unsafe refreshd_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard file >= 0 else { return [] }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < HighWater.longest {
            let count = unsafe Glibc.read(file, &part, part.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: part[..<count])
        }
        return bytes
    }

    // MARK: - Writing

    /// Puts `marks` in the place of what is noted, whole or not at all; false where that failed, and the old stays.
    func write(_ marks: [FeedID: Mark]) -> Bool {
        var text: [UInt8] = []
        for (feed, mark) in marks.sorted(by: { $0.key < $1.key }) {
            text.append(contentsOf: "\(feed.name) \(String(mark.epoch.number, radix: 16)) \(mark.seq)\n".utf8)
        }
        Failpoint.pass(.savingHighWater)
        let draft = "\(path).new"
        // What a killed process has left of it is of no use, and a link in its place is not followed.
        _ = unsafe unlink(draft)
        let file = unsafe refreshd_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let isWritten = HighWater.write(text, to: file)
        guard close(file) == 0, isWritten else { return false }
        Failpoint.pass(.renamingHighWater)
        return unsafe rename(draft, path) == 0
    }

    private static func write(_ bytes: [UInt8], to file: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
