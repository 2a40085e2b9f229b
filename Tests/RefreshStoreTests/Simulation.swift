import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// One random life of a feed and of programs that mirror it: upserts, deletions, purges, restored databases, pulls with
/// random limits, clients that crash before and after they save (semantics part 3).
final class Simulation {
    /// A rule that is broken on purpose: the simulation has to notice.
    enum Mutation: String, CaseIterable {
        case none
        /// The client saves its key before the data (K10).
        case keySavedFirst
        /// Tombstones are purged and the floor stays (T2).
        case purgeWithoutFloor
        /// The key of a snapshot is taken after its last page (K6).
        case keyAfterLastPage
        /// A restored database goes on with its epoch (K3).
        case restoreWithoutEpoch
        /// What was created and deleted since the key is left out, as the letter of K8 has it (decision 12).
        case newDeletionsLeftOut
    }

    struct Client {
        struct Recovery {
            let key: SyncKey
            var seen: Set<String> = []
            var place: ItemCursor.Place?
        }

        /// What survives a crash.
        struct Saved {
            var items: [String: (rev: Int64, body: String)] = [:]
            var key: SyncKey?
        }

        var saved = Saved()
        var recovery: Recovery?
        var resyncsInARow = 0
    }

    private let mutation: Mutation
    private var random: Randomness
    private var bench: Bench
    private var upstream: [String: (body: Int, order: Int64)] = [:]
    private var clients: [Client]
    private var backup: (bytes: [UInt8], number: Int)?
    private var number = 0
    private(set) var pulls = 0

    init(seed: UInt64, mutation: Mutation = .none) throws {
        self.mutation = mutation
        random = Randomness(seed: seed)
        bench = try Bench(in: TemporaryFolder(under: "/dev/shm"), seed: seed)
        clients = Array(repeating: Client(), count: Int.random(in: 1...4, using: &random))
        bench.retention.gone = .seconds(Int.random(in: 0...3, using: &random) * 86_400)
        bench.retention.tombstoneAge = .seconds(10 * 86_400)
        bench.retention.tombstoneMinAge = .seconds(2 * 86_400)
        bench.retention.tombstoneCount = 5
    }

    /// Whether any client ends with something else than the cache holds.
    func diverges(steps: Int = 60) throws -> Bool {
        for _ in 1...steps { try step() }
        try pass()
        for index in clients.indices {
            clients[index].resyncsInARow = 0
            for _ in 1...500 {
                try pull(index, crashes: false)
                let head = try bench.head()?.key
                if clients[index].recovery == nil, clients[index].saved.key == head { break }
            }
        }
        let truth = try truth()
        return clients.contains { client in
            client.saved.items.mapValues(\.body) != truth
        }
    }

    private func truth() throws -> [String: String] {
        var items: [String: String] = [:]
        var digest = ChangeDigest()
        try bench.reader().items(of: bench.feed, after: nil) { row in
            items[row.key.text] = unsafe String(decoding: row.body, as: UTF8.self)
            digest.add(row.key, rev: row.rev)
            return true
        }
        #expect(try bench.head()?.digest == digest)
        return items
    }

    // MARK: - The feed

