import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// A cache in a folder of its own, written without a thread, so that a test says what goes together.
final class Bench {
    let folder: TemporaryFolder
    let feed = Bench.feed("shop")
    var writer: Writer
    var now = Timestamp(seconds: 1_767_225_600)
    var progress = FeedProgress()
    /// The bounds but for the count; what is gone is a tombstone at once unless a test wants it otherwise.
    var retention: Retention = {
        var retention = Retention(count: 0)
        retention.gone = .zero
        return retention
    }()

    /// - Parameter bytes: the most that the database's file may have.
    init(in folder: TemporaryFolder = TemporaryFolder(), seed: UInt64 = 1, limitedTo bytes: ByteCount? = nil)
        throws
    {
        self.folder = folder
        writer = try Bench.writer(folder.path, seed, bytes, at: now)
    }

    /// Closes the database as a clean stop does, and opens it again.
    func restart(seed: UInt64 = 2) throws {
        try writer.finish()
        writer = try Bench.writer(folder.path, seed, nil, at: now)
    }

    static func feed(_ name: String) -> FeedID {
        guard let feed = FeedID(name) else { preconditionFailure("\(name) is no feed's name") }
        return feed
    }

    private static func writer(
        _ folder: String, _ seed: UInt64, _ bytes: ByteCount?, at now: Timestamp
    ) throws -> Writer {
        let opened = try CacheFile(folder: folder, limit: bytes).open(now: now)
        return try Writer(opened, random: Randomness(seed: seed))
    }

    /// A reader of the moment.
    func reader() throws -> StoreReader { try StoreReader(folder: folder.path) }

    /// A pass over the whole list, one minute after the last.
    @discardableResult func pass(
        _ records: [Sample], keep: Int = 1_000, complete: Bool = true, absent: Feed.AbsentMeans = .gone,
        newestFirst: Bool = false, rejected: Int = 0, acceptDrop: Bool = false
    ) throws -> CommitOutcome {
        now = now + .seconds(60)
        let page = Sample.page(records, newestFirst: newestFirst, rejected: rejected)
        var retention = retention
        retention.count = keep
        let commit = PassCommit(
            feed: feed, at: now, progress: progress, page: page, complete: complete, absent: absent,
            retention: retention, acceptDrop: acceptDrop)
        return try perform(commit)
    }

    /// A page of a pass of several, at the time of the pass's start.
    @discardableResult func page(
        _ records: [Sample], pass: UInt64, _ part: PassCommit.Part, keep: Int = 1_000,
        deletes: DeletesPlan = DeletesPlan(absent: .gone), _ adjust: (inout PassCommit) -> Void = { _ in }
    ) throws -> CommitOutcome {
        var retention = retention
        retention.count = keep
        var commit = PassCommit(
            feed: feed, at: now, pass: pass, part: part, progress: progress, page: Sample.page(records),
            retention: retention, deletes: deletes)
        adjust(&commit)
        return try perform(commit)
    }

    /// An attempt that read nothing: a success confirms, as a 304 does.
    @discardableResult func note(isSuccess: Bool) throws -> CommitOutcome {
        now = now + .seconds(60)
        if isSuccess { progress.lastSuccess = now }
        var retention = retention
        retention.count = 1_000
        return try perform(PassCommit(feed: feed, at: now, progress: progress, retention: retention))
    }
    @discardableResult func perform(_ commit: PassCommit) throws -> CommitOutcome {
        let results = writer.perform([commit])
        return try results[0].get()
    }

    /// The log since `seq` as short text: `3 b=2` is an upsert of b with rev 2 at seq 3, `4 b-missing` a deletion.
    func log(since seq: Seq = 0) throws -> [String] {
        var lines: [String] = []
        try reader().changes(of: feed, since: seq) { row in
            lines.append("\(row.seq) \(row.key.text)\(row.deleted.map { "-\($0.name)" } ?? "=\(row.rev)")")
            return true
        }
        return lines
    }

    /// The keys in the feed's order.
    func order() throws -> [String] {
        var keys: [String] = []
        try reader().items(of: feed, after: nil) { row in
            keys.append(row.key.text)
            return true
        }
        return keys
    }

    func head() throws -> FeedHead? { try reader().head(of: feed) }
}

/// A record that a test makes up.
struct Sample {
    let key: String
    let body: String
    let order: OrderValue
    var version: VersionValue?
    var isDeleted = false

    init(_ key: String, _ body: String = "{}", order: Int64? = nil) {
        self.init(key, body, by: order.map { .time(Timestamp(seconds: $0)) } ?? .null)
    }

    init(_ key: String, _ body: String = "{}", by order: OrderValue) {
        self.key = key
        self.body = body
        self.order = order
    }

    init(_ key: String, _ body: String = "{}", version: Int, isDeleted: Bool = false) {
        self.init(key, body, by: .null)
        self.version = VersionValue(DecimalNumber(version))
        self.isDeleted = isDeleted
    }

    static func page(_ records: [Sample], newestFirst: Bool = false, rejected: Int = 0) -> RecordPage {
        var text: [UInt8] = []
        var rows: [RecordPage.Row] = []
        for record in records {
            let start = text.count
            text.append(contentsOf: record.body.utf8)
            let hash = ContentHash(high: FNV.hash64(record.body.utf8), low: UInt64(record.body.utf8.count))
            rows.append(
                RecordPage.Row(
                    key: RecordKey(record.key), body: start..<text.count, hash: hash,
                    orderValue: record.order,
                    version: record.version, isDeleted: record.isDeleted))
        }
        return RecordPage(text: text, rows: rows, newestFirst: newestFirst, rejected: rejected)
    }
}

func writeFile(_ bytes: [UInt8], to path: String) throws {
    guard let file = unsafe fopen(path, "wb") else { throw StoreFailure.io(reason: path) }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    let closed = unsafe fclose(file)
    try #require(written == bytes.count && closed == 0)
}