    private func step() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4:
            number += 1
            upstream[randomKey()] = (number, Int64.random(in: 0..<9, using: &random))
        case 4..<6: upstream[randomKey()] = nil
        case 6..<10: try pass()
        case 10: bench.now = bench.now + .seconds(86_400 * Int.random(in: 1...6, using: &random))
        case 11: try saveBackup()
        case 12: try restore()
        default:
            let index = Int.random(in: 0..<clients.count, using: &random)
            try pull(index, crashes: true)
        }
    }

    private func randomKey() -> String { "k\(Int.random(in: 0..<12, using: &random))" }

    private func pass() throws {
        let floor = try bench.head()?.floor ?? 0
        let records = upstream.sorted { $0.key < $1.key }.map {
            Sample($0.key, "\($0.value.body)", order: $0.value.order)
        }
        try bench.pass(records, keep: Int.random(in: 6...14, using: &random), acceptDrop: true)
        if mutation == .purgeWithoutFloor {
            try bench.writer.connection.execute("UPDATE feeds SET floor = \(floor)")
        }
        _ = HighWater(folder: bench.folder.path).write(bench.writer.heads)
    }

    private func saveBackup() throws {
        try bench.writer.checkpoint()
        backup = readFile(bench.folder.path("cache.sqlite3")).map { ($0, number) }
    }

    /// Puts the copy in the place of the database, as an operator does while the daemon is stopped.
    private func restore() throws {
        guard let backup else { return }
        let folder = TemporaryFolder(under: "/dev/shm")
        try writeFile(backup.bytes, to: folder.path("cache.sqlite3"))
        if mutation != .restoreWithoutEpoch, let marks = readFile(bench.folder.path("cache.high")) {
            try writeFile(marks, to: folder.path("cache.high"))
        }
        let next = try Bench(in: folder, seed: random.next())
        (next.now, next.retention) = (bench.now, bench.retention)
        bench = next
    }

    // MARK: - Clients

    private func pull(_ index: Int, crashes: Bool) throws {
        pulls += 1
        var client = clients[index]
        let before = client.saved
        let limit = Int.random(in: 1...6, using: &random)
        if client.recovery != nil {
            try recover(&client, limit)
        } else if let key = client.saved.key {
            try pullChanges(&client, key, limit, crashes)
        } else {
            try beginRecovery(&client)
        }
        if crashes, Int.random(in: 0..<5, using: &random) == 0 {
            // What it had in memory is lost; half of the time it had just saved.
            let hadSaved = Bool.random(using: &random)
            let key = client.saved.key
            client = Client(saved: hadSaved ? client.saved : before)
            if mutation == .keySavedFirst { client.saved.key = key }
        }
        clients[index] = client
    }

    private func pullChanges(_ client: inout Client, _ key: SyncKey, _ limit: Int, _ crashes: Bool) throws {
        let reader = try bench.reader()
        guard let head = try reader.head(of: bench.feed) else { return }
        if head.resync(key) != nil {
            client.resyncsInARow += 1
            // A key that was handed out is valid when it was (K6).
            #expect(crashes || client.resyncsInARow < 3)
            return try beginRecovery(&client)
        }
        client.resyncsInARow = 0
        var last = key.seq
        var seen: Set<String> = []
        let end = try reader.tellChanges(
            of: bench.feed, since: key.seq, limit: limit, readsLists: mutation != .newDeletionsLeftOut
        ) { change in
            let row = change.row
            #expect(row.seq > last && seen.insert(row.key.text).inserted)
            last = row.seq
            Self.apply(row, to: &client.saved.items)
            return true
        }
        client.saved.key = SyncKey(epoch: head.epoch, seq: end.reached)
    }

    private static func apply(_ row: ItemRow, to items: inout [String: (rev: Int64, body: String)]) {
        let key = row.key.text
        if row.deleted != nil {
            items[key] = nil
        } else if row.rev > items[key]?.rev ?? 0 {
            items[key] = (row.rev, unsafe String(decoding: row.body, as: UTF8.self))
        }
    }

    private func beginRecovery(_ client: inout Client) throws {
        guard let head = try bench.head() else { return }
        client.recovery = Client.Recovery(key: head.key)
    }

    private func recover(_ client: inout Client, _ limit: Int) throws {
        guard var recovery = client.recovery else { return }
        let reader = try bench.reader()
        let end = try reader.page(
            of: bench.feed, ListRequest(order: .key, place: recovery.place, limit: limit)
        ) { row in
            recovery.seen.insert(row.key.text)
            client.saved.items[row.key.text] = (row.rev, unsafe String(decoding: row.body, as: UTF8.self))
            return true
        }
        recovery.place = end.place
        client.recovery = recovery
        guard !end.hasMore else { return }
        client.saved.items = client.saved.items.filter { recovery.seen.contains($0.key) }
        client.saved.key = mutation == .keyAfterLastPage ? try reader.head(of: bench.feed)?.key : recovery.key
        client.recovery = nil
    }
}
